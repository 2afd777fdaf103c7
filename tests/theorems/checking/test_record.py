"""The record has the theorems of the claims, for the present sources."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sealcheck.errors import Disagreement
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking import record as module
from sealcheck.theorems.checking.record import (
    RECORD,
    SOURCES,
    Established,
    Theorem,
    digest,
    established,
    established_in,
    files,
    needed,
    recorded,
    sources,
    written,
)
from sealcheck.theorems.checking.statement import Tally, Verdict
from sealcheck.theorems.checking.verdicts import on_record, verdict_on
from sealcheck.theorems.port_claims import PORT_CLAIMS
from sealcheck.theorems.registry import STATEMENTS

NAMED = [
    pytest.param(about, claim, theorem, id=f"{about.id}-{theorem.name}")
    for about in STATEMENTS.values()
    for claim in about.claims
    for theorem in (*claim.theorems, *claim.refutations)
]
TEXTS = {"A.v": "(* a *)", "B.v": "From Sealcheck Require Import A.", "C.v": "(* c *)"}
B = Theorem("B.v", "b", "all")
FOUND = Established(
    file="B.v", name="b", axioms=(), statement="B.b : True", sources=digest(TEXTS, B), coq="8.16.1"
)
CHECKED = Tally(checked=1)


@pytest.mark.parametrize(("about", "claim", "theorem"), NAMED)
def test_what_claims_name_is_on_record_for_the_sources_as_they_are(about, claim, theorem):
    """If this fails, run `python -m sealcheck.evidence.coq` where Coq is installed."""
    found = established(theorem)
    assert found is not None
    assert f"Theorem {theorem.name}" in (text := sources(SOURCES)[theorem.file]) or (
        f"Corollary {theorem.name}" in text
    )
    assert found.statement.startswith(f"{theorem.module}.{theorem.name}")


def test_the_record_has_nothing_else():
    named = {(theorem.values[2].file, theorem.values[2].name) for theorem in NAMED}
    named |= {(theorem.file, theorem.name) for claim in PORT_CLAIMS for theorem in claim.theorems}
    assert {(found.file, found.name) for found in recorded(RECORD)} == named
    assert RECORD.read_text() == written(recorded(RECORD))


def test_a_changed_source_takes_its_theorems_off_the_record():
    assert established_in([FOUND], B, TEXTS) == FOUND
    assert established_in([FOUND], B, TEXTS | {"C.v": "changed"}) == FOUND
    for file in ("A.v", "B.v"):
        assert established_in([FOUND], B, TEXTS | {file: TEXTS[file] + " "}) is None
    assert established_in([FOUND], B, {}) is None


def test_a_theorem_from_other_axioms_is_not_established():
    assert established_in([replace(FOUND, axioms=("Classical_Prop.classic",))], B, TEXTS) is not None
    assert established_in([replace(FOUND, axioms=("B.admitted",))], B, TEXTS) is None


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"file": "A.v"}]', "[1]", '"x"', "[[]]"])
def test_what_is_no_record_says_nothing(text, tmp_path):
    (tmp_path / "record.json").write_text(text)
    assert recorded(tmp_path / "record.json") == ()
    assert recorded(tmp_path / "none.json") == ()


def test_a_missing_file_is_noticed():
    with pytest.raises(Disagreement, match=r"there is no A\.v among the proofs"):
        needed({"B.v": TEXTS["B.v"]}, [B])


def test_folders_are_not_part_of_names(tmp_path):
    for folder in ("model", "theory"):
        (tmp_path / folder).mkdir()
    (tmp_path / "theory" / "B.v").write_text(TEXTS["B.v"])
    (tmp_path / "A.v").write_text(TEXTS["A.v"])
    assert [*files(tmp_path).items()] == [("A.v", Path("A.v")), ("B.v", Path("theory/B.v"))]
    assert sources(tmp_path) == {name: TEXTS[name] for name in ("A.v", "B.v")}
    (tmp_path / "model" / "B.v").touch()
    files.cache_clear()
    with pytest.raises(Disagreement, match=r"model/B\.v and theory/B\.v have the same name"):
        files(tmp_path)


def test_no_proof_is_left_out():
    words = ("Admitted", "admit.", "Axiom", "Parameter", "Conjecture", "Unset Guard")
    texts = sources(SOURCES)
    assert texts
    lines = [line.strip() for text in texts.values() for line in text.splitlines()]
    assert not [line for line in lines if line.startswith(words) or " admit" in line]


@pytest.fixture
def forgotten(monkeypatch):
    monkeypatch.setattr(module, "recorded", lambda file: ())


@pytest.mark.parametrize("name", ["graph-cause", "sealability", "worst-case-seal"])
def test_the_verdict_is_proved_only_with_a_record(name, forgotten, monkeypatch):
    about = STATEMENTS[name]
    claim = about.claims[-1]
    assert on_record(claim.theorems) == ()
    assert verdict_on(about, claim, CHECKED, None) is Verdict.VERIFIED
    monkeypatch.undo()
    assert len(on_record(claim.theorems)) == len(claim.theorems)
    assert verdict_on(about, claim, CHECKED, None) is Verdict.PROVED
    assert verdict_on(about, claim, Tally(checked=1, unknown=1), None) is Verdict.PROVED
    refuted = Tally(checked=1, refuting=Instance.of(StraightLine.of(1)))
    with pytest.raises(Disagreement, match=rf"{name}, \S+ is proved .*, but fails on"):
        verdict_on(about, claim, refuted, None)


def test_one_theorem_of_several_is_not_enough(monkeypatch):
    claim = STATEMENTS["worst-case-seal"].claims[-1]
    some = tuple(found for found in recorded(RECORD) if found.name != "worst_case_seal_necessary")
    monkeypatch.setattr(module, "recorded", lambda file: some)
    assert on_record(claim.theorems) == ()


def test_only_refuted_claims_name_theorems_that_refute_them():
    rows = json.loads((SOURCES.parent / "theorems" / "manifest.json").read_text())
    refuted = {row["claim"] for row in rows if row["verdict"] == "refuted"}
    claims = [p.values[1] for p in NAMED]
    assert {claim.text for claim in claims if claim.refutations} <= refuted
    assert not [claim for claim in claims if claim.theorems and claim.text in refuted]


def test_a_claim_that_nothing_checks_says_why_and_names_theorems():
    for claim in (claim for about in STATEMENTS.values() for claim in about.claims):
        is_checked = claim.check is not None or claim.growth is not None
        assert is_checked != bool(claim.not_boundable)
        assert is_checked or claim.theorems or claim.refutations
