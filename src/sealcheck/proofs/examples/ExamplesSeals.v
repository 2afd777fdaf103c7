(** * Examples: knowledge, seals, and layers in sequence

    What the definitions accept and what they reject; as-printed statements that fail, with their counterexamples; and
    hypotheses that are needed.

    Theorems of the ledger: [sealability_as_printed_fails]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality ClosedChannels.
From Sealcheck Require Import Knowledge Messages Prefix Teaching Sealability WorstCase Phases PhasesRepeated.
Open Scope nat_scope.

(** ** Knowledge *)

(** Two processes, and 0 has sent to 1: 1 knows that this was received, and 0 does not. *)
Definition sent_to_1 : knowledge := fun p i j => i = 1 \/ p = j.

Example may_answer : allowed 2 sent_to_1 [(1, 0)].
Proof. simpl. unfold sent_to_1. repeat split; auto. Qed.

Example may_not_send_again : ~ allowed 2 sent_to_1 [(0, 1)].
Proof. simpl. unfold sent_to_1. intros (_ & _ & _ & [H|H] & _); discriminate. Qed.

Example nothing_to_oneself : ~ allowed 2 sent_to_1 [(1, 1)].
Proof. simpl. intros (_ & _ & H & _). now apply H. Qed.

Example nobody_else : ~ allowed 2 sent_to_1 [(1, 2)].
Proof. simpl. lia. Qed.

Example the_answer_seals : sealed_by 2 sent_to_1 [(1, 0)].
Proof.
  split; [apply may_answer|]. intros [|[|i]] [|[|j]] Hi Hj N; try lia; simpl; unfold told, sent_to_1; simpl; auto.
Qed.

Example no_answer_no_seal : ~ sealed_by 2 sent_to_1 [].
Proof. intros [_ S]. destruct (S 0 1) as [H|H]; auto; discriminate. Qed.

(** Messages that cross leave nobody who may send. *)
Definition both_sent : knowledge := fun p i j => p = j.

Example crossed_two_blocks : ~ one_block 2 both_sent.
Proof.
  intros (X & J & P). inversion J as [v E|A B i j k JA JB Apart Hi Hk Hj Br E]; subst.
  - apply Permutation_length in P. discriminate.
  - unfold both_sent in Br. subst k. apply (Apart j); auto.
Qed.

(** The bound for three processes is attained: 4 messages, and no fewer. *)
Example star_3 : sealed_by 3 star [(0, 1); (1, 0); (0, 2); (2, 1)].
Proof.
  assert (H : forall i j, i < 3 -> j < 3 -> (i = 0 \/ i = 1 \/ i = 2) /\ (j = 0 \/ j = 1 \/ j = 2)) by (intros; lia).
  split.
  - simpl. unfold told, star. simpl. repeat split; auto 10.
  - intros i j Hi Hj N. destruct (H i j Hi Hj) as [[-> |[-> | ->]] [-> |[-> | ->]]]; try congruence;
      simpl; unfold told, star; simpl; auto 10.
Qed.

Example star_3_needs_4 : forall ms, sealed_by 3 star ms -> 4 <= length ms.
Proof. intros ms S. apply (needed 3 star star_hardest ms); auto. Qed.

(** ** Sealability *)

Definition mt01 := transmission (0, 1).
Lemma one_dead_free i j : i <> j -> dead_free (transmission (i, j)).
Proof. intro N. apply (dead_free_transmission [] i j); auto; [intros a b; reflexivity|apply nothing_dead_free]. Qed.
Lemma mt01_dead_free : dead_free mt01.
Proof. now apply one_dead_free. Qed.

Definition MT (i j : proc) : prog := mt i j (fun _ => 0%Z).

(** mt 1->0 seals mt 0->1 ... *)
Example answer_seals : Seals RelNS (MT 1 0) (MT 0 1).
Proof.
  apply (sealing_is_causality (MT 0 1) (MT 1 0) mt01 (transmission (1, 0))); try reflexivity.
  - apply balanced_one.
  - apply balanced_one.
  - intros i H. unfold labs in H. simpl in H. destruct i as [|[|i]]; simpl in H; intuition discriminate.
  - apply dead_free_app; try apply balanced_one; [apply mt01_dead_free|].
    now apply one_dead_free.
  - intros i j y z Hy Hz. destruct j as [|[|j]]; try (destruct y; discriminate Hy).
    { destruct y as [|[|y]]; discriminate Hy. }
    destruct y as [|y]; [injection Hy as <-|destruct y; discriminate Hy].
    assert (Lz : 1 <= z) by (destruct Hz as [-> |[L _]]; [unfold len; simpl; lia|exact L]).
    apply t_trans with (1, 1); [apply causes_order; lia|].
    assert (M : causes (fifo (mt01 ++ transmission (1, 0))) (1, 1) (0, 1)).
    { apply t_step. right. exists 1, 0. split; [split; reflexivity|reflexivity]. }
    apply causes_local_ge with 1; auto.
Qed.

(** ... and mt 0->1 does not: at the end of P, 0 has not heard of anything. *)
Example again_does_not : ~ Seals RelNS (MT 0 1) (MT 0 1).
Proof.
  intro S. apply (sealing_is_causality (MT 0 1) (MT 0 1) mt01 mt01) in S; try reflexivity.
  - specialize (S 0 1 0 1 eq_refl (or_intror (conj (le_n 1) eq_refl))).
    assert (G : forall v w, causes (fifo (mt01 ++ mt01)) v w -> fst v = 1 -> fst w = 1).
    { induction 1 as [v [b k] [[F _]|(i & j & [F L] & D)]|]; auto; [simpl in *; congruence|].
      intros _. simpl in F. subst b. simpl. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
      destruct j as [|[|j]]; auto; [destruct k as [|[|[|k]]]; discriminate L|destruct k; discriminate L]. }
    apply G in S; auto. discriminate.
  - apply balanced_one.
  - apply balanced_one.
  - intros i I. unfold labs in I. simpl in I. destruct i as [|[|i]]; simpl in I; intuition discriminate.
  - apply dead_free_app; try apply balanced_one; apply mt01_dead_free.
Qed.

(** *** As printed, sealability fails

    The middle one of three processes exchanges messages, which cross, with the first and then with the third.  All
    its channels are open; but the third has heard of what was received before. *)
Definition first_two := crossing [(0, 1); (1, 0)].
Definition last_two := crossing [(1, 2); (2, 1)].
Definition all_four := first_two ++ last_two.
Definition Both := straight_line_of all_four.

(** What a node can reach, if these nodes cannot reach others. *)
Lemma stays_among l (S : node -> Prop) : (forall u v, edge l u v -> S u -> S v) -> forall u v, path l u v -> S u -> S v.
Proof. intros E u v P. induction P; eauto. Qed.

Ltac among := intros u v E; destruct E as [i x y L L'|i x L|i x L|i|i j x y Hx Hy C];
  try (destruct i as [|[|[|i]]]; simpl in *; auto; lia);
  destruct i as [|[|[|i]]]; try (destruct x; discriminate Hx);
  destruct x as [|[|[|[|x]]]]; try discriminate Hx; try (destruct x; discriminate Hx);
  injection Hx as <-; destruct y as [|[|[|[|y]]]]; try discriminate Hy; try (destruct y; discriminate Hy);
  simpl in *; auto; lia.

Lemma open_01 : exists y, sig_rcv all_four 1 0 y.
Proof.
  exists 1. split.
  - split; [reflexivity|]. intros [|[|[|[|y]]]] H; try discriminate H; auto. destruct y; discriminate H.
  - intro P. apply (stays_among all_four (fun v => match v with
      Ev 1 x => 1 <= x | Ev 2 x => 1 <= x | Ld 1 => True | Ld 2 => True | _ => False end)) in P; auto. among.
Qed.

Lemma open_10 : exists y, sig_rcv all_four 0 1 y.
Proof.
  exists 1. split.
  - split; [reflexivity|]. intros [|[|y]] H; try discriminate H; auto. destruct y; discriminate H.
  - intro P. apply (stays_among all_four (fun v => match v with Ev 0 x => 1 <= x | Ld 0 => True | _ => False end)) in P;
    auto. among.
Qed.

Lemma open_12 : exists y, sig_rcv all_four 2 1 y.
Proof.
  exists 1. split.
  - split; [reflexivity|]. intros [|[|y]] H; try discriminate H; auto. destruct y; discriminate H.
  - intro P. apply (stays_among all_four (fun v => match v with Ev 2 x => 1 <= x | Ld 2 => True | _ => False end)) in P;
    auto. among.
Qed.

Lemma open_21 : exists y, sig_rcv all_four 1 2 y.
Proof.
  exists 3. split.
  - split; [reflexivity|]. intros [|[|[|[|y]]]] H; try discriminate H; auto. destruct y; discriminate H.
  - intro P. apply (stays_among all_four (fun v => match v with Ev 1 x => 3 <= x | Ld 1 => True | _ => False end)) in P;
    auto. among.
Qed.

Lemma both_bsl : BSL 3 Both all_four.
Proof.
  constructor.
  - apply acts_straight_line_of.
  - apply balanced_app; apply crossing_balanced.
  - intros i H. unfold labs in H. simpl in H. destruct i as [|[|[|i]]]; simpl in H; intuition discriminate.
  - intros a H. simpl in H. repeat (destruct H as [<-|H]; [simpl; lia|]). destruct H.
  - apply dead_free_app; try apply crossing_balanced; apply crossing_dead_free.
Qed.

Lemma both_one_block : one_block 3 (learnt all_four).
Proof.
  exists (([0] ++ [2]) ++ [1]). split; [|simpl; apply perm_skip, perm_swap].
  apply joined_two with 0 1 2; try (simpl; auto; fail).
  - apply joined_two with 0 2 0; try (simpl; auto; fail); try (apply joined_one).
    + intros v [<-|[]] [H|[]]. discriminate.
    + intros q Hq. destruct q as [|[|q]]; try discriminate Hq. destruct q; discriminate Hq.
  - apply joined_one.
  - intros v [<-|[<-|[]]] [H|[]]; discriminate.
  - intros q Hq. destruct q as [|[|[|[|q]]]]; try discriminate Hq; [|destruct q; discriminate Hq].
    apply t_trans with (1, 2); [apply causes_order; lia|]. apply t_trans with (2, 1).
    + apply t_step. right. exists 1, 2. split; [split; reflexivity|reflexivity].
    + apply causes_order. unfold len; simpl; lia.
Qed.

(** An edge of C_P^ud. *)
Definition closed_edge (n : nat) (P : prog) (i j : proc) :=
  i < n /\ j < n /\ (closes RelNS P i j \/ closes RelNS P j i).

Theorem sealability_as_printed_fails : exists n P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\ ~ clos_refl_trans nat (closed_edge n P) 1 0.
Proof.
  exists 3, Both, all_four. split; [exact both_bsl|split].
  - apply (sealability 3 Both all_four both_bsl); auto using both_one_block.
  - intro C. apply clos_rt_rt1n in C.
    assert (Open : forall i j, (exists y, sig_rcv all_four j i y) -> ~ closes RelNS Both i j).
    { destruct both_bsl as [HP B N _ D]. intros i j E. now apply (closed_channels Both all_four i j). }
    assert (G : forall q k, clos_refl_trans_1n nat (closed_edge 3 Both) q k -> q = 1 -> k = 1).
    { induction 1 as [q|q b k (_ & Hb & E) _ IH]; intro Eq; auto. subst q. apply IH.
      destruct b as [|[|[|b]]]; auto; try lia; exfalso.
      - destruct E as [E|E]; [apply (Open 1 0 open_10 E)|apply (Open 0 1 open_01 E)].
      - destruct E as [E|E]; [apply (Open 1 2 open_12 E)|apply (Open 2 1 open_21 E)]. }
    apply G in C; auto. discriminate.
Qed.

(** ** Layers in sequence *)

(** One round does not tell: a message alone stays apart from nothing, but not from the next one. *)
Theorem one_round_does_not_tell : exists ls, (forall l, In l ls -> balanced l) /\ nofself (concat ls) /\
  dead_free (concat ls) /\ reaches_next ls /\ ~ reaches_next (ls ++ ls).
Proof.
  exists [mt01]. split; [|split; [|split; [|split]]].
  - intros l [<-|[]]. apply balanced_one.
  - intros i H. unfold labs in H. simpl in H. destruct i as [|[|i]]; simpl in H; intuition discriminate.
  - exact mt01_dead_free.
  - intros i j before x rest E y z _ [Hz _]. destruct before as [|b [|b' before]]; try discriminate.
    injection E as <- <-. destruct z; discriminate Hz.
  - intro R. assert (C : causes (fifo (mt01 ++ mt01)) (1, 0) (0, 1)).
    { apply (R 0 1 [] mt01 [mt01] eq_refl 0 0); (split; [reflexivity|]).
      - intros [|y] H; auto. destruct y; discriminate H.
      - intros z' _. lia. }
    assert (G : forall v w, causes (fifo (mt01 ++ mt01)) v w -> fst v = 1 -> fst w = 1).
    { induction 1 as [v [b k] [[F _]|(i & j & [F L] & D)]|]; auto; [simpl in *; congruence|].
      intros _. simpl in F. subst b. simpl. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
      destruct j as [|[|j]]; auto; [destruct k as [|[|[|k]]]; discriminate L|destruct k; discriminate L]. }
    apply G in C; auto. discriminate.
Qed.

(** The criterion asks for balanced layers: a message that one layer sends and the next receives meets it. *)
Theorem layers_must_be_balanced : exists Ps ls, layers Ps ls /\
  nofself (concat ls) /\ dead_free (concat ls) /\ balanced (concat ls) /\ reaches_next ls /\ ~ stay_apart RelNS Ps.
Proof.
  exists [Send 0 1 (fun _ => 0%Z); Recv 1 0], [[ASend 0 1]; [ARecv 1 0]].
  assert (Ls : layers [Send 0 1 (fun _ => 0%Z); Recv 1 0] [[ASend 0 1]; [ARecv 1 0]]) by (repeat constructor).
  assert (N : nofself mt01).
  { intros i H. unfold labs in H. simpl in H. destruct i as [|[|i]]; simpl in H; intuition discriminate. }
  split; [exact Ls|]. split; [exact N|]. split; [exact mt01_dead_free|]. split; [exact (balanced_one (0, 1))|]. split.
  - intros i j before x rest E y z [Hy _] [Hz _]. destruct before as [|b [|b' before]]; simpl in E.
    + injection E as <- <-. destruct j as [|j]; destruct y as [|y]; try discriminate Hy; destruct y; discriminate Hy.
    + injection E as <- <- <-. destruct z; discriminate Hz.
    + destruct before; discriminate E.
  - intro S.
    destruct (fifo_computed (sequence [Send 0 1 (fun _ => 0%Z);
      Recv 1 0]) mt01 eq_refl (balanced_one (0, 1)) mt01_dead_free)
      as (v & Rv & O).
    assert (Oa : occurs (revalue (fifo mt01) v) (fun _ => 0) (apart [Send 0 1 (fun _ => 0%Z); Recv 1 0]) (len mt01)).
    { apply S; [split; [exact Rv|exact (fifo_noself mt01 N)]|]. apply chop_first.
      split; [intros e i j _; unfold inside; split; lia|]. apply chop_last. split; [exact O|].
      intros [[|[|b]] [|k]] i j [_ L]; simpl in L; try discriminate L; try (destruct k; discriminate L).
      injection L as <-. unfold inside, len; simpl. lia. }
    apply (apart_iff _ _ _ Ls) in Oa as [_ Sa].
    assert (R : is_rcv (revalue (fifo mt01) v) (1, 0) 0 1) by (split; reflexivity).
    assert (Ne : [[ASend 0 1]] <> []) by discriminate.
    specialize (Sa [[ASend 0 1]] [[ARecv 1 0]] eq_refl Ne (1, 0) 0 1 R). unfold inside, len in Sa. simpl in Sa. lia.
Qed.
