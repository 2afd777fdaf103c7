"""Check which ports are root causes when the layers of a protocol follow each other without barriers.

- A *port* holds messages until one process, its *reader*, receives them. For each sender, reader and tag
  there is a port. But if the reader receives the tag from any source, all senders of this tag share one port.
- A *layer* is a balanced program: it sends as many messages to each port as it receives there.
- A *protocol* is a regular expression of layers. A *word* is a sequence of layers that the protocol allows.
  Each process goes through its parts of these layers, without waiting for other processes in between. If
  anything may follow the word, what follows counts as one more layer.
- A receive is *wrong* if it takes a message of another layer, or of another round of its own layer.
- A port is a *root cause* if, in some run of a word, the first wrong receive is on this port.

For each root cause, a certificate has a run up to the wrong receive, which `played` plays. Closed sets and
the order of messages show that other ports are no root causes.

**Closed sets.** Take the first few events of each process in a layer. They are a *closed set* without the
receive r if each process has finished the layer with these events, or cannot go on for one of three reasons:

- The next event of the process is r.
- The next event of the process is a receive on an empty port. A port is *empty* if the set sends no more
  messages to it than the set receives there. A port that duplicates is empty only if the set does not use it.
- The process does not start the layer, because it has not finished the layers before.

Until some receive is wrong, each receive takes a message of its own layer. So, by induction, a closed set
contains every event of the layer that can happen without r before any wrong receive.

**No root cause.** Let r be the last receive of a layer on a port that does not duplicate. Suppose that no
receive before r is wrong. Then the process of r has received all messages of earlier layers from the port,
because layers are balanced. A *later message* is a message of a later layer. Closed sets show that r takes no
later message, either:

1. One closed set contains the events of r's layer that can happen without r. The processes that do not get
   through the layer in this set are *blocked*: they start no later layer.
2. For each layer that may follow, and each set of processes that may be blocked there, another closed set
   contains the events of this layer that can happen. The processes that do not get through this layer are
   blocked in the layers after it.
3. Take each process that may send to the port and whose later messages **Order** does not keep from r. This
   process sends nothing to the port in the closed sets of later layers. If anything may follow, this process
   is blocked after each layer with which a word can end.

An earlier receive r' of the layer on the port needs no check. If r' does not happen, r does not happen. So
each send that can happen without r' can also happen without r, and is in the closed sets already.

**Order.** On a port that keeps each sender's order and loses nothing, order may keep later messages of a
process i from all receives of the layer. Let the layer send K messages to the port, x of them from i. Suppose
that one of the layer's K receives on the port takes a later message of i. Then the receives before it, at
most K - 1, have taken all x messages of i. This is impossible in two cases:

- x = K, because K - 1 receives cannot take K messages. So a port with a single sender needs no closed set.
- For some l < K, a closed set without the layer's l'th receive on the port has at most l - (K - x) messages
  from i to the port. At most K - 1 - l of the receives that take the x messages come after the l'th receive.
  So the first l receives take at least x - (K - 1 - l) messages of i, one more than l - (K - x). But all of
  these messages were sent without the l'th receive, so the closed set has them.

**Copies.** For a port that duplicates, there are no closed sets. The kernel accepts such a port as no root
cause only if no word has two layers that use the port. If anything may follow, not even one layer may use it.

Coq has proved that such certificates are enough: `certificates_of_protocols` in
`proofs/ports/PortCertificates.v`.
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
"""The reader, the sender (0 if all senders share the port), and the tag ("" if there is none)."""
Event = tuple[int, int, int, str]
"""SEND or RECEIVE, the sender (0 in a receive from any source), the receiver, and the tag."""
Layer = list[list[Event]]
State = tuple[int, frozenset[int]]
"""An occurrence of a layer in the protocol, and the processes that do not get through this layer."""

Left = tuple[frozenset[int], set[tuple[Port, int]]]
"""What a closed set of a layer shows: which processes do not get through the layer, and which sends happen.

Each send is given as a pair of a port and a process that sends to it.
"""
Steps = dict[tuple[int, frozenset[int]], Left]
"""For pairs of a layer and the set of processes that do not start the layer: what a closed set shows."""

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

Two receives of a process overlap if both could take some message, but only one of them could take another.
"""


def check_ports(value: object, found: Sequence[object]) -> None:
    """Check that the root causes are exactly the ports in `found`.

    `value` has the layers, the guarantees of the ports, the protocol and the closed sets. `found` has, for
    each root cause, the port, the wrong receive, the send of its message, and the run.
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

    For each root cause, `found` has a run that shows it. Nothing shows that there are no other root causes:
    for this, one must trust the search. Raises Rejected if `found` is empty.
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
    """The positions of a layer's sends (for each port and sender) and of its receives (for each port)."""

    sends: defaultdict[Port, dict[int, list[int]]]
    receives: defaultdict[Port, list[int]]

    def sent(self, port: Port, lengths: Sequence[int] | None = None) -> int:
        """The number of sends to a port among the first `lengths` events of the processes.

        By default, all sends of the layer to the port count.
        """
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

        A receive from a named sender overlaps if its process receives the same tag from any source in some
        layer.
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
        """Whether messages of the same sender to the port cannot overtake each other, and cannot be lost."""
        return self.guarantee(port) == {"fifo"}

    def may_send(self, port: Port) -> set[int]:
        """The processes that may send to a port."""
        return {port[1]} if port[1] else set(range(1, self.n + 1)) - {port[0]}

    def to_hold(self) -> Iterator[tuple[int, Port]]:
        """The pairs of a layer and a port on which it receives that need a closed set.

        A port needs no closed set if it duplicates. A port that keeps order and loses nothing needs no closed
        set if it has a single sender.
        """
        for number, places in enumerate(self.places, 1):
            for port in self.used:
                sole = self.keeps_order(port) and port[1]
                if places.receives[port] and not sole and "duplicating" not in self.guarantee(port):
                    yield number, port

    def closed(
        self, layer: int, upto: object, blocked: frozenset[int] = frozenset(), without: Place | None = None
    ) -> tuple[tuple[int, ...], frozenset[int]]:
        """Check a closed set of a layer without the receive at `without`.

        `upto` gives the set: for each process, the number of its first events that are in the set. The
        processes in `blocked` do not start the layer. Returns these numbers, and the processes that do not
        get through the layer.
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

        `upto` gives the set, as in `closed`. Returns the processes that do not get through the layer, and the
        sends in the set.
        """
        if not blocked <= set(range(1, self.n + 1)):
            raise Rejected("a process that does not exist is blocked")
        lengths, late = self.closed(layer, upto, blocked)
        sends = self.places[layer - 1].sends.items()
        return late, {(port, k) for port, of in sends for k, at in of.items() if at[0] <= lengths[k - 1]}

    def is_used_twice(self, port: Port) -> bool:
        """Whether some word has two layers that use the port, or one such layer if anything may follow."""
        layer = self.protocol.layer
        using = {at for at in range(len(layer)) if self.places[layer[at] - 1].receives[port]}
        reached = set[int]().union(*(self.protocol.follow[at] for at in using))
        while more := set[int]().union(*(self.protocol.follow[at] for at in reached)) - reached:
            reached |= more
        return bool(using & reached or (using and self.open))


def named(port: Port) -> str:
    """The text of a port, such as ``2<-1`` or ``2<-*:tag``."""
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
    """What a closed set without a layer's last receive on a port shows."""

    layer: int
    port: Port
    blocked: frozenset[int]
    senders: set[int]
    """The processes whose later messages the receive could take: order does not exclude them."""


def hold_of(value: object, about: Layers) -> Hold:
    """Check a closed set without a layer's last receive on a port. Raises Rejected.

    `unfit` in `value` lists the senders whose later messages the port's order keeps from the receive
    (**Order** in the module's docstring). For each sender, an entry has one of two proofs:

    - `receive` is the number l of an earlier receive, and `upto` is a closed set without this earlier
      receive.
    - `receive` is 0 and `upto` is empty, if the sender sends all messages of the layer to the port.
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
    """Follow the protocol from `start`: a layer occurs, and some processes do not get through it.

    Returns two sets: the later sends, as pairs of a port and a sender, and the processes that may get through
    the last layer of some word. The walk skips a state if it has seen the same occurrence with a subset of
    the state's processes. What can happen with more blocked processes can also happen with fewer.
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
    """What a closed set of the layer shows if the processes in `blocked`, or only some, do not start it."""
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
    """Check that a root cause names the port of its run, the port's channel, the receive and the send."""
    if canonical([found[key] for key in ("port", "receive", "send")]) != canonical([named(port), *ends]):
        raise Rejected("the port, the receive or the send is not that of the run")
    reader, sender, _ = port
    if canonical(found.get("channel")) != canonical([sender, reader] if sender else None):
        raise Rejected("the channel is not that of the port")


def played(
    about: Layers, layers: Sequence[Layer], parts: Sequence[int], run: dict[str, Any]
) -> tuple[Port, Place, Place]:
    """Play the beginning of a run, up to the first receive that takes a message of another part.

    `layers` follow each other. `parts` has, for each layer, the number of the part to which the layer
    belongs. Returns the port of the last event, the receive, and the send of the message that the receive
    takes. Raises Rejected if the layers have no such run.
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
    """Check that some word of the protocol begins with `word`.

    If an event follows (`later`), anything must be allowed to follow, and `word` must be a whole word.
    """
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
    """An event as certificates write it. Its layer and round are null if the event is after all layers."""
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
