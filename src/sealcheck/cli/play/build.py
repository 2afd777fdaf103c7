"""Make `play.zip` in a checkout: `python -m sealcheck.cli.play.build`.

The archive has the parts of the page of ``sealcheck play``:

- Pyodide, which is Python as WebAssembly, with its licences: fetched by npm, and compared with the digests
  below;
- the Python packages of this installation, compiled by Pyodide, so that the page answers sooner;
- the verified program, made before by `make -C proofs page`.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import distribution
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import ZipFile

from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.signature import signature
from sealcheck.cli.output import remark, write
from sealcheck.cli.play.examples import examples
from sealcheck.cli.play.finding import LEVELS
from sealcheck.cli.play.folder import (
    CHECKER,
    COMPILED,
    CONTENTS,
    EXAMPLES,
    NAME,
    PACKAGES,
    compiled_name,
    own_files,
    packed,
)
from sealcheck.errors import InputError
from sealcheck.operations.result import Code
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.support.files import write_file

PACKAGE = Path(__file__).parents[2]
REPOSITORY = PACKAGE.parents[1]
MOST_BYTES = 15 * 2**20


class Npm(NamedTuple):
    """A package of npm."""

    name: str
    version: str
    integrity: str
    """The digest of the package's archive, as npm writes digests."""


PYODIDE = Npm(
    "pyodide",
    "314.0.7",
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
)
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
STANDARD = "pyodide/python_stdlib.zip"
ROOTS = {STANDARD: "/lib/python314.zip", PACKAGES: "/lib/page", COMPILED: "/lib/page"}
"""The archives of Python modules, and the folders of their members on the page."""
LICENCES = Npm(
    "spdx-license-list",
    "6.12.0",
    "sha512-+nUYqm3aZMSHbjsthK+i/HHI2okTElCvqwUd4k8QcSk+FTGgjq+fsdFj2wZOaX6XmR2JdWhf/NeflNnvKOjcnQ==",
)
TEXTS = ("MPL-2.0", "Python-2.0", "LGPL-2.1-or-later", "MIT")
INSTALLED = ("lark", "drawsvg")

NOTICE = """\
This page consists of:

- sealcheck, under the MIT licence: sealcheck-LICENSE.txt
- Pyodide {pyodide}, under the Mozilla Public License 2.0: MPL-2.0.txt
  Its source is at https://github.com/pyodide/pyodide
- CPython with its standard library, as a part of Pyodide, under its own licence: Python-2.0.txt
  Its source is at https://github.com/python/cpython
- the runtime of Emscripten, as a part of Pyodide, under the MIT licence: MIT.txt
- libraries that Pyodide links, such as libffi and zlib: its source names them, with their licences
- lark {lark}, under the MIT licence: lark-LICENSE
- drawsvg {drawsvg}, under the MIT licence: drawsvg-LICENSE.txt
  The Python modules of these are compiled here.
- a program extracted by Coq from the proofs of sealcheck and compiled by js_of_ocaml. The runtimes of OCaml
  and js_of_ocaml in it are under the LGPL 2.1 or later, with an exception for linking: LGPL-2.1-or-later.txt
  Their sources are at https://github.com/ocaml/ocaml and https://github.com/ocsigen/js_of_ocaml
"""


def build(target: Path) -> int:
    """Write the archive, and return its size in bytes.  Raises InputError if something is missing."""
    checker = PACKAGE / "proofs" / CHECKER
    if not checker.is_file():
        raise InputError(f"{CHECKER} is missing: `make -C proofs page` makes it, with Coq and js_of_ocaml")
    if not (REPOSITORY / "examples").is_dir():
        raise InputError("this is not a checkout of the repository, which has the examples")
    own = dict(own_files(files("sealcheck")))
    with TemporaryDirectory() as folder:
        parts = _pyodide(Path(folder)) | _licences(Path(folder))
        parts |= {PACKAGES: packed(dict(_packages())), COMPILED: packed(own)}
        parts |= _compiled(parts, Path(folder))
    parts[COMPILED] = _named_by_digests(parts[COMPILED], own)
    parts[CHECKER] = checker.read_bytes()
    parts[EXAMPLES] = json.dumps(examples(REPOSITORY), ensure_ascii=False).encode()
    parts[LEVELS] = table()
    versions = {name: distribution(name).version for name in INSTALLED}
    parts[CONTENTS] = json.dumps({"pyodide": PYODIDE.version} | versions).encode()
    notice = NOTICE.format(pyodide=PYODIDE.version, **versions)
    parts["licences/NOTICE.txt"] = notice.encode()
    content = packed(parts)
    if len(content) > MOST_BYTES:
        raise InputError(f"{NAME} would have {len(content)} bytes, and may have {MOST_BYTES}")
    write_file(target, content)
    return len(content)


def _pyodide(folder: Path) -> dict[str, bytes]:
    found = fetched(PYODIDE, [f"package/{name}" for name in PYODIDE_FILES], folder)
    return {name.replace("package", "pyodide"): content for name, content in found.items()}


def _licences(folder: Path) -> dict[str, bytes]:
    found = fetched(LICENCES, [f"package/licenses/{name}.json" for name in TEXTS], folder)
    texts = {
        f"licences/{Path(name).stem}.txt": str(json.loads(content)["licenseText"]).encode()
        for name, content in found.items()
    }
    texts["licences/sealcheck-LICENSE.txt"] = (REPOSITORY / "LICENSE").read_bytes()
    for name in INSTALLED:
        for path in distribution(name).files or ():
            if path.name.startswith("LICENSE"):
                texts[f"licences/{name}-{path.name}"] = path.read_binary()
    return texts


def fetched(package: Npm, members: Sequence[str], folder: Path) -> dict[str, bytes]:
    """The named files of an npm package.  Raises InputError if npm fails, or the digest differs."""
    npm = shutil.which("npm")
    if npm is None:
        raise InputError("npm is not on the PATH: it fetches Pyodide")
    named = f"{package.name}@{package.version}"
    command = [npm, "pack", named, "--silent", "--pack-destination", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    archive = folder / f"{package.name}-{package.version}.tgz"
    if ended.returncode or not archive.is_file():
        raise InputError(f"npm cannot fetch {named}: {_last_line(ended.stderr)}")
    content = archive.read_bytes()
    require_integrity(content, package)
    with tarfile.open(fileobj=BytesIO(content)) as opened:
        return {name: _member(opened, name, named) for name in members}


def _last_line(said: str) -> str:
    return said.strip().rpartition("\n")[2] or "it says nothing"


def require_integrity(content: bytes, package: Npm) -> None:
    """Raise InputError unless the content has the digest of the package."""
    digest = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    if digest != package.integrity:
        raise InputError(f"{package.name}@{package.version} is not the package that was tested: {digest}")


def _member(opened: tarfile.TarFile, name: str, package: str) -> bytes:
    try:
        stream = opened.extractfile(name)
    except KeyError:
        stream = None
    if stream is None:
        raise InputError(f"{package} has no file {name}")
    return stream.read()


def _compiled(parts: Mapping[str, bytes], folder: Path) -> dict[str, bytes]:
    """The archives with compiled modules.  Raises InputError if Node.js is missing, or fails."""
    node = shutil.which("node")
    if node is None:
        raise InputError("node is not on the PATH: it runs Pyodide, which compiles the modules of the page")
    for name, content in parts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    here = Path(__file__).parent
    archives = [f"{folder / name}={root}" for name, root in ROOTS.items()]
    asked = map(str, (here / "compile.js", folder / "pyodide", here / "compiling.py"))
    ended = subprocess.run([node, *asked, *archives], capture_output=True, text=True)
    if ended.returncode:
        raise InputError(f"Pyodide cannot compile the modules: {_last_line(ended.stderr)}")
    return {name: (folder / name).read_bytes() for name in ROOTS}


def _named_by_digests(archive: bytes, sources: Mapping[str, bytes]) -> bytes:
    with ZipFile(BytesIO(archive)) as opened:
        modules = {name: text for name, text in sources.items() if name.endswith(".py")}
        return packed({compiled_name(text): opened.read(f"{name}c") for name, text in modules.items()})


def _packages() -> Iterator[tuple[str, bytes]]:
    """The modules and data of the installed Python packages that sealcheck needs."""
    for name in INSTALLED:
        for path in distribution(name).files or ():
            if path.parts[0] == name and path.suffix in (".py", ".lark", ".typed"):
                yield path.as_posix(), path.read_binary()


MOST_MESSAGES: Mapping[int, int] = {2: 6, 3: 6, 4: 5}
"""The size of the table: for each number of processes, the largest number of messages."""


def table(most: Mapping[int, int] = MOST_MESSAGES) -> bytes:
    """The table in which the page searches programs, as a JSON list with a `level` for each size."""
    levels = [level(n, m) for n, largest in most.items() for m in range(largest + 1)]
    return json.dumps(levels, separators=(",", ":")).encode()


def level(n: int, m: int) -> dict[str, Any]:
    """The columns of the table for n processes and m messages.

    - `shares` has a column for each process, with numbers that encode the process's events (`packed`).
    - `minimum` has the number of messages of a shortest seal, -1 if there is no seal.
    - `open` has the open channels, and `sends` the first sends in the signature, both as masks of
      `channels(n)`.

    >>> level(2, 1)
    {'n': 2, 'messages': 1, 'shares': [[1], [2]], 'minimum': [1], 'open': [1], 'sends': [1]}
    """
    batch = PackedLevel(n, m).batch()
    found = [signature(batch.program(row)) for row in range(len(batch))]
    return {
        "n": n,
        "messages": m,
        "shares": batch.shares.T.tolist(),
        "minimum": batch.minimum.tolist(),
        "open": [mask(n, each.open_channels) for each in found],
        "sends": [mask(n, each.interfering_sends) for each in found],
    }


def mask(n: int, chosen: Iterable[Channel]) -> int:
    """These channels as bits; the lowest bit is 1->2.

    >>> mask(3, [Channel(1, 2), Channel(2, 1)])
    5
    """
    return sum(1 << channels(n).index(channel) for channel in chosen)


def main() -> int:
    """Build the archive inside the package."""
    target = Path(__file__).parent / NAME
    try:
        size = build(target)
    except InputError as error:
        remark(str(error))
        return Code.BAD_INPUT
    write(f"wrote {target}: {size / 2**20:.1f} MiB")
    return Code.YES


if __name__ == "__main__":
    sys.exit(main())
