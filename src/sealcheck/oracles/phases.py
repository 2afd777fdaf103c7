"""Layers in sequence, played: does a receive of one take a message of another, and on which channels first?

Channels hold messages that know which layer they are of.  Where anything may follow, a process that is done
with all layers goes on with any send or receive on their channels, of one more layer.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product

from sealcheck.oracles.environment import following
from sealcheck.oracles.matching_functions import happens_before, matchings
from sealcheck.programs.events import Channel, Event, mt
from sealcheck.programs.phases import Rounds
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine


def goes_wrong(rounds: Rounds, tagged: Collection[Channel] = (), *, later: int = 1) -> bool:
    """Whether, in some execution, a receive takes a message of another layer.

    On channels with tags it takes messages of its own layer only.  Where anything may follow, each process
    does so many events more.  Exponential.  Source: CCLs, in section 3.

    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> [goes_wrong(Phases(layers).rounds(1)) for layers in ((there, there), (there, back))]
    [True, False]
    """
    start = (0,) * rounds.phases.n, frozenset[tuple[tuple[Channel, int], int]]()
    seen, pending = {start}, [start]
    while pending:
        done, held = pending.pop()
        for event, layer in _next(rounds, done, later):
            contents = Counter(dict(held))
            own = event.channel, layer
            if event.is_send:
                contents[own] += 1
            elif event.channel not in tagged and any(
                c == event.channel and at != layer for c, at in contents
            ):
                return True
            elif contents[own]:
                contents[own] -= 1
            else:
                continue
            went = (*done[: event.process - 1], done[event.process - 1] + 1, *done[event.process :])
            state = went, frozenset((+contents).items())
            if state not in seen:
                seen.add(state)
                pending.append(state)
    return False


def _next(rounds: Rounds, done: tuple[int, ...], later: int) -> Iterator[tuple[Event, int]]:
    """What each process may do next, and of which layer it is."""
    for process, (share, at) in enumerate(zip(rounds.program.shares, done, strict=True), 1):
        if at < len(share):
            yield share[at], rounds.owner(Place(process, at + 1))
        elif rounds.phases.open and at < len(share) + later:
            after = (event for channel in used(rounds) for event in mt(*channel) if event.process == process)
            yield from product(after, [len(rounds.layers)])


def used(rounds: Rounds) -> frozenset[Channel]:
    """The channels that the layers use."""
    return frozenset(
        event.channel for layer in rounds.phases.layers for share in layer.shares for event in share
    )


def roots_by_exploring(rounds: Rounds) -> frozenset[Channel]:
    """The channels that go wrong although all others have tags.  Exponential.

    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> [str(channel) for channel in roots_by_exploring(Phases((once, once)).rounds(1))]
    ['1->2']
    """
    channels = used(rounds)
    return frozenset(channel for channel in channels if goes_wrong(rounds, channels - {channel}))


def crossed_by_matching(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which some matching function takes a message from one layer to another.

    Where anything may follow, `environment.following` does.  Exponential.  Source: CCLs, in section 3.
    """
    program = rounds.program.then(following(rounds.program)) if rounds.phases.open else rounds.program
    return frozenset(
        Channel(send.process, receive.process)
        for matching in matchings(program)
        for receive, send in matching
        if rounds.owner(receive) != rounds.owner(send)
    )


def roots_by_matching(rounds: Rounds) -> frozenset[Channel]:
    """The channels of receives that take another layer's message, none on another channel having done so
    before.

    Before by Lamport's relation, under some matching function.  Where anything may follow, one more message
    on the channel does.  Exponential.
    """
    return frozenset(channel for channel in used(rounds) if _is_root(rounds, channel))


def _is_root(rounds: Rounds, channel: Channel) -> bool:
    more = StraightLine.of(rounds.phases.n, mt(*channel) if rounds.phases.open else ())
    program = rounds.program.then(more)
    for matching in matchings(program):
        before = happens_before(program, matching)
        wrong = [pair for pair in matching if len({*map(rounds.owner, pair)}) > 1]
        here = [receive for receive, send in wrong if (send.process, receive.process) == channel]
        elsewhere = {receive for receive, _ in wrong}.difference(here)
        if any(all((other, receive) not in before for other in elsewhere) for receive in here):
            return True
    return False
