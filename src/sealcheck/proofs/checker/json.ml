type t =
  | Null
  | Bool of bool
  | Int of int
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

(* --- To be believed: [write], and that [squeezed] takes out nothing but spaces between parts. --- *)

let rec add_number out i =
  if i < 0 then Buffer.add_string out (string_of_int i)
  else (if i > 9 then add_number out (i / 10); Buffer.add_char out "0123456789".[i mod 10])

(* Whether the text has no bare quotation mark, and does not end within an escape. *)
let rec is_quotable s at =
  at = String.length s
  ||
  match s.[at] with
  | '"' -> false
  | '\\' -> at + 1 < String.length s && is_quotable s (at + 2)
  | _ -> is_quotable s (at + 1)

let write value =
  let out = Buffer.create 1000 in
  let put = Buffer.add_char out in
  let quoted s =
    if not (is_quotable s 0) then raise (Bad "a text has a bare quotation mark, or ends within an escape");
    put '"'; Buffer.add_string out s; put '"' in
  let rec go = function
    | Null -> Buffer.add_string out "null"
    | Bool b -> Buffer.add_string out (if b then "true" else "false")
    | Int i -> add_number out i
    | String s -> quoted s
    | List items -> put '['; all (fun item -> go item) items; put ']'
    | Object pairs -> put '{'; all (fun (key, value) -> quoted key; put ':'; go value) pairs; put '}'
  and all : 'a. ('a -> unit) -> 'a list -> unit = fun item -> function
    | [] -> ()
    | first :: rest -> item first; List.iter (fun each -> put ','; item each) rest in
  go value;
  Buffer.contents out

(* One function that calls itself: js_of_ocaml makes no loop of two that call each other. *)
let squeezed text =
  let length = String.length text in
  let out = Bytes.create length in
  let rec go inside at into =
    if at = length then into
    else
      let c = text.[at] in
      if c = ' ' && not inside then go inside (at + 1) into
      else (
        Bytes.set out into c;
        if c = '\\' && inside && at + 1 < length then (
          Bytes.set out (into + 1) text.[at + 1];
          go inside (at + 2) (into + 2))
        else go (inside <> (c = '"')) (at + 1) (into + 1)) in
  Bytes.sub_string out 0 (go false 0 0)

(* --- Not to be believed: a value for a text without spaces. --- *)

let value_of text =
  let at = ref 0 in
  let bad () = raise (Bad (Printf.sprintf "there is something else at character %d" (!at + 1))) in
  let next () = if !at < String.length text then text.[!at] else '\000' in
  let word text value = at := !at + String.length text; value in
  let rec string_from start =
    match next () with
    | '"' -> incr at; String.sub text start (!at - 1 - start)
    | '\\' -> at := !at + 2; string_from start
    | c when c < ' ' -> bad ()
    | _ -> incr at; string_from start in
  let rec number_from start =
    match next () with
    | '-' | '0' .. '9' -> incr at; number_from start
    | _ -> (match int_of_string_opt (String.sub text start (!at - start)) with Some i -> Int i | None -> bad ()) in
  let rec items closing item found =
    if next () = closing then (incr at; List.rev found)
    else (
      if found <> [] then if next () = ',' then incr at else bad ();
      items closing item (item () :: found)) in
  let rec value () =
    match next () with
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | '"' -> incr at; String (string_from !at)
    | '[' -> incr at; List (items ']' value [])
    | '{' -> incr at; Object (items '}' pair [])
    | '-' | '0' .. '9' -> number_from !at
    | _ -> bad ()
  and pair () =
    if next () = '"' then incr at else bad ();
    let key = string_from !at in
    if next () = ':' then incr at else bad ();
    (key, value ()) in
  let found = value () in
  if !at <> String.length text then bad ();
  found

let same text value = if write value = text then value else raise (Bad "it is written in another way than it is read")
let read text = let text = squeezed text in same text (value_of text)

let read_canonical text =
  let rec sorted = function
    | Object pairs -> rising pairs && List.for_all (fun (_, value) -> sorted value) pairs
    | List items -> List.for_all sorted items
    | _ -> true
  and rising = function
    | (a, _) :: ((b, _) :: _ as rest) -> String.compare a b < 0 && rising rest
    | _ -> true in
  let value = same text (value_of text) in
  if sorted value then value else raise (Bad "the keys are not sorted, each once")

let text said =
  let plain = function '"' -> '\'' | '\\' -> '/' | c when c < ' ' || c > '~' -> '?' | c -> c in
  String (String.map plain said)

let unescaped text =
  let out = Buffer.create (String.length text) in
  let rec from at =
    if at < String.length text then
      match text.[at] with
      | '\\' when at + 1 < String.length text && (text.[at + 1] = '"' || text.[at + 1] = '\\') ->
        Buffer.add_char out text.[at + 1]; from (at + 2)
      | '\\' -> raise (Bad "a text has an escape that is not expected there")
      | c -> Buffer.add_char out c; from (at + 1) in
  from 0;
  Buffer.contents out
