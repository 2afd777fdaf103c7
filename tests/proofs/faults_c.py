"""Faults in the verified checker: each of these functions or theorems would say something else than it should."""

from tests.proofs.fault import Fault

FAULTS = (
    Fault(
        "CausalPast.v",
        "if snd (snd m) <? at_ v (fst (snd m)) then raise v (fst (fst m)) (S (snd (fst m))) else v.",
        "if snd (snd m) <? at_ v (fst (snd m)) then raise v (fst (fst m)) (snd (fst m)) else v.",
        "the past of a receive lacks its send",
    ),
    Fault(
        "CausalPast.v",
        "(snd (fst m) <? at_ v (fst (fst m))).",
        "(snd (fst m) <=? at_ v (fst (fst m))).",
        "following messages back stops too early",
    ),
    Fault(
        "CausalPast.v",
        "close (S (events_in n l)) (messages",
        "close 1 (messages",
        "only one round of messages is followed back",
    ),
    Fault(
        "Decider.v",
        "    forallb (fun m => negb (snd (snd m) <? at_",
        "    forallb (fun m => (snd (snd m) <? at_",
        "deadlocks are taken for their opposite",
    ),
    Fault(
        "Decider.v",
        "len p i + nthpos (sndb j) (labs i q) 0.",
        "len p i + nthpos (sndb j) (labs i q) 1.",
        "the second send of Q counts as the next",
    ),
    Fault(
        "Decider.v",
        "let v := causal_past n (p ++ q) (i, next_send p q i j)",
        "let v := causal_past n (p ++ q) (j, next_send p q i j)",
        "it is asked what the receiver has heard, not the sender",
    ),
)
