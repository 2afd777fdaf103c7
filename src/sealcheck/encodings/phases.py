"""Layers in sequence as formulas: a run in which some receive takes a message of another layer."""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or

from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.programs.events import Channel
from sealcheck.programs.phases import Rounds


def crossed(given: GivenRun, *, is_open: bool) -> FNode:
    """A message is of one layer and taken in another.

    Where anything may follow, also that nobody takes it, since a later program may.
    Source: CCLs, in section 3.
    """
    taken = [
        given.run.matched(c.first, c.second)
        for c in given.run.skeleton.candidates
        if given.layer_of(c.first) != given.layer_of(c.second)
    ]
    left = [
        Not(Or(given.run.takers(name))) for name, event in given.events.items() if is_open and event.is_send
    ]
    return Or(*taken, *left)


def first_crossed(given: GivenRun, channel: Channel, *, is_open: bool) -> FNode:
    """A message on the channel is taken in another layer, and none on another channel was taken so before.

    Where anything may follow, also that it is there when its receiver has done all its events.
    """
    wrong = [c for c in given.run.skeleton.candidates if given.layer_of(c.first) != given.layer_of(c.second)]

    def without(*events: str) -> FNode:
        """That what goes wrong elsewhere comes after these."""
        return And(
            Implies(given.run.matched(c.first, c.second), given.order.before(event, c.first))
            for c in wrong
            if given.channel_of(c.first) != channel
            for event in events
        )

    taken = [
        And(given.run.matched(c.first, c.second), without(c.first))
        for c in wrong
        if given.channel_of(c.first) == channel
    ]
    left = [
        And(Not(Or(given.run.takers(name))), without(name, *given.shares[channel.receiver - 1][-1:]))
        for name, event in given.events.items()
        if is_open and event.is_send and event.channel == channel
    ]
    return Or(*taken, *left)


def root_causes(rounds: Rounds, solver: Solver) -> frozenset[Channel]:
    """The channels on which, as the solver sees it, a message is the first to get from one layer into
    another.

    Raises LimitReached where the solver gives up.  One question for each channel.
    Source: CCLs, in section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> with open_solver("z3") as solver:
    ...     [str(channel) for channel in root_causes(Phases((once, once)).rounds(1), solver)]
    ['1->2']
    """
    given, is_open = _given(rounds, solver), rounds.phases.open
    used = {event.channel for event in given.events.values()}
    wrong = {channel: first_crossed(given, channel, is_open=is_open) for channel in used}
    return frozenset(
        channel for channel, first in wrong.items() if satisfiable(solver, [*given.axioms, first])
    )


def is_crossed(rounds: Rounds, solver: Solver) -> bool:
    """Whether, as the solver sees it, a message gets from one layer into another.  One question.

    Source: CCLs, in section 3.
    """
    given = _given(rounds, solver)
    return satisfiable(solver, [*given.axioms, crossed(given, is_open=rounds.phases.open)])


def _given(rounds: Rounds, solver: Solver) -> GivenRun:
    """One later send on each channel is enough, since what can happen of the layers goes on to their end."""
    return given_run(rounds.layers, solver.order, later_sends=int(rounds.phases.open))
