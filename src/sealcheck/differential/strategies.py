"""Hypothesis strategies for random programs, and for instances that implementations often get wrong.

A *BSL* is a balanced straight-line program that does not deadlock.  Programs are sequences of pieces.  Each
piece receives all its own messages.  The pieces are

- a message, or crossing messages,
- a causal chain through several processes,
- many messages on one channel,
- a message with an acknowledgment through a third process.

Hypothesis shrinks to few pieces, messages and processes.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from functools import cache
from itertools import pairwise

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from sealcheck.algorithms.sealability import Sealable, saturate, transmitting
from sealcheck.programs.port_space import EVERY_GUARANTEE
from sealcheck.programs.ports import ANY, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Channel, Event, Kind, StraightLine, channels, mt, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.questions.ports import in_sequence
from sealcheck.questions.sealing import problem
from sealcheck.theorems.checking.targets import (
    BALANCED,
    OVER_PORTS,
    PAIRS,
    PROGRAMS,
    TRIPLES,
    Domain,
)

MOST_PROCESSES, MOST_MESSAGES = 5, 10
"""The largest size of a program, by default."""
LONGEST_PIECE = 4


@st.composite
def executions(draw: st.DrawFn, n: int, max_messages: int, self_channels: bool = False) -> list[Event]:
    """Sends and receives in an order in which they can happen. All messages are received."""
    sends = [snd(*channel) for channel in channels(n, self_channels=self_channels)]
    left = draw(st.integers(0, max_messages)) if sends else 0
    waiting: Counter[Channel] = Counter()
    events: list[Event] = []
    while left or waiting.total():
        possible = [rcv(c.receiver, c.sender) for c in sorted(+waiting)] + (sends if left else [])
        # unlike `sampled_from`, which would draw the same, `integers` is made once for each size
        event = possible[draw(st.integers(0, len(possible) - 1)) if len(possible) > 1 else 0]
        waiting[event.channel] += 1 if event.is_send else -1
        left -= event.is_send
        events.append(event)
    return events


@cache
def _piece(n: int) -> SearchStrategy[list[Event]]:
    channel = st.sampled_from(channels(n))
    several = st.lists(channel, min_size=2, max_size=LONGEST_PIECE)
    count = st.integers(2, LONGEST_PIECE)
    walk = st.lists(st.integers(1, n), min_size=2, max_size=LONGEST_PIECE + 1)
    return st.one_of(
        channel.map(lambda c: list(mt(*c))),
        several.map(_crossing),
        channel.map(lambda c: _crossing([c, Channel(c.receiver, c.sender)])),
        walk.map(_chain),
        walk.map(lambda walk: _chain([*walk, walk[0]])),
        st.tuples(channel, count).map(lambda piece: _crossing([piece[0]] * piece[1])),
    )


def _crossing(sent: Sequence[Channel]) -> list[Event]:
    """The sends of all messages, then their receives."""
    return [snd(*c) for c in sent] + [rcv(c.receiver, c.sender) for c in sent]


def _chain(walk: Sequence[int]) -> list[Event]:
    """Messages along a walk, a list of processes: each process sends to the next."""
    hops = [(i, j) for i, j in pairwise(walk) if i != j]
    return [event for hop in hops for event in mt(*hop)]


@st.composite
def hard_events(draw: st.DrawFn, n: int, max_messages: int) -> list[Event]:
    """A sequence of pieces with at most `max_messages` messages."""
    pieces = draw(st.lists(_piece(n), max_size=max_messages)) if n > 1 else []
    events: list[Event] = []
    for piece in pieces:
        if sum(event.is_send for event in events + piece) <= max_messages:
            events += piece
    return events


@st.composite
def programs(draw: st.DrawFn, max_n: int, max_messages: int, min_n: int = 1) -> StraightLine:
    """BSLs: balanced straight-line programs that do not deadlock. Some of their processes may be idle."""
    n = draw(st.integers(min_n, max_n))
    return StraightLine.of(n, draw(st.one_of(hard_events(n, max_messages), executions(n, max_messages))))


@st.composite
def balanced_programs(draw: st.DrawFn, max_n: int, max_messages: int) -> StraightLine:
    """Balanced programs that may deadlock: BSLs with some neighbouring events of a process swapped."""
    p = draw(programs(max_n, max_messages))
    shares = [list(share) for share in p.shares]
    places = [(k, at) for k, share in enumerate(shares) for at in range(len(share) - 1)]
    for k, at in draw(st.lists(st.sampled_from(places), max_size=4)) if places else []:
        shares[k][at], shares[k][at + 1] = shares[k][at + 1], shares[k][at]
    return StraightLine(tuple(map(tuple, shares)))


@st.composite
def unbalanced_programs(draw: st.DrawFn, max_n: int, max_messages: int) -> StraightLine:
    """Straight-line programs with more or fewer sends than receives on some channel; n is at least 2."""
    p = draw(programs(max_n, max_messages, min_n=2))
    shares = [list(share) for share in p.shares]
    channel = draw(st.sampled_from(channels(p.n)))
    event = draw(st.sampled_from(mt(*channel)))
    for _ in range(draw(st.integers(1, 3))):
        share = shares[event.process - 1]
        share.insert(draw(st.integers(0, len(share))), event)
    return StraightLine(tuple(map(tuple, shares)))


def sealable_programs(max_n: int, max_messages: int) -> SearchStrategy[StraightLine]:
    """BSLs that some program seals."""
    return programs(max_n, max_messages).filter(lambda p: isinstance(saturate(problem(p)), Sealable))


@st.composite
def layers(draw: st.DrawFn, count: int, max_n: int, max_messages: int) -> tuple[StraightLine, ...]:
    """`count` BSLs over the same processes. Each has at most ``max_messages // count`` messages."""
    first = draw(programs(max_n, max_messages // count))
    same = programs(first.n, max_messages // count, min_n=first.n)
    return first, *(draw(same) for _ in range(count - 1))


@st.composite
def runs(draw: st.DrawFn, max_n: int, max_messages: int) -> Run:
    """Runs of BSLs: an order of all events, and a message for each receive."""
    p = draw(programs(max_n, max_messages))
    done = [0] * p.n
    waiting: defaultdict[Channel, list[Place]] = defaultdict(list)
    order: list[Place] = []
    matching: dict[Place, Place] = {}
    while ready := [Place(k, done[k - 1] + 1) for k in range(1, p.n + 1) if _can_go_on(p, k, done, waiting)]:
        place = draw(st.sampled_from(ready))
        event = p.shares[place.process - 1][place.position - 1]
        if event.is_send:
            waiting[event.channel].append(place)
        else:
            among = waiting[event.channel]
            matching[place] = among.pop(draw(st.integers(0, len(among) - 1)))
        order.append(place)
        done[place.process - 1] += 1
    return Run(p, tuple(order), matching)


def _can_go_on(p: StraightLine, k: int, done: list[int], waiting: Mapping[Channel, list[Place]]) -> bool:
    rest = p.shares[k - 1][done[k - 1] :]
    return bool(rest) and (rest[0].is_send or bool(waiting.get(rest[0].channel)))


@st.composite
def pairs(draw: st.DrawFn, max_n: int, max_messages: int) -> tuple[StraightLine, StraightLine]:
    """BSLs P and Q over the same processes. Often Q is a seal of P, or nearly a seal."""
    p, q = draw(layers(2, max_n, max_messages))
    found = saturate(problem(p))
    flip = st.booleans()
    if isinstance(found, Sealable) and draw(flip):
        hops = list(found.transmissions)
        if draw(flip) and hops:
            del hops[draw(st.integers(0, len(hops) - 1))]
        if p.n > 1 and draw(flip):
            at = draw(st.integers(0, len(hops)))
            hops.insert(at, draw(st.sampled_from(channels(p.n))))
        q = transmitting(p.n, hops)
    return p, q


@st.composite
def layers_over_ports(draw: st.DrawFn, max_n: int, max_messages: int) -> Instance:
    """Up to three layers over ports, in sequence or repeated, with tags and guarantees."""
    n = draw(st.integers(2, max_n))
    readers = [(reader, tag) for reader in range(1, n + 1) for tag in ("", "x")]
    shared = draw(st.sets(st.sampled_from(readers)))
    of_each = draw(st.integers(1, 3)), max_messages // 3
    layers = [draw(_layer_over_ports(n, of_each[1], shared)) for _ in range(of_each[0])]
    ports = sorted({Port(e.receiver, e.sender, e.tag) for p in layers for e in p.events if not e.is_send})
    given = {port: draw(st.sampled_from(EVERY_GUARANTEE)) for port in ports}
    repeat, open = draw(st.booleans()), draw(st.booleans())
    about = PortPhases(tuple(layers), Protocol.sequence(len(layers), repeat=repeat), given, open)
    return in_sequence(about, repeat=repeat)


@st.composite
def _layer_over_ports(
    draw: st.DrawFn, n: int, max_messages: int, shared: Set[tuple[int, str]]
) -> PortProgram:
    """A layer over ports that does not deadlock: the k'th send and receive on a channel have the same tag."""
    events = draw(st.one_of(hard_events(n, max_messages), executions(n, max_messages)))
    tags: defaultdict[Channel, list[str]] = defaultdict(list)
    taken: Counter[Channel] = Counter()
    found = []
    for kind, sender, receiver in events:
        channel = Channel(sender, receiver)
        if kind is Kind.SEND:
            tags[channel].append(draw(st.sampled_from(("", "x"))))
            found.append(PortEvent(kind, sender, receiver, tags[channel][-1]))
        else:
            tag = tags[channel][taken[channel]]
            taken[channel] += 1
            found.append(PortEvent(kind, ANY if (receiver, tag) in shared else sender, receiver, tag))
    return PortProgram.of(n, found)


_MOST = (MOST_PROCESSES, MOST_MESSAGES)
_OF_A_DOMAIN: dict[Domain, SearchStrategy[Instance]] = {
    PROGRAMS: programs(*_MOST).map(Instance.of),
    PAIRS: pairs(*_MOST).map(lambda pair: Instance.of(*pair)),
    TRIPLES: layers(3, *_MOST).map(lambda triple: Instance.of(*triple)),
    BALANCED: balanced_programs(*_MOST).map(Instance.of),
    OVER_PORTS: layers_over_ports(*_MOST),
}


def drawn(domain: Domain) -> SearchStrategy[Instance]:
    """Random instances of the domain."""
    return _OF_A_DOMAIN[domain]
