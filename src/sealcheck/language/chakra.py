"""Chakra execution traces: the communications of each rank of a training job.

The nodes of a rank form a graph.  A node starts when all nodes that it depends on have ended.  A send and a
receive match if they have the same ranks (``comm_src``, ``comm_dst``) and tag (``comm_tag``).  The
ranks of a ``pg_name`` are those that use this name in a collective.  All of them take part in each collective
with this name.  In a collective without a ``pg_name``, all ranks of the job take part.

**Order.** If the dependencies order all communications of a rank, the communications happen in this order.
If not, they are ordered by the recorded times.  A send happens when its node starts.  A receive or a
collective is complete when its node ends.  The assumption *recorded-order* says that the order by times is
right.  If the times are needed, but this assumption is switched off, the trace is refused.  It is also
refused if the times do not order two communications.

**Layers** are the parts of the program that must not exchange messages.  The user names regions, and each
entry of a named region begins a layer.  A communication enters two regions: one has the name of its node,
and one has the name of its operation, such as ``barrier``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.language import recordings
from sealcheck.language.chakra_files import Node
from sealcheck.language.recordings import Assumption, Assumptions
from sealcheck.words import harmless

CHAKRA = recordings.Recorder(
    over_ports="it is an execution trace of Chakra",
    transport="",
    world="world",
    place="node",
    called=str.lower,
    left_open="{} is from any source, which Chakra does not record",
)

_SEND, _RECEIVE, _COLLECTIVE = "COMM_SEND", "COMM_RECV", "COMM_COLL"
_COMMUNICATIONS = {_SEND: "send", _RECEIVE: "recv", _COLLECTIVE: ""}
_COLLECTIVES = (
    *(("all_reduce", "ALLREDUCE"), ("reduce", "REDUCE"), ("all_gather", "ALLGATHER"), ("gather", "GATHER")),
    *(("scatter", "SCATTER"), ("broadcast", "BCAST"), ("all_to_all", "ALLTOALLV")),
    *(("reduce_scatter", "REDUCE_SCATTER"), ("reduce_scatter_block", "REDUCE_SCATTER_BLOCK")),
    ("barrier", "BARRIER"),
)
"""For each ``comm_type``: its region, and the MPI collective in which ranks wait in the same way.

Which ranks wait for which depends on the root of a collective, and on the empty parts of an all-to-all.
Chakra records neither.  So it is assumed that no rank waits in an all-to-all, or in a collective with a root.
"""
_READ = {"comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name"}
_UNREAD = {"comm_priority"}
_DIMENSIONS = "involved_dim"


class _Point(NamedTuple):
    """The start or the end of a communication.  Points sort by time; at equal times, starts are first."""

    time: int
    is_end: bool
    group: str
    """The process group of a collective; empty for sends and receives."""
    id: int


def recorded_traces(ranks: Sequence[Iterable[Node]], assuming: Assumptions) -> recordings.Recording:
    """The recording of a job, given the nodes of each rank.  Raises InputError, with the rank.

    O(m + k log k) for m nodes and dependencies, of which k are communications.
    """
    graphs = [_Graph(f"rank{rank}", nodes) for rank, nodes in enumerate(ranks)]
    users: defaultdict[str, list[int]] = defaultdict(list)
    for rank, graph in enumerate(graphs):
        for group in sorted({graph.group(node) for node in graph.communications if node.type == _COLLECTIVE}):
            users[group].append(rank)
    everyone = tuple(range(len(graphs)))
    names = [CHAKRA.world, *sorted(group for group in users if group)]
    numbers = {"": 0} | {name: number for number, name in enumerate(names) if number}
    communicators = {
        number: recordings.Communicator(name, tuple(users[name]) if number else everyone)
        for number, name in enumerate(names)
    }
    assumed: set[tuple[Assumption, str]] = set()
    events: list[list[recordings.MpiEvent]] = []
    for rank, graph in enumerate(graphs):
        if (ordered := graph.by_dependencies()) is None:
            ordered = graph.by_times(assuming)
            assumed.add((Assumption.RECORDED, f"rank{rank}"))
        events.append([event for step in ordered for event in _events(rank, graph, step, numbers)])
    return recordings.Recording(communicators, events, CHAKRA, frozenset(assumed))


class _Step(NamedTuple):
    node: Node
    starts: bool
    is_over: bool


class _Graph:
    """The graph of a rank's nodes.  Raises InputError if it is malformed."""

    def __init__(self, rank: str, nodes: Iterable[Node]) -> None:
        self._rank = rank
        self._needs: dict[int, Sequence[int]] = {}
        self._communications: dict[int, Node] = {}
        self._followers: defaultdict[int, list[int]] = defaultdict(list)
        self._tied: tuple[Node, Node] | None = None
        """Two communications that the dependencies do not order, if there are any."""
        for node in nodes:
            if node.id in self._needs:
                raise self.wrong(node, "another node has this id")
            if node.type == "INVALID":
                raise self.wrong(node, "it has no type, so it could be a communication")
            self._needs[node.id] = node.needs
            for other in node.needs:
                self._followers[other].append(node.id)
            if node.type in _COMMUNICATIONS:
                self._require_known(node)
                self._communications[node.id] = node
        for id, needs in self._needs.items():
            if missing := [other for other in needs if other not in self._needs]:
                raise InputError(f"{rank}, node {id}: it needs the node {missing[0]}, which is missing")

    @property
    def communications(self) -> Iterable[Node]:
        """The nodes that send, receive, or take part in a collective."""
        return self._communications.values()

    def group(self, node: Node) -> str:
        """The process group of a collective; empty for all ranks.  Raises InputError."""
        name = node.attributes.get("pg_name", "")
        if not isinstance(name, str):
            raise self.wrong(node, "'pg_name' must be a string")
        return name

    def number(self, node: Node, key: str, otherwise: int | None = None) -> int:
        """The value of an attribute.  Raises InputError if it is not a whole number, at least 0."""
        found = node.attributes.get(key, otherwise)
        if not isinstance(found, int) or found < 0:
            raise self.wrong(node, f"it must have the attribute '{key}', a number from 0")
        return found

    def wrong(self, node: Node, why: str) -> InputError:
        """An error about a node."""
        return InputError(f"{self._rank}, node {node.id}: {why}")

    def by_dependencies(self) -> list[_Step] | None:
        """The communications in the order of dependencies; None if dependencies do not order all of them."""
        longest: dict[int, int] = {}
        ordered: list[_Step] = []
        at: dict[int, Node] = {}
        for id in self._from_first_to_last():
            length = max((longest[other] for other in self._needs[id]), default=0)
            if node := self._communications.get(id):
                length += 1
                if length in at and self._tied is None:
                    self._tied = at[length], node
                at[length] = node
                ordered.append(_Step(node, starts=True, is_over=True))
            longest[id] = length
        # A chain through all of them is one in which each has a place of its own.
        return None if self._tied else ordered

    def by_times(self, assuming: Assumptions) -> list[_Step]:
        """The starts and ends of communications by time.  Raises InputError if two of them have no order."""
        assert self._tied is not None, "dependencies order them"
        one, other = self._tied
        if Assumption.RECORDED not in assuming or not any(node.start for node in self.communications):
            raise self._without_order(one, other, "neither needs the other")
        ordered: list[_Step] = []
        waiting: list[_Point] = []
        last = 0
        sorter = TopologicalSorter(self._needs)
        sorter.prepare()
        while sorter.is_active():
            while ready := sorter.get_ready():
                for id in ready:
                    if node := self._communications.get(id):
                        heappush(waiting, self._point(node, is_end=False))
                    else:
                        sorter.done(id)
            if not waiting:
                break
            point = heappop(waiting)
            node = self._communications[point.id]
            if point.time < last:
                raise self.wrong(node, "by their times, it starts before the end of a node that it needs")
            last = point.time
            self._require_alone(point, waiting)
            is_over = point.is_end or node.type == _SEND
            ordered.append(_Step(node, starts=not point.is_end, is_over=is_over))
            if is_over:
                sorter.done(node.id)
            else:
                heappush(waiting, self._point(node, is_end=True))
        return ordered

    def _from_first_to_last(self) -> Iterator[int]:
        """All nodes, each after the nodes that it needs.  Raises InputError if there is a cycle."""
        open = {id: len(needs) for id, needs in self._needs.items()}
        ready = [id for id, count in open.items() if not count]
        done = 0
        while ready:
            id = ready.pop()
            done += 1
            yield id
            for follower in self._followers[id]:
                open[follower] -= 1
                if not open[follower]:
                    ready.append(follower)
        if done < len(open):
            id = next(id for id, count in open.items() if count)
            raise InputError(
                f"{self._rank}, node {id}: it depends on itself, or on nodes that depend on each other"
            )

    def _point(self, node: Node, *, is_end: bool) -> _Point:
        group = self.group(node) or CHAKRA.world if node.type == _COLLECTIVE else ""
        return _Point(node.start + node.duration * is_end, is_end, group, node.id)

    def _require_alone(self, point: _Point, others: Sequence[_Point]) -> None:
        """Raise InputError if another point has the same time, and the order of the two matters."""
        if others and others[0][:2] == point[:2]:
            is_same_group = point.group and others[0].group == point.group
            if point.is_end or is_same_group:
                one, other = (self._communications[each.id] for each in (point, others[0]))
                when = f"they {'end' if point.is_end else 'start'} at the same time"
                raise self._without_order(one, other, f"{when}, and neither needs the other")

    def _without_order(self, one: Node, other: Node, why: str) -> InputError:
        first, second = sorted((one, other))
        return self.wrong(first, f"it has no order with the node {second.id}: {why}")

    def _require_known(self, node: Node) -> None:
        """Raise InputError for an attribute that may change which ranks take part."""
        for name in node.attributes:
            if name.startswith("comm") and name not in _READ | _UNREAD:
                raise self.wrong(node, f"the attribute '{harmless(name[:40])}' is not supported")
        if node.attributes.get(_DIMENSIONS, 1) != 1:
            raise self.wrong(node, f"'{_DIMENSIONS}' must be true for all dimensions")


def _events(rank: int, graph: _Graph, step: _Step, numbers: dict[str, int]) -> Iterator[recordings.MpiEvent]:
    node, starts, is_over = step
    is_both = starts and is_over
    request = None if is_both else node.id
    if starts:
        kind = graph.number(node, "comm_type") if node.type == _COLLECTIVE else 0
        if kind >= len(_COLLECTIVES):
            raise graph.wrong(node, f"there is no collective with the 'comm_type' {kind}")
        operation = _COMMUNICATIONS[node.type] or _COLLECTIVES[kind][0]
        yield from (recordings.Enter(node.id, region) for region in dict.fromkeys((node.name, operation)))
    if node.type == _COLLECTIVE:
        if starts:
            yield recordings.Begin(node.id) if is_both else recordings.Post(node.id, node.id)
        if is_over:
            data = graph.number(node, "comm_size", otherwise=1)
            operation = _COLLECTIVES[graph.number(node, "comm_type")][1]
            yield recordings.End(node.id, operation, numbers[graph.group(node)], None, data, data, request)
        return
    own, other = ("comm_src", "comm_dst") if node.type == _SEND else ("comm_dst", "comm_src")
    if graph.number(node, own, otherwise=rank) != rank:
        raise graph.wrong(node, f"its '{own}' is another rank")
    peer, tag = graph.number(node, other), graph.number(node, "comm_tag", otherwise=0)
    if node.type == _SEND:
        yield recordings.Send(node.id, peer, 0, tag)
        return
    if starts and not is_both:
        yield recordings.Post(node.id, node.id)
    if is_over:
        yield recordings.Receive(node.id, peer, 0, tag, request)
