"""Clauses have the models of the formulas they come from."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, LT, TRUE, And, FreshSymbol, Iff, Implies, Int, Not, Or, Symbol, simplify
from pysmt.typing import INT
from tests.strategies import unhurried

from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.formulas import NotBooleanError

NAMES = "abcd"


def formulas() -> st.SearchStrategy[FNode]:
    """Formulas over few symbols, nested a few levels deep."""
    leaves = st.sampled_from([*map(Symbol, NAMES), TRUE(), FALSE()])

    def larger(inner: st.SearchStrategy[FNode]) -> st.SearchStrategy[FNode]:
        several = st.lists(inner, max_size=3)
        pairs = st.tuples(inner, inner)
        return st.one_of(
            inner.map(Not),
            several.map(And),
            several.map(Or),
            pairs.map(lambda both: Implies(*both)),
            pairs.map(lambda both: Iff(*both)),
        )

    return st.recursive(leaves, larger, max_leaves=12)


def assignments() -> Iterator[dict[FNode, bool]]:
    """All values of the symbols."""
    for values in product([False, True], repeat=len(NAMES)):
        yield dict(zip(map(Symbol, NAMES), values, strict=True))


@unhurried
@given(st.lists(formulas(), max_size=3))
def test_an_assignment_satisfies_the_clauses_where_it_satisfies_the_formulas(conjuncts: list[FNode]) -> None:
    """Each has one extension to the variables of subformulas if the formulas are true, and none otherwise."""
    cnf = to_cnf(conjuncts)
    number = max((abs(x) for clause in cnf.clauses for x in clause), default=0)
    free = [x for x in range(1, number + 1) if x not in cnf.variables.values()]
    for values in assignments():
        wanted = simplify(And(conjuncts).substitute({s: TRUE() if v else FALSE() for s, v in values.items()}))
        known = {number if values[symbol] else -number for symbol, number in cnf.variables.items()}
        extensions = 0
        for signs in product([1, -1], repeat=len(free)):
            true = known | {sign * x for sign, x in zip(signs, free, strict=True)}
            extensions += all(not true.isdisjoint(clause) for clause in cnf.clauses)
        assert extensions == wanted.is_true()


def test_clauses_stay_clauses() -> None:
    """No variable is added for what is a clause already, in whatever way it is written."""
    a, b, c = map(Symbol, "abc")
    written = [
        Or(a, Not(b), c),
        Not(And(Not(a), b, Not(c))),
        Implies(b, Or(a, c)),
        Implies(And(b, Not(a)), c),
    ]
    for formula in written:
        (clause,) = (cnf := to_cnf([formula])).clauses
        numbers = cnf.variables
        assert set(clause) == {numbers[a], -numbers[b], numbers[c]}
    assert len(to_cnf([Not(Or(a, Not(b)))]).clauses) == 2


def test_numbers_are_refused() -> None:
    """What is not Boolean has no clauses."""
    with pytest.raises(NotBooleanError):
        to_cnf([LT(FreshSymbol(INT), Int(1))])
