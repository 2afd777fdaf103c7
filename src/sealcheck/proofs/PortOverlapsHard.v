(** * If receives overlap, satisfiability is a case

    Layers whose receives overlap can be as hard as satisfiability, even if no run gets stuck.  For a formula, each
    literal is a process, whose mailbox gets two messages of process 2 and two of process 3.  It receives one from any
    source, then one of 2, one of 3, and the rest.  If its first receive takes a message of 3, the literal is *true*: it
    goes on at once, and tells its clauses; but then it waits for the second message of 3, which comes only after the
    receive that is asked about, the one of process 1.  If its first receive takes a message of 2, the literal is
    *false*: it waits for the second message of 2, which comes once each clause was told by some literal, and then tells
    its variable.  Process 0 goes through the first layer without that receive if each clause is told in time, and each
    variable as well, by one of its two literals.  So the receive can take the message of the second layer exactly if
    the formula can be satisfied.

    The layers have at most 10 + 3c + 24k events for a formula with c clauses and k literals ([layers_size]).  The
    theorems are [overlaps_decide_satisfiability] and [layers_size].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortChoices PortOverlaps.
Open Scope nat_scope.

(** ** The layers of a formula *)

Definition literal_dec (l l' : literal) : {l = l'} + {l <> l'}.
Proof. decide equality; [apply bool_dec|apply Nat.eq_dec]. Defined.

Definition variables (f : formula) := nodup Nat.eq_dec (map fst (concat f)).
Definition literals (f : formula) := flat_map (fun x => [(x, true); (x, false)]) (variables f).
(** The numbers of the clauses that have the literal; and how many literals a clause has. *)
Definition clauses_of (f : formula) (l : literal) :=
  filter (fun k => if in_dec literal_dec l (nth k f []) then true else false) (seq 0 (length f)).
Definition width (c : list literal) := length (nodup literal_dec c).

(** Processes: 0 sends both messages that can be confused, 1 receives them, 2 and 3 send to the literals. *)
Definition at_literal (l : literal) : proc := 4 + 4 * fst l + (if snd l then 0 else 1).
Definition at_variable (x : nat) : proc := 6 + 4 * x.
Definition at_clause (k : nat) : proc := 7 + 4 * k.

(** The shares of the processes in the first layer.  Each kind of message has a tag of its own. *)
Definition share_0 (f : formula) := TSend 0 1 0 ::
  map (fun k => TRecv 0 (Some (at_clause k)) 5) (seq 0 (length f)) ++ TSend 0 2 1 ::
  map (fun x => TRecv 0 (Some (at_variable x)) 7) (variables f).
Definition share_1 := [TRecv 1 (Some 0) 0; TSend 1 2 1; TSend 1 3 2].
Definition share_2 (f : formula) := map (fun l => TSend 2 (at_literal l) 3) (literals f) ++ TRecv 2 None 1 ::
  map (fun l => TSend 2 (at_literal l) 3) (literals f) ++ [TRecv 2 None 1].
Definition share_3 (f : formula) := map (fun l => TSend 3 (at_literal l) 3) (literals f) ++ TRecv 3 (Some 1) 2 ::
  map (fun l => TSend 3 (at_literal l) 3) (literals f).
Definition share_of_literal (f : formula) (l : literal) := TRecv (at_literal l) None 3 :: TRecv (at_literal l) (Some 2) 3 ::
  map (fun k => TSend (at_literal l) (at_clause k) 4) (clauses_of f l) ++
  [TRecv (at_literal l) (Some 3) 3; TSend (at_literal l) (at_variable (fst l)) 6; TRecv (at_literal l) None 3].
Definition share_of_variable (x : nat) :=
  [TRecv (at_variable x) None 6; TSend (at_variable x) 0 7; TRecv (at_variable x) None 6].
Definition share_of_clause (f : formula) (k : nat) := TRecv (at_clause k) None 4 :: TSend (at_clause k) 0 5 ::
  repeat (TRecv (at_clause k) None 4) (width (nth k f []) - 1).

Definition first_layer (f : formula) := share_0 f ++ share_1 ++ share_2 f ++ share_3 f ++
  flat_map (share_of_literal f) (literals f) ++ flat_map share_of_variable (variables f) ++
  flat_map (share_of_clause f) (seq 0 (length f)).
Definition second_layer := [TSend 0 1 0; TRecv 1 (Some 0) 0].
Definition layers_of (f : formula) := [first_layer f; second_layer].

(** ** Their size *)

Lemma length_flat_map_le {A B} (g : A -> list B) (n : A -> nat) l : (forall x, In x l -> length (g x) <= n x) ->
  length (flat_map g l) <= list_sum (map n l).
Proof.
  induction l as [|x l IH]; simpl; intro H; [lia|]. rewrite app_length. specialize (IH (fun y I => H y (or_intror I))).
  pose proof (H x (or_introl eq_refl)). lia.
Qed.

Lemma list_sum_plus {A} (g h : A -> nat) l : list_sum (map (fun x => g x + h x) l) = list_sum (map g l) + list_sum (map h l).
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
  unfold literals, variables. induction (NoDup_nodup Nat.eq_dec (map fst (concat f))) as [|x l N D IH]; simpl; [constructor|].
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
  assert (W : width c <= length c) by (apply NoDup_incl_length; [apply NoDup_nodup|intros x I; now apply nodup_In in I]).
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

Lemma share_app i a b : tagged_share i (a ++ b) = tagged_share i a ++ tagged_share i b.
Proof. apply filter_app. Qed.
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
  induction 1 as [|y xs N D IH]; intros Inj I; [destruct I|]. simpl. rewrite share_app, (share_piece _ (g y)) by apply Actor.
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
Variable f : formula.
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
  intro I. pieces. rewrite (one_piece at_literal) by (apply actor_literal || apply literals_once || auto using at_literal_injective).
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
  rewrite (one_piece at_clause) by (apply actor_clause || apply seq_NoDup || auto using at_clause_injective || (apply in_seq; lia)).
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
  intro E. unfold action_at. cbn [fst snd]. rewrite share_is_0. unfold share_0. cbn [app]. rewrite at_next. apply at_app1.
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
  rewrite <- Nat.add_succ_r, at_middle, at_next. apply at_app1. now apply (map_nth_error (fun l => TSend 2 (at_literal l) 3)).
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

Lemma action_variable x : In x (variables f) -> forall j, action_at P (at_variable x, j) = nth_error (share_of_variable x) j.
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

(** ** A run that shows interference gives values *)

Lemma took_from h e j from t : overlapping_runs P h -> inside (done h) e -> action_at P e = Some (TRecv j from t) ->
  exists s, In (Receives e s) h /\ action_at P s = Some (TSend (fst s) j t) /\ inside (done h) s /\
  (from = None \/ from = Some (fst s)).
Proof.
  intros R I A. destruct (overlapping_took P h e _ R I A Logic.I) as [s S].
  destruct (overlapping_received P h e s R S) as (_ & Is & a & b & A' & B & Acc). rewrite A in A'. injection A' as <-.
  destruct b as [i j' t'| |]; try contradiction. destruct Acc as (-> & -> & F).
  exists s. destruct (who_sends _ _ _ _ B) as [<- _]. auto.
Qed.

Lemma before_go k i j : k < S m -> action_at P (0, k) <> Some (TSend i j 1).
Proof.
  intros Lk A. destruct k as [|k]; [rewrite action_0_first in A; discriminate|].
  rewrite action_0_clause in A by lia. discriminate.
Qed.

Lemma third_waits h : overlapping_runs P h -> done h 1 = 0 -> done h 3 <= L.
Proof.
  intros R Z. destruct (le_lt_dec (done h 3) L) as [|Lt]; auto. exfalso.
  destruct (took_from h (3, L) 3 (Some 1) 2 R Lt action_3_wait) as (s & _ & A & I & _).
  apply who_sends in A as [_ [E _]]. unfold inside in I. rewrite E in I. lia.
Qed.
Lemma second_waits h : overlapping_runs P h -> done h 1 = 0 -> done h 0 <= S m -> done h 2 <= L.
Proof.
  intros R Z G. destruct (le_lt_dec (done h 2) L) as [|Lt]; auto. exfalso.
  destruct (took_from h (2, L) 2 None 1 R Lt action_2_wait) as ([i k] & _ & A & I & _).
  pose proof (who_sends _ _ _ _ A) as [_ [[E|E] _]]; unfold inside in I; simpl in *; subst i.
  - apply (before_go k) in A; auto. lia.
  - lia.
Qed.

Lemma same_place (i : proc) k k' l : (forall j l', nth_error lits j = Some l' ->
    action_at P (i, j) = Some (TSend i (at_literal l') 3)) -> k < L -> k' < L ->
  action_at P (i, k) = Some (TSend i (at_literal l) 3) -> action_at P (i, k') = Some (TSend i (at_literal l) 3) -> k = k'.
Proof.
  intros Sent Lk Lk' A A'. destruct (nth_error lits k) as [l1|] eqn:E1; [|apply nth_error_Some in E1; lia || contradiction].
  destruct (nth_error lits k') as [l2|] eqn:E2; [|apply nth_error_Some in E2; lia || contradiction].
  rewrite (Sent k l1 E1) in A. rewrite (Sent k' l2 E2) in A'.
  assert (E : at_literal l1 = at_literal l2) by congruence. apply at_literal_injective in E. subst l2.
  apply (proj1 (NoDup_nth_error lits) (literals_once f)); auto. congruence.
Qed.

(** The first receive of the literal takes a message of 3. *)
Definition first_of_3 (h : list move) (l : literal) := exists s, In (Receives (at_literal l, 0) s) h /\ fst s = 3.

Lemma early_is_first_of_3 h l : overlapping_runs P h -> done h 1 = 0 -> done h 0 <= S m -> In l lits ->
  2 <= done h (at_literal l) -> first_of_3 h l.
Proof.
  intros R Z G Il Two. pose proof (second_waits h R Z G) as W.
  assert (I0 : inside (done h) (at_literal l, 0)) by (unfold inside; simpl; lia).
  assert (I1 : inside (done h) (at_literal l, 1)) by (unfold inside; simpl; lia).
  destruct (took_from h _ _ _ _ R I0 (action_literal_0 l Il)) as (s0 & S0 & A0 & J0 & _).
  destruct (took_from h _ _ _ _ R I1 (action_literal_1 l Il)) as (s1 & S1 & A1 & J1 & [F|F]); [discriminate|].
  exists s0. split; auto. pose proof (who_sends _ _ _ _ A0) as [_ [[E|E] _]]; auto. exfalso.
  injection F as F. destruct s0 as [i0 k0], s1 as [i1 k1]. unfold inside in J0, J1. simpl in *. subst i0 i1.
  assert (k0 = k1) by (apply (same_place 2 k0 k1 l); auto using action_2_send; lia). subst k1.
  pose proof (proj2 (overlapping_once P h R _ _ _ _ S0 S1) eq_refl). discriminate.
Qed.

Lemma late_is_not_first_of_3 h l : overlapping_runs P h -> done h 1 = 0 -> In l lits ->
  S (S (length (clauses_of f l))) < done h (at_literal l) -> ~ first_of_3 h l.
Proof.
  intros R Z Il Late (s0 & S0 & E0). pose proof (third_waits h R Z) as W.
  assert (A : action_at P (at_literal l, S (S (length (clauses_of f l)))) = Some (TRecv (at_literal l) (Some 3) 3)).
  { rewrite <- (Nat.add_0_r (length (clauses_of f l))). now rewrite action_literal_rest. }
  destruct (took_from h (at_literal l, S (S (length (clauses_of f l)))) _ _ _ R Late A) as (s1 & S1 & A1 & J1 & [F|F]); [discriminate|]. injection F as F.
  destruct (overlapping_received P h _ _ R S0) as (_ & J0 & a & b & Aa & Ab & Acc).
  rewrite (action_literal_0 l Il) in Aa. injection Aa as <-. destruct b as [i j t| |]; try contradiction.
  destruct Acc as (-> & -> & _). pose proof (who_sends _ _ _ _ Ab) as [Ei _].
  destruct s0 as [i0 k0], s1 as [i1 k1]. unfold inside in J0, J1. simpl in *. subst.
  assert (k0 = k1) by (apply (same_place 3 k0 k1 l); auto using action_3_send; lia). subst k1.
  pose proof (proj2 (overlapping_once P h R _ _ _ _ S0 S1) eq_refl). discriminate.
Qed.

(** A literal tells its clauses after two receives, and its variable after three. *)
Lemma told_clause l j i j' : In l lits -> action_at P (at_literal l, j) = Some (TSend i j' 4) -> 2 <= j.
Proof.
  intros Il A. destruct j as [|[|j]]; [rewrite action_literal_0 in A by auto|rewrite action_literal_1 in A by auto|lia];
    discriminate.
Qed.
Lemma told_variable l j i j' : In l lits -> action_at P (at_literal l, j) = Some (TSend i j' 6) ->
  S (S (length (clauses_of f l))) < j.
Proof.
  intros Il A. destruct j as [|[|j]]; [rewrite action_literal_0 in A by auto|rewrite action_literal_1 in A by auto|];
    try discriminate.
  destruct (nth_error (clauses_of f l) j) as [k|] eqn:E; [rewrite (action_literal_tells l Il j k E) in A; discriminate|].
  apply nth_error_None in E. replace j with (length (clauses_of f l) + (j - length (clauses_of f l))) in A by lia.
  rewrite action_literal_rest in A by auto. destruct (j - length (clauses_of f l)) eqn:D; [discriminate|lia].
Qed.

Lemma run_up_to h i k : k <= done h i -> exists h2 h1, h = h2 ++ h1 /\ done h1 i = k.
Proof.
  induction h as [|a h IH]; intro Le; [exists [], []; unfold done in *; simpl in *; split; auto; lia|].
  destruct (Nat.eq_dec (done (a :: h) i) k) as [E|N]; [now exists [], (a :: h)|].
  rewrite done_next in *. destruct IH as (h2 & h1 & -> & E); [destruct (fst (event_of a) =? i); lia|].
  now exists (a :: h2), h1.
Qed.

Lemma in_variables c l : In c f -> In l c -> In l lits.
Proof. intros Ic Il. apply in_literals, nodup_In, in_map, in_concat. eauto. Qed.

Lemma interference_satisfies h : overlapping_runs P h -> done h 1 = 0 -> S (S (m + n)) <= done h 0 -> satisfiable f.
Proof.
  intros R Z All. destruct (run_up_to h 0 (S m)) as (h2 & h1 & -> & G); [lia|].
  assert (R1 : overlapping_runs P h1) by (eapply overlapping_app; eauto).
  assert (Z1 : done h1 1 = 0) by (rewrite done_app in Z; lia).
  assert (Told : forall c, In c f -> exists l, In l c /\ In l lits /\ first_of_3 (h2 ++ h1) l).
  { intros c Ic. destruct (In_nth f c [] Ic) as (k & Lk & E).
    assert (I : inside (done h1) (0, S k)) by (unfold inside; simpl; lia).
    destruct (took_from h1 _ _ _ _ R1 I (action_0_clause k Lk)) as (s & _ & A & J & [F|F]); [discriminate|].
    injection F as F. assert (J' : inside (done h1) (at_clause k, 0)) by (unfold inside in *; simpl; rewrite F; lia).
    destruct (took_from h1 _ _ _ _ R1 J' (action_clause k Lk 0)) as (s' & _ & A' & J2 & _).
    pose proof (who_sends _ _ _ _ A') as [_ (l & k' & Il & Ik & Ei & Ek)]. apply at_clause_injective in Ek. subst k'.
    apply filter_In in Ik as [_ Ik]. destruct (in_dec literal_dec l (nth k f [])) as [Ilc|]; [|discriminate].
    exists l. rewrite <- E. split; auto. split; auto. destruct s' as [i' j']. simpl in Ei. subst i'.
    pose proof (told_clause l j' _ _ Il A') as Two. unfold inside in J2. simpl in J2.
    destruct (early_is_first_of_3 h1 l R1 Z1) as (s0 & S0 & E0); auto; try lia. exists s0. split; auto.
    apply in_or_app. auto. }
  assert (Not : forall x, In x (variables f) -> exists b, ~ first_of_3 (h2 ++ h1) (x, b)).
  { intros x Ix. destruct (In_nth_error _ _ Ix) as [j E].
    assert (Lj : j < n) by (apply nth_error_Some; congruence).
    assert (I : inside (done (h2 ++ h1)) (0, S (S (m + j)))) by (unfold inside; simpl; lia).
    destruct (took_from _ _ _ _ _ R I (action_0_variable j x E)) as (s & _ & A & J & [F|F]); [discriminate|].
    injection F as F.
    assert (J' : inside (done (h2 ++ h1)) (at_variable x, 0)) by (unfold inside in *; simpl; rewrite F; lia).
    destruct (took_from _ _ _ _ _ R J' (action_variable x Ix 0)) as (s' & _ & A' & J2 & _).
    pose proof (who_sends _ _ _ _ A') as [_ (l & Il & Ei & Ex)]. apply at_variable_injective in Ex. subst x.
    destruct s' as [i' j']. simpl in Ei. subst i'. pose proof (told_variable l j' _ _ Il A') as Late.
    exists (snd l). destruct l as [x b]. apply late_is_not_first_of_3; auto. unfold inside in J2. simpl in *. lia. }
  exists (fun x => existsb (fun a => match a with
    | Receives e s => (fst e =? at_literal (x, true)) && (snd e =? 0) && (fst s =? 3) | Does _ => false end) (h2 ++ h1)).
  assert (Value : forall x, existsb (fun a => match a with
    | Receives e s => (fst e =? at_literal (x, true)) && (snd e =? 0) && (fst s =? 3) | Does _ => false end) (h2 ++ h1) = true
    <-> first_of_3 (h2 ++ h1) (x, true)).
  { intro x. rewrite existsb_exists. split.
    - intros ([e|[i k] s] & I & E); [discriminate|]. apply andb_true_iff in E as [E E3].
      apply andb_true_iff in E as [E1 E2]. apply Nat.eqb_eq in E1, E2, E3. simpl in *. subst i k. now exists s.
    - intros (s & I & E). exists (Receives (at_literal (x, true), 0) s). split; auto. cbn [fst snd].
      now rewrite Nat.eqb_refl, E. }
  intros c Ic. destruct (Told c Ic) as ([x b] & Ilc & Il & F). exists (x, b). split; auto. cbn [fst snd].
  destruct b; [now apply Value|]. apply not_true_iff_false. rewrite Value. intro T.
  apply in_literals in Il. destruct (Not x Il) as [[|] N]; contradiction.
Qed.

(** ** Which messages are of another layer *)

Notation last_send := ((0, S (S (m + n))) : event).

Lemma second_share i : tagged_share i second_layer = if i =? 0 then [TSend 0 1 0] else if i =? 1 then [TRecv 1 (Some 0) 0] else [].
Proof. unfold tagged_share, second_layer. destruct i as [|[|i]]; reflexivity. Qed.
Lemma first_share_length i : length (tagged_share i P) =
  length (tagged_share i (first_layer f)) + length (tagged_share i second_layer).
Proof. unfold layers_of. cbn [concat]. now rewrite app_nil_r, share_app, app_length. Qed.

Lemma layer_of x a : action_at P x = Some a ->
  layer_in (layers_of f) x = if existsb (fun y => if event_dec x y then true else false) [last_send; (1, 3)] then 1 else 0.
Proof.
  destruct x as [i k]. intro A. unfold action_at in A. cbn [fst snd] in A.
  assert (Lk : k < length (tagged_share i P)) by (apply nth_error_Some; congruence).
  unfold layer_in, layers_of. cbn [layer_at fst snd].
  pose proof (first_share_length i) as Len. rewrite second_share in *.
  assert (L0 : length (tagged_share 0 (first_layer f)) = S (S (m + n))).
  { pose proof (first_share_length 0) as E. rewrite share_is_0, second_share, app_length, share_0_length in E.
    cbn [Nat.eqb length] in E. lia. }
  assert (L1 : length (tagged_share 1 (first_layer f)) = 3).
  { pose proof (first_share_length 1) as E. rewrite share_is_1, second_share in E. cbn [Nat.eqb length app share_1] in E. lia. }
  cbn [existsb]. rewrite orb_false_r.
  destruct (event_dec (i, k) last_send) as [E|N0]; [|destruct (event_dec (i, k) (1, 3)) as [E|N1]]; cbn [orb].
  - injection E as -> ->. rewrite L0, Nat.ltb_irrefl, Nat.sub_diag. reflexivity.
  - injection E as -> ->. rewrite L1. reflexivity.
  - destruct (Nat.ltb_spec k (length (tagged_share i (first_layer f)))) as [|Ge]; auto. exfalso.
    destruct (Nat.eqb_spec i 0) as [->|]; [|destruct (Nat.eqb_spec i 1) as [->|]]; cbn [length] in Len.
    + apply N0. f_equal. lia.
    + apply N1. f_equal. lia.
    + lia.
Qed.

Lemma layer_is_second x a : action_at P x = Some a -> layer_in (layers_of f) x <> 0 -> x = last_send \/ x = (1, 3).
Proof.
  intros A N. rewrite (layer_of x a A) in N. cbn [existsb] in N.
  destruct (event_dec x last_send); [now left|]. destruct (event_dec x (1, 3)); [now right|]. now contradiction N.
Qed.

(** If messages get into another layer, then the receive of process 1 takes the one of the second layer. *)
Lemma wrong_is h e s : overlapping_runs P h -> In (Receives e s) h -> layer_in (layers_of f) e <> layer_in (layers_of f) s ->
  In (Receives (1, 0) last_send) h.
Proof.
  intros R T N. destruct (overlapping_received P h e s R T) as (Ie & Is & a & b & A & B & Acc).
  destruct a as [|j from t|]; try contradiction. destruct b as [i j' t'| |]; try contradiction.
  destruct Acc as (-> & -> & _). rewrite (layer_of e _ A), (layer_of s _ B) in N.
  assert (Ne : e <> last_send) by (intros ->; rewrite action_0_last in A; discriminate).
  assert (Ns : s <> (1, 3)) by (intros ->; rewrite action_1 in B; discriminate).
  cbn [existsb] in N. rewrite !orb_false_r in N.
  destruct (event_dec e last_send) as [|X1]; [contradiction|]. destruct (event_dec s (1, 3)) as [|X2]; [contradiction|].
  destruct (event_dec s last_send) as [->|Nl]; destruct (event_dec e (1, 3)) as [->|N3]; cbn [orb] in N; try (now contradiction N).
  - rewrite action_0_last in B. injection B as <- <- <-. destruct e as [k q].
    pose proof (action_at_in _ _ _ A) as [_ Ek]. simpl in Ek. subst k. rewrite action_1 in A.
    destruct q as [|[|[|[|q]]]]; try discriminate; auto; [now contradiction N3|]. simpl in A. destruct q; discriminate.
  - rewrite action_1 in A. injection A as <- _ <-.
    assert (I0 : inside (done h) (1, 0)) by (unfold inside in *; simpl in *; lia).
    destruct (took_from h (1, 0) 1 (Some 0) 0 R I0) as (s0 & S0 & A0 & _); [now rewrite action_1|].
    assert (Send : forall x i, action_at P x = Some (TSend i 1 0) -> x = (0, 0) \/ x = last_send).
    { intros x i0 X. pose proof (who_sends _ _ _ _ X) as [Ex [E0 _]]. destruct x as [x q].
      cbn [fst] in Ex. rewrite <- Ex in E0. clear Ex. subst x.
      destruct q as [|q]; [now left|]. right. f_equal.
      destruct (lt_eq_lt_dec q m) as [[Lq| ->]|Gq]; [rewrite action_0_clause in X by auto; discriminate|
        rewrite action_0_go in X; discriminate|].
      assert (Lq : S q < S (S (S (m + n)))).
      { enough (S q < length (tagged_share 0 P)) by (rewrite share_is_0, app_length, share_0_length in H; simpl in H; lia).
        apply nth_error_Some. unfold action_at in X. cbn [fst snd] in X. congruence. }
      destruct (nth_error (variables f) (q - S m)) as [x|] eqn:Ev.
      - replace (S q) with (S (S (m + (q - S m)))) in X by lia. rewrite (action_0_variable _ _ Ev) in X. discriminate.
      - apply nth_error_None in Ev. lia. }
    destruct (Send s0 _ A0) as [-> | ->]; auto. destruct (Send s _ B) as [-> | ->]; [|contradiction].
    pose proof (proj2 (overlapping_once P h R _ _ _ _ T S0) eq_refl). discriminate.
Qed.

(** ** Runs that cannot go on *)

Section Stuck.
Variables (h : list move) (stopped : proc -> Prop) (allowed : event -> event -> Prop).
Hypothesis R : overlapping_runs P h.
(** No process goes on that is not stopped, if its receives take allowed messages only. *)
Hypothesis NoSend : forall i a, ~ stopped i -> action_at P (i, done h i) = Some a -> is_receive a.
Hypothesis NoTake : forall i s, ~ stopped i -> allowed (i, done h i) s -> ~ can_take P h (i, done h i) s.

Lemma sends_next i k j t : ~ stopped i -> action_at P (i, k) = Some (TSend i j t) -> k <= done h i -> k < done h i.
Proof.
  intros N A Le. destruct (Nat.eq_dec k (done h i)) as [->|]; [|lia]. destruct (NoSend i _ N A).
Qed.

Lemma takes_next i k from t ms : ~ stopped i -> action_at P (i, k) = Some (TRecv i from t) -> k <= done h i ->
  (forall s, In s ms -> inside (done h) s /\ action_at P s = Some (TSend (fst s) i t) /\
    (from = None \/ from = Some (fst s)) /\ (k = done h i -> allowed (i, k) s)) ->
  (k = done h i -> exists s, In s ms /\ forall k', k' < k -> ~ In (Receives (i, k') s) h) -> k < done h i.
Proof.
  intros N A Le M Free. destruct (Nat.eq_dec k (done h i)) as [E|]; [exfalso|lia].
  destruct (Free E) as (s & I & F). destruct (M s I) as (Is & As & Fs & Al). subst k.
  apply (NoTake i s N (Al eq_refl)). exists (TRecv i from t), (TSend (fst s) i t). repeat split; auto.
  intros [j q] T. destruct (overlapping_received P h _ _ R T) as (Iq & _ & a & b & Aa & Ab & Acc).
  rewrite As in Ab. injection Ab as <-. destruct a as [|j' from' t'|]; try contradiction. destruct Acc as (Er & _ & _).
  apply action_at_in in Aa as [_ Ej]. cbn [tagged_actor fst] in Ej. subst j j'. exact (F q Iq T).
Qed.

(** Processes 2 and 3 send their first messages. *)
Lemma firsts_sent i : i = 2 \/ i = 3 -> ~ stopped i -> L <= done h i.
Proof.
  intros Ei N. assert (H : forall k, k <= L -> k <= done h i); [|auto].
  induction k as [|k IH]; intro Lk; [lia|]. destruct (nth_error lits k) as [l|] eqn:E; [|apply nth_error_None in E; lia].
  destruct Ei as [-> | ->]; eapply sends_next; eauto using action_2_send, action_3_send; apply IH; lia.
Qed.
Lemma seconds_sent i : i = 2 \/ i = 3 -> ~ stopped i -> L < done h i -> S (L + L) <= done h i.
Proof.
  intros Ei N Lt. assert (H : forall k, k <= L -> S (L + k) <= done h i); [|auto].
  induction k as [|k IH]; intro Lk; [lia|]. destruct (nth_error lits k) as [l|] eqn:E; [|apply nth_error_None in E; lia].
  rewrite Nat.add_succ_r.
  destruct Ei as [-> | ->]; eapply sends_next; eauto using action_2_again, action_3_again; apply IH; lia.
Qed.

(** A literal tells its clauses after two receives. *)
Lemma tells l : In l lits -> ~ stopped (at_literal l) -> 2 <= done h (at_literal l) ->
  S (S (length (clauses_of f l))) <= done h (at_literal l).
Proof.
  intros Il N Two. assert (H : forall k, k <= length (clauses_of f l) -> S (S k) <= done h (at_literal l)); [|auto].
  induction k as [|k IH]; intro Lk; [lia|].
  destruct (nth_error (clauses_of f l) k) as [c|] eqn:E; [|apply nth_error_None in E; lia].
  eapply sends_next; eauto using action_literal_tells. apply IH. lia.
Qed.

Lemma not_by_send i k s a : action_at P (i, k) = Some a -> ~ is_receive a -> ~ In (Receives (i, k) s) h.
Proof.
  intros A N T. destruct (overlapping_received P h _ _ R T) as (_ & _ & b & c & B & _ & Acc).
  rewrite A in B. injection B as <-. apply N. destruct a; simpl in *; auto.
Qed.
Lemma not_by_other i k s j from t i' j' t' : action_at P (i, k) = Some (TRecv j from t) ->
  action_at P s = Some (TSend i' j' t') -> (t <> t' \/ exists q, from = Some q /\ q <> i') -> ~ In (Receives (i, k) s) h.
Proof.
  intros A B N T. destruct (overlapping_received P h _ _ R T) as (_ & _ & b & c & A' & B' & Acc).
  rewrite A in A'. rewrite B in B'. injection A' as <-. injection B' as <-. destruct Acc as (_ & Et & F).
  destruct N as [N|(q & -> & N)]; [congruence|]. destruct F as [F|F]; congruence.
Qed.

(** Of more messages than receives, one is left. *)
Lemma left_over i k ms ks : NoDup ms -> length ks < length ms ->
  (forall s k', In s ms -> k' < k -> In (Receives (i, k') s) h -> In k' ks) ->
  exists s, In s ms /\ forall k', k' < k -> ~ In (Receives (i, k') s) h.
Proof.
  revert ks. induction ms as [|s ms IH]; intros ks D Le T; simpl in Le; [lia|].
  inversion D as [|x y Ns D']; subst.
  destruct (classic (exists k', k' < k /\ In (Receives (i, k') s) h)) as [(k0 & L0 & T0)|N].
  - destruct (in_split _ _ (T s k0 (or_introl eq_refl) L0 T0)) as (ks1 & ks2 & ->).
    destruct (IH (ks1 ++ ks2)) as (s' & I & F); auto.
    + rewrite app_length in *. simpl in Le. lia.
    + intros s' k' I L' T'. assert (J : In k' (ks1 ++ k0 :: ks2)) by (apply (T s'); auto; now right).
      apply in_app_iff in J as [J|[<-|J]]; apply in_or_app; auto. exfalso.
      pose proof (proj1 (overlapping_once P h R _ _ _ _ T0 T') eq_refl). subst s'. contradiction.
    + exists s'. split; auto. now right.
  - exists s. split; [now left|]. intros k' L' T'. apply N. eauto.
Qed.

(** Process 0 goes on if its clauses and variables do. *)
Lemma through_clauses : ~ stopped 0 -> (forall k s, allowed (0, k) s) -> (forall k, k < m -> 2 <= done h (at_clause k)) ->
  S (S m) <= done h 0.
Proof.
  intros N Al C. eapply sends_next; eauto using action_0_go.
  assert (H : forall k, k <= m -> S k <= done h 0); [|auto].
  induction k as [|k IH]; intro Lk; [eapply sends_next; eauto using action_0_first; lia|].
  eapply (takes_next 0 (S k) (Some (at_clause k)) 5 [(at_clause k, 1)]); auto using action_0_clause.
  - apply IH. lia.
  - intros s [<-|[]]. split; [unfold inside; simpl; apply C; lia|]. split; auto. now rewrite action_clause by lia.
  - intros _. exists (at_clause k, 1). split; [now left|]. intros [|k'] L' T.
    + eapply not_by_send in T; eauto using action_0_first.
    + assert (As : action_at P (at_clause k, 1) = Some (TSend (at_clause k) 0 5)) by now rewrite action_clause by lia.
      refine (not_by_other _ _ _ _ _ _ _ _ _ (action_0_clause k' _) As (or_intror _) T); [lia|].
      exists (at_clause k'). split; auto. intro E. apply at_clause_injective in E. lia.
Qed.

Lemma through_variables : ~ stopped 0 -> (forall k s, allowed (0, k) s) -> S (S m) <= done h 0 ->
  (forall x, In x (variables f) -> 2 <= done h (at_variable x)) -> S (S (S (m + n))) <= done h 0.
Proof.
  intros N Al Go V. eapply sends_next; eauto using action_0_last.
  assert (H : forall j, j <= n -> S (S (m + j)) <= done h 0); [|auto].
  induction j as [|j IH]; intro Lj; [rewrite Nat.add_0_r; lia|].
  destruct (nth_error (variables f) j) as [x|] eqn:E; [|apply nth_error_None in E; lia].
  assert (Ix : In x (variables f)) by (eapply nth_error_In; eauto). rewrite Nat.add_succ_r.
  eapply (takes_next 0 (S (S (m + j))) (Some (at_variable x)) 7 [(at_variable x, 1)]); auto using action_0_variable.
  - apply IH. lia.
  - intros s [<-|[]]. split; [unfold inside; simpl; apply V; auto|]. split; auto. now rewrite action_variable by auto.
  - intros _. exists (at_variable x, 1). split; [now left|]. intros k' L' T.
    assert (As : action_at P (at_variable x, 1) = Some (TSend (at_variable x) 0 7)) by now rewrite action_variable by auto.
    destruct k' as [|k']; [eapply not_by_send in T; eauto using action_0_first|].
    destruct (lt_eq_lt_dec k' m) as [[Lk| ->]|Gk].
    + refine (not_by_other _ _ _ _ _ _ _ _ _ (action_0_clause k' Lk) As (or_introl _) T). discriminate.
    + eapply not_by_send in T; eauto using action_0_go.
    + replace k' with (S (m + (k' - S m))) in T by lia.
      destruct (nth_error (variables f) (k' - S m)) as [y|] eqn:Ey; [|apply nth_error_None in Ey; lia].
      refine (not_by_other _ _ _ _ _ _ _ _ _ (action_0_variable _ _ Ey) As (or_intror _) T).
      exists (at_variable y). split; auto. intro X.
      apply at_variable_injective in X. subst y. assert (k' - S m = j); [|lia].
      apply (proj1 (NoDup_nth_error (variables f)) (NoDup_nodup _ _)); [lia|congruence].
Qed.

(** A clause goes on if one of its literals has told it, a variable likewise. *)
Lemma clause_told k l : k < m -> In l lits -> In l (nth k f []) -> exists j, action_at P (at_literal l, j) =
  Some (TSend (at_literal l) (at_clause k) 4) /\ j < S (S (length (clauses_of f l))).
Proof.
  intros Lk Il I. assert (Ik : In k (clauses_of f l)).
  { apply filter_In. split; [apply in_seq; lia|]. now destruct (in_dec literal_dec l (nth k f [])). }
  destruct (In_nth_error _ _ Ik) as [q E]. exists (S (S q)). split; [now apply action_literal_tells|].
  assert (q < length (clauses_of f l)) by (apply nth_error_Some; congruence). lia.
Qed.
Lemma variable_told l : In l lits -> action_at P (at_literal l, S (S (S (length (clauses_of f l))))) =
  Some (TSend (at_literal l) (at_variable (fst l)) 6).
Proof. intro Il. pose proof (action_literal_rest l Il 1) as A. now rewrite Nat.add_1_r in A. Qed.
Lemma literal_rest l : In l lits -> action_at P (at_literal l, S (S (length (clauses_of f l)))) =
  Some (TRecv (at_literal l) (Some 3) 3).
Proof. intro Il. pose proof (action_literal_rest l Il 0) as A. now rewrite Nat.add_0_r in A. Qed.

Lemma clause_goes k l : k < m -> In l lits -> In l (nth k f []) -> ~ stopped (at_clause k) ->
  (forall e s, fst e = at_clause k -> allowed e s) ->
  S (S (length (clauses_of f l))) <= done h (at_literal l) -> 2 <= done h (at_clause k).
Proof.
  intros Lk Il I N Al D. destruct (clause_told k l Lk Il I) as (j & A & Lj).
  eapply sends_next; eauto; [rewrite action_clause by auto; reflexivity|].
  eapply (takes_next (at_clause k) 0 None 4 [(at_literal l, j)]); auto; [now rewrite action_clause by auto|lia| |].
  - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. auto.
  - intros _. exists (at_literal l, j). split; [now left|]. intros; lia.
Qed.
Lemma variable_goes l : In l lits -> ~ stopped (at_variable (fst l)) ->
  (forall e s, fst e = at_variable (fst l) -> allowed e s) ->
  S (S (S (S (length (clauses_of f l))))) <= done h (at_literal l) -> 2 <= done h (at_variable (fst l)).
Proof.
  intros Il N Al D. assert (Ix : In (fst l) (variables f)) by now apply in_literals.
  eapply sends_next; eauto; [rewrite action_variable by auto; reflexivity|].
  eapply (takes_next (at_variable (fst l)) 0 None 6 [(at_literal l, S (S (S (length (clauses_of f l)))))]); auto;
    [now rewrite action_variable by auto|lia| |].
  - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. split; auto. now apply variable_told.
  - intros _. eexists. split; [now left|]. intros; lia.
Qed.
End Stuck.

(** Some run with a property cannot go on with it. *)
Lemma longest (good : list move -> Prop) (most : nat) : (forall h, good h -> length h <= most) -> forall h, good h ->
  exists h', good h' /\ forall a, ~ good (a :: h').
Proof.
  intros B. assert (H : forall k h, good h -> most - length h <= k -> exists h', good h' /\ forall a, ~ good (a :: h')).
  { induction k as [|k IH]; intros h G Le; 
      (destruct (classic (exists a, good (a :: h))) as [[a Ga]|N]; [|exists h; split; auto; intros a Ga; apply N; eauto]).
    - pose proof (B _ Ga) as Len. simpl in Len. lia.
    - apply (IH (a :: h)); auto. pose proof (B _ Ga) as Len. simpl in *. lia. }
  intros h G. now apply (H (most - length h) h).
Qed.

Lemma place_of_literal l : In l lits -> exists j, nth_error lits j = Some l /\ j < L.
Proof.
  intro I. destruct (In_nth_error _ _ I) as [j E]. exists j. split; auto. apply nth_error_Some. congruence.
Qed.

(** ** Values give a run that shows interference *)

Section Values.
Variable value : nat -> bool.
Hypothesis Satisfies : forall c, In c f -> exists l, In l c /\ value (fst l) = snd l.

(** The first receives of literals take a message of 3 if the literal is true, and of 2 otherwise. *)
Definition chosen (e s : event) := forall l, In l lits -> e = (at_literal l, 0) ->
  fst s = if eqb (value (fst l)) (snd l) then 3 else 2.
Definition held_run (h : list move) := overlapping_runs P h /\ done h 1 = 0 /\
  forall e s, In (Receives e s) h -> chosen e s.

Lemma chosen_always e s : (forall l, In l lits -> e <> (at_literal l, 0)) -> chosen e s.
Proof. intros N l I E. now destruct (N l I). Qed.

Lemma all_sent h : held_run h -> (forall a, ~ held_run (a :: h)) -> S (S (S (m + n))) <= done h 0.
Proof.
  intros (R & Z & Ch) Max.
  assert (NoSend : forall i a, ~ i = 1 -> action_at P (i, done h i) = Some a -> is_receive a).
  { intros i a N A. apply NNPP. intro Na. apply (Max (Does (i, done h i))). split; [eapply overlapping_does; eauto|].
    split; [rewrite done_next; simpl; destruct (Nat.eqb_spec i 1); auto; contradiction|].
    intros e s [E|I]; [discriminate|auto]. }
  assert (NoTake : forall i s, ~ i = 1 -> chosen (i, done h i) s -> ~ can_take P h (i, done h i) s).
  { intros i s N C T. apply (Max (Receives (i, done h i) s)). split; [now apply overlapping_receives|].
    split; [rewrite done_next; simpl; destruct (Nat.eqb_spec i 1); auto; contradiction|].
    intros e s' [E|I]; [now injection E as <- <-|auto]. }
  assert (Far : forall l, ~ at_literal l = 1) by (intro l; unfold at_literal; lia).
  assert (All0 : forall k s, chosen (0, k) s) by (intros k s; apply chosen_always; intros l _ E; discriminate).
  assert (Others : forall i, (forall l, at_literal l <> i) -> forall e s, fst e = i -> chosen e s).
  { intros i N e s Ei. apply chosen_always. intros l _ ->. now apply (N l). }
  assert (F2 : L <= done h 2) by (apply (firsts_sent h (fun i => i = 1) NoSend); auto).
  assert (F3 : L <= done h 3) by (apply (firsts_sent h (fun i => i = 1) NoSend); auto).
  (* The first receive of each literal. *)
  assert (One : forall l, In l lits -> 1 <= done h (at_literal l)).
  { intros l Il. destruct (place_of_literal l Il) as (j & E & Lj).
    pose (s := if eqb (value (fst l)) (snd l) then (3, j) else (2, j) : event).
    eapply (takes_next h (fun i => i = 1) chosen R NoTake (at_literal l) 0 None 3 [s]); auto using action_literal_0; [lia| |].
    - intros s' [<-|[]]. unfold s. split; [destruct (eqb _ _); unfold inside; simpl; lia|]. split.
      + destruct (eqb _ _); [now apply action_3_send|now apply action_2_send].
      + split; auto. intros _ l' Il' E'. apply (f_equal fst) in E'. apply at_literal_injective in E'. subst l'.
        now destruct (eqb _ _).
    - intros _. exists s. split; [now left|]. intros; lia. }
  assert (First : forall l s, In l lits -> In (Receives (at_literal l, 0) s) h ->
    fst s = if eqb (value (fst l)) (snd l) then 3 else 2) by (intros l s Il T; now apply (Ch _ _ T)).
  (* True literals tell their clauses. *)
  assert (True2 : forall l, In l lits -> value (fst l) = snd l ->
    S (S (length (clauses_of f l))) <= done h (at_literal l)).
  { intros l Il V. apply (tells h (fun i => i = 1) NoSend); auto. destruct (place_of_literal l Il) as (j & E & Lj).
    eapply (takes_next h (fun i => i = 1) chosen R NoTake (at_literal l) 1 (Some 2) 3 [(2, j)]);
      auto using action_literal_1.
    - intros s' [<-|[]]. split; [unfold inside; simpl; lia|]. split; [now apply action_2_send|]. split; auto.
      intros _ l' _ E'. discriminate.
    - intros _. exists (2, j). split; [now left|]. intros [|k'] Lk T; [|lia].
      pose proof (First l _ Il T) as Fs. rewrite V, eqb_reflx in Fs. discriminate. }
  assert (Clauses : forall k, k < m -> 2 <= done h (at_clause k)).
  { intros k Lk. destruct (Satisfies (nth k f [])) as (l & I & V); [now apply nth_In|].
    assert (Il : In l lits) by (eapply in_variables; eauto; now apply nth_In).
    apply (clause_goes h (fun i => i = 1) chosen R NoSend NoTake k l); auto; [unfold at_clause; lia|].
    apply Others. intro l'. unfold at_literal, at_clause. destruct (snd l'); lia. }
  assert (Go : S (S m) <= done h 0).
  { apply (through_clauses h (fun i => i = 1) chosen R NoSend NoTake); auto. }
  (* Process 2 sends again. *)
  assert (F2' : S (L + L) <= done h 2).
  { apply (seconds_sent h (fun i => i = 1) NoSend); auto.
    eapply (takes_next h (fun i => i = 1) chosen R NoTake 2 L None 1 [(0, S m)]); auto using action_2_wait.
    - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. split; [apply action_0_go|]. split; auto.
      intros _. apply (Others 2); auto. intro l. unfold at_literal. lia.
    - intros _. exists (0, S m). split; [now left|]. intros k' Lk.
      destruct (nth_error lits k') as [l|] eqn:E; [|apply nth_error_None in E; lia].
      eapply (not_by_send h R); [now apply action_2_send; eauto|auto]. }
  (* False literals tell their variables. *)
  assert (False4 : forall l, In l lits -> value (fst l) <> snd l ->
    S (S (S (S (length (clauses_of f l))))) <= done h (at_literal l)).
  { intros l Il V. destruct (place_of_literal l Il) as (j & E & Lj).
    assert (Fst : forall s, In (Receives (at_literal l, 0) s) h -> fst s = 2).
    { intros s T. rewrite (First l s Il T). destruct (eqb (value (fst l)) (snd l)) eqn:Eb; auto.
      now apply eqb_prop in Eb. }
    eapply (sends_next h (fun i => i = 1) NoSend); auto using variable_told.
    eapply (takes_next h (fun i => i = 1) chosen R NoTake (at_literal l) (S (S (length (clauses_of f l)))) (Some 3) 3
      [(3, j)]); auto using literal_rest.
    - apply (tells h (fun i => i = 1) NoSend); auto.
      eapply (takes_next h (fun i => i = 1) chosen R NoTake (at_literal l) 1 (Some 2) 3 [(2, j); (2, S (L + j))]);
        auto using action_literal_1.
      + intros s' [<-|[<-|[]]]; (split; [unfold inside; simpl; lia|]); (split; [auto using action_2_send, action_2_again|]);
          (split; auto); intros _ l' _ E'; discriminate.
      + intros _. apply (left_over h R (at_literal l) 1 [(2, j); (2, S (L + j))] [0]); simpl; auto.
        * constructor; [intros [E'|[]]; injection E'; lia|]. constructor; [intros []|constructor].
        * intros s k' _ Lk _. left. lia.
    - intros s' [<-|[]]. split; [unfold inside; simpl; lia|]. split; [now apply action_3_send|]. split; auto.
      intros _ l' _ E'. discriminate.
    - intros _. exists (3, j). split; [now left|]. intros k' Lk T. pose proof (action_3_send j l E) as As.
      destruct k' as [|[|q]].
      + pose proof (Fst _ T). discriminate.
      + refine (not_by_other h R _ _ _ _ _ _ _ _ _ (action_literal_1 l Il) As (or_intror _) T). now exists 2.
      + destruct (nth_error (clauses_of f l) q) as [c|] eqn:Ec; [|apply nth_error_None in Ec; lia].
        eapply (not_by_send h R) in T; eauto using action_literal_tells. }
  apply (through_variables h (fun i => i = 1) chosen R NoSend NoTake); auto.
  intros x Ix. apply (variable_goes h (fun i => i = 1) chosen R NoSend NoTake (x, negb (value x))); auto.
  - now apply in_literals.
  - unfold at_variable. lia.
  - apply Others. intro l'. unfold at_literal, at_variable. destruct (snd l'); lia.
  - apply False4; [now apply in_literals|]. simpl. now destruct (value x).
Qed.

Lemma values_interfere : ~ stay_apart_overlapping (layers_of f).
Proof.
  intro Apart.
  destruct (longest held_run (length P)) with (h := @nil move) as (h & (R & Z & Ch) & Max).
  - intros h (R & _). now apply overlapping_length.
  - split; [constructor|]. split; auto. intros e s [].
  - pose proof (all_sent h (conj R (conj Z Ch)) Max) as Sent.
    assert (A1 : action_at P (1, 0) = Some (TRecv 1 (Some 0) 0)) by now rewrite action_1.
    assert (T : overlapping_runs P (Receives (1, 0) last_send :: h)).
    { pose proof (overlapping_receives P h 1 last_send R) as Step. rewrite Z in Step. apply Step. exists (TRecv 1 (Some 0) 0), (TSend 0 1 0).
      split; auto. split; [apply action_0_last|]. split; [simpl; auto|]. split; [unfold inside; simpl; lia|].
      intros e T. destruct (overlapping_received P h _ _ R T) as (I & _ & a & b & A & B & Acc).
      rewrite action_0_last in B. injection B as <-. destruct a as [|j from t|]; try contradiction.
      destruct Acc as (<- & _). apply action_at_in in A as [_ E]. simpl in E. unfold inside in I. rewrite <- E in I. lia. }
    pose proof (Apart _ T (1, 0) last_send (or_introl eq_refl)) as Eq.
    rewrite (layer_of _ _ A1), (layer_of _ _ action_0_last) in Eq. cbn [existsb] in Eq.
    destruct (event_dec last_send last_send) as [_|N]; [|now contradiction N].
    destruct (event_dec (1, 0) last_send); [discriminate|]. destruct (event_dec (1, 0) (1, 3)); discriminate.
Qed.
End Values.

(** The layers stay apart exactly if no values satisfy the formula. *)
Lemma interference_is_satisfiability : satisfiable f <-> ~ stay_apart_overlapping (layers_of f).
Proof.
  split; [intros [v V]; now apply (values_interfere v)|].
  intro N. unfold stay_apart_overlapping in N. apply not_all_ex_not in N as [h N]. apply imply_to_and in N as [R N].
  unfold own_layers in N. apply not_all_ex_not in N as [e N]. apply not_all_ex_not in N as [s N].
  apply imply_to_and in N as [T N]. pose proof (wrong_is h e s R T N) as W.
  apply in_split in W as (h2 & h1 & ->). apply overlapping_app in R.
  assert (C : can_take P h1 (1, 0) last_send /\ done h1 1 = 0 /\ overlapping_runs P h1).
  { remember (Receives (1, 0) last_send :: h1) as h eqn:E. destruct R as [|h i a R A Na|h i s0 R C]; try discriminate.
    injection E as -> Ek -> ->. rewrite Ek in C. auto. }
  destruct C as ((_ & _ & _ & _ & _ & I & _) & Z & R1). apply (interference_satisfies h1); auto.
  unfold inside in I. simpl in I. lia.
Qed.

(** ** No run gets stuck *)

Section NeverStuck.
Hypothesis Clauses : forall c, In c f -> c <> [].

Lemma who_acts i k a : action_at P (i, k) = Some a -> i <= 3 \/ (exists l, In l lits /\ i = at_literal l) \/
  (exists x, In x (variables f) /\ i = at_variable x) \/ exists k, k < m /\ i = at_clause k.
Proof.
  intro A. apply action_at_in in A as [I A]. cbn [fst] in A. rewrite <- A. clear A i k.
  unfold layers_of, first_layer, second_layer in I. cbn [concat] in I. rewrite app_nil_r in I.
  rewrite !in_app_iff in I. destruct I as [[I|[I|[I|[I|[I|[I|I]]]]]]|I].
  - left. rewrite (actor_0 f a I). lia.
  - left. rewrite (actor_1 a I). lia.
  - left. rewrite (actor_2 f a I). lia.
  - left. rewrite (actor_3 f a I). lia.
  - apply in_flat_map in I as (l & Il & I). rewrite (actor_literal f l a I). eauto 6.
  - apply in_flat_map in I as (x & Ix & I). rewrite (actor_variable x a I). eauto 8.
  - apply in_flat_map in I as (k' & Ik & I). rewrite (actor_clause f k' a I). apply in_seq in Ik.
    right. right. right. exists k'. split; auto. lia.
  - left. listed I; subst a; simpl; lia.
Qed.

(** Messages of different literals, one of each. *)
Lemma messages_of_literals (ok : event -> Prop) ls : NoDup ls -> (forall l, In l ls -> exists j, ok (at_literal l, j)) ->
  exists ms, length ms = length ls /\ NoDup ms /\ forall s, In s ms -> ok s /\ exists l, In l ls /\ fst s = at_literal l.
Proof.
  induction 1 as [|l ls N D IH]; intro H; [exists []; split; [auto|split; [constructor|intros s []]]|].
  destruct IH as (ms & Len & Dm & M); [intros; apply H; now right|]. destruct (H l (or_introl eq_refl)) as [j J].
  exists ((at_literal l, j) :: ms). split; [simpl; auto|]. split.
  - constructor; auto. intro I. destruct (M _ I) as (_ & l' & I' & E). cbn [fst] in E. apply at_literal_injective in E.
    now subst l'.
  - intros s [<-|I]; [split; auto; exists l; split; [now left|reflexivity]|].
    destruct (M s I) as (O & l' & I' & E). split; auto. exists l'. split; auto. now right.
Qed.

Lemma goes_on_to_the_end : never_stuck P.
Proof.
  intros h R Max. pose (none := fun _ : proc => False). pose (any := fun _ _ : event => True).
  assert (Not : forall i, ~ none i) by (intros i []).
  assert (Any : forall e s, any e s) by exact (fun _ _ => I).
  assert (NoSend : forall i a, ~ none i -> action_at P (i, done h i) = Some a -> is_receive a).
  { intros i a _ A. apply NNPP. intro Na. apply (Max (Does (i, done h i))). eapply overlapping_does; eauto. }
  assert (NoTake : forall i s, ~ none i -> any (i, done h i) s -> ~ can_take P h (i, done h i) s).
  { intros i s _ _ T. apply (Max (Receives (i, done h i) s)). now apply overlapping_receives. }
  assert (F2 : L <= done h 2) by (apply (firsts_sent h none NoSend); auto).
  assert (F3 : L <= done h 3) by (apply (firsts_sent h none NoSend); auto).
  (* Process 1 receives, and tells 2 and 3. *)
  assert (S0 : 1 <= done h 0) by (eapply (sends_next h none NoSend); eauto using action_0_first; lia).
  assert (S1 : 3 <= done h 1).
  { eapply (sends_next h none NoSend); auto; [rewrite action_1; reflexivity|].
    eapply (sends_next h none NoSend); auto; [rewrite action_1; reflexivity|].
    eapply (takes_next h none any R NoTake 1 0 (Some 0) 0 [(0, 0)]); auto; try lia; try now rewrite action_1.
    - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. split; auto using action_0_first.
    - intros _. exists (0, 0). split; [now left|]. intros; lia. }
  assert (F3' : S (L + L) <= done h 3).
  { apply (seconds_sent h none NoSend); auto.
    eapply (takes_next h none any R NoTake 3 L (Some 1) 2 [(1, 2)]); auto using action_3_wait.
    - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. split; [now rewrite action_1|auto].
    - intros _. exists (1, 2). split; [now left|]. intros k' Lk.
      destruct (nth_error lits k') as [l|] eqn:E; [|apply nth_error_None in E; lia].
      eapply (not_by_send h R); [now apply action_3_send; eauto|auto]. }
  assert (F2' : S (L + L) <= done h 2).
  { apply (seconds_sent h none NoSend); auto.
    eapply (takes_next h none any R NoTake 2 L None 1 [(1, 1)]); auto using action_2_wait.
    - intros s [<-|[]]. split; [unfold inside; simpl; lia|]. split; [now rewrite action_1|auto].
    - intros _. exists (1, 1). split; [now left|]. intros k' Lk.
      destruct (nth_error lits k') as [l|] eqn:E; [|apply nth_error_None in E; lia].
      eapply (not_by_send h R); [now apply action_2_send; eauto|auto]. }
  (* Literals. *)
  assert (Literals : forall l, In l lits -> S (S (S (S (S (length (clauses_of f l)))))) <= done h (at_literal l)).
  { intros l Il. destruct (place_of_literal l Il) as (j & E & Lj). set (w := length (clauses_of f l)) in *.
    assert (Told : forall q s, q < w -> ~ In (Receives (at_literal l, S (S q)) s) h).
    { intros q s Lq. destruct (nth_error (clauses_of f l) q) as [c|] eqn:Ec; [|apply nth_error_None in Ec; unfold w in Lq; lia].
      eapply (not_by_send h R); [now apply action_literal_tells; eauto|auto]. }
    pose proof (action_2_send j l E) as A2. pose proof (action_2_again j l E) as A2'.
    pose proof (action_3_send j l E) as A3. pose proof (action_3_again j l E) as A3'.
    assert (In2 : inside (done h) (2, j) /\ inside (done h) (2, S (L + j))) by (unfold inside; simpl; lia).
    assert (In3 : inside (done h) (3, j) /\ inside (done h) (3, S (L + j))) by (unfold inside; simpl; lia).
    assert (Once2 : NoDup [(2, j); (2, S (L + j))]).
    { constructor; [intros [E'|[]]; injection E'; lia|]. constructor; [intros []|constructor]. }
    assert (Once3 : NoDup [(3, j); (3, S (L + j))]).
    { constructor; [intros [E'|[]]; injection E'; lia|]. constructor; [intros []|constructor]. }
    assert (Told6 : action_at P (at_literal l, S (S (S w))) = Some (TSend (at_literal l) (at_variable (fst l)) 6))
      by now apply variable_told.
    assert (Last : action_at P (at_literal l, S (S (S (S w)))) = Some (TRecv (at_literal l) None 3)).
    { pose proof (action_literal_rest l Il 2) as A. now rewrite Nat.add_comm in A. }
    eapply (takes_next h none any R NoTake (at_literal l) _ None 3 [(2, j); (2, S (L + j)); (3, j); (3, S (L + j))]); eauto.
    - eapply (sends_next h none NoSend); eauto.
      eapply (takes_next h none any R NoTake (at_literal l) (S (S w)) (Some 3) 3 [(3, j); (3, S (L + j))]); auto.
      + now apply literal_rest.
      + apply (tells h none NoSend); auto.
        eapply (takes_next h none any R NoTake (at_literal l) 1 (Some 2) 3 [(2, j); (2, S (L + j))]);
          auto using action_literal_1.
        * eapply (takes_next h none any R NoTake (at_literal l) 0 None 3 [(2, j)]); auto using action_literal_0; [lia| |].
          -- intros s [<-|[]]. split; [tauto|auto].
          -- intros _. exists (2, j). split; [now left|]. intros; lia.
        * intros s [<-|[<-|[]]]; (split; [tauto|auto]).
        * intros _. apply (left_over h R (at_literal l) 1 _ [0]); simpl; auto. intros s k' _ Lk _. left. lia.
      + intros s [<-|[<-|[]]]; (split; [tauto|auto]).
      + intros _. apply (left_over h R (at_literal l) (S (S w)) _ [0]); simpl; auto. intros s k' I Lk T.
        destruct k' as [|[|q]]; [now left| |destruct (Told q s) in T; auto; lia]. exfalso.
        destruct I as [<-|[<-|[]]];
          [refine (not_by_other h R _ _ _ _ _ _ _ _ _ (action_literal_1 l Il) A3 (or_intror _) T)
          |refine (not_by_other h R _ _ _ _ _ _ _ _ _ (action_literal_1 l Il) A3' (or_intror _) T)]; now exists 2.
    - intros s [<-|[<-|[<-|[<-|[]]]]]; (split; [tauto|auto]).
    - intros _. apply (left_over h R (at_literal l) (S (S (S (S w)))) _ [0; 1; S (S w)]); simpl; auto.
      + assert (Far : forall x y, ~ In ((2, x) : event) [(3, y); (3, S (L + y))]) by (intros x y [E'|[E'|[]]]; discriminate).
        inversion Once2 as [|? ? N2 _]. constructor; [intros [E'|I]; [apply N2; now left|exact (Far _ _ I)]|].
        constructor; auto.
      + intros s k' _ Lk T. destruct k' as [|[|q]]; auto. destruct (lt_eq_lt_dec q w) as [[Lq| ->]|Gq]; auto.
        * now apply Told in T.
        * assert (q = S w) by lia. subst q. eapply (not_by_send h R) in T; eauto; contradiction. }
  (* Clauses. *)
  assert (Two : forall k, k < m -> 2 <= done h (at_clause k)).
  { intros k Lk. pose proof (Clauses (nth k f []) (nth_In f [] Lk)) as Ne. destruct (nth k f []) as [|l c] eqn:Ec; [contradiction|].
    assert (Il : In l lits). { apply (in_variables (l :: c)); [rewrite <- Ec; now apply nth_In|now left]. }
    apply (clause_goes h none any R NoSend NoTake k l); auto; [rewrite Ec; now left|].
    specialize (Literals l Il). lia. }
  assert (Clause : forall k, k < m -> length (share_of_clause f k) <= done h (at_clause k)).
  { intros k Lk. unfold share_of_clause. cbn [length]. rewrite repeat_length.
    assert (H : forall q, q <= width (nth k f []) - 1 -> S (S q) <= done h (at_clause k)); [|auto].
    induction q as [|q IH]; intro Lq; [now apply Two|].
    destruct (messages_of_literals (fun s => inside (done h) s /\ action_at P s = Some (TSend (fst s) (at_clause k) 4))
      (nodup literal_dec (nth k f []))) as (ms & Len & D & M); [apply NoDup_nodup| |].
    { intros l I. apply nodup_In in I. assert (Il : In l lits) by (eapply in_variables; eauto; now apply nth_In).
      destruct (clause_told k l Lk Il I) as (j & A & Lj). exists j. split; auto. specialize (Literals l Il).
      unfold inside. simpl. lia. }
    eapply (takes_next h none any R NoTake (at_clause k) (S (S q)) None 4 ms); auto.
    - rewrite action_clause by auto. unfold share_of_clause. simpl. apply nth_error_repeat. lia.
    - apply IH. lia.
    - intros s I. destruct (M s I) as [[Is As] _]. auto.
    - intros _. apply (left_over h R (at_clause k) (S (S q)) ms (0 :: map (fun i => S (S i)) (seq 0 q))); auto.
      + unfold width in Lq. simpl. rewrite map_length, seq_length. lia.
      + intros s [|[|k']] _ Lk' T; [now left| |].
        * eapply (not_by_send h R) in T; [contradiction|rewrite action_clause by auto; reflexivity|auto].
        * right. apply in_map_iff. exists k'. split; auto. apply in_seq. lia. }
  (* Variables. *)
  assert (Var2 : forall x, In x (variables f) -> 2 <= done h (at_variable x)).
  { intros x Ix. assert (Il : In (x, true) lits) by now apply in_literals.
    apply (variable_goes h none any R NoSend NoTake (x, true)); auto. specialize (Literals _ Il). lia. }
  assert (Var : forall x, In x (variables f) -> 3 <= done h (at_variable x)).
  { intros x Ix. assert (It : In (x, true) lits) by now apply in_literals. assert (If : In (x, false) lits) by now apply in_literals.
    pose proof (variable_told _ It) as At. pose proof (variable_told _ If) as Af.
    pose proof (Literals _ It) as Lt. pose proof (Literals _ If) as Lf.
    eapply (takes_next h none any R NoTake (at_variable x) 2 None 6
      [(at_literal (x, true), S (S (S (length (clauses_of f (x, true))))));
       (at_literal (x, false), S (S (S (length (clauses_of f (x, false))))))]); auto.
    - now rewrite action_variable by auto.
    - intros s [<-|[<-|[]]]; (split; [unfold inside; simpl in *; lia|]); auto.
    - intros _. apply (left_over h R (at_variable x) 2 _ [0]); simpl; auto.
      + constructor; [|constructor; [intros []|constructor]]. intros [E|[]]. apply (f_equal fst) in E.
        apply at_literal_injective in E. discriminate.
      + intros s [|[|k']] _ Lk T; [now left| |lia].
        eapply (not_by_send h R) in T; [contradiction|rewrite action_variable by auto; reflexivity|auto]. }
  assert (Go : S (S m) <= done h 0) by (apply (through_clauses h none any R NoSend NoTake); auto).
  assert (All0 : S (S (S (m + n))) <= done h 0) by (apply (through_variables h none any R NoSend NoTake); auto).
  assert (All2 : S (S (L + L)) <= done h 2).
  { assert (A : action_at P (2, S (L + L)) = Some (TRecv 2 None 1)).
    { unfold action_at. cbn [fst snd]. rewrite share_is_2. unfold share_2.
      rewrite <- Nat.add_succ_r, at_middle, at_next. rewrite <- (Nat.add_0_r L). now rewrite at_middle. }
    eapply (takes_next h none any R NoTake 2 _ None 1 [(0, S m); (1, 1)]); eauto.
    - intros s [<-|[<-|[]]]; (split; [unfold inside; simpl; lia|]); (split; [|auto]); [apply action_0_go|now rewrite action_1].
    - intros _. apply (left_over h R 2 _ _ [L]); simpl; auto.
      + constructor; [intros [E|[]]; discriminate|constructor; [intros []|constructor]].
      + intros s k' _ Lk T. destruct (lt_eq_lt_dec k' L) as [[Lt| ->]|Gt]; auto; exfalso.
        * destruct (nth_error lits k') as [l|] eqn:E; [|apply nth_error_None in E; lia].
          eapply (not_by_send h R) in T; eauto using action_2_send.
        * replace k' with (S (L + (k' - S L))) in T by lia.
          destruct (nth_error lits (k' - S L)) as [l|] eqn:E; [|apply nth_error_None in E; lia].
          eapply (not_by_send h R) in T; eauto using action_2_again. }
  assert (All1 : 4 <= done h 1).
  { eapply (takes_next h none any R NoTake 1 3 (Some 0) 0 [(0, 0); last_send]); auto.
    - now rewrite action_1.
    - intros s [<-|[<-|[]]]; (split; [unfold inside; simpl; lia|]); (split; [|auto]);
        [apply action_0_first|apply action_0_last].
    - intros _. apply (left_over h R 1 3 _ [0]); simpl; auto.
      + constructor; [intros [E|[]]; discriminate|constructor; [intros []|constructor]].
      + intros s [|[|[|k']]] _ Lk T; auto; exfalso; try lia;
          (eapply (not_by_send h R) in T; [contradiction|rewrite action_1; reflexivity|auto]). }
  (* So everything has happened. *)
  intros [i k] A. unfold inside. cbn [fst snd]. enough (k < length (tagged_share i P) <= done h i) by lia.
  split; [now apply nth_error_Some|]. destruct (action_at P (i, k)) as [a|] eqn:Ea; [|congruence].
  destruct (who_acts i k a Ea) as [Le|[(l & Il & ->)|[(x & Ix & ->)|(q & Lq & ->)]]].
  - destruct i as [|[|[|[|i]]]]; [| | | |lia].
    + rewrite share_is_0, app_length, share_0_length. simpl. lia.
    + rewrite share_is_1. exact All1.
    + rewrite share_is_2. unfold share_2. repeat (rewrite app_length || rewrite map_length || cbn [length]).
      rewrite Nat.add_1_r, !Nat.add_succ_r. exact All2.
    + rewrite share_is_3. unfold share_3. repeat (rewrite app_length || rewrite map_length || cbn [length]).
      rewrite Nat.add_succ_r. exact F3'.
  - rewrite share_is_literal by auto. unfold share_of_literal. specialize (Literals l Il).
    repeat (rewrite app_length || rewrite map_length || cbn [length]). lia.
  - rewrite share_is_variable by auto. now apply Var.
  - rewrite share_is_clause by auto. now apply Clause.
Qed.
End NeverStuck.
End Formula.

(** ** The theorem *)

(** For each formula without empty clauses: no run of the two layers gets stuck, and they stay apart exactly if the
    formula cannot be satisfied. *)
Theorem overlaps_decide_satisfiability : forall f : formula, (forall c, In c f -> c <> []) ->
  never_stuck (concat (layers_of f)) /\ (satisfiable f <-> ~ stay_apart_overlapping (layers_of f)).
Proof. intros f N. split; [now apply goes_on_to_the_end|apply interference_is_satisfiability]. Qed.
