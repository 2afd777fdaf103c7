"""All statements, in the order in which the audit prints them: that of the paper."""

from sealcheck.errors import InputError
from sealcheck.theorems import (
    balanced_necessary,
    balanced_necessary_whole_language,
    balanced_tcc_rel_fifo,
    closed_channels,
    decide_sealing,
    definitions_agree,
    diverging_seals,
    example_phase,
    fifo_causality,
    figure_signatures,
    figure_three_messages,
    graph_cause,
    graph_cause_largest,
    interleaving_exists,
    layers_are_ccl,
    mt_seals,
    mt_tcc_rel_fifo,
    no_barrier,
    no_barrier_whole_language,
    refinement_order,
    seal_algebra,
    seal_algebra_choice,
    seal_algebra_straight,
    seal_algebra_tcc,
    seal_construction,
    seal_size,
    sealability,
    sealability_undecidable,
    signature_costs,
    signature_size,
    tcc_impossibility,
    tcc_impossibility_whole_language,
    tcc_programs,
    unsealable_x,
    while_exchange,
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


def seal_algebra_rows() -> list[Statement]:
    """The items of `l:seal.algebra`, in their order, about straight-line programs first."""
    items = (
        *seal_algebra.STATEMENTS,
        seal_algebra_choice.STATEMENT,
        *seal_algebra_straight.STATEMENTS,
        seal_algebra_tcc.STATEMENT,
    )
    return sorted(items, key=lambda item: item.id)


STATEMENTS: dict[str, Statement] = {
    statement.id: statement
    for statement in (
        interleaving_exists.STATEMENT,
        *refinement_order.STATEMENTS,
        *definitions_agree.STATEMENTS,
        *tcc_programs.STATEMENTS,
        *seal_algebra_rows(),
        *layers_are_ccl.STATEMENTS,
        *mt_seals.STATEMENTS,
        mt_tcc_rel_fifo.STATEMENT,
        diverging_seals.STATEMENT,
        tcc_impossibility.STATEMENT,
        tcc_impossibility_whole_language.STATEMENT,
        no_barrier.STATEMENT,
        no_barrier_whole_language.STATEMENT,
        *unsealable_x.STATEMENTS,
        figure_three_messages.STATEMENT,
        sealability_undecidable.STATEMENT,
        balanced_tcc_rel_fifo.STATEMENT,
        balanced_necessary.STATEMENT,
        balanced_necessary_whole_language.STATEMENT,
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
        while_exchange.STATEMENT,
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
