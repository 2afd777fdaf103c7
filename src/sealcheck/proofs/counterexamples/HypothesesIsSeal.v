(** * Hypotheses of Is-Seal that are needed

    Each theorem here says that [is_seal_repaired] fails without one of its hypotheses: of P and Q that do without it,
    the procedure, mended, on the mended Program-Graph, answers otherwise. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing ClosedChannels NoBarrier Teaching.
From Sealcheck Require Import Transmissions ExamplesRuns Refutations Prefix Procedures IsSeal.
From Sealcheck Require Import Hypotheses HypothesesGraph.
Open Scope nat_scope.

(** A wrong answer is enough. *)
Definition answer_of_is_seal (n : nat) (p q : list act) : option bool :=
  Is_Seal_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)).
Lemma wrong_yes n P Q p q : answer_of_is_seal n p q = Some true -> ~ Seals RelNS Q P ->
  ~ exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof. intros -> N (b & [= <-] & A). now apply N, A. Qed.
Lemma wrong_no n P Q p q : answer_of_is_seal n p q = Some false -> Seals RelNS Q P ->
  ~ exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof. intros -> S (b & [= <-] & A). apply A in S. discriminate. Qed.

Lemma within_message n i j : i < n -> j < n -> within n (NoBarrier.mt_actions i j).
Proof. intros Li Lj a [<-|[<-|[]]]; simpl; lia. Qed.
Lemma within_nothing n : within n [].
Proof. intros a []. Qed.

(** [snd 1->2] and eps. *)
Theorem is_seal_needs_balance : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced q ->
  within n p -> within n q -> nofself (p ++ q) -> dead_free (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_yes 3 (Send 1 2 zero) Eps [ASend 1 2] []); [vm_compute; reflexivity|exact send_unsealed|].
  apply H; auto using send_dead_free, nothing_balanced, within_nothing.
  - intros a [<-|[]]. simpl. lia.
  - intros [|[|k]] I; simpl in I; intuition congruence.
Qed.

(** [mt 1->2] and [rcv 1<-2]. *)
Theorem is_seal_needs_a_balanced_seal : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced p ->
  within n p -> within n q -> nofself (p ++ q) -> dead_free (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_no 3 (mt 1 2 zero) (Recv 1 2) (NoBarrier.mt_actions 1 2) [ARecv 1 2]);
    [vm_compute; reflexivity|exact waiting_seals|].
  apply H; auto using message_balanced, waiting_dead_free.
  - apply within_message; lia.
  - intros a [<-|[]]. simpl. lia.
  - intros [|[|[|k]]] I; simpl in I; intuition congruence.
Qed.

(** [mt 1->2] and eps, with nobody to receive. *)
Lemma message_open : ~ Seals RelNS Eps (mt 1 2 zero).
Proof.
  assert (D : dead_free (NoBarrier.mt_actions 1 2 ++ [])) by (now apply (message_dead_free 1 2)).
  rewrite (decide_sealing _ _ (NoBarrier.mt_actions 1 2) []); auto using message_balanced, nothing_balanced.
  - intro S. destruct (S 1 2 0 sigvt_1_2) as (k & P1 & P2 & _). apply path_nil in P2. injection P2 as <-.
    now destruct sigvt_1_2.
  - now apply (message_nofself 1 2).
Qed.
Theorem is_seal_needs_within : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced p -> balanced q ->
  within n q -> nofself (p ++ q) -> dead_free (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_yes 1 (mt 1 2 zero) Eps (NoBarrier.mt_actions 1 2) []);
    [vm_compute; reflexivity|exact message_open|].
  apply H; auto using message_balanced, nothing_balanced, within_nothing; [now apply (message_nofself 1 2)|].
  now apply (message_dead_free 1 2).
Qed.

(** [mt 0->1] and [mt 1->2; mt 2->0], of which the procedure is told only two processes. *)
Definition around : list act := NoBarrier.mt_actions 1 2 ++ NoBarrier.mt_actions 2 0.
Definition Around : prog := Lay (mt 1 2 zero) (mt 2 0 zero).
Lemma around_balanced : balanced around. Proof. apply balanced_app; apply message_balanced. Qed.
Lemma around_nofself : nofself (NoBarrier.mt_actions 0 1 ++ around).
Proof. intros [|[|[|i]]] I; simpl in I; intuition congruence. Qed.
Lemma around_dead_free : dead_free (NoBarrier.mt_actions 0 1 ++ around).
Proof.
  apply dead_free_app; auto using message_balanced, around_balanced; [apply message_dead_free; lia|].
  apply dead_free_app; auto using message_balanced; apply message_dead_free; lia.
Qed.
Lemma around_seals : Seals RelNS Around (mt 0 1 zero).
Proof.
  apply (decide_sealing _ _ (NoBarrier.mt_actions 0 1) around);
    auto using message_balanced, around_balanced, around_nofself, around_dead_free.
  intros i j y [[H _] _]. destruct j as [|[|j]]; [destruct y as [|[|y]]; discriminate H| |destruct y; discriminate H].
  destruct y as [|y]; [injection H as <-|destruct y; discriminate H]. exists 1.
  split; [apply t_step, E_last; unfold len; simpl; lia|split].
  - apply t_trans with (Ev 1 0); [apply t_step, E_first; unfold len; simpl; lia|].
    apply t_trans with (Ev 2 0); [apply t_step, E_msg; reflexivity|].
    apply t_trans with (Ev 2 1); [apply t_step, E_next; unfold len; simpl; lia|].
    apply t_trans with (Ev 0 0); [apply t_step, E_msg; reflexivity|apply t_step, E_last; unfold len; simpl; lia].
  - intros x [[X _] _]. destruct x as [|[|x]]; discriminate X.
Qed.
Theorem is_seal_needs_seal_within : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced p ->
  balanced q -> within n p -> nofself (p ++ q) -> dead_free (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_no 2 (mt 0 1 zero) Around (NoBarrier.mt_actions 0 1) around);
    [vm_compute; reflexivity|exact around_seals|].
  apply H; auto using message_balanced, around_balanced, around_nofself, around_dead_free. apply within_message; lia.
Qed.

(** [mt 2->3; mt 0->0] and eps: where no run has messages to oneself, P never occurs. *)
Theorem is_seal_needs_no_self_channels : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced p ->
  balanced q -> within n p -> within n q -> dead_free (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_no 4 Own Eps with_own_message []);
    [vm_compute; reflexivity|exact (never_sealed _ own_never Eps)|].
  apply H; auto using own_balanced, nothing_balanced, within_nothing; [|exact own_dead_free].
  intros a I. apply in_app_or in I as [I|I]; revert a I; apply within_message; lia.
Qed.

(** [mt 1->2] and a deadlock between 1 and 3. *)
Theorem is_seal_needs_deadlock_freedom : ~ forall n P Q p q, acts P = Some p -> acts Q = Some q -> balanced p ->
  balanced q -> within n p -> within n q -> nofself (p ++ q) ->
  exists b, answer_of_is_seal n p q = Some b /\ (b = true <-> Seals RelNS Q P).
Proof.
  intro H. apply (wrong_no 4 (mt 1 2 zero) stuck_program (NoBarrier.mt_actions 1 2) stuck_acts);
    [vm_compute; reflexivity|exact stuck_seals|].
  apply H; auto using message_balanced, stuck_balanced, stuck_nofself; [apply within_message; lia|].
  intros a [<-|[<-|[<-|[<-|[]]]]]; simpl; lia.
Qed.
