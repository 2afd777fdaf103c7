"""Theorems: questions to Coq, its reading of statements, and refusals."""

import subprocess
import time

import pytest

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.evidence.coq import Coq, build, established_again, references, require_all_counted, said
from sealcheck.theorems.checking.record import Theorem

PROOF = "Theorem t : True.\nProof. exact I. Qed.\n"
T = Theorem("T.v", "t", "nothing")


@pytest.fixture
def coq(tmp_path, monkeypatch):
    def made(coqc: str, coqchk: str = "echo '* Axioms: <none>'") -> None:
        for name, script in (("coqc", coqc), ("coqchk", coqchk)):
            (tmp_path / name).write_text(f"#!/bin/sh\necho 'prf 8:8 <> t' > T.glob\n{script}\n")
            (tmp_path / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "T.v").write_text(PROOF)
    return tmp_path / "proofs", made


SAYS = 'case "$*" in *version*) echo 8.16.1 4.13;; *Asked*) printf "T.t\\n     : True\\n%s\\n" "{}";; esac'
CLOSED = SAYS.format("Closed under the global context")


def test_what_coq_says_is_read(coq):
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
    folder, made = coq
    made(coqc, coqchk)
    with pytest.raises(Disagreement, match=message):
        build([T], 10, folder)


def test_a_limit_is_no_answer(coq):
    folder, made = coq
    made("exec sleep 20")
    with pytest.raises(LimitReached, match="coqc hit its time limit"):
        build([T], 0.2, folder)


CLASSIC = "Classical_Prop.classic"


@pytest.mark.parametrize(
    ("on_record", "said", "rests_on"),
    [((), f"Axioms:\n{CLASSIC} : P", CLASSIC), ((CLASSIC,), "Closed under the global context", "<none>")],
    ids=["more", "fewer"],
)
def test_other_axioms_than_on_record_are_refused(on_record, said, rests_on, coq):
    folder, made = coq
    made(SAYS.format(said))
    listed = ", ".join(on_record) or "<none>"
    message = f"^1 theorem with the axioms {listed} on record: together they rest on {rests_on}$"
    with pytest.raises(Disagreement, match=message):
        established_again(Coq(folder, time.monotonic() + 10), [T], {"T.v": PROOF}, [on_record])


def test_axioms_on_record_are_confirmed(coq):
    folder, made = coq
    made(SAYS.format(f"Axioms:\n{CLASSIC} : P"))
    built = build([T], 10, folder)
    again = established_again(Coq(folder, time.monotonic() + 10), [T], {"T.v": PROOF}, [(CLASSIC,)])
    assert [each.axioms for each in built] == [(CLASSIC,)]
    assert [(each.axioms, each.sources, each.coq) for each in again] == [
        (each.axioms, each.sources, each.coq) for each in built
    ]


def test_several_axioms_are_all_read():
    output = "T.t : True\nAxioms:\nA.x : nat ->\n  nat\nB.y\n  : nat\n"
    assert said(output) == ("T.t : True", ("A.x", "B.y"))


@pytest.mark.coq
def test_coq_builds_a_theorem_and_refuses_what_is_none(tmp_path):
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


@pytest.mark.parametrize(
    ("source", "resolved", "found"),
    [
        # a comment with full stops, letters of several bytes, a proof
        ("Theorem t : (* Note. *) a.", "R24:24 Sealcheck.T <> a def", {("T", "a")}),
        ("Theorem t : (* é. *) a.", "R22:22 Sealcheck.T <> a def", {("T", "a")}),
        ("Theorem t : x. Proof. a. Qed.", "R22:22 Sealcheck.T <> a def", set()),
        # a section, a module, a notation, and local names
        ("Theorem t : a.", "R12:12 Sealcheck.T Inner.Most a def", {("T", "a")}),
        ("Theorem t : a < b.", "R13:15 Sealcheck.T <> ::x_'<'_x not", {("T", "::x_'<'_x")}),
        ("Theorem t : a < b.", "R13:15 Sealcheck.T S ::s:x_'<'_x not", {("T", "::s:x_'<'_x")}),
        ("Theorem t : a.", "R12:12 Sealcheck.T Inner a var", set()),
        ("Theorem t : a.", "R12:12 Coq.Init.Peano <> a def", set()),
    ],
)
def test_what_coq_finds_in_a_statement_is_read(source, resolved, found):
    assert references(f"prf 8:8 <> t\n{resolved}\n", source) == {"t": found}
    assert references(f"prf 8:8 Inner t\n{resolved}\n", source) == {"t": found}


@pytest.mark.parametrize(
    ("resolved", "message"),
    [
        ("prf 8:8 <> t\nR12:12 Sealcheck.T <> b def\n", "T.t refers to T.b, which its review does not cover"),
        ("", "Coq does not list the references of T.t"),
    ],
)
def test_what_the_digest_leaves_out_is_refused(resolved, message, tmp_path):
    texts = {"T.v": "Theorem t : a. Proof. Qed. Definition a := 0. Definition b := 1."}
    (tmp_path / "T.glob").write_text("prf 8:8 <> t\nR12:12 Sealcheck.T <> a def\n")
    require_all_counted(tmp_path, texts, [T])
    (tmp_path / "T.glob").write_text(resolved)
    with pytest.raises(Disagreement, match=message):
        require_all_counted(tmp_path, texts, [T])


@pytest.mark.coq
@pytest.mark.parametrize(
    "statement", ["1 < 0", "(* Note. *) 1 < 0"], ids=["a notation", "a notation after a comment"]
)
def test_coq_names_a_notation_of_a_section(statement, tmp_path):
    source = (
        "Section Size.\nInductive few (a b : nat) : Prop := Few : few a b\n"
        f'where "a < b" := (few a b) : type_scope.\n'
        f"Theorem t : {statement}.\nProof. apply Few. Qed.\nEnd Size.\n"
    )
    (tmp_path / "T.v").write_text(source)
    subprocess.run(["coqc", "-q", "-Q", ".", "Sealcheck", "T.v"], cwd=tmp_path, check=True)
    found = references((tmp_path / "T.glob").read_text(), source)
    assert [name for name in found["t"] if name[1].startswith("::")] == [("T", "::type_scope:x_'<'_x")]
