"""The paper's pseudocode as printed, as an implementation: what is found is what the ledger has."""

import pytest

from sealcheck.differential.comparing import Comparison
from sealcheck.differential.implementation import Called
from sealcheck.differential.searching import Plan, search
from sealcheck.differential.targets import TARGETS
from sealcheck.harness.checking import check_instances
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.appendix import closed_channels, deadlock_free, is_seal

PRINTED = {
    "is-seal, as printed": (is_seal, 0, is_seal.printed),
    "is-seal, line 1 mended": (is_seal, 1, is_seal.with_line_1_mended),
    "is-seal, repaired": (is_seal, 3, is_seal.repaired),
    "closed-channels, on a mended Program-Graph": (closed_channels, 0, closed_channels.on_mended),
    "closed-channels, as printed throughout": (closed_channels, 1, closed_channels.as_printed_throughout),
    "deadlock-free, as printed": (deadlock_free, 0, deadlock_free.printed),
    "deadlock-free, repaired": (deadlock_free, 2, deadlock_free.repaired),
}
TARGET = {is_seal: "is-seal", closed_channels: "closed-channels", deadlock_free: "deadlock-free"}
LEVELS = [(n, m) for n in (1, 2) for m in range(4)]


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_found_is_what_the_ledger_has(name) -> None:
    """A counterexample with as many processes and messages, or none."""
    statement, claim, answer = PRINTED[name]
    target = TARGETS[TARGET[statement]]

    def function(*programs):
        return answer(Instance.of(*(parse_straight_line(str(p), p.n) for p in programs)))

    found = search(Comparison(target, Called(function)), Plan([], LEVELS)).finding
    tallies = (check_instances(statement.STATEMENT, *level)[claim] for level in LEVELS)
    refuting = next((tally.refuting for tally in tallies if tally.refuting is not None), None)
    assert (found and found.instance.size[:2]) == (refuting and refuting.size[:2])
