"""Nothing in the package is there for its tests only: each public name is used by the package itself."""

import ast
from collections.abc import Iterator

from tests.modules import modules

FOR_OTHERS = {"sealcheck.testing", "sealcheck.pytest_plugin"}
"""Modules for people's own tests."""
FOUND_BY_NAME = {"STATEMENT", "main"}
"""What a registry, or the command that starts a process, names in a text."""
KEPT = {
    ("sealcheck.cli.main", "sealcheck"),  # typer calls it
    ("sealcheck.algorithms.sealability", "sealability"),  # the whole algorithm, for others to call
    ("sealcheck.explorers.channel_contents", "closes"),  # the definition: other tests compare with it
}

Name = tuple[str, str]


def defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The public names of a module, with their definitions."""
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
    """What a module uses of other ones: names that it imports, or that it asks an imported module for."""
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
    nodes = (node for statement in tree.body if statement is not definition for node in ast.walk(statement))
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def test_each_public_name_is_used() -> None:
    """By its own module or another one."""
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
