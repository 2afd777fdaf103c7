"""The build of the archive; a sentence for each missing part."""

import base64
import hashlib
import io
import tarfile
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from sealcheck.cli.play import build
from sealcheck.cli.play.build import ROOTS, Npm, fetched, main
from sealcheck.cli.play.folder import CHECKER, COMPILED, NAME, compiled_name, members, own_files, packed
from sealcheck.errors import InputError

OWN_MODULES = [f"{name}c" for name, _ in own_files(files("sealcheck")) if name.endswith(".py")]


def tarball(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


CONTENT = tarball({"package/a.js": b"1"})
KNOWN = Npm("a", "1.0.0", "sha512-" + base64.b64encode(hashlib.sha512(CONTENT).digest()).decode())


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexec cp {tmp_path}/package a-1.0.0.tgz\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return tmp_path / "package"


def test_a_package_is_fetched_in_its_version(npm: Path, tmp_path: Path) -> None:
    npm.write_bytes(CONTENT)
    assert fetched(KNOWN, ["package/a.js"], tmp_path) == {"package/a.js": b"1"}
    assert (tmp_path / "asked").read_text().startswith("pack a@1.0.0 ")


def test_another_package_is_refused(npm: Path, tmp_path: Path) -> None:
    npm.write_bytes(tarball({"package/a.js": b"2"}))
    with pytest.raises(InputError, match=r"a@1\.0\.0 is not the package that was tested: sha512-"):
        fetched(KNOWN, ["package/a.js"], tmp_path)


def test_what_npm_says_is_passed_on(npm: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"npm cannot fetch a@1\.0\.0: cp: .*No such file"):
        fetched(KNOWN, ["package/a.js"], tmp_path)


def test_a_file_that_a_package_lacks_is_named(npm: Path, tmp_path: Path) -> None:
    npm.write_bytes(CONTENT)
    with pytest.raises(InputError, match=r"a@1\.0\.0 has no file package/b\.js"):
        fetched(KNOWN, ["package/b.js"], tmp_path)


def test_without_npm_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="npm is not on the PATH: it fetches Pyodide"):
        fetched(KNOWN, [], tmp_path)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "src" / "sealcheck"
    (found / "proofs").mkdir(parents=True)
    monkeypatch.setattr(build, "PACKAGE", found)
    monkeypatch.setattr(build, "REPOSITORY", tmp_path)
    return found


def test_the_verified_program_is_made_before(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=rf"{CHECKER} is missing: `make -C proofs page` makes it"):
        build.build(tmp_path / NAME)
    assert main() == 2
    assert capsys.readouterr().err.startswith(f"sealcheck: {CHECKER} is missing")
    assert not (tmp_path / NAME).exists()


def test_examples_are_those_of_a_checkout(package: Path, tmp_path: Path) -> None:
    (package / "proofs" / CHECKER).write_text("//")
    with pytest.raises(InputError, match="this is not a checkout of the repository, which has the examples"):
        build.build(tmp_path / NAME)


def test_it_is_not_larger_than_promised(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "proofs" / CHECKER).write_text("//")
    (tmp_path / "examples").mkdir()
    monkeypatch.setattr(build, "_pyodide", lambda _: {"pyodide/pyodide.asm.wasm": b"0"})
    monkeypatch.setattr(build, "_licences", lambda _: {})
    monkeypatch.setattr(
        build, "_compiled", lambda *_: {COMPILED: packed(dict.fromkeys(OWN_MODULES, b"code"))}
    )
    monkeypatch.setattr(build, "examples", lambda _: [])
    monkeypatch.setattr(build, "table", lambda: b"[]")
    assert build.build(tmp_path / NAME) == (tmp_path / NAME).stat().st_size
    monkeypatch.setattr(build, "MOST_BYTES", 10)
    with pytest.raises(InputError, match=rf"{NAME} would have \d+ bytes, and may have 10"):
        build.build(tmp_path / "other.zip")
    assert not (tmp_path / "other.zip").exists()


PARTS = dict.fromkeys(ROOTS, packed({"a/b.py": b"x = 1"})) | {"pyodide/pyodide.mjs": b"//"}


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "node"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


def has(program: Path, *lines: str) -> None:
    program.write_text("\n".join(("#!/bin/sh", *lines, "")))
    program.chmod(0o755)


def test_modules_are_compiled_by_the_python_of_the_page(
    node: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has(
        node,
        'echo "$@" > asked',
        'for each in "$@"; do case $each in *=*) echo new > ${each%=*};; esac; done',
    )
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    assert build._compiled(PARTS, folder) == dict.fromkeys(ROOTS, b"new\n")
    script, pyodide, function, *archives = (tmp_path / "asked").read_text().split()
    assert [Path(each).name for each in (script, pyodide, function)] == [
        "compile.js",
        "pyodide",
        "compiling.py",
    ]
    assert archives == [f"{folder}/{name}={root}" for name, root in ROOTS.items()]
    assert (folder / "pyodide" / "pyodide.mjs").is_file()


def test_what_pyodide_says_is_passed_on(node: Path, tmp_path: Path) -> None:
    has(node, "echo one >&2", "echo SyntaxError: invalid syntax >&2", "exit 1")
    with pytest.raises(
        InputError, match=r"^Pyodide cannot compile the modules: SyntaxError: invalid syntax$"
    ):
        build._compiled(PARTS, tmp_path)


def test_without_node_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="node is not on the PATH: it runs Pyodide, which compiles"):
        build._compiled(PARTS, tmp_path)


def test_our_modules_are_named_by_their_sources() -> None:
    compiled = packed({"a.pyc": b"code"})
    named = build._named_by_digests(compiled, {"a.py": b"x = 1", "a.lark": b"x"})
    assert named == packed({compiled_name(b"x = 1"): b"code"})


@pytest.mark.browser
@pytest.mark.skipif(not (files("sealcheck.cli.play") / NAME).is_file(), reason=f"there is no {NAME}")
def test_the_archive_has_compiled_modules() -> None:
    """The archive is compiled for the page's Python, not for the Python of this test."""
    found = members()
    for name in ROOTS:
        with zipfile.ZipFile(io.BytesIO(found[name])) as opened:
            modules = [each for each in opened.namelist() if each.endswith((".py", ".pyc"))]
            assert len(modules) > 30
            assert {each[-1] for each in modules} == {"c"}
            assert len({opened.read(each)[:8] for each in modules}) == 1


def test_make_knows_how() -> None:
    proofs = Path(build.__file__).parents[2] / "proofs"
    _, _, rest = (proofs / "Makefile").read_text().partition("\npage:")
    rule, _, _ = rest.partition("\n\n")
    assert f"-o ../{CHECKER}" in rule
    for name in ("json.mli", "json.ml", "reading.ml", "answering.ml", "page.ml"):
        assert name in rule
        assert (proofs / "checker" / name).is_file()
