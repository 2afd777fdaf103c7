"""Statements of somebody's own, from a file: ``my_statements.py``, or one of them, ``my_statements.py::ID``.

The file is a Python module that whoever names it wants to be run.  A statement in it is anything with a
`statement`, such as what the decorator `sealcheck.conjecture` makes.
"""

import hashlib
import sys
from dataclasses import replace
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from sealcheck.errors import InputError
from sealcheck.harness.statement import Statement

SEPARATOR = "::"
"""Between the name of a file and the id of a statement in it."""


def is_own(id: str) -> bool:
    """Whether an id names a file.

    >>> is_own("graph-cause"), is_own("mine.py"), is_own("mine.py::few-messages")
    (False, True, True)
    """
    return id.partition(SEPARATOR)[0].endswith(".py")


def statements(file: str) -> dict[str, Statement]:
    """The statements of a file, by ids that begin with its name.

    Raises InputError where it cannot be read or run, or has none.
    """
    return _loaded(file, digest(file))


def digest(id: str) -> str:
    """A digest of the file that an id names: what was found with other contents is no longer true."""
    file = id.partition(SEPARATOR)[0]
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot read '{file}': {error.strerror}") from None


@lru_cache(maxsize=16)
def _loaded(file: str, _digest: str) -> dict[str, Statement]:
    spec = spec_from_file_location(f"statements_{_digest}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses of the module look for their own
    try:
        spec.loader.exec_module(module)
    except InputError as error:
        raise InputError(f"in '{file}': {error}") from None
    except Exception as error:
        raise InputError(f"cannot run '{file}': {type(error).__name__}: {error}") from None
    found: dict[str, Statement] = {}
    for value in vars(module).values():
        if isinstance(about := getattr(value, "statement", None), Statement):
            id = f"{file}{SEPARATOR}{about.id}"
            found[id] = replace(about, id=id)
    if not found:
        raise InputError(f"'{file}' has no statements: make them with @sealcheck.conjecture")
    return found
