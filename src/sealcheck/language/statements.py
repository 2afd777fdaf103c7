"""Statements of diagrams: each form is one rule of a grammar, ``mermaid.lark`` or ``plantuml.lark``."""

import re
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from sealcheck.language.diagrams import refused
from sealcheck.language.messages import abridged


class Statement(NamedTuple):
    """A statement that has been read: its form, and the tokens that matter to messages."""

    form: str
    tokens: tuple[Token, ...]

    def of(self, kinds: Container[str]) -> list[Token]:
        """The tokens of these kinds."""
        return [each for each in self.tokens if each.type in kinds]


class Language:
    """The statements of a language; the usage says how to write those that start with a keyword."""

    def __init__(self, name: str, usage: Mapping[str, str], otherwise: str) -> None:
        self._name = name
        self._usage = usage
        self._otherwise = otherwise

    def read(self, number: int, text: str, shown: str = "") -> Statement:
        """The statement that a text is.  Raises InputError, which shows it, if no rule has this form.

        >>> arrows = Language("mermaid", {"note": "Note over A: text"}, "not an arrow")
        >>> arrows.read(1, "A->>B: put x")
        Statement(form='message', tokens=(Token('NAME', 'A'), Token('ARROW', '->>'), Token('NAME', 'B')))
        >>> arrows.read(2, "note: x")
        Traceback (most recent call last):
        sealcheck.errors.InputError: line 2: 'note: x': write Note over A: text
        """
        try:
            tree: Tree[Token] = _parser(self._name).parse(text)
        except UnexpectedInput:
            keyword = re.match(r"\w+|\W", text)
            usage = self._usage.get(keyword[0].lower()) if keyword else None
            reason = f"write {usage}" if usage else self._otherwise
            raise refused(number, f"'{abridged(shown or text)}'", reason) from None
        return Statement(str(tree.data), tuple(each for each in tree.children if isinstance(each, Token)))


@cache
def _parser(name: str) -> Lark:
    grammar = files("sealcheck.language").joinpath(f"{name}.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)
