"""The explorer of the whole language: it executes a program among other events, and looks at what happened.

It goes through the program path by path: see `path_explorer`.  Whether guards and silent cuts hold is left to
`occurrence`.

The same executions are asked for again and again: by programs that have a path in common, in other readings
of the cut, with other programs on the right.  So those of a path are remembered, and those over which a
program occurs; the latest `REMEMBERED` of each.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, product
from typing import Generic, TypeVar, assert_never

from sealcheck.errors import InputError
from sealcheck.oracles.occurrence import ends
from sealcheck.oracles.path_explorer import Around, Execution, Path, PathExplorer, State, paths
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.global_runs import Frontier, Interval
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import (
    Program,
    Receive,
    Send,
    Variable,
    communications,
    named,
    nodes,
    starts_silent,
    variables,
)

T = TypeVar("T")

REMEMBERED = 256


class Remembered(Generic[T]):
    """What an iterator yields, for all who go through it; nothing is computed before somebody gets there.

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
    values: Sequence[int] = (0, 1),
) -> Interval | None:
    """An interval of an execution over which P occurs and Q does not; None if there is none within bounds.

    `outside` is how many events there may be before and after P in all, `values` what variables
    start with and what a message holds where no program says it.  Repetitions of P are unrolled; those
    of Q are not bounded.  Raises InputError as `executions` does.  Exponential in the number of events.
    Source: refinement, in section 2 of the paper.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.notions import seals
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> [find_counterexample(*seals(there, then), 2) is None for then in (back, there)]
    [True, False]
    """
    around = _around([p, q], n, semantics, outside, values)
    found = _occurrences(p, n, semantics, around)
    return next((interval for interval in found if not _occurs(q, interval, semantics)), None)


def executions(
    program: Program,
    n: int,
    semantics: Semantics = PAPER,
    *,
    of: Sequence[Program] = (),
    outside: int = 2,
    values: Sequence[int] = (0, 1),
) -> Iterator[Interval]:
    """Every execution of the paths of a program, once, with the cuts c and d around it.

    The options are those of `find_counterexample`.  Guards and silent cuts are not looked at: `occurs`
    says over which of its executions a program that has some occurs.  But nothing happens before a
    program that starts with a silent cut.  The processes have the variables that the program and
    the programs `of` mention; where these neither say nor store what messages hold, all messages are
    alike.  Raises InputError where a bound is negative, there is no value to start with, or a
    program names a process above n.  Exponential in the number of events.

    >>> from sealcheck.language.parser import parse
    >>> [len(list(executions(parse("snd 1->2"), 2, outside=outside))) for outside in (0, 1)]
    [1, 7]
    """
    return _executions(program, n, semantics.unroll, _around([program, *of], n, semantics, outside, values))


@lru_cache(REMEMBERED)
def _occurrences(program: Program, n: int, semantics: Semantics, around: Around) -> Remembered[Interval]:
    """The executions of a program over which it occurs."""

    def found() -> Iterator[Interval]:
        for interval in _executions(program, n, semantics.unroll, around):
            if _occurs(program, interval, semantics):
                yield interval

    return Remembered(found)


def _occurs(program: Program, interval: Interval, semantics: Semantics) -> bool:
    return interval.d in ends(interval.run, interval.c, program, semantics)


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
    communicating = communications(*programs)
    # Where a program uses a self-channel, others may use it before and after.
    used = {Channel(statement.sender, statement.receiver) for statement in communicating}
    usable = sorted({*channels(n, self_channels=semantics.self_channels), *used})
    initial = tuple(_initial_states(variables(*programs), n, values))
    contents = tuple(values) if any(map(_says_contents, communicating)) else tuple(values[:1])
    # What was sent before a silent cut is received before it, or never: nothing depends on what came before.
    return Around(
        model=semantics.model,
        outside=outside,
        channels=tuple(usable),
        values=contents,
        initial=initial,
        before=not starts_silent(programs[0]),
    )


def _says_contents(statement: Send | Receive) -> bool:
    """Whether a statement says what a message holds, or stores it."""
    match statement:
        case Send(content=content):
            return content is not None
        case Receive(variable=variable):
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


def _initial_states(names: list[Variable], n: int, values: Sequence[int]) -> Iterator[tuple[State, ...]]:
    for chosen in product(values, repeat=len(names)):
        yield tuple(
            tuple((v.name, x) for v, x in zip(names, chosen, strict=True) if v.process == process)
            for process in range(1, n + 1)
        )
