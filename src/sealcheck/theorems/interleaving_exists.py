"""Section 2.2, footnote: the conditions on a matching function guarantee an interleaving.

Reading      of a matching function from the receives of a straight-line program to its sends:
             it is total, injective, respects channels and makes Lamport's relation acyclic iff
             some interleaving of the program on channels that are bags takes exactly these
             messages.  Programs that deadlock belong here, too: they must have neither.
Refutation   a program for which the two sets of matching functions differ.  In the queries: a
             matching under which some relation that includes Lamport's is acyclic, and yet a
             set of events is stuck, each waiting for another; or such a set and an interleaving.
Not claimed  runs are infinite in the paper; here they end with the program, and nothing
             precedes or follows it.  That a run stands for *all* interleavings of its class is
             not checked.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from sys import maxsize

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or, Symbol

from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import SymbolicProgram, processes_by_first_use, skeleton
from sealcheck.encodings.runs import SymbolicRun, axioms
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import LimitReached
from sealcheck.programs.global_runs import Model
from sealcheck.theorems.ablation import deadlocking, first_difference
from sealcheck.theorems.domains import Listed, Programs
from sealcheck.theorems.fifo import oldest_first
from sealcheck.theorems.matching_functions import Condition, Matching, events, matchings, played
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement

DEADLOCKING_MESSAGES = 3
"""How many messages programs that deadlock have at most: listing them takes long."""


def programs(n: int, messages: int) -> Iterator[Instance]:
    """The balanced programs of the level, those that deadlock last."""
    completing = Programs().instances(n, messages, 0, maxsize)
    return chain(completing, deadlocking(n, messages) if messages <= DEADLOCKING_MESSAGES else ())


def acyclic(instance: Instance, without: tuple[Condition, ...] = ()) -> frozenset[Matching]:
    """The matching functions that meet the paper's conditions."""
    return frozenset(matchings(instance.p, without))


def by_playing(instance: Instance) -> frozenset[Matching]:
    """What the receives take, in all interleavings."""
    return played(instance.p)


def by_scheduling(instance: Instance) -> frozenset[Matching]:
    """The matching functions with which every event can be put off until all that it waits for is done."""
    candidates = matchings(instance.p, [Condition.ACYCLIC])
    return frozenset(matching for matching in candidates if _all_happen(instance, matching))


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


def by_solving(instance: Instance, solver: Solver, model: Model = Model.REL) -> frozenset[Matching]:
    """The matching functions for which the solver finds times for all events, one model each."""
    given = GivenRun([instance.p], solver.order, later_sends=0)
    place = {f"P{place.process}.{place.position}": place for place in events(instance.p)}
    matched = {
        given.run.matched(c.first, c.second): (place[c.first], place[c.second])
        for c in given.run.skeleton.candidates
        if c.second in place
    }
    found: list[FNode] = []
    taken: set[Matching] = set()
    fifo = [oldest_first(given)] if model is Model.REL_FIFO else []
    with solver.assuming([*axioms(given.run), *fifo]):
        while (answer := _answer(solver, found)).status is Status.SAT:
            chosen = [symbol for symbol in matched if answer.value(symbol)]
            taken.add(frozenset(matched[symbol] for symbol in chosen))
            found.append(Not(And(chosen)))
    return frozenset(taken)


def _answer(solver: Solver, formulas: list[FNode]) -> Answer:
    answer = solver.ask(formulas)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on a matching function")
    return answer


def whole_space(n: int, m: int) -> Iterator[Query]:
    """Acyclic but stuck, and played but cyclic: a set of events, each after another of the set."""
    for order, name in ((Relation, "acyclic, not played"), (Interleaving, "played, not acyclic")):
        p = SymbolicProgram("P", n, m)
        parts = skeleton([p], [], [])
        run = SymbolicRun(parts, order("t", parts.events))
        formulas = [p.well_formed(), processes_by_first_use([p]), *axioms(run), stuck(run)]
        yield Query(f"n={n} m={m}: {name}", formulas, partial(_decoded, p), splits=p.channel_splits())


def _decoded(p: SymbolicProgram, answer: Answer) -> Instance:
    return Instance.of(p.decoded(answer))


def stuck(run: SymbolicRun) -> FNode:
    """Some events, of which none can be the first to happen: each comes after another of them.

    A finite relation has a cycle exactly if there is such a set.
    """
    waits = {event: Symbol(f"waits:{event}") for event in run.skeleton.events}
    causes: dict[str, list[FNode]] = {event: [] for event in waits}
    for s in run.skeleton.successions:
        causes[s.second].append(And(s.condition, waits[s.first]))
    for c in run.skeleton.candidates:
        causes[c.first].append(And(run.matched(c.first, c.second), waits[c.second]))
    return And(Or(waits.values()), *(Implies(waits[event], Or(causes[event])) for event in waits))


def dropped(condition: Condition) -> Hypothesis:
    """The statement without one of the conditions: matching functions that nobody can play."""

    def breaking(n: int, messages: int) -> Instance | None:
        return first_difference(programs(n, messages), partial(acyclic, without=(condition,)), by_playing)

    return Hypothesis(condition.value, breaking)


def _story(instance: Instance) -> str:
    wanted, found = acyclic(instance), by_playing(instance)
    lines = [f"{_told(matching)} is acyclic, but no interleaving takes that" for matching in wanted - found]
    lines += [
        f"{_told(matching)} is taken by an interleaving, but not acyclic" for matching in found - wanted
    ]
    return "\n".join(sorted(lines))


def _told(matching: Matching) -> str:
    pairs = (f"receive {r.position} of {r.process} <- send {s.position} of {s.process}" for r, s in matching)
    return "{" + ", ".join(sorted(pairs)) + "}"


STATEMENT = Statement(
    id="interleaving-exists",
    label='section 2.2, footnote on the execution model ("guarantee the existence of such an interleaving")',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a total, injective matching function that respects channels has an interleaving iff"
            " Lamport's relation under it is acyclic",
            predicts=acyclic,
            whole_space=whole_space,
            story=_story,
        ),
    ),
    hypotheses=tuple(map(dropped, Condition)),
    domain=Listed("programs", programs),
    ways={"algorithm": by_scheduling, "explorer": by_playing},
    smt=by_solving,
    limits=(
        f"programs that deadlock are checked one by one up to {DEADLOCKING_MESSAGES} messages; the"
        " queries are about programs that do not",
    ),
    per_shard=100,
)
