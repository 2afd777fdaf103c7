"""Proposals for texts that are no programs."""

import re

import pytest

from sealcheck.errors import InputError
from sealcheck.language.names import parse_named
from sealcheck.language.parser import parse, parse_straight_line

WORDS = {
    "send 1->2": "snd 1->2",
    "eps; Receive 2<-1": "eps; rcv 2<-1",
    "recv 2<-1": "rcv 2<-1",
    "msg 1->2": "mt 1->2",
    "cut; MT 1->2": "cut; mt 1->2",
    "skip": "eps",
    "mt 1->2; ε": "mt 1->2; eps",
    "mt 1->2; ≀": "mt 1->2; cut",
    "mt 1->2, mt 2->1": "mt 1->2; mt 2->1",
    "mt 1->2 • mt 2->1": "mt 1->2 ; mt 2->1",
    "mt 1->2 || mt 2->1": "mt 1->2 ; mt 2->1",
    "[1.x ≤ 2]": "[1.x <= 2]",
    "[1.x ≥ 2]": "[1.x >= 2]",
    "[1.x ≠ 2]": "[1.x != 2]",
    "[¬ 1.x = 2]": "[not 1.x = 2]",
    "[1.x = 2 && 1.x = 3]": "[1.x = 2 and 1.x = 3]",
    "[1.x = 2 ∨ 1.x = 3]": "[1.x = 2 or 1.x = 3]",
    "1.x = 5": "1.x := 5",
    "1.x ← 5": "1.x := 5",
}
"""Texts with mistakes, each with a proposal that mends one mistake."""


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    with pytest.raises(InputError) as failure:
        parse(text)
    proposed = re.search(r"did you mean '(\S+)'\?$", str(failure.value))
    assert proposed
    assert proposed[1] in WORDS[text]
    assert proposed[1] not in text.split()
    parse(WORDS[text])


ARROWS = {
    "mt 1→2": "mt 1->2",
    "mt 1 => 2": "mt 1->2",
    "mt 1-->2": "mt 1->2",
    "snd 1 to 2": "snd 1->2",
    "cut\nsnd 12–>7 (x)": "snd 12->7",
    "rcv 2←1": "rcv 2<-1",
    "rcv 2 from 1": "rcv 2<-1",
    "rcv 2<1": "rcv 2<-1",
    "mt 1-2": "mt 1->2",
    "mt 1 2": "mt 1->2",
    "snd 1,2": "snd 1->2",
    "rcv 2-1": "rcv 2<-1",
    "rcv 2 1": "rcv 2<-1",
    "mt(1->2)": "mt 1->2",
    "snd (1, 2)": "snd 1->2",
    "rcv(2 <- 1)": "rcv 2<-1",
    "1->2": "mt 1->2",
    "eps; 1 → 2": "mt 1->2",
    "snd 2<-1": "snd 2->1 snd 1->2",
    "mt 2 ← 1": "mt 2->1 mt 1->2",
    "rcv 2->1": "rcv 2<-1 rcv 1<-2",
    "rcv 2 → 1": "rcv 2<-1 rcv 1<-2",
}
"""If the arrow points the other way, either statement may have been meant."""


@pytest.mark.parametrize("text", ARROWS)
def test_arrows(text: str) -> None:
    with pytest.raises(InputError) as failure:
        parse(text)
    proposed = re.findall(r"'((?:snd|rcv|mt) \S+)'", str(failure.value).partition("did you mean ")[2])
    assert " ".join(proposed) == ARROWS[text]
    for each in proposed:
        parse_straight_line(each)


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("mt client→server", "mt client->server"),
        ("mt a->b; snd b=>a", "snd b->a"),
        ("mt a->b; receive a<-b", "rcv a<-b"),
        ("mt a->b; rcv b->a", "rcv b<-a"),
        ("mt a->b; snd a-b", "snd a->b"),
        ('mt a->"the log"; mt "the log"<-a', 'mt "the log"->a'),
    ],
)
def test_names(text: str, proposed: str) -> None:
    with pytest.raises(InputError) as failure:
        parse_named(text)
    assert f": did you mean '{proposed}'" in str(failure.value)
    parse_named(proposed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("client->server: hello", "did you mean 'mt client->server'?"),
        ("write.mmd", "did you mean '@write.mmd'?"),
        ("mt 1->b", "give all processes numbers, or all names"),
        ("mt 1->2*", "put the repeated part in parentheses"),
    ],
)
def test_what_is_more_than_a_word(text: str, said: str) -> None:
    with pytest.raises(InputError) as failure:
        parse(text)
    assert str(failure.value).endswith(said)


@pytest.mark.parametrize("text", ["mt a->b; mt 1->2", "eps\nmt a->b; mt a->2", "mt a->b; mt A->"])
def test_names_and_numbers(text: str) -> None:
    with pytest.raises(InputError) as failure:
        parse_named(text)
    (note,) = failure.value.__notes__
    line, mark = note.splitlines()
    assert line[len(mark) - 1 :] == text.rpartition("; ")[2]


@pytest.mark.parametrize("text", ["foo", "mt 1->", "(cut", "mt 1→", "snd → 2", "mt 1->2 (x)", "[1.x]", "a:b"])
def test_nothing_is_proposed_where_nothing_is_known(text: str) -> None:
    with pytest.raises(InputError) as failure:
        parse(text)
    assert "mean" not in str(failure.value)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("mt 1→2", "  mt 1→2\n      ^"),
        ("cut\n\tmt 1-2\ncut", "   mt 1-2\n       ^"),
        ("cut; " * 100 + "foo", "  …ut" + "; cut" * 9 + "; foo\n" + " " * 52 + "^"),
        ("mt 1->2; (cut)", "  mt 1->2; (cut)\n            ^"),
        ("mt 1->0", "  mt 1->0\n        ^"),
    ],
)
def test_a_note_points_at_the_character(text: str, note: str) -> None:
    with pytest.raises(InputError) as failure:
        parse_straight_line(text)
    (found,) = failure.value.__notes__
    assert found == note
    line, mark = found.splitlines()
    column = re.search(r"column (\d+)", str(failure.value))
    assert column
    wrong = next(each for each in text.splitlines() if each.strip()[-5:] in line)
    assert line[len(mark) - 1] == wrong[int(column[1]) - 1]
