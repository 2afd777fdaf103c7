"""A certified ledger: changes in it, or in its files, are noticed."""

import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.evidence.certified import accepts, found, levels, rewrite, rows, write

from sealcheck.errors import InputError
from sealcheck.evidence.outcome import AcceptedClaim, AcceptedLedger, AcceptedTable, Trust
from sealcheck.evidence.verification import verify_path
from sealcheck.spark_sweeps import certify as certifying
from sealcheck.spark_sweeps.certify import certify, take_up

STATEMENTS = ("graph-cause", "sealability", "seal-size", "worst-case-seal", "seal")
FEW = ("graph-cause", "seal-size", "worst-case-seal")
SPACES = levels(2, 2)


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certified")
    assert write(STATEMENTS, SPACES, folder) == sum(path.is_file() for path in folder.rglob("*"))
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    write(FEW, levels(2, 1), folder)
    return folder


@pytest.fixture
def folder(certified: Path, tmp_path: Path) -> Path:
    return shutil.copytree(certified, tmp_path / "copy")


def ledger(folder: Path) -> list[dict[str, Any]]:
    return rows(folder / "ledger.jsonl")


def test_what_an_audit_writes_is_accepted(folder: Path) -> None:
    outcome = verify_path(folder)
    assert outcome.ok, outcome.rejected
    assert outcome.files == sum(path.is_file() for path in folder.rglob("*"))
    rows_there = ledger(folder)
    assert {row["verdict"] for row in rows_there} == {"proved", "refuted"}
    refuted = [row for row in rows_there if row["verdict"] == "refuted"]
    assert {bool(row["theorems"]) for row in refuted} == {True, False}
    assert all(bool(row["theorems"]) == (row["counterexample"] is None) for row in refuted)
    claims = [each for each in outcome.accepted if isinstance(each, AcceptedClaim)]
    assert [(each.name, each.claim, each.verdict) for each in claims] == [
        (row["statement"], row["claim"], row["verdict"]) for row in rows_there
    ]
    assert {each.levels for each in claims} == {frozenset(SPACES)}
    assert "refuted" in {each.verdict for each in claims if Trust.RECORD in each.by}
    by = {each.name: each.by for each in claims}
    assert by["graph-cause"] == (Trust.REPLAY, Trust.FORMULA, Trust.RECORD)
    assert by["seal"] == (Trust.REPLAY, Trust.RECORD)
    assert by["seal-size"] == (Trust.REPLAY, Trust.KERNEL, Trust.RECORD)
    (whole,) = [each for each in outcome.accepted if isinstance(each, AcceptedLedger)]
    assert (whole.statements, whole.claims) == (STATEMENTS, len(claims))
    tables = [each for each in outcome.accepted if isinstance(each, AcceptedTable)]
    assert len(tables) == 3
    assert all(each.complete and each.by == (Trust.KERNEL,) for each in tables)
    rewrite(folder / "ledger.jsonl", rows_there)
    assert accepts(folder)
    assert accepts(folder / "ledger.jsonl")


def test_what_theorems_alone_decide_is_accepted_from_the_record_alone(tmp_path: Path) -> None:
    write(["seal-algebra-5"], [(1, 0)], tmp_path)
    accepted = [each for each in verify_path(tmp_path).accepted if isinstance(each, AcceptedClaim)]
    assert [(each.verdict, each.by) for each in accepted] == [
        ("refuted", (Trust.RECORD,)),
        ("proved", (Trust.REPLAY, Trust.RECORD)),
        ("proved", (Trust.RECORD,)),
    ]
    printed, *others = ledger(tmp_path)
    assert printed["theorems"] == ["InfiniteRefutations.v seal_algebra_5_as_printed_fails"]
    rewrite(tmp_path / "ledger.jsonl", [printed | {"theorems": []}, *others])
    assert not accepts(tmp_path)


def test_the_kernel_by_itself_leaves_most_of_it(folder: Path) -> None:
    outcome = verify_path(folder, kernel_only=True)
    assert not outcome.ok
    assert outcome.rejections == 0
    assert {type(each) for each in outcome.accepted} == {AcceptedTable}
    needs = {Path(file).name: trust for file, trust in outcome.not_checked}
    assert needs["ledger.jsonl"] is Trust.REPLAY
    assert needs["graph-cause-0-n2-m2-0.proof"] is needs["graph-cause-n2-m2.answers"] is Trust.FORMULA
    assert outcome.files == len(needs) + len(outcome.accepted)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "verdict": lambda verdict: "refuted" if verdict == "verified" else "verified",
    "theorems": lambda named: [*named, "GraphCause.v graph_cause"],
    "counterexample": lambda found: None if found else {"n": 1, "programs": ["eps"]},
    "instances": lambda number: number + 1,
    "vacuous": lambda number: number + 1,
    "text": lambda text: text + " always",
    "form": lambda form: "repaired" if form == "as-printed" else "as-printed",
    "claim": lambda number: number + 1,
    "counts": lambda counts: None if counts else [[1, 1]],
    "tables": lambda tables: [*tables, "tables/other.jsonl"],
    "answers": lambda answers: answers[1:] or ["answers/other"],
    "statement": lambda id: "tcc-basic",
    "proofs": lambda proofs: proofs[:-1] if proofs else ["proofs/../../other"],
    "models": lambda models: [*models, {"messages": 0, "n": 1, "number": 0, "true": []}],
}


@pytest.mark.parametrize("key", CHANGES)
def test_every_value_of_a_row_counts(key: str, few: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(few, tmp_path / "copy")
    original = ledger(folder)
    assert original[0].keys() == CHANGES.keys()
    for number in (0, len(original) - 1):
        changed = [dict(row) for row in original]
        changed[number][key] = CHANGES[key](changed[number][key])
        rewrite(folder / "ledger.jsonl", changed)
        assert not accepts(folder)


def test_rows_that_are_missing_or_elsewhere(few: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(few, tmp_path / "copy")
    original = ledger(folder)
    for at in range(len(original)):
        rewrite(folder / "ledger.jsonl", original[:at] + original[at + 1 :])
        assert not accepts(folder)
    for changed in ([], [*original, original[0]], original[::-1], [original[1], *original[1:]]):
        rewrite(folder / "ledger.jsonl", changed)
        assert not accepts(folder)


@pytest.mark.parametrize(
    "scope",
    [
        {"n": [1, 3]}, {"messages": [0, 2]}, {"messages": [0, 0]}, {"n": [1, 1]}, {"n": [2, 2]}, {"n": 2},
        {"messages": [1, 1]}, {"statements": []}, {"statements": list(FEW[:-1])},
        {"statements": [*FEW, "tcc-basic"]}, {"statements": [*FEW, FEW[0]]},
        {"statements": [*FEW[:-1], "theorem"]}, {"statements": [1]}, {"version": 3}, {"version": 5},
    ],
)  # fmt: skip
def test_another_scope_is_another_ledger(scope: dict[str, object], few: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(few, tmp_path / "copy")
    rewrite(folder / "ledger.jsonl", ledger(folder), **scope)
    assert not accepts(folder)


def test_rows_of_one_statement_with_the_scope_of_it_alone(folder: Path) -> None:
    kept = [row for row in ledger(folder) if row["statement"] == "seal"]
    rewrite(folder / "ledger.jsonl", kept, statements=["seal"])
    assert not accepts(folder)
    for name in ("proofs", "answers", "tables"):
        shutil.rmtree(folder / name)
    assert accepts(folder)
    assert not accepts(folder, expected=["graph-cause n=1..2 messages=0..2"])
    assert accepts(folder, expected=["seal n=1..2 messages=0..2"])


@pytest.mark.parametrize(
    "pattern", ["proofs/graph-cause-0-n2-m2-*", "answers/graph-cause-n2-m2*", "tables/sealability*"]
)
def test_files_that_are_changed_or_exchanged(pattern: str, folder: Path) -> None:
    (path, *_) = sorted(folder.glob(pattern))
    lines = path.read_bytes().splitlines(keepends=True)
    for changed in (lines[:-1], [*lines, lines[-1]], [lines[0], *lines[2:]]):
        path.write_bytes(b"".join(changed))
        assert not accepts(folder)
    others = [other for other in sorted(path.parent.iterdir()) if other != path]
    path.write_bytes(others[0].read_bytes())
    assert not accepts(folder)
    path.unlink()
    assert not accepts(folder)


def test_every_file_that_a_row_names_must_be_there(few: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(few, tmp_path / "copy")
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        kept = file.read_bytes()
        file.unlink()
        assert not accepts(folder, expected=["ledger graph-cause n=1..2 messages=0..1"]), file
        if file.name != "ledger.jsonl":
            assert not accepts(folder / "ledger.jsonl"), file
        file.write_bytes(kept)
    assert accepts(folder)


def test_evidence_belongs_to_the_claim_that_it_is_about(folder: Path) -> None:
    original = ledger(folder)
    sealability = [at for at, row in enumerate(original) if row["statement"] == "sealability"]
    for at, other in (sealability, sealability[::-1]):
        changed = [dict(row) for row in original]
        changed[at]["proofs"] = original[other]["proofs"]
        rewrite(folder / "ledger.jsonl", changed)
        assert not accepts(folder)
        changed[at]["proofs"] = [*original[at]["proofs"], *original[other]["proofs"]]
        rewrite(folder / "ledger.jsonl", changed)
        assert not accepts(folder)


def test_nothing_of_another_audit_stays_in_a_folder(tmp_path: Path) -> None:
    take_up(tmp_path / "new", ["graph-cause"], SPACES)
    take_up(tmp_path / "new", ["graph-cause"], SPACES)
    for name in ("something", "proofs/graph-cause-0-n3-m1-0.proof", "tables/signatures.jsonl"):
        file = tmp_path / "new" / name
        file.touch()
        with pytest.raises(InputError, match="not a file of this audit: choose another folder"):
            take_up(tmp_path / "new", ["graph-cause"], SPACES)
        file.unlink()
    (tmp_path / "new" / ".DS_Store").touch()
    take_up(tmp_path / "new", ["graph-cause"], SPACES)
    with pytest.raises(InputError, match="cannot write to"):
        take_up(tmp_path / "new" / ".DS_Store", ["graph-cause"], SPACES)


@pytest.mark.parametrize("steps", range(0, 10, 3))
def test_an_audit_that_was_stopped_is_not_accepted_and_can_be_resumed(
    steps: int, tmp_path: Path, few: Path
) -> None:
    spaces = levels(2, 1)
    findings = found(FEW, spaces)
    left = iter(range(steps))

    def stop(step: str) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        certify(findings, tmp_path, spaces, nullcontext, stop)
    assert not accepts(tmp_path)
    assert any("has not finished" in reason for _, _, reason in verify_path(tmp_path).rejected)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    (tmp_path / ".ledger.jsonl.0123456789abcdef0123456789abcdef.tmp").write_text("half of it")
    certify(findings, tmp_path, spaces, nullcontext, lambda step: None)
    assert verify_path(tmp_path).ok
    unfinished = tmp_path / certifying.UNFINISHED
    assert not unfinished.exists()
    assert all(path.stat().st_mtime_ns == time for path, time in before.items() if path != unfinished)
    for path in (path for path in tmp_path.rglob("*") if path.is_file() and path.name != "ledger.jsonl"):
        assert path.read_bytes() == (few / path.relative_to(tmp_path)).read_bytes()


def test_what_is_there_and_wrong_is_written_again(folder: Path) -> None:
    reference = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for pattern in ("proofs/*", "answers/*", "tables/*"):
        (path, *_) = sorted(folder.glob(pattern))
        path.write_bytes(path.read_bytes()[:-20])
    assert not accepts(folder)
    write(STATEMENTS, SPACES, folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == reference
