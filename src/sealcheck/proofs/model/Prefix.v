(** * A program and what follows it

    What the program graph of [l ++ t] has to do with that of [l]: paths between events of [l] are the same, and if
    [t] is balanced, too, its receives take messages of [t]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine.
Open Scope nat_scope.

(** Events of [l] are those of [l ++ t] that come first in their processes. *)
Lemma prefix_nth k l t y a : nth_error (labs k l) y = Some a -> nth_error (labs k (l ++ t)) y = Some a.
Proof. intro H. rewrite labs_app, nth_error_app1; auto. apply nth_error_Some; congruence. Qed.

Lemma prefix_nth_back k l t y a : nth_error (labs k (l ++ t)) y = Some a -> y < len l k ->
  nth_error (labs k l) y = Some a.
Proof. intros H L. rewrite labs_app, nth_error_app1 in H; auto. rewrite len_labs; auto. Qed.

Lemma prefix_firstn k l t y : y <= len l k -> firstn y (labs k (l ++ t)) = firstn y (labs k l).
Proof.
  intro H. rewrite labs_app, firstn_app, len_labs. replace (y - len l k) with 0 by lia. simpl. apply app_nil_r.
Qed.

(** Whatever follows, a receive of [l] takes the same message. *)
Lemma delta_prefix l t i j y : balanced l -> nth_error (labs j l) y = Some (Rcv i) ->
  delta (fifo (l ++ t)) (j, y) = delta (fifo l) (j, y).
Proof.
  intros B L. destruct (fifo_match l i j y B L) as (z & E & Hz & C). rewrite E.
  unfold fifo; cbn [delta fst snd]. rewrite (prefix_nth _ _ t _ _ L). f_equal.
  rewrite prefix_firstn by (apply labs_lt in L; lia). rewrite <- C.
  rewrite <- (prefix_firstn i l t z) by (apply labs_lt in Hz; lia).
  apply nthpos_count with (Snd j); [apply prefix_nth; auto|apply sndb_spec; auto].
Qed.

(** What a causal step into a receive of the program is. *)
Lemma fifo_step_receive l x j y i : balanced l -> is_rcv (fifo l) (j, y) i j -> delta (fifo l) (j, y) = x ->
  exists z, x = (i, z) /\ nth_error (labs i l) z = Some (Snd j) /\ nth_error (labs j l) y = Some (Rcv i).
Proof.
  intros B [_ L] D. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
  destruct (fifo_match l i j y B L) as (z & E & Hz & _). exists z. split; [congruence|auto].
Qed.

(** Causality of [l] stays when [t] follows ... *)
Lemma fifo_mono l t : balanced l -> forall x y, causes (fifo l) x y -> causes (fifo (l ++ t)) x y.
Proof.
  intros B. induction 1 as [x [j y] S|]; [|eapply t_trans; eauto]. apply t_step.
  destruct S as [S|(i & j' & R & D)]; [left; auto|right]. assert (E : j' = j) by (destruct R; auto). subst j'.
  destruct (fifo_step_receive l x j y i B R D) as (z & _ & _ & L).
  exists i, j. split; [split; auto; simpl; now rewrite (prefix_nth _ _ t _ _ L)|].
  now rewrite (delta_prefix l t i j y B L).
Qed.

(** ... and there is no more of it: what reaches an event of [l] does so within [l]. *)
Lemma fifo_back_step l t : balanced l -> forall x y, step (fifo (l ++ t)) x y -> inside (len l) y ->
  step (fifo l) x y /\ inside (len l) x.
Proof.
  intros B x [j y] [[F L]|(i & j' & [F L] & D)] I; unfold inside in *; cbn [fst snd] in *.
  - split; [left; auto|]. rewrite F. lia.
  - subst j'. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
    pose proof (prefix_nth_back _ _ _ _ _ L I) as Ll.
    rewrite (delta_prefix l t i j y B Ll) in D.
    destruct (fifo_match l i j y B Ll) as (z & E & Hz & _). rewrite E in D; subst x.
    split; [right; exists i, j; repeat split; auto; simpl; now rewrite Ll|simpl; now apply labs_lt in Hz].
Qed.

Lemma fifo_back l t : balanced l -> forall x y, causes (fifo (l ++ t)) x y -> inside (len l) y ->
  causes (fifo l) x y /\ inside (len l) x.
Proof.
  intros B x y C. induction C as [x y S|x u y C1 IH1 C2 IH2]; intro I.
  - destruct (fifo_back_step l t B x y S I) as [S' I']. split; auto. now apply t_step.
  - destruct (IH2 I) as [A1 A2], (IH1 A2) as [A3 A4]. split; auto. eapply t_trans; eauto.
Qed.

(** The receives of [t] take messages of [t]. *)
Lemma later_message l t i j y : balanced l -> balanced (l ++ t) ->
  nth_error (labs j (l ++ t)) y = Some (Rcv i) -> len l j <= y ->
  exists z, delta (fifo (l ++ t)) (j, y) = (i, z) /\ nth_error (labs i (l ++ t)) z = Some (Snd j) /\ len l i <= z.
Proof.
  intros Bl B H G. destruct (fifo_match _ i j y B H) as (z & E & Hz & C). exists z. repeat split; auto.
  destruct (le_lt_dec (len l i) z) as [|Lz]; auto. exfalso.
  assert (y < len l j); [|lia]. rewrite <- len_labs in Lz |- *. rewrite labs_app in H, Hz.
  apply (part (rcvb i) (labs j l) (labs j t) y _ H); [apply rcvb_spec; auto|].
  rewrite <- labs_app, <- C, <- Bl, labs_app.
  refine (proj1 (part (sndb j) (labs i l) (labs i t) z _ Hz _) _); [apply sndb_spec; auto|exact Lz].
Qed.

(** ** What comes later

    The program graph of [b] stands in that of [a ++ b], after [a]. *)

Definition later (a : list act) (e : event) : event := (fst e, len a (fst e) + snd e).

Lemma suffix_nth k a b y : nth_error (labs k (a ++ b)) (len a k + y) = nth_error (labs k b) y.
Proof.
  rewrite labs_app, nth_error_app2 by (rewrite len_labs; lia). rewrite len_labs. f_equal. lia.
Qed.

Lemma suffix_count {f : label -> bool} k a b y : length (filter f (firstn (len a k + y) (labs k (a ++ b)))) =
  length (filter f (labs k a)) + length (filter f (firstn y (labs k b))).
Proof.
  rewrite labs_app, firstn_app, firstn_all2 by (rewrite len_labs; lia). rewrite filter_app, app_length.
  rewrite len_labs. now replace (len a k + y - len a k) with y by lia.
Qed.

Lemma delta_suffix a b i j y : balanced a -> balanced b -> nth_error (labs j b) y = Some (Rcv i) ->
  delta (fifo (a ++ b)) (later a (j, y)) = later a (delta (fifo b) (j, y)).
Proof.
  intros Ba Bb H. destruct (fifo_match b i j y Bb H) as (z & -> & Hz & C).
  unfold later, fifo; cbn [delta fst snd]. rewrite suffix_nth, H. f_equal.
  rewrite suffix_count, <- Ba, <- C, <- suffix_count.
  apply nthpos_count with (Snd j); [now rewrite suffix_nth|now apply sndb_spec].
Qed.

Lemma causes_suffix a b x y : balanced a -> balanced b -> causes (fifo b) x y ->
  causes (fifo (a ++ b)) (later a x) (later a y).
Proof.
  intros Ba Bb. induction 1 as [x [j y] S|x u y _ A _ B]; [|eapply t_trans; eauto]. apply t_step.
  destruct S as [[F L]|(i & j' & R & D)].
  - left. unfold later; simpl in *. rewrite F. split; [reflexivity|lia].
  - assert (E : j = j') by (destruct R; auto). subst j'.
    destruct (fifo_step_receive b x j y i Bb R D) as (z & _ & _ & Hy).
    right. exists i, j. split.
    + split; [reflexivity|]. simpl. now rewrite suffix_nth, Hy.
    + rewrite (delta_suffix a b i j y Ba Bb Hy). now rewrite D.
Qed.

(** A causal step from an event of [b] is one in [b]. *)
Lemma suffix_back_step a b x y : balanced a -> balanced b -> step (fifo (a ++ b)) (later a x) y ->
  exists y', y = later a y' /\ step (fifo b) x y'.
Proof.
  intros Ba Bb S. assert (O : len a (fst y) <= snd y).
  { destruct (le_lt_dec (len a (fst y)) (snd y)) as [|I]; auto. exfalso.
    destruct (fifo_back_step a b Ba _ _ S I) as [_ I']. unfold inside, later in I'. simpl in I'. lia. }
  exists (fst y, snd y - len a (fst y)). split.
  - unfold later. destruct y; simpl in *. f_equal. lia.
  - destruct y as [j y], x as [i x]; simpl in O |- *. destruct S as [[F L]|(i' & j' & [F L] & D)]; cbn [fst snd] in *.
    + left. unfold later in *. simpl in *. subst j. split; [reflexivity|lia].
    + subst j'. right. exists i', j. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
      replace y with (len a j + (y - len a j)) in L by lia. rewrite suffix_nth in L.
      split; [split; auto; simpl; now rewrite L|].
      assert (D' : delta (fifo (a ++ b)) (later a (j, y - len a j)) = later a (i, x)).
      { unfold later at 1. simpl fst; simpl snd. replace (len a j + (y - len a j)) with y by lia. exact D. }
      rewrite (delta_suffix a b i' j _ Ba Bb L) in D'. destruct (delta (fifo b) (j, y - len a j)) as [i2 x2].
      unfold later in D'. simpl in D'. injection D' as -> E. f_equal. lia.
Qed.

(** Layers that do not deadlock do not deadlock one after the other. *)
Lemma dead_free_app a b : balanced a -> balanced b -> dead_free a -> dead_free b -> dead_free (a ++ b).
Proof.
  intros Ba Bb Da Db e C.
  destruct (lt_dec (snd e) (len a (fst e))) as [I|O].
  - destruct (fifo_back a b Ba _ _ C I) as [C' _]. apply (Da e C').
  - assert (G : forall x y, causes (fifo (a ++ b)) (later a x) y -> exists y', y = later a y' /\ causes (fifo b) x y').
    { intros x y Cx. apply clos_trans_tn1 in Cx. induction Cx as [y S|y z S _ (y' & -> & C')].
      - destruct (suffix_back_step a b x y Ba Bb S) as (y' & E & S'). exists y'. split; auto. now apply t_step.
      - destruct (suffix_back_step a b y' z Ba Bb S) as (z' & E & S'). exists z'. split; auto.
        eapply t_trans; [exact C'|now apply t_step]. }
    destruct e as [j k]. simpl in O.
    assert (E : (j, k) = later a (j, k - len a j)) by (unfold later; simpl; f_equal; lia).
    rewrite E in C at 1. destruct (G _ _ C) as ([j' y] & Ey & Cy). unfold later in Ey. simpl in Ey.
    injection Ey as <- Ek. apply (Db (j, y)). now replace (k - len a j) with y in Cy by lia.
Qed.

(** The empty program is a BSL. *)
Lemma nothing_dead_free : dead_free [].
Proof.
  unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
  - intros x [j y] [S|(i & b & [_ L] & _)]; [exact S|]. simpl in L. unfold labs in L. simpl in L.
    destruct y; discriminate.
  - intros x y z [A1 A2] [B1 B2]. split; [congruence|lia].
  - intros x [_ L]. lia.
Qed.
Lemma eps_bsl n : BSL n Eps [].
Proof. constructor; [reflexivity|intros i j; reflexivity|intros i []|intros a []|exact nothing_dead_free]. Qed.
