"""The matching functions of a program, by the paper's conditions or by execution; and executions of layers.

A *matching function* gives, for each receive of an execution, the send of the message that it takes. In this
module, only sends of the program are matched. To cover later events, put the program `following` after the
program. `sealcheck.explorers.channel_contents` shows why `following` is enough.

*Layers* are programs that run in sequence. Layers are executed to find the channels on which a receive can be
the first to take a message of another layer. Messages on channels carry their layer. If anything may follow,
processes go on with sends and receives on the channels of the layers. These sends and receives form one more
layer.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from enum import Enum
from itertools import pairwise, product
from typing import assert_never

from sealcheck.programs.phases import Rounds
from sealcheck.programs.runs import Place, events
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, snd

Edge = tuple[Place, Place]

Matching = frozenset[Edge]
"""Pairs (receive, send): the graph of a matching function."""


class Condition(Enum):
    """The conditions on a matching function. Source: section 2.2."""

    TOTAL = "totality"
    INJECTIVE = "injectivity"
    CHANNELS = "messages stay on their channels"
    ACYCLIC = "acyclicity"


def matchings(program: StraightLine, without: Collection[Condition] = ()) -> Iterator[Matching]:
    """The matching functions from the program's receives to its sends that meet the conditions.

    The conditions in `without` are dropped. Exponential in the number of messages. Source: section 2.2, the
    two conditions on delta, total and injective.

    >>> twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    >>> len(list(matchings(twice))), len(list(matchings(twice, [Condition.INJECTIVE])))
    (2, 4)
    """
    happening = events(program)
    sends = [place for place, event in happening.items() if event.is_send]
    choices: list[list[Edge | None]] = []
    for place, event in happening.items():
        if not event.is_send:
            on_any = Condition.CHANNELS in without
            choices.append([(place, s) for s in sends if on_any or happening[s].channel == event.channel])
            choices[-1] += [None] if Condition.TOTAL in without else []
    for chosen in product(*choices):
        pairs = [pair for pair in chosen if pair is not None]
        if Condition.INJECTIVE not in without and len({send for _, send in pairs}) < len(pairs):
            continue
        matching = frozenset(pairs)
        if Condition.ACYCLIC in without or is_acyclic(program, matching):
            yield matching


def kth_to_kth(program: StraightLine) -> Matching:
    """The matching of the k'th receive on each channel with the k'th send on it, if both exist.

    Source: program graphs, in section `sec:rel`.

    >>> for receive, send in sorted(kth_to_kth(StraightLine.of(2, mt(1, 2) + mt(1, 2)))):
    ...     print(receive.position, send.position)
    1 1
    2 2
    """
    places = events(program)
    pairs: list[Edge] = []
    for channel in channels(program.n):
        sends, receives = ([at for at, e in places.items() if e == event] for event in mt(*channel))
        pairs += zip(receives, sends, strict=False)
    return frozenset(pairs)


def happens_before(program: StraightLine, matching: Matching) -> frozenset[Edge]:
    """Lamport's happens-before relation under a matching.

    An event happens before the next event of its process, and a send before its receive. The relation is the
    transitive closure of these pairs. Takes O(events^2) operations on bit masks. Source: section 2.2.

    >>> len(happens_before(StraightLine.of(2, mt(1, 2) + mt(2, 1)), frozenset()))
    2
    """
    places = list(events(program))
    number = {place: index for index, place in enumerate(places)}
    after = [0] * len(places)
    for place, following in pairwise(places):
        after[number[place]] = 1 << number[following] if place.process == following.process else 0
    for receive, send in matching:
        after[number[send]] |= 1 << number[receive]
    for middle in range(len(places)):
        for first in range(len(places)):
            if after[first] >> middle & 1:
                after[first] |= after[middle]
    return frozenset((e, f) for e in places for f in places if after[number[e]] >> number[f] & 1)


def is_acyclic(program: StraightLine, matching: Matching) -> bool:
    """Whether no event happens before itself under the matching. Source: section 2.2.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> stuck = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
    >>> is_acyclic(stuck, kth_to_kth(stuck))
    False
    """
    return all(e != f for e, f in happens_before(program, matching))


def executed_matchings(program: StraightLine, model: ChannelModel = ChannelModel.REL) -> frozenset[Matching]:
    """The matchings of all interleavings in which every event of the program happens.

    The interleavings start from empty channels. In `ChannelModel.REL`, a receive takes any message that its
    channel holds. In `ChannelModel.REL_FIFO`, a receive takes the oldest message. Exponential in the number
    of events. Source: section 2.2, the footnote on the execution model.

    >>> twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    >>> len(executed_matchings(twice)), len(executed_matchings(twice, ChannelModel.REL_FIFO))
    (2, 1)
    """
    complete = tuple(map(len, program.shares))
    nothing: Matching = frozenset()
    start = (0,) * program.n, nothing
    reached, stack = {start}, [start]
    while stack:
        new = set(_next(program, *stack.pop(), model)) - reached
        reached |= new
        stack += new
    return frozenset(taken for done, taken in reached if done == complete)


def _next(
    program: StraightLine, done: tuple[int, ...], taken: Matching, model: ChannelModel
) -> Iterator[tuple[tuple[int, ...], Matching]]:
    for process, (share, position) in enumerate(zip(program.shares, done, strict=True), 1):
        if position == len(share):
            continue
        event = share[position]
        then = (*done[: process - 1], position + 1, *done[process:])
        if event.is_send:
            yield then, taken
            continue
        contents = _in_transit(program, done, taken, event.channel)
        match model:
            case ChannelModel.REL:
                receivable = contents
            case ChannelModel.REL_FIFO:
                receivable = contents[:1]
            case other:
                assert_never(other)
        for send in receivable:
            yield then, taken | {(Place(process, position + 1), send)}


def _in_transit(
    program: StraightLine, done: tuple[int, ...], taken: Matching, channel: Channel
) -> list[Place]:
    """The sends of the messages that the channel holds, oldest first."""
    process, gone = channel.sender, {source for _, source in taken}
    sent = enumerate(program.shares[process - 1][: done[process - 1]], 1)
    on_channel = (Place(process, position) for position, event in sent if event == snd(*channel))
    return [place for place in on_channel if place not in gone]


def following(program: StraightLine) -> StraightLine:
    """A program with, on each channel of `program`, the sends that it lacks, one more send, and one receive.

    Each process does all these sends before these receives.

    >>> from sealcheck.programs.straight_line import rcv
    >>> print(following(StraightLine.of(2, mt(1, 2))))
    mt 1->2
    >>> print(following(StraightLine.of(2, [rcv(2, 1)])))
    mt 1->2; snd 1->2
    """
    used = sorted(program.used)
    lacking = {channel: max(0, -program.imbalance.get(channel, 0)) for channel in used}
    sends = [mt(*channel)[0] for channel in used for _ in range(1 + lacking[channel])]
    return StraightLine.of(program.n, [*sends, *(mt(*channel)[1] for channel in used)])


def crossed(p: StraightLine, matching: Matching) -> frozenset[Channel]:
    """The channels on which a message crosses the end of P, in a matched program that begins with P.

    Source: the definition of seals, in section 3.

    >>> once = StraightLine.of(2, mt(1, 2))
    >>> [sorted(map(str, crossed(once, matching))) for matching in matchings(once.then(following(once)))]
    [[], ['1->2']]
    """

    def is_inside(place: Place) -> bool:
        return place.position <= len(p.shares[place.process - 1])

    return frozenset(
        Channel(send.process, receive.process)
        for receive, send in matching
        if is_inside(receive) != is_inside(send)
    )


def goes_wrong(rounds: Rounds, tagged: Collection[Channel] = (), *, later: int = 1) -> bool:
    """Whether, in some execution, a receive takes a message of another layer.

    On the channels in `tagged`, receives take only messages of their own layer. If anything may follow, each
    process may do up to `later` more events. Exponential. Source: CCLs, in section 3.

    >>> from sealcheck.programs.phases import Phases
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> [goes_wrong(Phases(layers).rounds(1)) for layers in ((there, there), (there, back))]
    [True, False]
    """
    start = (0,) * rounds.phases.n, frozenset[tuple[tuple[Channel, int], int]]()
    seen, pending = {start}, [start]
    while pending:
        done, held = pending.pop()
        for event, layer in _next_phases(rounds, done, later):
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


def _next_phases(rounds: Rounds, done: tuple[int, ...], later: int) -> Iterator[tuple[Event, int]]:
    for process, (share, at) in enumerate(zip(rounds.program.shares, done, strict=True), 1):
        if at < len(share):
            yield share[at], rounds.owner(Place(process, at + 1))
        elif rounds.phases.open and at < len(share) + later:
            after = (event for channel in used(rounds) for event in mt(*channel) if event.process == process)
            yield from product(after, [len(rounds.layers)])


def used(rounds: Rounds) -> frozenset[Channel]:
    """The channels that the layers use."""
    shares = (share for layer in rounds.phases.layers for share in layer.shares)
    return frozenset(event.channel for share in shares for event in share)


def roots_by_exploring(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which a receive can take another layer's message even if all other channels have tags.

    Exponential.

    >>> from sealcheck.programs.phases import Phases
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> [str(channel) for channel in roots_by_exploring(Phases((once, once)).rounds(1))]
    ['1->2']
    """
    channels = used(rounds)
    return frozenset(channel for channel in channels if goes_wrong(rounds, channels - {channel}))


def crossed_by_matching(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which some matching function matches a receive with a send of another layer.

    If anything may follow, the events of `following` are added after the layers. Exponential. Source: CCLs,
    in section 3.
    """
    program = rounds.program.then(following(rounds.program)) if rounds.phases.open else rounds.program
    return frozenset(
        Channel(send.process, receive.process)
        for matching in matchings(program)
        for receive, send in matching
        if rounds.owner(receive) != rounds.owner(send)
    )


def roots_by_matching(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which a receive can be the first to take another layer's message.

    A receive is *first* if, under some matching function, it takes another layer's message, and every receive
    on another channel that happens before it takes a message of its own layer. If anything may follow, one
    more message on the channel is added after the layers. Exponential.
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
