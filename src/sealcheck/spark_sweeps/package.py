"""The installed sealcheck package as data: shipped to executors, and named in results."""

import hashlib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from sealcheck import verified
from sealcheck.encodings.solvers import DISTRIBUTIONS

FOLDER = Path(__file__).parents[1]
"""The package."""
LIBRARIES = ("lark", "networkx", "numba", "numpy", "scipy")
"""The distributions, those of solvers apart, that oracles use and statements are checked with."""


def package_files() -> Iterator[tuple[str, Path]]:
    """Every file of the package, with its name in an archive, in a fixed order.

    Not what is compiled, and not the Coq development: no result depends on it, and it may be built there.
    """
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and not {"__pycache__", "proofs"} & {*path.relative_to(FOLDER).parts}:
            yield path.relative_to(FOLDER.parent).as_posix(), path


@cache
def code_digest(*parts: str) -> str:
    """A digest of every file of the package: results of different code must not be mixed.

    Only of some modules and folders, by their names without suffix, where these are given.
    """
    digest = hashlib.sha256()
    for name, path in package_files():
        if parts and Path(name).parts[1].removesuffix(".py") not in parts:
            continue
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def solver_versions() -> dict[str, str]:
    """The installed version of each solver library.

    >>> sorted(solver_versions()) == sorted(DISTRIBUTIONS)
    True
    """
    return {name: version(name) for name in DISTRIBUTIONS}


def answering_versions() -> dict[str, str]:
    """The version of whatever takes part in answers beside the code of this package.

    Python, libraries, and, where it is installed, the verified checker, of which the digest is told.

    >>> sorted(set(answering_versions()) - set(solver_versions()) - set(verified.digest()))
    ['Python', 'lark', 'networkx', 'numba', 'numpy', 'scipy']
    """
    libraries = {name: version(name) for name in LIBRARIES}
    return {"Python": python_version()} | libraries | solver_versions() | verified.digest()


def _compiled_loops() -> Iterator[tuple[str, Path]]:
    """What numba keeps beside the modules; it takes only what fits the source and the processor."""
    for path in sorted(FOLDER.rglob("__pycache__/*.nb[ci]")):
        yield path.relative_to(FOLDER.parent).as_posix(), path


def write_zip(target: Path) -> None:
    """Write the package to `target` so that it can be imported from there, packed or unpacked.

    Folders get entries of their own: without them the importer does not see ``encodings``,
    which has no ``__init__.py``.  Loops that are compiled already go along: it takes ten seconds.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        folders: set[str] = set()
        for name, path in (*package_files(), *_compiled_loops()):
            for folder in reversed(Path(name).parents[:-1]):
                if folder.as_posix() not in folders:
                    folders.add(folder.as_posix())
                    archive.mkdir(folder.as_posix())
            archive.write(path, name)
