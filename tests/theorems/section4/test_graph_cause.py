"""`GraphCause` and the remark after it: verdicts, mistakes that are caught, and complete queries."""

from collections.abc import Iterator

import pytest
from pysat.solvers import Cadical153
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE
from tests.theorems.rows import asked, checked

from sealcheck.encodings import causality
from sealcheck.encodings.clauses import Proof, refutation, to_cnf
from sealcheck.encodings.program_space import LayerPaths
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer, ConsistentCut, Interleaving, Relation, Status, fresh_formulas
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions import causality as question
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4 import graph_cause
from sealcheck.theorems.section4.graph_cause import (
    IN_FIFO_RUNS,
    LARGEST,
    acyclic_or_not,
    closure,
    explain_difference,
    some_edge_not_causal,
)

LEVELS = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
NEEDED = [Axiom.TOTAL, Axiom.INJECTIVE, Axiom.SILENT_START]


@pytest.fixture(autouse=True)
def _own_formulas() -> Iterator[None]:
    with fresh_formulas():
        yield


def found(query: Query) -> set[StraightLine]:
    """The programs that the models describe. Each program is forbidden once it is found."""
    cnf = to_cnf(query.formulas)
    described = [number for symbol, number in cnf.variables.items() if symbol.symbol_name().startswith("P")]
    programs = set[StraightLine]()
    with Cadical153(bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            model = set(solver.get_model())
            value = Answer(Status.SAT, lambda symbol, model=model: cnf.variables.get(symbol) in model)
            program = query.instance(value).p
            assert program not in programs
            programs.add(program)
            solver.add_clause([-number if number in model else number for number in described])
    return programs


@pytest.mark.parametrize("dropped", NEEDED, ids=lambda axiom: axiom.value)
@pytest.mark.parametrize(("n", "m"), LEVELS)
def test_messages_that_cross_break_nothing_more(n: int, m: int, dropped: Axiom) -> None:
    crossed, in_order = (
        found(some_edge_not_causal(n, m, [dropped], in_order=in_order)) for in_order in (False, True)
    )
    assert crossed == in_order
    assert in_order or m == 1


@pytest.mark.parametrize("dropped", NEEDED, ids=lambda axiom: axiom.value)
@pytest.mark.parametrize(("n", "m"), LEVELS)
def test_a_cut_denies_what_an_order_denies(n: int, m: int, dropped: Axiom) -> None:
    without = [dropped, Axiom.ACYCLIC]
    by_cut, by_relation = (
        found(some_edge_not_causal(n, m, without, order=order)) for order in (ConsistentCut, Relation)
    )
    assert by_cut == by_relation
    assert by_cut or m == 1


@pytest.mark.parametrize("dropped", NEEDED, ids=lambda axiom: axiom.value)
@pytest.mark.parametrize(("n", "m"), LEVELS)
def test_an_interleaving_denies_what_a_relation_denies(n: int, m: int, dropped: Axiom) -> None:
    by_interleaving, by_relation = (
        found(some_edge_not_causal(n, m, [dropped], order=order)) for order in (Interleaving, Relation)
    )
    assert by_interleaving == by_relation


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("later_sends", [0, 1, 2, 3])
@pytest.mark.parametrize("order", [Interleaving, Relation, ConsistentCut])
def test_no_variant_of_the_query_has_a_model(
    order: type[Interleaving] | type[Relation] | type[ConsistentCut], later_sends: int, in_order: bool
) -> None:
    """The variants deny causality in different ways, with more later messages, and take messages in any
    order."""
    without = [Axiom.ACYCLIC] if order is ConsistentCut else []
    for n, m in [*LEVELS, (2, 4)]:
        query = some_edge_not_causal(n, m, without, order=order, later_sends=later_sends, in_order=in_order)
        assert isinstance(refutation(to_cnf(query.formulas).clauses), Proof)


@pytest.mark.parametrize(("n", "m"), [(3, 14), (5, 9)])
def test_large_levels_are_refuted_in_few_steps(n: int, m: int) -> None:
    """Without the order of messages this would take forever: see `in_order_of_sending`."""
    (query,) = acyclic_or_not(n, m)
    proof = refutation(to_cnf(query.formulas).clauses)
    assert isinstance(proof, Proof)
    assert len(proof.steps) < 10_000


def test_a_cut_does_not_know_of_cycles() -> None:
    with pytest.raises(ValueError, match="a cut can't rule out"):
        some_edge_not_causal(2, 2, order=ConsistentCut).make()


ONCE = Instance.of(StraightLine.of(2, mt(1, 2)))


def test_the_direct_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages may be taken twice in this query."""
    monkeypatch.setattr(causality, "axioms", lambda run: axioms(run, [Axiom.INJECTIVE]))
    tally = asked(LARGEST, [(2, 2)], ("cadical",))
    assert tally.disputed is not None
    assert "joined, not causal" in tally.dispute


class WithoutPaths(LayerPaths):
    """A reach that joins nothing."""

    def path(self, first: str, second: str) -> FNode:
        """False: there is no path."""
        return FALSE()

    def definition(self) -> FNode:
        """True: there is nothing to define."""
        return TRUE()


def test_the_query_by_proof_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is joined in this query, so the run of the proof does not exist."""
    monkeypatch.setattr(causality, "LayerPaths", WithoutPaths)
    assert check_level(LARGEST, 0, 2, 2, solver="cadical").unknown == 1


def test_the_explanation_lists_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    with inline(("z3",)) as ask:
        monkeypatch.setattr(graph_cause, "closure", lambda _: frozenset())
        more = explain_difference(ONCE, ask)
        monkeypatch.setattr(graph_cause, "closure", lambda i: {(f, e) for e, f in closure(i)})
        less = explain_difference(ONCE, ask).splitlines()[1]
    assert more == "causal in every run, but not joined by normal edges: event 1 of 1 to 1 of 2"
    assert less == "joined by normal edges, but not causal in some run: event 1 of 2 to 1 of 1"


def test_a_program_without_runs_does_not_meet_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    for oracle in ("executed_matchings", "_injective"):
        monkeypatch.setattr(question, oracle, lambda *_: frozenset())
    (tally,) = checked(IN_FIFO_RUNS, [(2, 1)], ())
    assert str(tally.refuting) == "mt 1->2"
