"""Section 4: "Note that balanced programs are TCC in RelFi."

Reading      of straight-line programs: in no run of RelFi that starts at a silent cut does a
             message cross the end of a BSL.  In RelFi the k'th receive on a channel takes the
             k'th message sent on it.  Compared is the set of channels on which one crosses.
Refutation   a BSL and a FIFO run in which a receive of P takes a later message, or a later
             receive one of P.
Not claimed  that balanced programs with choice and loops are TCC in RelFi, too.
"""

from collections.abc import Callable, Iterator
from functools import partial
from sys import maxsize

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck import explorer
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Solver, open_solver, satisfiable
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.global_runs import Model
from sealcheck.theorems import ablation, fifo
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.following import crossed, following
from sealcheck.theorems.matching_functions import played
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

Channels = frozenset[Channel]
NONE: Channels = frozenset()


def by_counting(instance: Instance) -> Channels:
    """The channels on which some k'th receive is P's and the k'th send is not, or the other way round."""
    return frozenset(instance.p.imbalance)


def by_playing(instance: Instance) -> Channels:
    """The channels on which a message crosses the end of P in some play with queues."""
    p = instance.p
    plays = played(p.then(following(p)), Model.REL_FIFO)
    return NONE.union(*(crossed(p, matching) for matching in plays))


def by_solving(
    instance: Instance,
    solver: Solver,
    *,
    model: Callable[[GivenRun], FNode] = fifo.oldest_first,
    later_sends: int = 1,
) -> Channels:
    """The channels on which the solver finds a receive of P with a later message, or a message left over."""
    given = GivenRun([instance.p], solver.order, later_sends=later_sends)
    with solver.assuming([*axioms(given.run), model(given)]):
        return frozenset(c for c in channels(instance.n) if satisfiable(solver, [_crosses(given, c)]))


def _crosses(given: GivenRun, channel: Channel) -> FNode:
    """A later message is received in P, or one of P is not."""
    later = [source for name, c in given.later.items() if c == channel for source in given.run.takers(name)]
    sends = [name for name, event in given.events.items() if event.is_send and event.channel == channel]
    left_over = [Not(Or(given.run.takers(send))) for send in sends]
    return Or(*later, *left_over)


def in_rel(n: int, messages: int) -> Instance | None:
    """A BSL on channels that are bags."""
    return first_difference(_programs(n, messages), lambda _: NONE, _open_in_rel)


def _programs(n: int, messages: int) -> Iterator[Instance]:
    return Programs().instances(n, messages, 0, maxsize)


def _open_in_rel(instance: Instance) -> Channels:
    return frozenset(c for c in channels(instance.n) if not explorer.closes(instance.p, c))


def with_skipped_messages(n: int, messages: int) -> Instance | None:
    """A BSL on channels where a message may stay behind for ever, but none overtakes another."""
    with open_solver("cadical", seconds=ablation.SECONDS) as solver:
        programs, crossing = (
            _programs(n, messages),
            partial(by_solving, solver=solver, model=fifo.no_overtaking),
        )
        return first_difference(programs, lambda _: NONE, crossing)


def unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program."""
    programs = sorted(ablation.unbalanced(n, messages), key=lambda instance: instance.size)
    return first_difference(programs, lambda _: NONE, by_playing)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A BSL that may send to itself."""
    programs = map(Instance.of, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(programs, lambda _: NONE, by_playing)


def _story(instance: Instance) -> str:
    crossing = ", ".join(map(str, sorted(by_playing(instance))))
    return f"in some FIFO run a message on {crossing} is received on the other side of the end of P"


STATEMENT = Statement(
    id="balanced-tcc-rel-fifo",
    label='section 4, "balanced programs are TCC in RelFi"',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL is TCC in RelFi",
            predicts=lambda instance: NONE,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("FIFO channels", in_rel),
        Hypothesis("FIFO channels skip no message", with_skipped_messages),
        Hypothesis("balanced", unbalanced),
        Hypothesis("no self-channels", with_self_channels),
        Hypothesis(
            "deadlock-free",
            remark="a program that deadlocks occurs over no interval after a silent cut, so it is TCC",
        ),
    ),
    domain=Programs(),
    ways={"algorithm": by_counting, "explorer": by_playing},
    smt=by_solving,
)
