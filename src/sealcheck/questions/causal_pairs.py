"""Which pairs of events are causal in every run of ≀P?  The first of each precedes the second (section 4)."""

from collections import defaultdict
from itertools import permutations

from pysmt.fnode import FNode
from pysmt.shortcuts import Or

from sealcheck.algorithms.matchings import ordered_in_every_run
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import LimitReached
from sealcheck.oracles import explorer
from sealcheck.oracles.matching_functions import Edge
from sealcheck.programs.runs import Place, events
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import EDGES
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import STRAIGHT, for_bsl, in_rel, require_bsl

Edges = frozenset[Edge]


def by_matching(instance: Instance) -> Edges:
    """The pairs in Lamport's relation under every matching function; all are tried."""
    return ordered_in_every_run(instance.p)


def by_exploring(instance: Instance) -> Edges:
    """The pairs that every execution of P has in this order."""
    return explorer.ordered_pairs(instance.p)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Edges:
    """The pairs of which the solver finds no run with the second event first.

    Each model is a run, and settles all the pairs that its matching function leaves in either order.
    """
    require_bsl(instance, semantics)
    given = given_run([instance.p], solver.order)
    before = given.order.before
    reverse = {(e, f): before(_name(f), _name(e)) for e, f in permutations(events(instance.p), 2)}
    with solver.assuming([*given.axioms]):
        while (answer := _answer(solver, Or(reverse.values()))).status is Status.SAT:
            past = _past(given, answer)
            reverse = {(e, f): v for (e, f), v in reverse.items() if _name(e) in past[_name(f)]}
    return frozenset(reverse)


def _past(given: GivenRun, answer: Answer) -> dict[str, frozenset[str]]:
    """What happens before each event in the run that a model describes."""
    causes: defaultdict[str, list[str]] = defaultdict(list)
    for succession in given.run.skeleton.successions:
        causes[succession.second].append(succession.first)
    for pair in given.run.skeleton.candidates:
        if answer.value(given.run.matched(pair.first, pair.second)):
            causes[pair.first].append(pair.second)
    found: dict[str, frozenset[str]] = {}

    def past(event: str) -> frozenset[str]:
        if event not in found:
            found[event] = frozenset(causes[event]).union(*map(past, causes[event]))
        return found[event]

    return {event: past(event) for event in given.events}


def _name(place: Place) -> str:
    return f"P{place.process}.{place.position}"


def _answer(solver: Solver, formula: FNode) -> Answer:
    answer = solver.ask([formula])
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on an order of events")
    return answer


CAUSAL_PAIRS = Question(
    id="causal-pairs",
    text="Which pairs of events of P are causal in every run of P that starts at a silent cut?",
    takes=("p",),
    domain=STRAIGHT,
    answer=EDGES,
    oracles=(
        Oracle("matchings", for_bsl(by_matching)),
        Oracle("explorer", in_rel(by_exploring)),
    ),
    symbolic=Symbolic(by_solving),
    per_second=40,
)
