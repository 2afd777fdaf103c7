"""Layouts have no overlaps, and pictures of long runs show what matters."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing.geometry import along, crossed, outside, overlaps, wrong_line
from tests.strategies import balanced_programs, process_names, unhurried

from sealcheck.algorithms.sealing import decide
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.making import of_program, of_run, of_sealing
from sealcheck.drawing.picture import Folded, Picture, folded
from sealcheck.drawing.scene import Line, Mark, Role, meet
from sealcheck.language.names import Names
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.runs import Run
from sealcheck.programs.straight_line import Event, StraightLine, mt, rcv, snd

SIZES = {"max_n": 8, "max_messages": 10}
"""Sizes of programs; two of them have at most forty events."""


@st.composite
def pictures(draw: st.DrawFn, self_channels: bool = False) -> Picture:
    p, q = draw(balanced_programs(2, self_channels=self_channels, **SIZES))
    names = Names(tuple(draw(st.lists(process_names(40), min_size=p.n, max_size=p.n))))
    if draw(st.booleans()):
        return of_program({"P": p, "a rather long name of a layer, too long": q}, names)
    return of_sealing(p, q, decide(p, q), names)


def distance(line: Line, x: float, y: float) -> float:
    (a, b), (c, d) = line.points[0], line.points[-1]
    return abs(b + (d - b) * (x - a) / (c - a) - y)


def largest(seed: int) -> Picture:
    random, sent = Random(seed), list[list[int]]()
    events: tuple[list[Event], list[Event]] = ([], [])
    for program in events:
        left = 10
        while left or sent:
            if left and (not sent or random.random() < 0.6):
                sent.append(random.sample(range(1, 9), 2))
                program.append(snd(*sent[-1]))
                left -= 1
            else:
                sender, receiver = sent.pop(random.randrange(len(sent)))
                program.append(rcv(receiver, sender))
    p, q = (StraightLine.of(8, program) for program in events)
    return of_sealing(p, q, decide(p, q)) if seed % 2 else of_program({"P": p, "Q": q})


@pytest.mark.parametrize("seed", range(40))
def test_the_largest_pictures_overlap_nowhere(seed: int) -> None:
    picture = largest(seed)
    assert len(picture.run.order) >= 40
    scene = arrange(picture, everything=True)
    assert overlaps(scene) == []
    assert outside(scene) == []
    if picture.wrong is not None:
        (label,) = (label for label in scene.labels if label.role is Role.NOTE)
        assert along(label, wrong_line(scene))


def test_the_label_of_the_wrong_message_is_beside_the_one_that_it_overtakes() -> None:
    there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    for once in (there, back):
        scene = arrange(of_sealing(once, once, decide(once, once)))
        (label,) = (label for label in scene.labels if label.role is Role.NOTE)
        assert label.text == "of Q, taken in P"
        lines = [line.points for line in scene.lines if line.message is not None]
        lines += [((lane.x, lane.top), (lane.x, lane.bottom)) for lane in scene.lanes]
        assert not any(meet(label.outline, line) for line in lines)


def test_lines_run_through_few_numbers() -> None:
    scenes = [arrange(largest(seed), everything=True) for seed in range(10)]
    beside = sum(label.role in (Role.NUMBER, Role.BADGE) for scene in scenes for label in scene.labels)
    assert sum(len(crossed(scene)) for scene in scenes) <= beside / 50


@unhurried
@given(pictures())
def test_nothing_lies_on_anything_else(picture: Picture) -> None:
    scene = arrange(picture, everything=True)
    assert overlaps(scene) == []
    assert outside(scene) == []
    events = [dot for dot in scene.dots if dot.mark is not Mark.DUMMY]
    for line in scene.lines:
        if line.message is not None and None not in line.ends:
            left, right = sorted((line.points[0][0], line.points[-1][0]))
            for dot in events:
                if left < dot.at[0] < right:
                    assert distance(line, *dot.at) >= 9.9


@unhurried
@given(pictures(self_channels=True))
def test_time_goes_down_along_processes_and_messages(picture: Picture) -> None:
    assert overlaps(arrange(picture)) == []
    scene = arrange(picture, everything=True)
    heights = {dot.place: dot.at[1] for dot in scene.dots if dot.place is not None}
    assert heights.keys() == set(picture.run.order)
    for place, y in heights.items():
        before = place._replace(position=place.position - 1)
        assert before not in heights or heights[before] < y
        source = picture.run.matching.get(place)
        assert source is None or heights[source] < y


def test_a_run_in_which_nothing_happens() -> None:
    empty = StraightLine.of(2)
    scene = arrange(of_run(Run(empty, (), {}), {"P": empty}, "nothing"))
    assert [band.layer for band in scene.bands] == ["P"]
    assert [lane.process for lane in scene.lanes] == [1, 2]


def test_overtaking_crosses() -> None:
    twice = StraightLine.of(2, mt(1, 2))
    scene = arrange(of_sealing(twice, twice, decide(twice, twice)))
    first, second = (line for line in scene.lines if line.message is not None)
    wrong = next(line for line in scene.lines if line.look == "wrong")
    assert wrong in (first, second)
    assert wrong.points[0][1] > min(line.points[0][1] for line in (first, second))


def test_layers_that_follow_each_other_have_level_bands() -> None:
    p = parse_straight_line("mt 1->2; mt 2->3", 3)
    first, second = arrange(of_program({"A": p, "B": p})).bands
    (height,) = {y for _, y in first.outline} & {y for _, y in second.outline}
    dots = [dot for dot in arrange(of_program({"A": p, "B": p})).dots if dot.place]
    assert sum(dot.at[1] < height for dot in dots) == sum(dot.at[1] > height for dot in dots) == 4


def test_every_event_is_drawn_or_folded() -> None:
    for messages in range(1, 6):
        picture = of_program({"P": StraightLine.of(2, mt(1, 2) * messages)})
        order = picture.run.order
        for most in range(len(order) + 1):
            at = 0
            for each in folded(picture, most):
                if isinstance(each, Folded):
                    assert each.count > 2
                    at += each.count
                else:
                    assert each == order[at]
                    at += 1
            assert at == len(order)
