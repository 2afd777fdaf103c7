"""Solvers: limits are unknown, questions don't affect each other, formulas can be written to files."""

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, LT, TRUE, And, Iff, Implies, Int, Not, Or, Symbol
from pysmt.typing import INT

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import SmtSolver, Status, fresh_formulas, open_solver, satisfiable, smt_lib
from sealcheck.errors import InputError, LimitReached
from sealcheck.theorems.section4.graph_cause import some_edge_not_causal


def formulas() -> st.SearchStrategy[object]:
    leaves = st.sampled_from(["a", "b", "c", "d", True, False])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.just("not"), inner),
            st.tuples(st.sampled_from(["and", "or", "iff", "implies"]), inner, inner),
        ),
        max_leaves=12,
    )


def built(shape: object) -> FNode:
    if isinstance(shape, bool):
        return TRUE() if shape else FALSE()
    if isinstance(shape, str):
        return Symbol(shape)
    operator, *arguments = shape  # type: ignore[misc]
    make = {"not": Not, "and": And, "or": Or, "iff": Iff, "implies": Implies}[operator]
    return make(*map(built, arguments))


@settings(deadline=None, max_examples=150)
@given(st.lists(formulas(), min_size=1, max_size=3))
def test_all_solvers_agree_on_boolean_formulas(shapes: list[object]) -> None:
    with fresh_formulas():
        conjuncts = [built(shape) for shape in shapes]
        found = {}
        for name in SOLVERS:
            with open_solver(name) as solver:
                answer = solver.ask(conjuncts)
            found[name] = answer.status
            if answer.status is Status.SAT:
                values = {Symbol(x): TRUE() if answer.value(Symbol(x)) else FALSE() for x in "abcd"}
                assert And(conjuncts).substitute(values).simplify().is_true()
        assert len(set(found.values())) == 1


@pytest.mark.parametrize("name", SOLVERS)
def test_a_limit_is_unknown(name: str) -> None:
    holes = range(10)
    pigeons = [Or(Symbol(f"p{p}h{h}") for h in holes) for p in range(11)]
    clashes = [
        Not(And(Symbol(f"p{p}h{h}"), Symbol(f"p{q}h{h}"))) for h in holes for p in range(11) for q in range(p)
    ]
    with open_solver(name, seconds=0.1) as solver:
        assert solver.ask(pigeons + clashes).status is Status.UNKNOWN
        with pytest.raises(LimitReached, match=name):
            satisfiable(solver, pigeons + clashes)


@pytest.mark.parametrize("name", SOLVERS)
def test_what_is_assumed_holds_inside_only(name: str) -> None:
    x = Symbol("x")
    with open_solver(name) as solver:
        with solver.assuming([x]):
            assert solver.ask([Not(x)]).status is Status.UNSAT
            assert solver.ask([]).value(x)
        assert solver.ask([Not(x)]).status is Status.SAT


def test_what_clauses_cannot_express_is_unknown_to_cadical() -> None:
    x, b = Symbol("a number", INT), Symbol("b")
    with open_solver("cadical") as solver:
        assert solver.ask([LT(x, Int(3))]).status is Status.UNKNOWN
        with solver.assuming([LT(x, Int(3))]):
            assert solver.ask([b]).status is Status.UNKNOWN
        assert solver.ask([b]).status is Status.SAT


def test_an_unknown_solver_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"^unknown solver 'yices': choose among z3, cvc5, cadical$"):
        open_solver("yices")
    with pytest.raises(InputError, match=r"^nothing says how the solver 'yices' is started$"):
        SmtSolver("yices", None)


@pytest.mark.parametrize(("n", "m", "dropped"), [(2, 2, False), (2, 2, True)])
def test_a_dumped_query_says_the_same_to_another_reader(n: int, m: int, dropped: bool) -> None:
    from sealcheck.encodings.runs import Axiom

    query = some_edge_not_causal(n, m, (Axiom.INJECTIVE,) if dropped else ())
    reader = z3.Solver()
    reader.from_string(smt_lib(query.formulas))
    assert str(reader.check()) == ("sat" if dropped else "unsat")
