"""Shards and their rows, without Spark."""

from collections.abc import Iterator

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sealcheck.programs.space import Space
from sealcheck.spark_sweeps import shards
from sealcheck.spark_sweeps.cutting import Shard, split
from sealcheck.spark_sweeps.shards import Progress, Row, ShardFailed, run_inline

SCHEMA = pa.schema({"program": pa.string(), "length": pa.int64()})


def listing(shard: Shard) -> Iterator[Row]:
    for program in Space(shard.n, shard.messages).programs(shard.start, shard.stop):
        yield str(program), program.length


@given(st.integers(0, 200), st.integers(1, 50))
def test_split_covers_every_index_once_and_in_order(programs: int, size: int) -> None:
    parts = split("job", 2, 3, programs, size)
    assert [index for part in parts for index in range(part.start, part.stop)] == list(range(programs))
    assert all(0 < part.programs <= size for part in parts)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_rows_do_not_depend_on_how_the_space_is_cut(size: int) -> None:
    space = Space(2, 3)
    table = run_inline(split("list", 2, 3, len(space), size), listing, SCHEMA)
    assert table.schema == SCHEMA
    assert table.to_pylist() == [{"program": str(p), "length": p.length} for p in space.programs()]


def test_many_rows_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "ROWS_PER_BATCH", 4)
    made: list[int] = []

    def rows() -> Iterator[Row]:
        for number in range(10):
            made.append(number)
            yield (number,)

    batches = shards.batches(rows(), pa.schema({"number": pa.int64()}))
    assert [(batch.num_rows, len(made)) for batch in batches] == [(4, 4), (4, 8), (2, 10)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("eps",), "a row has 1 values for 2 columns"),
        (("eps", 0, 0), "a row has 3 values for 2 columns"),
        (("eps", "none"), "column 'length': "),
        (("eps", 0.5), "column 'length': "),
        (("eps", 2**63), "column 'length': "),
        ((1, 0), "column 'program': "),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_name(row: Row, message: str) -> None:
    shard = Shard("job", 2, 3, 0, 5)
    with pytest.raises(ShardFailed) as failure:
        run_inline([shard], lambda _: [("fine", 1), row], SCHEMA)
    assert str(failure.value).startswith(f"job, n = 2, messages = 3, programs 0..4: TypeError: {message}")


def test_an_exception_names_the_shard_and_keeps_its_message() -> None:
    def broken(shard: Shard) -> Iterator[Row]:
        yield "fine", 1
        raise ValueError("two\nlines")

    with pytest.raises(ShardFailed) as failure:
        run_inline([Shard("job", 1, 0, 0, 1)], broken, SCHEMA)
    assert str(failure.value) == "job, n = 1, messages = 0, programs 0..0: ValueError: two\nlines"
    assert isinstance(failure.value.__cause__, ValueError)


def test_progress_counts_programs() -> None:
    seen: list[Progress] = []
    run_inline(split("job", 1, 0, 25, 10), lambda _: [], SCHEMA, on_progress=seen.append)
    assert [step[:3] for step in seen] == [(10, 25, 0), (20, 25, 0), (25, 25, 0)]


def test_progress_counts_disagreements() -> None:
    schema = pa.schema({"disagreements": pa.int64()})
    seen: list[Progress] = []
    shards = split("job", 1, 0, 3, 1)
    run_inline(shards, lambda shard: [(shard.start,), (1,)], schema, on_progress=seen.append)
    assert [step.disagreements for step in seen] == [1, 3, 6]
    run_inline(shards, lambda _: [("fine", 1)], SCHEMA, on_progress=seen.append)
    assert seen[-1] == (3, 3, 0, None)


@pytest.mark.parametrize(
    ("job", "name"),
    [
        (
            '{"statement": "graph-cause", "kind": "level", "solvers": ["z3"]}',
            "graph-cause (kind: level, solvers: z3)",
        ),
        ("sweep", "sweep"),
        ("17", "17"),
        ("[1]", "[1]"),
        ("{}", "{}"),
    ],
)
def test_a_job_in_json_is_shown_for_people(job: str, name: str) -> None:
    assert str(Shard(job, 2, 3, 0, 1)) == f"{name}, n = 2, messages = 3, programs 0..0"


def test_no_shards_give_no_rows() -> None:
    assert run_inline([], listing, SCHEMA) == SCHEMA.empty_table()
