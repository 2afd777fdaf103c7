"""Boolean formulas to clauses, by Tseitin's transformation (1968).

A conjunct that is a clause already stays one; every other proper subformula gets a variable
that is equivalent to it.
"""

from dataclasses import dataclass, field

from pysmt.fnode import FNode


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

    def add(self, formula: FNode, holds: bool = True) -> None:
        """Require a Boolean formula to be true or, unless it `holds`, to be false."""
        if formula.is_not():
            self.add(formula.arg(0), not holds)
        elif formula.is_and() if holds else formula.is_or():
            for conjunct in formula.args():
                self.add(conjunct, holds)
        elif not (formula.is_true() if holds else formula.is_false()):
            self.clauses.append(self._disjuncts(formula, holds))

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
            return -self._define_or(self._disjuncts(formula, False))
        if formula.is_or() or formula.is_implies() or formula.is_false():
            return self._define_or(self._disjuncts(formula, True))
        raise NotBooleanError(f"not a Boolean formula: {formula}")

    def _disjuncts(self, formula: FNode, holds: bool) -> Clause:
        """Literals of which one is true exactly if `formula` is or, unless it `holds`, is not.

        There are several where the formula, or its negation, is a disjunction; none where it is false.
        """
        if formula.is_not():
            return self._disjuncts(formula.arg(0), not holds)
        if formula.is_or() if holds else formula.is_and():
            return [literal for part in formula.args() for literal in self._disjuncts(part, holds)]
        if formula.is_implies() and holds:
            left, right = formula.args()
            return self._disjuncts(left, False) + self._disjuncts(right, True)
        if formula.is_false() if holds else formula.is_true():
            return []
        return [self.literal(formula) if holds else -self.literal(formula)]

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
