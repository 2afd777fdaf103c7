(** * Deciding whether a program occurs

    Occurrence is defined of every program of the language, with data, guards, silent cuts, choice and repetition, over
    an interval of a run.  Here it is computed: [endings] is the set of cuts at which an occurrence may end.  Of a run
    with finitely many receives, and up to a finite cut, that decides occurrence ([endings_sound],
    [endings_complete], [endings_correct]).  Runs that are written down are such runs: see [Recorded]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealAlgebra.
From Sealcheck Require Import CausalPast.
Open Scope nat_scope.

(** ** Cuts as lists *)

Definition cut_dec : forall u v : list nat, {u = v} + {u <> v} := list_eq_dec Nat.eq_dec.
Definition is_inside (v : list nat) (e : event) : bool := snd e <? at_ v (fst e).

Lemma is_inside_spec : forall v e, is_inside v e = true <-> inside (at_ v) e.
Proof. intros v e. apply Nat.ltb_lt. Qed.

(** Cuts of as many processes that are equal as cuts are equal as lists, ... *)
Lemma same_cut : forall u v, length u = length v -> ceq (at_ u) (at_ v) -> u = v.
Proof. intros u v L E. apply (nth_ext u v 0 0); [exact L|]. intros k _. exact (E k). Qed.

(** ... and of two different ones the later has more events. *)
Lemma more_events : forall u v, length u = length v -> cle (at_ u) (at_ v) ->
  list_sum u <= list_sum v /\ (list_sum u = list_sum v -> u = v).
Proof.
  induction u as [|a u IH]; intros [|b v] L C; simpl in L; try discriminate; [auto|].
  pose proof (C 0) as H. unfold at_ in H. simpl in H.
  destruct (IH v) as [S E]; [lia|intro k; exact (C (S k))|]. simpl. split; [lia|].
  intro T. assert (a = b) as -> by lia. f_equal. apply E. lia.
Qed.

(** ** Formulas *)

Fixpoint is_true (r : run) (v : list nat) (g : formula) : bool :=
  match g with
  | Equal i e j f => (e (past r i (at_ v i)) =? f (past r j (at_ v j)))%Z
  | Less i e j f => (e (past r i (at_ v i)) <? f (past r j (at_ v j)))%Z
  | Not g => negb (is_true r v g)
  | And g h => is_true r v g && is_true r v h
  end.

Lemma is_true_spec : forall r v g, is_true r v g = true <-> holds r (at_ v) g.
Proof.
  induction g as [i e j f|i e j f|g IH|g IHg h IHh]; simpl.
  - apply Z.eqb_eq.
  - apply Z.ltb_lt.
  - rewrite negb_true_iff, <- IH. symmetry. apply not_true_iff_false.
  - rewrite andb_true_iff, IHg, IHh. tauto.
Qed.

(** ** Where occurrences end *)

Definition intb (l : label) : bool := match l with Int => true | _ => false end.

Lemma intb_spec : forall l, intb l = true <-> l = Int.
Proof. intros [| |]; simpl; split; congruence. Qed.

Section Endings.
Variables (r : run) (rs : list event) (w : list nat).

Definition is_silent (v : list nat) : bool :=
  forallb (fun e => Bool.eqb (is_inside v e) (is_inside v (delta r e))) rs.

(** One event of process [i], if it is not behind [w] and is what is asked for. *)
Definition advance (i : proc) (asked : bool) (v : list nat) : list (list nat) :=
  if (at_ v i <? at_ w i) && asked then [raise v i (S (at_ v i))] else [].

(** The next event of [i] has the value that the expression has before it. *)
Definition is_value (i : proc) (e : expr) (v : list nat) : bool :=
  (val r (i, at_ v i) =? e (past r i (at_ v i)))%Z.

(** What is reached from some cuts by [k] rounds at most. *)
Fixpoint iterated (f : list nat -> list (list nat)) (k : nat) (vs : list (list nat)) : list (list nat) :=
  match k with
  | 0 => vs
  | S k' => iterated f k' (nodup cut_dec (vs ++ flat_map f vs))
  end.

(** The cuts up to [w] at which the program may end if it begins at [v].  A round of a repetition in which nothing
    happens leads nowhere, so that there are no more rounds to go than events. *)
Fixpoint endings (p : prog) (v : list nat) : list (list nat) :=
  match p with
  | Eps => [v]
  | Assign i e => advance i (intb (lab r i (at_ v i)) && is_value i e v) v
  | Send i j e => advance i (sndb j (lab r i (at_ v i)) && is_value i e v) v
  | Recv j i => advance j (rcvb i (lab r j (at_ v j))) v
  | Guard g => if is_true r v g then [v] else []
  | Chop => if is_silent v then [v] else []
  | Lay p q => nodup cut_dec (flat_map (endings q) (endings p v))
  | Choice p q => nodup cut_dec (endings p v ++ endings q v)
  | Star p => iterated (endings p) (list_sum w) [v]
  end.

(** [rs] are the receives of the run. *)
Hypothesis receives_all : forall e, In e rs <-> exists i j, is_rcv r e i j.

Lemma is_silent_spec : forall v, is_silent v = true <-> silent r (at_ v).
Proof.
  intro v. unfold is_silent. rewrite forallb_forall. split.
  - intros H e i j R. rewrite <- !is_inside_spec. assert (I : In e rs) by (apply receives_all; eauto).
    apply H, eqb_prop in I. rewrite I. tauto.
  - intros S e I. apply receives_all in I as (i & j & R). apply eqb_true_iff, eq_true_iff_eq.
    rewrite !is_inside_spec. exact (S e i j R).
Qed.

Lemma advance_spec : forall i asked v u, In u (advance i asked v) <->
  at_ v i < at_ w i /\ asked = true /\ raise v i (S (at_ v i)) = u.
Proof.
  intros i asked v u. unfold advance. destruct (at_ v i <? at_ w i) eqn:L, asked; simpl;
    rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in L; intuition (try congruence; lia).
Qed.

Lemma raise_bump : forall v i, i < length v -> ceq (at_ (raise v i (S (at_ v i)))) (bump (at_ v) i).
Proof.
  intros v i L k. rewrite raise_at by exact L. unfold bump. destruct (k =? i) eqn:E; [|reflexivity].
  apply Nat.eqb_eq in E. subst k. lia.
Qed.

Lemma at_length : forall v i, 0 < at_ v i -> i < length v.
Proof.
  intros v i H. destruct (le_lt_dec (length v) i) as [L|]; auto. exfalso.
  unfold at_ in H. rewrite nth_overflow in H by exact L. lia.
Qed.

Lemma advance_bump : forall i asked v u, length v = length w -> In u (advance i asked v) ->
  asked = true /\ ceq (at_ u) (bump (at_ v) i) /\ length u = length w.
Proof.
  intros i asked v u L H. apply advance_spec in H as (I & A & <-). split; auto.
  rewrite raise_length. split; auto. apply raise_bump. rewrite L. apply at_length. lia.
Qed.

Lemma rounds_sound : forall (P : list nat -> Prop) f, (forall v u, P v -> In u (f v) -> P u) ->
  forall k vs, (forall v, In v vs -> P v) -> forall u, In u (iterated f k vs) -> P u.
Proof.
  intros P f F. induction k as [|k IH]; intros vs A u H; simpl in H; auto. apply (IH _) in H; auto.
  intros v I. apply nodup_In, in_app_or in I as [I|I]; auto. apply in_flat_map in I as (x & X & I). eauto.
Qed.

Lemma star_snoc : forall p c m d, occurs r c (Star p) m -> occurs r m p d -> occurs r c (Star p) d.
Proof.
  intros p c m d O O2. apply star_iterates in O as [k It]. revert O2.
  induction It as [c e E|k c e m O1 It IH]; intro O2.
  - apply O_st1 with d; [|apply O_st0, ceq_refl]. apply (occurs_ceq r e p d); auto using ceq_refl, ceq_sym.
  - apply O_st1 with e; auto.
Qed.

(** What is computed are ends of occurrences, ... *)
Theorem endings_sound : forall p v u, length v = length w -> In u (endings p v) ->
  occurs r (at_ v) p (at_ u) /\ length u = length w.
Proof.
  induction p as [|i e|i j e|j i|g| |p IHp q IHq|p IHp q IHq|p IHp]; intros v u L H; simpl in H.
  - destruct H as [<-|[]]. split; auto. apply O_eps, ceq_refl.
  - apply advance_bump in H as (A & B & Lu); auto. split; auto. apply andb_true_iff in A as [A V].
    apply O_asg; auto; [now apply intb_spec|now apply Z.eqb_eq].
  - apply advance_bump in H as (A & B & Lu); auto. split; auto. apply andb_true_iff in A as [A V].
    apply O_snd; auto; [now apply sndb_spec|now apply Z.eqb_eq].
  - apply advance_bump in H as (A & B & Lu); auto. split; auto. apply O_rcv; auto. now apply rcvb_spec.
  - destruct (is_true r v g) eqn:T; [|destruct H]. destruct H as [<-|[]]. split; auto.
    apply O_grd; [apply ceq_refl|now apply is_true_spec].
  - destruct (is_silent v) eqn:T; [|destruct H]. destruct H as [<-|[]]. split; auto.
    apply O_chop; [apply ceq_refl|now apply is_silent_spec].
  - apply nodup_In, in_flat_map in H as (x & X & H). apply IHp in X as [O Lx]; auto.
    apply IHq in H as [O2 Lu]; auto. split; auto. eapply O_lay; eauto.
  - apply nodup_In, in_app_or in H as [H|H]; [apply IHp in H as [O Lu]|apply IHq in H as [O Lu]]; auto.
    + split; auto. now apply O_ch1.
    + split; auto. now apply O_ch2.
  - revert H. apply rounds_sound with (P := fun u => occurs r (at_ v) (Star p) (at_ u) /\ length u = length w).
    + intros x y [O Lx] H. apply IHp in H as [O2 Ly]; auto. split; auto. eapply star_snoc; eauto.
    + intros x [<-|[]]. split; auto. apply O_st0, ceq_refl.
Qed.

Lemma rounds_grow : forall f k vs v, In v vs -> In v (iterated f k vs).
Proof.
  intro f. induction k as [|k IH]; intros vs v I; simpl; auto. apply IH, nodup_In, in_or_app. auto.
Qed.

(** What ends at [d] has computed an end there. *)
Definition finds (f : list nat -> list (list nat)) (p : prog) := forall c d v, occurs r c p d ->
  ceq c (at_ v) -> length v = length w -> cle d (at_ w) ->
  exists u, In u (f v) /\ length u = length w /\ ceq d (at_ u).

Lemma advance_finds : forall i asked c d v, asked = true -> ceq d (bump c i) -> ceq c (at_ v) ->
  length v = length w -> cle d (at_ w) -> exists u, In u (advance i asked v) /\ length u = length w /\ ceq d (at_ u).
Proof.
  intros i asked c d v A B E L C. exists (raise v i (S (at_ v i))).
  assert (I : at_ v i < at_ w i).
  { specialize (C i). rewrite B in C. unfold bump in C. rewrite Nat.eqb_refl, (E i) in C. lia. }
  split; [apply advance_spec; auto|]. rewrite raise_length. split; auto. intro k.
  rewrite raise_bump by (rewrite L; apply at_length; lia). rewrite B. unfold bump. now rewrite (E k).
Qed.

Lemma rounds_find : forall f p, finds f p -> forall j c d, iterates r p j c d -> forall k vs v, In v vs ->
  ceq c (at_ v) -> length v = length w -> cle d (at_ w) -> list_sum w <= k + list_sum v ->
  exists u, In u (iterated f k vs) /\ length u = length w /\ ceq d (at_ u).
Proof.
  intros f p F j c d It. induction It as [c d E|j c m d O It IH]; intros k vs v I Ec L C Le.
  - exists v. split; [now apply rounds_grow|]. split; auto. intro x. now rewrite <- E.
  - assert (Cm : cle m (at_ w)).
    { intro x. pose proof (occurs_le r m (Star p) d (iterates_star r p j m d It) x). specialize (C x). lia. }
    destruct (F c m v O Ec L Cm) as (u & U & Lu & Em).
    destruct (cut_dec v u) as [->|N]; [now apply (IH k vs u)|].
    assert (Up : cle (at_ v) (at_ u)).
    { intro x. rewrite <- (Ec x), <- (Em x). now apply (occurs_le r c p m). }
    destruct (more_events v u) as [S1 S2]; [congruence|exact Up|].
    destruct (more_events u w) as [S3 _]; [congruence|intro x; rewrite <- (Em x); auto|].
    assert (list_sum v <> list_sum u) by (intro Q; now apply N, S2). destruct k as [|k]; [lia|].
    simpl. apply (IH k _ u); auto; [|lia]. apply nodup_In, in_or_app. right. apply in_flat_map. eauto.
Qed.

(** ... and up to [w] all of them. *)
Theorem endings_complete : forall p, finds (endings p) p.
Proof.
  induction p as [|i e|i j e|j i|g| |p IHp q IHq|p IHp q IHq|p IHp]; intros c d v O E L C.
  - inversion O; subst. exists v. split; [now left|]. split; auto. intro x. rewrite <- (E x). symmetry. auto.
  - inversion O; subst. simpl. apply advance_finds with c; auto. unfold is_value. rewrite <- (E i).
    apply andb_true_iff. split; [now apply intb_spec|now apply Z.eqb_eq].
  - inversion O; subst. simpl. apply advance_finds with c; auto. unfold is_value. rewrite <- (E i).
    apply andb_true_iff. split; [now apply sndb_spec|now apply Z.eqb_eq].
  - inversion O; subst. simpl. apply advance_finds with c; auto. rewrite <- (E j). now apply rcvb_spec.
  - inversion O; subst. exists v. assert (T : is_true r v g = true) by (apply is_true_spec, (holds_ceq r c); auto).
    simpl. rewrite T. split; [now left|]. split; auto. intro x. rewrite <- (E x). symmetry. auto.
  - apply chop_iff in O as [E2 S]. exists v.
    assert (T : is_silent v = true) by (apply is_silent_spec, (silent_ceq r c); auto).
    simpl. rewrite T. split; [now left|]. split; auto. intro x. rewrite <- (E x). symmetry. auto.
  - apply lay_iff in O as (m & O1 & O2).
    assert (Cm : cle m (at_ w)) by (intro x; pose proof (occurs_le r m q d O2 x); specialize (C x); lia).
    destruct (IHp c m v O1 E L Cm) as (u & U & Lu & Eu).
    destruct (IHq m d u O2 Eu Lu C) as (y & Y & Ly & Ey).
    exists y. split; auto. simpl. apply nodup_In, in_flat_map. eauto.
  - assert (H : exists u, (In u (endings p v) \/ In u (endings q v)) /\ length u = length w /\ ceq d (at_ u)).
    { inversion O; subst; [destruct (IHp c d v) as (u & U & R)|destruct (IHq c d v) as (u & U & R)]; eauto. }
    destruct H as (u & U & R). exists u. split; auto. simpl. now apply nodup_In, in_or_app.
  - apply star_iterates in O as [k It]. simpl. eapply rounds_find; eauto; [now left|lia].
Qed.
(** So occurrence up to [w] is decided. *)
Theorem endings_correct : forall p c d, length c = length w -> length d = length w -> cle (at_ d) (at_ w) ->
  (In d (endings p c) <-> occurs r (at_ c) p (at_ d)).
Proof.
  intros p c d Lc Ld C. split; intro H; [now apply (endings_sound p c d)|].
  destruct (endings_complete p (at_ c) (at_ d) c H) as (u & U & Lu & E); auto using ceq_refl.
  apply same_cut in E; [|congruence]. now subst u.
Qed.
End Endings.
