(** * Layers over ports: when do they stay apart?

    Layers in sequence stay apart if no receive takes a message of another layer.  This file proves what
    algorithms/ports.py says of sequences of layers.  A receive on a port can take a message of a later layer exactly
    if that message is in W(r), where W is computed as if messages said which layer they are of ([exact]).  A port that
    keeps the order of its only sender never interferes.

    The theorems are [apart_without_root_ports], [bag_root_port], [one_sender_no_root_port],
    [layers_over_ports_apart] and [stuck_cuts_suffice].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports.
Open Scope nat_scope.

(** ** Exact tags

    A port for each layer and port: receives take messages of their own layer. *)
Section Exact.
Context {port : Type} (P : program port) (layer : event -> nat).

Definition in_layer (n : nat) (a : port_action port) : port_action (nat * port) :=
  match a with Put p => Put (n, p) | Take p => Take (n, p) | Inner => Inner end.
Definition exact_action (e : event) := option_map (in_layer (layer e)) (action P e).

Lemma exact_some e : exact_action e <> None <-> action P e <> None.
Proof. unfold exact_action. destruct (action P e); simpl; split; congruence. Qed.
Lemma exact_put e n p : exact_action e = Some (Put (n, p)) <-> action P e = Some (Put p) /\ layer e = n.
Proof.
  unfold exact_action. destruct (action P e) as [[q|q|]|]; simpl; split; try discriminate;
    try (intros [H _]; discriminate).
  - intro E. injection E. intros -> ->. auto.
  - intros [E <-]. now injection E as ->.
Qed.
Lemma exact_take e n p : exact_action e = Some (Take (n, p)) <-> action P e = Some (Take p) /\ layer e = n.
Proof.
  unfold exact_action. destruct (action P e) as [[q|q|]|]; simpl; split; try discriminate;
    try (intros [H _]; discriminate).
  - intro E. injection E. intros -> ->. auto.
  - intros [E <-]. now injection E as ->.
Qed.

Program Definition exact : program (nat * port) := {|
  action := exact_action;
  events := events P;
  no_duplicates := no_duplicates P
|}.
Next Obligation. rewrite exact_some. apply all_events. Qed.
Next Obligation. destruct (Nat.eq_dec n0 n), (port_dec P p0 p); [left|right..]; congruence. Defined.
Next Obligation.
  apply exact_take in H as [H _], H0 as [H0 _]. pose proof (one_reader P _ _ _ H H0) as E. exact E.
Qed.
End Exact.

(** ** What staying apart means *)

Section Layers.
Context {port : Type} (P : program port) (layer : event -> nat) (ordered : port -> Prop).

(** All receives of a run take messages of their own layer. *)
Definition own_layers (h : list move) := forall e s, In (Receives e s) h -> layer e = layer s.
Definition stay_apart_over_ports := forall h, runs P ordered h -> own_layers h.

(** A port is a root cause if in some run all receives on other ports take messages of their own layer, and a receive on
    it takes a message of another layer. *)
Definition root_port (p : port) := exists h e s, runs P ordered (Receives e s :: h) /\
  action P e = Some (Take p) /\ layer e <> layer s /\
  forall e' s', In (Receives e' s') h -> action P e' <> Some (Take p) -> layer e' = layer s'.

(** ** What is assumed of the layers *)

(** Each process goes through the layers in their order. *)
Definition in_sequence := forall i k k', k <= k' -> action P (i, k) <> None -> action P (i, k') <> None ->
  layer (i, k) <= layer (i, k').

(** In each layer, as many messages are put into each port as taken from it. *)
Definition balanced_layers := forall n p,
  length (filter (is_put (exact P layer) (n, p)) (events P)) =
  length (filter (is_take (exact P layer) (n, p)) (events P)).

(** No deadlock: if receives take messages of their own layer, all events happen. *)
Definition complete := exists c, reached (exact P layer) (fun _ => False) c /\ forall e, In e (events P) -> inside c e.

(** Only one process puts messages into the port. *)
Definition one_sender (p : port) := forall s s', action P s = Some (Put p) -> action P s' = Some (Put p) ->
  fst s = fst s'.

(** ** The criterion *)

(** The last receive of its layer on a port. *)
Definition last_take (r : event) (p : port) := action P r = Some (Take p) /\
  forall k, action P (fst r, k) = Some (Take p) -> layer (fst r, k) = layer r -> k <= snd r.

(** Without some layer's last receive on the port, a later layer's message is put into it. *)
Definition later_message_in_time (p : port) := exists r s w, last_take r p /\ action P s = Some (Put p) /\
  layer r < layer s /\ without (exact P layer) r w /\ inside w s.

(** ** The first wrong receive *)

Lemma first_wrong_receive h : runs P ordered h -> ~ own_layers h -> exists h2 e s h1,
  h = h2 ++ Receives e s :: h1 /\ runs P ordered (Receives e s :: h1) /\ own_layers h1 /\ layer e <> layer s.
Proof.
  induction h as [|m h IH]; intros R N; [now contradiction N; intros e s []|].
  destruct (run_cons P ordered m h R) as (R' & _).
  destruct (classic (own_layers h)) as [O|O].
  - destruct m as [e|e s].
    + contradiction N. intros e' s [E|I]; [discriminate|now apply O].
    + exists [], e, s, h. repeat split; auto. intro E. apply N. intros e' s' [F|I]; [congruence|now apply O].
  - destruct (IH R' O) as (h2 & e & s & h1 & -> & A). exists (m :: h2), e, s, h1. auto.
Qed.

(** The layers stay apart exactly if no port is a root cause. *)
Theorem apart_without_root_ports : stay_apart_over_ports <-> forall p, ~ root_port p.
Proof.
  split.
  - intros A p (h & e & s & R & _ & N & _). apply N. apply (A _ R). now left.
  - intros None h R. apply NNPP. intro N.
    destruct (first_wrong_receive h R N) as (_ & e & s & h1 & _ & R1 & O & W).
    destruct (received P ordered _ e s R1 (or_introl eq_refl)) as (p & A & _).
    apply (None p). exists h1, e, s. repeat split; auto.
Qed.

Lemma root_port_first p : root_port p -> exists e s h, runs P ordered (Receives e s :: h) /\ own_layers h /\
  layer e <> layer s /\ action P e = Some (Take p).
Proof.
  intros (h & e & s & R & A & W & O).
  assert (N : ~ own_layers (Receives e s :: h)) by (intro N; apply W, N; now left).
  destruct (first_wrong_receive _ R N) as (h2 & e1 & s1 & h1 & E & R1 & O1 & W1).
  exists e1, s1, h1. repeat split; auto. destruct h2 as [|m h2]; simpl in E.
  - injection E as <- _ _. exact A.
  - injection E as _ ->. apply NNPP. intro Na. apply W1, O; auto. apply in_or_app. right. now left.
Qed.

(** ** Runs with exact tags *)

Definition ordered_exact (q : nat * port) := ordered (snd q).

Lemma in_port_exact h n p s : in_port (exact P layer) h (n, p) s <-> in_port P h p s /\ layer s = n.
Proof. unfold in_port. simpl. rewrite exact_put. tauto. Qed.

(** A run whose receives take messages of their own layer is one with exact tags. *)
Lemma own_is_exact h : runs P ordered h -> own_layers h -> runs (exact P layer) ordered_exact h.
Proof.
  induction 1 as [|h i a R IH A N|h i p s R IH A I O]; intro Own; [constructor| |].
  - apply run_does with (in_layer (layer (i, done h i)) a).
    + apply IH. intros e s J. apply Own. now right.
    + simpl. unfold exact_action. now rewrite A.
    + intros [n p]. destruct a as [q|q|]; simpl; try discriminate. now contradiction (N q).
  - assert (E : layer (i, done h i) = layer s) by (apply Own; now left).
    apply run_receives with (layer s, p).
    + apply IH. intros e s' J. apply Own. now right.
    + simpl. now apply exact_take.
    + now apply in_port_exact.
    + intros Od s' I'. apply in_port_exact in I' as [I' _]. now apply O.
Qed.

Hypothesis Seq : in_sequence.
Hypothesis Bal : balanced_layers.

(** If a process is at a receive, then no message of an earlier layer is in the port: each was taken in its layer. *)
Lemma earlier_taken o h i p s : runs (exact P layer) o h -> action P (i, done h i) = Some (Take p) ->
  in_port P h p s -> layer (i, done h i) <= layer s.
Proof.
  intros R A I. destruct (le_lt_dec (layer (i, done h i)) (layer s)) as [|L]; auto. exfalso.
  assert (C : takes (exact P layer) (layer s, p) (done h) < puts (exact P layer) (layer s, p) (done h)).
  { apply (counting (exact P layer) o h); auto. exists s. now apply in_port_exact. }
  apply (Nat.lt_irrefl (takes (exact P layer) (layer s, p) (done h))). eapply Nat.lt_le_trans; [exact C|].
  apply Nat.le_trans with (length (filter (is_put (exact P layer) (layer s, p)) (events P))).
  - apply filter_more. intros e _ B. now apply andb_true_iff in B.
  - rewrite Bal. apply filter_more. intros [j k] _ T. rewrite T, andb_true_r. apply insideb_spec.
    apply is_take_spec in T. simpl in T. apply exact_take in T as [T E].
    assert (j = i) by exact (one_reader P _ _ _ T A). subst j. unfold inside; simpl.
    destruct (le_lt_dec (done h i) k) as [Le|]; auto. exfalso.
    assert (layer (i, done h i) <= layer (i, k)) by (apply Seq; congruence). lia.
Qed.

(** A run with exact tags is a run: its receives take the oldest message of a sender if the port is ordered. *)
Lemma exact_is_run h : runs (exact P layer) ordered_exact h -> runs P ordered h /\ own_layers h.
Proof.
  induction 1 as [|h i a R [IH Own] A N|h i [n p] s R [IH Own] A I O]; [split; [constructor|intros e s []]| |].
  - simpl in A. unfold exact_action in A. destruct (action P (i, done h i)) as [b|] eqn:B; [|discriminate].
    split; [|intros e s [E|J]; [discriminate|now apply Own]].
    apply run_does with b; auto. intros p ->. simpl in A. injection A as <-. now apply (N (layer (i, done h i), p)).
  - simpl in A. apply exact_take in A as [A En]. apply in_port_exact in I as [I Es].
    split; [|intros e s' [E|J]; [injection E as <- <-; congruence|now apply Own]].
    apply run_receives with p; auto. intros Od s' I' F.
    destruct (le_lt_dec (snd s) (snd s')) as [|L]; auto. exfalso.
    pose proof (earlier_taken _ _ _ _ _ R A I') as E1.
    assert (E2 : layer s' <= layer s).
    { destruct s as [k x], s' as [k' x']; simpl in *; subst k'. destruct I as [I _], I' as [I' _].
      apply Seq; [lia|congruence..]. }
    assert (snd s <= snd s'); [|lia]. apply (O Od); auto. apply in_port_exact. split; auto. lia.
Qed.

(** ** The theorems *)

(** Until the first wrong receive, it is as if messages said which layer they are of; so a wrong message is of a later
    layer, and was sent without the receive. *)
Lemma first_wrong_is_later h e s p : runs P ordered (Receives e s :: h) -> own_layers h -> layer e <> layer s ->
  action P e = Some (Take p) -> runs (exact P layer) ordered_exact h /\ in_port P h p s /\ layer e < layer s /\
  e = (fst e, done h (fst e)).
Proof.
  intros R O W A. inversion R as [| |h0 i q s0 R0 A0 I0 O0]; subst. rewrite A0 in A. injection A as ->.
  pose proof (own_is_exact h R0 O) as X. pose proof (earlier_taken _ _ _ _ _ X A0 I0).
  repeat split; auto; try apply I0. lia.
Qed.

(** The last receive of a layer after a receive. *)
Lemma last_take_after e p : action P e = Some (Take p) -> exists k, snd e <= k /\ last_take (fst e, k) p /\
  layer (fst e, k) = layer e.
Proof.
  intro A. remember (length (filter (fun x => (fst x =? fst e) && (snd e <? snd x)) (events P))) as n eqn:En.
  revert e A En. induction n as [n IH] using lt_wf_ind. intros [i k] A En. simpl in *.
  destruct (classic (last_take (i, k) p)) as [L|L]; [exists k; auto|].
  assert (M : exists k', k < k' /\ action P (i, k') = Some (Take p) /\ layer (i, k') = layer (i, k)).
  { apply NNPP. intro None. apply L. split; auto. simpl. intros k' A' E'. destruct (le_lt_dec k' k); auto.
    exfalso. eauto. }
  destruct M as (k' & Lt & A' & E').
  assert (I' : In (i, k') (events P)) by (apply (is_event P _ _ A')).
  destruct (IH (length (filter (fun x => (fst x =? i) && (k' <? snd x)) (events P)))) with (i, k')
    as (k2 & L2 & La & E2); auto.
  - subst n. clear - I' Lt. induction (events P) as [|[j y] l IHl]; [destruct I'|].
    assert (Le : length (filter (fun x => (fst x =? i) && (k' <? snd x)) l) <=
                 length (filter (fun x => (fst x =? i) && (k <? snd x)) l)).
    { apply filter_more. intros x _. rewrite !andb_true_iff, !Nat.ltb_lt. intros [B1 B2]. split; auto. lia. }
    simpl. destruct (Nat.eqb_spec j i) as [->|Nj]; simpl.
    + destruct I' as [E|I'].
      * injection E as ->. rewrite Nat.ltb_irrefl. apply Nat.ltb_lt in Lt. rewrite Lt. simpl in *. lia.
      * specialize (IHl I'). destruct (Nat.ltb_spec k' y), (Nat.ltb_spec k y); simpl in *; lia.
    + apply IHl. destruct I' as [E|I']; [congruence|auto].
  - exists k2. simpl in *. split; [lia|split; [exact La|congruence]].
Qed.

(** A later message that can be there without a receive can be there without the last receive of its layer. *)
Lemma in_time_before_last e p s c : action P e = Some (Take p) -> action P s = Some (Put p) -> layer e < layer s ->
  reached (exact P layer) (eq e) c -> inside c s -> later_message_in_time p.
Proof.
  intros A As L R I. destruct (last_take_after e p A) as (k & Lk & La & E).
  destruct (without_exists (exact P layer) e) as [w [Rw Sw]].
  destruct (without_exists (exact P layer) (fst e, k)) as [w' W'].
  exists (fst e, k), s, w'. split; [exact La|split; [exact As|split; [lia|split; [exact W'|]]]].
  pose proof (without_greatest (exact P layer) (eq e) c w R Sw (fst s)) as L1.
  assert (W : without (exact P layer) (fst e, snd e) w) by (destruct e; now split).
  pose proof (without_grows (exact P layer) _ _ _ _ _ Lk W W' (fst s)). unfold inside in *. lia.
Qed.

(** With no deadlock, a process whose event is held back gets as far as that event, or all events happen. *)
Lemma gets_to_the_event r w : complete -> In r (events P) -> without (exact P layer) r w -> w (fst r) = snd r.
Proof.
  intros (c & Rc & All) I [Rw Sw].
  assert (G : forall d, reached (exact P layer) (fun _ => False) d -> cle d w \/ w (fst r) = snd r).
  { intros d R. induction R as [d Z|d i d' R [IH|IH] _ A E]; auto; [left; intro k; rewrite Z; lia|].
    destruct (Nat.eq_dec (w i) (d i)) as [Ew|Nw].
    - destruct (Sw i) as [St|Nr]; [right; rewrite St at 2; simpl; rewrite St; reflexivity|].
      exfalso. apply Nr. rewrite Ew. unfold ready in *.
      destruct (action (exact P layer) (i, d i)) as [[p|p|]|] eqn:Ac; auto.
      pose proof (puts_mono (exact P layer) p d w IH).
      pose proof (takes_reader (exact P layer) p w d i (d i) Ac Ew). lia.
    - left. intro k. rewrite (E k). destruct (Nat.eq_dec k i) as [->|Nk]; [|now rewrite bump_other].
      rewrite bump_self. specialize (IH i). lia. }
  destruct (G c Rc) as [Le|]; auto. exfalso.
  apply (not_itself (exact P layer) (eq r) w r Rw eq_refl). specialize (All r I). specialize (Le (fst r)).
  unfold inside in *. lia.
Qed.

(** A port that keeps no order is a root cause exactly if a message of a later layer can be in it without the last
    receive of some layer.  Other ports may keep the order of their senders. *)
Theorem bag_root_port : complete -> forall p, ~ ordered p -> root_port p <-> later_message_in_time p.
Proof.
  intros Co p Np. split.
  - intro Root. destruct (root_port_first p Root) as (e & s & h & R & O & W & A).
    destruct (first_wrong_is_later h e s p R O W A) as (X & I & L & E).
    apply in_time_before_last with e s (done h); auto; [apply I| |apply I].
    apply run_reaches with ordered_exact; auto. intros e' H <-. apply (happens_inside _ _ _ X) in H.
    unfold inside in H. rewrite E in H. simpl in H. lia.
  - intros (r & s & w & [A La] & As & L & W & I).
    pose proof (gets_to_the_event r w Co (is_event P _ _ A) W) as At. destruct W as [Rw Sw].
    destruct (reached_by_run (exact P layer) ordered_exact _ _ Rw) as (h & X & E).
    destruct (exact_is_run h X) as [R O].
    assert (Er : r = (fst r, done h (fst r))) by (rewrite (E (fst r)), At; now destruct r).
    assert (Is : in_port P h p s).
    { repeat split; auto; [now apply (inside_ceq _ _ _ E)|]. intros e J.
      destruct (received P ordered h e s R J) as (q & Ae & Aq & _). assert (q = p) by congruence. subst q.
      pose proof (O e s J) as Le. assert (F : fst e = fst r) by (apply (one_reader P _ _ _ Ae A)).
      assert (D : happens e h) by (apply in_map_iff; exists (Receives e s); auto).
      apply (happens_inside _ _ _ R) in D. unfold inside in D. rewrite F, (E (fst r)), At in D.
      assert (layer e <= layer r); [|lia]. destruct e as [i x], r as [j y]; simpl in *; subst j.
      apply Seq; [lia|congruence..]. }
    exists h, r, s. repeat split; auto; [|lia].
    rewrite Er. apply run_receives with p; auto; [now rewrite <- Er|contradiction].
Qed.

(** A port that keeps the order of its only sender is no root cause. *)
Theorem one_sender_no_root_port : forall p, ordered p -> one_sender p -> ~ root_port p.
Proof.
  intros p Od One Root. destruct (root_port_first p Root) as (e & s & h & R & O & W & A).
  destruct (first_wrong_is_later h e s p R O W A) as (X & I & L & E).
  assert (Old : forall s', in_port P h p s' -> snd s <= snd s').
  { intros s' I'. inversion R as [| |h0 i q s0 R0 A0 I0 O0]; subst. rewrite A0 in A. injection A as ->.
    apply O0; auto. apply One; [apply I'|apply I]. }
  assert (C : takes (exact P layer) (layer e, p) (done h) < puts (exact P layer) (layer e, p) (done h)).
  { apply Nat.lt_le_trans with (length (filter (is_put (exact P layer) (layer e, p)) (events P))).
    - rewrite Bal.
      apply Nat.lt_le_trans with (takes (exact P layer) (layer e, p) (bump (done h) (fst e))).
      + rewrite (takes_bump (exact P layer) (layer e, p) (done h) (fst e) (bump (done h) (fst e))), <- E
          by (intro; reflexivity).
        assert (T : is_take (exact P layer) (layer e, p) e = true) by (apply is_take_spec; simpl; now apply exact_take).
        rewrite T. lia.
      + apply filter_more. intros x _ B. now apply andb_true_iff in B.
    - apply filter_more. intros s' _ T. rewrite T, andb_true_r. apply insideb_spec.
      apply is_put_spec in T. simpl in T. apply exact_put in T as [T Es].
      destruct I as (As & Is & _). assert (F : fst s' = fst s) by (now apply One).
      unfold inside in *. rewrite F. destruct (le_lt_dec (snd s') (snd s)) as [|G]; [lia|]. exfalso.
      assert (layer s <= layer s'); [|lia]. destruct s as [i x], s' as [j y]; simpl in *; subst j.
      apply Seq; [lia|congruence..]. }
  apply (counting _ _ _ _ X) in C as [s' I']. apply in_port_exact in I' as [I' E'].
  pose proof (Old s' I') as Le. assert (layer s <= layer s'); [|lia].
  assert (F : fst s' = fst s) by (apply One; [apply I'|apply I]).
  destruct I as [As _], I' as [As' _]. destruct s as [i x], s' as [j y]; simpl in *; subst j.
  apply Seq; [lia|congruence..].
Qed.

(** If ports with several senders keep no order, then the layers stay apart exactly if on each port without order, no
    message of a later layer is in W of a layer's last receive there. *)
Theorem layers_over_ports_apart : complete -> (forall p, ordered p -> one_sender p) ->
  stay_apart_over_ports <-> forall p r s w, ~ ordered p -> last_take r p -> action P s = Some (Put p) ->
    layer r < layer s -> without (exact P layer) r w -> ~ inside w s.
Proof.
  intros Co One. rewrite apart_without_root_ports. split.
  - intros None p r s w Np La As L W I. apply (None p), (bag_root_port Co p Np). exists r, s, w. auto.
  - intros H p Root. destruct (classic (ordered p)) as [Od|Np].
    + now apply (one_sender_no_root_port p Od (One p Od)).
    + apply (bag_root_port Co p Np) in Root as (r & s & w & La & As & L & W & I). now apply (H p r s w).
Qed.

(** A certificate: for each layer's last receive on a port without order, some cut at which all processes are stuck
    without it, and inside which no later layer sends to the port.  It need not be W of the receive. *)
Theorem stuck_cuts_suffice : complete -> (forall p, ordered p -> one_sender p) ->
  (forall p r, ~ ordered p -> last_take r p -> exists d, stuck (exact P layer) (eq r) d /\
    forall s, action P s = Some (Put p) -> layer r < layer s -> ~ inside d s) ->
  stay_apart_over_ports.
Proof.
  intros Co One D. apply (layers_over_ports_apart Co One). intros p r s w Np La As L [R _] I.
  destruct (D p r Np La) as (d & S & None). apply (None s As L).
  pose proof (without_greatest (exact P layer) (eq r) w d R S (fst s)). unfold inside in *. lia.
Qed.
End Layers.
