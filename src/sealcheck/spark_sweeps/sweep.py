"""The sweep: decide every program of the bounded space, and add up the results level by level.

A *level* (n, m) consists of all programs of n processes with m messages. A *shard* is a range of programs of
a level, and each shard is one task. If an output folder is given, the task writes a row for each canonical
program of the shard to a Parquet file, and Spark SQL adds up the rows. If not, the task returns only the
totals of its shard (`deciding.count_shard`). For each level, the number of programs is compared with a count
that was made without listing the programs.

The name of a file has a digest of the shard, the columns, the code and the versions of software. The file
appears under this name only when it is complete. A digest in the file covers its name and all its other
bytes, so that a damaged file is noticed.
"""

import hashlib
import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from sealcheck.algorithms.packed.levels import NOTHING
from sealcheck.errors import Disagreement, InputError
from sealcheck.evidence.outcome import IGNORED
from sealcheck.programs.straight_line import unpacked
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.columns import LevelTotals, ProgramRow, ShardRow
from sealcheck.spark_sweeps.cutting import Shard, counted_level, shards_of
from sealcheck.spark_sweeps.deciding import count_shard, describe_shard, require_undisputed, warm_up
from sealcheck.spark_sweeps.installed import answering_versions, code_digest
from sealcheck.spark_sweeps.shards import (
    DISAGREEMENTS,
    LIMIT,
    Check,
    OnProgress,
    Row,
    Within,
    limits_hit,
    within_limits,
)
from sealcheck.support.files import require_current_folder, unfinished_name, whole_file
from sealcheck.support.interrupts import undone
from sealcheck.support.processes import Limits
from sealcheck.words import counted

MANIFEST = "_sweep.json"
"""The file that describes a folder's sweep. Readers of Parquet folders skip it."""

_MARK, _DIGITS = b"sealcheck sha256 ", 64
"""The mark before the digest in a result file, and the number of digits of the digest."""

Describe = Callable[[Shard], Iterable[pa.RecordBatch]]
"""Makes the rows of a shard. The rows must depend on nothing but the shard."""

_MANY_VALUES = (pa.int64(), pa.list_(pa.int64()))
"""Types of columns with many different values. Parquet's dictionaries would save nothing."""

WRITTEN = pa.schema({"file": pa.string(), "rows": pa.int64(), DISAGREEMENTS: pa.int64()})
"""What a task returns after writing a shard's rows to a file.

The column `rows` has the number of rows written. The last column has the number of rows with a text in the
column `disagreement`.
"""


@dataclass(frozen=True)
class SweepDirectory:
    """A folder with the result files of a sweep; see `open_directory`."""

    path: Path
    shards: tuple[Shard, ...]
    schema: pa.Schema
    made_by: str
    """A digest of the columns, the code and the versions. Results depend only on these and on the shard."""
    damaged: tuple[str, ...]
    """The names of damaged files, which were removed when the folder was opened."""

    def missing(self) -> list[Shard]:
        """The shards that have no file yet, in order."""
        return [shard for shard in self.shards if not self._file(shard).exists()]

    def files(self, without: Container[tuple[int, int]] = ()) -> list[Path]:
        """The result files in the order of the shards, without the files of the levels in `without`.

        Reads each file once. Raises InputError if one of these files is missing or damaged.
        """
        files = [self._file(shard) for shard in self.shards if (shard.n, shard.messages) not in without]
        absent = sum(not file.exists() for file in files)
        if absent:
            raise InputError(
                f"{self.path} lacks {absent} of {len(files)} result files: is it a folder that"
                " all executors share?"
            )
        if damaged := next((file for file in files if not is_whole(file)), None):
            raise InputError(f"{damaged} was damaged while the sweep ran: run it again")
        return files

    def writing(self, describe: Describe) -> Check:
        """The work of a task: write the rows of a shard to its file, and return a row of WRITTEN.

        On a cluster, all executors must share the folder, at the same path.
        """
        return partial(
            _write_shard, describe=describe, path=self.path, schema=self.schema, made_by=self.made_by
        )

    def _file(self, shard: Shard) -> Path:
        return self.path / _file_name(shard, self.made_by)


def _write_shard(
    shard: Shard, *, describe: Describe, path: Path, schema: pa.Schema, made_by: str
) -> Iterator[Row]:
    file = path / _file_name(shard, made_by)
    yield (file.name, *_write(file, describe(shard), schema))


def open_directory(path: Path, shards: Sequence[Shard], schema: pa.Schema) -> SweepDirectory:
    """Open the folder `path` for the results of `shards`. It may be the folder of a stopped sweep.

    Reads all result files, and removes those that are unfinished or damaged. Raises InputError if the folder
    cannot be written, or if it is for other shards, columns, code or versions of the software.
    """
    require_current_folder()
    path = path.absolute()
    manifest = _manifest(shards, schema)
    try:
        path.mkdir(parents=True, exist_ok=True)
        remove_unfinished(path)
        _require_same_sweep(path, manifest)
        with whole_file(path / MANIFEST) as sink:
            sink.write(json.dumps(manifest, indent=2).encode() + b"\n")
        made_by = _digest([manifest["columns"], manifest["code"], manifest["versions"]])
        damaged = _without_damaged(path / _file_name(shard, made_by) for shard in shards)
    except OSError as error:
        raise InputError(f"cannot write results to {path}: {error.strerror}") from None
    return SweepDirectory(path, tuple(shards), schema, made_by, damaged)


def _without_damaged(files: Iterable[Path]) -> tuple[str, ...]:
    """Remove the files that are not valid results, and return their names."""
    damaged = [file for file in files if os.path.lexists(file) and not is_whole(file)]
    for file in damaged:
        if file.is_dir() and not file.is_symlink():
            raise InputError(f"{file} is a folder: choose a new or empty folder")
        file.unlink()
    return tuple(file.name for file in damaged)


def remove_unfinished(path: Path) -> None:
    """Remove unfinished files of killed tasks from a folder of results.

    If this removes the file of a task that still runs, the task is tried again.
    """
    for name in ("shard=*.parquet", MANIFEST):
        for unfinished in path.glob(unfinished_name(name)):
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
        "versions": answering_versions(),
    }


def _require_same_sweep(path: Path, manifest: dict[str, object]) -> None:
    """Raise InputError if `path` has files, but not this manifest."""
    if not (path / MANIFEST).exists():
        if any(file.name not in IGNORED for file in path.iterdir()):
            raise InputError(f"{path} is not empty and holds no sweep: choose a new or empty folder")
        return
    try:
        found = json.loads((path / MANIFEST).read_text("utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path / MANIFEST} is not the record of a sweep: choose a new or empty folder")
    for key, value in manifest.items():
        if (other := found.get(key)) != value:
            if isinstance(value, dict):
                other, value = _versions_that_differ(other if isinstance(other, dict) else {}, value)
            raise InputError(
                f"{path} holds another sweep, whose '{key}' is {other} and not {value}:"
                " choose a new or empty folder"
            )


def _versions_that_differ(one: dict[str, str], other: dict[str, str]) -> tuple[str, str]:
    """The versions that differ between two manifests, in words: in the first manifest, and in the second.

    >>> _versions_that_differ({"z3-solver": "1", "cvc5": "2"}, {"z3-solver": "3", "cvc5": "2", "numba": "4"})
    ('without numba, z3-solver 1', 'numba 4, z3-solver 3')
    """
    names = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    first, second = (
        ", ".join(f"{name} {each[name][:12]}" if name in each else f"without {name}" for name in names)
        for each in (one, other)
    )
    return first, second


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:24]


def _file_name(shard: Shard, made_by: str) -> str:
    return f"shard={_digest([asdict(shard), made_by])}.parquet"


def _write(file: Path, rows: Iterable[pa.RecordBatch], schema: pa.Schema) -> tuple[int, int]:
    """Write the rows to `file`, all or nothing. Returns the numbers of rows and of disagreements."""
    table, written = pa.Table.from_batches(rows, schema), BytesIO()
    few_values = [field.name for field in schema if field.type not in _MANY_VALUES]
    with pq.ParquetWriter(written, schema, compression="zstd", use_dictionary=few_values) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"sealcheck": _MARK.decode() + "0" * _DIGITS})
    content = _with_digest(file.name, written.getvalue())
    assert content is not None
    with whole_file(file) as sink:
        sink.write(content)
    disputed = table.num_rows - table["disagreement"].null_count if "disagreement" in schema.names else 0
    return table.num_rows, disputed


def is_whole(file: Path) -> bool:
    """Whether the file is undamaged and under its original name. Raises OSError if it can't be read."""
    if file.is_symlink() or not file.is_file():
        return False
    found = file.read_bytes()
    return found == _with_digest(file.name, found)


def _with_digest(name: str, content: bytes) -> bytes | None:
    """The content of a file, with the right digest inserted. None if there is no place for a digest."""
    place = content.rfind(_MARK)
    if place < 0:
        return None
    start = place + len(_MARK)
    before, after = content[:start], content[start + _DIGITS :]
    digest = hashlib.sha256(b"\0".join((name.encode(), before, after)))
    return before + digest.hexdigest().encode() + after


Level = tuple[int, int]


class Swept(NamedTuple):
    """The outcome of a sweep."""

    levels: list[LevelTotals]
    """The levels that were completed."""
    limits: list[str]
    """The limits that were hit, one for each shard that was not done."""


def check_directory(spaces: Sequence[Level], out: Path) -> Sequence[str]:
    """Check, before Spark starts, that `out` can take the rows. Remove damaged files, and return their names.

    Raises InputError in the cases of `open_directory`.
    """
    return open_directory(out, shards_of(spaces), ProgramRow.schema()).damaged


def sweep(
    spark: SparkSession | None,
    spaces: Sequence[Level],
    out: Path | None = None,
    *,
    limits: Limits,
    on_progress: OnProgress | None = None,
) -> Swept:
    """Sweep the levels in `spaces`. With `out`, write Parquet files there and resume a stopped sweep.

    Without a session, this process does the work, and `out` must be None. The `limits` apply to each shard.
    If a shard hits a limit, its level is left out.

    Raises

    - InputError if `out` can't be used;
    - ShardFailed if a task failed;
    - Disagreement if a cross-check disagrees, or if a level does not have the numbers of programs that
      `counted_level` gives.
    """
    warm_up()

    def run(shards: Sequence[Shard], work: Check, schema: pa.Schema) -> pa.Table:
        within, what = Within(work, schema, limits), described(spaces, len(shards), len(shards_of(spaces)))
        return on_spark.run(
            spark, shards, within, within.limited_schema, description=what, on_progress=on_progress
        )

    if out is None:
        found = _counted(run, spaces)
    else:
        assert spark is not None
        found = _written(spark, run, spaces, out)
    whole = [level for level in spaces if level not in found.unfinished]
    return Swept([_checked_level(found.levels, *level) for level in whole], found.limits)


class _Found(NamedTuple):
    """The totals of all shards that were done."""

    levels: dict[Level, LevelTotals]
    unfinished: set[Level]
    """Levels with shards that hit a limit."""
    limits: list[str]


Run = Callable[[Sequence[Shard], Check, pa.Schema], pa.Table]
"""A function that does some work on each shard, within limits, and returns one row for each shard."""


def _counted(run: Run, spaces: Sequence[Level]) -> _Found:
    shards = shards_of(spaces)
    rows = run(shards, count_shard, ShardRow.schema())
    return _Found(added_up(within_limits(rows).to_pylist()), _unfinished(shards, rows), limits_hit(rows))


def _unfinished(shards: Sequence[Shard], rows: pa.Table) -> set[Level]:
    """The levels with a shard that hit a limit."""
    limits = rows[LIMIT].to_pylist()
    return {(shard.n, shard.messages) for shard, limit in zip(shards, limits, strict=True) if limit}


def described(spaces: Sequence[Level], missing: int = 0, shards: int = 0) -> str:
    """The description for Spark's interface.

    >>> described([(2, 0), (2, 1), (3, 0), (3, 1)], 5, 8)
    'sweep: sealability of every program, n = 2..3, up to 1 message, 5 of 8 shards left'
    """
    first, last = min(n for n, _ in spaces), max(n for n, _ in spaces)
    most = max(messages for _, messages in spaces)
    bounds = f"n = {first}" if first == last else f"n = {first}..{last}"
    left = f", {missing} of {counted(shards, 'shard')} left" if missing < shards else ""
    return f"sweep: sealability of every program, {bounds}, up to {counted(most, 'message')}{left}"


def added_up(rows: Iterable[dict[str, Any]]) -> dict[Level, LevelTotals]:
    """The totals of the levels, added up from the totals of shards.

    Raises Disagreement if a cross-check disagreed. The error names a program of the smallest such level.
    """
    levels: dict[Level, LevelTotals] = {}
    for row in sorted(rows, key=lambda row: (row["n"], row["messages"])):
        require_undisputed(ShardRow.read(row))
        counts = LevelTotals.read(row)
        level = counts.n, counts.messages
        levels[level] = levels[level] + counts if level in levels else counts
    return levels


def _written(spark: SparkSession, run: Run, spaces: Sequence[Level], out: Path) -> _Found:
    directory = open_directory(out, shards_of(spaces), ProgramRow.schema())
    missing = directory.missing()
    # Three kinds of tasks leave unfinished files: cancelled tasks, tasks that hit a limit, and tasks of a
    # killed sweep that still ran during this sweep.
    with undone(partial(remove_unfinished, directory.path)):
        written = run(missing, directory.writing(describe_shard), WRITTEN)
    unfinished = _unfinished(missing, written)
    levels: dict[Level, LevelTotals] = {}
    if files := directory.files(without=unfinished):  # there is no shard where no space holds a program
        rows = spark.read.parquet(*map(str, files))
        smallest_disputed = """
            SELECT n, shares, disagreement FROM {rows} WHERE disagreement IS NOT NULL
            ORDER BY n, messages, index LIMIT 1
        """
        for n, shares, said in spark.sql(smallest_disputed, rows=rows).collect():
            raise Disagreement(f"sealability, n = {n}, on {unpacked(shares)}: {said}")
        summary = spark.sql(LevelTotals.select(), rows=rows).collect()
        levels = {(row.n, row.messages): LevelTotals.read(row.asDict()) for row in summary}
    return _Found(levels, unfinished, limits_hit(written))


def _checked_level(levels: dict[Level, LevelTotals], n: int, messages: int) -> LevelTotals:
    level = levels.get((n, messages)) or LevelTotals(
        n=n, messages=messages, programs=0, canonical=0, cross_checked=0, unknown=0, **NOTHING.counts
    )
    there_are = counted_level(n, messages)
    if (level.programs, level.canonical) != there_are:
        raise Disagreement(
            f"n = {n}, messages = {messages}: enumerated {counted(level.programs, 'program')},"
            f" {level.canonical} up to renaming, but counted {there_are[0]} and {there_are[1]}"
        )
    return level
