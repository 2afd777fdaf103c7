"""Which profiles programs have, whatever their length: an exact test that yields the program.

Read a balanced deadlock-free straight-line program backwards.  The *cone* of process i is the set
of processes whose ends its current point reaches: {i} at first.  Only a send changes it: the
send on i->j adds the cone that j had at the matching receive.  The profile has, for each
channel, the receiver's cone at the last receive, the one that is met first.

The lengths of a program and of its channels do not matter, only which cones each process has
one after another, its *history*, of at most n cones, each within the next:

* A program gives such histories.  Each step of one adds a cone that j had at a receive on i->j,
  so not before its cone was what the profile has for i->j, and that it had at some time.
* Histories give a program.  Let every process receive once on each channel i->j for each of
  its cones from the one in the profile on, and have i send, when its turn comes to add a cone of j,
  until that one is matched.  The k'th send meets the k'th receive, so all matched before are
  parts of that cone, and leave i with the same one.  What is unmatched in the end
  is sent then, where it is too late to change the profile.

So a profile is realizable iff histories exist that have all cones in it, and going through
histories is finite.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from sealcheck.algorithms.every_length import Profile, profiles
from sealcheck.algorithms.reach import bits
from sealcheck.programs.events import Channel, Event, rcv, snd
from sealcheck.programs.straight_line import Renaming, StraightLine

History = tuple[int, ...]
"""The cones of one process, from its end backwards, as masks; each within the next."""


class Growth(NamedTuple):
    """The sender of `channel` adds `cone`, which the receiver has or had, to its own."""

    channel: Channel
    cone: int


def realizable_profiles(n: int) -> Iterator[Profile]:
    """The profiles of all programs of n processes, of any length.  A second for n = 3; n = 4 is too much.

    >>> len(list(realizable_profiles(2)))
    6
    """
    for profile in profiles(n):
        others = {_frozen(renamed(profile, names)): names for names in permutations(range(1, n + 1))}
        if _frozen(profile) == min(others) and realizing_program(n, profile) is not None:
            yield from (renamed(profile, names) for names in others.values())


def renamed(profile: Profile, renaming: Renaming) -> Profile:
    """The profile with process p called ``renaming[p - 1]``.

    >>> print(renamed({Channel(1, 2): 0b010}, (2, 3, 1)))
    {Channel(sender=2, receiver=3): 4}
    """
    return {
        Channel(renaming[i - 1], renaming[j - 1]): sum(1 << (renaming[k - 1] - 1) for k in bits(mask))
        for (i, j), mask in profile.items()
    }


def _frozen(profile: Profile) -> tuple[tuple[Channel, int], ...]:
    return tuple(sorted(profile.items()))


def realizing_program(n: int, profile: Profile) -> StraightLine | None:
    """A program with this profile, None where no program has it.  Exponential in n.

    >>> print(realizing_program(2, {Channel(1, 2): 0b11, Channel(2, 1): 0b01}))
    mt 1->2; mt 2->1
    >>> realizing_program(2, {Channel(1, 2): 0b11, Channel(2, 1): 0b11}) is None
    True
    """
    required = [{mask for (_, j), mask in profile.items() if j == i} for i in range(1, n + 1)]
    start: tuple[History, ...] = tuple((1 << k,) for k in range(n))
    reached: dict[tuple[History, ...], tuple[Growth, ...]] = {start: ()}
    pending = [start]
    while pending:
        histories = pending.pop()
        if all(masks <= set(history) for history, masks in zip(histories, required, strict=True)):
            return _program(n, profile, reached[histories])
        for growth in _growths(profile, histories):
            i = growth.channel.sender - 1
            longer = (*histories[i], histories[i][-1] | growth.cone)
            after = (*histories[:i], longer, *histories[i + 1 :])
            if after not in reached and _is_open(longer, required[i]):
                reached[after] = (*reached[histories], growth)
                pending.append(after)
    return None


def _is_open(history: History, required: set[int]) -> bool:
    """Whether every required cone is in the history or can still follow.

    Only for speed: with four processes, histories that skip one take 65 times as long otherwise.
    """
    return all(mask in history or not history[-1] & ~mask for mask in required)


def _growths(profile: Profile, histories: tuple[History, ...]) -> Iterator[Growth]:
    """What can happen next: a sender adds a cone that the receiver had once it could receive."""
    for channel, mask in profile.items():
        history = histories[channel.receiver - 1]
        if mask in history:
            own = histories[channel.sender - 1][-1]
            yield from (Growth(channel, cone) for cone in history[history.index(mask) :] if cone & ~own)


def _program(n: int, profile: Profile, growths: tuple[Growth, ...]) -> StraightLine:
    """The program, built backwards, of which the module's docstring speaks, without idle receives."""
    backwards: list[Event] = []
    unmatched: Mapping[Channel, list[int]] = {channel: [] for channel in profile}

    def receive(j: int, cone: int) -> None:
        for channel, mask in profile.items():
            if channel.receiver == j and (cone == mask or Growth(channel, cone) in growths):
                backwards.append(rcv(j, channel.sender))
                unmatched[channel].append(cone)

    def send(channel: Channel) -> int:
        backwards.append(snd(*channel))
        return unmatched[channel].pop(0)

    cones = [1 << k for k in range(n)]
    for j, cone in enumerate(cones, 1):
        receive(j, cone)
    for channel, cone in growths:
        while send(channel) != cone:
            pass
        cones[channel.sender - 1] |= cone
        receive(channel.sender, cones[channel.sender - 1])
    for channel, left in unmatched.items():
        while left:
            send(channel)
    return StraightLine.of(n, reversed(backwards))
