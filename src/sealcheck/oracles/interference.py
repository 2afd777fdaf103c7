"""An execution in which a message crosses the end of P, step by step: it shows that Q does not seal P."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from sealcheck.oracles.moves import Executions, Move, State
from sealcheck.programs.events import Channel, Event
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
    """An execution in which a message crosses the end of P, or None where there is none.

    Later events that have nothing to do with that are left out.  Raises InputError and takes time as
    `explorer.crossed_channels` does.  Source: the definition of sealing in section 3.

    >>> from sealcheck.programs.events import mt
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
    """Moves that lead from a state to one that is the goal."""
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
    """The moves with their layers.  A message that is not P's is taken for one of Q while there are any."""
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
    """The steps without later receives that take no message of P, and later sends that nobody receives."""
    kept = [s for s in steps if s.owner is not Owner.LATER or s.took in (None, Owner.P)]
    wanted = Counter(s.event.channel for s in kept if s.took is Owner.LATER)
    for step in kept:
        if step.owner is not Owner.LATER or step.took is not None:
            yield step
        elif wanted[step.event.channel]:
            wanted[step.event.channel] -= 1
            yield step
