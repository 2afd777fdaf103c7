"""Section 4: sealability in Rel is undecidable, since the halting problem can be reduced to it.

Reading      the reduction that the lemma before it suggests: M communicates with nobody, and X is the
             program of `l:non-sealed`.  If M does not halt, M;X occurs over no finite interval, and
             anything seals it; if M halts, nothing does.  Compared is the set of seals among a list
             of small programs, none of which can diverge but for a repetition of messages.
             A seal has no silent cut, which nobody could run, and which would seal everything.
Refutation   a program M;X with the wrong seals.
Not claimed  undecidability, which no bound shows or refutes.  What is checked illustrates the reduction,
             on loops that halt after few iterations, or go round for ever.
"""

from collections.abc import Iterator
from functools import lru_cache

from sealcheck.encodings.solving import Solver
from sealcheck.language.parser import parse
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import Cut, Program, layered
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.paths import UNROLL
from sealcheck.theorems.refining import holds_when_played, holds_when_solved, occurs_when_played, syntax
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

X = parse("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1")
"""The program of `l:non-sealed`; what it sends does not matter."""

LOOPS = [
    "while 1.z = 0 do 1.z := 1 od",
    "1.z := 0; while 1.z < 2 do 1.z := 1.z + 1 od",
    "while true do 1.z := 1 od",
    "1.z := 0; while 1.z < 1 do 1.z := 0 od",
]
"""What comes before X, if anything: two loops that halt, within `UNROLL` iterations, and two that do not."""

CANDIDATES = [
    "eps",
    "mt 1->2",
    "mt 1->2; mt 2->1",
    "snd 1->2; mt 2->1; rcv 2<-1",
    "mt 1->2 + mt 2->1",
    "(mt 1->2)*",
]
"""What is tried as a seal."""

Seals = frozenset[str]


@lru_cache(maxsize=1)
def halting() -> dict[Program, bool]:
    """For every program M;X of the list whether M halts within `UNROLL` iterations."""
    found = {X: True}
    for m in map(parse, LOOPS):
        found[layered(m, X)] = occurs_when_played(m, 2, outside=0, unroll=UNROLL)
    return found


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The programs M;X, which have two processes and two messages."""
    if (n, messages) == (2, 2):
        yield from (Instance(2, (program,)) for program in halting())


def printed(instance: Instance) -> Seals:
    """All candidates if M does not halt, else none."""
    (p,) = syntax(instance)
    return frozenset() if halting()[p] else frozenset(CANDIDATES)


def with_cuts(n: int, messages: int) -> Instance | None:
    """X and the silent cut, which seals it: ≀P≀ refines P≀≀, whatever P."""
    if (n, messages) != (2, 2) or not holds_when_played(seals(X, Cut()), 2, outside=1, unroll=UNROLL):
        return None
    return Instance(2, (X, Cut()))


def when_played(instance: Instance) -> Seals:
    """The candidates that no play shows not to seal M;X."""
    (p,) = syntax(instance)
    return frozenset(
        text for text in CANDIDATES if holds_when_played(seals(p, parse(text)), 2, outside=1, unroll=UNROLL)
    )


def when_solved(instance: Instance, solver: Solver) -> Seals:
    """The candidates of which the solver finds no run that shows them not to seal M;X."""
    (p,) = syntax(instance)
    return frozenset(
        text for text in CANDIDATES if holds_when_solved(seals(p, parse(text)), 2, solver, unroll=UNROLL)
    )


def _story(instance: Instance) -> str:
    (p,) = syntax(instance)
    return (
        f"P ends with X, and {'occurs' if halting()[p] else 'never occurs'}\n"
        f"it is sealed by: {' | '.join(sorted(when_played(instance)))}"
    )


STATEMENT = Statement(
    id="sealability-undecidable",
    label='section 4, "Sealability in Rel is undecidable"',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "it is undecidable whether a program can be sealed properly in Rel, since M;X can be iff M does"
            " not halt",
            predicts=printed,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("M does not communicate", remark="it is chosen so"),
        Hypothesis(
            "seals have no silent cut",
            with_cuts,
            remark="Q seals P: cut;P;cut refines P;cut;cut, so with it everything could be sealed",
        ),
    ),
    domain=Listed("programs M;X", programs),
    ways={"plays": when_played},
    smt=when_solved,
    not_boundable="undecidability is about all programs at once: no bound on them shows it",
    limits=(
        f"M is eps or one of {len(LOOPS)} loops; {len(CANDIDATES)} small programs are tried as seals; loops"
        f" are gone through {UNROLL} times",
    ),
    per_shard=2,
)
