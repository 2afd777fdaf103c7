(** * l:non-sealed fails for seals that look at data

    "If Agt = {1,2} then the program X = snd 1->2 . snd 2->1 . rcv 1<-2 . rcv 2<-1 cannot be sealed properly in Rel."

    Its proof says of a send of the seal that it "can interact with X".  It can; but a guard of the seal may notice that
    from the values received, and then the seal does not occur: "deadlocking executions are not represented by
    runs".  Here X sends p and q, and the seal p + 1 and q + 1; afterwards it requires that the former were received
    before the latter.  It does so whatever the contents p and q are: the paper's are x + 1 and y + 1.  This seal has no
    silent cut, it terminates, and it does occur after X.  So in the lemma, and in th:sealability, seals must not have
    guards (see [SealabilityPlain]).  The same seal refutes two other sentences of the paper that are about any seal.

    The processes 1 and 2 of the paper are 0 and 1.

    Theorems of the ledger: [guards_seal_X], [guarded_seal_completes], [seal_size_as_printed_fails],
    [figure_P_prime_as_printed_fails]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality ClosedChannels.
From Sealcheck Require Import Knowledge Messages Prefix Teaching Sealability WorstCase SealabilityPlain.
From Sealcheck Require Import TccImpossibility.
Open Scope nat_scope.

(** The value of the event before the last [k] ones. *)
Definition back (k : nat) : expr := fun h => snd (nth k (rev h) (Int, 0%Z)).

(** X, whatever it sends: the paper's sends x + 1 and y + 1. *)
Definition X_of (e f : expr) : prog := Lay (Send 0 1 e) (Lay (Send 1 0 f) (Lay (Recv 1 0) (Recv 0 1))).
Definition X : prog := X_of (const 0%Z) (const 0%Z).
Definition crossed_sends := crossing [(0, 1); (1, 0)].

Definition one_more (k : nat) : expr := fun h => (back k h + 1)%Z.
Definition in_turn : formula :=
  And (And (Equal 0 (back 2) 1 (back 3)) (Equal 0 (back 0) 1 (back 0)))
      (And (Equal 1 (back 2) 0 (back 3)) (Equal 1 (back 1) 0 (back 1))).
Definition S1 : prog := Lay (mt 0 1 (one_more 1)) (Lay (mt 1 0 (one_more 2)) (Guard in_turn)).

Lemma back_past r i n k : k < n -> back k (past r i n) = val r (i, n - 1 - k).
Proof.
  intro L. unfold back, past.
  set (f := fun q => (lab r i q, val r (i, q))).
  rewrite rev_nth by (rewrite map_length, seq_length; auto). rewrite map_length, seq_length.
  assert (E : nth_error (map f (seq 0 n)) (n - S k) = Some (f (n - S k))) by (apply nth_map_seq'; lia).
  rewrite (nth_error_nth _ _ _ E). unfold f. simpl. f_equal. f_equal. lia.
Qed.

(** What an execution of X and this seal looks like, from event [a] of 0 and [b] of 1 on. *)
Definition in_turn_from (r : run) (a b : nat) (p q : value) : Prop :=
  lab r 0 a = Snd 1 /\ val r (0, a) = p /\ lab r 1 b = Snd 0 /\ val r (1, b) = q /\
  lab r 1 (1 + b) = Rcv 0 /\ val r (1, 1 + b) = p /\ lab r 0 (1 + a) = Rcv 1 /\ val r (0, 1 + a) = q /\
  lab r 0 (2 + a) = Snd 1 /\ val r (0, 2 + a) = (p + 1)%Z /\
  lab r 1 (2 + b) = Rcv 0 /\ val r (1, 2 + b) = (p + 1)%Z /\
  lab r 1 (3 + b) = Snd 0 /\ val r (1, 3 + b) = (q + 1)%Z /\
  lab r 0 (3 + a) = Rcv 1 /\ val r (0, 3 + a) = (q + 1)%Z.
Lemma execution e f r c d : occurs r c (Lay (X_of e f) S1) d ->
  exists m, occurs r c (X_of e f) m /\ occurs r m S1 d /\ exists p q, in_turn_from r (c 0) (c 1) p q.
Proof.
  intro O. apply lay_iff in O as (m & OX & OS). exists m. split; auto. split; auto.
  apply lay_iff in OX as (m1 & O1 & OX). apply lay_iff in OX as (m2 & O2 & OX). apply lay_iff in OX as (m3 & O3 & O4).
  apply lay_iff in OS as (n1 & OM & OS). apply lay_iff in OM as (n0 & O5 & O6).
  apply lay_iff in OS as (n3 & OM & OG). apply lay_iff in OM as (n2 & O7 & O8).
  inversion O1; inversion O2; inversion O3; inversion O4; inversion O5; inversion O6; inversion O7; inversion O8;
    inversion OG; subst.
  repeat match goal with H : ceq _ (bump _ _) |- _ =>
    let E0 := fresh "E" in let E1 := fresh "E" in pose proof (H 0) as E0; pose proof (H 1) as E1; clear H;
    unfold bump in E0, E1; simpl in E0, E1 end.
  match goal with H : holds _ _ in_turn |- _ => destruct H as [[G1 G2] [G3 G4]] end. simpl in G1, G2, G3, G4.
  assert (L0 : n3 0 = 4 + c 0) by lia. assert (L1 : n3 1 = 4 + c 1) by lia.
  rewrite ?L0, ?L1 in G1, G2, G3, G4. rewrite !back_past in G1, G2, G3, G4 by lia.
  simpl in G1, G2, G3, G4.
  replace (m2 1) with (1 + c 1) in * by lia. replace (m3 0) with (1 + c 0) in * by lia.
  replace (m1 1) with (c 1) in * by lia. replace (m 0) with (2 + c 0) in * by lia.
  replace (n0 1) with (2 + c 1) in * by lia. replace (n1 1) with (3 + c 1) in * by lia.
  replace (n2 0) with (3 + c 0) in * by lia. unfold one_more in *.
  repeat match goal with H : context [back _ (past _ _ _)] |- _ => rewrite back_past in H by lia end.
  exists (val r (0, c 0)), (val r (1, c 1)). unfold in_turn_from. simpl plus in *.
  replace (c 0 - 0) with (c 0) in * by lia. replace (c 1 - 0) with (c 1) in * by lia.
  replace (S (S (c 0)) - 1 - 1) with (c 0) in * by lia. replace (S (S (S (c 1))) - 1 - 2) with (c 1) in * by lia.
  repeat split; congruence.
Qed.

Ltac differ := first [congruence | lia].
Lemma in_turn_silent r c p q : wf r -> silent r c -> standing r c crossed_sends -> in_turn_from r (c 0) (c 1) p q ->
  silent r (fun i => c i + len crossed_sends i).
Proof.
  intros [W V] Sc St (A0 & V0 & B0 & W0 & B1 & W1 & A1 & V1 & A2 & V2 & B2 & W2 & B3 & W3 & A3 & V3).
  set (a := c 0) in *. set (b := c 1) in *.
  assert (R1 : is_rcv r (1, 1 + b) 0 1) by (split; auto). assert (R2 : is_rcv r (1, 2 + b) 0 1) by (split; auto).
  assert (Q1 : is_rcv r (0, 1 + a) 1 0) by (split; auto). assert (Q3 : is_rcv r (0, 3 + a) 1 0) by (split; auto).
  (* what a receive takes was sent after the start, with the value received *)
  assert (T : forall i j k, is_rcv r (j, k) i j -> c j <= k -> exists z,
    delta r (j, k) = (i, z) /\ lab r i z = Snd j /\ c i <= z /\ val r (i, z) = val r (j, k)).
  { intros i j k R L. destruct (delta_snd r W _ _ _ R) as [F Lz]. pose proof (Sc _ _ _ R) as I.
    pose proof (V _ _ _ R) as Vz.
    destruct (delta r (j, k)) as [i' z]. simpl in F, Lz. subst i'. exists z. unfold inside in I. simpl in I.
    repeat split; auto. lia. }
  assert (C0 : causes r (0, 1 + a) (1, 2 + b)).
  { destruct (T 0 1 (2 + b) R2) as (z & D & L & G & Vz); [unfold b; lia|]. fold a in G. rewrite W2 in Vz.
    assert (z <> a) by (intros ->; differ). assert (z <> 1 + a) by (intros ->; differ).
    apply causes_local_le with z; [lia|]. rewrite <- D. eapply causes_msg; eauto. }
  assert (C1 : causes r (1, 1 + b) (0, 3 + a)).
  { destruct (T 1 0 (3 + a) Q3) as (z & D & L & G & Vz); [unfold a; lia|]. fold b in G. rewrite V3 in Vz.
    assert (z <> b) by (intros ->; differ). assert (z <> 1 + b) by (intros ->; differ).
    apply causes_local_le with z; [lia|]. rewrite <- D. eapply causes_msg; eauto. }
  apply inside_suffices; auto; [apply crossing_balanced|].
  intros [j k] i j' R I. assert (Ej : j = j') by (destruct R; auto). subst j'. unfold inside in *. simpl in I.
  destruct (lt_dec k (c j)) as [Before|After].
  { pose proof (proj1 (Sc _ _ _ R)) as Q. unfold inside in Q. simpl in Q. specialize (Q Before). lia. }
  assert (Hj : (j = 0 /\ k = 1 + a) \/ (j = 1 /\ k = 1 + b)).
  { destruct R as [_ L]. simpl in L. destruct j as [|[|j]]; unfold len, crossed_sends, crossing, proj in I; simpl in I;
    [left|right|lia].
    - split; auto. fold a in I, After. assert (k <> a) by (intros ->; congruence). lia.
    - split; auto. fold b in I, After. assert (k <> b) by (intros ->; congruence). lia. }
  destruct Hj as [[-> ->]|[-> ->]].
  - assert (i = 1) by (destruct R as [_ L]; cbn [fst snd] in L; congruence). subst i.
    destruct (T 1 0 (1 + a) R) as (z & D & L & G & Vz); [unfold a; lia|]. rewrite D. simpl. fold b in G |- *.
    rewrite V1 in Vz. change (len crossed_sends 1) with 2.
    assert (z <> 2 + b) by (intros ->; differ). assert (z <> 3 + b) by (intros ->; differ).
    destruct (lt_dec z (b + 2)) as [|Late]; auto. exfalso. apply (causal r W (0, 1 + a)).
    eapply t_trans; [exact C0|]. eapply t_trans; [apply causes_order with (y := z); lia|].
    rewrite <- D. eapply causes_msg; eauto.
  - assert (i = 0) by (destruct R as [_ L]; cbn [fst snd] in L; congruence). subst i.
    destruct (T 0 1 (1 + b) R) as (z & D & L & G & Vz); [unfold b; lia|]. rewrite D. simpl. fold a in G |- *.
    rewrite W1 in Vz. change (len crossed_sends 0) with 2.
    assert (z <> 2 + a) by (intros ->; differ). assert (z <> 3 + a) by (intros ->; differ).
    destruct (lt_dec z (a + 2)) as [|Late]; auto. exfalso. apply (causal r W (1, 1 + b)).
    eapply t_trans; [exact C1|]. eapply t_trans; [apply causes_order with (y := z); lia|].
    rewrite <- D. eapply causes_msg; eauto.
Qed.

(** So it seals X. *)
Theorem guards_seal_X : forall e f, Seals Rel S1 (X_of e f).
Proof.
  intros e f. apply seals_iff. intros r c d [W _] Sc O.
  destruct (execution e f r c d O) as (m & OX & OS & p & q & E). exists m. split; auto. split; auto.
  pose proof (occurs_follows r (X_of e f) crossed_sends eq_refl _ _ OX) as F.
  apply (silent_ceq r (fun i => c i + len crossed_sends i)); [intro i; symmetry; apply F|].
  apply (in_turn_silent r c p q); auto. intro i. apply F.
Qed.

(** ** This seal is not vacuous *)

Definition whole := (crossed_sends ++ transmission (0, 1)) ++ transmission (1, 0).

Lemma whole_balanced : balanced whole.
Proof. apply balanced_app; [apply balanced_app|]; [apply crossing_balanced|apply balanced_one|apply balanced_one]. Qed.

Lemma whole_dead_free : dead_free whole.
Proof.
  assert (B : balanced (crossed_sends ++ transmission (0, 1))) by (apply balanced_app;
    [apply crossing_balanced|apply balanced_one]).
  apply dead_free_transmission; auto. apply dead_free_transmission; auto;
    [apply crossing_balanced|apply crossing_dead_free].
Qed.

(** X and the seal, every message received in the order of sending: [p] and [p + 1] by 1, [q] and [q + 1] by 0. *)
Definition good_run (p q : value) : run := {|
  lab := lab (fifo whole);
  delta := delta (fifo whole);
  val := fun a => match a with
    | (0, 0) | (1, 1) => p
    | (0, 2) | (1, 2) => (p + 1)%Z
    | (0, 1) | (1, 0) => q
    | _ => (q + 1)%Z
    end
|}.

Lemma good_run_RelNS p q : RelNS (good_run p q).
Proof.
  pose proof (fifo_matching whole whole_balanced whole_dead_free) as [A B C].
  split; [split; [split|]|].
  - constructor; [exact A|exact B|exact C].
  - intros [[|[|a]] k] i j [_ L]; destruct k as [|[|[|[|k]]]]; try discriminate L; try reflexivity;
      simpl in L; try (destruct k; discriminate L); unfold labs in L; simpl in L; discriminate L.
  - exact (proj2 (fifo_Rel whole whole_balanced whole_dead_free)).
  - apply (fifo_noself whole). intros i H. unfold labs in H. simpl in H.
    destruct i as [|[|i]]; simpl in H; intuition discriminate.
Qed.

Theorem guarded_seal_completes : forall e f, exists r c d,
  RelNS r /\ all_empty r c /\ occurs r c (Lay (X_of e f) S1) d /\ all_empty r d.
Proof.
  intros e f. exists (good_run (e []) (f [])), (fun _ => 0), (len whole). split; [apply good_run_RelNS|].
  split; [apply start_empty|].
  split.
  - apply lay_iff. exists (len crossed_sends). split.
    + apply follows_occurs with crossed_sends; [reflexivity| | |reflexivity].
      * intros [|[|i]]; reflexivity.
      * intros [|[|i]] [|[|k]] g H N; simpl in H; try (injection H as <-); try reflexivity;
          try (destruct k; discriminate H); try discriminate H; exfalso; now eapply N.
    + apply lay_iff. exists (len (crossed_sends ++ transmission (0, 1))). split.
      * apply follows_occurs with (transmission (0, 1)); [reflexivity| | |].
        -- intros [|[|i]]; reflexivity.
        -- intros [|[|i]] [|k] g H N; simpl in H; try (injection H as <-); try reflexivity;
             try (destruct k; discriminate H); try discriminate H. exfalso. now apply (N 0).
        -- intro i. apply len_app.
      * apply lay_iff. exists (len whole). split.
        -- apply follows_occurs with (transmission (1, 0)); [reflexivity| | |].
           ++ intros [|[|i]]; reflexivity.
           ++ intros [|[|i]] [|k] g H N; simpl in H; try (injection H as <-); try reflexivity;
                try (destruct k; discriminate H); try discriminate H. exfalso. now apply (N 1).
           ++ intro i. apply len_app.
        -- constructor; [apply ceq_refl|]. simpl. repeat split; reflexivity.
  - intros i j [[|[|p]] k] [I [[S U]|[R O]]].
    + destruct S as [_ L]. destruct k as [|[|[|[|k]]]]; try discriminate L; [| |destruct k; discriminate L].
      * apply (U (1, 1) 0 1); [split; reflexivity|unfold inside; simpl; unfold len; simpl; lia|reflexivity].
      * apply (U (1, 2) 0 1); [split; reflexivity|unfold inside; simpl; unfold len; simpl; lia|reflexivity].
    + destruct R as [_ L]. destruct k as [|[|[|[|k]]]]; try discriminate L;
        try (apply O; unfold inside; simpl; unfold len; simpl; lia). destruct k; discriminate L.
    + destruct S as [_ L]. destruct k as [|[|[|[|k]]]]; try discriminate L; [| |destruct k; discriminate L].
      * apply (U (0, 1) 1 0); [split; reflexivity|unfold inside; simpl; unfold len; simpl; lia|reflexivity].
      * apply (U (0, 3) 1 0); [split; reflexivity|unfold inside; simpl; unfold len; simpl; lia|reflexivity].
    + destruct R as [_ L]. destruct k as [|[|[|[|k]]]]; try discriminate L;
        try (apply O; unfold inside; simpl; unfold len; simpl; lia). destruct k; discriminate L.
    + destruct S as [_ L]. destruct k; discriminate L.
    + destruct R as [_ L]. destruct k; discriminate L.
Qed.

(** ** Without guards the lemma holds *)

Lemma X_learnt k i j : i < 2 -> j < 2 -> i <> j -> learnt crossed_sends k i j -> k = j.
Proof.
  intros Hi Hj N L.
  assert (E : nth_error (labs j crossed_sends) 1 = Some (Rcv i)).
  { destruct i as [|[|i]], j as [|[|j]]; try lia; reflexivity. }
  specialize (L 1 E). apply crossing_rcv in E. apply crossing_causes in L. unfold crossing_order in L. simpl in L. lia.
Qed.

Lemma X_two_blocks : ~ one_block 2 (learnt crossed_sends).
Proof.
  intros (Y & J & P).
  assert (Mem : forall v, In v Y -> v < 2) by (intros v H; apply (Permutation_in _ P), in_seq in H; lia).
  inversion J as [v E|A B i j k JA JB Apart Hi Hk Hj Br E]; subst.
  - apply Permutation_length in P. discriminate.
  - assert (Ii : i < 2) by (apply Mem, in_or_app; auto). assert (Ij : j < 2) by (apply Mem, in_or_app; auto).
    assert (N : i <> j) by (intros ->; apply (Apart j); auto).
    apply X_learnt in Br; auto. subst k. apply (Apart j); auto.
Qed.

(** _l:non-sealed, repaired_: no program of two processes without guards and silent cuts that can run to its end after
    X seals it. *)
Theorem non_sealed : forall S, plain S -> of_processes 2 S -> completes_after X S -> ~ Seals RelNS S X.
Proof.
  intros S Pl Us Co Se. apply X_two_blocks. apply (sealability_plain 2 X crossed_sends S); auto.
Qed.

(** ** What else this seal refutes *)

(** [S] seals [P] properly, whatever kind of program it is: it can run to its end after [P], which is no matter of
    divergence where cuts are finite.  It has no silent cut, which would seal anything. *)
Definition any_seal (n : nat) (P S : prog) := of_processes n S /\ nochop S /\ Seals Rel S P /\
  exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d.

Lemma guarded_seal e f : any_seal 2 (X_of e f) S1.
Proof.
  split; [simpl; lia|]. split; [simpl; tauto|]. split; [apply guards_seal_X|].
  destruct (guarded_seal_completes e f) as (r & c & d & R & E & O & _). exists r, c, d. auto.
Qed.

(** X is a BSL of two processes. *)
Lemma X_bsl : BSL 2 X crossed_sends.
Proof.
  constructor; [reflexivity|apply crossing_balanced| | |apply crossing_dead_free].
  - intros [|[|i]] I; simpl in I; intuition discriminate.
  - intros a I. simpl in I. intuition (subst; simpl; lia).
Qed.

(** "Moreover, if P is properly sealable in Rel then it can be sealed by a BSL that transmits less than 3n messages"
    (th:sealability).  X is properly sealable, and no BSL of its two processes seals it. *)
Theorem seal_size_as_printed_fails : ~ forall n P p, 1 <= n -> BSL n P p -> (exists S, any_seal n P S) ->
  exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof.
  intro H. destruct (H 2 X crossed_sends) as (S & s & Pr & _); auto using X_bsl.
  - exists S1. apply guarded_seal.
  - apply X_two_blocks, (sealability 2 X crossed_sends X_bsl); eauto.
Qed.

(** "Any seal of this program will necessarily use transitive acknowledgments" (section 1, of X in the presence of a
    third process).  The third process has no part in this one. *)
Theorem figure_P_prime_as_printed_fails : forall e f, ~ forall S, any_seal 3 (X_of e f) S -> ~ of_processes 2 S.
Proof.
  intros e f H. destruct (guarded_seal e f) as (Of & Rest). apply (H S1); auto. split; auto. simpl. lia.
Qed.
