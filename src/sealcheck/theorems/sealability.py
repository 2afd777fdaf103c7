"""`th:sealability`: P can be sealed properly iff the undirected closed-channel graph is connected.

Reading      the first sentence.  "Can be sealed" is decided without the criterion: by saturation
             of knowledge (algorithm), by search for a seal among transmissions (explorer), and
             by the knowledge that runs of P allow or forbid (SMT).
Refutation   a program on which the criterion and the truth differ.  The printed proof takes for
             granted that the first message of a seal between two parts of the processes can
             interfere; but the sender may have heard, inside its own part and thanks to P
             itself, that P's last receive on the channel has happened.
Repaired     close the criterion under that: parts that share a closed channel, or of which one
             holds a process whose end is reached by P's last receive on a channel from that
             part to the other, merge.  P is sealable iff all processes end up in one part.
Every length for the repaired form: both sides depend on the profile only (`algorithms.every_length`).
Not claimed  the explorer's search for seals stops at SEAL_MESSAGES messages: that longer seals do
             not exist, it does not show.  The theorem's second sentence (fewer than 3n messages) is
             not this row's.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Iff, Implies, Not, Or, Symbol

from sealcheck import explorer
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.every_length import as_signature, hardest_program, profiles
from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    blocks,
    closed_channel_graph,
    components,
    is_connected,
    saturate,
    sealability,
)
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.program_space import SymbolicProgram, processes_by_first_use
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Answer, Solver, satisfiable
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import by_kernel
from sealcheck.theorems.ablation import deadlocking, first_difference, unbalanced
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement

SEAL_MESSAGES = 4
"""How many messages a seal may have where seals are searched for."""

ABLATED_SEAL_MESSAGES = 3
"""The same, where a hypothesis is dropped."""

Partition = tuple[tuple[int, ...], ...]


def printed(instance: Instance) -> bool:
    """Whether the undirected closed-channel graph of P is connected."""
    first = signature(instance.p)
    return is_connected(first.n, closed_channel_graph(first))


def repaired(instance: Instance) -> bool:
    """Whether all processes end up in one block."""
    return len(blocks(signature(instance.p))) == 1


def by_saturation(instance: Instance) -> bool:
    """Whether saturating knowledge seals P."""
    return isinstance(sealability(instance.p), Sealable)


def by_exploring(instance: Instance) -> bool:
    """Whether the explorer finds a seal of at most `SEAL_MESSAGES` messages, or confirms a longer one.

    A longer one is the algorithm's; all that is taken from there is the candidate.
    """
    p = instance.p
    if explorer.find_seal(p, SEAL_MESSAGES) is not None:
        return True
    proposed = sealability(p)
    return isinstance(proposed, Sealable) and explorer.seals(p, proposed.seal(p.n))


def by_solving(instance: Instance, solver: Solver) -> bool:
    """Whether no closed state of knowledge leaves an open channel unsafe.

    What a process knows when P ends is asked of P's runs: k knows i->j to be safe iff in no
    run does the last receive of P on it happen after the end of k's share.
    """
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
    given = GivenRun([p], solver.order)
    facts = [(k, channel) for channel in channels(p.n) for k in range(1, p.n + 1)]
    with solver.assuming(axioms(given.run)):
        return [(k, channel) for k, channel in facts if _knows(given, k, channel, solver)]


def _knows(given: GivenRun, k: int, channel: Channel, solver: Solver) -> bool:
    receives = [name for name, e in given.events.items() if e.channel == channel and not e.is_send]
    share = given.shares[k - 1]
    if not receives or k == channel.receiver:
        return True
    return bool(share) and not satisfiable(solver, [given.order.before(share[-1], receives[-1])])


def partitions(n: int) -> list[Partition]:
    """All partitions of 1..n into two or more blocks.

    >>> partitions(2)
    [((1,), (2,))]
    """
    found: list[Partition] = [((1,),)]
    for process in range(2, n + 1):
        found = list(
            chain.from_iterable(
                [
                    *(
                        (*blocks[:at], (*block, process), *blocks[at + 1 :])
                        for at, block in enumerate(blocks)
                    ),
                    (*blocks, (process,)),
                ]
                for blocks in found
            )
        )
    return [partition for partition in found if len(partition) > 1]


class SymbolicCriteria:
    """The printed and the repaired criterion of a symbolic program."""

    def __init__(self, p: SymbolicProgram, sig: SymbolicSignature) -> None:
        self.p, self.sig = p, sig

    def closed(self, i: int, j: int) -> FNode:
        """P closes i->j, or does not use it."""
        return self.sig.knows_at_end(i, i, j)

    def connected(self) -> FNode:
        """Every cut of the processes into two parts is bridged by a closed channel."""
        processes = list(self.p.processes)
        cuts = [
            ({1, *rest}, set(processes) - {1, *rest})
            for size in range(len(processes) - 1)
            for rest in combinations(processes[1:], size)
        ]
        return And(Or(Or(self.closed(i, j), self.closed(j, i)) for i in a for j in b) for a, b in cuts)

    def one_block(self) -> FNode:
        """Every partition is bridged: some block has a process that knows of a channel out of it."""
        return And(self._bridged(partition) for partition in partitions(self.p.n))

    def _bridged(self, partition: Partition) -> FNode:
        return Or(
            self.sig.knows_at_end(k, i, j)
            for block in partition
            for i in block
            for j in self.p.processes
            if j not in block
            for k in block
        )


def met_but_unsealable(form: Form, n: int, m: int) -> Query:
    """The criterion holds, and yet some closed state of knowledge leaves a channel unsafe."""
    p = SymbolicProgram("P", n, m, by_channel=True)
    sig = SymbolicSignature(p)
    criteria = SymbolicCriteria(p, sig)
    knows = {(k, c): Symbol(f"{k} knows {c}") for k in p.processes for c in channels(n)}
    initially = [Implies(sig.knows_at_end(k, *c), knows[k, c]) for k, c in knows]
    closed = [
        Implies(And(knows[i, Channel(i, j)], knows[i, c]), knows[j, c])
        for i, j in channels(n)
        for c in channels(n)
    ]
    formulas = [
        *_any_program(p, sig),
        criteria.connected() if form is Form.AS_PRINTED else criteria.one_block(),
        *initially,
        *closed,
        Or(Not(knows[c.sender, c]) for c in channels(n)),
    ]
    return Query(f"n={n} m={m}: met, unsealable", formulas, partial(_decoded, p), splits=p.channel_splits())


def rounds(n: int) -> int:
    """After so many rounds, in which everybody sends whatever is safe, nothing is learnt any more.

    That these are enough is not taken for granted: `still_learning` asks it of every level.
    """
    return 2 * (n - 1)


class Saturation:
    """What the processes know of P's channels after rounds in which all send all that is safe to send.

    More can't be learnt by fewer messages, so P can be sealed exactly if in the end the sender of every
    channel knows it to be safe, however long the seal is.
    """

    def __init__(self, p: SymbolicProgram, sig: SymbolicSignature) -> None:
        self.p, self.sig = p, sig
        self.channels = channels(p.n)

    def knows(self, after: int, k: int, channel: Channel) -> FNode:
        """Process k knows, after so many rounds, that the channel is safe."""
        return Symbol(f"after {after}: {k} knows {channel}")

    def definition(self) -> list[FNode]:
        """What is known when P ends, and what each round, one more than are needed, adds to that."""
        facts = [(k, c) for k in self.p.processes for c in self.channels]
        at_end = [Iff(self.knows(0, k, c), self.sig.knows_at_end(k, *c)) for k, c in facts]
        learnt = [
            Iff(self.knows(after + 1, k, c), Or(self.knows(after, k, c), *self._told(after, k, c)))
            for after in range(rounds(self.p.n) + 1)
            for k, c in facts
        ]
        return at_end + learnt

    def _told(self, after: int, k: int, channel: Channel) -> Iterator[FNode]:
        """Somebody knows it, and that a message to k is safe."""
        for i in self.p.processes:
            if i != k:
                yield And(self.knows(after, i, Channel(i, k)), self.knows(after, i, channel))

    def seals(self) -> FNode:
        """In the end the sender of every channel knows it to be safe."""
        return And(self.knows(rounds(self.p.n), c.sender, c) for c in self.channels)

    def grows(self) -> FNode:
        """One more round would teach somebody something."""
        last = rounds(self.p.n)
        return Or(
            And(self.knows(last + 1, k, c), Not(self.knows(last, k, c)))
            for k in self.p.processes
            for c in self.channels
        )


def sealable_but_not_met(form: Form, n: int, m: int) -> Query:
    """The criterion fails, and yet sending all that is safe makes every channel safe."""
    p = SymbolicProgram("P", n, m, by_channel=True)
    sig = SymbolicSignature(p)
    criteria, saturation = SymbolicCriteria(p, sig), Saturation(p, sig)
    not_met = Not(criteria.connected() if form is Form.AS_PRINTED else criteria.one_block())
    formulas = [*_any_program(p, sig), *saturation.definition(), not_met, saturation.seals()]
    return Query(f"n={n} m={m}: not met, sealable", formulas, partial(_decoded, p), splits=p.channel_splits())


def still_learning(n: int, m: int) -> Query:
    """After all `rounds`, one more would still teach somebody something: then they were too few.

    Such a model refutes no claim.  It only leaves unknown what the query before it was to show.
    """
    p = SymbolicProgram("P", n, m, by_channel=True)
    sig = SymbolicSignature(p)
    saturation = Saturation(p, sig)
    formulas = [*_any_program(p, sig), *saturation.definition(), saturation.grows()]
    name = f"n={n} m={m}: learning after {rounds(n)} rounds"
    return Query(name, formulas, partial(_decoded, p), by_proof=True, splits=p.channel_splits())


def _any_program(p: SymbolicProgram, sig: SymbolicSignature) -> list[FNode]:
    return [p.well_formed(), sig.definition(), processes_by_first_use([p])]


def _decoded(p: SymbolicProgram, answer: Answer) -> Instance:
    return Instance.of(p.decoded(answer))


def whole_space(form: Form, n: int, m: int) -> Iterator[Query]:
    """Both directions, for seals of any length, and that the second of them looks far enough."""
    yield met_but_unsealable(form, n, m)
    yield sealable_but_not_met(form, n, m)
    yield still_learning(n, m)


def without_balance(n: int, messages: int) -> Instance | None:
    """An unbalanced program whose closed-channel graph is connected, though nothing seals it."""
    completing = (instance for instance in unbalanced(n, messages) if instance.p.is_deadlock_free)
    return first_difference(completing, connected_on_any_program, _has_short_seal)


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A program that deadlocks, so that anything seals it, with no connected closed-channel graph."""
    return first_difference(deadlocking(n, messages), connected_on_any_program, lambda _: True)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, on which the repaired criterion is wrong."""
    programs = indexed_space(n, messages, self_channels=True).programs()
    return first_difference(map(Instance.of, programs), repaired, _has_short_seal)


def connected_on_any_program(instance: Instance) -> bool:
    """The printed criterion on the appendix's graphs, which need no balance and may have cycles."""
    closed = closed_channels_repaired(instance.p)
    return is_connected(instance.n, [Channel(*edge) for edge in closed.edges])


def _has_short_seal(instance: Instance) -> bool:
    return explorer.find_seal(instance.p, ABLATED_SEAL_MESSAGES) is not None


def every_length(n: int) -> Instance | None:
    """Whether the repaired criterion and saturation differ on a conceivable profile of n processes."""
    for profile in profiles(n):
        first = as_signature(n, profile)
        sealable = isinstance(saturate(Problem.of(first)), Sealable)
        if sealable != (len(blocks(first)) == 1):
            return Instance.of(hardest_program(n))
    return None


def _story(instance: Instance) -> str:
    first = signature(instance.p)
    lines = [f"P leaves {', '.join(map(str, first.open_channels))} open."]
    parts = sorted(map(sorted, components(instance.n, closed_channel_graph(first))))
    if len(parts) > 1:
        named = " from ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)
        lines.append(f"No closed channel leads from one to the other of the parts: that cuts {named}.")
    found = sealability(instance.p)
    if not isinstance(found, Sealable):
        lines.append("No message can be sent that teaches anybody which of them are safe.")
        return "\n".join(lines)
    lines.append(f"Yet Q = {found.seal(instance.n)} seals P:")
    lines += [_step(first.open_channels, channel) for channel in found.transmissions]
    lines.append("After that, the sender of every open channel knows it to be safe.")
    return "\n".join(lines)


def _step(open_channels: Sequence[Channel], channel: Channel) -> str:
    if channel not in open_channels:
        return f"mt {channel} is safe because P closes {channel} or does not use it."
    knows = f"{channel.sender} knows that P's last receive on {channel} has happened"
    return f"mt {channel} is safe because {knows}."


def _sealed_run(instance: Instance) -> tuple[Run, tuple[StraightLine, ...]] | None:
    """P followed by the seal, every message received in the order of sending."""
    found = sealability(instance.p)
    if not isinstance(found, Sealable):
        return None
    seal = found.seal(instance.n)
    return fifo_run(instance.p.then(seal)), (instance.p, seal)


STATEMENT = Statement(
    id="sealability",
    label="th:sealability",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL can be sealed properly iff its undirected closed-channel graph is connected",
            predicts=printed,
            whole_space=partial(whole_space, Form.AS_PRINTED),
            story=_story,
            run=_sealed_run,
        ),
        Claim(
            Form.REPAIRED,
            "a BSL can be sealed properly iff merging parts that a closed channel joins, or of which one "
            "has heard of the last receive on a channel from it to the other, leaves one part",
            predicts=repaired,
            whole_space=partial(whole_space, Form.REPAIRED),
            story=_story,
            every_length=every_length,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", without_balance),
        Hypothesis("deadlock-free", with_deadlocks),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Programs(),
    ways={"algorithm": by_saturation, "explorer": by_exploring, "kernel": by_kernel.is_sealable},
    smt=by_solving,
    limits=(
        f"the explorer looks for seals of up to {SEAL_MESSAGES} messages; longer ones it only confirms, where"
        " the algorithm proposes one",
    ),
)
