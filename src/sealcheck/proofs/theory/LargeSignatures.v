(** * Signatures are larger than O(n^2)

    "It has size O(n^2)" (section 4).  Here m processes send to m others, each of which receives all of these messages
    and then sends to m more.  The m^2 receives stay in the signature, and each leads to the end of m processes: that
    makes m^3 edges of 3m processes, and deciding whether Q seals P looks at all of them.

    Theorems of the ledger: [signature_edges_as_printed_fails], [signature_size_as_printed_fails]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing Knowledge Prefix Teaching CheckerCorrect.
From Sealcheck Require Import SignatureSize Counting.
Open Scope nat_scope.

Section Relay.
Variable m : nat.

(** The first third of the processes, the second, and the last. *)
Definition third (k : nat) : list proc := seq (k * m) m.
Definition to_relays : list (proc * proc) := list_prod (third 0) (third 1).
Definition from_relays : list (proc * proc) := list_prod (third 1) (third 2).
Definition relay : list act := transmissions to_relays ++ transmissions from_relays.

Lemma third_spec k i : In i (third k) <-> k * m <= i < k * m + m.
Proof. unfold third. apply in_seq. Qed.
Lemma to_relays_spec a b : In (a, b) to_relays <-> a < m /\ m <= b < 2 * m.
Proof. unfold to_relays. rewrite in_prod_iff, !third_spec. lia. Qed.
Lemma from_relays_spec b c : In (b, c) from_relays <-> m <= b < 2 * m /\ 2 * m <= c < 3 * m.
Proof. unfold from_relays. rewrite in_prod_iff, !third_spec. lia. Qed.

(** ** It is a BSL *)

(** Messages go from lower processes to higher ones, on channels on which nothing has been received. *)
Lemma upward_allowed p ms : balanced p ->
  (forall i j, In (i, j) ms -> i < j < 3 * m /\ ~ In (Rcv i) (labs j p)) -> allowed (3 * m) (learnt p) ms.
Proof.
  intros B. induction ms as [|[i j] ms IH] using rev_ind; intro H; [exact I|]. apply allowed_app. split.
  - apply IH. intros. apply H, in_or_app. auto.
  - destruct (H i j) as [Lt No]; [apply in_or_app; simpl; auto|]. simpl. repeat split; try lia.
    apply after_grows. intros y Hy. now apply nth_error_In in Hy.
Qed.

Lemma teaches_first : teaches (3 * m) [] to_relays (transmissions to_relays).
Proof.
  apply teaches_all.
  - intros i j. reflexivity.
  - intros i [].
  - apply nothing_dead_free.
  - apply upward_allowed; [intros i j; reflexivity|]. intros i j H. apply to_relays_spec in H. split; [lia|intros []].
Qed.

Lemma teaches_second : teaches (3 * m) (transmissions to_relays) from_relays (transmissions from_relays).
Proof.
  destruct teaches_first as [B N _ D _ _]. apply teaches_all; auto. apply upward_allowed; auto.
  intros b c H. apply from_relays_spec in H. split; [lia|].
  intro R. apply transmissions_receive, to_relays_spec in R. lia.
Qed.

Lemma relay_within : within (3 * m) relay.
Proof.
  destruct teaches_first as [_ _ W _ _ _], teaches_second as [_ _ W' _ _ _].
  intros a H. apply in_app_or in H as [H|H]; [now apply W|now apply W'].
Qed.
Lemma relay_balanced : balanced relay.
Proof. destruct teaches_first as [B _ _ _ _ _], teaches_second as [B' _ _ _ _ _]. now apply balanced_app. Qed.
Lemma relay_dead_free : dead_free relay.
Proof. apply teaches_second. Qed.
Lemma relay_nofself : nofself relay.
Proof. apply teaches_second. Qed.
Lemma relay_bsl : BSL (3 * m) (straight_line_of relay) relay.
Proof. constructor; auto using acts_straight_line_of, relay_balanced, relay_nofself, relay_within, relay_dead_free. Qed.

(** ** Its signature *)

Lemma upward_causes x y : causes (fifo relay) x y -> fst x <= fst y.
Proof.
  induction 1 as [x [j y] [[E _]|(i & j' & R & D)]|]; [cbn [fst] in *; lia| |lia].
  assert (j' = j) by (destruct R; auto). subst j'.
  destruct (fifo_step_receive _ x j y i relay_balanced R D) as (z & -> & _ & Hy).
  apply nth_error_In in Hy. unfold relay in Hy. rewrite labs_app in Hy. simpl.
  apply in_app_or in Hy as [Hy|Hy]; apply transmissions_receive in Hy;
    [apply to_relays_spec in Hy|apply from_relays_spec in Hy]; lia.
Qed.

(** The receives of a relay [b] stay, and each leads to the end of every [c] to which it sends. *)
Lemma relay_edge a b c : a < m -> m <= b < 2 * m -> 2 * m <= c < 3 * m ->
  exists y, sig_rcv relay b a y /\ path relay (Ev b y) (Ld c).
Proof.
  intros Ha Hb Hc. destruct teaches_first as [B _ _ _ _ _], teaches_second as [_ _ _ _ _ T]. fold relay in T.
  assert (R : exists y, nth_error (labs b relay) y = Some (Rcv a)).
  { apply In_nth_error. unfold relay. rewrite labs_app. apply in_or_app. left. unfold labs. apply in_map_iff.
    exists (ARecv b a). split; auto. apply filter_In. split; [|apply Nat.eqb_refl].
    apply in_flat_map. exists (a, b). split; [now apply to_relays_spec|simpl; auto]. }
  destruct R as (y0 & R0). destruct (last_exists _ _ _ _ R0) as (y & Last & _). exists y. pose proof Last as [R _].
  pose proof (labs_lt _ _ _ _ R) as Ly. split; [split; auto|];
    (rewrite <- reaches_path; [|exact relay_balanced|exact relay_dead_free|exact Ly]).
  - intro C. apply upward_causes in C. simpl in C. lia.
  - apply (T c a b).
    + assert (I : In (b, c) from_relays) by (apply from_relays_spec; lia).
      apply in_split in I as (u & v & ->). rewrite after_app. apply (after_grows v). right. split; [reflexivity|].
      apply after_grows. intros z Hz. apply causes_order. now apply labs_lt in Hz.
    + unfold relay in R. rewrite labs_app in R.
      destruct (le_lt_dec (len (transmissions to_relays) b) y) as [G|G];
        [|now rewrite nth_error_app1 in R by (rewrite len_labs; auto)].
      rewrite nth_error_app2 in R by (rewrite len_labs; auto). exfalso.
      apply nth_error_In, transmissions_receive, from_relays_spec in R. lia.
Qed.
Lemma relay_edge_looked_at a b c : In (a, b, c) (list_prod to_relays (third 2)) ->
  exists y, sig_rcv relay b a y /\ looked_at (3 * m) relay (Ev b y) (Ld c).
Proof.
  intro H. apply in_prod_iff in H as [H Hc]. apply to_relays_spec in H as [Ha Hb]. apply third_spec in Hc.
  destruct (relay_edge a b c) as (y & S & P); try lia. exists y. split; auto. split; auto. left.
  exists a, b, y, c. repeat split; auto; try apply S. lia.
Qed.

(** Between which processes such an edge leads, and from whom its receive receives. *)
Definition ends_of (e : node * node) : proc * proc * proc :=
  match e with
  | (Ev b y, Ld c) => (match nth_error (labs b relay) y with Some (Rcv a) => a | _ => 0 end, b, c)
  | _ => (0, 0, 0)
  end.

Lemma relay_edges (es : list (node * node)) : (forall u v, looked_at (3 * m) relay u v -> In (u, v) es) ->
  m ^ 3 <= length es.
Proof.
  intro H. assert (E : length (list_prod to_relays (third 2)) = m ^ 3).
  { unfold to_relays, third. rewrite !prod_length, !seq_length. simpl. lia. }
  rewrite <- E, <- (map_length ends_of es). clear E. apply NoDup_incl_length.
  - unfold to_relays, third. repeat apply NoDup_pairs; apply seq_NoDup.
  - intros [[a b] c] I. destruct (relay_edge_looked_at a b c I) as (y & [[R _] _] & E).
    apply in_map_iff. exists (Ev b y, Ld c). split; [|now apply H]. simpl. now rewrite R.
Qed.
End Relay.

(** ** So no multiple of n^2 is enough *)

Lemma cubes_win K N : exists m, N <= 3 * m /\ K * (3 * m) ^ 2 < m ^ 3.
Proof. exists (9 * K + N + 1). simpl. nia. Qed.

(** _A signature has O(n^2) edges of those that deciding whether Q seals P looks at_, as printed: no. *)
Theorem signature_edges_as_printed_fails : ~ exists K N, forall n P l, N <= n -> BSL n P l ->
  exists es, length es <= K * n ^ 2 /\ forall u v, looked_at n l u v -> In (u, v) es.
Proof.
  intros (K & N & H). destruct (cubes_win K N) as (m & Large & Lt).
  destruct (H (3 * m) _ (relay m) Large (relay_bsl m)) as (es & Le & All).
  apply relay_edges in All. lia.
Qed.

(** _A signature has O(n^2) nodes and edges_, as printed: no. *)
Theorem signature_size_as_printed_fails : ~ exists K N, forall n P l, N <= n -> BSL n P l ->
  exists vs es, length vs + length es <= K * n ^ 2 /\
  (forall v, sig_node n l v -> In v vs) /\
  (forall u v, sig_node n l u -> sig_node n l v -> path l u v -> In (u, v) es).
Proof.
  intros (K & N & H). apply signature_edges_as_printed_fails. exists K, N. intros n P l Large Bsl.
  destruct (H n P l Large Bsl) as (vs & es & Le & _ & All). exists es. split; [lia|].
  intros u v [W [(i & j & y & k & R & -> & -> & Hk)|[(i & j & x & k & S & -> & -> & Hk)|
    (i & k & Hi & Hk & -> & ->)]]]; apply All; simpl; eauto.
Qed.
