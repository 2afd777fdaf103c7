"""Causality taken from the program graph, as `GraphCause` allows, changes no answer about sealing."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pysat.solvers import Cadical153
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, And, Not, Or

from sealcheck.encodings import sealing
from sealcheck.encodings import sealing as by_graph
from sealcheck.encodings import sealing as exchange
from sealcheck.encodings.clauses import Model, refutation, to_cnf
from sealcheck.encodings.program_space import SymbolicProgram, SymbolicSignature, same_channel
from sealcheck.encodings.sealing import no_node_but_open
from sealcheck.encodings.solving import Answer, Relation, Status, fresh_formulas
from sealcheck.explorers import channel_contents
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine

Met = Callable[[sealing.Pair[Any], int], FNode]

PAIRS = [(2, 1, 0), (2, 1, 1), (2, 2, 1), (2, 1, 2), (3, 1, 0), (3, 2, 0), (3, 1, 1), (3, 3, 0), (3, 2, 1)]
"""n, and messages of P and of Q."""


@pytest.fixture(autouse=True)
def _own_formulas() -> Iterator[None]:
    with fresh_formulas():
        yield


def has_model(formulas: list[FNode]) -> bool:
    return isinstance(refutation(to_cnf(formulas).clauses), Model)


def described(pair: sealing.PairOfTraces, formulas: list[FNode]) -> set[tuple[StraightLine, StraightLine]]:
    """The P and Q of all models, whatever else differs between these."""
    cnf = to_cnf([*formulas, *(Or(e, Not(e)) for e in _events(pair))])
    found = set()
    with Cadical153(bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            answer = Answer(Status.SAT, lambda symbol, true=true: cnf.variables.get(symbol) in true)
            found.add(pair.decoded(answer))
            solver.add_clause([-k if k in true else k for k in map(cnf.literal, _events(pair))])
    return found


def _events(pair: sealing.PairOfTraces) -> Iterator[FNode]:
    """The variables that say which programs P and Q are."""
    for program in (pair.p, pair.q):
        for e in program.events:
            yield from (program.at(e, k) for k in program.processes)
            yield from (program.before(e, f) for f in program.events if e != f)


@pytest.mark.parametrize(("n", "of_p", "of_q"), PAIRS)
def test_a_past_without_a_receive_is_there_exactly_where_a_message_can_be_stolen(
    n: int, of_p: int, of_q: int
) -> None:
    """The formula has the pairs for which the explorer finds an execution that interferes on 1->2, no others.

    None of these may be missing: that is the lemma.  That there are no others is its converse.
    """
    pair = sealing.PairOfTraces(n, of_p, of_q)
    past = by_graph.Past(pair)
    lacking = Or(past.lacks(a) for a in pair.p.messages)
    stolen = [*pair.constraints(), *past.closed(), lacking, past.needed_by_a_later_send()]
    interfering = {
        (p, q)
        for p in Space(n, of_p).programs()
        for q in Space(n, of_q).programs()
        if any((c.sender, c.receiver) == (1, 2) for c in channel_contents.crossed_channels(p, q))
    }
    assert described(pair, stolen) == interfering


LEVELS = [(2, 1, 0), (2, 1, 1), (2, 2, 1), (3, 2, 0), (3, 1, 1), (3, 3, 0), (3, 2, 1), (3, 1, 2), (3, 2, 2)]


def nobody_tells_the_sender(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without (Fd_k, Ld_i) in E_Q."""
    return Or(And(pair.sig_p.reaches_end(a, k), _first_send(pair, a, k)) for k in pair.p.processes)


def the_first_send_may_come_too_soon(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without what it says of the send node."""
    return Or(And(pair.sig_p.reaches_end(a, k), _tells_the_sender(pair, a, k)) for k in pair.p.processes)


def anybody_knows(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without (receive, Ld_k) in E_P."""
    return Or(And(_tells_the_sender(pair, a, k), _first_send(pair, a, k)) for k in pair.p.processes)


def everybody_knows(pair: sealing.Pair[Any], a: int) -> FNode:
    """A criterion that asks for too much: of all k, not of one."""
    return And(
        And(pair.sig_p.reaches_end(a, k), _tells_the_sender(pair, a, k), _first_send(pair, a, k))
        for k in pair.p.processes
    )


def _tells_the_sender(pair: sealing.Pair[Any], a: int, k: int) -> FNode:
    return pair.sig_p.sender_of(a, {i: pair.sig_q.start_reaches_end(k, i) for i in pair.p.processes})


def _first_send(pair: sealing.Pair[Any], a: int, k: int) -> FNode:
    p, q = pair.p, pair.q
    return And(
        Or(
            Not(same_channel(p, a, q, b)),
            Not(pair.sig_q.has_send_node(b)),
            pair.sig_q.reached_from_start(k, b),
        )
        for b in q.messages
    )


WEAKER = (nobody_tells_the_sender, the_first_send_may_come_too_soon, anybody_knows)


@pytest.mark.parametrize("met", [None, *WEAKER, everybody_knows])
def test_with_and_without_the_lemma_there_are_models_of_the_same_levels(
    met: Met | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the criterion is a wrong one: so a refutation is found, and where it is smallest.

    And each is one: the explorer executes P;Q so that a message crosses, though the wrong criterion holds.
    """
    if met is not None:
        monkeypatch.setattr(sealing.Pair, "met", met)
    refuted, refuted_proof = set(), set()
    for level in LEVELS:
        traces, programs = sealing.PairOfTraces(*level), sealing.PairOfPrograms(*level)
        crossed, exchanged = by_graph.graph_met_but_crossed(traces), exchange.not_met_but_no_run(traces)
        assert has_model(crossed) == has_model(sealing.met_but_crossed(programs)), level
        found = described(traces, crossed) if level[1] + level[2] < 4 else set()
        assert not any(channel_contents.seals(p, q) for p, q in found)
        refuted |= {level} if has_model(crossed) else set()
        refuted_proof |= {level} if has_model(exchanged) else set()
    assert bool(refuted) == (met in WEAKER)
    assert bool(refuted_proof) == (met is everybody_knows)


@pytest.mark.parametrize("nodes", [True, False])
def test_a_channel_without_node_is_open_with_and_without(
    nodes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At no level, but with signatures that have no receive nodes at all from the first message on."""
    if not nodes:
        monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda sig, a: FALSE())
    for n, m in ((2, 0), (2, 1), (2, 2), (3, 2), (3, 3)):
        pair, before = sealing.PairOfTraces(n, m, 0), SymbolicProgram("P", n, m)
        assert has_model(by_graph.graph_no_node_but_open(pair)) == (m > 0 and not nodes)
        assert has_model(no_node_but_open(SymbolicSignature(before))) == (m > 0 and not nodes)


@pytest.mark.parametrize(("n", "of_p", "of_q"), [(2, 1, 0), (2, 1, 1), (3, 2, 0), (3, 2, 1), (3, 1, 2)])
def test_one_edge_more_leaves_a_transitive_relation(n: int, of_p: int, of_q: int) -> None:
    """What `OneEdgeMore` does not ask follows from its definition, and that has models."""
    pair = sealing.PairOfTraces(n, of_p, of_q)
    moved = exchange.Exchange(pair)
    defined = [*pair.constraints(), *moved.definition()]
    transitive = Relation("t", moved.space.run.skeleton.events).axioms(acyclic=False)
    assert has_model(defined)
    assert not has_model([*defined, Not(transitive)])
