"""Layers: programs that run one after the other without barriers, once or in rounds."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine

REPEAT, OPEN = "repeat", "open"
"""The flags of layers: repeated, or *open*, which means that anything may follow."""


class Layer(NamedTuple):
    """One of the layers that run one after the other."""

    round: int
    """The number of the round, from 1."""
    number: int
    """The number of the layer in its round, from 1."""


def layered(n: int, programs: Iterable[StraightLine]) -> StraightLine:
    """The layering of programs: each process runs its shares one after the other, without barriers.

    Linear time.

    >>> from sealcheck.programs.straight_line import mt
    >>> print(layered(2, [StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))]))
    mt 1->2; mt 2->1
    """
    shares = [program.shares for program in programs]
    return StraightLine(tuple(tuple(event for each in shares for event in each[k]) for k in range(n)))


@dataclass(frozen=True)
class Phases:
    """Layers that run in sequence, from empty channels."""

    layers: tuple[StraightLine, ...]
    repeat: bool = False
    """Whether the whole sequence of layers runs any number of times."""
    open: bool = False
    """Whether anything may follow."""
    titles: tuple[str, ...] = ()
    """The names of the layers; empty if the layers are numbered."""

    def __post_init__(self) -> None:
        """Raise InputError if there is no layer, or if two layers have different numbers of processes."""
        if not self.layers:
            raise InputError("there must be at least one layer")
        widths = sorted({layer.n for layer in self.layers})
        if len(widths) > 1:
            raise InputError(f"one layer has {widths[0]} processes, another has {widths[-1]}")

    @property
    def n(self) -> int:
        """The number of processes."""
        return self.layers[0].n

    def title(self, number: int) -> str:
        """The title of a layer, given its number from 1.

        >>> layer = StraightLine(((), ()))
        >>> Phases((layer,)).title(1), Phases((layer,), titles=("write",)).title(1)
        ('layer 1', 'write')
        """
        return self.titles[number - 1] if self.titles else f"layer {number}"

    @cached_property
    def once(self) -> StraightLine:
        """The layers in sequence, once."""
        return layered(self.n, self.layers)

    def rounds(self, count: int) -> "Rounds":
        """The layers in this number of rounds."""
        return Rounds(self, count)


@dataclass(frozen=True)
class Rounds:
    """Several rounds of layers, as one program."""

    phases: Phases
    count: int

    @cached_property
    def layers(self) -> tuple[StraightLine, ...]:
        """The layers of all rounds, in order."""
        return self.phases.layers * self.count

    @cached_property
    def program(self) -> StraightLine:
        """The layers of all rounds in sequence."""
        return layered(self.phases.n, self.layers)

    @cached_property
    def owners(self) -> tuple[tuple[int, ...], ...]:
        """For each process, the indices in `layers` of the layers of its events."""
        return tuple(
            tuple(k for k, layer in enumerate(self.layers) for _ in layer.shares[process])
            for process in range(self.phases.n)
        )

    def owner(self, place: Place) -> int:
        """The index in `layers` of the layer of an event; ``len(layers)`` for an event after all layers."""
        owners = self.owners[place.process - 1]
        return owners[place.position - 1] if place.position <= len(owners) else len(self.layers)

    def named(self, index: int) -> Layer:
        """The layer with that index in `layers`.

        >>> from sealcheck.programs.straight_line import mt
        >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
        >>> Phases((there, back)).rounds(2).named(2)
        Layer(round=2, number=1)
        """
        rounds, number = divmod(index, len(self.phases.layers))
        return Layer(rounds + 1, number + 1)

    def title(self, index: int) -> str:
        """The name of the layer with that index. If there are several rounds, the name includes the round.

        >>> Phases((StraightLine(((), ())),)).rounds(2).title(1)
        'layer 1, round 2'
        """
        layer = self.named(index)
        return self.phases.title(layer.number) + (f", round {layer.round}" if self.count > 1 else "")
