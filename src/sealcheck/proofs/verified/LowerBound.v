(** * That no seal has fewer messages

    The certificate lists states: how many messages have been sent, and what processes may know by then at most.  If
    there were a shorter seal, then at each of its steps what is known would be within a listed state with no more
    messages sent, or so many messages would still be needed that it is no shorter.  But none of the listed states
    seals. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Knowledge Messages Prefix Teaching.
From Sealcheck Require Import CausalPast Decider KnowledgeDecider Certificates.
Open Scope nat_scope.

(** ** States *)

(** Process [j] comes to know these channels, too. *)
Fixpoint learn (K : knowledge_lists) (j : nat) (cs : list (proc * proc)) : knowledge_lists :=
  match K, j with
  | [], _ => []
  | a :: K', 0 => (filter (fun c => negb (mem c a)) cs ++ a) :: K'
  | a :: K', S j' => a :: learn K' j' cs
  end.

(** After a message from [i] to [j]. *)
Definition tell_state (K : knowledge_lists) (i j : proc) : knowledge_lists := learn K j (nth i K []).

Lemma learn_spec : forall K j cs k c, j < length K ->
  (may_know (learn K j cs) k c = true <-> may_know K k c = true \/ (k = j /\ In c cs)).
Proof.
  unfold may_know. induction K as [|a K IH]; intros j cs k c L; simpl in L; [lia|].
  destruct j as [|j]; simpl.
  - destruct k as [|k]; simpl; [|split; [tauto|intros [H|[E _]]; [auto|discriminate]]].
    rewrite !mem_spec, in_app_iff, filter_In, negb_true_iff. split; [tauto|]. intros [H|[_ H]]; auto.
    destruct (mem c a) eqn:M; [right; now apply mem_spec|auto].
  - destruct k as [|k]; simpl; [split; [tauto|intros [H|[E _]]; [auto|discriminate]]|].
    rewrite IH by lia. split; intros [H|[E H]]; auto.
Qed.

Lemma tell_state_spec : forall K i j k c, j < length K -> may_know K k c = true \/ (k = j /\ may_know K i c = true) ->
  may_know (tell_state K i j) k c = true.
Proof.
  intros K i j k c L H. apply learn_spec; auto. destruct H as [H|[E H]]; auto. right. split; auto.
  now apply mem_spec in H.
Qed.

Section Bound.
Variables (n : nat) (open : list (proc * proc)).
Hypothesis open_below : forall a b, In (a, b) open -> a < n /\ b < n /\ a <> b.

(** All that is known of open channels is in the state. *)
Definition at_most (K : knowledge) (S : knowledge_lists) := forall i a b, i < n -> In (a, b) open -> K i a b ->
  may_know S i (a, b) = true.

Definition may_send_by (S : knowledge_lists) (i j : proc) : bool := negb (mem (i, j) open) || may_know S i (i, j).

Lemma at_most_told : forall K S i j, length S = n -> j < n -> i < n -> at_most K S ->
  at_most (told K (i, j)) (tell_state S i j).
Proof.
  intros K S i j L J I H k a b Hk O T. apply tell_state_spec; [lia|].
  destruct T as [T|[E T]]; [left; auto|right]. cbn [fst snd] in *. split; auto.
Qed.

(** ** What is still needed *)

(** Process [i] does not know a channel on which it sends to be safe. *)
Definition lacks (S : knowledge_lists) (i : proc) : bool :=
  existsb (fun c => (fst c =? i) && negb (may_know S i c)) open.

(** Process [k] alone may know something that its sender does not. *)
Definition alone (S : knowledge_lists) (k : proc) : bool :=
  existsb (fun c => negb (may_know S (fst c) c) && negb (fst c =? k) &&
                    forallb (fun i => (i =? k) || negb (may_know S i c)) (seq 0 n)) open.

Definition count (f : proc -> bool) : nat := length (filter f (seq 0 n)).
Definition still_needed (S : knowledge_lists) : nat := Nat.max (count (lacks S)) (count (alone S)).

(** Who has received nothing has learnt nothing. *)
Lemma not_received : forall ms K i a b, ~ In i (map snd ms) -> after K ms i a b -> K i a b.
Proof.
  induction ms as [|m ms IH]; intros K i a b N A; auto. simpl in N.
  apply IH in A; [|tauto]. destruct A as [A|[E _]]; auto. exfalso. apply N. auto.
Qed.

(** What only [k] may know stays with [k] until [k] sends. *)
Lemma not_sent : forall ms K k a b, allowed n K ms -> ~ In k (map fst ms) -> (forall i, i < n -> i <> k -> ~ K i a b) ->
  forall i, i < n -> i <> k -> ~ after K ms i a b.
Proof.
  induction ms as [|[s r] ms IH]; intros K k a b A N H i I D; auto. simpl in A, N.
  destruct A as (A1 & A2 & A3 & A4 & A5).
  apply (IH (told K (s, r)) k a b); auto.
  intros j J E [T|[-> T]]; cbn [fst snd] in *; [now apply (H j)|]. apply (H s); auto.
Qed.

Lemma count_le : forall f (l : list nat), (forall i, i < n -> f i = true -> In i l) -> count f <= length l.
Proof.
  intros f l H. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i I.
  apply filter_In in I as [I F]. apply in_seq in I. apply H; auto. lia.
Qed.

Lemma still_needed_sound : forall K S ms, at_most K S -> sealed_by n K ms -> still_needed S <= length ms.
Proof.
  intros K S ms B [A Safe]. apply Nat.max_lub.
  - replace (length ms) with (length (map snd ms)) by apply map_length. apply count_le. intros i I L.
    apply existsb_exists in L as ([a b] & O & L). cbn [fst snd] in L. apply andb_true_iff in L as [E L].
    apply Nat.eqb_eq in E. subst a. apply negb_true_iff in L. destruct (open_below i b O) as (_ & Hb & D).
    destruct (in_dec Nat.eq_dec i (map snd ms)) as [|N]; auto. exfalso.
    rewrite (B i i b I O) in L; [discriminate|]. apply (not_received ms); auto.
  - replace (length ms) with (length (map fst ms)) by apply map_length. apply count_le. intros k I L.
    apply existsb_exists in L as ([a b] & O & L). cbn [fst snd] in L. rewrite !andb_true_iff, forallb_forall in L.
    destruct L as ((L1 & L2) & L3). apply negb_true_iff, Nat.eqb_neq in L2.
    destruct (open_below a b O) as (Ha & Hb & D).
    destruct (in_dec Nat.eq_dec k (map fst ms)) as [|N]; auto. exfalso.
    apply (not_sent ms K k a b A N) with a; auto.
    intros i Hi E Ki. assert (X : In i (seq 0 n)) by (apply in_seq; lia). specialize (L3 i X).
    apply orb_true_iff in L3 as [L3|L3]; [apply Nat.eqb_eq in L3; congruence|].
    rewrite (B i a b Hi O Ki) in L3. discriminate.
Qed.

(** ** The certificate *)

Variables (m : nat) (states : list (nat * knowledge_lists)).

Definition is_within_state (S L : knowledge_lists) : bool :=
  forallb (fun i => forallb (may_know L i) (nth i S [])) (seq 0 n).

Definition is_excluded (sent : nat) (S : knowledge_lists) : bool :=
  (m <=? sent + still_needed S) ||
  existsb (fun e => (fst e <=? sent) && is_within_state S (snd e)) states.

Definition is_followed (e : nat * knowledge_lists) : bool :=
  (fst e <? m) && (length (snd e) =? n) && existsb (lacks (snd e)) (seq 0 n) &&
  for_channels n (fun i j => (i =? j) || negb (may_send_by (snd e) i j) ||
                             is_excluded (S (fst e)) (tell_state (snd e) i j)).

Lemma at_most_within : forall K S L, at_most K S -> is_within_state S L = true -> at_most K L.
Proof.
  intros K S L B H i a b I O Ki. unfold is_within_state in H. rewrite forallb_forall in H.
  assert (X : In i (seq 0 n)) by (apply in_seq; lia). specialize (H i X). rewrite forallb_forall in H.
  apply H. specialize (B i a b I O Ki). now apply mem_spec in B.
Qed.

Theorem excluded_sound : forallb is_followed states = true ->
  forall ms K S sent, at_most K S -> is_excluded sent S = true -> sealed_by n K ms -> m <= sent + length ms.
Proof.
  intro F. rewrite forallb_forall in F.
  induction ms as [|[i j] ms IH]; intros K S sent B E Se; unfold is_excluded in E;
    apply orb_true_iff in E as [E|E];
    try (apply Nat.leb_le in E; pose proof (still_needed_sound K S _ B Se); simpl in *; lia).
  - apply existsb_exists in E as ([s L] & I & E). cbn [fst snd] in E. apply andb_true_iff in E as [_ E].
    pose proof (at_most_within K S L B E) as BL. specialize (F _ I). unfold is_followed in F. cbn [fst snd] in F.
    rewrite !andb_true_iff, existsb_exists in F. destruct F as (((_ & _) & (k & Hk & F)) & _). apply in_seq in Hk.
    pose proof (still_needed_sound K L [] BL Se) as N.
    assert (X : In k (filter (lacks L) (seq 0 n))) by (apply filter_In; split; auto; apply in_seq; lia).
    assert (Z : count (lacks L) <= 0) by (eapply Nat.le_trans; [apply Nat.le_max_l|exact N]). unfold count in Z.
    destruct (filter (lacks L) (seq 0 n)); [destruct X|simpl in Z; lia].
  - apply existsb_exists in E as ([s L] & I & E). cbn [fst snd] in E. apply andb_true_iff in E as [Le E].
    apply Nat.leb_le in Le. pose proof (at_most_within K S L B E) as BL. specialize (F _ I).
    unfold is_followed in F. cbn [fst snd] in F. rewrite !andb_true_iff, for_channels_spec in F.
    destruct F as (((_ & Len) & _) & F). apply Nat.eqb_eq in Len.
    destruct Se as [A Safe]. simpl in A. destruct A as (Hi & Hj & D & Kij & A). specialize (F i j Hi Hj).
    rewrite !orb_true_iff in F. destruct F as [[F|F]|F].
    + apply Nat.eqb_eq in F. contradiction.
    + exfalso. unfold may_send_by in F. apply negb_true_iff, orb_false_iff in F as [F1 F2].
      apply negb_false_iff, mem_spec in F1. rewrite (BL i i j Hi F1 Kij) in F2. discriminate.
    + assert (M : m <= Datatypes.S s + length ms); [|simpl; lia].
      apply (IH (told K (i, j)) (tell_state L i j)); auto.
      * apply at_most_told; auto.
      * split; auto.
Qed.
End Bound.

Section Minimum.
Variables (n : nat) (p : list act) (reach : proc -> proc -> proc -> bool).

(** What is known at the end of P. *)
Definition initial_state : knowledge_lists :=
  let open := open_channels n reach in
  map (fun k => filter (fun c => reach (fst c) (snd c) k) open) (seq 0 n).

Definition check_minimum (m : nat) (states : list (nat * knowledge_lists)) : bool :=
  let open := open_channels n reach in
  is_excluded n open m states 0 initial_state && forallb (is_followed n open m states) states.

Hypotheses (B : balanced p) (W : acts_below n p) (Reach : computes_reach n p reach).

Lemma open_channels_below : forall a b, In (a, b) (open_channels n reach) -> a < n /\ b < n /\ a <> b.
Proof.
  intros a b H. apply (open_channels_correct n p) in H as [[y Y] R]; auto.
  split; [apply (below_peer n p b y _ W Y)|]. split; [eauto using below_labs|]. intros ->. apply R.
  apply (learnt_own (S b) p); lia.
Qed.

Lemma initial_at_most : at_most n (open_channels n reach) (learnt p) initial_state.
Proof.
  intros i a b I O L. unfold may_know, initial_state. apply mem_spec.
  set (f := fun k => filter (fun c => reach (fst c) (snd c) k) (open_channels n reach)).
  rewrite (nth_indep _ [] (f i)) by now rewrite map_length, seq_length.
  replace (nth i _ _) with (f i).
  - apply filter_In. split; auto. cbn [fst snd]. now apply Reach.
  - symmetry. apply nth_error_nth. now rewrite nth_map_seq'.
Qed.

(** No messages that seal are fewer. *)
Theorem check_minimum_sound : forall m states, check_minimum m states = true ->
  forall ms, sealed_by n (learnt p) ms -> m <= length ms.
Proof.
  intros m states H ms Se. unfold check_minimum in H. apply andb_true_iff in H as [E F].
  apply (excluded_sound n (open_channels n reach))
    with (states := states) (K := learnt p) (S := initial_state) (sent := 0);
    auto using initial_at_most, open_channels_below.
Qed.
End Minimum.
