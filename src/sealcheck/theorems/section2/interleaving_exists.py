"""Section 2.2, footnote: the conditions on a matching function guarantee an interleaving.

Reading      channels may deliver in any order. A matching function maps the receives of a straight-line
             program to its sends. The paper's conditions are that the function is total and injective,
             respects channels, and makes Lamport's relation (happens before) acyclic. The claim is that the
             conditions hold iff, in some interleaving of the program, each receive takes the message that the
             function gives. If the program deadlocks, there must be neither such a function nor such an
             interleaving.

Refutation   a program for which the conditions and the interleavings allow different matching functions. Two
             queries ask for a matching function with a stuck set: each event of the set waits for another
             event of the set. Then Lamport's relation has a cycle, and no interleaving fits. The first query
             requires that Lamport's relation is acyclic nevertheless. The second query requires an
             interleaving instead.

Not claimed  by the checks: infinite runs, and events before or after the program. By the paper, a run
             represents a class of interleavings. We only check that it represents at least one.
"""

from collections.abc import Iterator
from functools import partial

from sealcheck.encodings.formulas import Formula
from sealcheck.encodings.program_space import SymbolicProgram, processes_by_first_use, skeleton
from sealcheck.encodings.runs import SymbolicRun, axioms, stuck
from sealcheck.encodings.solving import Interleaving, Relation
from sealcheck.explorers.matching_functions import Condition, Matching, matchings
from sealcheck.questions.causality import MATCHING_FUNCTIONS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import DEADLOCKING_MESSAGES, balanced, failing
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Query, Statement, predicts


def acyclic(instance: Instance, without: tuple[Condition, ...] = ()) -> frozenset[Matching]:
    """The matching functions that meet the paper's conditions."""
    return frozenset(matchings(instance.p, without))


def whole_space(n: int, m: int) -> Iterator[Query]:
    """The queries for a stuck set of events although the relation is acyclic, or an interleaving exists."""
    for order, name in ((Relation, "acyclic, no interleaving"), (Interleaving, "interleaving, not acyclic")):
        p = SymbolicProgram("P", n, m)
        yield Query.about(f"n={n} m={m}: {name}", partial(_stuck_run, p, order), p)


def _stuck_run(p: SymbolicProgram, order: type[Relation] | type[Interleaving]) -> list[Formula]:
    parts = skeleton([p], [], [])
    run = SymbolicRun(parts, order("t", parts.events))
    return [p.well_formed(), processes_by_first_use([p]), *axioms(run), stuck(run)]


def explain(instance: Instance, ask: Ask) -> str:
    """The matching functions on which the conditions and the interleavings differ."""
    wanted, found = acyclic(instance), ask(MATCHING_FUNCTIONS, instance)
    lines = [
        f"{in_words(matching)} is acyclic, but no interleaving takes that" for matching in wanted - found
    ]
    lines += [
        f"{in_words(matching)} is taken by an interleaving, but not acyclic" for matching in found - wanted
    ]
    return "\n".join(sorted(lines))


def in_words(matching: Matching) -> str:
    """The matching function in words."""
    pairs = (f"receive {r.position} of {r.process} <- send {s.position} of {s.process}" for r, s in matching)
    return "{" + ", ".join(sorted(pairs)) + "}"


STATEMENT = Statement.of(
    "interleaving-exists",
    'section 2.2, footnote on the execution model ("guarantee the existence of such an interleaving")',
    Claim(
        "take a total, injective matching function that respects channels, on a whole run or up to a finite"
        " cut that contains the send of each of its receives. Some interleaving has this matching iff"
        " Lamport's relation under the function is acyclic",
        check=predicts(MATCHING_FUNCTIONS, acyclic),
        hypotheses=tuple(
            Hypothesis(
                condition.value,
                failing(balanced, predicts(MATCHING_FUNCTIONS, partial(acyclic, without=(condition,)))),
            )
            for condition in Condition
        ),
        whole_space=whole_space,
        explain=explain,
        theorems=(
            Theorem("Interleavings.v", "interleaving_of_run", "any infinite run of n processes"),
            Theorem(
                "Interleavings.v",
                "interleaving_exists",
                "any finite cut of any run that is closed under the matching",
            ),
        ),
    ),
    domain=Listed("programs", balanced),
    questions=(MATCHING_FUNCTIONS,),
    limits=(
        "the queries are about programs that do not deadlock. Programs that deadlock are checked one by one,"
        f" up to {DEADLOCKING_MESSAGES} messages",
    ),
)
