"""The nodes of syntax trees, for whoever looks for what a program mentions."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache

from sealcheck.programs.syntax import Program, Variable


@lru_cache(4096)
def nodes(program: Program) -> tuple[object, ...]:
    """The program and all that it is built of: programs, formulas, expressions, variables.

    >>> from sealcheck.programs.syntax import Receive, Send, layered
    >>> [type(node).__name__ for node in nodes(layered(Send(1, 2), Receive(2, 1, Variable(2, "x"))))]
    ['Layering', 'Send', 'Receive', 'Variable']
    """
    return tuple(_nodes(program))


def _nodes(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
    elif is_dataclass(node):
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
