(** * A layer in a word of layers

    In a word of layers, with exact tags, a layer goes as if it were alone, except for the processes that do not get
    as far as it.  So each layer of a word can be played by itself.  If each layer alone is balanced and does not
    deadlock, the same is true of each word.

    The theorems are [layer_of_word_plays] and [words_of_good_layers].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical FinFun.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers.
Open Scope nat_scope.

(** ** Words and their layers *)

(** A layer over the ports of the program [all], which may have more layers; and a sequence of layers, a word. *)
Definition layer_program := list tagged_act.
Definition word_program (all : list tagged_act) (ls : list layer_program) := program_over all (concat ls).

(** A layer alone: all its events are of the same layer. *)
Definition only_layer (e : event) := 0.

Section Word.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).

(** The programs for which W is computed, of a word and of a layer: with exact tags, on ports with the guarantees
    [G]. *)
Definition relaxed_word (ls : list layer_program) :=
  relaxed (exact (word_program all ls) (layer_in ls)) (exact_guarantee G).
Definition relaxed_layer (M : layer_program) := relaxed (exact (program_over all M) only_layer) (exact_guarantee G).

(** All processes go through a layer as far as they get without the events of [stop]. *)
Definition plays (M : layer_program) (stop : event -> Prop) (u : cut) :=
  reached (relaxed_layer M) stop u /\ stuck (relaxed_layer M) stop u.

(** Each layer by itself: it receives on each port what it sends there, and does not deadlock. *)
Definition good_layer (M : layer_program) := balanced_layers (program_over all M) only_layer /\
  complete_with_faults (program_over all M) only_layer G.

(** ** Lemmas *)

(** With fewer events held back, all get as far. *)
Lemma plays_grow M (stop stop' : event -> Prop) u u' : (forall e, stop' e -> stop e) -> plays M stop u ->
  plays M stop' u' -> cle u u'.
Proof.
  intros Less [R _] [_ S]. apply (without_greatest (relaxed_layer M) stop'); auto. clear S.
  induction R as [c Z|c i d R IH N A D]; [now apply reached_start|]. apply reached_next with c i; auto.
Qed.
Lemma plays_unique M (stop stop' : event -> Prop) u u' : (forall e, stop' e <-> stop e) -> plays M stop u ->
  plays M stop' u' -> ceq u u'.
Proof.
  intros Same U U' i. assert (cle u u') by (apply (plays_grow M stop stop'); auto; intro; apply Same).
  assert (cle u' u) by (apply (plays_grow M stop' stop); auto; intro; apply Same).
  specialize (H i). specialize (H0 i). lia.
Qed.

Lemma reached_ceq {port} (P : program port) stop c d : ceq c d -> reached P stop c -> reached P stop d.
Proof.
  intros D R. destruct R as [c Z|c i c' R N A E].
  - apply reached_start. intro i. now rewrite <- D.
  - apply reached_next with c i; auto. intro k. now rewrite <- D.
Qed.

(** One layer of a word. *)
Section At.
Variables (pre post : list layer_program) (M : layer_program).
Notation ls := (pre ++ M :: post).
Notation n := (length pre).

(** Where process [i] starts the layer, and how many events it has there. *)
Definition start_of (before : list layer_program) (i : proc) := length (tagged_share i (concat before)).
Definition size_of (l : layer_program) (i : proc) := length (tagged_share i l).
(** An event of the layer in the word. *)
Definition in_word (e : event) : event := (fst e, start_of pre (fst e) + snd e).
(** How far the processes are in the layer at a cut of the word. *)
Definition in_layer_at (d : cut) : cut := fun i => Nat.min (size_of M i) (d i - start_of pre i).
(** What holds processes back in the layer: they do not get there, or are held back there. *)
Definition held (w : cut) (stop : event -> Prop) (e : event) :=
  w (fst e) < start_of pre (fst e) \/ stop (in_word e).

Lemma start_next i : start_of (pre ++ [M]) i = start_of pre i + size_of M i.
Proof.
  unfold start_of, size_of. rewrite concat_app, share_app, app_length. simpl. now rewrite app_nil_r.
Qed.

Lemma action_in_word e : snd e < size_of M (fst e) ->
  action (word_program all ls) (in_word e) = action (program_over all M) e.
Proof.
  intro L. simpl. unfold tagged_action, in_word. cbn [fst snd]. f_equal.
  rewrite concat_app. simpl. rewrite !share_app, nth_error_app2 by (unfold start_of; lia).
  rewrite nth_error_app1 by (unfold start_of, size_of in *; lia). f_equal. unfold start_of. lia.
Qed.

Lemma event_of_layer e : In e (events (program_over all M)) <-> snd e < size_of M (fst e).
Proof.
  rewrite all_events. simpl. unfold tagged_action, size_of. rewrite <- nth_error_Some.
  destruct (nth_error (tagged_share (fst e) M) (snd e)); simpl; split; congruence.
Qed.

Lemma layer_in_word i k : layer_in ls (i, k) = n <-> start_of pre i <= k < start_of pre i + size_of M i.
Proof.
  unfold layer_in, start_of, size_of. simpl. revert k. induction pre as [|l pre' IH]; intro k; simpl.
  - destruct (Nat.ltb_spec k (length (tagged_share i M))); lia.
  - rewrite share_app, app_length. destruct (Nat.ltb_spec k (length (tagged_share i l))); [lia|].
    specialize (IH (k - length (tagged_share i l))). lia.
Qed.

Lemma in_word_layer e : snd e < size_of M (fst e) -> layer_in ls (in_word e) = n.
Proof. intro L. apply layer_in_word. simpl. lia. Qed.

Lemma from_layer y : layer_in ls y = n -> exists e, snd e < size_of M (fst e) /\ y = in_word e.
Proof.
  destruct y as [i k]. intro L. apply layer_in_word in L. exists (i, k - start_of pre i). simpl. split; [lia|].
  unfold in_word. simpl. f_equal. lia.
Qed.

Lemma in_word_injective : Injective in_word.
Proof. intros [i k] [j x] E. unfold in_word in E. simpl in E. injection E as -> E. f_equal. lia. Qed.

Lemma inside_in_word d e : snd e < size_of M (fst e) -> inside d (in_word e) <-> inside (in_layer_at d) e.
Proof. intro L. unfold inside, in_word, in_layer_at. simpl. lia. Qed.

(** Events of the layer are as many in the word. *)
Lemma as_many (f g : event -> bool) : (forall e, snd e < size_of M (fst e) -> f (in_word e) = g e) ->
  (forall y, f y = true -> layer_in ls y = n) ->
  length (filter f (events (word_program all ls))) = length (filter g (events (program_over all M))).
Proof.
  intros F L. rewrite <- (map_length in_word (filter g (events (program_over all M)))).
  assert (Ev : forall e, snd e < size_of M (fst e) -> In (in_word e) (events (word_program all ls))).
  { intros e Le. apply all_events. rewrite action_in_word by auto. now apply all_events, event_of_layer. }
  apply Nat.le_antisymm; apply NoDup_incl_length.
  - apply NoDup_filter, no_duplicates.
  - intros y I. apply filter_In in I as [_ Fy]. destruct (from_layer y (L y Fy)) as (e & Le & ->). apply in_map.
    apply filter_In. split; [now apply event_of_layer|]. now rewrite <- F.
  - apply (Injective_map_NoDup in_word_injective), NoDup_filter, no_duplicates.
  - intros y I. apply in_map_iff in I as (e & <- & I). apply filter_In in I as [I Ge]. apply event_of_layer in I.
    apply filter_In. split; auto. now rewrite F.
Qed.

(** ** The programs for W *)

Notation E := (exact (word_program all ls) (layer_in ls)).
Notation EM := (exact (program_over all M) only_layer).
Notation X := (relaxed_word ls).
Notation XM := (relaxed_layer M).

Lemma exact_put_in_word p e : snd e < size_of M (fst e) ->
  action E (in_word e) = Some (Put (n, p)) <-> action EM e = Some (Put (0, p)).
Proof.
  intro L. simpl. rewrite !exact_put, action_in_word, in_word_layer by auto. split; intros [A _]; auto.
Qed.
Lemma exact_take_in_word p e : snd e < size_of M (fst e) ->
  action E (in_word e) = Some (Take (n, p)) <-> action EM e = Some (Take (0, p)).
Proof.
  intro L. simpl. rewrite !exact_take, action_in_word, in_word_layer by auto. split; intros [A _]; auto.
Qed.

Lemma again_in_word p e : snd e < size_of M (fst e) ->
  takes_again E (n, p) (in_word e) = takes_again EM (0, p) e.
Proof.
  intro L. apply eq_true_iff_eq. rewrite !takes_again_spec. cbn [fst snd in_word]. split.
  - intros (k & Lk & A). pose proof (proj1 (exact_take _ _ _ _ _) A) as [_ Ly].
    destruct (from_layer _ Ly) as (e' & Le & Q). injection Q as F ->.
    exists (snd e'). split; [rewrite F in *; lia|]. apply exact_take_in_word; [rewrite F; simpl; lia|].
    unfold in_word. cbn [fst snd]. rewrite F in *. exact A.
  - intros (k & Lk & A). exists (start_of pre (fst e) + k). split; [lia|].
    apply (exact_take_in_word p (fst e, k)); auto. simpl. lia.
Qed.

Lemma take_in_word p e : snd e < size_of M (fst e) ->
  action X (in_word e) = Some (Take (n, p)) <-> action XM e = Some (Take (0, p)).
Proof.
  intro L.
  assert (Iff : forall port (P : program port) H x q, action (relaxed P H) x = Some (Take q) <->
    action P x = Some (Take q) /\ may_copy (H q) && takes_again P q x = false).
  { intros port P H x q. split; [apply relaxed_take|]. intros [A C]. simpl. unfold relaxed_action. now rewrite A, C. }
  unfold relaxed_word, relaxed_layer. now rewrite !Iff, exact_take_in_word, again_in_word by auto.
Qed.
Lemma put_in_word p e : snd e < size_of M (fst e) ->
  action X (in_word e) = Some (Put (n, p)) <-> action XM e = Some (Put (0, p)).
Proof.
  intro L. unfold relaxed_word, relaxed_layer. cbn [action relaxed]. rewrite !relaxed_put. now apply exact_put_in_word.
Qed.

(** The actions of the layer are on its own ports. *)
Lemma take_layer y k p : action X y = Some (Take (k, p)) -> layer_in ls y = k.
Proof. intro A. apply relaxed_take in A as [A _]. now apply exact_take in A. Qed.
Lemma put_layer y k p : action X y = Some (Put (k, p)) -> layer_in ls y = k.
Proof. intro A. apply (relaxed_put E (exact_guarantee G)) in A. now apply exact_put in A. Qed.

Lemma counts_in_word p d : takes X (n, p) d = takes XM (0, p) (in_layer_at d) /\
  puts X (n, p) d = puts XM (0, p) (in_layer_at d).
Proof.
  split; apply as_many.
  - intros e L. f_equal; apply eq_true_iff_eq; [rewrite !insideb_spec; now apply inside_in_word|].
    rewrite !is_take_spec. now apply take_in_word.
  - intros y T. apply andb_true_iff in T as [_ T]. apply is_take_spec in T. now apply take_layer in T.
  - intros e L. f_equal; apply eq_true_iff_eq; [rewrite !insideb_spec; now apply inside_in_word|].
    rewrite !is_put_spec. now apply put_in_word.
  - intros y T. apply andb_true_iff in T as [_ T]. apply is_put_spec in T. now apply put_layer in T.
Qed.

Lemma ready_in_word d e : snd e < size_of M (fst e) -> ready X d (in_word e) <-> ready XM (in_layer_at d) e.
Proof.
  intro L. pose proof (in_word_layer e L) as Ly. unfold ready.
  assert (Some_ : action X (in_word e) <> None /\ action XM e <> None).
  { split; apply all_events; [|now apply (event_of_layer e)].
    apply (all_events (word_program all ls)). rewrite action_in_word by auto. now apply all_events, event_of_layer. }
  destruct Some_ as [S1 S2].
  destruct (action X (in_word e)) as [[[k p]|[k p]|]|] eqn:A, (action XM e) as [[[k' p']|[k' p']|]|] eqn:A';
    try contradiction; try tauto;
    try (apply take_layer in A as K; rewrite Ly in K; subst k; apply take_in_word in A; auto; rewrite A' in A;
      try discriminate; injection A as -> ->; now destruct (counts_in_word p d) as [-> ->]);
    try (apply put_layer in A as K; rewrite Ly in K; subst k; apply put_in_word in A; auto; rewrite A' in A;
      try discriminate);
    try (assert (K : k' = 0) by (apply relaxed_take in A' as [B _]; now apply exact_take in B); subst k';
      apply take_in_word in A'; auto; rewrite A in A'; discriminate).
Qed.

Lemma reached_in_word stop w d : reached X stop d -> cle d w -> reached XM (held w stop) (in_layer_at d).
Proof.
  induction 1 as [d Z|d i d' R IH N A D]; intro L.
  - apply reached_start. intro i. unfold in_layer_at. rewrite Z. lia.
  - assert (Ld : cle d w) by (intro k; specialize (L k); rewrite (D k) in L; unfold bump in L; destruct (k =? i); lia).
    specialize (IH Ld). assert (Li : d i < w i) by (specialize (L i); rewrite (D i), bump_self in L; lia).
    destruct (Nat.eq_dec (layer_in ls (i, d i)) n) as [Ly|Ly].
    + destruct (from_layer _ Ly) as (e & Le & Q). rewrite Q in N, A. injection Q as Fi Fd.
      assert (At : e = (fst e, in_layer_at d (fst e))).
      { unfold in_layer_at. rewrite <- Fi, Fd, <- Fi. destruct e as [j x]; simpl in *. subst j. f_equal. lia. }
      apply reached_next with (in_layer_at d) (fst e); auto.
      * rewrite <- At. intros [H|H]; [rewrite <- Fi in *; lia|auto].
      * rewrite <- At. now apply ready_in_word.
      * intro k. unfold in_layer_at. rewrite (D k). unfold bump. destruct (Nat.eqb_spec k i) as [->|Nk].
        -- rewrite <- Fi, Nat.eqb_refl. rewrite <- Fi in *. lia.
        -- destruct (Nat.eqb_spec k (fst e)); [congruence|auto].
    + apply reached_ceq with (in_layer_at d); auto. intro k. unfold in_layer_at. rewrite (D k). unfold bump.
      destruct (Nat.eqb_spec k i) as [->|Nk]; auto. rewrite layer_in_word in Ly. lia.
Qed.

Lemma stuck_in_word stop w : stuck X stop w -> stuck XM (held w stop) (in_layer_at w).
Proof.
  intros S i. destruct (le_lt_dec (start_of pre i) (w i)) as [L|L]; [|left; now left].
  destruct (le_lt_dec (size_of M i) (w i - start_of pre i)) as [F|F].
  - right. intro Re. assert (I : In (i, in_layer_at w i) (events (program_over all M))).
    { apply (all_events XM). unfold ready in Re.
      destruct (action XM (i, in_layer_at w i)); [discriminate|contradiction]. }
    apply event_of_layer in I. simpl in I. unfold in_layer_at in I. lia.
  - assert (At : in_word (i, in_layer_at w i) = (i, w i)).
    { unfold in_word, in_layer_at. simpl. f_equal. lia. }
    assert (Le : snd (i, in_layer_at w i) < size_of M (fst (i, in_layer_at w i))) by (unfold in_layer_at; simpl; lia).
    destruct (S i) as [H|H]; [left; right; now rewrite At|right]. intro Re. apply H. rewrite <- At.
    now apply ready_in_word.
Qed.

(** A layer of a word goes as if it were alone, without the processes that do not get there. *)
Theorem layer_of_word_plays : forall stop w, reached X stop w -> stuck X stop w ->
  plays M (held w stop) (in_layer_at w).
Proof.
  intros stop w R S. split; [|now apply stuck_in_word]. apply reached_in_word with (1 := R). intro; lia.
Qed.
End At.

(** ** Words of good layers *)

Lemma layer_below ls : forall i k, action (word_program all ls) (i, k) <> None -> layer_in ls (i, k) < length ls.
Proof.
  intros i k A. assert (L : k < start_of ls i).
  { unfold start_of. apply nth_error_Some. simpl in A. unfold tagged_action in A. simpl in A.
    destruct (nth_error (tagged_share i (concat ls)) k); [discriminate|contradiction]. }
  clear A. unfold layer_in. simpl. revert k L.
  induction ls as [|l ls IH]; intros k L; [unfold start_of in L; simpl in L; lia|].
  simpl. destruct (Nat.ltb_spec k (length (tagged_share i l))); [lia|]. apply Peano.le_n_S, IH.
  unfold start_of in *. simpl in L. rewrite share_app, app_length in L. lia.
Qed.

Lemma in_sequence_word ls : in_sequence (word_program all ls) (layer_in ls).
Proof. intros i k k' L _ _. now apply layer_at_mono. Qed.

Lemma exact_counts pre M post p (f : forall port, program port -> port -> event -> bool) :
  f = @is_put \/ f = @is_take ->
  length (filter (f _ (exact (word_program all (pre ++ M :: post)) (layer_in (pre ++ M :: post))) (length pre, p))
    (events (word_program all (pre ++ M :: post)))) =
  length (filter (f _ (exact (program_over all M) only_layer) (0, p)) (events (program_over all M))).
Proof.
  intro F. apply (as_many pre post M).
  - intros e L. destruct F as [-> | ->]; apply eq_true_iff_eq.
    + rewrite !is_put_spec. now apply exact_put_in_word.
    + rewrite !is_take_spec. now apply exact_take_in_word.
  - intros y T. destruct F as [-> | ->].
    + apply is_put_spec in T. now apply exact_put in T.
    + apply is_take_spec in T. now apply exact_take in T.
Qed.

Lemma word_balanced ls : Forall good_layer ls -> balanced_layers (word_program all ls) (layer_in ls).
Proof.
  intros Good n p. destruct (le_lt_dec (length ls) n) as [L|L].
  - assert (None : forall f : event -> bool, (forall e, f e = true -> layer_in ls e = n) ->
      length (filter f (events (word_program all ls))) = 0).
    { intros f F. destruct (filter f _) as [|e l] eqn:Ef; auto. exfalso. assert (I : In e (e :: l)) by now left.
      rewrite <- Ef in I. apply filter_In in I as [I Fe]. apply all_events in I. destruct e as [i k].
      apply layer_below in I. specialize (F _ Fe). lia. }
    rewrite !None; auto; intros e T; [apply is_take_spec in T; now apply exact_take in T|].
    apply is_put_spec in T. now apply exact_put in T.
  - destruct (nth_error ls n) as [M|] eqn:N; [|apply nth_error_None in N; lia].
    apply nth_error_split in N as (pre & post & -> & <-).
    apply Forall_app in Good as [_ Good]. inversion Good as [|? ? [Bal _] _]; subst.
    rewrite (exact_counts pre M post p (@is_put)), (exact_counts pre M post p (@is_take)) by auto. apply Bal.
Qed.

(** If no event of the first layers is held back, all processes get through them. *)
Lemma gets_through w (stop : event -> Prop) pre : forall post, Forall good_layer pre ->
  reached (relaxed_word (pre ++ post)) stop w -> stuck (relaxed_word (pre ++ post)) stop w ->
  (forall e, stop e -> start_of pre (fst e) <= snd e) -> forall i, start_of pre i <= w i.
Proof.
  induction pre as [|M pre IH] using rev_ind; intros post Good R S Later i; [unfold start_of; simpl; lia|].
  apply Forall_app in Good as [Good GoodM]. rewrite <- app_assoc in *. simpl in *. rewrite start_next.
  assert (Through : forall k, start_of pre k <= w k).
  { apply (IH (M :: post)); auto. intros e H. specialize (Later e H). rewrite start_next in Later. lia. }
  destruct (layer_of_word_plays pre post M stop w R S) as [_ Sl].
  inversion GoodM as [|? ? [_ (c & Rc & All)] _]; subst.
  assert (Sl' : stuck (relaxed_layer M) (fun _ => False) (in_layer_at pre M w)).
  { intro k. right. destruct (Sl k) as [[H|H]|H]; auto; [simpl in H; specialize (Through k); lia|].
    specialize (Later _ H). rewrite start_next in Later. unfold in_word in Later. simpl in Later. intro Re.
    assert (I : In (k, in_layer_at pre M w k) (events (program_over all M)));
      [|apply event_of_layer in I; simpl in I; lia].
    apply (all_events (relaxed_layer M)). unfold ready in Re.
    destruct (action (relaxed_layer M) (k, in_layer_at pre M w k)); [discriminate|contradiction]. }
  pose proof (without_greatest (relaxed_layer M) _ _ _ Rc Sl' i) as L. unfold in_layer_at in L. specialize (Through i).
  destruct (size_of M i) as [|k] eqn:Sz; [lia|].
  assert (I : inside c (i, k)); [|unfold inside in I; simpl in I; lia].
  apply All. apply event_of_layer. simpl. lia.
Qed.

(** If each layer alone is balanced and does not deadlock, the same is true of each word. *)
Theorem words_of_good_layers : forall ls, Forall good_layer ls ->
  balanced_layers (word_program all ls) (layer_in ls) /\ complete_with_faults (word_program all ls) (layer_in ls) G.
Proof.
  intros ls Good. split; [now apply word_balanced|].
  destruct (stuck_exists (relaxed_word ls) (fun _ => False) (fun _ => 0)) as (w & R & S); [now apply reached_start|].
  exists w. split; auto. intros [i k] I.
  assert (L : start_of ls i <= w i) by (apply (gets_through w (fun _ => False) ls []); rewrite ?app_nil_r; tauto).
  apply all_events in I. simpl in I. unfold tagged_action in I. simpl in I.
  assert (k < length (tagged_share i (concat ls))).
  { apply nth_error_Some. destruct (nth_error (tagged_share i (concat ls)) k); [discriminate|contradiction]. }
  unfold inside, start_of in *. simpl. lia.
Qed.
End Word.
