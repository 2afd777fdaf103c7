"""``sealcheck vectors --against QUESTION --out FILE``: test vectors for those who want no harness."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.cli.answers import Code, write
from sealcheck.cli.command import Json
from sealcheck.cli.diff_options import Question
from sealcheck.errors import InputError
from sealcheck.files import whole_file
from sealcheck.words import counted


def vectors(
    against: Question,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where they are written, as JSON.")],
    json: Json = False,
) -> None:
    """Write a few hundred questions with their right answers, chosen so that they show many faults.

    The file says how they were chosen, and has the JSON Schema of a vector; the flags of a vector are the
    classes of faults that it shows.
    """
    from sealcheck.differential.vectors import vectors_document
    from sealcheck.theorems.checking.targets import target

    document = vectors_document(target(against))
    lines = [json_format.dumps(vector) for vector in document.pop("vectors")]
    head = json_format.dumps(document, indent=1).removesuffix("\n}")
    body = ",\n  ".join(lines)
    try:
        with whole_file(out) as file:
            file.write(f'{head},\n "vectors": [\n  {body}\n ]\n}}\n'.encode())
    except OSError as error:
        raise InputError(f"cannot write '{out}': {error.strerror}") from None
    if json:
        write(json_format.dumps({"out": str(out), "vectors": len(lines)}))
    else:
        write(f"wrote {out}: {counted(len(lines), 'vector')}")
    raise typer.Exit(Code.YES)
