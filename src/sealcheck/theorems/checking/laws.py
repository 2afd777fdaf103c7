"""Laws of refinement: if some refinements hold, then others hold, too.

A law of the paper is about any set of runs. The checks try a law on all small programs, in three settings
(`SETTINGS`). In the model Rel, channels may reorder messages; in RelFi, they keep the order.

In the formal reading, the silent cut is a moment without messages in transit. In the second reading, the
silent cut is a moment when all channels are empty. They differ if a message is never received: it is not in
transit, but its channel is not empty.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sealcheck.explorers.channel_contents import Owner, Step
from sealcheck.language.printer import show
from sealcheck.programs.runs import Interval, Place
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.programs.syntax import Refinement
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import COUNTEREXAMPLE, REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed, Listing, grouped
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, FIFO, failing
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.small_programs import LARGEST, SIZE
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement, Without


def open_channels(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> list[Channel]:
    """The channels that P does not close, in order."""
    closed = ask(CLOSED_CHANNELS, instance, semantics)
    return [c for c in channels(instance.n, self_channels=semantics.self_channels) if c not in closed]


def in_words(sides: Refinement) -> str:
    """The refinement as a sentence."""
    left, right = map(show, sides)
    return f"{left}  refines  {right}"


def as_lines(found: Interval) -> str:
    """The events of a run, one per line, in a possible order.

    >>> from sealcheck.explorers.executions import find_counterexample
    >>> from sealcheck.programs.syntax import mt, tcc
    >>> print(as_lines(find_counterexample(*tcc(mt(1, 2)), 2)))
    inside: event 1 of process 1, snd 1->2
    after:  event 2 of process 1, snd 1->2
    inside: event 1 of process 2, rcv 2<-1 takes event 2 of process 1
    """
    return "\n".join(_line(found, place) for place in found.run.interleaving())


def _line(found: Interval, place: Place) -> str:
    of, at = place.process, place.position
    when = "before:" if at <= found.c[of - 1] else "inside:" if at <= found.d[of - 1] else "after: "
    source = found.run.matching.get(place)
    taken = f" takes event {source.position} of process {source.process}" if source else ""
    state = sorted(found.run.states[of - 1][at].items())
    values = "".join(f", {of}.{name} = {value}" for name, value in state)
    return f"{when} event {at} of process {of}, {found.run.at(place).event or 'internal'}{taken}{values}"


_OWNERS = {Owner.P: "inside", Owner.Q: "seal", Owner.LATER: "later"}


def as_steps(found: Iterable[Step]) -> list[str]:
    """The events of an execution, one per line: a message crosses the end of P although S follows P.

    "inside" marks events of P, and "seal" marks events of S.

    >>> from sealcheck.explorers.channel_contents import find_interference
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> print(*as_steps(find_interference(once, once))[:3], sep=", ")
    inside: snd 1->2, seal: snd 1->2, inside: rcv 2<-1 takes a message of: seal
    """
    return [
        f"{_OWNERS[step.owner]}: {step.event}"
        + ("" if step.took is None else f" takes a message of: {_OWNERS[step.took]}")
        for step in found
    ]


SETTINGS = (PAPER, EMPTY_CUT, FIFO)
"""Rel under both readings of the silent cut, and RelFi under the formal reading only."""

FINITE = "all programs, in any set of runs; finite intervals"
INFINITE = "all programs, in any set of runs; finite and infinite intervals"
"""The classes of the theorems about laws."""

NO_BOUND = "no bound reaches infinite intervals"


def over_all_intervals(file: str, name: str) -> tuple[Theorem, ...]:
    """Two theorems: one about finite intervals, and one also about infinite intervals."""
    return Theorem(file, name, FINITE), Theorem("InfiniteSealAlgebra.v", f"{name}_infinite", INFINITE)


LIMITS = (
    "atoms are snd, rcv and mt on every channel, a receive of process 1 into its variable x, 1.x := 1,"
    " [1.x = 0] and cut. An alternative of a choice may also be eps",
    "the sets of runs are Rel, under both readings of the silent cut, and RelFi, under the formal reading",
    f"repetitions have at most {PAPER.unroll} iterations",
    "one oracle lists executions, within two bounds. Variables start as 0 or 1. The events outside the"
    " program are no more than those of its sends and receives that may need a partner outside, and one"
    " more, or two if the program need not start at a silent cut",
    "intervals are finite, so infinite repetitions are not checked",
)


NOT_NEEDED = (
    Hypothesis(
        "deadlock-free",
        remark="not needed here: the check includes programs that deadlock and programs that never occur",
    ),
    Hypothesis(
        "the formal reading of the silent cut",
        remark="not needed here: in Rel, every instance is checked under both readings",
    ),
)


def holding(
    refinements: Iterable[Refinement], n: int, settings: Sequence[Semantics], ask: Ask
) -> tuple[Semantics, ...]:
    """The settings in which all these refinements hold."""
    asked = [(Instance(n, sides), setting) for sides in refinements for setting in settings]
    refuted = {s for (_, s), held in zip(asked, ask.all(REFINES, asked), strict=True) if not held}
    return tuple(s for s in settings if s not in refuted)


@dataclass(frozen=True)
class Law:
    """A law: in each setting, if all premises hold for some programs, then so do all conclusions."""

    premises: tuple[Callable[..., Refinement], ...]
    conclusions: Callable[..., tuple[Refinement, ...]]
    settings: tuple[Semantics, ...] = SETTINGS

    def met(self, instance: Instance, ask: Ask) -> tuple[Semantics, ...]:
        """The settings in which all premises hold."""
        programs = syntax(instance)
        premises = [premise(*programs) for premise in self.premises]
        return holding(premises, instance.n, self.settings, ask)

    def kept(self, instance: Instance, met: Sequence[Semantics], ask: Ask) -> tuple[Semantics, ...]:
        """The given settings in which all conclusions hold."""
        return holding(self.conclusions(*syntax(instance)), instance.n, met, ask)

    def check(self, instance: Instance, ask: Ask) -> Outcome:
        """Check that the conclusions hold wherever the premises do."""
        met = self.met(instance, ask)
        return Outcome.of(self.kept(instance, met, ask) == met) if met else Outcome.VACUOUS

    def explain(self, instance: Instance, ask: Ask) -> str:
        """The premises, and a run that refutes a conclusion."""
        met = self.met(instance, ask)
        kept = self.kept(instance, met, ask)
        setting = next(s for s in met if s not in kept)
        programs = syntax(instance)
        lines = [f"in {setting}"]
        lines += [f"{in_words(premise(*programs))}: holds" for premise in self.premises]
        for sides in self.conclusions(*programs):
            found = ask(COUNTEREXAMPLE, Instance(instance.n, sides), setting)
            if found is not None:
                lines += [f"{in_words(sides)}: refuted by this run", as_lines(found)]
        return "\n".join(lines)

    def dropping(self, premise: int) -> "Law":
        """The law without one of its premises."""
        return replace(self, premises=self.premises[:premise] + self.premises[premise + 1 :])

    def broken(self, listing: Listing) -> Without:
        """Finds the first instance of a level that breaks the law in Rel."""
        return failing(listing, replace(self, settings=(PAPER,)).check)


def row(
    id: str,
    label: str,
    text: str,
    law: Law,
    listing: Listing,
    *,
    noun: str,
    most: Mapping[int, int],
    premises: Sequence[str] = (),
    hypotheses: Sequence[Hypothesis] = (),
    limits: Sequence[str] = (),
    theorems: tuple[Theorem, ...] = (),
) -> Statement:
    """The statement that a law holds. Its named premises are hypotheses, dropped one at a time."""
    return Statement.of(
        id,
        label,
        Claim(
            text,
            check=law.check,
            hypotheses=(
                *(Hypothesis(name, law.dropping(k).broken(listing)) for k, name in enumerate(premises)),
                *hypotheses,
                *NOT_NEEDED,
            ),
            explain=law.explain,
            theorems=theorems,
        ),
        domain=Bounded(Listed(noun, listing), most),
        questions=(REFINES,),
        measure=SIZE,
        limits=(sizes(most), *limits, *LIMITS),
    )


def sizes(most: Mapping[int, int]) -> str:
    """How large the programs are, for people.

    >>> sizes({1: 2, 3: 2}).split("; ")[1]
    'at n = 3 up to 2 transmissions and repetitions that involve every process'
    """
    parts = [
        (
            {n: min(size, LARGEST.get(n, 0)) for n, size in most.items() if n <= 2},
            "up to {} atoms and repetitions of any kind",
        ),
        (
            {n: size for n, size in most.items() if n <= 2 and size > LARGEST.get(n, 0)},
            "also up to {} transmissions and repetitions",
        ),
        (
            {n: size for n, size in most.items() if n > 2},
            "up to {} transmissions and repetitions that involve every process",
        ),
    ]
    return "; ".join(f"{at} {text.format(size)}" for by_n, text in parts for at, size in grouped(by_n))
