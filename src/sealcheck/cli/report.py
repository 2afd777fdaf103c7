"""``sealcheck report``: what an audit has found, as a document to read."""

import json as json_format
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
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
from sealcheck.files import whole_file
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.harness.finding import Finding
    from sealcheck.questions.instance import Instance


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
        _require_writable(target / name)
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
    from sealcheck.cli import latex
    from sealcheck.cli.page.page import page
    from sealcheck.evidence.citation import bibtex

    yield page(found, command)
    yield rendered(found, command)
    yield latex.document(found, command)
    yield bibtex()


def _require_writable(target: Path) -> None:
    """Raise InputError where the audit would be done in vain; nothing is made yet."""
    folder = target.parent
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write {target}: {folder} is no folder")
    if target.is_dir():
        raise InputError(f"cannot write {target}: it is a folder")
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def _write_at_once(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as file:
            file.write(text.encode())
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def rendered(findings: "Sequence[Finding]", command: str) -> str:
    """The document about these findings, in Markdown; it names the command that wrote it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from sealcheck.cli.ledger import (
        certificate,
        counts,
        dropped,
        evidence,
        form,
        hypotheses,
        picture,
        steps,
        why,
    )

    by_statement = [
        (statement, list(rows)) for statement, rows in groupby(findings, key=lambda found: found.statement)
    ]
    printed = [finding for finding in findings if finding.claim.form.value == "as-printed"]
    environment = Environment(
        loader=PackageLoader("sealcheck.cli", ""), undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.get_template("findings.md.jinja").render(
        command=command,
        findings=findings,
        printed=printed,
        refuted=[finding for finding in printed if _is_refuted(finding)],
        statements=[statement for statement, _ in by_statement],
        refuted_statements=[pair for pair in by_statement if any(map(_is_refuted, pair[1]))],
        dropped_hypotheses=[
            (statement, *each) for statement, rows in by_statement for each in hypotheses(rows)
        ],
        n=findings[0].n,
        messages=findings[0].messages,
        evidence=evidence,
        certificate=certificate,
        steps=steps,
        proved=lambda finding: zip(finding.claim.theorems, finding.theorems, strict=False),
        refuting=lambda finding: zip(finding.claim.refutations, finding.refutations, strict=True),
        counts=counts,
        counted=counted,
        form=form,
        why=why,
        dropped=dropped,
        drawn=lambda finding: list(picture(finding)),
        programs=_programs,
        linked=_linked,
        label=_label,
        emphasised=_emphasised,
        capital=lambda text: text[:1].upper() + text[1:],
        cell=lambda text: text.replace("|", "\\|"),
    )


def _is_refuted(finding: "Finding") -> bool:
    return finding.verdict.value == "refuted"


def _linked(finding: "Finding") -> str:
    """The statement's id, with a link to its section where it has one."""
    id = finding.statement.id
    return f"[{id}](#{id})" if _is_refuted(finding) else id


def _label(finding: "Finding") -> str:
    """A label in the paper as code, a place in words as it is."""
    label = finding.statement.label
    return label if " " in label else f"`{label}`"


def _emphasised(finding: "Finding") -> str:
    return f"**{finding.verdict.value}**" if _is_refuted(finding) else finding.verdict.value


def _programs(instance: "Instance") -> Iterator[str]:
    from sealcheck.cli.ledger import shares
    from sealcheck.questions.instance import NAMES

    texts = instance.texts
    if len(texts) == 1:
        yield texts[0]
    else:
        yield from (f"{name} = {text}" for name, text in zip(NAMES, texts, strict=False))
    by_process = list(shares(instance))
    if by_process:
        yield ""
        yield from by_process
