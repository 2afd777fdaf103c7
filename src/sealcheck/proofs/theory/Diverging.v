(** * Loops that do not end

    Of intervals that may be infinite: whatever the paper leaves open there.

    "The program Q = while true do (x1 := 5 . x2 := 17) od is TCC in RelFi, a CCL in Rel, and seals any program in Rel.
    For it necessarily diverges, that is, it occurs only over intervals r[c,d] with non-finite d" (section 3, "Proper
    Seals").  And "a program of the form while true do mt i->j . mt j->i od can serve to transmit a sequence of values
    from i to j in Rel" (section 5).  Neither loop occurs over any interval, finite or not: as the footnote has it, its
    last layer is the guard [not true].

    "If both S and S' seal P in G then S + S' (properly) seals P in G" (l:seal.algebra, 2), with the word in brackets:
    only if both do so properly.

    Theorems of the ledger: [diverging_seals_as_printed_fails], [diverging_seals], [while_exchange_as_printed_fails],
    [while_exchange], [seal_algebra_2_properly_as_printed_fails], [seal_algebra_2_properly]. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Prefix SealAlgebra Unbalanced NoBarrier.
From Sealcheck Require Import Transmissions ExamplesRuns InfiniteCuts.
Open Scope nat_scope.

(** ** While *)

(** "while phi do P od for ([phi] . P)* . [not phi]" *)
Definition while (g : formula) (p : prog) := Lay (Star (Lay (Guard g) p)) (Guard (Not g)).
Definition truth : formula := Equal 0 zero 0 zero.

(** [not true] holds at no cut, so what ends with it occurs over no interval, ... *)
Lemma ends_with_not_true u r c p d : ~ ioccurs u r c (Lay p (Guard (Not truth))) d.
Proof.
  intro O. inversion O as [| | | | | |? ? ? ? ? _ G| | | | |]; subst.
  inversion G as [| | | |? ? ? _ H| | | | | | |]; subst. now apply H.
Qed.
(** ... and so does what has that in it. *)
Definition impossible u Q := forall r c d, ~ ioccurs u r c Q d.
Lemma lay_right u p q : impossible u q -> impossible u (Lay p q).
Proof. intros N r c d O. inversion O; subst. eapply N; eauto. Qed.
Lemma lay_left u p q : impossible u p -> impossible u (Lay p q).
Proof. intros N r c d O. inversion O; subst. eapply N; eauto. Qed.
Lemma refines_anything u G p q : impossible u p -> irefines u G p q.
Proof. intros N r c d _ O. destruct (N r c d O). Qed.

(** ** while true do (x1 := 5 . x2 := 17) od *)

Definition assigning : prog := while truth (Lay (Assign 1 (const 5%Z)) (Assign 2 (const 17%Z))).

(** _It occurs, though only over infinite intervals_, as printed: no, over none at all. *)
Theorem diverging_seals_as_printed_fails : forall u, ~ exists r c d, Rel r /\ ioccurs u r c assigning d.
Proof. intros u (r & c & d & _ & O). now apply ends_with_not_true in O. Qed.

(** _It occurs over no interval, and for that reason it is TCC in RelFi, a CCL in Rel, and seals every program in
    Rel_. *)
Theorem diverging_seals : forall u,
  (forall r c d, ~ ioccurs u r c assigning d) /\
  iTCC u RelFi assigning /\ (forall P Q, iCCL u Rel P assigning Q) /\ (forall P, iSeals u Rel assigning P).
Proof.
  intro u. assert (N : impossible u assigning) by (intros r c d; apply ends_with_not_true).
  split; [exact N|split; [|split]]; intros; apply refines_anything.
  - now apply lay_right.
  - now apply lay_right, lay_right, lay_left.
  - now apply lay_right, lay_right.
Qed.

(** ** while true do mt i->j . mt j->i od *)

Definition exchanges (i j : proc) (e f : expr) : prog := Lay (mt i j e) (mt j i f).

(** _It occurs, and transmits a sequence of values from i to j in Rel_, as printed: it does not occur. *)
Theorem while_exchange_as_printed_fails : forall u i j e f,
  ~ exists r c d, Rel r /\ ioccurs u r c (while truth (exchanges i j e f)) d.
Proof. intros u i j e f (r & c & d & _ & O). now apply ends_with_not_true in O. Qed.

(** What seals itself keeps its messages in their iteration, but for the last one. *)
Lemma iterations_in_order G B : Seals G B B -> refines G (Lay Chop (Lay (Star B) B)) (Lay (Star (Lay B Chop)) B).
Proof.
  intros H. rewrite seals_iff in H.
  assert (X : forall r, G r -> forall k c m d, silent r c -> iterates r B k c m -> occurs r m B d ->
    exists m', occurs r c (Star (Lay B Chop)) m' /\ occurs r m' B d).
  { intros r g. induction k as [|k IH]; intros c m d Sc It O; inversion It as [? ? E|? ? a ? O1 It1]; subst.
    - exists m. split; [now apply O_st0|auto].
    - assert (Next : exists b, occurs r a B b /\ (b = d /\ k = 0 \/ exists k', k = S k' /\ iterates r B k' b m)).
      { inversion It1 as [? ? E|k' ? b ? O2 It2]; subst; [exists d|exists b; eauto 6].
        split; [apply (occurs_ceq r m B d O); auto using ceq_refl, ceq_sym|auto]. }
      destruct Next as (b & O2 & Rest). destruct (H r c b g Sc) as (m1 & A & S1 & C); [apply lay_iff; eauto|].
      assert (First : forall t, occurs r m1 (Star (Lay B Chop)) t -> occurs r c (Star (Lay B Chop)) t).
      { intros t T. eapply O_st1; [apply chop_last; split; [exact A|exact S1]|exact T]. }
      destruct Rest as [[-> ->]|(k' & -> & It2)].
      + exists m1. split; [apply First, O_st0, ceq_refl|auto].
      + destruct (IH m1 m d S1) as (m' & A' & C'); [econstructor; eauto|auto|]. eauto. }
  intros r c d g O. apply chop_first in O as [Sc O]. apply lay_iff in O as (m & O1 & O2).
  apply star_iterates in O1 as [k It]. apply lay_iff. eapply X; eauto.
Qed.

(** A program so many times. *)
Fixpoint times (k : nat) (p : prog) : prog := match k with 0 => Eps | S k => Lay p (times k p) end.
Lemma times_iterates r p k c d : occurs r c (times k p) d -> iterates r p k c d.
Proof.
  revert c. induction k as [|k IH]; intros c O; simpl in O; [inversion O; subst; now constructor|].
  apply lay_iff in O as (m & O1 & O2). econstructor; eauto.
Qed.

(** _(mt i->j . mt j->i)* transmits a sequence of values from i to j in Rel_: after a silent cut it occurs, as often as
    one likes, and what is sent in an iteration but the last is received in it.  That is because mt i->j . mt j->i seals itself. *)
Theorem while_exchange : forall i j e f, i <> j ->
  (forall k, exists r c m d, RelNS r /\ silent r c /\
    iterates r (exchanges i j e f) k c m /\ occurs r m (exchanges i j e f) d) /\
  refines Rel (Lay Chop (Lay (Star (exchanges i j e f)) (exchanges i j e f)))
              (Lay (Star (Lay (exchanges i j e f) Chop)) (exchanges i j e f)).
Proof.
  intros i j e f N. split; [|apply iterations_in_order, mt_ack_self_seals].
  intro k. set (B := exchanges i j e f).
  assert (X : forall k, exists l, acts (times k B) = Some l /\ balanced l /\ nofself l /\ dead_free l).
  { induction k0 as [|k0 (l & HP & Bl & Nl & Dl)].
    - exists []. split; [reflexivity|split; [intros a b; reflexivity|split; [intros a []|apply nothing_dead_free]]].
    - exists (exchange_of i j ++ l).
      split; [simpl; now rewrite HP|split; [|split]]; auto using balanced_app, exchange_balanced.
      + intros a I. rewrite labs_app in I. apply in_app_or in I as [I|I]; [|now apply (Nl a)].
        now apply (exchange_nofself i j N a).
      + apply dead_free_app; auto using exchange_balanced, exchange_dead_free. }
  destruct (X k) as (l & HP & Bl & Nl & Dl).
  assert (HB : acts (Lay (times k B) B) = Some (l ++ exchange_of i j)) by (simpl; now rewrite HP).
  destruct (straight_line_occurs _ _ HB) as (r & R & E & O & _).
  - intros a I. rewrite labs_app in I. apply in_app_or in I as [I|I]; [now apply (Nl a)|].
    now apply (exchange_nofself i j N a).
  - apply dead_free_app; auto using exchange_balanced, exchange_dead_free.
  - apply lay_iff in O as (m & O1 & O2). exists r, (fun _ => 0), m, (len (l ++ exchange_of i j)).
    split; [exact R|split; [|split; [now apply times_iterates|exact O2]]].
    intros x a b _. unfold inside. split; lia.
Qed.

(** That takes two processes: no run in which none sends to itself has a message from i to i. *)
Theorem while_exchange_needs_two_processes : ~ forall i j e f k, exists r c m d, RelNS r /\ silent r c /\
  iterates r (exchanges i j e f) k c m /\ occurs r m (exchanges i j e f) d.
Proof.
  intro H. destruct (H 1 1 zero zero 0) as (r & c & m & d & R & _ & _ & O).
  apply lay_iff in O as (t & O & _). now apply never_to_itself in O.
Qed.

(** ** Proper seals *)

(** A process that assigns for ever diverges. *)
Lemma assigns_forever u : exists d, ~ finite d /\ ioccurs u lost (fin (fun _ => 0)) (Star (Assign 2 zero)) d.
Proof.
  exists (fun i => if i =? 2 then None else Some 0). split; [intro F; now apply (F 2)|].
  apply I_inf with (s := fun k i => if i =? 2 then Some k else Some 0).
  - intro i. unfold fin. now destruct (i =? 2).
  - intro k. apply I_asg. unfold makes_step. simpl. split; [auto|]. intro i. destruct (i =? 2) eqn:E; auto.
  - intro i. destruct (i =? 2); split; simpl; auto.
    + intros [b|] H; simpl; auto. specialize (H (S b)). simpl in H. lia.
    + intros b H. apply (H 0).
Qed.
(** Everything seals the empty program. *)
Lemma eps_is_sealed u G S : iSeals u G S Eps.
Proof.
  intros r c d _ O. inversion O as [| | | | | |? a ? ? ? O1 O2| | | | |]; subst.
  inversion O2 as [| | | | | |? b ? ? ? O3 O4| | | | |]; subst.
  inversion O1 as [| | | | |? ? E Sc| | | | | |]; subst. inversion O3 as [? ? E'| | | | | | | | | | |]; subst.
  apply I_lay with c; [now apply I_eps|]. apply I_lay with b; auto. apply I_chop; auto.
  intro i. now rewrite (E i).
Qed.

(** _If Q and R seal P, then Q + R properly seals P_, as printed: no.  Eps and (2.x := 0)* seal eps, and their choice
    may go on for ever. *)
Theorem seal_algebra_2_properly_as_printed_fails : forall u,
  ~ forall S S' P, iSeals u Rel S P -> iSeals u Rel S' P -> properly_seals u Rel (Choice S S') P.
Proof.
  intros u H. destruct (H Eps (Star (Assign 2 zero)) Eps) as [_ N]; auto using eps_is_sealed.
  destruct (assigns_forever u) as (d & F & O). apply F.
  assert (Sc : isilent lost (fin (fun _ => 0))) by (apply isilent_fin, lost_silent).
  apply (N lost (fin (fun _ => 0)) (fin (fun _ => 0)) d).
  - apply lost_run.
  - eapply I_lay; [apply I_chop; [|exact Sc]|apply I_eps]; intro; reflexivity.
  - eapply I_lay; [apply I_chop; [|exact Sc]|apply I_ch2; exact O]. intro; reflexivity.
  - intros i E. discriminate.
Qed.

(** _If Q and R seal P, then Q + R seals P, and properly exactly if both Q and R do_. *)
Theorem seal_algebra_2_properly : forall u G S S' P, iSeals u G S P -> iSeals u G S' P ->
  iSeals u G (Choice S S') P /\
  (properly_seals u G (Choice S S') P <-> properly_seals u G S P /\ properly_seals u G S' P).
Proof.
  intros u G S S' P H H'.
  assert (Both : iSeals u G (Choice S S') P).
  { intros r c d g O. inversion O as [| | | | | |? a ? ? ? O1 O2| | | | |]; subst.
    inversion O2 as [| | | | | |? b ? ? ? O3 O4| | | | |]; subst.
    assert (X : forall T, iSeals u G T P -> ioccurs u r b T d -> ioccurs u r c (Lay P (Lay Chop T)) d).
    { intros T HT OT. apply HT; [exact g|]. eapply I_lay; [exact O1|]. eapply I_lay; eauto. }
    assert (Y : forall T, ioccurs u r c (Lay P (Lay Chop T)) d -> (forall x, ioccurs u r x T d ->
      ioccurs u r x (Choice S S') d) -> ioccurs u r c (Lay P (Lay Chop (Choice S S'))) d).
    { intros T OT W. inversion OT as [| | | | | |? x ? ? ? A B| | | | |]; subst.
      inversion B as [| | | | | |? y ? ? ? C D| | | | |]; subst. eapply I_lay; [exact A|]. eapply I_lay; eauto. }
    inversion O4; subst; [apply (Y S)|apply (Y S')]; eauto using I_ch1, I_ch2. }
  assert (Each : never_diverges_after u G (Choice S S') P <->
    never_diverges_after u G S P /\ never_diverges_after u G S' P).
  { assert (Z : forall r d d' T, ioccurs u r d (Lay Chop T) d' -> (forall x, ioccurs u r x T d' ->
      ioccurs u r x (Choice S S') d') -> ioccurs u r d (Lay Chop (Choice S S')) d').
    { intros r d d' T OT W. inversion OT; subst. eapply I_lay; eauto. }
    split; [intro N; split|intros [N N']]; intros r c d d' g A O F.
    - eapply N; eauto using I_ch1.
    - eapply N; eauto using I_ch2.
    - inversion O as [| | | | | |? a ? ? ? O1 O2| | | | |]; subst.
      inversion O2; subst; [apply (N r c d d')|apply (N' r c d d')]; auto; eapply I_lay; eauto. }
  split; [exact Both|]. unfold properly_seals. tauto.
Qed.
