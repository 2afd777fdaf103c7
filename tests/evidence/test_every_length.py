"""Proofs about every length, as files: what is wrong with one is found."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sealcheck.evidence.every_length import ProfileClaim, proof_file, verify_every_length
from sealcheck.evidence.verification import verify_path
from sealcheck.kernel.reading import canonical
from sealcheck.kernel.rejected import Rejected
from sealcheck.theorems.checking.checking_lengths import by_formulas
from sealcheck.theorems.registry import statement

CLAIM = ProfileClaim("worst-case-seal", 1, 3)
SEALS = 2
"""The number of the query that is about seals."""


@cache
def proofs() -> tuple[bytes, ...]:
    """The three files of the claim."""
    decided = by_formulas(statement(CLAIM.statement).claims[CLAIM.claim], CLAIM.n)
    return tuple(proof_file(CLAIM, shown) for shown in decided.shown)


def changed(text: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file with another header."""
    first, _, body = text.partition(b"\n")
    header = json.loads(first)
    change(header)
    return canonical(header) + b"\n" + body


def reason(text: bytes, folder: Path) -> str:
    """Why a file is rejected."""
    file = folder / "some.proof"
    file.write_bytes(text)
    with pytest.raises(Rejected) as rejected:
        verify_every_length(file)
    return str(rejected.value)


def test_each_file_is_accepted_and_says_what_it_is_about(tmp_path: Path) -> None:
    """The claim, and the number of the query."""
    for number, text in enumerate(proofs()):
        file = tmp_path / CLAIM.file_name(number)
        file.write_bytes(text)
        assert verify_every_length(file) == (CLAIM, number)
    assert verify_path(tmp_path).ok


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda header: header.update(n=4), "no query"),
        (lambda header: header.update(n=6), "n must be at most 5"),
        (lambda header: header.update(n=0), "n must be at most 5"),
        (lambda header: header.update(claim=0), "no such claim"),
        (lambda header: header.update(claim=9), "no such claim"),
        (lambda header: header.update(number=0), "no query"),
        (lambda header: header.update(number=-1), "no query"),
        (lambda header: header.update(statement="seal-construction"), "no such claim"),
        (lambda header: header.update(statement="theorem"), "unknown statement"),
        (lambda header: header.update(query="anything"), "no query"),
        (lambda header: header.update(programs_only=True), "another formula"),
        (lambda header: header["seals"].pop(), "another formula"),
        (lambda header: header["seals"].append([[1, 2]] * 5), "a seal of 5 messages"),
        (lambda header: header["seals"].append([[1, 4]]), "a channel that is none of 3 processes"),
        (lambda header: header["seals"].append([[1, 2, 3]]), "does not have 2 numbers"),
        (lambda header: header.update(seals=[[]] * 1001), "more than 1000 seals"),
        (lambda header: header.update(steps=1), "more or fewer steps"),
        (lambda header: header.update(sha256="0" * 64), "the digest over the steps"),
        (lambda header: header.update(version=2), "does not know"),
    ],
)
def test_a_changed_header_is_rejected(
    change: Callable[[dict[str, Any]], object], why: str, tmp_path: Path
) -> None:
    """Whatever is changed, and with a reason."""
    assert why in reason(changed(proofs()[SEALS], change), tmp_path)


def test_seals_are_for_queries_about_seals(tmp_path: Path) -> None:
    """Others list none."""
    assert "not about seals" in reason(changed(proofs()[0], lambda h: h.update(seals=[[[1, 2]]])), tmp_path)


def test_a_folder_without_one_of_the_proofs_is_rejected(tmp_path: Path) -> None:
    """Together they are the claim, and each by itself is not."""
    (tmp_path / "one.proof").write_bytes(proofs()[SEALS])
    outcome = verify_path(tmp_path)
    assert [why for _, _, why in outcome.rejected] == [
        "the claim is incomplete: worst-case-seal, repaired, n = 3, every length: 1 of 3 queries proved"
    ]


def test_the_program_that_needs_so_many_is_asked_of_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the kernel accepted a shorter seal of it, the proofs would not be enough."""
    for number, text in enumerate(proofs()):
        (tmp_path / CLAIM.file_name(number)).write_bytes(text)
    monkeypatch.setattr("sealcheck.evidence.every_length.by_kernel", lambda instance: 3)
    (rejected,) = verify_path(tmp_path).rejected
    assert rejected[2].endswith("needs 3 messages, not 4")
