"""The axioms of a run are not vacuous: each one carries a statement."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from sealcheck.encodings.program_space import Axiom
from sealcheck.encodings.sealing import PairOfPrograms, met_but_crossed
from sealcheck.encodings.solving import Relation, Status, fresh_formulas, open_solver
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4.graph_cause import some_edge_not_causal

SIZES = [(n, m) for n in (1, 2, 3) for m in range(4)]

Ablated = Callable[[int, int, tuple[Axiom, ...]], Iterator[Query]]


def graph_cause(n: int, m: int, without: tuple[Axiom, ...]) -> Iterator[Query]:
    yield some_edge_not_causal(n, m, without, order=Relation)


def decide_sealing(n: int, m: int, without: tuple[Axiom, ...]) -> Iterator[Query]:
    for of_p in range(m + 1):
        pair = PairOfPrograms(n, of_p, m - of_p)
        formulas = partial(met_but_crossed, pair, without, order=Relation)
        yield Query.about(str(pair), formulas, pair.p, pair.q)


def smallest(statement: Ablated, without: tuple[Axiom, ...], solver: str) -> Instance | None:
    """The first counterexample by n, then m."""
    for n, m in SIZES:
        with fresh_formulas(), open_solver(solver) as opened:
            for query in statement(n, m, without):
                answer = opened.ask(query.formulas)
                assert answer.status is not Status.UNKNOWN
                if answer.status is Status.SAT:
                    return query.instance(answer)
    return None


@pytest.mark.parametrize("solver", ["cadical", "z3"])
@pytest.mark.parametrize(
    ("statement", "dropped", "expected"),
    [
        (graph_cause, Axiom.TOTAL, "mt 1->2"),
        (graph_cause, Axiom.INJECTIVE, "mt 1->2; mt 1->2"),
        (graph_cause, Axiom.SILENT_START, "mt 1->2"),
        (decide_sealing, Axiom.ACYCLIC, "P = mt 1->2   Q = mt 2->1"),
    ],
    ids=lambda value: getattr(value, "value", getattr(value, "__name__", None)),
)
def test_dropping_an_axiom_breaks_a_statement(
    statement: Ablated, dropped: Axiom, expected: str, solver: str
) -> None:
    """Without the axiom the statement has a counterexample, and this is the smallest."""
    found = smallest(statement, (dropped,), solver)
    assert str(found) == expected


@pytest.mark.parametrize("statement", [graph_cause, decide_sealing], ids=lambda s: s.__name__)
def test_all_axioms_together_leave_no_counterexample(statement: Ablated) -> None:
    """The same queries with every axiom have no counterexample, so it is the axiom that matters."""
    assert smallest(statement, (), "cadical") is None


def test_graph_cause_does_not_need_acyclicity() -> None:
    """Lemma GraphCause is a pigeonhole argument: cyclic causality would not break it."""
    assert smallest(graph_cause, (Axiom.ACYCLIC,), "cadical") is None
