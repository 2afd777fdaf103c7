(** * Deciding, and composing signatures, costs more than O(n^2)

    "For BSLs P and Q, sig (P . Q) can be obtained from their respective signatures at a cost of O(n^2)."  "The
    complexity of deciding whether Q seals P, given their signatures, is obviously determined by the size of P's
    signature, which we recall is O(n^2)" (section 4).

    As in [LargeSignatures], m processes send to m relays, and these to m more.  Of the layers, neither has an edge from
    a receive of a relay to the end of one of the last m, and the whole has m^3 of these: they have to be written,
    whatever the algorithm, one in a step.  If then the last process of all sends to the first m, Is-Seal looks, for each of m^2
    receives, at all processes before the last one.

    Theorems of the ledger: [compose_cost_as_printed_fails], [compose_for_deciding_cost_as_printed_fails],
    [decide_cost_as_printed_fails], [decide_cost]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing NoBarrier Prefix Knowledge Teaching.
From Sealcheck Require Import SignaturesCompose Counting LargeSignatures Transmissions SealsBySignatures IsSeal.
Open Scope nat_scope.

(** A list has as many members as another one without repetitions whose members it has. *)
Lemma sum_at_least {A} (f : A -> nat) (c : nat) (sub l : list A) : NoDup sub -> incl sub l ->
  (forall a, In a sub -> c <= f a) -> c * length sub <= list_sum (map f l).
Proof.
  intros N I F. assert (L : length sub <= length (filter (fun a => c <=? f a) l)).
  { apply NoDup_incl_length; auto. intros a Ha. apply filter_In. split; auto. apply Nat.leb_le. auto. }
  assert (S : c * length (filter (fun a => c <=? f a) l) <= list_sum (map f l)); [|nia].
  clear. induction l as [|a l IH]; simpl; [lia|]. destruct (c <=? f a) eqn:E; simpl; [apply Nat.leb_le in E|]; lia.
Qed.

(** ** Composing *)

(** The edges that deciding whether Q seals P looks at. *)
Definition for_deciding (a b : name) : Prop :=
  match a, b with NRcv _ _, NLd _ | NFd _, NSnd _ _ | NFd _, NLd _ => True | _, _ => False end.

Section Relays.
Variable m : nat.
Let first : list act := transmissions (to_relays m).
Let second : list act := transmissions (from_relays m).

Lemma relays_bsl : BSL (3 * m) (straight_line_of first) first /\ BSL (3 * m) (straight_line_of second) second.
Proof.
  pose proof (acts_straight_line_of first) as A. pose proof (acts_straight_line_of second) as A'.
  destruct (teaches_first m) as [B _ _ _ _ _], (teaches_second m) as [B' _ _ _ _ _].
  apply bsl_layers; auto. constructor; [now apply lay_straight|apply relay_balanced|apply relay_nofself|
    apply relay_within|apply relay_dead_free].
Qed.

(** What ends at a process in a layer comes from it, or it does something there. *)
Lemma nonempty_path_to_end l u c : path l u (Ld c) -> (forall k, u <> Fd k) -> 0 < len l c.
Proof.
  intros P N.
  remember (Ld c) as v eqn:V. revert V. induction P as [u v E|u w v P1 IH1 P2 IH2]; intros ->.
  - inversion E; subst; [lia|]. destruct (N c eq_refl).
  - apply IH2; auto. intros k ->. clear - P1. remember (Fd k) as w eqn:W. revert W.
    induction P1 as [u v E|]; intros ->; auto. inversion E.
Qed.
Lemma last_third_waits c : 2 * m <= c < 3 * m -> len first c = 0.
Proof.
  intro Hc. rewrite <- len_labs. destruct (labs c first) as [|[j|i|] ls] eqn:E; auto; exfalso.
  - assert (I : In (Snd j) (labs c first)) by (rewrite E; simpl; auto).
    apply transmissions_send, to_relays_spec in I. lia.
  - assert (I : In (Rcv i) (labs c first)) by (rewrite E; simpl; auto).
    apply transmissions_receive, to_relays_spec in I. lia.
  - assert (I : In Int (labs c first)) by (rewrite E; simpl; auto). unfold labs in I.
    apply in_map_iff in I as (a & A & I). apply filter_In in I as [I _].
    apply in_flat_map in I as ([x y] & _ & [<-|[<-|[]]]); discriminate.
Qed.

Lemma new_edge a b c : a < m -> m <= b < 2 * m -> 2 * m <= c < 3 * m ->
  is_edge_within (3 * m) (relay m) (NRcv b a) (NLd c) /\ ~ is_edge_within (3 * m) first (NRcv b a) (NLd c) /\
  ~ is_edge_within (3 * m) second (NRcv b a) (NLd c).
Proof.
  intros Ha Hb Hc. split; [|split].
  - destruct (relay_edge m a b c Ha Hb Hc) as (y & S & P). split; [|split].
    + split; [simpl; lia|]. exists (Ev b y), y. auto.
    + split; [simpl; lia|]. now exists (Ld c).
    + exists (Ev b y), (Ld c). split; [exists y; auto|now split].
  - intros (_ & _ & u & v & (y & -> & _) & -> & P). apply nonempty_path_to_end in P; [|discriminate].
    rewrite last_third_waits in P; lia.
  - intros ([_ (u & y & _ & [[R _] _])] & _). apply nth_error_In, transmissions_receive, from_relays_spec in R. lia.
Qed.

Definition ends_of_names (e : name * name) : proc * proc * proc :=
  match e with (NRcv b a, NLd c) => (a, b, c) | _ => (0, 0, 0) end.
Lemma new_edges (es : list (name * name)) : (forall a b, for_deciding a b -> is_edge_within (3 * m) (relay m) a b ->
  ~ is_edge_within (3 * m) first a b -> ~ is_edge_within (3 * m) second a b -> In (a, b) es) -> m ^ 3 <= length es.
Proof.
  intro H. assert (E : length (list_prod (to_relays m) (third m 2)) = m ^ 3).
  { unfold to_relays, third. rewrite !prod_length, !seq_length. simpl. lia. }
  rewrite <- E, <- (map_length ends_of_names es). clear E. apply NoDup_incl_length.
  - unfold to_relays, third. repeat apply NoDup_pairs; apply seq_NoDup.
  - intros [[a b] c] I. apply in_prod_iff in I as [I Hc]. apply to_relays_spec in I as [Ha Hb]. apply third_spec in Hc.
    destruct (new_edge a b c) as (A & B & C); try lia. apply in_map_iff. exists (NRcv b a, NLd c). split; auto.
    apply H; simpl; auto.
Qed.
End Relays.

(** _The edges of sig(P . Q) that deciding sealing looks at can be obtained from sig(P) and sig(Q) at a cost_ of O(n^2),
    as printed: no multiple of n^2 bounds those that neither of these has. *)
Theorem compose_for_deciding_cost_as_printed_fails : ~ exists K N, forall n P Q p q, N <= n -> BSL n P p -> BSL n Q q ->
  exists es, length es <= K * n ^ 2 /\ forall a b, for_deciding a b ->
    is_edge_within n (p ++ q) a b -> ~ is_edge_within n p a b -> ~ is_edge_within n q a b -> In (a, b) es.
Proof.
  intros (K & N & H). destruct (cubes_win K N) as (m & Large & Lt).
  destruct (relays_bsl m) as [F S].
  destruct (H (3 * m) _ _ _ _ Large F S) as (es & Le & All). apply new_edges in All. lia.
Qed.

(** _sig(P . Q) can be obtained from sig(P) and sig(Q) at a cost_ of O(n^2), as printed: nor those of all edges. *)
Theorem compose_cost_as_printed_fails : ~ exists K N, forall n P Q p q, N <= n -> BSL n P p -> BSL n Q q ->
  exists es, length es <= K * n ^ 2 /\ forall a b,
    is_edge_within n (p ++ q) a b -> ~ is_edge_within n p a b -> ~ is_edge_within n q a b -> In (a, b) es.
Proof.
  intros (K & N & H). apply compose_for_deciding_cost_as_printed_fails. exists K, N. intros n P Q p q Large Bp Bq.
  destruct (H n P Q p q Large Bp Bq) as (es & Le & All). eauto.
Qed.

(** ** Deciding *)

Section Lookups.
Variables (n : nat) (gp gq : name_graph).

(** While nothing has been found, every pair of edges costs a look at least. *)
Lemma looks_without_success {A} (f : A -> counted) l s : fst s = false -> (forall k, In k l -> fst (f k) = false) ->
  fst (fold_left (fun s k => either_counted s (f k)) l s) = false /\
  snd (fold_left (fun s k => either_counted s (f k)) l s) = snd s + list_sum (map (fun k => snd (f k)) l).
Proof.
  revert s. induction l as [|k l IH]; intros s F H; simpl; [auto|].
  destruct (IH (either_counted s (f k))) as [A1 A2].
  - rewrite fst_either_counted, F. apply H. simpl. auto.
  - intros k' I. apply H. simpl. auto.
  - split; [exact A1|]. rewrite A2. unfold either_counted. rewrite F. simpl. lia.
Qed.
Lemma looks_grow {A} (f : A -> counted) l s : snd s <= snd (fold_left (fun s k => either_counted s (f k)) l s).
Proof.
  revert s. induction l as [|k l IH]; intro s; simpl; [lia|]. specialize (IH (either_counted s (f k))).
  unfold either_counted in *. destruct (fst s); simpl in *; lia.
Qed.
Lemma channels_looks cs rest : (forall c, In c cs -> fst (channel_safe n gp gq c) = true) ->
  list_sum (map (fun c => snd (channel_safe n gp gq c)) cs) <= snd (channels_safe n gp gq (cs ++ rest)).
Proof.
  induction cs as [|c cs IH]; intro H; simpl; [lia|]. unfold both_counted at 1. rewrite H by (simpl; auto). simpl.
  apply Nat.add_le_mono_l, IH. intros c' I. apply H. simpl. auto.
Qed.
End Lookups.

Section Spread.
Variable m : nat.
Let last : proc := 3 * m - 1.
Definition spread : list (proc * proc) := map (fun a => (3 * m - 1, a)) (seq 0 m).
Let n : nat := 3 * m.
Let q : list act := transmissions spread.

Lemma spread_spec i j : In (i, j) spread <-> i = last /\ j < m.
Proof.
  unfold spread. rewrite in_map_iff. split.
  - intros (a & E & H). injection E as <- <-. apply in_seq in H. fold last. lia.
  - intros [-> H]. exists j. split; auto. apply in_seq. lia.
Qed.
Lemma transmissions_bsl ms : (forall i j, In (i, j) ms -> i <> j /\ i < n /\ j < n) ->
  BSL n (straight_line_of (transmissions ms)) (transmissions ms).
Proof.
  induction ms as [|[i j] ms IH]; intro H; [apply eps_bsl|].
  destruct IH as [A B N W D]; [intros a b I; apply H; simpl; auto|].
  destruct (H i j) as (Nij & Hi & Hj); [simpl; auto|]. destruct (message_bsl i j Nij n zero Hi Hj) as [_ B' N' W' D'].
  constructor; [apply acts_straight_line_of|now apply (balanced_app (mt_actions i j))|
    now apply (nofself_app (mt_actions i j))|now apply (within_app n (mt_actions i j))|
    now apply (dead_free_app (mt_actions i j))].
Qed.
Lemma spread_bsl : 1 <= m -> BSL n (straight_line_of q) q.
Proof. intro M. apply transmissions_bsl. intros i j H. apply spread_spec in H as [-> H]. unfold last, n. lia. Qed.

(** What leads from a process to another one begins at the last one. *)
Lemma path_keeps_owner u v : path q u v -> owner u <> last -> owner v = owner u.
Proof.
  induction 1 as [u v E|u w v P1 IH1 P2 IH2]; intro N.
  - destruct E as [| | | |i j x y Hx _ _]; auto. simpl in N. apply nth_error_In, transmissions_send, spread_spec in Hx.
    tauto.
  - rewrite IH2; [now apply IH1|]. now rewrite IH1.
Qed.
Lemma last_reaches a : 1 <= m -> a < m -> path q (Fd last) (Ld a).
Proof.
  intros M Ha. pose proof (bsl_balanced _ _ _ (spread_bsl M)) as B. assert (I : In (Rcv last) (labs a q)).
  { unfold labs. apply in_map_iff. exists (ARecv a last). split; auto. apply filter_In. split; [|apply Nat.eqb_refl].
    apply in_flat_map. exists (last, a). split; [now apply spread_spec|simpl; auto]. }
  apply In_nth_error in I as [y Hy]. destruct (fifo_match q last a y B Hy) as (x & _ & Hx & C).
  pose proof (labs_lt _ _ _ _ Hx). pose proof (labs_lt _ _ _ _ Hy).
  apply t_trans with (Ev last x); [now apply t_step, E_first|].
  apply t_trans with (Ev a y); [now apply t_step, E_msg|now apply t_step, E_last].
Qed.

Variables gp gq : name_graph.
Hypotheses (Sp : is_signature_within n (relay m) gp) (Sq : is_signature_within n q gq).

(** No process before the last one makes a channel safe from one of the first to a relay, ... *)
Lemma unsafe_before a b k : k < last -> fst (safe_by gp gq a b k) = false.
Proof.
  intro Hk. destruct (fst (safe_by gp gq a b k)) eqn:E; auto. exfalso. apply safe_by_spec in E as (N & _ & T).
  apply (edges_within n q gq Sq) in T as (_ & _ & u & v & -> & V & P). apply path_keeps_owner in P; [|simpl; lia].
  simpl in P. unfold target in V.
  destruct (has_name gq (NSnd a b)); [destruct V as (x & -> & _)|simpl in V; subst v]; simpl in P; lia.
Qed.
(** ... and the last one does. *)
Lemma first_safe a j : a < m -> fst (channel_safe n gp gq (a, j)) = true.
Proof.
  intro Ha. unfold channel_safe. simpl. destruct (negb _ && _) eqn:E; auto.
  apply andb_true_iff in E as [_ E]. apply has_name_spec, (nodes_within n (relay m) gp Sp) in E as
    [[_ Hj] (u & y & _ & S)].
  assert (M : 1 <= m) by lia. pose proof (bsl_within _ _ _ (spread_bsl M)) as Wq.
  pose proof S as [[R _] _]. apply nth_error_In in R. unfold relay in R. rewrite labs_app in R.
  apply in_app_or in R as [R|R]; apply transmissions_receive in R;
    [apply to_relays_spec in R as [_ R]|apply from_relays_spec in R; lia].
  destruct (relay_edge m a j last) as (z & S' & P); try (unfold last; lia).
  apply safe_spec. exists last. split; [unfold last, n; lia|split; [unfold last; lia|split]].
  - apply (receive_edge n (relay m) gp (relay_within m) (relay_balanced m) (relay_nofself m) Sp a j z); auto.
    unfold last, n. lia.
  - apply (target_spec n q gq Wq Sq a j last); [unfold n; lia|unfold last, n; lia|].
    split; [now apply last_reaches|]. intros x [[Hx _] _]. apply nth_error_In, transmissions_send, spread_spec in Hx.
    unfold last in Hx. lia.
Qed.

Lemma safe_looks a b : a < m -> m <= b < 2 * m -> m <= snd (channel_safe n gp gq (a, b)).
Proof.
  intros Ha Hb. unfold channel_safe. cbn [fst snd].
  destruct (relay_edge m a b last) as (z & S & _); try (unfold last; lia).
  destruct (receive_node n (relay m) gp (relay_within m) (relay_balanced m) (relay_nofself m) Sp a b z S)
    as (_ & _ & N & I).
  apply Nat.eqb_neq in N. apply has_name_spec in I. rewrite N, I. simpl. unfold is_safe_by.
  replace n with (2 * m + (n - 2 * m)) by (unfold n; lia). rewrite seq_app, fold_left_app.
  eapply Nat.le_trans; [|apply looks_grow].
  destruct (looks_without_success (safe_by gp gq a b) (seq 0 (2 * m)) (false, 0)) as [_ ->]; auto.
  - intros k Hk. apply in_seq in Hk. apply unsafe_before. unfold last. lia.
  - cbn [snd]. rewrite Nat.add_0_l. eapply Nat.le_trans; [|apply (sum_at_least _ 1 (seq m m)); [apply seq_NoDup| |]].
    + rewrite seq_length. lia.
    + intros k Hk. apply in_seq in Hk. apply in_seq. lia.
    + intros k Hk. apply in_seq in Hk. unfold safe_by. destruct (Nat.eqb_spec k a); [lia|]. unfold both_counted. simpl.
      destruct (joins _ _ _); simpl; lia.
Qed.
Lemma many_looks : m ^ 3 <= snd (is_seal n gp gq).
Proof.
  unfold is_seal. replace n with (m + 2 * m) at 2 by (unfold n; lia). rewrite seq_app.
  assert (E : forall l l' r : list nat, list_prod (l ++ l') r = list_prod l r ++ list_prod l' r).
  { induction l as [|x l IH]; intros; simpl; auto. now rewrite IH, app_assoc. }
  rewrite E. eapply Nat.le_trans; [|apply channels_looks].
  - eapply Nat.le_trans; [|apply (sum_at_least _ m (list_prod (seq 0 m) (seq m m)))].
    + rewrite prod_length, !seq_length. simpl. lia.
    + apply NoDup_pairs; apply seq_NoDup.
    + intros [a b] H. apply in_prod_iff in H as [Ha Hb]. apply in_prod; [exact Ha|]. apply in_seq in Hb.
      apply in_seq. unfold n. lia.
    + intros [a b] H. apply in_prod_iff in H as [Ha Hb]. apply in_seq in Ha, Hb. apply safe_looks; lia.
  - intros [a j] H. apply in_prod_iff in H as [Ha _]. apply in_seq in Ha. apply first_safe. lia.
Qed.
End Spread.

(** _Given the signatures of P and Q, Is-Seal with its slips mended takes O(n^2) steps to decide whether Q seals P_, as
    printed: no multiple of n^2 bounds how often it looks for an edge. *)
Theorem decide_cost_as_printed_fails : ~ exists K N, forall n P Q p q gp gq, N <= n -> BSL n P p -> BSL n Q q ->
  is_signature_within n p gp -> is_signature_within n q gq -> snd (is_seal n gp gq) <= K * n ^ 2.
Proof.
  intros (K & N & H). destruct (cubes_win K N) as (m & Large & Lt).
  assert (M : 1 <= m) by (destruct m; simpl in Lt; lia).
  pose proof (relay_bsl m) as Bp. pose proof (spread_bsl m M) as Bq.
  destruct (signature_within_exists (3 * m) (relay m)) as [gp Sp].
  destruct (signature_within_exists (3 * m) (transmissions (spread m))) as [gq Sq].
  assert (L : snd (is_seal (3 * m) gp gq) <= K * (3 * m) ^ 2)
    by (apply (H (3 * m) _ _ (relay m) (transmissions (spread m)) gp gq Large Bp Bq); auto).
  pose proof (many_looks m gp gq Sp Sq). lia.
Qed.

(** Repaired: two edges for each process, and for each of the n^2 channels. *)
Section Looks.
Variables (n : nat) (gp gq : name_graph).

Lemma safe_by_at_most i j k : snd (safe_by gp gq i j k) <= 2.
Proof. unfold safe_by, both_counted, look. destruct (k =? i); simpl; [lia|]. destruct (joins gp _ _); simpl; lia. Qed.
Lemma safe_at_most i j : snd (is_safe_by n gp gq i j) <= 2 * n.
Proof.
  assert (F : forall ks s, snd (fold_left (fun s k => either_counted s (safe_by gp gq i j k)) ks s) <= snd s +
    2 * length ks).
  { induction ks as [|k ks IH]; intro s; simpl; [lia|]. eapply Nat.le_trans; [apply IH|].
    pose proof (safe_by_at_most i j k). unfold either_counted. destruct (fst s); simpl; lia. }
  unfold is_safe_by. eapply Nat.le_trans; [apply F|]. rewrite seq_length. simpl. lia.
Qed.
Lemma channels_at_most cs : snd (channels_safe n gp gq cs) <= length cs * (2 * n).
Proof.
  induction cs as [|c cs IH]; [apply Nat.le_0_l|]. pose proof (safe_at_most (fst c) (snd c)).
  assert (snd (channel_safe n gp gq c) <= 2 * n) by (unfold channel_safe; destruct (_ && _); cbn [snd]; lia).
  cbn [channels_safe length]. rewrite Nat.mul_succ_l. unfold both_counted. destruct (fst (channel_safe n gp gq c));
    cbn [snd]; lia.
Qed.

(** _Is-Seal with its slips mended looks for at most 2n^3 edges_, in whatever graphs. *)
Theorem decide_cost : snd (is_seal n gp gq) <= 2 * n ^ 3.
Proof.
  unfold is_seal. pose proof (channels_at_most (list_prod (seq 0 n) (seq 0 n))) as L.
  rewrite prod_length, seq_length in L. simpl. nia.
Qed.
End Looks.
