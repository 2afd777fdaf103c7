"""Statements of one's own: ``sealcheck audit examples/my_statements.py``.

A conjecture predicts the answers to a question (``sealcheck questions`` lists them).  It returns None for
programs about which it says nothing.
"""

from sealcheck import Program, conjecture


@conjecture("what sends back on every channel that P sends on, seals P", against="is-seal")
def answers_seal(p: Program, q: Program) -> bool | None:
    """False: Q may interfere before it answers."""
    answered = {(j, i) for i, j in q.channels}
    return True if p.channels and p.channels <= answered else None


@conjecture("what uses no two channels in opposite directions can be sealed", against="sealable")
def one_way_can_be_sealed(p: Program) -> bool | None:
    """As far as it was checked."""
    return True if not any((j, i) in p.channels for i, j in p.channels) else None
