(* Programs over ports: from text to what the verified functions take. *)

open Reading

type statement = { word : string; sender : int; receiver : int; tag : string }  (** the sender 0: any *)

let tagged tag = if tag = "" then "" else ":" ^ tag
let source i = if i = 0 then "*" else string_of_int i

let written s =
  String.concat "" (match s.word with
    | "rcv" -> [ "rcv "; string_of_int s.receiver; "<-"; source s.sender; tagged s.tag ]
    | word -> [ word; " "; string_of_int s.sender; "->"; string_of_int s.receiver; tagged s.tag ])

let is_letter = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '-' -> true | _ -> false

(* Not to be believed: what it makes of a statement is written again. *)
let statement n s =
  let bad () = refuse "'%s' is no statement over ports" (String.sub s 0 (min 40 (String.length s))) in
  let number part = match int_of_string_opt part with Some i -> i | None -> bad () in
  let head, tag =
    match String.index_opt s ':' with
    | Some at -> (String.sub s 0 at, String.sub s (at + 1) (String.length s - at - 1))
    | None -> (s, "") in
  let parts = String.split_on_char ' ' (String.map (function '<' | '>' | '-' -> ' ' | c -> c) head) in
  let found =
    match parts with
    | [ ("mt" | "snd") as word; i; ""; j ] -> { word; sender = number i; receiver = number j; tag }
    | [ "rcv"; j; ""; "*" ] -> { word = "rcv"; sender = 0; receiver = number j; tag }
    | [ "rcv"; j; ""; i ] -> { word = "rcv"; sender = number i; receiver = number j; tag }
    | _ -> bad () in
  if written found <> s || not (String.for_all is_letter tag) then bad ();
  let named = found.word = "rcv" && found.sender = 0 || found.sender >= 1 && found.sender <= n in
  if not (named && found.receiver >= 1 && found.receiver <= n && found.sender <> found.receiver) then
    refuse "'%s' does not join two of the processes 1..%d" s n;
  found

(* The texts of the statements of a layer. *)
let statement_texts value =
  let part at s =
    if at = 0 then s
    else if s = "" || s.[0] <> ' ' then refuse "';' is not followed by one space"
    else String.sub s 1 (String.length s - 1) in
  match text "a layer" value with "eps" -> [] | s -> List.mapi part (String.split_on_char ';' s)

(* Tags as numbers, each tag another one. *)
let tags () = Hashtbl.create 16
let number_of tags tag =
  match Hashtbl.find_opt tags tag with
  | Some k -> k
  | None -> let k = Hashtbl.length tags in Hashtbl.add tags tag k; k

let acts tags s =
  let i = s.sender - 1 and j = s.receiver - 1 and t = number_of tags s.tag in
  let send = Verified.TSend (i, j, t) and receive = Verified.TRecv (j, (if i < 0 then None else Some i), t) in
  match s.word with "mt" -> [ send; receive ] | "snd" -> [ send ] | _ -> [ receive ]

type layer = { statements : statement list;  (** each once *) acts : Verified.tagged_act list; sizes : int array }

let sizes n acts =
  let found = Array.make n 0 in
  List.iter (fun a -> let i = Verified.tagged_actor a in found.(i) <- found.(i) + 1) acts;
  found

(* Statements that are equal are read once. *)
let layer n tags value =
  let known = Hashtbl.create 16 and statements = ref [] in
  let acts_of s =
    match Hashtbl.find_opt known s with
    | Some found -> found
    | None ->
      let made = statement n s in
      let found = acts tags made in
      statements := made :: !statements;
      Hashtbl.add known s found;
      found in
  let acts = List.concat_map acts_of (statement_texts value) in
  { statements = !statements; acts; sizes = sizes n acts }
