(** JSON, as far as this program reads and writes it: no fractions, no exponents.

    Nothing has to be believed about [read] but what [write] says of its result: that is the text which was read. *)

type t =
  | Null
  | Bool of bool
  | Int of int
  | String of string  (** as it is written between its quotation marks, with all escapes *)
  | List of t list
  | Object of (string * t) list

exception Bad of string
(** What is wrong with a text that is no such JSON. *)

val read : string -> t
(** The value which [write] writes as this text, but for the spaces between its parts.  Raises [Bad]. *)

val read_canonical : string -> t
(** The value of a text without such spaces, in whose objects the keys are sorted, each once.  Raises [Bad]. *)

val write : t -> string

val add_number : Buffer.t -> int -> unit
(** Add a number, as it is written. *)

val text : string -> t
(** A text for people: ASCII without quotation marks and backslashes, which become apostrophes and slashes. *)

val unescaped : string -> string
(** What a [String] says, if it has no escapes but those of quotation marks and backslashes.  Raises [Bad]. *)
