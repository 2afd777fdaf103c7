"""Statements and their claims, with the queries, hypotheses and tallies of their checks.

A statement makes claims about instances. An instance is one program, or several. A claim predicts the answers
to questions. The answers come from oracles: several independent ways to answer a question, which do not use
the prediction.

Solvers also get the negated claim over a symbolic program, which covers all instances of a size at once.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any, Protocol, TypeVar

from sealcheck.encodings.formulas import Formula
from sealcheck.encodings.program_space import SymbolicMessages
from sealcheck.encodings.solving import Answer
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.runs import Run
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.theorems.checking.record import Theorem

A = TypeVar("A")


class Verdict(Enum):
    """The verdict on a claim: proved, or the result of checking it up to a bound."""

    PROVED = "proved"
    VERIFIED = "verified"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    NOT_BOUNDABLE = "not boundable"
    ERROR = "error"
    """The statement itself cannot be checked. Its author must correct it."""


class Form(Enum):
    """Whether a claim is the paper's or ours."""

    AS_PRINTED = "as-printed"
    REPAIRED = "repaired"


class Outcome(Enum):
    """The result of checking a claim on an instance."""

    HOLDS = "holds"
    FAILS = "fails"
    VACUOUS = "the hypotheses are not met"

    @classmethod
    def of(cls, condition: bool) -> "Outcome":
        """The outcome for an instance that meets the hypotheses."""
        return cls.HOLDS if condition else cls.FAILS


About = Iterable[Instance | tuple[Instance, Semantics]]
"""Instances, with their semantics if these are not `PAPER`."""


class Ask(Protocol):
    """Gets the answer on which all oracles of a question agree.

    Raises Disagreement if the oracles do not agree, and LimitReached if they hit their limits. Raises
    NotYetKnown (`checking.check`) if the question has to be answered first.
    """

    def __call__(self, question: Question[A], instance: Instance, semantics: Semantics = PAPER) -> A:
        """The answer to a question."""
        (found,) = self.all(question, [(instance, semantics)])
        return found

    @abstractmethod
    def all(self, question: Question[A], about: About) -> list[A]:
        """The answers to a question about several instances, asked at once."""


def with_semantics(about: About) -> Iterator[tuple[Instance, Semantics]]:
    """The instances, each with its semantics."""
    return ((each, PAPER) if isinstance(each, Instance) else each for each in about)


Check = Callable[[Instance, Ask], Outcome]
"""Compares a claim's prediction about an instance with the answers."""


def predicts(
    question: Question[A],
    prediction: Callable[[Instance], A],
    *,
    of: Callable[[Instance], Instance] = lambda instance: instance,
    semantics: Semantics = PAPER,
) -> Check:
    """The check that an answer, about the instance or a part `of` it, is as predicted."""

    def check(instance: Instance, ask: Ask) -> Outcome:
        answer = ask(question, of(instance), semantics)
        return Outcome.of(answer == prediction(instance))

    return check


@dataclass(frozen=True)
class Query:
    """A negated claim over a symbolic program. If the query is UNSAT, the claim holds for a whole level.

    `instance` reads the instance from a model. A model of a query `by_proof` does not refute the claim. For
    example, if the claim says that a run exists, the query asks for an instance for which the paper's proof
    constructs no such run. Another run may exist.
    """

    name: str
    make: Callable[[], list[Formula]]
    """Makes the formulas, which takes far longer than making the query."""
    instance: Callable[[Answer], Instance]
    by_proof: bool = False
    split: Callable[[], Sequence[tuple[Formula, ...]]] = tuple
    """Tuples of formulas by which the question can be split: every model meets a formula of each tuple."""

    @classmethod
    def about(
        cls, name: str, make: Callable[[], list[Formula]], *programs: SymbolicMessages, by_proof: bool = False
    ) -> "Query":
        """The query about these programs, split by the channels of their messages."""
        return cls(
            name,
            make,
            lambda answer: Instance.of(*(p.decoded(answer) for p in programs)),
            by_proof,
            lambda: [split for p in programs for split in p.channel_splits()],
        )

    @cached_property
    def formulas(self) -> list[Formula]:
        """The formulas that a model must meet."""
        return self.make()


class Domain(Protocol):
    """The instances of a statement. Those of a level are indexed, so that the level can be cut into ranges.

    Some indices have no instance: for example, the indices of programs that are not canonical.
    """

    @property
    def noun(self) -> str:
        """The kind of instances, in the plural."""

    def size(self, n: int, messages: int) -> int:
        """The number of indices of the level."""

    def expected(self, n: int, messages: int) -> int:
        """The number of instances of the level, if possible by a formula."""

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop."""


@dataclass(frozen=True)
class Growth:
    """A claim that a quantity is O(size^exponent): it is counted, not timed."""

    quantity: str
    """The counted quantity, in words."""
    size: str
    """The measure of inputs: ``n``, ``events``."""
    exponent: int
    counts: Callable[[Ask], Iterator[tuple[int, int]]]
    """Pairs (size, count). The sizes double."""


Without = Callable[[int, int, Ask], Instance | None]
"""Finds the smallest instance of a level on which a claim fails if a hypothesis is dropped."""


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a claim, or a reading, and the search for a counterexample without it.

    `without` searches a level (n, messages) for an instance on which the claim fails. A hypothesis about runs
    has `queries` instead, whose models are such instances. A hypothesis with neither has a `remark` that says
    why.
    """

    name: str
    without: Without | None = None
    queries: Callable[[int, int], Iterable[Query]] | None = None
    remark: str = ""

    @property
    def is_dropped(self) -> bool:
        """Whether the claim is checked without the hypothesis."""
        return self.without is not None or self.queries is not None


@dataclass(frozen=True)
class Claim:
    """A claim of a statement, and its checks."""

    text: str
    _: KW_ONLY
    form: Form = Form.AS_PRINTED
    check: Check | None = None
    """None if the claim is about growth only, or not boundable."""
    hypotheses: tuple[Hypothesis, ...] = ()
    whole_space: Callable[[int, int], Iterator[Query]] | None = None
    """The queries for n processes and m messages."""
    explain: Callable[[Instance, Ask], str] | None = None
    """Says why an instance refutes the claim, in lines that a reader can check by hand."""
    run: Callable[[Instance, Ask], tuple[Run, tuple[StraightLine, ...]] | Instance | None] | None = None
    """The run to draw for a counterexample, and its layers.

    If the result is an instance instead, the picture shows how its layers over ports interfere.
    """
    growth: Growth | None = None
    theorems: tuple[Theorem, ...] = ()
    """Theorems of Coq that together are the claim, for every n and every length."""
    refutations: tuple[Theorem, ...] = ()
    """Theorems of Coq that together refute the claim."""
    misprint: bool = False
    """Whether a slip in printed pseudocode refutes the claim. The summary counts these claims separately."""
    not_boundable: str = ""
    """Why no check decides the claim; empty if checks do."""
    fails_at: tuple[int, int] | None = None
    """For a claim with `refutations`, the level (n, messages) that must show a counterexample.

    Without a level, every check must find a counterexample.
    """


@dataclass(frozen=True)
class Repaired(Claim):
    """A claim that we repaired, or restricted, for example to BSLs."""

    form: Form = Form.REPAIRED


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement of the paper."""

    id: str
    label: str
    """The paper's own label, or the section of the statement."""
    claims: tuple[Claim, ...]
    """The printed claims, and claims that we repaired or restricted."""
    _: KW_ONLY
    domain: Domain | None = None
    questions: tuple[Question[Any], ...] = ()
    """The questions of the claims about the instances."""
    not_boundable: str = ""
    """Why no bound decides the statement. Its checks then only illustrate it."""
    measure: str = "messages"
    """What the bound on messages bounds."""
    limits: tuple[str, ...] = ()
    """Further limits of the checks, for people."""

    @classmethod
    def of(
        cls,
        id: str,
        label: str,
        *claims: Claim,
        domain: Domain | None = None,
        questions: tuple[Question[Any], ...] = (),
        not_boundable: str = "",
        measure: str = "messages",
        limits: tuple[str, ...] = (),
        hypotheses: tuple[Hypothesis, ...] = (),
    ) -> "Statement":
        """The statement that makes these claims. `hypotheses`, if given, belong to every claim."""
        return cls(
            id,
            label,
            tuple(replace(claim, hypotheses=hypotheses) for claim in claims) if hypotheses else claims,
            domain=domain,
            questions=questions,
            not_boundable=not_boundable,
            measure=measure,
            limits=limits,
        )

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The hypotheses of all claims, each once."""
        return tuple(dict.fromkeys(h for claim in self.claims for h in claim.hypotheses))


@dataclass(slots=True, kw_only=True)
class Tally:
    """The findings about one claim, in a part of a check.

    `refuting` is the smallest counterexample. `disputed` is the smallest instance on which oracles contradict
    each other.
    """

    checked: int = 0
    vacuous: int = 0
    """The number of checked instances that do not meet the claim's hypotheses."""
    unknown: int = 0
    refuting: Instance | None = None
    disputed: Instance | None = None
    dispute: str = ""
    """The answers of the oracles about the disputed instance."""

    def add(self, other: "Tally") -> None:
        """Add the findings of another part."""
        self.checked += other.checked
        self.vacuous += other.vacuous
        self.unknown += other.unknown
        if other.refuting is not None:
            self.refute(other.refuting)
        if other.disputed is not None:
            self.disagree(other.disputed, other.dispute)

    def refute(self, instance: Instance) -> None:
        """Keep the smaller of two counterexamples."""
        if self.refuting is None or instance.size < self.refuting.size:
            self.refuting = instance

    def disagree(self, instance: Instance, dispute: str) -> None:
        """Keep the smaller of two disagreements."""
        if self.disputed is None or instance.size < self.disputed.size:
            self.disputed, self.dispute = instance, dispute

    def check(self, claim: Claim, instance: Instance, ask: Ask) -> None:
        """Check one more instance.  Raises NotYetKnown, and counts nothing, if an answer is missing."""
        assert claim.check is not None
        try:
            outcome = claim.check(instance, ask)
        except LimitReached:
            self.unknown += 1
        except Disagreement as dispute:
            self.disagree(instance, str(dispute))
        else:
            self.vacuous += outcome is Outcome.VACUOUS
            if outcome is Outcome.FAILS:
                self.refute(instance)
        self.checked += 1


def total(tallies: Sequence[Tally]) -> Tally:
    """The sum of the tallies."""
    found = Tally()
    for tally in tallies:
        found.add(tally)
    return found
