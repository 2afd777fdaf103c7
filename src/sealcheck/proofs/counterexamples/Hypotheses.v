(** * More hypotheses that are needed

    Each theorem here says that another one fails without one of its hypotheses; the counterexamples are as small as can
    be.  [Refutations] and [ExamplesSeals] have the others. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality.
From Sealcheck Require Import DecideSealing ClosedChannels TccImpossibility NoBarrier NoBarrierWholeLanguage.
From Sealcheck Require Import BalancedNecessary ExamplesRuns Refutations Knowledge Messages Prefix Teaching Sealability.
From Sealcheck Require Import WorstCase SealabilityPlain GuardedSeal Language Bsl
  Unbalanced SealConstruction SpanningTree.
Open Scope nat_scope.

Lemma nothing_balanced : balanced []. Proof. intros i j. reflexivity. Qed.
Lemma start_silent r : silent r (fun _ => 0). Proof. intros e i j _. unfold inside. split; lia. Qed.

(** ** Deadlock

    0 and 1 wait for each other; what has that in it never occurs. *)
Definition halt : prog := Lay (Lay (Recv 0 1) (Send 0 1 zero)) (Lay (Recv 1 0) (Send 1 0 zero)).
Definition halted := [ARecv 0 1; ASend 0 1; ARecv 1 0; ASend 1 0].
Lemma halted_balanced : balanced halted.
Proof. intros i j. destruct i as [|[|i]], j as [|[|j]]; reflexivity. Qed.
Lemma halted_nofself : nofself halted.
Proof. intros [|[|k]] I; simpl in I; intuition congruence. Qed.
Lemma halted_cycle : causes (fifo halted) (0, 0) (0, 0).
Proof.
  apply t_trans with (0, 1); [apply causes_order; lia|].
  apply t_trans with (1, 0); [apply t_step; right; exists 0, 1; repeat split|].
  apply t_trans with (1, 1); [apply causes_order; lia|]. apply t_step. right. exists 1, 0. repeat split.
Qed.
Lemma halt_never P p r c d : acts P = Some p -> balanced p -> matching r -> silent r c -> ~ occurs r c (Lay P halt) d.
Proof.
  intros A B M S O. apply lay_iff in O as (m & O1 & O2).
  pose proof (follows_app _ _ _ _ _ _ (occurs_follows r P p A _ _ O1) (occurs_follows r halt halted eq_refl _ _ O2)) as F.
  pose proof (causes_suffix p halted _ _ B halted_balanced halted_cycle) as C.
  apply (shift r c) in C; auto using balanced_app, halted_balanced; [|intro k; apply F].
  exact (causal r M _ C).
Qed.
Lemma halt_alone_never r c d : matching r -> silent r c -> ~ occurs r c halt d.
Proof.
  intros M S O. apply (halt_never Eps [] r c d); auto using nothing_balanced.
  apply lay_iff. exists c. split; [apply O_eps, ceq_refl|exact O].
Qed.

(** What deadlocks is TCC. *)
Theorem tcc_impossibility_bsl_needs_deadlock_freedom : ~ forall P p, acts P = Some p -> balanced p -> nofself p ->
  (exists i j, In (Snd j) (labs i p)) -> ~ TCC RelNS P.
Proof.
  intro H. apply (H halt halted); auto using halted_balanced, halted_nofself.
  - exists 0, 1. simpl. auto.
  - apply tcc_iff. intros r c d [[[M _] _] _] S O. destruct (halt_alone_never r c d M S O).
Qed.

(** A seal that never occurs seals X, without guards or silent cuts. *)
Theorem sealability_plain_needs_completion : ~ forall n P p S, 1 <= n -> acts P = Some p -> plain S -> of_processes n S ->
  Seals RelNS S P -> one_block n (learnt p).
Proof.
  intro H. apply X_two_blocks. apply (H 2 X crossed_sends halt); auto.
  - simpl. tauto.
  - simpl. lia.
  - apply seals_iff. intros r c d [[[M _] _] _] S O. destruct (halt_never X crossed_sends r c d) with (4 := S); auto.
    apply crossing_balanced.
Qed.

(** A message from 2 to 3 before the deadlock: in the program graph, nothing leads back. *)
Definition late := NoBarrier.mt_actions 2 3 ++ halted.
Lemma late_balanced : balanced late.
Proof. apply balanced_app; [apply message_balanced|apply halted_balanced]. Qed.
Lemma late_nofself : nofself late.
Proof. intros [|[|[|[|k]]]] I; simpl in I; intuition congruence. Qed.
Lemma late_acts : acts (Lay (mt 2 3 zero) halt) = Some late. Proof. reflexivity. Qed.
Lemma late_never r c d : RelNS r -> silent r c -> ~ occurs r c (Lay (mt 2 3 zero) halt) d.
Proof. intros [[[M _] _] _] S. apply halt_never with (NoBarrier.mt_actions 2 3); auto using message_balanced. Qed.
Definition of_3 (v : node) := match v with Ev k _ | Ld k => k = 3 | Fd _ => False end.
Lemma late_stays u v : edge late u v -> of_3 u -> of_3 v.
Proof.
  intros [i a b _ _|i a _|i a _|i|i j a b H _ _] T; simpl in *; auto; try contradiction. subst i.
  destruct a as [|[|a]]; discriminate.
Qed.

(** What deadlocks closes all channels; its signature does not know that. *)
Theorem closed_channels_needs_deadlock_freedom : ~ forall P l i j, acts P = Some l -> balanced l -> nofself l ->
  (~ closes RelNS P i j <-> exists y, sig_rcv l j i y).
Proof.
  intro H. destruct (H _ late 2 3 late_acts late_balanced late_nofself) as [_ X]. apply X.
  - exists 0. split; [split; [reflexivity|]|].
    + intros [|[|y]] E; auto; discriminate.
    + intro P. assert (T : forall u v, path late u v -> of_3 u -> of_3 v)
        by (induction 1; eauto using late_stays). apply T in P; [discriminate P|reflexivity].
  - intros r c d R E O. destruct (late_never r c d R) with (2 := O). apply empty_silent; auto. apply R.
Qed.

(** All that deadlocks has causality, as it has no runs. *)
Theorem graph_cause_largest_needs_deadlock_freedom : ~ forall P l, acts P = Some l -> balanced l -> nofself l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, Rel r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intro H. assert (P : clos_trans event (normal late) (3, 0) (0, 0)).
  { apply (H _ late late_acts late_balanced late_nofself).
    - unfold len; simpl; lia.
    - intros r c d [[M _] _] O. apply chop_first in O as [S O].
      destruct (halt_never (mt 2 3 zero) (NoBarrier.mt_actions 2 3) r c d); auto using message_balanced. }
  assert (T : forall u v, clos_trans event (normal late) u v -> fst u = 3 -> fst v = 3).
  { induction 1 as [u v E|]; auto. intro T. exact (late_stays _ _ E T). }
  now apply T in P.
Qed.

(** ** Balance *)

Lemma one_send_dead_free : dead_free [ASend 1 2].
Proof.
  unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
  - intros [i x] [j y] [S|(a & b & [F L] & _)]; auto. cbn [fst snd] in *.
    apply fifo_lab in L as [L _]; [|discriminate]. destruct j as [|[|j]]; destruct y as [|[|y]]; discriminate.
  - intros x y z [A A'] [B B']. split; [congruence|lia].
  - intros x [_ L]. lia.
Qed.

(** A message that nobody receives leaves its channel open, and no receive in the signature. *)
Theorem closed_channels_needs_balance : ~ forall P l i j, acts P = Some l -> dead_free l -> nofself l ->
  (~ closes RelNS P i j <-> exists y, sig_rcv l j i y).
Proof.
  intro H. destruct (H (Send 1 2 zero) [ASend 1 2] 1 2) as [X _]; auto using one_send_dead_free.
  - intros [|[|k]] I; simpl in I; intuition congruence.
  - destruct X as (y & [[E _] _]); [|destruct y; discriminate].
    intro C. apply lost_channel. exact (C lost (fun _ => 0) after_send lost_run (start_empty _) lost_occurs).
Qed.

(** A receive of what is sent later comes after all that its sender has done, without an edge that says so. *)
Theorem graph_cause_largest_needs_balance : ~ forall P l, acts P = Some l -> dead_free l -> nofself l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, Rel r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intro H. set (l := [AInt 1; ARecv 2 1]).
  assert (No : forall k a j, nth_error (labs k l) a <> Some (Snd j))
    by (intros [|[|[|k]]] [|[|a]] j; discriminate).
  assert (P : clos_trans event (normal l) (1, 0) (2, 0)).
  { apply (H (Lay (Assign 1 zero) (Recv 2 1)) l); auto.
    - unfold dead_free. apply by_order with (L := fun x y =>
        (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ fst y = 2)).
      + intros x [j y] [S|(a & b & [F L] & D)]; auto. right. cbn [fst snd] in *. subst b.
        apply fifo_lab in L as [L _]; [|discriminate]. destruct j as [|[|[|j]]]; destruct y as [|[|y]]; try discriminate.
        injection L as <-. subst x. auto.
      + intros x y z [[A A']|[A A']] [[B B']|[B B']]; try (left; split; [congruence|lia]); right; split; congruence.
      + intros x [[_ L]|[A B]]; [lia|congruence].
    - intros k I. apply In_nth_error in I as [a I]. now apply No in I.
    - intros r c d [[M _] _] O. apply chop_first in O as [S O].
      pose proof (occurs_follows r (Lay (Assign 1 zero) (Recv 2 1)) l eq_refl _ _ O) as F.
      assert (St : standing r c l) by (intro k; apply F).
      destruct (stand_lab r c l 1 0 Int St eq_refl) as [L1 _], (stand_lab r c l 2 0 (Rcv 1) St eq_refl) as [L2 _].
      assert (R : is_rcv r (2, c 2 + 0) 1 2) by (split; auto). pose proof (delta_snd r M _ _ _ R) as [Fz Lz].
      pose proof (causes_msg r _ _ _ R) as C. pose proof (S _ _ _ R) as In.
      destruct (delta r (2, c 2 + 0)) as [i z]; cbn [fst snd] in *. subst i. unfold inside in In; cbn [fst snd] in In.
      unfold at_cut; cbn [fst snd]. apply causes_local_le with z; auto.
      destruct (le_lt_dec (c 1) z) as [G|G]; [lia|]. apply In in G. lia. }
  assert (T : forall u v, clos_trans event (normal l) u v -> fst u = fst v).
  { induction 1 as [u v E|]; [|congruence]. unfold normal in E. inversion E; subst; auto.
    exfalso. eapply No. eassumption. }
  now apply T in P.
Qed.

(** A seal that waits for a message needs no edge in its program graph: 2 has to have sent again. *)
Lemma waiting_dead_free : dead_free (NoBarrier.mt_actions 1 2 ++ [ARecv 1 2]).
Proof.
  set (rank := fun e : event => match fst e with 1 => match snd e with 0 => 0 | S k => 3 + k end | _ => 1 + snd e end).
  unfold dead_free. apply by_order with (L := fun x y => rank x < rank y); [|intros; lia|intros; lia].
  intros [i x] [j y] [[E L]|(a & b & [F H] & D)].
  - simpl in E, L; subst j. unfold rank; simpl. destruct i as [|[|i]]; destruct x, y; simpl; lia.
  - cbn [fst snd] in *. subst b. apply fifo_lab in H as [H _]; [|discriminate].
    destruct j as [|[|[|j]]]; destruct y as [|[|y]]; try discriminate; try (destruct y; discriminate);
      injection H as <-; vm_compute in D; injection D as <- <-; unfold rank; simpl; lia.
Qed.
Lemma waiting_seals : Seals RelNS (Recv 1 2) (mt 1 2 zero).
Proof.
  apply seals_iff. intros r c d [[[M _] _] _] S O. apply lay_iff in O as (m & O1 & O2). exists m.
  split; [auto|split; auto].
  pose proof (occurs_follows r (mt 1 2 zero) (NoBarrier.mt_actions 1 2) eq_refl _ _ O1) as F.
  pose proof (follows_app _ _ _ _ _ _ F (occurs_follows r (Recv 1 2) [ARecv 1 2] eq_refl _ _ O2)) as Fq.
  assert (St : standing r c (NoBarrier.mt_actions 1 2 ++ [ARecv 1 2])) by (intro k; apply Fq).
  destruct (stand_lab r c _ 1 1 (Rcv 2) St eq_refl) as [L1 _], (stand_lab r c _ 2 0 (Rcv 1) St eq_refl) as [L2 _].
  destruct (stand_lab r c _ 1 0 (Snd 2) St eq_refl) as [L0 _].
  apply (silent_ceq r (fun k => c k + len (NoBarrier.mt_actions 1 2) k)); [intro k; symmetry; apply F|].
  apply inside_suffices; auto using message_balanced; [intro k; apply F|].
  intros [j y] i j' R I. assert (j' = j) by (symmetry; apply R). subst j'.
  destruct (lt_dec y (c j)) as [B|B]; [apply (S _ _ _ R) in B; unfold inside in *; lia|].
  unfold inside in I; cbn [fst snd] in I. pose proof (delta_snd r M _ _ _ R) as Sn. pose proof (causes_msg r _ _ _ R) as C.
  destruct j as [|[|[|j]]]; unfold len in I; simpl in I; try lia.
  - exfalso. replace y with (c 1 + 0) in R by lia. destruct R as [_ R]. cbn [fst snd] in R. congruence.
  - replace y with (c 2 + 0) in * by lia. destruct R as [_ R]. cbn [fst snd] in R. rewrite L2 in R. injection R as <-.
    destruct (delta r (2, c 2 + 0)) as [i z]. destruct Sn as [E Lz]. cbn [fst snd] in *. subst i.
    unfold inside; simpl. destruct (le_lt_dec (c 1 + 1) z) as [G|G]; [exfalso|unfold len; simpl; lia].
    assert (R1 : is_rcv r (1, c 1 + 1) 2 1) by (split; auto). destruct (delta_snd r M _ _ _ R1) as [E1 Lw].
    pose proof (causes_msg r _ _ _ R1) as C1. pose proof (S _ _ _ R1) as In.
    destruct (delta r (1, c 1 + 1)) as [b w]. unfold inside in In. cbn [fst snd] in *. subst b.
    assert (w <> c 2 + 0) by congruence. assert (z <> c 1 + 1) by congruence.
    destruct (le_lt_dec (c 2) w) as [G'|G']; [|apply In in G'; lia].
    apply (causal r M (2, c 2 + 0)). apply t_trans with (2, w); [apply causes_order; lia|].
    eapply t_trans; [exact C1|]. eapply t_trans; [|exact C]. apply causes_order. lia.
Qed.
Theorem decide_sealing_needs_a_balanced_seal : ~ forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> nofself (p ++ q) -> dead_free (p ++ q) -> (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intro H. destruct (H (mt 1 2 zero) (Recv 1 2) (NoBarrier.mt_actions 1 2) [ARecv 1 2]) as [X _];
    auto using message_balanced, waiting_dead_free.
  - intros [|[|[|k]]] I; simpl in I; intuition congruence.
  - destruct (X waiting_seals 1 2 0 sigvt_1_2) as (k & P1 & P2 & _).
    apply (path_left (NoBarrier.mt_actions 1 2) []) in P1 as [C _];
      [|apply message_balanced|apply nothing_balanced|discriminate].
    apply (oneway_quiet 1 2) in C; auto; [|rewrite app_nil_r; apply message_oneway]. simpl in C. subst k.
    apply path_idle in P2; [discriminate|reflexivity].
Qed.

(** ** Two processes, a completion, no silent cut *)

(** One process has nobody to send to. *)
Lemma one_process_silent r c p d : RelNS r -> occurs r c p d -> below 1 p -> silent r c -> silent r d.
Proof.
  intros [[[M _] _] N] O. induction O; simpl; intros B S; eauto using silent_ceq.
  - eapply silent_internal; eauto.
  - exfalso. replace j with i in * by lia. apply (N (i, c i) i). split; auto.
  - exfalso. replace j with i in * by lia. assert (R : is_rcv r (i, c i) i i) by (split; auto).
    apply (N _ _ (delta_snd r M _ _ _ R)).
  - destruct B. auto.
  - destruct B. auto.
  - destruct B. auto.
Qed.
Theorem no_barrier_needs_two_processes : barrier_among 1 RelNS Eps.
Proof.
  intros P Q BP BQ r c d R O. apply chop_first in O as [S O]. apply lay_iff in O as (m & O1 & O2).
  pose proof (one_process_silent r c P m R O1 BP S) as Sm. apply lay_iff in O2 as (k & E & O2).
  assert (Sk : silent r k) by (inversion E; subst; eapply silent_ceq; eauto).
  apply chop_middle. exists m. split; [auto|split; auto]. apply chop_middle. eauto.
Qed.

(** What balance is necessary for, in the whole language: P may have a silent cut after its message, ... *)
Theorem balanced_necessary_whole_language_needs_nochop : ~ forall P S, nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) -> Balanced RelNS P.
Proof.
  intro H. assert (B : Balanced RelNS (Lay (Send 1 2 zero) Chop)).
  { apply (H _ Eps); simpl; auto.
    - intros r c m R E _. exists r, m. split; [auto|split; [auto|split; [intros p k _; auto|apply O_eps, ceq_refl]]].
    - intros r c m d _ _ O _. now apply chop_last in O. }
  assert (O : occurs lost (fun _ => 0) (Lay (Send 1 2 zero) Chop) after_send).
  { apply chop_last. split; [apply lost_occurs|apply lost_silent]. }
  specialize (B lost _ after_send lost_run (start_empty _) O 1 2). discriminate.
Qed.
(** ... or S never complete, ... *)
Theorem balanced_necessary_whole_language_needs_completion : ~ forall P S, nochop P -> nochop S ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) -> Balanced RelNS P.
Proof.
  intro H. apply send_not_balanced, (H _ never); simpl; auto.
  intros r c m d _ _ _ O. inversion O; subst. simpl in *. tauto.
Qed.
(** ... or S not find silence. *)
Theorem balanced_necessary_whole_language_needs_silence : ~ forall P S, nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) -> Balanced RelNS P.
Proof.
  intro H. apply send_not_balanced, (H _ Eps); simpl; auto.
  intros r c m R E _. exists r, m. split; [auto|split; [auto|split; [intros p k _; auto|apply O_eps, ceq_refl]]].
Qed.

(** ** Seal(P)

    What [seal_construction_closed] says of P, and two of its hypotheses. *)
Definition tells_closed (n : nat) (P : prog) (closed : nat -> nat -> bool) :=
  forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j).
Definition connected (n : nat) (P : prog) := forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j.
Definition constructs (n : nat) (P : prog) (p : list act) (closed : nat -> nat -> bool) :=
  (forall v, v < n -> exists t, root t = v /\ tree_of_closed closed t /\ Permutation.Permutation (members t) (seq 0 n)) /\
  (forall t, tree_of_closed closed t -> Permutation.Permutation (members t) (seq 0 n) ->
    proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
    messages (transmissions (tree_seal closed t)) < 3 * n).
Lemma constructs_seal n P p closed : 0 < n -> constructs n P p closed -> exists S s, proper_seal n P p S s.
Proof. intros L [Tree Seal]. destruct (Tree 0 L) as (t & _ & T & Perm). destruct (Seal t T Perm). eauto. Qed.

(** What never occurs closes all channels. *)
Lemma never_closes P : (forall r c d, RelNS r -> silent r c -> ~ occurs r c P d) -> forall i j, closes RelNS P i j.
Proof. intros N i j r c d R E O. exfalso. apply (N r c d R); auto. apply empty_silent; auto. apply R. Qed.
Lemma never_tells n P : (forall r c d, RelNS r -> silent r c -> ~ occurs r c P d) -> tells_closed n P (fun _ _ => true).
Proof. intros N i j _ _. split; auto. intros _. now apply never_closes. Qed.
Lemma never_connected n P : (forall r c d, RelNS r -> silent r c -> ~ occurs r c P d) -> connected n P.
Proof. intros N i j Hi Hj. apply rt_step. split; [auto|split; auto]. left. now apply never_closes. Qed.

(** ** Self-channels *)

(** Where no process sends to itself, a message to oneself never occurs. *)
Lemma self_never i r c d : RelNS r -> ~ occurs r c (mt i i zero) d.
Proof.
  intros [_ N] O. apply lay_iff in O as (m & O & _). inversion O; subst. apply (N (i, c i) i). split; auto.
Qed.
Lemma self_dead_free : dead_free (NoBarrier.mt_actions 0 0).
Proof.
  unfold dead_free. apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
  - intros [i x] [j y] [S|(a & b & [F L] & D)]; auto. cbn [fst snd] in *.
    apply fifo_lab in L as [L _]; [|discriminate]. destruct j as [|j]; destruct y as [|[|y]]; try discriminate;
      try (destruct y; discriminate). vm_compute in D. injection D as <- <-. auto.
  - intros x y z [A A'] [B B']. split; [congruence|lia].
  - intros x [_ L]. lia.
Qed.
Lemma self_sends : ~ nofself (NoBarrier.mt_actions 0 0).
Proof. intro N. apply (N 0). now left. Qed.

Lemma self_within : within 1 (NoBarrier.mt_actions 0 0).
Proof. intros a [<-|[<-|[]]]; simpl; lia. Qed.

(** It is TCC, ... *)
Theorem tcc_impossibility_bsl_needs_no_self_channels : ~ forall P p, acts P = Some p -> balanced p -> dead_free p ->
  (exists i j, In (Snd j) (labs i p)) -> ~ TCC RelNS P.
Proof.
  intro H. apply (H (mt 0 0 zero) (NoBarrier.mt_actions 0 0)); auto using message_balanced, self_dead_free.
  - exists 0, 0. now left.
  - apply tcc_iff. intros r c d R _ O. destruct (self_never 0 r c d R O).
Qed.
(** ... a barrier, ... *)
Theorem no_barrier_bsl_needs_no_self_channels : ~ forall n B b, 2 <= n -> acts B = Some b -> within n b ->
  (forall i, ~ In (Rcv i) (labs i b)) -> ~ barrier_among n RelNS B.
Proof.
  intro H. apply (H 2 (Send 0 0 zero) [ASend 0 0]); auto.
  - intros a [<-|[]]. simpl. lia.
  - intros [|i] I; simpl in I; intuition discriminate.
  - intros P Q _ _ r c d [_ N] O. apply chop_first in O as [_ O]. apply lay_iff in O as (m & _ & O).
    apply lay_iff in O as (k & O & _). inversion O; subst. destruct (N (0, m 0) 0). split; auto.
Qed.

(** ... and has no proper seal; but one process is always one part, and a spanning tree. *)
Theorem sealability_needs_no_self_channels : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p -> within n p ->
  dead_free p -> ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intro H. destruct (H 1 (mt 0 0 zero) (NoBarrier.mt_actions 0 0)) as [_ X];
    auto using message_balanced, self_within, self_dead_free.
  destruct X as (S & s & Pr); [exists [0]; split; [constructor|reflexivity]|].
  apply self_sends, (properly_sealed 1 (mt 0 0 zero) _ S s eq_refl Pr).
Qed.
Theorem seal_construction_needs_no_self_channels : ~ forall n P p closed, acts P = Some p -> balanced p ->
  within n p -> dead_free p -> tells_closed n P closed -> connected n P -> constructs n P p closed.
Proof.
  intro H. destruct (constructs_seal 1 (mt 0 0 zero) (NoBarrier.mt_actions 0 0) (fun _ _ => true)) as (S & s & Pr);
    auto.
  - apply H; auto using message_balanced, self_within, self_dead_free;
      [apply never_tells|apply never_connected]; intros r c d R _; apply self_never; exact R.
  - apply self_sends, (properly_sealed 1 (mt 0 0 zero) _ S s eq_refl Pr).
Qed.

(** ... as is what waits for itself; ... *)
Theorem no_barrier_bsl_needs_no_self_receives : ~ forall n B b, 2 <= n -> acts B = Some b -> within n b -> nofself b ->
  ~ barrier_among n RelNS B.
Proof.
  intro H. apply (H 2 (Recv 0 0) [ARecv 0 0]); auto.
  - intros a [<-|[]]. simpl. lia.
  - intros [|i] I; simpl in I; intuition discriminate.
  - intros P Q _ _ r c d [[[M _] _] N] O. apply chop_first in O as [_ O]. apply lay_iff in O as (m & _ & O).
    apply lay_iff in O as (k & O & _). inversion O; subst. exfalso.
    assert (R : is_rcv r (0, m 0) 0 0) by (split; auto). exact (N _ _ (delta_snd r M _ _ _ R)).
Qed.

(** ... and so is a deadlock between two other processes, as these get no help. *)
Definition aside : prog := Lay (Lay (Recv 2 3) (Send 2 3 zero)) (Lay (Recv 3 2) (Send 3 2 zero)).
Definition set_aside := [ARecv 2 3; ASend 2 3; ARecv 3 2; ASend 3 2].
Lemma aside_cycle : ~ dead_free set_aside.
Proof.
  intro D. apply (D (2, 0)). apply t_trans with (2, 1); [apply causes_order; lia|].
  apply t_trans with (3, 0); [apply t_step; right; exists 2, 3; repeat split|].
  apply t_trans with (3, 1); [apply causes_order; lia|]. apply t_step. right. exists 3, 2. repeat split.
Qed.
Lemma below_leaves n r c p d : occurs r c p d -> below n p -> forall i, n <= i -> d i = c i.
Proof.
  induction 1; simpl; intros B k L; auto; try (now rewrite (H k)).
  - rewrite (H k). unfold bump. replace (k =? i) with false; auto. symmetry. apply Nat.eqb_neq. lia.
  - rewrite (H k). unfold bump. replace (k =? i) with false; auto. symmetry. apply Nat.eqb_neq. lia.
  - rewrite (H k). unfold bump. replace (k =? j) with false; auto. symmetry. apply Nat.eqb_neq. lia.
  - destruct B. rewrite IHoccurs2, IHoccurs1; auto.
  - destruct B. auto.
  - destruct B. auto.
  - rewrite IHoccurs2, IHoccurs1; auto.
Qed.
Theorem no_barrier_bsl_needs_its_processes : ~ forall n B b, 2 <= n -> acts B = Some b -> nofself b ->
  (forall i, ~ In (Rcv i) (labs i b)) -> ~ barrier_among n RelNS B.
Proof.
  intro H. apply (H 2 aside set_aside); auto.
  - intros [|[|[|[|i]]]] I; simpl in I; intuition discriminate.
  - intros [|[|[|[|i]]]] I; simpl in I; intuition discriminate.
  - intros P Q BP _ r c d [[[M _] _] _] O. apply chop_first in O as [S O]. apply lay_iff in O as (m & OP & O).
    apply lay_iff in O as (k & O & _). exfalso. apply aside_cycle. intros e C.
    apply (shift r c) in C; auto; [exact (causal r M _ C)|]. intro i.
    destruct (occurs_follows r aside set_aside eq_refl _ _ O i) as [_ St]. rewrite St. unfold len.
    destruct (le_lt_dec 2 i) as [G|L]; [now rewrite (below_leaves 2 r c P m OP BP i G)|].
    destruct i as [|[|i]]; [reflexivity|reflexivity|lia].
Qed.

(** ** Deadlock and balance, of what can be sealed *)

(** In a deadlock everything causes everything, so that all seems to be known. *)
Lemma halted_learnt k i j : k < 2 -> learnt halted k i j.
Proof.
  intros L y H.
  assert (A : causes (fifo halted) (0, 1) (1, 0)) by (apply t_step; right; exists 0, 1; repeat split).
  assert (B : causes (fifo halted) (1, 1) (0, 0)) by (apply t_step; right; exists 1, 0; repeat split).
  destruct j as [|[|j]]; destruct y as [|[|y]]; try discriminate; try (destruct y; discriminate);
    destruct k as [|[|k]]; try lia; unfold len; simpl; try (apply causes_order; lia).
  - apply t_trans with (0, 1); [apply causes_order; lia|]. eapply t_trans; [exact A|apply causes_order; lia].
  - apply t_trans with (1, 1); [apply causes_order; lia|]. eapply t_trans; [exact B|apply causes_order; lia].
Qed.
Lemma halted_within : within 2 halted.
Proof. intros a [<-|[<-|[<-|[<-|[]]]]]; simpl; lia. Qed.
Theorem sealability_needs_deadlock_freedom : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p -> nofself p ->
  within n p -> ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intro H. destruct (H 2 halt halted) as [_ X]; auto using halted_balanced, halted_nofself, halted_within.
  destruct X as (S & s & Pr); [apply joined_by_0; auto; intros j _; apply halted_learnt; lia|].
  destruct (properly_sealed 2 halt halted S s eq_refl Pr) as (_ & _ & D). exact (D _ halted_cycle).
Qed.
Theorem seal_construction_needs_deadlock_freedom : ~ forall n P p closed, acts P = Some p -> balanced p ->
  nofself p -> within n p -> tells_closed n P closed -> connected n P -> constructs n P p closed.
Proof.
  intro H. destruct (constructs_seal 2 halt halted (fun _ _ => true)) as (S & s & Pr); auto.
  - apply H; auto using halted_balanced, halted_nofself, halted_within;
      [apply never_tells|apply never_connected]; intros r c d [[[M _] _] _]; apply halt_alone_never; exact M.
  - destruct (properly_sealed 2 halt halted S s eq_refl Pr) as (_ & _ & D). exact (D _ halted_cycle).
Qed.

(** Of a send that is not received there is nothing to know; but nothing seals it. *)
Lemma one_send_learnt k i j : learnt [ASend 1 2] k i j.
Proof. intros y H. destruct j as [|[|j]]; destruct y as [|y]; try discriminate; destruct y; discriminate. Qed.
Lemma one_send_nofself : nofself [ASend 1 2].
Proof. intros [|[|k]] I; simpl in I; intuition congruence. Qed.
Lemma one_send_within : within 3 [ASend 1 2].
Proof. intros a [<-|[]]. simpl. lia. Qed.
Theorem sealability_needs_balance : ~ forall n P p, 1 <= n -> acts P = Some p -> nofself p -> within n p ->
  dead_free p -> ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intro H. destruct (H 3 (Send 1 2 zero) [ASend 1 2]) as [_ X];
    auto using one_send_nofself, one_send_within, one_send_dead_free.
  destruct X as (S & s & Pr); [apply joined_by_0; auto; intros j _; apply one_send_learnt|].
  apply send_unbalanced, (properly_sealed 3 (Send 1 2 zero) _ S s eq_refl Pr).
Qed.
Lemma send_closes i j : (i, j) <> (1, 2) -> closes RelNS (Send 1 2 zero) i j.
Proof.
  intros Ne r c d _ E O. inversion O as [| |? ? ? ? ? Q L _| | | | | | | |]; subst.
  assert (In : forall e, inside c e -> inside d e).
  { intros e I. unfold inside in *. rewrite (Q (fst e)). unfold bump. destruct (fst e =? 1); lia. }
  assert (Back : forall e, inside d e -> e <> (1, c 1) -> inside c e).
  { intros [k x] I X. unfold inside in *. cbn [fst snd] in *. rewrite (Q k) in I. unfold bump in I.
    destruct (k =? 1) eqn:A; [|exact I]. apply Nat.eqb_eq in A. subst k. destruct (Nat.eq_dec x (c 1)); [congruence|lia]. }
  intros e [I [[[F Le] U]|[[F Le] Out]]]; apply (E i j e); (split; [apply Back; [exact I|intros ->]|]);
    cbn [fst snd] in *.
  - rewrite L in Le. congruence.
  - left. split; [now split|]. intros e' a b R' I'. apply (U e' a b R'), In, I'.
  - rewrite L in Le. discriminate.
  - right. split; [now split|]. intro I'. apply Out, In, I'.
Qed.
Theorem seal_construction_needs_balance : ~ forall n P p closed, acts P = Some p -> nofself p -> within n p ->
  dead_free p -> tells_closed n P closed -> connected n P -> constructs n P p closed.
Proof.
  intro H. destruct (closed_exists 3 (Send 1 2 zero)) as (closed & Cl).
  destruct (constructs_seal 3 (Send 1 2 zero) [ASend 1 2] closed) as (S & s & Pr); [lia| |].
  - apply H; auto using one_send_nofself, one_send_within, one_send_dead_free. intros i j Hi Hj.
    apply rt_trans with 0; apply rt_step; (split; [lia|split; [lia|left; apply send_closes; congruence]]).
  - apply send_unbalanced, (properly_sealed 3 (Send 1 2 zero) _ S s eq_refl Pr).
Qed.

(** What communicates with others is sealed by none of these processes. *)
Theorem seal_construction_needs_its_processes : ~ forall n P p closed, acts P = Some p -> balanced p -> nofself p ->
  dead_free p -> tells_closed n P closed -> connected n P -> constructs n P p closed.
Proof.
  intro H. destruct (closed_exists 1 (mt 1 2 zero)) as (closed & Cl).
  destruct (constructs_seal 1 (mt 1 2 zero) (NoBarrier.mt_actions 1 2) closed) as (S & s & Pr); [lia| |].
  - apply H; auto using message_balanced, mt_dead_free; [apply oneway_nofself with 1 2; auto using message_oneway|].
    intros i j Hi Hj. replace i with j by lia. apply rt_refl.
  - destruct (sealed_within 1 (mt 1 2 zero) _ S s eq_refl Pr (ASend 1 2) (or_introl eq_refl)). lia.
Qed.

(** ** A silent cut in the seal *)

(** Where nothing is received in between, a run may end at a cut. *)
Lemma cut_off r c d : RelNS r -> all_empty r c -> cle c d -> (forall e i j, is_rcv r e i j -> inside d e -> inside c e) ->
  exists r', RelNS r' /\ all_empty r' c /\ agree r r' d /\ silent r' d.
Proof.
  intros [[[M V] _] N] E L H. set (r' := extend r d (fun _ => Int) (0, 0) 0%Z).
  assert (Ag : agree r r' d) by apply extend_agree.
  assert (In : forall e, inside c e -> inside d e) by (intros e I; specialize (L (fst e)); unfold inside in *; lia).
  assert (X : forall e i j, is_rcv r' e i j ->
    is_rcv r e i j /\ inside d e /\ delta r' e = delta r e /\ inside d (delta r e)).
  { intros e i j [F Le]. destruct (extend_cases r d (fun _ => Int) (0, 0) 0%Z e) as [(I & Q & D)|[(I & Q & D)|(I & Q)]];
      fold r' in Q; rewrite Le in Q; try discriminate.
    assert (R : is_rcv r e i j) by (split; auto). split; [auto|split; [auto|split; [auto|]]].
    apply In. pose proof (H _ _ _ R I) as Ic. apply (empty_silent r c M E _ _ _ R), Ic. }
  exists r'. split; [split; [split; [split; [split|]|]|]|split; [|split; [exact Ag|]]].
  - intros e i j R. destruct (X _ _ _ R) as (R0 & _ & D & I). rewrite D. destruct (delta_snd r M _ _ _ R0) as [F Ls].
    split; auto. now rewrite <- (proj1 (Ag _ _ I)).
  - intros e i j e' i' j' R R'. destruct (X _ _ _ R) as (R0 & _ & D & _), (X _ _ _ R') as (R0' & _ & D' & _).
    rewrite D, D'. apply (delta_inj r M _ _ _ _ _ _ R0 R0').
  - intros e C. apply (causal r M e). revert C. generalize e at 1 3. intros x C.
    induction C as [x y [S|(a & b & R & D)]|]; [apply t_step; now left| |eapply t_trans; eauto].
    destruct (X _ _ _ R) as (R0 & _ & D' & _). apply t_step. right. exists a, b. split; auto. congruence.
  - intros e i j R. destruct (X _ _ _ R) as (R0 & I & D & I'). rewrite D.
    destruct e as [ep ek], (delta r (ep, ek)) as [sp sk] eqn:Ds.
    rewrite <- (proj2 (Ag ep ek I)), <- (proj2 (Ag sp sk I')), <- Ds. apply (V _ _ _ R0).
  - apply quiet_reliable with d. intros i k j Lk. simpl. replace (k <? d i) with false by (symmetry; now apply Nat.ltb_ge).
    destruct (k =? d i); discriminate.
  - apply extend_noself; auto. discriminate.
  - intros i j e [I [[[F S] U]|[[F R] O]]]; apply (E i j e); (split; [exact I|]).
    + left. split; [split; auto; now rewrite (proj1 (Ag _ _ (In e I)))|]. intros e' a b [F' R'] I'.
      assert (Re : is_rcv r' e' a b) by (split; auto; now rewrite <- (proj1 (Ag _ _ (In e' I')))).
      destruct (X _ _ _ Re) as (_ & _ & D & _). rewrite <- D. now apply (U e' a b).
    + right. destruct (X e i j) as (R0 & _ & D & _); [now split|]. rewrite D in O. auto.
  - intros e i j R. destruct (X _ _ _ R) as (_ & I & D & I'). rewrite D. tauto.
Qed.
(** ... or S be a silent cut. *)
Theorem balanced_necessary_whole_language_needs_nochop_in_seal : ~ forall P S, nochop P ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) -> Balanced RelNS P.
Proof.
  intro H. apply send_not_balanced, (H _ Chop); simpl; auto.
  - intros r c m R E O. destruct (cut_off r c m R E) as (r' & R' & E' & Ag & S).
    + eapply occurs_le; eauto.
    + inversion O; subst. intros [k x] i j [F L] I. cbn [fst snd] in *. subst k.
      match goal with Q : ceq m (bump c 1) |- _ => unfold inside in *; cbn [fst snd] in *; rewrite (Q j) in I end.
      unfold bump in I. destruct (j =? 1) eqn:E1; auto. apply Nat.eqb_eq in E1. subst j.
      destruct (Nat.eq_dec x (c 1)) as [->|]; [congruence|lia].
    + exists r', m. split; [auto|split; [auto|split; [auto|]]]. apply chop_iff. auto using ceq_refl.
  - intros r c m d _ _ _ O. now apply chop_iff in O.
Qed.

(** ** Processes *)

(** Without any process nothing is one part; but eps seals eps. *)
Theorem sealability_needs_a_process : ~ forall n P p, BSL n P p ->
  ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intro H. destruct (H 0 Eps []) as [X _]; auto using eps_bsl.
  - destruct X as (Y & J & P).
    + exists Eps, []. split; [reflexivity|]. repeat split; auto using nothing_balanced, nothing_dead_free; try (intros i []).
      apply sealed_by_eps, tcc_iff. intros r c d _ S O. inversion O; subst. eapply silent_ceq; eauto.
    + apply Permutation.Permutation_sym, Permutation.Permutation_nil in P. subst Y.
      now destruct (joined_not_empty _ _ J).
Qed.
