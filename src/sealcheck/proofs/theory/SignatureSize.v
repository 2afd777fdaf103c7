(** * How large signatures are

    "It has size O(n^2)" (section 4).  Its nodes are that many: two dummies for each process, and at most one send and
    one receive for each channel.  Edges can be more.

    Theorems of the ledger: [signature_nodes], [signature_nodes_and_edges], [signature_edges_for_deciding]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Teaching.
Open Scope nat_scope.

(** The nodes that sig(P) has, of [n] processes. *)
Definition sig_node (n : nat) (l : list act) (v : node) : Prop :=
  match v with
  | Fd i | Ld i => i < n
  | Ev i x => (exists j, sig_snd l i j x) \/ (exists j, sig_rcv l i j x)
  end.

(** Where the first send and the last receive on a channel are, if there are any. *)
Definition first_at (l : list act) (i j : proc) : nat := nthpos (sndb j) (labs i l) 0.
Definition last_at (l : list act) (i j : proc) : nat :=
  nthpos (rcvb i) (labs j l) (length (filter (rcvb i) (labs j l)) - 1).

Lemma none_counted (f : label -> bool) l : (forall x a, nth_error l x = Some a -> f a = false) -> filter f l = [].
Proof.
  intro H. induction l as [|a l IH]; simpl; auto. rewrite (H 0 a eq_refl). apply IH. intros x b E.
  exact (H (S x) b E).
Qed.
Lemma first_send_at l i j x : first_send l i j x -> x = first_at l i j.
Proof.
  intros [H M]. unfold first_at. rewrite <- (nthpos_count (sndb j) _ _ _ H) by now apply sndb_spec.
  rewrite none_counted; auto. intros y a E. destruct (sndb j a) eqn:F; auto. apply sndb_spec in F. subst a.
  assert (L : y < x).
  { assert (y < length (firstn x (labs i l))) by (apply nth_error_Some; congruence). rewrite firstn_length in *. lia. }
  assert (E' : nth_error (labs i l) y = Some (Snd j)).
  { rewrite <- (firstn_skipn x (labs i l)), nth_error_app1; auto. apply nth_error_Some. congruence. }
  specialize (M y E'). lia.
Qed.
Lemma last_receive_at l i j y : last_receive l j i y -> y = last_at l i j.
Proof.
  intros [H M]. unfold last_at. rewrite <- (nthpos_count (rcvb i) _ _ _ H) by now apply rcvb_spec. f_equal.
  assert (Ly : y < length (labs j l)) by (apply nth_error_Some; congruence).
  assert (None : filter (rcvb i) (skipn (S y) (labs j l)) = []).
  { apply none_counted. intros x a E. destruct (rcvb i a) eqn:F; auto. apply rcvb_spec in F. subst a.
    assert (E' : nth_error (labs j l) (S y + x) = Some (Rcv i)).
    { rewrite <- (firstn_skipn (S y) (labs j l)), nth_error_app2; rewrite firstn_length_le by lia; [|lia].
      now replace (S y + x - S y) with x by lia. }
    specialize (M _ E'). lia. }
  rewrite (firstn_split_nth _ _ _ H) at 2. rewrite filter_app, app_length. cbn [filter rcvb].
  rewrite Nat.eqb_refl, None. simpl. lia.
Qed.

(** Channels that a program of [n] processes names are below [n]. *)
Lemma named_below n l i a x : within n l -> nth_error (labs i l) x = Some a ->
  match a with Snd j | Rcv j => i < n /\ j < n | Int => True end.
Proof.
  intros W H. apply nth_error_In in H. apply in_map_iff in H as (b & <- & H). apply filter_In in H as [H E].
  apply Nat.eqb_eq in E. specialize (W b H). destruct b; simpl in *; subst; tauto.
Qed.

Section Size.
Variables (n : nat) (l : list act).
Hypothesis W : within n l.
Let channels := list_prod (seq 0 n) (seq 0 n).
Definition sends_of := map (fun c => Ev (fst c) (first_at l (fst c) (snd c))) channels.
Definition receives_of := map (fun c => Ev (snd c) (last_at l (fst c) (snd c))) channels.
Definition nodes_of := map Fd (seq 0 n) ++ map Ld (seq 0 n) ++ sends_of ++ receives_of.

Lemma below_channel i j : i < n -> j < n -> In (i, j) channels.
Proof. intros. apply in_prod; apply in_seq; lia. Qed.
Lemma send_listed i j x : sig_snd l i j x -> In (Ev i x) sends_of.
Proof.
  intros [F _]. pose proof F as [H _]. apply (named_below n) in H as [Hi Hj]; auto. apply first_send_at in F. subst x.
  apply in_map_iff. exists (i, j). split; auto. now apply below_channel.
Qed.
Lemma receive_listed i j y : sig_rcv l j i y -> In (Ev j y) receives_of.
Proof.
  intros [F _]. pose proof F as [H _]. apply (named_below n) in H as [Hj Hi]; auto. apply last_receive_at in F. subst y.
  apply in_map_iff. exists (i, j). split; auto. now apply below_channel.
Qed.
Lemma nodes_listed v : sig_node n l v -> In v nodes_of.
Proof.
  unfold nodes_of. rewrite !in_app_iff, !in_map_iff. destruct v as [i|i x|i]; simpl.
  - intro H. left. exists i. split; auto. apply in_seq. lia.
  - intros [[j H]|[j H]]; [apply send_listed in H|apply receive_listed in H]; auto.
  - intro H. right. left. exists i. split; auto. apply in_seq. lia.
Qed.
Lemma nodes_length : length nodes_of = 2 * n + 2 * n * n.
Proof.
  unfold nodes_of, sends_of, receives_of, channels. rewrite !app_length, !map_length, prod_length, seq_length. lia.
Qed.
End Size.

(** _A signature has O(n^2) nodes_: no more than 4 n^2. *)
Theorem signature_nodes : forall n l, within n l -> exists vs, length vs <= 4 * n ^ 2 /\
  forall v, sig_node n l v -> In v vs.
Proof.
  intros n l W. exists (nodes_of n l). split; [rewrite nodes_length; simpl; nia|now apply nodes_listed].
Qed.

(** _A signature has O(n^4) nodes and edges_: no more than 20 n^4. *)
Theorem signature_nodes_and_edges : forall n l, within n l -> exists vs es, length vs + length es <= 20 * n ^ 4 /\
  (forall v, sig_node n l v -> In v vs) /\
  (forall u v, sig_node n l u -> sig_node n l v -> path l u v -> In (u, v) es).
Proof.
  intros n l W. exists (nodes_of n l), (list_prod (nodes_of n l) (nodes_of n l)). split; [|split].
  - rewrite prod_length, nodes_length. destruct n as [|n]; [simpl; lia|].
    assert (E : 2 * S n + 2 * S n * S n <= 4 * (S n * S n)) by nia. set (m := S n * S n) in *.
    replace (S n ^ 4) with (m * m) by (unfold m; simpl; nia). assert (1 <= m) by (unfold m; nia). nia.
  - now apply nodes_listed.
  - intros u v Hu Hv _. apply in_prod; now apply nodes_listed.
Qed.

(** The edges that deciding whether Q seals P looks at: from a receive to an Ld_k, from an Fd_k to a send, and from an
    Fd_k to an Ld_i. *)
Definition looked_at (n : nat) (l : list act) (u v : node) : Prop := path l u v /\
  ((exists i j y k, sig_rcv l j i y /\ u = Ev j y /\ v = Ld k /\ k < n) \/
   (exists i j x k, sig_snd l i j x /\ u = Fd k /\ v = Ev i x /\ k < n) \/
   (exists i k, i < n /\ k < n /\ u = Fd k /\ v = Ld i)).

(** _A signature has O(n^3) edges of those that deciding whether Q seals P looks at_: no more than 3 n^3. *)
Theorem signature_edges_for_deciding : forall n l, within n l -> exists es, length es <= 3 * n ^ 3 /\
  forall u v, looked_at n l u v -> In (u, v) es.
Proof.
  intros n l W. exists (list_prod (receives_of n l) (map Ld (seq 0 n)) ++ list_prod (map Fd (seq 0 n)) (sends_of n l) ++
    list_prod (map Fd (seq 0 n)) (map Ld (seq 0 n))). split.
  - rewrite !app_length, !prod_length. unfold sends_of, receives_of. rewrite !map_length, !prod_length, !seq_length.
    simpl. nia.
  - assert (F : forall k, k < n -> In (Fd k) (map Fd (seq 0 n))) by (intros k H; apply in_map, in_seq; lia).
    assert (L : forall k, k < n -> In (Ld k) (map Ld (seq 0 n))) by (intros k H; apply in_map, in_seq; lia).
    intros u v [_ [(i & j & y & k & R & -> & -> & H)|[(i & j & x & k & R & -> & -> & H)|(i & k & Hi & Hk & -> & ->)]]];
      rewrite !in_app_iff.
    + left. apply in_prod; eauto using receive_listed.
    + right. left. apply in_prod; eauto using send_listed.
    + right. right. apply in_prod; auto.
Qed.
