"""Writing down what an audit has found, with evidence for every row."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sealcheck.certified.formats import new_file
from sealcheck.certified.ledger import LEDGER, TABLES, ledger_lines, row
from sealcheck.certified.making import write_table
from sealcheck.errors import InputError
from sealcheck.spark_sweeps.audit import Finding, OpenSpark
from sealcheck.theorems.answered import answers, is_answerable
from sealcheck.theorems.checking import Tally
from sealcheck.theorems.proved import refuted_queries
from sealcheck.theorems.statement import Statement

OnFile = Callable[[str], None]


def require_new(folder: Path) -> None:
    """Raise InputError unless `folder` is empty or not there: nothing of another run may stay in it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: choose a new folder")


def certify(
    findings: Sequence[Finding],
    folder: Path,
    spaces: Sequence[tuple[int, int]],
    open_spark: OpenSpark,
    on_file: OnFile,
) -> int:
    """Write ledger, proofs and tables, and return how many files; the ledger comes last, when all is there.

    Raises InputError where a file can't be written.
    """
    try:
        for name in ("answers", "proofs", "tables"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from None
    wanted = {kind for finding in findings for kind in TABLES.get(finding.statement.id, ())}
    for kind in sorted(wanted):
        on_file(f"tables/{kind}.jsonl")
        write_table(kind, "jsonl", folder / "tables" / f"{kind}.jsonl", spaces, open_spark)
    answered = {finding.statement.id: finding.statement for finding in findings}
    written = sum(_write_answers(about, folder, spaces, on_file) for about in answered.values())
    rows = [_row(finding, folder, spaces, on_file) for finding in findings]
    first = findings[0]
    with new_file(folder / LEDGER) as file:
        file.writelines(line + b"\n" for line in ledger_lines(first.n, first.messages, rows))
    return 1 + len(wanted) + written + sum(len(made["proofs"]) for made in rows)


def _row(
    finding: Finding, folder: Path, spaces: Sequence[tuple[int, int]], on_file: OnFile
) -> dict[str, Any]:
    about = finding.statement
    number = about.claims.index(finding.claim)
    found = Tally(finding.instances, finding.vacuous)
    if finding.counterexample is not None:
        found.refute(number, finding.counterexample)
    proofs = list(_write_proofs(finding, number, folder, spaces, on_file))
    return row(
        about, number, found, finding.verdict.value, finding.every_length, finding.counts, proofs, spaces
    )


def _write_answers(about: Statement, folder: Path, spaces: Sequence[tuple[int, int]], on_file: OnFile) -> int:
    """A file for each level, where the statement has such; how many."""
    if not is_answerable(about):
        return 0
    for n, messages in spaces:
        name = f"answers/{about.id}-n{n}-m{messages}.answers"
        on_file(name)
        with new_file(folder / name) as file:
            file.write(answers(about, n, messages))
    return len(spaces)


def _write_proofs(
    finding: Finding, number: int, folder: Path, spaces: Sequence[tuple[int, int]], on_file: OnFile
) -> Iterator[str]:
    """A file for each query about a level that has no model; their names."""
    if finding.claim.whole_space is None:
        return
    for n, messages in spaces:
        on_file(f"proofs of {finding.statement.id}, n = {n}, messages = {messages}")
        for part, text in refuted_queries(finding.statement.id, number, n, messages):
            name = f"proofs/{part.file_name}"
            with new_file(folder / name) as file:
                file.write(text)
            yield name
