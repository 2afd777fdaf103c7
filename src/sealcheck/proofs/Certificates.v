(** * Certificates

    A certificate is evidence from somebody who need not be trusted.  Here each kind is checked by a function that
    is proved to accept nothing wrong:
    - causal chains show that Q seals P: [chains_sound];
    - a run shows that Q does not: [run_shows] (what follows from it is in [CheckerCorrect]);
    - knowledge that nothing adds to shows that no program seals P: [closed_knowledge_sound]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine CausalPast Decider KnowledgeDecider.
Open Scope nat_scope.

Definition event_eqb (x y : event) : bool := pair_eqb x y.

(** ** Chains *)

(** One step of the program graph, to an event of the program. *)
Definition is_step (l : list act) (x y : event) : bool :=
  match nth_error (labs (fst y) l) (snd y) with
  | Some a => ((fst x =? fst y) && (snd x <? snd y)) ||
              match a with Rcv _ => event_eqb (delta (fifo l) y) x | _ => false end
  | None => false
  end.

Lemma is_step_spec : forall l x y, is_step l x y = true -> step (fifo l) x y.
Proof.
  intros l x [j y] H. unfold is_step in H. cbn [fst snd] in H.
  destruct (nth_error (labs j l) y) as [a|] eqn:E; [|discriminate]. apply orb_true_iff in H as [H|H].
  - apply andb_true_iff in H as [F L]. left. split; [now apply Nat.eqb_eq|now apply Nat.ltb_lt].
  - destruct a as [k|i|]; try discriminate. apply pair_eqb_spec in H. right. exists i, j. split; auto. split; auto. simpl. now rewrite E.
Qed.

(** Each place is a step after the one before it. *)
Fixpoint is_path (l : list act) (x : event) (rest : list event) : bool :=
  match rest with
  | [] => true
  | y :: rest' => is_step l x y && is_path l y rest'
  end.

Lemma last_cons : forall (rest : list event) x y, last (x :: rest) y = last rest x.
Proof. induction rest as [|z rest IH]; intros x y; auto. rewrite (IH z x). exact (IH z y). Qed.

Lemma is_path_causes : forall l rest x y, is_path l x (y :: rest) = true -> causes (fifo l) x (last rest y).
Proof.
  intro l. induction rest as [|z rest IH]; intros x y H; simpl in H; apply andb_true_iff in H as [S H].
  - apply t_step, is_step_spec, S.
  - specialize (IH y z H). apply t_trans with y; [apply t_step, is_step_spec, S|].
    rewrite last_cons. exact IH.
Qed.

(** The largest of some numbers. *)
Definition is_last (y : nat) (ys : list nat) : bool := existsb (Nat.eqb y) ys && forallb (fun k => k <=? y) ys.

(** A chain for [i -> j]: from P's last receive on it to the next send on it, or to an earlier event of [i]. *)
Definition is_chain (p q : list act) (i j : proc) (chain : list event) : bool :=
  match chain with
  | x :: y :: rest =>
      let z := last rest y in
      (fst x =? j) && is_last (snd x) (receives i j p) &&
      is_path (p ++ q) x (y :: rest) && (fst z =? i) && (snd z <=? next_send p q i j)
  | _ => false
  end.

(** A chain for each channel on which P receives, in the order of [for_channels]. *)
Fixpoint are_chains (p q : list act) (channels : list (proc * proc)) (chains : list (list event)) : bool :=
  match channels, chains with
  | [], [] => true
  | c :: channels', chain :: chains' =>
      is_chain p q (fst c) (snd c) chain && are_chains p q channels' chains'
  | _, _ => false
  end.

Definition used_channels (n : nat) (p : list act) : list (proc * proc) :=
  filter (fun c => match receives (fst c) (snd c) p with [] => false | _ => true end)
    (list_prod (seq 0 n) (seq 0 n)).

Definition check_chains (n : nat) (p q : list act) (chains : list (list event)) : bool :=
  are_chains p q (used_channels n p) chains.

Lemma are_chains_spec : forall p q channels chains, are_chains p q channels chains = true ->
  forall c, In c channels -> exists chain, is_chain p q (fst c) (snd c) chain = true.
Proof.
  intros p q. induction channels as [|c channels IH]; intros [|chain chains] H a A; simpl in *; try tauto; try discriminate.
  apply andb_true_iff in H as [H1 H2]. destruct A as [<-|A]; eauto.
Qed.

Theorem chains_sound : forall n p q chains, below n p -> check_chains n p q chains = true -> covers p q.
Proof.
  intros n p q chains W H i j y z Y Z.
  assert (I : In (i, j) (used_channels n p)).
  { assert (J : j < n) by eauto using below_labs. assert (I : i < n) by (apply (below_peer n p j y _ W Y)).
    unfold used_channels. apply filter_In. split.
    - apply in_prod; apply in_seq; lia.
    - cbn [fst snd]. apply receives_spec in Y. destruct (receives i j p); auto. }
  destruct (are_chains_spec _ _ _ _ H _ I) as (chain & C). cbn [fst snd] in C.
  destruct chain as [|[j' x] [|b rest]]; try discriminate. unfold is_chain in C. rewrite !andb_true_iff in C.
  destruct C as ((((J & M) & P) & F) & L). cbn [fst snd] in *.
  apply Nat.eqb_eq in J, F. apply Nat.leb_le in L. subst j'.
  apply andb_true_iff in M as [_ M]. rewrite forallb_forall in M. apply receives_spec in Y. specialize (M y Y). apply Nat.leb_le in M.
  apply is_path_causes in P. destruct (last rest b) as [i' k] eqn:E. cbn [fst snd] in *. subst i'.
  apply causes_local_ge with k; [eapply Nat.le_trans; [exact L|now apply next_send_le]|].
  now apply causes_local_le with x.
Qed.

(** ** Runs *)

(** Whose message a receive takes, by a list of pairs. *)
Fixpoint taken (m : list (event * event)) (e : event) : event :=
  match m with
  | [] => e
  | (r, s) :: m' => if event_eqb r e then s else taken m' e
  end.

(** The run in which exactly the events of [l] happen, with this matching. *)
Definition run_of (l : list act) (m : list (event * event)) : run := {|
  lab := lab (fifo l);
  delta := taken m;
  val := fun _ => 0%Z
|}.

(** All events of [l], and where an event stands in an order. *)
Definition all_events (n : nat) (l : list act) : list event :=
  flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq 0 n).

Fixpoint rank (e : event) (order : list event) : nat :=
  match order with
  | [] => 0
  | x :: order' => if event_eqb x e then 0 else S (rank e order')
  end.

Definition is_send_to (l : list act) (e : event) (i j : proc) : bool :=
  (fst e =? i) && match nth_error (labs i l) (snd e) with Some a => sndb j a | None => false end.

(** What is required of an event: that it is in the order, before the next one of its process; and, of a receive,
    that a send on its channel is matched with it, which stands before it. *)
Definition is_placed (l : list act) (order : list event) (m : list (event * event)) (e : event) : bool :=
  (rank e order <? length order) &&
  (negb (S (snd e) <? len l (fst e)) || (rank e order <? rank (fst e, S (snd e)) order)) &&
  match nth_error (labs (fst e) l) (snd e) with
  | Some (Rcv i) => is_send_to l (taken m e) i (fst e) && (rank (taken m e) order <? rank e order)
  | _ => true
  end.

Fixpoint all_different (es : list event) : bool :=
  match es with
  | [] => true
  | e :: es' => negb (mem e es') && all_different es'
  end.

Definition is_receive (l : list act) (e : event) : bool :=
  match nth_error (labs (fst e) l) (snd e) with Some (Rcv _) => true | _ => false end.

(** The order has each event of [l] once, and the matching has each receive once, no two with the same send. *)
Definition check_run (n : nat) (l : list act) (order : list event) (m : list (event * event)) : bool :=
  is_below n l &&
  forallb (is_placed l order m) (all_events n l) && (length order =? length (all_events n l)) &&
  forallb (fun e => negb (is_receive l e) || mem e (map fst m)) (all_events n l) &&
  (length m =? length (filter (is_receive l) (all_events n l))) && all_different (map snd m).

Lemma all_different_spec : forall es, all_different es = true -> NoDup es.
Proof.
  induction es as [|e es IH]; simpl; intro H; constructor; apply andb_true_iff in H as [H1 H2]; auto.
  intro I. apply mem_spec in I. rewrite I in H1. discriminate.
Qed.

Lemma all_events_spec : forall n l e, below n l -> (In e (all_events n l) <-> inside (len l) e).
Proof.
  intros n l [i k] W. unfold all_events, inside. rewrite in_flat_map. cbn [fst snd]. split.
  - intros (j & J & H). apply in_map_iff in H as (x & E & H). injection E as -> ->. apply in_seq in H. lia.
  - intro H. exists i. assert (I : i < n).
    { destruct (nth_error (labs i l) k) as [a|] eqn:E; [eauto using below_labs|].
      apply nth_error_None in E. rewrite len_labs in E. lia. }
    split; [apply in_seq; lia|]. apply in_map_iff. exists k. split; auto. apply in_seq. lia.
Qed.

(** Different receives that the matching has take different messages. *)
Lemma taken_in : forall m e, In e (map fst m) -> In (e, taken m e) m.
Proof.
  induction m as [|[r s] m IH]; intros e I; simpl in *; [tauto|]. destruct (event_eqb r e) eqn:E.
  - apply pair_eqb_spec in E. subst. auto.
  - destruct I as [->|I]; auto. exfalso. assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma taken_injective : forall m e e', NoDup (map snd m) -> In e (map fst m) -> In e' (map fst m) ->
  taken m e = taken m e' -> e = e'.
Proof.
  intros m e e' N I I' E. apply taken_in in I, I'. rewrite E in I. revert N I I'. generalize (taken m e').
  clear. intro s. induction m as [|[r t] m IH]; simpl; intros N I I'; [tauto|]. inversion N; subst.
  assert (X : forall a, In (a, s) m -> In s (map snd m)) by (intros a A; apply in_map_iff; exists (a, s); auto).
  destruct I as [I|I], I' as [I'|I']; auto.
  - injection I as -> ->. injection I' as ->. auto.
  - injection I as -> ->. exfalso; eauto.
  - injection I' as -> ->. exfalso; eauto.
Qed.

(** A number for each event of the run, which rises along causality. *)
Definition height (l : list act) (order : list event) (e : event) : nat :=
  if snd e <? len l (fst e) then rank e order else length order + snd e.

Section Valid.
Variables (n : nat) (l : list act) (order : list event) (m : list (event * event)).
Hypothesis H : check_run n l order m = true.

Lemma check_run_parts : below n l /\ (forall e, inside (len l) e -> is_placed l order m e = true) /\
  (forall e, inside (len l) e -> is_receive l e = true -> In e (map fst m)) /\ NoDup (map snd m).
Proof.
  unfold check_run in H. rewrite !andb_true_iff, !forallb_forall in H.
  destruct H as (((((W & P) & _) & R) & _) & D). apply is_below_spec in W. split; auto.
  split; [intros e I; now apply P, all_events_spec|]. split; [|now apply all_different_spec].
  intros e I Re. apply (all_events_spec n) in I; auto. specialize (R e I). rewrite Re in R. simpl in R.
  now apply mem_spec.
Qed.

Lemma placed_receive : forall e i j, is_rcv (run_of l m) e i j ->
  inside (len l) e /\ is_receive l e = true /\ is_send_to l (taken m e) i j = true /\
  rank (taken m e) order < rank e order.
Proof.
  intros [j' y] i j [F L]. cbn [fst snd] in F. subst j'. change (lab (fifo l) j y = Rcv i) in L.
  apply fifo_lab in L as [L I]; [|discriminate]. destruct check_run_parts as (_ & P & _ & _).
  specialize (P (j, y) I). unfold is_placed in P. cbn [fst snd] in P. rewrite L, !andb_true_iff in P.
  destruct P as (_ & S & R). apply Nat.ltb_lt in R. unfold is_receive. cbn [fst snd]. rewrite L. auto.
Qed.

Lemma is_send_to_spec : forall e i j, is_send_to l e i j = true ->
  fst e = i /\ nth_error (labs i l) (snd e) = Some (Snd j).
Proof.
  intros [a x] i j S. unfold is_send_to in S. apply andb_true_iff in S as [F S]. cbn [fst snd] in *.
  apply Nat.eqb_eq in F. split; auto. destruct (nth_error (labs i l) x) as [b|]; [|discriminate].
  apply sndb_spec in S. now subst.
Qed.

Lemma rank_next : forall i x y, x < y -> y < len l i -> rank (i, x) order < rank (i, y) order.
Proof.
  intros i x y L. induction L as [|y L IH]; intro Y; destruct check_run_parts as (_ & P & _ & _).
  - specialize (P (i, x)). unfold inside, is_placed in P. cbn [fst snd] in P.
    rewrite !andb_true_iff, orb_true_iff in P. destruct P as ((_ & [N|R]) & _); [lia| |now apply Nat.ltb_lt].
    apply negb_true_iff, Nat.ltb_ge in N. lia.
  - apply Nat.lt_trans with (rank (i, y) order); [apply IH; lia|].
    specialize (P (i, y)). unfold inside, is_placed in P. cbn [fst snd] in P.
    rewrite !andb_true_iff, orb_true_iff in P. destruct P as ((_ & [N|R]) & _); [lia| |now apply Nat.ltb_lt].
    apply negb_true_iff, Nat.ltb_ge in N. lia.
Qed.

Lemma rank_inside : forall e, inside (len l) e -> rank e order < length order.
Proof.
  intros e I. destruct check_run_parts as (_ & P & _ & _). specialize (P e I). unfold is_placed in P.
  rewrite !andb_true_iff in P. now apply Nat.ltb_lt.
Qed.

Lemma height_rises : forall x y, step (run_of l m) x y -> height l order x < height l order y.
Proof.
  intros [i x] [j y] [[F L]|(a & b & R & D)]; cbn [fst snd] in *.
  - subst j. unfold height; cbn [fst snd]. destruct (x <? len l i) eqn:X, (y <? len l i) eqn:Y;
      rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; try lia.
    + now apply rank_next.
    + pose proof (rank_inside (i, x) X). lia.
  - destruct (placed_receive _ _ _ R) as (I & _ & S & Lt). cbn [run_of delta] in D. rewrite D in S, Lt.
    apply is_send_to_spec in S as [F S]. cbn [fst snd] in F, S. subst a. apply labs_lt in S.
    unfold inside in I. cbn [fst snd] in I. apply Nat.ltb_lt in S, I.
    unfold height; cbn [fst snd]. now rewrite S, I.
Qed.

(** What the check accepts is a run. *)
Theorem run_is_matching : matching (run_of l m).
Proof.
  constructor.
  - intros e i j R. destruct (placed_receive _ _ _ R) as (_ & _ & S & _). apply is_send_to_spec in S as [F S].
    split; auto. cbn [run_of lab delta]. rewrite F. simpl. now rewrite S.
  - intros e i j e' i' j' R R' E. destruct (placed_receive _ _ _ R) as (I & Rc & _ & _).
    destruct (placed_receive _ _ _ R') as (I' & Rc' & _ & _). destruct check_run_parts as (_ & _ & K & N).
    apply taken_injective with m; auto.
  - apply by_order with (fun x y => height l order x < height l order y); auto using height_rises.
    + intros x y z; apply Nat.lt_trans.
    + intro x. apply Nat.lt_irrefl.
Qed.
End Valid.

(** A run of P;rest in which the receive [e] of P takes a message that P has not sent. *)
Definition run_shows (n : nat) (p rest : list act) (order : list event) (m : list (event * event)) (e : event) : bool :=
  check_run n (p ++ rest) order m && has_no_self (p ++ rest) &&
  is_receive p e && negb (snd (taken m e) <? len p (fst (taken m e))).

(** ** Knowledge that nothing adds to *)

(** For each process a list of open channels that it may know to be safe. *)
Definition state := list (list (proc * proc)).
Definition may_know (K : state) (i : proc) (c : proc * proc) : bool := mem c (nth i K []).

Definition knows_less (K : state) (i j : proc) : bool := forallb (may_know K j) (nth i K []).

Section Closed.
Variables (n : nat) (p : list act) (reach : proc -> proc -> proc -> bool) (K : state).

Definition check_closed : bool :=
  let open := open_channels n reach in
  (* what is known at the end of P *)
  forallb (fun k => forallb (fun c => negb (reach (fst c) (snd c) k) || may_know K k c) open) (seq 0 n) &&
  (* whoever may send tells nothing new *)
  for_channels n (fun i j => (i =? j) || (mem (i, j) open && negb (may_know K i (i, j))) || knows_less K i j) &&
  (* some channel is never safe *)
  existsb (fun c => negb (may_know K (fst c) c)) open.

Hypotheses (W : below n p) (Reach : computes n p reach) (H : check_closed = true).

(** Nobody comes to know what the state does not have. *)
Lemma knows_within_state : forall i k, knows n p i k -> i < n -> forall a b, open_channel p a b -> reaches p a b k ->
  may_know K i (a, b) = true.
Proof.
  unfold check_closed in H. rewrite !andb_true_iff, for_channels_spec, forallb_forall in H.
  destruct H as ((H0 & H1) & _).
  assert (Op : forall a b, open_channel p a b -> In (a, b) (open_channels n reach)).
  { intros a b. now apply open_channels_correct. }
  induction 1 as [i|i j k k' Hi Hj N K1 IH1 R K2 IH2]; intros I a b O Re.
  - assert (X : In i (seq 0 n)) by (apply in_seq; lia). specialize (H0 i X). rewrite forallb_forall in H0.
    specialize (H0 (a, b) (Op a b O)). cbn [fst snd] in H0. apply orb_true_iff in H0 as [H0|H0]; auto.
    apply negb_true_iff in H0. apply Reach in Re; auto. congruence.
  - specialize (IH2 Hi a b O Re). specialize (H1 i j Hi Hj). rewrite !orb_true_iff in H1.
    destruct H1 as [[E|M]|L]; [apply Nat.eqb_eq in E; congruence| |].
    + exfalso. apply andb_true_iff in M as [M1 M2]. apply mem_spec in M1.
      apply (open_channels_correct n p) in M1; auto.
      rewrite (IH1 Hi i j M1 R) in M2. discriminate.
    + unfold knows_less in L. rewrite forallb_forall in L. apply L. unfold may_know in IH2. now apply mem_spec.
Qed.

Theorem closed_knowledge_sound : ~ closure_seals n p.
Proof.
  intro C. pose proof knows_within_state as S. unfold check_closed in H.
  rewrite !andb_true_iff, existsb_exists in H. destruct H as (_ & [i j] & O & M). cbn [fst snd] in M.
  apply (open_channels_correct n p) in O; auto.
  destruct O as [R O]. destruct (C i j R) as (k & Kn & Re).
  assert (I : i < n).
  { destruct R as [y Y]. apply (below_peer n p j y _ W Y). }
  rewrite (S i k Kn I i j (conj R O) Re) in M. discriminate.
Qed.
End Closed.
