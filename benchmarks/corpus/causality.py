"""Naive implementations of deadlock-free, program-graph and signature: which events are before which.

A *target* is a question that implementations can be tested against.  Each class may have one fault, which its
name selects (`benchmarks.corpus.naive`).
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

Program = list[list[tuple[str, int]]]
Channel = tuple[int, int]
Place = tuple[int, int]
"""The process, and the position in its share, from 0."""


class Events:
    """The base of all targets, with a fault; an empty name means no fault."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def channel(self, place: Place, event: tuple[str, int]) -> Channel:
        """The sender and the receiver."""
        kind, other = event
        own = place[0]
        channel = (own, other) if kind == "snd" else (other, own)
        match self.fault:
            case "channels have no direction":
                return (min(channel), max(channel))
            case "a channel is its sender":
                return (channel[0], 0)
            case "a channel is its receiver":
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
        kept = {
            "only upward channels": lambda c: c[0] < c[1],
            "no channel 3->1": lambda c: c != (3, 1),
            "only channels of neighbours": lambda c: abs(c[0] - c[1]) == 1,
            "no channels of the last process": lambda c: len(p) < 3 or len(p) not in c,
        }
        return list(filter(kept[self.fault], every)) if self.fault in kept else every

    def used(self, p: Program) -> list[Channel]:
        """The channels on which P receives."""
        return [c for c in self.channels(p) if self.on(p, "rcv", c)]


class Running(Events):
    """Targets that run programs."""

    def deadlock_free(self, p: Program) -> bool:
        """The answer, by running the program."""
        at, moved = [0] * len(p), True
        waiting: dict[Channel, int] = {}
        least = 0 if self.fault == "one message is always there" else 1
        taken = 0 if self.fault == "messages stay on their channel" else 1
        while moved:
            moved = False
            for k, share in enumerate(p, 1):
                while at[k - 1] < len(share):
                    kind, other = share[at[k - 1]]
                    channel = self.channel((k, 0), (kind, other))
                    if kind == "rcv" and waiting.get(channel, 0) < least:
                        break
                    waiting[channel] = waiting.get(channel, 0) + (1 if kind == "snd" else -taken)
                    at[k - 1] += 1
                    moved = True
                    if self.fault == "one event a turn, one turn":
                        break
            if self.fault in ("one turn", "one event a turn, one turn"):
                break
            if self.fault == "two turns" and sum(at) > sum(map(len, p)) // 2:
                moved = False
        over = [reached == len(share) for reached, share in zip(at, p, strict=True)]
        match self.fault:
            case "only the first process":
                return over[0]
            case "some process ends":
                return any(over)
            case "balanced is enough":
                return True
        return all(over)


Order = set[tuple[Place, Place]]

FAULTS_IN_A_RUN = (
    "the newest message first",
    "the newest message first, in turns",
    "receives learn what the latest message says",
)
"""Faults that read causality off one run, in which messages overtake."""


class Causality(Events):
    """The program graph and its closure."""

    def message_edges(self, p: Program) -> Order:
        """The edges from the k'th send to the k'th receive of each channel."""
        if self.fault in FAULTS_IN_A_RUN:
            return self.edges_of_a_run(p)
        sends: dict[Channel, list[Place]] = {}
        receives: dict[Channel, list[Place]] = {}
        for place, event in self.places(p).items():
            by = sends if event[0] == "snd" else receives
            by.setdefault(self.channel(place, event), []).append(place)
        edges: Order = set()
        for channel, sent in sends.items():
            edges |= self.matched(sent, receives.get(channel, []))
        return edges

    def edges_of_a_run(self, p: Program) -> Order:
        """The edges of one run, in which receives take the newest message, or learn its content.

        Each process goes on as long as it can. With one of the faults, it does only one event in each turn.
        """
        at, moved = [0] * len(p), True
        waiting: dict[Channel, list[Place]] = {}
        latest: dict[Channel, Place] = {}
        is_taken = self.fault != "receives learn what the latest message says"
        in_turns = self.fault == "the newest message first, in turns"
        edges: Order = set()
        while moved:
            moved = False
            for k, share in enumerate(p, 1):
                for event in share[at[k - 1] :]:
                    place, channel = (k, at[k - 1]), self.channel((k, 0), event)
                    messages = waiting.setdefault(channel, [])
                    if event[0] == "rcv" and not messages:
                        break
                    if event[0] == "rcv":
                        newest = messages.pop()
                        edges.add((newest if is_taken else latest[channel], place))
                    else:
                        messages.append(place)
                        latest[channel] = place
                    at[k - 1] += 1
                    moved = True
                    if in_turns:
                        break
        return edges

    def matched(self, sent: list[Place], received: list[Place]) -> Order:
        """The message edges of one channel."""
        match self.fault:
            case "every send reaches every receive":
                return set(product(sent, received))
            case "the first send reaches every receive":
                return set(product(sent[:1], received))
            case "only the first message":
                sent, received = sent[:1], received[:1]
            case "only the last message":
                sent, received = sent[-1:], received[-1:]
            case "the last message first":
                sent = sent[::-1]
            case "the k'th send reaches the next receive":
                received = received[1:]
            case "the next send reaches the k'th receive":
                sent = sent[1:]
            case "at most two messages":
                sent, received = sent[:2], received[:2]
            case "no message edges":
                sent = []
            case "messages go backwards":
                sent, received = received, sent
        return set(zip(sent, received, strict=False))

    def local_edges(self, p: Program) -> Order:
        """The edges from each event to the next event of its process."""
        if self.fault == "processes have no order":
            return {(e, f) for e, f in product(self.places(p), repeat=2) if e[0] == f[0] and e != f}
        edges = {((k, at), (k, at + 1)) for k, share in enumerate(p, 1) for at in range(len(share) - 1)}
        for kind, event in (("snd", "a send"), ("rcv", "a receive")):
            if self.fault == f"{event} is not ordered after {event}":
                edges = {(e, f) for e, f in edges if {p[x[0] - 1][x[1]][0] for x in (e, f)} != {kind}}
        return edges

    def before(self, p: Program) -> Order:
        """The order of events in every run: the transitive closure of the program graph."""
        edges = self.local_edges(p) | self.message_edges(p)
        match self.fault:
            case "nothing is transitive":
                return edges
            case "two steps at most":
                return edges | self.composed(edges, edges)
            case "four steps at most":
                two = edges | self.composed(edges, edges)
                return two | self.composed(two, two)
            case "causal chains are followed over at most three messages":
                found, messages = self.closure(self.local_edges(p)), self.message_edges(p)
                hop = messages | self.composed(messages, found)
                for _ in range(3):
                    found = found | hop | self.composed(found, hop)
                return found
            case "no chain through a third process":
                found = self.closure(edges)
                return {(e, f) for e, f in found if self.avoids_others(edges, e, f)}
        return self.closure(edges)

    def composed(self, first: Order, second: Order) -> Order:
        """The composition of two relations."""
        return {(e, g) for e, f in first for other, g in second if f == other}

    def closure(self, edges: Order) -> Order:
        """The transitive closure, by a search from each event."""
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
        """Whether some chain from e to f has only events of the processes of e and f."""
        own = {(a, b) for a, b in edges if a[0] in (e[0], f[0]) and b[0] in (e[0], f[0])}
        return (e, f) in self.closure(own)

    def at_or_before(self, order: Order, e: Place, f: Place) -> bool:
        """Whether e is f, or happens before f."""
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


class Graphs(Causality):
    """Targets about the order of events in every run."""

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
        """The graph as an answer."""
        return {"nodes": sorted(set(nodes)), "edges": sorted(map(list, set(edges)))}

    def signature(self, p: Program) -> dict[str, Any]:
        """First sends, last receives and dummy nodes, without the events that closed channels rule out."""
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
        """The signature of the composition, from scratch."""
        if self.fault == "Q before P":
            p, q = q, p
        if self.fault == "only P" or (self.fault == "an empty Q changes all" and not any(q)):
            return self.signature([[] for _ in p] if not any(q) else p)
        return self.signature([a + b for a, b in zip(p, q, strict=True)])
