"""Decide refinements that are questions about sealing.

P refines Q if, whenever P occurs between two moments of a run, Q occurs between them, too. A silent cut is a
moment without messages in transit. B seals A if A can receive no message of B or of later programs.

The two sides of such a refinement differ only in their silent cuts. In Rel, the paper's channel model without
order, fast algorithms answer. Their answers count only with evidence: a run that refutes the refinement by
the definition, or causal chains that the kernel accepts.

The simplest left side is a silent cut, then A;B. The right side is A, a silent cut, B. The refinement holds
exactly if B seals A.

If the left side also ends with a silent cut, the refinement ignores messages after B. But B seals A only if
A can receive no message after B, either. So B gets extra messages that keep later messages out: a new process
receives from all other processes, and then sends to all of them. Now B seals A exactly if no message of B
interferes with A. If the algorithm finds a run that refutes this, the extra messages are removed from the
run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from sealcheck.algorithms.sealing import Interferes, Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.errors import Disagreement
from sealcheck.explorers.occurrence import is_silent, occurs
from sealcheck.kernel.programs import balanced_events
from sealcheck.kernel.sealing import signature as kernel_signature
from sealcheck.operations.sealing import with_evidence
from sealcheck.programs import syntax
from sealcheck.programs.runs import Frontier, GlobalRun, Interval, LocalEvent, LocalState, Run, fifo_run
from sealcheck.programs.semantics import Semantics, is_rel
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt, rcv, snd
from sealcheck.programs.syntax import Program, layered

RUN = "a run that refutes it by the definition"
CHAINS = "causal chains that the kernel accepts"
OPEN_CHANNELS = "the open channels that the algorithm and the kernel find"
COUNTS = "counting: there are as many sends as receives on each channel"
FEWER_CUTS = "the definition: the right side has the events of the left side, and no additional silent cuts"


@dataclass(frozen=True)
class Decided:
    """The verdict on a refinement: a run that refutes it or None, and what the verdict rests on."""

    refuting: Interval | None
    rests_on: str


@dataclass(frozen=True)
class _Straight:
    """A straight-line program, and the positions of its silent cuts."""

    program: StraightLine
    cuts: frozenset[Frontier]

    @classmethod
    def of(cls, program: Program, n: int) -> "_Straight | None":
        """The program. None unless it consists of silent cuts, and of sends and receives without data."""
        shares: list[list[Event]] = [[] for _ in range(n)]
        cuts: set[Frontier] = set()
        for part in program.parts if isinstance(program, syntax.Layering) else (program,):
            match part:
                case syntax.Send(sender, receiver, None):
                    shares[sender - 1].append(snd(sender, receiver))
                case syntax.Receive(receiver, sender, None):
                    shares[receiver - 1].append(rcv(receiver, sender))
                case syntax.Cut():
                    cuts.add(tuple(map(len, shares)))
                case syntax.Eps():
                    pass
                case (
                    syntax.Send()
                    | syntax.Receive()
                    | syntax.Assignment()
                    | syntax.Guard()
                    | syntax.Layering()
                    | syntax.Choice()
                    | syntax.Repetition()
                ):
                    return None
                case _:
                    assert_never(part)
        return cls(StraightLine(tuple(map(tuple, shares))), frozenset(cuts))

    @property
    def ends(self) -> tuple[Frontier, Frontier]:
        """The cut before all events, and the cut after all events."""
        return (0,) * self.program.n, tuple(map(len, self.program.shares))

    def parted(self, cut: Frontier) -> tuple[StraightLine, StraightLine]:
        """The parts before and after a cut."""
        shares = list(zip(self.program.shares, cut, strict=True))
        return (
            StraightLine(tuple(share[:at] for share, at in shares)),
            StraightLine(tuple(share[at:] for share, at in shares)),
        )


def decided(p: Program, q: Program, n: int, semantics: Semantics) -> Decided | None:
    """Whether P refines Q. None if the algorithms cannot answer, so that solvers must.

    Raises Disagreement if the kernel rejects an algorithm's causal chains, or if its run does not refute the
    refinement by the definition. For each silent cut of Q that P lacks, the time is that of
    `algorithms.sealing.decide`, plus the time to check the evidence.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.syntax import seals, tcc
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> decided(*seals(there, back), 2, Semantics())
    Decided(refuting=None, rests_on='causal chains that the kernel accepts')
    >>> decided(*tcc(there), 2, Semantics()).refuting.run.matching
    {Place(process=2, position=1): Place(process=1, position=2)}
    >>> decided(*tcc(parse("1.x := 1")), 2, Semantics())
    """
    left, right = _Straight.of(p, n), _Straight.of(q, n)
    if left is None or right is None:
        return None
    if not (left.program.is_balanced and left.program.is_deadlock_free):
        return None
    by_itself = _interval(fifo_run(left.program), left.program)
    if not _occurs(p, by_itself, semantics):
        return None
    if left.program != right.program:
        return _refuted(by_itself, p, q, semantics)
    missing = sorted(right.cuts - left.cuts)
    if not missing:
        return Decided(None, FEWER_CUTS)
    start, end = left.ends
    if start not in left.cuts or left.cuts - {start, end} or not is_rel(semantics):
        return None
    return _by_cuts(left, missing, p, q, semantics)


def balanced(p: Program, n: int) -> Decided | None:
    """Whether P is balanced. None if solvers must answer.

    >>> from sealcheck.language.parser import parse
    >>> balanced(parse("snd 1->2; mt 2->1; rcv 2<-1"), 2).refuting
    >>> balanced(parse("snd 1->2"), 2)
    """
    straight = _Straight.of(p, n)
    return Decided(None, COUNTS) if straight is not None and straight.program.is_balanced else None


def closes(p: Program, channel: Channel, n: int, semantics: Semantics) -> Decided | None:
    """Whether the channel is always empty after P. None if solvers must answer.

    Raises Disagreement if the kernel finds other open channels than the algorithm, or if the algorithm's run
    leaves no message on the channel. Source: "closes" (section 4).

    >>> from sealcheck.language.parser import parse
    >>> closes(parse("mt 1->2; mt 2->1"), Channel(1, 2), 2, Semantics())
    Decided(refuting=None, rests_on='the open channels that the algorithm and the kernel find')
    """
    straight = _Straight.of(p, n)
    if straight is None or straight.cuts or not is_rel(semantics):
        return None
    program = straight.program
    if not (program.is_balanced and program.is_deadlock_free):
        return None
    nodes = kernel_signature(balanced_events(str(program), n, self_channels=True), n)["receives"]
    is_open = channel in signature(program).open_channels
    if is_open != (channel in {tuple(node["channel"]) for node in nodes}):
        raise Disagreement(
            f"the kernel does not find the open channels of '{program}' that the algorithm finds"
        )
    if not is_open:
        return Decided(None, OPEN_CHANNELS)
    found = _interval(Interferes(program, StraightLine.of(n), channel).run, program)
    if not _occurs(layered(syntax.Cut(), p), found, semantics) or is_silent(
        found.run, found.d, semantics, channel
    ):
        raise Disagreement(f"an algorithm's run of '{program}' does not leave a message on {channel}")
    return Decided(found, RUN)


def _by_cuts(
    left: _Straight, missing: Sequence[Frontier], p: Program, q: Program, semantics: Semantics
) -> Decided | None:
    """The verdict if the left side starts with a silent cut. None if solvers must answer."""
    ends_silent = left.ends[1] in left.cuts
    interfering: list[Interval] = []
    for cut in missing:
        a, b = left.parted(cut)
        if not all(part.is_balanced and part.is_deadlock_free for part in (a, b)):
            return None
        if ends_silent:
            a, b = (StraightLine((*part.shares, ())) for part in (a, b))
            b = b.then(StraightLine.of(b.n, _told_to_all(b.n)))
        found = decide(a, b)
        if isinstance(found, Seals):
            with_evidence(a, b, found).to_json()  # the kernel checks the chains
        else:
            run = _within(found.run, left.program) if ends_silent else found.run
            interfering.append(_interval(run, left.program))
    if not interfering:
        return Decided(None, CHAINS)
    return _refuted(min(interfering, key=lambda each: sum(map(len, each.run.events))), p, q, semantics)


def _told_to_all(n: int) -> Iterator[Event]:
    """A message from each other process to process n, then a message from process n to each other process."""
    for process in range(1, n):
        yield from mt(process, n)
    for process in range(1, n):
        yield from mt(n, process)


def _within(run: Run, program: StraightLine) -> Run:
    """The run without events of other processes, and without events after the program."""
    inside = [place for place in run.order if place.process <= program.n]
    inside = [place for place in inside if place.position <= len(program.shares[place.process - 1])]
    kept = set(inside)
    return Run(program, tuple(inside), {to: by for to, by in run.matching.items() if to in kept})


def _interval(run: Run, inside: StraightLine) -> Interval:
    events = tuple(tuple(LocalEvent(event) for event in share) for share in run.program.shares)
    states: tuple[tuple[LocalState, ...], ...] = tuple(
        tuple({} for _ in range(len(share) + 1)) for share in events
    )
    return Interval(GlobalRun(events, states, run.matching), (0,) * inside.n, tuple(map(len, inside.shares)))


def _occurs(program: Program, interval: Interval, semantics: Semantics) -> bool:
    interval.run.check(semantics.model)
    return occurs(*interval, program, semantics)


def _refuted(found: Interval, p: Program, q: Program, semantics: Semantics) -> Decided:
    if not _occurs(p, found, semantics) or _occurs(q, found, semantics):
        raise Disagreement("an algorithm's run does not refute the refinement that it was asked about")
    return Decided(found, RUN)
