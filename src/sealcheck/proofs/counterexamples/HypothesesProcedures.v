(** * Hypotheses of theorems about the procedures that are needed

    Each theorem here says that another one fails without one of its hypotheses.  docs/proofs.md has a table of all. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine ClosedChannels Prefix Messages Teaching WorstCase.
From Sealcheck Require Import ExamplesRuns Hypotheses HypothesesGraph ExamplesSeals Decider CheckerCorrect.
From Sealcheck Require Import SignaturesCompose Procedures Closure ProgramGraph MendedProcedures PrintedProcedures.
Open Scope nat_scope.

(** ** Processes

    With n = 0, line 4 adds nothing for the processes that take part, and line 5 no messages. *)

Theorem program_graph_mended_needs_within : ~ forall n l u v,
  (In u (fst (Program_Graph_mended n l)) <-> graph_node n l u) /\
  (In (u, v) (snd (Program_Graph_mended n l)) <-> graph_edge n l u v).
Proof.
  intro H. destruct (H 0 mt01 (Ev 0 0) (Ev 1 0)) as [_ [_ X]]. assert (E : graph_edge 0 mt01 (Ev 0 0) (Ev 1 0)).
  { now apply G_msg. }
  assert (F := X E). apply (proj2 (joined_spec node_dec _ _ _)) in F. vm_compute in F. discriminate.
Qed.

Definition waiting := [ARecv 0 1; ASend 0 1; ARecv 1 0; ASend 1 0].
Lemma waiting_deadlocks : ~ dead_free waiting.
Proof.
  assert (M : forall i j k y, nth_error (labs j waiting) y = Some (Rcv i) -> delta (fifo waiting) (j, y) = (i, k) ->
    causes (fifo waiting) (i, k) (j, y)).
  { intros i j k y R D. apply t_step. right. exists i, j. split; [split; auto; simpl; now rewrite R|exact D]. }
  intro D. apply (D (0, 0)). eapply t_trans; [apply (causes_order _ 0 0 1); auto|].
  eapply t_trans; [apply (M 0 1 1 0); reflexivity|]. eapply t_trans; [apply (causes_order _ 1 0 1); auto|].
  apply (M 1 0 1 0); reflexivity.
Qed.
Lemma waiting_balanced : balanced waiting.
Proof. intros [|[|i]] [|[|j]]; reflexivity. Qed.
Theorem deadlock_free_mended_needs_within : ~ forall n l, balanced l ->
  (Deadlock_Free_mended (Program_Graph_mended n l) = true <-> dead_free l).
Proof.
  intro H. apply waiting_deadlocks, (H 0); [exact waiting_balanced|reflexivity].
Qed.

Theorem sig_mended_needs_within : ~ forall n l, dead_free l -> forall a b,
  (In a (fst (Sig l (Program_Graph_mended n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_mended n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof.
  intro H. destruct (accepted 2 mt01 eq_refl) as (W & _ & _ & D).
  destruct (H 0 mt01 D (NSnd 0 1) (NRcv 1 0)) as [_ [_ X]].
  assert (E : In (NSnd 0 1, NRcv 1 0) (snd (Sig mt01 (Program_Graph_mended 2 mt01))))
    by (apply (proj1 (joined_spec name_dec _ _ _)); vm_compute; reflexivity).
  assert (F := X (proj1 (proj2 (sig_mended 2 mt01 W D (NSnd 0 1) (NRcv 1 0))) E)).
  apply (proj2 (joined_spec name_dec _ _ _)) in F. vm_compute in F. discriminate.
Qed.

(** What process 0 has sent to 1 it knows from 2 to be received; of the processes below 2, nothing tells. *)
Definition around_ring := transmissions [(0, 1); (1, 2); (2, 0)].

Theorem closed_channels_mended_needs_within : ~ forall n P l, acts P = Some l -> balanced l -> dead_free l ->
  nofself l -> let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intro H. destruct (accepted 3 around_ring eq_refl) as (_ & B & N & D). pose proof (acts_prog_of around_ring) as A.
  destruct (H 2 _ _ A B D N) as [_ X]. specialize (X 0 1).
  destruct (closed_channels_mended 3 _ _ (accepted_bsl 3 around_ring eq_refl)) as [_ Y].
  assert (E : In (0, 1) (snd (Closed_Channels 3 (Sig around_ring (Program_Graph_mended 3 around_ring)))))
    by (apply (proj1 (joined_spec Nat.eq_dec _ _ _)); vm_compute; reflexivity).
  destruct (proj1 (Y 0 1) E) as (_ & _ & Nij & C).
  assert (G := proj2 X (conj (le_S _ _ (le_n 1)) (conj (le_n 2) (conj Nij C)))).
  apply (proj2 (joined_spec Nat.eq_dec _ _ _)) in G. vm_compute in G. discriminate.
Qed.

(** ** Balance

    0 waits for a second message of 1, which waits for one of 0 that comes after it.  There is no cycle: there is
    no edge to a receive without a send. *)
Definition in_vain := [ARecv 0 1; ASend 0 1; ARecv 1 0].

Theorem deadlock_free_mended_needs_balance : ~ forall n l, within n l ->
  (Deadlock_Free_mended (Program_Graph_mended n l) = true <-> dead_free l).
Proof.
  intro H. assert (W : within 2 in_vain) by (intros a [<-|[<-|[<-|[]]]]; simpl; lia).
  destruct (H 2 in_vain W) as [X _]. apply (X eq_refl (0, 0)).
  assert (Message : forall i j x y, is_rcv (fifo in_vain) (j, y) i j -> delta (fifo in_vain) (j, y) = (i, x) ->
    causes (fifo in_vain) (i, x) (j, y)) by (intros i j x y R E; apply t_step; right; exists i, j; auto).
  apply t_trans with (0, 1); [apply causes_order; lia|].
  apply t_trans with (1, 0); [apply Message; [split|]; reflexivity|].
  apply t_trans with (1, 1); [apply causes_order; lia|]. apply Message; [split|]; reflexivity.
Qed.

(** ** Deadlock-freedom

    Between receiving from 1 and sending to it, which are on a cycle, 0 sends to 2: this send is in the signature, and
    there is a path from it to itself.  "Irreflexive", E+ has no such edge. *)
Definition on_a_cycle := [ARecv 0 1; ASend 0 2; ASend 0 1; ARecv 1 0; ASend 1 0; ARecv 2 0].

(** Nothing leads to it from Fd_2, which leads to the events of 2 and its end. *)
Lemma from_2 u v : path on_a_cycle u v -> u = Fd 2 \/ u = Ev 2 0 -> v = Ev 2 0 \/ v = Ld 2.
Proof.
  assert (Step : forall u v, edge on_a_cycle u v -> u = Fd 2 \/ u = Ev 2 0 -> v = Ev 2 0 \/ v = Ld 2).
  { intros u' v' [i x y L L'|i x L|i x L|i|i j x y X _ _] [E|E]; try discriminate; injection E; intros; subst; auto.
    - unfold len in L'. simpl in L'. lia.
    - unfold len in L. simpl in L. left. f_equal. lia.
    - discriminate. }
  induction 1 as [u v E|u w v P1 IH1 P2 IH2]; [now apply Step|]. intro F. destruct (IH1 F) as [-> | ->]; auto.
  apply clos_trans_t1n in P2. inversion P2; match goal with E : edge _ (Ld _) _ |- _ => inversion E end.
Qed.

Theorem sig_mended_needs_deadlock_freedom : ~ forall n l, within n l -> forall a b,
  (In a (fst (Sig l (Program_Graph_mended n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_mended n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof.
  intro H. assert (W : within 3 on_a_cycle) by (apply below_within, is_below_spec; reflexivity).
  destruct (H 3 on_a_cycle W (NSnd 0 2) (NSnd 0 2)) as [_ [_ X]].
  assert (S : stands_for 3 on_a_cycle (NSnd 0 2) (Ev 0 1)).
  { exists 1. split; auto. split; [split; [reflexivity|]|].
    - intros [|[|x]] E; auto; [discriminate|]. lia.
    - intro P. apply from_2 in P as [P|P]; auto; discriminate. }
  assert (C : path on_a_cycle (Ev 0 1) (Ev 0 1)).
  { apply t_trans with (Ev 0 2); [apply t_step, E_next; unfold len; simpl; lia|].
    apply t_trans with (Ev 1 0); [apply t_step, E_msg; reflexivity|].
    apply t_trans with (Ev 1 1); [apply t_step, E_next; unfold len; simpl; lia|].
    apply t_trans with (Ev 0 0); [apply t_step, E_msg; reflexivity|].
    apply t_step, E_next; unfold len; simpl; lia. }
  assert (I := X (ex_intro _ _ (ex_intro _ _ (conj S (conj S C))))).
  apply (proj2 (joined_spec name_dec _ _ _)) in I. vm_compute in I. discriminate.
Qed.

(** ** What a program has to be for Closed-Channels(P): the counterexamples of [closed_channels] *)

Theorem closed_channels_mended_needs_balance : ~ forall n P l, acts P = Some l -> within n l -> dead_free l ->
  nofself l ->
  let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intro H. assert (W : within 3 [ASend 1 2]) by (intros a [<-|[]]; simpl; lia).
  assert (N : nofself [ASend 1 2]) by (intros [|[|k]] I; simpl in I; intuition congruence).
  destruct (H 3 (Send 1 2 zero) _ eq_refl W one_send_dead_free N) as [_ X]. specialize (X 1 2).
  assert (I : In (1, 2) (snd (Closed_Channels 3 (Sig [ASend 1 2] (Program_Graph_mended 3 [ASend 1 2])))))
    by (apply (proj1 (joined_spec Nat.eq_dec _ _ _)); vm_compute; reflexivity).
  destruct (proj1 X I) as (_ & _ & _ & C). apply lost_channel.
  exact (C lost (fun _ => 0) after_send lost_run (start_empty _) lost_occurs).
Qed.

(** What never occurs closes everything. *)
Lemma idle_closes n P l i j : i < n -> j < n -> i <> j -> closes RelNS P i j ->
  has_edge Nat.eq_dec i j (snd (Closed_Channels n (Sig l (Program_Graph_mended n l)))) = false ->
  ~ (In (i, j) (snd (Closed_Channels n (Sig l (Program_Graph_mended n l)))) <->
     i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intros I J N C F X. assert (Y := proj2 X (conj I (conj J (conj N C)))).
  apply (proj2 (joined_spec Nat.eq_dec _ _ _)) in Y. rewrite F in Y. discriminate.
Qed.

Theorem closed_channels_mended_needs_deadlock_freedom : ~ forall n P l, acts P = Some l -> within n l -> balanced l ->
  nofself l ->
  let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intro H. assert (W : within 4 late) by (apply below_within, is_below_spec; vm_compute; reflexivity).
  destruct (H 4 _ late late_acts W late_balanced late_nofself) as [_ X].
  refine (idle_closes 4 _ late 2 3 _ _ _ _ _ (X 2 3)); try lia; [|vm_compute; reflexivity].
  intros r c d R E O. destruct (late_never r c d R) with (2 := O). apply empty_silent; auto. apply R.
Qed.

Theorem closed_channels_mended_needs_no_self_channels : ~ forall n P l, acts P = Some l -> within n l -> balanced l ->
  dead_free l ->
  let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intro H. assert (W : within 4 with_own_message) by (apply below_within, is_below_spec; vm_compute; reflexivity).
  destruct (H 4 Own with_own_message eq_refl W own_balanced own_dead_free) as [_ X].
  refine (idle_closes 4 _ with_own_message 2 3 _ _ _ _ _ (X 2 3)); try lia; [|vm_compute; reflexivity].
  apply never_closes_channel, own_never.
Qed.
