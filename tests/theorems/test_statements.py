"""Every statement at small levels: all oracles agree, and claims are refuted as the manifest has it.

The default audit says the same up to its bounds, with the numbers of instances: see `test_manifest`.
"""

from dataclasses import replace
from types import ModuleType

import pytest
from tests.manifest import expected
from tests.theorems.rows import checked, is_clean, up_to

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle
from sealcheck.theorems.checking.statement import Statement, Tally
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.section3 import definitions_agree, diverging_seals, mt_seals
from sealcheck.theorems.section4 import no_barrier_whole_language, tcc_impossibility_whole_language
from sealcheck.theorems.section5 import while_exchange

ROWS = {(row["statement"], row["claim"]): row for row in expected()}
LEVELS = {"messages": [*up_to(2, 3), (3, 0), (3, 1), (3, 2)], "atoms": [*up_to(1, 2), (2, 0), (2, 1)]}
SLOW = {
    "figure-P-prime": {(3, 2)},
    "while-exchange": {(2, 2), (3, 2)},
    "balanced-necessary": {(2, 3), (3, 2)},
    "definitions-agree-balanced": {(2, 3), (3, 2)},
    "seal-algebra-6": {(3, 2)},
}
"""Levels that take seconds: `test_refuted` has the first two, and the audit has all of them."""


@pytest.mark.parametrize(
    "about", [about for about in STATEMENTS.values() if about.domain], ids=lambda about: about.id
)
def test_every_claim_on_every_instance(about: Statement) -> None:
    """No instance is missing, nothing is disputed or unknown, and counterexamples are those on record."""
    domain = about.domain
    assert domain is not None
    bounded = LEVELS["messages" if about.measure == "messages" else "atoms"]
    levels = [level for level in bounded if level not in SLOW.get(about.id, ())]
    instances = [each for level in levels for each in domain.instances(*level, 0, domain.size(*level))]
    assert len(instances) == sum(domain.expected(*level) for level in levels)
    for claim, tally in zip(about.claims, checked(about, levels), strict=True):
        row = ROWS[about.id, claim.text]
        assert (tally.disputed, tally.unknown) == (None, 0)
        assert tally.checked == (len(instances) if claim.check else 0)
        on_record = row["counterexample"]["programs"] if row["counterexample"] else None
        is_there = on_record in [list(instance.texts) for instance in instances]
        assert (tally.refuting and list(tally.refuting.texts)) == (on_record if is_there else None)


@pytest.mark.parametrize("name", ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"])
def test_the_sat_solver_agrees_too(name: str) -> None:
    """CaDiCaL, which orders events by Booleans and not by clocks, sees the same; z3 up to (3, 3), too."""
    assert all(tally.checked and is_clean(tally) for tally in checked(STATEMENTS[name], [(2, 3)], SOLVERS))
    assert all(tally.checked and is_clean(tally) for tally in checked(STATEMENTS[name], [(3, 3)], ("z3",)))


def test_smaller_counterexamples_are_kept() -> None:
    """Of two counterexamples the one with fewer processes, then fewer messages, is kept."""
    tally = Tally()
    small, large = Instance.of(StraightLine.of(2)), Instance.of(StraightLine.of(3))
    for instance in (large, small, large):
        tally.refute(instance)
    assert tally.refuting == small


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
