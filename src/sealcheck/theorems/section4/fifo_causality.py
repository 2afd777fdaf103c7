"""Section 4: in FIFO runs Lamport's relation on the events of P is (N_E)+.

Reading      in every run of RelFi with r[c,d] an occurrence of (silent cut) P, where the k'th
             receive on a channel takes the k'th message sent on it.  That these are P's own
             messages is `balanced_tcc_rel_fifo`.  Who takes whose message is asked; Lamport's relation
             follows from that, by its definition.
Refutation   a BSL and a FIFO run in which something else is causal.
Not claimed  nothing is said of pairs with events before or after P.
"""

from functools import partial

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.explorers.matching_functions import happens_before
from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.questions.causality import MATCHING_FUNCTIONS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import failing, programs
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Outcome, Statement, holds_if

FIFO = Semantics(model=ChannelModel.REL_FIFO)


def closure_is_causality(instance: Instance, ask: Ask, semantics: Semantics) -> Outcome:
    """That Lamport's relation is (N_E)+ under each matching function that P has, and that it has one."""
    found = ask(MATCHING_FUNCTIONS, instance, semantics)
    relations = {happens_before(instance.p, matching) for matching in found}
    return holds_if(relations == {causal_pairs(instance.p)})


STATEMENT = Statement(
    id="fifo-causality",
    label="section 4, reason given for the remark after GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "in every run of RelFi after a silent cut, the causal pairs of events of a BSL are the"
            " transitive closure of its normal edges",
            check=partial(closure_is_causality, semantics=FIFO),
            hypotheses=(
                Hypothesis(
                    "FIFO channels", failing(programs, partial(closure_is_causality, semantics=PAPER))
                ),
                Hypothesis(
                    "deadlock-free",
                    remark="a program that deadlocks has no run, so all of its runs are as claimed",
                ),
            ),
            theorems=(
                Theorem(
                    "FifoModels.v", "fifo_causality", "every balanced straight-line program; finite intervals"
                ),
            ),
        ),
    ),
    domain=Programs(),
    questions=(MATCHING_FUNCTIONS,),
)
