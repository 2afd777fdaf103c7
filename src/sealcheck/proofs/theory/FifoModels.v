(** * FIFO channels

    "Balanced programs are TCC in RelFi" - so there every program seals them, and sealing is trivial; and "(N_E)+ is
    Lamport's causality on the program if r is in RelFi", the reason that the paper gives for largest-ness.

    Theorems of the ledger: [balanced_tcc_rel_fifo], [balanced_silent_rel_fifo], [fifo_causality]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality
  DecideSealing.
Open Scope nat_scope.

(** ** Balanced programs are TCC *)

(** A receive of the program that took a later message would have to come after receives of all messages of the
    program, which are as many as its receives. *)
Lemma fifo_takes r c p e i j : matching r -> in_order r -> silent r c -> standing r c p -> balanced p ->
  is_rcv r e i j -> inside (fun i => c i + len p i) e -> inside (fun i => c i + len p i) (delta r e).
Proof.
  intros W F Sc St Bp R I. destruct e as [j' Y]. assert (E : j' = j) by apply R. subst j'.
  destruct (classic (inside (fun i => c i + len p i) (delta r (j, Y)))) as [|O]; auto. exfalso.
  destruct (classic (inside c (j, Y))) as [J|J].
  { apply O. apply (Sc _ _ _ R) in J. unfold inside in *. lia. }
  destruct (delta_snd r W _ _ _ R) as [Fz Lz]. destruct (delta r (j, Y)) as [i' Z] eqn:D. simpl in Fz, Lz; subst i'.
  unfold inside in I, J, O; simpl in I, J, O.
  set (S' := filter (fun k => sndb j (lab r i k)) (seq (c i) (len p i))).
  set (R1 := filter (fun k => rcvb i (lab r j k)) (seq (c j) (Y - c j))).
  assert (Inc : incl S' (map (fun k => snd (delta r (j, k))) R1)).
  { intros z Hz. apply filter_In in Hz as [H1 H2]. apply in_seq in H1. apply sndb_spec in H2.
    destruct (F i j (i, z) (i, Z) (j, Y)) as (e & Re & De & Le); auto; try (split; auto); simpl; try lia.
    destruct e as [j' k]. assert (E : j' = j) by apply Re. subst j'. simpl in Le. apply in_map_iff. exists k.
    rewrite De; split; auto. apply filter_In; split; [|apply rcvb_spec; apply Re]. apply in_seq.
    assert (~ inside c (j, k)); [|unfold inside in *; simpl in *; lia].
    intro X. apply (Sc _ _ _ Re) in X. rewrite De in X. unfold inside in X; simpl in X; lia. }
  assert (L := NoDup_incl_length (NoDup_filter _ (seq_NoDup _ _)) Inc). fold S' in L. rewrite map_length in L.
  assert (LR : length R1 < length (filter (rcvb i) (labs j p))).
  { rewrite St. rewrite <- (count_map (rcvb i) (lab r j)). unfold R1.
    replace (len p j) with ((Y - c j) + (1 + (len p j - (Y - c j) - 1))) by lia.
    rewrite !seq_app, !filter_app, !app_length. simpl. replace (c j + (Y - c j)) with Y by lia.
    replace (rcvb i (lab r j Y)) with true by (symmetry; apply rcvb_spec; apply R). simpl. lia. }
  rewrite <- Bp in LR. rewrite St, <- (count_map (sndb j) (lab r i)) in LR. fold S' in LR. lia.
Qed.

(** It holds in every model whose channels are in order: mailboxes, causal order, rendezvous, ... *)
Theorem balanced_tcc_in_order : forall (G : run -> Prop) P p, (forall r, G r -> matching r /\ in_order r) ->
  acts P = Some p -> balanced p -> TCC G P.
Proof.
  intros G P p HG HP Bp. apply tcc_iff. intros r c d g S O. destruct (HG r g) as [W F].
  pose proof (occurs_follows r P p HP _ _ O) as Fo. assert (St : standing r c p) by (intro k; apply Fo).
  apply silent_ceq with (fun k => c k + len p k); [intro k; symmetry; apply Fo|].
  apply inside_suffices; auto. intros e i j. now apply fifo_takes.
Qed.

(** "Note that balanced programs are TCC in RelFi." *)
Theorem balanced_tcc_rel_fifo : forall P p, acts P = Some p -> balanced p -> TCC RelFi P.
Proof. intros P p A B. apply (balanced_tcc_in_order RelFi P p); auto. intros r [[[W _] _] F]. auto. Qed.

(** ** Causality in RelFi *)

(** The k'th receive takes the k'th message: everything that was sent before it is received before, ... *)
Lemma in_order_earlier r c i j x y : matching r -> in_order r -> silent r c ->
  is_rcv r (j, c j + y) i j -> delta r (j, c j + y) = (i, c i + x) ->
  nsnd r i j (c i) (c i + x) <= nrcv r j i (c j) (c j + y).
Proof.
  intros W F S R D. unfold nsnd, nrcv.
  replace (c i + x - c i) with x by lia. replace (c j + y - c j) with y by lia.
  set (S' := filter (fun k => sndb j (lab r i k)) (seq (c i) x)).
  set (R' := filter (fun k => rcvb i (lab r j k)) (seq (c j) y)).
  assert (Inc : incl S' (map (fun k => snd (delta r (j, k))) R')).
  { intros z Hz. apply filter_In in Hz as [H1 H2]. apply in_seq in H1. apply sndb_spec in H2.
    destruct (F i j (i, z) (i, c i + x) (j, c j + y)) as (e & Re & De & Le); auto; try (split; auto); simpl; try lia.
    { pose proof (delta_snd r W _ _ _ R) as Sn. rewrite D in Sn. apply Sn. }
    destruct e as [j' k]. assert (j' = j) by apply Re. subst j'. simpl in Le. apply in_map_iff. exists k.
    rewrite De. split; auto. apply filter_In; split; [|apply rcvb_spec; apply Re]. apply in_seq.
    assert (~ inside c (j, k)); [|unfold inside in *; simpl in *; lia].
    intro X. apply (S _ _ _ Re) in X. rewrite De in X. unfold inside in X; simpl in X; lia. }
  pose proof (NoDup_incl_length (NoDup_filter _ (seq_NoDup _ _)) Inc) as L. fold S' in L. now rewrite map_length in L.
Qed.

(** ... and what is received before it was sent before. *)
Lemma in_order_unique r i j s s' e e' : matching r -> in_order r -> is_rcv r e i j -> is_rcv r e' i j ->
  delta r e = s -> delta r e' = s' -> snd e < snd e' -> snd s < snd s'.
Proof.
  intros W F R R' D D' L.
  pose proof (delta_snd r W _ _ _ R) as S. pose proof (delta_snd r W _ _ _ R') as S'. rewrite D in S. rewrite D' in S'.
  destruct (lt_eq_lt_dec (snd s) (snd s')) as [[|E]|G]; auto; exfalso.
  - assert (s = s') by (destruct s, s', S as [Fs _], S' as [Fs' _]; simpl in *; congruence).
    assert (e = e') by (eapply (delta_inj r W); eauto; congruence). subst e'. lia.
  - destruct (F i j s' s e) as (e'' & R'' & D'' & L''); auto.
    assert (e'' = e') by (eapply (delta_inj r W); eauto; congruence). subst e''. lia.
Qed.
Lemma in_order_later r c i j x y : matching r -> in_order r -> silent r c ->
  is_rcv r (j, c j + y) i j -> delta r (j, c j + y) = (i, c i + x) ->
  nrcv r j i (c j) (c j + y) <= nsnd r i j (c i) (c i + x).
Proof.
  intros W F S R D. unfold nsnd, nrcv.
  replace (c i + x - c i) with x by lia. replace (c j + y - c j) with y by lia.
  set (S' := filter (fun k => sndb j (lab r i k)) (seq (c i) x)).
  set (R' := filter (fun k => rcvb i (lab r j k)) (seq (c j) y)).
  assert (HR : forall k, In k R' -> is_rcv r (j, k) i j /\ c j <= k < c j + y).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply rcvb_spec in H2. split; [split; auto|lia]. }
  assert (ND : NoDup (map (fun k => snd (delta r (j, k))) R')).
  { apply NoDup_map_on; [|apply NoDup_filter, seq_NoDup]. intros a b Ha Hb Eab.
    destruct (HR a Ha) as [Ra _], (HR b Hb) as [Rb _].
    destruct (delta_snd r W _ _ _ Ra) as [Fa _], (delta_snd r W _ _ _ Rb) as [Fb _].
    assert ((j, a) = (j, b)); [|congruence]. eapply (delta_inj r W); eauto.
    destruct (delta r (j, a)), (delta r (j, b)); simpl in *; congruence. }
  assert (Inc : incl (map (fun k => snd (delta r (j, k))) R') S').
  { intros w Hw. apply in_map_iff in Hw as (k & <- & Hk). destruct (HR k Hk) as [Rk Bk].
    destruct (delta_snd r W _ _ _ Rk) as [Fk Lk].
    assert (I2 : ~ inside c (delta r (j, k)))
      by (intro X; apply (S _ _ _ Rk) in X; unfold inside in X; simpl in X; lia).
    pose proof (in_order_unique r i j _ _ _ _ W F Rk R eq_refl D) as Lt. simpl in Lt.
    unfold inside in I2. rewrite Fk in I2, Lk.
    apply filter_In; split; [apply in_seq; lia|apply sndb_spec; auto]. }
  pose proof (NoDup_incl_length ND Inc) as L. rewrite map_length in L. exact L.
Qed.

(** Of all programs, and from empty channels: if a receive of the program took a later message, or a later receive one of
    its messages, the channel would have more receives than sends up to the end of the program, or fewer. *)
Lemma filter_seq_split {A} (f : nat -> A) (g : A -> bool) a b : a <= b ->
  length (filter (fun k => g (f k)) (seq 0 b)) =
  length (filter (fun k => g (f k)) (seq 0 a)) + length (filter (fun k => g (f k)) (seq a (b - a))).
Proof. intro L. replace b with (a + (b - a)) at 1 by lia. now rewrite seq_app, filter_app, app_length. Qed.
Lemma filter_one {A} (f : nat -> A) (g : A -> bool) a b : a < b -> g (f a) = true ->
  length (filter (fun k => g (f k)) (seq 0 a)) < length (filter (fun k => g (f k)) (seq 0 b)).
Proof.
  intros L H. rewrite (filter_seq_split f g a b) by lia. replace (b - a) with (S (b - a - 1)) by lia. simpl. rewrite H.
  simpl. lia.
Qed.
Theorem balanced_silent_rel_fifo : forall P, Balanced Rel P -> forall r c d, RelFi r -> all_empty r c ->
  occurs r c P d -> silent r d.
Proof.
  intros P B r c d [R F] E O [j Y] i j' Re. assert (j' = j) by (symmetry; apply Re). subst j'.
  pose proof (B r c d R E O i j) as N. destruct R as [[W _] _].
  destruct (delta_snd r W _ _ _ Re) as [Fi Ls]. destruct (delta r (j, Y)) as [i' Z] eqn:D. simpl in Fi, Ls. subst i'.
  assert (S0 : silent r (fun _ => 0)) by (intros e a b _; unfold inside; split; lia).
  pose proof (in_order_earlier r (fun _ => 0) i j Z Y W F S0 Re D) as K1.
  pose proof (in_order_later r (fun _ => 0) i j Z Y W F S0 Re D) as K2.
  unfold nsnd, nrcv in *. simpl in K1, K2. rewrite !Nat.sub_0_r in *. unfold inside; simpl.
  assert (Hs : sndb j (lab r i Z) = true) by (apply sndb_spec; exact Ls).
  assert (Hr : rcvb i (lab r j Y) = true) by (apply rcvb_spec; apply Re).
  split; intro I; [destruct (le_lt_dec (d i) Z) as [G|G]|destruct (le_lt_dec (d j) Y) as [G|G]]; auto; exfalso.
  - pose proof (filter_seq_split (lab r i) (sndb j) (d i) Z G).
    pose proof (filter_one (lab r j) (rcvb i) Y (d j) I Hr). lia.
  - pose proof (filter_seq_split (lab r j) (rcvb i) (d j) Y G).
    pose proof (filter_one (lab r i) (sndb j) Z (d i) I Hs). lia.
Qed.

(** "(N_E)+ = causality restricted to the program, if r is in RelFi." *)
Theorem fifo_causality : forall r P l c d, RelFi r -> acts P = Some l -> balanced l -> occurs r c (Lay Chop P) d ->
  forall x y, snd x < len l (fst x) -> snd y < len l (fst y) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof.
  intros r P l c d [R F] A B O x y Lx Ly. split; [intro N; eapply graph_cause_paths; eauto|].
  pose proof O as O'. apply chop_first in O' as [S O']. destruct R as [[W _] _].
  pose proof (occurs_follows r P l A _ _ O') as Fo. assert (St : standing r c l) by (intro k; apply Fo).
  (* one step back from an event of the program is an edge, or leaves the program at its beginning *)
  assert (Back : forall u v, step r u v -> snd v >= c (fst v) -> snd v - c (fst v) < len l (fst v) ->
    snd u >= c (fst u) ->
    snd u - c (fst u) < len l (fst u) /\ normal l (fst u, snd u - c (fst u)) (fst v, snd v - c (fst v))).
  { intros [i u] [j v] [[E L]|(i' & j' & Rv & D)] Gv Lv Gu; simpl in *.
    - subst j. split; [lia|]. apply E_next; simpl; lia.
    - assert (j' = j) by (symmetry; apply Rv). subst j'.
      pose proof (delta_snd r W _ _ _ Rv) as Sn. rewrite D in Sn. destruct Sn as [Ei Lu]. simpl in Ei, Lu; subst i'.
      assert (In1 : inside (fun k => c k + len l k) (i, u)).
      { rewrite <- D. eapply fifo_takes; eauto. unfold inside; simpl. lia. }
      unfold inside in In1; simpl in In1. split; [lia|]. apply E_msg; simpl.
      + rewrite (stand_lab' r c) by (auto; lia). replace (c i + (u - c i)) with u by lia. now f_equal.
      + rewrite (stand_lab' r c) by (auto; lia). replace (c j + (v - c j)) with v by lia. f_equal. apply Rv.
      + replace v with (c j + (v - c j)) in Rv, D by lia. replace u with (c i + (u - c i)) in D by lia.
        pose proof (in_order_earlier r c i j _ _ W F S Rv D) as K1.
        pose proof (in_order_later r c i j _ _ W F S Rv D) as K2.
        unfold nsnd, nrcv in K1, K2.
        replace (c i + (u - c i) - c i) with (u - c i) in K1, K2 by lia.
        replace (c j + (v - c j) - c j) with (v - c j) in K1, K2 by lia.
        rewrite (count_map (sndb j) (lab r i)), (count_map (rcvb i) (lab r j)) in K1, K2.
        rewrite <- (firstn_map_seq (lab r i) (len l i) (c i) (u - c i)),
                <- (firstn_map_seq (lab r j) (len l j) (c j) (v - c j)), <- (St i), <- (St j) in K1, K2 by lia. lia. }
  (* what is at or after the beginning causes nothing before it *)
  assert (Stay : forall u v, step r u v -> snd u >= c (fst u) -> snd v >= c (fst v)).
  { intros [i u] [j v] [[E L]|(i' & j' & Rv & D)] Gu; simpl in *; [subst; lia|].
    destruct (le_lt_dec (c j) v) as [|G]; auto. exfalso.
    assert (I : inside c (delta r (j, v))) by (apply (S _ _ _ Rv); auto). rewrite D in I. unfold inside in I.
    simpl in I. lia. }
  intro C. apply clos_trans_tn1 in C.
  assert (G : forall w, clos_trans_n1 event (step r) (at_cut c x) w -> snd w >= c (fst w) /\
    (snd w - c (fst w) < len l (fst w) -> clos_trans event (normal l) x (fst w, snd w - c (fst w)))).
  { intros w Cw. induction Cw as [w Sw|w w' Sw Cw [IH1 IH2]].
    - assert (Gx : snd (at_cut c x) >= c (fst (at_cut c x))) by (unfold at_cut; simpl; lia).
      split; [eapply Stay; eauto|]. intro Lw. pose proof (Stay _ _ Sw Gx) as Gw.
      destruct (Back _ _ Sw Gw Lw Gx) as [_ N]. apply t_step. unfold at_cut in N; simpl in N.
      replace (c (fst x) + snd x - c (fst x)) with (snd x) in N by lia. now destruct x.
    - pose proof (Stay _ _ Sw IH1) as Gw. split; auto. intro Lw.
      destruct (Back _ _ Sw Gw Lw IH1) as [Lu N]. eapply t_trans; [apply IH2; exact Lu|now apply t_step]. }
  destruct (G _ C) as [_ H]. unfold at_cut in H; simpl in H.
  replace (c (fst y) + snd y - c (fst y)) with (snd y) in H by lia. destruct y; simpl in *. auto.
Qed.
