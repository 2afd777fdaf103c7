"""Checking the rows of a table on Spark; what concerns all rows together stays with this process."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.kernel.programs import Shares
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.tables import Accepted, Totals, check_row, header_of

ROWS_AT_ONCE = 100_000
"""Rows that this process holds."""

_LINES = pa.schema({"kind": pa.string(), "line": pa.binary()})
_CHECKED = pa.schema(
    {
        "reason": pa.string(),
        "n": pa.int32(),
        "messages": pa.int32(),
        "programs": pa.string(),
        "orbit": pa.int64(),
    }
)


def check_lines_on_spark(spark: SparkSession, lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """What `kernel.tables.check_lines` does, with the rows checked in Spark tasks."""
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
    return Accepted(result["n"], result["messages"], _programs(result["programs"]), result["orbit"])


def _programs(text: str) -> tuple[Shares, ...]:
    """Lists as tuples, so that they compare as those of the kernel do."""
    return tuple(
        tuple(tuple(tuple(event) for event in share) for share in shares) for shares in json.loads(text)
    )
