"""Large levels on Spark: each task starts the implementation for itself, and asks about its share of them."""

import os
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

import pyarrow as pa
from pyspark.sql import SparkSession

from sealcheck.differential.implementation import Subject
from sealcheck.differential.searching import Comparison, Difference, Spread
from sealcheck.spark_sweeps import on_spark
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.targets import target

SMALL = 1000
"""Levels with fewer instances are not sent to Spark."""
_FOUND = pa.schema({"tried": pa.int64(), "skipped": pa.int64(), "at": pa.int64(), "finding": pa.binary()})


@dataclass(frozen=True, kw_only=True)
class Portion:
    """Every so-manieth instance of a level, for one implementation."""

    target: str
    command: tuple[str, ...]
    limits: Limits
    folder: str
    n: int
    messages: int
    number: int
    of: int
    weight: int = 1

    def __str__(self) -> str:
        level = f"n = {self.n}, messages = {self.messages}"
        return f"diff --against {self.target}, {level}, portion {self.number} of {self.of}"


def spread(spark: SparkSession, command: Sequence[str], limits: Limits) -> Spread:
    """Goes through large levels on Spark; the workers must have the command, and the current folder."""

    def first(comparison: Comparison, n: int, messages: int) -> Difference | None:
        """The first finding of a level, from portions of it on Spark; a small level is done here."""
        asked = comparison.target
        if sum(1 for _ in islice(asked.domain.listing(n, messages), SMALL)) < SMALL:
            return comparison.first(asked.domain.listing(n, messages))
        of = spark.sparkContext.defaultParallelism
        portions = [
            Portion(
                target=asked.id,
                command=tuple(command),
                limits=limits,
                folder=os.getcwd(),
                n=n,
                messages=messages,
                number=number,
                of=of,
            )
            for number in range(of)
        ]
        description = f"diff --against {asked.id}, n = {n}, messages = {messages}"
        rows = on_spark.run(spark, portions, ask, _FOUND, description=description).to_pylist()
        comparison.tried += sum(row["tried"] for row in rows)
        comparison.skipped += sum(row["skipped"] for row in rows)
        found = [row for row in rows if row["finding"] is not None]
        return pickle.loads(min(found, key=lambda row: int(row["at"]))["finding"]) if found else None

    return first


def ask(portion: Portion) -> Iterator[tuple[int, int, int | None, bytes | None]]:
    """The one row of a portion: how many were tried and skipped, and the first finding with its index."""
    asked = target(portion.target)
    listing = islice(asked.domain.listing(portion.n, portion.messages), portion.number, None, portion.of)
    with Subject(portion.command, portion.limits, portion.folder) as subject:
        comparison = Comparison(asked, subject)
        for at, instance in zip(count(portion.number, portion.of), listing, strict=False):
            if (found := comparison.find(instance)) is not None:
                yield comparison.tried, comparison.skipped, at, pickle.dumps(found)
                return
        yield comparison.tried, comparison.skipped, None, None
