"""The proofs build without warnings, gaps, or other axioms than allowed."""

import re
import time
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, accepted, compiled, compiled_files, linked_to, make
from tests.proofs.notions import without_comments

from sealcheck.evidence.coq import Coq, established_again, named, require_all_counted
from sealcheck.theorems.checking.record import RECORD, files, recorded
from sealcheck.theorems.checking.record import sources as texts_of

pytestmark = pytest.mark.coq

SEALED = "Coq.ssr.ssrunder.Under_rel."
"""A module of Coq's library whose definitions a type hides. They count as axioms until it is checked."""
GAP = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset)\b")
STATED = re.compile(r"^(?:Theorem|Corollary) (\w+)", re.MULTILINE)


def sources() -> dict[str, str]:
    return {name: without_comments(text) for name, text in texts_of(PROOFS).items()}


def test_the_project_lists_every_file() -> None:
    listed = {line for line in (PROOFS / "_CoqProject").read_text().splitlines() if line.endswith(".v")}
    assert listed == {str(place) for place in files(PROOFS).values()} - {"Axioms.v", "verified/Extract.v"}


def test_every_file_is_in_a_folder() -> None:
    assert {name for name, place in files(PROOFS).items() if place.parent == Path()} == {
        "Axioms.v", "MainTheorems.v", "PortTheorems.v",
    }  # fmt: skip


def test_nothing_is_assumed() -> None:
    assert {name: found for name, text in sources().items() if (found := GAP.findall(text))} == {}


def test_every_theorem_is_asked_for_its_axioms() -> None:
    texts = sources()
    names = re.findall(r"Print Assumptions (\w+)\.", texts.pop("Axioms.v"))
    assert len(names) == len(set(names))
    assert set(names) == {name for text in texts.values() for name in STATED.findall(text)}


def test_every_theorem_can_be_asked_for_its_axioms(built: Path, tmp_path: Path) -> None:
    """`coqchk` checks faster what all theorems rest on."""
    text = (PROOFS / "Axioms.v").read_text()
    (tmp_path / "Axioms.v").write_text(text.replace("Print Assumptions ", "Check "))
    linked_to(tmp_path, built, set())
    done = compiled(tmp_path, "Axioms")
    assert done.returncode == 0, done.stderr
    assert "coqc -Q . Sealcheck Axioms.v" in make(built, "-n", "axioms").stdout


def test_the_record_is_what_coq_says_now(built: Path, tmp_path: Path) -> None:
    """Which axioms each theorem needs, Coq says when the record is written; that takes 80 seconds."""
    linked_to(tmp_path, built, set())
    coq, record = Coq(tmp_path, time.monotonic() + 3600), recorded(RECORD)
    axioms = [each.axioms for each in record]
    assert established_again(coq, named(), texts_of(PROOFS), axioms) == record


def test_the_independent_checker_accepts_them(built: Path) -> None:
    """`coqchk` only reads Coq's own library, which saves two thirds of the time."""
    files = [option for file in compiled_files() for option in ("-norec", file)]
    accepted(["coqchk", "-silent", "-o", "-Q", ".", "Sealcheck", *files], built, SEALED)


def test_all_that_coq_finds_in_a_statement_counts(built: Path) -> None:
    require_all_counted(built, texts_of(PROOFS), named())
