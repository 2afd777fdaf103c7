"""Find remedies for layers over ports: tags, order, named sources, acknowledgments.

*Layers* are programs that each process runs one after the other. A *word* is a sequence of layers that the
protocol allows. A *port* holds messages until its *reader*, a process, receives them. A port is a *root
cause* if, in some run, the first receive that takes a message of another layer or round is on this port.

The module proposes order, named sources or acknowledgments only after it has decided that the changed layers
stay apart.

**Tags.** Exactly the root causes need a tag that names the layer of a message. If a layer can come again in a
word, the tag also has an *occurrence number*: it counts the layer's occurrences in the word, modulo some
number.

Let r be a layer's last receive on a port. The *lead* of r is the largest d such that, without tags, r could
take a message of the d'th next occurrence of its layer. This needs two things: the message can be sent
without r, and the port's order allows r to take the message (`Hold.fits`).

From layer to layer, the set of *blocked* processes, which cannot go on without r, only grows. So r could take
a message not only of the lead'th next occurrence, but of each next occurrence before it, too.

A modulus of lead + 1 is enough: no later message that r could take has r's tag. A modulus d <= lead is not
enough: r could take a message of the d'th next occurrence, which has r's tag.

If a layer can come again with the same blocked processes, it can come again any number of times. If r could
take a message of this layer each time, the lead is unbounded, and the occurrence number must grow forever. On
a port that duplicates, a copy can be taken in each later occurrence of the layer.

Coq has proved this for repeated sequences of layers (`proofs/ports/PortTags.v`, `proofs/ports/PortValues.v`).

*Room* is the largest number of messages that can wait in a port at once, with tags on all ports. This number
is reached if the reader stops before one of its events, and all other processes go on as far as they can.
Then the rest of the word can only add messages. So the search goes through all states that can follow (an
occurrence and its blocked processes). If a cycle of these states adds messages, there is no bound.

**Order.** If receives take only messages of their own layer, the order that one port keeps changes nothing on
other ports. So, if order helps at all, every root cause has to keep order.

**Named sources.** If the receives on a port name their senders, each sender has a port of its own. Each
receive then waits for one sender, so fewer events can happen without a given receive.

The search tries small sets of ports first. The receives name the senders in the order of one execution, so
that no layer deadlocks. Over bags, naming the senders in another order may help; the search tries only one
order.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sealcheck.algorithms.mending.acknowledging import MOST_WORK, acknowledgments, cost
from sealcheck.algorithms.ports import Analysis, Front, Layer, PortDecision, State, Upto, decide_ports
from sealcheck.errors import LimitReached
from sealcheck.programs.ports import ANY, FIFO, Port, PortProgram
from sealcheck.programs.protocol import PortPhases

MOST_ROOM = 2_000
"""The most pairs of an occurrence and a blocked set that are visited to find the room of a port."""
MOST_PLAYED = 2_000_000
"""The most events that are played to find the room of all ports."""


@dataclass(frozen=True)
class Remedies:
    """The remedies that keep the layers apart. `order`, `name_sources` or `acknowledgments` is None if no
    such remedy was found.
    """

    tags: Mapping[Port, int | None]
    """For each root cause, the modulus for the occurrence number in its tags; None if this number must grow
    forever.
    """
    room: Mapping[Port, int | None]
    """For each port that is a root cause, the largest number of messages that can wait in it at once; None if
    unbounded. Ports without a known number are left out.
    """
    order: tuple[Port, ...] | None
    """The ports that would have to keep the order of each sender."""
    name_sources: tuple[Port, ...] | None
    """The ports whose receives would have to name their senders."""
    acknowledgments: tuple[PortProgram, ...] | None
    """A program after each layer."""
    at_least: int
    """A lower bound on the messages of acknowledgments."""

    @property
    def messages(self) -> int | None:
        """The number of messages of the acknowledgments."""
        if self.acknowledgments is None:
            return None
        return sum(event.is_send for each in self.acknowledgments for event in each.events)


def remedies(decision: PortDecision) -> Remedies:
    """The remedies for the layers of a decision, if they do not stay apart.

    `MOST_WORK` bounds the searches for named sources and for acknowledgments. Tags take O(ports * occurrences
    * states * n).

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(1, repeat=True))
    >>> found = remedies(decide_ports(about))
    >>> {str(port): values for port, values in found.tags.items()}, found.order, found.name_sources
    ({'2<-*': None}, None, None)
    >>> found.messages, found.at_least
    (2, 2)
    """
    plan, at_least = acknowledgments(decision)
    tags = tag_values(decision)
    return Remedies(tags, room(decision), _order(decision), _named(decision), plan, at_least)


def tag_values(decision: PortDecision) -> dict[Port, int | None]:
    """For each root cause, the modulus for the occurrence number in its tags.

    None if the occurrence number must grow forever.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2:x; rcv 2<-1:x"}, None)
    >>> three_times = PortPhases(tuple(layers), Protocol.of(("then", 0, 0, 0)))
    >>> {str(port): values for port, values in tag_values(decide_ports(three_times)).items()}
    {'2<-1:x': 3}
    """
    analysis = decision.analysis
    values: dict[Port, int | None] = {found.port: 1 for found in decision.interfering}
    for layer, port, blocked, fitting in _last_receives(decision):
        for occurrence, index in enumerate(decision.about.protocol.layers):
            if index == layer and (least := values.get(port)) is not None:
                lead = _lead(analysis, (occurrence, blocked), port, fitting)
                values[port] = None if lead is None else max(least, lead + 1)
    return values


def _last_receives(decision: PortDecision) -> Iterator[tuple[int, Port, int, int]]:
    """For each layer and each port: the processes blocked without the layer's last receive on the port, and
    the senders whose messages this receive can take.

    On a duplicating port, a copy can be taken in any later occurrence, so no process counts as blocked.
    """
    about = decision.about
    for hold in decision.analysis.holds:
        if not about.guarantee(hold.port).duplicating:
            yield hold.layer, hold.port, hold.blocked, hold.fitting(about)
    for layer, program in enumerate(about.layers):
        for port in about.ports.used([program]):
            if about.guarantee(port).duplicating:
                yield layer, port, 0, -1


def _lead(analysis: Analysis, start: State, port: Port, fitting: int) -> int | None:
    """The lead of a receive (see the module's docstring); None if there is no bound.

    Blocked sets only grow along a word, so at most n - 1 different non-empty sets leave some sender free.
    """
    protocol = analysis.about.protocol
    number, own = analysis.about.used.index(port), protocol.layers[start[0]]
    most = protocol.layers.count(own) * (analysis.about.n - 1)
    lead, front = 0, Front()
    going = deque([(*start, 0)])
    while going:
        occurrence, blocked, before = going.popleft()
        for following in protocol.follow[occurrence]:
            layer = protocol.layers[following]
            step = analysis.step(layer, blocked)
            count = before + (layer == own)
            if layer == own and step.senders.get(number, 0) & fitting:
                if count > most:
                    return None
                lead = max(lead, count)
            if count <= most and front.adds((following, count), step.blocked):
                going.append((following, step.blocked, count))
    return lead


def room(decision: PortDecision) -> dict[Port, int | None]:
    """For each root cause, the largest number of messages that can wait in it at once, if all ports have
    tags.

    None if there is no bound. Ports that take too long (`MOST_ROOM`, `MOST_PLAYED`) are left out. O(states^2)
    for each port.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*; mt 2->1"}, None)
    >>> found = room(decide_ports(PortPhases((*layers, *layers, *layers), Protocol.sequence(3))))
    >>> {str(port): messages for port, messages in found.items()}
    {'2<-*': 4}
    """
    about, analysis = decision.about, decision.analysis
    found: dict[Port, int | None] = {}
    held: dict[int, list[_Held]] = {}
    until = analysis.played + MOST_PLAYED - cost(about)
    for port in (each.port for each in decision.interfering):
        if about.guarantee(port).duplicating or about.open:
            found[port] = None
            continue
        if analysis.played >= until:
            continue
        number, reader = about.used.index(port), port.reader - 1
        if reader not in held:
            held[reader] = [_held(layer, reader) for layer in analysis.layers]
        by_layer = zip(analysis.layers, held[reader], strict=True)
        waiting = [_waiting(layer, number, each) for layer, each in by_layer]
        starts = {
            (occurrence, blocked): most
            for occurrence, index in enumerate(about.protocol.layers)
            for blocked, most in waiting[index].items()
        }
        try:
            later = _most_sent(analysis, starts, number, until)
            found[port] = None if later is None else max(starts[each] + later[each] for each in starts)
        except LimitReached:
            continue
    return found


_Held = list[tuple[int, Upto]]
"""For each event e of a reader: the processes that do not finish the layer without e, as a mask, and the
events that can happen without e.
"""


def _held(layer: Layer, reader: int) -> _Held:
    uptos = layer.plays(0, reader, range(len(layer.codes[reader])))
    return [(layer.blocked_after(upto), upto) for upto in uptos]


def _waiting(layer: Layer, number: int, held: _Held) -> dict[int, int]:
    """For each blocked set, the largest number of messages of the layer that can wait in a port."""
    receives = layer.receives.get(number, [])
    most: dict[int, int] = {}
    for at, (blocked, upto) in enumerate(held):
        waiting = layer.sent(number, upto) - bisect_left(receives, at)
        most[blocked] = max(most.get(blocked, 0), waiting)
    return most


def _most_sent(
    analysis: Analysis, starts: Iterable[State], number: int, until: int
) -> dict[State, int] | None:
    """For each state that can be reached from `starts`: the largest number of messages that the rest of a
    word can send to the port. The result is None if there is no bound.

    Raises LimitReached if there are too many states, or if too many events have been played.
    """
    protocol = analysis.about.protocol
    edges: dict[State, list[tuple[State, int]]] = {}
    going = [*starts]
    while going:
        if (state := going.pop()) in edges:
            continue
        edges[state] = []
        for following in protocol.follow[state[0]]:
            step = analysis.step(protocol.layers[following], state[1])
            sent = analysis.layers[protocol.layers[following]].sent(number, step.upto)
            edges[state].append(((following, step.blocked), sent))
            going.append((following, step.blocked))
        if len(edges) > MOST_ROOM or analysis.played > until:
            raise LimitReached("the room of a port takes too long to find")
    most = dict.fromkeys(edges, 0)
    for _ in range(len(edges) + 1):
        known = dict(most)
        for state in reversed(edges):
            most[state] = max((sent + most[after] for after, sent in edges[state]), default=0)
        if most == known:
            return most
    return None


def _order(decision: PortDecision) -> tuple[Port, ...] | None:
    about = decision.about
    ports = tuple(found.port for found in decision.interfering)
    if any(any(about.guarantee(port)) for port in ports):
        return None
    ordered = about.under({**about.guarantees, **dict.fromkeys(ports, FIFO)})
    return ports if _stay_apart(ordered) else None


def _stay_apart(about: PortPhases) -> bool:
    """Whether the layers stay apart. False also if the layers are too large to decide."""
    try:
        return decide_ports(about).is_safe
    except LimitReached:
        return False


def _named(decision: PortDecision) -> tuple[Port, ...] | None:
    about = decision.about
    shared = [port for port in about.used if port.sender == ANY]
    tries = MOST_WORK // max(100, cost(about))
    for count in range(1, len(shared) + 1):
        for ports in combinations(shared, count):
            tries -= 1
            if tries < 0:
                return None
            if _stay_apart(_naming(about, ports)):
                return ports
    return None


def named_senders(
    about: PortPhases, ports: Sequence[Port], roots: Iterable[Port]
) -> Iterator[tuple[int, Port, list[int]]]:
    """For each layer and each of these ports: the senders that the receives would name, in order.

    Only ports with several senders in a layer are listed. If the ports include all root causes, and all these
    ports keep the order of each sender, the order of the names does not matter. Then nothing is listed.
    O(events) for each layer.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> _, _, layers = parse_layers({"A": "snd 2->3; snd 1->3; rcv 3<-*; rcv 3<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(1))
    >>> [(layer, str(port), senders) for layer, port, senders in named_senders(about, about.used, about.used)]
    [(0, '3<-*', [1, 2])]
    """
    if set(roots) <= set(ports) and all(about.guarantee(port) == FIFO for port in ports):
        return
    for index, layer in enumerate(about.layers):
        by_port: dict[Port, list[int]] = {port: [] for port in ports}
        for event in layer.linearization(about.ports):
            port = about.ports.of(event)
            if event.is_send and port in by_port:
                by_port[port].append(event.sender)
        for port, senders in by_port.items():
            if len(set(senders)) > 1:
                yield index, port, senders


def _naming(about: PortPhases, ports: Sequence[Port]) -> PortPhases:
    """The layers, changed so that receives on these ports name senders, in the order of one execution."""
    layers, guarantees = [], {port: given for port, given in about.guarantees.items() if port not in ports}
    for layer in about.layers:
        senders: dict[Port, deque[int]] = {}
        events = []
        for event in layer.linearization(about.ports):
            port = about.ports.of(event)
            if port in ports and event.is_send:
                senders.setdefault(port, deque()).append(event.sender)
                guarantees[port._replace(sender=event.sender)] = about.guarantee(port)
            elif port in ports:
                event = event._replace(sender=senders[port].popleft())
            events.append(event)
        layers.append(PortProgram.of(about.n, events))
    return replace(about, layers=tuple(layers), guarantees=guarantees)
