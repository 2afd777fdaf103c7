"""Runs as constraints: a matching and an order over events.

The runs are runs of Rel, the model in which channels may reorder messages. A run is described by the events
between two cuts c and d, and by sends before c and after d. The cut c is silent: no message sent before c is
received between c and d. Any program may follow d.

Each pair of a receive and a send has a condition under which the two can be matched. Each pair of events has
a condition under which one follows the other in a process. If the program is given, pairs with a false
condition are left out, and all other conditions are TRUE. If the solver chooses the program, each condition
is a formula.

**One later send is enough.** Suppose that some receive of P takes a message sent after P;Q. Keep the send of
this message, and drop every other later send. The order of events need not change, because the messages of
P;Q are enough for all other receives:

1. P;Q has as many sends as receives on each channel.
2. A receive of a dropped message comes after all sends of P;Q on its channel. So it can take a message of
P;Q.

Receives after d are left out, because they only add conditions on a run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from sealcheck.encodings.formulas import TRUE, And, Formula, Implies, Not, Or, Symbol
from sealcheck.encodings.solving import Order


class Axiom(Enum):
    """The conditions for a matching and an order to be a run of Rel that starts at a silent cut.

    Source: the definition of runs, in section 2.2.
    """

    TOTAL = "totality"
    INJECTIVE = "injectivity"
    ACYCLIC = "acyclicity"
    SILENT_START = "leading cut"


@dataclass(frozen=True)
class Conditional:
    """A pair of events that are related if `condition` holds."""

    first: str
    second: str
    condition: Formula


@dataclass(frozen=True)
class Skeleton:
    """The events of a run, without matching and order.

    `successions` has pairs of events of one process, the earlier event first. `candidates` has pairs of a
    receive and a send on the same channel, the receive first.
    """

    sends: tuple[str, ...]
    receives: tuple[str, ...]
    earlier: frozenset[str]
    """The sends before the interval."""
    successions: tuple[Conditional, ...]
    candidates: tuple[Conditional, ...]

    @property
    def events(self) -> tuple[str, ...]:
        """All sends and receives."""
        return self.sends + self.receives


@dataclass(frozen=True)
class SymbolicRun:
    """A matching and an order over the events of a skeleton. The solver chooses both."""

    skeleton: Skeleton
    order: Order

    def matched(self, receive: str, send: str) -> Formula:
        """The condition that `receive` takes the message of `send`."""
        return Symbol(f"delta:{receive}={send}")

    def sources(self, receive: str) -> list[Formula]:
        """The conditions that the receive is matched, one for each candidate send."""
        return [self.matched(receive, c.second) for c in self.skeleton.candidates if c.first == receive]

    def takers(self, send: str) -> list[Formula]:
        """The conditions that the send is matched, one for each candidate receive."""
        return [self.matched(c.first, send) for c in self.skeleton.candidates if c.second == send]


def at_most_one(formulas: Iterable[Formula]) -> Formula:
    """The condition that no two of the formulas hold together.

    >>> from sealcheck.encodings.formulas import Symbol
    >>> print(at_most_one(map(Symbol, "abc")).serialize())
    ((! (a & b)) & (! (a & c)) & (! (b & c)))
    """
    return And(Not(And(a, b)) for a, b in combinations(formulas, 2))


def total(run: SymbolicRun) -> Formula:
    """Every receive is matched. Source: matching functions, in section 2.2."""
    return And(Or(run.sources(receive)) for receive in run.skeleton.receives)


def single_valued(run: SymbolicRun) -> Formula:
    """No receive is matched with two sends. Source: matching functions, in section 2.2."""
    return And(at_most_one(run.sources(receive)) for receive in run.skeleton.receives)


def injective(run: SymbolicRun) -> Formula:
    """No send is matched with two receives. Source: matching functions, in section 2.2."""
    return And(at_most_one(run.takers(send)) for send in run.skeleton.sends)


def respects_channels(run: SymbolicRun) -> Formula:
    """A receive is matched with a send on its own channel. Source: matching functions, in section 2.2."""
    always = TRUE()
    conditional = (c for c in run.skeleton.candidates if c.condition != always)
    return And(Implies(run.matched(c.first, c.second), c.condition) for c in conditional)


def silent_start(run: SymbolicRun) -> Formula:
    """No message sent before the interval is received in it. Source: the silent cut, in section 2."""
    from_before = (c for c in run.skeleton.candidates if c.second in run.skeleton.earlier)
    return And(Not(run.matched(c.first, c.second)) for c in from_before)


def happens_before(run: SymbolicRun) -> Formula:
    """The order includes Lamport's relation: process order, and sends before their receives.

    Source: the definition of runs (section 2).
    """
    always = TRUE()
    local = [
        run.order.before(s.first, s.second)
        if s.condition == always
        else Implies(s.condition, run.order.before(s.first, s.second))
        for s in run.skeleton.successions
    ]
    messages = [
        Implies(run.matched(c.first, c.second), run.order.before(c.second, c.first))
        for c in run.skeleton.candidates
    ]
    return And(*local, *messages)


def stuck(run: SymbolicRun) -> Formula:
    """The condition that some events are stuck: each directly follows another of these events.

    An event directly follows the event before it in its process, and a receive also directly follows its
    send. There are stuck events exactly if this relation has a cycle. Source: the definition of runs, in
    section 2.2.
    """
    waits = {event: Symbol(f"waits:{event}") for event in run.skeleton.events}
    causes: dict[str, list[Formula]] = {event: [] for event in waits}
    for s in run.skeleton.successions:
        causes[s.second].append(And(s.condition, waits[s.first]))
    for c in run.skeleton.candidates:
        causes[c.first].append(And(run.matched(c.first, c.second), waits[c.second]))
    return And(Or(waits.values()), *(Implies(waits[event], Or(causes[event])) for event in waits))


def axioms(run: SymbolicRun, without: Sequence[Axiom] = ()) -> list[Formula]:
    """The axioms of a run of Rel that starts at a silent cut, except for the axioms in `without`.

    Source: the definition of runs, in section 2.2.
    """
    return [
        single_valued(run),
        respects_channels(run),
        happens_before(run),
        run.order.axioms(acyclic=Axiom.ACYCLIC not in without),
        TRUE() if Axiom.TOTAL in without else total(run),
        TRUE() if Axiom.INJECTIVE in without else injective(run),
        TRUE() if Axiom.SILENT_START in without else silent_start(run),
    ]
