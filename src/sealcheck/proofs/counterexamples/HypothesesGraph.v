(** * Hypotheses of theorems about causality, channels and layers that are needed

    Each theorem here says that another one fails without one of its hypotheses.  docs/proofs.md has a table of all. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality.
From Sealcheck Require Import DecideSealing ClosedChannels NoBarrier ExamplesRuns Refutations Prefix Teaching.
From Sealcheck Require Import Phases PhasesRepeated RootCauses RootCausesRepeated Interleavings Hypotheses.
Open Scope nat_scope.

(** ** A message from 2 to 3, and then something that never occurs

    3 sends nothing, so that nothing leads from there to 2; but what never occurs closes all channels, and keeps all
    layers apart. *)

Lemma stays_there k l x y : (forall j, ~ In (Rcv k) (labs j l)) -> causes (fifo l) x y -> fst x = k -> fst y = k.
Proof.
  intro No. induction 1 as [x y [[E _]|(i & j & [F L] & D)]|]; intro Ex; auto; [congruence|].
  destruct y as [j' y]; cbn [fst snd] in *. subst j'. apply fifo_lab in L as [L _]; [|discriminate].
  simpl in D. rewrite L in D. subst x. simpl in Ex. subst i. destruct (No j). eapply nth_error_In; eauto.
Qed.
Definition of_process (k : proc) (v : node) := match v with Ev i _ | Ld i => i = k | Fd _ => False end.
Lemma path_stays_there k l u v : (forall j, ~ In (Rcv k) (labs j l)) -> path l u v -> of_process k u -> of_process k v.
Proof.
  intro No. induction 1 as [u v [i a b _ _|i a _|i a _|i|i j a b _ H _]|]; simpl; auto; try contradiction.
  intros ->. destruct (No j). eapply nth_error_In; eauto.
Qed.

Section Never.
Variables (Rest : prog) (rest : list act).
Hypotheses (Hrest : acts Rest = Some rest) (Wrest : CausalPast.acts_below 2 rest).
Let P := Lay (mt 2 3 zero) Rest.
Let p := NoBarrier.mt_actions 2 3 ++ rest.
Hypothesis Never : forall r c d, RelNS r -> silent r c -> ~ occurs r c P d.

Lemma rest_idle k : 2 <= k -> labs k rest = [].
Proof.
  intro G. unfold labs. destruct (proj k rest) as [|a l] eqn:E; auto. exfalso.
  assert (I : In a (proj k rest)) by (rewrite E; now left). apply filter_In in I as [I A]. apply Nat.eqb_eq in A.
  specialize (Wrest a I). destruct a; cbn in Wrest, A; lia.
Qed.
Lemma never_2 : labs 2 p = [Snd 3].
Proof. unfold p. rewrite labs_app, rest_idle by lia. reflexivity. Qed.
Lemma never_3 : labs 3 p = [Rcv 2].
Proof. unfold p. rewrite labs_app, rest_idle by lia. reflexivity. Qed.
Lemma never_heard j : ~ In (Rcv 3) (labs j p).
Proof.
  unfold p. rewrite labs_app, message_labs. intro I. rewrite !in_app_iff in I. destruct I as [[I|I]|I].
  - destruct (2 =? j); simpl in I; intuition discriminate.
  - destruct (3 =? j); simpl in I; intuition discriminate.
  - apply in_map_iff in I as (a & E & I). apply filter_In in I as [I _]. specialize (Wrest a I).
    destruct a; try discriminate. injection E as ->. lia.
Qed.

Lemma never_received : last_receive p 3 2 0.
Proof. split; rewrite never_3; [reflexivity|]. intros [|[|y]] E; auto; discriminate. Qed.
Lemma never_sent rest' : first_send (p ++ rest') 2 3 0.
Proof. split; [|intros; lia]. now rewrite labs_app, never_2. Qed.
Lemma never_open : sig_rcv p 3 2 0.
Proof.
  split; [exact never_received|]. intro H. apply (path_stays_there 3) in H;
    [discriminate H|apply never_heard|reflexivity].
Qed.
Lemma never_closes_channel i j : closes RelNS P i j.
Proof. intros r c d R E O. destruct (Never r c d R) with (2 := O). apply empty_silent; auto. apply R. Qed.
Lemma never_sealed Q : Seals RelNS Q P.
Proof. apply seals_iff. intros r c d R S O. apply lay_iff in O as (m & O & _). destruct (Never r c m R S O). Qed.


(** Twice in a row: the send of the second does not wait for the receive of the first. *)
Lemma never_reaches_on : ~ reaches_on (concat [p; p]) [p; p] 2 3.
Proof.
  intro R. specialize (R [] p [p] eq_refl 0 0 never_received).
  assert (No : forall j, ~ In (Rcv 3) (labs j (concat [p; p]))).
  { intros j I. change (concat [p; p]) with (p ++ p ++ []) in I. rewrite !labs_app in I.
    apply in_app_or in I as [I|I]; [now apply never_heard in I|].
    apply in_app_or in I as [I|[]]. now apply never_heard in I. }
  apply (stays_there 3) in R; auto; [discriminate|]. apply (never_sent []).
Qed.
Lemma never_reaches : ~ reaches_next [p; p].
Proof. intro R. now apply never_reaches_on. Qed.
Lemma never_root k i j : ~ root_cause RelNS (rounds (S k) [P]) (rounds (S k) [p]) i j.
Proof.
  intros (r & c & d & R & O & _). apply chop_first in O as [S O]. apply lay_iff in O as (m & O & _).
  apply lay_iff in O as (m' & O & _). destruct (Never r c m' R S O).
Qed.
Lemma never_apart k : stay_apart RelNS (rounds k [P]) /\ stay_apart_open RelNS (rounds k [P]).
Proof.
  assert (O : stay_apart_open RelNS (rounds k [P])).
  { intros r c d R O. apply chop_first in O as [S O]. destruct k as [|k]; [exact O|].
    apply lay_iff in O as (m & O & _). destruct (Never r c m R S O). }
  split; [|exact O]. intros r c d R H. apply chop_first in H as [S H]. apply chop_last in H as [H _].
  apply (O r c d R). now apply chop_first.
Qed.
End Never.

(** What never occurs: a deadlock, and a message to oneself. *)
Definition with_own_message := NoBarrier.mt_actions 2 3 ++ NoBarrier.mt_actions 0 0.
Definition Own := Lay (mt 2 3 zero) (mt 0 0 zero).
Lemma own_never r c d : RelNS r -> silent r c -> ~ occurs r c Own d.
Proof. intros R _ O. apply lay_iff in O as (m & _ & O). now apply self_never in O. Qed.
Lemma own_balanced : balanced with_own_message. Proof. apply balanced_app; apply message_balanced. Qed.
Lemma own_below : CausalPast.acts_below 2 (NoBarrier.mt_actions 0 0).
Proof. intros a [<-|[<-|[]]]; simpl; lia. Qed.
Lemma halted_below : CausalPast.acts_below 2 halted.
Proof. intros a [<-|[<-|[<-|[<-|[]]]]]; simpl; lia. Qed.
Lemma own_dead_free : dead_free with_own_message.
Proof.
  apply dead_free_app; auto using message_balanced, self_dead_free.
  apply (oneway_dead_free 2 3); auto using message_oneway.
Qed.
Lemma own_received : sig_rcv with_own_message 3 2 0.
Proof. apply never_open, own_below. Qed.
Lemma late_layers : layers [Lay (mt 2 3 zero) halt; Lay (mt 2 3 zero) halt] [late; late].
Proof. repeat constructor. Qed.

(** ** Self-channels *)

Theorem closed_channels_needs_no_self_channels : ~ forall P l i j, acts P = Some l -> balanced l -> dead_free l ->
  (~ closes RelNS P i j <-> exists y, sig_rcv l j i y).
Proof.
  intro H. destruct (H Own with_own_message 2 3 eq_refl own_balanced own_dead_free) as [_ X]. apply X;
    [eauto using own_received|].
  apply never_closes_channel, own_never.
Qed.
Theorem decide_sealing_needs_no_self_channels : ~ forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) -> (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intro H. destruct (H Own Eps with_own_message [] eq_refl eq_refl own_balanced nothing_balanced own_dead_free) as
    [X _].
  destruct (X (never_sealed _ own_never Eps) 2 3 0 own_received) as (k & R & E & _).
  apply path_nil in E. injection E as <-. now destruct own_received.
Qed.
Theorem graph_cause_largest_noself_needs_no_self_channels : ~ forall P l, acts P = Some l -> balanced l ->
  dead_free l -> forall x y, snd y < len l (fst y) ->
  (forall r c d, RelNS r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intro H. assert (C : clos_trans event (normal with_own_message) (3, 0) (2, 0)).
  { apply (H Own with_own_message eq_refl own_balanced own_dead_free); [unfold len; simpl; lia|].
    intros r c d R O. apply chop_first in O as [S O]. destruct (own_never r c d R S O). }
  assert (T : forall u v, clos_trans event (normal with_own_message) u v -> fst u = 3 -> fst v = 3);
    [|now apply T in C].
  induction 1 as [u v E|]; auto. intro F.
  exact (path_stays_there 3 with_own_message _ _ (never_heard _ own_below) (t_step node _ _ _ E) F).
Qed.
Theorem phases_needs_no_self_channels : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  dead_free (concat ls) -> (stay_apart RelNS Ps <-> reaches_next ls).
Proof.
  intro H. apply (never_reaches _ own_below). apply (H [Own; Own]).
  - repeat constructor.
  - intros l [<-|[<-|[]]]; apply own_balanced.
  - apply (dead_free_app with_own_message); auto using own_balanced, own_dead_free; simpl; rewrite app_nil_r;
      auto using own_balanced, own_dead_free.
  - exact (proj1 (never_apart _ own_never 2)).
Qed.
Theorem phases_needs_deadlock_freedom : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  nofself (concat ls) -> (stay_apart RelNS Ps <-> reaches_next ls).
Proof.
  intro H. apply (never_reaches halted halted_below). apply (H _ _ late_layers).
  - intros l [<-|[<-|[]]]; apply late_balanced.
  - intros k I. change (In (Snd k) (labs k (late ++ late))) in I. rewrite labs_app in I.
    apply in_app_or in I as [I|I]; now apply late_nofself in I.
  - exact (proj1 (never_apart _ late_never 2)).
Qed.
Theorem root_causes_needs_deadlock_freedom : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  nofself (concat ls) -> forall i j, root_cause RelNS Ps ls i j <-> interferes ls i j.
Proof.
  intro H. apply (never_root _ halted late_never 1 2 3). apply (H _ _ late_layers).
  - intros l [<-|[<-|[]]]; apply balanced_fits, late_balanced.
  - intros k I. change (In (Snd k) (labs k (late ++ late))) in I. rewrite labs_app in I.
    apply in_app_or in I as [I|I]; now apply late_nofself in I.
  - right. exact (never_reaches_on halted halted_below).
Qed.
Theorem root_causes_needs_no_self_channels : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> forall i j, root_cause RelNS Ps ls i j <-> interferes ls i j.
Proof.
  intro H. apply (never_root _ (NoBarrier.mt_actions 0 0) own_never 1 2 3).
    apply (H [Own; Own] [with_own_message; with_own_message]).
  - repeat constructor.
  - intros l [<-|[<-|[]]]; apply balanced_fits, own_balanced.
  - intros l [<-|[<-|[]]]; apply own_dead_free.
  - right. exact (never_reaches_on _ own_below).
Qed.
Theorem phases_repeated_needs_deadlock_freedom : ~ forall Ps ls, layers Ps ls ->
  (forall l, In l ls -> balanced l) -> nofself (concat ls) ->
  ((forall k, stay_apart RelNS (rounds k Ps)) <-> reaches_next (ls ++ ls)).
Proof.
  intro H. apply (never_reaches halted halted_below). apply (H [Lay (mt 2 3 zero) halt] [late]).
  - repeat constructor.
  - intros l [<-|[]]. apply late_balanced.
  - exact late_nofself.
  - intro k. exact (proj1 (never_apart _ late_never k)).
Qed.
Theorem phases_repeated_needs_no_self_channels : ~ forall Ps ls, layers Ps ls ->
  (forall l, In l ls -> balanced l) -> dead_free (concat ls) ->
  ((forall k, stay_apart RelNS (rounds k Ps)) <-> reaches_next (ls ++ ls)).
Proof.
  intro H. apply (never_reaches _ own_below). apply (H [Own] [with_own_message]).
  - repeat constructor.
  - intros l [<-|[]]. apply own_balanced.
  - exact own_dead_free.
  - intro k. exact (proj1 (never_apart _ own_never k)).
Qed.
Theorem phases_open_needs_deadlock_freedom : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  nofself (concat ls) -> (stay_apart_open RelNS Ps <-> reaches_next_or_end ls).
Proof.
  intro H. apply (never_reaches halted halted_below). apply (H _ _ late_layers).
  - intros l [<-|[<-|[]]]; apply late_balanced.
  - intros k I. change (In (Snd k) (labs k (late ++ late))) in I. rewrite labs_app in I.
    apply in_app_or in I as [I|I]; now apply late_nofself in I.
  - exact (proj2 (never_apart _ late_never 2)).
Qed.
Theorem phases_open_needs_no_self_channels : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  dead_free (concat ls) -> (stay_apart_open RelNS Ps <-> reaches_next_or_end ls).
Proof.
  intro H. apply (never_reaches _ own_below). apply (H [Own; Own]).
  - repeat constructor.
  - intros l [<-|[<-|[]]]; apply own_balanced.
  - apply (dead_free_app with_own_message); auto using own_balanced, own_dead_free; simpl; rewrite app_nil_r;
      auto using own_balanced, own_dead_free.
  - exact (proj2 (never_apart _ own_never 2)).
Qed.
Theorem straight_line_occurs_needs_deadlock_freedom : ~ forall P p, acts P = Some p -> nofself p ->
  exists r, RelNS r /\ all_empty r (fun _ => 0) /\ occurs r (fun _ => 0) P (len p) /\ standing r (fun _ => 0) p.
Proof.
  intro H. destruct (H halt halted eq_refl halted_nofself) as (r & [[[M _] _] _] & _ & O & _).
  exact (halt_alone_never _ _ _ M (start_silent r) O).
Qed.
Theorem straight_line_occurs_needs_no_self_channels : ~ forall P p, acts P = Some p -> dead_free p ->
  exists r, RelNS r /\ all_empty r (fun _ => 0) /\ occurs r (fun _ => 0) P (len p) /\ standing r (fun _ => 0) p.
Proof.
  intro H. destruct (H (mt 0 0 zero) _ eq_refl self_dead_free) as (r & R & _ & O & _). exact (self_never 0 _ _ _ R O).
Qed.

(** ** Two processes

    A process that sends to itself knows at once that it has received. *)

Theorem mt_not_self_sealing_needs_two_processes : ~ forall i j e f, ~ Seals RelNS (mt i j f) (mt i j e).
Proof.
  intro H. apply (H 0 0 zero zero), seals_iff. intros r c d R _ O. apply lay_iff in O as (m & O & _).
  now apply self_never in O.
Qed.
Theorem mt_tcc_rel_fifo_needs_two_processes : ~ forall i j e, TCC RelFi (mt i j e) /\ ~ TCC Rel (mt i j e).
Proof. intro H. destruct (H 1 1 zero) as [_ N]. exact (N self_message_tcc). Qed.
Theorem sigvt_needs_two_processes : ~ forall i j, sig_rcv (NoBarrier.mt_actions i j) j i 0.
Proof. intro H. destruct (H 0 0) as [[E _] _]. discriminate. Qed.

(** ** Balance *)

(** A receive from oneself never occurs where no process sends to itself. *)
Theorem definitions_agree_balanced_needs_completion : ~ forall P p, acts P = Some p -> (Balanced RelNS P <->
  balanced p).
Proof.
  intro H. destruct (H (Recv 0 0) [ARecv 0 0] eq_refl) as [X _].
  assert (B : balanced [ARecv 0 0]); [|specialize (B 0 0); discriminate].
  apply X. intros r c d [[[M _] _] N] _ O. inversion O; subst. exfalso.
  assert (R : is_rcv r (0, c 0) 0 0) by (split; auto). exact (N _ _ (delta_snd r M _ _ _ R)).
Qed.

(** ** Events of P *)

Theorem graph_cause_largest_needs_an_event_of_P : ~ forall P l, acts P = Some l -> balanced l -> dead_free l ->
  nofself l -> forall x y,
  (forall r c d, Rel r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intro H. assert (C : clos_trans event (normal []) (0, 0) (0, 1)).
  { apply (H Eps []); auto using nothing_balanced, nothing_dead_free; [intros i []|].
    intros r c d _ _. apply causes_order. simpl. lia. }
  assert (No : forall x y, ~ normal [] x y).
  { intros x y E. unfold normal in E. inversion E as [i a b L G|i a G|i a G|i|i j a b Hx]; subst.
    - unfold len in G. simpl in G. lia.
    - destruct (snd x); discriminate. }
  apply clos_trans_t1n in C. destruct C; eapply No; eassumption.
Qed.

(** ** Channel order: RelFi *)

(** 2 receives what 1 sends after P: that is after all that 1 does in P, without an edge that says so. *)
Definition after_assign : run := made_of [Int; Snd 2] [Rcv 1] (fun _ => (1, 1)) (fun _ => 0%Z).
Lemma after_assign_receive e i j : is_rcv after_assign e i j -> e = (2, 0) /\ i = 1 /\ j = 2.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|[|k]]]; discriminate.
  - destruct k as [|[|k]]; try discriminate. injection H as <-. auto.
Qed.
Lemma after_assign_sent s i j : is_snd after_assign s i j -> s = (1, 1).
Proof.
  intros [F H]. destruct s as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|[|k]]]; try discriminate. reflexivity.
  - destruct k as [|[|k]]; discriminate.
Qed.
Lemma after_assign_run : RelFi after_assign.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply after_assign_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply after_assign_receive in R as (-> & _).
    now apply after_assign_receive in R' as (-> & _).
  - apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ fst y = 2)).
    + intros x y [S|(i & j & R & D)]; auto. apply after_assign_receive in R as (-> & _). simpl in D. subst x. auto.
    + intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]); right; split; congruence.
    + intros x [[_ A]|[A B]]; [lia|congruence].
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 2). intros i k j L H.
    pose proof (after_assign_sent (i, k) i j (conj eq_refl H)) as E. injection E as _ ->. simpl in L. lia.
  - intros i j s s' e' S S' L _ _. apply after_assign_sent in S as ->. apply after_assign_sent in S' as ->. lia.
Qed.
Theorem fifo_causality_needs_balance : ~ forall r P l c d, RelFi r -> acts P = Some l -> occurs r c (Lay Chop P) d ->
  forall x y, snd x < len l (fst x) -> snd y < len l (fst y) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof.
  intro H. set (l := [AInt 1; ARecv 2 1]). set (P := Lay (Assign 1 zero) (Recv 2 1)).
  assert (O : occurs after_assign (fun _ => 0) P (len l)).
  { apply follows_occurs with l; auto.
    - intro k. destruct k as [|[|[|k]]]; reflexivity.
    - intros i k e X _. destruct i as [|[|[|i]]]; destruct k as [|[|k]]; simpl in X; try discriminate;
        injection X as <-; reflexivity. }
  destruct (H after_assign P l (fun _ => 0) (len l) after_assign_run eq_refl) with (x := (1, 0)) (y := (2, 0)) as [_ C].
  - apply chop_first. split; [apply start_silent|exact O].
  - unfold len; simpl; lia.
  - unfold len; simpl; lia.
  - assert (T : forall u v, clos_trans event (normal l) u v -> fst u = fst v).
    { induction 1 as [u v E|]; [|congruence]. unfold normal in E. inversion E as [| | | |i j a b Hx]; subst; auto.
      exfalso. destruct (fst u) as [|[|[|k]]]; destruct (snd u) as [|[|m]]; try discriminate; destruct m;
        discriminate. }
    apply T in C; [discriminate|]. apply t_trans with (1, 1); [apply causes_order; simpl; lia|].
    apply (causes_msg after_assign (2, 0) 1 2). split; reflexivity.
Qed.
Theorem fifo_causality_needs_an_event_of_P : ~ forall r P l c d, RelFi r -> acts P = Some l -> balanced l ->
  occurs r c (Lay Chop P) d -> forall x y, snd x < len l (fst x) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof.
  intro H. destruct (H next (Assign 0 zero) [AInt 0] (fun _ => 0) (bump (fun _ => 0) 0) next_run eq_refl)
    with (x := (0, 0)) (y := (0, 1)) as [_ C].
  - intros i j. destruct i as [|i], j as [|j]; reflexivity.
  - apply chop_first. split; [apply start_silent|]. apply O_asg; auto using ceq_refl.
  - unfold len; simpl; lia.
  - assert (N : forall u v, ~ normal [AInt 0] u v).
    { intros [a b] [a' b'] E. unfold normal in E; cbn [fst snd] in E.
      inversion E as [i k m L G|i k G|i k G|i|i j k m Hx]; subst.
      - destruct a' as [|a']; unfold len in G; simpl in G; lia.
      - destruct a as [|a]; destruct b as [|[|b]]; discriminate. }
    assert (T : clos_trans event (normal [AInt 0]) (0, 0) (0, 1)) by (apply C, causes_order; simpl; lia).
    apply clos_trans_t1n in T. destruct T; eapply N; eassumption.
Qed.
(** A receive may take an older message. *)
Theorem fifo_causality_needs_leading_cut : ~ forall r P l c d, RelFi r -> acts P = Some l -> balanced l ->
  occurs r c P d -> forall x y, snd x < len l (fst x) -> snd y < len l (fst y) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof.
  intro H.
  assert (O : occurs older after_send (mt 1 2 zero) (fun k => after_send k + len (NoBarrier.mt_actions 1 2) k)).
  { apply follows_occurs with (NoBarrier.mt_actions 1 2); auto.
    - intro k. destruct k as [|[|[|k]]]; reflexivity.
    - intros i k e X _. destruct i as [|[|[|i]]]; destruct k as [|[|k]]; simpl in X; try discriminate;
        injection X as <-; reflexivity. }
  assert (F : RelFi older).
  { split; [apply older_run|]. intros i j s s' e' S S' Lt R D. apply older_receive in R as (-> & -> & ->).
    simpl in D. subst s'. simpl in Lt. lia. }
  destruct (H older (mt 1 2 zero) (NoBarrier.mt_actions 1 2) after_send _ F eq_refl (message_balanced 1 2) O (1, 0)
    (2, 0))
    as [X _]; try (unfold len; simpl; lia).
  assert (E : normal (NoBarrier.mt_actions 1 2) (1, 0) (2, 0)) by (apply E_msg; reflexivity).
  specialize (X (t_step _ _ _ _ E)). apply older_order in X as [[A _]|(_ & Q & _)]; discriminate.
Qed.

(** ** Interleavings *)

Theorem interleaving_exists_needs_all_events : ~ forall r d L,
  (forall e i j, is_rcv r e i j -> inside d e -> is_snd r (delta r e) i j /\ inside d (delta r e)) ->
  ((exists order, interleaving r L order) <-> forall e, inside d e -> ~ causes r e e).
Proof.
  intro H. destruct (H (fifo halted) (len halted) []) as [X _].
  - intros [j y] i j' [F L] _. cbn [fst snd] in *. subst j'. apply fifo_lab in L as [L _]; [|discriminate].
    destruct (fifo_match halted i j y halted_balanced L) as (z & -> & Hz & _).
    split; [split; [reflexivity|]|].
    + simpl. now rewrite Hz.
    + apply labs_lt in Hz. exact Hz.
  - refine (X _ (0, 0) _ halted_cycle).
    + exists []. split; [constructor|]. intros [|a pre] b post E; discriminate.
    + unfold inside, len; simpl; lia.
Qed.
(** In the deadlock of 0 and 1, what follows the first event of 0 may be cut off; then there is an interleaving. *)
Theorem interleaving_exists_needs_sends : ~ forall r d L, (forall e, In e L <-> inside d e) ->
  ((exists order, interleaving r L order) <-> forall e, inside d e -> ~ causes r e e).
Proof.
  intro H. destruct (H (fifo halted) (bump (fun _ => 0) 0) [(0, 0)]) as [X _].
  - intros [i k]. unfold inside, bump. simpl. split.
    + intros [E|[]]. injection E as <- <-. simpl. lia.
    + destruct i as [|i]; simpl; [|lia]. intro L. left. f_equal. lia.
  - refine (X _ (0, 0) _ halted_cycle); [|unfold inside, bump; simpl; lia].
    exists [(0, 0)]. split; [apply Permutation_refl|].
    intros pre b post E a [<-|[]] S. destruct pre as [|c [|c' pre]]; try discriminate. injection E as <- <-.
    destruct S as [[_ L]|(i & j & [F L] & D)]; [simpl in L; lia|]. vm_compute in D. discriminate.
Qed.
