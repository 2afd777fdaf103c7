"""``sealcheck refines P Q``: is every interval over which P occurs one over which Q occurs?"""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.command import Json, N, SelfChannels, answer_once, program_argument
from sealcheck.cli.inputs import parse_any_programs, read_texts
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.operations.definitions import REFINEMENT_KEYS, Setting, refinement
from sealcheck.operations.result import Result, unknown
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.support.processes import Limits

if TYPE_CHECKING:
    pass


Left = Annotated[str, program_argument("P", "The refining program")]
Right = Annotated[str, program_argument("Q", "The refined program")]
ModelOption = Annotated[
    ChannelModel, typer.Option("--model", help="Model of channels: with or without the order of messages.")
]
CutOption = Annotated[CutReading, typer.Option("--cut", help="Reading of the silent cut.")]
Unroll = Annotated[
    int, typer.Option("--unroll", metavar="K", help="Largest number of iterations of a repetition.")
]
SolverOption = Annotated[
    str, typer.Option("--solver", metavar="S", help=f"Solver: {' or '.join(SMT_SOLVERS)}.")
]


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

    def question() -> Result:
        (left, right), processes = parse_any_programs(texts, n, self_channels=self_channels)
        return refinement("refines", left, right, Setting(processes, semantics, solver, names))

    keys = ("refines", *REFINEMENT_KEYS)
    answer_once(
        question, otherwise=partial(unknown, keys), limits=Limits(seconds, memory), json=json, names=names
    )
