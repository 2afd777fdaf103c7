"""The solvers, and the abilities of each; `solving` starts them.

No other module names a solver.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownSolver:
    """A solver."""

    name: str
    distribution: str
    """The Python package that brings it."""
    counts: bool
    """Whether it knows integers, and so clocks and data."""
    proves: bool
    """Whether the kernel has accepted a proof of each of its negative answers."""


KNOWN = (
    KnownSolver("z3", "z3-solver", counts=True, proves=False),
    KnownSolver("cvc5", "cvc5", counts=True, proves=False),
    KnownSolver("cadical", "python-sat", counts=False, proves=True),
)
SOLVERS = tuple(known.name for known in KNOWN)
SMT_SOLVERS = tuple(known.name for known in KNOWN if known.counts)
"""The fast way to ask about one small program."""
PROVING = tuple(known.name for known in KNOWN if known.proves)
FORMULAS = "pysmt"
"""The distribution in which formulas are written for all of them."""
DISTRIBUTIONS = tuple(sorted([FORMULAS, *(known.distribution for known in KNOWN)]))
"""The distributions whose versions a verdict may depend on."""
