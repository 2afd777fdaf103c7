(** * Layers over ports that lose or copy messages

    When do layers in sequence stay apart over ports with the guarantees of [PortFaults]?  A port that loses messages
    is decided like one without order, even if it keeps the order of those that arrive: a message that is overtaken
    may have been lost.  A port that copies is a root cause exactly if two layers use it.

    The theorems are [apart_without_faulty_root_ports], [apart_without_faults], [bag_or_lossy_root_port]
    and [copying_root_port].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortFaults.
Open Scope nat_scope.

(** ** Any program *)

(** What is reached consists of events. *)
Lemma reached_event {port} (P : program port) stop c e : reached P stop c -> inside c e -> In e (events P).
Proof.
  induction 1 as [c Z|c i d R IH N A E]; [unfold inside; rewrite Z; lia|].
  rewrite (inside_ceq _ _ _ E), inside_bump. intros [I| ->]; auto.
  unfold ready in A. apply all_events. destruct (action P (i, c i)); [discriminate|contradiction].
Qed.

(** If there is no deadlock, a process whose event is held back gets as far as that event, which can then happen. *)
Lemma gets_as_far {port} (P : program port) r w c : reached P (fun _ => False) c ->
  (forall e, In e (events P) -> inside c e) -> In r (events P) -> without P r w -> w (fst r) = snd r /\ ready P w r.
Proof.
  intros Rc All I [Rw Sw]. assert (N : ~ inside w r) by now apply (not_itself P (eq r)).
  destruct (next_step P _ _ w Rc) as (i & _ & Re & _).
  - intro L. apply N. specialize (All r I). specialize (L (fst r)). unfold inside in *. lia.
  - destruct (Sw i) as [->|Nr]; [auto|contradiction].
Qed.

(** ** Layers *)

Section FaultLayers.
Context {port : Type} (P : program port) (layer : event -> nat) (G : port -> guarantee).

(** The ports of [exact] have the guarantees of the ports that they are made of. *)
Definition exact_guarantee (q : nat * port) := G (snd q).
Notation E := (exact P layer).
Notation X := (relaxed (exact P layer) exact_guarantee).

(** All receives take messages of their own layer, whatever is lost or copied. *)
Definition apart_with_faults := forall lost h, faulty_runs P G lost h -> own_layers layer h.

(** A port is a root cause if in some run all receives on other ports take messages of their own layer, and a receive
    on it takes a message of another layer. *)
Definition faulty_root_port (p : port) := exists lost h e s, faulty_runs P G lost (Receives e s :: h) /\
  action P e = Some (Take p) /\ layer e <> layer s /\
  forall e' s', In (Receives e' s') h -> action P e' <> Some (Take p) -> layer e' = layer s'.

(** No deadlock if receives take messages of their own layer. *)
Definition complete_with_faults := exists c, reached X (fun _ => False) c /\ forall e, In e (events P) -> inside c e.

(** Without some layer's last receive on the port, a later layer's message is put into it. *)
Definition later_message_with_faults (p : port) := exists r s w, last_take P layer r p /\ action P s = Some (Put p) /\
  layer r < layer s /\ without X r w /\ inside w s.

(** The port is used by two layers. *)
Definition two_layers_use (p : port) := exists s s', action P s = Some (Put p) /\ action P s' = Some (Put p) /\
  layer s <> layer s'.

(** ** The first wrong receive *)

Lemma first_wrong_with_faults lost h : faulty_runs P G lost h -> ~ own_layers layer h -> exists lost' h2 e s h1,
  h = h2 ++ Receives e s :: h1 /\ faulty_runs P G lost' (Receives e s :: h1) /\ own_layers layer h1 /\
  layer e <> layer s.
Proof.
  revert lost. induction h as [|m h IH]; intros lost R N; [now contradiction N; intros e s []|].
  destruct (faulty_cons P G lost m h R) as (lost' & R' & _).
  destruct (classic (own_layers layer h)) as [O|O].
  - destruct m as [e|e s].
    + contradiction N. intros e' s [E|I]; [discriminate|now apply O].
    + exists lost, [], e, s, h. repeat split; auto. intro E. apply N. intros e' s' [F|I]; [congruence|now apply O].
  - destruct (IH lost' R' O) as (lost2 & h2 & e & s & h1 & -> & A). exists lost2, (m :: h2), e, s, h1. auto.
Qed.

(** The layers stay apart exactly if no port is a root cause. *)
Theorem apart_without_faulty_root_ports : apart_with_faults <-> forall p, ~ faulty_root_port p.
Proof.
  split.
  - intros A p (lost & h & e & s & R & _ & N & _). apply N. apply (A _ _ R). now left.
  - intros None lost h R. apply NNPP. intro N.
    destruct (first_wrong_with_faults lost h R N) as (lost' & _ & e & s & h1 & _ & R1 & O & W).
    destruct (faulty_received P G lost' _ e s R1 (or_introl eq_refl)) as (p & A & _).
    apply (None p). exists lost', h1, e, s. repeat split; auto.
Qed.

(** If no port loses or copies, this is what [PortLayers] means by staying apart and by root causes. *)
Theorem apart_without_faults : (forall p, may_lose (G p) = false /\ may_copy (G p) = false) ->
  (apart_with_faults <-> stay_apart_over_ports P layer (fun p => keeps_order (G p) = true)) /\
  forall p, faulty_root_port p <-> root_port P layer (fun p => keeps_order (G p) = true) p.
Proof.
  intro F. split; [|intro p]; split.
  - intros H h R. apply (H []). now apply no_faults.
  - intros H lost h R. apply H. now apply (no_faults P G F) in R.
  - intros (lost & h & e & s & R & A). apply (no_faults P G F) in R as [_ R]. now exists h, e, s.
  - intros (h & e & s & R & A). exists [], h, e, s. split; auto. now apply no_faults.
Qed.

(** What the first wrong receive of a run is. *)
Lemma receives_inv lost h e s p : faulty_runs P G lost (Receives e s :: h) -> action P e = Some (Take p) ->
  exists lost', faulty_runs P G lost' h /\ e = (fst e, done h (fst e)) /\ available P G lost' h p s /\
  (keeps_order (G p) = true -> may_copy (G p) = false ->
    forall s', available P G lost' h p s' -> fst s' = fst s -> snd s <= snd s').
Proof.
  intros R A. remember (Receives e s :: h) as h' eqn:Eh.
  induction R as [|lost h0 i a R IH B N|lost h0 i q s0 R IH B I O|lost h0 q s0 R IH L I]; try discriminate; auto.
  injection Eh as <- <- <-. assert (q = p) by congruence. subst q. exists lost. auto.
Qed.

Lemma faulty_root_first p : faulty_root_port p -> exists lost e s h, faulty_runs P G lost h /\ own_layers layer h /\
  layer e <> layer s /\ action P e = Some (Take p) /\ e = (fst e, done h (fst e)) /\ available P G lost h p s /\
  (keeps_order (G p) = true -> may_copy (G p) = false ->
    forall s', available P G lost h p s' -> fst s' = fst s -> snd s <= snd s').
Proof.
  intros (lost & h & e & s & R & A & W & O).
  assert (N : ~ own_layers layer (Receives e s :: h)) by (intro N; apply W, N; now left).
  destruct (first_wrong_with_faults _ _ R N) as (lost1 & h2 & e1 & s1 & h1 & Eh & R1 & O1 & W1).
  assert (A1 : action P e1 = Some (Take p)).
  { destruct h2 as [|m h2]; simpl in Eh.
    - injection Eh as <- _ _. exact A.
    - injection Eh as _ ->. apply NNPP. intro Na. apply W1, O; auto. apply in_or_app. right. now left. }
  destruct (receives_inv lost1 h1 e1 s1 p R1 A1) as (lost2 & R2 & B). exists lost2, e1, s1, h1. tauto.
Qed.

(** ** Runs with exact tags *)

Lemma available_exact lost h n p s : available E exact_guarantee lost h (n, p) s <->
  available P G lost h p s /\ layer s = n.
Proof. unfold available. cbn [action exact]. unfold exact_guarantee. simpl. rewrite exact_put. tauto. Qed.

(** A run whose receives take messages of their own layer is one with exact tags. *)
Lemma own_is_exact_with_faults lost h : faulty_runs P G lost h -> own_layers layer h ->
  faulty_runs E exact_guarantee lost h.
Proof.
  induction 1 as [|lost h i a R IH A N|lost h i p s R IH A I O|lost h p s R IH L I]; intro Own; [constructor| | |].
  - apply faulty_does with (in_layer (layer (i, done h i)) a).
    + apply IH. intros e s J. apply Own. now right.
    + simpl. unfold exact_action. now rewrite A.
    + intros [n p]. destruct a as [q|q|]; simpl; try discriminate. now contradiction (N q).
  - assert (El : layer (i, done h i) = layer s) by (apply Own; now left).
    apply faulty_receives with (layer s, p).
    + apply IH. intros e s' J. apply Own. now right.
    + simpl. now apply exact_take.
    + now apply available_exact.
    + intros K C s' I'. apply available_exact in I' as [I' _]. now apply O.
  - apply faulty_loses with (layer s, p); auto. now apply available_exact.
Qed.

Hypothesis Seq : in_sequence P layer.

(** Before the layer of a receive, as many messages are put into its port in each layer as taken from it. *)
Definition balanced_before (p : port) := forall e n, action P e = Some (Take p) -> n < layer e ->
  length (filter (is_put E (n, p)) (events P)) = length (filter (is_take E (n, p)) (events P)).

(** If a process is at a receive, then no message of an earlier layer is available, unless the port copies. *)
Lemma earlier_gone lost h i p s : balanced_before p -> may_copy (G p) = false -> faulty_runs E exact_guarantee lost h ->
  action P (i, done h i) = Some (Take p) -> available P G lost h p s -> layer (i, done h i) <= layer s.
Proof.
  intros Before C R A I. destruct (le_lt_dec (layer (i, done h i)) (layer s)) as [|L]; auto. exfalso.
  assert (N : takes E (layer s, p) (done h) < puts E (layer s, p) (done h)).
  { apply (available_counts E exact_guarantee lost h (layer s, p) s); auto. now apply available_exact. }
  apply (Nat.lt_irrefl (takes E (layer s, p) (done h))). eapply Nat.lt_le_trans; [exact N|].
  apply Nat.le_trans with (length (filter (is_put E (layer s, p)) (events P))).
  - apply filter_more. intros e _ B. now apply andb_true_iff in B.
  - rewrite (Before _ _ A L). apply filter_more. intros [j k] _ T. rewrite T, andb_true_r. apply insideb_spec.
    apply is_take_spec in T. simpl in T. apply exact_take in T as [T El].
    assert (j = i) by exact (one_reader P _ _ _ T A). subst j. unfold inside; simpl.
    destruct (le_lt_dec (done h i) k) as [Le|]; auto. exfalso.
    assert (layer (i, done h i) <= layer (i, k)) by (apply Seq; congruence). lia.
Qed.

(** A later message that can be there without a receive can be there without the last receive of its layer. *)
Lemma in_time_before_last_with_faults e p s c : action P e = Some (Take p) -> action P s = Some (Put p) ->
  layer e < layer s -> reached X (eq e) c -> inside c s -> exists r w, last_take P layer r p /\ layer r = layer e /\
  fst r = fst e /\ snd e <= snd r /\ without X r w /\ inside w s.
Proof.
  intros A As L R I. destruct (last_take_after P layer e p A) as (k & Lk & La & El).
  destruct (without_exists X e) as [w [Rw Sw]]. destruct (without_exists X (fst e, k)) as [w' W'].
  exists (fst e, k), w'. repeat split; auto; try apply La; try apply W'.
  pose proof (without_greatest X (eq e) c w R Sw (fst s)) as L1.
  assert (W : without X (fst e, snd e) w) by (destruct e; now split).
  pose proof (without_grows X _ _ _ _ _ Lk W W' (fst s)). unfold inside in *. lia.
Qed.

(** Until the first wrong receive, it is as if messages said which layer they are of; so on a port that does not
    copy, a wrong message is of a later layer, and was sent without the receive. *)
Lemma wrong_is_later lost h e s p : balanced_before p -> may_copy (G p) = false -> faulty_runs P G lost h ->
  own_layers layer h -> action P e = Some (Take p) -> e = (fst e, done h (fst e)) -> available P G lost h p s ->
    layer e <> layer s ->
  layer e < layer s /\ reached X (eq e) (done h) /\ inside (done h) s.
Proof.
  intros Before C R O A Ee I W. pose proof (own_is_exact_with_faults lost h R O) as R'.
  assert (L : layer (fst e, done h (fst e)) <= layer s) by (apply (earlier_gone lost h (fst e) p s); auto; congruence).
  rewrite <- Ee in L. split; [lia|split; [|apply I]].
  apply (faulty_reaches E exact_guarantee (eq e) lost); auto. intros e' H <-.
  apply (faulty_inside P G lost h R) in H. unfold inside in H. rewrite Ee in H. simpl in H. lia.
Qed.

Hypothesis Bal : balanced_layers P layer.

Lemma all_balanced_before p : balanced_before p.
Proof. intros e n _ _. apply Bal. Qed.

(** A run with exact tags is a run. *)
Lemma exact_is_run_with_faults lost h : faulty_runs E exact_guarantee lost h ->
  faulty_runs P G lost h /\ own_layers layer h.
Proof.
  induction 1 as [|lost h i a R [IH Own] A N|lost h i [n p] s R [IH Own] A I O|lost h [n p] s R [IH Own] L I];
    [split; [constructor|intros e s []]| | |].
  - simpl in A. unfold exact_action in A. destruct (action P (i, done h i)) as [b|] eqn:B; [|discriminate].
    split; [|intros e s [F|J]; [discriminate|now apply Own]].
    apply faulty_does with b; auto. intros p ->. simpl in A. injection A as <-. now apply (N (layer (i, done h i), p)).
  - simpl in A. apply exact_take in A as [A En]. apply available_exact in I as [I Es].
    split; [|intros e s' [F|J]; [injection F as <- <-; congruence|now apply Own]].
    apply faulty_receives with p; auto. intros K C s' I' F.
    destruct (le_lt_dec (snd s) (snd s')) as [|Lt]; auto. exfalso.
    pose proof (earlier_gone lost h i p s' (all_balanced_before p) C R A I') as E1.
    assert (E2 : layer s' <= layer s).
    { destruct s as [k x], s' as [k' x']; simpl in *; subst k'. destruct I as [I _], I' as [I' _].
      apply Seq; [lia|congruence..]. }
    assert (snd s <= snd s'); [|lia]. apply (O K C); auto. apply available_exact. split; auto. lia.
  - apply available_exact in I as [I _]. split; auto. now apply faulty_loses with p.
Qed.

(** Some run does all that can happen without a receive, and then is at it; nothing is lost. *)
Lemma run_without r p w : complete_with_faults -> action P r = Some (Take p) -> without X r w -> exists h,
  faulty_runs P G [] h /\ own_layers layer h /\ ceq (done h) w /\ r = (fst r, done h (fst r)).
Proof.
  intros (c & Rc & All) A W. pose proof (is_event P r _ A) as Ir.
  destruct (gets_as_far X r w c Rc All Ir W) as [At _]. destruct W as [Rw Sw].
  destruct (extends_to E exact_guarantee (fun _ => True) (eq r) w Rw) with (@nil move) as (h & Rh & _ & Eh); auto.
  - intros h i R _ _ _ Re. destruct (takes_step E exact_guarantee h i R Re) as (m & M & R'). eauto.
  - constructor.
  - intro i. unfold done. simpl. lia.
  - destruct (exact_is_run_with_faults [] h Rh) as [R O]. exists h. repeat split; auto.
    rewrite (Eh (fst r)), At. now destruct r.
Qed.

(** A message of a later layer than a receive's is still there when the receive is next. *)
Lemma later_is_available h r p s : faulty_runs P G [] h -> own_layers layer h -> r = (fst r, done h (fst r)) ->
  action P r = Some (Take p) -> action P s = Some (Put p) -> layer r < layer s -> inside (done h) s ->
  available P G [] h p s.
Proof.
  intros R O Er A As L I. split; auto. split; auto. split; [intros []|]. right. intros e J.
  destruct (faulty_received P G [] h e s R J) as (q & Ae & Aq & _). assert (q = p) by congruence. subst q.
  pose proof (O e s J) as El. assert (F : fst e = fst r) by (apply (one_reader P _ _ _ Ae A)).
  assert (D : happens e h) by (apply in_map_iff; exists (Receives e s); auto).
  apply (faulty_inside P G [] h R) in D. unfold inside in D. rewrite F in D.
  assert (layer e <= layer r); [|lia]. rewrite Er. destruct e as [i x]; simpl in *; subst i.
  apply Seq; [lia|congruence|]. rewrite <- Er. congruence.
Qed.

(** On a port that loses messages, all older ones of a sender can be lost. *)
Lemma older_are_lost h p s : may_lose (G p) = true -> forall k lost, faulty_runs P G lost h ->
  available P G lost h p s -> k <= snd s -> exists lost', faulty_runs P G lost' h /\ available P G lost' h p s /\
  forall s', available P G lost' h p s' -> fst s' = fst s -> k <= snd s'.
Proof.
  intros Lo k. induction k as [|k IH]; intros lost R I L; [exists lost; repeat split; try apply I; auto; lia|].
  destruct (IH lost R I ltac:(lia)) as (lost1 & R1 & I1 & O1).
  destruct (classic (available P G lost1 h p (fst s, k))) as [J|J].
  - exists ((fst s, k) :: lost1). split; [now apply faulty_loses with p|]. split.
    + destruct I1 as (B1 & B2 & B3 & B4). repeat split; auto. intros [Q|Q]; [|auto].
      rewrite <- Q in L. simpl in L. lia.
    + intros s' (B1 & B2 & B3 & B4) F. simpl in B3.
      assert (Le : k <= snd s') by (apply O1; auto; repeat split; tauto).
      destruct (Nat.eq_dec (snd s') k) as [Eq|]; [|lia]. exfalso. apply B3. left. rewrite <- F, <- Eq. now destruct s'.
  - exists lost1. repeat split; auto; try apply I1. intros s' B F. specialize (O1 s' B F).
    destruct (Nat.eq_dec (snd s') k) as [Eq|]; [|lia]. exfalso. apply J. rewrite <- F, <- Eq. now destruct s'.
Qed.

(** ** The theorems *)

(** A port that keeps no order, or loses messages, is a root cause exactly if a message of a later layer can be in it
    without the last receive of some layer. *)
Theorem bag_or_lossy_root_port : complete_with_faults -> forall p, may_copy (G p) = false ->
  keeps_order (G p) = false \/ may_lose (G p) = true -> faulty_root_port p <-> later_message_with_faults p.
Proof.
  intros Co p C Kind. split.
  - intro Root. destruct (faulty_root_first p Root) as (lost & e & s & h & R & O & W & A & Ee & I & _).
    destruct (wrong_is_later lost h e s p (all_balanced_before p) C R O A Ee I W) as (L & Re & Is).
    destruct (in_time_before_last_with_faults e p s (done h)) as (r & w & La & El & _ & _ & Wr & Iw); auto; [apply I|].
    exists r, s, w. repeat split; try apply La; try apply Wr; auto; [apply I|lia].
  - intros (r & s & w & [A La] & As & L & W & Iw).
    destruct (run_without r p w Co A W) as (h & R & O & Eh & Er).
    assert (Is : inside (done h) s) by now apply (inside_ceq _ _ _ Eh).
    pose proof (later_is_available h r p s R O Er A As L Is) as I.
    assert (Last : exists lost, faulty_runs P G lost h /\ available P G lost h p s /\ (keeps_order (G p) = true ->
      forall s', available P G lost h p s' -> fst s' = fst s -> snd s <= snd s')).
    { destruct Kind as [K|Lo]; [exists []; rewrite K; repeat split; auto; try apply I; discriminate|].
      destruct (older_are_lost h p s Lo (snd s) [] R I (le_n _)) as (lost & R1 & I1 & O1). exists lost. auto. }
    destruct Last as (lost & R1 & I1 & O1). exists lost, h, r, s. repeat split; auto; [|lia].
    rewrite Er. apply faulty_receives with p; auto. now rewrite <- Er.
Qed.

(** Nothing of an earlier layer waits for an event. *)
Lemma earlier_layers_go_on r w d : reached X (fun _ => False) d -> without X r w -> forall x, inside d x ->
  layer x < layer r -> inside w x.
Proof.
  intros Rd [Rw Sw]. induction Rd as [d Z|d i d' Rd IH _ Re D]; intros x; [unfold inside; rewrite Z; lia|].
  rewrite (inside_ceq _ _ _ D), inside_bump. intros [I| ->] L; auto. apply NNPP. intro Ni.
  assert (Ev : forall y, inside d y -> action P y <> None).
  { intros y Iy. apply all_events. exact (reached_event X _ d y Rd Iy). }
  assert (Ai : action P (i, d i) <> None).
  { apply all_events. apply (all_events X). unfold ready in Re.
    destruct (action X (i, d i)); [discriminate|contradiction]. }
  assert (At : w i = d i).
  { unfold inside in Ni. simpl in Ni. destruct (d i) as [|k] eqn:Dk; [lia|].
    assert (inside w (i, k)); [|unfold inside in *; simpl in *; lia].
    assert (Ik : inside d (i, k)) by (unfold inside; simpl; lia). apply IH; auto.
    assert (layer (i, k) <= layer (i, S k)); [apply Seq; auto|lia]. }
  destruct (Sw i) as [->|N]; [rewrite At in L; lia|]. apply N. rewrite At. unfold ready in *.
  destruct (action X (i, d i)) as [[q|[n q]|]|] eqn:Ac; auto.
  assert (En : n = layer (i, d i)).
  { simpl in Ac. apply relaxed_take in Ac as [Ac _]. simpl in Ac. now apply exact_take in Ac as [_ Ac]. }
  pose proof (takes_reader X (n, q) w d i (d i) Ac At).
  assert (puts X (n, q) d <= puts X (n, q) w); [|lia].
  apply filter_more. intros e _. rewrite !andb_true_iff, !insideb_spec. intros [Ie T]. split; auto.
  apply IH; auto. apply is_put_spec in T. simpl in T. apply relaxed_put in T. simpl in T. apply exact_put in T as [_ T].
  lia.
Qed.

(** A layer that puts something into a port takes something from it. *)
Lemma put_and_take n p : (exists s, action P s = Some (Put p) /\ layer s = n) <->
  exists e, action P e = Some (Take p) /\ layer e = n.
Proof.
  assert (Some_ : forall f, (exists e, In e (events P) /\ f e = true) <-> 0 < length (filter f (events P))).
  { intro f. split.
    - intros (e & I & F). apply Nat.neq_0_lt_0. intro Z. apply length_zero_iff_nil in Z.
      assert (In e []); [|auto]. rewrite <- Z. now apply filter_In.
    - intro L. destruct (filter f (events P)) as [|e l] eqn:Ef; [simpl in L; lia|]. exists e.
      apply filter_In. rewrite Ef. now left. }
  pose proof (Some_ (is_put E (n, p))) as S1. pose proof (Some_ (is_take E (n, p))) as S2. rewrite Bal in S1. split.
  - intros (s & A & L). destruct (proj2 S2) as (e & _ & T).
    + apply S1. exists s. split; [eapply is_event; eauto|]. apply is_put_spec. now apply exact_put.
    + exists e. apply is_take_spec in T. now apply exact_take in T.
  - intros (e & A & L). destruct (proj2 S1) as (s & _ & T).
    + apply S2. exists e. split; [eapply is_event; eauto|]. apply is_take_spec. now apply exact_take.
    + exists s. apply is_put_spec in T. now apply exact_put in T.
Qed.

(** A port that copies is a root cause exactly if two layers use it: the later one can take a copy of the earlier
    one's. *)
Theorem copying_root_port : complete_with_faults -> forall p, may_copy (G p) = true ->
  faulty_root_port p <-> two_layers_use p.
Proof.
  intros Co p C. split.
  - intro Root. destruct (faulty_root_first p Root) as (lost & e & s & h & R & O & W & A & Ee & I & _).
    destruct (proj2 (put_and_take (layer e) p)) as (s' & A' & L'); [eauto|]. exists s', s.
    repeat split; auto; [apply I|congruence].
  - assert (Go : forall s s', action P s = Some (Put p) -> action P s' = Some (Put p) -> layer s < layer s' ->
      faulty_root_port p).
    { intros s s' As As' L. destruct (proj1 (put_and_take (layer s') p)) as (e & A & Le); [eauto|].
      destruct (without_exists X e) as [w W]. destruct (run_without e p w Co A W) as (h & R & O & Eh & Ee).
      destruct Co as (c & Rc & All). exists [], h, e, s. repeat split; auto; [|lia]. rewrite Ee.
      apply faulty_receives with p; [auto|now rewrite <- Ee| |congruence].
      split; [auto|split; [|split; [intros []|auto]]]. apply (inside_ceq _ _ _ Eh).
      apply (earlier_layers_go_on e w c Rc W s); [|lia]. apply All. eapply is_event; eauto. }
    intros (s & s' & As & As' & N). destruct (lt_eq_lt_dec (layer s) (layer s')) as [[L|L]|L]; [|congruence|]; eauto.
Qed.

(** What does not deadlock if nothing is lost or copied does not deadlock otherwise, either. *)
Lemma complete_is_complete_with_faults : complete P layer -> complete_with_faults.
Proof.
  intros (c & Rc & All). exists c. split; auto. clear All.
  induction Rc as [c Z|c i d R IH N Re D]; [now apply reached_start|].
  apply reached_next with c i; auto. clear D. unfold ready in Re.
  destruct (action E (i, c i)) as [[q|q|]|] eqn:A; try contradiction.
  - unfold ready. cbn [action relaxed]. unfold relaxed_action. now rewrite A.
  - apply (relaxed_ready E exact_guarantee q c i A). destruct (may_copy (exact_guarantee q)); auto. right. lia.
  - unfold ready. cbn [action relaxed]. unfold relaxed_action. now rewrite A.
Qed.
End FaultLayers.
