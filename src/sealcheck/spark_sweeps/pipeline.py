"""The parts of an audit whose instances are being checked: statements, their levels, and ranges of these.

The table of answers: what is asked is answered once, and joined with all that wait for it.

Nothing gets in here unseen.  What a task, or the cache, says about something else than what was asked, or
without a word from one of the oracles, is no answer.

The audit as a pipeline: which questions are open, what is to be done next, and which rows are complete.

The instances of a statement are gone through range by range.  A claim that asks for what is not known is
put off; what it asks goes to the oracles once, whoever else may ask it; then the claim is checked again, with
the answers at hand.  That takes two to four rounds.  Whole levels, dropped hypotheses, programs of every
length and growth are jobs beside these.  Nothing of that is done here: others take jobs, and bring results.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.questions.asking import Answers, Asked
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.crews import Bundle, bundled, in_parts
from sealcheck.spark_sweeps.findings import (
    Found,
    Setup,
    expected,
    file_whole,
    findings,
    lasting,
    unchecked,
    whole_jobs,
)
from sealcheck.spark_sweeps.jobs import (
    RANGE,
    AnswerAll,
    Answered,
    CheckInstances,
    Disputed,
    Job,
    LevelChecked,
    Refused,
    Result,
    Whole,
    answer_seconds,
    seconds,
)
from sealcheck.spark_sweeps.shards import Progress
from sealcheck.theorems import own
from sealcheck.theorems.checking.check import Checked
from sealcheck.theorems.checking.statement import Statement, Tally
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.registry import statement


@dataclass(eq=False)
class OpenStatement:
    """A statement, what was found, and how many of its jobs and levels are open."""

    position: int
    about: Statement
    found: Found = field(default_factory=Found)
    open: int = 0
    refused: Refused | None = None
    """Why it is not checked any further."""

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to be done."""
        return not self.open or self.refused is not None


@dataclass(eq=False, kw_only=True)
class OpenLevel:
    """All instances of a level."""

    work: OpenStatement
    n: int
    messages: int
    tallies: tuple[Tally, ...]
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    open: int = 0
    """How many of its ranges are."""


@dataclass(eq=False)
class OpenRange:
    """Some instances of a level, on their way through the rounds."""

    level: OpenLevel
    job: CheckInstances
    """The work of the next round."""
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    missing: int = 0
    """How many answers have to come before that."""


class AnswerTable:
    """Known answers, and those that are being computed.

    >>> from sealcheck.programs.straight_line import StraightLine
    >>> from sealcheck.questions.instance import Instance
    >>> from sealcheck.questions.sealing import IS_SEAL
    >>> asked = Asked(IS_SEAL, Instance.of(StraightLine.of(2), StraightLine.of(2)))
    >>> table = AnswerTable(solvers=())
    >>> table.new([asked]) == [asked], table.new([asked])
    (True, [])
    >>> said = dict.fromkeys(IS_SEAL.oracle_names(()), True)
    >>> table.file([asked], [Answers(asked, said, abstained={}, gave_up={})])
    >>> list(table.known([asked]).values())
    [True]
    """

    def __init__(self, solvers: Sequence[str], cache: Cache | None = None) -> None:
        """`solvers` are asked beside the oracles."""
        self._solvers = solvers
        self._cache = cache
        self._agreed: dict[Asked[Any], object] = {}
        self._pending: set[Asked[Any]] = set()
        self._abstained: dict[Asked[Any], tuple[str, ...]] = {}

    def new(self, asked: Iterable[Asked[Any]]) -> list[Asked[Any]]:
        """Those of these that have to be answered and are not being computed yet; the caller starts them.

        What the cache has is known from now on.
        """
        fresh = [
            each for each in dict.fromkeys(asked) if each not in self._agreed and each not in self._pending
        ]
        if self._cache is not None:
            for answers in self._cache.answers(fresh):
                if not self._unheard(answers):
                    self._add(answers)
        fresh = [each for each in fresh if each not in self._agreed]
        self._pending |= set(fresh)
        return fresh

    def is_known(self, asked: Asked[Any]) -> bool:
        """Whether there is an answer, or a reason why there is none."""
        return asked in self._agreed

    def known(self, asked: Iterable[Asked[Any]]) -> dict[Asked[Any], object]:
        """The answers, or the exceptions that asking raises.  All of them must be known."""
        return {each: self._agreed[each] for each in asked}

    def abstentions(self, asked: Iterable[Asked[Any]]) -> dict[str, int]:
        """How many of these answers each oracle could not give."""
        return dict(Counter(oracle for each in asked for oracle in self._abstained.get(each, ())))

    def file(self, asked: Sequence[Asked[Any]], found: Sequence[Answers[Any] | Disputed]) -> None:
        """Take over what was said to what was asked.

        Raises Disagreement if that is not about the same, or an oracle is missing; where the oracles
        contradict each other, the statement that needs the answer says so.
        """
        if [each.asked for each in found] != list(asked):
            raise Disagreement(f"{_named(asked)}: the answers are not about this question")
        agreed: list[Answers[Any]] = []
        for each in found:
            if isinstance(each, Disputed):
                self._set(each.asked, Disagreement(each.why))
                continue
            if wrong := self._unheard(each):
                raise Disagreement(f"{each.asked}: not one answer each from {', '.join(wrong)}")
            if self._add(each):
                agreed.append(each)
        if self._cache is not None:
            self._cache.keep_answers(agreed)

    def _add(self, answers: Answers[Any]) -> bool:
        """Take over one answer; whether all oracles agreed on it, and none gave up."""
        if answers.abstained:
            self._abstained[answers.asked] = tuple(answers.abstained)
        try:
            self._set(answers.asked, answers.agreed)
        except (Disagreement, LimitReached) as none:
            self._set(answers.asked, none.with_traceback(None))
            return False
        return True

    def _set(self, asked: Asked[Any], value: object) -> None:
        self._agreed[asked] = value
        self._pending.discard(asked)

    def _unheard(self, answers: Answers[Any]) -> list[str]:
        """Oracles with no answer or several, and unknown oracles."""
        heard = Counter([*answers.said, *answers.abstained, *answers.gave_up])
        wanted = Counter(answers.asked.question.oracle_names(self._solvers))
        return sorted((wanted - heard) | (heard - wanted))


def _named(asked: Sequence[Asked[Any]]) -> str:
    return f"{asked[0]}, and {len(asked) - 1} more" if asked else "nothing"


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
        """An estimate, in seconds, of the work that is ready, with the questions it is known to ask."""
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

        Raises Disagreement if answers are about something else than was asked, or an oracle is missing.
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
        """The rows of a statement; an error in a user's statement does not affect the others."""
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
        """Add the results, and queue the questions they ask."""
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
