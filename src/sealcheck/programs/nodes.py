"""The nodes of syntax trees, for whoever looks for what a program mentions."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import assert_never

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
)

Node = Program | Formula | Expression


@lru_cache(4096)
def nodes(program: Program) -> tuple[Node, ...]:
    """The program and all that it is built of: programs, formulas, expressions, variables.

    >>> from sealcheck.programs.syntax import Receive, Send, layered
    >>> [type(node).__name__ for node in nodes(layered(Send(1, 2), Receive(2, 1, Variable(2, "x"))))]
    ['Layering', 'Send', 'Receive', 'Variable']
    """
    return tuple(_nodes(program))


def _nodes(node: object) -> Iterator[Node]:
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
    elif is_dataclass(node):
        assert isinstance(node, Node)
        yield node
        for field in fields(node):
            yield from _nodes(getattr(node, field.name))


def variables(*programs: Program) -> list[Variable]:
    """The variables that the programs mention, by process and name.

    >>> from sealcheck.programs.syntax import Assignment, Integer
    >>> variables(Assignment(Variable(1, "x"), Integer(0)), Assignment(Variable(1, "x"), Integer(1)))
    [Variable(process=1, name='x')]
    """
    found = {node for program in programs for node in nodes(program) if isinstance(node, Variable)}
    return sorted(found, key=lambda variable: (variable.process, variable.name))


def communications(*programs: Program) -> list[Send | Receive]:
    """The sends and receives of the programs, from left to right.

    >>> from sealcheck.programs.syntax import mt
    >>> communications(Repetition(mt(1, 2)))
    [Send(sender=1, receiver=2, content=None), Receive(receiver=2, sender=1, variable=None)]
    """
    return [node for program in programs for node in nodes(program) if isinstance(node, Send | Receive)]


def named(node: Node) -> tuple[int, ...]:
    """The processes that a node itself names, its parts left aside.

    >>> named(Send(1, 2)), named(Repetition(Send(1, 2)))
    ((1, 2), ())
    """
    match node:
        case Variable(process):
            return (process,)
        case Send(sender, receiver) | Receive(receiver, sender):
            return sender, receiver
        case Eps() | Assignment() | Guard() | Cut() | Layering() | Choice() | Repetition():
            return ()
        case Truth() | Equal() | Less() | Not() | And() | Or():
            return ()
        case Integer() | Negation() | Sum() | Product():
            return ()
        case _:
            assert_never(node)
