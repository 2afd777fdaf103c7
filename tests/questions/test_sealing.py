"""Seals, sealability and shortest seals: the oracles agree, and abstain outside their domains."""

from itertools import product
from typing import Any

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.minimum_seal import Minimum, hardest_program
from sealcheck.algorithms.sealability import Problem, Unsealable, saturate
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd
from sealcheck.questions import sealing
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import (
    IS_SEAL,
    MINIMAL_SEAL,
    SEALABLE,
    SOLVED_MESSAGES,
    WORST_CASE_SEAL,
    problem,
)
from sealcheck.theorems.checking.hypotheses import deadlocking, programs, unbalanced, with_self_channels

ONCE, BACK = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))


def test_all_oracles_agree() -> None:
    small = [p for p in programs_up_to(2, 2) if p.n == 2]
    pairs = [Instance.of(p, q) for p, q in product(small, small)]
    found = answers(IS_SEAL, pairs, solvers=SOLVERS)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"program graph", "explorer", "kernel", *SOLVERS} for each in found)


def test_the_first_later_message_counts() -> None:
    (found,) = answers(IS_SEAL, [Instance.of(ONCE, ONCE.then(BACK).then(ONCE))])
    assert found.agreed is False


@pytest.mark.parametrize("n", [2, 3])
def test_explorer_and_solvers_agree_on_programs_that_are_not_balanced(n: int) -> None:
    most = 2 if n == 2 else 1
    lopsided = [i.p for m in range(most + 1) for i in unbalanced(n, m)]
    short = lopsided + [i.p for m in range(most) for i in programs(n, m)]
    pairs = [Instance.of(p, q) for p in lopsided for q in short if p.then(q).length <= 5]
    pairs += [Instance.of(q, p) for p in lopsided for q in short if q.is_balanced]
    found = answers(IS_SEAL, pairs)
    for each in found:
        assert who_knows(each) == {"explorer", "z3", "cvc5"}, str(each.asked)
        assert each.agreed in (True, False)
    assert len(found) > 50


def test_anything_seals_a_program_that_deadlocks() -> None:
    found = answers(IS_SEAL, [Instance.of(i.p, q) for i in deadlocking(2, 3) for q in (ONCE, BACK)])
    for each in found:
        assert who_knows(each) == {"explorer", "z3", "cvc5"}
        assert each.agreed is True


def test_messages_to_oneself() -> None:
    itself = Semantics(self_channels=True)
    firsts, empty = [i for m in range(3) for i in with_self_channels(2, m)], StraightLine.of(2)
    for each in answers(IS_SEAL, [Instance.of(i.p, empty) for i in firsts], itself):
        assert "explorer" in each.said
        only_to_itself = all(e.sender == e.receiver for share in each.asked.instance.p.shares for e in share)
        assert each.agreed is only_to_itself, str(each.asked)


def test_solvers_are_not_asked_about_many_messages() -> None:
    long = StraightLine.of(2, [*mt(1, 2), *mt(2, 1)] * SOLVED_MESSAGES)
    (found,) = answers(IS_SEAL, [Instance.of(long, BACK)])
    assert who_knows(found) == {"program graph", "explorer", "kernel"}
    assert found.abstained["z3"] == f"P and Q have more than {SOLVED_MESSAGES} messages"


def test_a_message_that_is_left_over_is_never_sealed() -> None:
    assert not agreed(IS_SEAL, StraightLine.of(2, [snd(1, 2)]), BACK)


ORACLES = [
    (SEALABLE, {"saturation", "explorer", "kernel", *SOLVERS}),
    (MINIMAL_SEAL, {"search over knowledge", "explorer", "kernel"}),
]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("question", "oracles"), ORACLES, ids=lambda each: getattr(each, "id", ""))
def test_all_oracles_agree_about_seals(question: Question[Any], oracles: set[str], n: int) -> None:
    programs = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(question, programs, solvers=SOLVERS):
        assert who_knows(found) == oracles
        possible = (True, False) if question is SEALABLE else (None, *range(3 * n))
        assert found.agreed in possible


def test_knowledge_read_off_the_closed_graph_is_that_of_signatures() -> None:
    for n in (1, 2, 3):
        for p in programs_up_to(n, 4, canonical=True):
            assert problem(p) == Problem.of(signature(p)), str(p)


def test_program_x_is_sealable_by_a_third_process_only() -> None:
    assert not agreed(SEALABLE, StraightLine.of(2, CROSSING))
    assert agreed(SEALABLE, StraightLine.of(3, CROSSING))


def test_the_explorer_alone_speaks_of_programs_that_are_no_bsl() -> None:
    left_over = [i for i in unbalanced(2, 2) if i.p.is_deadlock_free]
    cases = {False: left_over, True: deadlocking(2, 3)}
    for sealable, instances in cases.items():
        assert instances
        for found in answers(SEALABLE, instances):
            assert who_knows(found) == {"explorer"}
            assert found.agreed is sealable


def test_nobody_knows_of_programs_that_wait_for_others() -> None:
    with pytest.raises(LimitReached, match="no oracle can answer"):
        agreed(SEALABLE, StraightLine.of(2, [rcv(2, 1)]))


def test_messages_to_oneself_change_nothing() -> None:
    itself = Semantics(self_channels=True)
    instances = [i for m in range(3) for i in with_self_channels(2, m)]
    for instance, found in zip(instances, answers(SEALABLE, instances, itself, ()), strict=True):
        events = (e for e in instance.p.linearization if e.sender != e.receiver)
        assert found.agreed is agreed(SEALABLE, StraightLine.of(2, events), solvers=()), str(instance)


def test_for_many_processes_the_explorer_only_confirms() -> None:
    crossing = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
    apart = [*crossing, snd(3, 4), snd(4, 3), rcv(3, 4), rcv(4, 3)]
    sends, receives = zip(*(mt(*channel) for channel in channels(4)), strict=True)
    all_open = StraightLine.of(4, [*sends, *receives])
    (sealable,) = answers(SEALABLE, [Instance.of(StraightLine.of(4, apart))])
    assert sealable.agreed is True
    assert "explorer" in sealable.said
    (unsealable,) = answers(SEALABLE, [Instance.of(all_open)], solvers=())
    assert unsealable.agreed is False
    assert unsealable.abstained["explorer"] == "it looks for seals for up to 3 processes"


CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


def test_numbers() -> None:
    programs = [StraightLine.of(2, events) for events in ([], mt(1, 2), CROSSING)]
    assert [agreed(MINIMAL_SEAL, p) for p in programs] == [0, 1, None]


def test_the_explorer_looks_for_shorter_seals_than_the_one_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Minimum((Channel(2, 1), Channel(1, 2)), ())
    monkeypatch.setattr(sealing, "minimum_or_unsealable", lambda problem: long)
    (found,) = answers(MINIMAL_SEAL, [Instance.of(StraightLine.of(2, mt(1, 2)))])
    assert found.said == {"search over knowledge": 2, "explorer": 1, "kernel": 1}


def test_the_explorer_looks_for_seals_where_none_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = saturate(Problem.of(signature(StraightLine.of(2, CROSSING))))
    assert isinstance(nothing, Unsealable)
    monkeypatch.setattr(sealing, "minimum_or_unsealable", lambda problem: nothing)
    (found,) = answers(MINIMAL_SEAL, [Instance.of(StraightLine.of(2, [*mt(1, 2), *mt(2, 1)]))])
    assert found.said == {"search over knowledge": None, "explorer": 1, "kernel": 1}


def test_the_explorer_looks_for_seals_for_few_processes_only() -> None:
    """The hardest program of four processes needs seven messages, which takes too long."""
    (found,) = answers(MINIMAL_SEAL, [Instance.of(hardest_program(4).canonical())])
    assert found.agreed == 7
    assert found.abstained == {"explorer": "it looks for seals for up to 3 processes"}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_bounds_of_the_worst_case_agree(n: int) -> None:
    """Two upper and two lower bounds are 3n - 5."""
    (found,) = answers(WORST_CASE_SEAL, [Instance.of(hardest_program(n))])
    assert len(who_knows(found)) == len(WORST_CASE_SEAL.oracles)
    assert found.agreed == 3 * n - 5


def test_it_is_asked_of_the_hardest_program_only() -> None:
    with pytest.raises(InputError, match=r"cannot be asked of 'mt 1->2', only of P: the hardest program of"):
        agreed(WORST_CASE_SEAL, StraightLine.of(2, mt(1, 2)))
