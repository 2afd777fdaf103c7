"""The bounded space of layers over ports (`sealcheck.programs.ports`), counted and generated in ranges.

**The space** of n processes, m messages and L layers has all sequences of L layers with exactly m messages in
all.

- Each layer is balanced, does not deadlock, and has at least one message.
- A message has the tag ``x`` or no tag.
- For each receiving process and tag, either all receives name their sender, or all receives are from any
  source.
- Each port that is used has one of the six guarantees (`EVERY_GUARANTEE`).

The layers run once in sequence, or in rounds. After the layers, nothing follows, or anything may follow.
Each of these four combinations (`WAYS`) has its own space.

**Counting.** The *pattern* of a layer is the set of ports that it uses. A sequence of layers is possible if
no two ports in the layers' patterns overlap (have some messages in common, but not all). Whether a sequence
is possible, and how many choices of guarantees it has, depends only on the patterns. So the code adds up
numbers for combinations of patterns, and lists no sequences. In this module, a range is a range of indices of
sequences.

**Canonical instances.** No answer changes if processes are renamed, or if the tag and no tag are exchanged.
Instances that differ only by such changes form a class. The least instance of each class is *canonical*.
`canonical` gives each canonical instance with the size of its class. The sizes add up to the size of the
space, which is counted separately.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, permutations, product
from math import prod
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.ports import ANY, Guarantee, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.straight_line import Kind

TAG = "x"
EVERY_GUARANTEE = tuple(
    Guarantee.of(words)
    for words in ([], ["fifo"], ["lossy"], ["fifo", "lossy"], ["duplicating"], ["duplicating", "lossy"])
)
"""The guarantees of ports."""

Pattern = frozenset[Port]


class Way(NamedTuple):
    """How layers are put together."""

    repeat: bool
    open: bool

    def __str__(self) -> str:
        return ("rounds" if self.repeat else "sequence") + (", open" if self.open else "")


WAYS = tuple(Way(*flags) for flags in product((False, True), repeat=2))


@cache
def layers(n: int, messages: int) -> tuple[PortProgram, ...]:
    """All balanced layers with exactly `messages` messages that do not deadlock, in order.

    >>> [len(layers(2, messages)) for messages in range(3)]
    [1, 8, 88]
    """
    found = {PortProgram.of(n)}
    for _ in range(2 * messages):
        found = {longer for program in found for longer in _longer(program, messages)}
    return tuple(sorted(found))


def _longer(program: PortProgram, messages: int) -> Iterator[PortProgram]:
    """The programs with one more event after the other events."""
    sent, taken = Counter[Port](), Counter[Port]()
    for _, sender, reader, tag in (event for event in program.events if event.is_send):
        sent.update((Port(reader, sender, tag), Port(reader, ANY, tag)))
    for _, sender, reader, tag in (event for event in program.events if not event.is_send):
        taken[Port(reader, sender, tag)] += 1
    if program.messages < messages:
        for sender, receiver in permutations(range(1, program.n + 1), 2):
            for tag in ("", TAG):
                yield _with(program, PortEvent(Kind.SEND, sender, receiver, tag))
    for port, count in sent.items():
        if count > taken[port] and not any(_overlap(port, other) for other in taken):
            yield _with(program, PortEvent(Kind.RECEIVE, port.sender, port.reader, port.tag))


def _overlap(port: Port, other: Port) -> bool:
    """Whether two ports have some messages in common, but not all."""
    alike = (port.reader, port.tag) == (other.reader, other.tag)
    return alike and (port.sender == ANY) != (other.sender == ANY)


def _with(program: PortProgram, event: PortEvent) -> PortProgram:
    at = event.process - 1
    shares = program.shares
    return PortProgram((*shares[:at], (*shares[at], event), *shares[at + 1 :]))


@cache
def _by_pattern(n: int, messages: int) -> dict[Pattern, tuple[PortProgram, ...]]:
    """The layers, by the ports that they use."""
    found: defaultdict[Pattern, list[PortProgram]] = defaultdict(list)
    for layer in layers(n, messages):
        receives = (event for event in layer.events if not event.is_send)
        found[frozenset(Port(each.receiver, each.sender, each.tag) for each in receives)].append(layer)
    return {pattern: tuple(alike) for pattern, alike in found.items()}


@dataclass(frozen=True)
class _Block:
    """Sequences of layers whose patterns fit together."""

    alike: tuple[tuple[PortProgram, ...], ...]
    """For each position in a sequence, the layers whose pattern is the pattern of this position."""
    ports: tuple[Port, ...]

    @property
    def sequences(self) -> int:
        return prod(map(len, self.alike))

    def sequence(self, index: int) -> tuple[PortProgram, ...]:
        """The sequence with that index in the block."""
        chosen = []
        for some in reversed(self.alike):
            index, digit = divmod(index, len(some))
            chosen.append(some[digit])
        return tuple(reversed(chosen))


@dataclass(frozen=True)
class Renaming:
    """A renaming of processes, perhaps with a swap of the tag and no tag."""

    to: tuple[int, ...]
    """The new number of each process, and of ANY."""
    swaps: bool
    """Whether the tag and no tag are swapped."""

    def tag(self, tag: str) -> str:
        """The new tag."""
        return {"": TAG, TAG: ""}[tag] if self.swaps else tag

    def port(self, port: Port) -> Port:
        """The new port."""
        return Port(self.to[port.reader], self.to[port.sender], self.tag(port.tag))

    def program(self, program: PortProgram) -> PortProgram:
        """The new program.  O(events)."""
        shares: list[tuple[PortEvent, ...]] = [()] * program.n
        for process, share in enumerate(program.shares, 1):
            shares[self.to[process] - 1] = tuple(
                PortEvent(kind, self.to[sender], self.to[receiver], self.tag(tag))
                for kind, sender, receiver, tag in share
            )
        return PortProgram(tuple(shares))


def renamings(n: int) -> tuple[Renaming, ...]:
    """All renamings of n processes, first the identity. O(n!).

    >>> len(renamings(3)), renamings(3)[0]
    (12, Renaming(to=(0, 1, 2, 3), swaps=False))
    """
    orders = permutations(range(1, n + 1))
    return tuple(Renaming((ANY, *order), swaps) for order in orders for swaps in (False, True))


class Instance(NamedTuple):
    """A canonical instance, and the size of its class."""

    about: PortPhases
    orbit_size: int


class PortSpace:
    """The layers over ports of a bounded size.

    >>> space = PortSpace(2, 2, 2)
    >>> space.sequences, space.size
    (56, 1776)
    >>> sum(found.orbit_size for found in space.canonical())
    1776
    """

    def __init__(self, n: int, messages: int, layers: int, way: Way = WAYS[0]) -> None:
        """Index the space. Raises InputError for fewer than 2 processes, or no layer."""
        if n < 2 or layers < 1:
            raise InputError(f"there must be 2 processes and 1 layer, not {n} and {layers}")
        self.n, self.messages, self.layers, self.way = n, messages, layers, way
        self._protocol = Protocol.sequence(layers, repeat=way.repeat)
        self._programs: dict[PortProgram, list[PortProgram]] = {}

    @cached_property
    def _blocks(self) -> list[_Block]:
        counts = product(range(1, self.messages + 1), repeat=self.layers)
        return [
            block
            for each in counts
            if sum(each) == self.messages
            for block in self._fitting([_by_pattern(self.n, messages) for messages in each])
        ]

    def _fitting(self, choices: Sequence[dict[Pattern, tuple[PortProgram, ...]]]) -> Iterator[_Block]:
        for patterns in product(*choices):
            ports = sorted(frozenset[Port]().union(*patterns))
            if not any(_overlap(port, other) for port in ports for other in ports):
                alike = tuple(some[pattern] for some, pattern in zip(choices, patterns, strict=True))
                yield _Block(alike, tuple(ports))

    @cached_property
    def _starts(self) -> list[int]:
        """The index of the first sequence of each block, and the number of all sequences."""
        return [0, *accumulate(block.sequences for block in self._blocks)]

    @property
    def sequences(self) -> int:
        """The number of sequences of layers."""
        return self._starts[-1]

    @property
    def size(self) -> int:
        """The number of instances."""
        return self._ends[-1] if self._ends else 0

    @cached_property
    def _ends(self) -> list[int]:
        """For each block, the number of instances up to its end."""
        return [
            *accumulate(block.sequences * len(EVERY_GUARANTEE) ** len(block.ports) for block in self._blocks)
        ]

    def at(self, number: int) -> PortPhases:
        """The instance with a number from 0 to size - 1, canonical or not. O(events).

        >>> space = PortSpace(2, 1, 1)
        >>> print(space.at(7).layers[0], *map(str, space.at(7).guarantees.values()))
        mt 1->2 fifo
        """
        at = bisect_right(self._ends, number)
        block, number = self._blocks[at], number - (self._ends[at - 1] if at else 0)
        given = {}
        for port in block.ports:
            number, chosen = divmod(number, len(EVERY_GUARANTEE))
            if chosen:
                given[port] = EVERY_GUARANTEE[chosen]
        return PortPhases(block.sequence(number), self._protocol, given, self.way.open)

    @cached_property
    def renamings(self) -> tuple[Renaming, ...]:
        """All renamings, first the identity."""
        return renamings(self.n)

    def canonical(self, start: int = 0, stop: int | None = None) -> Iterator[Instance]:
        """The canonical instances of the sequences with the indices start..stop - 1."""
        stop = self.sequences if stop is None else min(stop, self.sequences)
        for index in range(start, stop):
            number = bisect_right(self._starts, index) - 1
            block = self._blocks[number]
            yield from self._canonical(block.sequence(index - self._starts[number]), block.ports)

    def _canonical(self, sequence: tuple[PortProgram, ...], ports: tuple[Port, ...]) -> Iterator[Instance]:
        """The canonical instances over a sequence; none if a renaming gives a smaller sequence."""
        own = [layer.shares for layer in sequence]
        images = [*zip(*map(self._images, sequence), strict=True)]
        renamed = [[layer.shares for layer in image] for image in images]
        if min(renamed) < own:
            return
        kept = [each for each, image in zip(self.renamings, renamed, strict=True) if image == own]
        places = [[ports.index(each.port(port)) for port in ports] for each in kept]
        bags = PortPhases(sequence, self._protocol, open=self.way.open)
        for chosen in product(range(len(EVERY_GUARANTEE)), repeat=len(ports)):
            others = [tuple(chosen[place] for place in each) for each in places]
            if chosen <= min(others):
                given = {port: EVERY_GUARANTEE[k] for port, k in zip(ports, chosen, strict=True) if k}
                yield Instance(bags.under(given), len(self.renamings) // others.count(chosen))

    def _images(self, layer: PortProgram) -> list[PortProgram]:
        """The images of a layer under all renamings."""
        if layer not in self._programs:
            self._programs[layer] = [each.program(layer) for each in self.renamings]
        return self._programs[layer]
