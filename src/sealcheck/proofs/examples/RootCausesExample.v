(** * Examples of root causes: a consequence, and layers that receive more than they send

    The first layer leaves a message over on 1->2.  In the second one, 2 sends to 1 and waits for an answer; in the
    third, 2 sends to 1 again.  So 2 does not send again before its first message was received.  But if 2 takes the
    message that was left over for the answer, it does not wait, and 2->1 goes wrong. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values Prefix NoBarrier Phases PhasesRepeated.
From Sealcheck Require Import RootCauses ExamplesRuns.
Open Scope nat_scope.

Definition leaving : list act := [ASend 1 2].
Definition request_and_answer : list act := mt_actions 2 1 ++ mt_actions 1 2.
Definition the_programs : list prog := [Send 1 2 zero; Lay (mt 2 1 zero) (mt 1 2 zero); mt 2 1 zero].
Definition the_layers : list (list act) := [leaving; request_and_answer; mt_actions 2 1].

(** 2's receive takes what was left over; 1's first receive takes the last layer's message. *)
Definition astray : run := made_of [Snd 2; Rcv 2; Snd 2; Rcv 2] [Snd 1; Rcv 1; Snd 1]
  (fun e => match e with (1, 1) => (2, 2) | (1, _) => (2, 0) | _ => (1, 0) end) (fun _ => 0%Z).

Lemma astray_receive e i j : is_rcv astray e i j ->
  (e = (1, 1) \/ e = (1, 3)) /\ i = 2 /\ j = 1 \/ e = (2, 1) /\ i = 1 /\ j = 2.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. subst a. destruct j as [|[|[|j]]]; try discriminate;
    destruct k as [|[|[|[|[|k]]]]]; try discriminate; injection H as <-; auto.
Qed.

Definition event_rank (e : event) : nat := match e with (1, 0) => 1 | (1, k) => 5 + k | (_, k) => 2 + k end.

Lemma astray_run : RelNS astray.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply astray_receive in R as [([-> | ->] & -> & ->)|(-> & -> & ->)]; split; reflexivity.
  - intros e i j e' i' j' R R' D. apply astray_receive in R as [([-> | ->] & _)|(-> & _)];
      apply astray_receive in R' as [([-> | ->] & _)|(-> & _)]; auto; discriminate.
  - apply by_order with (L := fun x y => event_rank x < event_rank y); [|intros; lia..].
    intros x y [[F L]|(i & j & R & D)].
    + destruct x as [a k], y as [b k']. simpl in F, L. subst b. unfold event_rank.
      destruct a as [|[|a]]; destruct k as [|k], k' as [|k']; lia.
    + apply astray_receive in R as [([-> | ->] & _)|(-> & _)]; simpl in D; subst x; simpl; lia.
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 4). intros i k j L H. simpl in H.
    destruct i as [|[|[|i]]]; try discriminate; destruct k as [|[|[|[|[|k]]]]]; try discriminate; lia.
  - intros [a k] i [F H]. simpl in *. destruct a as [|[|[|a]]]; try discriminate;
      destruct k as [|[|[|[|[|k]]]]]; try discriminate; injection H as <-; discriminate.
Qed.

Lemma astray_occurs : occurs astray (fun _ => 0) (sequence the_programs) (len (concat the_layers)).
Proof.
  apply follows_occurs with (concat the_layers); auto.
  - intro k. destruct k as [|[|[|k]]]; reflexivity.
  - intros i k e X _. destruct i as [|[|[|i]]]; repeat (destruct k as [|k]; simpl in X; try discriminate);
      injection X as <-; reflexivity.
Qed.

Lemma the_layers_fit l : In l the_layers -> fits l.
Proof.
  intros [<-|[<-|[<-|[]]]].
  - intros i j. destruct j as [|[|j]]; simpl; lia.
  - apply balanced_fits, balanced_app; apply message_balanced.
  - apply balanced_fits, message_balanced.
Qed.

(** _A channel that is no root cause goes wrong in some run_. *)
Theorem consequences_exist : layers the_programs the_layers /\ (forall l, In l the_layers -> fits l) /\
  (forall l, In l the_layers -> dead_free l) /\ nofself (concat the_layers) /\
  ~ root_cause RelNS the_programs the_layers 2 1 /\
  exists r c d e, RelNS r /\ occurs r c (Lay Chop (Lay (sequence the_programs) Chop)) d /\
    is_rcv r e 2 1 /\ ~ own r c the_layers e.
Proof.
  assert (Ls : layers the_programs the_layers) by (repeat constructor).
  assert (D : forall l, In l the_layers -> dead_free l).
  { intros l [<-|[<-|[<-|[]]]].
    - apply (oneway_dead_free 1 2); [lia|]. intro k.
      split; intros a I; destruct k as [|[|k]]; simpl in I; intuition; try discriminate; congruence.
    - apply dead_free_app; auto using message_balanced; [apply (oneway_dead_free 2 1)|apply (oneway_dead_free 1 2)];
        auto using message_oneway.
    - apply (oneway_dead_free 2 1); auto using message_oneway. }
  assert (N : nofself (concat the_layers)).
  { intros k I. destruct k as [|[|[|k]]]; simpl in I; intuition discriminate. }
  split; [exact Ls|split; [exact the_layers_fit|split; [exact D|split; [exact N|split]]]].
  - intro R. apply (root_causes _ _ Ls the_layers_fit D N) in R as [(before & x & rest & E & L & _)|R].
    + assert (I : In x the_layers) by (rewrite E; apply in_or_app; right; now left). unfold left_over in L.
      destruct I as [<-|[<-|[<-|[]]]]; simpl in L; lia.
    + apply R. intros before x rest E y z [Hy _] [Hz _].
      destruct before as [|b [|b' [|b'' before]]]; try (destruct before; discriminate); injection E as <- <-; subst.
      * destruct y as [|[|y]]; discriminate Hy.
      * destruct y as [|[|[|y]]]; try discriminate Hy. destruct z as [|[|z]]; try discriminate Hz.
        apply t_trans with (1, 2); [apply causes_order; simpl; lia|].
        apply t_trans with (2, 1); [|apply causes_order; simpl; lia].
        apply t_step. right. exists 1, 2. split; [split|]; reflexivity.
      * destruct z; discriminate Hz.
  - exists astray, (fun _ => 0), (len (concat the_layers)), (1, 1). split; [exact astray_run|split; [|split]].
    + apply chop_first. split; [intros e i j _; unfold inside; split; lia|]. apply chop_last.
      split; [exact astray_occurs|]. intros e i j R.
      apply astray_receive in R as [([-> | ->] & _)|(-> & _)]; unfold inside; vm_compute; lia.
    + split; reflexivity.
    + intro O. specialize (O [leaving; request_and_answer] [mt_actions 2 1] eq_refl). vm_compute in O. lia.
Qed.

(** ** Layers that receive more than they send

    One layer sends on two channels, and the next one receives there.  In every run both channels go wrong, so neither
    does so by itself. *)
Theorem root_causes_needs_layers_that_fit : ~ forall Ps ls, layers Ps ls -> (forall l, In l ls -> dead_free l) ->
  nofself (concat ls) -> forall i j, root_cause RelNS Ps ls i j <-> interferes ls i j.
Proof.
  intro H. set (sends := [ASend 1 2; ASend 1 3]). set (takes := [ARecv 2 1; ARecv 3 1]).
  assert (Ls : layers [Lay (Send 1 2 zero) (Send 1 3 zero); Lay (Recv 2 1) (Recv 3 1)] [sends; takes])
    by (repeat constructor).
  assert (R : root_cause RelNS [Lay (Send 1 2 zero) (Send 1 3 zero); Lay (Recv 2 1) (Recv 3 1)] [sends; takes] 1 2).
  { apply H; auto.
    - intros l I. unfold dead_free. apply by_order with (L := fun x y =>
        (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ 1 < fst y)); [|intros; lia..].
      intros [a x] [j y] [S|(i & b & R & E)]; auto. right. apply fifo_rcv in R as [<- R].
      unfold fifo in E; cbn [delta fst snd] in E. rewrite R in E. injection E as <- _.
      destruct I as [<-|[<-|[]]]; destruct j as [|[|[|[|j]]]]; destruct y as [|[|[|y]]]; try discriminate R;
        injection R as <-; simpl; lia.
    - intros k I. destruct k as [|[|[|[|k]]]]; simpl in I; intuition discriminate.
    - left. exists [], sends, [takes]. split; [reflexivity|split]; [unfold left_over; simpl; lia|now left]. }
  destruct R as (r & c & d & g & O & Heed & _). apply chop_first in O as [_ O]. apply chop_last in O as [O _].
  pose proof (occurs_follows r _ _ (sequence_acts _ _ Ls) _ _ O) as F.
  assert (R : is_rcv r (3, c 3) 1 3) by (split; auto; destruct (F 3) as [_ E]; now injection E).
  pose proof (Heed _ _ _ R ltac:(discriminate)) as Own.
  pose proof (Own [sends] [takes] eq_refl) as O1. pose proof (Own [sends; takes] [] eq_refl) as O2.
  destruct g as [[[W _] _] _]. destruct (delta_snd r W _ _ _ R) as [Fs _]. destruct (delta r (3, c 3)) as [k z].
  simpl in Fs. subst k. unfold inside, cut_after in O1, O2. simpl in O1, O2.
  unfold len in O1, O2. simpl in O1, O2. lia.
Qed.
