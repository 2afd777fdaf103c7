"""A run as a space-time diagram in plain characters: one column a process, one row an event."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from shutil import get_terminal_size

from sealcheck.cli.wording import abridged
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.events import Event
from sealcheck.programs.runs import Place, Run

PLAIN_WIDTH = 100
"""How wide a diagram may be where the output is not a terminal."""


def diagram(
    run: Run, layer: Callable[[Place], str], marked: Place | None, names: Names = NUMBERS
) -> Iterator[str]:
    """The lines of the diagram of a run; time goes down, idle processes are left out.

    Messages are numbered in the order in which they are sent; an arrow with the number shows
    where its message leaves and where it arrives, a double arrow the message that the receive
    `marked`, if any, takes.  `layer` names the program that an event belongs to.  Where the columns do
    not fit the terminal, only what is written beside them is left; of very many rows, the first and
    the last ones and those of the marked message.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> run = Run(StraightLine.of(2, mt(1, 2)), (Place(1, 1), Place(2, 1)), {Place(2, 1): Place(1, 1)})
    >>> for line in diagram(run, lambda place: "P", Place(2, 1)):
    ...     print(line)
         1            2
         |            |
    P    o==1==>      |   snd 1->2  sends message 1
    P    |      ==1==>o   rcv 2<-1  takes message 1 of P
    """
    messages = _messages(run)
    layers = {place: layer(place) for place in run.order}
    margin = max(map(len, layers.values())) + 4
    beside = {place: _beside(run, place, messages, layers, names) for place in run.order}
    columns = _Columns.of(run, names)
    total = margin + columns.width + 3 + max(map(len, beside.values()))
    fits = total <= get_terminal_size((PLAIN_WIDTH, 0)).columns
    if fits:
        yield (" " * margin + columns.heading).rstrip()
        yield (" " * margin + columns.lines).rstrip()

    def row(number: int) -> str:
        place = run.order[number]
        stroke = "=" if marked and messages[place] == messages[marked] else "-"
        drawn = columns.row(run.event(place), messages[place], stroke) + "   " if fits else ""
        return f"{layers[place]:<{margin}}{drawn}{beside[place]}"

    ends = (marked, run.matching[marked]) if marked else ()
    yield from abridged(len(run.order), row, matter=map(run.order.index, ends))


def _messages(run: Run) -> dict[Place, int]:
    """The number of the message that each event sends or takes."""
    sends = [place for place in run.order if run.event(place).is_send]
    number = {send: k for k, send in enumerate(sends, 1)}
    return number | {receive: number[send] for receive, send in run.matching.items()}


def _beside(
    run: Run, place: Place, messages: dict[Place, int], layers: dict[Place, str], names: Names
) -> str:
    event, message = names.event(run.event(place)), messages[place]
    if run.event(place).is_send:
        return f"{event}  sends message {message}"
    return f"{event}  takes message {message} of {layers[run.matching[place]]}"


@dataclass(frozen=True)
class _Columns:
    """Where the line of each process stands."""

    at: dict[int, int]
    digits: int
    """Of the largest message number."""
    width: int
    headings: tuple[str, ...]

    @classmethod
    def of(cls, run: Run, names: Names) -> "_Columns":
        digits = len(str(run.program.messages))
        headings = tuple(map(names.process, range(1, run.program.n + 1)))
        pitch = max(2 * (digits + 5), *map(len, headings)) + 1  # room for an arrow on both sides
        active = [process for process, share in enumerate(run.program.shares, 1) if share]
        at = {process: pitch * index for index, process in enumerate(active)}
        last = active[-1]
        to_itself = any(event.sender == event.receiver for event in run.program.shares[last - 1])
        width = at[last] + (digits + 6 if to_itself else len(headings[last - 1]))
        return cls(at, digits, width, headings)

    @property
    def heading(self) -> str:
        return self._over((at, self.headings[process - 1]) for process, at in self.at.items())

    @property
    def lines(self) -> str:
        return self._over((at, "|") for at in self.at.values())

    def row(self, event: Event, message: int, stroke: str) -> str:
        """The lines with one event: its arrow leaves towards the receiver, or comes from the sender."""
        arrow = f"{stroke * 2}{message:{stroke}^{self.digits}}{stroke * 2}"
        rightward = event.sender < event.receiver or (event.is_send and event.sender == event.receiver)
        arrow = f"{arrow}>" if rightward else f"<{arrow}"
        at = self.at[event.process]
        arrow_at = at + 1 if event.is_send == rightward else at - len(arrow)
        return self._over([*((x, "|") for x in self.at.values()), (at, "o"), (arrow_at, arrow)])

    def _over(self, pieces: Iterable[tuple[int, str]]) -> str:
        """The pieces, each at its place in a line of blanks, later ones over earlier ones."""
        cells = [" "] * self.width
        for at, piece in pieces:
            cells[at : at + len(piece)] = piece
        return "".join(cells)
