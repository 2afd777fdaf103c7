"""Occurrence and runs with data in Coq are those of the explorer."""

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest
from tests.proofs.recorded import Recorded

from sealcheck.errors import InputError
from sealcheck.explorers.executions import executions
from sealcheck.explorers.occurrence import ends, is_silent
from sealcheck.language.parser import parse
from sealcheck.programs.runs import Frontier, GlobalRun, LocalEvent, LocalState, Place
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Event, rcv, snd
from sealcheck.programs.syntax import Eps, Program
from sealcheck.questions.verified_checker import VerifiedChecker

pytestmark = pytest.mark.coq

ATOMS = (
    "eps", "1.x := 1.x + 1", "2.y := 2.y * -1", "snd 1->2", "snd 1->2 (x)", "rcv 2<-1", "rcv 2<-1 (y)",
    "snd 2->1 (y + 1)", "rcv 1<-2 (x)", "[1.x = 2.y]", "[not (1.x < 2.y + 1 and true) or 1.x = 1]", "cut",
)  # fmt: skip


def texts(size: int) -> Iterator[str]:
    once = ATOMS if size == 1 else compositions(size)
    for text in once:
        yield text
        yield f"({text})*"


def compositions(size: int) -> Iterator[str]:
    for left in range(1, size):
        for p, q in product(texts(left), texts(size - left)):
            yield f"({p}); ({q})"
            yield f"({p}) + ({q})"


def is_run(run: GlobalRun, model: ChannelModel = ChannelModel.REL) -> bool:
    try:
        run.check(model)
    except InputError:
        return False
    return True


def same(checker: VerifiedChecker, run: GlobalRun, c: Frontier, program: Program) -> set[Frontier]:
    """The ends of the program, on which both agree; they also agree on order and empty channels."""
    recorded = Recorded.of(run, program)
    reply = checker.ask(recorded.question(program, c))
    assert not reply.error
    assert reply.result["is_run"], (run, program)
    assert reply.result["is_fifo"] == is_run(run, ChannelModel.REL_FIFO), run
    assert reply.result["is_empty"] == is_silent(run, c, Semantics(reading=CutReading.EMPTY)), (run, c)
    found = {recorded.cut_of(d) for d in reply.result["ends"]}
    assert found == ends(run, c, program), (run, c, program)
    return found


def intervals(program: Program, n: int, at_most: int) -> Iterator[tuple[GlobalRun, Frontier]]:
    return ((found.run, found.c) for found in islice(executions(program, n, outside=1), at_most))


def random_cut(run: GlobalRun, rng: random.Random) -> Frontier:
    return tuple(rng.randrange(len(share) + 1) for share in run.events)


def test_all_small_programs(checker: VerifiedChecker) -> None:
    rng = random.Random(20)
    programs = [parse(text) for size in (1, 2) for text in texts(size)]
    runs, found = [], []
    for program in programs:
        several = list(intervals(program, 2, 40))
        for run, c in rng.sample(several, min(1, len(several))):
            found.append(same(checker, run, c, program))
            runs.append(run)
        run = rng.choice(runs)
        found.append(same(checker, run, random_cut(run, rng), program))
    assert {0, 1, 2, 3} <= {*map(len, found)}


SEVERAL_MESSAGES = (
    "mt 1->2 (0 -> y); mt 1->2 (1 -> y); [2.y = 0]",
    "mt 1->2; cut; mt 1->2; cut",
    "snd 1->2 (1); snd 1->2 (0); snd 1->2 (1); rcv 2<-1 (y); cut + [2.y = 1]; rcv 2<-1; rcv 2<-1 (y)",
    "mt 1->2 (1 -> y); mt 2->1 (y -> x); [1.x = 1]; (mt 1->2; cut)*",
    "(snd 1->2 + 1.x := 1)*; (rcv 2<-1 (y); cut + eps)*",
    "mt 1->1 (1 -> x); mt 1->1 (x + 1 -> x); [1.x = 2]",
)


def test_all_matchings(checker: VerifiedChecker) -> None:
    found = [
        same(checker, run, c, parse(text))
        for text in SEVERAL_MESSAGES
        for run, c in intervals(parse(text), 2, 300)
    ]
    assert {0, 1, 2} <= {*map(len, found)}


def larger_text(rng: random.Random, size: int) -> str:
    if size == 1:
        text = rng.choice(ATOMS)
    else:
        left = rng.randrange(1, size)
        text = f"({larger_text(rng, left)}) {rng.choice(';;+')} ({larger_text(rng, size - left)})"
    return f"({text})*" if rng.random() < 0.2 else text


def test_larger_programs(checker: VerifiedChecker) -> None:
    rng = random.Random(21)
    found = []
    for _ in range(200):
        program = parse(larger_text(rng, rng.randrange(3, 7)) + rng.choice(["", "; mt 2->3 (y -> z)"]))
        for run, c in intervals(program, 3, 2):
            found.append(same(checker, run, c, program))
            found.append(same(checker, run, random_cut(run, rng), program))
    assert {0, 1, 2, 3} <= {*map(len, found)}


def changed(run: GlobalRun, rng: random.Random) -> GlobalRun:
    events, states, matching = [*map(list, run.events)], [*map(list, run.states)], dict(run.matching)
    places = [Place(i, k) for i, share in enumerate(run.events, 1) for k in range(1, len(share) + 1)]
    i, k = rng.choice(places)
    match rng.choice(["state", "content", "take", "take none"]):
        case "state":
            states[i - 1][k] = {name: value + 1 for name, value in states[i - 1][k].items()}
        case "content":
            events[i - 1][k - 1] = events[i - 1][k - 1]._replace(content=2)
        case "take":
            matching[rng.choice(places)] = rng.choice(places)
        case _:
            matching.pop(rng.choice([*matching]), None)
    return GlobalRun(tuple(map(tuple, events)), tuple(map(tuple, states)), matching)


def test_changed_runs(checker: VerifiedChecker) -> None:
    rng = random.Random(22)
    programs = [parse(f"({a}); ({b}); ({c})*") for a, b, c in product(ATOMS[3:9], repeat=3)]
    cases = [(p, run, c) for p in programs for run, c in intervals(p, 2, 12) if run.matching]
    verdicts, found = set(), set()
    for program, run, c in rng.sample(cases, 400):
        other = changed(run, rng)
        verdicts.add(is_run(other))
        if is_run(other):
            found.add(bool(same(checker, other, c, program)))
        else:
            said = checker.ask(Recorded.of(other, program).question(program, c))
            assert said.result is not None
            assert not said.result["is_run"], other
    assert verdicts == found == {True, False}


def shares_of(i: int, j: int) -> list[tuple[Event, ...]]:
    return [share for k in range(3) for share in product((snd(i, j), rcv(i, j)), repeat=k)]


def runs_of_messages(checker: VerifiedChecker) -> list[GlobalRun]:
    """All runs of two processes with at most two events each, as Coq lists them."""
    found = []
    for both in product(shares_of(1, 2), shares_of(2, 1)):
        places = {Place(i, k): event for i, share in enumerate(both, 1) for k, event in enumerate(share, 1)}
        sends = [place for place, event in places.items() if event.is_send]
        receives = [place for place in places if place not in sends]
        events = tuple(tuple(map(LocalEvent, share)) for share in both)
        states: tuple[tuple[LocalState, ...], ...] = tuple(({},) * (len(share) + 1) for share in both)
        for taken in product(sends, repeat=len(receives)):
            run = GlobalRun(events, states, dict(zip(receives, taken, strict=True)))
            if checker.ask(Recorded.of(run, Eps()).question(Eps(), (0, 0))).result["is_run"]:
                found.append(run)
    return found


def test_the_explorer_finds_all_occurrences(checker: VerifiedChecker) -> None:
    runs = runs_of_messages(checker)
    atoms = ("snd 1->2", "rcv 2<-1", "snd 2->1", "rcv 1<-2", "cut")
    forms = ("{}; {}; mt 1->2", "({}; mt 1->2) + {}", "({}; {})*", "({} + {})*", "{}; (mt 1->2 + {})*")
    for text in (form.format(*each) for form in forms for each in product(atoms, repeat=2)):
        program = parse(text)
        by_coq = {
            key(run) for run in runs if tuple(map(len, run.events)) in same(checker, run, (0, 0), program)
        }
        found = executions(program, 2, Semantics(unroll=4), outside=0)
        explored = {key(run) for run, c, d in found if max(d) <= 2 and d in ends(run, c, program)}
        assert by_coq == explored, program


def key(run: GlobalRun) -> tuple[object, ...]:
    return run.events, frozenset(run.matching.items())
