"""The kernel's checks of chains, seals, closed knowledge and minima."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from tests.kernel.edits import accepts, are_chains, edits, events, verdict
from tests.strategies import programs_up_to

from sealcheck.algorithms import sealability
from sealcheck.algorithms.certificates import sealability_document, signature_document
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Unsealable
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.explorers import channel_contents
from sealcheck.kernel.programs import balanced_events
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.kernel.sealing import Problem, State, check_chains
from sealcheck.kernel.sealing import signature as signature_by_kernel
from sealcheck.kernel.tables import check_row
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, text

PAIRS = [(2, 3, 2), (3, 2, 2)]
"""For each number of processes, the most messages of P and of Q."""
CHAINS = [
    ("mt 1->2", "mt 2->1"),
    ("mt 1->2", "mt 2->1; mt 2->1"),
    ("mt 1->2", "mt 2->3; mt 3->1; mt 1->2"),
    ("mt 1->2; mt 1->3; mt 2->3", "mt 3->2; mt 2->1; mt 1->2; mt 1->3"),
    ("snd 1->2; snd 1->2; rcv 2<-1; rcv 2<-1", "snd 2->3; mt 2->1; mt 1->2; rcv 3<-2"),
    ("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1", "mt 1->3; mt 2->3; mt 3->1; mt 3->2"),
    ("mt 1->2; mt 2->3; mt 3->4", "mt 4->3; mt 3->2; mt 2->1"),
]


@pytest.mark.parametrize(("n", "first", "second"), PAIRS)
def test_chains_of_decide_are_accepted(n: int, first: int, second: int) -> None:
    sealing = 0
    for p, q in product(programs_up_to(n, first, canonical=True), programs_up_to(n, second)):
        found = verdict(p, q)
        if found["seals"]:
            sealing += 1
            check_chains(events(p), events(q), n, found["certificate"]["chains"])
        elif p.length:
            assert not accepts(check_chains, events(p), events(q), n, [])
    assert sealing > 30


@pytest.mark.parametrize(("first", "second"), CHAINS)
def test_edited_chains_are_rejected_or_chains(first: str, second: str) -> None:
    """A second judge in the tests decides which edits are chains."""
    n = 4 if "4" in first else 3
    p, q = parse_straight_line(first, n), parse_straight_line(second, n)
    chains = verdict(p, q)["certificate"]["chains"]
    assert chains
    assert are_chains(p, q, chains)
    said = [accepts(check_chains, events(p), events(q), n, edited) for edited in edits(chains)]
    assert said == [are_chains(p, q, edited) for edited in edits(chains)]
    assert said.count(False) >= 20
    assert said.count(True) < said.count(False) / 2


def test_chains_do_not_seal_another_pair() -> None:
    pairs = list(product(programs_up_to(2, 2), programs_up_to(2, 2)))
    evidence = [
        found["certificate"]["chains"] for found in (verdict(p, q) for p, q in pairs) if found["seals"]
    ]
    distinct = {canonical(chains): chains for chains in evidence}
    for p, q in pairs:
        accepted = [accepts(check_chains, events(p), events(q), 2, chains) for chains in distinct.values()]
        assert any(accepted) == channel_contents.seals(p, q)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 4), (3, 3), (4, 2)])
def test_problems_are_those_of_the_algorithms(n: int, m: int) -> None:
    """Whole levels are compared."""
    for program in programs_up_to(n, m):
        ours, theirs = Problem.of(events(program), n), problem_of(program)
        assert (ours.n, ours.channels, ours.initial) == (theirs.n, theirs.open_channels, theirs.initial)
        assert any(ours.lacking(ours.initial)) == bool(theirs.unsafe(theirs.initial))
        safe = [channel for channel in channels(n) if theirs.is_safe(channel, theirs.initial)]
        assert list(ours.told(ours.initial)) == [sealability.told(theirs.initial, c) for c in safe]


def problem_of(program: StraightLine) -> sealability.Problem:
    return sealability.Problem.of(signature(program))


@cache
def distances(problem: sealability.Problem) -> dict[State, tuple[int, int | None]]:
    """For each reachable state, the messages sent by then, and the messages needed, by going through all
    states."""
    sent = {problem.initial: 0}
    for state in sent_first(problem, sent):
        assert state in sent
    needed: dict[State, int] = {state: 0 for state in sent if not problem.unsafe(state)}
    steps = 0
    while True:
        steps += 1
        new = [s for s in sent if s not in needed and any(t in needed for t in successors(problem, s))]
        if not new:
            return {state: (sent[state], needed.get(state)) for state in sent}
        needed |= dict.fromkeys(new, steps)


def sent_first(problem: sealability.Problem, sent: dict[State, int]) -> Iterator[State]:
    """The reachable states by the number of messages; `sent` grows as they come."""
    frontier = [problem.initial]
    while frontier:
        yield from frontier
        after = {t: sent[s] + 1 for s in frontier for t in successors(problem, s) if t not in sent}
        sent |= after
        frontier = list(after)


def successors(problem: sealability.Problem, state: State) -> list[State]:
    return [sealability.told(state, c) for c in channels(problem.n) if problem.is_safe(c, state)]


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 4), (4, 2)])
def test_what_is_still_needed_is_not_overestimated(n: int, m: int) -> None:
    """Checked in every reachable state."""
    exact = 0
    for program in programs_up_to(n, m, canonical=True):
        problem = Problem.of(events(program), n)
        for state, (_, needed) in distances(problem_of(program)).items():
            assert needed is None or problem.at_least(state) <= needed
            exact += problem.at_least(state) == needed
    assert exact > 40


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 4), (4, 2)])
def test_minima_are_accepted_and_nothing_larger(n: int, m: int) -> None:
    with_states = 0
    for program in programs_up_to(n, m, canonical=True):
        found = minimum_or_unsealable(problem_of(program))
        if isinstance(found, Unsealable):
            continue
        problem, least = Problem.of(events(program), n), len(found.transmissions)
        reachable = distances(problem_of(program))
        assert reachable[problem.initial] == (0, least)
        problem.check_minimum(least, found.states)
        with_states += bool(found.states)
        for evidence in forged_states(found, reachable):
            assert not accepts(problem.check_minimum, least + 1, evidence)
    assert with_states or n == 2


def forged_states(found: Minimum, reachable: dict[State, Any]) -> Iterator[list[tuple[int, State]]]:
    """States that a forger might list to make a seal look shorter."""
    yield list(found.states)
    yield [
        (sent, state)
        for state, (sent, needed) in reachable.items()
        if needed and sent < found_size(found) + 1
    ]
    yield [(sent + 1, state) for state, (sent, needed) in reachable.items() if needed]
    yield [(0, state) for state, (_, needed) in reachable.items() if needed]
    everything = tuple(max(state) for state in zip(*reachable, strict=True))
    yield [(0, everything)]


def found_size(found: Minimum) -> int:
    return len(found.transmissions)


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 3)])
def test_seals_with_a_useless_message_are_rejected(n: int, m: int) -> None:
    padded = 0
    for program in programs_up_to(n, m, canonical=True):
        row = sealability_row(program)
        check_row("sealability", canonical(row))
        if not row["sealable"]:
            continue
        longer = longer_seal(program, parse_straight_line(row["seal"], n))
        chains = verdict(program, longer)["certificate"]["chains"]
        change = {"seal": str(longer), "minimum_messages": longer.messages}
        for states in (row["certificate"]["states"], [[0, *(0 for _ in range(n))]]):
            certificate = {"kind": "seal", "chains": chains, "states": states}
            assert not accepts(
                check_row, "sealability", canonical(row | change | {"certificate": certificate})
            )
        padded += 1
    assert padded > 5


def sealability_row(program: StraightLine) -> Any:
    size = {"n": program.n, "messages": program.messages, "orbit_size": program.orbit_size}
    return value_of(canonical(sealability_document(program) | size))


def longer_seal(p: StraightLine, seal: StraightLine) -> StraightLine:
    longer = (seal.then(StraightLine.of(p.n, mt(*channel))) for channel in channels(p.n))
    return next(q for q in longer if isinstance(decide(p, q), Seals))


@pytest.mark.parametrize(("n", "m", "few"), [(2, 5, 10), (3, 5, 10)])
def test_closed_knowledge_is_weighed_bit_by_bit(n: int, m: int, few: int) -> None:
    seen = 0
    for program in programs_up_to(n, m, canonical=True):
        found = sealability.sealability(program)
        if not isinstance(found, Unsealable):
            continue
        seen += 1
        problem = Problem.of(events(program), n)
        problem.check_unsealable(found.knowledge)
        for k, bit in product(range(n), range(len(problem.channels))):
            state = list(found.knowledge)
            state[k] ^= 1 << bit
            assert accepts(problem.check_unsealable, tuple(state)) == is_closed(program, tuple(state))
    assert seen >= few


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 3)])
def test_sealable_programs_have_no_closed_knowledge(n: int, m: int) -> None:
    for program in programs_up_to(n, m, canonical=True):
        if isinstance(sealability.sealability(program), Unsealable):
            continue
        problem = Problem.of(events(program), n)
        everything = (1 << len(problem.channels)) - 1
        assert not accepts(problem.check_unsealable, (everything,) * n)
        for state in product(range(everything + 1), repeat=n) if everything < 8 else ():
            assert not accepts(problem.check_unsealable, state)


def is_closed(program: StraightLine, state: State) -> bool:
    """Whether the state is closed knowledge that leaves a channel unsafe, by sets of channels."""
    first = signature(program)
    knows = [{c for bit, c in enumerate(first.open_channels) if mask >> bit & 1} for mask in state]
    for channel in first.open_channels:
        if any(first.receives[channel] >> k & 1 and channel not in knows[k] for k in range(program.n)):
            return False
    for i, j in channels(program.n):
        is_safe = Channel(i, j) not in first.open_channels or Channel(i, j) in knows[i - 1]
        if is_safe and not knows[i - 1] <= knows[j - 1]:
            return False
    return any(channel not in knows[channel.sender - 1] for channel in first.open_channels)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 5), (3, 4), (4, 2)])
def test_signatures_are_those_of_the_algorithms(n: int, m: int) -> None:
    for program in programs_up_to(n, m, canonical=True):
        expected = canonical(signature_document(signature(program)))
        assert canonical(signature_by_kernel(events(program), n)) == expected
        crowded = balanced_events(text(sends_first(program)), n)
        assert canonical(signature_by_kernel(crowded, n)) == expected


def sends_first(program: StraightLine) -> list[Event]:
    """The events in an order in which they can happen, with receives as late as possible."""
    left, transit, order = [list(share) for share in program.shares], Counter[Channel](), list[Event]()
    while any(left):
        heads = [share for share in left if share]
        share = min(heads, key=lambda share: (share[0].kind, not transit[share[0].channel]))
        event = share.pop(0)
        transit[event.channel] += 1 if event.is_send else -1
        order.append(event)
    return order
