"""Runs around an interval with fewer messages outside: what a reader has to follow."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from sealcheck.errors import InputError
from sealcheck.programs.global_runs import GlobalRun, Interval, LocalEvent
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import ChannelModel

MOST = 2_000
"""So many runs are looked at; then the smallest one so far is good enough."""

PLAIN = (0, 1)
"""What a reader looks for no reason behind, in this order."""

Matching = dict[Place, Place]


def outside_of(found: Interval) -> int:
    """How many events of the run are not in the interval."""
    return sum(found.c) + sum(len(share) for share in found.run.events) - sum(found.d)


def trimmed(
    found: Interval, keeps: Callable[[Interval], bool], model: ChannelModel = ChannelModel.REL
) -> Interval:
    """The interval in a run from which no message outside can be left out, if it `keeps` what matters.

    What is left out is a message outside; the receipt, outside, of a message from inside; and two messages
    that a receive inside and a send inside have outside, if they may as well have one together.  States
    must not change outside the interval.  And a value is 0, or 1, where it may as well be.  Looks at `MOST`
    runs, each in time O(n * events).
    """
    left = MOST
    while left > 0:
        for smaller in _smaller(found):
            left -= 1
            if left < 0 or (_is_run(smaller, model) and keeps(smaller)):
                break
        else:
            return found
        found = smaller if left >= 0 else found
    return found


def _is_run(interval: Interval, model: ChannelModel) -> bool:
    try:
        interval.run.check(model)
    except InputError:
        return False
    return True


def _smaller(found: Interval) -> Iterator[Interval]:
    """The interval with an event outside, or two, left out; or with a plainer value."""
    run = found.run
    taker = {send: receive for receive, send in run.matching.items()}
    outside = {place for place in run.interleaving() if not _is_inside(found, place)}
    sends = [place for place in _places(run) if _is_send(run, place)]
    for send in sends:
        receive = taker.get(send)
        if send in outside and (receive is None or receive in outside):
            yield _without(found, {send} | ({receive} if receive else set()), {})
    alone = [send for send in sends if send not in outside and taker.get(send) in {None, *outside}]
    waiting = [
        receive for receive, send in run.matching.items() if receive not in outside and send in outside
    ]
    for receive, send in product(waiting, alone):
        if run.at(receive).event.channel == run.at(send).event.channel:  # type: ignore[union-attr]
            dropped = {run.matching[receive]} | ({taker[send]} if send in taker else set())
            yield _without(found, dropped, {receive: send})
    for send in alone:
        if send in taker:
            yield _without(found, {taker[send]}, {})
    for value in sorted(_values(run) - set(PLAIN)):
        yield from (_with_value(found, value, plain) for plain in PLAIN)


def _is_inside(found: Interval, place: Place) -> bool:
    process, position = place
    return found.c[process - 1] < position <= found.d[process - 1]


def _is_send(run: GlobalRun, place: Place) -> bool:
    event = run.at(place).event
    return event is not None and event.is_send


def _places(run: GlobalRun) -> Iterator[Place]:
    for process, events in enumerate(run.events, 1):
        yield from (Place(process, position) for position in range(1, len(events) + 1))


def _matched_event(run: GlobalRun, place: Place, matched: Matching) -> LocalEvent:
    """The event at a place; a receive that is matched otherwise takes the content of its new send."""
    return run.at(place)._replace(content=run.at(matched.get(place, place)).content)


def _without(found: Interval, dropped: set[Place], matched: Matching) -> Interval:
    """The interval in a run without these events, with these receives matched otherwise."""
    run = found.run
    kept = [place for place in _places(run) if place not in dropped]
    new: Matching = {}
    count = [0] * run.n
    for place in kept:
        count[place.process - 1] += 1
        new[place] = Place(place.process, count[place.process - 1])
    matching = {r: s for r, s in {**run.matching, **matched}.items() if r not in dropped and s not in dropped}
    shares = [[place.position for place in kept if place.process == k] for k in range(1, run.n + 1)]
    smaller = GlobalRun(
        tuple(
            tuple(_matched_event(run, Place(k, at), matched) for at in share)
            for k, share in enumerate(shares, 1)
        ),
        tuple((run.states[k][0], *(run.states[k][at] for at in share)) for k, share in enumerate(shares)),
        {new[receive]: new[send] for receive, send in matching.items()},
    )
    c, d = (
        tuple(sum(at <= cut[k] for at in share) for k, share in enumerate(shares))
        for cut in (found.c, found.d)
    )
    return Interval(smaller, c, d)


def _values(run: GlobalRun) -> set[int]:
    """What messages hold, and variables."""
    contents = {local.content for share in run.events for local in share}
    return contents | {value for states in run.states for state in states for value in state.values()}


def _with_value(found: Interval, value: int, other: int) -> Interval:
    """The interval in the run with another value wherever this one is."""
    run = found.run

    def put(each: int) -> int:
        return other if each == value else each

    return found._replace(
        run=replace(
            run,
            events=tuple(tuple(at._replace(content=put(at.content)) for at in share) for share in run.events),
            states=tuple(
                tuple({name: put(held) for name, held in state.items()} for state in states)
                for states in run.states
            ),
        )
    )
