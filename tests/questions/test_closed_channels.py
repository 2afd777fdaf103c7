"""Closed channels, runs between empty channels, and what is sent on closed channels: the oracles agree."""

from itertools import product

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.sealability import transmitting
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError
from sealcheck.explorers import channel_contents
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd
from sealcheck.programs.syntax import Cut, as_program, layered
from sealcheck.questions.closed_channels import (
    CLOSED_BY_DEFINITION,
    CLOSED_CHANNELS,
    CLOSED_RUN,
    CLOSED_WHEN_SENT,
)
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import indexed_space
from sealcheck.theorems.checking.hypotheses import completes, deadlocking, unbalanced, with_self_channels
from sealcheck.theorems.checking.small_programs import tuples
from sealcheck.theorems.section4.balanced_necessary import candidates

FIFO, ITSELF = Semantics(model=ChannelModel.REL_FIFO), Semantics(self_channels=True)
THERE, BACK = Channel(1, 2), Channel(2, 1)


@pytest.mark.parametrize(
    ("semantics", "knowing"), [(PAPER, {"matchings", "explorer", "kernel"}), (FIFO, {"explorer", "counting"})]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int, semantics: Semantics, knowing: set[str]) -> None:
    instances = [Instance.of(p) for p in programs_up_to(n, 2 if n == 3 else 3, canonical=True)]
    for found in answers(CLOSED_CHANNELS, instances, semantics, SOLVERS):
        assert who_knows(found) == knowing | set(SOLVERS)
        assert isinstance(found.agreed, frozenset)


def test_programs_that_are_not_balanced() -> None:
    for event in (snd(1, 2), rcv(2, 1)):
        for semantics in (PAPER, FIFO):
            assert agreed(CLOSED_CHANNELS, StraightLine.of(2, [event]), semantics=semantics) == {BACK}
    for found in answers(CLOSED_CHANNELS, unbalanced(2, 2)):
        assert who_knows(found) == {"explorer"}
        open_channels = {THERE, BACK} - found.agreed
        assert set(found.asked.instance.p.imbalance) <= open_channels


def test_programs_that_deadlock_close_everything() -> None:
    for found in answers(CLOSED_CHANNELS, deadlocking(2, 3)):
        assert found.agreed == {THERE, BACK}


def test_a_process_hears_itself() -> None:
    to_itself = StraightLine.of(2, [*mt(1, 1), *mt(1, 2)])
    closed = agreed(CLOSED_CHANNELS, to_itself, semantics=ITSELF)
    assert closed == {Channel(1, 1), Channel(2, 2), BACK}
    for found in answers(CLOSED_CHANNELS, [*with_self_channels(2, 2)], ITSELF):
        assert who_knows(found) == {"explorer"}
        assert {Channel(1, 1), Channel(2, 2)} <= found.agreed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eps", ["1->2", "2->1"]),
        ("mt 1->2", ["2->1"]),
        ("snd 1->2", ["2->1"]),
        ("mt 1->2; mt 2->1", ["1->2"]),
        ("mt 1->2; cut", ["1->2", "2->1"]),
        ("mt 1->2; (mt 2->1 + eps)", []),
        ("1.x := 1; [1.x = 0]; snd 1->2", ["1->2", "2->1"]),
    ],
)
def test_examples(text: str, expected: list[str]) -> None:
    (found,) = answers(CLOSED_BY_DEFINITION, [Instance(2, (parse(text),))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert sorted(map(str, found.agreed)) == expected


@pytest.mark.parametrize("model", ChannelModel)
def test_all_oracles_agree_about_closed_by_definition(model: ChannelModel) -> None:
    programs = [instance for size in range(3) for instance in tuples(2, size, 1)]
    found = answers(CLOSED_BY_DEFINITION, programs, Semantics(model=model))
    assert len({each.agreed for each in found}) == 4
    assert all(who_knows(each) == {"executions", "z3", "cvc5"} for each in found)


def test_messages_that_are_lost_are_seen_by_the_solvers_only() -> None:
    lost, semantics = Instance(2, (parse("snd 1->2"),)), Semantics(reading=CutReading.EMPTY)
    (found,) = answers(CLOSED_BY_DEFINITION, [lost], semantics)
    assert who_knows(found) == {"z3", "cvc5"}
    assert sorted(map(str, found.agreed)) == ["2->1"]


EVERYBODY = {"matchings", "executions", "z3", "cvc5"}


def programs(n: int, messages: int) -> list[Instance]:
    balanced = [Instance.of(p) for p in indexed_space(n, messages).programs()]
    return [*balanced, *unbalanced(n, messages), *deadlocking(n, messages)]


SMALL = [instance for level in ((2, 0), (2, 1), (2, 2), (3, 1)) for instance in programs(*level)]


def test_all_oracles_agree_about_closed_runs() -> None:
    for found in answers(CLOSED_RUN, SMALL):
        assert who_knows(found) == EVERYBODY
        p = found.asked.instance.p
        assert found.agreed == (p.is_balanced and p.is_deadlock_free)


def test_that_a_program_occurs_between_cuts_that_find_channels_empty_says_the_same() -> None:
    empty = Semantics(reading=CutReading.EMPTY)
    with inline() as ask:
        for instance in SMALL:
            between = layered(Cut(), as_program(instance.p), Cut())
            assert ask(CLOSED_RUN, instance) == ask(OCCURS, Instance(instance.n, (between,)), empty)


@pytest.mark.parametrize(("n", "messages"), [(2, 0), (2, 1), (2, 2), (3, 1)])
def test_what_has_no_closed_run_has_no_seal(n: int, messages: int) -> None:
    tried = candidates(n, 3, 2) if n == 2 else candidates(n, 1, 2)
    sealed = set()
    with inline() as ask:
        for instance in programs(n, messages):
            seals = [
                s for s in tried if completes(instance.p.then(s)) and channel_contents.seals(instance.p, s)
            ]
            assert ask(CLOSED_RUN, instance) or not seals
            sealed.add(bool(seals))
    assert True in sealed


def test_in_relfi_executions_are_asked_only() -> None:
    instance = Instance.of(parse_straight_line("mt 1->2; mt 1->2"))
    (found,) = answers(CLOSED_RUN, [instance], Semantics(model=ChannelModel.REL_FIFO))
    assert who_knows(found) == {"executions"}
    assert found.agreed


ONCE = StraightLine.of(2, mt(1, 2))


def test_what_is_sent_on_an_open_channel() -> None:
    cases = {((2, 1),): True, ((1, 2),): False, ((2, 1), (1, 2)): True, ((1, 2), (2, 1)): False, (): True}
    for sent, expected in cases.items():
        q = StraightLine.of(2, [event for channel in sent for event in mt(*channel)])
        assert agreed(CLOSED_WHEN_SENT, ONCE, q) is expected, str(q)


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 2)])
def test_the_oracles_agree(n: int, most: int) -> None:
    firsts = list(programs_up_to(n, 2, canonical=True))
    sequences = [chosen for length in range(most + 1) for chosen in product(channels(n), repeat=length)]
    pairs = [Instance.of(p, transmitting(n, chosen)) for p in firsts for chosen in sequences]
    found = answers(CLOSED_WHEN_SENT, pairs)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"program graph", "explorer"} for each in found)


def test_it_is_the_closed_channels_that_count() -> None:
    for p in programs_up_to(3, 2, canonical=True):
        if p.n == 3:
            closed = agreed(CLOSED_CHANNELS, p, solvers=())
            for channel in channels(3):
                assert agreed(CLOSED_WHEN_SENT, p, transmitting(3, [channel])) is (channel in closed)


def test_it_is_asked_of_bsls_and_transmissions_only() -> None:
    crossing = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
    for p, q in [(unbalanced(2, 1)[0].p, ONCE), (ONCE, crossing)]:
        with pytest.raises(InputError, match="'closed-when-sent' cannot be asked of"):
            agreed(CLOSED_WHEN_SENT, p, q)
