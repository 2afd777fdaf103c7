(* From JSON to runs with data, and to programs of the whole language. *)

open Reading

let rec positive i =
  if i = 1 then Verified.XH
  else if i land 1 = 1 then Verified.XI (positive (i / 2))
  else Verified.XO (positive (i / 2))

let integer = function
  | Json.Int 0 -> Verified.Z0
  | Json.Int i when i > 0 -> Verified.Zpos (positive i)
  | Json.Int i when i > min_int -> Verified.Zneg (positive (-i))
  | _ -> refuse "a value is no whole number"

(* What happened, process by process, with the values. *)
let events value =
  let shares = items "'events'" value in
  let n = processes (Json.Int (List.length shares)) in
  let event = function
    | Json.List [ Json.String "snd"; Json.Int j; v ] -> (Verified.Snd (process n j), integer v)
    | Json.List [ Json.String "rcv"; Json.Int j; v ] -> (Verified.Rcv (process n j), integer v)
    | Json.List [ Json.String "int"; v ] -> (Verified.Int, integer v)
    | _ -> refuse "an event is neither [\"snd\", to, value] nor [\"rcv\", from, value] nor [\"int\", value]" in
  (n, List.map (fun share -> List.map event (items "a share" share)) shares)

(* How many of its events each process has done. *)
let cut shares value =
  let reached = List.map nat (items "a cut" value) in
  if List.length reached <> List.length shares then refuse "a cut does not have %d processes" (List.length shares);
  if not (List.for_all2 (fun at share -> at <= List.length share) reached shares) then
    refuse "a cut has more events than the run";
  reached

let rec term = function
  | Json.List [ Json.String "number"; v ] -> Verified.Num (integer v)
  | Json.List [ Json.String "ago"; k ] -> Verified.Ago (nat k)
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
