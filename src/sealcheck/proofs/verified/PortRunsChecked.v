(** * Runs over ports, played

    A port is a root cause if a run of a word shows it: all receives take messages of their own layer, except for the
    last one, which is on this port.  [check_root] plays such a run: a receive takes a message that its port can
    deliver, and what it passes over on a port that keeps order must be lost.  [check_ports] also checks the closed sets
    of [PortsChecked].

    That both are right is proved in [PortRunsCheckedCorrect]. *)

From Coq Require Import List Arith PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortWords.
From Sealcheck Require Import PortProtocols KnowledgeDecider Certificates Tries RunsChecked PortTables PortExpressions PortsChecked.
Open Scope nat_scope.

(** ** The events of a word *)

(** Each with what it does and the number of its layer. *)
Fixpoint word_events (shared : trie (trie unit)) (n : nat) (count : trie nat) (ls : list layer_program) :
    list (event * (port_action tagged_port * nat)) :=
  match ls with
  | [] => []
  | M :: ls' => map (fun x => (fst x, (snd x, n))) (number_events shared count M) ++
                word_events shared (S n) (counts_after count M) ls'
  end.

(** A map from events. *)
Definition stored {A} (evs : list (event * A)) : trie (trie A) :=
  fold_right (fun y t => store_event (fst y) (snd y) t) Leaf evs.

(** ** Playing *)

(** By port and sender, the positions of its sends whose messages were not taken or lost, in their order; and how many
    events of each process have happened. *)
Record play_state := { kept_in : port_map (trie (list nat)); played_by : trie nat }.

Definition kept_from (p : tagged_port) (i : proc) (m : port_map (trie (list nat))) : list nat :=
  match find_port p m with Some t => find_or [] i t | None => [] end.
Definition keep (p : tagged_port) (i : proc) (l : list nat) (m : port_map (trie (list nat))) :=
  add_port p (add i l (match find_port p m with Some t => t | None => Leaf end)) m.

Fixpoint all_kept (evs : list (event * (port_action tagged_port * nat))) : port_map (trie (list nat)) :=
  match evs with
  | [] => Leaf
  | ((i, k), (Put p, _)) :: evs' => let m := all_kept evs' in keep p i (k :: kept_from p i m) m
  | _ :: evs' => all_kept evs'
  end.

(** What is before a number in a list, and behind it. *)
Fixpoint split_at (k : nat) (l : list nat) : option (list nat * list nat) :=
  match l with
  | [] => None
  | x :: l' => if x =? k then Some ([], l')
               else match split_at k l' with Some (a, b) => Some (x :: a, b) | None => None end
  end.

Definition happened (st : play_state) (e : event) : bool := snd e <? find_or 0 (fst e) (played_by st).

(** The next event happens; the answer says whether it takes a message of another layer, and whose, if it takes one. *)
Definition play_move (G : tagged_port -> guarantee) (table : trie (trie (port_action tagged_port * nat)))
    (taken : trie (trie event)) (st : play_state) (e : event) : option (play_state * option (event * bool)) :=
  if snd e =? find_or 0 (fst e) (played_by st) then
    let on := add (fst e) (S (snd e)) (played_by st) in
    match find_event e table with
    | None => None
    | Some (Take p, n) =>
        match find_event e taken with
        | None => None
        | Some s =>
            match find_event s table, split_at (snd s) (kept_from p (fst s) (kept_in st)) with
            | Some (_, m), Some (older, younger) =>
                if happened st s then
                  let rest :=
                    if may_copy (G p) then Some (older ++ snd s :: younger)
                    else if negb (keeps_order (G p)) then Some (older ++ younger)
                    else if may_lose (G p) then Some younger
                    else match older with [] => Some younger | _ => None end in
                  match rest with
                  | None => None
                  | Some l => Some ({| kept_in := keep p (fst s) l (kept_in st); played_by := on |}, Some (s, n =? m))
                  end
                else None
            | _, _ => None
            end
        end
    | Some (_, _) => Some ({| kept_in := kept_in st; played_by := on |}, None)
    end
  else None.

(** The last event takes a message of another layer, and none before does: that event, and the send. *)
Fixpoint play_moves (G : tagged_port -> guarantee) (table : trie (trie (port_action tagged_port * nat)))
    (taken : trie (trie event)) (st : play_state) (received : nat) (order : list event) :
    option (event * event * nat) :=
  match order with
  | [] => None
  | e :: order' =>
      match play_move G table taken st e, order' with
      | Some (_, Some (s, false)), [] => Some (e, s, S received)
      | Some (st', Some (_, true)), _ => play_moves G table taken st' (S received) order'
      | Some (st', None), _ => play_moves G table taken st' received order'
      | _, _ => None
      end
  end.

(** ** What a run is given as *)

(** A word of the protocol, as the numbers of the [next_states] that it takes; the one event that follows, if there is
    one; the events in their order, and whose messages receives take. *)
Record port_root := {
  wrong_port : tagged_port; root_exits : list nat; root_later : list tagged_act; root_order : list event;
  root_matching : list (event * event)
}.

(** The layers on this way, to the end of a word. *)
Fixpoint layers_through (q : port_layers) (states : trie state_row) (layers : trie layer_program) (k : nat) (way : list nat) :
    option (list layer_program) :=
  match find k states with
  | None => None
  | Some row =>
      match way with
      | [] => if may_end (rest_of row) then Some [] else None
      | x :: way' =>
          match nth_error (next_states row) x with
          | None => None
          | Some (n, m) =>
              match find n layers, layers_through q states layers m way' with
              | Some M, Some ls => Some (M :: ls)
              | _, _ => None
              end
          end
      end
  end.

Definition follows_given (q : port_layers) (N : list tagged_act) : bool :=
  forallb (fun a => (tagged_actor a <? process_count q) && match a with TSend i j _ => negb (i =? j) | _ => true end) N.

(** What playing a word starts from: its events, and by port and sender its sends. *)
Record played_word := {
  word_table : trie (trie (port_action tagged_port * nat)); word_sends : port_map (trie (list nat))
}.
Definition word_of (shared : trie (trie unit)) (ls : list layer_program) : played_word :=
  let evs := word_events shared 0 Leaf ls in {| word_table := stored evs; word_sends := all_kept evs |}.

(** The last event of the run, and whose message it takes. *)
Definition play_in (G : tagged_port -> guarantee) (w : played_word) (x : port_root) : option (event * event) :=
  let table := word_table w in
  match pairs_of (root_matching x) Leaf with
  | None => None
  | Some taken =>
      match play_moves G table taken {| kept_in := word_sends w; played_by := Leaf |} 0 (root_order x) with
      | None => None
      | Some (e, s, received) =>
          let on_port := match find_event e table with Some (Take p, _) => port_eqb p (wrong_port x) | _ => false end in
          if on_port && (received =? length (root_matching x)) then Some (e, s) else None
      end
  end.
Definition play_root (G : tagged_port -> guarantee) (shared : trie (trie unit)) (ls : list layer_program) (x : port_root) :
    option (event * event) := play_in G (word_of shared ls) x.

(** The layers of its word, and what follows them. *)
Definition root_word (q : port_layers) (states : trie state_row) (layers : trie layer_program) (x : port_root) :
    option (list layer_program) :=
  match layers_through q states layers 0 (root_exits x), root_later x with
  | Some w, [] => Some w
  | Some w, N => if is_open q && follows_given q N then Some (w ++ [N]) else None
  | None, _ => None
  end.

Definition check_root (q : port_layers) (states : trie state_row) (layers : trie layer_program)
    (G : tagged_port -> guarantee) (shared : trie (trie unit)) (x : port_root) : option (event * event) :=
  match root_word q states layers x with Some ls => play_root G shared ls x | None => None end.

(** All root causes.  If nothing follows its word, the next root cause on the same way has the same word. *)
Fixpoint check_roots (q : port_layers) (states : trie state_row) (layers : trie layer_program)
    (G : tagged_port -> guarantee) (shared : trie (trie unit)) (before : option (list nat * played_word))
    (roots : list port_root) : option (list (event * event)) :=
  match roots with
  | [] => Some []
  | x :: roots' =>
      let made :=
        match before, root_later x with
        | Some (way, w), [] =>
            if all2 Nat.eqb way (root_exits x) then Some w else option_map (word_of shared) (root_word q states layers x)
        | _, _ => option_map (word_of shared) (root_word q states layers x)
        end in
      match made with
      | None => None
      | Some w =>
          match play_in G w x with
          | None => None
          | Some ends =>
              let next := match root_later x with [] => Some (root_exits x, w) | _ => before end in
              match check_roots q states layers G shared next roots' with Some l => Some (ends :: l) | None => None end
          end
      end
  end.

(** Closed sets and runs: for each root cause the last event of its run, and whose message it takes. *)
Definition check_ports (q : port_layers) (roots : list port_root) (steps : list port_step) (holds : list port_hold)
    (used : list port_used) : option (list (event * event)) :=
  if check_yes q (map wrong_port roots) steps holds used then
    let states := states_given q in
    let layers := index (layers_given q) in
    let G := port_guarantee q in
    let shared := shared_tags (concat (layers_given q)) in
    check_roots q states layers G shared None roots
  else None.
