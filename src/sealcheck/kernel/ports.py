"""Check which ports are root causes when the layers of a protocol run in sequence.

- A *port* holds messages until one process, its *reader*, receives them. Each sender, reader and tag has its
  own port. But if the reader receives the tag from any source, all senders share one port.
- A *layer* is a program that receives as many messages on each port as it sends there.
- A *protocol* is a regular expression of layers. A sequence of layers that it allows is a *word*.
- A receive is *wrong* if it takes a message of another layer, or of another round of its layer.
- A port is a *root cause* if, in some run of a word, the first wrong receive is on this port.

For each root cause, a certificate has a run up to the wrong receive; `played` plays it. Closed sets show that
other ports are no root causes.

**Closed sets.** Take the first few events of each process in a layer. These events are a *closed set* without
the receive r if every process has finished the layer, or cannot go on for one of three reasons:

- The next event of the process is r.
- The next event of the process is a receive on a port that is empty. That is, the events send no more
  messages to the port than they take. If the port duplicates, they neither send to the port nor take from it.
- The process does not start the layer, because it has not finished the layers before.

Before the first wrong receive, a receive waits for a message of its own layer. So, by induction, a closed set
contains every event that can happen without r before any wrong receive.

**No root cause.** Let r be the last receive of a layer on a port. Closed sets show that r takes no message of
a later layer:

1. One closed set shows which events of r's layer can happen without r. The processes that do not get through
   the layer are *blocked* in all later layers.
2. Take each layer that may follow, and each set of blocked processes. Another closed set shows which events
   of this layer can happen, and which processes this layer blocks.
3. Take a sender whose next message r could take. In the closed sets of the later layers, this sender must not
   send to the port. If anything may follow, this sender must not get to its end, either.

Other receives need no check. Without an earlier receive of the layer, no more events can happen than without
r. Earlier layers leave no messages, because each layer is balanced.

**Order.** An ordered port without loss needs no closed set if it has one sender. If it has several senders,
its order may keep r from taking a sender's next message. Let K messages of the layer go to the port, x of
them from process i.

Suppose that r takes i's next message. Then the K - 1 receives before r have taken all x messages of i. So
they have taken only K - 1 - x of the K - x messages of other senders. This is impossible in two cases:

- x = K, because K - 1 receives cannot take K messages of i.
- For some l < K, a closed set without the l'th receive has at most l - (K - x) messages of i. The first l
  receives take messages that are sent without the l'th receive. At most l - (K - x) of these messages are
  from i. So at least K - x of them are from other senders, one more than possible.

**Copies.** A duplicating port is a root cause if a word has two layers that use it, or one if anything may
follow.

Coq has proved that closed sets are enough: `certificates_of_protocols` in `proofs/ports/PortCertificates.v`.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sealcheck.kernel.programs import RECEIVE, SEND
from sealcheck.kernel.reading import Rejected, canonical, fields, items, numbers
from sealcheck.kernel.runs import Place, pairs_of, place_of

Port = tuple[int, int, str]
"""The reader, the sender (0: any), the tag."""
Event = tuple[int, int, int, str]
"""SEND or RECEIVE, the sender (0: any), the receiver, the tag."""
Layer = list[list[Event]]
State = tuple[int, frozenset[int]]
"""An occurrence of a layer in the protocol's expression, and the processes that do not get through it."""

Left = tuple[frozenset[int], set[tuple[Port, int]]]
"""What follows from a closed set of a layer: the processes that do not get through the layer, and the sends.

Each send is a pair of a port and a process that sends to it.
"""
Steps = dict[tuple[int, frozenset[int]], Left]
"""For each layer, and each set of processes that do not start it: what follows from a closed set."""

_STATEMENT = re.compile(
    r"(?:(mt|snd) (N)->(N)|rcv (N)<-(N|\*))(?::([\w-]+))?".replace("N", "[1-9][0-9]{0,5}"),
    re.ASCII,
)
_GUARANTEES = {"fifo", "lossy", "duplicating"}
_TYPES = {"kind": str, "n": int, "layers": list, "ports": dict, "protocol": object, "open": bool}
MOST_NAMED = 999_999
"""The largest process that statements can name."""
_SEARCHED = "port-search"
"""The kind of a certificate for layers whose receives may overlap.

Two receives of a process overlap if they could take some messages in common, but not all.
"""


def check_ports(value: object, found: Sequence[object]) -> None:
    """Check that the root causes are exactly the ports in `found`.

    `value` has the layers, the guarantees of the ports, the protocol and the closed sets. `found` has, for
    each root cause, the port, the receive, the send and the run.
    """
    certificate = fields(value, _TYPES | {"holds": list, "steps": list})
    about = Layers(certificate, "ports")
    wrong = _check_roots(found, about)
    steps: Steps = {}
    for each in certificate["steps"]:
        step = fields(each, {"layer": int, "blocked": list, "upto": list})
        blocked = frozenset(numbers(step["blocked"]))
        steps[step["layer"], blocked] = about.step(step["layer"], step["upto"], blocked)
    holds = [hold_of(each, about) for each in certificate["holds"]]
    needed = sorted(needed for needed in about.to_hold() if needed[1] not in wrong)
    if [(hold.layer, hold.port) for hold in holds] != needed:
        raise Rejected("the closed sets are not one for each layer and port that needs one")
    walks: dict[State, tuple[set[tuple[Port, int]], set[int]]] = {}
    for hold in holds:
        for at in about.protocol.of(hold.layer):
            start = at, hold.blocked
            if start not in walks:
                walks[start] = _walk(about, start, steps)
            sends, through = walks[start]
            senders = {i for i in range(1, about.n + 1) if (hold.port, i) in sends}
            senders |= through if about.open else set()
            if reaching := senders & hold.senders:
                why = f"process {min(reaching)} may send to {named(hold.port)} before the receive is over"
                raise Rejected(why)
    for port in about.used:
        if "duplicating" in about.guarantee(port) and port not in wrong and about.is_used_twice(port):
            raise Rejected(f"a copy of a message may come to {named(port)} in a later layer")


def check_port_runs(value: object, found: Sequence[object]) -> None:
    """Check that the ports in `found` are root causes, even if receives of a process overlap.

    Each root cause has a run that shows it. Nothing shows that there are no other root causes: for that, the
    search must be trusted.
    """
    about = Layers(fields(value, _TYPES), _SEARCHED)
    if not _check_roots(found, about):
        raise Rejected("a search that found no wrong receive leaves nothing to check")


class _Protocol:
    """The occurrences of layers in an expression, as an automaton.

    - `layer`: the layer of each occurrence;
    - `follow`: for each occurrence, the occurrences that may come next;
    - `first`: the occurrences that may begin a word;
    - `last`: the occurrences that may end a word.
    """

    def __init__(self, expression: object, layers: int) -> None:
        self.layer: list[int] = []
        self.follow: list[set[int]] = []
        self.first, self.last, _ = self._part(expression, layers, 200)

    def of(self, layer: int) -> list[int]:
        return [at for at, each in enumerate(self.layer) if each == layer]

    def _part(self, node: object, layers: int, depth: int) -> tuple[set[int], set[int], bool]:
        if type(node) is int and 1 <= node <= layers:
            self.layer.append(node)
            self.follow.append(set())
            here = {len(self.layer) - 1}
            return here, here, False
        kind, *inner = items(node) or [None]
        parts = [self._part(each, layers, depth - 1) for each in inner] if depth else []
        if kind == "or" and parts:
            firsts, lasts, skips = zip(*parts, strict=True)
            return set().union(*firsts), set().union(*lasts), any(skips)
        if kind not in ("then", "any", "some") or len(parts) != (len(inner) if kind == "then" else 1):
            raise Rejected("the protocol is not an expression of the layers")
        first, last, empty = set[int](), set[int](), True
        for begins, ends, nullable in parts:
            for before in last:
                self.follow[before] |= begins
            first |= begins if empty else set()
            last = ends | (last if nullable else set())
            empty &= nullable
        if kind != "then":
            for before in last:
                self.follow[before] |= first
        return first, last, empty or kind == "any"


class _Places(NamedTuple):
    """The positions, from 1, of a layer's sends (for each port and sender) and receives (for each port)."""

    sends: defaultdict[Port, dict[int, list[int]]]
    receives: defaultdict[Port, list[int]]

    def sent(self, port: Port, lengths: Sequence[int] | None = None) -> int:
        """The number of messages to a port among the first `lengths` events of the processes (default: all
        events)."""
        senders = self.sends[port].items()
        return sum(len(at) if lengths is None else bisect_right(at, lengths[k - 1]) for k, at in senders)


class Layers:
    """The layers of a certificate, with their ports and the guarantees of the ports."""

    def __init__(self, certificate: dict[str, Any], kind: str) -> None:
        self.n, self.open = certificate["n"], certificate["open"]
        if certificate["kind"] != kind or not 1 <= self.n <= MOST_NAMED:
            raise Rejected("this is not a certificate about ports")
        texts = certificate["layers"]
        self.layers = [layer_of(text, self.n) for text in texts]
        self.protocol = _Protocol(certificate["protocol"], len(texts))
        events = [event for layer in self.layers for share in layer for event in share]
        self._shared = {(j, tag) for _, i, j, tag in events if not i}
        if kind != _SEARCHED:
            self.require_no_overlap(events)
        self.used = sorted({self.port(event) for event in events})
        self.by_name = {named(port): port for port in self.used}
        self._guarantees = {port: set[str]() for port in self.used}
        for text, words in certificate["ports"].items():
            if text not in self.by_name:
                raise Rejected("a guarantee is given for a port that no layer uses")
            given = self._guarantees[self.by_name[text]] = set(map(str, items(words)))
            if not given <= _GUARANTEES or {"fifo", "duplicating"} <= given:
                raise Rejected(f"{text} has an unknown guarantee")
        self.places = [self._places(layer) for layer in self.layers]
        if any(
            len(places.receives[port]) != places.sent(port) for places in self.places for port in self.used
        ):
            raise Rejected("a layer is not balanced")

    def _places(self, layer: Layer) -> "_Places":
        found = _Places(defaultdict(dict), defaultdict(list))
        for process, share in enumerate(layer, 1):
            for position, event in enumerate(share, 1):
                if event[0] == SEND:
                    found.sends[self.port(event)].setdefault(process, []).append(position)
                else:
                    found.receives[self.port(event)].append(position)
        return found

    def require_no_overlap(self, events: Iterable[Event]) -> None:
        """Raise Rejected if a receive among `events` overlaps receives of the layers.

        A receive from a named sender overlaps if the layers receive its tag at its reader from any source.
        """
        if any(kind == RECEIVE and i and (j, tag) in self._shared for kind, i, j, tag in events):
            raise Rejected("receives of a process overlap")

    def port(self, event: Event) -> Port:
        """The port of an event."""
        _, i, j, tag = event
        return j, 0 if (j, tag) in self._shared else i, tag

    def guarantee(self, port: Port) -> set[str]:
        """The guarantee of a port."""
        return self._guarantees[port]

    def keeps_order(self, port: Port) -> bool:
        """Whether the messages of a sender can neither overtake each other nor be lost."""
        return self.guarantee(port) == {"fifo"}

    def may_send(self, port: Port) -> set[int]:
        """The processes that may send to a port."""
        return {port[1]} if port[1] else set(range(1, self.n + 1)) - {port[0]}

    def to_hold(self) -> Iterator[tuple[int, Port]]:
        """The pairs of a layer and a port that need a closed set, if the port is no root cause.

        A port that duplicates needs none. An ordered port without loss needs none if it has one sender.
        """
        for number, places in enumerate(self.places, 1):
            for port in self.used:
                sole = self.keeps_order(port) and port[1]
                if places.receives[port] and not sole and "duplicating" not in self.guarantee(port):
                    yield number, port

    def closed(
        self, layer: int, upto: object, blocked: frozenset[int] = frozenset(), without: Place | None = None
    ) -> tuple[tuple[int, ...], frozenset[int]]:
        """Check a closed set of a layer, without the receive at `without`.

        `upto` is the set: a number of events of each process. The processes in `blocked` do not start the
        layer. Returns these numbers, and the processes that do not get through the layer.
        """
        if not 1 <= layer <= len(self.layers):
            raise Rejected(f"there is no layer {layer}")
        lengths, places, late = numbers(upto, self.n), self.places[layer - 1], set(blocked)
        for process, (share, at) in enumerate(zip(self.layers[layer - 1], lengths, strict=True), 1):
            if not 0 <= at <= len(share) or (at and process in blocked):
                raise Rejected("a process does not get so far")
            if at == len(share):
                continue
            late.add(process)
            if process in blocked or (process, at + 1) == without:
                continue
            port = self.port(share[at])
            sent, taken = places.sent(port, lengths), bisect_right(places.receives[port], at)
            is_there = sent + taken > 0 if "duplicating" in self.guarantee(port) else sent > taken
            if share[at][0] == SEND or is_there:
                raise Rejected(f"process {process} can go on in layer {layer}")
        return lengths, frozenset(late)

    def step(self, layer: int, upto: object, blocked: frozenset[int]) -> Left:
        """Check a closed set of a layer that the processes in `blocked` do not start.

        Returns the processes that do not get through the layer, and the sends in the set.
        """
        if not blocked <= set(range(1, self.n + 1)):
            raise Rejected("a process that does not exist is blocked")
        lengths, late = self.closed(layer, upto, blocked)
        sends = self.places[layer - 1].sends.items()
        return late, {(port, k) for port, of in sends for k, at in of.items() if at[0] <= lengths[k - 1]}

    def is_used_twice(self, port: Port) -> bool:
        """Whether two layers of some word use the port, or one layer does and anything may follow."""
        layer = self.protocol.layer
        using = {at for at in range(len(layer)) if self.places[layer[at] - 1].receives[port]}
        reached = set[int]().union(*(self.protocol.follow[at] for at in using))
        while more := set[int]().union(*(self.protocol.follow[at] for at in reached)) - reached:
            reached |= more
        return bool(using & reached or (using and self.open))


def named(port: Port) -> str:
    """A port as it is written."""
    reader, sender, tag = port
    return f"{reader}<-{sender or '*'}{tag and ':' + tag}"


def layer_of(text: object, n: int) -> Layer:
    """The events of each process in the text of a program."""
    if not isinstance(text, str):
        raise Rejected("a layer is not a text")
    shares: Layer = [[] for _ in range(n)]
    for statement in text.split("; ") if text != "eps" else ():
        found = _STATEMENT.fullmatch(statement)
        if not found:
            raise Rejected(f"{statement[:40]!r} is not a statement over ports")
        word, sender, receiver, to, by, tag = found.groups(default="")
        i, j = (int(sender), int(receiver)) if word else (int(by.replace("*", "0")), int(to))
        if i == j or max(i, j) > n:
            raise Rejected(f"{statement[:40]!r} does not join two of the processes 1..{n}")
        if word:
            shares[i - 1].append((SEND, i, j, tag))
        if word != "snd":
            shares[j - 1].append((RECEIVE, i, j, tag))
    return shares


class Hold(NamedTuple):
    """A closed set without a layer's last receive on a port, and what follows from it."""

    layer: int
    port: Port
    blocked: frozenset[int]
    senders: set[int]
    """The senders whose next message the receive could take."""


def hold_of(value: object, about: Layers) -> Hold:
    """Check a closed set without a layer's last receive on a port. Raises Rejected.

    `unfit` in `value` lists senders whose next message the receive cannot take because of the port's order.
    Each entry names a sender, the number l of an earlier receive (`receive`), and a closed set without this
    earlier receive (`upto`), as in the module's docstring. If the sender sends all messages of the layer to
    the port, `receive` is 0.
    """
    hold = fields(value, {"layer": int, "port": str, "upto": list, "unfit": list})
    layer = hold["layer"]
    port = about.by_name.get(hold["port"])
    if port is None or not 1 <= layer <= len(about.layers):
        raise Rejected("a closed set is about a port or a layer that does not exist")
    places = about.places[layer - 1]
    receives = places.receives[port]
    if not receives:
        raise Rejected(f"layer {layer} does not receive on {named(port)}")
    _, blocked = about.closed(layer, hold["upto"], without=(port[0], receives[-1]))
    senders = about.may_send(port)
    for each in hold["unfit"]:
        unfit = fields(each, {"sender": int, "receive": int, "upto": list})
        sender, nth = unfit["sender"], unfit["receive"]
        if sender not in senders or not about.keeps_order(port):
            raise Rejected(f"the next message of {sender} can be taken from {named(port)}")
        own = places.sends[port].get(sender, [])
        others = len(receives) - len(own)
        if nth:
            if not max(1, others) <= nth < len(receives):
                raise Rejected(f"receive {nth} on {named(port)} keeps no message away")
            lengths, _ = about.closed(layer, unfit["upto"], without=(port[0], receives[nth - 1]))
            if bisect_right(own, lengths[sender - 1]) > nth - others:
                raise Rejected(f"receive {nth} on {named(port)} does not keep messages of {sender} away")
        elif others:
            raise Rejected(f"{sender} does not send all messages to {named(port)}")
        elif unfit["upto"]:
            raise Rejected(f"a closed set keeps messages of {sender} away, but without a receive")
        senders = senders - {sender}
    return Hold(layer, port, blocked, senders)


def _walk(
    about: Layers,
    start: State,
    steps: Steps,
) -> tuple[set[tuple[Port, int]], set[int]]:
    """Follow the protocol from `start`: an occurrence of a layer, and the processes that do not finish it.

    Returns the later sends, as pairs of a port and a sender, and the processes that may get through the last
    layer of some word. The walk skips a state if it has seen the occurrence with a subset of these processes.
    """
    seen, going = {start}, [start]
    sends, through = set[tuple[Port, int]](), set[int]()
    while going:
        at, blocked = going.pop()
        if at in about.protocol.last:
            through |= set(range(1, about.n + 1)) - blocked
        for following in about.protocol.follow[at]:
            step = _step(steps, about.protocol.layer[following], blocked)
            sends |= step[1]
            state = following, step[0]
            if not any(other == following and fewer <= step[0] for other, fewer in seen):
                seen.add(state)
                going.append(state)
    return sends, through


def _step(steps: Steps, layer: int, blocked: frozenset[int]) -> Left:
    """What follows from a closed set of a layer that `blocked`, or some of these processes, do not start."""
    found = steps.get((layer, blocked))
    if found is None:
        found = next((left for (of, fewer), left in steps.items() if of == layer and fewer <= blocked), None)
    if found is None:
        raise Rejected("a closed set is missing for a layer that may follow")
    return found


def _check_roots(found: Sequence[object], about: Layers) -> set[Port]:
    wrong = {_check_root(each, about) for each in found}
    if len(wrong) != len(found):
        raise Rejected("two runs are about the same port")
    return wrong


def _check_root(value: object, about: Layers) -> Port:
    channel: dict[str, type] = {"channel": list} if isinstance(value, dict) and "channel" in value else {}
    found = fields(value, {"port": str, "receive": dict, "send": dict, "run": dict} | channel)
    run = fields(found["run"], {"word": list, "later": str, "order": list, "matching": list})
    word = numbers(run["word"])
    _check_word(about, word, run["later"])
    later = layer_of(run["later"], about.n)
    about.require_no_overlap(event for share in later for event in share)
    layers = [about.layers[each - 1] for each in word] + [later]
    port, receive, send = played(about, layers, range(len(layers)), run)
    ends = [_located(layers, word, each) for each in (receive, send)]
    check_ends(found, port, ends)
    return port


def check_ends(found: dict[str, Any], port: Port, ends: Sequence[object]) -> None:
    """Check that a root cause names the port, its channel, the receive and the send of its run."""
    if canonical([found[key] for key in ("port", "receive", "send")]) != canonical([named(port), *ends]):
        raise Rejected("the port, the receive or the send is not that of the run")
    reader, sender, _ = port
    if canonical(found.get("channel")) != canonical([sender, reader] if sender else None):
        raise Rejected("the channel is not that of the port")


def played(
    about: Layers, layers: Sequence[Layer], parts: Sequence[int], run: dict[str, Any]
) -> tuple[Port, Place, Place]:
    """Play a run whose last event is the first receive that takes a message of another part.

    The layers are in sequence, and `parts` gives the part of each layer. Returns the port of the last event,
    the receive, and the send of the message that it takes. Raises Rejected if this is not such a run.
    """
    program = [
        [(event, part) for part, layer in zip(parts, layers, strict=True) for event in layer[process]]
        for process in range(about.n)
    ]
    order, taken = [place_of(each) for each in items(run["order"])], pairs_of(run["matching"])
    held: defaultdict[Port, list[Place]] = defaultdict(list)
    done = [0] * about.n
    crossing: tuple[Port, Place, Place] | None = None
    for process, position in order:
        if crossing:
            raise Rejected("a receive before the last one takes a message of another layer")
        if not 1 <= process <= about.n or not done[process - 1] + 1 == position <= len(program[process - 1]):
            raise Rejected(f"{[process, position]} is not the next event of its process")
        done[process - 1] = position
        event, part = program[process - 1][position - 1]
        port = about.port(event)
        if event[0] == SEND:
            held[port].append((process, position))
            continue
        source = taken.pop((process, position), None)
        _deliver(about, port, held[port], source)
        assert source is not None
        if event[1] not in (0, source[0]):
            raise Rejected(f"a receive takes a message of {source[0]}, but names {event[1]}")
        if program[source[0] - 1][source[1] - 1][1] != part:
            crossing = port, (process, position), source
    if crossing is None or taken:
        raise Rejected("the last event takes no message of another layer, or something else is matched")
    return crossing


def _check_word(about: Layers, word: Sequence[int], later: str) -> None:
    """Check that a word of the protocol begins with these layers, or is these layers if an event follows."""
    states: set[int] | None = None
    for layer in word:
        possible = (
            about.protocol.first
            if states is None
            else set().union(*(about.protocol.follow[s] for s in states))
        )
        states = {each for each in possible if about.protocol.layer[each] == layer}
    if not states:
        raise Rejected("no word of the protocol begins with the layers of the run")
    if later != "eps" and (
        not about.open or ";" in later or later.startswith("mt") or not states & about.protocol.last
    ):
        raise Rejected("after the layers there may be one event, and only if anything may follow")


def _deliver(about: Layers, port: Port, held: list[Place], source: Place | None) -> None:
    if source not in held:
        raise Rejected(f"a receive on {named(port)} takes no message that is there")
    guarantee = about.guarantee(port)
    older = (
        [each for each in held[: held.index(source)] if each[0] == source[0]] if "fifo" in guarantee else []
    )
    if older and "lossy" not in guarantee:
        raise Rejected(f"a message overtakes another on {named(port)}")
    for each in [*older, *([] if "duplicating" in guarantee else [source])]:
        held.remove(each)


def _located(layers: list[Layer], word: Sequence[int], place: Place) -> dict[str, int | None]:
    """An event as certificates write it. Layer and round are null if the event is after all layers."""
    process, position = place
    for at, layer in enumerate(word):
        length = len(layers[at][process - 1])
        if position <= length:
            return {
                "layer": layer,
                "round": word[: at + 1].count(layer),
                "process": process,
                "position": position,
            }
        position -= length
    return {"layer": None, "round": None, "process": process, "position": position}
