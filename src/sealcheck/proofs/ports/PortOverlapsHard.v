(** * If receives overlap, satisfiability is a case

    Layers whose receives overlap can be as hard as satisfiability, even if no run gets stuck.  In the layers of a
    formula, each literal is a process.  Its mailbox gets two messages of process 2 and two of process 3; it receives one
    of any sender, then one of 2, one of 3, and the rest.

    If its first receive takes a message of 3, the literal is *true*: it goes on at once and tells its clauses.  Then it
    waits for the second message of 3, which is sent only after the receive of process 1, the one that the layers are
    about.  If its first receive takes a message of 2, the literal is *false*: it waits for the second message of 2, which
    is sent once each clause has been told by some literal, and then tells its variable.

    Process 0 gets through the first layer before the receive of process 1 if each clause is told in time, and each
    variable as well, by one of its two literals.  So that receive can take the message of the second layer exactly if
    the formula can be satisfied.

    The theorem is [overlaps_decide_satisfiability].  It does not belong to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortChoices PortOverlaps PortOverlapsLayers.
From Sealcheck Require Import PortOverlapsValues.
Open Scope nat_scope.

Section Formula.
Variable f : cnf.
Notation P := (concat (layers_of f)).
Notation m := (length f).
Notation n := (length (variables f)).
Notation lits := (literals f).
Notation L := (length lits).

(** The places of the actions, and what is proved of runs, for this formula. *)
Notation share_is_0 := (PortOverlapsLayers.share_is_0 f).
Notation share_is_1 := (PortOverlapsLayers.share_is_1 f).
Notation share_is_2 := (PortOverlapsLayers.share_is_2 f).
Notation share_is_3 := (PortOverlapsLayers.share_is_3 f).
Notation share_is_literal := (PortOverlapsLayers.share_is_literal f).
Notation share_is_variable := (PortOverlapsLayers.share_is_variable f).
Notation share_is_clause := (PortOverlapsLayers.share_is_clause f).
Notation action_0_first := (PortOverlapsLayers.action_0_first f).
Notation action_0_clause := (PortOverlapsLayers.action_0_clause f).
Notation action_0_go := (PortOverlapsLayers.action_0_go f).
Notation action_0_variable := (PortOverlapsLayers.action_0_variable f).
Notation share_0_length := (PortOverlapsLayers.share_0_length f).
Notation action_0_last := (PortOverlapsLayers.action_0_last f).
Notation action_2_send := (PortOverlapsLayers.action_2_send f).
Notation action_2_wait := (PortOverlapsLayers.action_2_wait f).
Notation action_2_again := (PortOverlapsLayers.action_2_again f).
Notation action_3_send := (PortOverlapsLayers.action_3_send f).
Notation action_3_wait := (PortOverlapsLayers.action_3_wait f).
Notation action_3_again := (PortOverlapsLayers.action_3_again f).
Notation action_literal_0 := (PortOverlapsLayers.action_literal_0 f).
Notation action_literal_1 := (PortOverlapsLayers.action_literal_1 f).
Notation action_literal_tells := (PortOverlapsLayers.action_literal_tells f).
Notation action_literal_rest := (PortOverlapsLayers.action_literal_rest f).
Notation action_variable := (PortOverlapsLayers.action_variable f).
Notation action_clause := (PortOverlapsLayers.action_clause f).
Notation action_1 := (PortOverlapsLayers.action_1 f).
Notation in_variables := (PortOverlapsValues.in_variables f).
Notation interference_satisfies := (PortOverlapsValues.interference_satisfies f).
Notation layer_of := (PortOverlapsValues.layer_of f).
Notation wrong_is := (PortOverlapsValues.wrong_is f).
Notation last_send := ((0, S (S (m + n))) : event).

(** ** Runs that cannot go on *)

Section Stuck.
Variables (h : list move) (stopped : proc -> Prop) (allowed : event -> event -> Prop).
Hypothesis R : overlapping_runs P h.
(** No process goes on that is not stopped, if its receives take allowed messages only. *)
Hypothesis NoSend : forall i a, ~ stopped i -> action_at P (i, done h i) = Some a -> is_tagged_receive a.
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
  rewrite As in Ab. injection Ab as <-. destruct a as [|j' from' t'|]; try contradiction.
  destruct Acc as (Er & _ & _).
  apply action_at_in in Aa as [_ Ej]. cbn [tagged_actor fst] in Ej. subst j j'. exact (F q Iq T).
Qed.

(** Processes 2 and 3 send their first messages. *)
Lemma firsts_sent i : i = 2 \/ i = 3 -> ~ stopped i -> L <= done h i.
Proof.
  intros Ei N. assert (H : forall k, k <= L -> k <= done h i); [|auto].
  induction k as [|k IH]; intro Lk; [lia|]. destruct (nth_error lits k) as [l|] eqn:E; [|apply nth_error_None in E;
    lia].
  destruct Ei as [-> | ->]; eapply sends_next; eauto using action_2_send, action_3_send; apply IH; lia.
Qed.
Lemma seconds_sent i : i = 2 \/ i = 3 -> ~ stopped i -> L < done h i -> S (L + L) <= done h i.
Proof.
  intros Ei N Lt. assert (H : forall k, k <= L -> S (L + k) <= done h i); [|auto].
  induction k as [|k IH]; intro Lk; [lia|]. destruct (nth_error lits k) as [l|] eqn:E; [|apply nth_error_None in E;
    lia].
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

Lemma not_by_send i k s a : action_at P (i, k) = Some a -> ~ is_tagged_receive a -> ~ In (Receives (i, k) s) h.
Proof.
  intros A N T. destruct (overlapping_received P h _ _ R T) as (_ & _ & b & c & B & _ & Acc).
  rewrite A in B. injection B as <-. apply N. destruct a; simpl in *; auto.
Qed.
Lemma not_by_other i k s j from t i' j' t' : action_at P (i, k) = Some (TRecv j from t) ->
  action_at P s = Some (TSend i' j' t') -> (t <> t' \/ exists q, from = Some q /\ q <> i') -> ~ In (Receives (i, k)
    s) h.
Proof.
  intros A B N T. destruct (overlapping_received P h _ _ R T) as (_ & _ & b & c & A' & B' & Acc).
  rewrite A in A'. rewrite B in B'. injection A' as <-. injection B' as <-. destruct Acc as (_ & Et & F).
  destruct N as [N|(q & -> & N)]; [congruence|]. destruct F as [F|F]; congruence.
Qed.

(** Of more messages than receives, one is left. *)
Lemma one_left_over i k ms ks : NoDup ms -> length ks < length ms ->
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
Lemma through_clauses : ~ stopped 0 -> (forall k s, allowed (0, k) s) -> (forall k, k < m -> 2 <= done h (at_clause
  k)) ->
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
    assert (As : action_at P (at_variable x, 1) = Some (TSend (at_variable x) 0 7)) by now rewrite action_variable by
      auto.
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
  intros B. assert (H : forall k h, good h -> most - length h <= k -> exists h', good h' /\ forall a, ~ good (a ::
    h')).
  { induction k as [|k IH]; intros h G Le; 
      (destruct (classic (exists a, good (a :: h))) as [[a Ga]|N]; [|exists h; split; auto; intros a Ga; apply N;
        eauto]).
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
  assert (NoSend : forall i a, ~ i = 1 -> action_at P (i, done h i) = Some a -> is_tagged_receive a).
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
    eapply (takes_next h (fun i => i = 1) chosen R NoTake (at_literal l) 0 None 3 [s]); auto using action_literal_0;
      [lia| |].
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
      + intros s' [<-|[<-|[]]]; (split; [unfold inside; simpl; lia|]); (split;
          [auto using action_2_send, action_2_again|]);
          (split; auto); intros _ l' _ E'; discriminate.
      + intros _. apply (one_left_over h R (at_literal l) 1 [(2, j); (2, S (L + j))] [0]); simpl; auto.
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
    { pose proof (overlapping_receives P h 1 last_send R) as Step. rewrite Z in Step. apply Step.
      exists (TRecv 1 (Some 0) 0), (TSend 0 1 0).
      split; auto. split; [apply action_0_last|]. split; [simpl; auto|]. split; [unfold inside; simpl; lia|].
      intros e T. destruct (overlapping_received P h _ _ R T) as (I & _ & a & b & A & B & Acc).
      rewrite action_0_last in B. injection B as <-. destruct a as [|j from t|]; try contradiction.
      destruct Acc as (<- & _). apply action_at_in in A as [_ E]. simpl in E. unfold inside in I. rewrite <- E in I.
      lia. }
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
Lemma messages_of_literals (ok : event -> Prop) ls : NoDup ls -> (forall l, In l ls -> exists j, ok (at_literal l,
  j)) ->
  exists ms, length ms = length ls /\ NoDup ms /\ forall s, In s ms -> ok s /\ exists l, In l ls /\ fst s =
    at_literal l.
Proof.
  induction 1 as [|l ls N D IH]; intro H; [exists []; split; [auto|split; [constructor|intros s []]]|].
  destruct IH as (ms & Len & Dm & M); [intros; apply H; now right|]. destruct (H l (or_introl eq_refl)) as [j J].
  exists ((at_literal l, j) :: ms). split; [simpl; auto|]. split.
  - constructor; auto. intro I. destruct (M _ I) as (_ & l' & I' & E). cbn [fst] in E.
    apply at_literal_injective in E.
    now subst l'.
  - intros s [<-|I]; [split; auto; exists l; split; [now left|reflexivity]|].
    destruct (M s I) as (O & l' & I' & E). split; auto. exists l'. split; auto. now right.
Qed.

Lemma goes_on_to_the_end : never_stuck P.
Proof.
  intros h R Max. pose (none := fun _ : proc => False). pose (any := fun _ _ : event => True).
  assert (Not : forall i, ~ none i) by (intros i []).
  assert (Any : forall e s, any e s) by exact (fun _ _ => I).
  assert (NoSend : forall i a, ~ none i -> action_at P (i, done h i) = Some a -> is_tagged_receive a).
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
    { intros q s Lq. destruct (nth_error (clauses_of f l) q) as [c|] eqn:Ec; [|apply nth_error_None in Ec;
        unfold w in Lq; lia].
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
    eapply (takes_next h none any R NoTake (at_literal l) _ None 3 [(2, j); (2, S (L + j)); (3, j); (3, S (L + j))]);
      eauto.
    - eapply (sends_next h none NoSend); eauto.
      eapply (takes_next h none any R NoTake (at_literal l) (S (S w)) (Some 3) 3 [(3, j); (3, S (L + j))]); auto.
      + now apply literal_rest.
      + apply (tells h none NoSend); auto.
        eapply (takes_next h none any R NoTake (at_literal l) 1 (Some 2) 3 [(2, j); (2, S (L + j))]);
          auto using action_literal_1.
        * eapply (takes_next h none any R NoTake (at_literal l) 0 None 3 [(2, j)]); auto using action_literal_0;
            [lia| |].
          -- intros s [<-|[]]. split; [tauto|auto].
          -- intros _. exists (2, j). split; [now left|]. intros; lia.
        * intros s [<-|[<-|[]]]; (split; [tauto|auto]).
        * intros _. apply (one_left_over h R (at_literal l) 1 _ [0]); simpl; auto. intros s k' _ Lk _. left. lia.
      + intros s [<-|[<-|[]]]; (split; [tauto|auto]).
      + intros _. apply (one_left_over h R (at_literal l) (S (S w)) _ [0]); simpl; auto. intros s k' I Lk T.
        destruct k' as [|[|q]]; [now left| |destruct (Told q s) in T; auto; lia]. exfalso.
        destruct I as [<-|[<-|[]]];
          [refine (not_by_other h R _ _ _ _ _ _ _ _ _ (action_literal_1 l Il) A3 (or_intror _) T)
          |refine (not_by_other h R _ _ _ _ _ _ _ _ _ (action_literal_1 l Il) A3' (or_intror _) T)]; now exists 2.
    - intros s [<-|[<-|[<-|[<-|[]]]]]; (split; [tauto|auto]).
    - intros _. apply (one_left_over h R (at_literal l) (S (S (S (S w)))) _ [0; 1; S (S w)]); simpl; auto.
      + assert (Far : forall x y, ~ In ((2, x) : event) [(3, y); (3, S (L + y))]) by (intros x y [E'|[E'|[]]];
          discriminate).
        inversion Once2 as [|? ? N2 _]. constructor; [intros [E'|I]; [apply N2; now left|exact (Far _ _ I)]|].
        constructor; auto.
      + intros s k' _ Lk T. destruct k' as [|[|q]]; auto. destruct (lt_eq_lt_dec q w) as [[Lq| ->]|Gq]; auto.
        * now apply Told in T.
        * assert (q = S w) by lia. subst q. eapply (not_by_send h R) in T; eauto; contradiction. }
  (* Clauses. *)
  assert (Two : forall k, k < m -> 2 <= done h (at_clause k)).
  { intros k Lk. pose proof (Clauses (nth k f []) (nth_In f [] Lk)) as Ne.
    destruct (nth k f []) as [|l c] eqn:Ec; [contradiction|].
    assert (Il : In l lits). { apply (in_variables (l :: c)); [rewrite <- Ec; now apply nth_In|now left]. }
    apply (clause_goes h none any R NoSend NoTake k l); auto; [rewrite Ec; now left|].
    specialize (Literals l Il). lia. }
  assert (Clause : forall k, k < m -> length (share_of_clause f k) <= done h (at_clause k)).
  { intros k Lk. unfold share_of_clause. cbn [length]. rewrite repeat_length.
    assert (H : forall q, q <= width (nth k f []) - 1 -> S (S q) <= done h (at_clause k)); [|auto].
    induction q as [|q IH]; intro Lq; [now apply Two|].
    destruct (messages_of_literals (fun s => inside (done h) s /\ action_at P s = Some (TSend (fst s) (at_clause k)
      4))
      (nodup literal_dec (nth k f []))) as (ms & Len & D & M); [apply NoDup_nodup| |].
    { intros l I. apply nodup_In in I. assert (Il : In l lits) by (eapply in_variables; eauto; now apply nth_In).
      destruct (clause_told k l Lk Il I) as (j & A & Lj). exists j. split; auto. specialize (Literals l Il).
      unfold inside. simpl. lia. }
    eapply (takes_next h none any R NoTake (at_clause k) (S (S q)) None 4 ms); auto.
    - rewrite action_clause by auto. unfold share_of_clause. simpl. apply nth_error_repeat. lia.
    - apply IH. lia.
    - intros s I. destruct (M s I) as [[Is As] _]. auto.
    - intros _. apply (one_left_over h R (at_clause k) (S (S q)) ms (0 :: map (fun i => S (S i)) (seq 0 q))); auto.
      + unfold width in Lq. simpl. rewrite map_length, seq_length. lia.
      + intros s [|[|k']] _ Lk' T; [now left| |].
        * eapply (not_by_send h R) in T; [contradiction|rewrite action_clause by auto; reflexivity|auto].
        * right. apply in_map_iff. exists k'. split; auto. apply in_seq. lia. }
  (* Variables. *)
  assert (Var2 : forall x, In x (variables f) -> 2 <= done h (at_variable x)).
  { intros x Ix. assert (Il : In (x, true) lits) by now apply in_literals.
    apply (variable_goes h none any R NoSend NoTake (x, true)); auto. specialize (Literals _ Il). lia. }
  assert (Var : forall x, In x (variables f) -> 3 <= done h (at_variable x)).
  { intros x Ix. assert (It : In (x, true) lits) by now apply in_literals.
    assert (If : In (x, false) lits) by now apply in_literals.
    pose proof (variable_told _ It) as At. pose proof (variable_told _ If) as Af.
    pose proof (Literals _ It) as Lt. pose proof (Literals _ If) as Lf.
    eapply (takes_next h none any R NoTake (at_variable x) 2 None 6
      [(at_literal (x, true), S (S (S (length (clauses_of f (x, true))))));
       (at_literal (x, false), S (S (S (length (clauses_of f (x, false))))))]); auto.
    - now rewrite action_variable by auto.
    - intros s [<-|[<-|[]]]; (split; [unfold inside; simpl in *; lia|]); auto.
    - intros _. apply (one_left_over h R (at_variable x) 2 _ [0]); simpl; auto.
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
    - intros s [<-|[<-|[]]]; (split; [unfold inside; simpl; lia|]); (split; [|auto]);
        [apply action_0_go|now rewrite action_1].
    - intros _. apply (one_left_over h R 2 _ _ [L]); simpl; auto.
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
    - intros _. apply (one_left_over h R 1 3 _ [0]); simpl; auto.
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
Theorem overlaps_decide_satisfiability : forall f : cnf, (forall c, In c f -> c <> []) ->
  never_stuck (concat (layers_of f)) /\ (satisfiable f <-> ~ stay_apart_overlapping (layers_of f)).
Proof. intros f N. split; [now apply goes_on_to_the_end|apply interference_is_satisfiability]. Qed.
