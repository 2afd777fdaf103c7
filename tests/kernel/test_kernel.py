"""What the kernel is made of."""

import ast
import sys
from pathlib import Path

import pytest

import sealcheck.kernel

FILES = sorted(Path(sealcheck.kernel.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_standard_library_is_enough(file: Path) -> None:
    """The kernel imports nothing but the standard library and itself."""
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.startswith("sealcheck.kernel") or name.partition(".")[0] in sys.stdlib_module_names
