(** * worst-case-seal: 3n - 5 messages are necessary and sufficient

    The abstract of the journal version of the paper says 3n - 4.  Sealable programs of n >= 2 processes can be
    sealed with 3n - 5 messages, whatever their length, and for every n some need as many.

    Theorems of the ledger: [worst_case_seal_sufficient], [worst_case_seal_necessary],
    [worst_case_seal_as_printed_fails]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Knowledge Messages Prefix Teaching Sealability
  Unbalanced.
Open Scope nat_scope.

(** _Sufficient_.  What can be sealed is balanced, does not deadlock, and communicates among these processes only.  (For
    one process, or none, 3n - 5 is read as 0.) *)
Theorem worst_case_seal_sufficient : forall n P p, acts P = Some p -> (exists S s, proper_seal n P p S s) ->
  exists S s, proper_seal n P p S s /\ messages s <= 3 * n - 5.
Proof.
  intros n P p HP Sealable. pose proof Sealable as (S0 & s0 & Pr).
  destruct (properly_sealed n P p S0 s0 HP Pr) as (Bp & Np & Dp). pose proof (sealed_within n P p S0 s0 HP Pr) as Wp.
  assert (Few : exists ms, sealed_by n (learnt p) ms /\ length ms <= 3 * n - 5).
  { destruct (le_lt_dec 2 n) as [Two|One].
    - apply sealability in Sealable as (X & J & Perm); [|now constructor|lia].
      apply (enough n (learnt p) X Two (learnt_own n p) J Perm).
    - exists []. split; [split; [exact I|intros i j Hi Hj N; lia]|simpl; lia]. }
  destruct Few as (ms & Seal & L).
  destruct (proj2 (seals_and_messages n P p HP Bp Np Wp Dp (length ms))) as (S & s & H & E).
  - exists ms; auto.
  - exists S, s. rewrite E. auto.
Qed.

(** ** The hardest program

    Every process but 0 sends to all others, and all these messages cross.  So nobody but the receivers know of their
    receives; and nothing is sent by 0, whose channels are therefore closed. *)

Definition pairs (n : nat) : list message :=
  filter (fun m => negb (fst m =? snd m)) (list_prod (seq 1 (n - 1)) (seq 0 n)).
Definition crossing (ms : list message) : list act :=
  map (fun m => ASend (fst m) (snd m)) ms ++ map (fun m => ARecv (snd m) (fst m)) ms.
Definition hard (n : nat) : list act := crossing (pairs n).

Lemma pairs_spec n i j : In (i, j) (pairs n) <-> 1 <= i < n /\ j < n /\ i <> j.
Proof.
  unfold pairs. rewrite filter_In, in_prod_iff, !in_seq, negb_true_iff, Nat.eqb_neq. simpl. lia.
Qed.

Lemma crossing_balanced ms : balanced (crossing ms).
Proof.
  intros i j. rewrite <- count_sent, <- count_received. unfold crossing. rewrite !flat_map_app.
  assert (A : flat_map sent_message (map (fun m => ASend (fst m) (snd m)) ms) = ms).
  { induction ms as [|[a b] ms IH]; simpl; congruence. }
  assert (A' : flat_map sent_message (map (fun m => ARecv (snd m) (fst m)) ms) = [])
    by (clear A; induction ms; simpl; auto).
  assert (A'' : flat_map received_message (map (fun m => ARecv (snd m) (fst m)) ms) = ms).
  { clear A A'. induction ms as [|[a b] ms IH]; simpl; congruence. }
  assert (A''' : flat_map received_message (map (fun m => ASend (fst m) (snd m)) ms) = [])
    by (clear; induction ms; simpl;
    auto).
  rewrite A, A', A'', A''', app_nil_r. reflexivity.
Qed.

(** Each share: first sends, then receives. *)
Definition sending (ms : list message) (i : nat) := len (map (fun m => ASend (fst m) (snd m)) ms) i.

Lemma crossing_snd ms i k j : nth_error (labs i (crossing ms)) k = Some (Snd j) -> k < sending ms i /\ In (i, j) ms.
Proof.
  intro H. unfold crossing in H. rewrite labs_app in H.
  destruct (lt_dec k (sending ms i)) as [L|G].
  - split; auto. rewrite nth_error_app1 in H by (rewrite len_labs; exact L).
    apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (a & Ea & Ha).
    apply filter_In in Ha as [Ha E]. apply in_map_iff in Ha as ([x y] & <- & Hm). simpl in *.
    apply Nat.eqb_eq in E. injection Ea as ->. subst. exact Hm.
  - exfalso. unfold sending in G. rewrite nth_error_app2 in H by (rewrite len_labs; lia).
    apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (a & Ea & Ha).
    apply filter_In in Ha as [Ha _]. apply in_map_iff in Ha as ([x y] & <- & Hm). discriminate.
Qed.

Lemma crossing_rcv ms j k i : nth_error (labs j (crossing ms)) k = Some (Rcv i) -> sending ms j <= k.
Proof.
  intro H. unfold crossing in H. rewrite labs_app in H.
  destruct (le_lt_dec (sending ms j) k) as [G|L]; auto. exfalso.
  rewrite nth_error_app1 in H by (rewrite len_labs; exact L).
  apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (a & Ea & Ha).
  apply filter_In in Ha as [Ha _]. apply in_map_iff in Ha as ([x y] & <- & Hm). discriminate.
Qed.

(** Causality leads from sends to receives, or stays in a process. *)
Definition crossing_order ms (x y : event) :=
  (snd x < sending ms (fst x) /\ sending ms (fst y) <= snd y) \/ (fst x = fst y /\ snd x < snd y).

Lemma crossing_causes ms x y : causes (fifo (crossing ms)) x y -> crossing_order ms x y.
Proof.
  assert (Step : forall x y, step (fifo (crossing ms)) x y -> crossing_order ms x y).
  { intros u [j k] [S|(i & j' & R & D)]; [right; exact S|left].
    assert (E : j = j') by (destruct R; auto). subst j'.
    destruct (fifo_step_receive _ u j k i (crossing_balanced ms) R D) as (z & -> & Hz & Hk).
    split; [apply (crossing_snd _ _ _ _ Hz)|apply (crossing_rcv _ _ _ _ Hk)]. }
  induction 1 as [u v S|u v w _ A _ B]; [auto|].
  destruct u as [a x], v as [b y'], w as [c z]. unfold crossing_order in *. simpl in *.
  destruct A as [[A1 A2]|[A1 A2]], B as [[B1 B2]|[B1 B2]]; subst; lia.
Qed.

Lemma crossing_dead_free ms : dead_free (crossing ms).
Proof. intros [i k] C. apply crossing_causes in C. unfold crossing_order in C. simpl in C. lia. Qed.

Lemma hard_within n : within n (hard n).
Proof.
  intros a H. unfold hard, crossing in H. apply in_app_or in H as [H|H];
    apply in_map_iff in H as ([i j] & <- & M); apply pairs_spec in M; simpl; lia.
Qed.

Lemma hard_nofself n : nofself (hard n).
Proof.
  intros i H. apply In_nth_error in H as (k & H). apply crossing_snd in H as [_ H]. apply pairs_spec in H. lia.
Qed.

(** Everybody but 0 sends to everybody, so there are receives to know about. *)
Lemma hard_receives n i j : 1 <= i < n -> j < n -> i <> j -> exists y, nth_error (labs j (hard n)) y = Some (Rcv i).
Proof.
  intros Hi Hj N. apply In_nth_error. unfold labs. apply in_map_iff. exists (ARecv j i). split; auto.
  apply filter_In. split; [|apply Nat.eqb_refl]. unfold hard, crossing. apply in_or_app. right.
  apply in_map_iff. exists (i, j). split; auto. apply pairs_spec. lia.
Qed.

Lemma hard_learnt n k i j : 1 <= i < n -> j < n -> i <> j -> learnt (hard n) k i j -> k = j.
Proof.
  intros Hi Hj N L. destruct (hard_receives n i j Hi Hj N) as (y & Hy). specialize (L y Hy).
  apply crossing_rcv in Hy. apply crossing_causes in L. unfold crossing_order in L. simpl in L. lia.
Qed.

(** Process 0 sends nothing, so all know its channels to be safe. *)
Lemma hard_from_0 n k j : learnt (hard n) k 0 j.
Proof.
  intros y H. exfalso. destruct (fifo_match _ 0 j y (crossing_balanced _) H) as (x & _ & Hx & _).
  apply crossing_snd in Hx as [_ Hx]. apply pairs_spec in Hx. lia.
Qed.

(** _Necessary_.  Knowledge beyond the first n processes does not matter: what is sent stays among them. *)
Lemma hard_needs n ms : 2 <= n -> sealed_by n (learnt (hard n)) ms -> 3 * n - 5 <= length ms.
Proof.
  intros Two Seal.
  set (K := fun k i j => k < n /\ i < n /\ j < n /\ learnt (hard n) k i j).
  assert (Hard : hardest K).
  { intros k i j Ni N (Hk & Hi & Hj & L). apply (hard_learnt n k i j); auto. lia. }
  apply (needed n K Hard ms Two).
  assert (Same : forall ms (L K0 : knowledge), allowed n L ms -> (forall k i j,
    k < n -> i < n -> j < n -> L k i j -> K0 k i j) ->
    allowed n K0 ms /\ forall k i j, k < n -> i < n -> j < n -> after L ms k i j -> after K0 ms k i j).
  { clear. induction ms as [|[a b] ms IH]; intros L K0 A H; [split; [exact I|exact H]|].
    destruct A as (Ha & Hb & N & La & A). cbn [fst snd] in *.
    destruct (IH (told L (a, b)) (told K0 (a, b)) A) as [A' H'].
    - intros k i j Hk Hi Hj [Q|[E Q]]; [left; auto|right; split; auto].
    - split; auto. repeat split; auto. }
  destruct Seal as [A S]. destruct (Same ms (learnt (hard n)) K A) as [A' H'].
  { intros k i j Hk Hi Hj L. repeat split; auto. }
  split; auto. intros i j Hi Hj N. apply H'; auto.
Qed.

Theorem worst_case_seal_necessary : forall n, 2 <= n -> exists P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\
  forall S s, proper_seal n P p S s -> 3 * n - 5 <= messages s.
Proof.
  intros n Two. exists (straight_line_of (hard n)), (hard n).
  pose proof (acts_straight_line_of (hard n)) as HP. pose proof (crossing_balanced (pairs n)) as Bp.
  pose proof (crossing_dead_free (pairs n)) as Dp. pose proof (hard_nofself n) as Np. pose proof (hard_within n) as Wp.
  assert (Bsl : BSL n (straight_line_of (hard n)) (hard n)) by now constructor. split; [exact Bsl|]. split.
  - apply (sealability n _ _ Bsl); [lia|]. apply joined_by_0; [lia|]. intros j _. apply hard_from_0.
  - intros S s H. destruct (proj1 (seals_and_messages n _ _ HP Bp Np Wp Dp (messages s))) as (ms & Seal & <-).
    + exists S, s. auto.
    + now apply hard_needs.
Qed.

(** So the number of the journal's abstract, 3n - 4, is not necessary, whatever n. *)
Theorem worst_case_seal_as_printed_fails : forall n, 2 <= n -> ~ exists P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\
  forall S s, proper_seal n P p S s -> 3 * n - 4 <= messages s.
Proof.
  intros n Two (P & p & Bsl & Ex & Least).
  destruct (worst_case_seal_sufficient n P p (bsl_acts n P p Bsl) Ex) as (S & s & H & L).
  specialize (Least S s H). lia.
Qed.
