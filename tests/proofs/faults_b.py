"""Faults in what is proved of knowledge, seals, their size, and layers in sequence."""

from tests.proofs.fault import Fault

FAULTS = (
    Fault(
        "Knowledge.v",
        "(p = snd m /\\ K (fst m) i j)",
        "(p = fst m /\\ K (snd m) i j)",
        "the sender of a message learns what its receiver knows",
    ),
    Fault(
        "Knowledge.v",
        "K (fst m) (fst m) (snd m) /\\",
        "K (snd m) (fst m) (snd m) /\\",
        "a message is allowed if its receiver knows the channel to be safe",
    ),
    Fault("Knowledge.v", "fst m <> snd m /\\", "fst m <> S (snd m) /\\", "messages to oneself are allowed"),
    Fault(
        "Knowledge.v",
        "i <> j -> K i i j.",
        "i <> j -> K j i j.",
        "it is enough that receivers know their channels to be safe",
    ),
    Fault(
        "Knowledge.v",
        "In i X -> In k X -> In j Y",
        "In i X -> In k Y -> In j Y",
        "a bridge is known on the side that it leads to",
    ),
    Fault("Knowledge.v", "In j Y -> K k i j ->", "In j Y -> K k j i ->", "a bridge is crossed backwards"),
    Fault(
        "Messages.v",
        "sealed_by n K ms /\\ length ms <= 3 * n - 5.",
        "sealed_by n K ms /\\ length ms <= 3 * n - 6.",
        "one message fewer is enough for what is known",
    ),
    Fault(
        "Messages.v",
        "sealed_by n K ms -> 3 * n - 5 <= length ms.",
        "sealed_by n K ms -> 3 * n - 4 <= length ms.",
        "one message more is needed by what is known",
    ),
    Fault(
        "Teaching.v",
        "heard p p (k, len p k) i j.",
        "heard p p (i, len p i) i j.",
        "everybody knows what the sender knows",
    ),
    Fault(
        "Teaching.v",
        "match a with ASend _ _ => true | _ => false end.",
        "match a with AInt _ => false | _ => true end.",
        "a receive counts as a message",
    ),
    Fault(
        "Sealability.v",
        "dead_free (p ++ s) /\\ Seals RelNS S P.",
        "dead_free (p ++ s) /\\ Seals RelNS P S.",
        "the program seals its seal",
    ),
    Fault(
        "Sealability.v",
        "1 <= n -> ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).",
        "((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).",
        "no processes at all are joined, too",
    ),
    Fault(
        "WorstCase.v",
        "proper_seal n P p S s /\\ messages s <= 3 * n - 5.",
        "proper_seal n P p S s /\\ messages s <= 3 * n - 6.",
        "one message fewer is enough for programs",
        """
        destruct (worst_case_seal_necessary 3) as (P & p & A & Bp & Np & Wp & Dp & Ex & Least); [lia|].
        destruct (H 3 P p) as (S & s & Pr & L); auto. specialize (Least S s Pr). lia.
        """,
    ),
    Fault(
        "WorstCase.v",
        "proper_seal n P p S s -> 3 * n - 5 <= messages s.",
        "proper_seal n P p S s -> 3 * n - 4 <= messages s.",
        "one message more is needed by a program, as the journal says",
        """
        exact (worst_case_seal_as_printed_fails 2 (le_n 2) (H 2 (le_n 2))).
        """,
    ),
    Fault(
        "SealabilityPlain.v",
        "| Guard _ | Chop => False",
        "| Chop => False",
        "seals may have guards",
    ),
    Fault(
        "SealabilityPlain.v",
        "all_empty r c /\\ occurs r c (Lay P S) d.",
        "all_empty r c /\\ occurs r c P d.",
        "it is enough that P completes",
    ),
    Fault(
        "GuardedSeal.v",
        "(And (Equal 1 (back 2) 0 (back 3)) (Equal 1 (back 1) 0 (back 1))).",
        "(And (Equal 1 (back 2) 1 (back 2)) (Equal 1 (back 1) 0 (back 1))).",
        "the seal of X does not look at what the second process received first",
    ),
    Fault(
        "Phases.v",
        "refines G (Lay Chop (Lay (sequence Ps) Chop)) (apart Ps).",
        "refines G (Lay Chop (sequence Ps)) (apart Ps).",
        "layers stay apart whatever follows if each reaches the next send",
    ),
    Fault(
        "Phases.v",
        "| P :: rest => Lay P (Lay Chop (apart rest)) end.",
        "| P :: rest => Lay P (apart rest) end.",
        "layers stay apart without silent cuts between them",
    ),
    Fault(
        "Phases.v",
        "(i, len (concat before ++ x) i + z).",
        "(i, len (concat before ++ x) i + S z).",
        "it is enough to reach what comes after the next send",
    ),
    Fault(
        "PhasesRepeated.v",
        "(forall k, stay_apart RelNS (rounds k Ps)) <-> reaches_next (ls ++ ls).",
        "(forall k, stay_apart RelNS (rounds k Ps)) <-> reaches_next ls.",
        "one round tells",
    ),
    Fault(
        "SealConstruction.v",
        "(if closed (root u) (root t) then [] else [(root t, root u)])",
        "(if closed (root t) (root u) then [] else [(root t, root u)])",
        "the first part transmits where the way up is closed already, not where it is open",
    ),
    Fault(
        "SealConstruction.v",
        "Child t u => (root t, root u) :: broadcast t ++ broadcast u",
        "Child t u => broadcast t ++ broadcast u ++ [(root t, root u)]",
        "children pass on what they have not heard yet",
    ),
    Fault(
        "SignaturesCompose.v",
        "(path l u (place_second v) <-> exists m, path p u (Ld m) /\\ path q (Fd m) v).",
        "(path l u (place_second v) <-> forall m, path p u (Ld m) /\\ path q (Fd m) v).",
        "a path goes by the end of every process",
    ),
    Fault(
        "SignatureLists.v",
        "| NRcv j i => exists y, sig_rcv l j i y",
        "| NRcv j i => exists y, last_receive l j i y",
        "a signature keeps receives of closed channels",
    ),
    Fault(
        "SignatureCompose.v",
        "Signature_Compose_with n P Q (fun j i => i).",
        "Signature_Compose_with n P Q (fun j i => j).",
        "line 5 asks about the end of the receiver, mended",
    ),
    Fault(
        "SignatureCompose.v",
        "negb (has placed_dec (NSnd i j, OfP) without_dummies)",
        "negb (has placed_dec (NRcv j i, OfP) without_dummies)",
        "a send of Q stays, though P has one before",
    ),
    Fault(
        "SignatureCompose.v",
        "Theorem signature_compose_repaired : forall n p q P Q, balanced p ->",
        "Theorem signature_compose_repaired : forall n p q P Q,",
        "P need not be balanced for signatures to be composed",
        "exact (signature_compose_needs_balance H).",
    ),
    Fault(
        "IsSeal.v",
        "from_line_3 n V_P V_Q None E_Q (fun send e => send).",
        "from_line_3 n V_P V_Q (Some E_Q) E_Q (fun send e => send).",
        "a name to which nothing was assigned can be read",
    ),
    Fault(
        "IsSeal.v",
        "from_line_3 n V_P V_Q (Some E_P) E_Q (fun send e => e).",
        "from_line_3 n V_P V_Q (Some E_P) E_Q (fun send e => send).",
        "line 7 asks about the send, mended",
    ),
    Fault(
        "IsSeal.v",
        "if has name_dec (NSnd i j) V_Q then NSnd i j else NLd i.",
        "if has name_dec (NSnd i j) V_Q then NSnd i j else NLd j.",
        "where Q does not send, the end of the receiver counts",
    ),
    Fault(
        "IsSeal.v",
        "balanced p -> balanced q -> within n p -> within n q -> nofself (p ++ q)",
        "balanced p -> within n p -> within n q -> nofself (p ++ q)",
        "Q need not be balanced for Is-Seal to be right",
        "exact (HypothesesIsSeal.is_seal_needs_a_balanced_seal H).",
    ),
    Fault(
        "Barriers.v",
        "between c first e \\/ between (last l first) d e -> ~ comm r e",
        "between c first e -> ~ comm r e",
        "a barrier may send after its last silent cut",
    ),
    Fault(
        "BarriersDecided.v",
        "forall n B, 2 <= n -> (VBarrier (runs_of n) B <->",
        "forall n B, (VBarrier (runs_of n) B <->",
        "a single process has barriers only that have a silent cut",
        """
        exact (barriers_decided_needs_two_processes (H 1 VEps)).
        """,
    ),
    Fault(
        "Variables.v",
        "RelNS r /\\ among n r",
        "Rel r /\\ among n r",
        "nobody but a process itself can come between what it sends and what it receives of that",
    ),
    Fault(
        "Variables.v",
        "match p with VSend _ _ _ | VRecv _ _ _ => True",
        "match p with VSend _ _ _ => True",
        "a barrier may receive before its first silent cut, and after its last one",
    ),
    Fault(
        "Unbalanced.v",
        "acts P = Some p -> nofself p -> dead_free p ->",
        "acts P = Some p -> nofself p ->",
        "what deadlocks occurs",
    ),
    Fault(
        "Unbalanced.v",
        "  length (filter (rcvb i) (labs j l)) <= length (filter (sndb j) (labs i l)).",
        "  length (filter (sndb j) (labs i l)) <= length (filter (rcvb i) (labs j l)).",
        "a run may receive more than is sent",
    ),
    Fault(
        "Bsl.v",
        "within n b -> nofself b ->\n  (forall i, ~ In (Rcv i) (labs i b)) -> ~ barrier",
        "within n b -> nofself b ->\n  ~ barrier",
        "a program that waits for itself is no barrier",
        """
        exact (Hypotheses.no_barrier_bsl_needs_no_self_receives H).
        """,
    ),
    Fault(
        "Bsl.v",
        "acts B = Some b -> within n b -> nofself b ->",
        "acts B = Some b -> nofself b ->",
        "a deadlock among other processes is no barrier",
        """
        exact (Hypotheses.no_barrier_bsl_needs_its_processes H).
        """,
    ),
    Fault(
        "Unbalanced.v",
        "acts P = Some p -> nofself p ->\n  (dead_free p <->",
        "acts P = Some p ->\n  (dead_free p <->",
        "what sends to itself occurs in runs without such messages",
        """
        destruct (proj1 (H (mt 0 0 zero) (NoBarrier.message 0 0) eq_refl) Hypotheses.self_dead_free)
          as (r & c & d & R & _ & O).
        exact (Hypotheses.self_never 0 r c d R O).
        """,
    ),
    Fault(
        "Teaching.v",
        "ASend i j | ARecv j i => i < n /\\ j < n | AInt _ => True",
        "ASend i j | ARecv j i => i < n | AInt _ => True",
        "n processes may send to others",
    ),
    Fault(
        "SpanningTree.v",
        "(closed i j = true <-> closes RelNS P i j)) ->\n  (forall i j",
        "(closes RelNS P i j -> closed i j = true)) ->\n  (forall i j",
        "Seal(P) may take an open channel for a closed one",
    ),
    Fault(
        "ExamplePhase.v",
        "acts P = Some (L n) -> leaves_open P ((n - 1) ^ 2).",
        "acts P = Some (L n) -> leaves_open P (n ^ 2 + 3 - 3 * n).",
        "L leaves as many channels open as the paper says",
        """
        apply (example_open_channels_as_printed_fails 3 (program_of (L 3))); auto using program_of_acts.
        """,
    ),
    Fault(
        "ExamplePhase.v",
        "(n : nat) : list message := map (pair 0) (others n).",
        "(n : nat) : list message := map (fun i => (i, 0)) (others n).",
        "in S the others transmit to process 0",
    ),
    Fault(
        "InfiniteCuts.v",
        "(forall k, ioccurs (s k) p (s (S k))) -> lub s d ->",
        "(forall k, ioccurs (s k) p (s (S k))) -> iceq d d ->",
        "infinitely many iterations may end anywhere",
    ),
    Fault(
        "InfiniteCuts.v",
        "  | None => acts_on u /\\ iceq d c",
        "  | None => acts_on u /\\ iceq c c",
        "what a process does that has gone on for ever may move others",
    ),
    Fault(
        "Diverging.v",
        "(Star (Lay (Guard g) p)) (Guard (Not g)).",
        "(Star (Lay (Guard g) p)) (Guard g).",
        "a loop ends where its condition holds",
    ),
    Fault(
        "Diverging.v",
        "Theorem while_exchange : forall i j e f, i <> j ->",
        "Theorem while_exchange : forall i j e f,",
        "a process can transmit a sequence to itself",
        "apply while_exchange_needs_two_processes. intros i j e f. apply H.",
    ),
    Fault(
        "Diverging.v",
        "(properly_seals u G (Choice S S') P <-> properly_seals u G S P /\\ properly_seals u G S' P).",
        "(properly_seals u G (Choice S S') P <-> properly_seals u G S P \\/ properly_seals u G S' P).",
        "it is enough if one of two seals never diverges",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "ioccurs u r c p d' -> d i <> c i -> d' i <> c i.",
        "ioccurs u r c p d' -> d i <> c i -> d i <> c i.",
        "other processes may take part in an occurrence from the same cut",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "(same_processes u G P -> iSeals u G P (Star P)).",
        "iSeals u G P (Star P).",
        "what seals itself seals its repetition over infinite intervals, too",
        "pose (u := {| worth := fun _ e => e []; acts_on := True |}). apply"
        " (Sealcheck.InfiniteRefutations.seal_algebra_5_as_printed_fails u RelNS);"
        " [intros i v; reflexivity|auto|]. intros P _ S. apply H, S.",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "(forall k, ioccurs u r (s k) p (s (S k))) /\\ lub s d).",
        "(forall k, ioccurs u r (s k) p (s (S k))) /\\ iceq (s 0) d).",
        "infinitely many iterations get nowhere",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "(Lay p (Lay Chop (Lay b (Lay Chop q)))).",
        "(Lay p (Lay Chop (Lay b q))).",
        "a barrier need not keep apart what follows it",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "iSeals u G S P -> iSeals u G (Lay S Q) P.",
        "iSeals u G S P -> iSeals u G (Lay Q S) P.",
        "a seal may come later",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "iSeals u G S' S -> iSeals u G S' (Lay P S).",
        "iSeals u G S' (Lay P S).",
        "a seal of P need not be sealed itself",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "(iTCC u G P <-> iSeals u G Eps P).",
        "(iTCC u G P <-> iSeals u G Chop P).",
        "what a silent cut seals is TCC",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "l' :: _ => iSeals u G l' l | [] => True",
        "l' :: _ => iSeals u G l l' | [] => True",
        "each layer is to seal the next one",
    ),
    Fault(
        "InfiniteSealAlgebra.v",
        "passes r c c P d t /\\ between t d e /\\ comm r e)",
        "passes r c c P d t /\\ between c d e /\\ comm r e)",
        "all that is communicated counts, over infinite intervals, too",
    ),
    Fault(
        "InfiniteRefutations.v",
        "forall i v, worth u i (const v) = v.",
        "forall i v, worth u i (const v) = worth u i (const v).",
        "constants may be worth anything, too",
    ),
    Fault(
        "InfiniteRefutations.v",
        "(Lay (Assign 1 (const k)) (Guard (Equal 1 x 1 (const k))))).\n",
        "(Assign 1 (const k))).\n",
        "no guard tells that process 1 has gone on for ever",
    ),
    Fault(
        "InfiniteRefutations.v",
        "Let k : value := (w + 1)%Z.",
        "Let k : value := w.",
        "process 1 assigns what its variable is worth at infinity",
    ),
    Fault(
        "InfiniteRefutations.v",
        "| Send i j _ | Recv j i => i = 2 /\\ j = 1",
        "| Send i j _ | Recv j i => True",
        "programs whose messages go both ways never deadlock",
    ),
    Fault(
        "SealsBySignatures.v",
        "if has gq (NSnd i j) then NSnd i j else NLd i.",
        "if has gq (NSnd i j) then NSnd i j else NSnd i j.",
        "line 7 looks for the send, as printed",
    ),
    Fault(
        "SealsBySignatures.v",
        "if k =? i then (false, 0)",
        "if k =? j then (false, 0)",
        "line 6 leaves out the receiver",
    ),
    Fault(
        "SignatureCosts.v",
        "map (fun a => (3 * m - 1, a)) (seq 0 m).",
        "map (fun a => (0, a)) (seq 1 m).",
        "Is-Seal finds at once what it looks for",
    ),
    Fault(
        "SignatureCosts.v",
        "snd (is_seal n gp gq) <= K * n ^ 2.",
        "snd (is_seal n gp gq) <= K * n ^ 3.",
        "not even a multiple of n^3 is enough for deciding",
    ),
    Fault(
        "LargeSignatures.v",
        "exists es, length es <= K * n ^ 2 /\\",
        "exists es, length es <= K * n ^ 3 /\\",
        "not even a multiple of n^3 is enough for the edges that deciding looks at",
        """
        apply H. exists 3, 0. intros n l _ W _ _ _. now apply signature_edges_for_deciding.
        """,
    ),
    Fault(
        "LargeSignatures.v",
        "list_prod (third 1) (third 2).",
        "list_prod (third 1) (third 0).",
        "the relays answer instead of passing on",
    ),
    Fault(
        "ClosedWhenSent.v",
        "then p = j else told K m p i j.",
        "then told K m p i j else told K m p i j.",
        "a message does not open its channel again",
    ),
    Fault(
        "ClosedWhenSent.v",
        "closes RelNS (Lay P (transmitting before)) i j.\nProof.\n  intros n P",
        "closes RelNS P i j.\nProof.\n  intros n P",
        "P itself closes all channels that Seal(P) uses",
    ),
    Fault(
        "ClosedWhenSent.v",
        "acts P = Some p -> balanced p ->\n  (forall i j, i < n",
        "acts P = Some p ->\n  (forall i j, i < n",
        "P may leave messages over",
    ),
)
