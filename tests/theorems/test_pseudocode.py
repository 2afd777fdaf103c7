"""The paper's procedures: verdicts on record, smallest counterexamples, and faults that are noticed."""

from collections.abc import Callable
from dataclasses import replace

import networkx as nx
import pytest
from pysmt.shortcuts import TRUE

from sealcheck.algorithms.as_printed.nodes import First, Last, Occurrence
from sealcheck.algorithms.as_printed.program_graph import program_graph_repaired
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.encodings.solving import fresh_formulas, open_solver
from sealcheck.programs.events import Channel, channels, mt, rcv, snd
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking import Tally, ablate, check_instances
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.pseudocode import (
    closed_channels,
    deadlock_free,
    is_seal,
    program_graph,
    seal,
    sig,
    signature_compose,
)
from sealcheck.theorems.pseudocode.named_graphs import Named, graph_of
from sealcheck.theorems.statement import Claim, Instance, Statement

LEVELS = [(1, 0), *((2, m) for m in range(4)), *((3, m) for m in range(3))]
MESSAGE, ANSWERED = "mt 1->2", "mt 1->2; mt 2->1"

PRINTED_AND_WRONG = {
    program_graph.STATEMENT: {0: MESSAGE},
    deadlock_free.STATEMENT: {0: "eps", 1: "eps"},
    sig.STATEMENT: {1: MESSAGE},
    is_seal.STATEMENT: {
        0: "P = mt 1->2   Q = eps",
        1: "P = mt 1->2   Q = mt 2->1",
        2: "P = mt 1->2   Q = eps",
    },
    closed_channels.STATEMENT: {1: ANSWERED},
    signature_compose.STATEMENT: {0: "P = mt 1->2   Q = eps"},
    seal.STATEMENT: {1: ANSWERED},
}
"""For each statement, the smallest counterexamples by the number of the claim that they refute."""

STATEMENTS = pytest.mark.parametrize("about", PRINTED_AND_WRONG, ids=lambda about: about.id)


def checked(about: Statement) -> Tally:
    """What checking the statement on small levels finds."""
    tally = Tally()
    for level in LEVELS:
        tally.add(check_instances(about, *level))
    return tally


@STATEMENTS
def test_claims_get_the_verdicts_on_record(about: Statement) -> None:
    """No ways contradict each other, and the claims refuted have the smallest counterexamples on record."""
    tally = checked(about)
    assert (tally.disputed, tally.unknown, tally.vacuous) == (None, 0, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == PRINTED_AND_WRONG[about]


@STATEMENTS
def test_no_instance_is_missing(about: Statement) -> None:
    """As many instances are checked as the domain has, which is never none."""
    assert about.domain is not None
    expected = [about.domain.expected(*level) for level in LEVELS]
    assert all(expected)
    assert checked(replace(about, smt=None)).checked == sum(expected)


@STATEMENTS
def test_refuted_claims_tell_why(about: Statement) -> None:
    """Every claim that is refuted as printed has a story, of one full sentence a line."""
    for claim, found in checked(replace(about, smt=None)).refuting.items():
        story = about.claims[claim].story
        assert story is not None
        lines = story(found).splitlines()
        assert lines
        assert all(line.endswith(".") for line in lines)


def test_seal_finds_no_tree_though_there_is_a_seal() -> None:
    """Seal fails on the program on which the printed criterion fails, and tells where."""
    tally = check_instances(replace(seal.STATEMENT, smt=None), 3, 4)
    assert tally.disputed is None
    assert str(tally.refuting[0]) == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
    assert set(tally.refuting) == {0, 1}
    story = seal.STATEMENT.claims[0].story
    assert story is not None
    assert story(tally.refuting[0]).splitlines() == [
        "Line 1: Closed-Channels(P) has the edges 1->3, 3->1.",
        "Line 3: there is no T to pick, for no edge connects {1, 3} from {2}.",
        "Yet Q = mt 3->1; mt 1->2; mt 2->3 seals P.",
    ]


DEADLOCKED = "rcv 1<-2; snd 1->2; mt 1->2; snd 2->1; rcv 2<-1"


@pytest.mark.parametrize(
    ("about", "hypothesis", "breaking"),
    [
        (program_graph.STATEMENT, "no self-channels", "None"),
        (deadlock_free.STATEMENT, "balanced", "rcv 2<-1"),
        (deadlock_free.STATEMENT, "no self-channels", "None"),
        (sig.STATEMENT, "balanced", "snd 1->2; rcv 1<-2; rcv 2<-1"),
        (sig.STATEMENT, "no self-channels", "None"),
        (is_seal.STATEMENT, "P balanced", "P = snd 2->1   Q = eps"),
        (is_seal.STATEMENT, "Q balanced", "P = mt 2->1   Q = rcv 2<-1"),
        (is_seal.STATEMENT, "deadlock-free", f"P = {DEADLOCKED}   Q = eps"),
        (is_seal.STATEMENT, "no self-channels", "None"),
        (closed_channels.STATEMENT, "balanced", "snd 2->1"),
        (closed_channels.STATEMENT, "deadlock-free", DEADLOCKED),
        (closed_channels.STATEMENT, "no self-channels", "None"),
        (signature_compose.STATEMENT, "balanced", "P = snd 2->1   Q = snd 1->2; rcv 1<-2; rcv 2<-1"),
    ],
)
def test_dropped_hypotheses(about: Statement, hypothesis: str, breaking: str) -> None:
    """The smallest instance on which a mended procedure is wrong once a hypothesis is dropped."""
    number = [h.name for h in about.hypotheses].index(hypothesis)
    levels = [(n, messages) for n in (1, 2) for messages in range(4)] + [(3, 0), (3, 1), (3, 2)]
    assert str(ablate(about, number, levels).breaking) == breaking


@pytest.mark.parametrize(
    ("about", "way"), [(about, way) for about in PRINTED_AND_WRONG for way in about.ways], ids=str
)
def test_a_way_that_lies_once_is_disputed(about: Statement, way: str) -> None:
    """Whichever way were wrong about the empty program alone, the ways would contradict each other."""
    honest = about.ways[way]

    def lie(instance: Instance) -> object:
        return "a lie" if not instance.messages else honest(instance)

    tally = check_instances(replace(about, ways={**about.ways, way: lie}, smt=None), 1, 0)
    assert tally.disputed is not None


def falsified(about: Statement, spoiled: Callable[[Instance], object]) -> Tally:
    """What checking finds if the last claim, the repaired one, predicts something else."""
    claim = Claim(about.claims[-1].form, about.claims[-1].text, predicts=spoiled)
    tally = Tally()
    for level in LEVELS:
        tally.add(check_instances(replace(about, claims=(claim,), smt=None), *level))
    return tally


def test_a_missing_message_edge_is_noticed() -> None:
    """A Program-Graph that joins only first sends and receives is refuted by a repeated message."""

    def only_first(instance: Instance) -> Named:
        graph = program_graph_repaired(instance.p)
        later = [
            (e, f)
            for e, f in graph.edges
            if isinstance(e, Occurrence) and isinstance(f, Occurrence) and e.event.process != f.event.process
        ]
        graph.remove_edges_from((e, f) for e, f in later if e.k > 1)
        return Named.of(graph)

    assert str(falsified(program_graph.STATEMENT, only_first).refuting[0]) == "mt 1->2; mt 1->2"


def test_crossed_message_edges_are_noticed() -> None:
    """A Program-Graph that joins the first send to the last receive is refuted by a repeated message."""

    def crossed(instance: Instance) -> Named:
        p = instance.p
        graph = program_graph_repaired(p)
        for c in channels(p.n):
            count = sum(share.count(snd(*c)) for share in p.shares)
            send, receive = (Occurrence(event, 1) for event in mt(*c))
            if count > 1:
                graph.remove_edge(send, receive)
                graph.add_edge(send, replace(receive, k=count))
        return Named.of(graph)

    assert str(falsified(program_graph.STATEMENT, crossed).refuting[0]) == "mt 1->2; mt 1->2"


def test_solving_finds_every_fifo_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the order of messages did not matter, the solver would join either send to either receive."""
    twice = Instance.of(StraightLine.of(2, mt(1, 2) * 2))
    monkeypatch.setattr(program_graph, "oldest_first", lambda given: TRUE())
    with fresh_formulas(), open_solver("z3") as solver:
        found = program_graph.by_solving(twice, solver).edges - program_graph.by_definition(twice).edges
    assert found == {("snd 1->2 #1", "rcv 2<-1 #2"), ("snd 1->2 #2", "rcv 2<-1 #1")}


def test_a_node_too_many_in_a_signature_is_noticed() -> None:
    """A Sig that keeps the receives of closed channels is refuted by a message and its answer."""

    def keeps_all(instance: Instance) -> Named:
        found = Named.of(sig_repaired(instance.p))
        received = {str(e) for share in instance.p.shares for e in share if not e.is_send}
        return Named(found.nodes | received, found.edges)

    assert str(falsified(sig.STATEMENT, keeps_all).refuting[0]) == ANSWERED


def test_a_seal_without_its_broadcast_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Seal left its last phase out, a single message would refute it."""
    whole = seal.seal

    def shortened(p: StraightLine, *choices: Callable[..., object]) -> StraightLine:
        events = whole(p, *choices).linearization  # type: ignore[arg-type]
        return StraightLine.of(p.n, events[: max(0, len(events) - 2 * (p.n - 1))])

    monkeypatch.setattr(seal, "seal", shortened)
    seal.seals.cache_clear()
    try:
        tally = check_instances(replace(seal.STATEMENT, smt=None), 3, 1)
    finally:
        seal.seals.cache_clear()
    assert tally.disputed is None
    assert str(tally.refuting[0]) == "mt 2->3"


def test_every_tree_and_root_gives_a_seal() -> None:
    """Where there is a tree, all choices give programs that seal; an answer may be no only without one."""
    made = seal.seals(3, frozenset(map(Channel._make, [(1, 2), (3, 2)])))
    assert len(made) == 3
    assert {s.messages for s in made} == {4, 5}
    assert seal.seals(3, frozenset([Channel(1, 2)])) == frozenset()


def test_deadlocking_programs_are_among_those_checked() -> None:
    """Deadlock-Free is asked about programs of which it must say no; a procedure that never does fails."""
    assert deadlock_free.STATEMENT.domain is not None
    tally = falsified(deadlock_free.STATEMENT, lambda instance: True)
    assert str(tally.refuting[0]) == "rcv 1<-2; mt 1->2; snd 2->1"


def test_playing_notices_a_channel_that_holds_nothing() -> None:
    """A program gets stuck where a receive comes before the send that it needs."""
    waits = StraightLine.of(2, [rcv(1, 2), snd(1, 2), rcv(2, 1), snd(2, 1)])
    assert not deadlock_free.never_stuck(Instance.of(waits))
    assert not deadlock_free.some_completes(Instance.of(waits))


def test_names_of_nodes_do_not_clash() -> None:
    """Repeated events have nodes of their own in a program graph: two for each message, two a process."""
    p = StraightLine.of(2, mt(1, 2) * 3)
    assert len(graph_of(p, []).nodes) == 10
    assert len(Named.of(program_graph_repaired(p)).nodes) == 10


def test_every_program_has_a_signature_of_the_bounded_size() -> None:
    """At most 2n^2 nodes, fewer than 2n^4 edges, between First, Last and Event nodes."""
    domain = Programs()
    for n, messages in [(1, 0), (2, 4), (3, 3)]:
        for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
            graph: nx.DiGraph = sig_repaired(instance.p)
            assert sum(isinstance(node, First | Last) for node in graph) == 2 * n
            assert graph.number_of_nodes() <= 2 * n**2
            assert graph.number_of_edges() < 2 * n**4
