"""Boolean formulas to clauses, by Tseitin's transformation (1968).

A conjunct that is a clause already stays one; every other proper subformula gets a variable
that is equivalent to it.
"""

from dataclasses import dataclass, field

from pysmt.fnode import FNode
from pysmt.shortcuts import Not


class NotBooleanError(TypeError):
    """A formula that clauses can't express: it is about numbers, for instance."""


Literal = int
Clause = list[Literal]


@dataclass
class Cnf:
    """Clauses over variables 1, 2, …; `variables` has the number of each symbol."""

    clauses: list[Clause] = field(default_factory=list)
    variables: dict[FNode, Literal] = field(default_factory=dict)
    _literals: dict[FNode, Literal] = field(default_factory=dict)
    _count: int = 0

    def add(self, formula: FNode) -> None:
        """Require a Boolean formula to be true."""
        if formula.is_and():
            for conjunct in formula.args():
                self.add(conjunct)
        elif not formula.is_true():
            self.clauses.append([self.literal(disjunct) for disjunct in _disjuncts(formula)])

    def literal(self, formula: FNode) -> Literal:
        """A literal equivalent to `formula`."""
        if formula.is_not():
            return -self.literal(formula.arg(0))
        if formula not in self._literals:
            self._literals[formula] = self._define(formula)
        return self._literals[formula]

    def _new(self) -> Literal:
        self._count += 1
        return self._count

    def _define(self, formula: FNode) -> Literal:
        if formula.is_symbol():
            self.variables[formula] = self._new()
            return self.variables[formula]
        if formula.is_iff():
            return self._define_iff(*(self.literal(side) for side in formula.args()))
        if formula.is_and() or formula.is_true():
            return -self._define_or([-self.literal(conjunct) for conjunct in formula.args()])
        if formula.is_or() or formula.is_implies() or formula.is_false():
            return self._define_or([self.literal(disjunct) for disjunct in _disjuncts(formula)])
        raise NotBooleanError(f"not a Boolean formula: {formula}")

    def _define_or(self, disjuncts: Clause) -> Literal:
        name = self._new()
        self.clauses.append([-name, *disjuncts])
        self.clauses.extend([name, -disjunct] for disjunct in disjuncts)
        return name

    def _define_iff(self, left: Literal, right: Literal) -> Literal:
        name = self._new()
        self.clauses.extend(
            [[-name, -left, right], [-name, left, -right], [name, left, right], [name, -left, -right]]
        )
        return name


def _disjuncts(formula: FNode) -> list[FNode]:
    """The arguments of a clause-like formula; `formula` alone where it is no disjunction.

    Negations are kept as pySMT formulas, so `literal` folds them into the sign.
    """
    if formula.is_or():
        return [inner for disjunct in formula.args() for inner in _disjuncts(disjunct)]
    if formula.is_implies():
        left, right = formula.args()
        negated = [Not(conjunct) for conjunct in (left.args() if left.is_and() else [left])]
        return [*negated, *_disjuncts(right)]
    if formula.is_false():
        return []
    return [formula]


def to_cnf(formulas: list[FNode]) -> Cnf:
    """Clauses that are satisfiable together exactly when `formulas` are.  Linear size.

    >>> from pysmt.shortcuts import And, Implies, Not, Or, Symbol
    >>> a, b, c = map(Symbol, "abc")
    >>> to_cnf([And(Or(a, Not(b)), Implies(And(a, b), c))]).clauses
    [[1, -2], [-1, -2, 3]]
    """
    cnf = Cnf()
    for formula in formulas:
        cnf.add(formula)
    return cnf
