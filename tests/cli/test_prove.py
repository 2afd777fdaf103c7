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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["theorem", "--n", "3", "--messages", "2"], "unknown statement 'theorem'"),
        (["seal-size", "--n", "3", "--messages", "2"], "seal-size has no queries for whole levels"),
        (["graph-cause", "--n", "9", "--messages", "2"], "queries exist for at most 8 processes"),
        (["graph-cause", "--n", "3", "--messages", "-1"], "--messages must be at least 0, not -1"),
        (["seal-size", "--every-n", "--out", "x"], "--every-n takes no --n, --messages or --out"),
        (["graph-cause", "--n", "3", "--messages", "2", "--master", "foo"], "'foo' is not a Spark master"),
        (
            ["graph-cause", "--n", "3", "--messages", "2", "--out", "/dev/null/x"],
            "cannot write to /dev/null/x",
        ),
        (["graph-cause", "--n", "3", "--messages", "2", "--out", "/proc"], "cannot write to /proc"),
        (["graph-cause", "--n", "3", "--messages", "2", "--out", ""], "--out is empty"),
        (["graph-cause", "--n", "3", "--messages", "2", "--memory", "1"], "Invalid value for '--memory'"),
        (
            ["graph-cause", "--n", "3", "--messages", "2", "--seconds", "9" * 9],
            "Invalid value for '--seconds'",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments, sentence, ask):
    """Before Spark starts, with exit code 2."""
    reply = ask("prove", *arguments)
    assert (reply.code, reply.out) == (2, "")
    assert reply.err.startswith(f"sealcheck: {sentence}")
    assert reply.err.count("\n") == 1


@pytest.mark.usefixtures("one_session")
def test_a_folder_of_something_else_is_refused(ask, tmp_path):
    """A proof of another version is neither used nor overwritten: bad input, in one sentence."""
    file = tmp_path / "graph-cause-0-n2-m1-0.proof"
    file.write_text("old\n")
    reply = ask("prove", "graph-cause", "--n", "2", "--messages", "1", "--out", str(tmp_path))
    assert (reply.code, reply.err.count("\n")) == (2, 1)
    assert "choose another folder" in reply.err
    assert file.read_text() == "old\n"
