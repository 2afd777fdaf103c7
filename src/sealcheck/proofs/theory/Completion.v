(** * What occurs can be completed

    A straight-line program that does not deadlock can be followed by another one after which nothing is missing and
    nothing is left over: first what it waits for is sent, then what nobody has received is received. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Knowledge Teaching Unbalanced.
Open Scope nat_scope.

(** ** Receives at the end *)

Definition consumes (ms : list message) : list act := map (fun m => ARecv (snd m) (fst m)) ms.

Lemma sent_consumes ms : flat_map sent_message (consumes ms) = [].
Proof. induction ms; simpl; auto. Qed.
Lemma received_consumes ms : flat_map received_message (consumes ms) = ms.
Proof. induction ms as [|[i j] ms IH]; simpl; congruence. Qed.
Lemma consumes_receive ms k a : In a (labs k (consumes ms)) -> exists i, a = Rcv i.
Proof.
  intro H. apply in_map_iff in H as (b & <- & H). apply filter_In in H as [H _].
  apply in_map_iff in H as (m & <- & _). simpl. eauto.
Qed.

(** Nothing waits for them, so they do not deadlock. *)
Lemma consumed_dead_free l ms : balanced (l ++ consumes ms) -> dead_free l -> dead_free (l ++ consumes ms).
Proof.
  intros B D. set (r := consumes ms) in *. unfold dead_free. apply by_order with (L := fun x y =>
    (inside (len l) x /\ inside (len l) y /\ causes (fifo l) x y) \/ (inside (len l) x /\ ~ inside (len l) y) \/
    (~ inside (len l) x /\ ~ inside (len l) y /\ fst x = fst y /\ snd x < snd y)).
  - intros [i x] [j y] [[F L]|(a & b & R & De)]; cbn [fst snd] in *.
    + subst j. unfold inside; cbn [fst snd]. destruct (le_lt_dec (len l i) y), (le_lt_dec (len l i) x); try lia.
      left. repeat split; auto. now apply causes_order.
    + assert (E : j = b) by (destruct R; auto). subst b.
      destruct (fifo_match (l ++ r) a j y B) as (z & Ez & Hz & K).
      { destruct R as [_ R]. now apply fifo_lab in R as [R _]; [|discriminate]. }
      rewrite Ez in De. injection De as -> ->. unfold inside; cbn [fst snd].
      assert (Lx : x < len l i).
      { destruct (le_lt_dec (len l i) x) as [G|]; auto. rewrite labs_app, nth_error_app2 in Hz by (rewrite len_labs; lia).
        apply nth_error_In, consumes_receive in Hz as (k & Q). discriminate. }
      destruct (le_lt_dec (len l j) y) as [G|Ly]; [right; left; lia|left]. repeat split; auto.
      destruct R as [_ R]. apply fifo_lab in R as [R _]; [|discriminate]. cbn [fst snd] in R.
      apply prefix_nth_back in R; auto. apply prefix_nth_back in Hz; auto. rewrite !prefix_firstn in K by lia.
      apply t_step. right. exists i, j. split; [split; auto; simpl; now rewrite R|].
      simpl. rewrite R, <- K. f_equal. apply nthpos_count with (Snd j); auto. now apply sndb_spec.
  - intros x y z [(A1 & A2 & A3)|[(A1 & A2)|(A1 & A2 & A3 & A4)]] [(B1 & B2 & B3)|[(B1 & B2)|(B1 & B2 & B3 & B4)]];
      try contradiction; auto.
    + left. repeat split; auto. eapply t_trans; eauto.
    + right. right. repeat split; auto; [congruence|lia].
  - intros x [(_ & _ & A)|[(A & B')|(_ & _ & _ & A)]]; [exact (D x A)|contradiction|lia].
Qed.

(** ** What is left over *)

Lemma surplus (b a : list message) : (forall m, count_occ message_dec b m <= count_occ message_dec a m) ->
  exists c, Permutation a (b ++ c).
Proof.
  revert a. induction b as [|m b IH]; intros a H; [exists a; reflexivity|].
  assert (I : In m a).
  { apply (count_occ_In message_dec). specialize (H m). rewrite count_occ_cons_eq in H by auto. lia. }
  apply in_split in I as (a1 & a2 & ->). destruct (IH (a1 ++ a2)) as (c & P).
  - intro x. specialize (H x). rewrite count_occ_app in *. simpl in H.
    destruct (message_dec m x); lia.
  - exists c. simpl. rewrite <- P. symmetry. apply Permutation_middle.
Qed.

(** ** The completion *)

Lemma completed n p t : balanced p -> within n t -> nofself (p ++ t) -> dead_free (p ++ t) ->
  exists q, balanced (t ++ q) /\ within n (t ++ q) /\ nofself (p ++ t ++ q) /\ dead_free (p ++ t ++ q).
Proof.
  intros B W N D. set (u := t ++ supplies t).
  destruct (surplus (flat_map received_message u) (flat_map sent_message u)) as (ms & Perm).
  { intros [i j]. rewrite count_received, count_sent. apply supplies_enough. }
  exists (supplies t ++ consumes ms). rewrite (app_assoc t). fold u.
  assert (Bu : balanced (u ++ consumes ms)).
  { intros i j. rewrite <- count_sent, <- count_received, !flat_map_app, sent_consumes, received_consumes, app_nil_r.
    apply (Permutation_count_occ message_dec), Perm. }
  assert (Bt : forall i j, In (ARecv j i) t -> i < n /\ j < n) by (intros i j I; exact (W _ I)).
  assert (Wu : within n u).
  { intros a I. apply in_app_or in I as [I|I]; [exact (W a I)|]. apply in_map_iff in I as ([i j] & <- & I).
    apply in_flat_map in I as (b & I & E). destruct b; simpl in E; try contradiction. destruct E as [E|[]].
    injection E as <- <-. exact (Bt _ _ I). }
  assert (Nu : nofself (p ++ u)).
  { intros i I. apply (supplies_nofself (p ++ t) N D i). unfold u in I. rewrite app_assoc, labs_app in I.
    rewrite labs_app. apply in_or_app. apply in_app_or in I as [I|I]; [now left|right].
    unfold supplies in *. rewrite flat_map_app, map_app, labs_app. apply in_or_app. now right. }
  split; [exact Bu|split; [|split]].
  - intros a I. apply in_app_or in I as [I|I]; [exact (Wu a I)|]. apply in_map_iff in I as ([i j] & <- & I).
    assert (S : In (i, j) (flat_map sent_message u))
      by (apply (Permutation_in _ (Permutation_sym Perm)), in_or_app; auto).
    apply in_flat_map in S as (b & S & E). destruct b; simpl in E; try contradiction. destruct E as [E|[]].
    injection E as <- <-. exact (Wu _ S).
  - intros i I. rewrite app_assoc, labs_app in I. apply in_app_or in I as [I|I]; [exact (Nu i I)|].
    apply consumes_receive in I as (k & E). discriminate.
  - rewrite app_assoc. apply consumed_dead_free; [rewrite <- app_assoc; now apply balanced_app|].
    unfold u. rewrite app_assoc. apply sends_dead_free; auto. intros k a I.
    apply supplies_spec in I as (j & E & _). eauto.
Qed.
