(** * Protocols: which words of layers decide

    A protocol is a set of words of layers, such as the words of a regular expression.  The layers stay apart if they
    do in each word.  Without layers in between, a later layer's message gets to a receive more easily
    ([PortProtocols]).  So some of the words decide, if they have, for any two layers, a word with no more between
    them.  If all layers can be skipped, the words of two layers decide.  If a sequence of layers is repeated, two
    rounds do.

    The theorems are [shortest_paths_decide], [apart_by_shortest_paths], [two_layers_decide] and
    [two_rounds_of_ports_decide].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols.
Open Scope nat_scope.

(** ** Lists *)

Lemma sublist_none {A} (l : list A) : sublist [] l.
Proof. induction l; [apply sublist_nil|now apply sublist_skip]. Qed.
Lemma sublist_app {A} (a a' b b' : list A) : sublist a' a -> sublist b' b -> sublist (a' ++ b') (a ++ b).
Proof. intros S T. induction S; simpl; [auto|now apply sublist_skip|now apply sublist_keep]. Qed.

Lemma app_split {A} (a b c d : list A) x : a ++ x :: b = c ++ d ->
  (exists c', c = a ++ x :: c' /\ b = c' ++ d) \/ (exists a', a = c ++ a' /\ a' ++ x :: b = d).
Proof.
  revert c. induction a as [|y a IH]; intros [|z c] Q; simpl in *.
  - right. exists []. auto.
  - injection Q as -> ->. left. exists c. auto.
  - right. exists (y :: a). auto.
  - injection Q as -> Q. destruct (IH c Q) as [(c' & -> & ->)|(a' & -> & Q')]; [left|right]; eauto.
Qed.

(** ** Languages *)

Section Language.
Variables (all : list tagged_act) (G : tagged_port -> guarantee).

(** A set of words of layers, each of which is balanced and does not deadlock by itself. *)
Definition language := list layer_program -> Prop.
Definition of_good_layers (W : language) := forall ls, W ls -> Forall (good_layer all G) ls.

(** The layers of each word stay apart; a port is a root cause in some word. *)
Definition words_apart (W : language) := forall ls, W ls -> apart_with_faults (word_program all ls) (layer_in ls) G.
Definition root_port_of (W : language) (p : tagged_port) := exists ls, W ls /\
  faulty_root_port (word_program all ls) (layer_in ls) G p.

Lemma words_apart_without_root_ports W : words_apart W <-> forall p, ~ root_port_of W p.
Proof.
  split.
  - intros A p (ls & H & Root).
    now apply (apart_without_faulty_root_ports _ (layer_in ls) G) with (p := p) in Root; [|apply A].
  - intros None ls H. apply apart_without_faulty_root_ports. intros p Root. apply (None p). now exists ls.
Qed.

(** A layer that uses a port. *)
Definition layer_uses (M : layer_program) (p : tagged_port) := exists s, action (program_over all M) s = Some (Put p).

Lemma layer_of_action ls s a : action (word_program all ls) s = Some a -> exists pre M post e,
  ls = pre ++ M :: post /\ length pre = layer_in ls s /\ action (program_over all M) e = Some a.
Proof.
  intro A. assert (L : layer_in ls s < length ls) by (destruct s; apply (layer_below all); congruence).
  destruct (nth_error ls (layer_in ls s)) as [M|] eqn:N; [|apply nth_error_None in N; lia].
  apply nth_error_split in N as (pre & post & E & N).
  destruct (from_layer pre post M s ltac:(now rewrite <- E)) as (e & Le & Q). exists pre, M, post, e.
  split; auto. split; auto. rewrite <- (action_in_word all pre post M e Le), <- Q, <- E. exact A.
Qed.

Lemma layer_of_put ls s p : action (word_program all ls) s = Some (Put p) -> exists pre M post,
  ls = pre ++ M :: post /\ length pre = layer_in ls s /\ layer_uses M p.
Proof.
  intro A. destruct (layer_of_action ls s _ A) as (pre & M & post & e & E & N & A'). exists pre, M, post.
  split; [exact E|split; [exact N|now exists e]].
Qed.

Lemma put_of_uses pre M post p : layer_uses M p -> exists s,
  action (word_program all (pre ++ M :: post)) s = Some (Put p) /\
  layer_in (pre ++ M :: post) s = length pre.
Proof.
  intros (e & A). assert (Le : snd e < size_of M (fst e)) by (apply (event_of_layer all M), all_events; congruence).
  exists (in_word pre e). split; [now rewrite (action_in_word all pre post M e Le)|now apply in_word_layer].
Qed.

(** A port that copies is a root cause exactly if two layers of the word use it. *)
Lemma copying_root_port_of_word ls p : Forall (good_layer all G) ls -> may_copy (G p) = true ->
  faulty_root_port (word_program all ls) (layer_in ls) G p <-> exists pre L mid M post,
  ls = pre ++ L :: mid ++ M :: post /\ layer_uses L p /\ layer_uses M p.
Proof.
  intros Good C. destruct (words_of_good_layers all G ls Good) as [Bal Co].
  rewrite (copying_root_port _ _ G (in_sequence_word all ls) Bal Co p C). split.
  - assert (Go : forall s s', action (word_program all ls) s = Some (Put p) ->
      action (word_program all ls) s' = Some (Put p) ->
      layer_in ls s < layer_in ls s' -> exists pre L mid M post, ls = pre ++ L :: mid ++ M :: post /\
      layer_uses L p /\ layer_uses M p).
    { intros s s' A A' Lt. destruct (layer_of_put ls s p A) as (pre & L & rest & E & N & U).
      destruct (layer_of_put ls s' p A') as (pre' & M & post & E' & N' & U'). rewrite E in E'.
      destruct (app_split pre rest pre' (M :: post) L E') as [(mid & -> & ->)|(a & -> & _)].
      - exists pre, L, mid, M, post. auto.
      - rewrite app_length in N. lia. }
    intros (s & s' & A & A' & N). destruct (lt_eq_lt_dec (layer_in ls s) (layer_in ls s')) as [[L|L]|L]; [|congruence|];
      eauto.
  - intros (pre & L & mid & M & post & E & U & U').
    assert (E' : ls = (pre ++ L :: mid) ++ M :: post) by now rewrite <- app_assoc.
    destruct (put_of_uses pre L (mid ++ M :: post) p U) as (s & A & Ls). rewrite <- E in *.
    destruct (put_of_uses (pre ++ L :: mid) M post p U') as (s' & A' & Ls'). rewrite <- E' in *.
    exists s, s'. repeat split; auto. rewrite Ls, Ls', app_length. simpl. lia.
Qed.

(** ** The theorems *)

(** The words of [W'] have, for any two layers of a word of [W], in their order, one with no other layers between. *)
Definition has_shortest_paths (W W' : language) := forall pre L mid M post, W (pre ++ L :: mid ++ M :: post) ->
  exists pre' mid' post', W' (pre' ++ L :: mid' ++ M :: post') /\ sublist mid' mid.

(** Then the root causes of [W'] are those of [W]. *)
Theorem shortest_paths_decide : forall W W' : language, of_good_layers W -> (forall ls, W' ls -> W ls) ->
  has_shortest_paths W W' -> forall p, root_port_of W p <-> root_port_of W' p.
Proof.
  intros W W' Good Part Short p. split; [|intros (ls & H & Root); exists ls; auto]. intros (ls & H & Root).
  pose proof (Good ls H) as Gl. destruct (may_copy (G p)) eqn:C.
  - apply (copying_root_port_of_word ls p Gl C) in Root as (pre & L & mid & M & post & -> & U & U').
    destruct (Short pre L mid M post H) as (pre' & mid' & post' & H' & Sub). eexists. split; [exact H'|].
    apply copying_root_port_of_word; [now apply Good, Part|auto|]. exists pre', L, mid', M, post'. auto.
  - apply (root_port_by_blocked_sets all G ls p Gl C) in Root as (pre & L & mid & M & post & -> & Cr).
    destruct (Short pre L mid M post H) as (pre' & mid' & post' & H' & Sub). eexists. split; [exact H'|].
    apply root_port_by_blocked_sets; [now apply Good, Part|auto|]. exists pre', L, mid', M, post'. split; auto.
    now apply deleting_layers with mid.
Qed.

Theorem apart_by_shortest_paths : forall W W' : language, of_good_layers W -> (forall ls, W' ls -> W ls) ->
  has_shortest_paths W W' -> words_apart W <-> words_apart W'.
Proof.
  intros W W' Good Part Short. rewrite !words_apart_without_root_ports.
  split; intros None p Root; apply (None p); now apply (shortest_paths_decide W W' Good Part Short).
Qed.

(** If each layer of each word can be left out, words of two layers decide. *)
Theorem two_layers_decide : forall W : language, of_good_layers W -> (forall ls ls', W ls -> sublist ls' ls -> W ls') ->
  forall p, root_port_of W p <-> exists L M, W [L; M] /\
    faulty_root_port (word_program all [L; M]) (layer_in [L; M]) G p.
Proof.
  intros W Good Skip p.
  rewrite (shortest_paths_decide W (fun ls => W ls /\ exists L M, ls = [L; M]) Good); [|now intros ls []|].
  - split; [intros (ls & (H & L & M & ->) & Root)|intros (L & M & H & Root)]; eauto 6. exists [L; M]. eauto.
  - intros pre L mid M post H. exists [], [], []. split; [|apply sublist_none]. simpl. split; [|eauto].
    apply (Skip _ _ H). apply (sublist_app pre [] (L :: mid ++ M :: post) [L; M]); [apply sublist_none|].
    apply sublist_keep, (sublist_app mid [] (M :: post) [M]); [apply sublist_none|].
    apply sublist_keep, sublist_none.
Qed.

(** ** Rounds *)

Definition rounds_of (k : nat) (ls : list layer_program) := concat (repeat ls k).

(** A layer of some round, after others, is in the first one, after no more. *)
Lemma in_first_round ls M k : forall mid post, rounds_of k ls = mid ++ M :: post -> exists mid' post',
  ls = mid' ++ M :: post' /\ sublist mid' mid.
Proof.
  induction k as [|k IH]; intros mid post E; unfold rounds_of in *; simpl in E; [destruct mid; discriminate|].
  symmetry in E. destruct (app_split mid post ls _ M E) as [(c & -> & _)|(a & -> & E')].
  - exists mid, c. split; auto. apply sublist_refl.
  - destruct (IH a post (eq_sym E')) as (mid' & post' & E2 & Sub). exists mid', post'. split; auto.
    apply (sublist_app ls [] a mid'); [apply sublist_none|auto].
Qed.

Lemma in_two_rounds ls L M k : forall pre mid post, rounds_of k ls = pre ++ L :: mid ++ M :: post ->
  exists pre' mid' post', rounds_of 2 ls = pre' ++ L :: mid' ++ M :: post' /\ sublist mid' mid.
Proof.
  induction k as [|k IH]; intros pre mid post E; [destruct pre; discriminate|].
  unfold rounds_of in E |- *. simpl in E |- *. rewrite app_nil_r. symmetry in E.
  destruct (app_split pre _ ls _ L E) as [(c & El & Er)|(a & -> & E')].
  - destruct (app_split mid post c _ M Er) as [(d & -> & _)|(a & -> & Er')].
    + exists pre, mid, (d ++ ls). split; [|apply sublist_refl]. rewrite El at 1. rewrite <- app_assoc. simpl.
      now rewrite <- app_assoc.
    + destruct (in_first_round ls M k a post (eq_sym Er')) as (mid' & post' & E2 & Sub).
      exists pre, (c ++ mid'), post'. split; [|apply sublist_app; auto; apply sublist_refl].
      rewrite El at 1. rewrite E2 at 1. now rewrite <- !app_assoc.
  - destruct (IH a mid post (eq_sym E')) as (pre' & mid' & post' & E2 & Sub). unfold rounds_of in E2. simpl in E2.
    rewrite app_nil_r in E2. eauto.
Qed.

(** If a sequence of layers is repeated any number of times, two rounds decide. *)
Theorem two_rounds_of_ports_decide : forall ls, Forall (good_layer all G) ls -> forall p,
  (exists k, faulty_root_port (word_program all (rounds_of k ls)) (layer_in (rounds_of k ls)) G p) <->
  faulty_root_port (word_program all (rounds_of 2 ls)) (layer_in (rounds_of 2 ls)) G p.
Proof.
  intros ls Good p. split; [|eauto]. intros (k & Root).
  assert (Gk : of_good_layers (fun w => exists k, w = rounds_of k ls)).
  { intros w (j & ->). apply Forall_forall. intros M I. unfold rounds_of in I. apply in_concat in I as (l & I & IM).
    apply repeat_spec in I. subst l. now apply (proj1 (Forall_forall _ _) Good). }
  apply (shortest_paths_decide _ (fun w => w = rounds_of 2 ls)) with (p := p) in Gk as D; [|eauto|].
  - destruct (proj1 D) as (w & -> & R); [exists (rounds_of k ls); eauto|exact R].
  - intros pre L mid M post (j & E). symmetry in E. apply in_two_rounds in E as (pre' & mid' & post' & E & Sub).
    exists pre', mid', post'. auto.
Qed.
End Language.
