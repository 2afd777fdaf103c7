(** * The paper's examples

    Of single programs, by computation: with the functions of [Checker], which are right ([CheckerCorrect]).  The
    processes of the paper are 1, 2 and 3, here 0, 1 and 2.

    Theorems of the ledger: [figure_X], [non_sealed_bsl], [non_sealed_third_process], [figure_P_prime],
    [figure_3]. *)

From Coq Require Import List Arith Lia Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality Knowledge Teaching Sealability.
From Sealcheck Require Import NoBarrier Chains Checker CheckerCorrect.
Open Scope nat_scope.

(** ** X: two messages that cross *)

Definition X_acts : list act := [ASend 0 1; ASend 1 0; ARecv 0 1; ARecv 1 0].

(** _X leaves both of its channels open_ (fig:unseal). *)
Theorem figure_X : forall P, acts P = Some X_acts -> ~ closes RelNS P 0 1 /\ ~ closes RelNS P 1 0.
Proof.
  intros P HP.
  assert (C : forall i j, In (i, j) [(0, 1); (1, 0)] <-> ~ closes RelNS P i j)
    by (intros i j; now apply (find_open_correct 2 P X_acts)).
  split; apply C; simpl; auto.
Qed.

(** _With two processes, no BSL seals X properly_ (l:non-sealed, repaired). *)
Theorem non_sealed_bsl : forall P, acts P = Some X_acts -> ~ exists S s, proper_seal 2 P X_acts S s.
Proof.
  intros P HP H. assert (E : false = true); [|discriminate]. now apply (sealable_correct 2 P X_acts false HP eq_refl).
Qed.

(** _X executed in the presence of a third process can be sealed_ (section 1). *)
Theorem non_sealed_third_process : forall P, acts P = Some X_acts -> exists S s, proper_seal 3 P X_acts S s.
Proof. intros P HP. now apply (sealable_correct 3 P X_acts true HP eq_refl). Qed.

(** _Every seal of P', which is X with a third process, uses transitive acknowledgments_ (fig:unsealP): in every seal
    the third process sends or receives something. *)
Theorem figure_P_prime : forall P S s, acts P = Some X_acts -> proper_seal 3 P X_acts S s ->
  exists a, In a s /\ match a with ASend i j | ARecv j i => i = 2 \/ j = 2 | AInt _ => False end.
Proof.
  intros P S s HP (HS & B & W & N & D & Se). apply NNPP. intro No. apply (non_sealed_bsl P HP).
  exists S, s. repeat split; auto. intros a I. specialize (W a I).
  destruct a as [i j|j i|i]; auto; assert (~ (i = 2 \/ j = 2)) by (intro E; apply No; eexists; split; [exact I|exact E]);
    lia.
Qed.

(** ** Three messages, sealed by two *)

(** _There are programs of three messages on three different channels, all left open, that a program of two messages
    seals, and no shorter one_ (fig:3sealP, fig:3sealS): [mt 0->1; mt 1->2; mt 0->2], and [mt 2->1; mt 1->0]. *)
Theorem figure_3 : exists P p, acts P = Some p /\ messages p = 3 /\
  (forall i j, In (i, j) [(0, 1); (1, 2); (0, 2)] -> In (ASend i j) p /\ ~ closes RelNS P i j) /\
  (exists S s, proper_seal 3 P p S s /\ messages s = 2) /\
  (forall S s, proper_seal 3 P p S s -> 2 <= messages s).
Proof.
  set (p := mt_actions 0 1 ++ mt_actions 1 2 ++ mt_actions 0 2). exists (prog_of p), p.
  pose proof (acts_prog_of p) as HP. split; [exact HP|split; [reflexivity|split]].
  - intros i j H. split; [simpl in *; intuition congruence|].
    apply (find_open_correct 3 _ p [(0, 1); (0, 2); (1, 2)]); auto. simpl in *. tauto.
  - apply (check_sealable_correct 3 _ p
      {| said_open := [(0, 1); (0, 2); (1, 2)]; said_closed := [(1, 0); (2, 0); (2, 1)] |} (mt_actions 2 1 ++ mt_actions 1 0)
      [{| about := (0, 1); into_send := false; steps := [(1, 0); (1, 3); (0, 2)] |};
       {| about := (0, 2); into_send := false; steps := [(2, 1); (2, 2); (1, 2); (1, 3); (0, 2)] |};
       {| about := (1, 2); into_send := false; steps := [(2, 0); (2, 2); (1, 2)] |}] 2 []); auto.
Qed.
