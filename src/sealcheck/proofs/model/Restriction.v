(** * Runs restricted to some of their channels

    A program does not notice the channels that it neither uses nor reads: what it does in a run after a silent cut, it
    does in the run in which these channels are idle, and the other way round.  So whether [cut P] refines Q is the same
    in both.  It is shown over all intervals, and follows over finite ones.  [NProcesses] and [InfiniteStraightLine] use
    it. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility InfiniteCuts InfiniteSealAlgebra.
Open Scope nat_scope.

(** ** Restriction *)

Section Restriction.
(** The channels that stay: from the first process to the second. *)
Variable keeps : proc -> proc -> bool.

(** All other sends and receives become internal events, and leave their places in the order of their process. *)
Definition kept_label (i : proc) (a : label) : label :=
  match a with
  | Snd j => if keeps i j then a else Int
  | Rcv j => if keeps j i then a else Int
  | Int => Int
  end.
Definition restrict (r : run) : run := {| lab := fun i k => kept_label i (lab r i k); delta := delta r; val := val r |}.

(** An expression of process [i] does not read other messages. *)
Definition reads_kept (i : proc) (e : expr) := forall h : history,
  e (map (fun x => (kept_label i (fst x), snd x)) h) = e h.
Fixpoint formula_reads_kept (g : formula) : Prop :=
  match g with
  | Equal i e j f | Less i e j f => reads_kept i e /\ reads_kept j f
  | Not g => formula_reads_kept g
  | And g h => formula_reads_kept g /\ formula_reads_kept h
  end.

(** A program sends and receives on these channels only, and does not read other messages. *)
Fixpoint confined (p : prog) : Prop :=
  match p with
  | Eps | Chop => True
  | Assign i e => reads_kept i e
  | Send i j e => keeps i j = true /\ reads_kept i e
  | Recv j i => keeps i j = true
  | Guard g => formula_reads_kept g
  | Lay p q | Choice p q => confined p /\ confined q
  | Star p => confined p
  end.

(** ** Runs *)

Lemma restrict_snd r e i j : is_snd (restrict r) e i j <-> is_snd r e i j /\ keeps i j = true.
Proof.
  unfold is_snd; simpl. split.
  - intros [F L]. subst i. destruct (lab r (fst e) (snd e)) as [k|k|] eqn:E; simpl in L;
      try discriminate; match type of L with (if ?b then _ else _) = _ => destruct b eqn:K end; try discriminate;
      injection L as ->; auto.
  - intros [[F L] K]. subst i. rewrite L. simpl. now rewrite K.
Qed.
Lemma restrict_rcv r e i j : is_rcv (restrict r) e i j <-> is_rcv r e i j /\ keeps i j = true.
Proof.
  unfold is_rcv; simpl. split.
  - intros [F L]. subst j. destruct (lab r (fst e) (snd e)) as [k|k|] eqn:E; simpl in L;
      try discriminate; match type of L with (if ?b then _ else _) = _ => destruct b eqn:K end; try discriminate;
      injection L as ->; auto.
  - intros [[F L] K]. subst j. rewrite L. simpl. now rewrite K.
Qed.

(** Fewer messages, less causality. *)
Lemma restrict_causes r x y : causes (restrict r) x y -> causes r x y.
Proof.
  induction 1 as [x y [S|(i & j & R & D)]|x y z _ IH1 _ IH2].
  - apply t_step. now left.
  - apply restrict_rcv in R as [R _]. apply t_step. right. eauto.
  - eapply t_trans; eauto.
Qed.
Lemma restrict_matching r : matching r -> matching (restrict r).
Proof.
  intros [A B C]. constructor.
  - intros e i j R. apply restrict_rcv in R as [R K]. apply restrict_snd. split; [exact (A _ _ _ R)|exact K].
  - intros e i j e' i' j' R R'. apply restrict_rcv in R as [R _]. apply restrict_rcv in R' as [R' _].
    exact (B _ _ _ _ _ _ R R').
  - intros e X. now apply (C e), restrict_causes.
Qed.
Lemma restrict_unmatched r s i j : is_snd r s i j -> keeps i j = true -> matching r ->
  (unmatched (restrict r) s <-> unmatched r s).
Proof.
  intros S K M. split; intros U e a b R D.
  - apply (U e a b); auto. apply restrict_rcv. split; auto. pose proof (delta_snd r M _ _ _ R) as S'. rewrite D in S'.
    destruct S as [F L], S' as [F' L']. rewrite L in L'. injection L' as <-. congruence.
  - apply restrict_rcv in R as [R _]. exact (U e a b R D).
Qed.
Lemma restrict_Rel r : Rel r -> Rel (restrict r).
Proof.
  intros [[M T] Re]. split; [split|].
  - now apply restrict_matching.
  - intros e i j R. apply restrict_rcv in R as [R _]. exact (T e i j R).
  - intros s i j S U. apply restrict_snd in S as [S K]. apply (restrict_unmatched r s i j S K M) in U.
    destruct (Re s i j S U) as [N HN]. exists N. intros k L X. apply restrict_snd in X as [X _].
    apply (restrict_unmatched r (i, k) i j X K M). now apply HN.
Qed.
Lemma restrict_RelFi r : RelFi r -> RelFi (restrict r).
Proof.
  intros [R O]. split; [now apply restrict_Rel|]. intros i j s s' e' S S' L Re D.
  apply restrict_snd in S as [S K]. apply restrict_snd in S' as [S' _]. apply restrict_rcv in Re as [Re _].
  destruct (O i j s s' e' S S' L Re D) as (e & A & B). exists e. split; auto. now apply restrict_rcv.
Qed.
Lemma restrict_noself r : (forall i, keeps i i = false) -> noself (restrict r).
Proof. intros N e i S. apply restrict_snd in S as [_ K]. rewrite N in K. discriminate. Qed.
Lemma restrict_among n r : (forall i j, keeps i j = true -> i < n /\ j < n) -> run_among n (restrict r).
Proof.
  intros N i k. simpl. destruct (lab r i k) as [j|j|]; simpl; auto; destruct (keeps _ _) eqn:K; auto;
    apply N in K; tauto.
Qed.

(** ** Silent cuts

    From a silent cut on, as long as nothing happens on the other channels, they stay silent. *)
Definition quiet (r : run) (c d : icut) := forall e, ~ iinside c e -> iinside d e ->
  kept_label (fst e) (lab r (fst e) (snd e)) = lab r (fst e) (snd e).
Definition icle (c d : icut) := forall i, upto (c i) (d i).

Lemma icle_inside c d e : icle c d -> iinside c e -> iinside d e.
Proof.
  intros L I. specialize (L (fst e)). unfold iinside in *. destruct (c (fst e)), (d (fst e)); simpl in L; auto;
    lia || tauto.
Qed.
Lemma restrict_silent r c : isilent r c -> isilent (restrict r) c.
Proof. intros S e i j R. apply restrict_rcv in R as [R _]. exact (S e i j R). Qed.
Lemma silent_back r c d : matching r -> isilent r c -> icle c d -> quiet r c d -> isilent (restrict r) d -> isilent r d.
Proof.
  intros M Sc Le Q Sd e i j R. destruct (keeps i j) eqn:K; [now apply (Sd e i j), restrict_rcv|].
  pose proof (delta_snd r M _ _ _ R) as S.
  assert (Old : forall x, kept_label (fst x) (lab r (fst x) (snd x)) <> lab r (fst x) (snd x) ->
    (iinside d x <-> iinside c x)).
  { intros x N. split; [|now apply icle_inside]. intro I. apply NNPP. intro C. exact (N (Q x C I)). }
  rewrite !Old; [exact (Sc e i j R)| |].
  - destruct S as [F L]. rewrite L, F. simpl. rewrite K. discriminate.
  - destruct R as [F L]. rewrite L, F. simpl. rewrite K. discriminate.
Qed.

(** ** Occurrence *)

Lemma restrict_past r i k : past (restrict r) i k = map (fun x => (kept_label i (fst x), snd x)) (past r i k).
Proof. unfold past. now rewrite map_map. Qed.
Lemma reads_kept_past r i e k : reads_kept i e -> e (past (restrict r) i k) = e (past r i k).
Proof. intro H. rewrite restrict_past. apply H. Qed.
Lemma reads_kept_holds u r c g : formula_reads_kept g -> (iholds u (restrict r) c g <-> iholds u r c g).
Proof.
  assert (V : forall i e, reads_kept i e -> value_at u (restrict r) c i e = value_at u r c i e).
  { intros i e H. unfold value_at. destruct (c i); auto using reads_kept_past. }
  induction g; simpl; intro H; try (destruct H as [H1 H2]; rewrite ?V by auto; tauto); tauto.
Qed.

(** Steps of a confined program keep their labels. *)
Lemma step_same u c d i (does does' : nat -> Prop) : (forall k, c i = Some k -> does k -> does' k) ->
  makes_step u c d i does -> makes_step u c d i does'.
Proof. unfold makes_step. intros H M. destruct (c i); destruct M; auto. Qed.

(** What a confined program does in a run, it does in the restricted one; ... *)
Lemma occurs_restricted u r c p d : ioccurs u r c p d -> confined p -> ioccurs u (restrict r) c p d.
Proof.
  induction 1; simpl; intro C; try match type of C with _ /\ _ => destruct C as [C C'] end.
  - now apply I_eps.
  - apply I_asg. eapply step_same; [|eassumption]. simpl. intros k _ [-> ->]. now rewrite reads_kept_past.
  - apply I_snd. eapply step_same; [|eassumption]. simpl. intros k _ [-> ->]. simpl. now rewrite C, reads_kept_past.
  - apply I_rcv. eapply step_same; [|eassumption]. simpl. intros k _ ->. simpl. now rewrite C.
  - apply I_grd; auto. now apply reads_kept_holds.
  - apply I_chop; auto using restrict_silent.
  - eapply I_lay; eauto.
  - apply I_ch1; auto.
  - apply I_ch2; auto.
  - now apply I_st0.
  - eapply I_st1; eauto.
  - eapply I_inf; eauto.
Qed.

(** ... it leaves the other channels quiet; ... *)
Lemma quiet_steps u r c d i does : makes_step u c d i does ->
  (forall k, does k -> kept_label i (lab r i k) = lab r i k) -> quiet r c d.
Proof.
  intros M K [p x] N I. unfold makes_step in M. unfold iinside in *; simpl in *. destruct (c i) as [k|] eqn:Ci;
    destruct M as [D E]; rewrite (E p) in I; [|tauto]. destruct (p =? i) eqn:Q; [|tauto].
  apply Nat.eqb_eq in Q. subst p. rewrite Ci in N. assert (x = k) by lia. subst. auto.
Qed.
Lemma occurs_quiet u r c p d : ioccurs u r c p d -> confined p -> quiet r c d.
Proof.
  assert (Same : forall c d, iceq c d -> quiet r c d).
  { intros c0 d0 E e N I. destruct N. unfold iinside in *. now rewrite (E (fst e)). }
  assert (Trans : forall c m d, quiet r c m -> quiet r m d -> quiet r c d).
  { intros c0 m d0 A B e N I. destruct (classic (iinside m e)); auto. }
  induction 1; simpl; intro C; try match type of C with _ /\ _ => destruct C as [C C'] end; eauto.
  - eapply quiet_steps; [eassumption|]. simpl. now intros k [-> _].
  - eapply quiet_steps; [eassumption|]. simpl. intros k [-> _]. simpl. now rewrite C.
  - eapply quiet_steps; [eassumption|]. simpl. intros k ->. simpl. now rewrite C.
  - intros e N I. apply (lub_inside s d e H2) in I as [k I].
    assert (All : forall k, quiet r c (s k)).
    { induction k0 as [|k0 IH]; [auto|]. eapply Trans; eauto. }
    exact (All k e N I).
Qed.

(** ... and what it does in the restricted run where the others are quiet, it does in the run. *)
Lemma quiet_inside r c0 d0 c d : quiet r c0 d0 -> icle c0 c -> icle d d0 -> quiet r c d.
Proof. intros Q Lc Ld e N I. apply Q; [|now apply (icle_inside d)]. intro I0. now apply N, (icle_inside c0). Qed.
Lemma step_quiet u r c d i does k : makes_step u c d i does -> quiet r c d -> c i = Some k ->
  kept_label i (lab r i k) = lab r i k.
Proof.
  intros M Q C. unfold makes_step in M. rewrite C in M. destruct M as [_ E].
  apply (Q (i, k)); unfold iinside; cbn [fst snd]; [rewrite C; lia|]. rewrite (E i), Nat.eqb_refl. lia.
Qed.
Lemma icle_trans c d e : icle c d -> icle d e -> icle c e.
Proof. intros A B i. eapply upto_trans; eauto. Qed.
Lemma icle_iceq c d : iceq c d -> icle c d.
Proof. intros E i. rewrite (E i). apply upto_refl. Qed.
Lemma occurs_icle u r c p d : ioccurs u r c p d -> icle c d.
Proof. intros O i. eapply ioccurs_le; eauto. Qed.

Lemma occurs_back u r c0 d0 c p d : matching r -> isilent r c0 -> quiet r c0 d0 -> ioccurs u (restrict r) c p d ->
  confined p -> icle c0 c -> icle d d0 -> ioccurs u r c p d.
Proof.
  intros M S0 Q O. induction O as [c d E|c d i e St|c d i j e St|c d i j St|c d g E H|c d E H|c m d p q O1 IH1 O2 IH2
    |c d p q O IH|c d p q O IH|c d p E|c m d p O1 IH1 O2 IH2|c d p s E O IH L];
    simpl; intros C Lc Ld; try match type of C with _ /\ _ => destruct C as [C C'] end.
  - now apply I_eps.
  - apply I_asg. eapply step_same; [|exact St]. intros k Ck [A B]. simpl in A, B.
    rewrite (step_quiet u r c d i _ k St (quiet_inside r c0 d0 c d Q Lc Ld) Ck) in A.
    rewrite reads_kept_past in B; auto.
  - apply I_snd. eapply step_same; [|exact St]. intros k Ck [A B]. simpl in A, B.
    rewrite (step_quiet u r c d i _ k St (quiet_inside r c0 d0 c d Q Lc Ld) Ck) in A.
    rewrite reads_kept_past in B; auto.
  - apply I_rcv. eapply step_same; [|exact St]. intros k Ck A. simpl in A.
    now rewrite (step_quiet u r c d j _ k St (quiet_inside r c0 d0 c d Q Lc Ld) Ck) in A.
  - apply I_grd; auto. now apply (reads_kept_holds u r c g).
  - apply I_chop; auto. apply (silent_back r c0 c); auto. apply (quiet_inside r c0 d0); auto.
    + apply icle_iceq, iceq_refl.
    + apply icle_trans with d; auto. now apply icle_iceq.
  - apply I_lay with m; [apply IH1|apply IH2]; eauto using icle_trans, occurs_icle.
  - apply I_ch1; auto.
  - apply I_ch2; auto.
  - now apply I_st0.
  - apply I_st1 with m; [apply IH1|apply IH2]; eauto using icle_trans, occurs_icle.
  - apply I_inf with s; auto. intro k. apply IH; auto.
    + apply icle_trans with c; auto. apply icle_trans with (s 0); [now apply icle_iceq|].
      clear - O. induction k as [|k IH]; [apply icle_iceq, iceq_refl|]. eapply icle_trans; [exact IH|].
      eapply occurs_icle; eauto.
    + apply icle_trans with d; auto. intro i. apply (L i).
Qed.

(** ** Refinement *)

Variables (G G' : run -> Prop).
Hypotheses (GM : forall r, G r -> matching r) (Part : forall r, G' r -> G r) (Closed : forall r, G r ->
  G' (restrict r)).

Lemma refinement_restricted u P Q : confined P -> confined Q ->
  (irefines u G (Lay Chop P) Q <-> irefines u G' (Lay Chop P) Q).
Proof.
  intros CP CQ. split; intros H r c d g O; [apply H; auto|].
  pose proof O as Whole. apply ichop_first in O as [Sc O].
  apply (occurs_back u r c d); auto; try (apply icle_iceq, iceq_refl).
  - now apply (occurs_quiet u r c P).
  - apply H; [now apply Closed|]. apply occurs_restricted; [exact Whole|]. simpl. auto.
Qed.

(** Over finite intervals it follows. *)
Lemma finite_refinement_restricted P Q : confined P -> confined Q ->
  (refines G (Lay Chop P) Q <-> refines G' (Lay Chop P) Q).
Proof.
  intros CP CQ. split; intros H r c d g O; [apply H; auto|].
  set (u := {| worth := fun _ _ => 0%Z; acts_on := True |}).
  apply (occurs_finite_cuts u) in O. pose proof O as Whole. apply ichop_first in O as [Sc O].
  apply (occurs_finite_cuts u), (occurs_back u r (fin c) (fin d)); auto; try (apply icle_iceq, iceq_refl).
  - now apply (occurs_quiet u r (fin c) P).
  - apply (occurs_finite_cuts u), H; [now apply Closed|]. apply (occurs_finite_cuts u), occurs_restricted;
      [exact Whole|].
    simpl. auto.
Qed.
End Restriction.
