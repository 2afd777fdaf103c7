(** * Renamings

    A row of a table stands for all programs that differ from its own in the names of processes only: its program has to
    be the least of them, and the row says how many there are.  The renamings that leave a program as it is are equally
    many for each of these programs, so their number is that of all renamings, divided by that of these. *)

From Coq Require Import List Arith Lia PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions CausalPast.

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

Lemma inserted_spec {A} (x : A) : forall l m, In m (inserted x l) <-> exists u v, l = u ++ v /\ m = u ++ x :: v.
Proof.
  induction l as [|y l IH]; intro m; simpl.
  - split; [intros [<-|[]]; exists [], []; auto|]. intros ([|? ?] & v & E & ->); [simpl in E; subst; auto|discriminate].
  - rewrite in_map_iff. split.
    + intros [<-|(m' & <- & I)]; [exists [], (y :: l); auto|]. apply IH in I as (u & v & -> & ->). exists (y :: u), v. auto.
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

(** ** Renamed programs *)

(** What a process does, as numbers: 1 and a channel for a send, 2 and a channel for a receive, 0 for the end.  Process [k]
    is called [at_ r k]. *)
Definition renamed_share (r : list nat) (k : proc) (share : list label) : list nat :=
  flat_map (fun x => match x with
                     | Snd j => [1; at_ r k; at_ r j]
                     | Rcv i => [2; at_ r i; at_ r k]
                     | Int => [3]
                     end) share ++ [0].

(** The shares of a program in the order of the new names. *)
Definition renamed (shares : list (list label)) (r : list nat) : list nat :=
  flat_map (fun name => let k := nthpos (Nat.eqb name) r 0 in renamed_share r k (nth k shares [])) (seq 0 (length shares)).

Definition shares_of (n : nat) (l : list act) : list (list label) := map (fun k => labs k l) (seq 0 n).

(** In the order of dictionaries. *)
Fixpoint is_least (a b : list nat) : bool :=
  match a, b with
  | [], _ => true
  | _, [] => false
  | x :: a', y :: b' => (x <? y) || ((x =? y) && is_least a' b')
  end.

(** The programs of a row, renamed alike. *)
Definition renamed_row (programs : list (list (list label))) (r : list nat) : list nat :=
  flat_map (fun shares => renamed shares r) programs.

Definition check_orbit (n : nat) (ls : list (list act)) (orbit : nat) : bool :=
  let programs := map (shares_of n) ls in
  let original := renamed_row programs (seq 0 n) in
  let images := map (renamed_row programs) (permutations (seq 0 n)) in
  forallb (is_least original) images &&
  (orbit * length (filter (fun image => is_least image original) images) =? length images).

(** _No renaming of an accepted row is smaller_. *)
Theorem check_orbit_correct : forall n ls orbit, check_orbit n ls orbit = true ->
  forall r, Permutation (seq 0 n) r ->
  is_least (renamed_row (map (shares_of n) ls) (seq 0 n)) (renamed_row (map (shares_of n) ls) r) = true.
Proof.
  intros n ls orbit H r P. unfold check_orbit in H. apply andb_true_iff in H as [H _]. rewrite forallb_forall in H.
  apply H, in_map, permutations_spec, P.
Qed.
