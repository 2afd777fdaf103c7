"""Laws of refinement: if some refinements hold, then so do others, in whatever set of runs.

A law of the paper speaks of any set of runs.  It is tried in Rel, under both readings of the silent cut,
and in RelFi, on all small programs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import Refinement
from sealcheck.programs.syntax import Choice, Cut, Layering, Program, Receive, Repetition
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import holds_when_played, holds_when_solved, refutation, syntax, told
from sealcheck.theorems.small_programs import LARGEST, is_transmission
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

Listing = Callable[[int, int], Iterator[Instance]]

UNROLL = 2
"""How many iterations of a repetition are gone through."""

LIMITS = (
    "atoms are snd, rcv and mt on every channel, a receive of process 1 into its variable x, 1.x := 1,"
    " [1.x = 0], cut, and eps as an alternative",
    "of all sets of runs, Rel and RelFi are tried, the latter under the formal reading of the cut only",
    f"repetitions have {UNROLL} iterations at most; in plays values start as 0 or 1, and before and after the"
    " interval there are one event that interferes, or the two of a message that crosses the interval, and"
    " one for each receive without its send",
    "intervals are finite: what the infinitely many repetitions of a program add is not looked at",
)


class Setting(NamedTuple):
    """A set of runs, and what a silent cut is."""

    model: Model
    reading: CutReading

    def __str__(self) -> str:
        return f"{self.model.value}/{self.reading.value}"


IN_REL = Setting(Model.REL, CutReading.MATCHING)
"""Rel, and the formal reading of the silent cut."""

SETTINGS = (IN_REL, Setting(Model.REL, CutReading.EMPTY), Setting(Model.REL_FIFO, CutReading.MATCHING))
"""In RelFi only the formal reading is tried, to save time."""

NOT_NEEDED = (
    Hypothesis(
        "deadlock-free",
        remark="not needed here: programs that deadlock, or never occur, are among those that are checked",
    ),
    Hypothesis(
        "the formal reading of the silent cut",
        remark="not needed here: in Rel every instance is checked under both readings",
    ),
)

Holds = Callable[[Refinement, int, Setting], bool]


def outside(program: Program) -> int:
    """How many events a play of the program has before and after it.

    What lone receives take; and one that interferes, or both ends of a message that crosses the
    whole interval, which none does that starts at a silent cut.

    >>> from sealcheck.language.parser import parse
    >>> [outside(parse(text)) for text in ("cut; mt 1->2", "mt 1->2", "cut; rcv 2<-1; mt 1->2")]
    [1, 2, 2]
    """
    starts_silent = isinstance(program, Layering) and program.parts[0] == Cut()
    return (1 if starts_silent else 2) + lone_receives(program)


def lone_receives(program: Program) -> int:
    """The most receives along a path that do not directly follow their send; repetitions are done once."""
    match program:
        case Layering(parts):
            return sum(map(lone_receives, parts)) - sum(map(is_transmission, pairwise(parts)))
        case Choice(alternatives):
            return max(map(lone_receives, alternatives))
        case Repetition(body):
            return lone_receives(body)
        case _:
            return int(isinstance(program, Receive))


@lru_cache(maxsize=1 << 16)
def played(sides: Refinement, n: int, setting: Setting) -> bool:
    """Whether no play refutes the refinement; premises recur from one tuple of programs to the next."""
    model, reading = setting
    most = outside(sides[0])
    return holds_when_played(sides, n, model=model, reading=reading, outside=most, unroll=UNROLL)


_SOLVED: WeakKeyDictionary[Solver, dict[tuple[Refinement, int, Setting], bool]] = WeakKeyDictionary()


def solved_by(solver: Solver) -> Holds:
    """Whether the solver finds no run that refutes a refinement; it is asked once.  Raises LimitReached."""
    known = _SOLVED.setdefault(solver, {})

    def holds(sides: Refinement, n: int, setting: Setting) -> bool:
        key = sides, n, setting
        if key not in known:
            model, reading = setting
            known[key] = holds_when_solved(sides, n, solver, model=model, reading=reading, unroll=UNROLL)
        return known[key]

    return holds


def named(settings: Iterable[Setting]) -> tuple[str, ...]:
    """The settings as values that people can read."""
    return tuple(map(str, settings))


@dataclass(frozen=True)
class Law:
    """Of some programs: if all premises hold, then so do all conclusions.

    The truth about an instance is the settings in which the premises hold, and those of them in
    which the conclusions do, too.
    """

    premises: tuple[Callable[..., Refinement], ...]
    conclusions: Callable[..., tuple[Refinement, ...]]

    def met(self, instance: Instance, holds: Holds) -> tuple[Setting, ...]:
        """The settings in which all premises hold."""
        programs = syntax(instance)
        return tuple(
            setting
            for setting in SETTINGS
            if all(holds(premise(*programs), instance.n, setting) for premise in self.premises)
        )

    def fails(self, instance: Instance, setting: Setting, holds: Holds) -> bool:
        """Whether some conclusion fails in that setting."""
        return not all(holds(sides, instance.n, setting) for sides in self.conclusions(*syntax(instance)))

    def _truth(self, instance: Instance, holds: Holds) -> Truth:
        met = self.met(instance, holds)
        if not met:
            return VACUOUS
        return named(met), named(s for s in met if not self.fails(instance, s, holds))

    def when_played(self, instance: Instance) -> Truth:
        """By playing."""
        return self._truth(instance, played)

    def when_solved(self, instance: Instance, solver: Solver) -> Truth:
        """By solving."""
        return self._truth(instance, solved_by(solver))

    def predicts(self, instance: Instance) -> Truth:
        """That the conclusions hold wherever the premises do."""
        met = named(self.met(instance, played))
        return met, met

    def story(self, instance: Instance) -> str:
        """What holds, and a run that is against a conclusion."""
        met = [s for s in self.met(instance, played) if self.fails(instance, s, played)]
        programs = syntax(instance)
        lines = [f"in {met[0]}"]
        lines += [f"{_said(premise(*programs))}: holds" for premise in self.premises]
        for sides in self.conclusions(*programs):
            found = refutation(sides, instance.n, model=met[0].model, reading=met[0].reading)
            if found is not None:
                lines += [f"{_said(sides)}: a run is against it", told(found)]
        return "\n".join(lines)

    def dropping(self, premise: int) -> "Law":
        """The law without one of its premises."""
        return Law(self.premises[:premise] + self.premises[premise + 1 :], self.conclusions)

    def broken(self, listing: Listing) -> Callable[[int, int], Instance | None]:
        """Finds the first instance of a level that breaks the law in Rel."""
        return lambda n, size: next(filter(self._breaks, listing(n, size)), None)

    def _breaks(self, instance: Instance) -> bool:
        programs = syntax(instance)
        met = all(played(premise(*programs), instance.n, IN_REL) for premise in self.premises)
        return met and self.fails(instance, IN_REL, played)


def _said(sides: Refinement) -> str:
    left, right = map(show, sides)
    return f"{left}  refines  {right}"


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
    per_shard: int,
) -> Statement:
    """The statement that a law holds; each of its premises is named, and dropped once."""
    return Statement(
        id=id,
        label=label,
        claims=(Claim(Form.AS_PRINTED, text, predicts=law.predicts, story=law.story),),
        hypotheses=(
            *(Hypothesis(name, law.dropping(k).broken(listing)) for k, name in enumerate(premises)),
            *hypotheses,
            *NOT_NEEDED,
        ),
        domain=Capped(Listed(noun, listing), most),
        ways={"plays": law.when_played},
        smt=law.when_solved,
        limits=(sizes(most), *limits, *LIMITS),
        per_shard=per_shard,
    )


def sizes(most: Mapping[int, int]) -> str:
    """How large the programs are, for people.

    >>> sizes({1: 2, 3: 2}).split("; ")[1]
    'at n = 3 up to 2 transmissions and repetitions, in which each process takes part'
    """
    parts = []
    for n, size in most.items():
        every = min(size, LARGEST.get(n, 0))
        if n > 2:
            parts.append(
                f"at n = {n} up to {size} transmissions and repetitions, in which each process takes part"
            )
            continue
        parts.append(f"at n = {n} up to {every} atoms and repetitions of any kind")
        if size > every:
            parts[-1] += f", and up to {size} transmissions and repetitions"
    return "; ".join(parts)
