"""The targets, implemented from the paper's definitions without anything of ours, slowly; and with faults.

A fault is a name that the code looks for at the place where it goes wrong.  Programs come as lists, one for
each process, of ``("snd", to)`` and ``("rcv", from)``.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

Program = list[list[tuple[str, int]]]
Channel = tuple[int, int]
Place = tuple[int, int]
"""The process, and the position in its share, from 0."""
Order = set[tuple[Place, Place]]

SLOW_FROM = 4
"""With so many processes, the search for a shortest seal takes too long."""


class Naive:
    """All targets, with a fault or, where that is empty, without."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def answer(self, target: str, *programs: Program) -> Any:
        """What this implementation says."""
        return getattr(self, target.replace("-", "_"))(*programs)

    # Events

    def channel(self, place: Place, event: tuple[str, int]) -> Channel:
        """The sender and the receiver."""
        kind, other = event
        own = place[0]
        channel = (own, other) if kind == "snd" else (other, own)
        if self.fault == "channels have no direction":
            return (min(channel), max(channel))
        if self.fault == "a channel is its sender":
            return (channel[0], 0)
        if self.fault == "a channel is its receiver":
            return (0, channel[1])
        return channel

    def places(self, p: Program) -> dict[Place, tuple[str, int]]:
        """All events."""
        return {(k, at): event for k, share in enumerate(p, 1) for at, event in enumerate(share)}

    def on(self, p: Program, kind: str, channel: Channel) -> list[Place]:
        """The sends or receives on a channel, in the order of their process."""
        i, j = channel
        own, other = (i, j) if kind == "snd" else (j, i)
        return [(own, at) for at, event in enumerate(p[own - 1]) if event == (kind, other)]

    def channels(self, p: Program) -> list[Channel]:
        """All channels between two processes."""
        every = [(i, j) for i in range(1, len(p) + 1) for j in range(1, len(p) + 1) if i != j]
        if self.fault == "only upward channels":
            return [c for c in every if c[0] < c[1]]
        if self.fault == "no channel 3->1":
            return [c for c in every if c != (3, 1)]
        if self.fault == "only channels of neighbours":
            return [c for c in every if abs(c[0] - c[1]) == 1]
        if self.fault == "no channels of the last process":
            return [c for c in every if len(p) < 3 or len(p) not in c]
        return every

    def used(self, p: Program) -> list[Channel]:
        """The channels on which P receives."""
        return [c for c in self.channels(p) if self.on(p, "rcv", c)]

    # Causality

    def message_edges(self, p: Program) -> Order:
        """From the k'th send to the k'th receive of a channel."""
        sends: dict[Channel, list[Place]] = {}
        receives: dict[Channel, list[Place]] = {}
        for place, event in self.places(p).items():
            by = sends if event[0] == "snd" else receives
            by.setdefault(self.channel(place, event), []).append(place)
        edges: Order = set()
        for channel, sent in sends.items():
            edges |= self.matched(sent, receives.get(channel, []))
        return edges

    def matched(self, sent: list[Place], received: list[Place]) -> Order:
        """The message edges of one channel."""
        match self.fault:
            case "every send reaches every receive":
                return set(product(sent, received))
            case "the first send reaches every receive":
                return set(product(sent[:1], received))
            case "only the first message":
                return set(zip(sent[:1], received[:1], strict=False))
            case "only the last message":
                return set(zip(sent[-1:], received[-1:], strict=False))
            case "the last message first":
                return set(zip(reversed(sent), received, strict=False))
            case "the k'th send reaches the next receive":
                return set(zip(sent, received[1:], strict=False))
            case "the next send reaches the k'th receive":
                return set(zip(sent[1:], received, strict=False))
            case "at most two messages":
                return set(zip(sent[:2], received[:2], strict=False))
            case "no message edges":
                return set()
            case "messages go backwards":
                return {(r, s) for s, r in zip(sent, received, strict=False)}
        return set(zip(sent, received, strict=False))

    def local_edges(self, p: Program) -> Order:
        """From each event to the next one of its process."""
        if self.fault == "processes have no order":
            return {(e, f) for e, f in product(self.places(p), repeat=2) if e[0] == f[0] and e != f}
        edges = {((k, at), (k, at + 1)) for k, share in enumerate(p, 1) for at in range(len(share) - 1)}
        if self.fault == "a send is not ordered after a send":
            edges = {(e, f) for e, f in edges if {p[e[0] - 1][x[1]][0] for x in (e, f)} != {"snd"}}
        if self.fault == "a receive is not ordered after a receive":
            edges = {(e, f) for e, f in edges if {p[e[0] - 1][x[1]][0] for x in (e, f)} != {"rcv"}}
        return edges

    def before(self, p: Program) -> Order:
        """What happens before what, in every run: the transitive closure of the program graph."""
        edges = self.local_edges(p) | self.message_edges(p)
        match self.fault:
            case "nothing is transitive":
                return edges
            case "two steps at most":
                return edges | self.composed(edges, edges)
            case "four steps at most":
                two = edges | self.composed(edges, edges)
                return two | self.composed(two, two)
            case "no chain through a third process":
                found = self.closure(edges)
                return {(e, f) for e, f in found if self.avoids_others(edges, e, f)}
        return self.closure(edges)

    def composed(self, first: Order, second: Order) -> Order:
        """Pairs that are joined by one of each."""
        return {(e, g) for e, f in first for other, g in second if f == other}

    def closure(self, edges: Order) -> Order:
        """By looking from each event."""
        following: dict[Place, set[Place]] = {}
        for e, f in edges:
            following.setdefault(e, set()).add(f)
        found: Order = set()
        for start in following:
            pending, seen = list(following[start]), set()
            while pending:
                if (place := pending.pop()) not in seen:
                    seen.add(place)
                    pending.extend(following.get(place, ()))
            found |= {(start, place) for place in seen}
        return found

    def avoids_others(self, edges: Order, e: Place, f: Place) -> bool:
        """Whether a chain stays with the processes of its ends."""
        own = {(a, b) for a, b in edges if a[0] in (e[0], f[0]) and b[0] in (e[0], f[0])}
        return (e, f) in self.closure(own)

    def at_or_before(self, order: Order, e: Place, f: Place) -> bool:
        """Whether e is f, or happens before it."""
        if self.fault == "no event is before itself":
            return (e, f) in order
        return e == f or (e, f) in order

    def last_receive(self, p: Program, channel: Channel) -> Place:
        """P's last receive on a channel."""
        receives = self.on(p, "rcv", channel)
        match self.fault:
            case "P's first receive":
                return receives[0]
            case "P's second receive at most":
                return receives[:2][-1]
            case "any event of the receiver":
                return (channel[1], 0)
            case "the receiver's last event":
                return (channel[1], len(p[channel[1] - 1]) - 1)
        return receives[-1]

    def reaches_process(self, p: Program, order: Order, e: Place, process: int) -> bool:
        """Whether an event is at or before some event of a process."""
        own = [(process, at) for at in range(len(p[process - 1]))]
        if self.fault == "the process's last event must be a receive" and own:
            own = [place for place in own[-1:] if p[process - 1][place[1]][0] == "rcv"]
        if self.fault == "an idle process knows all" and not own:
            return True
        return any(self.at_or_before(order, e, f) for f in own)

    # Targets

    def deadlock_free(self, p: Program) -> bool:
        """By running it."""
        at, moved = [0] * len(p), True
        waiting: dict[Channel, int] = {}
        while moved:
            moved = False
            for k, share in enumerate(p, 1):
                while at[k - 1] < len(share):
                    kind, other = share[at[k - 1]]
                    channel = self.channel((k, 0), (kind, other))
                    if kind == "rcv" and self.blocks(waiting.get(channel, 0)):
                        break
                    waiting[channel] = waiting.get(channel, 0) + (1 if kind == "snd" else self.taken())
                    at[k - 1] += 1
                    moved = True
                    if self.fault == "one event a turn, one turn":
                        break
            if self.fault in ("one turn", "one event a turn, one turn"):
                break
            if self.fault == "two turns" and sum(at) > sum(map(len, p)) // 2:
                moved = False
        if self.fault == "only the first process":
            return at[0] == len(p[0])
        if self.fault == "some process ends":
            return any(reached == len(share) for reached, share in zip(at, p, strict=True))
        if self.fault == "balanced is enough":
            return True
        return all(reached == len(share) for reached, share in zip(at, p, strict=True))

    def blocks(self, messages: int) -> bool:
        """Whether a receive has to wait."""
        return messages < 0 if self.fault == "one message is always there" else messages <= 0

    def taken(self) -> int:
        """What a receive does to the number of messages."""
        return 0 if self.fault == "messages stay on their channel" else -1

    def program_graph(self, p: Program) -> dict[str, Any]:
        """Its nodes and edges."""
        name: dict[Place, str] = {}
        count: dict[str, int] = {}
        for place, event in self.places(p).items():
            i, j = (place[0], event[1]) if event[0] == "snd" else (event[1], place[0])
            text = f"snd {i}->{j}" if event[0] == "snd" else f"rcv {j}<-{i}"
            count[text] = count.get(text, 0) + 1
            name[place] = f"{text} #{count[text]}"
        edges = {(name[e], name[f]) for e, f in self.message_edges(p)}
        edges |= {(name[e], name[f]) for e, f in self.local_edges(p)}
        nodes = set(name.values())
        for k, share in enumerate(p, 1):
            if not share and self.fault == "idle processes have no nodes":
                continue
            own = [name[k, at] for at in range(len(share))]
            path = [f"fst {k}", *own[:1], *own[-1:], f"lst {k}"]
            nodes |= {path[0], path[-1]}
            if share or self.fault != "no edge from first to last":
                edges |= {(path[0], path[1]), (path[-2], path[-1])}
        return self.graph(nodes, edges)

    def graph(self, nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """As an answer."""
        return {"nodes": sorted(set(nodes)), "edges": sorted(map(list, set(edges)))}

    def signature(self, p: Program) -> dict[str, Any]:
        """First sends, last receives and dummy nodes, without what closed channels rule out."""
        order = self.before(p)
        kept: dict[str, tuple[Place, Channel]] = {}
        for i, j in self.channels(p):
            if sends := self.on(p, "snd", (i, j)):
                at = -1 if self.fault == "the last send of a channel" else 0
                kept[f"snd {i}->{j}"] = sends[at], (i, j)
            if self.on(p, "rcv", (i, j)):
                kept[f"rcv {j}<-{i}"] = self.last_receive(p, (i, j)), (i, j)
        edges = {(a, b) for a, b in product(kept, repeat=2) if (kept[a][0], kept[b][0]) in order}
        places, processes = list(self.places(p)), range(1, len(p) + 1)
        for a, (place, _) in kept.items():
            edges |= {(f"fst {e[0]}", a) for e in places if self.at_or_before(order, e, place)}
            edges |= {(a, f"lst {e[0]}") for e in places if self.at_or_before(order, place, e)}
        edges |= {(f"fst {k}", f"lst {k}") for k in processes}
        if self.fault != "no edges between dummy nodes":
            edges |= {(f"fst {e[0]}", f"lst {f[0]}") for e, f in order}
        nodes = {f"{end} {k}" for end in ("fst", "lst") for k in processes}
        for a, (_, (i, j)) in kept.items():
            ruled_out = (f"fst {j}", a) if a.startswith("snd") else (a, f"lst {i}")
            if ruled_out not in edges or self.fault == "closed channels stay":
                nodes.add(a)
        return self.graph(nodes, {(a, b) for a, b in edges if a in nodes and b in nodes})

    def signature_compose(self, p: Program, q: Program) -> dict[str, Any]:
        """Of the composition, from scratch."""
        if self.fault == "Q before P":
            p, q = q, p
        if self.fault == "only P" or (self.fault == "an empty Q changes all" and not any(q)):
            return self.signature([[] for _ in p] if not any(q) else p)
        return self.signature([a + b for a, b in zip(p, q, strict=True)])

    def closed_channels(self, p: Program) -> list[Channel]:
        """The last receive is before some event of the sender; or there is none."""
        order = self.before(p)
        if self.fault == "unused channels are open":
            return [c for c in self.used(p) if self.is_closed(p, order, c)]
        return [c for c in self.channels(p) if c not in self.used(p) or self.is_closed(p, order, c)]

    def is_closed(self, p: Program, order: Order, channel: Channel) -> bool:
        """Whether the sender knows at P's end that P's receives on it are over."""
        knower = channel[1] if self.fault == "the receiver has to know" else channel[0]
        return self.reaches_process(p, order, self.last_receive(p, channel), knower)

    def is_seal(self, p: Program, q: Program) -> bool:
        """P's last receive is before Q's first send, or before something of the sender in P;Q."""
        match self.fault:
            case "an empty Q seals" if not any(q):
                return True
            case "an empty Q never seals" if not any(q):
                return False
            case "an idle process prevents it" if any(not a + b for a, b in zip(p, q, strict=True)):
                return False
            case "Q before P":
                p, q = q, p
            case "Q by itself":
                return all(self.knows_by(q, [], c) for c in self.used(p))
        return all(self.knows_by(p, q, c) for c in self.used(p))

    def phases(self, *layers: Program) -> bool:
        """Each layer's last receive on a channel is before the next send of a later layer on it."""
        if self.fault == "as if anything followed":
            return all(
                self.knows_by(layer, self.together(layers[k + 1 :]), c)
                for k, layer in enumerate(layers)
                for c in self.used(layer)
            )
        followed = enumerate(layers[:1] if self.fault == "only the first layer" else layers[:-1])
        return all(self.is_safe(layers, k, c) for k, layer in followed for c in self.used(layer))

    def together(self, layers: Iterable[Program]) -> Program:
        """The layers as one program; of none, one of no process."""
        return [[event for share in shares for event in share] for shares in zip(*layers, strict=True)]

    def is_safe(self, layers: tuple[Program, ...], k: int, channel: Channel) -> bool:
        """Whether the layer's last receive on the channel is before the next send of a later layer on it."""
        sending = [m for m in range(k + 1, len(layers)) if self.on(layers[m], "snd", channel)]
        match self.fault:
            case "only neighbouring layers":
                sending = [m for m in sending if m == k + 1]
            case "only the last layer":
                sending = [m for m in sending if m == len(layers) - 1]
            case "the layer that sends last":
                sending = sending[-1:]
        if not sending:
            return True
        m = sending[0]
        if self.fault == "what is between does not count":
            layers, k, m = (layers[k], layers[m]), 0, 1
        (own, at), i = self.last_receive(layers[k], channel), channel[0]
        last = own, at + sum(len(layer[own - 1]) for layer in layers[:k])
        sends = [place[1] for place in self.on(layers[m], "snd", channel)]
        if self.fault == "the layer's last send":
            sends = sends[-1:]
        if self.fault == "the layer's first event of the sender":
            sends = [0]
        first = i, sends[0] + sum(len(layer[i - 1]) for layer in layers[:m])
        return self.at_or_before(self.before(self.together(layers)), last, first)

    def knows_by(self, p: Program, q: Program, channel: Channel) -> bool:
        """Whether P's last receive on the channel happens before what Q sends on it, and anything later."""
        q = q or [[] for _ in p]
        if not self.on(p, "rcv", channel):
            return False
        both = [a + b for a, b in zip(p, q, strict=True)]
        order, last, (i, j) = self.before(both), self.last_receive(p, channel), channel
        if self.fault == "the receiver has to know":
            i = j
        offset = len(p[i - 1])
        sends = [offset + at for _, at in self.on(q, "snd", channel)] if i != j else []
        match self.fault:
            case "Q's last send":
                sends = sends[-1:]
            case "only the end of the sender":
                sends = []
            case "only where Q sends" if not sends:
                return True
            case "never where Q sends" if sends:
                return False
            case "Q's first event of the sender" if q[i - 1]:
                sends = [offset]
            case "Q's first send of the sender":
                sends = [offset + at for at, event in enumerate(q[i - 1]) if event[0] == "snd"]
            case "the first send of P;Q":
                sends = [at for _, at in self.on(both, "snd", channel)]
        if sends:
            return self.at_or_before(order, last, (i, sends[0]))
        return self.reaches_process(both, order, last, i)

    # Knowledge

    def known(self, p: Program) -> list[set[Channel]]:
        """For each process, the channels of which it knows that P's receives on them are over."""
        order = self.before(p)

        def knows(k: int, channel: Channel) -> bool:
            last = self.last_receive(p, channel)
            if k == channel[1] and self.fault == "nobody knows of its own receives":
                return any((last, (k, at)) in order for at in range(len(p[k - 1])))
            return self.reaches_process(p, order, last, k)

        return [{c for c in self.used(p) if knows(k, c)} for k in range(1, len(p) + 1)]

    def may_send(self, known: list[set[Channel]], channel: Channel, used: list[Channel]) -> bool:
        """Whether a seal may send on a channel."""
        i, j = channel
        match self.fault:
            case "a seal may send on any channel":
                return True
            case "a seal sends on unused channels only":
                return channel not in used
            case "a seal sends on used channels only":
                return channel in known[i - 1]
            case "the receiver has to know":
                return channel not in used or channel in known[j - 1]
        return channel not in used or channel in known[i - 1]

    def lacks(self, known: list[set[Channel]], used: list[Channel]) -> bool:
        """Whether some sender does not know enough."""
        if self.fault == "somebody has to know":
            return any(all(c not in of for of in known) for c in used)
        if self.fault == "all have to know":
            return any(c not in of for c in used for of in known)
        return any((i, j) not in known[i - 1] for i, j in used)

    def saturated(self, p: Program) -> tuple[list[set[Channel]], list[Channel]]:
        """What processes can come to know, and by which messages."""
        known, used = self.known(p), self.used(p)
        sent: list[Channel] = []
        changed, rounds = True, 0
        while changed and not (self.fault == "one round" and rounds == 1):
            changed, rounds = False, rounds + 1
            start = [set(of) for of in known]
            for i, j in self.channels(p):
                source = start if self.fault == "knowledge of one's own only" else known
                told = self.known(p)[i - 1] if self.fault == "knowledge of one's own only" else source[i - 1]
                if self.may_send(known, (i, j), used) and not told <= known[j - 1]:
                    known[j - 1] |= told
                    sent.append((i, j))
                    changed = True
        return known, sent

    def sealable(self, p: Program) -> bool:
        """Whether everybody can come to know enough."""
        match self.fault:
            case "only what is sealed by eps":
                return not self.lacks(self.known(p), self.used(p))
            case "all is sealable":
                return True
            case "connected, as printed":
                return self.is_connected(p)
        return not self.lacks(self.saturated(p)[0], self.used(p))

    def is_connected(self, p: Program) -> bool:
        """Whether the undirected graph of closed channels is connected."""
        closed = self.closed_channels(p)
        group, size = {1}, 0
        while len(group) > size:
            size = len(group)
            group |= {k for c in closed for k in c if group & set(c)}
        return len(group) == len(p)

    def seal(self, p: Program) -> str | None:
        """Messages that tell everybody enough."""
        known, sent = self.saturated(p)
        used = self.used(p)
        if self.lacks(known, used):
            return "eps" if self.fault == "eps where there is none" else None
        match self.fault:
            case "null where eps would do" if not self.lacks(self.known(p), used):
                return None
            case "the messages backwards":
                sent = sent[::-1]
            case "without the last message":
                sent = sent[:-1]
            case "without the first message":
                sent = sent[1:]
            case "each message to the sender":
                sent = [(j, i) for i, j in sent]
            case "all acknowledge":
                sent = [(j, i) for i, j in used if (i, j) not in self.known(p)[i - 1]]
            case "sends without receives":
                return "; ".join(f"snd {i}->{j}" for i, j in sent) or "eps"
            case "all sends first":
                sends = [f"snd {i}->{j}" for i, j in sent]
                return "; ".join([*sends, *(f"rcv {j}<-{i}" for i, j in sent)]) or "eps"
        return "; ".join(f"mt {i}->{j}" for i, j in sent) or "eps"

    def minimal_seal(self, p: Program) -> int | None:
        """By trying all sequences of messages, shorter ones first."""
        used = self.used(p)
        if len(p) >= SLOW_FROM:
            raise NotImplementedError(f"more than {SLOW_FROM - 1} processes")
        if self.lacks(self.saturated(p)[0], used):
            return 0 if self.fault == "0 where there is none" else None
        match self.fault:
            case "whatever saturation sends":
                return len(self.saturated(p)[1])
            case "a message for each open channel":
                known = self.known(p)
                return sum((i, j) not in known[i - 1] for i, j in used)
            case "3n - 4":
                return max(0, 3 * len(p) - 4) if self.lacks(self.known(p), used) else 0
        states, messages = [self.known(p)], 0
        while all(self.lacks(known, used) for known in states):
            states = [after for known in states for after in self.after(known, p, used)]
            messages += 1
        if self.fault == "null for 0":
            return messages or None
        return min(messages, 2) if self.fault == "two are always enough" else messages

    def after(
        self, known: list[set[Channel]], p: Program, used: list[Channel]
    ) -> Iterable[list[set[Channel]]]:
        """What is known after one more message that teaches somebody something."""
        for i, j in self.channels(p):
            if self.may_send(known, (i, j), used) and not known[i - 1] <= known[j - 1]:
                yield [of | known[i - 1] if k == j else of for k, of in enumerate(known, 1)]
