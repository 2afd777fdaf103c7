"""A fault in the proofs' sources: a change after which they must not build any more."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """In `file`, `old`, which stands there once, becomes `new`; `why` says what would be wrong with that.

    Where the change is in the statement of a theorem, `false` can be a proof in Coq that it does not hold
    then: `H` is the statement.
    """

    file: str
    old: str
    new: str
    why: str
    false: str = ""
