"""``sealcheck export``: runs for other tools' viewers, and for papers."""

import json as json_format
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sealcheck.cli.answers import write
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import read_input
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.recorded import of_recorded
from sealcheck.errors import InputError
from sealcheck.evidence.runs import itf, run_table, shiviz, verify_run
from sealcheck.files import whole_file
from sealcheck.words import or_choose

FORMATS: dict[str, Callable[[Picture, dict[str, Any]], str]] = {
    "itf": lambda shown, document: json_format.dumps(itf(shown, document), indent=1),
    "shiviz": lambda shown, _: "\n".join(shiviz(shown)),
    "latex": lambda shown, _: "\n".join(run_table(shown)),
}


def export(
    path: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="What decide or phases printed with --json where the answer is no, or - for standard input.",
            show_default=False,
        ),
    ],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")],
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Where it goes. [default: standard output]")
    ] = None,
    json: Json = False,
) -> None:
    """Write a run in the format of another tool.

    itf: the Informal Trace Format, for trace viewers of TLA+ and Quint; `check-run` accepts it, too.
    shiviz: a log with vector clocks, for the space-time diagrams of ShiViz. latex: a table, step by step.
    The kernel checks the run first. For pictures there is `draw --run FILE`.
    """
    if to not in FORMATS:
        raise InputError(f"unknown format '{to[:20]}': {or_choose(to[:20], FORMATS)}")
    if out == "":
        raise InputError("--out is empty: name a file")
    document = _checked(path)
    content = FORMATS[to](of_recorded(document), document)
    if out is None:
        write(json_format.dumps({"format": to, "content": content}) if json else content)
        return
    try:
        with whole_file(Path(out)) as file:
            file.write(f"{content}\n".encode())
    except OSError as error:
        raise InputError(f"cannot write {out!r}: {error.strerror}") from None
    write(json_format.dumps({"format": to, "file": out}) if json else f"wrote {out}")


def _checked(path: str) -> dict[str, Any]:
    """The document in a file, whose run the kernel has accepted.  Raises InputError where it has not."""
    text = read_input(path)
    outcome = verify_run(text)
    if outcome.rejected:
        raise InputError(f"{path}: {outcome.rejected[0][2]}")
    document: dict[str, Any] = json_format.loads(text)
    if "#meta" in document:
        raise InputError(f"{path}: this is a trace already")
    if document.get("safe"):
        raise InputError(f"{path}: the layers stay apart, so there is no run that shows otherwise")
    return document
