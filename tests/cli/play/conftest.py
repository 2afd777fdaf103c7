"""A place for archives of the page."""

from pathlib import Path

import pytest

from sealcheck.cli.play import folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "package"
    found.mkdir()
    monkeypatch.setattr(folder, "place", lambda: found / folder.NAME)
    return found
