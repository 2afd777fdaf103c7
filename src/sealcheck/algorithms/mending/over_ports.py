"""What would keep layers over ports apart: tags, order, named sources, acknowledgments.

Order, named sources and acknowledgments are decided again before they are proposed.

**Tags.**  Exactly the root causes need a tag that says which layer a message is of: the first wrong receive
is on a root cause without one.  If a layer can come again, the tag has to tell its occurrences apart, too.
Let r be a layer's last receive on a port, and its *lead* the largest d such that, without r, a message of
the d'th next occurrence of the same layer can be there and taken (`Hold.fits`).  The number of the
occurrence modulo lead + 1 is enough: two messages with the same tag that can both be there at r are of the
same occurrence.  Modulo lead or less, the message that leads by a multiple of it has the tag of r.  Blocked
processes only get more from layer to layer; there are n, so a lead of n is one of any size: then the number
must grow.

*Room.*  The most messages wait in a port while its reader is held at one of its events, and everybody else
goes on as far as possible: all sends that can happen without that event, less what the reader took before it.
From layer to layer, longer words have more of them, so here the search leaves no set out; if a cycle adds
messages, their number has no bound.

**Order.**  Whether a port keeps order changes nothing about what can happen elsewhere under exact tags.  So
a root cause has to keep order itself, and all of them have to, if that helps.

**Named sources.**  If the receives on a port name their senders, each sender has a port of its own, and a
receive waits for that one message: less can happen without other receives.  Sets of such ports are tried,
smaller ones first. In each layer, the receives name the senders in the order of one execution, so that
nothing deadlocks.

**Acknowledgments** are programs right after layers, layers themselves, over channels that no layer uses, or
with a tag of their own if the layers have tags or receive from any source.  Short plans are all tried.
Otherwise messages are added that keep one run after the other away.  If there are too many runs, the readers
tell all whose messages go wrong, or each process tells a hub, along trees of channels, which tells all.  Then
what is not needed is left out.  The bound says how long the plans
are of which none is enough.  A process that gets through a layer without its last receive on a root cause,
and then sends there before it receives anything, has to get a message: nothing else keeps it back.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product, takewhile
from typing import NamedTuple

from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.ports import Analysis, Front, PortDecision, State, decide_ports
from sealcheck.errors import LimitReached
from sealcheck.programs.ports import ANY, FIFO, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import Expression, PortPhases, Protocol
from sealcheck.programs.straight_line import Kind

MOST_ROOM = 2_000
"""Pairs of an occurrence and a blocked set that are looked at for what can wait in a port."""
MOST_ROUNDS = 4
"""Of messages that are added all at once."""
MOST_WORK = 100_000
"""Events times processes times decisions, in the search for each remedy."""
ACKNOWLEDGING = "ack"
"""The tag of acknowledgments, followed by as many underscores as make it new."""

Plan = dict[int, list[tuple[int, int]]]
"""After layers, by their index: transmissions from one process to another, in order."""


@dataclass(frozen=True)
class Remedies:
    """What would keep the layers apart; None if nothing of the kind was found."""

    tags: Mapping[Port, int | None]
    """How many values the number of the occurrence needs, besides the layer; None: it must grow."""
    room: Mapping[Port, int | None]
    """How many messages can wait in each of these at once; None: any number.  Without those that are not
    known."""
    order: tuple[Port, ...] | None
    """The ports that would have to keep the order of each sender."""
    name_sources: tuple[Port, ...] | None
    """The ports whose receives would have to name their senders."""
    acknowledgments: tuple[PortProgram, ...] | None
    """A program after each layer."""
    at_least: int
    """No acknowledgments have fewer messages."""

    @property
    def messages(self) -> int | None:
        """How many messages the acknowledgments have."""
        if self.acknowledgments is None:
            return None
        return sum(event.is_send for each in self.acknowledgments for event in each.events)


def remedies(decision: PortDecision) -> Remedies:
    """What would keep the layers apart that were decided on, and do not stay apart.

    Time is bounded by `MOST_WORK` for each kind of remedy, and by O(ports * occurrences * states * n) for
    tags.

    >>> from sealcheck.language.ports import parse_layers
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(1, repeat=True))
    >>> found = remedies(decide_ports(about))
    >>> {str(port): values for port, values in found.tags.items()}, found.order, found.name_sources
    ({'2<-*': None}, None, None)
    >>> found.messages, found.at_least
    (2, 2)
    """
    plan, at_least = _acknowledgments(decision)
    search = None if plan is None else _Acknowledging(decision.about).programs(plan)
    tags = tag_values(decision)
    return Remedies(tags, room(decision), _order(decision), _named(decision), search, at_least)


def tag_values(decision: PortDecision) -> dict[Port, int | None]:
    """The root causes, and how many values the number of a layer's occurrence needs; None: it must grow."""
    analysis = Analysis(decision.about)
    leads = {found.port: 0 for found in decision.interfering}
    for hold in analysis.holds():
        if hold.port in leads:
            fitting = sum(
                1 << sender - 1 for sender in decision.about.may_send(hold.port) if hold.fits(sender)
            )
            for occurrence, layer in enumerate(decision.about.protocol.layers):
                if layer == hold.layer:
                    lead = _lead(analysis, (occurrence, hold.blocked), hold.port, fitting)
                    leads[hold.port] = max(leads[hold.port], lead)
    for port in leads:
        if decision.about.guarantee(port).duplicating and _comes_again(decision.about, port):
            leads[port] = decision.about.n
    return {port: None if lead >= decision.about.n else lead + 1 for port, lead in leads.items()}


def _lead(analysis: Analysis, start: State, port: Port, fitting: int) -> int:
    """The largest number of occurrences by which a message of the same layer can lead; at most n is
    counted."""
    protocol, most = analysis.about.protocol, analysis.about.n
    number, own = analysis.about.used.index(port), protocol.layers[start[0]]
    lead, front = 0, Front()
    going = deque([(*start, 0)])
    while going:
        occurrence, blocked, before = going.popleft()
        for following in protocol.follow[occurrence]:
            layer = protocol.layers[following]
            step = analysis.step(layer, blocked)
            count = min(most, before + (layer == own))
            if layer == own and step.senders.get(number, 0) & fitting:
                lead = max(lead, count)
            if front.adds((following, count), step.blocked):
                going.append((following, step.blocked, count))
    return lead


def room(decision: PortDecision) -> dict[Port, int | None]:
    """How many messages can wait in each root cause at once, if receives heed tags; None: any number.

    Without the ports about which that is not known.  O(states^2), at most `MOST_ROOM` states, and n events
    for each event of a reader.

    >>> from sealcheck.language.ports import parse_layers
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*; mt 2->1"}, None)
    >>> found = room(decide_ports(PortPhases((*layers, *layers, *layers), Protocol.sequence(3))))
    >>> {str(port): messages for port, messages in found.items()}
    {'2<-*': 5}
    """
    about, analysis = decision.about, Analysis(decision.about)
    found: dict[Port, int | None] = {}
    for port in (each.port for each in decision.interfering):
        if about.guarantee(port).duplicating or about.open:
            found[port] = None
            continue
        number, reader = about.used.index(port), port.reader - 1
        starts: dict[State, int] = {}
        for occurrence, index in enumerate(about.protocol.layers):
            layer = analysis.layers[index]
            share = layer.codes[reader]
            for at, upto in enumerate(layer.plays(0, reader, range(len(share)))):
                waiting = layer.sent(number, upto) - share[:at].count(2 * number + 1)
                state = occurrence, layer.blocked_after(upto)
                starts[state] = max(starts.get(state, 0), waiting)
        try:
            later = _most_sent(analysis, starts, number)
            found[port] = None if later is None else max(starts[each] + later[each] for each in starts)
        except LimitReached:
            continue
    return found


def _most_sent(analysis: Analysis, starts: Iterable[State], number: int) -> dict[State, int] | None:
    """How many messages can be sent to a port after each of these states at most; None: any number."""
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
        if len(edges) > MOST_ROOM:
            raise LimitReached(f"more than {MOST_ROOM:,} sets of blocked processes")
    most = dict.fromkeys(edges, 0)
    for _ in range(len(edges) + 1):
        known = dict(most)
        for state in reversed(edges):
            most[state] = max((sent + most[after] for after, sent in edges[state]), default=0)
        if most == known:
            return most
    return None


def _comes_again(about: PortPhases, port: Port) -> bool:
    """Whether a layer that uses the port can come more than once."""
    of = about.ports.of
    using = {k for k, layer in enumerate(about.layers) if any(of(event) == port for event in layer.events)}
    return any(
        layer in using and about.protocol.comes_again(at) for at, layer in enumerate(about.protocol.layers)
    )


def _order(decision: PortDecision) -> tuple[Port, ...] | None:
    about = decision.about
    ports = tuple(found.port for found in decision.interfering)
    if any(any(about.guarantee(port)) for port in ports):
        return None
    ordered = replace(about, guarantees={**about.guarantees, **dict.fromkeys(ports, FIFO)})
    return ports if _stay_apart(ordered) else None


def _stay_apart(about: PortPhases) -> bool:
    """Whether the layers stay apart, as far as that is known: a remedy that is not known to help is none."""
    try:
        return decide_ports(about).is_safe
    except LimitReached:
        return False


def _named(decision: PortDecision) -> tuple[Port, ...] | None:
    about = decision.about
    shared = [port for port in about.used if port.sender == ANY]
    tries = MOST_WORK // max(100, _events(about))
    for count in range(1, len(shared) + 1):
        for ports in combinations(shared, count):
            tries -= 1
            if tries < 0:
                return None
            if _stay_apart(_naming(about, ports)):
                return ports
    return None


def _naming(about: PortPhases, ports: Sequence[Port]) -> PortPhases:
    """With receives on these ports that name their senders, in the order of an execution of each layer."""
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


def _events(about: PortPhases) -> int:
    return about.n * sum(len(share) for layer in about.layers for share in layer.shares)


def _acknowledgments(decision: PortDecision) -> tuple[Plan | None, int]:
    """A plan that is enough, if one was found; and the least number of messages that any has."""
    search = _Acknowledging(decision.about)
    if any(decision.about.guarantee(found.port).duplicating for found in decision.interfering):
        return None, 0
    if not search.moves:
        return None, 0
    found = [search.greedy(decision)]
    if found == [None]:
        found = [search.directly(decision), search.by_hub()]
    plan = search.pruned(min((each for each in found if each), key=_size, default=None))
    size = _size(plan) if plan else 1 << 30
    at_least = max(1, len(_to_be_told(decision)))
    while at_least < size and (number := len(search.moves) ** at_least) <= search.tries:
        search.tries -= number
        for moves in product(search.moves, repeat=at_least):
            if search.is_enough(shorter := _planned(moves)):
                return shorter, at_least
        at_least += 1
    return plan, min(at_least, size)


def _to_be_told(decision: PortDecision) -> set[int]:
    """Processes that get an acknowledgment in every plan: without one, nothing holds them back."""
    about, analysis = decision.about, Analysis(decision.about)
    wrong = {found.port for found in decision.interfering}
    starts = [_Start.of(layer) for layer in about.resolved]
    found: set[int] = set()
    for hold in analysis.holds():
        occurrences = [at for at, layer in enumerate(about.protocol.layers) if layer == hold.layer]
        for sender in about.may_send(hold.port) if hold.port in wrong else ():
            if sender not in found and hold.fits(sender) and not hold.blocked >> sender - 1 & 1:
                found |= {sender} if _runs_ahead(about, starts, occurrences, hold.port, sender) else set()
    return found


class _Start(NamedTuple):
    """How each process begins a layer."""

    sends: tuple[frozenset[Port], ...]
    """Where it sends to before it receives."""
    receives: tuple[bool, ...]
    """Whether it receives at all."""

    @classmethod
    def of(cls, layer: Sequence[Sequence[tuple[Port, Kind]]]) -> "_Start":
        """That of a layer."""
        before = [list(takewhile(lambda event: event[1] is Kind.SEND, share)) for share in layer]
        lengths = zip(before, layer, strict=True)
        return cls(
            tuple(frozenset(port for port, _ in sends) for sends in before),
            tuple(len(sends) < len(share) for sends, share in lengths),
        )


def _runs_ahead(
    about: PortPhases, starts: Sequence[_Start], occurrences: Sequence[int], port: Port, sender: int
) -> bool:
    """Whether the process can send to the port after one of these without a receive in between."""
    going, seen = [*occurrences], set[int]()
    while going:
        here = going.pop()
        if about.open and here in about.protocol.last:
            return True
        for following in set(about.protocol.follow[here]) - seen:
            seen.add(following)
            start = starts[about.protocol.layers[following]]
            if port in start.sends[sender - 1]:
                return True
            if not start.receives[sender - 1]:
                going.append(following)
    return False


def _size(plan: Plan) -> int:
    return sum(map(len, plan.values()))


Move = tuple[int, int, int]
"""The index of a layer, and a transmission after it."""


def _planned(moves: Sequence[Move]) -> Plan:
    plan: Plan = {}
    for layer, sender, receiver in moves:
        plan.setdefault(layer, []).append((sender, receiver))
    return plan


@dataclass
class _Acknowledging:
    """The search for acknowledgments."""

    about: PortPhases
    tries: int = field(init=False)

    def __post_init__(self) -> None:
        self.tries = MOST_WORK // max(100, _events(self.about))

    @cached_property
    def tag(self) -> str:
        """The tag of acknowledgments, if layers have tags or receive from any source; else none."""
        tags = {event.tag for layer in self.about.layers for event in layer.events}
        if tags <= {""} and all(port.sender for port in self.about.used):
            return ""
        tag = ACKNOWLEDGING
        while tag in tags:
            tag += "_"
        return tag

    @cached_property
    def channels(self) -> list[tuple[int, int]]:
        """Between which processes there may be acknowledgments."""
        pairs = [(i, j) for i in range(1, self.about.n + 1) for j in range(1, self.about.n + 1) if i != j]
        return [(i, j) for i, j in pairs if Port(j, i, self.tag) not in self.about.used]

    @cached_property
    def boundaries(self) -> list[int]:
        """The layers after which something may follow."""
        protocol = self.about.protocol
        return sorted(
            {
                layer
                for occurrence, layer in enumerate(protocol.layers)
                if protocol.follow[occurrence] or self.about.open
            }
        )

    @cached_property
    def moves(self) -> list[Move]:
        """All messages that may be added."""
        return [(layer, i, j) for layer in self.boundaries for i, j in self.channels]

    def programs(self, plan: Plan) -> tuple[PortProgram, ...]:
        """The acknowledgments after each layer."""
        return tuple(
            PortProgram.of(
                self.about.n,
                (
                    PortEvent(kind, i, j, self.tag)
                    for i, j in plan.get(layer, ())
                    for kind in (Kind.SEND, Kind.RECEIVE)
                ),
            )
            for layer in range(len(self.about.layers))
        )

    def mended(self, plan: Plan) -> PortPhases:
        """The layers with the acknowledgments."""
        count = len(self.about.layers)

        def inserted(node: Expression) -> Expression:
            if isinstance(node, int):
                return ("then", node, count + node) if plan.get(node) else node
            return (node[0], *map(inserted, node[1:]))  # type: ignore[arg-type]

        return replace(
            self.about,
            layers=(*self.about.layers, *self.programs(plan)),
            protocol=Protocol.of(inserted(self.about.protocol.expression)),
        )

    def wrong(self, plan: Plan) -> list[PortInterferes]:
        """What still goes wrong.  What follows all layers may disturb acknowledgments: none can be
        without."""
        found = decide_ports(self.mended(plan)).interfering
        return [each for each in found if not (self._is_added(each.port) and each.later)]

    def _is_added(self, port: Port) -> bool:
        return port not in self.about.used

    def is_enough(self, plan: Plan) -> bool:
        """Whether the layers stay apart with these."""
        try:
            return not self.wrong(plan)
        except LimitReached:
            return False

    def greedy(self, decision: PortDecision) -> Plan | None:
        """Messages from the reader to the sender of one wrong message after the other."""
        plan: Plan = {}
        wrong = list(decision.interfering)
        while wrong:
            found = wrong[0]
            at, source = found.layers
            sender, reader = found.crossing.sender, found.port.reader
            boundary = self.about_layer(found, source - 1)
            self.tries -= 1
            if self.tries < 0 or at >= source or boundary is None or (reader, sender) not in self.channels:
                return None
            if (reader, sender) in plan.get(boundary, ()):
                return None
            plan.setdefault(boundary, []).append((reader, sender))
            wrong = self.wrong(plan)
        return plan

    def directly(self, decision: PortDecision) -> Plan | None:
        """Messages from each reader to all whose messages go wrong there, a few times over."""
        plan: Plan = {}
        wrong: Sequence[PortInterferes] = decision.interfering
        for _ in range(MOST_ROUNDS):
            if not wrong:
                return plan
            for found in wrong:
                at, source = found.layers
                boundary = self.about_layer(found, source - 1)
                if at >= source or boundary is None:
                    return None
                reader, told = found.port.reader, plan.setdefault(boundary, [])
                late = [k for k in range(1, self.about.n + 1) if found.crossing.senders >> k - 1 & 1]
                told += [
                    (reader, k) for k in late if (reader, k) in self.channels and (reader, k) not in told
                ]
            wrong = self.wrong(plan)
        return None

    def about_layer(self, found: PortInterferes, at: int) -> int | None:
        """The index of the layer, of those without acknowledgments, at or before a place in a run's word."""
        layers = [found.about.protocol.layers[each] for each in found.word[: at + 1]]
        return next((each for each in reversed(layers) if each < len(self.about.layers)), None)

    def by_hub(self) -> Plan | None:
        """After each layer, everybody tells a hub, which tells everybody, along trees of channels."""
        for hub in range(1, self.about.n + 1):
            told = self._tree(hub, [(i, j) for i, j in self.channels])
            tells = self._tree(hub, [(j, i) for i, j in self.channels])
            if len(told) == len(tells) == self.about.n - 1:
                whole = [(i, j) for j, i in reversed(tells)] + told
                plan = dict.fromkeys(self.boundaries, whole)
                if self.is_enough(plan):
                    return plan
        return None

    def _tree(self, hub: int, edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The edges of a tree from the hub, nearest ones first."""
        reached, tree = {hub}, list[tuple[int, int]]()
        going = deque([hub])
        while going:
            here = going.popleft()
            for i, j in edges:
                if i == here and j not in reached:
                    reached.add(j)
                    tree.append((i, j))
                    going.append(j)
        return tree

    def pruned(self, plan: Plan | None) -> Plan | None:
        """The plan without what is not needed, as far as there is time to try."""
        if plan is None:
            return None
        for layer in [*plan]:
            for number in reversed(range(len(plan[layer]))):
                self.tries -= 1
                fewer = plan | {layer: plan[layer][:number] + plan[layer][number + 1 :]}
                if self.tries >= 0 and self.is_enough(fewer):
                    plan = fewer
        return plan
