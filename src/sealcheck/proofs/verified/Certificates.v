(** * Certificates

    A certificate is evidence from somebody who need not be trusted.  Here each kind is checked by a function that
    is proved to accept nothing wrong:
    - causal chains show that Q seals P: [chains_sound], in [Chains];
    - a run shows that Q does not: [check_run_correct], in [RunsChecked];
    - knowledge that nothing adds to shows that no program seals P: [closed_knowledge_sound]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine CausalPast Decider KnowledgeDecider.
Open Scope nat_scope.

Definition event_eqb (x y : event) : bool := pair_eqb x y.

(** ** Runs *)

(** Whose message a receive takes, by a list of pairs. *)
Fixpoint matched_send (m : list (event * event)) (e : event) : event :=
  match m with
  | [] => e
  | (r, s) :: m' => if event_eqb r e then s else matched_send m' e
  end.

(** The run in which exactly the events of [l] happen, with this matching. *)
Definition run_of (l : list act) (m : list (event * event)) : run := {|
  lab := lab (fifo l);
  delta := matched_send m;
  val := fun _ => 0%Z
|}.

(** All events of [l]. *)
Definition events_of_processes (n : nat) (l : list act) : list event :=
  flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq 0 n).

Definition is_receive (l : list act) (e : event) : bool :=
  match nth_error (labs (fst e) l) (snd e) with Some (Rcv _) => true | _ => false end.

Lemma all_events_spec : forall n l e, acts_below n l -> (In e (events_of_processes n l) <-> inside (len l) e).
Proof.
  intros n l [i k] W. unfold events_of_processes, inside. rewrite in_flat_map. cbn [fst snd]. split.
  - intros (j & J & H). apply in_map_iff in H as (x & E & H). injection E as -> ->. apply in_seq in H. lia.
  - intro H. exists i. assert (I : i < n).
    { destruct (nth_error (labs i l) k) as [a|] eqn:E; [eauto using below_labs|].
      apply nth_error_None in E. rewrite len_labs in E. lia. }
    split; [apply in_seq; lia|]. apply in_map_iff. exists k. split; auto. apply in_seq. lia.
Qed.

(** Different receives that the matching has take different messages. *)
Lemma matched_send_in : forall m e, In e (map fst m) -> In (e, matched_send m e) m.
Proof.
  induction m as [|[r s] m IH]; intros e I; simpl in *; [tauto|]. destruct (event_eqb r e) eqn:E.
  - apply pair_eqb_spec in E. subst. auto.
  - destruct I as [->|I]; auto. exfalso. assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma taken_injective : forall m e e', NoDup (map snd m) -> In e (map fst m) -> In e' (map fst m) ->
  matched_send m e = matched_send m e' -> e = e'.
Proof.
  intros m e e' N I I' E. apply matched_send_in in I, I'. rewrite E in I. revert N I I'. generalize (matched_send m e').
  clear. intro s. induction m as [|[r t] m IH]; simpl; intros N I I'; [tauto|]. inversion N; subst.
  assert (X : forall a, In (a, s) m -> In s (map snd m)) by (intros a A; apply in_map_iff; exists (a, s); auto).
  destruct I as [I|I], I' as [I'|I']; auto.
  - injection I as -> ->. injection I' as ->. auto.
  - injection I as -> ->. exfalso; eauto.
  - injection I' as -> ->. exfalso; eauto.
Qed.

(** ** Knowledge that nothing adds to *)

(** For each process a list of open channels that it may know to be safe. *)
Definition knowledge_lists := list (list (proc * proc)).
Definition may_know (K : knowledge_lists) (i : proc) (c : proc * proc) : bool := mem c (nth i K []).

Definition knows_less (K : knowledge_lists) (i j : proc) : bool := forallb (may_know K j) (nth i K []).

Section Closed.
Variables (n : nat) (p : list act) (reach : proc -> proc -> proc -> bool) (K : knowledge_lists).

Definition check_closed : bool :=
  let open := open_channels n reach in
  (* what is known at the end of P *)
  forallb (fun k => forallb (fun c => negb (reach (fst c) (snd c) k) || may_know K k c) open) (seq 0 n) &&
  (* whoever may send tells nothing new *)
  for_channels n (fun i j => (i =? j) || (mem (i, j) open && negb (may_know K i (i, j))) || knows_less K i j) &&
  (* some channel is never safe *)
  existsb (fun c => negb (may_know K (fst c) c)) open.

Hypotheses (W : acts_below n p) (Reach : computes_reach n p reach) (H : check_closed = true).

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
