(** * Open channels, and whether a program can be sealed, computed

    Theorem [th:sealability], as repaired, says that a program can be sealed exactly if what processes can tell
    each other reaches every open channel.  Who can know what is a relation between processes, and here it is
    computed by adding to it until nothing can be added. *)
From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine CausalPast Decider.
Open Scope nat_scope.

(** ** Knowledge *)

(** P receives on [i -> j]; every receive of P on it reaches the end of process [k]. *)
Definition has_rcv (p : list act) (i j : proc) := exists y, nth_error (labs j p) y = Some (Rcv i).
Definition reaches (p : list act) (i j k : proc) :=
  forall y, nth_error (labs j p) y = Some (Rcv i) -> causes (fifo p) (j, y) (k, len p k).

(** [knows n p i k]: by messages on channels that their senders know to be safe, process [i] can come to know all
    that process [k] knows at the end of P. *)
Inductive knows (n : nat) (p : list act) : proc -> proc -> Prop :=
| knows_self i : knows n p i i
| knows_told i j k k' : i < n -> j < n -> i <> j -> knows n p i k' -> reaches p i j k' -> knows n p i k ->
    knows n p j k.

(** The sender of each channel on which P receives can come to know that it is safe. *)
Definition closure_seals (n : nat) (p : list act) := forall i j, has_rcv p i j ->
  exists k, knows n p i k /\ reaches p i j k.

(** ** What the end of a process knows *)

(** A function that says whether every receive on [i -> j] reaches the end of [k]. *)
Definition computes_reach (n : nat) (p : list act) (reach : proc -> proc -> proc -> bool) :=
  forall i j k, k < n -> (reach i j k = true <-> reaches p i j k).

(** ** Open channels *)

(** The channel is used, and its sender may end before the last receive: its messages are not safe. *)
Definition open_channel (p : list act) (i j : proc) := has_rcv p i j /\ ~ reaches p i j i.

Definition open_channels (n : nat) (reach : proc -> proc -> proc -> bool) : list (proc * proc) :=
  filter (fun c => negb (reach (fst c) (snd c) (fst c))) (list_prod (seq 0 n) (seq 0 n)).

Theorem open_channels_correct : forall n p reach i j, acts_below n p -> computes_reach n p reach ->
  (In (i, j) (open_channels n reach) <-> open_channel p i j).
Proof.
  intros n p reach i j W C. unfold open_channels, open_channel. rewrite filter_In, in_prod_iff, !in_seq. cbn [fst snd].
  rewrite negb_true_iff. split.
  - intros [[I J] H]. split; [|rewrite <- (C i j i) by lia; congruence].
    destruct (receives i j p) as [|y ys] eqn:E; [|exists y; apply receives_spec; rewrite E; now left].
    exfalso. enough (reach i j i = true) by congruence. apply C; [lia|]. intros y Y. apply receives_spec in Y.
    rewrite E in Y. destruct Y.
  - intros [[y Y] H]. assert (J : j < n) by eauto using below_labs.
    assert (I : i < n) by (apply (below_peer n p j y _ W Y)). split; [lia|].
    rewrite <- (C i j i) in H by auto. now apply not_true_is_false.
Qed.

(** ** Who can know what the end of whom knows *)

Definition pair_eqb (a b : proc * proc) : bool := (fst a =? fst b) && (snd a =? snd b).

Lemma pair_eqb_spec : forall a b, pair_eqb a b = true <-> a = b.
Proof.
  intros [a1 a2] [b1 b2]. unfold pair_eqb. rewrite andb_true_iff, !Nat.eqb_eq. cbn [fst snd].
  split; [intros [-> ->]; auto|injection 1; auto].
Qed.

Definition mem (a : proc * proc) (K : list (proc * proc)) : bool := existsb (pair_eqb a) K.

Lemma mem_spec : forall a K, mem a K = true <-> In a K.
Proof.
  intros a K. unfold mem. rewrite existsb_exists. split.
  - intros (b & I & E). apply pair_eqb_spec in E. now subst.
  - intro I. exists a. split; auto. now apply pair_eqb_spec.
Qed.

Section Telling.
Variables (n : nat) (reach : proc -> proc -> proc -> bool).

(** Process [i] may send to [j]: it can know that all receives on the channel are over. *)
Definition may_send (K : list (proc * proc)) (i j : proc) : bool :=
  existsb (fun k => mem (i, k) K && reach i j k) (seq 0 n).

(** Somebody who may send to [fst a] can know what the end of [snd a] knows. *)
Definition can_tell (K : list (proc * proc)) (a : proc * proc) : bool :=
  existsb (fun i => negb (i =? fst a) && mem (i, snd a) K && may_send K i (fst a)) (seq 0 n).

(** [rest] is what is not in [K] yet. *)
Fixpoint tell (fuel : nat) (K rest : list (proc * proc)) : list (proc * proc) :=
  match fuel with
  | 0 => K
  | S fuel' => match filter (can_tell K) rest with
               | [] => K
               | new => tell fuel' (new ++ K) (filter (fun a => negb (can_tell K a)) rest)
               end
  end.

Lemma filter_complement : forall (f : proc * proc -> bool) l,
  length l = length (filter f l) + length (filter (fun a => negb (f a)) l).
Proof. intros f. induction l as [|a l IH]; simpl; auto. destruct (f a); simpl; lia. Qed.

(** In the end nothing can be added. *)
Lemma tell_closed : forall fuel K rest, length rest < fuel ->
  (forall a, fst a < n -> snd a < n -> In a K \/ In a rest) ->
  incl K (tell fuel K rest) /\
  forall a, fst a < n -> snd a < n -> can_tell (tell fuel K rest) a = true -> In a (tell fuel K rest).
Proof.
  induction fuel as [|fuel IH]; intros K rest L A; [lia|]. simpl.
  destruct (filter (can_tell K) rest) as [|b new] eqn:E.
  - split; [apply incl_refl|]. intros a F S H. destruct (A a F S) as [|R]; auto. exfalso.
    assert (X : In a (filter (can_tell K) rest)) by (apply filter_In; auto). rewrite E in X. destruct X.
  - pose proof (filter_complement (can_tell K) rest) as Sp. rewrite E in Sp. simpl in Sp.
    change (b :: new ++ K) with ((b :: new) ++ K). rewrite <- E.
    destruct (IH (filter (can_tell K) rest ++ K) (filter (fun a => negb (can_tell K a)) rest)) as [I1 I2]; [lia| |].
    + intros a F S. destruct (A a F S) as [|R]; [left; apply in_or_app; auto|].
      destruct (can_tell K a) eqn:C.
      * left. apply in_or_app. left. apply filter_In; auto.
      * right. apply filter_In. split; auto. now rewrite C.
    + split; auto. intros a H. apply I1, in_or_app. auto.
Qed.

(** Only what can be told is added. *)
Lemma tell_sound : forall (P : proc * proc -> Prop),
  (forall K a, (forall b, In b K -> P b) -> fst a < n -> snd a < n -> can_tell K a = true -> P a) ->
  forall fuel K rest, (forall a, In a rest -> fst a < n /\ snd a < n) ->
  (forall b, In b K -> P b) -> forall b, In b (tell fuel K rest) -> P b.
Proof.
  intros P H. induction fuel as [|fuel IH]; intros K rest R I b B; simpl in B; auto.
  destruct (filter (can_tell K) rest) as [|c new] eqn:E; auto.
  change (c :: new ++ K) with ((c :: new) ++ K) in B. rewrite <- E in B.
  apply IH in B; auto.
  - intros a A. apply filter_In in A as [A _]. auto.
  - intros a A. apply in_app_or in A as [A|A]; auto. apply filter_In in A as [A C].
    destruct (R a A). apply (H K); auto.
Qed.
End Telling.

Definition known (n : nat) (reach : proc -> proc -> proc -> bool) : list (proc * proc) :=
  let all := list_prod (seq 0 n) (seq 0 n) in
  tell n reach (S (length all)) (map (fun i => (i, i)) (seq 0 n)) all.

Lemma can_tell_spec : forall n reach K a, can_tell n reach K a = true <->
  exists i k, i < n /\ k < n /\ i <> fst a /\ In (i, snd a) K /\ In (i, k) K /\ reach i (fst a) k = true.
Proof.
  intros n reach K a. unfold can_tell, may_send. rewrite existsb_exists. split.
  - intros (i & I & H). apply in_seq in I. rewrite !andb_true_iff, mem_spec, existsb_exists in H.
    destruct H as [[N M] (k & Kn & H)]. apply in_seq in Kn. rewrite andb_true_iff, mem_spec in H.
    apply negb_true_iff, Nat.eqb_neq in N. exists i, k. repeat split; try tauto; lia.
  - intros (i & k & I & Kn & N & M & M' & R). exists i. split; [apply in_seq; lia|].
    rewrite !andb_true_iff, mem_spec, existsb_exists. repeat split; auto.
    + apply negb_true_iff, Nat.eqb_neq. auto.
    + exists k. split; [apply in_seq; lia|]. rewrite andb_true_iff, mem_spec. auto.
Qed.

Theorem known_spec : forall n p reach i k, computes_reach n p reach -> i < n ->
  (In (i, k) (known n reach) <-> knows n p i k).
Proof.
  intros n p reach i k C I. set (all := list_prod (seq 0 n) (seq 0 n)).
  assert (Al : forall a, In a all <-> fst a < n /\ snd a < n).
  { intros [a b]. unfold all. rewrite in_prod_iff, !in_seq. cbn [fst snd]. lia. }
  split.
  - intro H. change (knows n p (fst (i, k)) (snd (i, k))).
    revert H. apply (tell_sound n reach (fun a => knows n p (fst a) (snd a))).
    + intros K [j m] HK J M H. apply can_tell_spec in H as (i' & k' & I' & K' & N & H1 & H2 & R).
      cbn [fst snd] in *. apply C in R; auto.
      apply knows_told with i' k'; auto; [apply (HK (i', k') H2)|apply (HK (i', m) H1)].
    + intros a A. apply Al. exact A.
    + intros b H. apply in_map_iff in H as (a & <- & _). constructor.
  - intro H. assert (G : k < n /\ In (i, k) (known n reach)); [|apply G].
    destruct (tell_closed n reach (S (length all)) (map (fun a => (a, a)) (seq 0 n)) all) as [C1 C2]; [lia| |].
    { intros a F S. right. apply Al. auto. }
    change (tell n reach (S (length all)) (map (fun a => (a, a)) (seq 0 n)) all) with (known n reach) in C1, C2.
    induction H as [i|i j k k' Hi Hj N K1 IH1 R K2 IH2].
    + split; auto. apply C1. apply in_map_iff. exists i. split; auto. apply in_seq. lia.
    + destruct (IH1 Hi) as [Kn' In'], (IH2 Hi) as [Kn In2]. split; auto. apply C2; auto.
      apply can_tell_spec. exists i, k'. cbn [fst snd]. repeat split; auto.
      now apply C.
Qed.

(** ** The decision *)

Definition is_closure (n : nat) (reach : proc -> proc -> proc -> bool) : bool :=
  let K := known n reach in
  for_channels n (fun i j => existsb (fun k => mem (i, k) K && reach i j k) (seq 0 n)).

Lemma knows_below : forall n p i k, knows n p i k -> i < n -> k < n.
Proof. induction 1 as [i|i j k k' Hi Hj N K1 IH1 R K2 IH2]; auto. Qed.

Theorem is_closure_spec : forall n p reach, acts_below n p -> computes_reach n p reach ->
  (is_closure n reach = true <-> closure_seals n p).
Proof.
  intros n p reach W C. unfold is_closure. rewrite for_channels_spec. split.
  - intros H i j [y Y]. assert (J : j < n) by eauto using below_labs.
    assert (I : i < n) by (apply (below_peer n p j y _ W Y)). specialize (H i j I J).
    apply existsb_exists in H as (k & K & H). apply in_seq in K. rewrite andb_true_iff, mem_spec in H.
    destruct H as [H R]. exists k. split; [now apply (known_spec n p reach) in H|apply C; auto; lia].
  - intros H i j I J. apply existsb_exists. destruct (receives i j p) as [|y ys] eqn:E.
    + exists i. split; [apply in_seq; lia|]. rewrite andb_true_iff, mem_spec. split.
      * apply (known_spec n p reach); auto. constructor.
      * apply C; auto. intros y Y. apply receives_spec in Y. rewrite E in Y. destruct Y.
    + destruct (H i j) as (k & K & R).
      { exists y. apply receives_spec. rewrite E. left; auto. }
      assert (k < n) by eauto using knows_below. exists k. split; [apply in_seq; lia|].
      rewrite andb_true_iff, mem_spec. split; [now apply (known_spec n p reach)|now apply C].
Qed.
