"""CaDiCaL, kept for clauses that become more: models, and no proofs."""

from typing import Self

from sealcheck.encodings.clauses import Clauses


class Growing:
    """A solver that is asked again each time clauses have been added; a context manager.

    >>> clauses = [[1, 2]]
    >>> with Growing() as solver:
    ...     first = solver.model(clauses)
    ...     clauses += [[-1], [-2]]
    ...     first is not None, solver.model(clauses)
    (True, None)
    """

    def __init__(self) -> None:
        from pysat.solvers import Cadical195  # here only, so that proofs are verified without any solver

        self._solver, self._known = Cadical195(), 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def model(self, clauses: Clauses) -> frozenset[int] | None:
        """The variables that are true in a model of the clauses, if there is one; all clauses are kept."""
        for clause in clauses[self._known :]:
            self._solver.add_clause(clause)
        self._known = len(clauses)
        if not self._solver.solve():
            return None
        return frozenset(literal for literal in self._solver.get_model() if literal > 0)
