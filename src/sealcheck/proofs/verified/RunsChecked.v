(** * The check of runs accepts all runs

    [run_is_matching] says that what [check_run] accepts is a run.  Here is the rest: it accepts every run that has the
    events of the program, an order in which they can happen, and a matching that names each receive once. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Teaching StraightLine Interleavings.
From Sealcheck Require Import CausalPast Decider KnowledgeDecider Certificates.
Open Scope nat_scope.

(** ** Places in an order *)

Lemma rank_le : forall pre x post, rank x (pre ++ x :: post) <= length pre.
Proof.
  induction pre as [|a pre IH]; intros x post; simpl.
  - assert (event_eqb x x = true) as -> by now apply pair_eqb_spec. lia.
  - destruct (event_eqb a x); [lia|]. specialize (IH x post). lia.
Qed.

Lemma rank_of_in : forall pre x post, In x pre -> rank x (pre ++ post) < length pre.
Proof.
  induction pre as [|a pre IH]; intros x post I; simpl; [destruct I|]. destruct (event_eqb a x) eqn:E; [lia|].
  destruct I as [->|I]; [|specialize (IH x post I); lia].
  assert (event_eqb x x = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma in_of_rank : forall pre x post, rank x (pre ++ post) < length pre -> In x pre.
Proof.
  induction pre as [|a pre IH]; intros x post H; simpl in *; [lia|]. destruct (event_eqb a x) eqn:E.
  - apply pair_eqb_spec in E. auto.
  - right. apply (IH x post). lia.
Qed.

Lemma rank_in : forall x order, rank x order < length order <-> In x order.
Proof.
  intros x order. pose proof (app_nil_r order) as E. split; intro H.
  - apply (in_of_rank order x []). now rewrite E.
  - rewrite <- E at 1. now apply rank_of_in.
Qed.

Lemma rank_not_before : forall pre x post, ~ In x pre -> length pre <= rank x (pre ++ post).
Proof.
  intros pre x post N. destruct (le_lt_dec (length pre) (rank x (pre ++ post))) as [|L]; auto.
  now apply in_of_rank in L.
Qed.

(** In a causal order causes stand before what they cause. *)
Lemma rank_causal : forall R order x y, NoDup order -> in_causal_order R order -> In x order -> In y order -> R x y ->
  rank x order < rank y order.
Proof.
  intros R order x y N O X Y H. apply in_split in Y as (pre & post & ->).
  assert (I : In x pre) by exact (O pre y post eq_refl x X H).
  assert (~ In y pre) by (intro Q; apply NoDup_remove_2 in N; apply N, in_or_app; auto).
  pose proof (rank_of_in pre x (y :: post) I). pose proof (rank_not_before pre y (y :: post) H0). lia.
Qed.

(** ** Lists without repetitions *)

Lemma all_different_iff : forall es, all_different es = true <-> NoDup es.
Proof.
  intro es. split; [apply all_different_spec|]. induction 1 as [|e es N _ IH]; simpl; auto.
  apply andb_true_iff. split; auto. apply negb_true_iff, not_true_iff_false. now rewrite mem_spec.
Qed.

Lemma all_events_nodup : forall n l, NoDup (events_of_processes n l).
Proof.
  intros n l.
  assert (F : forall a, NoDup (flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq a n))); [|apply F].
  induction n as [|n IH]; intro a; simpl; [constructor|].
  assert (G : forall ks, NoDup ks -> NoDup (map (fun k => (a, k)) ks ++
    flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq (S a) n))).
  { induction 1 as [|k ks N _ IHks]; simpl; [apply IH|]. constructor; auto.
    intro I. apply in_app_or in I as [I|I].
    - apply in_map_iff in I as (x & E & I). congruence.
    - apply in_flat_map in I as (i & Hi & I). apply in_seq in Hi. apply in_map_iff in I as (x & E & _).
      injection E as E _. lia. }
  apply G, seq_NoDup.
Qed.

(** The matching, where it names each receive once. *)
Lemma taken_of : forall m e s, NoDup (map fst m) -> In (e, s) m -> matched_send m e = s.
Proof.
  induction m as [|[r t] m IH]; intros e s N I; [destruct I|]. simpl in N. inversion N; subst. simpl.
  destruct (event_eqb r e) eqn:E.
  - apply pair_eqb_spec in E. subst r. destruct I as [I|I]; [congruence|]. exfalso. apply H1.
    apply in_map_iff. exists (e, s). auto.
  - destruct I as [I|I]; auto. injection I as -> ->.
    assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma sends_nodup : forall m, NoDup (map fst m) ->
  (forall e e', In e (map fst m) -> In e' (map fst m) -> matched_send m e = matched_send m e' -> e = e') ->
    NoDup (map snd m).
Proof.
  intros m N J.
  assert (G : forall k, incl k m -> NoDup (map fst k) -> NoDup (map snd k)); [|apply G; auto using incl_refl].
  induction k as [|[e s] k IH]; intros C D; simpl; constructor; simpl in D; inversion D; subst.
  - intro I. apply in_map_iff in I as ((e' & s') & E & I). cbn [snd] in E. subst s'. apply H1.
    assert (A : In (e, s) m) by (apply C; now left). assert (B : In (e', s) m) by (apply C; now right).
    assert (e = e') as ->.
    { apply J; [apply in_map_iff; exists (e, s); auto|apply in_map_iff; exists (e', s); auto|].
      now rewrite (taken_of m e s N A), (taken_of m e' s N B). }
    apply in_map_iff. exists (e', s). auto.
  - apply IH; auto. intros x I. apply C. now right.
Qed.

(** ** The check *)

(** Receives of the program, by the order of processes. *)
Definition all_receives (n : nat) (l : list act) : list event := filter (is_receive l) (events_of_processes n l).

Lemma is_receive_spec : forall l m e, is_receive l e = true <-> exists i j, is_rcv (run_of l m) e i j.
Proof.
  intros l m [j y]. unfold is_receive. cbn [fst snd]. split.
  - destruct (nth_error (labs j l) y) as [[k|i|]|] eqn:E; try discriminate. intros _. exists i, j.
    split; auto. simpl. now rewrite E.
  - intros (i & j' & _ & L). change (lab (fifo l) j y = Rcv i) in L. apply fifo_lab in L as [-> _]; [auto|discriminate].
Qed.

(** _What is accepted is exactly_ a run with an order in which its events can happen, and a matching that says of each
    receive once which send it takes. *)
Theorem check_run_correct : forall n l order m, check_run n l order m = true <->
  acts_below n l /\ matching (run_of l m) /\ interleaving (run_of l m) (events_of_processes n l) order /\
  Permutation (all_receives n l) (map fst m).
Proof.
  intros n l order m. split.
  - intro H. pose proof (check_run_parts n l order m H) as (W & P & K & N).
    pose proof (height_rises n l order m H) as Up. pose proof (run_is_matching n l order m H) as M.
    unfold check_run in H. rewrite !andb_true_iff, !Nat.eqb_eq in H. destruct H as ((((_ & Lo) & _) & Lm) & _).
    assert (Inc : incl (events_of_processes n l) order).
    { intros e I. apply all_events_spec in I; auto. specialize (P e I). unfold is_placed in P.
      rewrite !andb_true_iff, Nat.ltb_lt in P. now apply rank_in. }
    assert (Pe : Permutation (events_of_processes n l) order).
    { apply NoDup_Permutation_bis; auto using all_events_nodup. now rewrite Lo. }
    do 2 (split; [assumption|]). split; [split; [exact Pe|]|].
    + intros pre y post E x X S.
      assert (In y order) as Y by (rewrite E; apply in_elt).
      apply (Permutation_in _ (Permutation_sym Pe)), all_events_spec in X; auto.
      apply (Permutation_in _ (Permutation_sym Pe)), all_events_spec in Y; auto.
      apply Up in S. unfold height in S. apply Nat.ltb_lt in X, Y. rewrite X, Y, E in S.
      pose proof (rank_le pre y post). apply (in_of_rank pre x (y :: post)). lia.
    + apply NoDup_Permutation_bis; [apply NoDup_filter, all_events_nodup| |].
      * rewrite map_length. unfold all_receives. now rewrite <- Lm.
      * intros e I. apply filter_In in I as [I R]. apply all_events_spec in I; auto.
  - intros (W & M & (Pe & O) & Pr).
    assert (No : NoDup order) by apply (Permutation_NoDup Pe), all_events_nodup.
    assert (Io : forall e, inside (len l) e -> In e order).
    { intros e I. apply (Permutation_in _ Pe), all_events_spec; auto. }
    assert (Nm : NoDup (map fst m)) by apply (Permutation_NoDup Pr), NoDup_filter, all_events_nodup.
    assert (Lt : forall x y, inside (len l) x -> inside (len l) y -> step (run_of l m) x y ->
              rank x order < rank y order).
    { intros x y X Y S. eapply rank_causal; eauto. }
    unfold check_run. rewrite !andb_true_iff, !forallb_forall, !Nat.eqb_eq, all_different_iff. repeat split.
    + now apply is_below_spec.
    + intros e I. apply all_events_spec in I; auto. unfold is_placed. rewrite !andb_true_iff. repeat split.
      * apply Nat.ltb_lt, rank_in, Io, I.
      * destruct e as [i k]. cbn [fst snd]. destruct (S k <? len l i) eqn:E; simpl; auto.
        apply Nat.ltb_lt, Lt; [exact I|apply Nat.ltb_lt, E|]. left. cbn [fst snd]. lia.
      * destruct (nth_error (labs (fst e) l) (snd e)) as [[k|i|]|] eqn:E; auto.
        assert (R : is_rcv (run_of l m) e i (fst e)) by (split; auto; simpl; now rewrite E).
        destruct (delta_snd _ M _ _ _ R) as [F S].
        change (lab (fifo l) (fst (matched_send m e)) (snd (matched_send m e)) = Snd (fst e)) in S.
        cbn [run_of delta] in F. apply fifo_lab in S as [S Is]; [|discriminate]. rewrite F in S.
        apply andb_true_iff. split.
        -- unfold is_send_to. rewrite F, Nat.eqb_refl, S. simpl. apply Nat.eqb_refl.
        -- apply Nat.ltb_lt, Lt; [exact Is|exact I|]. right. exists i, (fst e). auto.
    + symmetry. now apply Permutation_length.
    + intros e I. destruct (is_receive l e) eqn:R; auto. simpl. apply mem_spec, (Permutation_in _ Pr), filter_In. auto.
    + rewrite <- (map_length fst m). symmetry. now apply Permutation_length in Pr.
    + apply sends_nodup; auto. intros e e' I I' E.
      assert (Rc : forall x, In x (map fst m) -> exists i j, is_rcv (run_of l m) x i j).
      { intros x X. apply is_receive_spec. apply (Permutation_in _ (Permutation_sym Pr)), filter_In in X. apply X. }
      destruct (Rc e I) as (i & j & R), (Rc e' I') as (i' & j' & R').
      exact (delta_inj _ M e i j e' i' j' R R' E).
Qed.

(** There is such an order if it is a run. *)
Theorem check_run_accepts : forall n l m, acts_below n l -> Permutation (all_receives n l) (map fst m) ->
  ((exists order, check_run n l order m = true) <-> matching (run_of l m)).
Proof.
  intros n l m W P. split.
  - intros [order H]. now apply (run_is_matching n l order).
  - intro M. assert (I : exists order, interleaving (run_of l m) (events_of_processes n l) order).
    { apply (interleaving_exists _ (len l)); auto using all_events_nodup.
      - intro e. now apply all_events_spec.
      - intros e i j R _. pose proof (delta_snd _ M _ _ _ R) as S. split; auto. destruct S as [_ S].
        change (lab (fifo l) (fst (matched_send m e)) (snd (matched_send m e)) = Snd j) in S.
        apply fifo_lab in S as [_ S]; [exact S|discriminate].
      - intros e _. apply (causal _ M). }
    destruct I as [order I]. exists order. apply check_run_correct. auto.
Qed.
