"""The parser of the program language; its grammar is `grammar.lark`.

**Line breaks** and ``;`` join statements.  In two cases, a line break does not end a statement:

- The line ends with an opening bracket, an operator that needs a right side, or a word such as ``else``.
- The next line starts with a closing bracket, an operator, or a word such as ``else``.

Data in parentheses must be on the line of their ``snd``, ``rcv`` or ``mt``.

**The sign +** after an expression adds.  In front of a statement, it is a choice.  For example, ``1.x := 1 +
1.x := 2`` chooses between two assignments.

**Variables.** In ``snd 1->2 (x)``, the ``x`` is a variable of process 1, the sender.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from typing import Any, NamedTuple, assert_never, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from sealcheck.errors import InputError
from sealcheck.language.messages import abridged, describe, error_at, pointing
from sealcheck.programs import syntax
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd
from sealcheck.programs.syntax import Formula, Program, layered

# ruff: noqa: D102 - a callback does what the grammar rule of its name says

MAX_PROCESSES = 10_000
MAX_DIGITS = 1_000
"""The most digits of a number."""
MAX_NESTING = 50
"""The deepest nesting of parentheses.  It bounds the depth of all recursions over programs."""

_NUMBER = re.compile("[0-9]+")


class Mention(NamedTuple):
    """The place at which a process is first named."""

    process: int
    line: int
    column: int


class Construct(NamedTuple):
    """The place of a construct that straight-line programs cannot have."""

    what: str
    line: int
    column: int


def _of_all(node: Callable[..., Any]) -> Callable[["Builder", list[Any]], Any]:
    """A callback that makes a node with any number of children."""
    return lambda builder, children: node(tuple(children))


def _of_each(node: Callable[..., Any]) -> Callable[["Builder", list[Any]], Any]:
    """A callback that makes a node; its fields are the children."""
    return lambda builder, children: node(*children)


class Builder(Transformer[Token, Program]):
    """Callbacks for the whole grammar: terminals have upper-case names, rules have lower-case names.

    `largest` is the highest process number in the text.  `branching` is the first construct that
    straight-line programs cannot have.
    """

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        """Forget the text just read."""
        self.largest = Mention(0, 1, 1)  # the largest process named
        self.branching: Construct | None = None
        self._owner: int | None = None  # whose variables the expression is over; None if still open
        self._bare_names = False  # whether a variable may be named without its process
        self._depth = 0
        self._plain: dict[str, Any] = {}  # equal statements share one object: long texts repeat few

    def start(self, children: list[Program]) -> Program:
        return children[0] if children else syntax.Eps()

    choice, product = _of_all(syntax.Choice), _of_all(syntax.Product)
    disjunction, conjunction = _of_all(syntax.Or), _of_all(syntax.And)
    assignment, guard = _of_each(syntax.Assignment), _of_each(syntax.Guard)
    not_, negation = _of_each(syntax.Not), _of_each(syntax.Negation)

    def layering(self, children: list[Any]) -> Program:
        parts: list[Program] = []
        for child in children:
            if isinstance(child, tuple):  # an abbreviation that stands for several parts
                parts += child
            else:
                parts.append(child)
        return syntax.Layering(tuple(parts)) if len(parts) > 1 else parts[0]

    def SEND(self, token: Token) -> syntax.Send:
        statement: syntax.Send = self._plain.get(token.value) or self._remember(token, self.spread_send)
        self._owner, self._bare_names = statement.sender, True
        return statement

    def RECEIVE(self, token: Token) -> syntax.Receive:
        statement: syntax.Receive = self._plain.get(token.value) or self._remember(token, self.spread_receive)
        return statement

    def TRANSMIT(self, token: Token) -> tuple[syntax.Send, syntax.Receive]:
        statements: tuple[syntax.Send, syntax.Receive]
        statements = self._plain.get(token.value) or self._remember(token, self.spread_transmit)
        self._owner, self._bare_names = statements[0].sender, True
        return statements

    def _remember(self, token: Token, spread: Callable[[list[int]], Any]) -> Any:
        line, column = position(token)
        numbers = _NUMBER.finditer(token.value)
        processes = [self._process(number[0], line, column + number.start()) for number in numbers]
        self._plain[token.value] = statement = spread(processes)
        return statement

    def spread_send(self, children: list[int]) -> syntax.Send:
        sender, receiver = children
        self._owner, self._bare_names = sender, True
        return syntax.Send(sender, receiver)

    def spread_receive(self, children: list[int]) -> syntax.Receive:
        receiver, sender = children
        return syntax.Receive(receiver, sender)

    def spread_transmit(self, children: list[int]) -> tuple[syntax.Send, syntax.Receive]:
        sender, receiver = children
        return self.spread_send(children), syntax.Receive(receiver, sender)

    def send(self, children: list[Any]) -> syntax.Send:
        plain, content = children
        return syntax.Send(plain.sender, plain.receiver, content)

    def receive(self, children: list[Any]) -> syntax.Receive:
        plain, place = children
        return syntax.Receive(plain.receiver, plain.sender, self._place(place, plain.receiver))

    def transmit(self, children: list[Any]) -> tuple[syntax.Send, syntax.Receive]:
        (send, receive), content, place = children
        return self.send([send, content]), self.receive([receive, place])

    def _place(self, token: Token, receiver: int) -> syntax.Variable:
        if "." not in token:
            return syntax.Variable(receiver, str(token))
        return self._require_owner(self._variable(token), receiver, token)

    def TARGET(self, token: Token) -> syntax.Variable:
        variable = self._variable(token)
        self._owner, self._bare_names = variable.process, False
        return variable

    def repetition(self, children: list[Any]) -> syntax.Repetition:
        body, star = children
        self._not_straight("a repetition", star)
        return syntax.Repetition(body)

    def if_then_else(self, children: list[Any]) -> syntax.Choice:
        condition, yes, no = children
        return syntax.Choice(
            (layered(syntax.Guard(condition), yes), layered(syntax.Guard(syntax.Not(condition)), no))
        )

    def while_do(self, children: list[Any]) -> tuple[Program, ...]:
        condition, body = children
        return syntax.Repetition(layered(syntax.Guard(condition), body)), syntax.Guard(syntax.Not(condition))

    def EPS(self, token: Token) -> syntax.Eps:
        return syntax.Eps()

    def CUT(self, token: Token) -> syntax.Cut:
        self._not_straight("a cut", token)
        return syntax.Cut()

    def _CHOICE(self, token: Token) -> Token:
        return self._not_straight("a choice", token)

    def LSQB(self, token: Token) -> Token:
        return self._begin_side(self._not_straight("a guard", token))

    def _IF(self, token: Token) -> Token:
        # It abbreviates, and is printed as, something with up to two pairs of parentheses.
        return self._begin_side(self._nest(self._not_straight("an 'if'", token), 2))

    def _WHILE(self, token: Token) -> Token:
        return self._begin_side(self._nest(self._not_straight("a 'while'", token), 2))

    def _FI(self, token: Token) -> Token:
        return self._nest(token, -2)

    _OD = _FI

    def LPAR(self, token: Token) -> Token:
        return self._nest(token, 1)

    def RPAR(self, token: Token) -> Token:
        return self._nest(token, -1)

    def _nest(self, token: Token, levels: int) -> Token:
        self._depth += levels
        if self._depth > MAX_NESTING:
            raise error_at(*position(token), f"nested more than {MAX_NESTING} parentheses deep")
        return token

    def _not_straight(self, what: str, token: Token) -> Token:
        if self.branching is None:
            self.branching = Construct(what, *position(token))
        return token

    def comparison(self, children: list[Any]) -> Formula:
        left, operator, right = children
        match operator:
            case "=":
                return syntax.Equal(left, right)
            case "!=":
                return syntax.Not(syntax.Equal(left, right))
            case "<":
                return syntax.Less(left, right)
            case ">=":
                return syntax.Not(syntax.Less(left, right))
            case ">":
                return syntax.Less(right, left)
            case _:  # <=, the only other one in the grammar
                return syntax.Not(syntax.Less(right, left))

    def TRUE(self, token: Token) -> syntax.Truth:
        return syntax.Truth(True)

    def FALSE(self, token: Token) -> syntax.Truth:
        return syntax.Truth(False)

    def _begin_side(self, token: Token) -> Token:
        """Begin a side of a comparison, whose variables must belong to one process."""
        self._owner, self._bare_names = None, False
        return token

    COMPARISON = _AND = _OR = _begin_side

    def sum(self, children: list[Any]) -> syntax.Sum:
        first, *rest = children
        signed = zip(rest[::2], rest[1::2], strict=True)
        return syntax.Sum((first, *(term if sign == "+" else syntax.Negation(term) for sign, term in signed)))

    def INTEGER(self, token: Token) -> syntax.Integer:
        return syntax.Integer(_number(token, *position(token)))

    def VARIABLE(self, token: Token) -> syntax.Variable:
        variable = self._variable(token)
        if self._owner is None:
            self._owner = variable.process
        return self._require_owner(variable, self._owner, token)

    def NAME(self, token: Token) -> syntax.Variable:
        if not self._bare_names or self._owner is None:
            raise error_at(*position(token), f"'{abridged(token)}' needs its process in front, as in '1.x'")
        return syntax.Variable(self._owner, str(token))

    def PROCESS(self, token: Token) -> int:
        return self._process(token, *position(token))

    def _variable(self, token: Token) -> syntax.Variable:
        process, name = token.split(".")
        return syntax.Variable(self._process(process, *position(token)), name)

    def _require_owner(self, variable: syntax.Variable, owner: int, token: Token) -> syntax.Variable:
        if variable.process != owner:
            allowed = f"only variables of process {owner} can stand here"
            raise error_at(*position(token), f"{allowed}, not '{abridged(token)}'")
        return variable

    def _process(self, digits: str, line: int, column: int) -> int:
        process = _number(digits, line, column)
        if not 1 <= process <= MAX_PROCESSES:
            raise error_at(
                line, column, f"processes are numbered 1 to {MAX_PROCESSES}, not {abridged(digits)}"
            )
        if process > self.largest.process:
            self.largest = Mention(process, line, column)
        return process


def _number(digits: str, line: int, column: int) -> int:
    if len(digits) > MAX_DIGITS:
        raise error_at(line, column, f"the number has more than {MAX_DIGITS} digits")
    return int(digits)


def position(token: Token) -> tuple[int, int]:
    """Line and column, both from 1."""
    assert token.line is not None  # only tokens made by hand have no position
    assert token.column is not None
    return token.line, token.column


class _Reading(NamedTuple):
    program: Program
    largest: Mention
    branching: Construct | None


_PLACE = re.compile(r"^line (\d+), column (\d+): ")
_READING = Lock()  # one builder, and so one text at a time


def parse(text: str) -> Program:
    """The program that a text denotes, in the syntax of the paper's whole language.  Linear time.

    The empty text is the empty program.  ``mt``, ``if``, ``while``, ``<=``, ``>``, ``>=`` and ``!=`` are
    abbreviations.

    Raises InputError, with line and column, if

    - the text is not a program
    - an expression mixes variables of several processes
    - brackets are nested more than 50 deep
    - a process is not in 1..10000

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
    """The straight-line program over the processes 1..n that a text denotes.  Linear time.

    Assignments and data are dropped: without guards, no value decides which events happen.  Without `n`, the
    highest process number in the text is the number of processes, or 1 if the text names no process.

    Raises InputError as `parse` does.  Also raises InputError if the text has a guard, a cut, a choice or a
    repetition, or if it names a process above `n`.

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
    return StraightLine.of(_processes(largest, n), events_of(program))


def parse_over(text: str, n: int | None = None) -> tuple[Program, int]:
    """The program that a text denotes, and the number of its processes.

    Without `n`, the highest process number in the text is the number of processes, or 1 if the text names no
    process.  Raises InputError as `parse` does, or if the text names a process above `n`.

    >>> parse_over("cut")
    (Cut(), 1)
    """
    reading = _read(text)
    return reading.program, _processes(reading.largest, n)


def require_process_count(n: int) -> None:
    """Raise InputError if a program cannot have `n` processes."""
    if type(n) is not int or not 1 <= n <= MAX_PROCESSES:  # not isinstance: True is an int to Python
        raise InputError(f"n must be in 1..{MAX_PROCESSES}, not {abridged(str(n))}")


def _processes(largest: Mention, n: int | None) -> int:
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


def events_of(program: Program) -> Iterator[Event]:
    """The events of a straight-line program, from left to right.  Raises ValueError for other programs."""
    for part in program.parts if isinstance(program, syntax.Layering) else (program,):
        if isinstance(part, syntax.Send):
            yield _shared_send(part.sender, part.receiver)
        elif isinstance(part, syntax.Receive):
            yield _shared_receive(part.receiver, part.sender)
        elif isinstance(part, syntax.Layering):
            yield from events_of(part)
        elif isinstance(part, syntax.Guard | syntax.Cut | syntax.Choice | syntax.Repetition):
            raise ValueError(f"not allowed in a straight-line program: {part}")
        elif not isinstance(part, syntax.Eps | syntax.Assignment):
            assert_never(part)


# A long program repeats few events; sharing them keeps a million statements in little memory.
_shared_send, _shared_receive = lru_cache(2**16)(snd), lru_cache(2**16)(rcv)
