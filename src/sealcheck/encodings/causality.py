"""The causal pairs of a symbolic program as formulas: two events that a path joins, or that none does."""

from collections.abc import Iterator
from itertools import permutations

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings.paths import LayerPaths
from sealcheck.encodings.program_space import SymbolicProgram, exactly_one, processes_by_first_use
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.encodings.symmetry import in_order_of_sending


def joined_but_reversed(p: SymbolicProgram) -> list[FNode]:
    """A pair of events joined by normal edges, and a run with the second one first.  Source: `GraphCause`.

    >>> from sealcheck.encodings.solving import open_solver, satisfiable
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, joined_but_reversed(SymbolicProgram("P", 2, 1)))
    False
    """
    space, reach = SpaceRun([p]), LayerPaths("P:path", [p], p.successions())
    reversed_pair = Or(And(reach.path(e, f), space.order.before(f, e)) for e, f in permutations(p.events, 2))
    return [*_any_run(p, space, reach), *axioms(space.run), in_order_of_sending(space), reversed_pair]


def not_joined_but_no_run(p: SymbolicProgram) -> list[FNode]:
    """Two events that no path joins, where doing all that the second one needs first does not give a run.

    Source: the remark after `GraphCause`, that the set is the largest.
    """
    space, reach = SpaceRun([p]), LayerPaths("P:path", [p], p.successions())
    first, then = ({e: Symbol(f"{name}:{e}") for e in p.events} for name in ("first", "then"))
    chosen = [exactly_one(list(which.values())) for which in (first, then)]
    chosen += [Not(And(first[e], then[f], reach.path_or_same(e, f))) for e in p.events for f in p.events]
    reversed_pair = And(
        Implies(And(first[e], then[f]), space.order.before(f, e)) for e, f in permutations(p.events, 2)
    )
    needed = {e: Or(And(then[f], reach.path_or_same(e, f)) for f in p.events) for e in p.events}
    return [
        *_any_run(p, space, reach),
        *chosen,
        *needed_first(p, space, needed),
        Not(And(*axioms(space.run), reversed_pair)),
    ]


def _any_run(p: SymbolicProgram, space: SpaceRun, reach: LayerPaths) -> list[FNode]:
    return [*space.well_formed(), processes_by_first_use([p]), reach.definition()]


def needed_first(p: SymbolicProgram, space: SpaceRun, needed: dict[str, FNode]) -> Iterator[FNode]:
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
