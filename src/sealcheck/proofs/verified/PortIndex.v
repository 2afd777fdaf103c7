(** * The events of a layer over ports, by process and by port

    For each port a layer's table has the positions of the receives, and of the sends of each sender, in increasing order.
    How many of them are inside a cut is found by halving, and so whether no process can go on there is seen by looking at
    one event of each process: [stuck_at_sound]. *)

From Coq Require Import List Arith Lia PeanoNat Bool Sorted.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortCertificates KnowledgeDecider Certificates Tries RunsChecked PortTables.
Open Scope nat_scope.

(** ** Increasing numbers *)

Record positions := { how_many : nat; numbered : trie nat }.
Definition no_positions : positions := {| how_many := 0; numbered := Leaf |}.
Definition append (k : nat) (s : positions) : positions :=
  {| how_many := S (how_many s); numbered := add (how_many s) k (numbered s) |}.

Definition lists (s : positions) (l : list nat) := how_many s = length l /\ forall n, find n (numbered s) = nth_error l n.

Lemma append_lists k s l : lists s l -> lists (append k s) (l ++ [k]).
Proof.
  intros [H F]. split; simpl; [rewrite app_length; simpl; lia|]. intro n. rewrite find_add, F, H.
  destruct (Nat.eqb_spec n (length l)) as [->|N]; [now rewrite nth_error_app2, Nat.sub_diag|].
  destruct (le_lt_dec (length l) n) as [L|L]; [|now rewrite nth_error_app1].
  rewrite (proj2 (nth_error_None l n) L), nth_error_app2 by lia. symmetry. apply nth_error_None. simpl. lia.
Qed.

(** How many numbers are below [u], if the first [low] are, and none from number [high] on is. *)
Fixpoint halve (fuel : nat) (numbers : trie nat) (u low high : nat) : nat :=
  match fuel with
  | 0 => low
  | S fuel' =>
      if low <? high then
        let middle := Nat.div2 (low + high) in
        if find_or 0 middle numbers <? u then halve fuel' numbers u (S middle) high else halve fuel' numbers u low middle
      else low
  end.
Definition count_below (u : nat) (s : positions) : nat := halve (how_many s) (numbered s) u 0 (how_many s).

Section Halving.
Variables (l : list nat) (u : nat).
Hypothesis Sorted_ : StronglySorted lt l.

Lemma sorted_nth : forall n m x y, n < m -> nth_error l n = Some x -> nth_error l m = Some y -> x < y.
Proof.
  clear u. induction Sorted_ as [|z l' S IH F]; intros [|n] [|m] x y L; simpl; try lia; try discriminate.
  - intros E M. injection E as ->. rewrite Forall_forall in F. apply F. now apply nth_error_In in M.
  - intros N M. apply (IH S n m); auto. lia.
Qed.

Lemma filter_all {A} (g : A -> bool) u' : (forall x, In x u' -> g x = true) -> filter g u' = u'.
Proof. induction u' as [|x u' IH]; simpl; auto. intro N. rewrite N by auto. f_equal. auto. Qed.

Definition halved low := (forall n x, n < low -> nth_error l n = Some x -> x < u).
Definition rest_from high := (forall n x, high <= n -> nth_error l n = Some x -> u <= x).

Lemma count_halved k : k <= length l -> halved k -> rest_from k -> length (filter (fun x => x <? u) l) = k.
Proof.
  intros L B A. rewrite <- (firstn_skipn k l), filter_app, app_length, (length_filter_none _ (skipn k l)).
  - assert (E : filter (fun x => x <? u) (firstn k l) = firstn k l).
    { apply filter_all. intros x I. apply In_nth_error in I as (n & N).
      assert (n < length (firstn k l)) by (apply nth_error_Some; congruence). rewrite firstn_length in *.
      apply Nat.ltb_lt, (B n); [lia|]. now rewrite <- (firstn_skipn k l), nth_error_app1 by (rewrite firstn_length; lia). }
    rewrite E, firstn_length. lia.
  - intros x I. apply In_nth_error in I as (n & N). apply Nat.ltb_ge, (A (k + n)); [lia|].
    rewrite <- (firstn_skipn k l), nth_error_app2; rewrite firstn_length, Nat.min_l by lia; [|lia].
    now replace (k + n - k) with n by lia.
Qed.

Lemma halve_spec numbers : (forall n, find n numbers = nth_error l n) -> forall fuel low high, high <= low + fuel ->
  low <= high <= length l -> halved low -> rest_from high ->
  halve fuel numbers u low high = length (filter (fun x => x <? u) l).
Proof.
  intro Found. induction fuel as [|fuel IH]; intros low high Fu L B A; simpl.
  - symmetry. replace high with low in A by lia. apply count_halved; auto; lia.
  - destruct (Nat.ltb_spec low high) as [Lt|Ge]; [|symmetry; replace high with low in A by lia; apply count_halved; auto; lia].
    set (middle := Nat.div2 (low + high)). assert (M : low <= middle < high).
    { unfold middle. rewrite Nat.div2_div. split; [apply Nat.div_le_lower_bound|apply Nat.div_lt_upper_bound]; lia. }
    assert (X : exists x, nth_error l middle = Some x).
    { destruct (nth_error l middle) eqn:E; eauto. apply nth_error_None in E. lia. }
    destruct X as (x & X). unfold find_or at 1. rewrite Found, X. destruct (Nat.ltb_spec x u) as [Lx|Gx].
    + apply IH; try lia; auto. intros n y Ln N. destruct (Nat.eq_dec n middle) as [->|Ne]; [congruence|].
      assert (y < x); [|lia]. apply (sorted_nth n middle); auto. lia.
    + apply IH; try lia; auto. intros n y Ln N. destruct (Nat.eq_dec n middle) as [->|Ne]; [congruence|].
      assert (x < y); [|lia]. apply (sorted_nth middle n); auto. lia.
Qed.

Lemma count_below_spec s : lists s l -> count_below u s = length (filter (fun x => x <? u) l).
Proof.
  intros [H F]. unfold count_below. apply halve_spec; auto; try lia; intros n x L N; [lia|].
  assert (n < length l) by (apply nth_error_Some; congruence). lia.
Qed.
End Halving.

(** ** The uses of each port *)

(** Who sends to a port, and where; and where its reader receives from it. *)
Record port_uses := { senders : list proc; sends_of : trie positions; receives : positions }.
Definition uses_of (p : tagged_port) (m : port_map port_uses) : port_uses :=
  match find_port p m with Some x => x | None => {| senders := []; sends_of := Leaf; receives := no_positions |} end.
Definition sends_from (i : proc) (x : port_uses) : positions := find_or no_positions i (sends_of x).

Definition use_port (m : port_map port_uses) (e : event * port_action tagged_port) : port_map port_uses :=
  let i := fst (fst e) in
  match snd e with
  | Inner => m
  | Put p =>
      let x := uses_of p m in
      add_port p {|
        senders := match find i (sends_of x) with Some _ => senders x | None => i :: senders x end;
        sends_of := add i (append (snd (fst e)) (sends_from i x)) (sends_of x); receives := receives x |} m
  | Take p =>
      let x := uses_of p m in
      add_port p {| senders := senders x; sends_of := sends_of x; receives := append (snd (fst e)) (receives x) |} m
  end.
Definition port_index (evs : list (event * port_action tagged_port)) : port_map port_uses := fold_left use_port evs Leaf.

(** How many messages are sent to a port before a cut, and who sends any. *)
Definition sent_before (u : trie nat) (x : port_uses) : nat :=
  list_sum (map (fun i => count_below (find_or 0 i u) (sends_from i x)) (senders x)).
Definition senders_before (u : trie nat) (x : port_uses) : list proc :=
  filter (fun i => 0 <? count_below (find_or 0 i u) (sends_from i x)) (senders x).

Definition positions_if (g : event * port_action tagged_port -> bool) (evs : list (event * port_action tagged_port)) : list nat :=
  map (fun y => snd (fst y)) (filter g evs).

(** The table of a port has what the list of events has. *)
Record indexed (p : tagged_port) (evs : list (event * port_action tagged_port)) (x : port_uses) : Prop := {
  senders_once : NoDup (senders x);
  senders_found : forall i, In i (senders x) <-> find i (sends_of x) <> None;
  sends_listed : forall i, lists (sends_from i x) (positions_if (fun y => about_port put_on p y && is_from i (fst y)) evs);
  receives_listed : lists (receives x) (positions_if (about_port take_on p) evs)
}.

Lemma positions_if_snoc g evs e : positions_if g (evs ++ [e]) = positions_if g evs ++ if g e then [snd (fst e)] else [].
Proof. unfold positions_if. rewrite filter_app, map_app. simpl. now destruct (g e). Qed.

Lemma port_eqb_refl p : port_eqb p p = true.
Proof. now apply port_eqb_spec. Qed.

Lemma port_index_spec evs : forall p, indexed p evs (uses_of p (port_index evs)).
Proof.
  induction evs as [|[[i k] a] evs IH] using rev_ind; intro p.
  - constructor; simpl; [constructor|intro i; split; [tauto|congruence]| |]; intros; split; auto; intros []; reflexivity.
  - specialize (IH p) as [Once Found Sends Takes]. unfold port_index in *. rewrite fold_left_app. simpl fold_left.
    set (m := fold_left use_port evs Leaf) in *. unfold use_port. cbn [fst snd]. destruct a as [p'|p'|].
    + unfold uses_of at 1. rewrite find_add_port. destruct (port_eqb p p') eqn:E.
      * apply port_eqb_spec in E. subst p'. constructor; cbn [senders sends_of receives].
        -- destruct (find i (sends_of (uses_of p m))) eqn:F; auto. constructor; auto. rewrite Found. congruence.
        -- intro j. rewrite find_add. destruct (Nat.eqb_spec j i) as [->|N].
           ++ split; [discriminate|intros _]. destruct (find i (sends_of (uses_of p m))) eqn:F; [|now left].
              rewrite Found. congruence.
           ++ rewrite <- Found. destruct (find i _); [reflexivity|]. simpl. split; [intros [Q|I]; congruence|auto].
        -- intro j. rewrite positions_if_snoc. unfold sends_from, about_port at 2, is_from at 2. simpl.
           rewrite port_eqb_refl, find_or_add, (Nat.eqb_sym i). destruct (Nat.eqb_spec j i) as [->|N].
           ++ apply append_lists, Sends.
           ++ rewrite app_nil_r. apply Sends.
        -- rewrite positions_if_snoc. unfold about_port at 2. simpl. rewrite app_nil_r. apply Takes.
      * fold (uses_of p m). constructor; auto; intros; rewrite positions_if_snoc; unfold about_port at 2; simpl; rewrite ?E; simpl;
          rewrite app_nil_r; auto.
    + unfold uses_of at 1. rewrite find_add_port. destruct (port_eqb p p') eqn:E.
      * apply port_eqb_spec in E. subst p'. constructor; cbn [senders sends_of receives]; auto.
        -- intro j. rewrite positions_if_snoc. unfold about_port at 2. simpl. rewrite app_nil_r. apply Sends.
        -- rewrite positions_if_snoc. unfold about_port at 2. simpl. rewrite port_eqb_refl. apply append_lists, Takes.
      * fold (uses_of p m). constructor; auto; intros; rewrite positions_if_snoc; unfold about_port at 2; simpl; rewrite ?E; simpl;
          rewrite app_nil_r; auto.
    + constructor; auto; intros; rewrite positions_if_snoc; unfold about_port at 2; simpl; rewrite app_nil_r; auto.
Qed.

(** ** The table of a layer *)

(** What each event does, by process and position; the processes that act; how many events each has; and the uses of each
    port. *)
Record layer_table := {
  events_in : list (event * port_action tagged_port); action_at : trie (trie (port_action tagged_port));
  actors : list proc; sizes_in : trie nat; uses_in : port_map port_uses
}.
Definition layer_table_of (shared : trie (trie unit)) (M : layer_program) : layer_table :=
  let evs := number_events shared Leaf M in
  {| events_in := evs; action_at := stored evs; actors := map (fun x => fst (fst x)) (filter (fun x => snd (fst x) =? 0) evs);
     sizes_in := counts_after Leaf M; uses_in := port_index evs |}.

(** Receive number [k] on a port, from 0. *)
Definition receive_on (p : tagged_port) (table : layer_table) (k : nat) : option event :=
  option_map (pair (fst (fst p))) (find k (numbered (receives (uses_of p (uses_in table))))).
Definition last_receive (p : tagged_port) (table : layer_table) : option event :=
  receive_on p table (pred (how_many (receives (uses_of p (uses_in table))))).

(** What holds of each process's next event at a cut. *)
Definition next_events (table : layer_table) (u : trie nat) (f : event -> port_action tagged_port -> bool) : bool :=
  forallb (fun i => let e := (i, find_or 0 i u) in
    match find_event e (action_at table) with Some a => f e a | None => true end) (actors table).

(** No process can go on at the cut: its next event is one of [stop], or a receive on a port from which all that was
    put into it has been taken; on a port that copies, into which nothing was put. *)
Definition stuck_at (G : tagged_port -> guarantee) (table : layer_table) (stop : event -> bool) (u : trie nat) : bool :=
  next_events table u (fun e a => stop e ||
    match a with
    | Take p =>
        let x := uses_of p (uses_in table) in
        let sent := sent_before u x in
        let taken := count_below (snd e) (receives x) in
        if may_copy (G p) then (sent =? 0) && (taken =? 0) else sent <=? taken
    | _ => false
    end).

Section Layer.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).
Notation shared := (shared_tags all).
Notation table M := (layer_table_of shared M).
Notation uses p M := (uses_of p (uses_in (table M))).
Notation P M := (program_over all M).
Notation E M := (exact (program_over all M) only_layer).

Lemma events_in_table M e a : In (e, a) (events_in (table M)) <-> action (P M) e = Some a.
Proof. apply layer_events_spec. Qed.

Lemma next_events_spec M u f : next_events (table M) u f = true -> forall i a, action (P M) (i, cut_at u i) = Some a ->
  f (i, cut_at u i) a = true.
Proof.
  unfold next_events. rewrite forallb_forall. intros H i a A. specialize (H i). cbv zeta in H.
  assert (F : find_event (i, find_or 0 i u) (action_at (table M)) = Some a).
  { apply stored_spec; [|now apply layer_events_spec]. intros e x y I J. apply layer_events_spec in I, J. congruence. }
  rewrite F in H. apply H. cbn [actors layer_table_of].
  assert (X : exists b, action (P M) (i, 0) = Some b).
  { cbn [action program_over] in A |- *. unfold tagged_action in A |- *. cbn [fst snd] in A |- *.
    destruct (tagged_share i M); [|simpl; eauto]. destruct (cut_at u i); discriminate. }
  destruct X as (b & X). apply in_map_iff. exists ((i, 0), b). split; auto. apply filter_In. split; auto.
  now apply layer_events_spec.
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

Lemma count_positions i g evs s u : one_by_one evs -> (forall x, In x evs -> g x = true -> fst (fst x) = i) ->
  lists s (positions_if g evs) -> count_below u s = length (filter (fun x => (snd (fst x) <? u) && g x) evs).
Proof.
  intros O Of L. rewrite (count_below_spec _ u (positions_sorted i g evs O Of) s L). unfold positions_if.
  now rewrite length_filter_map, filter_filter.
Qed.
Lemma how_many_positions g evs s : lists s (positions_if g evs) -> how_many s = length (filter g evs).
Proof. intros [H _]. rewrite H. apply map_length. Qed.

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
Lemma in_turn M : one_by_one (layer_events all M).
Proof. apply events_one_by_one. Qed.

Lemma uses_indexed M p : indexed p (layer_events all M) (uses p M).
Proof. exact (port_index_spec (layer_events all M) p). Qed.

Lemma sends_counted M p i : how_many (sends_from i (uses p M)) = messages_of (P M) only_layer i 0 p.
Proof.
  destruct (uses_indexed M p) as [_ _ Sends _]. rewrite (how_many_positions _ _ _ (Sends i)).
  symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. f_equal. now apply is_put_exact.
Qed.
Lemma sends_counted_before M p i u :
  count_below (find_or 0 i u) (sends_from i (uses p M)) = sent_of (P M) only_layer i 0 p (cut_at u).
Proof.
  destruct (uses_indexed M p) as [_ _ Sends _].
  rewrite (count_positions i _ _ _ _ (in_turn M) (fun x _ => of_sender i p x) (Sends i)).
  symmetry. apply (layer_events_count all M). intros e a A. cbn [fst]. rewrite (is_put_exact all M p e a A).
  destruct (about_port put_on p (e, a)); rewrite ?andb_false_r; auto. simpl.
  destruct (is_from i e) eqn:F; rewrite ?andb_false_r; auto. apply is_from_spec in F. unfold insideb, cut_at. now rewrite F.
Qed.
Lemma receives_counted M p : how_many (receives (uses p M)) = receives_of_layer (P M) only_layer 0 p.
Proof.
  destruct (uses_indexed M p) as [_ _ _ Takes]. rewrite (how_many_positions _ _ _ Takes).
  symmetry. apply (layer_events_count all M). intros e a A. now apply is_take_exact.
Qed.
Lemma receives_counted_before M p k : count_below k (receives (uses p M)) =
  length (filter (fun e => (snd e <? k) && is_take (E M) (0, p) e) (events (P M))).
Proof.
  destruct (uses_indexed M p) as [_ _ _ Takes].
  rewrite (count_positions _ _ _ _ _ (in_turn M) (of_reader M p) Takes).
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

Lemma sender_known M p e : action (P M) e = Some (Put p) -> In (fst e) (senders (uses p M)).
Proof.
  intro A. destruct (uses_indexed M p) as [_ Found Sends _]. apply Found. intro F. specialize (Sends (fst e)).
  unfold sends_from, find_or in Sends. rewrite F in Sends. destruct Sends as [H _]. simpl in H. symmetry in H.
  apply length_zero_iff_nil in H. assert (I : In (snd e) []); [|destruct I]. rewrite <- H.
  apply in_map_iff. exists (e, Put p). split; auto. apply filter_In. split; [now apply layer_events_spec|].
  unfold about_port, put_on. cbn [fst snd]. rewrite port_eqb_refl. now apply is_from_spec.
Qed.

Lemma puts_counted M p u : sent_before u (uses p M) = puts (E M) (0, p) (cut_at u).
Proof.
  unfold puts. rewrite (layer_events_count all M _ (fun x => insideb (cut_at u) (fst x) && about_port put_on p x)).
  - rewrite <- (sum_by_sender _ (layer_events all M) (senders (uses p M))).
    + unfold sent_before. f_equal. apply map_ext. intro i. rewrite sends_counted_before.
      apply (layer_events_count all M). intros e a A. cbn [fst]. rewrite (is_put_exact all M p e a A). apply andb_assoc.
    + apply (uses_indexed M p).
    + intros [e a] I H. apply layer_events_spec in I. apply andb_true_iff in H as [_ H].
      unfold about_port, put_on in H. cbn [fst snd] in *. destruct a as [p'|p'|]; try discriminate.
      apply port_eqb_spec in H. subst p'. now apply sender_known.
  - intros e a A. cbn [fst]. f_equal. now apply is_put_exact.
Qed.
Lemma takes_counted M p u i : action (P M) (i, cut_at u i) = Some (Take p) ->
  count_below (cut_at u i) (receives (uses p M)) = takes (E M) (0, p) (cut_at u).
Proof.
  intro A. rewrite receives_counted_before. unfold takes. f_equal. apply filter_ext_in. intros e _.
  destruct (is_take (E M) (0, p) e) eqn:T; rewrite ?andb_false_r, ?andb_true_r; auto.
  apply is_take_spec in T. simpl in T. apply exact_take in T as [T _].
  assert (F : fst e = i) by exact (one_reader (P M) _ _ _ T A). unfold insideb. now rewrite F.
Qed.

Lemma senders_before_spec M p u e : action (P M) e = Some (Put p) -> inside (cut_at u) e ->
  In (fst e) (senders_before u (uses p M)).
Proof.
  intros A I. apply filter_In. split; [now apply sender_known|]. rewrite sends_counted_before. unfold sent_of.
  apply Nat.ltb_lt. destruct (filter _ _) as [|x l] eqn:F; [|simpl; lia]. assert (X : In e []); [|destruct X].
  rewrite <- F. apply filter_In. split; [now apply (is_event (P M) e (Put p))|].
  rewrite (is_put_exact all M p e (Put p) A). unfold about_port, put_on. cbn [fst snd]. rewrite port_eqb_refl.
  apply andb_true_iff. split; [now apply insideb_spec|now apply is_from_spec].
Qed.

(** *** Receives *)

Lemma receive_on_spec M p k e : receive_on p (table M) k = Some e ->
  action (P M) e = Some (Take p) /\ place_of (P M) only_layer p e = S k.
Proof.
  unfold receive_on. destruct (uses_indexed M p) as [_ _ _ [_ Found]]. rewrite Found.
  set (l := positions_if (about_port take_on p) (layer_events all M)) in *.
  destruct (nth_error l k) as [x|] eqn:N; [|discriminate]. intro Q. injection Q as <-.
  assert (So : StronglySorted lt l) by exact (positions_sorted _ _ _ (in_turn M) (of_reader M p)). split.
  - apply nth_error_In in N. apply in_map_iff in N as ([[i y] a] & Ex & I). simpl in Ex. subst y.
    apply filter_In in I as [I T]. pose proof (of_reader M p _ I T) as R. cbn [fst] in R. subst i.
    apply layer_events_spec in I. unfold about_port, take_on in T. cbn [fst snd] in T. destruct a as [|p'|]; try discriminate.
    apply port_eqb_spec in T. now subst p'.
  - unfold place_of. refine (eq_trans _ (count_halved l (S x) (S k) _ _ _)).
    + unfold l, positions_if. rewrite length_filter_map, filter_filter. apply (layer_events_count all M).
      intros e a A. cbn [fst snd]. f_equal. exact (is_take_exact all M p e a A).
    + apply nth_error_Some. congruence.
    + intros n y L Ny. destruct (Nat.eq_dec n k) as [->|Ne]; [rewrite N in Ny; injection Ny; lia|].
      assert (y < x); [|lia]. apply (sorted_nth l So n k); auto. lia.
    + intros n y L Ny. assert (x < y); [|lia]. apply (sorted_nth l So k n); auto.
Qed.

Lemma filter_fewer {A} (f g : A -> bool) x l : (forall y, f y = true -> g y = true) -> In x l -> f x = false -> g x = true ->
  length (filter f l) < length (filter g l).
Proof.
  intros More I Fx Gx. induction l as [|y l IH]; [destruct I|]. simpl.
  pose proof (filter_more f g l (fun z _ => More z)) as Le. specialize (More y). destruct I as [->|I].
  - rewrite Fx, Gx. simpl. lia.
  - specialize (IH I). destruct (f y); [rewrite More by auto|destruct (g y)]; simpl; lia.
Qed.

Lemma last_receive_spec M p e r : last_receive p (table M) = Some e -> last_take (P M) only_layer r p -> e = r.
Proof.
  intros H [Ar La]. apply receive_on_spec in H as [A Place]. assert (F : fst e = fst r) by exact (one_reader (P M) _ _ _ A Ar).
  assert (L : snd e <= snd r).
  { apply La; auto. rewrite <- F. now destruct e. }
  destruct (Nat.eq_dec (snd e) (snd r)) as [Q|Ne]; [destruct e, r; simpl in *; congruence|exfalso].
  assert (Few : place_of (P M) only_layer p e < receives_of_layer (P M) only_layer 0 p).
  { apply filter_fewer with r.
    - intros y H. now apply andb_true_iff in H.
    - now apply (is_event (P M) r (Take p)).
    - apply andb_false_iff. left. apply Nat.leb_gt. lia.
    - apply is_take_spec, exact_take. auto. }
  rewrite receives_counted in Place. lia.
Qed.

Theorem stuck_at_sound : forall M stop u, stuck_at G (table M) stop u = true ->
  closed_cut all G M (fun e => stop e = true) (cut_at u).
Proof.
  intros M stop u H i. destruct (action (P M) (i, cut_at u i)) as [a|] eqn:A.
  - apply (next_events_spec M u _ H i a) in A as N. apply orb_true_iff in N as [N|N]; [now left|].
    destruct a as [p|p|]; try discriminate. right. intro Re. cbn [snd] in N.
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
