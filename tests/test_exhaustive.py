"""Code that distinguishes programs, channel models or readings of the cut names every case.

So a constructor that is added later is never taken for another one; `questions/test_made_up.py` asks the
oracles about such constructors.
"""

import ast
from typing import get_args

from tests.modules import modules

from sealcheck.programs.syntax import Node

CONSTRUCTORS = {each.__name__ for each in get_args(Node)}
SEMANTICS = {"ChannelModel", "CutReading"}


def test_who_matches_syntax_or_semantics_ends_in_assert_never() -> None:
    """So the type checker, and if need be the run, says that a case is missing."""
    open_ended = [
        f"{path}:{match.lineno}"
        for path, tree in modules().items()
        for match in ast.walk(tree)
        if isinstance(match, ast.Match)
        and any(tells_apart(case.pattern) for case in match.cases)
        and not ast.unparse(match.cases[-1].body[0]).startswith("assert_never(")
    ]
    assert not open_ended


def tells_apart(pattern: ast.pattern) -> bool:
    """Whether a pattern is a constructor or one of the values of `Semantics`, or several of them."""
    match pattern:
        case ast.MatchOr(patterns):
            return any(map(tells_apart, patterns))
        case ast.MatchAs(ast.pattern() as inner):
            return tells_apart(inner)
        case ast.MatchClass(cls):
            return ast.unparse(cls).removeprefix("syntax.") in CONSTRUCTORS
        case ast.MatchValue(ast.Attribute(ast.Name(name))):
            return name in SEMANTICS
        case _:
            return False


def test_nobody_compares_a_channel_model_or_a_reading_with_another() -> None:
    """Who asks whether it is one of them forgets that there may be a third."""
    comparing = [
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and any(map(is_semantics, (node.left, *node.comparators)))
    ]
    assert not comparing


def is_semantics(node: ast.expr) -> bool:
    """Whether this is a channel model, or a reading of the cut, by its name."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SEMANTICS
