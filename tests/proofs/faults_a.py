"""Faults in the definitions of runs and programs, and in the statements about them."""

from tests.proofs.fault import Fault

FAULTS = (
    Fault(
        "Definitions.v",
        "forall e, ~ causes r e e",
        "forall e, causes r e e -> True",
        "runs may have causal cycles",
    ),
    Fault(
        "Definitions.v",
        "delta r e = delta r e' -> e = e';",
        "delta r e = delta r e' -> e = e' \\/ True;",
        "one message may be received twice",
    ),
    Fault(
        "Definitions.v",
        "delta_snd : forall e i j, is_rcv r e i j -> is_snd r (delta r e) i j;",
        "delta_snd : forall e i j, is_rcv r e i j -> exists k, is_snd r (delta r e) i k;",
        "a message may arrive on another channel",
    ),
    Fault(
        "Definitions.v",
        "is_rcv r e i j -> val r e = val r (delta r e).",
        "is_rcv r e i j -> val r e = val r e.",
        "messages may be corrupted in transit",
    ),
    Fault(
        "Definitions.v",
        "is_rcv r e i j -> (inside c e <-> inside c (delta r e)).",
        "is_rcv r e i j -> (inside c e -> inside c (delta r e)).",
        "messages may cross a silent cut forwards",
    ),
    Fault(
        "Definitions.v",
        "Definition inside (c : cut) (e : event) := snd e < c (fst e).",
        "Definition inside (c : cut) (e : event) := snd e <= c (fst e).",
        "a cut holds one event too many",
    ),
    Fault(
        "Definitions.v",
        "lab r i (c i) = Snd j -> val r (i, c i) = e (past r i (c i)) ->",
        "lab r i (c i) = Snd j ->",
        "a send may carry another value than the program says",
    ),
    Fault(
        "Definitions.v",
        "| O_grd c d g : ceq c d -> holds r c g ->",
        "| O_grd c d g : ceq c d ->",
        "guards are not looked at",
    ),
    Fault(
        "Definitions.v",
        "refines G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).",
        "refines G (Lay Chop (Lay p s)) (Lay p (Lay s Chop)).",
        "a seal ends with a silent cut instead of starting with one",
    ),
    Fault(
        "Definitions.v",
        "refines G (Lay Chop p) (Lay p Chop).",
        "refines G (Lay Chop p) (Lay Chop p).",
        "every program is TCC",
    ),
    Fault(
        "Definitions.v",
        "length (filter (sndb j) (labs i l)) = length (filter (rcvb i) (labs j l)).",
        "length (filter (sndb j) (labs i l)) <= length (filter (rcvb i) (labs j l)).",
        "a balanced program may receive more than it sends",
    ),
    Fault(
        "Definitions.v",
        "forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= y.",
        "forall y', nth_error (labs j l) y' = Some (Rcv i) -> y <= y'.",
        "a signature has the first receive of a channel",
    ),
    Fault(
        "Definitions.v",
        "last_receive l j i y /\\ ~ path l (Ev j y) (Ld i).",
        "last_receive l j i y /\\ ~ path l (Ev j y) (Ld j).",
        "as in the appendix: a receive is removed if its own process ends after it, which is always",
    ),
    Fault(
        "Definitions.v",
        "first_send l i j x /\\ ~ path l (Fd j) (Ev i x).",
        "first_send l i j x /\\ ~ path l (Fd i) (Ev i x).",
        "a send is removed if its own process starts before it, which is always",
    ),
    Fault(
        "Definitions.v",
        "(i, nthpos (sndb (fst e)) (labs i l) (length (filter (rcvb i) (firstn (snd e) (labs (fst e) l)))))",
        "(i, nthpos (sndb (fst e)) (labs i l) (length (firstn (snd e) (labs (fst e) l))))",
        "the program graph counts all events and not those of the channel",
    ),
    Fault(
        "GraphCause.v",
        "Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->\n"
        "  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).",
        "Rel r -> acts P = Some l -> occurs r c P d ->\n"
        "  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).",
        "GraphCause without the leading silent cut",
    ),
    Fault(
        "GraphCause.v",
        "acts P = Some l -> balanced l -> dead_free l ->\n  forall x y, snd y < len l (fst y) ->",
        "acts P = Some l -> balanced l -> dead_free l ->\n  forall x y,",
        "largest-ness beyond the program's events",
    ),
    Fault(
        "DecideSealing.v",
        "exists k, path p (Ev j y) (Ld k) /\\ path q (Fd k) (Ld i) /\\\n"
        "            forall x, sig_snd q i j x -> path q (Fd k) (Ev i x).",
        "exists k, path p (Ev j y) (Ld k) /\\ path q (Fd k) (Ld i).",
        "deciding sealing without looking at what Q sends",
    ),
    Fault(
        "DecideSealing.v",
        "balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->\n"
        "  (Seals RelNS Q P <-> signatures_seal p q).",
        "balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->\n"
        "  (Seals RelNS Q P <-> signatures_seal p q).",
        "deciding sealing of an unbalanced P",
    ),
    Fault(
        "ClosedChannels.v",
        "(~ closes RelNS P i j <-> exists y, sig_rcv l j i y).",
        "(closes RelNS P i j <-> exists y, sig_rcv l j i y).",
        "what stays in the signature is closed",
    ),
    Fault(
        "FifoModels.v",
        "acts P = Some p -> balanced p -> TCC RelFi P.",
        "acts P = Some p -> balanced p -> TCC Rel P.",
        "balanced programs are TCC in Rel",
    ),
    Fault(
        "FifoModels.v",
        "RelFi r -> acts P = Some l -> balanced l ->",
        "Rel r /\\ True -> acts P = Some l -> balanced l ->",
        "in Rel, causality is that of the program graph",
    ),
    Fault(
        "TccImpossibility.v",
        "passes r c c P d t -> forall e, between t d e -> ~ comm r e.",
        "passes r c c P d t -> forall e, between c d e -> ~ comm r e.",
        "TCC programs do not communicate, even before a silent cut",
    ),
    Fault(
        "NoBarrier.v",
        "acts B = Some b -> i <> j ->\n  (exists r c d, RelNS r /\\ silent r c /\\ occurs r c B d) ->",
        "acts B = Some b -> i <> j ->\n  (exists r c d, RelNS r /\\ occurs r c B d) ->",
        "no barriers among programs that occur after any cut",
    ),
    Fault(
        "NoBarrierWholeLanguage.v",
        "forall B, nochop B ->\n",
        "forall B, True ->\n",
        "not even a silent cut is a barrier",
    ),
    Fault(
        "BalancedNecessary.v",
        "acts P = Some p -> nochop S -> Seals RelNS S P ->",
        "acts P = Some p -> Seals RelNS S P ->",
        "balance is necessary even for what a silent cut seals",
    ),
    Fault(
        "SealAlgebra.v",
        "Seals G S P -> Seals G S' S -> Seals G S' (Lay P S).",
        "Seals G S P -> Seals G S' P -> Seals G S' (Lay P S).",
        "what seals P seals P followed by its seal",
    ),
    Fault(
        "LayersAreCcl.v",
        "Seals G l' l | [] => True end /\\ each_seals G rest",
        "Seals G l l' | [] => True end /\\ each_seals G rest",
        "each layer is sealed by the one before it",
    ),
)
