(** * Corollary: no barriers

    "Since a barrier is necessarily TCC we immediately obtain: No program can serve as a barrier in Rel."

    For straight-line programs that can occur at all, and any two processes.  (A program that never occurs is a barrier,
    as every refinement holds of it; the silent cut by itself is one, too: see [Refutations].)

    Theorems of the ledger: [barrier_is_tcc]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality TccImpossibility.
Open Scope nat_scope.

(** What is kept apart from nothing at all is TCC, and what is kept apart from P seals P. *)
Lemma apart_tcc G B : refines G (Lay Chop (Lay Eps (Lay B Eps))) (Lay Eps (Lay Chop (Lay B (Lay Chop Eps)))) ->
  TCC G B.
Proof.
  intro H. apply tcc_iff. intros r c d g S O.
  assert (X : occurs r c (Lay Chop (Lay Eps (Lay B Eps))) d).
  { apply chop_first. split; auto. apply lay_iff. exists c. split; [apply O_eps, ceq_refl|].
    apply lay_iff. exists d. split; [auto|apply O_eps, ceq_refl]. }
  apply (H r c d g) in X. apply chop_middle in X as (m & _ & _ & X).
  apply chop_middle in X as (m' & _ & S' & E). inversion E; subst. eapply silent_ceq; eauto.
Qed.
Lemma apart_seals G B P : refines G (Lay Chop (Lay P (Lay B Eps))) (Lay P (Lay Chop (Lay B (Lay Chop Eps)))) ->
  Seals G B P.
Proof.
  intro H. apply seals_iff. intros r c d g S O. apply lay_iff in O as (m & O1 & O2).
  assert (X : occurs r c (Lay Chop (Lay P (Lay B Eps))) d).
  { apply chop_first. split; auto. apply lay_iff. exists m. split; auto.
    apply lay_iff. exists d. split; [auto|apply O_eps, ceq_refl]. }
  apply (H r c d g) in X. apply chop_middle in X as (m' & X1 & Sm & X2).
  apply chop_middle in X2 as (n & X2 & _ & E). inversion E; subst.
  exists m'. split; [auto|split; auto]. eapply occurs_ceq; eauto using ceq_refl.
Qed.

(** "Observe that every barrier B in G is in particular TCC in G" - and seals every program. *)
Theorem barrier_is_tcc : forall G B, Barrier G B -> TCC G B.
Proof. intros G B H. apply apart_tcc, H. Qed.
Theorem barrier_seals : forall G B, Barrier G B -> forall P, Seals G B P.
Proof. intros G B H P. apply apart_seals, H. Qed.

(** Straight-line programs have no silent cut inside. *)
Lemma straight_nochop P p : acts P = Some p -> nochop P.
Proof.
  revert p. induction P; simpl; intros p A; try discriminate; auto.
  destruct (acts P1); [|discriminate]. destruct (acts P2); [|discriminate]. eauto.
Qed.

(** ** Programs in which messages go from [i] to [j] only *)

Definition oneway (i j : proc) (l : list act) := forall k,
  (forall a, In (Snd a) (labs k l) -> k = i /\ a = j) /\ (forall a, In (Rcv a) (labs k l) -> k = j /\ a = i).

(** They do not deadlock, if balanced: the events of [i] before those of [j] is an order. *)
Lemma oneway_dead_free i j l : i <> j -> oneway i j l -> dead_free l.
Proof.
  intros N W. unfold dead_free. apply by_order with (L := fun x y =>
    (fst x = fst y /\ snd x < snd y) \/ (fst x = i /\ fst y = j)).
  - intros x y [S|(a & b & [F L] & D)]; [left; auto|right]. destruct y as [b' y]; simpl in F; subst b'.
    apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in *.
    destruct (proj2 (W b) a (nth_error_In _ _ L)) as [-> ->]. split; auto.
    rewrite <- D. simpl. now rewrite L.
  - intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]);
      try (right; split; congruence).
  - intros x [[_ A]|[A B]]; [lia|congruence].
Qed.
(** In them, events of [j] cause nothing of other processes. *)
Lemma oneway_quiet i j l y w : i <> j -> oneway i j l -> causes (fifo l) (j, y) w -> fst w = j.
Proof.
  intros N W C. apply clos_trans_tn1 in C.
  assert (St : forall v u, step (fifo l) v u -> fst v = j -> fst u = j).
  { intros v u [[A _]|(a & b & [F L] & D)] E; [congruence|]. destruct u as [b' k]; simpl in F; subst b'.
    apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in *.
    destruct (proj2 (W b) a (nth_error_In _ _ L)) as [-> ->]. reflexivity. }
  induction C; eauto.
Qed.
Lemma oneway_nofself i j l : i <> j -> oneway i j l -> nofself l.
Proof. intros N W k H. destruct (proj1 (W k) k H). congruence. Qed.
Lemma oneway_app i j a b : oneway i j a -> oneway i j b -> oneway i j (a ++ b).
Proof.
  intros A B k. split; intros x H; rewrite labs_app in H; apply in_app_or in H as [H|H];
    (apply (A k) in H || apply (B k) in H); auto.
Qed.

(** A program that receives in such a composition is not sealed: nothing leads back. *)
Lemma oneway_unsealed i j P Q p q y : i <> j -> acts P = Some p -> acts Q = Some q -> balanced p -> balanced q ->
  oneway i j p -> oneway i j q -> nth_error (labs j p) y = Some (Rcv i) -> ~ Seals RelNS Q P.
Proof.
  intros N HP HQ Bp Bq Wp Wq Hy S. pose proof (oneway_app i j p q Wp Wq) as W.
  apply (sealing_is_causality P Q p q) in S; eauto using oneway_nofself, oneway_dead_free.
  specialize (S i j y (len (p ++ q) i) Hy (or_introl eq_refl)).
  apply (oneway_quiet i j) in S; auto.
Qed.

(** One message. *)
Definition mt_actions (i j : proc) := [ASend i j; ARecv j i].
Lemma message_labs i j k : labs k (mt_actions i j) = (if i =? k then [Snd j] else []) ++
  (if j =? k then [Rcv i] else []).
Proof. unfold labs, proj, mt_actions; simpl. destruct (i =? k), (j =? k); reflexivity. Qed.
Lemma message_balanced i j : balanced (mt_actions i j).
Proof.
  intros a b. rewrite !message_labs.
  destruct (i =? a) eqn:E1, (j =? a) eqn:E2, (i =? b) eqn:E3, (j =? b) eqn:E4; simpl;
    repeat (rewrite ?E1, ?E2, ?E3, ?E4; simpl); reflexivity.
Qed.
Lemma message_oneway i j : oneway i j (mt_actions i j).
Proof.
  intro k. rewrite message_labs. destruct (i =? k) eqn:E1, (j =? k) eqn:E2; simpl;
    rewrite ?Nat.eqb_eq in *; split; intros a H; intuition congruence.
Qed.
Lemma mt_received i j : i <> j -> nth_error (labs j (mt_actions i j)) 0 = Some (Rcv i).
Proof. intro N. rewrite message_labs, Nat.eqb_refl. apply Nat.eqb_neq in N. now rewrite N. Qed.

(** ** The theorem *)

(** What does not communicate consists of assignments. *)
Definition internal (l : list act) := forall k a, In a (labs k l) -> a = Int.
Lemma internal_balanced l : internal l -> balanced l.
Proof.
  intros H a b.
  assert (X : forall k f, f Int = false -> filter f (labs k l) = []).
  { intros k f F. assert (Y : forall x, In x (labs k l) -> f x = false) by (intros x I; now rewrite (H k x I)).
    induction (labs k l) as [|x u IH]; simpl; auto. rewrite (Y x (or_introl eq_refl)). apply IH.
    intros; apply Y; now right. }
  now rewrite !X.
Qed.
Lemma internal_oneway i j l : internal l -> oneway i j l.
Proof. intros H k. split; intros a I; apply H in I; discriminate. Qed.

(** What is TCC does not communicate, so that a message before it may be received after it. *)
Lemma no_barrier_between B b i j : acts B = Some b -> i <> j ->
  (exists r c d, RelNS r /\ silent r c /\ occurs r c B d) ->
  TCC RelNS B -> Seals RelNS B (mt i j (fun _ => 0%Z)) -> False.
Proof.
  intros A N (r & c & d & R & S & O) T Se.
  assert (Int' : internal b).
  { intros k a I. apply In_nth_error in I as [x Hx]. pose proof (occurs_follows r B b A _ _ O) as F.
    assert (St : standing r c b) by (intro h; apply F).
    destruct (stand_lab r c b k x a St Hx) as [L Lx].
    destruct a as [h|h|]; auto; exfalso;
      apply (tcc_impossibility_nochop B r c d (straight_nochop B b A) R S O); auto; exists (k, c k + x);
      (split; [split; unfold inside; simpl; [lia|rewrite (proj1 (F k)); lia]|]).
    - exists k, h. left. split; auto.
    - exists h, k. right. split; auto. }
  apply (oneway_unsealed i j (mt i j (fun _ => 0%Z)) B (mt_actions i j) b 0);
    auto using message_balanced, internal_balanced, message_oneway, internal_oneway, mt_received.
Qed.

Theorem no_barrier : forall B b (i j : proc), acts B = Some b -> i <> j ->
  (exists r c d, RelNS r /\ silent r c /\ occurs r c B d) -> ~ Barrier RelNS B.
Proof.
  intros B b i j A N E Bar. apply (no_barrier_between B b i j); auto using barrier_is_tcc, barrier_seals.
Qed.
