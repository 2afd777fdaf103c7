(** * Which programs are barriers

    "A program is a barrier in Rel iff each of its paths that occur has a silent cut, and what it sends and receives is
    between its first and its last one."  That such a program is a barrier holds here, too.  The converse fails, as
    expressions may read here what has been sent and received; the paper's read variables only, so that a program before
    can hide a message from them: with variables both hold ([BarriersDecided]). *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine TccImpossibility NoBarrier ExamplesRuns.
From Sealcheck Require Import Values GraphCause.
Open Scope nat_scope.

(** ** The silent cuts that an occurrence passes *)

(** [along r c p d l]: [p] occurs over r[c,d] and passes the silent cuts [l], in this order. *)
Inductive along (r : run) : cut -> prog -> cut -> list cut -> Prop :=
| A_none c p d : p <> Chop -> (forall p1 p2, p <> Lay p1 p2 /\ p <> Choice p1 p2) -> (forall q, p <> Star q) ->
    occurs r c p d -> along r c p d []
| A_chop c d : occurs r c Chop d -> along r c Chop d [d]
| A_lay c m d p q k l : along r c p m k -> along r m q d l -> along r c (Lay p q) d (k ++ l)
| A_ch1 c d p q l : along r c p d l -> along r c (Choice p q) d l
| A_ch2 c d p q l : along r c q d l -> along r c (Choice p q) d l
| A_st0 c d p : ceq c d -> along r c (Star p) d []
| A_st1 c m d p k l : along r c p m k -> along r m (Star p) d l -> along r c (Star p) d (k ++ l).

Lemma along_occurs r c p d l : along r c p d l -> occurs r c p d.
Proof.
  induction 1; auto.
  - eapply O_lay; eauto.
  - now apply O_ch1.
  - now apply O_ch2.
  - now apply O_st0.
  - eapply O_st1; eauto.
Qed.
Lemma occurs_along r c p d : occurs r c p d -> exists l, along r c p d l.
Proof.
  induction 1.
  1-5: exists []; apply A_none; try discriminate; [split; discriminate|now constructor].
  - exists [d]. apply A_chop. now constructor.
  - destruct IHoccurs1 as [k A], IHoccurs2 as [l B]. exists (k ++ l). now apply A_lay with m.
  - destruct IHoccurs as [l A]. exists l. now apply A_ch1.
  - destruct IHoccurs as [l A]. exists l. now apply A_ch2.
  - exists []. now apply A_st0.
  - destruct IHoccurs1 as [k A], IHoccurs2 as [l B]. exists (k ++ l). now apply A_st1 with m.
Qed.

(** They are silent, and lie between the ends. *)
Lemma along_silent r c p d l : along r c p d l -> forall t, In t l -> silent r t /\ cle c t /\ cle t d.
Proof.
  assert (Trans : forall a b c, cle a b -> cle b c -> cle a c)
    by (intros a b c0 H K k; specialize (H k); specialize (K k); lia).
  induction 1; intros t I; try contradiction; auto.
  - destruct I as [<-|[]]. apply chop_iff in H as [E S]. split; [now apply silent_ceq with c|].
    split; intro k; specialize (E k); lia.
  - pose proof (occurs_le _ _ _ _ (along_occurs _ _ _ _ _ H)). pose proof (occurs_le _ _ _ _ (along_occurs _ _ _ _ _ H0)).
    apply in_app_or in I as [I|I]; [apply IHalong1 in I|apply IHalong2 in I]; destruct I as (A & B & C);
      split; auto; split; eauto.
  - pose proof (occurs_le _ _ _ _ (along_occurs _ _ _ _ _ H)). pose proof (occurs_le _ _ _ _ (along_occurs _ _ _ _ _ H0)).
    apply in_app_or in I as [I|I]; [apply IHalong1 in I|apply IHalong2 in I]; destruct I as (A & B & C);
      split; auto; split; eauto.
Qed.

(** ** Enough *)

(** There is a silent cut, and no communication before the first one or after the last one. *)
Definition closed_along (r : run) (c : cut) (l : list cut) (d : cut) := match l with
  | [] => False
  | first :: _ => forall e, between c first e \/ between (last l first) d e -> ~ comm r e
  end.

(** Where nothing communicates before a silent cut, there is silence from the start. *)
Lemma quiet_start r c t : silent r t -> cle c t -> (forall e, between c t e -> ~ comm r e) -> matching r -> silent r c.
Proof.
  intros St L Q M e i j R.
  assert (H : forall e, comm r e -> (inside c e <-> inside t e)).
  { intros y C. split; [unfold inside; specialize (L (fst y)); lia|]. intro I.
    destruct (le_lt_dec (c (fst y)) (snd y)) as [G|G]; [|exact G]. exfalso. apply (Q y); auto. split; auto.
    unfold inside. lia. }
  rewrite !H; [apply (St _ _ _ R)| |].
  - exists i, j. left. apply (delta_snd r M _ _ _ R).
  - exists i, j. now right.
Qed.

(** _Enough_, of programs of the whole language. *)
Theorem closed_is_barrier : forall B, (forall r c d l, RelNS r -> along r c B d l -> closed_along r c l d) ->
  Barrier RelNS B.
Proof.
  intros B H P Q r c d R O. apply chop_first in O as [S O]. apply lay_iff in O as (m & OP & O).
  apply lay_iff in O as (n & OB & OQ). destruct (occurs_along _ _ _ _ OB) as [l A].
  pose proof (H r m n l R A) as C. pose proof (along_silent _ _ _ _ _ A) as Al. pose proof R as [[[M _] _] _].
  destruct l as [|first l]; [destruct C|]. cbn [closed_along] in C.
  destruct (Al first) as (S1 & L1 & _); [now left|].
  destruct (Al (last (first :: l) first)) as (S2 & _ & L2).
  { clear. assert (X : forall x y, In (last (x :: l) y) (x :: l)); [|apply X].
    induction l as [|a l IH]; intros x y; [now left|right; apply IH]. }
  apply chop_middle. exists m. split; [auto|split; [apply quiet_start with first; auto|]].
  apply chop_middle. exists n. split; [auto|split; auto]. apply quiet_end with (last (first :: l) first); auto.
Qed.

(** ** Not needed, where expressions see messages *)

(** How much a process has sent and received. *)
Definition is_communication (x : label * value) := match fst x with Int => false | _ => true end.
Definition comms_so_far : expr := fun h => Z.of_nat (length (filter is_communication h)).
Definition first_words : prog :=
  Lay (Guard (And (Equal 0 comms_so_far 0 zero) (Equal 1 comms_so_far 1 zero))) (Lay (mt 0 1 zero) Chop).

Lemma counted_nothing r i k : comms_so_far (past r i k) = 0%Z -> forall x, x < k -> lab r i x = Int.
Proof.
  unfold comms_so_far, past. intros H x L.
  destruct (lab r i x) as [j|j|] eqn:E; auto; exfalso;
    (assert (I : In (lab r i x, val r (i, x))
      (filter is_communication (map (fun x => (lab r i x, val r (i, x))) (seq 0 k))))
      by (apply filter_In; split; [apply (in_map (fun x => (lab r i x, val r (i, x)))), in_seq; lia|];
          unfold is_communication; cbn [fst]; now rewrite E));
    (destruct (filter _ _); [destruct I|simpl in H; lia]).
Qed.

(** Before its only silent cut this barrier sends a message.  What precedes it cannot take that, nor leave one for its
    receive: else its guard does not hold. *)
Theorem barrier_may_send_before_its_cut : Barrier RelNS first_words /\
  exists r c d l, RelNS r /\ along r c first_words d l /\ ~ closed_along r c l d.
Proof.
  split.
  - intros P Q r c d R O. apply chop_first in O as [_ O]. apply lay_iff in O as (m & OP & O).
    apply lay_iff in O as (n & OB & OQ). apply chop_middle. exists m. split; auto.
    assert (X : silent r m /\ silent r n).
    { pose proof R as [[[M _] _] _]. apply lay_iff in OB as (g & OG & OB). 
      assert (E : ceq m g /\ comms_so_far (past r 0 (m 0)) = 0%Z /\ comms_so_far (past r 1 (m 1)) = 0%Z)
        by (inversion OG; subst; split; auto).
      destruct E as (E & G0 & G1).
      apply chop_last in OB as [OM Sn]. split; [|exact Sn].
      pose proof (occurs_follows r (mt 0 1 zero) (mt_actions 0 1) eq_refl _ _ OM) as F.
      assert (N : forall k, n k = m k + (if k <? 2 then 1 else 0)).
      { intro k. rewrite (proj1 (F k)), <- (E k). destruct k as [|[|k]]; reflexivity. }
      assert (Q0 : forall i x, i < 2 -> x < m i -> lab r i x = Int).
      { intros i x Li Lx. destruct i as [|[|i]]; [eapply counted_nothing; eauto..|lia]. }
      assert (St : standing r g (mt_actions 0 1)) by (intro k; apply F).
      destruct (stand_lab r g _ 0 0 (Snd 1) St eq_refl) as [L0 _], (stand_lab r g _ 1 0 (Rcv 0) St eq_refl) as [L1 _].
      rewrite <- (E 0) in L0. rewrite <- (E 1) in L1. rewrite Nat.add_0_r in L0, L1.
      intros [b y] i j Re. pose proof (Sn _ _ _ Re) as In. pose proof (delta_snd r M _ _ _ Re) as [Fs Ls].
      destruct Re as [Fb Lb]. destruct (delta r (b, y)) as [a x]. cbn [fst snd] in *. subst a b.
      unfold inside in *. cbn [fst snd] in *. rewrite !N in In.
      destruct (j <? 2) eqn:Ej, (i <? 2) eqn:Ei; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; try lia.
      + split; intro L; exfalso; [rewrite (Q0 j y) in Lb|rewrite (Q0 i x) in Ls]; try discriminate; auto.
      + split; intro L; [rewrite (Q0 j y) in Lb; [discriminate|auto..]|].
        destruct (lt_dec y (m j)) as [|G]; auto. exfalso. assert (y = m j) by lia. subst y.
        destruct j as [|[|j]]; [congruence| |lia]. rewrite L1 in Lb. injection Lb as <-. lia.
      + split; intro L; [|rewrite (Q0 i x) in Ls; [discriminate|auto..]].
        destruct (lt_dec x (m i)) as [|G]; auto. exfalso. assert (x = m i) by lia. subst x.
        destruct i as [|[|i]]; [|congruence|lia]. rewrite L0 in Ls. injection Ls as <-. lia. }
    destruct X as [Sm Sn]. split; auto. apply chop_middle. eauto.
  - destruct (occurs_somewhere (mt 0 1 zero) (mt_actions 0 1)) as (r & R & O & S & St);
      auto using message_balanced.
    { apply oneway_dead_free with 0 1; auto using message_oneway. }
    { apply oneway_nofself with 0 1; auto using message_oneway. }
    exists r, (fun _ => 0), (len (mt_actions 0 1)), [len (mt_actions 0 1)]. split; [auto|split].
    + change [len (mt_actions 0 1)] with ([] ++ (([] ++ []) ++ [len (mt_actions 0 1)])).
      apply A_lay with (fun _ => 0).
      * apply A_none; try discriminate; [split; discriminate|]. apply O_grd; [apply ceq_refl|split; reflexivity].
      * apply A_lay with (len (mt_actions 0 1)).
        -- apply lay_iff in O as (m & O1 & O2).
           apply A_lay with m; apply A_none; try discriminate; auto; split; discriminate.
        -- apply A_chop, chop_iff. split; [apply ceq_refl|exact S].
    + cbn [closed_along last]. intro C. apply (C (0, 0)).
      * left. split; unfold inside, len; simpl; lia.
      * destruct (stand_lab r _ _ 0 0 (Snd 1) St eq_refl) as [L _]. exists 0, 1. left. split; auto.
Qed.
