(** * Protocols of layers as regular expressions

    A protocol is a regular expression of layers.  Which layers may come first, each with what may follow it, is computed
    ([firsts]), and so whether a word is one of the protocol: [firsts_spells], [spells_firsts] and [may_end_spec]. *)

From Coq Require Import List Arith PeanoNat Bool.
Import ListNotations.
Open Scope nat_scope.

(** A regular expression of layers, which have numbers from 0. *)
Inductive protocol :=
| Nothing
| Once (layer : nat)
| InTurn (p q : protocol)
| OneOf (p q : protocol)
| AnyTimes (p : protocol).

(** The words of layers that it allows. *)
Inductive spells : protocol -> list nat -> Prop :=
| spells_nothing : spells Nothing []
| spells_once n : spells (Once n) [n]
| spells_in_turn p q u v : spells p u -> spells q v -> spells (InTurn p q) (u ++ v)
| spells_first p q u : spells p u -> spells (OneOf p q) u
| spells_second p q u : spells q u -> spells (OneOf p q) u
| spells_none p : spells (AnyTimes p) []
| spells_again p u v : spells p u -> spells (AnyTimes p) v -> spells (AnyTimes p) (u ++ v).

(** Whether it may end at once; the layers that may come first, each with what follows. *)
Fixpoint may_end (p : protocol) : bool :=
  match p with
  | Nothing | AnyTimes _ => true
  | Once _ => false
  | InTurn p q => may_end p && may_end q
  | OneOf p q => may_end p || may_end q
  end.
Definition and_then (d q : protocol) : protocol := match d with Nothing => q | _ => InTurn d q end.
Fixpoint firsts (p : protocol) : list (nat * protocol) :=
  match p with
  | Nothing => []
  | Once n => [(n, Nothing)]
  | InTurn p q => map (fun x => (fst x, and_then (snd x) q)) (firsts p) ++ if may_end p then firsts q else []
  | OneOf p q => firsts p ++ firsts q
  | AnyTimes p => map (fun x => (fst x, and_then (snd x) (AnyTimes p))) (firsts p)
  end.

Fixpoint protocol_eqb (p q : protocol) : bool :=
  match p, q with
  | Nothing, Nothing => true
  | Once n, Once m => n =? m
  | InTurn p1 p2, InTurn q1 q2 | OneOf p1 p2, OneOf q1 q2 => protocol_eqb p1 q1 && protocol_eqb p2 q2
  | AnyTimes p, AnyTimes q => protocol_eqb p q
  | _, _ => false
  end.

Lemma protocol_eqb_spec : forall p q, protocol_eqb p q = true -> p = q.
Proof.
  induction p; destruct q; simpl; intro H; try discriminate; auto.
  - apply Nat.eqb_eq in H. now subst.
  - apply andb_true_iff in H as [H1 H2]. f_equal; auto.
  - apply andb_true_iff in H as [H1 H2]. f_equal; auto.
  - f_equal; auto.
Qed.

Lemma and_then_spells d q w : spells (and_then d q) w <-> spells (InTurn d q) w.
Proof.
  destruct d; simpl; try reflexivity. split; intro H.
  - apply (spells_in_turn Nothing q [] w); auto. constructor.
  - inversion H; subst. now match goal with N : spells Nothing _ |- _ => inversion N; subst end.
Qed.

Lemma may_end_spec p : may_end p = true <-> spells p [].
Proof.
  induction p; simpl.
  - split; auto. constructor.
  - split; [discriminate|]. intro H. inversion H.
  - rewrite andb_true_iff, IHp1, IHp2. split.
    + intros [A B]. now apply (spells_in_turn p1 p2 [] []).
    + intro H. inversion H as [| |? ? u v A B E Eu| | | |]; subst. apply app_eq_nil in Eu as [-> ->]. auto.
  - rewrite orb_true_iff, IHp1, IHp2. split.
    + intros [A|A]; [now apply spells_first|now apply spells_second].
    + intro H. inversion H; subst; auto.
  - split; auto. constructor.
Qed.

(** A word is a first layer and a word of what follows. *)
Lemma firsts_spells : forall p n d, In (n, d) (firsts p) -> forall w, spells d w -> spells p (n :: w).
Proof.
  induction p as [|m|p IHp q IHq|p IHp q IHq|p IHp]; intros n d I w S; simpl in I.
  - destruct I.
  - destruct I as [E|[]]. injection E as <- <-. inversion S; subst. constructor.
  - apply in_app_or in I as [I|I].
    + apply in_map_iff in I as ([n' d'] & E & I). simpl in E. injection E as <- <-. apply and_then_spells in S.
      inversion S as [| |? ? u v A B Ep Eu| | | |]; subst. apply (spells_in_turn p q (n' :: u) v); eauto.
    + destruct (may_end p) eqn:M; [|destruct I]. apply may_end_spec in M.
      apply (spells_in_turn p q [] (n :: w)); eauto.
  - apply in_app_or in I as [I|I]; [apply spells_first|apply spells_second]; eauto.
  - apply in_map_iff in I as ([n' d'] & E & I). simpl in E. injection E as <- <-. apply and_then_spells in S.
    inversion S as [| |? ? u v A B Ep Eu| | | |]; subst. apply (spells_again p (n' :: u) v); eauto.
Qed.

Lemma spells_firsts : forall p w, spells p w -> forall n v, w = n :: v -> exists d, In (n, d) (firsts p) /\ spells d v.
Proof.
  induction 1 as [|m|p q u v A IHA B IHB|p q u A IHA|p q u A IHA|p|p u v A IHA B IHB]; intros n w E; simpl;
    try discriminate.
  - injection E as <- <-. exists Nothing. split; [now left|constructor].
  - destruct u as [|m u]; simpl in E.
    + destruct (IHB n w E) as (d & I & S). exists d. split; auto. apply in_or_app. right.
      apply may_end_spec in A. now rewrite A.
    + injection E as -> <-. destruct (IHA n u eq_refl) as (d & I & S). exists (and_then d q). split.
      * apply in_or_app. left. apply in_map_iff. exists (n, d). auto.
      * apply and_then_spells. now constructor.
  - destruct (IHA n w E) as (d & I & S). exists d. split; auto. apply in_or_app. auto.
  - destruct (IHA n w E) as (d & I & S). exists d. split; auto. apply in_or_app. auto.
  - destruct u as [|m u]; simpl in E; [now apply IHB|].
    injection E as -> <-. destruct (IHA n u eq_refl) as (d & I & S). exists (and_then d (AnyTimes p)). split.
    + apply in_map_iff. exists (n, d). auto.
    + apply and_then_spells. now constructor.
Qed.

