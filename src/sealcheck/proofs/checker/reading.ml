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

(* Nothing in an object is passed over: it has no key but these, ... *)
let known names value =
  match value with
  | Json.Object pairs ->
    List.iter (fun (key, _) -> if not (List.mem key names) then refuse "there is an unknown key '%s'" key) pairs
  | _ -> refuse "there must be an object"

(* ... and has each of them once. *)
let exactly names value =
  known names value;
  List.iter (fun name -> ignore (field name value)) names

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

let rec positive i =
  if i = 1 then Verified.XH
  else if i land 1 = 1 then Verified.XI (positive (i / 2))
  else Verified.XO (positive (i / 2))

let integer = function
  | Json.Int 0 -> Verified.Z0
  | Json.Int i when i > 0 -> Verified.Zpos (positive i)
  | Json.Int i -> Verified.Zneg (positive (-i))
  | _ -> refuse "a value is no whole number"

(* What happened, process by process, with the values. *)
let recorded value =
  let shares = items "'events'" value in
  let n = List.length shares in
  if n < 1 || n > most_processes then refuse "there must be 1..%d processes" most_processes;
  let event = function
    | Json.List [ Json.String "snd"; Json.Int j; v ] -> (Verified.Snd (process n j), integer v)
    | Json.List [ Json.String "rcv"; Json.Int j; v ] -> (Verified.Rcv (process n j), integer v)
    | Json.List [ Json.String "int"; v ] -> (Verified.Int, integer v)
    | _ -> refuse "an event is neither [\"snd\", to, value] nor [\"rcv\", from, value] nor [\"int\", value]" in
  let shares = List.map (fun share -> List.map event (items "a share" share)) shares in
  ignore (short (List.concat shares));
  (n, shares)

(* How many of its events each process has done. *)
let cut shares value =
  let reached = List.map (number "a cut") (items "a cut" value) in
  if List.length reached <> List.length shares then refuse "a cut does not have %d processes" (List.length shares);
  if not (List.for_all2 (fun at share -> at <= List.length share) reached shares) then
    refuse "a cut has more events than the run";
  List.map nat reached

let rec term = function
  | Json.List [ Json.String "number"; v ] -> Verified.Num (integer v)
  | Json.List [ Json.String "ago"; Json.Int k ] -> Verified.Ago (nat k)
  | Json.List [ Json.String "-"; t ] -> Verified.Neg (term t)
  | Json.List [ Json.String "+"; t; u ] -> Verified.Plus (term t, term u)
  | Json.List [ Json.String "*"; t; u ] -> Verified.Times (term t, term u)
  | _ -> refuse "this is no expression"

let expression value = Verified.evaluate (term value)

let rec formula n = function
  | Json.List [ Json.String "="; Json.Int i; t; Json.Int j; u ] ->
    Verified.Equal (process n i, expression t, process n j, expression u)
  | Json.List [ Json.String "<"; Json.Int i; t; Json.Int j; u ] ->
    Verified.Less (process n i, expression t, process n j, expression u)
  | Json.List [ Json.String "not"; g ] -> Verified.Not (formula n g)
  | Json.List [ Json.String "and"; g; h ] -> Verified.And (formula n g, formula n h)
  | _ -> refuse "this is no formula"

(* A program of the whole language, as a tree. *)
let rec tree n = function
  | Json.List [ Json.String "eps" ] -> Verified.Eps
  | Json.List [ Json.String "assign"; Json.Int i; t ] -> Verified.Assign (process n i, expression t)
  | Json.List [ Json.String "snd"; Json.Int i; Json.Int j; t ] ->
    Verified.Send (process n i, process n j, expression t)
  | Json.List [ Json.String "rcv"; Json.Int j; Json.Int i ] -> Verified.Recv (process n j, process n i)
  | Json.List [ Json.String "guard"; g ] -> Verified.Guard (formula n g)
  | Json.List [ Json.String "cut" ] -> Verified.Chop
  | Json.List [ Json.String "layers"; p; q ] -> Verified.Lay (tree n p, tree n q)
  | Json.List [ Json.String "choice"; p; q ] -> Verified.Choice (tree n p, tree n q)
  | Json.List [ Json.String "repeat"; p ] -> Verified.Star (tree n p)
  | _ -> refuse "this is no program"
