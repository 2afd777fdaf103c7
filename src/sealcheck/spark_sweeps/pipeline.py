"""The audit as a pipeline: which questions are open, what is to be done next, and which rows are complete.

The instances of a statement are gone through range by range.  A claim that asks for what is not known is
put off; what it asks goes to the oracles once, whoever else may ask it; then the claim is checked again, with
the answers at hand.  That takes two to four rounds.  Whole levels, dropped hypotheses, programs of every
length and growth are jobs beside these.  Nothing of that is done here: others take jobs, and bring results.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from typing import Any

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.harness.checking import Checked
from sealcheck.harness.finding import Finding
from sealcheck.harness.statement import Statement
from sealcheck.harness.tally import Tally
from sealcheck.questions.asking import Asked
from sealcheck.spark_sweeps.bundles import Bundle, bundled, in_parts
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.estimates import RANGE, answer_seconds, seconds
from sealcheck.spark_sweeps.findings import Setup, findings, unchecked
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    Answered,
    CheckInstances,
    Job,
    LevelChecked,
    Refused,
    Result,
    Whole,
)
from sealcheck.spark_sweeps.join import AnswerTable
from sealcheck.spark_sweeps.parts import OpenLevel, OpenRange, OpenStatement
from sealcheck.spark_sweeps.shards import Progress
from sealcheck.spark_sweeps.whole_jobs import expected, file_whole, lasting, whole_jobs
from sealcheck.theorems import own
from sealcheck.theorems.registry import statement


class Pipeline:
    """What an audit has to do, and what of it is done."""

    def __init__(self, names: Sequence[str], setup: Setup, cache: Cache | None = None) -> None:
        """What `cache` has is not done again."""
        self._setup, self._cache = setup, cache
        self._answers = AnswerTable(setup.smt, cache)
        self._work = [OpenStatement(position, statement(name)) for position, name in enumerate(names)]
        self._by_name = {work.about.id: work for work in self._work}
        self._rows_out = 0
        self._ready: list[tuple[int, int, OpenRange | Whole | Asked[Any]]] = []
        self._number = count()
        self._ranges: dict[tuple[str, int, int, int], OpenRange] = {}
        self._waiting: defaultdict[Asked[Any], list[OpenRange]] = defaultdict(list)
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
            position, _, entry = heappop(self._ready)
            if self._work[position].refused and not isinstance(entry, Asked):  # others may wait for answers
                continue
            taken += self._estimated(entry)
            match entry:
                case Asked():
                    asked.append(entry)
                case OpenRange():
                    jobs.append(replace(entry.job, agreed=self._answers.known(entry.needed)))
                case _:
                    jobs.append(entry)
        jobs += (AnswerAll(tuple(part), self._setup.smt) for part in in_parts(asked))
        return bundled(jobs, self._setup.limits)

    def file(self, bundle: Bundle, results: Sequence[Result]) -> None:
        """Take over what came of the jobs of a bundle; nothing more about a statement that is refused.

        Raises Disagreement where answers are about something else than was asked, or an oracle is missing.
        """
        for job, result in zip(bundle.jobs, results, strict=True):
            if not isinstance(job, AnswerAll):
                work = self._by_name[job.statement]
                work.refused = work.refused or (result if isinstance(result, Refused) else None)
                if work.refused:
                    continue
            match job:
                case AnswerAll(asked):
                    self._answers.file(asked, expected(Answered, result).answers)
                    self._join(asked)
                case CheckInstances():
                    self._file_checked(job, expected(Checked, result))
                case _:
                    self._file_whole(job, result)
                    cache, kept = self._cache_of(job.statement), lasting(result)
                    if cache is not None and kept is not None:
                        cache.keep_result(job, kept)

    def rows(self) -> Iterator[Finding]:
        """The rows that are complete, in order, but those that were there before.

        Raises Disagreement.
        """
        while not self.is_done and (work := self._work[self._rows_out]).is_complete:
            yield from self._rows_about(work)
            self._rows_out += 1

    def _rows_about(self, work: OpenStatement) -> Iterator[Finding]:
        """The rows of a statement.  Whatever is wrong with one of the user's own, the others have theirs."""
        if work.refused is None:
            try:
                yield from list(findings(work.about, work.found, self._setup))
                return
            except LimitReached as limit:
                work.refused = Refused(str(limit), limit=True)
            except (Disagreement, InputError) as error:
                if not own.is_own(work.about.id):
                    raise
                work.refused = Refused(f"{work.about.id}: {error}")
        yield from unchecked(work.about, work.refused, self._setup)

    def _begin(self, work: OpenStatement) -> None:
        for job in whole_jobs(work.about, self._setup):
            self._total += 1
            work.open += 1
            cache = self._cache_of(work.about.id)
            kept = cache.result(job) if cache else None
            if kept is not None:
                self._file_whole(job, kept)
            else:
                self._push(work, job)
        if work.about.domain is not None:
            for level in self._setup.levels:
                self._begin_level(work, *level)

    def _begin_level(self, work: OpenStatement, n: int, messages: int) -> None:
        about, domain = work.about, work.about.domain
        assert domain is not None
        tallies = tuple(Tally() for _ in about.claims)
        level = OpenLevel(work=work, n=n, messages=messages, tallies=tallies)
        instances = domain.expected(n, messages)
        self._total += instances
        work.open += 1
        cache = self._cache_of(about.id)
        kept = cache.level(about.id, n, messages, self._setup.smt) if cache else None
        if kept is not None:
            self._done += instances
            self._file_level(level, kept)
            return
        indices = domain.size(n, messages)
        size = max(1, indices * RANGE // max(1, instances))
        for start in range(0, indices, size):
            stop = min(start + size, indices)
            job = CheckInstances(statement=about.id, n=n, messages=messages, start=start, stop=stop)
            self._ranges[_name(job)] = (made := OpenRange(level, job))
            level.open += 1
            self._push(work, made)
        if not level.open:
            self._file_level(level, LevelChecked(level.tallies, {}))

    def _cache_of(self, statement: str) -> Cache | None:
        """Where results about a statement are kept; none are about a file, whose imports may change."""
        return None if own.is_own(statement) else self._cache

    def _push(self, work: OpenStatement, entry: OpenRange | Whole | Asked[Any]) -> None:
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

    def _close(self, part: OpenRange) -> None:
        level, job = part.level, part.job
        del self._ranges[_name(job)]
        level.needed |= part.needed
        level.open -= 1
        if level.open:
            return
        found = LevelChecked(level.tallies, self._answers.abstentions(level.needed))
        self._done += max(tally.checked for tally in level.tallies)
        self._file_level(level, found)
        cache = self._cache_of(level.work.about.id)
        if cache is not None and None not in map(lasting, found.tallies):
            cache.keep_level(level.work.about.id, level.n, level.messages, self._setup.smt, found)

    def _file_level(self, level: OpenLevel, found: LevelChecked) -> None:
        level.work.found.by_instance[level.n, level.messages] = found
        level.work.open -= 1

    def _file_whole(self, job: Whole, result: Result) -> None:
        work = self._by_name[job.statement]
        file_whole(work.found, job, result)
        work.open -= 1
        self._done += 1

    @staticmethod
    def _estimated(entry: OpenRange | Whole | Asked[Any]) -> float:
        match entry:
            case Asked():
                return answer_seconds([entry])
            case OpenRange(job=job):
                return seconds(job)
            case _:
                return seconds(entry)


def _require_new_questions(about: Statement, part: OpenRange, found: Checked) -> None:
    """A claim may ask only the questions of its statement, and nothing for which it has the answer."""
    if others := {asked.question.id for asked in found.missing} - {each.id for each in about.questions}:
        raise RuntimeError(f"{about.id} asks questions that it does not name: {', '.join(sorted(others))}")
    if not found.missing.keys() - part.needed.keys():
        raise RuntimeError(f"{part.job}: answers are asked for again")


def _name(job: CheckInstances) -> tuple[str, int, int, int]:
    return job.statement, job.n, job.messages, job.start
