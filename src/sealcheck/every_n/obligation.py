"""A first-order obligation: a step of a proof for every n and every length, for solvers to check.

There are no numbers in it.  Its sorts are events, or processes, of which there may be any number; it is
built in the pySMT environment of whoever asks.
"""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass

from pysmt.fnode import FNode
from pysmt.shortcuts import And, ForAll, Function, Implies, Not, Symbol
from pysmt.typing import BOOL, FunctionType, Type

Term = Callable[..., FNode]
"""Makes a formula or a term of terms."""


@dataclass(frozen=True)
class Fact:
    """Something that an obligation takes for granted, in words and as a formula."""

    text: str
    formula: FNode


@dataclass(frozen=True)
class Obligation:
    """That a conclusion follows from hypotheses, each of which is needed."""

    text: str
    """What follows."""
    hypotheses: tuple[Fact, ...]
    """True of something, all together."""
    conclusion: FNode
    _: KW_ONLY
    supposed: tuple[Fact, ...] = ()
    """Needed, too, but in the end to be led to a contradiction, so nothing finite need be like that."""
    letters: tuple[Fact, ...] = ()
    """What letters stand for."""
    setting: tuple[Fact, ...] = ()
    """What else is true of what is spoken about.  It is not used; counter-models have it."""

    @property
    def needed(self) -> tuple[Fact, ...]:
        """All that is dropped, one by one."""
        return (*self.hypotheses, *self.supposed)

    @property
    def negation(self) -> list[FNode]:
        """What has no model if the obligation holds."""
        return [*_formulas(*self.needed, *self.letters), Not(self.conclusion)]

    @property
    def taken_for_granted(self) -> list[FNode]:
        """What must have a model, or the obligation says nothing."""
        return _formulas(*self.hypotheses, *self.letters, *self.setting)

    def without(self, number: int) -> list[FNode]:
        """What has a model if that one of all that is needed is."""
        kept = (fact for position, fact in enumerate(self.needed) if position != number)
        return [*_formulas(*kept, *self.letters, *self.setting), Not(self.conclusion)]


@dataclass(frozen=True)
class FirstOrder:
    """The obligations of a theorem, and what has to be believed beside them."""

    obligations: Callable[[], tuple[Obligation, ...]]
    """Made in the pySMT environment in which they are used."""
    trusted: str
    """In words: how the theorem follows from the obligations."""


def predicate(name: str, sort: str, arity: int) -> Term:
    """A relation between things of a sort."""
    return lambda *terms: Function(
        Symbol(name, FunctionType(BOOL, [Type(sort)] * arity)), _exactly(arity, terms)
    )


def function(name: str, sort: str) -> Term:
    """A function from things of a sort to such things."""
    return lambda *terms: Function(Symbol(name, FunctionType(Type(sort), [Type(sort)])), _exactly(1, terms))


def constant(name: str, sort: str) -> FNode:
    """One thing of a sort."""
    return Symbol(name, Type(sort))


def for_all(sort: str, body: Term) -> FNode:
    """That the body, a function of one or more things of the sort, holds of all of them."""
    names = body.__code__.co_varnames[: body.__code__.co_argcount]
    bound = [Symbol(f"{name}.{sort}", Type(sort)) for name in names]
    return ForAll(bound, body(*bound))


def equivalence(same: Term, sort: str) -> FNode:
    """Reflexive, symmetric, transitive."""
    return And(
        for_all(sort, lambda a: same(a, a)),
        for_all(sort, lambda a, b: Implies(same(a, b), same(b, a))),
        for_all(sort, lambda a, b, c: Implies(And(same(a, b), same(b, c)), same(a, c))),
    )


def _formulas(*facts: Fact) -> list[FNode]:
    return [fact.formula for fact in facts]


def _exactly(arity: int, terms: Iterable[FNode]) -> list[FNode]:
    listed = list(terms)
    if len(listed) != arity:
        raise TypeError(f"{arity} terms expected, not {len(listed)}")
    return listed
