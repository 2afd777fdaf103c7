"""Protocols: layers in sequence, with choice and repetition, over ports (`sealcheck.programs.ports`).

A protocol is a regular expression of layers. All processes make the same choices. So an execution runs one
*word*, which is a sequence of layers. Each process runs its share of the first layer, then of the second, and
so on.

An *occurrence* is a place in the expression that names a layer. The automaton of the expression has the
occurrences as its states (V. M. Glushkov, 1961). The automaton says which occurrences can come first, which
occurrences can follow a given occurrence, and which can be the last.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.phases import Phases
from sealcheck.programs.ports import (
    ANY,
    BAG,
    Guarantee,
    Port,
    PortEvent,
    PortProgram,
    Ports,
    require_balanced,
)
from sealcheck.programs.straight_line import Kind

Expression = int | tuple["str | Expression", ...]
"""The index of a layer, or a tuple: ``("then", …)`` is a sequence, ``("or", …)`` a choice, ``("any", e)`` any
number of repetitions, and ``("some", e)`` at least one repetition.
"""

NOTHING: Expression = ("then",)


class _Part(NamedTuple):
    """The properties of a part of an expression, for Glushkov's construction."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    is_nullable: bool


@dataclass(frozen=True)
class Protocol:
    """The automaton of an expression; its states are the occurrences of layers, from 0.

    >>> Protocol.of(("then", 0, ("any", ("or", 1, 2)), 0)).follow
    ((1, 2, 3), (1, 2, 3), (1, 2, 3), ())
    """

    layers: tuple[int, ...]
    """The index of the layer of each occurrence."""
    first: tuple[int, ...]
    follow: tuple[tuple[int, ...], ...]
    last: tuple[int, ...]
    expression: Expression

    @classmethod
    def of(cls, expression: Expression) -> "Protocol":
        """The protocol of an expression.  Quadratic in the number of occurrences."""
        layers: list[int] = []
        follow: list[set[int]] = []

        def joined(before: Sequence[int], after: Sequence[int]) -> None:
            for each in before:
                follow[each].update(after)

        def part(node: Expression) -> _Part:
            if isinstance(node, int):
                layers.append(node)
                follow.append(set())
                here = (len(layers) - 1,)
                return _Part(here, here, False)
            kind, *inner = node
            parts = [part(each) for each in inner]  # type: ignore[arg-type]
            if kind in ("any", "some"):
                (only,) = parts
                joined(only.last, only.first)
                return only._replace(is_nullable=only.is_nullable or kind == "any")
            if kind == "or":
                first, last = (tuple(chain.from_iterable(ends)) for ends in [*zip(*parts, strict=True)][:2])
                return _Part(first, last, any(each.is_nullable for each in parts))
            whole = _Part((), (), True)
            for each in parts:
                joined(whole.last, each.first)
                whole = _Part(
                    whole.first + each.first if whole.is_nullable else whole.first,
                    whole.last + each.last if each.is_nullable else each.last,
                    whole.is_nullable and each.is_nullable,
                )
            return whole

        whole = part(expression)
        following = tuple(tuple(sorted(each)) for each in follow)
        return cls(
            tuple(layers), tuple(sorted(whole.first)), following, tuple(sorted(whole.last)), expression
        )

    @classmethod
    def sequence(cls, layers: int, *, repeat: bool = False) -> "Protocol":
        """The protocol of this number of layers in sequence, once or any number of times."""
        once = ("then", *range(layers))
        return cls.of(("any", once) if repeat else once)

    def words(self, most: int, *, whole: bool) -> Iterator[tuple[int, ...]]:
        """Whole words of at most `most` occurrences, or beginnings of whole words.

        If `whole` is false, the words are the longest beginnings of at most `most` occurrences.
        """
        going: list[tuple[int, ...]] = [(each,) for each in self.first] if most else []
        while going:
            word = going.pop()
            more = self.follow[word[-1]] if len(word) < most else ()
            going += [(*word, each) for each in more]
            if word[-1] in self.last if whole else not more:
                yield word

    def shortest_whole(self) -> tuple[int, ...]:
        """A shortest whole word. O(occurrences^3)."""
        return min(map(self.shortest_to, self.last), key=len, default=())

    def comes_again(self, occurrence: int) -> bool:
        """Whether the layer at an occurrence may come again later, at this or another occurrence."""
        reached = set(self.follow[occurrence])
        going = [*reached]
        while going:
            more = set(self.follow[going.pop()]) - reached
            reached |= more
            going += more
        return any(self.layers[each] == self.layers[occurrence] for each in reached)

    def shortest_to(self, occurrence: int) -> tuple[int, ...]:
        """A shortest word that ends with the occurrence.  O(occurrences^2)."""
        reached = dict.fromkeys(self.first, -1)
        for at in (order := [*self.first]):
            for each in self.follow[at]:
                if each not in reached:
                    reached[each] = at
                    order.append(each)
        word = [occurrence]
        while (before := reached[word[-1]]) >= 0:
            word.append(before)
        return tuple(reversed(word))


@dataclass(frozen=True)
class PortPhases:
    """Layers over ports, and the protocol that combines them. At the start, all ports are empty."""

    layers: tuple[PortProgram, ...]
    protocol: Protocol
    guarantees: Mapping[Port, Guarantee] = field(default_factory=dict)
    """The guarantees of the ports that are not bags."""
    open: bool = False
    """Whether anything may follow."""
    overlapping: bool = False
    """Whether two receives of a process may overlap: they could take some messages in common, but not all.

    If receives overlap, only a search decides which events can happen.
    """
    called: tuple[str, ...] = field(default=(), compare=False)
    """The names of the layers in error messages; by default numbers."""

    def __post_init__(self) -> None:
        """Raise InputError for no layers, an unbalanced layer, or a guarantee of an unused port.

        Raises Overlap if two receives of a process overlap and `overlapping` is false.
        """
        if not self.layers:
            raise InputError("there must be at least one layer")
        for name, layer in zip(self.names_of_layers, self.layers, strict=True):
            require_balanced(layer, self.ports, name)
        self._require_used_ports()

    def _require_used_ports(self) -> None:
        if unused := next((port for port in self.guarantees if port not in self.used), None):
            raise InputError(f"no layer uses port {unused}; ports are: {', '.join(map(str, self.used))}")

    def under(self, guarantees: Mapping[Port, Guarantee]) -> "PortPhases":
        """The same layers under other guarantees. Raises InputError for an unused port. O(ports).

        >>> layer = PortProgram.of(2, [PortEvent(Kind.SEND, 1, 2), PortEvent(Kind.RECEIVE, 1, 2)])
        >>> bags = PortPhases((layer,), Protocol.sequence(1))
        >>> print(*bags.under({port: Guarantee(fifo=True) for port in bags.used}).guarantees.values())
        fifo
        """
        other = copy(self)  # with the ports that have been found
        object.__setattr__(other, "guarantees", guarantees)
        other._require_used_ports()
        return other

    @classmethod
    def plain(cls, phases: Phases) -> "PortPhases":
        """Layers over the paper's channels.  Raises InputError unless they are balanced."""
        layers = tuple(map(PortProgram.plain, phases.layers))
        return cls(layers, Protocol.sequence(len(layers), repeat=phases.repeat), open=phases.open)

    @property
    def n(self) -> int:
        """The number of processes."""
        return self.layers[0].n

    @property
    def names_of_layers(self) -> Sequence[str]:
        """The names of the layers in messages."""
        return self.called or [f"layer {number}" for number in range(1, len(self.layers) + 1)]

    @cached_property
    def ports(self) -> Ports:
        """The port of each event."""
        return Ports.among(self.layers, overlapping=self.overlapping)

    @cached_property
    def used(self) -> tuple[Port, ...]:
        """The ports that the layers use, in order."""
        return self.ports.used(self.layers)

    @cached_property
    def resolved(self) -> tuple[tuple[list[tuple[Port, Kind]], ...], ...]:
        """For each layer and process, the port and the kind of each event."""

        def of_layer(layer: PortProgram) -> tuple[list[tuple[Port, Kind]], ...]:
            used = {event: (port, event.kind) for event, port in self.ports.of_each(layer).items()}
            return tuple([used[event] for event in share] for share in layer.shares)

        return tuple(map(of_layer, self.layers))

    def guarantee(self, port: Port) -> Guarantee:
        """The guarantee of a port."""
        return self.guarantees.get(port, BAG)

    def may_send(self, port: Port) -> Iterator[int]:
        """The processes that may send to a port: its sender, or all processes but its reader."""
        if port.sender != ANY:
            yield port.sender
        else:
            yield from (process for process in range(1, self.n + 1) if process != port.reader)

    def beginnings(self, most: int) -> Iterator[list[PortProgram]]:
        """The words of at most `most` layers with which an execution may begin.

        If nothing may follow the layers, these are the longest beginnings of words. If anything may follow,
        these are the whole words, and each whole word with one more event after it: a receive on a used port,
        or a send to a used port.
        """
        for word in self.protocol.words(most, whole=self.open):
            layers = self.of_word(word)
            yield layers
            for port in self.used if self.open else ():
                for sender in self.may_send(port):
                    yield [
                        *layers,
                        PortProgram.of(self.n, [PortEvent(Kind.SEND, sender, port.reader, port.tag)]),
                    ]
                yield [
                    *layers,
                    PortProgram.of(self.n, [PortEvent(Kind.RECEIVE, port.sender, port.reader, port.tag)]),
                ]

    def title(self, word: Sequence[int], at: int, titles: Sequence[str]) -> str:
        """The name of a layer in a word. If the layer can occur several times, the name has a number."""
        layers = [self.protocol.layers[each] for each in word]
        again = layers.count(layers[at]) > 1 or self.protocol.comes_again(word[at])
        return titles[layers[at]] + (f", round {layers[: at + 1].count(layers[at])}" if again else "")

    def of_word(self, word: Sequence[int]) -> list[PortProgram]:
        """The layers of a word of occurrences, in order."""
        return [self.layers[self.protocol.layers[each]] for each in word]
