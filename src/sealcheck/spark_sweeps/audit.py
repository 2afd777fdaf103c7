"""The audit: the paper's statements, checked up to a bound, row by row.

Each statement is checked instance by instance, comparing what it predicts with the answers of all oracles;
level by level, asking the solvers for a counterexample among all programs of the level at once; without each
of its hypotheses; and, where that is possible, for programs of every length.
"""

from collections.abc import Generator, Sequence

from sealcheck.errors import Disagreement
from sealcheck.harness.finding import Finding
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.crews import OpenCrew
from sealcheck.spark_sweeps.findings import Setup
from sealcheck.spark_sweeps.pipeline import Pipeline
from sealcheck.spark_sweeps.shards import OnProgress
from sealcheck.support.processes import Limits


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
    this process has none.  Raises Disagreement where oracles, or the enumeration and the counts that
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
