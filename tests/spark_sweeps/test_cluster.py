"""Sweeps and an audit on a standalone cluster that loses workers, drivers and time, and on other masters.

The cluster is real: one master and two workers, each a process.
"""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.spark_sweeps.loops import contents, sweep_inline
from tests.spark_sweeps.standalone import HOSTS, Standalone, standalone, wait_for

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.sealability import Problem, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps.cutting import shards_of

pytestmark = pytest.mark.slow

SPACES = [(n, messages) for n in (1, 2, 3) for messages in range(5)]
COMMAND = (str(Path(sys.executable).with_name("sealcheck")), "sweep", "--n", "1..3", "--messages", "4")
"""A sweep of `SPACES`."""
Verdict = tuple[bool, bool, int | None]
"""Whether closed channels connect all processes, whether there is a seal, and the messages of a shortest
seal."""

STALLING = """
import sys, time
from pathlib import Path
from sealcheck.support.processes import Limits
from sealcheck.spark_sweeps import sweep as module
from sealcheck.spark_sweeps.session import spark_session

def stalling(check, mark):
    def stalled(shard):
        rows = list(check(shard))
        yield from rows[:1]
        if (shard.n, shard.messages) == (3, 2):
            try:
                mark.touch(exist_ok=False)
                time.sleep(600)
            except FileExistsError:
                pass
        yield from rows[1:]
    return stalled

master, folder = sys.argv[1], Path(sys.argv[2])
spaces = [(n, messages) for n in (1, 2, 3) for messages in range(5)]
small = [(n, messages) for n, messages in spaces if messages < 4]
seen, limits = [], Limits(600, 2048)
module.describe_shard = stalling(module.describe_shard, folder / "file stalled")
module.count_shard = stalling(module.count_shard, folder / "count stalled")
with spark_session(master) as spark:
    written = module.sweep(spark, spaces, folder / "out", limits=limits, on_progress=seen.append).levels
    counted = module.sweep(spark, small, limits=limits, on_progress=seen.append).levels
same = [level for level in written if level.messages < 4] == counted
print(same, {progress.failed for progress in seen}, seen[-1].done == seen[-1].total)
"""
"""Two sweeps, one into a folder. In each, the first attempt at one shard stalls midway."""


def finished(folder: Path) -> int:
    return len(list(folder.glob("shard=*.parquet")))


@pytest.fixture(scope="module")
def inline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inline")
    sweep_inline(folder, SPACES)
    return folder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    with standalone(tmp_path_factory.mktemp("standalone")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running: Standalone) -> Standalone:
    running.fill()
    return running


def started(folder: Path, cluster: Standalone) -> "subprocess.Popen[str]":
    """A sweep on the cluster that has finished some shards, not all, and keeps both workers busy."""
    command = [*COMMAND, "--master", cluster.url, "--out", str(folder)]
    sweep = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: sweep.poll() is not None or (finished(folder) and cluster.are_busy()))
    assert sweep.poll() is None
    assert 0 < finished(folder) < len(shards_of(SPACES))
    return sweep


def test_a_lost_worker_costs_nothing(cluster: Standalone, inline: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    sweep = started(folder, cluster)
    cluster.lose_worker(HOSTS[0])
    _, said = sweep.communicate(timeout=120)
    assert (sweep.returncode, said) == (0, "")
    assert contents(folder) == contents(inline)


def test_a_sweep_begun_on_a_cluster_is_completed_elsewhere(
    cluster: Standalone, inline: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "sweep"
    sweep = started(folder, cluster)
    sweep.kill()
    assert sweep.wait() == -signal.SIGKILL
    wait_for(lambda: not cluster.are_busy())  # until then an executor may still finish a shard
    assert finished(folder) < len(shards_of(SPACES))
    command = [*COMMAND, "--master", "local[2]", "--out", str(folder)]
    resumed = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert contents(folder) == contents(inline)


def test_a_stalled_task_is_overtaken(cluster: Standalone, inline: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", STALLING, cluster.url, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert (ran.stdout, ran.stderr) == ("True {0} True\n", "")
    assert {path.name for path in tmp_path.iterdir()} == {"out", "file stalled", "count stalled"}
    assert contents(tmp_path / "out") == contents(inline)


def test_an_audit_outlives_a_worker(cluster: Standalone, tmp_path: Path) -> None:
    command = [COMMAND[0], "audit", "sealability", "decide-sealing", "--messages", "3"]

    def fresh(name: str) -> dict[str, str]:
        return os.environ | {"XDG_CACHE_HOME": str(tmp_path / name)}

    plain = subprocess.run(command, env=fresh("plain"), capture_output=True, text=True, timeout=300)
    on_cluster = [*command, "--master", cluster.url]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(on_cluster, env=fresh("cluster"), text=True, **pipes) as audit:
        wait_for(lambda: audit.poll() is not None or cluster.are_busy())
        assert audit.poll() is None
        cluster.lose_worker(HOSTS[1])
        out, said = audit.communicate(timeout=300)
    assert (audit.returncode, said) == (plain.returncode, plain.stderr)
    assert sorted(out.splitlines()) == sorted(plain.stdout.splitlines())


def verdict(program: StraightLine) -> Verdict:
    first = signature(program)
    found = minimum_or_unsealable(Problem.of(first))
    shortest = len(found.transmissions) if isinstance(found, Minimum) else None
    return is_connected(first.n, closed_channel_graph(first)), shortest is not None, shortest


@pytest.mark.parametrize(("n", "messages"), SPACES)
def test_symmetry_changes_no_count(inline: Path, n: int, messages: int) -> None:
    rows = pq.read_table(inline, filters=[("n", "=", n), ("messages", "=", messages)]).to_pylist()
    by_orbit = Counter[Verdict]()
    for row in rows:
        by_orbit[row["connected"], row["sealable"], row["minimum_messages"]] += row["orbit_size"]
    assert by_orbit == Counter(map(verdict, Space(n, messages).programs()))


@pytest.mark.parametrize(("n", "messages"), [(3, 7), (4, 5)])
def test_symmetry_changes_no_count_on_large_levels(n: int, messages: int) -> None:
    level = PackedLevel(n, messages)
    canonical, every = level.batch(), level.verdicts(np.arange(level.size))
    by_orbit = Counter[Verdict]()
    columns = (canonical.connected, canonical.sealable, canonical.minimum, canonical.orbit_size)
    for *found, orbit in zip(*(column.tolist() for column in columns), strict=True):
        by_orbit[tuple(found)] += orbit
    each = zip(every.connected.tolist(), every.sealable.tolist(), every.minimum.tolist(), strict=True)
    assert by_orbit == Counter(each)
