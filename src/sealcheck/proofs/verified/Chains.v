(** * Chains

    A chain for a channel on which P receives leads from P's last receive to the next send on it, or to an earlier event
    of the sender: each place is a step of the program graph after the one before it.  Such chains show that Q seals P:
    [chains_sound].  The steps are looked up in a table of the events at the places of the chains. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Prefix CausalPast Decider.
From Sealcheck Require Import KnowledgeDecider Tries Clocks.

(** ** A table of events *)

(** Counted are all events, and listed are those at places that are wanted: in a long program these are few. *)
Record table := {
  lengths : trie nat;
  sent_so_far_on : trie (trie nat);         (** how many, by sender and receiver *)
  received_on : trie (trie nat);
  listed_at : trie (trie (label * nat));    (** by process and position: the event, and its number on its channel *)
  next_sends : trie (trie nat)              (** the first sends on channels, from some point on *)
}.

Definition no_events : table :=
  {| lengths := Leaf; sent_so_far_on := Leaf; received_on := Leaf; listed_at := Leaf; next_sends := Leaf |}.

Section Entering.
Variable wanted : trie (trie unit).

Definition list_at (i y : nat) (x : label * nat) (listed : trie (trie (label * nat))) : trie (trie (label * nat)) :=
  match find2 i y wanted with Some _ => add2 i y x listed | None => listed end.

Definition enter (t : table) (a : act) : table :=
  let i := actor a in
  let at_end := find_or 0 i (lengths t) in
  let next := add i (S at_end) (lengths t) in
  match a with
  | ASend _ j =>
      let k := find2_or 0 i j (sent_so_far_on t) in
      {| lengths := next; sent_so_far_on := add2 i j (S k) (sent_so_far_on t); received_on := received_on t;
         listed_at := list_at i at_end (Snd j, k) (listed_at t);
         next_sends := match find2 i j (next_sends t) with
                       | Some _ => next_sends t
                       | None => add2 i j at_end (next_sends t)
                       end |}
  | ARecv _ from =>
      let k := find2_or 0 from i (received_on t) in
      {| lengths := next; sent_so_far_on := sent_so_far_on t; received_on := add2 from i (S k) (received_on t);
         listed_at := list_at i at_end (Rcv from, k) (listed_at t); next_sends := next_sends t |}
  | AInt _ => {| lengths := next; sent_so_far_on := sent_so_far_on t; received_on := received_on t;
                 listed_at := list_at i at_end (Int, 0) (listed_at t); next_sends := next_sends t |}
  end.

Definition from_here (t : table) : table := {|
  lengths := lengths t; sent_so_far_on := sent_so_far_on t; received_on := received_on t; listed_at := listed_at t;
  next_sends := Leaf
|}.

(** The events of P;Q, and the first sends of Q. *)
Definition table_of (p q : list act) : table := fold_left enter q (from_here (fold_left enter p no_events)).

(** How many events like this its process has on the same channel before it. *)
Definition number_of (l : list act) (i y : nat) (x : label) : nat :=
  match x with
  | Snd j => length (filter (sndb j) (firstn y (labs i l)))
  | Rcv j => length (filter (rcvb j) (firstn y (labs i l)))
  | Int => 0
  end.

(** The next send of Q on a channel, if there is one. *)
Definition is_next (p q : list act) (i j : proc) (found : option nat) :=
  match found with
  | Some z => In (Snd j) (labs i q) /\ z = next_send p q i j
  | None => ~ In (Snd j) (labs i q)
  end.

Record lists (p q : list act) (t : table) : Prop := {
  lists_lengths : forall i, find_or 0 i (lengths t) = len (p ++ q) i;
  lists_sent : forall i j, find2_or 0 i j (sent_so_far_on t) = length (filter (sndb j) (labs i (p ++ q)));
  lists_received : forall i j, find2_or 0 i j (received_on t) = length (filter (rcvb i) (labs j (p ++ q)));
  lists_places : forall i y x k, find2 i y (listed_at t) = Some (x, k) ->
    nth_error (labs i (p ++ q)) y = Some x /\ k = number_of (p ++ q) i y x;
  lists_first : forall i j, is_next p q i j (find2 i j (next_sends t))
}.

Lemma number_of_snoc : forall l a i y x, y <= len l i -> number_of (l ++ [a]) i y x = number_of l i y x.
Proof. intros l a i y [j|j|] L; simpl; auto; now rewrite prefix_firstn. Qed.

Lemma number_of_all : forall l i x, number_of l i (len l i) x =
  match x with
  | Snd j => length (filter (sndb j) (labs i l))
  | Rcv j => length (filter (rcvb j) (labs i l))
  | Int => 0
  end.
Proof. intros l i x. unfold number_of. rewrite <- len_labs, firstn_all. reflexivity. Qed.

(** The first of some elements, in a list that goes on. *)
Lemma nthpos_app {A} (f : A -> bool) : forall u v, (exists a, In a u /\ f a = true) ->
  nthpos f (u ++ v) 0 = nthpos f u 0.
Proof.
  induction u as [|b u IH]; intros v (a & I & F); [destruct I|]. simpl. destruct (f b) eqn:E; auto.
  destruct I as [->|I]; [congruence|]. f_equal. apply IH. eauto.
Qed.

Lemma nthpos_app_none {A} (f : A -> bool) : forall u v, (forall a, In a u -> f a = false) ->
  nthpos f (u ++ v) 0 = length u + nthpos f v 0.
Proof.
  induction u as [|b u IH]; intros v N; simpl; auto. rewrite (N b (or_introl eq_refl)). f_equal. apply IH.
  intros a I. apply N. now right.
Qed.

Lemma sndb_not_in : forall q i j, ~ In (Snd j) (labs i q) -> forall x, In x (labs i q) -> sndb j x = false.
Proof.
  intros q i j N x I. apply not_true_iff_false. intro S. apply sndb_spec in S. now subst x.
Qed.

(** With no send on the channel, what comes next is the end of the process. *)
Lemma next_send_none : forall p q i j, ~ In (Snd j) (labs i q) -> next_send p q i j = len (p ++ q) i.
Proof.
  intros p q i j N. unfold next_send. pose proof (nthpos_app_none (sndb j) (labs i q) [] (sndb_not_in q i j N)) as H.
  rewrite app_nil_r in H. rewrite H, len_app, len_labs. simpl. lia.
Qed.

Lemma enter_lists : forall p q t a, lists p q t -> lists p (q ++ [a]) (enter t a).
Proof.
  intros p q t a L. pose proof (lists_lengths _ _ _ L (actor a)) as End.
  assert (Len : forall i, find_or 0 i (lengths (enter t a)) = len (p ++ q ++ [a]) i).
  { intro i. rewrite app_assoc, len_snoc.
    destruct a; simpl; rewrite find_or_add, ?(lists_lengths _ _ _ L), (Nat.eqb_sym i);
      match goal with |- (if ?u =? ?v then _ else _) = _ =>
        destruct (Nat.eqb_spec u v) as [<-|]; simpl; rewrite ?Nat.eqb_refl; lia
      end. }
  assert (Old : forall i y x k, find2 i y (listed_at t) = Some (x, k) ->
    nth_error (labs i (p ++ q ++ [a])) y = Some x /\ k = number_of (p ++ q ++ [a]) i y x).
  { intros i y x k H. apply (lists_places _ _ _ L) in H as [H ->]. rewrite app_assoc, nth_snoc. split; [auto|].
    apply labs_lt in H. rewrite number_of_snoc by lia. reflexivity. }
  assert (Pl : forall x k, x = alab a -> k = number_of (p ++ q) (actor a) (len (p ++ q) (actor a)) x ->
    forall i y x' k',
    find2 i y (list_at (actor a) (find_or 0 (actor a) (lengths t)) (x, k) (listed_at t)) = Some (x', k') ->
    nth_error (labs i (p ++ q ++ [a])) y = Some x' /\ k' = number_of (p ++ q ++ [a]) i y x').
  { intros x k -> -> i y x' k'. unfold list_at. destruct (find2 _ _ wanted); [|apply Old]. rewrite find2_add2, End.
    destruct (Nat.eqb_spec i (actor a)) as [->|]; [|apply Old].
    destruct (Nat.eqb_spec y (len (p ++ q) (actor a))) as [->|]; [|apply Old]. simpl. intro E. injection E as <- <-.
    rewrite app_assoc, nth_snoc, number_of_snoc by auto. auto 6. }
  assert (Fi : forall i j, a <> ASend i j -> match find2 i j (next_sends t) with
    | Some z => In (Snd j) (labs i (q ++ [a])) /\ z = next_send p (q ++ [a]) i j
    | None => ~ In (Snd j) (labs i (q ++ [a]))
    end).
  { intros i j N. pose proof (lists_first _ _ _ L i j) as F. destruct (find2 i j (next_sends t)) as [z|].
    - destruct F as [I ->]. split; [rewrite labs_app; apply in_or_app; auto|]. unfold next_send.
      rewrite labs_app, nthpos_app; auto.
      exists (Snd j). split; auto. now apply sndb_spec.
    - rewrite labs_one_more. intro I. apply in_app_or in I as [I|I]; auto.
      destruct (Nat.eqb_spec (actor a) i) as [<-|]; [|destruct I].
      destruct I as [I|[]]. destruct a; try discriminate. simpl in I, N. injection I as ->. congruence. }
  constructor; auto; destruct a as [i0 j0|j0 i0|i0];
    cbn [enter lengths sent_so_far_on received_on listed_at next_sends actor alab] in *.
  - intros i j. rewrite app_assoc, count_snd_snoc, find2_or_add2, !(lists_sent _ _ _ L). cbn [actor alab sndb].
    rewrite (Nat.eqb_sym i0 i), (Nat.eqb_sym j0 j).
    destruct (Nat.eqb_spec i i0) as [->|], (Nat.eqb_spec j j0) as [->|]; simpl; lia.
  - intros i j. rewrite app_assoc, count_snd_snoc, (lists_sent _ _ _ L). cbn [actor alab sndb].
    rewrite andb_false_r. lia.
  - intros i j. rewrite app_assoc, count_snd_snoc, (lists_sent _ _ _ L). cbn [actor alab sndb].
    rewrite andb_false_r. lia.
  - intros i j. rewrite app_assoc, count_rcv_snoc, (lists_received _ _ _ L). cbn [actor alab rcvb].
    rewrite andb_false_r. lia.
  - intros i j. rewrite app_assoc, count_rcv_snoc, find2_or_add2, !(lists_received _ _ _ L). cbn [actor alab rcvb].
    rewrite (Nat.eqb_sym i0 i), (Nat.eqb_sym j0 j).
    destruct (Nat.eqb_spec i i0) as [->|], (Nat.eqb_spec j j0) as [->|]; simpl; lia.
  - intros i j. rewrite app_assoc, count_rcv_snoc, (lists_received _ _ _ L). cbn [actor alab rcvb].
    rewrite andb_false_r. lia.
  - apply Pl; auto. rewrite number_of_all. apply (lists_sent _ _ _ L).
  - apply Pl; auto. rewrite number_of_all. apply (lists_received _ _ _ L).
  - apply Pl; auto.
  - intros i j. pose proof (lists_first _ _ _ L i0 j0) as F. destruct (find2 i0 j0 (next_sends t)) as [z|] eqn:Fz.
    + destruct (Nat.eq_dec i i0) as [->|]; [destruct (Nat.eq_dec j j0) as [->|]|]; try (apply Fi; congruence).
      rewrite Fz. destruct F as [I ->]. split; [rewrite labs_app; apply in_or_app; auto|]. unfold next_send.
      rewrite labs_app, nthpos_app; auto. exists (Snd j0). split; auto. now apply sndb_spec.
    + rewrite find2_add2. destruct (Nat.eqb_spec i i0) as [->|]; [destruct (Nat.eqb_spec j j0) as [->|]|]; simpl;
        try (apply Fi; congruence).
      rewrite labs_one_more. cbn [actor alab]. rewrite Nat.eqb_refl. split; [apply in_or_app; right; now left|].
      unfold next_send. rewrite labs_one_more. cbn [actor alab].
      rewrite Nat.eqb_refl, nthpos_app_none by now apply sndb_not_in.
      simpl. rewrite Nat.eqb_refl, End, len_app, len_labs. lia.
  - intros i j. apply Fi. discriminate.
  - intros i j. apply Fi. discriminate.
Qed.

Lemma entered : forall more p q t, lists p q t -> lists p (q ++ more) (fold_left enter more t).
Proof.
  induction more as [|a more IH]; intros p q t L; simpl; [now rewrite app_nil_r|].
  replace (q ++ a :: more) with ((q ++ [a]) ++ more) by now rewrite <- app_assoc. now apply IH, enter_lists.
Qed.

Theorem table_of_lists : forall p q, lists p q (table_of p q).
Proof.
  intros p q. unfold table_of. assert (H : lists [] [] no_events).
  { constructor; try reflexivity; [discriminate|intros i j []]. }
  apply (entered p) in H. simpl in H. assert (H' : lists p [] (from_here (fold_left enter p no_events))).
  { constructor; cbn [from_here lengths sent_so_far_on received_on listed_at next_sends]; rewrite ?app_nil_r;
      try apply H. intros i j []. }
  apply (entered q) in H'. exact H'.
Qed.
End Entering.

(** ** Steps and chains *)

(** One step of the program graph, between events of the table. *)
Definition is_step (t : table) (x y : event) : bool :=
  match find2 (fst x) (snd x) (listed_at t), find2 (fst y) (snd y) (listed_at t) with
  | Some (a, k), Some (b, m) =>
      ((fst x =? fst y) && (snd x <? snd y)) ||
      match a, b with Snd j, Rcv i => (j =? fst y) && (i =? fst x) && (k =? m) | _, _ => false end
  | _, _ => false
  end.

(** Each place is a step after the one before it. *)
Fixpoint is_path (t : table) (x : event) (rest : list event) : bool :=
  match rest with
  | [] => true
  | y :: rest' => is_step t x y && is_path t y rest'
  end.

(** What a certificate says of a channel: whether the chain leads to a send of Q, and the chain. *)
Record chain := { about : proc * proc; into_send : bool; steps : list event }.

(** [last] has the last receives of P, plus 1.  The chain is about [i -> j], starts at the last receive on it, and
    leads to process [i], no later than the next send on it. *)
Definition is_chain (t : table) (last : trie (trie nat)) (c : proc * proc) (given : chain) : bool :=
  let (i, j) := c in
  let next := match find2 i j (next_sends t) with Some z => z | None => find_or 0 i (lengths t) end in
  let sends := match find2 i j (next_sends t) with Some _ => true | None => false end in
  match steps given with
  | x :: y :: rest =>
      let z := List.last rest y in
      pair_eqb (about given) c && Bool.eqb (into_send given) sends &&
      (fst x =? j) && (S (snd x) =? find2_or 0 i j last) && is_path t x (y :: rest) && (fst z =? i) && (snd z <=? next)
  | _ => false
  end.

Fixpoint are_chains (t : table) (last : trie (trie nat)) (channels : list (proc * proc)) (given : list chain) : bool :=
  match channels, given with
  | [], [] => true
  | c :: channels', g :: given' => is_chain t last c g && are_chains t last channels' given'
  | _, _ => false
  end.

(** Whether these channels are those on which P receives, in their order. *)
Fixpoint channels_in_order (channels : list (proc * proc)) : bool :=
  match channels with
  | c :: ((d :: _) as channels') =>
      ((fst c <? fst d) || (fst c =? fst d) && (snd c <? snd d)) && channels_in_order channels'
  | _ => true
  end.
Definition channel_set (channels : list (proc * proc)) : trie (trie unit) :=
  fold_right (fun c found => add2 (fst c) (snd c) tt found) Leaf channels.
Definition are_used (last : trie (trie nat)) (p : list act) (channels : list (proc * proc)) : bool :=
  let found := channel_set channels in
  channels_in_order channels && forallb (fun c => 0 <? find2_or 0 (fst c) (snd c) last) channels &&
  forallb (fun a => match a with
    | ARecv j i => match find2 i j found with Some _ => true | None => false end
    | _ => true
    end) p.

(** The places of chains. *)
Definition places_of (given : list chain) : trie (trie unit) :=
  fold_left (fun places e => add2 (fst e) (snd e) tt places) (flat_map steps given) Leaf.

(** A chain for each of the channels on which P receives. *)
Definition check_chains (last : trie (trie nat)) (p q : list act) (given : list chain) : bool :=
  are_used last p (map about given) && are_chains (table_of (places_of given) p q) last (map about given) given.

Section Sound.
Variables (p q : list act) (t : table).
Hypothesis L : lists p q t.

Lemma is_step_spec : forall x y, is_step t x y = true -> step (fifo (p ++ q)) x y.
Proof.
  intros [i x] [j y] H. unfold is_step in H. cbn [fst snd] in H.
  destruct (find2 i x (listed_at t)) as [[a k]|] eqn:A; [|discriminate].
  destruct (find2 j y (listed_at t)) as [[b m]|] eqn:B; [|discriminate]. apply orb_true_iff in H as [H|H].
  - apply andb_true_iff in H as [F Lt]. left. split; [now apply Nat.eqb_eq|now apply Nat.ltb_lt].
  - destruct a as [j'|?|]; try discriminate. destruct b as [?|i'|]; try discriminate.
    rewrite !andb_true_iff, !Nat.eqb_eq in H. destruct H as ((-> & ->) & E).
    apply (lists_places _ _ _ L) in A as [A Ka], B as [B Kb]. simpl in Ka, Kb. right. exists i, j. split.
    + split; auto. simpl. now rewrite B.
    + simpl. rewrite B, <- Kb, <- E, Ka. f_equal. apply nthpos_count with (Snd j); auto. now apply sndb_spec.
Qed.

Lemma last_cons : forall (rest : list event) x y, List.last (x :: rest) y = List.last rest x.
Proof. induction rest as [|z rest IH]; intros x y; auto. rewrite (IH z x). exact (IH z y). Qed.

Lemma is_path_causes : forall rest x y, is_path t x (y :: rest) = true -> causes (fifo (p ++ q)) x (List.last rest y).
Proof.
  induction rest as [|z rest IH]; intros x y H; simpl in H; apply andb_true_iff in H as [S H].
  - apply t_step, is_step_spec, S.
  - specialize (IH y z H). apply t_trans with y; [apply t_step, is_step_spec, S|].
    rewrite last_cons. exact IH.
Qed.

Lemma are_chains_spec : forall last channels given, are_chains t last channels given = true ->
  forall c, In c channels -> exists g, is_chain t last c g = true.
Proof.
  intro last. induction channels as [|c channels IH]; intros [|g given] H a A; simpl in *; try tauto; try discriminate.
  apply andb_true_iff in H as [H1 H2]. destruct A as [<-|A]; eauto.
Qed.
End Sound.

Lemma channel_set_spec channels i j : find2 i j (channel_set channels) <> None -> In (i, j) channels.
Proof.
  induction channels as [|[k l] channels IH]; simpl; [unfold find2; simpl; congruence|]. rewrite find2_add2.
  destruct (Nat.eqb_spec i k) as [->|N]; simpl; [destruct (Nat.eqb_spec j l) as [->|N]; simpl; auto|]; auto.
Qed.

Lemma are_used_spec last p channels : are_used last p channels = true -> forall i j y,
  nth_error (labs j p) y = Some (Rcv i) -> In (i, j) channels.
Proof.
  unfold are_used. rewrite !andb_true_iff, !forallb_forall. intros [_ Each] i j y Y.
  apply nth_error_In, in_map_iff in Y as (a & E & I). apply filter_In in I as [I A]. apply Nat.eqb_eq in A.
  destruct a as [| j' i'|]; simpl in *; try discriminate. injection E as ->. subst j'. specialize (Each _ I). simpl in Each.
  apply channel_set_spec. destruct (find2 i j (channel_set channels)); congruence.
Qed.

Theorem chains_sound : forall p q last given,
  (forall i j y, nth_error (labs j p) y = Some (Rcv i) -> y < find2_or 0 i j last) ->
  check_chains last p q given = true -> covers p q.
Proof.
  intros p q last given Last H i j y z Y Z. pose proof (table_of_lists (places_of given) p q) as L.
  pose proof (Last i j y Y) as Ly. apply andb_true_iff in H as [U H].
  pose proof (are_used_spec last p _ U i j y Y) as I.
  destruct (are_chains_spec _ _ _ _ H _ I) as (g & C). unfold is_chain in C.
  destruct (steps g) as [|[j' x] [|b rest]]; try discriminate. rewrite !andb_true_iff in C.
  destruct C as ((((((_ & _) & J) & X) & P) & F) & Le). cbn [fst snd] in *.
  apply Nat.eqb_eq in J, X, F. apply Nat.leb_le in Le. subst j'.
  apply (is_path_causes p q _ L) in P. destruct (List.last rest b) as [i' k]. cbn [fst snd] in *. subst i'.
  apply causes_local_le with x; [lia|]. apply causes_local_ge with k; [|exact P].
  apply Nat.le_trans with (next_send p q i j); [|now apply next_send_le].
  pose proof (lists_first _ _ _ L i j) as Fi.
  destruct (find2 i j (next_sends (table_of (places_of given) p q))) as [z'|].
  - destruct Fi as [_ <-]. exact Le.
  - rewrite (next_send_none p q i j Fi), <- (lists_lengths _ _ _ L i). exact Le.
Qed.
