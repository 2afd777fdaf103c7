(** * Certificates about layers over ports, checked

    The layers of a protocol stay apart on a port if closed sets say so: how far all processes get without a layer's
    last receive there, and then, layer by layer, without those that are behind.  [check_yes] checks such sets, as
    kernel/ports.py does.  Which closed set follows which is looked up, not searched: whoever makes the certificate
    says it, and the rows of the protocol's automaton as well.

    That it is right is proved in [PortsCheckedCorrect]. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortCertificates KnowledgeDecider Certificates Tries PortTables PortIndex PortExpressions.
Open Scope nat_scope.

(** ** What is given *)

(** A state of the protocol's automaton: what may come from here on, and the layers that may come first, each with the
    number of the row that it leads to. *)
Record state_row := { rest_of : protocol; next_states : list (nat * nat) }.

(** Processes, layers, guarantees, protocol; and whether anything may follow. *)
Record port_layers := {
  process_count : nat;
  layers_given : list layer_program;
  guarantees : list (tagged_port * guarantee);
  protocol_given : protocol;
  is_open : bool;
  state_rows : list state_row
}.

(** A closed set of a layer that these processes do not start. *)
Record port_step := { step_layer : nat; step_idle : list proc; step_upto : list nat }.
(** Blocked processes in a state; and for each layer that may follow the number of a step and that of the next such
    set. *)
Record port_set := { set_state : nat; set_blocked : list proc; set_exits : list (nat * nat) }.
(** Why a layer's last receive takes no next message of a sender: receive number [unfit_receive] has a closed set, or,
    if that is 0, all messages are from this sender. *)
Record port_unfit := { unfit_sender : proc; unfit_receive : nat; unfit_upto : list nat }.
(** A closed set without a layer's last receive on a port; and the numbers of the sets that begin then. *)
Record port_last := {
  hold_layer : nat; hold_port : tagged_port; hold_upto : list nat; hold_unfit : list port_unfit; hold_starts : list nat
}.
(** Such closed sets after which the same sets follow. *)
Record port_hold := { hold_lasts : list port_last; hold_sets : list port_set }.
(** A port that copies, and the states in which a layer has used it. *)
Record port_used := { used_port : tagged_port; used_states : list nat }.

(** ** What is computed once *)

Fixpoint guarantee_map (l : list (tagged_port * guarantee)) : port_map guarantee :=
  match l with [] => Leaf | (p, g) :: l' => add_port p g (guarantee_map l') end.
Definition bag : guarantee := {| keeps_order := false; may_lose := false; may_copy := false |}.
Definition guarantee_in (m : port_map guarantee) (p : tagged_port) : guarantee :=
  match find_port p m with Some g => g | None => bag end.

Definition always_in_order (g : guarantee) : bool := keeps_order g && negb (may_lose g).
(** It keeps the order of its one sender. *)
Definition keeps_own_order (g : guarantee) (p : tagged_port) : bool :=
  always_in_order g && match snd (fst p) with Some _ => true | None => false end.
(** Nobody sends to itself. *)
Definition may_send_to (p : tagged_port) (i : proc) : bool :=
  negb (i =? fst (fst p)) && match snd (fst p) with None => true | Some k => k =? i end.

Section Checked.
Variable q : port_layers.
Notation all := (concat (layers_given q)).

Definition port_guarantee := guarantee_in (guarantee_map (guarantees q)).
Definition tables_given : trie layer_table := index (map (layer_table_of (shared_tags all)) (layers_given q)).
Definition states_given : trie state_row := index (state_rows q).

(** What follows: a program of these processes, none of which sends to itself. *)
Definition may_follow (N : layer_program) :=
  forall a, In a N -> tagged_actor a < process_count q /\ match a with TSend i j _ => i <> j | _ => True end.
(** The words of layers, and what may follow them. *)
Definition possible_word (ls : list layer_program) := exists ns w, spells (protocol_given q) ns /\
  Forall2 (fun n M => nth_error (layers_given q) n = Some M) ns w /\
  (ls = w \/ is_open q = true /\ exists N, may_follow N /\ ls = w ++ [N]).

(** ** Checks *)

Fixpoint all2 {A B} (f : A -> B -> bool) (u : list A) (v : list B) : bool :=
  match u, v with
  | [], [] => true
  | a :: u', b :: v' => f a b && all2 f u' v'
  | _, _ => false
  end.

(** The rows are those of the protocol, which is that of row 0. *)
Definition check_states (states : trie state_row) : bool :=
  match find 0 states with Some row => protocol_eqb (rest_of row) (protocol_given q) | None => false end &&
  forallb (fun row => all2 (fun x y => (fst x =? fst y) &&
    match find (snd y) states with Some to => protocol_eqb (rest_of to) (snd x) | None => false end)
    (firsts (rest_of row)) (next_states row)) (state_rows q).

Definition overlaps_none : bool :=
  let shared := shared_tags all in
  forallb (fun a => match a with TRecv j (Some _) t => negb (is_shared shared j t) | _ => true end) all.

(** So many events of each process, and none of those that do not start. *)
Definition fits_layer (table : layer_table) (idle : list proc) (upto : list nat) (u : trie nat) : bool :=
  (length upto =? process_count q) && forallb (fun i => find_or 0 i u <=? find_or 0 i (sizes_in table)) (seq 0 (process_count q)) &&
  forallb (fun i => find_or 0 i u =? 0) idle.

(** What a step leaves: how far all get, and who sends where. *)
Record step_table := {
  left_layer : nat; left_idle : list proc; left_idle_set : trie unit; left_cut : trie nat; left_table : layer_table
}.
Definition step_left (G : tagged_port -> guarantee) (tables : trie layer_table) (s : port_step) : option step_table :=
  match find (step_layer s) tables with
  | None => None
  | Some table =>
      let u := index (step_upto s) in
      let idle := set_of (step_idle s) in
      if fits_layer table (step_idle s) (step_upto s) u && stuck_at G table (fun e => is_in (fst e) idle) u then
        Some {| left_layer := step_layer s; left_idle := step_idle s; left_idle_set := idle; left_cut := u; left_table := table |}
      else None
  end.
Definition is_behind (s : step_table) (i : proc) : bool :=
  is_in i (left_idle_set s) || (find_or 0 i (left_cut s) <? find_or 0 i (sizes_in (left_table s))).

(** All of a list, if none is missing. *)
Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | None :: _ => None
  | Some x :: l' => match all_some l' with Some l => Some (x :: l) | None => None end
  end.

(** One exit of a set: the step is for this layer and for processes of the set, and leads to the next set. *)
Definition check_exit (steps : trie step_table) (sets : trie port_set) (blocked : trie unit) (layer_state exit : nat * nat) :
    bool :=
  match find (fst exit) steps, find (snd exit) sets with
  | Some s, Some next =>
      (left_layer s =? fst layer_state) && forallb (fun i => is_in i blocked) (left_idle s) &&
      (set_state next =? snd layer_state) && forallb (is_behind s) (set_blocked next)
  | _, _ => false
  end.
Definition check_set (states : trie state_row) (steps : trie step_table) (sets : trie port_set) (given : port_set) : bool :=
  match find (set_state given) states with
  | None => false
  | Some row => all2 (check_exit steps sets (set_of (set_blocked given))) (next_states row) (set_exits given)
  end.

(** Numbers that have not been seen, each once. *)
Fixpoint each_once (seen : trie unit) (l : list nat) : list nat :=
  match l with
  | [] => []
  | k :: l' => if is_in k seen then each_once seen l' else k :: each_once (add k tt seen) l'
  end.
(** The steps of some sets; and the processes that may be through them all in the end, when anything may follow. *)
Definition steps_taken (steps : trie step_table) (sets : list port_set) : list step_table :=
  flat_map (fun k => match find k steps with Some s => [s] | None => [] end)
    (each_once Leaf (flat_map (fun s => map fst (set_exits s)) sets)).
Definition through_at_end (states : trie state_row) (sets : list port_set) : list proc :=
  if is_open q then
    let blocked := flat_map (fun s => match find (set_state s) states with
      | Some row => if may_end (rest_of row) then [set_of (set_blocked s)] else []
      | None => []
      end) sets in
    filter (fun i => existsb (fun late => negb (is_in i late)) blocked) (seq 0 (process_count q))
  else [].
(** No sender to a port, in these steps or of what follows then, but those that are safe. *)
Definition check_senders (p : tagged_port) (safe : trie unit) (taken : list step_table) (through : list proc) : bool :=
  forallb (fun s => forallb (fun i => is_in i safe) (senders_until (left_cut s) (uses_of p (uses_in (left_table s))))) taken &&
  forallb (fun i => is_in i safe || negb (may_send_to p i)) through.

Definition check_unfit (G : tagged_port -> guarantee) (table : layer_table) (p : tagged_port) (r : event) (x : port_unfit) :
    bool :=
  let uses := uses_of p (uses_in table) in
  let taken := length (receive_places uses) in
  let sends := sends_from (unfit_sender x) uses in
  may_send_to p (unfit_sender x) && (unfit_sender x <? process_count q) && always_in_order (G p) &&
  match unfit_receive x with
  | 0 => taken <=? length sends
  | S k =>
      let d := index (unfit_upto x) in
      match receive_on p table k with
      | None => false
      | Some e => (snd e <? snd r) && fits_layer table [] (unfit_upto x) d && stuck_at G table (event_eqb e) d &&
          (taken + count_below 0 (find_or 0 (unfit_sender x) d) sends <=? S k + length sends)
      end
  end.

(** A closed set without the last receive on a port, and the senders whose next message it does not take. *)
Definition check_last (G : tagged_port -> guarantee) (table : layer_table) (p : tagged_port) (upto : list nat) (u : trie nat)
    (unfit : list port_unfit) : bool :=
  match last_receive_on p table with
  | None => false
  | Some r => fits_layer table [] upto u && stuck_at G table (event_eqb r) u && forallb (check_unfit G table p r) unfit
  end.

(** The sets that begin are for all states after the layer, and for processes that are behind in it. *)
Definition check_starts (table : layer_table) (u : trie nat) (sets : trie port_set) (x : port_last) : bool :=
  forallb (fun row => forallb (fun to => negb (fst to =? hold_layer x) ||
    existsb (fun k => match find k sets with
      | Some s => (set_state s =? snd to) && forallb (fun i => find_or 0 i u <? find_or 0 i (sizes_in table)) (set_blocked s)
      | None => false
      end) (hold_starts x)) (next_states row)) (state_rows q).
(** The sets are checked once, and then the receives that they are given for. *)
Definition check_hold (G : tagged_port -> guarantee) (tables : trie layer_table) (states : trie state_row)
    (steps : trie step_table) (h : port_hold) : bool :=
  let sets := index (hold_sets h) in
  let taken := steps_taken steps (hold_sets h) in
  let through := through_at_end states (hold_sets h) in
  forallb (check_set states steps sets) (hold_sets h) &&
  forallb (fun x => match find (hold_layer x) tables with
    | None => false
    | Some table =>
        let u := index (hold_upto x) in
        check_last G table (hold_port x) (hold_upto x) u (hold_unfit x) && check_starts table u sets x &&
        check_senders (hold_port x) (set_of (map unfit_sender (hold_unfit x))) taken through
    end) (hold_lasts h).

Definition is_used (p : tagged_port) (table : layer_table) : bool :=
  match find_port p (uses_in table) with Some _ => true | None => false end.

(** A port that copies is used by one layer, and no other one comes later that uses it. *)
Definition check_used (tables : trie layer_table) (states : trie state_row) (x : port_used) : bool :=
  let later := set_of (used_states x) in
  let uses n := match find n tables with Some t => is_used (used_port x) t | None => false end in
  all2 (fun k row => forallb (fun to =>
    if uses (fst to) then negb (is_open q) && negb (is_in k later) && is_in (snd to) later
    else negb (is_in k later) || is_in (snd to) later) (next_states row)) (seq 0 (length (state_rows q))) (state_rows q).

(** Each layer and port has what it needs, if it is none of the [roots]: nothing, if it keeps the order of its one
    sender. *)
Definition check_needed (G : tagged_port -> guarantee) (tables : trie layer_table) (roots : port_map unit)
    (holds : port_map (trie unit)) (used : port_map unit) : bool :=
  let has {A} (p : tagged_port) (m : port_map A) := match find_port p m with Some _ => true | None => false end in
  forallb (fun n => match find n tables with
    | None => false
    | Some table => is_balanced table && forallb (fun p => has p roots ||
        if may_copy (G p) then has p used
        else takes_nothing p table || keeps_own_order (G p) p ||
             match find_port p holds with Some layers => is_in n layers | None => false end) (ports_in table)
    end) (seq 0 (length (layers_given q))).

Definition port_set_of (l : list tagged_port) : port_map unit := fold_right (fun p m => add_port p tt m) Leaf l.
Fixpoint holds_map (holds : list port_last) : port_map (trie unit) :=
  match holds with
  | [] => Leaf
  | h :: l => let m := holds_map l in
      add_port (hold_port h) (add (hold_layer h) tt (match find_port (hold_port h) m with Some t => t | None => Leaf end)) m
  end.

(** No port is a root cause, except for [roots]. *)
Definition check_yes (roots : list tagged_port) (steps : list port_step) (holds : list port_hold)
    (used : list port_used) : bool :=
  let G := port_guarantee in
  let tables := tables_given in
  let states := states_given in
  overlaps_none && check_states states &&
  match all_some (map (step_left G tables) steps) with
  | None => false
  | Some made =>
      forallb (check_hold G tables states (index made)) holds && forallb (check_used tables states) used &&
      check_needed G tables (port_set_of roots) (holds_map (flat_map hold_lasts holds))
        (port_set_of (map used_port used))
  end.
End Checked.
