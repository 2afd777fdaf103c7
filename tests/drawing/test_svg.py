"""Pictures as SVG: one well-formed file with a title, the same each time, and nothing from outside."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import process_names, unhurried

from sealcheck.algorithms.sealing import decide
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.making import of_program, of_sealing
from sealcheck.drawing.scene import Look
from sealcheck.drawing.svg import LINES, svg
from sealcheck.language.names import Names
from sealcheck.programs.straight_line import StraightLine, mt

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
    text = svg(arrange(of_program({layer: ONCE}, Names((first, second)))))
    ElementTree.fromstring(text)
