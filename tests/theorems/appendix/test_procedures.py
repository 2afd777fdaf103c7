"""The paper's procedures: verdicts, smallest counterexamples, and faults."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.theorems.rows import checked, claiming, explained

from sealcheck.algorithms.as_printed import seal as transcription
from sealcheck.algorithms.as_printed.program_graph import Occurrence, program_graph_repaired
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import Disagreement
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import StraightLine, channels, mt, snd
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.causality import DEADLOCK_FREE, PROGRAM_GRAPH, SIGNATURE, Named
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import sends_to_itself
from sealcheck.theorems.appendix import (
    closed_channels,
    deadlock_free,
    is_seal,
    program_graph,
    seal,
    sig,
    signature_compose,
)
from sealcheck.theorems.checking.check import opened
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.statement import Check, Statement, predicts

LEVELS = [(1, 0), *((2, m) for m in range(4)), *((3, m) for m in range(3))]
ABOUT = (program_graph, deadlock_free, sig, is_seal, closed_channels, signature_compose, seal)


@pytest.mark.parametrize("about", [each.STATEMENT for each in ABOUT], ids=lambda about: about.id)
def test_refuted_claims_are_explained(about: Statement) -> None:
    for number, tally in enumerate(checked(about, LEVELS, ())):
        if tally.refuting is not None:
            lines = explained(about, tally.refuting, claim=number).splitlines()
            assert lines
            assert all(line.endswith(".") for line in lines)


def test_seal_says_where_it_finds_no_tree() -> None:
    """The printed criterion fails on the program, too; it has a seal."""
    refuting = parse_straight_line("snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2")
    assert explained(seal.STATEMENT, Instance.of(refuting)).splitlines() == [
        "Line 1: Closed-Channels(P) has the edges 1->3, 3->1.",
        "Line 3: there is no T to pick, because no edge connects the parts {1, 3} and {2}.",
        "Yet Q = mt 3->1; mt 1->2; mt 2->3 seals P.",
    ]


def test_pairs_with_self_channels_use_them() -> None:
    """Of 42 pairs with a canonical P, ten have no message to oneself, and are checked anyway."""
    found = list(is_seal.using_self_channels(2, 2))
    assert len(found) == len(set(found)) == 42 - 10
    assert all(sends_to_itself(i.p.then(i.q)) for i in found)


ASKED: dict[str, Question[Any]] = {
    question.id: question for about in ABOUT for question in about.STATEMENT.questions
}


@pytest.mark.parametrize(
    ("question", "oracle"),
    [(q, name) for q in ASKED.values() for name in q.oracle_names(SMT_SOLVERS)],
    ids=lambda which: getattr(which, "id", which),
)
def test_an_oracle_that_lies_is_contradicted(question: Question[Any], oracle: str) -> None:
    honest = question.symbolic

    def lie(*asked: object) -> Any:
        return "a lie"

    def lie_of_one_solver(instance: Instance, semantics: Any, solver: Any) -> Any:
        assert honest is not None
        return lie() if solver.name == oracle else honest.answer(instance, semantics, solver)

    liars = tuple(Oracle(o.name, lie) if o.name == oracle else o for o in question.oracles)
    lying = replace(question, oracles=liars, symbolic=honest and Symbolic(lie_of_one_solver))
    empty = Instance.of(*(StraightLine.of(1) for _ in question.takes))
    with opened(SMT_SOLVERS) as solvers, pytest.raises(Disagreement, match=f"{oracle} says a lie"):
        answer(Asked(lying, empty), solvers).agreed  # noqa: B018 - evaluated for the exception


def only_first(instance: Instance) -> Named:
    """The answer of a Program-Graph that joins only first sends and receives."""
    graph = program_graph_repaired(instance.p)
    later = [
        (e, f)
        for e, f in graph.edges
        if isinstance(e, Occurrence) and isinstance(f, Occurrence) and e.event.process != f.event.process
    ]
    graph.remove_edges_from((e, f) for e, f in later if e.k > 1)
    return Named.of(graph)


def crossed(instance: Instance) -> Named:
    """The answer of a Program-Graph that joins the first send to the last receive."""
    p = instance.p
    graph = program_graph_repaired(p)
    for c in channels(p.n):
        count = sum(share.count(snd(*c)) for share in p.shares)
        send, receive = (Occurrence(event, 1) for event in mt(*c))
        if count > 1:
            graph.remove_edge(send, receive)
            graph.add_edge(send, replace(receive, k=count))
    return Named.of(graph)


def keeps_all(instance: Instance) -> Named:
    """The answer of a Sig that keeps the receives of closed channels."""
    found = Named.of(sig_repaired(instance.p))
    received = {str(e) for share in instance.p.shares for e in share if not e.is_send}
    return Named(found.nodes | received, found.edges)


@pytest.mark.parametrize(
    ("about", "check", "refuting"),
    [
        (program_graph.STATEMENT, predicts(PROGRAM_GRAPH, only_first), "mt 1->2; mt 1->2"),
        (program_graph.STATEMENT, predicts(PROGRAM_GRAPH, crossed), "mt 1->2; mt 1->2"),
        (sig.STATEMENT, predicts(SIGNATURE, keeps_all), "mt 1->2; mt 2->1"),
        (deadlock_free.STATEMENT, predicts(DEADLOCK_FREE, lambda _: True), "rcv 1<-2; mt 1->2; snd 2->1"),
        (
            signature_compose.STATEMENT,
            signature_compose.returns_the_signature(lambda p, q: q),
            "P = mt 1->2   Q = eps",
        ),
    ],
)
def test_a_wrong_answer_is_noticed(about: Statement, check: Check, refuting: str) -> None:
    assert str(claiming(about, check, LEVELS, (), claim=-1).refuting) == refuting


def test_renaming_makes_the_composition_canonical() -> None:
    for instance in signature_compose.pairs_of_programs(3, 2):
        pair = signature_compose.with_canonical_composition(instance)
        assert pair.canonical() == instance.canonical()
        assert pair.p.then(pair.q).is_canonical


def test_a_seal_without_its_broadcast_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = transcription.seal

    def shortened(p: StraightLine, *choices: Callable[..., object]) -> StraightLine:
        events = whole(p, *choices).linearization  # type: ignore[arg-type]
        return StraightLine.of(p.n, events[: max(0, len(events) - 2 * (p.n - 1))])

    monkeypatch.setattr(transcription, "seal", shortened)
    transcription.every_seal.cache_clear()
    try:
        printed, *_ = checked(seal.STATEMENT, [(3, 1)], ())
        assert printed.disputed is None
        assert str(printed.refuting) == "mt 2->3"
        assert "which does not seal P" in explained(seal.STATEMENT, printed.refuting)
    finally:
        transcription.every_seal.cache_clear()


def test_a_long_seal_is_noticed() -> None:
    for length, is_too_long in ((5, False), (6, True)):
        made = frozenset([StraightLine.of(2, mt(1, 2) * length)])
        tally = claiming(seal.STATEMENT, seal.makes_seals(lambda _, made=made: made), [(2, 0)], ())
        assert (tally.refuting is not None) == is_too_long


def test_without_a_tree_a_seal_may_be_long() -> None:
    message = Listed("P", lambda n, messages: iter((Instance.of(StraightLine.of(2, mt(2, 1))),)))
    for renaming, is_wrong in (((2, 1), False), ((1, 2), True)):

        def made(instance: Instance, to: tuple[int, ...] = renaming) -> frozenset[StraightLine]:
            return frozenset([StraightLine.of(2, instance.p.renamed(to).linearization * 6)])

        check = seal.makes_seals(lambda _: frozenset(), made)
        tally = claiming(replace(seal.STATEMENT, domain=message), check, [(2, 1)], ())
        assert (tally.refuting is not None) == is_wrong
