"""The audit: the claims of the paper's statements, checked up to a bound.

A *level* (n, m) consists of all programs of n processes with m messages. A statement makes one or more
claims. The audit checks each statement in three ways:

- Instance by instance: the claims are compared with the answers of all oracles.
- Level by level: solvers are asked for a counterexample among all programs of the level at once.
- With one hypothesis dropped, for each hypothesis in turn: does the statement still hold?

The result is a *finding* for each claim, which is a row of the ledger.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.questions.asking import question
from sealcheck.spark_sweeps.audit_tasks import Check, Do
from sealcheck.spark_sweeps.findings import Found, Setup, file_result, findings, jobs_of, unchecked
from sealcheck.spark_sweeps.jobs import (
    AskLevel,
    CountGrowth,
    DropHypothesis,
    LevelChecked,
    Refused,
    Row,
    job_text,
)
from sealcheck.spark_sweeps.kept import LASTING, Kept
from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.spark_sweeps.rounds import WORKERS, InALoop, Outcome, Rounds, Section, Setting
from sealcheck.spark_sweeps.shards import OnProgress, Progress
from sealcheck.support.processes import Limits, cores
from sealcheck.theorems import own
from sealcheck.theorems.checking.statement import Statement, Tally
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.own import LIMITS
from sealcheck.theorems.registry import statement

WITHOUT_SPARK = 1_000.0
"""Up to this many seconds of work for one core, an audit does not use Spark."""
RANGE = 400
"""The number of instances in one range, the unit of checking."""

OpenRounds = Callable[[Setting, float], AbstractContextManager[Rounds]]
"""Opens the engine for an amount of work, given in seconds."""


def decided(
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    master: str | None = None,
    limits: Limits = LIMITS,
) -> Generator[Finding, None, None]:
    """The rows of an audit, as they are decided. The user's cache keeps the results.

    Shows the progress on a terminal. Raises Disagreement in the cases that `findings` lists.
    """

    @contextmanager
    def open_rounds(setting: Setting, seconds: float) -> Iterator[Rounds]:
        """The engine for an audit: Spark if a master is named or if there is much work, otherwise processes
        of this machine."""
        if master is None and seconds < WITHOUT_SPARK:
            with InALoop(setting, min(WORKERS, cores())) as loop:
                yield loop
            return
        from sealcheck.spark_sweeps.on_spark import OnSpark, require_shared
        from sealcheck.spark_sweeps.session import spark_session

        with spark_session(master, "sealcheck audit") as spark:
            if not (master or "local[").startswith("local["):
                require_shared(spark, setting.answers.folder)
            yield OnSpark(spark, setting)

    setup = Setup.of(spaces, solver, limits)
    with closing(Kept(setup.smt)) as kept, progress_bar("audit") as follow:
        rows = audit(open_rounds, names, setup, kept, on_progress=follow)
        with closing(rows):
            for finding in rows:
                with follow.hidden():
                    yield finding


def audit(
    open_rounds: OpenRounds,
    names: Sequence[str],
    setup: Setup,
    kept: Kept,
    *,
    on_progress: OnProgress | None = None,
) -> Generator[Finding, None, None]:
    """Check the named statements, and yield the rows in order, as they are decided.

    Kept results are reused. Work that hits a limit counts as unknown. Raises Disagreement in the cases that
    `findings` lists.
    """
    try:
        yield from _rows(
            open_rounds, [Open.of(name, setup, kept) for name in names], setup, kept, on_progress
        )
    except Disagreement as dispute:
        raise Disagreement(f"{dispute}{kept.advice}") from None


@dataclass
class Open:
    """A statement with its known results and its remaining work."""

    about: Statement
    found: Found = field(default_factory=Found)
    section: Section = field(default_factory=Section)
    instances: int = 0
    """The number of instances that remain to be checked."""
    refused: Refused | None = None

    @classmethod
    def of(cls, name: str, setup: Setup, kept: Kept) -> "Open":
        """The statement, with the results about it that earlier audits have kept."""
        made = cls(statement(name))
        for job in jobs_of(made.about, setup):
            if (result := kept.result(job)) is None:
                made.section.jobs.append(job)
            else:
                file_result(made.found, job, result)
        for n, messages in setup.levels if made.about.domain else ():
            made._open_level(n, messages, kept)
        return made

    def _open_level(self, n: int, messages: int, kept: Kept) -> None:
        domain = self.about.domain
        assert domain is not None
        if (level := kept.level(self.about.id, n, messages)) is not None:
            self.found.by_instance[n, messages] = level
            return
        instances, indices = domain.expected(n, messages), domain.size(n, messages)
        if not indices:
            self.found.by_instance[n, messages] = LevelChecked([Tally() for _ in self.about.claims])
        self.instances += instances
        size = max(1, indices * RANGE // max(1, instances))
        for start in range(0, indices, size):
            of_level = {"statement": self.about.id, "n": n, "messages": messages}
            self.section.ranges.append(of_level | {"start": start, "stop": min(start + size, indices)})

    @property
    def seconds(self) -> float:
        """An estimate of the work, in seconds on one core."""
        each = 1e-3 + sum(1 / question.per_second for question in self.about.questions)
        return each * self.instances + sum(Do().seconds({"job": job_text(job)}) for job in self.section.jobs)

    def take_over(self, outcome: Outcome) -> None:
        """Record the outcome of a section."""
        self.refused = self.refused or outcome.refused.get(self.about.id)
        if self.refused:
            return
        for (id, n, messages), level in outcome.levels.items():
            if id == self.about.id:
                self.found.by_instance[n, messages] = level
        for job, result in outcome.results:
            if job.statement != self.about.id:
                continue
            if isinstance(result, Refused):
                self.refused = result
                return
            file_result(self.found, job, result)

    def rows(self, setup: Setup) -> Iterator[Finding]:
        """The rows of the statement. An error in a user's own statement does not affect other statements."""
        if self.refused is None:
            try:
                yield from list(findings(self.about, self.found, setup))
                return
            except LimitReached as limit:
                self.refused = Refused(str(limit), limit=True)
            except (Disagreement, InputError) as error:
                if not own.is_own(self.about.id):
                    raise
                self.refused = Refused(f"{self.about.id}: {error}")
        yield from unchecked(self.about, self.refused, setup)


def _rows(
    open_rounds: OpenRounds, work: Sequence[Open], setup: Setup, kept: Kept, on_progress: OnProgress | None
) -> Generator[Finding, None, None]:
    """The rows, as they are decided. The first rows may come before any work starts."""
    work = list(work)
    while work and not (work[0].section.ranges or work[0].section.jobs):
        yield from work.pop(0).rows(setup)
    if not work:
        return
    total = sum(each.instances + len(each.section.jobs) for each in work)
    seconds = sum(each.seconds for each in work)
    setting = Setting(setup.smt, setup.limits, kept.answers)
    with open_rounds(setting, seconds) as rounds:

        def tick() -> None:
            if on_progress:
                on_progress(Progress(rounds.done, total, rounds.failed))

        parts = list(_parts(work, rounds.first_section, rounds.largest_section))
        sections = [
            Section(
                [row for each in part for row in each.section.ranges],
                [job for each in part for job in each.section.jobs],
            )
            for part in parts
        ]
        with closing(rounds.outcomes(sections, tick)) as outcomes:
            for part, outcome in zip(parts, outcomes, strict=True):
                kept.keep(
                    ((id, n, messages, level) for (id, n, messages), level in outcome.levels.items()),
                    outcome.results,
                )
                tick()
                for each in part:
                    each.take_over(outcome)
                    yield from each.rows(setup)


def _parts(work: Sequence[Open], seconds: float, most: float) -> Iterator[list[Open]]:
    """The statements in parts. The first part has about `seconds` of work. Each further part has four times
    the work of the part before it, up to about `most`."""
    part: list[Open] = []
    takes = 0.0
    for each in work:
        part.append(each)
        takes += each.seconds
        if takes >= seconds:
            yield part
            part, takes, seconds = [], 0.0, min(4 * seconds, most)
    if part:
        yield part


@dataclass
class StatementForecast:
    """The work on a statement that is left to do."""

    statement: str
    instances: int
    levels: int
    """The number of questions to a solver about a whole level."""
    hypotheses: int
    """The number of hypotheses to be dropped."""
    growth: int
    """The number of claims about growth."""


@dataclass
class Forecast:
    """The work of an audit."""

    setup: Setup
    parts: tuple[StatementForecast, ...]
    asked: Mapping[str, int]
    """For each question, the number of instances about which it is asked in the first round."""
    seconds: float
    """An estimate of the time for all this work, on one core."""


def _checked(check: Check, rows: Sequence[Row]) -> list[Row]:
    return list(check.do(rows))


def forecast(
    names: Sequence[str], spaces: Sequence[tuple[int, int]], *, solver: str | None = None, kept: Kept
) -> Forecast:
    """The work that is left for an audit of these statements in these spaces.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     kept = Kept(["z3"], Path(folder))
    ...     found = forecast(["graph-cause"], [(2, 1), (2, 2)], solver="z3", kept=kept)
    >>> found.parts[0].instances, found.parts[0].levels, found.asked
    (4, 2, {'causal-pairs': 4})
    """
    setup = Setup.of(spaces, solver)
    work = [Open.of(name, setup, kept) for name in names]
    known = {row["key"] for row in kept.answers.rows(LASTING)}
    check, asked = Check(setup.smt), dict[str, str]()
    seconds = 0.0
    parts = []
    for each in work:
        rows: list[Row] = [row | {"only": None, "needed": [], "known": []} for row in each.section.ranges]
        for found in own.there(each.about.id, _checked, check, rows):
            asked |= {row["key"]: row["question"] for row in found["asked"] if row["key"] not in known}
        seconds += sum(map(check.seconds, rows))
        jobs = Counter(type(job) for job in each.section.jobs)
        seconds += sum(Do().seconds({"job": job_text(job)}) for job in each.section.jobs)
        numbers = (jobs[kind] for kind in (AskLevel, DropHypothesis, CountGrowth))
        parts.append(StatementForecast(each.about.id, each.instances, *numbers))
    by_question = Counter(asked.values())
    seconds += sum(count / question(id).per_second for id, count in by_question.items())
    return Forecast(setup, tuple(parts), dict(by_question), seconds)
