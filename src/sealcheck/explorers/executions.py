"""The explorer of the whole language: it executes a program, path by path, among other events.

The explorer uses no graph, no causality and no solver. A *path* resolves all choices and repetitions of a
program. Each process has a *share* of the path: the statements that it performs. Before and after its share,
a process may do *outside events*, which do not belong to the path. Channels are bags or, in the FIFO model,
queues. The matching records which receive took which message.

The path is executed between two cuts, c and d. A *cut* is a number of events for each process. As in the
paper, c and d may be any cuts, because processes do not wait for each other. The module `occurrence` decides
whether guards and silent cuts hold.

The executions of the latest `REMEMBERED` paths are kept, because several questions need them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, product
from typing import Generic, NamedTuple, TypeVar, assert_never

from sealcheck.errors import InputError
from sealcheck.explorers.occurrence import OneEvent, inside, occurs, performer, value
from sealcheck.programs import syntax
from sealcheck.programs.runs import Frontier, GlobalRun, Interval, LocalEvent, Place
from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.programs.straight_line import Channel, channels, rcv, snd
from sealcheck.programs.syntax import Program, communications, layered, named, nodes, starts_silent, variables

Path = tuple[tuple[OneEvent, ...], ...]
"""For each process the statements that it performs."""

State = tuple[tuple[str, int], ...]


class Step(NamedTuple):
    """A step of a process: its event, the state after it and, for a receive, the matching send."""

    local: LocalEvent
    state: State
    took: Place | None = None


class Execution(NamedTuple):
    """The steps of each process so far. Interleavings of the same steps are equal."""

    initial: tuple[State, ...]
    steps: tuple[tuple[Step, ...], ...]
    begun: Frontier
    """For each process, the number of its steps before its share; -1 if it has not begun its share. At the
    end of the execution, these numbers are the cut c."""
    left: int
    """The number of further outside events that may happen."""

    def interval(self, path: Path) -> Interval:
        """The run, and the cuts between which the path was executed."""
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
    """The surroundings of a program: outside events, their channels, and the contents of messages."""

    model: ChannelModel
    outside: int
    channels: tuple[Channel, ...]
    values: tuple[int, ...]
    initial: tuple[tuple[State, ...], ...]
    """The possible initial states of all processes."""
    before: bool
    """Whether outside events may come before the program."""


def paths(program: Program, n: int, unroll: int) -> set[Path]:
    """The paths of a program over the processes 1..n, with at most `unroll` iterations of each repetition.

    >>> len(paths(syntax.Repetition(syntax.Send(1, 2)), 2, unroll=3))
    4
    """
    match program:
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            return {tuple((program,) if performer(program) == k else () for k in range(1, n + 1))}
        case syntax.Layering(parts):
            found = _nothing(n)
            for part in parts:
                found = _joined(found, paths(part, n, unroll))
            return found
        case syntax.Choice(alternatives):
            return {path for alternative in alternatives for path in paths(alternative, n, unroll)}
        case syntax.Repetition(body):
            once = paths(body, n, unroll)
            found = latest = _nothing(n)
            for _ in range(unroll):
                latest = _joined(latest, once)
                found = found | latest
            return found
        case syntax.Eps() | syntax.Guard() | syntax.Cut():
            return _nothing(n)
        case _:
            assert_never(program)


def _nothing(n: int) -> set[Path]:
    return {((),) * n}


def _joined(firsts: set[Path], seconds: set[Path]) -> set[Path]:
    return {tuple(a + b for a, b in zip(x, y, strict=True)) for x in firsts for y in seconds}


class PathExplorer:
    """The search through all ways to execute one path."""

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
            shares = zip(execution.begun, execution.steps, self.path, strict=True)
            if all(begun >= 0 and len(steps) - begun >= len(share) for begun, steps, share in shares):
                yield execution
            for after in self._moves(execution):
                if after not in seen:
                    seen.add(after)
                    pending.append(after)

    def _moves(self, execution: Execution) -> Iterator[Execution]:
        """The next moves: a process begins its share, does the next event in it, or does an outside event."""
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
        state = _state(execution, process)
        match statement:
            case syntax.Assignment(target, expression):
                yield Step(LocalEvent(), _stored(state, target, value(expression, dict(state))))
            case syntax.Send(sender, receiver, content):
                for sent in self.around.values if content is None else (value(content, dict(state)),):
                    yield Step(LocalEvent(snd(sender, receiver), sent), state)
            case syntax.Receive(receiver, sender, variable):
                for source, held in self._waiting(execution, Channel(sender, receiver)):
                    after = state if variable is None else _stored(state, variable, held)
                    yield Step(LocalEvent(rcv(receiver, sender), held), after, source)
            case _:
                assert_never(statement)

    def _anything(self, execution: Execution, process: int) -> Iterator[Step]:
        state = _state(execution, process)
        for channel in self.around.channels:
            if channel.sender == process:
                for content in self.around.values:
                    yield Step(LocalEvent(snd(*channel), content), state)
            if channel.receiver == process:
                for source, content in self._waiting(execution, channel):
                    yield Step(LocalEvent(rcv(process, channel.sender), content), state, source)

    def _waiting(self, execution: Execution, channel: Channel) -> list[tuple[Place, int]]:
        """The messages that a receive on the channel can take: all in a bag, or the first in a queue."""
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


def _stored(state: State, variable: syntax.Variable, new: int) -> State:
    return tuple((name, new if name == variable.name else old) for name, old in state)


T = TypeVar("T")

REMEMBERED = 256

VALUES = (0, 1)
"""The default initial values of variables and contents of messages."""


class Remembered(Generic[T]):
    """The items of an iterator for several readers. An item is computed when a reader first needs it.

    >>> squares = Remembered(lambda: (number * number for number in range(3)))
    >>> list(squares), list(squares)
    ([0, 1, 4], [0, 1, 4])
    """

    def __init__(self, start: Callable[[], Iterator[T]]) -> None:
        self._start, self._source, self._found = start, start(), list[T]()

    def __iter__(self) -> Iterator[T]:
        for at in count():
            if at == len(self._found):
                try:
                    self._found.append(next(self._source))
                except StopIteration:
                    return
                except BaseException:
                    # An iterator that failed looks like one at its end: begin again.
                    self._source, self._found = self._start(), []
                    raise
            yield self._found[at]


def find_counterexample(
    p: Program,
    q: Program,
    n: int,
    semantics: Semantics = PAPER,
    *,
    outside: int = 2,
    values: Sequence[int] = VALUES,
) -> Interval | None:
    """A counterexample to "P refines Q": an interval of an execution over which P occurs and Q does not.

    Returns None if there is no counterexample within the bounds. `outside` limits the total number of outside
    events. `values` are the possible initial values of variables, and the possible contents of a message if
    the programs do not give its content. Repetitions of P are unrolled as `semantics` says. Repetitions of Q
    are not bounded. Raises InputError as `executions` does. Exponential in the number of events. Source:
    refinement, in section 2 of the paper.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.syntax import seals
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> [find_counterexample(*seals(there, then), 2) is None for then in (back, there)]
    [True, False]
    """
    around = _around([p, q], n, semantics, outside, values)
    found = _occurrences(p, n, semantics, around)
    return next((interval for interval in found if not occurs(*interval, q, semantics)), None)


def executions(
    program: Program, n: int, semantics: Semantics = PAPER, *, outside: int = 2
) -> Iterator[Interval]:
    """Every execution of the paths of a program, once, with the cuts c and d around the path.

    The options are the options of `find_counterexample`. Guards and silent cuts are not evaluated, with one
    exception: if the program starts with a silent cut, no outside event comes before the program. If no send
    gives a content and no receive stores a content, all messages have equal contents. Raises InputError if a
    bound is negative, or if the program names a process above n. Exponential in the number of events.

    >>> from sealcheck.language.parser import parse
    >>> [len(list(executions(parse("snd 1->2"), 2, outside=outside))) for outside in (0, 1)]
    [1, 7]
    """
    return _executions(program, n, semantics.unroll, _around([program], n, semantics, outside, VALUES))


@lru_cache(REMEMBERED)
def _occurrences(program: Program, n: int, semantics: Semantics, around: Around) -> Remembered[Interval]:
    def found() -> Iterator[Interval]:
        for interval in _executions(program, n, semantics.unroll, around):
            if occurs(*interval, program, semantics):
                yield interval

    return Remembered(found)


def _executions(program: Program, n: int, unroll: int, around: Around) -> Iterator[Interval]:
    found: set[tuple[Execution, Frontier]] = set()
    for path in sorted(paths(program, n, unroll), key=repr):
        for execution, interval in _executions_of_path(path, around):
            if (execution, interval.d) not in found:
                found.add((execution, interval.d))
                yield interval


@lru_cache(REMEMBERED)
def _executions_of_path(path: Path, around: Around) -> Remembered[tuple[Execution, Interval]]:
    explorer = PathExplorer(path, around)
    return Remembered(lambda: ((found, found.interval(path)) for found in explorer.executions()))


def _around(
    programs: Sequence[Program], n: int, semantics: Semantics, outside: int, values: Sequence[int]
) -> Around:
    _require_bounds(programs, n, outside, semantics.unroll, values)
    communicating, names = communications(*programs), variables(*programs)
    # If a program uses a self-channel, outside events may use it, too.
    used = {Channel(statement.sender, statement.receiver) for statement in communicating}
    return Around(
        model=semantics.model,
        outside=outside,
        channels=tuple(sorted({*channels(n, self_channels=semantics.self_channels), *used})),
        values=tuple(values) if any(map(_says_contents, communicating)) else tuple(values[:1]),
        initial=tuple(
            tuple(
                tuple((v.name, x) for v, x in zip(names, chosen, strict=True) if v.process == process)
                for process in range(1, n + 1)
            )
            for chosen in product(values, repeat=len(names))
        ),
        # A message that is sent before a silent cut is received before the cut, or never.
        before=not starts_silent(programs[0]),
    )


def _says_contents(statement: syntax.Send | syntax.Receive) -> bool:
    match statement:
        case syntax.Send(content=content):
            return content is not None
        case syntax.Receive(variable=variable):
            return variable is not None
        case _:
            assert_never(statement)


def _require_bounds(
    programs: Sequence[Program], n: int, outside: int, unroll: int, values: Sequence[int]
) -> None:
    for name, bound in (("events outside", outside), ("iterations", unroll)):
        if bound < 0:
            raise InputError(f"the number of {name} must be at least 0, not {bound}")
    if not values:
        raise InputError("there must be at least one value for variables and messages to start with")
    for process in (process for program in programs for node in nodes(program) for process in named(node)):
        if not 1 <= process <= n:
            raise InputError(f"process {process} is named, but n is {n}")


def endings(
    program: Program, n: int, semantics: Semantics = PAPER, *, outside: int = 1
) -> Iterator[Interval]:
    """The intervals over which the program occurs, in executions that start with empty channels.

    Source: "balanced", in section `sec:rel`.

    >>> [run.matching for run, c, d in endings(syntax.Send(1, 2), 2, outside=0)]
    [{}]
    """
    found = executions(layered(syntax.Cut(), program), n, semantics, outside=outside)
    return (interval for interval in found if occurs(*interval, program, semantics))


def lopsided(run: GlobalRun, d: Frontier) -> frozenset[Channel]:
    """The channels on which the numbers of sends and receives before the cut differ.

    Source: "balanced", in section `sec:rel`.

    >>> {str(channel) for run, c, d in endings(syntax.Send(1, 2), 2) for channel in lopsided(run, d)}
    {'1->2'}
    """

    def number(channel: Channel, *, sends: bool) -> int:
        return sum(inside(place, d) for place in run.places(channel, sends=sends))

    return frozenset(c for c in channels(run.n) if number(c, sends=True) != number(c, sends=False))


def crossing(run: GlobalRun, d: Frontier) -> frozenset[Channel]:
    """The channels on which a message is sent before the cut and received after the cut, or the reverse.

    Source: the silent cut, in section 2.

    >>> {str(channel) for run, c, d in endings(syntax.Send(1, 2), 2) for channel in crossing(run, d)}
    {'1->2'}
    """
    crossing = (pair for pair in run.matching.items() if len({inside(place, d) for place in pair}) > 1)
    return frozenset(Channel(send.process, receive.process) for receive, send in crossing)
