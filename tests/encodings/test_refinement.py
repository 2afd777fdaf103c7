"""Refinement and interference as formulas: solvers agree with executions."""

from collections.abc import Iterator, Sequence

import pytest

from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings import occurrence
from sealcheck.encodings import occurrence as run_around
from sealcheck.encodings.occurrence import Match, Outside, Shape, SymbolicInterval, possible_matches, shapes
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram
from sealcheck.encodings.refinement import (
    iterated,
    leaves_open,
    occurs_somewhere,
    refute,
    unbalanced,
    with_event,
)
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.sealing import crosses_in_space
from sealcheck.encodings.solving import Solver, Status, fresh_formulas, open_solver
from sealcheck.errors import Disagreement
from sealcheck.explorers.executions import find_counterexample
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.programs.syntax import barrier, ccl, fits_after, seals, separates, tcc

PROGRAMS = (
    "eps",
    "cut",
    "snd 1->2",
    "rcv 2<-1",
    "mt 1->2",
    "snd 1->2; cut",
    "mt 1->2; cut",
    "mt 1->2; mt 1->2",
    "mt 1->2; mt 2->1",
    "rcv 2<-1; snd 2->1",
    "1.x := 1",
    "[1.x = 0]",
    "mt 1->2 + eps",
    "mt 1->2 (1 -> x); [2.x = 1]",
    "(mt 1->2)*",
)


@pytest.fixture(params=["z3", "cvc5"])
def solver(request: pytest.FixtureRequest) -> Iterator[Solver]:
    with fresh_formulas(), open_solver(request.param, seconds=30) as opened:
        yield opened


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("model", ChannelModel)
def test_agrees_with_executions(solver: Solver, model: ChannelModel, reading: CutReading) -> None:
    """The definition, executed, gives the same verdicts as the solvers."""
    semantics = Semantics(model, reading)
    for left in map(parse, PROGRAMS):
        for right in map(parse, PROGRAMS):
            refuted = refute(left, right, 2, solver, semantics) is not None
            assert refuted == (find_counterexample(left, right, 2, semantics) is not None), (left, right)


@pytest.mark.parametrize(("n", "messages"), [(2, 0), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_sealing_agrees_with_the_algorithm(solver: Solver, n: int, messages: int) -> None:
    for of_p in range(messages + 1):
        for p in Space(n, of_p).programs():
            for q in Space(n, messages - of_p).programs():
                sides = seals(parse(str(p)), parse(str(q)))
                for reading in CutReading:
                    holds = refute(*sides, n, solver, Semantics(reading=reading)) is None
                    assert holds == is_seal(signature(p), signature(q)), (str(p), str(q))


@pytest.mark.parametrize("n", [2, 3])
def test_closed_channels_agree_with_the_signature(solver: Solver, n: int) -> None:
    for p in Space(n, 2).programs():
        for channel in channels(n):
            is_open = leaves_open(parse(str(p)), channel, n, solver) is not None
            assert is_open == (channel in signature(p).open_channels)


EXAMPLES = [
    (tcc(parse("mt 1->2")), ChannelModel.REL, False),
    (tcc(parse("mt 1->2")), ChannelModel.REL_FIFO, True),
    (tcc(parse("mt 1->2; cut")), ChannelModel.REL, True),
    (seals(parse("mt 1->2"), parse("mt 2->1")), ChannelModel.REL, True),
    (seals(parse("mt 1->2"), parse("mt 1->2")), ChannelModel.REL, False),
    (ccl(parse("eps"), parse("mt 1->2"), parse("mt 2->1")), ChannelModel.REL, True),
    (ccl(parse("mt 1->2"), parse("mt 1->2"), parse("eps")), ChannelModel.REL, False),
    (barrier(parse("mt 1->2"), parse("eps"), parse("mt 1->2")), ChannelModel.REL, False),
    (barrier(parse("mt 1->2"), parse("cut"), parse("mt 1->2")), ChannelModel.REL, True),
    (fits_after(parse("mt 2->1"), parse("mt 1->2")), ChannelModel.REL, True),
    (fits_after(parse("mt 1->2"), parse("mt 1->2")), ChannelModel.REL, False),
    (separates(parse("mt 2->1"), parse("mt 1->2"), parse("mt 1->2")), ChannelModel.REL, True),
    (separates(parse("eps"), parse("mt 1->2"), parse("mt 1->2")), ChannelModel.REL, False),
]


@pytest.mark.parametrize(("sides", "model", "holds"), EXAMPLES)
def test_notions(solver: Solver, sides: tuple[object, object], model: ChannelModel, holds: bool) -> None:
    assert (refute(*sides, 2, solver, Semantics(model)) is None) == holds  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "is_balanced"),
    [
        ("mt 1->2", True),
        ("snd 1->2", False),
        ("mt 1->2 + snd 1->2", False),
        ("(mt 1->2)*", True),
        ("rcv 2<-1", False),
    ],
)
def test_balance(solver: Solver, text: str, is_balanced: bool) -> None:
    assert (unbalanced(parse(text), 2, solver) is None) == is_balanced


def test_balance_depends_on_the_reading_of_the_programs_own_cuts(solver: Solver) -> None:
    """After a message that is never received, a cut is silent in the reading MATCHING, not in EMPTY."""
    program = parse("snd 1->2; cut")
    assert unbalanced(program, 2, solver, Semantics(reading=CutReading.MATCHING)) is not None
    assert unbalanced(program, 2, solver, Semantics(reading=CutReading.EMPTY)) is None


@pytest.mark.parametrize("text", ["[false]", "while true do mt 1->2 od", "cut; rcv 1<-2; cut; mt 2->1"])
def test_programs_that_occur_nowhere(solver: Solver, text: str) -> None:
    assert occurs_somewhere(parse(text), 2, solver) is None
    assert refute(parse(text), parse("1.x := 5"), 2, solver) is None


def crowded(shape: Shape, channels: Sequence[Channel]) -> Iterator[Match]:
    """Everything that may be matched, with twice as many events outside."""
    for match in possible_matches(shape, channels):
        yield match
        ends = (match.receive, match.send)
        again = [
            Outside(end.name + "'", end.event, end.earlier) if isinstance(end, Outside) else end
            for end in ends
        ]
        if tuple(again) != ends:
            yield Match(match.name + "'", match.channel, *again)


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("model", ChannelModel)
def test_more_events_outside_change_no_verdict(
    monkeypatch: pytest.MonkeyPatch, model: ChannelModel, reading: CutReading
) -> None:
    """Twice as many events outside refute nothing more."""
    programs = [parse(text) for text in PROGRAMS[:10]]
    pairs = [(left, right) for left in programs for right in programs]
    semantics = Semantics(model, reading)
    found = []
    for around in (possible_matches, crowded):
        monkeypatch.setattr(run_around, "possible_matches", around)
        with fresh_formulas(), open_solver("z3", seconds=30) as z3:  # intervals are kept with their formulas
            found.append([refute(*pair, 2, z3, semantics) is None for pair in pairs])
    assert found[0] == found[1]


def test_a_counterexample_that_is_none_is_a_disagreement(
    solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SymbolicInterval, "holds", lambda self, formula, c: occurrence.TRUE())
    with pytest.raises(Disagreement):
        refute(parse("[false]"), parse("snd 1->2"), 2, solver)


def test_shapes_of_a_repetition() -> None:
    assert len(shapes(parse("(mt 1->2 + eps)*"), 2, 3)) == 4
    assert Channel(1, 2) in {
        event.channel for share in max(shapes(parse("mt 1->2"), 2, 3)) for event in share if event
    }


def test_iterations_have_events() -> None:
    assert [show(p) for p in with_event(parse("(snd 1->2 + cut)*"))] == [
        "(snd 1->2 + cut)*; snd 1->2; (snd 1->2 + cut)*"
    ]
    assert with_event(parse("cut; [true]")) == []
    assert [show(p) for p in iterated(parse("cut; (1.x := 1 + eps)*"), 3)] == [
        "cut; 1.x := 1; 1.x := 1; 1.x := 1"
    ]


def test_only_repetitions_at_the_end_count() -> None:
    assert iterated(parse("(mt 1->2)*; mt 1->2"), 3) == []
    assert [show(p) for p in iterated(parse("(cut; (snd 1->2)*)*"), 2)][-1] == (
        "(cut; (snd 1->2)*)*; cut; snd 1->2; snd 1->2"
    )


def can_cross(p_messages: int, q_messages: int, later_sends: int, *, silent_start: bool = True) -> bool:
    with fresh_formulas():
        layers = [SymbolicProgram(name, 2, m) for name, m in (("P", p_messages), ("Q", q_messages)) if m]
        space = SpaceRun(layers, later_sends=later_sends)
        run = axioms(space.run, [] if silent_start else [Axiom.SILENT_START])
        with open_solver("cadical") as solver:
            answer = solver.ask([*space.well_formed(), *run, crosses_in_space(space, layers[0])])
        assert answer.status is not Status.UNKNOWN
        return answer.status is Status.SAT


@pytest.mark.parametrize(
    ("p_messages", "q_messages", "later_sends", "expected"),
    [(1, 0, 0, False), (1, 0, 1, True), (2, 0, 0, False), (1, 1, 0, True)],
)
def test_what_comes_after_p_crosses(
    p_messages: int, q_messages: int, later_sends: int, expected: bool
) -> None:
    assert can_cross(p_messages, q_messages, later_sends) is expected


def test_what_comes_before_p_does_not_cross_its_end() -> None:
    assert not can_cross(1, 0, 0, silent_start=False)
