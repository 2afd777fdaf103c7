"""Pictures of programs of the whole language along one of their paths, with silent cuts as layers."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeGuard, assert_never

from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Channel, Event, StraightLine, rcv, snd
from sealcheck.programs.syntax import Cut, Path, Program, Receive, Send, communicates, paths
from sealcheck.words import counted

Plain = tuple[Send | Receive | Cut, ...]
"""A path without guards and assignments."""


def of_paths(programs: Mapping[str, Program], n: int, title: str) -> Picture | None:
    """A run of the programs in sequence, in which channels deliver in order.

    Each goes along a shortest path that only communicates and waits for silence, if it can along one that
    communicates.  What is not received before a silent cut is never received: that is what the cut says.
    None where there is no such run, or nothing happens in it.  As many steps as there are paths.

    >>> from sealcheck.language.parser import parse
    >>> found = of_paths({"P": parse("mt 1->2; cut")}, 2, "P")
    >>> found and (found.layers, found.description)
    (('P', 'P: cut'), 'A run of P. No message crosses a silent cut.')
    >>> of_paths({"P": parse("[1.x = 0]; mt 1->2")}, 2, "P") is None
    True
    """
    running = _Running(n)
    for name, program in programs.items():
        path = _shortest(program)
        if path is None or not running.goes_along(name, path):
            return None
    if not running.order:
        return None
    said = [f"A run of {'; '.join(programs)}."]
    said += ["No message crosses a silent cut."] if running.cuts else []
    lost = sum(event.is_send for event in running.events) - len(running.matching)
    said += [f"{counted(lost, 'message is', 'messages are')} never received."] if lost else []
    run = Run(StraightLine.of(n, running.events), tuple(running.order), running.matching)
    run.check()
    return Picture(
        run, tuple(running.layers), running.owners, title=title, description=" ".join(said), is_program=True
    )


def _shortest(program: Program) -> Plain | None:
    """A shortest path without guards and assignments, if possible one that communicates."""
    plain = (path for path in paths(program) if _is_plain(path))
    return min(plain, key=lambda path: (not communicates(path), len(path), repr(path)), default=None)


def _is_plain(path: Path) -> TypeGuard[Plain]:
    return all(isinstance(part, Send | Receive | Cut) for part in path)


@dataclass
class _Running:
    """A run while it goes on."""

    n: int
    _: KW_ONLY
    layers: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    order: list[Place] = field(default_factory=list)
    owners: dict[Place, int] = field(default_factory=dict)
    matching: dict[Place, Place] = field(default_factory=dict)
    waiting: dict[Channel, deque[Place]] = field(default_factory=lambda: defaultdict(deque))
    cuts: int = 0

    def goes_along(self, name: str, path: Plain) -> bool:
        """Whether it does: not if a receive finds nothing."""
        for layer, events in self._pieces(name, path):
            self.layers.append(layer)
            if events is None:
                self.waiting.clear()
                self.cuts += 1
            elif not all(map(self._happens, events)):
                return False
        return True

    def _pieces(self, name: str, path: Plain) -> Iterator[tuple[str, list[Event] | None]]:
        """What is between silent cuts, and the cuts, with the names of their layers."""
        piece: list[Event] = []
        for part in path:
            match part:
                case Send(sender, receiver):
                    piece.append(snd(sender, receiver))
                case Receive(receiver, sender):
                    piece.append(rcv(receiver, sender))
                case Cut():
                    if piece:
                        yield name, piece
                    yield f"{name}: cut", None
                    piece = []
                case _:
                    assert_never(part)
        if piece:
            yield name, piece

    def _happens(self, event: Event) -> bool:
        place = Place(event.process, 1 + sum(other.process == event.process for other in self.events))
        if event.is_send:
            self.waiting[event.channel].append(place)
        elif self.waiting[event.channel]:
            self.matching[place] = self.waiting[event.channel].popleft()
        else:
            return False
        self.events.append(event)
        self.order.append(place)
        self.owners[place] = len(self.layers) - 1
        return True
