(** * Runs of a formula's layers that show interference

    If a message gets into another layer in some run of the layers in [PortOverlapsLayers], then the first receives of
    the literals tell which values satisfy the formula ([wrong_is], [interference_satisfies]). *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortChoices PortOverlaps PortOverlapsLayers.
Open Scope nat_scope.

Section Formula.
Variable f : cnf.
Notation P := (concat (layers_of f)).
Notation m := (length f).
Notation n := (length (variables f)).
Notation lits := (literals f).
Notation L := (length lits).

(** The places of the actions, for this formula. *)
Notation share_is_0 := (PortOverlapsLayers.share_is_0 f).
Notation share_is_1 := (PortOverlapsLayers.share_is_1 f).
Notation action_0_first := (PortOverlapsLayers.action_0_first f).
Notation action_0_clause := (PortOverlapsLayers.action_0_clause f).
Notation action_0_go := (PortOverlapsLayers.action_0_go f).
Notation action_0_variable := (PortOverlapsLayers.action_0_variable f).
Notation share_0_length := (PortOverlapsLayers.share_0_length f).
Notation action_0_last := (PortOverlapsLayers.action_0_last f).
Notation action_2_send := (PortOverlapsLayers.action_2_send f).
Notation action_2_wait := (PortOverlapsLayers.action_2_wait f).
Notation action_3_send := (PortOverlapsLayers.action_3_send f).
Notation action_3_wait := (PortOverlapsLayers.action_3_wait f).
Notation action_literal_0 := (PortOverlapsLayers.action_literal_0 f).
Notation action_literal_1 := (PortOverlapsLayers.action_literal_1 f).
Notation action_literal_tells := (PortOverlapsLayers.action_literal_tells f).
Notation action_literal_rest := (PortOverlapsLayers.action_literal_rest f).
Notation action_variable := (PortOverlapsLayers.action_variable f).
Notation action_clause := (PortOverlapsLayers.action_clause f).
Notation action_1 := (PortOverlapsLayers.action_1 f).
Notation who_sends := (PortOverlapsLayers.who_sends f).

(** ** A run that shows interference gives values *)

Lemma took_from h e j from t : overlapping_runs P h -> inside (done h) e -> action_at P e = Some (TRecv j from t) ->
  exists s, In (Receives e s) h /\ action_at P s = Some (TSend (fst s) j t) /\ inside (done h) s /\
  (from = None \/ from = Some (fst s)).
Proof.
  intros R I A. destruct (overlapping_took P h e _ R I A Logic.I) as [s S].
  destruct (overlapping_received P h e s R S) as (_ & Is & a & b & A' & B & Acc). rewrite A in A'. injection A' as <-.
  destruct b as [i j' t'| |]; try contradiction. destruct Acc as (-> & -> & F).
  exists s. destruct (who_sends _ _ _ _ B) as [<- _]. auto.
Qed.

Lemma before_go k i j : k < S m -> action_at P (0, k) <> Some (TSend i j 1).
Proof.
  intros Lk A. destruct k as [|k]; [rewrite action_0_first in A; discriminate|].
  rewrite action_0_clause in A by lia. discriminate.
Qed.

Lemma third_waits h : overlapping_runs P h -> done h 1 = 0 -> done h 3 <= L.
Proof.
  intros R Z. destruct (le_lt_dec (done h 3) L) as [|Lt]; auto. exfalso.
  destruct (took_from h (3, L) 3 (Some 1) 2 R Lt action_3_wait) as (s & _ & A & I & _).
  apply who_sends in A as [_ [E _]]. unfold inside in I. rewrite E in I. lia.
Qed.
Lemma second_waits h : overlapping_runs P h -> done h 1 = 0 -> done h 0 <= S m -> done h 2 <= L.
Proof.
  intros R Z G. destruct (le_lt_dec (done h 2) L) as [|Lt]; auto. exfalso.
  destruct (took_from h (2, L) 2 None 1 R Lt action_2_wait) as ([i k] & _ & A & I & _).
  pose proof (who_sends _ _ _ _ A) as [_ [[E|E] _]]; unfold inside in I; simpl in *; subst i.
  - apply (before_go k) in A; auto. lia.
  - lia.
Qed.

Lemma same_place (i : proc) k k' l : (forall j l', nth_error lits j = Some l' ->
    action_at P (i, j) = Some (TSend i (at_literal l') 3)) -> k < L -> k' < L ->
  action_at P (i, k) = Some (TSend i (at_literal l) 3) -> action_at P (i, k') = Some (TSend i (at_literal l) 3) -> k
    = k'.
Proof.
  intros Sent Lk Lk' A A'. destruct (nth_error lits k) as [l1|] eqn:E1; [|apply nth_error_Some in E1;
    lia || contradiction].
  destruct (nth_error lits k') as [l2|] eqn:E2; [|apply nth_error_Some in E2; lia || contradiction].
  rewrite (Sent k l1 E1) in A. rewrite (Sent k' l2 E2) in A'.
  assert (E : at_literal l1 = at_literal l2) by congruence. apply at_literal_injective in E. subst l2.
  apply (proj1 (NoDup_nth_error lits) (literals_once f)); auto. congruence.
Qed.

(** The first receive of the literal takes a message of 3. *)
Definition first_of_3 (h : list move) (l : literal) := exists s, In (Receives (at_literal l, 0) s) h /\ fst s = 3.

Lemma early_is_first_of_3 h l : overlapping_runs P h -> done h 1 = 0 -> done h 0 <= S m -> In l lits ->
  2 <= done h (at_literal l) -> first_of_3 h l.
Proof.
  intros R Z G Il Two. pose proof (second_waits h R Z G) as W.
  assert (I0 : inside (done h) (at_literal l, 0)) by (unfold inside; simpl; lia).
  assert (I1 : inside (done h) (at_literal l, 1)) by (unfold inside; simpl; lia).
  destruct (took_from h _ _ _ _ R I0 (action_literal_0 l Il)) as (s0 & S0 & A0 & J0 & _).
  destruct (took_from h _ _ _ _ R I1 (action_literal_1 l Il)) as (s1 & S1 & A1 & J1 & [F|F]); [discriminate|].
  exists s0. split; auto. pose proof (who_sends _ _ _ _ A0) as [_ [[E|E] _]]; auto. exfalso.
  injection F as F. destruct s0 as [i0 k0], s1 as [i1 k1]. unfold inside in J0, J1. simpl in *. subst i0 i1.
  assert (k0 = k1) by (apply (same_place 2 k0 k1 l); auto using action_2_send; lia). subst k1.
  pose proof (proj2 (overlapping_once P h R _ _ _ _ S0 S1) eq_refl). discriminate.
Qed.

Lemma late_is_not_first_of_3 h l : overlapping_runs P h -> done h 1 = 0 -> In l lits ->
  S (S (length (clauses_of f l))) < done h (at_literal l) -> ~ first_of_3 h l.
Proof.
  intros R Z Il Late (s0 & S0 & E0). pose proof (third_waits h R Z) as W.
  assert (A : action_at P (at_literal l, S (S (length (clauses_of f l)))) = Some (TRecv (at_literal l) (Some 3) 3)).
  { rewrite <- (Nat.add_0_r (length (clauses_of f l))). now rewrite action_literal_rest. }
  destruct (took_from h (at_literal l, S (S (length (clauses_of f l)))) _ _ _ R Late A) as (s1 & S1 & A1 & J1 &
    [F|F]); [discriminate|]. injection F as F.
  destruct (overlapping_received P h _ _ R S0) as (_ & J0 & a & b & Aa & Ab & Acc).
  rewrite (action_literal_0 l Il) in Aa. injection Aa as <-. destruct b as [i j t| |]; try contradiction.
  destruct Acc as (-> & -> & _). pose proof (who_sends _ _ _ _ Ab) as [Ei _].
  destruct s0 as [i0 k0], s1 as [i1 k1]. unfold inside in J0, J1. simpl in *. subst.
  assert (k0 = k1) by (apply (same_place 3 k0 k1 l); auto using action_3_send; lia). subst k1.
  pose proof (proj2 (overlapping_once P h R _ _ _ _ S0 S1) eq_refl). discriminate.
Qed.

(** A literal tells its clauses after two receives, and its variable after three. *)
Lemma told_clause l j i j' : In l lits -> action_at P (at_literal l, j) = Some (TSend i j' 4) -> 2 <= j.
Proof.
  intros Il A. destruct j as [|[|j]]; [rewrite action_literal_0 in A by auto|rewrite action_literal_1 in A by
    auto|lia];
    discriminate.
Qed.
Lemma told_variable l j i j' : In l lits -> action_at P (at_literal l, j) = Some (TSend i j' 6) ->
  S (S (length (clauses_of f l))) < j.
Proof.
  intros Il A. destruct j as [|[|j]]; [rewrite action_literal_0 in A by auto|rewrite action_literal_1 in A by auto|];
    try discriminate.
  destruct (nth_error (clauses_of f l) j) as [k|] eqn:E; [rewrite (action_literal_tells l Il j k E) in A;
    discriminate|].
  apply nth_error_None in E. replace j with (length (clauses_of f l) + (j - length (clauses_of f l))) in A by lia.
  rewrite action_literal_rest in A by auto. destruct (j - length (clauses_of f l)) eqn:D; [discriminate|lia].
Qed.

Lemma run_up_to h i k : k <= done h i -> exists h2 h1, h = h2 ++ h1 /\ done h1 i = k.
Proof.
  induction h as [|a h IH]; intro Le; [exists [], []; unfold done in *; simpl in *; split; auto; lia|].
  destruct (Nat.eq_dec (done (a :: h) i) k) as [E|N]; [now exists [], (a :: h)|].
  rewrite done_next in *. destruct IH as (h2 & h1 & -> & E); [destruct (fst (event_of a) =? i); lia|].
  now exists (a :: h2), h1.
Qed.

Lemma in_variables c l : In c f -> In l c -> In l lits.
Proof. intros Ic Il. apply in_literals, nodup_In, in_map, in_concat. eauto. Qed.

Lemma interference_satisfies h : overlapping_runs P h -> done h 1 = 0 -> S (S (m + n)) <= done h 0 -> satisfiable f.
Proof.
  intros R Z All. destruct (run_up_to h 0 (S m)) as (h2 & h1 & -> & G); [lia|].
  assert (R1 : overlapping_runs P h1) by (eapply overlapping_app; eauto).
  assert (Z1 : done h1 1 = 0) by (rewrite done_app in Z; lia).
  assert (Told : forall c, In c f -> exists l, In l c /\ In l lits /\ first_of_3 (h2 ++ h1) l).
  { intros c Ic. destruct (In_nth f c [] Ic) as (k & Lk & E).
    assert (I : inside (done h1) (0, S k)) by (unfold inside; simpl; lia).
    destruct (took_from h1 _ _ _ _ R1 I (action_0_clause k Lk)) as (s & _ & A & J & [F|F]); [discriminate|].
    injection F as F. assert (J' : inside (done h1) (at_clause k, 0)) by (unfold inside in *; simpl; rewrite F; lia).
    destruct (took_from h1 _ _ _ _ R1 J' (action_clause k Lk 0)) as (s' & _ & A' & J2 & _).
    pose proof (who_sends _ _ _ _ A') as [_ (l & k' & Il & Ik & Ei & Ek)]. apply at_clause_injective in Ek. subst k'.
    apply filter_In in Ik as [_ Ik]. destruct (in_dec literal_dec l (nth k f [])) as [Ilc|]; [|discriminate].
    exists l. rewrite <- E. split; auto. split; auto. destruct s' as [i' j']. simpl in Ei. subst i'.
    pose proof (told_clause l j' _ _ Il A') as Two. unfold inside in J2. simpl in J2.
    destruct (early_is_first_of_3 h1 l R1 Z1) as (s0 & S0 & E0); auto; try lia. exists s0. split; auto.
    apply in_or_app. auto. }
  assert (Not : forall x, In x (variables f) -> exists b, ~ first_of_3 (h2 ++ h1) (x, b)).
  { intros x Ix. destruct (In_nth_error _ _ Ix) as [j E].
    assert (Lj : j < n) by (apply nth_error_Some; congruence).
    assert (I : inside (done (h2 ++ h1)) (0, S (S (m + j)))) by (unfold inside; simpl; lia).
    destruct (took_from _ _ _ _ _ R I (action_0_variable j x E)) as (s & _ & A & J & [F|F]); [discriminate|].
    injection F as F.
    assert (J' : inside (done (h2 ++ h1)) (at_variable x, 0)) by (unfold inside in *; simpl; rewrite F; lia).
    destruct (took_from _ _ _ _ _ R J' (action_variable x Ix 0)) as (s' & _ & A' & J2 & _).
    pose proof (who_sends _ _ _ _ A') as [_ (l & Il & Ei & Ex)]. apply at_variable_injective in Ex. subst x.
    destruct s' as [i' j']. simpl in Ei. subst i'. pose proof (told_variable l j' _ _ Il A') as Late.
    exists (snd l). destruct l as [x b]. apply late_is_not_first_of_3; auto. unfold inside in J2. simpl in *. lia. }
  exists (fun x => existsb (fun a => match a with
    | Receives e s => (fst e =? at_literal (x, true)) && (snd e =? 0) && (fst s =? 3) | Does _ => false end) (h2 ++
      h1)).
  assert (Value : forall x, existsb (fun a => match a with
    | Receives e s => (fst e =? at_literal (x, true)) && (snd e =? 0) && (fst s =? 3) | Does _ => false end) (h2 ++
      h1) = true
    <-> first_of_3 (h2 ++ h1) (x, true)).
  { intro x. rewrite existsb_exists. split.
    - intros ([e|[i k] s] & I & E); [discriminate|]. apply andb_true_iff in E as [E E3].
      apply andb_true_iff in E as [E1 E2]. apply Nat.eqb_eq in E1, E2, E3. simpl in *. subst i k. now exists s.
    - intros (s & I & E). exists (Receives (at_literal (x, true), 0) s). split; auto. cbn [fst snd].
      now rewrite Nat.eqb_refl, E. }
  intros c Ic. destruct (Told c Ic) as ([x b] & Ilc & Il & F). exists (x, b). split; auto. cbn [fst snd].
  destruct b; [now apply Value|]. apply not_true_iff_false. rewrite Value. intro T.
  apply in_literals in Il. destruct (Not x Il) as [[|] N]; contradiction.
Qed.

(** ** Which messages are of another layer *)

Notation last_send := ((0, S (S (m + n))) : event).

Lemma second_share i : tagged_share i second_layer = if i =? 0 then [TSend 0 1 0] else if i =? 1 then [TRecv 1 (Some
  0) 0] else [].
Proof. unfold tagged_share, second_layer. destruct i as [|[|i]]; reflexivity. Qed.
Lemma first_share_length i : length (tagged_share i P) =
  length (tagged_share i (first_layer f)) + length (tagged_share i second_layer).
Proof. unfold layers_of. cbn [concat]. now rewrite app_nil_r, share_app, app_length. Qed.

Lemma layer_of x a : action_at P x = Some a ->
  layer_in (layers_of f) x = if existsb (fun y => if event_dec x y then true else false) [last_send;
    (1, 3)] then 1 else 0.
Proof.
  destruct x as [i k]. intro A. unfold action_at in A. cbn [fst snd] in A.
  assert (Lk : k < length (tagged_share i P)) by (apply nth_error_Some; congruence).
  unfold layer_in, layers_of. cbn [layer_at fst snd].
  pose proof (first_share_length i) as Len. rewrite second_share in *.
  assert (L0 : length (tagged_share 0 (first_layer f)) = S (S (m + n))).
  { pose proof (first_share_length 0) as E. rewrite share_is_0, second_share, app_length, share_0_length in E.
    cbn [Nat.eqb length] in E. lia. }
  assert (L1 : length (tagged_share 1 (first_layer f)) = 3).
  { pose proof (first_share_length 1) as E. rewrite share_is_1, second_share in E.
    cbn [Nat.eqb length app share_1] in E. lia. }
  cbn [existsb]. rewrite orb_false_r.
  destruct (event_dec (i, k) last_send) as [E|N0]; [|destruct (event_dec (i, k) (1, 3)) as [E|N1]]; cbn [orb].
  - injection E as -> ->. rewrite L0, Nat.ltb_irrefl, Nat.sub_diag. reflexivity.
  - injection E as -> ->. rewrite L1. reflexivity.
  - destruct (Nat.ltb_spec k (length (tagged_share i (first_layer f)))) as [|Ge]; auto. exfalso.
    destruct (Nat.eqb_spec i 0) as [->|]; [|destruct (Nat.eqb_spec i 1) as [->|]]; cbn [length] in Len.
    + apply N0. f_equal. lia.
    + apply N1. f_equal. lia.
    + lia.
Qed.

Lemma layer_is_second x a : action_at P x = Some a -> layer_in (layers_of f) x <> 0 -> x = last_send \/ x = (1, 3).
Proof.
  intros A N. rewrite (layer_of x a A) in N. cbn [existsb] in N.
  destruct (event_dec x last_send); [now left|]. destruct (event_dec x (1, 3)); [now right|]. now contradiction N.
Qed.

(** If messages get into another layer, then the receive of process 1 takes the one of the second layer. *)
Lemma wrong_is h e s : overlapping_runs P h -> In (Receives e s) h -> layer_in (layers_of f) e <> layer_in (layers_of
  f) s ->
  In (Receives (1, 0) last_send) h.
Proof.
  intros R T N. destruct (overlapping_received P h e s R T) as (Ie & Is & a & b & A & B & Acc).
  destruct a as [|j from t|]; try contradiction. destruct b as [i j' t'| |]; try contradiction.
  destruct Acc as (-> & -> & _). rewrite (layer_of e _ A), (layer_of s _ B) in N.
  assert (Ne : e <> last_send) by (intros ->; rewrite action_0_last in A; discriminate).
  assert (Ns : s <> (1, 3)) by (intros ->; rewrite action_1 in B; discriminate).
  cbn [existsb] in N. rewrite !orb_false_r in N.
  destruct (event_dec e last_send) as [|X1]; [contradiction|].
  destruct (event_dec s (1, 3)) as [|X2]; [contradiction|].
  destruct (event_dec s last_send) as [->|Nl]; destruct (event_dec e (1, 3)) as [->|N3]; cbn [orb] in N;
    try (now contradiction N).
  - rewrite action_0_last in B. injection B as <- <- <-. destruct e as [k q].
    pose proof (action_at_in _ _ _ A) as [_ Ek]. simpl in Ek. subst k. rewrite action_1 in A.
    destruct q as [|[|[|[|q]]]]; try discriminate; auto; [now contradiction N3|]. simpl in A.
    destruct q; discriminate.
  - rewrite action_1 in A. injection A as <- _ <-.
    assert (I0 : inside (done h) (1, 0)) by (unfold inside in *; simpl in *; lia).
    destruct (took_from h (1, 0) 1 (Some 0) 0 R I0) as (s0 & S0 & A0 & _); [now rewrite action_1|].
    assert (Send : forall x i, action_at P x = Some (TSend i 1 0) -> x = (0, 0) \/ x = last_send).
    { intros x i0 X. pose proof (who_sends _ _ _ _ X) as [Ex [E0 _]]. destruct x as [x q].
      cbn [fst] in Ex. rewrite <- Ex in E0. clear Ex. subst x.
      destruct q as [|q]; [now left|]. right. f_equal.
      destruct (lt_eq_lt_dec q m) as [[Lq| ->]|Gq]; [rewrite action_0_clause in X by auto; discriminate|
        rewrite action_0_go in X; discriminate|].
      assert (Lq : S q < S (S (S (m + n)))).
      { enough (S q < length (tagged_share 0 P)) by (rewrite share_is_0, app_length, share_0_length in H; simpl in H;
          lia).
        apply nth_error_Some. unfold action_at in X. cbn [fst snd] in X. congruence. }
      destruct (nth_error (variables f) (q - S m)) as [x|] eqn:Ev.
      - replace (S q) with (S (S (m + (q - S m)))) in X by lia. rewrite (action_0_variable _ _ Ev) in X. discriminate.
      - apply nth_error_None in Ev. lia. }
    destruct (Send s0 _ A0) as [-> | ->]; auto. destruct (Send s _ B) as [-> | ->]; [|contradiction].
    pose proof (proj2 (overlapping_once P h R _ _ _ _ T S0) eq_refl). discriminate.
Qed.
End Formula.
