"""The printer of the program language: its output parses back to the same program.

One line, with parentheses only if the tree needs them; a variable is printed without its
process if the language allows that, in the data of ``snd`` and ``rcv``.  Each function
prints what one level of the grammar reads, and leaves the rest to the next tighter level.
"""

from collections.abc import Iterator
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


def show(program: Program) -> str:
    """The program as text; a send directly followed by its receive prints as ``mt``.

    ``parse(show(program)) == program`` for every program that keeps to the bounds of `parse`
    and whose sends, receives and assignments speak of their own processes' variables.
    Linear time.

    >>> print(show(Repetition(Choice((Layering((Send(1, 2), Receive(2, 1), Cut())), Eps())))))
    (mt 1->2; cut + eps)*
    >>> print(show(Assignment(Variable(1, "x"), Sum((Variable(1, "x"), Negation(Integer(1)))))))
    1.x := 1.x - 1
    """
    if isinstance(program, Choice):
        return " + ".join(_layering(alternative) for alternative in program.alternatives)
    return _layering(program)


def _layering(program: Program) -> str:
    if isinstance(program, Layering):
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
    """The two parts as one ``mt``, if they are one."""
    match parts:
        case Send(i, j, content), Receive(receiver, sender, variable) if (i, j) == (sender, receiver):
            if content is None and variable is None:
                return f"mt {i}->{j}"
            if content is not None and variable is not None:
                return f"mt {i}->{j} ({_sum(content, i)} -> {_sum(variable, j)})"
    return None


def _statement(program: Program) -> str:
    match program:
        case Eps():
            return "eps"
        case Assignment(target, value):
            return f"{_sum(target)} := {_sum(value)}"
        case Send(sender, receiver, content):
            return f"snd {sender}->{receiver}" + _data(content, sender)
        case Receive(receiver, sender, variable):
            return f"rcv {receiver}<-{sender}" + _data(variable, receiver)
        case Guard(condition):
            return f"[{_disjunction(condition)}]"
        case Cut():
            return "cut"
        case Repetition(body):
            return f"({show(body)})*"
        case Layering() | Choice():
            return f"({show(program)})"
        case _:
            assert_never(program)


def _data(content: Expression | None, owner: int) -> str:
    return "" if content is None else f" ({_sum(content, owner)})"


def _disjunction(formula: Formula) -> str:
    if isinstance(formula, Or):
        return " or ".join(_conjunction(disjunct) for disjunct in formula.disjuncts)
    return _conjunction(formula)


def _conjunction(formula: Formula) -> str:
    if isinstance(formula, And):
        return " and ".join(_literal(conjunct) for conjunct in formula.conjuncts)
    return _literal(formula)


def _literal(formula: Formula) -> str:
    if isinstance(formula, Not) and not isinstance(formula.operand, Equal | Less):
        return f"not {_proposition(formula.operand)}"
    return _proposition(formula)


def _proposition(formula: Formula) -> str:
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Equal(left, right):
            return f"{_sum(left)} = {_sum(right)}"
        case Less(left, right):
            return f"{_sum(left)} < {_sum(right)}"
        case Not(Equal(left, right)):
            return f"{_sum(left)} != {_sum(right)}"
        case Not(Less(left, right)):
            return f"{_sum(left)} >= {_sum(right)}"
        case Not() | And() | Or():
            return f"({_disjunction(formula)})"
        case _:
            assert_never(formula)


def _sum(expression: Expression, owner: int | None = None) -> str:
    """The expression; variables of `owner` are printed without their process."""
    if not isinstance(expression, Sum):
        return _product(expression, owner)
    first, *rest = expression.terms
    return _product(first, owner) + "".join(
        f" - {_product(term.operand, owner)}" if isinstance(term, Negation) else f" + {_product(term, owner)}"
        for term in rest
    )


def _product(expression: Expression, owner: int | None) -> str:
    if isinstance(expression, Product):
        return " * ".join(_factor(factor, owner) for factor in expression.factors)
    return _factor(expression, owner)


def _factor(expression: Expression, owner: int | None) -> str:
    if isinstance(expression, Negation):
        return f"-{_operand(expression.operand, owner)}"
    return _operand(expression, owner)


def _operand(expression: Expression, owner: int | None) -> str:
    match expression:
        case Integer(value):
            return str(value)
        case Variable(process, name):
            return name if process == owner else f"{process}.{name}"
        case Negation() | Sum() | Product():
            return f"({_sum(expression, owner)})"
        case _:
            assert_never(expression)
