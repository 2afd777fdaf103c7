(** * On which axioms each theorem rests

    Not part of the build: `make axioms` prints it.  "Closed under the global context" means: on none.  [classic] is the
    excluded middle for propositions, from Coq's standard library. *)

From Sealcheck Require Import GraphCause SealingByCausality DecideSealing ClosedChannels FifoModels TccImpossibility SealAlgebra LayersAreCcl NoBarrier NoBarrierWholeLanguage BalancedNecessary Refutations.
From Sealcheck Require Import Knowledge Messages Teaching Sealability WorstCase SealConstruction SealabilityPlain.
From Sealcheck Require Import GuardedSeal SignaturesCompose Phases PhasesRepeated RootCauses RootCausesRepeated RootCausesOpen ExamplesSeals.
From Sealcheck Require Import RootCausesExample.
From Sealcheck Require Import ExamplePhase LargeSignatures ClosedWhenSent.
From Sealcheck Require Import InfiniteCuts Diverging InfiniteSealAlgebra InfiniteRefutations SealsBySignatures SignatureCosts HypothesesBySignatures.
From Sealcheck Require Import Language Bsl Transmissions Interleavings SignatureSize SpanningTree Figures Hypotheses Barriers Unbalanced.
From Sealcheck Require Import BarriersDecided.
From Sealcheck Require Import HypothesesGraph HypothesesSignatures HypothesesSeals PrintedProcedures.
From Sealcheck Require Import ProgramGraph MendedProcedures HypothesesProcedures.
From Sealcheck Require Import SignatureCompose IsSeal HypothesesIsSeal.
From Sealcheck Require Import SignatureSets ProcedureCosts SealMended SealabilityUndecidable.
From Sealcheck Require Import NProcesses InfiniteStraightLine InfiniteGuardedSeal HypothesesInfinite OneSemantics.
From Sealcheck Require Import InfiniteBarriers InfiniteBarriersDecided DivergingBarrier InfiniteChannels InfiniteBalance.
From Sealcheck Require Import InfiniteNProcesses.

(** [GraphCause] *)
Print Assumptions graph_cause.
Print Assumptions graph_cause_paths.
Print Assumptions graph_cause_largest.
Print Assumptions graph_cause_largest_noself.

(** [SealingByCausality] *)
Print Assumptions sealing_is_causality.
Print Assumptions sealing_is_causality_self.
Print Assumptions seals_in_rel.

(** [DecideSealing] *)
Print Assumptions decide_sealing.
Print Assumptions decide_sealing_self.

(** [ClosedChannels] *)
Print Assumptions closed_channels.
Print Assumptions closed_channels_self.
Print Assumptions closes_in_rel.

(** [FifoModels] *)
Print Assumptions balanced_tcc_in_order.
Print Assumptions balanced_tcc_rel_fifo.
Print Assumptions balanced_silent_rel_fifo.
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

(** [Unbalanced] *)
Print Assumptions straight_line_occurs.
Print Assumptions dead_free_iff_occurs.
Print Assumptions sealed_within.
Print Assumptions properly_sealed.

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
Print Assumptions seal_size_as_printed_fails.
Print Assumptions figure_P_prime_as_printed_fails.
Print Assumptions non_sealed.

(** [SignaturesCompose] *)
Print Assumptions paths_in_first.
Print Assumptions paths_in_second.
Print Assumptions paths_across.
Print Assumptions first_send_composed.
Print Assumptions last_receive_composed.
Print Assumptions signature_composed.
Print Assumptions signatures_compose.

(** [Phases] *)
Print Assumptions phases.
Print Assumptions phases_open.
Print Assumptions phases_self.

(** [PhasesRepeated] *)
Print Assumptions two_rounds_on.
Print Assumptions two_rounds_tell.
Print Assumptions phases_repeated.
Print Assumptions phases_loop.
Print Assumptions phases_open_repeated.

(** [RootCauses] *)
Print Assumptions root_causes.
Print Assumptions root_causes_begun.
Print Assumptions apart_without_root_causes.
Print Assumptions tags_on_root_causes.
Print Assumptions root_causes_balanced.
Print Assumptions root_causes_self.

(** [RootCausesRepeated] *)
Print Assumptions root_causes_repeated.
Print Assumptions two_rounds_decide.
Print Assumptions tags_repeated.

(** [RootCausesOpen] *)
Print Assumptions root_causes_open.
Print Assumptions tags_open.
Print Assumptions apart_open_without_root_causes.
Print Assumptions root_causes_open_repeated.

(** [RootCausesExample] *)
Print Assumptions consequences_exist.
Print Assumptions root_causes_needs_layers_that_fit.

(** [ExamplesSeals] *)
Print Assumptions sealability_as_printed_fails.
Print Assumptions one_round_does_not_tell.
Print Assumptions layers_must_be_balanced.

(** [NoBarrier] *)
Print Assumptions barrier_is_tcc.
Print Assumptions barrier_seals.
Print Assumptions no_barrier.

(** [NoBarrierWholeLanguage] *)
Print Assumptions no_barrier_nochop.

(** [Barriers] *)
Print Assumptions closed_is_barrier.
Print Assumptions barrier_may_send_before_its_cut.

(** [BarriersDecided] *)
Print Assumptions barriers_decided.
Print Assumptions barriers_decided_needs_two_processes.
Print Assumptions barriers_decided_needs_no_self_channels.

(** [BalancedNecessary] *)
Print Assumptions balanced_necessary.
Print Assumptions balanced_necessary_whole_language.

(** [Refutations] *)
Print Assumptions tcc_impossibility_as_printed.
Print Assumptions tcc_impossibility_needs_no_self_channels.
Print Assumptions no_barrier_as_printed.
Print Assumptions no_barrier_needs_occurrence.
Print Assumptions balanced_necessary_as_printed.
Print Assumptions balanced_necessary_needs_nochop.
Print Assumptions balanced_necessary_needs_completion.
Print Assumptions decide_sealing_needs_balance.
Print Assumptions closed_channels_as_formalized.
Print Assumptions graph_cause_needs_leading_cut.
Print Assumptions balanced_tcc_needs_fifo.
Print Assumptions balanced_tcc_rel_fifo_needs_balance.
Print Assumptions balanced_tcc_rel_fifo_as_formalized.
Print Assumptions layers_are_ccl_needs_seals.
Print Assumptions fifo_causality_needs_fifo.
Print Assumptions decide_sealing_needs_deadlock_freedom.

From Sealcheck Require Import KnowledgeDecider Certificates LowerBound Clocks Chains PhasesDecider Orbits CheckerCorrect SignatureChecked.
From Sealcheck Require Import RunsChecked OccurrenceDecider Recorded.

(** [Clocks] *)
Print Assumptions happen_going.
Print Assumptions play_correct.

(** [Chains] *)
Print Assumptions table_of_lists.
Print Assumptions chains_sound.

(** [Orbits] *)
Print Assumptions permutations_spec.
Print Assumptions orbit_stabilizer.
Print Assumptions check_orbit_correct.

(** [KnowledgeDecider] *)
Print Assumptions open_channels_correct.
Print Assumptions known_spec.
Print Assumptions is_closure_spec.

(** [Certificates] *)
Print Assumptions closed_knowledge_sound.

(** [RunsChecked] *)
Print Assumptions check_run_correct.
Print Assumptions check_run_accepts.

(** [OccurrenceDecider] *)
Print Assumptions endings_sound.
Print Assumptions endings_complete.
Print Assumptions endings_correct.

(** [Recorded] *)
Print Assumptions ends_recorded_correct.
Print Assumptions check_recorded_correct.
Print Assumptions check_recorded_accepts.
Print Assumptions is_empty_correct.
Print Assumptions is_fifo_correct.

(** [LowerBound] *)
Print Assumptions excluded_sound.
Print Assumptions check_minimum_sound.

(** [PhasesDecider] *)
Print Assumptions phases_decide_correct.

(** [CheckerCorrect] *)
Print Assumptions decide_correct.
Print Assumptions check_seals_correct.
Print Assumptions check_breaks_correct.
Print Assumptions closure_is_sealed.
Print Assumptions sealable_correct.
Print Assumptions check_sealable_correct.
Print Assumptions check_unsealable_correct.
Print Assumptions open_is_not_closed.
Print Assumptions find_open_correct.
Print Assumptions check_channels_correct.
Print Assumptions check_parts_correct.

(** [SignatureChecked] *)
Print Assumptions check_signature_correct.

(** [Language] *)
Print Assumptions refinement_preorder.
Print Assumptions constructs_monotone.
Print Assumptions tcc_basic.
Print Assumptions tcc_closed.

(** [Bsl] *)
Print Assumptions tcc_impossibility_bsl.
Print Assumptions seal_algebra_6_bsl.
Print Assumptions definitions_agree_channels.
Print Assumptions definitions_agree_balanced.
Print Assumptions no_barrier_bsl.
Print Assumptions seal_size.

(** [Transmissions] *)
Print Assumptions mt_not_self_sealing.
Print Assumptions mt_tcc_rel_fifo.
Print Assumptions sigvt.
Print Assumptions sigvtack.
Print Assumptions mt_seals_ack.
Print Assumptions mt_ack_self_seals.

(** [Interleavings] *)
Print Assumptions interleaving_exists.
Print Assumptions interleaving_of_run.

(** [SignatureSize] *)
Print Assumptions signature_nodes.
Print Assumptions signature_nodes_and_edges.
Print Assumptions signature_edges_for_deciding.

(** [HypothesesGraph] *)
Print Assumptions closed_channels_needs_no_self_channels.
Print Assumptions decide_sealing_needs_no_self_channels.
Print Assumptions graph_cause_largest_noself_needs_no_self_channels.
Print Assumptions phases_needs_no_self_channels.
Print Assumptions phases_needs_deadlock_freedom.
Print Assumptions root_causes_needs_deadlock_freedom.
Print Assumptions root_causes_needs_no_self_channels.
Print Assumptions phases_repeated_needs_deadlock_freedom.
Print Assumptions phases_repeated_needs_no_self_channels.
Print Assumptions phases_open_needs_deadlock_freedom.
Print Assumptions phases_open_needs_no_self_channels.
Print Assumptions straight_line_occurs_needs_deadlock_freedom.
Print Assumptions straight_line_occurs_needs_no_self_channels.
Print Assumptions mt_not_self_sealing_needs_two_processes.
Print Assumptions mt_tcc_rel_fifo_needs_two_processes.
Print Assumptions sigvt_needs_two_processes.
Print Assumptions definitions_agree_balanced_needs_completion.
Print Assumptions graph_cause_largest_needs_an_event_of_P.
Print Assumptions fifo_causality_needs_balance.
Print Assumptions fifo_causality_needs_an_event_of_P.
Print Assumptions fifo_causality_needs_leading_cut.
Print Assumptions interleaving_exists_needs_all_events.
Print Assumptions interleaving_exists_needs_sends.

(** [HypothesesSignatures] *)
Print Assumptions signature_nodes_needs_within.
Print Assumptions signature_nodes_and_edges_needs_within.
Print Assumptions signature_edges_for_deciding_needs_within.
Print Assumptions signature_composed_needs_balance.
Print Assumptions signatures_compose_needs_balance.

(** [HypothesesSeals] *)
Print Assumptions sealability_needs_within.
Print Assumptions connected_is_sealable_needs_within.
Print Assumptions seal_construction_needs_within.
Print Assumptions seal_size_needs_a_process.
Print Assumptions connected_is_sealable_needs_a_process.
Print Assumptions worst_case_seal_as_printed_fails_needs_two_processes.
Print Assumptions seals_need_not_exist.
Print Assumptions tcc_impossibility_bsl_needs_a_send.
Print Assumptions balanced_necessary_needs_a_seal.
Print Assumptions connected_is_sealable_needs_deadlock_freedom.
Print Assumptions connected_is_sealable_needs_no_self_channels.
Print Assumptions connected_is_sealable_needs_balance.
Print Assumptions seal_construction_needs_closed_channels.
Print Assumptions seal_construction_needs_a_tree_of_them.
Print Assumptions seal_construction_needs_all_in_the_tree.

(** [ProgramGraph] *)
Print Assumptions program_graph_mended.
Print Assumptions program_graph_paths.

(** [MendedProcedures] *)
Print Assumptions deadlock_free_mended.
Print Assumptions sig_mended.
Print Assumptions closed_channels_mended.

(** [SignatureCompose] *)
Print Assumptions signature_compose_repaired.
Print Assumptions signature_compose_as_printed.
Print Assumptions signature_compose_needs_balance.
Print Assumptions signature_compose_needs_within.

(** [IsSeal] *)
Print Assumptions is_seal_repaired.
Print Assumptions is_seal_repaired_self.
Print Assumptions is_seal_as_printed.
Print Assumptions is_seal_on_the_printed_graph.
Print Assumptions is_seal_with_line_1_mended.

(** [HypothesesIsSeal] *)
Print Assumptions is_seal_needs_balance.
Print Assumptions is_seal_needs_a_balanced_seal.
Print Assumptions is_seal_needs_within.
Print Assumptions is_seal_needs_seal_within.
Print Assumptions is_seal_needs_no_self_channels.
Print Assumptions is_seal_needs_deadlock_freedom.

(** [PrintedProcedures] *)
Print Assumptions program_graph_as_printed.
Print Assumptions deadlock_free_as_printed.
Print Assumptions deadlock_free_printed_graph.
Print Assumptions sig_printed_graph.
Print Assumptions closed_channels_printed_graph.
Print Assumptions seal_as_printed.
Print Assumptions seal_printed_graph.

(** [HypothesesProcedures] *)
Print Assumptions program_graph_mended_needs_within.
Print Assumptions deadlock_free_mended_needs_within.
Print Assumptions deadlock_free_mended_needs_balance.
Print Assumptions sig_mended_needs_within.
Print Assumptions sig_mended_needs_deadlock_freedom.
Print Assumptions closed_channels_mended_needs_within.
Print Assumptions closed_channels_mended_needs_balance.
Print Assumptions closed_channels_mended_needs_deadlock_freedom.
Print Assumptions closed_channels_mended_needs_no_self_channels.

(** [SpanningTree] *)
Print Assumptions spanning_tree_exists.
Print Assumptions seal_construction_closed.
Print Assumptions connected_is_sealable.

(** [Figures] *)
Print Assumptions figure_X.
Print Assumptions non_sealed_bsl.
Print Assumptions non_sealed_third_process.
Print Assumptions figure_P_prime.
Print Assumptions figure_3.

(** [ExamplePhase] *)
Print Assumptions example_open_channels.
Print Assumptions example_open_channels_as_printed_fails.
Print Assumptions example_L_seal.
Print Assumptions example_L_needs.
Print Assumptions figure_O_n.

(** [LargeSignatures] *)
Print Assumptions signature_edges_as_printed_fails.
Print Assumptions signature_size_as_printed_fails.

(** [InfiniteCuts] *)
Print Assumptions occurs_finite_cuts.

(** [Diverging] *)
Print Assumptions diverging_seals_as_printed_fails.
Print Assumptions diverging_seals.
Print Assumptions while_exchange_as_printed_fails.
Print Assumptions while_exchange.
Print Assumptions while_exchange_needs_two_processes.
Print Assumptions seal_algebra_2_properly_as_printed_fails.
Print Assumptions seal_algebra_2_properly.

(** [InfiniteSealAlgebra] *)
Print Assumptions refinement_preorder_infinite.
Print Assumptions constructs_monotone_infinite.
Print Assumptions tcc_basic_infinite.
Print Assumptions tcc_closed_infinite.
Print Assumptions barrier_is_tcc_infinite.
Print Assumptions seal_algebra_1_infinite.
Print Assumptions seal_algebra_3_infinite.
Print Assumptions seal_algebra_4_infinite.
Print Assumptions seal_algebra_6_infinite.
Print Assumptions seal_algebra_5_infinite.
Print Assumptions straight_line_same_processes.
Print Assumptions straight_line_repetition.
Print Assumptions layers_are_ccl_infinite.
Print Assumptions over_finite_intervals.
Print Assumptions tcc_impossibility_infinite.

(** [InfiniteRefutations] *)
Print Assumptions seal_algebra_5_as_printed_fails.
Print Assumptions tcc_impossibility_as_printed_infinite_fails.
Print Assumptions no_barrier_as_printed_infinite_fails.
Print Assumptions tcc_impossibility_needs_finite_cuts.

(** [OneSemantics] *)
Print Assumptions refinement_of_local_states.
Print Assumptions tcc_of_local_states.
Print Assumptions seals_of_local_states.
Print Assumptions histories_are_local_states.
Print Assumptions variables_are_local_states.

(** [NProcesses] *)
Print Assumptions n_processes.
Print Assumptions no_self_channels.
Print Assumptions n_processes_straight_line.
Print Assumptions n_processes_layers.
Print Assumptions readers_tell_processes_apart.
Print Assumptions refinement_needs_a_silent_start.

(** [InfiniteStraightLine] *)
Print Assumptions bsl_seals_infinite.
Print Assumptions bsl_tcc_infinite.
Print Assumptions bsl_layers_infinite.
Print Assumptions bsl_ccl_infinite.

(** [InfiniteBarriers] *)
Print Assumptions closed_is_barrier_of_local_states.
Print Assumptions closed_is_barrier_infinite.

(** [InfiniteBarriersDecided] *)
Print Assumptions barriers_decided_infinite.

(** [DivergingBarrier] *)
Print Assumptions barriers_decided_needs_finite_cuts.

(** [InfiniteChannels] *)
Print Assumptions bsl_closes_infinite.

(** [InfiniteBalance] *)
Print Assumptions balanced_silent_rel_fifo_infinite.
Print Assumptions balanced_necessary_as_printed_infinite_fails.
Print Assumptions bsl_balanced_infinite.
Print Assumptions balanced_necessary_from_finite_cuts.

(** [InfiniteNProcesses] *)
Print Assumptions n_processes_channels_infinite.

(** [InfiniteGuardedSeal] *)
Print Assumptions guards_seal_X_infinite.

(** [HypothesesInfinite] *)
Print Assumptions bsl_seals_infinite_needs_deadlock_freedom.
Print Assumptions balanced_necessary_from_finite_cuts_needs_termination.
Print Assumptions balanced_necessary_from_finite_cuts_needs_finite_cuts.

(** [SealsBySignatures] *)
Print Assumptions definitions_agree_seals.

(** [SignatureCosts] *)
Print Assumptions compose_for_deciding_cost_as_printed_fails.
Print Assumptions compose_cost_as_printed_fails.
Print Assumptions decide_cost_as_printed_fails.
Print Assumptions decide_cost.

(** [SignatureSets] *)
Print Assumptions decide_by_sets_cost.
Print Assumptions compose_by_sets_cost.

(** [ProcedureCosts] *)
Print Assumptions signature_cost.
Print Assumptions signature_cost_needs_no_idle_processes.
Print Assumptions compose_cost.

(** [SealMended] *)
Print Assumptions seal_mended.

(** [SealabilityUndecidable] *)
Print Assumptions sealability_undecidable.

(** [HypothesesBySignatures] *)
Print Assumptions definitions_agree_seals_needs_a_balanced_seal.
Print Assumptions definitions_agree_seals_needs_deadlock_freedom.
Print Assumptions definitions_agree_seals_needs_within.
Print Assumptions definitions_agree_seals_needs_balance.
Print Assumptions definitions_agree_seals_needs_no_self_channels.

(** [ClosedWhenSent] *)
Print Assumptions seal_construction_closed_when_sent.
Print Assumptions closed_when_sent_needs_balance.

(** [Hypotheses] *)
Print Assumptions tcc_impossibility_bsl_needs_deadlock_freedom.
Print Assumptions sealability_plain_needs_completion.
Print Assumptions closed_channels_needs_deadlock_freedom.
Print Assumptions graph_cause_largest_needs_deadlock_freedom.
Print Assumptions closed_channels_needs_balance.
Print Assumptions graph_cause_largest_needs_balance.
Print Assumptions decide_sealing_needs_a_balanced_seal.
Print Assumptions no_barrier_needs_two_processes.
Print Assumptions balanced_necessary_whole_language_needs_nochop.
Print Assumptions balanced_necessary_whole_language_needs_completion.
Print Assumptions balanced_necessary_whole_language_needs_silence.
Print Assumptions sealability_needs_a_process.
Print Assumptions tcc_impossibility_bsl_needs_no_self_channels.
Print Assumptions no_barrier_bsl_needs_no_self_channels.
Print Assumptions no_barrier_bsl_needs_no_self_receives.
Print Assumptions no_barrier_bsl_needs_its_processes.
Print Assumptions sealability_needs_no_self_channels.
Print Assumptions seal_construction_needs_no_self_channels.
Print Assumptions sealability_needs_deadlock_freedom.
Print Assumptions seal_construction_needs_deadlock_freedom.
Print Assumptions sealability_needs_balance.
Print Assumptions seal_construction_needs_balance.
Print Assumptions seal_construction_needs_its_processes.
Print Assumptions balanced_necessary_whole_language_needs_nochop_in_seal.

From Sealcheck Require Import Ports PortLayers PortPrograms PortChannels PortExamples PortFaults PortFaultLayers PortOrder PortWords PortProtocols PortLanguages PortTags PortValues PortOpen PortFaultExamples PortCertificates PortChoices PortOverlaps PortOverlapsLayers PortOverlapsHard PortRoom PortIndex PortsCheckedCorrect PortRunsCheckedCorrect PortSealsChecked PortSearchChecked.

(** [Ports] *)
Print Assumptions without_greatest.
Print Assumptions without_unique.
Print Assumptions without_exists.
Print Assumptions without_grows.
Print Assumptions happens_without.
Print Assumptions precedes_iff_not_without.

(** [PortLayers] *)
Print Assumptions apart_without_root_ports.
Print Assumptions bag_root_port.
Print Assumptions one_sender_no_root_port.
Print Assumptions layers_over_ports_apart.
Print Assumptions stuck_cuts_suffice.

(** [PortPrograms] *)
Print Assumptions accepts_iff_same_port.
Print Assumptions tagged_layers_apart.

(** [PortChannels] *)
Print Assumptions channels_without.
Print Assumptions channels_precede.

(** [PortExamples] *)
Print Assumptions jobs_do_not_stay_apart.
Print Assumptions jobs_in_order_stay_apart.

(** [PortFaults] *)
Print Assumptions happens_without_faults.
Print Assumptions no_faults.

(** [PortWords] *)
Print Assumptions layer_of_word_plays.
Print Assumptions words_of_good_layers.

(** [PortProtocols] *)
Print Assumptions deleting_layers.
Print Assumptions root_port_by_blocked_sets.

(** [PortValues] *)
Print Assumptions values_decide.
Print Assumptions values_least.
Print Assumptions early_by_n.
Print Assumptions n_values_or_none.

(** [PortLanguages] *)
Print Assumptions shortest_paths_decide.
Print Assumptions apart_by_shortest_paths.
Print Assumptions two_layers_decide.
Print Assumptions two_rounds_of_ports_decide.

(** [PortOpen] *)
Print Assumptions apart_whatever_follows.

(** [PortOrder] *)
Print Assumptions ordered_root_port.
Print Assumptions only_sender_does_not_overtake.
Print Assumptions root_port_by_message.
Print Assumptions apart_over_ports.
Print Assumptions certificates_suffice.

(** [PortFaultLayers] *)
Print Assumptions apart_without_faulty_root_ports.
Print Assumptions apart_without_faults.
Print Assumptions bag_or_lossy_root_port.
Print Assumptions copying_root_port.

(** [PortFaultExamples] *)
Print Assumptions jobs_do_not_stay_apart_if_lost.
Print Assumptions jobs_do_not_stay_apart_if_copied.
Print Assumptions order_of_two_senders_is_not_enough.

(** [PortTags] *)
Print Assumptions apart_with_tags.
Print Assumptions tags_on_root_ports.
Print Assumptions tags_on_root_ports_of_words.

(** [PortCertificates] *)
Print Assumptions certificates_of_port.
Print Assumptions certificates_of_protocols.

(** [PortChoices] *)
Print Assumptions protocol_size.
Print Assumptions choices_decide_satisfiability.
Print Assumptions short_runs_refute.

(** [PortOverlaps] *)
Print Assumptions no_overlap_runs.
Print Assumptions short_overlapping_runs_refute.

(** [PortOverlapsLayers] *)
Print Assumptions layers_size.

(** [PortOverlapsHard] *)
Print Assumptions overlaps_decide_satisfiability.

(** [PortRoom] *)
Print Assumptions room_suffices.

(** [PortIndex], [PortsCheckedCorrect], [PortRunsCheckedCorrect], [PortSealsChecked], [PortSearchChecked] *)
Print Assumptions stuck_at_sound.
Print Assumptions check_yes_correct.
Print Assumptions check_root_correct.
Print Assumptions check_ports_correct.
Print Assumptions check_seal_yes_correct.
Print Assumptions check_port_seal_sound.
Print Assumptions check_port_seal_correct.
Print Assumptions check_found_correct.
Print Assumptions check_found_overlapping.
