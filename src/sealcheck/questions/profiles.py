"""What becomes of a conceivable profile, whether or not a program has it: can it be sealed, and by what?

A profile is what decides how a program can be sealed: for each channel that it receives on, who has heard of
its last receive there when it ends (`algorithms.every_length`).  It is written as flags, beside the program
that is to seal it, if there is one to be asked about.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.oracles import knowledge
from sealcheck.programs.events import Channel
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import BOOLEAN, NUMBER_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import DefinedFor, Oracle, Question
from sealcheck.questions.straight_lines import BSL, for_bsl, is_transmitting

Profile = Mapping[Channel, frozenset[int]]
"""For each channel that is received on, who has heard of the last receive there."""

SHARES = "that nothing but its profile decides how a program can be sealed (`algorithms.every_length`)"
HEARD = " heard by "
FLAGS = "flags: 1->2 heard by 2, 3 (for each channel that is received on)"


def about(n: int, masks: Mapping[Channel, int], q: StraightLine | None = None) -> Instance:
    """Q, and a profile, given as masks of processes, that it is to seal.

    >>> print(about(2, {Channel(1, 2): 0b10}))
    eps   (1->2 heard by 2)
    """
    flags = (
        f"{channel}{HEARD}{', '.join(str(k) for k in range(1, n + 1) if mask >> (k - 1) & 1)}"
        for channel, mask in masks.items()
    )
    return Instance.of(q or StraightLine.of(n), flags=tuple(flags))


@lru_cache(maxsize=1)
def profile_of(instance: Instance) -> Profile:
    """The profile that an instance is about.

    >>> profile_of(about(2, {Channel(1, 2): 0b10}))
    {Channel(sender=1, receiver=2): frozenset({2})}
    """
    profile: dict[Channel, frozenset[int]] = {}
    for flag in instance.flags:
        channel, informed = flag.split(HEARD)
        sender, receiver = map(int, channel.split("->"))
        profile[Channel(sender, receiver)] = frozenset(map(int, informed.split(", ")))
    return profile


def _first(instance: Instance) -> Signature:
    """What a signature says of being sealed, for this profile."""
    masks = {c: sum(1 << (k - 1) for k in informed) for c, informed in profile_of(instance).items()}
    return Signature(instance.n, masks, {}, ())


_second = lru_cache(maxsize=64)(signature)
"""Few programs are asked about again and again, with many profiles."""


def by_search(instance: Instance) -> int | None:
    """By A* search over states of knowledge; None where nothing seals it."""
    found = minimum_or_unsealable(_problem(instance))
    return len(found.transmissions) if isinstance(found, Minimum) else None


def _problem(instance: Instance) -> Problem:
    """What a seal of this profile has to achieve."""
    profile = profile_of(instance)
    opened = tuple(sorted(c for c, informed in profile.items() if c.sender not in informed))
    initial = (
        sum(1 << bit for bit, channel in enumerate(opened) if k in profile[channel])
        for k in range(1, instance.n + 1)
    )
    return Problem(instance.n, opened, tuple(initial))


def by_breadth(instance: Instance) -> int | None:
    """By going through all that can be known after 0, 1, 2, ... transmissions."""
    return knowledge.fewest(instance.n, profile_of(instance))


def _has_profile(instance: Instance) -> bool:
    flagged = all(HEARD in flag for flag in instance.flags)
    return flagged and BSL.has(replace(instance, flags=()))


PROFILE_MINIMAL_SEAL = Question(
    id="profile-minimal-seal",
    text="How many messages does a shortest seal of programs with this profile transmit, if there is any?",
    takes=("p",),
    domain=DefinedFor(
        f"eps, over as many processes; {FLAGS}",
        lambda instance: _has_profile(instance) and not instance.messages,
    ),
    answer=NUMBER_OR_NONE,
    oracles=(
        Oracle("search over knowledge", for_bsl(by_search), shares=SHARES),
        Oracle("knowledge, breadth first", for_bsl(by_breadth), shares=SHARES),
    ),
    per_second=5000,
)


def transmissions(p: StraightLine) -> list[Channel]:
    """The channels of a program's messages, in an order in which they can be sent."""
    return [event.channel for event in p.linearization if event.is_send]


def by_signatures(instance: Instance) -> bool:
    """Whether the criterion of `th:decide.sealing` is met, by the profile and the signature of P."""
    return is_seal(_first(instance), _second(instance.p))


def by_hearing(instance: Instance) -> bool:
    """Whether whoever sends has heard that it may, and everybody has in the end."""
    return knowledge.seals(profile_of(instance), transmissions(instance.p))


PROFILE_IS_SEALED = Question(
    id="profile-is-sealed",
    text="Does P seal the programs with this profile?",
    takes=("p",),
    domain=DefinedFor(
        f"transmissions, one after the other; {FLAGS}",
        lambda instance: _has_profile(instance) and is_transmitting(instance.p),
    ),
    answer=BOOLEAN,
    oracles=(
        Oracle("signatures", for_bsl(by_signatures), shares=SHARES),
        Oracle("knowledge", for_bsl(by_hearing), shares=SHARES),
    ),
    per_second=5000,
)
