"""Ways to say that one event comes before another.

A clock gives every event a time; a relation has one Boolean for every pair of events.  A
set of "comes before" requirements is acyclic exactly when a clock exists that respects it, and
exactly when some transitive irreflexive relation includes it.  Only the relation can also be
asked to be transitive *without* being irreflexive, which is what dropping acyclicity means.
Where all that matters is that one event does *not* come before another, a cut is enough.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, LT, TRUE, And, Implies, Not, Symbol
from pysmt.typing import INT


class Order(Protocol):
    """A strict order on named events."""

    def before(self, first: str, second: str) -> FNode:
        """That `first` comes before `second`."""

    def axioms(self, *, acyclic: bool) -> FNode:
        """That this is a transitive relation and, if `acyclic`, an irreflexive one."""


class Clock:
    """Integer times; difference logic.  Always acyclic."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._time = {event: Symbol(f"{name}:{event}", INT) for event in events}

    def before(self, first: str, second: str) -> FNode:
        """That the time of `first` is less than that of `second`."""
        return LT(self._time[first], self._time[second])

    def axioms(self, *, acyclic: bool) -> FNode:
        """Nothing to require: the integers are ordered."""
        if not acyclic:
            raise ValueError("a clock can't describe a cyclic happens-before relation")
        return TRUE()

    def listed(self, value: Callable[[FNode], bool | int]) -> list[str]:
        """The events in the order of their times in a model."""
        return sorted(self._time, key=lambda event: value(self._time[event]))


class Relation:
    """One Boolean per ordered pair of events; contains happens-before, perhaps properly."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name, self._events = name, events

    def before(self, first: str, second: str) -> FNode:
        """That the pair is in the relation."""
        return Symbol(f"{self._name}:{first}<{second}")

    def axioms(self, *, acyclic: bool) -> FNode:
        """Transitivity; irreflexivity if `acyclic`.  Cubic in the number of events."""
        events = self._events
        reflexive = [self.before(e, e) for e in events]
        transitive = [
            Implies(And(self.before(e, f), self.before(f, g)), self.before(e, g))
            for e in events
            for f in events
            for g in events
            if f not in (e, g)
        ]
        return And(transitive + ([Not(pair) for pair in reflexive] if acyclic else []))


class Interleaving:
    """A total order: one Boolean per unordered pair of events.  Always acyclic."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name, self._events = name, events
        self._number = {event: number for number, event in enumerate(events)}

    def before(self, first: str, second: str) -> FNode:
        """That `first` happens earlier in the interleaving."""
        if first == second:
            return FALSE()
        if self._number[first] > self._number[second]:
            return Not(self.before(second, first))
        return Symbol(f"{self._name}:{first}<{second}")

    def axioms(self, *, acyclic: bool) -> FNode:
        """That no three events form a cycle.  Cubic in the number of events."""
        if not acyclic:
            raise ValueError("an interleaving can't describe a cyclic happens-before relation")
        events = self._events
        return And(
            Not(And(self.before(e, f), self.before(f, g), self.before(g, e)))
            for x, e in enumerate(events)
            for f in events[x + 1 :]
            for g in events[x + 1 :]
            if f != g
        )

    def listed(self, value: Callable[[FNode], bool | int]) -> list[str]:
        """The events in the order of the interleaving that a model describes."""
        events = self._events
        earlier = dict.fromkeys(events, 0)
        for number, e in enumerate(events):
            for f in events[number + 1 :]:
                earlier[f if value(self.before(e, f)) else e] += 1
        return sorted(events, key=earlier.__getitem__)


class ConsistentCut:
    """A set of events that has, with each event, all that must come before it: one Boolean per event.

    An event need not come before another exactly if some such set has the other without it: the set of all
    that must come before the other, itself included, is one.  So `before` is what the cut says of two events;
    denying it of one pair is denying that the pair is in the closure of all requirements, whether or not
    that has cycles, of which a cut knows nothing.
    """

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name = name

    def has(self, event: str) -> FNode:
        """That the event is in the set."""
        return Symbol(f"{self._name}:{event}")

    def before(self, first: str, second: str) -> FNode:
        """That `first` is in the set if `second` is."""
        return Implies(self.has(second), self.has(first))

    def axioms(self, *, acyclic: bool) -> FNode:
        """Nothing to require: "in the set if the other is" is transitive."""
        if acyclic:
            raise ValueError("a cut can't rule out a cyclic happens-before relation")
        return TRUE()
