"""Names of processes, and program text with named processes: ``mt client->server``.

Program text with names is straight-line and has no data.  A name starts with a letter or an underscore, or is
in quotes.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice

from sealcheck.errors import InputError
from sealcheck.language.messages import abridged, error_at, named_correction, pointing
from sealcheck.programs.ports import Port, tagged
from sealcheck.programs.straight_line import Channel, Event, StraightLine, rcv, snd, text
from sealcheck.words import harmless


def require_name(name: str, where: str = "") -> str:
    """The name of a process.  Raises InputError if program text could not show it unambiguously.

    >>> require_name("the server")
    'the server'
    >>> require_name("a\\x1b[2J", "line 3: ")
    Traceback (most recent call last):
    sealcheck.errors.InputError: line 3: the name 'a\\x1b[2J' has the character U+001B, which is not shown
    """
    unshown = next((letter for letter in name if not letter.isprintable()), None)
    if unshown:
        wrong = f"has the character U+{ord(unshown):04X}, which is not shown"
    elif not unicodedata.is_normalized("NFC", name):
        wrong = "is decomposed, and looks like another name: write it composed (Unicode NFC)"
    elif '"' in name:
        wrong = "has a quotation mark, which ends a name in program text"
    elif not name or name != name.strip():
        wrong = "is empty, or begins or ends with a blank"
    else:
        return name
    shown = harmless(name[:40], also="") if unicodedata.is_normalized("NFC", name) else ascii(name[:40])[1:-1]
    raise InputError(f"{where}the name '{shown}' {wrong}")


@dataclass(frozen=True)
class Names:
    """The names of the processes 1, 2 and so on; by default their numbers.

    >>> from sealcheck.programs.straight_line import mt
    >>> names = Names(("client", "server"))
    >>> names.program(StraightLine.of(2, mt(1, 2)))
    'mt client->server'
    >>> NUMBERS.event(mt(1, 2)[1])
    'rcv 2<-1'
    """

    listed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises InputError as `require_name` does."""
        for name in self.listed:
            require_name(name)

    def process(self, number: int) -> str:
        """The name of a process."""
        return self.listed[number - 1] if self.listed else str(number)

    def widened(self, n: int) -> "Names":
        """The names of the processes 1..n; added processes are called idle1, idle2 and so on.

        >>> Names(("client", "server")).widened(3).listed
        ('client', 'server', 'idle1')
        """
        free = (name for k in count(1) if (name := f"idle{k}") not in self.listed)
        return Names((*self.listed, *islice(free, n - len(self.listed))))

    def said(self, sentence: str) -> str:
        """The sentence, in which names replace the numbers in channels such as ``1->2``."""
        return self._renamed(sentence, self.process)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """In the message of any InputError, replace numbers by names in channels."""
        try:
            yield
        except InputError as error:
            if not self.listed:
                raise
            raise InputError(self.said(str(error))) from None

    def quoted(self, number: int) -> str:
        """The name of a process, as program text writes it."""
        name = self.process(number)
        return name if not self.listed or re.fullmatch(r"[^\W\d]\w*", name) else f'"{name}"'

    def processes(self, numbers: Iterable[int]) -> list[str]:
        """The names of processes."""
        return [*map(self.process, numbers)]

    def channels(self, channels: Iterable[Channel]) -> list[str]:
        """The names of channels."""
        return [*map(self.channel, channels)]

    def channel(self, channel: Channel) -> str:
        """The name of a channel."""
        return f"{self.process(channel.sender)}->{self.process(channel.receiver)}"

    def port(self, port: Port) -> str:
        """The name of a port, in the form of receives on it: ``b<-a``."""
        sender = self.process(port.sender) if port.sender else "*"
        return f"{self.process(port.reader)}<-{sender}{tagged(port.tag)}"

    def quoted_port(self, port: Port) -> str:
        """The port, as receives on it are written in program text: ``"the server"<-a``."""
        return self._renamed(str(port), self.quoted)

    def event(self, event: Event) -> str:
        """An event as program text."""
        return self.events([event])

    def program(self, program: StraightLine) -> str:
        """The text of a program that does not deadlock."""
        return self.events(program.linearization)

    def events(self, events: Sequence[Event]) -> str:
        """Events as program text."""
        return self._renamed(text(events), self.quoted)

    def _renamed(self, sentence: str, name: Callable[[int], str]) -> str:
        if not self.listed:
            return sentence
        ends = re.compile(r"(\d+)(->|<-)(\d+|\*)")
        return ends.sub(
            lambda m: name(int(m[1])) + m[2] + (m[3] if m[3] == "*" else name(int(m[3]))), sentence
        )


NUMBERS = Names()
"""Processes without names."""


@dataclass(frozen=True)
class NamedProgram:
    """A straight-line program over named processes; process k is the k-th of `names`."""

    names: tuple[str, ...]
    events: tuple[Event, ...]


def together(programs: Iterable[NamedProgram]) -> tuple[list[StraightLine], Names]:
    """The programs over all processes that at least one of the programs names.

    Processes are numbered in the order of their first mention.

    >>> from sealcheck.programs.straight_line import mt
    >>> first, second = NamedProgram(("a", "b"), mt(1, 2)), NamedProgram(("c", "b"), mt(1, 2))
    >>> programs, names = together([first, second])
    >>> names.listed, str(programs[1])
    (('a', 'b', 'c'), 'mt 3->2')
    """
    programs = list(programs)
    numbers: dict[str, int] = {}
    for program in programs:
        for name in program.names:
            numbers.setdefault(name, len(numbers) + 1)
    found = []
    for program in programs:
        at = [numbers[name] for name in program.names]
        renamed = {
            event: Event(event.kind, at[event.sender - 1], at[event.receiver - 1])
            for event in set(program.events)
        }
        found.append(StraightLine.of(len(numbers), map(renamed.__getitem__, program.events)))
    return found, Names(tuple(numbers))


class Naming:
    """A program with named processes while it is read."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._events: list[Event] = []

    def number(self, name: str) -> int:
        """The number of a process, by first mention."""
        return self._numbers.setdefault(name, len(self._numbers) + 1)

    def send(self, sender: str, receiver: str) -> None:
        """Add a send."""
        self._events.append(snd(self.number(sender), self.number(receiver)))

    def receive(self, receiver: str, sender: str) -> None:
        """Add a receive."""
        by = self.number(receiver)
        self._events.append(rcv(by, self.number(sender)))

    def program(self) -> NamedProgram:
        """The program read so far."""
        return NamedProgram(tuple(self._numbers), tuple(self._events))


_NAME = r'([^\W\d]\w*|"[^"]+")'
_NAMED = re.compile(r'\b(?:mt|snd|rcv)[ \t]+(?:[^\W\d]|")')
_SEND = re.compile(rf"(mt|snd)\s+{_NAME}\s*->\s*{_NAME}")
_RECEIVE = re.compile(rf"rcv\s+{_NAME}\s*<-\s*{_NAME}")


def is_named(text: str) -> bool:
    """Whether a text names a process instead of giving its number.

    >>> is_named("mt client->server"), is_named("mt 1->2")
    (True, False)
    """
    return any(map(_NAMED.search, _lines(text)))


def parse_named(text: str) -> NamedProgram:
    """The program that a text denotes.  Raises InputError, with line and column.

    >>> parse_named("snd a->b  # a comment").names
    ('a', 'b')
    >>> try:
    ...     parse_named("mt a->b; mt 1->2")
    ... except InputError as error:
    ...     print(error)
    ...     print(*error.__notes__)
    line 1, column 10: 'mt 1->2' is not a statement with named processes, such as \
mt a->b: give all processes numbers, or all names
      mt a->b; mt 1->2
               ^
    """
    program = Naming()
    for number, column, statement in statements(text):
        if statement == "eps":
            continue
        if found := _SEND.fullmatch(statement):
            word, *ends = found.groups()
            sender, receiver = (_named(number, end) for end in ends)
            program.send(sender, receiver)
            if word == "mt":
                program.receive(receiver, sender)
        elif found := _RECEIVE.fullmatch(statement):
            receiver, sender = (_named(number, end) for end in found.groups())
            program.receive(receiver, sender)
        else:
            meant = named_correction(statement)
            what = f"'{abridged(statement)}' is not a statement with named processes, such as mt a->b"
            error = error_at(number, column, f"{what}: {meant}" if meant else what)
            raise pointing(error, text, number, column)
    return program.program()


def statements(text: str) -> Iterator[tuple[int, int, str]]:
    """The statements of a text, each with its line and column.  Semicolons and line breaks separate them.

    >>> list(statements("mt a->b; # ack\\n mt b->a"))
    [(1, 1, 'mt a->b'), (2, 2, 'mt b->a')]
    """
    for number, line in enumerate(_lines(text), 1):
        for part in re.finditer(r'(?:"[^"]*"|[^;])+', line):
            if statement := part[0].strip():
                yield number, part.start() + part[0].index(statement) + 1, statement


def _lines(text: str) -> list[str]:
    return [*map(without_comment, text.split("\n"))]


def without_comment(line: str) -> str:
    """A line without its comment."""
    return re.sub(r'("[^"]*")|#.*', lambda found: found[1] or "", line)


def _named(line: int, written: str) -> str:
    return require_name(written.strip('"'), f"line {line}: ")
