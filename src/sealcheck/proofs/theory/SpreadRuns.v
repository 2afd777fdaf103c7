(** * Room between the events of a run

    The same events and messages, further apart: so a program before can do more than what was there ([BarriersDecided],
    [InfiniteBarriersDecided]). *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs TccImpossibility Variables.
Open Scope nat_scope.

Section Spread.
Variables (r : vrun) (place back : proc -> nat -> nat) (st : proc -> nat -> state).
Hypothesis Order : forall p x y, x < y -> place p x < place p y.
Hypothesis Back : forall p x, back p (place p x) = x.

(** Event [x] of [p] becomes its event [place p x]; the others are internal. *)
Definition spread_to (e : event) : event := (fst e, place (fst e) (snd e)).
Definition spread_from (e : event) : event := (fst e, back (fst e) (snd e)).
Definition spread_run : run := {|
  lab := fun p y => if place p (back p y) =? y then lab r p (back p y) else Int;
  delta := fun e => spread_to (delta r (spread_from e));
  val := fun e => val r (spread_from e) |}.
Definition spread_apart : vrun := {| base := spread_run; states := st |}.

Lemma spread_from_to e : spread_from (spread_to e) = e.
Proof. destruct e as [p x]. unfold spread_from, spread_to. cbn [fst snd]. now rewrite Back. Qed.
Lemma spread_to_lab e : lab spread_run (fst (spread_to e)) (snd (spread_to e)) = lab r (fst e) (snd e).
Proof. destruct e as [p x]. unfold spread_to. simpl. now rewrite Back, Nat.eqb_refl. Qed.
Lemma is_spread_to e : lab spread_run (fst e) (snd e) <> Int -> spread_to (spread_from e) = e.
Proof.
  destruct e as [p y]. unfold spread_to, spread_from. simpl. intro L.
  destruct (place p (back p y) =? y) eqn:Q; [|congruence].
  apply Nat.eqb_eq in Q. now rewrite Q.
Qed.
Lemma spread_rcv e i j : is_rcv spread_apart e i j ->
  exists e0, e = spread_to e0 /\ is_rcv r e0 i j /\
    delta spread_apart e = spread_to (delta r e0) /\ val spread_apart e = val r e0.
Proof.
  intros [F L]. exists (spread_from e).
  assert (E : spread_to (spread_from e) = e) by (apply is_spread_to; simpl in L |- *; congruence).
  split; [auto|split; [|auto]]. split; [auto|]. rewrite <- E in L. change (lab spread_apart) with (lab spread_run) in L.
  now rewrite spread_to_lab in L.
Qed.
Lemma spread_to_rcv e i j : is_rcv r e i j -> is_rcv spread_apart (spread_to e) i j.
Proof. intros [F L]. split; auto. change (lab spread_apart) with (lab spread_run). now rewrite spread_to_lab. Qed.
Lemma spread_to_snd e i j : is_snd r e i j -> is_snd spread_apart (spread_to e) i j.
Proof. intros [F L]. split; auto. change (lab spread_apart) with (lab spread_run). now rewrite spread_to_lab. Qed.
Lemma spread_snd e i j : is_snd spread_apart e i j -> spread_to (spread_from e) = e /\ is_snd r (spread_from e) i j.
Proof.
  intros [F L]. assert (E : spread_to (spread_from e) = e) by (apply is_spread_to; simpl in L |- *; congruence).
  split; [auto|].
  rewrite <- E in F, L. split; auto. change (lab spread_apart) with (lab spread_run) in L.
  now rewrite spread_to_lab in L.
Qed.
Lemma spread_to_order p x y : place p x <= place p y -> x <= y.
Proof. intro L. destruct (le_lt_dec x y) as [|G]; auto. apply (Order p) in G. lia. Qed.

(** Causality is that of [r], up to the order of the processes. *)
Lemma spread_causal : matching r -> forall e, ~ causes spread_apart e e.
Proof.
  intro M. set (le := fun x y : event => fst x = fst y /\ snd x <= snd y).
  assert (Sh : forall a b, le (spread_to a) (spread_to b) -> a = b \/ causes r a b).
  { intros [p x] [q y] [F L]. unfold spread_to in F, L. cbn [fst snd] in F, L. subst q. apply spread_to_order in L.
    destruct (Nat.eq_dec x y) as [->|N]; [auto|right]. apply causes_order. lia. }
  apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/
    exists a b, le x (spread_to a) /\ causes r a b /\ le (spread_to b) y).
  - intros x y [H|(i & j & Re & D)]; [auto|right]. apply spread_rcv in Re as (e0 & -> & Re & E & _).
    exists (delta r e0), e0. rewrite <- D, E. split; [split; auto|split; [|split; auto]]. eapply causes_msg; eauto.
  - intros x y z [[A A']|(a & b & A1 & A2 & A3)] [[B B']|(a' & b' & B1 & B2 & B3)]; unfold le in *.
    + left. split; [congruence|lia].
    + right. exists a', b'. split; [split; [destruct B1; congruence|lia]|auto].
    + right. exists a, b. split; [auto|split; [auto|]]. destruct A3. split; [congruence|lia].
    + right. exists a, b'. split; [auto|split; [|auto]].
      destruct (Sh b a') as [<-|C]; [split; [destruct A3, B1; congruence|lia]|eapply t_trans; eauto|].
      eapply t_trans; [exact A2|]. eapply t_trans; eauto.
  - intros x [[_ A]|(a & b & A1 & A2 & A3)]; [lia|]. apply (causal r M a). unfold le in *.
    destruct (Sh b a) as [->|C]; [split; [destruct A3, A1; congruence|lia]|auto|eapply t_trans; eauto].
Qed.
Lemma spread_runs n : runs_of n r -> runs_of n spread_apart.
Proof.
  intros [[[[M T] Re] N] A]. split; [split; [split; [split; [split|]|]|]|].
  - intros e i j R. apply spread_rcv in R as (e0 & _ & R & -> & _). now apply spread_to_snd, (delta_snd r M).
  - intros e i j e' i' j' R R' E. apply spread_rcv in R as (e0 & -> & R & D & _), R' as (e0' & -> & R' & D' & _).
    f_equal. apply (delta_inj r M _ _ _ _ _ _ R R'). rewrite D, D' in E. apply (f_equal spread_from) in E.
    now rewrite !spread_from_to in E.
  - now apply spread_causal.
  - intros e i j R. apply spread_rcv in R as (e0 & _ & R & -> & ->).
    change (val spread_apart (spread_to ?x)) with (val r (spread_from (spread_to x))).
    rewrite spread_from_to. apply (T _ _ _ R).
  - intros s i j S U. apply spread_snd in S as [E S]. destruct (Re (spread_from s) i j S) as [k0 K].
    + intros e a b R D. apply (U _ _ _ (spread_to_rcv _ _ _ R)).
      change (delta spread_apart (spread_to e)) with (spread_to (delta r (spread_from (spread_to e)))).
      now rewrite spread_from_to, D.
    + exists (place i k0). intros k Lk Sk e a b R D. apply spread_snd in Sk as [Ek Sk].
      apply spread_rcv in R as (e0 & -> & R & D' & _).
      assert (X : delta r e0 = spread_from (i, k)).
      { rewrite <- Ek, D' in D. apply (f_equal spread_from) in D. now rewrite !spread_from_to in D. }
      unfold spread_from in Ek, X, Sk. unfold spread_to in Ek. cbn [fst snd] in Ek, X, Sk.
      apply (K (back i k)) with (e := e0) (i := a) (j := b); auto.
      apply (spread_to_order i). injection Ek as ->. exact Lk.
  - intros e i S. apply spread_snd in S as [_ S]. exact (N _ _ S).
  - intros p y. simpl. destruct (place p (back p y) =? y); [apply A|exact I].
Qed.
End Spread.
