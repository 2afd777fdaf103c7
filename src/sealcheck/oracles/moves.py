"""What can happen in executions of P;Q and what follows, state by state.

A state is how far each process is, and how many messages of P, and how many others, each channel
holds.  So there are three steps, one after the other: all states that can be reached, those of
them from which the end can be reached, and what crosses the end of P on the way from one of these
to the next.

Any program may follow P;Q.  Of all that may, the `environment` is enough, by counting messages on
a channel c from i to j:

* A later receive on c matters only when it takes a message of P.  Another message it could as
  well have left in c, because only j takes messages from c and j has no event of P;Q left.  As
  long as no receive has taken a wrong message, j's receives of P have all taken messages of P, so
  P must send more often on c than it receives.  And one such receive settles the question.
* A later send on c matters only when a receive of P;Q takes its message.  By then i has done all
  its sends on c.  If P;Q receives on c no more often than it sends, one of those messages is
  still there, and a receive of Q may as well take that one: what would have taken that one takes
  the later message, and interference is still interference.  So only a receive of P matters.  If
  P;Q receives on c more often, each complete execution needs as many later sends as are missing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.events import Event, rcv, snd
from sealcheck.programs.straight_line import StraightLine

State = tuple[int, ...]
"""How many events each process has done; then what the channels hold: of each, how many messages that are
not P's, and how many of P's."""


class Move(NamedTuple):
    """A process does its next event; a receive takes a message of P, or one that is not P's."""

    before: State
    after: State
    event: Event
    crosses: bool
    """Whether a message crosses the end of P: is sent on one side of it, and received on the other."""


def environment(
    p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
) -> StraightLine:
    """What follows P;Q: enough later sends and receives to interfere with P wherever that is possible.

    Beside the sends that P;Q lacks there are so many more on the channels that P receives on, and so many
    receives where P leaves messages over.  One of each is enough: no answer changes when there are more.

    >>> from sealcheck.programs.events import mt
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
    """The event that a process does next."""

    event: Event
    is_send: bool
    lane: int
    """Where a state counts what its channel holds: first messages that are not P's, then P's."""
    of_p: bool


@dataclass(frozen=True)
class Executions:
    """All executions of a program, of which `ends` tells how far P reaches in each process."""

    program: StraightLine
    ends: tuple[int, ...]

    @classmethod
    def of(
        cls, p: StraightLine, q: StraightLine, *, later_sends: int = 1, later_receives: int = 1
    ) -> "Executions":
        """Those of P;Q and what follows.  Raises InputError where they are over different processes."""
        if p.n != q.n:
            raise InputError(f"P is over {p.n} processes and Q over {q.n}")
        if later_sends < 0 or later_receives < 0:
            raise InputError("the numbers of later sends and receives must be at least 0")
        follows = environment(p, q, later_sends=later_sends, later_receives=later_receives)
        return cls(p.then(q).then(follows), tuple(map(len, p.shares)))

    def moves(self) -> list[Move]:
        """What can happen, in every state that can be reached and from which the end can be reached."""
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

    def _reachable(self) -> Iterator[Move]:
        """What can happen in every state that can be reached."""
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
        """By process and position, what is next there; and how many numbers a state has."""
        used = sorted({event.channel for share in self.program.shares for event in share})
        lane = {channel: self.program.n + 2 * number for number, channel in enumerate(used)}
        nexts = [
            [_Next(event, event.is_send, lane[event.channel], at < end) for at, event in enumerate(share)]
            for share, end in zip(self.program.shares, self.ends, strict=True)
        ]
        return nexts, self.program.n + 2 * len(used)


def _moves(state: State, nexts: list[list[_Next]]) -> Iterator[Move]:
    """What can happen in a state: the inner loop of every exploration."""
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
