"""What mutated algorithms emit: the kernel finds every wrong row."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from sealcheck.algorithms import certificates, minimum_seal, sealability, sealing
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
    """The lines of a table, made by the algorithms as they are just now."""
    certificates.minimum_of.cache_clear()
    target = folder / "table"
    write_table(
        kind, "jsonl", target, PAIRS if kind == "sealing-pairs" else SPACES, lambda: pytest.fail("Spark")
    )
    certificates.minimum_of.cache_clear()
    return target.read_bytes().splitlines()


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    """What a mutated algorithm has found is forgotten."""
    yield
    certificates.minimum_of.cache_clear()


def _no_chain_is_needed(patch: pytest.MonkeyPatch) -> None:
    original = sealing.decide
    patch.setattr(
        certificates,
        "decide",
        lambda p, q: Seals(()) if isinstance(original(p, q), Interferes) else original(p, q),
    )


def _chains_stop_early(patch: pytest.MonkeyPatch) -> None:
    original = sealing.decide

    def decide(p: StraightLine, q: StraightLine) -> Any:
        found = original(p, q)
        if isinstance(found, Interferes):
            return found
        return Seals(tuple(replace(chain, places=chain.places[:-1]) for chain in found.chains))

    patch.setattr(certificates, "decide", decide)


def _nothing_seals(patch: pytest.MonkeyPatch) -> None:
    original = sealing.decide

    def decide(p: StraightLine, q: StraightLine) -> Any:
        found = original(p, q)
        return (
            Interferes(p, q, found.chains[0].channel) if isinstance(found, Seals) and found.chains else found
        )

    patch.setattr(certificates, "decide", decide)


def _saturation_gives_up(patch: pytest.MonkeyPatch) -> None:
    def saturate(problem: Problem) -> Any:
        stuck = problem.unsafe(problem.initial)
        return Unsealable(problem, problem.initial, stuck) if stuck else original(problem)

    original = sealability.saturate
    patch.setattr(minimum_seal, "saturate", saturate)


def _initial(change: Callable[[int], int]) -> Patch:
    def patched(patch: pytest.MonkeyPatch) -> None:
        original = Problem.of.__func__  # type: ignore[attr-defined]

        def of(cls: type[Problem], first: Signature) -> Problem:
            problem = original(cls, first)
            return replace(problem, initial=tuple(map(change, problem.initial)))

        patch.setattr(Problem, "of", classmethod(of))

    return patched


def _everything_is_safe(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Problem, "is_safe", lambda self, channel, knowledge: True)


def _overestimate(patch: pytest.MonkeyPatch) -> None:
    original = minimum_seal._at_least
    patch.setattr(minimum_seal, "_at_least", lambda problem, knowledge: 3 * original(problem, knowledge))


def _one_message_more(patch: pytest.MonkeyPatch) -> None:
    original = minimum_seal.minimum_seal

    def longer(problem: Problem, **limits: Any) -> Minimum:
        found = original(problem, **limits)
        again = found.transmissions[-1:]
        return Minimum((*found.transmissions, *again), found.states)

    patch.setattr(minimum_seal, "minimum_seal", longer)


def _states_are_left_out(patch: pytest.MonkeyPatch) -> None:
    original = minimum_seal.minimum_seal
    patch.setattr(minimum_seal, "minimum_seal", lambda *a, **b: Minimum(original(*a, **b).transmissions, ()))


def _both_learn(patch: pytest.MonkeyPatch) -> None:
    def told(knowledge: Any, channel: Any) -> Any:
        learnt = list(knowledge)
        both = knowledge[channel.sender - 1] | knowledge[channel.receiver - 1]
        learnt[channel.sender - 1] = learnt[channel.receiver - 1] = both
        return tuple(learnt)

    patch.setattr(minimum_seal, "told", told)
    patch.setattr(sealability, "told", told)


def _orbits_are_full(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Instance, "orbit_size", property(lambda self: factorial(self.n)))


def _everything_is_canonical(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(StraightLine, "is_canonical", property(lambda self: True))


def _nothing_symmetric_is_canonical(patch: pytest.MonkeyPatch) -> None:
    original = StraightLine.is_canonical.fget  # type: ignore[attr-defined]
    full = property(lambda self: original(self) and self.orbit_size == factorial(self.n))
    patch.setattr(StraightLine, "is_canonical", full)


def _the_last_program_is_lost(patch: pytest.MonkeyPatch) -> None:
    original = Space.programs

    def programs(self: Space, start: int = 0, stop: int | None = None) -> Any:
        return original(self, start, min(self.size - 1, self.size if stop is None else stop))

    patch.setattr(Space, "programs", programs)


def _ends_are_the_others(patch: pytest.MonkeyPatch) -> None:
    original = tables.signature
    patch.setattr(tables, "signature", lambda p: replace(original(p), ends=original(p).ends[::-1]))


FAULTS: dict[str, tuple[str, Patch]] = {
    "no chain is needed": ("sealing-pairs", _no_chain_is_needed),
    "chains stop early": ("sealing-pairs", _chains_stop_early),
    "nothing seals": ("sealing-pairs", _nothing_seals),
    "saturation gives up": ("sealability", _saturation_gives_up),
    "too much is known at the end": ("sealability", _initial(lambda mask: mask | 1)),
    "too little is known at the end": ("sealability", _initial(lambda mask: mask & ~1)),
    "everything is safe": ("sealability", _everything_is_safe),
    "the lower bound is too high": ("sealability", _overestimate),
    "one message more": ("sealability", _one_message_more),
    "states are left out": ("sealability", _states_are_left_out),
    "the sender learns, too": ("sealability", _both_learn),
    "every orbit is full": ("sealability", _orbits_are_full),
    "everything is canonical": ("sealability", _everything_is_canonical),
    "nothing symmetric is canonical": ("sealability", _nothing_symmetric_is_canonical),
    "the last program is lost": ("sealability", _the_last_program_is_lost),
    "ends are those of others": ("signatures", _ends_are_the_others),
}


NOTICED = ("too much is known at the end", "everything is safe", "the sender learns, too")
"""Faults that lead to a seal that `decide`, which is another algorithm, does not confirm."""


@pytest.mark.parametrize("fault", FAULTS)
def test_the_kernel_finds_what_a_mutated_algorithm_gets_wrong(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A table of a mutated algorithm is rejected or never made, and rows that are accepted are right."""
    kind, mutate = FAULTS[fault]
    right = {_name(row): row for row in map(json.loads, made(kind, tmp_path)[1:])}
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
            true = right[_name(row)]
            assert all(row.get(key) == true.get(key) for key in VERDICTS)


def _name(row: dict[str, Any]) -> tuple[object, ...]:
    return row["n"], row.get("program"), row.get("p"), row.get("q")
