(** * From Coq to OCaml

    Booleans, options, pairs and lists become OCaml's own, and natural numbers become its integers, with the functions
    on them that are used.  That is right as long as no number is above the largest integer (2^62 - 1, or 2^31 - 1 in
    a browser): what is read is at most 10^9, and what is computed counts events and messages, or adds two such
    numbers.  Only the size of an orbit is multiplied, by at most 8! symmetries; a browser checks no rows. *)

From Coq Require Import Extraction ExtrOcamlBasic PeanoNat.
From Sealcheck Require Import Definitions RunsChecked PhasesDecider Orbits Checker SignatureChecked Recorded PortSealsChecked PortRunsChecked PortSearchChecked.

Extraction Language OCaml.
Extract Inductive nat => "int" ["0" "Stdlib.Int.succ"] "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Constant Nat.pred => "fun n -> if n = 0 then 0 else n - 1".
Extract Constant Nat.add => "fun (n : int) m -> n + m".
Extract Constant Nat.mul => "fun (n : int) m -> n * m".
Extract Constant Nat.max => "fun (n : int) m -> if n < m then m else n".
Extract Constant Nat.eqb => "fun (n : int) m -> n = m".
Extract Constant Nat.leb => "fun (n : int) m -> n <= m".
Extract Constant Nat.ltb => "fun (n : int) m -> n < m".
Extract Constant Nat.even => "fun n -> n land 1 = 0".
Extract Constant Nat.div2 => "fun n -> n lsr 1".
Extract Constant Nat.eq_dec => "fun (n : int) m -> n = m".

Extraction "checker/verified.ml" check_ports check_found check_port_seal seals_by_clocks find_open sealable phases_decide
  check_seals check_breaks check_sealable check_unsealable check_parts check_orbit check_signature check_run
  check_recorded ends_recorded is_empty is_fifo evaluate.
