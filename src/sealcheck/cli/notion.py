"""``sealcheck is NOTION P …``: the paper's notions of safe composition, by their definitions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.answers import Answer, Code, Document, unknown
from sealcheck.cli.command import Json, N, SelfChannels, answer_once
from sealcheck.cli.inputs import read_any_programs
from sealcheck.cli.listing import run_document, run_lines
from sealcheck.cli.refines import CutOption, ModelOption, Setting, SolverOption, Unroll, refinement
from sealcheck.errors import InputError, LimitReached
from sealcheck.programs import notions
from sealcheck.programs.events import Channel
from sealcheck.programs.semantics import CutReading, Model, Semantics
from sealcheck.programs.syntax import Program
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.encodings.solving import Solver
    from sealcheck.programs.global_runs import Interval

REFINEMENTS: dict[str, tuple[tuple[str, ...], Callable[..., notions.Refinement]]] = {
    "tcc": (("P",), notions.tcc),
    "seals": (("P", "Q"), notions.seals),
    "proper-seal": (("P", "Q"), notions.seals),
    "ccl": (("P", "L", "Q"), notions.ccl),
    "barrier": (("B", "P", "Q"), lambda b, p, q: notions.barrier(p, b, q)),
    "fits-after": (("P", "Q"), notions.fits_after),
    "separates": (("S", "P", "Q"), notions.separates),
}
"""The notions that are a refinement, with the programs they take."""

OTHERS = {"balanced": ("P",), "closes": ("P", "I->J")}

SIGNATURES = {name: taken for name, (taken, _) in REFINEMENTS.items()} | OTHERS
USAGE = "; ".join(" ".join((name, *taken)) for name, taken in SIGNATURES.items())


def is_(
    notion: Annotated[str, typer.Argument(metavar="NOTION", help="One of those above.")],
    programs: Annotated[
        list[str], typer.Argument(metavar="P…", help="Program text, @FILE, or - for standard input.")
    ],
    model: ModelOption = Model.REL,
    cut: CutOption = CutReading.MATCHING,
    unroll: Unroll = 3,
    n: N = None,
    self_channels: SelfChannels = False,
    solver: SolverOption = "z3",
    json: Json = False,
) -> None:
    """Does a notion of the paper hold, by its definition?

    tcc P: is P tail communication closed?  seals P Q: does Q seal P?  proper-seal P Q: and never
    diverge?  ccl P L Q: is L a communication-closed layer in P;L;Q?  barrier B P Q: does B keep P
    and Q apart?  fits-after P Q: does P fit after Q?  separates S P Q: does S separate P from Q?
    balanced P; closes P I->J: is the channel always empty after P?
    """
    if notion not in SIGNATURES:
        raise InputError(f"unknown notion '{notion[:20]}': choose one of {', '.join(SIGNATURES)}")
    taken = SIGNATURES[notion]
    if len(programs) != len(taken):
        raise InputError(f"'is {notion}' takes {' '.join(taken)}, not {counted(len(programs), 'argument')}")
    named = dict(zip(taken, programs, strict=True))
    channel = _channel(named.pop("I->J")) if "I->J" in named else None
    parsed, processes = read_any_programs(named, n, self_channels=self_channels)
    processes = max(processes, *channel) if channel else processes
    setting = Setting(processes, Semantics(model, cut, unroll, self_channels), solver)
    answer_once(_answer(notion, parsed, channel, setting), json=json)


def _answer(notion: str, programs: list[Program], channel: Channel | None, setting: Setting) -> Answer:
    if notion in REFINEMENTS:
        _, sides = REFINEMENTS[notion]
        answer = refinement("holds", *sides(*programs), setting)
        answer = replace(answer, document={"notion": notion, **answer.document})
        return _properly(answer, programs[1]) if notion == "proper-seal" else answer
    (program,) = programs
    return _by_state(notion, program, channel, setting)


def _properly(answer: Answer, seal: Program) -> Answer:
    """Properness is about infinite runs: clear where the seal cannot go on for ever."""
    from sealcheck.encodings.refinement import is_finite

    if answer.code is not Code.YES or is_finite(seal):
        return answer
    reason = (
        "Q seals P as far as was checked; whether a repetition in Q goes on for ever is beyond finite runs"
    )
    known = {key: value for key, value in answer.document.items() if key != "holds"}
    return unknown(answer.document, reason, **known)


def _by_state(notion: str, program: Program, channel: Channel | None, setting: Setting) -> Answer:
    """The notions that speak of the state of channels after P."""
    from sealcheck.encodings.refinement import is_finite, leaves_open, unbalanced

    known: Document = {"notion": notion, **setting.document, "exhaustive": is_finite(program)}

    def question(solver: "Solver") -> "Interval | None":
        if channel is None:
            return unbalanced(program, setting.n, solver, setting.semantics)
        return leaves_open(program, channel, setting.n, solver, setting.semantics)

    try:
        found = setting.ask(question)
    except LimitReached as limit:
        return unknown(("holds", "counterexample"), str(limit), **known)
    shown = found and run_document(found.run, found.c, found.d)
    document: Document = {"holds": found is None, **known, "counterexample": shown}
    if found is None:
        return Answer(Code.YES, document, lambda: "yes")
    return Answer(Code.NO, document, lambda: "\n".join(_left_over(found)))


def _left_over(found: "Interval") -> Iterator[str]:
    yield "no: over the interval marked as inside, P occurs and leaves this"
    yield ""
    yield from run_lines(found.run, found.c, found.d)


def _channel(text: str) -> Channel:
    sender, arrow, receiver = text.partition("->")
    ends = (sender.strip(), receiver.strip())
    if not arrow or not all(end.isascii() and end.isdigit() and 0 < int(end) < 10**4 for end in ends):
        raise InputError(f"a channel is written like 1->2, not {text[:20]!r}")
    return Channel(int(ends[0]), int(ends[1]))
