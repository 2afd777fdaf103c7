"""Minimum seals: as short as the explorer's, for a true reason, and honest about limits."""

from functools import cache

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.algorithms.oracles import knowledge, unsealed
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck import explorer
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable, minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable, sealability, suffices
from sealcheck.algorithms.signature import signature
from sealcheck.errors import LimitReached
from sealcheck.programs.events import channels, mt, rcv, snd
from sealcheck.programs.straight_line import StraightLine

CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
X = StraightLine.of(3, CROSSING)
"""The paper's example that needs a third process."""


@cache
def small() -> list[tuple[StraightLine, Minimum]]:
    """The sealable canonical programs of up to 3 processes and 4 messages, with their minimum seals."""
    programs = [program for n in (1, 2, 3) for program in programs_up_to(n, 4, canonical=True)]
    answers = [(program, minimum_or_unsealable(Problem.of(signature(program)))) for program in programs]
    return [(program, found) for program, found in answers if isinstance(found, Minimum)]


State = frozenset[tuple[int, tuple[int, int]]]
"""Who knows which open channel to be safe."""


def reachable(program: StraightLine, most: int) -> dict[State, int]:
    """The states of knowledge that at most so many safe transmissions lead to, with the least number."""
    known = knowledge(program)
    start = frozenset((k, channel) for channel, informed in known.items() for k in informed)
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_node(start)
    layer = {start}
    for _ in range(most):
        steps = {(s, _told(s, i, j)) for s in layer for i, j in channels(program.n) if _safe(s, i, j, known)}
        graph.add_edges_from(steps)
        layer = {after for _, after in steps}
    return nx.single_source_shortest_path_length(graph, start)


def _safe(state: State, i: int, j: int, known: dict) -> bool:
    return (i, j) not in known or (i, (i, j)) in state


def _told(state: State, i: int, j: int) -> State:
    return state | {(j, channel) for k, channel in state if k == i}


def lacking(program: StraightLine, state: State) -> int:
    """How many processes do not know one of their own open channels to be safe."""
    return len({i for i, j in knowledge(program) if (i, (i, j)) not in state})


def test_the_explorer_finds_no_shorter_seal() -> None:
    """The explorer, trying transmissions shortest first, needs exactly as many, and accepts the seal."""
    for program, found in small():
        assert explorer.seals(program, found.seal(program.n)), str(program)
        least = explorer.find_seal(program, len(found.transmissions))
        assert least is not None, str(program)
        assert least.messages == len(found.transmissions), str(program)
    assert len(small()) == 24 + 436


def test_small_excluded_states_are_counted() -> None:
    """`excluded` counts the states of knowledge, reached by too few messages, that the bound lets live."""
    for program, found in small():
        fewer = len(found.transmissions) - 1
        states = reachable(program, fewer).items() if fewer >= 0 else ()
        assert found.excluded == sum(sent + lacking(program, s) <= fewer for s, sent in states), str(program)
        assert all(lacking(program, state) for state, _ in states), f"{program}: a shorter seal was missed"


def test_small_reasons_are_true() -> None:
    """Nothing is open; or as many processes must hear something; or all shorter ways were tried."""
    seen = set()
    for program, found in small():
        messages, open_now = len(found.transmissions), knowledge(program)
        must_hear = len({i for (i, _), informed in open_now.items() if i not in informed})
        if not open_now:
            expected = "no channel is open: nothing needs to be sent"
        elif must_hear == messages:
            expected = (
                f"{messages} processes must each receive a message, to learn that an open channel is safe"
            )
        else:
            expected = (
                f"with {messages - 1} messages or fewer, all {found.excluded} reachable states of knowledge "
                "from which that many could suffice were extended in every way, and none seals"
            )
            assert found.excluded > 0
        assert found.reason == expected, str(program)
        seen.add(expected.split()[0])
    assert seen == {"no", "1", "2", "3", "with"}


@settings(unhurried, max_examples=150)
@given(balanced_program(max_n=4, max_messages=8))
def test_larger_minimum_seals_seal(program: StraightLine) -> None:
    """It seals, in the graph of P and seal, with no more messages than the seal found by saturation."""
    problem = Problem.of(signature(program))
    found, other = minimum_or_unsealable(problem), sealability(program)
    if not isinstance(other, Sealable):
        assert found == other
        return
    assert isinstance(found, Minimum)
    assert unsealed(program, found.seal(program.n)) == []
    assert suffices(problem, found.transmissions)
    assert len(found.transmissions) <= len(other.transmissions)


def test_an_unsealable_program_has_no_minimum() -> None:
    """The refusal of `sealability` is returned as it is; `minimum_seal` must not be asked."""
    x = StraightLine.of(2, CROSSING)
    assert minimum_or_unsealable(Problem.of(signature(x))) == sealability(x)
    with pytest.raises(ValueError, match=r"^the program is not sealable$"):
        minimum_seal(Problem.of(signature(x)))


@pytest.mark.parametrize("states", [0, 2, 4])
def test_a_limit_is_no_verdict(states: int) -> None:
    """With too few states of knowledge to look at, the answer is unknown, not wrong."""
    with pytest.raises(LimitReached) as caught:
        minimum_seal(Problem.of(signature(X)), states=states)
    sentence = f"the minimum seal was not found among the first {states} states of knowledge"
    assert str(caught.value) == sentence
    with pytest.raises(LimitReached):
        minimum_or_unsealable(Problem.of(signature(X)), states=states)


@pytest.mark.xfail(strict=True, raises=ValueError, reason="`states` also bounds the length of a seal")
def test_the_smallest_limits_are_limits() -> None:
    """One state, the initial one, is not enough for any open channel: that is a limit, not a refusal."""
    with pytest.raises(LimitReached):
        minimum_seal(Problem.of(signature(StraightLine.of(2, mt(1, 2)))), states=1)


def test_a_limit_that_is_not_hit_changes_nothing() -> None:
    """The answer within a limit is the answer without one."""
    problem = Problem.of(signature(X))
    assert minimum_seal(problem, states=100) == minimum_seal(problem)
