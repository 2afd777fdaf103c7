"""What a statement is to the harness, and what can be said of it.

A statement predicts something about every instance (a program, or several).  The truth about an
instance is found in several ways, none of which uses the prediction; what they do have in common
is listed in docs/checks.md.  The ways must agree among themselves, whatever the paper says;
where the prediction differs from the truth, the instance refutes the statement.  And once more
for all instances of a size together: the negated statement over a symbolic program.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations
from typing import Protocol

from pysmt.fnode import FNode

from sealcheck.encodings.solving import Answer, Solver
from sealcheck.language.printer import show
from sealcheck.programs.runs import Run
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Choice, Layering, Program, Repetition, Send


class Verdict(Enum):
    """What checking a statement up to a bound can show."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    NOT_BOUNDABLE = "not boundable"


class Form(Enum):
    """The statement as the paper prints it, or as we repair it."""

    AS_PRINTED = "as-printed"
    REPAIRED = "repaired"


NAMES = "PQRSTU"
"""What the programs of an instance are called."""


@dataclass(frozen=True, order=True)
class Instance:
    """What a statement speaks of: programs over the processes 1..n, called P, Q and so on.

    They are straight-line programs, or syntax trees where a statement is about the whole language.
    """

    n: int
    programs: tuple[StraightLine | Program, ...]

    @classmethod
    def of(cls, *programs: StraightLine) -> "Instance":
        """The instance made of these straight-line programs, which have the same n."""
        return cls(programs[0].n, programs)

    @property
    def straight(self) -> tuple[StraightLine, ...]:
        """The programs, which must be straight-line ones."""
        return tuple(_straight(program) for program in self.programs)

    @property
    def p(self) -> StraightLine:
        """The first program, a straight-line one."""
        return _straight(self.programs[0])

    @property
    def q(self) -> StraightLine:
        """The second program, a straight-line one."""
        return _straight(self.programs[1])

    @property
    def messages(self) -> int:
        """The number of messages of all programs together."""
        return sum(map(_messages, self.programs))

    def canonical(self) -> "Instance":
        """The least instance that renaming processes makes of this one.  O(n! * events)."""
        renamings = permutations(range(1, self.n + 1))
        return min(Instance.of(*(p.renamed(r) for p in self.straight)) for r in renamings)

    @property
    def orbit_size(self) -> int:
        """How many different instances renaming processes makes of this one.  O(n! * events)."""
        renamings = permutations(range(1, self.n + 1))
        return len({tuple(p.renamed(r).shares for p in self.straight) for r in renamings})

    @property
    def size(self) -> tuple[int, int, int, int, str]:
        """What makes one counterexample smaller than another: processes, messages, those of P, text."""
        text = str(self)
        return self.n, self.messages, _messages(self.programs[0]), len(text), text

    @property
    def texts(self) -> tuple[str, ...]:
        """The programs as texts."""
        return tuple(map(_text, self.programs))

    def __str__(self) -> str:
        if len(self.programs) == 1:
            return self.texts[0]
        return "   ".join(f"{name} = {text}" for name, text in zip(NAMES, self.texts, strict=False))


def _straight(program: StraightLine | Program) -> StraightLine:
    assert isinstance(program, StraightLine)
    return program


def _text(program: StraightLine | Program) -> str:
    return str(program) if isinstance(program, StraightLine) else show(program)


def _messages(program: StraightLine | Program) -> int:
    match program:
        case StraightLine():
            return program.messages
        case Layering(parts) | Choice(parts):
            return sum(map(_messages, parts))
        case Repetition(body):
            return _messages(body)
        case _:
            return int(isinstance(program, Send))


Truth = object
"""A value that can be compared; its type is the statement's own."""

VACUOUS = "the hypotheses are not met"
"""The truth about an instance that a statement says nothing about."""


@dataclass(frozen=True)
class Query:
    """A negated statement over a symbolic program: UNSAT verifies it for a whole level.

    `instance` reads the instance off a model.  Where the statement says that some run exists,
    the query asks for an instance for which the run of the statement's proof (`by_proof`) is
    none; such a model refutes the proof, and the statement only if no other run will do.
    """

    name: str
    formulas: list[FNode]
    instance: Callable[[Answer], Instance]
    by_proof: bool = False
    splits: Sequence[tuple[FNode, ...]] = ()
    """Ways to take the question apart, one after the other: in every model, one of each tuple holds."""


class Domain(Protocol):
    """The instances of a statement, level by level, as an indexed set that can be cut into ranges.

    An index may stand for no instance: for a program that is not canonical, for example.
    """

    @property
    def noun(self) -> str:
        """What the instances are, in the plural."""

    def size(self, n: int, messages: int) -> int:
        """The number of indices of the level."""

    def expected(self, n: int, messages: int) -> int:
        """The number of instances of the level, counted without going through them where possible."""

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop."""


@dataclass(frozen=True)
class Growth:
    """A claim that a quantity is O(size^exponent): it is counted, not timed."""

    quantity: str
    """What is counted, for people."""
    size: str
    """What the inputs grow in: ``n``, ``events``."""
    exponent: int
    counts: Callable[[], Iterator[tuple[int, int]]]
    """Pairs (size, count) for inputs whose sizes double."""


@dataclass(frozen=True)
class Claim:
    """One form of a statement: what it predicts, and its negation for whole levels."""

    form: Form
    text: str
    predicts: Callable[[Instance], Truth] | None = None
    """None where the claim is about growth only."""
    whole_space: Callable[[int, int], Iterator[Query]] | None = None
    """The queries for n processes and m messages."""
    story: Callable[[Instance], str] | None = None
    """Why an instance refutes the claim, in words that a reader follows by hand, line by line."""
    run: Callable[[Instance], tuple[Run, tuple[StraightLine, ...]] | None] | None = None
    """For the picture of a refutation: a run, and its layers; what comes after them is later."""
    growth: Growth | None = None
    every_length: Callable[[int], Instance | None] | None = None
    """For n processes and programs of any length: a counterexample to the claim, if there is one."""


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a statement, or a reading of it, and what becomes of the statement without.

    `without` finds the smallest instance of a level (n, messages) on which the statement fails
    once the hypothesis is dropped, or None.  Where dropping it makes no sense, `remark` says why.
    """

    name: str
    without: Callable[[int, int], Instance | None] | None = None
    remark: str = ""


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement of the paper, with the ways to the truth about its instances."""

    id: str
    label: str
    """The paper's own label, or the section where the statement stands."""
    claims: tuple[Claim, ...]
    """As printed; and repaired, if what is printed does not hold."""
    hypotheses: tuple[Hypothesis, ...] = ()
    domain: Domain | None = None
    ways: Mapping[str, Callable[[Instance], Truth]] = field(default_factory=dict)
    """The ways to the truth other than solvers; the first one decides what refutes a claim."""
    smt: Callable[[Instance, Solver], Truth] | None = None
    not_boundable: str = ""
    """Why no bound decides the statement: what is checked then only illustrates it."""
    limits: tuple[str, ...] = ()
    """What the checks leave out beside the bound on n and m, for people."""
    per_shard: int = 250
    """How many instances take about a second."""

    def truths(self, instance: Instance, solvers: Sequence[Solver]) -> dict[str, Truth]:
        """What each way says about an instance.  Raises LimitReached where one can't say."""
        found = {way: decide(instance) for way, decide in self.ways.items()}
        if self.smt is not None:
            found |= {solver.name: self.smt(instance, solver) for solver in solvers}
        return found
