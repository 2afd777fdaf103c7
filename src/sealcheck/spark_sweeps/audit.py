"""The audit: the paper's statements, checked up to a bound, row by row.

Each statement is checked instance by instance, comparing its predictions with the answers of all oracles;
level by level, asking the solvers for a counterexample among all programs of the level at once; without each
of its hypotheses; and, where that is possible, for programs of every length.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from math import inf

from sealcheck.errors import Disagreement
from sealcheck.spark_sweeps import crews
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.crews import Bundle, Crew, OpenCrew
from sealcheck.spark_sweeps.findings import Setup
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    AskLevel,
    CheckInstances,
    CountGrowth,
    DropHypothesis,
    Job,
    do,
    seconds,
)
from sealcheck.spark_sweeps.pipeline import Pipeline
from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.spark_sweeps.shards import OnProgress
from sealcheck.support.processes import Limits
from sealcheck.theorems import own
from sealcheck.theorems.checking.check import Checked
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.own import LIMITS

WITHOUT_SPARK = 15.0
"""Seconds of work that are done before Spark would have started."""


def decided(
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    master: str | None = None,
    limits: Limits = LIMITS,
) -> Generator[Finding, None, None]:
    """The rows of an audit as they are decided; the user's cache keeps the results.

    A terminal shows the progress, except while the caller looks at a row.  Raises Disagreement, as `audit`
    does.
    """

    def open_crew(seconds: float) -> Crew:
        """For little work, processes next to this one: Spark would take longer to start."""
        if master is None and seconds < WITHOUT_SPARK:
            return crews.Helpers()
        from sealcheck.spark_sweeps.on_spark import OnSpark
        from sealcheck.spark_sweeps.session import spark_session

        return OnSpark(lambda: spark_session(master, "sealcheck audit"))

    with closing(Cache()) as cache, progress_bar("audit") as follow:
        cache.forget_others()
        findings = audit(
            open_crew, names, spaces, solver=solver, cache=cache, on_progress=follow, limits=limits
        )
        with closing(findings):
            for finding in findings:
                with follow.hidden():
                    yield finding


def audit(
    open_crew: OpenCrew,
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    cache: Cache | None = None,
    on_progress: OnProgress | None = None,
    limits: Limits | None = None,
) -> Generator[Finding, None, None]:
    """Check the named statements on all spaces (n, messages); the rows as they are decided, in order.

    `solver` asks everything of that one solver instead of all.  What `cache` has is not done again; a crew
    is called only if something is left to do.  What goes beyond the `limits` is unknown; a crew that is
    this process has none.  Raises Disagreement if oracles, or the enumeration and the counts that
    never enumerate, contradict each other; or where a solver's answer about a whole level
    contradicts what checking it instance by instance found.
    """
    pipeline = Pipeline(names, Setup.of(spaces, solver, limits), cache)
    try:
        yield from _rows(pipeline, open_crew, on_progress)
    except Disagreement as dispute:
        raise Disagreement(f"{dispute}{cache.advice if cache else ''}") from None


def _rows(
    pipeline: Pipeline, open_crew: OpenCrew, on_progress: OnProgress | None
) -> Generator[Finding, None, None]:
    """The rows as they are decided."""
    yield from pipeline.rows()
    if pipeline.is_done:
        return
    with open_crew(pipeline.seconds) as crew:
        while not pipeline.is_done:
            if wanted := crew.wanted:
                crew.give(pipeline.take(wanted))
            for bundle, results in crew.done():
                pipeline.file(bundle, results)
            if on_progress:
                on_progress(pipeline.progress._replace(failed=crew.failed))
            yield from pipeline.rows()


@dataclass
class StatementForecast:
    """What there is to be done about a statement; what was kept from an earlier audit is not counted."""

    statement: str
    _: KW_ONLY
    instances: int = 0
    levels: int = 0
    """How often a solver is asked about a whole level."""
    hypotheses: int = 0
    """To be dropped."""
    growth: int = 0
    """Claims about growth."""

    def add(self, job: Job) -> None:
        """Count one more job."""
        self.levels += isinstance(job, AskLevel)
        self.hypotheses += isinstance(job, DropHypothesis)
        self.growth += isinstance(job, CountGrowth)


@dataclass
class Forecast:
    """What there is to be done."""

    setup: Setup
    parts: tuple[StatementForecast, ...]
    asked: Mapping[str, int] = field(default_factory=dict)
    """Of each question: of how many instances it is asked first.  More may follow from the answers."""
    seconds: float = 0.0
    """What all of that may take one core, together."""


def forecast(
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    cache: Cache | None = None,
) -> Forecast:
    """What an audit of these statements on these spaces would do.

    >>> found = forecast(["graph-cause"], [(2, 1), (2, 2)], solver="z3")
    >>> found.parts[0].instances, found.parts[0].levels, found.asked
    (4, 2, {'causal-pairs': 4})
    """
    setup = Setup.of(spaces, solver)
    pipeline = Pipeline(names, setup, cache)
    parts = {name: StatementForecast(name) for name in names}
    takes = 0.0
    for bundle in pipeline.take(inf):
        for job in bundle.jobs:
            takes += seconds(job)
            if isinstance(job, CheckInstances):
                result = own.there(job.statement, do, job)
                assert isinstance(result, Checked)
                parts[job.statement].instances += _instances(result)
                pipeline.file(Bundle((job,), 0.0), [result])
            elif not isinstance(job, AnswerAll):
                parts[job.statement].add(job)
    asked: Counter[str] = Counter()
    for bundle in pipeline.take(inf):
        for job in bundle.jobs:
            takes += seconds(job)
            if isinstance(job, AnswerAll):
                asked.update(each.question.id for each in job.asked)
    return Forecast(setup, tuple(parts.values()), dict(asked), takes)


def _instances(found: Checked) -> int:
    """How many instances there are: each claim that is checked has been, or waits for answers."""
    waiting = Counter(claim for _, claim in found.waiting)
    return max(tally.checked + waiting[claim] for claim, tally in enumerate(found.tallies))
