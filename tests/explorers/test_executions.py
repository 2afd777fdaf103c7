"""The explorer of the whole language, and occurrence, compared with definitions and examples."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, permutations, product
from typing import Any

import pytest

from sealcheck.errors import InputError
from sealcheck.explorers import channel_contents
from sealcheck.explorers.executions import (
    Remembered,
    _executions_of_path,
    _occurrences,
    executions,
    find_counterexample,
)
from sealcheck.explorers.occurrence import ends, occurs, value
from sealcheck.language.parser import parse
from sealcheck.programs.runs import Frontier, GlobalRun, LocalEvent, Place
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, Event, mt
from sealcheck.programs.syntax import Integer, Negation, Product, Sum, Variable, seals, starts_silent, tcc


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (2, 3), (3, 1)])
def test_sealing_agrees_with_the_explorer_of_straight_line_programs(n: int, messages: int) -> None:
    for of_p in range(messages + 1):
        for p in Space(n, of_p).programs():
            for q in Space(n, messages - of_p).programs():
                refuted = find_counterexample(*seals(parse(str(p)), parse(str(q))), n, outside=1)
                assert (refuted is None) == channel_contents.seals(p, q), (str(p), str(q))


@pytest.mark.parametrize("model", ChannelModel)
@pytest.mark.parametrize(
    "text", ["mt 1->2 (1.x -> y)", "mt 1->2; mt 1->2", "rcv 2<-1; snd 1->2", "(mt 1->2)*"]
)
def test_executions_are_runs_of_their_model(text: str, model: ChannelModel) -> None:
    found = list(executions(parse(text), 2, Semantics(model)))
    assert found
    for run, c, d in found:
        run.check(model)
        assert occurs(run, c, d, parse(text))


@pytest.mark.parametrize(("text", "contents"), [("rcv 2<-1 (y)", {0, 1}), ("rcv 2<-1", {0})])
def test_a_message_may_hold_anything_where_it_is_stored(text: str, contents: set[int]) -> None:
    found = {event.content for run, _, _ in executions(parse(text), 2, outside=1) for event in run.events[0]}
    assert found == contents


@cache
def all_runs(most: int, model: ChannelModel) -> tuple[GlobalRun, ...]:
    """All runs of two processes up to a number of sends and receives, without data."""
    return tuple(
        run for k in range(most + 1) for first in range(k + 1) for run in _runs(first, k - first, model)
    )


def _runs(first: int, second: int, model: ChannelModel) -> Iterator[GlobalRun]:
    there, back = mt(1, 2), mt(2, 1)
    for share in product((there[0], back[1]), repeat=first):
        for other in product((back[0], there[1]), repeat=second):
            shares = (share, other)
            events = tuple(tuple(map(LocalEvent, share)) for share in shares)
            states = tuple(({},) * (len(share) + 1) for share in shares)
            for matching in _matchings(shares):
                run = GlobalRun(events, states, matching)
                if _is_run(run, model):
                    yield run


def _matchings(shares: tuple[tuple[Event, ...], ...]) -> Iterator[dict[Place, Place]]:
    empty = GlobalRun(tuple(tuple(map(LocalEvent, share)) for share in shares), (), {})
    choices = []
    for channel in (Channel(1, 2), Channel(2, 1)):
        receives, sends = (empty.places(channel, sends=sent) for sent in (False, True))
        choices.append(
            [list(zip(receives, chosen, strict=True)) for chosen in permutations(sends, len(receives))]
        )
    return (dict(chain(*chosen)) for chosen in product(*choices))


def _is_run(run: GlobalRun, model: ChannelModel) -> bool:
    try:
        run.check(model)
    except InputError:
        return False
    return True


def _known(run: GlobalRun, c: Frontier, d: Frontier) -> str:
    return repr((run.events, sorted(run.matching.items()), c, d))


def _intervals(run: GlobalRun, inside: int, outside: int) -> Iterator[tuple[Frontier, Frontier]]:
    lengths = [range(len(events) + 1) for events in run.events]
    for c, d in product(product(*lengths), repeat=2):
        within = sum(d) - sum(c)
        if all(map(int.__le__, c, d)) and within <= inside and sum(map(len, run.events)) - within <= outside:
            yield c, d


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("model", ChannelModel)
@pytest.mark.parametrize(
    "text",
    [
        "eps",
        "snd 1->2",
        "rcv 2<-1",
        "mt 1->2",
        "snd 1->2; cut; rcv 1<-2",
        "cut; mt 1->2; cut",
        "mt 1->2 + cut",
        "(snd 1->2)*",
        "snd 1->2; snd 1->2",
        "rcv 2<-1; snd 2->1",
    ],
)
def test_the_executions_are_all_the_runs_over_which_a_program_occurs(
    text: str, model: ChannelModel, reading: CutReading
) -> None:
    """All runs with two events outside are listed for comparison."""
    program, semantics = parse(text), Semantics(model, reading)
    found = executions(program, 2, semantics)
    executed = [_known(*interval) for interval in found if occurs(*interval, program, semantics)]
    by_definition = [
        _known(run, c, d)
        for run in all_runs(4, model)
        for c, d in _intervals(run, inside=2, outside=2)
        if occurs(run, c, d, program, semantics) and not (starts_silent(program) and any(c))
    ]
    assert sorted(executed) == sorted(by_definition)
    assert executed


@pytest.mark.parametrize("text", ["eps", "snd 1->2", "mt 1->2; mt 2->1", "1.x := 1 + 1.x := 2 - 1"])
def test_no_run_is_executed_twice(text: str) -> None:
    found = [repr(interval) for interval in executions(parse(text), 2)]
    assert len(set(found)) == len(found) > 1


@pytest.mark.parametrize("reading", CutReading)
def test_data_decide_guards(reading: CutReading) -> None:
    program, without = parse("mt 1->2 (1 -> x); [2.x = 1]"), parse("mt 1->2 (1 -> x)")
    assert find_counterexample(without, program, 2, Semantics(reading=reading)) is not None
    alone = parse("cut; mt 1->2 (1 -> x); cut")
    assert find_counterexample(alone, program, 2, Semantics(reading=reading)) is None


@pytest.mark.parametrize(
    ("text", "reading", "occurs_somewhere"),
    [
        ("cut; snd 1->2; cut", CutReading.MATCHING, True),
        ("cut; snd 1->2; cut", CutReading.EMPTY, False),
        ("snd 1->2; cut", CutReading.EMPTY, True),
    ],
)
def test_the_readings_differ_on_a_message_that_nobody_receives(
    text: str, reading: CutReading, occurs_somewhere: bool
) -> None:
    found = find_counterexample(parse(text), parse("[false]"), 2, Semantics(reading=reading))
    assert (found is not None) == occurs_somewhere


def test_contents_that_only_the_right_side_mentions() -> None:
    left, right = parse("snd 1->2"), parse("snd 1->2 (0)")
    assert find_counterexample(left, right, 2) is not None
    assert find_counterexample(left, right, 2, values=[0]) is None
    assert find_counterexample(right, left, 2) is None


@pytest.mark.parametrize("sent", [0, 1])
def test_messages_from_outside_hold_any_value(sent: int) -> None:
    """The content of a message from outside may differ from what the program sent."""
    left = parse(f"mt 1->2 ({sent} -> y)")
    assert find_counterexample(left, parse(f"mt 1->2 ({sent} -> y); [2.y = {sent}]"), 2) is not None


def test_variables_start_with_any_value() -> None:
    nothing, one, zero = parse("[true]"), parse("[1.x = 1]"), parse("[1.x = 0]")
    assert find_counterexample(nothing, one, 2) is not None
    assert find_counterexample(nothing, zero, 2) is not None
    assert find_counterexample(nothing, one, 2, values=[1]) is None
    assert find_counterexample(parse("[1.x = 1]; 1.x := 1.x + 1"), parse("1.x := 2"), 2) is None


def test_self_channels_are_open_to_others_where_a_program_uses_them() -> None:
    assert find_counterexample(*tcc(parse("snd 1->1")), 1) is not None
    assert find_counterexample(*tcc(parse("mt 1->1")), 1) is None
    assert find_counterexample(parse("mt 1->1"), parse("mt 1->1; cut"), 1) is not None


def test_unrolling_bounds_the_left_side_only() -> None:
    three, any_number = parse("snd 1->2; snd 1->2; snd 1->2"), parse("(snd 1->2)*")
    few = parse("eps + snd 1->2 + snd 1->2; snd 1->2")
    assert find_counterexample(three, any_number, 2, Semantics(unroll=0), outside=0) is None
    assert find_counterexample(any_number, few, 2, Semantics(unroll=2), outside=0) is None
    assert find_counterexample(any_number, few, 2, Semantics(unroll=3), outside=0) is not None


@pytest.mark.parametrize(
    ("text", "bounds", "sentence"),
    [
        ("mt 1->2", {"outside": -1}, "the number of events outside must be at least 0, not -1"),
        (
            "mt 1->2",
            {"semantics": Semantics(unroll=-1)},
            "the number of iterations must be at least 0, not -1",
        ),
        (
            "mt 1->2",
            {"values": ()},
            "there must be at least one value for variables and messages to start with",
        ),
        ("snd 1->3", {}, "process 3 is named, but n is 2"),
        ("[3.x = 0]", {}, "process 3 is named, but n is 2"),
    ],
)
def test_bounds_that_make_no_sense(text: str, bounds: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refusal:
        find_counterexample(parse("eps"), parse(text), 2, **bounds)
    assert str(refusal.value) == sentence


def test_what_is_remembered_is_not_cut_short_by_a_failure() -> None:
    interrupted = iter([True, False])

    def search() -> Iterator[int]:
        yield 1
        if next(interrupted):
            raise KeyboardInterrupt
        yield 2

    found = Remembered(search)
    with pytest.raises(KeyboardInterrupt):
        list(found)
    assert list(found) == [1, 2]
    assert list(found) == [1, 2]


def test_several_can_go_through_what_is_remembered_at_once() -> None:
    found = Remembered(lambda: iter(range(3)))
    first, second = iter(found), iter(found)
    assert [next(first), next(first), next(second)] == [0, 1, 0]
    assert (list(second), list(first)) == ([1, 2], [2])


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("model", ChannelModel)
def test_what_is_remembered_changes_no_answer(model: ChannelModel, reading: CutReading) -> None:
    texts = (
        "mt 1->2",
        "mt 1->2 + eps",
        "mt 1->2 (1 -> x)",
        "cut; mt 1->2; cut",
        "(mt 1->2)*",
        "mt 1->2; [2.x = 1]",
    )
    pairs = list(product(map(parse, texts), repeat=2))
    semantics = Semantics(model, reading)
    together = [find_counterexample(*pair, 2, semantics) for pair in pairs]
    alone = []
    for pair in pairs:
        for cached in (_occurrences, _executions_of_path):
            cached.cache_clear()
        alone.append(find_counterexample(*pair, 2, semantics))
    assert together == alone


def test_self_channels_that_no_program_uses() -> None:
    anywhere, silent = parse("[true]"), parse("cut")
    assert find_counterexample(anywhere, silent, 1) is None
    assert find_counterexample(anywhere, silent, 1, Semantics(self_channels=True)) is not None


S, R = mt(1, 2)
ONE, TWO = Place(1, 1), Place(1, 2)


def run(first, second, matching, *, x=None, y=None):
    """A run of two processes; x and y are the successive values of 1.x and 2.y."""
    states = tuple(
        tuple({name: value} for value in values or [0] * (len(events) + 1))
        for name, values, events in (("x", x, first), ("y", y, second))
    )
    return GlobalRun((tuple(first), tuple(second)), states, matching)


SENT_AND_RECEIVED = run([LocalEvent(S, 7)], [LocalEvent(R, 7)], {Place(2, 1): ONE}, y=[0, 7])
NEVER_RECEIVED = run([LocalEvent(S)], [], {})
SENT_AND_CHANGED = run([LocalEvent(S)], [], {}, x=[3, 4])
ASSIGNED = run([LocalEvent()], [], {}, x=[3, 4])
CROSSED = run(
    [LocalEvent(S, 1), LocalEvent(S, 2)],
    [LocalEvent(R, 2), LocalEvent(R, 1)],
    {Place(2, 1): TWO, Place(2, 2): ONE},
)
BUSY = run([LocalEvent(S), LocalEvent(), LocalEvent(S)], [], {}, x=[0, 0, 1, 1])

CASES = [
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2", False),  # 2.y changes
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (x + 7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (6 -> y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> z)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "rcv 2<-1 (y); snd 1->2", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 0), "snd 1->2", True),
    (SENT_AND_RECEIVED, (0, 0), (0, 1), "rcv 2<-1 (y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "snd 1->2; rcv 2<-1 (y); [2.y = 7]", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "[2.y = 7]; snd 1->2; rcv 2<-1 (y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "cut; mt 1->2 (7 -> y); cut", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "snd 1->2; cut; rcv 2<-1 (y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "eps + mt 1->2 (7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (0, 0), "eps", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "eps", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 2->1", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> y); mt 1->2", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->3", False),
    (SENT_AND_CHANGED, (0, 0), (1, 0), "1.x := 4", False),
    (SENT_AND_CHANGED, (0, 0), (1, 0), "snd 1->2", False),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 4", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 1.x + 1", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := -1 * (2 - 6)", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 3", False),
    (ASSIGNED, (0, 0), (1, 0), "snd 1->2", False),
    (ASSIGNED, (1, 0), (1, 0), "[1.x = 4 and not 1.x < 2.y]", True),
    (ASSIGNED, (0, 0), (0, 0), "[1.x > 3 or false]", False),
    (ASSIGNED, (0, 0), (1, 0), "while 1.x < 4 do 1.x := 1.x + 1 od", True),
    (ASSIGNED, (0, 0), (1, 0), "while 1.x < 5 do 1.x := 1.x + 1 od", False),
    (ASSIGNED, (0, 0), (1, 0), "if 1.x = 3 then 1.x := 4 else eps fi", True),
    (CROSSED, (0, 0), (2, 2), "(mt 1->2)*", True),
    (CROSSED, (0, 0), (2, 2), "mt 1->2; cut; mt 1->2", False),
    (CROSSED, (0, 0), (2, 2), "(mt 1->2; cut)*", False),
    (CROSSED, (0, 0), (2, 2), "snd 1->2; (rcv 2<-1)*; snd 1->2", True),
    (CROSSED, (1, 0), (2, 1), "mt 1->2", True),
    (CROSSED, (0, 1), (1, 2), "mt 1->2", True),
    (CROSSED, (1, 1), (2, 1), "mt 1->2", False),
    (CROSSED, (1, 0), (0, 0), "(snd 1->2)*", False),
    (BUSY, (0, 0), (3, 0), "snd 1->2; 1.x := 1; snd 1->2", True),
    (BUSY, (0, 0), (2, 0), "snd 1->2; snd 1->2", False),
]
"""Some intervals have inconsistent cuts, go back, or have an event too many."""


@pytest.mark.parametrize(("about", "c", "d", "text", "expected"), CASES)
def test_clauses(about: GlobalRun, c: tuple[int, ...], d: tuple[int, ...], text: str, expected: bool) -> None:
    about.check()
    assert occurs(about, c, d, parse(text)) == expected


def test_a_repetition_ends_after_any_number_of_iterations() -> None:
    assert ends(CROSSED, (0, 0), parse("(snd 1->2)*")) == {(0, 0), (1, 0), (2, 0)}


@pytest.mark.parametrize(("reading", "expected"), [(CutReading.MATCHING, True), (CutReading.EMPTY, False)])
def test_the_two_readings_of_the_cut(reading: CutReading, expected: bool) -> None:
    assert (
        occurs(NEVER_RECEIVED, (0, 0), (1, 0), parse("snd 1->2; cut"), Semantics(reading=reading)) == expected
    )
    assert occurs(NEVER_RECEIVED, (0, 0), (1, 0), parse("cut; snd 1->2"), Semantics(reading=reading))


def test_both_readings_see_what_crosses() -> None:
    for reading in CutReading:
        for between in ((1, 0), (0, 1)):
            assert not occurs(SENT_AND_RECEIVED, between, between, parse("cut"), Semantics(reading=reading))
        assert occurs(SENT_AND_RECEIVED, (1, 1), (1, 1), parse("cut"), Semantics(reading=reading))


NONSENSE = [
    ((0,), (0, 0), "eps", "(0,) is not a cut of the run, whose processes have (1, 1) events"),
    ((0, 0), (0, 2), "eps", "(0, 2) is not a cut of the run, whose processes have (1, 1) events"),
    ((-1, 0), (0, 0), "eps", "(-1, 0) is not a cut of the run, whose processes have (1, 1) events"),
    ((0, 0), (0, 0), "rcv 3<-1", "the program names process 3, but the run has only 2"),
    ((0, 0), (0, 0), "3.x := 1", "the program names process 3, but the run has only 2"),
    ((0, 0), (0, 0), "[1.x < 3.x]", "the program names process 3, but the run has only 2"),
]


@pytest.mark.parametrize(("c", "d", "text", "sentence"), NONSENSE)
def test_questions_that_make_no_sense(c: Frontier, d: Frontier, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refusal:
        occurs(SENT_AND_RECEIVED, c, d, parse(text))
    assert str(refusal.value) == sentence


def test_nested_repetitions() -> None:
    assert ends(CROSSED, (0, 0), parse("((snd 1->2)*; rcv 2<-1)*")) == {
        (0, 0),
        *((sent, received) for sent in range(3) for received in (1, 2)),
    }


def test_events_outside_are_needed() -> None:
    """Without any event outside, a transmission would look TCC in Rel."""
    assert find_counterexample(*tcc(parse("mt 1->2")), 2, outside=0) is None


def test_a_counterexample_is_one() -> None:
    left, right = seals(parse("mt 1->2"), parse("mt 1->2"))
    found = find_counterexample(left, right, 2)
    assert found is not None
    run, c, d = found
    run.check()
    assert occurs(run, c, d, left)
    assert not occurs(run, c, d, right)


def test_values() -> None:
    x, y = Variable(1, "x"), Variable(1, "y")
    assert value(Sum((Product((x, Integer(3))), Negation(y), Integer(1))), {"x": 5}) == 16
