"""The solvers that sealcheck can use, and the abilities of each. The module `solving` starts solvers.

No other module names a solver.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownSolver:
    """A solver."""

    name: str
    distribution: str
    """The Python package that contains the solver."""
    counts: bool
    """Whether the solver handles integers, which times of events and message contents need."""
    proves: bool
    """Whether the solver answers "no model" only with a proof that sealcheck's kernel has accepted."""


KNOWN = (
    KnownSolver("z3", "z3-solver", counts=True, proves=False),
    KnownSolver("cvc5", "cvc5", counts=True, proves=False),
    KnownSolver("cadical", "python-sat", counts=False, proves=True),
)
SOLVERS = tuple(known.name for known in KNOWN)
SMT_SOLVERS = tuple(known.name for known in KNOWN if known.counts)
"""The solvers that are fast for a question about one small program."""
PROVING = tuple(known.name for known in KNOWN if known.proves)
FORMULAS = "pysmt"
"""The distribution that builds formulas for all solvers."""
DISTRIBUTIONS = tuple(sorted([FORMULAS, *(known.distribution for known in KNOWN)]))
"""The distributions whose versions a verdict may depend on."""
