(** * Whether layers in sequence stay apart, computed

    The criterion of [Phases], said of boundaries: what is received before a boundary between two layers reaches what
    is sent behind it on the same channel. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality Prefix Phases PhasesRepeated.
From Sealcheck Require Import CausalPast Decider.
Open Scope nat_scope.

(** ** One boundary *)

(** Receives of [a] on [i -> j] reach the first send of [b] on it, if there is one. *)
Definition kept_channel (n : nat) (a b : list act) (i j : proc) : bool :=
  let z := nthpos (sndb j) (labs i b) 0 in
  match receives i j a with
  | [] => true
  | ys => negb (z <? len b i) ||
          (let v := causal_past n (a ++ b) (i, len a i + z) in forallb (fun y => y <? at_ v j) ys)
  end.

Definition is_kept (n : nat) (a b : list act) : bool := for_channels n (kept_channel n a b).

Lemma kept_channel_spec : forall n a b i j, balanced (a ++ b) -> acts_below n (a ++ b) -> i < n ->
  (kept_channel n a b i j = true <-> forall y z, nth_error (labs j a) y = Some (Rcv i) ->
    nth_error (labs i b) z = Some (Snd j) -> causes (fifo (a ++ b)) (j, y) (i, len a i + z)).
Proof.
  intros n a b i j B W I. unfold kept_channel. set (z0 := nthpos (sndb j) (labs i b) 0).
  destruct (nthpos_first (sndb j) (labs i b)) as (F1 & F2 & F3). fold z0 in F1, F2, F3. rewrite len_labs in F1, F2.
  destruct (receives i j a) as [|y0 ys] eqn:E.
  { split; auto. intros _ y z Y. apply receives_spec in Y. rewrite E in Y. destruct Y. }
  rewrite <- E. clear E y0 ys. rewrite orb_true_iff, negb_true_iff, Nat.ltb_ge, forallb_forall.
  destruct F1 as [F1|(c & C & S)].
  - split; [|left; lia]. intros _ y z _ Z. apply labs_lt in Z as Lz. specialize (F3 z _ Z).
    assert (z0 <= z) by (apply F3; now apply sndb_spec). lia.
  - apply sndb_spec in S. subst c. pose proof (labs_lt _ _ _ _ C) as L.
    assert (X : nth_error (labs i (a ++ b)) (len a i + z0) = Some (Snd j)) by now rewrite suffix_nth.
    assert (P : forall y, y < at_ (causal_past n (a ++ b) (i, len a i + z0)) j <->
                          causes (fifo (a ++ b)) (j, y) (i, len a i + z0)).
    { intro y. apply (causal_past_spec n (a ++ b) (i, len a i + z0) B W I) with (x := (j, y)).
      - cbn [fst snd]. apply labs_lt in X. lia.
      - eapply send_is_no_receive; eauto. }
    split.
    + intros [H|H] y z Y Z; [lia|]. apply causes_local_ge with (len a i + z0).
      * assert (z0 <= z); [|lia]. apply (F3 z _ Z). now apply sndb_spec.
      * apply P, Nat.ltb_lt, H. now apply receives_spec.
    + intro H. right. intros y Y. apply Nat.ltb_lt, P, H; auto. now apply receives_spec.
Qed.

Lemma is_kept_spec : forall n a b, balanced (a ++ b) -> acts_below n (a ++ b) ->
  (is_kept n a b = true <-> kept_apart a b).
Proof.
  intros n a b B W. unfold is_kept. rewrite for_channels_spec. split.
  - intros H i j y z Y Z. assert (Wa : acts_below n a) by (apply below_app in W; tauto).
    assert (J : j < n) by eauto using below_labs. assert (I : i < n) by (apply (below_peer n a j y _ Wa Y)).
    specialize (H i j I J). rewrite kept_channel_spec in H by auto. auto.
  - intros K i j I J. rewrite kept_channel_spec by auto. intros y z. apply K.
Qed.

Lemma label_eq_dec : forall a b : label, {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Qed.

(** ** All boundaries *)

(** What is before a boundary, and what is behind it. *)
Fixpoint boundaries_of (before : list act) (ls : list (list act)) : list (list act * list act) :=
  (before, concat ls) :: match ls with [] => [] | l :: rest => boundaries_of (before ++ l) rest end.

Lemma boundaries_of_spec : forall ls before a b, In (a, b) (boundaries_of before ls) <->
  exists as_ bs, ls = as_ ++ bs /\ a = before ++ concat as_ /\ b = concat bs.
Proof.
  induction ls as [|l ls IH]; intros before a b; simpl.
  - split.
    + intros [E|[]]. injection E as <- <-. exists [], []. simpl. now rewrite app_nil_r.
    + intros ([|x as_] & bs & E & -> & ->); [simpl in E; subst; left; simpl; now rewrite app_nil_r|discriminate].
  - rewrite IH. split.
    + intros [E|(as_ & bs & -> & -> & ->)].
      * injection E as <- <-. exists [], (l :: ls). simpl. now rewrite app_nil_r.
      * exists (l :: as_), bs. simpl. now rewrite app_assoc.
    + intros ([|x as_] & bs & E & -> & ->); simpl in E.
      * left. subst bs. simpl. now rewrite app_nil_r.
      * right. injection E as <- ->. exists as_, bs. simpl. now rewrite app_assoc.
Qed.

Definition at_boundaries (f : list act -> list act -> bool) (ls : list (list act)) : bool :=
  forallb (fun ab => f (fst ab) (snd ab)) (boundaries_of [] ls).

Lemma at_boundaries_spec : forall f ls, at_boundaries f ls = true <->
  forall as_ bs, ls = as_ ++ bs -> f (concat as_) (concat bs) = true.
Proof.
  intros f ls. unfold at_boundaries. rewrite forallb_forall. split.
  - intros H as_ bs E. apply (H (concat as_, concat bs)). apply boundaries_of_spec. exists as_, bs. auto.
  - intros H [a b] I. apply boundaries_of_spec in I as (as_ & bs & E & -> & ->). now apply H.
Qed.

(** The criterion where nothing or anything may follow, said of boundaries. *)
Lemma reaches_next_boundaries : forall ls,
  reaches_next ls <-> forall as_ bs, ls = as_ ++ bs -> kept_apart (concat as_) (concat bs).
Proof. intro ls. split; [apply boundaries|apply from_boundaries]. Qed.

Lemma reaches_next_or_end_boundaries : forall ls,
  reaches_next_or_end ls <-> forall as_ bs, ls = as_ ++ bs -> covers (concat as_) (concat bs).
Proof.
  intro ls. split.
  - intros [N E] as_ bs Els i j y z Y Z. pose proof (boundaries ls N as_ bs Els) as K.
    destruct Z as [->|[Lz Z]].
    2:{ replace z with (len (concat as_) i + (z - len (concat as_) i)) in * by lia.
        rewrite suffix_nth in Z. now apply K. }
    destruct (in_some_layer as_ j y _ Y) as (before & x & rest & y' & Ea & Ey & Hy).
    destruct (last_receive_exists x j i y' Hy) as (y0 & Last & Ly).
    assert (Els' : ls = before ++ x :: (rest ++ bs)) by (subst; now rewrite <- app_assoc).
    rewrite <- concat_split, <- Els. subst y. apply causes_local_le with (len (concat before) j + y0); [lia|].
    destruct (in_dec label_eq_dec (Snd j) (labs i (concat (rest ++ bs)))) as [S|S].
    + apply In_nth_error in S as [s S]. destruct (first_send_exists _ _ _ _ S) as (s0 & First & _).
      pose proof (N i j before x (rest ++ bs) Els' y0 s0 Last First) as C. apply causes_local_ge with (2 := C).
      destruct First as [First _]. apply labs_lt in First. rewrite Els', concat_split. simpl. rewrite !len_app in *. lia.
    + apply (E before x (rest ++ bs) Els' i j y0 Last). intros s Hs. apply S. eapply nth_error_In; eauto.
  - intro C. split.
    + apply from_boundaries. intros as_ bs E i j y z Y Z. apply (C as_ bs E); auto. right.
      split; [lia|]. now rewrite suffix_nth.
    + intros before x rest E i j y [Y _] _.
      assert (E' : ls = (before ++ [x]) ++ rest) by now rewrite <- app_assoc.
      pose proof (C _ _ E' i j (len (concat before) j + y) (len (concat (before ++ [x]) ++ concat rest) i)) as K.
      rewrite <- concat_split, <- E' in K. apply K; [|left; reflexivity].
      rewrite concat_split. simpl. rewrite app_nil_r. now rewrite suffix_nth.
Qed.

(** ** The decision *)

(** Whether layers stay apart: done once or any number of times; and whatever follows, or nothing. *)
Definition apart_by_graph (n : nat) (repeated open : bool) (ls : list (list act)) : bool :=
  if open then at_boundaries (is_covered n) ls
  else at_boundaries (is_kept n) (if repeated then ls ++ ls else ls).

Definition are_layers (n : nat) (ls : list (list act)) : bool :=
  forallb (is_balanced n) ls && is_composable n (concat ls) [].

Definition phases_decide (n : nat) (repeated open : bool) (ls : list (list act)) : option bool :=
  if are_layers n ls then Some (apart_by_graph n repeated open ls) else None.

(** What the answer is about. *)
Definition stay_apart_as (repeated open : bool) (Ps : list prog) : Prop :=
  let apart := if open then stay_apart_open RelNS else stay_apart RelNS in
  if repeated then forall k, apart (rounds k Ps) else apart Ps.

Lemma below_concat : forall n ls, acts_below n (concat ls) -> forall l, In l ls -> acts_below n l.
Proof. intros n ls W l I a A. apply W, in_concat. exists l. auto. Qed.

Lemma below_part : forall n ls, acts_below n (concat ls) -> forall as_ bs, ls = as_ ++ bs ->
  acts_below n (concat as_ ++ concat bs).
Proof. intros n ls W as_ bs ->. now rewrite concat_split in W. Qed.

Lemma balanced_split : forall ls : list (list act), (forall l, In l ls -> balanced l) ->
  forall as_ bs, ls = as_ ++ bs -> balanced (concat as_) /\ balanced (concat bs).
Proof. intros ls B as_ bs ->. split; apply balanced_concat; intros l I; apply B, in_or_app; auto. Qed.

Section Correct.
Variables (n : nat) (Ps : list prog) (ls : list (list act)).
Hypotheses (Ls : layers Ps ls) (Bls : forall l, In l ls -> balanced l) (W : acts_below n (concat ls)).
Hypotheses (NS : nofself (concat ls)) (DF : dead_free (concat ls)).

Lemma open_correct : at_boundaries (is_covered n) ls = true <-> stay_apart_open RelNS Ps.
Proof.
  rewrite (phases_open Ps ls Ls Bls NS DF), reaches_next_or_end_boundaries, at_boundaries_spec.
  split; intros H as_ bs E; destruct (balanced_split ls Bls as_ bs E) as [Ba Bb];
    apply (is_covered_spec n); auto using balanced_app, (below_part n ls W).
Qed.

Lemma kept_correct : forall ms, (forall l, In l ms -> balanced l) -> acts_below n (concat ms) ->
  (at_boundaries (is_kept n) ms = true <-> reaches_next ms).
Proof.
  intros ms Bms Wm. rewrite reaches_next_boundaries, at_boundaries_spec.
  split; intros H as_ bs E; destruct (balanced_split ms Bms as_ bs E) as [Ba Bb];
    apply (is_kept_spec n); auto using balanced_app, (below_part n ms Wm).
Qed.

Theorem apart_correct : forall repeated open,
  apart_by_graph n repeated open ls = true <-> stay_apart_as repeated open Ps.
Proof.
  intros repeated open. unfold apart_by_graph, stay_apart_as. destruct open.
  - rewrite open_correct. destruct repeated; [|tauto]. split.
    + intros S k. now apply phases_open_repeated.
    + intro S. specialize (S 1). unfold rounds in S. simpl in S. now rewrite app_nil_r in S.
  - destruct repeated.
    + rewrite (phases_repeated Ps ls Ls Bls NS DF). apply kept_correct.
      * intros l I. apply in_app_or in I as [I|I]; auto.
      * rewrite concat_split. apply below_app. auto.
    + rewrite (phases Ps ls Ls Bls NS DF). now apply kept_correct.
Qed.
End Correct.

Theorem phases_decide_correct : forall n Ps ls repeated open b, layers Ps ls ->
  phases_decide n repeated open ls = Some b -> (b = true <-> stay_apart_as repeated open Ps).
Proof.
  intros n Ps ls repeated open b Ls H. unfold phases_decide in H. destruct (are_layers n ls) eqn:C; [|discriminate].
  injection H as <-. unfold are_layers in C. apply andb_true_iff in C as [B C].
  apply is_composable_spec in C as [W _ _ N D]. rewrite app_nil_r in *. rewrite forallb_forall in B.
  apply apart_correct; auto. intros l I. apply (is_balanced_spec n); auto. now apply (below_concat n ls).
Qed.
