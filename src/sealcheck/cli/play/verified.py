"""What the page asks the verified program, which checks answers.

The verified program is extracted from the Coq proofs.  It runs while the user waits.  So the page does not
ask it to check large certificates, which the command line can check.
"""

from collections.abc import Mapping
from typing import Any

from sealcheck.operations.result import Result
from sealcheck.operations.verified_questions import Checks
from sealcheck.operations.verified_questions import of_layers as all_of_layers

BY = "The program extracted from the Coq proofs does not check"

LARGE = (
    "The certificate is too large for this page's program from the Coq proofs. Check it with"
    " `sealcheck verify --verified`."
)
LARGEST = 20_000_000
"""The most that the number of closed sets times the number of statements may be in a check of two seconds."""

LONGEST = 60_000
"""The most events in the executions of all root causes together.  The check takes about a second."""

KINDS = f"{BY} the kind and the signature of a program."


def of_layers(result: Result) -> Checks:
    """The checks of an answer about layers, and a sentence about what these checks do not cover.

    >>> from sealcheck.operations.phases import staying_apart
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> (check,), _ = of_layers(staying_apart(Phases((once,))))
    >>> check.asked["question"], check.asked["flags"], check.expected
    ('phases', [], True)
    """
    if not result.is_known:
        return Checks((), "The answer is not known, so there is nothing to check.")
    return while_you_wait(all_of_layers(result.document, LONGEST))


def while_you_wait(checks: Checks) -> Checks:
    """The checks without those that take long, and a sentence about what the rest does not cover."""
    small = tuple(check for check in checks.asked if not _is_large(check.asked))
    if len(small) < len(checks.asked):
        return Checks(small, LARGE)
    return Checks(checks.asked, checks.left and f"{BY} {checks.left}.")


def _is_large(asked: Mapping[str, Any]) -> bool:
    certificate: Mapping[str, list[str]] = asked.get("answer", {}).get("certificate", {})
    statements = sum(text.count(";") + 1 for text in certificate.get("layers", ()))
    return len(certificate.get("holds", ())) * statements > LARGEST
