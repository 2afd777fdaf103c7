"""Find ports that are alike: a renaming of processes maps one port to the other, and each layer to itself.

To compare two ports, the search colours the processes once for each port. At the start, only the port's
reader and sender have colours of their own. Then the search *refines* the colours: it splits each colour
until processes of one colour have the same events, with partners of the same colours (B. Weisfeiler and A.
Leman, 1968).

If several processes still share a colour, the search chooses one of them in each colouring, gives both the
same new colour, and refines again. The search does not revise its choices, so it may miss alike ports. Each
renaming that it finds is checked.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sealcheck.programs.ports import ANY, Port, PortEvent
from sealcheck.programs.protocol import PortPhases

MOST_TRIED = 8
"""The most processes of the second colouring that are tried for one process of the first."""


def alike(about: PortPhases, port: Port, others: Sequence[Port]) -> list[Port]:
    """The ports in `others` that the search finds to be alike to `port`, in the order of `others`.

    O(others * n * events * log events).

    >>> from sealcheck.programs.protocol import Protocol
    >>> from sealcheck.programs.ports import PortProgram
    >>> from sealcheck.programs.straight_line import Kind
    >>> ring = [PortEvent(kind, k, k % 3 + 1) for kind in Kind for k in (1, 2, 3)]
    >>> about = PortPhases((PortProgram.of(3, ring),), Protocol.sequence(1, repeat=True))
    >>> [str(port) for port in alike(about, about.used[0], about.used)]
    ['1<-3', '2<-1', '3<-2']
    """
    colouring = _Colouring(about)
    return [other for other in others if colouring.maps(port, other)]


class _Ends(NamedTuple):
    """The events of a process, split into their shape and the other processes."""

    shape: tuple[object, ...]
    """For each layer, the events without the names of processes."""
    peers: tuple[int, ...]
    """The other process of each event; ANY if a receive takes from any source."""


Colours = list[int]
"""The colour of ANY, which is 0, then the colours of processes 1, 2, and so on."""


class _Colouring:
    """The processes of layers, coloured by their events."""

    def __init__(self, about: PortPhases) -> None:
        self._about = about
        self._n = about.n
        self._ends = [_Ends((), ()), *(self._of(process) for process in range(1, about.n + 1))]
        self._refined: dict[tuple[int, ...], Colours] = {}

    def _of(self, process: int) -> _Ends:
        shares = [layer.shares[process - 1] for layer in self._about.layers]
        shape = tuple(tuple(map(self._shape, share)) for share in shares)
        peers = (event.receiver if event.is_send else event.sender for share in shares for event in share)
        return _Ends(shape, tuple(peers))

    def _shape(self, event: PortEvent) -> tuple[object, ...]:
        guarantee = self._about.guarantee(self._about.ports.of(event))
        return event.kind, event.tag, event.sender == ANY, guarantee

    def maps(self, port: Port, other: Port) -> bool:
        """Whether the search finds a renaming that maps `port` to `other` and each layer to itself."""
        if port == other:
            return True
        if port.tag != other.tag or bool(port.sender) != bool(other.sender):
            return False
        here, there = ([each for each in (p.reader, p.sender) if each] for p in (port, other))
        while True:
            colours, others = self._told_apart(here), self._told_apart(there)
            if sorted(colours) != sorted(others):
                return False
            cells = _cells(colours)
            cell = next((members for members in cells.values() if len(members) > 1), None)
            if cell is None:
                return self._is_renaming(colours, others, here, there)
            candidates = _cells(others)[colours[cell[0]]][:MOST_TRIED]
            here.append(cell[0])
            wanted = sorted(self._told_apart(here))
            found = next(
                (each for each in candidates if sorted(self._told_apart([*there, each])) == wanted), None
            )
            if found is None:
                return False
            there.append(found)

    def _told_apart(self, processes: Iterable[int]) -> Colours:
        """The refined colours, if at the start these processes have colours 1, 2, and so on."""
        key = tuple(processes)
        if key not in self._refined:
            self._refined[key] = self._refine(
                [key.index(k) + 1 if k in key else 0 for k in range(self._n + 1)]
            )
        return self._refined[key]

    def _refine(self, colours: Colours) -> Colours:
        """Refine the colours (see the module's docstring)."""
        while True:
            signatures: list[object] = [
                (colours[process], ends.shape, tuple(colours[peer] for peer in ends.peers))
                for process, ends in enumerate(self._ends)
            ]
            finer = [hash(each) for each in signatures]
            if len(set(finer)) == len(set(colours)):
                return colours
            colours = finer

    def _is_renaming(
        self, colours: Colours, others: Colours, here: Sequence[int], there: Sequence[int]
    ) -> bool:
        """Whether the renaming that preserves colours is valid.

        A valid renaming maps `here` to `there`, and the events of each process k to the events of the image
        of k.
        """
        where = {colour: process for process, colour in enumerate(others)}
        image = [where[colour] for colour in colours]
        return [image[each] for each in (ANY, *here)] == [ANY, *there] and all(
            ends.shape == self._ends[image[process]].shape
            and tuple(image[peer] for peer in ends.peers) == self._ends[image[process]].peers
            for process, ends in enumerate(self._ends)
        )


def _cells(colours: Colours) -> dict[int, list[int]]:
    cells: dict[int, list[int]] = {}
    for process, colour in enumerate(colours):
        cells.setdefault(colour, []).append(process)
    return cells
