"""What a statement is to the harness, and what can be said of it.

A statement predicts something about every instance (a program, or a pair of programs).  The
truth about an instance is found in several ways, none of which uses the prediction; what they
do have in common is listed in docs/trust.md.  The ways must agree among themselves, whatever the
paper says; where the prediction differs from the truth, the instance refutes the statement.  And
once more for all instances of a size together: the negated statement over a symbolic program.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations

from pysmt.fnode import FNode

from sealcheck.encodings.solving import Answer, Solver
from sealcheck.programs.straight_line import StraightLine


class Verdict(Enum):
    """What checking a statement up to a bound can show."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Form(Enum):
    """The statement as the paper prints it, or as we repair it."""

    AS_PRINTED = "as-printed"
    REPAIRED = "repaired"


@dataclass(frozen=True, order=True)
class Instance:
    """What a statement speaks of: a program P or, if Q is there, the pair (P, Q)."""

    p: StraightLine
    q: StraightLine | None = None

    @property
    def n(self) -> int:
        """The number of processes."""
        return self.p.n

    @property
    def messages(self) -> int:
        """The number of messages of P and Q together."""
        return self.p.messages + (self.q.messages if self.q else 0)

    def canonical(self) -> "Instance":
        """The least instance that renaming processes makes of this one.  O(n! * events)."""
        renamings = permutations(range(1, self.n + 1))
        return min(Instance(self.p.renamed(r), self.q and self.q.renamed(r)) for r in renamings)

    @property
    def size(self) -> tuple[int, int, int, str]:
        """What makes one counterexample smaller than another: processes, messages, messages of P."""
        return self.n, self.messages, self.p.messages, str(self)

    def __str__(self) -> str:
        return str(self.p) if self.q is None else f"P = {self.p}   Q = {self.q}"


Truth = object
"""A value that can be compared; its type is the statement's own."""


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


def one_program(p: StraightLine, others: int) -> Iterator[Instance]:
    """The instances of a statement about one program: P itself, with no messages left over."""
    if not others:
        yield Instance(p)


@dataclass(frozen=True)
class Claim:
    """One form of a statement: what it predicts, and its negation for whole levels."""

    form: Form
    text: str
    predicts: Callable[[Instance], Truth]
    whole_space: Callable[[int, int], Iterator[Query]]
    """The queries for n processes and m messages."""
    story: Callable[[Instance], str]
    """Why an instance refutes the claim, in words that a reader follows by hand."""


@dataclass(frozen=True)
class Statement:
    """A statement of the paper, with the ways to the truth about its instances."""

    id: str
    label: str
    hypotheses: tuple[str, ...]
    claims: tuple[Claim, ...]
    """As printed; and repaired, if what is printed does not hold."""
    algorithm: Callable[[Instance], Truth]
    explorer: Callable[[Instance], Truth]
    smt: Callable[[Instance, Solver], Truth]
    instances: Callable[[StraightLine, int], Iterator[Instance]] = one_program
    """The instances that start with canonical P and have this many messages besides."""
    about_pairs: bool = False
    limits: tuple[str, ...] = ()
    """What the checks leave out beside the bound on n and m, for people."""

    def truths(self, instance: Instance, solvers: Sequence[Solver]) -> dict[str, Truth]:
        """What each way says about an instance.  Raises LimitReached where one can't say."""
        return {
            "algorithm": self.algorithm(instance),
            "explorer": self.explorer(instance),
            **{solver.name: self.smt(instance, solver) for solver in solvers},
        }
