"""A theorem for every number of processes and every length, in a file of the Coq development."""

from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "proofs"
"""The Coq development; `proofs` at the top of the repository is a link to it."""

LIBRARY = "Sealcheck"
"""What the development calls itself."""

ALLOWED_AXIOMS = ("Classical_Prop.classic",)
"""What theorems may rest on beside Coq's logic: the excluded middle."""


@dataclass(frozen=True)
class Theorem:
    """A theorem of the Coq development: what it is called, and what it speaks of."""

    file: str
    name: str
    of: str
    """The class that it is proved for, in words."""

    @property
    def module(self) -> str:
        """The Coq module that has it."""
        return self.file.removesuffix(".v")
