"""Sealable programs are balanced, under conditions; each condition is needed."""

from dataclasses import replace
from functools import partial

import pytest
from tests.theorems.rows import checked, explained, is_clean

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine, mt, rcv
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle
from sealcheck.questions.whole_language import BALANCED, FINDS_SILENCE
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import unbalanced
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4 import balanced_necessary, balanced_necessary_whole_language
from sealcheck.theorems.section4.balanced_necessary import STATEMENT, candidates, tried
from sealcheck.theorems.section4.balanced_necessary_whole_language import (
    CONDITIONS,
    EXAMPLES,
    PRINTED,
    SILENCE,
    balanced_if,
    can_complete,
    is_balanced,
    is_sealed,
    printed,
    repaired,
    without,
)
from sealcheck.theorems.section4.balanced_necessary_whole_language import STATEMENT as WHOLE_LANGUAGE


def test_candidates_are_what_they_are_said_to_be() -> None:
    found = candidates(2, 2, 2)
    assert len(found) == len(set(found)) == 1 + 4 + 12 + 4
    assert StraightLine.of(2, [rcv(2, 1)]) in found
    assert StraightLine.of(2, mt(1, 2) + mt(2, 1)) in found
    assert len(candidates(3, 1, 0)) == 1 + 12


def test_candidates_are_tried_that_can_complete() -> None:
    lone = StraightLine.of(2, [rcv(2, 1)])
    seals = {pair.q for pair in tried(lone)}
    assert StraightLine.of(2) in seals
    assert StraightLine.of(2, [rcv(1, 2)]) not in seals
    assert all(tried(instance.p) for level in ((2, 1), (2, 2), (3, 1)) for instance in unbalanced(*level))


def test_a_seal_of_an_unbalanced_program_would_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balanced_necessary, "completes", lambda program: True)
    (tally,) = checked(STATEMENT, [(2, 1)])
    assert str(tally.refuting) == "rcv 2<-1"
    lines = explained(STATEMENT, tally.refuting).splitlines()
    assert lines[0] == "sends minus receives of P on 1->2: -1"
    assert "rcv 1<-2" in lines[1]


def test_what_has_a_closed_run_and_no_short_seal_is_not_decided() -> None:
    """Program X has no seal, but a run of its own."""
    x = StraightLine.of(2, [mt(1, 2)[0], mt(2, 1)[0], mt(2, 1)[1], mt(1, 2)[1]])
    about = replace(STATEMENT, domain=Listed("X", lambda n, messages: iter([Instance.of(x)])))
    (tally,) = checked(about, [(2, 2)])
    assert (tally.checked, tally.unknown, tally.refuting) == (1, 1, None)


# --- The whole language -----------------------------------------------------------------------


def pair(p: str, q: str) -> Instance:
    return Instance(2, (parse(p), parse(q)))


CHOICE, WITH_CUT = (pair(*texts) for texts in EXAMPLES)

FEW = [
    pair("mt 1->2", "mt 2->1"),
    pair("mt 1->2", "cut"),
    pair("mt 1->2", "eps"),
    pair("snd 1->2", "cut"),
    pair("snd 1->2; cut", "eps"),
    pair("rcv 1<-2", "rcv 2<-1"),
    CHOICE,
    WITH_CUT,
]


def few(n: int, messages: int):  # type: ignore[no-untyped-def]
    return iter(FEW if (n, messages) == (2, 0) else ())


SOME = replace(WHOLE_LANGUAGE, domain=Listed("pairs", few))


def test_the_printed_theorem_fails_and_the_repaired_one_holds() -> None:
    assert all(is_clean(tally) for tally in checked(WHOLE_LANGUAGE, [(2, 0), (2, 1)]))
    as_printed, as_repaired, _ = checked(SOME, [(2, 0)])
    assert (as_printed.checked, as_printed.vacuous) == (8, 2)
    assert (as_printed.disputed, as_printed.unknown) == (None, 0)
    assert str(as_printed.refuting) == "P = snd 1->2   Q = cut"
    assert is_clean(as_repaired)
    assert (as_repaired.checked, as_repaired.vacuous) == (8, 7)


@pytest.mark.parametrize("reading", CutReading)
def test_a_seal_that_does_what_p_left_undone_seals_what_is_not_balanced(reading: CutReading) -> None:
    """The programs have no silent cut, so both readings agree: P is sealed, and not balanced."""
    assert "cut" not in str(CHOICE)
    with inline() as ask:
        assert balanced_if(CHOICE, ask, PRINTED, Semantics(reading=reading)) is Outcome.FAILS


def test_that_seal_finds_no_silence_where_p_ended() -> None:
    """P may have ended before it received. Then its message is in transit when Q begins."""
    with inline() as ask:
        assert not ask(FINDS_SILENCE, CHOICE)
        assert ask(FINDS_SILENCE, pair("mt 1->2", "mt 2->1"))


@pytest.mark.parametrize(
    ("dropped", "breaking"),
    [
        ("no silent cut in P", "P = snd 1->2; cut   Q = eps"),
        ("no silent cut in Q", "P = snd 1->2   Q = cut"),
        ("Q can complete after P", "P = rcv 1<-2   Q = rcv 2<-1"),
    ],
)
def test_every_condition_of_the_repair_is_needed(dropped: str, breaking: str) -> None:
    with inline() as ask:
        assert str(without(dropped)(2, 2, ask)) == breaking


def test_the_last_condition_is_needed_for_programs_with_choice() -> None:
    """Q seals P, and the example meets all other conditions."""
    with inline() as ask:
        failing = [name for name, met in CONDITIONS.items() if not met(CHOICE, ask, PAPER)]
        assert failing == [SILENCE]
        assert is_sealed(CHOICE, ask)
        assert not is_balanced(CHOICE, ask)
        assert repaired(CHOICE, ask) is Outcome.VACUOUS


def test_without_any_condition_in_its_place_less_breaks_the_repair() -> None:
    with inline() as ask:
        assert str(without(SILENCE)(2, 1, ask)) == "P = rcv 1<-2   Q = eps"
        assert without(SILENCE, is_sealed)(2, 2, ask) is None


def test_what_finds_silence_is_sealed() -> None:
    assert WHOLE_LANGUAGE.domain is not None
    with inline() as ask:
        pairs = [i for i in WHOLE_LANGUAGE.domain.instances(2, 2, 0, 500) if can_complete(i, ask)]
        silent = [instance for instance in pairs if ask(FINDS_SILENCE, instance)]
        assert all(is_sealed(instance, ask) for instance in silent)
        assert 0 < len(silent) < len(pairs)


def test_what_can_not_complete_is_counted_apart() -> None:
    with inline() as ask:
        for check in (printed, repaired):
            assert check(pair("rcv 1<-2", "rcv 2<-1"), ask) is Outcome.VACUOUS


def test_a_repair_that_forgets_the_cuts_is_refuted() -> None:
    kept = tuple(met for name, met in CONDITIONS.items() if "cut" not in name)
    careless = replace(WHOLE_LANGUAGE.claims[1], check=partial(balanced_if, conditions=kept))
    (tally,) = checked(replace(SOME, claims=(careless,)), [(2, 0)])
    assert str(tally.refuting) == "P = snd 1->2   Q = cut"


def test_an_oracle_that_overlooks_imbalance_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = Oracle("executions", lambda instance, semantics: True)
    changed = replace(BALANCED, oracles=(blind,))
    monkeypatch.setattr(balanced_necessary_whole_language, "BALANCED", changed)
    as_printed, *_ = checked(SOME, [(2, 0)])
    assert str(as_printed.disputed) == "P = snd 1->2   Q = cut"


@pytest.mark.parametrize(
    ("instance", "reason"),
    [(CHOICE, "the cut between P and Q is silent"), (WITH_CUT, "the silent cut rules out")],
)
def test_the_explanation_gives_the_reason(instance: Instance, reason: str) -> None:
    lines = explained(WHOLE_LANGUAGE, instance)
    assert "snd 1->2" in lines
    assert reason in lines
