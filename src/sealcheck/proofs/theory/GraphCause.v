(** * Lemma GraphCause

    "Let r be in Rel.  Let P be a BSL with program graph (V, E).  If r[c,d] |- cut P then N_E is contained in
    Lamport's causality."  And the remark after it: "(N_E)+ is the largest set of edges with this property."

    The lemma needs neither balance nor freedom from deadlock, nor that the run is reliable.  Largest-ness does need
    the first two (see [Refutations]).

    Theorems of the ledger: [graph_cause], [graph_cause_paths], [graph_cause_largest],
    [graph_cause_largest_noself]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values.
Open Scope nat_scope.

(** "Call edges not containing dummy nodes normal.  The subset of normal edges is denoted by N_E." *)
Definition normal (l : list act) (x y : event) := edge l (Ev (fst x) (snd x)) (Ev (fst y) (snd y)).

(** The event of the run that a node stands for, when the program starts at [c]. *)
Definition at_cut (c : cut) (x : event) : event := (fst x, c (fst x) + snd x).

(** An edge from the k'th send to the k'th receive: the paper's proof, by [pigeon]. *)
Lemma message_edge r c l d i j x y : matching r -> silent r c -> follows r c l d ->
  nth_error (labs i l) x = Some (Snd j) -> nth_error (labs j l) y = Some (Rcv i) ->
  length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))) ->
  causes r (i, c i + x) (j, c j + y).
Proof.
  intros W S F Hx Hy K. assert (St : standing r c l) by (intro k; apply F).
  destruct (stand_lab r c l i x _ St Hx) as [Lx Bx], (stand_lab r c l j y _ St Hy) as [Ly By].
  apply pigeon with c; auto; try lia. unfold nsnd, nrcv.
  replace (c i + x - c i) with x by lia. replace (c j + y - c j) with y by lia.
  rewrite (count_map (sndb j) (lab r i)), (count_map (rcvb i) (lab r j)).
  rewrite <- (firstn_map_seq (lab r i) (len l i) (c i) x), <- (firstn_map_seq (lab r j) (len l j) (c j) y) by lia.
  rewrite <- (St i), <- (St j). lia.
Qed.

Theorem graph_cause : forall r P l c d,
  Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->
  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).
Proof.
  intros r P l c d [W _] A O x y N. apply chop_first in O as [S O].
  pose proof (occurs_follows r P l A _ _ O) as F.
  destruct x as [i x], y as [j y]. unfold normal in N; simpl in N. inversion N; subst; unfold at_cut; simpl.
  - apply causes_order. lia.
  - eapply message_edge; eauto. exact W.
Qed.

(** "Lemma GraphCause implies that all edges in (N_E)+ will be causality edges in every run." *)
Corollary graph_cause_paths : forall r P l c d,
  Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->
  forall x y, clos_trans event (normal l) x y -> causes r (at_cut c x) (at_cut c y).
Proof.
  intros r P l c d R A O x y. induction 1; [|eapply t_trans; eauto]. eapply graph_cause; eauto.
Qed.

(** ** Largest-ness *)

(** Between events of the program, steps of the oldest-first run are normal edges. *)
Lemma fifo_step_normal l x y : balanced l -> snd y < len l (fst y) -> step (fifo l) x y ->
  normal l x y /\ snd x < len l (fst x).
Proof.
  intros B L [[F Lt]|(i & j & [F Lr] & D)].
  - destruct x as [i x], y as [j y]; simpl in *; subst j. split; [|lia]. now apply E_next.
  - destruct y as [j' y]; simpl in F; subst j'. apply fifo_lab in Lr as [Lr _]; [|discriminate].
    simpl in Lr. destruct (fifo_match l i j y B Lr) as (z & E & Hz & K). rewrite E in D; subst x.
    split; [now apply E_msg|]. simpl. eapply labs_lt; eauto.
Qed.
Lemma fifo_causes_normal l x y : balanced l -> causes (fifo l) x y -> snd y < len l (fst y) ->
  clos_trans event (normal l) x y /\ snd x < len l (fst x).
Proof.
  intros B C. induction C as [x y S|x z y C1 IH1 C2 IH2]; intro L.
  - destruct (fifo_step_normal l x y B L S). split; auto. now apply t_step.
  - destruct (IH2 L) as [N2 L2], (IH1 L2) as [N1 L1]. split; auto. eapply t_trans; eauto.
Qed.

(** "(N_E)+ is the largest set of edges with this property": what is causal in every run of P is a path of normal
    edges.  One run shows it, the oldest-first one. *)
Theorem graph_cause_largest : forall P l, acts P = Some l -> balanced l -> dead_free l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, Rel r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intros P l A B D x y L H. destruct (fifo_computed P l A B D) as (v & R & O).
  specialize (H _ (fun _ => 0) (len l) R).
  destruct x as [i x], y as [j y].
  apply (fifo_causes_normal l (i, x) (j, y) B); auto. apply H.
  apply chop_first. split; auto. apply revalue_silent, fifo_silent0.
Qed.

(** Nor is there a larger one for the runs without messages to oneself, if P sends none. *)
Theorem graph_cause_largest_noself : forall P l, acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, RelNS r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof.
  intros P l A B D N x y L H. destruct (fifo_computed P l A B D) as (v & R & O).
  specialize (H (revalue (fifo l) v) (fun _ => 0) (len l)).
  destruct x as [i x], y as [j y].
  apply (fifo_causes_normal l (i, x) (j, y) B); auto. apply H.
  - split; auto. intros e k S. apply (fifo_noself l N e k S).
  - apply chop_first. split; auto. apply revalue_silent, fifo_silent0.
Qed.
