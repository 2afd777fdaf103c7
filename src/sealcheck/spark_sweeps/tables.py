"""Make certified tables, in this process or on Spark, and check the rows of tables on Spark."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby, islice, product
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.errors import LimitReached
from sealcheck.evidence.formats import FORMATS, new_file
from sealcheck.evidence.tables import TABLES, Table
from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.kernel.tables import VERSION, Accepted, Totals, check_row, header_of
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.cutting import Shard, split
from sealcheck.spark_sweeps.shards import (
    LIMIT,
    Check,
    OnProgress,
    Progress,
    Row,
    Within,
    limits_hit,
    within_limits,
)
from sealcheck.support.processes import Limits

SCHEMA = pa.schema({"key": pa.binary(), "orbit_size": pa.int64(), "rank": pa.int32(), "line": pa.binary()})
"""`key` orders the rows of a level. Some tables have only the rows of a level with the largest `rank`."""

PER_SHARD = 4_000
"""The number of indices in a shard: one to four seconds of work."""

WITHOUT_SPARK = 20_000
"""Up to this number of indices, Spark is not used, because its start would take more time than the work."""

OpenSpark = Callable[[], AbstractContextManager[SparkSession | None]]
"""Starts Spark, and yields the session. If it yields None, this process does everything."""


@dataclass
class Made:
    """The rows of one level, in order, as lines of JSON."""

    n: int
    messages: int
    programs: int
    """The number of programs, or pairs of programs, that the rows stand for."""
    lines: pa.Array


def levels(
    kind: str,
    spaces: Sequence[tuple[int, int]],
    open_spark: OpenSpark,
    *,
    use_spark: bool = False,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[Made]:
    """Make the rows of every level (n, messages) in `spaces`. Memory holds one level at a time.

    Starts Spark if there are more than `WITHOUT_SPARK` indices, or with `use_spark`. Raises LimitReached if a
    shard hits a limit.
    """
    work: Check = make_shard if limits is None else Within(make_shard, SCHEMA, limits)
    schema = work.limited_schema if isinstance(work, Within) else SCHEMA
    shards = [shard for n, messages in sorted(spaces) for shard in _shards(kind, n, messages)]
    total = sum(shard.programs for shard in shards)
    by_level = {level: list(part) for level, part in groupby(shards, key=lambda s: (s.n, s.messages))}
    done = 0

    def follow(part: Progress) -> None:
        if on_progress:
            on_progress(Progress(done + part.done, total, part.failed))

    def all_levels(spark: SparkSession | None) -> Iterator[Made]:
        """The rows, level by level. `done` counts the indices of the levels before."""
        nonlocal done
        for level in sorted(spaces):
            part = by_level.get(level, [])
            named = f"table: {kind}, n = {level[0]}, messages = {level[1]}"
            found = on_spark.run(spark, part, work, schema, description=named, on_progress=follow)
            done += sum(shard.programs for shard in part)
            if LIMIT in found.column_names:
                if hit := limits_hit(found):
                    raise LimitReached(hit[0])
                found = within_limits(found)
            yield _ordered(TABLES[kind], level, found)

    if use_spark or total > WITHOUT_SPARK:
        with open_spark() as spark:
            yield from all_levels(spark)
    else:
        yield from all_levels(None)


def _shards(kind: str, n: int, messages: int) -> list[Shard]:
    domain = TABLES[kind].domain
    size = domain.size(n, messages)
    per_index = max(1, domain.expected(n, messages) // max(1, size))
    return split(kind, n, messages, size, max(1, PER_SHARD // per_index))


def make_shard(shard: Shard) -> Iterator[Row]:
    """The rows of a shard, in the order of its indices."""
    made = TABLES[shard.job]
    rank = made.selection.largest if made.selection else None
    for instance, row in made.rows(shard.n, shard.messages, shard.start, shard.stop):
        yield _key(instance), row["orbit_size"], row[rank] if rank else None, canonical(row)


def _key(instance: Instance) -> bytes:
    """Bytes that sort as the programs do. There are at most 8 processes."""
    key = bytearray()
    for program in instance.straight:
        for share in program.shares:
            key.extend(64 * kind + 8 * (i - 1) + (j - 1) + 2 for kind, i, j in share)
            key.append(1)
    return bytes(key)


def _ordered(made: Table, level: tuple[int, int], found: pa.Table) -> Made:
    if made.selection and made.selection.largest and len(found):
        found = found.filter(pc.equal(found["rank"], pc.max(found["rank"])))
    found = found.sort_by("key")
    return Made(*level, pc.sum(found["orbit_size"]).as_py() or 0, found["line"].combine_chunks())


Range = tuple[int, int]
"""The first and the last number."""


def scope_of(spaces: Sequence[tuple[int, int]]) -> tuple[Range, Range]:
    """The ranges of n and of messages in these spaces. Raises ValueError if a pair is missing.

    >>> scope_of([(2, 0), (2, 1), (3, 0), (3, 1)])
    ((2, 3), (0, 1))
    """
    processes, counts = (range(min(part), max(part) + 1) for part in zip(*spaces, strict=True))
    if sorted(spaces) != list(product(processes, counts)):
        raise ValueError(f"{spaces} are not all pairs of two ranges")
    return (processes[0], processes[-1]), (counts[0], counts[-1])


class Summary:
    """The contents of a table's header, gathered while the rows pass."""

    def __init__(self, kind: str, spaces: Sequence[tuple[int, int]]) -> None:
        """`spaces` are all pairs (n, messages) of the scope."""
        self.kind = kind
        self._n, self._messages = scope_of(spaces)
        self.rows = 0
        self._levels: list[dict[str, int]] = []
        self._digest = hashlib.sha256()

    def add(self, made: Made) -> Iterator[bytes]:
        """Yield the lines of a level, and include the level in the header."""
        for line in made.lines:
            text: bytes = line.as_py()
            self._digest.update(text + b"\n")
            yield text
        self.rows += len(made.lines)
        level = {"n": made.n, "messages": made.messages}
        self._levels.append(level | {"rows": len(made.lines), "programs": made.programs})

    @property
    def header(self) -> bytes:
        """The first line of the table."""
        scope = {"kind": self.kind, "n": self._n, "messages": self._messages}
        content = {"levels": self._levels, "rows": self.rows, "sha256": self._digest.hexdigest()}
        return canonical({"sealcheck": "table", "version": VERSION} | scope | content)


def write_table(
    kind: str,
    format: str,
    target: Path,
    spaces: Sequence[tuple[int, int]],
    open_spark: OpenSpark,
    *,
    use_spark: bool = False,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Summary:
    """Write a table to a file, all or nothing. Returns the contents of its header.

    Raises InputError if writing fails, and LimitReached if a shard hits a limit.
    """
    summary = Summary(kind, spaces)
    with new_file(target) as file, TemporaryFile() as body:
        for made in levels(
            kind, spaces, open_spark, use_spark=use_spark, limits=limits, on_progress=on_progress
        ):
            body.writelines(line + b"\n" for line in summary.add(made))
        body.seek(0)
        FORMATS[format](TABLES[kind], summary.header, (line[:-1] for line in body), file)
    return summary


ROWS_AT_ONCE = 100_000
"""The number of rows that this process holds at a time."""

_LINES = pa.schema({"kind": pa.string(), "line": pa.binary()})
_ACCEPTED = {"n": pa.int32(), "messages": pa.int32(), "programs": pa.string(), "orbit": pa.int64()}
_CHECKED = pa.schema({"reason": pa.string()} | _ACCEPTED)


def check_lines_on_spark(spark: SparkSession, lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """Check the lines of a table as `kernel.tables.check_lines` does, but check the rows in Spark tasks."""
    remaining = iter(lines)
    totals = Totals(header_of(next(remaining, b"")))
    done, broken = 0, ""
    while not broken:
        chunk: list[bytes] = []
        try:
            chunk.extend(islice(remaining, ROWS_AT_ONCE))
        except Rejected as error:
            broken = str(error)
        if not chunk:
            break
        results = _checked(spark, totals.header.kind, chunk)
        for number, (line, result) in enumerate(zip(chunk, results, strict=True), done + 1):
            totals.read(line)
            try:
                totals.add(_row(result))
            except Rejected as error:
                yield number, str(error)
        done += len(chunk)
    if broken:
        yield done + 1, broken
    for complaint in totals.complaints():
        yield 0, complaint


def _checked(spark: SparkSession, kind: str, chunk: list[bytes]) -> list[dict[str, Any]]:
    table = pa.table([[kind] * len(chunk), pa.array(chunk, pa.binary())], schema=_LINES)
    rows = spark.createDataFrame(table).mapInArrow(_task, from_arrow_schema(_CHECKED))
    found: list[dict[str, Any]] = rows.toArrow().to_pylist()
    return found


def _task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        rows = [_result(row["kind"], row["line"]) for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=_CHECKED)


def _result(kind: str, line: bytes) -> dict[str, Any]:
    try:
        row = check_row(kind, line)
    except Rejected as error:
        return {"reason": str(error)}
    return row._asdict() | {"programs": json.dumps(row.programs)}


def _row(result: dict[str, Any]) -> Accepted:
    if result["reason"] is not None:
        raise Rejected(result["reason"])
    listed = json.loads(result["programs"])
    # tuples, not lists, so that they compare as those of the kernel do
    programs = tuple(tuple(tuple(map(tuple, share)) for share in shares) for shares in listed)
    return Accepted(result["n"], result["messages"], programs, result["orbit"])
