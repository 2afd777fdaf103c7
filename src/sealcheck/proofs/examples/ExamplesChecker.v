(** * Examples: what the checker accepts and refuses

    By computation: each definition says yes to something and no to something.  Of the hypotheses of the checker's
    theorems one is shown to be needed, that the node is no receive. *)

From Coq Require Import List Arith Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality.
From Sealcheck Require Import Clocks Chains RunsChecked PhasesDecider Orbits Checker CheckerCorrect SignatureChecked Recorded.
From Sealcheck Require Import PortLayers PortPrograms PortFaults PortFaultLayers PortWords PortTables PortExpressions PortsChecked PortRunsChecked.
From Sealcheck Require Import PortRunsCheckedCorrect PortSealsChecked PortSearchChecked.
Open Scope nat_scope.

(** A message from [i] to [j]. *)
Definition tx (i j : proc) : list act := [ASend i j; ARecv j i].

(** ** The decider *)

(** The paper's first example: an answer seals, the same message again does not. *)
Example decide_answer : seals_by_clocks 2 (tx 0 1) (tx 1 0) = Some true. Proof. reflexivity. Qed.
Example decide_again : seals_by_clocks 2 (tx 0 1) (tx 0 1) = Some false. Proof. reflexivity. Qed.
Example nothing_does_not : seals_by_clocks 2 (tx 0 1) [] = Some false. Proof. reflexivity. Qed.

(** Said of runs. *)
Example answer_seals_in_all_runs : forall e f, Seals RelNS (mt 1 0 f) (mt 0 1 e).
Proof. intros e f. apply (decide_correct 2 _ _ (tx 0 1) (tx 1 0) true); reflexivity. Qed.
Example again_does_not_in_some : forall e f, ~ Seals RelNS (mt 0 1 f) (mt 0 1 e).
Proof.
  intros e f S. apply (decide_correct 2 _ _ (tx 0 1) (tx 0 1) false) in S; try reflexivity. discriminate.
Qed.

(** An answer by way of a third process seals, too; one that goes elsewhere does not. *)
Example by_way_of_another : seals_by_clocks 3 (tx 0 1) (tx 1 2 ++ tx 2 0) = Some true. Proof. reflexivity. Qed.
Example decide_elsewhere : seals_by_clocks 3 (tx 0 1) (tx 1 2) = Some false. Proof. reflexivity. Qed.

(** It does not answer about programs that are not balanced, that deadlock, that use more processes than there are, or
    in which somebody sends to itself. *)
Example unbalanced : seals_by_clocks 2 [ASend 0 1] [] = None. Proof. reflexivity. Qed.
Example decide_deadlock : seals_by_clocks 2 [ARecv 0 1; ASend 0 1; ARecv 1 0; ASend 1 0] [] = None. Proof. reflexivity. Qed.
Example too_many : seals_by_clocks 1 (tx 0 1) [] = None. Proof. reflexivity. Qed.
Example decide_to_itself : seals_by_clocks 2 (tx 0 0) [] = None. Proof. reflexivity. Qed.

(** Events have to be written in an order in which they can happen; among those it does not matter which. *)
Example before_its_send : seals_by_clocks 2 [ARecv 1 0; ASend 0 1] (tx 1 0) = None. Proof. reflexivity. Qed.
Example any_order :
  seals_by_clocks 3 [ASend 0 1; ASend 2 1; ARecv 1 2; ARecv 1 0] (tx 1 0 ++ tx 1 2) =
  seals_by_clocks 3 (tx 2 1 ++ tx 0 1) (tx 1 2 ++ tx 1 0).
Proof. reflexivity. Qed.

(** ** Clocks *)

Definition clock_after (n : nat) (l : list act) (i : proc) : option clock := option_map (fun st => clock_of n st i) (play n [l]).

Example clock_of_the_answer : clock_after 2 (tx 0 1 ++ tx 1 0) 0 = Some [2; 2]. Proof. reflexivity. Qed.
Example clock_of_two_sends : clock_after 2 (tx 0 1 ++ tx 0 1) 0 = Some [2; 0]. Proof. reflexivity. Qed.
Example clock_of_a_receive : clock_after 2 (tx 0 1) 1 = Some [1; 1]. Proof. reflexivity. Qed.

(** ** Open channels and sealability *)

Example one_open : find_open 2 (tx 0 1) = Some [(0, 1)]. Proof. reflexivity. Qed.
Example answer_closes : find_open 2 (tx 0 1 ++ tx 1 0) = Some [(1, 0)]. Proof. reflexivity. Qed.
Example nothing_open : find_open 2 [] = Some []. Proof. reflexivity. Qed.

Example can_be_sealed : sealable 2 (tx 0 1) = Some true. Proof. reflexivity. Qed.

(** Two messages that cross: nobody may begin. *)
Definition crossing_acts : list act := [ASend 0 1; ASend 1 0; ARecv 0 1; ARecv 1 0].
Example cannot_be_sealed : sealable 2 crossing_acts = Some false. Proof. reflexivity. Qed.

(** With a third process to which channels are free, somebody may. *)
Example third_process_helps : sealable 3 crossing_acts = Some true. Proof. reflexivity. Qed.

(** ** Certificates *)

Definition chain_to_end (steps : list event) : list chain := [{| about := (0, 1); into_send := false; steps := steps |}].
Definition to_send (steps : list event) : list chain := [{| about := (0, 1); into_send := true; steps := steps |}].

Example chain_accepted : check_seals 2 (tx 0 1) (tx 1 0) (chain_to_end [(1, 0); (1, 1); (0, 1)]) = true.
Proof. reflexivity. Qed.
Example chain_with_a_gap : check_seals 2 (tx 0 1) (tx 1 0) (chain_to_end [(1, 0); (0, 1)]) = false.
Proof. reflexivity. Qed.
Example chain_missing : check_seals 2 (tx 0 1) (tx 1 0) [] = false. Proof. reflexivity. Qed.
Example chain_backwards : check_seals 2 (tx 0 1) (tx 1 0) (chain_to_end [(1, 0); (0, 0); (0, 1)]) = false.
Proof. reflexivity. Qed.
(** It must say for which channel it is, and where it leads, ... *)
Example chain_elsewhere :
  check_seals 2 (tx 0 1) (tx 1 0) [{| about := (1, 0); into_send := false; steps := [(1, 0); (1, 1); (0, 1)] |}] = false.
Proof. reflexivity. Qed.
Example chain_into_nothing : check_seals 2 (tx 0 1) (tx 1 0) (to_send [(1, 0); (1, 1); (0, 1)]) = false.
Proof. reflexivity. Qed.
(** ... begin at the last receive of P on the channel ... *)
Example chain_too_early :
  check_seals 2 (tx 0 1 ++ tx 0 1) (tx 1 0) (chain_to_end [(1, 0); (1, 2); (0, 2)]) = false /\
  check_seals 2 (tx 0 1 ++ tx 0 1) (tx 1 0) (chain_to_end [(1, 1); (1, 2); (0, 2)]) = true.
Proof. split; reflexivity. Qed.
(** ... and end no later than the next send. *)
Example chain_too_late : check_seals 2 (tx 0 1) (tx 0 1 ++ tx 1 0) (to_send [(1, 0); (1, 2); (0, 2)]) = false.
Proof. reflexivity. Qed.

(** The run in which the first of two receives takes the second message. *)
Definition exchanged_twice : list act := tx 0 1 ++ tx 0 1.
Definition order_in_turn : list event := [(0, 0); (0, 1); (1, 0); (1, 1)].
Definition swapped_matching : list (event * event) := [((1, 0), (0, 1)); ((1, 1), (0, 0))].
Example run_accepted : check_run 2 exchanged_twice order_in_turn swapped_matching = true. Proof. reflexivity. Qed.
Example row_accepted : check_breaks 2 (tx 0 1) (tx 0 1) [] order_in_turn swapped_matching (1, 0) = true.
Proof. reflexivity. Qed.
Example oldest_first_shows_nothing :
  check_breaks 2 (tx 0 1) (tx 0 1) [] order_in_turn [((1, 0), (0, 0)); ((1, 1), (0, 1))] (1, 0) = false.
Proof. reflexivity. Qed.

(** Taken before it is sent; taken twice; an event left out; a process out of order; a message of another channel. *)
Example before_it_is_sent : check_run 2 exchanged_twice [(0, 0); (1, 0); (0, 1); (1, 1)] swapped_matching = false.
Proof. reflexivity. Qed.
Example taken_twice : check_run 2 exchanged_twice order_in_turn [((1, 0), (0, 1)); ((1, 1), (0, 1))] = false.
Proof. reflexivity. Qed.
Example left_out : check_run 2 exchanged_twice [(0, 0); (0, 1); (1, 0)] swapped_matching = false.
Proof. reflexivity. Qed.
Example out_of_order : check_run 2 exchanged_twice [(0, 1); (0, 0); (1, 0); (1, 1)] swapped_matching = false.
Proof. reflexivity. Qed.
Example other_channel :
  check_run 3 (tx 0 2 ++ tx 1 2) [(0, 0); (1, 0); (2, 0); (2, 1)] [((2, 0), (1, 0)); ((2, 1), (0, 0))] = false.
Proof. reflexivity. Qed.

(** Crossing messages: each process knows what it has received, and that is all that they can know. *)
Definition both_open := {| said_open := [(0, 1); (1, 0)]; said_closed := [] |}.

Example knowledge_accepted :
  check_unsealable 2 crossing_acts both_open [[(1, 0)]; [(0, 1)]] = true. Proof. reflexivity. Qed.
Example knowledge_too_small :
  check_unsealable 2 crossing_acts both_open [[]; []] = false. Proof. reflexivity. Qed.
Example knowledge_not_closed :
  check_unsealable 2 (tx 0 1) {| said_open := [(0, 1)]; said_closed := [(1, 0)] |} [[]; [(0, 1)]] = false. Proof. reflexivity. Qed.
Example channels_wrong :
  check_unsealable 2 crossing_acts {| said_open := [(0, 1)]; said_closed := [(1, 0)] |} [[(1, 0)]; [(0, 1)]] = false. Proof. reflexivity. Qed.
Example nothing_seals_crossing : forall P, acts P = Some crossing_acts -> ~ has_seal 2 P crossing_acts.
Proof. intros P A. now apply (check_unsealable_correct 2 P _ both_open [[(1, 0)]; [(0, 1)]]). Qed.

(** One message seals a message, and none does not; two are not the least number. *)
Definition one_way_said := {| said_open := [(0, 1)]; said_closed := [(1, 0)] |}.

Example least : check_sealable 2 (tx 0 1) one_way_said (tx 1 0) (chain_to_end [(1, 0); (1, 1); (0, 1)]) 1 [] = true.
Proof. reflexivity. Qed.
Example not_least :
  check_sealable 2 (tx 0 1) one_way_said (tx 1 0 ++ tx 1 0) (chain_to_end [(1, 0); (1, 1); (0, 1)]) 2 [] = false.
Proof. reflexivity. Qed.

(** The least of two renamings, and how many there are; a program that is its own mirror image. *)
Example least_name : check_orbit 2 [tx 0 1] 2 = true /\ check_orbit 2 [tx 0 1] 1 = false.
Proof. split; reflexivity. Qed.
Example unknown_name : check_orbit 1 [tx 0 1] 1 = false. Proof. reflexivity. Qed.
Example not_least_name : check_orbit 2 [tx 1 0] 2 = false. Proof. reflexivity. Qed.
Example too_many_names : check_orbit 2 [crossing_acts] 2 = false /\ check_orbit 2 [crossing_acts] 1 = true. Proof. split; reflexivity. Qed.

(** The signature of mt 0->1; and one that leaves out an edge. *)
Definition signature_said starts := {|
  of_receives := [(0, 1, [1])]; of_sends := [(0, 1, [0])]; of_starts := starts
|}.
Example signature_accepted : check_signature 2 (tx 0 1) (signature_said [(0, 1)]) = true. Proof. reflexivity. Qed.
Example signature_without_an_edge : check_signature 2 (tx 0 1) (signature_said []) = false. Proof. reflexivity. Qed.

(** Parts have every process once, and no closed channel joins two. *)
Example parts_accepted : check_parts 3 [(0, 1)] [[0; 1]; [2]] = true. Proof. reflexivity. Qed.
Example parts_joined : check_parts 3 [(0, 2)] [[0; 1]; [2]] = false. Proof. reflexivity. Qed.
Example part_missing : check_parts 3 [] [[0]; [2]] = false /\ check_parts 3 [] [[0; 1; 2]] = false /\
  check_parts 3 [] [[0; 1]; []; [2]] = false /\ check_parts 3 [] [[0; 1]; [1; 2]] = false.
Proof. repeat split; reflexivity. Qed.

(** ** Layers *)

Example round_trip : phases_decide 2 true false [tx 0 1; tx 1 0] = Some true. Proof. reflexivity. Qed.
Example round_trip_open : phases_decide 2 false true [tx 0 1; tx 1 0] = Some false. Proof. reflexivity. Qed.
Example same_channel : phases_decide 2 false false [tx 0 1; tx 0 1] = Some false. Proof. reflexivity. Qed.

(** A layer by itself stays apart, but not from its next round. *)
Example one_layer : phases_decide 2 false false [tx 0 1] = Some true. Proof. reflexivity. Qed.
Example one_layer_repeated : phases_decide 2 true false [tx 0 1] = Some false. Proof. reflexivity. Qed.

(** ** Runs with data *)

(** Process 0 counts to 2 and sends that to process 1. *)
Definition counting_run : recording := [[(Int, 0%Z); (Int, 1%Z); (Int, 2%Z); (Snd 1, 2%Z)]; [(Rcv 0, 2%Z)]].
Definition counting_order : list event := [(0, 0); (0, 1); (0, 2); (0, 3); (1, 0)].
Definition counting_matching : list (event * event) := [((1, 0), (0, 3))].
Definition recorded_ends (c : list nat) (p : prog) := ends_recorded counting_run counting_matching c p.
Definition last_value : expr := evaluate (Ago 0).
Definition assign_one_more : prog := Assign 0 (evaluate (Plus (Ago 0) (Num 1%Z))).

Example counting_is_a_run : check_recorded counting_run counting_order counting_matching = true.
Proof. reflexivity. Qed.
Example another_value : check_recorded [[(Snd 1, 2%Z)]; [(Rcv 0, 3%Z)]] [(0, 0); (1, 0)] [((1, 0), (0, 0))] = false.
Proof. reflexivity. Qed.

(** It may count on as often as it does; the guard says how often. *)
Example counts : recorded_ends [1; 0] (Star assign_one_more) = [[1; 0]; [2; 0]; [3; 0]]. Proof. reflexivity. Qed.
Example counts_to_two :
  recorded_ends [1; 0] (Lay (Star assign_one_more) (Guard (Equal 0 last_value 0 (evaluate (Num 2%Z))))) = [[3; 0]].
Proof. reflexivity. Qed.
Example counts_by_ones : recorded_ends [1; 0] (Assign 0 (evaluate (Num 2%Z))) = []. Proof. reflexivity. Qed.

(** A message is received as late as one likes, but not across a silent cut. *)
Example ends_of_receive : recorded_ends [3; 0] (Lay (Send 0 1 last_value) (Recv 1 0)) = [[4; 1]].
Proof. reflexivity. Qed.
Example not_across : recorded_ends [3; 0] (Lay (Send 0 1 last_value) (Lay Chop (Recv 1 0))) = [].
Proof. reflexivity. Qed.
Example one_way_or_another : recorded_ends [3; 0] (Choice Chop (Recv 1 0)) = [[3; 0]; [3; 1]]. Proof. reflexivity. Qed.

(** ** Over ports *)

(** A job for process 1 from any source, twice. *)
Definition one_job : layer_program := [TSend 0 1 0; TRecv 1 None 0].
Definition job_mailbox : tagged_port := (1, None, 0).
Definition two_jobs (words : guarantee) (open : bool) : port_layers := {|
  process_count := 2; layers_given := [one_job; one_job]; guarantees := [(job_mailbox, words)];
  protocol_given := InTurn (Once 0) (Once 1); is_open := open;
  state_rows := [{| rest_of := InTurn (Once 0) (Once 1); next_states := [(0, 1)] |}; {| rest_of := Once 1; next_states := [(1, 2)] |};
                 {| rest_of := Nothing; next_states := [] |}]
|}.
Definition ordered_port : guarantee := {| keeps_order := true; may_lose := false; may_copy := false |}.
Definition lossy_port : guarantee := {| keeps_order := true; may_lose := true; may_copy := false |}.
Definition copying_port : guarantee := {| keeps_order := false; may_lose := false; may_copy := true |}.

(** In order: process 1 waits in each layer, and process 0 is the only one that sends. *)
Definition waits_for_job (unfit : list port_unfit) (n : nat) (sets : list port_set) : port_hold := {|
  hold_lasts := [{| hold_layer := n; hold_port := job_mailbox; hold_upto := [1; 0]; hold_unfit := unfit; hold_starts := [0] |}];
  hold_sets := sets
|}.
Definition all_of_0 := [{| unfit_sender := 0; unfit_receive := 0; unfit_upto := [] |}].
Definition waits_in_turn (unfit : list port_unfit) := [
  waits_for_job unfit 0 [{| set_state := 1; set_blocked := [1]; set_exits := [(0, 1)] |};
                         {| set_state := 2; set_blocked := [1]; set_exits := [] |}];
  waits_for_job unfit 1 [{| set_state := 2; set_blocked := [1]; set_exits := [] |}]
].
Definition other_job (upto : list nat) := [{| step_layer := 1; step_idle := [1]; step_upto := upto |}].

Example jobs_in_order_accepted : forall open,
  check_ports (two_jobs ordered_port open) [] (other_job [1; 0]) (waits_in_turn all_of_0) [] = Some [].
Proof. intros []; reflexivity. Qed.
Example jobs_in_order_for_all_words : forall w, possible_word (two_jobs ordered_port true) w ->
  apart_with_faults (word_program (one_job ++ one_job) w) (layer_in w) (port_guarantee (two_jobs ordered_port true)).
Proof. now apply (check_ports_correct _ _ _ _ _ _ (jobs_in_order_accepted true)). Qed.

(** A reason is needed why the next message of process 0 is not taken; sets have to be closed, and to follow; all layers
    need one. *)
Example jobs_without_reason :
  check_ports (two_jobs ordered_port false) [] (other_job [1; 0]) (waits_in_turn []) [] = None.
Proof. reflexivity. Qed.
Example jobs_not_closed : check_ports (two_jobs ordered_port false) [] (other_job [0; 0]) (waits_in_turn all_of_0) [] = None.
Proof. reflexivity. Qed.
Example jobs_without_step : check_ports (two_jobs ordered_port false) [] [] (waits_in_turn all_of_0) [] = None.
Proof. reflexivity. Qed.
Example jobs_without_hold :
  check_ports (two_jobs ordered_port false) [] (other_job [1; 0]) (tl (waits_in_turn all_of_0)) [] = None.
Proof. reflexivity. Qed.

(** Without order the first receive can take the second message; if messages can be lost, in order, too. *)
Definition wrong_job (order : list event) : port_root := {|
  wrong_port := job_mailbox; root_exits := [0; 0]; root_later := []; root_order := order;
  root_matching := [((1, 0), (0, 1))]
|}.
Definition jobs_then_wrong := wrong_job [(0, 0); (0, 1); (1, 0)].

Example wrong_job_accepted : check_ports (two_jobs bag false) [jobs_then_wrong] [] [] [] = Some [((1, 0), (0, 1))] /\
  check_ports (two_jobs lossy_port false) [jobs_then_wrong] [] [] [] = Some [((1, 0), (0, 1))].
Proof. split; reflexivity. Qed.
Example wrong_job_in_some_word : exists w, possible_word (two_jobs bag false) w /\
  faulty_root_port (word_program (one_job ++ one_job) w) (layer_in w) (port_guarantee (two_jobs bag false)) job_mailbox.
Proof. apply (check_ports_correct _ _ _ _ _ _ (proj1 wrong_job_accepted)). now left. Qed.

(** It is no run in order, nor before the message is sent; the word has to come to its end. *)
Example wrong_job_in_order : check_ports (two_jobs ordered_port false) [jobs_then_wrong] [] [] [] = None.
Proof. reflexivity. Qed.
Example wrong_job_too_early : check_ports (two_jobs bag false) [wrong_job [(0, 0); (1, 0); (0, 1)]] [] [] [] = None.
Proof. reflexivity. Qed.
Example no_wrong_job : check_ports (two_jobs bag false) [] [] [] [] = None. Proof. reflexivity. Qed.

(** A copy of the first job is there for the second receive. *)
Definition job_again : port_root := {|
  wrong_port := job_mailbox; root_exits := [0; 0]; root_later := []; root_order := [(0, 0); (1, 0); (1, 1)];
  root_matching := [((1, 0), (0, 0)); ((1, 1), (0, 0))]
|}.
Example job_copied : check_ports (two_jobs copying_port false) [job_again] [] [] [] = Some [((1, 1), (0, 0))] /\
  check_ports (two_jobs bag false) [job_again] [] [] [] = None.
Proof. split; reflexivity. Qed.
Definition jobs_used (states : list nat) := [{| used_port := job_mailbox; used_states := states |}].
Example copies_of_two_layers : check_ports (two_jobs copying_port false) [] [] [] (jobs_used [1; 2]) = None /\
  check_ports (two_jobs copying_port false) [] [] [] (jobs_used [2]) = None.
Proof. split; reflexivity. Qed.

(** An answer seals the job: process 1 has to be through before it sends, and process 0 waits for it.  A third process
    may send at any time. *)
Definition answered_job : layer_program := [TSend 1 0 0; TRecv 0 (Some 1) 0].
Definition seals_job (n : nat) (following : list nat) := check_port_seal n one_job answered_job [] [] [{|
  seal_port := job_mailbox; seal_upto := 1 :: repeat 0 (n - 1); seal_unfit := []; seal_following := following
|}].
Example answer_seals_job : seals_job 2 [0; 0] = Some []. Proof. reflexivity. Qed.
Example answer_seals_job_whatever_follows : seals_over_ports 2 one_job answered_job [].
Proof. now apply (check_port_seal_correct _ _ _ _ _ _ _ answer_seals_job). Qed.
Example answer_not_closed : seals_job 2 [0; 1] = None. Proof. reflexivity. Qed.
Example third_may_send : seals_job 3 [0; 0; 0] = None. Proof. reflexivity. Qed.

Definition third_sends : port_root := {|
  wrong_port := job_mailbox; root_exits := []; root_later := [TSend 2 1 0]; root_order := [(2, 0); (1, 0)];
  root_matching := [((1, 0), (2, 0))]
|}.
Example third_sends_accepted :
  check_port_seal 3 one_job answered_job [] [third_sends] [] = Some [((1, 0), (2, 0))] /\
  check_port_seal 2 one_job answered_job [] [third_sends] [] = None.
Proof. split; reflexivity. Qed.

(** Receives overlap: process 2 takes a job from anyone, then one of process 1.  If it has taken that of process 1 already,
    then the second receive takes that of the next layer.  It takes no job of process 0, which shares the port. *)
Definition named_job : layer_program := [TSend 0 2 0; TSend 1 2 0; TRecv 2 None 0; TRecv 2 (Some 1) 0].
Definition named_jobs : port_layers := {|
  process_count := 3; layers_given := [named_job; [TSend 1 2 0; TRecv 2 None 0]]; guarantees := [];
  protocol_given := InTurn (Once 0) (Once 1); is_open := false;
  state_rows := [
    {| rest_of := InTurn (Once 0) (Once 1); next_states := [(0, 1)] |};
    {| rest_of := Once 1; next_states := [(1, 2)] |};
    {| rest_of := Nothing; next_states := [] |}]
|}.
Definition named_job_wrong (order : list event) (matching : list (event * event)) : port_root := {|
  wrong_port := (2, None, 0); root_exits := [0; 0]; root_later := []; root_order := order; root_matching := matching
|}.
Definition both_of_1 := named_job_wrong [(1, 0); (2, 0); (1, 1); (2, 1)] [((2, 0), (1, 0)); ((2, 1), (1, 1))].
Example named_job_found : check_found named_jobs [both_of_1] = Some [((2, 1), (1, 1))]. Proof. reflexivity. Qed.
Example another_sender_than_named :
  check_found named_jobs [named_job_wrong [(1, 0); (2, 0); (0, 0); (2, 1)] [((2, 0), (1, 0)); ((2, 1), (0, 0))]] = None.
Proof. reflexivity. Qed.
