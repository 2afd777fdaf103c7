"""Results of audits, kept in the user's cache for later audits: tables in Parquet files.

Answers of oracles are filed under a digest of the solvers, the versions of all tools, and the code on which
answers depend. Other results are filed under a digest of the solvers, the versions and all code. A file
appears only when it is complete.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from sealcheck.spark_sweeps.audit_tasks import ANSWERS
from sealcheck.spark_sweeps.installed import answering_versions, code_digest
from sealcheck.spark_sweeps.jobs import Job, LevelChecked, Result, Row, job_text, read_result, result_text
from sealcheck.support.files import cache_folder, whole_file
from sealcheck.theorems import own
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally

VERSION = 2
"""The version of the format. Raise the version with each change of the format."""
KEPT_DAYS = 30
"""Tables that no audit has changed for this many days are removed."""
MOST_FILES = 16
"""The largest number of files of a table. More files are merged into one."""

ANSWERS_DEPEND_ON = (
    *("algorithms", "drawing", "encodings", "errors", "explorers", "kernel"),
    *("language", "operations", "programs", "questions", "support", "words"),
)
"""The modules and folders of the package on which answers depend."""

RESULT = pa.schema({"key": pa.string(), "document": pa.string()})

_DAMAGE = (AttributeError, KeyError, TypeError, ValueError)
"""Exceptions from reading malformed documents."""


class ParquetTable:
    """Rows in the Parquet files of a folder.

    Opening the table removes files that are damaged or have other columns. Raises OSError if the folder
    cannot be written.
    """

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._schema = folder, schema
        for file in self.files():
            if not self._is_sound(file):
                file.unlink(missing_ok=True)

    def files(self) -> list[Path]:
        """The files of the table."""
        return sorted(file for file in self.folder.glob("*.parquet") if not file.name.startswith("."))

    def _is_sound(self, file: Path) -> bool:
        try:
            found = pq.read_table(file, page_checksum_verification=True)
        except (OSError, pa.ArrowException):
            return False
        return bool(found.schema.equals(self._schema))

    def rows(self, where: ds.Expression | None = None) -> list[Row]:
        """The rows that satisfy a condition."""
        if not (files := self.files()):
            return []
        found: list[Row] = ds.dataset(files, schema=self._schema).to_table(filter=where).to_pylist()
        return found

    def add(self, rows: Sequence[Row]) -> None:
        """Add a file with these rows."""
        if rows:
            self._write(pa.Table.from_pylist(list(rows), schema=self._schema))

    def _write(self, table: pa.Table) -> None:
        with whole_file(self.folder / f"{uuid4().hex}.parquet") as file:
            pq.write_table(table, file, compression="zstd", write_page_checksum=True)

    def compact(self, where: ds.Expression | None = None) -> None:
        """Merge many files into one that has only the rows that satisfy a condition."""
        files = self.files()
        if len(files) > MOST_FILES:
            self._write(ds.dataset(files, schema=self._schema).to_table(filter=where))
            for file in files:
                file.unlink(missing_ok=True)


class Kept:
    """The answers and results of audits, by default in the user's cache folder.

    If the folder cannot be written, a temporary folder is used instead.
    """

    def __init__(self, solvers: Sequence[str], folder: Path | None = None) -> None:
        self._temporary: TemporaryDirectory[str] | None = None
        self.folder = folder
        try:
            self.folder = folder or cache_folder() / "audit"
            self._open(self.folder, solvers)
        except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
            self._temporary = TemporaryDirectory(prefix="sealcheck-audit-")
            self.folder = Path(self._temporary.name)
            self._open(self.folder, solvers)
        self._used = bool(self._documents or self.answers.files())

    def _open(self, folder: Path, solvers: Sequence[str]) -> None:
        of_answers = [code_digest(*ANSWERS_DEPEND_ON), *solvers]
        self.answers = ParquetTable(folder / f"answers-{_digest(of_answers)}", ANSWERS)
        self._results = ParquetTable(folder / f"results-{_digest([code_digest(), *solvers])}", RESULT)
        self._documents = {row["key"]: row["document"] for row in self._results.rows()}

    def result(self, job: Job) -> Result | None:
        """The result of a job, if it is kept."""
        with suppress(*_DAMAGE):
            return read_result(self._documents[job_text(job)])
        return None

    def level(self, statement: str, n: int, messages: int) -> LevelChecked | None:
        """The outcome of all instances of a level, if it is kept."""
        with suppress(*_DAMAGE):
            tallies, abstained = json.loads(self._documents[_level_key(statement, n, messages)])
            read = list(map(read_result, tallies))
            if all(isinstance(tally, Tally) for tally in read):
                return LevelChecked(read, abstained)  # type: ignore[arg-type]
        return None

    def keep(
        self,
        levels: Iterable[tuple[str, int, int, LevelChecked]] = (),
        results: Iterable[tuple[Job, Result]] = (),
    ) -> None:
        """Keep results for later audits.

        Results that hit a limit, disagreements, and results about the user's own files are not kept.
        """
        documents = {}
        for id, n, messages, found in levels:
            if not own.is_own(id) and all(map(_lasts, found.tallies)):
                document = [list(map(result_text, found.tallies)), dict(found.abstained)]
                documents[_level_key(id, n, messages)] = json.dumps(document)
        for job, result in results:
            if not own.is_own(job.statement) and _lasts(result):
                documents[job_text(job)] = result_text(result)
        self._documents |= documents
        self._results.add([{"key": key, "document": document} for key, document in documents.items()])

    @property
    def advice(self) -> str:
        """Advice after a disagreement. Empty if no answers of earlier audits were in the folder."""
        return f"; to check without results of earlier audits, delete {self.folder}" if self._used else ""

    def close(self) -> None:
        """Merge many files of a table into one, and remove tables that have not changed for a long time."""
        if self._temporary is not None:
            self._temporary.cleanup()
            return
        assert self.folder is not None
        with suppress(OSError):
            self.answers.compact(LASTING)
            self._results.compact()
            oldest = time.time() - KEPT_DAYS * 24 * 3600
            for table in self.folder.iterdir():
                if table.is_dir() and table.stat().st_mtime < oldest:
                    for file in table.iterdir():
                        file.unlink()
                    table.rmdir()


LASTING = ds.field("unknown").is_null() & ds.field("disputed").is_null()
"""A filter for the answers that also count in later audits."""


def _lasts(result: Result) -> bool:
    match result:
        case Tally(unknown=unknown, disputed=disputed):
            return not unknown and disputed is None
        case Ablation(unknown=unknown):
            return not unknown
        case _:
            return hasattr(result, "counts")


def _digest(parts: Sequence[str]) -> str:
    made_by = json.dumps([VERSION, *parts, answering_versions()], sort_keys=True)
    return hashlib.sha256(made_by.encode()).hexdigest()[:24]


def _level_key(statement: str, n: int, messages: int) -> str:
    return json.dumps(["instances", statement, n, messages])
