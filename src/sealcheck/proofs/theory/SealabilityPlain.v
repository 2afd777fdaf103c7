(** * th:sealability among other programs

    "... can be sealed properly": by any program, not only by a straight-line one.

    Without guards that is the same: a program with choices and loops that seals [P], and that can run to its end after
    [P], can be replaced by what it does there, which is straight-line.

    With guards it is not.  They can see from the data of a message that it was taken by the wrong receive; a program
    that then does not go on does not occur in that run, and seals what nobody should be able to seal (see
    [guards_seal_X] in [GuardedSeal]). *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality ClosedChannels.
From Sealcheck Require Import Knowledge Messages Prefix Teaching Sealability TccImpossibility BalancedNecessary
  SealAlgebra Unbalanced Completion WorstCase.
Open Scope nat_scope.

(** Neither guards nor silent cuts: assignments, messages, choices and loops. *)
Fixpoint plain (p : prog) : Prop :=
  match p with
  | Guard _ | Chop => False
  | Lay p q | Choice p q => plain p /\ plain q
  | Star p => plain p
  | _ => True
  end.

(** A program of the first [n] processes. *)
Fixpoint of_processes (n : nat) (p : prog) : Prop :=
  match p with
  | Assign i _ => i < n
  | Send i j _ | Recv j i => i < n /\ j < n
  | Lay p q | Choice p q => of_processes n p /\ of_processes n q
  | Star p => of_processes n p
  | _ => True
  end.

(** What a program does in one of its executions is a straight-line program, and doing that is doing what it allows. *)
Lemma resolution n r c p d : occurs r c p d -> plain p -> of_processes n p ->
  exists T t, acts T = Some t /\ within n t /\ occurs r c T d /\ forall r' c' d',
    occurs r' c' T d' -> occurs r' c' p d'.
Proof.
  assert (One : forall a, match a with ASend i j | ARecv j i => i < n /\ j < n | AInt _ => True end -> within n [a]).
  { intros a H b [<-|[]]. exact H. }
  assert (None : within n []) by (intros a []).
  assert (App : forall s t, within n s -> within n t -> within n (s ++ t)).
  { intros s t Hs Ht a I. apply in_app_or in I as [I|I]; [apply (Hs a I)|apply (Ht a I)]. }
  induction 1 as [c d E|c d i e E L V|c d i j e E L V|c d i j E L|c d g E H|c d E S|c m d p q O1 IH1 O2 IH2
    |c d p q O IH|c d p q O IH|c d p E|c m d p O1 IH1 O2 IH2]; simpl; intros Pl Us; try contradiction.
  - exists Eps, []. split; [reflexivity|split; [exact None|split; [now constructor|auto]]].
  - exists (Assign i e), [AInt i]. split; [reflexivity|split; [exact (One (AInt i) I)|split;
    [now constructor|auto]]].
  - exists (Send i j e), [ASend i j]. split; [reflexivity|split; [apply (One (ASend i j)); exact Us|split;
    [now constructor|auto]]].
  - exists (Recv j i), [ARecv j i]. split; [reflexivity|split; [apply (One (ARecv j i)); exact Us|split;
    [now constructor|auto]]].
  - destruct Pl as [Pl1 Pl2], Us as [Us1 Us2].
    destruct (IH1 Pl1 Us1) as (T1 & t1 & A1 & W1 & Oc1 & R1), (IH2 Pl2 Us2) as (T2 & t2 & A2 & W2 & Oc2 & R2).
    exists (Lay T1 T2), (t1 ++ t2). split; [now apply lay_straight|]. split; auto. split; [eapply O_lay; eauto|].
    intros r' c' d' O. apply lay_iff in O as (m' & B1 & B2). eapply O_lay; eauto.
  - destruct (IH (proj1 Pl) (proj1 Us)) as (T & t & A & W & Oc & R). exists T, t.
    split; [exact A|split; [exact W|split; [exact Oc|]]].
    intros r' c' d' O'. apply O_ch1; auto.
  - destruct (IH (proj2 Pl) (proj2 Us)) as (T & t & A & W & Oc & R). exists T, t.
    split; [exact A|split; [exact W|split; [exact Oc|]]].
    intros r' c' d' O'. apply O_ch2; auto.
  - exists Eps, []. split; [reflexivity|split; [exact None|split; [now constructor|]]]. intros r' c' d' O'.
    inversion O'; subst. now apply O_st0.
  - destruct (IH1 Pl Us) as (T1 & t1 & A1 & W1 & Oc1 & R1), (IH2 Pl Us) as (T2 & t2 & A2 & W2 & Oc2 & R2).
    exists (Lay T1 T2), (t1 ++ t2). split; [now apply lay_straight|]. split; auto. split; [eapply O_lay; eauto|].
    intros r' c' d' O. apply lay_iff in O as (m' & B1 & B2). eapply O_st1; eauto.
Qed.

(** [S] can run to its end after [P]. *)
Definition completes_after (P S : prog) := exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d.

Lemma plain_nochop p : plain p -> nochop p.
Proof. induction p; simpl; tauto. Qed.

(** _Programs without guards seal no more than straight-line ones_.  What [S] does in one execution seals [P], too; with
    what is missing and what is left over appended, it is a proper seal. *)
Theorem sealability_plain : forall n P p S, 1 <= n -> acts P = Some p -> plain S -> of_processes n S ->
  completes_after P S -> Seals RelNS S P -> one_block n (learnt p).
Proof.
  intros n P p S N1 HP Pl Us Co Se. pose proof (balanced_necessary P p S HP (plain_nochop S Pl) Se Co) as Bp.
  destruct Co as (r & c & d & [[[W V] Re] Nr] & Ec & O). apply lay_iff in O as (m & O1 & O2).
  destruct (resolution n r m S d O2 Pl Us) as (T & t & HT & Wt & Ot & RT).
  pose proof (follows_app r c m d p t (occurs_follows r P p HP _ _ O1) (occurs_follows r T t HT _ _ Ot)) as F.
  assert (Ns : nofself (p ++ t)).
  { intros i I. apply In_nth_error in I as (k & I). destruct (F i) as [_ M]. rewrite M in I.
    apply nth_map_seq in I as [L _]. apply (Nr (i, c i + k) i). split; auto. }
  assert (Ds : dead_free (p ++ t)).
  { apply (occurs_dead_free r c (Lay P T) (p ++ t) d W); [now apply empty_silent|now apply lay_straight|].
    apply lay_iff. eauto. }
  destruct (completed n p t Bp Wt Ns Ds) as (q & Bq & Wq & Nq & Dq).
  assert (Pr : proper_seal n P p (Lay T (straight_line_of q)) (t ++ q)).
  { split; [apply lay_straight; auto; apply acts_straight_line_of|]. do 4 (split; [assumption|]). apply seal_algebra_3.
    apply seals_iff. intros r' c' d' G Sc O. apply lay_iff in O as (m' & B1 & B2). exists m'. split; [auto|split; auto].
    rewrite seals_iff in Se. destruct (Se r' c' d' G Sc) as (m'' & B1' & Sm & _).
    - apply lay_iff. exists m'. auto.
    - apply (silent_ceq r' m''); auto.
      pose proof (occurs_follows r' P p HP _ _ B1) as G1. pose proof (occurs_follows r' P p HP _ _ B1') as G2.
      intro i. destruct (G1 i) as [-> _], (G2 i) as [-> _]. reflexivity. }
  destruct (properly_sealed n P p _ _ HP Pr) as (_ & Np & Dp).
  apply (sealability n P p); eauto. constructor; eauto using sealed_within.
Qed.
