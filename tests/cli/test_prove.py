"""``sealcheck prove``: what it prints, its exit codes, and what it refuses."""

import json

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
def test_a_level_is_proved_by_using_a_lemma(ask, tmp_path):
    """What is printed, `--json`, and what `verify` says of the folder: all name the theorem it rests on."""
    out = str(tmp_path / "proofs")
    asked = ["prove", "closed-channels", "--n", "2", "--messages", "1", "--using", "GraphCause"]
    reply = ask(*asked, "--out", out, "--json")
    assert (reply.code, reply.err) == (0, "")
    (lemma,) = {json.dumps(level["using"]) for level in reply.document}
    known = json.loads(lemma)
    assert (known["statement"], known["file"], known["theorem"]) == (
        "graph-cause",
        "GraphCause.v",
        "graph_cause",
    )
    rests = f"graph-cause (graph_cause in GraphCause.v, sources {known['sources'][:12]})"
    assert f"This rests on {rests}, a theorem for every n and every length." in ask(*asked).out
    checked = ask("verify", out).out.splitlines()
    assert checked == [
        "accepted by the kernel and a regenerated formula, and a record of what Coq has checked: proofs of"
        f" closed-channels, as-printed, using {rests}, n = 2, messages = 0..1: no counterexample in 4 of 4"
        " queries",
        "accepted: 4 files",
    ]
    (accepted,) = {json.dumps(each["using"]) for each in ask("verify", out, "--json").document["accepted"]}
    assert accepted == lemma


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["theorem", "--n", "3", "--messages", "2"], "unknown statement 'theorem'"),
        (["seal-size", "--n", "3", "--messages", "2"], "seal-size is not asked about whole levels"),
        (["graph-cause", "--n", "9", "--messages", "2"], "queries are made for at most 8 processes"),
        (["graph-cause", "--n", "3", "--messages", "-1"], "--messages must be at least 0, not -1"),
        (
            ["graph-cause", "--n", "3", "--messages", "2", "--using", "graph-cause"],
            "graph-cause can't be proved by using graph-cause: that would be circular",
        ),
        (
            ["decide-sealing", "sealability", "--n", "3", "--messages", "2", "--using", "GraphCause"],
            "no query about sealability can use graph-cause: those about closed-channels and decide-sealing",
        ),
        (
            ["decide-sealing", "--n", "3", "--messages", "2", "--using", "sealability"],
            "unknown lemma 'sealability': choose among graph-cause",
        ),
        (
            ["decide-sealing", "--every-n", "--using", "graph-cause"],
            "--every-n is about every n and every length:"
            " without --n, --messages, --every-length, --out and --using",
        ),
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


# --- Every length -------------------------------------------------------------------------------


def test_every_length_is_proved_and_the_proofs_are_accepted(ask, tmp_path):
    """A row for each claim and n that is asked about; the folder is one that `verify` accepts; twice."""
    out = str(tmp_path / "proofs")
    arguments = ("prove", "seal-size", "worst-case-seal", "--n", "1..3", "--every-length", "--out", out)
    reply = ask(*arguments, "--json")
    assert (reply.code, reply.err) == (0, "")
    rows = [(row["statement"], row["n"], row["verdict"], row["proofs"]) for row in reply.document]
    sizes = [("seal-size", n, "verified", 3) for n in (1, 2, 3)]
    assert rows == [*sizes, *(("worst-case-seal", n, "verified", 3) for n in (2, 3))]
    assert {row["programs_only"] for row in reply.document} == {False}
    assert [row["needs"][0]["messages"] for row in reply.document[3:]] == [1, 4]
    before = {file.name: file.read_bytes() for file in (tmp_path / "proofs").iterdir()}
    assert len(before) == 15
    assert ask(*arguments).code == 0
    assert {file.name: file.read_bytes() for file in (tmp_path / "proofs").iterdir()} == before
    checked = ask("verify", out, "--json")
    assert checked.code == 0
    assert [(found["what"], found["n"], found["proved"]) for found in checked.document["accepted"]] == [
        ("every length", n, 3) for n in (1, 2, 3, 2, 3)
    ]
    assert (
        "worst-case-seal, repaired, n = 3, every length: no counterexample in 3 of 3"
        in ask("verify", out).out
    )


def test_what_is_refuted_for_every_length_has_a_program(ask):
    """Exit code 1, and the program, which can be sealed."""
    reply = ask("prove", "sealability", "--n", "3", "--every-length")
    assert reply.code == 1
    verdicts = [line.split()[1:4] for line in reply.out.splitlines() if line.startswith("sealability ")]
    assert verdicts[:2] == [["as-printed", "3", "refuted"], ["repaired", "3", "verified"]]
    (program,) = (line.split(": ", 1)[1] for line in reply.out.splitlines() if " fails for n = 3: " in line)
    sealed = ask("seal", program, "--n", "3", "--json")
    assert sealed.document["sealable"]


def test_a_limit_leaves_every_length_unknown(ask):
    """Exit code 3, with the limit."""
    reply = ask("prove", "worst-case-seal", "--n", "5", "--every-length", "--seconds", "1")
    assert reply.code == 3
    assert "unknown: worst-case-seal, repaired, n = 5: it takes more than 1 s (--seconds)" in reply.err
    assert "proof" not in reply.out.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["graph-cause", "--n", "3"], "graph-cause is not asked about programs of every length"),
        (["worst-case-seal", "--n", "1"], "worst-case-seal is not asked about programs of every length"),
        (["seal-size", "--n", "6"], "every length is decided for at most 5 processes"),
        (["seal-size"], "--every-length needs --n, and is without --messages, --master and --using"),
        (["seal-size", "--n", "3", "--messages", "2"], "--every-length needs --n, and is without --messages"),
        (["seal-size", "--every-n"], "--every-n is about every n and every length: without --n"),
        (["seal-size", "--n", "3", "--out", "/dev/null/x"], "cannot write to /dev/null/x"),
    ],
)
def test_bad_input_about_every_length_is_refused(arguments, sentence, ask):
    """In a sentence, with exit code 2."""
    reply = ask("prove", *arguments, "--every-length")
    assert (reply.code, reply.out) == (2, "")
    assert reply.err.startswith(f"sealcheck: {sentence}")
    assert reply.err.count("\n") == 1


def test_a_file_in_the_way_of_a_proof_of_every_length_is_kept(ask, tmp_path):
    """It is none that this version would write: bad input."""
    file = tmp_path / "seal-size-1-n2-every-0.proof"
    file.write_text("mine\n")
    reply = ask("prove", "seal-size", "--n", "2", "--every-length", "--out", str(tmp_path))
    assert (reply.code, reply.err.count("\n")) == (2, 1)
    assert "choose another folder" in reply.err
    assert [each.read_text() for each in tmp_path.iterdir()] == ["mine\n"]
