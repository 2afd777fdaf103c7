(** * The seal with a guard, over infinite intervals

    "If Agt = {1,2} then the program X = snd 1->2 . snd 2->1 . rcv 1<-2 . rcv 2<-1 cannot be sealed properly in Rel."
    The seal of [GuardedSeal] seals X properly over infinite intervals, too, whatever the paper leaves open there.  If
    both processes have gone on for ever before X, then X has no events.  If one of them has, then the other waits for
    its message in vain.

    Theorems of the ledger: [guards_seal_X_infinite]. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Knowledge Messages GuardedSeal.
From Sealcheck Require Import InfiniteCuts InfiniteSealAlgebra Restriction InfiniteStraightLine.
Open Scope nat_scope.

(** One step of a process that can still do something. *)
Lemma step_here u c d i k (does : nat -> Prop) : makes_step u c d i does -> c i = Some k ->
  does k /\ d i = Some (S k) /\ forall p, p <> i -> d p = c p.
Proof.
  intros M C. unfold makes_step in M. rewrite C in M. destruct M as [D E]. split; [exact D|split].
  - rewrite (E i). now rewrite Nat.eqb_refl.
  - intros p N. rewrite (E p). apply Nat.eqb_neq in N. now rewrite N.
Qed.
Lemma sends_here u r c d i j e k : ioccurs u r c (Send i j e) d -> c i = Some k ->
  lab r i k = Snd j /\ val r (i, k) = e (past r i k) /\ d i = Some (S k) /\ forall p, p <> i -> d p = c p.
Proof.
  intros O C. inversion O as [| |? ? ? ? ? M| | | | | | | | |]; subst. apply step_here with (k := k) in M; tauto.
Qed.
Lemma receives_here u r c d i j k : ioccurs u r c (Recv j i) d -> c j = Some k ->
  lab r j k = Rcv i /\ d j = Some (S k) /\ forall p, p <> j -> d p = c p.
Proof. intros O C. inversion O as [| | |? ? ? ? M| | | | | | | |]; subst. apply step_here with (k := k) in M; tauto.
Qed.
Lemma transmits_here u r c d i j e k l : i <> j -> ioccurs u r c (mt i j e) d -> c i = Some k -> c j = Some l ->
  lab r i k = Snd j /\ val r (i, k) = e (past r i k) /\ lab r j l = Rcv i /\ d i = Some (S k) /\ d j = Some (S l).
Proof.
  intros N O Ci Cj. apply ilay_iff in O as (m & O1 & O2). destruct (sends_here _ _ _ _ _ _ _ _ O1 Ci) as (A & V & Mi & M).
  destruct (receives_here _ _ _ _ _ _ l O2) as (B & Dj & D); [now rewrite M by auto|].
  rewrite (D i N), Mi. auto.
Qed.

(** What an execution of X and the seal looks like. *)
Lemma iexecution u e f r c d a b : c 0 = Some a -> c 1 = Some b -> wf r -> ioccurs u r c (Lay (X_of e f) S1) d ->
  exists p q, in_turn_from r a b p q.
Proof.
  intros C0 C1 W O. apply ilay_iff in O as (m & OX & OS).
  apply ilay_iff in OX as (m1 & O1 & OX). apply ilay_iff in OX as (m2 & O2 & OX).
  apply ilay_iff in OX as (m3 & O3 & O4).
  apply ilay_iff in OS as (n1 & O5 & OS). apply ilay_iff in OS as (n2 & O6 & OG).
  destruct (sends_here _ _ _ _ _ _ _ a O1 C0) as (A0 & V0 & M0 & M).
  destruct (sends_here _ _ _ _ _ _ _ b O2) as (B0 & W0 & M1 & M'); [now rewrite M|].
  destruct (receives_here _ _ _ _ _ _ (S b) O3 M1) as (B1 & M3 & M'').
  destruct (receives_here _ _ _ _ _ _ (S a) O4) as (A1 & N0 & N); [now rewrite M'', M'|].
  destruct (transmits_here _ _ _ _ _ _ _ (S (S a)) (S (S b)) (n_Sn 0) O5) as (A2 & V2 & B2 & K0 & K1);
    [auto|now rewrite N|].
  destruct (transmits_here u r n1 n2 1 0 (one_more 2) (S (S (S b))) (S (S (S a)))) as (B3 & W3 & A3 & L1 & L0); auto.
  inversion OG as [| | | |? ? ? _ G| | | | | | |]; subst. destruct G as [[G1 G2] [G3 G4]].
  cbn [iholds] in G1, G2, G3, G4. unfold value_at in G1, G2, G3, G4. rewrite L0, L1 in G1, G2, G3, G4.
  unfold one_more in V2, W3. rewrite !back_past in G1, G2, G3, G4 by lia. rewrite back_past in V2, W3 by lia.
  exists (val r (0, a)), (val r (1, b)). unfold in_turn_from.
  replace (S (S a) - 1 - 1) with a in V2 by lia. replace (S (S (S b)) - 1 - 2) with b in W3 by lia.
  replace (S (S (S (S a))) - 1 - 2) with (1 + a) in G1 by lia. replace (S (S (S (S b))) - 1 - 3) with b in G1 by lia.
  replace (S (S (S (S a))) - 1 - 0) with (3 + a) in G2 by lia.
  replace (S (S (S (S b))) - 1 - 0) with (3 + b) in G2 by lia.
  replace (S (S (S (S b))) - 1 - 2) with (1 + b) in G3 by lia. replace (S (S (S (S a))) - 1 - 3) with a in G3 by lia.
  replace (S (S (S (S b))) - 1 - 1) with (2 + b) in G4 by lia.
  replace (S (S (S (S a))) - 1 - 1) with (2 + a) in G4 by lia.
  simpl plus in *. repeat split; congruence.
Qed.

(** _The seal properly seals X, whatever X sends, over all intervals_. *)
Theorem guards_seal_X_infinite : forall u e f, properly_seals u Rel S1 (X_of e f).
Proof.
  intros u e f. split.
  - apply iseals_iff. intros r c d [W Re] Sc O. pose proof (wf_matching r W) as M. pose proof O as Whole.
    apply ilay_iff in O as (m & OX & OS). exists m. split; [auto|split; [|auto]].
    destruct (ioccurs_stands u r (X_of e f) crossed_sends eq_refl _ _ OX) as [E St].
    apply (isilent_iceq r (end_of c crossed_sends)); [now apply iceq_sym|].
    destruct (c 0) as [a|] eqn:C0; destruct (c 1) as [b|] eqn:C1.
    + destruct (iexecution u e f r c d a b C0 C1 W Whole) as (p & q & T). apply silent_among_others; auto.
      assert (Here : here c 0 1 = true /\ here c 1 0 = true).
      { unfold here, still_here. rewrite C0, C1. auto. }
      destruct Here as [H01 H10].
      assert (Px : map (without_others (here c)) crossed_sends = crossed_sends).
      { simpl. now rewrite H01, H10. }
      apply (in_turn_silent (restrict (here c) r) (unfin c) p q).
      * split; [now apply restrict_matching|]. intros e' i j R. apply restrict_rcv in R as [R _].
        exact (wf_transmits r W e' i j R).
      * now apply without_others_silent.
      * rewrite <- Px. now apply without_others_stands.
      * unfold unfin. rewrite C0, C1. unfold in_turn_from in *. simpl.
        destruct T as (A0 & V0 & B0 & W0 & B1 & W1 & A1 & V1 & A2 & V2 & B2 & W2 & B3 & W3 & A3 & V3). simpl in *.
        rewrite A0, B0, B1, A1, A2, B2, B3, A3. simpl. rewrite H01, H10. repeat split; assumption.
    + assert (H : here c 1 0 = true).
      { apply (receives_from_here r c crossed_sends M Sc St 1 0 1); [reflexivity|]. unfold still_here. now rewrite C0. }
      unfold here, still_here in H. rewrite C1 in H. discriminate.
    + assert (H : here c 0 1 = true).
      { apply (receives_from_here r c crossed_sends M Sc St 0 1 1); [reflexivity|]. unfold still_here. now rewrite C1. }
      unfold here, still_here in H. rewrite C0 in H. discriminate.
    + apply (isilent_iceq r c); auto. intro i. unfold end_of. destruct i as [|[|i]]; [now rewrite C0|now rewrite C1|].
      destruct (c (S (S i))); simpl; auto.
  - intros r c d d' _ _ O F. apply ichop_first in O as [_ O].
    apply ilay_iff in O as (m & O1 & O). apply ilay_iff in O as (n & O2 & O3).
    inversion O3 as [| | | |? ? ? E _| | | | | | |]; subst.
    assert (Fn : finite n).
    { apply (straight_line_finite u r (mt 1 0 (one_more 2)) _ eq_refl _ _ O2).
      apply (straight_line_finite u r (mt 0 1 (one_more 1)) _ eq_refl _ _ O1 F). }
    intros i N. apply (Fn i). now rewrite (E i).
Qed.
