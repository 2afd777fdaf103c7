(** * What fails over infinite intervals

    "5. If P seals itself in G then P seals P* in G" (l:seal.algebra).  And th:TCCbadforREL, repaired, is an "iff" over
    finite intervals only: a program may occur over infinite intervals alone.

    "Program variables are evaluated in the local states r_i (c_i) if c_i is finite, and are considered unspecified
    otherwise."  Both counterexamples work for each choice of one value per process and expression ([limit]), the same
    in all runs: a process assigns another value to a variable again and again, and so a guard tells whether the
    process has gone on for ever.  Of [limit] one thing is supposed: constants, which have no variables, are worth what
    they are ([constants]).

    Theorems of the ledger: [seal_algebra_5_as_printed_fails], [tcc_impossibility_as_printed_infinite_fails],
    [no_barrier_as_printed_infinite_fails]. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility NoBarrier ExamplesRuns Refutations.
From Sealcheck Require Import InfiniteCuts Diverging InfiniteSealAlgebra.
Open Scope nat_scope.

(** Constants are worth what they are, also where a process has gone on for ever. *)
Definition constants (u : limit) := forall i v, worth u i (const v) = v.

(** The variable of process 1: what it has assigned last. *)
Definition last_assigned : expr := fun h => fold_left (fun a e => match fst e with Int => snd e | _ => a end) h 0%Z.
Lemma x_after h e : last_assigned (h ++ [e]) = match fst e with Int => snd e | _ => last_assigned h end.
Proof. unfold last_assigned. now rewrite fold_left_app. Qed.
Lemma past_S r i n : past r i (S n) = past r i n ++ [(lab r i n, val r (i, n))].
Proof. unfold past. now rewrite seq_S, map_app. Qed.

(** ** What programs may do

    "From now onward, we shall only consider programs that are deadlock-free."  Of the whole language: none of the
    straight-line programs that a program may go through deadlocks.  Guards and silent cuts are left out. *)
Inductive may_do : prog -> list act -> Prop :=
| D_eps : may_do Eps []
| D_asg i e : may_do (Assign i e) [AInt i]
| D_snd i j e : may_do (Send i j e) [ASend i j]
| D_rcv j i : may_do (Recv j i) [ARecv j i]
| D_grd g : may_do (Guard g) []
| D_chop : may_do Chop []
| D_lay p q k l : may_do p k -> may_do q l -> may_do (Lay p q) (k ++ l)
| D_ch1 p q l : may_do p l -> may_do (Choice p q) l
| D_ch2 p q l : may_do q l -> may_do (Choice p q) l
| D_st0 p : may_do (Star p) []
| D_st1 p k l : may_do p k -> may_do (Star p) l -> may_do (Star p) (k ++ l).
Definition never_deadlocks (p : prog) := forall l, may_do p l -> dead_free l.

(** Nothing deadlocks whose messages all go from 2 to 1. *)
Fixpoint two_to_one (p : prog) : Prop :=
  match p with
  | Send i j _ | Recv j i => i = 2 /\ j = 1
  | Lay p q | Choice p q => two_to_one p /\ two_to_one q
  | Star p => two_to_one p
  | _ => True
  end.
Lemma two_to_one_deadlock_free p : two_to_one p -> never_deadlocks p.
Proof.
  assert (One : forall a, match a with ASend i j | ARecv j i => i = 2 /\ j = 1 | AInt _ => True end -> oneway 2 1 [a]).
  { intros a H i. unfold labs, proj. simpl. destruct a as [b d|d b|b]; simpl; try (destruct H; subst);
      destruct (_ =? i) eqn:E; simpl; split; intros y Y; try contradiction; destruct Y as [Y|[]]; try discriminate;
      apply Nat.eqb_eq in E; injection Y as <-; auto. }
  assert (Nil : oneway 2 1 []) by (intro i; split; intros a []).
  intros T l M. apply oneway_dead_free with 2 1; [lia|].
  induction M; simpl in T; try destruct T; try (apply One; auto); auto using oneway_app.
Qed.

(** ** Process 1 goes on for ever, or not *)

(** Process 1 receives a message of 2, or assigns [k]: as often as one likes, and in any order. *)
Definition receives_or_assigns (k : value) : prog := Choice (mt 2 1 zero) (Assign 1 (const k)).
(** Nothing; or so many of these, and after a last assignment x is [k]. *)
Definition starts_over (k : value) : prog :=
  Choice Eps (Lay (Star (receives_or_assigns k))
    (Lay (Assign 1 (const k)) (Guard (Equal 1 last_assigned 1 (const k))))).

(** Each iteration takes process 1 further, ... *)
Lemma iteration_grows u r k c d y : ioccurs u r c (receives_or_assigns k) d -> d 1 = Some y ->
  exists z, c 1 = Some z /\ z < y.
Proof.
  intros O E.
  assert (Z : forall c m does, makes_step u c m 1 does -> m 1 = Some y -> exists z, c 1 = Some z /\ z < y).
  { intros c0 m does M Ey. unfold makes_step in M. destruct (c0 1) as [z|] eqn:C; destruct M as [_ M];
      rewrite (M 1) in Ey; [|congruence]. simpl in Ey. injection Ey as <-. eauto. }
  inversion O as [| | | | | | |? ? ? ? O1|? ? ? ? O1| | |]; subst.
  - apply ilay_iff in O1 as (m & A & B). inversion A as [| |? ? ? ? ? M1| | | | | | | | |]; subst.
    inversion B as [| | |? ? ? ? M2| | | | | | | |]; subst. destruct (Z _ _ _ M2 E) as (z & Ez & L).
    unfold makes_step in M1. destruct (c 2); destruct M1 as [_ M1]; rewrite (M1 1) in Ez; simpl in Ez; eauto.
  - inversion O1; subst. eapply Z; eauto.
Qed.
(** ... so that where it has come to an end there were finitely many, and more of them can follow. *)
Lemma star_goes_on u r k c m d : ioccurs u r c (Star (receives_or_assigns k)) m -> m 1 <> None ->
  ioccurs u r m (Star (receives_or_assigns k)) d -> ioccurs u r c (Star (receives_or_assigns k)) d.
Proof.
  intros O F O'. destruct (star_cases _ _ _ _ _ O) as [[n It]|(s & _ & Os & L)].
  - clear O. revert c It. induction n as [|n IH]; intros c It; simpl in It.
    + inversion It; subst. eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym.
    + apply ilay_iff in It as (a & A & It). eapply I_st1; eauto.
  - exfalso. destruct (m 1) as [y|] eqn:My; [|congruence].
    assert (Fin : forall j, exists z, s j 1 = Some z /\ z <= y).
    { intro j. destruct (L 1) as [Up _]. specialize (Up j). rewrite My in Up.
      destruct (s j 1); simpl in Up; eauto; tauto. }
    assert (Gr : forall j, exists z, s j 1 = Some z /\ j <= z <= y).
    { induction j as [|j (z & Ez & Lz)]; [destruct (Fin 0) as (z & E & B); exists z; split; [auto|lia]|].
      destruct (Fin (S j)) as (y' & Ey & By). destruct (iteration_grows _ _ _ _ _ _ (Os j) Ey) as (z' & Ez' & Lz').
      exists y'. rewrite Ez in Ez'. injection Ez' as <-. split; [auto|lia]. }
    destruct (Gr (S y)) as (z & _ & B). lia.
Qed.

(** The guard of [starts_over] never blocks: as long as process 1 comes to an end, it holds. *)
Lemma guard_holds u r k c d : ioccurs u r c (Assign 1 (const k)) d -> d 1 <> None ->
  iholds u r d (Equal 1 last_assigned 1 (const k)).
Proof.
  intros O F. inversion O as [|? ? ? ? M| | | | | | | | | |]; subst. unfold makes_step in M.
  destruct (c 1) as [n|] eqn:C; destruct M as [A M]; [|rewrite (M 1) in F; congruence].
  simpl. unfold value_at. rewrite (M 1). simpl. rewrite past_S, x_after. cbn [fst snd].
  destruct A as [-> ->]. reflexivity.
Qed.

Section WhateverIsLeftOpen.
Variable u : limit.
Hypothesis C : constants u.

(** What x is worth where process 1 has gone on for ever, and something else. *)
Let w : value := worth u 1 last_assigned.
Let k : value := (w + 1)%Z.

Lemma never_at_infinity r c : c 1 = None -> ~ iholds u r c (Equal 1 last_assigned 1 (const k)).
Proof. intro E. simpl. unfold value_at. rewrite E, C. unfold k, w. lia. Qed.

(** [starts_over] twice is [starts_over] once, so it seals itself: the first one can be taken to do nothing. *)
Lemma starts_over_twice r c d : ioccurs u r c (Lay (starts_over k) (starts_over k)) d ->
  ioccurs u r c (starts_over k) d.
Proof.
  intro O. apply ilay_iff in O as (m & O1 & O2). inversion O1 as [| | | | | | |? ? ? ? A|? ? ? ? A| | |]; subst.
  { inversion A; subst. apply (ioccurs_iceq u r m (starts_over k) d O2); auto using iceq_refl, iceq_sym. }
  inversion O2 as [| | | | | | |? ? ? ? B|? ? ? ? B| | |]; subst.
  { inversion B; subst. apply (ioccurs_iceq u r c (starts_over k) m O1); auto using iceq_refl. }
  apply ilay_iff in A as (a & A1 & A). apply ilay_iff in A as (a' & A2 & A3).
  inversion A3 as [| | | |? ? ? E Ga| | | | | | |]; subst. apply ilay_iff in B as (b & B1 & B2).
  assert (F' : a' 1 <> None) by (intro N; now apply (never_at_infinity r a')).
  assert (F : a 1 <> None).
  { intro N. apply F'. inversion A2 as [|? ? ? ? M| | | | | | | | | |]; subst. unfold makes_step in M. rewrite N in M.
    destruct M as [_ M]. now rewrite (M 1). }
  apply I_ch2, ilay_iff. exists b. split; [|exact B2]. apply star_goes_on with a; auto.
  apply I_st1 with a'; [now apply I_ch2|]. eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym.
Qed.
Lemma starts_over_seals_itself G : iSeals u G (starts_over k) (starts_over k).
Proof.
  apply iseals_iff. intros r c d _ S O. exists c. split; [apply I_ch1, I_eps, iceq_refl|].
  split; [auto|now apply starts_over_twice].
Qed.

(** *** A run in which a message overtakes another one

    2 sends twice.  1 receives the second message as its event [n]; for the rest it assigns [k], for ever. *)
Definition overtaking (n : nat) : run := {|
  lab := fun p e => match p with
    | 1 => if e =? n then Rcv 2 else Int
    | 2 => if e <? 2 then Snd 1 else Int
    | _ => Int end;
  delta := fun _ => (2, 1);
  val := fun e => if (fst e =? 1) && negb (snd e =? n) then k else 0%Z |}.
Lemma overtaking_receive n e i j : is_rcv (overtaking n) e i j -> e = (1, n) /\ i = 2 /\ j = 1.
Proof.
  destruct e as [p y]. intros [F L]. simpl in F, L. subst j. destruct p as [|[|[|p]]]; try discriminate.
  - destruct (y =? n) eqn:E; [|discriminate]. apply Nat.eqb_eq in E. injection L as <-. subst. auto.
  - destruct (y <? 2); discriminate.
Qed.
Lemma overtaking_run n : RelNS (overtaking n).
Proof.
  assert (R1 : is_rcv (overtaking n) (1, n) 2 1) by (split; simpl; [auto|now rewrite Nat.eqb_refl]).
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply overtaking_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply overtaking_receive in R as (-> & _).
    now apply overtaking_receive in R' as (-> & _).
  - apply by_order with (L := fun a b =>
      (if fst a =? 1 then snd a + 2 else snd a) < (if fst b =? 1 then snd b + 2 else snd b)).
    + intros a b [[F L]|(i & j & R & D)]; [rewrite F; destruct (fst b =? 1); lia|].
      apply overtaking_receive in R as (-> & _). simpl in D. subst a. simpl. lia.
    + intros a b d A B. lia.
    + intros a L. lia.
  - intros e i j R. apply overtaking_receive in R as (-> & _). simpl. now rewrite Nat.eqb_refl.
  - intros e i j _ _. exists 2. intros y Ly [F L]. simpl in F, L. destruct i as [|[|[|i]]];
      try discriminate; try (destruct (y =? n); discriminate). destruct (y <? 2) eqn:E; [|discriminate].
    apply Nat.ltb_lt in E. lia.
  - intros [p y] i [F L]. simpl in F, L. subst i. destruct p as [|[|[|p]]];
      try discriminate; destruct (_ : bool); discriminate.
Qed.

(** Where iterations get that begin with event [n] of process 1: the first of them receives the message of 2, after it
    2 does nothing, and 1 goes on for ever. *)
Definition start_cut (n : nat) : icut := fun i => match i with 1 => Some n | _ => Some 0 end.
Definition reached_cut (n j : nat) : icut := match j with
  | 0 => start_cut n
  | S j => fun i => match i with 1 => Some (2 + j) | 2 => Some 1 | _ => Some 0 end
  end.
Definition reached_in_the_end : icut := fun i => match i with 1 => None | 2 => Some 1 | _ => Some 0 end.
Lemma reached_lub n : lub (reached_cut n) reached_in_the_end.
Proof.
  intros [|[|[|i]]]; simpl; split; try (intros [|j]; simpl; lia || auto; fail);
    intros b H; try exact (H 1); try exact (H 0).
  destruct b as [b|]; simpl; auto. specialize (H (S b)). simpl in H. lia.
Qed.

(** A silent cut can be neither there nor later: the message that 1 has received is one that 2 sends afterwards. *)
Lemma not_silent n c : iceq c reached_in_the_end -> ~ isilent (overtaking n) c.
Proof.
  intros E S. assert (R : is_rcv (overtaking n) (1, n) 2 1) by (split; simpl; [auto|now rewrite Nat.eqb_refl]).
  apply S in R. unfold iinside in R. simpl in R. rewrite !(E _) in R. simpl in R.
  assert (1 < 1) by (apply R; exact I). lia.
Qed.
Lemma start_cut_silent n m : m <= n -> isilent (overtaking n) (start_cut m).
Proof.
  intros L e i j R. apply overtaking_receive in R as (-> & _). unfold iinside. simpl. split; lia.
Qed.

(** What 1 and 2 do there. *)
Lemma message_received n : ioccurs u (overtaking n) (start_cut n) (mt 2 1 zero)
  (fun i => match i with 1 => Some (S n) | 2 => Some 1 | _ => Some 0 end).
Proof.
  apply ilay_iff. exists (fun i => match i with 1 => Some n | 2 => Some 1 | _ => Some 0 end). split.
  - apply I_snd. unfold makes_step. simpl. split; [auto|]. intros [|[|[|p]]]; reflexivity.
  - apply I_rcv. unfold makes_step. simpl. rewrite Nat.eqb_refl. split; [auto|]. intros [|[|[|p]]]; reflexivity.
Qed.
Lemma assigned n m y : m <> n -> ioccurs u (overtaking n)
  (fun i => match i with 1 => Some m | 2 => Some y | _ => Some 0 end) (Assign 1 (const k))
  (fun i => match i with 1 => Some (S m) | 2 => Some y | _ => Some 0 end).
Proof.
  intro N. apply Nat.eqb_neq in N. apply I_asg. unfold makes_step. simpl. rewrite N. split; [auto|].
  intros [|[|[|p]]]; reflexivity.
Qed.

(** *** l:seal.algebra, 5 *)

Lemma starts_over_again j : ioccurs u (overtaking 0) (reached_cut 0 j) (starts_over k) (reached_cut 0 (S j)).
Proof.
  assert (Last : forall m, m <> 0 -> ioccurs u (overtaking 0)
    (fun i => match i with 1 => Some m | 2 => Some 1 | _ => Some 0 end)
    (Lay (Assign 1 (const k)) (Guard (Equal 1 last_assigned 1 (const k))))
    (fun i => match i with 1 => Some (S m) | 2 => Some 1 | _ => Some 0 end)).
  { intros m N. apply ilay_iff. eexists. pose proof (assigned 0 m 1 N) as A. split; [exact A|].
    apply I_grd; [apply iceq_refl|]. apply (guard_holds u _ k _ _ A). discriminate. }
  apply I_ch2, ilay_iff. destruct j as [|j]; eexists; (split; [|now apply Last]).
  - eapply I_st1; [apply I_ch1, message_received|apply I_st0, iceq_refl].
  - apply I_st0, iceq_refl.
Qed.
Lemma starts_over_does_not_seal_its_repetition (G : run -> Prop) : G (overtaking 0) ->
  ~ iSeals u G (starts_over k) (Star (starts_over k)).
Proof.
  intros g H. rewrite iseals_iff in H.
  destruct (H (overtaking 0) (start_cut 0) reached_in_the_end g) as (m & _ & S & O); [now apply start_cut_silent| |].
  - apply ilay_iff. exists reached_in_the_end. split; [|apply I_ch1, I_eps, iceq_refl].
    apply I_inf with (reached_cut 0); [apply iceq_refl|exact starts_over_again|apply reached_lub].
  - inversion O as [| | | | | | |? ? ? ? A|? ? ? ? A| | |]; subst.
    + inversion A; subst. now apply (not_silent 0 m).
    + apply ilay_iff in A as (a & _ & A). apply ilay_iff in A as (b & _ & A).
      inversion A as [| | | |? ? ? E Gb| | | | | | |]; subst.
      refine (never_at_infinity _ b _ Gb). now rewrite (E 1).
Qed.

(** *** th:TCCbadforREL *)

(** x becomes what it is not worth at infinity, and stays so in every iteration; in the end it is what it is worth at
    infinity. *)
Definition ends_at_infinity : prog :=
  Lay (Assign 1 (const k)) (Lay (Star (receives_or_assigns k)) (Guard (Equal 1 last_assigned 1 (const w)))).
Lemma iterations_keep r c d : occurs r c (Star (receives_or_assigns k)) d -> last_assigned (past r 1 (c 1)) = k ->
  last_assigned (past r 1 (d 1)) = k.
Proof.
  intro O. remember (Star (receives_or_assigns k)) as q eqn:Eq. revert Eq.
  induction O as [| | | | | | | | |? ? ? E0|c m d q O1 _ O2 IH2]; intros Eq E; try discriminate; injection Eq as ->.
  - now rewrite <- (E0 1).
  - apply IH2; auto. clear O2 IH2. inversion O1 as [| | | | | | |? ? ? ? A|? ? ? ? A| |]; subst.
    + apply lay_iff in A as (a & A & B). inversion A as [| |? ? ? ? ? Ea| | | | | | | |]; subst.
      inversion B as [| | |? ? ? ? Em Lm| | | | | | |]; subst. rewrite (Em 1). unfold bump. cbn [Nat.eqb].
      rewrite past_S, x_after. cbn [fst snd]. rewrite Lm. now rewrite (Ea 1).
    + inversion A as [|? ? ? ? Em Lm Vm| | | | | | | | |]; subst. rewrite (Em 1). unfold bump. cbn [Nat.eqb].
      rewrite past_S, x_after. cbn [fst snd]. rewrite Lm. exact Vm.
Qed.
Lemma never_at_a_finite_cut r c d : ~ occurs r c ends_at_infinity d.
Proof.
  intro O. apply lay_iff in O as (a & A & O). apply lay_iff in O as (b & B & G).
  inversion A as [|? ? ? ? Ea La Va| | | | | | | | |]; subst. inversion G as [| | | |? ? ? _ Hb| | | | | |]; subst.
  assert (X : last_assigned (past r 1 (b 1)) = k).
  { apply (iterations_keep r a b B). rewrite (Ea 1). unfold bump. cbn [Nat.eqb]. rewrite past_S, x_after.
    cbn [fst snd]. rewrite La. exact Va. }
  cbn [holds] in Hb. rewrite X in Hb. unfold const, k in Hb. lia.
Qed.
Lemma ends_at_infinity_is_not_tcc : ~ iTCC u RelNS ends_at_infinity.
Proof.
  intro H. rewrite itcc_iff in H. apply (not_silent 1 reached_in_the_end); [apply iceq_refl|].
  apply (H _ (start_cut 0) _ (overtaking_run 1)); [apply start_cut_silent; lia|].
  apply ilay_iff. exists (start_cut 1). split.
  { pose proof (assigned 1 0 0) as A. eapply ioccurs_iceq; [apply A; lia| |]; intros [|[|[|i]]]; reflexivity. }
  apply ilay_iff. exists reached_in_the_end. split.
  - apply I_inf with (reached_cut 1); [apply iceq_refl| |apply reached_lub].
    intros [|j]; [apply I_ch1, message_received|apply I_ch2, (assigned 1 (2 + j) 1); lia].
  - apply I_grd; [apply iceq_refl|]. simpl. unfold value_at. simpl. now rewrite C.
Qed.
End WhateverIsLeftOpen.

(** ** The theorems *)

(** "_If P seals itself, then P seals_ P*", as printed: no, in no set of runs that has all of Rel without messages to
    oneself.  P is [starts_over]; neither P* nor P* followed by P deadlocks. *)
Theorem seal_algebra_5_as_printed_fails : forall u (G : run -> Prop), constants u -> (forall r, RelNS r -> G r) ->
  ~ forall P, never_deadlocks (Lay (Star P) P) -> iSeals u G P P -> iSeals u G P (Star P).
Proof.
  intros u G C R H. apply (starts_over_does_not_seal_its_repetition u C G); [apply R, overtaking_run|].
  apply H; [|now apply starts_over_seals_itself]. apply two_to_one_deadlock_free. simpl. auto 20.
Qed.

(** _What communicates over a finite interval is not TCC_, as printed: no, refuted by [mt 1->2; cut], as over finite
    intervals. *)
Theorem tcc_impossibility_as_printed_infinite_fails : forall u, ~ forall P,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c P d /\ exists e, between c d e /\ comm r e) -> ~ iTCC u Rel P.
Proof.
  intros u H. apply (H (Lay (mt 1 2 zero) Chop)).
  - destruct mt_occurs as (r & d & [R _] & E & O & S & B & C). exists r, (fun _ => 0), d.
    split; [auto|split; [auto|split; [now apply chop_last|eauto]]].
  - apply itcc_iff. intros r c d _ _ O. now apply ichop_last in O.
Qed.

(** _What occurs is no barrier_, as printed: no, refuted by the silent cut, as over finite intervals. *)
Theorem no_barrier_as_printed_infinite_fails : forall u, ~ forall B,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c B d) -> ~ iBarrier u Rel B.
Proof.
  intros u H. apply (H Chop).
  - exists lost, (fun _ => 0), (fun _ => 0). split; [apply lost_run|split].
    { intros i j e [I _]. unfold inside in I. lia. }
    apply chop_iff. split; [apply ceq_refl|apply lost_silent].
  - intros p q r c d _ O. apply ichop_first in O as [_ O]. apply ichop_middle in O as (m & O1 & Sm & O2).
    apply ichop_middle. exists m. split; [auto|split; [auto|]]. apply ichop_middle. exists m.
    split; [apply I_chop; [apply iceq_refl|exact Sm]|auto].
Qed.

(** _Only what communicates after the last silent cut that it passes, over a finite interval, is not TCC_: no,
    [ends_at_infinity] occurs over no finite interval, and is not TCC.  So [tcc_impossibility] is an "iff" over finite
    intervals, and [tcc_impossibility_infinite] says the half that holds over all of them. *)
Theorem tcc_impossibility_needs_finite_cuts : forall u, constants u -> ~ forall P,
  (forall r c d t, RelNS r -> silent r c -> passes r c c P d t -> forall e, between t d e -> ~ comm r e) ->
  iTCC u RelNS P.
Proof.
  intros u C H. apply (ends_at_infinity_is_not_tcc u C). apply H. intros r c d t _ _ Pa.
  now apply passes_occurs, never_at_a_finite_cut in Pa.
Qed.
