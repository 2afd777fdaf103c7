"""`th:TCCbadforREL`: no terminating program that communicates is TCC in Rel.

For straight-line programs:

Words        A BSL is a balanced straight-line program. ≀ is the silent cut, a moment without messages in
             transit. In the model Rel, channels may reorder messages. P is TCC if ≀P refines P≀, that is, if
             P ends at a silent cut whenever it starts at one. A path of P is a sequence of atoms that P can
             perform, with all choices made.

Reading      if a BSL P has a message, then a message crosses the end of P in some run from a silent cut.

Refutation   a program with a message, although the construction of the theorem's proof gives no such run. In
             the construction, the last receive of P waits for a later message on its channel and takes it.

Not claimed  anything about unbalanced programs, or programs with choice, loops and data, although the paper's
             theorem is about them, too. With self-channels the theorem fails: see the findings.

As printed, for the whole language:

Reading      P is any program, and intervals are finite. By the theorem, P is not TCC if some occurrence of P
             in Rel starts with empty channels and communicates. Conversely, if no such occurrence
             communicates, no message of P can cross its end, so P is TCC. Thus the checks predict exactly
             which programs are TCC. An occurrence follows one of P's paths; the checks ask which paths occur.

Refutation   a program with such an occurrence for which ≀P refines P≀. In the printed proof, P's last receive
             takes a later message, but a silent cut at the end of P rules this out. The paper itself says
             that P≀ is TCC in any set of runs.

Repaired     only communication after the last silent cut of an occurrence counts. The printed proof applies
             to such communication. Over all intervals, a program without such communication in finite
             occurrences need not be TCC: some program occurs over infinite intervals only, and is not TCC.

Not claimed  by the checks: infinite occurrences. Nothing is claimed about self-channels.
"""

from collections.abc import Callable, Iterator
from functools import partial

from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.sealing import last_receive_cannot_wait
from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Cut, Path, Program, after_last_cut, communicates, layered, paths, tcc
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import COUNTEREXAMPLE, OCCURS, REFINES, syntax
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, FIFO, SELF_CHANNELS, about_programs, failing
from sealcheck.theorems.checking.laws import as_lines, open_channels
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.small_programs import SINGLE, SINGLE_LIMIT, SIZE, single_programs, to_oneself
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Query, Repaired, Statement


def tcc_only_without_messages(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> Outcome:
    """Check that P closes all channels iff it sends nothing."""
    return Outcome.of((not open_channels(instance, ask, semantics)) == (not instance.messages))


def not_tcc(instance: Instance, ask: Ask) -> Outcome:
    """Check that P leaves some channel open."""
    return Outcome.of(bool(open_channels(instance, ask)))


def communicates_but_closed(n: int, m: int) -> Iterator[Query]:
    """The query for a program with m >= 1 messages for which the proof constructs no run."""
    if not m:
        return
    p = SymbolicProgram("P", n, m)
    yield Query.about(f"n={n} m={m}", lambda: last_receive_cannot_wait(p), p, by_proof=True)


STATEMENT = Statement.of(
    "tcc-impossibility",
    "th:TCCbadforREL",
    Repaired(
        "a BSL without self-channels that sends a message is not TCC in Rel",
        check=tcc_only_without_messages,
        hypotheses=(
            Hypothesis(
                "some communication",
                failing(lambda n, messages: () if messages else (Instance.of(StraightLine.of(n)),), not_tcc),
            ),
            *about_programs(not_tcc, partial(tcc_only_without_messages, semantics=SELF_CHANNELS)),
            Hypothesis(
                "the axioms of a run",
                remark="the claim is that a run exists, and with fewer axioms there are more runs",
            ),
        ),
        whole_space=communicates_but_closed,
        explain=lambda instance, ask: "every channel is closed, so no later program can interfere",
        theorems=in_coq(
            "Bsl.v", "tcc_impossibility_bsl", "every BSL without self-channels; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(CLOSED_CHANNELS,),
)


AtFault = Callable[[Path], bool]
"""Whether, by the claim, a path that occurs shows that P is not TCC."""


def after_silence(n: int, program: Program) -> Instance:
    """≀P."""
    return Instance(n, (layered(Cut(), program),))


def passed(instance: Instance, ask: Ask, semantics: Semantics, chosen: AtFault) -> list[Path]:
    """The `chosen` paths along which ≀P occurs, shortest first."""
    (program,) = syntax(instance)
    found = sorted(filter(chosen, paths(program, semantics.unroll)), key=lambda path: (len(path), repr(path)))
    asked = [(after_silence(instance.n, layered(*path)), semantics) for path in found]
    return [path for path, occurs in zip(found, ask.all(OCCURS, asked), strict=True) if occurs]


def communicates_at_the_end(path: Path) -> bool:
    """Whether there is a send or a receive after the last silent cut on the path."""
    return communicates(after_last_cut(path))


def is_tcc_unless(instance: Instance, ask: Ask, at_fault: AtFault, semantics: Semantics = PAPER) -> Outcome:
    """Check that P is TCC exactly if ≀P occurs along no path for which `at_fault` is true."""
    (program,) = syntax(instance)
    faulty = passed(instance, ask, semantics, at_fault)
    if not faulty and not ask(OCCURS, after_silence(instance.n, program), semantics):
        return Outcome.VACUOUS
    return Outcome.of(ask(REFINES, Instance(instance.n, tcc(program)), semantics) != bool(faulty))


printed = partial(is_tcc_unless, at_fault=communicates)
"""The check that P is not TCC exactly if some occurrence from empty channels communicates."""

repaired = partial(is_tcc_unless, at_fault=communicates_at_the_end)
"""The check that P is not TCC exactly if some occurrence communicates after its last silent cut."""


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
    lines = [f"≀P occurs along this path: {show(layered(*path))}"]
    if ask(REFINES, Instance(instance.n, tcc(program))):
        lines.append("P communicates only before a silent cut, which no message crosses")
        lines.append(
            "P sends and receives nothing between this silent cut and the end of P, so no message crosses the"
            " end of P"
        )
    elif (found := ask(COUNTEREXAMPLE, Instance(instance.n, tcc(program)))) is not None:
        lines.append(f"a run of it with communication across its end:\n{as_lines(found)}")
    return "\n".join(lines)


UP_TO_2 = "the search goes up to 2 atoms and repetitions"

SHARED = (
    Hypothesis("runs of Rel", failing(small, not_tcc_in_rel_fifo), remark=UP_TO_2),
    Hypothesis("no self-channels", failing(to_oneself, partial(repaired, semantics=SELF_CHANNELS))),
    Hypothesis(
        "finite intervals",
        remark='no bound reaches infinite intervals. Over them, the repaired "iff" fails'
        " (tcc_impossibility_needs_finite_cuts in InfiniteRefutations.v). Once a process has run forever, its"
        " expressions may have any values there, but constants keep theirs",
    ),
)

WHOLE_LANGUAGE = Statement.of(
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
        "in Rel without self-channels, over finite intervals, consider the occurrences of a program that"
        " start at a silent cut. The program is TCC iff none of them communicates after its last `cut` (after"
        " its start, if it passes no `cut`). If one of them does, the program is also not TCC if infinite"
        " intervals count",
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
        f"repetitions have at most {PAPER.unroll} iterations",
        "in an execution that one oracle lists, one event outside the program may interfere. A receive of the"
        " program may also take a message that is sent outside, if the program has no send for it",
    ),
)
