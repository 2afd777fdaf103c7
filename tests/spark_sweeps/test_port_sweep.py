"""Sweeps over layers over ports: the totals, in a plain loop and on Spark; and differences."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import ports_compared as sweeps
from benchmarks.ports_compared import Level, PortTotals, port_sweep

from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.errors import Disagreement
from sealcheck.kernel.reading import Rejected
from sealcheck.programs.port_space import WAYS, PortSpace, Way
from sealcheck.programs.ports import FIFO
from sealcheck.programs.protocol import PortPhases
from sealcheck.spark_sweeps.shards import run_inline

ROOT = Path(__file__).parents[2]
LEVEL = Level(2, 2, 2)


def test_totals_of_a_level(tmp_path: Path) -> None:
    totals = port_sweep(None, LEVEL, every=20)
    assert totals[0] == PortTotals("all", 1776, 444, 434, totals[0].kernel, totals[0].kernel)
    assert 15 <= totals[0].kernel <= 30
    assert {each.guarantee: each.safe for each in totals[1:]} == {
        "bag": 132,
        "fifo": 134,
        "lossy": 132,
        "fifo, lossy": 132,
        "duplicating": 132,
        "lossy, duplicating": 132,
    }
    for _ in range(2):
        assert port_sweep(None, LEVEL, tmp_path / "rows", every=20) == totals


@pytest.mark.parametrize("way", WAYS[1:], ids=str)
def test_the_decision_and_the_explorer_agree(way: Way) -> None:
    (whole, *_) = port_sweep(None, Level(2, 2, 2, way), every=100)
    assert whole.instances == PortSpace(2, 2, 2, way).size
    assert 0 < whole.safe < whole.canonical


def forgets_loss(about: PortPhases) -> PortDecision:
    """A wrong decision: order helps, even if messages get lost."""
    kept = {port: FIFO for port, guarantee in about.guarantees.items() if guarantee.fifo}
    return decide_ports(PortPhases(about.layers, about.protocol, {**about.guarantees, **kept}, about.open))


def test_a_difference_is_told_with_the_smallest_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "decide_ports", forgets_loss)
    with pytest.raises(Disagreement) as raised:
        port_sweep(None, LEVEL, every=10**6)
    assert str(raised.value) == (
        "ports, n = 2, 2 messages, 2 layers, sequence: mt 1->2 | mt 1->2 | 2<-1=fifo, lossy:"
        " the decision says no port; the explorer says 2<-1"
    )


def refuse(*_: object) -> None:
    raise Rejected("no")


def test_a_rejection_by_the_kernel_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "check_ports", refuse)
    with pytest.raises(Disagreement, match=r"2<-1=bag: the decision says 2<-1; the kernel rejects: no$"):
        port_sweep(None, LEVEL, every=1)


def test_missing_instances_are_a_difference() -> None:
    shards = sweeps.shards_of(LEVEL)[1:]
    rows = run_inline(shards, sweeps.compare, sweeps.PortRow.schema())
    with pytest.raises(Disagreement, match=r"enumerated \d+ instances, counted 1776$"):
        sweeps.added_up(LEVEL, rows)


@pytest.mark.slow
def test_spark_finds_the_same(tmp_path: Path) -> None:
    totals = port_sweep(None, Level(3, 2, 2, WAYS[2]), every=50)
    expected = [(each.instances, each.canonical, each.safe, each.kernel, each.solved) for each in totals]
    folders = [str(ROOT), str(ROOT / "src")]
    command = [
        sys.executable,
        "-m",
        "benchmarks.port_sweep",
        "--messages",
        "2",
        "--way",
        "rounds",
        "--every",
        "50",
    ]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    for more in ([], ["--out", str(tmp_path / "rows")]):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=True, env=environment)
        rows = (line.replace(",", "").split()[-5:] for line in done.stdout.splitlines()[2:])
        assert [tuple(map(int, row)) for row in rows] == expected
