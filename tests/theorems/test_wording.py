"""Claims say if their words are not the paper's, or only one reading of them."""

import pytest

from sealcheck.theorems.registry import STATEMENTS


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("definitions-agree-seals", "(ours)"),
        ("definitions-agree-channels", "(ours)"),
        ("definitions-agree-balanced", "(ours)"),
        ("figure-X", "(ours)"),
        ("diverging-seals", "as read: the loop occurs"),
        ("seal-construction-open-channels", "without self-channels"),
        ("figure-O-n", "n - 1 messages close (n - 1)^2 open channels"),
        ("tcc-basic", "in any set of runs"),
    ],
)
def test_the_first_claim_says_so(name: str, says: str) -> None:
    """What is added to the paper's sentence, or supposed by the theorem, is in the text."""
    assert says in STATEMENTS[name].claims[0].text
