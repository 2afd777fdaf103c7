"""`th:TCCbadforREL`: no terminating program that communicates is TCC in Rel.

Reading      for straight-line programs: a BSL with at least one message is not TCC, that is, in
             some run that starts at a silent cut, communication of P crosses the cut after P.
Refutation   a program with a message for which the run in the theorem's proof is no such run:
             the last receive of P waits for a later message on its channel and takes that.
Not claimed  the theorem also speaks of programs with choice, loops and data, and of unbalanced
             ones; those are not in this space.  With self-channels it fails: see the findings.
"""

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, And, Iff, Implies, Not

from sealcheck import explorer
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram, processes_by_first_use
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Answer
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import ablation, interference
from sealcheck.theorems.ablation import first_difference, first_model
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement


def nothing_after(p: StraightLine) -> StraightLine:
    """The empty program over the processes of P."""
    return StraightLine.of(p.n)


def is_tcc(instance: Instance) -> bool:
    """Whether nothing that follows P can interfere with it, by exploring."""
    return explorer.seals(instance.p, nothing_after(instance.p))


class LastReceiveWaits:
    """The run of the theorem's proof: P's last receive takes a message sent after P."""

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


def communicates_but_closed(n: int, m: int, *, self_channels: bool = False) -> Iterator[Query]:
    """A program with m >= 1 messages for which the proof's run is no interfering run."""
    if not m:
        return
    p = SymbolicProgram("P", n, m, self_channels=self_channels)
    space = SpaceRun([p])
    legal = And(*axioms(space.run), interference.crosses_in_space(space, p))
    formulas = [
        *space.well_formed(),
        processes_by_first_use([p]),
        *LastReceiveWaits(p, space).definition(),
        Not(legal),
    ]

    def instance(answer: Answer) -> Instance:
        return Instance.of(p.decoded(answer))

    yield Query(f"n={n} m={m}", formulas, instance, by_proof=True, splits=p.channel_splits())


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, communicates, and is TCC."""
    return first_model(communicates_but_closed(n, messages, self_channels=True))


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A program that deadlocks: it occurs over no interval that starts at a silent cut, so it is TCC."""
    return first_difference(ablation.deadlocking(n, messages), lambda _: False, is_tcc)


def unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program that is TCC."""
    return first_difference(ablation.unbalanced(n, messages), lambda _: False, is_tcc)


def without_communication(n: int, messages: int) -> Instance | None:
    """A program that does not communicate, and is TCC."""
    return None if messages else Instance.of(StraightLine.of(n))


STATEMENT = Statement(
    id="tcc-impossibility",
    label="th:TCCbadforREL",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL that sends a message is not TCC in Rel",
            predicts=lambda instance: instance.messages == 0,
            whole_space=communicates_but_closed,
            story=lambda instance: "every channel is closed, so no later program can interfere",
        ),
    ),
    hypotheses=(
        Hypothesis("some communication", without_communication),
        Hypothesis("balanced", unbalanced),
        Hypothesis("deadlock-free", with_deadlocks),
        Hypothesis("no self-channels", with_self_channels),
        Hypothesis(
            "the axioms of a run", remark="a run is claimed to exist: with fewer axioms there are more"
        ),
    ),
    domain=Programs(),
    ways={
        "algorithm": lambda instance: not signature(instance.p).open_channels,
        "explorer": is_tcc,
    },
    smt=lambda instance, solver: interference.seals(instance.p, nothing_after(instance.p), solver),
)
