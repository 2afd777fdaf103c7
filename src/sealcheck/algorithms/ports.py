"""Decide whether layers over ports stay apart: no receive takes a message of another layer.

A *port* holds messages until its *reader* receives them. Ports may be bags or ordered (fifo), and may lose or
duplicate messages; receives may take messages from any source. The *layers* are programs that run in
sequence. They are balanced and do not deadlock; the contents of messages do not matter. A *protocol*
describes sequences of layers, its *words*, with choices and repetitions.

A receive is *wrong* if it takes a message of another layer or round. A port is a **root cause** if, in some
execution, the first wrong receive is on this port. The layers stay apart exactly if no port is a root cause.

*Counting.* Before the first wrong receive, an execution proceeds as if each message carried its layer and
each receive took only messages of its own layer (*exact tags*). Then a receive can happen exactly if more
messages of its layer were put into its port than were taken. Only the reader takes messages from a port, so
an event that can happen stays possible until it happens. So for each event e, there is one largest set of
events that can happen without e, called W(e). To find W(e), let the process of e stop before e, and let every
other process go on as far as it can. W(e) grows from event to event of a process, so one pass for each
process finds W(e) for all its events (`Layer.plays`).

*From layer to layer.* Receives take messages of their own layer. So a layer depends on earlier layers only
through the set of processes that are *blocked*, that is, do not finish these layers. Let r be a receive of
layer L. The search follows the words of the protocol from L on. For a layer M and a set B of processes that
do not start M, it finds the sends of M that happen, and the processes that do not finish M: the next blocked
set. There are finitely many pairs of an occurrence of a layer and a blocked set. The search visits those that
can be reached (`_Walk`). If B is larger, more processes stay blocked, and fewer sends happen.

*A bag.* A receive r on p can take a message of a later layer exactly if W(r) has a later layer's send to p.
If r is the first wrong receive, its message must be sent before r, so the send happens without r and is in
W(r). Conversely, after all events of W(r), r may take any message in p. It is enough to examine each layer's
last receive on p, because W(r) grows. The first wrong receive of an execution never takes a message of an
*earlier* layer. Each layer sends as many messages to p as it receives there, and all receives before took
messages of their own layer, so no message of an earlier layer is left.

*Fifo, for each sender.* Let the layer have K receives on p, and let x of the layer's messages there come from
i. Let r be the last of these receives. It can take a later message of i exactly if three conditions hold:
W(r) has such a message; x < K; and the K - 1 receives before r can take all x messages of i. By the third
condition, those receives take only K - 1 - x of the K - x messages of other senders. This is possible exactly
if for each l from K - x to K - 1, W(e) has at least l - (K - x) + 1 messages of i, where e is the l'th
receive (`Hold.fits`). A port with one possible sender has x = K, so it is no root cause. It is enough to
consider r: if an earlier receive takes a later message of i, no more events can have happened before it.

*Loss.* A lost message has the same effect as a late message, so a lossy bag is decided like a bag. A lossy
fifo port is decided like a bag, too: a message that is overtaken may have been lost.

*Duplicates.* A receive on a duplicating port waits only for the first message of its layer. A copy of a
message that was received in one layer may be received again in a later layer. So such a port is a root cause
exactly if some word has two layers that use it.

*Anything may follow.* The later events are one more layer. If a process may send to p, and gets to its end
without r, then it may send to p in this layer. For fifo, the message must also meet the conditions above.

*Which blocked sets are skipped.* The search skips a set that includes another set at the same occurrence,
because the larger set allows fewer events. Deleting layers from a word never excludes events of other layers.
So if all choices and repetitions can be skipped, a shortest word between two layers is enough. If not, the
number of sets can be exponential (the problem is NP-complete in general). If it exceeds a limit, the search
raises LimitReached.

These criteria are proved in Coq, in `proofs/ports/`: counting in `Ports.v`, bags in `PortLayers.v`, loss and
duplicates in `PortFaultLayers.v`, fifo in `PortOrder.v`, blocked sets in `PortProtocols.v`, which words
decide in `PortLanguages.v`, and what may follow in `PortOpen.v`.

For the paper's channels, vector clocks (`sealcheck.algorithms.phases`) are two to four times as fast. They
give causal chains as evidence, and they also decide layers that are not balanced.
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
"""A layer with at least so many events is played in compiled loops, if numba is installed."""
MOST_STATES = 100_000
"""The most pairs of an occurrence and a blocked set that one search visits."""
MOST_COMPARED = 100
"""The most root causes whose runs are compared to find the shortest run."""

Upto = tuple[int, ...]
"""For each process, the number of its events of a layer that happen."""


class Layer:
    """A layer as numbers: 2p stands for a send to port p, and 2p + 1 for a receive from it."""

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
        """For each port, the processes that send to it by the events up to `upto`, as a mask."""
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
    """The senders, from 1, whose next message the receive cannot take.

    Each sender comes with a number l, and with the events that can happen without the l'th receive on the
    port: these have too few of the sender's messages. If all messages of the layer are the sender's, l is 0.
    """

    def fits(self, process: int) -> bool:
        """Whether the port's order allows the receive to take the sender's next message."""
        return process not in self.unfit

    def fitting(self, about: PortPhases) -> int:
        """The processes that may send to the port, and whose next message the receive can take, as a mask."""
        return sum(1 << process - 1 for process in about.may_send(self.port) if self.fits(process))


State = tuple[int, int]
"""An occurrence of a layer, and the processes that do not finish it."""


class Analysis:
    """The layers, and the events of each layer that can happen. Each result is computed once and kept."""

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
        """The events that can happen after an occurrence of a layer that some processes do not finish."""
        if start not in self._walks:
            self._walks[start] = _Walk(self, start)
        return self._walks[start]

    @cached_property
    def holds(self) -> tuple[Hold, ...]:
        """For each layer, the `Hold` of its last receive on each port.

        Ports that duplicate have none, nor do ordered ports with one sender.
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
    """Blocked sets by a key. A set is left out if it includes another set of the same key, since then it
    allows no more events."""

    def __init__(self) -> None:
        self._sets: defaultdict[Hashable, list[int]] = defaultdict(list)

    def adds(self, key: Hashable, blocked: int) -> bool:
        """Add a set if no set of the key is a subset of it, and return whether it was added.

        O(sets of the key).
        """
        sets = self._sets[key]
        if any(other & ~blocked == 0 for other in sets):
            return False
        self._sets[key] = [other for other in sets if blocked & ~other] + [blocked]
        return True


class _Walk:
    """All events that can happen after an occurrence of a layer that some processes do not finish.

    Raises LimitReached if there are too many pairs of an occurrence and a set.
    """

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
        """The occurrences on a shortest way to a state, without the occurrence at which the walk starts."""
        way: list[int] = []
        while (before := self.before[state]) is not None:
            way.append(state[0])
            state = before
        return way[::-1]


@dataclass(frozen=True)
class PortDecision:
    """The root causes, each with a run; and closed sets that show why the other ports are no root causes."""

    about: PortPhases
    holds: tuple[Hold, ...]
    """For each layer, the holds of the ports that are not root causes."""
    steps: tuple[tuple[int, int, Upto], ...]
    """What can follow the holds. Each step has a layer, the processes that do not start it, and the events of
    the layer that can happen."""
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
        """The root cause with the shortest run among the first hundred. Raises ValueError if there is no root
        cause."""
        few = sorted(self.interfering, key=lambda each: len(each.word))[:MOST_COMPARED]
        return min(few, key=lambda each: (len(each.word), len(each.run.order))).shortened()


def decide_ports(about: PortPhases) -> PortDecision:
    """Find the ports that are root causes.

    Takes O(n * events + holds * states of the protocol) steps, and O(events of the layer) for each layer and
    blocked set that is met. A run takes O(events of its word). Raises LimitReached if there are too many
    blocked sets. Raises Overlap if two receives of a process could take some messages in common, but not all.

    >>> from sealcheck.programs.protocol import Protocol
    >>> from sealcheck.programs.ports import ANY, PortEvent, PortProgram
    >>> from sealcheck.programs.straight_line import Kind
    >>> job = PortProgram.of(2, [PortEvent(Kind.SEND, 1, 2), PortEvent(Kind.RECEIVE, ANY, 2)])
    >>> found = decide_ports(PortPhases((job, job), Protocol.sequence(2)))
    >>> [str(each.port) for each in found.interfering]
    ['2<-*']
    """
    if about.ports.overlap:
        raise Overlap("receives overlap: counting does not tell what can happen, only a search does")
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
    """A shortest word in which a layer's last receive on a port can take a message of another layer.

    None if there is no such word after this occurrence of the layer.
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
    """A shortest word in which two layers use the port, or one layer uses it and anything may follow."""
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
