"""docs/figures shows what the scripts draws, and the commands there draw the same."""

import shlex
from pathlib import Path

import pytest
from tests.drawing.figures import DOCS, Figure, figures, files
from tests.drawing.geometry import outside, overlaps

from sealcheck.cli.main import main
from sealcheck.drawing.scene import Scene

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
    """The same events and messages; names of programs may be others."""
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
