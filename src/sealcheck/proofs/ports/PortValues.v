(** * How many values tags need if layers are repeated

    A sequence of layers is repeated, and the messages on a port say which layer they are of, and the round modulo m.
    That is enough exactly if no message of a layer can be there m rounds early.  If it can be there d rounds early,
    no tags of any kind do with d values.  With n processes, a message that can be n rounds early can be any number
    of rounds early.  So n values are enough, or no number of values is.

    The theorems are [values_decide], [values_least], [early_by_n] and [n_values_or_none].  None of them belongs to
    the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder.
From Sealcheck Require Import PortWords PortProtocols PortLanguages PortTags.
Open Scope nat_scope.

(** ** Words of rounds *)

Lemma rounds_add j k ls : rounds_of (j + k) ls = rounds_of j ls ++ rounds_of k ls.
Proof. unfold rounds_of. now rewrite repeat_app, concat_app. Qed.
Lemma rounds_next k ls : rounds_of (S k) ls = ls ++ rounds_of k ls.
Proof. reflexivity. Qed.
Lemma rounds_length k ls : length (rounds_of k ls) = k * length ls.
Proof. induction k as [|k IH]; auto. rewrite rounds_next, app_length, IH. simpl. lia. Qed.
Lemma rounds_rotated x a k : x ++ rounds_of k (a ++ x) = rounds_of k (x ++ a) ++ x.
Proof.
  induction k as [|k IH]; [simpl; now rewrite app_nil_r|]. rewrite !rounds_next, <- !app_assoc, IH. reflexivity.
Qed.

Lemma same_lengths {A} (a a' b b' : list A) : a ++ b = a' ++ b' -> length a = length a' -> a = a' /\ b = b'.
Proof.
  revert a'. induction a as [|x a IH]; intros [|y a'] E L; simpl in *; try discriminate; auto.
  injection E as -> E. destruct (IH a' E ltac:(lia)) as [-> ->]. auto.
Qed.

(** What is between a layer [L] of the round [a ++ L :: b] and the same layer [d] rounds later. *)
Definition layers_around (a b : list layer_program) (L : layer_program) (d : nat) :=
  (b ++ a) ++ rounds_of (d - 1) (L :: b ++ a).

Lemma rounds_around a b L d : 1 <= d -> rounds_of (S d) (a ++ L :: b) = a ++ L :: layers_around a b L d ++ L :: b.
Proof.
  intro D. destruct d as [|d]; [lia|]. unfold layers_around. replace (S d - 1) with d by lia. rewrite rounds_next.
  change (L :: ((b ++ a) ++ rounds_of d (L :: b ++ a)) ++ L :: b) with
    ((((L :: b) ++ a) ++ rounds_of d ((L :: b) ++ a)) ++ L :: b).
  rewrite <- (rounds_next d ((L :: b) ++ a)), <- (rounds_rotated (L :: b) a (S d)). rewrite rounds_next.
  now rewrite <- app_assoc.
Qed.

Lemma layers_around_length a b L d : 1 <= d -> S (length (layers_around a b L d)) = d * length (a ++ L :: b).
Proof.
  intro D. unfold layers_around. rewrite app_length, rounds_length. simpl. rewrite !app_length. simpl.
  destruct d as [|d]; [lia|]. replace (S d - 1) with d by lia. simpl. nia.
Qed.

(** Two layers of a word of rounds that are some number of rounds apart are the same layer. *)
Lemma rounds_apart ls L M d k : 1 <= d -> forall pre mid post, rounds_of k ls = pre ++ L :: mid ++ M :: post ->
  S (length mid) = d * length ls -> exists a b, ls = a ++ L :: b /\ M = L /\ mid = layers_around a b L d.
Proof.
  intro D. induction k as [|k IH]; intros pre mid post E Len; [destruct pre; discriminate|].
  rewrite rounds_next in E. symmetry in E. destruct (app_split pre _ ls _ L E) as [(c & El & Er)|(a & -> & E')].
  2: { now apply (IH a mid post). }
  exists pre, c. split; auto.
  assert (Er' : L :: mid ++ M :: post = rounds_of k ((L :: c) ++ pre) ++ L :: c).
  { rewrite <- rounds_rotated, <- El. simpl. now rewrite Er. }
  assert (Dk : d <= k).
  { apply (f_equal (@length _)) in Er'. rewrite El in Len.
    simpl in *. rewrite !app_length, rounds_length in *. simpl in *.
    rewrite !app_length in *. simpl in *. nia. }
  replace k with (d + (k - d)) in Er' by lia. rewrite rounds_add, <- app_assoc in Er'.
  destruct (same_lengths (L :: mid) (rounds_of d ((L :: c) ++ pre)) _ _ Er') as [E1 E2].
  { rewrite rounds_length. simpl. rewrite app_length. rewrite El, app_length in Len. simpl in Len. lia. }
  destruct d as [|d]; [lia|]. rewrite rounds_next in E1. simpl in E1. injection E1 as E1. split.
  - destruct (k - S d); simpl in E2; congruence.
  - unfold layers_around. replace (S d - 1) with d by lia. exact E1.
Qed.

Section Values.
Variables (all : list tagged_act) (G : tagged_port -> guarantee) (ls : list layer_program).
Hypothesis Good : Forall (good_layer all G) ls.

(** A message of layer [L] can be there [d] rounds early: it is on the port without the layer's last receive there. *)
Definition early (p : tagged_port) (a b : list layer_program) (L : layer_program) (d : nat) :=
  crosses all G p L (layers_around a b L d) L.

(** The layers of [k] rounds, with tags; and the tag "layer, and round modulo m": the layer's number modulo m rounds. *)
Definition rounds_with_tags (tag : tagged_port -> nat -> nat) (k : nat) :=
  apart_with_faults (with_tags (word_program all (rounds_of k ls)) (layer_in (rounds_of k ls)) tag)
    (layer_in (rounds_of k ls)) (exact_guarantee G).
Definition round_tag (m : tagged_port -> nat) (p : tagged_port) (n : nat) := n mod (length ls * m p).

Lemma good_rounds k : Forall (good_layer all G) (rounds_of k ls).
Proof.
  apply Forall_forall. intros M I. unfold rounds_of in I. apply in_concat in I as (l & I & IM). apply repeat_spec in I.
  subst l. now apply (proj1 (Forall_forall _ _) Good).
Qed.

Lemma fewer_rounds p a b L d d' : 1 <= d' -> d' <= d -> early p a b L d -> early p a b L d'.
Proof.
  intros D L1. apply deleting_layers. unfold layers_around. apply sublist_app; [apply sublist_refl|].
  replace (d - 1) with ((d' - 1) + (d - d')) by lia. rewrite rounds_add.
  rewrite <- (app_nil_r (rounds_of (d' - 1) _)) at 1. apply sublist_app; [apply sublist_refl|apply sublist_none].
Qed.

(** ** Which tags are enough *)

Lemma tags_by_blocked_sets tag w : Forall (good_layer all G) w ->
  apart_with_faults (with_tags (word_program all w) (layer_in w) tag) (layer_in w) (exact_guarantee G) <->
  forall p pre L mid M post, w = pre ++ L :: mid ++ M :: post ->
    tag p (length pre) = tag p (S (length pre + length mid)) ->
    if may_copy (G p) then ~ (layer_uses all L p /\ layer_uses all M p) else ~ crosses all G p L mid M.
Proof.
  intro Gw. destruct (words_of_good_layers all G w Gw) as [Bal Co].
  assert (Before : forall n, Forall (good_layer all G) (firstn n w)).
  { intro n. rewrite <- (firstn_skipn n w) in Gw. now apply Forall_app in Gw. }
  rewrite (apart_with_tags _ _ G tag (in_sequence_word all w) Bal Co). split.
  - intros H p pre L mid M post E T. specialize (H p). destruct (may_copy (G p)).
    + intros [U U']. apply H. assert (E' : w = (pre ++ L :: mid) ++ M :: post) by now rewrite <- app_assoc.
      destruct (put_of_uses all pre L (mid ++ M :: post) p U) as (s & A & Ls). rewrite <- E in A, Ls.
      destruct (put_of_uses all (pre ++ L :: mid) M post p U') as (s' & A' & Ls'). rewrite <- E' in A', Ls'.
      rewrite app_length in Ls'. simpl in Ls'. exists s, s'. repeat split; auto; [lia|].
      rewrite Ls, Ls', <- plus_n_Sm. exact T.
    + intro Cr. apply H. assert (Lt : length pre < S (length pre + length mid)) by lia.
      destruct (proj2 (across_by_blocked_sets all G w p _ _ (Before _) Lt))
        as (r & s & wc & La & Nr & As & Ns & W & I & F);
        [exists pre, L, mid, M, post; auto|].
      exists r, s, wc. rewrite Nr, Ns. auto 10.
  - intros H p. destruct (may_copy (G p)) eqn:C.
    + assert (Go : forall s s', action (word_program all w) s = Some (Put p) ->
        action (word_program all w) s' = Some (Put p) -> layer_in w s < layer_in w s' ->
        tag p (layer_in w s) = tag p (layer_in w s') -> False).
      { intros s s' A A' Lt T. destruct (layer_of_put all w s p A) as (pre & L & rest & E & N & U).
        destruct (layer_of_put all w s' p A') as (pre' & M & post & E' & N' & U').
        pose proof E' as E2. rewrite E in E'.
        destruct (app_split pre rest pre' (M :: post) L E') as [(mid & Ep & Er)|(c & -> & _)].
        - specialize (H p pre L mid M post). rewrite C in H. apply H; auto; [now rewrite E, Er|].
          rewrite N. rewrite <- N', Ep, app_length in T. simpl in T. now rewrite <- plus_n_Sm, N in T.
        - rewrite app_length in N. lia. }
      intros (s & s' & A & A' & N & T).
      destruct (lt_eq_lt_dec (layer_in w s) (layer_in w s')) as [[L|L]|L]; [|congruence|]; eauto.
    + intros (r & s & wc & La & As & Lt & T & W & I & F).
      assert (Across : message_gets_across all G w p (layer_in w r) (layer_in w s)).
      { exists r, s, wc. auto 10. }
      apply (across_by_blocked_sets all G w p _ _ (Before _) Lt) in Across
        as (pre & L & mid & M & post & E & N & N' & Cr).
      specialize (H p pre L mid M post E). rewrite C in H. apply H; auto. congruence.
Qed.

(** The layer and the round modulo m are enough for any number of rounds exactly if no message can be m rounds early.
    A port that copies must not be used. *)
Theorem values_decide : forall m, (forall p, 1 <= m p) -> (forall k, rounds_with_tags (round_tag m) k) <-> forall p,
  if may_copy (G p) then forall L, In L ls -> ~ layer_uses all L p
  else forall a L b, ls = a ++ L :: b -> ~ early p a b L (m p).
Proof.
  intros m Pos. split.
  - intros H p.
    assert (Same : forall a L b, ls = a ++ L :: b ->
      round_tag m p (length a) = round_tag m p (S (length a + length (layers_around a b L (m p))))).
    { intros a L b E. unfold round_tag. rewrite plus_n_Sm, layers_around_length, <- E, Nat.mul_comm by auto.
      rewrite (Nat.mul_comm (m p)).
      replace (length a + length ls * m p) with (length a + 1 * (length ls * m p)) by lia.
      rewrite Nat.mod_add; auto. rewrite E, app_length. simpl. specialize (Pos p). nia. }
    pose proof (proj1 (tags_by_blocked_sets (round_tag m) _ (good_rounds (S (m p)))) (H (S (m p))) p) as D.
    assert (D' : forall a L b, ls = a ++ L :: b ->
      if may_copy (G p) then ~ layer_uses all L p else ~ early p a b L (m p)).
    { intros a L b E. specialize (D a L (layers_around a b L (m p)) L b).
      rewrite E in D at 1. rewrite rounds_around in D by auto. specialize (D eq_refl (Same a L b E)).
      destruct (may_copy (G p)); [tauto|exact D]. }
    destruct (may_copy (G p)); [|exact D'].
    intros L I. apply in_split in I as (a & b & E). now apply (D' a L b).
  - intros H k. apply (tags_by_blocked_sets (round_tag m) _ (good_rounds k)). intros p pre L mid M post E T.
    specialize (H p). destruct (may_copy (G p)).
    + intros [U _]. apply (H L); auto.
      assert (I : In L (rounds_of k ls)) by (rewrite E; apply in_or_app; right; now left).
      unfold rounds_of in I. apply in_concat in I as (l & I & IM). apply repeat_spec in I. now subst l.
    + assert (Len : exists q, S (length mid) = S q * (length ls * m p)).
      { assert (Nz : length ls * m p <> 0).
        { specialize (Pos p). destruct ls as [|x l]; [|simpl; lia]. exfalso. apply (f_equal (@length _)) in E.
          rewrite rounds_length, app_length in E. simpl in E. lia. }
        unfold round_tag in T. rewrite plus_n_Sm in T.
        pose proof (Nat.div_mod (length pre) _ Nz) as D1.
        pose proof (Nat.div_mod (length pre + S (length mid)) _ Nz) as D2.
        rewrite <- T in D2. set (z := length ls * m p) in *.
        set (q1 := length pre / z) in *. set (q2 := (length pre + S (length mid)) / z) in *.
        exists (q2 - q1 - 1). assert (q1 < q2) by nia. replace (S (q2 - q1 - 1)) with (q2 - q1) by lia.
        rewrite Nat.mul_sub_distr_r. nia. }
      destruct Len as (q & Len).
      destruct (rounds_apart ls L M (S q * m p) k ltac:(specialize (Pos p); nia) pre mid post E ltac:(nia))
        as (a & b & El & -> & ->).
      intro Cr. apply (H a L b El). apply fewer_rounds with (S q * m p); [apply Pos|nia|exact Cr].
Qed.

(** If a message can be d rounds early, any tags at all must have d + 1 values for its layer. *)
Theorem values_least : forall tag p a L b d, may_copy (G p) = false -> ls = a ++ L :: b -> early p a b L d ->
  (forall k, rounds_with_tags tag k) -> NoDup (map (fun t => tag p (length a + t * length ls)) (seq 0 (S d))).
Proof.
  intros tag p a L b d C E Ea H. apply NoDup_map_on; [|apply seq_NoDup].
  assert (Go : forall t t', t < t' -> t' <= d -> tag p (length a + t * length ls) <> tag p (length a + t' * length ls)).
  { intros t t' Lt Le T.
    pose proof (proj1 (tags_by_blocked_sets tag _ (good_rounds (t + S (t' - t)))) (H _) p) as D. rewrite C in D.
    apply (D (rounds_of t ls ++ a) L (layers_around a b L (t' - t)) L b).
    - rewrite rounds_add. rewrite E at 2. rewrite rounds_around by lia. now rewrite <- app_assoc.
    - rewrite app_length, rounds_length, plus_n_Sm, layers_around_length, <- E by lia.
      replace (t * length ls + length a) with (length a + t * length ls) by lia. rewrite T. f_equal. nia.
    - apply fewer_rounds with d; auto; lia. }
  intros t t' I I' T. apply in_seq in I, I'. destruct (lt_eq_lt_dec t t') as [[Lt|]|Lt]; auto; exfalso.
  - apply (Go t t'); auto. lia.
  - apply (Go t' t); auto. lia.
Qed.

(** ** At most n values *)

Lemma goes_on_app B l1 l2 D : goes_on all G B (l1 ++ l2) D <-> exists C, goes_on all G B l1 C /\ goes_on all G C l2 D.
Proof.
  revert B. induction l1 as [|M l1 IH]; intro B; simpl.
  - split; [intro H; exists B; split; [constructor; tauto|auto]|].
    intros (C & H & H'). inversion H; subst. apply goes_on_from with C; auto. intro i. symmetry. auto.
  - split.
    + intro H. inversion H as [|? ? ? ? u U H1]; subst. apply IH in H1 as (C & H1 & H2). exists C. split; auto.
      now apply goes_on_layer with u.
    + intros (C & H & H'). inversion H as [|? ? ? ? u U H1]; subst. apply goes_on_layer with u; auto. apply IH.
      exists C. auto.
Qed.

Lemma blocked_stay l : forall B C, goes_on all G B l C -> forall i, B i -> C i.
Proof.
  intros B C H. induction H as [B C E|B C M mid u U H IH]; intros i b; [now apply E|]. apply IH. now left.
Qed.

(** Only processes that do something in a layer become blocked in it. *)
Lemma newly_blocked (procs : list proc) l : (forall M i, In M l -> 0 < size_of M i -> In i procs) ->
  forall B C, goes_on all G B l C -> forall i, C i -> B i \/ In i procs.
Proof.
  intros Acts B C H. induction H as [B C E|B C M mid u U H IH]; intros i c; [left; now apply E|].
  destruct (IH (fun N j I => Acts N j (or_intror I)) i c) as [[b|b]|I]; auto. right. apply (Acts M i); [now left|lia].
Qed.

(** In each repetition of layers, one more process is blocked, or no more are from then on. *)
Lemma blocked_settle (procs : list proc) l : (forall M i, In M l -> 0 < size_of M i -> In i procs) ->
  forall (B : proc -> Prop) i, B i -> In i procs -> forall d C, goes_on all G B (rounds_of d l) C ->
  (exists ps, NoDup ps /\ incl ps procs /\ length ps = S d /\ forall j, In j ps -> C j) \/
  forall D, goes_on all G C l D -> forall j, D j -> C j.
Proof.
  intros Acts B i b I d. induction d as [|d IH]; intros C H.
  - left. exists [i]. split; [constructor; auto; constructor|]. split; [intros j [<-|[]]; auto|]. split; auto.
    intros j [<-|[]]. apply (blocked_stay _ _ _ H i b).
  - replace (S d) with (d + 1) in H by lia. rewrite rounds_add in H. apply goes_on_app in H as (C' & H & H').
    unfold rounds_of in H'. simpl in H'. rewrite app_nil_r in H'.
    destruct (IH C' H) as [(ps & N & Inc & Len & Bl)|Stay].
    + destruct (classic (exists j, C j /\ ~ C' j)) as [(j & c & nc)|None].
      * left. exists (j :: ps). split; [constructor; auto; intro J; now apply nc, Bl|]. split.
        -- intros k [<-|K]; auto. destruct (newly_blocked procs l Acts C' C H' j c); [contradiction|auto].
        -- split; [simpl; lia|]. intros k [<-|K]; auto. apply (blocked_stay _ _ _ H' k). auto.
      * right. assert (Same : forall j, C j <-> C' j).
        { intro j. split; [|apply (blocked_stay _ _ _ H')]. intro c. apply NNPP. eauto. }
        intros D HD j dj. apply (goes_on_unique all G C C' l D C Same HD H'). exact dj.
    + right. assert (Same : forall j, C j <-> C' j).
      { intro j. split; [apply (Stay C H')|apply (blocked_stay _ _ _ H')]. }
      intros D HD j dj. apply (goes_on_unique all G C C' l D C Same HD H'). exact dj.
Qed.

(** The processes of the layers. *)
Definition acts_among (procs : list proc) := forall M i, In M ls -> 0 < size_of M i -> In i procs.

(** If a message can be n rounds early, for n processes, it can be any number of rounds early. *)
Theorem early_by_n : forall procs, acts_among procs -> forall p a L b, ls = a ++ L :: b ->
  early p a b L (length procs) -> forall d, 1 <= d -> early p a b L d.
Proof.
  intros procs Acts p a L b E (r & u & B & i & La & U & H & Sent & F) d D.
  assert (Lr : 0 < size_of L (fst r)).
  { assert (snd r < size_of L (fst r)); [|lia]. apply (event_of_layer all L), all_events. destruct La as [A _].
    congruence. }
  assert (Lin : In L ls) by (rewrite E; apply in_or_app; right; now left).
  assert (Pos : 1 <= length procs).
  { specialize (Acts L (fst r) Lin Lr). destruct procs; [destruct Acts|simpl; lia]. }
  destruct (le_lt_dec d (length procs)) as [Le|Gt].
  { apply fewer_rounds with (length procs); auto. exists r, u, B, i. auto. }
  unfold layers_around in H. apply goes_on_app in H as (B1 & H1 & H).
  assert (Acts' : forall M j, In M (L :: b ++ a) -> 0 < size_of M j -> In j procs).
  { intros M j I. apply Acts. rewrite E. apply in_or_app. destruct I as [<-|I]; [right; now left|].
    apply in_app_or in I as [I|I]; [right; now right|now left]. }
  assert (Blocked : B1 (fst r)).
  { apply (blocked_stay _ _ _ H1). right. destruct U as [R _].
    assert (N : ~ inside u r) by now apply (not_itself (relaxed_layer all G L) (eq r)).
    apply Nat.lt_le_trans with (S (snd r)); [unfold inside in N; lia|].
    apply (event_of_layer all L), all_events. destruct La as [A _]. congruence. }
  destruct (blocked_settle procs _ Acts' B1 (fst r) Blocked (Acts L _ Lin Lr) _ B H) as [(ps & N & Inc & Len & Bl)|Stay].
  - exfalso. destruct Sent as (v & s & [R _] & A & Fi & I).
    assert (Ps : In (fst s) ps).
    { apply (NoDup_length_incl (l' := procs) N); [lia|exact Inc|]. apply (Acts L); auto.
      assert (snd s < size_of L (fst s)); [|lia]. apply (event_of_layer all L), all_events. congruence. }
    revert I. apply (not_itself (relaxed_layer all G L) (fun e => B (fst e))); auto.
  - destruct (goes_on_exists all G B (rounds_of (d - length procs) (L :: b ++ a))) as (D' & HD).
    exists r, u, D', i. split; [exact La|split; [exact U|split; [|split; [|exact F]]]].
    + unfold layers_around. apply goes_on_app. exists B1. split; auto.
      replace (d - 1) with ((length procs - 1) + (d - length procs)) by lia. rewrite rounds_add. apply goes_on_app.
      exists B. auto.
    + apply more_sent with B; auto. clear - Stay HD. revert D' HD.
      induction (d - length procs) as [|x IH]; intros D' HD k dk; [inversion HD; subst; firstorder|].
      replace (S x) with (x + 1) in HD by lia. rewrite rounds_add in HD. apply goes_on_app in HD as (Y & HY & HD).
      unfold rounds_of in HD. simpl in HD. rewrite app_nil_r in HD. specialize (IH Y HY).
      destruct (goes_on_exists all G B (L :: b ++ a)) as (Z & HZ). apply (Stay Z HZ).
      apply (fewer_blocked all G _ _ (sublist_refl (L :: b ++ a)) B Z Y D' IH HZ HD). exact dk.
Qed.

(** So n values are enough on each port, or no number of values is. *)
Theorem n_values_or_none : forall procs, acts_among procs -> 1 <= length procs ->
  (exists m, (forall p, 1 <= m p) /\ forall k, rounds_with_tags (round_tag m) k) ->
  forall k, rounds_with_tags (round_tag (fun _ => length procs)) k.
Proof.
  intros procs Acts Pos (m & Pm & H). pose proof (proj1 (values_decide m Pm) H) as D.
  apply (values_decide (fun _ => length procs)); auto. intro p. specialize (D p). destruct (may_copy (G p)); auto.
  intros a L b E Ea. apply (D a L b E). now apply (early_by_n procs Acts p a L b E Ea).
Qed.
End Values.
