"""Sequence diagrams as programs, or as protocols: the part that Mermaid and PlantUML share.

An arrow is a transmission: the sender sends, then the receiver receives.  Arrows happen in the order of their
lines.  A *slanted* arrow arrives at a later line.  The text of a diagram names a participant by an *alias*.
The picture has the participant's *shown name*, which becomes the name of the process.

A *protocol* is a regular expression of layers.  The diagrams of a file come one after the other.  A *layer*
consists of the messages between two boundaries.  Boundaries are

- dividers, and the ends of a diagram
- the lines where a block that chooses or repeats begins, enters its next section, or ends (``loop``, ``alt``,
  ``opt``, ``break``, ``critical`` with options)

Frames, such as ``rect``, and parallel sections are not boundaries.  Parallel sections must have no
participant in common.

The grammars ``mermaid.lark`` and ``plantuml.lark`` have the forms of statements.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from sealcheck.errors import InputError
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram, Names, Naming, require_name
from sealcheck.language.ports import Layer
from sealcheck.programs.protocol import NOTHING, Expression

BLOCK = "a layer has no branches and no loops: give it to phases alone"
MOST_NESTED = 30
"""The deepest nesting of blocks."""
MOST_SHOWN = 50
"""The most errors of a file that are shown."""


def refused(number: int, what: str, reason: str) -> InputError:
    """The error for a line with an unsupported construct."""
    return InputError(f"line {number}: {what}: {reason}")


def lines(text: str) -> list[str]:
    """The lines of a diagram, split as Mermaid and PlantUML split them.

    >>> lines("a\\r\\nb\\x0cc\\u2028d")
    ['a', 'b\\x0cc\\u2028d']
    """
    return re.split("\r\n?|\n", text)


class Errors:
    """All errors of a file, by line."""

    def __init__(self) -> None:
        self._found: list[InputError] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, error: InputError) -> None:
        """Note an error."""
        self._found.append(error)

    def tried(self, read: Callable[[], None]) -> None:
        """Call `read`; note an InputError instead of raising it."""
        try:
            read()
        except InputError as error:
            self.add(error)

    def raise_any(self) -> None:
        """Raise the InputError of the first wrong line, with notes on the other wrong lines.

        >>> errors = Errors()
        >>> errors.add(refused(7, "'x'", "unknown"))
        >>> errors.add(refused(2, "'y'", "unknown"))
        >>> try:
        ...     errors.raise_any()
        ... except InputError as error:
        ...     print(error, error.__notes__)
        line 2: 'y': unknown ["  line 7: 'x': unknown"]
        """
        if not self._found:
            return
        first, *others = sorted(self._found, key=_line)
        raised = InputError(str(first))
        for error in others[:MOST_SHOWN]:
            raised.add_note(f"  {error}")
        if len(others) > MOST_SHOWN:
            raised.add_note(f"  and {len(others) - MOST_SHOWN} more errors")
        raise raised


def _line(error: InputError) -> int:
    found = re.match(r"line (\d+)", str(error))
    return int(found[1]) if found else 0


class Tip(NamedTuple):
    """The tail (a send) or the head (a receive) of an arrow."""

    line: int
    is_send: bool
    sender: str
    receiver: str


class Divider(NamedTuple):
    """A boundary between layers, with the title of the layer that follows."""

    line: int
    title: str


@dataclass
class Block:
    """A block with its sections."""

    line: int
    word: str
    sections: list[list["Tip | Divider | Block"]] = field(default_factory=lambda: [[]])

    @property
    def is_frame(self) -> bool:
        """Whether the block has no effect on its messages: they happen exactly once."""
        return self.word in FRAMES or (self.word == "critical" and len(self.sections) == 1)


Item = Tip | Divider | Block
FRAMES = ("rect", "box", "group", "par", "par_over", "par2")
SECTIONS = {
    "else": ("alt", "par", "par2"),
    "and": ("par", "par_over"),
    "also": ("par", "par2"),
    "option": ("critical",),
}
"""For each word that begins a section, the blocks in which it may stand."""


class Diagram:
    """A sequence diagram while it is read."""

    def __init__(self, errors: Errors, line: int = 1, title: str = "") -> None:
        self.errors = errors
        self.line = line
        self.title = title
        self._shown: dict[str, str] = {}
        self._open = [Block(0, "")]
        """The open blocks; the first stands for the whole diagram."""
        self.slanted: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """By sender and receiver, the lines of slanted arrows that have not arrived."""

    @property
    def names(self) -> tuple[str, ...]:
        """The shown names, in the order of their first mention."""
        return tuple(self._shown.values())

    @property
    def items(self) -> list[Item]:
        """All items of the diagram."""
        return self._open[0].sections[0]

    @property
    def has_layers(self) -> bool:
        """Whether the diagram has dividers, or blocks that choose or repeat."""
        return any(not isinstance(item, Tip) for item in self.items)

    def declare(self, number: int, alias: str, shown: str) -> None:
        """Add a participant.  Raises InputError if the alias or the shown name is already in use."""
        if self._shown.get(alias) == shown:
            return
        if alias in self._shown:
            reason = f"this participant is called '{self._shown[alias]}' above: declare it once, and first"
            raise refused(number, f"'{alias}'", reason)
        if shown in self._shown.values():
            raise refused(number, f"'{shown}'", "two participants have this name: rename one")
        self._shown[alias] = require_name(shown, f"line {number}: ")

    def mention(self, number: int, alias: str, shown: str) -> str:
        """The shown name of an alias.  An unknown alias becomes a participant.  Raises InputError."""
        if alias not in self._shown:
            self.declare(number, alias, shown)
        return self._shown[alias]

    def transmit(self, number: int, sender: str, receiver: str) -> None:
        """Add an arrow.  Raises InputError if it leads back to its sender, or is in a ``box``."""
        self.send(number, sender, receiver)
        self.receive(number, receiver, sender)

    def send(self, number: int, sender: str, receiver: str) -> None:
        """Add the tail of an arrow.  Raises InputError as `transmit` does."""
        if sender == receiver:
            raise refused(number, f"'{sender}' sends to itself", "write a note for an internal event")
        if self._open[-1].word == "box":
            raise refused(number, "a message in a 'box'", "a box has participants only: write it below")
        self._add(Tip(number, True, sender, receiver))

    def receive(self, number: int, receiver: str, sender: str) -> None:
        """Add the head of an arrow."""
        self._add(Tip(number, False, sender, receiver))

    def divide(self, number: int, title: str) -> None:
        """Add a boundary between layers."""
        self._add(Divider(number, title))

    def begin(self, number: int, word: str) -> None:
        """Begin a block.  Raises InputError if too many are open."""
        self._open.append(Block(number, word))
        if len(self._open) == MOST_NESTED + 2:
            raise refused(number, f"'{word}'", f"blocks are nested more than {MOST_NESTED} deep")

    def section(self, number: int, word: str) -> None:
        """Begin the next section of the innermost block.  Raises InputError if it has no such section."""
        block = self._open[-1]
        if block.word not in SECTIONS[word]:
            raise refused(number, f"'{word}'", f"no '{SECTIONS[word][0]}' block is open here")
        block.sections.append([])

    def end(self, number: int) -> None:
        """End the innermost open block.  Raises InputError if no block is open."""
        if len(self._open) == 1:
            raise refused(number, "'end'", "no block is open here")
        block = self._open.pop()
        if not block.is_frame:
            self._add(block)
            return
        if len(block.sections) > 1:
            self.errors.tried(lambda: _require_disjoint(block))
        for item in (item for section in block.sections for item in section):
            self._add(item)

    def finish(self) -> None:
        """Note an error for each open block, and for each slanted arrow that has not arrived."""
        for block in self._open[1:]:
            self.errors.add(refused(block.line, f"'{block.word}'", "no 'end' closes this block"))
        for (sender, receiver), sent in self.slanted.items():
            for number in sent:
                ends = [end if end.isidentifier() else f'"{end}"' for end in (receiver, sender)]
                reason = f"write the line ' rcv {'<-'.join(ends)} where it arrives"
                self.errors.add(refused(number, "a slanted arrow", reason))

    def program(self) -> NamedProgram:
        """The program of the diagram, without its dividers.  Raises InputError if it has blocks."""
        naming = Naming()
        errors = Errors()
        for name in self.names:
            naming.number(name)
        for item in self.items:
            if isinstance(item, Block):
                errors.add(refused(item.line, f"'{item.word}'", BLOCK))
            elif isinstance(item, Tip) and item.is_send:
                naming.send(item.sender, item.receiver)
            elif isinstance(item, Tip):
                naming.receive(item.receiver, item.sender)
        errors.raise_any()
        return naming.program()

    def _add(self, item: Item) -> None:
        self._open[-1].sections[-1].append(item)


class Diagrams:
    """The diagrams of a file.  Raises InputError for the first error, with notes on the others."""

    def __init__(self, read: Callable[[str, "Diagrams"], None], text: str) -> None:
        self.errors = Errors()
        self._drawn: list[Diagram] = []
        read(text, self)
        for diagram in self._drawn:
            diagram.finish()
        self.errors.raise_any()

    def begin(self, line: int, title: str = "") -> Diagram:
        """Add a diagram that begins in this line, and return it."""
        self._drawn.append(Diagram(self.errors, line, title))
        return self._drawn[-1]

    @property
    def title(self) -> str:
        """The title of the only diagram; empty without a title, or with several diagrams."""
        return self._drawn[0].title if len(self._drawn) == 1 else ""

    def program(self) -> NamedProgram:
        """The program of the only diagram.  Raises InputError for several diagrams, and for blocks."""
        first, *others = self._drawn
        for other in others:
            raise refused(
                other.line, "a second diagram", "a layer is one diagram: give the file to phases alone"
            )
        return first.program()

    def protocol(self) -> "DrawnProtocol | None":
        """The protocol of the file; None if the file is a single layer.  Raises InputError."""
        if len(self._drawn) == 1 and not self._drawn[0].has_layers:
            return None
        return drawn_protocol(self._drawn)


def _tips(items: Sequence[Item]) -> Iterator[Tip]:
    """The tips of all arrows, also in blocks."""
    for item in items:
        if isinstance(item, Tip):
            yield item
        elif isinstance(item, Block):
            for section in item.sections:
                yield from _tips(section)


def _require_disjoint(block: Block) -> None:
    known: set[str] = set()
    for section in block.sections:
        _require_no_break(block, section)
        here = {name for tip in _tips(section) for name in (tip.sender, tip.receiver)}
        if both := known & here:
            reason = (
                f"'{min(both)}' is in two of the sections, so the order of its events is open: draw an order"
            )
            raise refused(block.line, f"'{block.word}'", reason)
        known |= here


def _require_no_break(block: Block, section: Sequence[Item]) -> None:
    for each in section:
        if isinstance(each, Block) and each.word == "break":
            reason = f"a break in '{block.word}' may leave more than this block: draw it outside"
            raise refused(each.line, "'break'", reason)


@dataclass(frozen=True)
class DrawnProtocol:
    """A regular expression of layers, from diagrams or from the phases of a trace."""

    processes: tuple[str, ...]
    layers: Mapping[str, Layer]
    expression: Expression


def drawn_protocol(diagrams: Sequence[Diagram]) -> DrawnProtocol:
    """The protocol of diagrams that come one after the other.  Raises InputError, with the line.

    >>> from sealcheck.language.mermaid import read_mermaid
    >>> found = Diagrams(read_mermaid, "sequenceDiagram\\nA->>B: x\\nloop daily\\nB->>A: y\\nend").protocol()
    >>> found.layers
    {'line 2': 'mt A->B', 'line 4': 'mt B->A'}
    >>> found.expression
    ('then', 0, ('any', 1))
    """
    names = tuple(dict.fromkeys(name for diagram in diagrams for name in diagram.names))
    layers = _Layers(Names(names), diagrams[0].errors)
    parts = []
    for number, diagram in enumerate(diagrams, 1):
        title = (diagram.title or f"diagram {number}") if len(diagrams) > 1 else ""
        parts.append(layers.whole(diagram.items, title))
    layers.errors.raise_any()
    if not layers.found:
        raise InputError("the diagram has no message")
    return DrawnProtocol(names, layers.titled(), _then(parts))


class _Path(NamedTuple):
    """A part of a diagram: expressions of its executions without a ``break``, and with one at the end."""

    whole: Expression
    broken: Expression | None = None


class _Layers:
    def __init__(self, names: Names, errors: Errors) -> None:
        self.found: list[tuple[str, list[Tip]]] = []
        self.errors = errors
        self._names = names
        self._title = ""

    def whole(self, items: Sequence[Item], title: str) -> Expression:
        """The expression of a diagram.  `title` names the layers before the first divider."""
        self._title = title
        path = self._path(items)
        return path.whole if path.broken is None else ("or", path.whole, path.broken)

    def titled(self) -> dict[str, str]:
        """The text of each layer, by title.  Line numbers replace missing titles, and mark equal ones."""
        shared = Counter(title for title, _ in self.found)
        texts = {}
        for title, tips in self.found:
            first, last = tips[0].line, tips[-1].line
            place = f"line {first}" if first == last else f"lines {first}-{last}"
            only = title and shared[title] == 1 and title not in texts
            texts[title if only else f"{title}, {place}" if title else place] = self._text(tips)
        return texts

    def _text(self, tips: Sequence[Tip]) -> str:
        said: list[str] = []
        name = {each: self._names.quoted(k) for k, each in enumerate(self._names.listed, 1)}
        for _, is_send, sender, receiver in tips:
            arrow = f"{name[sender]}->{name[receiver]}"
            if is_send:
                said.append(f"snd {arrow}")
            elif said and said[-1] == f"snd {arrow}":
                said[-1] = f"mt {arrow}"
            else:
                said.append(f"rcv {name[receiver]}<-{name[sender]}")
        return "; ".join(said)

    def _path(self, items: Sequence[Item]) -> _Path:
        parts: list[Expression] = []
        broken: list[Expression] = []
        run: list[Tip] = []
        for item in items:
            if isinstance(item, Tip):
                run.append(item)
                continue
            parts += self._layer(run)
            run = []
            if isinstance(item, Divider):
                self._title = item.title
            elif item.word == "break":
                broken.append(_then([*parts, self._unbroken(item)[0]]))
            else:
                parts.append(self._block(item))
        parts += self._layer(run)
        return _Path(_then(parts), _or(broken) if broken else None)

    def _block(self, block: Block) -> Expression:
        if block.word == "loop":
            path = self._path(block.sections[0])
            again: Expression = ("any", path.whole)
            return again if path.broken is None else _then([again, ("or", path.broken, NOTHING)])
        first, *others = self._unbroken(block)
        if block.word == "critical":
            return _then([first, ("or", *others, NOTHING)])
        return _or([first, *others]) if others else ("or", first, NOTHING)

    def _unbroken(self, block: Block) -> list[Expression]:
        """The expressions of the sections of a block.  Raises InputError if a section has a ``break``."""
        paths = [self._path(section) for section in block.sections]
        for section in block.sections:
            self.errors.tried(partial(_require_no_break, block, section))
        return [path.whole for path in paths]

    def _layer(self, run: list[Tip]) -> list[Expression]:
        if not run:
            return []
        under_way = Counter[tuple[str, str]]()
        for tip in run:
            under_way[tip.sender, tip.receiver] += 1 if tip.is_send else -1
        if any(under_way.values()):
            reason = "it must arrive in the same layer: move the boundary"
            self.errors.add(refused(run[0].line, "a slanted arrow", reason))
        self.found.append((self._title, run))
        return [len(self.found) - 1]


def _then(parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else ("then", *parts)


def _or(parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else ("or", *parts)


class Statement(NamedTuple):
    """A statement: its form, and its tokens that matter for messages."""

    form: str
    tokens: tuple[Token, ...]

    def of(self, kinds: Container[str]) -> list[Token]:
        """The tokens of these kinds."""
        return [each for each in self.tokens if each.type in kinds]


class Language:
    """A reader of statements.  `usage` has the right form of statements, by keyword."""

    def __init__(self, name: str, usage: Mapping[str, str], otherwise: str) -> None:
        self._name = name
        self._usage = usage
        self._otherwise = otherwise

    def read(self, number: int, text: str, shown: str = "") -> Statement:
        """The statement of a text.  Raises InputError, with the text, if no grammar rule matches it.

        >>> arrows = Language("mermaid", {"note": "Note over A: text"}, "not an arrow")
        >>> arrows.read(1, "A->>B: put x")
        Statement(form='message', tokens=(Token('NAME', 'A'), Token('ARROW', '->>'), Token('NAME', 'B')))
        >>> arrows.read(2, "note: x")
        Traceback (most recent call last):
        sealcheck.errors.InputError: line 2: 'note: x': write Note over A: text
        """
        try:
            tree: Tree[Token] = _parser(self._name).parse(text)
        except UnexpectedInput:
            keyword = re.match(r"\w+|\W", text)
            usage = self._usage.get(keyword[0].lower()) if keyword else None
            reason = f"write {usage}" if usage else self._otherwise
            raise refused(number, f"'{abridged(shown or text)}'", reason) from None
        return Statement(str(tree.data), tuple(each for each in tree.children if isinstance(each, Token)))


@cache
def _parser(name: str) -> Lark:
    grammar = files("sealcheck.language").joinpath(f"{name}.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)
