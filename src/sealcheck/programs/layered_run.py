"""A run of programs in sequence, which says of each event whose it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import StraightLine

LATER = "later"
"""The layer of what comes after all that have names."""


@dataclass(frozen=True)
class LayeredRun:
    """A run, and the programs that it is a run of, in order, by their names."""

    run: Run
    layers: Mapping[str, StraightLine]
    wrong: Place | None = None
    """The receive that takes a message of another layer, if there is one."""

    def layer(self, place: Place) -> str:
        """The name of the program that an event belongs to.

        >>> from sealcheck.programs.events import mt
        >>> from sealcheck.programs.runs import fifo_run
        >>> once = StraightLine.of(2, mt(1, 2))
        >>> LayeredRun(fifo_run(once.then(once)), {"P": once}).layer(Place(1, 2))
        'later'
        """
        past = 0
        for name, program in self.layers.items():
            past += len(program.shares[place.process - 1])
            if place.position <= past:
                return name
        return LATER
