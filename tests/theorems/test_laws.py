"""Laws of refinement: the two of section 2.3 hold, false ones are refuted, wrong ways are disputed."""

import pytest
from tests.theorems.rows import checked, up_to, without

from sealcheck.encodings.solving import open_solver
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import seals, tcc
from sealcheck.programs.syntax import layered
from sealcheck.theorems import laws, refinement_order
from sealcheck.theorems.checking import Tally
from sealcheck.theorems.laws import IN_REL, SETTINGS, Law, Setting, outside, played, row, sizes, solved_by
from sealcheck.theorems.small_programs import tuples
from sealcheck.theorems.statement import Instance, Statement

PREORDER, MONOTONE = refinement_order.STATEMENTS
LEVELS = [*up_to(1, 2), (2, 1)]


def is_kept(tally: Tally) -> bool:
    """Whether some instance met the hypotheses, and nothing was refuted, disputed or unknown."""
    found = tally.refuting, tally.disputed, tally.unknown
    return tally.vacuous < tally.checked and found == ({}, None, 0)


def tried(law: Law, length: int) -> Statement:
    """A statement about all tuples of programs of one atom at most, and two at n = 1."""
    return row(
        "tried",
        "",
        "",
        law,
        lambda n, size: tuples(n, size, length),
        noun="",
        most={1: 2, 2: 1},
        per_shard=1,
    )


@pytest.mark.parametrize("about", [PREORDER, MONOTONE], ids=lambda s: s.id)
def test_refinement_is_a_preorder_and_constructs_are_monotone(about: Statement) -> None:
    """Both claims hold of all programs of one atom, and of two at n = 1, says each way."""
    assert is_kept(checked(about, LEVELS))


def test_what_breaks_without_premises() -> None:
    """The smallest programs for which the conclusion fails once a premise is dropped."""
    assert without(PREORDER, 1, 2) == {
        "P refines Q": "P = 1.x := 1   Q = eps   R = cut",
        "Q refines R": "P = eps   Q = cut   R = 1.x := 1",
    }
    assert without(MONOTONE, 1, 1) == {"P refines Q": "P = eps   Q = 1.x := 1   R = eps"}


def test_every_construct_is_asked_about() -> None:
    """Layered before and after, chosen, and repeated."""
    p, q, r = map(parse, ("snd 1->2", "mt 1->2", "cut"))
    found = refinement_order.in_all_constructs(p, q, r)
    assert [tuple(map(show, sides)) for sides in found] == [
        ("snd 1->2; cut", "mt 1->2; cut"),
        ("cut; snd 1->2", "cut; mt 1->2"),
        ("snd 1->2 + cut", "mt 1->2 + cut"),
        ("(snd 1->2)*", "(mt 1->2)*"),
    ]


def test_a_refinement_that_is_not_symmetric() -> None:
    """That what refines is refined back is refuted: with one process a cut always holds, a guard does not."""
    wrong = Law(premises=(lambda p, q: (p, q),), conclusions=lambda p, q: ((q, p),))
    tally = checked(tried(wrong, 2), LEVELS)
    assert str(tally.refuting[0]) == "P = [1.x = 0]   Q = cut"
    assert tally.disputed is None


def test_a_false_law_is_told_by_a_run() -> None:
    """The story of a refuted law names the setting, what holds, and a run against the conclusion."""
    wrong = Law(premises=(lambda p: (p, p),), conclusions=lambda p: (tcc(p),))
    assert wrong.story(Instance(2, (parse("snd 1->2"),))) == "\n".join(
        [
            "in rel/matching",
            "snd 1->2  refines  snd 1->2: holds",
            "cut; snd 1->2  refines  snd 1->2; cut: a run is against it",
            "inside: event 1 of 1, snd 1->2",
            "after:  event 1 of 2, rcv 2<-1 takes event 1 of 1",
        ]
    )


def test_a_way_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays with no event before or after the interval do not tell a cut from eps; the solvers do."""
    played.cache_clear()
    monkeypatch.setattr(laws, "outside", lambda program: 0)
    tally = checked(PREORDER, [(2, 1), (2, 2)], ("z3",))
    played.cache_clear()
    assert tally.disputed is not None


def test_premises_count_setting_by_setting() -> None:
    """A law is tried where its premises hold: mt is TCC in RelFi only."""
    same = Law(premises=(tcc,), conclusions=lambda p: (tcc(p),))
    once = Instance(2, (parse("mt 1->2"),))
    assert same.when_played(once) == (("rel-fifo/matching",), ("rel-fifo/matching",))
    assert same.predicts(once) == same.when_played(once)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_both_ways_answer_in_every_setting(setting: Setting) -> None:
    """Playing and solving agree in each model and reading, whose verdicts do differ."""
    lost, once = parse("snd 1->2; cut"), parse("mt 1->2")
    with open_solver("z3") as solver:
        for program in (lost, once, parse("snd 1->2"), parse("1.x := 1")):
            sides = tcc(program)
            assert played(sides, 2, setting) == solved_by(solver)(sides, 2, setting)
    assert played(tcc(once), 2, setting) == (setting.model is Model.REL_FIFO)
    occurs_nowhere = played((layered(parse("cut"), lost), parse("[false]")), 2, setting)
    assert occurs_nowhere == (setting.reading is CutReading.EMPTY)


def test_a_solver_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to a question is kept as long as the solver is open."""
    sides = seals(parse("mt 1->2"), parse("mt 2->1"))
    with open_solver("z3") as solver:
        assert solved_by(solver)(sides, 2, IN_REL)
        monkeypatch.setattr(laws, "holds_when_solved", None)
        assert solved_by(solver)(sides, 2, IN_REL)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cut; eps", 1),
        ("eps", 2),
        ("cut; snd 1->2; rcv 2<-1", 1),
        ("cut; rcv 2<-1; snd 1->2", 2),
        ("cut; (rcv 2<-1 + rcv 2<-1; rcv 1<-2)*", 3),
    ],
)
def test_plays_have_an_event_for_what_lone_receives_take(text: str, expected: int) -> None:
    """One that interferes, one more if messages may cross, and one for each receive without its send."""
    assert outside(parse(text)) == expected


def test_limits_tell_the_sizes() -> None:
    """Where transmissions go further than other atoms, both sizes are told."""
    assert sizes({1: 2, 2: 3}) == (
        "at n = 1 up to 2 atoms and repetitions of any kind;"
        " at n = 2 up to 2 atoms and repetitions of any kind, and up to 3 transmissions and repetitions"
    )
