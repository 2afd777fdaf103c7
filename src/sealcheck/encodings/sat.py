"""CaDiCaL through clauses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Self

from pysmt.fnode import FNode

from sealcheck.encodings.cnf import NotBooleanError, to_cnf
from sealcheck.encodings.order import Clock, Interleaving
from sealcheck.encodings.proofs import Model, Proof, Refute, refutation
from sealcheck.encodings.solving import Answer, Solver, Status, answer_of, no_model
from sealcheck.errors import LimitReached

CADICAL = "cadical"
CONFLICTS_PER_SECOND = 10_000
"""CaDiCaL can't be stopped by the clock, so its time limit is turned into conflicts."""


class SatSolver:
    """Asked by `refute`, anew for each question; one that is not about Booleans alone is `UNKNOWN` to it.

    Where it says that there is no model, the kernel has accepted a proof.
    """

    order: type[Clock] | type[Interleaving] = Interleaving

    def __init__(self, name: str, refute: Refute) -> None:
        self.name = name
        self._refute = refute
        self._assumed: list[FNode] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @contextmanager
    def assuming(self, formulas: list[FNode]) -> Iterator[None]:
        """Take `formulas` for granted in every question that is asked inside."""
        self._assumed += formulas
        try:
            yield
        finally:
            del self._assumed[len(self._assumed) - len(formulas) :]

    def ask(self, formulas: list[FNode], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`; it comes for free."""
        try:
            cnf = to_cnf(self._assumed + formulas)
            found = self._refute(cnf.clauses)
        except (LimitReached, NotBooleanError):
            return Answer(Status.UNKNOWN, no_model)
        match found:
            case Model(true):
                return answer_of(cnf, true)
            case Proof():
                return Answer(Status.UNSAT, no_model)


def _cadical(seconds: float | None) -> SatSolver:
    conflicts = None if seconds is None else int(seconds * CONFLICTS_PER_SECOND)
    return SatSolver(CADICAL, partial(refutation, conflicts=conflicts))


SAT: dict[str, Callable[[float | None], Solver]] = {CADICAL: _cadical}
"""How each is opened, with its limit in seconds."""
