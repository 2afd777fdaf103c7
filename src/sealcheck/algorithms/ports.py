"""Decide whether layers over ports stay apart: no receive takes a message of another layer.

Terms:

- A *port* holds messages until its *reader*, a process, receives them. A *bag* delivers in any order; a
  *fifo* port keeps the order of each sender. Ports may lose or duplicate messages.
- *Layers* are programs that each process runs one after the other. They are balanced and do not deadlock.
- A *protocol* is a regular expression of layers. Its *words* are the sequences of layers that it allows. An
  *occurrence* is a place in the expression that names a layer.
- A receive is *wrong* if it takes a message of another layer or round.
- A port is a **root cause** if, in some execution, the first wrong receive is on this port.

The layers stay apart exactly if no port is a root cause. Coq has proved the following criteria for root
causes (`docs/ports.md`, "What is proved").

*Counting.* Before the first wrong receive, each receive takes a message of its own layer. So the next event
of a process, if it is a receive, can happen exactly if its port holds a message of the receive's layer. Only
the reader takes messages from a port, so an event that can happen stays possible until it happens.

For each event e, **W(e)** is the set of events that can happen without e as long as no receive is wrong. To
find W(e), stop the process of e before e, and let every other process go on as far as it can. W(e) grows from
event to event of a process, so one pass finds the sets for all events of a process (`Layer.plays`).

*From layer to layer.* A layer depends on earlier layers only through the *blocked* processes, which have not
finished these layers. For a receive r of layer L, the search for W(r) follows the protocol from L on
(`_Walk`). For each next layer, the search finds the sends that happen and the next set of blocked processes.

A larger blocked set allows fewer events. So, if an occurrence is reached with two blocked sets, and one set
includes the other, the search follows only the smaller set.

*Bags.* Let r be the last receive of a layer on port p. Then r can take a message of a later layer exactly if
W(r) has a later layer's send to p. An earlier receive of the layer on p needs no examination: the events that
can happen without it can also happen without r.

Without duplicates, the first wrong receive does not take a message of an earlier layer. The reader has
finished that layer, so the layer's receives have taken all its messages.

*Fifo.* Let the layer have K receives on p, the last of which is r. Let process i send x of the layer's
messages to p. Then r can take a later message of i exactly if three conditions hold:

- W(r) has a later layer's send by i to p.
- x < K.
- The receives before r can take all x messages of i (`Hold.fits`). Suppose that a message of i cannot be sent
  before the l'th receive on p. Then one of the K - 1 - l receives between the l'th receive and r must take
  the message. So, for each l < K, there may be at most K - 1 - l such messages.

So a fifo port with one sender is never a root cause: x = K.

*Loss.* A lost message has the same effect as a late message, so lossy ports are decided like bags. This holds
for lossy fifo ports, too: r can take a later message although an older message was not received, because the
older message may be lost.

*Duplicates.* Any later layer may receive a copy of a message. So a duplicating port is a root cause exactly
if some word has two layers that use the port. If anything may follow, one layer is enough. A receive on a
duplicating port waits only for the first message of its layer.

*Anything may follow.* The later events form one more layer. A process that finishes the word without r can
send to p in this layer, if p takes messages of this process. On a fifo port, r can take such a message only
if the second and third conditions under *Fifo* hold, too.

For the paper's channels, `sealcheck.algorithms.phases` is faster, and also decides unbalanced layers.
"""

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sealcheck.algorithms.port_runs import Crossing, PortInterferes
from sealcheck.errors import LimitReached
from sealcheck.programs.ports import Overlap, Port
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place

if TYPE_CHECKING:
    from sealcheck.algorithms.packed import plays

LONG = 20_000
"""Layers with at least this many events are played in compiled loops, if numba is installed."""
MOST_STATES = 100_000
"""The most pairs of an occurrence and a blocked set that one search visits."""
MOST_COMPARED = 100
"""The most root causes among which the shortest run is sought."""

Upto = tuple[int, ...]
"""For each process, the number of its events of a layer that happen."""


class Layer:
    """A layer as numbers: 2p is a send to port p, and 2p + 1 is a receive from it."""

    def __init__(self, index: int, about: PortPhases) -> None:
        numbers = {port: number for number, port in enumerate(about.used)}
        self.codes = [[2 * numbers[port] + kind for port, kind in share] for share in about.resolved[index]]
        self.readers = [port.reader - 1 for port in about.used]
        self.keeps = [about.guarantee(port).duplicating for port in about.used]
        self.sends: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
        """For each port and each sender, from 0, the positions of the sends, from 0."""
        self.receives: defaultdict[int, list[int]] = defaultdict(list)
        """For each port, the positions of the receives, from 0."""
        for process, share in enumerate(self.codes):
            for position, code in enumerate(share):
                if code & 1:
                    self.receives[code >> 1].append(position)
                else:
                    self.sends[code >> 1].setdefault(process, []).append(position)
        self._compiled: plays.Plays | None = None
        if sum(map(len, self.codes)) >= LONG:
            with suppress(ImportError):
                from sealcheck.algorithms.packed.plays import Plays

                self._compiled = Plays(self.codes, self.readers, self.keeps)

    def plays(self, blocked: int, holder: int, stops: Iterable[int]) -> Iterator[Upto]:
        """For each stop, the number of events of each process that can happen if `holder` stops there.

        The stops must ascend. The processes in the mask `blocked` do not start. O(events + processes *
        stops).
        """
        codes, readers, keeps = self.codes, self.readers, self.keeps
        ends = [0 if blocked >> process & 1 else len(share) for process, share in enumerate(codes)]
        if self._compiled:
            yield from self._compiled.of(ends, holder, stops)
            return
        at = [0] * len(codes)
        held = [0] * len(readers)
        waiting = [False] * len(readers)
        going = [process for process in range(len(codes)) if process != holder]
        for stop in stops:
            ends[holder] = 0 if blocked >> holder & 1 else stop
            going.append(holder)
            while going:
                process = going.pop()
                share, k, end = codes[process], at[process], ends[process]
                while k < end:
                    port = share[k] >> 1
                    if share[k] & 1:
                        if not held[port]:
                            waiting[port] = True
                            break
                        if not keeps[port]:
                            held[port] -= 1
                    else:
                        held[port] += 1
                        if waiting[port]:
                            waiting[port] = False
                            going.append(readers[port])
                    k += 1
                at[process] = k
            yield tuple(at)

    def blocked_after(self, upto: Upto) -> int:
        """The processes that do not finish the layer, as a mask."""
        mask = 0
        for process, (share, at) in enumerate(zip(self.codes, upto, strict=True)):
            mask |= (at < len(share)) << process
        return mask

    def sent(self, port: int, upto: Upto) -> int:
        """The number of messages that the events up to `upto` send to a port."""
        return sum(bisect_left(at, upto[process]) for process, at in self.sends.get(port, {}).items())

    def senders(self, upto: Upto) -> dict[int, int]:
        """For each port, a mask of the processes that send to it by the events up to `upto`."""
        found: dict[int, int] = {}
        for port, of in self.sends.items():
            mask = 0
            for process, positions in of.items():
                mask |= (positions[0] < upto[process]) << process
            if mask:
                found[port] = mask
        return found


class Step(NamedTuple):
    """The events of a layer that can happen if some processes do not start it."""

    upto: Upto
    blocked: int
    """The processes that do not finish the layer."""
    senders: dict[int, int]


@dataclass(frozen=True)
class Hold:
    """The events of a layer that can happen without its last receive on a port."""

    layer: int
    port: Port
    receive: Place
    upto: Upto
    blocked: int
    unfit: dict[int, tuple[int, Upto]]
    """The senders, from 1, of whom the receive cannot take a later layer's message, each with the reason.

    The reason is a number l, and the events that can happen without the l'th receive on the port. After the
    l'th receive, too few receives are left for the messages of the sender that these events do not send. If
    the sender sends all of the layer's messages to the port, l is 0.
    """

    def fits(self, process: int) -> bool:
        """Whether the port's order allows the receive to take a later layer's message of this process."""
        return process not in self.unfit

    def fitting(self, about: PortPhases) -> int:
        """A mask of the processes that may send to the port, and that `fits` allows."""
        return sum(1 << process - 1 for process in about.may_send(self.port) if self.fits(process))


State = tuple[int, int]
"""An occurrence of a layer, and the processes that do not finish it."""


class Analysis:
    """The layers, and the events of each layer that can happen. Results are computed once and kept."""

    def __init__(self, about: PortPhases) -> None:
        self.about = about
        self.layers = [Layer(index, about) for index in range(len(about.layers))]
        self.played = 0
        """The number of events in all steps so far, as a measure of their cost."""
        self._steps: dict[tuple[int, int], Step] = {}
        self._walks: dict[State, _Walk] = {}

    def step(self, layer: int, blocked: int) -> Step:
        """The events of a layer that can happen if the processes in `blocked` do not start it."""
        key = layer, blocked
        if key not in self._steps:
            played = self.layers[layer]
            (upto,) = played.plays(blocked, 0, [len(played.codes[0])])
            self.played += sum(upto)
            after = blocked | played.blocked_after(upto)
            self._steps[key] = Step(upto, after, played.senders(upto))
        return self._steps[key]

    def walk(self, start: State) -> "_Walk":
        """The events that can happen after the occurrence of `start`, which its blocked processes do not
        finish.
        """
        if start not in self._walks:
            self._walks[start] = _Walk(self, start)
        return self._walks[start]

    @cached_property
    def holds(self) -> tuple[Hold, ...]:
        """For each layer, the `Hold` of its last receive on each port.

        Duplicating ports have no `Hold`. Nor have ordered ports with one sender.
        """
        return tuple(self._holds())

    def _holds(self) -> Iterator[Hold]:
        for index, layer in enumerate(self.layers):
            wanted: defaultdict[int, list[int]] = defaultdict(list)
            for number, receives in layer.receives.items():
                port = self.about.used[number]
                guarantee = self.about.guarantee(port)
                if guarantee.duplicating or (guarantee.keeps_order and port.sender):
                    continue
                wanted[port.reader - 1] += receives if guarantee.keeps_order else receives[-1:]
            for holder, stops in wanted.items():
                ascending = sorted(stops)
                without = dict(zip(ascending, layer.plays(0, holder, ascending), strict=True))
                for number, receives in layer.receives.items():
                    if receives[-1] in without and layer.readers[number] == holder:
                        yield self._hold(index, number, without)

    def _hold(self, index: int, number: int, without: dict[int, Upto]) -> Hold:
        layer, port = self.layers[index], self.about.used[number]
        receives = layer.receives[number]
        upto = without[receives[-1]]
        unfit: dict[int, tuple[int, Upto]] = {}
        if self.about.guarantee(port).keeps_order:
            for process in self.about.may_send(port):
                sends = layer.sends[number].get(process - 1, [])
                others = len(receives) - len(sends)
                if not others:
                    unfit[process] = (0, ())
                for nth in range(max(1, others), len(receives)):
                    there = bisect_left(sends, without[receives[nth - 1]][process - 1])
                    if there <= nth - others:
                        unfit[process] = (nth, without[receives[nth - 1]])
                        break
        receive = Place(port.reader, receives[-1] + 1)
        return Hold(index, port, receive, upto, layer.blocked_after(upto), unfit)


class Front:
    """For each key, the blocked sets that include no other blocked set of the key."""

    def __init__(self) -> None:
        self._sets: defaultdict[Hashable, list[int]] = defaultdict(list)

    def adds(self, key: Hashable, blocked: int) -> bool:
        """Add a set if no set of the key is a subset. Return whether it was added. O(sets of the key)."""
        sets = self._sets[key]
        if any(other & ~blocked == 0 for other in sets):
            return False
        self._sets[key] = [other for other in sets if blocked & ~other] + [blocked]
        return True


class _Walk:
    """All events that can happen after an occurrence of a layer that some processes do not finish."""

    def __init__(self, analysis: Analysis, start: State) -> None:
        protocol = analysis.about.protocol
        self.steps: dict[tuple[int, int], None] = {}
        """The layers that can follow, each with the processes that do not start it."""
        self.senders: defaultdict[int, int] = defaultdict(int)
        """For each port, the processes that can send to it, as a mask."""
        self.finishers = 0
        """The processes that can finish a word, as a mask."""
        self.before: dict[State, State | None] = {start: None}
        self._front = Front()
        self._front.adds(*start)
        going = deque([start])
        while going:
            here = occurrence, blocked = going.popleft()
            if occurrence in protocol.last:
                self.finishers |= ~blocked
            for following in protocol.follow[occurrence]:
                layer = protocol.layers[following]
                step = analysis.step(layer, blocked)
                self.steps[layer, blocked] = None
                for port, mask in step.senders.items():
                    self.senders[port] |= mask
                state = following, step.blocked
                if self._front.adds(*state):
                    self.before[state] = here
                    going.append(state)
            if len(self.before) > MOST_STATES:
                raise LimitReached(
                    f"the choices of the protocol lead to more than {MOST_STATES:,} sets of blocked processes"
                )

    def to(self, state: State) -> list[int]:
        """The occurrences on a shortest way to a state, without the first one."""
        way: list[int] = []
        while (before := self.before[state]) is not None:
            way.append(state[0])
            state = before
        return way[::-1]


@dataclass(frozen=True)
class PortDecision:
    """The root causes with a run for each, and evidence (`holds`, `steps`) that the other ports are not root
    causes."""

    about: PortPhases
    holds: tuple[Hold, ...]
    """For each layer, the holds of the ports that are not root causes."""
    steps: tuple[tuple[int, int, Upto], ...]
    """What can follow the holds: a layer, the processes that do not start the layer, and the layer's events
    that can happen.
    """
    interfering: tuple[PortInterferes, ...]

    @property
    def is_safe(self) -> bool:
        """Whether the layers stay apart."""
        return not self.interfering

    @cached_property
    def analysis(self) -> Analysis:
        """The layers with their possible events, for questions about remedies."""
        return Analysis(self.about)

    @cached_property
    def shortest(self) -> PortInterferes:
        """The root cause with the shortest run, among the hundred with the shortest words. Raises ValueError
        if there is no root cause.
        """
        few = sorted(self.interfering, key=lambda each: len(each.word))[:MOST_COMPARED]
        return min(few, key=lambda each: (len(each.word), len(each.run.order))).shortened()


def decide_ports(about: PortPhases) -> PortDecision:
    """Find the ports that are root causes.

    O(n * events + holds * pairs of an occurrence and a blocked set), plus O(events of the layer) for each
    layer and blocked set. The number of blocked sets can be exponential: the problem is NP-complete. A run
    takes O(events of its word).

    Raises LimitReached if there are too many blocked sets. Raises Overlap if two receives of a process could
    take some messages in common, but not all.

    >>> from sealcheck.programs.protocol import Protocol
    >>> from sealcheck.programs.ports import ANY, PortEvent, PortProgram
    >>> from sealcheck.programs.straight_line import Kind
    >>> job = PortProgram.of(2, [PortEvent(Kind.SEND, 1, 2), PortEvent(Kind.RECEIVE, ANY, 2)])
    >>> found = decide_ports(PortPhases((job, job), Protocol.sequence(2)))
    >>> [str(each.port) for each in found.interfering]
    ['2<-*']
    """
    if about.ports.overlap:
        raise Overlap("receives overlap: only a search (phases --search) can decide what happens")
    analysis = Analysis(about)
    occurrences: defaultdict[int, list[int]] = defaultdict(list)
    for occurrence, layer in enumerate(about.protocol.layers):
        occurrences[layer].append(occurrence)
    crossings: dict[Port, list[Crossing]] = defaultdict(list)
    safe: list[Hold] = []
    for hold in analysis.holds:
        found = [
            crossing
            for occurrence in occurrences[hold.layer]
            if (crossing := _crossing(analysis, hold, occurrence))
        ]
        crossings[hold.port] += found
        safe += [] if found else [hold]
    for port in about.used:
        if about.guarantee(port).duplicating and (copied := _copied(analysis, port)):
            crossings[port].append(copied)
    wrong = {port: min(found, key=Crossing.size) for port, found in crossings.items() if found}
    kept = tuple(hold for hold in safe if hold.port not in wrong)
    steps = {
        step: None
        for hold in kept
        for occurrence in occurrences[hold.layer]
        for step in analysis.walk((occurrence, hold.blocked)).steps
    }
    return PortDecision(
        about,
        kept,
        tuple((*step, analysis.step(*step).upto) for step in sorted(steps)),
        tuple(PortInterferes(about, port, wrong[port]) for port in about.used if port in wrong),
    )


def _crossing(analysis: Analysis, hold: Hold, occurrence: int) -> Crossing | None:
    """A word in which the receive of `hold` can take a message of a later layer or, failing that, of later
    events. None if there is no such word.
    """
    about = analysis.about
    number = about.used.index(hold.port)
    walk = analysis.walk((occurrence, hold.blocked))
    fitting = hold.fitting(about)
    before = about.protocol.shortest_to(occurrence)
    if walk.senders.get(number, 0) & fitting:
        for state in walk.before:
            for following in about.protocol.follow[state[0]]:
                step = analysis.step(about.protocol.layers[following], state[1])
                if senders := step.senders.get(number, 0) & fitting:
                    word = (*before, *walk.to(state), following)
                    return Crossing(word, len(before) - 1, hold.receive.position, senders, len(word) - 1)
    if about.open and walk.finishers & fitting:
        for state in walk.before:
            if state[0] in about.protocol.last and (senders := ~state[1] & fitting):
                word = (*before, *walk.to(state))
                return Crossing(word, len(before) - 1, hold.receive.position, senders, len(word))
    return None


def _copied(analysis: Analysis, port: Port) -> Crossing | None:
    """A shortest word with two layers that use the port; one layer is enough if anything may follow."""
    about = analysis.about
    number = about.used.index(port)
    found: list[Crossing] = []
    for occurrence, layer in enumerate(about.protocol.layers):
        if number not in analysis.layers[layer].sends:
            continue
        before = about.protocol.shortest_to(occurrence)
        senders = sum(1 << process for process in analysis.layers[layer].sends[number])
        walk = _Walk(analysis, (occurrence, 0))
        for state in walk.before:
            if about.open and state[0] in about.protocol.last:
                word = (*before, *walk.to(state))
                found.append(Crossing(word, len(word), 1, senders, len(before) - 1))
            for following in about.protocol.follow[state[0]]:
                receives = analysis.layers[about.protocol.layers[following]].receives.get(number)
                if receives:
                    word = (*before, *walk.to(state), following)
                    found.append(Crossing(word, len(word) - 1, receives[0] + 1, senders, len(before) - 1))
    return min(found, key=Crossing.size, default=None)
