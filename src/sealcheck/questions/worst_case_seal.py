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
from sealcheck.questions.answer_types import NUMBER
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import DefinedFor, Oracle, Question
from sealcheck.questions.straight_lines import KERNEL_SHARES, accepted, for_bsl, least_for_kernel

PROFILES = "that nothing but its profile decides how P can be sealed (`algorithms.every_length`)"


def by_profiles(instance: Instance) -> int:
    """The largest minimum over all that programs can look like to a seal."""
    return worst_case(instance.n)


def by_short_seal(instance: Instance) -> int:
    """The longest seal that is constructed for the hardest profiles."""
    firsts = (as_signature(instance.n, profile) for profile in hardest_profiles(instance.n))
    seals = (short_seal(first) for first in firsts)
    return max(len(seal.transmissions) for seal in seals if isinstance(seal, Sealable))


def by_program(instance: Instance) -> int:
    """The minimum seal of the hardest program."""
    return len(minimum_seal(Problem.of(signature(instance.p))).transmissions)


def by_kernel(instance: Instance) -> int:
    """The number of messages of a seal of the hardest program, which the kernel accepts as a shortest one."""
    least = least_for_kernel(instance)
    found = accepted("sealability", least, sealability_document(least.p))["minimum_messages"]
    assert isinstance(found, int)
    return found


HARDEST = DefinedFor(
    "the hardest program of n >= 2 processes (`algorithms.every_length`)",
    lambda instance: instance.n >= 2 and instance == Instance.of(hardest_program(instance.n)),
)

WORST_CASE_SEAL = Question(
    id="worst-case-seal",
    text="How many messages are necessary and sufficient to seal sealable programs, as P shows, the hardest?",
    takes=("p",),
    domain=HARDEST,
    answer=NUMBER,
    oracles=(
        Oracle(
            "largest minimum over all profiles",
            for_bsl(by_profiles),
            shares=f"{PROFILES}; and the search for a minimum seal",
        ),
        Oracle("length of the short seal", for_bsl(by_short_seal), shares=PROFILES),
        Oracle(
            "minimum seal of the hardest program", for_bsl(by_program), shares="the search for a minimum seal"
        ),
        Oracle("kernel", for_bsl(by_kernel), shares=KERNEL_SHARES, is_checked=True),
    ),
    certificate="a seal with its chains, and the states of knowledge that fewer messages reach",
    per_second=5,
)
