"""``sealcheck refines P Q``: is every interval over which P occurs one over which Q occurs?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sealcheck.cli.answers import Answer, Code, Document, unknown
from sealcheck.cli.command import Json, N, SelfChannels, answer_once, program_argument
from sealcheck.cli.inputs import read_any_programs
from sealcheck.cli.listing import run_document, run_lines
from sealcheck.errors import InputError, LimitReached
from sealcheck.programs.semantics import CutReading, Model, Semantics
from sealcheck.programs.syntax import Guard, Program, Truth
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.encodings.solving import Solver
    from sealcheck.programs.global_runs import Interval

T = TypeVar("T")

MOST_PROCESSES = 10
MOST_ITERATIONS = 50
SECONDS = 60.0
"""Of the solver, for one kind of path."""

Left = Annotated[str, program_argument("P", "The refining program")]
Right = Annotated[str, program_argument("Q", "The refined program")]
ModelOption = Annotated[Model, typer.Option("--model", help="Do channels keep the order of messages?")]
CutOption = Annotated[CutReading, typer.Option("--cut", help="What the silent cut says.")]
Unroll = Annotated[int, typer.Option("--unroll", metavar="K", help="At most K iterations of a repetition.")]
SolverOption = Annotated[str, typer.Option("--solver", metavar="S", help="Ask z3 or cvc5.")]


@dataclass(frozen=True)
class Setting:
    """How many processes there are, how the paper is read, and which solver is asked."""

    n: int
    semantics: Semantics
    solver: str

    def __post_init__(self) -> None:
        if self.n > MOST_PROCESSES:
            raise InputError(f"at most {MOST_PROCESSES} processes can be handled here, not {self.n}")
        if not 0 <= self.semantics.unroll <= MOST_ITERATIONS:
            raise InputError(f"--unroll must be in 0..{MOST_ITERATIONS}, not {self.semantics.unroll}")
        if self.solver not in ("z3", "cvc5"):
            raise InputError(f"unknown solver '{self.solver}': choose one of z3, cvc5")

    @property
    def document(self) -> Document:
        """What the answer depends on beside the programs."""
        read = self.semantics
        return {"model": read.model.value, "cut": read.reading.value, "unroll": read.unroll}

    def ask(self, question: "Callable[[Solver], T]") -> T:
        """The answer to a question, from a solver opened for it."""
        from sealcheck.encodings.solving import fresh_formulas, open_solver

        with fresh_formulas(), open_solver(self.solver, seconds=SECONDS) as solver:
            return question(solver)

    def refuting(self, p: Program, q: Program) -> "Interval | None":
        """An interval over which P occurs and Q does not."""
        from sealcheck.encodings.refinement import refute

        return self.ask(lambda solver: refute(p, q, self.n, solver, self.semantics))

    def occurs(self, p: Program) -> bool:
        """Whether P occurs over some interval."""
        return self.refuting(p, Guard(Truth(False))) is not None


def refines(
    p: Left,
    q: Right,
    model: ModelOption = Model.REL,
    cut: CutOption = CutReading.MATCHING,
    unroll: Unroll = 3,
    n: N = None,
    self_channels: SelfChannels = False,
    solver: SolverOption = "z3",
    json: Json = False,
) -> None:
    """Does P refine Q, in the paper's whole language?

    P refines Q if every interval of a run over which P occurs is one over which Q occurs: same
    cuts, same matching.  Without a repetition in P the answer holds for all finite runs, else for
    the given number of iterations.  Exit code 0 if P refines Q, 1 with a run if not, 3 if unknown.
    """
    (left, right), processes = read_any_programs({"P": p, "Q": q}, n, self_channels=self_channels)
    setting = Setting(processes, Semantics(model, cut, unroll, self_channels), solver)
    answer_once(refinement("refines", left, right, setting), json=json)


def refinement(key: str, p: Program, q: Program, setting: Setting) -> Answer:
    """Whether P refines Q, under the name `key` in the document."""
    from sealcheck.encodings.refinement import is_finite

    known: Document = {**setting.document, "exhaustive": is_finite(p)}
    try:
        found = setting.refuting(p, q)
        occurs = found is not None or setting.occurs(p)
    except LimitReached as limit:
        return unknown((key, *known, "occurs", "counterexample"), str(limit), **known)
    shown = found and run_document(found.run, found.c, found.d)
    document: Document = {key: found is None, **known, "occurs": occurs, "counterexample": shown}
    if found is None:
        return Answer(Code.YES, document, lambda: f"yes: {_extent(is_finite(p), occurs, setting)}")
    return Answer(Code.NO, document, lambda: "\n".join(_refuted(found)))


def _extent(exhaustive: bool, occurs: bool, setting: Setting) -> str:
    """For how much a yes speaks."""
    bound = f"with {counted(setting.semantics.unroll, 'iteration')} of a repetition at most"
    if not occurs:
        limited = "" if exhaustive else f" {bound}"
        return f"the left side occurs over no finite interval{limited}, so it refines anything"
    return "in all finite runs" if exhaustive else f"{bound}, in all finite runs"


def _refuted(found: "Interval") -> Iterator[str]:
    yield "no: over the interval marked as inside, the left side occurs and the right side does not"
    yield ""
    yield from run_lines(found.run, found.c, found.d)
