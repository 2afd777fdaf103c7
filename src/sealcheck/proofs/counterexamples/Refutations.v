(** * What is refuted as printed, and what each hypothesis is needed for

    The counterexamples are those of docs/findings.md, with the smallest number of processes and events.

    Theorems of the ledger: [tcc_impossibility_as_printed], [no_barrier_as_printed],
    [balanced_necessary_as_printed], [closed_channels_as_formalized], [balanced_tcc_rel_fifo_as_formalized]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality
  DecideSealing
  ClosedChannels FifoModels TccImpossibility NoBarrier BalancedNecessary ExamplesRuns.
Open Scope nat_scope.

(** A run of one transmission. *)
Lemma mt_occurs : exists r d, RelNS r /\ all_empty r (fun _ => 0) /\ occurs r (fun _ => 0) (mt 1 2 zero) d /\
  silent r d /\ between (fun _ => 0) d (1, 0) /\ comm r (1, 0).
Proof.
  destruct (occurs_somewhere (mt 1 2 zero) (mt_actions 1 2)) as (r & R & O & S & St);
    auto using message_balanced, mt_dead_free.
  { apply oneway_nofself with 1 2; auto using message_oneway. }
  exists r, (len (mt_actions 1 2)). split; [auto|split; [apply start_empty|split; [auto|split; [auto|split]]]].
  - split; unfold inside, len; simpl; lia.
  - exists 1, 2. left. split; auto. destruct (stand_lab r _ _ 1 0 (Snd 2) St eq_refl) as [H _]. exact H.
Qed.

(** ** th:TCCbadforREL *)

(** As printed, for the whole language: refuted by [mt 1->2; cut]. *)
Theorem tcc_impossibility_as_printed : ~ forall P,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c P d /\ exists e, between c d e /\ comm r e) -> ~ TCC Rel P.
Proof.
  intro H. apply (H (Lay (mt 1 2 zero) Chop)).
  - destruct mt_occurs as (r & d & R & E & O & S & B & C). exists r, (fun _ => 0), d.
    split; [apply R|split; [auto|split; [now apply chop_last|eauto]]].
  - apply tcc_iff. intros r c d _ _ O. now apply chop_last in O.
Qed.

(** Without self-channels excluded, even without a cut inside: refuted by [mt 1->1].  A process cannot receive from itself
    what it has not sent. *)
Lemma self_message_tcc : TCC Rel (mt 1 1 zero).
Proof.
  apply tcc_iff. intros r c d [[W _] _] Sc O.
  pose proof (occurs_follows r (mt 1 1 zero) (mt_actions 1 1) eq_refl _ _ O) as F.
  assert (St : standing r c (mt_actions 1 1)) by (intro k; apply F).
  assert (E : ceq (fun k => c k + len (mt_actions 1 1) k) d) by (intro k; symmetry; apply F).
  apply (silent_ceq r _ d E). apply inside_suffices; auto using message_balanced.
  intros [j Y] i j' R I. assert (j' = j) by (symmetry; apply R). subst j'.
  destruct (classic (inside c (j, Y))) as [J|J].
  { apply (Sc _ _ _ R) in J. unfold inside in *. lia. }
  pose proof (delta_snd r W _ _ _ R) as [Fs Ls].
  assert (Cs : causes r (delta r (j, Y)) (j, Y)) by (eapply causes_msg; eauto).
  unfold inside in I, J; simpl in I, J. unfold len in I; simpl in I.
  destruct j as [|[|j]]; try (simpl in I; lia). destruct R as [_ Ly]; cbn [fst snd] in *.
  destruct (stand_lab r c _ 1 0 (Snd 1) St eq_refl) as [L0 _], (stand_lab r c _ 1 1 (Rcv 1) St eq_refl) as [L1 _].
  assert (Y = c 1 + 1). { simpl in I. assert (Y = c 1 + 0 \/ Y = c 1 + 1) as [-> | ->] by lia; [congruence|auto]. }
  subst Y. rewrite L1 in Ly. injection Ly as <-.
  destruct (delta r (1, c 1 + 1)) as [z1 z]; cbn [fst snd] in *; subst z1.
  unfold inside, len; simpl. destruct (lt_eq_lt_dec z (c 1 + 1)) as [[L|E']|G]; [lia|subst z; congruence|].
  exfalso. apply (causal r W (1, c 1 + 1)). eapply t_trans; [apply causes_order; exact G|exact Cs].
Qed.
(** It does occur, and communicates. *)
Lemma self_message_occurs : exists r d, Rel r /\ silent r (fun _ => 0) /\ occurs r (fun _ => 0) (mt 1 1 zero) d /\
  between (fun _ => 0) d (1, 0) /\ comm r (1, 0).
Proof.
  assert (D : dead_free (mt_actions 1 1)).
  { unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
    - intros [i x] [j y] [S|(a & b & [F H] & E)]; [exact S|]. cbn [fst snd] in *. subst b.
      apply fifo_lab in H as [H _]; [|discriminate].
      destruct j as [|[|j]]; [destruct y; discriminate| |destruct y; discriminate].
      destruct y as [|[|y]]; [discriminate| |destruct y; discriminate].
      injection H as <-. vm_compute in E. injection E as <- <-. lia.
    - intros x y z [A A'] [B B']. split; [congruence|lia].
    - intros x [_ H]. lia. }
  destruct (fifo_computed (mt 1 1 zero) (mt_actions 1 1) eq_refl (message_balanced 1 1) D) as (v & R & O).
  exists (revalue (fifo (mt_actions 1 1)) v), (len (mt_actions 1 1)).
  split; [auto|split; [apply revalue_silent, fifo_silent0|split; [auto|split]]].
  - split; unfold inside, len; simpl; lia.
  - exists 1, 1. left. split; reflexivity.
Qed.
Theorem tcc_impossibility_needs_no_self_channels : ~ forall P r c d, nochop P -> Rel r -> silent r c ->
  occurs r c P d ->
  (exists e, between c d e /\ comm r e) -> ~ TCC Rel P.
Proof.
  intro H. destruct self_message_occurs as (r & d & R & S & O & B & C).
  apply (H (mt 1 1 zero) r (fun _ => 0) d); eauto using self_message_tcc. simpl; auto.
Qed.

(** ** No barriers *)

(** As printed, for the whole language: refuted by the silent cut. *)
Theorem no_barrier_as_printed : ~ forall B,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c B d) -> ~ Barrier Rel B.
Proof.
  intro H. apply (H Chop).
  - exists lost, (fun _ => 0), (fun _ => 0). split; [apply lost_run|split; [apply start_empty|]].
    apply chop_iff. split; [apply ceq_refl|apply lost_silent].
  - intros p q r c d _ O. apply chop_first in O as [Sc O]. apply chop_middle in O as (m & O1 & Sm & O2).
    apply chop_middle. exists m. split; [auto|split; auto]. apply chop_middle.
    exists m. split; [apply chop_iff; auto using ceq_refl|auto].
Qed.
(** What never occurs is a barrier: "that occurs" is needed. *)
Definition never : prog := Guard (Not (And (Equal 1 zero 1 zero) (Equal 1 zero 1 zero))).
Theorem no_barrier_needs_occurrence : Barrier RelNS never.
Proof.
  intros p q r c d _ O. exfalso. apply chop_first in O as [_ O]. apply lay_iff in O as (m & _ & O).
  apply lay_iff in O as (n & O & _). inversion O; subst. simpl in *. tauto.
Qed.

(** ** th:psealable.balanced *)

Lemma send_not_balanced : ~ Balanced RelNS (Send 1 2 zero).
Proof.
  intro B. specialize (B lost (fun _ => 0) after_send lost_run (start_empty _) lost_occurs 1 2). discriminate.
Qed.

(** As printed, for the whole language: refuted by [snd 1->2], which a silent cut seals. *)
Theorem balanced_necessary_as_printed : ~ forall P S, Seals Rel S P ->
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c (Lay P S) d) -> Balanced Rel P.
Proof.
  intro H. apply send_not_balanced. intros r c d [R _]. revert r c d R. apply (H _ Chop).
  - apply seals_iff. intros r c d _ _ O. apply lay_iff in O as (m & O1 & O2).
    exists m. split; [auto|split; auto]. now apply chop_iff in O2.
  - exists lost, (fun _ => 0), after_send. split; [apply lost_run|split; [apply start_empty|]].
    apply lay_iff. exists after_send. split; [apply lost_occurs|]. apply chop_iff. auto using ceq_refl, lost_silent.
Qed.
(** The same for straight-line P: that the seal has no silent cut is needed. *)
Theorem balanced_necessary_needs_nochop : ~ forall P p S, acts P = Some p -> Seals RelNS S P ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d) -> balanced p.
Proof.
  intro H. apply send_unbalanced, (H (Send 1 2 zero) [ASend 1 2] Chop); auto.
  - apply seals_iff. intros r c d _ _ O. apply lay_iff in O as (m & O1 & O2).
    exists m. split; [auto|split; auto]. now apply chop_iff in O2.
  - exists lost, (fun _ => 0), after_send. split; [apply lost_run|split; [apply start_empty|]].
    apply lay_iff. exists after_send. split; [apply lost_occurs|]. apply chop_iff. auto using ceq_refl, lost_silent.
Qed.
(** That the seal can complete is needed: what never occurs seals everything. *)
Theorem balanced_necessary_needs_completion : ~ forall P p S, acts P = Some p -> nochop S -> Seals RelNS S P ->
  balanced p.
Proof.
  intro H. apply send_unbalanced, (H (Send 1 2 zero) [ASend 1 2] never); simpl; auto.
  apply seals_iff. intros r c d _ _ O. apply lay_iff in O as (m & _ & O). inversion O; subst. simpl in *. tauto.
Qed.

(** ** th:decide.sealing *)

Lemma send_dead_free : dead_free [ASend 1 2].
Proof.
  unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
  - intros [i x] [j y] [S|(a & b & [F L] & _)]; auto. cbn [fst snd] in *.
    apply fifo_lab in L as [L _]; [|discriminate].
    destruct j as [|[|j]]; destruct y as [|[|y]]; discriminate.
  - intros x y z [A A'] [B B']. split; [congruence|lia].
  - intros x [_ L]. lia.
Qed.
Lemma send_unsealed : ~ Seals RelNS Eps (Send 1 2 zero).
Proof.
  intro S. apply (tcc_impossibility_nochop (Send 1 2 zero) lost (fun _ => 0) after_send); simpl; auto using lost_run.
  - apply lost_silent.
  - apply lost_occurs.
  - exists (1, 0). split; [split; unfold inside, after_send, bump; simpl; lia|]. exists 1, 2. left.
    split; reflexivity.
  - rewrite seals_iff in S. apply tcc_iff. intros r c d R Sc O.
    destruct (S r c d R Sc) as (m & _ & Sm & E); [apply lay_iff; exists d; split; [auto|apply O_eps, ceq_refl]|].
    inversion E; subst. eapply silent_ceq; eauto.
Qed.
(** That P is balanced is needed: [snd 1->2] receives nothing, so its signature asks for nothing; but a later program
    may receive what it sends. *)
Theorem decide_sealing_needs_balance : ~ forall P Q p q, acts P = Some p -> acts Q = Some q ->
  nofself (p ++ q) -> dead_free (p ++ q) -> (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intro H. destruct (H (Send 1 2 zero) Eps [ASend 1 2] []) as [_ X]; auto using send_dead_free.
  - intros [|[|k]] I; simpl in I; intuition congruence.
  - apply send_unsealed, X. intros i j y [[L _] _]. destruct j as [|[|j]]; destruct y as [|[|y]]; discriminate.
Qed.

(** ** Closed channels *)

(** "More formally ...: for all r in Rel, if r[c,d] |- cut P then i->j is empty in (r, d)."  So read, from a silent cut,
    even the empty program leaves a channel open: a message may be on it that nobody ever receives. *)
Theorem closed_channels_as_formalized : ~ forall P l i j, acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  ((forall r c d, RelNS r -> occurs r c (Lay Chop P) d -> empty_channel r d i j) <-> ~ exists y, sig_rcv l j i y).
Proof.
  intro H. destruct (H Eps [] 1 2) as [_ X]; auto.
  - intros a b. reflexivity.
  - apply oneway_dead_free with 1 2; auto. intro k. split; intros a [].
  - intros k [].
  - assert (N : ~ exists y, sig_rcv [] 2 1 y) by (intros (y & [[L _] _]); destruct y; discriminate).
    apply lost_channel, (X N lost after_send after_send lost_run).
    apply chop_first. split; [apply lost_silent|apply O_eps, ceq_refl].
Qed.

(** ** GraphCause *)

(** That the program starts at a silent cut is needed: its receive may take an older message. *)
Definition older : run := made_of [Snd 2; Snd 2] [Rcv 1] (fun _ => (1, 0)) (fun _ => 0%Z).
Lemma older_receive e i j : is_rcv older e i j -> e = (2, 0) /\ i = 1 /\ j = 2.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|[|k]]]; discriminate.
  - destruct k as [|[|k]]; try discriminate. injection H as <-. auto.
Qed.
Lemma older_order : forall x y, causes older x y ->
  (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ snd x = 0 /\ fst y = 2).
Proof.
  induction 1 as [x y [S|(i & j & R & D)]|x z y _ IH1 _ IH2].
  - auto.
  - apply older_receive in R as (-> & _). simpl in D. subst x. right. auto.
  - destruct IH1 as [[A1 A2]|(A1 & A2 & A3)], IH2 as [[B1 B2]|(B1 & B2 & B3)]; try lia.
Qed.
Lemma older_run : RelNS older.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply older_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply older_receive in R as (-> & _). apply older_receive in R' as (-> & _).
    reflexivity.
  - intros e H. apply older_order in H as [[_ H]|(A & _ & B)]; [lia|congruence].
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 2). intros i k j L H. simpl in H.
    destruct i as [|[|[|i]]]; try discriminate; destruct k as [|[|[|k]]]; try discriminate; lia.
  - intros [a k] i [F H]. simpl in *. destruct a as [|[|[|a]]]; try discriminate.
    + destruct k as [|[|[|k]]]; try discriminate; injection H as <-; discriminate.
    + destruct k as [|[|k]]; discriminate.
Qed.
Theorem graph_cause_needs_leading_cut : ~ forall r P l c d, RelNS r -> acts P = Some l -> balanced l ->
  occurs r c P d -> forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).
Proof.
  intro H.
  assert (O : occurs older after_send (mt 1 2 zero) (fun k => after_send k + len (mt_actions 1 2) k)).
  { apply follows_occurs with (mt_actions 1 2); auto.
    - intro k. destruct k as [|[|[|k]]]; reflexivity.
    - intros i k e X _. destruct i as [|[|[|i]]]; destruct k as [|[|k]]; simpl in X; try discriminate;
        injection X as <-; reflexivity. }
  specialize (H older (mt 1 2 zero) (mt_actions 1 2) after_send _ older_run eq_refl (message_balanced 1 2) O
    (1, 0) (2, 0)).
  assert (E : normal (mt_actions 1 2) (1, 0) (2, 0)) by (apply E_msg; reflexivity).
  apply H, older_order in E as [[A _]|(_ & B & _)]; discriminate.
Qed.

(** ** RelFi *)

(** In Rel, where channels are not FIFO, a balanced program need not be TCC. *)
Theorem balanced_tcc_needs_fifo : ~ forall P p, acts P = Some p -> balanced p -> TCC RelNS P.
Proof.
  intro H. destruct mt_occurs as (r & d & R & E & O & S & B & C).
  apply (tcc_impossibility_nochop (mt 1 2 zero) r (fun _ => 0) d);
    [simpl; auto|auto|apply empty_silent; [apply R|auto]|auto|eauto|].
  exact (H (mt 1 2 zero) (mt_actions 1 2) eq_refl (message_balanced 1 2)).
Qed.
(** And a program has to be balanced to be TCC in RelFi: [snd 1->2] leaves its message to whoever comes next. *)
Definition next : run := made_of [Snd 2] [Rcv 1] (fun _ => (1, 0)) (fun _ => 0%Z).
Lemma next_receive e i j : is_rcv next e i j -> e = (2, 0) /\ i = 1 /\ j = 2.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|k]]; discriminate.
  - destruct k as [|[|k]]; try discriminate. injection H as <-. auto.
Qed.
Lemma next_run : RelFi next.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply next_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply next_receive in R as (-> & _). apply next_receive in R' as (-> & _).
    reflexivity.
  - apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ fst y = 2)).
    + intros x y [S|(i & j & R & D)]; auto. apply next_receive in R as (-> & _). simpl in D. subst x. auto.
    + intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]); right; split; congruence.
    + intros x [[_ A]|[A B]]; [lia|congruence].
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 1). intros i k j L H. simpl in H.
    destruct i as [|[|[|i]]]; try discriminate; destruct k as [|[|k]]; try discriminate; lia.
  - intros i j s s' e' [_ S] [_ S'] L R D. apply next_receive in R as (-> & _). simpl in D. subst s'. simpl in L. lia.
Qed.
Theorem balanced_tcc_rel_fifo_needs_balance : ~ forall P p, acts P = Some p -> TCC RelFi P.
Proof.
  intro H. specialize (H (Send 1 2 zero) [ASend 1 2] eq_refl). rewrite tcc_iff in H.
  assert (S : silent next after_send).
  { apply (H next (fun _ => 0) after_send next_run); [intros e i j _; unfold inside; split; lia|].
    apply O_snd; auto using ceq_refl. }
  specialize (S (2, 0) 1 2 (conj eq_refl eq_refl)). unfold inside, after_send, bump in S; simpl in S. lia.
Qed.

(** Where expressions read histories, a guard tells whether all messages 1->2 were received.  If one was not, the
    program leaves a message on 2->1, from a silent cut.  From empty channels it does not occur, so it is balanced. *)
Definition sent_to (j : proc) : expr := fun h => Z.of_nat (length (filter (fun e => sndb j (fst e)) h)).
Definition received_of (i : proc) : expr := fun h => Z.of_nat (length (filter (fun e => rcvb i (fst e)) h)).
Lemma past_counts (g : label -> bool) r i n :
  length (filter (fun e => g (fst e)) (past r i n)) = length (filter (fun k => g (lab r i k)) (seq 0 n)).
Proof. unfold past. induction (seq 0 n) as [|a l IH]; simpl; auto. destruct (g (lab r i a)); simpl; auto. Qed.
Definition sends_after_loss : prog := Lay (Guard (Not (Equal 1 (sent_to 2) 2 (received_of 1)))) (Send 2 1 zero).
Lemma sends_after_loss_balanced : Balanced Rel sends_after_loss.
Proof.
  intros r c d [[M _] _] E O. exfalso. apply lay_iff in O as (m & O & _).
  inversion O as [| | | |? ? ? _ H| | | | | |]; subst. simpl in H. apply H. unfold sent_to, received_of.
  rewrite (past_counts (sndb 2)), (past_counts (rcvb 1)). f_equal. pose proof (empty_counts r c 1 2 M E) as X.
  unfold nsnd, nrcv in X. rewrite !Nat.sub_0_r in X. auto.
Qed.
Definition loss : run := made_of [Snd 2; Rcv 2] [Snd 1] (fun _ => (2, 0)) (fun _ => 0%Z).
Lemma loss_receive e i j : is_rcv loss e i j -> e = (1, 1) /\ i = 2 /\ j = 1.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|[|k]]]; try discriminate. injection H as <-. auto.
  - destruct k as [|[|k]]; discriminate.
Qed.
Lemma loss_run : RelFi loss.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply loss_receive in R as (-> & -> & ->). split; reflexivity.
  - intros e i j e' i' j' R R' _. apply loss_receive in R as (-> & _). apply loss_receive in R' as (-> & _). reflexivity.
  - apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/ (fst x = 2 /\ fst y = 1)).
    + intros x y [S|(i & j & R & D)]; auto. apply loss_receive in R as (-> & _). simpl in D. subst x. auto.
    + intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]); right; split; congruence.
    + intros x [[_ A]|[A B]]; [lia|congruence].
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 2). intros i k j L H. simpl in H.
    destruct i as [|[|[|i]]]; try discriminate; destruct k as [|[|[|k]]]; try discriminate; lia.
  - intros i j s s' e' [_ S] [_ S'] L R D. apply loss_receive in R as (-> & _). simpl in D. subst s'. simpl in L. lia.
Qed.
Theorem balanced_tcc_rel_fifo_as_formalized : ~ forall P, Balanced Rel P -> TCC RelFi P.
Proof.
  intro H. specialize (H sends_after_loss sends_after_loss_balanced). rewrite tcc_iff in H.
  set (lost_one := fun i => if i =? 1 then 1 else 0).
  assert (S : silent loss (bump lost_one 2)).
  { apply (H loss lost_one _ loss_run).
    - intros e i j R. apply loss_receive in R as (-> & _). unfold inside, lost_one. simpl. lia.
    - apply lay_iff. exists lost_one. split; [apply O_grd; auto using ceq_refl; simpl; discriminate|].
      apply O_snd; auto using ceq_refl. }
  specialize (S (1, 1) 2 1 (conj eq_refl eq_refl)). unfold inside, bump, lost_one in S; simpl in S. lia.
Qed.

(** ** Two messages, received in the reverse order *)

Definition crossed : run := made_of [Snd 2; Snd 2] [Rcv 1; Rcv 1] (fun e => (1, 1 - snd e)) (fun _ => 0%Z).
Lemma crossed_receive e i j : is_rcv crossed e i j -> (e = (2, 0) \/ e = (2, 1)) /\ i = 1 /\ j = 2.
Proof.
  intros [F H]. destruct e as [a k]; simpl in *. destruct a as [|[|[|a]]]; try discriminate.
  - destruct k as [|[|[|k]]]; discriminate.
  - destruct k as [|[|[|k]]]; try discriminate; injection H as <-; auto.
Qed.
Lemma crossed_run : RelNS crossed.
Proof.
  split; [split; [split; [split|]|]|].
  - intros e i j R. apply crossed_receive in R as ([-> | ->] & -> & ->); split; reflexivity.
  - intros e i j e' i' j' R R' D. apply crossed_receive in R as ([-> | ->] & _);
      apply crossed_receive in R' as ([-> | ->] & _); auto; discriminate.
  - apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ fst y = 2)).
    + intros x y [S|(i & j & R & D)]; auto. apply crossed_receive in R as ([-> | ->] & _); simpl in D; subst x; auto.
    + intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]); right; split; congruence.
    + intros x [[_ A]|[A B]]; [lia|congruence].
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 2). intros i k j L H. simpl in H.
    destruct i as [|[|[|i]]]; try discriminate; destruct k as [|[|[|k]]]; try discriminate; lia.
  - intros [a k] i [F H]. simpl in *. destruct a as [|[|[|a]]]; try discriminate.
    + destruct k as [|[|[|k]]]; try discriminate; injection H as <-; discriminate.
    + destruct k as [|[|[|k]]]; discriminate.
Qed.
Definition twice := mt_actions 1 2 ++ mt_actions 1 2.
Lemma crossed_occurs : occurs crossed (fun _ => 0) (Lay (mt 1 2 zero) (mt 1 2 zero)) (len twice).
Proof.
  apply follows_occurs with twice; auto.
  - intro k. destruct k as [|[|[|k]]]; reflexivity.
  - intros i k e X _. destruct i as [|[|[|i]]]; destruct k as [|[|[|k]]]; simpl in X; try discriminate;
      injection X as <-; reflexivity.
Qed.

(** That each layer seals the one before is needed: of two transmissions in a row, the first is no closed layer. *)
Theorem layers_are_ccl_needs_seals : ~ CCL RelNS Eps (mt 1 2 zero) (mt 1 2 zero).
Proof.
  intro C. assert (Sd : silent crossed (len twice)).
  { intros e i j R. apply crossed_receive in R as ([-> | ->] & _); unfold inside, len; simpl; split; lia. }
  assert (O : occurs crossed (fun _ => 0) (Lay Chop (Lay Eps (Lay (mt 1 2 zero) (Lay (mt 1 2 zero) Chop))))
    (len twice)).
  { apply chop_first. split; [intros e i j _; unfold inside; split; lia|].
    pose proof crossed_occurs as O. apply lay_iff in O as (m & O1 & O2).
    apply lay_iff. exists (fun _ => 0). split; [apply O_eps, ceq_refl|].
    apply lay_iff. exists m. split; [auto|]. now apply chop_last. }
  apply (C crossed (fun _ => 0) (len twice) crossed_run) in O.
  apply chop_middle in O as (m & E & _ & O). apply chop_middle in O as (n & O & Sn & _). inversion E; subst.
  pose proof (occurs_follows crossed (mt 1 2 zero) (mt_actions 1 2) eq_refl _ _ O) as F.
  destruct (F 1) as [F1 _], (F 2) as [F2 _]. unfold len in F1, F2; simpl in F1, F2.
  assert (m 1 = 0 /\ m 2 = 0) as [M1 M2] by (split; symmetry; auto). rewrite M1 in F1. rewrite M2 in F2.
  specialize (Sn (2, 0) 1 2 (conj eq_refl eq_refl)). unfold inside in Sn; simpl in Sn. lia.
Qed.

(** In Rel, more is causal in some runs than in the program graph: that channels are FIFO is needed. *)
Theorem fifo_causality_needs_fifo : ~ forall r P l c d, RelNS r -> acts P = Some l -> balanced l ->
  occurs r c (Lay Chop P) d -> forall x y, snd x < len l (fst x) -> snd y < len l (fst y) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof.
  intro H. destruct (H crossed (Lay (mt 1 2 zero) (mt 1 2 zero)) twice (fun _ => 0) (len twice) crossed_run eq_refl)
    with (x := (1, 1)) (y := (2, 0)) as [_ X].
  - apply balanced_app; apply message_balanced.
  - apply chop_first. split; [intros e i j _; unfold inside; split; lia|apply crossed_occurs].
  - unfold len; simpl; lia.
  - unfold len; simpl; lia.
  - assert (N : forall u v, clos_trans event (normal twice) u v -> (fst u = fst v /\ snd u < snd v) \/
      (fst u = 1 /\ fst v = 2 /\ snd u <= snd v)).
    { induction 1 as [[i u] [j v] E|u v w _ IH1 _ IH2]; [|lia]. unfold normal in E; simpl in E.
      inversion E as [? ? ? L _ | | | |? ? ? ? Hu Hv K]; subst; [left; auto|right].
      destruct i as [|[|[|i]]]; try (destruct u; discriminate); [|destruct u as [|[|[|u]]]; discriminate].
      destruct u as [|[|[|u]]]; try discriminate; injection Hu as <-; (split; [auto|split; [auto|simpl; lia || idtac]]).
      destruct v as [|[|v]]; simpl in *; lia. }
    apply N in X; [simpl in X; lia|]. apply (causes_msg crossed (2, 0) 1 2). split; reflexivity.
Qed.

(** ** Deadlock

    What deadlocks never occurs, so that it seals everything; its signature does not know that. *)
Definition stuck_program : prog := Lay (Lay (Recv 1 3) (Send 1 3 zero)) (Lay (Recv 3 1) (Send 3 1 zero)).
Definition stuck_acts := [ARecv 1 3; ASend 1 3; ARecv 3 1; ASend 3 1].
Lemma stuck_cycle l a : l = mt_actions 1 2 ++ stuck_acts -> a = (1, 1) -> clos_trans event (normal l) a a.
Proof.
  intros -> ->. apply t_trans with (1, 2); [apply t_step, E_next; unfold len; simpl; lia|].
  apply t_trans with (3, 0); [apply t_step, E_msg; reflexivity|].
  apply t_trans with (3, 1); [apply t_step, E_next; unfold len; simpl; lia|]. apply t_step, E_msg; reflexivity.
Qed.
(** A process that does nothing passes nothing on. *)
Lemma path_idle l k v : len l k = 0 -> path l (Fd k) v -> v = Ld k.
Proof.
  intros Z P. apply clos_trans_t1n in P.
  assert (E : forall w, edge l (Fd k) w -> w = Ld k).
  { intros w E. inversion E; subst; [lia|auto]. }
  destruct P as [w S|w z S R]; apply E in S; subst; auto.
  destruct R as [z S|z z' S _]; inversion S.
Qed.
Lemma stuck_seals : Seals RelNS stuck_program (mt 1 2 zero).
Proof.
  apply seals_iff. intros r c d R Sc O. exfalso.
  assert (O' : occurs r c (Lay Chop (Lay (mt 1 2 zero) stuck_program)) d) by (apply chop_first; auto).
  apply (causal r (wf_matching r (proj1 (proj1 R))) (at_cut c (1, 1))).
  apply (graph_cause_paths r (Lay (mt 1 2 zero) stuck_program) (mt_actions 1 2 ++ stuck_acts) c d (proj1 R) eq_refl O').
  now apply stuck_cycle with (l := mt_actions 1 2 ++ stuck_acts).
Qed.
Lemma stuck_balanced : balanced stuck_acts.
Proof. intros i j. destruct i as [|[|[|[|i]]]], j as [|[|[|[|j]]]]; reflexivity. Qed.
Lemma stuck_nofself : nofself (mt_actions 1 2 ++ stuck_acts).
Proof. intros k I. destruct k as [|[|[|[|k]]]]; simpl in I; intuition congruence. Qed.
Theorem decide_sealing_needs_deadlock_freedom : ~ forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intro H. destruct (H (mt 1 2 zero) stuck_program (mt_actions 1 2) stuck_acts) as [X _];
    auto using message_balanced, stuck_balanced, stuck_nofself.
  destruct (X stuck_seals 1 2 0 sigvt_1_2) as (k & P1 & P2 & _).
  apply (path_left (mt_actions 1 2) []) in P1 as [C _];
    [|apply message_balanced|intros a b; reflexivity|discriminate].
  apply (oneway_quiet 1 2) in C; auto; [|rewrite app_nil_r; apply message_oneway]. simpl in C. subst k.
  apply path_idle in P2; [discriminate|reflexivity].
Qed.
