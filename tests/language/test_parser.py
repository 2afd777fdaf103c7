"""The parser and the printer of programs."""

import copy
import logging
import pickle
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, logger

from sealcheck.errors import InputError
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.language.printer import show
from sealcheck.programs.straight_line import Event, Kind, StraightLine, channels, mt, rcv, snd
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

X, Y = Variable(1, "x"), Variable(2, "y")
ONE, TWO, THREE = Integer(1), Integer(2), Integer(3)
SND, RCV = Send(1, 2), Receive(2, 1)
CUT, EPS = Cut(), Eps()

PROGRAMS: dict[str, Program] = {
    "": EPS,
    " \n\t\r\n\f": EPS,
    "# only a comment": EPS,
    "# two\n# comments\n": EPS,
    "eps": EPS,
    "cut": CUT,
    "snd 1->2": SND,
    "rcv 2<-1": RCV,
    "mt 1->2": Layering((SND, RCV)),
    "mt 1->1": Layering((Send(1, 1), Receive(1, 1))),
    "snd 01 -> 2": SND,
    "snd 1->2 (x)": Send(1, 2, X),
    "snd 1->2 (1.x)": Send(1, 2, X),
    "rcv 2<-1 (y)": Receive(2, 1, Y),
    "rcv 2<-1 (2.y)": Receive(2, 1, Y),
    "mt 1->2 (x + 1 -> y)": Layering((Send(1, 2, Sum((X, ONE))), Receive(2, 1, Y))),
    "snd 1->2 (x); snd 2->1 (y); snd 1->2 (x)": Layering((Send(1, 2, X), Send(2, 1, Y), Send(1, 2, X))),
    "mt 1->2 (x->y); mt 2->1 (y->x); mt 1->2 (x->y)": Layering(
        (Send(1, 2, X), Receive(2, 1, Y), Send(2, 1, Y), Receive(1, 2, X), Send(1, 2, X), Receive(2, 1, Y))
    ),
    "mt 1->2 (x->2.y)": Layering((Send(1, 2, X), Receive(2, 1, Y))),
    "1.x := 5": Assignment(X, Integer(5)),
    "1.x := 1.x - 2 * -3": Assignment(X, Sum((X, Negation(Product((TWO, Negation(THREE))))))),
    "1.x := (1 + 2) + 3": Assignment(X, Sum((Sum((ONE, TWO)), THREE))),
    "1.x := -(1 + 2) * 3": Assignment(X, Product((Negation(Sum((ONE, TWO))), THREE))),
    "[true]": Guard(Truth(True)),
    "[1.x = 1 or not 1.x < 2 and false]": Guard(Or((Equal(X, ONE), And((Not(Less(X, TWO)), Truth(False)))))),
    "[(1.x = 2.y) and ((1.x) < 2)]": Guard(And((Equal(X, Y), Less(X, TWO)))),
    "[1.x<-1]": Guard(Less(X, Negation(ONE))),
    "[1.x != 1]": Guard(Not(Equal(X, ONE))),
    "[1.x > 1]": Guard(Less(ONE, X)),
    "[1.x <= 1]": Guard(Not(Less(ONE, X))),
    "[1.x >= 1]": Guard(Not(Less(X, ONE))),
    "eps; cut; eps": Layering((EPS, CUT, EPS)),
    "eps; (cut; eps)": Layering((EPS, Layering((CUT, EPS)))),
    "mt 1->2; cut": Layering((SND, RCV, CUT)),
    "(mt 1->2); cut": Layering((Layering((SND, RCV)), CUT)),
    "((cut))": CUT,
    "eps + cut; eps + cut": Choice((EPS, Layering((CUT, EPS)), CUT)),
    "(eps + cut); eps": Layering((Choice((EPS, CUT)), EPS)),
    "eps + (cut + eps)": Choice((EPS, Choice((CUT, EPS)))),
    "cut; (eps)*; cut": Layering((CUT, Repetition(EPS), CUT)),
    "((eps)*)*": Repetition(Repetition(EPS)),
    "if true then eps else cut; eps fi": Choice(
        (Layering((Guard(Truth(True)), EPS)), Layering((Guard(Not(Truth(True))), CUT, EPS)))
    ),
    "cut; while true do eps + cut od; eps": Layering(
        (CUT, Repetition(Layering((Guard(Truth(True)), Choice((EPS, CUT))))), Guard(Not(Truth(True))), EPS)
    ),
}

SAME: list[tuple[str, str]] = [
    ("cut\neps", "cut; eps"),
    ("\n\ncut\n\n  # comment\n\n eps # end", "cut; eps"),
    ("cut;\n;; eps;\n", "cut; eps"),
    ("cut # not; this\r\neps", "cut; eps"),
    ("cut +\neps", "cut + eps"),
    ("cut\n+ eps", "cut + eps"),
    ("cut; + eps;", "cut + eps"),
    ("(\ncut\neps\n)\n*", "(cut; eps)*"),
    ("snd 1->2\n(cut)*", "snd 1->2; (cut)*"),
    ("snd # comment\n1\n->\n2 (\nx\n)", "snd 1->2 (x)"),
    ("rcv\n2<-1", "rcv 2<-1"),
    ("mt\n1->2 (x -> y)", "mt 1->2 (x -> y)"),
    ("1.x :=\n1\n+ 2\n- 3\n2.y := 1", "1.x := 1 + 2 - 3; 2.y := 1"),
    ("1.x := 1 + 2.y := 2", "(1.x := 1) + (2.y := 2)"),
    ("1.x := 1\n+ # or\n((2.y := 2); cut)", "(1.x := 1) + ((2.y := 2); cut)"),
    ("1.x := 1 + (2)", "1.x := 1 + 2"),
    ("1.x := 1 + [true]", "(1.x := 1) + [true]"),
    ("1.x := 1; cut + cut", "(1.x := 1; cut) + cut"),
    ("[1.x = 1\nor 2.y = 1\nor true]", "[1.x = 1 or 2.y = 1 or true]"),
    ("[1.x = 1\nand\nnot\n(2.y = 1\n)]", "[1.x = 1 and not 2.y = 1]"),
    ("if 1.x = 1\nthen\ncut\neps\nelse cut\nfi\ncut", "if 1.x = 1 then cut; eps else cut fi; cut"),
    ("while 1.x = 1\ndo\ncut\nod\ncut", "while 1.x = 1 do cut od; cut"),
]

ERRORS = {
    "foo": "line 1, column 1: expected a statement, found 'foo'",
    "snd 1>2": "line 1, column 6: expected '->', found '>': did you mean 'snd 1->2'?",
    "cut\n  rcv 2->1": "line 2, column 8: expected '<-', found '->': did you mean 'rcv 2<-1', where 2"
    " receives, or 'rcv 1<-2'?",
    "mt 1->": "line 1, column 7: expected a process number, found the end of the text",
    "mt 1->2 mt 2->1": "line 1, column 9: expected '(', ';', '+' or the end of the text, found 'mt':"
    " put ';' before it",
    "cut\ncut\t cut": "line 2, column 6: expected ';', '+' or the end of the text, found 'cut':"
    " put ';' before it",
    "cut +  # more\n": "line 1, column 14: expected a statement, found the end of the text",
    "cut\n\nfoo": "line 3, column 1: expected a statement, found 'foo'",
    ";": "line 1, column 1: expected a statement, found ';'",
    "()": "line 1, column 2: expected a statement, found ')'",
    "(cut": "line 1, column 5: expected ')', found the end of the text",
    "cut)": "line 1, column 4: expected the end of the text, found ')'",
    "cut*": "line 1, column 4: expected ';', '+' or the end of the text, found '*':"
    " put the repeated part in parentheses",
    "1.x = 5": "line 1, column 5: expected ':=', found '=': did you mean ':='?",
    "1.x :=": "line 1, column 7: expected an expression, found the end of the text",
    "1.x := 1 cut": "line 1, column 10: expected an operator, ';', '+' or the end of the text, found 'cut':"
    " put ';' before it",
    "1.if := 1": "line 1, column 1: expected a statement, found '1.if'",
    "mt 1->2 (x)": "line 1, column 11: expected '->', found ')'",
    "rcv 2<-1 (x + 1)": "line 1, column 13: expected ')', found '+'",
    "rcv 2<-1 (1)": "line 1, column 11: expected a variable, found '1'",
    "snd 1->2\n(x)": "line 2, column 2: expected a statement, found 'x'",
    "[1.x]": "line 1, column 5: expected a comparison such as '=', found ']'",
    "[1.x == 2]": "line 1, column 7: expected an expression, found '=': did you mean '='?",
    "[1.x = 2\n cut]": "line 1, column 9: expected ']', 'and' or 'or', found the end of the line",
    "[true and]": "line 1, column 10: expected a condition, found ']'",
    "if true then cut fi": "line 1, column 18: expected 'else', found 'fi'",
    "while true cut od": "line 1, column 12: expected 'and', 'or' or 'do', found 'cut'",
    "cut\x00": "line 1, column 4: expected ';', '+' or the end of the text, found the character U+0000",
    "\u00a0cut": "line 1, column 1: expected a statement, found the character U+00A0 NO-BREAK SPACE",
    "\ud800": "line 1, column 1: expected a statement, found the character U+D800",
    "mt \u0661->2": "line 1, column 4: expected a process number, found '\u0661'",
    "a" * 1000: f"line 1, column 1: expected a statement, found '{'a' * 20}…'",
    "1.x := x": "line 1, column 8: 'x' needs its process in front, as in '1.x'",
    "[1.x = y]": "line 1, column 8: 'y' needs its process in front, as in '1.x'",
    "snd 1->2 (x); [1.x + x = 1]": "line 1, column 22: 'x' needs its process in front, as in '1.x'",
    "1.x := 2.y": "line 1, column 8: only variables of process 1 can stand here, not '2.y'",
    "snd 1->2 (x + 2.y)": "line 1, column 15: only variables of process 1 can stand here, not '2.y'",
    "mt 1->2 (x -> 1.x)": "line 1, column 15: only variables of process 2 can stand here, not '1.x'",
    "rcv 2<-1 (1.x)": "line 1, column 11: only variables of process 2 can stand here, not '1.x'",
    "[1.x + 2.y = 1]": "line 1, column 8: only variables of process 1 can stand here, not '2.y'",
    "[1.x = 2.y + 1.x]": "line 1, column 14: only variables of process 2 can stand here, not '1.x'",
    "mt 0->1": "line 1, column 4: processes are numbered 1 to 10000, not 0",
    "snd\n1->10001": "line 2, column 4: processes are numbered 1 to 10000, not 10001",
    "0.x := 1": "line 1, column 1: processes are numbered 1 to 10000, not 0",
    "mt 1->" + "9" * 5000: "line 1, column 7: the number has more than 1000 digits",
    "1.x := " + "9" * 5000: "line 1, column 8: the number has more than 1000 digits",
    "(" * 100_000: "line 1, column 51: nested more than 50 parentheses deep",
    "1.x := " + "-(" * 100_000: "line 1, column 109: nested more than 50 parentheses deep",
    "[" + "not (" * 100_000: "line 1, column 256: nested more than 50 parentheses deep",
    "while true do " * 100_000: "line 1, column 351: nested more than 50 parentheses deep",
    "if true then " * 100_000: "line 1, column 326: nested more than 50 parentheses deep",
}

STRAIGHT_LINE_ERRORS = {
    "mt 1->2\n[true]": "it has a guard at line 2, column 1",
    "cut; [true]": "it has a cut at line 1, column 1",
    "eps + eps": "it has a choice at line 1, column 5",
    "(eps)*": "it has a repetition at line 1, column 6",
    "if true then eps else eps fi": "it has an 'if' at line 1, column 1",
    "eps; while true do eps od": "it has a 'while' at line 1, column 6",
    "if true then cut + eps else (eps)* fi": "it has an 'if' at line 1, column 1",
}

KEYWORDS = ["eps", "cut", "snd", "rcv", "mt", "if", "then", "else", "fi", "while", "do", "od"]
OPERANDS = ["not", "and", "or", "true", "false", "0", "1", "9", "1.x", "2.y", "x", "?", "#", "\n"]
SYMBOLS = [*"()[];+-*=<>", "->", "<-", ":=", "<=", ">=", "!=", "\u00e9", "\x00", "\u2028", "\r"]
STATEMENTS = ["mt\t1->2", "snd 1->2", "rcv 2<-1", "snd 1->2 (", "1.x :=", "[1.x ="]
WORDS = KEYWORDS + OPERANDS + SYMBOLS + STATEMENTS

texts = st.lists(st.sampled_from(WORDS)).map(" ".join) | st.text()


@pytest.mark.parametrize("text", PROGRAMS)
def test_each_construct_reads_as_its_abstract_syntax(text: str) -> None:
    assert parse(text) == PROGRAMS[text]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_layout_does_not_matter(text: str, other: str) -> None:
    assert parse(text) == parse(other)


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: text[:20])
def test_errors_say_where_what_was_expected_and_what_was_found(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value) == ERRORS[text]


@given(texts)
def test_any_text_is_a_program_or_an_input_error(text: str) -> None:
    try:
        message, program = "", parse(text)
    except InputError as error:
        message, program = str(error), EPS
    assert parse(show(program)) == program
    assert re.fullmatch(r"|line [0-9]+, column [0-9]+: .{1,120}", message)
    assert not re.search(r"[A-Z_]{3}|\$", message.partition(", found")[0])
    assert message.isprintable()


@given(st.lists(st.sampled_from(["cut;", "\n", "\r\n", "\t", " ", "# é (\n", "mt 1->2;", "[true];"])))
def test_errors_point_at_the_offending_character(pieces: list[str]) -> None:
    before = "".join(pieces)
    lines = f"{before}?".split("\n")
    with pytest.raises(InputError, match=rf"^line {len(lines)}, column {len(lines[-1])}: .* found '\?'\n"):
        parse(f"{before}?; cut")


def test_nesting_up_to_the_limit_is_read_printed_compared_and_copied() -> None:
    whole = "while not 1.x != 1 or true do cut + " * 25 + "eps" + " od" * 25
    either = "if 1.x = 1 and true then cut + " * 25 + "eps" + " else mt 1->2 + eps fi" * 25
    for text in [
        "(" * 50 + "cut" + ")" * 50,
        "(eps + (cut; " * 25 + "eps" + "))" * 25,
        f"eps; {whole}",
        either,
    ]:
        program = parse(text)
        assert parse(show(program)) == program
        assert hash(copy.deepcopy(program)) == hash(pickle.loads(pickle.dumps(program)))


@pytest.mark.parametrize(
    "text", ["(cut)", "while true do cut od", "if true then cut else cut fi", "1.x := (1)"]
)
def test_brackets_side_by_side_are_not_nested(text: str) -> None:
    assert parse("; ".join([text] * 100)) == parse("\n".join([text] * 100))


def test_the_grammar_has_no_conflicts() -> None:
    assert _conflicts("start: a\na: a a | A\nA: /a/") != []
    assert _conflicts(files("sealcheck.language").joinpath("grammar.lark").read_text("utf-8")) == []


def _conflicts(grammar: str) -> list[str]:
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        Lark(grammar, parser="lalr", debug=True)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    return [message for message in messages if "onflict" in message]


@pytest.mark.parametrize("separator", [";", "\n", " # comment\n\n"])
def test_long_programs_are_flat_and_share_equal_statements(separator: str) -> None:
    program = parse(separator.join(["snd 1->2", "rcv 2<-1"] * 10_000))
    assert isinstance(program, Layering)
    assert len(program.parts) == 20_000
    assert len({id(part) for part in program.parts}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "mt 1->2 " + "# " * 50_000,
        "(mt 1->2" + "\n# a # b" * 10_000 + "\n)",
        "1.x := 1 +" + " # (\n" * 50_000 + "1",
        "1.x := 1" + "+ ((((1))))" * 5_000,
        "mt 1->2;" + " \n;" * 100_000,
    ],
    ids=["comment", "comments", "after-plus", "parentheses", "separators"],
)
def test_layout_takes_linear_time(text: str) -> None:
    start = process_time()
    parse(text)
    assert process_time() - start < 5  # a quadratic lexer takes minutes


def test_threads_do_not_disturb_each_other() -> None:
    texts = ["; ".join([f"snd {i}->1 (x); ({i}.y := (1))"] * 20) for i in range(1, 9)] * 10
    alone = [parse(text) for text in texts]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(parse, texts)) == alone
    finally:
        sys.setswitchinterval(interval)


def test_an_error_leaves_nothing_behind() -> None:
    for _ in range(60):
        with pytest.raises(InputError):
            parse_straight_line("snd 7->1; [true]; ((")
    assert parse_straight_line("(mt 1->2)") == StraightLine.of(2, mt(1, 2))


events = st.builds(
    lambda kind, channel: (snd, rcv)[kind](*channel), st.sampled_from(Kind), st.sampled_from(channels(3))
)


@given(st.lists(events))
def test_straight_line_programs_read_back(sequence: list[Event]) -> None:
    program = StraightLine.of(3, sequence)
    assert parse_straight_line(str(program), 3) == program


def test_straight_line_drops_data_and_assignments() -> None:
    text = "(snd 1->2 (x + 1); (3.x := 4; rcv 2<-1 (y))); mt 2->1 (y -> x); eps"
    assert parse_straight_line(text) == StraightLine.of(3, mt(1, 2) + mt(2, 1))


@pytest.mark.parametrize(
    ("text", "n", "processes"),
    [
        ("", None, 1),
        ("eps", None, 1),
        ("", 3, 3),
        ("mt 2->7", None, 7),
        ("mt 2->1", 4, 4),
        ("9.x := 1", None, 9),
    ],
)
def test_n_is_the_largest_process_named_unless_more_is_asked_for(
    text: str, n: int | None, processes: int
) -> None:
    assert parse_straight_line(text, n).n == processes


@pytest.mark.parametrize(
    ("text", "n", "message"),
    [
        ("mt 1->2; snd 1->3", 2, "process 3 is named at line 1, column 17, but n is 2"),
        ("mt 1->2\nrcv 2<-1 (y); snd\n1->4", 2, "process 4 is named at line 3, column 4, but n is 2"),
        ("snd 1->3; rcv 3<-1; snd 3->2", 2, "process 3 is named at line 1, column 8, but n is 2"),
        ("3.x := 1", 2, "process 3 is named at line 1, column 1, but n is 2"),
        ("eps", 0, "n must be in 1..10000, not 0"),
        ("eps", 10**9, "n must be in 1..10000, not 1000000000"),
    ],
)
def test_n_must_cover_the_processes_named(text: str, n: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_straight_line(text, n)
    assert str(error.value) == message


@pytest.mark.parametrize("text", STRAIGHT_LINE_ERRORS)
def test_straight_line_refuses_the_rest_of_the_language(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_straight_line(text)
    assert str(error.value) == f"the program is not straight-line: {STRAIGHT_LINE_ERRORS[text]}"


@pytest.mark.slow
def test_a_million_statements() -> None:
    """10^6 statements."""
    text = "; ".join(["snd 1->2", "rcv 2<-1"] * 500_000)
    start = process_time()
    assert parse_straight_line(text).length == 1_000_000
    assert process_time() - start < 20


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
    i, j = draw(processes), draw(processes)
    send = Send(i, j, draw(st.none() | expressions(i)))
    return draw(
        st.sampled_from([send, Receive(j, i, draw(st.none() | st.builds(Variable, st.just(j), names)))])
    )


@st.composite
def assignments(draw: st.DrawFn) -> Program:
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
    text = show(program)
    assert text.isprintable()
    assert parse(text) == program


@given(programs.map(show), st.data())
def test_damaged_text_is_refused_or_reads_as_what_it_prints(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from(["", 2 * text[at], "\n"])) + text[at + 1 :]
    try:
        program: Program = parse(damaged)
    except InputError:
        program = Eps()
    assert parse(show(program)) == program


A, B, C = Eps(), Cut(), Guard(Truth(True))

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
    assert show(program) == text


def test_long_programs_print() -> None:
    assert show(Layering((SND, RCV) * 50_000)).count("mt 1->2") == 50_000
