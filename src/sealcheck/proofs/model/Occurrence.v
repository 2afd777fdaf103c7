(** * Occurrence

    What holds of every program of the language: cuts matter only component by component, time does not run
    backwards, and what it means to begin or to end with a silent cut. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs.
Open Scope nat_scope.

Lemma ceq_refl c : ceq c c. Proof. intro; reflexivity. Qed.
Lemma ceq_sym c d : ceq c d -> ceq d c. Proof. intros H p; symmetry; apply H. Qed.
Lemma ceq_trans c d e : ceq c d -> ceq d e -> ceq c e. Proof. intros H K p; rewrite H; apply K. Qed.

(** Equal cuts hold the same events, ... *)
Lemma ceq_inside c d e : ceq c d -> (inside c e <-> inside d e).
Proof. intro E. unfold inside. now rewrite E. Qed.
(** ... are silent both or not at all, ... *)
Lemma silent_ceq r c d : ceq c d -> silent r c -> silent r d.
Proof. intros E S e i j R. rewrite <- !(ceq_inside c d); auto. apply (S e i j R). Qed.
(** ... and satisfy the same formulas. *)
Lemma holds_ceq r c d g : ceq c d -> (holds r c g <-> holds r d g).
Proof. intro E. induction g; simpl; rewrite ?E; tauto. Qed.

(** Programs do not tell equal cuts apart. *)
Lemma occurs_ceq r c p d : occurs r c p d -> forall c' d', ceq c c' -> ceq d d' -> occurs r c' p d'.
Proof.
  assert (B : forall c d i c' d', ceq d (bump c i) -> ceq c c' -> ceq d d' -> ceq d' (bump c' i)).
  { intros c0 d0 i c' d' E Ec Ed k. rewrite <- (Ed k), (E k). unfold bump. now rewrite (Ec k). }
  induction 1; intros c' d' Ec Ed.
  - constructor. intro k. rewrite <- (Ec k), <- (Ed k). apply H.
  - constructor; [eapply B; eauto| |]; rewrite <- (Ec i); auto.
  - constructor; [eapply B; eauto| |]; rewrite <- (Ec i); auto.
  - constructor; [eapply B; eauto|]; rewrite <- (Ec j); auto.
  - constructor; [intro k; rewrite <- (Ec k), <- (Ed k); apply H|]. now apply (holds_ceq r c c').
  - constructor; [intro k; rewrite <- (Ec k), <- (Ed k); apply H|]. now apply (silent_ceq r c c').
  - apply O_lay with m; [apply IHoccurs1|apply IHoccurs2]; auto using ceq_refl.
  - apply O_ch1; auto.
  - apply O_ch2; auto.
  - apply O_st0. intro k. rewrite <- (Ec k), <- (Ed k). apply H.
  - apply O_st1 with m; [apply IHoccurs1|apply IHoccurs2]; auto using ceq_refl.
Qed.

(** Programs do not run backwards. *)
Lemma occurs_le r c p d : occurs r c p d -> cle c d.
Proof.
  induction 1; intro k; try (rewrite H; auto; fail); try (rewrite H; unfold bump; destruct (k =? _); lia).
  - specialize (IHoccurs1 k); specialize (IHoccurs2 k); lia.
  - apply IHoccurs.
  - apply IHoccurs.
  - specialize (IHoccurs1 k); specialize (IHoccurs2 k); lia.
Qed.

(** Layering, and the silent cut. *)
Lemma lay_iff r c p q d : occurs r c (Lay p q) d <-> exists m, occurs r c p m /\ occurs r m q d.
Proof.
  split; [intro O; inversion O; subst; eauto|]. intros (m & O1 & O2). eapply O_lay; eauto.
Qed.
Lemma chop_iff r c d : occurs r c Chop d <-> ceq c d /\ silent r c.
Proof. split; [intro O; inversion O; subst; auto|]. intros [E S]. now constructor. Qed.

(** A program after a silent cut; before one; and between two programs. *)
Lemma chop_first r c p d : occurs r c (Lay Chop p) d <-> silent r c /\ occurs r c p d.
Proof.
  rewrite lay_iff. split.
  - intros (m & O1 & O2). apply chop_iff in O1 as [E S]. split; auto.
    apply (occurs_ceq r m p d O2); auto using ceq_refl, ceq_sym.
  - intros [S O]. exists c. split; auto. apply chop_iff. auto using ceq_refl.
Qed.
Lemma chop_last r c p d : occurs r c (Lay p Chop) d <-> occurs r c p d /\ silent r d.
Proof.
  rewrite lay_iff. split.
  - intros (m & O1 & O2). apply chop_iff in O2 as [E S]. split; [|now apply (silent_ceq r m d)].
    apply (occurs_ceq r c p m O1); auto using ceq_refl.
  - intros [O S]. exists d. split; auto. apply chop_iff. auto using ceq_refl.
Qed.
Lemma chop_middle r c p q d : occurs r c (Lay p (Lay Chop q)) d <->
  exists m, occurs r c p m /\ silent r m /\ occurs r m q d.
Proof.
  rewrite lay_iff. split; intros (m & O1 & O2); exists m; (split; [exact O1|]); now apply chop_first.
Qed.

(** What the notions of safe composition say of the runs. *)
Lemma seals_iff G s p : Seals G s p <-> forall r c d, G r -> silent r c -> occurs r c (Lay p s) d ->
  exists m, occurs r c p m /\ silent r m /\ occurs r m s d.
Proof.
  split.
  - intros H r c d g S O. apply chop_middle. apply H; auto. now apply chop_first.
  - intros H r c d g O. apply chop_first in O as [S O]. apply chop_middle. now apply H.
Qed.
Lemma tcc_iff G p : TCC G p <-> forall r c d, G r -> silent r c -> occurs r c p d -> silent r d.
Proof.
  split.
  - intros H r c d g S O. apply (chop_last r c p d). apply H; auto. now apply chop_first.
  - intros H r c d g O. apply chop_first in O as [S O]. apply chop_last. split; eauto.
Qed.

(** A program has finitely many events. *)
Lemma occurs_finite r c p d : occurs r c p d -> exists l, forall e, between c d e -> In e l.
Proof.
  assert (B : forall c d (i : proc), ceq d (bump c i) -> exists l, forall e, between c d e -> In e l).
  { intros c0 d0 i E. exists [(i, c0 i)]. intros [a k] [H1 H2]. unfold inside in *; simpl in *.
    rewrite E in H2. unfold bump in H2. destruct (a =? i) eqn:Q; [|lia]. apply Nat.eqb_eq in Q; subst.
    left; f_equal; lia. }
  assert (B0 : forall c d, ceq c d -> exists l : list event, forall e, between c d e -> In e l).
  { intros c0 d0 E. exists []. intros [a k] [H1 H2]. unfold inside in *; simpl in *. rewrite <- E in H2. lia. }
  assert (B2 : forall c m d, (exists l, forall e, between c m e -> In e l) ->
    (exists l, forall e, between m d e -> In e l) -> exists l : list event, forall e, between c d e -> In e l).
  { intros c0 m d0 [l1 H1] [l2 H2]. exists (l1 ++ l2). intros e [A1 A2]. apply in_or_app.
    destruct (lt_dec (snd e) (m (fst e))); [left; apply H1|right; apply H2]; split; auto. }
  induction 1; eauto.
Qed.
