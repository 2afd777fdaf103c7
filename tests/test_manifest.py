"""The record of the default audit agrees with an audit, with pages and with findings.md."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.manifest import ROOT, Row, expected, of_audit

from sealcheck.theorems.registry import STATEMENTS

ROW = re.compile(
    r"^([a-zA-Z0-9-]+) +(as-printed|repaired)(?: (\d))? +"
    r"(proved|verified|refuted|unknown|not boundable)  +(.*)$"
)


def numbered(rows: list[Row]) -> dict[tuple[str, str, str], Row]:
    found = {}
    for row in rows:
        same = [
            other for other in rows if (other["statement"], other["form"]) == (row["statement"], row["form"])
        ]
        number = str(same.index(row) + 1) if len(same) > 1 else ""
        found[row["statement"], row["form"], number] = row
    return found


def shown(path: Path) -> list[tuple[tuple[str, str, str], str, str]]:
    found = map(ROW.match, path.read_text().splitlines())
    return [((row[1], row[2], row[3] or ""), row[4], row[5]) for row in found if row]


INSTANCES = re.compile(r"(?:^|[,;] )(\d+) (?!quer|step)(?:\D*\((\d+) vacuous\))?")
QUERIES = re.compile(r"(?:^|[,;] )(\d+) quer")


def counts(evidence: str) -> tuple[int, int, int]:
    instances, queries = INSTANCES.search(evidence), QUERIES.search(evidence)
    return (
        int(instances[1]) if instances else 0,
        int(instances[2] or 0) if instances else 0,
        int(queries[1]) if queries else 0,
    )


def on_record(row: Row) -> tuple[str, int, int, int]:
    return (row["verdict"], row["instances"], row["vacuous"], row["queries"])


def test_the_manifest_has_every_claim() -> None:
    claims = [
        (about.id, claim.form.value, claim.text) for about in STATEMENTS.values() for claim in about.claims
    ]
    assert [(row["statement"], row["form"], row["claim"]) for row in expected()] == claims


@pytest.mark.parametrize("page", ["README.md", "docs/start/paper.md"])
def test_pages_show_what_is_on_record(page: str) -> None:
    rows = numbered(expected())
    there = shown(ROOT / page)
    assert there
    for which, verdict, evidence in there:
        assert (verdict, *counts(evidence)) == on_record(rows[which])


def test_counts_in_prose() -> None:
    found = Counter(row["verdict"] for row in expected())
    told = f"The ledger has {found.total()} rows: {found['proved']} are proved, {found['refuted']} refuted."
    assert told in (ROOT / "CHANGELOG.md").read_text()
    assert "Each claim of the paper is either proved or refuted." in (ROOT / "README.md").read_text()
    assert set(found) == {"proved", "refuted"}


FOUND = re.compile(
    r"^\| \[?([a-zA-Z0-9-]+)[^|]*\| .* \| (as-printed|repaired)(?: (\d))? \|"
    r" \**(proved|verified|refuted|unknown|not boundable)\** \| ([^|]*) \|",
    re.MULTILINE,
)
BOUND = re.compile(
    r"^The results of `sealcheck audit .*`, up to n = (\d+) and (\d+) messages\.$", re.MULTILINE
)


def test_findings_are_those_on_record() -> None:
    text = (ROOT / "docs" / "findings.md").read_text()
    (bound,) = BOUND.findall(text)
    assert {(str(row["n"]), str(row["messages"])) for row in expected()} == {bound}
    there = {
        (id, form, number): (verdict, *counts(evidence))
        for id, form, number, verdict, evidence in FOUND.findall(text)
    }
    assert there == {which: on_record(row) for which, row in numbered(expected()).items()}
    for row in expected():
        for program in row["counterexample"]["programs"] if row["counterexample"] else ():
            assert program in text


@pytest.mark.slow
def test_an_audit_finds_what_is_on_record(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    program = "import sys; from sealcheck.cli.main import main; sys.exit(main(['audit', '--json']))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert of_audit(json.loads(done.stdout)) == expected()
