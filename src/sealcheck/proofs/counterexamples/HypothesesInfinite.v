(** * Hypotheses about infinite intervals that are needed

    A program that deadlocks never occurs after a finite silent cut, so it seals everything over finite intervals.  But
    where those that wait for each other have gone on for ever and can act again ([acts_on]), they do what they wait to do,
    and leave no event.

    A program that diverges can leave over a message to a process that goes on for ever.  So can one that begins where the
    process has gone on for ever already, even if it cannot act again. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine NoBarrier ExamplesRuns Hypotheses.
From Sealcheck Require Import TccImpossibility InfiniteCuts InfiniteSealAlgebra InfiniteRefutations.
From Sealcheck Require Import InfiniteChannels InfiniteBalance.
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

(** ** Divergence, and balance *)

Section Diverging.
Variable u : limit.
Hypothesis C : constants u.

(** 2 sends to 1, which goes on for ever.  In the run of [InfiniteRefutations], 1 receives the next message of 2. *)
Local Definition leaves_over : prog := Lay (Send 2 1 zero) (ends_at_infinity u).
Local Definition reached (j : nat) : icut := match j with
  | 0 => fun i => match i with 1 => Some 1 | 2 => Some 1 | _ => Some 0 end
  | S j => fun i => match i with 1 => Some (2 + j) | 2 => Some 2 | _ => Some 0 end
  end.
Local Definition left_over : icut := fun i => match i with 1 => None | 2 => Some 2 | _ => Some 0 end.
Local Lemma reached_left_over : lub reached left_over.
Proof.
  intros [|[|[|i]]]; simpl; split; try (intros [|j]; simpl; lia || auto; fail);
    intros b H; try exact (H 1); try exact (H 0).
  destruct b as [b|]; simpl; auto. specialize (H (S b)). simpl in H. lia.
Qed.
Local Lemma leaves_over_occurs : ioccurs u (overtaking u 1) (fin (fun _ => 0)) leaves_over left_over.
Proof.
  apply ilay_iff. exists (fun i => match i with 1 => Some 0 | 2 => Some 1 | _ => Some 0 end). split.
  { apply I_snd. unfold makes_step, fin. simpl. split; [auto|]. intros [|[|[|i]]]; reflexivity. }
  apply ilay_iff. exists (reached 0). split; [apply (assigned u 1 0 1); lia|]. apply ilay_iff. exists left_over.
  split; [|apply I_grd; [apply iceq_refl|simpl; unfold value_at; simpl; now rewrite C]].
  apply I_inf with reached; [apply iceq_refl| |exact reached_left_over].
  intros [|j]; [|apply I_ch2, (assigned u 1 (2 + j) 2); lia]. apply I_ch1, ilay_iff.
  exists (fun i => match i with 1 => Some 1 | 2 => Some 2 | _ => Some 0 end). split.
  - apply I_snd. unfold makes_step. simpl. split; [auto|]. intros [|[|[|p]]]; reflexivity.
  - apply I_rcv. unfold makes_step. simpl. split; [auto|]. intros [|[|[|p]]]; reflexivity.
Qed.
Local Lemma leaves_over_not_balanced : ~ balanced_at (overtaking u 1) left_over 2 1.
Proof.
  intro B. apply (proj2 (equally_none _ _ B)) with (2, 0).
  - intros e [[I [[[F L] _]|[R N]]] R']; apply overtaking_receive in R' as (-> & _); [discriminate|].
    apply N. unfold iinside. simpl. lia.
  - split; [split|split; reflexivity].
    + unfold iinside. simpl. lia.
    + left. split; [split; reflexivity|]. intros e a b R _. apply overtaking_receive in R as (-> & _). discriminate.
Qed.
End Diverging.

(** _The same of programs that diverge_: no. *)
Theorem balanced_necessary_from_finite_cuts_needs_termination : forall u, constants u -> ~ forall P S,
  nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) ->
  forall r c d, RelNS r -> all_empty r c -> ioccurs u r (fin c) P d -> forall i j, balanced_at r d i j.
Proof.
  intros u C H. assert (Never : forall r c d, ~ occurs r c (leaves_over u) d).
  { intros r c d O. apply lay_iff in O as (m & _ & O). now apply never_at_a_finite_cut in O. }
  apply (leaves_over_not_balanced u). apply (H (leaves_over u) Eps) with (c := fun _ => 0).
  - simpl. tauto.
  - exact I.
  - intros r c m _ _ O. now apply Never in O.
  - intros r c m d _ _ O. now apply Never in O.
  - apply overtaking_run.
  - intros i j e [I _]. unfold inside in I. lia.
  - now apply leaves_over_occurs.
Qed.

(** A program of the whole language can notice that a process has gone on for ever, if an expression of it has a value
    there that it has after no history, even if the process cannot act again.  So the same from all cuts fails:
    [2.e = v]; snd 1->2, with that value v, does not begin at a finite cut, and 2 never receives the message.  It is
    sealed by eps, which always completes after it and finds silence, and it ends at once. *)
Theorem balanced_necessary_from_finite_cuts_needs_finite_cuts : forall u e, ~ acts_on u ->
  (forall h, e h <> worth u 2 e) -> ~ forall P S, nochop P -> nochop S ->
  (forall r m, RelNS r -> exists d, ioccurs u r m S d) ->
  (forall r c m d, RelNS r -> isilent r c -> ioccurs u r c P m -> ioccurs u r m S d -> isilent r m) ->
  (forall r c d, RelNS r -> ioccurs u r c P d -> forall i, c i <> None -> d i <> None) ->
  iBalanced u RelNS P.
Proof.
  intros u e N W H. set (P := Lay (Guard (Equal 2 e 1 (const (worth u 2 e)))) (Send 1 2 zero)).
  assert (Sends : forall r c m, ioccurs u r c P m -> c 2 = None /\ exists k, c 1 = Some k /\ lab r 1 k = Snd 2 /\
    iceq m (fun i => if i =? 1 then Some (S k) else c i)).
  { intros r c m O. apply ilay_iff in O as (b & O1 & O2). inversion O1 as [| | | |? ? ? E V| | | | | | |]; subst.
    inversion O2 as [| |? ? ? ? ? St| | | | | | | | |]; subst. cbn [iholds] in V. unfold value_at in V.
    unfold makes_step in St. rewrite <- (E 1) in St. destruct (c 1) as [k|]; [|tauto]. destruct St as [[L _] Em]. split.
    - destruct (c 2); [destruct (W _ V)|auto].
    - exists k. split; [auto|split; [auto|]]. intro i. now rewrite (Em i), <- (E i). }
  assert (B : iBalanced u RelNS P).
  { apply (H P Eps); simpl; auto.
    - intros r m _. exists m. apply I_eps, iceq_refl.
    - intros r c m d [[[M _] _] _] Sc O _ x i j R. destruct (Sends r c m O) as (C2 & k & C1 & L & Em).
      assert (Same : forall y, y <> (1, k) -> (iinside m y <-> iinside c y)).
      { intros [q y] Ne. unfold iinside. rewrite (Em _). cbn [fst snd]. destruct (Nat.eqb_spec q 1) as [->|]; [|tauto].
        rewrite C1. assert (y <> k) by congruence. lia. }
      rewrite (Same x), (Same (delta r x)); [exact (Sc x i j R)| |].
      + intro D. destruct (delta_snd r M _ _ _ R) as [_ Ls]. rewrite D in Ls. cbn [fst snd] in Ls.
        assert (j = 2) as -> by congruence. assert (I : iinside c x) by (unfold iinside; now rewrite (proj1 R), C2).
        apply (Sc x i 2 R) in I. rewrite D in I. unfold iinside in I. cbn [fst snd] in I. rewrite C1 in I. lia.
      + intros ->. destruct R as [_ R]. cbn [fst snd] in R. congruence.
    - intros r c d _ O i C. destruct (Sends r c d O) as (_ & k & _ & _ & Em). rewrite (Em i).
      destruct (i =? 1); [discriminate|auto]. }
  set (gone := fun i => if i =? 2 then None else Some 0). set (sent := fun i => if i =? 1 then Some 1 else gone i).
  assert (O : ioccurs u lost gone P sent).
  { apply ilay_iff. exists gone. split; [apply I_grd; [apply iceq_refl|reflexivity]|]. apply I_snd. unfold makes_step. simpl.
    split; [auto|]. intros [|[|[|i]]]; reflexivity. }
  assert (E : iall_empty lost gone).
  { intros i j [p k] [I [[[F L] _]|[R _]]]; [|now apply lost_no_receive in R]. cbn [fst snd lab lost] in F, L. subst p.
    destruct (Nat.eqb_spec i 1) as [->|]; [|discriminate]. unfold iinside, gone in I. simpl in I. lia. }
  apply (proj2 (equally_none _ _ (B lost gone sent lost_run E O 1 2))) with (1, 0).
  - intros y [_ R]. now apply lost_no_receive in R.
  - split; [split|split; reflexivity]; [unfold iinside; simpl; lia|]. left. split; [split; reflexivity|].
    intros x i j R. now apply lost_no_receive in R.
Qed.

(** There are such choices, in which constants are worth what they are: a process that has gone on for ever may have
    done -1 events. *)
Example impossible_worth : exists u e, ~ acts_on u /\ constants u /\ forall h, e h <> worth u 2 e.
Proof.
  exists {| worth := fun _ e => (2 * e [] - e [(Int, 0%Z)])%Z; acts_on := False |}, (fun h => Z.of_nat (length h)).
  split; [auto|split; [intros i v; cbn [worth]; unfold const; lia|intro h; cbn [worth length]; lia]].
Qed.
