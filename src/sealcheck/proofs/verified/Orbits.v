(** * Renamings

    A row of a table stands for all programs that differ from its own in the names of processes only: its program has
    to be the least of them, and the row says how many there are.  By as many renamings as leave a program as it is,
    each of these programs is reached, so their number is that of all renamings, divided by that of these:
    [orbit_stabilizer]. *)

From Coq Require Import List Arith Lia PeanoNat Bool Permutation Factorial FinFun.
Import ListNotations.
From Sealcheck Require Import Definitions StraightLine CausalPast Decider.

(** ** All orders of a list *)

Fixpoint inserted {A} (x : A) (l : list A) : list (list A) :=
  match l with
  | [] => [[x]]
  | y :: l' => (x :: l) :: map (cons y) (inserted x l')
  end.

Fixpoint permutations {A} (l : list A) : list (list A) :=
  match l with
  | [] => [[]]
  | x :: l' => flat_map (inserted x) (permutations l')
  end.

Lemma inserted_spec {A} (x : A) : forall l m,
  In m (inserted x l) <-> exists u v, l = u ++ v /\ m = u ++ x :: v.
Proof.
  induction l as [|y l IH]; intro m; simpl.
  - split; [intros [<-|[]]; exists [], []; auto|]. intros ([|? ?] & v & E & ->);
      [simpl in E; subst; auto|discriminate].
  - rewrite in_map_iff. split.
    + intros [<-|(m' & <- & I)]; [exists [], (y :: l); auto|]. apply IH in I as (u & v & -> & ->).
      exists (y :: u), v. auto.
    + intros ([|z u] & v & E & ->); [left; simpl in E; now subst|right]. simpl in E. injection E as -> ->.
      exists (u ++ x :: v). split; auto. apply IH. eauto.
Qed.

Theorem permutations_spec {A} : forall l m : list A, In m (permutations l) <-> Permutation l m.
Proof.
  induction l as [|x l IH]; intro m; simpl.
  - split; [intros [<-|[]]; constructor|]. intro P. apply Permutation_nil in P. auto.
  - rewrite in_flat_map. split.
    + intros (k & K & I). apply IH in K. apply inserted_spec in I as (u & v & -> & ->).
      now apply Permutation_cons_app.
    + intro P. assert (I : In x m) by (apply (Permutation_in _ P); now left).
      apply in_split in I as (u & v & ->). exists (u ++ v). split; [|apply inserted_spec; eauto].
      apply IH. now apply Permutation_cons_app_inv in P.
Qed.

Lemma insertion_unique {A} (x : A) : forall u v u' v', ~ In x u -> ~ In x u' -> u ++ x :: v = u' ++ x :: v' ->
  u = u' /\ v = v'.
Proof.
  induction u as [|a u IH]; intros v [|b u'] v' N N' E; simpl in *; injection E; intros; subst; try tauto.
  destruct (IH v u' v') as [-> ->]; tauto.
Qed.

Lemma inserted_different {A} (x : A) : forall l, ~ In x l -> NoDup (inserted x l).
Proof.
  induction l as [|y l IH]; intro N; simpl; [constructor; [intros []|constructor]|]. constructor.
  - intro I. apply in_map_iff in I as (m & E & _). injection E as ->. simpl in N. tauto.
  - apply Injective_map_NoDup; [intros u v E; now injection E|]. apply IH. simpl in N. tauto.
Qed.

Lemma flat_map_different {A B} (f : A -> list B) : forall l, NoDup l -> (forall a, In a l -> NoDup (f a)) ->
  (forall a b c, In a l -> In b l -> In c (f a) -> In c (f b) -> a = b) -> NoDup (flat_map f l).
Proof.
  assert (App : forall u v : list B, NoDup u -> NoDup v -> (forall c, In c u -> ~ In c v) -> NoDup (u ++ v)).
  { induction u as [|c u IH]; intros v U V D; simpl; auto. inversion U; subst. constructor.
    - intro I. apply in_app_or in I as [I|I]; [auto|]. apply (D c); simpl; auto.
    - apply IH; auto. intros d I. apply D. now right. }
  induction l as [|a l IH]; intros N E D; simpl; [constructor|]. inversion N; subst. apply App.
  - apply E. now left.
  - apply IH; auto; intros; [apply E; now right|]. eapply D; eauto; now right.
  - intros c I J. apply in_flat_map in J as (b & B' & J). enough (a = b) by (subst; auto).
    eapply D; eauto; [now left|now right].
Qed.

Lemma permutations_different {A} : forall l : list A, NoDup l -> NoDup (permutations l).
Proof.
  induction l as [|x l IH]; intro N; simpl; [constructor; [intros []|constructor]|]. inversion N; subst.
  assert (Not : forall k, In k (permutations l) -> ~ In x k).
  { intros k K I. apply permutations_spec in K. now apply (Permutation_in _ (Permutation_sym K)) in I. }
  apply flat_map_different; auto.
  - intros k K. now apply inserted_different, Not.
  - intros a b c I J U V. apply inserted_spec in U as (u & v & -> & ->), V as (u' & v' & -> & E).
    apply Not in I, J. rewrite in_app_iff in I, J. apply insertion_unique in E as [-> ->]; tauto.
Qed.

Lemma permutations_number {A} : forall l : list A, length (permutations l) = fact (length l).
Proof.
  assert (Ins : forall (x : A) l, length (inserted x l) = S (length l)).
  { intros x. induction l as [|y l IH]; simpl; auto. now rewrite map_length, IH. }
  induction l as [|x l IH]; auto. simpl permutations. simpl length. simpl fact. rewrite <- IH.
  assert (Len : forall k, In k (permutations l) -> length k = length l).
  { intros k K. apply permutations_spec in K. symmetry. now apply Permutation_length. }
  change (length (permutations l) + length l * length (permutations l))
    with (S (length l) * length (permutations l)).
  clear IH. induction (permutations l) as [|k ks IH]; simpl; [lia|].
  rewrite app_length, Ins, (Len k) by now left.
  rewrite IH by (intros; apply Len; now right). simpl. lia.
Qed.

(** ** Renamed programs *)

(** Process [k] is called [at_ r k] now. *)
Definition renamed_label (r : list nat) (x : label) : label :=
  match x with Snd j => Snd (at_ r j) | Rcv i => Rcv (at_ r i) | Int => Int end.

Definition renamed_act (r : list nat) (a : act) : act :=
  match a with
  | ASend i j => ASend (at_ r i) (at_ r j)
  | ARecv j i => ARecv (at_ r j) (at_ r i)
  | AInt i => AInt (at_ r i)
  end.
Definition renamed (r : list nat) (l : list act) : list act := map (renamed_act r) l.

(** What each process does.  Programs in which it is the same count as one. *)
Definition shares_of (n : nat) (l : list act) : list (list label) := map (fun k => labs k l) (seq 0 n).

(** The programs of a row. *)
Definition row_of (n : nat) (ls : list (list act)) : list (list (list label)) := map (shares_of n) ls.

Section Renamings.
Variable n : nat.

Lemma renaming_length : forall r, Permutation (seq 0 n) r -> length r = n.
Proof. intros r P. apply Permutation_length in P. now rewrite seq_length in P. Qed.

Lemma renaming_below : forall r i, Permutation (seq 0 n) r -> i < n -> at_ r i < n.
Proof.
  intros r i P I. assert (X : In (at_ r i) r) by (apply nth_In; now rewrite (renaming_length r P)).
  apply (Permutation_in _ (Permutation_sym P)), in_seq in X. lia.
Qed.

Lemma renaming_injective : forall r i j, Permutation (seq 0 n) r -> i < n -> j < n ->
  at_ r i = at_ r j -> i = j.
Proof.
  intros r i j P I J. apply NoDup_nth; rewrite ?(renaming_length r P); auto.
  apply (Permutation_NoDup P), seq_NoDup.
Qed.

Definition old_name (r : list nat) (name : proc) : proc := nthpos (Nat.eqb name) r 0.

Lemma old_name_spec : forall r name, Permutation (seq 0 n) r -> name < n ->
  old_name r name < n /\ at_ r (old_name r name) = name.
Proof.
  intros r name P I. assert (X : In name r) by (apply (Permutation_in _ P), in_seq; lia).
  destruct (nthpos_spec (Nat.eqb name) r 0) as (a & N & E & _).
  { assert (Y : In name (filter (Nat.eqb name) r)) by (apply filter_In; split; auto; apply Nat.eqb_refl).
    destruct (filter (Nat.eqb name) r); [destruct Y|simpl; lia]. }
  apply Nat.eqb_eq in E. subst a. fold (old_name r name) in N. split.
  - rewrite <- (renaming_length r P). apply nth_error_Some. congruence.
  - now apply nth_error_nth.
Qed.

Lemma renamed_below : forall r l, Permutation (seq 0 n) r -> acts_below n l -> acts_below n (renamed r l).
Proof.
  intros r l P W a I. apply in_map_iff in I as (b & <- & I). apply W in I.
  destruct b; simpl in *; repeat split; try (apply renaming_below; tauto).
Qed.

Lemma renamed_labs : forall r l k, Permutation (seq 0 n) r -> acts_below n l -> k < n ->
  labs (at_ r k) (renamed r l) = map (renamed_label r) (labs k l).
Proof.
  intros r l k P W K. induction l as [|a l IH]; auto. unfold labs, proj in *. simpl.
  assert (A : actor a < n) by (specialize (W a (or_introl eq_refl)); destruct a; simpl in *; tauto).
  assert (X : actor (renamed_act r a) = at_ r (actor a)) by now destruct a.
  rewrite X. specialize (IH (fun b B => W b (or_intror B))).
  destruct (Nat.eqb_spec (at_ r (actor a)) (at_ r k)) as [E|N], (Nat.eqb_spec (actor a) k) as [F|M]; simpl;
    rewrite ?IH; auto.
  - now destruct a.
  - apply renaming_injective in E; auto. contradiction.
  - subst k. contradiction.
Qed.

Lemma same_shares : forall l m, shares_of n l = shares_of n m <-> forall k, k < n -> labs k l = labs k m.
Proof.
  intros l m. unfold shares_of. split.
  - intros E k K. apply (ext_in_map E), in_seq. lia.
  - intro H. apply map_ext_in. intros k K. apply in_seq in K. apply H. lia.
Qed.

(** Renamed programs are the same if and only if the programs are. *)
Lemma renamed_same : forall r l m, Permutation (seq 0 n) r -> acts_below n l -> acts_below n m ->
  (shares_of n (renamed r l) = shares_of n (renamed r m) <-> shares_of n l = shares_of n m).
Proof.
  intros r l m P L M. rewrite !same_shares. split; intros H k K.
  - specialize (H (at_ r k) (renaming_below r k P K)). rewrite !renamed_labs in H by auto.
    assert (Bl : forall u, acts_below n u -> forall x, In x (labs k u) ->
      match x with Snd j | Rcv j => j < n | Int => True end).
    { intros u U x X. apply In_nth_error in X as [y Y]. exact (below_peer n u k y x U Y). }
    specialize (Bl l L) as B. specialize (Bl m M) as B'. clear Bl. revert H B B'.
    generalize (labs k l) (labs k m).
    induction l0 as [|x u IH]; intros [|y v] H B B'; try discriminate; auto. simpl in H. injection H as X H.
    f_equal.
    + specialize (B x (or_introl eq_refl)). specialize (B' y (or_introl eq_refl)).
      destruct x, y; try discriminate; auto; simpl in X; injection X as X; f_equal;
        now apply (renaming_injective r).
    + apply IH; auto; intros z Z; [apply B|apply B']; now right.
  - destruct (old_name_spec r k P K) as [O <-]. rewrite !renamed_labs by auto. now rewrite H.
Qed.

(** First [s], then [t]. *)
Definition composed (t s : list nat) : list nat := map (at_ t) s.

Lemma composed_at : forall t s i, i < length s -> at_ (composed t s) i = at_ t (at_ s i).
Proof.
  intros t s i I. unfold composed, at_. rewrite nth_indep with (d' := at_ t 0) by now rewrite map_length.
  apply map_nth.
Qed.

Lemma renamed_composed : forall t s l, Permutation (seq 0 n) s -> acts_below n l ->
  renamed (composed t s) l = renamed t (renamed s l).
Proof.
  intros t s l S W. unfold renamed. rewrite map_map. apply map_ext_in. intros a A. apply W in A.
  destruct a; simpl; rewrite !composed_at; auto; rewrite (renaming_length s S); tauto.
Qed.

Lemma not_renamed : forall l, acts_below n l -> renamed (seq 0 n) l = l.
Proof.
  intros l W. rewrite <- (map_id l) at 2. apply map_ext_in. intros a A. apply W in A.
  destruct a; simpl; unfold at_; rewrite !seq_nth by tauto; reflexivity.
Qed.

Lemma composed_renaming : forall t s, Permutation (seq 0 n) t -> Permutation (seq 0 n) s ->
  Permutation (seq 0 n) (composed t s).
Proof.
  intros t s T S. apply (Permutation_map (at_ t)) in S. apply (Permutation_trans T).
  replace t with (map (at_ t) (seq 0 n)) at 1; [exact S|]. rewrite <- (renaming_length t T) at 1.
  clear. induction t as [|a t IH]; auto. simpl. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma composed_injective : forall t s s',
  Permutation (seq 0 n) t -> Permutation (seq 0 n) s -> Permutation (seq 0 n) s' ->
  composed t s = composed t s' -> s = s'.
Proof.
  intros t s s' T S S' E. apply nth_ext with (d := 0) (d' := 0); rewrite (renaming_length s S),
    ?(renaming_length s' S'); auto.
  intros i I. apply (renaming_injective t); auto; try now apply renaming_below.
  assert (E' : at_ (composed t s) i = at_ (composed t s') i) by now rewrite E.
  rewrite !composed_at in E' by now rewrite (renaming_length _ S) || rewrite (renaming_length _ S'). exact E'.
Qed.

(** ** Orbits and symmetries *)

Definition row_eq_dec : forall a b : list (list (list label)), {a = b} + {a <> b}.
Proof. repeat apply list_eq_dec. decide equality; apply Nat.eq_dec. Defined.

(** Elements fall into classes of equal size, one for each value. *)
Lemma equal_classes {A B} (dec : forall a b : B, {a = b} + {a <> b}) (f : A -> B) (size : nat) :
  forall values l, NoDup values -> (forall a, In a l -> In (f a) values) ->
  (forall v, In v values -> length (filter (fun a => if dec (f a) v then true else false) l) = size) ->
  length values * size = length l.
Proof.
  induction values as [|v values IH]; intros l N F S; simpl.
  - destruct l as [|a l]; auto. destruct (F a (or_introl eq_refl)).
  - inversion N; subst. pose (other := fun a => if dec (f a) v then false else true).
    assert (Split : length l = size + length (filter other l)).
    { rewrite <- (S v (or_introl eq_refl)). unfold other. clear. induction l as [|a l IH]; simpl; auto.
      destruct (dec (f a) v); simpl; lia. }
    rewrite Split, <- (IH (filter other l)); auto.
    + intros a I. apply filter_In in I as [I O]. apply F in I as [I|I]; auto. unfold other in O.
      destruct (dec (f a) v); [discriminate|congruence].
    + intros w I. rewrite <- (S w (or_intror I)). assert (D : w <> v) by (intros ->; contradiction).
      unfold other. clear - D.
      induction l as [|a l IH]; simpl; auto. destruct (dec (f a) v); simpl; destruct (dec (f a) w); simpl;
        congruence.
Qed.

Lemma permuted_filter {A} (f : A -> bool) : forall l m,
  Permutation l m -> length (filter f l) = length (filter f m).
Proof.
  induction 1 as [|x l m P IH|x y l|l m k P IH Q IH']; simpl; [auto| | |congruence].
  - destruct (f x); simpl; congruence.
  - destruct (f x), (f y); reflexivity.
Qed.

(** The renamings that leave the programs as they are. *)
Definition symmetries (ls : list (list act)) : list (list nat) :=
  filter (fun r => if row_eq_dec (row_of n (map (renamed r) ls)) (row_of n ls) then true else false)
    (permutations (seq 0 n)).

(** The rows that renaming leads to. *)
Definition is_orbit (ls : list (list act)) (rows : list (list (list (list label)))) :=
  NoDup rows /\
  forall row, In row rows <-> exists r, Permutation (seq 0 n) r /\ row = row_of n (map (renamed r) ls).

Lemma row_of_composed : forall ls t s,
  (forall l, In l ls -> acts_below n l) -> Permutation (seq 0 n) t -> Permutation (seq 0 n) s ->
  (row_of n (map (renamed (composed t s)) ls) = row_of n (map (renamed t) ls) <->
   row_of n (map (renamed s) ls) = row_of n ls).
Proof.
  intros ls t s W T S. unfold row_of. rewrite !map_map. induction ls as [|l ls IH]; simpl; [tauto|].
  assert (L : acts_below n l) by (apply W; now left). specialize (IH (fun m M => W m (or_intror M))).
  rewrite renamed_composed by auto.
  pose proof (renamed_same t (renamed s l) l T (renamed_below s l S L) L) as Q.
  split; intro H; injection H as H1 H2; f_equal; tauto.
Qed.

Theorem orbit_stabilizer : forall ls rows, (forall l, In l ls -> acts_below n l) -> is_orbit ls rows ->
  length rows * length (symmetries ls) = fact n.
Proof.
  intros ls rows W [N O]. rewrite <- (seq_length n 0) at 1. rewrite <- permutations_number.
  apply (equal_classes row_eq_dec (fun r => row_of n (map (renamed r) ls))); auto.
  - intros r R. apply O. exists r. split; auto. now apply permutations_spec.
  - intros row R. apply O in R as (t & T & ->).
    assert (All : Permutation (permutations (seq 0 n)) (map (composed t) (permutations (seq 0 n)))).
    { apply Permutation_sym, NoDup_Permutation_bis; [|now rewrite map_length|].
      - assert (Different : NoDup (permutations (seq 0 n))) by apply permutations_different, seq_NoDup.
        assert (In_ : forall s, In s (permutations (seq 0 n)) -> Permutation (seq 0 n) s)
          by (intros s; apply permutations_spec).
        induction Different as [|s l Not D IH]; simpl; constructor; auto using in_cons.
        intro I. apply in_map_iff in I as (s' & E & I). apply composed_injective in E;
          auto using in_eq, in_cons.
        now subst s'.
      - intros r I. apply in_map_iff in I as (s & <- & I). apply permutations_spec in I.
        apply permutations_spec.
        now apply composed_renaming. }
    rewrite (permuted_filter _ _ _ All). unfold symmetries.
    assert (In_ : forall s, In s (permutations (seq 0 n)) -> Permutation (seq 0 n) s)
      by (intros s; apply permutations_spec).
    clear All. induction (permutations (seq 0 n)) as [|s l IH]; auto. simpl.
    pose proof (row_of_composed ls t s W T (In_ s (or_introl eq_refl))) as Q.
    destruct (row_eq_dec (row_of n (map (renamed (composed t s)) ls)) (row_of n (map (renamed t) ls)))
      as [E|E],
      (row_eq_dec (row_of n (map (renamed s) ls)) (row_of n ls)) as [E'|E']; simpl; rewrite ?IH;
        auto using in_cons; tauto.
Qed.
End Renamings.

(** ** Programs as numbers *)

(** A label of process [k]: 1 and a channel for a send, 2 and a channel for a receive.  A share ends with 0. *)
Definition label_numbers (k : proc) (x : label) : list nat :=
  match x with Snd j => [1; k; j] | Rcv i => [2; i; k] | Int => [3] end.
Definition share_numbers (k : proc) (share : list label) : list nat :=
  flat_map (label_numbers k) share ++ [0].
Definition program_numbers (n : nat) (l : list act) : list nat :=
  flat_map (fun k => share_numbers k (labs k l)) (seq 0 n).
Definition row_numbers (n : nat) (ls : list (list act)) : list nat := flat_map (program_numbers n) ls.

(** In the order of dictionaries. *)
Fixpoint is_least (a b : list nat) : bool :=
  match a, b with
  | [], _ => true
  | _, [] => false
  | x :: a', y :: b' => (x <? y) || ((x =? y) && is_least a' b')
  end.

Lemma share_numbers_unique : forall k u v x y,
  share_numbers k u ++ x = share_numbers k v ++ y -> u = v /\ x = y.
Proof.
  unfold share_numbers. intros k. induction u as [|a u IH]; intros [|b v] x y E; simpl in E.
  - injection E as E. auto.
  - destruct b; discriminate.
  - destruct a; discriminate.
  - destruct a, b; simpl in E; try discriminate; injection E; intros; subst;
      match goal with H : _ = _ |- _ => apply IH in H as [-> ->]; auto end.
Qed.

Lemma program_numbers_unique : forall n l m x y, program_numbers n l ++ x = program_numbers n m ++ y ->
  shares_of n l = shares_of n m /\ x = y.
Proof.
  intros n l m. unfold program_numbers, shares_of. induction (seq 0 n) as [|k ks IH]; intros x y E;
    simpl in E |- *; auto.
  rewrite <- !app_assoc in E. apply share_numbers_unique in E as [-> E]. apply IH in E as [-> ->]. auto.
Qed.

Lemma row_numbers_unique : forall n ls ms, length ls = length ms ->
  (row_numbers n ls = row_numbers n ms <-> row_of n ls = row_of n ms).
Proof.
  intros n ls ms Len. split.
  - revert ms Len. induction ls as [|l ls IH]; intros [|m ms] Len E; try discriminate; auto. simpl in E.
    apply program_numbers_unique in E as [E1 E2]. simpl. rewrite E1. f_equal. apply IH; auto.
  - revert ms Len. induction ls as [|l ls IH]; intros [|m ms] Len E; try discriminate; auto. simpl in E |- *.
    injection E as E1 E2.
    rewrite (IH ms) by auto. f_equal. unfold program_numbers. rewrite !flat_map_concat_map. f_equal.
    apply map_ext_in.
    intros k K. apply in_seq in K. f_equal. apply (proj1 (same_shares n l m) E1). lia.
Qed.

(** ** The check *)

(** How numbers compare with others: those go on with [rest] if they begin with the same. *)
Inductive verdict := Smaller | Greater | Same (rest : list nat).

Fixpoint against (a b : list nat) : verdict :=
  match a, b with
  | [], _ => Same b
  | x :: a', y :: b' => if x =? y then against a' b' else if x <? y then Smaller else Greater
  | _ :: _, [] => Greater
  end.

(** One after the other, up to the first difference. *)
Fixpoint each_against {A} (one : A -> list nat -> verdict) (l : list A) (b : list nat) : verdict :=
  match l with
  | [] => Same b
  | x :: l' => match one x b with Same rest => each_against one l' rest | different => different end
  end.

Definition share_against (r : list nat) (name : proc) (share : list label) (b : list nat) : verdict :=
  match each_against (fun x => against (label_numbers name (renamed_label r x))) share b with
  | Same rest => against [0] rest
  | different => different
  end.

(** The shares of a program, renamed, in the order of the new names. *)
Definition program_against (n : nat) (r : list nat) (shares : list (list label)) : list nat -> verdict :=
  each_against (fun name => share_against r name (nth (old_name r name) shares [])) (seq 0 n).

Definition is_same (v : verdict) : bool := match v with Same [] => true | _ => false end.
Definition is_no_smaller (v : verdict) : bool := match v with Greater | Same [] => true | _ => false end.

Definition check_orbit (n : nat) (ls : list (list act)) (orbit : nat) : bool :=
  let row := row_of n ls in
  let original := row_numbers n ls in
  let verdicts := map (fun r => each_against (program_against n r) row original) (permutations (seq 0 n)) in
  forallb (is_below n) ls && forallb is_no_smaller verdicts &&
  (orbit * length (filter is_same verdicts) =? length verdicts).

Lemma against_app : forall a a' b, against (a ++ a') b =
  match against a b with Same rest => against a' rest | different => different end.
Proof.
  induction a as [|x a IH]; intros a' [|y b]; simpl; auto. destruct (x =? y); auto. now destruct (x <? y).
Qed.

Lemma each_against_spec {A} (one : A -> list nat -> verdict) (numbers : A -> list nat) : forall l b,
  (forall x b, In x l -> one x b = against (numbers x) b) ->
    each_against one l b = against (flat_map numbers l) b.
Proof.
  induction l as [|x l IH]; intros b H; simpl; auto. rewrite against_app, H by now left.
  destruct (against (numbers x) b); auto. apply IH. intros y c Y. apply H. now right.
Qed.

Lemma against_same : forall a b, is_same (against a b) = true <-> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try (split; [discriminate|discriminate]); try tauto.
  destruct (Nat.eqb_spec x y) as [->|N]; [rewrite IH; split; congruence|].
  destruct (x <? y); split; try discriminate; congruence.
Qed.

Lemma against_least : forall a b, is_no_smaller (against a b) = true -> is_least b a = true.
Proof.
  induction a as [|x a IH]; intros [|y b] H; simpl in *; try discriminate; auto.
  destruct (Nat.eqb_spec x y) as [->|N]; [rewrite Nat.eqb_refl, IH by auto; apply orb_true_r|].
  destruct (Nat.ltb_spec x y); [discriminate|]. apply orb_true_iff. left. apply Nat.ltb_lt. lia.
Qed.

Lemma share_against_spec : forall r name share b,
  share_against r name share b = against (share_numbers name (map (renamed_label r) share)) b.
Proof.
  intros r name share b. unfold share_against, share_numbers.
  rewrite against_app, flat_map_concat_map, map_map, <- flat_map_concat_map.
  now rewrite (each_against_spec _ (fun x => label_numbers name (renamed_label r x))).
Qed.

Lemma program_against_spec : forall n r l b, Permutation (seq 0 n) r -> acts_below n l ->
  program_against n r (shares_of n l) b = against (program_numbers n (renamed r l)) b.
Proof.
  intros n r l b P W. apply each_against_spec. intros name c N. apply in_seq in N. rewrite share_against_spec.
  destruct (old_name_spec n r name P) as [O E]; [lia|].
  replace (labs name (renamed r l)) with (map (renamed_label r) (labs (old_name r name) l))
    by (rewrite <- (renamed_labs n) by auto; now rewrite E).
  assert (X : nth_error (shares_of n l) (old_name r name) = Some (labs (old_name r name) l)).
  { apply (map_nth_error (fun k => labs k l)). rewrite nth_error_nth' with (d := 0) by now rewrite seq_length.
    now rewrite seq_nth. }
  now rewrite (nth_error_nth _ _ _ X).
Qed.

Lemma row_against_spec : forall n r ls b, Permutation (seq 0 n) r -> (forall l, In l ls -> acts_below n l) ->
  each_against (program_against n r) (row_of n ls) b = against (row_numbers n (map (renamed r) ls)) b.
Proof.
  intros n r ls b P. revert b. induction ls as [|l ls IH]; intros b W; simpl; auto.
  rewrite against_app, program_against_spec by (auto; apply W; now left).
  destruct (against (program_numbers n (renamed r l)) b); auto. apply IH. intros m M. apply W. now right.
Qed.

(** _No renaming of an accepted row is smaller, and renamings lead to as many different rows as it says_. *)
Theorem check_orbit_correct : forall n ls orbit, check_orbit n ls orbit = true ->
  (forall r, Permutation (seq 0 n) r ->
    is_least (row_numbers n ls) (row_numbers n (map (renamed r) ls)) = true) /\
  exists rows, length rows = orbit /\ is_orbit n ls rows.
Proof.
  intros n ls orbit H. unfold check_orbit in H. rewrite !andb_true_iff, !forallb_forall, map_length in H.
  destruct H as [[W Least] Size]. apply Nat.eqb_eq in Size.
  assert (W' : forall l, In l ls -> acts_below n l) by (intros l L; now apply is_below_spec, W).
  set (verdict_of := fun r => each_against (program_against n r) (row_of n ls) (row_numbers n ls)) in *.
  split.
  - intros r P. apply against_least. rewrite <- row_against_spec by auto. apply Least, (in_map verdict_of).
    now apply permutations_spec.
  - set (rows := nodup row_eq_dec (map (fun r => row_of n (map (renamed r) ls)) (permutations (seq 0 n)))).
    assert (O : is_orbit n ls rows).
    { split; [apply NoDup_nodup|]. intro row. unfold rows. rewrite nodup_In, in_map_iff.
      split; intros (r & A & B); exists r; [apply permutations_spec in B|split; [|apply permutations_spec]];
        auto. }
    exists rows. split; auto. pose proof (orbit_stabilizer n ls rows W' O) as S.
    rewrite permutations_number, seq_length, <- S in Size.
    assert (Sym : length (filter is_same (map verdict_of (permutations (seq 0 n)))) =
      length (symmetries n ls)).
    { unfold symmetries. clear Least Size S O rows.
      assert (In_ : forall s, In s (permutations (seq 0 n)) -> Permutation (seq 0 n) s)
        by (intros s; apply permutations_spec).
      induction (permutations (seq 0 n)) as [|r l IH]; auto. simpl.
      specialize (IH (fun s I => In_ s (or_intror I))).
      assert (Q : is_same (verdict_of r) = true <-> row_of n (map (renamed r) ls) = row_of n ls).
      { unfold verdict_of. rewrite row_against_spec, against_same by auto using in_eq.
        apply row_numbers_unique. apply map_length. }
      destruct (is_same (verdict_of r)), (row_eq_dec (row_of n (map (renamed r) ls)) (row_of n ls)) as [E|E];
        simpl; try lia;
        [destruct E; tauto|destruct Q as [_ Q]; discriminate (Q E)]. }
    rewrite Sym in Size. assert (length (symmetries n ls) <> 0); [|nia].
    intro Z. rewrite Z, Nat.mul_0_r in S. now apply (fact_neq_0 n).
Qed.
