"""`th:TCCbadforREL` as printed, for the whole language: a program that communicates is not TCC in Rel.

Reading      P is any program.  The theorem asks for an occurrence r[c,d] of P in Rel, with finite cuts and
             all channels empty at c, that has a send or receive in it.  A program without one is TCC, since
             nothing can cross its end; so the theorem predicts exactly which are.  Such an occurrence follows
             one of P's paths; the checks ask which of them occur.
Refutation   a program with such an occurrence for which ≀P refines P≀. The printed proof has P's last
             receive take a later message; a silent cut at the end of P forbids that.  The paper itself says
             that P≀ is TCC in any set of runs.
Repaired     the communication after the last silent cut that P passes counts, and all of it if P passes
             none: over finite intervals, P is TCC iff no occurrence has any.  By then the channels were
             found silent, and nothing has changed them; otherwise the printed proof applies.  TCC speaks of
             infinite intervals, too.  Such an occurrence over a finite one keeps P from being TCC there as
             well; but without one P need not be TCC, since it may occur over infinite intervals only.
Not claimed  by the checks: infinite occurrences.  Of self-channels nothing is claimed.
"""

from collections.abc import Callable, Iterator
from functools import partial

from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import Cut, Path, Program, after_last_cut, communicates, layered, paths, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import COUNTEREXAMPLE, OCCURS, REFINES, syntax
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, FIFO, SELF_CHANNELS, failing
from sealcheck.theorems.checking.laws import as_lines
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.small_programs import SINGLE, SINGLE_LIMIT, SIZE, single_programs, to_oneself
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement

AtFault = Callable[[Path], bool]
"""Whether communication on a path of P, if it occurs, is said to keep P from being TCC."""


def after_silence(n: int, program: Program) -> Instance:
    """≀P."""
    return Instance(n, (layered(Cut(), program),))


def passed(instance: Instance, ask: Ask, semantics: Semantics, chosen: AtFault) -> list[Path]:
    """The chosen paths of P along which ≀P occurs, shortest first."""
    (program,) = syntax(instance)
    found = sorted(filter(chosen, paths(program, semantics.unroll)), key=lambda path: (len(path), repr(path)))
    asked = [(after_silence(instance.n, layered(*path)), semantics) for path in found]
    return [path for path, occurs in zip(found, ask.all(OCCURS, asked), strict=True) if occurs]


def communicates_at_the_end(path: Path) -> bool:
    """Whether there is a send or a receive after the last silent cut on the path."""
    return communicates(after_last_cut(path))


def is_tcc_unless(instance: Instance, ask: Ask, at_fault: AtFault, semantics: Semantics = PAPER) -> Outcome:
    """Check that P is TCC exactly if ≀P occurs along none of the paths that are at fault."""
    (program,) = syntax(instance)
    faulty = passed(instance, ask, semantics, at_fault)
    if not faulty and not ask(OCCURS, after_silence(instance.n, program), semantics):
        return Outcome.VACUOUS
    return Outcome.of(ask(REFINES, Instance(instance.n, tcc(program)), semantics) != bool(faulty))


printed = partial(is_tcc_unless, at_fault=communicates)
"""That P is not TCC exactly if some occurrence that starts with empty channels communicates."""

repaired = partial(is_tcc_unless, at_fault=communicates_at_the_end)
"""That P is not TCC exactly if some occurrence communicates after its last silent cut."""


def not_tcc_in_rel_fifo(instance: Instance, ask: Ask) -> Outcome:
    """Check that a program that communicates after its last silent cut is not TCC in RelFi."""
    if not passed(instance, ask, PAPER, communicates_at_the_end):
        return Outcome.VACUOUS
    (program,) = syntax(instance)
    return Outcome.of(not ask(REFINES, Instance(instance.n, tcc(program)), FIFO))


def small(n: int, messages: int) -> Iterator[Instance]:
    """Programs of up to 2 atoms and repetitions."""
    return single_programs(n, messages) if messages < 3 else iter(())


def _explain(instance: Instance, ask: Ask) -> str:
    (program,) = syntax(instance)
    path = max(passed(instance, ask, PAPER, lambda path: True), key=communicates)
    lines = [f"≀P occurs along the path: {show(layered(*path))}"]
    if ask(REFINES, Instance(instance.n, tcc(program))):
        lines.append("what it communicates comes before a silent cut, which nothing crosses")
        lines.append("nothing is sent or received between that cut and the end, so nothing crosses the end")
    elif (found := ask(COUNTEREXAMPLE, Instance(instance.n, tcc(program)))) is not None:
        lines.append(f"a run of it with communication across its end:\n{as_lines(found)}")
    return "\n".join(lines)


UP_TO_2 = "looked for among programs of up to 2 atoms and repetitions"

SHARED = (
    Hypothesis("runs of Rel", failing(small, not_tcc_in_rel_fifo), remark=UP_TO_2),
    Hypothesis("no self-channels", failing(to_oneself, partial(repaired, semantics=SELF_CHANNELS))),
    Hypothesis(
        "finite intervals",
        remark='no bound reaches infinite ones; over these the repaired "iff" fails'
        " (tcc_impossibility_needs_finite_cuts in InfiniteRefutations.v: for each choice of one value per"
        " process and expression where the process has gone on for ever, constants being worth what they"
        " are)",
    ),
)

STATEMENT = Statement.of(
    "tcc-impossibility-whole-language",
    "th:TCCbadforREL",
    Claim(
        "a program is not TCC in Rel if it has an occurrence that starts with empty channels, ends at a"
        " finite cut, and communicates",
        check=printed,
        hypotheses=(Hypothesis("some communication", remark="the program eps is TCC"), *SHARED),
        explain=_explain,
        refutations=(
            Theorem("Refutations.v", "tcc_impossibility_as_printed", "mt 1->2; cut; finite intervals"),
            Theorem(
                "InfiniteRefutations.v",
                "tcc_impossibility_as_printed_infinite_fails",
                "mt 1->2; cut; finite and infinite intervals",
            ),
        ),
        fails_at=(2, 2),
    ),
    Repaired(
        "over finite intervals, and without self-channels, a program is TCC in Rel iff no occurrence of"
        " it that starts at a silent cut communicates after the last silent cut that it passes; if one"
        " does, the program is not TCC over all intervals, either",
        check=repaired,
        hypotheses=(
            *SHARED,
            Hypothesis(
                "the formal reading of the silent cut",
                failing(small, partial(repaired, semantics=EMPTY_CUT)),
                remark=UP_TO_2,
            ),
        ),
        explain=_explain,
        theorems=(
            Theorem(
                "TccImpossibility.v", "tcc_impossibility", "all programs, no self-channels; finite intervals"
            ),
            Theorem(
                "InfiniteSealAlgebra.v",
                "tcc_impossibility_infinite",
                "all programs, no self-channels; TCC over finite and infinite intervals",
            ),
        ),
    ),
    domain=SINGLE,
    questions=(OCCURS, REFINES),
    measure=SIZE,
    limits=(
        SINGLE_LIMIT,
        f"repetitions up to {PAPER.unroll} times; in executions there are, before and after the interval, one"
        " event and one for each receive without its send",
    ),
)
