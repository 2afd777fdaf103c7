(** * Maps from numbers

    A binary tree with a value at each number: 0 is at the root, 2k+1 is k in the left subtree and 2k+2 is k in the
    right one.  What the verified checker looks up, it looks up here, in as many steps as the number has bits. *)

From Coq Require Import Arith Lia PeanoNat Bool.

(** A leaf has nothing; a branch has a value, or none, and two subtrees.  (That the type of values is implicit here
    spares sentences about arguments, which would count as part of all statements.) *)
Inductive branching {Stored : Type} : Type :=
| Leaf : branching
| Branch : option Stored -> branching -> branching -> branching.
Definition trie (A : Type) : Type := @branching A.

Section Tries.
Context {A : Type}.

(** The number at which to look in a subtree. *)
Definition half (k : nat) : nat := Nat.div2 (Nat.pred k).

Fixpoint find (k : nat) (t : trie A) : option A :=
  match t with
  | Leaf => None
  | Branch here l r => if k =? 0 then here else if Nat.even k then find (half k) r else find (half k) l
  end.

(** A tree with one value; [fuel] is at least the number. *)
Fixpoint only (fuel k : nat) (v : A) : trie A :=
  match fuel with
  | 0 => Branch (Some v) Leaf Leaf
  | S fuel' => if k =? 0 then Branch (Some v) Leaf Leaf
               else if Nat.even k then Branch None Leaf (only fuel' (half k) v)
               else Branch None (only fuel' (half k) v) Leaf
  end.

Fixpoint add (k : nat) (v : A) (t : trie A) : trie A :=
  match t with
  | Leaf => only k k v
  | Branch here l r => if k =? 0 then Branch (Some v) l r
                     else if Nat.even k then Branch here l (add (half k) v r) else Branch here (add (half k) v l) r
  end.

Fixpoint remove (k : nat) (t : trie A) : trie A :=
  match t with
  | Leaf => Leaf
  | Branch here l r => if k =? 0 then Branch None l r
                     else if Nat.even k then Branch here l (remove (half k) r) else Branch here (remove (half k) l) r
  end.

Lemma half_less k : k <> 0 -> half k < k.
Proof.
  intro N. unfold half. pose proof (Nat.div2_div (Nat.pred k)).
  pose proof (Nat.div_le_upper_bound (Nat.pred k) 2 (Nat.pred k)). lia.
Qed.

(** A number is known by its half and by whether it is even. *)
Lemma half_even k k' : k <> 0 -> k' <> 0 -> Nat.even k = Nat.even k' -> half k = half k' -> k = k'.
Proof.
  intros K K' E D. destruct k as [|k], k' as [|k']; try lia. unfold half in D. simpl Nat.pred in D. f_equal.
  rewrite !Nat.even_succ, <- !Nat.negb_even in E. apply (f_equal negb) in E. rewrite !negb_involutive in E.
  rewrite (Nat.div2_odd k), (Nat.div2_odd k'), D. now rewrite <- (Nat.negb_even k), <- (Nat.negb_even k'), E.
Qed.

Lemma find_only : forall fuel k k' v, k <= fuel -> find k' (only fuel k v) = if k' =? k then Some v else None.
Proof.
  induction fuel as [|fuel IH]; intros k k' v L; simpl.
  - replace k with 0 by lia. destruct (k' =? 0); auto. now destruct (Nat.even k').
  - destruct (Nat.eqb_spec k 0) as [->|N]; [simpl; destruct (k' =? 0); auto; now destruct (Nat.even k')|].
    pose proof (half_less k N). destruct (Nat.even k) eqn:E; simpl; destruct (Nat.eqb_spec k' 0) as [->|N'];
      try (destruct (Nat.eqb_spec 0 k); [lia|reflexivity]); destruct (Nat.even k') eqn:E';
      try (destruct (Nat.eqb_spec k' k); [congruence|reflexivity]);
      rewrite IH by lia; destruct (Nat.eqb_spec (half k') (half k)) as [D|D], (Nat.eqb_spec k' k) as [Q|Q];
        auto; try congruence;
      exfalso; apply Q, half_even; congruence.
Qed.

Lemma find_add : forall t k k' v, find k' (add k v t) = if k' =? k then Some v else find k' t.
Proof.
  induction t as [|here l IHl r IHr]; intros k k' v; [simpl; now apply find_only|]. simpl.
  destruct (Nat.eqb_spec k 0) as [->|N]; [simpl; destruct (k' =? 0); auto; now destruct (Nat.even k')|].
  destruct (Nat.even k) eqn:E; simpl; destruct (Nat.eqb_spec k' 0) as [->|N'];
    try (destruct (Nat.eqb_spec 0 k); [lia|reflexivity]); destruct (Nat.even k') eqn:E';
    try (destruct (Nat.eqb_spec k' k); [congruence|reflexivity]); rewrite ?IHl, ?IHr;
    destruct (Nat.eqb_spec (half k') (half k)) as [D|D], (Nat.eqb_spec k' k) as [Q|Q]; auto; try congruence;
    exfalso; apply Q, half_even; congruence.
Qed.

Lemma find_remove : forall t k k', find k' (remove k t) = if k' =? k then None else find k' t.
Proof.
  induction t as [|here l IHl r IHr]; intros k k'; [simpl; now destruct (k' =? k)|]. simpl.
  destruct (Nat.eqb_spec k 0) as [->|N]; [simpl; destruct (k' =? 0); auto; now destruct (Nat.even k')|].
  destruct (Nat.even k) eqn:E; simpl; destruct (Nat.eqb_spec k' 0) as [->|N'];
    try (destruct (Nat.eqb_spec 0 k); [lia|reflexivity]); destruct (Nat.even k') eqn:E';
    try (destruct (Nat.eqb_spec k' k); [congruence|reflexivity]); rewrite ?IHl, ?IHr;
    destruct (Nat.eqb_spec (half k') (half k)) as [D|D], (Nat.eqb_spec k' k) as [Q|Q]; auto; try congruence;
    exfalso; apply Q, half_even; congruence.
Qed.

(** The value, or another one if there is none. *)
Definition find_or (d : A) (k : nat) (t : trie A) : A := match find k t with Some v => v | None => d end.

Lemma find_or_add : forall d k k' v t, find_or d k' (add k v t) = if k' =? k then v else find_or d k' t.
Proof. intros. unfold find_or. rewrite find_add. now destruct (k' =? k). Qed.
End Tries.

(** ** Maps from pairs of numbers *)

Section Pairs.
Context {A : Type}.

Definition find2 (i j : nat) (t : trie (trie A)) : option A := find j (find_or Leaf i t).
Definition add2 (i j : nat) (v : A) (t : trie (trie A)) : trie (trie A) := add i (add j v (find_or Leaf i t)) t.
Definition find2_or (d : A) (i j : nat) (t : trie (trie A)) : A := find_or d j (find_or Leaf i t).

Lemma find2_add2 : forall i j v t i' j',
  find2 i' j' (add2 i j v t) = if (i' =? i) && (j' =? j) then Some v else find2 i' j' t.
Proof.
  intros. unfold find2, add2. rewrite find_or_add. destruct (Nat.eqb_spec i' i) as [->|]; auto. apply find_add.
Qed.

Definition remove2 (i j : nat) (t : trie (trie A)) : trie (trie A) := add i (remove j (find_or Leaf i t)) t.

Lemma find2_remove2 : forall i j t i' j',
  find2 i' j' (remove2 i j t) = if (i' =? i) && (j' =? j) then None else find2 i' j' t.
Proof.
  intros. unfold find2, remove2. rewrite find_or_add. destruct (Nat.eqb_spec i' i) as [->|]; auto. apply find_remove.
Qed.

Lemma find2_or_add2 : forall d i j v t i' j',
  find2_or d i' j' (add2 i j v t) = if (i' =? i) && (j' =? j) then v else find2_or d i' j' t.
Proof.
  intros. unfold find2_or, add2. rewrite find_or_add. destruct (Nat.eqb_spec i' i) as [->|]; auto. apply find_or_add.
Qed.
End Pairs.
