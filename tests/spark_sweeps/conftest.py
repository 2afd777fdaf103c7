"""What several tests share: a Spark session, and what oracles say of a program."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps import deciding
from sealcheck.spark_sweeps.deciding import disagreement
from sealcheck.spark_sweeps.session import spark_session

SAID: dict[tuple[StraightLine, Any], str | None] = {}
"""What was wrong with what was found of a program, when it was first cross-checked."""


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """One session for all tests of a file: starting one takes several seconds.

    Not longer, for then others, in whatever order, may start one of their own in this process.
    """
    with spark_session("local[2,3]", "sealcheck tests") as session:
        yield session


@pytest.fixture
def checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, no program is cross-checked twice: that is most of the work."""

    def remembered(program: StraightLine, found: Any, solvers: Sequence[Any]) -> str | None:
        if (program, found) not in SAID:
            SAID[program, found] = disagreement(program, found, solvers)
        return SAID[program, found]

    monkeypatch.setattr(deciding, "disagreement", remembered)
