"""Coq's own reading of names: all that it finds in a statement belongs to what was reviewed."""

import subprocess

import pytest

from sealcheck.errors import Disagreement
from sealcheck.evidence.coq import references, require_all_counted
from sealcheck.theorems.checking.record import Theorem

T = Theorem("T.v", "t", "")


@pytest.mark.parametrize(
    ("source", "resolved", "found"),
    [
        # a comment with full stops, letters of several bytes, a proof
        ("Theorem t : (* Note. *) a.", "R24:24 Sealcheck.T <> a def", {("T", "a")}),
        ("Theorem t : (* é. *) a.", "R22:22 Sealcheck.T <> a def", {("T", "a")}),
        ("Theorem t : x. Proof. a. Qed.", "R22:22 Sealcheck.T <> a def", set()),
        # a section, a module, a notation, and what is local
        ("Theorem t : a.", "R12:12 Sealcheck.T Inner.Most a def", {("T", "a")}),
        ("Theorem t : a < b.", "R13:15 Sealcheck.T <> ::x_'<'_x not", {("T", "::x_'<'_x")}),
        ("Theorem t : a < b.", "R13:15 Sealcheck.T S ::s:x_'<'_x not", {("T", "::s:x_'<'_x")}),
        ("Theorem t : a.", "R12:12 Sealcheck.T Inner a var", set()),
        ("Theorem t : a.", "R12:12 Coq.Init.Peano <> a def", set()),
    ],
)
def test_what_coq_finds_in_a_statement_is_read(source, resolved, found):
    """Up to its real end, whatever section it is in."""
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
    """By name; and the same, if nothing is known."""
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
    """Also one that a `where` clause defines."""
    source = (
        "Section Size.\nInductive few (a b : nat) : Prop := Few : few a b\n"
        f'where "a < b" := (few a b) : type_scope.\n'
        f"Theorem t : {statement}.\nProof. apply Few. Qed.\nEnd Size.\n"
    )
    (tmp_path / "T.v").write_text(source)
    subprocess.run(["coqc", "-q", "-Q", ".", "Sealcheck", "T.v"], cwd=tmp_path, check=True)
    found = references((tmp_path / "T.glob").read_text(), source)
    assert [name for name in found["t"] if name[1].startswith("::")] == [("T", "::type_scope:x_'<'_x")]
