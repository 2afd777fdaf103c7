"""The rounds of an audit: check, ask for missing answers, and check again, until no instance waits.

An instance *waits* if a check of it needs answers of oracles that are not known yet. An *engine* does the
rounds. The engine `InALoop` works with dictionaries, in this process or in several worker processes. The
engine `on_spark.OnSpark` works with DataFrames. The two engines run the same tasks (`audit_tasks`).
"""

import multiprocessing
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Protocol
from uuid import uuid4

import pyarrow.dataset as ds

from sealcheck.spark_sweeps.audit_tasks import RANGES, Answer, Check, Do, Task, collect_seldom, done, in_parts
from sealcheck.spark_sweeps.jobs import (
    Job,
    LevelChecked,
    Refused,
    Result,
    Row,
    job_text,
    read_job,
    read_result,
    read_tally,
)
from sealcheck.spark_sweeps.kept import LASTING, ParquetTable
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import Limits, end_with_parent
from sealcheck.theorems.checking.statement import Tally

POLL_SECONDS = 0.2
WORKERS = 4
"""The largest number of worker processes."""

Level = tuple[str, int, int]
"""A statement, n, and the number of messages."""


@dataclass
class Section:
    """A part of the work of an audit: some statements, whose findings appear together."""

    ranges: list[Row] = field(default_factory=list)
    """Rows of `RANGES`."""
    jobs: list[Job] = field(default_factory=list)


@dataclass
class Outcome:
    """The outcome of a section."""

    levels: dict[Level, LevelChecked] = field(default_factory=dict)
    results: list[tuple[Job, Result]] = field(default_factory=list)
    refused: dict[str, Refused] = field(default_factory=dict)


class Rounds(Protocol):
    """An engine that does sections of an audit."""

    first_section: float
    """Seconds of work in the first section. Each further section has four times as much as the section before
    it."""
    largest_section: float
    """The largest number of seconds of work in a section."""

    @property
    def done(self) -> int:
        """The number of instances and jobs that are done."""

    @property
    def failed(self) -> int:
        """The number of attempts that failed and were repeated."""

    def outcomes(
        self, sections: Sequence[Section], tick: Callable[[], None]
    ) -> Generator[Outcome, None, None]:
        """The outcome of each section, in order. Calls `tick` several times a second.

        Raises ShardFailed if a part of the work cannot be done.
        """


@dataclass(frozen=True)
class Setting:
    """What an engine needs to know: solvers, limits for each part of the work, and the table of answers."""

    solvers: tuple[str, ...]
    limits: Limits | None
    answers: ParquetTable
    run: str = field(default_factory=lambda: uuid4().hex)
    """The name of this audit. Answers that hit a limit or are disputed count only in the audit that asked."""

    @property
    def counting(self) -> ds.Expression:
        """A filter for the answers that count in this audit."""
        return LASTING | (ds.field("run") == self.run)


class InALoop:
    """An engine without Spark, in this process or in worker processes. A context manager."""

    first_section, largest_section = 5.0, 100.0

    def __init__(self, setting: Setting, processes: int = 0) -> None:
        self.done = self.failed = 0
        self._setting = setting
        self._pool = _Pool(processes) if processes else None

    def __enter__(self) -> "InALoop":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.kill()

    def outcomes(
        self, sections: Sequence[Section], tick: Callable[[], None]
    ) -> Generator[Outcome, None, None]:
        """As in `Rounds`."""
        for section in sections:
            outcome = self._checked(section.ranges, tick)
            for row in self._map(Do(), [{"job": job_text(job)} for job in section.jobs], tick):
                self.done += row["finished"]
                outcome.results.append((read_job(row["job"]), read_result(row["result"])))
            yield outcome

    def _checked(self, ranges: Sequence[Row], tick: Callable[[], None]) -> Outcome:
        tallies: defaultdict[Level, defaultdict[int, Tally]] = defaultdict(lambda: defaultdict(Tally))
        needed: defaultdict[Level, set[str]] = defaultdict(set)
        known: dict[str, Row] = {}
        outcome = Outcome()
        rows = [row | {"only": None, "needed": [], "known": []} for row in ranges]
        while rows:
            waiting: list[Row] = []
            asked: dict[str, Row] = {}
            for row in self._map(Check(self._setting.solvers), rows, tick):
                level = row["statement"], row["n"], row["messages"]
                if row["refused"]:
                    outcome.refused.setdefault(row["statement"], Refused(row["refused"], row["by_limit"]))
                for tally in row["tallies"]:
                    tallies[level][tally["claim"]].add(read_tally(tally))
                needed[level] |= set(row["needed"])
                asked |= {each["key"]: each for each in row["asked"] if each["key"] not in known}
                waiting += [row] if row["waiting"] else []
                self.done += row["finished"]
            known |= self._answers(asked, tick)
            rows = [_again(row, [known[key] for key in row["needed"]]) for row in waiting]
        for level, found in tallies.items():
            abstained = Counter(oracle for key in needed[level] for oracle in known[key]["abstained"])
            by_claim = [found[claim] for claim in sorted(found)]
            outcome.levels[level] = LevelChecked(by_claim, dict(abstained))
        return outcome

    def _answers(self, asked: dict[str, Row], tick: Callable[[], None]) -> dict[str, Row]:
        """The answers to these questions, by key. Oracles are asked for missing answers, and the table keeps
        them."""
        table = self._setting.answers
        kept = table.rows(ds.field("key").isin(list(asked)) & self._setting.counting) if asked else []
        found = {row["key"]: row for row in kept}
        new = [row for key, row in asked.items() if key not in found]
        made = list(self._map(Answer(self._setting.solvers, self._setting.run), new, tick))
        table.add(made)
        return found | {row["key"]: row for row in made}

    def _map(self, task: Task, rows: Sequence[Row], tick: Callable[[], None]) -> Iterator[Row]:
        parts = list(in_parts(task, rows))
        if self._pool is not None:
            yield from self._pool.map(task, parts, self._setting.limits, tick)
            self.failed = self._pool.failed
            return
        for part in parts:
            yield from done(task, part, self._setting.limits)
            tick()


def _again(row: Row, known: list[Row]) -> Row:
    """The next row of `TO_CHECK`, made from a row of `CHECKED`."""
    return {name: row[name] for name in RANGES.names} | {
        "only": row["waiting"],
        "needed": row["needed"],
        "known": known,
    }


class _Pool:
    """Worker processes."""

    def __init__(self, count: int) -> None:
        self.failed = 0
        self._count = count
        self._start()

    def _start(self) -> None:
        before = set(multiprocessing.active_children())
        self._executor = ProcessPoolExecutor(
            self._count, multiprocessing.get_context("fork"), initializer=_become_worker
        )
        self._executor.submit(collect_seldom).result()
        self._workers = set(multiprocessing.active_children()) - before

    def map(
        self, task: Task, parts: Sequence[list[Row]], limits: Limits | None, tick: Callable[[], None]
    ) -> Iterator[Row]:
        """The results of these parts, in order.

        If a worker dies, all workers are started again once. Raises ShardFailed if a worker dies after that.
        """
        found: dict[int, list[Row]] = {}
        while missing := [number for number in range(len(parts)) if number not in found]:
            doing = {self._executor.submit(done, task, parts[number], limits): number for number in missing}
            try:
                for number, result in _as_done(doing, tick):
                    found[number] = result
            except BrokenProcessPool:
                self.kill()
                if self.failed:
                    names = ", ".join(task.name(parts[number][0]) for number in doing.values())
                    why = f"a process that checked a part has died, perhaps for lack of memory: {names}"
                    raise ShardFailed(why) from None
                self.failed += 1
                self._start()
        for number in range(len(parts)):
            yield from found[number]

    def kill(self) -> None:
        """End all processes at once."""
        for worker in self._workers:
            worker.kill()
        self._executor.shutdown(cancel_futures=True)


def _become_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    end_with_parent()


def _as_done(
    doing: dict[Future[list[Row]], int], tick: Callable[[], None]
) -> Iterator[tuple[int, list[Row]]]:
    left = set(doing)
    while left:
        ended, left = wait(left, POLL_SECONDS, FIRST_COMPLETED)
        for future in ended:
            yield doing[future], future.result()
        tick()
