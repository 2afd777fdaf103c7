"""The unfolding of a statement has everything that can change its meaning, and nothing else."""

import pytest

from sealcheck.errors import Disagreement
from sealcheck.evidence.coq import named
from sealcheck.theorems.checking.record import (
    SOURCES,
    Theorem,
    _sentences,
    _split,
    established,
    needed,
    not_counted,
    printed,
    sources,
    unfolded,
)

A = """From Coq Require Import List.
Definition small (n : nat) := n < 3.
Definition other := 0.
Inductive colour := Red | Green.
Record pair := { left_one : nat; right_one : nat }.
Lemma three : small 2.
Proof. unfold small. - auto. Qed.
Definition decided : {1 = 2} + {1 <> 2}.
Proof. right. discriminate. Defined.
"""
B = """From Sealcheck Require Import A.
Section Inner.
Variable k : nat.
Hypothesis Hk : small k.
Let twice := k + k.
Definition within := small twice.
End Inner.
Theorem t : forall k, within k -> small k /\\ left_one {| left_one := 0; right_one := 0 |} = 0.
Proof. (* a comment *) intros k H. - split. Qed.
Theorem u : if decided then False else True.
Proof. easy. Qed.
"""
TEXTS = {"A.v": A, "B.v": B, "C.v": "Definition small := 7.\n"}
T, U = Theorem("B.v", "t", ""), Theorem("B.v", "u", "")


def with_change(file, old, new):
    assert TEXTS[file].count(old) == 1
    return TEXTS | {file: TEXTS[file].replace(old, new)}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("B.v", "small k /\\", "small k \\/"),
        ("A.v", "n < 3", "n < 300"),
        ("A.v", "right_one : nat", "right_one : bool"),
        ("B.v", "Hypothesis Hk : small k.", "Hypothesis Hk : k = 0."),
        ("B.v", "Variable k : nat.", "Variable k : nat. Hypothesis Ho : False."),
        ("B.v", "Let twice := k + k.", "Let twice := 0."),
        # shadowed: by a later definition, a local one, one in a module, or one in another file
        ("B.v", "Section Inner.", "Definition small (n : nat) := True. Section Inner."),
        ("A.v", "Lemma three", "Local Definition small := 1. Lemma three"),
        ("B.v", "Section Inner.", "#[local] Definition small (n : nat) := True. Section Inner."),
        ("B.v", "Section Inner.", "Module A. Definition small (n : nat) := True. End A. Section Inner."),
        ("B.v", "Require Import A.", "Require Import A C."),
        ("B.v", "Require Import A.", "Require Import A. From Sealcheck Require C."),
        # what has no name in the statement
        ("A.v", "Definition other", 'Notation "x < y" := True. Definition other'),
        ("A.v", "Definition other", "Notation small := (fun _ => True). Definition other"),
        ("A.v", "Definition other", "Open Scope Z_scope. Definition other"),
        ("A.v", "Definition other", "Coercion left_one : pair >-> nat. Definition other"),
        ("A.v", "Definition other", "Axiom absurd : False. Definition other"),
        ("A.v", "Definition other", "Set Implicit Arguments. Definition other"),
        ("A.v", "Definition other", "Variable n : False. Definition other"),
        ("A.v", "Import List.", "Import List ZArith."),
        ("A.v", "Import List.", "Import List. Import ListNotations."),
        ("B.v", "From Sealcheck Require Import A.", "From Sealcheck Require Import A. Import C."),
        ("A.v", "Definition other := 0.", "Definition other := 0. From Sealcheck Require Export C."),
    ],
)
def test_what_can_change_a_statement_counts(file, old, new):
    assert unfolded(with_change(file, old, new), T) != unfolded(TEXTS, T)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("A.v", "auto.", "now auto with arith."),
        ("B.v", "intros k H. - split.", "easy."),
        ("B.v", "(* a comment *)", '(* "*)" small (* := *) *)'),
        ("B.v", "forall k,", "forall  (* every *)\n  k,"),
        ("A.v", "other := 0", "other := 1"),
        ("A.v", "Red | Green", "Red | Green | Blue"),
        ("A.v", "small 2", "small 1"),
        ("A.v", "right. discriminate.", "now right."),
        ("A.v", "Lemma three", "Lemma four : True. Proof. easy. Qed. Lemma three"),
        ("B.v", "then False", "then True"),
        ("C.v", "7", "8"),
    ],
)
def test_nothing_else_counts(file, old, new):
    assert unfolded(with_change(file, old, new), T) == unfolded(TEXTS, T)


def test_names_that_coq_makes_count():
    texts = {"T.v": "Record a := { b : nat }. Definition c_rec := 0. Definition Build_c := 1. "}
    for name, of in (("Build_a", "Record a"), ("a_rect", "Record a"), ("a_ind", "Record a")):
        assert f"{of} :=" in unfolded(
            {"T.v": f"{texts['T.v']}Theorem t : {name} = {name}."}, Theorem("T.v", "t", "")
        )
    for name in ("c_rec", "Build_c"):
        said = unfolded({"T.v": f"{texts['T.v']}Theorem t : {name} = {name}."}, Theorem("T.v", "t", ""))
        assert f"Definition {name} :=" in said


def test_a_definition_by_a_proof_is_its_proof():
    assert "right. discriminate" in unfolded(TEXTS, U)
    assert unfolded(with_change("A.v", "right. discriminate.", "now right."), U) != unfolded(TEXTS, U)
    assert unfolded(with_change("A.v", "unfold small.", "cbv."), U) == unfolded(TEXTS, U)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Inductive a := b (n : nat) | c with d := e", {"a", "b", "c", "d", "e"}),
        ("Record a := b { c : nat; d :> nat }", {"a", "b", "c", "d"}),
        ("Record a := b { c : within n }", {"a", "b", "c"}),
        ("#[local] Definition a := 0", {"a"}),
        ("Local Fixpoint a n := 0 with b n := 1", {"a", "b"}),
        ("Notation a := nat (only parsing)", {"a"}),
        ('Notation "x < y" := True', set()),
        ("Instance a : b := c", set()),
    ],
)
def test_what_a_sentence_defines(text, names):
    (sentence,) = _sentences(f"{text}.")
    assert sentence.names >= names
    assert bool(sentence.names) == bool(names)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("From Sealcheck Require Import A.", "Require Import Sealcheck.A.", "write 'From Coq Require'"),
        ("From Sealcheck Require Import A.", "From Other Require Import A.", "write 'From Coq Require'"),
        ("- split.", "- split...", "write the tactics out"),
        ("- split.", "- Definition evil := 1. split.", "a proof must end with Qed"),
        ("- split.", "- Axiom absurd : False. easy.", "a proof must end with Qed"),
        ("Let twice := k + k.", "Let twice : nat. Proof. exact 0. Defined.", "a proof must end with Qed"),
        # what would define something unseen
        (
            "End Inner.",
            'Inductive few (a b : nat) : Prop := Few where "a < b" := (few a b) : type_scope. End Inner.',
            "a notation in a 'where' clause",
        ),
        ("End Inner.", 'Let Fixpoint f (a : nat) := a where"a <= b" := (f a). End Inner.', "'where' clause"),
        (
            "Theorem t :",
            "Lemma aux : nat with small : nat -> Prop. Proof. auto. auto. Defined. Theorem t :",
            "one by",
        ),
        ("Theorem t :", "Lemma aux : forall match', match' = 0 with small : nat. Theorem t :", "one by one"),
        (
            "Theorem t :",
            "Definition aux : nat. Proof. transparent_abstract (exact 0) using small. Defined. Theorem t :",
            "'transparent_abstract'",
        ),
        ("Theorem t :", "Ltac evil := abstract (exact 0) using small. Theorem t :", "'abstract'"),
        ("Theorem t :", "Definition aux := ltac:(exact 0). Theorem t :", "'ltac:'"),
        ("Theorem t :", "Record aux := { #[canonical=no] small : nat }. Theorem t :", "one attribute"),
        ("Theorem u : if decided", "Theorem t : if decided", "states t 2 times"),
        ("Theorem t :", "Theorem s :", "states t 0 times"),
    ],
)
def test_what_cannot_be_read_is_refused(old, new, message):
    with pytest.raises(Disagreement, match=message):
        unfolded(with_change("B.v", old, new), T)


def test_a_proof_that_ends_with_qed_may_use_any_tactic():
    same = with_change(
        "B.v", "- split.", "- abstract (split; exact ltac:(auto) || match goal with _ => auto end)."
    )
    assert unfolded(same, T) == unfolded(TEXTS, T)


def test_definitions_that_the_statement_does_not_unfold_to_are_named():
    statement = "B.t : forall k : nat, B.within k -> C.small k /\\ A.left_one {| A.right_one := 0 |} = List.x"
    found = printed(TEXTS, statement)
    assert found == {("B", "t"), ("B", "within"), ("C", "small"), ("A", "left_one"), ("A", "right_one")}
    assert not_counted(TEXTS, T, found) == ["C.small"]
    assert not_counted(TEXTS, T, [("A", "small"), ("A", "other")]) == ["A.other"]


def test_all_that_coq_has_printed_of_a_statement_counts():
    texts = sources(SOURCES)
    for theorem in named():
        found = established(theorem)
        assert found
        names = printed(texts, found.statement)
        assert (theorem.module, theorem.name) in names
        assert not_counted(texts, theorem, names) == []


@pytest.fixture(scope="module")
def plain():
    return {file: ".\n".join([*_split(text), ""]) for file, text in sources(SOURCES).items()}


def test_comments_and_spaces_of_the_proofs_do_not_count(plain):
    for theorem in named():
        assert unfolded(plain, theorem) == unfolded(sources(SOURCES), theorem)


def test_each_definition_in_it_counts_and_no_other(plain):
    theorem = next(each for each in named() if each.name == "seal_size")
    said = unfolded(plain, theorem)
    tried = []
    for module in needed(plain, [theorem]):
        text = plain[f"{module}.v"]
        for sentence in _sentences(text):
            head, found, rest = text.partition(f"{sentence.text}.\n")
            if found and sentence.names:
                changed = plain | {f"{module}.v": f"{head}{sentence.text} \\/ False.\n{rest}"}
                tried.append(f"\n{sentence.text}." in said)
                assert (unfolded(changed, theorem) != said) == tried[-1], sentence.text
    assert tried.count(True) > 40
    assert tried.count(False) > 300
