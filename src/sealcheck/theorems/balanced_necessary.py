"""`th:psealable.balanced`: a non-divergent program that can be sealed properly is balanced.

Reading      by contraposition, of straight-line programs: none that is unbalanced has a seal.
             The composition P;S has to be able to complete when later programs send what is
             missing; to ask that P can complete alone would only leave programs out.  Compared
             is the set of seals found among all straight-line programs with few events, lone
             sends and receives included, and all sequences of few transmissions.
Refutation   an unbalanced program and a candidate that seals it.
Not claimed  that longer seals do not exist; nor anything about choice, loops and divergence.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck import explorer
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.programs.events import channels, mt
from sealcheck.programs.straight_line import Share, StraightLine
from sealcheck.theorems import interference
from sealcheck.theorems.ablation import completes, unbalanced
from sealcheck.theorems.domains import Listed, indexed_space
from sealcheck.theorems.following import crossed, following
from sealcheck.theorems.matching_functions import matchings
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

SEARCHED = {(2, 1): (4, 3), (2, 2): (3, 2), (2, 3): (1, 1), (3, 1): (2, 2), (3, 2): (1, 0)}
"""Levels (n, messages) -> how many events, and how many transmissions, the candidates have at most."""

Seals = frozenset[StraightLine]
IsSeal = Callable[[StraightLine, StraightLine], bool]


@lru_cache(maxsize=8)
def candidates(n: int, most_events: int, most_transmissions: int) -> tuple[StraightLine, ...]:
    """All programs with so many events at most, and all sequences of so many transmissions.

    >>> len(candidates(2, 1, 0)), len(candidates(2, 1, 1))
    (5, 7)
    """
    shares = [list(_shares(n, process, most_events)) for process in range(1, n + 1)]
    short = [StraightLine(chosen) for chosen in product(*shares) if sum(map(len, chosen)) <= most_events]
    sequences = [
        StraightLine.of(n, [event for channel in chosen for event in mt(*channel)])
        for length in range(most_transmissions + 1)
        for chosen in product(channels(n), repeat=length)
    ]
    return tuple(dict.fromkeys(short + sequences))


def _shares(n: int, process: int, most_events: int) -> Iterator[Share]:
    events = [e for channel in channels(n) for e in mt(*channel) if e.process == process]
    for length in range(most_events + 1):
        yield from product(events, repeat=length)


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The unbalanced programs of the level."""
    return iter(unbalanced(n, messages) if (n, messages) in SEARCHED else ())


def seals_of(p: StraightLine, is_seal: IsSeal) -> Seals:
    """The candidates that seal P and can complete after it."""
    level = p.n, max(p.messages, p.length - p.messages)
    return frozenset(s for s in candidates(p.n, *SEARCHED[level]) if completes(p.then(s)) and is_seal(p, s))


def by_matching(instance: Instance) -> Seals:
    """The seals for which no matching function takes a message across the end of P; all are tried."""
    return seals_of(instance.p, _never_crossed)


def _never_crossed(p: StraightLine, s: StraightLine) -> bool:
    program = p.then(s)
    return not any(crossed(p, matching) for matching in matchings(program.then(following(program))))


def by_exploring(instance: Instance) -> Seals:
    """The seals that the explorer confirms."""
    return seals_of(instance.p, explorer.seals)


def by_solving(instance: Instance, solver: Solver) -> Seals:
    """The seals that the solver confirms."""
    return seals_of(instance.p, lambda p, s: _is_seal(p, s, solver))


def _is_seal(p: StraightLine, s: StraightLine, solver: Solver) -> bool:
    """Whether no run of P;S has a message of P left over, or one that crosses the cut after P."""
    missing = max((-excess for excess in p.then(s).imbalance.values() if excess < 0), default=0)
    given = GivenRun([p, s], solver.order, later_sends=missing + 1)
    interferes = Or(interference.crosses(given), left_over(given))
    return not satisfiable(solver, [*axioms(given.run), interferes])


def left_over(given: GivenRun) -> FNode:
    """Some message of P is not received in the interval, so a later program may receive it."""
    sends = [name for name, event in given.events.items() if event.is_send and given.layer_of(name) == "P"]
    return Or(Not(Or(given.run.takers(send))) for send in sends)


def balanced(n: int, messages: int) -> Instance | None:
    """A balanced program and a seal of it."""
    pairs = ((p, s) for p in indexed_space(n, messages).programs() for s in candidates(n, 2, 2))
    return next((Instance.of(p, s) for p, s in pairs if explorer.seals(p, s)), None)


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """An unbalanced program and what seals it because the two can't complete together."""
    pairs = ((i.p, s) for i in unbalanced(n, messages) for s in candidates(n, 2, 0))
    return next((Instance.of(p, s) for p, s in pairs if explorer.seals(p, s)), None)


def _story(instance: Instance) -> str:
    seals = sorted(map(str, by_exploring(instance)))
    imbalance = ", ".join(f"{c}: {excess:+d}" for c, excess in instance.p.imbalance.items())
    return f"sends minus receives of P on {imbalance}\nyet P is sealed by: {' | '.join(seals)}"


_SIZES = "; ".join(
    f"{events} events or {transmissions} transmissions at n = {n}, messages = {messages}"
    for (n, messages), (events, transmissions) in SEARCHED.items()
)

STATEMENT = Statement(
    id="balanced-necessary",
    label="th:psealable.balanced",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a straight-line program that can be sealed properly is balanced",
            predicts=lambda instance: frozenset(),
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis(
            "P unbalanced", balanced, remark="Q seals P: the search does find seals of balanced programs"
        ),
        Hypothesis(
            "the composition with the seal can complete",
            with_deadlocks,
            remark="Q seals P because P;Q never gets to the end",
        ),
        Hypothesis(
            "non-divergent",
            remark="straight-line programs do not diverge: nothing here shows what it is needed for",
        ),
        Hypothesis(
            "the formal reading of the silent cut",
            remark="if the cut after P has to find all channels empty, the claim is immediate: after an"
            " unbalanced program some channel is not",
        ),
    ),
    domain=Listed("unbalanced programs", programs),
    ways={"algorithm": by_matching, "explorer": by_exploring},
    smt=by_solving,
    limits=(f"seals are looked for with at most {_SIZES}; other levels are left out",),
    per_shard=15,
)
