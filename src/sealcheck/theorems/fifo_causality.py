"""Section 4: in FIFO runs Lamport's relation on the events of P is (N_E)+.

Reading      in every run of RelFi with r[c,d] an occurrence of (silent cut) P, where the k'th
             receive on a channel takes the k'th message sent on it.  That these are P's own
             messages is `balanced_tcc_rel_fifo`.  Compared is the set of Lamport's relations of
             all FIFO runs; the explorer, which knows no relations, gives the pairs that no
             interleaving has the other way round, as one relation.
Refutation   a BSL and a FIFO run in which something else is causal.
Not claimed  nothing is said of pairs with events before or after P.
"""

from functools import partial
from sys import maxsize

from sealcheck.encodings.solving import Solver
from sealcheck.programs.global_runs import Model
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.graph_cause_largest import Edges, closure
from sealcheck.theorems.graph_cause_largest import by_exploring as ordered
from sealcheck.theorems.interleaving_exists import by_solving as solved_matchings
from sealcheck.theorems.matching_functions import happens_before, played
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement


def by_playing(instance: Instance, model: Model = Model.REL_FIFO) -> frozenset[Edges]:
    """Lamport's relation in each run of the model."""
    return frozenset(happens_before(instance.p, matching) for matching in played(instance.p, model))


def by_exploring(instance: Instance) -> frozenset[Edges]:
    """What no interleaving has the other way round: one relation for all FIFO runs."""
    return frozenset([ordered(instance)])


def by_solving(instance: Instance, solver: Solver) -> frozenset[Edges]:
    """Lamport's relation in each FIFO run for which the solver finds times."""
    solved = solved_matchings(instance, solver, Model.REL_FIFO)
    return frozenset(happens_before(instance.p, matching) for matching in solved)


def only_closure(instance: Instance) -> frozenset[Edges]:
    """(N_E)+ and nothing else."""
    return frozenset([closure(instance)])


def without_fifo(n: int, messages: int) -> Instance | None:
    """A program with a run of Rel in which more, or less, is causal."""
    programs = Programs().instances(n, messages, 0, maxsize)
    return first_difference(programs, only_closure, partial(by_playing, model=Model.REL))


STATEMENT = Statement(
    id="fifo-causality",
    label="section 4, reason given for the remark after GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "in every run of RelFi after a silent cut, the causal pairs of events of a BSL are the"
            " transitive closure of its normal edges",
            predicts=only_closure,
        ),
    ),
    hypotheses=(
        Hypothesis("FIFO channels", without_fifo),
        Hypothesis(
            "deadlock-free", remark="a program that deadlocks has no run, so all of its runs are as claimed"
        ),
    ),
    domain=Programs(),
    ways={"algorithm": by_playing, "explorer": by_exploring},
    smt=by_solving,
)
