"""What was sent before a program and is never received: the formal clause for the silent cut allows it."""

from sealcheck.oracles.environment import crossed
from sealcheck.oracles.matching_functions import matchings
from sealcheck.programs.events import Channel, channels, snd
from sealcheck.programs.straight_line import StraightLine


def never_emptied(p: StraightLine) -> frozenset[Channel]:
    """The channels on which a message sent before P can stay although none crosses the start of P.

    By the definition of a channel at a cut it is there after P, too, whatever P does.
    Source: channels at a cut, in section 2.

    >>> from sealcheck.programs.events import mt
    >>> [str(channel) for channel in sorted(never_emptied(StraightLine.of(2, mt(1, 2) + mt(2, 1))))]
    ['1->2', '2->1']
    """
    return frozenset(channel for channel in channels(p.n) if _can_stay(p, channel))


def _can_stay(p: StraightLine, channel: Channel) -> bool:
    older = StraightLine.of(p.n, [snd(*channel)])
    return any(not crossed(older, matching) for matching in matchings(older.then(p)))
