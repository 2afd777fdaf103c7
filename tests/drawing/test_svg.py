"""Pictures as SVG: runs, signatures, and the files in docs/figures."""

import shlex
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing.figures import DOCS, Figure, figures, files
from tests.drawing.geometry import outside, overlaps
from tests.strategies import balanced_program, process_names, unhurried

from sealcheck.algorithms.as_printed.program_graph import First, Last
from sealcheck.algorithms.sealing import decide
from sealcheck.cli.main import main
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.making import of_program, of_sealing
from sealcheck.drawing.scene import Look, Scene, meet
from sealcheck.drawing.signatures import SignaturePicture, arrange_signature, signature_dot, signature_text
from sealcheck.drawing.svg import LINES, svg
from sealcheck.language.names import Names
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd

SVG = "{http://www.w3.org/2000/svg}"

ONCE = StraightLine.of(2, mt(1, 2))


def drawn() -> str:
    return svg(arrange(of_sealing(ONCE, ONCE, decide(ONCE, ONCE))))


def test_it_has_a_title_and_a_description_that_name_it() -> None:
    root = ElementTree.fromstring(drawn())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    named = [root.find(f"{SVG}title"), root.find(f"{SVG}desc")]
    ids = " ".join(str(each.get("id")) for each in named if each is not None)
    assert root.get("aria-labelledby") == ids
    assert [each.text for each in named if each is not None] == [
        "Q does not seal P",
        "In this run of P; Q, rcv 2<-1 in P takes a message of Q.",
    ]


def test_the_wrong_message_is_dashed_thick_and_labelled() -> None:
    root = ElementTree.fromstring(drawn())
    (wrong,) = (each for each in root.iter(f"{SVG}path") if each.get("class") == "line wrong")
    assert wrong.get("stroke-dasharray")
    assert float(wrong.get("stroke-width", "0")) > 3
    (label,) = (each for each in root.iter(f"{SVG}text") if each.text == "of Q, taken in P")
    assert label.get("transform", "").startswith("rotate(")


def test_lines_differ_without_colour() -> None:
    looks = [tuple(sorted(look.items())) for look in LINES.values()]
    assert LINES.keys() == set(Look)
    assert len(set(looks)) == len(looks)


def test_it_is_the_same_each_time_and_loads_nothing() -> None:
    assert drawn() == drawn()
    assert "href=" not in drawn()
    assert "url(" not in drawn()


@unhurried
@given(st.text(min_size=1), process_names(), process_names())
def test_whatever_processes_are_called_it_is_well_formed(layer: str, first: str, second: str) -> None:
    ElementTree.fromstring(svg(arrange(of_program({layer: ONCE}, Names((first, second))))))


def test_the_signature_of_one_message() -> None:
    """Source: figure `fig:Sigvt`."""
    picture = SignaturePicture(StraightLine.of(2, mt(1, 2)))
    send, receive = mt(1, 2)
    assert picture.direct == {
        (First(1), send), (send, Last(1)), (send, receive), (First(2), receive), (receive, Last(2)),
    }  # fmt: skip
    assert picture.transitive == {
        (First(1), Last(1)), (First(1), receive), (First(1), Last(2)), (send, Last(2)), (First(2), Last(2)),
    }  # fmt: skip


def test_the_signature_of_a_message_and_its_answer() -> None:
    """Source: figure `fig:Sigvtack`."""
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


ALL = list(figures())


def test_the_files_are_what_is_drawn() -> None:
    """`python -m tests.drawing.figures` writes them."""
    for path, text in files().items():
        assert path.read_text() == text, f"{path} is old: python -m tests.drawing.figures"
    assert set((DOCS / "figures").iterdir()) == set(files()) - {DOCS / "figures.md"}


@pytest.mark.parametrize("figure", ALL, ids=lambda figure: figure.label)
def test_nothing_lies_on_anything(figure: Figure) -> None:
    scene: Scene = figure.scene
    assert overlaps(scene) == []
    assert outside(scene) == []


@pytest.mark.parametrize("figure", [f for f in ALL if f.command], ids=lambda figure: figure.label)
def test_the_commands_draw_them(figure: Figure, tmp_path: Path) -> None:
    program, *arguments = shlex.split(figure.command)
    assert program == "sealcheck"
    target = tmp_path / "figure.svg"
    assert main([*arguments, "--out", str(target)]) == 0
    drawn, shown = target.read_text(), (DOCS / "figures" / f"{figure.name}.svg").read_text()
    assert [drawn.count(mark) for mark in ("<circle", "<path")] == [
        shown.count(mark) for mark in ("<circle", "<path")
    ]


def test_every_figure_of_the_paper_is_there() -> None:
    labels = "vtseals 3sealP 3sealS unseal unsealP unsealS lproof Sigvt Sigvtack SigPcharSeal SigQcharSeal"
    assert [figure.name for figure in ALL] == [*labels.split(), "maxtranssealS"]
