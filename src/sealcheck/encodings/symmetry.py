"""What may be assumed of a run, because where there is a run of interest there is one like that."""

from collections.abc import Iterator
from itertools import combinations, pairwise, product

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not

from sealcheck.encodings.program_space import same_channel
from sealcheck.encodings.space_runs import SpaceRun


def in_order_of_sending(space: SpaceRun) -> FNode:
    """On each channel, the receives of a layer take messages in the order in which these were sent.

    Let receive a come before receive b, both of one layer and on one channel, and let b take a message that
    was sent before the one that a takes.  Swap the two.  The send of b's message came before that of a's,
    which came before a, which comes before b: so both new message edges join events of which the first
    happened before the second already.  Hence what happens before what in the new run did so in the old one.
    Pairs that were not causal still are not, nothing has become cyclic, and a set that was closed under
    causes still is.  Channels, which sends are taken, and by how many receives of the layer, are as before;
    with that, all axioms are met that were.  And each swap leaves fewer pairs of receives crossed, so that
    in the end there are none.

    So nothing is lost where a run is wanted in which events are not causal, or in which a layer takes
    messages that are not its own.  Between layers the same would hide something: if a receive of P takes a
    message of Q, and one of Q the message of P, then a swap leaves two layers that do not interfere.

    Outside sends come before all events of their process, or after all; among each other they have no order.
    Where messages are numbered by channel, a receive is compared with the next one only: if all receives take
    something, that is enough.
    """
    return And(
        Not(And(same_channel(layer, a, layer, b), taken_first, taken_next))
        for layer in space.layers
        for a, b in (pairwise(layer.messages) if layer.by_channel else combinations(layer.messages, 2))
        for taken_first, taken_next in _crossed(space, layer.receives[a], layer.receives[b])
    )


def _crossed(space: SpaceRun, first: str, second: str) -> Iterator[tuple[FNode, FNode]]:
    """What two receives may take so that, on one channel, the first takes what was sent later."""
    sends = [[outside.name for outside in space.earlier]]
    sends += [[send] for layer in space.layers for send in layer.sends]
    sends += [[outside.name for outside in space.later]]
    for sooner, later in combinations(sends, 2):
        for x, y in product(later, sooner):
            yield space.run.matched(first, x), space.run.matched(second, y)
