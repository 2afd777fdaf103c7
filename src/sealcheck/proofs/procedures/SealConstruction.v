(** * Seal(P), in the proof of th:sealability

    "pick T such that (Agt, T)^ud forms a spanning tree; v <- a node; for (w,w') in T pointing away from v such that
    (w',w) is not in E: S <- S . mt w->w'; add a converge-cast in T to S; add a broadcast in T to S."

    Where the closed channels connect all processes, that is a proper seal of fewer than 3n messages, whatever tree
    and root are picked, and each message is sent on a channel that its sender knows to be safe at that time. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Messages Prefix Teaching
  Sealability.
Open Scope nat_scope.

(** A rooted tree: a node alone, or a tree whose root has one more child, the root of another tree. *)
Inductive tree := Alone (v : nat) | Child (t u : tree).
Fixpoint root (t : tree) : nat := match t with Alone v => v | Child t _ => root t end.
Fixpoint members (t : tree) : list nat := match t with Alone v => [v] | Child t u => members t ++ members u end.

Lemma root_member t : In (root t) (members t).
Proof. induction t as [v|t IHt u _]; simpl; auto. apply in_or_app; auto. Qed.

(** [closed i j] says that the channel i->j is closed.  Each edge of the tree is closed in one direction at least. *)
Section Construction.
Variable closed : nat -> nat -> bool.

Fixpoint tree_of_closed (t : tree) : Prop :=
  match t with
  | Alone _ => True
  | Child t u => tree_of_closed t /\ tree_of_closed u /\
      (closed (root t) (root u) = true \/ closed (root u) (root t) = true)
  end.

(** The three parts of the seal. *)
Fixpoint away (t : tree) : list message :=
  match t with
  | Alone _ => []
  | Child t u => away t ++ away u ++ (if closed (root u) (root t) then [] else [(root t, root u)])
  end.
Fixpoint converge (t : tree) : list message :=
  match t with Alone _ => [] | Child t u => converge t ++ converge u ++ [(root u, root t)] end.
Fixpoint broadcast (t : tree) : list message :=
  match t with Alone _ => [] | Child t u => (root t, root u) :: broadcast t ++ broadcast u end.
Definition tree_seal (t : tree) : list message := away t ++ converge t ++ broadcast t.

(** ** Fewer than n messages for each part *)

Lemma away_length t : length (away t) < length (members t).
Proof. induction t as [v|t IHt u IHu]; simpl; auto. rewrite !app_length.
  destruct (closed (root u) (root t)); simpl; lia. Qed.
Lemma converge_length t : length (converge t) < length (members t).
Proof. induction t as [v|t IHt u IHu]; simpl; auto. rewrite !app_length. simpl. lia. Qed.
Lemma broadcast_length t : length (broadcast t) < length (members t).
Proof. induction t as [v|t IHt u IHu]; simpl; auto. rewrite !app_length. lia. Qed.

(** ** All messages are allowed *)

Variables (n : nat) (K0 : knowledge).
Hypotheses (Own : receiver_knows n K0) (Closed : forall i j, i < n -> j < n -> closed i j = true -> K0 i i j).

Definition more (K : knowledge) := within_knowledge K0 K.

Lemma more_after K ms : more K -> more (after K ms).
Proof. intros M p i j H. apply after_grows. now apply M. Qed.

Definition small (t : tree) := forall v, In v (members t) -> v < n.
Lemma small_left t u : small (Child t u) -> small t.
Proof. intros S v H. apply S. simpl. apply in_or_app; auto. Qed.
Lemma small_right t u : small (Child t u) -> small u.
Proof. intros S v H. apply S. simpl. apply in_or_app; auto. Qed.
Lemma small_root t : small t -> root t < n.
Proof. intro S. apply S, root_member. Qed.

(** No process is twice in the tree. *)
Fixpoint distinct (t : tree) : Prop :=
  match t with Alone _ => True | Child t u => distinct t /\ distinct u /\ root t <> root u end.

Lemma distinct_members t : NoDup (members t) -> distinct t.
Proof.
  induction t as [v|t IHt u IHu]; simpl; intro N; auto.
  assert (Nt : NoDup (members t)) by (eapply NoDup_app_left; eauto).
  assert (Nu : NoDup (members u)).
  { apply NoDup_app_left with (members t). eapply Permutation_NoDup; [apply Permutation_app_comm|exact N]. }
  split; auto. split; auto. intro E. apply (NoDup_apart _ _ N (root t) (root_member t)). rewrite E. apply root_member.
Qed.

(** After the first part each node may send to its parent. *)
Fixpoint upward (K : knowledge) (t : tree) : Prop :=
  match t with Alone _ => True | Child t u => upward K t /\ upward K u /\ K (root u) (root u) (root t) end.

Lemma upward_mono K L t : within_knowledge K L -> upward K t -> upward L t.
Proof. intro H. induction t as [v|t IHt u IHu]; simpl; auto. intros (A & B & C). auto. Qed.

Lemma away_right t : tree_of_closed t -> small t -> distinct t -> forall K, more K ->
  allowed n K (away t) /\ upward (after K (away t)) t.
Proof.
  induction t as [v|t IHt u IHu]; simpl; intros T S D K M; [auto|].
  destruct T as (Tt & Tu & E), D as (Dt & Du & Ne).
  pose proof (small_root t (small_left t u S)) as Rt. pose proof (small_root u (small_right t u S)) as Ru.
  destruct (IHt Tt (small_left t u S) Dt K M) as [At Ut].
  destruct (IHu Tu (small_right t u S) Du _ (more_after K (away t) M)) as [Au Uu].
  set (K2 := after (after K (away t)) (away u)) in *.
  assert (M2 : more K2) by (apply more_after, more_after, M).
  assert (Ut2 : upward K2 t) by (apply upward_mono with (after K (away t)); auto; exact (after_grows _ _)).
  destruct (closed (root u) (root t)) eqn:C.
  - rewrite app_nil_r. split; [apply allowed_app; auto|]. rewrite after_app. fold K2. auto.
  - destruct E as [E|E]; [|congruence].
    assert (Am : allowed n K2 [(root t, root u)]).
    { simpl. repeat (split; [assumption|]). split; [|exact I]. apply M2, Closed; auto. }
    split; [apply allowed_app; split; [exact At|apply allowed_app; auto]|].
    rewrite !after_app. fold K2. assert (G : within_knowledge K2 (after K2 [(root t,
      root u)])) by exact (after_grows _ _).
    split; [now apply upward_mono with K2|split; [now apply upward_mono with K2|]].
    right. split; [reflexivity|]. cbn [fst]. now apply M2, Own.
Qed.

(** After the converge-cast the root knows all that anyone knew. *)
Lemma converge_right t : small t -> distinct t -> forall K, more K -> upward K t ->
  allowed n K (converge t) /\ forall v i j, In v (members t) -> K0 v i j -> after K (converge t) (root t) i j.
Proof.
  induction t as [v|t IHt u IHu]; simpl; intros S D K M U.
  - split; auto. intros w i j [<-|[]] H. now apply M.
  - destruct D as (Dt & Du & Ne), U as (Ut & Uu & Up).
    pose proof (small_root t (small_left t u S)) as Rt. pose proof (small_root u (small_right t u S)) as Ru.
    destruct (IHt (small_left t u S) Dt K M Ut) as [At Kt].
    assert (G : within_knowledge K (after K (converge t))) by exact (after_grows _ _).
    destruct (IHu (small_right t u S) Du _ (more_after K (converge t) M) (upward_mono _ _ u G Uu)) as [Au Ku].
    assert (Am : allowed n (after (after K (converge t)) (converge u)) [(root u, root t)]).
    { simpl. repeat (split; [assumption|]). split; [now apply not_eq_sym|]. split; [apply after_grows, G, Up|exact I]. }
    split.
    + apply allowed_app; split; [exact At|apply allowed_app; auto].
    + intros v i j Hv H. rewrite !after_app. apply in_app_or in Hv as [Hv|Hv].
      * left. apply after_grows. eapply Kt; eauto.
      * right. split; auto. simpl. eapply Ku; eauto.
Qed.

(** After the broadcast everybody knows what the root knew. *)
Lemma broadcast_right t : small t -> distinct t -> forall K, more K ->
  (forall v, v < n -> forall i j, K0 v i j -> K (root t) i j) ->
  allowed n K (broadcast t) /\
  forall w, In w (members t) -> forall v, v < n -> forall i j, K0 v i j -> after K (broadcast t) w i j.
Proof.
  induction t as [v|t IHt u IHu]; simpl; intros S D K M R.
  - split; auto. intros w [<-|[]]. exact R.
  - destruct D as (Dt & Du & Ne).
    pose proof (small_root t (small_left t u S)) as Rt. pose proof (small_root u (small_right t u S)) as Ru.
    set (K1 := told K (root t, root u)).
    assert (M1 : more K1) by (intros p i j H; left; now apply M).
    destruct (IHt (small_left t u S) Dt K1 M1) as [At Kt]; [intros v Hv i j H; left; eapply R; eauto|].
    destruct (IHu (small_right t u S) Du _ (more_after K1 (broadcast t) M1)) as [Au Ku].
    { intros v Hv i j H. apply after_grows. right. split; auto. simpl. eapply R; eauto. }
    split.
    + repeat (split; [assumption|]). split; [apply (R (root u) Ru), Own; auto|]. apply allowed_app; auto.
    + intros w Hw v Hv i j H. change (after K1 (broadcast t ++ broadcast u) w i j). rewrite after_app.
      apply in_app_or in Hw as [Hw|Hw]; [apply after_grows; eapply Kt; eauto|eapply Ku; eauto].
Qed.

Theorem tree_seal_seals t : tree_of_closed t -> Permutation (members t) (seq 0 n) ->
  sealed_by n K0 (tree_seal t) /\ length (tree_seal t) < 3 * n.
Proof.
  intros T P.
  assert (Mem : forall v, In v (members t) <-> v < n).
  { intro v. split; intro H; [apply (Permutation_in _ P), in_seq in H; lia|].
    apply (Permutation_in _ (Permutation_sym P)), in_seq; lia. }
  assert (S : small t) by (intros v H; now apply Mem).
  assert (D : distinct t).
  { apply distinct_members. eapply Permutation_NoDup; [apply Permutation_sym, P|apply seq_NoDup]. }
  assert (M : more K0) by (intros p i j H; exact H).
  destruct (away_right t T S D K0 M) as [A1 U]. pose proof (more_after K0 (away t) M) as M1.
  destruct (converge_right t S D _ M1 U) as [A2 R]. pose proof (more_after _ (converge t) M1) as M2.
  destruct (broadcast_right t S D _ M2) as [A3 All].
  { intros v Hv i j H. apply (R v); auto. now apply Mem. }
  split; [split|].
  - unfold tree_seal. rewrite !allowed_app. auto.
  - intros i j Hi Hj N. unfold tree_seal. rewrite !after_app. apply (All i (proj2 (Mem i) Hi) j Hj), Own; auto.
  - unfold tree_seal. rewrite !app_length. pose proof (away_length t). pose proof (converge_length t).
    pose proof (broadcast_length t). assert (L : length (members t) = n) by (rewrite (Permutation_length P);
      apply seq_length).
    lia.
Qed.
End Construction.

(** _Seal(P) is a proper seal of fewer than 3n messages_, for every spanning tree of closed channels and every root. *)
Theorem seal_construction : forall n P p closed t, BSL n P p ->
  (forall i j, i < n -> j < n -> closed i j = true -> learnt p i i j) ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
  proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
  messages (transmissions (tree_seal closed t)) < 3 * n.
Proof.
  intros n P p closed t [HP Bp Np Wp Dp] Cl T Perm.
  destruct (tree_seal_seals closed n (learnt p) (learnt_own n p) Cl t T Perm) as [Seal L].
  split; [|now rewrite messages_transmissions].
  destruct (seal_of_messages n p Bp Np Dp _ Wp Seal) as (Bs & Ws & Ns & Ds & Cov).
  pose proof (transmitting_acts (tree_seal closed t)) as HS. repeat split; auto.
  now apply (sealing_is_causality P (transmitting (tree_seal closed t)) p (transmissions (tree_seal closed t))).
Qed.
