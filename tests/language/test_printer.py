"""The printer: what it prints is read back as the same program."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sealcheck.errors import InputError
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
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

processes = st.integers(1, 3) | st.just(10_000)
names = st.sampled_from(["x", "y1", "_", "Eps", "iffy", "snd_", "X" * 30])


def tuples(operands: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(operands, min_size=2, max_size=3).map(tuple)


@cache
def expressions(process: int) -> st.SearchStrategy[Expression]:
    leaves = st.builds(Integer, st.integers(0, 20) | st.just(10**999)) | st.builds(
        Variable, st.just(process), names
    )
    return st.recursive(
        leaves,
        lambda e: st.builds(Negation, e) | st.builds(Sum, tuples(e)) | st.builds(Product, tuples(e)),
        max_leaves=5,
    )


sides = processes.flatmap(expressions)
formulas: st.SearchStrategy[Formula] = st.recursive(
    st.builds(Truth, st.booleans()) | st.builds(Equal, sides, sides) | st.builds(Less, sides, sides),
    lambda f: st.builds(Not, f) | st.builds(And, tuples(f)) | st.builds(Or, tuples(f)),
    max_leaves=5,
)


@st.composite
def communications(draw: st.DrawFn) -> Program:
    """A send or a receive, with or without data."""
    i, j = draw(processes), draw(processes)
    send = Send(i, j, draw(st.none() | expressions(i)))
    return draw(
        st.sampled_from([send, Receive(j, i, draw(st.none() | st.builds(Variable, st.just(j), names)))])
    )


@st.composite
def assignments(draw: st.DrawFn) -> Program:
    """An assignment over the variables of one process."""
    process = draw(processes)
    return Assignment(Variable(process, draw(names)), draw(expressions(process)))


statements = communications() | assignments() | st.builds(Guard, formulas) | st.sampled_from([Eps(), Cut()])
programs: st.SearchStrategy[Program] = st.recursive(
    statements,
    lambda p: st.builds(Layering, tuples(p)) | st.builds(Choice, tuples(p)) | st.builds(Repetition, p),
    max_leaves=8,
)


@given(programs)
def test_what_is_printed_reads_back(program: Program) -> None:
    """A program prints on one line, and `parse` makes the same program of it, whatever the nesting."""
    text = show(program)
    assert text.isprintable()
    assert parse(text) == program


@given(programs.map(show), st.data())
def test_damaged_text_is_refused_or_reads_as_what_it_prints(text: str, data: st.DataObject) -> None:
    """One character lost or doubled never crashes the parser or makes a program that does not print."""
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from(["", 2 * text[at], "\n"])) + text[at + 1 :]
    try:
        program: Program = parse(damaged)
    except InputError:
        program = Eps()
    assert parse(show(program)) == program


X, Y = Variable(1, "x"), Variable(2, "y")
A, B, C = Eps(), Cut(), Guard(Truth(True))
SND, RCV = Send(1, 2), Receive(2, 1)

TEXTS: list[tuple[Program, str]] = [
    (Layering((A, Layering((B, C)))), "eps; (cut; [true])"),
    (Layering((A, Choice((B, C)))), "eps; (cut + [true])"),
    (Choice((Layering((A, B)), C)), "eps; cut + [true]"),
    (Choice((A, Choice((B, C)))), "eps + (cut + [true])"),
    (Repetition(Repetition(Choice((A, B)))), "((eps + cut)*)*"),
    (Layering((SND, SND, RCV, RCV)), "snd 1->2; mt 1->2; rcv 2<-1"),
    (Layering((SND, Receive(3, 1))), "snd 1->2; rcv 3<-1"),
    (Layering((SND, Receive(2, 1, Y))), "snd 1->2; rcv 2<-1 (y)"),
    (Layering((Send(1, 2, X), RCV)), "snd 1->2 (x); rcv 2<-1"),
    (Layering((Send(1, 2, X), Receive(2, 1, Y))), "mt 1->2 (x -> y)"),
    (Layering((SND, Layering((RCV, A)))), "snd 1->2; (rcv 2<-1; eps)"),
    (Choice((Assignment(X, Integer(1)), Assignment(Y, Y))), "1.x := 1 + 2.y := 2.y"),
    (
        Assignment(X, Sum((Negation(X), Negation(Negation(X)), Sum((X, X))))),
        "1.x := -1.x - -1.x + (1.x + 1.x)",
    ),
    (
        Assignment(X, Sum((X, Negation(Sum((X, X))), Negation(Product((X, X)))))),
        "1.x := 1.x - (1.x + 1.x) - 1.x * 1.x",
    ),
    (Assignment(X, Product((Sum((X, X)), Negation(Product((X, X)))))), "1.x := (1.x + 1.x) * -(1.x * 1.x)"),
    (Guard(Not(And((Not(Equal(X, Y)), Not(Less(X, Y)))))), "[not (1.x != 2.y and 1.x >= 2.y)]"),
    (
        Guard(And((Or((Truth(True), Truth(False))), Not(Not(Truth(True)))))),
        "[(true or false) and not (not true)]",
    ),
]


@pytest.mark.parametrize(("program", "text"), TEXTS)
def test_parentheses_only_where_needed(program: Program, text: str) -> None:
    """Each construct prints as one would write it, with the parentheses its nesting needs and no others."""
    assert show(program) == text


def test_long_programs_print() -> None:
    """A layering of many parts is printed without recursion over them."""
    assert show(Layering((SND, RCV) * 50_000)).count("mt 1->2") == 50_000
