"""Runs with crossed messages of a channel can be left out."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from pysat.solvers import Cadical153
from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not

from sealcheck.encodings.causality import SymbolicTrace
from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.program_space import SpaceRun, SymbolicMessages, SymbolicProgram, in_order_of_sending
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.sealing import crosses_in_space
from sealcheck.encodings.solving import Answer, ConsistentCut, Interleaving, Status

pytestmark = pytest.mark.usefixtures("own_formulas")

Description = Callable[[str, int, int], SymbolicMessages]


def by_sends(name: str, n: int, m: int) -> SymbolicProgram:
    return SymbolicProgram(name, n, m)


def by_channel(name: str, n: int, m: int) -> SymbolicProgram:
    return SymbolicProgram(name, n, m, by_channel=True)


DESCRIPTIONS: list[Description] = [by_sends, by_channel, SymbolicTrace]


def projections(formulas: list[FNode], *prefixes: str) -> Iterator[Answer]:
    cnf = to_cnf(formulas)
    kept = [number for symbol, number in cnf.variables.items() if symbol.symbol_name().startswith(prefixes)]
    with Cadical153(bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            model = set(solver.get_model())
            yield Answer(Status.SAT, lambda symbol, model=model: cnf.variables.get(symbol) in model)
            solver.add_clause([-number if number in model else number for number in kept])


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_matchings_without_crossings_are_left(description: Description) -> None:
    """Three receives can take four messages (three and a later one) in any order; without crossings, in
    one order."""
    p = description("P", 2, 3)
    space = SpaceRun([p])
    one_channel = [And(p.at(s, 1), p.at(r, 2)) for s, r in zip(p.sends, p.receives, strict=True)]
    formulas = [*space.well_formed(), *axioms(space.run), *one_channel]
    every = list(projections(formulas, "delta"))
    in_order = list(projections([*formulas, in_order_of_sending(space)], "delta"))
    assert (len(every), len(in_order)) == (4 * 3 * 2, 4)
    sends = [*p.sends, "L0"]
    for answer in in_order:
        taken = [
            number
            for receive in p.receives
            for number, send in enumerate(sends)
            if answer.value(space.run.matched(receive, send))
        ]
        assert taken == sorted(taken)


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_receives_that_take_nothing_are_compared_with_none(description: Description) -> None:
    p = description("P", 2, 3)
    space = SpaceRun([p])
    one_channel = [And(p.at(s, 1), p.at(r, 2)) for s, r in zip(p.sends, p.receives, strict=True)]
    formulas = [*space.well_formed(), *axioms(space.run, [Axiom.TOTAL]), *one_channel]
    sends = [*p.sends, "L0"]
    compared = [(0, 1), (1, 2)] if p.by_channel else [(0, 1), (1, 2), (0, 2)]
    expected = {
        taken
        for taken in product([None, *range(len(sends))], repeat=3)
        if len({*taken} - {None}) == 3 - taken.count(None)
        and all(None in (taken[a], taken[b]) or taken[a] < taken[b] for a, b in compared)
    }
    found = {
        tuple(
            next((k for k, send in enumerate(sends) if answer.value(space.run.matched(r, send))), None)
            for r in p.receives
        )
        for answer in projections([*formulas, in_order_of_sending(space)], "delta")
    }
    assert found == expected


@pytest.mark.parametrize("later_sends", [0, 1])
@pytest.mark.parametrize("description", DESCRIPTIONS)
@pytest.mark.parametrize(("n", "p_messages", "q_messages"), [(2, 1, 1), (2, 2, 1), (2, 1, 2), (3, 2, 1)])
def test_all_pairs_that_interfere_are_still_there(
    n: int, p_messages: int, q_messages: int, description: Description, later_sends: int
) -> None:
    """Between layers messages may cross, so no pair of programs is missed."""
    p, q = description("P", n, p_messages), description("Q", n, q_messages)
    space = SpaceRun([p, q], later_sends=later_sends)
    formulas = [*space.well_formed(), *axioms(space.run), crosses_in_space(space, p)]
    every, in_order = (
        {(p.decoded(answer), q.decoded(answer)) for answer in projections([*formulas, *more], "P", "Q")}
        for more in ([], [in_order_of_sending(space)])
    )
    assert every == in_order
    assert every


def test_between_layers_crossing_matters() -> None:
    p, q = SymbolicTrace("P", 2, 1), SymbolicTrace("Q", 2, 1)
    space = SpaceRun([p, q], later_sends=0)
    formulas = [*space.well_formed(), *axioms(space.run), crosses_in_space(space, p)]
    formulas.append(in_order_of_sending(space))
    crossed = And(space.run.matched("Pr0", "Qs0"), space.run.matched("Qr0", "Ps0"))
    assert list(projections([*formulas, crossed], "delta"))
    assert not list(projections([*formulas, Not(crossed)], "delta"))


@pytest.mark.parametrize("without", [[], [Axiom.TOTAL], [Axiom.INJECTIVE], [Axiom.SILENT_START]])
@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_programs_that_have_a_run_have_one_in_order(description: Description, without: list[Axiom]) -> None:
    p = description("P", 2, 3)
    space = SpaceRun([p], Interleaving)
    formulas = [*space.well_formed(), *axioms(space.run, without)]
    every, in_order = (
        {p.decoded(answer) for answer in projections([*formulas, *more], "P")}
        for more in ([], [in_order_of_sending(space)])
    )
    assert every == in_order
    assert len(every) == 14


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_closed_sets_stay_closed(description: Description) -> None:
    p = description("P", 2, 2)
    space = SpaceRun([p], ConsistentCut)
    formulas = [*space.well_formed(), *axioms(space.run, [Axiom.ACYCLIC])]
    cuts = [space.order.has(event) for event in p.events]

    def seen(answer: Answer) -> tuple[object, ...]:
        return (p.decoded(answer), *map(answer.value, cuts))

    every, in_order = (
        set(map(seen, projections([*formulas, *more], "P", "t:")))
        for more in ([], [in_order_of_sending(space)])
    )
    assert every == in_order
