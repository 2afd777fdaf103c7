"""What can follow a program, as a program: enough later sends and receives to interfere with it.

Any program may follow.  Of what follows, a later send on each channel beside those that the
program lacks, and a later receive on each, are enough: see `sealcheck.oracles.moves`.
"""

from sealcheck.oracles.matching_functions import Matching
from sealcheck.programs.events import Channel, Event, mt
from sealcheck.programs.straight_line import StraightLine


def following(program: StraightLine) -> StraightLine:
    """Later events on each channel of the program: the sends that it lacks, one more, and a receive.

    No process waits before it has done all its later sends.

    >>> from sealcheck.programs.events import mt, rcv
    >>> print(following(StraightLine.of(2, mt(1, 2))))
    mt 1->2
    >>> print(following(StraightLine.of(2, [rcv(2, 1)])))
    mt 1->2; snd 1->2
    """
    used = sorted({event.channel for share in program.shares for event in share})
    sends: list[Event] = []
    receives: list[Event] = []
    for channel in used:
        send, receive = mt(*channel)
        sends += [send] * (1 + max(0, -program.imbalance.get(channel, 0)))
        receives.append(receive)
    return StraightLine.of(program.n, sends + receives)


def crossed(p: StraightLine, matching: Matching) -> frozenset[Channel]:
    """The channels on which a message crosses the end of P; what is matched begins with P.

    Source: the definition of seals, in section 3.

    >>> from sealcheck.oracles.matching_functions import matchings
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> [sorted(map(str, crossed(once, matching))) for matching in matchings(once.then(following(once)))]
    [[], ['1->2']]
    """
    lengths = [len(share) for share in p.shares]
    inside = {
        pair: tuple(place.position <= lengths[place.process - 1] for place in pair) for pair in matching
    }
    return frozenset(
        Channel(send.process, receive.process)
        for (receive, send), (receive_inside, send_inside) in inside.items()
        if receive_inside != send_inside
    )
