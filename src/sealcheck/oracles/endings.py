"""How programs end: the executions that start with empty channels, and what is left in the channels."""

from collections.abc import Iterator

from sealcheck.oracles.executions import executions
from sealcheck.oracles.occurrence import occurs
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.global_runs import Frontier, GlobalRun, Interval
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import Cut, Program, layered


def endings(
    program: Program,
    n: int,
    semantics: Semantics = PAPER,
    *,
    outside: int = 1,
) -> Iterator[Interval]:
    """The intervals over which the program occurs, in executions that start with empty channels.

    Source: "balanced", in section `sec:rel`.

    >>> from sealcheck.programs.syntax import Send
    >>> [run.matching for run, c, d in endings(Send(1, 2), 2, outside=0)]
    [{}]
    """
    for interval in executions(layered(Cut(), program), n, semantics, outside=outside):
        if occurs(*interval, program, semantics):
            yield interval


def lopsided(run: GlobalRun, d: Frontier) -> frozenset[Channel]:
    """The channels with more sends than receives at the cut, or fewer.

    Source: "balanced", in section `sec:rel`.

    >>> from sealcheck.programs.syntax import Send
    >>> {str(channel) for run, c, d in endings(Send(1, 2), 2) for channel in lopsided(run, d)}
    {'1->2'}
    """
    return frozenset(channel for channel in channels(run.n) if _excess(run, d, channel))


def _excess(run: GlobalRun, d: Frontier, channel: Channel) -> int:
    sends, receives = (
        sum(inside(place, d) for place in run.places(channel, sends=sent)) for sent in (True, False)
    )
    return sends - receives


def crossing(run: GlobalRun, d: Frontier) -> frozenset[Channel]:
    """The channels on which a message is received on the other side of the cut.

    Source: the silent cut, in section 2.

    >>> from sealcheck.programs.syntax import Send
    >>> {str(channel) for run, c, d in endings(Send(1, 2), 2) for channel in crossing(run, d)}
    {'1->2'}
    """
    return frozenset(
        Channel(send.process, receive.process)
        for receive, send in run.matching.items()
        if inside(receive, d) != inside(send, d)
    )


def inside(place: Place, d: Frontier) -> bool:
    """Whether the event at a place is in the cut.

    >>> inside(Place(2, 1), (3, 1)), inside(Place(2, 2), (3, 1))
    (True, False)
    """
    return place.position <= d[place.process - 1]
