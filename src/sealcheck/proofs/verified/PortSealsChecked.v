(** * Certificates that Q seals P over ports, checked

    Whatever program R follows P; Q, nothing crosses between P and the rest: the layers P and Q; R stay apart.  For each
    port of P a certificate has how far all get in P without its last receive there, and then how far in Q, though R may
    send: a process that is through Q can send to any receive from any source, and so none may wait there if there is
    such a process.  To a receive that names its sender, R is of no use: what the sender sends in Q comes first, and is
    as much as Q receives.

    The theorem is [check_port_seal_correct].  It is what kernel/port_seals.py checks. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortLanguages PortCertificates KnowledgeDecider Certificates Tries RunsChecked.
From Sealcheck Require Import PortTables PortIndex PortExpressions PortsChecked PortsCheckedCorrect PortRunsChecked PortRunsCheckedCorrect.
Open Scope nat_scope.

(** Why a receive of P on a port takes no later message: the closed set of P, that of Q, and the senders that do not fit. *)
Record seal_hold := {
  seal_port : tagged_port; seal_upto : list nat; seal_unfit : list port_unfit; seal_following : list nat
}.

(** P and Q, their processes, and what the ports guarantee: as layers in sequence, which anything may follow. *)
Definition seal_layers (n : nat) (P Q : layer_program) (words : list (tagged_port * guarantee)) : port_layers := {|
  process_count := n; layers_given := [P; Q]; guarantees := words; protocol_given := InTurn (Once 0) (Once 1);
  is_open := true; state_rows := []
|}.

Section Sealed.
Variables (n : nat) (P Q : layer_program) (words : list (tagged_port * guarantee)).
Notation q := (seal_layers n P Q words).
Notation all := (P ++ Q ++ []).
Notation G := (port_guarantee q).
Notation tP := (layer_table_of (shared_tags all) P).
Notation tQ := (layer_table_of (shared_tags all) Q).

(** Nothing crosses between P and the rest, on this port or on any, whatever follows. *)
Definition seal_root_port (p : tagged_port) := exists R, may_follow q R /\
  faulty_root_port (word_program all [P; Q ++ R]) (layer_in [P; Q ++ R]) G p.
Definition seals_over_ports := forall R, may_follow q R ->
  apart_with_faults (word_program all [P; Q ++ R]) (layer_in [P; Q ++ R]) G.

(** Whether process [i] is through Q, if those behind in P do not start it. *)
Definition is_late (p_table q_table : layer_table) (u f : trie nat) (i : proc) : bool :=
  (find_or 0 i u <? find_or 0 i (sizes_in p_table)) || (find_or 0 i f <? find_or 0 i (sizes_in q_table)).

Definition check_seal_hold (g : tagged_port -> guarantee) (p_table q_table : layer_table) (h : seal_hold) : bool :=
  let p := seal_port h in
  let u := index (seal_upto h) in
  let f := index (seal_following h) in
  let is_behind_in_P i := find_or 0 i u <? find_or 0 i (sizes_in p_table) in
  let safe := set_of (map unfit_sender (seal_unfit h)) in
  let some_through := existsb (fun i => negb (is_late p_table q_table u f i)) (seq 0 n) in
  check_last q g p_table p (seal_upto h) u (seal_unfit h) &&
  fits_layer q q_table (filter is_behind_in_P (seq 0 n)) (seal_following h) f &&
  stuck_at g q_table (fun e => is_behind_in_P (fst e)) f &&
  (negb some_through || next_events q_table f (fun e taken_from => is_behind_in_P (fst e) ||
     match taken_from with Some (_, None, _) => false | _ => true end)) &&
  forallb (fun i => is_in i safe) (senders_until f (uses_of p (uses_in q_table))) &&
  forallb (fun i => is_late p_table q_table u f i || is_in i safe || negb (may_send_to p i)) (seq 0 n).

(** What is needed of a port of P that is no root cause. *)
Definition check_seal_needed (g : tagged_port -> guarantee) (p_table : layer_table) (roots holds : port_map unit) : bool :=
  let has p (m : port_map unit) := match find_port p m with Some _ => true | None => false end in
  forallb (fun p => takes_nothing p p_table || has p roots ||
    negb (may_copy (g p)) && (keeps_own_order (g p) p || has p holds)) (ports_in p_table).

Definition check_seal_yes (roots : list tagged_port) (holds : list seal_hold) : bool :=
  let g := G in
  let p_table := tP in
  let q_table := tQ in
  overlaps_none q && follows_given q (P ++ Q) && is_balanced p_table && is_balanced q_table &&
  forallb (check_seal_hold g p_table q_table) holds &&
  check_seal_needed g p_table (port_set_of roots) (port_set_of (map seal_port holds)).

(** ** What can happen in Q; R *)

Section Later.
Variables (u f : trie nat) (R : layer_program).
Notation B := (fun i => find_or 0 i u < size_of P i).
Hypothesis Balanced : balanced_layers (program_over all Q) only_layer.
Hypothesis Stuck : closed_cut all G Q (fun e => B (fst e)) (cut_at f).
Hypothesis Within : forall i, cut_at f i <= size_of Q i.
Hypothesis Waits : (exists i, i < n /\ ~ B i /\ size_of Q i <= cut_at f i) -> forall i j t, ~ B i ->
  action (program_over all Q) (i, cut_at f i) <> Some (Take (j, None, t)).
Hypothesis Acts : may_follow q (P ++ Q).
Hypothesis Follows : may_follow q R.
Notation M := (Q ++ R).
Notation E l := (exact (program_over all l) only_layer).

Lemma first_actions e : snd e < size_of Q (fst e) ->
  action (program_over all M) e = action (program_over all Q) e.
Proof.
  intro L. cbn [action program_over]. unfold tagged_action. rewrite share_app, nth_error_app1; auto.
Qed.
Lemma of_Q e a : action (program_over all Q) e = Some a -> snd e < size_of Q (fst e).
Proof. intro A. apply (event_of_layer all Q), all_events. congruence. Qed.

(** A process that is not through Q gets no further than the certificate says; one that is not through P starts nothing. *)
Lemma later_reach c : reached (relaxed_layer all G M) (fun e => B (fst e)) c ->
  forall i, (B i -> c i = 0) /\ (~ B i -> cut_at f i < size_of Q i -> c i <= cut_at f i).
Proof.
  induction 1 as [c Z|c i c' Rc IH N Re D]; intro k; [rewrite Z; split; intros; lia|].
  rewrite (D k). unfold bump. destruct (Nat.eqb_spec k i) as [->|Nk]; [|apply IH].
  split; [intro b; contradiction|]. intros Nb Lt. destruct (IH i) as [_ Le]. specialize (Le Nb Lt).
  destruct (Nat.eq_dec (c i) (cut_at f i)) as [Eq|Ne]; [exfalso|lia].
  rewrite Eq in Re. destruct (Stuck i) as [b|S]; [contradiction|].
  destruct (action (program_over all Q) (i, cut_at f i)) as [a|] eqn:A.
  2:{ cbn [action program_over] in A. unfold tagged_action in A. cbn [fst snd] in A.
      destruct (nth_error (tagged_share i Q) (cut_at f i)) eqn:X; [discriminate|]. apply nth_error_None in X.
      unfold size_of in Lt. lia. }
  pose proof (first_actions (i, cut_at f i) Lt) as Am. rewrite A in Am.
  assert (Inner_goes : forall b, (forall p, b <> Take p) -> a = b -> False).
  { intros b Nt ->. apply S. unfold ready, relaxed_layer. cbn [action relaxed]. unfold relaxed_action. cbn [action exact].
    unfold exact_action. rewrite A. destruct b as [p|p|]; simpl; [exact I|now contradiction (Nt p)|exact I]. }
  destruct a as [p|p|]; [now apply (Inner_goes (Put p))| |now apply (Inner_goes Inner)].
  assert (Tq : action (E Q) (i, cut_at f i) = Some (Take (0, p))) by (apply exact_take; auto).
  assert (Tm : action (E M) (i, cut_at f i) = Some (Take (0, p))) by (apply exact_take; auto).
  assert (Takes : takes (E Q) (0, p) (cut_at f) <= takes (E M) (0, p) c /\
    (takes_again (E M) (0, p) (i, cut_at f i) = true -> takes_again (E Q) (0, p) (i, cut_at f i) = true)).
  { split.
    - apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros e I. apply filter_In in I as [_ I].
      apply andb_true_iff in I as [I T]. apply insideb_spec in I. apply is_take_spec in T.
      assert (F : fst e = i) by exact (one_reader (E Q) _ _ _ T Tq). unfold inside in I. rewrite F in I.
      assert (Te : action (E M) e = Some (Take (0, p))).
      { simpl in T |- *. apply exact_take in T as [T _]. apply exact_take. rewrite first_actions; [auto|].
        now apply (of_Q e (Take p)). }
      apply filter_In. split; [apply (is_event (E M) _ _ Te)|]. apply andb_true_iff.
      split; [apply insideb_spec; unfold inside; rewrite F; lia|now apply is_take_spec].
    - rewrite !takes_again_spec. cbn [fst snd]. intros (x & Lx & T). exists x. split; auto.
      simpl in T |- *. apply exact_take in T as [T _]. apply exact_take. rewrite <- first_actions; [auto|]. simpl. lia. }
  assert (Puts : puts (E M) (0, p) c <= puts (E Q) (0, p) (cut_at f)).
  { apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros e I. apply filter_In in I as [_ I].
    apply andb_true_iff in I as [I T]. apply insideb_spec in I. apply is_put_spec in T. simpl in T.
    apply exact_put in T as [T _]. destruct (IH (fst e)) as [Zero Before].
    assert (Nbe : ~ B (fst e)) by (intro b; unfold inside in I; rewrite (Zero b) in I; lia).
    assert (Goal_ : inside (cut_at f) e -> In e (filter (fun e0 => insideb (cut_at f) e0 && is_put (E Q) (0, p) e0) (events (E Q)))).
    { intro In_. assert (Te : action (E Q) e = Some (Put (0, p))).
      { apply exact_put. rewrite <- first_actions; [auto|]. specialize (Within (fst e)). unfold inside in In_. lia. }
      apply filter_In. split; [apply (is_event (E Q) _ _ Te)|]. apply andb_true_iff.
      split; [now apply insideb_spec|now apply is_put_spec]. }
    destruct (le_lt_dec (size_of Q (fst e)) (cut_at f (fst e))) as [Thr|Not].
    - (* its sender is through Q: so the port is of this sender, which has sent all that Q receives there *)
      exfalso. destruct (sender_acts q M e p T) as (j & t & Ia & Ej & From).
      assert (Ln : fst e < n).
      { apply in_app_or in Ia as [Ia|Ia]; [|now apply (Follows _ Ia)].
        apply (Acts (TSend (fst e) j t)). apply in_or_app. now right. }
      assert (Named : snd (fst p) = Some (fst e)).
      { destruct From as [F|F]; auto. exfalso. destruct p as [[pj pf] pt]. simpl in F. subst pf.
        apply (Waits (ex_intro _ (fst e) (conj Ln (conj Nbe Thr))) i pj pt Nb A). }
      assert (Full : length (filter (is_put (E Q) (0, p)) (events (E Q))) <= puts (E Q) (0, p) (cut_at f)).
      { apply filter_more. intros x _ Tx. rewrite Tx, andb_true_r. apply insideb_spec. apply is_put_spec in Tx. simpl in Tx.
        apply exact_put in Tx as [Tx _]. pose proof (of_Q x _ Tx) as Lx.
        rewrite <- (named_sender_puts all Q x p (fst e) Tx Named) in Thr. unfold inside. lia. }
      assert (One_more : takes (E Q) (0, p) (cut_at f) < length (filter (is_take (E Q) (0, p)) (events (E Q)))).
      { unfold takes. apply Nat.lt_le_trans with
          (length (filter (fun x => insideb (bump (cut_at f) i) x && is_take (E Q) (0, p) x) (events (E Q)))).
        - pose proof (takes_bump (E Q) (0, p) (cut_at f) i (bump (cut_at f) i) (fun _ => eq_refl)) as X.
          assert (Ti : is_take (E Q) (0, p) (i, cut_at f i) = true) by now apply is_take_spec.
          unfold takes in X. rewrite Ti in X. lia.
        - apply filter_more. intros x _ X. now apply andb_true_iff in X. }
      pose proof (Balanced 0 p) as Ba.
      change (length (filter (is_put (E Q) (0, p)) (events (E Q))) = length (filter (is_take (E Q) (0, p)) (events (E Q)))) in Ba.
      apply S. apply (relaxed_ready (E Q) (exact_guarantee G) (0, p) (cut_at f) i Tq).
      unfold exact_guarantee. simpl snd. destruct (may_copy (G p)); [right|]; lia.
    - apply Goal_. specialize (Before Nbe Not). unfold inside in *. lia. }
  apply S. apply (relaxed_ready (E Q) (exact_guarantee G) (0, p) (cut_at f) i Tq).
  assert (Re' : ready (relaxed_layer all G M) c (i, c i)) by now rewrite Eq.
  unfold relaxed_layer in Re'. assert (Tm' : action (E M) (i, c i) = Some (Take (0, p))) by now rewrite Eq.
  apply (relaxed_ready (E M) (exact_guarantee G) (0, p) c i Tm') in Re'. rewrite Eq in Re'.
  destruct (may_copy (exact_guarantee G (0, p))); 
    [destruct Re' as [Re'|Re']; [left; now apply Takes|right; lia]|destruct Takes; lia].
Qed.
End Later.

(** ** Ports of P *)

Lemma all_of_both : concat (layers_given q) = all.
Proof. reflexivity. Qed.

Lemma late_spec u f i : is_late tP tQ u f i = true <-> cut_at u i < size_of P i \/ cut_at f i < size_of Q i.
Proof.
  unfold is_late. rewrite orb_true_iff, !Nat.ltb_lt. rewrite <- (sizes_in_table q P i), <- (sizes_in_table q Q i).
  reflexivity.
Qed.

Lemma fits_spec M idle upto : fits_layer q (layer_table_of (shared_tags all) M) idle upto (index upto) = true ->
  length upto = n /\ forall i, i < n -> cut_at (index upto) i <= size_of M i.
Proof.
  unfold fits_layer. rewrite !andb_true_iff, forallb_forall. intros [[L F] _]. split; [now apply Nat.eqb_eq|].
  intros i Li. assert (X : In i (seq 0 n)) by (apply in_seq; lia). specialize (F i X). apply Nat.leb_le in F.
  rewrite <- (sizes_in_table q M i). exact F.
Qed.

Lemma cut_beyond upto i : length upto = n -> n <= i -> cut_at (index upto) i = 0.
Proof.
  intros L Le. unfold cut_at, find_or. rewrite find_index. destruct (nth_error upto i) eqn:E; auto.
  assert (i < length upto) by (apply nth_error_Some; congruence). lia.
Qed.

(** P, and what may come then. *)
Definition seal_next (k : nat) (M : layer_program) (m : nat) :=
  (k = 0 /\ M = P /\ m = 1) \/ (k = 1 /\ m = 2 /\ exists R, may_follow q R /\ M = Q ++ R).

Lemma check_seal_hold_sound h r : follows_given q (P ++ Q) = true -> balanced_layers (program_over all Q) only_layer ->
  check_seal_hold G tP tQ h = true -> last_take (program_over all P) only_layer r (seal_port h) ->
  keeps_away all G nat seal_next (seal_port h) P r 1.
Proof.
  intros Acts Bal H La. unfold check_seal_hold in H. set (p := seal_port h) in *.
  set (u := index (seal_upto h)) in *. set (f := index (seal_following h)) in *.
  rewrite !andb_true_iff in H. destruct H as [[[[[H3 H6] H7] H8] H9] H10].
  rewrite forallb_forall in H9, H10. apply follows_given_sound in Acts.
  apply (check_last_sound q P p _ _ _ r) in H3 as [Cl Unfit]; auto. apply fits_spec in H6 as [Lf Ff].
  assert (Safe : forall i, is_in i (set_of (map unfit_sender (seal_unfit h))) = true -> cannot_be_taken all G P r p i).
  { intros i I. apply set_of_spec, in_map_iff in I as (x & <- & I). now apply Unfit. }
  set (B := fun i => cut_at u i < size_of P i).
  assert (Sz : forall i, (find_or 0 i u <? find_or 0 i (sizes_in tP)) = true <-> B i).
  { intro i. unfold B. rewrite <- (sizes_in_table q P i). apply Nat.ltb_lt. }
  exists (cut_at u), (fun k C => (k = 1 /\ C = B) \/ (k = 2 /\ C = fun _ => False)). split; [exact Cl|split].
  - intros k1 C M k2 [[-> ->]|[-> _]] [(E & _)|(E & -> & R & Fol & ->)]; try discriminate.
    destruct (plays_exist all G (Q ++ R) (fun e => B (fst e))) as (v & Rv & Sv).
    exists v. split; [exact Sv|split].
    { exists (fun _ => False). split; [right; auto|tauto]. }
    assert (Later : forall i, (B i -> v i = 0) /\ (~ B i -> cut_at f i < size_of Q i -> v i <= cut_at f i)).
    { apply (later_reach u f R); auto.
      - apply stuck_at_sound in H7. apply closed_cut_more with (2 := H7). intros e X. now apply Sz.
      - intro i. destruct (le_lt_dec n i) as [L|L]; [unfold f; rewrite (cut_beyond _ i Lf L); lia|now apply Ff].
      - intros (i & Li & Nb & Thr) j pj pt Nj Aj. apply orb_true_iff in H8 as [H8|H8].
        + apply negb_true_iff in H8. apply not_true_iff_false in H8. apply H8, existsb_exists. exists i.
          split; [apply in_seq; lia|]. apply negb_true_iff, not_true_iff_false. rewrite late_spec. intros [X|X]; [now apply Nb|lia].
        + apply (next_events_spec all Q f _ H8) in Aj. cbn [fst snd take_on] in Aj. rewrite orb_false_r in Aj. now apply Sz in Aj. }
    intros s As Is. destruct (Later (fst s)) as [Zero Before].
    assert (Nb : ~ B (fst s)) by (intro b; unfold inside in Is; rewrite (Zero b) in Is; lia).
    destruct (le_lt_dec (size_of Q (fst s)) (cut_at f (fst s))) as [Thr|Not].
    + destruct (sender_acts q (Q ++ R) s p As) as (j & t & Ia & Ej & From).
      assert (Both : fst s < n /\ fst s <> j).
      { apply in_app_or in Ia as [Ia|Ia]; [|exact (Fol _ Ia)].
        apply (Acts (TSend (fst s) j t)). apply in_or_app. now right. }
      destruct Both as [Ln Other]. assert (X : In (fst s) (seq 0 n)) by (apply in_seq; lia).
      specialize (H10 _ X). rewrite !orb_true_iff in H10. destruct H10 as [[F|F]|F].
      * apply late_spec in F as [F|F]; [now contradiction Nb|lia].
      * now apply Safe.
      * exfalso. unfold may_send_to in F. rewrite negb_andb, negb_involutive in F. apply orb_true_iff in F as [F|F].
        -- apply Nat.eqb_eq in F. congruence.
        -- destruct From as [F'|F']; rewrite F' in F; [discriminate|]. now rewrite Nat.eqb_refl in F.
    + specialize (Before Nb Not). assert (In_ : inside (cut_at f) s) by (unfold inside in *; lia).
      assert (Aq : action (program_over all Q) s = Some (Put p)).
      { rewrite <- (first_actions R s); auto. unfold inside in In_. lia. }
      apply Safe, H9. now apply senders_until_spec.
  - exists B. split; [left; auto|]. intros i b. right. exact b.
Qed.

(** ** The theorem *)

Theorem check_seal_yes_correct : forall roots holds, check_seal_yes roots holds = true ->
  no_overlap all /\ forall p, ~ In p roots -> ~ seal_root_port p.
Proof.
  intros roots holds H. unfold check_seal_yes in H. cbv zeta in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[No Acts] BP] BQ] Holds] Needed]. rewrite forallb_forall in Holds.
  apply is_balanced_sound in BP, BQ. split.
  - intros j i t Any Named. unfold overlaps_none in No. rewrite forallb_forall in No. specialize (No _ Named).
    simpl in No. apply from_any_spec in Any. rewrite <- shared_tags_spec in Any. rewrite Any in No. discriminate.
  - intros p Np (R & Fol & Root).
    assert (Need : forall e, action (program_over all P) e = Some (Take p) -> may_copy (G p) = false /\
      ((keeps_order (G p) = true /\ may_lose (G p) = false /\ snd (fst p) <> None) \/
       exists h, In h holds /\ seal_port h = p)).
    { intros e A. unfold check_seal_needed in Needed. rewrite forallb_forall in Needed.
      specialize (Needed p (port_known all P p e (or_intror A))). unfold takes_nothing in Needed. apply receive_known in A.
      destruct (receive_places _) in A, Needed; [destruct A|]. simpl in Needed.
      destruct (find_port p (port_set_of roots)) as [v|] eqn:F; [exfalso; apply Np, port_set_of_spec; eauto|].
      simpl in Needed. apply andb_true_iff in Needed as [C Needed]. apply negb_true_iff in C. split; [exact C|].
      apply orb_true_iff in Needed as [S|S]; [left; now apply keeps_own_order_spec|right].
      destruct (find_port p (port_set_of (map seal_port holds))) as [v|] eqn:Fh; [|discriminate].
      assert (I : In p (map seal_port holds)) by (apply port_set_of_spec; eauto).
      apply in_map_iff in I as (h & E & I). eauto. }
    assert (Word : leads_to nat seal_next 0 [P; Q ++ R] 2).
    { apply leads_on with 1; [left; auto|]. apply leads_on with 2; [right; eauto|constructor]. }
    apply (certificates_of_port all G nat seal_next 0 p) with (w := [P; Q ++ R]) (q := 2); auto.
    + intros k1 M k2 N k3 [(-> & -> & ->)|(-> & -> & _)] N2; [exact BP|]. destruct N2 as [(E & _)|(E & _)]; discriminate.
    + intros pre L mid M post k Lw C [T _].
      apply leads_app in Lw as (k1 & _ & Lw). inversion Lw as [|? ? k2 ? ? N1 Lw2]; subst.
      destruct N1 as [(-> & -> & ->)|(-> & -> & _)].
      * assert (X : exists e, action (program_over all P) e = Some (Take p)).
        { destruct T as (e & [A|A]); [|eauto].
          assert (Pe : is_put (exact (program_over all P) only_layer) (0, p) e = true)
            by (apply is_put_spec, exact_put; auto).
          pose proof (BP 0 p) as Eq.
          destruct (filter (is_take (exact (program_over all P) only_layer) (0, p)) (events (program_over all P)))
            as [|y l] eqn:Fy.
          - simpl in Eq. apply length_zero_iff_nil in Eq. exfalso. assert (In e []); [|contradiction]. rewrite <- Eq.
            apply filter_In. split; [apply (is_event (program_over all P) e _ A)|exact Pe].
          - assert (I : In y (y :: l)) by now left. rewrite <- Fy in I. apply filter_In in I as [_ I].
            apply is_take_spec, exact_take in I as [I _]. eauto. }
        destruct X as (e & A). destruct (Need e A). congruence.
      * destruct mid; inversion Lw2 as [|? ? k3 ? ? N2 _]; subst; destruct N2 as [(E & _)|(E & _)]; discriminate.
    + intros k1 L k2 r [(-> & -> & ->)|(-> & -> & R' & Fol' & ->)] C Lt.
      * destruct (Need r (proj1 Lt)) as [_ [Sole|(h & I & <-)]]; [now left|right].
        now apply (check_seal_hold_sound h r Acts BQ (Holds h I)).
      * right. destruct (plays_exist all G (Q ++ R') (eq r)) as (v & _ & S). exists v, (fun k C => k = 2).
        split; [exact S|split].
        -- intros k3 C' M k4 -> [(E & _)|(E & _)]; discriminate.
        -- exists (fun _ => False). split; auto. tauto.
Qed.

(** Closed sets and runs, as for layers. *)
Definition check_port_seal (roots : list port_root) (holds : list seal_hold) : option (list (event * event)) :=
  if check_seal_yes (map wrong_port roots) holds then
    let g := G in
    let shared := shared_tags all in
    all_some (map (fun x => if follows_given q (root_later x)
      then play_root g shared [P; Q ++ root_later x] x else None) roots)
  else None.

Theorem check_port_seal_sound : forall roots holds ends, check_port_seal roots holds = Some ends -> no_overlap all /\
  (forall p, In p (map wrong_port roots) <-> seal_root_port p) /\ (roots = [] <-> seals_over_ports).
Proof.
  intros roots holds ends H. unfold check_port_seal in H. destruct (check_seal_yes _ _) eqn:Y; [|discriminate].
  cbv zeta in H.
  destruct (check_seal_yes_correct _ _ Y) as [No None].
  assert (Runs : forall x, In x roots -> seal_root_port (wrong_port x)).
  { intros x I. clear - H I. revert ends H. induction roots as [|z roots IH]; [destruct I|]. intros ends H.
    cbn [map all_some] in H. destruct (follows_given q (root_later z)) eqn:Fo; [|discriminate].
    destruct (play_root _ _ _ z) as [y|] eqn:C; [|discriminate].
    destruct (all_some _) as [l|]; [|discriminate]. destruct I as [->|I]; [|eauto].
    exists (root_later x). split; [now apply follows_given_sound|]. now apply play_root_sound in C. }
  assert (Iff : forall p, In p (map wrong_port roots) <-> seal_root_port p).
  { intro p. split.
    - intro I. apply in_map_iff in I as (x & <- & I). now apply Runs.
    - intro Root. destruct (existsb (port_eqb p) (map wrong_port roots)) eqn:X.
      + apply existsb_exists in X as (p' & I & E). apply port_eqb_spec in E. now subst.
      + exfalso. apply (None p); auto. intro I. apply not_true_iff_false in X. apply X, existsb_exists.
        exists p. split; auto. now apply port_eqb_spec. }
  split; [exact No|split; [exact Iff|]]. split.
  - intros -> R Fol. apply apart_without_faulty_root_ports. intros p Root. apply (Iff p). exists R. auto.
  - intro Seals_. destruct roots as [|x roots]; auto. exfalso.
    destruct (Runs x (or_introl eq_refl)) as (R & Fol & Root). specialize (Seals_ R Fol).
    rewrite apart_without_faulty_root_ports in Seals_. now apply (Seals_ (wrong_port x)).
Qed.
End Sealed.

(** What is accepted: no receives of P and Q overlap; the ports of the runs are exactly those on which something can cross,
    whatever follows; and so Q seals P exactly if there are no runs. *)
Theorem check_port_seal_correct : forall n P Q words roots holds ends,
  check_port_seal n P Q words roots holds = Some ends -> no_overlap (P ++ Q) /\
  (forall p, In p (map wrong_port roots) <-> seal_root_port n P Q words p) /\
  (roots = [] <-> seals_over_ports n P Q words).
Proof.
  intros n P Q words roots holds ends H. rewrite <- (app_nil_r Q) at 1. now apply (check_port_seal_sound n P Q words roots holds ends).
Qed.
