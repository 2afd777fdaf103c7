"""The matching functions of one program's executions, twice: by conditions, and by executing.

Only the program's own sends are matched here.  Later sends and receives are a program layered after it.
"""

from collections.abc import Collection, Iterator
from enum import Enum
from itertools import product
from typing import assert_never

from sealcheck.programs.events import Channel, Event, Kind, channels, mt
from sealcheck.programs.runs import Place, events
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import StraightLine

Edge = tuple[Place, Place]

Matching = frozenset[Edge]
"""Pairs (receive, send): the graph of a matching function."""


class Condition(Enum):
    """What is asked of a matching function.  Source: section 2.2."""

    TOTAL = "totality"
    INJECTIVE = "injectivity"
    CHANNELS = "messages stay on their channels"
    ACYCLIC = "acyclicity"


def matchings(program: StraightLine, without: Collection[Condition] = ()) -> Iterator[Matching]:
    """The matching functions from the program's receives to its sends that meet the conditions.

    Source: section 2.2, the two conditions on delta, total and injective.  Exponential in the
    number of messages.

    >>> from sealcheck.programs.events import mt
    >>> twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    >>> len(list(matchings(twice))), len(list(matchings(twice, [Condition.INJECTIVE])))
    (2, 4)
    """
    happening = events(program)
    sends = [place for place, event in happening.items() if event.is_send]
    choices: list[list[tuple[Place, Place] | None]] = []
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
    """The k'th receive on a channel with its k'th send, as far as both exist.

    Source: program graphs, in section `sec:rel`.

    >>> from sealcheck.programs.events import mt
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
    """Lamport's relation: the transitive closure of process order and sends before their receives.

    Source: section 2.2.  By Warshall's algorithm, O(events^2) operations on masks.

    >>> from sealcheck.programs.events import mt
    >>> len(happens_before(StraightLine.of(2, mt(1, 2) + mt(2, 1)), frozenset()))
    2
    """
    places = list(events(program))
    number = {place: index for index, place in enumerate(places)}
    after = [0] * len(places)
    for place in places:
        following = Place(place.process, place.position + 1)
        after[number[place]] = 1 << number[following] if following in number else 0
    for receive, send in matching:
        after[number[send]] |= 1 << number[receive]
    for middle in range(len(places)):
        for first in range(len(places)):
            if after[first] >> middle & 1:
                after[first] |= after[middle]
    return frozenset((e, f) for e in places for f in places if after[number[e]] >> number[f] & 1)


def is_acyclic(program: StraightLine, matching: Matching) -> bool:
    """Whether Lamport's relation under the matching is irreflexive.  Source: section 2.2.

    >>> from sealcheck.programs.events import rcv, snd
    >>> stuck = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
    >>> is_acyclic(stuck, kth_to_kth(stuck))
    False
    """
    return all(e != f for e, f in happens_before(program, matching))


def executed_matchings(program: StraightLine, model: ChannelModel = ChannelModel.REL) -> frozenset[Matching]:
    """The matchings of all interleavings in which every event of the program happens.

    Starts from empty channels.  In `ChannelModel.REL` a receive takes any message that its channel
    holds, in `ChannelModel.REL_FIFO` the oldest.  Exponential: O(states), a state being how far each
    process is and what was taken.  Source: section 2.2, the footnote on the execution model.

    >>> from sealcheck.programs.events import mt
    >>> twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    >>> len(executed_matchings(twice)), len(executed_matchings(twice, ChannelModel.REL_FIFO))
    (2, 1)
    """
    complete = tuple(map(len, program.shares))
    nothing: Matching = frozenset()
    start = (0,) * program.n, nothing
    reached, stack = {start}, [start]
    found = set()
    while stack:
        done, taken = stack.pop()
        if done == complete:
            found.add(taken)
        for state in _next(program, done, taken, model):
            if state not in reached:
                reached.add(state)
                stack.append(state)
    return frozenset(found)


def _next(
    program: StraightLine, done: tuple[int, ...], taken: Matching, model: ChannelModel
) -> Iterator[tuple[tuple[int, ...], Matching]]:
    """The states after one more event."""
    for process, (share, position) in enumerate(zip(program.shares, done, strict=True), 1):
        if position == len(share):
            continue
        event = share[position]
        then = (*done[: process - 1], position + 1, *done[process:])
        if event.is_send:
            yield then, taken
            continue
        contents = _in_transit(program, done, taken, event.channel)
        for send in _receivable(contents, model):
            yield then, taken | {(Place(process, position + 1), send)}


def _receivable(contents: list[Place], model: ChannelModel) -> list[Place]:
    """Which of the messages of a channel a receive may take."""
    match model:
        case ChannelModel.REL:
            return contents
        case ChannelModel.REL_FIFO:
            return contents[:1]
        case other:
            assert_never(other)


def _in_transit(
    program: StraightLine, done: tuple[int, ...], taken: Matching, channel: Channel
) -> list[Place]:
    """The messages that the channel holds, by their sends, oldest first."""
    process, send = channel.sender, Event(Kind.SEND, *channel)
    sent = enumerate(program.shares[process - 1][: done[process - 1]], 1)
    gone = {source for _, source in taken}
    return [
        Place(process, position)
        for position, event in sent
        if event == send and Place(process, position) not in gone
    ]
