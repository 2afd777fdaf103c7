"""`balanced-necessary`: the verdict on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, explained

from sealcheck.programs.straight_line import StraightLine, mt, rcv
from sealcheck.questions.closed_channels import CLOSED_RUN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import unbalanced
from sealcheck.theorems.section4 import balanced_necessary
from sealcheck.theorems.section4.balanced_necessary import STATEMENT, candidates, tried


def test_candidates_are_what_they_are_said_to_be() -> None:
    """All programs of up to two events over two processes, lone receives included, and all transmissions."""
    found = candidates(2, 2, 2)
    assert len(found) == len(set(found)) == 1 + 4 + 12 + 4
    assert StraightLine.of(2, [rcv(2, 1)]) in found
    assert StraightLine.of(2, mt(1, 2) + mt(2, 1)) in found
    assert len(candidates(3, 1, 0)) == 1 + 12


def test_candidates_are_tried_that_can_complete() -> None:
    """Every unbalanced program of the smallest levels has some; what would deadlock is left out."""
    lone = StraightLine.of(2, [rcv(2, 1)])
    seals = {pair.q for pair in tried(lone)}
    assert StraightLine.of(2) in seals
    assert StraightLine.of(2, [rcv(1, 2)]) not in seals
    assert all(tried(instance.p) for level in ((2, 1), (2, 2), (3, 1)) for instance in unbalanced(*level))


def test_a_seal_of_an_unbalanced_program_would_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what can't complete were tried, too, it would be taken for a seal: the smallest one is found."""
    monkeypatch.setattr(balanced_necessary, "completes", lambda program: True)
    (tally,) = checked(STATEMENT, [(2, 1)])
    assert str(tally.refuting) == "rcv 2<-1"
    lines = explained(STATEMENT, tally.refuting).splitlines()
    assert lines[0] == "sends minus receives of P on 1->2: -1"
    assert "rcv 1<-2" in lines[1]


def test_what_has_a_closed_run_and_no_short_seal_is_not_decided() -> None:
    """Program X has no seal at all, but a run of its own: that it has none is not claimed here."""
    x = StraightLine.of(2, [mt(1, 2)[0], mt(2, 1)[0], mt(2, 1)[1], mt(1, 2)[1]])
    about = replace(STATEMENT, domain=Listed("X", lambda n, messages: iter([Instance.of(x)])))
    (tally,) = checked(about, [(2, 2)])
    assert (tally.checked, tally.unknown, tally.refuting) == (1, 1, None)


def test_an_oracle_that_forgets_left_over_messages_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If only receives of P counted, a lone send would seem to have a closed run; the others contradict."""
    careless = Oracle("executions", lambda instance, semantics: instance.messages > 0)
    monkeypatch.setattr(balanced_necessary, "CLOSED_RUN", replace(CLOSED_RUN, oracles=(careless,)))
    (tally,) = checked(STATEMENT, [(2, 1)])
    assert str(tally.disputed) == "snd 2->1"
    assert "executions says True" in tally.dispute
