"""Pictures of signatures: the paper's nodes and edges, and nothing on anything else."""

from itertools import pairwise

from hypothesis import given
from tests.drawing.geometry import outside, overlaps
from tests.strategies import balanced_program, unhurried

from sealcheck.algorithms.as_printed.nodes import First, Last
from sealcheck.drawing.scene import Look, meet
from sealcheck.drawing.signatures import SignaturePicture, arrange_signature, signature_dot, signature_text
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd


def test_the_signature_of_one_message() -> None:
    """Figure `fig:Sigvt`: five edges of the program graph, and five thin ones."""
    picture = SignaturePicture(StraightLine.of(2, mt(1, 2)))
    send, receive = mt(1, 2)
    assert picture.direct == {
        (First(1), send), (send, Last(1)), (send, receive), (First(2), receive), (receive, Last(2)),
    }  # fmt: skip
    assert picture.transitive == {
        (First(1), Last(1)), (First(1), receive), (First(1), Last(2)), (send, Last(2)), (First(2), Last(2)),
    }  # fmt: skip


def test_the_signature_of_a_message_and_its_answer() -> None:
    """Figure `fig:Sigvtack`: the first receive is gone, and so is the answer's send."""
    picture = SignaturePicture(StraightLine.of(2, mt(1, 2) + mt(2, 1)))
    assert {node for node in picture.nodes if not isinstance(node, First | Last)} == {snd(1, 2), rcv(1, 2)}


@unhurried
@given(balanced_program(max_n=8, max_messages=20))
def test_nothing_lies_on_anything_and_lines_go_down(program: StraightLine) -> None:
    picture = SignaturePicture(program)
    scene = arrange_signature(picture)
    assert overlaps(scene) == []
    assert outside(scene) == []
    assert all(line.points[0][1] < line.points[-1][1] for line in scene.lines)
    bows = [part for line in scene.lines if len(line.points) > 2 for part in pairwise(line.points)]
    assert not any(meet(label.outline, part) for label in scene.labels for part in bows)
    drawn = [line.look for line in scene.lines]
    assert drawn.count(Look.THIN) == len(picture.transitive)
    assert drawn.count(Look.NORMAL) == len(picture.direct)


def test_as_text_and_as_a_graph() -> None:
    picture = SignaturePicture(StraightLine.of(2, mt(1, 2)))
    assert "rcv 2<-1  ->  last 2" in list(signature_text(picture))
    graph = signature_dot(picture)
    assert graph.count(" -> ") == 10
    assert graph.count("penwidth=0.4") == 5
