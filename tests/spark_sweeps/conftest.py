"""A Spark session for several tests."""

import pytest
from pyspark.sql import SparkSession
from tests.sessions import KeptSession


@pytest.fixture(scope="module")
def spark(kept_session: KeptSession) -> SparkSession:
    return kept_session.session
