"""Layers that stay apart: all oracles agree, also by the definition of a CCL."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import events

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd
from sealcheck.programs.syntax import as_program
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import INTERFERING_CHANNELS, KEEPS_APART, PHASES, SOLVED_EVENTS
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import IS_CCL
from sealcheck.theorems.checking.domains import Programs, Sequences, indexed_space
from sealcheck.theorems.checking.hypotheses import unbalanced
from sealcheck.theorems.section3.layers_are_ccl import around

THERE, BACK, EPS = (StraightLine.of(2, each) for each in (mt(1, 2), mt(2, 1), ()))
FLAGS = ((), (REPEAT,), (OPEN,), (REPEAT, OPEN))
EVERYBODY = {"vector clocks", "signatures", "explorer", "matchings", *SMT_SOLVERS}


def balanced(layers: int, n: int, messages: int, flags: tuple[str, ...]) -> Iterator[Instance]:
    domain = Programs() if layers == 1 else Sequences(layers, "layers")
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        yield Instance.of(*instance.straight, flags=flags)


_BY_CHANNELS = {oracle.name for oracle in INTERFERING_CHANNELS.oracles}
OTHERWISE = replace(PHASES, oracles=tuple(each for each in PHASES.oracles if each.name not in _BY_CHANNELS))
"""`phases`, asked only of oracles that do not find the channels first."""


def check(instances: Sequence[Instance], semantics: Semantics = PAPER) -> tuple[set[bool], list[set[str]]]:
    """Check that both questions have the same answer; return the answers, and who knew the second."""
    safe, wrong = (answers(question, instances, semantics) for question in (PHASES, INTERFERING_CHANNELS))
    assert [each.agreed for each in safe] == [not each.agreed for each in wrong]
    return {each.agreed for each in safe}, [who_knows(each) for each in wrong]


def check_many(instances: Sequence[Instance]) -> tuple[set[bool], list[set[str]]]:
    """Like `check`, but channels are asked about once, and only the faster solver answers."""
    safe, wrong = (answers(each, instances, solvers=("z3",)) for each in (OTHERWISE, INTERFERING_CHANNELS))
    assert [each.agreed for each in safe] == [not each.agreed for each in wrong]
    return {each.agreed for each in safe}, [who_knows(each) for each in wrong]


def test_a_message_the_other_way_keeps_two_messages_apart() -> None:
    """The paper's first example. If anything may follow, the layers do not stay apart."""
    assert agreed(PHASES, THERE, BACK, THERE)
    assert not agreed(PHASES, THERE, THERE)
    assert agreed(INTERFERING_CHANNELS, THERE, THERE, BACK) == {(1, 2)}
    (found,) = answers(INTERFERING_CHANNELS, [Instance.of(THERE, BACK, flags=(OPEN,))])
    assert found.agreed == {(2, 1)}
    (found,) = answers(PHASES, [Instance.of(THERE, BACK, flags=(REPEAT,))])
    assert found.agreed is True


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize(("layers", "n", "messages"), [(1, 2, 2), (2, 2, 2), (2, 3, 2), (3, 2, 2)])
def test_all_oracles_agree(layers: int, n: int, messages: int, flags: tuple[str, ...]) -> None:
    found, known = check(list(balanced(layers, n, messages, flags)))
    assert found == {True, False} or layers == 1 or OPEN in flags
    assert all(each == EVERYBODY for each in known)


@pytest.mark.larger
@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize(
    ("layers", "n", "messages"), [(2, 2, 4), (3, 2, 3), (3, 2, 4), (2, 3, 3), (3, 3, 3), (4, 2, 3), (2, 4, 2)]
)
def test_all_oracles_agree_on_more(layers: int, n: int, messages: int, flags: tuple[str, ...]) -> None:
    found, known = check_many(list(balanced(layers, n, messages, flags)))
    assert found == {True, False} or OPEN in flags
    assert all({"vector clocks", "signatures", "explorer"} <= each for each in known)


@pytest.mark.parametrize(("layers", "n", "messages"), [(2, 2, 3), (3, 2, 2), (2, 3, 2), (3, 3, 2)])
def test_it_is_that_every_layer_is_a_ccl(layers: int, n: int, messages: int) -> None:
    """Each layer is asked about with the layers before and after it."""
    instances = list(balanced(layers, n, messages, ()))
    split = [around(instance.straight, k) for instance in instances for k in range(layers)]
    ccls = iter([each.agreed for each in answers(IS_CCL, split, solvers=("z3",))])
    for found in answers(PHASES, instances, solvers=()):
        assert found.agreed == all(list(islice(ccls, layers))), str(found.asked)


@pytest.mark.larger
@pytest.mark.parametrize(("layers", "n", "messages"), [(2, 2, 4), (3, 2, 3), (3, 2, 4), (2, 3, 3), (3, 3, 3)])
def test_it_is_that_every_layer_is_a_ccl_in_more(layers: int, n: int, messages: int) -> None:
    test_it_is_that_every_layer_is_a_ccl(layers, n, messages)


def lopsided(n: int, most: int) -> list[StraightLine]:
    words = (word for length in range(most + 1) for word in product(events(n), repeat=length))
    found = {StraightLine.of(n, word) for word in words}
    return sorted(p for p in found if all(e.sender != e.receiver for share in p.shares for e in share))


@pytest.mark.parametrize("flags", FLAGS)
def test_layers_need_not_be_balanced(flags: tuple[str, ...]) -> None:
    pairs = (Instance.of(p, q, flags=flags) for p, q in product(lopsided(2, 2), lopsided(2, 1)))
    found, known = check([pair for pair in pairs if pair.p.then(pair.q).is_deadlock_free])
    assert found == {True, False}
    assert all({"vector clocks", "explorer", *SMT_SOLVERS} <= each for each in known)


@pytest.mark.larger
@pytest.mark.parametrize("flags", FLAGS)
def test_more_layers_need_not_be_balanced(flags: tuple[str, ...]) -> None:
    small, larger, wide = lopsided(2, 1), lopsided(2, 3), lopsided(3, 1)
    sequences = [*product(larger, small), *product(small, larger), *product(small, small, small)]
    sequences += [*product(wide, wide, wide)]
    instances = [Instance.of(*layers, flags=flags) for layers in sequences]
    found, _ = check_many([i for i in instances if deadlock_free(i)])
    assert found == {True, False}


def deadlock_free(instance: Instance) -> bool:
    whole = StraightLine.of(instance.n)
    for layer in instance.straight:
        whole = whole.then(layer)
    return whole.is_deadlock_free


def test_a_request_in_one_layer_and_its_receipt_in_the_next() -> None:
    send, receive = (StraightLine.of(2, [event]) for event in (snd(1, 2), rcv(2, 1)))
    assert agreed(INTERFERING_CHANNELS, send, receive) == {(1, 2)}
    assert agreed(INTERFERING_CHANNELS, receive, send) == {(1, 2)}
    assert agreed(PHASES, send, EPS)
    (found,) = answers(INTERFERING_CHANNELS, [Instance.of(send, EPS, flags=(OPEN,))])
    assert found.agreed == {(1, 2)}  # whatever follows may receive the message


@pytest.mark.parametrize("rounds", [3, 4])
def test_more_rounds_change_no_answer(rounds: int) -> None:
    """The algorithm looks at two rounds, the other oracles at three and four."""
    most = 2 if rounds == 3 else 1
    layers = [i for k in (1, 2) for m in range(most + 1) for i in balanced(k, 2, m, (REPEAT,))]
    layers += [Instance.of(*pair, flags=(REPEAT,)) for pair in product(lopsided(2, 1), repeat=2)]
    layers += [] if rounds == 4 else balanced(2, 3, 1, (REPEAT,))
    found, _ = check([i for i in layers if deadlock_free(i)], Semantics(unroll=rounds))
    assert found == {True, False}


@pytest.mark.larger
@pytest.mark.parametrize(
    ("rounds", "layers", "n", "messages"), [(3, 2, 3, 2), (3, 3, 2, 3), (4, 2, 2, 2), (5, 3, 2, 2)]
)
def test_more_rounds_change_no_answer_about_more(rounds: int, layers: int, n: int, messages: int) -> None:
    from sealcheck.explorers.matching_functions import roots_by_exploring
    from sealcheck.questions.phases import as_phases, by_clocks

    for instance in balanced(layers, n, messages, (REPEAT,)):
        assert roots_by_exploring(as_phases(instance).rounds(rounds)) == by_clocks(instance, PAPER)


def test_open_implies_repeat() -> None:
    for instance in balanced(2, 3, 2, (OPEN,)):
        layers = instance.straight
        opened, both, repeated = (
            answers(PHASES, [Instance.of(*layers, flags=flags)], solvers=())[0].agreed
            for flags in ((OPEN,), (REPEAT, OPEN), (REPEAT,))
        )
        assert opened == both
        assert repeated or not opened


def test_sealing_is_more_than_needed() -> None:
    kept, sealed = set(), set()
    for instance in balanced(2, 3, 2, ()):
        p, q = instance.straight
        if agreed(IS_SEAL, p, q, solvers=()):
            sealed.add(instance)
        if agreed(PHASES, p, q, solvers=()):
            kept.add(instance)
    assert sealed < kept


def test_one_round_is_not_enough() -> None:
    (found,) = answers(PHASES, [Instance.of(THERE, flags=(REPEAT,))], Semantics(unroll=1))
    assert found.abstained["explorer"] == "one round does not show what happens in several rounds"
    assert found.agreed is False


def test_nobody_is_asked_about_layers_that_deadlock_nor_answers_about_fifo() -> None:
    stuck = StraightLine.of(2, [rcv(2, 1)])
    with pytest.raises(InputError, match=r"^'phases' cannot be asked of 'P = rcv 2<-1   Q = mt 2->1', only"):
        agreed(PHASES, stuck, BACK)
    with pytest.raises(InputError, match="'phases' cannot be asked of"):
        answers(PHASES, [Instance.of(THERE, flags=("often",))])
    with pytest.raises(LimitReached, match="no oracle can answer"):
        agreed(PHASES, THERE, THERE, semantics=Semantics(model=ChannelModel.REL_FIFO))


def test_messages_to_oneself() -> None:
    itself = [StraightLine.of(2, mt(*channel)) for channel in channels(2, self_channels=True)]
    found, _ = check([Instance.of(p, q) for p, q in product(itself, repeat=2)])
    assert found == {True, False}


def test_solvers_are_not_asked_about_long_layers() -> None:
    long = StraightLine.of(2, [*mt(1, 2), *mt(2, 1)] * SOLVED_EVENTS)
    (found,) = answers(INTERFERING_CHANNELS, [Instance.of(long)])
    assert found.abstained["z3"] == f"all rounds together have more than {SOLVED_EVENTS} events"


DEFINITION = {"executions", "z3", "cvc5"}


def small(*levels: tuple[int, int]) -> list[StraightLine]:
    return [program for level in levels for program in indexed_space(*level).programs()]


def test_all_oracles_agree_on_bsls() -> None:
    programs = small((2, 0), (2, 1), (2, 2))
    pairs = [Instance.of(p, q) for p in programs for q in programs]
    pairs += [Instance.of(p, q) for p in small((3, 0), (3, 1)) for q in small((3, 0), (3, 1))]
    found = answers(KEEPS_APART, pairs)
    assert all(who_knows(each) == {"signatures", "explorer"} | DEFINITION for each in found)
    kept = [each.asked.instance for each in found if each.agreed]
    assert {str(pair) for pair in kept} == {"P = eps   Q = eps"}


def test_all_oracles_agree_on_unbalanced_programs() -> None:
    lone = [instance.p for instance in unbalanced(2, 1)]
    pairs = [Instance.of(p, q) for p in lone for q in (*small((2, 0), (2, 1)), *lone)]
    found = answers(KEEPS_APART, pairs)
    assert all(who_knows(each) == {"explorer"} | DEFINITION for each in found)
    assert {each.agreed for each in found} == {True, False}


@pytest.mark.parametrize(
    "semantics", [Semantics(model=ChannelModel.REL_FIFO), Semantics(reading=CutReading.EMPTY)], ids=str
)
def test_other_settings_are_left_to_the_definition(semantics: Semantics) -> None:
    messages = [parse_straight_line(text, 2) for text in ("snd 1->2", "mt 1->2")]
    found = answers(KEEPS_APART, [Instance.of(p, StraightLine.of(2)) for p in messages], semantics)
    assert all(who_knows(each) == DEFINITION for each in found)
    assert [each.agreed for each in found] == [False, semantics.model is ChannelModel.REL_FIFO]


def test_programs_of_the_whole_language_are_left_to_the_definition() -> None:
    p, back = parse_straight_line("mt 1->2"), parse("cut; mt 2->1; cut")
    found = answers(KEEPS_APART, [Instance(2, (p, back)), Instance(2, (as_program(p), back))])
    assert all(who_knows(each) == DEFINITION and each.agreed for each in found)
