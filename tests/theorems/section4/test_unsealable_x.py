"""Program X: verdicts, and the opposite claims, which are refuted."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, claiming, holds, up_to

from sealcheck.explorers import channel_contents
from sealcheck.language.parser import parse
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, mt
from sealcheck.programs.syntax import Cut, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import SEALABLE
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking import examples as harness_crossing
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import crossing, transmitting_at_most
from sealcheck.theorems.checking.statement import Ask, Outcome, Statement, predicts
from sealcheck.theorems.section4.sealability_undecidable import (
    CANDIDATES,
    FIRST,
    LEFT_OVER,
    STATEMENT,
    halts,
    sealing,
)
from sealcheck.theorems.section4.unsealable_x import (
    STATEMENTS,
    third_process_takes_part,
    unsealed_by_guards,
)

NON_SEALED, WITH_THIRD, OPEN, ACKNOWLEDGED = STATEMENTS


@pytest.mark.parametrize("seal", ["snd 1->2 (7); rcv 2<-1; [not 2.y = 7]", "mt 1->2; mt 2->1; [not 2.y = 7]"])
def test_what_is_no_guarded_seal_is_noticed(seal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness_crossing, "GUARDED", parse(seal))
    with inline() as ask:
        assert unsealed_by_guards(Instance.of(crossing(2)), ask) is Outcome.HOLDS


def test_a_seal_that_never_occurs_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness_crossing, "GUARDED", parse("[false]"))
    with inline() as ask:
        assert unsealed_by_guards(Instance.of(crossing(2)), ask) is Outcome.HOLDS


@pytest.mark.parametrize(("about", "wrong"), [(NON_SEALED, True), (WITH_THIRD, False)])
def test_the_opposite_is_refuted(about: Statement, wrong: bool) -> None:
    claim = replace(about.claims[-1], check=predicts(SEALABLE, lambda instance: wrong))
    (tally,) = checked(replace(about, claims=(claim,)), up_to(3, 2))
    assert tally.refuting is not None


def test_the_opposite_of_the_figures_is_refuted() -> None:
    assert not any(
        channel_contents.closes(crossing(2), channel) for channel in (Channel(1, 2), Channel(2, 1))
    )
    with inline() as ask:
        sealed_by_two = Instance.of(StraightLine.of(3, mt(1, 2)))
        assert third_process_takes_part(sealed_by_two, ask) is Outcome.FAILS


def test_a_seal_between_two_would_be_noticed() -> None:
    with inline() as ask:

        class Mistaken:
            """Says that X can be sealed among two processes."""

            def __call__(self, question, instance, *semantics):  # type: ignore[no-untyped-def]
                return True if question is SEALABLE else ask(question, instance, *semantics)

            def all(self, question, about):  # type: ignore[no-untyped-def]
                return ask.all(question, about)

        mistaken: Ask = Mistaken()
        assert third_process_takes_part(Instance.of(crossing(3)), mistaken) is Outcome.FAILS


def test_programs_between_two_are_all_listed() -> None:
    """1 + 2 + 4 + 8 programs of up to three transmissions."""
    found = transmitting_at_most(3, 3, [Channel(1, 2), Channel(2, 1)])
    assert len(set(found)) == len(found) == 15
    assert not any(channel_contents.seals(crossing(3), q) for q in found)


ALONE_INSTANCE = Instance(2, (LEFT_OVER,))
ALONE = replace(STATEMENT, domain=Listed("programs", lambda n, messages: iter((ALONE_INSTANCE,))))


def test_nothing_seals_a_message_that_is_left_over() -> None:
    (tally,) = checked(ALONE, [(2, 1)])
    assert holds(tally)
    assert tally.checked == 1


def test_two_loops_halt_and_two_do_not() -> None:
    with inline() as ask:
        assert [halts(Instance(2, (program,)), ask) for program in FIRST] == [True, True, True, False, False]


def test_where_the_loop_does_not_halt_everything_seals() -> None:
    """Nothing occurs, so nothing refutes."""
    with inline() as ask:
        for program in FIRST:
            instance = Instance(2, (program,))
            assert sealing(instance, ask) == ([] if halts(instance, ask) else list(CANDIDATES))


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("text", ["snd 1->2", "mt 1->2", "rcv 2<-1 + mt 1->2", "(snd 1->2)*"])
def test_the_silent_cut_seals_every_program(text: str, reading: CutReading) -> None:
    with inline() as ask:
        assert ask(REFINES, Instance(2, seals(parse(text), Cut())), Semantics(reading=reading))


def test_a_claim_that_lets_transmissions_seal_it_is_refuted() -> None:
    def careless(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of("mt 1->2" in sealing(instance, ask))

    assert claiming(ALONE, careless, [(2, 1)]).refuting == ALONE_INSTANCE
