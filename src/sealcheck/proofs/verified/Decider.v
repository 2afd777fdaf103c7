(** * What is asked of programs before their graphs are computed

    That they are of the processes below some number, and that nobody sends to itself; where receives and next sends
    stand.  The graph is computed in [Clocks]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine CausalPast.
Open Scope nat_scope.

(** ** The hypotheses, computed *)

(** A test of all channels [i -> j] over the processes below [n]. *)
Definition for_channels (n : nat) (f : proc -> proc -> bool) : bool :=
  forallb (fun i => forallb (f i) (seq 0 n)) (seq 0 n).

Lemma for_channels_spec : forall n f,
  for_channels n f = true <-> forall i j, i < n -> j < n -> f i j = true.
Proof.
  intros n f. unfold for_channels. rewrite forallb_forall. split.
  - intros H i j I J. assert (Hi : In i (seq 0 n)) by (apply in_seq; lia). specialize (H i Hi).
    rewrite forallb_forall in H. apply H, in_seq. lia.
  - intros H i I. apply in_seq in I. apply forallb_forall. intros j J. apply in_seq in J. apply H; lia.
Qed.

Definition is_below (n : nat) (l : list act) : bool :=
  forallb (fun a => match a with
                    | ASend i j | ARecv j i => (i <? n) && (j <? n)
                    | AInt i => i <? n
                    end) l.

Lemma is_below_spec : forall n l, is_below n l = true <-> acts_below n l.
Proof.
  intros n l. unfold is_below, acts_below. rewrite forallb_forall.
  split; intros H a A; specialize (H a A); destruct a; rewrite ?andb_true_iff, ?Nat.ltb_lt in *; tauto.
Qed.

Definition has_no_self (l : list act) : bool :=
  forallb (fun a => match a with ASend i j => negb (i =? j) | _ => true end) l.

Lemma has_no_self_spec : forall l, has_no_self l = true <-> nofself l.
Proof.
  intro l. unfold has_no_self, nofself, labs, proj. rewrite forallb_forall. split.
  - intros H i I. apply in_map_iff in I as (a & E & A). apply filter_In in A as [A F].
    specialize (H a A). destruct a; simpl in *; try discriminate. injection E as ->. now rewrite F in H.
  - intros H a A. destruct a as [i j| |]; auto. apply negb_true_iff, Nat.eqb_neq. intros <-.
    apply (H i). apply in_map_iff. exists (ASend i i). split; auto. apply filter_In. split; auto.
    simpl. apply Nat.eqb_refl.
Qed.

(** A way between events goes along one process, or takes a message on its way. *)
Lemma causes_by_message : forall n l x y, acts_below n l -> causes (fifo l) x y ->
  (fst x = fst y /\ snd x < snd y) \/
  exists s t, In (s, t) (links n l) /\ (x = s \/ causes (fifo l) x s) /\ (t = y \/ causes (fifo l) t y).
Proof.
  intros n l x y W. induction 1 as [x y S|x y z C1 IH1 C2 IH2].
  - destruct (step_links n l x y W S) as [L|M]; [auto|right; eauto 8].
  - destruct IH1 as [[F1 L1]|(s & t & M & A & B)].
    + destruct IH2 as [[F2 L2]|(s & t & M & A & B)]; [left; split; [congruence|lia]|right].
      exists s, t. split; auto. split; auto. right. destruct A as [<-|A]; auto. eapply t_trans; eauto.
    + right. exists s, t. split; auto. split; auto. right. destruct B as [->|B]; auto. eapply t_trans; eauto.
Qed.

Lemma send_is_no_receive : forall l e j, nth_error (labs (fst e) l) (snd e) = Some (Snd j) ->
  forall a b, ~ is_rcv (fifo l) e a b.
Proof.
  intros l [i k] j H a b [F L]. cbn [fst snd] in *. subst b. simpl in L. rewrite H in L. discriminate.
Qed.

(** ** Receives and next sends *)

(** Where the receives on [i -> j] stand in the share of [j]. *)
Definition receives (i j : proc) (p : list act) : list nat :=
  let s := labs j p in
  filter (fun y => match nth_error s y with Some a => rcvb i a | None => false end) (seq 0 (length s)).

Lemma receives_spec : forall i j p y, In y (receives i j p) <-> nth_error (labs j p) y = Some (Rcv i).
Proof.
  intros i j p y. unfold receives. rewrite filter_In, in_seq. split.
  - intros [_ H]. destruct (nth_error (labs j p) y) as [a|]; [|discriminate]. apply rcvb_spec in H. now subst.
  - intro H. rewrite H. split; [|now apply rcvb_spec].
    split; [lia|]. apply nth_error_Some. congruence.
Qed.

(** The first send of Q on [i -> j], as an event of P;Q; or, where there is none, the end of [i]'s share. *)
Definition next_send (p q : list act) (i j : proc) : nat := len p i + nthpos (sndb j) (labs i q) 0.

(** If nothing satisfies [f], [nthpos] is the length of the list; else nothing before it does. *)
Lemma nthpos_first {A} (f : A -> bool) : forall l,
  (nthpos f l 0 = length l \/ exists a, nth_error l (nthpos f l 0) = Some a /\ f a = true) /\
  nthpos f l 0 <= length l /\
  forall y a, nth_error l y = Some a -> f a = true -> nthpos f l 0 <= y.
Proof.
  induction l as [|b l (IH1 & IH2 & IH3)]; simpl.
  - repeat split; auto. intros; lia.
  - destruct (f b) eqn:E.
    + split; [right; exists b; auto|]. split; [lia|]. intros; lia.
    + split; [destruct IH1 as [->|H]; [left; auto|right; exact H]|]. split; [lia|].
      intros [|y] a H F; simpl in H; [injection H as <-; congruence|].
      apply IH3 in H; auto. lia.
Qed.

(** What [next_send] is: the least of the places that [covers] speaks of. *)
Lemma next_send_place : forall p q i j, let z := next_send p q i j in
  z = len (p ++ q) i \/ (len p i <= z /\ nth_error (labs i (p ++ q)) z = Some (Snd j)).
Proof.
  intros p q i j. cbn zeta. unfold next_send.
  destruct (nthpos_first (sndb j) (labs i q)) as ([E|(a & H & F)] & _ & _).
  - left. rewrite len_app, E, len_labs. auto.
  - right. split; [lia|]. rewrite labs_app, nth_error_app2 by (rewrite len_labs; lia).
    rewrite len_labs. replace (len p i + _ - len p i) with (nthpos (sndb j) (labs i q) 0) by lia.
    apply sndb_spec in F. congruence.
Qed.

Lemma next_send_le : forall p q i j z,
  z = len (p ++ q) i \/ (len p i <= z /\ nth_error (labs i (p ++ q)) z = Some (Snd j)) ->
  next_send p q i j <= z.
Proof.
  intros p q i j z H. unfold next_send.
  destruct (nthpos_first (sndb j) (labs i q)) as (_ & L & F). destruct H as [->|[Z H]].
  - rewrite len_app, <- (len_labs i q). lia.
  - rewrite labs_app, nth_error_app2, len_labs in H by (rewrite len_labs; lia).
    specialize (F _ _ H). assert (sndb j (Snd j) = true) as S by now apply sndb_spec.
    specialize (F S). lia.
Qed.

Lemma below_app : forall n p q, acts_below n (p ++ q) <-> acts_below n p /\ acts_below n q.
Proof.
  unfold acts_below. intros n p q. split.
  - intro H. split; intros a A; apply H, in_or_app; auto.
  - intros [H1 H2] a A. apply in_app_or in A as [A|A]; [apply H1|apply H2]; exact A.
Qed.
