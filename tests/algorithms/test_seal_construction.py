"""Constructed seals seal, and keep the paper's bound where its hypothesis holds."""

from hypothesis import given
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.seal_construction import construct_seal, tree_seal
from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    closed_channel_graph,
    is_connected,
    sealability,
    suffices,
)
from sealcheck.algorithms.signature import signature
from sealcheck.explorers import channel_contents
from sealcheck.programs.straight_line import StraightLine


def test_small_seals_are_confirmed_by_the_explorer() -> None:
    """Every seal constructed for n = 3 and up to 3 messages is one, says the explorer."""
    for program in programs_up_to(3, 3, canonical=True):
        found = construct_seal(signature(program))
        assert isinstance(found, Sealable) == isinstance(sealability(program), Sealable)
        if isinstance(found, Sealable):
            assert channel_contents.seals(program, found.seal(program.n))


@unhurried
@given(balanced_program(max_n=7, max_messages=20))
def test_fewer_than_3n_messages_where_the_graph_is_connected(program: StraightLine) -> None:
    """The tree seal keeps the bound of the theorem and seals; the one returned is not longer."""
    first = signature(program)
    closed = closed_channel_graph(first)
    if is_connected(first.n, closed):
        tree = list(tree_seal(first.n, closed))
        assert len(tree) <= 3 * (first.n - 1)
        assert suffices(Problem.of(first), tree)
        found = construct_seal(first)
        assert isinstance(found, Sealable)
        assert len(found.transmissions) <= len(tree)
        assert suffices(Problem.of(first), found.transmissions)
