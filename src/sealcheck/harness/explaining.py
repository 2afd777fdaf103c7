"""Runs of the whole language in words, for people who follow a counterexample by hand."""

from collections.abc import Iterable, Iterator

from sealcheck.language.printer import show
from sealcheck.oracles.interference import Owner, Step
from sealcheck.programs.global_runs import GlobalRun, Interval
from sealcheck.programs.notions import Refinement
from sealcheck.programs.runs import Place


def in_words(sides: Refinement) -> str:
    """The refinement as a sentence."""
    left, right = map(show, sides)
    return f"{left}  refines  {right}"


def as_lines(found: Interval) -> str:
    """The events of a run in an order in which they can happen, one to a line.

    >>> from sealcheck.oracles.executions import find_counterexample
    >>> from sealcheck.programs.notions import tcc
    >>> from sealcheck.programs.syntax import mt
    >>> print(as_lines(find_counterexample(*tcc(mt(1, 2)), 2)))
    inside: event 1 of 1, snd 1->2
    after:  event 2 of 1, snd 1->2
    inside: event 1 of 2, rcv 2<-1 takes event 2 of 1
    """
    return "\n".join(_lines(found.run, found))


def _lines(run: GlobalRun, found: Interval) -> Iterator[str]:
    for place in run.interleaving():
        of, at = place.process, place.position
        when = "before:" if at <= found.c[of - 1] else "inside:" if at <= found.d[of - 1] else "after: "
        event = run.at(place).event
        state = run.states[of - 1][at]
        values = "".join(f", {of}.{name} = {value}" for name, value in sorted(state.items()))
        yield f"{when} event {at} of {of}, {event or 'internal'}{_taken(run, place)}{values}"


def _taken(run: GlobalRun, place: Place) -> str:
    if place not in run.matching:
        return ""
    source = run.matching[place]
    return f" takes event {source.position} of {source.process}"


_OWNERS = {Owner.P: "inside", Owner.Q: "seal", Owner.LATER: "later"}


def as_steps(found: Iterable[Step]) -> list[str]:
    """An execution in which a message crosses the end of P, though S comes next, one event to a line.

    "inside" is what is to be sealed, "seal" what is to seal it.

    >>> from sealcheck.oracles.interference import find_interference
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> print(*as_steps(find_interference(once, once))[:3], sep=", ")
    inside: snd 1->2, seal: snd 1->2, inside: rcv 2<-1 takes a message of: seal
    """
    return [f"{_OWNERS[step.owner]}: {step.event}{_owner(step)}" for step in found]


def _owner(step: Step) -> str:
    return "" if step.took is None else f" takes a message of: {_OWNERS[step.took]}"
