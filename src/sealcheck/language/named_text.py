"""Program text over named processes: ``mt client->server; rcv server<-client``.

Straight-line programs without data only.  A name starts with a letter or an underscore, or stands in quotes.
"""

import re

from sealcheck.errors import InputError
from sealcheck.language.expressions import abridged, error_at
from sealcheck.language.messages import named_correction, pointing
from sealcheck.language.names import NamedProgram, Naming, require_name

_NAME = r'([^\W\d]\w*|"[^"]+")'
_NAMED = re.compile(r'\b(?:mt|snd|rcv)[ \t]+(?:[^\W\d]|")')
_SEND = re.compile(rf"(mt|snd)\s+{_NAME}\s*->\s*{_NAME}")
_RECEIVE = re.compile(rf"rcv\s+{_NAME}\s*<-\s*{_NAME}")


def is_named(text: str) -> bool:
    """Whether a text calls a process by a name.

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
    line 1, column 10: 'mt 1->2' is no statement over named processes, such as \
mt a->b: give all processes numbers, or all names
      mt a->b; mt 1->2
               ^
    """
    program = Naming()
    for number, line in enumerate(_lines(text), 1):
        for part in re.finditer(r'(?:"[^"]*"|[^;])+', line):
            statement = part[0].strip()
            if statement in ("", "eps"):
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
                raise _no_statement(statement, text, number, part.start() + part[0].index(statement) + 1)
    return program.program()


def _lines(text: str) -> list[str]:
    """The lines without comments, which do not start in a name."""
    return [re.sub(r'("[^"]*")|#.*', lambda found: found[1] or "", line) for line in text.split("\n")]


def _named(line: int, written: str) -> str:
    return require_name(written.strip('"'), f"line {line}: ")


def _no_statement(statement: str, text: str, line: int, column: int) -> InputError:
    meant = named_correction(statement)
    what = f"'{abridged(statement)}' is not a statement with named processes, such as mt a->b"
    error = error_at(line, column, f"{what}: {meant}" if meant else what)
    return pointing(error, text, line, column)
