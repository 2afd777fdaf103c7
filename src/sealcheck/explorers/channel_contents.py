"""The explorer of straight-line programs: it executes P;Q and later events, and counts messages on channels.

The explorer uses no program graphs, no causality, no matching functions and no solvers. The *share* of a
process is its part of a program. A message *crosses* the end of P in two cases:

- P sends it, and Q or a later event receives it.
- Q or a later event sends it, and P receives it.

Q *seals* P if no message crosses the end of P in any execution.

**How the paper is read** (section 2). Channels are bags: a receive takes any message of its channel. At the
start, channels are empty, and no message from before the start arrives later. A process that has finished its
share of P;Q may go on with later events, even if other processes have not finished. An execution counts only
if every event of P and Q happens in it. If there is no such execution, all claims about executions hold
vacuously.

**The search.** A state has the position of each process and, for each channel, the number of messages of P
and the number of other messages. The explorer finds all states on ways from the start to the end. Among the
steps between these states, it looks for a receive that takes a crossing message.

**Later events.** Any program may follow P;Q, but the program `environment` is enough. Take a channel c from i
to j. One later receive is enough:

1. A later receive on c matters only if it takes a message of P. Any other message could stay on c, because
   only j receives on c, and j has done its share of P;Q.
2. Suppose that no earlier receive on c takes a crossing message. Then all of P's receives on c take messages
of P, and the later receive takes one more.
3. So P sends more often on c than it receives. In this case, one later receive on c shows that a message
crosses.

One later send is enough, in addition to the sends that P;Q lacks:

1. A later send on c matters only if a receive r of P;Q takes its message. Before the later send, i has done
all its sends of P;Q on c.
2. If P;Q receives on c more often than it sends, `environment` has the missing sends. Otherwise some message
x of P;Q is still on c when r takes the later message.
3. Suppose that r belongs to Q. Exchange the two messages: r takes x, and the receive that took x, if any,
takes the later message. If a message crossed before the exchange, a message crosses after it.
4. So a later send matters only if a receive of P takes its message. One later send on c is enough for this.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import permutations
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, rcv, snd

State = tuple[int, ...]
"""For each process, the number of events that it has done. Then, for each channel, two numbers of messages on
it: first the messages that are not of P, then the messages of P."""


class Move(NamedTuple):
    """A step from one state to another: a process does its next event."""

    before: State
    after: State
    event: Event
    crosses: bool
    """Whether the event receives a message that crosses the end of P."""


def environment(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> StraightLine:
    """A program that follows P;Q, and interferes with P if any program that follows can do so.

    The program has the sends that P;Q lacks. Each channel on which P receives gets `later_sends` more sends.
    Each channel on which P leaves messages gets `later_receives` receives, and as many sends for them. One
    send and one receive are enough.

    >>> print(environment(StraightLine.of(2, mt(1, 2)), StraightLine.of(2)))
    snd 1->2
    """
    received = {event.channel for share in p.shares for event in share if not event.is_send}
    left_over = sorted(channel for channel, excess in p.imbalance.items() if excess > 0)
    sends = Counter({c: -excess for c, excess in p.then(q).imbalance.items() if excess < 0})
    sends.update(dict.fromkeys(received, later_sends))
    sends.update(dict.fromkeys(left_over, later_receives))  # so that a later receive never waits in vain
    receives = [rcv(c.receiver, c.sender) for c in left_over for _ in range(later_receives)]
    return StraightLine.of(p.n, [*(snd(*c) for c in sorted(sends.elements())), *receives])


class _Next(NamedTuple):
    """An event of a process."""

    event: Event
    is_send: bool
    lane: int
    """The index in a state at which the two numbers of the channel begin."""
    of_p: bool


@dataclass(frozen=True)
class Executions:
    """All executions of a program that begins with P. `ends` has the number of each process's events in P."""

    program: StraightLine
    ends: tuple[int, ...]

    @classmethod
    def of(
        cls, p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
    ) -> "Executions":
        """The executions of P;Q and later events. Raises InputError for P and Q over different processes."""
        if p.n != q.n:
            raise InputError(f"P is over {p.n} processes and Q over {q.n}")
        if later_sends < 0 or later_receives < 0:
            raise InputError("the numbers of later sends and receives must be at least 0")
        follows = environment(p, q, later_sends=later_sends, later_receives=later_receives)
        return cls(p.then(q).then(follows), tuple(map(len, p.shares)))

    def moves(self) -> list[Move]:
        """All moves between states that lie on a way from the start to the end."""
        found = list(self._reachable())
        leading_to: defaultdict[State, list[State]] = defaultdict(list)
        for move in found:
            leading_to[move.after].append(move.before)
        complete = tuple(map(len, self.program.shares))
        completing = {state for state in leading_to if state[: self.program.n] == complete}
        pending = list(completing)
        while pending:
            earlier = [state for state in leading_to[pending.pop()] if state not in completing]
            completing.update(earlier)
            pending += earlier
        return [move for move in found if move.after in completing]

    def has_crossing(self) -> bool:
        """Whether a move in `moves` crosses. The search ends with the first such move."""
        nexts, _ = self._nexts()
        complete = tuple(map(len, self.program.shares))
        seen: set[State] = set()
        for move in self._reachable():
            if not move.crosses or move.after in seen:
                continue
            pending = [move.after]
            seen.add(move.after)
            while pending:
                state = pending.pop()
                if state[: self.program.n] == complete:
                    return True
                after = {after for _, after, *_ in _moves(state, nexts)} - seen
                seen |= after
                pending += after
        return False

    def _reachable(self) -> Iterator[Move]:
        nexts, numbers = self._nexts()
        start = (0,) * numbers
        seen, pending = {start}, [start]
        while pending:
            state = pending.pop()
            for move in _moves(state, nexts):
                yield move
                if move.after not in seen:
                    seen.add(move.after)
                    pending.append(move.after)

    def _nexts(self) -> tuple[list[list[_Next]], int]:
        """The events of each process, by position, and the length of a state."""
        used = sorted(self.program.used)
        lane = {channel: self.program.n + 2 * number for number, channel in enumerate(used)}
        nexts = [
            [_Next(event, event.is_send, lane[event.channel], at < end) for at, event in enumerate(share)]
            for share, end in zip(self.program.shares, self.ends, strict=True)
        ]
        return nexts, self.program.n + 2 * len(used)


def _moves(state: State, nexts: list[list[_Next]]) -> Iterator[Move]:
    for process, share in enumerate(nexts):
        if state[process] == len(share):
            continue
        event, is_send, lane, of_p = share[state[process]]
        for message_of_p in (of_p,) if is_send else (False, True):
            number = lane + message_of_p
            if is_send or state[number]:
                after = list(state)
                after[process] += 1
                after[number] += 1 if is_send else -1
                crosses = not is_send and message_of_p != of_p
                yield Move(state, tuple(after), event, crosses)


def crossed_channels(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> frozenset[Channel]:
    """The channels on which a message crosses the end of P in some execution of P;Q and later events.

    P and Q need not be balanced. Raises InputError if P and Q are over different processes. Time and memory
    grow exponentially with the number of processes. Source: the definition of sealing in section 3 ("cut; P;
    Q" refines "P; cut; Q"; "cut" is the silent cut).

    >>> once = StraightLine.of(2, mt(1, 2))
    >>> {str(channel) for channel in crossed_channels(once, once)}
    {'1->2'}
    """
    executions = Executions.of(p, q, later_sends=later_sends, later_receives=later_receives)
    return frozenset(move.event.channel for move in executions.moves() if move.crosses)


def seals(p: StraightLine, q: StraightLine) -> bool:
    """Whether Q seals P: no execution of P;Q and later events has a message that crosses the end of P.

    Raises the errors of `crossed_channels`, and takes as much time. Source: the definition of sealing in
    section 3.

    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))
    True
    >>> seals(StraightLine.of(2, mt(1, 2)), StraightLine.of(2))
    False
    """
    return not Executions.of(p, q).has_crossing()


def closes(p: StraightLine, channel: Channel) -> bool:
    """Whether P closes `channel`: whatever program follows, no message on it crosses the end of P.

    Raises InputError if the channel is not between processes of P. Takes as much time as `crossed_channels`.
    Source: "closes" (section 4).

    >>> program = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    >>> closes(program, Channel(1, 2)), closes(program, Channel(2, 1))
    (True, False)
    """
    if not (1 <= channel.sender <= p.n and 1 <= channel.receiver <= p.n):
        raise InputError(f"channel {channel} is not among the processes 1..{p.n}")
    return channel not in crossed_channels(p, StraightLine.of(p.n))


def can_complete(p: StraightLine) -> bool:
    """Whether P has an execution, if each process may go on sending after its share.

    Takes as much time as `crossed_channels`. Source: the general assumption (section 2).

    >>> waiting = [rcv(2, 1), rcv(1, 2)]
    >>> [can_complete(StraightLine.of(2, waiting[:length])) for length in (1, 2)]
    [True, False]
    """
    return not p.length or bool(Executions.of(p, StraightLine.of(p.n)).moves())


def ordered_pairs(p: StraightLine) -> frozenset[tuple[Place, Place]]:
    """The pairs of events of P whose first event comes before the second in every execution.

    These pairs are causal in every run, by `GraphCause`, but this function uses no causality:

    1. A run stands for all interleavings that respect its causality.
    2. If a run does not order two events, its interleavings have both orders.
    3. So there is a run in which e does not cause f exactly if there is an execution in which f comes before
    e.

    If P has no execution, the result has all pairs. Takes as much time as `crossed_channels`. Source:
    GraphCause.

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


def never_stuck(program: StraightLine) -> bool:
    """Whether no execution gets stuck before the program is done.

    Exponential in the number of processes. Source: the general assumption, in section 2.

    >>> first, second = [snd(1, 2), rcv(1, 2)], [rcv(2, 1), snd(2, 1)]
    >>> never_stuck(StraightLine.of(2, first + second)), never_stuck(StraightLine.of(2, first[::-1] + second))
    (True, False)
    """
    complete = tuple(map(len, program.shares))
    start = (0,) * program.n
    reached, pending = {start}, [start]
    while pending:
        done = pending.pop()
        after = set(_next(program, done))
        if not after and done != complete:
            return False
        pending += after - reached
        reached |= after
    return True


def _next(program: StraightLine, done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The states after one more event. `done` has the number of events that each process has done."""
    happened = Counter(event for share, at in zip(program.shares, done, strict=True) for event in share[:at])
    for process, (share, at) in enumerate(zip(program.shares, done, strict=True)):
        if at < len(share):
            send, receive = mt(*share[at].channel)
            if share[at] == send or happened[send] > happened[receive]:
                yield (*done[:process], at + 1, *done[process + 1 :])


def find_seal(p: StraightLine, max_messages: int) -> StraightLine | None:
    """A seal of P with the fewest messages; None if no seal has at most `max_messages` messages.

    Candidates are sequences of transmissions ``mt``, shortest first, then in lexicographic order. Raises
    DeadlockError if P cannot complete by itself, because every program seals a program without executions.
    Raises InputError if `max_messages` is negative. Explores O((n(n-1))^max_messages) candidates. Source:
    sealability, section 4.

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
        # If a message crosses the end of P even without later sends, no seal begins with this
        # sequence. Take such an execution, and let the other transmissions follow one by one,
        # each received right after its send. All events happen. The crossing message has been
        # received before, or a later event receives it, which may come after them, too.
        hopeful = [q for q in candidates if not Executions.of(p, q, later_sends=0).has_crossing()]
        # Sequences that differ in the order of independent transmissions are one program.
        candidates = list(dict.fromkeys(q.then(each) for q in hopeful for each in transmissions))
    return next((q for q in candidates if seals(p, q)), None)


class Owner(Enum):
    """The layer that an event or a message belongs to."""

    P = "P"
    Q = "Q"
    LATER = "later"


class Step(NamedTuple):
    """One event of an execution."""

    event: Event
    owner: Owner
    """The layer of the event."""
    took: Owner | None
    """For a receive, the layer of the message that it takes."""


def find_interference(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> tuple[Step, ...] | None:
    """An execution in which a message crosses the end of P; None if there is none.

    Two kinds of later events are left out: receives of messages that are not of P, and sends whose messages
    no receive takes. Raises the errors of `crossed_channels`, and takes as much time. Source: the definition
    of sealing in section 3.

    >>> once = StraightLine.of(2, mt(1, 2))
    >>> for event, owner, took in find_interference(once, once, later_sends=0):
    ...     print(owner.value, event, took and took.value)
    P snd 1->2 None
    Q snd 1->2 None
    P rcv 2<-1 Q
    Q rcv 2<-1 P
    """
    executions = Executions.of(p, q, later_sends=later_sends, later_receives=later_receives)
    moves = executions.moves()
    crossing = next((move for move in moves if move.crosses), None)
    if crossing is None:
        return None
    following: defaultdict[State, list[Move]] = defaultdict(list)
    for move in moves:
        following[move.before].append(move)
    start = moves[0].before
    complete = tuple(map(len, executions.program.shares))
    there = _path(following, start, crossing.before.__eq__)
    onwards = _path(following, crossing.after, lambda state: state[: p.n] == complete)
    return tuple(_needed(list(_steps([*there, crossing, *onwards], p, q))))


def _path(following: dict[State, list[Move]], start: State, is_goal: Callable[[State], bool]) -> list[Move]:
    arriving: dict[State, Move | None] = {start: None}
    pending = [start]
    while not is_goal(state := pending.pop()):
        for move in following[state]:
            if move.after not in arriving:
                arriving[move.after] = move
                pending.append(move.after)
    path: list[Move] = []
    while (last := arriving[state]) is not None:
        path.append(last)
        state = last.before
    return path[::-1]


def _steps(moves: list[Move], p: StraightLine, q: StraightLine) -> Iterator[Step]:
    """The moves with their layers.

    A state does not distinguish messages of Q from later messages. As long as a message of Q is on a channel,
    receives that take no message of P count as taking messages of Q.
    """
    from_q: Counter[Channel] = Counter()
    for move in moves:
        process = move.event.process - 1
        at = move.before[process]
        past_p = len(p.shares[process])
        owner = Owner.P if at < past_p else Owner.Q if at < past_p + len(q.shares[process]) else Owner.LATER
        channel, took = move.event.channel, None
        if move.event.is_send:
            from_q[channel] += owner is Owner.Q
        elif (owner is Owner.P) != move.crosses:
            took = Owner.P
        else:
            took = Owner.Q if from_q[channel] else Owner.LATER
            from_q[channel] -= took is Owner.Q
        yield Step(move.event, owner, took)


def _needed(steps: list[Step]) -> Iterator[Step]:
    """Leave out later receives that take no message of P, and later sends that nothing receives."""
    kept = [s for s in steps if s.owner is not Owner.LATER or s.took in (None, Owner.P)]
    wanted = Counter(s.event.channel for s in kept if s.took is Owner.LATER)
    for step in kept:
        if step.owner is not Owner.LATER or step.took is not None:
            yield step
        elif wanted[step.event.channel]:
            wanted[step.event.channel] -= 1
            yield step
