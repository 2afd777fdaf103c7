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
Variables (r : run) (c : cut) (P : prog) (l : list act).

(** The event is one of the program, which begins at [c], and computes its value by [f]. *)
Definition computes (e : event) (f : expr) := c (fst e) <= snd e /\
  nth_error (exprs (fst e) P) (snd e - c (fst e)) = Some f /\ forall j, lab r (fst e) (snd e) <> Rcv j.

(** One round: what a process receives was sent; what the program computes, it computes from the past; other events keep
    their values. *)
Definition compute_step (v : event -> value) (e : event) : value :=
  match lab r (fst e) (snd e) with
  | Rcv _ => v (delta r e)
  | _ => if c (fst e) <=? snd e then
           match nth_error (exprs (fst e) P) (snd e - c (fst e)) with
           | Some f => f (past (revalue r v) (fst e) (snd e))
           | None => val r e
           end
         else val r e
  end.
Fixpoint compute_steps (n : nat) : event -> value := match n with 0 => val r | S n =>
  compute_step (compute_steps n) end.

Lemma round_receives v e i j : is_rcv r e i j -> compute_step v e = v (delta r e).
Proof. intros [_ L]. unfold compute_step. now rewrite L. Qed.
Lemma round_computes v e f : computes e f -> compute_step v e = f (past (revalue r v) (fst e) (snd e)).
Proof.
  intros (L & N & R). unfold compute_step. apply Nat.leb_le in L. rewrite L, N.
  destruct (lab r (fst e) (snd e)) as [j|j|]; auto. now destruct (R j).
Qed.

(** From some round on, the value of [e] stays. *)
Definition stable (e : event) := exists n, forall m, n <= m -> compute_steps m e = compute_steps n e.

(** What is neither received nor computed has its value from the beginning. *)
Lemma cases e : (exists i j, is_rcv r e i j) \/ (exists f, computes e f) \/ forall n, compute_steps n e = val r e.
Proof.
  destruct (lab r (fst e) (snd e)) as [j|j|] eqn:L; [|left; exists j, (fst e); split; auto|]; right;
    (destruct (le_lt_dec (c (fst e)) (snd e)) as [Le|Lt];
      [destruct (nth_error (exprs (fst e) P) (snd e - c (fst e))) as [f|] eqn:N;
        [left; exists f; split; [auto|split; [auto|rewrite L; discriminate]]|]|]; right;
      intros [|n]; auto; simpl; unfold compute_step; rewrite L).
  2,4: apply Nat.leb_gt in Lt; now rewrite Lt.
  all: apply Nat.leb_le in Le; now rewrite Le, N.
Qed.

(** The values of finitely many events have settled at the same time. *)
Lemma stable_list (L : list event) : (forall e, In e L -> stable e) ->
  exists n, forall e, In e L -> forall m, n <= m -> compute_steps m e = compute_steps n e.
Proof.
  induction L as [|a L IH]; intro H; [exists 0; intros e []|].
  destruct (H a (or_introl eq_refl)) as [n1 H1]. destruct IH as [n2 H2]; [intros; apply H; now right|].
  exists (n1 + n2). intros e [<-|I] m Lm.
  - rewrite (H1 m), (H1 (n1 + n2)) by lia. reflexivity.
  - rewrite (H2 e I m), (H2 e I (n1 + n2)) by lia. reflexivity.
Qed.

(** The past of an event depends on the values of the earlier events alone. *)
Lemma past_settled i k n m : (forall x, x < k -> compute_steps m (i, x) = compute_steps n (i, x)) ->
  past (revalue r (compute_steps m)) i k = past (revalue r (compute_steps n)) i k.
Proof. intro H. apply map_ext_in. intros x I. apply in_seq in I. simpl. rewrite H; auto. lia. Qed.

(** An event is stable as soon as the events right before it are. *)
Lemma stable_after e : (forall x, step r x e -> stable x) -> stable e.
Proof.
  intro H. destruct (cases e) as [(i & j & R)|[[f C]|V]].
  - destruct (H (delta r e)) as [n Hn]; [right; eauto|]. exists (S n). intros [|m] Lm; [lia|]. simpl.
    rewrite !(round_receives _ e i j R). apply Hn. lia.
  - destruct (stable_list (map (fun x => (fst e, x)) (seq 0 (snd e)))) as [n Hn].
    { intros x I. apply in_map_iff in I as (k & <- & I). apply in_seq in I. apply H. left. simpl. lia. }
    exists (S n). intros [|m] Lm; [lia|]. simpl. rewrite !(round_computes _ e f C). f_equal. apply past_settled.
    intros x Lx. apply Hn; [|lia]. apply in_map_iff. exists x. split; [reflexivity|apply in_seq; lia].
  - exists 0. intros m _. now rewrite !V.
Qed.

(** The computed events are finitely many, and causality has no cycle: all values settle. *)
Lemma settled (L : list event) : matching r -> (forall e f, computes e f -> In e L) ->
  exists n, forall e, compute_step (compute_steps n) e = compute_steps n e.
Proof.
  intros M HL.
  assert (Source : forall e, ~ stable e -> In e L \/ (step r (delta r e) e /\ ~ stable (delta r e) /\ In (delta r e) L)).
  { intros e N. destruct (cases e) as [(i & j & R)|[[f C]|V]]; [|eauto|].
    - right. assert (Sent : step r (delta r e) e) by (right; eauto). split; [exact Sent|].
      assert (N' : ~ stable (delta r e)).
      { intros [n Hn]. apply N. exists (S n). intros [|m] Lm; [lia|]. simpl. rewrite !(round_receives _ e i j R).
        apply Hn. lia. }
      split; [exact N'|]. destruct (cases (delta r e)) as [(a & b & R')|[[f C]|V]]; [|eauto|].
      + pose proof (delta_snd r M _ _ _ R) as [_ S']. destruct R' as [_ L']. congruence.
      + destruct N'. exists 0. intros m _. now rewrite !V.
    - destruct N. exists 0. intros m _. now rewrite !V. }
  assert (All : forall e, stable e).
  { intro e. apply NNPP. intro NS.
    destruct (max_exists L (fun e => ~ stable e) (fun x y => causes r y x)) as (m & _ & Nm & Mm).
    - intros x y z A B. eapply t_trans; eauto.
    - intros x A. exact (causal r M x A).
    - destruct (Source e NS) as [I|(_ & N & I)]; eauto.
    - apply Nm, stable_after. intros x S. apply NNPP. intro Nx. destruct (Source x Nx) as [I|(S' & N & I)].
      + apply (Mm x); auto. now apply t_step.
      + apply (Mm (delta r x)); auto. eapply t_trans; apply t_step; eauto. }
  destruct (stable_list L) as [n Hn]; [auto|].
  assert (Sent : forall e i j, is_rcv r e i j -> compute_steps (S n) (delta r e) = compute_steps n (delta r e)).
  { intros e i j R. destruct (cases (delta r e)) as [(a & b & R')|[[f C]|V]]; [|apply Hn; eauto|now rewrite !V].
    pose proof (delta_snd r M _ _ _ R) as [_ S']. destruct R' as [_ L']. congruence. }
  exists (S n). intro e. change (compute_steps (S (S n)) e = compute_steps (S n) e). destruct (cases e) as
    [(i & j & R)|[[f C]|V]].
  - change (compute_step (compute_steps (S n)) e = compute_step (compute_steps n) e).
    rewrite !(round_receives _ e i j R). eauto.
  - rewrite (Hn e (HL e f C) (S (S n))), (Hn e (HL e f C) (S n)); auto.
  - now rewrite !V.
Qed.
End Computing.

(** All events of a straight-line program. *)
Definition events_of (l : list act) : list event :=
  flat_map (fun a => map (fun k => (actor a, k)) (seq 0 (len l (actor a)))) l.
Lemma events_all l i k : k < len l i -> In (i, k) (events_of l).
Proof.
  intro H. apply in_flat_map. unfold len, proj in H.
  destruct (filter (fun a => actor a =? i) l) as [|a u] eqn:E; [simpl in H; lia|].
  assert (I : In a (filter (fun a => actor a =? i) l)) by (rewrite E; now left).
  apply filter_In in I as [I A]. apply Nat.eqb_eq in A. exists a. split; auto.
  apply in_map_iff. exists k. rewrite A. split; auto. apply in_seq. unfold len, proj. rewrite E. lia.
Qed.

(** The lemma that the other files use. *)
Lemma computed (r : run) (c : cut) (P : prog) (l : list act) :
  matching r -> reliable r -> acts P = Some l -> standing r c l ->
  exists v, Rel (revalue r v) /\ occurs (revalue r v) c P (fun i => c i + len l i).
Proof.
  intros M R A St.
  destruct (settled r c P (map (fun e => (fst e, c (fst e) + snd e)) (events_of l)) M) as [n Hn].
  { intros [i k] f (Le & N & _). cbn [fst snd] in *. apply in_map_iff. exists (i, k - c i). cbn [fst snd].
    split; [f_equal; lia|]. apply events_all. rewrite <- (exprs_len i P l A). apply nth_error_Some. congruence. }
  exists (compute_steps r c P n). split; [split; [split|]|].
  - now apply revalue_matching.
  - intros e i j Re. change (is_rcv r e i j) in Re. simpl. rewrite <- (Hn e). exact (round_receives r c P _ e i j Re).
  - exact R.
  - apply follows_occurs with l; auto.
    intros i k f H N. simpl in *. rewrite <- (Hn (i, c i + k)). apply (round_computes r c P _ (i, c i + k) f).
    split; [simpl; lia|split; [|exact N]]. cbn [fst snd]. now replace (c i + k - c i) with k by lia.
Qed.

(** In particular, every balanced, deadlock-free program occurs in an oldest-first run. *)
Lemma fifo_computed P l : acts P = Some l -> balanced l -> dead_free l ->
  exists v, Rel (revalue (fifo l) v) /\ occurs (revalue (fifo l) v) (fun _ => 0) P (len l).
Proof.
  intros A B D. apply (computed (fifo l) (fun _ => 0) P l); auto.
  - now apply fifo_matching.
  - apply fifo_Rel; auto.
  - intro i. apply map_lab_fifo.
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
