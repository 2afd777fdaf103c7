"""`th:sealability`, second sentence: fewer than 3n messages seal every sealable program.

Reading      for every properly sealable BSL, the minimum number of messages of a seal is below 3n.
Refutation   a sealable program whose minimum seal has 3n messages or more.
Every length the minimum depends on the profile only (`algorithms.every_length`), so going through all
             conceivable profiles of n processes covers programs of every length.
Not claimed  that Seal(P) finds such a seal: that is `seal-construction`.
"""

from sealcheck import explorer
from sealcheck.algorithms.every_length import as_signature, hardest_program, profiles
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable, saturate
from sealcheck.algorithms.signature import signature
from sealcheck.theorems import by_kernel
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement

EXPLORED_MESSAGES = 4
"""How long the seals are that the explorer looks for."""


def by_minimum(instance: Instance) -> object:
    """Whether the minimum seal has fewer than 3n messages."""
    return _below(instance.n, Problem.of(signature(instance.p)))


def _below(n: int, problem: Problem) -> object:
    if not isinstance(saturate(problem), Sealable):
        return VACUOUS
    return len(minimum_seal(problem).transmissions) < 3 * n


def by_exploring(instance: Instance) -> object:
    """Whether the explorer finds a seal with fewer than 3n messages; it confirms that of the algorithm."""
    p, most = instance.p, min(EXPLORED_MESSAGES, 3 * instance.n - 1)
    if explorer.find_seal(p, most) is not None:
        return True
    problem = Problem.of(signature(p))
    if not isinstance(saturate(problem), Sealable):
        return VACUOUS
    seal = minimum_seal(problem).seal(p.n)
    return explorer.seals(p, seal) and seal.messages < 3 * p.n


def by_kernel_minimum(instance: Instance) -> object:
    """Whether the minimum that the kernel accepts is below 3n."""
    least = by_kernel.minimum(instance)
    return least < 3 * instance.n if isinstance(least, int) else least


def every_length(n: int) -> Instance | None:
    """Whether a conceivable profile has a larger minimum; the hardest program stands for it."""
    too_large = (_below(n, Problem.of(as_signature(n, profile))) is False for profile in profiles(n))
    return Instance.of(hardest_program(n)) if any(too_large) else None


STATEMENT = Statement(
    id="seal-size",
    label="th:sealability",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL that can be sealed properly can be sealed by one that transmits fewer than 3n messages",
            predicts=lambda instance: True,
            story=lambda instance: "the minimum seal has 3n messages or more",
            every_length=every_length,
        ),
    ),
    hypotheses=(
        Hypothesis("P can be sealed", remark="a program that can't be sealed has no seal of any size"),
    ),
    domain=Programs(),
    ways={"minimum seal": by_minimum, "explorer": by_exploring, "kernel": by_kernel_minimum},
    limits=(
        f"the explorer looks for seals of up to {EXPLORED_MESSAGES} messages by itself; longer ones are the"
        " algorithm's, which it confirms, and so is that there is none",
    ),
)
