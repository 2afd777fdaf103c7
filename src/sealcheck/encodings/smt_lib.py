"""Formulas as text that any SMT solver reads."""

from io import StringIO

from pysmt.fnode import FNode
from pysmt.shortcuts import And
from pysmt.smtlib.script import smtlibscript_from_formula


def smt_lib(formulas: list[FNode]) -> str:
    """The conjunction of `formulas` as an SMT-LIB 2 script that any solver reads.

    >>> from pysmt.shortcuts import Symbol
    >>> print(smt_lib([Symbol("x")]).splitlines()[-1])
    (check-sat)
    """
    text = StringIO()
    smtlibscript_from_formula(And(formulas)).serialize(text, daggify=True)
    return text.getvalue()
