"""If executions always said yes, the solvers would contradict them on the smallest instances."""

from dataclasses import replace
from types import ModuleType

import pytest
from tests.theorems.rows import checked

from sealcheck.questions.question import Oracle
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.section3 import definitions_agree, diverging_seals, mt_seals
from sealcheck.theorems.section4 import no_barrier_whole_language, tcc_impossibility_whole_language
from sealcheck.theorems.section5 import while_exchange

LOOP = "([true]; 1.x := 5; 2.x := 17)*; [not true]"
DISPUTED = [
    (definitions_agree, "BALANCED", "definitions-agree-balanced", (2, 1), ["rcv 2<-1"]),
    (mt_seals, "REFINES", "mt-not-self-sealing", (2, 1), ["mt 1->2"]),
    (diverging_seals, "OCCURS", "diverging-seals", (2, 0), [f"P = eps   Q = {LOOP}"] * 2),
    (
        tcc_impossibility_whole_language,
        "REFINES",
        "tcc-impossibility-whole-language",
        (2, 1),
        ["rcv 1<-2"] * 2,
    ),
    (no_barrier_whole_language, "KEEPS_APART", "no-barrier-whole-language", (2, 0), ["eps"] * 2),
    (while_exchange, "OCCURS", "while-exchange", (2, 2), ["mt 1->2; mt 2->1", "None"]),
]
"""The module, its question, the statement, the level, and the disputed instance of each claim."""


@pytest.mark.parametrize(
    ("module", "question", "id", "level", "disputed"), DISPUTED, ids=[row[2] for row in DISPUTED]
)
def test_an_oracle_that_always_says_yes_is_disputed(
    module: ModuleType,
    question: str,
    id: str,
    level: tuple[int, int],
    disputed: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Executions without interference, without a false guard, or without imbalance do not go unnoticed."""
    blind = Oracle("executions", lambda instance, semantics: True)
    monkeypatch.setattr(module, question, replace(getattr(module, question), oracles=(blind,)))
    tallies = checked(STATEMENTS[id], [level])
    assert [str(tally.disputed) for tally in tallies] == disputed
    assert all("executions says True" in tally.dispute for tally in tallies if tally.disputed)
