(** * Theorem th:decide.sealing

    "Let P and Q be BSLs and let (V_P, E_P) = sig (P) and (V_Q, E_Q) = sig (Q).  Then Q properly seals P iff, for all
    rcv j<-i in V_P, there exists k such that (rcv j<-i, Ld_k) in E_P, (Fd_k, Ld_i) in E_Q, and, if snd i->j in V_Q
    then (Fd_k, snd i->j) in E_Q."

    The edges of a signature are those of E+ between the nodes that stay, hence [path] below.  A seal is proper here,
    because cuts are finite.  Besides the paper's hypotheses: [P . Q] sends no message to oneself.

    Theorems of the ledger: [decide_sealing_self]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality.
Open Scope nat_scope.

(** The condition of the theorem. *)
Definition signatures_seal (p q : list act) := forall i j y, sig_rcv p j i y ->
  exists k, path p (Ev j y) (Ld k) /\ path q (Fd k) (Ld i) /\
            forall x, sig_snd q i j x -> path q (Fd k) (Ev i x).

(** ** Layers side by side

    In the program graph of [P . Q], what goes from P into Q goes along a process [k]: through Ld_k of P and Fd_k of Q,
    for messages stay in their layer. *)

Section Layers.
Variables p q : list act.
Hypotheses (Bp : balanced p) (Bq : balanced q).
Let l := p ++ q.
Local Lemma Bl : balanced l. Proof. now apply balanced_app. Qed.

(** Labels of a layer, in the layering. *)
Lemma labs_left i x : x < len p i -> nth_error (labs i l) x = nth_error (labs i p) x.
Proof. intro L. unfold l. rewrite labs_app, nth_error_app1; auto. now rewrite len_labs. Qed.
Lemma labs_right i x : nth_error (labs i l) (len p i + x) = nth_error (labs i q) x.
Proof.
  unfold l. rewrite labs_app, nth_error_app2; rewrite len_labs; [|lia].
    now replace (len p i + x - len p i) with x by lia.
Qed.

(** How many come before: counted in the layer, and in the layering. *)
Lemma before_left f i x : x < len p i -> firstn x (labs i l) = firstn x (labs i p) /\
  length (filter f (firstn x (labs i l))) = length (filter f (firstn x (labs i p))).
Proof.
  intro L. assert (E : firstn x (labs i l) = firstn x (labs i p)); [|now rewrite E].
  unfold l. rewrite labs_app, firstn_app, len_labs. replace (x - len p i) with 0 by lia. simpl. apply app_nil_r.
Qed.
Lemma before_right f i x : length (filter f (firstn (len p i + x) (labs i l))) =
  length (filter f (labs i p)) + length (filter f (firstn x (labs i q))).
Proof.
  unfold l. rewrite labs_app, firstn_app, len_labs, filter_app, app_length, firstn_all2 by (rewrite len_labs; lia).
  now replace (len p i + x - len p i) with x by lia.
Qed.

(** Where the nodes of the layers are in the layering.  Fd_k of [q] is where Ld_k of [p] is. *)
Definition place_left (n : node) : event := match n with Fd i => (i, 0) | Ev i x => (i, x) | Ld i => (i, len p i) end.
Definition place_right (n : node) : event :=
  match n with Fd i => (i, len p i) | Ev i x => (i, len p i + x) | Ld i => (i, len l i) end.

(** A message edge of [l] is a step of its oldest-first run. *)
Lemma message_step i j x y : nth_error (labs i l) x = Some (Snd j) -> nth_error (labs j l) y = Some (Rcv i) ->
  length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))) ->
  step (fifo l) (i, x) (j, y).
Proof.
  intros Hx Hy K. right. exists i, j. split; [split; auto; simpl; now rewrite Hy|].
  destruct (fifo_match l i j y Bl Hy) as (x' & D & Hx' & K'). rewrite D. f_equal.
  rewrite <- (nthpos_count (sndb j) _ _ _ Hx) by (now apply sndb_spec).
  rewrite <- (nthpos_count (sndb j) _ _ _ Hx') by (now apply sndb_spec). now rewrite K', K.
Qed.

(** Edges of [p] are causality in the layering; ... *)
Lemma edge_left u v : edge p u v -> (forall k, u <> Fd k) ->
  causes (fifo l) (place_left u) (place_left v) /\ forall k, v <> Fd k.
Proof.
  intros E N. destruct E as [i x y Lt Ly|i x L|i x L|i|i j x y Hx Hy K]; try (exfalso; eapply N; reflexivity);
    (split; [|discriminate]); simpl.
  - now apply causes_order.
  - now apply causes_order.
  - pose proof (labs_lt _ _ _ _ Hx) as Lx. pose proof (labs_lt _ _ _ _ Hy) as Ly.
    apply t_step, message_step; rewrite ?labs_left, ?(proj1 (before_left (sndb j) i x Lx)),
      ?(proj1 (before_left (rcvb i) j y Ly)); auto.
Qed.
Lemma path_left u v : path p u v -> (forall k, u <> Fd k) ->
  causes (fifo l) (place_left u) (place_left v) /\ forall k, v <> Fd k.
Proof.
  induction 1 as [u v E|u w v P1 IH1 P2 IH2]; intro N; [now apply edge_left|].
  destruct (IH1 N) as [C1 N1], (IH2 N1) as [C2 N2]. split; auto. eapply t_trans; eauto.
Qed.

(** ... so are edges of [q], except that Fd_k may be where its first event is. *)
Definition weakly (x y : event) := x = y \/ causes (fifo l) x y.
Lemma weakly_order i x y : x <= y -> weakly (i, x) (i, y).
Proof. intro L. destruct (Nat.eq_dec x y) as [->|N]; [now left|right]. apply causes_order. lia. Qed.
Lemma edge_right u v : edge q u v -> weakly (place_right u) (place_right v).
Proof.
  intros [i x y Lt Ly|i x L|i x L|i|i j x y Hx Hy K]; simpl; try (apply weakly_order; unfold l; rewrite ?len_app; lia).
  right. apply t_step, message_step; rewrite ?labs_right, ?before_right; auto; now rewrite K, (Bp i j).
Qed.
Lemma path_right u v : path q u v -> weakly (place_right u) (place_right v).
Proof.
  induction 1 as [u v E|u w v P1 IH1 P2 IH2]; [now apply edge_right|].
  unfold weakly in *. destruct IH1 as [->|C1], IH2 as [E|C2]; auto; [right; now rewrite <- E|].
  right. eapply t_trans; eauto.
Qed.

(** Through Ld_k and Fd_k. *)
Lemma causes_through j y k v : path p (Ev j y) (Ld k) -> path q (Fd k) v -> causes (fifo l) (j, y) (place_right v).
Proof.
  intros P1 P2. apply path_left in P1 as [C1 _]; [|discriminate]. apply path_right in P2. simpl in *.
  destruct P2 as [<-|C2]; auto. eapply t_trans; eauto.
Qed.

(** And there is no other way.  [arrives j y i z]: how (j, y) gets to (i, z). *)
Definition path_or_same (u v : node) := u = v \/ path p u v.
Definition to_end (k i z : nat) := if z <? len q i then path q (Fd k) (Ev i z) else path q (Fd k) (Ld i).
Definition arrives (j y i z : nat) :=
  if z <? len p i then path_or_same (Ev j y) (Ev i z)
  else exists k, path p (Ev j y) (Ld k) /\ to_end k i (z - len p i).

Lemma stays_edge u v w : path_or_same u v -> edge p v w -> path p u w.
Proof. intros [->|P] E; [now apply t_step|]. eapply t_trans; [exact P|now apply t_step]. Qed.

(** On along the process ... *)
Lemma arrives_order j y i z z' : z < z' -> arrives j y i z -> arrives j y i z'.
Proof.
  intros L H. unfold arrives in *. destruct (z <? len p i) eqn:E1, (z' <? len p i) eqn:E2;
    rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; try lia.
  - right. eapply stays_edge; [exact H|]. now apply E_next.
  - exists i. split; [eapply stays_edge; [exact H|now apply E_last]|]. unfold to_end.
    destruct (z' - len p i <? len q i) eqn:E3; apply t_step; [apply E_first; now apply Nat.ltb_lt|apply E_idle].
  - destruct H as (k & Hk & T). exists k. split; auto. unfold to_end in *.
    destruct (z - len p i <? len q i) eqn:E3, (z' - len p i <? len q i) eqn:E4; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *;
      try lia; auto.
    + eapply t_trans; [exact T|]. apply t_step, E_next; lia.
    + eapply t_trans; [exact T|]. apply t_step, E_last; lia.
Qed.

(** ... and by messages, which stay in their layer. *)
Lemma arrives_message j y i j' z y' : nth_error (labs j' l) y' = Some (Rcv i) ->
  delta (fifo l) (j', y') = (i, z) -> arrives j y i z -> arrives j y j' y'.
Proof.
  intros Hy D H. destruct (fifo_match l i j' y' Bl Hy) as (z0 & D0 & Hz & K). rewrite D in D0. injection D0 as <-.
  pose proof (fifo_same_layer p q i j' y' z Bp Bl Hy D) as Same.
  unfold arrives in *. destruct (z <? len p i) eqn:E1, (y' <? len p j') eqn:E2; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *;
    try lia.
  - right. eapply stays_edge; [exact H|].
    rewrite (proj1 (before_left (sndb j') i z E1)), (proj1 (before_left (rcvb i) j' y' E2)) in K.
    rewrite labs_left in Hz, Hy by auto. now apply E_msg.
  - destruct H as (k & Hk & T). exists k. split; auto. unfold to_end in *.
    set (z1 := z - len p i) in *. set (y1 := y' - len p j') in *.
    replace z with (len p i + z1) in * by (unfold z1; lia). replace y' with (len p j' + y1) in * by (unfold y1; lia).
    rewrite labs_right in Hz, Hy. rewrite !before_right, (Bp i j') in K.
    pose proof (labs_lt _ _ _ _ Hz) as Lz. pose proof (labs_lt _ _ _ _ Hy) as Ly.
    apply Nat.ltb_lt in Lz, Ly. rewrite Lz in T. rewrite Ly.
    eapply t_trans; [exact T|]. apply t_step, E_msg; auto. lia.
Qed.

Lemma arrives_step j y u v : step (fifo l) u v -> arrives j y (fst u) (snd u) -> arrives j y (fst v) (snd v).
Proof.
  intros [[F L]|(i & j' & [F Lr] & D)] H.
  - rewrite <- F. now apply arrives_order with (snd u).
  - destruct v as [j0 y']; simpl in F; subst j0. apply fifo_lab in Lr as [Lr _]; [|discriminate].
    destruct (fifo_match l i j' y' Bl Lr) as (z & D0 & _). rewrite D0 in D; subst u. cbn [fst snd] in *.
    apply (arrives_message j y i j' z y' Lr D0 H).
Qed.
Lemma causes_arrives j y u : y < len p j -> causes (fifo l) (j, y) u -> arrives j y (fst u) (snd u).
Proof.
  intros L C. apply clos_trans_tn1 in C.
  assert (H0 : arrives j y j y) by (unfold arrives; apply Nat.ltb_lt in L; rewrite L; now left).
  induction C as [u S|u v S C IH]; [apply (arrives_step j y (j, y) u S H0)|apply (arrives_step j y u v S IH)].
Qed.
End Layers.

(** ** First sends and last receives *)

Lemma last_exists l j i y : nth_error (labs j l) y = Some (Rcv i) -> exists y', last_receive l j i y' /\ y <= y'.
Proof.
  intro H. destruct (max_exists (seq 0 (len l j)) (fun y => nth_error (labs j l) y = Some (Rcv i)) lt)
    as (m & _ & Hm & M).
  - apply Nat.lt_trans.
  - apply Nat.lt_irrefl.
  - exists y. split; auto. apply in_seq. pose proof (labs_lt _ _ _ _ H). lia.
  - exists m. assert (X : forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= m).
    { intros y' H'. apply Nat.nlt_ge. apply M; auto. apply in_seq. pose proof (labs_lt _ _ _ _ H'). lia. }
    split; [split; auto|auto].
Qed.
Lemma first_exists l i j x : nth_error (labs i l) x = Some (Snd j) -> exists x', first_send l i j x' /\ x' <= x.
Proof.
  intro H. destruct (max_exists (seq 0 (len l i)) (fun x => nth_error (labs i l) x = Some (Snd j)) gt)
    as (m & _ & Hm & M).
  - intros a b c A B. unfold gt in *. lia.
  - intros a A. unfold gt in A. lia.
  - exists x. split; auto. apply in_seq. pose proof (labs_lt _ _ _ _ H). lia.
  - exists m. assert (X : forall x', nth_error (labs i l) x' = Some (Snd j) -> m <= x').
    { intros x' H'. apply Nat.nlt_ge. apply M; auto. apply in_seq. pose proof (labs_lt _ _ _ _ H'). lia. }
    split; [split; auto|auto].
Qed.

(** ** The signatures say the same as causality in the program graph of [P . Q] *)

Lemma signatures_of_covers p q : balanced p -> balanced q -> covers p q -> signatures_seal p q.
Proof.
  intros Bp Bq Cov i j y [[Hy _] _]. pose proof (labs_lt _ _ _ _ Hy) as Ly.
  destruct (classic (exists x, sig_snd q i j x)) as [[x [[Hx Fx] Sx]]|None].
  - (* Q's first send, which stays in its signature *)
    assert (C : causes (fifo (p ++ q)) (j, y) (i, len p i + x)).
    { apply (Cov i j y); auto. right. split; [lia|]. now rewrite labs_right. }
    apply causes_arrives in C; auto. unfold arrives in C; cbn [fst snd] in C.
    replace (len p i + x <? len p i) with false in C by (symmetry; apply Nat.ltb_ge; lia).
    destruct C as (k & Hk & T). exists k. unfold to_end in T. replace (len p i + x - len p i) with x in T by lia.
    pose proof (labs_lt _ _ _ _ Hx) as Lx. apply Nat.ltb_lt in Lx. rewrite Lx in T. apply Nat.ltb_lt in Lx.
    split; [auto|split].
    + eapply t_trans; [exact T|]. now apply t_step, E_last.
    + intros x' [[Hx' Fx'] _]. assert (x' = x) by (specialize (Fx x' Hx'); specialize (Fx' x Hx); lia). now subst.
  - (* any later send *)
    assert (C : causes (fifo (p ++ q)) (j, y) (i, len (p ++ q) i)) by (apply (Cov i j y); auto).
    apply causes_arrives in C; auto. unfold arrives in C; cbn [fst snd] in C. rewrite len_app in C.
    replace (len p i + len q i <? len p i) with false in C by (symmetry; apply Nat.ltb_ge; lia).
    destruct C as (k & Hk & T). exists k. unfold to_end in T.
    replace (len p i + len q i - len p i <? len q i) with false in T by (symmetry; apply Nat.ltb_ge; lia).
    split; [auto|split; auto]. intros x Sx. exfalso. eauto.
Qed.

Lemma covers_of_signatures p q : balanced p -> balanced q -> signatures_seal p q -> covers p q.
Proof.
  intros Bp Bq H i j y z Hy Hz.
  destruct (last_exists p j i y Hy) as (y' & Last & Le). apply causes_local_le with y'; auto.
  destruct Last as [Hy' My']. pose proof (labs_lt _ _ _ _ Hy') as Ly'.
  assert (Lz : len p i <= z) by (destruct Hz as [->|[Lz _]]; [rewrite len_app; lia|auto]).
  destruct (classic (path p (Ev j y') (Ld i))) as [Closed|Open].
  { (* P itself closes the channel *)
    apply (path_left p q Bp Bq) in Closed as [C _]; [|discriminate]. now apply causes_local_ge with (len p i). }
  destruct (H i j y') as (k & Hk & Tk & Sk); [split; [split|]; auto|].
  destruct Hz as [->|[_ Hz]]; [apply (causes_through p q Bp Bq j y' k (Ld i) Hk Tk)|].
  assert (Hz' : nth_error (labs i q) (z - len p i) = Some (Snd j)).
  { rewrite <- (labs_right p q). now replace (len p i + (z - len p i)) with z by lia. }
  destruct (first_exists q i j _ Hz') as (x & Fx & Lx). apply causes_local_ge with (len p i + x); [lia|].
  destruct (classic (path q (Fd j) (Ev i x))) as [C|O].
  - (* every send of Q on the channel comes after something of its receiver *)
    apply (causes_through p q Bp Bq j y' j (Ev i x)); auto. now apply t_step, E_last.
  - apply (causes_through p q Bp Bq j y' k (Ev i x)); auto. apply Sk. now split.
Qed.

Theorem decide_sealing : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->
  (Seals RelNS Q P <-> signatures_seal p q).
Proof.
  intros P Q p q HP HQ Bp Bq NS DF. rewrite (sealing_is_causality P Q p q); auto. split.
  - now apply signatures_of_covers.
  - now apply covers_of_signatures.
Qed.

(** With self-channels, in all runs of Rel: the same. *)
Theorem decide_sealing_self : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) -> (Seals Rel Q P <-> signatures_seal p q).
Proof.
  intros P Q p q HP HQ Bp Bq DF. rewrite (sealing_is_causality_self P Q p q); auto. split.
  - now apply signatures_of_covers.
  - now apply covers_of_signatures.
Qed.
