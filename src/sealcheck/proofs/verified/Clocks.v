(** * Vector clocks

    A program is gone through once, in an order in which its events can happen.  Each process has a clock: a cut with
    all that happened before or at its last event.  A message carries the clock of its send.  So all that the graph of
    a program says about events is computed in as many steps as there are events, times the number of processes.

    [play] goes through layers, and says of each send whether all that earlier layers receive on its channel is in its
    past: [play_correct]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality Prefix Phases.
From Sealcheck Require Import CausalPast Decider Tries.

Definition clock := list nat.

(** The events of both clocks. *)
Fixpoint clock_join (u v : clock) : clock :=
  match u, v with
  | a :: u', b :: v' => Nat.max a b :: clock_join u' v'
  | [], _ => v
  | _, [] => u
  end.

Lemma join_at : forall u v p, at_ (clock_join u v) p = Nat.max (at_ u p) (at_ v p).
Proof.
  unfold at_. induction u as [|a u IH]; intros [|b v] [|p]; simpl; auto; lia.
Qed.

Lemma join_length : forall u v, length (clock_join u v) = Nat.max (length u) (length v).
Proof. induction u as [|a u IH]; intros [|b v]; simpl; auto. Qed.

(** ** Messages in flight *)

(** The clocks of the messages of a channel: the first list begins with the one that is received next, and the second
    one, in the order opposite to that of sending, with the one that was sent last. *)
Definition queue : Type := list clock * list clock.
Definition nothing_in_flight : queue := ([], []).
Definition in_flight (w : queue) : list clock := fst w ++ rev (snd w).
Definition is_empty_queue (w : queue) : bool := match w with ([], []) => true | _ => false end.
Definition send_clock (c : clock) (w : queue) : queue := (fst w, c :: snd w).

Definition receive_clock (w : queue) : option (clock * queue) :=
  match fst w with
  | c :: next => Some (c, (next, snd w))
  | [] => match rev_append (snd w) [] with c :: next => Some (c, (next, [])) | [] => None end
  end.

Lemma send_clock_spec : forall c w, in_flight (send_clock c w) = in_flight w ++ [c].
Proof. intros c [u v]. unfold in_flight. simpl. now rewrite app_assoc. Qed.

Lemma receive_clock_spec : forall w c w', receive_clock w = Some (c, w') -> in_flight w = c :: in_flight w'.
Proof.
  intros [[|a u] v] c w' H; unfold receive_clock, in_flight in *; cbn [fst snd] in *.
  - rewrite <- rev_alt in H. destruct (rev v) as [|b next]; [discriminate|]. injection H as <- <-. simpl.
    now rewrite app_nil_r.
  - injection H as <- <-. reflexivity.
Qed.

Lemma is_empty_queue_spec : forall w, is_empty_queue w = true -> in_flight w = [].
Proof. intros [[|? ?] [|? ?]] H; try discriminate. reflexivity. Qed.

(** ** Going through a program *)

Record clock_state := {
  clocks : trie clock;                (** of each process *)
  carried : trie (trie queue);        (** by sender and receiver *)
  openers : trie (trie clock);        (** before the first send, by sender and receiver *)
  fresh : trie (trie nat);            (** where the last receive is, plus 1; by sender and receiver *)
  settled_up_to : trie (trie nat);    (** the same, of earlier layers *)
  kept : bool                         (** all sends had the receives of earlier layers on their channel in their past *)
}.

Definition carried_on (st : clock_state) (i j : proc) : queue := find2_or nothing_in_flight i j (carried st).

Definition clock_of (n : nat) (st : clock_state) (i : proc) : clock :=
  match find i (clocks st) with Some c => c | None => repeat 0 n end.

(** One event more of process [i]. *)
Fixpoint tick (c : clock) (i : proc) : clock :=
  match c, i with
  | [], _ => []
  | a :: c', 0 => S a :: c'
  | a :: c', S i' => a :: tick c' i'
  end.

Definition happen (n : nat) (st : clock_state) (a : act) : option clock_state :=
  let c := clock_of n st (actor a) in
  match a with
  | AInt i => Some {| clocks := add i (tick c i) (clocks st); carried := carried st; openers := openers st;
                      fresh := fresh st; settled_up_to := settled_up_to st; kept := kept st |}
  | ASend i j =>
      let c' := tick c i in
      Some {| clocks := add i c' (clocks st);
              carried := add2 i j (send_clock c' (carried_on st i j)) (carried st);
              openers := match find2 i j (openers st) with Some _ => openers st | None => add2 i j c (openers st) end;
              fresh := fresh st; settled_up_to := settled_up_to st;
              kept := kept st && (find2_or 0 i j (settled_up_to st) <=? at_ c j) |}
  | ARecv j i =>
      match receive_clock (carried_on st i j) with
      | None => None
      | Some (sent, waiting) => Some {| clocks := add j (tick (clock_join c sent) j) (clocks st);
                                        carried := add2 i j waiting (carried st); openers := openers st;
                                        fresh := add2 i j (S (at_ c j)) (fresh st);
                                        settled_up_to := settled_up_to st; kept := kept st |}
      end
  end.

Fixpoint happen_all (n : nat) (st : clock_state) (l : list act) : option clock_state :=
  match l with
  | [] => Some st
  | a :: l' => match happen n st a with | Some st' => happen_all n st' l' | None => None end
  end.

(** On the channel of the event all messages have been received. *)
Definition is_even (st : clock_state) (a : act) : bool :=
  match a with
  | ASend i j | ARecv j i => is_empty_queue (carried_on st i j)
  | AInt _ => true
  end.

Definition settle (st : clock_state) : clock_state := {|
  clocks := clocks st; carried := carried st; openers := openers st; fresh := fresh st; settled_up_to := fresh st;
  kept := kept st
|}.

Fixpoint play_from (n : nat) (st : clock_state) (ls : list (list act)) : option clock_state :=
  match ls with
  | [] => Some st
  | l :: ls' =>
      match happen_all n st l with
      | Some st' => if forallb (is_even st') l then play_from n (settle st') ls' else None
      | None => None
      end
  end.

Definition initial_clocks : clock_state := {|
  clocks := Leaf; carried := Leaf; openers := Leaf; fresh := Leaf; settled_up_to := Leaf; kept := true
|}.

(** Layers of the processes below [n], which are balanced, in an order in which they can happen.  No process sends to
    itself.  [None] if they are not. *)
Definition play (n : nat) (ls : list (list act)) : option clock_state :=
  if is_below n (concat ls) && has_no_self (concat ls) then play_from n initial_clocks ls else None.

(** ** The past of events *)

(** The first [k] events of process [i], and what caused them. *)
Definition up_to_place (l : list act) (i : proc) (k : nat) (x : event) :=
  exists k', k' < k /\ (x = (i, k') \/ causes (fifo l) x (i, k')).

Lemma causes_last : forall r x y, causes r x y <-> exists z, step r z y /\ (x = z \/ causes r x z).
Proof.
  intros r x y. split.
  - intro C. apply clos_trans_tn1 in C. destruct C as [y S|y z S C]; [eauto|].
    exists y. split; auto. right. now apply clos_tn1_trans.
  - intros (z & S & [->|C]); [now apply t_step|]. eapply t_trans; [exact C|now apply t_step].
Qed.

(** An event that is no receive is caused by the earlier ones of its process, and by what caused them. *)
Lemma upto_causes : forall l i k x, (forall a b, ~ is_rcv (fifo l) (i, k) a b) ->
  (up_to_place l i k x <-> causes (fifo l) x (i, k)).
Proof.
  intros l i k x N. rewrite causes_last. split.
  - intros (k' & L & H). exists (i, k'). split; [left; auto|exact H].
  - intros ([i' k'] & S & H). destruct S as [[F L]|(a & b & R & _)]; [|exfalso; eapply N; eauto].
    cbn [fst snd] in *. subst i'. exists k'. auto.
Qed.

(** A receive also by the send of its message, and by what caused that. *)
Lemma upto_receive : forall l i j k x, is_rcv (fifo l) (j, k) i j ->
  (causes (fifo l) x (j, k) <-> up_to_place l j k x \/ let s := delta (fifo l) (j, k) in x = s \/ causes (fifo l) x s).
Proof.
  intros l i j k x R. rewrite causes_last. split.
  - intros ([i' k'] & [[F L]|(a & b & _ & D)] & H); cbn [fst snd] in *.
    + left. subst i'. exists k'. auto.
    + right. cbn zeta. rewrite D. exact H.
  - intros [(k' & L & H)|H].
    + exists (j, k'). split; [left; auto|exact H].
    + exists (delta (fifo l) (j, k)). split; [right; eauto|exact H].
Qed.

Lemma upto_next : forall l i k x,
  up_to_place l i (S k) x <-> up_to_place l i k x \/ x = (i, k) \/ causes (fifo l) x (i, k).
Proof.
  intros l i k x. unfold up_to_place. split.
  - intros (k' & L & H). destruct (Nat.eq_dec k' k) as [->|N]; [tauto|]. left. exists k'. split; [lia|exact H].
  - intros [(k' & L & H)|H]; [exists k'; split; [lia|exact H]|exists k; auto].
Qed.

(** What is in the past of earlier events of a process is in the past of an event. *)
Lemma upto_local : forall l i k x, up_to_place l i k x -> causes (fifo l) x (i, k).
Proof.
  intros l i k x (k' & L & [->|C]); [now apply causes_order|]. apply causes_local_ge with k'; auto. lia.
Qed.

(** ** The next event of a program *)

Section Going.
Variables (n : nat) (l : list act).
Hypothesis W : acts_below n l.

(** A clock that has exactly the first [k] events of [i] and their past. *)
Definition is_clock (c : clock) (i : proc) (k : nat) :=
  length c = n /\ forall x, inside (at_ c) x <-> up_to_place l i k x.

(** All its events are among those of [a]. *)
Definition is_done (a : list act) (c : clock) := forall x, inside (at_ c) x -> inside (len a) x.

(** The clock before the first send on a channel, if there is one. *)
Definition opens (a : list act) (i j : proc) (opener : option clock) :=
  match opener with
  | Some c => exists x, first_send a i j x /\ is_clock c i x
  | None => forall x, nth_error (labs i a) x <> Some (Snd j)
  end.

Record going (pre : list (list act)) (cur : list act) (st : clock_state) : Prop := {
  going_clock : forall i, i < n -> is_clock (clock_of n st i) i (len (concat pre ++ cur) i);
  going_done : forall i, i < n -> is_done (concat pre ++ cur) (clock_of n st i);
  going_carried : forall i j k c, nth_error (in_flight (carried_on st i j)) k = Some c ->
    is_clock c i (S (nthpos (sndb j) (labs i l) (length (filter (rcvb i) (labs j (concat pre ++ cur))) + k))) /\
    is_done (concat pre ++ cur) c;
  going_flying : forall i j,
    length (filter (rcvb i) (labs j (concat pre ++ cur))) + length (in_flight (carried_on st i j)) =
    length (filter (sndb j) (labs i (concat pre ++ cur)));
  going_acyclic : forall e, inside (len (concat pre ++ cur)) e -> ~ causes (fifo l) e e;
  going_openers : forall i j, opens (concat pre ++ cur) i j (find2 i j (openers st));
  going_fresh : forall i j y, nth_error (labs j (concat pre ++ cur)) y = Some (Rcv i) -> y < find2_or 0 i j (fresh st);
  going_fresh_is : forall i j y, find2_or 0 i j (fresh st) = S y ->
    nth_error (labs j (concat pre ++ cur)) y = Some (Rcv i);
  going_settled : forall i j y, nth_error (labs j (concat pre)) y = Some (Rcv i) ->
    y < find2_or 0 i j (settled_up_to st);
  going_settled_is : forall i j y, find2_or 0 i j (settled_up_to st) = S y ->
    nth_error (labs j (concat pre)) y = Some (Rcv i);
  going_kept : kept st = true <-> forall as_ bs i j y z, pre = as_ ++ bs ->
    nth_error (labs j (concat as_)) y = Some (Rcv i) -> len (concat as_) i <= z ->
    nth_error (labs i (concat pre ++ cur)) z = Some (Snd j) -> causes (fifo l) (j, y) (i, z)
}.

(** *** Lists that grow by an event *)

Lemma labs_one_more : forall a e i, labs i (a ++ [e]) = labs i a ++ (if actor e =? i then [alab e] else []).
Proof. intros a e i. rewrite labs_app. f_equal. unfold labs, proj. simpl. now destruct (actor e =? i). Qed.

Lemma len_snoc : forall a e i, len (a ++ [e]) i = len a i + (if actor e =? i then 1 else 0).
Proof. intros a e i. rewrite len_app. f_equal. unfold len, proj. simpl. now destruct (actor e =? i). Qed.

Lemma next_label : forall a e b, l = a ++ e :: b -> nth_error (labs (actor e) l) (len a (actor e)) = Some (alab e).
Proof.
  intros a e b ->. rewrite <- (Nat.add_0_r (len a (actor e))), suffix_nth. unfold labs, proj. simpl.
  now rewrite Nat.eqb_refl.
Qed.

Lemma nth_snoc : forall a e i y x, nth_error (labs i (a ++ [e])) y = Some x <->
  nth_error (labs i a) y = Some x \/ (actor e = i /\ y = len a i /\ x = alab e).
Proof.
  intros a e i y x. rewrite labs_one_more. destruct (Nat.lt_ge_cases y (len a i)) as [L|G].
  - rewrite nth_error_app1 by now rewrite len_labs. split; [auto|]. intros [H|(_ & E & _)]; [auto|lia].
  - rewrite nth_error_app2 by now rewrite len_labs. rewrite len_labs.
    assert (N : nth_error (labs i a) y = None) by (apply nth_error_None; now rewrite len_labs).
    rewrite N. destruct (Nat.eqb_spec (actor e) i) as [E|D].
    + destruct (y - len a i) as [|m] eqn:M; simpl.
      * split; [intro H; injection H as <-; right; repeat split; auto; lia|].
        intros [H|(_ & _ & ->)]; [discriminate|auto].
      * destruct m; split; try discriminate; intros [H|(_ & Y & _)]; try discriminate; lia.
    + destruct (y - len a i); split; try discriminate; intros [H|(Q & _)]; try discriminate; contradiction.
Qed.

Lemma tick_at : forall c i p, i < length c -> at_ (tick c i) p = if p =? i then S (at_ c i) else at_ c p.
Proof.
  unfold at_. induction c as [|a c IH]; intros i p L; simpl in L; [lia|]. destruct i as [|i], p as [|p]; simpl; auto.
  apply IH. lia.
Qed.

(** The clock's own process has done as many events as it says. *)
Lemma own_events : forall a c i k, is_clock c i k -> is_done a c -> k = len a i -> at_ c i = k.
Proof.
  intros a c i k [_ C] D E. destruct (Nat.lt_trichotomy (at_ c i) k) as [L|[H|L]]; auto.
  - assert (H : inside (at_ c) (i, at_ c i)) by (apply C; exists (at_ c i); auto). unfold inside in H. simpl in H. lia.
  - assert (H : inside (at_ c) (i, k)) by (unfold inside; simpl; lia). apply D in H. unfold inside in H.
    simpl in H. lia.
Qed.

Lemma tick_inside : forall c i k x, i < length c -> at_ c i = k ->
  (inside (at_ (tick c i)) x <-> inside (at_ c) x \/ x = (i, k)).
Proof.
  intros c i k [p m] L E. unfold inside. cbn [fst snd]. rewrite tick_at by auto. destruct (Nat.eqb_spec p i) as [->|N].
  - rewrite E. split; [|intros [H|H]; [lia|injection H as ->; lia]]. intro H.
    destruct (Nat.eq_dec m k) as [->|]; [auto|left; lia].
  - split; [auto|]. intros [H|H]; [auto|]. injection H as -> ->. contradiction.
Qed.

Lemma tick_length : forall c i, length (tick c i) = length c.
Proof. induction c as [|a c IH]; intros [|i]; simpl; auto. Qed.

Lemma done_more : forall a e c, is_done a c -> is_done (a ++ [e]) c.
Proof. intros a e c D x H. apply D in H. unfold inside in *. rewrite len_snoc. lia. Qed.

Lemma tick_done : forall a e c, actor e < length c -> at_ c (actor e) = len a (actor e) -> is_done a c ->
  is_done (a ++ [e]) (tick c (actor e)).
Proof.
  intros a e c L E D x H. apply (tick_inside _ _ _ _ L E) in H as [H| ->]; [now apply (done_more a e c D)|].
  unfold inside. cbn [fst snd]. rewrite len_snoc, Nat.eqb_refl. lia.
Qed.

(** The clock of an event that is no receive. *)
Lemma tick_clock : forall c i k, is_clock c i k -> at_ c i = k -> i < n -> (forall a b, ~ is_rcv (fifo l) (i, k) a b) ->
  is_clock (tick c i) i (S k).
Proof.
  intros c i k [L C] E I N. split; [now rewrite tick_length|]. intro x. rewrite (tick_inside c i k) by (auto; lia).
  rewrite C, upto_next, <- (upto_causes l i k x N). tauto.
Qed.

(** The clock of a receive: [s] is that of its message. *)
Lemma join_clock : forall c s i j k z, is_clock c j k -> is_clock s i (S z) -> j < n -> at_ (clock_join c s) j = k ->
  is_rcv (fifo l) (j, k) i j -> delta (fifo l) (j, k) = (i, z) -> (forall a b, ~ is_rcv (fifo l) (i, z) a b) ->
  is_clock (tick (clock_join c s) j) j (S k).
Proof.
  intros c s i j k z [Lc C] [Ls S] J E R D N.
  assert (Lj : length (clock_join c s) = n) by (rewrite join_length; lia).
  split; [now rewrite tick_length|]. intro x. rewrite (tick_inside _ j k) by (auto; lia).
  assert (Ji : inside (at_ (clock_join c s)) x <-> inside (at_ c) x \/ inside (at_ s) x).
  { unfold inside. rewrite join_at. lia. }
  pose proof (upto_receive l i j k x R) as U. cbn zeta in U. rewrite D in U.
  rewrite Ji, C, S, (upto_next l i z), (upto_next l j k), U, (upto_causes l i z x N). tauto.
Qed.

Lemma nothing_is_clock : forall i, i < n -> is_clock (repeat 0 n) i 0.
Proof.
  intros i I. split; [apply repeat_length|]. intro x. unfold inside. rewrite at_zeros. split; [lia|].
  intros (k & K & _). lia.
Qed.

(** *** The number of an event on its channel *)

Lemma earlier_labels : forall a b i, l = a ++ b -> firstn (len a i) (labs i l) = labs i a.
Proof.
  intros a b i ->. rewrite prefix_firstn by auto. rewrite <- len_labs. apply firstn_all.
Qed.

Lemma send_position : forall a b i j, l = a ++ ASend i j :: b ->
  nthpos (sndb j) (labs i l) (length (filter (sndb j) (labs i a))) = len a i.
Proof.
  intros a b i j E. rewrite <- (earlier_labels a (ASend i j :: b) i E). apply nthpos_count with (Snd j).
  - exact (next_label a (ASend i j) b E).
  - now apply sndb_spec.
Qed.

Lemma receive_source : forall a b i j, l = a ++ ARecv j i :: b ->
  is_rcv (fifo l) (j, len a j) i j /\
  delta (fifo l) (j, len a j) = (i, nthpos (sndb j) (labs i l) (length (filter (rcvb i) (labs j a)))).
Proof.
  intros a b i j E. pose proof (next_label a (ARecv j i) b E) as H. simpl in H. split.
  - split; auto. simpl. now rewrite H.
  - simpl. rewrite H. now rewrite (earlier_labels a (ARecv j i :: b) j E).
Qed.

(** A position with this number is that of a send on the channel. *)
Lemma numbered_send : forall a b i j k, l = a ++ b -> k < length (filter (sndb j) (labs i a)) ->
  nth_error (labs i l) (nthpos (sndb j) (labs i l) k) = Some (Snd j).
Proof.
  intros a b i j k -> L. rewrite labs_app. destruct (nthpos_spec (sndb j) (labs i a ++ labs i b) k) as (x & N & S & _).
  - rewrite filter_app, app_length. lia.
  - apply sndb_spec in S. now subst x.
Qed.

Lemma count_snd_snoc : forall a e i j, length (filter (sndb j) (labs i (a ++ [e]))) =
  length (filter (sndb j) (labs i a)) + (if (actor e =? i) && sndb j (alab e) then 1 else 0).
Proof.
  intros. rewrite labs_one_more, filter_app, app_length. f_equal. destruct (actor e =? i); simpl; auto.
  now destruct (sndb j _).
Qed.

Lemma count_rcv_snoc : forall a e i j, length (filter (rcvb i) (labs j (a ++ [e]))) =
  length (filter (rcvb i) (labs j a)) + (if (actor e =? j) && rcvb i (alab e) then 1 else 0).
Proof.
  intros. rewrite labs_one_more, filter_app, app_length. f_equal. destruct (actor e =? j); simpl; auto.
  now destruct (rcvb i _).
Qed.

Lemma clock_of_add : forall st i c i', find_or (repeat 0 n) i' (add i c (clocks st)) =
  if i' =? i then c else clock_of n st i'.
Proof. intros. apply find_or_add. Qed.

Lemma not_in_own_past : forall a e c, is_done a c ->
  (forall x, causes (fifo l) x (actor e, len a (actor e)) -> inside (at_ c) x) ->
  ~ causes (fifo l) (actor e, len a (actor e)) (actor e, len a (actor e)).
Proof. intros a e c D H C. apply H, D in C. unfold inside in C. simpl in C. lia. Qed.

(** Of events that are done, the new one is none. *)
Lemma acyclic_snoc : forall a e, (forall x, inside (len a) x -> ~ causes (fifo l) x x) ->
  ~ causes (fifo l) (actor e, len a (actor e)) (actor e, len a (actor e)) ->
  forall x, inside (len (a ++ [e])) x -> ~ causes (fifo l) x x.
Proof.
  intros a e H N [i k] I. unfold inside in I. cbn [fst snd] in I. rewrite len_snoc in I.
  destruct (Nat.eqb_spec (actor e) i) as [<-|D].
  - destruct (Nat.eq_dec k (len a (actor e))) as [->|]; auto. apply H. unfold inside. simpl. lia.
  - apply H. unfold inside. simpl. lia.
Qed.

(** *** One event *)

Section Event.
Variables (pre : list (list act)) (cur b : list act) (a : act) (st : clock_state).
Hypotheses (G : going pre cur st) (E : l = (concat pre ++ cur) ++ a :: b).

Lemma event_actor : actor a < n.
Proof. assert (I : In a l) by (rewrite E; apply in_elt). specialize (W a I). destruct a; simpl; tauto. Qed.

Lemma event_clock : is_clock (clock_of n st (actor a)) (actor a) (len (concat pre ++ cur) (actor a)).
Proof. apply (going_clock _ _ _ G), event_actor. Qed.

Lemma event_own : at_ (clock_of n st (actor a)) (actor a) = len (concat pre ++ cur) (actor a).
Proof. eapply own_events; [apply event_clock|apply (going_done _ _ _ G), event_actor|reflexivity]. Qed.

(** The clocks of all processes, where [a]'s process gets this one. *)
Lemma event_clocks : forall c, is_clock c (actor a) (S (len (concat pre ++ cur) (actor a))) ->
  is_done ((concat pre ++ cur) ++ [a]) c ->
  forall i, i < n -> let c' := find_or (repeat 0 n) i (add (actor a) c (clocks st)) in
  is_clock c' i (len ((concat pre ++ cur) ++ [a]) i) /\ is_done ((concat pre ++ cur) ++ [a]) c'.
Proof.
  intros c C D i I. cbn zeta. rewrite clock_of_add, len_snoc. destruct (Nat.eqb_spec i (actor a)) as [->|N].
  - rewrite Nat.eqb_refl, Nat.add_1_r. auto.
  - replace (actor a =? i) with false by (symmetry; apply Nat.eqb_neq; auto). rewrite Nat.add_0_r.
    split; [now apply (going_clock _ _ _ G)|now apply done_more, (going_done _ _ _ G)].
Qed.

(** Nothing is received on a channel on which [a] does not receive. *)
Lemma event_carried : forall i j k c, a <> ARecv j i -> nth_error (in_flight (carried_on st i j)) k = Some c ->
  let k' := length (filter (rcvb i) (labs j ((concat pre ++ cur) ++ [a]))) + k in
  is_clock c i (S (nthpos (sndb j) (labs i l) k')) /\ is_done ((concat pre ++ cur) ++ [a]) c.
Proof.
  intros i j k c N F. apply (going_carried _ _ _ G) in F as (C & D). cbn zeta. rewrite count_rcv_snoc.
  destruct (_ && _) eqn:R; [|rewrite Nat.add_0_r; auto using done_more]. exfalso. apply N.
  apply andb_true_iff in R as [A R]. apply Nat.eqb_eq in A. apply rcvb_spec in R. destruct a; try discriminate.
  simpl in A, R. congruence.
Qed.

Lemma event_flying : forall i j, a <> ARecv j i -> a <> ASend i j ->
  length (filter (rcvb i) (labs j ((concat pre ++ cur) ++ [a]))) + length (in_flight (carried_on st i j)) =
  length (filter (sndb j) (labs i ((concat pre ++ cur) ++ [a]))).
Proof.
  intros i j N N'. rewrite count_rcv_snoc, count_snd_snoc, <- (going_flying _ _ _ G).
  assert (Zr : (actor a =? j) && rcvb i (alab a) = false).
  { apply not_true_iff_false. intro R. apply N. apply andb_true_iff in R as [A R]. apply Nat.eqb_eq in A.
    apply rcvb_spec in R. destruct a; try discriminate. simpl in A, R. congruence. }
  assert (Zs : (actor a =? i) && sndb j (alab a) = false).
  { apply not_true_iff_false. intro R. apply N'. apply andb_true_iff in R as [A R]. apply Nat.eqb_eq in A.
    apply sndb_spec in R. destruct a; try discriminate. simpl in A, R. congruence. }
  rewrite Zr, Zs. lia.
Qed.

(** Receives on a channel are those before, and perhaps this one. *)
Lemma event_receives : forall i j y, nth_error (labs j ((concat pre ++ cur) ++ [a])) y = Some (Rcv i) <->
  nth_error (labs j (concat pre ++ cur)) y = Some (Rcv i) \/ (a = ARecv j i /\ y = len (concat pre ++ cur) j).
Proof.
  intros i j y. rewrite nth_snoc. split; (intros [H|H]; [auto|right]).
  - destruct H as (A & Y & L). destruct a; try discriminate. simpl in A, L. injection L as ->. subst. auto.
  - destruct H as [-> ->]. simpl. auto.
Qed.

(** The first send on a channel stays the first one, ... *)
Lemma first_send_more : forall i j x, first_send (concat pre ++ cur) i j x ->
  first_send ((concat pre ++ cur) ++ [a]) i j x.
Proof.
  intros i j x [H M]. split; [apply nth_snoc; auto|]. intros x' H'. apply nth_snoc in H' as [H'|(_ & -> & _)]; auto.
  apply labs_lt in H. lia.
Qed.

(** ... and a channel on which [a] does not send has no other. *)
Lemma event_openers : forall i j, a <> ASend i j -> match find2 i j (openers st) with
  | Some c => exists x, first_send ((concat pre ++ cur) ++ [a]) i j x /\ is_clock c i x
  | None => forall x, nth_error (labs i ((concat pre ++ cur) ++ [a])) x <> Some (Snd j)
  end.
Proof.
  intros i j N. pose proof (going_openers _ _ _ G i j) as O. destruct (find2 i j (openers st)) as [c|].
  - destruct O as (x & F & C). exists x. split; auto. now apply first_send_more.
  - intros x H. apply nth_snoc in H as [H|(A & _ & H)]; [now apply (O x)|]. apply N.
    destruct a; try discriminate. simpl in A, H. injection H as ->. congruence.
Qed.

Lemma event_kept : forall k, (forall i j, a <> ASend i j) -> (k = true <-> kept st = true) ->
  (k = true <-> forall as_ bs i j y z, pre = as_ ++ bs ->
    nth_error (labs j (concat as_)) y = Some (Rcv i) -> len (concat as_) i <= z ->
    nth_error (labs i ((concat pre ++ cur) ++ [a])) z = Some (Snd j) -> causes (fifo l) (j, y) (i, z)).
Proof.
  intros k N K. rewrite K, (going_kept _ _ _ G). split; intros H as_ bs i j y z P R L S; apply (H as_ bs); auto;
    rewrite ?nth_snoc in *; auto.
  destruct S as [S|(A & _ & S)]; auto. destruct a; try discriminate. simpl in A, S. injection S as ->.
  exfalso. eapply N; eauto.
Qed.

Theorem happen_going : forall st', happen n st a = Some st' -> going pre (cur ++ [a]) st'.
Proof.
  intros st' H. pose proof event_actor as I. pose proof event_clock as C. pose proof event_own as O.
  pose proof (going_done _ _ _ G _ I) as D. pose proof (next_label _ _ _ E) as Lab.
  unfold happen in H. set (c := clock_of n st (actor a)) in *. assert (Lc : length c = n) by apply C.
  destruct a as [i j|j i|i] eqn:Ea; rewrite <- Ea in E; cbn [actor alab] in *.
  - (* a send *)
    injection H as <-.
    assert (Nr : forall u v, ~ is_rcv (fifo l) (i, len (concat pre ++ cur) i) u v).
    { intros u v. apply send_is_no_receive with (j := j). exact Lab. }
    pose proof (tick_clock c i _ C O I Nr) as C'. pose proof (tick_done (concat pre ++ cur) a c) as D'.
    rewrite Ea in D'. cbn [actor] in D'.
    specialize (D' ltac:(lia) O D). rewrite <- Ea in D'.
    pose proof (event_clocks (tick c i)) as Cs. rewrite Ea in Cs. cbn [actor] in Cs. rewrite <- Ea in Cs.
    specialize (Cs C' D').
    rewrite <- Ea. constructor; cbn [clocks carried openers fresh settled_up_to kept]; rewrite ?app_assoc.
    + intros k K. exact (proj1 (Cs k K)).
    + intros k K. exact (proj2 (Cs k K)).
    + intros i' j' k c1. unfold carried_on at 1. cbn [carried]. rewrite find2_or_add2.
      destruct ((i' =? i) && (j' =? j)) eqn:Ch; [|apply event_carried; congruence].
      apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'. rewrite send_clock_spec.
      destruct (Nat.lt_ge_cases k (length (in_flight (carried_on st i j)))) as [Lt|Ge];
        [rewrite nth_error_app1 by auto; apply event_carried; congruence|].
      rewrite nth_error_app2 by auto.
      destruct (k - length (in_flight (carried_on st i j))) as [|[|m]] eqn:Z; try discriminate.
      replace k with (length (in_flight (carried_on st i j))) by lia. intro F. injection F as <-.
      rewrite count_rcv_snoc, Ea. cbn [actor alab rcvb].
      rewrite andb_false_r, Nat.add_0_r, (going_flying _ _ _ G). rewrite Ea in E.
      rewrite (send_position _ _ _ _ E), <- Ea. auto.
    + intros i' j'. unfold carried_on at 1. cbn [carried]. rewrite find2_or_add2.
      destruct ((i' =? i) && (j' =? j)) eqn:Ch.
      * apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'.
        rewrite send_clock_spec, app_length, count_rcv_snoc, count_snd_snoc, <- (going_flying _ _ _ G), Ea.
        cbn [actor alab sndb rcvb]. rewrite andb_false_r, !Nat.eqb_refl. simpl. lia.
      * apply event_flying; [congruence|]. rewrite Ea. intro Q. injection Q as <- <-. now rewrite !Nat.eqb_refl in Ch.
    + rewrite Ea. apply acyclic_snoc; [apply (going_acyclic _ _ _ G)|]. cbn [actor].
      apply (not_in_own_past (concat pre ++ cur) (ASend i j) c D). intros x X. apply C. now apply upto_causes.
    + intros i' j'. destruct (find2 i j (openers st)) as [c0|] eqn:O0.
      * destruct (Nat.eq_dec i' i) as [->|]; [destruct (Nat.eq_dec j' j) as [->|]|];
          try (apply event_openers; congruence).
        rewrite O0. pose proof (going_openers _ _ _ G i j) as F. rewrite O0 in F. destruct F as (x & F & Cx). exists x.
        split; auto. now apply first_send_more.
      * rewrite find2_add2. destruct (Nat.eqb_spec i' i) as [->|]; [destruct (Nat.eqb_spec j' j) as [->|]|]; simpl;
          try (apply event_openers; congruence).
        pose proof (going_openers _ _ _ G i j) as F. rewrite O0 in F. exists (len (concat pre ++ cur) i).
        split; [|exact C]. split.
        -- apply nth_snoc. right. rewrite Ea. auto.
        -- intros x' H. apply nth_snoc in H as [H|(_ & -> & _)]; auto. now apply F in H.
    + intros i' j' y. rewrite event_receives, Ea. intros [R|[R _]]; [now apply (going_fresh _ _ _ G)|discriminate].
    + intros i' j' y F. apply event_receives. left. now apply (going_fresh_is _ _ _ G).
    + apply (going_settled _ _ _ G).
    + apply (going_settled_is _ _ _ G).
    + rewrite andb_true_iff, Nat.leb_le, (going_kept _ _ _ G). split.
      * intros [K Le] as_ bs i' j' y z P R L S. apply nth_snoc in S as [S|(A & -> & S)]; [now apply (K as_ bs)|].
        rewrite Ea in A, S. cbn [actor alab] in A, S. subst i'. injection S as <-. apply upto_local, C.
        assert (R' : nth_error (labs j' (concat pre)) y = Some (Rcv i))
          by (rewrite P, concat_split; now apply prefix_nth).
        apply (going_settled _ _ _ G) in R'. unfold inside. cbn [fst snd]. lia.
      * intro K. split.
        -- intros as_ bs i' j' y z P R L S. apply (K as_ bs); auto. apply nth_snoc. auto.
        -- destruct (find2_or 0 i j (settled_up_to st)) as [|y] eqn:F; [lia|]. apply (going_settled_is _ _ _ G) in F.
           assert (X : causes (fifo l) (j, y) (i, len (concat pre ++ cur) i)).
           { apply (K pre [] i j y); [now rewrite app_nil_r|exact F|rewrite len_app; lia|].
             apply nth_snoc. right. rewrite Ea. auto. }
           apply upto_causes, C in X; auto.
  - (* a receive *)
    destruct (receive_clock _) as [[s waiting]|] eqn:F; [|discriminate]. injection H as <-.
    rewrite Ea in E. destruct (receive_source _ _ _ _ E) as [R De]. rewrite <- Ea in E.
    apply receive_clock_spec in F.
    destruct (going_carried _ _ _ G i j 0 s) as (Cs & Ds); [now rewrite F|]. rewrite Nat.add_0_r in Cs.
    set (k := length (filter (rcvb i) (labs j (concat pre ++ cur)))) in *.
    assert (K : k < length (filter (sndb j) (labs i (concat pre ++ cur)))).
    { rewrite <- (going_flying _ _ _ G), F. fold k. simpl. lia. }
    pose proof (numbered_send (concat pre ++ cur) _ i j k E K) as Sn.
    assert (Nr : forall u v, ~ is_rcv (fifo l) (i, nthpos (sndb j) (labs i l) k) u v).
    { intros u v. apply send_is_no_receive with (j := j). exact Sn. }
    assert (Ls : length s = n) by apply Cs.
    assert (Dj : is_done (concat pre ++ cur) (clock_join c s)).
    { intros x X. unfold inside in X. rewrite join_at in X.
      assert (inside (at_ c) x \/ inside (at_ s) x) as [Y|Y] by (unfold inside; lia); [now apply D|now apply Ds]. }
    assert (Oj : at_ (clock_join c s) j = len (concat pre ++ cur) j).
    { rewrite join_at, O. assert (at_ s j <= len (concat pre ++ cur) j); [|lia].
      destruct (le_lt_dec (at_ s j) (len (concat pre ++ cur) j)) as [|Lt]; auto. exfalso.
      apply (Nat.lt_irrefl (len (concat pre ++ cur) j)).
      apply (Ds (j, len (concat pre ++ cur) j)). exact Lt. }
    pose proof (join_clock c s i j _ _ C Cs I Oj R De Nr) as C'.
    pose proof (tick_done (concat pre ++ cur) a (clock_join c s)) as D'. rewrite Ea in D'. cbn [actor] in D'.
    rewrite join_length in D'.
    specialize (D' ltac:(lia) Oj Dj). rewrite <- Ea in D'.
    pose proof (event_clocks (tick (clock_join c s) j)) as Ck. rewrite Ea in Ck. cbn [actor] in Ck.
    rewrite <- Ea in Ck. specialize (Ck C' D').
    rewrite <- Ea. constructor; cbn [clocks carried openers fresh settled_up_to kept]; rewrite ?app_assoc.
    + intros m M. exact (proj1 (Ck m M)).
    + intros m M. exact (proj2 (Ck m M)).
    + intros i' j' m c1. unfold carried_on at 1. cbn [carried]. rewrite find2_or_add2.
      destruct ((i' =? i) && (j' =? j)) eqn:Ch.
      * apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'. intro Q.
        destruct (going_carried _ _ _ G i j (S m) c1) as (C1 & D1); [now rewrite F|]. split; [|now apply done_more].
        rewrite count_rcv_snoc, Ea. cbn [actor alab]. rewrite Nat.eqb_refl, (proj2 (rcvb_spec i (Rcv i)) eq_refl).
        cbn [andb]. now rewrite <- Nat.add_assoc.
      * apply event_carried. rewrite Ea. intro Q. injection Q as <- <-. now rewrite !Nat.eqb_refl in Ch.
    + intros i' j'. unfold carried_on at 1. cbn [carried]. rewrite find2_or_add2.
      destruct ((i' =? i) && (j' =? j)) eqn:Ch.
      * apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'.
        rewrite count_rcv_snoc, count_snd_snoc, <- (going_flying _ _ _ G), F, Ea. cbn [actor alab sndb].
        rewrite andb_false_r, Nat.eqb_refl, (proj2 (rcvb_spec i (Rcv i)) eq_refl). simpl. lia.
      * apply event_flying; [|congruence]. rewrite Ea. intro Q. injection Q as <- <-. now rewrite !Nat.eqb_refl in Ch.
    + rewrite Ea. apply acyclic_snoc; [apply (going_acyclic _ _ _ G)|]. cbn [actor].
      apply (not_in_own_past (concat pre ++ cur) (ARecv j i) (clock_join c s) Dj). cbn [actor]. intros x X.
      apply (upto_receive l i j _ x R) in X. cbn zeta in X. rewrite De in X. unfold inside. rewrite join_at.
      assert (inside (at_ c) x \/ inside (at_ s) x) as [Y|Y]; [|unfold inside in Y; lia|unfold inside in Y; lia].
      destruct X as [X|X]; [left; now apply C|right]. apply Cs, upto_next. auto.
    + intros i' j'. apply event_openers. congruence.
    + intros i' j' y. rewrite event_receives, find2_or_add2, Ea. intros [Q|[Q Y]].
      * apply (going_fresh _ _ _ G) in Q as Lt. destruct ((i' =? i) && (j' =? j)) eqn:Ch; auto.
        apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'. apply labs_lt in Q. lia.
      * injection Q as <- <-. rewrite !Nat.eqb_refl. simpl. lia.
    + intros i' j' y. rewrite find2_or_add2, event_receives. destruct ((i' =? i) && (j' =? j)) eqn:Ch.
      * apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst i' j'. intro Q.
        injection Q as <-. right. auto.
      * intro Q. left. now apply (going_fresh_is _ _ _ G).
    + apply (going_settled _ _ _ G).
    + apply (going_settled_is _ _ _ G).
    + apply event_kept; [congruence|tauto].
  - (* something internal *)
    injection H as <-.
    assert (Nr : forall u v, ~ is_rcv (fifo l) (i, len (concat pre ++ cur) i) u v).
    { intros u v [_ Rl]. simpl in Rl. rewrite Lab in Rl. discriminate. }
    pose proof (tick_clock c i _ C O I Nr) as C'. pose proof (tick_done (concat pre ++ cur) a c) as D'.
    rewrite Ea in D'. cbn [actor] in D'.
    specialize (D' ltac:(lia) O D). rewrite <- Ea in D'.
    pose proof (event_clocks (tick c i)) as Cs. rewrite Ea in Cs. cbn [actor] in Cs. rewrite <- Ea in Cs.
    specialize (Cs C' D').
    rewrite <- Ea. constructor; cbn [clocks carried openers fresh settled_up_to kept]; rewrite ?app_assoc.
    + intros k K. exact (proj1 (Cs k K)).
    + intros k K. exact (proj2 (Cs k K)).
    + intros i' j' k c1. apply event_carried. congruence.
    + intros i' j'. apply event_flying; congruence.
    + rewrite Ea. apply acyclic_snoc; [apply (going_acyclic _ _ _ G)|]. cbn [actor].
      apply (not_in_own_past (concat pre ++ cur) (AInt i) c D). intros x X. apply C. now apply upto_causes.
    + intros i' j'. apply event_openers. congruence.
    + intros i' j' y. rewrite event_receives, Ea. intros [R|[R _]]; [now apply (going_fresh _ _ _ G)|discriminate].
    + intros i' j' y F. apply event_receives. left. now apply (going_fresh_is _ _ _ G).
    + apply (going_settled _ _ _ G).
    + apply (going_settled_is _ _ _ G).
    + apply event_kept; [congruence|tauto].
Qed.
End Event.

(** *** Layers *)

Lemma happen_all_going : forall rest pre cur b st st', going pre cur st -> l = (concat pre ++ cur) ++ rest ++ b ->
  happen_all n st rest = Some st' -> going pre (cur ++ rest) st'.
Proof.
  induction rest as [|a rest IH]; intros pre cur b st st' G E H; simpl in H.
  - injection H as <-. now rewrite app_nil_r.
  - destruct (happen n st a) as [st1|] eqn:F; [|discriminate].
    pose proof (happen_going pre cur (rest ++ b) a st G E st1 F) as G1.
    replace (cur ++ a :: rest) with ((cur ++ [a]) ++ rest) by now rewrite <- app_assoc.
    apply (IH pre (cur ++ [a]) b st1); auto. rewrite E. now rewrite <- !app_assoc.
Qed.

(** A split of a list with one element more at its end is one of the list, or after that element. *)
Lemma app_split_last {A} : forall (u v w : list A) a, w ++ [a] = u ++ v ->
  (exists v', v = v' ++ [a] /\ w = u ++ v') \/ (u = w ++ [a] /\ v = []).
Proof.
  intros u v w a. destruct v as [|b v] using rev_ind; intro E; [rewrite app_nil_r in E; auto|]. left.
  rewrite app_assoc in E. apply app_inj_tail in E as [-> ->]. eauto.
Qed.

Lemma settle_going : forall pre cur st, going pre cur st -> going (pre ++ [cur]) [] (settle st).
Proof.
  intros pre cur st G.
  assert (E : concat (pre ++ [cur]) = concat pre ++ cur) by (rewrite concat_split; simpl; now rewrite app_nil_r).
  constructor; cbn [clocks carried openers fresh settled_up_to kept settle]; rewrite ?E, ?app_nil_r; try apply G.
  rewrite (going_kept _ _ _ G). split; intros K as_ bs i j y z P R L S.
  - destruct (app_split_last as_ bs pre cur P) as [(bs' & -> & Pb)|[-> ->]]; [now apply (K as_ bs')|].
    exfalso. apply labs_lt in S. rewrite E in L. lia.
  - apply (K as_ (bs ++ [cur])); auto. now rewrite P, <- app_assoc.
Qed.

Lemma labels_are_events : forall a i x, In x (labs i a) <-> exists e, In e a /\ actor e = i /\ alab e = x.
Proof.
  intros a i x. unfold labs, proj. rewrite in_map_iff. split; intros (e & H).
  - destruct H as [<- I]. apply filter_In in I as [I A]. apply Nat.eqb_eq in A. eauto.
  - destruct H as (I & A & <-). exists e. split; auto. apply filter_In. split; auto. now apply Nat.eqb_eq.
Qed.

(** A layer all of whose channels are even after it, and before which all are, is balanced. *)
Lemma even_balanced : forall pre x st, going pre x st -> balanced (concat pre) ->
  forallb (is_even st) x = true -> balanced x.
Proof.
  intros pre x st G B H i j. rewrite forallb_forall in H.
  assert (Step : is_empty_queue (carried_on st i j) = true ->
    length (filter (sndb j) (labs i x)) = length (filter (rcvb i) (labs j x))).
  { intro Q. apply is_empty_queue_spec in Q. pose proof (going_flying _ _ _ G i j) as F. rewrite Q in F. revert F.
    rewrite !labs_app, !filter_app, !app_length, (B i j). simpl. lia. }
  destruct (filter (sndb j) (labs i x)) as [|a u] eqn:S, (filter (rcvb i) (labs j x)) as [|c v] eqn:R; auto; apply Step.
  - assert (I : In c (filter (rcvb i) (labs j x))) by (rewrite R; now left). apply filter_In in I as [I L].
    apply rcvb_spec in L. subst c. apply labels_are_events in I as ([k m|k m|k] & I & A & Lb); try discriminate.
    simpl in A, Lb. injection Lb as <-. subst k. exact (H _ I).
  - assert (I : In a (filter (sndb j) (labs i x))) by (rewrite S; now left). apply filter_In in I as [I L].
    apply sndb_spec in L. subst a. apply labels_are_events in I as ([k m|k m|k] & I & A & Lb); try discriminate.
    simpl in A, Lb. injection Lb as <-. subst k. exact (H _ I).
  - assert (I : In a (filter (sndb j) (labs i x))) by (rewrite S; now left). apply filter_In in I as [I L].
    apply sndb_spec in L. subst a. apply labels_are_events in I as ([k m|k m|k] & I & A & Lb); try discriminate.
    simpl in A, Lb. injection Lb as <-. subst k. exact (H _ I).
Qed.

Lemma play_from_going : forall ls pre st st', going pre [] st -> balanced (concat pre) ->
  (exists b, l = concat pre ++ concat ls ++ b) -> play_from n st ls = Some st' ->
  going (pre ++ ls) [] st' /\ forall x, In x ls -> balanced x.
Proof.
  induction ls as [|x ls IH]; intros pre st st' G B [b E] H; simpl in H.
  - injection H as <-. rewrite app_nil_r. split; auto. intros x [].
  - destruct (happen_all n st x) as [st1|] eqn:F; [|discriminate]. destruct (forallb _ x) eqn:Ev; [|discriminate].
    assert (G1 : going pre x st1).
    { apply (happen_all_going x pre [] (concat ls ++ b) st); auto. rewrite app_nil_r, E. simpl.
      now rewrite <- app_assoc. }
    pose proof (even_balanced pre x st1 G1 B Ev) as Bx.
    destruct (IH (pre ++ [x]) (settle st1) st') as [G2 Bs]; auto using settle_going.
    + rewrite concat_split. simpl. rewrite app_nil_r. now apply balanced_app.
    + exists b. rewrite E, concat_split. simpl. now rewrite app_nil_r, <- !app_assoc.
    + rewrite <- app_assoc in G2. split; auto. intros y [<-|I]; auto.
Qed.

Lemma nothing_going : going [] [] initial_clocks.
Proof.
  constructor; simpl; try (intros; reflexivity).
  - intros i I. now apply nothing_is_clock.
  - intros i I x X. change (snd x < at_ (repeat 0 n) (fst x)) in X. rewrite at_zeros in X. lia.
  - intros i j [|k] c F; discriminate.
  - intros e I. unfold inside, len in I. simpl in I. lia.
  - intros i j x H. destruct x; discriminate.
  - intros i j [|y] F; discriminate.
  - intros i j y F. discriminate.
  - intros i j [|y] F; discriminate.
  - intros i j y F. discriminate.
  - split; auto. intros _ as_ bs i j y z P R _ S. destruct z; discriminate.
Qed.

(** If no event of the program is in its own past, then no event at all is. *)
Lemma acyclic_dead_free : (forall e, inside (len l) e -> ~ causes (fifo l) e e) -> dead_free l.
Proof.
  intros H e C. destruct (causes_by_message n l e e W C) as [[_ L]|(s & t & M & S & T)]; [lia|].
  pose proof (proj1 (links_spec n l s t) M) as (_ & _ & i & L). apply labs_lt in L. apply (H t L).
  apply t_trans with s; [|apply t_step, (link_step n l _ _ M)].
  destruct S as [<-|S], T as [->|T]; auto. eapply t_trans; eauto.
Qed.
End Going.

Lemma play_from_app : forall n a b st, play_from n st (a ++ b) =
  match play_from n st a with Some st' => play_from n st' b | None => None end.
Proof.
  intro n. induction a as [|x a IH]; intros b st; simpl; auto. destruct (happen_all n st x) as [st'|]; auto.
  destruct (forallb _ x); auto.
Qed.

(** ** What [play] says *)

(** The last receives in these layers are in the past of the sender's end. *)
Definition ends_reached (n : nat) (last : trie (trie nat)) (st : clock_state) (l : list act) : bool :=
  forallb (fun a => match a with
                    | ARecv j i => find2_or 0 i j last <=? at_ (clock_of n st i) j
                    | _ => true
                    end) l.

Definition reach_ends (a l : list act) := forall i j y, nth_error (labs j a) y = Some (Rcv i) ->
  causes (fifo l) (j, y) (i, len l i).

Lemma no_receive_at_end : forall l i a b, ~ is_rcv (fifo l) (i, len l i) a b.
Proof. intros l i a b [_ R]. apply fifo_lab in R as [_ R]; [|discriminate]. cbn [fst snd] in R. lia. Qed.

Record played_by_clocks (n : nat) (ls : list (list act)) (st : clock_state) : Prop := {
  played_below : acts_below n (concat ls);
  played_noself : nofself (concat ls);
  played_balanced : forall x, In x ls -> balanced x;
  played_dead_free : dead_free (concat ls);
  played_kept : kept st = true <-> forall as_ bs, ls = as_ ++ bs -> kept_apart (concat as_) (concat bs);
  played_going : going n (concat ls) ls [] st
}.

Theorem play_correct : forall n ls st, play n ls = Some st -> played_by_clocks n ls st.
Proof.
  intros n ls st H. unfold play in H. destruct (_ && _) eqn:V; [|discriminate]. apply andb_true_iff in V as [W N].
  apply is_below_spec in W. apply has_no_self_spec in N.
  destruct (play_from_going n (concat ls) W ls [] initial_clocks st) as [G B]; auto using nothing_going.
  { intros i j. reflexivity. }
  { exists []. simpl. now rewrite app_nil_r. }
  simpl in G. constructor; auto.
  - apply (acyclic_dead_free n); auto. pose proof (going_acyclic _ _ _ _ _ G) as A. now rewrite app_nil_r in A.
  - rewrite (going_kept _ _ _ _ _ G), app_nil_r. split.
    + intros K as_ bs E i j y z Y Z. rewrite <- concat_split, <- E. apply (K as_ bs); auto; [lia|].
      rewrite E, concat_split, suffix_nth. exact Z.
    + intros K as_ bs i j y z E Y L Z. specialize (K as_ bs E i j y (z - len (concat as_) i) Y).
      replace (len (concat as_) i + (z - len (concat as_) i)) with z in K by lia.
      rewrite <- concat_split, <- E in K. apply K. rewrite E, concat_split in Z.
      rewrite <- suffix_nth with (a := concat as_).
      now replace (len (concat as_) i + (z - len (concat as_) i)) with z by lia.
Qed.

(** [last] has the last receives of [a]. *)
Lemma ends_reached_settled : forall n l a ls last st, acts_below n l -> going n l ls [] st -> l = concat ls ->
  acts_below n a ->
  (forall i j y, nth_error (labs j a) y = Some (Rcv i) -> y < find2_or 0 i j last) ->
  (forall i j y, find2_or 0 i j last = S y -> nth_error (labs j a) y = Some (Rcv i)) ->
  (ends_reached n last st a = true <-> reach_ends a l).
Proof.
  intros n l a ls last st W G -> Wp Up Is. set (l := concat ls) in *.
  assert (C : forall i j y, i < n -> (y < at_ (clock_of n st i) j <-> causes (fifo l) (j, y) (i, len l i))).
  { intros i j y I. destruct (going_clock _ _ _ _ _ G i I) as [_ C]. rewrite app_nil_r in C.
    exact (iff_trans (C (j, y)) (upto_causes l i (len l i) (j, y) (no_receive_at_end l i))). }
  unfold ends_reached. rewrite forallb_forall. split.
  - intros H i j y Y. assert (I : i < n) by (apply (below_peer n a j y _ Wp Y)).
    apply C; auto. pose proof (Up i j y Y).
    apply nth_error_In, labels_are_events in Y as ([u v|u v|u] & In_ & A & L); try discriminate.
    simpl in A, L. injection L as ->. subst u. specialize (H _ In_). cbn in H. apply Nat.leb_le in H. lia.
  - intros H [i j|j i|i] I; auto. apply Nat.leb_le.
    destruct (find2_or 0 i j last) as [|y] eqn:F; [lia|]. apply Is in F.
    apply C; [|now apply H]. specialize (Wp _ I). simpl in Wp. tauto.
Qed.

(** ** P and then Q *)

(** The states after P and after P;Q. *)
Definition play_two (n : nat) (p q : list act) : option (clock_state * clock_state) :=
  match play n [p] with
  | Some first =>
      if is_below n q && has_no_self q then
        match play_from n first [q] with Some both => Some (first, both) | None => None end
      else None
  | None => None
  end.

Lemma play_two_spec : forall n p q first both, play_two n p q = Some (first, both) ->
  play n [p] = Some first /\ play n [p; q] = Some both.
Proof.
  intros n p q first both H. unfold play_two in H. destruct (play n [p]) as [st|] eqn:F; [|discriminate].
  destruct (is_below n q && has_no_self q) eqn:V; [|discriminate].
  destruct (play_from n st [q]) as [st'|] eqn:T; [|discriminate]. injection H as -> ->. split; auto.
  unfold play in *. destruct (is_below n (concat [p]) && has_no_self (concat [p])) eqn:V1; [|discriminate].
  simpl concat in *. rewrite app_nil_r in *. apply andb_true_iff in V as [A B], V1 as [A1 B1].
  replace (is_below n (p ++ q)) with true by (unfold is_below in *; now rewrite forallb_app, A, A1).
  replace (has_no_self (p ++ q)) with true by (unfold has_no_self in *; now rewrite forallb_app, B, B1).
  cbn [andb]. change [p; q] with ([p] ++ [q]). now rewrite play_from_app, F.
Qed.
