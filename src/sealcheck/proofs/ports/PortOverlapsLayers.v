(** * The layers of a formula, whose receives overlap

    [PortOverlapsHard] has the idea, and proves that the layers stay apart exactly if the formula cannot be satisfied.
    Here are the layers, their size, and which action is at which place.

    They have at most 10 + 3c + 24k events if the formula has c clauses, in which literals occur k times.  The
      theorem is
    [layers_size].  It does not belong to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortChoices PortOverlaps.
Open Scope nat_scope.

(** ** The layers of a formula *)

Definition literal_dec (l l' : literal) : {l = l'} + {l <> l'}.
Proof. decide equality; [apply bool_dec|apply Nat.eq_dec]. Defined.

Definition variables (f : cnf) := nodup Nat.eq_dec (map fst (concat f)).
Definition literals (f : cnf) := flat_map (fun x => [(x, true); (x, false)]) (variables f).
(** The numbers of the clauses that have the literal; and how many literals a clause has. *)
Definition clauses_of (f : cnf) (l : literal) :=
  filter (fun k => if in_dec literal_dec l (nth k f []) then true else false) (seq 0 (length f)).
Definition width (c : list literal) := length (nodup literal_dec c).

(** Processes: 0 sends both messages that can be confused, 1 receives them, 2 and 3 send to the literals. *)
Definition at_literal (l : literal) : proc := 4 + 4 * fst l + (if snd l then 0 else 1).
Definition at_variable (x : nat) : proc := 6 + 4 * x.
Definition at_clause (k : nat) : proc := 7 + 4 * k.

(** The shares of the processes in the first layer.  Each kind of message has a tag of its own. *)
Definition share_0 (f : cnf) := TSend 0 1 0 ::
  map (fun k => TRecv 0 (Some (at_clause k)) 5) (seq 0 (length f)) ++ TSend 0 2 1 ::
  map (fun x => TRecv 0 (Some (at_variable x)) 7) (variables f).
Definition share_1 := [TRecv 1 (Some 0) 0; TSend 1 2 1; TSend 1 3 2].
Definition share_2 (f : cnf) := map (fun l => TSend 2 (at_literal l) 3) (literals f) ++ TRecv 2 None 1 ::
  map (fun l => TSend 2 (at_literal l) 3) (literals f) ++ [TRecv 2 None 1].
Definition share_3 (f : cnf) := map (fun l => TSend 3 (at_literal l) 3) (literals f) ++ TRecv 3 (Some 1) 2 ::
  map (fun l => TSend 3 (at_literal l) 3) (literals f).
Definition share_of_literal (f : cnf) (l : literal) := TRecv (at_literal l) None 3 :: TRecv (at_literal l) (Some
  2) 3 ::
  map (fun k => TSend (at_literal l) (at_clause k) 4) (clauses_of f l) ++
  [TRecv (at_literal l) (Some 3) 3; TSend (at_literal l) (at_variable (fst l)) 6; TRecv (at_literal l) None 3].
Definition share_of_variable (x : nat) :=
  [TRecv (at_variable x) None 6; TSend (at_variable x) 0 7; TRecv (at_variable x) None 6].
Definition share_of_clause (f : cnf) (k : nat) := TRecv (at_clause k) None 4 :: TSend (at_clause k) 0 5 ::
  repeat (TRecv (at_clause k) None 4) (width (nth k f []) - 1).

Definition first_layer (f : cnf) := share_0 f ++ share_1 ++ share_2 f ++ share_3 f ++
  flat_map (share_of_literal f) (literals f) ++ flat_map share_of_variable (variables f) ++
  flat_map (share_of_clause f) (seq 0 (length f)).
Definition second_layer := [TSend 0 1 0; TRecv 1 (Some 0) 0].
Definition layers_of (f : cnf) := [first_layer f; second_layer].

(** ** Their size *)

Lemma length_flat_map_le {A B} (g : A -> list B) (n : A -> nat) l : (forall x, In x l -> length (g x) <= n x) ->
  length (flat_map g l) <= list_sum (map n l).
Proof.
  induction l as [|x l IH]; simpl; intro H; [lia|]. rewrite app_length.
  specialize (IH (fun y I => H y (or_intror I))).
  pose proof (H x (or_introl eq_refl)). lia.
Qed.

Lemma list_sum_plus {A} (g h : A -> nat) l : list_sum (map (fun x => g x + h x) l) = list_sum (map g l) + list_sum
  (map h l).
Proof. induction l as [|x l IH]; simpl; lia. Qed.
Lemma list_sum_constant {A} n (l : list A) : list_sum (map (fun _ => n) l) = n * length l.
Proof. induction l as [|x l IH]; simpl; lia. Qed.

Lemma variables_length f : length (variables f) <= length (concat f).
Proof.
  assert (H : length (variables f) <= length (map fst (concat f))); [|now rewrite map_length in H].
  apply NoDup_incl_length; [apply NoDup_nodup|]. intros x I. now apply nodup_In in I.
Qed.
Lemma literals_length f : length (literals f) = 2 * length (variables f).
Proof. unfold literals. induction (variables f) as [|x l IH]; simpl; lia. Qed.

Lemma in_literals f l : In l (literals f) <-> In (fst l) (variables f).
Proof.
  unfold literals. rewrite in_flat_map. split.
  - intros (x & I & [<-|[<-|[]]]); auto.
  - intro I. exists (fst l). split; auto. destruct l as [x [|]]; simpl; auto.
Qed.
Lemma literals_once f : NoDup (literals f).
Proof.
  unfold literals, variables. induction (NoDup_nodup Nat.eq_dec (map fst (concat f))) as [|x l N D IH]; simpl;
    [constructor|].
  assert (Out : forall b, ~ In (x, b) (flat_map (fun x => [(x, true); (x, false)]) l)).
  { intros b I. apply in_flat_map in I as (y & I & [E|[E|[]]]); injection E as <- _; contradiction. }
  constructor; [intros [E|I]; [discriminate|exact (Out _ I)]|]. constructor; auto.
Qed.

(** Each literal of a clause is told to it once. *)
Lemma told_length f ks : list_sum (map (fun l => length (filter (fun k =>
    if in_dec literal_dec l (nth k f []) then true else false) ks)) (literals f)) <=
  list_sum (map (fun k => width (nth k f [])) ks).
Proof.
  induction ks as [|k ks IH]; simpl; [rewrite list_sum_constant; lia|].
  assert (One : length (filter (fun l => if in_dec literal_dec l (nth k f []) then true else false) (literals f)) <=
    width (nth k f [])).
  { apply NoDup_incl_length; [apply NoDup_filter, literals_once|]. intros l I. apply filter_In in I as [_ I].
    apply nodup_In. now destruct (in_dec literal_dec l (nth k f [])). }
  enough (list_sum (map (fun l => length (if if in_dec literal_dec l (nth k f []) then true else false
      then k :: filter (fun k => if in_dec literal_dec l (nth k f []) then true else false) ks
      else filter (fun k => if in_dec literal_dec l (nth k f []) then true else false) ks)) (literals f)) =
    length (filter (fun l => if in_dec literal_dec l (nth k f []) then true else false) (literals f)) +
    list_sum (map (fun l => length (filter (fun k => if in_dec literal_dec l (nth k f []) then true else false) ks))
      (literals f))) by lia.
  clear IH One. induction (literals f) as [|l ls IH]; simpl; auto. rewrite IH.
  destruct (in_dec literal_dec l (nth k f [])); simpl; lia.
Qed.

Lemma widths f : list_sum (map (fun k => width (nth k f [])) (seq 0 (length f))) <= length (concat f).
Proof.
  assert (H : forall g, list_sum (map (fun k => width (nth k (g ++ f) [])) (seq (length g) (length f))) <=
    length (concat f)); [|exact (H [])].
  induction f as [|c f IH]; intro g; simpl; [lia|]. rewrite app_nth2, Nat.sub_diag, app_length by lia. simpl.
  assert (W : width c <= length c) by (apply NoDup_incl_length; [apply NoDup_nodup|intros x I;
    now apply nodup_In in I]).
  specialize (IH (g ++ [c])). rewrite app_length, <- app_assoc in IH. simpl in IH. rewrite Nat.add_1_r in IH. lia.
Qed.

Theorem layers_size : forall f, length (concat (layers_of f)) <= 10 + 3 * length f + 24 * length (concat f).
Proof.
  intro f. unfold layers_of, first_layer, share_0, share_1, share_2, share_3, second_layer. cbn [concat].
  repeat (rewrite app_length || rewrite map_length || rewrite seq_length || cbn [length]). rewrite literals_length.
  pose proof (variables_length f) as V.
  assert (L : length (flat_map (share_of_literal f) (literals f)) <= 5 * length (literals f) + length (concat f)).
  { eapply Nat.le_trans; [apply length_flat_map_le with (n := fun l => 5 + length (clauses_of f l))|].
    - intros l _. unfold share_of_literal. simpl. rewrite app_length, map_length. simpl. lia.
    - rewrite list_sum_plus, list_sum_constant. pose proof (told_length f (seq 0 (length f))) as T.
      apply Nat.add_le_mono_l. exact (Nat.le_trans _ _ _ T (widths f)). }
  assert (X : length (flat_map share_of_variable (variables f)) <= 3 * length (variables f)).
  { eapply Nat.le_trans; [apply length_flat_map_le with (n := fun _ => 3); auto|rewrite list_sum_constant; lia]. }
  assert (C : length (flat_map (share_of_clause f) (seq 0 (length f))) <= 2 * length f + length (concat f)).
  { eapply Nat.le_trans; [apply length_flat_map_le with (n := fun k => 2 + width (nth k f []))|].
    - intros k _. unfold share_of_clause. simpl. rewrite repeat_length. lia.
    - rewrite list_sum_plus, list_sum_constant, seq_length. apply Nat.add_le_mono_l, widths. }
  rewrite literals_length in L. lia.
Qed.

(** ** The shares of the processes *)

(** What is in a list, case by case. *)
Ltac listed I := match type of I with
  | In _ (_ ++ _) => apply in_app_iff in I as [I|I]; listed I
  | In _ (_ :: _) => let E := fresh "E" in destruct I as [E|I]; [|listed I]
  | In _ [] => destruct I
  | In _ (map _ _) => let x := fresh "x" in let E := fresh "E" in apply in_map_iff in I as (x & E & I)
  | In _ (repeat _ _) => let E := fresh "E" in apply repeat_spec in I as E
  | _ => idtac
  end.

Lemma actor_0 f a : In a (share_0 f) -> tagged_actor a = 0.
Proof. unfold share_0. intro I. listed I; now subst. Qed.
Lemma actor_1 a : In a share_1 -> tagged_actor a = 1.
Proof. unfold share_1. intro I. listed I; now subst. Qed.
Lemma actor_2 f a : In a (share_2 f) -> tagged_actor a = 2.
Proof. unfold share_2. intro I. listed I; now subst. Qed.
Lemma actor_3 f a : In a (share_3 f) -> tagged_actor a = 3.
Proof. unfold share_3. intro I. listed I; now subst. Qed.
Lemma actor_literal f l a : In a (share_of_literal f l) -> tagged_actor a = at_literal l.
Proof. unfold share_of_literal. intro I. listed I; now subst. Qed.
Lemma actor_variable x a : In a (share_of_variable x) -> tagged_actor a = at_variable x.
Proof. unfold share_of_variable. intro I. listed I; now subst. Qed.
Lemma actor_clause f k a : In a (share_of_clause f k) -> tagged_actor a = at_clause k.
Proof. unfold share_of_clause. intro I. listed I; now subst. Qed.

Lemma share_piece i j b : (forall a, In a b -> tagged_actor a = j) -> tagged_share i b = if i =? j then b else [].
Proof.
  intro A. unfold tagged_share. destruct (Nat.eqb_spec i j) as [->|N]; induction b as [|a b IH]; simpl; auto.
  - rewrite A, Nat.eqb_refl by now left. f_equal. apply IH. intros; apply A; now right.
  - rewrite A by now left. destruct (Nat.eqb_spec j i); [congruence|]. apply IH. intros; apply A; now right.
Qed.

Section Pieces.
Context {A : Type} (g : A -> proc) (block : A -> list tagged_act).
Hypothesis Actor : forall x a, In a (block x) -> tagged_actor a = g x.

Lemma no_piece i xs : (forall x, In x xs -> g x <> i) -> tagged_share i (flat_map block xs) = [].
Proof.
  intro N. induction xs as [|x xs IH]; simpl; auto. rewrite share_app, (share_piece i (g x)) by apply Actor.
  destruct (Nat.eqb_spec i (g x)) as [E|_]; [destruct (N x); simpl; auto|]. apply IH. intros; apply N; now right.
Qed.
Lemma one_piece x xs : NoDup xs -> (forall y, In y xs -> g y = g x -> y = x) -> In x xs ->
  tagged_share (g x) (flat_map block xs) = block x.
Proof.
  induction 1 as [|y xs N D IH]; intros Inj I; [destruct I|]. simpl.
  rewrite share_app, (share_piece _ (g y)) by apply Actor.
  destruct (Nat.eqb_spec (g x) (g y)) as [E|Ne].
  - assert (y = x) by (apply Inj; simpl; auto). subst y. rewrite no_piece; [now rewrite app_nil_r|].
    intros z Iz E'. assert (z = x) by (apply Inj; simpl; auto). now subst z.
  - destruct I as [->|I]; [contradiction|]. apply IH; auto. intros; apply Inj; simpl; auto.
Qed.
End Pieces.

Lemma at_literal_injective l l' : at_literal l = at_literal l' -> l = l'.
Proof. destruct l as [x [|]], l' as [y [|]]; unfold at_literal; simpl; intro E; f_equal; lia. Qed.
Lemma at_variable_injective x y : at_variable x = at_variable y -> x = y.
Proof. unfold at_variable. lia. Qed.
Lemma at_clause_injective x y : at_clause x = at_clause y -> x = y.
Proof. unfold at_clause. lia. Qed.

Lemma at_middle {A B} (g : A -> B) l b j : nth_error (map g l ++ b) (length l + j) = nth_error b j.
Proof. rewrite <- (map_length g l). rewrite nth_error_app2 by lia. f_equal. lia. Qed.

Section Formula.
Variable f : cnf.
Notation P := (concat (layers_of f)).
Notation m := (length f).
Notation n := (length (variables f)).
Notation lits := (literals f).

Ltac pieces := unfold layers_of, first_layer; cbn [concat]; rewrite !share_app;
  rewrite (share_piece _ _ _ (actor_0 f)), (share_piece _ _ _ actor_1), (share_piece _ _ _ (actor_2 f)),
    (share_piece _ _ _ (actor_3 f)).
Ltac none_of_them := intros; unfold at_literal, at_variable, at_clause;
  repeat match goal with |- context [if snd ?l then _ else _] => destruct (snd l) end; lia.

Lemma share_is_0 : tagged_share 0 P = share_0 f ++ [TSend 0 1 0].
Proof.
  pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). simpl. now rewrite app_nil_r.
Qed.
Lemma share_is_1 : tagged_share 1 P = share_1 ++ [TRecv 1 (Some 0) 0].
Proof.
  pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). reflexivity.
Qed.
Lemma share_is_2 : tagged_share 2 P = share_2 f.
Proof.
  pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). simpl. now rewrite !app_nil_r.
Qed.
Lemma share_is_3 : tagged_share 3 P = share_3 f.
Proof.
  pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). simpl. now rewrite !app_nil_r.
Qed.
Lemma share_is_literal l : In l lits -> tagged_share (at_literal l) P = share_of_literal f l.
Proof.
  intro I. pieces. rewrite (one_piece at_literal) by (apply actor_literal || apply literals_once || auto using
    at_literal_injective).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). unfold at_literal at 1 2 3 4.
  simpl. now rewrite !app_nil_r.
Qed.
Lemma share_is_variable x : In x (variables f) -> tagged_share (at_variable x) P = share_of_variable x.
Proof.
  intro I. pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (one_piece at_variable) by (apply actor_variable || apply NoDup_nodup || auto using at_variable_injective).
  rewrite (no_piece at_clause) by (apply actor_clause || none_of_them). reflexivity.
Qed.
Lemma share_is_clause k : k < m -> tagged_share (at_clause k) P = share_of_clause f k.
Proof.
  intro I. pieces. rewrite (no_piece at_literal) by (apply actor_literal || none_of_them).
  rewrite (no_piece at_variable) by (apply actor_variable || none_of_them).
  rewrite (one_piece at_clause) by (apply actor_clause || apply seq_NoDup || auto using at_clause_injective || (apply
    in_seq; lia)).
  simpl. now rewrite !app_nil_r.
Qed.

(** ** The actions, by their places *)

Lemma at_app1 {A} (a b : list A) k x : nth_error a k = Some x -> nth_error (a ++ b) k = Some x.
Proof. intro E. rewrite nth_error_app1; auto. apply nth_error_Some. congruence. Qed.
Lemma at_next {A} (a : A) b k : nth_error (a :: b) (S k) = nth_error b k.
Proof. reflexivity. Qed.
Lemma at_app2 {A} (a b : list A) k : nth_error (a ++ b) (length a + k) = nth_error b k.
Proof. rewrite nth_error_app2 by lia. f_equal. lia. Qed.

Lemma action_0_first : action_at P (0, 0) = Some (TSend 0 1 0).
Proof. unfold action_at. cbn [fst snd]. now rewrite share_is_0. Qed.
Lemma action_0_clause k : k < m -> action_at P (0, S k) = Some (TRecv 0 (Some (at_clause k)) 5).
Proof.
  intro L. unfold action_at. cbn [fst snd]. rewrite share_is_0. simpl. apply at_app1, at_app1.
  rewrite (map_nth_error _ _ (seq 0 m) (d := k)); auto. rewrite (nth_error_nth' _ 0) by now rewrite seq_length.
  now rewrite seq_nth.
Qed.
Lemma action_0_go : action_at P (0, S m) = Some (TSend 0 2 1).
Proof.
  unfold action_at. cbn [fst snd]. rewrite share_is_0. simpl. apply at_app1.
  assert (E : m = length (seq 0 m) + 0) by (rewrite seq_length; lia). rewrite E at 2. now rewrite at_middle.
Qed.
Lemma action_0_variable j x : nth_error (variables f) j = Some x ->
  action_at P (0, S (S (m + j))) = Some (TRecv 0 (Some (at_variable x)) 7).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_0. unfold share_0. cbn [app]. rewrite at_next.
  apply at_app1.
  replace (S (m + j)) with (length (seq 0 m) + S j) by (rewrite seq_length; lia). rewrite at_middle, at_next.
  now apply (map_nth_error (fun x => TRecv 0 (Some (at_variable x)) 7)).
Qed.
Lemma share_0_length : length (share_0 f) = S (S (m + n)).
Proof. unfold share_0. simpl. rewrite app_length. simpl. rewrite !map_length, seq_length. lia. Qed.
Lemma action_0_last : action_at P (0, S (S (m + n))) = Some (TSend 0 1 0).
Proof.
  unfold action_at. cbn [fst snd]. rewrite share_is_0, <- share_0_length.
  rewrite <- (Nat.add_0_r (length (share_0 f))). now rewrite at_app2.
Qed.

Notation L := (length lits).
Lemma action_2_send j l : nth_error lits j = Some l -> action_at P (2, j) = Some (TSend 2 (at_literal l) 3).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_2. unfold share_2. apply at_app1.
  now apply (map_nth_error (fun l => TSend 2 (at_literal l) 3)).
Qed.
Lemma action_2_wait : action_at P (2, L) = Some (TRecv 2 None 1).
Proof.
  unfold action_at. cbn [fst snd]. rewrite share_is_2. unfold share_2.
  rewrite <- (Nat.add_0_r L). now rewrite at_middle.
Qed.
Lemma action_2_again j l : nth_error lits j = Some l -> action_at P (2, S (L + j)) = Some (TSend 2 (at_literal l) 3).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_2. unfold share_2.
  rewrite <- Nat.add_succ_r, at_middle, at_next. apply at_app1.
  now apply (map_nth_error (fun l => TSend 2 (at_literal l) 3)).
Qed.
Lemma action_3_send j l : nth_error lits j = Some l -> action_at P (3, j) = Some (TSend 3 (at_literal l) 3).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_3. unfold share_3. apply at_app1.
  now apply (map_nth_error (fun l => TSend 3 (at_literal l) 3)).
Qed.
Lemma action_3_wait : action_at P (3, L) = Some (TRecv 3 (Some 1) 2).
Proof.
  unfold action_at. cbn [fst snd]. rewrite share_is_3. unfold share_3.
  rewrite <- (Nat.add_0_r L). now rewrite at_middle.
Qed.
Lemma action_3_again j l : nth_error lits j = Some l -> action_at P (3, S (L + j)) = Some (TSend 3 (at_literal l) 3).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_3. unfold share_3.
  rewrite <- Nat.add_succ_r, at_middle, at_next. now apply (map_nth_error (fun l => TSend 3 (at_literal l) 3)).
Qed.

Section Literal.
Variable l : literal.
Hypothesis Il : In l lits.
Notation w := (length (clauses_of f l)).

Lemma action_literal_0 : action_at P (at_literal l, 0) = Some (TRecv (at_literal l) None 3).
Proof. unfold action_at. cbn [fst snd]. now rewrite share_is_literal. Qed.
Lemma action_literal_1 : action_at P (at_literal l, 1) = Some (TRecv (at_literal l) (Some 2) 3).
Proof. unfold action_at. cbn [fst snd]. now rewrite share_is_literal. Qed.
Lemma action_literal_tells j k : nth_error (clauses_of f l) j = Some k ->
  action_at P (at_literal l, S (S j)) = Some (TSend (at_literal l) (at_clause k) 4).
Proof.
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_literal by auto. simpl. apply at_app1.
  now apply (map_nth_error (fun k => TSend (at_literal l) (at_clause k) 4)).
Qed.
Lemma action_literal_rest j : action_at P (at_literal l, S (S (w + j))) = nth_error
  [TRecv (at_literal l) (Some 3) 3; TSend (at_literal l) (at_variable (fst l)) 6; TRecv (at_literal l) None 3] j.
Proof.
  unfold action_at. cbn [fst snd]. rewrite share_is_literal by auto. simpl.
  apply at_middle.
Qed.
End Literal.

Lemma action_variable x : In x (variables f) -> forall j, action_at P (at_variable x, j) = nth_error
  (share_of_variable x) j.
Proof. intros I j. unfold action_at. cbn [fst snd]. now rewrite share_is_variable. Qed.
Lemma action_clause k : k < m -> forall j, action_at P (at_clause k, j) = nth_error (share_of_clause f k) j.
Proof. intros I j. unfold action_at. cbn [fst snd]. now rewrite share_is_clause. Qed.
Lemma action_1 j : action_at P (1, j) = nth_error (share_1 ++ [TRecv 1 (Some 0) 0]) j.
Proof. unfold action_at. cbn [fst snd]. now rewrite share_is_1. Qed.

Ltac sent := match goal with E : TSend _ _ _ = TSend _ _ _ |- _ => injection E as <- <- <- end.

(** Who sends which messages, by their tags. *)
Lemma who_sends e i j t : action_at P e = Some (TSend i j t) -> fst e = i /\ match t with
  | 0 => i = 0 /\ j = 1
  | 1 => (i = 0 \/ i = 1) /\ j = 2
  | 2 => i = 1 /\ j = 3
  | 3 => (i = 2 \/ i = 3) /\ exists l, In l lits /\ j = at_literal l
  | 4 => exists l k, In l lits /\ In k (clauses_of f l) /\ i = at_literal l /\ j = at_clause k
  | 5 => exists k, k < m /\ i = at_clause k /\ j = 0
  | 6 => exists l, In l lits /\ i = at_literal l /\ j = at_variable (fst l)
  | 7 => exists x, In x (variables f) /\ i = at_variable x /\ j = 0
  | _ => False
  end.
Proof.
  intro A. apply action_at_in in A as [I A]. split; [now symmetry|]. clear A.
  unfold layers_of, first_layer, second_layer in I. cbn [concat] in I. rewrite app_nil_r in I.
  rewrite !in_app_iff in I. destruct I as [[I|[I|[I|[I|[I|[I|I]]]]]]|I].
  - unfold share_0 in I. listed I; try discriminate; sent; auto.
  - unfold share_1 in I. listed I; try discriminate; sent; auto.
  - unfold share_2 in I. listed I; try discriminate; sent; eauto.
  - unfold share_3 in I. listed I; try discriminate; sent; eauto.
  - apply in_flat_map in I as (l & Il & I). unfold share_of_literal in I. listed I; try discriminate; sent; eauto 6.
  - apply in_flat_map in I as (x & Ix & I). unfold share_of_variable in I. listed I; try discriminate; sent; eauto.
  - apply in_flat_map in I as (k & Ik & I). unfold share_of_clause in I. apply in_seq in Ik.
    listed I; try discriminate; sent. exists k. repeat split; auto; lia.
  - listed I; try discriminate; sent; auto.
Qed.
End Formula.
