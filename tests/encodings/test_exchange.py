"""Formulas refute wrong criteria, by a run with a crossing or by the run of the proof."""

from collections.abc import Callable
from typing import Any

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, And, Not, Or

from sealcheck.encodings import sealing
from sealcheck.encodings.clauses import Model, refutation, to_cnf
from sealcheck.encodings.program_space import SymbolicProgram, SymbolicSignature, same_channel
from sealcheck.encodings.solving import Relation, answer_of
from sealcheck.explorers import channel_contents

pytestmark = pytest.mark.usefixtures("own_formulas")

Met = Callable[[sealing.Pair[Any], int], FNode]


def has_model(formulas: list[FNode]) -> bool:
    return isinstance(refutation(to_cnf(formulas).clauses), Model)


LEVELS = [(2, 1, 0), (2, 1, 1), (2, 2, 1), (3, 2, 0), (3, 1, 1), (3, 3, 0), (3, 2, 1), (3, 1, 2), (3, 2, 2)]
"""n, and messages of P and of Q."""


def nobody_tells_the_sender(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without (Fd_k, Ld_i) in E_Q."""
    return Or(And(pair.sig_p.reaches_end(a, k), _first_send(pair, a, k)) for k in pair.p.processes)


def the_first_send_may_come_too_soon(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without its condition on the send node."""
    return Or(And(pair.sig_p.reaches_end(a, k), _tells_the_sender(pair, a, k)) for k in pair.p.processes)


def anybody_knows(pair: sealing.Pair[Any], a: int) -> FNode:
    """The criterion without (receive, Ld_k) in E_P."""
    return Or(And(_tells_the_sender(pair, a, k), _first_send(pair, a, k)) for k in pair.p.processes)


def everybody_knows(pair: sealing.Pair[Any], a: int) -> FNode:
    """A criterion that is too strong: it requires its condition of all k, not of one."""
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
def test_wrong_criteria_are_refuted(met: Met | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The explorer refutes the weak criterion, too. The run of the proof refutes the strong one."""
    if met is not None:
        monkeypatch.setattr(sealing.Pair, "met", met)
    refuted, refuted_proof = set(), set()
    for level in LEVELS:
        traces, programs = sealing.PairOfTraces(*level), sealing.PairOfPrograms(*level)
        cnf = to_cnf(sealing.met_but_crossed(programs))
        match refutation(cnf.clauses):
            case Model(true):
                assert not channel_contents.seals(*programs.decoded(answer_of(cnf, true)))
                refuted.add(level)
        if has_model(sealing.not_met_but_no_run(traces)):
            refuted_proof.add(level)
    assert bool(refuted) == (met in WEAKER)
    assert bool(refuted_proof) == (met is everybody_knows)


@pytest.mark.parametrize("nodes", [True, False])
def test_a_channel_without_node_is_closed(nodes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """If signatures had no receive nodes, one message would refute this."""
    if not nodes:
        monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda sig, a: FALSE())
    for n, m in ((2, 0), (2, 1), (2, 2), (3, 2), (3, 3)):
        sig = SymbolicSignature(SymbolicProgram("P", n, m))
        assert has_model(sealing.no_node_but_open(sig)) == (m > 0 and not nodes)


@pytest.mark.parametrize(("n", "of_p", "of_q"), [(2, 1, 0), (2, 1, 1), (3, 2, 0), (3, 2, 1), (3, 1, 2)])
def test_one_edge_more_leaves_a_transitive_relation(n: int, of_p: int, of_q: int) -> None:
    """`OneEdgeMore` does not require transitivity."""
    pair = sealing.PairOfTraces(n, of_p, of_q)
    moved = sealing.Exchange(pair)
    defined = [*pair.constraints(), *moved.definition()]
    transitive = Relation("t", moved.space.run.skeleton.events).axioms(acyclic=False)
    assert has_model(defined)
    assert not has_model([*defined, Not(transitive)])
