"""`GraphCause`: every normal edge of P's program graph is a causal edge in every run of P.

Reading      r ranges over runs of Rel with r[c,d] an occurrence of (silent cut) P; what follows
             d is arbitrary, so receives of P may take later messages.
Refutation   a run in which some edge (e, f) is not in Lamport's relation.  A run is a class of
             interleavings, so that is a run that can be played with f before e.
Not claimed  nothing here speaks of programs with more processes or messages than the bound.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from pysmt.shortcuts import And, Not, Or

from sealcheck import explorer
from sealcheck.algorithms.matchings import ordered_in_every_run
from sealcheck.algorithms.program_graph import Edge, normal_edges
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer, Solver, satisfiable
from sealcheck.programs.events import Event, channels, rcv, snd
from sealcheck.programs.runs import Place
from sealcheck.theorems import ablation
from sealcheck.theorems.ablation import first_difference, first_model
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement


def broken_by_matching(instance: Instance) -> frozenset[Edge]:
    """The normal edges that are not causal under some matching; all matchings are tried."""
    ordered = ordered_in_every_run(instance.p)
    return frozenset(edge for edge in normal_edges(instance.p) if edge not in ordered)


def broken_by_exploring(instance: Instance) -> frozenset[Edge]:
    """The normal edges whose events some interleaving has the other way round."""
    return frozenset(edge for edge in normal_edges(instance.p) if not explorer.is_ordered(instance.p, *edge))


def broken_by_solving(instance: Instance, solver: Solver) -> frozenset[Edge]:
    """The normal edges that a run of P can have the other way round."""
    given = GivenRun([instance.p], solver.order)
    reversed_edges = {
        (e, f): given.order.before(f"P{f.process}.{f.position}", f"P{e.process}.{e.position}")
        for e, f in normal_edges(instance.p)
    }
    with solver.assuming(axioms(given.run)):
        if not satisfiable(solver, [Or(reversed_edges.values())]):
            return frozenset()
        return frozenset(edge for edge, broken in reversed_edges.items() if satisfiable(solver, [broken]))


def some_edge_not_causal(
    n: int,
    m: int,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> Iterator[Query]:
    """A program with m messages and a run of it in which a message edge is not causal.

    Edges within a process are in Lamport's relation by its definition.  Processes can be renamed, so
    the edge is one from process 1 to 2.
    """
    p = SymbolicProgram("P", n, m, by_channel=True)
    space = SpaceRun([p], order, later_sends=later_sends)
    edges = zip(p.sends, p.receives, strict=True)
    broken = [And(p.at(s, 1), p.at(r, 2), Not(space.order.before(s, r))) for s, r in edges]
    formulas = [*space.well_formed(), *axioms(space.run, without), Or(broken)]

    def instance(answer: Answer) -> Instance:
        return Instance.of(p.decoded(answer))

    taken = [] if Axiom.TOTAL in without else [tuple(space.run.sources(r)) for r in p.receives]
    yield Query(f"n={n} m={m}", formulas, instance, splits=[tuple(broken), *taken])


def _story(instance: Instance) -> str:
    broken = broken_by_matching(instance)
    edges = (f"event {e.position} of {e.process} to {f.position} of {f.process}" for e, f in sorted(broken))
    return "in some run these edges are not causal: " + ", ".join(edges)


def without_axiom(axiom: Axiom) -> Hypothesis:
    """The statement about runs that need not satisfy one of the axioms."""
    query = partial(some_edge_not_causal, without=[axiom], order=Relation)
    return Hypothesis(axiom.value, lambda n, messages: first_model(query(n, messages)))


def unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program, the k'th send and k'th receive joined as far as both exist."""
    return first_difference(ablation.unbalanced(n, messages), lambda _: True, _messages_causal)


def _messages_causal(instance: Instance) -> bool:
    """Whether the k'th send on a channel comes before the k'th receive, in all executions."""
    places: dict[Event, list[Place]] = {}
    for process, share in enumerate(instance.p.shares, 1):
        for position, event in enumerate(share, 1):
            places.setdefault(event, []).append(Place(process, position))
    return all(
        explorer.is_ordered(instance.p, send, receive)
        for i, j in channels(instance.n)
        for send, receive in zip(places.get(snd(i, j), ()), places.get(rcv(j, i), ()), strict=False)
    )


STATEMENT = Statement(
    id="graph-cause",
    label="GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "in every run of a BSL after a silent cut, the normal edges of its program graph are causal",
            predicts=lambda instance: frozenset(),
            whole_space=some_edge_not_causal,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", unbalanced),
        Hypothesis(
            "deadlock-free", remark="a program that deadlocks has no run, so all of its runs are as claimed"
        ),
        *map(without_axiom, Axiom),
    ),
    domain=Programs(),
    ways={"algorithm": broken_by_matching, "explorer": broken_by_exploring},
    smt=broken_by_solving,
)
