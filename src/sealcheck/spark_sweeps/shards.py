"""Shards of the program space, and the rows that a plain function makes of each shard.

A shard is a range of indices of programs. The task that gets a shard generates the programs, and returns
rows with results. `Within` runs a function within limits of time and memory. If a limit is hit, a row names
the limit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import cloudpickle

from sealcheck.errors import LimitReached, Unfinished
from sealcheck.spark_sweeps.cutting import Shard
from sealcheck.support.processes import Limits, call_within

ROWS_PER_BATCH = 16_384
"""The number of result rows that a task holds at a time."""

DISAGREEMENTS = "disagreements"
"""The column with the number of disagreements in a shard."""

Row = tuple[object, ...]
"""The values of one result row, in the order of the declared columns."""


Check = Callable[[Shard], Iterable[Row]]
"""The work of a task on a shard. The rows must depend only on the shard, so that all runs give equal rows."""


class ShardFailed(Unfinished):
    """A task raised an exception, or its process died.

    The message names the work, such as the shard, and repeats the message of the task's exception.
    """


class Progress(NamedTuple):
    """The progress of a run: units that are done (mostly programs), all units, and failed attempts."""

    done: int
    total: int
    failed: int
    disagreements: int | None = None
    """The number of disagreements so far. None if the rows have no column `DISAGREEMENTS`."""


OnProgress = Callable[[Progress], None]


def batches(rows: Iterable[Row], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows as record batches of this `schema`. A batch is made when it is needed.

    Raises TypeError if a row does not fit the schema.

    >>> schema = pa.schema({"program": pa.string(), "sealable": pa.bool_()})
    >>> next(batches([("mt 1->2", True)], schema)).to_pylist()
    [{'program': 'mt 1->2', 'sealable': True}]
    """
    remaining = iter(rows)
    while chunk := list(islice(remaining, ROWS_PER_BATCH)):
        for row in chunk:
            if len(row) != len(schema):
                raise TypeError(f"a row has {len(row)} values for {len(schema)} columns: {row}")
        columns = [
            _column(field, values) for field, values in zip(schema, zip(*chunk, strict=True), strict=True)
        ]
        yield pa.record_batch(columns, schema=schema)


def _column(field: pa.Field, values: Sequence[object]) -> pa.Array:
    try:
        column = pa.array(values, type=field.type)
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise TypeError(f"column '{field.name}': {error}") from error
    # Arrow cuts 0.5 down to 0 without a word.
    if pa.types.is_integer(field.type) and column.to_pylist() != list(values):
        raise TypeError(f"column '{field.name}': not every value is an integer")
    return column


def disagreements(schema: pa.Schema, found: Iterable[pa.RecordBatch]) -> int | None:
    """The number of disagreements in rows of this schema. None if the schema has no column for it.

    >>> disagreements(pa.schema({"rows": pa.int64()}), []) is None
    True
    """
    if DISAGREEMENTS not in schema.names:
        return None
    return sum(pc.sum(batch.column(DISAGREEMENTS)).as_py() or 0 for batch in found)


def checked(item: Shard, work: Check, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The result rows of one item.  Raises ShardFailed for any exception of the work."""
    try:
        yield from batches(work(item), schema)
    except ShardFailed:
        raise
    except Exception as error:
        raise ShardFailed(f"{item}: {type(error).__name__}: {error}") from error


def run_inline(
    items: Sequence[Shard], work: Check, schema: pa.Schema, *, on_progress: OnProgress | None = None
) -> pa.Table:
    """Do one item after the other in this process; `on_spark.run` does the same on Spark.

    >>> from sealcheck.spark_sweeps.cutting import split
    >>> def count(shard):
    ...     yield shard.start, shard.programs
    >>> schema = pa.schema({"start": pa.int64(), "programs": pa.int64()})
    >>> run_inline(split("count", 2, 3, programs=25, size=10), count, schema).to_pylist()[2]
    {'start': 20, 'programs': 5}
    """
    total = sum(item.programs for item in items)
    done = 0
    results: list[pa.RecordBatch] = []
    for item in items:
        results += checked(item, work, schema)
        done += item.programs
        if on_progress:
            on_progress(Progress(done, total, 0, disagreements(schema, results)))
    return pa.Table.from_batches(results, schema)


LIMIT = "limit"
"""The column with the limit that was hit. Null in the rows of completed work."""


@dataclass(frozen=True)
class Within:
    """Work on one item at a time, within limits.

    Each row gets one more column, `LIMIT`. If a limit is hit, the work on the item has a single row. In this
    row, all columns except `LIMIT` are null.
    """

    work: Check
    schema: pa.Schema
    limits: Limits

    @property
    def limited_schema(self) -> pa.Schema:
        """The schema of the rows, with the column for limits."""
        return self.schema.append(pa.field(LIMIT, pa.string()))

    def __call__(self, item: Shard) -> Iterator[Row]:
        """The rows of the item.  Raises the exceptions of the work."""
        pickled = cloudpickle.dumps((self.work, item))  # type: ignore[no-untyped-call]
        try:
            found = call_within(self.limits, _rows, pickled)
        except LimitReached as limit:
            yield (*(None for _ in self.schema), f"{item}: {limit}")
            return
        for row in found:
            yield (*row, None)


def _rows(pickled: bytes) -> list[Row]:
    work, item = cloudpickle.loads(pickled)
    return list(work(item))


def limits_hit(rows: pa.Table) -> list[str]:
    """The limits that were hit, each with the work that hit it."""
    return [limit for limit in rows[LIMIT].to_pylist() if limit is not None]


def within_limits(rows: pa.Table) -> pa.Table:
    """The rows of the work that was completed."""
    return rows.filter(pc.is_null(rows[LIMIT])).drop_columns([LIMIT])
