"""`PortTheorems.v` states the theorems behind `docs/ports.md`, next to its sentences."""

import re

import pytest
from tests.proofs.building import PROOFS, ROOT

from sealcheck.evidence.reviewed import not_reviewed, readings, reviewed
from sealcheck.theorems.checking.record import (
    PORTS_PAGE,
    RECORD,
    ends,
    established,
    established_in,
    recorded,
    restated,
    sources,
)
from sealcheck.theorems.port_claims import PORT_CLAIMS

TEXTS = sources(PROOFS)
TEXT = TEXTS[PORTS_PAGE]
PROSE, _, PROVED = (ROOT / "docs" / "ports.md").read_text().partition("## What is proved")
PROVED, _, LIMITS = PROVED.partition("## Limits")
THEOREMS = {theorem.name: theorem for claim in PORT_CLAIMS for theorem in claim.theorems}
READINGS = list(readings())
WEAKER = {
    "ordered_root_port": ("<-> overtaking_message", "-> overtaking_message"),
    "layers_size": ("24 * length", "25 * length"),
    "values_least": ("seq 0 (S d)", "seq 0 d"),
}
"""For each theorem a weaker statement."""


def test_the_page_has_the_claims_in_order() -> None:
    entries = re.findall(r"^\(\*\* (ports-[a-z-]+)\.  (.*?) \*\)\n(.*?)(?=^\(\*\* |\Z)", TEXT, re.M | re.S)
    found = [
        (name, " ".join(words.split()), re.findall(r"^Theorem (\w+) :", stated, re.M))
        for name, words, stated in entries
    ]
    assert found == [(each.id, each.text, [t.name for t in each.theorems]) for each in PORT_CLAIMS]
    for theorem in THEOREMS.values():
        assert restated(TEXTS, theorem).startswith(f"Theorem {theorem.name} : ")


def test_the_page_defines_nothing() -> None:
    allowed = re.compile(
        r"From (Coq|Sealcheck) Require Import [\w ]+|Import ListNotations|Open Scope nat_scope"
        r"|Theorem \w+ : .*|Proof|exact @?\w+\.\w+|Qed"
    )
    assert [sentence for _, sentence in ends(TEXT) if not allowed.fullmatch(sentence)] == []


def test_the_table_has_the_claims() -> None:
    rows = re.findall(r"^\| (.+) \| ((?:`\w+`(?:, )?)+) \|$", PROVED, re.MULTILINE)
    found = [(text, re.findall(r"`(\w+)`", names)) for text, names in rows]
    assert found == [(each.text, [theorem.name for theorem in each.theorems]) for each in PORT_CLAIMS]


def test_sentences_that_claim_a_proof_name_theorems_of_the_table() -> None:
    sentences = re.split(r"(?<=[.])\s", re.sub(r"(?ms)^```.*?^```", "", PROSE + LIMITS))
    claiming = [each for each in sentences if re.search(r"\bCoq\b|NP-", each)]
    assert len(claiming) >= 4
    for sentence in claiming:
        assert set(re.findall(r"`(\w+)`", sentence)) & set(THEOREMS), sentence
    stated = {name for text in TEXTS.values() for name in re.findall(r"^Theorem (\w+)", text, re.MULTILINE)}
    assert set(re.findall(r"`(\w+)`", PROSE + LIMITS)) & stated <= set(THEOREMS)


@pytest.mark.parametrize("name", THEOREMS)
def test_the_theorems_are_on_record(name: str) -> None:
    """If this fails, run `python -m sealcheck.evidence.coq` where Coq is installed."""
    theorem = THEOREMS[name]
    found = established(theorem)
    assert found is not None
    assert found.statement.removeprefix("@").startswith(f"{theorem.module}.{name}")


@pytest.mark.parametrize("name", WEAKER)
def test_a_changed_statement_has_to_be_read_again(name: str) -> None:
    before, statement, after = re.split(rf"(?ms)^(Theorem {name} :.*?\.\n)(?=Proof)", TEXT)
    old, new = WEAKER[name]
    assert statement.count(old) == 1
    changed = {**TEXTS, PORTS_PAGE: before + statement.replace(old, new) + after}
    mine = [reading for reading in READINGS if reading.theorem.name == name]
    assert mine
    assert not_reviewed(reviewed(), READINGS, changed)[0] == mine
    assert established_in(recorded(RECORD), THEOREMS[name], TEXTS)
    assert established_in(recorded(RECORD), THEOREMS[name], changed) is None
