(* From JSON to what the verified functions take, over ports: layers with tags, protocols, closed sets and runs.  What the
   certificate leaves open, which closed set follows which and how a word goes on, is searched here, and not to be
   believed: the verified functions check each step. *)

open Reading
open Port_programs

(* --- Layers and ports --- *)

(* The reader, the sender (0: any) and the tag, in the order in which ports are sorted. *)
type port = int * int * string

let named (reader, sender, tag) = string_of_int reader ^ "<-" ^ source sender ^ tagged tag

type about = {
  n : int;
  tag_numbers : (string, int) Hashtbl.t;
  layers : layer array;
  used : port list;  (** sorted *)
  by_name : (string, port) Hashtbl.t;
  received : (port, unit) Hashtbl.t array;  (** on which ports each layer receives *)
  words : (port, string list) Hashtbl.t;  (** what the ports guarantee *)
  states : Verified.state_row array;  (** of the protocol, which is that of row 0 *)
  after : int list array;  (** the states after each layer *)
  is_open : bool;
}

let verified about (reader, sender, tag) =
  ((reader - 1, if sender = 0 then None else Some (sender - 1)), number_of about.tag_numbers tag)

let guarantee words =
  let has word = List.mem word words in
  { Verified.keeps_order = has "fifo"; may_lose = has "lossy"; may_copy = has "duplicating" }
let guaranteed about port = guarantee (Option.value (Hashtbl.find_opt about.words port) ~default:[])

let is_shared statements =
  let shared = Hashtbl.create 16 in
  List.iter (fun s -> if s.sender = 0 then Hashtbl.replace shared (s.receiver, s.tag) ()) statements;
  fun s -> Hashtbl.mem shared (s.receiver, s.tag)

let port_named about name =
  match Hashtbl.find_opt about.by_name name with
  | Some port -> port
  | None -> refuse "no layer uses the port %s" name

(* --- Protocols --- *)

let protocol_of layers value =
  let rec part depth value =
    let inner parts = if depth = 0 && parts <> [] then refuse "the protocol is too deep" else List.map (part (depth - 1)) parts in
    match value with
    | Json.Int layer when 1 <= layer && layer <= layers -> Verified.Once (layer - 1)
    | Json.List (Json.String "or" :: (_ :: _ as parts)) -> (
      match List.rev (inner parts) with
      | last :: rest -> List.fold_left (fun q p -> Verified.OneOf (p, q)) last rest
      | [] -> Verified.Nothing)
    | Json.List (Json.String "then" :: parts) ->
      List.fold_right (fun p q -> if q = Verified.Nothing then p else Verified.InTurn (p, q)) (inner parts) Verified.Nothing
    | Json.List [ Json.String "any"; one ] -> List.hd (List.map (fun p -> Verified.AnyTimes p) (inner [ one ]))
    | Json.List [ Json.String "some"; one ] ->
      List.hd (List.map (fun p -> Verified.InTurn (p, Verified.AnyTimes p)) (inner [ one ]))
    | _ -> refuse "the protocol is no expression of the layers" in
  part 200 value

module Protocols = Map.Make (struct type t = Verified.protocol let compare = compare end)

(* The protocol, and what may still come after its layers; for each the layers that may come next. *)
let states protocol =
  let known = ref Protocols.empty and waiting = Queue.create () and rows = ref [] in
  let number rest =
    match Protocols.find_opt rest !known with
    | Some k -> k
    | None ->
      let k = List.length !rows + Queue.length waiting in
      known := Protocols.add rest k !known;
      Queue.add rest waiting;
      k in
  ignore (number protocol);
  while not (Queue.is_empty waiting) do
    let rest = Queue.peek waiting in
    let next_states = List.map (fun (layer, rest) -> (layer, number rest)) (Verified.firsts rest) in
    rows := { Verified.rest_of = rest; next_states } :: !rows;
    ignore (Queue.pop waiting)
  done;
  Array.of_list (List.rev !rows)

(* The states after each layer. *)
let states_after layers states =
  let after = Array.make layers [] in
  Array.iter (fun (row : Verified.state_row) ->
    List.iter (fun (layer, state) -> after.(layer) <- state :: after.(layer)) row.next_states) states;
  Array.map (List.sort_uniq compare) after

(* --- The certificate --- *)

let guarantees_of by_name value =
  let found = Hashtbl.create 16 in
  let pairs = match value with Json.Object pairs -> pairs | _ -> refuse "'ports' is no object" in
  let of_port (name, words) =
    let words = List.map (text "a word") (items "a guarantee" words) in
    let known word = List.mem word [ "fifo"; "lossy"; "duplicating" ] in
    if not (List.for_all known words) || (List.mem "fifo" words && List.mem "duplicating" words) then
      refuse "%s has a guarantee that there is not" name;
    match Hashtbl.find_opt by_name name with
    | Some port when not (Hashtbl.mem found port) -> Hashtbl.add found port words
    | _ -> refuse "something is said of a port that no layer uses, or twice" in
  List.iter of_port pairs;
  found

let about n layers ports protocol is_open =
  let tag_numbers = tags () in
  let layers = Array.of_list (List.map (layer n tag_numbers) (items "'layers'" layers)) in
  let all = List.concat_map (fun each -> each.statements) (Array.to_list layers) in
  let shared = is_shared all in
  let port s = (s.receiver, (if shared s then 0 else s.sender), s.tag) in
  let received each =
    let ports = Hashtbl.create 16 in
    List.iter (fun s -> if s.word <> "snd" then Hashtbl.replace ports (port s) ()) each.statements;
    ports in
  let used = List.sort_uniq compare (List.map port all) in
  let by_name = Hashtbl.create 16 in
  List.iter (fun port -> Hashtbl.replace by_name (named port) port) used;
  let states = states (protocol_of (Array.length layers) protocol) in
  { n; tag_numbers; layers; used; by_name; received = Array.map received layers; words = guarantees_of by_name ports;
    states; after = states_after (Array.length layers) states; is_open = truth "'open'" is_open }

let numbers value = List.map nat (items "a list of numbers" value)
let members n value = List.sort_uniq compare (List.map (fun k -> process n (nat k)) (items "'blocked'" value))

let layer_number about value =
  match value with
  | Json.Int k when 1 <= k && k <= Array.length about.layers -> k - 1
  | _ -> refuse "there is no such layer"

let step about value =
  match fields [ "layer"; "blocked"; "upto" ] value with
  | [ layer; blocked; upto ] ->
    { Verified.step_layer = layer_number about layer; step_idle = members about.n blocked; step_upto = numbers upto }
  | _ -> refuse "there must be a step"

(* Who is not through a layer, if these do not start it and the others get so far. *)
let late about layer idle upto =
  let upto = Array.of_list upto and sizes = about.layers.(layer).sizes in
  if Array.length upto <> about.n then refuse "a closed set does not have %d numbers" about.n;
  let is_idle = Array.make about.n false in
  List.iter (fun i -> is_idle.(i) <- true) idle;
  List.filter (fun i -> is_idle.(i) || upto.(i) < sizes.(i)) (List.init about.n Fun.id)

(* Both are sorted. *)
let rec is_part (u : int list) v =
  match (u, v) with
  | [], _ -> true
  | _, [] -> false
  | i :: u', j :: v' -> if i = j then is_part u' v' else i > j && is_part u v'

module Key = Map.Make (struct
  type t = int * int list
  let compare (i, u) (j, v) = if i = j then List.compare Int.compare u v else Int.compare i j
end)

(* For a layer and blocked processes the number of a step, and who is late then: that for these processes, or else the
   first one for some of them. *)
let lookup about steps =
  let steps = Array.of_list steps in
  let entry (s : Verified.port_step) = (s.step_layer, s.step_idle) in
  let found = ref Key.empty and listed = ref [] in
  let add at s =
    if not (Key.mem (entry s) !found) then listed := entry s :: !listed;
    found := Key.add (entry s) (at, late about s.step_layer s.step_idle s.step_upto) !found in
  Array.iteri add steps;
  let in_turn = List.rev !listed in
  fun layer blocked ->
    match Key.find_opt (layer, blocked) !found with
    | Some step -> step
    | None -> (
      match List.find_opt (fun (of_layer, idle) -> of_layer = layer && is_part idle blocked) in_turn with
      | Some key -> Key.find key !found
      | None -> refuse "a closed set is missing for a layer that may follow")

(* The sets of blocked processes that follow when these are blocked in some states. *)
let follow about lookup states blocked =
  let known = Hashtbl.create 16 and listed = ref [] and count = ref 0 and going = ref [] in
  let reach state late =
    let here = Option.value (Hashtbl.find_opt known state) ~default:[] in
    match List.find_opt (fun (fewer, _) -> is_part fewer late) here with
    | Some (_, at) -> at
    | None ->
      let at = !count in
      incr count;
      Hashtbl.replace known state ((late, at) :: here);
      going := (at, state, late) :: !going;
      at in
  let starts = List.map (fun state -> reach state blocked) states in
  let rec go () =
    match !going with
    | [] -> ()
    | (at, state, blocked) :: rest ->
      going := rest;
      let exit (layer, next) = let step, late = lookup layer blocked in (step, reach next late) in
      let exits = List.map exit about.states.(state).Verified.next_states in
      listed := (at, { Verified.set_state = state; set_blocked = blocked; set_exits = exits }) :: !listed;
      go () in
  go ();
  let in_turn = List.sort (fun (at, _) (other, _) -> Int.compare at other) !listed in
  (List.map snd in_turn, starts)

module Starts = Map.Make (struct type t = int list * int list let compare = compare end)

(* The sets that follow, the numbers of those that begin, and the closed sets that they follow. *)
type walk = { sets : Verified.port_set list; starts : int list; mutable lasts : Verified.port_last list }

(* What follows a layer; where the same processes are blocked in the same states, it is searched once. *)
let walk_after about lookup walks layer blocked =
  let start = (about.after.(layer), blocked) in
  match Starts.find_opt start !walks with
  | Some walk -> walk
  | None ->
    let sets, starts = follow about lookup about.after.(layer) blocked in
    let walk = { sets; starts; lasts = [] } in
    walks := Starts.add start walk !walks;
    walk

let unfit n value =
  match fields [ "sender"; "receive"; "upto" ] value with
  | [ sender; nth; upto ] ->
    let nth = nat nth and upto = numbers upto in
    if nth = 0 && upto <> [] then refuse "there is a closed set too many";
    { Verified.unfit_sender = process n (nat sender); unfit_receive = nth; unfit_upto = upto }
  | _ -> refuse "there must be a sender"

let unfit_senders about value =
  let senders = List.map (unfit about.n) (items "'unfit'" value) in
  let named = List.map (fun (each : Verified.port_unfit) -> each.unfit_sender) senders in
  if List.length (List.sort_uniq compare named) <> List.length named then refuse "a sender is named twice";
  senders

(* Of which layer and port it is; it goes to the walk that follows it. *)
let hold about walk_after value =
  match fields [ "layer"; "port"; "upto"; "unfit" ] value with
  | [ layer; port; upto; senders ] ->
    let layer = layer_number about layer and port = port_named about (text "'port'" port) in
    let upto = numbers upto and senders = unfit_senders about senders in
    let walk = walk_after layer (late about layer [] upto) in
    walk.lasts <-
      { Verified.hold_layer = layer; hold_port = verified about port; hold_upto = upto; hold_unfit = senders;
        hold_starts = walk.starts } :: walk.lasts;
    (layer, port)
  | _ -> refuse "there must be a closed set"

(* The layers and ports on which a receive has to be kept from later messages, in their order. *)
let to_hold about roots =
  let wrong = Hashtbl.create 16 in
  List.iter (fun port -> Hashtbl.replace wrong port ()) roots;
  let needed layer port =
    let has = guaranteed about port and _, sender, _ = port in
    let sole = has.Verified.keeps_order && (not has.Verified.may_lose) && sender > 0 in
    Hashtbl.mem about.received.(layer) port && (not sole) && (not has.Verified.may_copy) && not (Hashtbl.mem wrong port) in
  let of_layer layer = List.filter_map (fun port -> if needed layer port then Some (layer, port) else None) about.used in
  List.concat_map of_layer (List.init (Array.length about.layers) Fun.id)

(* The states in which a layer has used a port, by now. *)
let states_after_use about port =
  let seen = Array.make (Array.length about.states) false in
  let rec visit k =
    if not seen.(k) then (
      seen.(k) <- true;
      List.iter (fun (_, next) -> visit next) about.states.(k).Verified.next_states) in
  Array.iteri (fun layer on -> if Hashtbl.mem on port then List.iter visit about.after.(layer)) about.received;
  List.filter (fun k -> seen.(k)) (List.init (Array.length seen) Fun.id)

(* --- Runs --- *)

(* Each exit of a state: its number, its layer, and the next state. *)
let exits about state = List.mapi (fun exit (layer, next) -> (exit, layer, next)) about.states.(state).Verified.next_states

(* The exits on the shortest way from a state to the end of a word. *)
let to_the_end about state =
  let before = Hashtbl.create 16 in
  let rec search = function
    | [] -> refuse "the protocol has no end"
    | states -> (
      match List.find_opt (fun k -> Verified.may_end about.states.(k).Verified.rest_of) states with
      | Some k -> k
      | None ->
        let next k = List.filter_map (fun (exit, _, to_) ->
          if Hashtbl.mem before to_ then None else (Hashtbl.add before to_ (k, exit); Some to_)) (exits about k) in
        search (List.concat_map next states)) in
  let rec way found k =
    if k = state then found else let from, exit = Hashtbl.find before k in way (exit :: found) from in
  Hashtbl.add before state (state, 0);
  way [] (search [ state ])

(* The exits on a way through these layers, and on to the end of a word; at once if something follows. *)
let way about word ends =
  let step ways layer =
    let further = Hashtbl.create 16 in
    let go (k, way) = List.iter (fun (exit, of_layer, next) ->
      if of_layer = layer && not (Hashtbl.mem further next) then Hashtbl.add further next (exit :: way)) (exits about k) in
    List.iter go ways;
    Hashtbl.fold (fun k way found -> (k, way) :: found) further [] in
  let ways = List.sort compare (List.fold_left step [ (0, []) ] word) in
  let can_end (k, _) = (not ends) || Verified.may_end about.states.(k).Verified.rest_of in
  match List.find_opt can_end ways with
  | Some (k, way) when word <> [] -> List.rev way @ to_the_end about k
  | _ -> refuse "no word of the protocol begins with the layers of the run"

let object_with value needed key =
  match value with
  | Json.Object pairs when List.mem_assoc key pairs -> (fields (needed @ [ key ]) value, List.assoc_opt key pairs)
  | _ -> (fields needed value, None)

(* Where an event is: its layer, how often this has come by then, the process, the position there. *)
let located about word (i, k) =
  let rec from before left k =
    match left with
    | [] -> (Json.Null, Json.Null, k)
    | layer :: rest ->
      let size = about.layers.(layer).sizes.(i) in
      if k < size then
        let times = List.length (List.filter (fun each -> each = layer) (layer :: before)) in
        (Json.Int (layer + 1), Json.Int times, k)
      else from (layer :: before) rest (k - size) in
  let layer, round, k = from [] word k in
  [ ("layer", layer); ("round", round); ("process", Json.Int (i + 1)); ("position", Json.Int (k + 1)) ]

type root = { port : port; given : Verified.port_root; ends : (int * int) * (int * int) -> bool }

(* A root cause, of whose run [run_of] reads the exits, the layers and what follows, besides the events. *)
let root about keys run_of place_keys value =
  match object_with value [ "port"; "receive"; "send"; "run" ] "channel" with
  | port :: receive :: send :: run :: _, channel -> (
    let port = port_named about (text "'port'" port) in
    let reader, sender, _ = port in
    if channel <> if sender = 0 then None else Some (Json.List [ Json.Int sender; Json.Int reader ]) then
      refuse "the channel is not that of the port";
    match fields (keys @ [ "later"; "order"; "matching" ]) run |> List.rev with
    | taken :: order :: later :: first ->
      let later = layer about.n about.tag_numbers later and order = places about.n order in
      let exits, word = run_of first later in
      let length i = List.fold_left (fun sum layer -> sum + about.layers.(layer).sizes.(i)) later.sizes.(i) word in
      let lengths = Array.init about.n length in
      if not (List.for_all (fun (i, k) -> k < lengths.(i)) order) then refuse "an event is not in the layers of the run";
      let is_at said event =
        let found = located about word event in
        fields place_keys said = List.map (fun key -> List.assoc key found) place_keys in
      { port;
        given = { Verified.wrong_port = verified about port; root_exits = exits; root_later = later.acts;
                  root_order = order; root_matching = matching about.n taken };
        ends = (fun (e, s) -> is_at receive e && is_at send s) }
    | _ -> refuse "there must be a run")
  | _ -> refuse "there must be a root cause"

let root_of_layers about =
  let run_of first later =
    let word = List.map (layer_number about) (List.concat_map (items "'word'") first) in
    let follows = later.statements <> [] in
    let overlaps (s : statement) = s.word = "rcv" && s.sender > 0 && List.mem (s.receiver, 0, s.tag) about.used in
    if List.exists overlaps later.statements then refuse "receives of a process overlap";
    if follows && not (about.is_open && List.length later.acts = 1) then refuse "one event can follow, if anything may";
    (way about word follows, word) in
  root about [ "word" ] run_of [ "layer"; "round"; "process"; "position" ]

(* What follows P and Q uses their ports only, and a receive there overlaps none of theirs. *)
let root_of_seal about =
  let is_used (s : statement) =
    let is_port sender = List.mem (s.receiver, sender, s.tag) about.used in
    match s.word with
    | "rcv" -> is_port s.sender
    | "snd" -> is_port 0 || is_port s.sender
    | _ -> is_port s.sender in
  let run_of _ later =
    if not (List.for_all is_used later.statements) then refuse "what follows uses a port that P and Q do not use";
    ([], [ 0; 1 ]) in
  root about [] run_of [ "layer"; "process"; "position" ]

(* --- Answers --- *)

let ports_of roots =
  let wrong = List.map (fun each -> each.port) roots in
  if List.length (List.sort_uniq compare wrong) <> List.length wrong then refuse "two runs are about the same port";
  wrong

let words_of about = List.map (fun port -> (verified about port, guaranteed about port)) about.used

(* The verified functions say where each run ends; so it does, and the verdict is that of the runs. *)
let agrees verdict roots = function
  | Some ends -> List.for_all2 (fun each at -> each.ends at) roots ends && verdict = (roots = [])
  | None -> false

let layers_of about = {
  Verified.process_count = about.n;
  layers_given = List.map (fun each -> each.acts) (Array.to_list about.layers);
  guarantees = words_of about;
  protocol_given = about.states.(0).Verified.rest_of;
  is_open = about.is_open;
  state_rows = Array.to_list about.states }

let of_layers = [ "kind"; "n"; "layers"; "ports"; "protocol"; "open" ]

(* What a search has found, though receives overlap; that there is nothing else is not checked. *)
let searched safe found certificate =
  match fields of_layers certificate with
  | [ _; n; layers; ports; protocol; is_open ] ->
    let about = about (processes n) layers ports protocol is_open in
    let roots = List.map (root_of_layers about) (items "'interfering'" found) in
    if ports_of roots = [] then refuse "a search that found no wrong receive leaves nothing to check";
    agrees (truth "'safe'" safe) roots
      (Verified.check_found (layers_of about) (List.map (fun each -> each.given) roots))
  | _ -> false

(* Whether the layers stay apart, as it is said. *)
let apart safe found certificate =
  match fields (of_layers @ [ "holds"; "steps" ]) certificate with
  | [ kind; n; layers; ports; protocol; is_open; holds; steps ] ->
    if kind <> Json.String "ports" then refuse "the certificate is not of the kind ports";
    let about = about (processes n) layers ports protocol is_open in
    let roots = List.map (root_of_layers about) (items "'interfering'" found) in
    let wrong = ports_of roots in
    let steps = List.map (step about) (items "'steps'" steps) in
    let walks = ref Starts.empty in
    let held = List.map (hold about (walk_after about (lookup about steps) walks)) (items "'holds'" holds) in
    if held <> to_hold about wrong then
      refuse "there is not one closed set for each layer and port that needs one";
    let copied = List.filter (fun port -> (guaranteed about port).Verified.may_copy && not (List.mem port wrong)) about.used in
    let used port = { Verified.used_port = verified about port; used_states = states_after_use about port } in
    let holds = List.map (fun (_, walk) -> { Verified.hold_lasts = walk.lasts; hold_sets = walk.sets }) (Starts.bindings !walks) in
    agrees (truth "'safe'" safe) roots
      (Verified.check_ports (layers_of about) (List.map (fun each -> each.given) roots) steps holds
         (List.map used copied))
  | _ -> false

let answered safe found = function
  | Json.Object pairs as certificate when List.assoc_opt "kind" pairs = Some (Json.String "port-search") ->
    searched safe found certificate
  | certificate -> apart safe found certificate

let seal_hold about value =
  match fields [ "port"; "upto"; "unfit"; "following" ] value with
  | [ port; upto; senders; following ] ->
    let port = port_named about (text "'port'" port) in
    ( (0, port),
      { Verified.seal_port = verified about port; seal_upto = numbers upto; seal_unfit = unfit_senders about senders;
        seal_following = numbers following } )
  | _ -> refuse "there must be a closed set"

(* Whether Q seals P, as it is said. *)
let sealed seals found certificate =
  match fields [ "kind"; "n"; "layers"; "ports"; "holds" ] certificate with
  | [ kind; n; layers; ports; holds ] ->
    if kind <> Json.String "port-seal" then refuse "the certificate is not of the kind port-seal";
    if List.length (items "'layers'" layers) <> 2 then refuse "a seal is about two layers";
    let in_turn = Json.List [ Json.String "then"; Json.Int 1; Json.Int 2 ] in
    let about = about (processes n) layers ports in_turn (Json.Bool true) in
    let roots = List.map (root_of_seal about) (items "'interfering'" found) in
    let holds = List.map (seal_hold about) (items "'holds'" holds) in
    if List.map fst holds <> List.filter (fun (layer, _) -> layer = 0) (to_hold about (ports_of roots)) then
      refuse "there is not one closed set for each port that needs one";
    agrees (truth "'seals'" seals) roots
      (Verified.check_port_seal about.n about.layers.(0).acts about.layers.(1).acts (words_of about)
         (List.map (fun each -> each.given) roots) (List.map snd holds))
  | _ -> false
