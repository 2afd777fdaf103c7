"""`minimal-seal`: the oracles agree."""

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.algorithms.sealability import Problem, Unsealable, saturate
from sealcheck.algorithms.signature import signature
from sealcheck.algorithms.worst_cases import hardest_program
from sealcheck.programs.straight_line import Channel, StraightLine, mt, rcv, snd
from sealcheck.questions import sealing
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL

CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Search, explorer and kernel say the same of all canonical programs of few messages."""
    instances = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(MINIMAL_SEAL, instances):
        assert who_knows(found) == {"search over knowledge", "explorer", "kernel"}
        assert found.agreed is None or 0 <= found.agreed < 3 * n


def test_numbers() -> None:
    """No message for no message, one for one, none that would do for crossing ones."""
    programs = [StraightLine.of(2, events) for events in ([], mt(1, 2), CROSSING)]
    assert [agreed(MINIMAL_SEAL, p) for p in programs] == [0, 1, None]


def test_the_explorer_looks_for_shorter_seals_than_the_one_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the search found two messages where one is enough, the explorer would say one; and so the kernel."""
    long = Minimum((Channel(2, 1), Channel(1, 2)), ())
    monkeypatch.setattr(sealing, "minimum_or_unsealable", lambda problem: long)
    (found,) = answers(MINIMAL_SEAL, [Instance.of(StraightLine.of(2, mt(1, 2)))])
    assert found.said == {"search over knowledge": 2, "explorer": 1, "kernel": 1}


def test_the_explorer_looks_for_seals_where_none_is_proposed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the search took a message and its answer for program X, the explorer would still find a seal."""
    nothing = saturate(Problem.of(signature(StraightLine.of(2, CROSSING))))
    assert isinstance(nothing, Unsealable)
    monkeypatch.setattr(sealing, "minimum_or_unsealable", lambda problem: nothing)
    (found,) = answers(MINIMAL_SEAL, [Instance.of(StraightLine.of(2, [*mt(1, 2), *mt(2, 1)]))])
    assert found.said == {"search over knowledge": None, "explorer": 1, "kernel": 1}


def test_the_explorer_looks_for_seals_for_few_processes_only() -> None:
    """The hardest program of four processes needs seven messages, which it would take long to find."""
    (found,) = answers(MINIMAL_SEAL, [Instance.of(hardest_program(4).canonical())])
    assert found.agreed == 7
    assert found.abstained == {"explorer": "it looks for seals for up to 3 processes"}
