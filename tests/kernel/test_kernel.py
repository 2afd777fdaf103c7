"""The kernel is short, and imports only the standard library."""

import ast
import sys
import tokenize
from pathlib import Path

import pytest

import sealcheck.kernel

FILES = sorted(Path(sealcheck.kernel.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_standard_library_is_enough(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.startswith("sealcheck.kernel") or name.partition(".")[0] in sys.stdlib_module_names


MOST_LINES = 1_150
NO_CODE = {
    tokenize.ENCODING,
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(file: Path) -> int:
    texts = {
        line
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    with file.open("rb") as source:
        tokens = [token for token in tokenize.tokenize(source.readline) if token.type not in NO_CODE]
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - texts)


def test_code_lines_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text('"""Two\\nlines."""\n\n# a comment\nx = (1,\n     2)  # two lines\n"""About x."""\n')
    assert code_lines(file) == 2


def test_the_kernel_is_short() -> None:
    """At most 1,150 lines."""
    files = sorted(Path(sealcheck.kernel.__path__[0]).rglob("*.py"))
    assert {"programs.py", "sealing.py", "runs.py", "tables.py", "lrat.py", "phases.py"} <= {
        file.name for file in files
    }
    assert 300 < sum(map(code_lines, files)) <= MOST_LINES
