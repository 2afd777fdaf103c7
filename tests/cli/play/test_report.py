"""The page beside a report, which links it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.page.recorded import named
from tests.cli.play.made_up import made_up

from sealcheck.cli.audit import ANSWERING, FILES
from sealcheck.cli.play.folder import NAME, packed, single


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    found: list[object] = []

    def decided(names: object, bounds: object, **_: object) -> list[object]:
        found.append(bounds)
        return [named("is-seal")]

    monkeypatch.setattr("sealcheck.spark_sweeps.audit.decided", decided)
    return found


def test_the_page_is_next_to_the_report(
    place: Path, audits: list[object], ask: Callable[..., Any], tmp_path: Path
) -> None:
    (place / NAME).write_bytes(packed(made_up()))
    folder = tmp_path / "report"
    said = ask("report", str(folder), "--n", "1", "--messages", "0", "--json")
    assert said.document == {"files": [str(folder / name) for name in (*FILES, ANSWERING)]}
    assert (folder / ANSWERING).read_bytes() == single(made_up())
    assert '<a href="play.html#q=' in (folder / "report.html").read_text()
    assert len(audits) == 1


def test_without_the_archive_the_report_has_no_links(
    place: Path, audits: list[object], ask: Callable[..., Any], tmp_path: Path
) -> None:
    said = ask("report", str(tmp_path), "--n", "1", "--messages", "0", "--json")
    assert said.document == {"files": [str(tmp_path / name) for name in FILES]}
    assert ANSWERING not in (tmp_path / "report.html").read_text()


def test_a_damaged_archive_is_refused_before_the_audit(
    place: Path, audits: list[object], ask: Callable[..., Any], tmp_path: Path
) -> None:
    (place / NAME).write_bytes(b"PK")
    said = ask("report", str(tmp_path / "report"), "--n", "1", "--messages", "0")
    assert said.code == 2
    assert said.err.startswith(f"sealcheck: {NAME} of this installation is damaged: ")
    assert audits == []
    assert not (tmp_path / "report").exists()
