(** * Interleavings exist exactly where causality has no cycle

    "... the more standard one of infinite sequences of global states, representing an interleaving of moves by
    processes.  Our conditions on delta_r guarantee the existence of such an interleaving" (section 2.2, the footnote on
    the execution model).  For the events of a finite cut [d]: an interleaving is an order of them in which each comes
    after its predecessors, in its process and by the matching.  For a whole run it is a sequence of global states.

    Theorems of the ledger: [interleaving_exists], [interleaving_of_run]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence Teaching.
Open Scope nat_scope.

Definition interleaving (r : run) (L order : list event) := Permutation L order /\ in_causal_order (step r) order.

(** _A total matching function that respects channels has an interleaving iff Lamport's relation under it is
    acyclic_.  It may even match two receives with the same send. *)
Theorem interleaving_exists : forall r d L, (forall e, In e L <-> inside d e) ->
  (forall e i j, is_rcv r e i j -> inside d e -> is_snd r (delta r e) i j /\ inside d (delta r e)) ->
  ((exists order, interleaving r L order) <-> forall e, inside d e -> ~ causes r e e).
Proof.
  intros r d L All M.
  assert (Closed : forall x y, step r x y -> inside d y -> inside d x).
  { intros x y [[F Lt]|(i & j & R & <-)] I; [unfold inside in *; rewrite F; lia|]. now apply (M y i j). }
  split.
  - intros (order & P & O) e I C.
    assert (Before : forall x y, causes r x y -> inside d y -> inside d x /\
      forall pre post, order = pre ++ y :: post -> In x pre).
    { induction 1 as [x y S|x z y _ IH1 _ IH2]; intro Iy.
      - split; [eauto|]. intros pre post E. apply (O pre y post E x); auto.
        apply (Permutation_in x P), All. eauto.
      - destruct (IH2 Iy) as [Iz B2]. destruct (IH1 Iz) as [Ix B1]. split; auto. intros pre post E.
        destruct (in_split z pre (B2 pre post E)) as (l1 & l2 & ->). apply in_or_app. left.
        apply (B1 l1 (l2 ++ y :: post)). now rewrite E, <- app_assoc. }
    assert (Endless : forall k pre post, length pre < k -> order <> pre ++ e :: post).
    { induction k as [|k IH]; intros pre post G E; [lia|].
      destruct (in_split e pre (proj2 (Before e e C I) pre post E)) as (l1 & l2 & ->).
      apply (IH l1 (l2 ++ e :: post)); [rewrite app_length in G; simpl in G; lia|now rewrite E, <- app_assoc]. }
    destruct (in_split e order) as (pre & post & E); [apply (Permutation_in e P), All, I|].
    apply (Endless (S (length pre)) pre post); auto.
  - intro A. destruct (causal_order_exists (fun x y => causes r x y /\ inside d y)) with (l := L) as (order & P & O).
    + intros x y z [C1 _] [C2 I]. split; auto. eapply t_trans; eauto.
    + intros x [C I]. exact (A x I C).
    + exists order. split; auto. intros pre y post E x Hx S. apply (O pre y post E x Hx). split; [now apply t_step|].
      apply All, (Permutation_in y (Permutation_sym P)). rewrite E. apply in_or_app. right. now left.
Qed.

(** ** Of a whole run

    "Sequences of global states, representing an interleaving of moves by processes": how far each process has come.  In
    a step one process moves, or none. *)
Definition moves (n : nat) (s : nat -> cut) := ceq (s 0) (fun _ => 0) /\
  forall k, ceq (s (S k)) (s k) \/ exists p, p < n /\ ceq (s (S k)) (bump (s k) p).
(** Every event happens some time, and no message is received before it is sent. *)
Definition all_happen (n : nat) (s : nat -> cut) := forall p x, p < n -> exists k, inside (s k) (p, x).
Definition sent_first (r : run) (s : nat -> cut) := forall k e i j, is_rcv r e i j -> inside (s k) e ->
  inside (s k) (delta r e).

Section WholeRun.
Variables (r : run) (n : nat).
Hypothesis Among : forall e i j, is_rcv r e i j -> i < n /\ j < n.
Hypothesis Sends : forall e i j, is_rcv r e i j -> is_snd r (delta r e) i j.

Section Sequence.
Variable s : nat -> cut.
Hypothesis M : moves n s.

Lemma states_grow k l : k <= l -> cle (s k) (s l).
Proof.
  induction 1 as [|l _ IH]; intro p; [lia|]. specialize (IH p).
  destruct (proj2 M l) as [E|(q & _ & E)]; rewrite (E p); auto. unfold bump. destruct (p =? q); lia.
Qed.
Lemma others_stay k p : n <= p -> s k p = 0.
Proof.
  intro N. induction k as [|k IH]; [apply M|].
  destruct (proj2 M k) as [E|(q & L & E)]; rewrite (E p); auto. unfold bump.
  destruct (Nat.eqb_spec p q); [lia|auto].
Qed.
(** An event that happens does so in some step, before which its process has come up to it. *)
Lemma its_step k p x : x < s k p -> exists l, s l p = x /\ ceq (s (S l)) (bump (s l) p).
Proof.
  induction k as [|k IH]; intro L.
  - rewrite (proj1 M p) in L. lia.
  - destruct (le_lt_dec (s k p) x) as [G|G]; [|now apply IH].
    destruct (proj2 M k) as [E|(q & _ & E)]; pose proof (E p) as Ep; [lia|]. unfold bump in Ep.
    destruct (Nat.eqb_spec p q) as [<-|]; [|lia]. exists k. split; [lia|exact E].
Qed.

Lemma sequence_acyclic : all_happen n s -> sent_first r s -> forall e, ~ causes r e e.
Proof.
  intros All First.
  set (L := fun x y => (exists k, inside (s k) x /\ ~ inside (s k) y) \/
    (n <= fst x /\ fst x = fst y /\ snd x < snd y)).
  assert (Out : forall k x, n <= fst x -> ~ inside (s k) x).
  { intros k x N I. unfold inside in I. rewrite others_stay in I; auto. lia. }
  apply by_order with L.
  - intros [p x] [q y] [[F Lt]|(i & j & R & D)]; cbn [fst snd] in *.
    + subst q. destruct (le_lt_dec n p) as [N|N]; [now right; auto|left].
      destruct (All p y N) as [k I]. destruct (its_step k p y I) as (l & E & _).
      exists l. unfold inside; simpl. lia.
    + left. destruct (Among _ _ _ R) as [_ Nj]. assert (q = j) by apply R. subst q.
      destruct (All j y Nj) as [k I]. destruct (its_step k j y I) as (l & E & B).
      exists l. split; [|unfold inside; simpl; lia].
      assert (I' : inside (s (S l)) (p, x)).
      { rewrite <- D. apply (First (S l) (j, y) i j R). unfold inside; simpl. rewrite (B j). unfold bump.
        rewrite Nat.eqb_refl. lia. }
      unfold inside in *; simpl in *. rewrite (B p) in I'. unfold bump in I'.
      destruct (Nat.eqb_spec p j) as [->|]; auto.
      assert (x <> s l j); [|lia]. intros ->. rewrite E in D.
      pose proof (Sends _ _ _ R) as [_ Ls]. destruct R as [_ Lr]. rewrite D in Ls. cbn [fst snd] in *. congruence.
  - intros x y z [(k & I & O)|(N & F & Lt)] [(l & I' & O')|(N' & F' & Lt')].
    + left. exists l. split; auto. destruct (le_lt_dec k l) as [G|G].
      * pose proof (states_grow k l G (fst x)). unfold inside in *. lia.
      * exfalso. apply O. pose proof (states_grow l k (Nat.lt_le_incl _ _ G) (fst y)). unfold inside in *. lia.
    + left. exists k. split; auto. apply Out. now rewrite <- F'.
    + exfalso. apply (Out l y); auto. now rewrite <- F.
    + right. split; auto. split; [congruence|lia].
  - intros x [(k & I & O)|(_ & _ & Lt)]; [auto|lia].
Qed.
End Sequence.

(** In turn, a process moves if it need not wait for a message. *)
Definition able (c : cut) (p : proc) : bool :=
  match lab r p (c p) with
  | Rcv _ => snd (delta r (p, c p)) <? c (fst (delta r (p, c p)))
  | _ => true
  end.
Fixpoint schedule (k : nat) : cut :=
  match k with
  | 0 => fun _ => 0
  | S k => if (k mod n <? n) && able (schedule k) (k mod n) then bump (schedule k) (k mod n) else schedule k
  end.

Lemma schedule_moves : moves n schedule.
Proof.
  split; [intro p; reflexivity|]. intro k. cbn [schedule].
  destruct (Nat.ltb_spec (k mod n) n); simpl; [|left; apply ceq_refl].
  destruct (able _ _); [right; eauto using ceq_refl|left; apply ceq_refl].
Qed.
Lemma schedule_sent_first : sent_first r schedule.
Proof.
  intro k. induction k as [|k IH]; intros [j y] i j' R I; [unfold inside in I; simpl in I; lia|].
  assert (j' = j) by (symmetry; apply R). subst j'.
  assert (Old : inside (schedule k) (j, y) -> inside (bump (schedule k) (k mod n)) (delta r (j, y))).
  { intro J. pose proof (IH _ _ _ R J) as X. unfold inside, bump in *. destruct (_ =? _); lia. }
  cbn [schedule] in I |- *. destruct (_ && able _ _) eqn:E; [|now apply (IH _ i j)].
  apply andb_prop in E as [_ E]. unfold inside in I; simpl in I. unfold bump in I.
  destruct (Nat.eqb_spec j (k mod n)) as [->|]; [|now apply Old].
  destruct (Nat.eq_dec y (schedule k (k mod n))) as [->|]; [|apply Old; unfold inside; simpl; lia].
  unfold able in E. destruct R as [_ Lr]. cbn [fst snd] in Lr. rewrite Lr in E. apply Nat.ltb_lt in E.
  unfold inside, bump. destruct (_ =? _); lia.
Qed.

(** Where a process stops for ever. *)
Definition stops_at (e : event) := exists K, forall k, K <= k -> schedule k (fst e) = snd e.
Lemma stops_once p v w : stops_at (p, v) -> stops_at (p, w) -> v = w.
Proof. intros [K H] [K' H']. simpl in *. rewrite <- (H (K + K')), <- (H' (K + K')); lia. Qed.
Lemma bounded_stops p x : (forall k, schedule k p <= x) -> exists v, v <= x /\ stops_at (p, v).
Proof.
  induction x as [|x IH]; intro B.
  - exists 0. split; auto. exists 0. intros k _. specialize (B k). simpl. lia.
  - destruct (classic (exists k, schedule k p = S x)) as [[k E]|N].
    + exists (S x). split; auto. exists k. intros l G. simpl.
      pose proof (states_grow schedule schedule_moves k l G p). specialize (B l). lia.
    + destruct IH as (v & Lv & St); [|exists v; auto]. intro k. specialize (B k).
      assert (schedule k p <> S x) by (intro E; apply N; eauto). lia.
Qed.
(** It waits there for a message of one that stops before it has sent that. *)
Lemma stops_waiting p v : p < n -> stops_at (p, v) -> exists q w, q < n /\ stops_at (q, w) /\ causes r (q, w) (p, v).
Proof.
  intros Lp [K H]. simpl in H.
  assert (Turn : forall k, exists l, k <= l /\ K <= l /\ l mod n = p).
  { intro k. exists (p + (k + K) * n). split; [nia|split; [nia|]].
    rewrite Nat.mod_add by lia. now apply Nat.mod_small. }
  assert (Waits : forall l, K <= l -> l mod n = p -> able (schedule l) p = false).
  { intros l G E. pose proof (H (S l) (le_S _ _ G)) as X. cbn [schedule] in X. rewrite E in X.
    destruct (able (schedule l) p); auto. apply Nat.ltb_lt in Lp. rewrite Lp in X. simpl in X.
    unfold bump in X. rewrite Nat.eqb_refl, (H l G) in X. lia. }
  destruct (Turn 0) as (l0 & _ & G0 & E0). pose proof (Waits l0 G0 E0) as W0. unfold able in W0.
  rewrite (H l0 G0) in W0.
  destruct (lab r p v) as [?|i|] eqn:Lab; try discriminate.
  assert (R : is_rcv r (p, v) i p) by (split; auto).
  destruct (Sends _ _ _ R) as [Fi _]. destruct (delta r (p, v)) as [i' y] eqn:D. simpl in Fi. subst i'.
  assert (B : forall k, schedule k i <= y).
  { intro k. destruct (Turn k) as (l & Gk & G & E). pose proof (Waits l G E) as W. unfold able in W.
    rewrite (H l G), Lab, D in W. cbn [fst snd] in W. apply Nat.ltb_ge in W.
    pose proof (states_grow schedule schedule_moves k l Gk i). lia. }
  destruct (bounded_stops i y B) as (w & Lw & St). exists i, w. split; [apply (Among _ _ _ R)|split; [exact St|]].
  apply causes_local_le with y; auto. rewrite <- D. eapply causes_msg; eauto.
Qed.
Lemma schedule_all_happen : (forall e, ~ causes r e e) -> all_happen n schedule.
Proof.
  intros Acyclic p x Lp. apply NNPP. intro N.
  destruct (bounded_stops p x) as (v & _ & St).
  { intro k. destruct (le_lt_dec (schedule k p) x); auto. exfalso. apply N. now exists k. }
  set (R := fun a b => exists v w, stops_at (a, v) /\ stops_at (b, w) /\ causes r (b, w) (a, v)).
  destruct (max_exists (seq 0 n) (fun a => exists v, stops_at (a, v)) R) as (m & Hm & (u & Su) & Last).
  - intros a b c (va & vb & Sa & Sb & C) (wb & wc & Sb' & Sc & C'). rewrite (stops_once b wb vb Sb' Sb) in C'.
    exists va, wc. split; auto. split; auto. eapply t_trans; eauto.
  - intros a (va & wa & Sa & Sa' & C). rewrite (stops_once a wa va Sa' Sa) in C. now apply (Acyclic (a, va)).
  - exists p. split; [apply in_seq; lia|eauto].
  - apply in_seq in Hm. destruct (stops_waiting m u) as (q & w & Lq & Sq & C); [lia|exact Su|].
    apply (Last q); [apply in_seq; lia|eauto|]. exists u, w. auto.
Qed.

(** _Our conditions on delta_r guarantee the existence of such an interleaving_, and the second one is needed: a run of n
    processes in which receives take sends of their channels has an interleaving iff causality is irreflexive. *)
Theorem interleaving_of_run :
  (exists s, moves n s /\ all_happen n s /\ sent_first r s) <-> forall e, ~ causes r e e.
Proof.
  split.
  - intros (s & M & All & First). now apply (sequence_acyclic s).
  - intro A. exists schedule. split; [apply schedule_moves|]. split; [now apply schedule_all_happen|].
    exact schedule_sent_first.
Qed.
End WholeRun.
