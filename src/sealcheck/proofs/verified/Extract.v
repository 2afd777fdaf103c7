(** * From Coq to OCaml

    Booleans, options, pairs and lists become OCaml's own.  Numbers stay what they are in Coq, a successor for each
    unit: programs are small, and nothing about OCaml's integers has to be believed. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Sealcheck Require Import Definitions Decider KnowledgeDecider Certificates PhasesDecider Checker Recorded.

Extraction Language OCaml.
Extraction "checker/verified.ml" decide find_open sealable phases_decide
  check_seals check_breaks check_sealable check_unsealable check_run
  check_recorded ends_recorded is_empty is_fifo evaluate.
