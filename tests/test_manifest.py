"""What is on record of the default audit is what an audit finds, and what pages and findings.md say."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.manifest import ROOT, Row, expected, of_audit

from sealcheck.theorems.registry import STATEMENTS

ROW = re.compile(
    r"^([a-zA-Z0-9-]+) +(as-printed|repaired)(?: (\d))? +(proved|verified|refuted|unknown|not boundable)\b"
)


def numbered(rows: list[Row]) -> dict[tuple[str, str, str], Row]:
    """The rows by statement, form, and number where a statement has several of a form."""
    found = {}
    for row in rows:
        same = [
            other for other in rows if (other["statement"], other["form"]) == (row["statement"], row["form"])
        ]
        number = str(same.index(row) + 1) if len(same) > 1 else ""
        found[row["statement"], row["form"], number] = row
    return found


def shown(path: Path) -> list[tuple[tuple[str, str, str], str, str]]:
    """The rows of the ledger that a page shows: which, the verdict, and the whole line."""
    lines = path.read_text().splitlines()
    matches = [(match, line) for line in lines if (match := ROW.match(line))]
    return [((match[1], match[2], match[3] or ""), match[4], line) for match, line in matches]


def test_the_manifest_has_every_claim() -> None:
    """Each claim of each statement has a row, in their order, and no other claim has one."""
    claims = [
        (about.id, claim.form.value, claim.text) for about in STATEMENTS.values() for claim in about.claims
    ]
    assert [(row["statement"], row["form"], row["claim"]) for row in expected()] == claims


@pytest.mark.parametrize("page", ["README.md", "docs/start/paper.md"])
def test_pages_show_what_is_on_record(page: str) -> None:
    """Verdicts and numbers of instances that a page shows are those of the manifest."""
    rows = numbered(expected())
    there = shown(ROOT / page)
    assert there
    for which, verdict, line in there:
        assert rows[which]["verdict"] == verdict
        if counted := re.search(r" (\d+) [a-zA-Z]", line.partition(verdict)[2]):
            assert int(counted[1]) == rows[which]["instances"]


FOUND = re.compile(
    r"^\| \[?([a-zA-Z0-9-]+)[^|]*\| .* \| (as-printed|repaired)(?: (\d))? \|"
    r" \**(proved|verified|refuted|unknown|not boundable)\** \|",
    re.MULTILINE,
)


def test_findings_are_those_on_record() -> None:
    """findings.md has the verdict of each claim, and each counterexample."""
    text = (ROOT / "docs" / "findings.md").read_text()
    there = {(id, form, number): verdict for id, form, number, verdict in FOUND.findall(text)}
    assert there == {which: row["verdict"] for which, row in numbered(expected()).items()}
    for row in expected():
        for program in row["counterexample"]["programs"] if row["counterexample"] else ():
            assert program in text


@pytest.mark.slow
def test_an_audit_finds_what_is_on_record(tmp_path: Path) -> None:
    """The default audit, from nothing: verdicts, counterexamples and counts of every row."""
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    program = "import sys; from sealcheck.cli.main import main; sys.exit(main(['audit', '--json']))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert of_audit(json.loads(done.stdout)) == expected()
