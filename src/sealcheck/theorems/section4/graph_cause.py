"""`GraphCause`: every normal edge of P's program graph is a causal edge in every run of P.

Reading      r ranges over runs of Rel with r[c,d] an occurrence of (silent cut) P; what follows
             d is arbitrary, so receives of P may take later messages.
Refutation   a matching of P's receives under which some message edge (e, f) is not in Lamport's relation:
             a set of events is closed under causes, and has f without e.  Neither that relation nor P's
             graph is asked to be acyclic, so more is proved than the lemma says; should a model be found,
             it refutes the lemma only if P has a run like that.
Not claimed  nothing here speaks of programs with more processes or messages than the bound.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from pysmt.shortcuts import And, Not, Or

from sealcheck.algorithms.program_graph import Edge, normal_edges
from sealcheck.encodings.causality import SymbolicTrace
from sealcheck.encodings.program_space import Axiom, SpaceRun, axioms, in_order_of_sending
from sealcheck.encodings.solving import Answer, ConsistentCut, Interleaving, Relation
from sealcheck.explorers.matching_functions import kth_to_kth
from sealcheck.questions.causality import CAUSAL_PAIRS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import failing, unbalanced
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Form,
    Hypothesis,
    Outcome,
    Query,
    Statement,
    holds_if,
)


def normal_edges_are_causal(instance: Instance, ask: Ask) -> Outcome:
    """That every normal edge is among the causal pairs."""
    return holds_if(set(normal_edges(instance.p)) <= ask(CAUSAL_PAIRS, instance))


def some_edge_not_causal(
    n: int,
    m: int,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] | type[ConsistentCut] = Interleaving,
    later_sends: int = 1,
    in_order: bool = True,
) -> Query:
    """A program with m messages and a run of it in which a message edge is not causal.

    Edges within a process are in Lamport's relation by its definition.  Processes can be renamed, so
    the edge is one from process 1 to 2.  Without acyclicity P may be a program that deadlocks, too.
    Runs in which messages of a channel cross are left out if the rest is to be `in_order` of sending.
    """
    p = SymbolicTrace("P", n, m)
    program = p.balanced() if Axiom.ACYCLIC in without else p.well_formed()
    space = SpaceRun([p], order, later_sends=later_sends)
    edges = zip(p.sends, p.receives, strict=True)
    broken = [And(p.at(s, 1), p.at(r, 2), Not(space.order.before(s, r))) for s, r in edges]
    formulas = [program, *space.outside_well_formed(), *axioms(space.run, without), Or(broken)]
    if in_order:
        formulas.append(in_order_of_sending(space))

    def instance(answer: Answer) -> Instance:
        return Instance.of(p.decoded(answer))

    taken = [] if Axiom.TOTAL in without else [tuple(space.run.sources(r)) for r in p.receives]
    return Query(
        f"n={n} m={m}", formulas, instance, by_proof=Axiom.ACYCLIC in without, splits=[tuple(broken), *taken]
    )


def whole_space(n: int, m: int) -> Iterator[Query]:
    """The one query about a level."""
    yield some_edge_not_causal(n, m, [Axiom.ACYCLIC], order=ConsistentCut)


def explain(instance: Instance, ask: Ask) -> str:
    """The normal edges that some run has the other way round."""
    causal = ask(CAUSAL_PAIRS, instance)
    broken = set(normal_edges(instance.p)) - causal
    return "in some run these edges are not causal: " + ", ".join(map(_named, sorted(broken)))


def _named(edge: Edge) -> str:
    e, f = edge
    return f"event {e.position} of {e.process} to {f.position} of {f.process}"


def without_axiom(axiom: Axiom) -> Hypothesis:
    """The statement about runs that need not satisfy one of the axioms."""
    query = partial(some_edge_not_causal, without=[axiom], order=Relation)
    return Hypothesis(axiom.value, queries=lambda n, messages: [query(n, messages)])


def messages_are_causal(instance: Instance, ask: Ask) -> Outcome:
    """That the k'th send on a channel comes before the k'th receive, as far as both exist."""
    edges = {(send, receive) for receive, send in kth_to_kth(instance.p)}
    return holds_if(edges <= ask(CAUSAL_PAIRS, instance))


STATEMENT = Statement(
    id="graph-cause",
    label="GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "in every run of a BSL after a silent cut, the normal edges of its program graph are causal",
            check=normal_edges_are_causal,
            hypotheses=(
                Hypothesis("balanced", failing(unbalanced, messages_are_causal)),
                Hypothesis(
                    "deadlock-free",
                    remark="a program that deadlocks has no run, so all of its runs are as claimed",
                ),
                *map(without_axiom, Axiom),
            ),
            whole_space=whole_space,
            explain=explain,
            theorems=(
                Theorem(
                    "GraphCause.v",
                    "graph_cause",
                    "every straight-line program, with values; finite intervals",
                ),
            ),
        ),
    ),
    domain=Programs(),
    questions=(CAUSAL_PAIRS,),
)
