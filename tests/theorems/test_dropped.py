"""The smallest instances that break a statement without one of its hypotheses."""

import re
from dataclasses import replace

import pytest
from tests.manifest import ROOT
from tests.theorems.rows import up_to

from sealcheck.evidence.rows import dropped
from sealcheck.theorems.checking.hypotheses import ablate
from sealcheck.theorems.registry import STATEMENTS

FINDINGS = (ROOT / "docs" / "findings.md").read_text()
BOUNDS = {
    (1, 1): "constructs-monotone",
    (1, 2): "refinement-preorder",
    (2, 1): (
        "tcc-basic tcc-closed barrier-is-tcc seal-algebra-3-whole-language seal-algebra-4-whole-language "
        "seal-algebra-5 seal-algebra-6-whole-language diverging-seals tcc-impossibility-whole-language"
    ),
    (2, 2): (
        "seal-algebra-1 seal-algebra-2 seal-algebra-3 seal-algebra-4 seal-algebra-6 layers-are-ccl "
        "layers-are-ccl-whole-language no-barrier no-barrier-whole-language seal-size "
        "sealability-undecidable while-exchange"
    ),
    (2, 3): "is-seal closed-channels-algorithm signature-compose",
    (3, 1): "mt-not-self-sealing mt-tcc-rel-fifo balanced-necessary",
    (3, 2): (
        "definitions-agree-seals mt-seals-ack mt-ack-self-seals tcc-impossibility program-graph "
        "deadlock-free sig"
    ),
    (3, 3): (
        "interleaving-exists non-sealed non-sealed-third-process balanced-tcc-rel-fifo graph-cause-largest "
        "fifo-causality closed-channels decide-sealing sealability"
    ),
}
"""The most processes and messages for a second or two."""


@pytest.mark.parametrize(
    ("id", "n", "messages"), [(id, *bounds) for bounds, ids in BOUNDS.items() for id in ids.split()]
)
def test_smallest_instances_that_break_a_statement(id: str, n: int, messages: int) -> None:
    """The instances are those of findings.md."""
    about = STATEMENTS[id]
    for number, hypothesis in enumerate(about.hypotheses):
        if hypothesis.is_dropped:
            found = ablate(about, number, up_to(n, messages))
            said = dropped(hypothesis, found if found.breaking else replace(found, n=3, messages=3))
            row = rf"^\| {id} \| {re.escape(hypothesis.name)}(?: \(.*\))? \| {re.escape(said)} \|$"
            assert re.search(row, FINDINGS, re.MULTILINE), said
