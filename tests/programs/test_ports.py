"""The page about transports has the table of the code, and a source for each row."""

import re
from pathlib import Path

from sealcheck.programs.ports import TRANSPORTS

PAGE = (Path(__file__).parents[2] / "docs" / "transports.md").read_text()


def test_the_page_has_each_name_with_its_guarantee() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ", PAGE, re.MULTILINE)
    assert rows == [(name, str(guarantee)) for name, guarantee in TRANSPORTS.items()]


def test_each_row_has_a_source() -> None:
    sources = re.findall(r"^\| `[^`]+` .*\| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert len(sources) == len(TRANSPORTS)
    assert all(source.startswith("as above") or "](https://" in source for source in sources)
