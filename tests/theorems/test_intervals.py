"""Each theorem of the ledger says whether infinite intervals are among those it speaks of."""

from sealcheck.evidence.coq import named

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
"""Of graphs, signatures and runs: no program occurs in them."""


def test_every_theorem_about_occurrence_names_its_intervals() -> None:
    """Finite ones, or infinite ones, too; or those from a finite cut."""
    assert {theorem.name for theorem in named() if "interval" not in theorem.of} == WITHOUT
