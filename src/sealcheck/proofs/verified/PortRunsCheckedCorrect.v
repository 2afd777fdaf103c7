(** * Playing runs over ports is right

    The theorems about [PortRunsChecked] are [check_root_correct] and, with the closed sets of [PortsCheckedCorrect],
    [check_ports_correct]. *)

From Coq Require Import List Arith Lia PeanoNat Bool Sorted.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortLanguages PortCertificates KnowledgeDecider Certificates Tries RunsChecked.
From Sealcheck Require Import PortTables PortExpressions PortsChecked PortsCheckedCorrect PortRunsChecked.
Open Scope nat_scope.

(** ** The events of a word *)

Section Word.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).
Notation shared := (shared_tags all).

Lemma word_events_spec ls : forall pre count, (forall i, find_or 0 i count = start_of pre i) -> forall e a n,
  In (e, (a, n)) (word_events shared (length pre) count ls) <->
  start_of pre (fst e) <= snd e /\ action (word_program all (pre ++ ls)) e = Some a /\ layer_in (pre ++ ls) e = n.
Proof.
  induction ls as [|M ls IH]; intros pre count Count [i k] a n; cbn [word_events fst snd].
  - rewrite app_nil_r. split; [intros []|]. intros (L & A & _).
    assert (k < start_of pre i); [|lia]. unfold start_of. apply nth_error_Some. cbn [action word_program program_over] in A.
    unfold tagged_action in A. cbn [fst snd] in A. destruct (nth_error (tagged_share i (concat pre)) k); [discriminate|discriminate].
  - assert (Next : forall i, find_or 0 i (counts_after count M) = start_of (pre ++ [M]) i).
    { intro j. rewrite counts_after_spec, start_next, Count. reflexivity. }
    specialize (IH (pre ++ [M]) _ Next (i, k) a n). rewrite app_length in IH. simpl length in IH.
    rewrite Nat.add_1_r in IH. rewrite in_app_iff, IH, start_next, <- app_assoc. cbn [fst snd app]. clear IH.
    rewrite in_map_iff. split.
    + intros [([e' b] & E & I)|(L & A & Ly)].
      * cbn [fst snd] in E. injection E as -> <- <-. apply number_events_spec in I as [L I]. rewrite Count in *.
        assert (Lt : k - start_of pre i < size_of M i).
        { unfold size_of. apply nth_error_Some. destruct (nth_error _ _); discriminate. }
        split; [exact L|]. assert (Ee : (i, k) = in_word pre (i, k - start_of pre i)).
        { unfold in_word. simpl. f_equal. lia. }
        rewrite Ee, (action_in_word all pre ls M (i, k - start_of pre i) Lt).
        split; [exact I|now apply in_word_layer].
      * split; [lia|auto].
    + intros (L & A & Ly). destruct (le_lt_dec (start_of pre i + size_of M i) k) as [Le|Lt]; [right; auto|left].
      assert (Ee : (i, k) = in_word pre (i, k - start_of pre i)) by (unfold in_word; simpl; f_equal; lia).
      assert (Lt' : snd (i, k - start_of pre i) < size_of M (fst (i, k - start_of pre i))) by (simpl; lia).
      exists ((i, k), a). cbn [fst snd]. split.
      * rewrite Ee, (in_word_layer pre ls M _ Lt') in Ly. now rewrite Ly.
      * apply number_events_spec. rewrite Count. split; [exact L|]. rewrite Ee, (action_in_word all pre ls M _ Lt') in A.
        exact A.
Qed.
End Word.

(** ** Runs of the same word *)

Lemma check_roots_spec q states layers G shared roots : forall before,
  match before with
  | Some (way, w) => forall x, root_exits x = way -> root_later x = [] ->
      option_map (word_of shared) (root_word q states layers x) = Some w
  | None => True
  end -> check_roots q states layers G shared before roots = all_some (map (check_root q states layers G shared) roots).
Proof.
  induction roots as [|x roots IH]; intros before B; auto. cbn [check_roots map all_some].
  assert (Made : match before, root_later x with
    | Some (way, w), [] =>
        if all2 Nat.eqb way (root_exits x) then Some w else option_map (word_of shared) (root_word q states layers x)
    | _, _ => option_map (word_of shared) (root_word q states layers x)
    end = option_map (word_of shared) (root_word q states layers x)).
  { destruct before as [[way w]|]; auto. destruct (root_later x) eqn:La; auto. destruct (all2 _ _ _) eqn:E; auto.
    apply all2_spec in E. symmetry. apply B; auto. clear - E. induction E as [|k m u v K E IH]; auto.
    apply Nat.eqb_eq in K. now subst. }
  rewrite Made. unfold check_root at 1, play_root. destruct (root_word q states layers x) as [ls|] eqn:W; auto. simpl option_map.
  cbv iota. destruct (play_in G (word_of shared ls) x) as [ends|]; auto. rewrite IH; auto.
  destruct (root_later x) as [|a l] eqn:La; [|exact B]. intros y S N. unfold root_word in *. rewrite S, N. rewrite La in W.
  now rewrite W.
Qed.

(** ** The run that is played *)

Section Played.
Variables (all : list tagged_act) (G : tagged_port -> guarantee) (ls : list layer_program).
Notation P := (word_program all ls).
Notation layer := (layer_in ls).
Variable table : trie (trie (port_action tagged_port * nat)).
Hypothesis Table : forall e a n, find_event e table = Some (a, n) <-> action P e = Some a /\ layer e = n.

(** What the state knows of a run. *)
Record plays_run (lost : list event) (h : list move) (st : play_state) : Prop := {
  runs_played : faulty_runs P G lost h;
  played_is : forall i, find_or 0 i (played_by st) = done h i;
  kept_sorted : forall p i, StronglySorted lt (kept_from p i (kept_in st));
  kept_is : forall p s, In (snd s) (kept_from p (fst s) (kept_in st)) <->
    action P s = Some (Put p) /\ ~ In s lost /\ (may_copy (G p) = true \/ forall e, ~ In (Receives e s) h)
}.

Lemma kept_from_keep p i l m p' i' : kept_from p' i' (keep p i l m) =
  if port_eqb p' p && (i' =? i) then l else kept_from p' i' m.
Proof.
  unfold kept_from, keep. rewrite find_add_port. destruct (port_eqb p' p) eqn:E; simpl; auto.
  apply port_eqb_spec in E. subst p'. rewrite find_or_add. destruct (i' =? i); auto.
  destruct (find_port p m); auto.
Qed.

Lemma split_at_spec k : forall l a b, split_at k l = Some (a, b) -> l = a ++ k :: b.
Proof.
  induction l as [|x l IH]; simpl; intros a b E; [discriminate|]. destruct (Nat.eqb_spec x k) as [->|N].
  - injection E as <- <-. reflexivity.
  - destruct (split_at k l) as [[a' b']|]; [|discriminate]. injection E as <- <-. simpl. f_equal. now apply IH.
Qed.

Lemma sorted_app (a b : list nat) k : StronglySorted lt (a ++ k :: b) ->
  (forall x, In x a -> x < k) /\ (forall x, In x b -> k < x) /\ StronglySorted lt b /\ StronglySorted lt (a ++ b).
Proof.
  induction a as [|y a IH]; simpl; intro S; inversion S as [|? ? S' F]; subst.
  - repeat split; auto; try tauto. now apply Forall_forall.
  - destruct (IH S') as (A & B & C & D). rewrite Forall_forall in F. split; [|split; [exact B|split; [exact C|]]].
    + intros x [<-|I]; auto. apply F, in_or_app. right. now left.
    + constructor; auto. apply Forall_forall. intros x I. apply F. apply in_app_or in I. apply in_or_app. simpl. tauto.
Qed.

Lemma available_kept lost h st p s : plays_run lost h st -> available P G lost h p s <->
  In (snd s) (kept_from p (fst s) (kept_in st)) /\ happened st s = true.
Proof.
  intros R. rewrite (kept_is _ _ _ R p s). unfold available, happened. rewrite (played_is _ _ _ R), Nat.ltb_lt.
  unfold inside. tauto.
Qed.

(** Older messages of a sender can be lost, one after the other. *)
Lemma lose_older p i older : forall lost h st rest, may_lose (G p) = true -> may_copy (G p) = false -> plays_run lost h st ->
  kept_from p i (kept_in st) = older ++ rest -> (forall k, In k older -> k < find_or 0 i (played_by st)) ->
  exists lost', plays_run lost' h {| kept_in := keep p i rest (kept_in st); played_by := played_by st |}.
Proof.
  induction older as [|k older IH]; intros lost h st rest L C R K Sent.
  - exists lost. simpl in K. destruct R as [R1 R2 R3 R4]. constructor; cbn [kept_in played_by]; auto.
    + intros p' i'. rewrite kept_from_keep. destruct (port_eqb p' p && (i' =? i)) eqn:E; auto.
      apply andb_true_iff in E as [E1 E2]. rewrite <- K. apply R3.
    + intros p' s. rewrite kept_from_keep, <- R4. destruct (port_eqb p' p && (fst s =? i)) eqn:E; [|reflexivity].
      apply andb_true_iff in E as [E1 E2]. apply port_eqb_spec in E1. apply Nat.eqb_eq in E2. subst p' i. now rewrite K.
  - assert (Av : available P G lost h p (i, k)).
    { apply (available_kept lost h st p (i, k) R). simpl. rewrite K. split; [now left|]. apply Nat.ltb_lt. apply Sent. now left. }
    pose proof (kept_sorted _ _ _ R p i) as So. rewrite K in So.
    assert (R' : plays_run ((i, k) :: lost) h {| kept_in := keep p i (older ++ rest) (kept_in st); played_by := played_by st |}).
    { destruct R as [R1 R2 R3 R4]. constructor; cbn [kept_in played_by]; auto.
      - now apply faulty_loses with p.
      - intros p' i'. rewrite kept_from_keep. destruct (port_eqb p' p && (i' =? i)); auto. now inversion So.
      - intros p' s. rewrite kept_from_keep. specialize (R4 p' s).
        destruct (port_eqb p' p && (fst s =? i)) eqn:E.
        + apply andb_true_iff in E as [E1 E2]. apply port_eqb_spec in E1. apply Nat.eqb_eq in E2. subst p' i.
          rewrite K in R4. simpl in R4. destruct s as [j x]. cbn [fst snd] in *.
          inversion So as [|? ? _ F]; subst. rewrite Forall_forall in F. split.
          * intro I. pose proof (F x I) as Lt. destruct R4 as [R4 _].
            destruct (R4 (or_intror I)) as (A & B & D). split; [exact A|split; [|exact D]].
            intros [Q|Q]; [injection Q; lia|contradiction].
          * intros (A & B & D). simpl in B. assert (Q : k = x \/ In x (older ++ rest)).
            { apply R4. split; [exact A|split; [tauto|exact D]]. }
            destruct Q as [->|Q]; [|exact Q]. exfalso. apply B. now left.
        + rewrite R4. split.
          * intros (A & B & D). split; [exact A|split; [|exact D]]. intros [Q|Q]; [|contradiction]. subst s.
            destruct Av as [Av _]. rewrite Av in A. injection A as ->. simpl in E.
            assert (T : port_eqb p' p' = true) by now apply port_eqb_spec. now rewrite T, Nat.eqb_refl in E.
          * intros (A & B & D). simpl in B. tauto. }
    destruct (IH _ h _ rest L C R') as (lost' & R2).
    + cbn [kept_in]. rewrite kept_from_keep. assert (T : port_eqb p p = true) by now apply port_eqb_spec.
      now rewrite T, Nat.eqb_refl.
    + cbn [played_by]. intros x I. apply Sent. now right.
    + exists lost'. destruct R2 as [A B C1 D]. constructor; auto; cbn [kept_in played_by] in *.
      * intros p' i'. specialize (C1 p' i'). rewrite !kept_from_keep in *. now destruct (port_eqb p' p && (i' =? i)).
      * intros p' s. specialize (D p' s). rewrite !kept_from_keep in *. now destruct (port_eqb p' p && (fst s =? i)).
Qed.

Lemma done_after m h i : done (m :: h) i = if fst (event_of m) =? i then S (done h i) else done h i.
Proof. unfold done. simpl. destruct (fst (event_of m) =? i); auto. Qed.

Lemma play_move_sound taken lost h st e st' got : plays_run lost h st -> play_move G table taken st e = Some (st', got) ->
  exists lost' m, plays_run lost' (m :: h) st' /\ event_of m = e /\
  match got with
  | None => m = Does e
  | Some (s, same) => m = Receives e s /\ (same = true <-> layer e = layer s)
  end.
Proof.
  intros R H. unfold play_move in H. destruct (Nat.eqb_spec (snd e) (find_or 0 (fst e) (played_by st))) as [At|]; [|discriminate].
  rewrite (played_is _ _ _ R) in At. assert (Ee : e = (fst e, done h (fst e))) by (rewrite <- At; now destruct e).
  destruct (find_event e table) as [[a n]|] eqn:F; [|discriminate]. apply Table in F as [A Ly].
  assert (Reach : forall m, event_of m = e -> forall i,
    find_or 0 i (add (fst e) (S (snd e)) (played_by st)) = done (m :: h) i).
  { intros m M i. rewrite find_or_add, done_after, M, (Nat.eqb_sym (fst e)). destruct (Nat.eqb_spec i (fst e)) as [->|]; [lia|].
    apply (played_is _ _ _ R). }
  assert (Step : forall b, action P e = Some b -> (forall p, b <> Take p) ->
    plays_run lost (Does e :: h) {| kept_in := kept_in st; played_by := add (fst e) (S (snd e)) (played_by st) |}).
  { intros b B N. destruct R as [R1 R2 R3 R4]. constructor; cbn [kept_in played_by]; auto.
    - rewrite Ee. apply faulty_does with b; auto. now rewrite <- Ee.
    - intros p s. rewrite R4. simpl. split; intros (X & Y & [Z|Z]); repeat split; auto; right; intros x.
      + intros [Q|Q]; [discriminate|now apply (Z x)].
      + intro Q. now apply (Z x); right. }
  destruct a as [p|p|].
  - injection H as <- <-. exists lost, (Does e). split; [apply (Step (Put p)); auto; discriminate|auto].
  - destruct (find_event e taken) as [s|]; [|discriminate]. destruct (find_event s table) as [[b m]|] eqn:Fs; [|discriminate].
    destruct (split_at (snd s) (kept_from p (fst s) (kept_in st))) as [[older younger]|] eqn:Sp; [|discriminate].
    destruct (happened st s) eqn:Hs; [|discriminate]. apply Table in Fs as [_ Ls]. apply split_at_spec in Sp.
    pose proof (kept_sorted _ _ _ R p (fst s)) as So. rewrite Sp in So. destruct (sorted_app _ _ _ So) as (Old & Young & SY & SA).
    assert (Teq : port_eqb p p = true) by now apply port_eqb_spec.
    assert (Done : forall lost1 st1, plays_run lost1 h st1 -> played_by st1 = played_by st ->
      kept_from p (fst s) (kept_in st1) = match may_copy (G p), keeps_order (G p) with
        | false, true => snd s :: younger | _, _ => older ++ snd s :: younger end ->
      (forall p' i', port_eqb p' p && (i' =? fst s) = false -> kept_from p' i' (kept_in st1) = kept_from p' i' (kept_in st)) ->
      forall l, l = (if may_copy (G p) then older ++ snd s :: younger
                     else if negb (keeps_order (G p)) then older ++ younger else younger) ->
      plays_run lost1 (Receives e s :: h)
        {| kept_in := keep p (fst s) l (kept_in st); played_by := add (fst e) (S (snd e)) (played_by st) |}).
    { intros lost1 st1 R' Eb Ek Eo l El. pose proof R' as [R1 R2 R3 R4].
      assert (Av : available P G lost1 h p s).
      { apply (available_kept lost1 h st1 p s R'). rewrite Ek. unfold happened in *. rewrite Eb. split; [|exact Hs].
        destruct (may_copy (G p)), (keeps_order (G p)); try (apply in_or_app; right; now left). now left. }
      constructor; cbn [kept_in played_by].
      - rewrite Ee at 1. apply faulty_receives with p; auto; [now rewrite <- Ee|]. intros K C s' Av' Fs'.
        apply (available_kept lost1 h st1 p s' R') in Av' as [I _]. rewrite Fs', Ek, C, K in I. destruct I as [->|I]; auto.
        apply Young in I. lia.
      - now apply Reach.
      - intros p' i'. rewrite kept_from_keep. destruct (port_eqb p' p && (i' =? fst s)) eqn:E.
        + subst l. destruct (may_copy (G p)); auto. destruct (keeps_order (G p)); auto.
        + rewrite <- (Eo p' i' E). apply R3.
      - intros p' s'. rewrite kept_from_keep. specialize (R4 p' s'). destruct (port_eqb p' p && (fst s' =? fst s)) eqn:E.
        + apply andb_true_iff in E as [E1 E2]. apply port_eqb_spec in E1. apply Nat.eqb_eq in E2. subst p'.
          rewrite E2, Ek in R4. subst l. destruct (may_copy (G p)) eqn:C.
          * rewrite R4. intuition.
          * assert (Mem : In (snd s') (if negb (keeps_order (G p)) then older ++ younger else younger) <->
              In (snd s') (if keeps_order (G p) then snd s :: younger else older ++ snd s :: younger) /\ s' <> s).
            { assert (Ne : s' <> s <-> snd s' <> snd s).
              { split; intros N Q; apply N; [destruct s, s'; simpl in *; congruence|now rewrite Q]. }
              rewrite Ne. destruct (keeps_order (G p)); simpl; rewrite ?in_app_iff; simpl; split.
              - intro I. split; auto. apply Young in I. lia.
              - intros [[Q|I] N]; [congruence|auto].
              - intros [I|I]; (split; [auto|]); [apply Old in I|apply Young in I]; lia.
              - intros [[I|[Q|I]] N]; [auto|congruence|auto]. }
            rewrite Mem. clear Mem. replace (if keeps_order (G p) then snd s :: younger else older ++ snd s :: younger)
              with (match keeps_order (G p) with true => snd s :: younger | false => older ++ snd s :: younger end) by auto.
            rewrite R4. split.
            -- intros [(X & Y & Z) N]. split; [exact X|split; [exact Y|right]]. destruct Z as [Z|Z]; [discriminate|].
               intros x [Q|Q]; [injection Q as _ Q; congruence|now apply (Z x)].
            -- intros (X & Y & [Z|Z]); [discriminate|]. split.
               ++ split; [exact X|split; [exact Y|right]]. intros x Q. apply (Z x). now right.
               ++ intros ->. apply (Z e). now left.
        + rewrite <- (Eo p' (fst s') E), R4. split.
          * intros (X & Y & Z). split; [exact X|split; [exact Y|]]. destruct Z as [Z|Z]; [auto|right].
            intros x [Q|Q]; [|now apply (Z x)]. injection Q as _ <-. destruct Av as [Av _]. rewrite Av in X. injection X as <-.
            now rewrite Teq, Nat.eqb_refl in E.
          * intros (X & Y & Z). split; [exact X|split; [exact Y|]]. destruct Z as [Z|Z]; [auto|right].
            intros x Q. apply (Z x). now right. }
    assert (Fin : forall lost1 l, plays_run lost1 (Receives e s :: h)
        {| kept_in := keep p (fst s) l (kept_in st); played_by := add (fst e) (S (snd e)) (played_by st) |} ->
      Some ({| kept_in := keep p (fst s) l (kept_in st); played_by := add (fst e) (S (snd e)) (played_by st) |}, Some (s, n =? m)) =
        Some (st', got) ->
      exists lost' m0, plays_run lost' (m0 :: h) st' /\ event_of m0 = e /\
      match got with None => m0 = Does e | Some (s, same) => m0 = Receives e s /\ (same = true <-> layer e = layer s) end).
    { intros lost1 l R' Q. injection Q as <- <-. exists lost1, (Receives e s). split; auto. split; auto. split; auto.
      rewrite Nat.eqb_eq. subst. tauto. }
    destruct (may_copy (G p)) eqn:C; [|destruct (keeps_order (G p)) eqn:K; simpl in H].
    + eapply Fin; [|exact H]. apply (Done lost st R eq_refl); auto.
    + destruct (may_lose (G p)) eqn:Lo.
      * destruct (lose_older p (fst s) older lost h st (snd s :: younger) Lo C R Sp) as (lost1 & R1).
        { intros k I. unfold happened in Hs. apply Nat.ltb_lt in Hs. apply Old in I. lia. }
        eapply Fin; [|exact H]. apply (Done lost1 _ R1 eq_refl); auto; cbn [kept_in].
        -- rewrite kept_from_keep, Teq, Nat.eqb_refl. reflexivity.
        -- intros p' i' E. now rewrite kept_from_keep, E.
      * destruct older; [|discriminate]. eapply Fin; [|exact H]. apply (Done lost st R eq_refl); auto.
    + eapply Fin; [|exact H]. apply (Done lost st R eq_refl); auto.
  - injection H as <- <-. exists lost, (Does e). split; [apply (Step Inner); auto; discriminate|auto].
Qed.

Lemma play_move_takes taken st e st' s same : play_move G table taken st e = Some (st', Some (s, same)) ->
  find_event e taken = Some s.
Proof.
  unfold play_move. destruct (_ =? _); [|discriminate]. destruct (find_event e table) as [[[p|p|] n]|]; try discriminate.
  destruct (find_event e taken) as [y|]; [|discriminate]. destruct (find_event y table) as [[a m]|]; [|discriminate].
  destruct (split_at _ _) as [[older younger]|]; [|discriminate]. destruct (happened st y); [|discriminate].
  destruct (if may_copy (G p) then _ else _); [|discriminate]. intro H. now injection H as _ <- _.
Qed.

(** The run up to the last event, which takes a message of another layer; its receives take the messages that they are
    said to take. *)
Lemma play_moves_sound taken order : forall lost h st received e s k, plays_run lost h st -> own_layers layer h ->
  (forall e' s', In (Receives e' s') h -> find_event e' taken = Some s') ->
  play_moves G table taken st received order = Some (e, s, k) -> exists lost' h',
  faulty_runs P G lost' (Receives e s :: h') /\ own_layers layer h' /\ layer e <> layer s /\
  forall e' s', In (Receives e' s') (Receives e s :: h') -> find_event e' taken = Some s'.
Proof.
  induction order as [|x order IH]; intros lost h st received e s k R O T H; simpl in H; [discriminate|].
  destruct (play_move G table taken st x) as [[st' got]|] eqn:M; [|destruct order; discriminate].
  destruct (play_move_sound taken lost h st x st' got R M) as (lost' & m & R' & E & Got).
  destruct got as [[y [|]]|].
  - apply play_move_takes in M. destruct Got as [-> [Same _]]. destruct order as [|z order]; [discriminate|].
    apply (IH lost' (Receives x y :: h) st' (S received) e s k R'); auto.
    + intros e' s' [Q|I]; [injection Q as <- <-; now apply Same|now apply O].
    + intros e' s' [Q|I]; [now injection Q as <- <-|now apply T].
  - apply play_move_takes in M. destruct Got as [-> [_ Other]]. destruct order as [|z order]; [|discriminate].
    injection H as <- <- _. exists lost', h. split; [apply R'|split; [exact O|split]].
    + intro Q. now apply Other in Q.
    + intros e' s' [Q|I]; [now injection Q as <- <-|now apply T].
  - subst m. destruct order as [|z order]; [discriminate|]. apply (IH lost' (Does x :: h) st' received e s k R'); auto.
    + intros e' s' [Q|I]; [discriminate|now apply O].
    + intros e' s' [Q|I]; [discriminate|now apply T].
Qed.
End Played.

(** ** How it starts *)

Lemma one_by_one_app {A} (u v : list (event * A)) : one_by_one u -> one_by_one v ->
  (forall x y, In x u -> In y v -> fst (fst y) = fst (fst x) -> snd (fst x) < snd (fst y)) -> one_by_one (u ++ v).
Proof.
  induction u as [|x u IH]; simpl; auto. intros [Ux U] V C. split.
  - intros y I. apply in_app_or in I as [I|I]; auto.
  - apply IH; auto.
Qed.
Lemma one_by_one_map {A B} (f : A -> B) (u : list (event * A)) : one_by_one u ->
  one_by_one (map (fun x => (fst x, f (snd x))) u).
Proof.
  induction u as [|x u IH]; simpl; auto. intros [Ux U]. split; auto. intros y I. apply in_map_iff in I as (z & <- & I).
  simpl. now apply Ux.
Qed.

Lemma word_one_by_one all ls : forall n count, one_by_one (word_events (shared_tags all) n count ls) /\
  forall e x, In (e, x) (word_events (shared_tags all) n count ls) -> find_or 0 (fst e) count <= snd e.
Proof.
  induction ls as [|M ls IH]; intros n count; simpl; [split; [auto|tauto]|].
  destruct (IH (S n) (counts_after count M)) as [O L].
  assert (Before : forall e x, In (e, x) (number_events (shared_tags all) count M) ->
    find_or 0 (fst e) count <= snd e < find_or 0 (fst e) count + size_of M (fst e)).
  { intros [i k] x I. apply number_events_spec in I as [B I]. cbn [fst snd].
    assert (k - find_or 0 i count < size_of M i); [|lia]. unfold size_of. apply nth_error_Some.
    destruct (nth_error _ _); discriminate. }
  split.
  - apply one_by_one_app; auto.
    + apply (one_by_one_map (fun a => (a, n))), events_one_by_one.
    + intros x [e y] I J E. apply in_map_iff in I as ([e' b] & <- & I). cbn [fst snd] in *. apply Before in I.
      apply L in J. rewrite counts_after_spec in J. rewrite <- E in I. lia.
  - intros e x I. apply in_app_or in I as [I|I].
    + apply in_map_iff in I as ([e' b] & Q & I). injection Q as -> _. now apply Before in I.
    + apply L in I. rewrite counts_after_spec in I. lia.
Qed.

Lemma all_kept_spec evs : one_by_one evs -> forall p i, StronglySorted lt (kept_from p i (all_kept evs)) /\
  forall k, In k (kept_from p i (all_kept evs)) <-> exists n, In ((i, k), (Put p, n)) evs.
Proof.
  induction evs as [|[[j x] [a n]] evs IH]; intros O p i.
  - split; [constructor|]. intro k. split; [intros []|intros (n & [])].
  - destruct O as [Lt O]. destruct (IH O p i) as [S M].
    assert (Skip : a <> Put p \/ j <> i -> forall k, In k (kept_from p i (all_kept evs)) <->
      exists n0, In ((i, k), (Put p, n0)) (((j, x), (a, n)) :: evs)).
    { intros N k. rewrite M. split; intros (n0 & I); exists n0; [now right|]. destruct I as [I|I]; auto.
      injection I as -> _ -> _. destruct N; congruence. }
    destruct a as [p'|p'|]; simpl; try (split; [exact S|apply Skip; left; discriminate]).
    rewrite kept_from_keep. destruct (port_eqb p p' && (i =? j)) eqn:E.
    + apply andb_true_iff in E as [E1 E2]. apply port_eqb_spec in E1. apply Nat.eqb_eq in E2. subst p' j. split.
      * constructor; auto. apply Forall_forall. intros k I. apply M in I as (n0 & I). now apply (Lt _ I).
      * intro k. simpl. rewrite M. split.
        -- intros [->|(n0 & I)]; eauto.
        -- intros (n0 & [I|I]); [left; congruence|eauto].
    + split; auto. apply Skip. apply andb_false_iff in E as [E|E]; [left|right].
      * intro Q. injection Q as ->. assert (port_eqb p p = true) by now apply port_eqb_spec. congruence.
      * intros ->. now rewrite Nat.eqb_refl in E.
Qed.

Lemma stored_spec {A} (evs : list (event * A)) : (forall e x y, In (e, x) evs -> In (e, y) evs -> x = y) ->
  forall e x, find_event e (stored evs) = Some x <-> In (e, x) evs.
Proof.
  induction evs as [|[e' y] evs IH]; intros Once e x; simpl; [split; [discriminate|tauto]|].
  rewrite find_store_event. destruct (event_eqb e e') eqn:E.
  - apply pair_eqb_spec in E. subst e'. split; [intro Q; injection Q as <-; now left|].
    intro I. f_equal. apply (Once e); [now left|exact I].
  - rewrite IH; [|intros; eapply Once; right; eauto]. split; [now right|]. intros [Q|I]; auto. injection Q as <- <-.
    assert (event_eqb e' e' = true) by now apply pair_eqb_spec. congruence.
Qed.

(** ** The theorems *)

Lemma layers_through_sound q : check_states q (states_given q) = true -> forall way k row ls,
  find k (states_given q) = Some row ->
  layers_through q (states_given q) (index (layers_given q)) k way = Some ls -> exists ns, spells (rest_of row) ns /\
  Forall2 (fun n M => nth_error (layers_given q) n = Some M) ns ls.
Proof.
  intros St. induction way as [|x way IH]; intros k row ls F H; simpl in H; rewrite F in H.
  - destruct (may_end (rest_of row)) eqn:E; [|discriminate]. injection H as <-. exists []. split; [now apply may_end_spec|].
    constructor.
  - destruct (nth_error (next_states row) x) as [[n m]|] eqn:I; [|discriminate]. apply nth_error_In in I.
    destruct (find n (index (layers_given q))) as [M|] eqn:FM; [|discriminate].
    destruct (layers_through _ _ _ m way) as [ls'|] eqn:W; [|discriminate]. injection H as <-.
    destruct (proj2 (state_leads q St k row F) n m I) as (to & Ft & Fi). destruct (IH m to ls' Ft W) as (ns & S & Fw).
    exists (n :: ns). split; [now apply (firsts_spells _ n (rest_of to))|]. constructor; auto. now rewrite find_index in FM.
Qed.

Lemma follows_given_sound q N : follows_given q N = true -> may_follow q N.
Proof.
  unfold follows_given. rewrite forallb_forall. intros H a I. specialize (H a I). apply andb_true_iff in H as [L H].
  split; [now apply Nat.ltb_lt|]. destruct a; auto. apply negb_true_iff in H. now apply Nat.eqb_neq.
Qed.

(** The run that is accepted.  Its receives take the messages that they are said to take. *)
Lemma play_root_run all G ls x ends : play_root G (shared_tags all) ls x = Some ends ->
  exists lost h e s, faulty_runs (word_program all ls) G lost (Receives e s :: h) /\ own_layers (layer_in ls) h /\
  action (word_program all ls) e = Some (Take (wrong_port x)) /\ layer_in ls e <> layer_in ls s /\
  forall e' s', In (Receives e' s') (Receives e s :: h) -> In (e', s') (root_matching x).
Proof.
  unfold play_root, play_in, word_of. cbn [word_table word_sends]. intro H.
  destruct (pairs_of (root_matching x) Leaf) as [taken|] eqn:Ps; [|discriminate]. set (evs := word_events (shared_tags all) 0 Leaf ls) in *. set (table := stored evs) in *.
  destruct (play_moves _ table taken _ 0 (root_order x)) as [[[e s] received]|] eqn:Pl; [|discriminate].
  destruct (_ && _) eqn:C in H; [|discriminate]. clear H. apply andb_true_iff in C as [On _].
  assert (Evs : forall e a n, In (e, (a, n)) evs <-> action (word_program all ls) e = Some a /\ layer_in ls e = n).
  { intros y a n. unfold evs. rewrite (word_events_spec all ls [] Leaf (fun i => eq_refl)). simpl app.
    unfold start_of. simpl length. split; [tauto|intros [A B]; split; [lia|auto]]. }
  assert (Table : forall e a n, find_event e table = Some (a, n) <-> action (word_program all ls) e = Some a /\ layer_in ls e = n).
  { intros y a n. rewrite <- Evs. apply stored_spec. intros z [a1 n1] [a2 n2] I J. apply Evs in I as [A1 <-], J as [A2 <-].
    congruence. }
  assert (Start : plays_run all G ls [] [] {| kept_in := all_kept evs; played_by := Leaf |}).
  { pose proof (proj1 (word_one_by_one all ls 0 Leaf)) as O. constructor; cbn [kept_in played_by].
    - constructor.
    - reflexivity.
    - intros p i. apply (all_kept_spec evs O).
    - intros p y. destruct (all_kept_spec evs O p (fst y)) as [_ M]. rewrite M. split.
      + intros (n & I). apply Evs in I as [A _]. destruct y. simpl in *. auto 6.
      + intros (A & _). exists (layer_in ls y). apply Evs. destruct y. simpl in *. auto. }
  destruct (play_moves_sound all G ls table Table taken (root_order x) [] [] _ 0 e s received Start)
    as (lost & h & R & O & N & T); auto; [intros ? ? []|intros ? ? []|].
  destruct (find_event e table) as [[[p|p|] n]|] eqn:Fe; try discriminate. apply port_eqb_spec in On. subst p.
  apply Table in Fe as [A _]. exists lost, h, e, s. repeat split; auto. intros e' s' I.
  pose proof (pairs_of_spec (root_matching x) [] Leaf (NoDup_nil _) ltac:(intros y z; split; [discriminate|intros []])) as Pm.
  rewrite Ps in Pm. destruct Pm as [_ Held]. apply T, Held in I. rewrite app_nil_r in I. now apply in_rev in I.
Qed.

(** It shows that its port is a root cause. *)
Lemma play_root_sound all G ls x ends : play_root G (shared_tags all) ls x = Some ends ->
  faulty_root_port (word_program all ls) (layer_in ls) G (wrong_port x).
Proof.
  intro H. destruct (play_root_run all G ls x ends H) as (lost & h & e & s & R & O & A & N & _).
  exists lost, h, e, s. auto.
Qed.

Lemma root_word_possible q x ls : check_states q (states_given q) = true ->
  root_word q (states_given q) (index (layers_given q)) x = Some ls -> possible_word q ls.
Proof.
  intros St H. unfold root_word in H. destruct (layers_through _ _ _ 0 (root_exits x)) as [w|] eqn:W; [|discriminate].
  destruct (first_state q St) as (row & F & E). destruct (layers_through_sound q St _ 0 row w F W) as (ns & S & Fw).
  rewrite E in S. destruct (root_later x) as [|a N].
  - injection H as <-. exists ns, w. auto.
  - destruct (_ && _) eqn:O in H; [|discriminate]. injection H as <-. apply andb_true_iff in O as [O Fo].
    exists ns, w. split; [exact S|split; [exact Fw|right]]. split; auto. exists (a :: N). split; auto.
    now apply follows_given_sound.
Qed.

(** In some word, if it is one of a word that is possible. *)
Theorem check_root_correct : forall q x ends, check_states q (states_given q) = true ->
  check_root q (states_given q) (index (layers_given q)) (port_guarantee q) (shared_tags (concat (layers_given q))) x = Some ends ->
  exists w, possible_word q w /\
  faulty_root_port (word_program (concat (layers_given q)) w) (layer_in w) (port_guarantee q) (wrong_port x).
Proof.
  intros q x ends St H. unfold check_root in H. destruct (root_word _ _ _ x) as [w|] eqn:W; [|discriminate].
  exists w. split; [now apply root_word_possible in W|now apply play_root_sound in H].
Qed.

(** What is accepted: no receives overlap; the ports of the runs are exactly those that are root causes in some word; and
    so the layers stay apart in all words exactly if there are no runs. *)
Theorem check_ports_correct : forall q roots steps holds used ends, check_ports q roots steps holds used = Some ends ->
  let all := concat (layers_given q) in let G := port_guarantee q in
  no_overlap all /\
  (forall p, In p (map wrong_port roots) <-> exists w, possible_word q w /\
    faulty_root_port (word_program all w) (layer_in w) G p) /\
  (roots = [] <-> forall w, possible_word q w -> apart_with_faults (word_program all w) (layer_in w) G).
Proof.
  intros q roots steps holds used ends H all G. unfold check_ports in H. destruct (check_yes _ _ _ _ _) eqn:Y; [|discriminate].
  cbv zeta in H. rewrite check_roots_spec in H; [|exact I].
  assert (St : check_states q (states_given q) = true) by (unfold check_yes in Y; now rewrite !andb_true_iff in Y).
  destruct (check_yes_correct q (map wrong_port roots) steps holds used Y) as [No None].
  assert (Runs : forall x, In x roots -> exists w, possible_word q w /\
    faulty_root_port (word_program all w) (layer_in w) G (wrong_port x)).
  { intros x I. assert (Each : exists y, check_root q (states_given q) (index (layers_given q)) (port_guarantee q)
      (shared_tags (concat (layers_given q))) x = Some y).
    { clear - H I. revert ends H. induction roots as [|z roots IH]; [destruct I|]. intros ends H. simpl in H.
      destruct (check_root _ _ _ _ _ z) as [y|] eqn:C; [|discriminate]. destruct (all_some _) as [l|]; [|discriminate].
      destruct I as [->|I]; eauto. }
    destruct Each as (y & C). now apply (check_root_correct q x y). }
  assert (Iff : forall p, In p (map wrong_port roots) <-> exists w, possible_word q w /\
    faulty_root_port (word_program all w) (layer_in w) G p).
  { intro p. split.
    - intro I. apply in_map_iff in I as (x & <- & I). now apply Runs.
    - intros (w & Pw & Root). destruct (existsb (port_eqb p) (map wrong_port roots)) eqn:X.
      + apply existsb_exists in X as (p' & I & E). apply port_eqb_spec in E. now subst.
      + exfalso. apply (None p) with (w := w); auto. intro I. apply not_true_iff_false in X. apply X, existsb_exists.
        exists p. split; auto. now apply port_eqb_spec. }
  split; [exact No|split; [exact Iff|]]. split.
  - intros -> w Pw. apply apart_without_faulty_root_ports. intros p Root. apply (Iff p). eauto.
  - intro Apart. destruct roots as [|x roots]; auto. exfalso. destruct (Runs x (or_introl eq_refl)) as (w & Pw & Root).
    specialize (Apart w Pw). rewrite apart_without_faulty_root_ports in Apart. now apply (Apart (wrong_port x)).
Qed.
