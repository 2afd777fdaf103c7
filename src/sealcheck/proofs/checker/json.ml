type t =
  | Null
  | Bool of bool
  | Int of int
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

(* --- To be believed: [write], and that [squeezed] takes out nothing but spaces between parts. --- *)

let write value =
  let out = Buffer.create 100 in
  let put = Buffer.add_string out in
  let between opening closing item items =
    put opening;
    List.iteri (fun at each -> if at > 0 then put ","; item each) items;
    put closing in
  let rec number i =
    if i < 0 then put (string_of_int i)
    else (if i > 9 then number (i / 10); Buffer.add_char out "0123456789".[i mod 10]) in
  let quoted s =
    let step escaped c = if c = '"' && not escaped then raise (Bad "a text has a bare quotation mark") else c = '\\' && not escaped in
    if String.fold_left step false s then raise (Bad "a text ends within an escape");
    put "\""; put s; put "\"" in
  let rec go = function
    | Null -> put "null"
    | Bool b -> put (string_of_bool b)
    | Int i -> number i
    | String s -> quoted s
    | List items -> between "[" "]" go items
    | Object pairs -> between "{" "}" (fun (key, value) -> go (String key); put ":"; go value) pairs in
  go value;
  Buffer.contents out

let squeezed text =
  let out = Buffer.create (String.length text) in
  let inside = ref false and escaped = ref false in
  let put c =
    if !inside || c <> ' ' then Buffer.add_char out c;
    if c = '"' && not !escaped then inside := not !inside;
    escaped := !inside && c = '\\' && not !escaped in
  String.iter put text;
  Buffer.contents out

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
    | Object pairs ->
      let keys = List.map fst pairs in
      keys = List.sort_uniq compare keys && List.for_all (fun (_, value) -> sorted value) pairs
    | List items -> List.for_all sorted items
    | _ -> true in
  let value = same text (value_of text) in
  if sorted value then value else raise (Bad "the keys are not sorted, each once")

let text said = String (String.map (function '"' -> '\'' | '\\' -> '/' | c when c < ' ' || c > '~' -> '?' | c -> c) said)

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
