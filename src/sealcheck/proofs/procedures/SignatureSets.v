(** * Signatures as sets of processes

    Of a signature, deciding whether Q seals P looks at three kinds of edges: from a receive to an Ld_k, from an Fd_k to
    a send, and from an Fd_k to an Ld_i.  Here these are sets of processes, one for each receive, send, Fd_i and Ld_i.
    Deciding takes an intersection of two sets for each open channel, n^2 at most.  Composing takes a union for each
    member of a set, 4n^3 at most.

    Theorems of the ledger: [decide_by_sets_cost], [compose_by_sets_cost]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing Phases Teaching SignaturesCompose.
From Sealcheck Require Import SealsBySignatures.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

(** [members_reached i j]: the k with (rcv j<-i, Ld_k) in E, if rcv j<-i in V.
    [members_reaching i j]: the k with (Fd_k, snd i->j) in
    E, if snd i->j in V.  [ends i]: the k with (Fd_i, Ld_k) in E.  [starts i]: the k with (Fd_k, Ld_i) in E. *)
Record sets := {
  members_reached : proc -> proc -> option (list proc);
  members_reaching : proc -> proc -> option (list proc);
  ends : proc -> list proc;
  starts : proc -> list proc
}.

(** The set of those [k] with [R k], if there is the node. *)
Definition members_of (ks : list proc) (R : proc -> Prop) := NoDup ks /\ forall k, In k ks <-> R k.
Definition members_if (node : Prop) (ks : option (list proc)) (R : proc -> Prop) :=
  match ks with None => ~ node | Some ks => node /\ members_of ks R end.

(** These are the sets of sig (P), of n processes. *)
Definition are_sets (n : nat) (l : list act) (s : sets) := forall i j, i < n -> j < n ->
  members_if (is_node_within n l (NRcv j i)) (members_reached s i j) (fun k => is_edge_within n l (NRcv j i) (NLd k)) /\
  members_if (is_node_within n l (NSnd i j)) (members_reaching s i j) (fun k => is_edge_within n l (NFd k) (NSnd i j))
    /\
  members_of (ends s i) (fun k => is_edge_within n l (NFd i) (NLd k)) /\
  members_of (starts s i) (fun k => is_edge_within n l (NFd k) (NLd i)).

(** ** Edges are paths among the n processes *)

Lemma node_receive n l i j : is_node_within n l (NRcv j i) <-> i < n /\ j < n /\ exists y, sig_rcv l j i y.
Proof.
  split; [intros [[Hi Hj] (u & y & _ & S)]; eauto|]. intros (Hi & Hj & y & S). split; [simpl; auto|].
  exists (Ev j y), y. auto.
Qed.
Lemma node_send n l i j : is_node_within n l (NSnd i j) <-> i < n /\ j < n /\ exists x, sig_snd l i j x.
Proof.
  split; [intros [[Hi Hj] (u & x & _ & S)]; eauto|]. intros (Hi & Hj & x & S). split; [simpl; auto|].
  exists (Ev i x), x. auto.
Qed.
Lemma node_first n l i : is_node_within n l (NFd i) <-> i < n.
Proof. split; [intros [H _]; exact H|]. intro H. split; [exact H|now exists (Fd i)]. Qed.
Lemma node_last n l i : is_node_within n l (NLd i) <-> i < n.
Proof. split; [intros [H _]; exact H|]. intro H. split; [exact H|now exists (Ld i)]. Qed.

Section Edges.
Variables (n : nat) (l : list act).
Hypothesis W : within n l.

Lemma edge_reached i j y k : sig_rcv l j i y -> (is_edge_within n l (NRcv j i) (NLd k) <-> path l (Ev j y) (Ld k)).
Proof.
  intro S. unfold is_edge_within. split.
  - intros (_ & _ & u & v & (z & -> & Z) & -> & P). now rewrite (sig_rcv_unique l j i y z S Z).
  - intro P. pose proof S as [[R _] _]. pose proof (SignatureSize.named_below n l j _ y W R) as [Hj Hi].
    rewrite node_receive, node_last. split; [eauto|]. split; [now apply (path_among n l _ _ W P)|].
    exists (Ev j y), (Ld k). split; [now exists y|now split].
Qed.
Lemma edge_reaching i j x k : k < n -> sig_snd l i j x ->
  (is_edge_within n l (NFd k) (NSnd i j) <-> path l (Fd k) (Ev i x)).
Proof.
  intros Hk S. unfold is_edge_within. split.
  - intros (_ & _ & u & v & -> & (z & -> & Z) & P). now rewrite (sig_snd_unique l i j x z S Z).
  - intro P. pose proof S as [[R _] _]. pose proof (SignatureSize.named_below n l i _ x W R) as [Hi Hj].
    rewrite node_send, node_first. split; [exact Hk|split; [eauto|]].
    exists (Fd k), (Ev i x). split; [easy|split; [now exists x|exact P]].
Qed.
Lemma edge_ends i k : i < n -> (is_edge_within n l (NFd i) (NLd k) <-> path l (Fd i) (Ld k)).
Proof.
  intro Hi. unfold is_edge_within. split; [intros (_ & _ & u & v & -> & -> & P); exact P|].
  intro P. rewrite node_first, node_last. split; [exact Hi|]. split; [now apply (path_among n l _ _ W P)|].
  exists (Fd i), (Ld k). now repeat split.
Qed.
End Edges.

(** ** Deciding, by intersections *)

(** Whether two sets have a common member. *)
Definition meet (ks ms : list proc) : bool := existsb (fun k => if in_dec Nat.eq_dec k ms then true else false) ks.
Lemma meet_spec ks ms : meet ks ms = true <-> exists k, In k ks /\ In k ms.
Proof.
  unfold meet. rewrite existsb_exists. split; intros (k & I & H); exists k; split; auto; destruct (in_dec _ _ _); auto;
    congruence.
Qed.

(** "For rcv j<-i in V_P, is there a k such that (rcv j<-i, Ld_k) in E_P and (Fd_k, e) in E_Q", where e is snd i->j if
    that is in V_Q, and Ld_i otherwise?  With the answer comes the number of intersections. *)
Definition met (P Q : sets) (c : proc * proc) : counted :=
  match members_reached P (fst c) (snd c) with
  | None => (true, 0)
  | Some ks => (meet ks (match members_reaching Q (fst c) (snd c) with Some ms => ms | None => starts Q (fst c) end), 1)
  end.
Fixpoint all_met (P Q : sets) (cs : list (proc * proc)) : counted :=
  match cs with [] => (true, 0) | c :: cs => both_counted (met P Q c) (all_met P Q cs) end.
Definition decide_by_sets (n : nat) (P Q : sets) : counted := all_met P Q (list_prod (seq 0 n) (seq 0 n)).

Lemma all_met_fst P Q cs : fst (all_met P Q cs) = forallb (fun c => fst (met P Q c)) cs.
Proof. induction cs as [|c cs IH]; auto. simpl. now rewrite fst_both_counted, IH. Qed.
Lemma all_met_snd P Q cs : snd (all_met P Q cs) <= length cs.
Proof.
  induction cs as [|c cs IH]; simpl; [lia|].
  assert (snd (met P Q c) <= 1) by (unfold met; destruct (members_reached _ _ _); simpl; lia).
  unfold both_counted. destruct (fst (met P Q c)); simpl; lia.
Qed.

Section Deciding.
Variables (n : nat) (p q : list act) (sp sq : sets).
Hypotheses (Wp : within n p) (Wq : within n q) (Sp : are_sets n p sp) (Sq : are_sets n q sq).

Lemma met_spec i j : i < n -> j < n -> (fst (met sp sq (i, j)) = true <-> forall y, sig_rcv p j i y ->
  exists k, path p (Ev j y) (Ld k) /\ path q (Fd k) (Ld i) /\ forall x, sig_snd q i j x -> path q (Fd k) (Ev i x)).
Proof.
  intros Hi Hj. unfold met. cbn [fst snd]. destruct (Sp i j Hi Hj) as (H & _), (Sq i j Hi Hj) as (_ & A & _ & St).
  destruct (members_reached sp i j) as [ks|]; simpl in H.
  2:{ simpl. split; [|reflexivity]. intros _ y S. destruct H. apply node_receive. eauto. }
  destruct H as [Nd [_ M]]. apply node_receive in Nd as (_ & _ & y & S). cbn [fst]. rewrite meet_spec.
  setoid_rewrite M. setoid_rewrite (edge_reached n p Wp i j y _ S).
  assert (E : forall k, path p (Ev j y) (Ld k) -> k < n) by (intros k P; now apply (path_among n p _ _ Wp P)).
  destruct (members_reaching sq i j) as [ms|]; simpl in A.
  - destruct A as [Nd [_ Ma]]. apply node_send in Nd as (_ & _ & x & X). setoid_rewrite Ma. split.
    + intros (k & P & F) z Z. exists k. rewrite <- (sig_rcv_unique p j i y z S Z). split; [exact P|].
      apply (edge_reaching n q Wq i j x k (E k P) X) in F. split.
      * eapply t_trans; [exact F|]. apply t_step, E_last. destruct X as [[X _] _]. now apply labs_lt in X.
      * intros x' X'. now rewrite <- (sig_snd_unique q i j x x' X X').
    + intro A. destruct (A y S) as (k & P & _ & F). exists k. split; [exact P|].
      apply (edge_reaching n q Wq i j x k (E k P) X). auto.
  - destruct St as [_ Ms]. setoid_rewrite Ms. split.
    + intros (k & P & F) z Z. exists k. rewrite <- (sig_rcv_unique p j i y z S Z). split; [exact P|].
      apply (edge_ends n q Wq k i (E k P)) in F. split; [exact F|]. intros x X. destruct A. apply node_send. eauto.
    + intro D. destruct (D y S) as (k & P & F & _). exists k. split; [exact P|].
      now apply (edge_ends n q Wq k i (E k P)).
Qed.
Lemma decide_by_sets_spec : fst (decide_by_sets n sp sq) = true <-> signatures_seal p q.
Proof.
  unfold decide_by_sets, signatures_seal. rewrite all_met_fst, forallb_forall. split.
  - intros H i j y S. pose proof S as [[R _] _]. pose proof (SignatureSize.named_below n p j _ y Wp R) as [Hj Hi].
    apply (met_spec i j Hi Hj); auto. apply H, in_prod; apply in_seq; lia.
  - intros H [i j] I. apply in_prod_iff in I as [Hi Hj]. apply in_seq in Hi, Hj. apply met_spec; [lia|lia|].
    intros y S. now apply H.
Qed.
End Deciding.

(** _Given, as sets of processes, the edges of both signatures that it looks at, it can be decided by O(n^2)
    intersections of sets whether Q seals P_: by n^2 at most. *)
Theorem decide_by_sets_cost : forall n P Q p q sp sq, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> within n p -> within n q -> dead_free (p ++ q) ->
  are_sets n p sp -> are_sets n q sq ->
  (fst (decide_by_sets n sp sq) = true <-> Seals Rel Q P) /\ snd (decide_by_sets n sp sq) <= n ^ 2.
Proof.
  intros n P Q p q sp sq HP HQ Bp Bq Wp Wq D Sp Sq. split.
  - rewrite (decide_by_sets_spec n p q sp sq Wp Wq Sp Sq). symmetry. now apply (decide_sealing_self P Q p q).
  - unfold decide_by_sets. eapply Nat.le_trans; [apply all_met_snd|]. rewrite prod_length, seq_length. simpl. lia.
Qed.

(** ** Composing, by unions *)

Definition member (i : proc) (ks : list proc) : bool := if in_dec Nat.eq_dec i ks then true else false.

(** The union of the sets of the members of a set, and the number of unions: one for each member. *)
Definition union_of (set_of : proc -> list proc) (ks : list proc) : list proc * nat :=
  fold_right (fun k s => (nodup Nat.eq_dec (set_of k ++ fst s), S (snd s))) ([], 0) ks.

Lemma union_spec f ks : NoDup (fst (union_of f ks)) /\ snd (union_of f ks) = length ks /\
  forall a, In a (fst (union_of f ks)) <-> exists k, In k ks /\ In a (f k).
Proof.
  induction ks as [|k ks (_ & L & IH)]; simpl.
  - split; [constructor|split; [reflexivity|]]. intro a. split; [tauto|]. intros (k & [] & _).
  - split; [apply NoDup_nodup|split; [now rewrite L|]]. intro a. rewrite nodup_In, in_app_iff, IH. split.
    + intros [H|(m & M & H)]; eauto.
    + intros (m & [<-|M] & H); eauto.
Qed.

Section Composing.
Variables P Q : sets.

(** A receive of Q stays.  One of P reaches Ld_k if it reaches an Ld_m whose Fd_m does in Q; if Ld_i, it is removed. *)
Definition reached_after (i j : proc) : option (list proc) * nat :=
  match members_reached Q i j, members_reached P i j with
  | Some ks, _ => (Some ks, 0)
  | None, None => (None, 0)
  | None, Some ks => let (ms, unions) := union_of (ends Q) ks in (if member i ms then None else Some ms, unions)
  end.
(** A send of P stays.  Fd_k reaches one of Q if it reaches an Ld_m in P whose Fd_m does; if Fd_j does, the send is
    removed. *)
Definition reaching_after (i j : proc) : option (list proc) * nat :=
  match members_reaching P i j, members_reaching Q i j with
  | Some ks, _ => (Some ks, 0)
  | None, None => (None, 0)
  | None, Some ks => let (ms, unions) := union_of (starts P) ks in (if member j ms then None else Some ms, unions)
  end.
Definition ends_after (i : proc) : list proc * nat := union_of (ends Q) (ends P i).
Definition starts_after (i : proc) : list proc * nat := union_of (starts P) (starts Q i).

Definition compose_sets : sets := {|
  members_reached := fun i j => fst (reached_after i j);
  members_reaching := fun i j => fst (reaching_after i j);
  ends := fun i => fst (ends_after i);
  starts := fun i => fst (starts_after i)
|}.
(** How many unions that takes, for all channels and processes. *)
Definition unions (n : nat) : nat :=
  list_sum (map (fun c => snd (reached_after (fst c) (snd c)) + snd (reaching_after (fst c) (snd c)))
                (list_prod (seq 0 n) (seq 0 n))) +
  list_sum (map (fun i => snd (ends_after i) + snd (starts_after i)) (seq 0 n)).
End Composing.

Section Composed.
Variables (n : nat) (p q : list act) (sp sq : sets).
Hypotheses (Bp : balanced p) (Wp : within n p) (Wq : within n q) (Sp : are_sets n p sp) (Sq : are_sets n q sq).
Let l := p ++ q.
Let W : within n l.
Proof. intros a I. apply in_app_or in I as [I|I]; [now apply Wp|now apply Wq]. Qed.

(** What a receive of P reaches in P . Q, and what reaches a send of Q. *)
Lemma receive_to_end j y k : y < len p j -> (path l (Ev j y) (Ld k) <-> exists m, path p (Ev j y) (Ld m) /\
  path q (Fd m) (Ld k)).
Proof. intro L. exact (paths_across p q Bp (Ev j y) (Ld k) L I). Qed.
Lemma start_to_send i x k : path l (Fd k) (Ev i (len p i + x)) <-> exists m, path p (Fd k) (Ld m) /\
  path q (Fd m) (Ev i x).
Proof. exact (paths_across p q Bp (Fd k) (Ev i x) I I). Qed.

Lemma second_receive i j z : last_receive q j i z ->
  (sig_rcv l j i (len p j + z) <-> sig_rcv q j i z).
Proof.
  intro F. pose proof (paths_in_second p q Bp (Ev j z) (Ld i) I I) as E. simpl in E. fold l in E. unfold sig_rcv.
  rewrite E. split; intros [_ N]; split; auto. apply last_receive_composed. left. eauto.
Qed.
Lemma first_send_stays i j x : first_send p i j x -> (sig_snd l i j x <-> sig_snd p i j x).
Proof.
  intro F. assert (L : x < len p i) by (destruct F as [H _]; now apply labs_lt in H).
  pose proof (paths_in_first p q Bp (Fd j) (Ev i x) I L) as E. fold l in E. unfold sig_snd. rewrite E.
  split; intros [_ N]; split; auto. apply first_send_composed. now left.
Qed.

Lemma reached_composed i j : i < n -> j < n ->
  members_if (is_node_within n l (NRcv j i)) (fst (reached_after sp sq i j))
  (fun k => is_edge_within n l (NRcv j i) (NLd k)).
Proof.
  intros Hi Hj. destruct (Sp i j Hi Hj) as (Hp & _), (Sq i j Hi Hj) as (Hq & _ & _). unfold reached_after.
  assert (Q0 : members_reached sq i j = None -> forall z, last_receive q j i z -> path q (Ev j z) (Ld i)).
  { intros E z Z. rewrite E in Hq. simpl in Hq. apply NNPP. intro N. apply Hq, node_receive. repeat split; auto.
    exists z. now split. }
  destruct (members_reached sq i j) as [ks|] eqn:Eq; simpl in Hq.
  - destruct Hq as [Nd [D M]]. apply node_receive in Nd as (_ & _ & z & Z). pose proof Z as [F _].
    pose proof (proj2 (second_receive i j z F) Z) as Z'. simpl. split; [|split; [exact D|]].
    + apply node_receive. eauto.
    + intro k. rewrite M, (edge_reached n q Wq i j z k Z), (edge_reached n l W i j _ k Z').
      symmetry. exact (paths_in_second p q Bp (Ev j z) (Ld k) I I).
  - specialize (Q0 eq_refl). destruct (members_reached sp i j) as [ks|] eqn:Ep; simpl in Hp.
    + destruct Hp as [Nd [D M]]. apply node_receive in Nd as (_ & _ & y & Y). pose proof Y as [[Hy My] _].
      pose proof (labs_lt _ _ _ _ Hy) as L. destruct (union_spec (ends sq) ks) as (Du & _ & U).
      assert (R : forall k, In k (fst (union_of (ends sq) ks)) <-> path l (Ev j y) (Ld k)).
      { intro k. rewrite U, receive_to_end by exact L. setoid_rewrite M. setoid_rewrite (edge_reached n p Wp i j y _ Y).
        split; intros (m & A & B); exists m; (split; [exact A|]);
          assert (Hm : m < n) by exact (path_among n p _ _ Wp A Hj);
          destruct (Sq m m Hm Hm) as (_ & _ & [_ E] & _); [apply E, (edge_ends n q Wq m k Hm) in B; exact B|].
        now apply E, (edge_ends n q Wq m k Hm). }
      destruct (union_of (ends sq) ks) as [ms u]. simpl in *. unfold member.
      destruct (in_dec _ _ _) as [In_i|Out]; simpl.
      * intro Nd. apply node_receive in Nd as (_ & _ & y' & F & N). pose proof F as F'.
        apply last_receive_composed in F as [(z & -> & F)|[_ F]].
        -- destruct (proj1 (second_receive i j z F)) as [_ No]; [now split|]. now apply No, Q0.
        -- apply N. assert (y' = y) as -> by (destruct F as [A B]; specialize (B y Hy); specialize (My y' A); lia).
           now apply R.
      * assert (None : forall z, nth_error (labs j q) z <> Some (Rcv i)).
        { intros z Hz. apply Out, R. apply receive_to_end; auto. exists j. split; [now apply t_step, E_last|].
          destruct (last_receive_exists q j i z Hz) as (z' & F & _). eapply t_trans; [|exact (Q0 z' F)].
          apply t_step, E_first. destruct F as [F _]. now apply labs_lt in F. }
        assert (Y' : sig_rcv l j i y).
        { split; [apply last_receive_composed; right; split; [exact None|now split]|]. intro X. now apply Out, R. }
        split; [apply node_receive; eauto|]. split; [exact Du|]. intro k.
        rewrite R. symmetry. now apply (edge_reached n l W i j y k Y').
    + simpl. intro Nd. apply node_receive in Nd as (_ & _ & y & F & N).
      apply last_receive_composed in F as [(z & -> & F)|[_ F]].
      * destruct (proj1 (second_receive i j z F)) as [_ No]; [split; auto; apply last_receive_composed; left; eauto|].
        now apply No, Q0.
      * apply Hp, node_receive. repeat split; auto. exists y. split; [exact F|]. intro X. apply N.
        apply receive_to_end; [destruct F as [F _]; now apply labs_lt in F|]. exists i. split; [exact X|].
        apply t_step, E_idle.
Qed.

Lemma reaching_composed i j : i < n -> j < n ->
  members_if (is_node_within n l (NSnd i j)) (fst (reaching_after sp sq i j))
  (fun k => is_edge_within n l (NFd k) (NSnd i j)).
Proof.
  intros Hi Hj. destruct (Sp i j Hi Hj) as (_ & Hp & _), (Sq i j Hi Hj) as (_ & Hq & _). unfold reaching_after.
  assert (P0 : members_reaching sp i j = None -> forall x, first_send p i j x -> path p (Fd j) (Ev i x)).
  { intros E x X. rewrite E in Hp. simpl in Hp. apply NNPP. intro N. apply Hp, node_send. repeat split; auto.
    exists x. now split. }
  assert (Small : forall a b, is_edge_within n a (NFd b) (NSnd i j) -> b < n) by (intros a b ([H _] & _); exact H).
  destruct (members_reaching sp i j) as [ks|] eqn:Ep; simpl in Hp.
  - destruct Hp as [Nd [D M]]. apply node_send in Nd as (_ & _ & x & X). pose proof X as [F _].
    assert (L : x < len p i) by (destruct F as [H _]; now apply labs_lt in H).
    pose proof (proj2 (first_send_stays i j x F) X) as X'. simpl. split; [apply node_send; eauto|].
    split; [exact D|]. intro k. rewrite M.
    pose proof (paths_in_first p q Bp (Fd k) (Ev i x) I L) as E. fold l in E.
    split; intro H; pose proof (Small _ _ H) as Hk.
    + apply (edge_reaching n l W i j x k Hk X'), E. now apply (edge_reaching n p Wp i j x k Hk X).
    + apply (edge_reaching n p Wp i j x k Hk X), E. now apply (edge_reaching n l W i j x k Hk X').
  - specialize (P0 eq_refl). destruct (members_reaching sq i j) as [ks|] eqn:Eq; simpl in Hq.
    + destruct Hq as [Nd [D M]]. apply node_send in Nd as (_ & _ & x & X). pose proof X as [[Hx Mx] _].
      pose proof (labs_lt _ _ _ _ Hx) as L. destruct (union_spec (starts sp) ks) as (Du & _ & U).
      assert (R : forall k, k < n -> (In k (fst (union_of (starts sp) ks)) <-> path l (Fd k) (Ev i (len p i + x)))).
      { intros k Hk. rewrite U, start_to_send. setoid_rewrite M. split; intros (m & A & B); exists m.
        - pose proof (Small _ _ A) as Hm. destruct (Sp m m Hm Hm) as (_ & _ & _ & [_ E]).
          apply E, (edge_ends n p Wp k m Hk) in B. split; [exact B|]. now apply (edge_reaching n q Wq i j x m Hm X).
        - assert (Hm : m < n) by exact (path_among n p _ _ Wp A Hk). destruct (Sp m m Hm Hm) as (_ & _ & _ & [_ E]).
          split; [now apply (edge_reaching n q Wq i j x m Hm X)|]. now apply E, (edge_ends n p Wp k m Hk). }
      assert (Below : forall k, In k (fst (union_of (starts sp) ks)) -> k < n).
      { intros k H. apply U in H as (m & A & B). apply M, Small in A. destruct (Sp m m A A) as (_ & _ & _ & [_ E]).
        apply E in B as ([H _] & _). exact H. }
      destruct (union_of (starts sp) ks) as [ms u]. simpl in *. unfold member.
      destruct (in_dec _ _ _) as [In_j|Out]; simpl.
      * intro Nd. apply node_send in Nd as (_ & _ & x' & F & N). pose proof F as F'.
        apply first_send_composed in F as [F|[_ (z & -> & F)]].
        -- destruct (proj1 (first_send_stays i j x' F)) as [_ No]; [now split|]. now apply No, P0.
        -- apply N. assert (z = x) as -> by (destruct F as [A B]; specialize (B x Hx); specialize (Mx z A); lia).
           now apply R.
      * assert (None : forall z, nth_error (labs i p) z <> Some (Snd j)).
        { intros z Hz. apply Out, R; auto. apply start_to_send. exists i. split.
          - destruct (first_send_exists p i j z Hz) as (z' & F & _). eapply t_trans; [exact (P0 z' F)|].
            apply t_step, E_last. destruct F as [F _]. now apply labs_lt in F.
          - now apply t_step, E_first. }
        assert (X' : sig_snd l i j (len p i + x)).
        { split; [apply first_send_composed; right; split; [exact None|]; exists x; split; [reflexivity|now split]|].
          intro Y. now apply Out, R. }
        split; [apply node_send; eauto|]. split; [exact Du|]. intro k. split; intro H.
        -- pose proof (Below k H) as Hk. apply (edge_reaching n l W i j _ k Hk X'). now apply R.
        -- pose proof (Small _ _ H) as Hk. apply R; auto. now apply (edge_reaching n l W i j _ k Hk X').
    + simpl. intro Nd. apply node_send in Nd as (_ & _ & x & F & N).
      apply first_send_composed in F as [F|[_ (z & -> & F)]].
      * destruct (proj1 (first_send_stays i j x F)) as [_ No]; [split; auto; apply first_send_composed; now left|].
        now apply No, P0.
      * apply Hq, node_send. repeat split; auto. exists z. split; [exact F|]. intro Y. apply N, start_to_send.
        exists j. split; [apply t_step, E_idle|exact Y].
Qed.

Lemma end_to_end i k : path l (Fd i) (Ld k) <-> exists m, path p (Fd i) (Ld m) /\ path q (Fd m) (Ld k).
Proof. exact (paths_across p q Bp (Fd i) (Ld k) I I). Qed.
Lemma ends_composed i : i < n -> members_of (fst (ends_after sp sq i)) (fun k => is_edge_within n l (NFd i) (NLd k)).
Proof.
  intro Hi. destruct (union_spec (ends sq) (ends sp i)) as (D & _ & U). split; [exact D|]. intro k. unfold ends_after.
  rewrite U, (edge_ends n l W i k Hi), end_to_end. destruct (Sp i i Hi Hi) as (_ & _ & [_ E] & _). setoid_rewrite E.
  setoid_rewrite (edge_ends n p Wp i _ Hi). split; intros (m & A & B); exists m; (split; [exact A|]);
    assert (Hm : m < n) by exact (path_among n p _ _ Wp A Hi); destruct (Sq m m Hm Hm) as (_ & _ & [_ E'] & _);
    [apply E' in B; now apply (edge_ends n q Wq m k Hm)|now apply E', (edge_ends n q Wq m k Hm)].
Qed.
Lemma starts_composed i : i < n ->
  members_of (fst (starts_after sp sq i)) (fun k => is_edge_within n l (NFd k) (NLd i)).
Proof.
  intro Hi. destruct (union_spec (starts sp) (starts sq i)) as (D & _ & U). split; [exact D|]. intro k.
  unfold starts_after. rewrite U. destruct (Sq i i Hi Hi) as (_ & _ & _ & [_ E]). setoid_rewrite E. split.
  - intros (m & A & B). pose proof A as ([Hm _] & _). simpl in Hm. destruct (Sp m m Hm Hm) as (_ & _ & _ & [_ E']).
    apply E' in B. pose proof B as ([Hk _] & _). simpl in Hk. apply (edge_ends n l W k i Hk), end_to_end. exists m.
    split; [now apply (edge_ends n p Wp k m Hk)|now apply (edge_ends n q Wq m i Hm)].
  - intro H. pose proof H as ([Hk _] & _). simpl in Hk. apply (edge_ends n l W k i Hk), end_to_end in H as (m & A & B).
    assert (Hm : m < n) by exact (path_among n p _ _ Wp A Hk). exists m. split; [now apply (edge_ends n q Wq m i Hm)|].
    destruct (Sp m m Hm Hm) as (_ & _ & _ & [_ E']). now apply E', (edge_ends n p Wp k m Hk).
Qed.

(** Sets have at most n members. *)
Lemma members_at_most ks R : members_of ks R -> (forall k, R k -> k < n) -> length ks <= n.
Proof.
  intros [D M] B. rewrite <- (seq_length n 0). apply NoDup_incl_length; auto. intros k I. apply in_seq.
  apply M, B in I. lia.
Qed.
Lemma unions_at_most i j : i < n -> j < n ->
  snd (reached_after sp sq i j) <= n /\ snd (reaching_after sp sq i j) <= n /\
  snd (ends_after sp sq i) <= n /\ snd (starts_after sp sq i) <= n.
Proof.
  intros Hi Hj. destruct (Sp i j Hi Hj) as (Hp & _ & Ep & _), (Sq i j Hi Hj) as (_ & Aq & _ & Tq).
  assert (Last : forall s a k, is_edge_within n s a (NLd k) -> k < n) by (intros s a k (_ & [H _] & _); exact H).
  assert (First : forall s b k, is_edge_within n s (NFd k) b -> k < n) by (intros s b k ([H _] & _); exact H).
  unfold reached_after, reaching_after, ends_after, starts_after. repeat split.
  - destruct (members_reached sq i j), (members_reached sp i j) as [ks|]; simpl; try lia.
    destruct (union_spec (ends sq) ks) as (_ & U & _).
    destruct (union_of (ends sq) ks). simpl in *. rewrite U. destruct Hp as [_ M].
    apply (members_at_most _ _ M). cbn. eauto.
  - destruct (members_reaching sp i j), (members_reaching sq i j) as [ks|]; simpl; try lia.
    destruct (union_spec (starts sp) ks) as (_ & U & _).
    destruct (union_of (starts sp) ks). simpl in *. rewrite U. destruct Aq as [_ M].
    apply (members_at_most _ _ M). cbn. eauto.
  - destruct (union_spec (ends sq) (ends sp i)) as (_ & U & _). rewrite U. apply (members_at_most _ _ Ep). cbn. eauto.
  - destruct (union_spec (starts sp) (starts sq i)) as (_ & U & _). rewrite U. apply (members_at_most _ _ Tq). cbn.
    eauto.
Qed.
End Composed.

Lemma sum_at_most {A} (f : A -> nat) (m : nat) (s : list A) : (forall a, In a s -> f a <= m) ->
  list_sum (map f s) <= length s * m.
Proof.
  induction s as [|a s IH]; intro H; simpl; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (list_sum (map f s) <= length s * m) by (apply IH; intros b I; apply H; now right). lia.
Qed.

(** _The edges of sig(P . Q) that deciding sealing looks at can be obtained from those of sig(P) and sig(Q) by O(n^3)
    unions of sets of processes_: by 4n^3 at most. *)
Theorem compose_by_sets_cost : forall n p q sp sq, balanced p -> within n p -> within n q ->
  are_sets n p sp -> are_sets n q sq ->
  are_sets n (p ++ q) (compose_sets sp sq) /\ unions sp sq n <= 4 * n ^ 3.
Proof.
  intros n p q sp sq Bp Wp Wq Sp Sq. split.
  - intros i j Hi Hj. split; [now apply reached_composed|split; [now apply reaching_composed|]].
    split; [now apply ends_composed|now apply starts_composed].
  - unfold unions. pose proof (sum_at_most (fun c => snd (reached_after sp sq (fst c) (snd c)) +
      snd (reaching_after sp sq (fst c) (snd c))) (n + n) (list_prod (seq 0 n) (seq 0 n))) as A.
    pose proof (sum_at_most (fun i => snd (ends_after sp sq i) + snd (starts_after sp sq i)) (n + n) (seq 0 n)) as B.
    rewrite prod_length, !seq_length in *. assert (list_sum (map (fun c => snd (reached_after sp sq (fst c) (snd c)) +
      snd (reaching_after sp sq (fst c) (snd c))) (list_prod (seq 0 n) (seq 0 n))) <= n * n * (n + n)).
    { apply A. intros [i j] I. apply in_prod_iff in I as [Hi Hj]. apply in_seq in Hi, Hj. cbn [fst snd].
      destruct (unions_at_most n p q sp sq Sp Sq i j) as (? & ? & _); lia. }
    assert (list_sum (map (fun i => snd (ends_after sp sq i) + snd (starts_after sp sq i)) (seq 0 n)) <= n * (n + n)).
    { apply B. intros i Hi. apply in_seq in Hi.
      destruct (unions_at_most n p q sp sq Sp Sq i i) as (_ & _ & ? & ?); lia. }
    simpl. nia.
Qed.
