"""The paper's pseudocode as an implementation: `diff` finds the ledger's counterexamples."""

import pytest

from sealcheck.differential.implementation import Called
from sealcheck.differential.searching import Comparison, Plan, search
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.appendix import (
    closed_channels,
    deadlock_free,
    is_seal,
    program_graph,
    seal,
    sig,
    signature_compose,
)
from sealcheck.theorems.checking.check import check_instances


def one(made):
    return lambda instance: next((str(program) for program in sorted(made(instance))), None)


def composing(compose):
    return lambda instance: signature_compose.answer_of(compose, instance)


def shortest_or_mended(instance):
    return seal.printed(instance) or seal.mended(instance)


ROWS = {
    program_graph: (program_graph.printed, program_graph.repaired),
    deadlock_free: (deadlock_free.printed, deadlock_free.as_printed_throughout, deadlock_free.repaired),
    sig: (sig.on_mended, sig.as_printed_throughout, sig.on_mended),
    is_seal: (is_seal.printed, is_seal.with_line_1_mended, is_seal.printed, is_seal.repaired),
    closed_channels: (
        closed_channels.on_mended,
        closed_channels.as_printed_throughout,
        closed_channels.on_mended,
    ),
    signature_compose: tuple(
        composing(each)
        for each in (signature_compose.signature_compose, signature_compose.signature_compose_repaired)
    ),
    seal: tuple(one(made) for made in (seal.printed, seal.as_printed_throughout, shortest_or_mended)),
}
"""For each claim of a row, the answer of the procedure."""
LEVELS = [*((n, m) for n in (1, 2) for m in range(4)), (3, 0), (3, 1), (3, 2)]


def named(row) -> str:
    return str(row.STATEMENT.id)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_what_is_found_is_what_the_ledger_has(row) -> None:
    tallies = [check_instances(row.STATEMENT, *level, solvers=()) for level in LEVELS]
    assert len(ROWS[row]) == len(row.STATEMENT.claims)
    asked = seal.SEAL if row is seal else row.ASKED
    for claim, answer in enumerate(ROWS[row]):

        def function(*programs, answer=answer):
            found = answer(Instance.of(*(parse_straight_line(str(p), p.n) for p in programs)))
            return found if isinstance(found, str) else asked.answer.to_json(found)

        found = search(Comparison(asked, Called(function)), Plan([], LEVELS)).finding
        refuting = next((t[claim].refuting for t in tallies if t[claim].refuting is not None), None)
        assert (found and found.instance.size[:2]) == (refuting and refuting.size[:2])
