"""All statements, in the order in which the audit prints them: that of the paper."""

from sealcheck.errors import InputError
from sealcheck.theorems import (
    balanced_necessary,
    balanced_tcc_rel_fifo,
    closed_channels,
    decide_sealing,
    example_phase,
    fifo_causality,
    figure_signatures,
    figure_three_messages,
    graph_cause,
    graph_cause_largest,
    interleaving_exists,
    seal_construction,
    seal_size,
    sealability,
    signature_costs,
    signature_size,
    tcc_impossibility,
    unsealable_x,
    worst_case_seal,
)
from sealcheck.theorems.pseudocode import closed_channels as closed_channels_algorithm
from sealcheck.theorems.pseudocode import (
    deadlock_free,
    is_seal,
    program_graph,
    seal,
    sig,
    signature_compose,
)
from sealcheck.theorems.statement import Statement

STATEMENTS: dict[str, Statement] = {
    statement.id: statement
    for statement in (
        interleaving_exists.STATEMENT,
        tcc_impossibility.STATEMENT,
        *unsealable_x.STATEMENTS,
        figure_three_messages.STATEMENT,
        balanced_tcc_rel_fifo.STATEMENT,
        balanced_necessary.STATEMENT,
        graph_cause.STATEMENT,
        graph_cause_largest.STATEMENT,
        fifo_causality.STATEMENT,
        closed_channels.STATEMENT,
        figure_signatures.STATEMENT,
        *signature_size.STATEMENTS,
        *signature_costs.STATEMENTS,
        decide_sealing.STATEMENT,
        sealability.STATEMENT,
        *seal_construction.STATEMENTS,
        seal_size.STATEMENT,
        worst_case_seal.STATEMENT,
        *example_phase.STATEMENTS,
        program_graph.STATEMENT,
        deadlock_free.STATEMENT,
        sig.STATEMENT,
        is_seal.STATEMENT,
        closed_channels_algorithm.STATEMENT,
        signature_compose.STATEMENT,
        seal.STATEMENT,
    )
}


def statement(id: str) -> Statement:
    """The statement with this id.  Raises InputError, listing the ids, where there is none.

    >>> statement("graph-cause").label
    'GraphCause'
    """
    if id not in STATEMENTS:
        raise InputError(f"unknown statement '{id}': choose among {', '.join(STATEMENTS)}")
    return STATEMENTS[id]
