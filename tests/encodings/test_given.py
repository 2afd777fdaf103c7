"""Formulas about given programs; each axiom of their runs matters."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import pytest

from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.sealing import PairOfPrograms, crosses, met_but_crossed
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import (
    Answer,
    Clock,
    Interleaving,
    Relation,
    Solver,
    Status,
    fresh_formulas,
    open_solver,
)
from sealcheck.explorers import channel_contents
from sealcheck.programs.runs import Place, Run, interferes_with
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4.graph_cause import some_edge_not_causal

PAIRS = [
    (p, q)
    for n, total in ((2, 4), (3, 2))
    for of_p in range(1, total + 1)
    for p in Space(n, of_p).programs()
    if p.is_canonical
    for q in Space(n, total - of_p).programs()
]


def interfering_run(p: StraightLine, q: StraightLine, solver: Solver, *, later_sends: int = 1) -> Run | None:
    given = GivenRun([p, q], solver.order, later_sends=later_sends)
    answer = solver.ask([*axioms(given.run), crosses(given)])
    assert answer.status is not Status.UNKNOWN
    return replay(given, answer) if answer.status is Status.SAT else None


def replay(given: GivenRun, answer: Answer) -> Run:
    """The run that a model describes, with the later sends that are received."""
    taken = {
        c.first: c.second
        for c in given.run.skeleton.candidates
        if answer.value(given.run.matched(c.first, c.second))
    }
    listed = given.order.listed(answer.value)
    used = [name for name in listed if name in given.later and name in taken.values()]
    program = given.layers[0]
    for layer in (*given.layers[1:], StraightLine.of(given.n, [snd(*given.later[name]) for name in used])):
        program = program.then(layer)
    rows = [list(share) for share in given.shares]
    for name in used:
        rows[given.later[name].sender - 1].append(name)
    place = {
        name: Place(process, position)
        for process, row in enumerate(rows, 1)
        for position, name in enumerate(row, 1)
    }
    matching = {place[receive]: place[send] for receive, send in taken.items()}
    return Run(program, tuple(place[name] for name in listed if name in place), matching)


@pytest.mark.parametrize("name", SOLVERS)
def test_models_replay_as_interfering_runs(name: str) -> None:
    with open_solver(name) as solver:
        for p, q in PAIRS:
            run = interfering_run(p, q, solver)
            assert (run is None) == channel_contents.seals(p, q)
            if run is not None:
                run.check()
                assert interferes_with(run, p) is not None


def test_more_later_sends_change_no_verdict() -> None:
    """One later send on each channel is enough: with two and three the verdicts are the same."""
    with open_solver("z3") as solver:
        for p, q in PAIRS:
            verdicts = {interfering_run(p, q, solver, later_sends=k) is None for k in (1, 2, 3)}
            assert len(verdicts) == 1


def test_no_later_send_is_not_enough() -> None:
    """Without later sends the empty program would seal everything, so the bound is sharp."""
    p, empty = StraightLine.of(2, [snd(1, 2), rcv(2, 1)]), StraightLine.of(2)
    with open_solver("z3") as solver:
        assert interfering_run(p, empty, solver, later_sends=0) is None
        assert interfering_run(p, empty, solver, later_sends=1) is not None


@pytest.mark.parametrize("order", [Clock, Interleaving])
def test_a_deadlocking_program_has_no_run(order: type[Clock] | type[Interleaving]) -> None:
    stuck = StraightLine.of(2, [rcv(1, 2), snd(1, 2), rcv(2, 1), snd(2, 1)])
    given = GivenRun([stuck], order)
    with open_solver("z3") as solver:
        assert solver.ask(axioms(given.run)).status is Status.UNSAT


def test_every_program_of_the_space_has_a_run() -> None:
    """So no query about them is vacuous."""
    with open_solver("z3") as solver:
        for p in islice(Space(3, 3).programs(), 0, None, 5):
            given = GivenRun([p])
            answer = solver.ask(axioms(given.run))
            assert answer.status is Status.SAT
            replay(given, answer).check()


def test_crossing_is_about_the_cut_after_p() -> None:
    p, q = StraightLine.of(2, [snd(1, 2)]), StraightLine.of(2, [rcv(2, 1)])
    given = GivenRun([p, q])
    with open_solver("z3") as solver:
        assert replay(given, solver.ask([*axioms(given.run), crosses(given)])).matching


SIZES = [(n, m) for n in (1, 2, 3) for m in range(4)]

Ablated = Callable[[int, int, tuple[Axiom, ...]], Iterator[Query]]


def graph_cause(n: int, m: int, without: tuple[Axiom, ...]) -> Iterator[Query]:
    yield some_edge_not_causal(n, m, without, order=Relation)


def decide_sealing(n: int, m: int, without: tuple[Axiom, ...]) -> Iterator[Query]:
    for of_p in range(m + 1):
        pair = PairOfPrograms(n, of_p, m - of_p)
        formulas = partial(met_but_crossed, pair, without, order=Relation)
        yield Query.about(str(pair), formulas, pair.p, pair.q)


def smallest(statement: Ablated, without: tuple[Axiom, ...], solver: str) -> Instance | None:
    for n, m in SIZES:
        with fresh_formulas(), open_solver(solver) as opened:
            for query in statement(n, m, without):
                answer = opened.ask(query.formulas)
                assert answer.status is not Status.UNKNOWN
                if answer.status is Status.SAT:
                    return query.instance(answer)
    return None


@pytest.mark.parametrize("solver", ["cadical", "z3"])
@pytest.mark.parametrize(
    ("statement", "dropped", "expected"),
    [
        (graph_cause, Axiom.TOTAL, "mt 1->2"),
        (graph_cause, Axiom.INJECTIVE, "mt 1->2; mt 1->2"),
        (graph_cause, Axiom.SILENT_START, "mt 1->2"),
        (decide_sealing, Axiom.ACYCLIC, "P = mt 1->2   Q = mt 2->1"),
    ],
    ids=lambda value: getattr(value, "value", getattr(value, "__name__", None)),
)
def test_dropping_an_axiom_breaks_a_statement(
    statement: Ablated, dropped: Axiom, expected: str, solver: str
) -> None:
    assert str(smallest(statement, (dropped,), solver)) == expected


@pytest.mark.parametrize("statement", [graph_cause, decide_sealing], ids=lambda s: s.__name__)
def test_all_axioms_together_leave_no_counterexample(statement: Ablated) -> None:
    """So the axiom that was dropped matters."""
    assert smallest(statement, (), "cadical") is None


def test_graph_cause_does_not_need_acyclicity() -> None:
    """The lemma is a pigeonhole argument, which cyclic causality does not break."""
    assert smallest(graph_cause, (Axiom.ACYCLIC,), "cadical") is None
