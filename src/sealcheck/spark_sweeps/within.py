"""What tasks do within limits of time and memory: a row says so where one was hit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import cloudpickle

from sealcheck.errors import LimitReached
from sealcheck.spark_sweeps.shards import Row, W, Work
from sealcheck.support.processes import Limits, call_within

LIMIT = "limit"
"""The column that says which limit was hit; null in the rows of what was done."""


@dataclass(frozen=True)
class Within(Generic[W]):
    """Work that is done within limits, on an item at a time.

    Its rows are those of the work, with a column `LIMIT` more; where a limit was hit, there is one row of
    nothing but that.
    """

    work: Work[W]
    schema: pa.Schema
    limits: Limits

    @property
    def limited_schema(self) -> pa.Schema:
        """That of its rows."""
        return self.schema.append(pa.field(LIMIT, pa.string()))

    def __call__(self, item: W) -> Iterator[Row]:
        """The rows of the item.  Raises what the work raises."""
        pickled = cloudpickle.dumps((self.work, item))  # type: ignore[no-untyped-call]
        try:
            found = call_within(self.limits, _rows, pickled)
        except LimitReached as limit:
            yield (*(None for _ in self.schema), f"{item}: {limit}")
            return
        for row in found:
            yield (*row, None)


def _rows(pickled: bytes) -> list[Row]:
    """The rows that some work on an item makes; both are pickled as Spark does it, by value if need be."""
    work, item = cloudpickle.loads(pickled)
    return list(work(item))


def limits_hit(rows: pa.Table) -> list[str]:
    """Which limits were hit, each with what was done then."""
    return [limit for limit in rows[LIMIT].to_pylist() if limit is not None]


def within_limits(rows: pa.Table) -> pa.Table:
    """The rows of what was done."""
    return rows.filter(pc.is_null(rows[LIMIT])).drop_columns([LIMIT])
