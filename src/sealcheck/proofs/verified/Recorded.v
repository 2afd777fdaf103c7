(** * Runs that are written down

    A run of finitely many events, with their values, and the expressions that can be written down: what the
    verified checker reads.  It is checked to be a run ([check_recorded_correct]), and decided of it are occurrence of
    programs ([ends_recorded_correct]), empty channels ([is_empty_correct]) and order ([is_fifo_correct]). *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine.
From Sealcheck Require Import CausalPast KnowledgeDecider Certificates RunsChecked OccurrenceDecider.
Open Scope nat_scope.
(** For each process what happens there, with the values.  After that it communicates no more. *)
Definition recording := list (list (label * value)).

Definition recorded (h : recording) (m : list (event * event)) : run := {|
  lab := fun i k => match nth_error (nth i h []) k with Some x => fst x | None => Int end;
  delta := matched_send m;
  val := fun e => match nth_error (nth (fst e) h []) (snd e) with Some x => snd x | None => 0%Z end
|}.

(** All its receives, ... *)
Definition recorded_receives (h : recording) : list event :=
  flat_map (fun i => flat_map (fun k => match nth_error (nth i h []) k with
                                        | Some (Rcv _, _) => [(i, k)]
                                        | _ => []
                                        end) (seq 0 (length (nth i h [])))) (seq 0 (length h)).

Lemma recorded_receives_spec : forall h m e,
  In e (recorded_receives h) <-> exists i j, is_rcv (recorded h m) e i j.
Proof.
  intros h m [j k]. unfold recorded_receives. rewrite in_flat_map. split.
  - intros (a & A & H). apply in_flat_map in H as (b & B & H).
    destruct (nth_error (nth a h []) b) as [[[to|from|] x]|] eqn:E; [destruct H| |destruct H|destruct H].
    destruct H as [H|[]]. injection H as <- <-.
    exists from, a. split; auto. simpl. now rewrite E.
  - intros (i & j' & <- & L). simpl in L. destruct (nth_error (nth j h []) k) as [[a x]|] eqn:E; [|discriminate].
    simpl in L. subst a. assert (K : k < length (nth j h [])) by (apply nth_error_Some; congruence).
    assert (J : j < length h).
    { destruct (le_lt_dec (length h) j) as [N|]; auto. rewrite nth_overflow in K by exact N. simpl in K. lia. }
    exists j. split; [apply in_seq; lia|]. apply in_flat_map. exists k. split; [apply in_seq; lia|].
    rewrite E. now left.
Qed.

(** ... and how far each process gets. *)
Definition recorded_lengths (h : recording) : list nat := map (@length _) h.

Definition ends_recorded (h : recording) (m : list (event * event)) (c : list nat) (p : prog) : list (list nat) :=
  endings (recorded h m) (recorded_receives h) (recorded_lengths h) p c.

(** _Occurrence in such a run is decided_, for every program of the language and every cut of what is written down. *)
Theorem ends_recorded_correct : forall h m c p d, length c = length h -> length d = length h ->
  cle (at_ d) (at_ (recorded_lengths h)) ->
  (In d (ends_recorded h m c p) <-> occurs (recorded h m) (at_ c) p (at_ d)).
Proof.
  intros h m c p d Lc Ld C. apply endings_correct; auto; unfold recorded_lengths; rewrite ?map_length; auto.
  apply recorded_receives_spec.
Qed.

(** ** That it is a run *)

Definition act_of (i : proc) (a : label) : act :=
  match a with Snd j => ASend i j | Rcv j => ARecv i j | Int => AInt i end.

(** Its events without their values, as a list of actions. *)
Definition recorded_acts (h : recording) : list act :=
  flat_map (fun i => map (act_of i) (map fst (nth i h []))) (seq 0 (length h)).

Lemma labs_shares : forall (f : proc -> list label) i n a,
  labs i (flat_map (fun k => map (act_of k) (f k)) (seq a n)) = if (a <=? i) && (i <? a + n) then f i else [].
Proof.
  intros f i.
  assert (One : forall k ls, labs i (map (act_of k) ls) = if k =? i then ls else []).
  { intros k ls. unfold labs, proj. induction ls as [|b ls IH]; [now destruct (k =? i)|]. simpl.
    replace (actor (act_of k b)) with k by now destruct b. destruct (k =? i); [|exact IH].
    simpl. rewrite IH. f_equal. now destruct b. }
  induction n as [|n IH]; intro a; simpl.
  - destruct (a <=? i) eqn:E, (i <? a + 0) eqn:F; auto. apply Nat.leb_le in E. apply Nat.ltb_lt in F. lia.
  - rewrite labs_app, One, IH. destruct (Nat.eqb_spec a i) as [->|N].
    + replace (S i <=? i) with false by (symmetry; apply Nat.leb_gt; lia).
      rewrite Nat.leb_refl. replace (i <? i + S n) with true by (symmetry; apply Nat.ltb_lt; lia).
      simpl. now rewrite app_nil_r.
    + replace (i <? S a + n) with (i <? a + S n) by (f_equal; lia). rewrite app_nil_l.
      replace (S a <=? i) with (a <=? i); auto. apply eq_true_iff_eq. rewrite !Nat.leb_le. lia.
Qed.

Lemma labs_recorded : forall h i, labs i (recorded_acts h) = map fst (nth i h []).
Proof.
  intros h i. unfold recorded_acts. rewrite (labs_shares (fun k => map fst (nth k h []))). simpl.
  destruct (i <? length h) eqn:L; auto. apply Nat.ltb_ge in L. now rewrite nth_overflow.
Qed.

Lemma lab_recorded : forall h m i k, lab (run_of (recorded_acts h) m) i k = lab (recorded h m) i k.
Proof.
  intros h m i k. simpl. rewrite labs_recorded. destruct (nth_error (nth i h []) k) as [x|] eqn:E.
  - now rewrite (map_nth_error fst k _ E).
  - assert (N : nth_error (map fst (nth i h [])) k = None).
    { apply nth_error_None. rewrite map_length. now apply nth_error_None. }
    now rewrite N.
Qed.

(** Values are no part of the conditions on the matching. *)
Lemma matching_labs : forall r r', (forall i k, lab r i k = lab r' i k) -> (forall e, delta r e = delta r' e) ->
  matching r -> matching r'.
Proof.
  intros r r' L D [S I A].
  assert (Rc : forall e i j, is_rcv r' e i j -> is_rcv r e i j).
  { intros e i j [F X]. split; auto. now rewrite L. }
  constructor.
  - intros e i j R. destruct (S e i j (Rc e i j R)) as [F X]. split; [now rewrite <- D|]. now rewrite <- D, <- L.
  - intros e i j e' i' j' R R' E. apply (I e i j e' i' j'); auto. now rewrite !D.
  - intros e C. apply (A e).
    assert (G : forall x y, causes r' x y -> causes r x y); [|now apply G].
    induction 1 as [x y [H|(i & j & R & H)]|x y z _ IH1 _ IH2].
    + apply t_step. now left.
    + apply t_step. right. exists i, j. split; auto. now rewrite D.
    + eapply t_trans; eauto.
Qed.

(** Receives get what was sent. *)
Definition values_agree (h : recording) (m : list (event * event)) : bool :=
  forallb (fun e => val (recorded h m) e =? val (recorded h m) (matched_send m e))%Z (recorded_receives h).

Definition check_recorded (h : recording) (order : list event) (m : list (event * event)) : bool :=
  check_run (length h) (recorded_acts h) order m && values_agree h m.

Lemma values_agree_spec : forall h m, values_agree h m = true <-> transmits (recorded h m).
Proof.
  intros h m. unfold values_agree. rewrite forallb_forall. split.
  - intros H e i j R. apply Z.eqb_eq, H, (recorded_receives_spec h m). eauto.
  - intros T e I. apply (recorded_receives_spec h m) in I as (i & j & R). apply Z.eqb_eq. exact (T e i j R).
Qed.

(** _What is accepted is a run of Rel_, by all the paper's conditions. *)
Theorem check_recorded_correct : forall h order m, check_recorded h order m = true -> Rel (recorded h m).
Proof.
  intros h order m H. apply andb_true_iff in H as [C V]. split.
  - split; [|now apply values_agree_spec].
    apply (matching_labs (run_of (recorded_acts h) m)); [intros; apply lab_recorded|reflexivity|].
    now apply (run_is_matching (length h) _ order).
  - intros s i j _ _. exists (length (nth i h [])). intros k K [_ S]. simpl in S.
    replace (nth_error (nth i h []) k) with (@None (label * value)) in S by (symmetry; now apply nth_error_None).
    discriminate.
Qed.

(** _And a run is accepted_, with some order, if its processes are those of the recording and the matching names each
    receive once and nothing else. *)
Theorem check_recorded_accepts : forall h m, acts_below (length h) (recorded_acts h) -> NoDup (map fst m) ->
  (forall e, In e (map fst m) <-> exists i j, is_rcv (recorded h m) e i j) ->
  ((exists order, check_recorded h order m = true) <-> Rel (recorded h m)).
Proof.
  intros h m W N A. split; [intros [order H]; eauto using check_recorded_correct|]. intros [[M T] _].
  assert (P : Permutation (all_receives (length h) (recorded_acts h)) (map fst m)).
  { apply NoDup_Permutation; auto; [apply NoDup_filter, all_events_nodup|]. intro e.
    unfold all_receives. rewrite A, filter_In, (is_receive_spec _ m), all_events_spec by exact W. split.
    - intros (_ & i & j & F & L). exists i, j. split; auto. now rewrite <- lab_recorded.
    - intros (i & j & F & L). rewrite <- lab_recorded in L. split; [|exists i, j; split; auto].
      apply fifo_lab in L as [_ L]; [exact L|discriminate]. }
  destruct (proj2 (check_run_accepts _ _ m W P)) as [order C].
  - now apply (matching_labs (recorded h m)); [intros; symmetry; apply lab_recorded| |].
  - exists order. unfold check_recorded. rewrite C. now apply values_agree_spec.
Qed.

(** ** Empty channels, and channels that keep order *)

Definition recorded_events (h : recording) : list event :=
  flat_map (fun i => map (fun k => (i, k)) (seq 0 (length (nth i h [])))) (seq 0 (length h)).

Lemma recorded_events_all : forall h m e, lab (recorded h m) (fst e) (snd e) <> Int -> In e (recorded_events h).
Proof.
  intros h m [i k] N. cbn [fst snd recorded lab] in N.
  destruct (nth_error (nth i h []) k) as [x|] eqn:E; [|congruence].
  assert (K : k < length (nth i h [])) by (apply nth_error_Some; congruence).
  assert (I : i < length h).
  { destruct (le_lt_dec (length h) i) as [L|]; auto. rewrite nth_overflow in K by exact L. simpl in K. lia. }
  apply in_flat_map. exists i. split; [apply in_seq; lia|]. apply in_map_iff. exists k. split; auto. apply in_seq. lia.
Qed.

Definition is_sndb (r : run) (e : event) (i j : proc) : bool := (fst e =? i) && sndb j (lab r (fst e) (snd e)).
Definition is_rcvb (r : run) (e : event) (i j : proc) : bool := (fst e =? j) && rcvb i (lab r (fst e) (snd e)).

Lemma is_sndb_spec : forall r e i j, is_sndb r e i j = true <-> is_snd r e i j.
Proof. intros. unfold is_sndb, is_snd. now rewrite andb_true_iff, Nat.eqb_eq, sndb_spec. Qed.
Lemma is_rcvb_spec : forall r e i j, is_rcvb r e i j = true <-> is_rcv r e i j.
Proof. intros. unfold is_rcvb, is_rcv. now rewrite andb_true_iff, Nat.eqb_eq, rcvb_spec. Qed.

(** No message is under way at the cut, nor received before it is sent. *)
Definition is_empty (h : recording) (m : list (event * event)) (c : list nat) : bool :=
  forallb (fun e => negb (is_inside c e) ||
    match lab (recorded h m) (fst e) (snd e) with
    | Snd _ => existsb (fun x => is_inside c x && event_eqb (matched_send m x) e) (recorded_receives h)
    | Rcv _ => is_inside c (matched_send m e)
    | Int => true
    end) (recorded_events h).

Theorem is_empty_correct : forall h m c, is_empty h m c = true <-> all_empty (recorded h m) (at_ c).
Proof.
  intros h m c. unfold is_empty. rewrite forallb_forall. split.
  - intros H i j e (I & Ch). assert (N : lab (recorded h m) (fst e) (snd e) <> Int).
    { destruct Ch as [[[_ ->] _]|[[_ ->] _]]; discriminate. }
    specialize (H e (recorded_events_all h m e N)). apply is_inside_spec in I. rewrite I in H.
    destruct Ch as [[[_ L] F]|[[_ L] O]]; rewrite L in H; cbn [negb orb] in H.
    + apply existsb_exists in H as (x & X & H). apply andb_true_iff in H as [Ix E]. apply pair_eqb_spec in E.
      apply (recorded_receives_spec h m) in X as (a & b & X). apply (F x a b X); [now apply is_inside_spec|exact E].
    + apply O. now apply is_inside_spec.
  - intros H e _. destruct (is_inside c e) eqn:I; auto. cbn [negb orb]. apply is_inside_spec in I.
    destruct (lab (recorded h m) (fst e) (snd e)) as [j|i|] eqn:L; auto.
    + destruct (existsb _ _) eqn:X; auto. exfalso. apply (H (fst e) j e). split; auto. left.
      split; [split; auto|]. intros x a b R Ix E. apply not_true_iff_false in X. apply X, existsb_exists. exists x.
      split; [apply (recorded_receives_spec h m); eauto|]. apply andb_true_iff. split; [now apply is_inside_spec|].
      now apply pair_eqb_spec.
    + destruct (is_inside c (matched_send m e)) eqn:X; auto. exfalso. apply (H i (fst e) e). split; auto. right.
      split; [split; auto|]. intro O. apply not_true_iff_false in X. apply X. now apply is_inside_spec.
Qed.

(** Before [e], which is received from [i], all that [i] had sent on that channel before was received. *)
Definition is_in_turn (h : recording) (m : list (event * event)) (e : event) (i : proc) : bool :=
  let r := recorded h m in
  forallb (fun s => negb (is_sndb r s i (fst e) && is_sndb r (matched_send m e) i (fst e) &&
    (snd s <? snd (matched_send m e))) ||
    existsb (fun x => is_rcvb r x i (fst e) && event_eqb (matched_send m x) s && (snd x <? snd e))
      (recorded_receives h))
    (recorded_events h).

Definition is_fifo (h : recording) (m : list (event * event)) : bool :=
  forallb (fun e => match lab (recorded h m) (fst e) (snd e) with Rcv i => is_in_turn h m e i | _ => true end)
    (recorded_receives h).

Theorem is_fifo_correct : forall h m, is_fifo h m = true <-> in_order (recorded h m).
Proof.
  intros h m. unfold is_fifo. rewrite forallb_forall. split.
  - intros H i j s s' e S S' Lt R <-. pose proof R as [Fe Le].
    assert (I : In e (recorded_receives h)) by (apply (recorded_receives_spec h m); eauto).
    specialize (H e I). rewrite Le in H. unfold is_in_turn in H. rewrite forallb_forall, Fe in H.
    assert (Is : In s (recorded_events h)).
    { apply (recorded_events_all h m). destruct S as [_ ->]. discriminate. }
    specialize (H s Is). cbn [recorded delta] in S', Lt.
    apply is_sndb_spec in S, S'. apply Nat.ltb_lt in Lt. rewrite S, S', Lt in H. cbn [andb negb orb] in H.
    apply existsb_exists in H as (x & _ & H). rewrite !andb_true_iff in H. destruct H as [[Rx E] L].
    exists x. split; [now apply is_rcvb_spec|]. split; [now apply pair_eqb_spec|now apply Nat.ltb_lt].
  - intros H e _. destruct (lab (recorded h m) (fst e) (snd e)) as [k|i|] eqn:L; auto.
    unfold is_in_turn. apply forallb_forall. intros s _. destruct (_ && _ && _) eqn:C; auto. cbn [negb orb].
    rewrite !andb_true_iff, !is_sndb_spec, Nat.ltb_lt in C. destruct C as [[S S'] Lt].
    destruct (H i (fst e) s _ e S S' Lt) as (x & R & E & Lx); [split; auto|reflexivity|].
    apply existsb_exists. exists x. split; [apply (recorded_receives_spec h m); eauto|].
    rewrite !andb_true_iff, is_rcvb_spec, Nat.ltb_lt. repeat split; try apply R; auto. now apply pair_eqb_spec.
Qed.

(** ** Expressions that can be written down *)

(** [Ago k] is the value of the process's last event but [k], or 0 if there was none. *)
Inductive term := Num (z : value) | Ago (k : nat) | Neg (t : term) | Plus (s t : term) | Times (s t : term).

Fixpoint evaluate (t : term) : expr := fun h =>
  match t with
  | Num z => z
  | Ago k => snd (nth k (rev h) (Int, 0%Z))
  | Neg s => (- evaluate s h)%Z
  | Plus s u => (evaluate s h + evaluate u h)%Z
  | Times s u => (evaluate s h * evaluate u h)%Z
  end.
