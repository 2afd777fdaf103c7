(** * The causal past of an event, computed

    A program graph is infinite only on paper: what lies in the past of a node is, at each process, a
    beginning of its share.  So the past of a node is a cut, and a cut is kept here as a list of numbers,
    one for each process.  It is computed by starting with what the node's own process did before, and
    following messages back until nothing is added. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine.
Open Scope nat_scope.

(** ** Cuts as lists *)

(** How far process [i] is; a process that the list does not have has done nothing. *)
Definition at_ (v : list nat) : cut := fun i => nth i v 0.

(** The cut [v], but process [i] has done at least [k] events. *)
Fixpoint raise (v : list nat) (i k : nat) : list nat :=
  match v, i with
  | [], _ => []
  | a :: w, 0 => Nat.max a k :: w
  | a :: w, S i' => a :: raise w i' k
  end.

Lemma raise_at : forall v i k p, i < length v ->
  at_ (raise v i k) p = if p =? i then Nat.max (at_ v i) k else at_ v p.
Proof.
  unfold at_. induction v as [|a v IH]; intros i k p L; simpl in L; [lia|].
  destruct i as [|i], p as [|p]; simpl; auto. apply IH. lia.
Qed.

Lemma raise_length : forall v i k, length (raise v i k) = length v.
Proof. induction v as [|a v IH]; intros [|i] k; simpl; auto. Qed.

(** Raising never takes anything away, whether the list has the process or not. *)
Lemma raise_le : forall v i k p, at_ v p <= at_ (raise v i k) p.
Proof.
  unfold at_. induction v as [|a v IH]; intros i k p; simpl; auto.
  destruct i as [|i], p as [|p]; simpl; auto. lia.
Qed.

(** ** The messages of a program, oldest first *)

(** A send and the receive that the program graph joins it to. *)
Definition link := (event * event)%type.

(** The message edges of the graph of [l] into process [j]. *)
Definition links_to (l : list act) (j : proc) : list link :=
  let s := labs j l in
  flat_map (fun y => match nth_error s y with
                     | Some (Rcv i) => [(delta (fifo l) (j, y), (j, y))]
                     | _ => []
                     end) (seq 0 (length s)).

Definition links (n : nat) (l : list act) : list link := flat_map (links_to l) (seq 0 n).

Lemma links_spec : forall n l x y, In (x, y) (links n l) <->
  fst y < n /\ delta (fifo l) y = x /\ exists i, nth_error (labs (fst y) l) (snd y) = Some (Rcv i).
Proof.
  intros n l x [j y]. unfold links, links_to. rewrite in_flat_map. split.
  - intros (j' & J & H). apply in_seq in J. apply in_flat_map in H as (y' & Y & H).
    destruct (nth_error (labs j' l) y') as [[k|i|]|] eqn:E; simpl in H; try tauto.
    destruct H as [H|[]]. injection H as <- <- <-. cbn [fst snd]. split; [lia|split; eauto].
  - intros (J & D & i & E). cbn [fst snd] in *. exists j. split; [apply in_seq; lia|].
    apply in_flat_map. exists y. split; [|rewrite E; left; congruence].
    apply in_seq. split; [lia|]. apply nth_error_Some. congruence.
Qed.

(** Everything happens between the processes below [n]. *)
Definition acts_below (n : nat) (l : list act) := forall a, In a l ->
  match a with ASend i j | ARecv j i => i < n /\ j < n | AInt i => i < n end.

(** Then only these do anything. *)
Lemma below_labs : forall n l i y a, acts_below n l -> nth_error (labs i l) y = Some a -> i < n.
Proof.
  intros n l i y a W H. apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (b & _ & H).
  apply filter_In in H as [H E]. apply Nat.eqb_eq in E. specialize (W b H). destruct b; simpl in *; lia.
Qed.

Lemma below_peer : forall n l i y a, acts_below n l -> nth_error (labs i l) y = Some a ->
  match a with Snd j | Rcv j => j < n | Int => True end.
Proof.
  intros n l i y a W H. apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (b & <- & H).
  apply filter_In in H as [H E]. specialize (W b H). destruct b; simpl in *; tauto.
Qed.

(** A step of the graph is a step along a process, or one of its messages. *)
Lemma step_links : forall n l x y, acts_below n l -> step (fifo l) x y ->
  (fst x = fst y /\ snd x < snd y) \/ In (x, y) (links n l).
Proof.
  intros n l x [j y] W [S|(i & j' & [F L] & D)]; [auto|right]. simpl in F; subst j'.
  apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
  apply links_spec. cbn [fst snd]. eauto using below_labs.
Qed.

Lemma link_step : forall n l x y, In (x, y) (links n l) -> step (fifo l) x y.
Proof.
  intros n l x [j y] M. apply links_spec in M as (J & D & i & E). cbn [fst snd] in *. right.
  exists i, j. split; auto. split; auto. simpl. now rewrite E.
Qed.

(** Both ends of a message are events of the program. *)
Lemma link_send : forall n l x y, balanced l -> acts_below n l -> In (x, y) (links n l) ->
  fst x < n /\ snd x < len l (fst x) /\ nth_error (labs (fst x) l) (snd x) = Some (Snd (fst y)).
Proof.
  intros n l x [j y] B W M. apply links_spec in M as (J & D & i & E). cbn [fst snd] in *.
  destruct (fifo_match l i j y B E) as (z & D' & H & _). rewrite D' in D. subst x. cbn [fst snd].
  repeat split; auto. { eauto using below_labs. } rewrite <- len_labs. apply nth_error_Some. congruence.
Qed.

(** ** Following messages back *)

(** If the receive is in the cut, its send must be. *)
Definition pull_one (v : list nat) (m : link) : list nat :=
  if snd (snd m) <? at_ v (fst (snd m)) then raise v (fst (fst m)) (S (snd (fst m))) else v.

Definition pull (ms : list link) (v : list nat) : list nat := fold_left pull_one ms v.

Definition closed_one (v : list nat) (m : link) : bool :=
  negb (snd (snd m) <? at_ v (fst (snd m))) || (snd (fst m) <? at_ v (fst (fst m))).

Definition is_closed (ms : list link) (v : list nat) : bool := forallb (closed_one v) ms.

Fixpoint close (fuel : nat) (ms : list link) (v : list nat) : list nat :=
  match fuel with
  | 0 => v
  | S fuel' => if is_closed ms v then v else close fuel' ms (pull ms v)
  end.

(** A cut in which process [i] has done [k] events, and no other has done any. *)
Definition start (n : nat) (e : event) : list nat := raise (repeat 0 n) (fst e) (snd e).

Definition events_in (n : nat) (l : list act) : nat := list_sum (map (len l) (seq 0 n)).

(** The past of [e], which must not be a receive: what its process did before, and all that led to that. *)
Definition causal_past (n : nat) (l : list act) (e : event) : list nat :=
  close (S (events_in n l)) (links n l) (start n e).

(** *** Nothing is in the cut but causes *)

Definition all_cause (l : list act) (e : event) (v : list nat) :=
  forall x, inside (at_ v) x -> causes (fifo l) x e.

Lemma pull_one_cause : forall n l e v m, fst (fst m) < length v -> In m (links n l) ->
  all_cause l e v -> all_cause l e (pull_one v m).
Proof.
  intros n l e v [[i x] [j y]] L M A. unfold pull_one; cbn [fst snd] in *.
  destruct (y <? at_ v j) eqn:Y; auto. apply Nat.ltb_lt in Y.
  intros [p k] I. unfold inside in I; cbn [fst snd] in I. rewrite raise_at in I by auto.
  destruct (p =? i) eqn:P; [|apply A; exact I]. apply Nat.eqb_eq in P; subst p.
  destruct (lt_dec k (at_ v i)) as [K|K]; [apply A; exact K|].
  apply causes_local_le with x; [lia|]. eapply t_trans; [apply t_step, (link_step n l _ _ M)|].
  apply A. exact Y.
Qed.

Lemma pull_one_length : forall v m, length (pull_one v m) = length v.
Proof. intros v m. unfold pull_one. destruct (_ <? _); auto using raise_length. Qed.

Lemma pull_length : forall ms v, length (pull ms v) = length v.
Proof. induction ms as [|m ms IH]; intro v; simpl; auto. now rewrite IH, pull_one_length. Qed.

Lemma pull_cause : forall n l e, balanced l -> acts_below n l -> forall ms v, incl ms (links n l) -> length v = n ->
  all_cause l e v -> all_cause l e (pull ms v).
Proof.
  intros n l e B W. induction ms as [|m ms IH]; intros v I L A; simpl; auto.
  apply IH; [intros a Ha; apply I; right; auto|now rewrite pull_one_length|].
  apply pull_one_cause with n; auto; [|apply I; left; auto].
  rewrite L. destruct m as [x y]. apply (link_send n l x y); auto. apply I; left; auto.
Qed.

Lemma close_cause : forall n l e, balanced l -> acts_below n l -> forall fuel v, length v = n ->
  all_cause l e v -> all_cause l e (close fuel (links n l) v).
Proof.
  intros n l e B W. induction fuel as [|fuel IH]; intros v L A; simpl; auto.
  destruct (is_closed _ v); auto. apply IH; [now rewrite pull_length|].
  apply pull_cause with n; auto. apply incl_refl.
Qed.

Lemma start_length : forall n e, length (start n e) = n.
Proof. intros. unfold start. now rewrite raise_length, repeat_length. Qed.

Lemma at_zeros : forall n p, at_ (repeat 0 n) p = 0.
Proof. unfold at_. induction n; destruct p; simpl; auto. Qed.

Lemma start_at : forall n e p, fst e < n -> at_ (start n e) p = if p =? fst e then snd e else 0.
Proof.
  intros n e p L. unfold start. rewrite raise_at by now rewrite repeat_length.
  rewrite !at_zeros. destruct (p =? fst e); auto.
Qed.

Lemma start_cause : forall n l e, fst e < n -> all_cause l e (start n e).
Proof.
  intros n l [i k] L [p x] I. unfold inside in I. rewrite start_at in I by auto. cbn [fst snd] in *.
  destruct (p =? i) eqn:E; [|lia]. apply Nat.eqb_eq in E; subst. apply t_step. left. auto.
Qed.

(** *** Every cause is in the cut *)

Lemma is_closed_spec : forall ms v x y, is_closed ms v = true -> In (x, y) ms ->
  inside (at_ v) y -> inside (at_ v) x.
Proof.
  intros ms v [i x] [j y] C M I. unfold is_closed in C. rewrite forallb_forall in C. specialize (C _ M).
  unfold closed_one, inside in *; cbn [fst snd] in *.
  apply orb_true_iff in C as [C|C]; [|now apply Nat.ltb_lt].
  apply negb_true_iff, Nat.ltb_ge in C. lia.
Qed.

(** The cut has what [e]'s process did before [e], and is closed: so it has the past of [e]. *)
Lemma closed_all : forall n l v e, acts_below n l -> is_closed (links n l) v = true ->
  snd e <= at_ v (fst e) -> (forall i j, ~ is_rcv (fifo l) e i j) ->
  forall x, causes (fifo l) x e -> inside (at_ v) x.
Proof.
  intros n l v e W C E N x H. apply clos_trans_t1n in H. 
  assert (G : forall x y, step (fifo l) x y -> inside (at_ v) y -> inside (at_ v) x).
  { intros a b S I. destruct (step_links n l a b W S) as [[F L]|M]; [|eauto using is_closed_spec].
    unfold inside in *. rewrite F. lia. }
  induction H as [x y S|x y z S _ IH]; [|apply (G x y S), IH; auto].
  destruct S as [[F L]|(i & j & R & D)]; [|exfalso; eapply N; eauto].
  unfold inside. rewrite F. lia.
Qed.

(** *** There is an end to it *)

Lemma pull_one_le : forall v m p, at_ v p <= at_ (pull_one v m) p.
Proof. intros. unfold pull_one. destruct (_ <? _); auto using raise_le. Qed.

Lemma pull_le : forall ms v p, at_ v p <= at_ (pull ms v) p.
Proof.
  induction ms as [|m ms IH]; intros v p; simpl; auto.
  eapply Nat.le_trans; [apply pull_one_le|apply IH].
Qed.

Lemma close_le : forall fuel ms v p, at_ v p <= at_ (close fuel ms v) p.
Proof.
  induction fuel as [|fuel IH]; intros ms v p; simpl; auto. destruct (is_closed ms v); auto.
  eapply Nat.le_trans; [apply pull_le|apply IH].
Qed.

Lemma sum_le : forall u v, length u = length v -> (forall p, at_ u p <= at_ v p) -> list_sum u <= list_sum v.
Proof.
  induction u as [|a u IH]; intros [|b v] L H; simpl in *; try lia.
  pose proof (H 0) as H0. assert (list_sum u <= list_sum v); [|unfold at_ in H0; simpl in H0; lia].
  apply IH; [lia|]. intro p. apply (H (S p)).
Qed.

Lemma sum_lt : forall u v q, length u = length v -> (forall p, at_ u p <= at_ v p) -> at_ u q < at_ v q ->
  list_sum u < list_sum v.
Proof.
  induction u as [|a u IH]; intros [|b v] q L H Q; simpl in *; try lia.
  pose proof (H 0) as H0. unfold at_ in H0; simpl in H0. destruct q as [|q].
  - assert (list_sum u <= list_sum v); [|unfold at_ in Q; simpl in Q; lia].
    apply sum_le; [lia|]. intro p. apply (H (S p)).
  - assert (list_sum u < list_sum v); [|lia]. apply IH with q; [lia| |exact Q]. intro p. apply (H (S p)).
Qed.

(** A round that finds something to do adds an event. *)
Lemma pull_grows : forall n l v, balanced l -> acts_below n l -> length v = n -> is_closed (links n l) v = false ->
  list_sum v < list_sum (pull (links n l) v).
Proof.
  intros n l v B W L C.
  assert (exists m, In m (links n l) /\ closed_one v m = false) as (m & M & Cm).
  { unfold is_closed in C. clear - C. induction (links n l) as [|a ms IH]; simpl in C; [discriminate|].
    apply andb_false_iff in C as [C|C]; [exists a; simpl; auto|].
    destruct (IH C) as (m & M & H). exists m; simpl; auto. }
  unfold closed_one in Cm. apply orb_false_iff in Cm as [C1 C2].
  apply negb_false_iff, Nat.ltb_lt in C1. apply Nat.ltb_ge in C2.
  assert (X : fst (fst m) < n) by (destruct m as [x y]; apply (link_send n l x y); auto).
  apply sum_lt with (fst (fst m)); [now rewrite pull_length|intro; apply pull_le|].
  apply in_split in M as (ms1 & ms2 & ->). unfold pull. rewrite fold_left_app. simpl.
  set (v1 := fold_left pull_one ms1 v).
  assert (L1 : length v1 = n) by (unfold v1; fold (pull ms1 v); now rewrite pull_length).
  assert (Y : snd (snd m) < at_ v1 (fst (snd m))) by (eapply Nat.lt_le_trans; [exact C1|apply pull_le]).
  eapply Nat.lt_le_trans; [|apply pull_le]. unfold pull_one.
  apply Nat.ltb_lt in Y. rewrite Y, raise_at, Nat.eqb_refl by lia. lia.
Qed.

Lemma pull_one_below : forall (d : cut) v m, snd (fst m) < d (fst (fst m)) ->
  fst (fst m) < length v -> (forall p, at_ v p <= d p) -> forall p, at_ (pull_one v m) p <= d p.
Proof.
  intros d v m X L H p. unfold pull_one. destruct (_ <? _); auto. rewrite raise_at by auto.
  destruct (p =? fst (fst m)) eqn:E; auto. apply Nat.eqb_eq in E. subst p. specialize (H (fst (fst m))). lia.
Qed.

Lemma pull_below : forall n l, balanced l -> acts_below n l -> forall ms v, incl ms (links n l) -> length v = n ->
  (forall p, at_ v p <= len l p) -> forall p, at_ (pull ms v) p <= len l p.
Proof.
  intros n l B W. induction ms as [|m ms IH]; intros v I L H; simpl; auto.
  assert (M : In m (links n l)) by (apply I; left; auto).
  destruct m as [x y]. destruct (link_send n l x y B W M) as (X1 & X2 & _).
  apply IH; [intros a Ha; apply I; right; auto|now rewrite pull_one_length|].
  apply pull_one_below; cbn [fst snd]; auto; lia.
Qed.

Lemma sum_below : forall n l v, length v = n -> (forall p, at_ v p <= len l p) -> list_sum v <= events_in n l.
Proof.
  intros n l v L H. unfold events_in. apply sum_le; [now rewrite map_length, seq_length|].
  intro p. destruct (lt_dec p n) as [P|P].
  - replace (at_ (map (len l) (seq 0 n)) p) with (len l p); [apply H|].
    symmetry. apply nth_error_nth. now rewrite nth_map_seq'.
  - unfold at_ at 1. rewrite nth_overflow by lia. lia.
Qed.

Lemma close_closed : forall n l, balanced l -> acts_below n l -> forall fuel v, length v = n ->
  (forall p, at_ v p <= len l p) -> events_in n l < list_sum v + fuel ->
  is_closed (links n l) (close fuel (links n l) v) = true.
Proof.
  intros n l B W. induction fuel as [|fuel IH]; intros v L H F; simpl.
  - pose proof (sum_below n l v L H). lia.
  - destruct (is_closed (links n l) v) eqn:C; auto.
    pose proof (pull_grows n l v B W L C). apply IH; [now rewrite pull_length| |lia].
    apply pull_below with n; auto. apply incl_refl.
Qed.

(** ** The theorem of this file: [causal_past] is the past *)
Theorem causal_past_spec : forall n l e, balanced l -> acts_below n l -> fst e < n -> snd e <= len l (fst e) ->
  (forall i j, ~ is_rcv (fifo l) e i j) ->
  forall x, inside (at_ (causal_past n l e)) x <-> causes (fifo l) x e.
Proof.
  intros n l e B W P K N x. split.
  - apply close_cause; auto using start_length, start_cause.
  - apply closed_all with n; auto.
    + apply close_closed; auto using start_length; [|lia]. intro p. rewrite start_at by auto.
      destruct (p =? fst e) eqn:E; [apply Nat.eqb_eq in E; subst|]; lia.
    + unfold causal_past. eapply Nat.le_trans; [|apply close_le]. rewrite start_at, Nat.eqb_refl by auto. auto.
Qed.
