(** * Runs of a search over overlapping receives, played

    If receives of one process overlap, a search finds root causes, and no certificate shows that there are no others.
    Each has a run.  In it, the process's receives of that tag share a port, whether they name their sender or not
    ([from_all]), as in [PortRunsChecked]; besides, a receive that names its sender takes a message of that sender.

    The theorems are [check_found_correct] and, for ports that neither lose nor copy, [check_found_overlapping]: it is a
    run of [PortOverlaps], in which a receive takes any message that it accepts. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortWords PortOverlaps.
From Sealcheck Require Import Tries RunsChecked PortTables PortIndex PortExpressions PortsChecked PortsCheckedCorrect.
From Sealcheck Require Import PortRunsChecked PortRunsCheckedCorrect.
Open Scope nat_scope.

(** ** Receives from all *)

(** A receive of a tag that its process receives from any source, too, is one from any source. *)
Definition from_all (shared : trie (trie unit)) (a : tagged_act) : tagged_act :=
  match a with TRecv j _ t => if is_shared shared j t then TRecv j None t else a | _ => a end.
Definition layer_from_all (shared : trie (trie unit)) (M : layer_program) : layer_program := map (from_all shared) M.

Section FromAll.
Variable shared : trie (trie unit).
Notation f := (from_all shared).
Notation F := (map (layer_from_all shared)).

Lemma share_from_all i l : tagged_share i (map f l) = map f (tagged_share i l).
Proof.
  induction l as [|a l IH]; simpl; auto. replace (tagged_actor (f a)) with (tagged_actor a).
  - destruct (tagged_actor a =? i); simpl; now rewrite IH.
  - destruct a as [i' j t|j s t|i']; simpl; auto. now destruct (is_shared shared j t).
Qed.

Lemma layer_in_from_all ls e : layer_in (F ls) e = layer_in ls e.
Proof.
  destruct e as [i k]. unfold layer_in. cbn [fst snd]. revert k. induction ls as [|M ls IH]; intro k; simpl; auto.
  assert (L : length (tagged_share i (layer_from_all shared M)) = length (tagged_share i M)).
  { unfold layer_from_all. now rewrite share_from_all, map_length. }
  rewrite L. destruct (k <? _); auto.
Qed.

Lemma action_from_all all ls e : action (word_program all (F ls)) e =
  option_map (fun a => on_port all (f a)) (action_at (concat ls) e).
Proof.
  cbn [action word_program program_over]. unfold tagged_action, action_at.
  replace (concat (F ls)) with (map f (concat ls)) by apply concat_map.
  rewrite share_from_all, nth_error_map. now destruct (nth_error _ _).
Qed.
End FromAll.

(** ** The senders that receives name *)

(** Whether a receive is from any source, or from this sender.  In the table no tag is shared, so that it has the senders
    that receives name. *)
Definition takes_of_named (named : trie (trie (port_action tagged_port * nat))) (taken : event * event) : bool :=
  match find_event (fst taken) named with
  | Some (Take (_, Some i, _), _) => fst (snd taken) =? i
  | _ => true
  end.
Definition takes_named (ls : list layer_program) (x : port_root) : bool :=
  forallb (takes_of_named (stored (word_events Leaf 0 Leaf ls))) (root_matching x).

(** Receives of a run that name their sender take messages of this sender. *)
Definition named_senders (ls : list layer_program) (h : list move) := forall e s j i t, In (Receives e s) h ->
  action_at (concat ls) e = Some (TRecv j (Some i) t) -> fst s = i.

Lemma takes_named_sound ls x h : takes_named ls x = true ->
  (forall e s, In (Receives e s) h -> In (e, s) (root_matching x)) -> named_senders ls h.
Proof.
  unfold takes_named. rewrite forallb_forall. intros H T e s j i t I A. specialize (H _ (T e s I)).
  unfold takes_of_named in H. cbn [fst snd] in H.
  assert (Fe : find_event e (stored (word_events Leaf 0 Leaf ls)) = Some (Take (j, Some i, t), layer_in ls e)).
  { apply stored_spec.
    - intros z [a1 n1] [a2 n2] I1 I2.
      apply (word_events_spec [] ls [] Leaf (fun k => eq_refl)) in I1 as (_ & A1 & <-), I2 as (_ & A2 & <-).
      simpl app in *. congruence.
    - apply (word_events_spec [] ls [] Leaf (fun k => eq_refl)). simpl app. split; [unfold start_of; simpl; lia|]. split; auto.
      cbn [action word_program program_over]. unfold tagged_action. unfold action_at in A. now rewrite A. }
  rewrite Fe in H. now apply Nat.eqb_eq.
Qed.

(** ** The check *)

(** Balanced layers; for each root cause the last event of its run, and whose message it takes. *)
Definition check_found (q : port_layers) (roots : list port_root) : option (list (event * event)) :=
  let states := states_given q in
  let layers := index (layers_given q) in
  let G := port_guarantee q in
  let shared := shared_tags (concat (layers_given q)) in
  let all := map (layer_from_all shared) (layers_given q) in
  let shared_all := shared_tags (concat all) in
  let check x := match root_word q states layers x with
    | Some ls => if takes_named ls x then play_root G shared_all (map (layer_from_all shared) ls) x else None
    | None => None
    end in
  if check_states q states && forallb (fun M => is_balanced (layer_table_of shared_all M)) all
  then all_some (map check roots) else None.

Section Found.
Variables (q : port_layers) (roots : list port_root).
Notation shared := (shared_tags (concat (layers_given q))).
Notation F := (map (layer_from_all shared)).
Notation all := (concat (F (layers_given q))).
Notation G := (port_guarantee q).

(** A run of a word in which all receives take messages of their own layer and of the senders that they name, and then one
    on this port takes a message of another layer. *)
Definition found_in (w : list layer_program) (p : tagged_port) := exists lost h e s,
  faulty_runs (word_program all (F w)) G lost (Receives e s :: h) /\ named_senders w (Receives e s :: h) /\
  own_layers (layer_in w) h /\ action (word_program all (F w)) e = Some (Take p) /\ layer_in w e <> layer_in w s.

Lemma all_some_each {A B} (f : A -> option B) l : forall ys, all_some (map f l) = Some ys -> forall x, In x l ->
  exists y, f x = Some y.
Proof.
  induction l as [|z l IH]; intros ys H x I; [destruct I|]. simpl in H.
  destruct (f z) as [y|] eqn:Fz; [|discriminate]. destruct (all_some _) as [ys'|]; [|discriminate].
  destruct I as [->|I]; eauto.
Qed.

(** What is accepted: balanced layers; and each port is a root cause, by a run of some word. *)
Theorem check_found_correct : forall ends, check_found q roots = Some ends ->
  (forall M, In M (F (layers_given q)) -> balanced_layers (program_over all M) only_layer) /\
  forall p, In p (map wrong_port roots) -> exists w, possible_word q w /\ found_in w p.
Proof.
  intros ends H. unfold check_found in H. destruct (_ && _) eqn:C in H; [|discriminate].
  apply andb_true_iff in C as [St Bal]. split.
  - intros M I. rewrite forallb_forall in Bal. apply is_balanced_sound. exact (Bal M I).
  - intros p I. apply in_map_iff in I as (x & <- & I). destruct (all_some_each _ _ _ H x I) as (y & Hx). clear H.
    destruct (root_word _ _ _ x) as [w|] eqn:W; [|discriminate]. destruct (takes_named w x) eqn:Named; [|discriminate].
    destruct (play_root_run all _ _ x y Hx) as (lost & h & e & s & R & O & A & N & T).
    exists w. split; [now apply root_word_possible in W|]. exists lost, h, e, s. rewrite !layer_in_from_all in N.
    repeat split; auto; [now apply (takes_named_sound w x)|].
    intros e' s' I'. specialize (O e' s' I'). now rewrite !layer_in_from_all in O.
Qed.

Hypothesis Faultless : forall p, may_lose (G p) = false /\ may_copy (G p) = false.

Lemma found_overlapping w lost h : faulty_runs (word_program all (F w)) G lost h -> named_senders w h ->
  lost = [] /\ overlapping_runs (concat w) h.
Proof.
  induction 1 as [|lost h i a R IH A N|lost h i p s R IH A Av _|lost h p s R IH L _]; intro Named.
  - split; [auto|constructor].
  - destruct IH as [-> O]; [intros e s j k t I; apply Named; now right|]. split; auto. rewrite action_from_all in A.
    destruct (action_at (concat w) (i, done h i)) as [b|] eqn:B; [|discriminate].
    apply overlapping_does with b; auto. intro Rb. destruct b as [| j from t|]; try contradiction. simpl in A.
    destruct (is_shared _ j t) in A; simpl in A; injection A as <-; now apply (N _ eq_refl).
  - destruct IH as [-> O]; [intros e s' j k t I; apply Named; now right|]. split; auto. apply overlapping_receives; auto.
    destruct Av as (B & In_ & _ & Once). destruct Once as [Copy|Once]; [destruct (Faultless p); congruence|].
    rewrite action_from_all in A, B. destruct (action_at (concat w) (i, done h i)) as [a|] eqn:Ea; [|discriminate].
    destruct (action_at (concat w) s) as [b|] eqn:Eb; [|discriminate]. exists a, b. repeat split; auto.
    pose proof (proj2 (action_at_in _ _ _ Eb)) as Actor. simpl in A, B.
    destruct a as [i' j' t'|j from t|i']; try discriminate. destruct b as [i' j' t'|j' from' t'|i']; try discriminate.
    + assert (Q : p = (j, (if is_shared shared j t then None else from), t)).
      { simpl in A. destruct (is_shared shared j t); simpl in A; injection A as <-; auto. }
      simpl in B. rewrite Q in B. injection B as -> _ ->. simpl. repeat split; auto. destruct from as [k|]; [right|now left].
      simpl in Actor. rewrite Actor. f_equal. symmetry. apply (Named (i, done h i) s j k t); [now left|exact Ea].
    + simpl in B. destruct (is_shared _ _ _) in B; discriminate.
  - destruct (Faultless p). congruence.
Qed.

(** Then layers do not stay apart, in the words of [PortOverlaps]. *)
Theorem check_found_overlapping : forall ends, check_found q roots = Some ends -> roots <> [] ->
  exists w, possible_word q w /\ ~ stay_apart_overlapping w.
Proof.
  intros ends H Some_. destruct roots as [|x l] eqn:E; [congruence|]. rewrite <- E in H.
  destruct (check_found_correct ends H) as [_ Each].
  destruct (Each (wrong_port x)) as (w & Pw & lost & h & e & s & R & Named & O & A & N); [rewrite E; now left|].
  exists w. split; auto. intro Apart. apply found_overlapping in R as [_ R]; auto.
  apply N, (Apart _ R e s). now left.
Qed.
End Found.
