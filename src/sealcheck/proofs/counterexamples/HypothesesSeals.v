(** * Hypotheses of theorems about seals that are needed

    Each theorem here says that another one fails without one of its hypotheses.  docs/proofs.md has a table of all. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality ClosedChannels.
From Sealcheck Require Import TccImpossibility NoBarrier BalancedNecessary ExamplesRuns Refutations Knowledge Messages.
From Sealcheck Require Import Prefix Teaching Sealability WorstCase GuardedSeal Bsl Unbalanced SealConstruction.
From Sealcheck Require Import Hypotheses SpanningTree.
Open Scope nat_scope.

(** ** Processes *)

(** n = 1, but 1 and 2 exchange messages.  No program of one process says anything to them. *)
Lemma alone_unsealing S s : ~ proper_seal 1 (mt 1 2 zero) (NoBarrier.mt_actions 1 2) S s.
Proof.
  intros (HS & B & W & N & _ & Se). apply nofself_app in N as [_ N].
  assert (Q : forall k a, In a (labs k s) -> a = Int).
  { intros k a I. assert (Fs : forall i, ~ In (Snd i) (labs i s)) by exact N.
    pose proof I as I0. apply in_map_iff in I as (b & <- & I). apply filter_In in I as [I E]. apply Nat.eqb_eq in E.
    specialize (W b I). destruct b as [i j|j i|i]; auto; cbn in *; exfalso; assert (i = 0 /\
      j = 0) as [-> ->] by lia; subst k.
    - now apply (N 0).
    - apply In_nth_error in I0 as [y R]. destruct (fifo_match s 0 0 y B R) as (x & _ & Hx & _).
      apply (N 0). eapply nth_error_In; eauto. }
  apply (oneway_unsealed 1 2 (mt 1 2 zero) S (NoBarrier.mt_actions 1 2) s 0); auto using message_balanced,
    message_oneway, mt_received.
  intro k. split; intros a I; apply Q in I; discriminate.
Qed.
Lemma message_12_nofself : nofself (NoBarrier.mt_actions 1 2).
Proof. apply oneway_nofself with 1 2; auto using message_oneway. Qed.
Theorem sealability_needs_within : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p -> nofself p ->
  dead_free p -> ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intro H. destruct (H 1 (mt 1 2 zero) (NoBarrier.mt_actions 1 2)) as [_ X];
    auto using message_balanced, message_12_nofself, mt_dead_free.
  destruct X as (S & s & Pr); [exists [0]; split; [constructor|reflexivity]|]. exact (alone_unsealing S s Pr).
Qed.
Theorem connected_is_sealable_needs_within : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p -> nofself p ->
  dead_free p -> (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 1 (mt 1 2 zero) (NoBarrier.mt_actions 1 2)) as (S & s & Pr & _);
    auto using message_balanced, message_12_nofself, mt_dead_free; [|exact (alone_unsealing S s Pr)].
  intros i j Hi Hj. replace j with i by lia. apply rt_refl.
Qed.
Theorem seal_construction_needs_within : ~ forall n P p closed t, acts P = Some p -> balanced p -> nofself p ->
  dead_free p -> (forall i j, i < n -> j < n -> closed i j = true -> learnt p i i j) ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
  proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)).
Proof.
  intro H. refine (alone_unsealing _ _ (H 1 (mt 1 2 zero) (NoBarrier.mt_actions 1 2) (fun _ _ => false) (Alone 0)
    eq_refl (message_balanced 1 2) message_12_nofself mt_dead_free _ I (Permutation_refl _))). discriminate.
Qed.
Lemma eps_seals n : proper_seal n Eps [] Eps [].
Proof.
  split; [reflexivity|]. repeat split; auto using nothing_balanced, nothing_dead_free; try (intros i []).
  apply sealed_by_eps, tcc_iff. intros r c d _ S O. inversion O; subst. eapply silent_ceq; eauto.
Qed.
Theorem seal_size_needs_a_process : ~ forall n P p, acts P = Some p -> within n p ->
  (exists S s, proper_seal n P p S s) -> exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 0 Eps []) as (S & s & _ & L); [reflexivity|intros a []|eauto using eps_seals|simpl in L; lia].
Qed.
Theorem connected_is_sealable_needs_a_process : ~ forall n P p, BSL n P p ->
  (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 0 Eps []) as (S & s & _ & L); [apply eps_bsl|intros i j G; lia|simpl in L; lia].
Qed.
Theorem worst_case_seal_as_printed_fails_needs_two_processes : ~ forall n, ~ exists P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\ (forall S s, proper_seal n P p S s -> 3 * n - 4 <= messages s).
Proof.
  intro H. apply (H 1). exists Eps, []. split; [apply eps_bsl|]. split; [eauto using eps_seals|]. intros. simpl. lia.
Qed.

(** ** What a theorem says "if" of *)

(** X can be sealed by no BSL of two processes. *)
Lemma X_unsealed S s : ~ proper_seal 2 X crossed_sends S s.
Proof.
  intro Pr. apply X_two_blocks. destruct (properly_sealed 2 X crossed_sends S s eq_refl Pr) as (B & N & D).
  apply (sealability 2 X crossed_sends X_bsl); eauto.
Qed.
Theorem seals_need_not_exist : ~ forall n P p, 2 <= n -> acts P = Some p -> within n p -> exists S s,
  proper_seal n P p S s.
Proof. intro H. destruct (H 2 X crossed_sends) as (S & s & Pr); auto; [apply X_bsl|]. exact (X_unsealed S s Pr). Qed.
Theorem tcc_impossibility_bsl_needs_a_send : ~ forall P p, acts P = Some p -> nofself p -> dead_free p -> ~ TCC RelNS P.
Proof.
  intro H. apply (H Eps []); auto using nothing_dead_free; [intros i []|]. apply sealed_by_eps, (eps_seals 0).
Qed.
Theorem balanced_necessary_needs_a_seal : ~ forall P p S, acts P = Some p -> nochop S ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d) -> balanced p.
Proof.
  intro H. apply send_unbalanced, (H (Send 1 2 zero) [ASend 1 2] Eps); simpl; auto.
  exists lost, (fun _ => 0), after_send. split; [apply lost_run|split; [apply start_empty|]].
  apply lay_iff. exists after_send. split; [apply lost_occurs|]. apply O_eps, ceq_refl.
Qed.

(** ** Deadlock, balance, and self-channels, of what is sealed along closed channels *)

Theorem connected_is_sealable_needs_deadlock_freedom : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p ->
  nofself p -> within n p -> (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 2 halt halted) as (S & s & Pr & _); auto using halted_balanced, halted_nofself, halted_within.
  - intros i j Hi Hj. apply rt_step. split; [auto|split; [auto|left]]. intros r c d R E O.
    assert (M : matching r) by apply R. destruct (halt_alone_never r c d M (empty_silent r c M E) O).
  - destruct (properly_sealed 2 halt halted S s eq_refl Pr) as (_ & _ & D). exact (D _ halted_cycle).
Qed.
Theorem connected_is_sealable_needs_no_self_channels : ~ forall n P p, 1 <= n -> acts P = Some p -> balanced p ->
  within n p -> dead_free p -> (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 1 (mt 0 0 zero) (NoBarrier.mt_actions 0 0)) as (S & s & Pr & _);
    auto using message_balanced, self_within, self_dead_free.
  - intros i j Hi Hj. replace j with i by lia. apply rt_refl.
  - apply self_sends, (properly_sealed 1 (mt 0 0 zero) _ S s eq_refl Pr).
Qed.
(** A send that nobody receives: all other channels are closed. *)
Lemma one_send_closes_others i j : (i, j) <> (1, 2) -> closes RelNS (Send 1 2 zero) i j.
Proof.
  intros N r c d _ E O e [I C]. inversion O as [| |? ? ? ? ? Q L _| | | | | | | |]; subst.
  assert (Same : forall e a b, is_snd r e a b \/ is_rcv r e a b -> (a, b) <> (1, 2) -> inside d e -> inside c e).
  { intros [k m] a b W Ne G. unfold inside in *; cbn [fst snd] in *. rewrite (Q k) in G. unfold bump in G.
    destruct (k =? 1) eqn:K; auto. apply Nat.eqb_eq in K. subst k. destruct (Nat.eq_dec m (c 1)) as [->|];
      [exfalso|lia].
    destruct W as [[F W]|[F W]]; cbn [fst snd] in *; rewrite L in W; [injection W as <-; subst a; auto|discriminate]. }
  apply (E i j e). destruct C as [[S U]|[R U]].
  - split; [eauto|left]. split; auto. intros e' a b R I'. apply (U e' a b R).
    unfold inside in *. rewrite (Q (fst e')). unfold bump. destruct (_ =? _); lia.
  - split; [eauto|right]. split; auto. intro I'. apply U. unfold inside in *. rewrite (Q (fst (delta r e))).
    unfold bump.
    destruct (_ =? _); lia.
Qed.
Theorem connected_is_sealable_needs_balance : ~ forall n P p, 1 <= n -> acts P = Some p ->
  nofself p -> within n p -> dead_free p -> (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 3 (Send 1 2 zero) [ASend 1 2]) as (S & s & Pr & _);
    auto using one_send_nofself, one_send_within, one_send_dead_free.
  - intros i j Hi Hj. apply rt_step. split; [auto|split; [auto|]].
    destruct (Nat.eq_dec i 1) as [->|]; [right|left]; apply one_send_closes_others; congruence.
  - apply send_unbalanced, (properly_sealed 3 (Send 1 2 zero) _ S s eq_refl Pr).
Qed.

(** ** Seal(P) *)

(** A channel that is said to be closed, and is not; an edge of the tree that is not closed; a process that is not in
    the tree. *)
Theorem seal_construction_needs_closed_channels : ~ forall n P p closed t, BSL n P p ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
  proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)).
Proof.
  intro H. refine (X_unsealed _ _ (H 2 X crossed_sends (fun _ _ => true) (Child (Alone 0) (Alone 1)) X_bsl _
    (Permutation_refl _))). simpl. auto.
Qed.
Theorem seal_construction_needs_a_tree_of_them : ~ forall n P p closed t, BSL n P p ->
  (forall i j, i < n -> j < n -> closed i j = true -> learnt p i i j) -> Permutation (members t) (seq 0 n) ->
  proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)).
Proof.
  intro H. refine (X_unsealed _ _ (H 2 X crossed_sends (fun _ _ => false) (Child (Alone 0) (Alone 1)) X_bsl _
    (Permutation_refl _))). discriminate.
Qed.
Theorem seal_construction_needs_all_in_the_tree : ~ forall n P p closed t, BSL n P p ->
  (forall i j, i < n -> j < n -> closed i j = true -> learnt p i i j) -> tree_of_closed closed t ->
  proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)).
Proof.
  intro H. refine (X_unsealed _ _ (H 2 X crossed_sends (fun _ _ => false) (Alone 0) X_bsl _ I)).
  discriminate.
Qed.
