"""One more edge in the order of a run: what `OneEdgeMore` leaves out of its definition follows from it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import Not

from sealcheck.encodings import sealing
from sealcheck.encodings import sealing as exchange
from sealcheck.encodings.clauses import Model, refutation, to_cnf
from sealcheck.encodings.solving import Relation, fresh_formulas

Met = Callable[[sealing.Pair[Any], int], FNode]

PAIRS = [(2, 1, 0), (2, 1, 1), (2, 2, 1), (2, 1, 2), (3, 1, 0), (3, 2, 0), (3, 1, 1), (3, 3, 0), (3, 2, 1)]
"""n, and messages of P and of Q."""


@pytest.fixture(autouse=True)
def _own_formulas() -> Iterator[None]:
    with fresh_formulas():
        yield


def has_model(formulas: list[FNode]) -> bool:
    return isinstance(refutation(to_cnf(formulas).clauses), Model)


@pytest.mark.parametrize(("n", "of_p", "of_q"), [(2, 1, 0), (2, 1, 1), (3, 2, 0), (3, 2, 1), (3, 1, 2)])
def test_one_edge_more_leaves_a_transitive_relation(n: int, of_p: int, of_q: int) -> None:
    """What `OneEdgeMore` does not ask follows from its definition, and that has models."""
    pair = sealing.PairOfTraces(n, of_p, of_q)
    moved = exchange.Exchange(pair)
    defined = [*pair.constraints(), *moved.definition()]
    transitive = Relation("t", moved.space.run.skeleton.events).axioms(acyclic=False)
    assert has_model(defined)
    assert not has_model([*defined, Not(transitive)])
