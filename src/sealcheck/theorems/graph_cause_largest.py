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
from functools import partial
from itertools import permutations

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Iff, Implies, Not, Or, Symbol

from sealcheck import explorer
from sealcheck.algorithms.matchings import ordered_in_every_run
from sealcheck.algorithms.program_graph import Edge, causal_pairs
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.program_space import (
    Reach,
    SpaceRun,
    SymbolicProgram,
    exactly_one,
    processes_by_first_use,
)
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import LimitReached
from sealcheck.programs.events import channels, mt
from sealcheck.programs.runs import Place
from sealcheck.theorems import ablation
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.matching_functions import Matching, events, happens_before
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement

Edges = frozenset[Edge]


def closure(instance: Instance) -> Edges:
    """(N_E)+."""
    return causal_pairs(instance.p)


def by_matching(instance: Instance) -> Edges:
    """The pairs in Lamport's relation under every matching function; all are tried."""
    return ordered_in_every_run(instance.p)


def by_exploring(instance: Instance) -> Edges:
    """The pairs that every interleaving of P has in this order."""
    pairs = permutations(events(instance.p), 2)
    return frozenset((e, f) for e, f in pairs if explorer.is_ordered(instance.p, e, f))


def by_solving(instance: Instance, solver: Solver) -> Edges:
    """The pairs of which the solver finds no run with the second event first.

    Each model that it finds settles many pairs at once.
    """
    given = GivenRun([instance.p], solver.order)
    before = given.order.before
    reverse = {(e, f): before(_name(f), _name(e)) for e, f in permutations(events(instance.p), 2)}
    with solver.assuming(axioms(given.run)):
        while (answer := _answer(solver, Or(reverse.values()))).status is Status.SAT:
            order = {name: at for at, name in enumerate(given.order.listed(answer.value))}
            reverse = {(e, f): v for (e, f), v in reverse.items() if order[_name(e)] < order[_name(f)]}
    return frozenset(reverse)


def _name(place: Place) -> str:
    return f"P{place.process}.{place.position}"


def _answer(solver: Solver, formula: FNode) -> Answer:
    answer = solver.ask([formula])
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on an order of events")
    return answer


def joined_but_not_causal(n: int, m: int) -> Query:
    """A pair of events joined by normal edges, and a run with the second one first."""
    p = SymbolicProgram("P", n, m)
    space, reach = SpaceRun([p]), Reach("P:path", [p], p.successions())
    reversed_pair = Or(And(reach.path(e, f), space.order.before(f, e)) for e, f in permutations(p.events, 2))
    formulas = [*_any_run(p, space, reach), *axioms(space.run), reversed_pair]
    name = f"n={n} m={m}: joined, not causal"
    return Query(name, formulas, partial(_decoded, p), splits=p.channel_splits())


def not_joined_but_causal(n: int, m: int) -> Query:
    """A pair of events not joined, where the run that does all the second one needs first is none."""
    p = SymbolicProgram("P", n, m)
    space, reach = SpaceRun([p]), Reach("P:path", [p], p.successions())
    first, then = ({e: Symbol(f"{name}:{e}") for e in p.events} for name in ("first", "then"))
    chosen = [exactly_one(list(which.values())) for which in (first, then)]
    chosen += [Not(And(first[e], then[f], reach.path_or_same(e, f))) for e in p.events for f in p.events]
    reversed_pair = And(
        Implies(And(first[e], then[f]), space.order.before(f, e)) for e, f in permutations(p.events, 2)
    )
    needed = {e: Or(And(then[f], reach.path_or_same(e, f)) for f in p.events) for e in p.events}
    formulas = [
        *_any_run(p, space, reach),
        *chosen,
        *_needed_first(p, space, needed),
        Not(And(*axioms(space.run), reversed_pair)),
    ]
    name = f"n={n} m={m}: not joined, causal"
    return Query(name, formulas, partial(_decoded, p), by_proof=True, splits=p.channel_splits())


def _any_run(p: SymbolicProgram, space: SpaceRun, reach: Reach) -> list[FNode]:
    return [*space.well_formed(), processes_by_first_use([p]), reach.definition()]


def _decoded(p: SymbolicProgram, answer: Answer) -> Instance:
    return Instance.of(p.decoded(answer))


def _needed_first(p: SymbolicProgram, space: SpaceRun, needed: dict[str, FNode]) -> Iterator[FNode]:
    """The FIFO run in the order of P's interleaving, except that what is `needed` comes first."""
    before = space.order.before
    yield before("E0", "L0")
    for e in p.events:
        yield And(before("E0", e), before(e, "L0"))
        for f in p.events:
            if e < f:
                sooner, alike = And(needed[e], Not(needed[f])), Iff(needed[e], needed[f])
                yield Iff(before(e, f), Or(sooner, And(alike, p.order.before(e, f))))
    own = set(zip(p.receives, p.sends, strict=True))
    for c in space.run.skeleton.candidates:
        matched = space.run.matched(c.first, c.second)
        yield matched if (c.first, c.second) in own else Not(matched)


def whole_space(n: int, m: int) -> Iterator[Query]:
    """Both directions."""
    yield joined_but_not_causal(n, m)
    yield not_joined_but_causal(n, m)


def kth_to_kth(instance: Instance) -> Matching:
    """The k'th receive on a channel with its k'th send, as far as both exist."""
    places = events(instance.p)
    pairs: list[tuple[Place, Place]] = []
    for channel in channels(instance.n):
        sends, receives = ([at for at, e in places.items() if e == event] for event in mt(*channel))
        pairs += zip(receives, sends, strict=False)
    return frozenset(pairs)


def unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program, the k'th send and k'th receive joined as far as both exist."""
    programs = sorted(ablation.unbalanced(n, messages), key=lambda instance: instance.size)
    return first_difference(programs, _closure_of_any_program, by_exploring)


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A program that deadlocks, with two events that no path joins."""
    return first_difference(ablation.deadlocking(n, messages), _closure_of_any_program, by_exploring)


def _closure_of_any_program(instance: Instance) -> Edges:
    joined = happens_before(instance.p, kth_to_kth(instance))
    return frozenset((e, f) for e, f in joined if e != f)


def _listed(edges: Edges) -> str:
    return ", ".join(
        f"event {e.position} of {e.process} to {f.position} of {f.process}" for e, f in sorted(edges)
    )


def _story(instance: Instance) -> str:
    more, less = by_matching(instance) - closure(instance), closure(instance) - by_matching(instance)
    lines = [f"causal in every run, but not joined by normal edges: {_listed(more)}"] if more else []
    lines += [f"joined by normal edges, but not causal in some run: {_listed(less)}"] if less else []
    return "\n".join(lines)


STATEMENT = Statement(
    id="graph-cause-largest",
    label="section 4, remark after GraphCause",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "the transitive closure of the normal edges of a BSL is the largest set of edges that are"
            " causal in every run after a silent cut",
            predicts=closure,
            whole_space=whole_space,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", unbalanced),
        Hypothesis(
            "deadlock-free",
            with_deadlocks,
            remark="a program that deadlocks has no run, so everything is causal in all of its runs",
        ),
        Hypothesis(
            "the axioms of a run",
            remark="without one of them there are more runs, so the set can only shrink: whether the normal"
            " edges stay in it is asked in graph-cause",
        ),
    ),
    domain=Programs(),
    ways={"algorithm": by_matching, "explorer": by_exploring},
    smt=by_solving,
)
