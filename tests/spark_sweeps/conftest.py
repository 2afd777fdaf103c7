"""One Spark session for the tests of this folder: starting one takes several seconds."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from sealcheck.spark_sweeps.session import spark_session


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    with spark_session("local[2,3]", "sealcheck tests") as session:
        yield session
