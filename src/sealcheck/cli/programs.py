"""Commands about programs, such as ``decide`` and ``seal``.

``refines`` and ``is`` take the paper's whole language.  The other commands take straight-line programs, which
have no choice and no repetition.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

from sealcheck.cli import options
from sealcheck.cli.command import (
    Batch,
    Minimal,
    N,
    NotAssuming,
    P,
    Q,
    SelfChannels,
    answer_lines,
    answer_once,
    given_programs,
    program_argument,
    respond,
)
from sealcheck.cli.inputs import (
    Text,
    parse_any_programs,
    read_texts,
    require_assumed,
    require_known,
    texts_of,
    written,
)
from sealcheck.cli.layers import Given
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared
from sealcheck.language.recordings import assumptions_but, require_about
from sealcheck.operations.analysis import ANALYSIS_KEYS, analysis
from sealcheck.operations.definitions import (
    REFINEMENT_KEYS,
    REFINEMENTS,
    SIGNATURES,
    STATE_KEYS,
    Setting,
    notion_holds,
    refinement,
)
from sealcheck.operations.result import Result, unknown
from sealcheck.operations.sealing import DECIDE_KEYS, SEAL_KEYS, decision, sealing, sealing_over_ports
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel
from sealcheck.support.processes import Limits
from sealcheck.words import counted, or_choose


def analyze(
    p: P = None,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
    batch: Batch = None,
) -> None:
    """Show the kind of program that P is, its open channels and its signature.

    A channel is open if a receive of P can take a message sent on it after P.  The signature has P's first
    send and last receive on each channel, and the starts and ends of the processes.  It says which of these
    events happen before which in every run.
    """
    question = partial(analysis, self_channels=self_channels)
    limits, assuming = Limits(seconds, memory), assumptions_but(not_assuming or ())
    respond(question, {"P": p}, ANALYSIS_KEYS, n, limits, assuming, json=json, batch=batch)


def seal(
    p: P = None,
    minimal: Minimal = False,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
    batch: Batch = None,
) -> None:
    """Find a program that properly seals P, or say why none does.

    Q seals P if each receive of P takes a message of P, in every run that starts with empty channels and
    executes P, then Q, then any program.  A proper seal also never runs forever.
    """
    question = partial(sealing, minimal=minimal, self_channels=self_channels)
    limits, assuming = Limits(seconds, memory), assumptions_but(not_assuming or ())
    respond(question, {"P": p}, SEAL_KEYS, n, limits, assuming, json=json, batch=batch)


Left = Annotated[str, program_argument("P", "The refining program")]
Right = Annotated[str, program_argument("Q", "The refined program")]
ModelOption = Annotated[
    ChannelModel, typer.Option("--model", help="Channels: rel delivers in any order, rel-fifo in order.")
]
CutOption = Annotated[
    CutReading,
    typer.Option(
        "--cut", help="At a silent cut, no match crosses (matching) or all channels are empty (empty)."
    ),
]
Unroll = Annotated[int, options.option("--unroll", "K", "Largest number of iterations of a repetition.")]
SolverOption = Annotated[str, options.option("--solver", "S", f"Solver: {' or '.join(SMT_SOLVERS)}.")]


def refines(
    p: Left,
    q: Right,
    model: ModelOption = ChannelModel.REL,
    cut: CutOption = CutReading.MATCHING,
    unroll: Unroll = 3,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    solver: SolverOption = SMT_SOLVERS[0],
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
) -> None:
    """Does P refine Q, in the paper's whole language?

    P refines Q if, whenever P occurs between two moments of a run, Q occurs between the same moments.  If P
    has no repetition, the answer holds for all finite runs.  With repetition, it holds for runs with at most
    --unroll iterations.  Exit code 0 if P refines Q, 1 with a run if not, 3 if unknown.
    """
    texts, n, names = read_texts({"P": p, "Q": q}, n, assumptions_but(not_assuming or ()))
    semantics = Semantics(model, cut, unroll, self_channels)

    def question() -> Result:
        (left, right), processes = parse_any_programs(texts, n, self_channels=self_channels)
        return refinement("refines", left, right, Setting(processes, semantics, solver, names))

    otherwise, limits = partial(unknown, ("refines", *REFINEMENT_KEYS)), Limits(seconds, memory)
    raise typer.Exit(answer_once(question, otherwise=otherwise, limits=limits, json=json, names=names))


def is_(
    notion: Annotated[str, typer.Argument(metavar="NOTION", help="Notion, from the list above.")],
    programs: Annotated[
        list[str],
        typer.Argument(
            metavar="P", help="Programs in the order above: text, @FILE, or - for standard input."
        ),
    ],
    model: ModelOption = ChannelModel.REL,
    cut: CutOption = CutReading.MATCHING,
    unroll: Unroll = 3,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    solver: SolverOption = SMT_SOLVERS[0],
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
) -> None:
    """Does a notion of the paper hold, by its definition?

    Most notions are refinements (see `sealcheck refines --help`).  A silent cut, written `cut`, is a moment
    without messages in transit.

    \b
    tcc P            cut;P refines P;cut (P is tail communication closed)
    seals P Q        cut;P;Q refines P;cut;Q
    proper-seal P Q  Q seals P, and never runs forever
    ccl P L Q        cut;P;L;Q;cut refines P;cut;L;cut;Q
                     (L is a communication-closed layer in P;L;Q)
    barrier B P Q    cut;P;B;Q refines P;cut;B;cut;Q (B keeps P and Q apart)
    fits-after P Q   cut;Q;P refines cut;Q;cut;P
    separates S P Q  cut;P;S;Q;cut refines P;cut;S;cut;Q
    balanced P       P has as many sends as receives on each channel
    closes P I->J    the channel is empty whenever P has ended
    """
    if notion not in SIGNATURES:
        raise InputError(f"unknown notion '{notion[:20]}': {or_choose(notion[:20], SIGNATURES)}")
    taken = SIGNATURES[notion]
    if len(programs) != len(taken):
        raise InputError(f"'is {notion}' takes {' '.join(taken)}, not {counted(len(programs), 'argument')}")
    named = dict(zip(taken, programs, strict=True))
    closed = named.pop("I->J", None)
    texts, n, names = read_texts(named, n, assumptions_but(not_assuming or ()))
    channel = None if closed is None else _channel(closed, names)
    semantics = Semantics(model, cut, unroll, self_channels)

    def question() -> Result:
        parsed, processes = parse_any_programs(texts, n, self_channels=self_channels)
        processes = max(processes, *channel) if channel else processes
        return notion_holds(notion, parsed, channel, Setting(processes, semantics, solver, names))

    keys = ("notion", "holds", *REFINEMENT_KEYS) if notion in REFINEMENTS else STATE_KEYS
    otherwise, limits = partial(unknown, keys, notion=notion), Limits(seconds, memory)
    raise typer.Exit(answer_once(question, otherwise=otherwise, limits=limits, json=json, names=names))


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


PROGRAMS = ("P", "Q")
OF_PORTS = ("order", "transport", "ports")
"""The keys about ports in a line of a batch."""


def decide(
    p: P = None,
    q: Q = None,
    order: options.Order = "",
    port: options.OnePort = None,
    transport: options.Transport = "",
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
    batch: Batch = None,
) -> None:
    """Does Q properly seal P?

    Q seals P if each receive of P takes a message of P, in every run that starts with empty channels and
    executes P, then Q, then any program.  A proper seal also never runs forever.

    As in phases, messages may have tags, receives may take from any source, and channels may keep order, lose
    messages or duplicate them.  If any of these applies, P and Q are over ports.

    A yes comes with its reason.  If P and Q are not over ports, causal chains show that later messages are
    sent too late to be taken in P.  A no comes with a run in which P receives a later message or, over ports,
    loses a message to a later receive.
    """
    given = Given(False, False, order, transport, options.guarantees(port or ()), self_channels)
    given = given._replace(assuming=assumptions_but(not_assuming or ()))
    limits, otherwise = Limits(seconds, memory), partial(unknown, DECIDE_KEYS)
    sources = given_programs({"P": p, "Q": q}, batch)
    if batch is not None:
        require_about(given.assuming, spans=False, jobs=False)  # lines are texts
        code = answer_lines(partial(_line, given), batch, n, otherwise=otherwise, limits=limits)
    else:
        question, names = asked(given, *written(sources), n, document=json)
        code = answer_once(question, otherwise=otherwise, limits=limits, json=json, names=names)
    raise typer.Exit(code)


def asked(
    given: Given, texts: Mapping[str, Text], files: Mapping[str, str], n: int | None, *, document: bool = True
) -> tuple[Callable[[], Result], Names]:
    """The question whether Q seals P, and the names of the processes."""
    require_assumed(texts, files, given.assuming)
    read = given.read(texts, files, PROGRAMS, n)
    if isinstance(read, Declared):
        about, names = replace(read, called=PROGRAMS).read()
        return partial(sealing_over_ports, about, names, document=document), names

    def plain() -> Result:
        p, q = read.parsed()
        return decision(p, q, self_channels=given.self_channels, names=read.names)

    return plain, read.names


def _line(given: Given, fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
    require_known(fields, [*map(str.lower, PROGRAMS), *OF_PORTS])
    said = {key: value for key, value in fields.items() if key in OF_PORTS}
    texts = texts_of(*PROGRAMS)({key: value for key, value in fields.items() if key not in OF_PORTS})
    question, names = asked(given.said(said), texts, {}, n)
    with names.blamed():
        return question(), names
