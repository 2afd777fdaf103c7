"""The parser of the program language; `grammar.lark` beside it is the grammar.

Statements are joined by ``;`` or line breaks.  A line break separates only where a statement
can follow it, so a line that starts or ends with an operator, a bracket or a word such as
``else`` continues; data in parentheses stand on the line of their ``snd``, ``rcv`` or ``mt``.
``+`` after an expression adds, except in front of a statement, where it is the choice:
``1.x := 1 + 1.x := 2`` chooses between two assignments.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from typing import NamedTuple, assert_never, cast

from lark import Lark
from lark.exceptions import UnexpectedInput

from sealcheck.errors import InputError
from sealcheck.language.builder import Builder, Construct
from sealcheck.language.expressions import MAX_PROCESSES, Mention, abridged
from sealcheck.language.messages import describe, pointing
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
)


class _Reading(NamedTuple):
    program: Program
    largest: Mention
    branching: Construct | None


_PLACE = re.compile(r"^line (\d+), column (\d+): ")
_READING = Lock()  # one builder, and so one text at a time


def parse(text: str) -> Program:
    """The program that `text` denotes, in the syntax of the paper's whole language.

    The empty text is the empty program.  ``mt``, ``if``, ``while``, ``<=``, ``>``, ``>=`` and
    ``!=`` are read as what they abbreviate.  Raises InputError, with line and column, where
    the text is not a program, an expression mixes variables of several processes, brackets
    are nested more than 50 deep, or a process is not in 1..10000.  Linear time.

    >>> parse("mt 1->2 (x + 1 -> y); cut")  # doctest: +NORMALIZE_WHITESPACE
    Layering(parts=(Send(sender=1, receiver=2,
                         content=Sum(terms=(Variable(process=1, name='x'), Integer(value=1)))),
                    Receive(receiver=2, sender=1, variable=Variable(process=2, name='y')),
                    Cut()))
    >>> parse("while 1.x < 3 do eps od") == parse("([1.x < 3]; eps)*; [not 1.x < 3]")
    True
    >>> try:
    ...     parse("snd 1>2")
    ... except InputError as error:
    ...     print(error)
    ...     print(*error.__notes__)
    line 1, column 6: expected '->', found '>': did you mean 'snd 1->2'?
      snd 1>2
           ^
    """
    return _read(text).program


def parse_straight_line(text: str, n: int | None = None) -> StraightLine:
    """The straight-line program over the processes 1..n that `text` denotes.

    Without `n`, that is the largest process named (1 where none is).  Assignments and data
    are dropped, though their processes count as named: sealing of straight-line programs does
    not depend on contents, because a receive accepts whatever value the message carries.

    Raises InputError as `parse` does, and where the text has a guard, a cut, a choice or a
    repetition, or names a process above `n`.  Linear time, a few microseconds a statement.

    >>> print(parse_straight_line("snd 1->2 (x); 2.y := 5; rcv 2<-1 (z)", n=3))
    mt 1->2
    >>> try:
    ...     parse_straight_line("mt 1->2; cut")
    ... except InputError as error:
    ...     print(error)
    ...     print(*error.__notes__)
    the program is not straight-line: it has a cut at line 1, column 10
      mt 1->2; cut
               ^
    """
    program, largest, branching = _read(text)
    if branching:
        where = f"{branching.what} at line {branching.line}, column {branching.column}"
        error = InputError(f"the program is not straight-line: it has {where}")
        raise pointing(error, text, branching.line, branching.column)
    return StraightLine.of(_processes(largest, n), _events(program))


def parse_over(text: str, n: int | None = None) -> tuple[Program, int]:
    """The program that `text` denotes, as `parse` reads it, and the number of its processes.

    Without `n`, that is the largest process named (1 where none is).  Raises InputError as `parse` does,
    and where the text names a process above `n`.

    >>> parse_over("cut")
    (Cut(), 1)
    """
    reading = _read(text)
    return reading.program, _processes(reading.largest, n)


def require_process_count(n: int) -> None:
    """Raise InputError unless there can be so many processes."""
    if type(n) is not int or not 1 <= n <= MAX_PROCESSES:  # not isinstance: True is an int to Python
        raise InputError(f"n must be in 1..{MAX_PROCESSES}, not {abridged(str(n))}")


def _processes(largest: Mention, n: int | None) -> int:
    """The number of processes: `n`, by default the largest one named.  Raises InputError."""
    if n is None:
        n = max(1, largest.process)
    require_process_count(n)
    if largest.process > n:
        where = f"line {largest.line}, column {largest.column}"
        raise InputError(f"process {largest.process} is named at {where}, but n is {n}")
    return n


def _read(text: str) -> _Reading:
    with _READING:
        lark, builder = _parser()
        try:
            program = cast(Program, lark.parse(text))  # what the builder makes of the start rule
            return _Reading(program, builder.largest, builder.branching)
        except UnexpectedInput as error:
            raise describe(error, text) from None
        except InputError as error:
            line, column = _PLACE.findall(str(error))[0]
            raise pointing(error, text, int(line), int(column)) from None
        finally:
            builder.reset()


@cache
def _parser() -> tuple[Lark, Builder]:
    grammar = files(__package__).joinpath("grammar.lark").read_text("utf-8")
    builder = Builder()
    return Lark(grammar, parser="lalr", transformer=builder), builder


def _events(program: Program) -> Iterator[Event]:
    """The sends and receives of a straight-line program, from left to right."""
    parts = program.parts if isinstance(program, Layering) else (program,)
    for part in parts:
        if isinstance(part, Send):
            yield _shared_send(part.sender, part.receiver)
        elif isinstance(part, Receive):
            yield _shared_receive(part.receiver, part.sender)
        elif isinstance(part, Layering):
            yield from _events(part)
        elif isinstance(part, Guard | Cut | Choice | Repetition):
            raise ValueError(f"no part of a straight-line program: {part}")
        elif not isinstance(part, Eps | Assignment):
            assert_never(part)


# A long program repeats few events; sharing them keeps a million statements in little memory.
_shared_send, _shared_receive = lru_cache(2**16)(snd), lru_cache(2**16)(rcv)
