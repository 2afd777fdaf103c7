type t =
  | Null
  | Bool of bool
  | Int of int
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

let deepest = 100
let most_digits = 15

(* A text, and how far it has been read. *)
type source = { text : string; mutable at : int }

let bad source what = raise (Bad (Printf.sprintf "%s at character %d" what (source.at + 1)))
let next source = if source.at < String.length source.text then Some source.text.[source.at] else None
let skip source = source.at <- source.at + 1

let rec space source =
  match next source with
  | Some (' ' | '\t' | '\n' | '\r') -> skip source; space source
  | _ -> ()

let expect source wanted =
  if next source = Some wanted then skip source else bad source (Printf.sprintf "'%c' is missing" wanted)

let word source text value =
  String.iter (expect source) text;
  value

let is_digit = function '0' .. '9' -> true | _ -> false

let number source =
  let start = source.at in
  if next source = Some '-' then skip source;
  let first = source.at in
  let rec digits () = match next source with Some c when is_digit c -> skip source; digits () | _ -> () in
  digits ();
  let count = source.at - first in
  if count = 0 || count > most_digits || (count > 1 && source.text.[first] = '0') then
    bad source "this is no number, or one that is too long";
  (match next source with Some ('.' | 'e' | 'E') -> bad source "only whole numbers are read" | _ -> ());
  Int (int_of_string (String.sub source.text start (source.at - start)))

let hex source =
  let digit () =
    match next source with
    | Some ('0' .. '9' as c) -> skip source; Char.code c - 48
    | Some ('a' .. 'f' as c) -> skip source; Char.code c - 87
    | Some ('A' .. 'F' as c) -> skip source; Char.code c - 55
    | _ -> bad source "a hexadecimal digit is missing" in
  let a = digit () in let b = digit () in let c = digit () in let d = digit () in
  (((a * 16) + b) * 16 + c) * 16 + d

(* Half a surrogate pair becomes the character that stands for what cannot be read. *)
let escape source buffer =
  let put c = skip source; Buffer.add_char buffer c in
  match next source with
  | Some ('"' | '\\' | '/' as c) -> put c
  | Some 'b' -> put '\b'
  | Some 'f' -> put '\012'
  | Some 'n' -> put '\n'
  | Some 'r' -> put '\r'
  | Some 't' -> put '\t'
  | Some 'u' ->
    skip source;
    let code = hex source in
    Buffer.add_utf_8_uchar buffer (if Uchar.is_valid code then Uchar.of_int code else Uchar.rep)
  | _ -> bad source "this is no escape"

let string source =
  expect source '"';
  let buffer = Buffer.create 16 in
  let rec go () =
    match next source with
    | None -> bad source "the text has no end"
    | Some '"' -> skip source
    | Some '\\' -> skip source; escape source buffer; go ()
    | Some c when Char.code c < 32 -> bad source "a control character is not escaped"
    | Some c -> skip source; Buffer.add_char buffer c; go () in
  go ();
  Buffer.contents buffer

(* What stands between two brackets, separated by commas. *)
let separated source closing item =
  skip source;
  space source;
  if next source = Some closing then (skip source; [])
  else
    let rec go found =
      let found = item source :: found in
      space source;
      match next source with
      | Some ',' -> skip source; go found
      | Some c when c = closing -> skip source; List.rev found
      | _ -> bad source (Printf.sprintf "',' or '%c' is missing" closing) in
    go []

let rec value depth source =
  if depth > deepest then bad source "this is nested too deeply";
  space source;
  match next source with
  | Some 'n' -> word source "null" Null
  | Some 't' -> word source "true" (Bool true)
  | Some 'f' -> word source "false" (Bool false)
  | Some '"' -> String (string source)
  | Some '[' -> List (separated source ']' (value (depth + 1)))
  | Some '{' -> Object (separated source '}' (pair (depth + 1)))
  | Some c when c = '-' || is_digit c -> number source
  | _ -> bad source "this is no JSON"

and pair depth source =
  space source;
  let key = string source in
  space source;
  expect source ':';
  (key, value depth source)

let read text =
  let source = { text; at = 0 } in
  let found = value 0 source in
  space source;
  if next source <> None then bad source "something follows the value";
  found

let quoted text =
  let buffer = Buffer.create (String.length text + 2) in
  let put = function
    | '"' -> Buffer.add_string buffer "\\\""
    | '\\' -> Buffer.add_string buffer "\\\\"
    | c when Char.code c < 32 || Char.code c > 126 -> Buffer.add_string buffer (Printf.sprintf "\\u%04x" (Char.code c))
    | c -> Buffer.add_char buffer c in
  String.iter put text;
  "\"" ^ Buffer.contents buffer ^ "\""

let rec write = function
  | Null -> "null"
  | Bool b -> if b then "true" else "false"
  | Int i -> string_of_int i
  | String s -> quoted s
  | List items -> "[" ^ String.concat ", " (List.map write items) ^ "]"
  | Object pairs -> "{" ^ String.concat ", " (List.map (fun (k, v) -> quoted k ^ ": " ^ write v) pairs) ^ "}"
