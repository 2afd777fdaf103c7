"""`th:psealable.balanced` for the whole language: what can be sealed properly is balanced, in Rel.

Reading      P and Q are programs of two processes; Q seals P, and can complete after every path of P.
             All repetitions are finite, so that no seal diverges.
Refutation   a pair of which P is not balanced.  The printed proof lets a later program receive a
             message that P left over.  It overlooks two things.  A silent cut in P or in Q forbids
             that.  And that Q seals P says of each occurrence of ≀P;Q only that P can be taken
             to end at some silent cut, not that it did: if P may or may not receive its
             message, and Q does what P left undone, Q seals P without any silent cut.
Repaired     neither P nor Q has a silent cut, and wherever P may have ended when Q begins, the cut is
             silent.  Then the printed proof applies.  Of a P without choice and repetition the last
             condition asks no more than that Q seals P: there is one cut at which P can have ended.
Not claimed  infinite occurrences.  That Q can complete is asked after every path of P, not in every run.
"""

from collections.abc import Callable, Iterator

from sealcheck.encodings.refinement import unbalanced
from sealcheck.encodings.solving import Solver, open_solver
from sealcheck.language.parser import parse
from sealcheck.occurrence import ends, is_silent
from sealcheck.programs.global_runs import CutReading
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import Cut, Program, layered
from sealcheck.theorems.ablation import SECONDS
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.ending import endings, lopsided
from sealcheck.theorems.paths import UNROLL, has_cut, missing, paths
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    occurs_when_played,
    occurs_when_solved,
    syntax,
    told,
)
from sealcheck.theorems.small_programs import tuples
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

FORMAL, EMPTY = CutReading.MATCHING, CutReading.EMPTY

EXAMPLES = [
    ("2.x := 0; snd 1->2 (1); (eps + rcv 2<-1 (x))", "([2.x = 0]; rcv 2<-1 (x) + [2.x != 0]); mt 2->1"),
    ("snd 1->2 + mt 1->2", "(eps + rcv 2<-1); cut"),
]
"""P may or may not receive its message.  Q receives it if P did not, and nothing can come in between."""


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """Pairs of small programs; then the examples, which are larger."""
    yield from tuples(n, messages, 2)
    if messages == 3:
        yield from (Instance(2, (parse(p), parse(q))) for p, q in EXAMPLES)


def _outside(*programs: Program) -> int:
    """How many events before and after the plays need: for messages that are missing, and a later one."""
    return 1 + missing(layered(*programs))


def completes(p: Program, q: Program, occurs: Callable[[Program], bool]) -> bool:
    """Whether ≀P occurs, and on every path of P on which it does, ≀P;Q does, too."""
    begun = [layered(Cut(), *path) for path in paths(p)]
    passed = [path for path in begun if occurs(path)]
    return bool(passed) and all(occurs(layered(path, q)) for path in passed)


def can_complete(p: Program, q: Program, reading: CutReading = FORMAL) -> bool:
    """The same, by playing."""

    def occurs(program: Program) -> bool:
        return occurs_when_played(program, 2, reading=reading, outside=_outside(p, q), unroll=UNROLL)

    return completes(p, q, occurs)


def is_sealed(p: Program, q: Program, reading: CutReading = FORMAL) -> bool:
    """Whether Q seals P, by playing."""
    return holds_when_played(seals(p, q), 2, reading=reading, outside=_outside(p, q), unroll=UNROLL)


def is_balanced(p: Program, reading: CutReading = FORMAL) -> bool:
    """Whether every play of P that starts with empty channels leaves as many sends as receives on each."""
    found = endings(p, 2, reading=reading, outside=_outside(p), unroll=UNROLL)
    return not any(lopsided(run, d) for run, _, d in found)


def when_played(instance: Instance, reading: CutReading = FORMAL) -> Truth:
    """Whether P is balanced, if Q seals it and can complete after it, by playing."""
    p, q = syntax(instance)
    met = can_complete(p, q, reading) and is_sealed(p, q, reading)
    return is_balanced(p, reading) if met else VACUOUS


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """Whether P is balanced, if Q seals it and can complete after it, by solving."""
    p, q = syntax(instance)
    if not completes(p, q, lambda program: occurs_when_solved(program, 2, solver, unroll=UNROLL)):
        return VACUOUS
    if not holds_when_solved(seals(p, q), 2, solver, unroll=UNROLL):
        return VACUOUS
    return unbalanced(p, 2, solver, unroll=UNROLL) is None


def silent_wherever_ended(p: Program, q: Program) -> bool:
    """Whether in every play of ≀P;Q each cut at which P may have ended, and Q have begun, is silent."""
    program = layered(Cut(), p, q)
    return all(
        is_silent(run, between)
        for run, c, d in endings(program, 2, outside=_outside(p, q), unroll=UNROLL)
        for between in ends(run, c, layered(Cut(), p))
        if d in ends(run, between, q)
    )


CONDITIONS: dict[str, Callable[[Program, Program], bool]] = {
    "no silent cut in P": lambda p, q: not any(map(has_cut, paths(p))),
    "no silent cut in Q": lambda p, q: not any(map(has_cut, paths(q))),
    "Q can complete after P": can_complete,
    "silence wherever P may have ended": silent_wherever_ended,
    "Q seals P": is_sealed,
}
"""The hypotheses of the repaired claim; the last one follows from the one before."""


def repaired(instance: Instance) -> bool:
    """That P is balanced, where the hypotheses are met; the claim is silent, so never wrong, elsewhere."""
    p, q = syntax(instance)
    return all(met(p, q) for met in CONDITIONS.values()) or is_balanced(p)


def without(dropped: str) -> Callable[[int, int], Instance | None]:
    """Finds the smallest pair that meets all hypotheses but one, of which P is not balanced."""

    def breaking(n: int, messages: int) -> Instance | None:
        kept = [met for name, met in CONDITIONS.items() if name != dropped]
        found = [
            instance
            for instance in DOMAIN.instances(n, messages, 0, DOMAIN.size(n, messages))
            if all(met(*syntax(instance)) for met in kept) and not is_balanced(syntax(instance)[0])
        ]
        return min(found, key=lambda instance: instance.size, default=None)

    return breaking


def read_as_empty(n: int, messages: int) -> Instance | None:
    """A pair that refutes the printed claim where a silent cut finds all channels empty."""
    refuting = (
        instance
        for instance in DOMAIN.instances(n, messages, 0, DOMAIN.size(n, messages))
        if not is_balanced(syntax(instance)[0], EMPTY) and when_played(instance, EMPTY) is False
    )
    return min(refuting, key=lambda instance: instance.size, default=None)


def _story(instance: Instance) -> str:
    p, q = syntax(instance)
    with open_solver("z3", seconds=SECONDS) as solver:
        found = unbalanced(p, 2, solver, unroll=UNROLL)
    assert found is not None
    lines = [
        "from empty channels P can end with more sends than receives on a channel, or fewer:",
        told(found),
        "yet Q seals P, and can complete after it:",
    ]
    if any(has_cut(path) for path in (*paths(p), *paths(q))):
        lines.append("a message that P leaves over may not be received later, because of the silent cut")
    else:
        lines.append("where Q receives the message, the events are also those of a P that received it itself")
        lines.append("and in that reading of the interval the cut between P and Q is silent")
    return "\n".join(lines)


DOMAIN = Capped(Listed("pairs of programs", pairs), {2: 3})

STATEMENT = Statement(
    id="balanced-necessary-whole-language",
    label="th:psealable.balanced",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "in Rel, a program that does not diverge and can be sealed properly is balanced",
            predicts=lambda _: True,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "in Rel, a program without silent cuts is balanced if a program without silent cuts can complete"
            " after it and finds silence wherever the first one may have ended",
            predicts=repaired,
            story=_story,
        ),
    ),
    hypotheses=(
        *(Hypothesis(f"{name} (repaired claim)", without(name)) for name in list(CONDITIONS)[:-1]),
        Hypothesis(
            "the formal reading of the silent cut (printed claim)",
            read_as_empty,
            remark="the printed claim fails under the other reading, too",
        ),
        Hypothesis("non-divergent", remark="no bound reaches infinite intervals"),
    ),
    domain=DOMAIN,
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        "all pairs over two processes with up to 2 atoms and repetitions in all, pairs built of 3"
        " transmissions and repetitions, and two larger examples; the bound on messages is one on size",
        f"repetitions up to {UNROLL} times; in plays one event more happens before and after the interval"
        " than messages are missing",
    ),
    per_shard=60,
)
