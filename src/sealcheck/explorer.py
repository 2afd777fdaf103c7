"""An explicit-state explorer of channel contents: the oracle that the other floors are tested against.

It knows neither program graphs nor causality nor matching functions nor solvers.  It plays P;Q
event by event in every order the channels allow, and watches who takes whose messages.

Reading (section 2 of the paper).  Channels are bags: a receive takes any message of its channel.
The interval starts at a silent cut, that is, with empty channels that nothing earlier can reach.
A process that has finished its share of P;Q may go on with later events, whatever the others
still have to do.  The interval has to occur, so only *complete* executions count, those in which
every event of P and Q happens; where there is none, everything holds vacuously.

Later events: any program may follow P;Q, so a later event can come in any order and need not come
at all.  That leaves little to explore, by counting messages on a channel c from i to j:

* A later receive on c matters only when it takes a message of P.  Another message it could as
  well have left in c, because only j takes messages from c and j has no event of P;Q left.  As
  long as no receive has taken a wrong message, j's receives of P have all taken messages of P, so
  P must send more often on c than it receives.  And one such receive settles the question.
* A later send on c matters only when a receive of P;Q takes its message.  By then i has done all
  its sends on c.  If P;Q receives on c no more often than it sends, one of those messages is
  still there, and a receive of Q may as well take that one: what would have taken that one takes
  the later message, and interference is still interference.  So only a receive of P matters.  If
  P;Q receives on c more often, each complete execution needs as many later sends as are missing.

The explorer therefore allows on each channel the later sends that P;Q cannot do without, and
`later_sends` more.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from enum import Enum
from itertools import chain
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.events import Channel, Event, Kind, channels, mt
from sealcheck.programs.straight_line import StraightLine


class Owner(Enum):
    """The layer that an event or a message belongs to."""

    P = "P"
    Q = "Q"
    LATER = "later"


class Step(NamedTuple):
    """One event of an execution."""

    event: Event
    owner: Owner
    """The layer the event belongs to."""
    took: Owner | None
    """For a receive, the layer that sent the message it took."""


def find_interference(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> tuple[Step, ...] | None:
    """A complete execution of P;Q in which a message crosses the end of P, or None.

    In it a receive of P takes a message that P did not send, or a receive outside P takes one
    that P did send.  After its share of P;Q a process may perform later events, on each channel
    at most `later_receives` receives and `later_sends` sends besides those that P;Q itself
    lacks.  One of each is enough: no verdict changes when there may be more.  P and Q need not
    be balanced.  Raises InputError where they are over different processes or a bound is
    negative.  Time and memory are in the number of reachable states, which grows exponentially
    with the number of processes.  Source: the definition of sealing in section 3, that silent
    cut, P, Q refines P, silent cut, Q.

    >>> from sealcheck.programs.events import mt
    >>> once, answer = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))
    >>> find_interference(once, answer) is None
    True
    >>> for event, owner, took in find_interference(once, once, later_sends=0):
    ...     print(owner.value, event, took and took.value)
    P snd 1->2 None
    Q snd 1->2 None
    P rcv 2<-1 Q
    Q rcv 2<-1 P
    """
    if later_sends < 0 or later_receives < 0:
        raise InputError("the numbers of later sends and receives must be at least 0")
    steps = _System(p, q, later_sends, later_receives).explore()
    return None if steps is None else tuple(_told_apart(steps))


def seals(p: StraightLine, q: StraightLine) -> bool:
    """Whether Q seals P: no complete execution of P;Q and what follows interferes with P.

    Raises InputError and takes time as `find_interference` does.

    >>> from sealcheck.programs.events import mt
    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))
    True
    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2))
    False
    """
    return find_interference(p, q) is None


def closes(p: StraightLine, channel: Channel) -> bool:
    """Whether P closes `channel`: after P it is empty in every execution, whatever follows.

    That is so when no event of P on that channel is ever matched outside P.  A message of P
    that is left over may be received later, so it leaves the channel open too.  Raises
    InputError where the channel is not among P's processes.  Time as for `find_interference`.

    >>> from sealcheck.programs.events import mt
    >>> program = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    >>> closes(program, Channel(1, 2)), closes(program, Channel(2, 1))
    (True, False)
    """
    if not (1 <= channel.sender <= p.n and 1 <= channel.receiver <= p.n):
        raise InputError(f"channel {channel} is not among the processes 1..{p.n}")
    return _System(p, StraightLine.of(p.n), 1, 1, watched={channel}).explore() is None


def is_ordered(p: StraightLine, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether event `first` of P comes before event `second` in every complete execution.

    An event is named by its process and its position there, both from 1.  This is how an
    explorer without causality answers whether one event causally precedes another in every run
    (`GraphCause`): a run stands for a class of interleavings, all those that respect its
    causality, and events that it does not order appear there both ways round.  So `first` fails
    to precede `second` in some run exactly when some interleaving has `second` before `first`.
    Raises InputError where P has no such event.  Time as for `find_interference`.

    >>> from sealcheck.programs.events import mt
    >>> program = StraightLine.of(3, mt(1, 2) + mt(2, 3) + mt(1, 3))
    >>> is_ordered(program, (1, 1), (3, 1)), is_ordered(program, (1, 2), (3, 1))
    (True, False)
    """
    for process, position in (first, second):
        if not (1 <= process <= p.n and 1 <= position <= len(p.shares[process - 1])):
            raise InputError(f"there is no event {position} of process {process} in '{p}'")
    # Which message a receive takes does not matter here, so no channel is watched.
    system = _System(p, StraightLine.of(p.n), 0, 0, watched=set())
    system.look_for(second, before=first)
    return system.explore() is None


def find_seal(p: StraightLine, max_messages: int) -> StraightLine | None:
    """A seal of P made of fewest message transmissions, at most `max_messages`, or None.

    Candidates are sequences of transmissions ``mt``, shortest first, then in lexicographic
    order.  Raises DeadlockError where P cannot complete by itself, since anything seals a
    program that has no execution, and InputError where `max_messages` is negative.  Explores
    up to (n(n-1))^max_messages candidates.

    >>> from sealcheck.programs.events import mt
    >>> print(find_seal(StraightLine.of(3, mt(1, 2) + mt(3, 2)), 2))
    mt 2->1; mt 1->3
    """
    if max_messages < 0:
        raise InputError(f"the number of messages must be at least 0, not {max_messages}")
    p.linearization  # noqa: B018 - evaluated for the exception
    transmissions = [StraightLine.of(p.n, mt(*channel)) for channel in channels(p.n)]
    candidates = [StraightLine.of(p.n)]
    for _ in range(max_messages):
        for q in candidates:
            if seals(p, q):
                return q
        # A sequence that interferes by itself is no beginning of a seal.  Take its execution
        # without later sends and let the added transmissions follow one by one, each send at
        # once received.  Everything happens, and the interference has happened already, or is
        # a later receive of a message of P, which can come after the additions just as well.
        hopeful = [q for q in candidates if find_interference(p, q, later_sends=0) is None]
        # Sequences that differ in the order of independent transmissions are one program.
        candidates = list(
            dict.fromkeys(q.then(transmission) for q in hopeful for transmission in transmissions)
        )
    return next((q for q in candidates if seals(p, q)), None)


_ALWAYS, _SEEKING = 1, 2
"""The bit that every state has, and the bit that states have until what is looked for happens."""

_SAME, _FOUND = -1, ~_SEEKING
"""What to mask a state with: to leave it alone, to take the bit away."""


class _Move(NamedTuple):
    """A transition, possible in a state that has a bit of `need` and a bit of `also`."""

    need: int
    also: int
    change: int
    """Added to the state."""
    keep: int
    """_FOUND where the transition is what is looked for, else _SAME."""
    step: Step
    """Where `took` is not P it stands for any layer but P: the states do not tell them apart."""


class _Counter(NamedTuple):
    """A number kept in some bits of the state."""

    unit: int
    """What one more adds to the state."""
    mask: int
    """The bits, all zero exactly if the number is."""


class _Placed(NamedTuple):
    """An event of P;Q, with the bit that states have until it happens."""

    event: Event
    owner: Owner
    bit: int


class _Lane(NamedTuple):
    """How the states see one channel."""

    watched: bool
    """Whether messages of P are told apart here."""
    from_p: _Counter
    """Messages of P, where they are told apart."""
    others: _Counter
    """All other messages."""
    later_sends: _Counter
    """Later sends still allowed."""
    until: int
    """The bit of the last receive that a later send can make a difference to."""
    left_over: bool
    """Whether P sends more often here than it receives."""


class _System:
    """The transitions of P;Q and what may follow, a state being one integer.

    After the two bits above, a state has one bit per event of P;Q, set until the event happens,
    and the counters of every lane.
    """

    def __init__(
        self,
        p: StraightLine,
        q: StraightLine,
        later_sends: int,
        later_receives: int,
        watched: set[Channel] | None = None,
    ) -> None:
        """Tell messages of P apart on the channels `watched`, by default on all."""
        if p.n != q.n:
            raise InputError(f"P is over {p.n} processes and Q over {q.n}")
        self.start, self._bits = _ALWAYS | _SEEKING, 2
        self.events = [
            [
                _Placed(event, owner, self._counter(1, 1).unit)
                for owner, share in ((Owner.P, first), (Owner.Q, then))
                for event in share
            ]
            for first, then in zip(p.shares, q.shares, strict=True)
        ]
        self.outstanding = self.start - _ALWAYS
        by_channel: defaultdict[Channel, list[_Placed]] = defaultdict(list)
        for placed in chain.from_iterable(self.events):
            by_channel[placed.event.channel].append(placed)
        self.lanes = {
            channel: self._lane(events, watched is None or channel in watched, later_sends)
            for channel, events in by_channel.items()
        }
        self.processes = [
            self._process(process, events, later_receives) for process, events in enumerate(self.events, 1)
        ]

    def _counter(self, most: int, value: int = 0) -> _Counter:
        """Bits for a number up to `most` that is `value` at the start."""
        width, unit = most.bit_length(), 1 << self._bits
        self._bits += width
        self.start += value * unit
        return _Counter(unit, (unit << width) - unit)

    def _lane(self, events: list[_Placed], watched: bool, later_sends: int) -> _Lane:
        sends = [owner for event, owner, _ in events if event.is_send]
        receives = [(owner, bit) for event, owner, bit in events if not event.is_send]
        receives_of_p = [bit for owner, bit in receives if owner is Owner.P]
        missing = max(0, len(receives) - len(sends))
        from_p = sends.count(Owner.P) if watched else 0
        matters = [bit for _, bit in receives] if missing else receives_of_p if watched else []
        later = missing + later_sends if matters else 0
        return _Lane(
            watched,
            from_p=self._counter(from_p),
            others=self._counter(len(sends) - from_p + later),
            later_sends=self._counter(later, later),
            until=max(matters, default=0),
            left_over=from_p > len(receives_of_p),
        )

    def _process(
        self, process: int, events: list[_Placed], later_receives: int
    ) -> tuple[int, dict[int, list[_Move]]]:
        """The bits of the process's events, and its moves by which of them are set."""
        field = 0
        moves = {0: list(self._later_moves(process, later_receives))}
        for placed in reversed(events):
            field += placed.bit
            moves[field] = list(self._moves(placed))
        return field, moves

    def _moves(self, placed: _Placed) -> Iterator[_Move]:
        """The ways in which an event of P;Q can happen."""
        event, owner, bit = placed
        lane = self.lanes[event.channel]
        if event.is_send:
            messages = lane.from_p if lane.watched and owner is Owner.P else lane.others
            yield _Move(_ALWAYS, _ALWAYS, messages.unit - bit, _SAME, Step(event, owner, None))
            return
        for messages, sender in ((lane.from_p, Owner.P), (lane.others, Owner.LATER)):
            crosses = lane.watched and (owner is Owner.P) != (sender is Owner.P)
            keep = _FOUND if crosses else _SAME
            yield _Move(messages.mask, _ALWAYS, -messages.unit - bit, keep, Step(event, owner, sender))

    def _later_moves(self, process: int, later_receives: int) -> Iterator[_Move]:
        """What can follow, and matter, once the process has finished its share."""
        for channel, lane in self.lanes.items():
            if channel.sender == process and lane.until:
                change = lane.others.unit - lane.later_sends.unit
                step = Step(Event(Kind.SEND, *channel), Owner.LATER, None)
                yield _Move(lane.later_sends.mask, lane.until, change, _SAME, step)
            if channel.receiver == process and lane.left_over and later_receives:
                step = Step(Event(Kind.RECEIVE, *channel), Owner.LATER, Owner.P)
                yield _Move(lane.from_p.mask, _SEEKING, -lane.from_p.unit, _FOUND, step)

    def look_for(self, second: tuple[int, int], *, before: tuple[int, int]) -> None:
        """Look for executions in which P's event `second` happens before its event `before`."""
        process, position = second
        field, moves = self.processes[process - 1]
        not_yet = self.events[before[0] - 1][before[1] - 1].bit
        done = self.events[process - 1][: position - 1]
        alternatives = moves[field - sum(placed.bit for placed in done)]
        alternatives += [move._replace(also=not_yet, keep=_FOUND) for move in alternatives]

    def explore(self) -> list[Step] | None:
        """A complete execution in which what is looked for happens, or None if there is none."""
        reached: dict[int, tuple[int, Step]] = {}
        stack = [self.start]
        while stack:
            state = stack.pop()
            for field, moves in self.processes:
                for need, also, change, keep, step in moves[state & field]:
                    if state & need and state & also:
                        after = (state + change) & keep
                        if after not in reached:
                            reached[after] = state, step
                            if not after & self.outstanding:
                                return self._execution(reached, after)
                            stack.append(after)
        return None

    def _execution(self, reached: dict[int, tuple[int, Step]], state: int) -> list[Step]:
        """The steps that lead from the start to `state`; `reached` has each state's last one."""
        steps = []
        while state != self.start:
            state, step = reached[state]
            steps.append(step)
        return steps[::-1]


def _told_apart(steps: list[Step]) -> Iterator[Step]:
    """The steps, where messages of Q and later ones are told apart: those of Q are taken first."""
    from_q: Counter[Channel] = Counter()
    for event, owner, took in steps:
        if owner is Owner.Q and event.is_send:
            from_q[event.channel] += 1
        if took is Owner.LATER and from_q[event.channel]:
            from_q[event.channel] -= 1
            took = Owner.Q
        yield Step(event, owner, took)
