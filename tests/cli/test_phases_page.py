"""docs/start/phases.md: what it says that is printed, is."""

import re
import shlex
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "start" / "phases.md").read_text("utf-8")


def test_what_the_page_shows(ask, tmp_path, monkeypatch):
    """Each command, on the page's diagrams; what is cut off ends in three dots."""
    monkeypatch.chdir(tmp_path)
    for name, diagram in zip(
        ("write", "publish"), re.findall("```mermaid\n(.*?)```", PAGE, re.S), strict=True
    ):
        Path(f"{name}.mmd").write_text(diagram)
    shown = re.findall(r"```text\n\$ sealcheck (.*?)\n(.*?)```", PAGE, re.S)
    assert len(shown) == 3
    for command, output in shown:
        expected, cut, _ = output.partition("...\n")
        printed = ask(*shlex.split(command)).out
        assert printed == output or (cut and printed.startswith(expected)), command
