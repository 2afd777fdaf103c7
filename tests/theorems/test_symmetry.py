"""Breaking the symmetry of processes changes no verdict about a level."""

import sys

import pytest
from pysmt.shortcuts import TRUE, Not, Or

from sealcheck.encodings.cnf import to_cnf
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram
from sealcheck.encodings.proofs import refutation
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import fresh_formulas
from sealcheck.theorems.graph_cause import some_edge_not_causal as graph_cause
from sealcheck.theorems.registry import STATEMENTS

LEVELS = [(2, 2), (3, 2), (3, 3), (2, 4)]


def has_models(id: str, claim: int, n: int, m: int) -> list[bool]:
    """Whether each query of the level has a model."""
    with fresh_formulas():
        queries = STATEMENTS[id].claims[claim].whole_space
        assert queries is not None
        return [isinstance(refutation(to_cnf(query.formulas).clauses), set) for query in queries(n, m)]


CLAIMS = [
    (id, number)
    for id, about in STATEMENTS.items()
    for number, claim in enumerate(about.claims)
    if claim.whole_space is not None
]


@pytest.mark.parametrize(("id", "claim"), CLAIMS)
def test_queries_about_all_names_have_the_same_answers(
    id: str, claim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked of all programs, and of one of each class of renamings, every query has models or has none."""
    broken = [has_models(id, claim, *level) for level in LEVELS]
    for name, module in list(sys.modules.items()):
        if name.startswith("sealcheck.theorems") and hasattr(module, "processes_by_first_use"):
            monkeypatch.setattr(module, "processes_by_first_use", lambda programs: TRUE())
    assert [has_models(id, claim, *level) for level in LEVELS] == broken


@pytest.mark.parametrize("without", [(), (Axiom.INJECTIVE,), (Axiom.TOTAL,)])
def test_an_edge_on_any_channel_is_as_good_as_one_from_1_to_2(without: tuple[Axiom, ...]) -> None:
    """`GraphCause` asked about all channels has a model where the query of the ledger has one."""
    for n, m in LEVELS:
        with fresh_formulas():
            p = SymbolicProgram("P", n, m)
            space = SpaceRun([p])
            edges = [Not(space.order.before(s, r)) for s, r in zip(p.sends, p.receives, strict=True)]
            everywhere = [*space.well_formed(), *axioms(space.run, without), Or(edges)]
            found = isinstance(refutation(to_cnf(everywhere).clauses), set)
        with fresh_formulas():
            (query,) = graph_cause(n, m, without)
            assert isinstance(refutation(to_cnf(query.formulas).clauses), set) == found == bool(without)
