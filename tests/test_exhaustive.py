"""Nothing unknown is taken for something known: whoever tells cases apart names all of them.

Unknown is what somebody adds one day: a constructor of the program language, a channel model, a reading of
the cut.  `questions/test_made_up.py` asks the oracles about such.
"""

import ast
import re
import shutil
import subprocess
import sys
from typing import get_args

import pytest
from tests.modules import ROOT, modules

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


SYNTAX, CUT = "programs/syntax.py", "programs/semantics.py"

ADDED = {
    "Broadcast": (SYNTAX, "\nProgram =", "\nclass Broadcast: ...\nProgram = Broadcast |"),
    "Xor": (SYNTAX, "\nFormula =", "\nclass Xor: ...\nFormula = Xor |"),
    "Modulus": (SYNTAX, "\nExpression =", "\nclass Modulus: ...\nExpression = Modulus |"),
    "CutReading.LATE": (CUT, "    EMPTY = ", '    LATE = "late"\n    EMPTY = '),
}
"""What is added, by its name: the module, and what becomes of a text there."""

MUST_SAY = {
    "Broadcast": {
        "cli/inputs.py",
        "encodings/iterations.py",
        "encodings/occurrence.py",
        "encodings/shapes.py",
        "harness/small_programs.py",
        "language/parser.py",
        "language/printer.py",
        "oracles/iterations.py",
        "oracles/occurrence.py",
        "oracles/path_explorer.py",
        "programs/nodes.py",
        "programs/paths.py",
        "questions/balanced.py",
        "questions/by_sealing.py",
        "questions/goes_on.py",
        "questions/instance.py",
        "questions/refines.py",
    },
    "Xor": {
        "encodings/occurrence.py",
        "language/printer.py",
        "oracles/occurrence.py",
        "programs/nodes.py",
        "questions/refines.py",
    },
    "Modulus": {
        "encodings/occurrence.py",
        "language/printer.py",
        "oracles/occurrence.py",
        "programs/nodes.py",
    },
    "CutReading.LATE": {
        "encodings/run_around.py",
        "oracles/occurrence.py",
        "questions/refines.py",
        "questions/straight_lines.py",
    },
}
"""Who has to say what each of them means there.  For a channel model: `test_places.py`."""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Where mypy misses a case, and which, in a copy to which all of these are added, and nothing else."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("*.v*", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for file, old, new in ADDED.values():
        path = copy / "src/sealcheck" / file
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
    command = [sys.executable, "-m", "mypy", "src/sealcheck"]
    said = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False).stdout
    missing = r'^src/sealcheck/(\S+?):\d+: error: Argument 1 to "assert_never" has incompatible type "(.*?)"'
    return re.findall(missing, said, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ADDED)
def test_nothing_is_added_before_everybody_knows_it(name: str, complaints: list[tuple[str, str]]) -> None:
    """Each module that tells such cases apart does not type-check before it has said what this one means."""
    named = re.compile(rf"\b{re.escape(name)}\b")
    assert {file for file, missing in complaints if named.search(missing)} == MUST_SAY[name]
