"""Whole levels: no query is missing, and symmetries change no verdict."""

import sys
from functools import cache

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, Not, Or

from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.formulas import Gates, made_of
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.theorems.checking.check import check_level
from sealcheck.theorems.checking.statement import Statement
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.section4.graph_cause import some_edge_not_causal

CLAIMS = [
    (about, number)
    for about in STATEMENTS.values()
    for number, claim in enumerate(about.claims)
    if claim.whole_space is not None
]
IDS = [f"{about.id}-{about.claims[number].form.value}" for about, number in CLAIMS]


@pytest.mark.parametrize("solver", ["cadical", "z3", "cvc5"])
@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_levels_up_to_three_messages_are_verified(about: Statement, claim: int, solver: str) -> None:
    for messages in range(4):
        tally = check_level(about, claim, 3, messages, solver=solver)
        assert (tally.refuting, tally.disputed, tally.unknown) == (None, None, 0)


@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_formulas_of_pysmt_and_gates_become_the_same_clauses(about: Statement, claim: int) -> None:
    queries = about.claims[claim].whole_space
    assert queries is not None
    for n, messages in [(2, 1), (2, 3), (3, 2)]:
        with fresh_formulas():
            by_pysmt = [to_cnf(query.formulas).clauses for query in queries(n, messages)]
        with made_of(Gates()):
            by_gates = [to_cnf(query.formulas).clauses for query in queries(n, messages)]
        assert by_pysmt == by_gates


PER_LEVEL = {
    "interleaving-exists": [2, 2, 2, 2],
    "tcc-impossibility": [0, 1, 1, 1],
    "graph-cause": [1, 1, 1, 1],
    "graph-cause-largest": [2, 2, 2, 2],
    "closed-channels": [2, 2, 2, 2],
    "decide-sealing": [0, 2, 4, 6],
    "sealability": [3, 3, 3, 3],
}
"""For each statement with queries, the number of queries for 0, 1, 2 and 3 messages."""


@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_no_query_is_missing(about: Statement, claim: int) -> None:
    queries = about.claims[claim].whole_space
    assert queries is not None
    for messages, expected in enumerate(PER_LEVEL[about.id]):
        with fresh_formulas():
            names = [query.name for query in queries(3, messages)]
        assert len(set(names)) == len(names) == expected


def test_no_statement_has_lost_its_queries() -> None:
    assert {about.id for about, _ in CLAIMS} == set(PER_LEVEL)


LEVELS = [(2, 2), (3, 2), (3, 3), (2, 4)]
WITHOUT = [(), (Axiom.INJECTIVE,), (Axiom.TOTAL,)]


def has_models(id: str, claim: int, n: int, m: int) -> list[bool]:
    queries = STATEMENTS[id].claims[claim].whole_space
    assert queries is not None
    with fresh_formulas():
        return [_has_model(query.formulas) for query in queries(n, m)]


def _has_model(formulas: list[FNode]) -> bool:
    with open_solver("cadical") as solver:
        status = solver.ask(formulas).status
    assert status is not Status.UNKNOWN
    return status is Status.SAT


def sizes(id: str, claim: int) -> list[int]:
    queries = STATEMENTS[id].claims[claim].whole_space
    assert queries is not None
    with fresh_formulas():
        return [len(to_cnf(query.formulas).clauses) for query in queries(3, 2)]


@cache
def as_written(id: str, claim: int) -> list[list[bool]]:
    return [has_models(id, claim, *level) for level in LEVELS]


IN_ORDER = ("graph-cause", "graph-cause-largest", "closed-channels", "decide-sealing")
"""Statements whose queries leave out messages that cross within a layer."""

FIXED_CHANNEL = ("closed-channels", "decide-sealing")
"""Statements with a query that fixes a channel, but not the names of all processes."""

ASSUMED = [
    ("processes_by_first_use", about.id, claim) for about, claim in CLAIMS if about.id != "graph-cause"
]
ASSUMED += [("in_order_of_sending", about.id, claim) for about, claim in CLAIMS if about.id in IN_ORDER]


@pytest.mark.parametrize(("assumed", "id", "claim"), ASSUMED)
def test_queries_about_everything_have_the_same_answers(
    assumed: str, id: str, claim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two queries are about all names or all runs, and about one of each class."""
    broken, with_symmetry = as_written(id, claim), sizes(id, claim)
    for name, module in list(sys.modules.items()):
        if name.startswith("sealcheck.") and hasattr(module, assumed):
            monkeypatch.setattr(module, assumed, lambda _: TRUE())
    smaller = [less < more for less, more in zip(sizes(id, claim), with_symmetry, strict=True)]
    assert any(smaller) if id in FIXED_CHANNEL or assumed == "in_order_of_sending" else all(smaller)
    assert [has_models(id, claim, *level) for level in LEVELS] == broken


@pytest.mark.parametrize("without", WITHOUT)
def test_an_edge_on_any_channel_is_as_good_as_one_from_1_to_2(without: tuple[Axiom, ...]) -> None:
    """The ledger's query asks about 1->2 only."""
    for n, m in LEVELS:
        with fresh_formulas():
            p = SymbolicProgram("P", n, m)
            space = SpaceRun([p])
            edges = [Not(space.order.before(s, r)) for s, r in zip(p.sends, p.receives, strict=True)]
            found = _has_model([*space.well_formed(), *axioms(space.run, without), Or(edges)])
        with fresh_formulas():
            assert _has_model(some_edge_not_causal(n, m, without).formulas) == found == bool(without)


@pytest.mark.parametrize("without", WITHOUT)
def test_messages_of_a_channel_need_not_cross(without: tuple[Axiom, ...]) -> None:
    for n, m in LEVELS:
        with fresh_formulas():
            queries = [some_edge_not_causal(n, m, without, in_order=chosen) for chosen in (True, False)]
            assert [_has_model(query.formulas) for query in queries] == [bool(without)] * 2
