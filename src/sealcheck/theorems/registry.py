"""All statements, in the order of the paper."""

from collections.abc import Iterable

from sealcheck.errors import InputError
from sealcheck.theorems import own
from sealcheck.theorems.appendix import closed_channels as closed_channels_algorithm
from sealcheck.theorems.appendix import deadlock_free, is_seal, program_graph, seal, sig, signature_compose
from sealcheck.theorems.checking.statement import Statement
from sealcheck.theorems.section2 import all_intervals, interleaving_exists, n_processes, refinement_order
from sealcheck.theorems.section3 import (
    definitions_agree,
    diverging_seals,
    layers_are_ccl,
    mt_seals,
    seal_algebra,
    seal_algebra_straight,
    tcc_programs,
)
from sealcheck.theorems.section4 import (
    balanced_necessary,
    balanced_necessary_whole_language,
    balanced_tcc_rel_fifo,
    closed_channels,
    decide_sealing,
    figures,
    graph_cause,
    mt_tcc_rel_fifo,
    no_barrier,
    no_barrier_whole_language,
    seal_size,
    sealability,
    sealability_undecidable,
    signature_size,
    tcc_impossibility,
    unsealable_x,
)
from sealcheck.theorems.section5 import while_exchange
from sealcheck.words import or_choose

STATEMENTS: dict[str, Statement] = {
    statement.id: statement
    for statement in (
        n_processes.STATEMENT,
        interleaving_exists.STATEMENT,
        all_intervals.STATEMENT,
        *refinement_order.STATEMENTS,
        *definitions_agree.STATEMENTS,
        *tcc_programs.STATEMENTS,
        seal_algebra.ITEM_1,
        seal_algebra.ITEM_2,
        seal_algebra_straight.ITEM_3,
        seal_algebra.ITEM_3,
        seal_algebra_straight.ITEM_4,
        seal_algebra.ITEM_4,
        seal_algebra.ITEM_5,
        seal_algebra_straight.ITEM_6,
        seal_algebra.ITEM_6,
        *layers_are_ccl.STATEMENTS,
        *mt_seals.STATEMENTS,
        diverging_seals.STATEMENT,
        mt_tcc_rel_fifo.STATEMENT,
        tcc_impossibility.STATEMENT,
        tcc_impossibility.WHOLE_LANGUAGE,
        no_barrier.STATEMENT,
        no_barrier_whole_language.STATEMENT,
        *unsealable_x.STATEMENTS,
        figures.THREE_MESSAGES,
        sealability_undecidable.STATEMENT,
        balanced_tcc_rel_fifo.STATEMENT,
        balanced_necessary.STATEMENT,
        balanced_necessary_whole_language.STATEMENT,
        *graph_cause.STATEMENTS,
        *closed_channels.STATEMENTS,
        figures.SIGNATURES,
        *signature_size.STATEMENTS,
        decide_sealing.STATEMENT,
        sealability.STATEMENT,
        *seal_size.STATEMENTS,
        *figures.EXAMPLE_PHASE,
        while_exchange.STATEMENT,
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
    """The statement with this id, which may name a statement in a file (`theorems.own`).

    Raises InputError, listing the ids, if there is none.

    >>> statement("graph-cause").label
    'GraphCause'
    """
    among = own.statements(own.file_of(id)) if own.is_own(id) else STATEMENTS
    if id not in among:
        raise _unknown(id, among)
    return among[id]


def _unknown(id: str, among: Iterable[str]) -> InputError:
    return InputError(f"unknown statement '{id}': {or_choose(id, among)}")


def named(id: str) -> list[str]:
    """The ids of the statements with this id, in this file, or with this label of the paper.

    Raises InputError, listing the ids or the labels, if there are none.

    >>> named("GraphCause"), named("th:decide.sealing"), named("Is-Seal"), named("l:seal.algebra, 2")
    (['graph-cause'], ['decide-sealing'], ['is-seal'], ['seal-algebra-2'])
    >>> named("sealabilty")
    Traceback (most recent call last):
    sealcheck.errors.InputError: unknown statement 'sealabilty': did you mean 'sealability'?
    >>> named("th:sealabilty")
    Traceback (most recent call last):
    sealcheck.errors.InputError: unknown statement 'th:sealabilty': did you mean 'th:sealability'?
    """
    if own.is_own(id):
        return [statement(id).id] if own.SEPARATOR in id else list(own.statements(id))
    if id in STATEMENTS:
        return [id]
    if found := [about.id for about in STATEMENTS.values() if id in labels(about)]:
        return found
    if id.islower() and ":" not in id:
        raise _unknown(id, STATEMENTS)
    short = (label for about in STATEMENTS.values() for label in labels(about) if " " not in label)
    raise _unknown(id, dict.fromkeys(short))


def labels(about: Statement) -> list[str]:
    """The paper's labels of the statement, and of the whole if the statement is a part.

    >>> labels(STATEMENTS["seal-algebra-2"])
    ['l:seal.algebra, 2', 'l:seal.algebra']
    """
    parts = (part for part in about.label.split(", ") if " " not in part and not part.isdigit())
    return list(dict.fromkeys((about.label, *parts)))
