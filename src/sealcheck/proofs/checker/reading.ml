(* From JSON to what the verified functions take.  Processes are counted from 1 outside, and from 0 inside. *)

exception Refused of string
(** The sentence that becomes the one error line. *)

let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format

exception Beyond of string
(** The sentence that becomes the reason why there is no answer: what is asked is too large. *)

let beyond format = Printf.ksprintf (fun text -> raise (Beyond text)) format

let most_processes = 64
let most_events = 2000
let most_characters = 20 * most_events
let most_layers = 100

let field name = function
  | Json.Object pairs -> (
    match List.filter (fun (key, _) -> key = name) pairs with
    | [ (_, value) ] -> value
    | [] -> refuse "'%s' is missing" name
    | _ -> refuse "'%s' is there twice" name)
  | _ -> refuse "there must be an object with '%s'" name

let items what = function Json.List items -> items | _ -> refuse "%s is no list" what
let number what = function Json.Int i -> i | _ -> refuse "%s is no whole number" what
let text what = function Json.String s -> s | _ -> refuse "%s is no text" what
let truth what = function Json.Bool b -> b | _ -> refuse "%s is not true or false" what

let nat i =
  if i < 0 then refuse "%d is negative" i;
  if i > most_events then beyond "%d is more than %d" i most_events;
  let rec go n i = if i = 0 then n else go (Verified.S n) (i - 1) in
  go Verified.O i

let int n =
  let rec go i = function Verified.O -> i | Verified.S n -> go (i + 1) n in
  go 0 n

let processes value =
  let n = number "'n'" value in
  if n < 1 || n > most_processes then refuse "'n' must be 1..%d" most_processes;
  n

let process n i = if i < 1 || i > n then refuse "there is no process %d" i else nat (i - 1)

let short program =
  if List.length program > most_events then beyond "a program has more than %d events" most_events else program

(* A program as the list of its events, process by process. *)
let shares n value =
  let shares = items "a program" value in
  if List.length shares <> n then refuse "a program does not have %d processes" n;
  let event i value =
    match value with
    | Json.List [ Json.String "snd"; Json.Int j ] -> Verified.ASend (process n i, process n j)
    | Json.List [ Json.String "rcv"; Json.Int j ] -> Verified.ARecv (process n i, process n j)
    | _ -> refuse "an event is neither [\"snd\", to] nor [\"rcv\", from]" in
  short (List.concat (List.mapi (fun k share -> List.map (event (k + 1)) (items "a share" share)) shares))

(* A program as the text that the kernel reads, too. *)
let program n value =
  let statement s =
    (* Read, and written again: there is one text for each statement. *)
    let arrow read write make =
      match Scanf.sscanf s read (fun i j -> (i, j)) with
      | i, j when Printf.sprintf write i j = s -> Some (make (process n i) (process n j))
      | _ -> None
      | exception (Scanf.Scan_failure _ | Failure _ | End_of_file) -> None in
    let send i j = [ Verified.ASend (i, j) ] and receive j i = [ Verified.ARecv (j, i) ] in
    let both i j = send i j @ receive j i in
    let forms =
      [ arrow "mt %u->%u%!" "mt %u->%u" both; arrow "snd %u->%u%!" "snd %u->%u" send;
        arrow "rcv %u<-%u%!" "rcv %u<-%u" receive ] in
    match List.find_map Fun.id forms with
    | Some events -> events
    | None -> refuse "'%s' is no statement of a straight-line program" s in
  let rec statements s =
    match String.index_opt s ';' with
    | None -> [ s ]
    | Some at ->
      let rest = String.sub s (at + 1) (String.length s - at - 1) in
      if rest = "" || rest.[0] <> ' ' then refuse "a space is missing after ';'";
      String.sub s 0 at :: statements (String.sub rest 1 (String.length rest - 1)) in
  let s = text "a program" value in
  if String.length s > most_characters then beyond "a program has more than %d characters" most_characters;
  if s = "eps" then [] else short (List.concat_map statement (statements s))

(* [process, position] *)
let place n = function
  | Json.List [ Json.Int i; Json.Int k ] when k > 0 -> (process n i, nat (k - 1))
  | _ -> refuse "a place is no pair of a process and a position"

let places n value = List.map (place n) (items "'places'" value)

let matching n value =
  let pair = function
    | Json.List [ receive; send ] -> (place n receive, place n send)
    | _ -> refuse "the matching is no list of pairs" in
  List.map pair (items "'matching'" value)

let channel n = function
  | Json.List [ Json.Int i; Json.Int j ] -> (process n i, process n j)
  | _ -> refuse "a channel is no pair of processes"

let channels n value = List.map (channel n) (items "a list of channels" value)

(* For each process a mask of channels: bit b for the b'th of them. *)
let state n channels masks =
  let known mask =
    let mask = number "a mask" mask in
    if List.length channels > 60 || mask < 0 || mask lsr List.length channels <> 0 then
      refuse "a mask is about channels that are not open";
    List.filteri (fun bit _ -> (mask lsr bit) land 1 = 1) channels in
  if List.length masks <> n then refuse "a state does not have %d masks" n;
  List.map known masks

(* [sent, mask, ..., mask] *)
let states n channels value =
  let entry = function
    | Json.List (Json.Int sent :: masks) -> (nat sent, state n channels masks)
    | _ -> refuse "a state is no list of numbers" in
  List.map entry (items "'states'" value)
