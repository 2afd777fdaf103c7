(** * Ports: the theorems behind [docs/ports.md], on one page

    Each entry has the name of a row of the table "What is proved" there, its words, and the theorems: statements in
    full, each proved elsewhere.  As in [MainTheorems], [exact] accepts a proof of this very statement only.  So if the
    original is changed into something weaker, this file no longer compiles, and if the statement here is changed, the
    review no longer covers it ([reviewed.toml]).

    Written by hand.  Each name is the original's.  The definitions that they name are in the files below;
    [docs/proofs.md] lists those that have to be read. *)

From Coq Require Import List Arith.
Import ListNotations.
From Sealcheck Require Import Definitions StraightLine Ports PortLayers PortPrograms PortChannels PortExamples.
From Sealcheck Require Import PortFaults PortFaultLayers PortFaultExamples PortOrder PortWords PortProtocols.
From Sealcheck Require Import PortLanguages PortOpen PortTags PortValues PortCertificates PortChoices PortOverlaps.
From Sealcheck Require Import PortOverlapsLayers PortOverlapsHard PortRoom.
Open Scope nat_scope.

(** ports-accept.  If no receives overlap, a receive accepts exactly the messages of its port. *)
Theorem accepts_iff_same_port : forall l, no_overlap l -> forall j from t i j' t', In (TRecv j from t) l ->
  accepts (TRecv j from t) (TSend i j' t') <-> on_port l (TSend i j' t') = Put (j, from, t).
Proof. exact PortPrograms.accepts_iff_same_port. Qed.

(** ports-counting.  Which events can happen without a receive r does not depend on which messages are taken: they are
    one set, W(r). *)
Theorem without_exists : forall {port : Type} (P : program port) r, exists w, without P r w.
Proof. exact @Ports.without_exists. Qed.

Theorem without_unique : forall {port : Type} (P : program port) r w w',
  without P r w -> without P r w' -> ceq w w'.
Proof. exact @Ports.without_unique. Qed.

Theorem happens_without : forall {port : Type} (P : program port) (ordered : port -> Prop) r w, without P r w ->
  forall e, inside w e <-> exists h, runs P ordered h /\ happens e h /\ ~ happens r h.
Proof. exact @Ports.happens_without. Qed.

Theorem precedes_iff_not_without : forall {port : Type} (P : program port) (ordered : port -> Prop) r w,
  without P r w -> forall e, e <> r -> precedes P ordered r e <-> ~ inside w e.
Proof. exact @Ports.precedes_iff_not_without. Qed.

(** ports-channels.  The paper's channels are ports of one sender without tags: what comes after an event in every run
    is what the program graph says. *)
Theorem channels_without : forall l, balanced l -> dead_free l -> forall r w, without (over_channels l) r w ->
  forall e, In e (events (over_channels l)) -> inside w e <-> e <> r /\ ~ causes (fifo l) r e.
Proof. exact PortChannels.channels_without. Qed.

Theorem channels_precede : forall l, balanced l -> dead_free l -> forall ordered r e,
  In e (events (over_channels l)) -> e <> r -> precedes (over_channels l) ordered r e <-> causes (fifo l) r e.
Proof. exact PortChannels.channels_precede. Qed.

(** ports-root-causes.  Layers stay apart exactly if no port is a root cause. *)
Theorem apart_without_faulty_root_ports : forall {port : Type} (P : program port) layer (G : port -> guarantee),
  apart_with_faults P layer G <-> forall p, ~ faulty_root_port P layer G p.
Proof. exact @PortFaultLayers.apart_without_faulty_root_ports. Qed.

(** ports-bag.  A bag is a root cause exactly if a later layer can send to it before an earlier layer's last receive
    on it, in runs whose receives take messages of their own layer. *)
Theorem bag_root_port : forall {port : Type} (P : program port) layer (ordered : port -> Prop), in_sequence P layer ->
  balanced_layers P layer -> complete P layer -> forall p, ~ ordered p ->
  root_port P layer ordered p <-> later_message_in_time P layer p.
Proof. exact @PortLayers.bag_root_port. Qed.

Theorem jobs_do_not_stay_apart : ~ stay_apart_over_ports jobs round (fun _ => False).
Proof. exact PortExamples.jobs_do_not_stay_apart. Qed.

(** ports-fifo.  A port in order with one sender is no root cause. One with several senders is a root cause exactly if a
    later layer can send to it before an earlier layer's last receive, and the receives before that one can have taken
    all messages that this sender sends there in the earlier layer. *)
Theorem one_sender_no_root_port : forall {port : Type} (P : program port) layer (ordered : port -> Prop),
  in_sequence P layer -> balanced_layers P layer -> forall p, ordered p -> one_sender P p ->
  ~ root_port P layer ordered p.
Proof. exact @PortLayers.one_sender_no_root_port. Qed.

Theorem ordered_root_port : forall {port : Type} (P : program port) layer (G : port -> guarantee),
  in_sequence P layer -> balanced_layers P layer -> complete_with_faults P layer G -> forall p,
  keeps_order (G p) = true -> may_copy (G p) = false -> may_lose (G p) = false ->
  faulty_root_port P layer G p <-> overtaking_message P layer G p.
Proof. exact @PortOrder.ordered_root_port. Qed.

Theorem order_of_two_senders_is_not_enough :
  ~ apart_with_faults two_then_one (layer_in [from_two; from_one]) in_order_of_senders.
Proof. exact PortFaultExamples.order_of_two_senders_is_not_enough. Qed.

(** ports-faults.  A port that may lose messages is a root cause exactly if a bag would be; one that duplicates,
    exactly if two layers use it. *)
Theorem bag_or_lossy_root_port : forall {port : Type} (P : program port) layer (G : port -> guarantee),
  in_sequence P layer -> balanced_layers P layer -> complete_with_faults P layer G -> forall p,
  may_copy (G p) = false -> keeps_order (G p) = false \/ may_lose (G p) = true ->
  faulty_root_port P layer G p <-> later_message_with_faults P layer G p.
Proof. exact @PortFaultLayers.bag_or_lossy_root_port. Qed.

Theorem copying_root_port : forall {port : Type} (P : program port) layer (G : port -> guarantee),
  in_sequence P layer -> balanced_layers P layer -> complete_with_faults P layer G -> forall p,
  may_copy (G p) = true -> faulty_root_port P layer G p <-> two_layers_use P layer p.
Proof. exact @PortFaultLayers.copying_root_port. Qed.

Theorem jobs_do_not_stay_apart_if_lost : ~ apart_with_faults jobs round lossy_in_order.
Proof. exact PortFaultExamples.jobs_do_not_stay_apart_if_lost. Qed.

Theorem jobs_do_not_stay_apart_if_copied : ~ apart_with_faults jobs round copies_made.
Proof. exact PortFaultExamples.jobs_do_not_stay_apart_if_copied. Qed.

(** ports-apart.  So layers over ports of all kinds are decided port by port. *)
Theorem apart_over_ports : forall {port : Type} (P : program port) layer (G : port -> guarantee),
  in_sequence P layer -> balanced_layers P layer -> complete_with_faults P layer G ->
  apart_with_faults P layer G <-> forall p,
  if may_copy (G p) then ~ two_layers_use P layer p else ~ wrong_message P layer G p.
Proof. exact @PortOrder.apart_over_ports. Qed.

(** ports-open.  If anything may follow, layers stay apart exactly if they do by themselves, no port that duplicates
    is used, and no process that may send to another port gets to the end without a layer's last receive there, unless
    the port orders its message behind others. *)
Theorem apart_whatever_follows : forall all G members ls, Forall (good_layer all G) ls ->
  (forall M, In M ls -> of_members members M) ->
  apart_over_ports_open all G members ls <->
  apart_with_faults (word_program all ls) (layer_in ls) G /\ forall p,
  if may_copy (G p) then forall L, In L ls -> ~ layer_uses all L p
  else forall pre L mid, ls = pre ++ L :: mid -> ~ crosses_open all G members p L mid.
Proof. exact PortOpen.apart_whatever_follows. Qed.

(** ports-blocked.  In a protocol, what can happen after a layer depends only on the set of processes that are blocked
    in it. Interference between two layers remains if layers in between are left out. *)
Theorem root_port_by_blocked_sets : forall all G ls p, Forall (good_layer all G) ls -> may_copy (G p) = false ->
  faulty_root_port (word_program all ls) (layer_in ls) G p <->
  exists pre L mid M post, ls = pre ++ L :: mid ++ M :: post /\ crosses all G p L mid M.
Proof. exact PortProtocols.root_port_by_blocked_sets. Qed.

Theorem deleting_layers : forall all G p L mid mid' M, sublist mid' mid -> crosses all G p L mid M ->
  crosses all G p L mid' M.
Proof. exact PortProtocols.deleting_layers. Qed.

(** ports-skipping.  The shortest words decide. If each layer can be left out, words of two layers decide; if a sequence
    of layers is repeated, two rounds decide. *)
Theorem apart_by_shortest_paths : forall all G (W W' : language), of_good_layers all G W ->
  (forall ls, W' ls -> W ls) -> has_shortest_paths W W' -> words_apart all G W <-> words_apart all G W'.
Proof. exact PortLanguages.apart_by_shortest_paths. Qed.

Theorem two_layers_decide : forall all G (W : language), of_good_layers all G W ->
  (forall ls ls', W ls -> sublist ls' ls -> W ls') -> forall p, root_port_of all G W p <->
  exists L M, W [L; M] /\ faulty_root_port (word_program all [L; M]) (layer_in [L; M]) G p.
Proof. exact PortLanguages.two_layers_decide. Qed.

Theorem two_rounds_of_ports_decide : forall all G ls, Forall (good_layer all G) ls -> forall p,
  (exists k, faulty_root_port (word_program all (rounds_of k ls)) (layer_in (rounds_of k ls)) G p) <->
  faulty_root_port (word_program all (rounds_of 2 ls)) (layer_in (rounds_of 2 ls)) G p.
Proof. exact PortLanguages.two_rounds_of_ports_decide. Qed.

(** ports-choices.  Satisfiability is a case of protocols whose choices cannot be skipped: the layers of a formula's
    protocol have 4 + 6k events, if literals occur k times in it. If layers of a sequence of choices interfere, one of
    its words has a run that shows it, with at most one step and one loss for each event. *)
Theorem choices_decide_satisfiability : forall f, let all := all_layers (protocol_of f) in
  of_good_layers all bags (words_of (protocol_of f)) /\
  (satisfiable f <-> ~ words_apart all bags (words_of (protocol_of f))).
Proof. exact PortChoices.choices_decide_satisfiability. Qed.

Theorem protocol_size : forall f, length (all_layers (protocol_of f)) = 4 + 6 * length (concat f).
Proof. exact PortChoices.protocol_size. Qed.

Theorem short_runs_refute : forall all G cs, ~ words_apart all G (words_of cs) <-> exists w lost h,
  words_of cs w /\ length w = length cs /\ faulty_runs (word_program all w) G lost h /\
  ~ own_layers (layer_in w) h /\
  length h <= length (concat w) /\ length lost <= length (concat w).
Proof. exact PortChoices.short_runs_refute. Qed.

(** ports-overlaps.  Satisfiability is a case of two layers whose receives overlap, even if no run gets stuck: for c
    clauses, none of them empty, in which literals occur k times, the layers have at most 10 + 3c + 24k events. If such
    layers interfere, a run shows it, with at most one step for each event. *)
Theorem no_overlap_runs : forall l, no_overlap l -> forall h,
  overlapping_runs l h <-> runs (program_of l) (fun _ => False) h.
Proof. exact PortOverlaps.no_overlap_runs. Qed.

Theorem overlaps_decide_satisfiability : forall f : cnf, (forall c, In c f -> c <> []) ->
  never_stuck (concat (layers_of f)) /\ (satisfiable f <-> ~ stay_apart_overlapping (layers_of f)).
Proof. exact PortOverlapsHard.overlaps_decide_satisfiability. Qed.

Theorem layers_size : forall f, length (concat (layers_of f)) <= 10 + 3 * length f + 24 * length (concat f).
Proof. exact PortOverlapsLayers.layers_size. Qed.

Theorem short_overlapping_runs_refute : forall ls, ~ stay_apart_overlapping ls <-> exists h,
  overlapping_runs (concat ls) h /\ ~ own_layers (layer_in ls) h /\ length h <= length (concat ls).
Proof. exact PortOverlaps.short_overlapping_runs_refute. Qed.

(** ports-certificates.  The certificates of a yes are sufficient. *)
Theorem certificates_of_protocols : forall all G (state : Type) (next : state -> layer_program -> state -> Prop)
  start,
  (forall q1 M q2 N q3, next q1 M q2 -> next q2 N q3 -> balanced_layers (program_over all M) only_layer) ->
  (forall p pre L mid M post q, leads_to state next start (pre ++ L :: mid ++ M :: post) q -> may_copy (G p) = true ->
    ~ (layer_touches all L p /\ layer_touches all M p)) ->
  (forall p q1 L q2 r, next q1 L q2 -> may_copy (G p) = false -> last_take (program_over all L) only_layer r p ->
    (keeps_order (G p) = true /\ may_lose (G p) = false /\ snd (fst p) <> None) \/
    keeps_away all G state next p L r q2) ->
  forall w q, leads_to state next start w q -> apart_with_faults (word_program all w) (layer_in w) G.
Proof. exact PortCertificates.certificates_of_protocols. Qed.

(** ports-tags.  Layer tags on a set of ports are enough exactly if all root causes are in the set. *)
Theorem tags_on_root_ports_of_words : forall all G W, of_good_layers all G W -> forall S,
  (forall w, W w -> apart_with_faults (with_tags (word_program all w) (layer_in w) (layer_tags S)) (layer_in w)
    (exact_guarantee G)) <->
  forall p, root_port_of all G W p -> S p = true.
Proof. exact PortTags.tags_on_root_ports_of_words. Qed.

(** ports-values.  If layers are repeated over ports that do not duplicate, the layer and the round modulo m are
    enough exactly if no message can be m rounds early. If one can be d rounds early, no tags with d values for its
    layer are enough. For n processes, n values are enough, or no number of values is. *)
Theorem values_decide : forall all G ls, Forall (good_layer all G) ls -> forall m, (forall p, 1 <= m p) ->
  (forall k, rounds_with_tags all G ls (round_tag ls m) k) <-> forall p,
  if may_copy (G p) then forall L, In L ls -> ~ layer_uses all L p
  else forall a L b, ls = a ++ L :: b -> ~ early all G p a b L (m p).
Proof. exact PortValues.values_decide. Qed.

Theorem values_least : forall all G ls, Forall (good_layer all G) ls -> forall tag p a L b d,
  may_copy (G p) = false -> ls = a ++ L :: b -> early all G p a b L d ->
  (forall k, rounds_with_tags all G ls tag k) ->
  NoDup (map (fun t => tag p (length a + t * length ls)) (seq 0 (S d))).
Proof. exact PortValues.values_least. Qed.

Theorem n_values_or_none : forall all G ls, Forall (good_layer all G) ls -> forall procs, acts_among ls procs ->
  1 <= length procs ->
  (exists m, (forall p, 1 <= m p) /\ forall k, rounds_with_tags all G ls (round_tag ls m) k) ->
  forall k, rounds_with_tags all G ls (round_tag ls (fun _ => length procs)) k.
Proof. exact PortValues.n_values_or_none. Qed.

(** ports-room.  With layer tags, at most k messages wait in a port that does not duplicate, in all runs, exactly if
    this holds at each event of its reader, and at its reader's end: of the messages that can be sent without this
    event, all but at most k are taken before it. *)
Theorem room_suffices : forall {port : Type} (P : program port) layer (G : port -> guarantee) p i,
  (forall e, action P e = Some (Take p) -> fst e = i) -> forall k,
  (forall lost h, faulty_runs (exact P layer) (exact_guarantee G) lost h -> has_room P p k (done h)) <->
  (forall e w, fst e = i -> without (relaxed (exact P layer) (exact_guarantee G)) e w -> has_room P p k w).
Proof. exact @PortRoom.room_suffices. Qed.
