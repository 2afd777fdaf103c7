(** * No barriers, in the whole language

    "No program can serve as a barrier in Rel": for every program without a silent cut inside that occurs from a silent
    cut.  Two processes that it does not name are there in any case, as processes are not bounded here: before it one of
    them sends a message, which gets lost, and the other receives what is sent after it. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine TccImpossibility NoBarrier.
Open Scope nat_scope.

(** The processes that a program names are below [n]. *)
Fixpoint formula_below (n : nat) (g : formula) : Prop :=
  match g with
  | Equal i _ j _ | Less i _ j _ => i < n /\ j < n
  | Not g => formula_below n g
  | And g h => formula_below n g /\ formula_below n h
  end.
Fixpoint below (n : nat) (p : prog) : Prop :=
  match p with
  | Eps | Chop => True
  | Assign i _ => i < n
  | Send i j _ => i < n /\ j < n
  | Recv j i => i < n /\ j < n
  | Guard g => formula_below n g
  | Lay p q | Choice p q => below n p /\ below n q
  | Star p => below n p
  end.
Lemma formula_below_mono g : forall n m, n <= m -> formula_below n g -> formula_below m g.
Proof. induction g; simpl; intros n m L H; eauto; try lia. destruct H. eauto. Qed.
Lemma below_mono p : forall n m, n <= m -> below n p -> below m p.
Proof. induction p; simpl; intros n m L H; eauto using formula_below_mono; try lia; destruct H; eauto. Qed.
Lemma formula_below_exists g : exists n, formula_below n g.
Proof.
  induction g as [i e j f|i e j f|g [n H]|g [n H] h [m K]]; simpl; eauto.
  - exists (S (i + j)). lia.
  - exists (S (i + j)). lia.
  - exists (n + m). split; [apply formula_below_mono with n|apply formula_below_mono with m]; auto; lia.
Qed.
Lemma below_exists p : exists n, below n p.
Proof.
  induction p as [|i e|i j e|j i|g| |p [n H] q [m K]|p [n H] q [m K]|p [n H]]; simpl; eauto using formula_below_exists.
  - exists 0; auto.
  - exists (S (i + j)). lia.
  - exists (S (i + j)). lia.
  - exists 0; auto.
  - exists (n + m). split; [apply below_mono with n|apply below_mono with m]; auto; lia.
  - exists (n + m). split; [apply below_mono with n|apply below_mono with m]; auto; lia.
Qed.

(** A process that is not named does nothing. *)
Lemma unnamed_idle n r c p d : below n p -> occurs r c p d -> forall k, n <= k -> c k = d k.
Proof.
  assert (B : forall c d i k, ceq d (bump c i) -> i < n -> n <= k -> c k = d k).
  { intros c0 d0 i k E L G. rewrite E. unfold bump. destruct (k =? i) eqn:Q; auto. apply Nat.eqb_eq in Q. lia. }
  intros Be O. revert Be. induction O; simpl; intros Be k L; auto.
  - eapply B; eauto.
  - eapply B; eauto; lia.
  - eapply B; eauto; lia.
  - destruct Be. rewrite IHO1, IHO2; auto.
  - destruct Be. auto.
  - destruct Be. auto.
  - rewrite IHO1, IHO2; auto.
Qed.

(** And what it does elsewhere is of no concern. *)
Lemma elsewhere n r r' c p d : occurs r c p d -> below n p -> nochop p ->
  (forall k x, k < n -> x < d k -> lab r k x = lab r' k x /\ val r (k, x) = val r' (k, x)) ->
  forall c' d', (forall k, k < n -> c' k = c k /\ d' k = d k) -> (forall k, n <= k -> c' k = d' k) -> occurs r' c' p d'.
Proof.
  assert (Past : forall d i k, (forall k x, k < n -> x < d k ->
    lab r k x = lab r' k x /\ val r (k, x) = val r' (k, x)) ->
    i < n -> k <= d i -> past r i k = past r' i k).
  { intros d0 i k A Li Lk. apply map_ext_in. intros x I. apply in_seq in I. destruct (A i x) as [-> ->]; auto; lia. }
  assert (Hold : forall (d c' : cut) g, formula_below n g ->
    (forall k x, k < n -> x < d k -> lab r k x = lab r' k x /\ val r (k, x) = val r' (k, x)) ->
    (forall k, k < n -> c' k = d k) -> (holds r d g <-> holds r' c' g)).
  { intros d0 c' g Be A E. induction g; simpl in *; try tauto;
      destruct Be; rewrite !E, !(Past d0) by (auto; lia); tauto. }
  assert (Bump : forall c d c' d' i, ceq d (bump c i) -> i < n -> (forall k, k < n -> c' k = c k /\ d' k = d k) ->
    (forall k, n <= k -> c' k = d' k) -> ceq d' (bump c' i)).
  { intros c0 d0 c' d' i E Li In Out k. destruct (le_lt_dec n k) as [G|L].
    - rewrite <- (Out k G). unfold bump. destruct (k =? i) eqn:Q; auto. apply Nat.eqb_eq in Q. lia.
    - destruct (In k L) as [Ec Ed]. rewrite Ed, (E k). unfold bump. now rewrite Ec. }
  assert (Now : forall c d i, ceq d (bump c i) -> c i < d i) by
    (intros c0 d0 i0 H; rewrite H; unfold bump; rewrite Nat.eqb_refl; lia).
  assert (Same : forall (c d c' d' : cut), ceq c d -> (forall k, k < n -> c' k = c k /\ d' k = d k) ->
    (forall k, n <= k -> c' k = d' k) -> ceq c' d').
  { intros c0 d0 c' d' E In Out k. destruct (le_lt_dec n k) as [G|L]; auto. destruct (In k L) as [-> ->]. apply E. }
  induction 1; simpl; intros Be N A c' d' In Out.
  - constructor. eapply Same; eauto.
  - pose proof (Now _ _ _ H). destruct (A i (c i)) as [Lb V]; auto. destruct (In i Be) as [Ec _].
    constructor; [eapply Bump; eauto| |]; rewrite Ec; [congruence|]. rewrite <- V, <- (Past d) by (auto; lia). auto.
  - destruct Be as [Bi Bj]. pose proof (Now _ _ _ H). destruct (A i (c i)) as [Lb V]; auto.
    destruct (In i Bi) as [Ec _].
    constructor; [eapply Bump; eauto| |]; rewrite Ec; [congruence|]. rewrite <- V, <- (Past d) by (auto; lia). auto.
  - destruct Be as [Bi Bj]. pose proof (Now _ _ _ H). destruct (A j (c j)) as [Lb V]; auto.
    destruct (In j Bj) as [Ec _].
    constructor; [eapply Bump; eauto|]. rewrite Ec. congruence.
  - constructor; [eapply Same; eauto|]. apply (Hold c c'); auto.
    + intros k x Lk Lx. apply A; auto. now rewrite <- (H k).
    + intros k Lk. now destruct (In k Lk).
  - destruct N.
  - destruct Be as [B1 B2], N as [N1 N2]. pose proof (occurs_le _ _ _ _ H0) as L2.
    apply O_lay with (fun k => if k <? n then m k else c' k).
    + apply IHoccurs1; auto.
      * intros k x Lk Lx. apply A; auto. specialize (L2 k). lia.
      * intros k Lk. destruct (In k Lk). apply Nat.ltb_lt in Lk. rewrite Lk. auto.
      * intros k Lk. apply Nat.ltb_ge in Lk. now rewrite Lk.
    + apply IHoccurs2; auto.
      * intros k Lk. destruct (In k Lk). apply Nat.ltb_lt in Lk. rewrite Lk. auto.
      * intros k Lk. specialize (Out k Lk). apply Nat.ltb_ge in Lk. now rewrite Lk.
  - destruct Be, N. apply O_ch1. auto.
  - destruct Be, N. apply O_ch2. auto.
  - apply O_st0. eapply Same; eauto.
  - pose proof (occurs_le _ _ _ _ H0) as L2.
    apply O_st1 with (fun k => if k <? n then m k else c' k).
    + apply IHoccurs1; auto.
      * intros k x Lk Lx. apply A; auto. specialize (L2 k). lia.
      * intros k Lk. destruct (In k Lk). apply Nat.ltb_lt in Lk. rewrite Lk. auto.
      * intros k Lk. apply Nat.ltb_ge in Lk. now rewrite Lk.
    + apply IHoccurs2; auto.
      * intros k Lk. destruct (In k Lk). apply Nat.ltb_lt in Lk. rewrite Lk. auto.
      * intros k Lk. specialize (Out k Lk). apply Nat.ltb_ge in Lk. now rewrite Lk.
Qed.

(** ** After [d], [i] sends two messages to [j], who receives the second *)

Section TwoMessages.
Variables (r : run) (d : cut) (i j : proc).
Hypotheses (R : RelNS r) (Sd : silent r d) (Nij : i <> j).

(** The first one. *)
Local Definition first : run := extend r d (fun k => if k =? i then Snd j else Int) (i, d i) 0%Z.
Local Lemma first_receive e a b : is_rcv first e a b -> is_rcv r e a b /\ inside d e /\ delta first e = delta r e.
Proof.
  intros [F L]. unfold first in L |- *.
  destruct (extend_cases r d (fun k => if k =? i then Snd j else Int) (i, d i) 0%Z e)
    as [(I & E & D)|[(I & E & D)|(I & E)]];
    rewrite L in E; [|destruct (fst e =? i); discriminate|discriminate].
  split; [split; auto|auto].
Qed.
Local Lemma first_run : RelNS first.
Proof.
  pose proof R as [[W _] N]. assert (Ag : agree r first d) by apply extend_agree.
  assert (Del : forall e a b, is_rcv first e a b ->
    inside d (delta r e) /\ delta first e = delta r e /\ is_rcv r e a b).
  { intros e a b Re. apply first_receive in Re as (Re & I & D). split; [now apply (Sd _ _ _ Re)|auto]. }
  split; [split; [split; [split|]|]|].
  - intros e a b Re. destruct (Del _ _ _ Re) as (I & D & Re0). rewrite D. destruct (delta_snd r W _ _ _ Re0) as [F L].
    split; auto. now rewrite <- (proj1 (Ag _ _ I)).
  - intros e a b e' a' b' Re Re'. destruct (Del _ _ _ Re) as (_ & D & Re0), (Del _ _ _ Re') as (_ & D' & Re0').
    rewrite D, D'. apply (delta_inj r W _ _ _ _ _ _ Re0 Re0').
  - intros e H. apply (causal r W e). revert H. generalize e at 1 3. intros x H.
    induction H as [x y [S|(a & b & Re & D)]|]; [apply t_step; now left| |eapply t_trans; eauto].
    destruct (Del _ _ _ Re) as (_ & D' & Re0). apply t_step. right. exists a, b. split; auto. congruence.
  - intros e a b Re. apply first_receive in Re as (Re & I & D). rewrite D.
    pose proof (proj1 (Sd _ _ _ Re) I) as I'. destruct e as [ep ek], (delta r (ep, ek)) as [sp sk] eqn:Ds.
    rewrite <- (proj2 (Ag ep ek I)), <- (proj2 (Ag sp sk I')), <- Ds. apply (wf_transmits r W _ _ _ Re).
  - apply quiet_reliable with (fun k => S (d k)). intros a k b L. simpl.
    replace (k <? d a) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (k =? d a) with false by (symmetry; apply Nat.eqb_neq; lia). discriminate.
  - apply extend_noself; auto. intros p. destruct (p =? i) eqn:E; [|discriminate]. apply Nat.eqb_eq in E. congruence.
Qed.

(** The second one, and the receive. *)
Local Definition d0 : cut := bump d i.
Local Definition extra : proc -> label := fun k => if k =? j then Rcv i else if k =? i then Snd j else Int.
Local Definition both : run := extend first d0 extra (i, d0 i) 0%Z.

Local Lemma first_silent : silent first d0.
Proof.
  intros e a b Re. apply first_receive in Re as (Re & I & D). rewrite D. pose proof (proj1 (Sd _ _ _ Re) I) as I'.
  unfold inside, d0, bump in *. destruct (fst e =? i), (fst (delta r e) =? i); split; lia.
Qed.
Lemma both_run : RelNS both.
Proof.
  destruct first_run as [[W Re] N]. assert (M : matching both /\ reliable both).
  { apply extend_matching with i j; auto using first_silent.
    - exact (wf_matching _ W).
    - unfold extra. now rewrite Nat.eqb_refl.
    - intros p H. unfold extra. apply Nat.eqb_neq in H. rewrite H. destruct (p =? i) eqn:E; auto.
      apply Nat.eqb_eq in E. auto.
    - split; auto. simpl. rewrite Nat.ltb_irrefl, Nat.eqb_refl. unfold extra. rewrite Nat.eqb_refl.
      apply Nat.eqb_neq in Nij. now rewrite Nij.
    - intro H. unfold inside in H; simpl in H. lia. }
  split; [split; [split|]|]; try apply M.
  - apply extend_transmits; auto using first_silent; [exact (wf_transmits _ W)|]. simpl. now rewrite Nat.ltb_irrefl.
  - apply extend_noself; auto. intro p. unfold extra. destruct (p =? j) eqn:E; [discriminate|].
    destruct (p =? i) eqn:E2; [|discriminate]. apply Nat.eqb_neq in E. congruence.
Qed.
Lemma both_agree k x : x < d k -> lab r k x = lab both k x /\ val r (k, x) = val both (k, x).
Proof.
  intro L. assert (L0 : x < d0 k) by (unfold d0, bump; destruct (k =? i); lia).
  simpl. apply Nat.ltb_lt in L, L0. rewrite L0, L. auto.
Qed.
Lemma both_send : lab both i (d i) = Snd j /\ val both (i, d i) = 0%Z.
Proof.
  assert (L0 : d i < d0 i) by (unfold d0, bump; rewrite Nat.eqb_refl; lia).
  simpl. apply Nat.ltb_lt in L0. rewrite L0, Nat.ltb_irrefl, !Nat.eqb_refl. auto.
Qed.
Lemma both_receive : is_rcv both (j, d j) i j /\ delta both (j, d j) = (i, S (d i)).
Proof.
  assert (E : d0 j = d j) by (unfold d0, bump; apply not_eq_sym, Nat.eqb_neq in Nij; now rewrite Nij).
  assert (E' : d0 i = S (d i)) by (unfold d0, bump; now rewrite Nat.eqb_refl).
  split; [split; auto|]; simpl; rewrite <- E, Nat.ltb_irrefl; [|now rewrite E'].
  rewrite Nat.eqb_refl. unfold extra. now rewrite Nat.eqb_refl.
Qed.
Lemma both_silent c : cle c d -> silent r c -> silent both c.
Proof.
  intros L S e a b Re. unfold both in Re |- *.
  assert (L0 : cle c d0) by (intro k; unfold d0, bump; specialize (L k); destruct (k =? i); lia).
  destruct (extend_cases first d0 extra (i, d0 i) 0%Z e) as [(I & E & D)|[(I & E & D)|(I & E)]]; destruct Re as [F H].
  - rewrite D. assert (Re1 : is_rcv first e a b) by (split; congruence).
    apply first_receive in Re1 as (Re1 & _ & D1). rewrite D1. apply (S _ _ _ Re1).
  - rewrite D. specialize (L0 (fst e)) as A. specialize (L0 i). unfold inside in *. simpl in *. lia.
  - congruence.
Qed.
End TwoMessages.

Theorem no_barrier_nochop : forall B, nochop B ->
  (exists r c d, RelNS r /\ silent r c /\ occurs r c B d) -> ~ Barrier RelNS B.
Proof.
  intros B NB (r & c & d & R & Sc & O) Bar.
  assert (Sd : silent r d) by (pose proof (barrier_is_tcc _ _ Bar) as T; rewrite tcc_iff in T; eauto).
  destruct (below_exists B) as [n Be]. pose proof (unnamed_idle n r c B d Be O) as Idle.
  set (i := n). set (j := S n). assert (Nij : i <> j) by (unfold i, j; lia).
  set (r' := both r d i j). set (c1 := bump (bump c i) j). set (d1 := bump (bump d i) j).
  destruct (both_send r d i j Nij) as [Ls Vs]. destruct (both_receive r d i j Nij) as [Rj Dj].
  fold r' in Ls, Vs, Rj, Dj.
  assert (Ci : c i = d i) by (apply Idle; unfold i; lia). assert (Cj : c j = d j) by (apply Idle; unfold j; lia).
  assert (OP : occurs r' c (mt i j (fun _ => 0%Z)) c1).
  { apply lay_iff. exists (bump c i). split.
    - apply O_snd; [apply ceq_refl| |]; rewrite Ci; auto.
    - apply O_rcv; [apply ceq_refl|]. unfold bump. replace (j =? i) with false by (symmetry; apply Nat.eqb_neq; auto).
      rewrite Cj. apply Rj. }
  assert (OB : occurs r' c1 B d1).
  { apply (elsewhere n r r' c B d O Be NB).
    - intros k x _ L. apply (both_agree r d i j Nij k x L).
    - intros k L. unfold c1, d1, bump. replace (k =? j) with false by (symmetry; apply Nat.eqb_neq; unfold j; lia).
      replace (k =? i) with false by (symmetry; apply Nat.eqb_neq; unfold i; lia). auto.
    - intros k L. unfold c1, d1, bump. now rewrite (Idle k L). }
  pose proof (barrier_seals _ _ Bar (mt i j (fun _ => 0%Z))) as Se. rewrite seals_iff in Se.
  destruct (Se r' c d1) as (m & Om & Sm & _).
  - now apply both_run.
  - apply both_silent; auto. eapply occurs_le; eauto.
  - apply lay_iff; eauto.
  - pose proof (occurs_follows r' (mt i j (fun _ => 0%Z)) (mt_actions i j) eq_refl _ _ Om) as F.
    pose proof (occurs_follows r' (mt i j (fun _ => 0%Z)) (mt_actions i j) eq_refl _ _ OP) as F1.
    specialize (Sm (j, d j) i j Rj). rewrite Dj in Sm. unfold inside in Sm; simpl in Sm.
    rewrite (proj1 (F i)), (proj1 (F j)), <- (proj1 (F1 i)), <- (proj1 (F1 j)) in Sm.
    unfold c1, bump in Sm. rewrite !Nat.eqb_refl in Sm.
    replace (i =? j) with false in Sm by (symmetry; now apply Nat.eqb_neq).
    replace (j =? i) with false in Sm by (symmetry; apply Nat.eqb_neq; auto). lia.
Qed.
