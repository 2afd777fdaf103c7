"""The explorer of the whole language: it plays a program among other events, and looks at what happened.

It knows no graph, no causality and no solver.  Processes take turns; each may do something of its own,
then its share of the program along one of the program's paths, then again something of its own.
Messages lie in bags, or in queues for FIFO.  Who took what is the matching.  Whether guards and
silent cuts hold is left to `occurrence`.

That each process goes on by itself makes the cuts around the program arbitrary, as in the paper:
what one does before its share may come after what another does in its own, or even later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import product

from sealcheck.errors import InputError
from sealcheck.occurrence import Statement, occurs, performer, value
from sealcheck.programs.events import Channel, channels, rcv, snd
from sealcheck.programs.global_runs import Cut, CutReading, GlobalRun, LocalEvent, Model
from sealcheck.programs.runs import Place
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    Variable,
)

Path = tuple[tuple[Statement, ...], ...]
"""For each process the statements that it performs."""

State = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class _Step:
    """What a process has done: the event, the state after it, and for a receive the send it took."""

    local: LocalEvent
    state: State
    took: Place | None = None


@dataclass(frozen=True)
class _Played:
    """What has happened so far.  Two interleavings of the same local steps are the same.

    In the end `begun` is the cut c.
    """

    initial: tuple[State, ...]
    steps: tuple[tuple[_Step, ...], ...]
    begun: Cut
    """How many steps each process made before its share; -1 where it may still make some."""
    left: int
    """How many more events there may be outside."""

    def run(self) -> GlobalRun:
        """As a run."""
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
        return GlobalRun(tuple(tuple(s.local for s in steps) for steps in self.steps), states, matching)


def refuted_by_playing(
    p: Program,
    q: Program,
    n: int,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    outside: int = 2,
    values: Sequence[int] = (0, 1),
    unroll: int = 2,
) -> tuple[GlobalRun, Cut, Cut] | None:
    """A play over which P occurs and Q does not, or None if there is none within the bounds.

    `outside` is how many events there may be before and after P in all, `values` what variables
    start with and what a message holds where no program says it, `unroll` the most iterations of a
    repetition of P; those of Q are not bounded.  Raises InputError as `plays` does.  Exponential in
    the number of events.  Source: refinement, in section 2 of the paper.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.notions import seals
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> [refuted_by_playing(*seals(there, then), 2) is None for then in (back, there)]
    [True, False]
    """
    plays_of_p = plays(p, n, of=[p, q], model=model, outside=outside, values=values, unroll=unroll)
    for run, c, d in plays_of_p:
        if occurs(run, c, d, p, reading=reading) and not occurs(run, c, d, q, reading=reading):
            return run, c, d
    return None


def plays(
    program: Program,
    n: int,
    *,
    of: Sequence[Program] = (),
    model: Model = Model.REL,
    outside: int = 2,
    values: Sequence[int] = (0, 1),
    unroll: int = 2,
) -> Iterator[tuple[GlobalRun, Cut, Cut]]:
    """Every play of the paths of a program, once, with the cuts c and d around it.

    The options are those of `refuted_by_playing`.  Guards and silent cuts are not looked at: `occurs`
    tells over which of its plays a program that has some occurs.  The processes have the variables
    that the program and the programs `of` mention; where these mention no data, all messages are
    alike.  Raises InputError where a bound is negative, there is no value to start with, or a
    program names a process above n.  Exponential in the number of events.

    >>> from sealcheck.language.parser import parse
    >>> [len(list(plays(parse("snd 1->2"), 2, outside=outside))) for outside in (0, 1)]
    [1, 7]
    """
    every = (program, *of)
    _require_bounds(every, n, outside, unroll, values)
    variables = {node for node in _nodes(every) if isinstance(node, Variable)}
    if not variables and all(node.content is None for node in _nodes(every) if isinstance(node, Send)):
        values = values[:1]
    # Where a program uses a self-channel, others may use it before and after.
    used = {Channel(node.sender, node.receiver) for node in _nodes(every) if isinstance(node, Send | Receive)}
    usable = sorted({*channels(n), *used})
    found: set[tuple[_Played, Cut]] = set()
    for path in sorted(paths(program, n, unroll), key=repr):
        player = _Player(path, usable, model, values)
        for initial in _initial_states(variables, n, values):
            for played in player.plays(_Played(initial, ((),) * n, (-1,) * n, outside)):
                d = tuple(at + len(share) for at, share in zip(played.begun, path, strict=True))
                if (played, d) not in found:
                    found.add((played, d))
                    yield played.run(), played.begun, d


def _require_bounds(
    programs: Sequence[Program], n: int, outside: int, unroll: int, values: Sequence[int]
) -> None:
    for name, bound in (("events outside", outside), ("iterations", unroll)):
        if bound < 0:
            raise InputError(f"the number of {name} must be at least 0, not {bound}")
    if not values:
        raise InputError("there must be at least one value for variables and messages to start with")
    for process in (process for node in _nodes(tuple(programs)) for process in _named(node)):
        if not 1 <= process <= n:
            raise InputError(f"process {process} is named, but n is {n}")


def _initial_states(variables: set[Variable], n: int, values: Sequence[int]) -> Iterator[tuple[State, ...]]:
    names = sorted(variables, key=lambda variable: (variable.process, variable.name))
    for chosen in product(values, repeat=len(names)):
        yield tuple(
            tuple((v.name, x) for v, x in zip(names, chosen, strict=True) if v.process == process)
            for process in range(1, n + 1)
        )


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
        case _:
            return _nothing(n)


def _nothing(n: int) -> set[Path]:
    return {((),) * n}


def _joined(firsts: set[Path], seconds: set[Path]) -> set[Path]:
    return {tuple(a + b for a, b in zip(x, y, strict=True)) for x in firsts for y in seconds}


class _Player:
    """Plays one path."""

    def __init__(self, path: Path, usable: Sequence[Channel], model: Model, values: Sequence[int]) -> None:
        self.path, self.channels, self.model, self.values = path, usable, model, values

    def plays(self, start: _Played) -> Iterator[_Played]:
        """All plays that go through the whole path."""
        seen = {start}
        pending = [start]
        while pending:
            played = pending.pop()
            if self._is_complete(played):
                yield played
            for after in self._moves(played):
                if after not in seen:
                    seen.add(after)
                    pending.append(after)

    def _is_complete(self, played: _Played) -> bool:
        return all(
            begun >= 0 and len(steps) - begun >= len(share)
            for begun, steps, share in zip(played.begun, played.steps, self.path, strict=True)
        )

    def _moves(self, played: _Played) -> Iterator[_Played]:
        for process in range(1, len(self.path) + 1):
            begun, done = played.begun[process - 1], len(played.steps[process - 1])
            share = self.path[process - 1]
            if begun < 0:
                starting = (*played.begun[: process - 1], done, *played.begun[process:])
                yield _Played(played.initial, played.steps, starting, played.left)
            if begun >= 0 and done - begun < len(share):
                for step in self._performing(played, process, share[done - begun]):
                    yield self._with(played, process, step, played.left)
            elif played.left:
                for step in self._anything(played, process):
                    yield self._with(played, process, step, played.left - 1)

    @staticmethod
    def _with(played: _Played, process: int, step: _Step, left: int) -> _Played:
        own = (*played.steps[process - 1], step)
        steps = (*played.steps[: process - 1], own, *played.steps[process:])
        return _Played(played.initial, steps, played.begun, left)

    def _state(self, played: _Played, process: int) -> State:
        steps = played.steps[process - 1]
        return steps[-1].state if steps else played.initial[process - 1]

    def _performing(self, played: _Played, process: int, statement: Statement) -> Iterator[_Step]:
        """The ways in which a process can perform a statement of the program now."""
        state = self._state(played, process)
        match statement:
            case Assignment(target, expression):
                yield _Step(LocalEvent(), _stored(state, target, value(expression, dict(state))))
            case Send(sender, receiver, content):
                for sent in self.values if content is None else (value(content, dict(state)),):
                    yield _Step(LocalEvent(snd(sender, receiver), sent), state)
            case Receive(receiver, sender, variable):
                for source, held in self._waiting(played, Channel(sender, receiver)):
                    after = state if variable is None else _stored(state, variable, held)
                    yield _Step(LocalEvent(rcv(receiver, sender), held), after, source)

    def _anything(self, played: _Played, process: int) -> Iterator[_Step]:
        """What a process can do outside the program."""
        state = self._state(played, process)
        for channel in self.channels:
            if channel.sender == process:
                yield from (_Step(LocalEvent(snd(*channel), content), state) for content in self.values)
            if channel.receiver == process:
                for source, content in self._waiting(played, channel):
                    yield _Step(LocalEvent(rcv(process, channel.sender), content), state, source)

    def _waiting(self, played: _Played, channel: Channel) -> list[tuple[Place, int]]:
        """The messages that a receive on the channel can take: any of the bag, or the head of the queue."""
        taken = {step.took for step in played.steps[channel.receiver - 1]}
        sent = snd(*channel)
        waiting = [
            (Place(channel.sender, position), step.local.content)
            for position, step in enumerate(played.steps[channel.sender - 1], 1)
            if step.local.event == sent and Place(channel.sender, position) not in taken
        ]
        return waiting[:1] if self.model is Model.REL_FIFO else waiting


def _stored(state: State, variable: Variable, new: int) -> State:
    return tuple((name, new if name == variable.name else old) for name, old in state)


def _nodes(node: object) -> Iterator[object]:
    """The nodes of a syntax tree, or of several."""
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from _nodes(getattr(node, field.name))


def _named(node: object) -> tuple[int, ...]:
    """The processes that a node itself names."""
    match node:
        case Variable(process):
            return (process,)
        case Send(sender, receiver) | Receive(receiver, sender):
            return sender, receiver
        case _:
            return ()
