(** * Procedures, as printed

    Of the appendix's and section 4's pseudocode, what answers or constructs something else than the paper says
    (app:algo, th:sealability).  What the procedures are is in Procedures.v; what they should return is what the mended
    ones do, in ProgramGraph.v and MendedProcedures.v.  One slip is Program-Graph's: its line 5 joins a send to a
    receive by the same process, so no edge leads from one process to another, and Sig, Closed-Channels and Seal go
    wrong with it.

    Theorems of the ledger: [program_graph_as_printed], [deadlock_free_as_printed], [deadlock_free_printed_graph],
    [sig_printed_graph], [closed_channels_printed_graph], [seal_as_printed], [seal_printed_graph]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Teaching Sealability WorstCase.
From Sealcheck Require Import Messages
  Prefix ExamplesSeals SealConstruction KnowledgeDecider Clocks Checker CheckerCorrect.
From Sealcheck Require Import SignaturesCompose Procedures Closure ProgramGraph MendedProcedures.
Open Scope nat_scope.

(** What is known of a program that the verified checker accepts. *)
Lemma accepted n l : (if play n [l] then true else false) = true -> within n l /\ balanced l /\ nofself l /\ dead_free l.
Proof.
  intro C. destruct (play n [l]) as [st|] eqn:P; [|discriminate]. destruct (played_one n l st P) as (W & B & N & D).
  auto using below_within.
Qed.
Lemma accepted_bsl n l : (if play n [l] then true else false) = true -> BSL n (prog_of l) l.
Proof. intro C. destruct (accepted n l C) as (W & B & N & D). constructor; auto using acts_prog_of. Qed.

(** ** Program-Graph(P), as printed *)

(** "(e, e') where e' is the k'th rcv i<-j event in P": of mt 0->1, the edge from the send to the receive is missing. *)
Theorem program_graph_as_printed : ~ forall n P l, BSL n P l -> forall u v,
  (In u (fst (Program_Graph_printed n l)) <-> graph_node n l u) /\
  (In (u, v) (snd (Program_Graph_printed n l)) <-> graph_edge n l u v).
Proof.
  intro H. pose proof (accepted_bsl 2 mt01 eq_refl) as Bsl. pose proof (bsl_within _ _ _ Bsl) as W.
  destruct (H 2 _ mt01 Bsl (Ev 0 0) (Ev 1 0)) as [_ X].
  rewrite <- (proj2 (program_graph_mended 2 mt01 W _ _)), <- !(joined_spec node_dec) in X. vm_compute in X.
  now discriminate (proj2 X).
Qed.

(** ** Deadlock-Free(P), as printed *)

(** "return exists cycle in E": of eps, which completes, that answers no. *)
Theorem deadlock_free_as_printed : ~ forall n l, within n l -> balanced l -> nofself l ->
  (Deadlock_Free (Program_Graph_mended n l) = true <-> dead_free l).
Proof.
  intro H. destruct (accepted 1 [] eq_refl) as (W & B & N & D). apply (H 1 [] W B N) in D. discriminate.
Qed.

(** And so it does on the printed graph. *)
Theorem deadlock_free_printed_graph : ~ forall n l, within n l -> balanced l -> nofself l ->
  (Deadlock_Free (Program_Graph_printed n l) = true <-> dead_free l).
Proof.
  intro H. destruct (accepted 1 [] eq_refl) as (W & B & N & D). apply (H 1 [] W B N) in D. discriminate.
Qed.

(** ** Sig(P) and Closed-Channels(P), on the printed graph *)

(** Of mt 0->1, the edge from Fd_0 to Ld_1 is missing. *)
Theorem sig_printed_graph : ~ forall n P l, BSL n P l -> forall a b,
  (In a (fst (Sig l (Program_Graph_printed n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_printed n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof.
  intro H. pose proof (accepted_bsl 2 mt01 eq_refl) as Bsl. pose proof Bsl as [_ _ _ W D].
  destruct (H 2 _ mt01 Bsl (NFd 0) (NLd 1)) as [_ X].
  rewrite <- (proj2 (sig_mended 2 mt01 W D _ _)), <- !(joined_spec name_dec) in X. vm_compute in X.
  now discriminate (proj2 X).
Qed.

(** Of mt 0->1; mt 1->0, which closes 0->1, nothing is returned. *)
Definition there_and_back := transmissions [(0, 1); (1, 0)].

Theorem closed_channels_printed_graph : ~ forall n P l, BSL n P l ->
  let C := Closed_Channels n (Sig l (Program_Graph_printed n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intro H. pose proof (accepted_bsl 2 there_and_back eq_refl) as Bsl.
  destruct (H 2 _ _ Bsl) as [_ X]. specialize (X 0 1).
  destruct (closed_channels_mended 2 _ _ Bsl) as [_ Y]. rewrite <- Y, <- !(joined_spec Nat.eq_dec) in X.
  vm_compute in X. now discriminate (proj2 X).
Qed.

(** ** Seal(P), as printed *)

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
Theorem seal_as_printed : ~ forall n P p closed, BSL n P p ->
  (forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j)) ->
  (exists S s, proper_seal n P p S s) -> exists t, tree_of_closed closed t /\ Permutation (members t) (seq 0 n).
Proof.
  intro H. set (open := [(0, 1); (1, 0); (1, 2); (2, 1)]).
  assert (O : forall i j, In (i, j) open <-> ~ closes RelNS Both i j)
    by (intros i j; apply (find_open_correct 3 _ all_four open); [apply both_bsl|reflexivity]).
  set (closed := fun i j => negb (mem (i, j) open)).
  destruct (H 3 Both all_four closed both_bsl) as (t & T & Pm).
  - intros i j _ _. unfold closed. rewrite negb_true_iff, <- not_true_iff_false, mem_spec, O. split; [apply NNPP|tauto].
  - apply (sealability 3 Both all_four both_bsl); auto using both_one_block.
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

(** On the printed Program-Graph there may be none for lack of edges: mt 0->1 seals [there_and_back], whose closed
    channel 0->1 connects both processes, but is not returned. *)
Theorem seal_printed_graph : ~ forall n P p, BSL n P p ->
  (exists S s, proper_seal n P p S s) ->
  let C := snd (Closed_Channels n (Sig p (Program_Graph_printed n p))) in
  exists t, tree_of_closed (fun i j => has_edge Nat.eq_dec i j C) t /\ Permutation (members t) (seq 0 n).
Proof.
  intro H. pose proof (accepted_bsl 2 there_and_back eq_refl) as Bsl.
  destruct (accepted 2 mt01 eq_refl) as (Ws & Bs & _ & _).
  destruct (accepted 2 (there_and_back ++ mt01) eq_refl) as (_ & _ & Nt & Dt).
  pose proof (acts_prog_of there_and_back) as A. pose proof (acts_prog_of mt01) as As.
  destruct (H 2 _ _ Bsl) as (t & T & M).
  - exists (prog_of mt01), mt01. repeat split; auto. now apply (decide_correct 2 _ _ _ _ true A As).
  - destruct t as [v|t u]; [now apply Permutation_length in M|].
    destruct T as (_ & _ & [T|T]); vm_compute in T; discriminate.
Qed.
