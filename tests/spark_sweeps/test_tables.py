"""Certified tables on Spark: the same bytes, and the same complaints."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from sealcheck.kernel.tables import check_lines
from sealcheck.spark_sweeps import tables as making
from sealcheck.spark_sweeps.tables import check_lines_on_spark, write_table

SPACES = [(n, m) for n in (2, 3) for m in range(4)]


@pytest.mark.parametrize("kind", ["sealability", "sealing-pairs", "worst-cases"])
def test_spark_makes_the_same_bytes(
    kind: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    spaces = [(n, m) for n, m in SPACES if m < 3]
    write_table(kind, "parquet", here, spaces, lambda: pytest.fail("Spark is not needed"))
    monkeypatch.setattr(making, "PER_SHARD", 20)
    write_table(kind, "parquet", there, spaces, lambda: nullcontext(spark), use_spark=True)
    assert here.read_bytes() == there.read_bytes()


def test_spark_makes_the_same_complaints(spark: SparkSession, tmp_path: Path) -> None:
    write_table("sealability", "jsonl", tmp_path / "t", SPACES, lambda: pytest.fail("Spark is not needed"))
    lines = (tmp_path / "t").read_bytes().splitlines()
    assert list(check_lines_on_spark(spark, lines)) == []
    lines[5] = lines[5].replace(b'"sealable":true', b'"sealable":false')
    lines[7], lines[8] = lines[8], b"nonsense"
    complaints = list(check_lines(lines))
    assert [row for row, _ in complaints][:3] == [5, 8, 0]
    assert list(check_lines_on_spark(spark, lines)) == complaints
