"""``sealcheck draw``: pictures of programs, of answers about them, and of recorded runs."""

import json as json_format
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sealcheck.algorithms import phases, sealing
from sealcheck.cli.command import N, NotAssuming, SelfChannels
from sealcheck.cli.inputs import parse_programs, read_input, read_texts
from sealcheck.cli.options import MIB, SECONDS, Json, Memory, Seconds, argument, option
from sealcheck.cli.output import write
from sealcheck.drawing.latex import run_table
from sealcheck.drawing.making import of_phases, of_program, of_recorded, of_sealing
from sealcheck.drawing.other_tools import itf, shiviz
from sealcheck.drawing.picture import Picture
from sealcheck.errors import InputError
from sealcheck.evidence.runs import verify_run
from sealcheck.language.assumptions import Assumptions, assumptions_but
from sealcheck.language.names import Names
from sealcheck.operations.result import Code
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import (
    StraightLine,
    require_balanced_straight_line,
    require_no_self_channels,
)
from sealcheck.questions.instance import NAMES
from sealcheck.support.files import write_file
from sealcheck.support.processes import Bounded, Limits

if TYPE_CHECKING:
    from sealcheck.drawing.drawing import Drawing
    from sealcheck.drawing.signatures import SignaturePicture


Programs = Annotated[list[str] | None, argument("P", "Programs: text, @FILE, or -.")]
RunFile = Annotated[
    str | None, option("--run", "FILE", "Draw the run in what decide or phases printed with --json.")
]
Signature = Annotated[bool, typer.Option("--signature", help="Draw the signature of P.")]
All = Annotated[bool, typer.Option("--all", help="Fold nothing.")]
Out = Annotated[
    str | None,
    option(
        "--out",
        "FILE",
        "Output file; its suffix is the format: .svg, .png, .tex, .dot, .mmd or .txt; with --run also"
        " .itf.json, .shiviz.log or .steps.tex.",
    ),
]
TRACES: dict[str, Callable[[Picture, dict[str, Any]], str]] = {
    ".itf.json": lambda shown, document: json_format.dumps(itf(shown, document), indent=1),
    ".shiviz.log": lambda shown, _: "\n".join(shiviz(shown)),
    ".steps.tex": lambda shown, _: "\n".join(run_table(shown)),
}
"""The formats of runs that are not pictures."""


def draw(
    programs: Programs = None,
    run: RunFile = None,
    signature: Signature = False,
    everything: All = False,
    out: Out = None,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
) -> None:
    """Draw a program, whether Q seals P, whether layers stay apart, or a run.

    One program: its program graph, with open channels marked. Two: P;Q with the causal chains by which Q
    seals P, or the run in which it does not. Three and more: the same about layers, as phases decides it.
    Programs of more than 40 events are drawn abridged, unless --all is given. Without --out, the picture is
    printed as text; --json has the coordinates.

    A run (--run), once the kernel has accepted it, can also be written as a trace: .itf.json is the Informal
    Trace Format, for trace viewers of TLA+ and Quint, and `verify` accepts it; .shiviz.log is a log with
    vector clocks, for ShiViz; .steps.tex is a LaTeX table with one row for each step.
    """
    if out == "":
        raise InputError("--out is empty: name a file")
    trace = next((make for suffix, make in TRACES.items() if out and out.endswith(suffix)), None)
    if trace is not None and run is None:
        raise InputError(f"{out} is a trace: give --run FILE, with a run that the kernel accepts")
    assuming = assumptions_but(not_assuming or ())
    picture = _asked(programs or [], run, n, assuming, signature=signature, self_channels=self_channels)
    content: Callable[[bool], bytes] = partial(_content, picture, trace, out, json=json)
    with Bounded(content, Limits(seconds, memory)) as bounded:
        made = bounded(everything)
    if out is None:
        write(made.decode())
    else:
        write_file(Path(out), made)
        write(json_format.dumps({"file": out}) if json else f"wrote {out}")
    raise typer.Exit(Code.YES)


def _asked(
    texts: list[str],
    run: str | None,
    n: int | None,
    assuming: Assumptions,
    *,
    signature: bool,
    self_channels: bool,
) -> Callable[[], "Picture | SignaturePicture | dict[str, Any]"]:
    """A function that makes the picture from input that has been read."""
    if run is not None:
        if texts or signature:
            raise InputError("give either programs or --run, not both")
        return partial(_accepted, run, read_input(run))
    if not texts:
        raise InputError("there is nothing to draw: give programs, or --run FILE")
    if signature and len(texts) > 1:
        raise InputError("--signature draws one program; layer several with ';'")
    called = NAMES[:2] if len(texts) <= 2 else [f"layer {k}" for k in range(1, len(texts) + 1)]
    read, n, names = read_texts(dict(zip(called, texts, strict=False)), n, assuming)
    programs = parse_programs(read, n)
    for name, program in zip(called, programs, strict=False):
        if not self_channels:
            require_no_self_channels(program, name)
    if not signature:
        return partial(_decided, programs, names)
    from sealcheck.drawing.signatures import SignaturePicture

    return partial(SignaturePicture, programs[0], names)


def _content(
    make: Callable[[], "Picture | SignaturePicture | dict[str, Any]"],
    trace: "Callable[[Picture, dict[str, Any]], str] | None",
    out: str | None,
    everything: bool,
    *,
    json: bool,
) -> bytes:
    from sealcheck.drawing.drawing import Drawing

    made = make()
    if isinstance(made, dict):
        if trace is not None:
            if "#meta" in made:
                raise InputError("this is a trace already")
            if made.get("safe"):
                raise InputError("the layers stay apart, so there is no run that shows otherwise")
            return f"{trace(of_recorded(made), made)}\n".encode()
        made = of_recorded(made)
    drawing = Drawing(made, everything=everything)
    if out is not None:
        return drawing.content(Path(out).suffix)
    return (json_format.dumps(asdict(drawing.scene())) if json else _shown(drawing)).encode()


def _shown(drawing: "Drawing") -> str:
    return f"{drawing.picture.title}\n\n{drawing.text()}\n\n{drawing.picture.description}"


def _decided(programs: list[StraightLine], names: Names) -> Picture:
    with names.blamed():
        match programs:
            case [p]:
                return of_program({"P": p}, names)
            case [p, q]:
                for name, program in (("P", p), ("Q", q)):
                    require_balanced_straight_line(program, name, self_channels=True)
                return of_sealing(p, q, sealing.decide(p, q), names)
            case _:
                return of_phases(phases.decide(Phases(tuple(programs))), names)


def _accepted(path: str, text: str) -> dict[str, Any]:
    """The document in a file, once the kernel has accepted its run.  Raises InputError if it does not."""
    outcome = verify_run(text)
    if outcome.rejected:
        raise InputError(f"{path}: {outcome.rejected[0][2]}")
    document: dict[str, Any] = json_format.loads(text)
    return document
