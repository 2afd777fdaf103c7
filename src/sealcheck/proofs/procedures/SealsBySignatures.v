(** * Is-Seal: deciding from signatures whether Q seals P

    The appendix's procedure, with its slips mended: line 1 assigns E_P, and line 7 looks for e, which line 4 computes.
    It is given the signatures as lists of nodes and edges, and what it answers is compared with the definition: the
    silent cut before P . Q refines P . Q with the silent cut after P.  It also counts the edges that it looks for.

    Theorems of the ledger: [definitions_agree_seals]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix DecideSealing Teaching SignaturesCompose.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

(** ** Signatures as data *)

(** The nodes that stay, by name, and where they are; of the processes 0 to n - 1. *)
Definition stands_at (l : list act) (a : name) (u : node) : Prop :=
  match a with
  | NFd i => u = Fd i
  | NLd i => u = Ld i
  | NSnd i j => exists x, u = Ev i x /\ sig_snd l i j x
  | NRcv j i => exists y, u = Ev j y /\ sig_rcv l j i y
  end.
Definition name_among (n : nat) (a : name) : Prop :=
  match a with NFd i | NLd i => i < n | NSnd i j | NRcv j i => i < n /\ j < n end.
Definition is_node_within (n : nat) (l : list act) (a : name) := name_among n a /\ exists u, stands_at l a u.
Definition is_edge_within (n : nat) (l : list act) (a b : name) :=
  is_node_within n l a /\ is_node_within n l b /\ exists u v, stands_at l a u /\ stands_at l b v /\ path l u v.

(** The graph (V, E) is sig (P). *)
Definition name_graph := (list name * list (name * name))%type.
Record is_signature_within (n : nat) (l : list act) (g : name_graph) : Prop := {
  nodes_within : forall a, In a (fst g) <-> is_node_within n l a;
  edges_within : forall a b, In (a, b) (snd g) <-> is_edge_within n l a b
}.

(** There is one: of finitely many names, some are those of its nodes. *)
Lemma those_of {A} (P : A -> Prop) l : exists l', forall a, In a l' <-> In a l /\ P a.
Proof.
  induction l as [|a l [l' IH]]; [exists []; simpl; tauto|].
  destruct (classic (P a)) as [Y|N]; [exists (a :: l')|exists l']; intro b; simpl; rewrite IH; intuition congruence.
Qed.
Definition names (n : nat) : list name :=
  map NFd (seq 0 n) ++ map NLd (seq 0 n) ++ map (fun c => NSnd (fst c) (snd c)) (list_prod (seq 0 n) (seq 0 n)) ++
  map (fun c => NRcv (fst c) (snd c)) (list_prod (seq 0 n) (seq 0 n)).
Lemma named_among n a : name_among n a -> In a (names n).
Proof.
  unfold names. rewrite !in_app_iff, !in_map_iff. destruct a as [i|i|i j|j i]; simpl; intro H.
  - left. exists i. split; auto. apply in_seq. lia.
  - right. left. exists i. split; auto. apply in_seq. lia.
  - right. right. left. exists (i, j). split; auto. apply in_prod; apply in_seq; lia.
  - right. right. right. exists (j, i). split; auto. apply in_prod; apply in_seq; lia.
Qed.
Lemma signature_within_exists n l : exists g, is_signature_within n l g.
Proof.
  destruct (those_of (is_node_within n l) (names n)) as [vs V].
  destruct (those_of (fun e => is_edge_within n l (fst e) (snd e)) (list_prod (names n) (names n))) as [es E].
  exists (vs, es). split; simpl.
  - intro a. rewrite V. split; [tauto|]. intro H. split; [apply named_among, H|exact H].
  - intros a b. rewrite E, in_prod_iff. simpl. split; [tauto|]. intro H. split; [|exact H].
    destruct H as ([A _] & [B _] & _). split; now apply named_among.
Qed.

Definition name_eq_dec (a b : name) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition edge_dec (x y : name * name) : {x = y} + {x <> y}.
Proof. decide equality; apply name_eq_dec. Defined.
Definition has_name (g : name_graph) (a : name) : bool := if in_dec name_eq_dec a (fst g) then true else false.
Definition joins (g : name_graph) (a b : name) : bool := if in_dec edge_dec (a, b) (snd g) then true else false.

(** ** The procedure *)

(** An answer, and how often an edge was looked for.  Of "or" and "and", the second side is left out where the first one
    tells. *)
Definition counted := (bool * nat)%type.
Definition either_counted (x y : counted) : counted := if fst x then x else (fst y, snd x + snd y).
Definition both_counted (x y : counted) : counted := if fst x then (fst y, snd x + snd y) else x.
Definition look (g : name_graph) (a b : name) : counted := (joins g a b, 1).

Section Procedure.
Variables (n : nat) (gp gq : name_graph).

(** "e <- snd i->j if snd i->j in V_Q, Ld_i otherwise" *)
Definition target (i j : proc) : name := if has_name gq (NSnd i j) then NSnd i j else NLd i.
(** "For k <> i do safe <- safe or ((rcv j<-i, Ld_k) in E_P and (Fd_k, e) in E_Q)" *)
Definition safe_by (i j k : proc) : counted :=
  if k =? i then (false, 0) else both_counted (look gp (NRcv j i) (NLd k)) (look gq (NFd k) (target i j)).
Definition is_safe_by (i j : proc) : counted :=
  fold_left (fun s k => either_counted s (safe_by i j k)) (seq 0 n) (false, 0).
(** "For (i, j), i <> j, such that rcv j<-i in V_P" *)
Definition channel_safe (c : proc * proc) : counted :=
  if negb (fst c =? snd c) && has_name gp (NRcv (snd c) (fst c)) then is_safe_by (fst c) (snd c) else (true, 0).
(** "If not safe then return false", and "return true" at the end. *)
Fixpoint channels_safe (cs : list (proc * proc)) : counted :=
  match cs with [] => (true, 0) | c :: cs => both_counted (channel_safe c) (channels_safe cs) end.
Definition is_seal : counted := channels_safe (list_prod (seq 0 n) (seq 0 n)).

(** What it answers. *)
Lemma fst_either_counted x y : fst (either_counted x y) = fst x || fst y.
Proof. unfold either_counted. now destruct (fst x) eqn:E. Qed.
Lemma fst_both_counted x y : fst (both_counted x y) = fst x && fst y.
Proof. unfold both_counted. now destruct (fst x) eqn:E. Qed.
Lemma fst_any {A} (f : A -> counted) l s :
  fst (fold_left (fun s k => either_counted s (f k)) l s) = fst s || existsb (fun k => fst (f k)) l.
Proof.
  revert s. induction l as [|k l IH]; intro s; simpl; [now rewrite orb_false_r|].
  now rewrite IH, fst_either_counted, orb_assoc.
Qed.
Lemma fst_channels cs : fst (channels_safe cs) = forallb (fun c => fst (channel_safe c)) cs.
Proof. induction cs as [|c cs IH]; auto. simpl. now rewrite fst_both_counted, IH. Qed.

Lemma has_name_spec g a : has_name g a = true <-> In a (fst g).
Proof. unfold has_name. destruct (in_dec _ _ _); split; auto; discriminate. Qed.
Lemma joins_spec g a b : joins g a b = true <-> In (a, b) (snd g).
Proof. unfold joins. destruct (in_dec _ _ _); split; auto; discriminate. Qed.
Lemma safe_by_spec i j k : fst (safe_by i j k) = true <->
  k <> i /\ In (NRcv j i, NLd k) (snd gp) /\ In (NFd k, target i j) (snd gq).
Proof.
  unfold safe_by. destruct (Nat.eqb_spec k i) as [->|N]; [simpl; intuition congruence|].
  rewrite fst_both_counted. simpl. rewrite andb_true_iff, !joins_spec. tauto.
Qed.
Lemma safe_spec i j : fst (is_safe_by i j) = true <->
  exists k, k < n /\ k <> i /\ In (NRcv j i, NLd k) (snd gp) /\ In (NFd k, target i j) (snd gq).
Proof.
  unfold is_safe_by. rewrite fst_any. simpl. rewrite existsb_exists.
  split; intros (k & A & B); exists k; [apply in_seq in A; apply safe_by_spec in B|rewrite in_seq, safe_by_spec];
    intuition lia.
Qed.
Lemma is_seal_answers : fst is_seal = true <-> forall i j, i < n -> j < n -> i <> j -> In (NRcv j i) (fst gp) ->
  exists k, k < n /\ k <> i /\ In (NRcv j i, NLd k) (snd gp) /\ In (NFd k, target i j) (snd gq).
Proof.
  unfold is_seal. rewrite fst_channels, forallb_forall. split.
  - intros H i j Hi Hj N I. apply safe_spec. specialize (H (i, j)). unfold channel_safe in H. simpl in H.
    apply has_name_spec in I. apply Nat.eqb_neq in N. rewrite I, N in H. apply H, in_prod; apply in_seq; lia.
  - intros H [i j] I. apply in_prod_iff in I as [Hi Hj]. apply in_seq in Hi, Hj. unfold channel_safe. simpl.
    destruct (Nat.eqb_spec i j) as [->|N]; auto. destruct (has_name gp (NRcv j i)) eqn:E; auto. simpl.
    apply has_name_spec in E. apply safe_spec, H; auto; lia.
Qed.
End Procedure.

(** ** It answers the condition of th:decide.sealing *)

Lemma sig_rcv_unique l j i y z : sig_rcv l j i y -> sig_rcv l j i z -> y = z.
Proof. intros [[A B] _] [[C D] _]. specialize (B z C). specialize (D y A). lia. Qed.
Lemma sig_snd_unique l i j x z : sig_snd l i j x -> sig_snd l i j z -> x = z.
Proof. intros [[A B] _] [[C D] _]. specialize (B z C). specialize (D x A). lia. Qed.

(** Paths stay among the processes. *)
Lemma path_among n l u v : within n l -> path l u v -> owner u < n -> owner v < n.
Proof.
  intros W. induction 1 as [u v E|]; [|auto]. destruct E as [| | | |i j x y _ Hy _]; simpl; auto.
  apply (SignatureSize.named_below n) in Hy; tauto.
Qed.

Section Answer.
Variables (n : nat) (p q : list act) (gp gq : name_graph).
Hypotheses (Wp : within n p) (Wq : within n q) (Bp : balanced p) (Np : nofself p).
Hypotheses (Sp : is_signature_within n p gp) (Sq : is_signature_within n q gq).

Lemma receive_node i j y : sig_rcv p j i y -> i < n /\ j < n /\ i <> j /\ In (NRcv j i) (fst gp).
Proof.
  intro S. pose proof S as [[R _] _]. pose proof (SignatureSize.named_below n p j _ y Wp R) as [Hj Hi].
  split; [exact Hi|split; [exact Hj|split]].
  - intros <-. destruct (fifo_match p i i y Bp R) as (x & _ & Hx & _). apply nth_error_In in Hx. now apply Np in Hx.
  - apply (nodes_within n p gp Sp). split; [simpl; auto|]. exists (Ev j y), y. auto.
Qed.
Lemma target_spec i j k : i < n -> k < n -> In (NFd k, target gq i j) (snd gq) <->
  path q (Fd k) (Ld i) /\ forall x, sig_snd q i j x -> path q (Fd k) (Ev i x).
Proof.
  intros Hi Hk. unfold target. rewrite (edges_within n q gq Sq). destruct (has_name gq (NSnd i j)) eqn:E.
  - apply has_name_spec, (nodes_within n q gq Sq) in E as [A (u & x & -> & S)]. split.
    + intros (_ & _ & u & v & -> & (z & -> & Z) & P). split.
      * eapply t_trans; [exact P|]. apply t_step, E_last. destruct Z as [[Hz _] _]. now apply labs_lt in Hz.
      * intros w Hw. now rewrite (sig_snd_unique q i j w z Hw Z).
    + intros [_ H]. split; [split; [exact Hk|now exists (Fd k)]|split; [split; [exact A|exists (Ev i x), x; auto]|]].
      exists (Fd k), (Ev i x). split; [reflexivity|split; [exists x; auto|auto]].
  - assert (No : forall x, ~ sig_snd q i j x).
    { intros x S. assert (I : has_name gq (NSnd i j) = true); [|congruence]. apply has_name_spec,
      (nodes_within n q gq Sq).
      pose proof S as [[Hx _] _]. apply (SignatureSize.named_below n q i _ x Wq) in Hx.
      split; [exact Hx|]. exists (Ev i x), x. auto. }
    split.
    + intros (_ & _ & u & v & -> & -> & P). split; [exact P|]. intros x S. destruct (No x S).
    + intros [P _]. split; [split; [exact Hk|now exists (Fd k)]|split; [split; [exact Hi|now exists (Ld i)]|]].
      now exists (Fd k), (Ld i).
Qed.
Lemma receive_edge i j y k : sig_rcv p j i y -> k < n ->
  (In (NRcv j i, NLd k) (snd gp) <-> path p (Ev j y) (Ld k)).
Proof.
  intros S Hk. rewrite (edges_within n p gp Sp). destruct (receive_node i j y S) as (_ & _ & _ & I).
  apply (nodes_within n p gp Sp) in I. split.
  - intros (_ & _ & u & v & (z & -> & Z) & -> & P). now rewrite (sig_rcv_unique p j i y z S Z).
  - intro P. split; [exact I|split; [split; [exact Hk|now exists (Ld k)]|]]. exists (Ev j y), (Ld k).
    split; [exists y; auto|now split].
Qed.

Lemma is_seal_spec : fst (is_seal n gp gq) = true <-> signatures_seal p q.
Proof.
  rewrite is_seal_answers. split.
  - intros H i j y S. destruct (receive_node i j y S) as (Hi & Hj & N & I).
    destruct (H i j Hi Hj N I) as (k & Hk & _ & A & B). exists k. split; [now apply (receive_edge i j y k S)|].
    now apply target_spec.
  - intros H i j Hi Hj N I. apply (nodes_within n p gp Sp) in I as [_ (u & y & -> & S)].
    destruct (H i j y S) as (k & P & T).
    assert (Hk : k < n) by exact (path_among n p _ _ Wp P Hj).
    exists k. split; [exact Hk|split; [|split]].
    + intros ->. destruct S as [_ No]. contradiction.
    + now apply (receive_edge i j y k S).
    + now apply target_spec.
Qed.
End Answer.

(** _For BSLs P and Q, the silent cut before P . Q refines P . Q with the silent cut after P exactly if Is-Seal, its
    slips mended, says of the signatures of P and Q that Q seals P_. *)
Theorem definitions_agree_seals : forall n P Q p q gp gq, BSL n P p -> BSL n Q q ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof.
  intros n P Q p q gp gq [HP Bp Np Wp Dp] [HQ Bq Nq Wq Dq] Sp Sq. rewrite (is_seal_spec n p q gp gq); auto.
  apply (decide_sealing P Q p q); auto; [now apply nofself_app|now apply dead_free_app].
Qed.
