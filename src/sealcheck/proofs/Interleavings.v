(** * Interleavings exist exactly where causality has no cycle

    "... guarantee the existence of such an interleaving" (section 2.2, the footnote on the execution model).  For the
    events of a finite cut [d]: an interleaving is an order of them in which each comes after its predecessors, in its
    process and by the matching.

    Theorems of the ledger: [interleaving_exists]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Teaching.
Open Scope nat_scope.

Definition interleaving (r : run) (L order : list event) := Permutation L order /\ in_causal_order (step r) order.

(** _A total matching function that respects channels has an interleaving iff Lamport's relation under it is
    acyclic._  It may even match two receives with the same send. *)
Theorem interleaving_exists : forall r d L, (forall e, In e L <-> inside d e) ->
  (forall e i j, is_rcv r e i j -> inside d e -> is_snd r (delta r e) i j /\ inside d (delta r e)) ->
  ((exists order, interleaving r L order) <-> forall e, inside d e -> ~ causes r e e).
Proof.
  intros r d L All M.
  assert (Closed : forall x y, step r x y -> inside d y -> inside d x).
  { intros x y [[F Lt]|(i & j & R & <-)] I; [unfold inside in *; rewrite F; lia|]. now apply (M y i j). }
  split.
  - intros (order & P & O) e I C.
    assert (Before : forall x y, causes r x y -> inside d y -> inside d x /\
      forall pre post, order = pre ++ y :: post -> In x pre).
    { induction 1 as [x y S|x z y _ IH1 _ IH2]; intro Iy.
      - split; [eauto|]. intros pre post E. apply (O pre y post E x); auto.
        apply (Permutation_in x P), All. eauto.
      - destruct (IH2 Iy) as [Iz B2]. destruct (IH1 Iz) as [Ix B1]. split; auto. intros pre post E.
        destruct (in_split z pre (B2 pre post E)) as (l1 & l2 & ->). apply in_or_app. left.
        apply (B1 l1 (l2 ++ y :: post)). now rewrite E, <- app_assoc. }
    assert (Endless : forall k pre post, length pre < k -> order <> pre ++ e :: post).
    { induction k as [|k IH]; intros pre post G E; [lia|].
      destruct (in_split e pre (proj2 (Before e e C I) pre post E)) as (l1 & l2 & ->).
      apply (IH l1 (l2 ++ e :: post)); [rewrite app_length in G; simpl in G; lia|now rewrite E, <- app_assoc]. }
    destruct (in_split e order) as (pre & post & E); [apply (Permutation_in e P), All, I|].
    apply (Endless (S (length pre)) pre post); auto.
  - intro A. destruct (causal_order_exists (fun x y => causes r x y /\ inside d y)) with (l := L) as (order & P & O).
    + intros x y z [C1 _] [C2 I]. split; auto. eapply t_trans; eauto.
    + intros x [C I]. exact (A x I C).
    + exists order. split; auto. intros pre y post E x Hx S. apply (O pre y post E x Hx). split; [now apply t_step|].
      apply All, (Permutation_in y (Permutation_sym P)). rewrite E. apply in_or_app. right. now left.
Qed.
