"""The package as an archive and as a digest."""

import subprocess
import sys
from pathlib import Path

import pytest

import sealcheck
from sealcheck.spark_sweeps import installed


def test_archive_is_importable_without_the_installed_package(tmp_path: Path) -> None:
    archive = tmp_path / "sealcheck.zip"
    installed.write_zip(archive)
    program = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "import sealcheck, sealcheck.programs.space, importlib.util, importlib.resources\n"
        "print(sealcheck.__version__, importlib.util.find_spec('sealcheck.encodings') is not None,"
        " importlib.resources.files('sealcheck').joinpath('py.typed').is_file(), sealcheck.__file__)"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True)
    expected = f"{sealcheck.__version__} True True {archive}/sealcheck/__init__.py\n"
    assert (ran.stdout, ran.stderr) == (expected, "")


def test_every_module_and_data_file_is_shipped() -> None:
    names = {name for name, _ in installed.package_files()}
    assert {"sealcheck/__init__.py", "sealcheck/spark_sweeps/log4j2.properties"} <= names
    assert any(name.endswith(".lark") for name in names)
    assert not any(name.endswith(".pyc") for name in names)
    assert not any(name.startswith("sealcheck/proofs/") for name in names)  # results do not depend on it


def test_digest_depends_on_every_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def digest() -> str:
        installed.code_digest.cache_clear()
        return installed.code_digest()

    root = tmp_path / "sealcheck"
    root.mkdir()
    (root / "a.py").write_text("1")
    monkeypatch.setattr(installed, "FOLDER", root)
    first = digest()
    assert digest() == first
    (root / "a.py").write_text("2")
    second = digest()
    (root / "a.py").rename(root / "b.py")
    third = digest()
    installed.code_digest.cache_clear()
    assert len({first, second, third}) == 3
