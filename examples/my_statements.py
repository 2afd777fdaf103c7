"""Your own statements: ``sealcheck audit examples/my_statements.py``.

A conjecture predicts the answers to a question (``sealcheck diff --list`` lists the questions).  It returns
None if it makes no prediction.
"""

from sealcheck import Program, conjecture


@conjecture("Q seals P if Q sends back on every channel that P uses", against="is-seal")
def answers_seal(p: Program, q: Program) -> bool | None:
    """Refuted: Q may interfere before it answers."""
    answered = {(j, i) for i, j in q.channels}
    return True if p.channels and p.channels <= answered else None


@conjecture("P can be sealed if it uses no two channels in opposite directions", against="sealable")
def one_way_can_be_sealed(p: Program) -> bool | None:
    """Verified up to the bound."""
    return True if not any((j, i) in p.channels for i, j in p.channels) else None
