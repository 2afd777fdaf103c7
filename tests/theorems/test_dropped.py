"""The smallest instances that break a statement once one of its hypotheses is dropped, on record."""

import pytest
from tests.theorems.rows import without

from sealcheck.theorems.registry import STATEMENTS

BREAKING = {
    ("interleaving-exists", 3, 3): {
        "totality": "mt 1->2",
        "injectivity": "mt 1->2; mt 1->2",
        "messages stay on their channels": "snd 1->2; mt 2->1; rcv 2<-1",
        "acyclicity": "rcv 1<-2; mt 1->2; snd 2->1",
    },
    ("refinement-preorder", 1, 2): {
        "P refines Q": "P = 1.x := 1   Q = eps   R = cut",
        "Q refines R": "P = eps   Q = cut   R = 1.x := 1",
    },
    ("constructs-monotone", 1, 1): {"P refines Q": "P = eps   Q = 1.x := 1   R = eps"},
    ("definitions-agree-seals", 3, 2): {
        "runs of Rel": "P = mt 1->2   Q = eps",
        "the formal reading of the silent cut": "none",
        "no self-channels": "none",
    },
    ("tcc-basic", 2, 1): {"of these forms": "snd 1->2"},
    ("tcc-closed", 2, 1): {"P is TCC": "P = snd 1->2   Q = eps", "Q is TCC": "P = eps   Q = snd 1->2"},
    ("barrier-is-tcc", 2, 1): {
        "P keeps eps and eps apart": "snd 1->2",
        "P = Q = eps is among the programs that a barrier keeps apart": "none",
    },
    ("seal-algebra-1", 2, 2): {
        "R seals P": "P = 1.x := 1; snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    },
    ("seal-algebra-2", 2, 2): {
        "Q seals P": "P = rcv 2<-1   Q = eps   R = rcv 1<-2 (x)",
        "R seals P": "P = snd 1->2   Q = cut   R = eps",
    },
    ("seal-algebra-3", 2, 2): {"Q seals P": "P = mt 1->2   Q = eps   R = eps"},
    ("seal-algebra-3-whole-language", 2, 1): {"Q seals P": "P = snd 1->2   Q = eps   R = eps"},
    ("seal-algebra-4", 2, 2): {
        "Q seals P": "P = mt 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = mt 1->2   R = eps",
    },
    ("seal-algebra-4-whole-language", 2, 1): {
        "Q seals P": "P = snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    },
    ("seal-algebra-5", 2, 1): {"P seals itself": "snd 1->2"},
    ("seal-algebra-6", 2, 2): {"all programs seal P, not only some": "P = mt 2->1   Q = mt 1->2"},
    ("seal-algebra-6-whole-language", 2, 1): {"all programs seal P, not only some": "P = snd 1->2   Q = cut"},
    ("layers-are-ccl", 2, 2): {
        "the second layer seals the first": "P = mt 1->2   Q = mt 1->2",
        "the third layer, if there is one, seals the second": "P = eps   Q = mt 1->2   R = mt 1->2",
        "what is before the layers is silent": "P = eps   Q = mt 1->2",
        "what is after the layers is silent": "P = eps   Q = mt 1->2",
    },
    ("layers-are-ccl-whole-language", 2, 2): {
        "Q seals P": "P = snd 1->2   Q = eps   R = rcv 2<-1",
        "R seals Q": "P = eps   Q = snd 1->2   R = rcv 2<-1",
    },
    ("mt-seals-ack", 3, 2): {
        "the second message goes back": "P = mt 1->2   Q = mt 1->2",
        "no self-channels": "none",
        "the formal reading of the silent cut": "none",
    },
    ("mt-ack-self-seals", 3, 2): {
        "the message is answered": "mt 1->2",
        "no self-channels": "none",
        "the formal reading of the silent cut": "none",
    },
    ("mt-not-self-sealing", 3, 1): {
        "runs of Rel": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut": "none",
    },
    ("diverging-seals", 2, 1): {"the closing guard of the loop": "P = snd 1->2   Q = (1.x := 5; 2.x := 17)*"},
    ("mt-tcc-rel-fifo", 3, 1): {
        "FIFO channels skip no message": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut": "none",
    },
    ("tcc-impossibility", 3, 2): {
        "some communication": "eps",
        "balanced": "none",
        "deadlock-free": "rcv 1<-2; mt 1->2; snd 2->1",
        "no self-channels": "mt 1->1",
    },
    ("tcc-impossibility-whole-language", 2, 1): {
        "runs of Rel": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut": "none",
    },
    ("no-barrier", 2, 2): {
        "two processes or more": "eps",
        "deadlock-free": "none",
        "balanced": "none",
        "runs of Rel": "none",
        "the formal reading of the silent cut": "none",
    },
    ("no-barrier-whole-language", 2, 1): {
        "the program occurs": "none",
        "the formal reading of the silent cut": "none",
    },
    ("non-sealed", 3, 3): {
        "there are two processes only": "snd 1->2; mt 2->1; rcv 2<-1",
        "seals have no silent cut": "P = snd 1->2; mt 2->1; rcv 2<-1   Q = cut",
    },
    ("non-sealed-third-process", 3, 3): {"there is a third process": "snd 1->2; mt 2->1; rcv 2<-1"},
    ("balanced-tcc-rel-fifo", 3, 3): {
        "FIFO channels": "mt 1->2",
        "FIFO channels skip no message": "mt 1->2",
        "balanced": "rcv 2<-1",
        "no self-channels": "none",
    },
    ("balanced-necessary", 3, 1): {
        "P unbalanced": "P = eps   Q = eps",
        "the seal has no silent cut": "P = snd 2->1   Q = cut",
        "the composition with the seal can complete": "P = rcv 2<-1   Q = rcv 1<-2",
    },
    ("graph-cause-largest", 3, 3): {
        "balanced": "snd 1->2; rcv 1<-2; rcv 2<-1",
        "deadlock-free": "snd 1->2; rcv 1<-2; mt 1->2; rcv 2<-1; snd 2->1",
    },
    ("fifo-causality", 3, 3): {"FIFO channels": "mt 1->2; mt 1->2"},
    ("closed-channels", 3, 3): {
        "balanced": "snd 2->1",
        "deadlock-free": "rcv 1<-2; snd 1->2; mt 1->2; snd 2->1; rcv 2<-1",
        "no self-channels": "none",
        "totality": "mt 1->2; mt 2->1",
        "injectivity": "snd 1->2; mt 2->1; mt 1->2; rcv 2<-1",
        "acyclicity": "mt 1->2; mt 2->1",
        "leading cut": "mt 1->2; mt 2->1",
    },
    ("decide-sealing", 3, 3): {
        "P balanced": "P = snd 2->1   Q = eps",
        "Q balanced": "P = mt 2->1   Q = rcv 2<-1",
        "totality": "P = mt 1->2   Q = mt 2->1",
        "injectivity": "P = mt 1->2   Q = mt 2->1; mt 1->2",
        "acyclicity": "P = mt 1->2   Q = mt 2->1",
        "leading cut": "P = mt 1->2   Q = mt 2->1",
    },
    ("sealability", 3, 3): {"balanced": "snd 2->1", "deadlock-free": "none", "no self-channels": "none"},
    ("seal-size", 2, 2): {"a BSL seals P": "snd 1->2; mt 2->1; rcv 2<-1"},
    ("while-exchange", 2, 2): {
        "every message is answered": "mt 1->2",
        "the formal reading of the silent cut": "none",
    },
}
"""For a statement, up to so many processes and messages: the instance for each hypothesis, or "none"."""


@pytest.mark.parametrize("asked", BREAKING, ids=lambda asked: asked[0])
def test_smallest_instances_that_break_a_statement(asked: tuple[str, int, int]) -> None:
    """Dropping a hypothesis breaks the statement there, and at nothing smaller."""
    id, n, messages = asked
    assert without(STATEMENTS[id], n, messages) == BREAKING[asked]
