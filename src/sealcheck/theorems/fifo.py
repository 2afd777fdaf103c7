"""FIFO channels, as constraints on the runs of a given program: the model RelFi of section 2.2.

The paper does not say what FIFO means for a message that is never received.  Reading: the k'th
receive on a channel takes the k'th message, so no message is skipped; a channel that only keeps
messages from overtaking each other is weaker.  What was sent before a silent cut is out of the
way: it was received before the cut, or else it would be the first to be received after it.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or

from sealcheck.encodings.given import GivenRun


def oldest_first(given: GivenRun) -> FNode:
    """A message is received only after the one that was sent before it on the same channel."""
    matched = given.run.matched
    return And(
        Implies(matched(receive, second), Or(matched(sooner, first) for sooner in receives[:at]))
        for receives, sends in _channels(given)
        for first, second in pairwise(sends)
        for at, receive in enumerate(receives)
    )


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
