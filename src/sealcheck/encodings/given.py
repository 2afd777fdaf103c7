"""Formulas about the runs of given straight-line programs as layers: P, or P;Q, or more layers.

The layers occupy an interval of the run. Events are named by layer and place:

- ``P2.1`` is the first event of process 2 in P.
- ``E1->2`` is a send on 1->2 before the interval.
- ``L1->2.1`` is a send on 1->2 after the interval.

**Channel models** (section 2.2). In Rel, channels may reorder messages. In RelFi, channels are FIFO: the k'th
receive on a channel takes the k'th message, so no message is skipped. The paper does not say what FIFO means
for a message that is never received. A weaker reading would forbid overtaking, but allow skipped messages.

**Silent cuts.** A cut is silent if no received message crosses the cut. So a message that is sent before a
silent cut is received before it, or never. In FIFO channels, a message that is never received blocks its
channel: the next receive on the channel would have to take this message.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, product
from typing import TypeVar, assert_never
from weakref import WeakKeyDictionary

from pysmt.environment import Environment, get_env
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Implies, Not, Or

from sealcheck.encodings.runs import Conditional, Skeleton, SymbolicRun, axioms
from sealcheck.encodings.solving import Clock, Interleaving, Solver, satisfiable
from sealcheck.errors import LimitReached
from sealcheck.programs.phases import Rounds
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import Channel, Event, StraightLine

LAYERS = "PQRSTUVWXYZ"
"""The names of the layers of a run; E and L stand for events before and after them."""


class GivenRun:
    """The symbolic run of one or more layers. The run starts at a silent cut, and later sends may follow.

    `events` has the events of the layers, by name. Source: the definition of runs, in section 2.2.
    """

    def __init__(
        self,
        layers: Sequence[StraightLine],
        order: type[Clock] | type[Interleaving] = Clock,
        *,
        later_sends: int = 1,
    ) -> None:
        """Lay out the events. On each channel with receives, `later_sends` sends may follow."""
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
        inside = {name: event.channel for name, event in self.events.items()}
        self._channel_of = inside | self.earlier | self.later
        skeleton = self._skeleton()
        self.order = order("t", skeleton.events)
        self.run = SymbolicRun(skeleton, self.order)

    @cached_property
    def axioms(self) -> tuple[FNode, ...]:
        """The condition that this is a run of Rel that starts at a silent cut."""
        return tuple(axioms(self.run))

    def _skeleton(self) -> Skeleton:
        inside = [name for name, event in self.events.items() if event.is_send]
        sends = (*inside, *self.earlier, *self.later)
        receives = tuple(name for name, event in self.events.items() if not event.is_send)
        pairs = product(receives, sends)
        matches = [pair for pair in pairs if len({*map(self.channel_of, pair)}) == 1]
        successions = tuple(Conditional(*pair, TRUE()) for pair in self._successions())
        candidates = tuple(Conditional(*pair, TRUE()) for pair in matches)
        return Skeleton(sends, receives, frozenset(self.earlier), successions, candidates)

    def _successions(self) -> list[tuple[str, str]]:
        found = [pair for share in self.shares for pair in pairwise(share)]
        for outside, first in ((self.earlier, True), (self.later, False)):
            for name, channel in outside.items():
                share = self.shares[channel.sender - 1]
                if share:
                    found.append((name, share[0]) if first else (share[-1], name))
        found += [
            (before, after)
            for before, c in self.earlier.items()
            for after, d in self.later.items()
            if c.sender == d.sender and not self.shares[c.sender - 1]
        ]
        return found

    def layer_of(self, name: str) -> str:
        """The name of the layer, E (earlier) or L (later)."""
        return name[0]

    def channel_of(self, name: str) -> Channel:
        """The channel that an event uses."""
        return self._channel_of[name]


SEVERAL = 16
"""The number of runs that are kept in memory, so that the next solver can use the same run."""

_MADE: WeakKeyDictionary[Environment, Callable[..., GivenRun]] = WeakKeyDictionary()
"""The kept runs, by the pySMT environment that their formulas belong to."""


def given_run(
    layers: Sequence[StraightLine], order: type[Clock] | type[Interleaving] = Clock, *, later_sends: int = 1
) -> GivenRun:
    """The run of these layers. All solvers that are asked about the layers share the run.

    >>> from sealcheck.programs.straight_line import mt
    >>> given_run([StraightLine.of(2, mt(1, 2))]) is given_run([StraightLine.of(2, mt(1, 2))])
    True
    """
    made = _MADE.setdefault(get_env(), lru_cache(maxsize=SEVERAL)(GivenRun))
    return made(tuple(layers), order, later_sends=later_sends)


E = TypeVar("E", bound=Hashable)


def in_order(
    matches: Mapping[tuple[E, E], FNode], sends: Mapping[E, FNode], before: Callable[[E, E], bool]
) -> Iterator[FNode]:
    """The condition that, on one channel, a message is received only after all messages sent before it.

    - `matches`: for each receive and send, the condition that the receive takes the message of the send.
    - `sends`: for each send, the condition that it happens.
    - `before(e, f)`: whether e may come before f, for two sends or two receives.

    Source: RelFi, in section 2.2.
    """
    for (receive, send), taken in matches.items():
        for other, happens in sends.items():
            if other != send and not before(send, other):
                sooner = (
                    too
                    for (first, source), too in matches.items()
                    if source == other and first != receive and before(first, receive)
                )
                yield Implies(And(taken, happens), Or(sooner))


def in_model(given: GivenRun, model: ChannelModel) -> list[FNode]:
    """The conditions for a run of Rel to be a run of this model. Source: RelFi, in section 2.2.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.encodings.sealing import crosses
    >>> from sealcheck.programs.straight_line import mt
    >>> given = given_run([StraightLine.of(2, mt(1, 2))])
    >>> crossed = [*given.axioms, crosses(given)]
    >>> with open_solver("z3") as solver:
    ...     for model in ChannelModel:
    ...         print(model.value, satisfiable(solver, crossed + in_model(given, model)))
    rel True
    rel-fifo False
    """
    match model:
        case ChannelModel.REL:
            return []
        case ChannelModel.REL_FIFO:
            return [oldest_first(given)]
        case other:
            assert_never(other)


def oldest_first(given: GivenRun) -> FNode:
    """The condition that each channel's messages are received in the order of sending, without skipping any.

    Source: RelFi, in section 2.2.
    """
    return And(
        constraint
        for receives, sends in _channels(given)
        for constraint in in_order(
            {(receive, send): given.run.matched(receive, send) for receive in receives for send in sends},
            dict.fromkeys(sends, TRUE()),
            _listed([*sends, *receives]),
        )
    )


def _listed(names: list[str]) -> Callable[[str, str], bool]:
    number = {name: k for k, name in enumerate(names)}
    return lambda first, second: number[first] < number[second]


def no_overtaking(given: GivenRun) -> FNode:
    """The condition that, on each channel, received messages are received in the order of sending."""
    matched = given.run.matched
    return And(
        Not(And(matched(sooner, second), matched(later, first)))
        for receives, sends in _channels(given)
        for first, second in combinations(sends, 2)
        for sooner, later in combinations(receives, 2)
    )


def _channels(given: GivenRun) -> Iterator[tuple[list[str], list[str]]]:
    parts = given.run.skeleton
    for channel in given.earlier.values():
        of_channel = [name for name in parts.events if given.channel_of(name) == channel]
        yield (
            [name for name in of_channel if name in parts.receives],
            [name for name in of_channel if name in parts.sends and name not in parts.earlier],
        )


def first_crossed(given: GivenRun, channel: Channel, *, is_open: bool) -> FNode:
    """The condition that a receive on this channel is the first to take another layer's message.

    Earlier receives on other channels take messages of their own layers. If `is_open`, any program may follow
    the layers. Then the condition also holds if the layers leave a message on this channel, because a later
    receive can take the message.
    """
    wrong = [c for c in given.run.skeleton.candidates if given.layer_of(c.first) != given.layer_of(c.second)]

    def without(*events: str) -> FNode:
        return And(
            Implies(given.run.matched(c.first, c.second), given.order.before(event, c.first))
            for c in wrong
            if given.channel_of(c.first) != channel
            for event in events
        )

    taken = [
        And(given.run.matched(c.first, c.second), without(c.first))
        for c in wrong
        if given.channel_of(c.first) == channel
    ]
    left = [
        And(Not(Or(given.run.takers(name))), without(name, *given.shares[channel.receiver - 1][-1:]))
        for name, event in given.events.items()
        if is_open and event.is_send and event.channel == channel
    ]
    return Or(*taken, *left)


def root_causes(rounds: Rounds, solver: Solver) -> frozenset[Channel]:
    """The channels on which a receive can be the first to take another layer's message, by the solver.

    The solver is asked once for each channel. Raises LimitReached if the solver gives up. Source: CCLs, in
    section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.phases import Phases
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> with open_solver("z3") as solver:
    ...     [str(channel) for channel in root_causes(Phases((once, once)).rounds(1), solver)]
    ['1->2']
    """
    given, is_open = _given(rounds, solver), rounds.phases.open
    used = {event.channel for event in given.events.values()}
    wrong = {channel: first_crossed(given, channel, is_open=is_open) for channel in used}
    return frozenset(c for c, first in wrong.items() if satisfiable(solver, [*given.axioms, first]))


def is_crossed(rounds: Rounds, solver: Solver) -> bool:
    """Whether the solver finds a run in which a layer receives a message of another layer.

    If any program may follow, a message that no receive takes also counts, because a later receive may take
    it. The solver is asked once. Source: CCLs, in section 3.
    """
    given, is_open = _given(rounds, solver), rounds.phases.open
    pairs = ((c.first, c.second) for c in given.run.skeleton.candidates)
    taken = (given.run.matched(*pair) for pair in pairs if len(set(map(given.layer_of, pair))) > 1)
    sends = [name for name, event in given.events.items() if is_open and event.is_send]
    left = (Not(Or(given.run.takers(send))) for send in sends)
    return satisfiable(solver, [*given.axioms, Or(*taken, *left)])


def _given(rounds: Rounds, solver: Solver) -> GivenRun:
    """The run of the layers of these rounds. If programs may follow, there is one later send per channel.

    One later send is enough: one wrong receive is sought, and after it the run can go on to the end of the
    layers with messages of the layers.
    """
    return given_run(rounds.layers, solver.order, later_sends=int(rounds.phases.open))
