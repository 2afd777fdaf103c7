(** * Receives that overlap

    Two receives of one process overlap if they accept some messages in common, but not all: one names its sender, the
    other does not, and both have the same tag.  Then messages are not in ports, and counting them is not enough:
      which
    message a receive takes decides what can happen.  Here a receive takes any message that it accepts.  If no
      receives
    overlap, these are the runs of [Ports], over ports without order ([no_overlap_runs]).

    If some run makes a receive take a message of another layer, that run is no longer than the program
    ([short_overlapping_runs_refute]).  [PortOverlapsHard] has the converse: satisfiability is a case.  None of the
    theorems belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms.
From Sealcheck Require PortChoices.
Open Scope nat_scope.

(** ** Runs *)

(** The action of an event. *)
Definition action_at (l : list tagged_act) (e : event) := nth_error (tagged_share (fst e) l) (snd e).

(** A receive can take each message that it accepts, and that was sent and not yet taken. *)
Definition can_take (l : list tagged_act) (h : list move) (e s : event) := exists a b,
  action_at l e = Some a /\ action_at l s = Some b /\ accepts a b /\ inside (done h) s /\ forall e', ~ In (Receives
    e' s) h.

Definition is_tagged_receive (a : tagged_act) := match a with TRecv _ _ _ => True | _ => False end.

(** Runs are lists of moves, the newest first. *)
Inductive overlapping_runs (l : list tagged_act) : list move -> Prop :=
| overlapping_starts : overlapping_runs l []
| overlapping_does h i a : overlapping_runs l h -> action_at l (i, done h i) = Some a -> ~ is_tagged_receive a ->
    overlapping_runs l (Does (i, done h i) :: h)
| overlapping_receives h i s : overlapping_runs l h -> can_take l h (i, done h i) s ->
    overlapping_runs l (Receives (i, done h i) s :: h).

(** All receives take messages of their own layer, in each run. *)
Definition stay_apart_overlapping (ls : list (list tagged_act)) := forall h,
  overlapping_runs (concat ls) h -> own_layers (layer_in ls) h.

(** Each run goes on until all events have happened. *)
Definition never_stuck (l : list tagged_act) := forall h, overlapping_runs l h ->
  (forall m, ~ overlapping_runs l (m :: h)) -> forall e, action_at l e <> None -> inside (done h) e.

(** ** Without overlaps *)

Lemma action_of l e : action (program_of l) e = option_map (on_port l) (action_at l e).
Proof. reflexivity. Qed.

Lemma action_at_in l e a : action_at l e = Some a -> In a l /\ tagged_actor a = fst e.
Proof. intro A. apply nth_error_In, filter_In in A as [I A]. now apply Nat.eqb_eq in A. Qed.

Lemma can_take_in_port l h e s : no_overlap l ->
  can_take l h e s <-> exists p, action (program_of l) e = Some (Take p) /\ in_port (program_of l) h p s.
Proof.
  intro No. unfold can_take, in_port. rewrite !action_of. split.
  - intros (a & b & A & B & Acc & I & N). rewrite A, B. simpl. destruct a as [|j from t|]; try contradiction.
    destruct b as [i j' t'| |]; try contradiction. destruct (action_at_in l e _ A) as [Ia _].
    exists (j, from, t). repeat split; auto. f_equal. apply (accepts_iff_same_port l No); auto.
  - intros (p & A & B & I & N). destruct (action_at l e) as [[|j from t|]|] eqn:Ea; try discriminate.
    destruct (action_at l s) as [[i j' t'| |]|] eqn:Eb; try discriminate. simpl in A, B.
    injection A as <-. exists (TRecv j from t), (TSend i j' t'). split; auto. split; auto. split; auto.
    apply (accepts_iff_same_port l No); [now apply action_at_in in Ea as [? _]|]. unfold on_port. congruence.
Qed.

(** If no receives overlap, the runs are those over ports. *)
Theorem no_overlap_runs : forall l, no_overlap l -> forall h,
  overlapping_runs l h <-> runs (program_of l) (fun _ => False) h.
Proof.
  intros l No h. split.
  - induction 1 as [|h i a R IH A N|h i s R IH C]; [constructor| |].
    + apply run_does with (on_port l a); auto; [rewrite action_of; now rewrite A|].
      intros p E. destruct a; try discriminate. now apply N.
    + apply (can_take_in_port l h _ s No) in C as (p & A & I). eapply run_receives; eauto. intros [].
  - induction 1 as [|h i a R IH A N|h i p s R IH A I _]; [constructor| |].
    + rewrite action_of in A. destruct (action_at l (i, done h i)) as [b|] eqn:B; [|discriminate].
      apply overlapping_does with b; auto. intro Rb. destruct b; try contradiction. simpl in A. injection A as <-.
      eapply N. reflexivity.
    + apply overlapping_receives; auto. apply can_take_in_port; eauto.
Qed.

(** ** Lemmas on runs *)

Section Runs.
Variable l : list tagged_act.

Lemma overlapping_cons m h : overlapping_runs l (m :: h) -> overlapping_runs l h /\
  event_of m = (fst (event_of m), done h (fst (event_of m))) /\ exists a, action_at l (event_of m) = Some a.
Proof.
  intro R. inversion R as [|h' i a R' A|h' i s R' (a & b & A & _)]; subst; simpl; repeat split; eauto.
Qed.

Lemma overlapping_app h2 h1 : overlapping_runs l (h2 ++ h1) -> overlapping_runs l h1.
Proof. induction h2 as [|m h2 IH]; simpl; auto. intro R. apply IH. now apply overlapping_cons in R. Qed.

Lemma done_next m h k : done (m :: h) k = if fst (event_of m) =? k then S (done h k) else done h k.
Proof. unfold done. simpl. now destruct (fst (event_of m) =? k). Qed.

Lemma overlapping_inside h : overlapping_runs l h -> forall e, happens e h <-> inside (done h) e.
Proof.
  induction h as [|m h IH]; intros R e; [split; [intros []|unfold inside, done; simpl; lia]|].
  destruct (overlapping_cons m h R) as (R' & M & _).
  rewrite (inside_ceq _ _ _ (done_bump m h)), inside_bump, <- M. unfold happens in *. simpl. rewrite (IH R' e).
  intuition.
Qed.

Lemma done_app h2 h1 k : done (h2 ++ h1) k = done h2 k + done h1 k.
Proof. unfold done. now rewrite filter_app, app_length. Qed.

(** Only events of the program happen. *)
Lemma inside_action h e : overlapping_runs l h -> inside (done h) e -> exists a, action_at l e = Some a.
Proof.
  intros R I. apply (overlapping_inside h R) in I. unfold happens in I. apply in_map_iff in I as (m & <- & I).
  apply in_split in I as (h2 & h1 & ->). apply overlapping_app in R. now apply overlapping_cons in R as (_ & _ & A).
Qed.

(** What a receive took was sent, and is accepted. *)
Lemma overlapping_received h e s : overlapping_runs l h -> In (Receives e s) h ->
  inside (done h) e /\ inside (done h) s /\ exists a b, action_at l e = Some a /\ action_at l s = Some b /\ accepts a
    b.
Proof.
  intros R I. split; [apply (overlapping_inside h R); apply in_map_iff; now exists (Receives e s)|].
  apply in_split in I as (h2 & h1 & ->). apply overlapping_app in R.
  inversion R as [| |h i s' R' (a & b & A & B & C & I & _)]; subst. split; [|eauto].
  unfold inside in *. rewrite done_app, done_next. simpl. destruct (i =? fst s); lia.
Qed.

(** A receive that happened took a message. *)
Lemma overlapping_took h e a : overlapping_runs l h -> inside (done h) e -> action_at l e = Some a ->
  is_tagged_receive a -> exists s, In (Receives e s) h.
Proof.
  intros R I A Ra. apply (overlapping_inside h R) in I. unfold happens in I. apply in_map_iff in I as (m & E & I).
  destruct m as [e'|e' s]; simpl in E; subst e'; [|eauto]. exfalso.
  apply in_split in I as (h2 & h1 & ->). apply overlapping_app in R. inversion R as [|h i b R' B N|]; subst.
  congruence.
Qed.

(** No message is taken twice, and no receive takes two. *)
Lemma overlapping_once h : overlapping_runs l h -> forall e e' s s', In (Receives e s) h -> In (Receives e' s') h ->
  e = e' <-> s = s'.
Proof.
  induction 1 as [|h i a R IH A N|h i s0 R IH C]; intros e e' s s'.
  - intros [].
  - intros [E|I] [E'|I']; try discriminate. now apply IH.
  - assert (New : forall x y, In (Receives x y) h -> x <> (i, done h i) /\ y <> s0).
    { intros x y J. split.
      - intros ->. destruct (overlapping_received h _ _ R J) as (L & _). unfold inside in L. simpl in L. lia.
      - intros ->. destruct C as (_ & _ & _ & _ & _ & _ & C). now apply (C x). }
    intros [E|I] [E'|I'].
    + injection E as <- <-. injection E' as <- <-. tauto.
    + injection E as <- <-. destruct (New _ _ I'). split; congruence.
    + injection E' as <- <-. destruct (New _ _ I). split; congruence.
    + now apply IH.
Qed.

Lemma overlapping_events h : overlapping_runs l h ->
  NoDup (map event_of h) /\ incl (map event_of h) (events (program_over l l)).
Proof.
  induction h as [|m h IH]; intro R; [split; [constructor|intros x []]|].
  destruct (overlapping_cons m h R) as (R' & M & a & A). destruct (IH R') as [N I]. split.
  - simpl. constructor; auto. intro J. apply (overlapping_inside h R') in J. rewrite M in J. unfold inside in J.
    simpl in J. lia.
  - intros x [<-|J]; [|now apply I]. apply all_events. change (action (program_of l) (event_of m) <> None).
    rewrite action_of, A. discriminate.
Qed.

Lemma overlapping_length h : overlapping_runs l h -> length h <= length l.
Proof.
  intro R. destruct (overlapping_events h R) as [N I]. rewrite <- (map_length event_of h).
  now apply (PortChoices.at_most_actions l).
Qed.
End Runs.

(** So if the layers do not stay apart, a run that is no longer than they are shows it. *)
Theorem short_overlapping_runs_refute : forall ls, ~ stay_apart_overlapping ls <-> exists h,
  overlapping_runs (concat ls) h /\ ~ own_layers (layer_in ls) h /\ length h <= length (concat ls).
Proof.
  intro ls. split.
  - intro N. unfold stay_apart_overlapping in N. apply not_all_ex_not in N as [h N]. apply imply_to_and in N as [R N].
    exists h. auto using overlapping_length.
  - intros (h & R & N & _) A. exact (N (A h R)).
Qed.
