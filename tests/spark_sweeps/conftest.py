"""What several tests share: a Spark session."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from sealcheck.spark_sweeps.session import spark_session


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    """One session for all tests of this folder: starting one, and its workers, takes several seconds.

    Not longer, for then others, in whatever order, may start one of their own in this process.
    """
    with spark_session("local[2,3]", "sealcheck tests") as session:
        yield session
