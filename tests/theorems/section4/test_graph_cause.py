"""`GraphCause` asked of whole levels: the shortcuts that its query takes leave out no program."""

from collections.abc import Iterator

import pytest
from pysat.solvers import Cadical153

from sealcheck.encodings.clauses import Proof, refutation, to_cnf
from sealcheck.encodings.program_space import Axiom
from sealcheck.encodings.solving import Answer, ConsistentCut, Interleaving, Relation, Status, fresh_formulas
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4.graph_cause import some_edge_not_causal, whole_space

LEVELS = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
NEEDED = [Axiom.TOTAL, Axiom.INJECTIVE, Axiom.SILENT_START]


@pytest.fixture(autouse=True)
def _own_formulas() -> Iterator[None]:
    with fresh_formulas():
        yield


def found(query: Query) -> set[StraightLine]:
    """The programs that the models describe.

    A program is forbidden once it is found, by the variables of its description: those that begin with P.
    """
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
    """Where an axiom is missing, as many programs break the lemma with crossed messages as without."""
    crossed, in_order = (
        found(some_edge_not_causal(n, m, [dropped], in_order=in_order)) for in_order in (False, True)
    )
    assert crossed == in_order
    assert in_order or m == 1


@pytest.mark.parametrize("dropped", NEEDED, ids=lambda axiom: axiom.value)
@pytest.mark.parametrize(("n", "m"), LEVELS)
def test_a_cut_denies_what_an_order_denies(n: int, m: int, dropped: Axiom) -> None:
    """A closed set with the receive but not the send is there where the relation need not have the pair."""
    without = [dropped, Axiom.ACYCLIC]
    by_cut, by_relation = (
        found(some_edge_not_causal(n, m, without, order=order)) for order in (ConsistentCut, Relation)
    )
    assert by_cut == by_relation
    assert by_cut or m == 1


@pytest.mark.parametrize("dropped", NEEDED, ids=lambda axiom: axiom.value)
@pytest.mark.parametrize(("n", "m"), LEVELS)
def test_an_interleaving_denies_what_a_relation_denies(n: int, m: int, dropped: Axiom) -> None:
    """In acyclic runs, a pair that need not be ordered is the other way round in some interleaving."""
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
    """However causality is denied, however many messages follow, and in whatever order they are taken."""
    without = [Axiom.ACYCLIC] if order is ConsistentCut else []
    for n, m in [*LEVELS, (2, 4)]:
        query = some_edge_not_causal(n, m, without, order=order, later_sends=later_sends, in_order=in_order)
        assert isinstance(refutation(to_cnf(query.formulas).clauses), Proof)


@pytest.mark.parametrize(("n", "m"), [(3, 14), (5, 9)])
def test_large_levels_are_refuted_in_few_steps(n: int, m: int) -> None:
    """Nothing is left of the pigeonhole: without the order of messages this would take forever."""
    (query,) = whole_space(n, m)
    proof = refutation(to_cnf(query.formulas).clauses)
    assert isinstance(proof, Proof)
    assert len(proof.steps) < 10_000


def test_a_cut_does_not_know_of_cycles() -> None:
    """Asked for runs, which are acyclic, it refuses."""
    with pytest.raises(ValueError, match="a cut can't rule out"):
        some_edge_not_causal(2, 2, order=ConsistentCut)
