(** * What does not deadlock occurs, balanced or not

    A straight-line program that does not deadlock occurs in some run: what it waits for in vain is sent later, and what
    nobody receives gets lost.  One that deadlocks occurs in none.  So only balanced programs can be sealed properly.

    Theorems of the ledger: [dead_free_iff_occurs]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality Prefix Knowledge.
From Sealcheck Require Import Teaching Sealability NoBarrier BalancedNecessary.
Open Scope nat_scope.

(** ** Enough is sent *)

Definition supplied (l : list act) := forall i j,
  length (filter (rcvb i) (labs j l)) <= length (filter (sndb j) (labs i l)).

(** Then the oldest-first run is one, as it is for balanced programs. *)
Lemma supplied_match l i j y : supplied l -> nth_error (labs j l) y = Some (Rcv i) ->
  exists x, delta (fifo l) (j, y) = (i, x) /\ nth_error (labs i l) x = Some (Snd j) /\
    length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))).
Proof.
  intros B H. simpl. rewrite H.
  assert (L : length (filter (rcvb i) (firstn y (labs j l))) < length (filter (sndb j) (labs i l))).
  { eapply Nat.lt_le_trans; [|apply B]. eapply count_lt; eauto. now apply rcvb_spec. }
  destruct (nthpos_spec _ _ _ L) as (a & A1 & A2 & A3). apply sndb_spec in A2; subst a. eauto.
Qed.
Lemma supplied_matching l : supplied l -> dead_free l -> matching (fifo l).
Proof.
  intros B D. constructor; auto.
  - intros [j' y] i j [F L]. simpl in F; subst j'. apply fifo_lab in L as [L _]; [|discriminate].
    destruct (supplied_match l i j y B L) as (x & E & H & _). rewrite E. split; simpl; auto. now rewrite H.
  - intros [j1 y1] i j [j2 y2] i' j' [F L] [F' L'] E. simpl in F, F'; subst j1 j2.
    apply fifo_lab in L as [L _]; [|discriminate]. apply fifo_lab in L' as [L' _]; [|discriminate].
    cbn [fst snd] in *.
    destruct (supplied_match _ _ _ _ B L) as (x & E1 & H1 & C1), (supplied_match _ _ _ _ B L') as (x' & E2 & H2 & C2).
    rewrite E1, E2 in E. injection E as -> ->. rewrite H1 in H2. injection H2 as ->. f_equal. rewrite C1 in C2.
    rewrite <- (nthpos_count (rcvb i') _ _ _ L) by now apply rcvb_spec.
    rewrite <- (nthpos_count (rcvb i') _ _ _ L') by now apply rcvb_spec. now rewrite C2.
Qed.

(** ** One send more for each receive *)

Definition supplies (p : list act) : list act := map (fun m => ASend (fst m) (snd m)) (flat_map received_message p).

Lemma supplies_spec p k a : In a (labs k (supplies p)) -> exists j, a = Snd j /\ In (ARecv j k) p.
Proof.
  intro H. apply in_map_iff in H as (b & <- & H). apply filter_In in H as [H E]. apply Nat.eqb_eq in E.
  apply in_map_iff in H as ([i j] & <- & H). cbn in *. subst i. exists j. split; auto.
  apply in_flat_map in H as (b & I & H). destruct b; cbn in H; try contradiction. destruct H as [H|[]]. congruence.
Qed.
Lemma sent_supplies p : flat_map sent_message (supplies p) = flat_map received_message p.
Proof. unfold supplies. induction (flat_map received_message p) as [|[a b] ms IH]; simpl; congruence. Qed.
Lemma received_supplies p : flat_map received_message (supplies p) = [].
Proof. unfold supplies. induction (flat_map received_message p) as [|[a b] ms IH]; simpl; auto. Qed.
Lemma supplies_enough p : supplied (p ++ supplies p).
Proof.
  intros i j. rewrite <- count_received, <- count_sent, !flat_map_app, !count_occ_app, sent_supplies, received_supplies.
  simpl. lia.
Qed.
Lemma received_in p i j : In (ARecv j i) p <-> In (Rcv i) (labs j p).
Proof.
  split; intro I; [apply (in_map alab _ (ARecv j i)), filter_In; split; [auto|apply Nat.eqb_refl]|].
  apply in_map_iff in I as (a & E & I). apply filter_In in I as [I A]. apply Nat.eqb_eq in A.
  destruct a; try discriminate. injection E as ->. simpl in A. congruence.
Qed.

(** What comes later is, in [fifo p], the end. *)
Lemma nthpos_cut {A} (f : A -> bool) u v : forall k, Nat.min (nthpos f (u ++ v) k) (length u) = nthpos f u k.
Proof.
  induction u as [|a u IH]; intro k; simpl; [apply Nat.min_0_r|].
  destruct (f a); [destruct k|]; simpl; auto; now rewrite IH.
Qed.
Lemma nthpos_none {A} (f : A -> bool) u : (forall a, In a u -> f a = false) -> forall k, nthpos f u k = length u.
Proof.
  induction u as [|a u IH]; intros H k; simpl; auto. rewrite (H a (or_introl eq_refl)). f_equal. apply IH.
  intros b I. apply H. now right.
Qed.
Lemma sends_dead_free p q : (forall k a, In a (labs k q) -> exists j, a = Snd j) -> dead_free p -> dead_free (p ++ q).
Proof.
  intros Sends D. set (f := fun e : event => (fst e, Nat.min (snd e) (len p (fst e)))).
  unfold dead_free. apply by_order with (L := fun x y => causes (fifo p) (f x) (f y) \/ (f x = f y /\ snd x < snd y)).
  - intros [i a] [j b] [[F L]|(i' & j' & [F Lb] & De)]; cbn [fst snd] in *; subst.
    + destruct (le_lt_dec (len p j) a) as [G|G].
      * right. split; auto. unfold f; cbn [fst snd]. f_equal. lia.
      * left. unfold f; cbn [fst snd]. apply causes_order. lia.
    + left. apply fifo_lab in Lb as [Lb _]; [|discriminate]. cbn [fst snd] in Lb.
      assert (B : b < len p j').
      { destruct (le_lt_dec (len p j') b) as [G|]; auto. exfalso.
        rewrite labs_app, nth_error_app2 in Lb by (rewrite len_labs; lia).
        apply nth_error_In, Sends in Lb as (k & E). discriminate. }
      pose proof (prefix_nth_back _ _ _ _ _ Lb B) as Lp. apply t_step. right. exists i', j'.
      assert (Fb : f (j', b) = (j', b)) by (unfold f; cbn [fst snd]; f_equal; lia). rewrite Fb.
      split; [split; auto; simpl; now rewrite Lp|].
      unfold fifo in De |- *. cbn [delta fst snd] in *. rewrite Lb in De. rewrite Lp.
      rewrite prefix_firstn in De by lia. rewrite <- De. unfold f; cbn [fst snd]. f_equal.
      rewrite labs_app, <- (len_labs i' p). symmetry. apply nthpos_cut.
  - intros x y z [A|[A A']] [B|[B B']].
    + left. eapply t_trans; eauto.
    + left. now rewrite <- B.
    + left. now rewrite A.
    + right. split; [congruence|lia].
  - intros x [A|[_ A]]; [exact (D _ A)|lia].
Qed.
Lemma supplies_dead_free p : dead_free p -> dead_free (p ++ supplies p).
Proof. apply sends_dead_free. intros k a I. apply supplies_spec in I as (j & E & _). eauto. Qed.
Lemma supplies_nofself p : nofself p -> dead_free p -> nofself (p ++ supplies p).
Proof.
  intros N D i I. rewrite labs_app in I. apply in_app_or in I as [I|I]; [exact (N i I)|].
  apply supplies_spec in I as (j & E & I). injection E as <-. apply received_in, In_nth_error in I as [y R].
  apply (D (i, y)). apply t_trans with (i, len p i).
  - apply causes_order. now apply labs_lt in R.
  - apply t_step. right. exists i, i. split; [split; auto; simpl; now rewrite R|]. simpl. rewrite R.
    rewrite nthpos_none, len_labs; auto. intros a I'. destruct (sndb i a) eqn:E; auto.
    apply sndb_spec in E. subst a. destruct (N i I').
Qed.

(** Sent before, they leave nothing to wait for, and nothing deadlocks, whatever [p] is. *)
Lemma supplies_first_dead_free p : dead_free (supplies p ++ p).
Proof.
  set (s := supplies p). unfold dead_free.
  apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/
    (snd x < len s (fst x) /\ len s (fst y) <= snd y)).
  - intros x [j y] [S|(i & j' & [F L] & D)]; [left; exact S|right]. simpl in F. subst j'. cbn [fst snd] in *.
    apply fifo_lab in L as [L _]; [|discriminate]. unfold fifo in D; cbn [delta fst snd] in D. rewrite L in D.
    subst x. cbn [fst snd]. split.
    + assert (Q : length (filter (rcvb i) (firstn y (labs j (s ++ p)))) < length (filter (sndb j) (labs i s))).
      { eapply Nat.lt_le_trans; [apply (count_lt (rcvb i) _ _ _ L), rcvb_spec; reflexivity|].
        rewrite <- count_received, <- count_sent, flat_map_app. unfold s. now rewrite sent_supplies, received_supplies. }
      destruct (nthpos_spec _ _ _ Q) as (a & A & _). rewrite labs_app at 1.
      pose proof (nthpos_cut (sndb j) (labs i s) (labs i p) (length (filter (rcvb i) (firstn y (labs j (s ++ p)))))) as C.
      assert (nthpos (sndb j) (labs i s) (length (filter (rcvb i) (firstn y (labs j (s ++ p))))) < length (labs i s))
        by (apply nth_error_Some; congruence).
      rewrite len_labs in *. lia.
    + destruct (le_lt_dec (len s j) y) as [|G]; auto. exfalso. apply prefix_nth_back in L; auto.
      apply nth_error_In, supplies_spec in L as (k & E & _). discriminate.
  - intros [a x] [c y] [e z]; cbn [fst snd]. intros [[A A']|[A A']] [[B B']|[B B']]; subst;
      try (left; split; [congruence|lia]); right; split; lia.
  - intros [a x]; cbn [fst snd]. lia.
Qed.
Lemma supplies_first_nofself p : nofself p -> (forall i, ~ In (Rcv i) (labs i p)) -> nofself (supplies p ++ p).
Proof.
  intros N R i I. rewrite labs_app in I. apply in_app_or in I as [I|I]; [|exact (N i I)].
  apply supplies_spec in I as (j & E & I). injection E as <-. apply received_in in I. exact (R i I).
Qed.

(** ** The theorems *)

(** _A straight-line program that does not deadlock occurs in some run, whatever it sends and receives_. *)
Theorem straight_line_occurs : forall P p, acts P = Some p -> nofself p -> dead_free p ->
  exists r, RelNS r /\ all_empty r (fun _ => 0) /\ occurs r (fun _ => 0) P (len p) /\ standing r (fun _ => 0) p.
Proof.
  intros P p A N D. set (l := p ++ supplies p).
  assert (St : standing (fifo l) (fun _ => 0) p).
  { intro i. pose proof (map_lab_fifo l i) as E. unfold l in E at 1. rewrite labs_app in E.
    unfold l in E at 2. rewrite len_app, seq_app, map_app in E. apply app_same_length in E as [E _]; auto.
    now rewrite map_length, seq_length, len_labs. }
  destruct (computed (fifo l) (fun _ => 0) P p) as (v & R & O); auto.
  - apply supplied_matching; [apply supplies_enough|now apply supplies_dead_free].
  - intros s i j _ _. exists (len l i). intros k K [_ H]. simpl in H.
    apply fifo_lab in H as [_ H]; [lia|discriminate].
  - exists (revalue (fifo l) v). split; [split; auto|split; [|split; auto]].
    + intros e i S. exact (fifo_noself l (supplies_nofself p N D) e i S).
    + intros i j e [I _]. unfold inside in I. lia.
Qed.

(** _What occurs, from a silent cut, does not deadlock_: so [dead_free] says of every straight-line program, balanced or
    not, that it can run to its end. *)
Lemma occurs_dead_free r c P p d : matching r -> silent r c -> acts P = Some p -> occurs r c P d -> dead_free p.
Proof.
  intros M S A O e C. pose proof (occurs_follows r P p A _ _ O) as F.
  apply (shift r c p M S) in C; [exact (causal r M _ C)|intro k; apply F].
Qed.
Theorem dead_free_iff_occurs : forall P p, acts P = Some p -> nofself p ->
  (dead_free p <-> exists r c d, RelNS r /\ silent r c /\ occurs r c P d).
Proof.
  intros P p A N. split.
  - intro D. destruct (straight_line_occurs P p A N D) as (r & R & _ & O & _). exists r, (fun _ => 0), (len p).
    split; [exact R|split; [|exact O]]. intros e i j _. unfold inside. split; lia.
  - intros (r & c & d & [[[M _] _] _] & S & O). now apply (occurs_dead_free r c P p d).
Qed.

(** _What can be sealed properly is balanced, and does not deadlock_. *)
Theorem properly_sealed : forall n P p S s, acts P = Some p -> proper_seal n P p S s ->
  balanced p /\ nofself p /\ dead_free p.
Proof.
  intros n P p S s A (HS & Bs & Ws & Ns & Ds & Se).
  destruct (straight_line_occurs (Lay P S) (p ++ s)) as (r & R & E & O & _); auto using lay_straight.
  assert (B : balanced p).
  { apply (balanced_necessary P p S); auto; [now apply straight_nochop with s|]. exists r, (fun _ => 0), (len (p ++ s)).
    auto. }
  split; [exact B|split; [now apply nofself_app in Ns|]]. intros e C. exact (Ds e (fifo_mono p s B e e C)).
Qed.

(** ** Who takes part

    What [n] processes seal communicates among them only.  Of its receives from or by others, take one that causes no
    other.  In the end its sender knows of it; but how should it: what leads out of its receiver goes by a message of
    such a channel, so it is received later, and the seal has none; and messages of the others do not lead to one of them
    and back. *)
Definition channel_among (n : nat) (i j : proc) := i < n /\ j < n.

Lemma covered_receives n p s i j : balanced p -> balanced s -> nofself p -> within n s -> dead_free (p ++ s) ->
  covers p s -> In (ARecv j i) p -> channel_among n i j.
Proof.
  intros Bp Bs N W D Cov I. pose proof (balanced_app p s Bp Bs) as B. apply NNPP. intro Out.
  set (outer := fun e => exists a, nth_error (labs (fst e) p) (snd e) = Some (Rcv a) /\ ~ channel_among n a (fst e)).
  destruct (max_exists (events_of p) outer (causes (fifo (p ++ s)))) as ([b y] & _ & (a & Hy & Oab) & Max).
  - intros u v w. apply t_trans.
  - exact D.
  - apply received_in, In_nth_error in I as [y Hy]. exists (j, y).
    split; [apply events_all; now apply labs_lt in Hy|]. exists i. auto.
  - clear i j I Out. cbn [fst snd] in *.
    assert (Step : forall v w, step (fifo (p ++ s)) v w -> causes (fifo (p ++ s)) (b, y) w ->
      fst v = b \/ channel_among n b (fst v) -> fst w = b \/ channel_among n b (fst w)).
    { intros v [j z] [[F _]|(i & j' & R & Dv)] C K; [now rewrite <- F|]. cbn [fst] in *.
      assert (E : j' = j) by (destruct R; auto). subst j'.
      destruct (fifo_step_receive _ v j z i B R Dv) as (x & -> & _ & Hz). cbn [fst] in K.
      assert (M : channel_among n i j); [|unfold channel_among in *; destruct K as [->|K]; tauto].
      apply NNPP. intro O. destruct (le_lt_dec (len p j) z) as [G|L].
      - apply O. rewrite labs_app, nth_error_app2 in Hz by (rewrite len_labs; lia).
        apply nth_error_In, received_in in Hz. exact (W _ Hz).
      - apply (Max (j, z)); [now apply events_all| |exact C]. exists i. split; [|exact O].
        now apply prefix_nth_back in Hz. }
    assert (Stay : forall w, causes (fifo (p ++ s)) (b, y) w -> fst w = b \/ channel_among n b (fst w)).
    { intros w C. pose proof C as C'. apply clos_trans_tn1 in C'.
      induction C' as [w S|v w S C' IH]; [now apply (Step (b, y) w S); auto|].
      apply (Step v w S C), IH. now apply clos_tn1_trans. }
    destruct (Stay _ (Cov a b y _ Hy (or_introl eq_refl))) as [E|[Lb La]]; cbn [fst] in *;
      [subst a|now apply Oab].
    destruct (fifo_match p b b y Bp Hy) as (x & _ & Hx & _). apply (N b). eapply nth_error_In; eauto.
Qed.
Theorem sealed_within : forall n P p S s, acts P = Some p -> proper_seal n P p S s -> within n p.
Proof.
  intros n P p S s A Pr. destruct (properly_sealed n P p S s A Pr) as (Bp & Np & _).
  destruct Pr as (HS & Bs & Ws & Ns & Ds & Se). apply (sealing_is_causality P S p s) in Se; auto.
  assert (R : forall i j, In (i, j) (flat_map received_message p) -> channel_among n i j).
  { intros i j I. apply (covered_receives n p s); auto. apply in_flat_map in I as (a & I & E).
    destruct a; simpl in E; try contradiction. destruct E as [E|[]]. injection E as -> ->. exact I. }
  intros [i j|j i|i] I; [|exact (covered_receives n p s i j Bp Bs Np Ws Ds Se I)|exact Logic.I].
  apply R. apply (count_occ_In message_dec). rewrite count_received, <- Bp, <- count_sent. apply count_occ_In.
  apply in_flat_map. exists (ASend i j). simpl. auto.
Qed.
