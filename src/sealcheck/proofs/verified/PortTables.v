(** * What the verified checker computes of a layer over ports

    The events of a layer, with their ports, are listed once, and counts of messages are kept in maps from ports. *)

From Coq Require Import List Arith Lia PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortCertificates Tries.
Open Scope nat_scope.

(** ** Maps *)

(** A list as a map from positions. *)
Fixpoint index_from {A} (k : nat) (l : list A) : trie A :=
  match l with [] => Leaf | x :: l' => add k x (index_from (S k) l') end.
Definition index {A} (l : list A) : trie A := index_from 0 l.

Lemma find_index_from {A} (l : list A) : forall k n, find n (index_from k l) = if k <=? n then nth_error l (n - k) else None.
Proof.
  induction l as [|x l IH]; intros k n; simpl.
  - destruct (k <=? n); auto. now destruct (n - k).
  - rewrite find_add, IH. destruct (Nat.eqb_spec n k) as [->|N]; [now rewrite Nat.leb_refl, Nat.sub_diag|].
    destruct (Nat.leb_spec k n), (Nat.leb_spec (S k) n); auto; try lia.
    now replace (n - k) with (S (n - S k)) by lia.
Qed.
Lemma find_index {A} (l : list A) n : find n (index l) = nth_error l n.
Proof. unfold index. rewrite find_index_from. simpl. now rewrite Nat.sub_0_r. Qed.

(** Sets of numbers. *)
Definition set_of (l : list nat) : trie unit := fold_right (fun k t => add k tt t) Leaf l.
Definition is_in (k : nat) (t : trie unit) : bool := match find k t with Some _ => true | None => false end.

Lemma set_of_spec l k : is_in k (set_of l) = true <-> In k l.
Proof.
  unfold is_in. induction l as [|x l IH]; simpl; [split; [discriminate|tauto]|]. rewrite find_add.
  destruct (Nat.eqb_spec k x) as [->|N]; [split; auto|]. rewrite IH. split; [auto|intros [E|I]; [congruence|auto]].
Qed.

(** Maps from ports. *)
Definition port_map (A : Type) := trie (trie (trie A)).
Definition sender_key (from : option proc) : nat := match from with None => 0 | Some i => S i end.
Definition find_port {A} (p : tagged_port) (m : port_map A) : option A :=
  find (sender_key (snd (fst p))) (find2_or Leaf (fst (fst p)) (snd p) m).
Definition add_port {A} (p : tagged_port) (v : A) (m : port_map A) : port_map A :=
  add2 (fst (fst p)) (snd p) (add (sender_key (snd (fst p))) v (find2_or Leaf (fst (fst p)) (snd p) m)) m.
Definition port_eqb (p q : tagged_port) : bool :=
  (fst (fst p) =? fst (fst q)) && (snd p =? snd q) && (sender_key (snd (fst p)) =? sender_key (snd (fst q))).

Lemma port_eqb_spec p q : port_eqb p q = true <-> p = q.
Proof.
  destruct p as [[j f] t], q as [[j' f'] t']. unfold port_eqb. simpl. rewrite !andb_true_iff, !Nat.eqb_eq. split.
  - intros [[-> ->] K]. destruct f, f'; simpl in K; congruence.
  - intro E. injection E as -> -> ->. auto.
Qed.

Lemma find_add_port {A} p q (v : A) m : find_port q (add_port p v m) = if port_eqb q p then Some v else find_port q m.
Proof.
  destruct p as [[j f] t], q as [[j' f'] t']. unfold find_port, add_port, port_eqb. simpl. rewrite find2_or_add2.
  destruct (Nat.eqb_spec j' j) as [->|], (Nat.eqb_spec t' t) as [->|]; simpl; auto. apply find_add.
Qed.

(** Whether an element of a list is about a port. *)
Definition about_port {A} (f : A -> option tagged_port) (p : tagged_port) (x : A) : bool :=
  match f x with Some q => port_eqb p q | None => false end.

(** ** The events of a layer *)

(** The readers and tags of receives from any source. *)
Fixpoint shared_tags (l : list tagged_act) : trie (trie unit) :=
  match l with
  | [] => Leaf
  | TRecv j None t :: l' => add2 j t tt (shared_tags l')
  | _ :: l' => shared_tags l'
  end.
Definition is_shared (shared : trie (trie unit)) (j t : nat) : bool :=
  match find2 j t shared with Some _ => true | None => false end.

Lemma shared_tags_spec l j t : is_shared (shared_tags l) j t = from_any l j t.
Proof.
  unfold is_shared, from_any. induction l as [|a l IH]; simpl; auto. destruct a as [i k s|k [i|] s|k]; simpl; auto.
  rewrite find2_add2, (Nat.eqb_sym k), (Nat.eqb_sym s). destruct ((j =? k) && (t =? s)); auto.
Qed.

Definition act_on_port (shared : trie (trie unit)) (a : tagged_act) : port_action tagged_port :=
  match a with
  | TSend i j t => Put (j, if is_shared shared j t then None else Some i, t)
  | TRecv j from t => Take (j, from, t)
  | TInt _ => Inner
  end.

(** Events with what they do; each process has done as many before as [count] says. *)
Fixpoint number_events (shared : trie (trie unit)) (count : trie nat) (l : list tagged_act) :
    list (event * port_action tagged_port) :=
  match l with
  | [] => []
  | a :: l' =>
      let i := tagged_actor a in let k := find_or 0 i count in
      ((i, k), act_on_port shared a) :: number_events shared (add i (S k) count) l'
  end.
(** How many each has done afterwards. *)
Fixpoint counts_after (count : trie nat) (l : list tagged_act) : trie nat :=
  match l with [] => count | a :: l' => let i := tagged_actor a in counts_after (add i (S (find_or 0 i count)) count) l' end.

Lemma counts_after_spec l i : forall count, find_or 0 i (counts_after count l) = find_or 0 i count + size_of l i.
Proof.
  unfold size_of, tagged_share. induction l as [|a l IH]; intro count; simpl; [lia|]. rewrite IH, find_or_add.
  destruct (Nat.eqb_spec (tagged_actor a) i) as [->|N]; [rewrite Nat.eqb_refl; simpl; lia|].
  destruct (Nat.eqb_spec i (tagged_actor a)); [congruence|auto].
Qed.

(** Each event of a process is before the later ones in the list. *)
Fixpoint one_by_one {A} (evs : list (event * A)) : Prop :=
  match evs with
  | [] => True
  | x :: l => (forall y, In y l -> fst (fst y) = fst (fst x) -> snd (fst x) < snd (fst y)) /\ one_by_one l
  end.

Section Layer.
Variable all : list tagged_act.
Notation shared := (shared_tags all).

Lemma act_on_port_spec a : act_on_port shared a = on_port all a.
Proof. destruct a; simpl; auto. now rewrite shared_tags_spec. Qed.

Lemma number_events_spec l : forall count i k a, In ((i, k), a) (number_events shared count l) <->
  find_or 0 i count <= k /\ option_map (on_port all) (nth_error (tagged_share i l) (k - find_or 0 i count)) = Some a.
Proof.
  unfold tagged_share. induction l as [|b l IH]; intros count i k a; simpl.
  - split; [tauto|]. intros [_ E]. destruct (k - find_or 0 i count); discriminate.
  - rewrite IH, find_or_add, act_on_port_spec. destruct (Nat.eqb_spec (tagged_actor b) i) as [E|N].
    + subst i. rewrite Nat.eqb_refl. set (c := find_or 0 (tagged_actor b) count).
      destruct (Nat.eq_dec k c) as [->|Nk].
      * rewrite Nat.sub_diag. simpl. split.
        -- intros [E|[L _]]; [injection E as <-; auto|lia].
        -- intros [_ E]. left. congruence.
      * destruct (le_lt_dec c k) as [L|L].
        -- replace (k - c) with (S (k - S c)) by lia. simpl. split.
           ++ intros [E|[_ E]]; [injection E; lia|split; [lia|auto]].
           ++ intros [_ E]. right. split; [lia|auto].
        -- split; [intros [E|[L' _]]; [injection E; lia|lia]|lia].
    + destruct (Nat.eqb_spec i (tagged_actor b)); [congruence|]. split; [|auto]. intros [E|H]; [congruence|auto].
Qed.

Lemma number_events_once l : forall count, NoDup (map fst (number_events shared count l)).
Proof.
  induction l as [|a l IH]; intro count; simpl; constructor; auto. intro I. apply in_map_iff in I as ([[i k] b] & E & I).
  simpl in E. apply number_events_spec in I as [L _]. injection E as -> ->. rewrite find_or_add, Nat.eqb_refl in L. lia.
Qed.

Lemma events_one_by_one l : forall count, one_by_one (number_events shared count l).
Proof.
  induction l as [|a l IH]; intro count; simpl; auto. split; auto. intros [[i k] b] I E. cbn [fst snd] in *.
  apply number_events_spec in I as [L _]. subst i. rewrite find_or_add, Nat.eqb_refl in L. lia.
Qed.

Definition layer_events (M : layer_program) := number_events shared Leaf M.

Lemma layer_events_spec M e a : In (e, a) (layer_events M) <-> action (program_over all M) e = Some a.
Proof.
  destruct e as [i k]. unfold layer_events. rewrite number_events_spec. unfold find_or. simpl. unfold tagged_action. simpl.
  rewrite Nat.sub_0_r. split; [now intros [_ H]|intro H; split; [lia|exact H]].
Qed.

Lemma length_filter_permuted {A} (g : A -> bool) l l' : Permutation l l' -> length (filter g l) = length (filter g l').
Proof. induction 1; simpl; auto; repeat destruct (g _); simpl; congruence. Qed.
Lemma length_filter_map {A B} (h : A -> B) g l : length (filter g (map h l)) = length (filter (fun x => g (h x)) l).
Proof. induction l as [|x l IH]; simpl; auto. destruct (g (h x)); simpl; congruence. Qed.

Lemma length_filter_none {A} (g : A -> bool) l : (forall x, In x l -> g x = false) -> length (filter g l) = 0.
Proof. induction l as [|x l IH]; simpl; auto. intro N. rewrite N by auto. auto. Qed.

(** Events are counted in the list. *)
Lemma layer_events_count M (g : event -> bool) (h : event * port_action tagged_port -> bool) :
  (forall e a, action (program_over all M) e = Some a -> g e = h (e, a)) ->
  length (filter g (events (program_over all M))) = length (filter h (layer_events M)).
Proof.
  intro Same. rewrite (length_filter_permuted g _ (map fst (layer_events M))).
  - rewrite length_filter_map. f_equal. apply filter_ext_in. intros [e a] I. apply Same. now apply layer_events_spec.
  - apply NoDup_Permutation; [apply no_duplicates|apply number_events_once|]. intro e. rewrite all_events. split.
    + intro N. destruct (action (program_over all M) e) as [a|] eqn:E; [|congruence]. apply layer_events_spec in E.
      apply in_map_iff. exists (e, a). auto.
    + intro I. apply in_map_iff in I as ([e' a] & <- & I). apply layer_events_spec in I. cbn [fst].
      rewrite I. discriminate.
Qed.

(** ** Cuts at which no process can go on *)

Definition cut_at (u : trie nat) : cut := fun i => find_or 0 i u.
Definition put_on (x : event * port_action tagged_port) := match snd x with Put p => Some p | _ => None end.
Definition take_on (x : event * port_action tagged_port) := match snd x with Take p => Some p | _ => None end.

Notation E M := (exact (program_over all M) only_layer).

Lemma is_put_exact M p e a : action (program_over all M) e = Some a ->
  is_put (E M) (0, p) e = about_port put_on p (e, a).
Proof.
  intro A. apply eq_true_iff_eq. rewrite is_put_spec. simpl. rewrite exact_put, A. unfold about_port, put_on. simpl.
  destruct a as [q|q|]; rewrite ?port_eqb_spec; split; try discriminate; try (intros [H _]; discriminate);
    [intros [H _]; congruence|intros ->; auto].
Qed.
Lemma is_take_exact M p e a : action (program_over all M) e = Some a ->
  is_take (E M) (0, p) e = about_port take_on p (e, a).
Proof.
  intro A. apply eq_true_iff_eq. rewrite is_take_spec. simpl. rewrite exact_take, A. unfold about_port, take_on. simpl.
  destruct a as [q|q|]; rewrite ?port_eqb_spec; split; try discriminate; try (intros [H _]; discriminate);
    [intros [H _]; congruence|intros ->; auto].
Qed.
End Layer.
