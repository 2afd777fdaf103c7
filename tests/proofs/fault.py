"""A fault in the proofs' sources: a change after which they must not build any more."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """In `file`, `old`, which stands there once, becomes `new`; `why` says what would be wrong with that."""

    file: str
    old: str
    new: str
    why: str
