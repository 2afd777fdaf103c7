"""The programs of n processes that are hardest to seal, of any length.

Whether P can be sealed, and with how few messages, depends on its *profile*: for each channel
that P receives on, the set of processes whose ends P's last receive on it reaches (`Problem` has
no other information).  The receiver is always in it.  So there are finitely many profiles for each
n, and a bound that holds for all of them holds for programs of every length.  Most profiles belong to no
program; a largest value is exact if a program attains it.

More knowledge only helps: a seal of one profile seals every other whose sets are larger, or that has fewer
channels.  A sealable profile allows n - 1 merges of blocks (`blocks`), each by one *bridge*: a channel
i->j and a process k of i's block that has heard of the last receive on it.  So the profile that
has these n - 1 bridges, and knows nothing else, is sealable and at least as hard to seal; the
hardest profiles are among those, and they are few.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations

from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable, saturate
from sealcheck.algorithms.signature import Signature
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd

Masks = Mapping[Channel, int]
"""For each channel that is received on, a mask of processes (bit k - 1 for process k)."""

Bridge = tuple[int, int, int]
"""(i, j, k): the end of k is reached by the last receive on i->j, and k is not j."""


def as_signature(n: int, profile: Masks) -> Signature:
    """A signature with this profile, and nothing about being a seal.

    >>> as_signature(2, {Channel(1, 2): 0b10}).open_channels
    (Channel(sender=1, receiver=2),)
    """
    return Signature(n, dict(profile), {}, ())


def hardest_profiles(n: int) -> Iterator[Masks]:
    """Sealable profiles with n - 1 bridges and no other knowledge, one for each class of renamings.

    >>> len(list(hardest_profiles(4)))
    35
    """
    bridges = [(i, j, k) for i, j in channels(n) for k in range(1, n + 1) if k != j]
    renamings = list(permutations(range(1, n + 1)))
    sets: set[tuple[Bridge, ...]] = {()}
    for _ in range(n - 1):
        larger = {(*chosen, bridge) for chosen in sets for bridge in bridges if bridge not in chosen}
        sets = {
            min(tuple(sorted((r[i - 1], r[j - 1], r[k - 1]) for i, j, k in chosen)) for r in renamings)
            for chosen in larger
        }
    for chosen in sorted(sets):
        profile = {channel: 1 << (channel.receiver - 1) for channel in channels(n)}
        for i, j, k in chosen:
            profile[Channel(i, j)] |= 1 << (k - 1)
        if isinstance(saturate(Problem.of(as_signature(n, profile))), Sealable):
            yield profile


def worst_case(n: int) -> int:
    """An upper bound for the minimum seal of a sealable program of n processes, in messages.

    It holds for programs of any length.  It is exact if `hardest_program` needs as many.  Exponential in n: n
    = 4 takes a tenth of a second.

    >>> worst_case(2), worst_case(3)
    (1, 4)
    """
    problems = (Problem.of(as_signature(n, profile)) for profile in hardest_profiles(n))
    return max((len(minimum_seal(problem).transmissions) for problem in problems), default=0)


def hardest_program(n: int) -> StraightLine:
    """A sealable program that only its first process can begin to seal.

    Process 1 sends to all others, and they all acknowledge that by messages to all, which cross.  So the
    channels from process 1 are closed; of the last receive on any other channel, only the receiver knows.

    >>> print(hardest_program(2))
    mt 1->2; mt 2->1
    """
    others = range(2, n + 1)
    first = [event for i in others for event in mt(1, i)]
    crossing = [(i, j) for i in others for j in range(1, n + 1) if i != j]
    return StraightLine.of(n, [*first, *(snd(i, j) for i, j in crossing), *(rcv(j, i) for i, j in crossing)])
