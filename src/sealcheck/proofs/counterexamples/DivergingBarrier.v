(** * A barrier without a silent cut

    "A program is a barrier in Rel iff each of its paths that occur has a silent cut, and what it sends and receives is
    between its first and its last one": proved over finite intervals ([BarriersDecided]).  Over all intervals "only if"
    fails.  A program that takes all processes on for ever, and in which they send and receive nothing, is a barrier: no
    message can cross its beginning, as nothing is received later; nor its end, as nothing comes after it.  So it
    is whatever is left open where a process has gone on for ever. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility Variables InfiniteCuts InfiniteSealAlgebra.
From Sealcheck Require Import OneSemantics Restriction InfiniteBarriers InfiniteBarriersDecided.
Open Scope nat_scope.

Section WhateverIsLeftOpen.
Variables (w : proc -> (state -> value) -> value) (may_act : Prop).

(** What variables 2 and 3 have before infinity, so that the guard [only_at_infinity] does not hold. *)
Local Definition other (p : proc) : value := if same_at_infinity w p then 1%Z else 0%Z.
(** Process [p] assigns for ever. *)
Definition diverges (p : proc) : vprog :=
  VLay (VAssign p 2 (Const (other p))) (VLay (VAssign p 3 (Const 0%Z))
    (VLay (VStar (VAssign p 0 (Var 0))) (VGuard (only_at_infinity w p)))).
(** Both processes do. *)
Definition both_diverge : vprog := VLay (diverges 0) (diverges 1).

(** ** It is a barrier *)

(** Programs of assignments only have internal events. *)
Fixpoint assigns_only (p : vprog) : Prop := match p with
  | VSend _ _ _ | VRecv _ _ _ => False
  | VLay p q | VChoice p q => assigns_only p /\ assigns_only q
  | VStar p => assigns_only p
  | _ => True
  end.
Lemma assigns_only_internal (r : vrun) p : assigns_only p -> forall c d, ivoccurs w may_act r c p d ->
  forall e, ~ iinside c e -> iinside d e -> lab r (fst e) (snd e) = Int.
Proof.
  intros A c d O. unfold ivoccurs in O. remember (of_vprog p) as q eqn:E. revert p A E.
  induction O as [c d E|c d i a co ne M|c d g E H|c d E S|c m d p q O1 IH1 O2 IH2|c d p q O IH|c d p q O IH|c d p E
    |c m d p O1 IH1 O2 IH2|c d p s E O IH L]; intros b A Q e Nc Id.
  1,3,4,8: destruct Nc; unfold iinside in *; now rewrite (E (fst e)).
  - destruct b; try discriminate; try (now destruct A). injection Q as -> <- _ _.
    unfold makes_step in M. unfold iinside in Nc, Id.
    destruct (c i0) as [k|] eqn:C; destruct M as [M E]; rewrite (E (fst e)) in Id; [|now destruct Nc].
    destruct (fst e =? i0) eqn:P; [|now destruct Nc]. apply Nat.eqb_eq in P. rewrite P, C in Nc. rewrite P.
    replace (snd e) with k by lia. apply M.
  - destruct b; try discriminate. injection Q as -> ->. destruct A as [A1 A2].
    destruct (classic (iinside m e)) as [I|N]; [eapply (IH1 b1)|eapply (IH2 b2)]; eauto.
  - destruct b; try discriminate. injection Q as -> ->. destruct A as [A1 _]. eapply (IH b1); eauto.
  - destruct b; try discriminate. injection Q as -> ->. destruct A as [_ A2]. eapply (IH b2); eauto.
  - destruct b; try discriminate. injection Q as ->.
    destruct (classic (iinside m e)) as [I|N]; [eapply (IH1 b)|eapply (IH2 (VStar b))]; eauto.
  - destruct b; try discriminate. injection Q as ->. apply (lub_inside s d e L) in Id as [k I].
    assert (N0 : ~ iinside (s 0) e) by (unfold iinside in *; now rewrite <- (E (fst e))).
    induction k as [|k IHk]; [contradiction|]. destruct (classic (iinside (s k) e)) as [I'|N]; [auto|].
    eapply (IH k b); eauto.
Qed.

(** The guard holds only where the process has gone on for ever: before, the two variables do not satisfy it. *)
Lemma diverges_ends (r : vrun) p c d : ivoccurs w may_act r c (diverges p) d -> d p = None.
Proof.
  intro O. unfold diverges, ivoccurs in O. simpl of_vprog in O. apply glay_iff in O as (m & O1 & O).
  apply glay_iff in O as (n & O2 & O). apply glay_iff in O as (y & O3 & O4).
  inversion O4 as [| |? ? ? E G| | | | | | |]; subst. rewrite <- (E p). clear O4 E d.
  set (set_up := fun c : icut => forall k, c p = Some k -> states r p k 2 = other p /\ states r p k 3 = 0%Z).
  assert (Step : forall c d, goccurs state w may_act r (states r) c (of_vprog (VAssign p 0 (Var 0))) d -> set_up c ->
    set_up d).
  { intros a b A U k K. inversion A as [|? ? ? ? ? ? M| | | | | | | |]; subst. unfold makes_step in M.
    destruct (a p) as [x|] eqn:Ap; destruct M as [M E]; rewrite (E p) in K; [|congruence].
    rewrite Nat.eqb_refl in K. injection K as <-. destruct M as (_ & _ & S). destruct (U x Ap).
    rewrite !(S _). unfold set. simpl. auto. }
  assert (Start : set_up n).
  { inversion O1 as [|? ? ? ? ? ? M1| | | | | | | |]; subst. inversion O2 as [|? ? ? ? ? ? M2| | | | | | | |]; subst.
    intros k K. unfold makes_step in M1, M2. destruct (c p) as [x|] eqn:Cp; destruct M1 as [M1 E1].
    - rewrite (E1 p), Nat.eqb_refl in M2. destruct M2 as [M2 E2]. rewrite (E2 p), Nat.eqb_refl in K. injection K as <-.
      destruct M1 as (_ & _ & S1), M2 as (_ & _ & S2). rewrite !(S2 _). unfold set. simpl. rewrite (S1 2). auto.
    - rewrite (E1 p), Cp in M2. destruct M2 as [_ E2]. rewrite (E2 p), (E1 p), Cp in K. discriminate. }
  assert (End : set_up y).
  { clear G O1 O2. set (a := of_vprog (VAssign p 0 (Var 0))) in *.
    change (goccurs state w may_act r (states r) n (GStar a) y) in O3.
    remember (GStar a) as body eqn:E. revert E Start.
    induction O3 as [| | | | | | |e b q E'|e m' b q A _ B IH|e b q s E' A _ L]; intros E U; try discriminate;
      injection E as ->.
    - intros x X. apply (U x). now rewrite (E' p).
    - apply IH; auto. eapply Step; eauto.
    - destruct (b p) as [k|] eqn:Bp; [|intros k K; congruence].
      destruct (lub_reached s b p L) as [j J]; [congruence|].
      assert (All : forall j, set_up (s j)).
      { induction j0 as [|j0 IH]; [intros x X; apply (U x); now rewrite (E' p)|]. eapply Step; eauto. }
      intros x X. apply (All j). now rewrite J. }
  unfold only_at_infinity in G. destruct (y p) as [k|] eqn:Yp; [exfalso|auto]. destruct (End k Yp) as [V2 V3].
  unfold other in V2. destruct (same_at_infinity w p); simpl in G; unfold evaluates in G; rewrite Yp in G; simpl in G;
    rewrite V2, V3 in G; [discriminate|now apply G].
Qed.

Lemma both_diverge_barrier : iVBarrier w may_act (runs_of 2) both_diverge.
Proof.
  apply barriers_decided_infinite. intros r c d [[[[M _] _] _] A] O.
  assert (Dp : forall p, p < 2 -> d p = None).
  { intros p L. pose proof O as O'. apply glay_iff in O' as (m & O1 & O2).
    destruct p as [|[|p]]; [|now apply diverges_ends in O2|lia].
    apply diverges_ends in O1. pose proof (happens_up _ _ _ _ _ _ _ _ O2 0) as U. rewrite O1 in U.
    destruct (d 0); [destruct U|reflexivity]. }
  assert (Comm : forall e, lab r (fst e) (snd e) <> Int -> iinside d e /\ iinside c e).
  { intros e N. assert (Id : iinside d e).
    { unfold iinside. rewrite Dp; [exact I|]. specialize (A (fst e) (snd e)). destruct (lab r _ _); tauto. }
    split; [exact Id|]. apply NNPP. intro Nc. apply N. apply (assigns_only_internal r both_diverge) with c d; auto.
    unfold both_diverge, diverges. simpl. tauto. }
  split; intros e i j R; destruct (delta_snd r M _ _ _ R) as [_ Ls]; destruct R as [_ L];
    destruct (Comm e), (Comm (delta r e)); try congruence; tauto.
Qed.

(** ** It occurs, and passes no silent cut *)

Local Definition assigning_run : vrun := {|
  base := {| lab := fun _ _ => Int; delta := fun e => e; val := fun _ => 0%Z |};
  states := fun p k y => match k with 0 => 0%Z | S _ => if y =? 2 then other p else 0%Z end |}.
Local Lemma assigning_runs : runs_of 2 assigning_run.
Proof.
  split; [split; [split; [split; [split|]|]|]|]; try (now intros e i j [_ R]); try (now intros e i j e' i' j' [_ R]).
  - apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
    + intros x y [S|(i & j & [_ R] & _)]; [auto|discriminate].
    + intros x y z [A A'] [C C']. split; [congruence|lia].
    + intros x [_ A]. lia.
  - now intros s i [_ R].
  - now intros i x.
Qed.
Local Lemma diverges_passes p c cuts : c p = Some 0 ->
  gpasses state w may_act assigning_run (states assigning_run) cuts c (of_vprog (diverges p)) (moved_to c p None).
Proof.
  intro C. set (at_ k := moved_to c p (Some k)).
  assert (Step : forall x e k, set (states assigning_run p k) x (eval e (states assigning_run p k)) =
      set (states assigning_run p k) x (eval e (states assigning_run p k)) ->
    same (states assigning_run p (S k)) (set (states assigning_run p k) x (eval e (states assigning_run p k))) ->
    gpasses state w may_act assigning_run (states assigning_run) cuts (at_ k) (of_vprog (VAssign p x e)) (at_ (S k))).
  { intros x e k _ S. apply Pass_act, G_act. unfold makes_step, at_, moved_to at 1. rewrite Nat.eqb_refl.
    split; [auto|]. intro q. unfold moved_to. destruct (q =? p); reflexivity. }
  apply Pass_lay with (at_ 1); [|apply Pass_lay with (at_ 2); [|apply Pass_lay with (moved_to c p None)]].
  - assert (E : iceq c (at_ 0)).
    { intro q. unfold at_, moved_to. destruct (q =? p) eqn:Q; auto. apply Nat.eqb_eq in Q. now subst. }
    apply Pass_act, G_act. unfold makes_step. rewrite C. split; [|intro q; unfold at_, moved_to; now destruct (q =? p)].
    split; [reflexivity|split; [exact I|]]. intro y. unfold set. simpl. now destruct (y =? 2).
  - apply Step; auto. intro y. unfold set. simpl. destruct (y =? 3) eqn:Q; auto. apply Nat.eqb_eq in Q. now subst.
  - apply Pass_inf with (fun k => at_ (2 + k)); [apply iceq_refl| |].
    + intro k. apply Step; auto. intro y. unfold set. simpl. destruct (y =? 0) eqn:Q; auto.
      apply Nat.eqb_eq in Q. now subst.
    + intro q. unfold at_, moved_to. destruct (q =? p) eqn:Q.
      * split; [intro k; exact I|]. intros [b|] H; simpl; auto. specialize (H (S b)). simpl in H. lia.
      * split; [intro k; apply upto_refl|]. intros b H. exact (H 0).
  - apply Pass_grd, G_grd; [apply iceq_refl|]. apply at_infinity_holds. unfold moved_to. now rewrite Nat.eqb_refl.
Qed.
End WhateverIsLeftOpen.

(** _Exactly programs that pass silent cuts, and communicate between them only, are barriers_: not over all
    intervals. *)
Theorem barriers_decided_needs_finite_cuts : forall at_infinity may_act, ~ forall n B, 2 <= n ->
  (iVBarrier at_infinity may_act (runs_of n) B <->
   forall (r : vrun) (cuts : icut -> Prop) c d, runs_of n r -> (forall t, cuts t -> silent_between r c d t) ->
     gpasses state at_infinity may_act r (states r) cuts c (of_vprog B) d -> gclosed r c cuts d).
Proof.
  intros w A H. destruct (H 2 (both_diverge w) (le_n _)) as [X _]. specialize (X (both_diverge_barrier w A)).
  destruct (X (assigning_run w) (fun _ => False) (fun _ => Some 0)
    (moved_to (moved_to (fun _ => Some 0) 0 None) 1 None)) as [(t & [] & _) _].
  - apply assigning_runs.
  - intros t [].
  - apply Pass_lay with (moved_to (fun _ => Some 0) 0 None); apply diverges_passes; reflexivity.
Qed.
