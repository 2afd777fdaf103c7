(** * Protocols with choices that cannot be skipped: satisfiability is a case

    A protocol may be a sequence of choices between layers.  If choices cannot be skipped, deciding whether the
      layers of
    all its words stay apart is as hard as satisfiability.  A formula's protocol is [ask; choices; clauses; ask], over
    bags of one sender.  Layer [ask] is a message s->r.  Hold r at its receive in the first [ask].  For each literal
      of a
    clause, the protocol chooses between two layers: r sends to the literal's process or to its negation's, which
      waits
    from then on, so at most one of the two goes on.  For each clause it chooses a literal, whose process sends to s.
    So
    s sends in the second [ask], and r can take that message in the first one, exactly if the chosen literals of all
    clauses can be true together.

    The protocol has 4 + 6k events for a formula with k literals ([protocol_size]).  Conversely, if the layers of a
    sequence of choices do not stay apart, some word has a run that shows it, with at most one move and one loss for
    each event ([short_runs_refute]).

    The theorems are [choices_decide_satisfiability], [protocol_size] and [short_runs_refute].  None of them belongs
      to
    the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder
  PortWords.
From Sealcheck Require Import PortProtocols PortLanguages PortOpen.
From Sealcheck Require PortChannels.
Open Scope nat_scope.

(** ** Sequences of choices *)

(** A sequence of choices, each a list of layers; and its words, which have one layer of each. *)
Definition choices := list (list layer_program).
Definition words_of (cs : choices) : language := fun w => Forall2 (fun M c => In M c) w cs.

(** ** Formulas *)

(** A literal is a variable with its value; a clause needs one true literal, a formula in conjunctive normal form all
    its clauses. *)
Definition literal := (nat * bool)%type.
Definition cnf := list (list literal).
Definition satisfiable (f : cnf) := exists value : nat -> bool, forall c, In c f ->
  exists l, In l c /\ value (fst l) = snd l.

(** ** The protocol of a formula *)

(** Process 0 is s, 1 is r; then each variable has a process for either value. *)
Definition literal_process (l : literal) : proc := 2 + 2 * fst l + (if snd l then 0 else 1).
Definition negation (l : literal) : literal := (fst l, negb (snd l)).

(** A message from [i] to [j] with a tag. *)
Definition tagged_message (tag : nat) (ij : proc * proc) : layer_program := one_message (fst ij) (snd ij, Some (fst ij),
  tag).
Definition ask := tagged_message 0 (0, 1).

(** The choices between the two layers [ask]: of a value for each literal, and of a literal for each clause.  A
    message is given by sender and receiver. *)
Definition value_choice (l : literal) := [(1, literal_process (negation l)); (1, literal_process l)].
Definition clause_choice (c : list literal) := map (fun l => (literal_process l, 0)) c.
Definition choices_between (f : cnf) := map value_choice (concat f) ++ map clause_choice f.

(** Messages of different choices have different tags. *)
Fixpoint numbered (n : nat) (cs : list (list (proc * proc))) : choices := match cs with
  | [] => []
  | c :: cs => map (tagged_message n) c :: numbered (S n) cs
  end.

Definition protocol_of (f : cnf) : choices := [ask] :: numbered 1 (choices_between f) ++ [[ask]].

(** All its layers, which say which ports there are; each port is a bag. *)
Definition all_layers (cs : choices) := concat (concat cs).
Definition bags (p : tagged_port) := {| keeps_order := false; may_lose := false; may_copy := false |}.

(** ** The size of the protocol *)

Lemma sum_of_lengths {A} n (cs : list (list A)) : (forall c, In c cs -> length c = n) -> length (concat cs) = n *
  length cs.
Proof.
  induction cs as [|c cs IH]; intro H; simpl; [lia|]. rewrite app_length, (H c), IH; simpl; auto; [lia|].
  intros; apply H; now right.
Qed.

Lemma numbered_length cs : forall n, length (concat (concat (numbered n cs))) = 2 * length (concat cs).
Proof.
  induction cs as [|c cs IH]; intro n; simpl; auto. rewrite concat_app, !app_length, IH.
  rewrite (sum_of_lengths 2 (map (tagged_message n) c)), map_length; [lia|].
  intros M I. apply in_map_iff in I as (ij & <- & _). reflexivity.
Qed.

(** All its layers together have six events for each literal of the formula, and four. *)
Theorem protocol_size : forall f, length (all_layers (protocol_of f)) = 4 + 6 * length (concat f).
Proof.
  intro f. unfold all_layers, protocol_of, choices_between. simpl. rewrite !concat_app, !app_length, numbered_length.
  simpl. rewrite concat_app, app_length. rewrite (sum_of_lengths 2 (map value_choice (concat f))).
  - rewrite map_length. assert (E : forall g, length (concat (map clause_choice g)) = length (concat g)).
    { induction g as [|c g IH]; simpl; auto. rewrite !app_length, IH. unfold clause_choice. now rewrite map_length. }
    rewrite E. lia.
  - intros c I. apply in_map_iff in I as (l & <- & _). reflexivity.
Qed.

(** ** One message, with some processes held back *)

Section Played.
Variables (all : list tagged_act) (tag : nat) (i j : proc).
Hypothesis Named : from_any all j tag = false.
Hypothesis Different : i <> j.
Notation p := (j, Some i, tag).
Notation M := (tagged_message tag (i, j)).

Lemma message_can_send : can_send all i p.
Proof. unfold can_send. simpl. now rewrite Named. Qed.

Lemma receives_first : received_at i p = (j, 0).
Proof. unfold received_at. simpl. now destruct (Nat.eqb_spec i j). Qed.

Lemma played_put e : action (relaxed_layer all bags M) e = Some (Put (0, p)) <-> e = (i, 0).
Proof.
  unfold relaxed_layer. cbn [action relaxed]. rewrite relaxed_put. cbn [action exact]. rewrite exact_put.
  unfold tagged_message. cbn [fst snd]. rewrite message_put by apply message_can_send. unfold only_layer. tauto.
Qed.
Lemma played_take e : action (relaxed_layer all bags M) e = Some (Take (0, p)) <-> e = (j, 0).
Proof.
  assert (A : action (exact (program_over all M) only_layer) e = Some (Take (0, p)) <-> e = (j, 0)).
  { cbn [action exact]. rewrite exact_take. unfold tagged_message. cbn [fst snd].
    rewrite message_take by apply message_can_send. rewrite receives_first. unfold only_layer. tauto. }
  unfold relaxed_layer. cbn [action relaxed]. unfold relaxed_action. rewrite <- A.
  destruct (action (exact (program_over all M) only_layer) e) as [[q|q|]|]; simpl; split; intro E; congruence.
Qed.

(** The send happens unless it is held back, the receive happens if the send does and it is not held back. *)
Lemma played stop u : plays all bags M stop u ->
  (0 < u i <-> ~ stop (i, 0)) /\ (0 < u j <-> ~ stop (j, 0) /\ ~ stop (i, 0)).
Proof.
  intros [R S].
  assert (Sent : 0 < u i <-> ~ stop (i, 0)).
  { split.
    - intros L St. apply (not_itself _ stop u (i, 0) R St). exact L.
    - intro N. destruct (Nat.eq_dec (u i) 0) as [Z|]; [|lia].
      destruct (S i) as [St|Nr]; rewrite Z in *; [contradiction|].
      contradiction Nr. unfold ready. now rewrite (proj2 (played_put (i, 0)) eq_refl). }
  split; auto. split.
  - intro L. split; [intro St; exact (not_itself _ stop u (j, 0) R St L)|]. apply Sent.
    destruct (Nat.eq_dec (u i) 0) as [Z|]; [exfalso|lia].
    pose proof (PortChannels.reached_takes _ _ _ R (0, p)) as T.
    assert (P0 : puts (relaxed_layer all bags M) (0, p) u = 0).
    { apply none_of. intros x X. apply andb_true_iff in X as [X1 X2]. apply insideb_spec in X1.
      apply is_put_spec, played_put in X2. subst x. unfold inside in X1. simpl in X1. lia. }
    assert (T1 : takes (relaxed_layer all bags M) (0, p) u = 1).
    { apply (one_event _ _ (j, 0)).
      - eapply is_event. now apply played_take.
      - intro x. rewrite andb_true_iff, insideb_spec, is_take_spec, played_take. unfold inside. split; [tauto|].
        intros ->. auto. }
    lia.
  - intros [Nj Ni]. apply Sent in Ni. destruct (Nat.eq_dec (u j) 0) as [Z|]; [|lia].
    destruct (S j) as [St|Nr]; rewrite Z in *; [contradiction|]. contradiction Nr. unfold ready.
    rewrite (proj2 (played_take (j, 0)) eq_refl).
    replace (takes (relaxed_layer all bags M) (0, p) u) with 0.
    + replace (puts (relaxed_layer all bags M) (0, p) u) with 1; [lia|]. symmetry. apply (one_event _ _ (i, 0)).
      * eapply is_event. now apply played_put.
      * intro x. rewrite andb_true_iff, insideb_spec, is_put_spec, played_put. unfold inside. split; [tauto|].
        intros ->. auto.
    + symmetry. apply none_of. intros x X. apply andb_true_iff in X as [X1 X2]. apply insideb_spec in X1.
      apply is_take_spec, played_take in X2. subst x. unfold inside in X1. simpl in X1. lia.
Qed.

Lemma message_sizes x : size_of M x = if (x =? i) || (x =? j) then 1 else 0.
Proof.
  unfold size_of, tagged_message, one_message, tagged_share. cbn [filter tagged_actor fst snd].
  rewrite (Nat.eqb_sym i x), (Nat.eqb_sym j x).
  destruct (Nat.eqb_spec x i), (Nat.eqb_spec x j); subst; try contradiction; reflexivity.
Qed.

(** The receiver is blocked from then on if the sender is. *)
Lemma blocked_by_message (B : proc -> Prop) u : plays all bags M (fun e => B (fst e)) u ->
  forall x, blocked_by M B u x <-> B x \/ (x = j /\ B i).
Proof.
  intros U x. destruct (played _ u U) as [Ui Uj]. simpl in *. unfold blocked_by. rewrite message_sizes.
  destruct (Nat.eqb_spec x i) as [->|Ni]; [|destruct (Nat.eqb_spec x j) as [->|Nj]]; simpl.
  - split; [|tauto]. intros [H|H]; auto. left. apply NNPP. intro N. apply Ui in N. lia.
  - split; [|intros [H|[_ H]]; auto].
    + intros [H|H]; auto. apply NNPP. intro N. assert (0 < u j) by (apply Uj; tauto). lia.
    + right. destruct (Nat.eq_dec (u j) 0) as [->|Z]; auto. exfalso. apply (proj1 Uj); auto. lia.
  - split; [intros [H|H]; [auto|lia]|intros [H|[H _]]; [auto|contradiction]].
Qed.
End Played.

(** The processes that are blocked after some messages. *)
Fixpoint blocked_after (B : proc -> Prop) (l : list (proc * proc)) : proc -> Prop := match l with
  | [] => B
  | (i, j) :: l => blocked_after (fun x => B x \/ (x = j /\ B i)) l
  end.

(** A word of messages with numbers from [n]. *)
Fixpoint messages_from (n : nat) (l : list (proc * proc)) : list layer_program := match l with
  | [] => []
  | ij :: l => tagged_message n ij :: messages_from (S n) l
  end.

Lemma words_numbered cs : forall n w, words_of (numbered n cs) w <->
  exists l, Forall2 (fun ij c => In ij c) l cs /\ w = messages_from n l.
Proof.
  induction cs as [|c cs IH]; intros n w; unfold words_of in *; simpl.
  - split; [intro H; inversion H; subst; now exists []|]. intros (l & H & ->). inversion H. constructor.
  - split.
    + intro H. inversion H as [|M c' w' cs' I F]; subst. apply in_map_iff in I as (ij & <- & I).
      apply IH in F as (l & F & ->). exists (ij :: l). split; auto.
    + intros (l & H & ->). inversion H as [|ij c' l' cs' I F]; subst. simpl. constructor.
      * apply in_map_iff. eauto.
      * apply IH. eauto.
Qed.

(** ** The protocol, in any of its words *)

Section Goes.
Variables (all : list tagged_act).
Hypothesis Named : forall j tag, from_any all j tag = false.

Lemma goes_on_messages l : (forall ij, In ij l -> fst ij <> snd ij) -> forall n B B' C, (forall x, B x <-> B' x) ->
  goes_on all bags B (messages_from n l) C <-> forall x, blocked_after B' l x <-> C x.
Proof.
  induction l as [|[i j] l IH]; intros D n B B' C E; simpl.
  - split.
    + intro H. inversion H as [? ? F|]; subst. intro x. now rewrite <- E.
    + intro H. constructor. intro x. now rewrite E.
  - assert (Dij : i <> j) by (apply (D (i, j)); now left).
    assert (Dl : forall ij, In ij l -> fst ij <> snd ij) by (intros; apply D; now right).
    assert (Step : forall u, plays all bags (tagged_message n (i, j)) (fun e => B (fst e)) u ->
      forall x, blocked_by (tagged_message n (i, j)) B u x <-> B' x \/ (x = j /\ B' i)).
    { intros u U x. rewrite (blocked_by_message all n i j (Named j n) Dij B u U x). now rewrite (E x), (E i). }
    split.
    + intro H. inversion H as [|? ? ? ? u U F]; subst. exact (proj1 (IH Dl _ _ _ _ (Step u U)) F).
    + intro H. destruct (plays_exist all bags (tagged_message n (i, j)) (fun e => B (fst e))) as [u U].
      apply goes_on_layer with u; auto. exact (proj2 (IH Dl _ _ _ _ (Step u U)) H).
Qed.

Lemma ask_differs : 0 <> 1.
Proof. discriminate. Qed.

(** The receive of [ask] can take the message of another [ask] exactly if process 0 is not blocked in between. *)
Lemma crosses_ask p l n : (forall ij, In ij l -> fst ij <> snd ij) ->
  crosses all bags p ask (messages_from n l) ask <->
  p = (1, Some 0, 0) /\ ~ blocked_after (fun x => x = 1) l 0.
Proof.
  intro D. pose proof (message_can_send all 0 0 1 (Named 1 0)) as Can.
  assert (Takes : forall r q, action (program_over all ask) r = Some (Take q) <-> r = (1, 0) /\ q = (1, Some 0, 0)).
  { intros r q. unfold ask, tagged_message. rewrite message_take by exact Can. reflexivity. }
  assert (Puts : forall s q, action (program_over all ask) s = Some (Put q) <-> s = (0, 0) /\ q = (1, Some 0, 0)).
  { intros s q. unfold ask, tagged_message. rewrite message_put by exact Can. reflexivity. }
  assert (First : forall u, plays all bags ask (eq (1, 0)) u ->
    forall x, blocked_by ask (fun _ => False) u x <-> x = 1).
  { intros u U x. destruct (played all 0 0 1 (Named 1 0) ask_differs _ u U) as [U0 U1].
    unfold blocked_by, ask. rewrite message_sizes by apply ask_differs.
    assert (L0 : 0 < u 0) by (apply U0; discriminate).
    assert (L1 : ~ 0 < u 1) by (intro L; apply U1 in L as [L _]; auto).
    destruct x as [|[|x]]; simpl; split; try discriminate; try (intros [[]|L]; lia); auto; intros _; right; lia. }
  split.
  - intros (r & u & B & i & [T _] & U & F & (v & s & V & A & <- & I) & _). apply Takes in T as [-> ->].
    apply Puts in A as [-> _]. split; auto. intro Bl.
    apply (proj1 (goes_on_messages l D n _ _ _ (First u U)) F) in Bl.
    destruct (played all 0 0 1 (Named 1 0) ask_differs _ v V) as [V0 _]. exact (proj1 V0 I Bl).
  - intros [-> N]. destruct (plays_exist all bags ask (eq (1, 0))) as [u U].
    destruct (goes_on_exists all bags (blocked_by ask (fun _ => False) u) (messages_from n l)) as [B F].
    pose proof (proj1 (goes_on_messages l D n _ _ _ (First u U)) F) as Bl.
    destruct (plays_exist all bags ask (fun e => B (fst e))) as [v V].
    destruct (played all 0 0 1 (Named 1 0) ask_differs _ v V) as [V0 _].
    exists (1, 0), u, B, 0. split; [|split; [exact U|split; [exact F|split]]].
    + split; [apply Takes; auto|]. intros k A _. apply Takes in A as [A _]. injection A as ->. auto.
    + exists v, (0, 0). split; [exact V|]. split; [apply Puts; auto|]. split; auto. apply V0. simpl. intro H.
      now apply N, Bl.
    + discriminate.
Qed.
End Goes.

(** ** Blocked or not *)

Lemma blocked_after_app l1 : forall B l2 x, blocked_after B (l1 ++ l2) x <-> blocked_after (blocked_after B l1) l2 x.
Proof. induction l1 as [|[i j] l1 IH]; intros B l2 x; simpl; [tauto|apply IH]. Qed.

(** Messages of process 1, which is blocked, block their receivers. *)
Lemma blocked_by_one l : (forall ij, In ij l -> fst ij = 1) -> forall B : proc -> Prop, B 1 ->
  forall x, blocked_after B l x <-> B x \/ In (1, x) l.
Proof.
  induction l as [|[i j] l IH]; intros F B B1 x; simpl; [tauto|].
  assert (E : i = 1) by (apply (F (i, j)); now left). subst i.
  rewrite IH; [|intros; apply F; now right|now left]. split.
  - intros [[H|[-> _]]|H]; auto.
  - intros [H|[H|H]]; auto. injection H as ->. auto.
Qed.

(** Messages to process 0 block it if a sender is blocked. *)
Lemma blocks_zero l : (forall ij, In ij l -> snd ij = 0 /\ fst ij <> 0) -> forall B : proc -> Prop,
  blocked_after B l 0 <-> B 0 \/ exists i, In (i, 0) l /\ B i.
Proof.
  induction l as [|[i j] l IH]; intros F B; simpl; [split; [auto|intros [H|(i & [] & _)]; auto]|].
  destruct (F (i, j) (or_introl eq_refl)) as [E N]. simpl in *. subst j.
  rewrite IH by (intros; apply F; now right). split.
  - intros [[H|[_ H]]|(k & I & [H|[-> H]])]; eauto.
  - intros [H|(k & [E|I] & H)]; eauto. injection E as ->. auto.
Qed.

Lemma literal_process_injective l l' : literal_process l = literal_process l' -> l = l'.
Proof. destruct l as [x [|]], l' as [y [|]]; unfold literal_process; simpl; intro E; f_equal; lia. Qed.

Lemma forall2_in {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' ->
  (forall a, In a l -> exists b, In b l' /\ R a b) /\ (forall b, In b l' -> exists a, In a l /\ R a b).
Proof.
  induction 1 as [|a b l l' H F [IH1 IH2]]; [now split|]. split; intros x [<-|I].
  - exists b. split; auto. now left.
  - destruct (IH1 x I) as (y & I' & H'). exists y. split; auto. now right.
  - exists a. split; auto. now left.
  - destruct (IH2 x I) as (y & I' & H'). exists y. split; auto. now right.
Qed.

Lemma forall2_weaker {A B} (R R' : A -> B -> Prop) l l' : (forall a b, R a b -> R' a b) -> Forall2 R l l' ->
  Forall2 R' l l'.
Proof. induction 2; constructor; auto. Qed.

Lemma forall2_exists {A B C} (R : A -> B -> Prop) (g : C -> B) l : (forall c, In c l -> exists a, R a (g c)) ->
  exists l', Forall2 R l' (map g l).
Proof.
  induction l as [|c l IH]; intro H; simpl; [now exists []|].
  destruct (H c (or_introl eq_refl)) as [a Ha]. destruct IH as [l' F]; [intros; apply H; now right|].
  exists (a :: l'). now constructor.
Qed.

(** Some choice leaves process 0 unblocked exactly if the formula can be satisfied. *)
Lemma unblocked_satisfies f : satisfiable f <->
  exists l, Forall2 (fun ij c => In ij c) l (choices_between f) /\ ~ blocked_after (fun x => x = 1) l 0.
Proof.
  assert (Blocked : forall l1 l2, Forall2 (fun ij c => In ij c) l1 (map value_choice (concat f)) ->
    Forall2 (fun ij c => In ij c) l2 (map clause_choice f) ->
    blocked_after (fun x => x = 1) (l1 ++ l2) 0 <-> exists i, In (i, 0) l2 /\ In (1, i) l1).
  { intros l1 l2 F1 F2.
    assert (S1 : forall ij, In ij l1 -> fst ij = 1 /\ 2 <= snd ij).
    { intros ij I. apply (forall2_in _ _ _ F1) in I as (c & I & H). apply in_map_iff in I as (l & <- & _).
      destruct H as [<-|[<-|[]]]; unfold literal_process; simpl; lia. }
    assert (S2 : forall ij, In ij l2 -> snd ij = 0 /\ 2 <= fst ij).
    { intros ij I. apply (forall2_in _ _ _ F2) in I as (c & I & H). apply in_map_iff in I as (c' & <- & _).
      apply in_map_iff in H as (l & <- & _). unfold literal_process; simpl; lia. }
    rewrite blocked_after_app, blocks_zero.
    - split.
      + intros [H|(i & I & H)]; apply blocked_by_one in H as [H|H]; auto; try (intros; now apply S1).
        * discriminate.
        * apply S1 in H as [_ H]. simpl in H. lia.
        * subst i. apply S2 in I as [_ I]. simpl in I. lia.
        * eauto.
      + intros (i & I & H). right. exists i. split; auto. apply blocked_by_one; auto. intros; now apply S1.
    - intros ij I. apply S2 in I. split; [tauto|lia]. }
  unfold choices_between. split.
  - intros [v V]. pose (l1 := map (fun l => (1, literal_process (fst l, negb (v (fst l))))) (concat f)).
    assert (F1 : Forall2 (fun ij c => In ij c) l1 (map value_choice (concat f))).
    { unfold l1. clear. induction (concat f) as [|[x b] ls IH]; simpl; constructor; auto.
      unfold value_choice, negation. cbn [fst snd]. destruct (v x), b; cbn [negb In]; auto. }
    destruct (forall2_exists (fun ij c => In ij c /\ exists l, ij = (literal_process l, 0) /\ v (fst l) = snd l)
      clause_choice f) as [l2 F2].
    { intros c I. destruct (V c I) as (l & Il & T). exists (literal_process l, 0). split; [|eauto].
      apply in_map_iff. eauto. }
    assert (F2' : Forall2 (fun ij c => In ij c) l2 (map clause_choice f)).
    { apply (forall2_weaker _ _ _ _ (fun ij c H => proj1 H) F2). }
    exists (l1 ++ l2). split; [now apply Forall2_app|]. rewrite Blocked by auto. intros (i & I2 & I1).
    apply (proj1 (forall2_in _ _ _ F2)) in I2 as (_ & _ & _ & l & E & T). apply (f_equal fst) in E. simpl in E.
    subst i.
    unfold l1 in I1. apply in_map_iff in I1 as (l' & E & _). apply (f_equal snd) in E.
    apply literal_process_injective in E. subst l. simpl in T. destruct (v (fst l')); discriminate.
  - intros (l & F & N). apply Forall2_app_inv_r in F as (l1 & l2 & F1 & F2 & ->). rewrite Blocked in N by auto.
    exists (fun x => negb (existsb (fun ij => snd ij =? literal_process (x, true)) l1)).
    intros c I. destruct (proj2 (forall2_in _ _ _ F2) (clause_choice c)) as (ij & I2 & Ic); [now apply in_map|].
    apply in_map_iff in Ic as (l & <- & Il). exists l. split; auto.
    assert (Not : ~ In (1, literal_process l) l1) by (intro H; apply N; eauto).
    assert (One : forall ij, In ij l1 -> fst ij = 1).
    { intros ij J. apply (proj1 (forall2_in _ _ _ F1)) in J as (c' & J & H). apply in_map_iff in J as (l' & <- & _).
      now destruct H as [<-|[<-|[]]]. }
    destruct l as [x [|]]; simpl in *.
    + apply negb_true_iff, not_true_iff_false. intro E. apply existsb_exists in E as ([k y] & J & E).
      apply Nat.eqb_eq in E. simpl in E. subst y. pose proof (One _ J) as K. simpl in K. subst k. contradiction.
    + apply negb_false_iff, existsb_exists.
      destruct (proj2 (forall2_in _ _ _ F1) (value_choice (x, false))) as (ij & J & [E|[E|[]]]).
      * apply in_map, in_concat. eauto.
      * exists ij. subst ij. split; auto. simpl. apply Nat.eqb_refl.
      * subst ij. contradiction.
Qed.

(** ** The words of the protocol *)

Lemma words_of_protocol f w : words_of (protocol_of f) w <->
  exists l, Forall2 (fun ij c => In ij c) l (choices_between f) /\ w = ask :: messages_from 1 l ++ [ask].
Proof.
  unfold protocol_of, words_of. split.
  - intro H. inversion H as [|M c w' cs I F]; subst. apply Forall2_app_inv_r in F as (w1 & w2 & F1 & F2 & ->).
    inversion F2 as [|M' c w3 cs I' F3]; subst. inversion F3. subst. destruct I as [<-|[]], I' as [<-|[]].
    apply (words_numbered _ 1) in F1 as (l & F1 & ->). eauto.
  - intros (l & F & ->). constructor; [now left|]. apply Forall2_app.
    + apply (words_numbered _ 1). eauto.
    + repeat constructor.
Qed.

Lemma numbered_messages cs : forall n c M, In c (numbered n cs) -> In M c -> exists m ij, M = tagged_message m ij.
Proof.
  induction cs as [|c' cs IH]; intros n c M; simpl; [tauto|]. intros [<-|I] J; [|eauto].
  apply in_map_iff in J as (ij & <- & _). eauto.
Qed.

Lemma layers_are_messages f c M : In c (protocol_of f) -> In M c -> exists m ij, M = tagged_message m ij.
Proof.
  intros [<-|I] J; [destruct J as [<-|[]]; now exists 0, (0, 1)|]. apply in_app_iff in I as [I|[<-|[]]].
  - eapply numbered_messages; eauto.
  - destruct J as [<-|[]]. now exists 0, (0, 1).
Qed.

Lemma ports_have_names f j tag : from_any (all_layers (protocol_of f)) j tag = false.
Proof.
  apply not_true_iff_false. rewrite from_any_spec. unfold all_layers. intro I.
  apply in_concat in I as (M & I & J). apply in_concat in I as (c & Ic & I).
  destruct (layers_are_messages f c M Ic I) as (m & ij & ->). unfold tagged_message, one_message in J. simpl in J.
  destruct J as [J|[J|[]]]; discriminate.
Qed.

Lemma differing f l : Forall2 (fun ij c => In ij c) l (choices_between f) -> forall ij, In ij l -> fst ij <> snd ij.
Proof.
  intros F ij I. apply (proj1 (forall2_in _ _ _ F)) in I as (c & I & J). unfold choices_between in I.
  apply in_app_iff in I as [I|I]; apply in_map_iff in I as (x & <- & _).
  - destruct J as [<-|[<-|[]]]; unfold literal_process; simpl; lia.
  - apply in_map_iff in J as (y & <- & _). unfold literal_process; simpl; lia.
Qed.

(** Which layer is at which place of a word. *)
Lemma message_at l : forall n k M, nth_error (messages_from n l) k = Some M -> exists ij, M = tagged_message (n + k) ij.
Proof.
  induction l as [|ij l IH]; intros n [|k] M; simpl; try discriminate.
  - intro E. injection E as <-. rewrite Nat.add_0_r. eauto.
  - intro E. destruct (IH (S n) k M E) as [ij' ->]. exists ij'. f_equal. lia.
Qed.
Lemma messages_from_length l : forall n, length (messages_from n l) = length l.
Proof. induction l as [|ij l IH]; intro n; simpl; auto. Qed.

Lemma layer_at_place l k M : nth_error (ask :: messages_from 1 l ++ [ask]) k = Some M ->
  exists m ij, M = tagged_message m ij /\ (k <= length l -> m = k).
Proof.
  destruct k as [|k]; simpl; [intro E; injection E as <-; exists 0, (0, 1); auto|].
  destruct (Nat.ltb_spec k (length l)).
  - rewrite nth_error_app1 by (now rewrite messages_from_length). intro E. apply message_at in E as [ij ->].
    exists (1 + k), ij. repeat split; auto; discriminate.
  - rewrite nth_error_app2 by (now rewrite messages_from_length). rewrite messages_from_length.
    destruct (k - length l) as [|d] eqn:E; [|destruct d; discriminate]. intro H'. injection H' as <-.
    exists 0, (0, 1). repeat split; auto; lia.
Qed.

(** Only the two layers [ask] share a port. *)
Lemma only_ask_crosses f l p pre L mid M post : let all := all_layers (protocol_of f) in
  ask :: messages_from 1 l ++ [ask] = pre ++ L :: mid ++ M :: post -> crosses all bags p L mid M ->
  pre = [] /\ L = ask /\ mid = messages_from 1 l /\ M = ask /\ post = [].
Proof.
  intros all W (r & u & B & i & [T _] & _ & _ & (v & s & _ & A & _) & _). subst all.
  assert (NL : nth_error (ask :: messages_from 1 l ++ [ask]) (length pre) = Some L).
  { rewrite W, nth_error_app2, Nat.sub_diag by lia. reflexivity. }
  assert (NM : nth_error (ask :: messages_from 1 l ++ [ask]) (length pre + S (length mid)) = Some M).
  { rewrite W, nth_error_app2 by lia. replace (length pre + S (length mid) - length pre) with (S (length mid)) by lia.
    simpl. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
  assert (Len : S (length l + 1) = length pre + S (length mid + S (length post))).
  { pose proof (f_equal (@length _) W) as E. simpl in E. rewrite !app_length, messages_from_length in E. simpl in E.
    rewrite app_length in E. simpl in E. lia. }
  destruct (layer_at_place l _ L NL) as (m & [a b] & -> & Lm).
  destruct (layer_at_place l _ M NM) as (m' & [a' b'] & -> & Mm).
  unfold tagged_message in T, A. cbn [fst snd] in T, A.
  rewrite message_take in T by apply message_can_send, ports_have_names.
  rewrite message_put in A by apply message_can_send, ports_have_names.
  destruct T as [_ ->], A as [_ E]. injection E as Eb Ea Em.
  assert (m = length pre) by (apply Lm; lia).
  assert (length pre = 0 /\ length post = 0) as [Z1 Z2].
  { destruct (le_lt_dec (length pre + S (length mid)) (length l)) as [Le|Gt]; [rewrite Mm in Em; auto; lia|].
    destruct (Nat.eq_dec (length pre) 0) as [Z|N]; [split; lia|]. exfalso.
    assert (Last : length pre + S (length mid) = S (length l)) by lia. rewrite Last in NM.
    simpl in NM. rewrite nth_error_app2 in NM by (rewrite messages_from_length; lia).
    rewrite messages_from_length, Nat.sub_diag in NM. simpl in NM. unfold ask, tagged_message, one_message in NM.
    simpl in NM.
    injection NM as _ _ Em' _ _. lia. }
  destruct pre; [|discriminate]. destruct post; [|discriminate]. pose proof (f_equal (hd ask) W) as EL.
  apply (f_equal (@tl _)) in W. cbn [hd tl app] in EL, W. apply app_inj_tail in W as [W EM]. repeat split; auto.
Qed.

(** ** The theorems *)

(** The layers of the protocol's words are balanced and do not deadlock, and they stay apart exactly if the formula
    cannot be satisfied. *)
Theorem choices_decide_satisfiability : forall f, let all := all_layers (protocol_of f) in
  of_good_layers all bags (words_of (protocol_of f)) /\
  (satisfiable f <-> ~ words_apart all bags (words_of (protocol_of f))).
Proof.
  intros f all.
  assert (Good : of_good_layers all bags (words_of (protocol_of f))).
  { intros w F. apply Forall_forall. intros M I. apply (proj1 (forall2_in _ _ _ F)) in I as (c & Ic & I).
    destruct (layers_are_messages f c M Ic I) as (m & [i j] & ->).
    apply message_good, message_can_send, ports_have_names. }
  split; auto. rewrite words_apart_without_root_ports, unblocked_satisfies. split.
  - intros (l & F & N) H. apply (H (1, Some 0, 0)). exists (ask :: messages_from 1 l ++ [ask]).
    assert (W : words_of (protocol_of f) (ask :: messages_from 1 l ++ [ask])) by (apply words_of_protocol; eauto).
    split; auto. apply root_port_by_blocked_sets; auto. exists [], ask, (messages_from 1 l), ask, [].
    split; auto. apply crosses_ask; auto; [apply ports_have_names|]. eapply differing; eauto.
  - intro H. apply not_all_not_ex in H as [p (w & W & Root)].
    apply root_port_by_blocked_sets in Root as (pre & L & mid & M & post & E & C); auto.
    apply words_of_protocol in W as (l & F & ->). exists l. split; auto.
    pose proof (only_ask_crosses f l p pre L mid M post E C) as (_ & -> & -> & -> & _).
    apply crosses_ask in C as [_ N]; auto; [apply ports_have_names|]. eapply differing; eauto.
Qed.

(** ** A short run shows that layers do not stay apart *)

(** As many events as there are actions. *)
Fixpoint enumerated (l : list tagged_act) : list event := match l with
  | [] => []
  | a :: l => (tagged_actor a, length (tagged_share (tagged_actor a) l)) :: enumerated l
  end.
Lemma enumerated_length l : length (enumerated l) = length l.
Proof. induction l; simpl; auto. Qed.
Lemma in_enumerated l i k : k < length (tagged_share i l) -> In (i, k) (enumerated l).
Proof.
  induction l as [|a l IH]; simpl; [lia|]. destruct (Nat.eqb_spec (tagged_actor a) i) as [E|N]; simpl; [|auto].
  rewrite E. intro L. destruct (Nat.eq_dec k (length (tagged_share i l))) as [->|]; [now left|right; apply IH; lia].
Qed.

Lemma at_most_actions all l (es : list event) : NoDup es -> incl es (events (program_over all l)) -> length es <=
  length l.
Proof.
  intros N I. rewrite <- enumerated_length. apply NoDup_incl_length; auto. intros [i k] J. apply I, all_events in J.
  apply in_enumerated. cbn [action program_over] in J. unfold tagged_action in J. cbn [fst snd] in J.
  apply nth_error_Some. intro E. apply J. now rewrite E.
Qed.

(** In a run, each event happens once, and each message is lost once. *)
Lemma moves_are_events {port} (P : program port) G lost h : faulty_runs P G lost h ->
  NoDup (map event_of h) /\ incl (map event_of h) (events P) /\ NoDup lost /\ incl lost (events P).
Proof.
  induction 1 as [|lost h i a R (N & I & NL & IL) A _|lost h i p s R (N & I & NL & IL) A _ _|
      lost h p s R (N & I & NL & IL) _ (A & _ & Ns & _)].
  - repeat split; try constructor; intros x [].
  - repeat split; auto; [|intros x [<-|J]; auto; simpl; eapply is_event; eauto]. constructor; auto. intro J.
    apply (faulty_inside P G lost h R) in J. unfold inside in J. simpl in J. lia.
  - repeat split; auto; [|intros x [<-|J]; auto; simpl; eapply is_event; eauto]. constructor; auto. intro J.
    apply (faulty_inside P G lost h R) in J. unfold inside in J. simpl in J. lia.
  - repeat split; auto; [constructor; auto|]. intros x [<-|J]; auto. eapply is_event; eauto.
Qed.

(** So if the layers of a sequence of choices do not stay apart, a word and a run of it show that, which are no longer
    than the protocol. *)
Theorem short_runs_refute : forall all G cs, ~ words_apart all G (words_of cs) <-> exists w lost h,
  words_of cs w /\ length w = length cs /\ faulty_runs (word_program all w) G lost h /\ ~ own_layers (layer_in w) h /\
  length h <= length (concat w) /\ length lost <= length (concat w).
Proof.
  intros all G cs. split.
  - intro N. unfold words_apart in N. apply not_all_ex_not in N as [w N]. apply imply_to_and in N as [W N].
    apply not_all_ex_not in N as [lost N]. apply not_all_ex_not in N as [h N]. apply imply_to_and in N as [R N].
    destruct (moves_are_events _ G lost h R) as (N1 & I1 & N2 & I2). exists w, lost, h. repeat split; auto.
    + clear -W. induction W; simpl; auto.
    + rewrite <- (map_length event_of h). now apply (at_most_actions all).
    + now apply (at_most_actions all).
  - intros (w & lost & h & W & _ & R & N & _) A. exact (N (A w W lost h R)).
Qed.
