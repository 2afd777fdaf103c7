"""Search large levels on Spark. Each task asks the implementation about a part of the level.

A level (n, m) has all programs, or pairs of programs, with n processes and m messages.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import count, islice

import pyarrow as pa
from pyspark.sql import SparkSession

from sealcheck.differential.implementation import Kind, Subject
from sealcheck.differential.searching import Comparison, Difference, Spread
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.cutting import Shard
from sealcheck.spark_sweeps.shards import Row
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.targets import target

SMALL = 1000
"""A level with fewer instances is searched in this process, not on Spark."""
_FOUND = pa.schema({"tried": pa.int64(), "skipped": pa.int64(), "at": pa.int64(), "finding": pa.string()})


def spread(spark: SparkSession, command: Sequence[str], limits: Limits) -> Spread:
    """A function that searches a level on Spark. Workers need the command and the current folder."""

    def first(comparison: Comparison, n: int, messages: int) -> Difference | None:
        """The first finding of a level. If the level is small, this process searches it, not Spark."""
        asked = comparison.target
        if sum(1 for _ in islice(asked.domain.listing(n, messages), SMALL)) < SMALL:
            return comparison.first(asked.domain.listing(n, messages))
        of = spark.sparkContext.defaultParallelism
        job = {"diff": asked.id, "command": list(command), "limits": astuple(limits), "folder": os.getcwd()}
        portions = [Shard(json.dumps(job | {"of": of}), n, messages, at, at + 1) for at in range(of)]
        description = f"diff --against {asked.id}, n = {n}, messages = {messages}"
        rows = on_spark.run(spark, portions, ask, _FOUND, description=description).to_pylist()
        comparison.tried += sum(row["tried"] for row in rows)
        comparison.skipped += sum(row["skipped"] for row in rows)
        found = [row for row in rows if row["finding"] is not None]
        return _read(min(found, key=lambda row: int(row["at"]))["finding"]) if found else None

    return first


def ask(portion: Shard) -> Iterator[Row]:
    """Search a portion, which is every k'th instance. Yields one row: the first finding and its index."""
    job = json.loads(portion.job)
    asked = target(job["diff"])
    listing = islice(asked.domain.listing(portion.n, portion.messages), portion.start, None, job["of"])
    with Subject(job["command"], Limits(*job["limits"]), job["folder"]) as subject:
        comparison = Comparison(asked, subject)
        for at, instance in zip(count(portion.start, job["of"]), listing, strict=False):
            if (found := comparison.find(instance)) is not None:
                yield comparison.tried, comparison.skipped, at, _written(found)
                return
        yield comparison.tried, comparison.skipped, None, None


def _written(found: Difference) -> str:
    instance = found.instance.to_json()
    return json.dumps([found.kind.value, instance, found.expected, found.got, found.stderr])


def _read(text: str) -> Difference:
    kind, instance, *others = json.loads(text)
    return Difference(Kind(kind), Instance.from_json(instance), *others)
