"""``sealcheck analyze``, ``decide``, ``seal`` and ``phases``: straight-line programs and layers."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.cli.command import (
    Batch,
    Json,
    Minimal,
    N,
    P,
    Q,
    SelfChannels,
    answer_lines,
    answer_once,
    layers_of,
    respond,
)
from sealcheck.cli.inputs import read_named_programs
from sealcheck.cli.junit import Answers
from sealcheck.cli.options import MIB, SECONDS, Memory, Seconds
from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.analysis import ANALYSIS_KEYS, analysis
from sealcheck.operations.phases import PHASES_KEYS, staying_apart
from sealcheck.operations.result import Code, Result, unknown
from sealcheck.operations.sealing import DECIDE_KEYS, SEAL_KEYS, decision, sealing
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine
from sealcheck.support.processes import Limits


def analyze(
    p: P = None,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """Show the kind of program P is, its open channels and its signature."""
    question = partial(analysis, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p}, keys=ANALYSIS_KEYS, n=n, limits=limits, json=json, batch=batch)


def decide(
    p: P = None,
    q: Q = None,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """Does Q properly seal P?

    The answer comes with its evidence: for each channel on which P receives, a causal chain that
    keeps later messages out of P; or else a run in which P receives a later message.
    """
    question = partial(decision, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p, "Q": q}, keys=DECIDE_KEYS, n=n, limits=limits, json=json, batch=batch)


def seal(
    p: P = None,
    minimal: Minimal = False,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """A program that properly seals P, or why no program does."""
    question = partial(sealing, minimal=minimal, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p}, keys=SEAL_KEYS, n=n, limits=limits, json=json, batch=batch)


SUITE = "sealcheck phases"
"""What build servers call the answers."""


Layers = Annotated[
    list[str] | None,
    typer.Argument(metavar="LAYER", help="Layers, in order: program text, @FILE, or -.", show_default=False),
]
Repeat = Annotated[bool, typer.Option("--repeat", help="Any number of rounds of the layers.")]
Open = Annotated[bool, typer.Option("--open", help="Any program after the layers.")]
BatchOfLayers = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help='Questions as JSON lines, such as {"layers": ["mt 1->2", "mt 2->1"], "n": 3}, in FILE, or - for'
        " standard input; one answer per line, in the same order.",
    ),
]
JUnit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="JUnit XML file for the answers.")
]


def phases(
    layers: Layers = None,
    repeat: Repeat = False,
    open: Open = False,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: BatchOfLayers = None,
    junit: JUnit = None,
) -> None:
    """May each of these layers start without a barrier after the one before it?

    Yes if no receive of one layer takes a message of another in any execution, however slow or fast
    processes and channels are. The evidence comes with it: for each layer and channel a causal chain, or
    for each root cause an execution up to the receive that takes a wrong message. A root cause is a channel
    on which that can happen although all other channels deliver to the right layer and round.
    """
    question = partial(_asked, repeat=repeat, open=open, self_channels=self_channels)
    limits, otherwise = Limits(seconds, memory), partial(unknown, PHASES_KEYS)
    if batch is not None:
        if layers:
            raise InputError("give either --batch or layers, not both")
        code = _batch(question, batch, n, otherwise=otherwise, limits=limits, junit=junit)
        raise typer.Exit(code)
    if not layers:
        raise InputError("no layers: give at least one (or --batch)")
    programs, names = read_named_programs({f"layer {k}": text for k, text in enumerate(layers, 1)}, n)
    once = partial(question, *programs, names=names, document=json)
    told = None if junit is None else partial(_report_once, junit, " | ".join(layers))
    answer_once(once, otherwise=otherwise, limits=limits, json=json, names=names, told=told)


def _asked(
    *layers: StraightLine,
    repeat: bool,
    open: bool,
    self_channels: bool,
    names: Names = NUMBERS,
    document: bool = True,
) -> Result:
    about = Phases(layers, repeat, open)
    return staying_apart(about, names, self_channels=self_channels, document=document)


def _batch(
    question: Callable[..., Result],
    source: str,
    n: int | None,
    *,
    otherwise: Callable[[str], Result],
    limits: Limits,
    junit: Path | None,
) -> Code:
    answers = Answers(SUITE, "line {}".format)
    told = None if junit is None else answers.add
    code = answer_lines(question, layers_of, source, n, otherwise=otherwise, limits=limits, told=told)
    if junit is not None:
        answers.write(junit)
    return code


def _report_once(junit: Path, name: str, code: Code, said: str) -> None:
    answers = Answers(SUITE, lambda _: name)
    answers.add(code, said)
    answers.write(junit)
