"""TikZ, DOT, Mermaid, PNG and text show what the picture shows."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import balanced_programs, unhurried

from sealcheck.algorithms.sealing import decide
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.making import of_program, of_sealing
from sealcheck.drawing.other_tools import dot, latex, mermaid, tikz
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.signatures import SignaturePicture, arrange_signature
from sealcheck.drawing.svg import ZOOM, png
from sealcheck.drawing.text import text
from sealcheck.errors import InputError
from sealcheck.language.mermaid import parse_mermaid
from sealcheck.language.names import Names, together
from sealcheck.programs.straight_line import StraightLine, channels, mt, snd

ONCE = StraightLine.of(2, mt(1, 2))
WRONG = of_sealing(ONCE, ONCE, decide(ONCE, ONCE), Names(("a_b", "50%")))


@st.composite
def decided(draw: st.DrawFn) -> Picture:
    p, q = draw(balanced_programs(2))
    return of_sealing(p, q, decide(p, q))


def test_a_message_to_a_process_further_left_that_is_left_out() -> None:
    lines = [*text(of_program({"P": StraightLine.of(3, [snd(2, 1), *mt(2, 3)])}), 100)]
    assert lines == [
        "           2            3",
        "           |            |",
        "P    <--1--o            |   snd 2->1  sends message 1",
        "P          o--2-->      |   snd 2->3  sends message 2",
        "P          |      --2-->o   rcv 3<-2  takes message 2 of P",
    ]


def test_tikz_is_closed_and_escaped() -> None:
    drawn = tikz(arrange(WRONG))
    assert drawn.count("{") == drawn.count("}")
    assert r"{a\_b}" in drawn
    assert r"{50\%}" in drawn
    assert "dash pattern" in drawn
    first, *inside, last = drawn.splitlines()[1:]
    assert first.startswith(r"\begin{tikzpicture}")
    assert last == r"\end{tikzpicture}"
    assert all(line.endswith(";") for line in inside)


@given(st.text())
def test_what_latex_reads_as_a_command_is_escaped(words: str) -> None:
    ours = r"\\text[a-z]+\{\}|\\ldots\{\}|\$\\(to|gets|leq|geq|wr)\$|\\[&%$#_{}]"
    rest = re.sub(ours, "", latex(words))
    assert not set(rest) & set("\\{}$&#%_^~\n")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_tikz_compiles(tmp_path: Path) -> None:
    program = StraightLine.of(3, [*mt(1, 2), *mt(2, 3), *mt(1, 3)])
    scenes = [arrange(WRONG), arrange(of_program({"P": program})), arrange_signature(SignaturePicture(ONCE))]
    lines = [r"\documentclass{article}", r"\usepackage{tikz}", r"\begin{document}", *map(tikz, scenes)]
    (tmp_path / "pictures.tex").write_text("\n".join([*lines, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "pictures.tex"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120
    )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "pictures.pdf").stat().st_size > 1_000


@unhurried
@given(decided())
def test_dot_has_every_event_and_every_message(picture: Picture) -> None:
    drawn = dot(picture)
    assert len(re.findall(r"tooltip=", drawn)) == len(picture.run.order)
    assert len(re.findall(r"weight=1\b", drawn)) == len(picture.run.matching)
    assert drawn.count("{") == drawn.count("}")


@unhurried
@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.sampled_from(channels(n)), min_size=1, max_size=9)))
def test_mermaid_is_read_as_the_same_program(used: list[tuple[int, int]]) -> None:
    n = max(max(pair) for pair in used)
    program = StraightLine.of(n, [event for channel in used for event in mt(*channel)])
    (found,), _ = together([parse_mermaid(mermaid(of_program({"P": program})))])
    assert found == program


@unhurried
@given(balanced_programs(1))
def test_mermaid_is_read_as_this_program_or_not_at_all(programs: tuple[StraightLine, ...]) -> None:
    """No reader may skip the notes for messages that overtake."""
    (program,) = programs
    drawn = mermaid(of_program({"P": program}))
    if "sends" in drawn:
        with pytest.raises(InputError, match="line 2: a picture by sealcheck: its notes are sends"):
            parse_mermaid(drawn)
    elif program.messages:
        (found,), _ = together([parse_mermaid(drawn)])
        assert found == program


@unhurried
@given(decided(), st.integers(1, 120))
def test_text_has_every_event_at_every_width(picture: Picture, width: int) -> None:
    lines = list(text(picture, width))
    if not picture.run.order:
        assert lines == ["(nothing happens)"]
    elif lines[-1].startswith("(time"):
        assert len(re.findall(r"\d>|>\d", "\n".join(lines[:-1]))) == len(picture.run.order)
    else:
        assert len(lines) == 2 + len(picture.run.order)
        assert max(map(len, lines)) <= width


def test_png_is_as_large_as_the_scene() -> None:
    scene = arrange(WRONG)
    drawn = png(scene)
    width, height = (int.from_bytes(drawn[at : at + 4], "big") for at in (16, 20))
    assert abs(width - ZOOM * scene.width) <= ZOOM
    assert abs(height - ZOOM * scene.height) <= ZOOM


def test_without_a_font_there_is_no_png(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sealcheck.drawing.svg._has_fonts", lambda: False)
    with pytest.raises(InputError, match="no font was found"):
        png(arrange(WRONG))
