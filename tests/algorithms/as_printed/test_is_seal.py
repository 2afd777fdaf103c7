"""Is-Seal: an unbound name, and an e that is computed but not used."""

from functools import partial

import pytest

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.is_seal import (
    UnboundName,
    is_seal,
    is_seal_repaired,
    is_seal_without_unbound_name,
)
from sealcheck.algorithms.as_printed.nodes import First, Last
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.explorers.channel_contents import seals
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd

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
    """`th:decide.sealing` word by word: k ranges over all processes, and both of Q's edges are wanted."""
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


def test_paper_examples():
    """An answer seals a transmission; a repetition does not, nor does nothing."""
    assert is_seal_repaired(MT12, MT21)
    assert not is_seal_repaired(MT12, MT12)
    assert not is_seal_repaired(MT12, StraightLine.of(2))


@pytest.mark.parametrize(("n", "m", "m_"), PAIRS)
def test_repaired_agrees_with_execution(n, m, m_):
    """Repaired, the procedure answers what playing all executions of P, Q and later sends answers."""
    for p in Space(n, m).programs():
        for q in Space(n, m_).programs():
            assert is_seal_repaired(p, q) == seals(p, q), (str(p), str(q))


@pytest.mark.parametrize(("n", "m", "m_"), PAIRS)
def test_leaving_out_k_equal_to_i_is_no_slip(n, m, m_):
    """The repaired procedure is the theorem, though the theorem's k ranges over i, too."""
    for p in Space(n, m).programs():
        for q in Space(n, m_).programs():
            assert is_seal_repaired(p, q) == by_the_theorem(p, q), (str(p), str(q))


def test_smallest_pair_that_reaches_the_unbound_name(smallest_pair):
    """As printed, the procedure stops as soon as P leaves a channel open."""
    assert smallest_pair(stops, {1: 0, 2: 2}) == ["mt 1->2", "eps"]


@pytest.mark.parametrize("procedure", [is_seal, partial(is_seal, sig=printed_throughout.sig)])
def test_printed_procedure_answers_only_without_open_channels(procedure):
    """Whatever Q is, the print answers yes for a P that communicates nothing, and stops for any other."""
    for m in range(4):
        pairs = [(p, q) for p in Space(2, m).programs() for q in Space(2, 1).programs()]
        assert {stops(p, q, procedure) for p, q in pairs} == {m > 0}
    assert procedure(StraightLine.of(2), MT12)


def test_smallest_pair_with_the_wrong_answer(smallest_pair):
    """With the name bound, the unused e denies the paper's first example of a seal."""

    def differs(p, q):
        return is_seal_without_unbound_name(p, q) != is_seal_repaired(p, q)

    assert smallest_pair(differs, {1: 0, 2: 2}) == ["mt 1->2", "mt 2->1"]


@pytest.mark.parametrize(
    "procedure",
    [is_seal_without_unbound_name, partial(is_seal_without_unbound_name, sig=printed_throughout.sig)],
)
@pytest.mark.parametrize(("n", "m", "m_"), PAIRS)
def test_unused_e_denies_every_seal(procedure, n, m, m_):
    """With the name bound, the answer is no for every P that communicates, and yes for every other."""
    for p in Space(n, m).programs():
        for q in Space(n, m_).programs():
            assert procedure(p, q) == (m == 0), (str(p), str(q))


def test_smallest_pair_that_the_printed_callee_spoils(smallest_pair):
    """On the printed Sig, the paper's first example is denied even when repaired; no yes is wrong."""

    def answer(p, q):
        return is_seal_repaired(p, q, printed_throughout.sig)

    def wrong_no(p, q):
        return is_seal_repaired(p, q) and not answer(p, q)

    def wrong_yes(p, q):
        return answer(p, q) and not is_seal_repaired(p, q)

    assert smallest_pair(wrong_no, {1: 0, 2: 2}) == ["mt 1->2", "mt 2->1"]
    assert smallest_pair(wrong_yes, {1: 0, 2: 5, 3: 3}) is None
