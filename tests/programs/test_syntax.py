"""Programs of the whole language: notions, and paths between cuts."""

import pytest

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs import syntax
from sealcheck.programs.syntax import (
    And,
    Choice,
    Cut,
    Eps,
    Integer,
    Layering,
    Or,
    Path,
    Product,
    Sum,
    after_last_cut,
    before_first_cut,
    communicates,
    has_cut,
    layered,
    missing,
    never_occurs,
    nodes,
    paths,
)


@pytest.mark.parametrize("operator", [Sum, Product, And, Or, Layering, Choice])
@pytest.mark.parametrize("operands", [(), (Eps(),)])
def test_associative_operators_need_two_operands(operator: type, operands: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="two operands"):
        operator(operands)


def test_integer_literals_are_not_negative() -> None:
    with pytest.raises(ValueError, match=r"Negation\(Integer\(5\)\)"):
        Integer(-5)


def test_layered_splices_one_level() -> None:
    inner = Layering((Eps(), Eps()))
    assert layered(Cut(), Layering((inner, Cut()))) == Layering((Cut(), inner, Cut()))
    assert layered(inner) == inner


P, Q, S = (parse(f"1.{name} := 1") for name in "pqs")


@pytest.mark.parametrize(
    ("sides", "printed"),
    [
        (syntax.ccl(P, S, Q), ("cut; P; S; Q; cut", "P; cut; S; cut; Q")),
        (syntax.barrier(P, S, Q), ("cut; P; S; Q", "P; cut; S; cut; Q")),
        (syntax.tcc(P), ("cut; P", "P; cut")),
        (syntax.seals(P, S), ("cut; P; S", "P; cut; S")),
        (syntax.fits_after(P, Q), ("cut; Q; P", "cut; Q; cut; P")),
        (syntax.separates(S, P, Q), ("cut; P; S; Q; cut", "P; cut; S; cut; Q")),
    ],
)
def test_both_sides(sides: syntax.Refinement, printed: tuple[str, str]) -> None:
    """Source: section 3, and the footnote of section 5."""

    def spelled(formula: str) -> str:
        return formula.replace("P", show(P)).replace("Q", show(Q)).replace("S", show(S))

    assert tuple(map(show, sides)) == tuple(map(spelled, printed))


def texts(found: frozenset[Path]) -> set[str]:
    return {show(layered(*path)) for path in found}


def only(text: str) -> Path:
    (path,) = paths(parse(text))
    return path


def test_choices_and_repetitions_are_settled() -> None:
    assert texts(paths(parse("cut; (snd 1->2 + eps)"))) == {"cut; snd 1->2", "cut"}
    assert texts(paths(parse("(snd 1->2)*"))) == {"eps", "snd 1->2", "snd 1->2; snd 1->2"}
    assert texts(paths(parse("(snd 1->2)*"), 1)) == {"eps", "snd 1->2"}
    assert len(paths(parse("((snd 1->2)*)*"), 3)) == 1 + 9
    assert len(paths(parse("(snd 1->2 + snd 2->1)*"))) == 1 + 2 + 4


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("mt 1->2", "mt 1->2", "mt 1->2"),
        ("mt 1->2; cut", "mt 1->2", "eps"),
        ("cut; mt 1->2", "eps", "mt 1->2"),
        ("snd 1->2; cut; rcv 2<-1; cut; mt 2->1", "snd 1->2", "mt 2->1"),
    ],
)
def test_what_is_outside_the_cuts(text: str, before: str, after: str) -> None:
    path = only(text)
    assert has_cut(path) == ("cut" in text)
    assert (show(layered(*before_first_cut(path))), show(layered(*after_last_cut(path)))) == (before, after)


def test_only_sends_and_receives_communicate() -> None:
    assert communicates(only("1.x := 1; rcv 2<-1"))
    assert not communicates(only("1.x := 1; cut; [1.x = 0]"))


def test_the_parts_of_a_program_are_found_once() -> None:
    program = parse("(mt 1->2)*; cut")
    assert nodes(program) is nodes(program)


def test_messages_that_are_missing() -> None:
    assert missing(parse("snd 2->1; rcv 2<-1; rcv 2<-1 + rcv 2<-1")) == 2
    assert missing(parse("(rcv 2<-1)*")) == 2
    assert missing(parse("(rcv 2<-1)*"), 3) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[not true]", True),
        ("cut; [not true]; snd 1->2", True),
        ("[not true] + [not true]; cut", True),
        ("[not true] + cut", False),
        ("([not true])*", False),
        ("[not 1.x = 1]", False),
        ("[true]", False),
    ],
)
def test_a_program_never_occurs_if_all_occurrences_would_pass_the_guard(text: str, *, expected: bool) -> None:
    assert never_occurs(parse(text)) == expected
