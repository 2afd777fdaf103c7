"""``sealcheck refines P Q``: is every interval over which P occurs one over which Q occurs?"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sealcheck.bounded import Limits
from sealcheck.cli.answers import Answer, Code, Document, unknown
from sealcheck.cli.command import Json, N, SelfChannels, answer_once, program_argument
from sealcheck.cli.inputs import parse_any_programs, read_texts
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.cli.listing import run_document, run_lines
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.syntax import Program
from sealcheck.words import counted, or_choose

if TYPE_CHECKING:
    from sealcheck.encodings.solving import Solver
    from sealcheck.programs.runs import Frontier, GlobalRun, Interval
    from sealcheck.questions.by_sealing import Decided

T = TypeVar("T")

MOST_PROCESSES = 10
MOST_ITERATIONS = 50
FOR_FEWER, MOST_SOUGHT = 2.0, 4
"""For how many seconds a run is sought with fewer events outside, and with up to how many of them."""
REFINEMENT_KEYS = ("model", "cut", "unroll", "exhaustive", "occurs", "rests_on", "counterexample")

Left = Annotated[str, program_argument("P", "The refining program")]
Right = Annotated[str, program_argument("Q", "The refined program")]
ModelOption = Annotated[ChannelModel, typer.Option("--model", help="Do channels keep the order of messages?")]
CutOption = Annotated[CutReading, typer.Option("--cut", help="What the silent cut says.")]
Unroll = Annotated[int, typer.Option("--unroll", metavar="K", help="At most K iterations of a repetition.")]
SolverOption = Annotated[str, typer.Option("--solver", metavar="S", help=f"Ask {' or '.join(SMT_SOLVERS)}.")]


@dataclass(frozen=True)
class Setting:
    """How many processes there are, and their names; how the paper is read, and which solver is asked."""

    n: int
    semantics: Semantics
    solver: str
    names: Names = NUMBERS
    """What the text calls the processes."""

    def __post_init__(self) -> None:
        if self.n > MOST_PROCESSES:
            raise InputError(f"at most {MOST_PROCESSES} processes can be handled here, not {self.n}")
        if not 0 <= self.semantics.unroll <= MOST_ITERATIONS:
            raise InputError(f"--unroll must be in 0..{MOST_ITERATIONS}, not {self.semantics.unroll}")
        if self.solver not in SMT_SOLVERS:
            raise InputError(f"unknown solver '{self.solver}': {or_choose(self.solver, SMT_SOLVERS)}")

    @property
    def document(self) -> Document:
        """What the answer depends on beside the programs."""
        read = self.semantics
        return {"model": read.model.value, "cut": read.reading.value, "unroll": read.unroll}

    def ask(self, question: "Callable[[Solver], T]") -> T:
        """The answer to a question, from a solver opened for it."""
        from sealcheck.encodings.solving import fresh_formulas, open_solver

        with fresh_formulas(), open_solver(self.solver) as solver:
            return question(solver)

    def solver_decides(self, p: Program, q: Program) -> "Decided":
        """Whether P refines Q, by the solver; with few events outside where it does not."""
        from sealcheck.encodings.refinement import refute
        from sealcheck.encodings.solving import open_solver
        from sealcheck.explorers.occurrence import occurs, outside_of, trimmed
        from sealcheck.questions.by_sealing import RUN, Decided

        def refutes(interval: "Interval") -> bool:
            """Whether an interval shows that P does not refine Q: P occurs over it, and Q does not."""
            return occurs(*interval, p, self.semantics) and not occurs(*interval, q, self.semantics)

        def question(solver: "Solver") -> "Interval | None":
            """An interval that refutes it, with as few events outside as are soon found; or None."""
            found = refute(p, q, self.n, solver, self.semantics)
            if found is None:
                return None
            found = trimmed(found, refutes, self.semantics.model)
            with open_solver(self.solver, seconds=FOR_FEWER) as quick, suppress(LimitReached):
                for outside in range(min(outside_of(found), MOST_SOUGHT)):
                    if fewer := refute(p, q, self.n, quick, self.semantics, outside=outside):
                        return fewer
            return found

        found = self.ask(question)
        return self.unproved if found is None else Decided(found, RUN)

    @property
    def unproved(self) -> "Decided":
        """What a solver says that finds no run."""
        from sealcheck.questions.by_sealing import Decided

        return Decided(None, f"{self.solver}, without a proof")

    def occurs(self, p: Program) -> bool:
        """Whether P occurs over some interval."""
        from sealcheck.encodings.refinement import occurs_somewhere

        return self.ask(lambda solver: occurs_somewhere(p, self.n, solver, self.semantics)) is not None


def refines(
    p: Left,
    q: Right,
    model: ModelOption = ChannelModel.REL,
    cut: CutOption = CutReading.MATCHING,
    unroll: Unroll = 3,
    n: N = None,
    self_channels: SelfChannels = False,
    solver: SolverOption = SMT_SOLVERS[0],
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
) -> None:
    """Does P refine Q, in the paper's whole language?

    P refines Q if every interval of a run over which P occurs is one over which Q occurs: same
    cuts, same matching.  Without a repetition in P the answer holds for all finite runs, else for
    the given number of iterations.  Exit code 0 if P refines Q, 1 with a run if not, 3 if unknown.
    """
    texts, n, names = read_texts({"P": p, "Q": q}, n)
    semantics = Semantics(model, cut, unroll, self_channels)

    def question() -> Answer:
        (left, right), processes = parse_any_programs(texts, n, self_channels=self_channels)
        return refinement("refines", left, right, Setting(processes, semantics, solver, names))

    keys = ("refines", *REFINEMENT_KEYS)
    answer_once(
        question, otherwise=partial(unknown, keys), limits=Limits(seconds, memory), json=json, names=names
    )


def refinement(key: str, p: Program, q: Program, setting: Setting) -> Answer:
    """Whether P refines Q, under the name `key` in the document; by the algorithms, if these know."""
    from sealcheck.encodings.occurrence import is_finite
    from sealcheck.questions.by_sealing import decided

    known: Document = {**setting.document, "exhaustive": is_finite(p)}
    try:
        fast = decided(p, q, setting.n, setting.semantics)
        found = fast or setting.solver_decides(p, q)
        occurs = fast is not None or found.refuting is not None or setting.occurs(p)
    except LimitReached as limit:
        return unknown((key, *REFINEMENT_KEYS), str(limit), **known)
    known |= {"occurs": occurs, "rests_on": found.rests_on}
    if found.refuting is None:
        document: Document = {key: True, **known, "counterexample": None}
        return Answer(
            Code.YES, document, lambda: "\n".join(_held(_extent(is_finite(p), occurs, setting), found))
        )
    run, c, d = found.refuting
    document = {key: False, **known, "counterexample": run_document(run, c, d)}
    return Answer(Code.NO, document, lambda: "\n".join(_refuted(run, c, d, setting.names)))


def _held(extent: str, found: "Decided") -> Iterator[str]:
    yield f"yes: {extent}"
    yield f"This rests on {found.rests_on}."


def _extent(exhaustive: bool, occurs: bool, setting: Setting) -> str:
    """For how much a yes speaks."""
    bound = f"with {counted(setting.semantics.unroll, 'iteration')} of a repetition at most"
    if not occurs:
        limited = "" if exhaustive else f" {bound}"
        return f"the left side occurs over no finite interval{limited}, so it refines anything"
    return "in all finite runs" if exhaustive else f"{bound}, in all finite runs"


def _refuted(run: "GlobalRun", c: "Frontier", d: "Frontier", names: Names) -> Iterator[str]:
    yield "no: over the interval marked as inside, the left side occurs and the right side does not"
    yield ""
    yield from run_lines(run, c, d, names)
