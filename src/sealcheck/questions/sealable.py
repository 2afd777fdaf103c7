"""Can P be sealed properly, by any program?  That is a question about knowledge (`th:sealability`)."""

from pysmt.shortcuts import And, Implies, Not, Or, Symbol

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.algorithms.sealability import Problem, Sealable, saturate
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.oracles import explorer
from sealcheck.oracles.seal_search import find_seal
from sealcheck.programs.events import Channel, channels, mt
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import (
    KERNEL_SHARES,
    STRAIGHT,
    accepted,
    for_bsl,
    in_rel,
    is_bsl,
    least_for_kernel,
    require_bsl,
)
from sealcheck.questions.verified import verified

EXPLORED_PROCESSES, EXPLORED_MESSAGES = 3, 4
"""For so many processes the explorer looks for seals of so many messages: 3n - 5, which is enough there.

With one more process that would take it minutes.
"""


def by_saturation(instance: Instance) -> bool:
    """Whether sending all that is safe seals P, what is known at first being read off the closed graph."""
    return isinstance(saturate(problem(instance.p)), Sealable)


def problem(p: StraightLine) -> Problem:
    """What processes know when P ends, by the transitive closure of the whole program graph.

    Nothing that signatures use: a process knows i->j to be safe if P's last receive on it precedes the
    process's own last event.

    >>> problem(StraightLine.of(2, mt(1, 2))).open_channels
    (Channel(sender=1, receiver=2),)
    """
    causal = causal_pairs(p)
    known: dict[Channel, int] = {}
    for channel in channels(p.n):
        share, receive = p.shares[channel.receiver - 1], mt(*channel)[1]
        if receive in share:
            last = Place(channel.receiver, len(share) - share[::-1].index(receive))
            ends = {k: Place(k, len(s)) for k, s in enumerate(p.shares, 1) if s}
            informed = (k for k, end in ends.items() if k == channel.receiver or (last, end) in causal)
            known[channel] = sum(1 << (k - 1) for k in informed)
    opened = tuple(c for c, mask in sorted(known.items()) if not mask >> (c.sender - 1) & 1)
    initial = tuple(
        sum((known[c] >> (k - 1) & 1) << bit for bit, c in enumerate(opened)) for k in range(1, p.n + 1)
    )
    return Problem(p.n, opened, initial)


def by_exploring(instance: Instance) -> bool:
    """Whether the explorer confirms a seal that is proposed, or finds one of few messages by itself.

    That no sequence of few messages seals P shows that nothing does where P is a BSL of few processes,
    and where P leaves a message over, which a later receive can take.  Messages of processes to themselves
    change neither: they teach nobody anything.  If P deadlocks, anything seals it.
    """
    p = instance.p
    if not p.is_deadlock_free:
        if explorer.can_complete(p):
            raise CannotAnswer("the program waits for messages that it does not send")
        return True
    if is_bsl(p):
        proposed = saturate(problem(p))
        if isinstance(proposed, Sealable) and explorer.seals(p, proposed.seal(p.n)):
            return True
    if p.is_balanced and p.n > EXPLORED_PROCESSES:
        raise CannotAnswer(f"it looks for seals for up to {EXPLORED_PROCESSES} processes")
    return find_seal(p, EXPLORED_MESSAGES) is not None


def by_kernel(instance: Instance) -> bool:
    """Whether the kernel accepts a seal with its chains, or knowledge that no safe message adds to."""
    least = least_for_kernel(instance)
    return bool(accepted("sealability", least, sealability_document(least.p))["sealable"])


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether no closed state of knowledge leaves an open channel unsafe.

    What a process knows when P ends is asked of P's runs: k knows i->j to be safe iff in no
    run does the last receive of P on it happen after the end of k's share.
    """
    require_bsl(instance, semantics)
    p = instance.p
    known = _known_at_end(p, solver)
    knows = {(k, c): Symbol(f"{k} knows {c}") for k in range(1, p.n + 1) for c in channels(p.n)}
    closed = [
        Implies(And(knows[i, Channel(i, j)], knows[i, c]), knows[j, c])
        for i, j in channels(p.n)
        for c in channels(p.n)
    ]
    unsafe = Or(Not(knows[c.sender, c]) for c in channels(p.n))
    return not satisfiable(solver, [*(knows[fact] for fact in known), *closed, unsafe])


def _known_at_end(p: StraightLine, solver: Solver) -> list[tuple[int, Channel]]:
    given = given_run([p], solver.order)
    facts = [(k, channel) for channel in channels(p.n) for k in range(1, p.n + 1)]
    with solver.assuming([*given.axioms]):
        return [(k, channel) for k, channel in facts if _knows(given, k, channel, solver)]


def _knows(given: GivenRun, k: int, channel: Channel, solver: Solver) -> bool:
    receives = [name for name, e in given.events.items() if e.channel == channel and not e.is_send]
    share = given.shares[k - 1]
    if not receives or k == channel.receiver:
        return True
    return bool(share) and not satisfiable(solver, [given.order.before(share[-1], receives[-1])])


SEALABLE = Question(
    id="sealable",
    text="Can P be sealed properly?",
    takes=("p",),
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("saturation", for_bsl(by_saturation), shares="the saturation argument, with the solvers"),
        Oracle(
            "explorer",
            in_rel(by_exploring),
            shares="seals that saturation proposes, which it confirms; and, where it finds none, that 4"
            " messages are enough for n <= 3 (worst-case-seal)",
        ),
        Oracle("kernel", for_bsl(by_kernel), shares=KERNEL_SHARES, is_checked=True),
        *verified("sealable", ("p",), BOOLEAN),
    ),
    symbolic=Symbolic(by_solving, shares="the saturation argument, with saturation"),
    certificate="a seal with its chains, or knowledge that no safe message adds to",
    per_second=50,
)
