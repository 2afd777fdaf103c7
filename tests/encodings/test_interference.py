"""What crosses the end of P: messages that P takes from later, and messages of P that are taken later."""

import pytest

from sealcheck.encodings.program_space import Axiom, SpaceRun, SymbolicProgram, axioms
from sealcheck.encodings.sealing import crosses_in_space
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver


def can_cross(p_messages: int, q_messages: int, later_sends: int, *, silent_start: bool = True) -> bool:
    """Whether some run of some P;Q over two processes has a message cross the end of P."""
    with fresh_formulas():
        layers = [SymbolicProgram(name, 2, m) for name, m in (("P", p_messages), ("Q", q_messages)) if m]
        space = SpaceRun(layers, later_sends=later_sends)
        run = axioms(space.run, [] if silent_start else [Axiom.SILENT_START])
        with open_solver("cadical") as solver:
            answer = solver.ask([*space.well_formed(), *run, crosses_in_space(space, layers[0])])
        assert answer.status is not Status.UNKNOWN
        return answer.status is Status.SAT


@pytest.mark.parametrize(
    ("p_messages", "q_messages", "later_sends", "expected"),
    [(1, 0, 0, False), (1, 0, 1, True), (2, 0, 0, False), (1, 1, 0, True)],
)
def test_what_comes_after_p_crosses(
    p_messages: int, q_messages: int, later_sends: int, expected: bool
) -> None:
    """Messages of Q and later ones do, those of P among themselves do not."""
    assert can_cross(p_messages, q_messages, later_sends) is expected


def test_what_comes_before_p_does_not_cross_its_end() -> None:
    """Without the leading cut P may receive what was sent before it, which crosses the start only."""
    assert not can_cross(1, 0, 0, silent_start=False)
