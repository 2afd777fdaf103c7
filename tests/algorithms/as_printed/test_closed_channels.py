"""Closed-Channels: no slip of its own, spoiled by its printed callees."""

import networkx as nx
import pytest

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.nodes import Last
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.explorers.channel_contents import closes
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, channels, rcv, snd

X = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 3)])
def test_agrees_with_execution(n, m):
    """The graph's edges are the channels that every execution leaves closed."""
    for p in Space(n, m).programs():
        assert set(closed_channels_repaired(p).edges) == {c for c in channels(n) if closes(p, c)}, str(p)


def test_unsealable_program():
    """Lemma `l:non-sealed`: X leaves both channels open; a third process connects what X leaves apart."""
    assert not nx.is_connected(closed_channels_repaired(StraightLine.of(2, X)).to_undirected())
    assert nx.is_connected(closed_channels_repaired(StraightLine.of(3, X)).to_undirected())


def test_open_channels_of_the_papers_example(example_phase):
    """L leaves (n-1)² channels open; the paper's n²-3n+3 is right for n = 2 only."""
    phases = [example_phase(n) for n in range(2, 7)]
    counts = [p.n * (p.n - 1) - closed_channels_repaired(p).number_of_edges() for p in phases]
    assert counts == [1, 4, 9, 16, 25]
    assert [n * n - 3 * n + 3 for n in range(2, 7)] == [1, 3, 7, 13, 21]


def test_second_half_of_line_4_is_idle():
    """No receive in a signature precedes its sender's last node."""
    for p in Space(3, 3).programs():
        signature = sig_repaired(p)
        assert not any(signature.has_edge(rcv(j, i), Last(i)) for i, j in channels(3))


def test_smallest_program_that_the_printed_callees_spoil(smallest_program):
    """Printed throughout, closed channels are taken for open from two messages on, never the reverse."""

    def misses_one(p):
        return set(printed_throughout.closed_channels(p).edges) < set(closed_channels_repaired(p).edges)

    def invents_one(p):
        return not set(printed_throughout.closed_channels(p).edges) <= set(closed_channels_repaired(p).edges)

    assert smallest_program(misses_one, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"
    assert smallest_program(invents_one, {1: 0, 2: 5, 3: 3}) is None
