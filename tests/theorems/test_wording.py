"""Claims and theorems tell if their words are not the paper's, and which intervals they are about."""

import pytest

from sealcheck.evidence.coq import named
from sealcheck.theorems.checking.record import PAGE
from sealcheck.theorems.registry import STATEMENTS


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("definitions-agree-seals", "(ours)"),
        ("definitions-agree-channels", "(ours)"),
        ("definitions-agree-balanced", "(ours)"),
        ("figure-X", "(ours)"),
        ("diverging-seals", "Reading: the loop occurs"),
        ("seal-construction-open-channels", "without self-channels"),
        ("figure-O-n", "n - 1 messages close (n - 1)^2 open channels"),
        ("tcc-basic", "in any set of runs"),
    ],
)
def test_the_first_claim_says_so(name: str, says: str) -> None:
    assert says in STATEMENTS[name].claims[0].text


WITHOUT = {
    "interleaving_of_run",
    "interleaving_exists",
    "sigvt",
    "sigvtack",
    "signature_size_as_printed_fails",
    "signature_edges_as_printed_fails",
    "signature_nodes",
    "signature_nodes_and_edges",
    "signature_edges_for_deciding",
    "compose_cost_as_printed_fails",
    "compose_for_deciding_cost_as_printed_fails",
    "signature_cost",
    "compose_cost",
    "compose_by_sets_cost",
    "decide_cost_as_printed_fails",
    "decide_cost",
    "program_graph_as_printed",
    "program_graph_mended",
    "deadlock_free_mended",
    "deadlock_free_as_printed",
    "deadlock_free_printed_graph",
    "sig_mended",
    "sig_printed_graph",
    "signature_compose_as_printed",
    "signature_compose_repaired",
}
"""Theorems about graphs, signatures and runs, without occurrence."""


def test_every_theorem_about_occurrence_names_its_intervals() -> None:
    of_paper = [theorem for theorem in named() if theorem.page == PAGE]
    assert {theorem.name for theorem in of_paper if "interval" not in theorem.of} == WITHOUT
