"""Who is blamed: an implementation only where all oracles agree with what we expect; else we are."""

from dataclasses import replace

import pytest

from sealcheck.differential.implementation import Called
from sealcheck.differential.searching import Comparison, Plan, search
from sealcheck.errors import Disagreement
from sealcheck.theorems.checking.targets import TARGETS, Quick

WRONG = {
    "is-seal": (lambda instance: False, lambda p, q: True),
    "deadlock-free": (lambda instance: False, lambda p: True),
    "phases": (lambda instance: False, lambda p, q, r: True),
    "seal": (lambda instance: None, lambda p: str(p)),
}
"""For some targets, what a wrong algorithm of ours expects, and an implementation that contradicts it."""


@pytest.mark.parametrize("target", WRONG)
def test_a_wrong_expectation_is_ours(target: str) -> None:
    """It is a disagreement of our oracles, with the instance, and no finding."""
    expected, answers = WRONG[target]
    asked = replace(TARGETS[target], expected=expected)
    if not asked.has_several:
        asked = replace(asked, quick=Quick({target: expected}))
    plan = Plan([], [(n, m) for n in (1, 2) for m in range(3 if n > 1 else 1)])
    with pytest.raises(Disagreement, match=f"^{target}, on .*: what is expected is not what all oracles say"):
        search(Comparison(asked, Called(answers)), plan)
