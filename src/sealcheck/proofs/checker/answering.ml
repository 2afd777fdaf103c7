(* The answers of sealcheck-verified, and its checks, one JSON object a line.

   The answers are those of functions that are proved correct; reading and writing is not.  A line is
   - a question, `{"v":1,"seq":7,"question":"is-seal","n":2,"p":{"processes":…},"q":{"processes":…}}`;
   - a row of a certified table, `{"v":1,"seq":7,"table":"sealing-pairs","row":{…}}`;
   - a run, `{"v":1,"seq":7,"run":{"n":2,"program":…,"order":…,"matching":…}}`;
   - a program in a run with data, `{"v":1,"seq":7,"occurs":{"events":…,"order":…,"matching":…,"program":…,"from":…}}`.
   Unknown keys and flags are refused.  A line is answered by `{"seq":7,"result":…}`, by `{"seq":7,"skipped":WHY}`, or by `{"seq":7,"error":WHY}`. *)

open Reading

type reply = Result of Json.t | Skipped of string

let no_program = "it answers about balanced programs that do not deadlock, and in which nobody sends to itself"

let answer show = function
  | Some found -> Result (show found)
  | None -> Skipped no_program

let truth_of b = Json.Bool b

let channel_of (i, j) = Json.List [ Json.Int (int i + 1); Json.Int (int j + 1) ]

(* All channels but the open ones. *)
let closed_of n opened =
  let all = List.init n (fun i -> List.filter_map (fun j -> if i = j then None else Some (nat i, nat j)) (List.init n Fun.id)) in
  Json.List (List.map channel_of (List.filter (fun c -> not (List.mem c opened)) (List.concat all)))

let question line name =
  let n = processes (field "n" line) in
  let asks keys = exactly ([ "v"; "seq"; "question"; "n" ] @ keys) line in
  let share program = known [ "text"; "processes" ] program; shares n (field "processes" program) in
  let read key = share (field key line) in
  match name with
  | "is-seal" -> asks [ "p"; "q" ]; answer truth_of (Verified.decide (nat n) (read "p") (read "q"))
  | "closed-channels" -> asks [ "p" ]; answer (closed_of n) (Verified.find_open (nat n) (read "p"))
  | "phases" ->
    asks [ "layers"; "flags" ];
    let layers = List.map share (items "'layers'" (field "layers" line)) in
    let flags = items "'flags'" (field "flags" line) in
    let check = function Json.String ("repeat" | "open") -> () | _ -> refuse "a flag is neither 'repeat' nor 'open'" in
    List.iter check flags;
    let is flag = List.mem (Json.String flag) flags in
    if List.length layers > most_layers then beyond "there are more than %d layers" most_layers;
    ignore (short (List.concat layers));
    answer truth_of (Verified.phases_decide (nat n) (is "repeat") (is "open") layers)
  | "sealable" -> asks [ "p" ]; answer truth_of (Verified.sealable (nat n) (read "p"))
  | _ -> Skipped (Printf.sprintf "it does not know the question '%s'" name)

let kind certificate wanted keys =
  exactly ("kind" :: keys) certificate;
  if text "'kind'" (field "kind" certificate) <> wanted then refuse "the certificate is not of the kind %s" wanted

(* One for each channel of P, in their order; each says whether it leads to a send of Q or to the sender's end. *)
let chains n p q certificate =
  let used = List.filter_map (function Verified.ASend (i, j) -> Some (i, j) | _ -> None) p in
  let read chain =
    exactly [ "channel"; "places"; "into" ] chain;
    let i, j = channel n (field "channel" chain) in
    let into = if List.mem (Verified.ASend (i, j)) q then "send" else "end" in
    if text "'into'" (field "into" chain) <> into then refuse "a chain does not lead into the %s" into;
    ((i, j), places n (field "places" chain)) in
  let found = List.map read (items "'chains'" (field "chains" certificate)) in
  if List.map fst found <> List.sort_uniq compare used then refuse "the chains are not one for each channel, in order";
  List.map snd found

let pair_row n row =
  let p = program n (field "p" row) and q = program n (field "q" row) in
  let certificate = field "certificate" row in
  if truth "'seals'" (field "seals" row) then (
    kind certificate "chains" [ "chains" ];
    Verified.check_seals (nat n) p q (chains n p q certificate))
  else (
    kind certificate "run" [ "later"; "order"; "matching"; "receive" ];
    Verified.check_breaks (nat n) p q
      (program n (field "later" certificate))
      (List.map (place n) (items "'order'" (field "order" certificate)))
      (matching n (field "matching" certificate))
      (place n (field "receive" certificate)))

let program_row n row =
  let p = program n (field "program" row) and certificate = field "certificate" row in
  let opened = channels n (field "open_channels" row) in
  if truth "'sealable'" (field "sealable" row) then (
    kind certificate "seal" [ "chains"; "states" ];
    let seal = program n (field "seal" row) in
    Verified.check_sealable (nat n) p opened seal (chains n p seal certificate)
      (nat (number "'minimum_messages'" (field "minimum_messages" row)))
      (states n opened (field "states" certificate)))
  else (
    kind certificate "closed-knowledge" [ "knowledge" ];
    Verified.check_unsealable (nat n) p opened (state n opened (items "'knowledge'" (field "knowledge" certificate))))

let sizes = [ "n"; "messages"; "orbit_size" ]
let of_pairs = sizes @ [ "p"; "q"; "seals"; "certificate" ]

let of_programs =
  sizes
  @ [ "program"; "open_channels"; "closed_channels"; "sealable"; "minimum_messages"; "seal"; "certificate" ]

let row name value =
  let checked keys check =
    exactly keys value;
    Result (Json.Bool (check (processes (field "n" value)) value)) in
  match name with
  | "sealing-pairs" -> checked of_pairs pair_row
  | "sealability" | "worst-cases" -> checked of_programs program_row
  | "counterexamples" -> checked ("parts" :: of_programs) program_row
  | _ -> Skipped (Printf.sprintf "it does not check tables of the kind '%s'" name)

let run value =
  exactly [ "n"; "program"; "order"; "matching" ] value;
  let n = processes (field "n" value) in
  let order = List.map (place n) (items "'order'" (field "order" value)) in
  Verified.check_run (nat n) (program n (field "program" value)) order (matching n (field "matching" value))

(* Whether it is a run, and one that keeps order; whether the cut is empty, and where the program that begins there may
   end. *)
let occurs value =
  exactly [ "events"; "order"; "matching"; "program"; "from" ] value;
  let n, events = recorded (field "events" value) in
  let pairs = matching n (field "matching" value) in
  let order = List.map (place n) (items "'order'" (field "order" value)) in
  let from = cut events (field "from" value) in
  let ends = Verified.ends_recorded events pairs from (tree n (field "program" value)) in
  Json.Object
    [ ("is_run", Json.Bool (Verified.check_recorded events order pairs));
      ("is_fifo", Json.Bool (Verified.is_fifo events pairs));
      ("is_empty", Json.Bool (Verified.is_empty events pairs from));
      ("ends", Json.List (List.map (fun d -> Json.List (List.map (fun at -> Json.Int (int at)) d)) ends)) ]

let reply line =
  if field "v" line <> Json.Int 1 then refuse "'v' is not 1";
  let has key = match line with Json.Object pairs -> List.mem_assoc key pairs | _ -> false in
  let only keys = exactly ([ "v"; "seq" ] @ keys) line in
  if has "table" then (only [ "table"; "row" ]; row (text "'table'" (field "table" line)) (field "row" line))
  else if has "run" then (only [ "run" ]; Result (Json.Bool (run (field "run" line))))
  else if has "occurs" then (only [ "occurs" ]; Result (occurs (field "occurs" line)))
  else question line (text "'question'" (field "question" line))

let answer_line text =
  let seq = ref Json.Null in
  let said =
    try
      let line = Json.read text in
      (match field "seq" line with Json.Int _ as number -> seq := number | _ -> refuse "'seq' is no whole number");
      match reply line with
      | Result value -> ("result", value)
      | Skipped why -> ("skipped", Json.String why)
    with
    | Json.Bad why -> ("error", Json.String ("the line is not JSON: " ^ why))
    | Refused why -> ("error", Json.String why)
    | Beyond why -> ("skipped", Json.String why)
    | Stack_overflow | Out_of_memory -> ("skipped", Json.String "the line is too large") in
  Json.write (Json.Object [ ("seq", !seq); said ])
