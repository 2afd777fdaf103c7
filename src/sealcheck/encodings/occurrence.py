"""The definition of "a program occurs over an interval of a run" as a formula, clause by clause.

An interval is the part of a run between two cuts c and d. A cut says how many events each process has
performed. The *shape* of the interval consists of the events of each process in the interval. The shape is
given: it follows one path of a program, with repetitions unrolled. The solver chooses values, the matching,
the order, and a few events outside the interval.

**Which outside events matter.** An outside event matters in three cases:

- It is matched with an event inside.
- It is matched with an event on the other side of the interval.
- It sends a message that is never received, and a silent cut requires empty channels (`CutReading.EMPTY`).

All other outside events can be left out of a run. Then receives stay matched, and happens-before only loses
pairs. FIFO order is kept, because it is a condition on pairs of messages. Every cut of the interval is silent
exactly if it was silent with these events. So the same programs occur over the interval.

**How many outside events are enough.** An event inside is matched at most once. So for each event inside, one
partner before the interval and one after it are enough. A message that is neither sent nor received inside
matters only to silent cuts. A silent cut asks whether some message crosses it or is lost. So three such
messages are enough on each channel:

- `across`: sent before the interval and received after it.
- `back`: received before the interval and sent after it. This is possible because c and d may be any cuts.
- A lost message.

**When outside events happen.** Outside events can be moved to the following times, because this only removes
pairs from happens-before (`earliest`, `latest`):

- earlier sends: first of all;
- earlier receives: right before the cut c;
- later sends: right after the cut d;
- later receives: last.

Events of one kind are ordered so that FIFO order is kept (`rank`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, INT, LT, TRUE, And, Equals, Implies, Int, Ite, Not, Or, Plus, Symbol, Times

from sealcheck.encodings import given as fifo
from sealcheck.encodings.runs import at_most_one
from sealcheck.errors import LimitReached
from sealcheck.programs import syntax
from sealcheck.programs.runs import Frontier, Place
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel, Event, channels, rcv, snd
from sealcheck.programs.syntax import Program

Statement = syntax.Assignment | syntax.Send | syntax.Receive

Shape = tuple[tuple[Event | None, ...], ...]
"""For each process, the events that it performs in the interval. None stands for an internal event."""


@dataclass(frozen=True)
class Outside:
    """An event before or after the interval."""

    name: str
    event: Event
    earlier: bool

    @property
    def process(self) -> int:
        """The process that performs it."""
        return self.event.process


End = Place | Outside
"""A send or a receive, inside or outside the interval."""


@dataclass(frozen=True)
class Match:
    """A receive and a send that may be matched."""

    name: str
    channel: Channel
    receive: End
    send: End

    @property
    def symbol(self) -> FNode:
        """The condition that they are matched."""
        return Symbol(f"match:{self.name}")

    def crosses(self, c: Frontier) -> bool:
        """Whether exactly one of the two events comes before the cut."""
        return is_inside(self.receive, c) != is_inside(self.send, c)


def is_inside(end: End, c: Frontier) -> bool:
    """Whether an event comes before a cut of the interval."""
    return end.earlier if isinstance(end, Outside) else end.position <= c[end.process - 1]


def possible_matches(shape: Shape, channels: Sequence[Channel]) -> Iterator[Match]:
    """All possible matches in an interval of this shape and around it.

    >>> from sealcheck.programs.straight_line import mt
    >>> send, receive = mt(1, 2)
    >>> [match.name for match in possible_matches(((send,), (receive,)), [send.channel])]
    ['earlier:1.1', 'later:1.1', 'earlier:2.1', 'later:2.1', '2.1=1.1', 'across1->2', 'back1->2']
    """
    communicating = [
        (Place(process, position), event)
        for process, share in enumerate(shape, 1)
        for position, event in enumerate(share, 1)
        if event is not None
    ]
    for place, event in communicating:
        for when, earlier in (("earlier", True), ("later", False)):
            i, j = event.channel
            partner = Outside(f"{when}:{named(place)}", rcv(j, i) if event.is_send else snd(i, j), earlier)
            receive, send = (partner, place) if event.is_send else (place, partner)
            yield Match(partner.name, event.channel, receive, send)
        for other, sent in communicating:
            if not event.is_send and sent.is_send and sent.channel == event.channel:
                yield Match(f"{named(place)}={named(other)}", event.channel, place, other)
    for i, j in channels:
        for name, sent_earlier in (("across", True), ("back", False)):
            receiving = Outside(f"{name}:r{i}->{j}", rcv(j, i), not sent_earlier)
            sending = Outside(f"{name}:s{i}->{j}", snd(i, j), sent_earlier)
            yield Match(f"{name}{i}->{j}", Channel(i, j), receiving, sending)


def lost_send(channel: Channel) -> Outside:
    """The send, before the interval, of a message that is never received."""
    return Outside(f"lost{channel}", snd(*channel), True)


def rank(end: End) -> tuple[int, int]:
    """A key that sorts the events of a process: before, in, and after the interval."""
    if isinstance(end, Outside):
        return (0, 0) if end.earlier else (2, 0)
    return 1, end.position


def earliest(send: End) -> str | None:
    """The time of `send`. For a send before the interval: None; for one after it: the time of d."""
    if isinstance(send, Outside):
        return None if send.earlier else f"d{send.process}"
    return named(send)


def latest(receive: End) -> str | None:
    """The time of `receive`. For a receive before the interval: the time of c; for one after it: None."""
    if isinstance(receive, Outside):
        return f"c{receive.process}" if receive.earlier else None
    return named(receive)


def named(place: Place) -> str:
    """The name of a place of the interval."""
    return f"{place.process}.{place.position}"


MOST_SHAPES = 2_000
"""The largest number of shapes that are tried."""


def shapes(program: Program, n: int, unroll: int) -> set[Shape]:
    """The shapes of all paths of a program over processes 1..n, with up to `unroll` iterations.

    Iterations without events are left out, because they would only add conditions. Raises LimitReached if
    there are more than `MOST_SHAPES` shapes.

    >>> from sealcheck.language.parser import parse
    >>> [len(shapes(parse(text), 2, unroll=3)) for text in ("mt 1->2", "mt 1->2 + eps", "(mt 1->2)*")]
    [1, 2, 4]
    """
    match program:
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            process, event = performed(program)
            return {tuple((event,) if k == process else () for k in range(1, n + 1))}
        case syntax.Layering(parts):
            found = {_nothing(n)}
            for part in parts:
                found = _joined(found, shapes(part, n, unroll))
            return found
        case syntax.Choice(alternatives):
            return _limited(s for alternative in alternatives for s in shapes(alternative, n, unroll))
        case syntax.Repetition(body):
            once = shapes(body, n, unroll) - {_nothing(n)}
            found, latest = {_nothing(n)}, {_nothing(n)}
            for _ in range(unroll):
                latest = _joined(latest, once)
                found = _limited([*found, *latest])
            return found
        case syntax.Eps() | syntax.Guard() | syntax.Cut():
            return {_nothing(n)}
        case _:
            assert_never(program)


def _nothing(n: int) -> Shape:
    return ((),) * n


def performed(statement: Statement) -> tuple[int, Event | None]:
    """The process that performs a statement, and the event; None for an internal event."""
    match statement:
        case syntax.Assignment(target):
            return target.process, None
        case syntax.Send(sender, receiver):
            return sender, snd(sender, receiver)
        case syntax.Receive(receiver, sender):
            return receiver, rcv(receiver, sender)
        case _:
            assert_never(statement)


def _joined(firsts: set[Shape], seconds: set[Shape]) -> set[Shape]:
    return _limited(
        tuple(a + b for a, b in zip(first, second, strict=True)) for first in firsts for second in seconds
    )


def _limited(found: Iterable[Shape]) -> set[Shape]:
    limited: set[Shape] = set()
    for shape in found:
        limited.add(shape)
        if len(limited) > MOST_SHAPES:
            raise LimitReached(f"the program has more than {MOST_SHAPES} kinds of paths")
    return limited


Variables = tuple[tuple[int, tuple[str, ...]], ...]
"""Processes with the names of their variables."""


class SymbolicInterval:
    """The symbolic run around an interval of a given shape, and formulas for programs that occur over it.

    Source: the semantics of programs, in section 2.2.
    """

    def __init__(
        self, shape: Shape, variables: Variables, semantics: Semantics = PAPER, *, starts_silent: bool = False
    ) -> None:
        """Lay out the events. If `starts_silent`, no message crosses the start of the interval."""
        self.shape, self.variables, self.semantics = shape, dict(variables), semantics
        self.processes = range(1, len(shape) + 1)
        self.start: Frontier = (0,) * len(shape)
        self.end: Frontier = tuple(map(len, shape))
        used = {event.channel for share in shape for event in share if event is not None}
        self.channels = sorted({*channels(len(shape), self_channels=semantics.self_channels), *used})
        self.places = [Place(p, k) for p in self.processes for k in range(1, len(shape[p - 1]) + 1)]
        every = possible_matches(shape, self.channels)
        self.matches = [match for match in every if not (starts_silent and match.crosses(self.start))]
        self._ends: dict[tuple[Program, Frontier], dict[Frontier, FNode]] = {}

    def event(self, place: Place) -> Event | None:
        """The event at a place of the interval."""
        return self.shape[place.process - 1][place.position - 1]

    def lost(self, channel: Channel) -> FNode:
        """The condition that a message sent on the channel before the interval is never received."""
        return Symbol(f"lost{channel}")

    def state(self, process: int, position: int, name: str) -> FNode:
        """The value of a variable after `position` events of the process in the interval."""
        return Symbol(f"state:{process}.{position}.{name}", INT)

    def content(self, place: Place) -> FNode:
        """The content of the message that is sent or received at that place."""
        return Symbol(f"content:{named(place)}", INT)

    def time(self, of: str) -> FNode:
        """The time of an event inside (``2.1``), or of the moment when a process reaches a cut (``c2``)."""
        return Symbol(f"time:{of}", INT)

    @cached_property
    def axioms(self) -> tuple[FNode, ...]:
        """The condition that this is a run of the model."""
        into: dict[Place, list[FNode]] = {place: [] for place in self.places}
        for match in self.matches:
            for end in (match.receive, match.send):
                if isinstance(end, Place):
                    into[end].append(match.symbol)
        receives = [place for place in self.places if (event := self.event(place)) and not event.is_send]
        return (
            *(Or(into[place]) for place in receives),
            *map(at_most_one, into.values()),
            *self._local_order(),
            *self._messages(),
            # Without variables, no condition depends on received values.
            *(self._contents() if self.variables else ()),
            *self._in_model(),
        )

    def _in_model(self) -> Iterator[FNode]:
        match self.semantics.model:
            case ChannelModel.REL:
                pass
            case ChannelModel.REL_FIFO:
                for channel in self.channels:
                    yield from self._fifo(channel)
            case other:
                assert_never(other)

    def _local_order(self) -> Iterator[FNode]:
        for process, events in zip(self.processes, self.shape, strict=True):
            inside = [f"{process}.{position}" for position in range(1, len(events) + 1)]
            line = map(self.time, [f"c{process}", *inside, f"d{process}"])
            yield from (LT(first, second) for first, second in pairwise(line))

    def _messages(self) -> Iterator[FNode]:
        for match in self.matches:
            sent, received = earliest(match.send), latest(match.receive)
            if sent is not None and received is not None:
                yield Implies(match.symbol, LT(self.time(sent), self.time(received)))

    def _contents(self) -> Iterator[FNode]:
        for match in self.matches:
            if isinstance(match.receive, Place) and isinstance(match.send, Place):
                same = Equals(self.content(match.receive), self.content(match.send))
                yield Implies(match.symbol, same)

    def _fifo(self, channel: Channel) -> Iterator[FNode]:
        matches = [match for match in self.matches if match.channel == channel]
        # A send outside the interval is there for its match alone.
        sends = {m.send: m.symbol if isinstance(m.send, Outside) else TRUE() for m in matches}
        return fifo.in_order(
            {(match.receive, match.send): match.symbol for match in matches},
            sends | {lost_send(channel): self.lost(channel)},
            lambda first, second: rank(first) <= rank(second),
        )

    def _unreceived(self, channel: Channel) -> Iterator[tuple[End, FNode]]:
        yield lost_send(channel), self.lost(channel)
        for place in self.places:
            event = self.event(place)
            if event is not None and event.is_send and event.channel == channel:
                yield place, Not(Or(m.symbol for m in self.matches if m.send == place))

    @cached_property
    def outside(self) -> FNode:
        """The number of events outside the interval."""
        ends = ((match.symbol, end) for match in self.matches for end in (match.receive, match.send))
        matched = (symbol for symbol, end in ends if isinstance(end, Outside))
        there = [*matched, *map(self.lost, self.channels)]
        return Plus([Ite(symbol, Int(1), Int(0)) for symbol in there] + [Int(0)])

    def is_silent(
        self, c: Frontier, only: Channel | None = None, *, reading: CutReading | None = None
    ) -> FNode:
        """The condition that the cut c is silent: on all channels, or on the channel `only`.

        In the reading MATCHING, no received message crosses c. In the reading EMPTY, every message sent
        before c must also be received. The default is the reading in `self.semantics`.
        """
        asked = self.channels if only is None else [only]
        crossing = [m.symbol for m in self.matches if m.channel in asked and m.crosses(c)]
        match reading or self.semantics.reading:
            case CutReading.MATCHING:
                return Not(Or(crossing))
            case CutReading.EMPTY:
                left = (pair for channel in asked for pair in self._unreceived(channel))
                return Not(Or(crossing + [is_lost for send, is_lost in left if is_inside(send, c)]))
            case other:
                assert_never(other)

    def occurs(self, program: Program) -> FNode:
        """The condition that the program occurs over the interval."""
        return self.ends(program, self.start).get(self.end, FALSE())

    def ends(self, program: Program, c: Frontier) -> dict[Frontier, FNode]:
        """For each possible d, the condition that the program occurs from c to d (``r[c,d] ⊩ program``)."""
        if (program, c) not in self._ends:
            self._ends[program, c] = self._found_ends(program, c)
        return self._ends[program, c]

    def _found_ends(self, program: Program, c: Frontier) -> dict[Frontier, FNode]:
        match program:
            case syntax.Eps():
                return {c: TRUE()}
            case syntax.Assignment() | syntax.Send() | syntax.Receive():
                return self._after_statement(program, c)
            case syntax.Guard(condition):
                return {c: self.holds(condition, c)}
            case syntax.Cut():
                return {c: self.is_silent(c)}
            case syntax.Layering(parts):
                reached = {c: TRUE()}
                for part in parts:
                    reached = _either(
                        (d, And(before, after))
                        for between, before in reached.items()
                        for d, after in self.ends(part, between).items()
                    )
                return reached
            case syntax.Choice(alternatives):
                return _either(pair for each in alternatives for pair in self.ends(each, c).items())
            case syntax.Repetition(body):
                return self._after_repetitions(body, c)
            case _:
                assert_never(program)

    def _after_statement(self, statement: Statement, c: Frontier) -> dict[Frontier, FNode]:
        process, event = performed(statement)
        if process not in self.processes or c[process - 1] == self.end[process - 1]:
            return {}
        at = c[process - 1]
        place = Place(process, at + 1)
        if self.event(place) != event:
            return {}
        new: dict[str, FNode] = {}
        also = TRUE()
        match statement:
            case syntax.Assignment(target, expression):
                new[target.name] = self.value(expression, c)
            case syntax.Send(content=content) if content is not None:
                also = Equals(self.content(place), self.value(content, c))
            case syntax.Receive(variable=variable) if variable is not None:
                new[variable.name] = self.content(place)
            case syntax.Send() | syntax.Receive():
                pass
            case _:
                assert_never(statement)
        changed = (
            Equals(self.state(process, at + 1, name), new.get(name, self.state(process, at, name)))
            for name in self.variables.get(process, ())
        )
        return {(*c[: process - 1], at + 1, *c[process:]): And(also, *changed)}

    def _after_repetitions(self, body: Program, c: Frontier) -> dict[Frontier, FNode]:
        """The ends after iterations with events. Iterations without events would only add conditions."""
        reached = {c: TRUE()}
        pending = [c]
        while pending:
            between = min(pending, key=sum)  # whatever leads here has fewer events
            pending.remove(between)
            for d, after in self.ends(body, between).items():
                if d != between:
                    if d not in reached:
                        pending.append(d)
                    reached[d] = Or(reached.get(d, FALSE()), And(reached[between], after))
        return reached

    def holds(self, formula: syntax.Formula, c: Frontier) -> FNode:
        """``(r,c) ⊨ formula``."""
        match formula:
            case syntax.Truth(truth):
                return TRUE() if truth else FALSE()
            case syntax.Equal(left, right):
                return Equals(self.value(left, c), self.value(right, c))
            case syntax.Less(left, right):
                return LT(self.value(left, c), self.value(right, c))
            case syntax.Not(operand):
                return Not(self.holds(operand, c))
            case syntax.And(conjuncts):
                return And(self.holds(conjunct, c) for conjunct in conjuncts)
            case syntax.Or(disjuncts):
                return Or(self.holds(disjunct, c) for disjunct in disjuncts)
            case _:
                assert_never(formula)

    def value(self, expression: syntax.Expression, c: Frontier) -> FNode:
        """The value of an expression at a cut."""
        match expression:
            case syntax.Integer(number):
                return Int(number)
            case syntax.Variable(process, name):
                return self.state(process, c[process - 1], name)
            case syntax.Negation(operand):
                return Times(Int(-1), self.value(operand, c))
            case syntax.Sum(terms):
                return Plus(self.value(term, c) for term in terms)
            case syntax.Product(factors):
                return Times([self.value(factor, c) for factor in factors])
            case _:
                assert_never(expression)


def _either(found: Iterable[tuple[Frontier, FNode]]) -> dict[Frontier, FNode]:
    reached: dict[Frontier, FNode] = {}
    for d, formula in found:
        reached[d] = Or(reached[d], formula) if d in reached else formula
    return reached
