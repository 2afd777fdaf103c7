"""The explorer of straight-line programs: it plays P;Q event by event, and looks at what channels hold.

It knows neither program graphs nor causality nor matching functions nor solvers.

Reading (section 2 of the paper).  Channels are bags: a receive takes any message of its channel.
The interval starts at a silent cut, that is, with empty channels that nothing earlier can reach.
A process that has finished its share of P;Q may go on with later events, whatever the others
still have to do.  The interval has to occur, so only executions count in which every event of P
and Q happens; where there is none, everything holds vacuously.

What follows P;Q, and what can happen in which state, is in `moves`.  Here is what is asked of that.
"""

from itertools import permutations

from sealcheck.errors import InputError
from sealcheck.oracles.moves import Executions
from sealcheck.programs.events import Channel
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine


def crossed_channels(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> frozenset[Channel]:
    """The channels on which a message crosses the end of P in some execution of P;Q and what follows.

    P and Q need not be balanced.  Raises InputError where they are over different processes.  Time and
    memory are in the number of states, which grows exponentially with the number of processes.  Source: the
    definition of sealing in section 3, that silent cut, P, Q refines P, silent cut, Q.

    >>> from sealcheck.programs.events import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> {str(channel) for channel in crossed_channels(once, once)}
    {'1->2'}
    """
    executions = Executions.of(p, q, later_sends=later_sends, later_receives=later_receives)
    return frozenset(move.event.channel for move in executions.moves() if move.crosses)


def seals(p: StraightLine, q: StraightLine) -> bool:
    """Whether Q seals P: in no execution of P;Q and what follows does a message cross the end of P.

    Raises InputError and takes time as `crossed_channels` does.  Source: the definition of
    sealing in section 3.

    >>> from sealcheck.programs.events import mt
    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))
    True
    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2))
    False
    """
    return not crossed_channels(p, q)


def closes(p: StraightLine, channel: Channel) -> bool:
    """Whether P closes `channel`: after P it is empty in every execution, whatever follows.

    That is so when no event of P on that channel is ever matched outside P.  A message of P
    that is left over may be received later, so it leaves the channel open too.  Raises
    InputError where the channel is not among P's processes.  Time as for `crossed_channels`.
    Source: "closes" (section 4).

    >>> from sealcheck.programs.events import mt
    >>> program = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    >>> closes(program, Channel(1, 2)), closes(program, Channel(2, 1))
    (True, False)
    """
    if not (1 <= channel.sender <= p.n and 1 <= channel.receiver <= p.n):
        raise InputError(f"channel {channel} is not among the processes 1..{p.n}")
    return channel not in crossed_channels(p, StraightLine.of(p.n))


def can_complete(p: StraightLine) -> bool:
    """Whether P has an execution, if those who have finished their share may go on sending.

    Time as for `crossed_channels`.  Source: the general assumption (section 2).

    >>> from sealcheck.programs.events import rcv
    >>> waiting = [rcv(2, 1), rcv(1, 2)]
    >>> [can_complete(StraightLine.of(2, waiting[:length])) for length in (1, 2)]
    [True, False]
    """
    return not p.length or bool(Executions.of(p, StraightLine.of(p.n)).moves())


def ordered_pairs(p: StraightLine) -> frozenset[tuple[Place, Place]]:
    """The pairs of events of P of which the first comes before the second in every execution.

    This is how an explorer without causality answers whether one event causally precedes another in
    every run (`GraphCause`): a run stands for a class of interleavings, all those that respect its
    causality, and events that it does not order appear there both ways round.  So the first fails
    to precede the second in some run exactly when some execution has the second before the first.
    Where P can't complete there is no execution, and all pairs are ordered both ways.  Time as for
    `crossed_channels`.  Source: GraphCause.

    >>> from sealcheck.programs.events import mt
    >>> program = StraightLine.of(3, mt(1, 2) + mt(2, 3) + mt(1, 3))
    >>> found = ordered_pairs(program)
    >>> (Place(1, 1), Place(3, 1)) in found, (Place(1, 2), Place(3, 1)) in found
    (True, False)
    """
    places = [Place(k, at) for k, share in enumerate(p.shares, 1) for at in range(1, len(share) + 1)]
    executions = Executions.of(p, StraightLine.of(p.n), later_sends=0, later_receives=0)
    reached = {move.after[: p.n] for move in executions.moves()}
    return frozenset(
        (e, f)
        for e, f in permutations(places, 2)
        if not any(done[f.process - 1] >= f.position and done[e.process - 1] < e.position for done in reached)
    )
