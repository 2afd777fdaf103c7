"""Section 4: sealability in Rel is undecidable, since the halting problem can be reduced to it.

Reading      the reduction that the lemma before it suggests: M does not communicate, and X is the program of
             `l:non-sealed`.  If M does not halt, M;X occurs over no finite interval, and anything seals it;
             if M halts, nothing does.  The checks ask if M halts, and which of a list of small programs seal
             M;X.  None of these can diverge, except for a repetition of messages.  A seal has no silent cut,
             which cannot be run, and would seal everything.
Refutation   a program M;X with the wrong seals.
Not claimed  undecidability, which no bound shows or refutes.  The checks illustrate the reduction, on loops
             that halt after few iterations, or go round for ever.
"""

from collections.abc import Iterator

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.syntax import Cut, Eps, Program, layered, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement

X = parse("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1")
"""The program of `l:non-sealed`; its values do not matter."""

LOOPS = (
    "while 1.z = 0 do 1.z := 1 od",
    "1.z := 0; while 1.z < 2 do 1.z := 1.z + 1 od",
    "while true do 1.z := 1 od",
    "1.z := 0; while 1.z < 1 do 1.z := 0 od",
)
"""The loops before X: two that halt after few iterations, and two that do not."""

CANDIDATES = (
    "eps",
    "mt 1->2",
    "mt 1->2; mt 2->1",
    "snd 1->2; mt 2->1; rcv 2<-1",
    "mt 1->2 + mt 2->1",
    "(mt 1->2)*",
)
"""The candidates for a seal."""

FIRST: dict[Program, Program] = {X: Eps()} | {layered(m, X): m for m in map(parse, LOOPS)}
"""For every program M;X of the list its M."""


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The programs M;X, which have two processes and two messages."""
    if (n, messages) == (2, 2):
        yield from (Instance(2, (program,)) for program in FIRST)


def halts(instance: Instance, ask: Ask) -> bool:
    """Whether M gets to its end."""
    (p,) = syntax(instance)
    return ask(OCCURS, Instance(instance.n, (FIRST[p],)))


def sealing(instance: Instance, ask: Ask) -> list[str]:
    """The candidates that seal M;X."""
    (p,), n = syntax(instance), instance.n
    sealed = ask.all(REFINES, [Instance(n, seals(p, parse(text))) for text in CANDIDATES])
    return [text for text, is_sealed in zip(CANDIDATES, sealed, strict=True) if is_sealed]


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that M;X is sealed by everything if M does not halt, and by nothing if it does."""
    return Outcome.of(sealing(instance, ask) == ([] if halts(instance, ask) else list(CANDIDATES)))


def with_cuts(n: int, messages: int, ask: Ask) -> Instance | None:
    """X and the silent cut, which seals it: ≀P≀ refines P≀≀, for any P."""
    pair = Instance(2, (X, Cut()))
    is_sealed = (n, messages) == (2, 2) and ask(REFINES, Instance(2, seals(X, Cut())))
    return pair if is_sealed else None


def _explain(instance: Instance, ask: Ask) -> str:
    return (
        f"P ends with X, and {'occurs' if halts(instance, ask) else 'never occurs'}\n"
        f"it is sealed by: {' | '.join(sealing(instance, ask))}"
    )


STATEMENT = Statement.of(
    "sealability-undecidable",
    'section 4, "Sealability in Rel is undecidable"',
    Claim(
        "it is undecidable whether a program can be sealed properly in Rel, since M;X can be iff M does"
        " not halt",
        check=printed,
        hypotheses=(
            Hypothesis("M does not communicate", remark="it is chosen so"),
            Hypothesis(
                "seals have no silent cut",
                with_cuts,
                remark="Q seals P: cut;P;cut refines P;cut;cut, so with it everything could be sealed",
            ),
        ),
        explain=_explain,
    ),
    domain=Listed("programs M;X", programs),
    questions=(OCCURS, REFINES),
    not_boundable="undecidability is about all programs at once: no bound on them shows it",
    limits=(
        f"M is eps or one of {len(LOOPS)} loops; {len(CANDIDATES)} small programs are tried as seals; loops"
        f" are gone through {PAPER.unroll} times, which is as often as those that halt need",
    ),
)
