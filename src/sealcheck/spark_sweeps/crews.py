"""Garbage collection in processes that do nothing but work for another one.

Jobs done together: as much work for each task as is worth a task's own cost.

A bundle goes from process to process packed, and so do its results: whoever only hands them on does not
unpack them.

A process that does jobs for this one: while Spark starts, or where there is too little to do for Spark.

Solvers run there and not here, for they keep Ctrl-C from whoever waits for them.

Who does the jobs of an audit: this process, or helpers beside it; `on_spark` has the third.
"""

import gc
import os
import pickle
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import IO, Any, Protocol, Self, assert_never, cast

from sealcheck.errors import InputError, LimitReached
from sealcheck.questions.asking import Answers, Asked
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    Answered,
    AskLevel,
    CheckInstances,
    CountGrowth,
    DropHypothesis,
    Job,
    Refused,
    Result,
    answer_seconds,
    do,
    seconds,
)
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import Limits, ProcessDied, call_within, cores, end_with_parent
from sealcheck.theorems import own
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally

OBJECTS = 50_000
"""After so many new objects they are looked through: formulas are many and have no cycles."""


@cache
def collect_seldom() -> None:
    """Leave out of every collection what the process has imported, and look through new objects seldom.

    Spark collects after every task, which without the first is a third of what a task costs; without the
    second, collecting is a twentieth of what an audit costs.
    """
    gc.freeze()
    gc.set_threshold(OBJECTS)


PER_TASK = 1.0
"""How many seconds of work one task gets, as far as that is known beforehand."""


@dataclass(frozen=True, eq=False)
class Bundle:
    """Jobs for one task."""

    jobs: tuple[Job, ...]
    seconds: float
    """How long they will probably take."""
    limits: Limits | None = None
    """How far each of them may go."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.jobs))

    def packed(self) -> "Packed":
        """To be done by another process."""
        apart = any(map(_is_own, self.jobs))
        return Packed(pickle.dumps(self), self.limits, weight=round(1000 * self.seconds), apart=apart)


@dataclass(frozen=True, eq=False)
class Packed:
    """A bundle, pickled."""

    bundle: bytes
    limits: Limits | None
    weight: int
    """Its share of the progress: milliseconds."""
    apart: bool = False
    """Whether a file of the user's runs: what it does to its process must not reach other answers."""

    def __str__(self) -> str:
        return str(pickle.loads(self.bundle))


def in_parts(asked: Sequence[Asked[Any]]) -> Iterator[list[Asked[Any]]]:
    """What is asked, in parts of PER_TASK seconds."""
    part: list[Asked[Any]] = []
    takes = 0.0
    for each in asked:
        part.append(each)
        takes += answer_seconds([each])
        if takes >= PER_TASK:
            yield part
            part, takes = [], 0.0
    if part:
        yield part


def bundled(jobs: Sequence[Job], limits: Limits | None) -> list[Bundle]:
    """Bundles of PER_TASK seconds, or of one job that takes longer; those first that take longest.

    Jobs about files of the user's are in bundles of their own.
    """
    bundles: list[Bundle] = []
    for job in sorted(jobs, key=lambda job: (_is_own(job), -seconds(job))):
        takes = seconds(job)
        fits = bundles and bundles[-1].seconds + takes <= PER_TASK
        if fits and _is_own(bundles[-1].jobs[0]) == _is_own(job):
            last = bundles.pop()
            bundles.append(Bundle((*last.jobs, job), last.seconds + takes, limits))
        else:
            bundles.append(Bundle((job,), takes, limits))
    return bundles


def _is_own(job: Job) -> bool:
    return not isinstance(job, AnswerAll) and own.is_own(job.statement)


def do_all(bundle: Bundle) -> list[Result]:
    """Do the jobs of a bundle.  Raises ShardFailed, naming the job that fails."""
    results: list[Result] = []
    for job in bundle.jobs:
        try:
            if _is_own(job):
                with own.blaming("cannot check it"):
                    results.append(do(job))
            else:
                results.append(do(job))
        except InputError as refusal:
            results.append(Refused(f"{job}: {refusal}"))
        except Exception as error:
            raise ShardFailed(f"{job}: {type(error).__name__}: {error}") from error
    return results


def do_packed(packed: Packed) -> bytes:
    """As `do_all`, in a process of its own, if there are limits: the results, pickled.

    Where one is hit, each job is done by itself; and of several questions each one.  What then hits it is
    unknown.  Raises ShardFailed also where that is no result.
    """
    if packed.limits is None:
        return _do_pickled(packed.bundle)
    try:
        return call_within(packed.limits, _do_pickled, packed.bundle, apart=packed.apart)
    except LimitReached:
        bundle: Bundle = pickle.loads(packed.bundle)
        return pickle.dumps(_one_by_one(bundle.jobs, packed.limits))


def _do_pickled(bundle: bytes) -> bytes:
    """The results, pickled, in a process that was made for this."""
    own.run_here()
    return pickle.dumps(do_all(pickle.loads(bundle)))


def _one_by_one(jobs: Sequence[Job], limits: Limits) -> list[Result]:
    """Each job by itself; but a statement that was refused once is not tried again."""
    refused: dict[str, Refused] = {}
    results: list[Result] = []
    for job in jobs:
        about = "" if isinstance(job, AnswerAll) else job.statement
        result = refused.get(about) or _by_itself(job, limits)
        if isinstance(result, Refused):
            refused[about] = result
        results.append(result)
    return results


def _by_itself(job: Job, limits: Limits) -> Result:
    if isinstance(job, AnswerAll) and len(job.asked) > 1:
        parts = [_by_itself(AnswerAll((each,), job.solvers), limits) for each in job.asked]
        return Answered(
            tuple(found for part in parts if isinstance(part, Answered) for found in part.answers)
        )
    try:
        bundle = pickle.dumps(Bundle((job,), 0.0))
        (result,) = pickle.loads(call_within(limits, _do_pickled, bundle, apart=_is_own(job)))
    except ProcessDied as death:
        if _is_own(job):
            return Refused(f"{job}: it ends the process that checks it, or takes too much memory")
        return _unknown(job, str(death))
    except LimitReached as limit:
        return _unknown(job, str(limit))
    return cast(Result, result)


def _unknown(job: Job, limit: str) -> Result:
    """The result of a job that has hit a limit."""
    match job:
        case AnswerAll((asked,), solvers):
            return Answered(
                (Answers(asked, {}, {}, dict.fromkeys(asked.question.oracle_names(solvers), limit)),)
            )
        case AskLevel():
            return Tally(checked=1, unknown=1)
        case DropHypothesis(_, _, n, messages):
            return Ablation(None, n, messages, unknown=True)
        case CheckInstances():
            return Refused(f"{job}: {limit}", limit=True)
        case AnswerAll() | CountGrowth():
            raise ShardFailed(f"{job}: {limit}")
        case _:
            assert_never(job)


# -P: nothing is imported from the folder that somebody happens to be in.
_CHILD = [sys.executable, "-P", "-c", "from sealcheck.spark_sweeps.crews import main; main()"]
_LENGTH = struct.Struct(">Q")


class HelperLost(Exception):
    """The process has died."""


class Helper:
    """Such a process; a context manager, which ends it at once.

    >>> from sealcheck.spark_sweeps.jobs import AskLevel
    >>> with Helper() as helper:
    ...     [tally] = helper.do(Bundle((AskLevel("graph-cause", 0, "z3", 2, 1),), 1.0))
    >>> tally.checked, tally.refuting
    (1, None)
    """

    def __init__(self) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._child = subprocess.Popen(
            _CHILD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            process_group=0,  # Ctrl-C is for the process that asks, which then ends this one
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            with suppress(OSError):  # of what could not be written any more
                stream.close()

    def do(self, bundle: Bundle) -> list[Result]:
        """Have it do the jobs of a bundle.  Raises ShardFailed as they do, and HelperLost."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            _write(self._child.stdin, bundle.packed())
            found = _read(self._child.stdout)
        except (OSError, EOFError, ValueError) as error:
            raise HelperLost from error
        if isinstance(found, ShardFailed):
            raise found
        assert isinstance(found, bytes)
        results: list[Result] = pickle.loads(found)
        return results


def main() -> None:
    """Do what comes in on standard input, until that ends."""
    end_with_parent()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    collect_seldom()
    while True:
        try:
            packed = _read(sys.stdin.buffer)
        except EOFError:
            return
        assert isinstance(packed, Packed)
        try:
            found: object = do_packed(packed)
        except ShardFailed as failure:
            found = ShardFailed(str(failure))
        _write(out, found)


def _write(stream: IO[bytes], value: object) -> None:
    pickled = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(pickled)) + pickled)
    stream.flush()


def _read(stream: IO[bytes]) -> object:
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(header)
    pickled = stream.read(length)
    if len(pickled) < length:
        raise EOFError
    return pickle.loads(pickled)


POLL_SECONDS = 0.2
"""How long `done` may wait."""
PER_HELPER = 1.0
"""Seconds of work that a helper is given at a time."""
MOST_HELPERS = 4

Done = tuple[Bundle, list[Result]]


class Crew(Protocol):
    """Does bundles of jobs; a context manager, which leaves nothing behind that still works."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def wanted(self) -> float:
        """How many seconds of work it would take now."""

    @property
    def failed(self) -> int:
        """How often something was tried and failed, and was tried again."""

    def give(self, bundles: Sequence[Bundle]) -> None:
        """Have it do these."""

    def done(self) -> list[Done]:
        """What has been done since the last time; waits a moment if that is nothing.

        Raises ShardFailed if a job can't be done, InputError if Spark does not start.
        """


OpenCrew = Callable[[float], AbstractContextManager[Crew]]
"""A crew for so many seconds of work, or more."""


class Helpers:
    """Some processes beside this one, each with one bundle at a time."""

    def __init__(self, count: int | None = None) -> None:
        """By default, one for each core, as far as these are few."""
        self._count = min(MOST_HELPERS, cores()) if count is None else count
        self._stack = ExitStack()
        self._pool = ThreadPoolExecutor(max(1, self._count))
        self._idle: list[Helper] = []
        self._given: deque[Bundle] = deque()
        self._doing: dict[Future[list[Result]], tuple[Bundle, Helper]] = {}
        self._again: set[Bundle] = set()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(self._pool.shutdown)
            self._idle = [stack.enter_context(Helper()) for _ in range(self._count)]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()  # the helpers first, which frees the threads that wait for them

    @property
    def wanted(self) -> float:
        """How many seconds of work they would take now."""
        return 0.0 if self._given else PER_HELPER * len(self._idle)

    @property
    def failed(self) -> int:
        """How many of them have died."""
        return len(self._again)

    @property
    def futures(self) -> list[Future[Any]]:
        """One of these is done when something is."""
        return list(self._doing)

    def give(self, bundles: Iterable[Bundle]) -> None:
        """Have them do these."""
        self._given.extend(bundles)
        while self._given and self._idle:
            bundle, helper = self._given.popleft(), self._idle.pop()
            self._doing[self._pool.submit(helper.do, bundle)] = bundle, helper

    def done(self, seconds: float = POLL_SECONDS) -> list[Done]:
        """What has been done since the last time."""
        found = []
        for future in wait(self._doing, seconds, FIRST_COMPLETED).done:
            bundle, helper = self._doing.pop(future)
            try:
                found.append((bundle, future.result()))
                self._idle.append(helper)
            except HelperLost:
                self._replace(bundle)
        self.give(())
        return found

    def _replace(self, bundle: Bundle) -> None:
        """Have a new helper try again, once, what another one has died of."""
        if bundle in self._again:
            raise ShardFailed(f"the process that did this died: is there enough memory?  {bundle}")
        self._again.add(bundle)
        self._given.appendleft(bundle)
        self._idle.append(self._stack.enter_context(Helper()))
