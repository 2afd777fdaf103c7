(** * Sealing is causality

    The heart of th:decide.sealing, before signatures: [Q] seals [P] exactly if, in the program graph of [P . Q], every
    receive of [P] causes every later send on its channel, be it a send of [Q] or one after [Q].  [DecideSealing]
    derives the paper's form. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values.
Open Scope nat_scope.

(** ** "If" *)

(** A message that a receive of [p] takes from after [p] is a send of [q], or comes after [q]. *)
Lemma later_send r c p q i j y z : standing r c (p ++ q) -> silent r c -> is_rcv r (j, c j + y) i j ->
  delta r (j, c j + y) = (i, z) -> lab r i z = Snd j -> c i + len p i <= z -> covers p q ->
  nth_error (labs j p) y = Some (Rcv i) ->
  exists x, c i + x <= z /\ causes (fifo (p ++ q)) (j, y) (i, x).
Proof.
  intros St Sc R D Lz Gz Cov Ly.
  destruct (le_lt_dec (c i + len (p ++ q) i) z) as [G|G].
  - exists (len (p ++ q) i). split; [lia|]. apply (Cov i j y); auto.
  - exists (z - c i). split; [lia|]. apply (Cov i j y); auto. right. split; [lia|].
    rewrite (stand_lab' r c) by (auto; lia). replace (c i + (z - c i)) with z by lia. now f_equal.
Qed.

(** So no receive of [p] takes one: it would cause the send that it takes. *)
Lemma covers_inside r c p q : matching r -> silent r c -> standing r c (p ++ q) -> balanced (p ++ q) -> covers p q ->
  forall e i j, is_rcv r e i j -> inside (fun i => c i + len p i) e -> inside (fun i => c i + len p i) (delta r e).
Proof.
  intros W Sc St B Cov [j' Y] i j R I. assert (j' = j) by apply R. subst j'.
  destruct (delta_snd r W _ _ _ R) as [Fz Lz]. destruct (delta r (j, Y)) as [i' Z] eqn:E. simpl in Fz, Lz; subst i'.
  unfold inside in *; simpl in *. destruct (lt_dec Z (c i + len p i)) as [|G]; auto. exfalso.
  destruct (lt_dec Y (c j)) as [J|J].
  { specialize (Sc _ _ _ R). rewrite E in Sc. unfold inside in Sc; simpl in Sc. lia. }
  assert (Ly : nth_error (labs j p) (Y - c j) = Some (Rcv i)).
  { destruct (standing_app r c p q St) as [Sp _]. rewrite (stand_lab' r c) by (auto; lia).
    replace (c j + (Y - c j)) with Y by lia. f_equal. apply R. }
  assert (EY : c j + (Y - c j) = Y) by lia.
  destruct (later_send r c p q i j (Y - c j) Z) as (x & Lx & C); auto; rewrite ?EY; auto; [lia|].
  apply (shift r c) in C; auto. simpl in C. rewrite EY in C.
  apply (causal r W (j, Y)). eapply t_trans; [eapply causes_local_ge; [exact Lx|exact C]|].
  rewrite <- E. eapply causes_msg; eauto.
Qed.

Lemma covers_seals P Q p q : acts P = Some p -> acts Q = Some q -> balanced p -> balanced q -> covers p q ->
  forall G : run -> Prop, (forall r, G r -> matching r) -> Seals G Q P.
Proof.
  intros HP HQ Bp Bq Cov G HG. apply seals_iff. intros r c d g Sc O.
  apply lay_iff in O as (m & O1 & O2). exists m. split; [auto|split; auto].
  pose proof (occurs_follows r P p HP _ _ O1) as F1. pose proof (occurs_follows r Q q HQ _ _ O2) as F2.
  pose proof (follows_app r c m d p q F1 F2) as F.
  assert (St : standing r c (p ++ q)) by (intro k; apply F).
  assert (E : ceq (fun i => c i + len p i) m) by (intro k; symmetry; apply F1).
  apply (silent_ceq r _ m E). apply inside_suffices; auto; [intro k; apply F1|].
  apply covers_inside with q; auto using balanced_app.
Qed.

(** ** "Only if"

    A receive of [P] that does not cause a later send on its channel can receive that very message: exchange it, in the
    oldest-first run, with the message that the receive has there. *)

(** A run of [P . Q] in which receive [y] of [P] takes a message from after [P]. *)
Definition interference (G : run -> Prop) (P Q : prog) (p q : list act) (i j : proc) (y : nat) := exists r z, G r /\
  occurs r (fun _ => 0) (Lay P Q) (len (p ++ q)) /\ is_rcv r (j, y) i j /\ delta r (j, y) = (i, z) /\ len p i <= z.

(** Such a run refutes that [Q] seals [P]; ... *)
Lemma interference_unsealed G P Q p q i j y : acts P = Some p -> y < len p j ->
  interference G P Q p q i j y -> ~ Seals G Q P.
Proof.
  intros HP Ly (r & z & R & O & Rc & D & Lz) S. rewrite seals_iff in S.
  destruct (S r (fun _ => 0) (len (p ++ q))) as (m & O1 & Sm & _); auto.
  - intros e a b _. unfold inside. split; lia.
  - pose proof (occurs_follows _ P p HP _ _ O1) as F. specialize (Sm (j, y) i j Rc). rewrite D in Sm.
    unfold inside in Sm; simpl in Sm. destruct (F i) as [Fi _], (F j) as [Fj _]. simpl in *. lia.
Qed.

(** ... and it is enough to have its labels and its matching. *)
Lemma interference_by (G : run -> Prop) P Q p q r i j y z : acts P = Some p -> acts Q = Some q ->
  matching r -> reliable r -> (forall v, Rel (revalue r v) -> G (revalue r v)) ->
  standing r (fun _ => 0) (p ++ q) ->
  is_rcv r (j, y) i j -> delta r (j, y) = (i, z) -> len p i <= z ->
  interference G P Q p q i j y.
Proof.
  intros HP HQ W Re HG St R D Lz.
  destruct (computed r (fun _ => 0) (Lay P Q) (p ++ q) W Re (lay_straight _ _ _ _ HP HQ) St) as (v & Rv & O).
  exists (revalue r v), z. auto.
Qed.

(** What a receive takes there is a send of the same layer. *)
Lemma fifo_same_layer p q i j y x : balanced p -> balanced (p ++ q) ->
  nth_error (labs j (p ++ q)) y = Some (Rcv i) -> delta (fifo (p ++ q)) (j, y) = (i, x) ->
  (y < len p j <-> x < len p i).
Proof.
  intros Bp B Hy D. destruct (fifo_match _ i j y B Hy) as (x' & D' & Hx & K). rewrite D in D'. injection D' as <-.
  rewrite labs_app in Hx, Hy.
  pose proof (part (rcvb i) _ _ _ _ Hy (proj2 (rcvb_spec i _) eq_refl)) as Py.
  pose proof (part (sndb j) _ _ _ _ Hx (proj2 (sndb_spec j _) eq_refl)) as Px.
  rewrite <- labs_app, len_labs in Px, Py. rewrite K, (Bp i j) in Px. tauto.
Qed.

Section OnlyIf.
Variables (P Q : prog) (p q : list act).
Hypotheses (HP : acts P = Some p) (HQ : acts Q = Some q).
Hypotheses (Bp : balanced p) (B : balanced (p ++ q)) (DF : dead_free (p ++ q)).
Variables (i j : proc) (y : nat).
Hypotheses (Nij : i <> j) (Ly : nth_error (labs j p) y = Some (Rcv i)).
Let l := p ++ q.
(** Of runs without messages to oneself, or of all. *)
Variable Gr : run -> Prop.
Hypothesis HG : forall r, Rel r -> (nofself l -> noself r) -> Gr r.

Local Lemma in_p : y < len p j. Proof. eapply labs_lt; eauto. Qed.
Local Lemma in_l : nth_error (labs j l) y = Some (Rcv i).
Proof. unfold l. rewrite labs_app, nth_error_app1; auto. rewrite len_labs. apply in_p. Qed.
Local Lemma received : is_rcv (fifo l) (j, y) i j.
Proof. split; auto. simpl. now rewrite in_l. Qed.
Local Lemma takes : exists x, delta (fifo l) (j, y) = (i, x) /\ x < len p i.
Proof.
  destruct (fifo_match l i j y B in_l) as (x & D & _ & _). exists x. split; auto.
  apply (fifo_same_layer p q i j y x Bp B in_l D). apply in_p.
Qed.

(** A send of [Q] that the receive does not cause. *)
Lemma interference_in_Q z : len p i <= z -> nth_error (labs i l) z = Some (Snd j) ->
  ~ causes (fifo l) (j, y) (i, z) -> interference Gr P Q p q i j y.
Proof.
  intros Lz Hz NC. destruct takes as (x & Dx & Lx).
  assert (K : length (filter (sndb j) (firstn z (labs i l))) < length (filter (rcvb i) (labs j l))).
  { pose proof (B i j) as Bij. fold l in Bij. rewrite <- Bij. eapply count_lt; eauto. now apply sndb_spec. }
  destruct (nthpos_spec _ _ _ K) as (a & A1 & A2 & A3). apply rcvb_spec in A2; subst a.
  set (y' := nthpos (rcvb i) (labs j l) (length (filter (sndb j) (firstn z (labs i l))))) in *.
  destruct (fifo_match l i j y' B A1) as (z' & Dz & Hz' & K').
  assert (z' = z).
  { rewrite <- (nthpos_count (sndb j) _ _ _ Hz') by (now apply sndb_spec).
    rewrite K', A3. apply nthpos_count with (Snd j); auto. now apply sndb_spec. }
  subst z'. assert (Ly' : ~ y' < len p j).
  { intro G. apply (fifo_same_layer p q i j y' z Bp B A1 Dz) in G. lia. }
  pose proof in_p as Lp.
  assert (R' : is_rcv (fifo l) (j, y') i j) by (split; auto; simpl; now rewrite A1).
  apply (interference_by Gr P Q p q (swap (fifo l) (j, y) (j, y')) i j y z); auto.
  - apply exchange with i j; auto using received; rewrite ?Dx, ?Dz; simpl; auto; try lia.
    now apply fifo_matching.
  - apply quiet_reliable with (len l). intros a k b Lk H. apply fifo_lab in H as [_ H]; [lia|discriminate].
  - intros v Rv. apply HG; auto. intros N e a. apply (fifo_noself l N e a).
  - intro k. apply map_lab_fifo.
  - apply received.
  - unfold swap; cbn [delta]. destruct (ev_dec (j, y) (j, y)); [exact Dz|contradiction].
Qed.

(** A send after [Q], which the receive does not cause: the run goes on with one more message. *)
Local Definition one_more : run :=
  extend (fifo l) (len l) (fun k => if k =? j then Rcv i else if k =? i then Snd j else Int) (i, len l i) 0%Z.

Local Lemma end_silent : silent (fifo l) (len l).
Proof. exact (fifo_silent_end l B). Qed.
Local Lemma more_send : lab one_more i (len l i) = Snd j.
Proof.
  simpl. rewrite Nat.ltb_irrefl, !Nat.eqb_refl. destruct (i =? j) eqn:E; auto.
  apply Nat.eqb_eq in E. congruence.
Qed.
Local Lemma more_receive : is_rcv one_more (j, len l j) i j /\ delta one_more (j, len l j) = (i, len l i).
Proof. repeat split; simpl; rewrite Nat.ltb_irrefl, ?Nat.eqb_refl; auto. Qed.
Local Lemma more_matching : matching one_more /\ reliable one_more.
Proof.
  apply extend_matching with i j.
  - now apply fifo_matching.
  - apply end_silent.
  - exact Nij.
  - now rewrite Nat.eqb_refl.
  - intros k H. apply Nat.eqb_neq in H. rewrite H. destruct (k =? i) eqn:E; auto. apply Nat.eqb_eq in E; auto.
  - split; auto. apply more_send.
  - intro H. unfold inside in H; simpl in H. lia.
Qed.
Local Lemma more_noself : nofself l -> noself one_more.
Proof.
  intro N. apply extend_noself; [apply (fifo_noself l N)|]. intros k. destruct (k =? j) eqn:E1; [discriminate|].
  destruct (k =? i) eqn:E2; [|discriminate]. apply Nat.eqb_neq in E1. congruence.
Qed.
Local Lemma more_inside v w : step one_more v w -> inside (len l) w -> step (fifo l) v w /\ inside (len l) v.
Proof.
  intros [[F L]|(a & b & R & D)] I.
  - split; [left; auto|]. unfold inside in *. rewrite F. lia.
  - unfold one_more in R, D. destruct (extend_cases (fifo l) (len l)
      (fun k => if k =? j then Rcv i else if k =? i then Snd j else Int) (i, len l i) 0%Z w)
      as [(J & E & G)|[(J & E & G)|(J & E)]]; unfold inside in I; try lia.
    assert (R0 : is_rcv (fifo l) w a b) by (destruct R as [F L]; split; auto; congruence).
    rewrite G in D. split; [right; eauto|]. rewrite <- D. now apply (end_silent w a b R0).
Qed.
Local Lemma more_causes v w : causes one_more v w -> inside (len l) w -> causes (fifo l) v w /\ inside (len l) v.
Proof.
  intro C. induction C as [v w S|v u w C1 IH1 C2 IH2]; intro I.
  - destruct (more_inside v w S I). split; auto. now apply t_step.
  - destruct (IH2 I) as [A1 A2], (IH1 A2). split; auto. eapply t_trans; eauto.
Qed.
(** The last step to the new send is the order of its process. *)
Local Lemma more_before v : step one_more v (i, len l i) -> fst v = i /\ snd v < len l i.
Proof.
  intros [S|(a & b & [F L] & _)]; [exact S|]. cbn [fst snd] in *. rewrite more_send in L. discriminate.
Qed.

Lemma interference_after_Q : ~ causes (fifo l) (j, y) (i, len l i) -> interference Gr P Q p q i j y.
Proof.
  intro NC. destruct takes as (x & Dx & Lx). destruct more_receive as [Rj Dj].
  pose proof in_p as Lp. destruct more_matching as [W Re].
  assert (Le : forall k, len p k <= len l k) by (intro k; unfold l; rewrite len_app; lia).
  assert (Yd : inside (len l) (j, y)) by (specialize (Le j); unfold inside; simpl; lia).
  assert (Ag : agree (fifo l) one_more (len l)) by apply extend_agree.
  assert (Ry : is_rcv one_more (j, y) i j).
  { split; auto. simpl fst; simpl snd. rewrite <- (proj1 (Ag j y Yd)). apply received. }
  assert (Dy : delta one_more (j, y) = (i, x)).
  { unfold one_more, extend; cbn [delta fst snd]. apply Nat.ltb_lt in Yd. simpl in Yd. rewrite Yd. exact Dx. }
  assert (NC' : ~ causes one_more (j, y) (i, len l i)).
  { intro C. apply last_step in C as [S|([k v] & C & S)].
    - apply more_before in S as [S _]. simpl in S. congruence.
    - apply more_before in S as [S1 S2]. simpl in S1, S2; subst k. apply NC.
      eapply t_trans; [apply (more_causes _ _ C); exact S2|now apply causes_order]. }
  apply (interference_by Gr P Q p q (swap one_more (j, y) (j, len l j)) i j y (len l i)); auto.
  - apply exchange with i j; auto; rewrite ?Dy, ?Dj; simpl; auto. specialize (Le i). lia.
  - apply quiet_reliable with (fun k => S (len l k)). intros a k b Lk. simpl.
    replace (k <? len l a) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (k =? len l a) with false by (symmetry; apply Nat.eqb_neq; lia). discriminate.
  - intros v Rv. apply HG; auto. intros N e a. apply (more_noself N e a).
  - intro k. change (labs k l = map (lab one_more k) (seq 0 (len l k))). rewrite (map_lab_fifo l k) at 1.
    apply map_ext_in. intros w Hw. apply in_seq in Hw. apply Ag. simpl. lia.
  - unfold swap; cbn [delta]. destruct (ev_dec (j, y) (j, y)); [exact Dj|contradiction].
Qed.
End OnlyIf.

(** So, in any such set of runs; the messages of a process to itself need no causality but its own order. *)
Lemma sealing_is_causality_in (G : run -> Prop) P Q p q : (forall r, G r -> matching r) ->
  (forall r, Rel r -> (nofself (p ++ q) -> noself r) -> G r) -> acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) -> (Seals G Q P <-> covers p q).
Proof.
  intros GM HG HP HQ Bp Bq DF. pose proof (balanced_app _ _ Bp Bq) as B. split.
  - intros S i j y z Ly Hz. pose proof (labs_lt _ _ _ _ Ly) as Lt.
    destruct (Nat.eq_dec i j) as [->|Nij].
    { apply causes_order. destruct Hz as [->|[Lz _]]; rewrite ?len_app; lia. }
    destruct (classic (causes (fifo (p ++ q)) (j, y) (i, z))) as [|NC]; auto. exfalso.
    apply (interference_unsealed G P Q p q i j y HP Lt); auto. destruct Hz as [->|[Lz Hz]].
    + now apply interference_after_Q.
    + now apply interference_in_Q with z.
  - intro Cov. now apply (covers_seals P Q p q).
Qed.

Theorem sealing_is_causality : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->
  (Seals RelNS Q P <-> covers p q).
Proof.
  intros P Q p q HP HQ Bp Bq NS DF. apply sealing_is_causality_in; auto.
  - intros r [[W _] _]. exact W.
  - intros r R N. split; auto.
Qed.

(** Self-channels do not matter: it is the same in all runs of Rel. *)
Theorem sealing_is_causality_self : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) -> (Seals Rel Q P <-> covers p q).
Proof. intros P Q p q HP HQ Bp Bq DF. apply sealing_is_causality_in; auto. intros r [W _]. exact W. Qed.

(** So of programs in which no process sends to itself it is the same whether the runs have such messages. *)
Theorem seals_in_rel : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) -> (Seals Rel Q P <-> Seals RelNS Q P).
Proof.
  intros P Q p q HP HQ Bp Bq NS DF. now rewrite (sealing_is_causality P Q p q), (sealing_is_causality_self P Q p q).
Qed.
