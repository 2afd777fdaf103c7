"""The results of a sweep on disk, one Parquet file per shard, so that it can be resumed.

A file is named by a digest of what was computed and by what code, and appears under that name
only when it is complete.  Whatever is there is therefore done, and what is missing is what is
left to do, however the sweep was stopped.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from sealcheck.errors import InputError
from sealcheck.spark_sweeps.package import code_digest, solver_versions
from sealcheck.spark_sweeps.shards import DISAGREEMENTS, Check, Row, Shard, batches

MANIFEST = "_sweep.json"
"""What a directory holds.  Readers of Parquet folders pass over names that start with `_` or `.`."""

WRITTEN = pa.schema({"file": pa.string(), "rows": pa.int64(), DISAGREEMENTS: pa.int64()})
"""What a task returns when its result rows go to a file; the last one is how many of these rows say
something in a column `disagreement`."""


@dataclass(frozen=True)
class SweepDirectory:
    """A folder with the result files of a sweep; see `open_directory`."""

    path: Path
    shards: tuple[Shard, ...]
    schema: pa.Schema
    made_by: str
    """What the results depend on beside the shard, in one string."""

    def missing(self) -> list[Shard]:
        """The shards that have no file yet, in order."""
        return [shard for shard in self.shards if not (self.path / self._name(shard)).exists()]

    def files(self) -> list[Path]:
        """The result files in the order of the shards.  Raises InputError where one is missing."""
        files = [self.path / self._name(shard) for shard in self.shards]
        absent = [file for file in files if not file.exists()]
        if absent:
            raise InputError(
                f"{self.path} lacks {len(absent)} of {len(files)} result files: is it a folder that"
                " all executors share?"
            )
        return files

    def writing(self, check: Check) -> Check:
        """A check that writes the rows of `check` to the shard's file and returns a row of WRITTEN.

        It runs inside tasks: on a cluster, the folder must be at the same path on storage that
        all executors share.
        """
        path, schema, made_by = self.path, self.schema, self.made_by

        def write(shard: Shard) -> Iterator[Row]:
            file = path / _file_name(shard, made_by)
            yield (file.name, *_write(file, check, shard, schema))

        return write

    def _name(self, shard: Shard) -> str:
        return _file_name(shard, self.made_by)


def open_directory(path: Path, shards: Sequence[Shard], schema: pa.Schema) -> SweepDirectory:
    """The folder `path` for the results of `shards`, made, or taken up where a sweep was stopped.

    Files that a killed task left unfinished are removed.  Raises InputError where the folder
    cannot be written, or holds the results of other shards, columns, code or solvers.
    """
    path = path.absolute()
    manifest = _manifest(shards, schema)
    try:
        path.mkdir(parents=True, exist_ok=True)
        remove_unfinished(path)
        _require_same_sweep(path, manifest)
        _replace(path / MANIFEST, json.dumps(manifest, indent=2) + "\n")
    except OSError as error:
        raise InputError(f"cannot write results to {path}: {error.strerror}") from None
    made_by = _digest([manifest["columns"], manifest["code"], manifest["solvers"]])
    return SweepDirectory(path, tuple(shards), schema, made_by)


def remove_unfinished(path: Path) -> None:
    """Remove what killed tasks have left in a folder of results; harmless to running ones, which retry."""
    for name in (".shard=*.parquet.*.tmp", f".{MANIFEST}.*.tmp"):
        for unfinished in path.glob(name):
            unfinished.unlink(missing_ok=True)


def _manifest(shards: Sequence[Shard], schema: pa.Schema) -> dict[str, object]:
    return {
        "jobs": sorted({shard.job for shard in shards}),
        "n": sorted({shard.n for shard in shards}),
        "messages": sorted({shard.messages for shard in shards}),
        "programs": sum(shard.programs for shard in shards),
        "shards": f"{len(shards)} ({_digest([asdict(shard) for shard in shards])})",
        "columns": [f"{field.name}: {field.type}" for field in schema],
        "code": code_digest(),
        "solvers": solver_versions(),
    }


def _require_same_sweep(path: Path, manifest: dict[str, object]) -> None:
    """Raise InputError unless `path` is empty or its manifest is this one."""
    if not (path / MANIFEST).exists():
        if any(path.iterdir()):
            raise InputError(f"{path} is not empty and holds no sweep: choose a new or empty folder")
        return
    try:
        found = json.loads((path / MANIFEST).read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path / MANIFEST} is not the record of a sweep: choose a new or empty folder")
    for key, value in manifest.items():
        if found.get(key) != value:
            raise InputError(
                f"{path} holds another sweep, whose '{key}' is {found.get(key)} and not {value}:"
                " choose a new or empty folder"
            )


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:24]


def _file_name(shard: Shard, made_by: str) -> str:
    return f"shard={_digest([asdict(shard), made_by])}.parquet"


def _temporary(file: Path) -> Path:
    return file.with_name(f".{file.name}.{uuid4().hex}.tmp")


def _replace(file: Path, text: str) -> None:
    temporary = _temporary(file)
    temporary.write_text(text)
    os.replace(temporary, file)


def _write(file: Path, check: Check, shard: Shard, schema: pa.Schema) -> tuple[int, int]:
    """Write the shard's rows to `file`, all or nothing; how many there are, and how many disagreements."""
    temporary = _temporary(file)
    rows, disputed = 0, 0
    try:
        with open(temporary, "wb") as sink:
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for batch in batches(check(shard), schema):
                    writer.write_batch(batch)
                    rows += batch.num_rows
                    disputed += _disputed(batch)
            sink.flush()
            os.fsync(sink.fileno())
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
    return rows, disputed


def _disputed(batch: pa.RecordBatch) -> int:
    """How many rows say something in a column `disagreement`."""
    if "disagreement" not in batch.schema.names:
        return 0
    return int(batch.num_rows - batch.column("disagreement").null_count)
