(** * The example after th:sealability

    "Consider a phase L ... In L each process i <> 1 sends a message to every other process k not in {1, i} before
    receiving the n - 2 messages sent to it in this phase.  Finally, process i transmits a message to process 1."

    It leaves (n - 1)^2 channels open and not n^2 - 3n + 3, unless n = 2; and S seals it by n - 1 messages, which are
    needed.  The process that the paper calls 1 is 0 here.

    Theorems of the ledger: [example_open_channels_as_printed_fails], [example_open_channels], [example_L_seal],
    [figure_O_n]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Messages Prefix Teaching.
From Sealcheck Require Import Sealability WorstCase KnowledgeDecider CheckerCorrect Counting.
Open Scope nat_scope.

(** ** L and S *)

(** All processes but 0; all but 0 and [i]. *)
Definition others (n : nat) : list proc := seq 1 (n - 1).
Definition peers (n : nat) (i : proc) : list proc := filter (fun k => negb (k =? i)) (others n).

(** "L_i": sends, receives, and the report to 0; "L_1"; and "L", the layering of them all. *)
Definition L_i (n : nat) (i : proc) : list act :=
  map (ASend i) (peers n i) ++ map (ARecv i) (peers n i) ++ [ASend i 0].
Definition L_0 (n : nat) : list act := map (ARecv 0) (others n).
Definition L (n : nat) : list act := L_0 n ++ flat_map (L_i n) (others n).

(** "S": process 0 transmits a message to each of the others. *)
Definition S_messages (n : nat) : list message := map (pair 0) (others n).
Definition S_acts (n : nat) : list act := transmissions (S_messages n).

(** Of three processes. *)
Example L_of_three : map (fun i => labs i (L 3)) [0; 1; 2] =
  [[Rcv 1; Rcv 2]; [Snd 2; Rcv 2; Snd 0]; [Snd 1; Rcv 1; Snd 0]].
Proof. reflexivity. Qed.
Example S_of_three : S_acts 3 = [ASend 0 1; ARecv 1 0; ASend 0 2; ARecv 2 0].
Proof. reflexivity. Qed.

(** From empty channels [P] leaves exactly [m] channels open. *)
Definition leaves_open (P : prog) (m : nat) := exists cs, NoDup cs /\ length cs = m /\
  forall i j, In (i, j) cs <-> ~ closes RelNS P i j.

(** ** What each process does *)

Lemma others_spec n i : In i (others n) <-> 1 <= i < n.
Proof. unfold others. rewrite in_seq. lia. Qed.
Lemma peers_spec n i k : In k (peers n i) <-> 1 <= k < n /\ k <> i.
Proof. unfold peers. rewrite filter_In, others_spec, negb_true_iff, Nat.eqb_neq. tauto. Qed.

Lemma labs_of k j l : (forall a, In a l -> actor a = j) -> labs k l = if j =? k then map alab l else [].
Proof.
  intro H. induction l as [|a l IH]; [now destruct (j =? k)|].
  rewrite labs_cons, IH, (H a) by (simpl; auto; intros; apply H; simpl; auto). destruct (j =? k); auto.
Qed.

(** The share of [i]. *)
Definition share (n : nat) (i : proc) : list label :=
  if i =? 0 then map Rcv (others n) else
  if i <? n then map Snd (peers n i) ++ map Rcv (peers n i) ++ [Snd 0] else [].

Lemma L_i_labs n i k : labs k (L_i n i) =
  if i =? k then map Snd (peers n i) ++ map Rcv (peers n i) ++ [Snd 0] else [].
Proof.
  rewrite (labs_of k i).
  - unfold L_i. now rewrite !map_app, !map_map.
  - unfold L_i. intros a H. rewrite !in_app_iff, !in_map_iff in H. simpl in H.
    destruct H as [(x & <- & _)|[(x & <- & _)|[<-|[]]]]; reflexivity.
Qed.

Lemma layers_labs n k l : NoDup l -> labs k (flat_map (L_i n) l) =
  if in_dec Nat.eq_dec k l then map Snd (peers n k) ++ map Rcv (peers n k) ++ [Snd 0] else [].
Proof.
  induction 1 as [|i l Ni _ IH]; [reflexivity|]. simpl flat_map. rewrite labs_app, L_i_labs, IH.
  destruct (in_dec Nat.eq_dec k l) as [I|N], (in_dec Nat.eq_dec k (i :: l)) as [I'|N'], (i =? k) eqn:E;
    rewrite ?Nat.eqb_eq, ?Nat.eqb_neq in E; simpl in *; subst; rewrite ?app_nil_r; intuition congruence.
Qed.

Lemma L_labs n i : labs i (L n) = share n i.
Proof.
  unfold L. rewrite labs_app, layers_labs by apply seq_NoDup.
  rewrite (labs_of i 0); [|unfold L_0; intros a H; apply in_map_iff in H as (x & <- & _); reflexivity].
  unfold L_0. rewrite map_map. unfold share.
  destruct (in_dec Nat.eq_dec i (others n)) as [I|N]; rewrite others_spec in *.
  - destruct i as [|i]; [lia|]. destruct (Nat.ltb_spec (S i) n); [reflexivity|lia].
  - destruct i as [|i]; [apply app_nil_r|]. destruct (Nat.ltb_spec (S i) n); [lia|reflexivity].
Qed.

(** How many messages [i] exchanges with its peers, in each direction. *)
Definition many (n : nat) (i : proc) : nat := length (peers n i).

(** Its sends come first, or are the report. *)
Lemma L_snd n i x j : nth_error (labs i (L n)) x = Some (Snd j) -> 1 <= i < n /\
  ((j = 0 /\ x = 2 * many n i) \/ (In j (peers n i) /\ x < many n i)).
Proof.
  rewrite L_labs. unfold share. destruct i as [|i].
  { intro H. apply nth_error_In, in_map_iff in H as (k & E & _). discriminate. }
  change (S i =? 0) with false. cbv iota. destruct (Nat.ltb_spec (S i) n) as [Hi|_]; [|now destruct x].
  intro H. split; [lia|]. unfold many. set (l := peers n (S i)) in *.
  destruct (le_lt_dec (length l) x) as [G|G].
  - left. rewrite nth_error_app2 in H by (rewrite map_length; auto). rewrite map_length in H.
    destruct (le_lt_dec (length l) (x - length l)) as [G'|G'].
    + rewrite nth_error_app2 in H by (rewrite map_length; auto). rewrite map_length in H.
      destruct (x - length l - length l) as [|[|k]] eqn:E; try discriminate. injection H as <-. lia.
    + exfalso. rewrite nth_error_app1 in H by (rewrite map_length; auto).
      apply nth_error_In, in_map_iff in H as (k & E & _). discriminate.
  - right. split; auto. rewrite nth_error_app1 in H by (rewrite map_length; auto).
    apply nth_error_In, in_map_iff in H as (k & E & I). now injection E as <-.
Qed.

(** Its receives come between, and those of 0 are all that it does. *)
Lemma L_rcv n j y i : nth_error (labs j (L n)) y = Some (Rcv i) ->
  (j = 0 /\ 1 <= i < n) \/ (1 <= j < n /\ In i (peers n j) /\ many n j <= y < 2 * many n j).
Proof.
  rewrite L_labs. unfold share. destruct j as [|j].
  { intro H. left. split; auto. apply others_spec. apply nth_error_In, in_map_iff in H as (k & E & I).
    now injection E as <-. }
  change (S j =? 0) with false. cbv iota. destruct (Nat.ltb_spec (S j) n) as [Hj|_]; [|now destruct y].
  intro H. right. split; [lia|]. unfold many. set (l := peers n (S j)) in *.
  destruct (le_lt_dec (length l) y) as [G|G].
  - rewrite nth_error_app2 in H by (rewrite map_length; auto). rewrite map_length in H.
    destruct (le_lt_dec (length l) (y - length l)) as [G'|G'].
    + exfalso. rewrite nth_error_app2 in H by (rewrite map_length; auto). rewrite map_length in H.
      destruct (y - length l - length l) as [|[|k]]; discriminate.
    + rewrite nth_error_app1 in H by (rewrite map_length; auto).
      apply nth_error_In, in_map_iff in H as (k & E & I). injection E as <-. split; [auto|lia].
  - exfalso. rewrite nth_error_app1 in H by (rewrite map_length; auto).
    apply nth_error_In, in_map_iff in H as (k & E & I). discriminate.
Qed.

(** ** L is a BSL *)

Lemma peers_nodup n i : NoDup (peers n i).
Proof. apply NoDup_filter, seq_NoDup. Qed.

Lemma L_balanced n : balanced (L n).
Proof.
  intros i j. rewrite !L_labs. unfold share.
  destruct i as [|i], j as [|j]; cbn [Nat.eqb]; try destruct (Nat.ltb_spec (S i) n) as [Hi|Hi];
    try destruct (Nat.ltb_spec (S j) n) as [Hj|Hj]; rewrite ?filter_app, ?app_length, <- ?count_map;
    cbn [sndb rcvb filter]; rewrite ?filter_none, ?(occurs_once (others n)), ?occurs_once
      by (apply peers_nodup || apply seq_NoDup); cbn [Nat.eqb length]; auto.
  all: repeat destruct (in_dec _ _ _) as [?|?]; rewrite ?others_spec, ?peers_spec in *; try lia.
Qed.

(** First the others send, then they receive, then they report, and then 0 receives. *)
Definition level (n : nat) (e : event) : nat :=
  if fst e =? 0 then 3 else if snd e <? many n (fst e) then 0 else if snd e <? 2 * many n (fst e) then 1 else 2.

Lemma L_step n x y : step (fifo (L n)) x y -> level n x < level n y \/ (fst x = fst y /\ snd x < snd y).
Proof.
  destruct y as [j y]. intros [S|(i & j' & R & D)]; [auto|left]. assert (j' = j) by (destruct R; auto). subst j'.
  destruct (fifo_step_receive _ x j y i (L_balanced n) R D) as (z & -> & Hz & Hy).
  apply L_snd in Hz as [Hi Hz]. apply L_rcv in Hy. unfold level. cbn [fst snd].
  destruct i as [|i]; [lia|]. change (S i =? 0) with false. cbv iota.
  destruct Hz as [[-> ->]|[Hz Lz]].
  - destruct (Nat.ltb_spec (2 * many n (S i)) (many n (S i))); [lia|]. rewrite Nat.ltb_irrefl. simpl. lia.
  - apply peers_spec in Hz. destruct j as [|j]; [lia|]. change (S j =? 0) with false. cbv iota.
    destruct (Nat.ltb_spec z (many n (S i))), (Nat.ltb_spec y (many n (S j))), (Nat.ltb_spec y (2 * many n (S j)));
      lia.
Qed.

Lemma L_dead_free n : dead_free (L n).
Proof.
  unfold dead_free. apply by_order with (fun x y => level n x < level n y \/ (fst x = fst y /\ snd x < snd y)).
  - apply L_step.
  - assert (Mono : forall i a b, a < b -> level n (i, a) <= level n (i, b)).
    { intros i a b G. unfold level. cbn [fst snd]. destruct (i =? 0); auto.
      destruct (Nat.ltb_spec a (many n i)), (Nat.ltb_spec b (many n i)), (Nat.ltb_spec a (2 * many n i)),
        (Nat.ltb_spec b (2 * many n i)); lia. }
    intros [i a] [j b] [k c]. cbn [fst snd]. intros [A|[-> A]] [B|[-> B]].
    + lia.
    + specialize (Mono k b c B). lia.
    + specialize (Mono j a b A). lia.
    + right. split; auto. lia.
  - intro x. lia.
Qed.

Lemma L_nofself n : nofself (L n).
Proof.
  intros i H. apply In_nth_error in H as (x & H). apply L_snd in H as [Hi [[E _]|[H _]]]; [lia|].
  apply peers_spec in H. tauto.
Qed.
Lemma L_within n : within n (L n).
Proof.
  intros a H. unfold L, L_0, L_i in H. apply in_app_or in H as [H|H].
  - apply in_map_iff in H as (i & <- & H). apply others_spec in H. lia.
  - apply in_flat_map in H as (i & Hi & H). apply others_spec in Hi. rewrite !in_app_iff, !in_map_iff in H.
    destruct H as [(k & <- & H)|[(k & <- & H)|[<-|[]]]]; try apply peers_spec in H; lia.
Qed.

(** ** Who knows what at the end of L *)

(** What the others receive only they and 0 hear of; what 0 receives, only 0. *)
Lemma L_causes n x y : causes (fifo (L n)) x y -> many n (fst x) <= snd x \/ fst x = 0 ->
  fst y = 0 \/ (fst y = fst x /\ snd x < snd y).
Proof.
  intro C. apply clos_trans_tn1 in C.
  assert (Step : forall u v, step (fifo (L n)) u v -> many n (fst u) <= snd u \/ fst u = 0 ->
    fst v = 0 \/ (fst v = fst u /\ snd u < snd v)).
  { intros u [k v] [[E G]|(i & k' & R & D)] Late; [right; cbn [fst snd] in *; auto|].
    assert (k' = k) by (destruct R; auto). subst k'. left.
    destruct (fifo_step_receive _ u k v i (L_balanced n) R D) as (z & -> & Hz & _).
    apply L_snd in Hz as [Hi [[-> _]|[_ G]]]; auto. cbn [fst snd] in Late. lia. }
  intro Late. induction C as [v S|u v S _ IH]; [now apply Step|].
  destruct (IH) as [E|[E G]].
  - apply Step in S; [|auto]. rewrite E in S. destruct S as [|[S _]]; auto.
  - apply Step in S; [|rewrite E; destruct Late; [left; lia|auto]]. rewrite E in S. destruct S as [|[S S']]; auto.
    right. split; auto. lia.
Qed.

(** Everybody but 0 has a receive on the channels that leave it, and 0 has one of its report. *)
Lemma L_receives n i j : (exists y, nth_error (labs j (L n)) y = Some (Rcv i)) <-> 1 <= i < n /\ j < n /\ i <> j.
Proof.
  split.
  - intros (y & H). apply L_rcv in H as [H|(Hj & I & _)]; [lia|]. apply peers_spec in I. lia.
  - intros (Hi & Hj & N). apply In_nth_error. rewrite L_labs. unfold share. destruct j as [|j].
    + apply in_map, others_spec. lia.
    + change (S j =? 0) with false. cbv iota. destruct (Nat.ltb_spec (S j) n); [|lia].
      rewrite !in_app_iff. right. left. apply in_map, peers_spec. lia.
Qed.

(** A process knows only of its own receives ... *)
Lemma L_learnt n k i j : 1 <= i < n -> j < n -> i <> j -> learnt (L n) k i j -> k = j \/ k = 0.
Proof.
  intros Hi Hj N K. destruct (proj2 (L_receives n i j)) as (y & Hy); [auto|]. specialize (K y Hy).
  apply L_causes in K; cbn [fst snd] in *; [intuition|]. apply L_rcv in Hy. lia.
Qed.

(** ... but 0, which knows of all. *)
Lemma L_learnt_0 n i j : learnt (L n) 0 i j.
Proof.
  intros y Hy. pose proof Hy as R. apply L_rcv in R as [[-> Hi]|(Hj & _ & G)].
  { apply causes_order. now apply labs_lt in Hy. }
  destruct (proj2 (L_receives n j 0)) as (z & Hz); [lia|].
  destruct (fifo_match (L n) j 0 z (L_balanced n) Hz) as (x & D & Hx & _).
  assert (x = 2 * many n j) as -> by (apply L_snd in Hx as [_ [[_ E]|[H _]]]; [auto|apply peers_spec in H; lia]).
  apply t_trans with (j, 2 * many n j); [apply causes_order; lia|].
  apply t_trans with (0, z); [|apply causes_order; now apply labs_lt in Hz].
  apply t_step. right. exists j, 0. split; auto. split; auto. simpl. now rewrite Hz.
Qed.

(** ** The channels that are left open *)

(** All channels but those of 0, which are [pairs n]. *)
Lemma pairs_from n l : (forall i, In i l -> i < n) ->
  length (filter (fun m => negb (fst m =? snd m)) (list_prod l (seq 0 n))) = length l * (n - 1).
Proof.
  induction l as [|i l IH]; intro H; auto. cbn [list_prod]. rewrite filter_app, app_length, <- count_map, IH;
    [|intros; apply H; simpl; auto]. cbn [fst snd].
  assert (I : In i (seq 0 n)) by (apply in_seq; specialize (H i (or_introl eq_refl)); lia).
  pose proof (all_but_one (seq 0 n) i (seq_NoDup n 0) I) as E. rewrite seq_length in E. simpl. lia.
Qed.
Lemma pairs_length n : length (pairs n) = (n - 1) ^ 2.
Proof.
  unfold pairs. etransitivity; [apply pairs_from|rewrite seq_length; simpl; lia].
  intros i I. apply in_seq in I. lia.
Qed.

Lemma L_open n P i j : acts P = Some (L n) -> (In (i, j) (pairs n) <-> ~ closes RelNS P i j).
Proof.
  intro HP. rewrite pairs_spec, <- (open_is_not_closed P (L n)) by auto using L_balanced, L_nofself, L_dead_free.
  split.
  - intro H. split; [now apply L_receives|]. intro K. apply L_learnt in K; lia.
  - intros [R _]. now apply L_receives in R.
Qed.

(** _Executing L from empty channels leaves (n - 1)^2 channels open_. *)
Theorem example_open_channels : forall n P, acts P = Some (L n) -> leaves_open P ((n - 1) ^ 2).
Proof.
  intros n P HP. exists (pairs n). split; [|split].
  - apply NoDup_filter, NoDup_pairs; apply seq_NoDup.
  - apply pairs_length.
  - intros i j. now apply L_open.
Qed.

(** So it is n^2 - 3n + 3 for two processes only. *)
Theorem example_open_channels_as_printed_fails : forall n P, n <> 2 -> acts P = Some (L n) ->
  ~ leaves_open P (n ^ 2 + 3 - 3 * n).
Proof.
  intros n P N HP (cs & D & Len & H). destruct (example_open_channels n P HP) as (cs' & D' & Len' & H').
  assert (E : length cs = length cs').
  { apply Nat.le_antisymm; apply NoDup_incl_length; auto; intros [i j] I; [now apply H', H|now apply H, H']. }
  rewrite Len, Len' in E. destruct n as [|n]; [discriminate|]. simpl in E. rewrite Nat.sub_0_r in E. nia.
Qed.

(** ** S seals L *)

Lemma S_sealed_by n : sealed_by n (learnt (L n)) (S_messages n).
Proof.
  split.
  - apply Messages.allowed_tell. intros v Hv. apply others_spec in Hv. repeat split; try lia. apply L_learnt_0.
  - intros i j Hi Hj N. destruct i as [|i]; [apply after_grows, L_learnt_0|].
    apply told_all; [apply others_spec; lia|apply L_learnt_0].
Qed.

(** _S seals L and has n - 1 messages_. *)
Theorem example_L_seal : forall n P S, acts P = Some (L n) -> acts S = Some (S_acts n) ->
  proper_seal n P (L n) S (S_acts n) /\ messages (S_acts n) = n - 1.
Proof.
  intros n P S HP HS. split.
  - destruct (seal_of_messages n (L n) (L_balanced n) (L_nofself n) (L_dead_free n) (S_messages n) (L_within n)
      (S_sealed_by n)) as (Bs & Ws & Ns & Ds & Cov). repeat (split; [assumption|]).
    apply (sealing_is_causality P S (L n) (S_acts n)); auto using L_balanced.
  - unfold S_acts, S_messages, others. now rewrite messages_transmissions, map_length, seq_length.
Qed.

(** What is known to somebody who has got no message, he knew before. *)
Lemma not_told K ms k i j : after K ms k i j -> K k i j \/ In k (map snd ms).
Proof.
  revert K. induction ms as [|m ms IH]; intros K H; [now left|].
  destruct (IH _ H) as [[A|[-> _]]|A]; simpl; auto.
Qed.

(** No seal of L has fewer messages, since everybody but 0 has to learn that 0 has received the report. *)
Theorem example_L_needs : forall n P S s, acts P = Some (L n) -> proper_seal n P (L n) S s -> n - 1 <= messages s.
Proof.
  intros n P S s HP H.
  destruct (proj1 (seals_and_messages n P (L n) HP (L_balanced n) (L_nofself n) (L_within n) (L_dead_free n)
    (messages s))) as (ms & (A & Safe) & <-); [exists S, s; auto|].
  replace (n - 1) with (length (others n)) by apply seq_length.
  apply longer_list with snd; [apply seq_NoDup|]. intros i I. apply others_spec in I.
  destruct (not_told _ _ _ _ _ (Safe i 0 ltac:(lia) ltac:(lia) ltac:(lia))) as [K|K]; auto.
  apply L_learnt in K; lia.
Qed.

(** ** O(n) transmissions close Omega(n^2) open channels *)

(** Every channel that L leaves open is closed after L;S. *)
Lemma S_closes n P S i j : acts P = Some (L n) -> acts S = Some (S_acts n) -> ~ closes RelNS P i j ->
  closes RelNS (Lay P S) i j.
Proof.
  intros HP HS O. apply (L_open n P i j HP), pairs_spec in O as (Hi & Hj & N).
  destruct (S_sealed_by n) as [A Safe].
  destruct (teaches_all n (L n) (L_balanced n) (L_nofself n) (L_dead_free n) (S_messages n) A)
    as [Bs Ns _ Ds _ Taught]. fold (S_acts n) in *.
  apply NNPP. rewrite <- (open_is_not_closed (Lay P S) (L n ++ S_acts n));
    auto using lay_straight, balanced_app, L_balanced.
  intros [_ C]. apply C. intros y Hy. apply (Taught i i j); [apply Safe; lia|].
  rewrite labs_app in Hy. destruct (le_lt_dec (len (L n) j) y) as [G|G].
  - exfalso. rewrite nth_error_app2 in Hy by (rewrite len_labs; auto).
    apply nth_error_In, transmissions_receive, in_map_iff in Hy as (k & E & _). injection E as E _. lia.
  - now rewrite nth_error_app1 in Hy by (rewrite len_labs; auto).
Qed.

(** _O(n) transmissions close Omega(n^2) open channels_: L leaves open as many as the square of the messages of S;
    these are closed when S is done, and no fewer messages seal L. *)
Theorem figure_O_n : forall n P S, acts P = Some (L n) -> acts S = Some (S_acts n) ->
  leaves_open P (messages (S_acts n) ^ 2) /\ messages (S_acts n) = n - 1 /\ proper_seal n P (L n) S (S_acts n) /\
  (forall i j, ~ closes RelNS P i j -> closes RelNS (Lay P S) i j) /\
  (forall S' s, proper_seal n P (L n) S' s -> messages (S_acts n) <= messages s).
Proof.
  intros n P S HP HS. destruct (example_L_seal n P S HP HS) as [Proper ->]. split; [now apply example_open_channels|].
  repeat (split; [assumption || reflexivity|]). split.
  - intros i j. now apply (S_closes n P S).
  - intros S' s. now apply example_L_needs.
Qed.
