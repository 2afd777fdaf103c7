(** * The paper's channels are ports

    A channel of the paper is a port of one sender, without tags.  For a balanced straight-line program that does not
    deadlock, what comes after an event in every run over ports is what the program graph says: W(r) has the events
    that [r] neither is nor causes.  So the theorems on ports speak of the same order as those on causality.

    The theorems are [channels_without] and [channels_precede].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Relations Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Ports PortPrograms.
Open Scope nat_scope.

(** ** The program of channels *)

Definition on_channel (a : act) : tagged_act := match a with
  | ASend i j => TSend i j 0 | ARecv j i => TRecv j (Some i) 0 | AInt i => TInt i end.
Definition over_channels (l : list act) : program tagged_port := program_of (map on_channel l).

(** The port of the channel i->j. *)
Definition channel (i j : proc) : tagged_port := (j, Some i, 0).

(** Its actions are those of the processes' shares. *)
Definition of_label (i : proc) (a : label) : port_action tagged_port := match a with
  | Snd j => Put (channel i j) | Rcv j => Take (channel j i) | Int => Inner end.

Lemma channels_action l i k :
  action (over_channels l) (i, k) = option_map (of_label i) (nth_error (labs i l) k).
Proof.
  assert (Share : forall m, tagged_share i (map on_channel m) = map on_channel (proj i m)).
  { unfold tagged_share, proj. induction m as [|a m IH]; simpl; auto. destruct a; simpl;
      destruct (_ =? i); simpl; now rewrite IH. }
  assert (None : forall j, from_any (map on_channel l) j 0 = false).
  { intro j. apply not_true_iff_false. rewrite from_any_spec. intro I. apply in_map_iff in I as (a & E & _).
    destruct a; discriminate. }
  unfold over_channels, labs. simpl. unfold tagged_action. cbn [fst snd]. rewrite Share, !nth_error_map.
  destruct (nth_error (proj i l) k) as [a|] eqn:A; auto. simpl. f_equal.
  apply nth_error_In, filter_In in A as [_ F]. apply Nat.eqb_eq in F.
  destruct a; simpl in *; subst; try rewrite None; reflexivity.
Qed.

Lemma channels_put l i k s j : action (over_channels l) (i, k) = Some (Put (channel s j)) <->
  i = s /\ nth_error (labs i l) k = Some (Snd j).
Proof.
  rewrite channels_action. destruct (nth_error (labs i l) k) as [[j'|j'|]|]; simpl; split; try discriminate;
    try (intros [_ H]; discriminate).
  - intro E. injection E as -> ->. auto.
  - intros [-> E]. now injection E as ->.
Qed.
Lemma channels_take l j k i r : action (over_channels l) (j, k) = Some (Take (channel i r)) <->
  j = r /\ nth_error (labs j l) k = Some (Rcv i).
Proof.
  rewrite channels_action. destruct (nth_error (labs j l) k) as [[j'|j'|]|]; simpl; split; try discriminate;
    try (intros [_ H]; discriminate).
  - intro E. injection E as -> ->. auto.
  - intros [-> E]. now injection E as ->.
Qed.

Lemma channels_event l i k : In (i, k) (events (over_channels l)) <-> k < len l i.
Proof.
  rewrite all_events, channels_action, <- len_labs, <- nth_error_Some.
  destruct (nth_error (labs i l) k); simpl; split; congruence.
Qed.

(** ** Numbers of puts and takes are those of sends and receives *)

Lemma count_of_process {port} (P : program port) (g : event -> bool) j n :
  (forall e, g e = true -> In e (events P) /\ fst e = j /\ snd e < n) ->
  length (filter g (events P)) = length (filter (fun k => g (j, k)) (seq 0 n)).
Proof.
  intro G. rewrite <- (map_length (pair j) (filter (fun k => g (j, k)) (seq 0 n))).
  apply Nat.le_antisymm; apply NoDup_incl_length.
  - apply NoDup_filter, no_duplicates.
  - intros e I. apply filter_In in I as [_ T]. destruct (G e T) as (_ & F & L). destruct e as [i k]; simpl in *; subst i.
    apply in_map, filter_In. split; auto. apply in_seq. lia.
  - apply NoDup_map_on; [|apply NoDup_filter, seq_NoDup]. intros a b _ _ E. congruence.
  - intros e I. apply in_map_iff in I as (k & <- & I). apply filter_In in I as [_ T]. apply filter_In. split; auto.
    now apply G.
Qed.

Lemma count_of_labels (f : label -> bool) (g : nat -> bool) n : forall u a,
  (forall k, k < n -> g (a + k) = match nth_error u k with Some x => f x | None => false end) ->
  length (filter g (seq a n)) = length (filter f (firstn n u)).
Proof.
  induction n as [|n IH]; intros u a H; auto.
  assert (Rest : length (filter g (seq (S a) n)) = length (filter f (firstn n (tl u)))).
  { apply IH. intros k L. replace (S a + k) with (a + S k) by lia. rewrite H by lia. destruct u; simpl; auto.
    now destruct k. }
  pose proof (H 0 ltac:(lia)) as Z. rewrite Nat.add_0_r in Z.
  destruct u as [|x u]; simpl in *; rewrite Z; [now destruct n|]. destruct (f x); simpl; auto.
Qed.

Lemma channels_takes l i j c : takes (over_channels l) (channel i j) c =
  length (filter (rcvb i) (firstn (c j) (labs j l))).
Proof.
  unfold takes. rewrite (count_of_process _ _ j (c j)).
  - apply count_of_labels. intros k L. simpl. unfold insideb. simpl. apply Nat.ltb_lt in L. rewrite L. simpl.
    apply eq_true_iff_eq. rewrite is_take_spec, channels_take.
    destruct (nth_error (labs j l) k) as [a|]; [|split; [intros [_ H]|]; discriminate].
    rewrite rcvb_spec. split; [intros [_ E]; congruence|intros ->; auto].
  - intros [j' k] H. apply andb_true_iff in H as [L T]. apply insideb_spec in L. apply is_take_spec in T.
    split; [eapply is_event; eauto|]. apply channels_take in T as [-> _]. auto.
Qed.

Lemma channels_puts l i j c : puts (over_channels l) (channel i j) c =
  length (filter (sndb j) (firstn (c i) (labs i l))).
Proof.
  unfold puts. rewrite (count_of_process _ _ i (c i)).
  - apply count_of_labels. intros k L. simpl. unfold insideb. simpl. apply Nat.ltb_lt in L. rewrite L. simpl.
    apply eq_true_iff_eq. rewrite is_put_spec, channels_put.
    destruct (nth_error (labs i l) k) as [a|]; [|split; [intros [_ H]|]; discriminate].
    rewrite sndb_spec. split; [intros [_ E]; congruence|intros ->; auto].
  - intros [i' k] H. apply andb_true_iff in H as [L T]. apply insideb_spec in L. apply is_put_spec in T.
    split; [eapply is_event; eauto|]. apply channels_put in T as [-> _]. auto.
Qed.

(** One more counts if the element is included, and no more up to it. *)
Lemma count_beyond (f : label -> bool) u k n a : nth_error u k = Some a -> f a = true -> k < n ->
  length (filter f (firstn k u)) < length (filter f (firstn n u)).
Proof.
  intros A F L. replace (firstn k u) with (firstn k (firstn n u)) by (rewrite firstn_firstn; f_equal; lia).
  apply count_lt with a; auto. clear F. revert u n A L. induction k as [|k IH]; intros [|x u] [|n] A L; simpl in *;
    auto; try lia; try discriminate. apply IH; auto. lia.
Qed.
Lemma count_up_to (f : label -> bool) u k n : n <= k -> length (filter f (firstn n u)) <= length (filter f (firstn k u)).
Proof.
  intro L. replace (firstn n u) with (firstn n (firstn k u)) by (rewrite firstn_firstn; f_equal; lia).
  rewrite <- (firstn_skipn n (firstn k u)) at 2. rewrite filter_app, app_length. lia.
Qed.

(** No more is taken than was put. *)
Lemma reached_takes {port} (P : program port) stop c : reached P stop c -> forall p, takes P p c <= puts P p c.
Proof.
  induction 1 as [c Z|c i d R IH N A E]; intro p.
  - unfold takes. replace (filter _ (events P)) with (@nil event); [simpl; lia|].
    induction (events P) as [|e m IHm]; auto. simpl. unfold insideb at 1. now rewrite Z.
  - assert (M : puts P p c <= puts P p d).
    { apply puts_mono. intro k. rewrite (E k). unfold bump. destruct (k =? i); lia. }
    rewrite (takes_bump P p c i d E). destruct (is_take P p (i, c i)) eqn:T; [|specialize (IH p); lia].
    apply is_take_spec in T. unfold ready in A. rewrite T in A. lia.
Qed.

(** ** What comes before an event in the program graph *)

Section Channels.
Variable l : list act.
Hypothesis Bal : balanced l.
Hypothesis Free : dead_free l.
Notation P := (over_channels l).

(** A cut that is reached has with each event its causes: the k'th receive takes place after k sends. *)
Lemma reached_step stop c x y : reached P stop c -> step (fifo l) x y -> inside c y -> inside c x.
Proof.
  intros R [[F L]|(i & j & [F L] & D)] I; [unfold inside in *; rewrite F; lia|].
  destruct y as [j' k]; simpl in F; subst j'. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
  destruct (fifo_match l i j k Bal L) as (z & E & Hz & K). rewrite E in D. subst x.
  unfold inside in *; simpl in *. destruct (le_lt_dec (c i) z) as [Le|]; auto. exfalso.
  pose proof (reached_takes P stop c R (channel i j)) as T. rewrite channels_takes, channels_puts in T.
  pose proof (count_beyond (rcvb i) (labs j l) k (c j) _ L (proj2 (rcvb_spec i (Rcv i)) eq_refl) I).
  pose proof (count_up_to (sndb j) (labs i l) z (c i) Le). lia.
Qed.

Lemma reached_causes stop c x y : reached P stop c -> causes (fifo l) x y -> inside c y -> inside c x.
Proof. intros R. induction 1 as [x y S|x z y _ A _ B]; auto. now apply (reached_step stop). Qed.

(** W(r) has the events that [r] neither is nor causes. *)
Theorem channels_without : forall r w, without P r w -> forall e, In e (events P) ->
  inside w e <-> e <> r /\ ~ causes (fifo l) r e.
Proof.
  intros r w [R S] e Ie. assert (Nr : ~ inside w r) by now apply (not_itself P (eq r)).
  split; [intro I; split; [now intros ->|intro C; apply Nr; now apply (reached_causes (eq r) w r e)]|].
  intros [Ne Nc]. apply NNPP. intro Ni.
  destruct (max_exists (events P) (fun x => ~ inside w x /\ x <> r /\ ~ causes (fifo l) r x)
    (fun x y => causes (fifo l) y x)) as (m & Im & (Nm & Dm & Cm) & Least).
  - intros x y z A B. eapply t_trans; eauto.
  - exact Free.
  - exists e. auto.
  - assert (Before : forall y, In y (events P) -> step (fifo l) y m -> inside w y).
    { intros y Iy Sy. apply NNPP. intro Ny. apply (Least y Iy); [|now apply t_step]. split; [auto|split].
      - intros ->. apply Cm. now apply t_step.
      - intro C. apply Cm. eapply t_trans; [exact C|now apply t_step]. }
    destruct m as [j k]. pose proof (proj1 (channels_event l j k) Im) as Lk.
    assert (At : w j = k).
    { unfold inside in Nm; simpl in Nm. destruct k as [|k]; [lia|].
      assert (inside w (j, k)); [|unfold inside in *; simpl in *; lia].
      apply Before; [apply channels_event; lia|]. left. simpl. lia. }
    destruct (S j) as [E|N]; rewrite At in *; [congruence|]. apply N. unfold ready.
    rewrite channels_action. destruct (nth_error (labs j l) k) as [[i|i|]|] eqn:A; simpl; auto.
    + destruct (fifo_match l i j k Bal A) as (z & E & Hz & K).
      assert (Iz : inside w (i, z)).
      { apply Before; [apply channels_event; now apply labs_lt in Hz|]. right. exists i, j. split; auto.
        split; auto. simpl. now rewrite A. }
      rewrite channels_takes, channels_puts, At, <- K.
      apply count_beyond with (Snd j); auto. now apply sndb_spec.
    + apply nth_error_None in A. rewrite len_labs in A. lia.
Qed.

(** So one event comes before another in every run over ports exactly if the program graph has a path. *)
Theorem channels_precede : forall ordered r e, In e (events P) -> e <> r ->
  precedes P ordered r e <-> causes (fifo l) r e.
Proof.
  intros ordered r e I N. destruct (without_exists P r) as [w W].
  rewrite (precedes_iff_not_without P ordered r w W e N), (channels_without r w W e I). tauto.
Qed.
End Channels.
