(** * The transitive closure of a finite graph

    "E <- E+": what [closure] and [plus] of Procedures.v compute is what they are called. *)

From Coq Require Import List Relations Bool.
Import ListNotations.
From Sealcheck Require Import Procedures.

Section Closure.
Context {A : Type} (eq_dec : forall x y : A, {x = y} + {x <> y}).

Lemma has_spec x (V : list A) : has eq_dec x V = true <-> In x V.
Proof. unfold has. destruct (in_dec eq_dec x V); split; auto; discriminate. Qed.
Lemma joined_spec x y E : has_edge eq_dec x y E = true <-> In (x, y) E.
Proof. unfold has_edge. destruct (in_dec _ (x, y) E); split; auto; discriminate. Qed.

(** The paths whose inner nodes are in [S]. *)
Inductive via (E : list (A * A)) (S : list A) : A -> A -> Prop :=
| via_edge x y : In (x, y) E -> via E S x y
| via_node x w y : In w S -> via E S x w -> via E S w y -> via E S x y.

(** One more node is used once, or not at all. *)
Lemma via_one_more E S w x y : via E (S ++ [w]) x y -> via E S x y \/ (via E S x w /\ via E S w y).
Proof.
  induction 1 as [x y I|x z y I V1 IH1 V2 IH2]; [left; now apply via_edge|].
  apply in_app_or in I as [I|[<-|[]]].
  - assert (J : forall a b, via E S a z -> via E S z b -> via E S a b) by (intros; now apply via_node with z).
    destruct IH1 as [P1|[P1 Q1]], IH2 as [P2|[P2 Q2]]; [left|right|right|right]; auto.
  - right. destruct IH1 as [P1|[P1 _]], IH2 as [P2|[_ P2]]; auto.
Qed.
Lemma via_more E S w x y : via E S x y -> via E (S ++ [w]) x y.
Proof. induction 1; [now apply via_edge|]. eapply via_node; eauto. apply in_or_app. now left. Qed.

Lemma through_spec (V : list A) E : (forall x y, In (x, y) E -> In x V /\ In y V) -> forall S,
  (forall w, In w S -> In w V) -> forall x y, In (x, y) (fold_left (through eq_dec V) S E) <-> via E S x y.
Proof.
  intros B S. induction S as [|w S IH] using rev_ind; intros Sub x y.
  - simpl. split; [apply via_edge|]. induction 1; tauto.
  - assert (IH' : forall a b, In (a, b) (fold_left (through eq_dec V) S E) <-> via E S a b)
      by (apply IH; intros z I; apply Sub, in_or_app; now left).
    assert (Ends : forall a b, via E S a b -> In a V /\ In b V) by (induction 1 as [a b I|]; [now apply B|tauto]).
    rewrite fold_left_app. simpl. unfold through at 1. rewrite filter_In, in_prod_iff, orb_true_iff, andb_true_iff.
    rewrite !joined_spec, !IH'. split.
    + intros [_ [H|[H1 H2]]]; [now apply via_more|].
      apply via_node with w; [apply in_or_app; right; now left|apply via_more..]; auto.
    + intro H. apply via_one_more in H as [H|[H1 H2]].
      * split; auto.
      * split; auto. split; [now apply (Ends x w)|now apply (Ends w y)].
Qed.

(** Of a graph whose edges are between its nodes, the closure is transitive closure. *)
Lemma closure_spec V E : (forall x y, In (x, y) E -> In x V /\ In y V) -> forall x y,
  In (x, y) (closure eq_dec (V, E)) <-> clos_trans A (fun x y => In (x, y) E) x y.
Proof.
  intros B x y. simpl. rewrite through_spec; auto. split.
  - induction 1; [now apply t_step|eapply t_trans; eauto].
  - induction 1 as [x y I|x w y C1 IH1 C2 IH2]; [now apply via_edge|]. apply via_node with w; auto.
    clear - B IH2. induction IH2 as [w y I|]; auto. now apply (B w y).
Qed.
Lemma plus_spec V E : (forall x y, In (x, y) E -> In x V /\ In y V) -> forall x y,
  In (x, y) (plus eq_dec (V, E)) <-> clos_trans A (fun x y => In (x, y) E) x y /\ x <> y.
Proof.
  intros B x y. unfold plus. rewrite filter_In, closure_spec by exact B. destruct (eq_dec x y); split; intros [H N];
    split; auto; discriminate || contradiction.
Qed.
End Closure.
