(** * What the theorems say of balanced straight-line programs

    Short consequences, said as the paper says them of a BSL: a straight-line program ([acts P = Some p]) that is
    balanced, does not deadlock, and in which no process sends to itself.

    Theorems of the ledger: [tcc_impossibility_bsl], [seal_algebra_6_bsl], [definitions_agree_channels],
    [definitions_agree_balanced], [no_barrier_bsl], [seal_size]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality DecideSealing.
From Sealcheck Require Import ClosedChannels TccImpossibility NoBarrier NoBarrierWholeLanguage BalancedNecessary.
From Sealcheck Require Import SealAlgebra Knowledge Messages Teaching Sealability WorstCase Unbalanced.
Open Scope nat_scope.

(** ** TCC *)

(** _A BSL that sends a message is not TCC in Rel_, and it need not be balanced. *)
Theorem tcc_impossibility_bsl : forall P p, acts P = Some p -> nofself p -> dead_free p ->
  (exists i j, In (Snd j) (labs i p)) -> ~ TCC RelNS P.
Proof.
  intros P p HP N D (i & j & I). apply In_nth_error in I as [x Hx].
  destruct (straight_line_occurs P p HP N D) as (r & R & _ & O & St).
  destruct (stand_lab r _ _ i x (Snd j) St Hx) as [L Lx].
  apply (tcc_impossibility_nochop P r (fun _ => 0) (len p)); eauto using straight_nochop.
  - intros e a b _. unfold inside. split; lia.
  - exists (i, x). split; [split; unfold inside; simpl; lia|]. exists i, j. left. split; auto.
Qed.

(** It is TCC exactly if the empty program seals it. *)
Lemma sealed_by_eps G P : Seals G Eps P <-> TCC G P.
Proof.
  rewrite tcc_iff, seals_iff. split; intros H r c d g S O.
  - destruct (H r c d g S) as (m & _ & Sm & E); [apply lay_iff; exists d; split; [auto|apply O_eps, ceq_refl]|].
    inversion E; subst. eapply silent_ceq; eauto.
  - apply lay_iff in O as (m & O1 & O2). exists m. eauto.
Qed.

(** _"P is TCC in Rel iff all programs seal P", of BSLs_; those that seal may not deadlock after P.  Of P, which need
    not be balanced, nothing is asked: if it deadlocks, it never occurs, and is TCC. *)
Theorem seal_algebra_6_bsl : forall P p, acts P = Some p ->
  (TCC RelNS P <-> forall S s, acts S = Some s -> balanced s -> nofself s -> dead_free (p ++ s) -> Seals RelNS S P).
Proof.
  intros P p HP. split; [intros T S s _ _ _ _; now apply seal_algebra_6|]. intro H.
  destruct (classic (dead_free p)) as [D|D].
  - apply sealed_by_eps. apply (H Eps []); auto.
    + intros i j. reflexivity.
    + intros i [].
    + now rewrite app_nil_r.
  - apply tcc_iff. intros r c d [[[M _] _] _] S O. destruct D. eapply occurs_dead_free; eauto.
Qed.

(** ** Closed channels *)

(** _A BSL closes exactly the channels that its signature does not leave open, and is TCC in Rel exactly if that is all
    of them_. *)
Theorem definitions_agree_channels : forall P p, acts P = Some p -> balanced p -> nofself p -> dead_free p ->
  (forall i j, closes RelNS P i j <-> ~ exists y, sig_rcv p j i y) /\
  (TCC RelNS P <-> forall i j, closes RelNS P i j).
Proof.
  intros P p HP B N D.
  assert (C : forall i j, closes RelNS P i j <-> ~ exists y, sig_rcv p j i y).
  { intros i j. rewrite <- (closed_channels P p i j HP B D N). split; [auto|apply NNPP]. }
  split; [exact C|]. rewrite <- sealed_by_eps, (decide_sealing P Eps p []); rewrite ?app_nil_r; auto;
    [|intros i j; reflexivity]. split.
  - intros H i j. apply C. intros (y & Y). destruct (H i j y Y) as (k & K & E & _). apply path_nil in E.
    injection E as ->. now destruct Y.
  - intros H i j y Y. exfalso. apply (proj1 (C i j) (H i j)). eauto.
Qed.

(** ** Balance *)

(** _A straight-line program that can complete is balanced exactly if it has as many sends as receives on every
    channel_. *)
Theorem definitions_agree_balanced : forall P p, acts P = Some p ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c P d) -> (Balanced RelNS P <-> balanced p).
Proof.
  intros P p HP (r0 & c0 & d0 & R0 & E0 & O0).
  assert (X : forall r c d i j, RelNS r -> all_empty r c -> occurs r c P d ->
    (nsnd r i j 0 (d i) = nrcv r j i 0 (d j) <->
     length (filter (sndb j) (labs i p)) = length (filter (rcvb i) (labs j p)))).
  { intros r c d i j [[W _] _] E O. pose proof (empty_counts r c i j W E) as Y.
    pose proof (occurs_follows r P p HP _ _ O) as F. destruct (F i) as [Fi Mi], (F j) as [Fj Mj].
    unfold nsnd, nrcv in *. rewrite !Nat.sub_0_r in *. rewrite Fi, Fj, !seq_app, !filter_app, !app_length.
    simpl. rewrite Mi, Mj, <- (count_map (sndb j) (lab r i)), <- (count_map (rcvb i) (lab r j)). lia. }
  split.
  - intros B i j. apply (X r0 c0 d0); auto. exact (B r0 c0 d0 R0 E0 O0 i j).
  - intros B r c d R E O i j. apply (X r c d); auto.
Qed.

(** ** Barriers *)

(** A barrier for programs of the processes below [n] only. *)
Definition barrier_among (n : nat) (G : run -> Prop) (b : prog) := forall p q, below n p -> below n q ->
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).

(** What does not deadlock is none, balanced or not. *)
Lemma no_barrier_dead_free n B b : 2 <= n -> acts B = Some b -> nofself b -> dead_free b -> ~ barrier_among n RelNS B.
Proof.
  intros Two HB N D Bar. apply (no_barrier_between B b 0 1); auto.
  - destruct (straight_line_occurs B b HB N D) as (r & R & _ & O & _). exists r, (fun _ => 0), (len b).
    split; [auto|split; auto]. intros e a c _. unfold inside. split; lia.
  - apply apart_tcc, Bar; exact I.
  - apply apart_seals, Bar; simpl; lia.
Qed.

Lemma supplying_below n b : within n b -> below n (straight_line_of (supplies b)).
Proof.
  intro W. unfold supplies. assert (I : incl (flat_map received_message b) (flat_map received_message b))
    by apply incl_refl.
  revert I. generalize (flat_map received_message b) at 1 3. induction l as [|[i j] ms IH]; intro I; [exact Logic.I|].
  split; [|apply IH; intros m Im; apply I; now right].
  specialize (I (i, j) (or_introl eq_refl)). apply in_flat_map in I as (a & Ia & R). destruct a; simpl in R;
    try contradiction. destruct R as [R|[]]. injection R as <- <-. specialize (W _ Ia). simpl in *. tauto.
Qed.

(** _No BSL of two processes or more is a barrier in Rel_, whether it deadlocks or not: if it does, a program that sends
    all that it waits for helps it over that, and is not kept apart from it.  It need not even be balanced. *)
Theorem no_barrier_bsl : forall n B b, 2 <= n -> acts B = Some b -> within n b -> nofself b ->
  (forall i, ~ In (Rcv i) (labs i b)) -> ~ barrier_among n RelNS B.
Proof.
  intros n B b Two HB W N NR Bar. destruct (classic (dead_free b)) as [D|D].
  { exact (no_barrier_dead_free n B b Two HB N D Bar). }
  apply D. set (P := straight_line_of (supplies b)). pose proof (acts_straight_line_of (supplies b)) as HP.
  destruct (straight_line_occurs (Lay P B) (supplies b ++ b)) as (r & R & _ & O & _);
    auto using lay_straight, supplies_first_nofself, supplies_first_dead_free.
  assert (Se : Seals RelNS B P) by (apply apart_seals, Bar; [now apply supplying_below|exact I]).
  rewrite seals_iff in Se. destruct (Se r (fun _ => 0) (len (supplies b ++ b)) R) as (m & _ & Sm & OB); [|exact O|].
  - intros e i j _. unfold inside. split; lia.
  - destruct R as [[[M _] _] _]. eapply occurs_dead_free; eauto.
Qed.

(** ** Seals *)

(** _A BSL that can be sealed properly can be sealed by one that transmits fewer than 3n messages_. *)
Theorem seal_size : forall n P p, 1 <= n -> acts P = Some p ->
  (exists S s, proper_seal n P p S s) -> exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intros n P p One HP H. destruct (worst_case_seal_sufficient n P p HP H) as (S & s & Pr & M). exists S, s.
  split; [auto|lia].
Qed.
