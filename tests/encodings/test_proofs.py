"""Clauses have the models of their formulas, and refutations are checked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, LT, TRUE, And, FreshSymbol, Iff, Implies, Int, Not, Or, Symbol, simplify
from pysmt.typing import INT
from tests.strategies import unhurried

from sealcheck.encodings import clauses as module
from sealcheck.encodings.clauses import (
    Model,
    Proof,
    digest,
    refutation,
    refutation_within,
    to_cnf,
    trimmed,
)
from sealcheck.encodings.formulas import NotBooleanError
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.kernel.lrat import check_proof
from sealcheck.support.processes import Limits

Formula = list[list[int]]
ENOUGH = Limits(seconds=60, mib=1000)


def pigeons(holes: int) -> Formula:
    """The unsatisfiable claim that one pigeon more than there are holes can sit in holes of their own."""
    sits = [[1 + holes * pigeon + hole for hole in range(holes)] for pigeon in range(holes + 1)]
    return sits + [[-a[hole], -b[hole]] for hole in range(holes) for a, b in combinations(sits, 2)]


def clauses(variables: int, shortest: int) -> st.SearchStrategy[Formula]:
    """Random clauses with up to three literals, which may repeat or contradict each other."""
    literals = st.integers(-variables, variables).filter(bool)
    return st.lists(st.lists(literals, min_size=shortest, max_size=3), max_size=40)


def has_model(formula: Formula, variables: int) -> bool:
    rows = product([1, -1], repeat=variables)
    models = ({sign * k for k, sign in enumerate(row, 1)} for row in rows)
    return any(all(not model.isdisjoint(clause) for clause in formula) for model in models)


@pytest.mark.parametrize("holes", [1, 2, 3, 4, 5, 6])
def test_pigeons_do_not_fit(holes: int) -> None:
    proof = refutation(pigeons(holes))
    assert isinstance(proof, Proof)
    assert check_proof(pigeons(holes), proof.steps) == len(proof.steps)


@settings(deadline=None, max_examples=300)
@given(st.one_of(clauses(5, 0), clauses(5, 1), clauses(6, 3)))
def test_every_formula_gets_a_model_or_a_proof(formula: Formula) -> None:
    match refutation(formula):
        case Model(true):
            assert all(any((x > 0) == (abs(x) in true) for x in clause) for clause in formula)
        case Proof(steps):
            assert not has_model(formula, 6)
            assert check_proof(formula, steps) == len(steps)


def test_steps_that_are_not_needed_are_left_out() -> None:
    """A contradiction of two clauses stands next to a hard formula."""
    shifted = [[literal + (1 if literal > 0 else -1) for literal in clause] for clause in pigeons(4)]
    proof = refutation([*shifted, [1], [-1]])
    assert isinstance(proof, Proof)
    assert len(proof.steps) == 1


def test_clauses_that_are_no_longer_needed_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FORGOTTEN_AT_ONCE", 10)
    proof = refutation(pigeons(5))
    assert isinstance(proof, Proof)
    deleted = [number for step in proof.steps if " d " in step for number in step.split(" ")[2:-1]]
    assert len(deleted) == len(set(deleted)) > 10


def test_a_limit_on_conflicts_is_no_answer() -> None:
    with pytest.raises(LimitReached, match=r"^cadical hit its limit of conflicts$"):
        refutation(pigeons(7), conflicts=10)


WRONG = {
    "a model denied": ([[1, 2]], ["2 0 1 0"]),
    "another formula": ([[1, 2], [-1]], ["3 2 0 1 2 0", "4 0 3 2 0"]),
    "no steps": ([[1], [-1]], []),
    "no empty clause": ([[1], [-1, 2]], ["3 2 0 1 2 0"]),
    "a RAT step": ([[1], [-1]], ["3 2 0 -1 2 0", "4 0 3 1 2 0"]),
    "DRUP": ([[1], [-1]], ["0"]),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_solver_that_is_wrong_is_caught(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    formula, lines = WRONG[case]
    monkeypatch.setattr(module, "_cadical", lambda *_: lines)
    with pytest.raises(Disagreement, match=r"^cadical's proof of a question was rejected: "):
        refutation(formula)


def test_ids_that_lemmas_take_are_not_those_of_the_formula() -> None:
    """CaDiCaL finds lemmas while it reads clauses: here the fourth clause has the id 5."""
    lines = ["4 2 0 2 1 0", "6 0 5 4 0"]
    assert trimmed(4, lines) == ["5 2 0 2 1 0", "6 0 4 5 0"]
    assert check_proof([[1], [-1, 2], [7], [-2]], trimmed(4, lines)) == 2


def test_the_digest_depends_on_the_order_of_clauses_and_literals() -> None:
    assert len({digest(formula) for formula in ([[1, 2], [3]], [[2, 1], [3]], [[3], [1, 2]])}) == 3


@pytest.mark.parametrize(
    "formula",
    [[], [[]], [[1], [-1]], [[1, 2], [-2]], [[1, -2], [2], []], pigeons(1), pigeons(4), pigeons(4)[1:]],
)
def test_another_process_finds_the_same(formula: Formula) -> None:
    assert refutation_within(formula, ENOUGH) == refutation(formula)


@pytest.mark.parametrize(
    ("holes", "limits", "conflicts", "reason"),
    [
        (10, Limits(seconds=1, mib=1000), None, "cadical took more than 1 s"),
        (10, ENOUGH, 100, "cadical hit its limit of conflicts"),
    ],
)
def test_each_limit_ends_the_search(holes: int, limits: Limits, conflicts: int | None, reason: str) -> None:
    begun = time.monotonic()
    with pytest.raises(LimitReached, match=reason):
        refutation_within(pigeons(holes), limits, conflicts=conflicts)
    assert time.monotonic() - begun < 30


def test_a_solver_that_dies_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_cadical", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(LimitReached, match="cadical died: 1000 MiB may not have been enough"):
        refutation_within([[1]], ENOUGH)


ASK = """
import sys
from itertools import combinations
from sealcheck.encodings.clauses import refutation_within
from sealcheck.errors import LimitReached
from sealcheck.support.processes import Limits
holes, seconds, mib = map(int, sys.argv[1:])
at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
homes = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
alone = [[-at[p, h], -at[q, h]] for h in range(holes) for p, q in combinations(range(holes + 1), 2)]
try:
    refutation_within(homes + alone, Limits(seconds, mib))
except LimitReached as e:
    print(e)
"""


def asking(*arguments: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", ASK, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def test_the_limit_of_memory_ends_the_search() -> None:
    """In a new Python process: a fork could use memory that was freed here, and not grow."""
    assert asking(59, 60, 20).communicate()[0] == "cadical used more than 20 MiB\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems leave it alive until its time is over")
def test_a_solver_ends_with_its_parent() -> None:
    parent = asking(11, 600, 1000)
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    until(lambda: bool(children.read_text().split()))
    (solver,) = children.read_text().split()
    time.sleep(1)
    parent.kill()
    parent.communicate()
    until(lambda: not Path(f"/proc/{solver}").exists())


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


NAMES = "abcd"


def formulas() -> st.SearchStrategy[FNode]:
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
    for values in product([False, True], repeat=len(NAMES)):
        yield dict(zip(map(Symbol, NAMES), values, strict=True))


@unhurried
@given(st.lists(formulas(), max_size=3))
def test_an_assignment_satisfies_the_clauses_where_it_satisfies_the_formulas(conjuncts: list[FNode]) -> None:
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
    with pytest.raises(NotBooleanError):
        to_cnf([LT(FreshSymbol(INT), Int(1))])
