"""How programs end: the plays that start with empty channels, and what is left in the channels."""

from collections.abc import Iterator

from sealcheck.occurrence import is_silent, occurs
from sealcheck.plays import plays
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.global_runs import Cut, CutReading, GlobalRun
from sealcheck.programs.runs import Place
from sealcheck.programs.syntax import Program


def endings(
    program: Program,
    n: int,
    *,
    reading: CutReading = CutReading.MATCHING,
    outside: int = 1,
    unroll: int = 2,
) -> Iterator[tuple[GlobalRun, Cut, Cut]]:
    """The plays over which the program occurs, and that start with empty channels."""
    for run, c, d in plays(program, n, of=[program], outside=outside, unroll=unroll):
        if is_silent(run, c, CutReading.EMPTY) and occurs(run, c, d, program, reading=reading):
            yield run, c, d


def lopsided(run: GlobalRun, d: Cut) -> frozenset[Channel]:
    """The channels with more sends than receives at the cut, or fewer.

    >>> from sealcheck.programs.syntax import Send
    >>> {str(channel) for run, c, d in endings(Send(1, 2), 2) for channel in lopsided(run, d)}
    {'1->2'}
    """
    return frozenset(channel for channel in channels(run.n) if _excess(run, d, channel))


def _excess(run: GlobalRun, d: Cut, channel: Channel) -> int:
    sends, receives = (
        sum(inside(place, d) for place in run.places(channel, sends=sent)) for sent in (True, False)
    )
    return sends - receives


def crossing(run: GlobalRun, d: Cut) -> frozenset[Channel]:
    """The channels on which a message is received on the other side of the cut.

    >>> from sealcheck.programs.syntax import Send
    >>> {str(channel) for run, c, d in endings(Send(1, 2), 2) for channel in crossing(run, d)}
    {'1->2'}
    """
    return frozenset(
        Channel(send.process, receive.process)
        for receive, send in run.matching.items()
        if inside(receive, d) != inside(send, d)
    )


def inside(place: Place, d: Cut) -> bool:
    """Whether the event at a place is in the cut."""
    return place.position <= d[place.process - 1]
