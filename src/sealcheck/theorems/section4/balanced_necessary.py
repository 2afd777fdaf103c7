"""`th:psealable.balanced`: a program with a proper seal is balanced, in Rel.

Of straight-line programs; as printed, of all programs, it is refuted:

Reading      by contraposition: no unbalanced program has a seal.  The seal must have no silent cut, which
             would seal anything.  The composition P;S has to be able to complete when later programs send
             the missing messages; P alone need not be able to.  A seal is a straight-line program.
Refutation   an unbalanced program and a program that seals it.  There is none, of any length, if P has no
             run in which all its messages are received in it, and no others: `closed_run` has the argument.
             The check asks for such a run; besides, the short programs are tried as seals one by one.
Not claimed  anything about choice, loops and divergence.  A program that had such a run and no short seal
             would be left undecided.

For the whole language:

Reading      P and Q are programs of two processes; Q seals P, and can complete after every path of P. All
             repetitions are finite, so that no seal diverges.
Refutation   a pair with an unbalanced P.  The printed proof lets a later program receive a message that P
             left over.  It overlooks two things.  A silent cut in P or in Q forbids that.  And if Q seals P,
             each occurrence of ≀P;Q has some silent cut at which P may have ended, but P need not have ended
             there: if P may or may not receive its message, and Q does what P left undone, Q seals P without
             any silent cut.
Repaired     neither P nor Q has a silent cut, and wherever P may have ended when Q begins, the cut is
             silent.  Then Q seals P, and the printed proof applies.  Of a P without choice and repetition
             the last condition asks no more than that Q seals P: there is one cut at which P can have
             ended.
Not claimed  infinite occurrences.  That Q can complete is asked after every path of P, not in every run.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import product

from sealcheck.errors import LimitReached
from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import Share, StraightLine, channels, mt
from sealcheck.programs.syntax import Cut, Program, as_program, has_cut, layered, paths, seals
from sealcheck.questions.closed_channels import CLOSED_RUN
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import (
    BALANCED,
    FINDS_SILENCE,
    OCCURS,
    REFINES,
    UNBALANCED_RUN,
    syntax,
)
from sealcheck.theorems.checking.domains import Bounded, Listed, every, indexed_space
from sealcheck.theorems.checking.examples import transmitting_at_most
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, completes, failing, unbalanced
from sealcheck.theorems.checking.laws import as_lines
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.small_programs import SIZE, tuples
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Hypothesis,
    Outcome,
    Repaired,
    Statement,
    Without,
)
from sealcheck.words import counted

LEVELS = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2))
"""The levels (n, messages) of the programs P."""

SEARCHED = {(2, 1): (3, 2), (2, 2): (1, 1), (3, 1): (1, 1)}
"""Levels -> how many events, and how many transmissions, the programs tried as seals have at most."""


@lru_cache(maxsize=8)
def candidates(n: int, most_events: int, most_transmissions: int) -> tuple[StraightLine, ...]:
    """All programs with so many events at most, and all sequences of so many transmissions.

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
    """P with every program that is tried as a seal of it, and can complete after it."""
    level = p.n, max(p.messages, p.length - p.messages)
    listed = candidates(p.n, *SEARCHED[level]) if level in SEARCHED else ()
    return [Instance.of(p, s) for s in listed if completes(p.then(s))]


def sealing(p: StraightLine, ask: Ask) -> list[StraightLine]:
    """The candidates that seal P."""
    pairs = tried(p)
    return [pair.q for pair, is_sealed in zip(pairs, ask.all(IS_SEAL, pairs), strict=True) if is_sealed]


def has_no_seal(instance: Instance, ask: Ask) -> Outcome:
    """Check that nothing seals P.  Raises LimitReached if P has a closed run, but no short seal."""
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
    """The first unbalanced program of a level that the silent cut seals, and can complete after."""
    for instance in programs(n, messages):
        p = as_program(instance.p)
        occurs = ask(OCCURS, Instance(n, (layered(Cut(), p, Cut()),)))
        if occurs and ask(REFINES, Instance(n, seals(p, Cut()))):
            return Instance(n, (instance.p, Cut()))
    return None


def _explain_sealing(instance: Instance, ask: Ask) -> str:
    imbalance = ", ".join(f"{c}: {excess:+d}" for c, excess in instance.p.imbalance.items())
    sealed_by = " | ".join(sorted(map(str, sealing(instance.p, ask))))
    return f"sends minus receives of P on {imbalance}\nyet P is sealed by: {sealed_by}"


_SIZES = "; ".join(
    f"{counted(events, 'event')} or {counted(transmissions, 'transmission')} at n = {n},"
    f" messages = {messages}"
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
                remark="Q seals P: the search does find seals of balanced programs",
            ),
            Hypothesis(
                "the seal has no silent cut",
                sealed_by_a_cut,
                remark="Q seals P: so the printed theorem fails (balanced-necessary-whole-language)",
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
                remark="straight-line programs do not diverge: nothing here shows what it is needed for",
            ),
            Hypothesis(
                "the formal reading of the silent cut",
                remark="if the cut after P has to find all channels empty, the claim is immediate: after"
                " an unbalanced program some channel is not",
            ),
        ),
        explain=_explain_sealing,
        theorems=in_coq(
            "BalancedNecessary.v",
            "balanced_necessary",
            "straight-line P, whatever the seal but silent cuts, no self-channels; finite intervals",
        ),
    ),
    domain=Listed("unbalanced programs", programs),
    questions=(CLOSED_RUN, IS_SEAL, REFINES, OCCURS),
    limits=(
        "P is of the levels " + ", ".join(f"n = {n}, messages = {messages}" for n, messages in LEVELS),
        "straight-line programs of any length are ruled out as seals, by asking for a closed run of P; tried"
        f" one by one are those of at most {_SIZES}",
    ),
)


EXAMPLES = (
    ("2.x := 0; snd 1->2 (1); (eps + rcv 2<-1 (x))", "([2.x = 0]; rcv 2<-1 (x) + [2.x != 0]); mt 2->1"),
    ("snd 1->2 + mt 1->2", "(eps + rcv 2<-1); cut"),
)
"""P may or may not receive its message.  Q receives it if P did not, and nothing can come in between."""

Condition = Callable[[Instance, Ask, Semantics], bool]
"""A condition on a pair."""


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """Pairs of small programs; then the examples, which are larger."""
    yield from tuples(n, messages, 2)
    if messages == 3:
        yield from (Instance(2, (parse(p), parse(q))) for p, q in EXAMPLES)


def can_complete(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> bool:
    """Whether ≀P occurs, and on every path of P on which it does, ≀P;Q does, too."""
    p, q = syntax(instance)

    def occurring(programs: list[Program]) -> list[Program]:
        occurs = ask.all(OCCURS, [(Instance(instance.n, (program,)), semantics) for program in programs])
        return [program for program, found in zip(programs, occurs, strict=True) if found]

    begun = [layered(Cut(), *path) for path in sorted(paths(p, semantics.unroll), key=repr)]
    passed = occurring(begun)
    return bool(passed) and len(occurring([layered(path, q) for path in passed])) == len(passed)


def is_sealed(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> bool:
    """Whether Q seals P."""
    return ask(REFINES, Instance(instance.n, seals(*syntax(instance))), semantics)


def is_balanced(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> bool:
    """Whether P is balanced."""
    return ask(BALANCED, Instance(instance.n, syntax(instance)[:1]), semantics)


def _has_no_cut(program: Program) -> bool:
    return not any(map(has_cut, paths(program)))


SILENCE = "silence wherever P may have ended"

CONDITIONS: dict[str, Condition] = {
    "no silent cut in P": lambda instance, ask, semantics: _has_no_cut(syntax(instance)[0]),
    "no silent cut in Q": lambda instance, ask, semantics: _has_no_cut(syntax(instance)[1]),
    "Q can complete after P": can_complete,
    SILENCE: lambda instance, ask, semantics: ask(FINDS_SILENCE, instance, semantics),
}
"""The hypotheses of the repaired claim."""


def balanced_if(
    instance: Instance, ask: Ask, conditions: Iterable[Condition], semantics: Semantics = PAPER
) -> Outcome:
    """Check that P is balanced, if all conditions are met."""
    if not all(met(instance, ask, semantics) for met in conditions):
        return Outcome.VACUOUS
    return Outcome.of(is_balanced(instance, ask, semantics))


PRINTED = (can_complete, is_sealed)
"""The hypotheses of the printed claim."""

printed = partial(balanced_if, conditions=PRINTED)
"""That P is balanced, if Q can complete after it and seals it."""

repaired = partial(balanced_if, conditions=CONDITIONS.values())
"""That P is balanced, if the hypotheses of the repaired claim are met."""


def smallest_failing(conditions: tuple[Condition, ...], semantics: Semantics = PAPER) -> Without:
    """Find the smallest pair that meets these conditions and has an unbalanced P.

    Balance is asked about first: few programs P are not balanced.
    """

    def unbalanced_p(instance: Instance, ask: Ask, semantics: Semantics) -> bool:
        return not is_balanced(instance, ask, semantics)

    weaker = partial(balanced_if, conditions=(unbalanced_p, *conditions), semantics=semantics)
    return failing(lambda n, m: sorted(every(DOMAIN)(n, m), key=lambda pair: pair.size), weaker)


def without(dropped: str, *instead: Condition) -> Without:
    """Finds the smallest pair that meets all hypotheses but one, of which P is not balanced."""
    others = (met for name, met in CONDITIONS.items() if name != dropped)
    return smallest_failing((*others, *instead))


def _explain(instance: Instance, ask: Ask) -> str:
    p, q = syntax(instance)
    found = ask(UNBALANCED_RUN, Instance(instance.n, (p,)))
    lines = ["from empty channels P can end with more sends than receives on a channel, or fewer:"]
    if found is not None:
        lines.append(as_lines(found))
    lines.append("yet Q seals P, and can complete after it:")
    if not (_has_no_cut(p) and _has_no_cut(q)):
        lines.append("a message that P leaves over may not be received later, because of the silent cut")
    else:
        lines.append("where Q receives the message, the events are also those of a P that received it itself")
        lines.append("and in that reading of the interval the cut between P and Q is silent")
    return "\n".join(lines)


DOMAIN = Bounded(Listed("pairs of programs", pairs), {2: 3})

NON_DIVERGENT = Hypothesis("non-divergent", remark="no bound reaches infinite intervals")

WHOLE_LANGUAGE = Statement.of(
    "balanced-necessary-whole-language",
    "th:psealable.balanced",
    Claim(
        "in Rel, a program that does not diverge and can be sealed properly is balanced",
        check=printed,
        hypotheses=(
            Hypothesis(
                "the formal reading of the silent cut",
                smallest_failing(PRINTED, EMPTY_CUT),
                remark="the printed claim fails under the other reading, too",
            ),
            NON_DIVERGENT,
        ),
        explain=_explain,
        refutations=in_coq(
            "Refutations.v",
            "balanced_necessary_as_printed",
            "snd 1->2, sealed by the silent cut; finite intervals",
        ),
        fails_at=(2, 2),
    ),
    Repaired(
        "in Rel without self-channels, over finite intervals, a program without silent cuts is balanced"
        " if a program without silent cuts can complete after it and finds silence wherever the first"
        " one may have ended",
        check=repaired,
        hypotheses=(
            *(Hypothesis(name, without(name)) for name in list(CONDITIONS)[:-1]),
            Hypothesis(
                SILENCE, without(SILENCE, is_sealed), remark="what follows from it is kept: Q seals P"
            ),
            NON_DIVERGENT,
        ),
        explain=_explain,
        theorems=in_coq(
            "BalancedNecessary.v",
            "balanced_necessary_whole_language",
            "all programs, no self-channels; finite intervals",
        ),
    ),
    domain=DOMAIN,
    questions=(OCCURS, REFINES, FINDS_SILENCE, BALANCED),
    measure=SIZE,
    limits=(
        "all pairs over two processes with up to 2 atoms and repetitions in all, pairs built of 3"
        " transmissions and repetitions, and two larger examples; the bound on messages is one on size",
        f"repetitions up to {PAPER.unroll} times; in executions there are, before and after the interval, one"
        " event and one for each receive without its send; values start as 0 or 1 there, the solvers know"
        " all integers",
    ),
)
