"""``sealcheck prove``, also with ``--every-n``, and how audits name theorems."""

import pytest

from sealcheck.errors import InputError
from sealcheck.evidence import coq as theorems
from sealcheck.spark_sweeps import session
from sealcheck.theorems.checking.record import RECORD, recorded


def test_a_lemma_is_proved_and_its_proofs_are_accepted(ask, tmp_path):
    """`verify` accepts the folder."""
    out = str(tmp_path / "proofs")
    reply = ask("prove", "graph-cause", "--n", "2..3", "--messages", "2", "--out", out, "--json")
    assert (reply.code, reply.err) == (0, "")
    levels = [(level["n"], level["messages"]) for level in reply.document]
    assert levels == [(n, m) for n in (2, 3) for m in (0, 1, 2)]
    assert {level["verdict"] for level in reply.document} == {"verified"}
    assert {level["counterexample"] for level in reply.document} == {None}
    checked = ask("verify", out, "--json")
    assert (checked.code, checked.document["files"]) == (0, sum(level["proofs"] for level in reply.document))


def test_a_refuted_statement_is_shown_with_its_counterexample(ask):
    reply = ask("prove", "sealability", "--n", "3", "--messages", "4")
    assert reply.code == 1
    assert (
        "sealability fails for n = 3: snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2" in reply.out
    )
    verdicts = [line.split()[1:5] for line in reply.out.splitlines()[1:] if line.startswith("sealability ")]
    assert ["as-printed", "3", "4", "refuted"] in verdicts
    assert ["repaired", "3", "4", "verified"] in verdicts


def test_a_folder_of_something_else_is_refused(ask, tmp_path):
    file = tmp_path / "graph-cause-0-n2-m1-0.proof"
    file.write_text("old\n")
    reply = ask("prove", "graph-cause", "--n", "2", "--messages", "1", "--out", str(tmp_path))
    assert (reply.code, reply.err.count("\n")) == (2, 1)
    assert "choose another folder" in reply.err
    assert file.read_text() == "old\n"


@pytest.fixture
def coq(monkeypatch):
    on_record = {(found.file, found.name): found for found in recorded(RECORD)}

    def build(wanted, seconds):
        return tuple(on_record[theorem.file, theorem.name] for theorem in wanted)

    monkeypatch.setattr(theorems, "build", build)


def test_a_theorem_is_shown_with_its_class_and_its_axioms(ask, coq):
    reply = ask("prove", "graph-cause-largest", "--every-n")
    assert (reply.code, reply.err) == (0, "")
    assert reply.out.startswith("graph-cause-largest, as-printed: proved\n")
    said = " ".join(reply.out.split())
    assert (
        "graph_cause_largest, GraphCause.v: every BSL; finite intervals; from Classical_Prop.classic" in said
    )
    assert "Definitions.balanced l" in reply.out


def test_the_document_has_the_same(ask, coq):
    reply = ask("prove", "worst-case-seal", "sealability", "--every-n", "--json")
    assert (reply.code, reply.err) == (0, "")
    worst, sealability = reply.document
    assert (worst["statement"], worst["form"], worst["verdict"]) == ("worst-case-seal", "repaired", "proved")
    names = [theorem["name"] for theorem in worst["theorems"]]
    assert names == ["worst_case_seal_sufficient", "worst_case_seal_necessary"]
    assert {theorem["state"] for theorem in worst["theorems"]} == {"rebuilt"}
    assert [theorem["name"] for theorem in sealability["theorems"]] == ["sealability"]


def test_without_coq_nothing_is_proved_and_one_sentence_says_why(ask, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda program: None)
    reply = ask("prove", "sealability", "--every-n")
    assert reply.code == 3
    assert reply.err == "sealcheck: unknown: coqc is not installed: building the proofs takes Coq 8.16\n"
    assert reply.out.startswith("sealability, repaired: unknown\n")


def test_an_audit_says_what_is_proved_and_what_was_checked(ask):
    options = ("--n", "2", "--messages", "2", "--solver", "z3")
    reply = ask("audit", "graph-cause", *options)
    assert reply.code == 0
    assert "verdict       proved   theorem graph_cause, 6 programs" in reply.out
    assert "graph_cause, GraphCause.v, from no axiom: every straight-line program, with values" in reply.out
    assert "verified, up to the bound" in reply.out
    (row,) = ask("audit", "graph-cause", *options, "--json").document
    assert (row["verdict"], row["bounded"]) == ("proved", "verified")
    (theorem,) = row["evidence"]["theorems"]
    assert (theorem["file"], theorem["axioms"], theorem["state"]) == ("GraphCause.v", [], "on record")


def test_a_refuted_claim_names_the_theorems_that_refute_it(ask):
    options = ("--n", "2", "--messages", "2", "--solver", "z3")
    reply = ask("audit", "non-sealed", *options)
    assert "verdict       refuted   1 program" in reply.out
    assert "refuted by    guards_seal_X, GuardedSeal.v, from no axiom: X, whatever it sends" in reply.out
    assert "guarded_seal_completes, GuardedSeal.v" in reply.out
    printed, repaired = ask("audit", "non-sealed", *options, "--json").document
    assert (printed["verdict"], printed["evidence"]["theorems"]) == ("refuted", [])
    names = [theorem["name"] for theorem in printed["evidence"]["refutations"]]
    assert names == ["guards_seal_X", "guards_seal_X_infinite", "guarded_seal_completes"]
    assert (repaired["verdict"], repaired["evidence"]["refutations"]) == ("proved", [])


def test_an_audit_without_the_record_says_verified(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.theorems.checking.record.recorded", lambda file: ())
    reply = ask("audit", "graph-cause", "--n", "1", "--messages", "1", "--solver", "z3")
    assert "verdict       verified" in reply.out
    assert "none is on record for the sources as they are" in reply.out


def test_the_master_that_is_named(ask, monkeypatch):
    def refuse(master, application):
        raise InputError(f"{application}: nobody answers at {master}")

    monkeypatch.setattr(session, "spark_session", refuse)
    reply = ask("prove", "graph-cause", "--n", "2", "--messages", "1", "--master", "local[3]")
    assert (reply.code, reply.err) == (2, "sealcheck: sealcheck prove: nobody answers at local[3]\n")
