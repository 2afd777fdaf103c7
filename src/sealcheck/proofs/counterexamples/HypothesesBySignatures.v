(** * Hypotheses of what Is-Seal answers that are needed

    Each theorem here says that [definitions_agree_seals] fails without one of its hypotheses.  docs/proofs.md has a
    table of all. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine ClosedChannels DecideSealing NoBarrier.
From Sealcheck Require Import ExamplesRuns Refutations Prefix Teaching Bsl Transmissions Hypotheses HypothesesGraph.
From Sealcheck Require Import SignaturesCompose SealsBySignatures.
Open Scope nat_scope.

(** Without one of them that has to do with neither P alone nor n, th:decide.sealing would hold without it, too. *)
Lemma within_some p : exists n, within n p.
Proof.
  induction p as [|a p [n W]]; [exists 0; intros a []|].
  exists (n + S (match a with ASend i j | ARecv j i => i + j | AInt _ => 0 end)). intros b [<-|I].
  - destruct a; simpl; auto; lia.
  - specialize (W b I). destruct b; auto; lia.
Qed.
Lemma of_signatures P Q p q : balanced p -> nofself p ->
  (forall n gp gq, within n (p ++ q) -> is_signature_within n p gp -> is_signature_within n q gq ->
    (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true)) ->
  (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intros B N H. destruct (within_some (p ++ q)) as [n W].
  destruct (signature_within_exists n p) as [gp Sp], (signature_within_exists n q) as [gq Sq].
  assert (E : fst (is_seal n gp gq) = true <-> signatures_seal p q)
    by (apply is_seal_spec; auto; intros a I; apply W, in_or_app; auto).
  rewrite <- E. now apply H.
Qed.
Lemma left_nofself p q : nofself (p ++ q) -> nofself p.
Proof. intros N i I. apply (N i). rewrite labs_app. apply in_or_app. auto. Qed.

Theorem definitions_agree_seals_needs_a_balanced_seal : ~ forall n P Q p q gp gq, acts P = Some p ->
  acts Q = Some q -> balanced p -> nofself (p ++ q) -> dead_free (p ++ q) -> within n (p ++ q) ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intro H. apply decide_sealing_needs_a_balanced_seal. intros P Q p q HP HQ B N D.
  apply of_signatures; eauto using left_nofself.
Qed.
Theorem definitions_agree_seals_needs_deadlock_freedom : ~ forall n P Q p q gp gq, acts P = Some p ->
  acts Q = Some q -> balanced p -> balanced q -> nofself (p ++ q) -> within n (p ++ q) ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intro H. apply decide_sealing_needs_deadlock_freedom. intros P Q p q HP HQ B B' N.
  apply of_signatures; eauto using left_nofself.
Qed.

(** With too few processes, no receive is looked at: nothing would seal [mt 1->2]. *)
Lemma no_seal_of_none gp gq : fst (is_seal 0 gp gq) = true.
Proof. reflexivity. Qed.
Theorem definitions_agree_seals_needs_within : ~ forall n P Q p q gp gq, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) -> is_signature_within n p gp ->
    is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intro H. destruct (signature_within_exists 0 (NoBarrier.mt_actions 1 2)) as [gp Sp], (signature_within_exists 0 [])
    as [gq Sq].
  assert (D : dead_free (NoBarrier.mt_actions 1 2)) by exact mt_dead_free.
  assert (N : nofself (NoBarrier.mt_actions 1 2)) by now apply message_nofself.
  destruct (H 0 (mt 1 2 zero) Eps (NoBarrier.mt_actions 1 2) [] gp gq) as [_ X]; rewrite ?app_nil_r;
    auto using message_balanced; [intros i j; reflexivity|].
  apply (tcc_impossibility_bsl (mt 1 2 zero) (NoBarrier.mt_actions 1 2) eq_refl N D); [exists 1, 2; simpl; auto|].
  apply sealed_by_eps, X, no_seal_of_none.
Qed.

(** Where P only sends, nothing is looked at, either; but something later may receive that. *)
Lemma no_receive_sealed n p gp gq : is_signature_within n p gp -> (forall i j, ~ In (Rcv i) (labs j p)) ->
  fst (is_seal n gp gq) = true.
Proof.
  intros Sp No. apply is_seal_answers. intros i j _ _ _ I. exfalso.
  apply (nodes_within n p gp Sp) in I as [_ (u & y & _ & [[R _] _])]. apply nth_error_In in R. now apply No in R.
Qed.
Theorem definitions_agree_seals_needs_balance : ~ forall n P Q p q gp gq, acts P = Some p -> acts Q = Some q ->
  balanced q -> nofself (p ++ q) -> dead_free (p ++ q) -> within n (p ++ q) ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intro H. destruct (signature_within_exists 3 [ASend 1 2]) as [gp Sp], (signature_within_exists 3 []) as [gq Sq].
  assert (N : nofself [ASend 1 2]) by (intros [|[|k]] I; simpl in I; intuition congruence).
  destruct (H 3 (Send 1 2 zero) Eps [ASend 1 2] [] gp gq) as [_ X]; rewrite ?app_nil_r; auto using one_send_dead_free.
  - intros i j. reflexivity.
  - intros a [<-|[]]. simpl. lia.
  - apply (tcc_impossibility_bsl (Send 1 2 zero) [ASend 1 2] eq_refl N one_send_dead_free);
      [exists 1, 2; simpl; auto|].
    apply sealed_by_eps, X. apply (no_receive_sealed 3 [ASend 1 2] gp gq Sp).
    intros i [|[|j]] I; simpl in I; intuition congruence.
Qed.

(** What sends to itself never occurs where no run has such messages, so anything seals it. *)
Theorem definitions_agree_seals_needs_no_self_channels : ~ forall n P Q p q gp gq, acts P = Some p ->
  acts Q = Some q -> balanced p -> balanced q -> dead_free (p ++ q) -> within n (p ++ q) ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intro H. destruct (signature_within_exists 4 with_own_message) as [gp Sp], (signature_within_exists 4 []) as [gq Sq].
  destruct (H 4 Own Eps with_own_message [] gp gq) as [X _]; rewrite ?app_nil_r; auto using own_balanced, own_dead_free.
  - intros i j. reflexivity.
  - intros a [<-|[<-|[<-|[<-|[]]]]]; simpl; lia.
  - specialize (X (never_sealed _ own_never Eps)). rewrite is_seal_answers in X.
    destruct (X 2 3) as (k & _ & N & _ & T); auto.
    + apply (nodes_within 4 with_own_message gp Sp). split; [simpl; lia|]. exists (Ev 3 0), 0. split;
      [reflexivity|exact own_received].
    + apply (edges_within 4 [] gq Sq) in T as (_ & _ & u & v & -> & V & P). apply path_nil in P. subst v.
      unfold target in V. destruct (has_name gq (NSnd 2 3)); [destruct V as (x & V & _)|]; simpl in V; congruence.
Qed.
