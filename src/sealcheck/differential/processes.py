"""A program as implementations written in Python get it."""

from collections.abc import Iterable

from sealcheck.programs.straight_line import StraightLine

ProtocolEvent = tuple[str, int]
"""``("snd", to)`` or ``("rcv", from)``."""


class Processes(list[list[ProtocolEvent]]):
    """For each process its events in order, ``("snd", to)`` or ``("rcv", from)``; ``str()`` gives the text.

    >>> from sealcheck.programs.straight_line import mt
    >>> p = Processes.of(StraightLine.of(2, mt(1, 2)))
    >>> list(p), p.n, str(p)
    ([[('snd', 2)], [('rcv', 1)]], 2, 'mt 1->2')
    >>> p
    processes('mt 1->2', n=2)
    """

    def __init__(self, shares: Iterable[Iterable[Iterable[object]]], text: str) -> None:
        super().__init__([tuple(event) for event in share] for share in shares)  # type: ignore[misc]
        self._text = text

    @classmethod
    def of(cls, program: StraightLine) -> "Processes":
        """This program.  O(events)."""
        shares = (
            [("snd", event.receiver) if event.is_send else ("rcv", event.sender) for event in share]
            for share in program.shares
        )
        return cls(shares, str(program))

    @property
    def n(self) -> int:
        """The number of processes, idle ones included."""
        return len(self)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"processes({self._text!r}, n={self.n})"
