"""Abstract syntax of the whole language (the paper's Syntax section), and safe composition as refinement.

Statements, guards and expressions are immutable trees.  Layering, choice, sums, products, conjunctions and
disjunctions hold all their operands in one flat tuple.  So a sequence of a million statements is a shallow
tree.  Abbreviations such as ``mt``, ``if`` and ``<=`` have no nodes of their own.

A path is one way through a program, with all choices and repetitions resolved.  Each notion of safe
composition (section 3) is a pair (left, right) of programs.  The notion holds in a set of runs if left
refines right: whenever left occurs between two moments of a run, right occurs between these moments, too.
The sign ≀ is the silent cut, at which no message is in transit.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import assert_never

from sealcheck.programs.semantics import PAPER
from sealcheck.programs.straight_line import StraightLine


class _Associative:
    """An operator with two or more operands in its only field."""

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        operands = getattr(self, self.__slots__[0])
        if len(operands) < 2:
            raise ValueError(f"an associative operator needs two operands or more, not {len(operands)}")


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer literal, 0 or more: -5 is ``Negation(Integer(5))``."""

    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError(f"an integer literal is not negative: write Negation(Integer({-self.value}))")


@dataclass(frozen=True, slots=True)
class Variable:
    """The variable `name` of `process`."""

    process: int
    name: str


@dataclass(frozen=True, slots=True)
class Negation:
    """``-operand``.  The difference a - b is ``Sum((a, Negation(b)))``."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Sum(_Associative):
    """Two or more terms, added."""

    terms: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Product(_Associative):
    """Two or more factors, multiplied."""

    factors: tuple["Expression", ...]


Expression = Integer | Variable | Negation | Sum | Product
"""The paper's Expr_i: integer arithmetic over the variables of one process."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The formula ``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Equal:
    """``left = right``.  The two sides may have variables of different processes."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Less:
    """``left < right``.  The two sides may have variables of different processes."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """``not operand``."""

    operand: "Formula"


@dataclass(frozen=True, slots=True)
class And(_Associative):
    """Two or more formulas that all hold."""

    conjuncts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Or(_Associative):
    """Two or more formulas of which at least one holds."""

    disjuncts: tuple["Formula", ...]


Formula = Truth | Equal | Less | Not | And | Or
"""The paper's L: propositional logic over equality and less-than."""


@dataclass(frozen=True, slots=True)
class Eps:
    """The empty program."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target := value``.  The value has only variables of the target's process."""

    target: Variable
    value: Expression


@dataclass(frozen=True, slots=True)
class Send:
    """snd^{sender->receiver}. `content` has variables of the sender, or is None if it does not matter."""

    sender: int
    receiver: int
    content: Expression | None = None


@dataclass(frozen=True, slots=True)
class Receive:
    """rcv^{receiver<-sender} into a variable of the receiver, or None if the content is not kept."""

    receiver: int
    sender: int
    variable: Variable | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """The guard [condition]: the run goes on only if the condition holds at this cut."""

    condition: Formula


@dataclass(frozen=True, slots=True)
class Cut:
    """The silent cut: no message crosses here."""


@dataclass(frozen=True, slots=True)
class Layering(_Associative):
    """Two or more parts.  Each process runs its share of a part, then directly its share of the next."""

    parts: tuple["Program", ...]


@dataclass(frozen=True, slots=True)
class Choice(_Associative):
    """Two or more alternatives.  All processes run the same alternative."""

    alternatives: tuple["Program", ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """Zero or more, possibly infinitely many, repetitions of `body`."""

    body: "Program"


Program = Eps | Assignment | Send | Receive | Guard | Cut | Layering | Choice | Repetition
"""The paper's Prog."""


def layered(*programs: Program) -> Program:
    """The programs one after the other.  Layerings among them are flattened.

    >>> layered(Cut(), Layering((Eps(), Cut())))
    Layering(parts=(Cut(), Eps(), Cut()))
    >>> layered(), layered(Cut())
    (Eps(), Cut())
    """
    parts: list[Program] = []
    for program in programs:
        if isinstance(program, Layering):
            parts += program.parts
        else:
            parts.append(program)
    return Layering(tuple(parts)) if len(parts) > 1 else parts[0] if parts else Eps()


def as_program(p: StraightLine) -> Program:
    """The straight-line program as a syntax tree.  If possible, its events are in an order that can happen.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.language.printer import show
    >>> show(as_program(StraightLine.of(2, mt(1, 2) + mt(2, 1))))
    'mt 1->2; mt 2->1'
    """
    return layered(*(Send(*e.channel) if e.is_send else Receive(e.receiver, e.sender) for e in p.as_written))


def is_finite(program: Program) -> bool:
    """Whether the program has no repetition.

    >>> from sealcheck.language.parser import parse
    >>> is_finite(parse("mt 1->2 + eps")), is_finite(parse("(mt 1->2)*"))
    (True, False)
    """
    return not any(isinstance(node, Repetition) for node in nodes(program))


def is_straight_line(program: Program) -> bool:
    """Whether the program has no guard, cut, choice or repetition.

    >>> is_straight_line(layered(Send(1, 2, Integer(5)), Eps())), is_straight_line(Cut())
    (True, False)
    """
    return not any(isinstance(node, Guard | Cut | Choice | Repetition) for node in nodes(program))


def starts_silent(program: Program) -> bool:
    """Whether the program starts with a silent cut.

    >>> starts_silent(layered(Cut(), Send(1, 2))), starts_silent(layered(Send(1, 2), Cut()))
    (True, False)
    """
    first = program.parts[0] if isinstance(program, Layering) else program
    return isinstance(first, Cut)


def mt(sender: int, receiver: int) -> Program:
    """The program mt^{sender->receiver}, without data.

    >>> is_transmission((Send(1, 2), Receive(2, 1))), mt(1, 2) == layered(Send(1, 2), Receive(2, 1))
    (True, True)
    """
    return layered(Send(sender, receiver), Receive(receiver, sender))


def is_transmission(parts: tuple[Program, Program]) -> bool:
    """Whether two parts together are a transmission mt without data.

    >>> is_transmission((Send(1, 2), Receive(2, 1)))
    True
    """
    match parts:
        case Send(sender, receiver), Receive():
            return parts[1] == Receive(receiver, sender)
        case _:
            return False


Node = Program | Formula | Expression


def is_plain(program: Program) -> bool:
    """Whether the program is a layering of sends and receives without data.

    >>> is_plain(layered(Send(1, 2), Receive(2, 1))), is_plain(Send(1, 2, Integer(5))), is_plain(Cut())
    (True, False, False)
    """
    if isinstance(program, Layering):
        return all(map(is_plain, program.parts))
    if isinstance(program, Send):
        return program.content is None
    if isinstance(program, Receive):
        return program.variable is None
    return isinstance(program, Eps)


@lru_cache(4096)
def nodes(program: Program) -> tuple[Node, ...]:
    """The program and all its parts: programs, formulas, expressions, variables.

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

    >>> variables(Assignment(Variable(1, "x"), Integer(0)), Assignment(Variable(1, "x"), Integer(1)))
    [Variable(process=1, name='x')]
    """
    found = {node for program in programs for node in nodes(program) if isinstance(node, Variable)}
    return sorted(found, key=lambda variable: (variable.process, variable.name))


def communications(*programs: Program) -> list[Send | Receive]:
    """The sends and receives of the programs, from left to right.

    >>> communications(Repetition(mt(1, 2)))
    [Send(sender=1, receiver=2, content=None), Receive(receiver=2, sender=1, variable=None)]
    """
    return [node for program in programs for node in nodes(program) if isinstance(node, Send | Receive)]


def named(node: Node) -> tuple[int, ...]:
    """The processes that a node itself names, without its parts.

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


Path = tuple[Program, ...]
"""Statements, guards and silent cuts, one after the other."""


def paths(program: Program, unroll: int = PAPER.unroll) -> frozenset[Path]:
    """All paths of a program, with at most `unroll` iterations of each repetition.  Exponential.

    >>> from sealcheck.language.parser import parse
    >>> sorted(len(path) for path in paths(parse("cut; (mt 1->2)* + eps")))
    [0, 1, 3, 5]
    """
    match program:
        case Eps():
            return frozenset({()})
        case Layering(parts):
            found = frozenset[Path]({()})
            for part in parts:
                found = _joined(found, paths(part, unroll))
            return found
        case Choice(alternatives):
            return frozenset(path for alternative in alternatives for path in paths(alternative, unroll))
        case Repetition(body):
            found = latest = frozenset[Path]({()})
            for _ in range(unroll):
                latest = _joined(latest, paths(body, unroll))
                found |= latest
            return found
        case Assignment() | Send() | Receive() | Guard() | Cut():
            return frozenset({(program,)})
        case _:
            assert_never(program)


def _joined(firsts: frozenset[Path], seconds: frozenset[Path]) -> frozenset[Path]:
    return frozenset(first + second for first in firsts for second in seconds)


def communicates(path: Path) -> bool:
    """Whether there is a send or a receive on the path."""
    return any(isinstance(part, Send | Receive) for part in path)


def has_cut(path: Path) -> bool:
    """Whether there is a silent cut on the path."""
    return Cut() in path


def before_first_cut(path: Path) -> Path:
    """The part of the path before its first silent cut; without a cut, the whole path."""
    return path[: path.index(Cut())] if has_cut(path) else path


def after_last_cut(path: Path) -> Path:
    """The part of the path after its last silent cut; without a cut, the whole path."""
    return path[len(path) - path[::-1].index(Cut()) :] if has_cut(path) else path


def missing(program: Program, unroll: int = PAPER.unroll) -> int:
    """The most receives that a path has in addition to its sends, added up over the channels.

    >>> from sealcheck.language.parser import parse
    >>> [missing(parse(text)) for text in ("mt 1->2", "rcv 2<-1; snd 2->1", "mt 1->2 + (rcv 2<-1)*")]
    [0, 1, 2]
    """
    return max(map(_missing, paths(program, unroll)))


def _missing(path: Path) -> int:
    sent = Counter((part.sender, part.receiver) for part in path if isinstance(part, Send))
    received = Counter((part.sender, part.receiver) for part in path if isinstance(part, Receive))
    return (received - sent).total()


def never_occurs(program: Program) -> bool:
    """Whether every occurrence of the program, finite or not, would have to pass the guard [not true].

    Only guards outside repetitions count, so the answer needs no bound on repetitions.

    >>> from sealcheck.language.parser import parse
    >>> [never_occurs(parse(text)) for text in ("while true do eps od", "[not true] + eps", "[1.x = 2]")]
    [True, False, False]
    """
    match program:
        case Guard(Not(Truth(True))):
            return True
        case Layering(parts):
            return any(map(never_occurs, parts))
        case Choice(alternatives):
            return all(map(never_occurs, alternatives))
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut() | Repetition():
            return False
        case _:
            assert_never(program)


Refinement = tuple[Program, Program]


def ccl(p: Program, layer: Program, q: Program) -> Refinement:
    """`layer` is a communication-closed layer in P;L;Q: ≀P;L;Q≀ refines P≀L≀Q."""
    return layered(Cut(), p, layer, q, Cut()), layered(p, Cut(), layer, Cut(), q)


def barrier(p: Program, b: Program, q: Program) -> Refinement:
    """B keeps P and Q apart: ≀P;B;Q refines P≀B≀Q.  A barrier keeps all P and Q apart."""
    return layered(Cut(), p, b, q), layered(p, Cut(), b, Cut(), q)


def tcc(p: Program) -> Refinement:
    """P is tail communication closed: ≀P refines P≀.

    >>> from sealcheck.language.printer import show
    >>> [show(side) for side in tcc(Send(1, 2))]
    ['cut; snd 1->2', 'snd 1->2; cut']
    """
    return layered(Cut(), p), layered(p, Cut())


def seals(p: Program, s: Program) -> Refinement:
    """S seals P: ≀P;S refines P≀S."""
    return layered(Cut(), p, s), layered(p, Cut(), s)


def fits_after(p: Program, q: Program) -> Refinement:
    """P fits after Q: ≀Q;P refines ≀Q≀P (footnote in section 5)."""
    return layered(Cut(), q, p), layered(Cut(), q, Cut(), p)


def separates(s: Program, p: Program, q: Program) -> Refinement:
    """S separates P from Q: ≀P;S;Q≀ refines P≀S≀Q (footnote in section 5)."""
    return layered(Cut(), p, s, q, Cut()), layered(p, Cut(), s, Cut(), q)
