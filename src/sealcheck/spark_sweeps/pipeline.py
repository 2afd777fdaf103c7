"""The audit as a pipeline: which questions are open, what is to be done next, and which rows are complete.

The instances of a statement are gone through range by range.  A claim that asks for what is not known is
put off; what it asks goes to the oracles once, whoever else may ask it; then the claim is checked again, with
the answers at hand.  That takes two to four rounds.  Whole levels, dropped hypotheses, programs of every
length and growth are jobs beside these.  Nothing of that is done here: others take jobs, and bring results.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar, assert_never

from sealcheck.bounded import Limits
from sealcheck.harness.checking import Ablation, Checked, Tally, every_length
from sealcheck.harness.finding import Finding
from sealcheck.harness.statement import Statement
from sealcheck.questions.question import Asked
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.estimates import RANGE, answer_seconds, seconds
from sealcheck.spark_sweeps.findings import Found, Setup, findings
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    Answered,
    AskLevel,
    Bundle,
    CheckInstances,
    CheckObligations,
    Contradiction,
    Counted,
    CountGrowth,
    DropHypothesis,
    EveryLength,
    Job,
    LevelChecked,
    Obliged,
    Result,
    Whole,
)
from sealcheck.spark_sweeps.join import AnswerTable
from sealcheck.spark_sweeps.shards import Progress
from sealcheck.theorems.registry import statement

ABLATION = (3, 3)
"""The n and the messages up to which hypotheses are dropped."""

PER_TASK = 1.0
"""How many seconds of work one task gets, as far as that is known beforehand."""

R = TypeVar("R", bound=Result)


@dataclass(eq=False)
class _Work:
    """A statement, what was found, and how many of its jobs and levels are open."""

    position: int
    about: Statement
    found: Found = field(default_factory=Found)
    open: int = 0


@dataclass(eq=False)
class _Level:
    """All instances of a level."""

    work: _Work
    n: int
    messages: int
    tallies: tuple[Tally, ...]
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    open: int = 0
    """How many of its ranges are."""


@dataclass(eq=False)
class _Range:
    """Some instances of a level, on their way through the rounds."""

    level: _Level
    job: CheckInstances
    """What is to be done in the next round."""
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    missing: int = 0
    """How many answers have to come before that."""


class Pipeline:
    """What an audit has to do, and what of it is done."""

    def __init__(self, names: Sequence[str], setup: Setup, cache: Cache | None = None) -> None:
        """What `cache` has is not done again."""
        self._setup, self._cache = setup, cache
        self._answers = AnswerTable(setup.smt, cache)
        self._work = [_Work(position, statement(name)) for position, name in enumerate(names)]
        self._by_name = {work.about.id: work for work in self._work}
        self._rows_out = 0
        self._ready: list[tuple[int, int, _Range | Whole | Asked[Any]]] = []
        self._number = count()
        self._ranges: dict[tuple[str, int, int, int], _Range] = {}
        self._waiting: defaultdict[Asked[Any], list[_Range]] = defaultdict(list)
        self._total = self._done = 0
        for work in self._work:
            self._begin(work)

    @property
    def is_done(self) -> bool:
        """Whether all rows are out."""
        return self._rows_out == len(self._work)

    @property
    def progress(self) -> Progress:
        """How many instances and other jobs are done."""
        return Progress(self._done, self._total, 0)

    @property
    def seconds(self) -> float:
        """How long what is ready may take, with what is known to be asked."""
        jobs = (entry for *_, entry in self._ready)
        return sum(self._estimated(entry) for entry in jobs)

    def take(self, wanted: float) -> list[Bundle]:
        """So many seconds of work, or as much as there is: for the first rows first."""
        jobs: list[Job] = []
        asked: list[Asked[Any]] = []
        taken = 0.0
        while self._ready and taken < wanted:
            *_, entry = heappop(self._ready)
            taken += self._estimated(entry)
            match entry:
                case Asked():
                    asked.append(entry)
                case _Range():
                    jobs.append(replace(entry.job, agreed=self._answers.known(entry.needed)))
                case _:
                    jobs.append(entry)
        jobs += (AnswerAll(tuple(part), self._setup.smt) for part in _parts(asked))
        return _bundled(jobs, self._setup.limits)

    def file(self, bundle: Bundle, results: Sequence[Result]) -> None:
        """Take over what came of the jobs of a bundle.

        Raises Disagreement where answers are about something else than was asked, or an oracle is missing.
        """
        for job, result in zip(bundle.jobs, results, strict=True):
            match job:
                case AnswerAll(asked):
                    self._answers.file(asked, _expected(Answered, result).answers)
                    self._join(asked)
                case CheckInstances():
                    self._file_checked(job, _expected(Checked, result))
                case _:
                    self._file_whole(job, result)
                    if self._cache is not None and (lasting := _lasting(result)) is not None:
                        self._cache.keep_result(job, lasting)

    def rows(self) -> Iterator[Finding]:
        """The rows that are complete, in order, but those that were there before.

        Raises Disagreement.
        """
        while not self.is_done and not (work := self._work[self._rows_out]).open:
            yield from findings(work.about, work.found, self._setup)
            self._rows_out += 1

    def _begin(self, work: _Work) -> None:
        for job in whole_jobs(work.about, self._setup):
            self._total += 1
            work.open += 1
            kept = self._cache.result(job) if self._cache else None
            if kept is not None:
                self._file_whole(job, kept)
            else:
                self._push(work, job)
        if work.about.domain is not None:
            for level in self._setup.levels:
                self._begin_level(work, *level)

    def _begin_level(self, work: _Work, n: int, messages: int) -> None:
        about, domain = work.about, work.about.domain
        assert domain is not None
        level = _Level(work, n, messages, tuple(Tally() for _ in about.claims))
        expected = domain.expected(n, messages)
        self._total += expected
        work.open += 1
        kept = self._cache.level(about.id, n, messages, self._setup.smt) if self._cache else None
        if kept is not None:
            self._done += expected
            self._file_level(level, kept)
            return
        indices = domain.size(n, messages)
        size = max(1, indices * RANGE // max(1, expected))
        for start in range(0, indices, size):
            job = CheckInstances(about.id, n, messages, start, min(start + size, indices))
            self._ranges[_name(job)] = (made := _Range(level, job))
            level.open += 1
            self._push(work, made)
        if not level.open:
            self._file_level(level, LevelChecked(level.tallies, {}))

    def _push(self, work: _Work, entry: _Range | Whole | Asked[Any]) -> None:
        heappush(self._ready, (work.position, next(self._number), entry))

    def _file_checked(self, job: CheckInstances, found: Checked) -> None:
        """Add what was found, and have answered what has to be."""
        part = self._ranges[_name(job)]
        level = part.level
        for tally, more in zip(level.tallies, found.tallies, strict=True):
            tally.add(more)
        if not found.waiting:
            self._close(part)
            return
        _require_new_questions(level.work.about, part, found)
        part.job = replace(job, only=tuple(found.waiting), agreed={})
        part.needed |= found.missing
        for asked in self._answers.new(found.missing):
            self._push(level.work, asked)
        for asked in found.missing:
            if not self._answers.is_known(asked):
                part.missing += 1
                self._waiting[asked].append(part)
        if not part.missing:
            self._push(level.work, part)

    def _join(self, answered: Sequence[Asked[Any]]) -> None:
        """Go on with the instances that have waited for nothing but these answers."""
        for asked in answered:
            for part in self._waiting.pop(asked, ()):
                part.missing -= 1
                if not part.missing:
                    self._push(part.level.work, part)

    def _close(self, part: _Range) -> None:
        level, job = part.level, part.job
        del self._ranges[_name(job)]
        level.needed |= part.needed
        level.open -= 1
        if level.open:
            return
        found = LevelChecked(level.tallies, self._answers.abstentions(level.needed))
        self._done += max(tally.checked for tally in level.tallies)
        self._file_level(level, found)
        if self._cache is not None and None not in map(_lasting, found.tallies):
            self._cache.keep_level(level.work.about.id, level.n, level.messages, self._setup.smt, found)

    def _file_level(self, level: _Level, found: LevelChecked) -> None:
        level.work.found.by_instance[level.n, level.messages] = found
        level.work.open -= 1

    def _file_whole(self, job: Whole, result: Result) -> None:
        work = self._by_name[job.statement]
        found = work.found
        match job:
            case AskLevel(_, claim, solver, n, messages):
                found.by_level[claim, solver, (n, messages)] = _expected(Tally, result)
            case DropHypothesis(_, hypothesis):
                if isinstance(result, Contradiction):
                    found.contradictions.append(result.why)
                else:
                    found.ablations[hypothesis] = _expected(Ablation, result)
            case EveryLength(_, claim, n):
                found.every_length[claim, n] = _expected(Tally, result)
            case CountGrowth(_, claim):
                found.counts[claim] = _expected(Counted, result).counts
            case CheckObligations(_, claim):
                if isinstance(result, Contradiction):
                    found.contradictions.append(result.why)
                else:
                    found.first_order[claim] = _expected(Obliged, result).steps
            case _:
                assert_never(job)
        work.open -= 1
        self._done += 1

    @staticmethod
    def _estimated(entry: _Range | Whole | Asked[Any]) -> float:
        match entry:
            case Asked():
                return answer_seconds([entry])
            case _Range(job=job):
                return seconds(job)
            case _:
                return seconds(entry)


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
        if hypothesis.without is not None:
            yield DropHypothesis(about.id, number, *most)


def _require_new_questions(about: Statement, part: _Range, found: Checked) -> None:
    """A claim may ask only the questions of its statement, and nothing for which it has the answer."""
    if others := {asked.question.id for asked in found.missing} - {each.id for each in about.questions}:
        raise RuntimeError(f"{about.id} asks questions that it does not name: {', '.join(sorted(others))}")
    if not found.missing.keys() - part.needed.keys():
        raise RuntimeError(f"{part.job}: answers are asked for again")


def _name(job: CheckInstances) -> tuple[str, int, int, int]:
    return job.statement, job.n, job.messages, job.start


def _parts(asked: Sequence[Asked[Any]]) -> Iterator[list[Asked[Any]]]:
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


def _bundled(jobs: Sequence[Job], limits: Limits | None) -> list[Bundle]:
    """Bundles of PER_TASK seconds, or of one job that takes longer; those first that take longest."""
    bundles: list[Bundle] = []
    for job in sorted(jobs, key=seconds, reverse=True):
        takes = seconds(job)
        if bundles and bundles[-1].seconds + takes <= PER_TASK:
            last = bundles.pop()
            bundles.append(Bundle((*last.jobs, job), last.seconds + takes, limits))
        else:
            bundles.append(Bundle((job,), takes, limits))
    return bundles


def _expected(kind: type[R], result: Result) -> R:
    if not isinstance(result, kind):
        raise TypeError(f"{kind.__name__} expected, not {type(result).__name__}")
    return result


def _lasting(result: Result) -> Tally | Ablation | Counted | Obliged | None:
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
        case _:
            return None
