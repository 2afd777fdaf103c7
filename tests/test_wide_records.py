"""Records with more than five fields are made by the names of these: in a row, two of a type get swapped.

The same goes for arguments: of more than five, some are given by name.

mypy sees to it where a record takes its fields by keyword only, so a dataclass has to say that; what a
NamedTuple can't say is looked for where it is made.
"""

import ast
from collections.abc import Iterator

from tests.modules import modules

MOST = 5
"""So many fields may be given by position."""


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """All classes, with where they are."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield f"{path}:{node.lineno}", node


def test_wide_dataclasses_take_most_of_their_fields_by_keyword_only() -> None:
    """At most five by position."""
    assert not [where for where, node in classes() if is_dataclass(node) and len(by_position(node)) > MOST]


def test_no_class_is_called_with_more_than_five_arguments_by_position() -> None:
    """Nor is a row of values spread out over the fields of one that has more."""
    width: dict[str, int] = {}
    for _, node in classes():
        width[node.name] = max(len(fields(node)), width.get(node.name, 0))
    positional = [
        f"{path}:{call.lineno}"
        for path, tree in modules().items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and (name := called(call)) in width
        and (len(call.args) > MOST or (width[name] > MOST and spreads(call)))
    ]
    assert not positional


def test_no_function_is_called_with_more_than_five_arguments_by_position() -> None:
    """None of the package; those that take any number are no concern of this."""
    functions = [
        node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    known = {node.name for node in functions} - {node.name for node in functions if node.args.vararg}
    positional = [
        f"{path}:{call.lineno}"
        for path, tree in modules().items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and called(call) in known and len(call.args) > MOST
    ]
    assert not positional


def called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def spreads(call: ast.Call) -> bool:
    """Whether a row of values is spread out over arguments."""
    return any(isinstance(argument, ast.Starred) for argument in call.args)


def is_dataclass(node: ast.ClassDef) -> bool:
    """Whether a class is decorated as one."""
    return any(ast.unparse(decorator).startswith("dataclass") for decorator in node.decorator_list)


def fields(node: ast.ClassDef) -> list[str]:
    """The fields of a record, and the mark after which they are given by keyword only."""
    return [
        each.target.id if ast.unparse(each.annotation) != "KW_ONLY" else "KW_ONLY"
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


def by_position(node: ast.ClassDef) -> list[str]:
    """The fields that may be given by position."""
    if any("kw_only=True" in ast.unparse(decorator) for decorator in node.decorator_list):
        return []
    named = fields(node)
    return named[: named.index("KW_ONLY")] if "KW_ONLY" in named else named
