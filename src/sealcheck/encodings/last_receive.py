"""`th:TCCbadforREL` as formulas: the run of its proof, in which P's last receive takes a later message."""

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, And, Iff, Implies, Not

from sealcheck.encodings import interference
from sealcheck.encodings.program_space import SymbolicProgram, processes_by_first_use
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.space_runs import SpaceRun


def last_receive_cannot_wait(p: SymbolicProgram) -> list[FNode]:
    """A program with messages for which the proof's run is no run, or one in which nothing interferes.

    Source: `th:TCCbadforREL`.

    >>> from sealcheck.encodings.solving import open_solver, satisfiable
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, last_receive_cannot_wait(SymbolicProgram("P", 2, 1)))
    False
    """
    space = SpaceRun([p])
    legal = And(*axioms(space.run), interference.crosses_in_space(space, p))
    return [
        *space.well_formed(),
        processes_by_first_use([p]),
        *LastReceiveWaits(p, space).definition(),
        Not(legal),
    ]


class LastReceiveWaits:
    """The run of the theorem's proof: P's last receive takes a message sent after P.

    Source: the proof of `th:TCCbadforREL`.
    """

    def __init__(self, p: SymbolicProgram, space: SpaceRun) -> None:
        self.p, self.space = p, space

    def waits(self, a: int) -> FNode:
        """The receive of message a is the last event of P's interleaving."""
        receive = self.p.receives[a]
        return And(self.p.order.before(event, receive) for event in self.p.events if event != receive)

    def definition(self) -> list[FNode]:
        """The later send's channel, the order and the matching."""
        p, before, later = self.p, self.space.order.before, self.space.later[0]
        channel = [Implies(self.waits(a), later.on_channel_of(p, a)) for a in p.messages]
        order = [before("E0", "L0")]
        for e in p.events:
            last = self.waits(p.receives.index(e)) if e in p.receives else FALSE()
            order += [before("E0", e), Iff(before(e, "L0"), Not(last))]
            order += [Iff(before(e, f), p.order.before(e, f)) for f in p.events if e < f]
        matched = {(p.receives[a], p.sends[a]): Not(self.waits(a)) for a in p.messages}
        matched |= {(p.receives[a], "L0"): self.waits(a) for a in p.messages}
        matching = [
            Iff(self.space.run.matched(c.first, c.second), matched.get((c.first, c.second), FALSE()))
            for c in self.space.run.skeleton.candidates
        ]
        return [*channel, *order, *matching]
