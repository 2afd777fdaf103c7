"""`MainTheorems.v` states the theorems of the ledger, and changes need a review."""

import re
import time
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, ROOT, compiled, linked_to

from sealcheck.errors import Disagreement
from sealcheck.evidence.coq import Coq, named, require_restated
from sealcheck.evidence.reviewed import not_reviewed, readings, reviewed
from sealcheck.theorems.checking.record import (
    PAGE,
    RECORD,
    Established,
    digest,
    ends,
    established_in,
    recorded,
    restated,
    sources,
)
from sealcheck.theorems.registry import STATEMENTS

TEXTS = sources(PROOFS)
TEXT = TEXTS[PAGE]
READINGS = list(readings())
LEDGER = [reading for reading in READINGS if reading.statement in STATEMENTS]
THEOREMS = {theorem.name: theorem for theorem in named() if theorem.page == PAGE}
WEAKER = {
    "seal_size": ("messages s < 3 * n", "messages s < 4 * n", "a constant is raised"),
    "decide_cost": ("2 * n ^ 3", "2 * n ^ 4", "an exponent is raised"),
    "tcc_closed": (" /\\ TCC G (Star P)", "", "a conjunct is dropped"),
    "figure_3": ("messages s = 2", "messages s <= 2", "an equation becomes an inequality"),
    "decide_sealing_self": ("Seals Rel Q P <->", "Seals Rel Q P ->", "an equivalence is halved"),
    "sealability": ("p S s) <-> one_block", "p S s) -> one_block", "an equivalence is halved"),
    "worst_case_seal_necessary": (
        "exists P p, BSL n P p /\\",
        "exists P p,",
        "conditions on P are dropped",
    ),
    "signature_size_as_printed_fails": (
        "~ exists K N, forall n P l,",
        "forall n P l, ~ exists K N,",
        "order",
    ),
    "mt_seals_ack": ("forall i j e f,", "forall i j e f, e = f ->", "a hypothesis is added"),
    "tcc_impossibility_bsl": ("~ TCC RelNS P", "~ TCC Rel P", "another set of runs"),
}
"""For each theorem a weaker statement, which need not be true."""


def with_change(name: str, old: str, new: str) -> dict[str, str]:
    before, statement, after = re.split(rf"(?ms)^(Theorem {name} : .*?\.\n)(?=Proof)", TEXT)
    assert statement.count(old) == 1
    return {**TEXTS, PAGE: before + statement.replace(old, new) + after}


def test_it_states_the_theorems_that_claims_name_and_no_others() -> None:
    assert re.findall(r"^Theorem (\w+) : ", TEXT, re.MULTILINE) == list(dict.fromkeys(all_stated()))
    assert sorted(all_stated()) == sorted(THEOREMS)
    for theorem in THEOREMS.values():
        assert restated(TEXTS, theorem).startswith(f"Theorem {theorem.name} : ")


def all_stated() -> list[str]:
    return re.findall(r"^Proof\. exact \w+\.(\w+)\. Qed\.$", TEXT, re.MULTILINE)


def test_it_defines_nothing() -> None:
    allowed = re.compile(
        r"From (Coq|Sealcheck) Require (Import )?[\w ]+|Import [\w ]+|Open Scope nat_scope"
        r"|Section \w+|End \w+|Theorem \w+ : .*|Remark \w+_means : .*|Proof|exact (\w+\.\w+|eq_refl)|Qed"
    )
    assert [sentence for _, sentence in ends(TEXT) if not allowed.fullmatch(sentence)] == []


PROCEDURES = {"Procedures", "IsSeal", "SignatureCompose", "SealConstruction", "ProcedureCosts", "SealMended"}
"""Modules whose definitions are programs."""
NOT_STATED_AGAIN = {
    *("cut", "icut", "expr", "message", "name_graph", "machine", "state", "value"),  # types
    *(
        "X_acts",
        "X_of",
        "S1",
        "L",
        "S_acts",
        "mt_actions",
        "exchange_of",
        "vsequence",
        "truth",
    ),  # programs and their parts
    *(
        "transmitting",
        "transmissions",
        "is_seal",
        "decide_by_sets",
        "compose_sets",
        "unions",
        "stands_for",
        "graph_node",
    ),  # programs and graphs from others
}


def test_it_states_again_which_definitions_statements_name() -> None:
    stated = re.findall(r"^Remark (\w+)_means : (?:\w+\.)?(\w+) =", TEXT, re.MULTILINE)
    assert [name for name, other in stated if name != other] == []
    assert len(set(stated)) == len(stated)
    printed = [each.statement.partition(":")[2] for each in recorded(RECORD) if each.name in THEOREMS]
    named = {found for text in printed for found in re.findall(r"\b([A-Z]\w*)\.(\w+)", text)}
    missing = {
        name
        for module, name in named
        if module not in PROCEDURES
        and re.search(rf"(?m)^(Definition|Fixpoint) {name}\b", TEXTS.get(f"{module}.v", ""))
    } - {name for name, _ in stated}
    assert missing == NOT_STATED_AGAIN


def test_its_entries_are_the_rows_with_theorems_in_the_order_of_the_ledger() -> None:
    entries = re.findall(r"^\(\*\* ([a-z][\w, -]*)\.  (.*?)(?=^\(\*\* |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    found = {tuple(ids.split(", ")): set(re.findall(r"^Theorem (\w+)", rest, re.M)) for ids, rest in entries}
    order = list(dict.fromkeys(reading.statement for reading in LEDGER))
    listed = [id for ids in found for id in ids]
    assert sorted(listed) == sorted(order)
    assert [ids[0] for ids in found] == [id for id in order if id in {ids[0] for ids in found}]
    for ids, names in found.items():
        assert names == {reading.theorem.name for reading in LEDGER if reading.statement in ids}


def test_entries_name_the_place_in_the_paper() -> None:
    for about in STATEMENTS.values():
        label = re.match(r"(?:th|l|fig|app):[\w.]+|GraphCause", about.label)
        if label and any(reading.statement == about.id for reading in LEDGER):
            entry = re.search(rf"^\(\*\* [^.]*(?<![\w-]){about.id}(?![\w-]).*?\*\)", TEXT, re.M | re.S)
            assert entry
            assert label[0] in entry[0]


TABLE = [
    [cell.strip() for cell in row]
    for row in re.findall(
        r"^\| [A-Z]\w+, `([^`]+)`[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$",
        (ROOT / "docs" / "proofs.md").read_text(),
        re.MULTILINE,
    )
]
"""The rows of "The paper's results beside ours": label, as printed, repaired, theorems, files."""
NUMBERED = re.compile(r"(?:th|l|app):.*|GraphCause|corollary .*")
"""Labels of the paper's numbered results, and of their parts."""


def test_the_table_of_results_has_all_theorems_about_them() -> None:
    found: dict[str, list[str]] = {}
    for label, printed, _, theorems, _ in TABLE:
        found.setdefault(label, []).extend(re.findall(r"`(\w+)`", printed + theorems))
    expected: dict[str, set[str]] = {}
    for reading in LEDGER:
        if NUMBERED.fullmatch(label := STATEMENTS[reading.statement].label):
            expected.setdefault(label, set()).add(reading.theorem.name)
    assert {label: set(names) for label, names in found.items()} == expected
    assert all(len(names) == len(set(names)) for names in found.values())


def test_the_table_of_results_says_what_is_refuted_and_in_which_files() -> None:
    refuting = {reading.theorem.name for reading in LEDGER if reading.refutes}
    printed_holds = {r.theorem.name for r in LEDGER if r.form == "as-printed" and not r.refutes}
    for label, printed, repaired, theorems, files in TABLE:
        against, proved = (set(re.findall(r"`(\w+)`", cell)) for cell in (printed, theorems))
        assert against <= refuting, label
        assert bool(against) == printed.startswith("false")
        assert not proved & refuting, label
        assert printed.startswith("true") <= bool(proved & printed_holds), label
        assert bool(proved - printed_holds) <= bool(repaired), label
        assert re.findall(r"`(\w+\.v)`", files) == list(
            dict.fromkeys(THEOREMS[name].file for name in re.findall(r"`(\w+)`", printed + theorems))
        )


@pytest.mark.parametrize("name", WEAKER)
def test_a_changed_statement_has_to_be_read_again(name: str) -> None:
    old, new, _ = WEAKER[name]
    changed = with_change(name, old, new)
    mine = [reading for reading in READINGS if reading.theorem.name == name]
    assert not_reviewed(reviewed(), READINGS, changed)[0] == mine
    assert established_in(recorded(RECORD), THEOREMS[name], TEXTS)
    assert established_in(recorded(RECORD), THEOREMS[name], changed) is None
    others = [theorem for theorem in THEOREMS.values() if theorem.name != name][::10]
    assert all(digest(changed, theorem) == digest(TEXTS, theorem) for theorem in others)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("exact Bsl.seal_size. Qed.", "exact Sealability.seal_size. Qed."),
        ("exact Bsl.seal_size. Qed.", "intros. apply Bsl.seal_size. Qed."),
        ("exact Bsl.seal_size. Qed.", "exact Bsl.seal_size. Defined."),
        ("exact Bsl.seal_size. Qed.", "Admitted."),
        ("Theorem seal_size : ", "Theorem seal_size_again : "),
        (
            "Theorem seal_size : ",
            "Theorem more : True.\nProof. exact Bsl.seal_size. Qed.\nTheorem seal_size : ",
        ),
    ],
)
def test_a_statement_that_is_not_proved_by_its_original_is_noticed(old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(
        Disagreement, match=r"MainTheorems\.v must state seal_size once, proved by 'exact Bsl"
    ):
        restated({**TEXTS, PAGE: TEXT.replace(old, new)}, THEOREMS["seal_size"])


def test_comments_and_layout_of_the_page_do_not_count() -> None:
    """So its words can be improved without a review."""
    plain = {**TEXTS, PAGE: ".\n".join([*(sentence for _, sentence in ends(TEXT)), ""])}
    assert not_reviewed(reviewed(), READINGS, plain) == ([], [])


@pytest.mark.coq
def test_coq_prints_the_statements_on_record(built: Path, tmp_path: Path) -> None:
    linked_to(tmp_path, built, set())
    require_restated(Coq(tmp_path, time.monotonic() + 600), recorded(RECORD), named())


@pytest.mark.coq
def test_another_statement_is_refused_even_if_it_follows_by_computation(built: Path, tmp_path: Path) -> None:
    changed = with_change("decide_cost", "2 * n ^ 3", "(1 + 1) * n ^ 3")
    linked_to(tmp_path, built, {"MainTheorems"})
    (tmp_path / PAGE).write_text(changed[PAGE])
    assert compiled(tmp_path, "MainTheorems").returncode == 0
    with pytest.raises(Disagreement, match=r"another statement of decide_cost than SignatureCosts\.v"):
        require_restated(Coq(tmp_path, time.monotonic() + 600), of("decide_cost"), named())


@pytest.mark.coq
@pytest.mark.parametrize("name", WEAKER)
def test_coq_does_not_accept_a_changed_statement(name: str, built: Path, tmp_path: Path) -> None:
    linked_to(tmp_path, built, {"MainTheorems"})
    old, new, _ = WEAKER[name]
    (tmp_path / PAGE).write_text(with_change(name, old, new)[PAGE])
    done = compiled(tmp_path, "MainTheorems")
    assert done.returncode
    assert "Error" in done.stderr


CHANGED = {
    "Seals": ("(Lay p (Lay Chop s))", "(Lay p s)"),
    "proper_seal": ("dead_free (p ++ s) /\\ ", ""),
    "barrier_among": ("NoBarrierWholeLanguage.below n p -> ", ""),
    "leaves_open": ("NoDup cs /\\ ", ""),
    "silent": ("<->", "->"),
    "each_seals": ("Seals G l' l |", "Seals G l' l /\\ TCC G l |"),
    "messages": ("ASend _ _ => true", "ASend i j => i <? j"),
}
"""For each definition a change, made on the page instead of in its file."""


@pytest.mark.coq
@pytest.mark.parametrize("name", CHANGED)
def test_coq_notices_a_changed_definition(name: str, built: Path, tmp_path: Path) -> None:
    linked_to(tmp_path, built, {"MainTheorems"})
    before, statement, after = re.split(rf"(?ms)^(Remark {name}_means : .*?\.\n)(?=Proof)", TEXT)
    old, new = CHANGED[name]
    assert statement.count(old) == 1
    (tmp_path / PAGE).write_text(before + statement.replace(old, new) + after)
    done = compiled(tmp_path, "MainTheorems")
    assert done.returncode
    assert 'The term "eq_refl" has type' in " ".join(done.stderr.split())


def of(name: str) -> list[Established]:
    return [found for found in recorded(RECORD) if found.name == name]
