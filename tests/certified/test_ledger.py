"""A certified ledger: what is changed in it, or in the files that it names, is noticed."""

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from sealcheck.certified.certifying import certify, require_new
from sealcheck.certified.verification import verify_path
from sealcheck.errors import InputError
from sealcheck.kernel.reading import canonical
from sealcheck.spark_sweeps.audit import audit

STATEMENTS = ("graph-cause", "decide-sealing", "seal-size", "deadlock-free")
SPACES = [(n, m) for n in (1, 2) for m in range(3)]


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an audit of a few statements, small enough to be done here, writes down."""
    folder = tmp_path_factory.mktemp("certified")
    findings = audit(nullcontext, STATEMENTS, SPACES)
    files = certify(findings, folder, SPACES, nullcontext, lambda step: None)
    assert files == sum(path.is_file() for path in folder.rglob("*"))
    return folder


@pytest.fixture
def folder(certified: Path, tmp_path: Path) -> Path:
    """A copy that may be changed."""
    return shutil.copytree(certified, tmp_path / "copy")


def rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of the ledger."""
    return [json.loads(line) for line in (folder / "ledger.jsonl").read_text().splitlines()[1:]]


def rewrite(folder: Path, changed: list[dict[str, Any]], **header: object) -> None:
    """Write a ledger with these rows, with a digest and a count that fit."""
    body = b"".join(canonical(row) + b"\n" for row in changed)
    first = json.loads((folder / "ledger.jsonl").read_text().splitlines()[0])
    first |= {"rows": len(changed), "sha256": hashlib.sha256(body).hexdigest()} | header
    (folder / "ledger.jsonl").write_bytes(canonical(first) + b"\n" + body)


def accepts(folder: Path) -> bool:
    """Whether everything in the folder is accepted."""
    try:
        return verify_path(folder).ok
    except InputError:
        return False


def test_what_an_audit_writes_is_accepted(folder: Path) -> None:
    """All files are gone through; refuted and verified claims, and every length, are among them."""
    outcome = verify_path(folder)
    assert outcome.ok, outcome.rejected
    assert outcome.files == sum(path.is_file() for path in folder.rglob("*"))
    assert {row["verdict"] for row in rows(folder)} == {"verified", "refuted"}
    rewrite(folder, rows(folder))
    assert accepts(folder)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "verdict": lambda verdict: "refuted" if verdict == "verified" else "verified",
    "counterexample": lambda found: None if found else {"n": 1, "programs": ["eps"]},
    "instances": lambda number: number + 1,
    "vacuous": lambda number: number + 1,
    "text": lambda text: text + " always",
    "form": lambda form: "repaired" if form == "as-printed" else "as-printed",
    "claim": lambda number: number + 1,
    "every_length": lambda lengths: [*lengths, 4],
    "counts": lambda counts: None if counts else [[1, 1]],
    "tables": lambda tables: [*tables, "tables/other.jsonl"],
    "answers": lambda answers: answers[1:] or ["answers/other"],
    "statement": lambda id: "tcc-basic",
    "proofs": lambda proofs: proofs[:-1] if proofs else ["proofs/../../other"],
}


@pytest.mark.parametrize("key", CHANGES)
def test_every_value_of_a_row_counts(key: str, folder: Path) -> None:
    """A row with any value changed is rejected, by a forger who mends the header, too."""
    original = rows(folder)
    assert original[0].keys() == CHANGES.keys()
    for number in (0, len(original) - 1):
        changed = [dict(row) for row in original]
        changed[number][key] = CHANGES[key](changed[number][key])
        rewrite(folder, changed)
        assert not accepts(folder)


def test_rows_that_are_missing_or_there_twice(folder: Path) -> None:
    """Every claim of a statement must be there, once."""
    original = rows(folder)
    several = next(k for k, row in enumerate(original) if row["claim"] == 1)
    rewrite(folder, original[:several] + original[several + 1 :])
    assert not accepts(folder)
    rewrite(folder, [*original, original[0]])
    assert not accepts(folder)


@pytest.mark.parametrize("bound", [{"n": 3}, {"messages": 3}, {"messages": 1}, {"n": 9}, {"version": 2}])
def test_other_bounds_are_another_ledger(bound: dict[str, int], folder: Path) -> None:
    """A header with other bounds does not fit the rows."""
    rewrite(folder, rows(folder), **bound)
    assert not accepts(folder)


@pytest.mark.parametrize(
    "pattern", ["proofs/graph-cause-0-n2-m2-*", "answers/graph-cause-n2-m2*", "tables/*"]
)
def test_files_that_are_changed_or_exchanged(pattern: str, folder: Path) -> None:
    """A proof, or a file of answers or rows, that has lost a line or stands for another one is rejected."""
    (path, *_) = sorted(folder.glob(pattern))
    lines = path.read_bytes().splitlines(keepends=True)
    for changed in (lines[:-1], [*lines, lines[-1]], [lines[0], *lines[2:]]):
        path.write_bytes(b"".join(changed))
        assert not accepts(folder)
    others = [other for other in sorted(path.parent.iterdir()) if other != path]
    if "tables" not in pattern:
        path.write_bytes(others[0].read_bytes())
        assert not accepts(folder)
        path.unlink()
        assert not accepts(folder)


def test_only_new_folders_are_written_to(tmp_path: Path) -> None:
    """A folder that holds something is refused, so that nothing of another audit stays in it."""
    require_new(tmp_path / "new")
    require_new(tmp_path)
    (tmp_path / "something").touch()
    with pytest.raises(InputError, match="not empty"):
        require_new(tmp_path)
