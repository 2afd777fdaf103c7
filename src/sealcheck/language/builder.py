# ruff: noqa: D102 - a callback does what the grammar rule of its name says
"""What the parser does on each token and rule: it builds abstract syntax at once, no parse tree between."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lark import Token

from sealcheck.language.expressions import ExpressionBuilder, error_at, position
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Formula,
    Guard,
    Layering,
    Not,
    Program,
    Receive,
    Repetition,
    Send,
    Variable,
    layered,
)

MAX_NESTING = 50
"""Of parentheses in one another; keeps every recursion over a program shallow."""

_NUMBER = re.compile("[0-9]+")


class Construct(NamedTuple):
    """Where something stands that straight-line programs do not have."""

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
