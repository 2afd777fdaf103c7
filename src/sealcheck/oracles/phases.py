"""Layers in sequence, played: on which channels does a message get from one layer into another?

It does exactly if it crosses the end of the first k layers, for some k.
"""

from sealcheck.oracles.environment import following
from sealcheck.oracles.explorer import crossed_channels
from sealcheck.oracles.matching_functions import matchings
from sealcheck.programs.events import Channel
from sealcheck.programs.phases import Rounds, layered


def crossed_by_exploring(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which a message crosses the end of the first k layers, for each k, in some execution.

    What follows the last layer is played where anything may follow: `moves.environment`.  Exponential.
    Source: CCLs, in section 3.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> for layers in ((there, there), (there, back)):
    ...     print([str(channel) for channel in crossed_by_exploring(Phases(layers).rounds(1))])
    ['1->2']
    []
    """
    layers, n, is_open = rounds.layers, rounds.phases.n, rounds.phases.open
    found: set[Channel] = set()
    for k in range(1, len(layers) + is_open):
        before, after = layered(n, layers[:k]), layered(n, layers[k:])
        found |= crossed_channels(before, after, later_sends=int(is_open), later_receives=int(is_open))
    return frozenset(found)


def crossed_by_matching(rounds: Rounds) -> frozenset[Channel]:
    """The channels on which some matching function takes a message from one layer to another.

    Where anything may follow, `environment.following` does.  Exponential.  Source: CCLs, in section 3.
    """
    program = rounds.program.then(following(rounds.program)) if rounds.phases.open else rounds.program
    return frozenset(
        Channel(send.process, receive.process)
        for matching in matchings(program)
        for receive, send in matching
        if rounds.owner(receive) != rounds.owner(send)
    )
