(** * Maps from numbers

    A binary tree with a value at each number: 0 is at the root, 2k+1 is k in the left subtree and 2k+2 is k in the right
    one.  What the verified checker looks up, it looks up here, in as many steps as the number has bits. *)

From Coq Require Import Arith Lia PeanoNat Bool.
Open Scope nat_scope.

Inductive trie (A : Type) := Leaf | Node (here : option A) (l r : trie A).
Arguments Leaf {A}.
Arguments Node {A} here l r.

Section Tries.
Context {A : Type}.

Fixpoint find (k : nat) (t : trie A) : option A :=
  match t with
  | Leaf => None
  | Node here l r =>
      match k with
      | 0 => here
      | S k' => if Nat.even k' then find (Nat.div2 k') l else find (Nat.div2 k') r
      end
  end.

(** [fuel] is at least the number. *)
Fixpoint put (fuel k : nat) (v : option A) (t : trie A) : trie A :=
  let '(here, l, r) := match t with Leaf => (None, Leaf, Leaf) | Node here l r => (here, l, r) end in
  match k, fuel with
  | 0, _ | _, 0 => Node v l r
  | S k', S fuel' =>
      if Nat.even k' then Node here (put fuel' (Nat.div2 k') v l) r
      else Node here l (put fuel' (Nat.div2 k') v r)
  end.

Definition add (k : nat) (v : A) (t : trie A) : trie A := put k k (Some v) t.
Definition remove (k : nat) (t : trie A) : trie A := put k k None t.

Lemma half_le k : Nat.div2 k <= k.
Proof. pose proof (Nat.div2_div k). pose proof (Nat.div_le_upper_bound k 2 k). lia. Qed.

(** A number is known by its half and by whether it is even. *)
Lemma half_even k k' : Nat.even k = Nat.even k' -> Nat.div2 k = Nat.div2 k' -> k = k'.
Proof.
  intros E D. rewrite (Nat.div2_odd k), (Nat.div2_odd k'), D.
  now rewrite <- (Nat.negb_even k), <- (Nat.negb_even k'), E.
Qed.

Lemma find_put_same : forall fuel k v t, k <= fuel -> find k (put fuel k v t) = v.
Proof.
  induction fuel as [|fuel IH]; intros [|k] v t L; try lia; destruct t as [|here l r]; simpl; auto;
    pose proof (half_le k); destruct (Nat.even k) eqn:E; simpl; rewrite E; apply IH; lia.
Qed.

Lemma find_put_other : forall fuel k k' v t, k <= fuel -> k' <> k -> find k' (put fuel k v t) = find k' t.
Proof.
  assert (At : forall k' v (t : trie A) fuel, k' <> 0 -> find k' (put fuel 0 v t) = find k' t).
  { intros [|k'] v [|here l r] [|fuel] N; simpl; try lia; auto; now destruct (Nat.even k'). }
  induction fuel as [|fuel IH]; intros [|k] k' v t L N; try lia; auto.
  pose proof (half_le k).
  assert (D : k' <> S k -> forall k'', k' = S k'' -> Nat.even k = Nat.even k'' -> Nat.div2 k'' <> Nat.div2 k).
  { intros F k'' -> E D. apply F. f_equal. now apply half_even. }
  specialize (D N). destruct k' as [|k'], t as [|here l r]; simpl; destruct (Nat.even k) eqn:E; simpl; auto;
    specialize (D k' eq_refl); destruct (Nat.even k') eqn:E'; simpl; auto; rewrite IH; auto; lia.
Qed.

Lemma find_add : forall k k' v t, find k' (add k v t) = if k' =? k then Some v else find k' t.
Proof.
  intros k k' v t. unfold add. destruct (Nat.eqb_spec k' k) as [->|N];
    [now apply find_put_same|now apply find_put_other].
Qed.

Lemma find_remove : forall k k' t, find k' (remove k t) = if k' =? k then None else find k' t.
Proof.
  intros k k' t. unfold remove. destruct (Nat.eqb_spec k' k) as [->|N];
    [now apply find_put_same|now apply find_put_other].
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

Lemma find2_or_add2 : forall d i j v t i' j',
  find2_or d i' j' (add2 i j v t) = if (i' =? i) && (j' =? j) then v else find2_or d i' j' t.
Proof.
  intros. unfold find2_or, add2. rewrite find_or_add. destruct (Nat.eqb_spec i' i) as [->|]; auto. apply find_or_add.
Qed.
End Pairs.
