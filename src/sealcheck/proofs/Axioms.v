(** * On which axioms each theorem rests

    Not part of the build: `make axioms` prints it.  "Closed under the global context" means: on none.  [classic] is the
    excluded middle for propositions, from Coq's standard library. *)

From Sealcheck Require Import GraphCause SealingByCausality DecideSealing ClosedChannels FifoModels TccImpossibility SealAlgebra LayersAreCcl.

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
