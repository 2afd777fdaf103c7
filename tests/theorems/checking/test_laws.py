"""Laws of refinement: false laws are refuted; premises count in each setting."""

import pytest
from tests.theorems.rows import checked, up_to

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.syntax import layered, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.laws import SETTINGS, Law, holding, row, sizes
from sealcheck.theorems.checking.small_programs import tuples
from sealcheck.theorems.checking.statement import Outcome, Statement

LEVELS = [*up_to(1, 2), (2, 1)]
FIFO = Semantics(model=ChannelModel.REL_FIFO)


def tried(law: Law, length: int) -> Statement:
    return row("tried", "", "", law, lambda n, size: tuples(n, size, length), noun="", most={1: 2, 2: 1})


def test_a_refinement_that_is_not_symmetric() -> None:
    """With one process a cut always holds, a guard does not."""
    wrong = Law(premises=(lambda p, q: (p, q),), conclusions=lambda p, q: ((q, p),))
    (tally,) = checked(tried(wrong, 2), LEVELS)
    assert str(tally.refuting) == "P = [1.x = 0]   Q = cut"
    assert tally.disputed is None


def test_a_law_that_is_false_is_explained_by_a_run() -> None:
    wrong = Law(premises=(lambda p: (p, p),), conclusions=lambda p: (tcc(p),))
    with inline() as ask:
        assert wrong.explain(Instance(2, (parse("snd 1->2"),)), ask) == "\n".join(
            [
                "in rel/matching",
                "snd 1->2  refines  snd 1->2: holds",
                "cut; snd 1->2  refines  snd 1->2; cut: refuted by this run",
                "inside: event 1 of process 1, snd 1->2",
                "after:  event 1 of process 2, rcv 2<-1 takes event 1 of process 1",
            ]
        )


def test_premises_count_setting_by_setting() -> None:
    """mt is TCC in RelFi only."""
    same = Law(premises=(tcc,), conclusions=lambda p: (tcc(p),))
    once = Instance(2, (parse("mt 1->2"),))
    with inline() as ask:
        assert same.met(once, ask) == (FIFO,)
        assert same.kept(once, SETTINGS, ask) == (FIFO,)
        assert same.check(once, ask) is Outcome.HOLDS


def test_a_law_has_to_hold_in_every_setting() -> None:
    law = Law(premises=(), conclusions=lambda p: (tcc(p),))
    once = Instance(2, (parse("mt 1->2"),))
    with inline() as ask:
        assert law.met(once, ask) == SETTINGS
        assert law.check(once, ask) is Outcome.FAILS


def test_a_law_is_vacuous_where_no_setting_meets_its_premises() -> None:
    """A lone send is TCC nowhere. Without the premise the conclusion fails, in Rel as well."""
    law = Law(premises=(tcc,), conclusions=lambda p: (tcc(p),))
    lone = Instance(2, (parse("snd 1->2"),))
    with inline() as ask:
        assert law.check(lone, ask) is Outcome.VACUOUS
        assert law.dropping(0).check(lone, ask) is Outcome.FAILS
        assert law.dropping(0).broken(lambda n, size: iter([lone]))(2, 1, ask) == lone


def test_what_breaks_a_law_only_in_relfi_does_not_break_it_in_rel() -> None:
    """Hypotheses are dropped in Rel, in which a transmission is not TCC."""
    law = Law(premises=(tcc,), conclusions=lambda p: ((p, parse("[false]")),))
    once = Instance(2, (parse("mt 1->2"),))
    with inline() as ask:
        assert law.check(once, ask) is Outcome.FAILS
        assert law.broken(lambda n, size: iter([once]))(2, 1, ask) is None


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_all_oracles_answer_in_every_setting(setting: Semantics) -> None:
    lost, once = parse("snd 1->2; cut"), parse("mt 1->2")
    nowhere = (layered(parse("cut"), lost), parse("[false]"))
    with inline() as ask:
        for program in (lost, once, parse("snd 1->2"), parse("1.x := 1")):
            assert ask(REFINES, Instance(2, tcc(program)), setting) in (True, False)
        assert bool(holding([tcc(once)], 2, [setting], ask)) == (setting.model is ChannelModel.REL_FIFO)
        assert bool(holding([nowhere], 2, [setting], ask)) == (setting.reading is CutReading.EMPTY)


def test_all_refinements_have_to_hold() -> None:
    once = parse("mt 1->2")
    with inline(("z3",)) as ask:
        assert holding([(once, once), tcc(once)], 2, SETTINGS, ask) == (FIFO,)
        assert holding([(once, once)], 2, (FIFO, PAPER), ask) == (FIFO, PAPER)
        assert holding([], 2, SETTINGS, ask) == SETTINGS


def test_limits_tell_the_sizes() -> None:
    assert sizes({1: 2, 2: 3}) == (
        "at n = 1, 2 up to 2 atoms and repetitions of any kind;"
        " at n = 2 also up to 3 transmissions and repetitions"
    )
