(** * Deciding whether Q seals P

    Theorem [th:decide.sealing] of the paper turns a question about all runs into one about the graph of
    P;Q.  Here that graph is computed, and [decide] is proved to answer the question about runs. *)

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

Definition is_balanced (n : nat) (l : list act) : bool :=
  for_channels n (fun i j =>
    length (filter (sndb j) (labs i l)) =? length (filter (rcvb i) (labs j l))).

(** On a channel to or from a process that does not exist there is nothing. *)
Lemma no_sends : forall n l i j, acts_below n l -> ~ (i < n /\ j < n) -> filter (sndb j) (labs i l) = [].
Proof.
  intros n l i j W N. destruct (filter (sndb j) (labs i l)) as [|a s] eqn:E; auto. exfalso.
  assert (In a (filter (sndb j) (labs i l))) as H by (rewrite E; left; auto).
  apply filter_In in H as [H S]. apply sndb_spec in S. subst a. apply In_nth_error in H as [y H].
  apply N. split; [eauto using below_labs|]. apply (below_peer n l i y _ W H).
Qed.

Lemma no_receives : forall n l i j, acts_below n l -> ~ (i < n /\ j < n) -> filter (rcvb i) (labs j l) = [].
Proof.
  intros n l i j W N. destruct (filter (rcvb i) (labs j l)) as [|a s] eqn:E; auto. exfalso.
  assert (In a (filter (rcvb i) (labs j l))) as H by (rewrite E; left; auto).
  apply filter_In in H as [H S]. apply rcvb_spec in S. subst a. apply In_nth_error in H as [y H].
  apply N. split; [apply (below_peer n l j y _ W H)|eauto using below_labs].
Qed.

Lemma is_balanced_spec : forall n l, acts_below n l -> (is_balanced n l = true <-> balanced l).
Proof.
  intros n l W. unfold is_balanced. rewrite for_channels_spec. split.
  - intros H i j. destruct (lt_dec i n) as [I|I]; [destruct (lt_dec j n) as [J|J]|].
    + apply Nat.eqb_eq. auto.
    + rewrite (no_sends n), (no_receives n); auto; lia.
    + rewrite (no_sends n), (no_receives n); auto; lia.
  - intros H i j _ _. apply Nat.eqb_eq, H.
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

(** No deadlock: no receive reaches the send whose message it takes. *)
Definition is_dead_free (n : nat) (l : list act) : bool :=
  forallb (fun m => negb (snd (snd m) <? at_ (causal_past n l (fst m)) (fst (snd m)))) (links n l).

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

Lemma is_dead_free_spec : forall n l, balanced l -> acts_below n l -> (is_dead_free n l = true <-> dead_free l).
Proof.
  intros n l B W. unfold is_dead_free, dead_free. rewrite forallb_forall.
  assert (P : forall s t, In (s, t) (links n l) ->
            (snd t < at_ (causal_past n l s) (fst t) <-> causes (fifo l) t s)).
  { intros s t M. destruct (link_send n l s t B W M) as (S1 & S2 & S3).
    apply causal_past_spec; auto using Nat.lt_le_incl. eapply send_is_no_receive; eauto. }
  split.
  - intros H e C. assert (exists s t, In (s, t) (links n l) /\ causes (fifo l) t s) as (s & t & M & Cy).
    { destruct (causes_by_message n l e e W C) as [[_ L]|(s & t & M & A & T)]; [lia|]. exists s, t. split; auto.
      destruct A as [->|A], T as [->|T]; auto. eapply t_trans; eauto. }
    specialize (H (s, t) M). cbn [fst snd] in H. apply negb_true_iff, Nat.ltb_ge in H.
    apply P in Cy; auto. lia.
  - intros H [s t] M. cbn [fst snd]. apply negb_true_iff, Nat.ltb_ge.
    destruct (le_lt_dec (at_ (causal_past n l s) (fst t)) (snd t)) as [|G]; auto. exfalso.
    apply P in G; auto. apply (H s). eapply t_trans; [apply t_step, (link_step n l _ _ M)|exact G].
Qed.

(** ** The condition on the graph of P;Q, computed *)

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

(** No receive takes place where process [i] has its next send or its end. *)
Lemma next_send_no_receive : forall p q i j a b, ~ is_rcv (fifo (p ++ q)) (i, next_send p q i j) a b.
Proof.
  intros p q i j a b R. destruct (next_send_place p q i j) as [E|[_ H]].
  - destruct R as [F L]. apply fifo_lab in L as [_ L]; [|discriminate]. simpl in L. lia.
  - revert R. eapply send_is_no_receive; eauto.
Qed.

Definition covers_channel (n : nat) (p q : list act) (i j : proc) : bool :=
  match receives i j p with
  | [] => true
  | ys => let v := causal_past n (p ++ q) (i, next_send p q i j) in forallb (fun y => y <? at_ v j) ys
  end.

Definition is_covered (n : nat) (p q : list act) : bool := for_channels n (covers_channel n p q).

Lemma covers_channel_spec : forall n p q i j, balanced (p ++ q) -> acts_below n (p ++ q) -> i < n ->
  (covers_channel n p q i j = true <->
   forall y, nth_error (labs j p) y = Some (Rcv i) -> causes (fifo (p ++ q)) (j, y) (i, next_send p q i j)).
Proof.
  intros n p q i j B W I.
  assert (P : forall y, y < at_ (causal_past n (p ++ q) (i, next_send p q i j)) j <->
                        causes (fifo (p ++ q)) (j, y) (i, next_send p q i j)).
  { intro y. apply (causal_past_spec n (p ++ q) (i, next_send p q i j) B W I) with (x := (j, y)).
    - cbn [fst snd]. apply next_send_le. auto.
    - apply next_send_no_receive. }
  assert (E : covers_channel n p q i j =
              forallb (fun y => y <? at_ (causal_past n (p ++ q) (i, next_send p q i j)) j) (receives i j p)).
  { unfold covers_channel. destruct (receives i j p); auto. }
  rewrite E, forallb_forall. split.
  - intros H y Y. apply P, Nat.ltb_lt, H. now apply receives_spec.
  - intros H y Y. apply Nat.ltb_lt, P, H. now apply receives_spec.
Qed.

Lemma below_app : forall n p q, acts_below n (p ++ q) <-> acts_below n p /\ acts_below n q.
Proof.
  unfold acts_below. intros n p q. split.
  - intro H. split; intros a A; apply H, in_or_app; auto.
  - intros [H1 H2] a A. apply in_app_or in A as [A|A]; [apply H1|apply H2]; exact A.
Qed.

Theorem is_covered_spec : forall n p q, balanced (p ++ q) -> acts_below n (p ++ q) ->
  (is_covered n p q = true <-> covers p q).
Proof.
  intros n p q B W. unfold is_covered. rewrite for_channels_spec. split.
  - intros H i j y z Y Z.
    assert (Wp : acts_below n p) by (apply below_app in W; tauto).
    assert (J : j < n) by eauto using below_labs. assert (I : i < n) by (apply (below_peer n p j y _ Wp Y)).
    specialize (H i j I J). rewrite covers_channel_spec in H by auto.
    apply causes_local_ge with (next_send p q i j); [now apply next_send_le|auto].
  - intros C i j I J. rewrite covers_channel_spec by auto. intros y Y. apply C; auto. apply next_send_place.
Qed.

(** ** The decision *)

(** P and Q are balanced straight-line programs of the processes below [n], no process sends to itself, and
    P;Q does not deadlock. *)
Record composable (n : nat) (p q : list act) : Prop := {
  composable_below : acts_below n (p ++ q);
  composable_first : balanced p;
  composable_second : balanced q;
  composable_noself : nofself (p ++ q);
  composable_dead_free : dead_free (p ++ q)
}.

Definition is_composable (n : nat) (p q : list act) : bool :=
  is_below n (p ++ q) && is_balanced n p && is_balanced n q && has_no_self (p ++ q) && is_dead_free n (p ++ q).

Lemma is_composable_spec : forall n p q, is_composable n p q = true <-> composable n p q.
Proof.
  intros n p q. unfold is_composable. rewrite !andb_true_iff, is_below_spec, has_no_self_spec. split.
  - intros ((((W & Bp) & Bq) & N) & D). pose proof (proj1 (below_app n p q) W) as [Wp Wq].
    rewrite is_balanced_spec in Bp, Bq by auto.
    rewrite is_dead_free_spec in D by auto using balanced_app. split; auto.
  - intros [W Bp Bq N D]. pose proof (proj1 (below_app n p q) W) as [Wp Wq].
    rewrite !is_balanced_spec, is_dead_free_spec by auto using balanced_app. repeat split; auto.
Qed.

(** Whether Q seals P; nothing, where the question is not about such programs. *)
Definition decide (n : nat) (p q : list act) : option bool :=
  if is_composable n p q then Some (is_covered n p q) else None.

Theorem decide_asked : forall n p q, decide n p q = None <-> ~ composable n p q.
Proof.
  intros n p q. unfold decide. rewrite <- is_composable_spec. destruct (is_composable n p q); split; congruence.
Qed.
