(** * The events of a layer over ports, by process and by port

    A layer's table says from which port an event takes; and for each port it has the positions of the receives, and of the
    sends of each sender.  So whether no process can go on at a cut is seen by looking at the next event of each process,
    and at the messages of its port: [stuck_at_sound]. *)

From Coq Require Import List Arith Lia PeanoNat Bool Sorted.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortCertificates KnowledgeDecider Certificates Tries RunsChecked PortTables.
Open Scope nat_scope.

(** How many of some increasing numbers are below a bound, besides [k]. *)
Fixpoint count_below (k bound : nat) (l : list nat) : nat :=
  match l with
  | [] => k
  | x :: l' => if x <? bound then count_below (S k) bound l' else k
  end.

Lemma count_below_spec bound l : StronglySorted lt l -> forall k,
  count_below k bound l = length (filter (fun x => x <? bound) l) + k.
Proof.
  induction 1 as [|x l S IH F]; intro k; simpl; auto. destruct (Nat.ltb_spec x bound) as [L|L]; [rewrite IH; simpl; lia|].
  rewrite length_filter_none; auto. intros y I. apply Nat.ltb_ge. rewrite Forall_forall in F. specialize (F y I). lia.
Qed.

(** ** The uses of each port *)

(** Who sends to a port, and where; and where its reader receives from it. *)
Record port_uses := { senders : list proc; send_places : trie (list nat); receive_places : list nat }.
Definition uses_of (p : tagged_port) (m : port_map port_uses) : port_uses :=
  match find_port p m with Some x => x | None => {| senders := []; send_places := Leaf; receive_places := [] |} end.
Definition sends_from (i : proc) (x : port_uses) : list nat := find_or [] i (send_places x).

(** The ports that are used, and how, with one event more, which comes before. *)
Definition use_port (e : event * port_action tagged_port) (found : list tagged_port * port_map port_uses) :
    list tagged_port * port_map port_uses :=
  let (i, k) := fst e in
  let (ports, m) := found in
  let with_port p x := (match find_port p m with Some _ => ports | None => p :: ports end, add_port p x m) in
  match snd e with
  | Inner => found
  | Put p =>
      let x := uses_of p m in
      with_port p {|
        senders := match find i (send_places x) with Some _ => senders x | None => i :: senders x end;
        send_places := add i (k :: sends_from i x) (send_places x); receive_places := receive_places x |}
  | Take p =>
      let x := uses_of p m in
      with_port p {| senders := senders x; send_places := send_places x; receive_places := k :: receive_places x |}
  end.
(** From the last event to the first one, in a loop. *)
Definition port_index (evs : list (event * port_action tagged_port)) : list tagged_port * port_map port_uses :=
  fold_left (fun found e => use_port e found) (rev_append evs []) ([], Leaf).

(** How many messages are sent to a port before a cut, and who sends any. *)
Definition sent_until (u : trie nat) (x : port_uses) : nat :=
  list_sum (map (fun i => count_below 0 (find_or 0 i u) (sends_from i x)) (senders x)).
Definition senders_until (u : trie nat) (x : port_uses) : list proc :=
  filter (fun i => match sends_from i x with k :: _ => k <? find_or 0 i u | [] => false end) (senders x).

Definition positions_if (g : event * port_action tagged_port -> bool) (evs : list (event * port_action tagged_port)) : list nat :=
  map (fun y => snd (fst y)) (filter g evs).

(** What is found of a port is what the list of events has. *)
Record indexed (p : tagged_port) (evs : list (event * port_action tagged_port)) (ports : list tagged_port)
    (m : port_map port_uses) : Prop := {
  senders_once : NoDup (senders (uses_of p m));
  senders_found : forall i, In i (senders (uses_of p m)) <-> find i (send_places (uses_of p m)) <> None;
  sends_listed : forall i, sends_from i (uses_of p m) = positions_if (fun y => about_port put_on p y && is_from i (fst y)) evs;
  receives_listed : receive_places (uses_of p m) = positions_if (about_port take_on p) evs;
  ports_found : In p ports <-> find_port p m <> None
}.

Lemma port_eqb_refl p : port_eqb p p = true.
Proof. now apply port_eqb_spec. Qed.
Lemma uses_of_added p p' x m : uses_of p (add_port p' x m) = if port_eqb p p' then x else uses_of p m.
Proof. unfold uses_of. rewrite find_add_port. now destruct (port_eqb p p'). Qed.
Lemma positions_if_cons g e evs : positions_if g (e :: evs) =
  if g e then snd (fst e) :: positions_if g evs else positions_if g evs.
Proof. unfold positions_if. simpl. now destruct (g e). Qed.

Lemma port_index_spec evs p : indexed p evs (fst (port_index evs)) (snd (port_index evs)).
Proof.
  unfold port_index. rewrite <- fold_left_rev_right, <- rev_alt, rev_involutive.
  induction evs as [|[[i k] a] evs IH]; simpl fold_right.
  - constructor; simpl; try reflexivity; [constructor|intro i|]; (split; [intros []|intro N; now contradiction N]).
  - destruct (fold_right use_port ([], Leaf) evs) as [ports m]. destruct IH as [Once Found Sends Takes Ports]. cbn [fst snd] in *.
    assert (Known : forall p' v, (In p (match find_port p' m with Some _ => ports | None => p' :: ports end) <->
      find_port p (add_port p' v m) <> None)).
    { intros p' v. rewrite find_add_port. destruct (port_eqb p p') eqn:E.
      - apply port_eqb_spec in E. subst p'. split; [congruence|intros _].
        destruct (find_port p m) eqn:F; [apply Ports; congruence|now left].
      - rewrite <- Ports. destruct (find_port p' m); [tauto|]. simpl. split; [|auto]. intros [->|I]; auto.
        now rewrite port_eqb_refl in E. }
    unfold use_port. destruct a as [p'|p'|].
    + constructor; cbn [fst snd]; [| | | |apply Known]; intros; rewrite ?uses_of_added, ?positions_if_cons;
        change (about_port put_on p (i, k, Put p')) with (port_eqb p p');
        change (about_port take_on p (i, k, Put p')) with false;
        (destruct (port_eqb p p') eqn:E;
          [apply port_eqb_spec in E; subst p'; cbn [senders send_places receive_places andb]|now cbn [andb]]).
      * destruct (find i (send_places (uses_of p m))) eqn:F; auto. constructor; auto. rewrite Found. congruence.
      * rename i0 into j. rewrite find_add. destruct (Nat.eqb_spec j i) as [->|N].
        -- split; [discriminate|intros _]. destruct (find i (send_places (uses_of p m))) eqn:F; [|now left].
           rewrite Found. congruence.
        -- rewrite <- Found. destruct (find i _); [reflexivity|]. simpl. split; [intros [Q|I]; [congruence|auto]|auto].
      * rename i0 into j. unfold sends_from in *. cbn [send_places]. rewrite find_or_add. unfold is_from at 1. cbn [fst andb].
        rewrite (Nat.eqb_sym i). destruct (Nat.eqb_spec j i) as [->|N]; [f_equal|]; apply Sends.
      * exact Takes.
    + constructor; cbn [fst snd]; [| | | |apply Known]; intros; rewrite ?uses_of_added, ?positions_if_cons;
        change (about_port take_on p (i, k, Take p')) with (port_eqb p p');
        change (about_port put_on p (i, k, Take p')) with false;
        (destruct (port_eqb p p') eqn:E;
          [apply port_eqb_spec in E; subst p'; cbn [senders send_places receive_places andb]|now cbn [andb]]); auto.
      * apply Sends.
      * f_equal. apply Takes.
    + constructor; cbn [fst snd]; auto.
Qed.

(** ** The table of a layer *)

(** The ports from which events take, by process and position. *)
Definition takes_of (evs : list (event * port_action tagged_port)) : trie (trie tagged_port) :=
  fold_left (fun t y => match snd y with Take p => store_event (fst y) p t | _ => t end) evs Leaf.

Lemma takes_of_spec evs : NoDup (map fst evs) -> forall e p, find_event e (takes_of evs) = Some p <-> In (e, Take p) evs.
Proof.
  unfold takes_of. induction evs as [|[d a] evs IH] using rev_ind; intros Once e p; [split; [discriminate|intros []]|].
  rewrite map_app in Once. simpl in Once. pose proof (NoDup_remove_2 _ _ _ Once) as New. apply NoDup_remove_1 in Once.
  rewrite app_nil_r in Once, New. specialize (IH Once e p). rewrite fold_left_app, in_app_iff. cbn [fold_left fst snd In].
  assert (Other : a <> Take p \/ d <> e -> (find_event e (fold_left (fun t y =>
    match snd y with Take p => store_event (fst y) p t | _ => t end) evs Leaf) = Some p <->
    In (e, Take p) evs \/ (d, a) = (e, Take p) \/ False)).
  { intro N. rewrite IH. split; [auto|]. intros [I|[Q|[]]]; auto. injection Q as -> ->. destruct N; congruence. }
  destruct a as [p'|p'|]; try (apply Other; left; discriminate). rewrite find_store_event.
  destruct (event_eqb e d) eqn:E.
  2:{ apply Other. right. intros ->. assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence. }
  apply pair_eqb_spec in E. subst d. split; [intro Q; injection Q as ->; auto|].
  intros [I|[Q|[]]]; [|now injection Q as ->]. contradiction New. apply in_map_iff. exists (e, Take p). auto.
Qed.

(** Where events take from which port; the processes that act, and how many events each has; and the ports that are
    used, and how. *)
Record layer_table := {
  takes_at : trie (trie tagged_port); actors : list proc; sizes_in : trie nat;
  ports_in : list tagged_port; uses_in : port_map port_uses
}.
Definition layer_table_of (shared : trie (trie unit)) (M : layer_program) : layer_table :=
  let evs := number_events shared Leaf M in
  let found := port_index evs in
  {| takes_at := takes_of evs; actors := map (fun x => fst (fst x)) (filter (fun x => snd (fst x) =? 0) evs);
     sizes_in := counts_after Leaf M; ports_in := fst found; uses_in := snd found |}.

(** Receive number [k] on a port, from 0. *)
Definition receive_on (p : tagged_port) (table : layer_table) (k : nat) : option event :=
  option_map (pair (fst (fst p))) (nth_error (receive_places (uses_of p (uses_in table))) k).
Definition last_receive_on (p : tagged_port) (table : layer_table) : option event :=
  receive_on p table (pred (length (receive_places (uses_of p (uses_in table))))).
Definition takes_nothing (p : tagged_port) (table : layer_table) : bool :=
  match receive_places (uses_of p (uses_in table)) with [] => true | _ => false end.
(** As many receives on each port as sends to it. *)
Definition is_balanced (table : layer_table) : bool :=
  forallb (fun p => let x := uses_of p (uses_in table) in
    list_sum (map (fun i => length (sends_from i x)) (senders x)) =? length (receive_places x)) (ports_in table).

(** What holds of each process's next event at a cut, and the port from which it takes, if it does. *)
Definition next_events (table : layer_table) (u : trie nat) (f : event -> option tagged_port -> bool) : bool :=
  forallb (fun i => let k := find_or 0 i u in
    (find_or 0 i (sizes_in table) <=? k) || f (i, k) (find_event (i, k) (takes_at table))) (actors table).

(** No process can go on at the cut: its next event is one of [stop], or a receive on a port from which all that was
    put into it has been taken; on a port that copies, into which nothing was put. *)
Definition stuck_at (G : tagged_port -> guarantee) (table : layer_table) (stop : event -> bool) (u : trie nat) : bool :=
  next_events table u (fun e taken_from => stop e ||
    match taken_from with
    | Some p =>
        let x := uses_of p (uses_in table) in
        let sent := sent_until u x in
        let taken := count_below 0 (snd e) (receive_places x) in
        if may_copy (G p) then (sent =? 0) && (taken =? 0) else sent <=? taken
    | None => false
    end).

Section Layer.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).
Notation shared := (shared_tags all).
Notation table M := (layer_table_of shared M).
Notation uses p M := (uses_of p (uses_in (table M))).
Notation P M := (program_over all M).
Notation E M := (exact (program_over all M) only_layer).

Lemma next_events_spec M u f : next_events (table M) u f = true -> forall i a, action (P M) (i, cut_at u i) = Some a ->
  f (i, cut_at u i) (take_on ((i, cut_at u i), a)) = true.
Proof.
  unfold next_events. rewrite forallb_forall. intros H i a A. specialize (H i). cbv zeta in H. fold (cut_at u i) in H.
  assert (F : find_event (i, cut_at u i) (takes_at (table M)) = take_on ((i, cut_at u i), a)).
  { pose proof (fun p => takes_of_spec (layer_events all M) (number_events_once all M Leaf) (i, cut_at u i) p) as T.
    change (takes_of (layer_events all M)) with (takes_at (table M)) in T.
    unfold take_on. cbn [snd]. destruct (find_event _ _) as [p|].
    - specialize (T p). apply proj1 in T. specialize (T eq_refl). apply layer_events_spec in T. rewrite A in T.
      now injection T as ->.
    - destruct a as [p|p|]; auto. apply (T p), layer_events_spec. exact A. }
  rewrite F in H. clear F. cbn [action program_over] in A. unfold tagged_action in A. cbn [fst snd] in A.
  destruct (nth_error (tagged_share i M) (cut_at u i)) as [b|] eqn:N; [|discriminate].
  assert (L : cut_at u i < size_of M i) by (apply nth_error_Some; congruence).
  assert (I : In i (actors (table M))).
  { destruct (tagged_share i M) as [|c l] eqn:S; [now destruct (cut_at u i)|]. apply in_map_iff.
    exists ((i, 0), on_port all c). split; auto. apply filter_In. split; auto. apply layer_events_spec.
    cbn [action program_over]. unfold tagged_action. cbn [fst snd]. now rewrite S. }
  specialize (H I). cbn [sizes_in layer_table_of] in H. rewrite counts_after_spec in H.
  apply orb_true_iff in H as [H|H]; [apply Nat.leb_le in H; unfold find_or in H; simpl in H; lia|exact H].
Qed.

(** *** Counting *)

Lemma positions_sorted i g evs : one_by_one evs -> (forall x, In x evs -> g x = true -> fst (fst x) = i) ->
  StronglySorted lt (positions_if g evs).
Proof.
  intros O Of. unfold positions_if. induction evs as [|x evs IH]; simpl; [constructor|]. destruct O as [Lt O].
  assert (S : StronglySorted lt (map (fun y => snd (fst y)) (filter g evs))) by (apply IH; auto; intros; apply Of; simpl; auto).
  destruct (g x) eqn:Gx; auto. simpl. constructor; auto. apply Forall_forall. intros k I.
  apply in_map_iff in I as (y & <- & I). apply filter_In in I as [I Gy]. apply Lt; auto.
  rewrite (Of x), (Of y); simpl; auto.
Qed.

Lemma filter_filter {A} (f g : A -> bool) l : filter f (filter g l) = filter (fun x => f x && g x) l.
Proof.
  induction l as [|x l IH]; simpl; auto. destruct (g x); simpl; rewrite ?andb_true_r, ?andb_false_r, IH; auto.
Qed.

Lemma count_positions i g evs bound : one_by_one evs -> (forall x, In x evs -> g x = true -> fst (fst x) = i) ->
  count_below 0 bound (positions_if g evs) = length (filter (fun x => (snd (fst x) <? bound) && g x) evs).
Proof.
  intros O Of. rewrite (count_below_spec bound _ (positions_sorted i g evs O Of)), Nat.add_0_r. unfold positions_if.
  now rewrite length_filter_map, filter_filter.
Qed.

Lemma of_sender i p x : about_port put_on p x && is_from i (fst x) = true -> fst (fst x) = i.
Proof. intro H. apply andb_true_iff in H as [_ H]. now apply is_from_spec. Qed.
(** A port's reader takes from it. *)
Lemma of_reader M p x : In x (layer_events all M) -> about_port take_on p x = true -> fst (fst x) = fst (fst p).
Proof.
  destruct x as [e a]. intros I T. apply layer_events_spec in I. unfold about_port, take_on in T. cbn [fst snd] in *.
  destruct a as [|p'|]; try discriminate. apply port_eqb_spec in T. subst p'. cbn [action program_over] in I.
  unfold tagged_action in I. destruct (nth_error (tagged_share (fst e) M) (snd e)) as [b|] eqn:N; [|discriminate].
  apply nth_error_In, filter_In in N as [_ N]. apply Nat.eqb_eq in N. destruct b; try discriminate. injection I as <-.
  simpl in *. congruence.
Qed.
Lemma events_in_turn M : one_by_one (layer_events all M).
Proof. apply events_one_by_one. Qed.

Lemma uses_indexed M p : indexed p (layer_events all M) (ports_in (table M)) (uses_in (table M)).
Proof. exact (port_index_spec (layer_events all M) p). Qed.

Lemma sends_counted M p i : length (sends_from i (uses p M)) = messages_of (P M) only_layer i 0 p.
Proof.
  rewrite (sends_listed _ _ _ _ (uses_indexed M p)). unfold positions_if. rewrite map_length.
  symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. f_equal. now apply is_put_exact.
Qed.
Lemma sends_counted_before M p i u :
  count_below 0 (find_or 0 i u) (sends_from i (uses p M)) = sent_of (P M) only_layer i 0 p (cut_at u).
Proof.
  rewrite (sends_listed _ _ _ _ (uses_indexed M p)), (count_positions i _ _ _ (events_in_turn M) (fun x _ => of_sender i p x)).
  symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. rewrite (is_put_exact all M p e a A).
  destruct (about_port put_on p (e, a)); rewrite ?andb_false_r; auto. simpl.
  destruct (is_from i e) eqn:F; rewrite ?andb_false_r; auto. apply is_from_spec in F. unfold insideb, cut_at. now rewrite F.
Qed.
Lemma receives_counted M p : length (receive_places (uses p M)) = receives_of_layer (P M) only_layer 0 p.
Proof.
  rewrite (receives_listed _ _ _ _ (uses_indexed M p)). unfold positions_if. rewrite map_length.
  symmetry. apply (layer_events_count all M). intros e a A. now apply is_take_exact.
Qed.
Lemma receives_counted_before M p k : count_below 0 k (receive_places (uses p M)) =
  length (filter (fun e => (snd e <? k) && is_take (E M) (0, p) e) (events (P M))).
Proof.
  rewrite (receives_listed _ _ _ _ (uses_indexed M p)), (count_positions _ _ _ _ (events_in_turn M) (of_reader M p)).
  symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. f_equal. now apply is_take_exact.
Qed.

(** The senders of a port are counted one by one. *)
Lemma sum_by_sender h (evs : list (event * port_action tagged_port)) l : NoDup l ->
  (forall x, In x evs -> h x = true -> In (fst (fst x)) l) ->
  list_sum (map (fun i => length (filter (fun x => h x && is_from i (fst x)) evs)) l) = length (filter h evs).
Proof.
  intros Once. induction evs as [|x evs IH]; intro Has; simpl.
  - clear. induction l; simpl; auto.
  - specialize (IH (fun y I => Has y (or_intror I))). specialize (Has x (or_introl eq_refl)).
    destruct (h x) eqn:Hx; simpl; [|exact IH]. rewrite <- IH. specialize (Has eq_refl). clear - Once Has.
    assert (Sum : forall u, ~ In (fst (fst x)) u ->
      list_sum (map (fun i => length (if is_from i (fst x) then x :: filter (fun y => h y && is_from i (fst y)) evs
        else filter (fun y => h y && is_from i (fst y)) evs)) u) =
      list_sum (map (fun i => length (filter (fun y => h y && is_from i (fst y)) evs)) u)).
    { induction u as [|j u IH]; simpl; auto. intro N. rewrite IH by tauto. f_equal.
      unfold is_from at 1. destruct (Nat.eqb_spec (fst (fst x)) j); [exfalso; apply N; now left|reflexivity]. }
    induction l as [|i l IH]; [destruct Has|]. inversion Once as [|? ? N Once']; subst. simpl.
    destruct (Nat.eq_dec (fst (fst x)) i) as [Q|Ne].
    + subst i. rewrite Sum by exact N. unfold is_from at 1. rewrite Nat.eqb_refl. simpl. reflexivity.
    + rewrite IH; auto; [|destruct Has; [congruence|auto]]. unfold is_from at 1.
      destruct (Nat.eqb_spec (fst (fst x)) i); [congruence|lia].
Qed.

Lemma sends_of_sender M p e : action (P M) e = Some (Put p) -> In (snd e) (sends_from (fst e) (uses p M)).
Proof.
  intro A. rewrite (sends_listed _ _ _ _ (uses_indexed M p)). apply in_map_iff. exists (e, Put p). split; auto.
  apply filter_In. split; [now apply layer_events_spec|]. unfold about_port, put_on. cbn [fst snd].
  rewrite port_eqb_refl. now apply is_from_spec.
Qed.
Lemma sender_known M p e : action (P M) e = Some (Put p) -> In (fst e) (senders (uses p M)).
Proof.
  intro A. apply (senders_found _ _ _ _ (uses_indexed M p)). intro F. apply sends_of_sender in A.
  cbn [snd] in F. unfold sends_from, find_or in A. now rewrite F in A.
Qed.
Lemma receive_known M p e : action (P M) e = Some (Take p) -> In (snd e) (receive_places (uses p M)).
Proof.
  intro A. rewrite (receives_listed _ _ _ _ (uses_indexed M p)). apply in_map_iff. exists (e, Take p). split; auto.
  apply filter_In. split; [now apply layer_events_spec|]. unfold about_port. simpl. apply port_eqb_refl.
Qed.
Lemma port_known M p e : action (P M) e = Some (Put p) \/ action (P M) e = Some (Take p) -> In p (ports_in (table M)).
Proof.
  intro A. apply (ports_found _ _ _ _ (uses_indexed M p)). cbn [snd]. intro F.
  destruct A as [A|A]; [apply sender_known in A|apply receive_known in A]; unfold uses_of in A; now rewrite F in A.
Qed.

Lemma put_counted M p f (h : event * port_action tagged_port -> bool) :
  (forall i, f i = length (filter (fun x => (h x && about_port put_on p x) && is_from i (fst x)) (layer_events all M))) ->
  list_sum (map f (senders (uses p M))) = length (filter (fun x => h x && about_port put_on p x) (layer_events all M)).
Proof.
  intro Each. rewrite <- (sum_by_sender _ (layer_events all M) (senders (uses p M))).
  - f_equal. now apply map_ext.
  - apply (senders_once _ _ _ _ (uses_indexed M p)).
  - intros [e a] I H. apply layer_events_spec in I. apply andb_true_iff in H as [_ H].
    unfold about_port, put_on in H. cbn [fst snd] in *. destruct a as [p'|p'|]; try discriminate.
    apply port_eqb_spec in H. subst p'. now apply sender_known.
Qed.
Lemma puts_counted M p u : sent_until u (uses p M) = puts (E M) (0, p) (cut_at u).
Proof.
  unfold sent_until. rewrite (put_counted M p _ (fun x => insideb (cut_at u) (fst x))).
  - symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. f_equal. now apply is_put_exact.
  - intro i. rewrite sends_counted_before. apply (layer_events_count all M). intros e a A. cbn [fst].
    rewrite (is_put_exact all M p e a A). apply andb_assoc.
Qed.
Lemma takes_counted M p u i : action (P M) (i, cut_at u i) = Some (Take p) ->
  count_below 0 (cut_at u i) (receive_places (uses p M)) = takes (E M) (0, p) (cut_at u).
Proof.
  intro A. rewrite receives_counted_before. unfold takes. f_equal. apply filter_ext_in. intros e _.
  destruct (is_take (E M) (0, p) e) eqn:T; rewrite ?andb_false_r, ?andb_true_r; auto.
  apply is_take_spec in T. simpl in T. apply exact_take in T as [T _].
  assert (F : fst e = i) by exact (one_reader (P M) _ _ _ T A). unfold insideb. now rewrite F.
Qed.

Lemma senders_until_spec M p u e : action (P M) e = Some (Put p) -> inside (cut_at u) e ->
  In (fst e) (senders_until u (uses p M)).
Proof.
  intros A I. apply filter_In. split; [now apply sender_known|]. apply sends_of_sender in A.
  pose proof (positions_sorted (fst e) _ _ (events_in_turn M) (fun x _ => of_sender (fst e) p x)) as So.
  rewrite <- (sends_listed _ _ _ _ (uses_indexed M p)) in So. cbn [snd] in So.
  destruct (sends_from (fst e) (uses p M)) as [|k l]; [destruct A|]. unfold inside, cut_at in I. apply Nat.ltb_lt.
  inversion So as [|? ? _ F]; subst. rewrite Forall_forall in F. destruct A as [->|A]; [exact I|]. specialize (F _ A). lia.
Qed.

(** *** Receives *)

Lemma count_below_nth l : StronglySorted lt l -> forall k x, nth_error l k = Some x ->
  length (filter (fun y => y <? S x) l) = S k.
Proof.
  induction 1 as [|z l So IH F]; intros [|k] x N; simpl in N; try discriminate; rewrite Forall_forall in F; cbn [filter].
  - injection N as ->. rewrite (proj2 (Nat.ltb_lt x (S x))) by lia. simpl. f_equal. apply length_filter_none.
    intros y I. apply Nat.ltb_ge. specialize (F y I). lia.
  - pose proof (F x (nth_error_In _ _ N)). rewrite (proj2 (Nat.ltb_lt z (S x))) by lia. simpl. f_equal. now apply IH.
Qed.

Lemma receive_on_spec M p k e : receive_on p (table M) k = Some e ->
  action (P M) e = Some (Take p) /\ place_of (P M) only_layer p e = S k.
Proof.
  unfold receive_on. rewrite (receives_listed _ _ _ _ (uses_indexed M p)). set (l := positions_if _ _).
  destruct (nth_error l k) as [x|] eqn:N; [|discriminate]. intro Q. injection Q as <-. split.
  - apply nth_error_In, in_map_iff in N as ([[i y] a] & Ex & I). simpl in Ex. subst y.
    apply filter_In in I as [I T]. pose proof (of_reader M p _ I T) as R. cbn [fst] in R. subst i.
    apply layer_events_spec in I. unfold about_port, take_on in T. cbn [fst snd] in T. destruct a as [|p'|]; try discriminate.
    apply port_eqb_spec in T. now subst p'.
  - refine (eq_trans _ (count_below_nth l (positions_sorted _ _ _ (events_in_turn M) (of_reader M p)) k x N)).
    unfold l, positions_if. rewrite length_filter_map, filter_filter. apply (layer_events_count all M).
    intros e a A. cbn [fst snd]. f_equal. exact (is_take_exact all M p e a A).
Qed.

Lemma filter_strictly_fewer {A} (f g : A -> bool) x l : (forall y, f y = true -> g y = true) -> In x l ->
  f x = false -> g x = true -> length (filter f l) < length (filter g l).
Proof.
  intros More I Fx Gx. induction l as [|y l IH]; [destruct I|]. simpl.
  pose proof (filter_more f g l (fun z _ => More z)) as Le. specialize (More y). destruct I as [->|I].
  - rewrite Fx, Gx. simpl. lia.
  - specialize (IH I). destruct (f y); [rewrite More by auto|destruct (g y)]; simpl; lia.
Qed.

Lemma last_receive_on_spec M p e r : last_receive_on p (table M) = Some e -> last_take (P M) only_layer r p -> e = r.
Proof.
  intros H [Ar La]. apply receive_on_spec in H as [A Place]. assert (F : fst e = fst r) by exact (one_reader (P M) _ _ _ A Ar).
  assert (L : snd e <= snd r).
  { apply La; auto. rewrite <- F. now destruct e. }
  destruct (Nat.eq_dec (snd e) (snd r)) as [Q|Ne]; [destruct e, r; simpl in *; congruence|exfalso].
  assert (Few : place_of (P M) only_layer p e < receives_of_layer (P M) only_layer 0 p).
  { apply filter_strictly_fewer with r.
    - intros y H. now apply andb_true_iff in H.
    - now apply (is_event (P M) r (Take p)).
    - apply andb_false_iff. left. apply Nat.leb_gt. lia.
    - apply is_take_spec, exact_take. auto. }
  rewrite receives_counted in Place. lia.
Qed.

(** *** Balance *)

Lemma is_balanced_sound M : is_balanced (table M) = true -> balanced_layers (P M) only_layer.
Proof.
  intros H n p. unfold is_balanced in H. rewrite forallb_forall in H. destruct n as [|n].
  - rewrite (layer_events_count all M _ _ (is_put_exact all M p)). change (length (filter (is_take _ _) _)) with
      (receives_of_layer (P M) only_layer 0 p). rewrite <- receives_counted.
    transitivity (list_sum (map (fun i => length (sends_from i (uses p M))) (senders (uses p M)))).
    + symmetry. apply (put_counted M p _ (fun _ => true)). intro i. rewrite sends_counted.
      apply (layer_events_count all M). intros e a A. cbn [fst andb]. f_equal. now apply is_put_exact.
    + destruct (find_port p (uses_in (table M))) eqn:F; [|unfold uses_of; now rewrite F].
      apply Nat.eqb_eq, H, (ports_found _ _ _ _ (uses_indexed M p)). congruence.
  - rewrite !length_filter_none; auto; intros e _; apply not_true_iff_false; intro T.
    + apply is_take_spec in T. simpl in T. apply exact_take in T as [_ T]. discriminate.
    + apply is_put_spec in T. simpl in T. apply exact_put in T as [_ T]. discriminate.
Qed.

(** *** Closed cuts *)

Theorem stuck_at_sound : forall M stop u, stuck_at G (table M) stop u = true ->
  closed_cut all G M (fun e => stop e = true) (cut_at u).
Proof.
  intros M stop u H i. destruct (action (P M) (i, cut_at u i)) as [a|] eqn:A.
  - apply (next_events_spec M u _ H i a) in A as N. apply orb_true_iff in N as [N|N]; [now left|].
    destruct a as [p|p|]; try discriminate. right. intro Re. cbn [snd take_on] in N.
    rewrite puts_counted, (takes_counted M p u i A) in N.
    assert (Ae : action (E M) (i, cut_at u i) = Some (Take (0, p))) by (apply exact_take; auto).
    apply (relaxed_ready (E M) (exact_guarantee G) (0, p) (cut_at u) i Ae) in Re.
    unfold exact_guarantee in Re. simpl in Re. destruct (may_copy (G p)).
    + apply andb_true_iff in N as [H1 H2]. apply Nat.eqb_eq in H1, H2. destruct Re as [T|L]; [|lia].
      apply takes_again_spec in T as (k & L & T). simpl in L.
      assert (0 < takes (E M) (0, p) (cut_at u)); [|lia]. unfold takes.
      destruct (filter _ (events (E M))) as [|y l] eqn:F; [|simpl; lia].
      assert (In (i, k) []); [|contradiction]. rewrite <- F. apply filter_In. split; [apply (is_event (E M) _ _ T)|].
      apply andb_true_iff. split; [apply insideb_spec; exact L|]. apply is_take_spec. exact T.
    + apply Nat.leb_le in N. lia.
  - right. unfold ready, relaxed_layer. cbn [action relaxed]. unfold relaxed_action. cbn [action exact].
    unfold exact_action. rewrite A. auto.
Qed.

Lemma closed_cut_more M (stop stop' : event -> Prop) u : (forall e, stop e -> stop' e) -> closed_cut all G M stop u ->
  closed_cut all G M stop' u.
Proof. intros More C i. destruct (C i); auto. Qed.
End Layer.
