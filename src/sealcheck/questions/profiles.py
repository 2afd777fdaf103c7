"""What becomes of a conceivable profile, whether or not a program has it: can it be sealed, and by what?

A profile is what decides how a program can be sealed: for each channel that it receives on, who has heard of
its last receive there when it ends (`algorithms.every_length`).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.oracles import knowledge
from sealcheck.programs.events import Channel
from sealcheck.programs.profile import Profile
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import BOOLEAN, NUMBER_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import DefinedFor, Oracle, Question
from sealcheck.questions.straight_lines import is_transmitting, require_bsls

A = TypeVar("A")

SHARES = "that nothing but its profile decides how a program can be sealed (`algorithms.every_length`)"


def about(n: int, masks: Mapping[Channel, int], q: StraightLine | None = None) -> Instance:
    """A profile, given as masks of processes, and Q, if that is asked about.

    >>> print(about(2, {Channel(1, 2): 0b10}))
    1->2 heard by 2
    """
    profile = Profile.of(masks)
    return Instance(n, (profile,) if q is None else (profile, q))


def profile_of(instance: Instance) -> Profile:
    """The profile that an instance is about."""
    profile = instance.programs[0]
    assert isinstance(profile, Profile)
    return profile


def for_profiles(answer: Callable[[Instance], A]) -> Callable[[Instance, Semantics], A]:
    """The oracle that answers about profiles in Rel, without self-channels."""

    def oracle(instance: Instance, semantics: Semantics) -> A:
        require_bsls(semantics)
        return answer(instance)

    return oracle


def _first(instance: Instance) -> Signature:
    """What a signature says of being sealed, for this profile."""
    return Signature(instance.n, profile_of(instance).masks, {}, ())


_second = lru_cache(maxsize=64)(signature)
"""Few programs are asked about again and again, with many profiles."""


def by_search(instance: Instance) -> int | None:
    """By A* search over states of knowledge; None where nothing seals it."""
    found = minimum_or_unsealable(_problem(instance))
    return len(found.transmissions) if isinstance(found, Minimum) else None


def _problem(instance: Instance) -> Problem:
    """What a seal of this profile has to achieve."""
    profile = profile_of(instance).informed
    opened = tuple(sorted(c for c, informed in profile.items() if c.sender not in informed))
    initial = (
        sum(1 << bit for bit, channel in enumerate(opened) if k in profile[channel])
        for k in range(1, instance.n + 1)
    )
    return Problem(instance.n, opened, tuple(initial))


def by_breadth(instance: Instance) -> int | None:
    """By going through all that can be known after 0, 1, 2, ... transmissions."""
    return knowledge.fewest(instance.n, profile_of(instance).informed)


PROFILE = "a profile (who has heard of the last receive on each channel that is received on)"


def is_profile(instance: Instance) -> bool:
    """Whether an instance is a conceivable profile of its processes: who receives last has heard of it."""
    profile, processes = instance.programs[0], set(range(1, instance.n + 1))
    if not isinstance(profile, Profile) or instance.flags:
        return False
    heard = profile.informed.items()
    return all(c.receiver in informed and informed | {c.sender} <= processes for c, informed in heard)


PROFILE_MINIMAL_SEAL = Question(
    id="profile-minimal-seal",
    text="How many messages does a shortest seal of programs with profile P transmit, if there is any?",
    takes=("p",),
    domain=DefinedFor(PROFILE, is_profile),
    answer=NUMBER_OR_NONE,
    oracles=(
        Oracle("search over knowledge", for_profiles(by_search), shares=SHARES),
        Oracle("knowledge, breadth first", for_profiles(by_breadth), shares=SHARES),
    ),
    per_second=5000,
)


def transmissions(q: StraightLine) -> list[Channel]:
    """The channels of a program's messages, in an order in which they can be sent."""
    return [event.channel for event in q.linearization if event.is_send]


def by_signatures(instance: Instance) -> bool:
    """Whether the criterion of `th:decide.sealing` is met, by the profile and the signature of Q."""
    return is_seal(_first(instance), _second(instance.q))


def by_hearing(instance: Instance) -> bool:
    """Whether whoever sends has heard that it may, and everybody has in the end."""
    return knowledge.seals(profile_of(instance).informed, transmissions(instance.q))


def is_profile_and_transmissions(instance: Instance) -> bool:
    """Whether an instance is a profile, and a program of transmissions, one after the other."""
    _, q = instance.programs
    return is_profile(instance) and isinstance(q, StraightLine) and q.n == instance.n and is_transmitting(q)


PROFILE_IS_SEALED = Question(
    id="profile-is-sealed",
    text="Does Q seal the programs with profile P?",
    takes=("p", "q"),
    domain=DefinedFor(f"{PROFILE}, and transmissions, one after the other", is_profile_and_transmissions),
    answer=BOOLEAN,
    oracles=(
        Oracle("signatures", for_profiles(by_signatures), shares=SHARES),
        Oracle("knowledge", for_profiles(by_hearing), shares=SHARES),
    ),
    per_second=5000,
)
