"""Which matching functions does P have?  Who takes whose message, in the runs of P alone (section 2.2)."""

from collections.abc import Iterator
from itertools import permutations, product

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not

from sealcheck.encodings import fifo
from sealcheck.encodings.given import given_run
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import LimitReached
from sealcheck.oracles.matching_functions import Matching, executed_matchings
from sealcheck.programs.events import channels, mt
from sealcheck.programs.runs import events
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import MATCHINGS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import STRAIGHT, in_rel


def by_executing(instance: Instance, semantics: Semantics) -> frozenset[Matching]:
    """What the receives take, in all interleavings."""
    return executed_matchings(instance.p, semantics.model)


def by_scheduling(instance: Instance) -> frozenset[Matching]:
    """The matching functions with which every event can be put off until all that it waits for is done."""
    return frozenset(matching for matching in _injective(instance.p) if _all_happen(instance, matching))


def _injective(program: StraightLine) -> Iterator[Matching]:
    """Every way to give each receive a send of its own on its channel."""
    places = events(program)
    on_channel: list[list[Matching]] = []
    for channel in channels(program.n, self_channels=True):
        sends, receives = ([place for place, event in places.items() if event == e] for e in mt(*channel))
        taken = permutations(sends, len(receives))
        on_channel.append([frozenset(zip(receives, chosen, strict=True)) for chosen in taken])
    return (frozenset().union(*parts) for parts in product(*on_channel))


def _all_happen(instance: Instance, matching: Matching) -> bool:
    """Whether letting happen whatever can happen, over and over, gets through the program."""
    shares, source, done = instance.p.shares, dict(matching), [0] * instance.n
    moved = True
    while moved:
        moved = False
        for place, event in events(instance.p).items():
            send = place if event.is_send else source[place]
            sent = event.is_send or send.position <= done[send.process - 1]
            if place.position == done[place.process - 1] + 1 and sent:
                done[place.process - 1] += 1
                moved = True
    return done == [len(share) for share in shares]


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> frozenset[Matching]:
    """The matching functions for which the solver finds times for all events, one model each."""
    given = given_run([instance.p], solver.order, later_sends=0)
    place = {f"P{place.process}.{place.position}": place for place in events(instance.p)}
    matched = {
        given.run.matched(c.first, c.second): (place[c.first], place[c.second])
        for c in given.run.skeleton.candidates
        if c.second in place
    }
    excluded: list[FNode] = []
    found: set[Matching] = set()
    with solver.assuming([*given.axioms, *fifo.in_model(given, semantics.model)]):
        while (answer := _answer(solver, excluded)).status is Status.SAT:
            chosen = [symbol for symbol in matched if answer.value(symbol)]
            found.add(frozenset(matched[symbol] for symbol in chosen))
            excluded.append(Not(And(chosen)))
    return frozenset(found)


def _answer(solver: Solver, formulas: list[FNode]) -> Answer:
    answer = solver.ask(formulas)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on a matching function")
    return answer


MATCHING_FUNCTIONS = Question(
    id="matching-functions",
    text="Which matching functions does P have, when nothing comes before or after it?",
    takes=("p",),
    domain=STRAIGHT,
    answer=MATCHINGS,
    oracles=(
        Oracle("executions", by_executing),
        Oracle("scheduling", in_rel(by_scheduling)),
    ),
    symbolic=Symbolic(by_solving),
    per_second=60,
)
