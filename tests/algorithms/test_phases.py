"""Phases: the kernel accepts chains and runs; random executions find no other root causes."""

import random
from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import balanced_programs, compositions, unhurried

from sealcheck.algorithms.certificates import phases_certificate, root_document
from sealcheck.algorithms.clocks import Causality
from sealcheck.algorithms.phases import decide, interfering_by_signatures
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.explorers.matching_functions import goes_wrong, roots_by_exploring, used
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.programs.phases import Phases, Rounds
from sealcheck.programs.runs import Place, fifo_run
from sealcheck.programs.straight_line import Channel, StraightLine, mt, rcv, snd

sequences = st.integers(1, 4).flatmap(lambda count: balanced_programs(count, max_n=5, max_messages=6))


def crossed_in_execution(rounds: Rounds, chance: random.Random) -> set[Channel]:
    """The channels on which a message gets into another layer, in one complete execution."""
    program, found = rounds.program, set()
    done = [0] * program.n
    held: defaultdict[Channel, list[int]] = defaultdict(list)
    while ready := [
        process
        for process, share in enumerate(program.shares)
        if done[process] < len(share) and (share[done[process]].is_send or held[share[done[process]].channel])
    ]:
        process = chance.choice(ready)
        event = program.shares[process][done[process]]
        done[process] += 1
        owner = rounds.owner(Place(process + 1, done[process]))
        if event.is_send:
            held[event.channel].append(owner)
        else:
            messages = held[event.channel]
            if messages.pop(chance.randrange(len(messages))) != owner:
                found.add(event.channel)
    assert done == [len(share) for share in program.shares]
    return found


@unhurried
@given(sequences, st.booleans(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_random_executions_cross_no_other_channels(
    layers: list[StraightLine], repeat: bool, more: int, chance: random.Random
) -> None:
    phases = Phases(tuple(layers), repeat)
    allowed = {found.channel for found in decide(phases).interfering}
    for _ in range(5):
        assert crossed_in_execution(phases.rounds(more if repeat else 1), chance) <= allowed


def played(phases: Phases) -> list[Rounds]:
    """Three rounds, since two are said to be enough; fewer if anything may follow."""
    rounds = (3 if phases.once.length < 6 else 2) if phases.repeat else 1
    return [phases.rounds(count) for count in range(1 if phases.open else rounds, rounds + 1)]


def test_root_causes_are_those_that_playing_finds() -> None:
    found = set()
    for phases in compositions(random.Random(22), 600):
        decision, rounds = decide(phases), played(phases)
        roots = {each.channel for each in decision.interfering}
        assert roots == frozenset().union(*map(roots_by_exploring, rounds)), str(phases)
        assert decision.is_safe != any(map(goes_wrong, rounds)), str(phases)
        assert not any(goes_wrong(each, roots) for each in rounds), str(phases)
        for root in roots:
            assert any(goes_wrong(each, used(each) - {root}) for each in rounds), str(phases)
        evidence = phases_certificate(decision), [root_document(each) for each in decision.interfering]
        check_phases(*(value_of(canonical(value)) for value in evidence))
        found.add((len(roots), decision.causality.is_whole))
    assert {(0, True), (1, True), (2, True), (1, False), (2, False)} <= found


def test_what_goes_wrong_in_consequence_is_no_root_cause() -> None:
    """From the third round on, wrong receives also take messages from 2 to 1; with a tag they do not."""
    lopsided = StraightLine.of(2, [*mt(1, 2), *mt(2, 1), snd(1, 2)])
    for phases in (Phases((lopsided,), repeat=True), Phases((lopsided,) * 3)):
        assert [found.channel for found in decide(phases).interfering] == [(1, 2)]
    chance = random.Random(1)
    rounds = Phases((lopsided,), repeat=True).rounds(3)
    wrong = set().union(*(crossed_in_execution(rounds, chance) for _ in range(200)))
    assert wrong == {(1, 2), (2, 1)}
    assert not goes_wrong(rounds, {Channel(1, 2)})


def test_a_receive_whose_layer_sends_it_nothing() -> None:
    layers = [rcv(2, 1), *mt(2, 3)], [snd(1, 2), snd(2, 3)]
    phases = Phases(tuple(StraightLine.of(3, each) for each in layers))
    (found,) = decide(phases).interfering
    assert (found.channel, found.receive, found.is_in_order) == ((1, 2), Place(2, 1), True)
    chance = random.Random(1)
    wrong = set().union(*(crossed_in_execution(phases.rounds(1), chance) for _ in range(20)))
    assert wrong == {(1, 2), (2, 3)}


@unhurried
@given(sequences, st.booleans(), st.booleans())
def test_the_kernel_accepts_what_is_said(layers: list[StraightLine], repeat: bool, is_open: bool) -> None:
    phases = Phases(tuple(layers), repeat, is_open)
    decision = decide(phases)
    runs = [root_document(found) for found in decision.interfering]
    check_phases(*(value_of(canonical(value)) for value in (phases_certificate(decision), runs)))
    assert {found.channel for found in decision.interfering} == interfering_by_signatures(phases)


@unhurried
@given(sequences, st.booleans())
def test_runs_are_the_past_of_the_wrong_receive(layers: list[StraightLine], is_open: bool) -> None:
    for found in decide(Phases(tuple(layers), open=is_open)).interfering:
        run = found.run
        run.check()
        assert run.order[-1] == found.receive
        assert run.matching[found.receive] == found.send
        assert found.rounds.owner(found.receive) != found.rounds.owner(found.send)
        follows = {found.receive}
        for place in reversed(run.order):
            taken_later = any(run.matching.get(receive) == place for receive in follows)
            assert place in follows or taken_later or Place(place.process, place.position + 1) in follows
            follows.add(place)


@unhurried
@given(balanced_programs(1, max_n=5, max_messages=8))
def test_clocks_are_the_closure_of_the_program_graph(programs: list[StraightLine]) -> None:
    (program,) = programs
    causality, pairs = Causality([program]), causal_pairs(program)
    for first in fifo_run(program).order:
        for second in fifo_run(program).order:
            assert causality.reaches(first, second) == (first == second or (first, second) in pairs)
            if (first, second) in pairs:
                chain = causality.chain(first, second)
                assert (chain[0], chain[-1]) == (first, second)
                for a, b in pairwise(chain):
                    in_order = a.process == b.process and a.position < b.position
                    assert in_order or causality.source(b) == a


def test_many_processes_and_events() -> None:
    """64 processes and 20,000 events: a token goes round in each layer, but not in the last."""
    n = 64
    ring = StraightLine.of(n, [e for k in range(n) for e in mt(k + 1, (k + 1) % n + 1)])
    layers = (ring,) * (20_000 // ring.length)
    decision = decide(Phases(layers, repeat=True))
    assert decision.is_safe
    assert len(decision.needs) == n * len(layers)
    short = StraightLine.of(n, mt(1, 2))
    (found,) = decide(Phases((*layers, short, short))).interfering
    assert found.channel == (1, 2)
    assert found.run.program.length == decide(Phases(layers)).rounds.program.length + 3


def test_the_run_is_of_what_matters() -> None:
    first = StraightLine.of(4, [*mt(3, 4), *mt(1, 2)])
    (found,) = decide(Phases((first, StraightLine.of(4, mt(1, 2))))).interfering
    assert str(found.run.program) == "mt 1->2; snd 1->2"
    assert found.run.matching == {Place(2, 1): Place(1, 2)}


def test_what_follows_is_one_event() -> None:
    (late,) = decide(Phases((StraightLine.of(2, mt(1, 2)),), open=True)).interfering
    (left,) = decide(Phases((StraightLine.of(2, [snd(1, 2)]),), open=True)).interfering
    assert (str(late.later), str(left.later)) == ("snd 1->2", "rcv 2<-1")
    assert decide(Phases((StraightLine.of(2, [snd(1, 2)]),))).is_safe
