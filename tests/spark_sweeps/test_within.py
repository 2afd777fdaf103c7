"""Rows of jobs within limits, and of jobs beyond them."""

import pyarrow as pa

from sealcheck.spark_sweeps.shards import LIMIT, limits_hit, within_limits


def test_what_hit_a_limit_is_told_apart() -> None:
    rows = pa.table({"item": [1, None, 3], LIMIT: [None, "2: 10 s", None]})
    assert limits_hit(rows) == ["2: 10 s"]
    assert within_limits(rows).to_pydict() == {"item": [1, 3]}
