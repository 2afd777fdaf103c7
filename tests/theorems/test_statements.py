"""Every statement at small levels: all oracles agree, and claims are refuted as the manifest has it.

`test_manifest` compares the default audit with the manifest.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pysmt.shortcuts import TRUE
from tests.manifest import expected
from tests.theorems.rows import Levels, checked, is_clean, up_to

from sealcheck.algorithms.program_graph import normal_edges
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.explorers import channel_contents
from sealcheck.explorers.matching_functions import Matching, executed_matchings
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.questions.closed_channels import CLOSED_RUN
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import KEEPS_APART
from sealcheck.questions.question import Oracle, Question
from sealcheck.questions.whole_language import BALANCED, OCCURS, REFINES
from sealcheck.theorems.checking.statement import Statement, Tally
from sealcheck.theorems.registry import STATEMENTS

ROWS = {(row["statement"], row["claim"]): row for row in expected()}
LEVELS = {"messages": [*up_to(2, 3), (3, 0), (3, 1), (3, 2)], "atoms": [*up_to(1, 2), (2, 0), (2, 1)]}
SLOW = {
    "figure-P-prime": {(3, 2)},
    "while-exchange": {(2, 2), (3, 2)},
    "balanced-necessary": {(2, 2), (2, 3), (3, 2)},
    "definitions-agree-balanced": {(2, 3), (3, 2)},
    "definitions-agree-seals": {(3, 2)},
    "mt-ack-self-seals": {(3, 2)},
    "seal": {(3, 2)},
    "seal-algebra-6": {(2, 3), (3, 2)},
    "seal-construction": {(3, 2)},
}
"""Levels that take seconds. `test_refuted` has the first two, and the audit has all of them."""


@pytest.mark.parametrize(
    "about", [about for about in STATEMENTS.values() if about.domain], ids=lambda about: about.id
)
def test_every_claim_on_every_instance(about: Statement) -> None:
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
    """CaDiCaL orders events by Booleans, not by clocks. z3 is asked up to (3, 3)."""
    assert all(tally.checked and is_clean(tally) for tally in checked(STATEMENTS[name], [(2, 3)], SOLVERS))
    assert all(tally.checked and is_clean(tally) for tally in checked(STATEMENTS[name], [(3, 3)], ("z3",)))


def test_smaller_counterexamples_are_kept() -> None:
    tally = Tally()
    small, large = Instance.of(StraightLine.of(2)), Instance.of(StraightLine.of(3))
    for instance in (large, small, large):
        tally.refute(instance)
    assert tally.refuting == small


def answering(question: Question[Any], oracle: str, answer: Callable[[Instance], bool]) -> Question[Any]:
    return replace(question, oracles=(Oracle(oracle, lambda instance, semantics: answer(instance)),))


def saying_yes(question: Question[Any]) -> Question[Any]:
    """The question, if executions always said yes."""
    return answering(question, "executions", lambda instance: True)


CONTENTS, MATCHINGS = "explorers.channel_contents", "executed_matchings"
FIND, OUTSIDE = "questions.whole_language.find_counterexample", "questions.whole_language.events_outside"
LOOP = "P = eps   Q = ([true]; 1.x := 5; 2.x := 17)*; [not true]"
DIVERGING = "P = eps   Q = (1.x := 1)*   R = eps"
YES, NO = "executions says True", "executions says False"
honest = channel_contents.crossed_channels


def some_run(*args: object, **options: object) -> str:
    """An oracle that has a run against everything: nothing is a CCL, or TCC."""
    return "some run"


def nothing_outside(program: object, reading: object) -> int:
    """Executions without events outside: a cut is not told from eps, and nothing interferes."""
    return 0


def not_of_two(p: StraightLine, q: StraightLine) -> frozenset[Channel]:
    return frozenset() if p.messages == 2 else honest(p, q)


def from_bags(program: StraightLine, model: object) -> frozenset[Matching]:
    """Executions that take messages in any order, even if channels are FIFO."""
    return executed_matchings(program)


WRONG: list[tuple[str, Any, str, Levels, list[str], str]] = [
    # executions without interference, without a false guard, or without imbalance
    ("theorems.section3.definitions_agree.BALANCED", saying_yes(BALANCED),
     "definitions-agree-balanced", [(2, 1)], ["rcv 2<-1"], YES),
    ("theorems.section3.mt_seals.REFINES", saying_yes(REFINES),
     "mt-not-self-sealing", [(2, 1)], ["mt 1->2"], YES),
    ("theorems.section3.diverging_seals.OCCURS", saying_yes(OCCURS),
     "diverging-seals", [(2, 0)], [LOOP, LOOP], YES),
    ("theorems.section4.tcc_impossibility.REFINES", saying_yes(REFINES),
     "tcc-impossibility-whole-language", [(2, 1)], ["rcv 1<-2"] * 2, YES),
    ("theorems.section4.no_barrier_whole_language.KEEPS_APART", saying_yes(KEEPS_APART),
     "no-barrier-whole-language", [(2, 0)], ["eps"] * 2, YES),
    (OUTSIDE, nothing_outside, "refinement-preorder", [(2, 1), (2, 2)],
     ["P = cut   Q = eps   R = cut"], "executions says"),
    (OUTSIDE, nothing_outside, "seal-algebra-5", [(2, 0), (2, 1)], ["snd 1->2"], YES),
    (FIND, some_run, "layers-are-ccl", [(1, 0)], ["P = eps   Q = eps"], NO),
    (FIND, some_run, "seal-algebra-6-whole-language", [(2, 0)], ["eps"], NO),
    (FIND, some_run, "tcc-basic", [(1, 0)], ["eps"], NO),
    ("questions.whole_language.ends_with_repetition", lambda program: False,
     "seal-algebra-2", [(1, 1), (1, 2)], ["None", DIVERGING, DIVERGING], NO),
    # a scheduler that lets cyclic matchings through
    ("questions.causality._all_happen", lambda instance, matching: True,
     "interleaving-exists", up_to(2, 3), ["rcv 1<-2; mt 1->2; snd 2->1"], "scheduling says"),
    # an explorer for which everything seals everything, channels are closed, or order is not transitive
    (f"{CONTENTS}.seals", lambda p, q: True,
     "seal-algebra-4", up_to(2, 1), ["P = eps   Q = mt 1->2   R = eps"], "explorer says True"),
    (f"{CONTENTS}.crossed_channels", lambda p, q: frozenset(),
     "closed-channels", up_to(2, 2), ["mt 1->2"], "explorer says"),
    (f"{CONTENTS}.crossed_channels", not_of_two,
     "tcc-impossibility", up_to(2, 2), ["mt 1->2; mt 1->2"], "explorer says"),
    (f"{CONTENTS}.ordered_pairs", lambda p: frozenset(normal_edges(p)),
     "graph-cause-largest", up_to(2, 2), ["mt 1->2; mt 1->2"], "explorer says"),
    # solvers, or executions, that do not know that channels are FIFO
    ("encodings.given.oldest_first", lambda given: TRUE(),
     "fifo-causality", up_to(2, 2), ["mt 1->2; mt 1->2"], "z3 says"),
    (f"questions.causality.{MATCHINGS}", from_bags,
     "fifo-causality", up_to(2, 2), ["mt 1->2; mt 1->2"], "says"),
    (f"questions.closed_channels.{MATCHINGS}", from_bags,
     "balanced-tcc-rel-fifo", up_to(2, 2), ["mt 1->2", "mt 1->2"], "says"),
    # an oracle that counts receives of P only, and one for which P is always eps
    ("theorems.section4.balanced_necessary.CLOSED_RUN",
     answering(CLOSED_RUN, "executions", lambda instance: instance.messages > 0),
     "balanced-necessary", [(2, 1)], ["snd 2->1"], YES),
    ("theorems.section4.no_barrier.KEEPS_APART",
     answering(KEEPS_APART, "explorer", lambda instance: not instance.q.messages),
     "no-barrier", [(2, 0)], ["eps"], "explorer says True"),
]  # fmt: skip
"""For each row: a wrong oracle, a statement, the disputed instance of each claim, and the oracles that
object."""


@pytest.mark.parametrize(
    ("name", "value", "id", "levels", "disputed", "said"), WRONG, ids=[row[2] for row in WRONG]
)
def test_an_oracle_that_is_wrong_is_disputed(
    name: str,
    value: Any,
    id: str,
    levels: Levels,
    disputed: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"sealcheck.{name}", value)
    about = STATEMENTS[id]
    pairs = zip(about.claims, checked(about, levels, ("z3",)), strict=True)
    tallies = [tally for claim, tally in pairs if claim.check]
    assert [str(tally.disputed) for tally in tallies] == disputed
    assert all(said in tally.dispute for tally in tallies if tally.disputed)
    assert id not in {"closed-channels", "tcc-impossibility"} or tallies[0].refuting is None
