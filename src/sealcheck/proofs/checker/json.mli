(** JSON, as far as this program reads and writes it: no fractions, no exponents. *)

type t =
  | Null
  | Bool of bool
  | Int of int
  | String of string
  | List of t list
  | Object of (string * t) list

exception Bad of string
(** What is wrong with a text that is no such JSON. *)

val read : string -> t
(** The value of a text.  Raises [Bad]. *)

val write : t -> string
