"""Answers about recorded MPI programs, compared with a small MPI that matches messages with receives.

Unlike ports, it has receives that are posted and complete later, and queues of posted receives and of
unexpected messages. All executions of random programs of two layers are explored.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import pytest

from sealcheck.algorithms.ports import decide_ports
from sealcheck.language.mpi import Reading, layered
from sealcheck.language.ports import Declared
from sealcheck.language.recordings import MPI, Communicator, Enter, Post, Receive, Recording, Send

LAYERS = 2


class Op(NamedTuple):
    """A call of MPI_Isend, MPI_Irecv or MPI_Wait in a layer."""

    layer: int
    call: str
    peer: int | None
    """None: any source."""
    tag: int
    request: int


class Arrived(NamedTuple):
    """A message, and the layer in which it is sent."""

    sender: int
    tag: int
    layer: int


@dataclass(frozen=True)
class State:
    """A state of an execution."""

    at: tuple[int, ...]
    """The number of calls that each process has made."""
    underway: tuple[tuple[tuple[int, int], Arrived], ...] = ()
    """Sent messages, with sender and receiver. Messages of a pair with the same tag arrive in this order,
    because MPI orders messages that one receive could take."""
    posted: tuple[tuple[int, Op], ...] = ()
    unexpected: tuple[tuple[int, Arrived], ...] = ()
    matched: frozenset[tuple[int, Op, Arrived]] = frozenset()

    @property
    def is_wrong(self) -> bool:
        """Whether a receive has taken the message of another layer."""
        return any(op.layer != message.layer for _, op, message in self.matched)


def fits(op: Op, message: Arrived) -> bool:
    return op.tag == message.tag and op.peer in (None, message.sender)


def steps(program: list[list[Op]], state: State) -> Iterator[tuple[int | None, State]]:
    for rank, calls in enumerate(program):
        if state.at[rank] == len(calls):
            continue
        op = calls[state.at[rank]]
        now = replace(state, at=(*state.at[:rank], state.at[rank] + 1, *state.at[rank + 1 :]))
        if op.call == "send":
            message = ((rank, op.peer), Arrived(rank, op.tag, op.layer))
            yield rank, replace(now, underway=(*now.underway, message))
        elif op.call == "post":
            for waiting in now.unexpected:
                if waiting[0] == rank and fits(op, waiting[1]):
                    left = list(now.unexpected)
                    left.remove(waiting)
                    matched = now.matched | {(rank, op, waiting[1])}
                    yield rank, replace(now, unexpected=tuple(left), matched=matched)
                    break
            else:
                yield rank, replace(now, posted=(*now.posted, (rank, op)))
        elif any((to, each.request) == (rank, op.request) for to, each, _ in now.matched):
            yield rank, now
    for place, (pair, message) in enumerate(state.underway):
        if any((other, each.tag) == (pair, message.tag) for other, each in state.underway[:place]):
            continue
        underway = state.underway[:place] + state.underway[place + 1 :]
        for receive in state.posted:
            if receive[0] == pair[1] and fits(receive[1], message):
                posted = tuple(each for each in state.posted if each != receive)
                matched = state.matched | {(*receive, message)}
                yield None, replace(state, underway=underway, posted=posted, matched=matched)
                break
        else:
            yield None, replace(state, underway=underway, unexpected=(*state.unexpected, (pair[1], message)))


def can_mix(program: list[list[Op]]) -> bool:
    """Whether a receive takes the message of another layer in some execution."""
    start = State((0,) * len(program))
    seen, pending = {start}, [start]
    while pending:
        for _, after in steps(program, pending.pop()):
            if after.is_wrong:
                return True
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return False


def recorded(program: list[list[Op]], rng: Random) -> Recording | None:
    events: list[list[Enter | Send | Post | Receive]] = [[] for _ in program]
    state = State((0,) * len(program))
    for layer in range(LAYERS):
        for each in events:
            each.append(Enter(0, "layer"))
        while True:
            options = [
                (rank, after)
                for rank, after in steps(program, state)
                if rank is None or program[rank][state.at[rank]].layer == layer
            ]
            if not options:
                break
            rank, after = rng.choice(options)
            if rank is not None:
                op = program[rank][state.at[rank]]
                if op.call == "send":
                    events[rank].append(Send(0, op.peer, 0, op.tag))
                elif op.call == "post":
                    events[rank].append(Post(0, op.request))
                else:
                    (sender,) = (
                        m.sender for to, each, m in after.matched if (to, each.request) == (rank, op.request)
                    )
                    events[rank].append(Receive(0, sender, 0, op.tag, op.request))
            state = after
    is_over = all(at == len(calls) for at, calls in zip(state.at, program, strict=True))
    world = {0: Communicator(MPI.world, tuple(range(len(program))))}
    return Recording(world, events) if is_over else None


def random_program(rng: Random) -> tuple[list[list[Op]], set[str]]:
    n = 3
    from_any = {(rank, tag): rng.random() < 0.8 for rank in range(n) for tag in (0, 1)}
    program: list[list[Op]] = [[] for _ in range(n)]
    request = 0
    for layer in range(LAYERS):
        calls: list[list[list[Op]]] = [[] for _ in range(n)]
        for _ in range(rng.choice((2, 2, 3))):
            sender, receiver = rng.sample(range(n), 2)
            tag, request = rng.choice((0, 0, 1)), request + 1
            source = None if from_any[receiver, tag] else sender
            calls[sender].append([Op(layer, "send", receiver, tag, request)])
            calls[receiver].append([Op(layer, call, source, tag, request) for call in ("post", "wait")])
        for rank, together in enumerate(calls):
            while together:
                which = rng.choice(together)
                program[rank].append(which.pop(0))
                together = [each for each in together if each]
    return program, {f"rank{rank}<-*:{tag}" for (rank, tag), is_any in from_any.items() if is_any}


def is_safe(recording: Recording, any_source: set[str]) -> bool:
    trace = layered(recording, Reading(frozenset(any_source), frozenset({"layer"}))).trace
    drawn = trace.protocol()
    assert drawn is not None
    about, _ = Declared(drawn.layers, list(drawn.layers), drawn.expression, processes=drawn.processes).read()
    return decide_ports(about).is_safe


@pytest.mark.parametrize("programs", [80, pytest.param(2000, marks=pytest.mark.larger)])
def test_answers_are_those_of_mpi(programs: int) -> None:
    rng, seen = Random(7), []
    for _ in range(programs):
        program, any_source = random_program(rng)
        recording = recorded(program, rng)
        if recording is None:
            continue
        found = is_safe(recording, any_source)
        assert found is not can_mix(program), program
        seen.append(found)
    assert min(seen.count(True), seen.count(False)) > programs // 8
