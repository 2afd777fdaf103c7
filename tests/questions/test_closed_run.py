"""`closed-run`: all oracles agree; and what has no closed run has no seal, as is argued there."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.explorers import channel_contents
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.syntax import Cut, layered
from sealcheck.questions.closed_channels import CLOSED_RUN
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, as_program
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import indexed_space
from sealcheck.theorems.checking.hypotheses import completes, deadlocking, unbalanced
from sealcheck.theorems.section4.balanced_necessary import candidates

EVERYBODY = {"matchings", "executions", "z3", "cvc5"}


def programs(n: int, messages: int) -> list[Instance]:
    """Balanced programs of a level, then unbalanced ones, then some that deadlock."""
    balanced = [Instance.of(p) for p in indexed_space(n, messages).programs()]
    return [*balanced, *unbalanced(n, messages), *deadlocking(n, messages)]


SMALL = [instance for level in ((2, 0), (2, 1), (2, 2), (3, 1)) for instance in programs(*level)]


def test_all_oracles_agree() -> None:
    """Exactly balanced programs that do not deadlock have a closed run."""
    for found in answers(CLOSED_RUN, SMALL):
        assert who_knows(found) == EVERYBODY
        p = found.asked.instance.p
        assert found.agreed == (p.is_balanced and p.is_deadlock_free)


def test_that_a_program_occurs_between_cuts_that_find_channels_empty_says_the_same() -> None:
    """By the definitions: ≀P≀ occurs, where a silent cut finds all channels empty."""
    empty = Semantics(reading=CutReading.EMPTY)
    with inline() as ask:
        for instance in SMALL:
            between = layered(Cut(), as_program(instance.p), Cut())
            assert ask(CLOSED_RUN, instance) == ask(OCCURS, Instance(instance.n, (between,)), empty)


@pytest.mark.parametrize(("n", "messages"), [(2, 0), (2, 1), (2, 2), (3, 1)])
def test_what_has_no_closed_run_has_no_seal(n: int, messages: int) -> None:
    """Tried are all short programs, of which the explorer says whether they seal it."""
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
    """There, too, a balanced program has a closed run."""
    instance = Instance.of(parse_straight_line("mt 1->2; mt 1->2"))
    (found,) = answers(CLOSED_RUN, [instance], Semantics(model=ChannelModel.REL_FIFO))
    assert who_knows(found) == {"executions"}
    assert found.agreed
