(** * n processes, and self-channels

    "Let n be a natural number and {1..n} be a set of processes."  Here processes are the natural numbers, so a run of
    Rel has infinitely many, and they may send to themselves.  Programs of n processes do not notice: they refine each
    other after a silent cut, seal, are TCC, CCLs or barriers, close channels and are balanced in the runs of n processes
    exactly if they do so in Rel, with self-channels or without, over finite intervals and over all.

    There are two conditions.  Their expressions, which are functions of the history here, must not read messages of
    other processes ([readers_tell_processes_apart]); straight-line programs may read anything, as to seals, TCC, closed
    channels and layers ([n_processes_straight_line], [n_processes_layers]).  And refinement must begin with a silent
    cut, or it may depend on messages of others that are under way ([refinement_needs_a_silent_start]).

    Theorems of the ledger: [n_processes], [no_self_channels], [n_processes_straight_line], [n_processes_layers]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values ClosedChannels BalancedNecessary.
From Sealcheck Require Import Unbalanced TccImpossibility NoBarrier NoBarrierWholeLanguage Bsl Phases ExamplesRuns.
From Sealcheck Require Import Transmissions InfiniteCuts Diverging InfiniteSealAlgebra Restriction.
Open Scope nat_scope.

(** ** The notions of safe composition *)

(** A barrier for the programs [among_these]. *)
Definition barrier_for (among_these : prog -> Prop) (G : run -> Prop) (b : prog) := forall p q,
  among_these p -> among_these q ->
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).
Definition ibarrier_for (among_these : prog -> Prop) u (G : run -> Prop) (b : prog) := forall p q,
  among_these p -> among_these q ->
  irefines u G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).

(** The notions are the same in two sets of runs, for programs [of_these]. *)
Definition same_notions (of_these : prog -> Prop) (G G' : run -> Prop) := forall P Q S,
  of_these P -> of_these Q -> of_these S ->
  (refines G (Lay Chop P) Q <-> refines G' (Lay Chop P) Q) /\
  (Seals G S P <-> Seals G' S P) /\ (TCC G P <-> TCC G' P) /\ (CCL G P S Q <-> CCL G' P S Q) /\
  (barrier_for of_these G P <-> barrier_for of_these G' P) /\
  (forall i j, closes G P i j <-> closes G' P i j) /\ (Balanced G P <-> Balanced G' P) /\
  (forall u, (irefines u G (Lay Chop P) Q <-> irefines u G' (Lay Chop P) Q) /\
    (iSeals u G S P <-> iSeals u G' S P) /\ (properly_seals u G S P <-> properly_seals u G' S P) /\
    (iTCC u G P <-> iTCC u G' P) /\ (iCCL u G P S Q <-> iCCL u G' P S Q) /\
    (ibarrier_for of_these u G P <-> ibarrier_for of_these u G' P)).

(** The channels between n processes, with self-channels ([channels_of]) and without ([between_of]); all channels but
    self-channels ([between_all]). *)
Definition channels_of (n : nat) (i j : proc) := (i <? n) && (j <? n).
Definition between_all (i j : proc) := negb (i =? j).
Definition between_of (n : nat) (i j : proc) := channels_of n i j && between_all i j.

(** ** Closed channels, and balance *)

Section Channels.
Variables (keeps : proc -> proc -> bool) (r : run) (c d : cut).
Hypotheses (M : matching r) (E : all_empty r c) (Le : cle c d) (Q : quiet keeps r (fin c) (fin d)).

Lemma idle_elsewhere e i j : keeps i j = false -> is_snd r e i j \/ is_rcv r e i j -> inside d e -> inside c e.
Proof.
  intros K R I. apply NNPP. intro N. specialize (Q e N I).
  destruct R as [[F L]|[F L]]; rewrite L in Q; simpl in Q; rewrite F, K in Q; discriminate.
Qed.
Lemma empty_restricted : all_empty (restrict keeps r) c.
Proof.
  intros i j e [I [[S U]|[R N]]].
  - apply restrict_snd in S as [S K]. apply (E i j e). split; auto. left. split; auto. intros e' a b R I' D.
    apply (U e' a b); auto. apply restrict_rcv. split; auto. pose proof (delta_snd r M _ _ _ R) as S'. rewrite D in S'.
    destruct S as [F L], S' as [F' L']. rewrite L in L'. injection L' as <-. congruence.
  - apply restrict_rcv in R as [R _]. apply (E i j e). split; auto.
Qed.
Lemma channel_back i j : empty_channel (restrict keeps r) d i j -> empty_channel r d i j.
Proof.
  intros H e [I T]. destruct (keeps i j) eqn:K.
  - apply (H e). split; auto. destruct T as [[S U]|[R N]].
    + left. split; [now apply restrict_snd|]. intros e' a b R. apply restrict_rcv in R as [R _]. eauto.
    + right. split; [now apply restrict_rcv|auto].
  - destruct T as [[S U]|[R N]].
    + assert (I' : inside c e) by (apply (idle_elsewhere e i j); auto). apply (E i j e). split; auto. left. split; auto.
      intros e' a b R I2. apply (U e' a b R). pose proof (Le (fst e')). unfold inside in *. lia.
    + assert (I' : inside c e) by (apply (idle_elsewhere e i j); auto). apply (E i j e). split; auto. right.
      split; auto. intro X. apply N. pose proof (Le (fst (delta r e))). unfold inside in *. lia.
Qed.

Lemma counts_kept i j k : keeps i j = true -> nsnd (restrict keeps r) i j 0 k = nsnd r i j 0 k /\
  nrcv (restrict keeps r) j i 0 k = nrcv r j i 0 k.
Proof.
  intro K. unfold nsnd, nrcv. split; f_equal; apply filter_ext; intro x; simpl.
  - destruct (lab r i x) as [a|a|]; simpl; auto; [destruct (keeps i a) eqn:Ka|destruct (keeps a i)]; simpl; auto.
    destruct (a =? j) eqn:A; auto. apply Nat.eqb_eq in A. subst. congruence.
  - destruct (lab r j x) as [a|a|]; simpl; auto; [destruct (keeps j a)|destruct (keeps a j) eqn:Ka]; simpl; auto.
    destruct (a =? i) eqn:A; auto. apply Nat.eqb_eq in A. subst. congruence.
Qed.
Lemma filter_later (f : nat -> bool) a b : a <= b -> (forall x, a <= x < b -> f x = false) ->
  length (filter f (seq 0 (b - 0))) = length (filter f (seq 0 (a - 0))).
Proof.
  intros L F. rewrite !Nat.sub_0_r. replace b with (a + (b - a)) by lia. rewrite seq_app, filter_app, app_length. simpl.
  assert (Z : forall l, (forall x, In x l -> f x = false) -> filter f l = []).
  { induction l as [|x l IH]; intro H; simpl; auto. rewrite (H x) by now left. apply IH. intros y I. apply H.
    now right. }
  rewrite (Z (seq a (b - a))); [simpl; lia|]. intros x I. apply in_seq in I. apply F. lia.
Qed.
Lemma counts_elsewhere i j : keeps i j = false -> nsnd r i j 0 (d i) = nrcv r j i 0 (d j).
Proof.
  intro K. pose proof (empty_counts r c i j M E) as X.
  unfold nsnd, nrcv in *. rewrite (filter_later _ (c i) (d i)), (filter_later _ (c j) (d j)); auto.
  - intros x B. destruct (rcvb i (lab r j x)) eqn:A; auto. apply rcvb_spec in A. exfalso.
    pose proof (idle_elsewhere (j, x) i j K (or_intror (conj eq_refl A))) as I. unfold inside in I. simpl in I. lia.
  - intros x B. destruct (sndb j (lab r i x)) eqn:A; auto. apply sndb_spec in A. exfalso.
    pose proof (idle_elsewhere (i, x) i j K (or_introl (conj eq_refl A))) as I. unfold inside in I. simpl in I. lia.
Qed.
End Channels.

(** ** All notions *)

Section Same.
Variables (keeps : proc -> proc -> bool) (G G' : run -> Prop).
Hypotheses (GM : forall r, G r -> matching r) (Part : forall r, G' r -> G r).
Hypothesis (Closed : forall r, G r -> G' (restrict keeps r)).

Lemma finite_quiet r c p d : occurs r c p d -> confined keeps p -> quiet keeps r (fin c) (fin d).
Proof.
  intros O C. apply (occurs_finite_cuts {| worth := fun _ _ => 0%Z; acts_on := True |}) in O. eapply occurs_quiet;
    eauto.
Qed.
Lemma in_restricted r c p d : occurs r c p d -> confined keeps p -> occurs (restrict keeps r) c p d.
Proof.
  intros O C. apply (occurs_finite_cuts {| worth := fun _ _ => 0%Z; acts_on := True |}), occurs_restricted; auto.
  now apply occurs_finite_cuts.
Qed.

Lemma same_if_restricted : same_notions (confined keeps) G G'.
Proof.
  intros P Q S CP CQ CS.
  assert (F : forall p q, confined keeps p -> confined keeps q ->
    (refines G (Lay Chop p) q <-> refines G' (Lay Chop p) q)).
  { intros p q. now apply finite_refinement_restricted. }
  assert (I : forall u p q, confined keeps p -> confined keeps q ->
    (irefines u G (Lay Chop p) q <-> irefines u G' (Lay Chop p) q)).
  { intros u p q. now apply refinement_restricted. }
  split; [auto|]. split; [apply F; simpl; auto|]. split; [apply F; simpl; auto|]. split; [apply F; simpl; auto 9|].
  split; [split; intros B p q Cp Cq; specialize (B p q Cp Cq); revert B; apply F; simpl; auto 9|].
  split; [|split].
  - intros i j. split; intros H r c d g E O; [eauto|].
    apply (channel_back keeps r c d); eauto using occurs_le, finite_quiet.
    apply (H (restrict keeps r) c); auto using in_restricted, empty_restricted.
  - split; intros H r c d g E O i j; [now apply (H r c d); auto|].
    destruct (keeps i j) eqn:K; [|apply (counts_elsewhere keeps r c d); eauto using occurs_le, finite_quiet].
    destruct (counts_kept keeps r i j (d i) K) as [<- _]. destruct (counts_kept keeps r i j (d j) K) as [_ <-].
    apply (H (restrict keeps r) c d); auto using in_restricted, empty_restricted.
  - intro u.
    assert (Se : iSeals u G S P <-> iSeals u G' S P) by (apply I; simpl; auto).
    split; [auto|]. split; [exact Se|]. split; [|split; [apply I; simpl; auto|split; [apply I; simpl; auto 9|]]].
    + unfold properly_seals. assert (D : never_diverges_after u G S P <-> never_diverges_after u G' S P); [|tauto].
      split; intros H r c d d' g A B; [now apply (H r c d d'); auto|].
      apply (H (restrict keeps r) c); auto; apply occurs_restricted; simpl; auto.
    + split; intros B p q Cp Cq; specialize (B p q Cp Cq); revert B; apply I; simpl; auto 9.
Qed.
End Same.

Lemma all_of_iff n i j : channels_of n i j = true <-> i < n /\ j < n.
Proof. unfold channels_of. rewrite andb_true_iff, !Nat.ltb_lt. tauto. Qed.
Lemma between_of_iff n i j : between_of n i j = true <-> (i < n /\ j < n) /\ i <> j.
Proof.
  unfold between_of, between_all. rewrite andb_true_iff, all_of_iff, negb_true_iff, Nat.eqb_neq. tauto.
Qed.
Lemma between_self n i : between_of n i i = false.
Proof. unfold between_of, between_all. rewrite Nat.eqb_refl. apply andb_false_r. Qed.

(** _Programs of n processes do not tell runs of n processes from others_, if they send and receive among these only and
    read no other messages. *)
Theorem n_processes : forall n,
  same_notions (confined (between_of n)) Rel (fun r => RelNS r /\ run_among n r) /\
  same_notions (confined (between_of n)) RelNS (fun r => RelNS r /\ run_among n r) /\
  same_notions (confined (channels_of n)) Rel (fun r => Rel r /\ run_among n r) /\
  same_notions (confined (channels_of n)) RelFi (fun r => RelFi r /\ run_among n r).
Proof.
  intro n. assert (B : forall i j, between_of n i j = true -> i < n /\ j < n) by (intros i j; rewrite between_of_iff;
    tauto).
  assert (A : forall i j, channels_of n i j = true -> i < n /\ j < n) by (intros i j; apply all_of_iff).
  split; [|split; [|split]]; apply same_if_restricted.
  - intros r [[M _] _]. exact M.
  - intros r [[R _] _]. exact R.
  - intros r R. split; [split|]; auto using restrict_Rel, restrict_noself, between_self, restrict_among.
  - intros r [[[M _] _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r [R _]. split; [split|]; auto using restrict_Rel, restrict_noself, between_self, restrict_among.
  - intros r [[M _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; auto using restrict_Rel, restrict_among.
  - intros r [[[M _] _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; auto using restrict_RelFi, restrict_among.
Qed.

(** _Programs without self-channels do not tell runs with self-channels from runs without_. *)
Theorem no_self_channels : same_notions (confined between_all) Rel RelNS.
Proof.
  apply same_if_restricted.
  - intros r [[M _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; [now apply restrict_Rel|]. apply restrict_noself. intro i. unfold between_all.
    now rewrite Nat.eqb_refl.
Qed.

(** ** Straight-line programs

    Whether they seal, close channels and stay apart does not depend on what they compute ([Values]), so they may read
    anything. *)

Definition kept_act (keeps : proc -> proc -> bool) (a : act) : Prop :=
  match a with ASend i j | ARecv j i => keeps i j = true | AInt _ => True end.

(** These notions in terms of labels alone. *)
Section DataDoNotMatter.
Variable G : run -> Prop.
Hypotheses (GR : forall r, G r -> Rel r) (GV : forall r v, G r -> Rel (revalue r v) -> G (revalue r v)).

Lemma seals_by_labels P Q p q : acts P = Some p -> acts Q = Some q -> (Seals G Q P <->
  forall r c, G r -> silent r c -> standing r c (p ++ q) -> silent r (fun i => c i + len p i)).
Proof.
  intros HP HQ. rewrite seals_iff. split; intros H r c.
  - intros g Sc St. destruct (GR r g) as [[M _] Re].
    destruct (computed r c (Lay P Q) (p ++ q) M Re (lay_straight _ _ _ _ HP HQ) St) as (v & Rv & O).
    destruct (H (revalue r v) c _ (GV r v g Rv) Sc O) as (m & O1 & Sm & _).
    apply (silent_ceq r m); [|exact Sm]. intro i. apply (occurs_follows (revalue r v) P p HP _ _ O1).
  - intros d g Sc O. apply lay_iff in O as (m & O1 & O2). exists m. split; [auto|split; [|auto]].
    pose proof (occurs_follows r P p HP _ _ O1) as F1. pose proof (occurs_follows r Q q HQ _ _ O2) as F2.
    apply (silent_ceq r (fun i => c i + len p i)); [intro i; symmetry; apply F1|].
    apply H; auto. intro i. apply (follows_app r c m d p q F1 F2).
Qed.
Lemma closes_by_labels P p i j : acts P = Some p -> (closes G P i j <->
  forall r c, G r -> all_empty r c -> standing r c p -> empty_channel r (fun k => c k + len p k) i j).
Proof.
  intro HP. split; intros H r c.
  - intros g E St. destruct (GR r g) as [[M _] Re]. destruct (computed r c P p M Re HP St) as (v & Rv & O).
    exact (H (revalue r v) c _ (GV r v g Rv) E O).
  - intros d g E O. pose proof (occurs_follows r P p HP _ _ O) as F.
    intros e [I T]. apply (H r c g E (fun k => proj2 (F k)) e).
    assert (X : forall x, inside d x <-> inside (fun k => c k + len p k) x).
    { intro x. unfold inside. now rewrite (proj1 (F (fst x))). }
    split; [now apply X|]. destruct T as [[S U]|[R N]]; [left|right]; (split; [auto|]).
    + intros e' a b R I'. apply (U e' a b R). now apply X.
    + now rewrite <- X.
Qed.
Lemma apart_by_labels Ps ls : layers Ps ls ->
  (stay_apart G Ps <-> forall r c, G r -> silent r c -> standing r c (concat ls) ->
    silent r (fun i => c i + len (concat ls) i) ->
    forall as_ bs, ls = as_ ++ bs -> as_ <> [] -> silent r (fun i => c i + len (concat as_) i)) /\
  (stay_apart_open G Ps <-> forall r c, G r -> silent r c -> standing r c (concat ls) ->
    forall as_ bs, ls = as_ ++ bs -> as_ <> [] -> silent r (fun i => c i + len (concat as_) i)).
Proof.
  intro Ls. pose proof (sequence_acts Ps ls Ls) as HP. split; split; intros H r c.
  - intros g Sc St Sd. destruct (GR r g) as [[M _] Re].
    destruct (computed r c (sequence Ps) _ M Re HP St) as (v & Rv & O).
    assert (Oa : occurs (revalue r v) c (apart Ps) (fun i => c i + len (concat ls) i)).
    { apply H; [now apply GV|]. apply chop_first. split; [exact Sc|]. apply chop_last. split; [exact O|exact Sd]. }
    apply (apart_iff _ Ps ls Ls) in Oa as [_ Sa]. exact Sa.
  - intros d g O. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd]. apply (apart_iff r Ps ls Ls).
    split; auto. pose proof (occurs_follows r _ _ HP _ _ O) as F. apply H; auto; [intro k; apply F|].
    apply (silent_ceq r d); auto. intro k. apply F.
  - intros g Sc St. destruct (GR r g) as [[M _] Re].
    destruct (computed r c (sequence Ps) _ M Re HP St) as (v & Rv & O).
    assert (Oa : occurs (revalue r v) c (apart Ps) (fun i => c i + len (concat ls) i)).
    { apply H; [now apply GV|]. apply chop_first. split; [exact Sc|exact O]. }
    apply (apart_iff _ Ps ls Ls) in Oa as [_ Sa]. exact Sa.
  - intros d g O. apply chop_first in O as [Sc O]. apply (apart_iff r Ps ls Ls). split; auto.
    pose proof (occurs_follows r _ _ HP _ _ O) as F. apply H; auto. intro k. apply F.
Qed.
End DataDoNotMatter.

(** From a silent cut on, nothing happens on channels that a straight-line program does not use. *)
Section Standing.
Variables (keeps : proc -> proc -> bool) (r : run) (c : cut) (l : list act).
Hypotheses (M : matching r) (St : standing r c l) (K : forall a, In a l -> kept_act keeps a).

Lemma kept_labs i a : In a (labs i l) -> kept_label keeps i a = a.
Proof.
  unfold labs, proj. intro I. apply in_map_iff in I as (x & <- & I). apply filter_In in I as [I A].
  apply Nat.eqb_eq in A. subst i. apply K in I. destruct x; simpl in *; auto; now rewrite I.
Qed.
Lemma standing_kept i k : c i <= k < c i + len l i -> kept_label keeps i (lab r i k) = lab r i k.
Proof.
  intro L. apply kept_labs. apply nth_error_In with (k - c i). rewrite (stand_lab' r c) by (auto; lia).
  f_equal. f_equal. lia.
Qed.
Lemma restrict_standing : standing (restrict keeps r) c l.
Proof.
  intro i. rewrite (St i). apply map_ext_in. intros k I. apply in_seq in I. symmetry. apply standing_kept. lia.
Qed.
Lemma standing_quiet (d : cut) : (forall i, d i <= c i + len l i) -> quiet keeps r (fin c) (fin d).
Proof.
  intros Ld [i k] N I. unfold iinside in *; cbn [fst snd fin] in *. apply standing_kept. specialize (Ld i). lia.
Qed.
Lemma standing_silent (d : cut) : silent r c -> cle c d -> (forall i, d i <= c i + len l i) ->
  silent (restrict keeps r) d -> silent r d.
Proof. intros Sc Le Ld Sd. apply (silent_back keeps r (fin c) (fin d)); auto using standing_quiet. Qed.
End Standing.

Section SameStraightLine.
Variables (keeps : proc -> proc -> bool) (G G' : run -> Prop).
Hypotheses (GR : forall r, G r -> Rel r) (GV : forall r v, G r -> Rel (revalue r v) -> G (revalue r v)).
Hypotheses (GR' : forall r, G' r -> Rel r) (GV' : forall r v, G' r -> Rel (revalue r v) -> G' (revalue r v)).
Hypotheses (Part : forall r, G' r -> G r) (Closed : forall r, G r -> G' (restrict keeps r)).

(** Wherever the program stands after a silent cut, it uses the kept channels only. *)
Definition uses_kept (l : list act) := forall r c, matching r -> silent r c -> standing r c l ->
  forall a, In a l -> kept_act keeps a.

Lemma same_seals P Q p q : acts P = Some p -> acts Q = Some q -> uses_kept (p ++ q) -> (Seals G Q P <-> Seals G' Q P).
Proof.
  intros HP HQ K. rewrite (seals_by_labels G GR GV P Q p q), (seals_by_labels G' GR' GV' P Q p q); auto.
  split; intros H r c g Sc St; [auto|]. destruct (GR r g) as [[M _] _]. pose proof (K r c M Sc St) as Kr.
  apply (standing_silent keeps r c (p ++ q)); auto; [intro i; lia|intro i; rewrite len_app; lia|].
  apply H; auto using restrict_standing. apply (restrict_silent keeps r (fin c) Sc).
Qed.
Lemma same_closes P p i j : acts P = Some p -> uses_kept p -> (closes G P i j <-> closes G' P i j).
Proof.
  intros HP K. rewrite (closes_by_labels G GR GV P p i j HP), (closes_by_labels G' GR' GV' P p i j HP).
  split; intros H r c g E St; [auto|]. destruct (GR r g) as [[M _] _].
  pose proof (K r c M (empty_silent r c M E) St) as Kr.
  apply (channel_back keeps r c); auto; [intro k; lia|now apply (standing_quiet keeps r c p)|].
  apply H; auto using restrict_standing, empty_restricted.
Qed.
Lemma same_apart Ps ls : layers Ps ls -> uses_kept (concat ls) ->
  (stay_apart G Ps <-> stay_apart G' Ps) /\ (stay_apart_open G Ps <-> stay_apart_open G' Ps).
Proof.
  intros Ls K. destruct (apart_by_labels G GR GV Ps ls Ls) as [-> ->].
  destruct (apart_by_labels G' GR' GV' Ps ls Ls) as [-> ->].
  assert (B : forall as_ bs i, ls = as_ ++ bs -> len (concat as_) i <= len (concat ls) i).
  { intros as_ bs i ->. rewrite concat_split, len_app. lia. }
  split; split; intros H r c g Sc St; [eauto| |eauto|].
  - intros Sd as_ bs E N. destruct (GR r g) as [[M _] _]. pose proof (K r c M Sc St) as Kr.
    apply (standing_silent keeps r c (concat ls)); auto; [intro i; lia|intro i; specialize (B _ _ i E); lia|].
    apply (H (restrict keeps r)) with bs; auto using restrict_standing.
    + apply (restrict_silent keeps r (fin c) Sc).
    + apply (restrict_silent keeps r (fin (fun i => c i + len (concat ls) i)) Sd).
  - intros as_ bs E N. destruct (GR r g) as [[M _] _]. pose proof (K r c M Sc St) as Kr.
    apply (standing_silent keeps r c (concat ls)); auto; [intro i; lia|intro i; specialize (B _ _ i E); lia|].
    apply (H (restrict keeps r)) with bs; auto using restrict_standing.
    apply (restrict_silent keeps r (fin c) Sc).
Qed.
End SameStraightLine.

(** Seals, TCC and closed channels are the same in two sets of runs; likewise, whether layers stay apart. *)
Definition same_straight_line (G G' : run -> Prop) (P Q : prog) :=
  (Seals G Q P <-> Seals G' Q P) /\ (TCC G P <-> TCC G' P) /\ (forall i j, closes G P i j <-> closes G' P i j).
Definition same_layers (G G' : run -> Prop) (Ps : list prog) :=
  (stay_apart G Ps <-> stay_apart G' Ps) /\ (stay_apart_open G Ps <-> stay_apart_open G' Ps).

(** Two sets of runs in which values do not matter. *)
Section SetsOfRuns.
Variables (keeps : proc -> proc -> bool) (G G' : run -> Prop).
Hypotheses (GR : forall r, G r -> Rel r) (GR' : forall r, G' r -> Rel r).
Hypotheses (GV : forall r v, G r -> Rel (revalue r v) -> G (revalue r v)).
Hypotheses (GV' : forall r v, G' r -> Rel (revalue r v) -> G' (revalue r v)).
Hypotheses (Part : forall r, G' r -> G r) (Closed : forall r, G r -> G' (restrict keeps r)).

Lemma same_straight_if P Q p q : acts P = Some p -> acts Q = Some q -> uses_kept keeps (p ++ q) -> uses_kept keeps p ->
  same_straight_line G G' P Q.
Proof.
  intros HP HQ K Kp. unfold same_straight_line. rewrite <- !sealed_by_eps. split; [|split; [|intros i j]].
  - apply (same_seals keeps) with p q; auto.
  - apply (same_seals keeps) with p []; auto. now rewrite app_nil_r.
  - apply (same_closes keeps) with p; auto.
Qed.
Lemma same_layers_if Ps ls : layers Ps ls -> uses_kept keeps (concat ls) -> same_layers G G' Ps.
Proof. intros Ls K. apply (same_apart keeps G G' GR GV GR' GV' Part Closed Ps ls Ls K). Qed.
End SetsOfRuns.

Lemma within_uses n l : within n l -> uses_kept (channels_of n) l.
Proof. intros W r c _ _ _ a I. specialize (W a I). destruct a; simpl; auto; now apply all_of_iff. Qed.
(** If no process sends to itself, none can receive from itself after a silent cut. *)
Lemma nofself_uses l : nofself l -> uses_kept between_all l.
Proof.
  intros N r c M Sc St a I. assert (X : In (alab a) (labs (actor a) l)).
  { apply in_map, filter_In. split; [auto|apply Nat.eqb_refl]. }
  destruct a as [i j|j i|i]; simpl in *; auto; unfold between_all; apply negb_true_iff, Nat.eqb_neq; intros ->.
  - exact (N j X).
  - apply In_nth_error in X as [y Hy]. destruct (stand_lab r c l j y _ St Hy) as [L Y].
    assert (R : is_rcv r (j, c j + y) j j) by (split; auto). destruct (delta_snd r M _ _ _ R) as [F S].
    pose proof (causes_msg r _ _ _ R) as C. pose proof (Sc _ _ _ R) as In_c.
    destruct (delta r (j, c j + y)) as [i z]. cbn [fst snd] in *. subst i. unfold inside in In_c. cbn [fst snd] in In_c.
    destruct (lt_dec z (c j + y)) as [Lz|Lz].
    + apply (N j), nth_error_In with (z - c j). rewrite (stand_lab' r c) by (auto; lia).
      replace (c j + (z - c j)) with z by lia. now rewrite S.
    + apply (causal r M (j, z)). now apply causes_local_ge with (c j + y); [lia|].
Qed.
Lemma both_uses n l : within n l -> nofself l -> uses_kept (between_of n) l.
Proof.
  intros W N r c M Sc St a I. pose proof (within_uses n l W r c M Sc St a I) as A.
  pose proof (nofself_uses l N r c M Sc St a I) as B. destruct a; simpl in *; auto; unfold between_of; now rewrite A, B.
Qed.

(** The sets of runs: with self-channels or without, of n processes or of all. *)
Lemma restricted_sets n :
  (forall r, Rel r -> (fun r => Rel r /\ run_among n r) (restrict (channels_of n) r)) /\
  (forall r, Rel r -> (fun r => RelNS r /\ run_among n r) (restrict (between_of n) r)).
Proof.
  split; intros r R.
  - split; [now apply restrict_Rel|]. apply restrict_among. intros i j. apply all_of_iff.
  - split; [split; [now apply restrict_Rel|]|].
    + apply restrict_noself. apply between_self.
    + apply restrict_among. intros i j. rewrite between_of_iff. tauto.
Qed.

(** _Straight-line programs do not tell them apart, either, whatever they read_. *)
Theorem n_processes_straight_line : forall n P Q p q, acts P = Some p -> acts Q = Some q ->
  within n (p ++ q) ->
  same_straight_line Rel (fun r => Rel r /\ run_among n r) P Q /\
  (nofself (p ++ q) -> same_straight_line Rel (fun r => RelNS r /\ run_among n r) P Q /\
    same_straight_line RelNS (fun r => RelNS r /\ run_among n r) P Q).
Proof.
  intros n P Q p q HP HQ W. destruct (restricted_sets n) as [RA RB].
  assert (Wp : within n p) by (intros a I; apply W, in_or_app; auto).
  split; [|intro N; assert (Np : nofself p) by (intros i I; apply (N i); rewrite labs_app; apply in_or_app; auto);
    split].
  - apply (same_straight_if (channels_of n)) with p q; auto using within_uses; intros; tauto.
  - apply (same_straight_if (between_of n)) with p q; auto using both_uses; unfold RelNS in *; intros; tauto.
  - apply (same_straight_if (between_of n)) with p q; auto using both_uses; unfold RelNS in *; try (intros; tauto).
    intros r [R _]. now apply RB.
Qed.

(** _Sequences of straight-line layers do not, either_. *)
Theorem n_processes_layers : forall n Ps ls, layers Ps ls -> within n (concat ls) ->
  same_layers Rel (fun r => Rel r /\ run_among n r) Ps /\
  (nofself (concat ls) -> same_layers Rel (fun r => RelNS r /\ run_among n r) Ps /\
    same_layers RelNS (fun r => RelNS r /\ run_among n r) Ps).
Proof.
  intros n Ps ls Ls W. destruct (restricted_sets n) as [RA RB]. split; [|intro N; split].
  - apply (same_layers_if (channels_of n)) with ls; auto using within_uses; intros; tauto.
  - apply (same_layers_if (between_of n)) with ls; auto using both_uses; unfold RelNS in *; intros; tauto.
  - apply (same_layers_if (between_of n)) with ls; auto using both_uses; unfold RelNS in *; try (intros; tauto).
    intros r [R _]. now apply RB.
Qed.

(** ** Both conditions are needed *)

(** Programs of n processes that read messages of others tell the runs apart: 0 and 1, with a guard that is true if 1 has
    sent to 2. *)
Definition has_sent (j : proc) : expr := fun h => Z.of_nat (length (filter (fun x => sndb j (fst x)) h)).
Theorem readers_tell_processes_apart : ~ forall n P Q, below n P -> below n Q ->
  refines (fun r => RelNS r /\ run_among n r) (Lay Chop P) Q -> refines RelNS (Lay Chop P) Q.
Proof.
  intro H. set (sent := Not (Equal 1 (has_sent 2) 1 zero)).
  assert (O : occurs lost (fun _ => 1) (Guard (Not truth)) (fun _ => 1)).
  { apply (H 2 (Guard sent) (Guard (Not truth))); try (simpl; lia).
    - intros r c d [_ A] O. exfalso. apply chop_first in O as [_ O]. inversion O as [| | | |? ? ? _ X| | | | | |];
        subst.
      apply X. unfold zero, has_sent. simpl. apply (f_equal Z.of_nat (y := 0)).
      replace (filter _ _) with (@nil (label * value)); [reflexivity|]. symmetry. unfold past.
      generalize (seq 0 (c 1)). induction l as [|k l IH]; simpl; auto. specialize (A 1 k).
      destruct (lab r 1 k) as [j|j|]; simpl; auto. destruct (j =? 2) eqn:E; auto. apply Nat.eqb_eq in E. lia.
    - exact lost_run.
    - apply chop_first. split; [apply lost_silent|]. apply O_grd; [apply ceq_refl|]. simpl. discriminate. }
  inversion O as [| | | |? ? ? _ X| | | | | |]; subst. now apply X.
Qed.

(** Refinement from a cut that is not silent may depend on messages of others.  In runs of 0 and 1, each cut is silent
    before these have done anything; among more processes it is not, if 3 has received what 2 sends only later. *)
Definition events_so_far : expr := fun h => Z.of_nat (length h).
Theorem refinement_needs_a_silent_start : ~ forall n P Q, confined (between_of n) P -> confined (between_of n) Q ->
  refines (fun r => RelNS r /\ run_among n r) P Q -> refines RelNS P Q.
Proof.
  intro H. set (idle := And (Equal 0 events_so_far 0 zero) (Equal 1 events_so_far 1 zero)).
  assert (D : dead_free (mt_actions 2 3)) by (apply message_dead_free; lia).
  assert (N : nofself (mt_actions 2 3)) by (apply message_nofself; lia).
  destruct (straight_line_occurs (mt 2 3 zero) (mt_actions 2 3) eq_refl N D) as (r & R & _ & _ & St).
  destruct (stand_lab r _ _ 3 0 (Rcv 2) St eq_refl) as [L _]. simpl in L.
  assert (Re : is_rcv r (3, 0) 2 3) by (split; auto).
  set (c := fun i : proc => if i =? 3 then 1 else 0).
  assert (O : occurs r c Chop c).
  { apply (H 2 (Guard idle) Chop).
    - assert (Len : forall i, reads_kept (between_of 2) i events_so_far).
      { intros i h. unfold events_so_far. now rewrite map_length. }
      assert (None : forall i, reads_kept (between_of 2) i zero) by (intros i h; reflexivity).
      simpl. auto.
    - exact Logic.I.
    - intros r' c' d [[[[M _] _] _] A] O. inversion O as [| | | |? ? ? E Both| | | | | |]; subst.
      destruct Both as [X Y]. cbn [holds] in X, Y. unfold events_so_far, zero, past in X, Y. rewrite map_length,
        seq_length in X, Y.
      apply O_chop; [exact E|]. intros e i j R'. destruct (delta_snd r' M _ _ _ R') as [F S].
      pose proof (A (fst e) (snd e)) as Ae. destruct R' as [F' L']. rewrite L' in Ae.
      assert (Z : forall x, fst x < 2 -> ~ inside c' x).
      { intros [p k] Lp I. unfold inside in I. cbn [fst snd] in *. assert (p = 0 \/ p = 1) as [-> | ->] by lia; lia. }
      split; intro I; exfalso; eapply Z; eauto; lia.
    - exact R.
    - apply O_grd; [apply ceq_refl|]. split; reflexivity. }
  apply chop_iff in O as [_ Sc]. apply Sc in Re. destruct R as [[[M _] _] _].
  assert (Re' : is_rcv r (3, 0) 2 3) by (split; auto). destruct (delta_snd r M _ _ _ Re') as [F _].
  unfold inside, c in Re. rewrite F in Re. simpl in Re. lia.
Qed.
