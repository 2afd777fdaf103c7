"""How many messages does the hardest sealable program need?  Beyond the text of this paper.

The abstract of the journal version (Distributed Computing 22, 2009) says that "3n - 4 messages are
necessary and sufficient in the worst case".

Reading      the worst case of the minimum seal over all sealable BSLs of n >= 2 processes, of any
             length; a seal is counted by the messages it transmits.
Refutation   a number that is not 3n - 4, on which upper bounds for programs of every length and
             lower bounds by one program agree (`questions.worst_case_seal`).
Repaired     3n - 5.  "Sufficient" holds of 3n - 4, "necessary" does not.
Not claimed  the journal counts as we do: its text is not at hand.  For all n, both bounds are argued
             in `algorithms.short_seal`, tested there, and proved in `proofs/WorstCase.v`.
"""

from collections.abc import Iterator

from sealcheck.algorithms.worst_cases import hardest_program
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import SHORTEST_SEAL, WORST_CASE_SEAL, transmitting
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Statement, predicts

MOST_PROCESSES = 4
"""With one more, going through the profiles takes seconds; with two more, hours."""


def hardest(n: int, messages: int) -> Iterator[Instance]:
    """The hardest program of n processes, at the first level of n, whatever its messages."""
    if 2 <= n <= MOST_PROCESSES and not messages:
        yield Instance.of(hardest_program(n))


def explain(instance: Instance, ask: Ask) -> str:
    """Why fewer are enough, and necessary."""
    n = instance.n
    found = ask(SHORTEST_SEAL, instance)
    assert found is not None, "the hardest program can be sealed"
    return "\n".join(
        (
            f"With n = {n} the claimed number is 3n - 4 = {3 * n - 4}, but 3n - 5 = {3 * n - 5} is always"
            " enough: that is the largest minimum over all that programs can look like to a seal.",
            f"P needs that many: no shorter seal than {transmitting(n, found)} exists.",
        )
    )


AT_LEAST_TWO = Hypothesis(
    "n >= 2", remark="one process has no channel to itself, so its programs are sealed by eps"
)

STATEMENT = Statement.of(
    "worst-case-seal",
    "abstract of the journal version (2009)",
    Claim(
        Form.AS_PRINTED,
        "if a BSL can be sealed by a BSL, 3n - 4 messages are necessary and sufficient for that in the"
        " worst case",
        check=predicts(WORST_CASE_SEAL, lambda instance: 3 * instance.n - 4),
        hypotheses=(AT_LEAST_TWO,),
        explain=explain,
        refutations=in_coq(
            "WorstCase.v", "worst_case_seal_as_printed_fails", "every n >= 2; finite intervals"
        ),
        fails_at=(2, 0),
    ),
    Claim(
        Form.REPAIRED,
        "a shortest BSL that seals a BSL without self-channels has at most 3n - 5 messages, and"
        " sometimes that many (n >= 2)",
        check=predicts(WORST_CASE_SEAL, lambda instance: 3 * instance.n - 5),
        hypotheses=(AT_LEAST_TWO,),
        theorems=(
            Theorem(
                "WorstCase.v",
                "worst_case_seal_sufficient",
                "every BSL without self-channels, whatever n; seals are straight-line; finite intervals",
            ),
            Theorem(
                "WorstCase.v",
                "worst_case_seal_necessary",
                "every n >= 2; seals are straight-line; finite intervals",
            ),
        ),
    ),
    domain=Listed("numbers of processes", hardest),
    questions=(WORST_CASE_SEAL,),
    limits=(f"computed for up to {MOST_PROCESSES} processes and programs of every length (for 5 in a test)",),
)
