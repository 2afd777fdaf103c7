(** * Transmissions and acknowledgments: what the paper says of mt i->j

    For any two processes, and whatever the values.

    Theorems of the ledger: [mt_not_self_sealing], [mt_tcc_rel_fifo], [sigvt], [sigvtack], [mt_seals_ack],
    [mt_ack_self_seals]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality DecideSealing.
From Sealcheck Require Import TccImpossibility NoBarrier FifoModels Prefix Bsl.
Open Scope nat_scope.

Section TwoProcesses.
Variables (i j : proc).
Hypothesis Nij : i <> j.

Lemma message_nofself : nofself (mt_actions i j).
Proof. apply (oneway_nofself i j); auto using message_oneway. Qed.
Lemma message_dead_free : dead_free (mt_actions i j).
Proof. apply (oneway_dead_free i j); auto using message_oneway. Qed.
Lemma message_bsl n e : i < n -> j < n -> BSL n (mt i j e) (mt_actions i j).
Proof.
  intros Hi Hj. constructor; auto using message_balanced, message_nofself, message_dead_free.
  intros a [<-|[<-|[]]]; simpl; auto.
Qed.

(** _mt i->j does not seal itself in Rel_. *)
Theorem mt_not_self_sealing : forall e f, ~ Seals RelNS (mt i j f) (mt i j e).
Proof.
  intros e f. apply (oneway_unsealed i j _ _ (mt_actions i j) (mt_actions i j) 0);
    auto using message_balanced, message_oneway, mt_received.
Qed.

(** _mt i->j is TCC in RelFi, but not in Rel_. *)
Theorem mt_tcc_rel_fifo : forall e, TCC RelFi (mt i j e) /\ ~ TCC Rel (mt i j e).
Proof.
  intro e. split; [apply (balanced_tcc_rel_fifo _ (mt_actions i j)); auto using message_balanced|].
  intro T. apply (tcc_impossibility_bsl (mt i j e) (mt_actions i j));
    auto using message_balanced, message_nofself, message_dead_free.
  - exists i, j. rewrite message_labs, Nat.eqb_refl. now left.
  - intros r c d [R _]. now apply T.
Qed.

(** _The receive stays in the signature of a transmission_ (fig:Sigvt). *)
Theorem sigvt : sig_rcv (mt_actions i j) j i 0.
Proof.
  pose proof (mt_received i j Nij) as R. split.
  - split; auto. intros y' H. rewrite message_labs in H. apply Nat.eqb_neq in Nij. rewrite Nij, Nat.eqb_refl in H.
    destruct y' as [|[|y']]; auto; discriminate.
  - intro P. apply (path_left (mt_actions i j) []) in P as [C _];
      [|apply message_balanced|intros a b; reflexivity|discriminate].
    apply (oneway_quiet i j) in C; auto. rewrite app_nil_r. apply message_oneway.
Qed.

(** A transmission and its acknowledgment: what each process does. *)
Definition exchange_of : list act := mt_actions i j ++ mt_actions j i.
Lemma exchange_labs k : labs k exchange_of =
  if k =? i then [Snd j; Rcv j] else if k =? j then [Rcv i; Snd i] else [].
Proof.
  unfold exchange_of. rewrite labs_app, !message_labs, (Nat.eqb_sym k i), (Nat.eqb_sym k j).
  destruct (i =? k) eqn:Ei, (j =? k) eqn:Ej; auto.
  apply Nat.eqb_eq in Ei, Ej. congruence.
Qed.
Lemma exchange_i : labs i exchange_of = [Snd j; Rcv j].
Proof. now rewrite exchange_labs, Nat.eqb_refl. Qed.
Lemma exchange_j : labs j exchange_of = [Rcv i; Snd i].
Proof. rewrite exchange_labs, Nat.eqb_refl. apply not_eq_sym, Nat.eqb_neq in Nij. now rewrite Nij. Qed.
Lemma exchange_balanced : balanced exchange_of.
Proof. apply balanced_app; apply message_balanced. Qed.
Lemma exchange_dead_free : dead_free exchange_of.
Proof.
  apply dead_free_app; auto using message_balanced, message_dead_free.
  apply (oneway_dead_free j i); auto using message_oneway.
Qed.
Lemma exchange_nofself : nofself exchange_of.
Proof.
  intros k H. rewrite exchange_labs in H. destruct (k =? i) eqn:Ei, (k =? j) eqn:Ej; simpl in H;
    rewrite ?Nat.eqb_eq in *; intuition congruence.
Qed.
(** Its receives. *)
Lemma exchange_receives a b y : nth_error (labs b exchange_of) y = Some (Rcv a) ->
  (b = j /\ a = i /\ y = 0) \/ (b = i /\ a = j /\ y = 1).
Proof.
  rewrite exchange_labs. destruct (b =? i) eqn:Ei; [|destruct (b =? j) eqn:Ej].
  - apply Nat.eqb_eq in Ei. destruct y as [|[|[|y]]]; try discriminate. intro H. injection H as <-. auto.
  - apply Nat.eqb_eq in Ej. destruct y as [|[|[|y]]]; try discriminate. intro H. injection H as <-. auto.
  - destruct y; discriminate.
Qed.

Lemma sigvtack_apart : forall y, ~ sig_rcv exchange_of j i y.
Proof.
  intros y [[H _] N]. apply N. apply exchange_receives in H as [(_ & _ & ->)|(E & _)]; [|congruence].
  assert (Li : len exchange_of i = 2) by now rewrite <- len_labs, exchange_i.
  assert (Lj : len exchange_of j = 2) by now rewrite <- len_labs, exchange_j.
  apply t_trans with (Ev j 1); [apply t_step, E_next; lia|].
  apply t_trans with (Ev i 1); [|apply t_step, E_last; lia].
  apply t_step, E_msg; rewrite ?exchange_i, ?exchange_j; simpl; rewrite ?Nat.eqb_refl; auto.
Qed.

(** The answer of the first exchange arrives, whatever follows. *)
Lemma answer_comes_after q : balanced q -> causes (fifo (exchange_of ++ q)) (j, 0) (i, 1).
Proof.
  intro B. apply fifo_mono; [apply exchange_balanced|].
  apply t_trans with (j, 1); [apply causes_order; lia|]. apply t_step. right. exists j, i.
  unfold is_rcv. cbn [fifo lab delta fst snd]. rewrite exchange_i. simpl.
  rewrite exchange_j. simpl. now rewrite Nat.eqb_refl.
Qed.

Lemma mt_seals_ack_apart : forall e f, Seals Rel (mt j i f) (mt i j e).
Proof.
  intros e f. apply (sealing_is_causality_self _ _ (mt_actions i j) (mt_actions j i));
    auto using message_balanced, exchange_dead_free.
  intros a b y z Hy Hz. fold exchange_of in *.
  assert (Hy' : nth_error (labs b exchange_of) y = Some (Rcv a)) by now apply prefix_nth.
  apply exchange_receives in Hy' as [(-> & -> & ->)|(-> & _ & ->)].
  - pose proof (answer_comes_after [] (fun _ _ => eq_refl)) as A. rewrite app_nil_r in A.
    apply causes_local_ge with 1; auto.
    assert (L : len (mt_actions i j) i = 1).
    { rewrite <- len_labs, message_labs, Nat.eqb_refl. apply not_eq_sym, Nat.eqb_neq in Nij. now rewrite Nij. }
    assert (L' : len exchange_of i = 2) by now rewrite <- len_labs, exchange_i.
    destruct Hz as [->|[Lz _]]; lia.
  - rewrite message_labs, Nat.eqb_refl in Hy. apply not_eq_sym, Nat.eqb_neq in Nij. rewrite Nij in Hy. discriminate.
Qed.

Lemma mt_ack_self_seals_apart : forall e f, Seals Rel (Lay (mt i j e) (mt j i f)) (Lay (mt i j e) (mt j i f)).
Proof.
  intros e f. pose proof exchange_balanced as B.
  apply (sealing_is_causality_self _ _ exchange_of exchange_of); auto using exchange_dead_free, dead_free_app.
  assert (Li : len exchange_of i = 2) by now rewrite <- len_labs, exchange_i.
  assert (Lj : len exchange_of j = 2) by now rewrite <- len_labs, exchange_j.
  intros a b y z Hy Hz. apply exchange_receives in Hy as [(-> & -> & ->)|(-> & -> & ->)].
  - apply causes_local_ge with 1; [rewrite len_app in Hz; lia|now apply answer_comes_after].
  - assert (Lz : 3 <= z).
    { destruct Hz as [->|[Lz Hz]]; [rewrite len_app; lia|].
      destruct (Nat.eq_dec z 2) as [->|]; [exfalso|lia].
      rewrite labs_app, exchange_j in Hz. discriminate. }
    apply causes_local_ge with 2; [lia|].
    apply t_trans with (i, 2); [apply causes_order; lia|].
    apply t_step. right. exists i, j.
    assert (Ei : labs i (exchange_of ++ exchange_of) = [Snd j; Rcv j; Snd j; Rcv j]) by now rewrite labs_app, exchange_i.
    assert (Ej : labs j (exchange_of ++ exchange_of) = [Rcv i; Snd i; Rcv i; Snd i]) by now rewrite labs_app, exchange_j.
    revert Ei Ej. generalize (exchange_of ++ exchange_of). intros l Ei Ej.
    unfold is_rcv. simpl. rewrite Ej. simpl. rewrite Ei, !Nat.eqb_refl. simpl. now rewrite !Nat.eqb_refl.
Qed.
End TwoProcesses.

(** ** ... or a process and itself

    It has received before it ends, so that its own order is all the causality that is needed. *)

(** _It is no more in the signature of the transmission with its acknowledgment_ (fig:Sigvtack). *)
Theorem sigvtack : forall i j y, ~ sig_rcv (exchange_of i j) j i y.
Proof.
  intros i j. destruct (Nat.eq_dec i j) as [<-|N]; [|now apply sigvtack_apart].
  intros y [[H _] P]. apply P, t_step, E_last. now apply labs_lt in H.
Qed.

Lemma to_itself_labs i k : labs k (mt_actions i i) = if k =? i then [Snd i; Rcv i] else [].
Proof. rewrite message_labs, (Nat.eqb_sym i k). now destruct (k =? i). Qed.
Lemma to_itself_dead_free i : dead_free (mt_actions i i).
Proof.
  unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
  - intros [a x] [b y] [S|(a' & b' & [F L] & D)]; auto. cbn [fst snd] in *.
    apply fifo_lab in L as [L _]; [|discriminate]. rewrite to_itself_labs in L.
    destruct (b =? i) eqn:E; [|destruct y; discriminate]. apply Nat.eqb_eq in E. subst b b'.
    destruct y as [|[|[|y]]]; try discriminate.
    assert (Li : labs i (mt_actions i i) = [Snd i; Rcv i]) by now rewrite to_itself_labs, Nat.eqb_refl.
    unfold fifo in D. cbn [delta fst snd] in D. rewrite Li in D. simpl in D. rewrite Li in D. simpl in D.
    rewrite Nat.eqb_refl in D. injection D as <- <-. auto.
  - intros x y z [A A'] [B B']. split; [congruence|lia].
  - intros x [_ L]. lia.
Qed.
(** What a process sends to itself it has received before anything later that it sends. *)
Lemma to_itself_sealed i P Q p q : acts P = Some p -> acts Q = Some q -> balanced p -> balanced q -> dead_free (p ++ q) ->
  (forall j, j <> i -> labs j p = []) -> Seals Rel Q P.
Proof.
  intros HP HQ Bp Bq D Only. apply (sealing_is_causality_self P Q p q); auto. intros a b y z Hy Hz.
  destruct (Nat.eq_dec b i) as [->|N]; [|rewrite (Only b N) in Hy; destruct y; discriminate].
  destruct (Nat.eq_dec a i) as [->|N].
  - apply causes_order. pose proof (labs_lt _ _ _ _ Hy). destruct Hz as [->|[L _]]; rewrite ?len_app; lia.
  - exfalso. pose proof (Bp a i) as C. rewrite (Only a N) in C. simpl in C.
    apply nth_error_In in Hy. assert (I : In (Rcv a) (filter (rcvb a) (labs i p))) by (apply filter_In; split;
      [exact Hy|simpl; apply Nat.eqb_refl]).
    destruct (filter (rcvb a) (labs i p)); [destruct I|discriminate].
Qed.

Lemma never_to_itself i e r c d : RelNS r -> ~ occurs r c (mt i i e) d.
Proof.
  intros [_ N] O. apply lay_iff in O as (m & O & _). inversion O; subst. apply (N (i, c i) i). now split.
Qed.
(** _mt j->i seals mt i->j in Rel_. *)
Theorem mt_seals_ack : forall i j e f, Seals Rel (mt j i f) (mt i j e).
Proof.
  intros i j e f. destruct (Nat.eq_dec i j) as [<-|N]; [|now apply mt_seals_ack_apart].
  apply (to_itself_sealed i _ _ (mt_actions i i) (mt_actions i i));
    auto using message_balanced, dead_free_app, to_itself_dead_free.
  intros k N. apply Nat.eqb_neq in N. now rewrite to_itself_labs, N.
Qed.
(** _mt i->j; mt j->i seals itself in Rel_. *)
Theorem mt_ack_self_seals : forall i j e f,
  Seals Rel (Lay (mt i j e) (mt j i f)) (Lay (mt i j e) (mt j i f)).
Proof.
  intros i j e f. destruct (Nat.eq_dec i j) as [<-|N]; [|now apply mt_ack_self_seals_apart].
  apply (to_itself_sealed i _ _ (exchange_of i i) (exchange_of i i));
    auto using exchange_balanced, message_balanced, balanced_app, dead_free_app, to_itself_dead_free.
  - apply dead_free_app; try apply exchange_balanced; apply dead_free_app;
      auto using message_balanced, to_itself_dead_free.
  - intros k N. apply Nat.eqb_neq in N. unfold exchange_of. now rewrite labs_app, to_itself_labs, N.
Qed.
