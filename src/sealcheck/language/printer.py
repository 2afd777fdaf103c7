"""The printer of the program language: its output parses back to the same program.

The output is one line, with parentheses only where they are needed.  In the data of ``snd`` and ``rcv``, a
variable is printed without its process if the process is clear from the statement.  Each function prints one
level of the grammar, and calls the function for the next level.
"""

from collections.abc import Iterator
from typing import assert_never

from sealcheck.programs import syntax
from sealcheck.programs.syntax import Expression, Formula, Program


def show(program: Program) -> str:
    """The program as text.  A send directly followed by its receive prints as ``mt``.  Linear time.

    ``parse(show(program)) == program`` holds for a program within the bounds of `parse`, if each send,
    receive and assignment uses only variables of its own process.

    >>> sent = syntax.Layering((syntax.Send(1, 2), syntax.Receive(2, 1), syntax.Cut()))
    >>> print(show(syntax.Repetition(syntax.Choice((sent, syntax.Eps())))))
    (mt 1->2; cut + eps)*
    >>> x, minus_one = syntax.Variable(1, "x"), syntax.Negation(syntax.Integer(1))
    >>> print(show(syntax.Assignment(x, syntax.Sum((x, minus_one)))))
    1.x := 1.x - 1
    """
    if isinstance(program, syntax.Choice):
        return " + ".join(_layering(alternative) for alternative in program.alternatives)
    return _layering(program)


def _layering(program: Program) -> str:
    if isinstance(program, syntax.Layering):
        return "; ".join(_statements(program.parts))
    return _statement(program)


def _statements(parts: tuple[Program, ...]) -> Iterator[str]:
    at = 0
    while at < len(parts):
        if (whole := _transmission(parts[at : at + 2])) is not None:
            yield whole
            at += 2
        else:
            yield _statement(parts[at])
            at += 1


def _transmission(parts: tuple[Program, ...]) -> str | None:
    """The two parts as one ``mt``, if they are a transmission."""
    match parts:
        case syntax.Send(i, j, content), syntax.Receive(by, of, variable) if (i, j) == (of, by):
            if content is None and variable is None:
                return f"mt {i}->{j}"
            if content is not None and variable is not None:
                return f"mt {i}->{j} ({_sum(content, i)} -> {_sum(variable, j)})"
    return None


def _statement(program: Program) -> str:
    match program:
        case syntax.Eps():
            return "eps"
        case syntax.Assignment(target, value):
            return f"{_sum(target)} := {_sum(value)}"
        case syntax.Send(sender, receiver, content):
            return f"snd {sender}->{receiver}" + _data(content, sender)
        case syntax.Receive(receiver, sender, variable):
            return f"rcv {receiver}<-{sender}" + _data(variable, receiver)
        case syntax.Guard(condition):
            return f"[{_disjunction(condition)}]"
        case syntax.Cut():
            return "cut"
        case syntax.Repetition(body):
            return f"({show(body)})*"
        case syntax.Layering() | syntax.Choice():
            return f"({show(program)})"
        case _:
            assert_never(program)


def _data(content: Expression | None, owner: int) -> str:
    return "" if content is None else f" ({_sum(content, owner)})"


def _disjunction(formula: Formula) -> str:
    if isinstance(formula, syntax.Or):
        return " or ".join(_conjunction(disjunct) for disjunct in formula.disjuncts)
    return _conjunction(formula)


def _conjunction(formula: Formula) -> str:
    if isinstance(formula, syntax.And):
        return " and ".join(_literal(conjunct) for conjunct in formula.conjuncts)
    return _literal(formula)


def _literal(formula: Formula) -> str:
    if isinstance(formula, syntax.Not) and not isinstance(formula.operand, syntax.Equal | syntax.Less):
        return f"not {_proposition(formula.operand)}"
    return _proposition(formula)


def _proposition(formula: Formula) -> str:
    match formula:
        case syntax.Truth(value):
            return "true" if value else "false"
        case syntax.Equal(left, right):
            return f"{_sum(left)} = {_sum(right)}"
        case syntax.Less(left, right):
            return f"{_sum(left)} < {_sum(right)}"
        case syntax.Not(syntax.Equal(left, right)):
            return f"{_sum(left)} != {_sum(right)}"
        case syntax.Not(syntax.Less(left, right)):
            return f"{_sum(left)} >= {_sum(right)}"
        case syntax.Not() | syntax.And() | syntax.Or():
            return f"({_disjunction(formula)})"
        case _:
            assert_never(formula)


def _sum(expression: Expression, owner: int | None = None) -> str:
    """The expression.  Variables of the process `owner` are printed without the process."""
    if not isinstance(expression, syntax.Sum):
        return _product(expression, owner)
    first, *rest = expression.terms
    signed = ((" - ", t.operand) if isinstance(t, syntax.Negation) else (" + ", t) for t in rest)
    return _product(first, owner) + "".join(sign + _product(term, owner) for sign, term in signed)


def _product(expression: Expression, owner: int | None) -> str:
    if isinstance(expression, syntax.Product):
        return " * ".join(_factor(factor, owner) for factor in expression.factors)
    return _factor(expression, owner)


def _factor(expression: Expression, owner: int | None) -> str:
    if isinstance(expression, syntax.Negation):
        return f"-{_operand(expression.operand, owner)}"
    return _operand(expression, owner)


def _operand(expression: Expression, owner: int | None) -> str:
    match expression:
        case syntax.Integer(value):
            return str(value)
        case syntax.Variable(process, name):
            return name if process == owner else f"{process}.{name}"
        case syntax.Negation() | syntax.Sum() | syntax.Product():
            return f"({_sum(expression, owner)})"
        case _:
            assert_never(expression)
