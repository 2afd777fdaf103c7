"""``sealcheck is NOTION P …``: the paper's notions of safe composition, by their definitions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli.answers import Answer, Code, Document, unknown
from sealcheck.cli.command import Json, N, SelfChannels, answer_once
from sealcheck.cli.inputs import parse_any_programs, read_texts
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.cli.listing import run_document, run_lines
from sealcheck.cli.refines import (
    REFINEMENT_KEYS,
    CutOption,
    ModelOption,
    Setting,
    SolverOption,
    Unroll,
    refinement,
)
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.language.names import Names
from sealcheck.programs import syntax
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel
from sealcheck.programs.syntax import Program
from sealcheck.words import counted, or_choose

if TYPE_CHECKING:
    from sealcheck.encodings.solving import Solver
    from sealcheck.programs.runs import Frontier, GlobalRun, Interval
    from sealcheck.questions.by_sealing import Decided

REFINEMENTS: dict[str, tuple[tuple[str, ...], Callable[..., syntax.Refinement]]] = {
    "tcc": (("P",), syntax.tcc),
    "seals": (("P", "Q"), syntax.seals),
    "proper-seal": (("P", "Q"), syntax.seals),
    "ccl": (("P", "L", "Q"), syntax.ccl),
    "barrier": (("B", "P", "Q"), lambda b, p, q: syntax.barrier(p, b, q)),
    "fits-after": (("P", "Q"), syntax.fits_after),
    "separates": (("S", "P", "Q"), syntax.separates),
}
"""The notions that are a refinement, with the programs they take."""

STATE_KEYS = ("notion", "holds", "model", "cut", "unroll", "exhaustive", "rests_on", "counterexample")
OTHERS = {"balanced": ("P",), "closes": ("P", "I->J")}

SIGNATURES = {name: taken for name, (taken, _) in REFINEMENTS.items()} | OTHERS


def is_(
    notion: Annotated[str, typer.Argument(metavar="NOTION", help="One of those above.")],
    programs: Annotated[
        list[str], typer.Argument(metavar="P", help="Program text, @FILE, or - for standard input.")
    ],
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
    """Does a notion of the paper hold, by its definition?

    tcc P: is P tail communication closed?  seals P Q: does Q seal P?  proper-seal P Q: and never
    diverge?  ccl P L Q: is L a communication-closed layer in P;L;Q?  barrier B P Q: does B keep P
    and Q apart?  fits-after P Q: does P fit after Q?  separates S P Q: does S separate P from Q?
    balanced P; closes P I->J: is the channel always empty after P?
    """
    if notion not in SIGNATURES:
        raise InputError(f"unknown notion '{notion[:20]}': {or_choose(notion[:20], SIGNATURES)}")
    taken = SIGNATURES[notion]
    if len(programs) != len(taken):
        raise InputError(f"'is {notion}' takes {' '.join(taken)}, not {counted(len(programs), 'argument')}")
    named = dict(zip(taken, programs, strict=True))
    closed = named.pop("I->J", None)
    texts, n, names = read_texts(named, n)
    channel = None if closed is None else _channel(closed, names)
    semantics = Semantics(model, cut, unroll, self_channels)

    def question() -> Answer:
        parsed, processes = parse_any_programs(texts, n, self_channels=self_channels)
        processes = max(processes, *channel) if channel else processes
        return _answer(notion, parsed, channel, Setting(processes, semantics, solver, names))

    keys = ("notion", "holds", *REFINEMENT_KEYS) if notion in REFINEMENTS else STATE_KEYS
    otherwise = partial(unknown, keys, notion=notion)
    answer_once(question, otherwise=otherwise, limits=Limits(seconds, memory), json=json, names=names)


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
    from sealcheck.encodings.occurrence import is_finite

    if answer.code is not Code.YES or is_finite(seal):
        return answer
    reason = (
        "Q seals P as far as was checked; whether a repetition in Q goes on for ever is beyond finite runs"
    )
    known = {key: value for key, value in answer.document.items() if key != "holds"}
    return unknown(answer.document, reason, **known)


def _by_state(notion: str, program: Program, channel: Channel | None, setting: Setting) -> Answer:
    """The notions that speak of the state of channels after P."""
    from sealcheck.encodings.occurrence import is_finite
    from sealcheck.questions.by_sealing import balanced, closes

    known: Document = {"notion": notion, **setting.document, "exhaustive": is_finite(program)}
    try:
        if channel is None:
            fast = balanced(program, setting.n)
        else:
            fast = closes(program, channel, setting.n, setting.semantics)
        found = fast or _by_solver(program, channel, setting)
    except LimitReached as limit:
        return unknown(STATE_KEYS, str(limit), **known)
    known |= {"rests_on": found.rests_on}
    if found.refuting is None:
        document: Document = {"holds": True, **known, "counterexample": None}
        return Answer(Code.YES, document, lambda: f"yes\nThis rests on {found.rests_on}.")
    run, c, d = found.refuting
    document = {"holds": False, **known, "counterexample": run_document(run, c, d)}
    return Answer(Code.NO, document, lambda: "\n".join(_left_over(run, c, d, setting.names)))


def _by_solver(program: Program, channel: Channel | None, setting: Setting) -> "Decided":
    """Whether P is balanced, or closes the channel, by the solver."""
    from sealcheck.encodings.refinement import leaves_open, unbalanced
    from sealcheck.explorers.occurrence import is_silent, occurs, trimmed
    from sealcheck.questions.by_sealing import RUN, Decided

    semantics, from_empty = setting.semantics, replace(setting.semantics, reading=CutReading.EMPTY)

    def question(solver: "Solver") -> "Interval | None":
        if channel is None:
            return unbalanced(program, setting.n, solver, semantics)
        return leaves_open(program, channel, setting.n, solver, semantics)

    def refutes(found: "Interval") -> bool:
        if not occurs(*found, program, semantics):
            return False
        if channel is None:
            return is_silent(found.run, found.c, from_empty)
        at_start = is_silent(found.run, found.c, semantics)
        return at_start and not is_silent(found.run, found.d, semantics, channel)

    found = setting.ask(question)
    if found is None:
        return setting.unproved
    if not refutes(found):
        raise Disagreement("a solver's run does not show what it was asked for")
    return Decided(trimmed(found, refutes, semantics.model), RUN)


def _left_over(run: "GlobalRun", c: "Frontier", d: "Frontier", names: Names) -> Iterator[str]:
    yield "no: over the interval marked as inside, P occurs and leaves this"
    yield ""
    yield from run_lines(run, c, d, names)


def _channel(text: str, names: Names) -> Channel:
    sender, arrow, receiver = text.partition("->")
    ends = (sender.strip(), receiver.strip())
    if names.listed:
        for end in ends:
            if end not in names.listed:
                raise InputError(f"no process is called {end[:20]!r}: there are {', '.join(names.listed)}")
        return Channel(*(names.listed.index(end) + 1 for end in ends))
    if not arrow or not all(end.isascii() and end.isdigit() and 0 < int(end) < 10**4 for end in ends):
        raise InputError(f"a channel is written like 1->2, not {text[:20]!r}")
    return Channel(int(ends[0]), int(ends[1]))
