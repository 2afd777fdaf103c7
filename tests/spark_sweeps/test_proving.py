"""Cube and conquer: verdicts do not depend on the split, and each needs a proof."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.spark_sweeps.loops import contents

from sealcheck.algorithms.signature import bits, signature
from sealcheck.encodings import clauses
from sealcheck.encodings.clauses import Proof, refutation
from sealcheck.encodings.formulas import And, Formula, Or
from sealcheck.encodings.sealing import Pair
from sealcheck.errors import Disagreement, InputError
from sealcheck.evidence.cubes import clausal, numbered
from sealcheck.evidence.outcome import AcceptedProofs
from sealcheck.evidence.proofs import Part, proof_file
from sealcheck.evidence.verification import verify_path
from sealcheck.explorers.channel_contents import find_interference
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.spark_sweeps import on_spark as tasks
from sealcheck.spark_sweeps import proving, session
from sealcheck.spark_sweeps.cutting import Shard
from sealcheck.spark_sweeps.proving import SCHEMA, Attempt, Level, opened_run, prove
from sealcheck.spark_sweeps.shards import Progress, Row, run_inline
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.statement import Verdict, predicts
from sealcheck.theorems.registry import STATEMENTS

LIMITS = Limits(seconds=60, mib=1000)
GRAPH_CAUSE = [("graph-cause", 0, 3, 4)]
FEW = 10
"""So few conflicts that this level is split."""


def inline(shards: Sequence[Shard], attempt: Callable[[Shard], Iterator[Row]]) -> pa.Table:
    return run_inline(shards, attempt, SCHEMA)


def on_spark(
    spark: SparkSession, shards: Sequence[Shard], attempt: Callable[[Shard], Iterator[Row]]
) -> pa.Table:
    return tasks.run(spark, shards, attempt, SCHEMA, description="prove")


def shown(folder: Path) -> dict[tuple[str, int, int, int], tuple[int, int]]:
    return {
        (each.name, each.claim, each.n, each.messages): (each.proved, each.queries)
        for each in verify_path(folder).accepted
        if isinstance(each, AcceptedProofs)
    }


def test_cubes_prove_what_one_proof_does(tmp_path: Path) -> None:
    (level,) = prove(inline, GRAPH_CAUSE, LIMITS, tmp_path, conflicts=FEW)
    assert (level.verdict, level.queries) == (Verdict.VERIFIED, 1)
    assert level.proofs == len(contents(tmp_path)) >= 10
    assert sum(".cover." in name for name in contents(tmp_path)) == 1
    assert verify_path(tmp_path).ok
    assert shown(tmp_path) == {GRAPH_CAUSE[0]: (1, 1)}


def test_a_folder_without_one_of_the_cubes_is_rejected(tmp_path: Path) -> None:
    prove(inline, GRAPH_CAUSE, LIMITS, tmp_path, conflicts=FEW)
    cover = next(tmp_path.glob("*.cover.proof"))
    cube = next(file for file in sorted(tmp_path.iterdir()) if file != cover)
    kept = cube.read_bytes()
    cube.unlink()
    incomplete = (
        "the level is incomplete: graph-cause, as-printed, n = 3, messages = 4: 0 of 1 query is proved"
    )
    reasons = [reason for _, _, reason in verify_path(tmp_path).rejected]
    assert reasons == [incomplete, f"the proof {cube.name} is missing"]
    assert shown(tmp_path) == {GRAPH_CAUSE[0]: (0, 1)}
    cube.write_bytes(kept)
    cover.unlink()
    rejected = verify_path(tmp_path).rejected
    assert rejected[1][2].endswith(f"is about a cube, but the proof {cover.name} is missing")


def test_a_cover_of_many_cubes_is_read(tmp_path: Path) -> None:
    (asked,) = numbered("graph-cause", 0, 3, 8)
    cubes = [cube for first in clausal(asked).parts(()) for cube in clausal(asked).parts(first)] * 99
    cover = Part(asked, cover=tuple(cubes))
    proof = refutation(cover.clauses())
    assert isinstance(proof, Proof)
    (tmp_path / cover.file_name).write_bytes(proof_file(cover, proof.steps))
    assert (tmp_path / cover.file_name).read_bytes().index(b'"sealcheck"') > 40_000
    (accepted,) = verify_path(tmp_path / cover.file_name).accepted
    assert isinstance(accepted, AcceptedProofs)
    assert (accepted.proved, accepted.queries) == (0, 1)


def test_a_run_with_other_limits_uses_what_fits(tmp_path: Path) -> None:
    for conflicts in (FEW, 3 * FEW, FEW):
        (level,) = prove(inline, GRAPH_CAUSE, LIMITS, tmp_path, conflicts=conflicts)
        assert level.verdict is Verdict.VERIFIED
        assert verify_path(tmp_path).ok
        assert shown(tmp_path) == {GRAPH_CAUSE[0]: (1, 1)}


def test_a_level_that_is_easy_is_not_split(tmp_path: Path) -> None:
    (level,) = prove(inline, GRAPH_CAUSE, LIMITS, tmp_path)
    assert list(contents(tmp_path)) == ["graph-cause-0-n3-m4-0.proof"]
    assert (level.proofs, level.verdict) == (1, Verdict.VERIFIED)


@pytest.mark.parametrize("conflicts", [60, 100_000])
def test_a_counterexample_is_found_split_or_not(conflicts: int) -> None:
    """`th:sealability` as printed fails at n = 3, m = 4 in one program up to renaming, and not before."""
    three, four = prove(inline, [("sealability", 0, 3, m) for m in (3, 4)], LIMITS, conflicts=conflicts)
    assert (three.verdict, three.counterexample) == (Verdict.VERIFIED, None)
    assert four.verdict is Verdict.REFUTED
    assert str(four.counterexample) == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"


def test_spark_and_a_loop_write_the_same_bytes(spark: SparkSession, tmp_path: Path) -> None:
    folders = tmp_path / "loop", tmp_path / "spark"
    found: list[list[Level]] = []
    for folder, run in zip(folders, (inline, partial(on_spark, spark)), strict=True):
        folder.mkdir()
        found.append(prove(run, GRAPH_CAUSE, LIMITS, folder, conflicts=FEW))
    assert found[0] == found[1]
    assert contents(folders[0]) == contents(folders[1])


@pytest.mark.parametrize("alone", [0, 3])
def test_spark_does_what_one_process_leaves(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: int
) -> None:
    clock = iter([0.0, *[1.0] * alone])  # the first to begin with
    shards: list[int] = []
    monkeypatch.setattr(proving, "monotonic", lambda: next(clock, proving.ALONE_SECONDS))
    monkeypatch.setattr(session, "spark_session", lambda *_: nullcontext(spark))
    original = tasks.run
    monkeypatch.setattr(
        tasks, "run", lambda *given, **named: (shards.append(len(given[1])), original(*given, **named))[1]
    )
    folders = tmp_path / "loop", tmp_path / "both"
    for folder in folders:
        folder.mkdir()
    levels = [("graph-cause", 0, 3, m) for m in range(5)]
    progress: list[Progress] = []
    with opened_run(None, "graph-cause", progress.append) as run:
        found = prove(run, levels, LIMITS, folders[1], conflicts=FEW)
    assert shards[0] == len(levels) - alone
    of_first_round = [each for each in progress if each.total == len(levels)]
    done = [each.done for each in of_first_round]
    assert done == sorted(done)
    assert done[-1] == len(levels)
    assert len(shards) > 1  # and all later rounds
    assert found == prove(inline, levels, LIMITS, folders[0], conflicts=FEW)
    assert contents(folders[0]) == contents(folders[1])


def test_a_short_proof_needs_no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def spark_session(master: str | None, name: str) -> NoReturn:
        asked.append(master)
        raise InputError("no Spark here")

    monkeypatch.setattr(session, "spark_session", spark_session)
    with opened_run(None, "graph-cause", lambda _: None) as run:
        (level,) = prove(run, GRAPH_CAUSE, LIMITS)
    assert (level.verdict, asked) == (Verdict.VERIFIED, [])
    with (
        opened_run("local[1]", "graph-cause", lambda _: None) as run,
        pytest.raises(InputError, match="no Spark"),
    ):
        prove(run, GRAPH_CAUSE, LIMITS)
    assert asked == ["local[1]"]


def test_what_a_folder_has_is_not_sought_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prove(inline, GRAPH_CAUSE, LIMITS, tmp_path, conflicts=FEW)
    reference = contents(tmp_path)
    lost = sorted(reference)[::3]
    for name in lost:
        (tmp_path / name).rename(tmp_path / f".{name}.{'0' * 32}.tmp")  # as if its writer had been killed
    sought: list[str] = []
    original = proving.proof_file
    monkeypatch.setattr(
        proving, "proof_file", lambda part, steps: (sought.append(part.file_name), original(part, steps))[1]
    )
    assert prove(inline, GRAPH_CAUSE, LIMITS, tmp_path, conflicts=FEW) == whole
    assert sorted(sought) == lost
    assert contents(tmp_path) == reference


@pytest.mark.parametrize("wrong", [b"nothing\n", None])
def test_a_folder_with_something_else_is_refused(wrong: bytes | None, tmp_path: Path) -> None:
    prove(inline, [("graph-cause", 0, 3, 2)], LIMITS, tmp_path)
    file = tmp_path / "graph-cause-0-n3-m3-0.proof"
    file.write_bytes((tmp_path / "graph-cause-0-n3-m2-0.proof").read_bytes() if wrong is None else wrong)
    before = contents(tmp_path)
    with pytest.raises(InputError, match="choose another folder"):
        prove(inline, [("graph-cause", 0, 3, 3)], LIMITS, tmp_path)
    assert contents(tmp_path) == before


def test_a_limit_makes_a_level_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "_cadical", lambda *_: time.sleep(60))
    (level,) = prove(inline, [("graph-cause", 0, 2, 2)], Limits(seconds=0.001, mib=1000))
    assert (level.verdict, level.proofs) == (Verdict.UNKNOWN, 0)
    assert all("cadical took more than 0.001 s" in limit for limit in level.limits)


def test_levels_without_a_query_prove_nothing() -> None:
    levels = [("tcc-impossibility", 0, 2, m) for m in (0, 1)]
    assert [level.messages for level in prove(inline, levels, LIMITS)] == [1]
    with pytest.raises(InputError, match="nothing to prove"):
        prove(inline, levels[:1], LIMITS)


def test_cubes_that_leave_something_out_are_a_disagreement() -> None:
    cover = Part(numbered("sealability", 0, 3, 4)[1], cover=((0, 0),))
    (row,) = Attempt(LIMITS, None, FEW)(Shard(proving._written(cover), 3, 4, 0, 1))
    assert row[1] == "model"
    with pytest.raises(Disagreement, match=r"the cubes of .*-1\.cover\.proof do not cover everything"):
        proving._file_cover(dict(zip(SCHEMA.names, row, strict=True)), {})


def too_weak(instance: Instance) -> bool:
    """The criterion of `th:decide.sealing` without its condition on Q's first send on the channel."""
    p, q = signature(instance.p), signature(instance.q)
    return all(
        any(q.ends[k - 1] >> (channel.sender - 1) & 1 for k in bits(p.receives[channel]))
        for channel in p.open_channels
    )


def too_weak_in_symbols(pair: Pair[Any], a: int) -> Formula:
    tells = [
        pair.sig_p.sender_of(a, {i: pair.sig_q.start_reaches_end(k, i) for i in pair.p.processes})
        for k in pair.p.processes
    ]
    return Or(
        And(pair.sig_p.reaches_end(a, k), told) for k, told in zip(pair.p.processes, tells, strict=True)
    )


def test_what_is_wrong_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A criterion that is too weak fails at the same smallest level; the explorer confirms it by a run."""
    about = STATEMENTS["decide-sealing"]
    claim = replace(about.claims[0], check=predicts(IS_SEAL, too_weak), theorems=())
    monkeypatch.setitem(STATEMENTS, about.id, replace(about, claims=(claim,)))
    monkeypatch.setattr(Pair, "met", too_weak_in_symbols)
    clausal.cache_clear()
    levels = prove(inline, [(about.id, 0, 2, m) for m in range(1, 4)], LIMITS)
    clausal.cache_clear()
    assert [level.verdict for level in levels] == [Verdict.VERIFIED, Verdict.VERIFIED, Verdict.REFUTED]
    found = levels[-1].counterexample
    assert found is not None
    assert too_weak(found)
    assert find_interference(found.p, found.q) is not None
