"""Remark after `GraphCause`: (N_E)+ is the largest set of edges that are causal in every run.

Reading      r ranges over runs of Rel with r[c,d] an occurrence of (silent cut) P, what follows d
             is arbitrary, and sets of edges are compared on the events of P.  The reason that is
             given, a claim about each FIFO run, is `fifo_causality`.
Refutation   a pair of events joined by normal edges that some run has the other way round; or a
             pair that is not joined, where the run that first does all that the second event
             needs, every receive taking the message of its own number, is none.
Not claimed  the printed remark speaks of runs of (silent cut) P;Q; what follows P is Q and more
             here.  The pairs between events of P and of Q are not compared.
"""

from collections.abc import Iterator

from sealcheck.algorithms.program_graph import Edge, causal_pairs
from sealcheck.encodings.causality import joined_but_reversed, not_joined_but_no_run
from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.solving import Answer
from sealcheck.explorers.matching_functions import happens_before, kth_to_kth
from sealcheck.questions.causality import CAUSAL_PAIRS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import deadlocking, failing, unbalanced
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Query, Statement, predicts

Edges = frozenset[Edge]


def closure(instance: Instance) -> Edges:
    """(N_E)+."""
    return causal_pairs(instance.p)


def closure_of_any_program(instance: Instance) -> Edges:
    """The same where not every send has a receive: the k'th ones are joined as far as both exist."""
    joined = happens_before(instance.p, kth_to_kth(instance.p))
    return frozenset((e, f) for e, f in joined if e != f)


def whole_space(n: int, m: int) -> Iterator[Query]:
    """Both directions."""
    p = SymbolicProgram("P", n, m)

    def instance(answer: Answer) -> Instance:
        return Instance.of(p.decoded(answer))

    level, splits = f"n={n} m={m}", p.channel_splits()
    yield Query(f"{level}: joined, not causal", joined_but_reversed(p), instance, splits=splits)
    yield Query(
        f"{level}: not joined, causal", not_joined_but_no_run(p), instance, by_proof=True, splits=splits
    )


def explain(instance: Instance, ask: Ask) -> str:
    """The pairs that are causal without a path, and those with a path that are not."""
    causal, joined = ask(CAUSAL_PAIRS, instance), closure(instance)
    lines = []
    if more := causal - joined:
        lines.append(f"causal in every run, but not joined by normal edges: {_listed(more)}")
    if less := joined - causal:
        lines.append(f"joined by normal edges, but not causal in some run: {_listed(less)}")
    return "\n".join(lines)


def _listed(edges: Edges) -> str:
    return ", ".join(
        f"event {e.position} of {e.process} to {f.position} of {f.process}" for e, f in sorted(edges)
    )


JOINED_AS_FAR_AS_POSSIBLE = predicts(CAUSAL_PAIRS, closure_of_any_program)

STATEMENT = Statement(
    id="graph-cause-largest",
    label="section 4, remark after GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "the transitive closure of the normal edges of a BSL is the largest set of edges that are"
            " causal in every run after a silent cut",
            check=predicts(CAUSAL_PAIRS, closure),
            hypotheses=(
                Hypothesis("balanced", failing(unbalanced, JOINED_AS_FAR_AS_POSSIBLE)),
                Hypothesis(
                    "deadlock-free",
                    failing(deadlocking, JOINED_AS_FAR_AS_POSSIBLE),
                    remark="a program that deadlocks has no run, so everything is causal in all of its runs",
                ),
                Hypothesis(
                    "the axioms of a run",
                    remark="without one of them there are more runs, so the set can only shrink: whether the"
                    " normal edges stay in it is asked in graph-cause",
                ),
            ),
            whole_space=whole_space,
            explain=explain,
            theorems=(
                Theorem(
                    "GraphCause.v",
                    "graph_cause_paths",
                    "every straight-line program, with values; finite intervals",
                ),
                Theorem("GraphCause.v", "graph_cause_largest", "every BSL; finite intervals"),
                Theorem(
                    "GraphCause.v",
                    "graph_cause_largest_noself",
                    "every BSL, and runs without self-channels; finite intervals",
                ),
            ),
        ),
    ),
    domain=Programs(),
    questions=(CAUSAL_PAIRS,),
)
