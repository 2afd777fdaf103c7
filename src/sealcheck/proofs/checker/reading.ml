(* From JSON to what the verified functions take.  Processes are counted from 1 outside, and from 0 inside.  Nothing is
   passed over: an object has exactly the keys that are asked for, and a program is written again to be compared. *)

exception Refused of string
(** The sentence that becomes the one error line. *)

exception Beyond of string
(** The sentence that becomes the reason why there is no answer: the question is too large. *)

let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format

let largest = 1_000_000_000
let most_processes = 999_999
let most_crossed = 1000  (** processes, if all channels between them are gone through *)

(* The values of an object, which has each of these keys, all different, once, and no others. *)
let fields names = function
  | Json.Object pairs when List.compare_lengths pairs names = 0
                           && List.for_all (fun name -> List.mem_assoc name pairs) names ->
    List.map (fun name -> List.assoc name pairs) names
  | _ -> refuse "there must be an object with exactly the keys %s" (String.concat ", " names)

let items what = function Json.List items -> items | _ -> refuse "%s is no list" what
let text what = function Json.String s -> s | _ -> refuse "%s is no text" what
let truth what = function Json.Bool b -> b | _ -> refuse "%s is not true or false" what

let nat = function
  | Json.Int i when 0 <= i && i <= largest -> i
  | _ -> refuse "there is no whole number from 0 to %d where one is expected" largest

let processes value =
  let n = nat value in
  if n < 1 || n > most_processes then refuse "'n' must be 1..%d" most_processes;
  n

let crossed n =
  if n > most_crossed then
    raise (Beyond (Printf.sprintf "with more than %d processes there are too many channels" most_crossed))

let process n i = if i < 1 || i > n then refuse "there is no process %d" i else i - 1

(* --- Programs, as the text that the kernel reads, too --- *)

type statement = Both of int * int | Send of int * int | Receive of int * int  (** sender and receiver *)

let written statements =
  let out = Buffer.create 100 in
  let put word from arrow into =
    Buffer.add_string out word; Json.add_number out from;
    Buffer.add_string out arrow; Json.add_number out into in
  let add at statement =
    if at > 0 then Buffer.add_string out "; ";
    match statement with
    | Both (i, j) -> put "mt " i "->" j
    | Send (i, j) -> put "snd " i "->" j
    | Receive (i, j) -> put "rcv " j "<-" i in
  if statements = [] then Buffer.add_string out "eps" else List.iteri add statements;
  Buffer.contents out

(* Not to be believed: the statements are written again. *)
let statements_of s =
  let length = String.length s in
  let refuse_at start =
    let rest = List.hd (String.split_on_char ';' (String.sub s start (length - start))) in
    refuse "'%s' is no statement of a straight-line program" (String.sub rest 0 (min 40 (String.length rest))) in
  let rec after word start at k =
    if k = String.length word then at
    else if at < length && s.[at] = word.[k] then after word start (at + 1) (k + 1)
    else refuse_at start in
  let rec number start at i =
    if at < length && '0' <= s.[at] && s.[at] <= '9' && i <= largest
    then number start (at + 1) ((10 * i) + Char.code s.[at] - Char.code '0')
    else (at, i) in
  let statement start make word arrow =
    let at, from = number start (after word start start 0) 0 in
    let at, into = number start (after arrow start at 0) 0 in
    (at, make from into) in
  let rec go start found =
    let at, this =
      match if start < length then s.[start] else ' ' with
      | 'm' -> statement start (fun i j -> Both (i, j)) "mt " "->"
      | 's' -> statement start (fun i j -> Send (i, j)) "snd " "->"
      | 'r' -> statement start (fun j i -> Receive (i, j)) "rcv " "<-"
      | _ -> refuse_at start in
    if at = length then List.rev (this :: found) else go (after "; " start at 0) (this :: found) in
  if s = "eps" then [] else go 0 []

let program n value =
  let s = text "a program" value in
  let statements = statements_of s in
  if written statements <> s then refuse "a program is written in another way than it is read";
  let send i j = Verified.ASend (process n i, process n j) in
  let receive i j = Verified.ARecv (process n j, process n i) in
  let add found = function
    | Both (i, j) -> receive i j :: send i j :: found
    | Send (i, j) -> send i j :: found
    | Receive (i, j) -> receive i j :: found in
  List.rev (List.fold_left add [] statements)

(* --- Programs, as the list of events of each process --- *)

let event n k = function
  | Json.List [ Json.String "snd"; Json.Int j ] -> Verified.ASend (k, process n j)
  | Json.List [ Json.String "rcv"; Json.Int i ] -> Verified.ARecv (k, process n i)
  | _ -> refuse "an event is neither [\"snd\", to] nor [\"rcv\", from]"

let actor = function Verified.ASend (i, _) | Verified.ARecv (i, _) | Verified.AInt i -> i

let by_process n program =
  let found = Array.make n [] in
  List.iter (fun each -> found.(actor each) <- each :: found.(actor each)) program;
  List.map List.rev (Array.to_list found)

(* Not to be believed: an order in which the events can happen, and the rest of them if there is none. *)
let ordered shares =
  let left = Array.of_list shares and held = Hashtbl.create 16 and found = ref [] in
  let count channel = Option.value (Hashtbl.find_opt held channel) ~default:0 in
  let rec go k =
    match left.(k) with
    | [] -> ()
    | Verified.ARecv (j, i) :: _ when count (i, j) = 0 -> ()
    | first :: rest ->
      left.(k) <- rest;
      found := first :: !found;
      (match first with
       | Verified.ASend (i, j) -> Hashtbl.replace held (i, j) (count (i, j) + 1); if j <> k then (go k; go j) else go k
       | Verified.ARecv (j, i) -> Hashtbl.replace held (i, j) (count (i, j) - 1); go k
       | Verified.AInt _ -> go k) in
  Array.iteri (fun k _ -> go k) left;
  List.rev_append !found (List.concat (Array.to_list left))

let shares n value =
  let shares = items "a program" value in
  if List.length shares <> n then refuse "a program does not have %d processes" n;
  let shares = List.mapi (fun k share -> List.map (event n k) (items "a share" share)) shares in
  let program = ordered shares in
  if by_process n program <> shares then refuse "a program has changed when it was ordered";
  program

(* --- Certificates --- *)

(* [process, position] *)
let place n = function
  | Json.List [ Json.Int i; Json.Int k ] when k > 0 -> (process n i, nat (Json.Int (k - 1)))
  | _ -> refuse "a place is no pair of a process and a position"

let places n value = List.map (place n) (items "a list of places" value)

let matching n value =
  let pair = function
    | Json.List [ receive; send ] -> (place n receive, place n send)
    | _ -> refuse "the matching is no list of pairs" in
  List.map pair (items "'matching'" value)

let channel n = function
  | Json.List [ Json.Int i; Json.Int j ] -> (process n i, process n j)
  | _ -> refuse "a channel is no pair of processes"

let channels n value = List.map (channel n) (items "a list of channels" value)

let chain n value =
  match fields [ "channel"; "into"; "places" ] value with
  | [ about; Json.String (("send" | "end") as into); steps ] ->
    { Verified.about = channel n about; into_send = into = "send"; steps = places n steps }
  | _ -> refuse "a chain leads into a 'send' or the 'end'"

let chains n value = List.map (chain n) (items "'chains'" value)

(* For each process a mask of channels: bit b for the b'th of them. *)
let state n channels masks =
  if List.length channels > Sys.int_size - 2 then raise (Beyond "there are more open channels than a mask has bits");
  let known = function
    | Json.Int mask when mask >= 0 && mask lsr List.length channels = 0 ->
      List.filteri (fun bit _ -> (mask lsr bit) land 1 = 1) channels
    | _ -> refuse "a mask is about channels that are not open" in
  if List.length masks <> n then refuse "a state does not have %d masks" n;
  List.map known masks

(* [sent, mask, ..., mask] *)
let states n channels value =
  let entry = function
    | Json.List (sent :: masks) -> (nat sent, state n channels masks)
    | _ -> refuse "a state is no list of numbers" in
  List.map entry (items "'states'" value)

let signature n value =
  let joined key value =
    match fields [ "channel"; key ] value with
    | [ about; ends ] -> (channel n about, List.map (fun k -> process n (nat k)) (items "a list of processes" ends))
    | _ -> refuse "there must be a channel" in
  match fields [ "receives"; "sends"; "starts" ] value with
  | [ receives; sends; starts ] ->
    { Verified.of_receives = List.map (joined "reaches") (items "'receives'" receives);
      of_sends = List.map (joined "reached_from") (items "'sends'" sends);
      of_starts = channels n starts }
  | _ -> refuse "there must be a signature"
