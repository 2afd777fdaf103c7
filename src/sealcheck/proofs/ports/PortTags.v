(** * Tags on ports

    A tag says something about the layer of a message, and receives heed it: each port and tag make a port of their
    own.  A tag may be the layer's number on some ports, and nothing on others; or the number modulo some m.

    The layers stay apart with tags exactly if no message gets into another layer with the same tag; what happens
    without a receive is as before.  So it is enough to tag some ports by layers exactly if all root causes are among
    them.

    The theorems are [apart_with_tags], [tags_on_root_ports] and [tags_on_root_ports_of_words].  None of them belongs to
    the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder.
From Sealcheck Require Import PortWords PortLanguages.
Open Scope nat_scope.

Section Tags.
Context {port : Type} (P : program port) (layer : event -> nat) (G : port -> guarantee) (tag : port -> nat -> nat).

(** The messages and receives of layer [n] on a port [p] have the tag [tag p n]. *)
Definition on_tagged (n : nat) (a : port_action port) : port_action (nat * port) := match a with
  | Put p => Put (tag p n, p) | Take p => Take (tag p n, p) | Inner => Inner end.
Definition action_with_tags (e : event) := option_map (on_tagged (layer e)) (action P e).

Lemma with_tags_some e : action_with_tags e <> None <-> action P e <> None.
Proof. unfold action_with_tags. destruct (action P e); simpl; split; congruence. Qed.
Lemma with_tags_put e v p : action_with_tags e = Some (Put (v, p)) <->
  action P e = Some (Put p) /\ v = tag p (layer e).
Proof.
  unfold action_with_tags. destruct (action P e) as [[q|q|]|]; simpl; split; try discriminate;
    try (intros [H _]; discriminate).
  - intro H. injection H. intros -> <-. auto.
  - intros [H ->]. now injection H as ->.
Qed.
Lemma with_tags_take e v p : action_with_tags e = Some (Take (v, p)) <->
  action P e = Some (Take p) /\ v = tag p (layer e).
Proof.
  unfold action_with_tags. destruct (action P e) as [[q|q|]|]; simpl; split; try discriminate;
    try (intros [H _]; discriminate).
  - intro H. injection H. intros -> <-. auto.
  - intros [H ->]. now injection H as ->.
Qed.

Program Definition with_tags : program (nat * port) := {|
  action := action_with_tags;
  events := events P;
  no_duplicates := no_duplicates P
|}.
Next Obligation. rewrite with_tags_some. apply all_events. Qed.
Next Obligation. destruct (Nat.eq_dec n0 n), (port_dec P p0 p); [left|right..]; congruence. Defined.
Next Obligation.
  apply with_tags_take in H as [H _], H0 as [H0 _]. exact (one_reader P _ _ _ H H0).
Qed.

Notation E := (exact P layer).
Notation X := (relaxed (exact P layer) (exact_guarantee G)).
Notation T := with_tags.
Notation GT := (exact_guarantee G).
Notation ET := (exact T layer).
Notation XT := (relaxed (exact T layer) (exact_guarantee (exact_guarantee G))).

(** Two layers use the port with the same tag. *)
Definition two_layers_share (p : port) := exists s s', action P s = Some (Put p) /\ action P s' = Some (Put p) /\
  layer s <> layer s' /\ tag p (layer s) = tag p (layer s').

(** Without some layer's last receive on the port, a later layer's message with the same tag is put into it, and can
    be taken if the port keeps order. *)
Definition same_tag_in_time (p : port) := exists r s w, last_take P layer r p /\ action P s = Some (Put p) /\
  layer r < layer s /\ tag p (layer r) = tag p (layer s) /\ without X r w /\ inside w s /\
  (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before P layer G (fst s) r p).

(** ** Tags change nothing about what can happen if receives heed layers anyway *)

Lemma exact_tags_put e n v p : action ET e = Some (Put (n, (v, p))) <-> action E e = Some (Put (n, p)) /\ v = tag p n.
Proof.
  simpl. rewrite !exact_put. simpl. rewrite with_tags_put. split; [intros [[A ->] <-]|intros [[A <-] ->]]; auto.
Qed.
Lemma exact_tags_take e n v p : action ET e = Some (Take (n, (v, p))) <->
  action E e = Some (Take (n, p)) /\ v = tag p n.
Proof.
  simpl. rewrite !exact_take. simpl. rewrite with_tags_take. split; [intros [[A ->] <-]|intros [[A <-] ->]]; auto.
Qed.
Lemma same_puts n p : forall e, is_put ET (n, (tag p n, p)) e = is_put E (n, p) e.
Proof. intro e. apply eq_true_iff_eq. rewrite !is_put_spec, exact_tags_put. tauto. Qed.
Lemma same_takes n p : forall e, is_take ET (n, (tag p n, p)) e = is_take E (n, p) e.
Proof. intro e. apply eq_true_iff_eq. rewrite !is_take_spec, exact_tags_take. tauto. Qed.

Lemma same_again n p e : takes_again ET (n, (tag p n, p)) e = takes_again E (n, p) e.
Proof.
  apply eq_true_iff_eq. rewrite !takes_again_spec. split; intros (k & L & A); exists k; split; auto;
    [now apply exact_tags_take in A|now apply exact_tags_take].
Qed.

Lemma same_count (f g : event -> bool) c : (forall e, f e = g e) ->
  length (filter (fun e => insideb c e && f e) (events P)) = length (filter (fun e => insideb c e && g e) (events P)).
Proof. intro F. f_equal. apply filter_ext. intro e. now rewrite F. Qed.

Lemma same_ready c i : ready XT c (i, c i) <-> ready X c (i, c i).
Proof.
  destruct (action P (i, c i)) as [a|] eqn:A.
  - destruct a as [p|p|].
    + assert (Ae : action E (i, c i) = Some (Put (layer (i, c i), p))) by (simpl; now apply exact_put).
      assert (At : action ET (i, c i) = Some (Put (layer (i, c i),
        (tag p (layer (i, c i)), p)))) by now apply exact_tags_put.
      unfold ready. cbn [action relaxed]. unfold relaxed_action. now rewrite Ae, At.
    + assert (Ae : action E (i, c i) = Some (Take (layer (i, c i), p))) by (simpl; now apply exact_take).
      assert (At : action ET (i, c i) = Some (Take (layer (i, c i),
        (tag p (layer (i, c i)), p)))) by now apply exact_tags_take.
      rewrite (relaxed_ready E GT _ c i Ae), (relaxed_ready ET (exact_guarantee GT) _ c i At), same_again.
      unfold puts, takes. cbn [events exact with_tags].
      now rewrite (same_count _ _ c (same_puts (layer (i, c i)) p)), (same_count _ _ c (same_takes (layer (i, c i)) p)).
    + assert (Ae : action E (i, c i) = Some Inner) by (simpl; unfold exact_action; now rewrite A).
      assert (At : action ET (i, c i) = Some Inner)
        by (simpl; unfold exact_action; simpl; unfold action_with_tags; now rewrite A).
      unfold ready. cbn [action relaxed]. unfold relaxed_action. now rewrite Ae, At.
  - assert (Ae : action E (i, c i) = None) by (simpl; unfold exact_action; now rewrite A).
    assert (At : action ET (i, c i) = None)
      by (simpl; unfold exact_action; simpl; unfold action_with_tags; now rewrite A).
    unfold ready. cbn [action relaxed]. unfold relaxed_action. now rewrite Ae, At.
Qed.

Lemma same_reached stop c : reached XT stop c <-> reached X stop c.
Proof.
  split; induction 1 as [c Z|c i d R IH N A D]; try (now apply reached_start); apply reached_next with c i; auto;
    now apply same_ready.
Qed.
Lemma same_without r w : without XT r w <-> without X r w.
Proof.
  unfold without. rewrite same_reached. split; intros [R S]; split; auto; intro i; destruct (S i) as [H|H]; auto; right;
    intro A; apply H; now apply same_ready.
Qed.

Lemma last_take_with_tags r v p : last_take T layer r (v, p) <-> last_take P layer r p /\ v = tag p (layer r).
Proof.
  unfold last_take. simpl. rewrite with_tags_take. split.
  - intros [[A V] La]. repeat split; auto. intros k Ak Lk. apply La; auto. apply with_tags_take. split; auto.
    congruence.
  - intros [[A La] V]. repeat split; auto. intros k Ak Lk. apply with_tags_take in Ak as [Ak _]. auto.
Qed.

Lemma all_taken_with_tags i r p : all_taken_before T layer GT i r (tag p (layer r), p) <->
  all_taken_before P layer G i r p.
Proof.
  unfold all_taken_before, receives_of_layer, messages_of, sent_of, place_of. cbn [events with_tags].
  rewrite (filter_ext _ _ (same_takes (layer r) p)).
  assert (Ms : forall s, is_put ET (layer r, (tag p (layer r), p)) s && is_from i s = is_put E (layer r,
    p) s && is_from i s)
    by (intro s; now rewrite same_puts).
  rewrite (filter_ext _ _ Ms).
  split; intros [Lt Fit]; split; auto; intros e w A Le Lt' W.
  - specialize (Fit e w). rewrite Le, (same_count _ _ w Ms) in Fit.
    assert (Pl : forall x, (snd x <=? snd e) && is_take ET (layer r, (tag p (layer r), p)) x =
      (snd x <=? snd e) && is_take E (layer r, p) x) by (intro x; now rewrite same_takes).
    rewrite (filter_ext _ _ Pl) in Fit. rewrite Le. apply Fit; auto; [|now apply same_without].
    simpl. apply with_tags_take. rewrite Le. auto.
  - simpl in A. apply with_tags_take in A as [A _]. rewrite Le, (same_count _ _ w Ms).
    assert (Pl : forall x, (snd x <=? snd e) && is_take ET (layer r, (tag p (layer r), p)) x =
      (snd x <=? snd e) && is_take E (layer r, p) x) by (intro x; now rewrite same_takes).
    rewrite (filter_ext _ _ Pl). specialize (Fit e w A Le Lt'). rewrite Le in Fit. apply Fit. now apply same_without.
Qed.

(** ** The theorems *)

Hypothesis Seq : in_sequence P layer.
Hypothesis Bal : balanced_layers P layer.

Lemma with_tags_in_sequence : in_sequence T layer.
Proof. intros i k k' L A A'. apply Seq; auto; now apply with_tags_some. Qed.

Lemma with_tags_balanced : balanced_layers T layer.
Proof.
  intros n [v p]. cbn [events with_tags]. destruct (Nat.eq_dec v (tag p n)) as [->|N].
  - rewrite (filter_ext _ _ (same_puts n p)), (filter_ext _ _ (same_takes n p)). apply Bal.
  - assert (None : forall f : event -> bool, (forall e, f e <> true) -> filter f (events P) = []).
    { intros f H. induction (events P) as [|e l IH]; simpl; auto. specialize (H e). now destruct (f e). }
    rewrite !None; auto; intros e H.
    + apply is_take_spec, exact_tags_take in H as [_ H]. contradiction.
    + apply is_put_spec, exact_tags_put in H as [_ H]. contradiction.
Qed.

Lemma with_tags_complete : complete_with_faults P layer G -> complete_with_faults T layer GT.
Proof. intros (c & R & A). exists c. split; auto. now apply same_reached. Qed.

(** With tags, the layers stay apart exactly if no message gets into another layer with the same tag. *)
Theorem apart_with_tags : complete_with_faults P layer G -> apart_with_faults T layer GT <-> forall p,
  if may_copy (G p) then ~ two_layers_share p else ~ same_tag_in_time p.
Proof.
  intro Co.
  rewrite (apart_over_ports T layer GT with_tags_in_sequence with_tags_balanced (with_tags_complete Co)).
  assert (Share : forall v p, two_layers_use T layer (v, p) <-> exists s s', action P s = Some (Put p) /\
    action P s' = Some (Put p) /\ layer s <> layer s' /\ v = tag p (layer s) /\ v = tag p (layer s')).
  { intros v p. unfold two_layers_use. simpl.
    split; intros (s & s' & H); exists s, s'; rewrite !with_tags_put in *; tauto. }
  assert (Wrong : forall v p, wrong_message T layer GT (v, p) <-> exists r s w, last_take P layer r p /\
    action P s = Some (Put p) /\ layer r < layer s /\ v = tag p (layer r) /\ v = tag p (layer s) /\ without X r w /\
    inside w s /\ (keeps_order (G p) = true -> may_lose (G p) = false -> all_taken_before P layer G (fst s) r p)).
  { intros v p. unfold wrong_message, exact_guarantee. simpl. split; intros (r & s & w & H); exists r, s, w;
      rewrite last_take_with_tags, with_tags_put, same_without in *.
    - destruct H as ([La ->] & [As V] & L & W & I & F). rewrite all_taken_with_tags in F. tauto.
    - destruct H as (La & As & L & -> & V & W & I & F). rewrite all_taken_with_tags. tauto. }
  split; intros H.
  - intro p. pose proof (fun v => H (v, p)) as Hp. unfold exact_guarantee in Hp at 1. simpl in Hp.
    destruct (may_copy (G p)).
    + intros (s & s' & A & A' & N & V). apply (Hp (tag p (layer s))). apply Share. exists s, s'. auto.
    + intros (r & s & w & La & As & L & V & W & I & F). apply (Hp (tag p (layer r))). apply Wrong.
      exists r, s, w. auto 10.
  - intros [v p]. specialize (H p). unfold exact_guarantee at 1. simpl. destruct (may_copy (G p)); intro U; apply H.
    + apply Share in U as (s & s' & A & A' & N & V & V'). exists s, s'. repeat split; auto. congruence.
    + apply Wrong in U as (r & s & w & La & As & L & V & V' & W & I & F). exists r, s, w.
      repeat (split; [solve [auto|congruence]|]). auto.
Qed.
End Tags.

(** Each message on a port of [S] says which layer it is of. *)
Definition layer_tags {port} (S : port -> bool) (p : port) (n : nat) := if S p then n else 0.

(** That is enough exactly if all root causes are among these ports. *)
Theorem tags_on_root_ports : forall port (P : program port) layer G, in_sequence P layer -> balanced_layers P layer ->
  complete_with_faults P layer G -> forall S,
  apart_with_faults (with_tags P layer (layer_tags S)) layer (exact_guarantee G) <->
  forall p, faulty_root_port P layer G p -> S p = true.
Proof.
  intros port P layer G Seq Bal Co S. rewrite (apart_with_tags P layer G (layer_tags S) Seq Bal Co).
  assert (Each : forall p, (if may_copy (G p) then ~ two_layers_share P layer (layer_tags S) p
    else ~ same_tag_in_time P layer G (layer_tags S) p) <-> (faulty_root_port P layer G p -> S p = true)).
  { intro p. destruct (may_copy (G p)) eqn:C.
    - rewrite (copying_root_port P layer G Seq Bal Co p C). unfold two_layers_share, two_layers_use, layer_tags.
      destruct (S p); [|split; [intros H (s & s' & U)|intros H (s & s' & A & A' & N & _)]].
      + split; auto. intros _ (s & s' & _ & _ & N & V). contradiction.
      + contradiction H. exists s, s'. tauto.
      + assert (false = true); [|discriminate]. apply H. exists s, s'. auto.
    - rewrite (root_port_by_message P layer G Seq Bal Co p C). unfold same_tag_in_time, wrong_message, layer_tags.
      destruct (S p).
      + split; auto. intros _ (r & s & w & _ & _ & L & V & _). lia.
      + split; [intros H (r & s & w & U)|intros H (r & s & w & La & As & L & _ & U)].
        * contradiction H. exists r, s, w. tauto.
        * assert (false = true); [|discriminate]. apply H. exists r, s, w. auto. }
  split; intros H p; [apply Each, H|apply Each, H].
Qed.

(** The same for protocols: sets of words of layers. *)
Theorem tags_on_root_ports_of_words : forall all G W, of_good_layers all G W -> forall S,
  (forall w, W w -> apart_with_faults (with_tags (word_program all w) (layer_in w) (layer_tags S)) (layer_in w)
    (exact_guarantee G)) <->
  forall p, root_port_of all G W p -> S p = true.
Proof.
  intros all G W Good S.
  assert (Each : forall w, W w -> apart_with_faults (with_tags (word_program all w) (layer_in w) (layer_tags S))
    (layer_in w) (exact_guarantee G) <->
    forall p, faulty_root_port (word_program all w) (layer_in w) G p -> S p = true).
  { intros w H. destruct (words_of_good_layers all G w (Good w H)) as [Bal Co].
    apply tags_on_root_ports; auto. apply in_sequence_word. }
  split.
  - intros H p (w & Hw & Root). exact (proj1 (Each w Hw) (H w Hw) p Root).
  - intros H w Hw. apply (Each w Hw). intros p Root. apply H. now exists w.
Qed.
