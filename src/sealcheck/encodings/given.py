"""The runs of a given straight-line program, layer by layer.

Events are named by layer and place, such as ``P2.1`` for the first event of process 2 in P;
``E1->2`` is a send before the interval and ``L1->2.1`` one after it.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from weakref import WeakKeyDictionary

from pysmt.environment import Environment, get_env
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from sealcheck.encodings.order import Clock, Interleaving
from sealcheck.encodings.runs import Conditional, Skeleton, SymbolicRun, axioms
from sealcheck.errors import LimitReached
from sealcheck.programs.events import Channel, Event
from sealcheck.programs.straight_line import StraightLine

LAYERS = "PQRSTUVWXYZ"
"""What the layers of a run are called; E and L are what comes before and after them."""


class GivenRun:
    """The symbolic run of P, of P;Q, or of more layers, from a silent cut, with any later sends.

    `events` maps the name of each event of the layers to the event.
    Source: the definition of runs, in section 2.2.
    """

    def __init__(
        self,
        layers: Sequence[StraightLine],
        order: type[Clock] | type[Interleaving] = Clock,
        *,
        later_sends: int = 1,
    ) -> None:
        """Lay out the events; `later_sends` may follow on each channel that is received on."""
        if len(layers) > len(LAYERS):
            raise LimitReached(f"more than {len(LAYERS)} layers")
        self.layers = layers
        self.n = layers[0].n
        self.shares: list[list[str]] = [[] for _ in range(self.n)]
        self.events: dict[str, Event] = {}
        for label, layer in zip(LAYERS, layers, strict=False):
            for process, share in enumerate(layer.shares, 1):
                for position, event in enumerate(share, 1):
                    name = f"{label}{process}.{position}"
                    self.events[name] = event
                    self.shares[process - 1].append(name)
        received = sorted({event.channel for event in self.events.values() if not event.is_send})
        self.earlier = {f"E{channel}": channel for channel in received}
        self.later = {f"L{c}.{nth}": c for c in received for nth in range(1, later_sends + 1)}
        skeleton = self._skeleton()
        self.order = order("t", skeleton.events)
        self.run = SymbolicRun(skeleton, self.order)

    @cached_property
    def axioms(self) -> tuple[FNode, ...]:
        """That this is a run of Rel that starts at a silent cut."""
        return tuple(axioms(self.run))

    def _skeleton(self) -> Skeleton:
        sends = [name for name, event in self.events.items() if event.is_send]
        receives = [name for name, event in self.events.items() if not event.is_send]
        channel_of = {name: event.channel for name, event in self.events.items()} | self.earlier | self.later
        all_sends = (*sends, *self.earlier, *self.later)
        return Skeleton(
            all_sends,
            tuple(receives),
            frozenset(self.earlier),
            tuple(Conditional(first, second, TRUE()) for first, second in self._successions()),
            tuple(
                Conditional(receive, send, TRUE())
                for receive in receives
                for send in all_sends
                if channel_of[receive] == channel_of[send]
            ),
        )

    def _successions(self) -> list[tuple[str, str]]:
        """Neighbours in a process; all earlier sends before its share, all later ones after."""
        found = [pair for share in self.shares for pair in pairwise(share)]
        for outside, first in ((self.earlier, True), (self.later, False)):
            for name, channel in outside.items():
                share = self.shares[channel.sender - 1]
                if share:
                    found.append((name, share[0]) if first else (share[-1], name))
        if not all(self.shares):
            idle = [process for process, share in enumerate(self.shares, 1) if not share]
            found += [
                (before, after)
                for before, c in self.earlier.items()
                for after, d in self.later.items()
                if c.sender == d.sender and c.sender in idle
            ]
        return found

    def layer_of(self, name: str) -> str:
        """The name of the layer, E (earlier) or L (later)."""
        return name[0]

    def channel_of(self, name: str) -> Channel:
        """The channel that an event uses."""
        if name in self.events:
            return self.events[name].channel
        return (self.earlier | self.later)[name]


SEVERAL = 16
"""How many runs are kept: solvers are asked about one instance right after each other."""

_MADE: WeakKeyDictionary[Environment, Callable[..., GivenRun]] = WeakKeyDictionary()
"""By the environment that their formulas belong to."""


def given_run(
    layers: Sequence[StraightLine], order: type[Clock] | type[Interleaving] = Clock, *, later_sends: int = 1
) -> GivenRun:
    """The run of these layers: the same one for all solvers that are asked about them.

    >>> from sealcheck.programs.events import mt
    >>> given_run([StraightLine.of(2, mt(1, 2))]) is given_run([StraightLine.of(2, mt(1, 2))])
    True
    """
    made = _MADE.setdefault(get_env(), lru_cache(maxsize=SEVERAL)(GivenRun))
    return made(tuple(layers), order, later_sends=later_sends)
