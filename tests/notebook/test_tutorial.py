"""The tutorial runs from its beginning, and shows its kept output."""

from typing import Any

import nbformat
import pytest
from tests.notebook.running import TUTORIAL, executed


def shown(notebook: Any) -> list[Any]:
    return [
        [output.get("data", output.get("text")) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.slow
def test_the_tutorial_shows_what_is_kept() -> None:
    kept = shown(nbformat.read(TUTORIAL, as_version=4))
    assert all(kept)
    assert shown(executed()) == kept
