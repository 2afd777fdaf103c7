"""Layers in sequence as formulas: a run in which some receive takes a message of another layer."""

from collections.abc import Iterable

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.programs.events import Channel
from sealcheck.programs.phases import Rounds


def crossed(given: GivenRun, channels: Iterable[Channel], *, is_open: bool) -> FNode:
    """A message on one of the channels is of one layer and taken in another.

    Where anything may follow, also that nobody takes it, since a later program may.
    Source: CCLs, in section 3.
    """
    among = set(channels)
    taken = [
        given.run.matched(c.first, c.second)
        for c in given.run.skeleton.candidates
        if given.layer_of(c.first) != given.layer_of(c.second) and given.channel_of(c.first) in among
    ]
    left = [
        Not(Or(given.run.takers(name)))
        for name, event in given.events.items()
        if is_open and event.is_send and event.channel in among
    ]
    return Or(*taken, *left)


def crossed_channels(rounds: Rounds, solver: Solver) -> frozenset[Channel]:
    """The channels on which, as the solver sees it, a message gets from one layer into another.

    Raises LimitReached where the solver gives up.  One question for each channel.
    Source: CCLs, in section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> with open_solver("z3") as solver:
    ...     [str(channel) for channel in crossed_channels(Phases((once, once)).rounds(1), solver)]
    ['1->2']
    """
    given = _given(rounds, solver)
    used = {event.channel for event in given.events.values()}
    return frozenset(channel for channel in used if _is_crossed(given, [channel], rounds, solver))


def is_crossed(rounds: Rounds, solver: Solver) -> bool:
    """Whether, as the solver sees it, a message gets from one layer into another.  One question.

    Source: CCLs, in section 3.
    """
    given = _given(rounds, solver)
    return _is_crossed(given, {event.channel for event in given.events.values()}, rounds, solver)


def _is_crossed(given: GivenRun, channels: Iterable[Channel], rounds: Rounds, solver: Solver) -> bool:
    wrong = crossed(given, channels, is_open=rounds.phases.open)
    return satisfiable(solver, [*given.axioms, wrong])


def _given(rounds: Rounds, solver: Solver) -> GivenRun:
    """One later send on each channel is enough, since what can happen of the layers goes on to their end."""
    return given_run(rounds.layers, solver.order, later_sends=int(rounds.phases.open))
