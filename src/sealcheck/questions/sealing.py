"""Questions about sealing: is Q a seal of P, does P have a seal, and how few messages does a seal need?

A message *crosses* the end of P if P sends the message and a later event receives it, or the other way round.
Q *seals* P if no message crosses the end of P, in any run of P;Q and later events (section 3). A process
*knows* that a channel is safe once P's last receive on the channel has happened before all further events of
the process. Messages pass this knowledge on. Knowledge decides whether P has a seal (`th:sealability`).

The question `worst-case-seal`: how many messages are enough to seal every sealable program of n processes?
Two oracles give upper bounds, for programs of every length. Two oracles give lower bounds: the length of a
shortest seal of the hardest program (`algorithms.minimum_seal`). If the bounds agree, the number is exact.
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or, Symbol

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.algorithms.minimum_seal import (
    Minimum,
    as_signature,
    hardest_profiles,
    hardest_program,
    minimum_or_unsealable,
    minimum_seal,
    worst_case,
)
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.algorithms.seal_construction import short_seal
from sealcheck.algorithms.sealability import Problem, Sealable, saturate, transmitting
from sealcheck.algorithms.signature import signature
from sealcheck.encodings import sealing as interference
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.operations.sealing import decision, sealing
from sealcheck.programs.runs import Place, last_receives
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, channels, snd
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import (
    BOOLEAN,
    NUMBER,
    NUMBER_OR_NONE,
    TRANSMISSIONS_OR_NONE,
    CannotAnswer,
    DefinedFor,
    Oracle,
    Question,
    Symbolic,
    Witness,
)
from sealcheck.questions.straight_lines import (
    BSL,
    STRAIGHT,
    accepted,
    by_operation,
    checked,
    for_bsl,
    in_rel,
    is_bsl,
    least_for_kernel,
    require_bsl,
    require_no_self_channel,
    require_rel,
    verified,
)

EXPLORED_MESSAGES = 36
"""The most messages of P and Q together for the explorer.

The paper's example has 30 messages for n = 6, which takes seconds, and 42 messages for n = 7.
"""
SOLVED_MESSAGES = 6
"""The most messages of P and Q together for solvers."""


def by_closure(instance: Instance) -> bool:
    """Whether P's last receive on each channel reaches Q's first send on the channel, in the graph of P;Q.

    If Q does not send on the channel, the receive must reach the last event of the channel's sender.
    """
    p, q = instance.p, instance.q
    both = p.then(q)
    causal = causal_pairs(both)
    for (i, j), last in last_receives(p).items():
        past_p = len(p.shares[i - 1])
        share = list(enumerate(both.shares[i - 1], 1))
        sent = [Place(i, at) for at, event in share if at > past_p and event == snd(i, j)]
        ends = sent[:1] or [Place(i, at) for at, _ in share]
        if not any((last, end) in causal for end in ends):
            return False
    return True


def is_seal_by_exploring(instance: Instance) -> bool:
    """Whether nothing after P interferes with P, in any execution."""
    if instance.messages > EXPLORED_MESSAGES:
        raise CannotAnswer(f"P and Q have more than {EXPLORED_MESSAGES} messages, and too many executions")
    return channel_contents.seals(instance.p, instance.q)


def is_seal_by_kernel(instance: Instance) -> bool:
    """Whether the operation `decision` says yes. The kernel checks its causal chains, or its run."""
    return by_operation(decision(instance.p, instance.q))


def is_seal_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run in which a message crosses P's end, or a message of P is left over."""
    require_rel(semantics)
    if instance.messages > SOLVED_MESSAGES:
        raise CannotAnswer(f"P and Q have more than {SOLVED_MESSAGES} messages")
    require_no_self_channel(instance)
    p, q = instance.straight
    if p.is_balanced and q.is_balanced:
        return interference.seals(p, q, solver)
    missing = max((-excess for excess in p.then(q).imbalance.values() if excess < 0), default=0)
    given = given_run([p, q], solver.order, later_sends=missing + 1)
    interferes = Or(interference.crosses(given), left_over(given))
    return not satisfiable(solver, [*given.axioms, interferes])


def left_over(given: GivenRun) -> FNode:
    """The condition that no layer receives some message of P. A later program may receive this message."""
    sends = [name for name, event in given.events.items() if event.is_send and given.layer_of(name) == "P"]
    return Or(Not(Or(given.run.takers(send))) for send in sends)


IS_SEAL = Question(
    id="is-seal",
    text="Does Q seal P?",
    takes=("p", "q"),
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("program graph", for_bsl(by_closure)),
        Oracle("explorer", in_rel(is_seal_by_exploring)),
        checked(for_bsl(is_seal_by_kernel)),
        *verified("is-seal", ("p", "q"), BOOLEAN),
    ),
    symbolic=Symbolic(is_seal_by_solving),
    certificate="causal chains, or a run in which a later message is received in P",
    per_second=150,
)


EXPLORED_PROCESSES, EXPLORED_SEALABLE = 3, 4
"""The most processes, and the most messages in a seal, for the explorer's own search.

For 3 processes, 3n - 5 = 4 messages are enough. For 4 processes, the search would take minutes.
"""


def by_saturation(instance: Instance) -> bool:
    """Whether P is sealed once all safe messages are sent, starting with the knowledge in `problem`."""
    return isinstance(saturate(problem(instance.p)), Sealable)


def problem(p: StraightLine) -> Problem:
    """The knowledge of processes when P ends, by the transitive closure of the whole program graph.

    A process knows that i->j is safe if P's last receive on i->j belongs to the process, or precedes the last
    event of the process in P.

    >>> from sealcheck.programs.straight_line import mt
    >>> problem(StraightLine.of(2, mt(1, 2))).open_channels
    (Channel(sender=1, receiver=2),)
    """
    causal = causal_pairs(p)
    known: dict[Channel, int] = {}
    ends = {k: Place(k, len(s)) for k, s in enumerate(p.shares, 1) if s}
    for channel, last in last_receives(p).items():
        informed = (k for k, end in ends.items() if k == channel.receiver or (last, end) in causal)
        known[channel] = sum(1 << (k - 1) for k in informed)
    opened = tuple(c for c, mask in sorted(known.items()) if not mask >> (c.sender - 1) & 1)
    initial = tuple(
        sum((known[c] >> (k - 1) & 1) << bit for bit, c in enumerate(opened)) for k in range(1, p.n + 1)
    )
    return Problem(p.n, opened, initial)


def _require_few_processes(instance: Instance) -> None:
    if instance.n > EXPLORED_PROCESSES:
        raise CannotAnswer(f"it looks for seals for up to {EXPLORED_PROCESSES} processes")


def sealable_by_exploring(instance: Instance) -> bool:
    """Whether the explorer confirms a proposed seal, or itself finds a seal of few messages.

    If no execution of P completes, every program seals P. Otherwise the answer is no if no sequence of at
    most `EXPLORED_SEALABLE` messages seals P. This no is right in two cases:

    - P is a BSL of at most `EXPLORED_PROCESSES` processes;
    - P leaves a message over, which a later receive can take.

    Messages from a process to itself are not tried, because they pass on no knowledge.
    """
    p = instance.p
    if not p.is_deadlock_free:
        if channel_contents.can_complete(p):
            raise CannotAnswer("the program waits for messages that it does not send")
        return True
    if is_bsl(p):
        proposed = saturate(problem(p))
        if isinstance(proposed, Sealable) and channel_contents.seals(p, proposed.seal(p.n)):
            return True
    if p.is_balanced:
        _require_few_processes(instance)
    return find_seal(p, EXPLORED_SEALABLE) is not None


def sealable_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether every sender knows its channels to be safe once no safe message can add knowledge.

    Process k knows that i->j is safe iff no run has P's last receive on i->j after the end of k's part of P.
    """
    require_bsl(instance, semantics)
    p = instance.p
    given = given_run([p], solver.order)
    knows = {(k, c): Symbol(f"{k} knows {c}") for k in range(1, p.n + 1) for c in channels(p.n)}
    with solver.assuming([*given.axioms]):
        known = [knows[fact] for fact in knows if _knows(given, *fact, solver)]
    closed = [
        Implies(And(knows[i, Channel(i, j)], knows[i, c]), knows[j, c])
        for i, j in channels(p.n)
        for c in channels(p.n)
    ]
    unsafe = Or(Not(knows[c.sender, c]) for c in channels(p.n))
    return not satisfiable(solver, [*known, *closed, unsafe])


def _knows(given: GivenRun, k: int, channel: Channel, solver: Solver) -> bool:
    receives = [name for name, e in given.events.items() if e.channel == channel and not e.is_send]
    share = given.shares[k - 1]
    if not receives or k == channel.receiver:
        return True
    return bool(share) and not satisfiable(solver, [given.order.before(share[-1], receives[-1])])


SEALABLE = Question(
    id="sealable",
    text="Can P be sealed properly?",
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("saturation", for_bsl(by_saturation), shares="the saturation argument with the solvers"),
        Oracle(
            "explorer",
            in_rel(sealable_by_exploring),
            shares="seals that saturation proposes and the explorer checks; for unsealable P, the claim that"
            " 4 messages are enough for n <= 3 (worst-case-seal)",
        ),
        checked(for_bsl(lambda instance: by_operation(sealing(instance.p)))),
        *verified("sealable", ("p",), BOOLEAN),
    ),
    symbolic=Symbolic(sealable_by_solving, shares="the saturation argument with saturation"),
    certificate="a seal with its causal chains, or a state of knowledge to which no safe message adds",
    per_second=50,
)


def minimal_seal_by_search(instance: Instance) -> int | None:
    """The minimum by A* search over states of knowledge; None if nothing seals P."""
    found = minimum_or_unsealable(Problem.of(signature(instance.p)))
    return len(found.transmissions) if isinstance(found, Minimum) else None


def minimal_seal_by_exploring(instance: Instance) -> int | None:
    """The minimum, by exploring P with every sequence of transmissions that is shorter than a proposed seal.

    If the explorer does not confirm the proposed seal, the explorer searches for a seal itself.
    """
    _require_few_processes(instance)
    p = instance.p
    proposed = minimum_or_unsealable(Problem.of(signature(p)))
    if isinstance(proposed, Minimum) and channel_contents.seals(p, seal := proposed.seal(p.n)):
        shorter = find_seal(p, seal.messages - 1) if seal.messages else None
        return seal.messages if shorter is None else shorter.messages
    found = find_seal(p, EXPLORED_SEALABLE)
    return None if found is None else found.messages


def minimal_seal_by_kernel(instance: Instance) -> int | None:
    """The minimum, from a seal that the kernel accepts with evidence that no seal is shorter."""
    least = least_for_kernel(instance)
    found = accepted("sealability", least, sealability_document(least.p))["minimum_messages"]
    assert found is None or isinstance(found, int)
    return found


MINIMAL_SEAL = Question(
    id="minimal-seal",
    text="How many messages does a shortest seal of P have, if P can be sealed?",
    domain=BSL,
    answer=NUMBER_OR_NONE,
    oracles=(
        Oracle(
            "search over knowledge",
            for_bsl(minimal_seal_by_search),
            shares="the seals that it proposes, with the explorer",
        ),
        Oracle(
            "explorer",
            for_bsl(minimal_seal_by_exploring),
            shares="seals that the search proposes and the explorer checks; for unsealable P, the claim that"
            " 4 messages are enough for n <= 3 (worst-case-seal)",
        ),
        checked(for_bsl(minimal_seal_by_kernel)),
    ),
    certificate="a seal with its causal chains, and the states of knowledge that fewer messages reach",
)


Transmissions = tuple[Channel, ...]


def is_sealed_by(instance: Instance, _: Semantics, found: Transmissions | None) -> bool:
    """Whether the transmissions seal P, by the program graph of P and the transmissions."""
    return found is None or by_closure(Instance.of(instance.p, transmitting(instance.n, found)))


def shortest_seal_by_search(instance: Instance) -> Transmissions | None:
    """A shortest seal by A* search over states of knowledge."""
    found = minimum_or_unsealable(problem(instance.p))
    return found.transmissions if isinstance(found, Minimum) else None


def shortest_seal_by_exploring(instance: Instance) -> Transmissions | None:
    """A shortest seal, by exploring P with all sequences of transmissions, shortest first."""
    _require_few_processes(instance)
    found = find_seal(instance.p, EXPLORED_SEALABLE)
    return None if found is None else tuple(e.channel for e in found.linearization if e.is_send)


SHORTEST_SEAL = Question(
    id="shortest-seal",
    text="Which sequence of as few transmissions as possible seals P, if P can be sealed?",
    domain=BSL,
    answer=TRANSMISSIONS_OR_NONE,
    oracles=(
        Oracle("search over knowledge", for_bsl(shortest_seal_by_search)),
        Oracle(
            "explorer",
            for_bsl(shortest_seal_by_exploring),
            shares="the claim that 4 messages are enough for n <= 3 (worst-case-seal)",
        ),
    ),
    witness=Witness(lambda found: None if found is None else len(found), is_sealed_by),
    per_second=50,
)


PROFILES = "the lemma that the profile of P decides how P can be sealed (`algorithms.minimum_seal`)"


def by_short_seal(instance: Instance) -> int:
    """The length of the longest seal that `short_seal` constructs for the hardest profiles."""
    firsts = (as_signature(instance.n, profile) for profile in hardest_profiles(instance.n))
    seals = (short_seal(first) for first in firsts)
    return max(len(seal.transmissions) for seal in seals if isinstance(seal, Sealable))


def worst_case_seal_by_kernel(instance: Instance) -> int:
    """The length of a shortest seal of the hardest program, checked by the kernel."""
    found = minimal_seal_by_kernel(instance)
    assert found is not None
    return found


HARDEST = DefinedFor(
    "the hardest program of n >= 2 processes (`algorithms.minimum_seal`)",
    lambda instance: instance.n >= 2 and instance == Instance.of(hardest_program(instance.n)),
)

WORST_CASE_SEAL = Question(
    id="worst-case-seal",
    text="How many messages suffice for every sealable program of n processes, and are needed for this P?",
    domain=HARDEST,
    answer=NUMBER,
    oracles=(
        Oracle(
            "largest minimum over all profiles",
            for_bsl(lambda instance: worst_case(instance.n)),
            shares=f"{PROFILES}; and the search for a minimum seal",
        ),
        Oracle("length of the short seal", for_bsl(by_short_seal), shares=PROFILES),
        Oracle(
            "minimum seal of the hardest program",
            for_bsl(lambda instance: len(minimum_seal(Problem.of(signature(instance.p))).transmissions)),
            shares="the search for a minimum seal",
        ),
        checked(for_bsl(worst_case_seal_by_kernel)),
    ),
    certificate="a seal with its causal chains, and the states of knowledge that fewer messages reach",
    per_second=5,
)
