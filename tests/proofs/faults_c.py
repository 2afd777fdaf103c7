"""Faults in the verified checker: each of these functions would say something else than it should."""

from tests.proofs.fault import Fault

FAULTS = (
    Fault(
        "CausalPast.v",
        "then raise v (fst (fst m)) (S (snd (fst m))) else v.",
        "then raise v (fst (fst m)) (snd (fst m)) else v.",
        "the past of a receive lacks its send",
    ),
    Fault(
        "CausalPast.v",
        "|| (snd (fst m) <? at_ v (fst (fst m))).",
        "|| (snd (fst m) <=? at_ v (fst (fst m))).",
        "a cut counts as closed that lacks a send",
    ),
    Fault(
        "CausalPast.v",
        "  close (S (events_in n l)) (links n l) (start n e).",
        "  close 1 (links n l) (start n e).",
        "messages are followed back once only",
    ),
    Fault(
        "Decider.v",
        "  forallb (fun m => negb (snd (snd m) <? at_",
        "  forallb (fun m => negb (snd (snd m) <=? at_",
        "a receive right after what is before the send counts as a deadlock",
    ),
    Fault(
        "Decider.v",
        "nthpos (sndb j) (labs i q) 0.",
        "nthpos (sndb j) (labs i q) 1.",
        "the second send of Q counts as the next",
    ),
    Fault(
        "Decider.v",
        "is_below n (p ++ q) && is_balanced n p && is_balanced n q &&",
        "is_below n (p ++ q) && is_balanced n p &&",
        "Q need not be balanced",
    ),
    Fault(
        "Decider.v",
        "forallb (fun y => y <? at_ v j) ys",
        "existsb (fun y => y <? at_ v j) ys",
        "one receive that reaches the next send is enough",
    ),
    Fault(
        "KnowledgeDecider.v",
        "negb (i =? fst a) && mem (i, snd a) K && may_send K i (fst a)",
        "negb (i =? fst a) && mem (i, snd a) K",
        "whoever knows something may send it",
    ),
    Fault(
        "KnowledgeDecider.v",
        "  negb (reaches_end es p i j i).",
        "  negb (reaches_end es p i j j).",
        "a channel is open if its receiver does not know that it has received",
    ),
    Fault(
        "KnowledgeDecider.v",
        "for_channels n (fun i j => existsb (fun k => mem (i, k) K && reach i j k) (seq 0 n)).",
        "for_channels n (fun i j => existsb (fun k => mem (j, k) K && reach i j k) (seq 0 n)).",
        "it is enough that receivers know",
    ),
    Fault(
        "Certificates.v",
        "&& (snd z <=? next_send p q i j)",
        "&& (snd z <=? S (next_send p q i j))",
        "a chain may lead past the next send",
    ),
    Fault(
        "Certificates.v",
        "existsb (Nat.eqb y) ys && forallb (fun k => k <=? y) ys.",
        "existsb (Nat.eqb y) ys.",
        "a chain may begin at any receive",
    ),
    Fault(
        "Certificates.v",
        "(length m =? length (filter (is_receive l) (all_events n l))) && all_different (map snd m).",
        "(length m =? length (filter (is_receive l) (all_events n l))).",
        "two receives may take the same message",
    ),
    Fault(
        "Certificates.v",
        "&& (rank (taken m e) order <? rank e order)",
        "&& true",
        "a message may be taken before it is sent",
    ),
    Fault(
        "Certificates.v",
        "  is_receive p e && negb (snd (taken m e) <? len p (fst (taken m e))).",
        "  is_receive p e.",
        "a run in which P keeps to itself shows that Q does not seal it",
    ),
    Fault(
        "Certificates.v",
        "  existsb (fun c => negb (may_know K (fst c) c)) open.",
        "  true.",
        "knowledge that makes every channel safe shows that nothing seals",
    ),
    Fault(
        "LowerBound.v",
        "  (m <=? sent + still_needed S) ||",
        "  (m <=? Datatypes.S (sent + still_needed S)) ||",
        "a seal may be shorter by one message",
    ),
    Fault(
        "LowerBound.v",
        "(fst e <? m) && (length (snd e) =? n) && existsb (lacks (snd e)) (seq 0 n) &&",
        "(fst e <? m) && (length (snd e) =? n) &&",
        "a listed state may seal",
    ),
    Fault(
        "PhasesDecider.v",
        "(if repeated then ls ++ ls else ls).",
        "ls.",
        "one round tells what becomes of more",
    ),
    Fault(
        "Checker.v",
        "  is_composable n p q && check_chains n p q chains.",
        "  check_chains n p q chains.",
        "chains of programs that deadlock or are not balanced count",
    ),
    Fault(
        "Checker.v",
        "(length (filter is_sending s) =? m) &&",
        "(length s =? m) &&",
        "events are counted for messages",
    ),
    Fault(
        "OccurrenceDecider.v",
        "forallb (fun e => Bool.eqb (is_inside v e) (is_inside v (delta r e))) rs.",
        "forallb (fun e => implb (is_inside v e) (is_inside v (delta r e))) rs.",
        "messages may pass a silent cut forwards",
    ),
    Fault(
        "OccurrenceDecider.v",
        "  | Star p => rounds (endings p) (list_sum w) [v]",
        "  | Star p => rounds (endings p) 2 [v]",
        "no program is repeated more than twice",
    ),
    Fault(
        "OccurrenceDecider.v",
        "advance i (sndb j (lab r i (at_ v i)) && is_value i e v) v",
        "advance i (sndb j (lab r i (at_ v i))) v",
        "a send may send anything",
    ),
    Fault(
        "OccurrenceDecider.v",
        "nodup cut_dec (endings p v ++ endings q v)",
        "endings p v",
        "a choice is what is on its left",
    ),
    Fault(
        "Recorded.v",
        "check_run (length h) (recorded_acts h) order m && values_agree h m.",
        "check_run (length h) (recorded_acts h) order m.",
        "a receive may get what was not sent",
    ),
    Fault(
        "Recorded.v",
        "existsb (fun x => is_inside c x && event_eqb (taken m x) e)",
        "existsb (fun x => event_eqb (taken m x) e)",
        "a channel is empty if its messages are received at some time",
    ),
)
