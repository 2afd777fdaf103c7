"""Helpers for texts: numbers with nouns, wrapped lines, advice about unknown words."""

import re
import shutil
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from textwrap import wrap

WIDTH = 100
"""The width of texts, unless a terminal is narrower."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """The count with its noun.

    >>> counted(1, "message"), counted(0, "process", "processes")
    ('1 message', '0 processes')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def harmless(text: str, also: str = "\n\t") -> str:
    """The text with control characters written as escapes, except those in `also`.

    >>> harmless("no \\x1b[2J way"), harmless("a\\nb"), harmless("a\\nb", also="")
    ('no \\\\x1b[2J way', 'a\\nb', 'a\\\\nb')
    """
    if text.isprintable():  # most lines: this is quick
        return text
    return "".join(each if each.isprintable() or each in also else ascii(each)[1:-1] for each in text)


def counted_of(count: int, plural: str) -> str:
    """The count with its noun, from the plural of the noun.

    >>> counted_of(1, "numbers of processes"), counted_of(2, "pairs"), counted_of(1, "small programs")
    ('1 number of processes', '2 pairs', '1 small program')
    """
    return counted(count, singular(plural), plural)


def or_choose(word: str, known: Iterable[str]) -> str:
    """Advice about an unknown word: the nearest known words, or else all known words.

    >>> or_choose("sealabilty", ["sealability", "seal-size"]), or_choose("x", ["z3", "cvc5"])
    ("did you mean 'sealability'?", 'choose among z3, cvc5')
    >>> or_choose("th:seal", ["Seal", "th:sealability"])
    "did you mean 'th:sealability'?"
    """
    of_small, small = {each.lower(): each for each in known}, word.lower()
    longer = [each for each in of_small if len(word) > 2 and each.startswith(small)][:3]
    if near := longer or get_close_matches(small, of_small, n=3, cutoff=0.7):
        return f"did you mean {' or '.join(repr(of_small[each]) for each in near)}?"
    return f"choose among {', '.join(of_small.values())}"


def singular(plural: str) -> str:
    """The singular of a noun phrase. The first word that ends in s is the noun.

    >>> singular("programs that are not a repetition, with each receive right after its send")
    'program that is not a repetition, with each receive right after its send'
    """
    return re.sub(r"s\b", "", plural, count=1).replace(" that are ", " that is ", 1)


def entry(label: str, text: str, column: int) -> list[str]:
    """The text behind its label, in lines that start at `column`. A long label moves the first line.

    >>> entry("open", "1->2, 2->1", 8), entry("after write", "mt 1->2", 8)
    (['open    1->2, 2->1'], ['after write  mt 1->2'])
    """
    if len(label) >= column and label and not label.endswith(" "):
        label += "  "
    return whole_words(text, min(terminal_width() or WIDTH, WIDTH), label.ljust(column), " " * column)


def whole_words(text: str, most: int, first: str = "", indent: str = "") -> list[str]:
    """The text in lines of at most `most` characters. A longer word gets its own line.

    >>> whole_words("the 1819615 programs", 10), whole_words("1819615", 5)
    (['the', '1819615', 'programs'], ['1819615'])
    """
    return wrap(
        text,
        most,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def terminal_width() -> int | None:
    """The width of the terminal, if standard output is one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
