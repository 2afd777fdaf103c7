(** * Is-Seal(P, Q)

    "V_P, E_Q <- sig (P); V_Q, E_Q <- sig (Q); for (i, j) in Proc^2 \ Id s.t. rcv j<-i in V_P ..." (app:algo), line by
    line: whether Q properly seals P.  A seal is proper here, because cuts are finite.

    Line 1 assigns the edges of sig (P) to E_Q, which line 2 overwrites; line 7 then reads an E_P to which nothing was
    assigned.  With E_P in line 1, line 7 still looks for an edge to snd i->j, whatever e line 4 has found.  With e
    there, too, the answer is right.

    Theorems of the ledger: [is_seal_as_printed], [is_seal_with_line_1_mended], [is_seal_on_the_printed_graph],
    [is_seal_repaired]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing NoBarrier Teaching Transmissions.
From Sealcheck Require Import Prefix SignaturesCompose Procedures Closure MendedProcedures SignatureLists.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

(** ** The lines *)

Section Lines.
Variables (n : nat) (V_P V_Q : list name).
(** [None]: nothing was assigned to it.  [asked snd e]: what line 7 looks for. *)
Variables (E_P : option (list (name * name))) (E_Q : list (name * name)) (asked : name -> name -> name).

(** Line 4: "e <- snd i->j if snd i->j in V_Q, Ld_i otherwise". *)
Definition Is_Seal_line_4 (i j : proc) : name := if has name_dec (NSnd i j) V_Q then NSnd i j else NLd i.

(** Line 7: "safe <- safe or ((rcv j<-i, Ld_k) in E_P and (Fd_k, snd i->j) in E_Q)".  It stops at a name to which
    nothing was assigned. *)
Definition Is_Seal_line_7 (i j k : proc) (safe : bool) : option bool :=
  match E_P with
  | Some E_P => Some (safe || (has_edge name_dec (NRcv j i) (NLd k) E_P &&
                               has_edge name_dec (NFd k) (asked (NSnd i j) (Is_Seal_line_4 i j)) E_Q))
  | None => None
  end.

(** Line 6: "for k in Proc \ {i}". *)
Fixpoint Is_Seal_line_6 (i j : proc) (ks : list proc) (safe : bool) : option bool :=
  match ks with
  | [] => Some safe
  | k :: ks => match Is_Seal_line_7 i j k safe with Some safe => Is_Seal_line_6 i j ks safe | None => None end
  end.
Definition all_but (i : proc) : list proc := filter (fun k => negb (k =? i)) (seq 0 n).

(** Lines 5, 8 and 9: "safe <- false", "if not safe then return false"; line 10: "return true". *)
Fixpoint lines_3_to_10 (channels : list (proc * proc)) : option bool :=
  match channels with
  | [] => Some true
  | (i, j) :: rest =>
      match Is_Seal_line_6 i j (all_but i) false with
      | Some true => lines_3_to_10 rest
      | stopped_or_false => stopped_or_false
      end
  end.

(** Line 3: "for (i, j) in Proc^2 \ Id s.t. rcv j<-i in V_P". *)
Definition received_in_P : list (proc * proc) :=
  filter (fun '(i, j) => negb (i =? j) && has name_dec (NRcv j i) V_P) (list_prod (seq 0 n) (seq 0 n)).
Definition from_line_3 : option bool := lines_3_to_10 received_in_P.
End Lines.

(** As printed, given sig (P) and sig (Q): line 1, "V_P, E_Q <- sig (P)", and line 2, "V_Q, E_Q <- sig (Q)", which
    overwrites E_Q.  Nothing is assigned to E_P.  [None]: it stops without an answer. *)
Definition Is_Seal_printed (n : nat) (P Q : graph name) : option bool :=
  let '(V_P, E_Q) := P in
  let '(V_Q, E_Q) := Q in
  from_line_3 n V_P V_Q None E_Q (fun send e => send).

(** With E_P in line 1. *)
Definition Is_Seal_line_1_mended (n : nat) (P Q : graph name) : option bool :=
  let '(V_P, E_P) := P in
  let '(V_Q, E_Q) := Q in
  from_line_3 n V_P V_Q (Some E_P) E_Q (fun send e => send).

(** With e in line 7, too. *)
Definition Is_Seal_mended (n : nat) (P Q : graph name) : option bool :=
  let '(V_P, E_P) := P in
  let '(V_Q, E_Q) := Q in
  from_line_3 n V_P V_Q (Some E_P) E_Q (fun send e => e).

(** ** What the lines answer *)

Section Answer.
Variables (n : nat) (V_P V_Q : list name) (E_P E_Q : list (name * name)) (asked : name -> name -> name).
Let told i j k := has_edge name_dec (NRcv j i) (NLd k) E_P &&
                  has_edge name_dec (NFd k) (asked (NSnd i j) (Is_Seal_line_4 V_Q i j)) E_Q.

Lemma line_6_answer i j ks safe :
  Is_Seal_line_6 V_Q (Some E_P) E_Q asked i j ks safe = Some (safe || existsb (told i j) ks).
Proof.
  revert safe. induction ks as [|k ks IH]; intro safe; simpl; [now rewrite orb_false_r|].
  rewrite IH. unfold told. now rewrite orb_assoc.
Qed.
Lemma lines_3_to_10_answer cs : lines_3_to_10 n V_Q (Some E_P) E_Q asked cs =
  Some (forallb (fun '(i, j) => existsb (told i j) (all_but n i)) cs).
Proof.
  induction cs as [|[i j] cs IH]; simpl; auto. rewrite line_6_answer, IH. simpl. now destruct (existsb _ _).
Qed.

Lemma answer : exists b, from_line_3 n V_P V_Q (Some E_P) E_Q asked = Some b /\
  (b = true <-> forall i j, i < n -> j < n -> i <> j -> In (NRcv j i) V_P -> exists k, k < n /\ k <> i /\
    In (NRcv j i, NLd k) E_P /\ In (NFd k, asked (NSnd i j) (Is_Seal_line_4 V_Q i j)) E_Q).
Proof.
  unfold from_line_3. rewrite lines_3_to_10_answer. eexists. split; [reflexivity|].
  assert (T : forall i j, existsb (told i j) (all_but n i) = true <-> exists k, k < n /\ k <> i /\
    In (NRcv j i, NLd k) E_P /\ In (NFd k, asked (NSnd i j) (Is_Seal_line_4 V_Q i j)) E_Q).
  { intros i j. rewrite existsb_exists. unfold told, all_but. split.
    - intros (k & I & H). apply filter_In in I as [I N]. apply andb_true_iff in H as [H1 H2].
      apply joined_spec in H1, H2. apply in_seq in I. apply negb_true_iff, Nat.eqb_neq in N. exists k.
      repeat split; auto; lia.
    - intros (k & L & N & H1 & H2). exists k. rewrite filter_In, in_seq, negb_true_iff, Nat.eqb_neq, andb_true_iff.
      rewrite !joined_spec. repeat split; auto; lia. }
  rewrite forallb_forall. unfold received_in_P. split.
  - intros H i j Li Lj N I. apply T, (H (i, j)). apply filter_In. split; [apply in_prod; apply in_seq; lia|].
    apply andb_true_iff. split; [now apply negb_true_iff, Nat.eqb_neq|now apply has_spec].
  - intros H [i j] I. apply filter_In in I as [I E]. apply in_prod_iff in I as [Ii Ij]. apply in_seq in Ii, Ij.
    apply andb_true_iff in E as [N R]. apply negb_true_iff, Nat.eqb_neq in N. apply has_spec in R.
    apply T, H; auto; lia.
Qed.
End Answer.

(** ** Of signatures, mended, it answers what th:decide.sealing asks *)

Lemma send_kept_leads q i j k : (forall x, sig_snd q i j x -> path q (Fd k) (Ev i x)) ->
  (exists x, sig_snd q i j x) -> sig_edge q (NFd k) (NSnd i j).
Proof. intros H [x S]. exists (Fd k), (Ev i x). repeat split; auto. exists x. split; auto. apply S. Qed.

Lemma answers_signatures n p q P Q : within n p -> is_signature n p P -> is_signature n q Q ->
  exists b, Is_Seal_mended n P Q = Some b /\ (b = true <-> signatures_seal p q).
Proof.
  intros W SP SQ. destruct P as [V_P E_P], Q as [V_Q E_Q]. simpl.
  destruct (answer n V_P V_Q E_P E_Q (fun _ e => e)) as (b & E & A). exists b. split; auto. rewrite A. clear b E A.
  assert (Rcv : forall i j k, In (NRcv j i, NLd k) E_P <->
    k < n /\ exists y, sig_rcv p j i y /\ path p (Ev j y) (Ld k)).
  { intros i j k. rewrite (its_edges n p _ SP (NRcv j i) (NLd k)). simpl. split.
    - intros ((y & R) & L & _ & u & v & (z & -> & Z) & -> & T). split; auto. exists y. split; auto.
      destruct R as [Y _], Y as [Y1 Y2], Z as [Z1 Z2]. specialize (Y2 z Z1). specialize (Z2 y Y1).
      now replace y with z by lia.
    - intros (L & y & R & T). repeat split; eauto; [discriminate|]. exists (Ev j y), (Ld k). repeat split; auto.
      exists y. split; auto. apply R. }
  assert (Ask : forall i j k, i < n -> k < n -> k <> i -> (In (NFd k, Is_Seal_line_4 V_Q i j) E_Q <->
    path q (Fd k) (Ld i) /\ forall x, sig_snd q i j x -> path q (Fd k) (Ev i x))).
  { intros i j k Li Lk N. unfold Is_Seal_line_4. destruct (has name_dec (NSnd i j) V_Q) eqn:Has.
    - apply has_spec, (its_nodes n q _ SQ) in Has. rewrite (its_edges n q _ SQ). split.
      + intros (_ & _ & _ & u & v & -> & (x & -> & X) & T). split.
        * eapply t_trans; [exact T|]. apply t_step, E_last. destruct X as [X _]. now apply labs_lt in X.
        * intros y [[Y1 Y2] _]. destruct X as [X1 X2]. specialize (Y2 x X1). specialize (X2 y Y1).
          now replace y with x by lia.
      + intros [_ T]. repeat split; auto; [discriminate|]. now apply send_kept_leads.
    - assert (None : ~ kept_name n q (NSnd i j)).
      { intro K. apply (its_nodes n q _ SQ), (has_spec name_dec) in K. simpl in K. congruence. }
      rewrite (its_edges n q _ SQ). split.
      + intros (_ & _ & _ & u & v & -> & -> & T). split; auto. intros x S. destruct None. now exists x.
      + intros [T _]. repeat split; auto; [congruence|]. exists (Fd k), (Ld i). repeat split; auto. }
  assert (Nodes : forall i j y, sig_rcv p j i y -> i < n /\ j < n /\ i <> j /\ In (NRcv j i) V_P).
  { intros i j y S. pose proof S as [[H _] T]. apply (SignatureSize.named_below n) in H as L; auto.
    repeat split; try apply L; [|apply (its_nodes n p _ SP); now exists y].
    intros ->. apply T, t_step, E_last. now apply labs_lt in H. }
  split.
  - intros H i j y S. destruct (Nodes i j y S) as (Li & Lj & N & I).
    destruct (H i j Li Lj N I) as (k & Lk & Nk & R & A). apply Rcv in R as (_ & z & S' & T). apply Ask in A; auto.
    exists k. split; auto. destruct S as [[Y1 Y2] _], S' as [[Z1 Z2] _]. specialize (Y2 z Z1). specialize (Z2 y Y1).
    now replace y with z by lia.
  - intros H i j Li Lj N I. apply (its_nodes n p _ SP) in I as K. destruct K as (y & S).
    destruct (H i j y S) as (k & T & A). pose proof (path_owner n p _ _ W T) as O. simpl in O.
    assert (Lk : k < n) by lia. assert (Nk : k <> i) by (intros ->; now apply S).
    exists k. repeat split; auto; [apply Rcv; eauto|]. now apply Ask.
Qed.

(** ** What Sig returns on the mended Program-Graph are signatures *)

Lemma stands_for_kept n l a u : stands_for n l a u <-> kept_name n l a /\ named l a u.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [tauto|tauto| |]; split.
  - intros (x & -> & S). split; [now exists x|]. exists x. split; auto. apply S.
  - intros [(x & S) (y & -> & F)]. exists x. split; auto. f_equal. destruct S as [[S M] _], F as [F M'].
    specialize (M y F). specialize (M' x S). lia.
  - intros (x & -> & S). split; [now exists x|]. exists x. split; auto. apply S.
  - intros [(x & S) (y & -> & F)]. exists x. split; auto. f_equal. destruct S as [[S M] _], F as [F M'].
    specialize (M y F). specialize (M' x S). lia.
Qed.
Lemma sig_is_signature n l : within n l -> dead_free l -> is_signature n l (Sig l (Program_Graph_mended n l)).
Proof.
  intros W D. split.
  - intro a. rewrite (proj1 (sig_mended n l W D a a)). split.
    + intros (u & S). now apply stands_for_kept in S.
    + intro K. destruct (kept_named n l a K) as (u & N). exists u. now apply stands_for_kept.
  - intros a b. rewrite (proj2 (sig_mended n l W D a b)). split.
    + intros (u & v & Su & Sv & P). apply stands_for_kept in Su as [Ka Nu], Sv as [Kb Nv]. repeat split; auto.
      * intros <-. rewrite (named_once l a u v Nu Nv) in P. now apply (dead_free_acyclic l D v).
      * exists u, v. auto.
    + intros (Ka & Kb & _ & u & v & Nu & Nv & P). exists u, v. rewrite !stands_for_kept. tauto.
Qed.

(** The layers of what does not deadlock do not, either. *)
Lemma dead_free_first p q : balanced p -> dead_free (p ++ q) -> dead_free p.
Proof. intros B D e C. apply (D e). now apply fifo_mono. Qed.
Lemma dead_free_second p q : balanced p -> balanced q -> dead_free (p ++ q) -> dead_free q.
Proof.
  intros Bp Bq D e C. apply cycle_path in C as (i & x & j & _ & C); auto.
  apply (dead_free_acyclic _ D (place_second p (Ev i x))). now apply lift_second_path.
Qed.

(** Two balanced layers make a BSL exactly if each is one. *)
Lemma bsl_layers n P Q p q : acts P = Some p -> acts Q = Some q -> balanced p -> balanced q ->
  (BSL n (Lay P Q) (p ++ q) <-> BSL n P p /\ BSL n Q q).
Proof.
  intros HP HQ Bp Bq. split.
  - intros [_ _ N W D]. apply nofself_app in N as [Np Nq]. apply within_app in W as [Wp Wq].
    split; constructor; auto; [now apply (dead_free_first p q)|now apply (dead_free_second p q)].
  - intros [[_ _ Np Wp Dp] [_ _ Nq Wq Dq]].
    constructor; [now apply lay_straight|now apply balanced_app|now apply nofself_app|now apply within_app|].
    now apply dead_free_app.
Qed.

Lemma answers_program n p q : balanced p -> balanced q -> within n p -> within n q -> dead_free (p ++ q) ->
  exists b, Is_Seal_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> signatures_seal p q).
Proof.
  intros Bp Bq Wp Wq D. apply answers_signatures; auto; apply sig_is_signature; auto;
    [now apply (dead_free_first p q)|now apply (dead_free_second p q)].
Qed.

(** _Mended, it answers whether Q seals P_. *)
Theorem is_seal_repaired : forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof.
  intros n P Q p q [AP Bp Np Wp Dp] [AQ Bq Nq Wq Dq]. pose proof (dead_free_app p q Bp Bq Dp Dq) as D.
  destruct (answers_program n p q) as (b & E & A); auto. exists b. split; auto.
  rewrite A, (decide_sealing P Q p q); auto; [reflexivity|now apply nofself_app].
Qed.

(** With self-channels, in all runs of Rel: the same. *)
Theorem is_seal_repaired_self : forall n P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> within n p -> within n q -> dead_free (p ++ q) ->
  exists b, Is_Seal_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals Rel Q P).
Proof.
  intros n P Q p q AP AQ Bp Bq Wp Wq D. destruct (answers_program n p q) as (b & E & A); auto.
  exists b. split; auto. now rewrite A, (decide_sealing_self P Q p q).
Qed.

(** ** As printed *)

(** It stops without an answer, on [mt 0->1] and eps: P leaves a channel open, so that line 7 reads E_P. *)
Theorem is_seal_as_printed : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_printed n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof.
  intro H. destruct (H 2 (mt 0 1 zero) Eps (mt_actions 0 1) []) as (b & E & _);
    [apply message_bsl; lia|apply eps_bsl|vm_compute in E; discriminate].
Qed.

(** So it does on the printed Program-Graph. *)
Theorem is_seal_on_the_printed_graph : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_printed n (Sig p (Program_Graph_printed n p)) (Sig q (Program_Graph_printed n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof.
  intro H. destruct (H 2 (mt 0 1 zero) Eps (mt_actions 0 1) []) as (b & E & _);
    [apply message_bsl; lia|apply eps_bsl|vm_compute in E; discriminate].
Qed.

(** With E_P in line 1, it denies that [mt 1->0] seals [mt 0->1], the paper's first example of a seal. *)
Theorem is_seal_with_line_1_mended : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_line_1_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof.
  intro H. destruct (H 2 (mt 0 1 zero) (mt 1 0 zero) (mt_actions 0 1) (mt_actions 1 0)) as (b & E & A);
    try apply message_bsl; try lia. vm_compute in E. injection E as <-.
  specialize (proj2 A (fun r c d R => mt_seals_ack 0 1 zero zero r c d (proj1 R))). discriminate.
Qed.
