"""Formulas about the theorem `th:sealability`, with its printed and its repaired criterion.

The criterion decides whether some program seals P. A process *knows* a channel once P's last receive on the
channel happens before all further events of the process. A process also knows a channel that P does not
receive on. A message is *safe* if the sender knows the message's channel. A seal may send only safe
messages. A message teaches its receiver all channels that the sender knows. P can be sealed exactly if safe
messages can teach every channel to the channel's sender.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product

from sealcheck.encodings.formulas import And, Formula, Iff, Implies, Not, Or, Symbol
from sealcheck.encodings.program_space import SymbolicProgram, SymbolicSignature, processes_by_first_use
from sealcheck.programs.straight_line import Channel, channels

Partition = tuple[tuple[int, ...], ...]


def partitions(n: int) -> list[Partition]:
    """All partitions of 1..n. Their number is Bell's number.

    >>> partitions(2)
    [((1, 2),), ((1,), (2,))]
    """
    if not n:
        return [()]
    found: list[Partition] = []
    for smaller in partitions(n - 1):
        found += [(*smaller[:at], (*block, n), *smaller[at + 1 :]) for at, block in enumerate(smaller)]
        found.append((*smaller, (n,)))
    return found


class SymbolicCriteria:
    """The printed and the repaired criterion.  Source: `th:sealability`."""

    def __init__(self, at_end: SymbolicSignature) -> None:
        self.n, self.processes, self.at_end = at_end.n, at_end.processes, at_end

    def closed(self, i: int, j: int) -> Formula:
        """The condition that P closes the channel i->j, or does not use it."""
        return self.at_end.knows_at_end(i, i, j)

    def connected(self) -> Formula:
        """The printed criterion: for each split of the processes in two, a closed channel joins the parts."""
        processes = list(self.processes)
        cuts = [
            ({1, *rest}, set(processes) - {1, *rest})
            for size in range(len(processes) - 1)
            for rest in combinations(processes[1:], size)
        ]
        return And(Or(Or(self.closed(i, j), self.closed(j, i)) for i in a for j in b) for a, b in cuts)

    def one_block(self) -> Formula:
        """The repaired criterion: in each partition, a process knows a channel from its block to another."""
        return And(self._bridged(blocks) for blocks in partitions(self.n) if len(blocks) > 1)

    def _bridged(self, partition: Partition) -> Formula:
        return Or(
            self.at_end.knows_at_end(k, i, j)
            for block in partition
            for i in block
            for j in self.processes
            if j not in block
            for k in block
        )


Criterion = Callable[[SymbolicCriteria], Formula]
"""`SymbolicCriteria.connected` or `SymbolicCriteria.one_block`."""


def met_but_unsealable(p: SymbolicProgram, criterion: Criterion) -> list[Formula]:
    """The condition that the criterion holds, but P cannot be sealed.

    P cannot be sealed if some state of knowledge includes the knowledge at P's end, no safe message adds to
    this state, and in it the sender of some channel does not know the channel. Source: `th:sealability`.
    """
    at_end, definition = _defined(p)
    every = channels(p.n)
    knows = {(k, c): Symbol(f"{k} knows {c}") for k in p.processes for c in every}
    initially = [Implies(at_end.knows_at_end(k, *c), knows[k, c]) for k, c in knows]
    closed = [
        Implies(And(knows[i, Channel(i, j)], knows[i, c]), knows[j, c]) for i, j in every for c in every
    ]
    unsafe = Or(Not(knows[c.sender, c]) for c in every)
    return [*definition, criterion(SymbolicCriteria(at_end)), *initially, *closed, unsafe]


def sealable_but_not_met(p: SymbolicProgram, criterion: Criterion) -> list[Formula]:
    """The condition that the criterion fails, but sending all safe messages makes every channel safe.

    Source: `th:sealability`.
    """
    at_end, definition = _defined(p)
    saturation = Saturation(at_end)
    not_met = Not(criterion(SymbolicCriteria(at_end)))
    return [*definition, *saturation.definition(), not_met, saturation.seals()]


def still_learning(p: SymbolicProgram) -> list[Formula]:
    """The condition that `rounds` is too small: one more round would teach a process something."""
    at_end, definition = _defined(p)
    saturation = Saturation(at_end)
    return [*definition, *saturation.definition(), saturation.grows()]


def _defined(p: SymbolicProgram) -> tuple[SymbolicSignature, list[Formula]]:
    sig = SymbolicSignature(p)
    return sig, [p.well_formed(), sig.definition(), processes_by_first_use([p])]


def rounds(n: int) -> int:
    """The number of rounds after which no process learns more, if all safe messages are sent in each round.

    At each level (n, m) that is checked, `still_learning` confirms that this number is enough.

    >>> rounds(3)
    4
    """
    return 2 * (n - 1)


class Saturation:
    """The knowledge of P's channels after rounds in which all processes send all safe messages.

    Sending fewer messages cannot teach more. So P has a seal, of whatever length, exactly if after these
    rounds the sender of every channel knows the channel.
    """

    def __init__(self, at_end: SymbolicSignature) -> None:
        self.n, self.processes, self.at_end = at_end.n, at_end.processes, at_end
        self.channels = channels(self.n)

    def knows(self, after: int, k: int, channel: Channel) -> Formula:
        """The condition that process k knows the channel after `after` rounds."""
        return Symbol(f"after {after}: {k} knows {channel}")

    def definition(self) -> list[Formula]:
        """The definition of `knows` at P's end, and after each of `rounds` + 1 rounds."""
        facts = list(product(self.processes, self.channels))
        at_end = [Iff(self.knows(0, k, c), self.at_end.knows_at_end(k, *c)) for k, c in facts]
        learnt = [
            Iff(self.knows(after + 1, k, c), Or(self.knows(after, k, c), *self._hears(after, k, c)))
            for after in range(rounds(self.n) + 1)
            for k, c in facts
        ]
        return at_end + learnt

    def _hears(self, after: int, k: int, channel: Channel) -> Iterator[Formula]:
        """For each process i other than k, the condition that i knows both `channel` and i->k."""
        for i in self.processes:
            if i != k:
                yield And(self.knows(after, i, Channel(i, k)), self.knows(after, i, channel))

    def seals(self) -> Formula:
        """The condition that after all rounds the sender of every channel knows the channel."""
        return And(self.knows(rounds(self.n), c.sender, c) for c in self.channels)

    def grows(self) -> Formula:
        """The condition that one more round would teach a process something."""
        last, facts = rounds(self.n), product(self.processes, self.channels)
        return Or(And(self.knows(last + 1, k, c), Not(self.knows(last, k, c))) for k, c in facts)
