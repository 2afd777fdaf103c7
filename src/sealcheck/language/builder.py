# ruff: noqa: D102 - a callback does what the grammar rule of its name says
"""Build the syntax of a program while its text is parsed; there is no parse tree in between.

Text is read from left to right, so the builder always knows whose variables the current expression is over.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lark import Token, Transformer

from sealcheck.errors import InputError
from sealcheck.programs.syntax import (
    And,
    Assignment,
    Choice,
    Cut,
    Eps,
    Equal,
    Expression,
    Formula,
    Guard,
    Integer,
    Layering,
    Less,
    Negation,
    Not,
    Or,
    Product,
    Program,
    Receive,
    Repetition,
    Send,
    Sum,
    Truth,
    Variable,
    layered,
)

MAX_PROCESSES = 10_000
MAX_DIGITS = 1_000
"""Digits of a number; Python refuses to print much longer integers."""


class Mention(NamedTuple):
    """The place at which a process is named for the first time."""

    process: int
    line: int
    column: int


class ExpressionBuilder(Transformer[Token, Program]):
    """Callbacks for expressions and conditions: upper-case names are terminals, lower-case ones rules."""

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        """Forget the text just read."""
        self.largest = Mention(0, 1, 1)  # the largest process named
        self._owner: int | None = None  # whose variables the expression is over; None if still open
        self._bare_names = False  # whether a variable may be named without its process

    def disjunction(self, children: list[Formula]) -> Or:
        return Or(tuple(children))

    def conjunction(self, children: list[Formula]) -> And:
        return And(tuple(children))

    def not_(self, children: list[Formula]) -> Not:
        return Not(children[0])

    def comparison(self, children: list[Any]) -> Formula:
        left, operator, right = children
        match operator:
            case "=":
                return Equal(left, right)
            case "!=":
                return Not(Equal(left, right))
            case "<":
                return Less(left, right)
            case ">=":
                return Not(Less(left, right))
            case ">":
                return Less(right, left)
            case _:  # <=, the only other one in the grammar
                return Not(Less(right, left))

    def TRUE(self, token: Token) -> Truth:
        return Truth(True)

    def FALSE(self, token: Token) -> Truth:
        return Truth(False)

    def _begin_side(self, token: Token) -> Token:
        """Each side of a comparison is over one process: that of its first variable."""
        self._owner, self._bare_names = None, False
        return token

    COMPARISON = _AND = _OR = _begin_side

    def sum(self, children: list[Any]) -> Sum:
        first, *rest = children
        signed = zip(rest[::2], rest[1::2], strict=True)
        return Sum((first, *(term if sign == "+" else Negation(term) for sign, term in signed)))

    def product(self, children: list[Expression]) -> Product:
        return Product(tuple(children))

    def negation(self, children: list[Expression]) -> Negation:
        return Negation(children[0])

    def INTEGER(self, token: Token) -> Integer:
        return Integer(_number(token, *position(token)))

    def VARIABLE(self, token: Token) -> Variable:
        variable = self._variable(token)
        if self._owner is None:
            self._owner = variable.process
        return self._require_owner(variable, self._owner, token)

    def NAME(self, token: Token) -> Variable:
        if not self._bare_names or self._owner is None:
            raise error_at(*position(token), f"'{abridged(token)}' needs its process in front, as in '1.x'")
        return Variable(self._owner, str(token))

    def PROCESS(self, token: Token) -> int:
        return self._process(token, *position(token))

    def _variable(self, token: Token) -> Variable:
        process, name = token.split(".")
        return Variable(self._process(process, *position(token)), name)

    def _require_owner(self, variable: Variable, owner: int, token: Token) -> Variable:
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


def abridged(word: str) -> str:
    """The word, or its beginning if it is too long for a message."""
    return word if len(word) <= 20 else f"{word[:20]}…"


def error_at(line: int, column: int, what: str) -> InputError:
    """The error that `what` is wrong at that place."""
    return InputError(f"line {line}, column {column}: {what}")


MAX_NESTING = 50
"""Depth of parentheses; keeps every recursion over a program shallow."""

_NUMBER = re.compile("[0-9]+")


class Construct(NamedTuple):
    """The place of a construct that straight-line programs do not have."""

    what: str
    line: int
    column: int


class Builder(ExpressionBuilder):
    """Callbacks for the whole grammar: upper-case names are terminals, lower-case ones rules.

    After a text, `largest` is the largest process named in it, and `branching` the first
    construct that is not straight-line.
    """

    def reset(self) -> None:
        """Forget the text just read."""
        super().reset()
        self.branching: Construct | None = None
        self._depth = 0
        self._plain: dict[str, Any] = {}  # equal statements share one object: long texts repeat few

    def start(self, children: list[Program]) -> Program:
        return children[0] if children else Eps()

    def choice(self, children: list[Program]) -> Choice:
        return Choice(tuple(children))

    def layering(self, children: list[Any]) -> Program:
        parts: list[Program] = []
        for child in children:
            if isinstance(child, tuple):  # an abbreviation that stands for several parts
                parts += child
            else:
                parts.append(child)
        return Layering(tuple(parts)) if len(parts) > 1 else parts[0]

    def SEND(self, token: Token) -> Send:
        statement: Send = self._plain.get(token.value) or self._remember(token, self.spread_send)
        self._owner, self._bare_names = statement.sender, True
        return statement

    def RECEIVE(self, token: Token) -> Receive:
        statement: Receive = self._plain.get(token.value) or self._remember(token, self.spread_receive)
        return statement

    def TRANSMIT(self, token: Token) -> tuple[Send, Receive]:
        statements: tuple[Send, Receive]
        statements = self._plain.get(token.value) or self._remember(token, self.spread_transmit)
        self._owner, self._bare_names = statements[0].sender, True
        return statements

    def _remember(self, token: Token, spread: Callable[[list[int]], Any]) -> Any:
        line, column = position(token)
        numbers = _NUMBER.finditer(token.value)
        processes = [self._process(number[0], line, column + number.start()) for number in numbers]
        self._plain[token.value] = statement = spread(processes)
        return statement

    def spread_send(self, children: list[int]) -> Send:
        sender, receiver = children
        self._owner, self._bare_names = sender, True
        return Send(sender, receiver)

    def spread_receive(self, children: list[int]) -> Receive:
        receiver, sender = children
        return Receive(receiver, sender)

    def spread_transmit(self, children: list[int]) -> tuple[Send, Receive]:
        sender, receiver = children
        return self.spread_send(children), Receive(receiver, sender)

    def send(self, children: list[Any]) -> Send:
        plain, content = children
        return Send(plain.sender, plain.receiver, content)

    def receive(self, children: list[Any]) -> Receive:
        plain, place = children
        return Receive(plain.receiver, plain.sender, self._place(place, plain.receiver))

    def transmit(self, children: list[Any]) -> tuple[Send, Receive]:
        (send, receive), content, place = children
        return self.send([send, content]), self.receive([receive, place])

    def _place(self, token: Token, receiver: int) -> Variable:
        if "." not in token:
            return Variable(receiver, str(token))
        return self._require_owner(self._variable(token), receiver, token)

    def TARGET(self, token: Token) -> Variable:
        variable = self._variable(token)
        self._owner, self._bare_names = variable.process, False
        return variable

    def assignment(self, children: list[Any]) -> Assignment:
        target, value = children
        return Assignment(target, value)

    def guard(self, children: list[Formula]) -> Guard:
        return Guard(children[0])

    def repetition(self, children: list[Any]) -> Repetition:
        body, star = children
        self._not_straight("a repetition", star)
        return Repetition(body)

    def if_then_else(self, children: list[Any]) -> Choice:
        condition, yes, no = children
        return Choice((layered(Guard(condition), yes), layered(Guard(Not(condition)), no)))

    def while_do(self, children: list[Any]) -> tuple[Program, ...]:
        condition, body = children
        return Repetition(layered(Guard(condition), body)), Guard(Not(condition))

    def EPS(self, token: Token) -> Eps:
        return Eps()

    def CUT(self, token: Token) -> Cut:
        self._not_straight("a cut", token)
        return Cut()

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
