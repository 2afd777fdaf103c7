"""Building theorems: what Coq is asked, and what becomes of what it does not accept."""

import pytest

from sealcheck.errors import Disagreement, LimitReached, Unfinished
from sealcheck.evidence.coq import build, said
from sealcheck.theorems.checking.record import Theorem

RESOLVED = "prf 8:8 <> t"
PROOF = "Theorem t : True.\nProof. exact I. Qed.\n"
T = Theorem("T.v", "t", "nothing")


def test_without_coq_one_sentence_says_so(monkeypatch):
    """And what is missing."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unfinished, match=r"^coqc is not installed: building the proofs takes Coq 8\.16$"):
        build([T], 10)


@pytest.fixture
def coq(tmp_path, monkeypatch):
    """Programs of these names that print something: as Coq does, unless a test says otherwise."""

    def made(coqc: str, coqchk: str = "echo '* Axioms: <none>'") -> None:
        for name, script in (("coqc", coqc), ("coqchk", coqchk)):
            (tmp_path / name).write_text(f"#!/bin/sh\necho '{RESOLVED}' > T.glob\n{script}\n")
            (tmp_path / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "T.v").write_text(PROOF)
    return tmp_path / "proofs", made


SAYS = 'case "$*" in *version*) echo 8.16.1 4.13;; *Asked*) printf "T.t\\n     : True\\n%s\\n" "{}";; esac'
CLOSED = SAYS.format("Closed under the global context")


def test_what_coq_says_is_read(coq):
    """The statement, the axioms, and the version."""
    folder, made = coq
    made(CLOSED)
    (found,) = build([T], 10, folder)
    assert (found.statement, found.axioms, found.coq) == ("T.t\n     : True", (), "8.16.1")


@pytest.mark.parametrize(
    ("coqc", "coqchk", "message"),
    [
        ("echo wrong >&2; exit 1", "true", "coqc does not accept T.v: wrong"),
        (SAYS.format("Axioms:\nT.cheat : False"), "true", "T.t rests on T.cheat"),
        (
            CLOSED.replace("True", "T.few"),
            "true",
            "T.t is about T.few, which its review does not cover",
        ),
        (SAYS.format("nonsense"), "true", "Coq does not list the axioms of a theorem"),
        (CLOSED, "echo bad >&2; exit 1", "coqchk does not accept"),
        (CLOSED, r"printf '\n* Axioms:\n  Sealcheck.T.cheat\n'", "coqchk finds the axioms T.cheat"),
        (
            CLOSED,
            r"printf '\n* Axioms: <none>\n\n* Inductives whose positivity is assumed: T.bad\n'",
            "coqchk finds Inductives whose positivity is assumed: T.bad",
        ),
    ],
)
def test_what_is_not_accepted_ends_it(coqc, coqchk, message, coq):
    """Loudly."""
    folder, made = coq
    made(coqc, coqchk)
    with pytest.raises(Disagreement, match=message):
        build([T], 10, folder)


def test_a_limit_is_no_answer(coq):
    """Whoever takes too long has not proved anything."""
    folder, made = coq
    made("exec sleep 20")
    with pytest.raises(LimitReached, match="coqc hit its time limit"):
        build([T], 0.2, folder)


def test_several_axioms_are_all_read():
    """Each, also where what it says takes lines."""
    output = "T.t : True\nAxioms:\nA.x : nat ->\n  nat\nB.y\n  : nat\n"
    assert said(output) == ("T.t : True", ("A.x", "B.y"))


@pytest.mark.coq
def test_coq_builds_a_theorem_and_refuses_what_is_none(tmp_path):
    """The real one: a small proof, one that is admitted, and one that is wrong."""
    for text, message in (
        (PROOF, ""),
        ("Theorem t : False.\nProof. Admitted.\n", "T.t rests on T.t"),
        ("Theorem t : False.\nProof. exact I. Qed.\n", "coqc does not accept T.v"),
    ):
        folder = tmp_path / str(len(text))
        folder.mkdir()
        (folder / "T.v").write_text(text)
        if not message:
            assert build([T], 300, folder)[0].axioms == ()
        else:
            with pytest.raises(Disagreement, match=message):
                build([T], 300, folder)
        assert [file.name for file in folder.iterdir()] == ["T.v"]
