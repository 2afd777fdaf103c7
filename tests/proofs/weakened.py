"""Changes after which theorems say less: with another proof, Coq accepts them.  The review must notice each.

See `sealcheck.evidence.reviewed`.
"""

from typing import NamedTuple


class Weakened(NamedTuple):
    """In the statement of `theorem`, or in the definition `of` that it unfolds to, `old` becomes `new`."""

    theorem: str
    old: str
    new: str
    why: str
    of: str = ""


CONCLUSIONS = (
    Weakened("interleaving_exists", "<-> forall e", "-> forall e", "acyclic runs may have none"),
    Weakened(
        "refinement_preorder",
        " /\\ (forall P Q R, refines G P Q -> refines G Q R -> refines G P R)",
        "",
        "not transitive",
    ),
    Weakened("constructs_monotone", " /\\ refines G (Star P) (Star Q)", "", "nothing about repetition"),
    Weakened("definitions_agree_seals", "<-> fst", "-> fst", "Is-Seal may say yes too often"),
    Weakened(
        "definitions_agree_channels",
        " /\\ (TCC RelNS P <-> forall i j, closes RelNS P i j)",
        "",
        "nothing about TCC",
    ),
    Weakened(
        "definitions_agree_balanced", "<-> balanced p", "-> balanced p", "equal counts may not be enough"
    ),
    Weakened("tcc_basic", " /\\ (forall P, TCC G (Lay P Chop))", "", "nothing about P;cut"),
    Weakened("tcc_closed", " /\\ TCC G (Star P)", "", "nothing about repetition"),
    Weakened("barrier_is_tcc", "-> TCC G B", "-> TCC G (Lay B Chop)", "a silent cut helps"),
    Weakened("seal_algebra_1", "Seals G S (Choice P P')", "Seals G S (Choice P P)", "one alternative twice"),
    Weakened("seal_algebra_2", "Seals G (Choice S S') P", "Seals G (Choice S S) P", "one seal twice"),
    Weakened(
        "seal_algebra_2_properly_as_printed_fails", "iSeals u Rel S' P -> ", "", "a stronger claim fails"
    ),
    Weakened(
        "seal_algebra_2_properly",
        " /\\ (properly_seals u G (Choice S S') P <-> properly_seals u G S P /\\ properly_seals u G S' P)",
        "",
        "nothing about proper seals",
    ),
    Weakened(
        "seal_algebra_3", "Seals G (Lay S Q) P", "Seals G (Lay S (Lay Chop Q)) P", "with a silent cut between"
    ),
    Weakened(
        "seal_algebra_4",
        "Seals G S' (Lay P S)",
        "Seals G S' (Lay P (Lay Chop S))",
        "with a silent cut between",
    ),
    Weakened("seal_algebra_5", "Seals G P (Star P)", "Seals G P (Choice Eps P)", "at most one iteration"),
    Weakened(
        "seal_algebra_6_bsl", "(TCC RelNS P <->", "(TCC RelNS P ->", "what all BSLs seal need not be TCC"
    ),
    Weakened("seal_algebra_6", "TCC G P <->", "TCC G P ->", "what all programs seal need not be TCC"),
    Weakened(
        "layers_are_ccl", "layers = before ++ l :: after", "layers = l :: after", "only of the first layer"
    ),
    Weakened(
        "mt_seals_ack",
        "Seals Rel (mt j i f)",
        "Seals Rel (Lay Chop (mt j i f))",
        "the answer may wait for silence",
    ),
    Weakened(
        "mt_ack_self_seals",
        "Seals Rel (Lay (mt i j e) (mt j i f)) (Lay",
        "Seals RelFi (Lay (mt i j e) (mt j i f)) (Lay",
        "only with FIFO channels",
    ),
    Weakened(
        "mt_not_self_sealing",
        "~ Seals RelNS (mt i j f)",
        "~ Seals Rel (mt i j f)",
        "the run may need a self-message",
    ),
    Weakened(
        "diverging_seals_as_printed_fails",
        "Rel r /\\ ioccurs",
        "Rel r /\\ finite d /\\ ioccurs",
        "it may occur over infinite intervals",
    ),
    Weakened("diverging_seals", " /\\ (forall P, iSeals u Rel assigning P)", "", "it need not seal anything"),
    Weakened("mt_tcc_rel_fifo", " /\\ ~ TCC Rel (mt i j e)", "", "perhaps TCC in Rel, too"),
    Weakened(
        "tcc_impossibility_bsl",
        "(exists i j, In (Snd j) (labs i p))",
        "(forall i j, In (Snd j) (labs i p))",
        "it must send on every channel",
    ),
    Weakened(
        "tcc_impossibility_as_printed",
        "exists e, between c d e /\\ comm r e",
        "True",
        "a claim about silent programs fails",
    ),
    Weakened("tcc_impossibility", "TCC RelNS P <->", "TCC RelNS P ->", "only necessary"),
    Weakened(
        "no_barrier_bsl",
        "~ barrier_among n RelNS B",
        "~ barrier_among (S n) RelNS B",
        "with one more process",
    ),
    Weakened(
        "no_barrier_as_printed",
        "(exists r c d, Rel r /\\ all_empty r c /\\ occurs r c B d) -> ",
        "",
        "a claim about what never occurs fails",
    ),
    Weakened("barriers_decided", "2 <= n", "3 <= n", "nothing about two processes"),
    Weakened("guards_seal_X", "Seals Rel", "Seals RelFi", "only with FIFO channels"),
    Weakened("guarded_seal_completes", "(Lay (X_of e f) S1)", "(X_of e f)", "the seal need not complete"),
    Weakened(
        "non_sealed_bsl",
        "proper_seal 2 P X S s",
        "proper_seal 2 P X S s /\\ messages s <= 9",
        "only of short seals",
    ),
    Weakened(
        "non_sealed_third_process", "proper_seal 3 P X S s", "proper_seal 4 P X S s", "with four processes"
    ),
    Weakened(
        "figure_X",
        "closes RelNS P 0 1 /\\ ~ closes RelNS P 1 0",
        "closes RelNS P 0 1",
        "only one channel is open",
    ),
    Weakened("figure_P_prime", "i = 2 \\/ j = 2", "i <= 2 \\/ j <= 2", "any message counts"),
    Weakened(
        "figure_3",
        " /\\ (forall S s, proper_seal 3 P p S s -> 2 <= messages s)",
        "",
        "there may be a shorter seal",
    ),
    Weakened("balanced_tcc_rel_fifo", "TCC RelFi P", "Seals RelFi P P", "it need only seal itself"),
    Weakened(
        "balanced_necessary",
        "-> balanced p",
        "-> forall i, (exists j, In (ASend i j) p) -> exists j, In (ARecv j i) p",
        "some message of each sender is received",
    ),
    Weakened("balanced_necessary_as_printed", "Seals Rel S P -> ", "", "a stronger claim fails"),
    Weakened(
        "balanced_necessary_whole_language",
        "-> Balanced RelNS P",
        "-> Balanced RelFi P",
        "only with FIFO channels",
    ),
    Weakened(
        "graph_cause",
        "forall x y, normal l x y",
        "forall x y, fst x = fst y -> normal l x y",
        "only within a process",
    ),
    Weakened("graph_cause_paths", "clos_trans event (normal l) x y", "normal l x y", "only single edges"),
    Weakened(
        "graph_cause_largest",
        "(forall r c d, Rel r -> occurs r c (Lay Chop P) d",
        "(forall r c d, Rel r -> occurs r c P d",
        "what is causal in more runs",
    ),
    Weakened(
        "graph_cause_largest_noself",
        "-> clos_trans event (normal l) x y",
        "-> x = y \\/ clos_trans event (normal l) x y",
        "an event may cause itself",
    ),
    Weakened(
        "fifo_causality",
        "(clos_trans event (normal l) x y <->",
        "(clos_trans event (normal l) x y ->",
        "there may be more causality",
    ),
    Weakened(
        "closed_channels_self",
        "(~ closes Rel P i j <->",
        "(~ closes Rel P i j ->",
        "signatures may have closed channels",
    ),
    Weakened(
        "sigvt",
        "sig_rcv (message i j) j i 0",
        "last_receive (message i j) j i 0",
        "it need not stay in the signature",
    ),
    Weakened(
        "sigvtack",
        "~ sig_rcv (exchange_of i j) j i y",
        "~ sig_rcv (exchange_of i j) j i (S y)",
        "only of later receives",
    ),
    Weakened("signature_size_as_printed_fails", "K * n ^ 2", "K", "a claim of constant size fails"),
    Weakened("signature_edges_as_printed_fails", "K * n ^ 2", "K * n", "a claim of linear size fails"),
    Weakened("signature_nodes", "4 * n ^ 2", "4 * n ^ 3", "a cubic bound"),
    Weakened("signature_nodes_and_edges", "20 * n ^ 4", "20 * n ^ 5", "a larger bound"),
    Weakened("signature_edges_for_deciding", "3 * n ^ 3", "3 * n ^ 4", "a larger bound"),
    Weakened("compose_cost_as_printed_fails", "K * n ^ 2", "K * n", "a linear claim fails"),
    Weakened(
        "compose_for_deciding_cost_as_printed_fails",
        "for_deciding a b -> ",
        "",
        "the other edges count as well",
    ),
    Weakened("decide_cost_as_printed_fails", "<= K * n ^ 2", "<= K * n", "a linear claim fails"),
    Weakened("decide_sealing_self", "(Seals Rel Q P <->", "(Seals Rel Q P ->", "only necessary"),
    Weakened(
        "sealability_as_printed_fails",
        "(exists S s, proper_seal n P p S s) /\\ ",
        "",
        "the program need not be sealable",
    ),
    Weakened(
        "sealability",
        "proper_seal n P p S s) <-> one_block",
        "proper_seal n P p S s) -> one_block",
        "only necessary",
    ),
    Weakened(
        "seal_construction_closed",
        " /\\ messages (transmissions (tree_seal closed t)) < 3 * n",
        "",
        "nothing about its size",
    ),
    Weakened(
        "seal_construction_closed_when_sent",
        "(Lay P (transmitting before)) i j",
        "(Lay P (transmitting (before ++ (i, j) :: rest))) i j",
        "it is closed in the end",
    ),
    Weakened("seal_size", "< 3 * n", "< 300 * n", "a hundred times larger"),
    Weakened(
        "worst_case_seal_as_printed_fails",
        "3 * n - 4 <= messages s",
        "3 * n - 3 <= messages s",
        "a claim about more messages fails",
    ),
    Weakened("worst_case_seal_sufficient", "<= 3 * n - 5", "<= 3 * n - 4", "one message more"),
    Weakened("worst_case_seal_necessary", "3 * n - 5 <=", "3 * n - 6 <=", "one message fewer"),
    Weakened(
        "example_open_channels_as_printed_fails", "n <> 2 ->", "2 < n ->", "nothing about fewer processes"
    ),
    Weakened(
        "example_open_channels",
        "leaves_open P ((n - 1) ^ 2)",
        "exists m, m <= (n - 1) ^ 2 /\\ leaves_open P m",
        "at most so many",
    ),
    Weakened("example_L_seal", " /\\ messages (S_acts n) = n - 1", "", "nothing about its size"),
    Weakened(
        "figure_O_n",
        " /\\ (forall i j, ~ closes RelNS P i j -> closes RelNS (Lay P S) i j)",
        "",
        "they need not close the channels",
    ),
    Weakened(
        "while_exchange_as_printed_fails",
        "forall u i j e f,",
        "forall u i j e f, i = j ->",
        "only of a process alone",
    ),
    Weakened("while_exchange", "(forall k, exists r c m d", "(exists k r c m d", "it need not go on"),
    Weakened("program_graph_as_printed", "balanced l -> ", "", "a claim about all programs fails"),
    Weakened("program_graph_mended", "<-> graph_edge", "-> graph_edge", "edges may be missing"),
    Weakened("deadlock_free_as_printed", "balanced l -> ", "", "a claim about all programs fails"),
    Weakened("deadlock_free_printed_graph", "nofself l -> ", "", "a claim about self-channels fails"),
    Weakened(
        "deadlock_free_mended", "= true <-> dead_free l", "= true -> dead_free l", "it may always say no"
    ),
    Weakened("dead_free_iff_occurs", "(dead_free p <->", "(dead_free p ->", "what deadlocks may occur"),
    Weakened("sig_mended", "<-> exists u v,", "-> exists u v,", "edges may be missing"),
    Weakened("sig_printed_graph", "dead_free l -> ", "", "a claim about deadlocks fails"),
    Weakened("is_seal_as_printed", "balanced q -> ", "", "a claim about unbalanced seals fails"),
    Weakened("is_seal_with_line_1_mended", "dead_free (p ++ q) -> ", "", "a claim about deadlocks fails"),
    Weakened("is_seal_on_the_printed_graph", "nofself (p ++ q) -> ", "", "a claim about self-channels fails"),
    Weakened("is_seal_repaired", "(b = true <->", "(b = true ->", "it may always say no"),
    Weakened(
        "closed_channels_mended",
        "i <> j /\\ closes RelNS P i j",
        "i <> j /\\ (closes RelNS P i j \\/ In (i, j) (snd C))",
        "it may add channels",
    ),
    Weakened(
        "closed_channels_printed_graph", "balanced l -> ", "", "a claim about unbalanced programs fails"
    ),
    Weakened("signature_compose_as_printed", "is_signature n q Q -> ", "", "it may be given something else"),
    Weakened(
        "signature_compose_repaired",
        "is_signature n p P -> ",
        "is_signature n p P -> dead_free (p ++ q) -> ",
        "nothing about deadlocks",
    ),
    Weakened(
        "seal_as_printed", "(exists S s, proper_seal n P p S s) -> ", "", "a claim about all programs fails"
    ),
    Weakened(
        "seal_printed_graph",
        "(exists S s, proper_seal n P p S s) -> ",
        "",
        "a claim about all programs fails",
    ),
    Weakened(
        "refinement_preorder_infinite",
        " /\\\n  (forall P Q R, irefines u G P Q -> irefines u G Q R -> irefines u G P R)",
        "",
        "not transitive",
    ),
    Weakened(
        "constructs_monotone_infinite", " /\\ irefines u G (Star P) (Star Q)", "", "nothing about repetition"
    ),
    Weakened("tcc_basic_infinite", " /\\ (forall P, iTCC u G (Lay P Chop))", "", "nothing about P;cut"),
    Weakened("tcc_closed_infinite", " /\\ iTCC u G (Star P)", "", "nothing about repetition"),
    Weakened("barrier_is_tcc_infinite", "-> iTCC u G B", "-> iTCC u G (Lay B Chop)", "a silent cut helps"),
    Weakened(
        "seal_algebra_1_infinite",
        "iSeals u G S (Choice P P')",
        "iSeals u G S (Choice P P)",
        "one alternative twice",
    ),
    Weakened(
        "seal_algebra_3_infinite",
        "iSeals u G (Lay S Q) P",
        "iSeals u G (Lay S (Lay Chop Q)) P",
        "with a silent cut between",
    ),
    Weakened(
        "seal_algebra_4_infinite",
        "iSeals u G S' (Lay P S)",
        "iSeals u G S' (Lay P (Lay Chop S))",
        "with a silent cut between",
    ),
    Weakened(
        "seal_algebra_5_infinite",
        " /\\ (same_processes u G P -> iSeals u G P (Star P))",
        "",
        "nothing about P*",
    ),
    Weakened(
        "seal_algebra_6_infinite", " /\\ (iTCC u G P <-> iSeals u G Eps P)", "", "eps may not be enough"
    ),
    Weakened(
        "straight_line_same_processes",
        "same_processes u G P",
        "same_processes u (fun r => G r /\\ False) P",
        "in no run",
    ),
    Weakened(
        "straight_line_repetition",
        "(fin c) (Lay (Star P) (Lay Chop P)) d",
        "(fin c) (Lay (Star P) P) d",
        "without the silent cut",
    ),
    Weakened(
        "layers_are_ccl_infinite",
        "iCCL u G (in_sequence before) l (in_sequence after)",
        "irefines u G (Lay Chop (in_sequence before)) (in_sequence before)",
        "nothing about the layer",
    ),
    Weakened("tcc_impossibility_infinite", "~ iTCC u RelNS P", "~ iTCC u Rel P", "in a larger set of runs"),
    Weakened(
        "seal_algebra_5_as_printed_fails",
        "never_deadlocks (Lay (Star P) P) -> ",
        "",
        "a stronger claim fails",
    ),
    Weakened(
        "tcc_impossibility_as_printed_infinite_fails", " /\\ all_empty r c", "", "a stronger claim fails"
    ),
    Weakened("interleaving_of_run", "<-> forall e", "-> forall e", "acyclic runs may have none"),
    Weakened(
        "balanced_silent_rel_fifo",
        "occurs r c P d",
        "nochop P -> occurs r c P d",
        "only of programs without silent cuts",
    ),
    Weakened(
        "balanced_tcc_rel_fifo_as_formalized", "Balanced Rel P -> ", "", "a claim about all programs fails"
    ),
    Weakened("decide_cost", "2 * n ^ 3", "2 * n ^ 4", "more look-ups"),
    Weakened(
        "seal_size_as_printed_fails", "messages s < 3 * n", "messages s < 0", "a claim that always fails"
    ),
    Weakened(
        "figure_P_prime_as_printed_fails",
        "of_processes 2 S",
        "of_processes 3 S",
        "the third process may take part",
    ),
    Weakened(
        "closed_channels_as_formalized",
        "occurs r c (Lay Chop P) d",
        "occurs r c P d",
        "a stronger claim fails",
    ),
)
"""One for each theorem that a claim names."""

DEFINITIONS = (
    Weakened(
        "interleaving_exists", "Permutation L order /\\ ", "", "it may leave events out", "interleaving"
    ),
    Weakened(
        "refinement_preorder",
        "G r -> occurs r c p d",
        "G r -> ceq c d -> occurs r c p d",
        "only over empty intervals",
        "refines",
    ),
    Weakened(
        "tcc_closed",
        "refines G (Lay Chop p) (Lay p Chop)",
        "refines G (Lay Chop p) (Lay Chop p)",
        "every program is TCC",
        "TCC",
    ),
    Weakened(
        "barrier_is_tcc",
        "refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q))))",
        "TCC G b",
        "it is what is to be shown",
        "Barrier",
    ),
    Weakened("seal_algebra_4", "(Lay p (Lay Chop s))", "(Lay p s)", "every program is a seal", "Seals"),
    Weakened(
        "seal_algebra_2_properly",
        "iSeals u G s p /\\ never_diverges_after u G s p",
        "iSeals u G s p",
        "every seal is proper",
        "properly_seals",
    ),
    Weakened(
        "layers_are_ccl",
        "Seals G l' l | [] => True end",
        "Seals G l' l /\\ TCC G l | [] => TCC G l end",
        "layers must be TCC",
        "each_seals",
    ),
    Weakened("diverging_seals", "(Guard (Not g))", "(Guard (And g (Not g)))", "a loop never ends", "while"),
    Weakened(
        "tcc_impossibility",
        "passes r s c (Send i j e) d s",
        "passes r s c (Send i j e) d d",
        "a send counts as a silent cut",
        "passes",
    ),
    Weakened(
        "no_barrier_bsl",
        "forall p q, ",
        "forall p q, p = q -> ",
        "only around the same program",
        "barrier_among",
    ),
    Weakened(
        "guards_seal_X",
        "Definition S1 : prog := ",
        "Definition S1 : prog := Lay Chop ",
        "the seal begins with a silent cut",
        "S1",
    ),
    Weakened(
        "figure_3",
        "~ inside c (delta r e)",
        "inside c (delta r e)",
        "what is received keeps its channel open",
        "in_channel",
    ),
    Weakened(
        "balanced_tcc_rel_fifo",
        "Rel r /\\ in_order r",
        "Rel r /\\ in_order r /\\ noself r",
        "without self-messages",
        "RelFi",
    ),
    Weakened(
        "balanced_necessary",
        "length (filter (sndb j) (labs i l)) = ",
        "length (filter (sndb j) (labs i l)) >= ",
        "messages may be left over",
        "balanced",
    ),
    Weakened(
        "graph_cause",
        "fst x = fst y /\\ snd x < snd y",
        "fst x = fst y",
        "all events of a process cause each other",
        "step",
    ),
    Weakened(
        "fifo_causality",
        "(fst x, c (fst x) + snd x)",
        "(fst x, c (fst x))",
        "only the first events",
        "at_cut",
    ),
    Weakened(
        "closed_channels_self",
        "G r -> all_empty r c -> occurs r c p d -> empty_channel r d i j",
        "RelFi r -> all_empty r c -> occurs r c p d -> empty_channel r d i j",
        "only with FIFO channels",
        "closes",
    ),
    Weakened(
        "closed_channels_self",
        "~ path l (Ev j y) (Ld i)",
        "~ path l (Ev j y) (Ld j)",
        "no receive stays",
        "sig_rcv",
    ),
    Weakened("signature_nodes", "i < n | Ev i x =>", "False | Ev i x =>", "dummies do not count", "sig_node"),
    Weakened(
        "decide_cost_as_printed_fails",
        "(joins g a b, 1)",
        "(joins g a b, length (snd g))",
        "each look costs more",
        "look",
    ),
    Weakened(
        "decide_sealing_self",
        "val r e = val r (delta r e)",
        "val r e = val r e",
        "messages may be corrupted",
        "transmits",
    ),
    Weakened(
        "sealability",
        "In i X -> In k X -> In j Y -> ",
        "",
        "everything is joined that hears of something",
        "joined",
    ),
    Weakened(
        "seal_construction_closed",
        "converge t ++ broadcast t",
        "converge t ++ broadcast t ++ away t",
        "another procedure",
        "tree_seal",
    ),
    Weakened(
        "seal_size",
        "length (filter is_send s)",
        "length (filter is_send s) / 100",
        "messages are counted in hundreds",
        "messages",
    ),
    Weakened(
        "seal_size", "ASend _ _ => true", "ASend i j => i <? j", "only messages upwards count", "is_send"
    ),
    Weakened("worst_case_seal_sufficient", " /\\ Seals RelNS S P", "", "a seal need not seal", "proper_seal"),
    Weakened("worst_case_seal_necessary", "fst e = i /\\ lab", "lab", "a send is of every process", "is_snd"),
    Weakened("example_open_channels", "NoDup cs /\\ ", "", "a channel may count twice", "leaves_open"),
    Weakened(
        "dead_free_iff_occurs",
        "(inside c e <-> inside c (delta r e))",
        "(inside c e -> inside c (delta r e))",
        "messages may cross a silent cut",
        "silent",
    ),
    Weakened(
        "sig_mended", "sig_snd l i j x", "first_send l i j x", "sends on closed channels stay", "stands_for"
    ),
    Weakened("is_seal_repaired", "else NLd i", "else NFd i", "another line 4", "line_4"),
    Weakened(
        "program_graph_mended",
        "i < n -> successive (line l i) u v -> graph_edge n l u v |",
        "i < n -> successive (line l i) u v -> graph_edge n l u v | G_any u v : graph_edge n l u v |",
        "everything is an edge",
        "graph_edge",
    ),
    Weakened("signature_compose_repaired", " /\\ a <> b", "", "loops are edges", "is_signature"),
    Weakened(
        "seal_algebra_5_as_printed_fails",
        "may_do p k -> may_do (Star p) l -> may_do (Star p) (k ++ l)",
        "False -> may_do p k -> may_do (Star p) l -> may_do (Star p) (k ++ l)",
        "repetition may deadlock",
        "may_do",
    ),
    Weakened(
        "seal_algebra_5_infinite",
        "d i <> c i -> d' i <> c i",
        "d i = d' i",
        "only programs that end at one cut",
        "same_processes",
    ),
    Weakened(
        "refinement_preorder_infinite",
        "G r -> ioccurs u r c p d -> ioccurs u r c q d",
        "G r -> finite d -> ioccurs u r c p d -> ioccurs u r c q d",
        "only intervals that end at a finite cut",
        "irefines",
    ),
    Weakened(
        "tcc_closed_infinite",
        "irefines u G (Lay Chop p) (Lay p Chop)",
        "irefines u G (Lay Chop p) p",
        "what is TCC need not end silently",
        "iTCC",
    ),
    Weakened(
        "seal_algebra_1_infinite",
        "(Lay Chop (Lay p s)) (Lay p (Lay Chop s))",
        "(Lay Chop (Lay p s)) (Lay p s)",
        "a seal need not keep anything out",
        "iSeals",
    ),
    Weakened(
        "layers_are_ccl_infinite",
        "(Lay p (Lay Chop (Lay l (Lay Chop q))))",
        "(Lay p (Lay Chop (Lay l q)))",
        "a closed layer need not end silently",
        "iCCL",
    ),
    Weakened(
        "constructs_monotone_infinite",
        "(forall k, ioccurs (s k) p (s (S k))) -> lub s d",
        "(forall k, ioccurs (s k) p (s (S k))) -> False -> lub s d",
        "no infinite iteration",
        "ioccurs",
    ),
    Weakened(
        "interleaving_of_run",
        "p < n -> exists k, inside (s k) (p, x)",
        "p < n -> x = 0 -> exists k, inside (s k) (p, x)",
        "only first events have to happen",
        "all_happen",
    ),
)
"""For a third of them, a definition that the statement unfolds to, by its name."""
