(** * Whether layers in sequence stay apart, computed

    The criterion of [Phases], said of boundaries: what is received before a boundary between two layers reaches what
    is sent behind it on the same channel. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality Prefix Phases PhasesRepeated.
From Sealcheck Require Import Clocks.
Open Scope nat_scope.

(** ** All boundaries *)

Lemma label_eq_dec : forall a b : label, {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Qed.

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
      destruct First as [First _]. apply labs_lt in First. rewrite Els', concat_split. simpl.
      rewrite !len_app in *. lia.
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

(** Whether layers stay apart: done once or any number of times; and whatever follows, or nothing.  Two rounds say what
    becomes of more.  [None] if these are no layers, or not in an order in which they can happen. *)
Definition phases_decide (n : nat) (repeated open : bool) (ls : list (list act)) : option bool :=
  match play n ls with
  | None => None
  | Some st =>
      if open then Some (kept st && ends_reached n (settled_up_to st) st (concat ls))
      else if repeated then match play n (ls ++ ls) with Some twice => Some (kept twice) | None => None end
      else Some (kept st)
  end.

(** What the answer is about. *)
Definition stay_apart_as (repeated open : bool) (Ps : list prog) : Prop :=
  let apart := if open then stay_apart_open RelNS else stay_apart RelNS in
  if repeated then forall k, apart (rounds k Ps) else apart Ps.

(** All boundaries, and the end. *)
Lemma covers_boundaries : forall ls,
  (forall as_ bs, ls = as_ ++ bs -> covers (concat as_) (concat bs)) <->
  (forall as_ bs, ls = as_ ++ bs -> kept_apart (concat as_) (concat bs)) /\ reach_ends (concat ls) (concat ls).
Proof.
  intro ls. split.
  - intro C. split.
    + intros as_ bs E i j y z Y Z. apply (C as_ bs E); auto. right. split; [lia|]. now rewrite suffix_nth.
    + intros i j y Y. assert (E : concat ls = concat ls ++ concat []) by (simpl; now rewrite app_nil_r).
      specialize (C ls [] ltac:(now rewrite app_nil_r) i j y (len (concat ls ++ concat []) i) Y (or_introl eq_refl)).
      now rewrite <- E in C.
  - intros [K R] as_ bs E i j y z Y [->|[L Z]].
    + rewrite <- concat_split, <- E. apply R. rewrite E, concat_split. now apply prefix_nth.
    + replace z with (len (concat as_) i + (z - len (concat as_) i)) in * by lia. rewrite suffix_nth in Z.
      now apply (K as_ bs E).
Qed.

Lemma open_correct : forall n Ps ls st, layers Ps ls -> played_by_clocks n ls st ->
  (kept st && ends_reached n (settled_up_to st) st (concat ls) = true <-> stay_apart_open RelNS Ps).
Proof.
  intros n Ps ls st Ls P. pose proof (played_going _ _ _ P) as G.
  rewrite andb_true_iff, (played_kept _ _ _ P),
    (ends_reached_settled n (concat ls) (concat ls) ls (settled_up_to st) st) by
    (auto; try apply (played_below _ _ _ P); apply G).
  rewrite (phases_open Ps ls Ls (played_balanced _ _ _ P) (played_noself _ _ _ P) (played_dead_free _ _ _ P)).
  now rewrite reaches_next_or_end_boundaries, covers_boundaries.
Qed.

Theorem phases_decide_correct : forall n Ps ls repeated open b, layers Ps ls ->
  phases_decide n repeated open ls = Some b -> (b = true <-> stay_apart_as repeated open Ps).
Proof.
  intros n Ps ls repeated open b Ls H. unfold phases_decide in H. destruct (play n ls) as [st|] eqn:Pl; [|discriminate].
  apply play_correct in Pl as P. pose proof (played_balanced _ _ _ P) as B.
  pose proof (played_noself _ _ _ P) as N. pose proof (played_dead_free _ _ _ P) as D. unfold stay_apart_as.
  destruct open.
  - injection H as <-. rewrite (open_correct n Ps ls st Ls P). destruct repeated; [|tauto]. split.
    + intros S k. now apply phases_open_repeated.
    + intro S. specialize (S 1). unfold rounds in S. simpl in S. now rewrite app_nil_r in S.
  - destruct repeated.
    + destruct (play n (ls ++ ls)) as [twice|] eqn:Pl2; [|discriminate]. injection H as <-. apply play_correct in Pl2.
      now rewrite (phases_repeated Ps ls Ls B N D), reaches_next_boundaries, (played_kept _ _ _ Pl2).
    + injection H as <-. now rewrite (phases Ps ls Ls B N D), reaches_next_boundaries, (played_kept _ _ _ P).
Qed.
