"""Formulas about layers over ports: does some receive take a message of another layer?

A *port* holds messages until its reader receives them. A *word* is a sequence of layers. For each word, a
formula describes the beginnings of the word's runs: the order of the events, how many events each process
performs, and the matching of receives with sends.  The guarantee of a port, such as lossy or fifo, is a
condition on the matching and the order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or, Symbol

from sealcheck.encodings.runs import at_most_one
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.programs.ports import Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases


@dataclass(frozen=True)
class _Named:
    """An event, with its name and the number of its layer."""

    name: str
    event: PortEvent
    layer: int


class PortRun:
    """The beginnings of runs of some layers, one after the other."""

    def __init__(self, about: PortPhases, layers: Sequence[PortProgram], solver: Solver) -> None:
        self._about = about
        self.shares = [
            [
                _Named(f"{at}.{process}.{position}", event, at)
                for at, layer in enumerate(layers)
                for position, event in enumerate(layer.shares[process])
            ]
            for process in range(about.n)
        ]
        events = [each for share in self.shares for each in share]
        self._sends = [each for each in events if each.event.is_send]
        self._receives = [each for each in events if not each.event.is_send]
        self._order = solver.order("t", [each.name for each in events])
        self.axioms = [
            self._order.axioms(acyclic=True),
            *self._happening(),
            *self._matching(),
            *self._guaranteed(),
        ]

    def _happens(self, event: _Named) -> FNode:
        return Symbol(f"happens:{event.name}")

    def _takes(self, receive: _Named, send: _Named) -> FNode:
        return Symbol(f"takes:{receive.name}={send.name}")

    def _candidates(self, receive: _Named) -> list[_Named]:
        return [send for send in self._sends if receive.event.takes(send.event)]

    def _happening(self) -> Iterator[FNode]:
        for share in self.shares:
            for first, second in pairwise(share):
                yield Implies(self._happens(second), self._happens(first))
                yield self._order.before(first.name, second.name)

    def _matching(self) -> Iterator[FNode]:
        """A receive takes a message sent before. Two receives share a message only if the port duplicates."""
        for receive in self._receives:
            taken = [self._takes(receive, send) for send in self._candidates(receive)]
            yield Implies(self._happens(receive), Or(taken))
            yield at_most_one(taken)
            for send in self._candidates(receive):
                sent = And(self._happens(send), self._order.before(send.name, receive.name))
                yield Implies(self._takes(receive, send), And(self._happens(receive), sent))
        for send in self._sends:
            if not self._about.guarantee(self._about.ports.of(send.event)).duplicating:
                takers = (each for each in self._receives if each.event.takes(send.event))
                yield at_most_one(self._takes(receive, send) for receive in takers)

    def _guaranteed(self) -> Iterator[FNode]:
        """On fifo ports, a sender's earlier messages are taken earlier; or never, if the port is lossy."""
        for first, second in self._in_one_port():
            guarantee = self._about.guarantee(self._about.ports.of(first.event))
            for receive in self._receives:
                if not guarantee.fifo or not receive.event.takes(second.event):
                    continue
                takers = (each for each in self._receives if each.event.takes(first.event))
                others = [each for each in takers if each != receive]
                if guarantee.lossy:
                    for other in others:
                        both = And(self._takes(receive, second), self._takes(other, first))
                        yield Implies(both, self._order.before(other.name, receive.name))
                else:
                    before = (
                        And(self._takes(o, first), self._order.before(o.name, receive.name)) for o in others
                    )
                    yield Implies(self._takes(receive, second), Or(before))

    def _in_one_port(self) -> Iterator[tuple[_Named, _Named]]:
        of = self._about.ports.of
        for share in self.shares:
            sends = [each for each in share if each.event.is_send]
            yield from ((a, b) for a, b in combinations(sends, 2) if of(a.event) == of(b.event))

    def crossed(self, ports: Sequence[Port]) -> FNode:
        """The condition that another layer's message is taken on these ports, and on no other port."""
        of = self._about.ports.of
        wrong = [
            (self._takes(receive, send), of(receive.event) in ports)
            for receive in self._receives
            for send in self._candidates(receive)
            if receive.layer != send.layer
        ]
        return And(
            Or(taken for taken, here in wrong if here), *(Not(taken) for taken, here in wrong if not here)
        )


def wrong_ports(about: PortPhases, most: int, solver: Solver) -> frozenset[Port]:
    """The root causes that a solver finds in words of at most `most` layers.

    A root cause is a port on which a receive can be the first to take another layer's message. The solver is
    asked once for each word and port. Raises LimitReached if the solver gives up.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; rcv 2<-*", "layer 2": "snd 3->2; rcv 2<-*"}, None)
    >>> with open_solver("z3") as solver:
    ...     print(*wrong_ports(PortPhases(tuple(layers), Protocol.sequence(2)), 2, solver))
    2<-*
    """
    found: set[Port] = set()
    for layers in about.beginnings(most):
        run = PortRun(about, layers, solver)
        left = [port for port in about.used if port not in found]
        found |= {port for port in left if satisfiable(solver, [*run.axioms, run.crossed([port])])}
    return frozenset(found)


def goes_wrong(about: PortPhases, most: int, solver: Solver) -> bool:
    """Whether a solver finds a run with a receive of another layer's message. It is asked once per word."""
    runs = (PortRun(about, layers, solver) for layers in about.beginnings(most))
    return any(satisfiable(solver, [*run.axioms, run.crossed(about.used)]) for run in runs)
