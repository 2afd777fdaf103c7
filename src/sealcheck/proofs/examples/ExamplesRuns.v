(** * Examples: what the definitions accept, and what they reject *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality DecideSealing
  TccImpossibility NoBarrier.
Open Scope nat_scope.

(** ** A run of one message that nobody receives *)

Definition lost : run := {|
  lab := fun i k => if (i =? 1) && (k =? 0) then Snd 2 else Int;
  delta := fun e => e;
  val := fun _ => 0%Z |}.
Lemma lost_no_receive e i j : ~ is_rcv lost e i j.
Proof. intros [_ H]. simpl in H. destruct (_ && _); discriminate. Qed.
Lemma lost_silent c : silent lost c.
Proof. intros e i j R. now apply lost_no_receive in R. Qed.
Example lost_run : RelNS lost.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. now apply lost_no_receive in R.
  - intros e i j e' i' j' R. now apply lost_no_receive in R.
  - apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
    + intros x y [S|(i & j & R & _)]; auto. now apply lost_no_receive in R.
    + intros x y z [A A'] [B B']. split; [congruence|lia].
    + intros x [_ H]. lia.
  - intros e i j R. now apply lost_no_receive in R.
  - intros s i j _ _. exists 0. intros k _ _ e a b R. now apply lost_no_receive in R.
  - intros e i [F H]. simpl in H. destruct (fst e =? 1) eqn:E, (snd e =? 0); simpl in H; try discriminate.
    apply Nat.eqb_eq in E. injection H as H. congruence.
Qed.

(** In it, the channel is not empty after the send, although the cut there is silent. *)
Definition after_send : cut := bump (fun _ => 0) 1.
Example lost_channel : ~ empty_channel lost after_send 1 2.
Proof.
  intro E. apply (E (1, 0)). split; [unfold inside, after_send, bump; simpl; lia|].
  left. split; [split; reflexivity|]. intros e a b R. now apply lost_no_receive in R.
Qed.
Example lost_occurs : occurs lost (fun _ => 0) (Send 1 2 zero) after_send.
Proof. apply O_snd; auto using ceq_refl. Qed.
(** Another value than the program says: no occurrence. *)
Example lost_value : ~ occurs lost (fun _ => 0) (Send 1 2 (fun _ => 1%Z)) after_send.
Proof. intro O. inversion O; subst. simpl in *. discriminate. Qed.
(** Another receiver, or a receive: no occurrence. *)
Example lost_receiver : ~ occurs lost (fun _ => 0) (Send 1 3 zero) after_send.
Proof. intro O. inversion O; subst. simpl in *. discriminate. Qed.
Example lost_receive : ~ occurs lost (fun _ => 0) (Recv 1 2) after_send.
Proof. intro O. inversion O; subst. simpl in *. discriminate. Qed.

(** ** What is no run *)

(** A receive that takes no send; two receives that take the same one; a message from the future; a message that
    arrives with another content. *)
Definition made_of (l1 l2 : list label) (d : event -> event) (v : event -> value) : run := {|
  lab := fun i k => match i with 1 => nth k l1 Int | 2 => nth k l2 Int | _ => Int end; delta := d; val := v |}.
Example no_send : ~ wf (made_of [Int] [Rcv 1] (fun _ => (1, 0)) (fun _ => 0%Z)).
Proof. intros [[A _ _] _]. destruct (A (2, 0) 1 2) as [_ H]; [split; reflexivity|]. discriminate. Qed.
Example same_send : ~ wf (made_of [Snd 2] [Rcv 1; Rcv 1] (fun _ => (1, 0)) (fun _ => 0%Z)).
Proof.
  intros [[_ A _] _]. assert (X : (2, 0) = (2, 1)); [|discriminate].
  apply (A (2, 0) 1 2 (2, 1) 1 2); try split; reflexivity.
Qed.
Example from_the_future : ~ wf (made_of [Rcv 2; Snd 2] [Rcv 1; Snd 1]
  (fun e => if fst e =? 2 then (1, 1) else (2, 1)) (fun _ => 0%Z)).
Proof.
  intros [[_ _ A] _]. apply (A (1, 0)).
  apply t_trans with (1, 1); [apply causes_order; lia|].
  apply t_trans with (2, 0); [apply t_step; right; exists 1, 2; repeat split|].
  apply t_trans with (2, 1); [apply causes_order; lia|].
  apply t_step. right. exists 2, 1. repeat split.
Qed.
Example corrupted : ~ wf (made_of [Snd 2] [Rcv 1] (fun _ => (1, 0)) (fun e => if fst e =? 1 then 1%Z else 0%Z)).
Proof. intros [_ T]. specialize (T (2, 0) 1 2). simpl in T. discriminate T. split; reflexivity. Qed.

(** ** Guards read data *)

(** What process 2 has received last. *)
Definition received_value : expr := fun h => snd (last h (Int, 0%Z)).
Definition data (v : value) : run := made_of [Snd 2] [Rcv 1] (fun _ => (1, 0)) (fun e => if fst e <? 3 then v else 0%Z).
Example guard_true : holds (data 5%Z) (fun _ => 1) (Equal 2 received_value 2 (const 5%Z)).
Proof. reflexivity. Qed.
Example guard_false : ~ holds (data 5%Z) (fun _ => 1) (Equal 2 received_value 2 (const 4%Z)).
Proof. discriminate. Qed.
Example guard_less : holds (data 5%Z) (fun _ => 1)
  (And (Less 2 (const 4%Z) 2 received_value) (Not (Less 2 received_value 2 (const 4%Z)))).
Proof. split; [reflexivity|discriminate]. Qed.

(** ** Programs *)

Example mt_acts : acts (mt 1 2 zero) = Some (mt_actions 1 2).
Proof. reflexivity. Qed.
Example choice_acts : acts (Choice Eps Eps) = None.
Proof. reflexivity. Qed.
Example send_unbalanced : ~ balanced [ASend 1 2].
Proof. intro B. specialize (B 1 2). discriminate. Qed.
Example mt_dead_free : dead_free (mt_actions 1 2).
Proof. apply oneway_dead_free with 1 2; auto using message_oneway. Qed.
(** Each waits for the other. *)
Example deadlock : ~ dead_free [ARecv 1 2; ASend 1 2; ARecv 2 1; ASend 2 1].
Proof.
  intro D. apply (D (1, 0)).
  apply t_trans with (1, 1); [apply causes_order; lia|].
  apply t_trans with (2, 0); [apply t_step; right; exists 1, 2; repeat split|].
  apply t_trans with (2, 1); [apply causes_order; lia|].
  apply t_step. right. exists 2, 1. repeat split.
Qed.

(** ** Signatures: fig:Sigvt, fig:Sigvtack *)

(** The receive of a transmission stays in its signature ... *)
Example sigvt_1_2 : sig_rcv (mt_actions 1 2) 2 1 0.
Proof.
  split.
  - split; [reflexivity|]. intros [|[|y]] H; auto; discriminate.
  - intro P. apply (path_left (mt_actions 1 2) []) in P as [C _];
      [|apply message_balanced|intros a b; reflexivity|discriminate].
    apply (oneway_quiet 1 2) in C; auto; [discriminate|]. rewrite app_nil_r. apply message_oneway.
Qed.
(** ... and is not in that of the transmission with its acknowledgment. *)
Example sigvtack_1_2 y : ~ sig_rcv (mt_actions 1 2 ++ mt_actions 2 1) 2 1 y.
Proof.
  intros [[H _] N]. apply N. destruct y as [|[|y]]; try discriminate; [|destruct y; discriminate].
  apply t_trans with (Ev 2 1); [apply t_step, E_next; [lia|unfold len; simpl; lia]|].
  apply t_trans with (Ev 1 1); [apply t_step, E_msg; reflexivity|].
  apply t_step, E_last. unfold len; simpl; lia.
Qed.

(** ** Sealing *)

(** "valt j->i seals any program of the form valt." *)
Lemma ack_dead_free : dead_free (mt_actions 1 2 ++ mt_actions 2 1).
Proof.
  (* 1 sends, 2 receives, 2 sends, 1 receives *)
  set (rank := fun e : event => match fst e with 1 => match snd e with 0 => 0 | S k => 3 + k end | _ => 1 + snd e end).
  unfold dead_free. apply by_order with (L := fun x y => rank x < rank y); [|intros; lia|intros; lia].
  intros [i x] [j y] [[E L]|(a & b & [F H] & D)].
  - simpl in E, L; subst j. unfold rank; simpl. destruct i as [|[|i]]; destruct x, y; simpl; lia.
  - cbn [fst snd] in *. subst b. apply fifo_lab in H as [H _]; [|discriminate].
    destruct j as [|[|[|j]]]; try (destruct y; discriminate).
    + destruct y as [|[|y]]; try discriminate; [|destruct y; discriminate].
      injection H as <-. vm_compute in D. injection D as <- <-. unfold rank; simpl; lia.
    + destruct y as [|[|y]]; try discriminate; [|destruct y; discriminate].
      injection H as <-. vm_compute in D. injection D as <- <-. unfold rank; simpl; lia.
Qed.
Lemma ack_nofself : nofself (mt_actions 1 2 ++ mt_actions 2 1).
Proof.
  intros k H. rewrite labs_app, !message_labs in H.
  destruct k as [|[|[|k]]]; simpl in H; intuition congruence.
Qed.
Example mt_2_1_seals_mt_1_2 : forall e f, Seals RelNS (mt 2 1 f) (mt 1 2 e).
Proof.
  intros e f. apply (decide_sealing _ _ (mt_actions 1 2) (mt_actions 2 1));
    auto using message_balanced, ack_dead_free, ack_nofself.
  intros i j y [[H M] _].
  destruct j as [|[|[|j]]]; try (destruct y as [|[|y]]; discriminate).
  destruct y as [|[|y]]; try discriminate. injection H as <-.
  exists 2. split; [apply t_step, E_last; unfold len; simpl; lia|split].
  - apply t_trans with (Ev 2 0); [apply t_step, E_first; unfold len; simpl; lia|].
    apply t_trans with (Ev 1 0); [apply t_step, E_msg; reflexivity|].
    apply t_step, E_last; unfold len; simpl; lia.
  - intros x [[X _] _]. destruct x as [|[|x]]; discriminate.
Qed.
(** "The shorter program valt does not seal itself in Rel." *)
Example mt_1_2_not_self_sealing : forall e f, ~ Seals RelNS (mt 1 2 f) (mt 1 2 e).
Proof.
  intros e f. apply (oneway_unsealed 1 2 _ _ (mt_actions 1 2) (mt_actions 1 2) 0);
    auto using message_balanced, message_oneway.
Qed.
