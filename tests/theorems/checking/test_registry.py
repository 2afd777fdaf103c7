"""What an implementation is asked about three layers, and what counts as an answer."""

import pytest

from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import target


def layers(*texts: str) -> Instance:
    """Programs of two processes, one after the other."""
    return Instance.of(*(parse_straight_line(text, 2) for text in texts))


@pytest.mark.parametrize(("third", "are_apart"), [("mt 1->2", True), ("mt 2->1", False)])
def test_all_of_three_layers_count(third: str, are_apart: bool) -> None:
    """The third one, too: here the first two stay apart, and what is expected depends on it."""
    asked = layers("mt 1->2", "mt 2->1", third)
    assert target("phases").expected(asked) is are_apart
    assert target("phases").judged(asked, are_apart) is True
    assert target("phases").judged(asked, not are_apart) is False


@pytest.mark.parametrize("id", ["phases", "closed-channels"])
def test_an_answer_of_another_type_is_none(id: str) -> None:
    """It is neither right nor wrong, even where Python takes it for the right answer."""
    asked = layers("mt 1->2", "mt 2->1", "mt 2->1")
    right, alike = (False, 0) if id == "phases" else ([[2, 1]], [[2, True]])
    assert target(id).judged(asked, right) is True
    assert target(id).judged(asked, alike) is None
    assert target(id).judged(asked, None) is None
