"""Section 4: sealability in Rel is undecidable, since the halting problem can be reduced to it.

Words        ≀ is the silent cut, a moment without messages in transit. Q seals P if P's receives take only
             messages of P, in every run of P;Q from empty channels, whatever follows.

Reading      the halting problem of two-counter machines is undecidable (Minsky 1967). A machine becomes a
             program M that does not communicate. If M does not halt, M;snd 1->2 occurs over no finite
             interval, and everything seals it. If M halts, the message is left over, and nothing seals it.

             Only programs without silent cuts count as seals, since a silent cut would seal everything. If P
             can complete, P followed by its seal must be able to complete, too.

             The paper may mean X of `l:non-sealed` instead of snd 1->2, but a program with a guard seals X.

Refutation   a program M;snd 1->2 that has a seal although M halts, or that some program does not seal
             although M does not halt. The checks ask whether M halts, and which small programs of a list seal
             M;snd 1->2. The only program of the list that can run forever is (mt 1->2)*.

Not claimed  that checks show undecidability. The checks illustrate the reduction, on loops that halt after
             few iterations or never. Nothing is claimed about intervals in which M runs forever.

Every n      `proofs/theory/SealabilityUndecidable.v` has the machines, their programs, and the reduction.
"""

from collections.abc import Iterator

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.syntax import Cut, Eps, Program, layered, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement

LEFT_OVER = parse("snd 1->2")
"""A message that no process receives; its value does not matter."""

LOOPS = (
    "while 1.z = 0 do 1.z := 1 od",
    "1.z := 0; while 1.z < 2 do 1.z := 1.z + 1 od",
    "while true do 1.z := 1 od",
    "1.z := 0; while 1.z < 1 do 1.z := 0 od",
)
"""The loops before snd 1->2: two that halt after few iterations, and two that do not halt."""

CANDIDATES = (
    "eps",
    "mt 1->2",
    "mt 1->2; mt 2->1",
    "snd 1->2; mt 2->1; rcv 2<-1",
    "mt 1->2 + mt 2->1",
    "(mt 1->2)*",
)

FIRST: dict[Program, Program] = {LEFT_OVER: Eps()} | {layered(m, LEFT_OVER): m for m in map(parse, LOOPS)}
"""For every program M;snd 1->2 of the list, its M."""


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The programs M;snd 1->2, which have two processes and one message."""
    if (n, messages) == (2, 1):
        yield from (Instance(2, (program,)) for program in FIRST)


def halts(instance: Instance, ask: Ask) -> bool:
    """Whether M gets to its end."""
    (p,) = syntax(instance)
    return ask(OCCURS, Instance(instance.n, (FIRST[p],)))


def sealing(instance: Instance, ask: Ask) -> list[str]:
    """The candidates that seal M;snd 1->2."""
    (p,), n = syntax(instance), instance.n
    sealed = ask.all(REFINES, [Instance(n, seals(p, parse(text))) for text in CANDIDATES])
    return [text for text, is_sealed in zip(CANDIDATES, sealed, strict=True) if is_sealed]


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that M;snd 1->2 is sealed by everything if M does not halt, and by nothing if it does."""
    return Outcome.of(sealing(instance, ask) == ([] if halts(instance, ask) else list(CANDIDATES)))


def with_cuts(n: int, messages: int, ask: Ask) -> Instance | None:
    """snd 1->2 and the silent cut, which seals every program P: ≀P≀ refines P≀≀."""
    pair = Instance(2, (LEFT_OVER, Cut()))
    is_sealed = (n, messages) == (2, 1) and ask(REFINES, Instance(2, seals(LEFT_OVER, Cut())))
    return pair if is_sealed else None


def _explain(instance: Instance, ask: Ask) -> str:
    return (
        f"P ends with snd 1->2, and {'occurs' if halts(instance, ask) else 'never occurs'}\n"
        f"it is sealed by: {' | '.join(sealing(instance, ask))}"
    )


STATEMENT = Statement.of(
    "sealability-undecidable",
    'section 4, "Sealability in Rel is undecidable"',
    Claim(
        "it is undecidable whether a program can be sealed properly in Rel: M;snd 1->2 can be sealed properly"
        " iff M does not halt",
        check=printed,
        hypotheses=(
            Hypothesis("M does not communicate", remark="the reduction only makes such programs M"),
            Hypothesis(
                "the message after M is left over",
                remark="the X of non-sealed leaves no message over, and a program with a guard seals X",
            ),
            Hypothesis(
                "seals have no silent cut",
                with_cuts,
                remark="Q seals P: cut;P;cut refines P;cut;cut, so a silent cut seals everything",
            ),
        ),
        explain=_explain,
        theorems=in_coq(
            "SealabilityUndecidable.v",
            "sealability_undecidable",
            "two-counter machines, as programs with variables; all seals without silent cuts, no"
            " self-channels; finite intervals",
        ),
    ),
    domain=Listed("programs M;snd 1->2", programs),
    questions=(OCCURS, REFINES),
    not_boundable="undecidability concerns all programs at once, so no bound can show it",
    limits=(
        f"M is eps or one of {len(LOOPS)} loops; {len(CANDIDATES)} small programs are tried as seals",
        f"loops run at most {PAPER.unroll} times, which is enough for those that halt",
    ),
)
