"""Formulas about causality: does an event come before another in every run exactly if a path joins them?

The paths are the paths of the program graph. The edges of this graph lead from each event to the next event
of its process, and from the k'th send on a channel to the k'th receive on it. The solver chooses the program
and the run.
"""

from collections.abc import Iterator
from itertools import combinations, permutations

from sealcheck.encodings.formulas import And, Formula, Iff, Implies, Not, Or, Symbol
from sealcheck.encodings.program_space import (
    LayerPaths,
    SpaceRun,
    SymbolicMessages,
    SymbolicProgram,
    exactly_one,
    in_order_of_sending,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.runs import Conditional, axioms
from sealcheck.encodings.solving import Answer
from sealcheck.programs.straight_line import StraightLine


def joined_but_reversed(p: SymbolicProgram) -> list[Formula]:
    """The condition that a path leads from e to f, but f comes before e in some run.

    Source: `GraphCause`.

    >>> from sealcheck.encodings.solving import open_solver, satisfiable
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, joined_but_reversed(SymbolicProgram("P", 2, 1)))
    False
    """
    space, reach = SpaceRun([p]), LayerPaths("P:path", [p], p.successions())
    reversed_pair = Or(And(reach.path(e, f), space.order.before(f, e)) for e, f in permutations(p.events, 2))
    return [*_any_run(p, space, reach), *axioms(space.run), in_order_of_sending(space), reversed_pair]


def not_joined_but_no_run(p: SymbolicProgram) -> list[Formula]:
    """The condition that no path leads from e to f, and yet moving e behind f does not give a run.

    Moving e behind f means: first f and all events from which paths lead to f, then all other events. Source:
    the remark after `GraphCause`, that a path leads from e to f if e happens before f in every run.
    """
    space, reach = SpaceRun([p]), LayerPaths("P:path", [p], p.successions())
    first, then = ({e: Symbol(f"{name}:{e}") for e in p.events} for name in ("first", "then"))
    chosen = [exactly_one(list(which.values())) for which in (first, then)]
    chosen += [Not(And(first[e], then[f], reach.path_or_same(e, f))) for e in p.events for f in p.events]
    reversed_pair = And(
        Implies(And(first[e], then[f]), space.order.before(f, e)) for e, f in permutations(p.events, 2)
    )
    needed = {e: Or(And(then[f], reach.path_or_same(e, f)) for f in p.events) for e in p.events}
    no_run = Not(And(*axioms(space.run), reversed_pair))
    return [*_any_run(p, space, reach), *chosen, *needed_first(p, space, needed), no_run]


def _any_run(p: SymbolicProgram, space: SpaceRun, reach: LayerPaths) -> list[Formula]:
    return [*space.well_formed(), processes_by_first_use([p]), reach.definition()]


def needed_first(p: SymbolicProgram, space: SpaceRun, needed: dict[str, Formula]) -> Iterator[Formula]:
    """Describe the FIFO run that begins with the `needed` events, and otherwise has P's interleaving."""
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


class SymbolicTrace(SymbolicMessages):
    """A program of n processes with m messages, described by the order of the events of each process.

    Messages are numbered channel by channel and, on each channel, in the order of sending. Receives have the
    same order. So each program has exactly one description.
    """

    def __init__(self, name: str, n: int, m: int, *, self_channels: bool = False) -> None:
        super().__init__(name, n, m, self_channels=self_channels, by_channel=True)

    def before(self, first: str, second: str) -> Formula:
        """The condition that both events belong to one process, which performs `first` before `second`."""
        return Symbol(f"{self.name}:{first}<{second}")

    def well_formed(self) -> Formula:
        """The condition that the variables describe a program."""
        return And(self.balanced(), self.deadlock_free())

    def balanced(self) -> Formula:
        """The condition that the variables describe a balanced program, which may deadlock."""
        return And(
            self.on_channels(),
            *self.channels_ascend(),
            *self._in_order_of_numbers(),
            *self._one_order_for_each_process(),
        )

    def deadlock_free(self) -> Formula:
        """The condition that the program graph has no cycle: no path leads from a receive to its own send.

        Every cycle contains the edge of some message. Even if there are cycles, `LayerPaths` has every path.
        """
        reach = LayerPaths(f"{self.name}:path", [self], self.successions())
        no_cycle = (Not(reach.path(r, s)) for s, r in zip(self.sends, self.receives, strict=True))
        return And(reach.definition(), *no_cycle)

    def _in_order_of_numbers(self) -> Iterator[Formula]:
        for a, b in combinations(self.messages, 2):
            in_order = And(self.before(ends[a], ends[b]) for ends in (self.sends, self.receives))
            yield Implies(same_channel(self, a, self, b), in_order)

    def _one_order_for_each_process(self) -> Iterator[Formula]:
        """The condition that `before` totally orders each process, and relates no events of two processes."""
        before = {(e, f): self.before(e, f) for e, f in self._pairs()}
        for e, f in combinations(self.events, 2):
            if (e, f) not in before:
                continue
            forth, back = before[e, f], before[f, e]
            yield Not(And(forth, back))
            for p in self.processes:
                here, there = self.at(e, p), self.at(f, p)
                yield Or(Not(here), Not(there), forth, back)
                yield Or(Not(forth), Not(here), there)
                yield Or(Not(back), Not(here), there)
        for e, f, g in combinations(self.events, 3):
            if (e, f) not in before or (f, g) not in before or (e, g) not in before:
                continue
            yield Not(And(before[e, f], before[f, g], before[g, e]))
            yield Not(And(before[e, g], before[g, f], before[f, e]))

    def _pairs(self) -> list[tuple[str, str]]:
        ends = set(zip(self.sends, self.receives, strict=True))
        return [
            (e, f)
            for e, f in permutations(self.events, 2)
            if self.self_channels or not ((e, f) in ends or (f, e) in ends)
        ]

    def successions(self) -> list[Conditional]:
        """For each pair of events, the condition that one process has the first event before the second."""
        return [Conditional(e, f, self.before(e, f)) for e, f in self._pairs()]

    def decoded(self, answer: Answer) -> StraightLine:
        """The program that a model describes."""
        shares = []
        for process in self.processes:
            mine = [e for e in self.events if answer.value(self.at(e, process))]
            position = {f: sum(bool(answer.value(self.before(e, f))) for e in mine if e != f) for f in mine}
            shares.append(tuple(self.event(answer, e) for e in sorted(mine, key=position.__getitem__)))
        return StraightLine(tuple(shares))
