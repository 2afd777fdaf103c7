"""When a program occurs over an interval, as a formula: the paper's definition, clause by clause.

The interval has a given *shape*: which kinds of events each process performs in it.  Values, the
matching and the order are left to the solver, and so is what happens before and after.

What is outside is a small model.  An outside event matters only if it is matched with an
event inside, or with one on the other side of the interval, or is a message that is never
received (that only the reading EMPTY of the cut sees).  Leave out all other outside events of
a run: receives stay matched, happens-before only loses elements, FIFO order is kept (in the form
below, which speaks of pairs), every cut of the interval is silent exactly if it was; so the same
programs occur over the same interval.  Of messages that cross the whole interval one in each
direction and channel is enough, and likewise of lost ones, since a cut only asks if there are any.
An event inside is matched at most once.  So there is an earlier and a later partner for every event
inside, and for every channel one message across, one back across, and one lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from pysmt.fnode import FNode
from pysmt.shortcuts import (
    FALSE,
    INT,
    LT,
    TRUE,
    And,
    Equals,
    Iff,
    Implies,
    Int,
    Not,
    NotEquals,
    Or,
    Plus,
    Symbol,
    Times,
)

from sealcheck.encodings.runs import at_most_one
from sealcheck.programs import syntax
from sealcheck.programs.events import Channel, Event, channels, rcv, snd
from sealcheck.programs.global_runs import Cut, CutReading, Model
from sealcheck.programs.runs import Place

Shape = tuple[tuple[Event | None, ...], ...]
"""For each process the events that it performs in the interval; None is an internal one."""

Variables = Mapping[int, tuple[str, ...]]
"""The names of each process's variables."""


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


@dataclass(frozen=True)
class Match:
    """A receive and a send that may be matched; None stands for an event outside."""

    name: str
    channel: Channel
    receive: Place | Outside
    send: Place | Outside

    @property
    def symbol(self) -> FNode:
        """That they are matched."""
        return Symbol(f"match:{self.name}")


class Interval:
    """A run around an interval of a given shape."""

    def __init__(
        self,
        shape: Shape,
        variables: Variables,
        reading: CutReading = CutReading.MATCHING,
        *,
        self_channels: bool = False,
    ) -> None:
        self.shape, self.variables, self.reading = shape, variables, reading
        self.processes = range(1, len(shape) + 1)
        self.start: Cut = (0,) * len(shape)
        self.end: Cut = tuple(map(len, shape))
        self.channels = channels(len(shape), self_channels=self_channels)
        self.places = [Place(p, k) for p in self.processes for k in range(1, len(shape[p - 1]) + 1)]
        self.matches = list(self._matches())
        self._ends: dict[tuple[syntax.Program, Cut], dict[Cut, FNode]] = {}

    def event(self, place: Place) -> Event | None:
        """The event at a place of the interval."""
        return self.shape[place.process - 1][place.position - 1]

    def _matches(self) -> Iterator[Match]:
        communicating = [(place, event) for place in self.places if (event := self.event(place)) is not None]
        for place, event in communicating:
            for when, earlier in (("earlier", True), ("later", False)):
                i, j = event.channel
                partner = Outside(f"{when}:{_at(place)}", rcv(j, i) if event.is_send else snd(i, j), earlier)
                receive, send = (partner, place) if event.is_send else (place, partner)
                yield Match(partner.name, event.channel, receive, send)
            for other, sent in communicating:
                if not event.is_send and sent.is_send and sent.channel == event.channel:
                    yield Match(f"{_at(place)}={_at(other)}", event.channel, place, other)
        for i, j in self.channels:
            for name, sent_earlier in (("across", True), ("back", False)):
                receive = Outside(f"{name}:r{i}->{j}", rcv(j, i), not sent_earlier)
                send = Outside(f"{name}:s{i}->{j}", snd(i, j), sent_earlier)
                yield Match(f"{name}{i}->{j}", Channel(i, j), receive, send)

    def lost_send(self, channel: Channel) -> Outside:
        """The send of a message before the interval that is never received, if there is one."""
        return Outside(f"lost{channel}", snd(*channel), True)

    def lost(self, channel: Channel) -> FNode:
        """That a message was sent on the channel before the interval, which is never received."""
        return Symbol(f"lost{channel}")

    def state(self, process: int, position: int, name: str) -> FNode:
        """The value of a variable after so many events of the interval."""
        return Symbol(f"state:{process}.{position}.{name}", INT)

    def content(self, place: Place) -> FNode:
        """What the message that is sent or received there holds."""
        return Symbol(f"content:{_at(place)}", INT)

    def time(self, event: Place | Outside | str) -> FNode:
        """When an event happens, in an interleaving."""
        match event:
            case Place():
                return Symbol(f"time:{_at(event)}", INT)
            case Outside(name):
                return Symbol(f"time:{name}", INT)
            case _:
                return Symbol(f"time:{event}", INT)

    def axioms(self, model: Model) -> list[FNode]:
        """That this is a run of the model."""
        into: dict[Place, list[FNode]] = {place: [] for place in self.places}
        for match in self.matches:
            for end in (match.receive, match.send):
                if isinstance(end, Place):
                    into[end].append(match.symbol)
        receives = [place for place in self.places if self._is_receive(place)]
        return [
            *(Or(into[place]) for place in receives),
            *map(at_most_one, into.values()),
            *self._local_order(),
            *(Implies(m.symbol, LT(self.time(m.send), self.time(m.receive))) for m in self.matches),
            *self._contents(),
            *(self._fifo() if model is Model.REL_FIFO else ()),
        ]

    def _is_receive(self, place: Place) -> bool:
        event = self.event(place)
        return event is not None and not event.is_send

    def _outside(self) -> list[Outside]:
        ends = (end for match in self.matches for end in (match.receive, match.send))
        lost = map(self.lost_send, self.channels)
        return [*(end for end in ends if isinstance(end, Outside)), *lost]

    def _local_order(self) -> Iterator[FNode]:
        """Earlier events, the cut c, the events inside, the cut d, later events: process by process."""
        for process, events in zip(self.processes, self.shape, strict=True):
            inside = [self.time(Place(process, k)) for k in range(1, len(events) + 1)]
            line = [self.time(f"c{process}"), *inside, self.time(f"d{process}")]
            yield from (LT(first, second) for first, second in pairwise(line))
        for event in self._outside():
            cut = self.time(f"{'c' if event.earlier else 'd'}{event.process}")
            yield LT(self.time(event), cut) if event.earlier else LT(cut, self.time(event))

    def _contents(self) -> Iterator[FNode]:
        for match in self.matches:
            if isinstance(match.receive, Place) and isinstance(match.send, Place):
                same = Equals(self.content(match.receive), self.content(match.send))
                yield Implies(match.symbol, same)

    def _fifo(self) -> Iterator[FNode]:
        """Of two messages on a channel the one sent first is received, and received first."""
        for channel in self.channels:
            matches = [match for match in self.matches if match.channel == channel]
            for one, other in combinations(matches, 2):
                if one.send != other.send and one.receive != other.receive:
                    sent, received = (
                        LT(self.time(getattr(one, end)), self.time(getattr(other, end)))
                        for end in ("send", "receive")
                    )
                    apart = [
                        NotEquals(self.time(one.send), self.time(other.send)),
                        NotEquals(self.time(one.receive), self.time(other.receive)),
                    ]
                    yield Implies(And(one.symbol, other.symbol), And(Iff(sent, received), *apart))
            for match in matches:
                for send, is_lost in self._unreceived(channel):
                    if send != match.send:
                        blocked = And(match.symbol, is_lost)
                        yield Implies(blocked, LT(self.time(match.send), self.time(send)))

    def _unreceived(self, channel: Channel) -> Iterator[tuple[Place | Outside, FNode]]:
        """The sends on the channel that may stay without a receive, each with when that is so."""
        yield self.lost_send(channel), self.lost(channel)
        for place in self.places:
            event = self.event(place)
            if event is not None and event.is_send and event.channel == channel:
                yield place, Not(Or(m.symbol for m in self.matches if m.send == place))

    def occurs(self, program: syntax.Program) -> FNode:
        """That the program occurs over the interval."""
        return self.ends(program, self.start).get(self.end, FALSE())

    def ends(self, program: syntax.Program, c: Cut) -> dict[Cut, FNode]:
        """For each cut d over which that is possible, the formula for ``r[c,d] ⊩ program``."""
        if (program, c) not in self._ends:
            self._ends[program, c] = self._found_ends(program, c)
        return self._ends[program, c]

    def _found_ends(self, program: syntax.Program, c: Cut) -> dict[Cut, FNode]:
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
                return _either(
                    pair for alternative in alternatives for pair in self.ends(alternative, c).items()
                )
            case syntax.Repetition(body):
                return self._after_repetitions(body, c)

    def _after_statement(
        self, statement: syntax.Assignment | syntax.Send | syntax.Receive, c: Cut
    ) -> dict[Cut, FNode]:
        match statement:
            case syntax.Assignment(target, expression):
                process, event = target.process, None
            case syntax.Send(sender, receiver):
                process, event = sender, snd(sender, receiver)
            case syntax.Receive(receiver, sender):
                process, event = receiver, rcv(receiver, sender)
        at = c[process - 1] if process in self.processes else 0
        if process not in self.processes or at == self.end[process - 1]:
            return {}
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
        changed = (
            Equals(self.state(process, at + 1, name), new.get(name, self.state(process, at, name)))
            for name in self.variables.get(process, ())
        )
        return {(*c[: process - 1], at + 1, *c[process:]): And(also, *changed)}

    def _after_repetitions(self, body: syntax.Program, c: Cut) -> dict[Cut, FNode]:
        """Any number of iterations; those without an event only add conditions, so none is needed."""
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

    def is_silent(self, c: Cut, only: Channel | None = None, *, reading: CutReading | None = None) -> FNode:
        """The silent cut, by default in the interval's reading; or that one channel is empty so far."""
        asked = self.channels if only is None else (only,)

        def inside(end: Place | Outside) -> bool:
            return end.earlier if isinstance(end, Outside) else end.position <= c[end.process - 1]

        matches = (match for match in self.matches if match.channel in asked)
        crossing = [m.symbol for m in matches if inside(m.receive) != inside(m.send)]
        if (reading or self.reading) is CutReading.EMPTY:
            left = (pair for channel in asked for pair in self._unreceived(channel))
            crossing += [is_lost for send, is_lost in left if inside(send)]
        return Not(Or(crossing))

    def holds(self, formula: syntax.Formula, c: Cut) -> FNode:
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

    def value(self, expression: syntax.Expression, c: Cut) -> FNode:
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


def _either(found: Iterable[tuple[Cut, FNode]]) -> dict[Cut, FNode]:
    """For each cut the disjunction of its formulas."""
    reached: dict[Cut, FNode] = {}
    for d, formula in found:
        reached[d] = Or(reached[d], formula) if d in reached else formula
    return reached


def _at(place: Place) -> str:
    return f"{place.process}.{place.position}"
