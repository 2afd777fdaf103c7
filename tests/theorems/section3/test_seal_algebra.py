"""The algebra of seals, for small programs of the whole language."""

import pytest
from tests.theorems.rows import checked

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.programs.syntax import layered, seals
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.laws import SETTINGS, Law, row
from sealcheck.theorems.checking.small_programs import triples
from sealcheck.theorems.checking.statement import Form, Statement, Tally, Verdict
from sealcheck.theorems.checking.verdicts import bounded_verdict, on_record, verdict_on
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.section2.refinement_order import STATEMENTS as REFINEMENT
from sealcheck.theorems.section3.layers_are_ccl import STATEMENTS as LAYERS
from sealcheck.theorems.section3.seal_algebra import (
    ITEM_1,
    ITEM_3,
    ITEM_4,
    ITEM_5,
    ITEM_6,
    LAW_1,
    LAW_2,
    LAW_3,
    LAW_4,
    LAW_5,
    diverging,
    repeatable,
    where_sealed_by_all,
    where_tcc,
)
from sealcheck.theorems.section3.seal_algebra import ITEM_2 as LAW_2_ROW
from sealcheck.theorems.section3.seal_algebra_straight import ITEM_3 as ITEM_3_OF_BSLS
from sealcheck.theorems.section3.seal_algebra_straight import ITEM_4 as ITEM_4_OF_BSLS
from sealcheck.theorems.section3.seal_algebra_straight import ITEM_6 as ITEM_6_OF_BSLS
from sealcheck.theorems.section3.tcc_programs import STATEMENTS as TCC_PROGRAMS

IN_ALL = ("rel/matching", "rel/empty", "rel-fifo/matching")


def test_how_unspecified_values_are_read_is_said() -> None:
    """Item 5 is refuted in the reading in which an unspecified expression has the same value in all runs."""
    printed = ITEM_5.claims[0]
    choice = "for each choice of one value per process and expression"
    assert "each of its expressions has one value, the same in all runs" in printed.text
    assert all(choice in theorem.of for theorem in printed.refutations)


def test_only_theorems_decide_what_is_said_of_infinite_intervals() -> None:
    """Item 5 fails over infinite intervals. No check speaks for it."""
    printed, finite, repaired = ITEM_5.claims
    assert [bool(claim.not_boundable) for claim in ITEM_5.claims] == [True, False, True]
    assert [claim.form for claim in ITEM_5.claims] == [Form.AS_PRINTED, Form.REPAIRED, Form.REPAIRED]
    nothing = Tally()
    assert bounded_verdict(ITEM_5, printed, nothing, None) is Verdict.NOT_BOUNDABLE
    assert verdict_on(ITEM_5, printed, nothing, None) is Verdict.REFUTED
    assert verdict_on(ITEM_5, finite, nothing, None) is Verdict.PROVED
    assert verdict_on(ITEM_5, repaired, nothing, None) is Verdict.PROVED
    assert {theorem.file for theorem in on_record(printed.refutations)} == {"InfiniteRefutations.v"}
    assert {theorem.file for theorem in on_record(repaired.theorems)} == {"InfiniteSealAlgebra.v"}
    assert [theorem.name for theorem in on_record(finite.theorems)] == ["seal_algebra_5"]


@pytest.mark.parametrize("name", ["seal-algebra-5", "tcc-impossibility-whole-language"])
def test_claims_that_fail_over_infinite_intervals_say_which_intervals_they_are_about(name: str) -> None:
    finite = next(c for c in STATEMENTS[name].claims if c.theorems and not c.not_boundable)
    assert "over finite intervals" in finite.text.partition(". ")[0]


ALL_INTERVALS = (
    *(ITEM_1, LAW_2_ROW, ITEM_3, ITEM_4, ITEM_3_OF_BSLS, ITEM_4_OF_BSLS, ITEM_6, ITEM_6_OF_BSLS),
    *(*TCC_PROGRAMS, *LAYERS, *REFINEMENT),
)


@pytest.mark.parametrize("about", ALL_INTERVALS, ids=lambda about: about.id)
def test_rows_about_all_intervals_name_theorems_about_both_kinds(about: Statement) -> None:
    of = [theorem.of for theorem in about.claims[0].theorems]
    assert [("; finite intervals" in each, "finite and infinite intervals" in each) for each in of] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    ("law", "texts", "settings"),
    [
        (LAW_1, ("mt 1->2", "mt 1->2; mt 1->2", "mt 2->1"), IN_ALL),
        (LAW_4, ("mt 1->2", "mt 2->1", "mt 1->2"), IN_ALL),
        (LAW_5, ("mt 1->2; mt 2->1",), IN_ALL),
        (LAW_5, ("mt 1->2",), ("rel-fifo/matching",)),
        (LAW_5, ("snd 1->2; cut",), IN_ALL),
        (LAW_4, ("snd 1->2", "cut", "1.x := 1"), IN_ALL),
    ],
)
def test_programs_that_meet_the_premises(law: Law, texts: tuple[str, ...], settings: tuple[str, ...]) -> None:
    instance = Instance(2, tuple(map(parse, texts)))
    with inline() as ask:
        met = law.met(instance, ask)
        assert tuple(map(str, met)) == settings
        assert law.kept(instance, met, ask) == met


@pytest.mark.parametrize(
    ("law", "left", "right"),
    [
        (LAW_1, "cut; (eps + snd 1->2); mt 2->1", "(eps + snd 1->2); cut; mt 2->1"),
        (LAW_2, "cut; eps; (snd 1->2 + mt 2->1)", "eps; cut; (snd 1->2 + mt 2->1)"),
        (LAW_3, "cut; eps; snd 1->2; mt 2->1", "eps; cut; snd 1->2; mt 2->1"),
        (LAW_4, "cut; eps; snd 1->2; mt 2->1", "eps; snd 1->2; cut; mt 2->1"),
    ],
)
def test_what_is_concluded(law: Law, left: str, right: str) -> None:
    """P = eps, Q = snd 1->2 and R = mt 2->1."""
    (sides,) = law.conclusions(*map(parse, ("eps", "snd 1->2", "mt 2->1")))
    assert tuple(map(show, sides)) == (left, right)


def test_repetitions_and_lone_receives_are_left_out_of_item_5() -> None:
    found = {i.texts[0] for i in repeatable(2, 2)}
    assert {"mt 1->2; mt 2->1", "snd 1->2; cut", "eps + mt 1->2"} <= found
    assert not {"(mt 1->2)*", "rcv 2<-1; cut", "mt 1->2; rcv 2<-1"} & found


def test_a_seal_that_is_moved_away_is_refuted() -> None:
    moved = Law(LAW_4.premises[:1], lambda p, q, r: (seals(p, layered(r, q)),))
    wrong = row("wrong", "", "", moved, triples, noun="triples", most={2: 3})
    (tally,) = checked(wrong, [(2, 0), (2, 1), (2, 3)], ("z3",))
    assert str(tally.refuting) == "P = mt 1->2   Q = mt 2->1   R = mt 1->2"
    assert tally.disputed is None


# --- Item 2: a choice of seals ----------------------------------------------------------------


def test_each_seal_is_looked_at() -> None:
    instance = Instance(1, (parse("eps"), parse("(1.x := 1)*"), parse("eps")))
    programs = [parse("(1.x := 1)*"), parse("eps"), parse("eps + (1.x := 1)*")]
    with inline() as ask:
        assert diverging(instance, programs, [PAPER, PAPER], ask) == [(True, False, True)] * 2


FIFO = (Semantics(model=ChannelModel.REL_FIFO),)


# --- Item 6: TCC programs are those that all programs seal ------------------------------------


@pytest.mark.parametrize(
    ("text", "settings"), [("snd 1->2; cut", SETTINGS), ("mt 1->2", FIFO), ("snd 1->2", ())]
)
def test_all_kinds_of_programs_are_there(text: str, settings: tuple[Semantics, ...]) -> None:
    instance = Instance(2, (parse(text),))
    with inline() as ask:
        assert where_tcc(instance, ask) == where_sealed_by_all(instance, ask) == settings


def test_an_oracle_that_overlooks_divergence_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """(1.x := 1)* diverges."""
    monkeypatch.setattr(whole_language, "ends_with_repetition", lambda program: False)
    first, *others = checked(LAW_2_ROW, [(1, 1), (1, 2)])
    assert first.disputed is None
    for tally in others:
        assert str(tally.disputed) == "P = eps   Q = (1.x := 1)*   R = eps"
        assert "executions says False" in tally.dispute
