(** * Ports: anything may follow

    Some layers are followed by a program that nobody knows: it need not receive what it sends, and may deadlock.  Do
    all receives still take messages of their own layer, those of what follows included?  A port that copies must not
    be used.  On any other port, the last receive of a layer goes wrong exactly if some process that may send to the
    port gets to the end of the layers without it, and the port does not order its message behind others.

    The theorem is [apart_whatever_follows].  It does not belong to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortLanguages.
Open Scope nat_scope.

(** ** One message *)

(** Process [i] sends a message to a port, and its reader receives it. *)
Definition one_message (i : proc) (p : tagged_port) : layer_program :=
  [TSend i (fst (fst p)) (snd p); TRecv (fst (fst p)) (snd (fst p)) (snd p)].

(** Process [i] can put messages into the port: it is the port's sender, or the port is for all. *)
Definition can_send (all : list tagged_act) (i : proc) (p : tagged_port) :=
  on_port all (TSend i (fst (fst p)) (snd p)) = Put p.

Section Message.
Variables (all : list tagged_act) (G : tagged_port -> guarantee) (i : proc) (p : tagged_port).
Hypothesis Can : can_send all i p.
Notation M := (one_message i p).
Notation j := (fst (fst p)).

(** The receive is the reader's first event, or its second one if the reader is the sender. *)
Definition received_at : event := (j, if i =? j then 1 else 0).

Lemma message_action e : action (program_over all M) e =
  if Nat.eq_dec (fst e) i then if Nat.eq_dec (snd e) 0 then Some (Put p)
    else if Nat.eq_dec (fst e) j then if Nat.eq_dec (snd e) 1 then Some (Take p) else None else None
  else if Nat.eq_dec (fst e) j then if Nat.eq_dec (snd e) 0 then Some (Take p) else None else None.
Proof.
  destruct e as [k x], p as [[r f] t]. unfold can_send in Can. cbn [fst snd] in *. cbn [action program_over].
  unfold tagged_action, tagged_share, one_message. cbn [fst snd filter tagged_actor].
  destruct (Nat.eqb_spec i k), (Nat.eqb_spec r k); destruct x as [|[|x]];
    repeat (destruct (Nat.eq_dec _ _); try congruence; try lia); cbn [nth_error option_map]; try congruence;
    try (destruct x); reflexivity.
Qed.

Lemma message_put e q : action (program_over all M) e = Some (Put q) <-> e = (i, 0) /\ q = p.
Proof.
  rewrite message_action. destruct e as [k x]. cbn [fst snd].
  repeat destruct (Nat.eq_dec _ _); split; try discriminate; try (intros [E _]; congruence);
    try (intro E; injection E as <-; split; congruence); intros [_ ->]; reflexivity.
Qed.
Lemma message_take e q : action (program_over all M) e = Some (Take q) <-> e = received_at /\ q = p.
Proof.
  rewrite message_action. unfold received_at. destruct e as [k x]. cbn [fst snd].
  destruct (Nat.eqb_spec i j) as [Ei|Ni]; repeat destruct (Nat.eq_dec _ _); split; try discriminate;
    try (intros [E _]; congruence); try (intro E; injection E as <-; split; congruence); intros [_ ->]; reflexivity.
Qed.

Lemma none_of {A} (f : A -> bool) l : (forall x, f x <> true) -> length (filter f l) = 0.
Proof. intro N. induction l as [|x l IH]; simpl; auto. specialize (N x). now destruct (f x). Qed.

Lemma one_event {port} (P : program port) f e : In e (events P) -> (forall x, f x = true <-> x = e) ->
  length (filter f (events P)) = 1.
Proof.
  intros I F. rewrite (filter_one_more (fun _ => false) f (events P) e); auto using no_duplicates.
  - now rewrite none_of.
  - intro x. rewrite F. split; [now right|intros [H|H]; [discriminate|auto]].
Qed.

Lemma message_good : good_layer all G M.
Proof.
  set (EM := exact (program_over all M) only_layer).
  assert (Ip : In (i, 0) (events (program_over all M))).
  { apply all_events. rewrite (proj2 (message_put (i, 0) p)); [discriminate|auto]. }
  assert (It : In received_at (events (program_over all M))).
  { apply all_events. rewrite (proj2 (message_take received_at p)); [discriminate|auto]. }
  assert (Is_put : forall x, is_put EM (0, p) x = true <-> x = (i, 0)).
  { intro x. rewrite is_put_spec. unfold EM. simpl. rewrite exact_put, message_put. unfold only_layer. tauto. }
  assert (Is_take : forall x, is_take EM (0, p) x = true <-> x = received_at).
  { intro x. rewrite is_take_spec. unfold EM. simpl. rewrite exact_take, message_take. unfold only_layer. tauto. }
  split.
  - intros n q. fold EM. destruct (classic (n = 0 /\ q = p)) as [[-> ->]|N].
    + now rewrite (one_event (program_over all M) _ _ Ip Is_put), (one_event (program_over all M) _ _ It Is_take).
    + rewrite !none_of; auto; intros x T; apply N.
      * apply is_take_spec in T. simpl in T. apply exact_take in T as [T <-]. now apply message_take in T as [_ ->].
      * apply is_put_spec in T. simpl in T. apply exact_put in T as [T <-]. now apply message_put in T as [_ ->].
  - destruct (plays_exist all G M (fun _ => False)) as (w & R & S). exists w. split; auto.
    assert (Sent : inside w (i, 0)).
    { apply NNPP. intro N. assert (Z : w i = 0) by (unfold inside in N; simpl in N; lia).
      assert (A : action EM (i, 0) = Some (Put (0, p))) by (apply exact_put; split; auto; now apply message_put).
      destruct (S i) as [[]|H]. apply H. rewrite Z. unfold ready, relaxed_layer. cbn [action relaxed].
      unfold relaxed_action. fold EM. now rewrite A. }
    assert (Received : inside w received_at).
    { apply NNPP. intro N. assert (At : (j, w j) = received_at).
      { unfold received_at in *. unfold inside in *. simpl in *. f_equal. destruct (Nat.eqb_spec i j) as [E|E]; [|lia].
        rewrite E in Sent. lia. }
      destruct (S j) as [[]|H]. apply H. rewrite At.
      assert (A : action EM (j, w j) = Some (Take (0, p)))
        by (rewrite At; apply exact_take; split; auto; now apply message_take).
      rewrite <- At. apply (relaxed_ready EM (exact_guarantee G) (0, p) w j A).
      assert (Pos : 0 < puts EM (0, p) w).
      { unfold puts. rewrite (one_event (program_over all M) _ (i, 0)); auto. intro x.
        rewrite andb_true_iff, insideb_spec, Is_put.
        split; [tauto|intros ->; auto]. }
      assert (Zero : takes EM (0, p) w = 0).
      { apply none_of. intros x T. apply andb_true_iff in T as [T1 T2]. apply insideb_spec in T1.
        apply Is_take in T2. now subst x. }
      rewrite Zero. destruct (may_copy (exact_guarantee G (0, p))); auto. }
    intros e I. apply all_events in I. rewrite message_action in I.
    assert (E : e = (i, 0) \/ e = received_at); [|now destruct E as [-> | ->]].
    destruct (action (program_over all M) e) as [[q|q|]|] eqn:A.
    + left. now apply message_put in A.
    + right. now apply message_take in A.
    + rewrite message_action in A. repeat destruct (Nat.eq_dec _ _); discriminate.
    + rewrite message_action in A. congruence.
Qed.
End Message.

(** ** Anything that may follow *)

Section Open.
Variables (all : list tagged_act) (G : tagged_port -> guarantee) (members : proc -> Prop) (ls : list layer_program).

(** A program of these processes; and whichever of them follows, all receives take messages of their own layer. *)
Definition of_members (N : layer_program) := forall i, 0 < size_of N i -> members i.
Definition apart_over_ports_open := forall N, of_members N ->
  apart_with_faults (word_program all (ls ++ [N])) (layer_in (ls ++ [N])) G.

(** Some process gets to the end without the last receive of [L] on the port, and may send there: [mid] is between. *)
Definition crosses_open (p : tagged_port) (L : layer_program) (mid : list layer_program) := exists r u B i,
  last_take (program_over all L) only_layer r p /\ plays all G L (eq r) u /\
  goes_on all G (blocked_by L (fun _ => False) u) mid B /\ ~ B i /\ members i /\ can_send all i p /\
  (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before (program_over all L) only_layer G i r p).

Hypothesis Good : Forall (good_layer all G) ls.
Hypothesis Members : forall M, In M ls -> of_members M.

Lemma has_event M e a : action (program_over all M) e = Some a -> 0 < size_of M (fst e).
Proof.
  intro A. assert (snd e < size_of M (fst e)); [|lia]. apply (event_of_layer all M), all_events. congruence.
Qed.

Lemma sender_can_send M s p : action (program_over all M) s = Some (Put p) -> can_send all (fst s) p.
Proof.
  cbn [action program_over]. unfold tagged_action, can_send.
  destruct (nth_error (tagged_share (fst s) M) (snd s)) as [a|] eqn:A; [|discriminate].
  apply nth_error_In, filter_In in A as [_ F]. apply Nat.eqb_eq in F. destruct a; simpl in F |- *; try discriminate.
  subst i. intro E. injection E as <-. reflexivity.
Qed.

Lemma reader_acts M e p : action (program_over all M) e = Some (Take p) -> fst e = fst (fst p).
Proof. apply tagged_reader. Qed.

Lemma message_of_members i p L e : In L ls -> action (program_over all L) e = Some (Take p) -> members i ->
  of_members (one_message i p).
Proof.
  intros I A Mi k Sz. unfold size_of, tagged_share, one_message in Sz. cbn [filter tagged_actor] in Sz.
  destruct (Nat.eqb_spec i k) as [E|_]; [congruence|].
  destruct (Nat.eqb_spec (fst (fst p)) k) as [E|_]; [|simpl in Sz; lia].
  rewrite <- E, <- (reader_acts L e p A). apply (Members L I). now apply (has_event L e (Take p)).
Qed.

(** Root causes stay root causes. *)
Lemma root_stays N p : good_layer all G N -> faulty_root_port (word_program all ls) (layer_in ls) G p ->
  faulty_root_port (word_program all (ls ++ [N])) (layer_in (ls ++ [N])) G p.
Proof.
  intros GN Root. assert (Good' : Forall (good_layer all G) (ls ++ [N])) by (apply Forall_app; auto).
  destruct (may_copy (G p)) eqn:C.
  - apply (copying_root_port_of_word all G ls p Good C) in Root as (pre & L & mid & M & post & -> & U).
    apply copying_root_port_of_word; auto. exists pre, L, mid, M, (post ++ [N]). rewrite <- !app_assoc. simpl.
    now rewrite <- app_assoc.
  - apply (root_port_by_blocked_sets all G ls p Good C) in Root as (pre & L & mid & M & post & -> & U).
    apply root_port_by_blocked_sets; auto. exists pre, L, mid, M, (post ++ [N]). rewrite <- !app_assoc. simpl.
    now rewrite <- app_assoc.
Qed.

Lemma nothing_good : good_layer all G [].
Proof. split; [intros n p; reflexivity|]. exists (fun _ => 0). split; [now apply reached_start|intros e []]. Qed.

(** What goes wrong if something follows. *)
Lemma open_goes_wrong : apart_over_ports_open -> apart_with_faults (word_program all ls) (layer_in ls) G /\ forall p,
  if may_copy (G p) then forall L, In L ls -> ~ layer_uses all L p
  else forall pre L mid, ls = pre ++ L :: mid -> ~ crosses_open p L mid.
Proof.
  intro H.
  assert (None : forall N p, of_members N ->
    ~ faulty_root_port (word_program all (ls ++ [N])) (layer_in (ls ++ [N])) G p).
  { intros N p MN. now apply (apart_without_faulty_root_ports _ _ G), H. }
  split.
  - apply apart_without_faulty_root_ports. intros p Root.
    apply (None [] p); [intros k Sz; unfold size_of in Sz; simpl in Sz; lia|].
    apply root_stays; auto using nothing_good.
  - intro p. destruct (may_copy (G p)) eqn:C.
    + intros L I (s & A). pose proof (proj1 (Forall_forall _ _) Good L I) as [Bal _].
      destruct (proj1 (put_and_take _ _ Bal 0 p)) as (e & Ae & _); [exists s; auto|].
      pose proof (sender_can_send L s p A) as Can. set (N := one_message (fst s) p).
      assert (MN : of_members N) by (apply (message_of_members (fst s) p L e I Ae), (Members L I),
        (has_event L s (Put p) A)).
      apply (None N p MN). apply in_split in I as (pre & mid & El). apply copying_root_port_of_word; auto.
      * apply Forall_app. split; auto. constructor; auto. now apply message_good.
      * exists pre, L, mid, N, []. split; [rewrite El, <- app_assoc; reflexivity|]. split; [now exists s|].
        exists (fst s, 0). now apply message_put.
    + intros pre L mid El (r & u & B & i & La & U & Go & Nb & Mi & Can & F). set (N := one_message i p).
      assert (I : In L ls) by (rewrite El; apply in_or_app; right; now left). destruct La as [Ar La].
      assert (MN : of_members N) by now apply (message_of_members i p L r I Ar).
      apply (None N p MN). apply root_port_by_blocked_sets; auto.
      { apply Forall_app. split; auto. constructor; auto. now apply message_good. }
      exists pre, L, mid, N, []. split; [rewrite El, <- app_assoc; reflexivity|].
      exists r, u, B, i. split; [now split|split; [exact U|split; [exact Go|split; [|exact F]]]].
      destruct (plays_exist all G N (fun e => B (fst e))) as (v & V). exists v, (i, 0).
      split; [exact V|split; [now apply message_put|split; auto]]. destruct V as [_ S].
      apply NNPP. intro Out. assert (Z : v i = 0) by (unfold inside in Out; simpl in Out; lia).
      assert (A : action (exact (program_over all N) only_layer) (i, 0) = Some (Put (0, p)))
        by (apply exact_put; split; auto; now apply message_put).
      destruct (S i) as [b|Nr]; [contradiction|]. apply Nr. rewrite Z. unfold ready, relaxed_layer. cbn [action relaxed].
      unfold relaxed_action. now rewrite A.
Qed.

(** Layers before what follows are balanced. *)
Lemma before_balanced N n q : n < length ls ->
  length (filter (is_put (exact (word_program all (ls ++ [N])) (layer_in (ls ++ [N]))) (n, q))
    (events (word_program all (ls ++ [N])))) =
  length (filter (is_take (exact (word_program all (ls ++ [N])) (layer_in (ls ++ [N]))) (n, q))
    (events (word_program all (ls ++ [N])))).
Proof.
  intro Ln. destruct (nth_error ls n) as [M|] eqn:E; [|apply nth_error_None in E; lia].
  apply nth_error_split in E as (pre & post & El & <-).
  pose proof (proj1 (Forall_forall _ _) Good M) as [Bal _]; [rewrite El; apply in_or_app; right; now left|].
  assert (E : ls ++ [N] = pre ++ M :: (post ++ [N])) by now rewrite El, <- app_assoc.
  rewrite E, (exact_counts all pre M (post ++ [N]) q (@is_put)) by auto.
  rewrite (exact_counts all pre M (post ++ [N]) q (@is_take)) by auto. apply Bal.
Qed.

(** The layers stay apart, whatever follows, exactly if they do by themselves, no port that copies is used, and no
    process that may send to another port gets to the end in time. *)
Theorem apart_whatever_follows : apart_over_ports_open <-> apart_with_faults (word_program all ls) (layer_in ls) G /\
  forall p,
  if may_copy (G p) then forall L, In L ls -> ~ layer_uses all L p
  else forall pre L mid, ls = pre ++ L :: mid -> ~ crosses_open p L mid.
Proof.
  split; [apply open_goes_wrong|]. intros [Apart H] N MN. set (w := ls ++ [N]).
  apply apart_without_faulty_root_ports. intros p Root. specialize (H p).
  assert (Below : forall e a, action (word_program all w) e = Some a -> layer_in w e < S (length ls)).
  { intros [i k] a A. pose proof (layer_below all w i k ltac:(congruence)) as B. unfold w in B.
    rewrite app_length in B. simpl in B. unfold w. lia. }
  assert (Earlier : forall pre M post, w = pre ++ M :: post -> length pre < length ls -> exists post',
    ls = pre ++ M :: post').
  { intros pre M post E Ln. unfold w in E. symmetry in E.
    destruct (app_split pre post ls [N] M E) as [(c & El & _)|(a & -> & _)]; [eauto|].
    rewrite app_length in Ln. lia. }
  destruct (may_copy (G p)) eqn:C.
  - destruct (faulty_root_first _ _ G p Root) as (lost & e & s & h & _ & _ & W & A & _ & (As & _) & _).
    pose proof (Below e _ A). pose proof (Below s _ As).
    destruct (Nat.eq_dec (layer_in w s) (length ls)) as [Es|Ns].
    + destruct (layer_of_action all w e _ A) as (pre & L & post & e' & E & Np & A').
      destruct (Earlier pre L post E ltac:(lia)) as (post' & El).
      assert (I : In L ls) by (rewrite El; apply in_or_app; right; now left). apply (H L I).
      pose proof (proj1 (Forall_forall _ _) Good L I) as [Bal _].
      destruct (proj2 (put_and_take _ _ Bal 0 p)) as (s' & A2 & _); [exists e'; auto|now exists s'].
    + destruct (layer_of_put all w s p As) as (pre & L & post & E & Np & U).
      destruct (Earlier pre L post E ltac:(lia)) as (post' & El).
      apply (H L); auto. rewrite El. apply in_or_app. right. now left.
  - assert (Before : balanced_before (word_program all w) (layer_in w) p).
    { intros e n A Ln. apply before_balanced. specialize (Below e _ A). lia. }
    destruct (message_from_run (word_program all w) (layer_in w) G (in_sequence_word all w) p Before C Root)
      as (r & s & wc & La & As & Lt & W & I & F).
    pose proof (Below s _ As) as Ls.
    assert (Across : message_gets_across all G w p (layer_in w r) (layer_in w s)).
    { exists r, s, wc. auto 10. }
    assert (Pre : forall n, n <= length ls -> Forall (good_layer all G) (firstn n w)).
    { intros n Ln. unfold w. rewrite firstn_app. replace (n - length ls) with 0 by lia. simpl. rewrite app_nil_r.
      rewrite <- (firstn_skipn n ls) in Good. now apply Forall_app in Good. }
    apply (across_by_blocked_sets all G w p _ _ (Pre (layer_in w r) ltac:(lia)) Lt) in Across
      as (pre & L & mid & M & post & E & Np & Ns & Cr).
    destruct (Earlier pre L (mid ++ M :: post) E ltac:(lia)) as (rest & El).
    assert (Er : rest ++ [N] = mid ++ M :: post).
    { unfold w in E. rewrite El, <- app_assoc in E. apply app_inv_head in E. simpl in E. congruence. }
    symmetry in Er. destruct (app_split mid post rest [N] M Er) as [(c & Ec & _)|(a & -> & Ea)].
    + revert Apart. rewrite apart_without_faulty_root_ports. intro None. apply (None p).
      apply (root_port_by_blocked_sets all G ls p Good C). exists pre, L, mid, M, c. split; auto. now rewrite El, Ec.
    + destruct a as [|x a]; [|destruct a; discriminate]. simpl in Ea. injection Ea as -> _. rewrite app_nil_r in *.
      apply (H pre L rest El). destruct Cr as (r0 & u & B & i & La0 & U & Go & (v & s0 & V & A0 & Fi & Is) & F0).
      exists r0, u, B, i. split; [exact La0|split; [exact U|split; [exact Go|split; [|split; [|split; [|exact F0]]]]]].
      * intro b. destruct V as [R _]. revert Is. apply (not_itself (relaxed_layer all G N) (fun e => B (fst e))); auto.
        now rewrite Fi.
      * rewrite <- Fi. apply MN, (has_event N s0 _ A0).
      * rewrite <- Fi. apply (sender_can_send N s0 p A0).
Qed.
End Open.
