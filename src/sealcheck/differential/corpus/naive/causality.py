"""What happens before what, in every run."""

from itertools import product

from sealcheck.differential.corpus.naive.events import Channel, Events, Place, Program

Order = set[tuple[Place, Place]]

FAULTS_IN_A_RUN = (
    "the newest message first",
    "the newest message first, in turns",
    "receives learn what the latest message says",
)
"""What is wrong if causality is read off one run, in which messages overtake."""


class Causality(Events):
    """The program graph and its closure."""

    def message_edges(self, p: Program) -> Order:
        """From the k'th send to the k'th receive of a channel."""
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
        """Those of one run, in which receives take the newest message, or learn what it says.

        Each process goes on as long as it can, or does one event when it is its turn.
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
            case "causal chains are followed over at most three messages":
                return self.over_three_messages(p)
            case "no chain through a third process":
                found = self.closure(edges)
                return {(e, f) for e, f in found if self.avoids_others(edges, e, f)}
        return self.closure(edges)

    def over_three_messages(self, p: Program) -> Order:
        """Pairs that are joined by a chain of at most so many messages."""
        found, messages = self.closure(self.local_edges(p)), self.message_edges(p)
        hop = messages | self.composed(messages, found)
        for _ in range(3):
            found = found | hop | self.composed(found, hop)
        return found

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
