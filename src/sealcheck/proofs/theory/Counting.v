(** * Lists without duplicates, and how long they are *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
Open Scope nat_scope.

Lemma NoDup_both {A} (X Y : list A) : NoDup X -> NoDup Y -> (forall v, In v X -> ~ In v Y) -> NoDup (X ++ Y).
Proof.
  induction 1 as [|x X Nx _ IH]; simpl; intros NY D; auto. constructor.
  - rewrite in_app_iff. intros [H|H]; [now apply Nx|]. apply (D x); auto.
  - apply IH; auto.
Qed.

Lemma NoDup_pairs {A B} (X : list A) (Y : list B) : NoDup X -> NoDup Y -> NoDup (list_prod X Y).
Proof.
  intros NX NY. induction NX as [|x X Nx _ IH]; simpl; [constructor|]. apply NoDup_both; auto.
  - clear - NY. induction NY as [|y Y Ny _ IH]; simpl; constructor; auto.
    rewrite in_map_iff. intros (z & E & H). now injection E as ->.
  - intros [a b] H I. apply in_map_iff in H as (y & E & _). injection E as -> _. apply in_prod_iff in I. tauto.
Qed.

Lemma filter_none {A} (l : list A) : filter (fun _ => false) l = [].
Proof. now induction l. Qed.

(** A number is in such a list once, or not at all; and what else is there. *)
Lemma occurs_once l j : NoDup l -> length (filter (fun k => k =? j) l) = if in_dec Nat.eq_dec j l then 1 else 0.
Proof.
  induction 1 as [|k l Nk _ IH]; auto. cbn [filter].
  destruct (in_dec Nat.eq_dec j l) as [I|N], (in_dec Nat.eq_dec j (k :: l)) as [I'|N'], (Nat.eqb_spec k j) as [->|D];
    simpl in *; rewrite ?IH; intuition congruence.
Qed.
Lemma all_but_one l j : NoDup l -> In j l -> S (length (filter (fun k => negb (j =? k)) l)) = length l.
Proof.
  induction 1 as [|k l Nk N IH]; simpl; [contradiction|]. intros [->|I].
  - rewrite Nat.eqb_refl. simpl. f_equal. clear N IH. induction l as [|k l IH]; simpl in *; auto.
    destruct (Nat.eqb_spec j k) as [->|D]; simpl; [tauto|]. f_equal. apply IH. tauto.
  - destruct (Nat.eqb_spec j k) as [->|D]; [contradiction|]. simpl. now rewrite IH.
Qed.
