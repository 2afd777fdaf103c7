(** * Layers that seal each other are communication-closed

    "It follows from this lemma that, if program P can be decomposed into a sequence of l layers L(1) .. L(l), and in
    addition L(k+1) seals L(k) for all 1 <= k < l, then each layer L(k) is a CCL in P."

    For every program of the language and every set of runs.

    Theorems of the ledger: [layers_are_ccl]. *)

From Coq Require Import List Arith Lia PeanoNat.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence.
Open Scope nat_scope.

(** Each layer but the first seals the one before. *)
Fixpoint each_seals (G : run -> Prop) (layers : list prog) : Prop :=
  match layers with
  | l :: rest => match rest with l' :: _ => Seals G l' l | [] => True end /\ each_seals G rest
  | [] => True
  end.

(** The layers occur one after the other with a silent cut after each. *)
Fixpoint occur_apart (r : run) (c : cut) (layers : list prog) (d : cut) : Prop :=
  match layers with
  | [] => ceq c d
  | l :: rest => exists m, occurs r c l m /\ silent r m /\ occur_apart r m rest d
  end.

(** From a silent cut to a silent cut, the layers can be taken apart. *)
Lemma layers_apart (G : run -> Prop) r layers : G r -> each_seals G layers -> forall c d, silent r c -> silent r d ->
  occurs r c (sequence layers) d -> occur_apart r c layers d.
Proof.
  intro g. induction layers as [|l rest IH]; intros Ch c d Sc Sd O; simpl in *; [now inversion O|].
  destruct Ch as [S1 Ch]. destruct rest as [|l' rest].
  - simpl in O. apply lay_iff in O as (m & O1 & O2). inversion O2; subst.
    exists d. split; [eapply occurs_ceq; eauto using ceq_refl|split; [auto|apply ceq_refl]].
  - rewrite seals_iff in S1. simpl in O. apply lay_iff in O as (m & O1 & O2). apply lay_iff in O2 as (n & O2 & O3).
    destruct (S1 r c n g Sc) as (m' & A & B & C); [apply lay_iff; eauto|].
    exists m'. split; [auto|split; [auto|]]. apply IH; auto. simpl. apply lay_iff; eauto.
Qed.

(** Sequences, put together and taken apart. *)
Lemma in_sequence_app r a b : forall c d, (exists m, occurs r c (sequence a) m /\ occurs r m (sequence b) d) ->
  occurs r c (sequence (a ++ b)) d.
Proof.
  induction a as [|l a IH]; simpl; intros c d (m & O1 & O2).
  - inversion O1; subst. eapply occurs_ceq; eauto using ceq_refl, ceq_sym.
  - apply lay_iff in O1 as (n & O1 & O1'). apply lay_iff. exists n. split; eauto.
Qed.
Lemma apart_occurs r layers : forall c d, occur_apart r c layers d -> occurs r c (sequence layers) d.
Proof.
  induction layers as [|l rest IH]; simpl; intros c d H; [now apply O_eps|].
  destruct H as (m & O & _ & A). apply lay_iff. eauto.
Qed.
Lemma occur_apart_app r a b : forall c d, silent r c -> occur_apart r c (a ++ b) d ->
  exists m, occur_apart r c a m /\ silent r m /\ occur_apart r m b d.
Proof.
  induction a as [|l a IH]; simpl; intros c d Sc H.
  - exists c. split; [apply ceq_refl|auto].
  - destruct H as (m & O & Sm & A). destruct (IH m d Sm A) as (n & A1 & S1 & A2). exists n. split; eauto.
Qed.

Theorem layers_are_ccl : forall G layers, each_seals G layers ->
  forall before l after, layers = before ++ l :: after -> CCL G (sequence before) l (sequence after).
Proof.
  intros G layers Ch before l after -> r c d g O.
  apply chop_first in O as [Sc O]. apply lay_iff in O as (m1 & O1 & O). apply lay_iff in O as (m2 & O2 & O3).
  apply chop_last in O3 as [O3 Sd].
  assert (Oa : occurs r c (sequence (before ++ l :: after)) d).
  { apply in_sequence_app. exists m1. split; auto. simpl. apply lay_iff; eauto. }
  apply (layers_apart G r _ g Ch c d Sc Sd) in Oa.
  apply occur_apart_app in Oa as (n1 & A1 & S1 & A2); auto. simpl in A2. destruct A2 as (n2 & A2 & S2 & A3).
  apply chop_middle. exists n1. split; [now apply apart_occurs|split; auto].
  apply chop_middle. exists n2. split; [auto|split; auto]. now apply apart_occurs.
Qed.
