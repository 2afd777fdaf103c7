"""``sealcheck prove``: what it prints, its exit codes, and what it refuses."""

import pytest


@pytest.mark.usefixtures("one_session")
def test_a_lemma_is_proved_and_its_proofs_are_accepted(ask, tmp_path):
    """A row for each level; exit code 0; and the folder is one that `verify` accepts."""
    out = str(tmp_path / "proofs")
    reply = ask("prove", "graph-cause", "--n", "2..3", "--messages", "2", "--out", out, "--json")
    assert (reply.code, reply.err) == (0, "")
    levels = [(level["n"], level["messages"]) for level in reply.document]
    assert levels == [(n, m) for n in (2, 3) for m in (0, 1, 2)]
    assert {level["verdict"] for level in reply.document} == {"verified"}
    assert {level["counterexample"] for level in reply.document} == {None}
    checked = ask("verify", out, "--json")
    assert (checked.code, checked.document["files"]) == (0, sum(level["proofs"] for level in reply.document))


@pytest.mark.usefixtures("one_session")
def test_a_refuted_statement_is_shown_with_its_counterexample(ask):
    """Exit code 1, and the program, which the repaired statement gets right."""
    reply = ask("prove", "sealability", "--n", "3", "--messages", "4")
    assert reply.code == 1
    assert (
        "sealability fails for n = 3: snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2" in reply.out
    )
    verdicts = [line.split()[1:5] for line in reply.out.splitlines()[1:] if line.startswith("sealability ")]
    assert ["as-printed", "3", "4", "refuted"] in verdicts
    assert ["repaired", "3", "4", "verified"] in verdicts


@pytest.mark.usefixtures("one_session")
def test_a_folder_of_something_else_is_refused(ask, tmp_path):
    """A proof of another version is neither used nor overwritten: bad input, in one sentence."""
    file = tmp_path / "graph-cause-0-n2-m1-0.proof"
    file.write_text("old\n")
    reply = ask("prove", "graph-cause", "--n", "2", "--messages", "1", "--out", str(tmp_path))
    assert (reply.code, reply.err.count("\n")) == (2, 1)
    assert "choose another folder" in reply.err
    assert file.read_text() == "old\n"
