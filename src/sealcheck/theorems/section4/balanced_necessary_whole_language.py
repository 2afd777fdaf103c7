"""`th:psealable.balanced` for the whole language: a program with a proper seal is balanced, in Rel.

Words        In the model Rel, channels may reorder messages. ≀ is the silent cut, a moment without messages
             in transit. Q seals P if P's receives take only messages of P, in every run of P;Q from empty
             channels, whatever follows. A seal is proper if it never runs forever.

Reading      P and Q are programs of two processes. Q seals P, and Q can complete after every path of P, that
             is, whatever choices P makes. All repetitions are finite, so that no seal runs forever.

Refutation   a pair with an unbalanced P. The printed proof lets a later program receive a message that P left
             over. The proof overlooks two things.

             First, a silent cut in P or in Q rules out such a receive.

             Second, P may have the choice to receive its message or not, and Q may receive the message if P
             did not. In both cases, P;Q has the same events. So the events also fit the choice in which P
             receives the message and leaves none over. Therefore Q seals P, although neither P nor Q has a
             silent cut.

Repaired     let P and Q have no silent cuts, and let P start at a silent cut. The claim requires that no
             message is in transit at any cut between P and Q, wherever the events let P end and Q begin. Then
             Q seals P, and the printed proof applies. If P has no choice and no repetition, this requirement
             means the same as "Q seals P".

             A cut is finite if each process has done finitely many events before it. The repaired claim also
             holds over infinite intervals that begin at a finite cut. There, a channel may have infinitely
             many events, so "as many sends as receives" means that the sends correspond one-to-one to the
             receives.

             Over intervals that begin at an infinite cut, even mt 1->2 can be unbalanced. Suppose that
             process 2 has run forever before this cut, and can act again. Then it performs its receive, but
             not as an event of the run, so the send of mt 1->2 has no receive.

Not claimed  by the checks: infinite occurrences. The checks ask whether Q can complete after every path of P,
             not in every run.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import Cut, Program, has_cut, layered, paths, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import (
    BALANCED,
    FINDS_SILENCE,
    OCCURS,
    REFINES,
    UNBALANCED_RUN,
    syntax,
)
from sealcheck.theorems.checking.domains import Bounded, Listed, every
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, failing
from sealcheck.theorems.checking.laws import NO_BOUND, as_lines
from sealcheck.theorems.checking.record import Theorem, in_coq
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

EXAMPLES = (
    ("2.x := 0; snd 1->2 (1); (eps + rcv 2<-1 (x))", "([2.x = 0]; rcv 2<-1 (x) + [2.x != 0]); mt 2->1"),
    ("snd 1->2 + mt 1->2", "(eps + rcv 2<-1); cut"),
)
"""Process 2 may receive its message in P. If not, it receives the message in Q, before any other."""

Condition = Callable[[Instance, Ask, Semantics], bool]


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """Pairs of small programs; then the examples, which are larger."""
    yield from tuples(n, messages, 2)
    if messages == 3:
        yield from (Instance(2, (parse(p), parse(q))) for p, q in EXAMPLES)


def can_complete(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> bool:
    """Whether ≀P occurs, and ≀P;Q occurs on every path of P on which ≀P does."""
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

printed = partial(balanced_if, conditions=PRINTED)
"""The check that P is balanced, if Q seals P and can complete after P."""

repaired = partial(balanced_if, conditions=CONDITIONS.values())
"""The check that P is balanced, if the hypotheses of the repaired claim hold."""


def smallest_failing(conditions: tuple[Condition, ...], semantics: Semantics = PAPER) -> Without:
    """Find the smallest pair that meets these conditions and has an unbalanced P."""

    def unbalanced_p(instance: Instance, ask: Ask, semantics: Semantics) -> bool:
        return not is_balanced(instance, ask, semantics)

    weaker = partial(balanced_if, conditions=(unbalanced_p, *conditions), semantics=semantics)
    return failing(lambda n, m: sorted(every(DOMAIN)(n, m), key=lambda pair: pair.size), weaker)


def without(dropped: str, *instead: Condition) -> Without:
    """Finds the smallest pair that meets all hypotheses but one, and has an unbalanced P."""
    others = (met for name, met in CONDITIONS.items() if name != dropped)
    return smallest_failing((*others, *instead))


def _explain(instance: Instance, ask: Ask) -> str:
    p, q = syntax(instance)
    found = ask(UNBALANCED_RUN, Instance(instance.n, (p,)))
    lines = ["in this run, P starts with empty channels, and is not balanced:"]
    if found is not None:
        lines.append(as_lines(found))
    lines.append("yet Q seals P, and can complete after P")
    if not (_has_no_cut(p) and _has_no_cut(q)):
        lines.append("the silent cut rules out later receives of a message that P leaves over")
    else:
        lines.append(
            "if Q receives the message, the events also fit the choice in which P receives the message"
        )
        lines.append("if P receives the message, the cut between P and Q is silent")
    return "\n".join(lines)


DOMAIN = Bounded(Listed("pairs of programs", pairs), {2: 3})

NON_DIVERGENT = Hypothesis("non-divergent", remark="no bound reaches infinite intervals")

STATEMENT = Statement.of(
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
        refutations=(
            Theorem(
                "Refutations.v",
                "balanced_necessary_as_printed",
                "snd 1->2, sealed by the silent cut; finite intervals",
            ),
            Theorem(
                "InfiniteBalance.v",
                "balanced_necessary_as_printed_infinite_fails",
                "mt 1->2, sealed by mt 2->1, where process 2 has run forever and can act again; finite and"
                " infinite intervals",
            ),
        ),
        fails_at=(2, 2),
    ),
    Repaired(
        "in Rel without self-channels, over finite intervals, let P and Q be programs without silent cuts. P"
        " is balanced if two conditions hold. First, whenever P starts with empty channels, Q can complete"
        " wherever P may have ended. Second, whenever P starts at a silent cut and Q follows P, the cut"
        " between P and Q is silent",
        check=repaired,
        hypotheses=(
            *(Hypothesis(name, without(name)) for name in list(CONDITIONS)[:-1]),
            Hypothesis(
                SILENCE,
                without(SILENCE, is_sealed),
                remark="the search still requires that Q seals P, which follows from the hypothesis",
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
    Repaired(
        "in Rel without self-channels, let P and Q be programs without silent cuts, and let P never diverge"
        " from a finite cut. P is balanced over all intervals that begin at a finite cut if two conditions"
        " hold over finite intervals. First, whenever P starts with empty channels, Q can complete wherever P"
        " may have ended. Second, whenever P starts at a silent cut and Q follows P, the cut between P and Q"
        " is silent",
        hypotheses=(
            Hypothesis(
                "the interval begins at a finite cut",
                remark="without it, mt 1->2, sealed by mt 2->1, is not balanced if process 2 has run forever"
                " and can act again, as Coq has checked",
            ),
            Hypothesis(
                "P does not diverge",
                remark="without it, P may leave over a message to a process that runs forever, as Coq has"
                " checked",
            ),
        ),
        theorems=in_coq(
            "InfiniteBalance.v",
            "balanced_necessary_from_finite_cuts",
            "all programs, no self-channels; intervals that begin at a finite cut",
        ),
        not_boundable=NO_BOUND,
    ),
    domain=DOMAIN,
    questions=(OCCURS, REFINES, FINDS_SILENCE, BALANCED),
    measure=SIZE,
    limits=(
        "the size of a pair is its number of atoms and repetitions. All pairs of programs of two processes"
        " are checked up to size 2. At size 3, only pairs of transmissions and repetitions, and two larger"
        " examples, are checked. The size is also at most the bound on messages",
        f"repetitions have at most {PAPER.unroll} iterations",
        "in an execution that one oracle lists, one event outside the program may interfere. A receive of the"
        " program may also take a message that is sent outside, if the program has no send for it. In"
        " such an execution, variables start as 0 or 1. Solvers let them start as any integers",
    ),
)
