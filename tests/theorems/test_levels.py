"""Whole levels at once: what each claim's queries say of small levels, and that none is missing."""

import pytest

from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.formulas import Gates, made_of
from sealcheck.encodings.solving import fresh_formulas
from sealcheck.theorems.checking.check import check_level
from sealcheck.theorems.checking.statement import Statement
from sealcheck.theorems.registry import STATEMENTS

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
    """No claim has a counterexample with n = 3 and up to 3 messages, says each solver."""
    for messages in range(4):
        tally = check_level(about, claim, 3, messages, solver=solver)
        assert (tally.refuting, tally.disputed, tally.unknown) == (None, None, 0)


@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_formulas_of_pysmt_and_gates_become_the_same_clauses(about: Statement, claim: int) -> None:
    """A query is written once, and means the same whichever way it is made."""
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
"""For every statement with queries, how many there are for 0, 1, 2 and 3 messages."""


@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_no_query_is_missing(about: Statement, claim: int) -> None:
    """Every level asks each direction and each way to share the messages."""
    queries = about.claims[claim].whole_space
    assert queries is not None
    for messages, expected in enumerate(PER_LEVEL[about.id]):
        with fresh_formulas():
            names = [query.name for query in queries(3, messages)]
        assert len(set(names)) == len(names) == expected


def test_no_statement_has_lost_its_queries() -> None:
    """The statements above are those that have queries."""
    assert {about.id for about, _ in CLAIMS} == set(PER_LEVEL)
