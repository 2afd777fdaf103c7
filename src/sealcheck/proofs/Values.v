(** * Values

    "Given a matching, the values can be computed along causality": whatever a straight-line program computes, a run
    with its labels has values with which the program occurs.  So data do not matter to sealing. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine.
Open Scope nat_scope.

(** The same run with other values. *)
Definition revalue (r : run) (v : event -> value) : run := {| lab := lab r; delta := delta r; val := v |}.

(** It has the same causality, and the same silent cuts. *)
Lemma revalue_matching r v : matching r -> matching (revalue r v).
Proof. intros [A B C]. constructor; auto. Qed.
Lemma revalue_silent r v c : silent r c -> silent (revalue r v) c.
Proof. intros S e i j R. apply (S e i j R). Qed.

Section Computing.
Variables (r : run) (P : prog) (l : list act).

(** One round: what a process receives was sent; all else it computes from its past. *)
Definition round (v : event -> value) (e : event) : value :=
  match lab r (fst e) (snd e) with
  | Rcv _ => v (delta r e)
  | _ => match nth_error (exprs (fst e) P) (snd e) with
         | Some f => f (past (revalue r v) (fst e) (snd e))
         | None => 0%Z
         end
  end.
Fixpoint rounds (n : nat) : event -> value :=
  match n with 0 => fun _ => 0%Z | S n => round (rounds n) end.

(** From some round on, the value of [e] stays. *)
Definition stable (e : event) := exists n, forall m, n <= m -> rounds m e = rounds n e.

(** The values of finitely many events have settled at the same time. *)
Lemma stable_list (L : list event) : (forall e, In e L -> stable e) ->
  exists n, forall e, In e L -> forall m, n <= m -> rounds m e = rounds n e.
Proof.
  induction L as [|a L IH]; intro H; [exists 0; intros e []|].
  destruct (H a (or_introl eq_refl)) as [n1 H1]. destruct IH as [n2 H2]; [intros; apply H; now right|].
  exists (n1 + n2). intros e [<-|I] m Lm.
  - rewrite (H1 m), (H1 (n1 + n2)) by lia. reflexivity.
  - rewrite (H2 e I m), (H2 e I (n1 + n2)) by lia. reflexivity.
Qed.

(** The past of an event depends on the values of the earlier events alone. *)
Lemma past_settled i k n m : (forall x, x < k -> rounds m (i, x) = rounds n (i, x)) ->
  past (revalue r (rounds m)) i k = past (revalue r (rounds n)) i k.
Proof. intro H. apply map_ext_in. intros x I. apply in_seq in I. simpl. rewrite H; auto. lia. Qed.

(** An event is stable as soon as the events right before it are. *)
Lemma stable_after e : (forall x, step r x e -> stable x) -> stable e.
Proof.
  intro H. set (before := delta r e :: map (fun x => (fst e, x)) (seq 0 (snd e))).
  destruct (lab r (fst e) (snd e)) as [j|j|] eqn:Le.
  2:{ destruct (H (delta r e)) as [n Hn].
      { right. exists j, (fst e). split; [split; auto|reflexivity]. }
      exists (S n). intros [|m] Lm; [lia|]. simpl. unfold round. rewrite Le. apply Hn. lia. }
  all: assert (Q : exists n, forall x, In x (map (fun x => (fst e, x)) (seq 0 (snd e))) ->
         forall m, n <= m -> rounds m x = rounds n x)
    by (apply stable_list; intros x I; apply in_map_iff in I as (k & <- & I); apply in_seq in I;
        apply H; left; simpl; lia);
    destruct Q as [n Hn]; exists (S n); intros [|m] Lm; [lia|]; simpl; unfold round; rewrite Le;
    destruct (nth_error (exprs (fst e) P) (snd e)) as [f|]; auto; f_equal; apply past_settled;
    intros x Lx; apply Hn; [|lia]; apply in_map_iff; exists x; (split; [reflexivity|apply in_seq; lia]).
Qed.

(** The events whose value can matter are finitely many, and causality has no cycle: all values settle. *)
Lemma settled (L : list event) : matching r ->
  (forall e i j, is_rcv r e i j -> In e L) -> (forall i k, k < length (exprs i P) -> In (i, k) L) ->
  exists n, forall e, round (rounds n) e = rounds n e.
Proof.
  intros W HL HP.
  assert (Out : forall e, ~ In e L -> forall n, rounds n e = 0%Z).
  { intros [i k] N [|n]; [reflexivity|]. simpl. unfold round; simpl.
    assert (X : nth_error (exprs i P) k = None).
    { apply nth_error_None. destruct (le_lt_dec (length (exprs i P)) k); auto. exfalso; auto. }
    rewrite X. destruct (lab r i k) as [j|j|] eqn:Lk; auto. exfalso. apply N. apply (HL (i, k) j i). split; auto. }
  assert (All : forall e, stable e).
  { intro e. destruct (classic (stable e)) as [|NS]; auto. exfalso.
    destruct (max_exists L (fun e => ~ stable e) (fun x y => causes r y x)) as (m & _ & Nm & Mm).
    - intros x y z A B. eapply t_trans; eauto.
    - intros x A. exact (causal r W x A).
    - exists e. split; auto. destruct (classic (In e L)) as [|N]; auto. exfalso. apply NS.
      exists 0. intros n _. now rewrite !Out.
    - apply Nm, stable_after. intros x S. destruct (classic (stable x)) as [|Nx]; auto. exfalso.
      apply (Mm x); auto; [|now apply t_step].
      destruct (classic (In x L)) as [|N]; auto. exfalso. apply Nx. exists 0. intros n _. now rewrite !Out. }
  destruct (stable_list L) as [n Hn]; [auto|]. exists n. intro e.
  change (rounds (S n) e = rounds n e). destruct (classic (In e L)); [apply Hn; auto|now rewrite !Out].
Qed.
End Computing.

(** All events of a straight-line program. *)
Definition events (l : list act) : list event :=
  flat_map (fun a => map (fun k => (actor a, k)) (seq 0 (len l (actor a)))) l.
Lemma events_all l i k : k < len l i -> In (i, k) (events l).
Proof.
  intro H. apply in_flat_map. unfold len, proj in H.
  destruct (filter (fun a => actor a =? i) l) as [|a u] eqn:E; [simpl in H; lia|].
  assert (I : In a (filter (fun a => actor a =? i) l)) by (rewrite E; now left).
  apply filter_In in I as [I A]. apply Nat.eqb_eq in A. exists a. split; auto.
  apply in_map_iff. exists k. rewrite A. split; auto. apply in_seq. unfold len, proj. rewrite E. lia.
Qed.

(** The lemma that the other files use. *)
Lemma computed (r : run) (P : prog) (l : list act) (L : list event) :
  matching r -> reliable r -> acts P = Some l -> standing r (fun _ => 0) l ->
  (forall e i j, is_rcv r e i j -> In e L) ->
  exists v, Rel (revalue r v) /\ occurs (revalue r v) (fun _ => 0) P (len l).
Proof.
  intros W R A St HL.
  destruct (settled r P (L ++ events l) W) as [n Hn].
  { intros e i j Re. apply in_or_app. left. eauto. }
  { intros i k H. apply in_or_app. right. apply events_all. now rewrite <- (exprs_len i P l A). }
  exists (rounds r P n). split; [split; [split|]|].
  - now apply revalue_matching.
  - intros e i j [F Le]. change (lab r (fst e) (snd e) = Rcv i) in Le. simpl. rewrite <- (Hn e).
    unfold round. now rewrite Le.
  - exact R.
  - apply follows_occurs with l; auto.
    intros i k f H N. simpl in *. rewrite <- (Hn (i, k)). unfold round; simpl.
    destruct (lab r i k) as [j|j|] eqn:Le; [now rewrite H|now destruct (N j)|now rewrite H].
Qed.

(** In particular, every balanced, deadlock-free program occurs in an oldest-first run. *)
Lemma fifo_computed P l : acts P = Some l -> balanced l -> dead_free l ->
  exists v, Rel (revalue (fifo l) v) /\ occurs (revalue (fifo l) v) (fun _ => 0) P (len l).
Proof.
  intros A B D. apply computed with (events l); auto.
  - now apply fifo_matching.
  - apply fifo_Rel; auto.
  - intro i. apply map_lab_fifo.
  - intros [j y] i k [F Ly]. simpl fst in *; simpl snd in *. apply fifo_lab in Ly as [_ Ly]; [|discriminate].
    now apply events_all.
Qed.

(** That run is silent at its beginning and at its end. *)
Lemma fifo_silent_end l : balanced l -> silent (fifo l) (len l).
Proof.
  intros B [k w] a b [F L]. simpl in F; subst k. apply fifo_lab in L as [L L2]; [|discriminate].
  simpl fst in *; simpl snd in *. destruct (fifo_match l a b w B L) as (v & E & H & _). rewrite E.
  unfold inside; simpl. split; intros _; [eapply labs_lt; eauto|exact L2].
Qed.
Lemma occurs_somewhere P l : acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  exists r, RelNS r /\ occurs r (fun _ => 0) P (len l) /\ silent r (len l) /\ standing r (fun _ => 0) l.
Proof.
  intros A B D N. destruct (fifo_computed P l A B D) as (v & R & O). exists (revalue (fifo l) v).
  split; [split; auto|split; [auto|split]].
  - intros e i S. apply (fifo_noself l N e i S).
  - apply revalue_silent, fifo_silent_end, B.
  - intro k. apply map_lab_fifo.
Qed.
