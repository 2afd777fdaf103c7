"""What an audit consists of, job by job, and what comes back from each.

Jobs and results go from process to process as pickled values.  The cache on disk is JSON.

How long jobs may take: guesses from measurements; all that depends on them is how work is spread.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from sealcheck.errors import Disagreement
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.theorems.checking.check import Checked, check_level, check_range, opened
from sealcheck.theorems.checking.hypotheses import Ablation, ablate
from sealcheck.theorems.checking.statement import Tally
from sealcheck.theorems.checking.verdicts import Counts, count
from sealcheck.theorems.registry import statement


@dataclass(frozen=True, kw_only=True)
class CheckInstances:
    """Compare the claims of a statement with the known answers, on a range of the instances of a level."""

    statement: str
    n: int
    messages: int
    start: int
    stop: int
    only: tuple[tuple[int, int], ...] | None = None
    """The numbers of instances, in the range, and of claims that are left to be checked; None for all."""
    agreed: Mapping[Asked[Any], object] = field(default_factory=dict, repr=False)
    """The answers that are known."""

    def __str__(self) -> str:
        level = f"n = {self.n}, messages = {self.messages}"
        return f"{self.statement}, {level}, instances {self.start}..{self.stop - 1}"


@dataclass(frozen=True)
class AnswerAll:
    """Have every oracle answer, and every one of these solvers."""

    asked: tuple[Asked[Any], ...]
    solvers: tuple[str, ...]

    def __str__(self) -> str:
        first, *others = self.asked
        return f"{first}, and {len(others)} more" if others else str(first)


@dataclass(frozen=True)
class AskLevel:
    """Ask one solver whether any instance of a level refutes a claim, by its number."""

    statement: str
    claim: int
    solver: str
    n: int
    messages: int

    def __str__(self) -> str:
        level = f"n = {self.n}, messages = {self.messages}"
        return f"{self.statement}, claim {self.claim}, {level}: {self.solver} on all instances at once"


@dataclass(frozen=True)
class DropHypothesis:
    """Drop a hypothesis, by its number, and go through the levels up to (n, messages)."""

    statement: str
    hypothesis: int
    n: int
    messages: int

    def __str__(self) -> str:
        return f"{self.statement} without hypothesis {self.hypothesis}, up to n = {self.n}"


@dataclass(frozen=True)
class CountGrowth:
    """Count what a claim, by its number, says the growth of."""

    statement: str
    claim: int

    def __str__(self) -> str:
        return f"{self.statement}, claim {self.claim}: growth"


Whole = AskLevel | DropHypothesis | CountGrowth
"""Jobs that nothing has to be known for."""

Job = CheckInstances | AnswerAll | Whole


@dataclass(frozen=True)
class Disputed:
    """Oracles contradict each other, or a witness is wrong, so there is no answer."""

    asked: Asked[Any]
    why: str


@dataclass(frozen=True)
class Answered:
    """What was said, in the order in which it was asked."""

    answers: tuple[Answers[Any] | Disputed, ...]


@dataclass(frozen=True)
class Contradiction:
    """Oracles contradict each other on an instance without a hypothesis."""

    why: str


@dataclass(frozen=True)
class Refused:
    """A statement has an error that its author must mend; or, if `limit`, checking it took too long."""

    why: str
    limit: bool = False


@dataclass(frozen=True)
class Counted:
    """What was counted for a claim about growth."""

    counts: Counts


@dataclass(frozen=True)
class LevelChecked:
    """What came of all instances of a level: many jobs together."""

    tallies: tuple[Tally, ...]
    """One for each claim."""
    abstained: Mapping[str, int]
    """How many of the answers that were needed each oracle could not give."""


Result = Checked | Answered | Tally | Ablation | Counted | Contradiction | Refused


def do(job: Job) -> Result:
    """Do what the job says."""
    match job:
        case CheckInstances():
            return _checked(job)
        case AnswerAll(asked, solvers):
            with opened(solvers) as ready:
                return Answered(tuple(_answers(each, ready) for each in asked))
        case AskLevel(id, claim, solver, n, messages):
            return check_level(statement(id), claim, n, messages, solver=solver)
        case DropHypothesis(id, hypothesis, n, messages):
            try:
                return ablate(statement(id), hypothesis, up_to(n, messages))
            except Disagreement as dispute:
                return Contradiction(str(dispute))
        case CountGrowth(id, claim):
            growth = statement(id).claims[claim].growth
            assert growth is not None
            try:
                return Counted(count(growth))
            except Disagreement as dispute:
                return Contradiction(str(dispute))
        case _:
            assert_never(job)


def _checked(job: CheckInstances) -> Checked:
    return check_range(
        statement(job.statement),
        job.n,
        job.messages,
        start=job.start,
        stop=job.stop,
        agreed=job.agreed,
        only=job.only,
    )


def _answers(asked: Asked[Any], solvers: Sequence[Any]) -> Answers[Any] | Disputed:
    try:
        found = answer(asked, solvers)
    except Disagreement as dispute:
        return Disputed(asked, str(dispute))
    values = list(found.said.values())
    one = all(value == values[0] for value in values)  # then one of them is enough to be pickled
    said = dict.fromkeys(found.said, values[0]) if one and values else found.said
    return Answers(asked, said, found.abstained, found.gave_up)


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    """The levels that a hypothesis is dropped for, smallest first."""
    return [(of_n, m) for of_n in range(1, n + 1) for m in range(messages + 1)]


INSTANCE_SECONDS = 0.0005
"""To compare the claims of a statement with the answers about one instance."""
RANGE = 400
"""How many instances are checked in one job."""


def answer_seconds(asked: Iterable[Asked[Any]]) -> float:
    """How long the oracles may take for these answers, all together."""
    return sum(1 / each.question.per_second for each in asked)


def seconds(job: Job) -> float:
    """How long a job may take."""
    match job:
        case CheckInstances(start=start, stop=stop, only=only):
            return INSTANCE_SECONDS * (stop - start if only is None else len(only))
        case AnswerAll(asked=asked):
            return answer_seconds(asked)
        case AskLevel(n=n, messages=messages):
            return 0.003 * float(n) ** max(0, messages - 1)
        case DropHypothesis():
            return 2.0
        case CountGrowth():
            return 2.0
        case _:
            assert_never(job)
