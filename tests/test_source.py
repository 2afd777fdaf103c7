"""The source: code that distinguishes cases names all of them, and no public name is for tests only.

Code that distinguishes programs, channel models or readings of the cut names every case. So a constructor
that is added later is never taken for another one.
"""

import ast
from collections.abc import Iterator
from functools import cache
from typing import get_args

from tests.modules import modules

from sealcheck.programs.syntax import Node

CONSTRUCTORS = {each.__name__ for each in get_args(Node)}
SEMANTICS = {"ChannelModel", "CutReading"}


def test_who_matches_syntax_or_semantics_ends_in_assert_never() -> None:
    """So the type checker names a missing case."""
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
    """Whether a pattern is a constructor, a value of `Semantics`, or several of these."""
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
    """Such a comparison forgets that there may be a third value."""
    comparing = [
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and any(map(is_semantics, (node.left, *node.comparators)))
    ]
    assert not comparing


def is_semantics(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SEMANTICS


FOR_OTHERS = {"sealcheck.testing", "sealcheck.pytest_plugin"}
"""Modules for users' own tests."""
FOUND_BY_NAME = {"STATEMENT", "main"}
"""Names that a registry, or a command that starts a process, has in a text."""
KEPT = {
    ("sealcheck.cli.main", "sealcheck"),  # typer calls it
    ("sealcheck.algorithms.sealability", "sealability"),  # the whole algorithm, for others to call
    ("sealcheck.spark_sweeps.columns", "program_text"),  # for queries of others about the rows of a sweep
    ("sealcheck.cli.play.answer", "picture"),  # the page's worker calls it
    ("sealcheck.cli.play.answer", "written"),  # and this
    ("sealcheck.cli.play.compiling", "compiled"),  # compile.js calls it, in the page's Python
    ("sealcheck.evidence.coq", "established_again"),  # the test of the record, and of this, call it
    ("sealcheck.explorers.channel_contents", "closes"),  # the definition: other tests compare with it
}

Name = tuple[str, str]


def defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for statement in tree.body:
        match statement:
            case (
                ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name))
            ):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case _:
                names = []
        yield from ((name, statement) for name in names if not name.startswith("_"))


def imported(tree: ast.Module, known: dict[str, ast.Module]) -> Iterator[Name]:
    """The names that a module imports, or takes from an imported module."""
    called: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name
                called[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            called |= {alias.asname or alias.name: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = called.get(node.value.id, "")
            if module in known:
                yield module, node.attr


def used_at_home(tree: ast.Module, name: str, definition: ast.stmt) -> bool:
    """Whether a module uses its own name, outside the definition."""
    return any(name in names(statement) for statement in tree.body if statement is not definition)


@cache
def names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def test_each_public_name_is_used() -> None:
    trees = {
        f"sealcheck.{path}".removesuffix(".py").replace("/", ".").removesuffix(".__init__"): tree
        for path, tree in modules().items()
    }
    used = {name for tree in trees.values() for name in imported(tree, trees)}
    unused = {
        (module, name)
        for module, tree in trees.items()
        for name, definition in defined(tree)
        if (module, name) not in used and name not in FOUND_BY_NAME and module not in FOR_OTHERS
        if not used_at_home(tree, name, definition)
    }
    assert unused == KEPT
