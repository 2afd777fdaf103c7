"""`th:psealable.balanced`, of straight-line programs: a program with a proper seal is balanced.

The printed theorem, about all programs, is refuted: see `balanced-necessary-whole-language`.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. A seal is proper if it never runs forever. In a *closed run* of P, its receives
             take all messages of P and no others.

Reading      by contraposition, an unbalanced program P has no seal S. S is a straight-line program without a
             silent cut (a moment without messages in transit), because a silent cut would seal anything. P;S
             must be able to complete if later programs send the missing messages.

Refutation   an unbalanced program P and a program that seals it. If P has no closed run, no seal of any
             length exists. The check asks for a closed run, and also tries short programs as seals, one by
             one.

Not claimed  anything about choice, loops and divergence. A program with a closed run and without a short seal
             would be left undecided.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from sealcheck.errors import LimitReached
from sealcheck.programs.straight_line import Share, StraightLine, channels, mt
from sealcheck.programs.syntax import Cut, as_program, layered, seals
from sealcheck.questions.closed_channels import CLOSED_RUN
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.domains import Listed, indexed_space
from sealcheck.theorems.checking.examples import transmitting_at_most
from sealcheck.theorems.checking.hypotheses import completes, failing, unbalanced
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Hypothesis, Outcome, Repaired, Statement
from sealcheck.words import counted

LEVELS = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2))
"""The levels (n, messages) of the programs P."""

SEARCHED = {(2, 1): (3, 2), (2, 2): (1, 1), (3, 1): (1, 1)}
"""For each level of P, the bounds on events and on transmissions of candidates for seals."""


@lru_cache(maxsize=8)
def candidates(n: int, most_events: int, most_transmissions: int) -> tuple[StraightLine, ...]:
    """All programs of at most `most_events` events, and all sequences of at most `most_transmissions`.

    >>> len(candidates(2, 1, 0)), len(candidates(2, 1, 1))
    (5, 7)
    """
    shares = [list(_shares(n, process, most_events)) for process in range(1, n + 1)]
    short = [StraightLine(chosen) for chosen in product(*shares) if sum(map(len, chosen)) <= most_events]
    return tuple(dict.fromkeys(short + transmitting_at_most(n, most_transmissions, channels(n))))


def _shares(n: int, process: int, most_events: int) -> Iterator[Share]:
    events = [e for channel in channels(n) for e in mt(*channel) if e.process == process]
    for length in range(most_events + 1):
        yield from product(events, repeat=length)


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The unbalanced programs of the level."""
    return iter(unbalanced(n, messages) if (n, messages) in LEVELS else ())


def tried(p: StraightLine) -> list[Instance]:
    """The pairs of P and a candidate that can complete after P."""
    level = p.n, max(p.messages, p.length - p.messages)
    listed = candidates(p.n, *SEARCHED[level]) if level in SEARCHED else ()
    return [Instance.of(p, s) for s in listed if completes(p.then(s))]


def sealing(p: StraightLine, ask: Ask) -> list[StraightLine]:
    """The candidates that seal P."""
    pairs = tried(p)
    return [pair.q for pair, is_sealed in zip(pairs, ask.all(IS_SEAL, pairs), strict=True) if is_sealed]


def has_no_seal(instance: Instance, ask: Ask) -> Outcome:
    """Check that no program seals P. Raises LimitReached if P has a closed run, but no short seal."""
    has_closed_run = ask(CLOSED_RUN, instance)
    if sealing(instance.p, ask):
        return Outcome.FAILS
    if has_closed_run:
        raise LimitReached(f"'{instance}' has a closed run, and may have a longer seal")
    return Outcome.HOLDS


def is_no_seal(instance: Instance, ask: Ask) -> Outcome:
    """Check that Q does not seal P."""
    return Outcome.of(not ask(IS_SEAL, instance))


def sealed_by_a_cut(n: int, messages: int, ask: Ask) -> Instance | None:
    """The first unbalanced program of a level that a silent cut seals and can follow."""
    for instance in programs(n, messages):
        p = as_program(instance.p)
        occurs = ask(OCCURS, Instance(n, (layered(Cut(), p, Cut()),)))
        if occurs and ask(REFINES, Instance(n, seals(p, Cut()))):
            return Instance(n, (instance.p, Cut()))
    return None


def _explain(instance: Instance, ask: Ask) -> str:
    imbalance = ", ".join(f"{c}: {excess:+d}" for c, excess in instance.p.imbalance.items())
    sealed_by = " | ".join(sorted(map(str, sealing(instance.p, ask))))
    return f"sends minus receives of P on {imbalance}\nyet P is sealed by: {sealed_by}"


_SIZES = "; ".join(
    f"{counted(events, 'event')} or {counted(transmissions, 'transmission')} at ({n}, {messages})"
    for (n, messages), (events, transmissions) in SEARCHED.items()
)

STATEMENT = Statement.of(
    "balanced-necessary",
    "th:psealable.balanced",
    Repaired(
        "in Rel without self-channels, a straight-line program is balanced if a program without silent"
        " cuts seals it and can complete after it",
        check=has_no_seal,
        hypotheses=(
            Hypothesis(
                "P unbalanced",
                failing(
                    lambda n, m: (
                        Instance.of(p, s) for p in indexed_space(n, m).programs() for s in candidates(n, 2, 2)
                    ),
                    is_no_seal,
                ),
                remark="Q seals P, so the search does find seals of balanced programs",
            ),
            Hypothesis(
                "the seal has no silent cut",
                sealed_by_a_cut,
                remark="Q seals P, so the printed theorem fails: see balanced-necessary-whole-language",
            ),
            Hypothesis(
                "the composition with the seal can complete",
                failing(
                    lambda n, m: (Instance.of(i.p, s) for i in unbalanced(n, m) for s in candidates(n, 2, 0)),
                    is_no_seal,
                ),
                remark="Q seals P because P;Q never gets to the end",
            ),
            Hypothesis(
                "non-divergent",
                remark="straight-line programs do not diverge, so nothing here shows that it is needed",
            ),
            Hypothesis(
                "the formal reading of the silent cut",
                remark="if the cut after P has to find all channels empty, the claim is immediate: after an"
                " unbalanced program some channel is not empty",
            ),
        ),
        explain=_explain,
        theorems=in_coq(
            "BalancedNecessary.v",
            "balanced_necessary",
            "straight-line P, whatever the seal but silent cuts, no self-channels; finite intervals",
        ),
    ),
    domain=Listed("unbalanced programs", programs),
    questions=(CLOSED_RUN, IS_SEAL, REFINES, OCCURS),
    limits=(
        "P is of the levels (n, messages) = " + ", ".join(f"({n}, {messages})" for n, messages in LEVELS),
        "the checks ask for a run of P whose receives take all messages of P and no others. If there is none,"
        " no straight-line program seals P",
        f"short programs are also tried as seals of P, depending on its level: at most {_SIZES}",
    ),
)
