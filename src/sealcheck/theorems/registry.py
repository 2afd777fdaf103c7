"""All statements, in the order in which the audit prints them: that of the paper."""

from sealcheck.errors import InputError
from sealcheck.theorems import decide_sealing, graph_cause, sealability, tcc_impossibility
from sealcheck.theorems.statement import Statement

STATEMENTS: dict[str, Statement] = {
    statement.id: statement
    for statement in (
        tcc_impossibility.STATEMENT,
        graph_cause.STATEMENT,
        decide_sealing.STATEMENT,
        sealability.STATEMENT,
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
