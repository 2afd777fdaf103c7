"""`th:sealability`, second sentence: fewer than 3n messages seal every sealable program.

Reading      if any program properly seals a BSL, then so does a BSL of fewer than 3n messages.  Tried as
             seals are BSLs, and for X, two messages that cross, a program with a guard.
Refutation   a program that is sealed, but by no BSL, or by none of fewer than 3n messages.  The guarded
             seal of X among two processes (`non-sealed`) makes X such a program.
Repaired     P is sealed by a BSL: then the minimum number of messages of such a seal is below 3n.
Every length the minimum depends on the profile only (`algorithms.every_length`), so going through all
             conceivable profiles of n processes covers programs of every length; for n = 4 and 5 by
             formulas (`harness.every_length`).
Not claimed  that Seal(P) finds such a seal: that is `seal-construction`.
"""

from collections.abc import Iterator

from sealcheck.algorithms.every_length import hardest_program, profiles_up_to_renaming
from sealcheck.questions.closed_channels import PROFILE_MINIMAL_SEAL, about
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import EXPLORED_PROCESSES, EXPLORED_SEALABLE, MINIMAL_SEAL
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.every_length import sealed_by_few
from sealcheck.theorems.checking.examples import crossing, explain_the_guard, sealed_by_a_guard
from sealcheck.theorems.checking.hypotheses import failing, programs
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Form,
    Hypothesis,
    Outcome,
    ProfileQuery,
    Statement,
    holds_if,
)


def printed(instance: Instance, ask: Ask) -> Outcome:
    """That a shortest BSL that seals P has fewer than 3n messages, if anything that is tried seals P."""
    if ask(MINIMAL_SEAL, instance) is not None or instance.p != crossing(2):
        return below_3n(instance, ask)
    return Outcome.FAILS if sealed_by_a_guard(2, ask) else Outcome.VACUOUS


def below_3n(instance: Instance, ask: Ask) -> Outcome:
    """That a shortest BSL that seals P has fewer than 3n messages, if there is one."""
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
            "a BSL that any program seals properly can be sealed by a BSL that transmits fewer than 3n"
            " messages",
            check=printed,
            explain=lambda instance, ask: f"no BSL seals P\n{explain_the_guard(instance, ask)}",
            refutations=(
                Theorem(
                    "GuardedSeal.v",
                    "seal_size_as_printed_fails",
                    "X, for instance with the messages 0; finite intervals",
                ),
            ),
            fails_at=(2, 2),
        ),
        Claim(
            Form.REPAIRED,
            "a BSL without self-channels that a BSL seals properly can be sealed by a BSL that transmits"
            " fewer than 3n messages",
            check=below_3n,
            hypotheses=(
                Hypothesis(
                    "a BSL seals P", failing(programs, printed), remark="a program with a guard seals it"
                ),
            ),
            explain=lambda instance, ask: "the minimum seal has 3n messages or more",
            every_length=every_length,
            about_profiles=about_profiles,
            theorems=(
                Theorem(
                    "Bsl.v",
                    "seal_size",
                    "every BSL without self-channels; seals are straight-line; finite intervals",
                ),
            ),
        ),
    ),
    domain=Programs(),
    questions=(MINIMAL_SEAL, REFINES, OCCURS),
    limits=(
        "one program is tried that seals X with a guard; all others that are tried as seals are BSLs",
        f"the explorer looks for seals for n <= {EXPLORED_PROCESSES} only, of up to {EXPLORED_SEALABLE}"
        " messages, which is enough there (worst-case-seal)",
    ),
)
