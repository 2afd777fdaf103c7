(** * The checks of closed sets are right

    What [check_yes] of [PortsChecked] accepts is a certificate as [certificates_of_port] has it: [check_yes_correct]. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortCertificates KnowledgeDecider Certificates Tries PortTables PortIndex PortExpressions.
From Sealcheck Require Import PortsChecked.
Open Scope nat_scope.

Section Correct.
Variable q : port_layers.
Notation all := (concat (layers_given q)).
(** ** Words and states *)

Notation G := (port_guarantee q).
Notation states := (states_given q).
Notation tables := (tables_given q).

Lemma all2_spec {A B} (f : A -> B -> bool) : forall u v, all2 f u v = true <-> Forall2 (fun a b => f a b = true) u v.
Proof.
  induction u as [|a u IH]; destruct v as [|b v]; simpl; split; intro H; try discriminate; try constructor;
    try now inversion H.
  - now apply andb_true_iff in H.
  - apply IH. now apply andb_true_iff in H.
  - inversion H; subst. apply andb_true_iff. split; auto. now apply IH.
Qed.
Lemma Forall2_in_left {A B} (R : A -> B -> Prop) u v a : Forall2 R u v -> In a u -> exists b, In b v /\ R a b.
Proof.
  induction 1 as [|x y u v Rxy F IH]; intros []; [subst; exists y; simpl; auto|].
  destruct IH as (b & I & Rb); auto. exists b. simpl; auto.
Qed.
Lemma Forall2_in_right {A B} (R : A -> B -> Prop) u v b : Forall2 R u v -> In b v -> exists a, In a u /\ R a b.
Proof.
  induction 1 as [|x y u v Rxy F IH]; intros []; [subst; exists x; simpl; auto|].
  destruct IH as (a & I & Ra); auto. exists a. simpl; auto.
Qed.

(** From a state, by a layer, to another one; by what follows, to none. *)
Definition leads_on_to (from : option nat) (M : layer_program) (to : option nat) := exists k row,
  from = Some k /\ find k states = Some row /\
  ((exists n m, In (n, m) (next_states row) /\ nth_error (layers_given q) n = Some M /\ to = Some m) \/
   (is_open q = true /\ may_end (rest_of row) = true /\ may_follow q M /\ to = None)).

Hypothesis States : check_states q states = true.

Lemma first_state : exists row, find 0 states = Some row /\ rest_of row = protocol_given q.
Proof.
  unfold check_states in States. apply andb_true_iff in States as [H _]. destruct (find 0 states) as [row|] eqn:F;
    [|discriminate].
  exists row. split; auto. now apply protocol_eqb_spec.
Qed.

Lemma state_leads k row : find k states = Some row ->
  (forall n d, In (n, d) (firsts (rest_of row)) -> exists m to, In (n, m) (next_states row) /\ find m states = Some to /\ rest_of to = d) /\
  (forall n m, In (n, m) (next_states row) -> exists to, find m states = Some to /\ In (n, rest_of to) (firsts (rest_of row))).
Proof.
  intro F. unfold check_states in States. apply andb_true_iff in States as [_ H]. rewrite forallb_forall in H.
  unfold states_given in F. rewrite find_index in F. apply nth_error_In in F. specialize (H row F). apply all2_spec in H.
  assert (Pair : forall (x : nat * protocol) (y : nat * nat), (fst x =? fst y) &&
    match find (snd y) states with Some to => protocol_eqb (rest_of to) (snd x) | None => false end = true ->
    fst x = fst y /\ exists to, find (snd y) states = Some to /\ rest_of to = snd x).
  { intros x y E. apply andb_true_iff in E as [E1 E2]. apply Nat.eqb_eq in E1. split; auto.
    destruct (find (snd y) states) as [to|]; [|discriminate]. exists to. split; auto. now apply protocol_eqb_spec. }
  split.
  - intros n d I. destruct (Forall2_in_left _ _ _ _ H I) as ([n' m] & I' & E). apply Pair in E as [E (to & F' & R)].
    simpl in *. subst n'. eauto.
  - intros n m I. destruct (Forall2_in_right _ _ _ _ H I) as ([n' d] & I' & E). apply Pair in E as [E (to & F' & R)].
    simpl in *. subst n'. exists to. split; auto. now rewrite R.
Qed.

(** Each word of the protocol leads through the states, and then on, if something follows. *)
Lemma word_leads_on ns : forall k row w rest to, find k states = Some row -> spells (rest_of row) ns ->
  Forall2 (fun n M => nth_error (layers_given q) n = Some M) ns w ->
  (forall j end_row, find j states = Some end_row -> may_end (rest_of end_row) = true ->
    leads_to (option nat) leads_on_to (Some j) rest to) ->
  leads_to (option nat) leads_on_to (Some k) (w ++ rest) to.
Proof.
  induction ns as [|n ns IH]; intros k row w rest to F S Fw End; inversion Fw; subst; simpl.
  - apply (End k row F). now apply may_end_spec.
  - destruct (spells_firsts _ _ S n ns eq_refl) as (d & I & Sd).
    destruct (proj1 (state_leads k row F) n d I) as (m & row' & Im & F' & <-).
    apply leads_on with (Some m); [|now apply (IH m row')].
    exists k, row. split; auto. split; auto. left. exists n, m. auto.
Qed.

Lemma possible_word_leads ls : possible_word q ls -> exists to, leads_to (option nat) leads_on_to (Some 0) ls to.
Proof.
  intros (ns & w & S & Fw & Rest). destruct first_state as (row & F & E). rewrite <- E in S.
  destruct Rest as [->|(O & N & Fol & ->)].
  - assert (X : exists to, leads_to (option nat) leads_on_to (Some 0) (w ++ []) to); [|now rewrite app_nil_r in X].
    clear E. revert row w F S Fw. generalize 0.
    induction ns as [|n ns IH]; intros k row w F S Fw; inversion Fw; subst; simpl.
    + exists (Some k). constructor.
    + destruct (spells_firsts _ _ S n ns eq_refl) as (d & I & Sd).
      destruct (proj1 (state_leads k row F) n d I) as (m & row' & Im & F' & <-).
      destruct (IH m row' _ F' Sd ltac:(eassumption)) as (to & H). exists to.
      apply leads_on with (Some m); auto. exists k, row. split; auto. split; auto. left. exists n, m. auto.
  - exists None. apply (word_leads_on ns 0 row w [N] None F S Fw). intros j end_row Fj M.
    apply leads_on with None; [|constructor]. exists j, end_row. auto 8.
Qed.

(** ** Layers *)

Lemma find_table n table : find n tables = Some table -> exists M, nth_error (layers_given q) n = Some M /\
  table = layer_table_of (shared_tags all) M.
Proof.
  unfold tables_given. rewrite find_index, nth_error_map. destruct (nth_error (layers_given q) n) as [M|]; [|discriminate].
  simpl. intro E. injection E as <-. eauto.
Qed.
Lemma find_table_of n M : nth_error (layers_given q) n = Some M ->
  find n tables = Some (layer_table_of (shared_tags all) M).
Proof. intro E. unfold tables_given. now rewrite find_index, nth_error_map, E. Qed.

Lemma sizes_in_table M i : find_or 0 i (sizes_in (layer_table_of (shared_tags all) M)) = size_of M i.
Proof. simpl. rewrite counts_after_spec. reflexivity. Qed.

(** What a step says of its layer. *)
Lemma step_left_spec s made : step_left q G tables s = Some made -> exists M, nth_error (layers_given q) (left_layer made) = Some M /\
  closed_cut all G M (fun e => In (fst e) (left_idle made)) (cut_at (left_cut made)) /\
  (forall i, is_behind made i = true -> In i (left_idle made) \/ cut_at (left_cut made) i < size_of M i) /\
  forall p x, action (program_over all M) x = Some (Put p) -> inside (cut_at (left_cut made)) x ->
    In (fst x) (senders_until (left_cut made) (uses_of p (uses_in (left_table made)))).
Proof.
  unfold step_left. destruct (find (step_layer s) tables) as [table|] eqn:F; [|discriminate].
  apply find_table in F as (M & E & ->). destruct (fits_layer q _ _ _ _ && _) eqn:C; [|discriminate].
  intro H. injection H as <-. apply andb_true_iff in C as [_ C]. exists M. cbn [left_layer left_idle left_cut left_idle_set left_table].
  split; [exact E|split; [|split]].
  - apply stuck_at_sound in C. apply closed_cut_more with (2 := C). intros e H. now apply set_of_spec.
  - intros i H. unfold is_behind in H. cbn [left_idle_set left_cut left_table] in H.
    apply orb_true_iff in H as [H|H]; [left; now apply set_of_spec|right].
    rewrite sizes_in_table in H. now apply Nat.ltb_lt.
  - intros p x A I. now apply senders_until_spec.
Qed.

(** ** Receives on a port *)

Lemma check_unfit_sound M p r x : check_unfit q G (layer_table_of (shared_tags all) M) p r x = true ->
  cannot_be_taken all G M r p (unfit_sender x).
Proof.
  unfold check_unfit. rewrite !andb_true_iff. intros [[[_ _] O] H]. unfold always_in_order in O. apply andb_true_iff in O as [K L].
  apply negb_true_iff in L. split; [exact K|split; [exact L|]]. rewrite sends_counted, receives_counted in H.
  destruct (unfit_receive x) as [|k]; [left; now apply Nat.leb_le|].
  right. destruct (receive_on _ _ k) as [e|] eqn:N; [|discriminate]. rewrite !andb_true_iff in H.
  destruct H as [[[B _] S] C]. apply receive_on_spec in N as [A Place]. exists e, (cut_at (index (unfit_upto x))).
  split; [exact A|split; [now apply Nat.ltb_lt|split]].
  - apply stuck_at_sound in S. apply closed_cut_more with (2 := S). intros y E. now apply pair_eqb_spec.
  - rewrite Place. apply Nat.leb_le in C. rewrite sends_counted_before in C. exact C.
Qed.

(** A closed set without the last receive, and whose messages that does not take. *)
Lemma check_last_sound M p upto u unfit r : check_last q G (layer_table_of (shared_tags all) M) p upto u unfit = true ->
  last_take (program_over all M) only_layer r p ->
  closed_cut all G M (eq r) (cut_at u) /\ forall x, In x unfit -> cannot_be_taken all G M r p (unfit_sender x).
Proof.
  unfold check_last. intros H La. destruct (last_receive_on _ _) as [e|] eqn:E; [|discriminate].
  apply (last_receive_on_spec all M p e r) in E; auto. subst e. rewrite !andb_true_iff, forallb_forall in H.
  destruct H as [[_ S] U]. split.
  - apply stuck_at_sound in S. apply closed_cut_more with (2 := S). intros y E. now apply pair_eqb_spec.
  - intros x I. now apply check_unfit_sound, U.
Qed.

(** ** Closed sets *)

(** What a message says of its sender. *)
Lemma sender_acts M s p : action (program_over all M) s = Some (Put p) ->
  exists j t, In (TSend (fst s) j t) M /\ j = fst (fst p) /\ (snd (fst p) = None \/ snd (fst p) = Some (fst s)).
Proof.
  cbn [action program_over]. unfold tagged_action.
  destruct (nth_error (tagged_share (fst s) M) (snd s)) as [a|] eqn:A; [|discriminate].
  apply nth_error_In, filter_In in A as [I F]. apply Nat.eqb_eq in F. destruct a as [i j t| |]; simpl in F |- *; try discriminate.
  subst i. intro E. injection E as <-. exists j, t. simpl. destruct (from_any all j t); auto.
Qed.

Section Hold.
Variables (p : tagged_port) (L : layer_program) (r : event) (unfit : list port_unfit) (sets : list port_set).
Variables (steps : list port_step) (made : list step_table).
Hypothesis Made : all_some (map (step_left q G tables) steps) = Some made.
Hypothesis Unfit : forall x, In x unfit -> cannot_be_taken all G L r p (unfit_sender x).
Notation safe := (set_of (map unfit_sender unfit)).

Lemma all_some_in {A} (l : list (option A)) : forall l' x, all_some l = Some l' -> In x l' -> In (Some x) l.
Proof.
  induction l as [|[y|] l IH]; simpl; intros l' x E I; [injection E as <-; destruct I| |discriminate].
  destruct (all_some l) as [l2|]; [|discriminate]. injection E as <-. destruct I as [->|I]; auto. right. now apply (IH l2).
Qed.

Lemma safe_cannot i : is_in i safe = true -> cannot_be_taken all G L r p i.
Proof. intro H. apply set_of_spec, in_map_iff in H as (x & <- & I). now apply Unfit. Qed.

(** The sets of the certificate; and none is blocked in what follows. *)
Definition sets_given (k : option nat) (B : proc -> Prop) :=
  (exists m s, find m (index sets) = Some s /\ k = Some (set_state s) /\ B = fun i => In i (set_blocked s)) \/
  (k = None /\ B = fun _ => False).

Lemma each_once_in l : forall seen k, In k l -> is_in k seen = true \/ In k (each_once seen l).
Proof.
  induction l as [|x l IH]; intros seen k I; [destruct I|]. simpl. destruct (is_in x seen) eqn:E.
  - destruct I as [->|I]; auto.
  - destruct I as [->|I]; [right; now left|]. destruct (IH (add x tt seen) k I) as [S|S]; [|right; now right].
    unfold is_in in S |- *. rewrite find_add in S. destruct (Nat.eqb_spec k x) as [->|N]; [right; now left|auto].
Qed.
Lemma steps_taken_in s x y st : In s sets -> In (x, y) (set_exits s) -> find x (index made) = Some st ->
  In st (steps_taken (index made) sets).
Proof.
  intros Is Ix F. apply in_flat_map. exists x. rewrite F. split; [|now left].
  destruct (each_once_in (flat_map (fun s => map fst (set_exits s)) sets) Leaf x) as [S|S]; [|discriminate|exact S].
  apply in_flat_map. exists s. split; auto. now apply (in_map fst) in Ix.
Qed.
Lemma through_at_end_in s row i : is_open q = true -> In s sets -> find (set_state s) states = Some row ->
  may_end (rest_of row) = true -> i < process_count q -> is_in i (set_of (set_blocked s)) = false ->
  In i (through_at_end q states sets).
Proof.
  intros O Is F End Lt N. unfold through_at_end. rewrite O. apply filter_In. split; [apply in_seq; lia|].
  apply existsb_exists. exists (set_of (set_blocked s)). split; [|now rewrite N].
  apply in_flat_map. exists s. rewrite F, End. split; auto. now left.
Qed.

Lemma sets_closed : forallb (check_set states (index made) (index sets)) sets = true ->
  check_senders p safe (steps_taken (index made) sets) (through_at_end q states sets) = true ->
  closed_sets all G (option nat) leads_on_to p L r sets_given.
Proof.
  intros H Senders. rewrite forallb_forall in H. unfold check_senders in Senders.
  rewrite andb_true_iff, !forallb_forall in Senders. destruct Senders as [Taken Through]. intros k1 B M k2 HB (k & row & -> & Fr & Next).
  destruct HB as [(m & s & Fs & E & ->)|[E _]]; [|discriminate]. injection E as ->.
  rewrite find_index in Fs. apply nth_error_In in Fs. specialize (H s Fs). unfold check_set in H. rewrite Fr in H.
  rename H into Exits.
  destruct Next as [(n & m' & I & EM & ->)|(O & End & Fol & ->)].
  - apply all2_spec in Exits. destruct (Forall2_in_left _ _ _ _ Exits I) as ([x y] & Ix & C).
    unfold check_exit in C. cbn [fst snd] in C. destruct (find x (index made)) as [st|] eqn:Fx; [|discriminate].
    destruct (find y (index sets)) as [next|] eqn:Fy; [|discriminate]. rewrite !andb_true_iff in C.
    destruct C as [[[C1 C2] C3] C4]. apply Nat.eqb_eq in C1, C3. rewrite forallb_forall in C2, C4.
    pose proof (Taken st (steps_taken_in s x y st Fs Ix Fx)) as C5. rewrite forallb_forall in C5.
    rewrite find_index in Fx. apply nth_error_In in Fx. apply (all_some_in _ _ _ Made), in_map_iff in Fx as (given & Left & _).
    apply step_left_spec in Left as (M' & EM' & Cl & Behind & Sends). rewrite C1, EM in EM'. injection EM' as <-.
    exists (cut_at (left_cut st)). split; [|split].
    + apply closed_cut_more with (2 := Cl). intros e Ie. apply set_of_spec. now apply C2.
    + exists (fun i => In i (set_blocked next)). split.
      * left. exists y, next. rewrite C3. auto.
      * intros i Ii. destruct (Behind i (C4 i Ii)) as [J|J]; [left|now right]. apply set_of_spec. now apply C2.
    + intros x' A In_. apply safe_cannot, C5. now apply Sends.
  - destruct (plays_exist all G M (fun e => In (fst e) (set_blocked s))) as (v & R & S). exists v. split; [exact S|split].
    + exists (fun _ => False). split; [right; auto|tauto].
    + intros x A Ix. destruct (sender_acts M x p A) as (j & t & I & Ej & From).
      destruct (Fol _ I) as [Lt Other]. simpl in Lt, Other.
      destruct (is_in (fst x) (set_of (set_blocked s))) eqn:B.
      { exfalso. apply set_of_spec in B. revert Ix. now apply (not_itself (relaxed_layer all G M) _ v x R). }
      specialize (Through _ (through_at_end_in s row (fst x) O Fs Fr End Lt B)). apply orb_true_iff in Through as [F|F].
      * now apply safe_cannot.
      * exfalso. unfold may_send_to in F. rewrite negb_andb, negb_involutive in F. apply orb_true_iff in F as [F|F].
        -- apply Nat.eqb_eq in F. congruence.
        -- destruct From as [F'|F']; rewrite F' in F; [discriminate|]. now rewrite Nat.eqb_refl in F.
Qed.
End Hold.

(** An accepted hold keeps away what follows. *)
Lemma check_hold_sound steps made h x k1 M k2 r : all_some (map (step_left q G tables) steps) = Some made ->
  check_hold q G tables states (index made) h = true -> In x (hold_lasts h) ->
  leads_on_to (Some k1) M k2 -> k2 <> None -> nth_error (layers_given q) (hold_layer x) = Some M ->
  (exists row m, find k1 states = Some row /\ In (hold_layer x, m) (next_states row) /\ k2 = Some m) ->
  last_take (program_over all M) only_layer r (hold_port x) ->
  keeps_away all G (option nat) leads_on_to (hold_port x) M r k2.
Proof.
  intros Made H Ix Next Some_ EM (row & m & Fr & Ir & ->) La. unfold check_hold in H. apply andb_true_iff in H as [H7 H].
  rewrite forallb_forall in H. specialize (H x Ix). rewrite (find_table_of _ M EM) in H.
  rewrite !andb_true_iff in H. destruct H as [[H1 H6] H9]. unfold check_starts in H6. rewrite forallb_forall in H6.
  apply (check_last_sound M (hold_port x) _ _ _ r) in H1 as [Cl Unfit]; auto.
  exists (cut_at (index (hold_upto x))), (sets_given (hold_sets h)). split; [exact Cl|split].
  - now apply (sets_closed (hold_port x) M r (hold_unfit x) (hold_sets h) steps made Made).
  - unfold states_given in Fr. rewrite find_index in Fr. apply nth_error_In in Fr. specialize (H6 row Fr).
    rewrite forallb_forall in H6. specialize (H6 _ Ir). cbn [fst snd] in H6. rewrite Nat.eqb_refl in H6. simpl in H6.
    apply existsb_exists in H6 as (k & _ & H6). destruct (find k (index (hold_sets h))) as [s|] eqn:Fx; [|discriminate].
    apply andb_true_iff in H6 as [H6 H8]. apply Nat.eqb_eq in H6. rewrite forallb_forall in H8.
    exists (fun i => In i (set_blocked s)). split.
    + left. exists k, s. rewrite H6. auto.
    + intros i I. right. rewrite <- (sizes_in_table M i). apply Nat.ltb_lt. now apply H8.
Qed.

(** ** What is needed *)

Lemma keeps_own_order_spec g p : keeps_own_order g p = true -> keeps_order g = true /\ may_lose g = false /\ snd (fst p) <> None.
Proof.
  unfold keeps_own_order, always_in_order. rewrite !andb_true_iff, negb_true_iff. intros [[K L] S]. split; [exact K|].
  split; [exact L|]. destruct (snd (fst p)); discriminate.
Qed.

Lemma port_set_of_spec l p : (exists v, find_port p (port_set_of l) = Some v) <-> In p l.
Proof.
  induction l as [|x l IH]; simpl; [split; [now intros (v & H)|tauto]|]. rewrite find_add_port.
  destruct (port_eqb p x) eqn:E.
  - apply port_eqb_spec in E. subst x. split; eauto.
  - rewrite IH. split; [auto|]. intros [->|I]; auto. assert (port_eqb p p = true) by now apply port_eqb_spec. congruence.
Qed.

Lemma holds_map_spec holds n p t : find_port p (holds_map holds) = Some t -> is_in n t = true ->
  exists h, In h holds /\ hold_layer h = n /\ hold_port h = p.
Proof.
  revert t. induction holds as [|h holds IH]; simpl; intros t F I; [discriminate|]. rewrite find_add_port in F.
  destruct (port_eqb p (hold_port h)) eqn:E.
  - apply port_eqb_spec in E. subst p. injection F as <-. unfold is_in in I. rewrite find_add in I.
    destruct (Nat.eqb_spec n (hold_layer h)) as [->|N]; [exists h; auto|].
    destruct (find_port (hold_port h) (holds_map holds)) as [t|] eqn:F'; [|discriminate].
    destruct (IH t eq_refl I) as (h' & A & B). exists h'. auto.
  - destruct (IH t F I) as (h' & A & B). exists h'. auto.
Qed.

Section Used.
Variables (x : port_used).
Notation p := (used_port x).
Hypothesis Used : check_used q tables states x = true.

Lemma touches_used n M : nth_error (layers_given q) n = Some M -> layer_touches all M p ->
  match find n tables with Some t => is_used p t | None => false end = true.
Proof.
  intros E (e & A). rewrite (find_table_of n M E). unfold is_used. destruct (find_port p _) eqn:F; auto. exfalso.
  apply (port_known all M p e) in A. now apply (ports_found _ _ _ _ (uses_indexed all M p)) in A.
Qed.

Lemma check_used_row k row to : find k states = Some row -> In to (next_states row) ->
  (if match find (fst to) tables with Some t => is_used p t | None => false end
   then negb (is_open q) && negb (is_in k (set_of (used_states x))) && is_in (snd to) (set_of (used_states x))
   else negb (is_in k (set_of (used_states x))) || is_in (snd to) (set_of (used_states x))) = true.
Proof.
  intros F I. unfold check_used in Used. apply all2_spec in Used. unfold states_given in F. rewrite find_index in F.
  assert (H : forall (f : nat -> state_row -> bool) rows a, Forall2 (fun k row => f k row = true) (seq a (length rows)) rows ->
    forall k row, nth_error rows k = Some row -> f (a + k) row = true).
  { induction rows as [|y rows IH]; intros a Fa [|j] z Ez; simpl in *; try discriminate; inversion Fa; subst.
    - injection Ez as ->. now rewrite Nat.add_0_r.
    - rewrite <- Nat.add_succ_comm. now apply (IH (S a)). }
  specialize (H _ _ _ Used k row F). simpl in H. rewrite forallb_forall in H. now apply H.
Qed.

(** Once a layer has used the port, no later one does. *)
Lemma no_more_uses w : forall k to, leads_to (option nat) leads_on_to (Some k) w to ->
  is_in k (set_of (used_states x)) = true -> is_open q = false -> forall M, In M w -> ~ layer_touches all M p.
Proof.
  induction w as [|N w IH]; intros k to H U O M I T; [destruct I|]. inversion H as [|? ? k2 ? ? Nx H2]; subst.
  destruct Nx as (k0 & row & E & F & [(n & m & Il & En & ->)|(O' & _)]); [|congruence]. injection E as <-.
  pose proof (check_used_row k row (n, m) F Il) as C. cbn [fst snd] in C. destruct I as [->|I].
  - rewrite (touches_used n M En T) in C. rewrite U in C. simpl in C. now rewrite andb_false_r in C.
  - apply (IH m to H2) with (M := M); auto.
    destruct (match find n tables with Some t => _ | None => _ end); [now apply andb_true_iff in C|].
    rewrite U in C. exact C.
Qed.

Lemma used_once : forall pre k L mid M post to, leads_to (option nat) leads_on_to (Some k) (pre ++ L :: mid ++ M :: post) to ->
  ~ (layer_touches all L p /\ layer_touches all M p).
Proof.
  induction pre as [|N pre IH]; intros k L mid M post to H [T T']; simpl in H; inversion H as [|? ? k2 ? ? Nx H2]; subst.
  - destruct Nx as (k0 & row & E & F & [(n & m & Il & En & ->)|(_ & _ & _ & ->)]).
    + pose proof (check_used_row k0 row (n, m) F Il) as C. cbn [fst snd] in C.
      rewrite (touches_used n L En T), !andb_true_iff in C. destruct C as [[O _] U]. apply negb_true_iff in O.
      apply (no_more_uses (mid ++ M :: post) m to H2 U O M); auto. apply in_or_app. right. now left.
    + destruct mid; inversion H2 as [|? ? k3 ? ? (k4 & row' & E' & _) _]; discriminate.
  - destruct k2 as [k2|]; [now apply (IH k2 L mid M post to H2)|].
    destruct pre; inversion H2 as [|? ? k3 ? ? (k4 & row' & E' & _) _]; discriminate.
Qed.
End Used.

End Correct.

(** ** The theorem *)

(** If the certificate is accepted, no receives overlap, and no port is a root cause in any word that is possible, except
    for [roots]. *)
Theorem check_yes_correct : forall q roots steps holds used, check_yes q roots steps holds used = true ->
  no_overlap (concat (layers_given q)) /\
  forall p, ~ In p roots -> forall w, possible_word q w ->
  ~ faulty_root_port (word_program (concat (layers_given q)) w) (layer_in w) (port_guarantee q) p.
Proof.
  intros q roots steps holds used H. unfold check_yes in H. rewrite !andb_true_iff in H. destruct H as [[No St] H].
  destruct (all_some _) as [made|] eqn:Made; [|discriminate]. rewrite !andb_true_iff, !forallb_forall in H.
  destruct H as [[Holds Used] Needed]. set (all := concat (layers_given q)) in *. split.
  - intros j i t Any Named. unfold overlaps_none in No. rewrite forallb_forall in No. specialize (No _ Named).
    simpl in No. apply from_any_spec in Any. rewrite <- shared_tags_spec in Any. unfold all in Any.
    rewrite Any in No. discriminate.
  - intros p Np w Pw. destruct (possible_word_leads q St w Pw) as (to & Lw).
    unfold check_needed in Needed. rewrite forallb_forall in Needed.
    assert (Layer : forall n M, nth_error (layers_given q) n = Some M -> let table := layer_table_of (shared_tags all) M in
      balanced_layers (program_over all M) only_layer /\ forall e a, action (program_over all M) e = Some a ->
      a = Put p \/ a = Take p -> if may_copy (port_guarantee q p) then exists x, In x used /\ used_port x = p
      else a = Take p -> (keeps_order (port_guarantee q p) = true /\ may_lose (port_guarantee q p) = false /\ snd (fst p) <> None) \/
        exists h x, In h holds /\ In x (hold_lasts h) /\ hold_layer x = n /\ hold_port x = p).
    { intros n M E table. assert (X : In n (seq 0 (length (layers_given q)))).
      { apply in_seq. split; [lia|]. simpl. apply nth_error_Some. congruence. }
      specialize (Needed n X). rewrite (find_table_of q n M E) in Needed. apply andb_true_iff in Needed as [Bal Each].
      split; [now apply is_balanced_sound|]. intros e a A On. rewrite forallb_forall in Each.
      assert (I : In p (ports_in table)) by (apply (port_known all M p e); destruct On as [->| ->]; auto). specialize (Each p I).
      destruct (find_port p (port_set_of roots)) as [v|] eqn:R; [exfalso; apply Np, port_set_of_spec; eauto|].
      simpl in Each. destruct (may_copy (port_guarantee q p)).
      - destruct (find_port p (port_set_of (map used_port used))) as [v|] eqn:U; [|discriminate].
        assert (J : In p (map used_port used)) by (apply port_set_of_spec; eauto).
        apply in_map_iff in J as (x & <- & J). eauto.
      - intros ->. apply receive_known in A. unfold takes_nothing in Each. fold table in A.
        destruct (receive_places _) in A, Each; [destruct A|]. simpl in Each. apply orb_true_iff in Each as [Each|Each].
        + left. now apply keeps_own_order_spec.
        + right. destruct (find_port p (holds_map (flat_map hold_lasts holds))) as [t|] eqn:F; [|discriminate].
          destruct (holds_map_spec (flat_map hold_lasts holds) n p t F Each) as (x & I' & E').
          apply in_flat_map in I' as (h & Ih & Ix). exists h, x. tauto. }
    assert (From : forall k1 M k2, leads_on_to q k1 M (Some k2) -> exists n k row, k1 = Some k /\
      find k (states_given q) = Some row /\ In (n, k2) (next_states row) /\ nth_error (layers_given q) n = Some M).
    { intros k1 M k2 (k & row & -> & F & [(n & m & I & E & Q)|(_ & _ & _ & Q)]); [|discriminate]. injection Q as ->.
      exists n, k, row. auto. }
    apply (certificates_of_port all (port_guarantee q) (option nat) (leads_on_to q) (Some 0) p) with (q := to); auto.
    + intros k1 M k2 N k3 N1 (k & row & -> & _). destruct (From k1 M k N1) as (n & _ & _ & _ & _ & _ & E).
      now apply (Layer n M).
    + intros pre L mid M post k Lw' C [T T'].
      assert (X : exists x, In x used /\ used_port x = p).
      { assert (Tn : exists n, nth_error (layers_given q) n = Some L).
        { apply leads_app in Lw' as (k1 & _ & Lw'). inversion Lw' as [|? ? k2 ? ? N1 Lw2]; subst.
          destruct k2 as [k2|]; [destruct (From _ _ _ N1) as (n & _ & _ & _ & _ & _ & E); eauto|].
          destruct mid; inversion Lw2 as [|? ? k3 ? ? (k4 & row' & E' & _) _]; discriminate. }
        destruct Tn as (n & E). destruct T as (e & A). destruct (Layer n L E) as [_ Y].
        destruct A as [A|A]; specialize (Y e _ A ltac:(auto)); now rewrite C in Y. }
      destruct X as (x & I & <-). apply (used_once q x (Used x I) pre 0 L mid M post k Lw'). auto.
    + intros k1 L k2 r N1 C La. destruct k2 as [k2|].
      * destruct (From _ _ _ N1) as (n & k & row & -> & F & I & E). destruct (Layer n L E) as [_ Y].
        specialize (Y r _ (proj1 La) (or_intror eq_refl)). rewrite C in Y.
        destruct (Y eq_refl) as [Sole|(h & x & Ih & Ix & <- & <-)]; [left; exact Sole|right].
        apply (check_hold_sound q steps made h x k L (Some k2) r Made (Holds h Ih) Ix); auto; [discriminate|].
        exists row, k2. auto.
      * right. destruct (plays_exist all (port_guarantee q) L (eq r)) as (u & _ & S). exists u, (fun k B => k = None).
        split; [exact S|split].
        -- intros k3 B M k4 -> (k & row & E & _). discriminate.
        -- exists (fun _ => False). split; auto. tauto.
Qed.
