"""Statements of diagrams: each form is one rule of a grammar, ``mermaid.lark`` or ``plantuml.lark``."""

from collections.abc import Container
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput


class Statement(NamedTuple):
    """A statement that has been read: the rule, and its tokens that matter to messages."""

    form: str
    tokens: tuple[Token, ...]

    def of(self, kinds: Container[str]) -> list[Token]:
        """The tokens of these kinds."""
        return [each for each in self.tokens if each.type in kinds]


@cache
def _parser(language: str) -> Lark:
    grammar = files("sealcheck.language").joinpath(f"{language}.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)


def statement(language: str, text: str) -> Statement | None:
    """The statement that a text of a language is; None if no rule of its grammar has this form.

    >>> statement("mermaid", "A->>B: put x")
    Statement(form='message', tokens=(Token('NAME', 'A'), Token('ARROW', '->>'), Token('NAME', 'B')))
    >>> statement("mermaid", "A, B")
    """
    try:
        tree: Tree[Token] = _parser(language).parse(text)
    except UnexpectedInput:
        return None
    return Statement(str(tree.data), tuple(each for each in tree.children if isinstance(each, Token)))
