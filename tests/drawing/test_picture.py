"""What is drawn of a run with many events."""

from sealcheck.drawing.making import of_program
from sealcheck.drawing.picture import Folded, folded
from sealcheck.programs.straight_line import StraightLine, mt


def test_every_event_is_drawn_or_folded() -> None:
    """However many are drawn: in order, none twice, and no fold is of fewer than three events."""
    for messages in range(1, 6):
        picture = of_program({"P": StraightLine.of(2, mt(1, 2) * messages)})
        order = picture.run.order
        for most in range(len(order) + 1):
            at = 0
            for each in folded(picture, most):
                if isinstance(each, Folded):
                    assert each.count > 2
                    at += each.count
                else:
                    assert each == order[at]
                    at += 1
            assert at == len(order)
