"""What there is to be done about a statement beside its instances, and where the results of that go."""

from collections.abc import Iterator
from typing import TypeVar, assert_never

from sealcheck.harness.checking import Checked
from sealcheck.harness.checking_lengths import every_length
from sealcheck.harness.dropping import Ablation
from sealcheck.harness.statement import Statement
from sealcheck.harness.tally import Tally
from sealcheck.spark_sweeps.findings import Found, Setup
from sealcheck.spark_sweeps.jobs import (
    Answered,
    AskLevel,
    CheckObligations,
    Contradiction,
    Counted,
    CountGrowth,
    DropHypothesis,
    EveryLength,
    Obliged,
    Refused,
    Result,
    Whole,
)

ABLATION = (3, 3)
"""The n and the messages up to which hypotheses are dropped."""

R = TypeVar("R", bound=Result)


def whole_jobs(about: Statement, setup: Setup) -> Iterator[Whole]:
    """What there is to be done about a statement beside its instances."""
    for number, claim in enumerate(about.claims):
        if claim.growth is not None:
            yield CountGrowth(about.id, number)
        if claim.first_order is not None:
            yield CheckObligations(about.id, number)
        for n in every_length(claim, setup.levels):
            yield EveryLength(about.id, number, n)
        for n, messages in setup.levels if claim.whole_space is not None else ():
            for solver in setup.at_once:
                yield AskLevel(about.id, number, solver, n, messages)
    most = min(ABLATION[0], setup.n), min(ABLATION[1], setup.messages)
    for number, hypothesis in enumerate(about.hypotheses):
        if hypothesis.is_dropped:
            yield DropHypothesis(about.id, number, *most)


def file_whole(found: Found, job: Whole, result: Result) -> None:
    """Take over what came of a job.  Raises TypeError where that is no result of such a job."""
    if isinstance(result, Contradiction) and not isinstance(job, AskLevel):
        found.contradictions.append(result.why)
        return
    match job:
        case AskLevel(_, claim, solver, n, messages):
            found.by_level[claim, solver, (n, messages)] = expected(Tally, result)
        case DropHypothesis(_, hypothesis):
            found.ablations[hypothesis] = expected(Ablation, result)
        case EveryLength(_, claim, n):
            found.every_length[claim, n] = expected(Tally, result)
        case CountGrowth(_, claim):
            found.counts[claim] = expected(Counted, result).counts
        case CheckObligations(_, claim):
            found.first_order[claim] = expected(Obliged, result).steps
        case _:
            assert_never(job)


def expected(kind: type[R], result: Result) -> R:
    """The result, which must be of this kind.  Raises TypeError."""
    if not isinstance(result, kind):
        raise TypeError(f"{kind.__name__} expected, not {type(result).__name__}")
    return result


def lasting(result: Result) -> Tally | Ablation | Counted | Obliged | None:
    """The result, unless a limit was hit, or somebody is wrong: then the next run may find something else."""
    match result:
        case Tally() if not result.unknown and result.disputed is None:
            return result
        case Ablation() if not result.unknown:
            return result
        case Obliged(steps) if not any(step.unknown for step in steps):
            return result
        case Counted():
            return result
        case Tally() | Ablation() | Obliged() | Checked() | Answered() | Contradiction() | Refused():
            return None
        case _:
            assert_never(result)
