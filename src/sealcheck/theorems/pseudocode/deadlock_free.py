"""Deadlock-Free(P) (`app:algo`): whether P gets through when it is run in isolation.

Reading      of balanced programs, those that deadlock included: the answer should be yes iff P
             is deadlock-free, which is to say that run from empty channels, with nothing before
             or after it, P completes.  No execution may get stuck, and some must complete.
Refutation   a program for which the procedure, transcribed line by line, answers otherwise.
Repaired     line 2 returns the opposite, on Program-Graph with its own slip mended.
Not claimed  nothing is said about unbalanced programs, which can wait for ever without a cycle.
"""

from functools import partial
from itertools import permutations

from sealcheck import explorer
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.deadlock_free import deadlock_free, deadlock_free_repaired
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.programs.events import Channel
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.ablation import first_difference, unbalanced
from sealcheck.theorems.domains import Listed, indexed_space
from sealcheck.theorems.interleaving_exists import DEADLOCKING_MESSAGES, programs
from sealcheck.theorems.matching_functions import events
from sealcheck.theorems.pseudocode.named_graphs import WRONG_RECEIVE
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

State = tuple[int, ...]
"""How many of its events each process has done."""


def never_stuck(instance: Instance) -> bool:
    """Whether no execution of P can get to where nothing more can happen and P is not done."""
    complete = tuple(map(len, instance.p.shares))
    start = (0,) * instance.n
    reached, stack = {start}, [start]
    while stack:
        done = stack.pop()
        following = _following(instance.p, done)
        if not following and done != complete:
            return False
        stack += following - reached
        reached |= following
    return True


def _following(program: StraightLine, done: State) -> set[State]:
    """The states that one more event leads to."""
    found = set()
    for process, share in enumerate(program.shares):
        if done[process] < len(share):
            event = share[done[process]]
            if event.is_send or _waiting(program, done, event.channel):
                found.add((*done[:process], done[process] + 1, *done[process + 1 :]))
    return found


def _waiting(program: StraightLine, done: State, channel: Channel) -> int:
    """How many messages the channel holds."""
    happened = [event for share, past in zip(program.shares, done, strict=True) for event in share[:past]]
    on_channel = [event.is_send for event in happened if event.channel == channel]
    return on_channel.count(True) - on_channel.count(False)


def some_completes(instance: Instance) -> bool:
    """Whether P has a complete execution: only then the explorer does not order two events both ways."""
    pairs = permutations(events(instance.p), 2)
    e, f = next(pairs, (None, None))
    if e is None or f is None:
        return True
    return not (explorer.is_ordered(instance.p, e, f) and explorer.is_ordered(instance.p, f, e))


def some_run(instance: Instance, solver: Solver) -> bool:
    """Whether P has a run, as the solver sees it."""
    given = GivenRun([instance.p], solver.order, later_sends=0)
    return satisfiable(solver, axioms(given.run))


def unbalanced_and_stuck(n: int, messages: int) -> Instance | None:
    """An unbalanced program about which the mended procedure is wrong."""
    return first_difference(unbalanced(n, messages), _repaired, never_stuck)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A deadlock-free program that may send to itself, about which the mended procedure is wrong."""
    found = map(Instance.of, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(found, _repaired, never_stuck)


def _printed(instance: Instance) -> bool:
    return deadlock_free(instance.p)


def _printed_throughout(instance: Instance) -> bool:
    return printed_throughout.deadlock_free(instance.p)


def _repaired(instance: Instance) -> bool:
    return deadlock_free_repaired(instance.p)


def _story(instance: Instance, *, throughout: bool) -> str:
    cyclic = (_printed_throughout if throughout else _printed)(instance)
    lines = [WRONG_RECEIVE] if cyclic != _printed(instance) else []
    lines += [
        f"Line 1: the graph that Program-Graph returns has {'a' if cyclic else 'no'} cycle.",
        f"Line 2 returns whether there is a cycle: {'yes' if cyclic else 'no'}."
        " It should return whether there is none.",
        f"P {'is deadlock-free' if never_stuck(instance) else 'deadlocks'}.",
    ]
    return "\n".join(lines)


STATEMENT = Statement(
    id="deadlock-free",
    label="app:algo, Deadlock-Free",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Deadlock-Free(P), on Program-Graph with its slip mended, answers whether P is deadlock-free",
            predicts=_printed,
            story=partial(_story, throughout=False),
        ),
        Claim(
            Form.AS_PRINTED,
            "Deadlock-Free(P), on the printed Program-Graph, answers whether P is deadlock-free",
            predicts=_printed_throughout,
            story=partial(_story, throughout=True),
        ),
        Claim(
            Form.REPAIRED,
            "with 'no cycle' for 'cycle' in line 2, Deadlock-Free(P), on Program-Graph with its slip"
            " mended, answers whether P is deadlock-free",
            predicts=_repaired,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", unbalanced_and_stuck),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Listed("programs", programs),
    ways={
        "algorithm": lambda i: i.p.is_deadlock_free,
        "interleavings": never_stuck,
        "explorer": some_completes,
    },
    smt=some_run,
    limits=(f"programs that deadlock are gone through up to {DEADLOCKING_MESSAGES} messages",),
    per_shard=250,
)
