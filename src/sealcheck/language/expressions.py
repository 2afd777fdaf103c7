# ruff: noqa: D102 - a callback does what the grammar rule of its name says
"""What the parser does on the tokens and rules of expressions and conditions.

Text is read from left to right, so the builder always knows whose variables the current
expression is over: what stands before the expression has set it.
"""

from typing import Any, NamedTuple

from lark import Token, Transformer

from sealcheck.errors import InputError
from sealcheck.programs import syntax
from sealcheck.programs.syntax import Expression, Formula, Program

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

    def disjunction(self, children: list[Formula]) -> syntax.Or:
        return syntax.Or(tuple(children))

    def conjunction(self, children: list[Formula]) -> syntax.And:
        return syntax.And(tuple(children))

    def not_(self, children: list[Formula]) -> syntax.Not:
        return syntax.Not(children[0])

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
        """Each side of a comparison is over one process: that of its first variable."""
        self._owner, self._bare_names = None, False
        return token

    COMPARISON = _AND = _OR = _begin_side

    def sum(self, children: list[Any]) -> syntax.Sum:
        first, *rest = children
        signed = zip(rest[::2], rest[1::2], strict=True)
        return syntax.Sum((first, *(term if sign == "+" else syntax.Negation(term) for sign, term in signed)))

    def product(self, children: list[Expression]) -> syntax.Product:
        return syntax.Product(tuple(children))

    def negation(self, children: list[Expression]) -> syntax.Negation:
        return syntax.Negation(children[0])

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


def abridged(word: str) -> str:
    """The word, or its beginning if it is too long for a message."""
    return word if len(word) <= 20 else f"{word[:20]}…"


def error_at(line: int, column: int, what: str) -> InputError:
    """The error that `what` is wrong at that place."""
    return InputError(f"line {line}, column {column}: {what}")
