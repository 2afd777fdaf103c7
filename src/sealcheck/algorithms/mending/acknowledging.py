"""Find acknowledgments that keep layers over ports apart.

*Layers* are programs that each process runs one after the other. A *port* holds messages until its *reader*,
a process, receives them. A port is a *root cause* if, in some run, the first receive that takes a message of
another layer or round is on this port.

An *acknowledgment* is a message from which a sender learns that a receive is over. Acknowledgments are
inserted right after a layer, as a layer of their own, on channels that no layer uses or with a tag of their
own. A *plan* lists the acknowledgments after each layer. The search has four steps:

1. Find a run in which a receive takes a message of another layer or round, and add a message that prevents
   this run. Repeat this until there is no such run.
2. If step 1 fails, try two other plans (`directly` and `by_hub` of `Acknowledging`).
3. Leave out messages that are not needed.
4. Try all plans that are shorter than the plan found, shortest first, as far as the time allows.

If no layer has tags, the search first uses channels that no layer uses. If it finds no plan, or if its plan
may not be the shortest, it searches again, for acknowledgments with a tag of their own.

Step 4 begins at a lower bound on the number of messages (`at_least_needed`). The bound follows from two
arguments about a layer's last receive r on a root cause:

- **Who must be told.** Suppose that a process can finish the layer without r, and that it can send to the
  port before its next receive. Suppose also that r can take this message. Only an acknowledgment can make
  this process wait, so the process must receive one.
- **Who must tell.** Suppose that, after r, the reader sends nothing before some process sends, in a later
  layer, a message that r can take. Then this send does not depend on r. To make it depend on r, the reader
  must send an acknowledgment.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, takewhile
from typing import NamedTuple

from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.ports import Hold, PortDecision, decide_ports
from sealcheck.errors import LimitReached
from sealcheck.programs.ports import Port, PortEvent, PortProgram
from sealcheck.programs.protocol import Expression, PortPhases, Protocol
from sealcheck.programs.straight_line import Kind

MOST_ROUNDS = 4
"""The most rounds in which `directly` adds messages."""
MOST_AT_ONCE = 1_000_000
"""The largest cost for which `directly` is tried: events times processes."""
MOST_WORK = 100_000
"""The largest cost of a search for a remedy: events times processes times decisions."""
ACKNOWLEDGING = "ack"
"""The tag of acknowledgments. If the layers use this tag, underscores are appended."""

Plan = dict[int, list[tuple[int, int]]]
"""For each layer, by its index: the messages after it, as pairs of sender and receiver, in order."""


def cost(about: PortPhases) -> int:
    """The cost of a decision, in the unit of `MOST_WORK`."""
    return about.n * sum(len(share) for layer in about.layers for share in layer.shares)


def acknowledgments(decision: PortDecision) -> tuple[tuple[PortProgram, ...] | None, int]:
    """Sufficient acknowledgments, as a program after each layer; and a lower bound on their messages.

    The first result is None if no sufficient acknowledgments are found. `MOST_WORK` bounds each of the two
    searches, without a tag and with one.

    >>> from sealcheck.language.ports import parse_layers
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(1, repeat=True))
    >>> found, at_least = acknowledgments(decide_ports(about))
    >>> [str(each) for each in found], at_least
    (['rcv 1<-2:ack; snd 2->1:ack; mt 2->3:ack'], 2)
    """
    search = Acknowledging(decision.about)
    plan, at_least = _planned_for(decision, search)
    if not search.tag and (plan is None or at_least_needed(decision) < _size(plan)):
        tagged = Acknowledging(decision.about, has_own_tag=True)
        other, at_least = _planned_for(decision, tagged)
        if other is not None and (plan is None or _size(other) < _size(plan)):
            search, plan = tagged, other
        at_least = at_least if plan is None else min(at_least, _size(plan))
    return None if plan is None else search.programs(plan), at_least


def _planned_for(decision: PortDecision, search: "Acknowledging") -> tuple[Plan | None, int]:
    """A sufficient plan, or None; and a lower bound on the messages of any plan on the search's channels."""
    if any(decision.about.guarantee(found.port).duplicating for found in decision.interfering):
        return None, 0
    if not search.moves:
        return None, 0
    found = [_if_known(search.greedy, decision)]
    if found == [None]:
        found = [_if_known(search.directly, decision), search.by_hub()]
    plan = search.pruned(min((each for each in found if each), key=_size, default=None))
    size = _size(plan) if plan else 1 << 30
    at_least = at_least_needed(decision)
    while at_least < size and (number := len(search.moves) ** at_least) <= search.tries:
        search.tries -= number
        for moves in product(search.moves, repeat=at_least):
            if search.is_enough(shorter := planned(moves)):
                return shorter, at_least
        if search.is_unsure:
            break
        at_least += 1
    return plan, min(at_least, size)


def _if_known(search: Callable[[PortDecision], Plan | None], decision: PortDecision) -> Plan | None:
    """The plan that a search finds. None if it finds no plan, or if layers are too large to decide."""
    try:
        return search(decision)
    except LimitReached:
        return None


def at_least_needed(decision: PortDecision) -> int:
    """A lower bound on the messages of every sufficient plan.

    Each process in `to_be_told` must receive a message, and each process in `to_tell` must send one.
    O(processes * layers) for each layer and port.
    """
    return max(1, len(to_be_told(decision)), len(to_tell(decision)))


def to_tell(decision: PortDecision) -> set[int]:
    """The readers that must send an acknowledgment ("Who must tell" in the module's docstring)."""
    about = decision.about
    wrong = {found.port for found in decision.interfering}
    found: set[int] = set()
    for hold in decision.analysis.holds:
        reader = hold.port.reader
        share = about.resolved[hold.layer][reader - 1]
        if hold.port in wrong and reader not in found and not _sends(share[hold.receive.position :]):
            late = {sender for sender in about.may_send(hold.port) if hold.fits(sender)}
            found |= {reader} if late and _stays_silent(about, hold, late) else set()
    return found


def _sends(events: Sequence[tuple[Port, Kind]]) -> bool:
    return any(kind is Kind.SEND for _, kind in events)


def _stays_silent(about: PortPhases, hold: Hold, late: set[int]) -> bool:
    """Whether the reader may send nothing until a process in `late` sends to the port in a later layer."""

    def is_silent(layer: int) -> bool:
        return not _sends(about.resolved[layer][hold.port.reader - 1])

    def is_sent_to(layer: int) -> bool:
        shares = about.resolved[layer]
        return is_silent(layer) and any((hold.port, Kind.SEND) in shares[sender - 1] for sender in late)

    return _comes_to(about, hold.layer, is_sent_to, is_silent)


def _comes_to(
    about: PortPhases, start: int, is_wanted: Callable[[int], bool], passes: Callable[[int], bool]
) -> bool:
    """Whether some word leads from the layer `start` to a wanted layer, through layers that `passes` accepts.

    If anything may follow, the end of a word counts as a wanted layer.
    """
    going = [at for at, layer in enumerate(about.protocol.layers) if layer == start]
    seen = set[int]()
    while going:
        here = going.pop()
        if about.open and here in about.protocol.last:
            return True
        for following in set(about.protocol.follow[here]) - seen:
            seen.add(following)
            layer = about.protocol.layers[following]
            if is_wanted(layer):
                return True
            if passes(layer):
                going.append(following)
    return False


def to_be_told(decision: PortDecision) -> set[int]:
    """The processes that must receive an acknowledgment ("Who must be told" in the module's docstring)."""
    about = decision.about
    wrong = {found.port for found in decision.interfering}
    starts = [_Start.of(layer) for layer in about.resolved]
    found: set[int] = set()
    for hold in decision.analysis.holds:
        for sender in about.may_send(hold.port) if hold.port in wrong else ():
            if sender not in found and hold.fits(sender) and not hold.blocked >> sender - 1 & 1:
                found |= {sender} if _runs_ahead(about, starts, hold, sender) else set()
    return found


class _Start(NamedTuple):
    """How each process begins a layer."""

    sends: tuple[frozenset[Port], ...]
    """For each process, the ports to which it sends before it receives."""
    receives: tuple[bool, ...]
    """For each process, whether it receives at all."""

    @classmethod
    def of(cls, layer: Sequence[Sequence[tuple[Port, Kind]]]) -> "_Start":
        """The starts of all processes in a layer."""
        before = [list(takewhile(lambda event: event[1] is Kind.SEND, share)) for share in layer]
        lengths = zip(before, layer, strict=True)
        return cls(
            tuple(frozenset(port for port, _ in sends) for sends in before),
            tuple(len(sends) < len(share) for sends, share in lengths),
        )


def _runs_ahead(about: PortPhases, starts: Sequence[_Start], hold: Hold, sender: int) -> bool:
    """Whether the sender can send to the port after the hold's layer, before it receives anything."""
    return _comes_to(
        about,
        hold.layer,
        lambda layer: hold.port in starts[layer].sends[sender - 1],
        lambda layer: not starts[layer].receives[sender - 1],
    )


def _size(plan: Plan) -> int:
    return sum(map(len, plan.values()))


Move = tuple[int, int, int]
"""The index of a layer, and the sender and receiver of a message after it."""


def planned(moves: Sequence[Move]) -> Plan:
    """The plan with these messages, in order."""
    plan: Plan = {}
    for layer, sender, receiver in moves:
        plan.setdefault(layer, []).append((sender, receiver))
    return plan


@dataclass
class Acknowledging:
    """The search for acknowledgments."""

    about: PortPhases
    has_own_tag: bool = False
    """Whether acknowledgments have a tag of their own even if no layer has tags. They may then use each
    channel, so no plan without this tag has fewer messages than the fewest with it.
    """
    tries: int = field(init=False)
    is_unsure: bool = field(init=False, default=False)
    """Whether layers with some plan were too large to decide."""

    def __post_init__(self) -> None:
        self.tries = MOST_WORK // max(100, cost(self.about))

    @cached_property
    def tag(self) -> str:
        """The tag of acknowledgments. Empty if no layer has tags or receives from any source, except with
        `has_own_tag`.
        """
        tags = {event.tag for layer in self.about.layers for event in layer.events}
        if not self.has_own_tag and tags <= {""} and all(port.sender for port in self.about.used):
            return ""
        tag = ACKNOWLEDGING
        while tag in tags:
            tag += "_"
        return tag

    @cached_property
    def channels(self) -> list[tuple[int, int]]:
        """The channels that acknowledgments may use."""
        pairs = [(i, j) for i in range(1, self.about.n + 1) for j in range(1, self.about.n + 1) if i != j]
        return [(i, j) for i, j in pairs if Port(j, i, self.tag) not in self.about.used]

    @cached_property
    def boundaries(self) -> list[int]:
        """The layers that another layer, or another program, may follow."""
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
        """All messages that a plan may add."""
        return [(layer, i, j) for layer in self.boundaries for i, j in self.channels]

    def programs(self, plan: Plan) -> tuple[PortProgram, ...]:
        """The acknowledgments after each layer, as programs."""
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
        """The layers with the acknowledgments of the plan."""
        count = len(self.about.layers)

        def inserted(node: Expression) -> Expression:
            if isinstance(node, int):
                return ("then", node, count + node) if plan.get(node) else node
            return (node[0], *map(inserted, node[1:]))  # type: ignore[arg-type]

        return replace(
            self.about,
            layers=(*self.about.layers, *self.programs(plan)),
            called=(),
            protocol=Protocol.of(inserted(self.about.protocol.expression)),
        )

    def wrong(self, plan: Plan) -> list[PortInterferes]:
        """The root causes that remain with the plan.

        Programs that follow all layers may interfere with acknowledgments. No plan can prevent that, so this
        interference does not count. Raises LimitReached if the layers with the plan are too large to decide.
        """
        mended, used = self.mended(plan), self.about.used
        found = decide_ports(mended).interfering
        of_layers = [each for each in found if each.port in used]
        if any(each.later for each in found):  # without a later program, the same port may have a longer run
            found = decide_ports(replace(mended, open=False)).interfering
        return of_layers + [each for each in found if each.port not in used]

    def is_enough(self, plan: Plan) -> bool:
        """Whether the layers stay apart with this plan. False also if they are too large to decide."""
        try:
            return not self.wrong(plan)
        except LimitReached:
            self.is_unsure = True
            return False

    def greedy(self, decision: PortDecision) -> Plan | None:
        """A plan made step by step, or None.

        Each step takes a run in which a receive takes another layer's message. The step adds a message from
        the reader to the sender of the message that is taken.
        """
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
        """A plan made in a few rounds, or None if it is not enough or would take too long.

        In each round, readers send messages to all processes whose messages can be taken wrongly.
        """
        if cost(self.about) > MOST_AT_ONCE:
            return None
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
        """The index of the last layer in a run's word, up to position `at`, that is not a layer of
        acknowledgments. None if there is no such layer.
        """
        layers = [found.about.protocol.layers[each] for each in found.word[: at + 1]]
        return next((each for each in reversed(layers) if each < len(self.about.layers)), None)

    def by_hub(self) -> Plan | None:
        """A plan with a hub, or None: after each layer, all processes tell the hub, and the hub tells all."""
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
        """A breadth-first tree from the hub."""
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
        """The plan without unnecessary messages, as far as the time allows."""
        if plan is None:
            return None
        for layer in [*plan]:
            for number in reversed(range(len(plan[layer]))):
                self.tries -= 1
                fewer = plan | {layer: plan[layer][:number] + plan[layer][number + 1 :]}
                if self.tries >= 0 and self.is_enough(fewer):
                    plan = fewer
        return plan
