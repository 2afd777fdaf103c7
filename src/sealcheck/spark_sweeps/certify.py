"""Write the findings of an audit as a ledger, with files of evidence. A stopped run can be resumed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sealcheck.encodings.clauses import Model
from sealcheck.errors import InputError
from sealcheck.evidence import cubes
from sealcheck.evidence.cubes import LevelQuery, answers_name, numbered
from sealcheck.evidence.formats import new_file
from sealcheck.evidence.ledger import LEDGER, UNFINISHED, Scope, ledger_text, model_document, row, table_name
from sealcheck.evidence.outcome import IGNORED, Level
from sealcheck.evidence.proofs import Part, settled, verify_proof
from sealcheck.kernel.reading import Rejected, canonical, lines
from sealcheck.kernel.tables import check_lines, header_of
from sealcheck.spark_sweeps.tables import OpenSpark, write_table
from sealcheck.support.files import finished_name
from sealcheck.theorems.checking.statement import Tally
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.registry import statement

OnFile = Callable[[str], None]

FOLDERS = ("answers", "proofs", "tables")


def scope(names: Sequence[str], spaces: Sequence[Level]) -> Scope:
    """The scope of the ledger that will be written.

    >>> scope(["graph-cause"], [(1, 0), (1, 1), (2, 0), (2, 1)])
    Scope(statements=('graph-cause',), n=2, messages=1)
    """
    return Scope(tuple(names), max(n for n, _ in spaces), max(messages for _, messages in spaces))


def take_up(folder: Path, names: Sequence[str], spaces: Sequence[Level]) -> None:
    """Begin or resume writing into a folder, and mark the folder as unfinished.

    Removes unfinished files of an earlier run. Raises InputError if the folder cannot be written to, or has a
    file that this audit would not write.
    """
    about = scope(names, spaces)
    wanted = {folder / name for name in _names(about)}
    try:
        for file in sorted(path for path in folder.rglob("*") if not path.is_dir()):
            if file in wanted or file.name in IGNORED:
                continue
            if file.with_name(finished_name(file.name)) not in wanted:
                raise InputError(f"{file} is not a file of this audit: choose another folder")
            file.unlink()
        for name in FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
        first = {"sealcheck": "unfinished", "statements": about.statements, "n": about.n}
        with new_file(folder / UNFINISHED) as sink:
            sink.write(canonical(first | {"messages": about.messages}) + b"\n")
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from None


def _names(about: Scope) -> Iterator[str]:
    """The names of all files that may be written, relative to the folder."""
    yield from (LEDGER, UNFINISHED, *map(table_name, about.tables))
    for id in about.statements:
        for level in about.levels:
            yield f"answers/{answers_name(id, *level)}"
    for id, claim in about.claims:
        for level in about.levels:
            yield from (_proof_name(query) for query in numbered(id, claim, *level))


def _proof_name(query: LevelQuery) -> str:
    return f"proofs/{Part(query).file_name}"


def certify(
    findings: Sequence[Finding], folder: Path, spaces: Sequence[Level], open_spark: OpenSpark, on_file: OnFile
) -> int:
    """Write tables, answers and proofs. Then write the ledger. Returns the number of files.

    Files of an interrupted audit are kept if a check accepts them. Raises InputError if a file can't be
    written, or if the folder has a file that this audit would not write.
    """
    about = scope(list(dict.fromkeys(finding.statement.id for finding in findings)), spaces)
    if [(finding.statement.id, finding.number) for finding in findings] != list(about.claims):
        raise ValueError("there must be a finding about each claim of each statement, in order")
    take_up(folder, about.statements, spaces)
    for kind in about.tables:
        on_file(table_name(kind))
        if not _is_table(kind, folder / table_name(kind), about):
            write_table(kind, "jsonl", folder / table_name(kind), about.levels, open_spark)
    answered = sum(_write_answers(id, folder, about.levels, on_file) for id in about.statements)
    rows = [_row(finding, folder, about.levels, on_file) for finding in findings]
    with new_file(folder / LEDGER) as file:
        file.write(ledger_text(about, rows))
    (folder / UNFINISHED).unlink()
    return 1 + len(about.tables) + answered + sum(len(made["proofs"]) for made in rows)


def _is_table(kind: str, file: Path, about: Scope) -> bool:
    """Whether the table exists and the kernel accepts it."""
    if not file.is_file():
        return False
    with open(file, "rb") as stream:
        try:
            found = header_of(next(lines(stream), b""))
            stream.seek(0)
            accepted = not any(check_lines(lines(stream)))
        except Rejected:
            return False
    return accepted and (found.kind, *found.levels) == (kind, *about.levels)


def _write_answers(id: str, folder: Path, levels: Sequence[Level], on_file: OnFile) -> int:
    """Write a file of answers for each level, if the statement has any. Returns the number of files."""
    about = statement(id)
    if not cubes.is_answerable(about):
        return 0
    for n, messages in levels:
        name = f"answers/{answers_name(id, n, messages)}"
        on_file(name)
        if not _is_answered(folder / name, id, n, messages):
            with new_file(folder / name) as file:
                file.write(cubes.answers(about, n, messages))
    return len(levels)


def _is_answered(file: Path, id: str, n: int, messages: int) -> bool:
    try:
        found = cubes.verify_answers(file) if file.is_file() else None
    except Rejected:
        return False
    return found is not None and (found.name, found.levels) == (id, frozenset({(n, messages)}))


def _row(finding: Finding, folder: Path, levels: Sequence[Level], on_file: OnFile) -> dict[str, Any]:
    about, number = finding.statement, finding.number
    proofs: list[str] = []
    models: list[dict[str, Any]] = []
    for n, messages in levels if finding.claim.whole_space else ():
        on_file(f"proofs of {about.id}, n = {n}, messages = {messages}")
        for query in numbered(about.id, number, n, messages):
            model = _model(query, folder / _proof_name(query))
            if model is None:
                proofs.append(_proof_name(query))
            else:
                models.append(model_document(query, model.true))
    found = Tally(checked=finding.instances, vacuous=finding.vacuous, refuting=finding.counterexample)
    said, counts = finding.verdict.value, finding.counts
    return row(about, number, found, said, counts=counts, proofs=proofs, models=models, levels=levels)


def _model(query: LevelQuery, file: Path) -> Model | None:
    """A model of the query. None if the file has a proof that there is no model."""
    if _is_proved(file, query):
        return None
    found = settled(query)
    if isinstance(found, Model):
        return found
    with new_file(file) as sink:
        sink.write(found)
    return None


def _is_proved(file: Path, query: LevelQuery) -> bool:
    try:
        return file.is_file() and verify_proof(file)[0] == Part(query)
    except Rejected:
        return False
