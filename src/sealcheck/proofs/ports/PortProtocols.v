(** * What follows a layer depends on the processes that are blocked in it

    Without a receive of a layer L, some processes are blocked in L.  What follows depends on L by this set only: in
    the next layer M all others go as far as they get, and the processes that do not get through M are blocked from
    then on.  So whether L's last receive on a port can take a message of a later layer is a matter of sets of
    blocked processes.  Without layers in between, fewer are blocked, and more is sent.

    The theorems are [deleting_layers] and [root_port_by_blocked_sets].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
Open Scope nat_scope.

(** The list [l'] is [l] without some of its elements. *)
Inductive sublist {A} : list A -> list A -> Prop :=
| sublist_nil : sublist [] []
| sublist_skip x l' l : sublist l' l -> sublist l' (x :: l)
| sublist_keep x l' l : sublist l' l -> sublist (x :: l') (x :: l).

Lemma sublist_refl {A} (l : list A) : sublist l l.
Proof. induction l; [apply sublist_nil|now apply sublist_keep]. Qed.

Section Protocol.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).
Notation plays := (plays all G).
Notation layer_alone := (program_over all).

(** ** Blocked sets *)

(** The processes that do not get through a layer, if those of [B] do not start it and the others get as far as [u]. *)
Definition blocked_by (M : layer_program) (B : proc -> Prop) (u : cut) (i : proc) := B i \/ u i < size_of M i.

(** From one blocked set to that after some layers. *)
Inductive goes_on : (proc -> Prop) -> list layer_program -> (proc -> Prop) -> Prop :=
| goes_on_end (B C : proc -> Prop) : (forall i, B i <-> C i) -> goes_on B [] C
| goes_on_layer (B C : proc -> Prop) M mid u : plays M (fun e => B (fst e)) u -> goes_on (blocked_by M B u) mid C ->
    goes_on B (M :: mid) C.

(** If the processes of [B] do not start layer [M], process [i] puts a message of it into the port. *)
Definition puts_without (B : proc -> Prop) (M : layer_program) (p : tagged_port) (i : proc) := exists u s,
  plays M (fun e => B (fst e)) u /\ action (layer_alone M) s = Some (Put p) /\ fst s = i /\ inside u s.

(** The last receive of [L] on the port can take a message of [M], with the layers [mid] between them. *)
Definition crosses (p : tagged_port) (L : layer_program) (mid : list layer_program) (M : layer_program) :=
  exists r u B i, last_take (layer_alone L) only_layer r p /\ plays L (eq r) u /\
  goes_on (blocked_by L (fun _ => False) u) mid B /\ puts_without B M p i /\
  (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before (layer_alone L) only_layer G i r p).

(** ** How they grow *)

Lemma plays_exist M stop : exists u, plays M stop u.
Proof. apply stuck_exists with (fun _ => 0). now apply reached_start. Qed.

Lemma plays_iff M (stop stop' : event -> Prop) u : (forall e, stop e <-> stop' e) -> plays M stop u -> plays M stop' u.
Proof.
  intros Same [R S]. split.
  - clear S. induction R as [c Z|c i d R IH N A D]; [now apply reached_start|]. apply reached_next with c i; auto.
    now rewrite <- Same.
  - intro i. destruct (S i) as [H|H]; [left; now apply Same|now right].
Qed.

Lemma goes_on_exists B mid : exists C, goes_on B mid C.
Proof.
  revert B. induction mid as [|M mid IH]; intro B; [exists B; constructor; tauto|].
  destruct (plays_exist M (fun e => B (fst e))) as (u & U). destruct (IH (blocked_by M B u)) as (C & H).
  exists C. now apply goes_on_layer with u.
Qed.

(** With fewer processes blocked before, and without some of the layers, fewer are blocked afterwards ... *)
Lemma fewer_blocked mid' mid : sublist mid' mid -> forall B C B' C' : proc -> Prop, (forall i, B' i -> B i) ->
  goes_on B mid C -> goes_on B' mid' C' -> forall i, C' i -> C i.
Proof.
  induction 1 as [|M mid' mid Sub IH|M mid' mid Sub IH]; intros B C B' C' Less H H'.
  - inversion H; inversion H'; subst. firstorder.
  - inversion H as [|? ? ? ? u U H1]; subst. apply (IH (blocked_by M B u) C B' C'); auto. intros i b. left. auto.
  - inversion H as [|? ? ? ? u U H1]; subst. inversion H' as [|? ? ? ? u' U' H1']; subst.
    apply (IH (blocked_by M B u) C (blocked_by M B' u') C'); auto. intros i [b|b]; [left; auto|right].
    assert (Le : cle u u'); [|specialize (Le i); lia].
    apply (plays_grow all G M (fun e => B (fst e)) (fun e => B' (fst e))); auto.
Qed.

Lemma goes_on_unique B B' mid C C' : (forall i, B i <-> B' i) -> goes_on B mid C -> goes_on B' mid C' ->
  forall i, C i <-> C' i.
Proof.
  intros Same H H' i. split.
  - apply (fewer_blocked mid mid (sublist_refl mid) B' C' B C); auto. intro; apply Same.
  - apply (fewer_blocked mid mid (sublist_refl mid) B C B' C'); auto. intro; apply Same.
Qed.

(** ... and more is sent. *)
Lemma more_sent (B B' : proc -> Prop) M p i : (forall k, B' k -> B k) -> puts_without B M p i -> puts_without B' M p i.
Proof.
  intros Less (u & s & U & A & F & I). destruct (plays_exist M (fun e => B' (fst e))) as (u' & U').
  exists u', s. repeat split; auto; try apply U'.
  assert (Le : cle u u') by (apply (plays_grow all G M (fun e => B (fst e)) (fun e => B' (fst e))); auto).
  specialize (Le (fst s)). unfold inside in *. lia.
Qed.

(** Deleting layers between two layers never hurts interference. *)
Theorem deleting_layers : forall p L mid mid' M, sublist mid' mid -> crosses p L mid M -> crosses p L mid' M.
Proof.
  intros p L mid mid' M Sub (r & u & B & i & La & U & H & S & Fit).
  destruct (goes_on_exists (blocked_by L (fun _ => False) u) mid') as (B' & H').
  exists r, u, B', i. split; [exact La|split; [exact U|split; [exact H'|split; [|exact Fit]]]].
  apply more_sent with B; auto.
  apply (fewer_blocked mid' mid Sub (blocked_by L (fun _ => False) u) B (blocked_by L (fun _ => False) u) B'); auto.
Qed.

(** ** Words *)

Notation start_of := (start_of).
Notation P := (word_program all).
Notation X := (relaxed_word all G).

(** The processes that are not through the layers [pre] at a cut of the word. *)
Definition behind (pre : list layer_program) (w : cut) (i : proc) := w i < start_of pre i.

Lemma goes_on_from (B B' : proc -> Prop) mid C : (forall i, B i <-> B' i) -> goes_on B mid C -> goes_on B' mid C.
Proof.
  intros Same H. revert B' Same. induction H as [B C E|B C M mid u U H IH]; intros B' Same.
  - constructor. intro i. now rewrite <- Same.
  - apply goes_on_layer with u; [|apply IH; intro i; unfold blocked_by; now rewrite Same].
    now apply plays_iff with (fun e => B (fst e)).
Qed.

(** Beyond the layer of the event that is held back, a cut of the word gives the blocked sets. *)
Lemma word_plays r w pre M post : let ls := pre ++ M :: post in reached (X ls) (eq r) w -> stuck (X ls) (eq r) w ->
  snd r < start_of pre (fst r) -> plays M (fun e => behind pre w (fst e)) (in_layer_at pre M w).
Proof.
  intros ls R S L. pose proof (layer_of_word_plays all G pre post M (eq r) w R S) as Pl.
  apply plays_iff with (2 := Pl). intro e. unfold held, behind. split; [intros [H|H]; auto|auto].
  exfalso. rewrite H in L. unfold in_word in L. simpl in L. lia.
Qed.

Lemma word_goes_on r w mid : forall pre post, let ls := pre ++ mid ++ post in reached (X ls) (eq r) w ->
  stuck (X ls) (eq r) w -> snd r < start_of pre (fst r) -> goes_on (behind pre w) mid (behind (pre ++ mid) w).
Proof.
  induction mid as [|M mid IH]; intros pre post ls R S L.
  - constructor. intro i. now rewrite app_nil_r.
  - apply goes_on_layer with (in_layer_at pre M w); [now apply (word_plays r w pre M (mid ++ post))|].
    replace (pre ++ M :: mid) with ((pre ++ [M]) ++ mid) by now rewrite <- app_assoc.
    apply goes_on_from with (behind (pre ++ [M]) w).
    + intro i. unfold blocked_by, behind, in_layer_at. rewrite start_next. lia.
    + apply (IH (pre ++ [M]) post); [rewrite <- app_assoc; exact R|rewrite <- app_assoc; exact S|].
      rewrite start_next. lia.
Qed.

Section InWord.
Variables (pre post : list layer_program) (L : layer_program).
Notation ls := (pre ++ L :: post).
Lemma last_take_in_word r p : snd r < size_of L (fst r) ->
  last_take (P ls) (layer_in ls) (in_word pre r) p <-> last_take (layer_alone L) only_layer r p.
Proof.
  intro Lr. unfold last_take. rewrite (in_word_layer pre post L r Lr), (action_in_word all pre post L r Lr).
  split; intros [A La]; split; auto; cbn [fst snd in_word].
  - intros k Ak _. assert (Lk : snd (fst r, k) < size_of L (fst (fst r, k))).
    { apply (event_of_layer all L). apply all_events. congruence. }
    specialize (La (start_of pre (fst r) + k)). cbn [fst snd in_word] in La.
    assert (start_of pre (fst r) + k <= start_of pre (fst r) + snd r); [|lia]. apply La.
    + rewrite <- Ak. exact (action_in_word all pre post L (fst r, k) Lk).
    + exact (in_word_layer pre post L (fst r, k) Lk).
  - intros k Ak Lk. destruct (from_layer pre post L _ Lk) as (e & Le & Q). injection Q as F ->.
    rewrite F. assert (snd e <= snd r); [|lia]. apply La; auto. rewrite F, <- surjective_pairing.
    rewrite <- (action_in_word all pre post L e Le). rewrite F in Ak. exact Ak.
Qed.

(** The numbers of receives and messages are those of the layer alone. *)
Lemma of_layer_put n p y : is_put (exact (P ls) (layer_in ls)) (n, p) y = true -> layer_in ls y = n.
Proof. intro T. apply is_put_spec in T. now apply exact_put in T. Qed.
Lemma of_layer_take n p y : is_take (exact (P ls) (layer_in ls)) (n, p) y = true -> layer_in ls y = n.
Proof. intro T. apply is_take_spec in T. now apply exact_take in T. Qed.
Lemma is_put_in_word p s : snd s < size_of L (fst s) ->
  is_put (exact (P ls) (layer_in ls)) (length pre, p) (in_word pre s) =
  is_put (exact (layer_alone L) only_layer) (0, p) s.
Proof. intro Ls. apply eq_true_iff_eq. rewrite !is_put_spec. now apply (exact_put_in_word all pre post L). Qed.
Lemma is_take_in_word p e : snd e < size_of L (fst e) ->
  is_take (exact (P ls) (layer_in ls)) (length pre, p) (in_word pre e) =
  is_take (exact (layer_alone L) only_layer) (0, p) e.
Proof. intro Le. apply eq_true_iff_eq. rewrite !is_take_spec. now apply (exact_take_in_word all pre post L). Qed.

Lemma receives_in_word p : receives_of_layer (P ls) (layer_in ls) (length pre) p =
  receives_of_layer (layer_alone L) only_layer 0 p.
Proof. apply as_many; [apply is_take_in_word|apply of_layer_take]. Qed.
Lemma messages_in_word i p : messages_of (P ls) (layer_in ls) i (length pre) p =
  messages_of (layer_alone L) only_layer i 0 p.
Proof.
  apply as_many; [intros s Ls; now rewrite is_put_in_word|]. intros y T. apply andb_true_iff in T as [T _].
  now apply of_layer_put in T.
Qed.
Lemma sent_in_word i p w : sent_of (P ls) (layer_in ls) i (length pre) p w =
  sent_of (layer_alone L) only_layer i 0 p (in_layer_at pre L w).
Proof.
  apply as_many.
  - intros s Ls. rewrite is_put_in_word by auto. f_equal. apply eq_true_iff_eq. rewrite !insideb_spec.
    now apply inside_in_word.
  - intros y T. apply andb_true_iff in T as [_ T]. apply andb_true_iff in T as [T _]. now apply of_layer_put in T.
Qed.
Lemma take_in_layer e p : action (layer_alone L) e = Some (Take p) -> snd e < size_of L (fst e).
Proof. intros A. apply (event_of_layer all L). apply all_events. congruence. Qed.
Lemma place_in_word p e : action (layer_alone L) e = Some (Take p) ->
  place_of (P ls) (layer_in ls) p (in_word pre e) = place_of (layer_alone L) only_layer p e.
Proof.
  intro A. pose proof (take_in_layer e p A) as Le. unfold place_of. rewrite (in_word_layer pre post L e Le).
  apply as_many; [|intros y T; apply andb_true_iff in T as [_ T]; now apply of_layer_take in T].
  intros x Lx. rewrite is_take_in_word by auto. change (only_layer e) with 0.
  destruct (is_take (exact (layer_alone L) only_layer) (0, p) x) eqn:T; [|now rewrite !andb_false_r].
  rewrite !andb_true_r. apply is_take_spec in T. apply exact_take in T as [T _].
  pose proof (one_reader (layer_alone L) _ _ _ T A) as F. unfold in_word. simpl. rewrite F.
  apply eq_true_iff_eq. rewrite !Nat.leb_le. lia.
Qed.

Hypothesis Good : Forall (good_layer all G) pre.

(** Without an event of its layer, a word gets through all earlier layers, and through its layer as if that were
    alone. *)
Lemma without_in_word e w : snd e < size_of L (fst e) -> without (X ls) (in_word pre e) w ->
  (forall i, start_of pre i <= w i) /\ plays L (eq e) (in_layer_at pre L w).
Proof.
  intros Le W.
  assert (Through : forall i, start_of pre i <= w i).
  { destruct W as [R S]. apply (gets_through all G w (eq (in_word pre e)) pre (L :: post) Good R S).
    intros x <-. simpl. lia. }
  split; auto. destruct W as [R S]. pose proof (layer_of_word_plays all G pre post L _ w R S) as Pl.
  apply plays_iff with (2 := Pl). intro x. unfold held. split; [intros [H|H]|].
  - specialize (Through (fst x)). lia.
  - now apply in_word_injective in H.
  - intros <-. now right.
Qed.

Lemma all_taken_in_word i r p : snd r < size_of L (fst r) -> action (layer_alone L) r = Some (Take p) ->
  all_taken_before (P ls) (layer_in ls) G i (in_word pre r) p <-> all_taken_before (layer_alone L) only_layer G i r p.
Proof.
  intros Lr Ar. unfold all_taken_before. rewrite (in_word_layer pre post L r Lr).
  unfold only_layer at 1 3 4. rewrite receives_in_word, messages_in_word. split; intros [Lt Fit]; split; auto.
  - intros e w A _ Lt' W. pose proof (take_in_layer e p A) as Le.
    destruct (without_exists (X ls) (in_word pre e)) as [w' W'].
    destruct (without_in_word e w' Le W') as [_ Pe].
    assert (F : fst e = fst r) by exact (one_reader (layer_alone L) _ _ _ A Ar).
    specialize (Fit (in_word pre e) w').
    rewrite (action_in_word all pre post L e Le), (in_word_layer pre post L e Le) in Fit.
    rewrite sent_in_word, place_in_word in Fit by auto.
    assert (Q : ceq (in_layer_at pre L w') w) by (apply (plays_unique all G L (eq e) (eq e)); auto; tauto).
    assert (Qs : sent_of (layer_alone L) only_layer i 0 p (in_layer_at pre L w') =
      sent_of (layer_alone L) only_layer i 0 p w).
    { unfold sent_of. f_equal. apply filter_ext. intro x. unfold insideb. now rewrite (Q (fst x)). }
    rewrite Qs in Fit. apply Fit; auto. simpl. rewrite F. lia.
  - intros e w A Ly Lt' W. destruct (from_layer pre post L e Ly) as (e0 & Le & ->).
    rewrite (action_in_word all pre post L e0 Le) in A. destruct (without_in_word e0 w Le W) as [_ Pe].
    assert (F : fst e0 = fst r) by exact (one_reader (layer_alone L) _ _ _ A Ar). simpl in Lt'. rewrite F in Lt'.
    rewrite sent_in_word, place_in_word by auto. apply Fit; auto. lia.
Qed.
End InWord.

(** What follows a layer, without its event [r], as blocked sets of a cut of the word. *)
Lemma blocked_in_word pre L mid M post r w : let ls := pre ++ L :: mid ++ M :: post in Forall (good_layer all G) pre ->
  snd r < size_of L (fst r) -> without (X ls) (in_word pre r) w ->
  plays L (eq r) (in_layer_at pre L w) /\
  goes_on (blocked_by L (fun _ => False) (in_layer_at pre L w)) mid (behind (pre ++ L :: mid) w) /\
  plays M (fun e => behind (pre ++ L :: mid) w (fst e)) (in_layer_at (pre ++ L :: mid) M w).
Proof.
  intros ls Good Lr W. destruct (without_in_word pre (mid ++ M :: post) L Good r w Lr W) as [Through Pr].
  destruct W as [R S]. assert (El : ls = (pre ++ [L]) ++ mid ++ M :: post) by (unfold ls; now rewrite <- app_assoc).
  assert (Em : pre ++ L :: mid = (pre ++ [L]) ++ mid) by now rewrite <- app_assoc.
  assert (Past : snd (in_word pre r) < start_of (pre ++ [L]) (fst (in_word pre r))) by (rewrite start_next; simpl; lia).
  split; [exact Pr|split].
  - apply goes_on_from with (behind (pre ++ [L]) w).
    + intro i. unfold blocked_by, behind, in_layer_at. rewrite start_next. specialize (Through i). lia.
    + rewrite Em. apply (word_goes_on (in_word pre r) w mid (pre ++ [L]) (M :: post)); auto; now rewrite <- El.
  - assert (El' : ls = (pre ++ L :: mid) ++ M :: post) by (unfold ls; now rewrite <- app_assoc).
    apply (word_plays (in_word pre r) w (pre ++ L :: mid) M post); try now rewrite <- El'.
    rewrite Em. unfold PortWords.start_of in *. rewrite concat_app, share_app, app_length. simpl in Past |- *. lia.
Qed.

(** The last receive of layer number [n] of a word can take a message of layer number [m]. *)
Definition message_gets_across (ls : list layer_program) (p : tagged_port) (n m : nat) := exists r s w,
  last_take (P ls) (layer_in ls) r p /\ layer_in ls r = n /\ action (P ls) s = Some (Put p) /\ layer_in ls s = m /\
  without (X ls) r w /\ inside w s /\
  (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before (P ls) (layer_in ls) G (fst s) r p).

(** That is a matter of blocked sets if all layers before number [n] are good. *)
Lemma across_by_blocked_sets ls p n m : Forall (good_layer all G) (firstn n ls) -> n < m ->
  message_gets_across ls p n m <-> exists pre L mid M post, ls = pre ++ L :: mid ++ M :: post /\ length pre = n /\
  S (length pre + length mid) = m /\ crosses p L mid M.
Proof.
  intros Good Lt. split.
  - intros (r & s & w & La & Nr & As & Ns & W & I & Fit).
    assert (Lr : n < length ls).
    { destruct La as [Ar _]. rewrite <- Nr. destruct r. apply (layer_below all). congruence. }
    assert (Ls : m < length ls) by (rewrite <- Ns; destruct s; apply (layer_below all); congruence).
    destruct (nth_error ls n) as [L|] eqn:NL; [|apply nth_error_None in NL; lia].
    apply nth_error_split in NL as (pre & rest & El & Np).
    destruct (nth_error rest (m - S n)) as [M|] eqn:NM.
    2: { apply nth_error_None in NM. apply (f_equal (@length _)) in El. rewrite app_length in El. simpl in El. lia. }
    apply nth_error_split in NM as (mid & post & -> & Nm).
    assert (Em : ls = (pre ++ L :: mid) ++ M :: post) by now rewrite <- app_assoc.
    assert (Lm : layer_in ls s = length (pre ++ L :: mid)) by (rewrite app_length; simpl; lia).
    exists pre, L, mid, M, post. split; [auto|split; [auto|split; [lia|]]].
    destruct (from_layer pre (mid ++ M :: post) L r ltac:(rewrite <- El; congruence)) as (r0 & Lr0 & ->).
    destruct (from_layer (pre ++ L :: mid) post M s ltac:(now rewrite <- Em)) as (s0 & Ls0 & ->).
    rewrite El, <- Np, firstn_app, Nat.sub_diag, firstn_all, app_nil_r in Good. rewrite El in La, W, Fit.
    rewrite Em in As.
    apply (last_take_in_word pre (mid ++ M :: post) L r0 p Lr0) in La.
    destruct (blocked_in_word pre L mid M post r0 w Good Lr0 W) as (Pr & H & Pm).
    exists r0, (in_layer_at pre L w), (behind (pre ++ L :: mid) w), (fst s0).
    split; [exact La|split; [exact Pr|split; [exact H|split]]].
    + exists (in_layer_at (pre ++ L :: mid) M w), s0. split; [exact Pm|split; [|split; [reflexivity|]]].
      * rewrite <- (action_in_word all (pre ++ L :: mid) post M s0 Ls0). exact As.
      * apply (inside_in_word (pre ++ L :: mid) M w s0 Ls0). exact I.
    + intros K Lo. apply (all_taken_in_word pre (mid ++ M :: post) L Good (fst s0) r0 p Lr0 (proj1 La)). now apply Fit.
  - intros (pre & L & mid & M & post & El & Np & Nm & r0 & u & B & i & La & U & H & (u' & s0 & U' & As & Fi & Iu) & Fit).
    assert (Em : ls = (pre ++ L :: mid) ++ M :: post) by now rewrite <- app_assoc.
    assert (Lr0 : snd r0 < size_of L (fst r0)).
    { apply (event_of_layer all L). apply all_events. destruct La as [Ar _]. congruence. }
    assert (Ls0 : snd s0 < size_of M (fst s0)) by (apply (event_of_layer all M), all_events; congruence).
    rewrite El, <- Np, firstn_app, Nat.sub_diag, firstn_all, app_nil_r in Good.
    destruct (without_exists (X ls) (in_word pre r0)) as [w W]. rewrite El in W.
    destruct (blocked_in_word pre L mid M post r0 w Good Lr0 W) as (Pr & H' & Pm).
    assert (Qu : ceq u (in_layer_at pre L w)) by (apply (plays_unique all G L (eq r0) (eq r0)); auto; tauto).
    assert (Same : forall k, B k <-> behind (pre ++ L :: mid) w k).
    { apply (goes_on_unique (blocked_by L (fun _ => False) u) (blocked_by L (fun _ => False) (in_layer_at pre L w)) mid);
        auto. intro k. unfold blocked_by. now rewrite (Qu k). }
    assert (Qu' : ceq u' (in_layer_at (pre ++ L :: mid) M w)).
    { apply (plays_unique all G M (fun e => B (fst e)) (fun e => behind (pre ++ L :: mid) w (fst e))); auto.
      intro e. symmetry. apply Same. }
    exists (in_word pre r0), (in_word (pre ++ L :: mid) s0), w.
    split; [|split; [|split; [|split; [|split; [|split]]]]].
    + rewrite El. now apply last_take_in_word.
    + rewrite El, in_word_layer; auto.
    + rewrite Em, action_in_word; auto.
    + rewrite Em, in_word_layer, app_length by auto. simpl. lia.
    + now rewrite El.
    + apply (inside_in_word (pre ++ L :: mid) M w s0 Ls0). now apply (inside_ceq _ _ _ Qu').
    + intros K Lo. rewrite El. simpl. rewrite Fi. apply all_taken_in_word; auto. apply La.
Qed.

(** For words of layers that are balanced and do not deadlock by themselves: a port is a root cause exactly if, with
    some set of blocked processes, a later layer puts a message into it. *)
Theorem root_port_by_blocked_sets : forall ls p, Forall (good_layer all G) ls -> may_copy (G p) = false ->
  faulty_root_port (P ls) (layer_in ls) G p <->
  exists pre L mid M post, ls = pre ++ L :: mid ++ M :: post /\ crosses p L mid M.
Proof.
  intros ls p Good C.
  assert (Before : forall n, Forall (good_layer all G) (firstn n ls)).
  { intro n. rewrite <- (firstn_skipn n ls) in Good. now apply Forall_app in Good. }
  transitivity (exists n m, n < m /\ message_gets_across ls p n m).
  - destruct (words_of_good_layers all G ls Good) as [Bal Co].
    rewrite (root_port_by_message (P ls) (layer_in ls) G (in_sequence_word all ls) Bal Co p C). split.
    + intros (r & s & w & La & As & L & W & I & F). exists (layer_in ls r), (layer_in ls s). split; auto.
      exists r, s, w. auto 10.
    + intros (n & m & L & r & s & w & La & <- & As & <- & W & I & F). exists r, s, w. auto 10.
  - split.
    + intros (n & m & L & H).
      apply (across_by_blocked_sets ls p n m (Before n) L) in H as (pre & M & mid & M' & post & H).
      exists pre, M, mid, M', post. tauto.
    + intros (pre & L & mid & M & post & E & H). exists (length pre), (S (length pre + length mid)). split; [lia|].
      apply across_by_blocked_sets; auto; [lia|]. exists pre, L, mid, M, post. auto.
Qed.
End Protocol.
