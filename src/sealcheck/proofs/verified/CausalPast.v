(** * Cuts as lists, and the messages of a program

    At each process, the past of an event is a beginning of the process's share.  So it is a cut, and a cut is kept here
    as a list of numbers, one for each process.  Pasts are computed in [Clocks]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine.
Open Scope nat_scope.

(** ** Cuts as lists *)

(** How far process [i] is; a process that the list does not have has done nothing. *)
Definition at_ (v : list nat) : cut := fun i => nth i v 0.

(** The cut [v], but process [i] has done at least [k] events. *)
Fixpoint raise (v : list nat) (i k : nat) : list nat :=
  match v, i with
  | [], _ => []
  | a :: w, 0 => Nat.max a k :: w
  | a :: w, S i' => a :: raise w i' k
  end.

Lemma raise_at : forall v i k p, i < length v ->
  at_ (raise v i k) p = if p =? i then Nat.max (at_ v i) k else at_ v p.
Proof.
  unfold at_. induction v as [|a v IH]; intros i k p L; simpl in L; [lia|].
  destruct i as [|i], p as [|p]; simpl; auto. apply IH. lia.
Qed.

Lemma raise_length : forall v i k, length (raise v i k) = length v.
Proof. induction v as [|a v IH]; intros [|i] k; simpl; auto. Qed.

(** Raising never takes anything away, whether the list has the process or not. *)
Lemma raise_le : forall v i k p, at_ v p <= at_ (raise v i k) p.
Proof.
  unfold at_. induction v as [|a v IH]; intros i k p; simpl; auto.
  destruct i as [|i], p as [|p]; simpl; auto. lia.
Qed.

Lemma at_zeros : forall n p, at_ (repeat 0 n) p = 0.
Proof. unfold at_. induction n; destruct p; simpl; auto. Qed.

(** ** The messages of a program, oldest first *)

(** A send and the receive that the program graph joins it to. *)
Definition link := (event * event)%type.

(** The message edges of the graph of [l] into process [j]. *)
Definition links_to (l : list act) (j : proc) : list link :=
  let s := labs j l in
  flat_map (fun y => match nth_error s y with
                     | Some (Rcv i) => [(delta (fifo l) (j, y), (j, y))]
                     | _ => []
                     end) (seq 0 (length s)).

Definition links (n : nat) (l : list act) : list link := flat_map (links_to l) (seq 0 n).

Lemma links_spec : forall n l x y, In (x, y) (links n l) <->
  fst y < n /\ delta (fifo l) y = x /\ exists i, nth_error (labs (fst y) l) (snd y) = Some (Rcv i).
Proof.
  intros n l x [j y]. unfold links, links_to. rewrite in_flat_map. split.
  - intros (j' & J & H). apply in_seq in J. apply in_flat_map in H as (y' & Y & H).
    destruct (nth_error (labs j' l) y') as [[k|i|]|] eqn:E; simpl in H; try tauto.
    destruct H as [H|[]]. injection H as <- <- <-. cbn [fst snd]. split; [lia|split; eauto].
  - intros (J & D & i & E). cbn [fst snd] in *. exists j. split; [apply in_seq; lia|].
    apply in_flat_map. exists y. split; [|rewrite E; left; congruence].
    apply in_seq. split; [lia|]. apply nth_error_Some. congruence.
Qed.

(** Everything happens between the processes below [n]. *)
Definition acts_below (n : nat) (l : list act) := forall a, In a l ->
  match a with ASend i j | ARecv j i => i < n /\ j < n | AInt i => i < n end.

(** Then only these do anything. *)
Lemma below_labs : forall n l i y a, acts_below n l -> nth_error (labs i l) y = Some a -> i < n.
Proof.
  intros n l i y a W H. apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (b & _ & H).
  apply filter_In in H as [H E]. apply Nat.eqb_eq in E. specialize (W b H). destruct b; simpl in *; lia.
Qed.

Lemma below_peer : forall n l i y a, acts_below n l -> nth_error (labs i l) y = Some a ->
  match a with Snd j | Rcv j => j < n | Int => True end.
Proof.
  intros n l i y a W H. apply nth_error_In in H. unfold labs in H. apply in_map_iff in H as (b & <- & H).
  apply filter_In in H as [H E]. specialize (W b H). destruct b; simpl in *; tauto.
Qed.

(** A step of the graph is a step along a process, or one of its messages. *)
Lemma step_links : forall n l x y, acts_below n l -> step (fifo l) x y ->
  (fst x = fst y /\ snd x < snd y) \/ In (x, y) (links n l).
Proof.
  intros n l x [j y] W [S|(i & j' & [F L] & D)]; [auto|right]. simpl in F; subst j'.
  apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
  apply links_spec. cbn [fst snd]. eauto using below_labs.
Qed.

Lemma link_step : forall n l x y, In (x, y) (links n l) -> step (fifo l) x y.
Proof.
  intros n l x [j y] M. apply links_spec in M as (J & D & i & E). cbn [fst snd] in *. right.
  exists i, j. split; auto. split; auto. simpl. now rewrite E.
Qed.

(** Both ends of a message are events of the program. *)
Lemma link_send : forall n l x y, balanced l -> acts_below n l -> In (x, y) (links n l) ->
  fst x < n /\ snd x < len l (fst x) /\ nth_error (labs (fst x) l) (snd x) = Some (Snd (fst y)).
Proof.
  intros n l x [j y] B W M. apply links_spec in M as (J & D & i & E). cbn [fst snd] in *.
  destruct (fifo_match l i j y B E) as (z & D' & H & _). rewrite D' in D. subst x. cbn [fst snd].
  repeat split; auto. { eauto using below_labs. } rewrite <- len_labs. apply nth_error_Some. congruence.
Qed.
