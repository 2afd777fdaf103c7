"""Goes through one path of a program in all ways, among other events.

It knows no graph, no causality and no solver.  Processes take turns; each may do something of its own,
then its share of the path, then again something of its own.  Messages lie in bags, or in queues for
FIFO.  Who took what is the matching.

That each process goes on by itself makes the cuts around the path arbitrary, as in the paper:
what one does before its share may come after what another does in its own, or even later.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from sealcheck.oracles.occurrence import OneEvent, performer, value
from sealcheck.programs.events import Channel, rcv, snd
from sealcheck.programs.global_runs import Frontier, GlobalRun, Interval, LocalEvent
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    Variable,
)

Path = tuple[tuple[OneEvent, ...], ...]
"""For each process the statements that it performs."""

State = tuple[tuple[str, int], ...]


class Step(NamedTuple):
    """What a process has done: the event, the state after it, and for a receive the send it took."""

    local: LocalEvent
    state: State
    took: Place | None = None


class Execution(NamedTuple):
    """What has happened so far.  Two interleavings of the same local steps are the same."""

    initial: tuple[State, ...]
    steps: tuple[tuple[Step, ...], ...]
    begun: Frontier
    """How many steps each process made before its share; -1 where it may still make some.  In the end, c."""
    left: int
    """How many more events there may be outside."""

    def interval(self, path: Path) -> Interval:
        """The interval in which the path was gone through."""
        states = tuple(
            tuple(map(dict, (first, *(step.state for step in steps))))
            for first, steps in zip(self.initial, self.steps, strict=True)
        )
        matching = {
            Place(process, position): step.took
            for process, steps in enumerate(self.steps, 1)
            for position, step in enumerate(steps, 1)
            if step.took is not None
        }
        run = GlobalRun(tuple(tuple(step.local for step in steps) for steps in self.steps), states, matching)
        end = tuple(at + len(share) for at, share in zip(self.begun, path, strict=True))
        return Interval(run, self.begun, end)


@dataclass(frozen=True, kw_only=True)
class Around:
    """What there may be beside a program: so many events outside, on these channels, with these values."""

    model: ChannelModel
    outside: int
    channels: tuple[Channel, ...]
    values: tuple[int, ...]
    initial: tuple[tuple[State, ...], ...]
    """The states in which the processes may start."""
    before: bool
    """Whether some of the events may come before the program."""


def paths(program: Program, n: int, unroll: int) -> set[Path]:
    """The statements of the processes 1..n along the paths of a program, at most `unroll` iterations long.

    >>> len(paths(Repetition(Send(1, 2)), 2, unroll=3))
    4
    """
    match program:
        case Assignment() | Send() | Receive():
            return {tuple((program,) if performer(program) == k else () for k in range(1, n + 1))}
        case Layering(parts):
            found = _nothing(n)
            for part in parts:
                found = _joined(found, paths(part, n, unroll))
            return found
        case Choice(alternatives):
            return {path for alternative in alternatives for path in paths(alternative, n, unroll)}
        case Repetition(body):
            once = paths(body, n, unroll)
            found = latest = _nothing(n)
            for _ in range(unroll):
                latest = _joined(latest, once)
                found = found | latest
            return found
        case Eps() | Guard() | Cut():
            return _nothing(n)
        case _:
            assert_never(program)


def _nothing(n: int) -> set[Path]:
    return {((),) * n}


def _joined(firsts: set[Path], seconds: set[Path]) -> set[Path]:
    return {tuple(a + b for a, b in zip(x, y, strict=True)) for x in firsts for y in seconds}


class PathExplorer:
    """Goes through one path in all ways."""

    def __init__(self, path: Path, around: Around) -> None:
        self.path, self.around = path, around

    def executions(self) -> Iterator[Execution]:
        """All executions of the whole path."""
        nothing = ((),) * len(self.path)
        begun = (-1 if self.around.before else 0,) * len(self.path)
        pending = [Execution(initial, nothing, begun, self.around.outside) for initial in self.around.initial]
        seen = set(pending)
        while pending:
            execution = pending.pop()
            if self._is_complete(execution):
                yield execution
            for after in self._moves(execution):
                if after not in seen:
                    seen.add(after)
                    pending.append(after)

    def _is_complete(self, execution: Execution) -> bool:
        return all(
            begun >= 0 and len(steps) - begun >= len(share)
            for begun, steps, share in zip(execution.begun, execution.steps, self.path, strict=True)
        )

    def _moves(self, execution: Execution) -> Iterator[Execution]:
        """What may happen next: a process begins its share, goes on with it, or does something of its own."""
        initial, steps, begun, left = execution
        for process, share in enumerate(self.path, 1):
            at, done = begun[process - 1], len(steps[process - 1])
            if at < 0:
                yield Execution(initial, steps, (*begun[: process - 1], done, *begun[process:]), left)
            if at >= 0 and done - at < len(share):
                for step in self._performing(execution, process, share[done - at]):
                    yield Execution(initial, _and_then(steps, process, step), begun, left)
            elif left:
                for step in self._anything(execution, process):
                    yield Execution(initial, _and_then(steps, process, step), begun, left - 1)

    def _performing(self, execution: Execution, process: int, statement: OneEvent) -> Iterator[Step]:
        """The ways in which a process can perform a statement of the program now."""
        state = _state(execution, process)
        match statement:
            case Assignment(target, expression):
                yield Step(LocalEvent(), _stored(state, target, value(expression, dict(state))))
            case Send(sender, receiver, content):
                for sent in self.around.values if content is None else (value(content, dict(state)),):
                    yield Step(LocalEvent(snd(sender, receiver), sent), state)
            case Receive(receiver, sender, variable):
                for source, held in self._waiting(execution, Channel(sender, receiver)):
                    after = state if variable is None else _stored(state, variable, held)
                    yield Step(LocalEvent(rcv(receiver, sender), held), after, source)
            case _:
                assert_never(statement)

    def _anything(self, execution: Execution, process: int) -> Iterator[Step]:
        """What a process can do outside the program."""
        state = _state(execution, process)
        for channel in self.around.channels:
            if channel.sender == process:
                for content in self.around.values:
                    yield Step(LocalEvent(snd(*channel), content), state)
            if channel.receiver == process:
                for source, content in self._waiting(execution, channel):
                    yield Step(LocalEvent(rcv(process, channel.sender), content), state, source)

    def _waiting(self, execution: Execution, channel: Channel) -> list[tuple[Place, int]]:
        """The messages that a receive on the channel can take: any of the bag, or the head of the queue."""
        taken = {step.took for step in execution.steps[channel.receiver - 1]}
        sent = snd(*channel)
        waiting = [
            (place, step.local.content)
            for position, step in enumerate(execution.steps[channel.sender - 1], 1)
            if step.local.event == sent and (place := Place(channel.sender, position)) not in taken
        ]
        match self.around.model:
            case ChannelModel.REL:
                return waiting
            case ChannelModel.REL_FIFO:
                return waiting[:1]
            case other:
                assert_never(other)


def _state(execution: Execution, process: int) -> State:
    steps = execution.steps[process - 1]
    return steps[-1].state if steps else execution.initial[process - 1]


def _and_then(steps: tuple[tuple[Step, ...], ...], process: int, step: Step) -> tuple[tuple[Step, ...], ...]:
    return (*steps[: process - 1], (*steps[process - 1], step), *steps[process:])


def _stored(state: State, variable: Variable, new: int) -> State:
    return tuple((name, new if name == variable.name else old) for name, old in state)
