"""Statements that hold, checked one by one and for whole levels: verdicts on record."""

import pytest
from tests.theorems.rows import Levels, asked, checked, holds, is_clean, up_to

from sealcheck.theorems.registry import STATEMENTS

ONE_BY_ONE: dict[str, tuple[Levels, tuple[int, int]]] = {
    "tcc-basic": ([*up_to(1, 2), (2, 0), (2, 1), (3, 0)], (7 + 3 + 18 + 7 + 7 + 6, 0)),
    "tcc-closed": ([*up_to(1, 2), (2, 0), (2, 1)], (1 + 6 + 45 + 1 + 14, 6)),
    "barrier-is-tcc": ([*up_to(1, 2), (2, 0), (2, 1)], (1 + 3 + 18 + 1 + 7, 3)),
    "seal-algebra-6": ([*up_to(3, 3), (2, 4)], (92, 0)),
    "seal-algebra-6-whole-language": ([*up_to(1, 2), (2, 0), (2, 1)], (1 + 3 + 18 + 1 + 7, 0)),
    "layers-are-ccl": (
        [*up_to(2, 3), *((3, m) for m in range(3))],
        (2 + 2 + 5 + 23 + 79 + 2 + 5 + 59, 3 + 15 + 56 + 3 + 43),
    ),
    "layers-are-ccl-whole-language": ([*up_to(1, 2), (2, 0), (2, 1), (2, 3)], (30, 0)),
    "mt-seals-ack": (up_to(3, 2), (2 * 16, 0)),
    "mt-ack-self-seals": (up_to(2, 2), (16, 0)),
    "mt-not-self-sealing": (up_to(3, 1), (2 * 4, 0)),
    "mt-tcc-rel-fifo": (up_to(3, 1), (2 * 4, 0)),
    "sealability-undecidable": ([(2, 2)], (5, 0)),
    "balanced-necessary": (up_to(3, 2), (339, 0)),
    "graph-cause-largest": ([*up_to(3, 3), (2, 4)], (92, 0)),
    "fifo-causality": ([*up_to(3, 3), (2, 4)], (92, 0)),
    "closed-channels": ([*up_to(3, 3), (2, 4)], (92, 0)),
    "figure-signatures": ([(n, m) for n in (1, 2, 3) for m in range(4)], (4, 0)),
    "example-L-seal": ([(1, 0)], (5, 0)),
}
"""Levels, how many instances they have, and how many do not meet the hypotheses; see test_instances."""

WHOLE_LEVELS = {
    "interleaving-exists": [(2, 2), (3, 3), (3, 4)],
    "tcc-impossibility": [(1, 1), (2, 2), (3, 3)],
    "graph-cause-largest": [(1, 0), (2, 2), (3, 3), (3, 4)],
    "closed-channels": [(1, 0), (2, 2), (3, 3), (3, 4)],
}


@pytest.mark.parametrize("id", ONE_BY_ONE)
def test_verified_one_by_one(id: str) -> None:
    """All oracles and solvers agree with the only claim on every instance."""
    levels, counts = ONE_BY_ONE[id]
    (tally,) = checked(STATEMENTS[id], levels)
    assert is_clean(tally)
    assert (tally.checked, tally.vacuous) == counts


@pytest.mark.parametrize("id", WHOLE_LEVELS)
def test_verified_for_whole_levels(id: str) -> None:
    """No model refutes the claim on any instance of a level."""
    assert holds(asked(STATEMENTS[id], WHOLE_LEVELS[id]))
