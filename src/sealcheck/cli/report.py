"""``sealcheck report``: what an audit has found, as a document to read."""

import json as json_format
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.bounded import Limits
from sealcheck.cli.answers import write
from sealcheck.cli.audit import run
from sealcheck.cli.bounds import Master, spaces, up_to
from sealcheck.cli.command import Json
from sealcheck.cli.inputs import folder
from sealcheck.cli.limits import MIB, PART_SECONDS, Memory, Seconds
from sealcheck.errors import InputError
from sealcheck.files import require_writable, whole_file

if TYPE_CHECKING:
    from sealcheck.theorems.checking.verdicts import Finding


FILES = ("report.html", "findings.md", "ledger.tex", "references.bib")
"""What is written, in this order."""


def report(
    out: Annotated[str, typer.Argument(metavar="DIR", help="Where the files go.")],
    n: Annotated[str, typer.Option("--n", metavar="N", help="Up to so many processes.")] = "3",
    messages: Annotated[int, typer.Option("--messages", metavar="M", help="Up to so many messages.")] = 4,
    seconds: Seconds = PART_SECONDS,
    memory: Memory = MIB,
    master: Master = None,
    json: Json = False,
) -> None:
    """Write the ledger of an audit, and each refutation step by step, into a folder.

    report.html is one page that needs no network and can be read without JavaScript; findings.md has the
    same in Markdown, ledger.tex in LaTeX, references.bib the paper and this tool in BibTeX.
    The audit is done first, as far as its results are not there from an earlier one.
    """
    bounds = spaces(up_to(n), messages)
    from sealcheck.theorems.registry import STATEMENTS

    target = folder("DIR", out)
    for name in FILES:
        require_writable(target / name)
    command = ["sealcheck", "report", out, "--n", n.strip(), "--messages", str(messages)]
    command += [] if master is None else ["--master", master]
    found = run(list(STATEMENTS), bounds, master=master, limits=Limits(seconds, memory))
    documents = list(_documents(found, shlex.join(command)))
    for name, text in zip(FILES, documents, strict=True):
        _write_at_once(target / name, text)
    files = [str(target / name) for name in FILES]
    write(json_format.dumps({"files": files}) if json else f"wrote {', '.join(files)}")


def _documents(found: "Sequence[Finding]", command: str) -> Iterator[str]:
    """What goes into the files, in their order."""
    from sealcheck.cli import latex, markdown
    from sealcheck.cli.page.page import page
    from sealcheck.evidence.citation import bibtex

    yield page(found, command)
    yield markdown.document(found, command)
    yield latex.document(found, command)
    yield bibtex()


def _write_at_once(target: Path, text: str) -> None:
    """Write a file that is complete or not there.  Raises InputError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as file:
            file.write(text.encode())
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None
