"""The sweep, compared with slower ways; the same bytes however it is run or stopped."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from tests.spark_sweeps.loops import Contents, GivesUp, contents, sweep_inline
from tests.spark_sweeps.standalone import wait_for

from sealcheck.algorithms.packed.levels import Batch, PackedLevel
from sealcheck.errors import Disagreement, InputError
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.space import Space, count_canonical, count_programs
from sealcheck.programs.straight_line import StraightLine, channels, packed, unpacked
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle
from sealcheck.questions.sealing import SEALABLE
from sealcheck.spark_sweeps import deciding, on_spark
from sealcheck.spark_sweeps import sweep as module
from sealcheck.spark_sweeps.columns import LevelTotals, ProgramRow, ShardRow, program_text
from sealcheck.spark_sweeps.cutting import LARGEST_SHARD, Shard, shards_of, split
from sealcheck.spark_sweeps.deciding import count_shard, describe_shard
from sealcheck.spark_sweeps.shards import Progress, Within, run_inline
from sealcheck.spark_sweeps.sweep import WRITTEN, added_up, check_directory, open_directory
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking import check

PROGRAM = str(Path(sys.executable).with_name("sealcheck"))
SPACES = [(n, messages) for n in (1, 2, 3) for messages in range(4)]
OPTIONS = ("--n", "1..3", "--messages", "3")
"""`SPACES` on the command line."""
MOST_SEAL_MESSAGES = 4
"""No minimum seal of a program in `SPACES` is longer."""
ENOUGH = Limits(600, 2048)


class Swept(NamedTuple):
    """A sweep of `SPACES` on Spark."""

    folder: Path
    levels: list[LevelTotals]
    progress: list[Progress]


@pytest.fixture(scope="module")
def swept(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Swept:
    folder = tmp_path_factory.mktemp("swept")
    progress: list[Progress] = []
    return Swept(folder, sweep(spark, SPACES, folder, on_progress=progress.append), progress)


def sweep(
    spark: SparkSession, spaces: list[tuple[int, int]], *folder: Path, **options: Any
) -> list[LevelTotals]:
    found = module.sweep(spark, spaces, *folder, limits=ENOUGH, **options)
    assert found.limits == []
    return found.levels


def shards(found: Contents) -> Contents:
    return {name: data for name, data in found.items() if name.endswith(".parquet")}


def texts(rows: pa.Table) -> list[str]:
    return [str(unpacked(shares)) for shares in rows["shares"].to_pylist()]


class Judged(NamedTuple):
    """What the explorer says of a program."""

    open_channels: int
    connected: bool
    minimum_messages: int | None


@cache
def judged(program: StraightLine) -> Judged:
    closed = [each for each in channels(program.n) if channel_contents.closes(program, each)]
    graph = nx.Graph(closed)
    graph.add_nodes_from(range(1, program.n + 1))
    seal = find_seal(program, MOST_SEAL_MESSAGES)
    return Judged(
        len(channels(program.n)) - len(closed),
        nx.is_connected(graph),
        None if seal is None else seal.messages,
    )


def plain_level(n: int, messages: int) -> LevelTotals:
    """The totals of a level from the explorer alone, with each program renamed to a canonical one."""
    programs = list(Space(n, messages).programs())
    canonical = {program.canonical() for program in programs}
    sealable = {each for each in canonical if judged(each).minimum_messages is not None}
    return LevelTotals(
        n=n,
        messages=messages,
        programs=len(programs),
        canonical=len(canonical),
        sealable=len(sealable),
        unsealable=len(canonical - sealable),
        unconnected_yet_sealable=sum(not judged(each).connected for each in sealable),
        most_seal_messages=max((judged(each).minimum_messages or 0 for each in sealable), default=None),
        cross_checked=len(canonical),
        unknown=0,
    )


def test_levels_are_those_of_a_plain_computation(swept: Swept) -> None:
    assert swept.levels == [plain_level(*space) for space in SPACES]
    total = sum(level.programs for level in swept.levels)
    assert swept.progress[-1] == (total, total, 0, 0)


def test_one_program_refutes_the_printed_criterion(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three processes and four messages."""
    monkeypatch.setattr(deciding, "SAMPLE", 0)
    shards = shards_of([(3, 4)])
    rows = pa.Table.from_batches(batch for shard in shards for batch in describe_shard(shard))
    (at,) = (i for i, row in enumerate(rows.to_pylist()) if row["sealable"] and not row["connected"])
    assert texts(rows.slice(at, 1)) == ["snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"]
    (level,) = added_up(run_inline(shards, count_shard, ShardRow.schema()).to_pylist()).values()
    assert (level.canonical, level.unconnected_yet_sealable, level.cross_checked) == (len(rows), 1, 0)


def test_spark_sql_shows_programs_as_text(spark: SparkSession, swept: Swept) -> None:
    spark.udf.register("program_text", program_text)
    found = spark.sql(
        "SELECT program_text(shares) AS program FROM {rows} WHERE n = 2 ORDER BY messages, index",
        rows=spark.read.parquet(str(swept.folder)),
    )
    rows = pq.read_table(swept.folder, filters=[("n", "=", 2)])
    rows = rows.sort_by([("messages", "ascending"), ("index", "ascending")])
    assert [row.program for row in found.collect()] == texts(rows)


def test_rows_describe_the_programs_at_their_indices(swept: Swept) -> None:
    table = pq.read_table(swept.folder)
    assert table.schema == ProgramRow.schema()
    rows = {(row["n"], row["messages"], row["index"]): row for row in table.to_pylist()}
    programs = {(*space, index): p for space in SPACES for index, p in enumerate(Space(*space).programs())}
    canonical = {key: program for key, program in programs.items() if program.is_canonical}
    assert rows.keys() == canonical.keys()
    for key, program in canonical.items():
        row = rows[key]
        assert tuple(row["shares"]) == packed(program)
        assert row["orbit_size"] == program.orbit_size
        assert Judged(*(row[name] for name in Judged._fields)) == judged(program)
        assert row["sealable"] == (row["minimum_messages"] is not None)
        assert (row["cross_checked"], row["disagreement"], row["unknown"]) == (True, None, None)


def test_files_are_those_of_a_plain_loop(swept: Swept, tmp_path: Path) -> None:
    assert sweep_inline(tmp_path, SPACES) == shards(contents(swept.folder))


def test_a_sweep_with_files_lost_is_completed(spark: SparkSession, swept: Swept, tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    shutil.copytree(swept.folder, folder)
    files = sorted(folder.glob("shard=*.parquet"), key=lambda file: file.stat().st_size)
    lost = files[:3]
    kept = {file: file.stat().st_mtime_ns for file in files[3:]}
    half = lost[0].read_bytes()[:100]
    for file in lost:
        file.unlink()
    (folder / f".{lost[0].name}.0123.tmp").write_bytes(half)
    assert sweep(spark, SPACES, folder) == swept.levels
    assert contents(folder) == contents(swept.folder)
    assert {file: file.stat().st_mtime_ns for file in kept} == kept


def test_a_killed_sweep_is_completed(spark: SparkSession, swept: Swept, tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    killed = subprocess.Popen(
        [PROGRAM, "sweep", *OPTIONS, "--master", "local[1]", "--out", str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: killed.poll() is not None or list(folder.glob("shard=*.parquet")))
        assert killed.poll() is None
    finally:
        killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert 0 < len(shards(contents(folder))) < len(shards_of(SPACES))
    assert sweep(spark, SPACES, folder) == swept.levels
    wait_for(lambda: not list(folder.glob(".*")))  # a worker of the killed sweep may end after it
    assert contents(folder) == contents(swept.folder)


def test_the_folder_of_another_sweep_is_refused(swept: Swept) -> None:
    before = contents(swept.folder)
    with pytest.raises(InputError, match=r"whose 'n' is \[1, 2, 3\] and not \[3\]: choose a new or empty"):
        check_directory([(3, messages) for messages in range(4)], swept.folder)
    assert contents(swept.folder) == before


def test_shards_cover_every_space_once() -> None:
    for n, messages in [*SPACES, (4, 4)]:
        shards = shards_of([(n, messages)])
        ends = [0, *(shard.stop for shard in shards)]
        assert [shard.start for shard in shards] == ends[:-1]
        assert ends[-1] == count_programs(n, messages)
        assert all(0 < shard.programs <= LARGEST_SHARD for shard in shards)


def test_a_wrong_oracle_is_reported_with_the_smallest_program(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, smallest = (program for program in Space(2, 2).programs() if program.is_canonical)

    def lies(instance: Instance) -> bool:
        return instance.n == 3 or instance.messages == 3 or instance.p == smallest

    def lying(oracle: Oracle[bool]) -> Oracle[bool]:
        return replace(oracle, answer=lambda i, semantics: oracle.answer(i, semantics) != lies(i))

    oracles = (lying(each) if each.name == "kernel" else each for each in SEALABLE.oracles)
    monkeypatch.setattr(deciding, "SEALABLE", replace(SEALABLE, oracles=tuple(oracles)))
    spaces = [(3, 1), (2, 3), (2, 2)]
    sweep_inline(tmp_path, spaces)
    with pytest.raises(Disagreement) as failure:
        sweep(spark, spaces, tmp_path)
    right = find_seal(smallest, MOST_SEAL_MESSAGES) is not None
    assert str(failure.value) == (
        f"sealability, n = 2, on {smallest}: sealable, n = 2, on {smallest}:"
        f" saturation says {right}, explorer says {right},"
        f" kernel says {not right}, z3 says {right}, cvc5 says {right}"
    )


@pytest.mark.parametrize("wrong", [(5, 4), (6, 3)])
def test_a_program_missed_by_the_enumeration_is_reported(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: tuple[int, int]
) -> None:
    sweep_inline(tmp_path, [(2, 2)])
    right = shards_of([(2, 2)])
    monkeypatch.setattr(module, "shards_of", lambda spaces: right)
    monkeypatch.setattr(module, "counted_level", lambda n, messages: wrong)
    expected = f"enumerated 5 programs, 3 up to renaming, but counted {wrong[0]} and {wrong[1]}$"
    with pytest.raises(Disagreement, match=expected):
        sweep(spark, [(2, 2)], tmp_path)


def test_a_solver_that_gives_up_is_counted(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "open_solver", GivesUp)
    sweep_inline(tmp_path, [(2, 0), (2, 2)])
    rows = pq.read_table(tmp_path, filters=[("messages", "=", 2)]).to_pylist()
    assert [(row["cross_checked"], row["disagreement"]) for row in rows] == [(False, None)] * 3
    assert all(row["unknown"].endswith("z3: z3 gave up on a question") for row in rows)
    _, level = sweep(spark, [(2, 0), (2, 2)], tmp_path)
    assert (level.canonical, level.sealable, level.cross_checked, level.unknown) == (3, 2, 0, 3)


def test_disagreements_are_counted_while_the_sweep_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = deciding.disagreement

    def objecting(program: StraightLine, *others: object) -> str | None:
        return "no" if "2->1" in str(program) else right(program, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(deciding, "disagreement", objecting)
    spaces = [(2, 2), (2, 3)]
    counted: list[Progress] = []
    run_inline(shards_of(spaces), count_shard, ShardRow.schema(), on_progress=counted.append)
    written: list[Progress] = []
    directory = open_directory(tmp_path, shards_of(spaces), ProgramRow.schema())
    run_inline(directory.missing(), directory.writing(describe_shard), WRITTEN, on_progress=written.append)
    said = pq.read_table(tmp_path).column("disagreement")
    assert counted == written
    assert [step.disagreements for step in written] == sorted(step.disagreements for step in written)
    assert written[-1].disagreements == len(said) - said.null_count > 2


def dying(check: Callable[[Shard], Any], level: tuple[int, int]) -> Callable[[Shard], Any]:
    """The check of a sweep, but its process is killed at one level, as if memory were full."""

    def die(shard: Shard) -> Any:
        if (shard.n, shard.messages) == level:
            os.kill(os.getpid(), signal.SIGKILL)
        return check(shard)

    return die


def test_a_level_that_hits_a_limit_is_left_out(
    spark: SparkSession, swept: Swept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = (3, 2)
    without = [found for found in swept.levels if (found.n, found.messages) != level]
    why = "the process that computed the answer has died, perhaps for lack of memory"
    limits = [f"sweep, n = 3, messages = 2, programs 0..38: {why}"]
    with monkeypatch.context() as patched:
        patched.setattr(module, "count_shard", dying(count_shard, level))
        patched.setattr(module, "describe_shard", dying(describe_shard, level))
        assert module.sweep(spark, SPACES, limits=ENOUGH) == (without, limits)
        assert module.sweep(spark, SPACES, tmp_path, limits=ENOUGH) == (without, limits)
    left = contents(tmp_path)
    assert sweep(spark, SPACES, tmp_path) == swept.levels
    all_of_it = contents(tmp_path)
    assert left.items() < all_of_it.items()
    assert len(left) == len(all_of_it) - 1
    assert all_of_it == contents(swept.folder)


def test_a_level_is_there_only_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(spark: object, shards: Sequence[Shard], work: Within, schema: pa.Schema, **_: object) -> pa.Table:
        hit = (*(None for _ in work.schema), "limit")
        rows = [
            row
            for shard in shards
            for row in ([hit] if shard.messages else [(*r, None) for r in work.work(shard)])
        ]
        return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)

    monkeypatch.setattr(module, "warm_up", lambda: None)
    monkeypatch.setattr(deciding, "is_packable", lambda n, messages: False)
    monkeypatch.setattr(on_spark, "run", run)
    levels, limits = module.sweep(None, [(2, 0), (2, 1)], limits=ENOUGH)  # type: ignore[arg-type]
    assert [(level.n, level.messages, level.programs) for level in levels] == [(2, 0, 1)]
    assert limits == ["limit"]


def test_the_job_says_what_is_checked(
    spark: SparkSession, swept: Swept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    run = on_spark.run

    def watched(*arguments: object, description: str, **others: object) -> object:
        said.append(description)
        return run(*arguments, description=description, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(on_spark, "run", watched)
    sweep(spark, [(2, 1)])
    folder = tmp_path / "sweep"
    sweep(spark, [(2, 0), (2, 1), (3, 0), (3, 1)], folder)
    for file in list(folder.glob("shard=*.parquet"))[:3]:
        file.unlink()
    sweep(spark, [(2, 0), (2, 1), (3, 0), (3, 1)], folder)
    assert said == [
        "sweep: sealability of every program, n = 2, up to 1 message",
        "sweep: sealability of every program, n = 2..3, up to 1 message",
        "sweep: sealability of every program, n = 2..3, up to 1 message, 3 of 4 shards left",
    ]


def test_levels_without_programs_are_empty(spark: SparkSession, tmp_path: Path) -> None:
    levels = sweep(spark, [(1, 1), (1, 2)], tmp_path)
    assert [(level.n, level.messages, level.programs, level.canonical) for level in levels] == [
        (1, messages, 0, 0) for messages in (1, 2)
    ]
    assert all(level.most_seal_messages is None and level.cross_checked == 0 for level in levels)


def test_an_interrupted_sweep_cleans_up(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished, unfinished = tmp_path / "shard=0.parquet", tmp_path / ".shard=1.parquet.0.tmp"

    def interrupted(*_: object, **__: object) -> None:
        finished.touch()
        unfinished.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr("sealcheck.spark_sweeps.on_spark.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(spark, [(2, 1)], tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"_sweep.json", finished.name}


@pytest.mark.parametrize("processes", [4, 2], ids=["in compiled loops", "one by one"])
def test_counting_gives_the_totals_of_the_rows(
    processes: int, swept: Swept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "disagreement", lambda *_: None)
    monkeypatch.setattr(deciding, "is_packable", lambda n, messages: n <= processes)
    rows = run_inline(shards_of(SPACES), count_shard, ShardRow.schema()).to_pylist()
    assert list(added_up(rows).values()) == sorted(
        (level for level in swept.levels if level.programs), key=lambda level: (level.n, level.messages)
    )


def test_rows_one_by_one_are_those_of_the_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "disagreement", lambda *_: None)
    packed = sweep_inline(tmp_path / "packed", SPACES)
    monkeypatch.setattr(deciding, "is_packable", lambda n, messages: False)
    assert sweep_inline(tmp_path / "plain", SPACES) == packed


def test_a_wrong_loop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = PackedLevel.batches

    def wrong(self: PackedLevel, start: int = 0, stop: int | None = None) -> Iterator[Batch]:
        for batch in original(self, start, stop):
            yield replace(batch, minimum=batch.minimum + batch.sealable)

    monkeypatch.setattr(PackedLevel, "batches", wrong)
    rows = run_inline(shards_of([(2, 2)]), count_shard, ShardRow.schema()).to_pylist()
    with pytest.raises(Disagreement, match="one by one it is"):
        added_up(rows)


def test_large_levels_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "SAMPLE", 60)
    monkeypatch.setattr(deciding, "disagreement", lambda *_: None)
    assert count_canonical(3, 4) == 381

    def chosen(size: int) -> set[object]:
        shards = split("sweep", 3, 4, count_programs(3, 4), size)
        rows = pa.Table.from_batches(batch for shard in shards for batch in describe_shard(shard))
        return set(rows.filter(rows["cross_checked"])["index"].to_pylist())

    once = chosen(3000)
    assert 40 <= len(once) <= 80
    assert chosen(700) == once


def test_levels_beyond_the_compiled_loops_are_decided_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "SAMPLE", 0)
    middle = count_programs(2, 15) // 2
    shard = replace(shards_of([(2, 15)])[0], start=middle, stop=middle + 20)
    (row,) = run_inline([shard], count_shard, ShardRow.schema()).to_pylist()
    assert (row["n"], row["messages"], row["canonical"], row["programs"]) == (2, 15, 20, 40)
