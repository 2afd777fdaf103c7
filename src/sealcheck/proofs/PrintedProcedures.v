(** * Deadlock-Free(P) and Seal(P), as printed

    The appendix's and section 4's pseudocode, of which these answer or construct something else than the paper says
    (app:algo, th:sealability).

    Theorems of the ledger: [deadlock_free_as_printed], [seal_as_printed]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Teaching Sealability WorstCase.
From Sealcheck Require Import Messages
  Prefix ExamplesSeals SealConstruction Decider KnowledgeDecider Certificates Checker CheckerCorrect.
Open Scope nat_scope.

(** "return exists cycle in E": of eps, which completes, that answers no. *)
Theorem deadlock_free_as_printed : ~ forall P p, acts P = Some p -> balanced p -> nofself p ->
  ((exists v, path p v v) <-> dead_free p).
Proof.
  intro H. destruct (H Eps [] eq_refl (fun _ _ => eq_refl) (fun _ F => F)) as [_ X].
  destruct (X nothing_dead_free) as (v & C).
  assert (N : forall u w, path [] u w -> exists k, u = Fd k /\ w = Ld k).
  { intros u w Q. apply clos_trans_tn1 in Q. induction Q as [w E|v' w E Q IH].
    - inversion E as [? ? ? _ L|? ? L|? ? L|k|? ? z ? Hz]; subst; try (unfold len in L; simpl in L; lia); [eauto|].
      destruct z; discriminate.
    - destruct IH as (k & -> & ->). inversion E as [? ? ? _ L|? ? L|? ? L|k'|? ? z ? Hz]; subst; try discriminate. }
  apply N in C as (k & E & F). rewrite E in F. discriminate.
Qed.

(** A spanning tree connects its members. *)
Lemma tree_connects (R : nat -> nat -> Prop) closed t : tree_of_closed closed t ->
  (forall v w, In v (members t) -> In w (members t) -> closed v w = true -> R v w /\ R w v) ->
  forall v, In v (members t) -> clos_refl_trans nat R v (root t) /\ clos_refl_trans nat R (root t) v.
Proof.
  induction t as [w|t IHt u IHu]; simpl; intros T E v I; [destruct I as [<-|[]]; split; apply rt_refl|].
  destruct T as (Tt & Tu & C). apply in_app_or in I as [I|I].
  - apply IHt; auto. intros a b A B. apply E; apply in_or_app; auto.
  - destruct (IHu Tu) with (v := v) as [Up Down]; auto; [intros a b A B; apply E; apply in_or_app; auto|].
    assert (J : R (root u) (root t) /\ R (root t) (root u)).
    { destruct C as [C|C]; [apply and_comm|]; apply E; auto; apply in_or_app; auto using root_member. }
    split; [apply rt_trans with (root u); auto; apply rt_step|apply rt_trans with (root u); auto; apply rt_step];
      apply J.
Qed.
(** "pick T s.t. (Proc, T)^ud forms a spanning tree of V": there may be none, though some program seals P.  Of three
    processes, the middle one exchanges crossing messages with the first and then with the third. *)
Theorem seal_as_printed : ~ forall n P p closed, acts P = Some p -> balanced p -> nofself p -> within n p ->
  dead_free p -> (forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j)) ->
  (exists S s, proper_seal n P p S s) -> exists t, tree_of_closed closed t /\ Permutation (members t) (seq 0 n).
Proof.
  intro H. set (open := [(0, 1); (1, 0); (1, 2); (2, 1)]). pose proof (program_of_acts both) as HP.
  assert (O : forall i j, In (i, j) open <-> ~ closes RelNS (program_of both) i j)
    by (intros i j; apply (check_open_correct 3 _ both open); auto).
  set (closed := fun i j => negb (mem (i, j) open)).
  destruct (H 3 (program_of both) both closed HP both_balanced both_nofself both_within both_dead_free) as (t & T & Pm).
  - intros i j _ _. unfold closed. rewrite negb_true_iff, <- not_true_iff_false, mem_spec, O. split; [apply NNPP|tauto].
  - apply sealability; auto using both_one_block, both_balanced, both_nofself, both_within, both_dead_free.
  - assert (M : forall v, In v (members t) <-> v < 3).
    { intro v. split; intro I; [apply (Permutation_in v Pm), in_seq in I;
      lia|apply (Permutation_in v (Permutation_sym Pm)), in_seq; lia]. }
    set (R := fun v w => v < 3 /\ w < 3 /\ (closed v w = true \/ closed w v = true)).
    assert (C : forall v, v < 3 -> clos_refl_trans nat R v (root t) /\ clos_refl_trans nat R (root t) v).
    { intros v L. apply (tree_connects R closed); auto; [|now apply M].
      intros a b A B E. apply M in A, B. unfold R. auto. }
    assert (X : clos_refl_trans nat R 1 0) by (eapply rt_trans; apply C; lia).
    assert (Stays : forall v w, clos_refl_trans nat R v w -> v = 1 -> w = 1); [|now apply Stays in X].
    induction 1 as [v w (_ & L & E)| |]; auto. intros ->.
    destruct w as [|[|[|w]]]; auto; [| |lia]; destruct E as [E|E]; discriminate.
Qed.
