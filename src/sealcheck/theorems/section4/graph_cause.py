"""`GraphCause`: every normal edge of P's program graph is a causal edge in every run of P.

N_E is the set of normal edges: from each event of P to the next event of its process, and from the k'th send
on a channel to the k'th receive on it. (N_E)+ is the transitive closure of N_E. An edge (e, f) is causal in a
run if e happens before f. The remark after the lemma says that (N_E)+ is the largest set of edges that are
causal in every run. The paper's reason: in FIFO runs, Lamport's relation (happens before) on the events of P
is (N_E)+.

Words        A BSL is a balanced straight-line program. In the model Rel, channels may reorder messages. In
             RelFi, channels keep the order: the k'th receive on a channel takes the k'th message.

Reading      P starts at a silent cut (a moment without messages in transit), in a run of Rel. Anything may
             follow P, so receives of P may take later messages. Sets of edges are compared on the events of
             P.

Refutation   of the lemma: a matching of P's receives with sends, and a k'th send e on a channel that does not
             happen before the k'th receive f. The query asks for a set of events that contains f and
             everything that happens before an event of the set, but not e. It requires neither Lamport's
             relation nor P's graph to be acyclic. So if there is no such set, more than the lemma holds. A
             model refutes the lemma only if P has a run with this matching.

             Of the remark: a pair of events that a path of normal edges joins, although some run has the
             events in the opposite order. Or a pair that no path joins, if our construction gives no run with
             the opposite order. In this construction, the second event and all events with paths to it come
             first, and the k'th receive on a channel takes the k'th message.

             Of the reason: a BSL and a FIFO run whose Lamport relation on P is not (N_E)+.

Not claimed  anything about pairs with events outside P. The printed remark is about runs of (silent cut) P;Q.
             Our claim is about P alone, after a silent cut, whatever follows P.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from sealcheck.algorithms.program_graph import Edge, causal_pairs, normal_edges
from sealcheck.encodings.causality import SymbolicTrace, joined_but_reversed, not_joined_but_no_run
from sealcheck.encodings.formulas import And, Formula, Not, Or
from sealcheck.encodings.program_space import SpaceRun, SymbolicProgram, in_order_of_sending
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import ConsistentCut, Interleaving, Relation
from sealcheck.explorers.matching_functions import happens_before, kth_to_kth
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.questions.causality import CAUSAL_PAIRS, MATCHING_FUNCTIONS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import (
    FIFO,
    deadlocking,
    failing,
    programs,
    unbalanced,
    without_axioms,
)
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Query, Statement, predicts

Edges = frozenset[Edge]


def some_edge_not_causal(
    n: int,
    m: int,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] | type[ConsistentCut] = Interleaving,
    later_sends: int = 1,
    in_order: bool = True,
) -> Query:
    """The query for a program with m messages, and a run where a message edge is not causal.

    Up to renaming, the edge leads from process 1 to process 2. Without the axiom of acyclicity, P may also
    deadlock. With `in_order`, receives on a channel take messages in the order of sending.
    `in_order_of_sending` shows why these runs suffice.
    """
    p = SymbolicTrace("P", n, m)
    space = cache(lambda: SpaceRun([p], order, later_sends=later_sends))

    def broken() -> list[Formula]:
        edges = zip(p.sends, p.receives, strict=True)
        return [And(p.at(s, 1), p.at(r, 2), Not(space().order.before(s, r))) for s, r in edges]

    def formulas() -> list[Formula]:
        program = p.balanced() if Axiom.ACYCLIC in without else p.well_formed()
        found = [program, *space().outside_well_formed(), *axioms(space().run, without), Or(broken())]
        return [*found, in_order_of_sending(space())] if in_order else found

    def split() -> list[tuple[Formula, ...]]:
        taken = [] if Axiom.TOTAL in without else [tuple(space().run.sources(r)) for r in p.receives]
        return [tuple(broken()), *taken]

    query = Query.about(f"n={n} m={m}", formulas, p, by_proof=Axiom.ACYCLIC in without)
    return replace(query, split=split)


def acyclic_or_not(n: int, m: int) -> Iterator[Query]:
    """The query about a level."""
    yield some_edge_not_causal(n, m, [Axiom.ACYCLIC], order=ConsistentCut)


def explain_reversed(instance: Instance, ask: Ask) -> str:
    """The normal edges whose events some run has in the opposite order."""
    causal = ask(CAUSAL_PAIRS, instance)
    broken = set(normal_edges(instance.p)) - causal
    return "in some run these edges are not causal: " + _listed(broken)


def _listed(edges: Iterable[Edge]) -> str:
    return ", ".join(
        f"event {e.position} of {e.process} to {f.position} of {f.process}" for e, f in sorted(edges)
    )


def messages_are_causal(instance: Instance, ask: Ask) -> Outcome:
    """Check that the k'th send on a channel comes before the k'th receive, if both exist."""
    edges = {(send, receive) for receive, send in kth_to_kth(instance.p)}
    return Outcome.of(edges <= ask(CAUSAL_PAIRS, instance))


GRAPH_CAUSE = Statement.of(
    "graph-cause",
    "GraphCause",
    Claim(
        "in every run of a BSL after a silent cut, the normal edges of its program graph are causal",
        check=lambda instance, ask: Outcome.of(set(normal_edges(instance.p)) <= ask(CAUSAL_PAIRS, instance)),
        hypotheses=(
            Hypothesis("balanced", failing(unbalanced, messages_are_causal)),
            Hypothesis(
                "deadlock-free",
                remark="a program that deadlocks has no run, so all of its runs are as claimed",
            ),
            *without_axioms(lambda n, m, axiom: [some_edge_not_causal(n, m, [axiom], order=Relation)]),
        ),
        whole_space=acyclic_or_not,
        explain=explain_reversed,
        theorems=in_coq(
            "GraphCause.v", "graph_cause", "every straight-line program, with values; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(CAUSAL_PAIRS,),
)


def closure(instance: Instance) -> Edges:
    """The pairs in (N_E)+."""
    return causal_pairs(instance.p)


def closure_of_any_program(instance: Instance) -> Edges:
    """The closure for any program, balanced or not."""
    joined = happens_before(instance.p, kth_to_kth(instance.p))
    return frozenset((e, f) for e, f in joined if e != f)


def joined_or_not(n: int, m: int) -> Iterator[Query]:
    """The queries for both directions of the remark."""
    p, level = SymbolicProgram("P", n, m), f"n={n} m={m}"
    yield Query.about(f"{level}: joined, not causal", lambda: joined_but_reversed(p), p)
    yield Query.about(f"{level}: not joined, causal", lambda: not_joined_but_no_run(p), p, by_proof=True)


def explain_difference(instance: Instance, ask: Ask) -> str:
    """The causal pairs that no path joins, and the joined pairs that are not causal."""
    causal, joined = ask(CAUSAL_PAIRS, instance), closure(instance)
    lines = []
    if more := causal - joined:
        lines.append(f"causal in every run, but not joined by normal edges: {_listed(more)}")
    if less := joined - causal:
        lines.append(f"joined by normal edges, but not causal in some run: {_listed(less)}")
    return "\n".join(lines)


JOINED_AS_FAR_AS_POSSIBLE = predicts(CAUSAL_PAIRS, closure_of_any_program)

LARGEST = Statement.of(
    "graph-cause-largest",
    "section 4, remark after GraphCause",
    Claim(
        "the transitive closure of the normal edges of a BSL is the largest set of edges that are"
        " causal in every run after a silent cut",
        check=predicts(CAUSAL_PAIRS, closure),
        hypotheses=(
            Hypothesis("balanced", failing(unbalanced, JOINED_AS_FAR_AS_POSSIBLE)),
            Hypothesis(
                "deadlock-free",
                failing(deadlocking, JOINED_AS_FAR_AS_POSSIBLE),
                remark="a program that deadlocks has no run, so everything is causal in all of its runs",
            ),
            Hypothesis(
                "the axioms of a run",
                remark="without an axiom there are more runs, so fewer pairs are causal in all runs. The row"
                " graph-cause asks whether the normal edges are still causal",
            ),
        ),
        whole_space=joined_or_not,
        explain=explain_difference,
        theorems=(
            Theorem(
                "GraphCause.v",
                "graph_cause_paths",
                "every straight-line program, with values; finite intervals",
            ),
            Theorem("GraphCause.v", "graph_cause_largest", "every BSL; finite intervals"),
            Theorem(
                "GraphCause.v",
                "graph_cause_largest_noself",
                "every BSL, and runs without self-channels; finite intervals",
            ),
        ),
    ),
    domain=Programs(),
    questions=(CAUSAL_PAIRS,),
)


def closure_is_causality(instance: Instance, ask: Ask, semantics: Semantics) -> Outcome:
    """Check that P has matching functions, and that each makes Lamport's relation equal to (N_E)+."""
    found = ask(MATCHING_FUNCTIONS, instance, semantics)
    relations = {happens_before(instance.p, matching) for matching in found}
    return Outcome.of(relations == {causal_pairs(instance.p)})


IN_FIFO_RUNS = Statement.of(
    "fifo-causality",
    "section 4, reason given for the remark after GraphCause",
    Claim(
        "in every run of RelFi after a silent cut, the causal pairs of events of a BSL are the"
        " transitive closure of its normal edges",
        check=partial(closure_is_causality, semantics=FIFO),
        hypotheses=(
            Hypothesis("FIFO channels", failing(programs, partial(closure_is_causality, semantics=PAPER))),
            Hypothesis(
                "deadlock-free",
                remark="a program that deadlocks has no run, so all of its runs are as claimed",
            ),
        ),
        theorems=in_coq(
            "FifoModels.v", "fifo_causality", "every balanced straight-line program; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(MATCHING_FUNCTIONS,),
)

STATEMENTS = (GRAPH_CAUSE, LARGEST, IN_FIFO_RUNS)
