"""The targets program-graph, signature and signature-compose, naively."""

from collections.abc import Iterable
from itertools import product
from typing import Any

from sealcheck.differential.corpus.naive.causality import Causality
from sealcheck.differential.corpus.naive.events import Channel, Place, Program


class Graphs(Causality):
    """By what happens before what."""

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
