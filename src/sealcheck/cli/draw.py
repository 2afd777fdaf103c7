"""``sealcheck draw``: pictures of programs, of answers about them, and of recorded runs."""

import json as json_format
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sealcheck.cli.command import N, NotAssuming, SelfChannels
from sealcheck.cli.inputs import parse_programs, read_input, read_texts, written
from sealcheck.cli.layers import PROTOCOL, Given
from sealcheck.cli.options import MIB, SECONDS, Json, Memory, Seconds, argument, option
from sealcheck.cli.output import write
from sealcheck.cli.programs import PROGRAMS, asked
from sealcheck.drawing.making import of_program, of_recorded
from sealcheck.drawing.other_tools import CERTIFICATE, itf, run_table, shiviz
from sealcheck.drawing.picture import Picture
from sealcheck.errors import InputError, LimitReached, blaming
from sealcheck.evidence.runs import verify_run
from sealcheck.language.names import Names
from sealcheck.language.recordings import assumptions_but, require_about
from sealcheck.operations.result import Code, Result
from sealcheck.programs.straight_line import StraightLine, require_no_self_channels
from sealcheck.support.files import require_place, write_file
from sealcheck.support.processes import Bounded, Limits

if TYPE_CHECKING:
    from sealcheck.drawing.signatures import SignaturePicture


Programs = Annotated[list[str] | None, argument("P", "Programs: text, @FILE, or - for standard input.")]
RunFile = Annotated[
    str | None,
    option("--run", "FILE", "Draw the run in this answer, which decide or phases printed with --json."),
]
OnePort = Annotated[
    str | None,
    option("--port", "PORT", "With --run: port of the root cause to draw, such as '2<-*'."),
]
Seals = Annotated[bool, typer.Option("--seals", help="Draw whether the second program seals the first.")]
Signature = Annotated[bool, typer.Option("--signature", help="Draw the signature of P.")]
All = Annotated[bool, typer.Option("--all", help="Draw all events, also of large programs.")]
Out = Annotated[
    str | None,
    option(
        "--out",
        "FILE",
        "Output file. The suffix is the format: .svg, .png, .tex, .dot, .mmd or .txt; with --run also"
        " .itf.json, .shiviz.log or .steps.tex.",
    ),
]


class Recorded(NamedTuple):
    """An answer with a run that the kernel has accepted.

    `port` is the root cause to draw.  If `port` is empty, the first root cause is drawn.
    """

    document: dict[str, Any]
    port: str

    def picture(self) -> Picture:
        """The picture of the run.  Raises InputError."""
        return of_recorded(self.document, self.port)


TRACES: dict[str, Callable[[Picture, Recorded], str]] = {
    ".itf.json": lambda shown, run: json_format.dumps(itf(shown, run.document, run.port), indent=1),
    ".shiviz.log": lambda shown, _: "\n".join(shiviz(shown)),
    ".steps.tex": lambda shown, _: "\n".join(run_table(shown)),
}
"""For each file suffix, the function that writes a run as a trace in this format."""


HOLDS = {"safe": "the layers stay apart", "seals": "Q seals P", "sealable": "P can be sealed"}
"""What an answer says if it has this key with the value true."""


def draw(
    programs: Programs = None,
    run: RunFile = None,
    port: OnePort = None,
    seals: Seals = False,
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
    """Draw a program, whether layers stay apart, whether Q seals P, or a run.

    One program is drawn as its program graph, with open channels marked. For several programs, or a protocol
    file, the answer of phases is drawn. With --seals P Q, the answer of decide is drawn. The picture of a no
    has a run. The picture of a yes has causal chains or, over ports (see phases), an execution.

    Programs of more than 40 events are drawn abridged; --all draws all events. Without --out, the picture is
    printed as text. With --json, its coordinates are printed.

    --run draws the run in an answer, after the kernel, a small program, has checked the answer. An answer of
    phases has a run for each root cause; --port chooses the root cause.

    With --run, --out can also write the run as a trace. Trace viewers of TLA+ and Quint read .itf.json
    (Informal Trace Format). ShiViz reads .shiviz.log, with vector clocks. A file .steps.tex gets a LaTeX
    table of the steps.
    """
    if out == "":
        raise InputError("--out is empty: name a file")
    trace = next((make for suffix, make in TRACES.items() if out and out.endswith(suffix)), None)
    if trace is not None and run is None:
        raise InputError(f"{out} is a trace: give --run FILE, with a run that the kernel accepts")
    if out is not None and trace is None:
        from sealcheck.drawing.drawing import require_format

        require_format(Path(out).suffix)
    if out is not None:
        require_place(Path(out))
    if port == "":
        raise InputError("--port is empty: name the port of a root cause")
    if port is not None and run is None:
        raise InputError("--port chooses a root cause of an answer: give --run FILE")
    if run is not None:
        if programs or signature or seals:
            raise InputError("give either programs or --run, not both")
        require_about(assumptions_but(not_assuming or ()), spans=False, jobs=False)
        picture: Drawn = partial(_accepted, run, read_input(run), port or "")
    else:
        given = Given(False, False, "", "", {}, self_channels, document=False)
        given = given._replace(assuming=assumptions_but(not_assuming or ()))
        picture = _asked(programs or [], n, given, signature=signature, seals=seals)
    content: Callable[[bool], bytes] = partial(_content, picture, trace, out, json=json)
    with Bounded(content, Limits(seconds, memory)) as bounded:
        made = bounded(everything)
    if out is None:
        write(made.decode())
    else:
        write_file(Path(out), made)
        write(json_format.dumps({"file": out}) if json else f"wrote {out}")
    raise typer.Exit(Code.YES)


Drawn = Callable[[], "Picture | SignaturePicture | Recorded"]


def _asked(texts: list[str], n: int | None, given: Given, *, signature: bool, seals: bool) -> Drawn:
    if not texts:
        raise InputError("there is nothing to draw: give programs, or --run FILE")
    if seals and (signature or len(texts) != 2):
        raise InputError("--seals draws whether one program seals another: give two programs")
    if signature and len(texts) > 1:
        raise InputError("--signature draws one program; layer several with ';'")
    if seals:
        return partial(_of_answer, *asked(given, *written(dict(zip(PROGRAMS, texts, strict=True))), n))
    if len(texts) > 1 or texts[0].endswith(PROTOCOL):
        question = given.question(texts, n)
        return partial(_of_answer, question.ask, question.names)
    read, n, names = read_texts({"P": texts[0]}, n, given.assuming)
    (program,) = parse_programs(read, n)
    if not given.self_channels:
        require_no_self_channels(program, "P")
    if not signature:
        return partial(_of_one, program, names)
    from sealcheck.drawing.signatures import SignaturePicture

    return partial(SignaturePicture, program, names)


def _content(
    make: Drawn,
    trace: Callable[[Picture, Recorded], str] | None,
    out: str | None,
    everything: bool,
    *,
    json: bool,
) -> bytes:
    from sealcheck.drawing.drawing import Drawing

    made = make()
    if isinstance(made, Recorded):
        if trace is not None:
            for key, says in HOLDS.items():
                if made.document.get(key):
                    raise InputError(f"{says}, so there is no run that shows otherwise")
            return f"{trace(made.picture(), made)}\n".encode()
        made = made.picture()
    drawing = Drawing(made, everything=everything)
    if out is not None:
        return drawing.content(Path(out).suffix)
    if json:
        return json_format.dumps(asdict(drawing.scene())).encode()
    return f"{drawing.picture.title}\n\n{drawing.text()}\n\n{drawing.picture.description}".encode()


def _of_one(program: StraightLine, names: Names) -> Picture:
    with names.blamed():
        return of_program({"P": program}, names)


def _of_answer(ask: Callable[[], Result], names: Names) -> Picture:
    """The picture of an answer.  Raises LimitReached if the answer is unknown."""
    with names.blamed():
        answer = ask()
    if answer.picture is None or (made := answer.picture()) is None:
        raise LimitReached(str(answer.document.get("unknown")))
    return made


def _accepted(path: str, text: str, port: str) -> Recorded:
    """The answer in a file.  Raises InputError if the kernel rejects its run."""
    with blaming(path):
        outcome = verify_run(text)
        if outcome.rejected:
            raise InputError(outcome.rejected[0][2])
    document = json_format.loads(text)
    if meta := document.get("#meta"):  # a trace has the document with its run
        return Recorded(meta[CERTIFICATE], port or meta.get("port", ""))
    return Recorded(document, port)
