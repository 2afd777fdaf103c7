(** * Refinement, and TCC, construct by construct

    What the paper uses without saying it: refinement is a preorder, all constructs preserve it, and TCC is closed
    under choice, layering and repetition.

    Theorems of the ledger: [refinement_preorder], [constructs_monotone], [tcc_basic], [tcc_closed]. *)

From Coq Require Import List Arith Lia PeanoNat.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence SealAlgebra.
Open Scope nat_scope.

(** _"P refines Q" is reflexive and transitive_, in every set of runs. *)
Theorem refinement_preorder : forall G, (forall P, refines G P P) /\
  (forall P Q R, refines G P Q -> refines G Q R -> refines G P R).
Proof.
  intro G. split.
  - intros P r c d _ O. exact O.
  - intros P Q R H K r c d g O. apply K; auto.
Qed.

(** _Layering, choice and repetition are monotone_. *)
Theorem constructs_monotone : forall G P Q, refines G P Q ->
  (forall R, refines G (Lay P R) (Lay Q R)) /\ (forall R, refines G (Lay R P) (Lay R Q)) /\
  (forall R, refines G (Choice P R) (Choice Q R)) /\ refines G (Star P) (Star Q).
Proof.
  intros G P Q H. split; [|split; [|split]].
  - intros R r c d g O. apply lay_iff in O as (m & O1 & O2). apply lay_iff. eauto.
  - intros R r c d g O. apply lay_iff in O as (m & O1 & O2). apply lay_iff. eauto.
  - intros R r c d g O. inversion O; subst; [apply O_ch1|apply O_ch2]; auto.
  - intros r c d g O. apply star_iterates in O as [k It].
    induction It as [c d E|k c m d O _ IH]; [now apply O_st0|]. apply O_st1 with m; auto.
Qed.

(** An event that is no communication may be the last one before a silent cut. *)
Lemma silent_internal r c d i : matching r -> ceq d (bump c i) -> lab r i (c i) = Int -> silent r c -> silent r d.
Proof.
  intros M E Li S.
  assert (X : forall e, lab r (fst e) (snd e) <> Int -> (inside d e <-> inside c e)).
  { intros [k x] N. cbn [fst snd] in N. unfold inside; cbn [fst snd]. rewrite (E k). unfold bump.
    destruct (k =? i) eqn:Q; [|tauto]. apply Nat.eqb_eq in Q. subst k.
    assert (x <> c i) by (intros ->; auto). lia. }
  intros e a b R. destruct (delta_snd r M _ _ _ R) as [_ Ls]. pose proof R as [_ Lr].
  rewrite !X; [exact (S _ _ _ R)|congruence|congruence].
Qed.

(** _"eps, guards and assignments are TCC", and P followed by a silent cut is, for every P_: "in any Gamma" whose receives
    take sends. *)
Theorem tcc_basic : forall G : run -> Prop, (forall r, G r -> matching r) ->
  TCC G Eps /\ (forall g, TCC G (Guard g)) /\ (forall i e, TCC G (Assign i e)) /\ (forall P, TCC G (Lay P Chop)).
Proof.
  intros G HG. split; [|split; [|split]]; intros; apply tcc_iff; intros r c d g' S O; apply HG in g' as M.
  - inversion O; subst. eapply silent_ceq; eauto.
  - inversion O; subst. eapply silent_ceq; eauto.
  - inversion O; subst. eapply silent_internal; eauto.
  - now apply chop_last in O.
Qed.

(** _TCC is closed under choice, layering and repetition_. *)
Theorem tcc_closed : forall G P Q, TCC G P -> TCC G Q -> TCC G (Choice P Q) /\ TCC G (Lay P Q) /\ TCC G (Star P).
Proof.
  intros G P Q HP HQ. rewrite !tcc_iff in *. split; [|split]; intros r c d g S O.
  - inversion O; subst; eauto.
  - apply lay_iff in O as (m & O1 & O2). eauto.
  - apply star_iterates in O as [k It]. revert S. induction It as [c d E|k c m d O _ IH]; intro S; eauto.
    eapply silent_ceq; eauto.
Qed.
