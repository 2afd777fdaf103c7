"""The procedures Seal and Is-Seal, as printed and as repaired."""

from functools import partial

import networkx as nx
import pytest
from tests.algorithms.as_printed.smallest import smallest_pair

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.is_seal import (
    UnboundName,
    is_seal,
    is_seal_repaired,
    is_seal_without_unbound_name,
)
from sealcheck.algorithms.as_printed.program_graph import First, Last
from sealcheck.algorithms.as_printed.seal import NoSpanningTree, every_seal, seal, seal_repaired, trees
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd
from sealcheck.theorems.checking.examples import phase, phase_seal

X = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


def all_seals(p):
    """The outputs of Seal for all picks of T and of v, not only of v at T's center."""
    return every_seal(p.n, frozenset(Channel(*edge) for edge in closed_channels_repaired(p).edges))


def test_number_of_messages_depends_on_the_root():
    """The only tree edge has two ends, and both are its center. Only one of the two needs phase (a)."""
    assert {str(s) for s in all_seals(StraightLine.of(2, mt(1, 2)))} == {
        "mt 2->1; mt 1->2",
        "mt 2->1; mt 1->2; mt 2->1",
    }


def test_unsealable_program_has_no_tree():
    """Lemma `l:non-sealed`: for X among two processes, line 3 has nothing to pick."""
    with pytest.raises(NoSpanningTree, match=r"connects the processes \[1\], \[2\]"):
        seal(StraightLine.of(2, X))


def test_third_process_makes_x_sealable():
    """Figure `fig:PGs`: among three processes X is sealed by acknowledgments through the third."""
    p = StraightLine.of(3, X)
    s = StraightLine.of(3, mt(2, 3) + mt(1, 3) + mt(3, 1) + mt(3, 2))
    assert seal(p) == s
    assert is_seal_repaired(p, s)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_seal_of_the_papers_example(n):
    """The paper's S, one message from process 1 to each other process, seals the paper's L, and so does
    Seal(L)."""
    p = phase(n)
    assert is_seal_repaired(p, phase_seal(n))
    assert is_seal_repaired(p, seal(p))


def test_seals_that_are_found_printed_throughout_are_seals():
    found = 0
    for p in Space(3, 3).programs():
        try:
            s = seal(p, printed_throughout.closed_channels)
        except NoSpanningTree:
            continue
        found += 1
        assert is_seal_repaired(p, s), str(p)
    assert found > 0


def test_every_pick_is_gone_through():
    """The picks are a direction for each tree edge (both if both are closed), and the process v."""
    closed = nx.DiGraph([(1, 2), (2, 1), (3, 2)])
    assert sorted(sorted(tree.edges) for tree in trees(closed)) == [
        [(1, 2), (2, 1), (3, 2)],
        [(1, 2), (3, 2)],
        [(2, 1), (3, 2)],
    ]
    made = every_seal(3, frozenset(map(Channel._make, [(1, 2), (3, 2)])))
    assert len(made) == 3
    assert {s.messages for s in made} == {4, 5}
    assert every_seal(3, frozenset([Channel(1, 2)])) == frozenset()


def test_mended_it_makes_a_seal_without_a_tree():
    there_and_back = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
    p = StraightLine.of(3, [*there_and_back, *(snd(2, 3), snd(3, 2), rcv(2, 3), rcv(3, 2))])
    with pytest.raises(NoSpanningTree):
        seal(p)
    s = seal_repaired(p)
    assert s == StraightLine.of(3, mt(3, 1) + mt(1, 2) + mt(2, 3))
    assert is_seal_repaired(p, s)
    for at in range(3):
        events = s.linearization
        assert not is_seal_repaired(p, StraightLine.of(3, events[: 2 * at] + events[2 * at + 2 :]))
    assert seal_repaired(StraightLine.of(2, there_and_back * 2)) is None


MANY_NEEDED = """
    snd 1->2; snd 1->5; snd 2->5; snd 2->6; snd 2->1; snd 2->3; snd 3->4; mt 3->2; snd 2->4; snd 3->5
    snd 3->6; mt 4->2; rcv 2<-1; snd 4->5; rcv 4<-3; snd 5->6; mt 5->1; rcv 1<-2; mt 5->4; rcv 4<-2
    snd 5->3; snd 5->2; rcv 5<-2; rcv 5<-4; rcv 5<-3; rcv 5<-1; mt 6->3; rcv 3<-2; rcv 3<-5; mt 6->2
    rcv 2<-5; rcv 6<-2; rcv 6<-5; rcv 6<-3
"""


def test_mended_it_can_take_3n_messages_without_a_tree():
    """Without a tree, the claim promises no less. A shortest seal has at most 3n - 5 messages."""
    p = parse_straight_line(MANY_NEEDED, 6)
    s = seal_repaired(p)
    assert is_seal_repaired(p, s)
    assert s.messages == 3 * p.n == 18
    with pytest.raises(NoSpanningTree):
        seal(p)


PAIRS = [(2, m, m_) for m in range(4) for m_ in range(4)] + [(3, m, m_) for m in range(3) for m_ in range(2)]
MT12, MT21 = (StraightLine.of(2, mt(*channel)) for channel in channels(2))


def stops(p, q, procedure=is_seal):
    """Whether the printed procedure reads the unbound name."""
    try:
        procedure(p, q)
    except UnboundName:
        return True
    return False


def by_the_theorem(p, q):
    """`th:decide.sealing` word by word: k ranges over all processes, and both edges of Q must be there."""
    P, Q = sig_repaired(p), sig_repaired(q)
    processes = range(1, p.n + 1)
    return all(
        any(
            P.has_edge(rcv(j, i), Last(k))
            and Q.has_edge(First(k), Last(i))
            and (snd(i, j) not in Q or Q.has_edge(First(k), snd(i, j)))
            for k in processes
        )
        for i, j in channels(p.n)
        if rcv(j, i) in P
    )


@pytest.mark.parametrize(("n", "m", "m_"), PAIRS)
def test_leaving_out_k_equal_to_i_is_no_slip(n, m, m_):
    """The theorem's k ranges over i, too, but the repaired procedure is the theorem."""
    for p in Space(n, m).programs():
        for q in Space(n, m_).programs():
            assert is_seal_repaired(p, q) == by_the_theorem(p, q), (str(p), str(q))


@pytest.mark.parametrize("procedure", [is_seal, partial(is_seal, sig=printed_throughout.sig)])
def test_printed_procedure_answers_only_without_open_channels(procedure):
    """If P communicates nothing, the printed answer is yes for all Q. For any other P there is no answer."""
    for m in range(4):
        pairs = [(p, q) for p in Space(2, m).programs() for q in Space(2, 1).programs()]
        assert {stops(p, q, procedure) for p, q in pairs} == {m > 0}
    assert procedure(StraightLine.of(2), MT12)


@pytest.mark.parametrize(
    "procedure",
    [is_seal_without_unbound_name, partial(is_seal_without_unbound_name, sig=printed_throughout.sig)],
)
@pytest.mark.parametrize(("n", "m", "m_"), PAIRS)
def test_unused_e_denies_every_seal(procedure, n, m, m_):
    """With the name bound, the answer is yes only if P communicates nothing."""
    for p in Space(n, m).programs():
        for q in Space(n, m_).programs():
            assert procedure(p, q) == (m == 0), (str(p), str(q))


def test_smallest_pair_that_the_printed_callee_spoils():
    def answer(p, q):
        return is_seal_repaired(p, q, printed_throughout.sig)

    def wrong_no(p, q):
        return is_seal_repaired(p, q) and not answer(p, q)

    def wrong_yes(p, q):
        return answer(p, q) and not is_seal_repaired(p, q)

    assert smallest_pair(wrong_no, {1: 0, 2: 2}) == ["mt 1->2", "mt 2->1"]
    assert smallest_pair(wrong_yes, {1: 0, 2: 5, 3: 3}) is None
