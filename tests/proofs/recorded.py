"""Runs with data and programs of the whole language, as Coq's definition has them.

In Coq a local state is the history of a process, with the values. Each process assigns all of its variables
in the beginning and after each event, so its latest assignments give their values. A send without a content
becomes a choice of all contents in the run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from sealcheck.errors import InputError
from sealcheck.programs.runs import Frontier, GlobalRun, LocalEvent, Place
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
    variables,
)

Tree = list[Any]


@dataclass(frozen=True)
class Recorded:
    """A run in the form that the verified checker takes, and programs about it."""

    run: GlobalRun
    names: tuple[tuple[str, ...], ...]
    """The variables of each process."""

    @staticmethod
    def of(run: GlobalRun, program: Program) -> "Recorded":
        """The recorded run, with the variables of the run and of the program."""
        named = {(variable.process, variable.name) for variable in variables(program)}
        named |= {(i, name) for i, states in enumerate(run.states, 1) for state in states for name in state}
        return Recorded(run, tuple(tuple(sorted(x for j, x in named if j == i + 1)) for i in range(run.n)))

    def question(self, program: Program, c: Frontier) -> dict[str, object]:
        """The question whether it is a run, and where the program may end if it begins at c."""
        document = {
            "events": [self._share(i) for i in range(self.run.n)],
            "order": list(self._order()),
            "matching": [[self._place(r), self._place(s)] for r, s in self.run.matching.items()],
            "program": self._program(program),
            "from": self._cut(c),
        }
        return {"occurs": document}

    def cut_of(self, reached: list[int]) -> Frontier:
        """The cut of the run for a cut of the record."""
        widths = [1 + len(names) for names in self.names]
        found = tuple((at + 1) // width - 1 for at, width in zip(reached, widths, strict=True))
        assert self._cut(found) == reached
        return found

    def _cut(self, c: Frontier) -> list[int]:
        return [len(names) + at * (1 + len(names)) for at, names in zip(c, self.names, strict=True)]

    def _place(self, place: Place) -> list[int]:
        many = len(self.names[place.process - 1])
        return [place.process, many + (place.position - 1) * (1 + many) + 1]

    def _share(self, i: int) -> Tree:
        def assigned(state: Mapping[str, int]) -> Tree:
            return [["int", state.get(name, 0)] for name in self.names[i]]

        first, *states = self.run.states[i]
        share = assigned(first)
        for local, state in zip(self.run.events[i], states, strict=True):
            share += [_event(local), *assigned(state)]
        return share

    def _order(self) -> Iterator[list[int]]:
        """An order of the events; if there is no run, some order that the processes have."""
        for i, names in enumerate(self.names, 1):
            yield from ([i, k + 1] for k in range(len(names)))
        try:
            places = self.run.interleaving()
        except (InputError, KeyError, IndexError):
            shares = enumerate(self.run.events, 1)
            places = tuple(Place(i, k) for i, share in shares for k in range(1, len(share) + 1))
        for place in places:
            process, at = self._place(place)
            yield from ([process, at + k] for k in range(1 + len(self.names[process - 1])))

    def _program(self, program: Program) -> Tree:
        match program:
            case Eps():
                return ["eps"]
            case Assignment(target, value):
                happened = ["assign", target.process, NOTHING]
                return _layers([happened, *self._assigns(target.process, {target.name: value})])
            case Send(sender, receiver, content):
                contents = self._contents() if content is None else [self._value(content)]
                sends = [["snd", sender, receiver, each] for each in contents]
                return _layers([_joined("choice", sends), *self._assigns(sender)])
            case Receive(receiver, sender, variable):
                return _layers([["rcv", receiver, sender], *self._assigns(receiver, received=variable)])
            case Guard(condition):
                return ["guard", self._formula(condition)]
            case Cut():
                return ["cut"]
            case Layering(parts):
                return _layers([self._program(part) for part in parts])
            case Choice(alternatives):
                return _joined("choice", [self._program(each) for each in alternatives])
            case Repetition(body):
                return ["repeat", self._program(body)]

    def _contents(self) -> list[Tree]:
        locals_ = (local for share in self.run.events for local in share)
        return [["number", value] for value in sorted({local.content for local in locals_} | {0})]

    def _assigns(
        self, process: int, changed: Mapping[str, Expression] = {}, received: Variable | None = None
    ) -> list[Tree]:
        """The values of all variables of a process after one event."""
        found: list[Tree] = []
        for k, name in enumerate(self.names[process - 1]):
            if received is not None and received.name == name:
                value: Tree = ["ago", k]
            else:
                value = self._value(changed.get(name, Variable(process, name)), since=k + 1)
            found.append(["assign", process, value])
        return found

    def _value(self, expression: Expression, since: int = 0) -> Tree:
        """The value of a variable that was assigned `since` events ago."""
        match expression:
            case Integer(value):
                return ["number", value]
            case Variable(process, name):
                names = self.names[process - 1]
                return ["ago", since + len(names) - 1 - names.index(name)]
            case Negation(operand):
                return ["-", self._value(operand, since)]
            case Sum(terms):
                return _joined("+", [self._value(term, since) for term in terms])
            case Product(factors):
                return _joined("*", [self._value(factor, since) for factor in factors])

    def _formula(self, formula: Formula) -> Tree:
        match formula:
            case Truth(truth):
                return ["=", 1, NOTHING, 1, NOTHING if truth else ["number", 1]]
            case Equal(left, right):
                return ["=", *self._side(left), *self._side(right)]
            case Less(left, right):
                return ["<", *self._side(left), *self._side(right)]
            case Not(operand):
                return ["not", self._formula(operand)]
            case And(conjuncts):
                return _joined("and", [self._formula(each) for each in conjuncts])
            case Or(disjuncts):
                return ["not", self._formula(And(tuple(map(Not, disjuncts))))]

    def _side(self, expression: Expression) -> Tree:
        processes = {variable.process for variable in variables(Guard(Equal(expression, expression)))} or {1}
        (process,) = processes
        return [process, self._value(expression)]


NOTHING: Tree = ["number", 0]


def _event(local: LocalEvent) -> Tree:
    if local.event is None:
        return ["int", 0]
    if local.event.is_send:
        return ["snd", local.event.receiver, local.content]
    return ["rcv", local.event.sender, local.content]


def _joined(word: str, trees: list[Tree]) -> Tree:
    return reduce(lambda first, second: [word, first, second], trees)


def _layers(trees: list[Tree]) -> Tree:
    return _joined("layers", trees)
