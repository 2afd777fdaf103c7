(** * Hypotheses about infinite intervals that are needed

    A program that deadlocks never occurs after a finite silent cut, so it seals everything over finite intervals.  But
    where those that wait for each other have gone on for ever and may act on ([acts_on]), they do what they wait to do,
    and leave no event. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine NoBarrier ExamplesRuns Hypotheses.
From Sealcheck Require Import InfiniteCuts InfiniteSealAlgebra.
Open Scope nat_scope.

(** 2 sends twice to 3, which receives the second message. *)
Definition second_first : run := {|
  lab := fun p k => match p, k with 2, 0 | 2, 1 => Snd 3 | 3, 0 => Rcv 2 | _, _ => Int end;
  delta := fun _ => (2, 1);
  val := fun _ => 0%Z |}.
Lemma second_first_receive e i j : is_rcv second_first e i j -> e = (3, 0) /\ i = 2 /\ j = 3.
Proof.
  destruct e as [p k]. intros [F L]. simpl in F, L. subst j.
  destruct p as [|[|[|[|p]]]], k as [|[|k]]; try discriminate. injection L as <-. auto.
Qed.
Lemma second_first_run : RelNS second_first.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply second_first_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply second_first_receive in R as (-> & _).
    now apply second_first_receive in R' as (-> & _).
  - apply by_order with (L := fun a b =>
      (if fst a =? 3 then snd a + 2 else snd a) < (if fst b =? 3 then snd b + 2 else snd b)).
    + intros a b [[F L]|(i & j & R & D)]; [rewrite F; destruct (fst b =? 3); lia|].
      apply second_first_receive in R as (-> & _). simpl in D. subst a. simpl. lia.
    + intros a b d A B. lia.
    + intros a L. lia.
  - intros e i j _. reflexivity.
  - intros s i j _ _. exists 2. intros k L [_ S]. simpl in S. exfalso.
    destruct i as [|[|[|[|i]]]], k as [|[|k]]; try discriminate; lia.
  - intros [p k] i [F S]. simpl in F, S. subst i. destruct p as [|[|[|[|p]]]], k as [|[|k]]; discriminate.
Qed.

(** 0 and 1 have gone on for ever, so that they get over their deadlock. *)
Definition beyond (k : nat) : icut := fun i => match i with 0 | 1 => None | 2 | 3 => Some k | _ => Some 0 end.
Lemma beyond_deadlock u k : acts_on u -> ioccurs u second_first (beyond k) halt (beyond k).
Proof.
  intro A. assert (Step : forall i does, i < 2 -> makes_step u (beyond k) (beyond k) i does).
  { intros i does L. assert (i = 0 \/ i = 1) as [-> | ->] by lia; unfold makes_step; simpl; auto using iceq_refl. }
  unfold halt. repeat (apply ilay_iff; exists (beyond k); split); try apply I_rcv; try apply I_snd; apply Step; lia.
Qed.

Theorem bsl_seals_infinite_needs_deadlock_freedom : ~ forall u P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> (iSeals u RelNS Q P <-> Seals RelNS Q P).
Proof.
  intro H. set (u := {| worth := fun _ _ => 0%Z; acts_on := True |}).
  destruct (H u (mt 2 3 zero) halt (NoBarrier.mt_actions 2 3) halted) as [_ X];
    auto using message_balanced, halted_balanced, late_nofself.
  assert (S : Seals RelNS halt (mt 2 3 zero)).
  { apply seals_iff. intros r c d R Sc O. now apply late_never in O. }
  apply X in S. clear X. rewrite iseals_iff in S.
  assert (O : ioccurs u second_first (beyond 0) (Lay (mt 2 3 zero) halt) (beyond 1)).
  { apply ilay_iff. exists (beyond 1). split; [|now apply beyond_deadlock].
    apply ilay_iff. exists (fun i => match i with 2 => Some 1 | _ => beyond 0 i end). split.
    - apply I_snd. unfold makes_step. simpl. split; auto. intros [|[|[|[|i]]]]; reflexivity.
    - apply I_rcv. unfold makes_step. simpl. split; auto. intros [|[|[|[|i]]]]; reflexivity. }
  destruct (S second_first (beyond 0) (beyond 1) second_first_run) as (m & O1 & Sm & _); auto.
  { intros e i j R. apply second_first_receive in R as (-> & _). unfold iinside. simpl. lia. }
  apply ilay_iff in O1 as (n & O1 & O2). inversion O1 as [| |? ? ? ? ? M1| | | | | | | | |]; subst.
  inversion O2 as [| | |? ? ? ? M2| | | | | | | |]; subst. unfold makes_step in M1. simpl in M1. destruct M1 as [_ E1].
  unfold makes_step in M2. rewrite (E1 3) in M2. simpl in M2. destruct M2 as [_ E2].
  assert (R : is_rcv second_first (3, 0) 2 3) by (split; reflexivity). apply Sm in R. unfold iinside in R. simpl in R.
  rewrite (E2 3), (E2 2), (E1 2) in R. simpl in R. lia.
Qed.
