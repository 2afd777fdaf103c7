"""Compiled modules run without their sources."""

import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from sealcheck.cli.play.compiling import compiled
from sealcheck.cli.play.folder import packed

SOURCES = {
    "a/__init__.py": b'"""A docstring."""\nfrom a.b import asked\n',
    "a/b.py": b"def asked(x):\n    assert x\n    return 1 / (x - 1)\n",
    "a/c.lark": b"start: /./",
}


@pytest.mark.parametrize("is_unpacked", [False, True])
def test_compiled_modules_run(tmp_path: Path, *, is_unpacked: bool) -> None:
    archive = tmp_path / "made.zip"
    archive.write_bytes(compiled(packed(SOURCES), "/lib/page"))
    with zipfile.ZipFile(archive) as made:
        assert made.namelist() == ["a/__init__.pyc", "a/b.pyc", "a/c.lark"]
        made.extractall(tmp_path / "folder")
    place = tmp_path / "folder" if is_unpacked else archive
    program = (
        f"import sys; sys.path.insert(0, {str(place)!r})\nimport a\nprint(a.__doc__, a.asked(2))\na.asked(1)"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True)
    assert ran.stdout == "A docstring. 1.0\n"
    assert '"/lib/page/a/b.py", line 3, in asked' in ran.stderr
    assert ran.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_the_same_sources_make_the_same_archive() -> None:
    assert compiled(packed(SOURCES), "/lib") == compiled(packed(SOURCES), "/lib")


def test_what_is_not_python_is_refused() -> None:
    with pytest.raises(SyntaxError, match="invalid syntax"):
        compiled(packed({"a.py": b"x ="}), "/lib")


def test_folders_are_left_out() -> None:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("a/", "")
        made.writestr("a/b.py", "")
    with zipfile.ZipFile(BytesIO(compiled(stream.getvalue(), "/lib"))) as made:
        assert made.namelist() == ["a/b.pyc"]
