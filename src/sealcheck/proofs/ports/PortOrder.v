(** * Ports with several senders that keep the order of each

    Let a layer have K receives on a port, and let x of these messages come from process i.  The last of these
    receives can take i's next message, of a later layer, exactly if that message can be there without it, and the
    receives before it can take all x messages of i.  For that, x < K, and fewer than K - x of the first l receives
    may take messages of others.  So without the l'th receive, more than l + x - K messages of i are there.

    The theorems are [ordered_root_port], [only_sender_does_not_overtake], [root_port_by_message], [apart_over_ports]
    and [certificates_suffice].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortFaults PortFaultLayers.
Open Scope nat_scope.

(** ** Counting the messages of a sender *)

Definition is_from (i : proc) (s : event) := fst s =? i.

Lemma split_by {A} (f : A -> bool) l :
  length l = length (filter f l) + length (filter (fun x => negb (f x)) l).
Proof. induction l as [|x l IH]; simpl; auto. destruct (f x); simpl; lia. Qed.

Lemma taken_app {port} (P : program port) q h2 h1 : taken P q (h2 ++ h1) = taken P q h2 ++ taken P q h1.
Proof.
  induction h2 as [|[e|e s] h2 IH]; simpl; auto. destruct (is_take P q e); simpl; now rewrite IH.
Qed.

(** The last number below a bound with a property, if there is one. *)
Lemma last_below (Q : nat -> Prop) n : (forall k, k < n -> ~ Q k) \/
  exists k, k < n /\ Q k /\ forall k', k < k' -> k' < n -> ~ Q k'.
Proof.
  induction n as [|n IH]; [left; lia|]. destruct (classic (Q n)) as [H|H].
  - right. exists n. repeat split; auto. intros; lia.
  - destruct IH as [IH|(k & L & Hk & B)].
    + left. intros k L. destruct (Nat.eq_dec k n) as [->|]; auto. apply IH. lia.
    + right. exists k. repeat split; auto. intros k' L1 L2. destruct (Nat.eq_dec k' n) as [->|]; auto. apply B; lia.
Qed.

Section Order.
Context {port : Type} (P : program port) (layer : event -> nat) (G : port -> guarantee).
Notation E := (exact P layer).
Notation X := (relaxed (exact P layer) (exact_guarantee G)).

(** K: the receives of layer [n] on the port. *)
Definition receives_of_layer (n : nat) (p : port) := length (filter (is_take E (n, p)) (events P)).
(** x: the messages of layer [n] that process [i] puts into the port; and those among them that are sent up to a cut. *)
Definition messages_of (i : proc) (n : nat) (p : port) :=
  length (filter (fun s => is_put E (n, p) s && is_from i s) (events P)).
Definition sent_of (i : proc) (n : nat) (p : port) (c : cut) :=
  length (filter (fun s => insideb c s && (is_put E (n, p) s && is_from i s)) (events P)).
(** l: a receive is the l'th one of its layer on the port. *)
Definition place_of (p : port) (e : event) :=
  length (filter (fun x => (snd x <=? snd e) && is_take E (layer e, p) x) (events P)).

(** The receives of the layer before [r], its last one on the port, can take all messages of process [i]. *)
Definition all_taken_before (i : proc) (r : event) (p : port) :=
  messages_of i (layer r) p < receives_of_layer (layer r) p /\
  forall e w, action P e = Some (Take p) -> layer e = layer r -> snd e < snd r -> without X e w ->
    place_of p e + messages_of i (layer r) p < receives_of_layer (layer r) p + sent_of i (layer r) p w.

(** Without some layer's last receive on the port, a later layer's message is put into it, and earlier receives can
    take all that its sender has put into it in the layer. *)
Definition overtaking_message (p : port) := exists r s w, last_take P layer r p /\ action P s = Some (Put p) /\
  layer r < layer s /\ without X r w /\ inside w s /\ all_taken_before (fst s) r p.

(** The same for any port that does not copy: a message has to be able to overtake only if the port keeps order. *)
Definition wrong_message (p : port) := exists r s w, last_take P layer r p /\ action P s = Some (Put p) /\
  layer r < layer s /\ without X r w /\ inside w s /\
  (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before (fst s) r p).

Hypothesis Seq : in_sequence P layer.

(** ** Lemmas *)

Lemma take_of_layer n p e : is_take E (n, p) e = true <-> action P e = Some (Take p) /\ layer e = n.
Proof. rewrite is_take_spec. apply exact_take. Qed.
Lemma put_of_layer n p s : is_put E (n, p) s = true <-> action P s = Some (Put p) /\ layer s = n.
Proof. rewrite is_put_spec. apply exact_put. Qed.

Lemma is_from_spec i s : is_from i s = true <-> fst s = i.
Proof. apply Nat.eqb_eq. Qed.

(** The number of takes up to a cut is the place of a receive if its process is just past it. *)
Lemma place_takes p e c : action P e = Some (Take p) -> c (fst e) = S (snd e) ->
  takes E (layer e, p) c = place_of p e.
Proof.
  intros A C. unfold takes, place_of. f_equal. apply filter_ext. intro x.
  destruct (is_take E (layer e, p) x) eqn:T; [|now rewrite !andb_false_r]. rewrite !andb_true_r.
  apply take_of_layer in T as [T _]. pose proof (one_reader P _ _ _ T A) as F.
  unfold insideb. rewrite F, C. apply eq_true_iff_eq. rewrite Nat.ltb_lt, Nat.leb_le. lia.
Qed.

Lemma place_next p e c : action P e = Some (Take p) -> c (fst e) = snd e -> S (takes E (layer e, p) c) = place_of p e.
Proof.
  intros A C. assert (Ee : e = (fst e, c (fst e))) by (rewrite C; now destruct e).
  rewrite <- (place_takes p e (bump c (fst e)) A) by (rewrite bump_self; congruence).
  rewrite (takes_bump E (layer e, p) c (fst e) (bump c (fst e))), <- Ee by (intro; reflexivity).
  assert (T : is_take E (layer e, p) e = true) by now apply take_of_layer. now rewrite T.
Qed.

Lemma place_at_most p e : place_of p e <= receives_of_layer (layer e) p.
Proof. apply filter_more. intros x _ H. now apply andb_true_iff in H. Qed.

(** The last receive has the last place, and no other one has. *)
Lemma place_of_last r p : last_take P layer r p -> place_of p r = receives_of_layer (layer r) p.
Proof.
  intros [A La]. apply Nat.le_antisymm; [apply place_at_most|]. apply filter_more. intros [i k] _ T.
  rewrite T, andb_true_r.
  apply take_of_layer in T as [T Lx]. apply Nat.leb_le.
  assert (i = fst r) by exact (one_reader P _ _ _ T A). subst i. now apply La.
Qed.
Lemma place_before r p e : action P r = Some (Take p) -> layer e = layer r -> snd e < snd r ->
  place_of p e < receives_of_layer (layer r) p.
Proof.
  intros A L Lt. apply (NoDup_incl_length (l := r :: filter _ (events P))).
  - constructor; [|apply NoDup_filter, no_duplicates]. intro I. apply filter_In in I as [_ I].
    apply andb_true_iff in I as [I _]. apply Nat.leb_le in I. lia.
  - intros x [<-|I]; apply filter_In.
    + split; [eapply is_event; eauto|now apply take_of_layer].
    + apply filter_In in I as [I T]. split; auto. apply andb_true_iff in T as [_ T]. now rewrite <- L.
Qed.

(** Only messages of lossy ports are lost. *)
Lemma lost_is_lossy lost h s : faulty_runs P G lost h -> In s lost -> exists p,
  action P s = Some (Put p) /\ may_lose (G p) = true.
Proof.
  induction 1 as [|lost h i a R IH A N|lost h i p s' R IH A I O|lost h p s' R IH L I]; auto; [intros []|].
  intros [->|J]; auto. exists p. split; auto. apply I.
Qed.

(** An earlier message of the same sender is sent before. *)
Lemma sent_before s0 s : action P s0 <> None -> action P s <> None -> fst s0 = fst s -> layer s0 < layer s ->
  snd s0 < snd s.
Proof.
  intros A0 A F L. destruct (le_lt_dec (snd s) (snd s0)) as [Le|]; auto. exfalso.
  assert (layer s <= layer s0); [|lia]. destruct s0 as [i k0], s as [j k]; simpl in *; subst j. now apply Seq.
Qed.

(** ** A message that overtakes, from a run *)

(** What the receives up to one in a run took, as far as it comes from a sender, was sent without that receive. *)
Lemma taken_without lost h e s w p i : faulty_runs E (exact_guarantee G) lost (Receives e s :: h) ->
  may_copy (G p) = false -> action P e = Some (Take p) -> without X e w ->
  length (filter (is_from i) (taken E (layer e, p) (Receives e s :: h))) <= sent_of i (layer e) p w.
Proof.
  intros R C A [_ Sw]. set (q := (layer e, p)).
  assert (Ae : action E e = Some (Take q)) by now apply exact_take.
  destruct (faulty_cons E _ _ _ _ R) as (lost' & R' & _ & M & _). simpl in M.
  assert (Re : reached X (eq e) (done h)).
  { apply (faulty_reaches E _ (eq e) lost'); auto. intros e' H <-.
    apply (faulty_inside E _ lost' h R') in H. unfold inside in H. rewrite M in H. simpl in H. lia. }
  apply NoDup_incl_length; [apply NoDup_filter, (faulty_taken_once E (exact_guarantee G) lost); auto|].
  intros x I. apply filter_In in I as [I Fx]. apply taken_in in I as (e' & I & T).
  destruct (faulty_received E _ _ _ _ _ R I) as (q' & A1 & A2 & A3). assert (q' = q) by congruence. subst q'.
  apply filter_In. split; [apply (is_event E x _ A2)|]. rewrite Fx, !andb_true_r. apply andb_true_iff.
  split; [|now apply is_put_spec]. apply insideb_spec.
  apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump in A3 as [A3|A3];
    [|simpl in A3; rewrite <- M in A3; congruence].
  specialize (without_greatest X _ _ _ Re Sw (fst x)). unfold inside in *. lia.
Qed.

(** If a port keeps order and the first wrong receive takes i's message, the run has taken all of i's in the layer. *)
Lemma all_of_sender_taken lost h e s p : faulty_runs P G lost h -> own_layers layer h -> may_copy (G p) = false ->
  may_lose (G p) = false -> layer e < layer s -> available P G lost h p s ->
  (forall s', available P G lost h p s' -> fst s' = fst s -> snd s <= snd s') ->
  messages_of (fst s) (layer e) p <= length (filter (is_from (fst s)) (taken E (layer e, p) h)).
Proof.
  intros R O C Lo L I Old. apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros s0 J.
  apply filter_In in J as [_ J]. apply andb_true_iff in J as [A0 F0]. apply put_of_layer in A0 as [A0 L0].
  apply filter_In. split; auto. apply is_from_spec in F0. apply NNPP. intro Nt.
  assert (Lt : snd s0 < snd s).
  { apply sent_before; auto; [congruence| |lia]. destruct I as [I _]. congruence. }
  assert (I0 : available P G lost h p s0); [|specialize (Old s0 I0 F0); lia].
  split; auto. split; [destruct I as (_ & I & _); unfold inside in *; rewrite F0; lia|]. split.
  - intro J. destruct (lost_is_lossy lost h s0 R J) as (p' & A' & Lo'). congruence.
  - right. intros e' J. apply Nt. destruct (faulty_received P G lost h e' s0 R J) as (p' & A1 & A2 & _).
    apply in_taken with e'; auto. apply exact_take. split; [congruence|]. rewrite <- L0. now apply O.
Qed.

Lemma message_from_run : forall p, balanced_before P layer p -> may_copy (G p) = false ->
  faulty_root_port P layer G p -> wrong_message p.
Proof.
  intros p Before C Root.
  destruct (faulty_root_first P layer G p Root) as (lost & e & s & h & R & O & W & A & Ee & I & Old).
  destruct (wrong_is_later P layer G Seq lost h e s p Before C R O A Ee I W) as (L & Re & Is).
  destruct (in_time_before_last_with_faults P layer G e p s (done h)) as (r & w & La & El & Fr & Le & Wr & Iw); auto;
    [apply I|].
  exists r, s, w. split; [exact La|]. split; [apply I|]. split; [lia|]. split; [exact Wr|]. split; [exact Iw|].
  intros K Lo. specialize (Old K C).
  set (i := fst s). pose proof (all_of_sender_taken lost h e s p R O C Lo L I Old) as All. fold i in All.
  pose proof (own_is_exact_with_faults P layer G lost h R O) as R'.
  pose proof (faulty_taken_length E (exact_guarantee G) lost (layer e, p) h R') as Len.
  pose proof (split_by (is_from i) (taken E (layer e, p) h)) as Sp.
  assert (At : done h (fst e) = snd e) by (rewrite Ee at 2; reflexivity).
  pose proof (place_next p e (done h) A At) as Pl. pose proof (place_at_most p e) as Most.
  unfold all_taken_before. rewrite El. split; [lia|]. intros e1 w1 A1 L1 Lt W1.
  assert (F1 : fst e1 = fst e) by exact (one_reader P _ _ _ A1 A).
  destruct (le_lt_dec (snd e) (snd e1)) as [Later|Earlier].
  - assert (messages_of i (layer e) p <= sent_of i (layer e) p w1).
    { apply filter_more. intros s0 _ J. rewrite J, andb_true_r. apply insideb_spec. apply andb_true_iff in J as [A0 F0].
      apply put_of_layer in A0 as [A0 L0]. apply is_from_spec in F0.
      assert (snd s0 < snd s) by (apply sent_before; auto; [congruence|destruct I; congruence|lia]).
      destruct (without_exists X e) as [w0 W0]. destruct W0 as [R0 S0].
      pose proof (without_greatest X _ _ _ Re S0 i) as G1.
      assert (W0 : without X (fst e1, snd e) w0) by (rewrite F1; destruct e; split; auto).
      assert (W1' : without X (fst e1, snd e1) w1) by (destruct e1; auto).
      pose proof (without_grows X _ _ _ _ _ Later W0 W1' i) as G2.
      unfold inside in *. rewrite F0. fold i in Is. unfold i in *. lia. }
    destruct La as [Ar _]. pose proof (place_before r p e1 Ar (eq_trans L1 (eq_sym El)) Lt) as Pb. rewrite El in Pb.
    lia.
  - assert (H1 : happens e1 h) by (apply (faulty_inside P G lost h R); unfold inside; rewrite F1; lia).
    apply in_map_iff in H1 as (m & M & J). apply in_split in J as (h2 & h1 & Eh). rewrite Eh in R'.
    destruct (faulty_app E _ lost h2 (m :: h1) R') as (lost1 & R1).
    assert (Em : exists s1, m = Receives e1 s1).
    { destruct m as [e'|e' s1]; simpl in M; subst e'; [|eauto]. exfalso. clear - R1 A1.
      remember (Does e1 :: h1) as h' eqn:Eh'.
      induction R1 as [|lost h i a R IH B N|lost h i q s R IH B J O|lost h q s R IH L J];
        try discriminate; auto. injection Eh' as <- <-. simpl in B. unfold exact_action in B. rewrite A1 in B.
      injection B as <-. now apply (N (layer (i, done h i), p)). }
    destruct Em as (s1 & ->). pose proof (taken_without lost1 h1 e1 s1 w1 p i R1 C A1 W1) as Tw.
    pose proof (faulty_taken_length E _ lost1 (layer e1, p) _ R1) as Len1.
    pose proof (split_by (is_from i) (taken E (layer e1, p) (Receives e1 s1 :: h1))) as Sp1.
    assert (P1 : takes E (layer e1, p) (done (Receives e1 s1 :: h1)) = place_of p e1).
    { apply place_takes; auto. destruct (faulty_cons E _ _ _ _ R1) as (_ & _ & _ & M1 & _). simpl in M1.
      rewrite done_bump. simpl. rewrite bump_self. f_equal. rewrite M1 at 2. reflexivity. }
    rewrite L1 in Tw, Len1, Sp1, P1.
    assert (length (filter (fun x => negb (is_from i x)) (taken E (layer e, p) (Receives e1 s1 :: h1))) <=
            length (filter (fun x => negb (is_from i x)) (taken E (layer e, p) h))); [|lia].
    rewrite Eh, taken_app, filter_app, app_length. lia.
Qed.

Hypothesis Bal : balanced_layers P layer.

(** ** A run from a message that overtakes *)

Section Overtaking.
Variables (p : port) (r : event) (i : proc).
Hypothesis Free : complete_with_faults P layer G.
Hypothesis Fits : all_taken_before i r p.
Notation q := (layer r, p).

(** So many messages of others are left for the rest that all of i's can be taken. *)
Definition leaves_room (h : list move) :=
  length (filter (fun x => negb (is_from i x)) (taken E q h)) + messages_of i (layer r) p < receives_of_layer (layer r) p.

Lemma other_events_leave_room h m : leaves_room h -> action E (event_of m) <> Some (Take q) -> leaves_room (m :: h).
Proof.
  unfold leaves_room. destruct m as [e|e s]; simpl; auto. intros H N. destruct (is_take E q e) eqn:T; auto.
  apply is_take_spec in T. contradiction.
Qed.

(** The receive at which a run is takes a message of i if there is one. *)
Lemma prefers_sender h e w : faulty_runs E (exact_guarantee G) [] h -> leaves_room h -> action P e = Some (Take p) ->
  layer e = layer r -> snd e < snd r -> without X e w -> ceq (done h) w -> exists s,
  faulty_runs E (exact_guarantee G) [] (Receives e s :: h) /\ leaves_room (Receives e s :: h).
Proof.
  intros R Room A L Lt W D. destruct Free as (c & Rc & All). pose proof (is_event P e _ A) as Ie.
  destruct (gets_as_far X e w c Rc All Ie W) as [At Re].
  assert (Ee : e = (fst e, done h (fst e))) by (rewrite (D (fst e)), At; now destruct e).
  assert (Ae : action E (fst e, done h (fst e)) = Some (Take q)) by (rewrite <- Ee; now apply exact_take).
  assert (T : is_take E q e = true) by (apply is_take_spec; now rewrite Ee).
  destruct (classic (exists s, available E (exact_guarantee G) [] h q s /\ fst s = i)) as [(s & I & F)|None].
  - destruct (available_oldest E (exact_guarantee G) [] h q s I) as (s0 & I0 & F0 & Old). exists s0. split.
    + rewrite Ee. apply faulty_receives with q; auto.
    + unfold leaves_room in *. simpl. rewrite T. simpl.
      assert (Fi : is_from i s0 = true) by (apply is_from_spec; congruence).
      now rewrite Fi.
  - assert (Re' : ready X (done h) (fst e, done h (fst e))).
    { rewrite <- Ee. apply (ready_ceq X w); auto. intro; symmetry; auto. }
    destruct (ready_available E (exact_guarantee G) [] h q (fst e) R (fun s J => False_ind _ J) Ae Re') as (s & I).
    destruct (available_oldest E (exact_guarantee G) [] h q s I) as (s0 & I0 & F0 & Old).
    assert (R1 : faulty_runs E (exact_guarantee G) [] (Receives e s0 :: h)).
    { rewrite Ee. apply faulty_receives with q; auto. }
    exists s0. split; auto. unfold leaves_room.
    pose proof (faulty_taken_length E _ [] q _ R1) as Len.
    pose proof (split_by (is_from i) (taken E q (Receives e s0 :: h))) as Sp.
    assert (Pl : takes E q (done (Receives e s0 :: h)) = place_of p e).
    { rewrite <- L. apply place_takes; auto. rewrite done_bump. simpl. rewrite bump_self. f_equal.
      rewrite (D (fst e)). exact At. }
    assert (Sent : sent_of i (layer r) p w <= length (filter (is_from i) (taken E q h))).
    { apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros x J. apply filter_In in J as [_ J].
      apply andb_true_iff in J as [Ix J]. apply andb_true_iff in J as [Ax Fx]. apply insideb_spec in Ix.
      apply is_put_spec in Ax. apply filter_In. split; auto. apply NNPP. intro Nt. apply None. exists x.
      split; [|now apply is_from_spec]. split; [exact Ax|]. split; [now apply (inside_ceq _ _ _ D)|].
      split; [intros []|].
      right. intros e' J. apply Nt. destruct (faulty_received E _ [] h e' x R J) as (q' & A1 & A2 & _).
      apply in_taken with e'; auto. congruence. }
    assert (length (filter (is_from i) (taken E q h)) <= length (filter (is_from i) (taken E q (Receives e s0 :: h)))).
    { simpl. rewrite T. simpl. destruct (is_from i s0); simpl; lia. }
    destruct Fits as [Fx Fit]. specialize (Fit e w A L Lt W). lia.
Qed.

(** So runs go on to each receive of the layer on the port. *)
Lemma run_with_room k : forall w, k <= snd r -> action P (fst r, k) = Some (Take p) -> layer (fst r, k) = layer r ->
  without X (fst r, k) w -> exists h, faulty_runs E (exact_guarantee G) [] h /\ leaves_room h /\ ceq (done h) w.
Proof.
  induction k as [k IH] using lt_wf_ind. intros w Le A L W.
  destruct Free as (c & Rc & All). pose proof (is_event P _ _ A) as Ie.
  destruct (gets_as_far X _ w c Rc All Ie W) as [At _]. simpl in At.
  assert (Start : exists h0, faulty_runs E (exact_guarantee G) [] h0 /\ leaves_room h0 /\ cle (done h0) w /\
    forall k', done h0 (fst r) <= k' -> k' < k -> action E (fst r, k') <> Some (Take q)).
  { destruct (last_below (fun k' => action E (fst r, k') = Some (Take q)) k) as [None|(k0 & L0 & A0 & Between)].
    - exists []. split; [constructor|]. split; [unfold leaves_room; simpl; apply Fits|].
      split; [intro j; unfold done; simpl; lia|auto].
    - apply exact_take in A0 as [A0 E0]. destruct (without_exists X (fst r, k0)) as [w0 W0].
      destruct (IH k0 L0 w0 ltac:(lia) A0 E0 W0) as (h & R & Room & D).
      destruct (prefers_sender h (fst r, k0) w0 R Room A0 E0 ltac:(simpl; lia) W0 D) as (s & R1 & Room1).
      destruct (gets_as_far X _ w0 c Rc All (is_event P _ _ A0) W0) as [At0 _]. simpl in At0.
      assert (B : forall j, done (Receives (fst r, k0) s :: h) j = bump w0 (fst r) j).
      { intro j. rewrite done_bump. simpl. unfold bump. now rewrite (D j). }
      exists (Receives (fst r, k0) s :: h). split; [exact R1|split; [exact Room1|split]].
      + intro j. rewrite B. destruct (Nat.eq_dec j (fst r)) as [->|Nj]; [rewrite bump_self; lia|].
        rewrite bump_other by auto. apply (without_grows X (fst r) k0 k w0 w); auto. lia.
      + intros k' G1 G2. rewrite B, bump_self, At0 in G1. apply Between; lia. }
  destruct Start as (h0 & R0 & Room0 & Le0 & No). destruct W as [Rw _].
  destruct (extends_to E (exact_guarantee G) (fun h => leaves_room h /\ done h0 (fst r) <= done h (fst r)) _ w Rw)
    with h0 as (h & R & [Room _] & D); eauto.
  intros h j R [Room Mono] Lw Lt Re. destruct (takes_step E (exact_guarantee G) h j R Re) as (m & M & R1).
  exists m. split; auto. split; auto. split.
  - apply other_events_leave_room; auto. rewrite M. intro Aj.
    pose proof (proj1 (exact_take P layer _ _ _) Aj) as [Aj' _].
    assert (j = fst r) by exact (one_reader P _ _ _ Aj' A). subst j. apply (No (done h (fst r))); auto. lia.
  - rewrite done_bump, M. simpl. unfold bump. destruct (fst r =? j); lia.
Qed.
End Overtaking.

(** At the last receive, all messages of the sender are taken, so it can take the next one. *)
Lemma run_from_overtaking : complete_with_faults P layer G -> forall p, may_copy (G p) = false ->
  overtaking_message p -> faulty_root_port P layer G p.
Proof.
  intros Co p C (r & s & w & La & As & L & W & Iw & Fits). set (i := fst s) in *. pose proof La as [A _].
  destruct (run_with_room p r i Co Fits (snd r) w (le_n _)) as (h & R & Room & D);
    try (rewrite <- surjective_pairing; auto).
  destruct Co as (c & Rc & All). destruct (gets_as_far X r w c Rc All (is_event P r _ A) W) as [At _].
  assert (Er : r = (fst r, done h (fst r))) by (rewrite (D (fst r)), At; now destruct r).
  assert (All_ : forall x, action P x = Some (Put p) -> layer x = layer r -> fst x = i ->
    In x (taken E (layer r, p) h)).
  { pose proof (faulty_taken_length E _ [] (layer r, p) h R) as Len.
    pose proof (place_next p r (done h) A ltac:(rewrite (D (fst r)); exact At)) as Pl.
    rewrite (place_of_last r p La) in Pl.
    pose proof (split_by (is_from i) (taken E (layer r, p) h)) as Sp. unfold leaves_room in Room.
    assert (Incl : incl (filter (fun s => is_put E (layer r, p) s && is_from i s) (events P))
                        (filter (is_from i) (taken E (layer r, p) h))).
    { apply NoDup_length_incl.
      - apply NoDup_filter, (faulty_taken_once E (exact_guarantee G) []); auto.
      - unfold messages_of in Room. lia.
      - intros x J. apply filter_In in J as [J Fx]. apply taken_in in J as (e & J & T).
        destruct (faulty_received E _ [] h e x R J) as (q' & A1 & A2 & _). assert (q' = (layer r, p)) by congruence.
        subst q'.
        apply filter_In. split; [apply (is_event E x _ A2)|]. rewrite Fx, andb_true_r. now apply is_put_spec. }
    intros x Ax Lx Fx. apply (filter_In (is_from i)). apply Incl. apply filter_In. split; [eapply is_event; eauto|].
    apply andb_true_iff. split; [now apply put_of_layer|now apply is_from_spec]. }
  destruct (exact_is_run_with_faults P layer G Seq Bal [] h R) as [R' O].
  assert (Is : inside (done h) s) by now apply (inside_ceq _ _ _ D).
  pose proof (later_is_available P layer G Seq h r p s R' O Er A As L Is) as I.
  destruct (available_oldest P G [] h p s I) as (s0 & I0 & F0 & Old). fold i in F0.
  exists [], h, r, s0. split; [|split; [exact A|split; [|intros e' s' J _; now apply O]]].
  - rewrite Er. apply faulty_receives with p; auto. now rewrite <- Er.
  - intro E0. assert (T : In s0 (taken E (layer r, p) h)) by (apply All_; auto; apply I0).
    apply taken_in in T as (e & J & _). destruct I0 as (_ & _ & _ & [B|B]); [congruence|now apply B in J].
Qed.

(** ** The theorems *)

(** A port that keeps the order of each sender, and neither loses nor copies, is a root cause exactly if a message
    can overtake in this way.  Other ports may lose and copy. *)
Theorem ordered_root_port : complete_with_faults P layer G -> forall p, keeps_order (G p) = true ->
  may_copy (G p) = false -> may_lose (G p) = false -> faulty_root_port P layer G p <-> overtaking_message p.
Proof.
  intros Co p K C Lo. split; [|now apply run_from_overtaking]. intro Root.
  destruct (message_from_run p (all_balanced_before P layer Bal p) C Root) as (r & s & w & La & As & L & W & I & F).
  exists r, s, w. repeat (split; [assumption|]). auto.
Qed.

(** If all messages of a layer to a port come from one process, none of its messages overtakes them. *)
Theorem only_sender_does_not_overtake : forall p r i, (forall s, action P s = Some (Put p) -> layer s = layer r ->
  fst s = i) -> ~ all_taken_before i r p.
Proof.
  intros p r i One [Lt _]. revert Lt. apply Nat.le_ngt. unfold receives_of_layer. rewrite <- (Bal (layer r) p).
  apply filter_more. intros s _ T. rewrite T. simpl. apply put_of_layer in T as [T El]. apply is_from_spec.
  now apply One.
Qed.

(** What a root cause is, for all ports that do not copy. *)
Theorem root_port_by_message : complete_with_faults P layer G -> forall p, may_copy (G p) = false ->
  faulty_root_port P layer G p <-> wrong_message p.
Proof.
  intros Co p C. split; [apply message_from_run; auto; now apply all_balanced_before|].
  intros (r & s & w & La & As & L & W & I & F).
  destruct (classic (keeps_order (G p) = true /\ may_lose (G p) = false)) as [[K Lo]|N].
  - apply (run_from_overtaking Co p C). exists r, s, w. repeat (split; [assumption|]). auto.
  - assert (Kind : keeps_order (G p) = false \/ may_lose (G p) = true).
    { destruct (keeps_order (G p)), (may_lose (G p)); tauto. }
    apply (bag_or_lossy_root_port P layer G Seq Bal Co p C Kind). exists r, s, w. auto.
Qed.

(** The layers stay apart exactly if no port is a root cause, and that is decided port by port. *)
Theorem apart_over_ports : complete_with_faults P layer G -> apart_with_faults P layer G <-> forall p,
  if may_copy (G p) then ~ two_layers_use P layer p else ~ wrong_message p.
Proof.
  intros Co. rewrite apart_without_faulty_root_ports.
  split; intros H p; specialize (H p); destruct (may_copy (G p)) eqn:C; intro U; apply H;
    now (apply (copying_root_port P layer G Seq Bal Co p C)) || now (apply (root_port_by_message Co p C)).
Qed.

(** A certificate: for each layer's last receive on a port that does not copy, some cut at which all processes are
    stuck without it.  A later message to the port inside that cut is harmless if the port keeps order and either all
    messages of the layer come from the same sender, or some earlier receive has a cut, at which all are stuck
    without it, with too few messages of this sender.  No cut needs to be the largest set. *)
Theorem certificates_suffice : complete_with_faults P layer G ->
  (forall p, may_copy (G p) = true -> ~ two_layers_use P layer p) ->
  (forall p r, may_copy (G p) = false -> last_take P layer r p -> exists d, stuck X (eq r) d /\
    forall s, action P s = Some (Put p) -> layer r < layer s -> inside d s ->
    keeps_order (G p) = true /\ may_lose (G p) = false /\
    (receives_of_layer (layer r) p <= messages_of (fst s) (layer r) p \/
     exists e d', action P e = Some (Take p) /\ layer e = layer r /\ snd e < snd r /\ stuck X (eq e) d' /\
       receives_of_layer (layer r) p + sent_of (fst s) (layer r) p d' <=
       place_of p e + messages_of (fst s) (layer r) p)) ->
  apart_with_faults P layer G.
Proof.
  intros Co Copies D. apply (apart_over_ports Co). intro p. destruct (may_copy (G p)) eqn:C; [now apply Copies|].
  intros (r & s & w & La & As & L & [R _] & I & Fits). destruct (D p r C La) as (d & S & Harmless).
  assert (Id : inside d s).
  { pose proof (without_greatest X (eq r) w d R S (fst s)). unfold inside in *. lia. }
  destruct (Harmless s As L Id) as (K & Lo & Few). destruct (Fits K Lo) as [Lt Fit].
  destruct Few as [|(e & d' & A & Le & B & S' & Few)]; [lia|].
  destruct (without_exists X e) as [w' W']. specialize (Fit e w' A Le B W'). destruct W' as [R' _].
  assert (sent_of (fst s) (layer r) p w' <= sent_of (fst s) (layer r) p d'); [|lia].
  apply filter_more. intros x _. rewrite !andb_true_iff, !insideb_spec. intros [Ix T]. split; auto.
  pose proof (without_greatest X (eq e) w' d' R' S' (fst x)). unfold inside in *. lia.
Qed.
End Order.
