(* The answers of sealcheck-verified, and its checks, one JSON object a line.

   The answers are those of functions that are proved correct; reading and writing is not.  A line is
   - a question, `{"v":1,"seq":7,"question":"is-seal","n":2,"p":{"processes":…},"q":{"processes":…}}`;
   - a row of a certified table, as the text of its line, `{"v":1,"seq":7,"table":"sealing-pairs","row":"…"}`;
   - an answer with its certificate, as in a row,
     `{"v":1,"seq":7,"answer":{"n":2,"p":…,"q":…,"seals":…,"certificate":…}}`;
   - a run, `{"v":1,"seq":7,"run":{"n":2,"program":…,"order":…,"matching":…}}`;
   - a program in a run with data,
     `{"v":1,"seq":7,"occurs":{"events":…,"order":…,"matching":…,"program":…,"from":…}}`.
   It is answered by `{"seq":7,"result":…}`, by `{"seq":7,"skipped":WHY}`, or by `{"seq":7,"error":WHY}`. *)

open Reading

type reply = Result of Json.t | Skipped of string

let no_program = "it answers about balanced programs that do not deadlock, and in which nobody sends to itself"
let answer show = function Some found -> Result (show found) | None -> Skipped no_program
let bool b = Json.Bool b

(* --- Questions --- *)

let closed n opened =
  let channel (i, j) = Json.List [ Json.Int (i + 1); Json.Int (j + 1) ] in
  let all = List.concat (List.init n (fun i -> List.init n (fun j -> (i, j)))) in
  Json.List (List.map channel (List.filter (fun (i, j) -> i <> j && not (List.mem (i, j) opened)) all))

let question name n values =
  let n = processes n in
  let share value =
    match value with
    | Json.Object pairs when List.mem_assoc "text" pairs -> (
      match fields [ "text"; "processes" ] value with
      | [ text; given ] ->
        let found = shares n given in
        if by_process n (program n text) <> by_process n found then
          refuse "the text of a program is not that of its processes";
        found
      | _ -> refuse "there must be a program")
    | _ -> (
      match fields [ "processes" ] value with
      | [ given ] -> shares n given
      | _ -> refuse "there must be a program") in
  if name <> "is-seal" then crossed n;
  match (name, values) with
  | "is-seal", [ p; q ] -> answer bool (Verified.seals_by_clocks n (share p) (share q))
  | "closed-channels", [ p ] -> answer (closed n) (Verified.find_open n (share p))
  | "sealable", [ p ] -> answer bool (Verified.sealable n (share p))
  | "phases", [ p; q; r ] -> answer bool (Verified.phases_decide n false false [ share p; share q; share r ])
  | "phases", [ layers; flags ] ->
    let layers = List.map share (items "'layers'" layers) and flags = items "'flags'" flags in
    let check = function Json.String ("repeat" | "open") -> () | _ -> refuse "a flag is neither 'repeat' nor 'open'" in
    List.iter check flags;
    let is flag = List.mem (Json.String flag) flags in
    answer bool (Verified.phases_decide n (is "repeat") (is "open") layers)
  | _ -> refuse "the question '%s' does not have these keys" name

let takes has = function
  | "is-seal" -> Some [ "p"; "q" ]
  | "closed-channels" | "sealable" -> Some [ "p" ]
  | "phases" -> Some (if has "layers" then [ "layers"; "flags" ] else [ "p"; "q"; "r" ])
  | _ -> None

(* --- Certificates --- *)

let kind wanted keys certificate =
  match fields ("kind" :: keys) certificate with
  | Json.String found :: values when found = wanted -> values
  | _ -> refuse "the certificate is not of the kind %s" wanted

let pair n p q seals certificate =
  if truth "'seals'" seals then
    match kind "chains" [ "chains" ] certificate with
    | [ given ] -> Verified.check_seals n p q (chains n given)
    | _ -> false
  else
    match kind "run" [ "later"; "order"; "matching"; "receive" ] certificate with
    | [ later; order; taken; receive ] ->
      Verified.check_breaks n p q (program n later) (places n order) (matching n taken) (place n receive)
    | _ -> false

let sealability n p opened closed sealable minimum seal certificate =
  crossed n;
  let opened = channels n opened in
  let said = { Verified.said_open = opened; said_closed = channels n closed } in
  match (truth "'sealable'" sealable, minimum, seal) with
  | true, _, _ -> (
    match kind "seal" [ "chains"; "states" ] certificate with
    | [ given; reached ] ->
      Verified.check_sealable n p said (program n seal) (chains n given) (nat minimum) (states n opened reached)
    | _ -> false)
  | false, Json.Null, Json.Null -> (
    match kind "closed-knowledge" [ "knowledge" ] certificate with
    | [ known ] -> Verified.check_unsealable n p said (state n opened (items "'knowledge'" known))
    | _ -> false)
  | _ -> refuse "a program that is not sealable has no seal"

let of_pair = [ "p"; "q"; "seals"; "certificate" ]
let of_program =
  [ "program"; "open_channels"; "closed_channels"; "sealable"; "minimum_messages"; "seal"; "certificate" ]

(* --- Rows of tables --- *)

let sizes = [ "n"; "messages"; "orbit_size" ]

(* The kernel's bounds; the number of messages; and that the programs are the least of so many. *)
let sized n messages orbit programs =
  if not (1 <= n && n <= 8 && messages <= 20) then refuse "a row is about 8 processes and 20 messages at most";
  2 * messages = List.length (List.concat programs) && Verified.check_orbit n programs orbit

let row name line =
  let read keys = fields (sizes @ keys) (Json.read_canonical line) in
  let about_program value parts = function
    | n :: messages :: orbit :: p :: opened :: closed :: sealable :: rest ->
      let n = processes n in
      let p = program n p in
      (match rest with
       | [ minimum; seal; certificate ] ->
         sized n (nat messages) (nat orbit) [ p ]
         && sealability n p opened closed sealable minimum seal certificate
         && (value || truth "'sealable'" sealable)
         && parts n (channels n closed)
       | _ -> false)
    | _ -> false in
  match name with
  | "sealing-pairs" -> (
    match read of_pair with
    | [ n; messages; orbit; p; q; seals; certificate ] ->
      let n = processes n in
      let p = program n p and q = program n q in
      Result (bool (sized n (nat messages) (nat orbit) [ p; q ] && pair n p q seals certificate))
    | _ -> refuse "this is no row")
  | "sealability" -> Result (bool (about_program true (fun _ _ -> true) (read of_program)))
  | "worst-cases" -> Result (bool (about_program false (fun _ _ -> true) (read of_program)))
  | "signatures" -> (
    match read [ "program"; "signature" ] with
    | [ n; messages; orbit; p; said ] ->
      let n = processes n in
      let p = program n p in
      Result (bool (sized n (nat messages) (nat orbit) [ p ] && Verified.check_signature n p (signature n said)))
    | _ -> refuse "this is no row")
  | "counterexamples" -> (
    match read ("parts" :: of_program) with
    | n :: messages :: orbit :: parts :: rest ->
      let check n closed =
        let part value = List.map (fun k -> process n (nat k)) (items "a part" value) in
        Verified.check_parts n closed (List.map part (items "'parts'" parts)) in
      Result (bool (about_program false check (n :: messages :: orbit :: rest)))
    | _ -> refuse "this is no row")
  | _ -> Skipped (Printf.sprintf "it does not check tables of the kind '%s'" name)

(* An answer that is no row: there may be more processes and messages, and the program is as it is. *)
let answered value =
  match value with
  | Json.Object pairs when List.mem_assoc "safe" pairs -> (
    match fields [ "safe"; "interfering"; "certificate" ] value with
    | [ safe; found; certificate ] -> Ports.answered safe found certificate
    | _ -> false)
  | Json.Object pairs when List.mem_assoc "interfering" pairs -> (
    match fields [ "seals"; "interfering"; "certificate" ] value with
    | [ seals; found; certificate ] -> Ports.sealed seals found certificate
    | _ -> false)
  | Json.Object pairs when List.mem_assoc "seals" pairs -> (
    match fields ("n" :: of_pair) value with
    | [ n; p; q; seals; certificate ] ->
      let n = processes n in
      pair n (program n p) (program n q) seals certificate
    | _ -> false)
  | _ -> (
    match fields ("n" :: of_program) value with
    | [ n; p; opened; closed; sealable; minimum; seal; certificate ] ->
      let n = processes n in
      sealability n (program n p) opened closed sealable minimum seal certificate
    | _ -> false)

(* --- Runs --- *)

let run value =
  match fields [ "n"; "program"; "order"; "matching" ] value with
  | [ n; p; order; taken ] ->
    let n = processes n in
    Verified.check_run n (program n p) (places n order) (matching n taken)
  | _ -> false

(* Whether it is a run, and one that keeps order; whether the cut is empty, and where the program that begins there may
   end. *)
let occurs value =
  match fields [ "events"; "order"; "matching"; "program"; "from" ] value with
  | [ events; order; taken; program; from ] ->
    let n, events = Recorded.events events in
    let taken = matching n taken and order = places n order and from = Recorded.cut events from in
    let ends = Verified.ends_recorded events taken from (Recorded.tree n program) in
    Json.Object
      [ ("is_run", bool (Verified.check_recorded events order taken));
        ("is_fifo", bool (Verified.is_fifo events taken));
        ("is_empty", bool (Verified.is_empty events taken from));
        ("ends", Json.List (List.map (fun d -> Json.List (List.map (fun at -> Json.Int at) d)) ends)) ]
  | _ -> Json.Null

(* --- Lines --- *)

let reply line =
  let has key = match line with Json.Object pairs -> List.mem_assoc key pairs | _ -> false in
  let only keys =
    match fields ([ "v"; "seq" ] @ keys) line with
    | Json.Int 1 :: _ :: values -> values
    | _ -> refuse "'v' is not 1" in
  let one key check = match only [ key ] with [ value ] -> check value | _ -> refuse "there must be '%s'" key in
  if has "table" then
    match only [ "table"; "row" ] with
    | [ name; line ] -> row (text "'table'" name) (Json.unescaped (text "'row'" line))
    | _ -> refuse "there must be a row"
  else if has "answer" then one "answer" (fun value -> Result (bool (answered value)))
  else if has "run" then one "run" (fun value -> Result (bool (run value)))
  else if has "occurs" then one "occurs" (fun value -> Result (occurs value))
  else
    let name = match line with Json.Object pairs -> List.assoc_opt "question" pairs | _ -> None in
    let name = text "'question'" (Option.value name ~default:Json.Null) in
    match takes has name with
    | None -> Skipped (Printf.sprintf "it does not know the question '%s'" name)
    | Some keys -> (
      match only ("question" :: "n" :: keys) with
      | _ :: n :: values -> question name n values
      | _ -> refuse "there must be a question")

let answer_line text =
  let seq = ref Json.Null in
  let said =
    try
      let line = Json.read text in
      (match line with
       | Json.Object pairs -> (
         match List.assoc_opt "seq" pairs with
         | Some (Json.Int _ as number) -> seq := number
         | _ -> refuse "'seq' is no whole number")
       | _ -> refuse "there must be an object");
      match reply line with
      | Result value -> ("result", value)
      | Skipped why -> ("skipped", Json.text why)
    with
    | Json.Bad why -> ("error", Json.text ("the line is not JSON as it is read here: " ^ why))
    | Refused why -> ("error", Json.text why)
    | Beyond why -> ("skipped", Json.text why)
    | Stack_overflow | Out_of_memory -> ("skipped", Json.text "the line is too large") in
  Json.write (Json.Object [ ("seq", !seq); said ])
