"""How many messages does the hardest sealable program need?  Beyond the text of this paper.

The abstract of the journal version (Distributed Computing 22, 2009) says that "3n - 4 messages are
necessary and sufficient in the worst case".

Reading      the worst case of the minimum seal over all sealable BSLs of n >= 2 processes, of any
             length; a seal is counted by the messages it transmits.
Refutation   two numbers that are equal and not 3n - 4: the largest minimum seal over all that a
             program can look like to a seal (`algorithms.every_length`, an upper bound for every
             length), and the minimum seal of one program (a lower bound).
Repaired     3n - 5.  "Sufficient" holds of 3n - 4, "necessary" does not.
Not claimed  the journal counts as we do: its text is not at hand.  For all n, both bounds are argued
             in `algorithms.short_seal`, and tested there, but no machine has checked the argument.
"""

from collections.abc import Iterator

from sealcheck.algorithms.every_length import as_signature, hardest_profiles, hardest_program, worst_case
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable
from sealcheck.algorithms.short_seal import short_seal
from sealcheck.algorithms.signature import signature
from sealcheck.theorems import by_kernel
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

MOST_PROCESSES = 4
"""With one more, going through the profiles takes seconds; with two more, hours."""


def hardest(n: int, messages: int) -> Iterator[Instance]:
    """The hardest program of n processes, at the first level of n, whatever its messages."""
    if 2 <= n <= MOST_PROCESSES and not messages:
        yield Instance.of(hardest_program(n))


def of_the_program(instance: Instance) -> int:
    """The minimum seal of the hardest program."""
    return len(minimum_seal(Problem.of(signature(instance.p))).transmissions)


def by_short_seal(instance: Instance) -> int:
    """The longest seal that is constructed for the hardest profiles, an upper bound too."""
    firsts = (as_signature(instance.n, profile) for profile in hardest_profiles(instance.n))
    seals = (short_seal(first) for first in firsts)
    return max(len(seal.transmissions) for seal in seals if isinstance(seal, Sealable))


def _story(instance: Instance) -> str:
    n = instance.n
    found = minimum_seal(Problem.of(signature(instance.p)))
    return "\n".join(
        (
            f"With n = {n} the claimed number is 3n - 4 = {3 * n - 4}, but 3n - 5 = {3 * n - 5} is always"
            " enough: that is the largest minimum over all that programs can look like to a seal.",
            f"P needs that many: no shorter seal than {found.seal(n)} exists, for {found.reason}.",
        )
    )


STATEMENT = Statement(
    id="worst-case-seal",
    label="abstract of the journal version (2009)",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "3n - 4 messages are necessary and sufficient in the worst case to seal a sealable BSL",
            predicts=lambda instance: 3 * instance.n - 4,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "3n - 5 messages are necessary and sufficient in the worst case to seal a sealable BSL (n >= 2)",
            predicts=lambda instance: 3 * instance.n - 5,
        ),
    ),
    hypotheses=(
        Hypothesis(
            "n >= 2", remark="one process has no channel to itself, so its programs are sealed by eps"
        ),
    ),
    domain=Listed("numbers of processes", hardest),
    ways={
        "largest minimum over all profiles": lambda instance: worst_case(instance.n),
        "length of the short seal": by_short_seal,
        "minimum seal of the hardest program": of_the_program,
        "minimum that the kernel accepts": by_kernel.minimum,
    },
    limits=(
        f"computed for up to {MOST_PROCESSES} processes and programs of every length (for 5 in a test);"
        " for all n the bound is argued, not checked by a machine",
    ),
)
