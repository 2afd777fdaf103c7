(** * A spanning tree exists

    "pick T such that (Agt, T)^ud forms a spanning tree" (Seal(P), in the proof of th:sealability).  Where the closed
    channels connect all processes there is one, with any process as its root; so P can be sealed.

    Theorems of the ledger: [seal_construction_closed]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Knowledge Messages Teaching Sealability SealConstruction.
From Sealcheck Require Import CheckerCorrect.
Open Scope nat_scope.

Section Growing.
Variables (closed : nat -> nat -> bool) (n : nat).

(** An edge of C_P^ud. *)
Definition joined_ud (i j : nat) := i < n /\ j < n /\ (closed i j = true \/ closed j i = true).

(** The tree with one more child, [w], of its node [x]. *)
Fixpoint attach (x w : nat) (t : tree) : tree :=
  match t with
  | Alone v => Child (Alone v) (Alone w)
  | Child t u => if in_dec Nat.eq_dec x (members t) then Child (attach x w t) u else Child t (attach x w u)
  end.

Lemma attach_root x w t : root (attach x w t) = root t.
Proof. induction t as [v|t IHt u IHu]; simpl; auto. destruct (in_dec _ _ _); simpl; auto. Qed.
Lemma attach_members x w t : Permutation (members (attach x w t)) (w :: members t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; [apply perm_swap|]. destruct (in_dec _ _ _); simpl.
  - now rewrite IHt.
  - rewrite IHu. symmetry. apply Permutation_middle.
Qed.
Lemma attach_closed x w t : In x (members t) -> tree_of_closed closed t -> joined_ud x w ->
  tree_of_closed closed (attach x w t).
Proof.
  intros I T (_ & _ & E). induction t as [v|t IHt u IHu]; simpl in *.
  - destruct I as [->|[]]. auto.
  - destruct T as (Tt & Tu & C). destruct (in_dec _ _ _) as [It|Nt]; simpl; rewrite attach_root; auto.
    apply in_app_or in I as [I|I]; [contradiction|auto].
Qed.

(** A way out of a set of processes has an edge that leaves it. *)
Lemma leaves_somewhere (X : list nat) v w : clos_refl_trans nat joined_ud v w -> In v X -> ~ In w X ->
  exists x y, In x X /\ ~ In y X /\ joined_ud x y.
Proof.
  intro C. apply clos_rt_rt1n in C. induction C as [v|v y w E _ IH]; intros Hv Hw; [contradiction|].
  destruct (in_dec Nat.eq_dec y X); eauto.
Qed.

Lemma grown v : v < n -> (forall w, w < n -> clos_refl_trans nat joined_ud v w) ->
  forall m, m < n -> exists t, root t = v /\ tree_of_closed closed t /\ NoDup (members t) /\ length (members t) = S m /\
    forall w, In w (members t) -> w < n.
Proof.
  intros Hv Conn. induction m as [|m IH]; intro Lm.
  - exists (Alone v). simpl. repeat split; auto using NoDup_cons, NoDup_nil. intros w [<-|[]]. exact Hv.
  - destruct IH as (t & R & T & N & L & B); [lia|].
    assert (exists w, w < n /\ ~ In w (members t)) as (w & Hw & Out).
    { apply NNPP. intro No. assert (I : incl (seq 0 n) (members t)).
      { intros w I. apply in_seq in I. apply NNPP. intro Out. apply No. exists w. split; [lia|auto]. }
      pose proof (NoDup_incl_length (seq_NoDup n 0) I) as Le. rewrite seq_length in Le. lia. }
    destruct (leaves_somewhere (members t) v w) as (x & y & Hx & Hy & E); auto.
    { rewrite <- R. apply root_member. }
    exists (attach x y t). pose proof (attach_members x y t) as P. split; [now rewrite attach_root|].
    split; [now apply attach_closed|]. split; [|split].
    + apply (Permutation_NoDup (Permutation_sym P)). now constructor.
    + rewrite (Permutation_length P). simpl. lia.
    + intros z I. apply (Permutation_in z P) in I as [<-|I]; auto. apply E.
Qed.

(** _Where the edges connect all processes there is a spanning tree of them, with any process as its root_. *)
Theorem spanning_tree_exists : forall v, v < n -> (forall w, w < n -> clos_refl_trans nat joined_ud v w) ->
  exists t, root t = v /\ tree_of_closed closed t /\ Permutation (members t) (seq 0 n).
Proof.
  intros v Hv Conn. destruct (grown v Hv Conn (n - 1)) as (t & R & T & N & L & B); [lia|].
  exists t. split; [auto|split; auto]. apply NoDup_Permutation_bis; auto.
  - rewrite seq_length. lia.
  - intros w I. apply in_seq. specialize (B w I). lia.
Qed.
End Growing.

(** An edge of C_P^ud: a channel that P closes, in one direction at least. *)
Definition closed_ud (n : nat) (P : prog) (i j : proc) :=
  i < n /\ j < n /\ (closes RelNS P i j \/ closes RelNS P j i).

(** _If C_P^ud is connected, then Seal(P) is a proper seal of P with fewer than 3n messages, whatever T and v_: for every
    root there is such a tree, and any will do.  [closed] says which channels P closes. *)
Theorem seal_construction_closed : forall n P p closed, BSL n P p ->
  (forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j)) ->
  (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  (forall v, v < n -> exists t, root t = v /\ tree_of_closed closed t /\ Permutation (members t) (seq 0 n)) /\
  (forall t, tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
    proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
    messages (transmissions (tree_seal closed t)) < 3 * n).
Proof.
  intros n P p closed Bsl Cl Conn. split.
  - assert (Ud : forall i j, clos_refl_trans nat (closed_ud n P) i j -> clos_refl_trans nat (joined_ud closed n) i j).
    { induction 1 as [i j (Hi & Hj & C)|i|i k j _ IH1 _ IH2]; [|apply rt_refl|eapply rt_trans; eauto].
      apply rt_step. split; [auto|split; auto]. rewrite !Cl by auto. exact C. }
    intros v Hv. apply spanning_tree_exists; auto.
  - intros t T Perm. apply seal_construction; auto. intros i j Hi Hj C. apply Cl in C; auto. intros y Y. apply NNPP.
    intro X. destruct Bsl as [HP B N _ D]. apply (proj1 (open_is_not_closed P p i j HP B N D)); [|exact C].
    split; [now exists y|]. intro R. apply X, R, Y.
Qed.

(** Some function says which channels P closes: there are finitely many. *)
Lemma test_exists (Q : nat * nat -> Prop) l : exists test, forall m, In m l -> (test m = true <-> Q m).
Proof.
  induction l as [|a l (test & H)]; [exists (fun _ => true); intros m []|].
  destruct (classic (Q a)) as [Y|Y]; [exists (fun m => if message_dec m a then true else test m)|
    exists (fun m => if message_dec m a then false else test m)]; intros m I; destruct (message_dec m a) as [->|Ne];
    try tauto; try (split; [discriminate|contradiction]); apply H; destruct I; congruence.
Qed.
Lemma closed_exists n P : exists closed, forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j).
Proof.
  destruct (test_exists (fun m => closes RelNS P (fst m) (snd m)) (list_prod (seq 0 n) (seq 0 n))) as (test & H).
  exists (fun i j => test (i, j)). intros i j Hi Hj. apply H, in_prod; apply in_seq; lia.
Qed.

(** _If C_P^ud is connected, P can be sealed properly, with fewer than 3n messages_. *)
Theorem connected_is_sealable : forall n P p, 1 <= n -> BSL n P p ->
  (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intros n P p One Bsl Conn. destruct (closed_exists n P) as (closed & Cl).
  destruct (seal_construction_closed n P p closed Bsl Cl Conn) as [Tree Seal].
  destruct (Tree 0) as (t & _ & T & Perm); [lia|].
  exists (transmitting (tree_seal closed t)), (transmissions (tree_seal closed t)). auto.
Qed.
