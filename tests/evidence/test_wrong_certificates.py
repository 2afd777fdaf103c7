"""The kernel finds every wrong row of mutated algorithms."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from sealcheck.algorithms import certificates, minimum_seal, sealability
from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.algorithms.sealability import Problem, Unsealable
from sealcheck.algorithms.sealing import Interferes, Seals
from sealcheck.algorithms.signature import Signature
from sealcheck.evidence import tables
from sealcheck.kernel.tables import check_lines
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.spark_sweeps.tables import write_table
from sealcheck.theorems.checking import domains

SPACES = [(n, m) for n in (2, 3) for m in range(5)]
PAIRS = [(n, m) for n in (2, 3) for m in range(4)]
VERDICTS = ("sealable", "minimum_messages", "seals", "signature", "open_channels", "orbit_size")

Patch = Callable[[pytest.MonkeyPatch], None]


def made(kind: str, folder: Path) -> list[bytes]:
    certificates.minimum_of.cache_clear()
    target = folder / "table"
    write_table(
        kind, "jsonl", target, PAIRS if kind == "sealing-pairs" else SPACES, lambda: pytest.fail("Spark")
    )
    certificates.minimum_of.cache_clear()
    return target.read_bytes().splitlines()


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    yield
    certificates.minimum_of.cache_clear()


def _replaced(owner: object, name: str, make: Callable[[Any], Any], *others: object) -> Patch:
    def patched(patch: pytest.MonkeyPatch) -> None:
        new = make(getattr(owner, name))
        for each in (owner, *others):
            patch.setattr(each, name, new)

    return patched


def _decided(change: Callable[[StraightLine, StraightLine, Any], Any]) -> Patch:
    return _replaced(certificates, "decide", lambda decide: lambda p, q: change(p, q, decide(p, q)))


def _stopping_early(p: StraightLine, q: StraightLine, found: Any) -> Any:
    if isinstance(found, Interferes):
        return found
    return Seals(tuple(replace(chain, places=chain.places[:-1]) for chain in found.chains))


def _sealing_nothing(p: StraightLine, q: StraightLine, found: Any) -> Any:
    return Interferes(p, q, found.chains[0].channel) if isinstance(found, Seals) and found.chains else found


def _giving_up(saturate: Callable[[Problem], Any]) -> Callable[[Problem], Any]:
    def first_only(problem: Problem) -> Any:
        stuck = problem.unsafe(problem.initial)
        return Unsealable(problem, problem.initial, stuck) if stuck else saturate(problem)

    return first_only


def _initial(change: Callable[[int], int]) -> Patch:
    def changed(of: Callable[[Signature], Problem]) -> Any:
        def other(first: Signature) -> Problem:
            problem = of(first)
            return replace(problem, initial=tuple(map(change, problem.initial)))

        return staticmethod(other)

    return _replaced(Problem, "of", changed)


def _longer(minimum_seal: Callable[..., Minimum]) -> Callable[..., Minimum]:
    def longer(problem: Problem, **limits: Any) -> Minimum:
        found = minimum_seal(problem, **limits)
        return Minimum((*found.transmissions, *found.transmissions[-1:]), found.states)

    return longer


def _both_told(knowledge: Any, channel: Any) -> Any:
    learnt = list(knowledge)
    both = knowledge[channel.sender - 1] | knowledge[channel.receiver - 1]
    learnt[channel.sender - 1] = learnt[channel.receiver - 1] = both
    return tuple(learnt)


def _without_symmetric(is_canonical: Any) -> Any:
    return property(lambda self: is_canonical.fget(self) and self.orbit_size == factorial(self.n))


def _without_last(programs: Callable[..., Any]) -> Callable[..., Any]:
    def shorter(self: Space, start: int = 0, stop: int | None = None) -> Any:
        return programs(self, start, min(self.size - 1, self.size if stop is None else stop))

    return shorter


FAULTS: dict[str, tuple[str, Patch]] = {
    "no chain is needed": (
        "sealing-pairs",
        _decided(lambda p, q, found: Seals(()) if isinstance(found, Interferes) else found),
    ),
    "chains stop early": ("sealing-pairs", _decided(_stopping_early)),
    "nothing seals": ("sealing-pairs", _decided(_sealing_nothing)),
    "saturation gives up": ("sealability", _replaced(minimum_seal, "saturate", _giving_up)),
    "too much is known at the end": ("sealability", _initial(lambda mask: mask | 1)),
    "too little is known at the end": ("sealability", _initial(lambda mask: mask & ~1)),
    "everything is safe": ("sealability", _replaced(Problem, "is_safe", lambda _: lambda *of: True)),
    "the lower bound is too high": (
        "sealability",
        _replaced(minimum_seal, "_at_least", lambda least: lambda *of: 3 * least(*of)),
    ),
    "one message more": ("sealability", _replaced(minimum_seal, "minimum_seal", _longer)),
    "states are left out": (
        "sealability",
        _replaced(
            minimum_seal,
            "minimum_seal",
            lambda made: lambda *a, **b: Minimum(made(*a, **b).transmissions, ()),
        ),
    ),
    "the sender learns, too": (
        "sealability",
        _replaced(minimum_seal, "told", lambda _: _both_told, sealability),
    ),
    "every orbit is full": (
        "sealability",
        _replaced(Instance, "orbit_size", lambda _: property(lambda self: factorial(self.n))),
    ),
    "everything is canonical": (
        "sealability",
        _replaced(StraightLine, "is_canonical", lambda _: property(lambda self: True)),
    ),
    "nothing symmetric is canonical": (
        "sealability",
        _replaced(StraightLine, "is_canonical", _without_symmetric),
    ),
    "the last program is lost": ("sealability", _replaced(Space, "programs", _without_last)),
    "ends are those of others": (
        "signatures",
        _replaced(tables, "signature", lambda of: lambda p: replace(of(p), ends=of(p).ends[::-1])),
    ),
}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[tuple[object, ...], Any]]:
    lines = {
        kind: made(kind, tmp_path_factory.mktemp("right")) for kind in {kind for kind, _ in FAULTS.values()}
    }
    return {kind: {_name(row): row for row in map(json.loads, rows)} for kind, (_, *rows) in lines.items()}


NOTICED = ("too much is known at the end", "everything is safe", "the sender learns, too")
"""Faults whose seals `decide`, another algorithm, does not confirm."""


@pytest.mark.parametrize("fault", FAULTS)
def test_the_kernel_finds_what_a_mutated_algorithm_gets_wrong(
    fault: str, right: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kind, mutate = FAULTS[fault]
    with monkeypatch.context() as patch:
        mutate(patch)
        patch.setattr(domains, "REMEMBERED_INDICES", -1)  # or the right programs are still there
        if fault in NOTICED:
            with pytest.raises(ShardFailed, match="Disagreement"):
                made(kind, tmp_path)
            return
        lines = made(kind, tmp_path)
    complaints = list(check_lines(lines))
    assert complaints
    rejected = {row for row, _ in complaints}
    for number, row in enumerate(map(json.loads, lines[1:]), 1):
        if number not in rejected:
            true = right[kind][_name(row)]
            assert all(row.get(key) == true.get(key) for key in VERDICTS)


def _name(row: dict[str, Any]) -> tuple[object, ...]:
    return row["n"], row.get("program"), row.get("p"), row.get("q")
