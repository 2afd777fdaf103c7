(** * On which axioms each theorem rests

    Not part of the build: `make axioms` prints it.  "Closed under the global context" means: on none.  [classic] is the
    excluded middle for propositions, from Coq's standard library. *)

From Sealcheck Require Import GraphCause SealingByCausality DecideSealing ClosedChannels FifoModels TccImpossibility SealAlgebra LayersAreCcl.
From Sealcheck Require Import Knowledge Messages Teaching Sealability WorstCase SealConstruction SealabilityPlain.
From Sealcheck Require Import GuardedSeal Phases PhasesRepeated ExamplesSeals.

(** [GraphCause] *)
Print Assumptions graph_cause.
Print Assumptions graph_cause_paths.
Print Assumptions graph_cause_largest.
Print Assumptions graph_cause_largest_noself.

(** [SealingByCausality] *)
Print Assumptions sealing_is_causality.

(** [DecideSealing] *)
Print Assumptions decide_sealing.

(** [ClosedChannels] *)
Print Assumptions closed_channels.

(** [FifoModels] *)
Print Assumptions balanced_tcc_in_order.
Print Assumptions balanced_tcc_rel_fifo.
Print Assumptions fifo_causality.

(** [TccImpossibility] *)
Print Assumptions tcc_impossible.
Print Assumptions tcc_impossibility.
Print Assumptions tcc_impossibility_nochop.

(** [SealAlgebra] *)
Print Assumptions seal_algebra_1.
Print Assumptions seal_algebra_2.
Print Assumptions seal_algebra_3.
Print Assumptions seal_algebra_4.
Print Assumptions seal_algebra_5.
Print Assumptions seal_algebra_6.

(** [LayersAreCcl] *)
Print Assumptions layers_are_ccl.

(** [Knowledge] *)
Print Assumptions sealed_one_block.

(** [Messages] *)
Print Assumptions enough.
Print Assumptions sealed_iff_one_block.
Print Assumptions needed.

(** [Teaching] *)
Print Assumptions messages_of_seal.
Print Assumptions seal_of_messages.

(** [Sealability] *)
Print Assumptions seals_and_messages.
Print Assumptions sealability.

(** [WorstCase] *)
Print Assumptions worst_case_seal_sufficient.
Print Assumptions worst_case_seal_necessary.
Print Assumptions worst_case_seal_as_printed_fails.

(** [SealConstruction] *)
Print Assumptions tree_seal_seals.
Print Assumptions seal_construction.

(** [SealabilityPlain] *)
Print Assumptions sealability_plain.

(** [GuardedSeal] *)
Print Assumptions guards_seal_X.
Print Assumptions guarded_seal_completes.
Print Assumptions non_sealed.

(** [Phases] *)
Print Assumptions phases.
Print Assumptions phases_open.

(** [PhasesRepeated] *)
Print Assumptions two_rounds_tell.
Print Assumptions phases_repeated.
Print Assumptions phases_loop.
Print Assumptions phases_open_repeated.

(** [ExamplesSeals] *)
Print Assumptions sealability_as_printed_fails.
Print Assumptions one_round_does_not_tell.
