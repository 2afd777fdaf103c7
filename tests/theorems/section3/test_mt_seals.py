"""Seals of a transmission, and the loop that seals because it never occurs."""

import re
from functools import partial

from tests.theorems.rows import claiming, explained

from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.section3.diverging_seals import LOOP, UNGUARDED, notions, occurs
from sealcheck.theorems.section3.mt_seals import STATEMENTS, says, without_data

ACK, EXCHANGE, ALONE = STATEMENTS


def test_the_opposite_claim_is_refuted_with_a_run() -> None:
    tally = claiming(ALONE, partial(says, expected=True), [(2, 1)])
    assert str(tally.refuting) == "mt 1->2"
    told = explained(ALONE, tally.refuting)
    assert re.search(r"inside: event 1 of process 2, rcv 2<-1 takes event [2-9] of process 1", told)


def test_data_is_dropped_and_nothing_else() -> None:
    assert ACK.domain is not None
    pairs = [without_data(instance) for instance in ACK.domain.instances(3, 2, 0, 16)]
    assert {str(pair) for pair in pairs} == {"P = mt 1->2   Q = mt 2->1"}
    assert all(isinstance(pair, Instance) and pair.n == 3 for pair in pairs)


def test_without_its_guards_the_loop_occurs_and_does_not_seal() -> None:
    """The loop is TCC in RelFi, because it communicates nothing."""
    unguarded = Instance(2, (parse("mt 1->2"), UNGUARDED))
    with inline() as ask:
        assert notions(unguarded, ask) == {"is TCC in RelFi"}
        assert occurs(unguarded, ask)
        assert not occurs(Instance(2, (parse("mt 1->2"), LOOP)), ask)


def test_what_may_occur_over_infinite_intervals_counts_as_occurring() -> None:
    """Finite intervals do not show that a guard never holds. Only the guard [not true] does."""
    never_true = Instance(2, (parse("eps"), parse("1.x := 1; [1.x = 0]")))
    with inline() as ask:
        assert not ask(OCCURS, Instance(2, never_true.programs[1:]))
        assert occurs(never_true, ask)
