"""How many messages must a seal have that is enough for every sealable program of n processes?

Two oracles bound the number from above, for programs of every length, and two from below, by one
program that needs so many: where they agree, it is exact.
"""

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.algorithms.every_length import as_signature, hardest_profiles, hardest_program, worst_case
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable
from sealcheck.algorithms.short_seal import short_seal
from sealcheck.algorithms.signature import signature
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import NUMBER
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question
from sealcheck.questions.straight_lines import KERNEL_SHARES, accepted, least_for_kernel, require_bsl

PROFILES = "that nothing but its profile decides how P can be sealed (`algorithms.every_length`)"


def by_profiles(instance: Instance, semantics: Semantics) -> int:
    """The largest minimum over all that programs can look like to a seal."""
    _require_hardest(instance, semantics)
    return worst_case(instance.n)


def by_short_seal(instance: Instance, semantics: Semantics) -> int:
    """The longest seal that is constructed for the hardest profiles."""
    _require_hardest(instance, semantics)
    firsts = (as_signature(instance.n, profile) for profile in hardest_profiles(instance.n))
    seals = (short_seal(first) for first in firsts)
    return max(len(seal.transmissions) for seal in seals if isinstance(seal, Sealable))


def by_program(instance: Instance, semantics: Semantics) -> int:
    """The minimum seal of the hardest program."""
    _require_hardest(instance, semantics)
    return len(minimum_seal(Problem.of(signature(instance.p))).transmissions)


def by_kernel(instance: Instance, semantics: Semantics) -> int:
    """The number of messages of a seal of the hardest program, which the kernel accepts as a shortest one."""
    _require_hardest(instance, semantics)
    least = least_for_kernel(instance)
    found = accepted("sealability", least, sealability_document(least.p))["minimum_messages"]
    assert isinstance(found, int)
    return found


def _require_hardest(instance: Instance, semantics: Semantics) -> None:
    require_bsl(instance, semantics)
    if instance.p != hardest_program(instance.n):
        raise CannotAnswer("it is not known that no program of so many processes is harder to seal")


WORST_CASE_SEAL = Question(
    id="worst-case-seal",
    text="How many messages are necessary and sufficient to seal sealable programs, as P shows, the hardest?",
    takes=("p",),
    domain="the hardest program of n >= 2 processes (`algorithms.every_length`)",
    answer=NUMBER,
    oracles=(
        Oracle(
            "largest minimum over all profiles",
            by_profiles,
            shares=f"{PROFILES}; and the search for a minimum seal",
        ),
        Oracle("length of the short seal", by_short_seal, shares=PROFILES),
        Oracle("minimum seal of the hardest program", by_program, shares="the search for a minimum seal"),
        Oracle("kernel", by_kernel, shares=KERNEL_SHARES, is_checked=True),
    ),
    certificate="a seal with its chains, and the states of knowledge that fewer messages reach",
    per_second=5,
)
