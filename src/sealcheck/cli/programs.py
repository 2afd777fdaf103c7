"""``sealcheck analyze``, ``decide``, ``seal`` and ``phases``: straight-line programs and layers."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, NoReturn

import typer

from sealcheck.cli.command import (
    Batch,
    Minimal,
    N,
    P,
    Q,
    SelfChannels,
    batch_option,
    layers_of,
    respond,
    texts_of,
)
from sealcheck.cli.junit import Case, answer_case, write_junit
from sealcheck.cli.options import MIB, SECONDS, Json, JUnit, Memory, Seconds, argument
from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.analysis import ANALYSIS_KEYS, analysis
from sealcheck.operations.phases import PHASES_KEYS, staying_apart
from sealcheck.operations.result import Code, Result
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
    _respond(question, {"P": p}, ANALYSIS_KEYS, n, Limits(seconds, memory), json=json, batch=batch)


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
    _respond(question, {"P": p, "Q": q}, DECIDE_KEYS, n, Limits(seconds, memory), json=json, batch=batch)


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
    _respond(question, {"P": p}, SEAL_KEYS, n, Limits(seconds, memory), json=json, batch=batch)


def _respond(
    question: Callable[..., Result],
    sources: Mapping[str, str | None],
    keys: Sequence[str],
    n: int | None,
    limits: Limits,
    *,
    json: bool,
    batch: str | None,
) -> NoReturn:
    """Ask about all of these programs, or about each line of a batch, and end the command."""
    given = {name: source for name, source in sources.items() if source is not None}
    if batch is not None and given:
        raise InputError(f"give either --batch or {' and '.join(sources)}, not both")
    if batch is None and (missing := [name for name in sources if name not in given]):
        raise InputError(f"the program {missing[0]} is missing (or --batch)")
    raise typer.Exit(
        respond(question, given, texts_of(*sources), keys=keys, n=n, limits=limits, json=json, batch=batch)
    )


SUITE = "sealcheck phases"
"""The name of the answers on build servers."""

Layers = Annotated[list[str] | None, argument("LAYER", "Layers, in order: program text, @FILE, or -.")]
Repeat = Annotated[bool, typer.Option("--repeat", help="Any number of rounds of the layers.")]
Open = Annotated[bool, typer.Option("--open", help="Any program after the layers.")]
BatchOfLayers = Annotated[str | None, batch_option('{"layers": ["mt 1->2", "mt 2->1"], "n": 3}')]


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
    if batch is not None and layers:
        raise InputError("give either --batch or layers, not both")
    if batch is None and not layers:
        raise InputError("no layers: give at least one (or --batch)")
    with_document = json or batch is not None

    def question(*read: StraightLine, names: Names = NUMBERS) -> Result:
        about = Phases(read, repeat, open)
        return staying_apart(about, names, self_channels=self_channels, document=with_document)

    cases: list[Case] = []

    def told(code: Code, said: str) -> None:
        name = " | ".join(layers) if layers else f"line {len(cases) + 1}"
        cases.append(answer_case(name, code, said))

    code = respond(
        question,
        {f"layer {k}": text for k, text in enumerate(layers or (), 1)},
        layers_of,
        keys=PHASES_KEYS,
        n=n,
        limits=Limits(seconds, memory),
        json=json,
        batch=batch,
        told=told if junit is not None else None,
    )
    if junit is not None:
        write_junit(junit, SUITE, cases)
    raise typer.Exit(code)
