"""Checking obligations: that they hold, that they say something, that each hypothesis is needed."""

from collections.abc import Iterator
from dataclasses import dataclass

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Status, fresh_formulas
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.every_n.finite import FiniteModel
from sealcheck.every_n.obligation import FirstOrder, Obligation
from sealcheck.every_n.showing import shown
from sealcheck.every_n.solvers import finite_model, status


@dataclass(frozen=True)
class CounterModel:
    """What fits all but one of the hypotheses, and not the conclusion."""

    without: str
    """The hypothesis."""
    size: int
    """How many events, or processes, or places there are."""
    shown: tuple[str, ...]


@dataclass(frozen=True)
class CheckedStep:
    """What was found about one obligation."""

    text: str
    unknown: tuple[str, ...] = ()
    """What a solver gave up on; nothing if the obligation holds."""
    counter_models: tuple[CounterModel, ...] = ()


def check(first_order: FirstOrder) -> tuple[CheckedStep, ...]:
    """Check every obligation of a theorem.

    Raises Disagreement where one fails, says nothing, or has a hypothesis that is not needed.

    >>> from sealcheck.every_n.graph_cause_largest import FIRST_ORDER
    >>> [checked.unknown for checked in check(FIRST_ORDER)]
    [(), (), (), ()]
    """
    with fresh_formulas():
        return tuple(map(_checked, first_order.obligations()))


def _checked(about: Obligation) -> CheckedStep:
    unknown = []
    for solver in SMT_SOLVERS:
        match status(solver, about.negation):
            case Status.SAT:
                raise Disagreement(f"{solver} has a model of the negation of '{about.text}'")
            case Status.UNKNOWN:
                unknown.append(f"{solver} on '{about.text}'")
            case Status.UNSAT:
                pass
    try:
        if finite_model(about.taken_for_granted) is None:
            raise Disagreement(f"no model meets the hypotheses of '{about.text}'")
        return CheckedStep(about.text, tuple(unknown), tuple(_counter_models(about)))
    except LimitReached as limit:
        return CheckedStep(about.text, (*unknown, f"{limit}, for '{about.text}'"))


def _counter_models(about: Obligation) -> Iterator[CounterModel]:
    for number, fact in enumerate(about.needed):
        model: FiniteModel | None = finite_model(about.without(number))
        if model is None:
            raise Disagreement(f"'{about.text}' does not need that {fact.text}")
        yield CounterModel(fact.text, model.size, shown(model))
