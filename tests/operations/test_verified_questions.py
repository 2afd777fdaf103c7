"""Questions to the verified program; tests/proofs/ tests its answers."""

from typing import Any

import pytest

from sealcheck.errors import Disagreement
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.verified_questions import of_layers
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine, mt


def test_a_run_that_does_not_get_so_far() -> None:
    once = StraightLine.of(2, mt(1, 2))
    answer: dict[str, Any] = staying_apart(Phases((once, once))).to_json()
    assert [check.about for check in of_layers(answer).asked] == ["the answer", "the root causes"]
    (root,) = answer["interfering"]
    assert root["run"]["upto"] == [2, 0]
    root["run"]["upto"] = [0, 1]  # process 2 would receive what nobody has sent
    with pytest.raises(Disagreement, match=r"the run on .* is accepted, but does not get so far"):
        of_layers(answer)
