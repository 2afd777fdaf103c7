"""The hypotheses of a theorem, read off what Coq prints of it."""

import re
from collections.abc import Iterator


def premises(statement: str) -> list[str]:
    """What a statement asks for before its conclusion, in order, without the names of modules.

    >>> premises("T.t\\n : forall (P : A.prog) (p : list A.act),\\n A.acts P = Some p -> (B p -> C) -> D P")
    ['acts P = Some p', 'B p -> C']
    """
    text = " ".join(re.sub(r"\b[A-Z]\w*\.(?=\w)", "", statement.partition(":")[2]).split())
    return list(_premises(text))


def _premises(text: str) -> Iterator[str]:
    """Of `forall x, A -> forall y, B -> C`: A, and then B."""
    while True:
        if text.startswith("forall "):
            text = text[_outside(text, ", ") + 2 :]
        arrow = _outside(text, " -> ")
        if arrow < 0:
            return
        premise = text[:arrow]
        yield premise[1:-1] if _outside(premise[1:], ")") == len(premise) - 2 else premise
        text = text[arrow + 4 :]


def _outside(text: str, wanted: str) -> int:
    """Where a string begins outside of all parentheses, or -1."""
    depth = 0
    for place, character in enumerate(text):
        if depth == 0 and text.startswith(wanted, place):
            return place
        depth += {"(": 1, ")": -1}.get(character, 0)
    return -1
