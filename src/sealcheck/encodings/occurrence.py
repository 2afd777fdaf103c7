"""When a program occurs over an interval, as a formula: the paper's definition, clause by clause."""

from collections.abc import Iterable
from typing import assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, LT, TRUE, And, Equals, Int, Not, Or, Plus, Times

from sealcheck.encodings.run_around import RunAround, Variables
from sealcheck.encodings.surroundings import Shape
from sealcheck.programs import syntax
from sealcheck.programs.events import rcv, snd
from sealcheck.programs.global_runs import Frontier
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import PAPER, Semantics


class SymbolicInterval(RunAround):
    """A run around an interval of a given shape, and what occurs over the interval.

    Source: the semantics of programs, in section 2.2.
    """

    def __init__(
        self,
        shape: Shape,
        variables: Variables,
        semantics: Semantics = PAPER,
        *,
        starts_silent: bool = False,
    ) -> None:
        """Lay out the events; where the interval `starts_silent`, no message crosses its start."""
        super().__init__(shape, variables, semantics, starts_silent=starts_silent)
        self._ends: dict[tuple[syntax.Program, Frontier], dict[Frontier, FNode]] = {}

    def occurs(self, program: syntax.Program) -> FNode:
        """That the program occurs over the interval."""
        return self.ends(program, self.start).get(self.end, FALSE())

    def ends(self, program: syntax.Program, c: Frontier) -> dict[Frontier, FNode]:
        """For each cut d over which that is possible, the formula for ``r[c,d] ⊩ program``."""
        if (program, c) not in self._ends:
            self._ends[program, c] = self._found_ends(program, c)
        return self._ends[program, c]

    def _found_ends(self, program: syntax.Program, c: Frontier) -> dict[Frontier, FNode]:
        """What `ends` says, clause by clause."""
        match program:
            case syntax.Eps():
                return {c: TRUE()}
            case syntax.Assignment() | syntax.Send() | syntax.Receive():
                return self._after_statement(program, c)
            case syntax.Guard(condition):
                return {c: self.holds(condition, c)}
            case syntax.Cut():
                return {c: self.is_silent(c)}
            case syntax.Layering(parts):
                reached = {c: TRUE()}
                for part in parts:
                    reached = _either(
                        (d, And(before, after))
                        for between, before in reached.items()
                        for d, after in self.ends(part, between).items()
                    )
                return reached
            case syntax.Choice(alternatives):
                return _either(
                    pair for alternative in alternatives for pair in self.ends(alternative, c).items()
                )
            case syntax.Repetition(body):
                return self._after_repetitions(body, c)
            case _:
                assert_never(program)

    def _after_statement(
        self, statement: syntax.Assignment | syntax.Send | syntax.Receive, c: Frontier
    ) -> dict[Frontier, FNode]:
        match statement:
            case syntax.Assignment(target, expression):
                process, event = target.process, None
            case syntax.Send(sender, receiver):
                process, event = sender, snd(sender, receiver)
            case syntax.Receive(receiver, sender):
                process, event = receiver, rcv(receiver, sender)
            case _:
                assert_never(statement)
        at = c[process - 1] if process in self.processes else 0
        if process not in self.processes or at == self.end[process - 1]:
            return {}
        place = Place(process, at + 1)
        if self.event(place) != event:
            return {}
        new: dict[str, FNode] = {}
        also = TRUE()
        match statement:
            case syntax.Assignment(target, expression):
                new[target.name] = self.value(expression, c)
            case syntax.Send(content=content) if content is not None:
                also = Equals(self.content(place), self.value(content, c))
            case syntax.Receive(variable=variable) if variable is not None:
                new[variable.name] = self.content(place)
            case syntax.Send() | syntax.Receive():
                pass
            case _:
                assert_never(statement)
        changed = (
            Equals(self.state(process, at + 1, name), new.get(name, self.state(process, at, name)))
            for name in self.variables.get(process, ())
        )
        return {(*c[: process - 1], at + 1, *c[process:]): And(also, *changed)}

    def _after_repetitions(self, body: syntax.Program, c: Frontier) -> dict[Frontier, FNode]:
        """Any number of iterations; those without an event only add conditions, so none is needed."""
        reached = {c: TRUE()}
        pending = [c]
        while pending:
            between = min(pending, key=sum)  # whatever leads here has fewer events
            pending.remove(between)
            for d, after in self.ends(body, between).items():
                if d != between:
                    if d not in reached:
                        pending.append(d)
                    reached[d] = Or(reached.get(d, FALSE()), And(reached[between], after))
        return reached

    def holds(self, formula: syntax.Formula, c: Frontier) -> FNode:
        """``(r,c) ⊨ formula``."""
        match formula:
            case syntax.Truth(truth):
                return TRUE() if truth else FALSE()
            case syntax.Equal(left, right):
                return Equals(self.value(left, c), self.value(right, c))
            case syntax.Less(left, right):
                return LT(self.value(left, c), self.value(right, c))
            case syntax.Not(operand):
                return Not(self.holds(operand, c))
            case syntax.And(conjuncts):
                return And(self.holds(conjunct, c) for conjunct in conjuncts)
            case syntax.Or(disjuncts):
                return Or(self.holds(disjunct, c) for disjunct in disjuncts)
            case _:
                assert_never(formula)

    def value(self, expression: syntax.Expression, c: Frontier) -> FNode:
        """The value of an expression at a cut."""
        match expression:
            case syntax.Integer(number):
                return Int(number)
            case syntax.Variable(process, name):
                return self.state(process, c[process - 1], name)
            case syntax.Negation(operand):
                return Times(Int(-1), self.value(operand, c))
            case syntax.Sum(terms):
                return Plus(self.value(term, c) for term in terms)
            case syntax.Product(factors):
                return Times([self.value(factor, c) for factor in factors])
            case _:
                assert_never(expression)


def _either(found: Iterable[tuple[Frontier, FNode]]) -> dict[Frontier, FNode]:
    """For each cut the disjunction of its formulas."""
    reached: dict[Frontier, FNode] = {}
    for d, formula in found:
        reached[d] = Or(reached[d], formula) if d in reached else formula
    return reached
