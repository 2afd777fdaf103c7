"""A solver in a process of its own: the same answers, and an end at each limit."""

import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from sealcheck.encodings import isolated
from sealcheck.encodings.clauses import Clauses, Model, refutation
from sealcheck.encodings.isolated import SolverLimits, refutation_within
from sealcheck.errors import LimitReached

ENOUGH = SolverLimits(seconds=60, mib=1000)


def pigeons(count: int) -> Clauses:
    """So many pigeons in one hole less: a hard contradiction."""
    at = {(p, h): p * (count - 1) + h + 1 for p in range(count) for h in range(count - 1)}
    homes = [[at[p, h] for h in range(count - 1)] for p in range(count)]
    alone = [[-at[p, h], -at[q, h]] for h in range(count - 1) for p, q in combinations(range(count), 2)]
    return homes + alone


@pytest.mark.parametrize("clauses", [[[]], [[1], [-1]], [[1, -2], [2], []], pigeons(2), pigeons(5)])
def test_the_proof_is_the_one_of_this_process(clauses: Clauses) -> None:
    """Empty clauses, contradictions at once, and real ones get the same proof, wherever they are solved."""
    assert refutation_within(clauses, ENOUGH) == refutation(clauses)


@pytest.mark.parametrize("clauses", [[], [[1, 2], [-2]], pigeons(5)[1:]])
def test_a_model_satisfies_every_clause(clauses: Clauses) -> None:
    """What has a model gets one."""
    model = refutation_within(clauses, ENOUGH)
    assert isinstance(model, Model)
    assert all(any((literal > 0) == (abs(literal) in model.true) for literal in clause) for clause in clauses)


@pytest.mark.parametrize(
    ("count", "limits", "reason"),
    [
        (11, SolverLimits(seconds=1, mib=1000), "cadical took more than 1 s"),
        (11, SolverLimits(seconds=60, mib=1000, conflicts=100), "cadical hit its limit of conflicts"),
        (60, SolverLimits(seconds=60, mib=70), "cadical .* 70 MiB"),
    ],
)
def test_each_limit_ends_the_search(count: int, limits: SolverLimits, reason: str) -> None:
    """A question too hard for a limit has no answer, soon after the limit."""
    begun = time.monotonic()
    with pytest.raises(LimitReached, match=reason):
        refutation_within(pigeons(count), limits)
    assert time.monotonic() - begun < 30


ASK = """
from sealcheck.encodings.isolated import SolverLimits, refutation_within
from itertools import combinations
at = {(p, h): p * 11 + h + 1 for p in range(12) for h in range(11)}
homes = [[at[p, h] for h in range(11)] for p in range(12)]
alone = [[-at[p, h], -at[q, h]] for h in range(11) for p, q in combinations(range(12), 2)]
refutation_within(homes + alone, SolverLimits(seconds=600, mib=1000))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems leave it alive until its time is over")
def test_a_solver_ends_with_whoever_asked() -> None:
    """Kill -9 of a process leaves no solver behind that works for nobody."""
    asking = subprocess.Popen([sys.executable, "-c", ASK])
    children = Path(f"/proc/{asking.pid}/task/{asking.pid}/children")
    until(lambda: bool(children.read_text().split()))
    (solver,) = children.read_text().split()
    until(lambda: "isolated" in Path(f"/proc/{solver}/cmdline").read_text())
    time.sleep(1)
    asking.kill()
    asking.wait()
    until(lambda: not Path(f"/proc/{solver}").exists())


def until(condition: Callable[[], bool]) -> None:
    """Wait, up to a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_solver_that_dies_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed, by the system for its memory say, answers nothing."""
    monkeypatch.setattr(isolated, "_CHILD", ["sh", "-c", "kill -9 $$"])
    with pytest.raises(LimitReached, match="cadical died: 1000 MiB may not have been enough"):
        refutation_within([[1]], ENOUGH)


def test_a_solver_that_fails_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the other process is no limit."""
    monkeypatch.setattr(isolated, "_CHILD", ["sh", "-c", "echo 'ImportError: pysat' >&2; exit 1"])
    with pytest.raises(RuntimeError, match="ImportError: pysat"):
        refutation_within([[1]], ENOUGH)
