"""The nodes of program graphs and signatures, on networkx.

Plain tuples would not do as dummy nodes: `First(1)` and `Last(1)` must differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sealcheck.programs.straight_line import Event, StraightLine


@dataclass(frozen=True, slots=True)
class First:
    """The dummy node fst_i in front of process i's first event."""

    process: int

    def __str__(self) -> str:
        return f"fst {self.process}"


@dataclass(frozen=True, slots=True)
class Last:
    """The dummy node lst_i behind process i's last event."""

    process: int

    def __str__(self) -> str:
        return f"lst {self.process}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The k'th occurrence of a send, or of a receive, on its channel; k counts from 1.

    >>> from sealcheck.programs.straight_line import rcv
    >>> print(Occurrence(rcv(2, 1), 3))
    rcv 2<-1 #3
    """

    event: Event
    k: int

    def __str__(self) -> str:
        return f"{self.event} #{self.k}"


Node = First | Last | Occurrence
"""A node of a program graph.  A signature has `Event` nodes instead of occurrences."""


def agents(p: StraightLine) -> range:
    """The paper's set of processes, 1..n.

    >>> list(agents(StraightLine.of(2)))
    [1, 2]
    """
    return range(1, p.n + 1)


def occurrences(p: StraightLine) -> Iterator[Occurrence]:
    """The events of `p` with their numbers on their channels, each process's in its order.

    All events of one form are by one process, so every interleaving gives the same numbers.
    Source: line 5 of Program-Graph, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> print(*occurrences(StraightLine.of(2, mt(1, 2) + mt(1, 2))), sep=", ")
    snd 1->2 #1, snd 1->2 #2, rcv 2<-1 #1, rcv 2<-1 #2
    """
    count: dict[Event, int] = {}
    for share in p.shares:
        for event in share:
            count[event] = count.get(event, 0) + 1
            yield Occurrence(event, count[event])
