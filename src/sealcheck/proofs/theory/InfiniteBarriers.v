(** * Which programs are barriers over all intervals

    "A program is a barrier in Rel iff each of its paths that occur has a silent cut, and what it sends and receives is
    between its first and its last one": the corollary to th:TCCbadforREL, repaired over finite intervals ([Barriers],
    [BarriersDecided]).  "If" holds over all intervals, for local states of any kind, if "between" is said of infinitely
    many silent cuts as well: each event is in one of the cuts that are passed.  "Only if" fails: a program that takes
    all processes on for ever and communicates nothing is a barrier without any silent cut ([DivergingBarrier]).
    [InfiniteBarriersDecided] has a condition that is necessary and sufficient over all intervals. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility Variables InfiniteCuts InfiniteSealAlgebra.
From Sealcheck Require Import OneSemantics Restriction.
Open Scope nat_scope.

(** ** The silent cuts that an occurrence passes *)

Section Passing.
Variables (State : Type) (at_infinity : proc -> (State -> value) -> value) (may_act : Prop).
Variables (r : run) (st : proc -> nat -> State).

(** [gpasses cuts c p d]: [p] occurs over r[c,d], and all silent cuts that it passes are among [cuts]: [goccurs], but
    for that.  There may be infinitely many. *)
Inductive gpasses (cuts : icut -> Prop) : icut -> gprog State -> icut -> Prop :=
| Pass_eps c d : iceq c d -> gpasses cuts c GEps d
| Pass_act c d i a computes next : goccurs State at_infinity may_act r st c (GAct i a computes next) d ->
    gpasses cuts c (GAct i a computes next) d
| Pass_grd c d g : goccurs State at_infinity may_act r st c (GGuard g) d -> gpasses cuts c (GGuard g) d
| Pass_chop c d : iceq c d -> cuts c -> gpasses cuts c GChop d
| Pass_lay c m d p q : gpasses cuts c p m -> gpasses cuts m q d -> gpasses cuts c (GLay p q) d
| Pass_ch1 c d p q : gpasses cuts c p d -> gpasses cuts c (GChoice p q) d
| Pass_ch2 c d p q : gpasses cuts c q d -> gpasses cuts c (GChoice p q) d
| Pass_st0 c d p : iceq c d -> gpasses cuts c (GStar p) d
| Pass_st1 c m d p : gpasses cuts c p m -> gpasses cuts m (GStar p) d -> gpasses cuts c (GStar p) d
| Pass_inf c d p s : iceq c (s 0) -> (forall k, gpasses cuts (s k) p (s (S k))) -> lub s d ->
    gpasses cuts c (GStar p) d.

(** With all silent cuts between its ends, every occurrence is one of these. *)
Definition silent_between (c d : icut) (t : icut) := isilent r t /\ icle c t /\ icle t d.
Lemma gpasses_more (cuts more : icut -> Prop) c p d : (forall t, cuts t -> more t) -> gpasses cuts c p d ->
  gpasses more c p d.
Proof.
  intros H. induction 1.
  - now apply Pass_eps.
  - now apply Pass_act.
  - now apply Pass_grd.
  - apply Pass_chop; auto.
  - eapply Pass_lay; eauto.
  - now apply Pass_ch1.
  - now apply Pass_ch2.
  - now apply Pass_st0.
  - eapply Pass_st1; eauto.
  - eapply Pass_inf; eauto.
Qed.
Lemma goccurs_passes c p d : goccurs State at_infinity may_act r st c p d -> gpasses (silent_between c d) c p d.
Proof.
  intro O. pose proof (happens_up State at_infinity may_act r st) as Up.
  assert (Part : forall a b c d p, icle a c -> icle d b -> gpasses (silent_between c d) c p d ->
    gpasses (silent_between a b) c p d).
  { intros a b c0 d0 p0 La Lb. apply gpasses_more. intros t (S & L1 & L2).
    split; [exact S|split]; eapply icle_trans; eauto. }
  induction O as [c d E|c d i a co ne M|c d g E H|c d E S|c m d p q O1 IH1 O2 IH2|c d p q O IH|c d p q O IH|c d p E
    |c m d p O1 IH1 O2 IH2|c d p s E O IH L].
  - now apply Pass_eps.
  - now apply Pass_act, G_act.
  - now apply Pass_grd, G_grd.
  - apply Pass_chop; auto. split; [auto|split; [apply icle_iceq, iceq_refl|now apply icle_iceq]].
  - apply Pass_lay with m; [apply (Part c d c m)|apply (Part c d m d)]; auto; intro i; eauto using upto_refl.
  - now apply Pass_ch1.
  - now apply Pass_ch2.
  - now apply Pass_st0.
  - apply Pass_st1 with m; [apply (Part c d c m)|apply (Part c d m d)]; auto; intro i; eauto using upto_refl.
  - apply Pass_inf with s; auto. intro k. apply (Part c d (s k) (s (S k))); auto.
    + intro i. rewrite (E i). induction k as [|k IHk]; [apply upto_refl|]. eapply upto_trans; [exact IHk|].
      eapply Up; eauto.
    + intro i. apply (L i).
Qed.

(** ** Enough *)

(** There is a silent cut before which nothing is communicated, and each event that communicates is in one. *)
Definition gclosed (c : icut) (cuts : icut -> Prop) (d : icut) :=
  (exists first, cuts first /\ forall e, ~ iinside c e -> iinside first e -> ~ comm r e) /\
  (forall e, ~ iinside c e -> iinside d e -> comm r e -> exists t, cuts t /\ iinside t e).

(** Then there is silence from the start to the end. *)
Lemma closed_ends_in_silence c (cuts : icut -> Prop) d : matching r -> (forall t, cuts t -> silent_between c d t) ->
  gclosed c cuts d -> isilent r c /\ isilent r d.
Proof.
  intros M H ((first & F & Q) & C). destruct (H first F) as (S1 & L1 & L1').
  assert (Comm : forall e i j, is_rcv r e i j -> comm r e /\ comm r (delta r e)).
  { intros e i j R. split; exists i, j; [now right|left; apply (delta_snd r M _ _ _ R)]. }
  assert (Sc : isilent r c).
  { assert (X : forall e, comm r e -> (iinside c e <-> iinside first e)).
    { intros e Ce. split; [now apply icle_inside|]. intro I. destruct (classic (iinside c e)); auto.
      exfalso. now apply (Q e). }
    intros e i j R. destruct (Comm e i j R). rewrite !X by auto. exact (S1 e i j R). }
  split; [exact Sc|].
  assert (Y : forall e, comm r e -> iinside d e -> exists t, isilent r t /\ icle t d /\ iinside t e).
  { intros e Ce I. destruct (classic (iinside c e)) as [Ic|Nc].
    - exists first. split; [auto|split; [auto|now apply (icle_inside c)]].
    - destruct (C e Nc I Ce) as (t & T & It). destruct (H t T) as (St & _ & Lt). eauto. }
  intros e i j R. destruct (Comm e i j R) as [C1 C2]. split; intro I; apply Y in I as (t & St & Lt & It); auto;
    apply (icle_inside t d); auto; now apply (St e i j R).
Qed.
End Passing.

(** "Program B is a barrier in G if cut P . B . Q  refines  P cut B cut Q, for all P, Q." *)
Definition gBarrier (State : Type) at_infinity may_act (G : run -> (proc -> nat -> State) -> Prop) (b : gprog State) :=
  forall p q, grefines State at_infinity may_act G (GLay GChop (GLay p (GLay b q)))
    (GLay p (GLay GChop (GLay b (GLay GChop q)))).

(** A program that begins and ends in silence wherever it occurs is a barrier. *)
Lemma silent_ends_barrier (State : Type) w A (G : run -> (proc -> nat -> State) -> Prop) b :
  (forall r st c d, G r st -> goccurs State w A r st c b d -> isilent r c /\ isilent r d) -> gBarrier State w A G b.
Proof.
  intros H p q r st c d g O. apply gchop_first in O as [_ O]. apply glay_iff in O as (m & OP & O).
  apply glay_iff in O as (n & OB & OQ). destruct (H r st m n g OB) as [Sm Sn].
  apply gchop_middle. exists m. split; [auto|split; [auto|]]. apply gchop_middle. eauto.
Qed.

(** _Enough over all intervals, whatever local states are_: a program is a barrier if each occurrence of it passes a
    silent cut, communicates nothing before the first one, and all that it communicates is in one of them.  ([cuts] may
    have more silent cuts than those that are passed; the hypothesis is about each choice, so about the smallest.) *)
Theorem closed_is_barrier_of_local_states : forall (State : Type) w A (G : run -> (proc -> nat -> State) -> Prop) b,
  (forall r st, G r st -> matching r) ->
  (forall r st (cuts : icut -> Prop) c d, G r st -> (forall t, cuts t -> silent_between r c d t) ->
    gpasses State w A r st cuts c b d -> gclosed r c cuts d) ->
  gBarrier State w A G b.
Proof.
  intros State w A G b GM H. apply silent_ends_barrier. intros r st c d g O.
  apply (closed_ends_in_silence r c (silent_between r c d) d); eauto. apply (H r st _ c d g); auto.
  now apply goccurs_passes.
Qed.

(** _Histories_: as [closed_is_barrier] says it over finite intervals. *)
Theorem closed_is_barrier_infinite : forall u B,
  (forall r (cuts : icut -> Prop) c d, RelNS r -> (forall t, cuts t -> silent_between r c d t) ->
    gpasses history (worth u) (acts_on u) r (past r) cuts c (of_prog B) d -> gclosed r c cuts d) ->
  iBarrier u RelNS B.
Proof.
  intros u B H p q r c d R O.
  assert (Bar : gBarrier history (worth u) (acts_on u) (fun r st => RelNS r /\ st = past r) (of_prog B)).
  { apply closed_is_barrier_of_local_states.
    - intros r0 st [[[[M _] _] _] _]. exact M.
    - intros r0 st cuts c0 d0 [R0 ->]. now apply H. }
  apply histories_are_local_states. apply histories_are_local_states in O.
  exact (Bar (of_prog p) (of_prog q) r (past r) c d (conj R eq_refl) O).
Qed.

(** ** With variables *)

Definition iVBarrier at_infinity may_act (G : vrun -> Prop) (b : vprog) := forall p q r c d, G r ->
  ivoccurs at_infinity may_act r c (VLay VChop (VLay p (VLay b q))) d ->
  ivoccurs at_infinity may_act r c (VLay p (VLay VChop (VLay b (VLay VChop q)))) d.

(** A barrier over all intervals is one over finite ones. *)
Lemma ivbarrier_vbarrier w A G b : iVBarrier w A G b -> VBarrier G b.
Proof.
  intros H p q r c d g O. apply (variables_are_local_states w A). apply (H p q r (fin c) (fin d) g).
  now apply (variables_are_local_states w A) in O.
Qed.
