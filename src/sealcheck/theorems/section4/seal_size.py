"""`th:sealability`, second sentence: fewer than 3n messages seal every sealable program.

Reading      for every properly sealable BSL, the minimum number of messages of a seal is below 3n.
Refutation   a sealable program whose minimum seal has 3n messages or more.
Every length the minimum depends on the profile only (`algorithms.every_length`), so going through all
             conceivable profiles of n processes covers programs of every length; for n = 4 and 5 by
             formulas (`harness.every_length`).
Not claimed  that Seal(P) finds such a seal: that is `seal-construction`.
"""

from collections.abc import Iterator

from sealcheck.algorithms.every_length import hardest_program, profiles_up_to_renaming
from sealcheck.every_n.theorem import Theorem
from sealcheck.harness.domains import Programs
from sealcheck.harness.every_length import sealed_by_few
from sealcheck.harness.statement import (
    Ask,
    Claim,
    Form,
    Hypothesis,
    Outcome,
    ProfileQuery,
    Statement,
    holds_if,
)
from sealcheck.questions.instance import Instance
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.profiles import PROFILE_MINIMAL_SEAL, about
from sealcheck.questions.sealable import EXPLORED_MESSAGES, EXPLORED_PROCESSES


def below_3n(instance: Instance, ask: Ask) -> Outcome:
    """That a shortest seal of P has fewer than 3n messages, if there is one."""
    least = ask(MINIMAL_SEAL, instance)
    return Outcome.VACUOUS if least is None else holds_if(least < 3 * instance.n)


def every_length(n: int, ask: Ask) -> Instance | None:
    """Whether a conceivable profile has a larger minimum; the hardest program stands for it."""
    least = ask.all(PROFILE_MINIMAL_SEAL, [about(n, profile) for profile in profiles_up_to_renaming(n)])
    too_large = (messages is not None and messages >= 3 * n for messages in least)
    return Instance.of(hardest_program(n)) if any(too_large) else None


def about_profiles(n: int) -> Iterator[ProfileQuery]:
    """The same by formulas."""
    yield from sealed_by_few(n, 3 * n - 1, below_3n)


STATEMENT = Statement(
    id="seal-size",
    label="th:sealability",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL that can be sealed properly can be sealed by one that transmits fewer than 3n messages",
            check=below_3n,
            hypotheses=(
                Hypothesis(
                    "P can be sealed", remark="a program that can't be sealed has no seal of any size"
                ),
            ),
            explain=lambda instance, ask: "the minimum seal has 3n messages or more",
            every_length=every_length,
            about_profiles=about_profiles,
            theorems=(
                Theorem("Bsl.v", "seal_size", "every BSL without self-channels; seals are straight-line"),
            ),
        ),
    ),
    domain=Programs(),
    questions=(MINIMAL_SEAL,),
    limits=(
        "seals are BSLs: with a guard, a program can seal what no BSL does (non-sealed)",
        f"the explorer looks for seals for n <= {EXPLORED_PROCESSES} only, of up to {EXPLORED_MESSAGES}"
        " messages, which is enough there (worst-case-seal)",
    ),
)
