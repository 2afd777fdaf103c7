"""A picture in plain characters. Processes are columns, or rows if columns would be too wide."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from shutil import get_terminal_size

from sealcheck.drawing.labels import without
from sealcheck.drawing.picture import Folded, Picture, Shown, folded, narrowed
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Event
from sealcheck.words import counted

PLAIN_WIDTH = 100
"""The width of text if the output is not a terminal."""
MOST_EVENTS = 200
"""The most rows that are drawn by default."""
MOST_CELLS, FEW_EVENTS = 2_000, 40
"""If processes are rows: the most cells with all events, and the most events of larger pictures."""
LEGEND = "(time goes right; 1> sends message 1, >1 takes it)"
LEGEND_WRONG = "(time goes right; 1> sends message 1, >1 takes it; = marks the wrong message)"


def text(picture: Picture, width: int, *, everything: bool = False) -> Iterator[str]:
    """The lines of the picture, if possible no wider than `width`. Idle processes are left out.

    Arrows show where a message leaves and arrives. An arrow has the number of its message, in the order of
    sending. A double arrow marks the message that a receive should not take. If the lines are too wide, the
    text next to the columns is left out. If the columns alone are too wide, processes become rows.

    >>> from sealcheck import seals
    >>> picture = seals("mt 1->2", "mt 1->2").draw().picture
    >>> print("\\n".join(text(picture, 100)))
         1            2
         |            |
    P    o--1-->      |   snd 1->2  sends message 1
    Q    o==2==>      |   snd 1->2  sends message 2
    P    |      ==2==>o   rcv 2<-1  takes message 2 of Q
    Q    |      --1-->o   rcv 2<-1  takes message 1 of P
    >>> print("\\n".join(text(picture, 15)))
        P  Q  P  Q
    1 -1>=2>------
    2 ------=>2->1
    (time goes right; 1> sends message 1, >1 takes it; = marks the wrong message)
    """
    events = folded(picture, None if everything else MOST_EVENTS)
    places = [each for each in events if not isinstance(each, Folded)]
    if not places:
        yield "(nothing happens)"
        return
    columns = _Columns(picture)
    margin = max(len(picture.layer(place)) for place in places) + 4
    beside = max(len(_beside(picture, place)) for place in places)
    if margin + columns.width + 3 + beside <= width:
        yield from _as_columns(picture, events, columns, margin, with_text=True)
    elif margin + columns.width <= width:
        yield from _as_columns(picture, events, columns, margin, with_text=False)
    else:
        if not everything and len(places) * len(picture.active) > MOST_CELLS:
            events = folded(picture, FEW_EVENTS)
            picture = narrowed(picture, events)
        yield from _as_rows(picture, events, width)
        if picture.left_out:
            yield f"({without(picture)})"


def drawn(picture: Picture) -> Iterator[str]:
    """The lines of the picture, as wide as the terminal."""
    return text(picture, get_terminal_size((PLAIN_WIDTH, 0)).columns)


def _as_columns(
    picture: Picture, events: Shown, columns: "_Columns", margin: int, *, with_text: bool
) -> Iterator[str]:
    yield from ((" " * margin + line).rstrip() for line in columns.top)
    for each in events:
        if isinstance(each, Folded):
            yield f"... {counted(each.count, 'more event')}"
            continue
        stroke = "=" if _is_wrong(picture, each) else "-"
        row = columns.row(picture.event(each), picture.numbers[each], stroke)
        beside = f"   {_beside(picture, each)}" if with_text else ""
        yield f"{picture.layer(each):<{margin}}{row}{beside}".rstrip()


def _is_wrong(picture: Picture, place: Place) -> bool:
    return picture.wrong is not None and picture.numbers[place] == picture.numbers[picture.wrong]


def _beside(picture: Picture, place: Place) -> str:
    event, message = picture.said(place), picture.numbers[place]
    if picture.event(place).is_send:
        return f"{event}  sends message {message}"
    return f"{event}  takes message {message} of {picture.layer(picture.run.matching[place])}"


def _as_rows(picture: Picture, events: Shown, width: int) -> Iterator[str]:
    """Processes as rows, in as many blocks as needed. Time goes from left to right."""
    names = {process: picture.names.process(process) for process in picture.active}
    margin = max(map(len, names.values())) + 1
    cells = [_Cell.of(picture, each) for each in events]
    size = max(max(len(cell.heading) + 1, len(cell.mark)) for cell in cells)
    in_block = max(1, (width - margin) // size)
    for start in range(0, len(cells), in_block):
        block = cells[start : start + in_block]
        if start:
            yield ""
        yield (" " * margin + "".join(f"{cell.heading:>{size}}" for cell in block)).rstrip()
        for process, name in names.items():
            marks = (cell.mark if process == cell.process else "" for cell in block)
            folds = ("." if cell.process is None else "-" for cell in block)
            yield f"{name:<{margin}}" + "".join(f"{m:{f}>{size}}" for m, f in zip(marks, folds, strict=True))
    yield LEGEND_WRONG if picture.wrong else LEGEND


@dataclass(frozen=True)
class _Cell:
    """A cell in a picture of rows: an event, or events left out, which belong to no process."""

    process: int | None
    heading: str
    mark: str

    @classmethod
    def of(cls, picture: Picture, each: Place | Folded) -> "_Cell":
        if isinstance(each, Folded):
            return cls(None, f"+{each.count}", "")
        number = picture.numbers[each]
        mark = f"{number}>" if picture.event(each).is_send else f">{number}"
        return cls(each.process, picture.layer(each), ("=" if _is_wrong(picture, each) else "-") + mark)


class _Columns:
    """The column of each process, and the total width of all columns."""

    def __init__(self, picture: Picture) -> None:
        program = picture.run.program
        self.digits = len(str(program.messages))
        self.headings = tuple(map(picture.names.process, range(1, program.n + 1)))
        pitch = max(2 * (self.digits + 5), *map(len, self.headings)) + 1  # room for an arrow on both sides
        active = [process for process, share in enumerate(program.shares, 1) if share]
        first, last = active[0], active[-1]
        sends_further_left = any(event.receiver < first for event in program.shares[first - 1])
        start = self.digits + 5 if sends_further_left else 0  # to a process that is left out
        self.at = {process: start + pitch * index for index, process in enumerate(active)}
        to_itself = any(event.sender == event.receiver for event in program.shares[last - 1])
        self.width = self.at[last] + (self.digits + 6 if to_itself else len(self.headings[last - 1]))

    @property
    def top(self) -> tuple[str, str]:
        """The headings, and the lines before anything happens."""
        headings = self._over((at, self.headings[process - 1]) for process, at in self.at.items())
        return headings, self._over((at, "|") for at in self.at.values())

    def row(self, event: Event, message: int, stroke: str) -> str:
        """The text for one event, with its arrow."""
        arrow = f"{stroke * 2}{message:{stroke}^{self.digits}}{stroke * 2}"
        rightward = event.sender < event.receiver or (event.is_send and event.sender == event.receiver)
        arrow = f"{arrow}>" if rightward else f"<{arrow}"
        at = self.at[event.process]
        arrow_at = at + 1 if event.is_send == rightward else at - len(arrow)
        return self._over([*((x, "|") for x in self.at.values()), (at, "o"), (arrow_at, arrow)])

    def _over(self, pieces: Iterable[tuple[int, str]]) -> str:
        """A line of blanks with the pieces at their places. Later pieces cover earlier pieces."""
        cells = [" "] * self.width
        for at, piece in pieces:
            cells[at : at + len(piece)] = piece
        return "".join(cells)
