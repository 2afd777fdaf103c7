"""`sealable`: the oracles agree, and know of which programs they may speak."""

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import LimitReached
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import SEALABLE, problem
from sealcheck.theorems.checking.hypotheses import deadlocking, unbalanced, with_self_channels

X = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


def test_knowledge_read_off_the_closed_graph_is_that_of_signatures() -> None:
    """What processes know at the end is the same by the whole graph and by signatures, up to (3, 4)."""
    for n in (1, 2, 3):
        for p in programs_up_to(n, 4, canonical=True):
            assert problem(p) == Problem.of(signature(p)), str(p)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Saturation, explorer, kernel and solvers say the same of all canonical programs of few messages."""
    programs = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(SEALABLE, programs, solvers=SOLVERS):
        assert who_knows(found) == {"saturation", "explorer", "kernel", *SOLVERS}
        assert found.agreed in (True, False)


def test_program_x_is_sealable_by_a_third_process_only() -> None:
    """The paper's X."""
    assert not agreed(SEALABLE, StraightLine.of(2, X))
    assert agreed(SEALABLE, StraightLine.of(3, X))


def test_the_explorer_alone_speaks_of_programs_that_are_no_bsl() -> None:
    """Nothing seals a message that is left over, anything a program that deadlocks."""
    left_over = [i for i in unbalanced(2, 2) if i.p.is_deadlock_free]
    cases = {False: left_over, True: deadlocking(2, 3)}
    for sealable, instances in cases.items():
        assert instances
        for found in answers(SEALABLE, instances):
            assert who_knows(found) == {"explorer"}
            assert found.agreed is sealable


def test_nobody_knows_of_programs_that_wait_for_others() -> None:
    """Whether a lone receive can be sealed is not decided."""
    with pytest.raises(LimitReached, match="no oracle can answer"):
        agreed(SEALABLE, StraightLine.of(2, [rcv(2, 1)]))


def test_messages_to_oneself_change_nothing() -> None:
    """A program of two processes is as sealable as without its messages from processes to themselves."""
    itself = Semantics(self_channels=True)
    instances = [i for m in range(3) for i in with_self_channels(2, m)]
    for instance, found in zip(instances, answers(SEALABLE, instances, itself, ()), strict=True):
        events = (e for e in instance.p.linearization if e.sender != e.receiver)
        assert found.agreed is agreed(SEALABLE, StraightLine.of(2, events), solvers=()), str(instance)


def test_for_many_processes_the_explorer_only_confirms() -> None:
    """It knows a seal of four crossing processes when it sees one; that there is none it does not know."""
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


def test_acknowledged_messages() -> None:
    """One message is sealed by an answer."""
    assert agreed(SEALABLE, StraightLine.of(2, mt(1, 2)))
