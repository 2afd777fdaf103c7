"""FIFO channels, as constraints on the matching function: the model RelFi of section 2.2.

The paper does not say what FIFO means for a message that is never received.  Reading: the k'th
receive on a channel takes the k'th message, so no message is skipped; a channel that only keeps
messages from overtaking each other is weaker.  What was sent before a silent cut is out of the
way: it was received before the cut, or else it would be the first to be received after it.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations
from typing import TypeVar, assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Implies, Not, Or

from sealcheck.encodings.given import GivenRun
from sealcheck.programs.semantics import ChannelModel

E = TypeVar("E", bound=Hashable)


def in_order(
    matches: Mapping[tuple[E, E], FNode], sends: Mapping[E, FNode], before: Callable[[E, E], bool]
) -> Iterator[FNode]:
    """On one channel, a message is received only after all that were sent before it.

    `matches` says of each receive and send when the one takes what the other sent, `sends` when a send
    happens at all, and `before` whether one of two sends, or of two receives, comes before the other;
    both do where one may choose.  Source: RelFi, in section 2.2.
    """
    for (receive, send), taken in matches.items():
        for other, happens in sends.items():
            if other != send and not before(send, other):
                sooner = (
                    too
                    for (first, source), too in matches.items()
                    if source == other and first != receive and before(first, receive)
                )
                yield Implies(And(taken, happens), Or(sooner))


def in_model(given: GivenRun, model: ChannelModel) -> list[FNode]:
    """What makes a run of Rel one of this model.  Source: RelFi, in section 2.2.

    >>> from sealcheck.encodings.solving import open_solver, satisfiable
    >>> from sealcheck.encodings.given import given_run
    >>> from sealcheck.encodings.interference import crosses
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> given = given_run([StraightLine.of(2, mt(1, 2))])
    >>> crossed = [*given.axioms, crosses(given)]
    >>> with open_solver("z3") as solver:
    ...     for model in ChannelModel:
    ...         print(model.value, satisfiable(solver, crossed + in_model(given, model)))
    rel True
    rel-fifo False
    """
    match model:
        case ChannelModel.REL:
            return []
        case ChannelModel.REL_FIFO:
            return [oldest_first(given)]
        case other:
            assert_never(other)


def oldest_first(given: GivenRun) -> FNode:
    """The messages of every channel are received in the order in which they were sent; none is skipped.

    Source: RelFi, in section 2.2.
    """
    return And(
        constraint
        for receives, sends in _channels(given)
        for constraint in in_order(
            {(receive, send): given.run.matched(receive, send) for receive in receives for send in sends},
            dict.fromkeys(sends, TRUE()),
            _listed([*sends, *receives]),
        )
    )


def _listed(names: list[str]) -> Callable[[str, str], bool]:
    """The order of a list."""
    number = {name: k for k, name in enumerate(names)}
    return lambda first, second: number[first] < number[second]


def no_overtaking(given: GivenRun) -> FNode:
    """Two messages on one channel are received in the order in which they were sent, if both are."""
    matched = given.run.matched
    return And(
        Not(And(matched(sooner, second), matched(later, first)))
        for receives, sends in _channels(given)
        for first, second in combinations(sends, 2)
        for sooner, later in combinations(receives, 2)
    )


def _channels(given: GivenRun) -> Iterator[tuple[list[str], list[str]]]:
    """The receives and the sends of each channel in their order, without the sends before the cut."""
    parts = given.run.skeleton
    for channel in given.earlier.values():
        of_channel = [name for name in parts.events if given.channel_of(name) == channel]
        yield (
            [name for name in of_channel if name in parts.receives],
            [name for name in of_channel if name in parts.sends and name not in parts.earlier],
        )
