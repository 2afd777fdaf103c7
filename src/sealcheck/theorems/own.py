"""Statements that users write in a file: ``my_statements.py`` names them all, ``my_statements.py::ID`` one.

The file is a Python module. Its statements are the objects with an attribute `statement`, such as functions
decorated by `sealcheck.conjecture`. The file runs in a process of its own. If the file ends this process or
runs too long, the caller gets an exception. What the file prints goes to the standard error stream.
"""

import atexit
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, TypeVar, cast

from sealcheck.errors import Disagreement, InputError, LimitReached, Unfinished
from sealcheck.questions.asking import question
from sealcheck.questions.instance import Instance
from sealcheck.support.processes import Bounded, Limits, ProcessDied
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Claim, Statement

A = TypeVar("A")
Call = tuple[str, Callable[..., object], tuple[Any, ...]]

SEPARATOR = "::"
"""The separator between the name of a file and the id of a statement in it."""

LIMITS = Limits(600, 2048)
"""Default limits of importing a file, and of each call into it."""

MOST_BYTES = 16 * 2**20

_OURS = (InputError, Disagreement, Unfinished, LimitReached, MemoryError)
"""Exceptions that keep their meaning if a file raises them."""

_runs_here = False
"""Whether this process was made for running such files."""
_is_copied = False
"""Whether such a file has made a copy of this process."""
_processes: dict[str, Bounded[Call, bytes]] = {}
"""The process of each file."""


def is_own(id: str) -> bool:
    """Whether an id names a file.

    >>> is_own("graph-cause"), is_own("mine.py"), is_own("mine.py::few-messages")
    (False, True, True)
    """
    return file_of(id).endswith(".py")


def file_of(id: str) -> str:
    """The name of the file that an id names.

    >>> file_of("mine.py::few-messages")
    'mine.py'
    """
    return id.partition(SEPARATOR)[0]


def run_here() -> None:
    """Let files run in this process from now on."""
    global _runs_here
    _runs_here = True


def admit(ids: Iterable[str], limits: Limits = LIMITS) -> None:
    """Allow the files of these ids to run. `limits` bound each import of a file, and each call into it.

    No other file is run, since a document may name any file.
    """
    for file in {file_of(id) for id in ids if is_own(id)}:
        _dismiss(file)
        _processes[file] = Bounded(_called, limits)
        atexit.register(_dismiss, file)  # multiprocessing would wait for one that ignores its signal


def _dismiss(file: str) -> None:
    if found := _processes.pop(file, None):
        with found:
            pass


def there(id: str, function: Callable[..., A], *arguments: Any) -> A:
    """Call a function of the package in the process of the statement's file.

    If the statement is the paper's, the function is called in the present process. Raises LimitReached if the
    call hits a limit, and InputError if the file ends its process, or raises an exception that is not the
    package's.
    """
    if _runs_here or not is_own(id):
        return function(*arguments)
    file = file_of(id)
    try:
        return cast(A, pickle.loads(_processes[file]((file, function, arguments))))
    except ProcessDied:
        raise InputError(f"cannot run '{file}': it ends its process, or takes too much memory") from None
    except LimitReached as limit:
        raise LimitReached(f"'{file}': {limit}") from None
    except (AttributeError, ImportError, pickle.PickleError) as error:
        raise _not_usable(file, str(error)) from None


def _called(call: Call) -> bytes:
    """Call a function in the process of a file, and pickle the result."""
    file, function, arguments = call
    if not _runs_here:
        os.dup2(2, 1)
        sys.stdout = sys.__stdout__ = sys.stderr  # type: ignore[misc, assignment]
        run_here()
        os.register_at_fork(after_in_parent=_note_copy)
    made = os.getpid()
    try:
        with blaming(f"cannot run '{file}'"):
            answer = pickle.dumps(function(*arguments))
    finally:
        if os.getpid() != made:
            os._exit(1)  # a copy does not answer
        if _is_copied:
            raise InputError(f"cannot run '{file}': it copies its process, as os.fork does")
    return answer


def _note_copy() -> None:
    global _is_copied
    _is_copied = True


@contextmanager
def blaming(what: str) -> Iterator[None]:
    """Turn any exception of a user's file, even SystemExit, into an InputError that begins with `what`.

    >>> with blaming("cannot run 'mine.py'"):
    ...     sys.exit(0)
    Traceback (most recent call last):
    sealcheck.errors.InputError: cannot run 'mine.py': SystemExit: 0
    """
    try:
        yield
    except _OURS:
        raise
    except BaseException as error:
        raise InputError(f"{what}: {_described(error)}") from None


def _described(error: BaseException) -> str:
    """The exception on one line, even if its `str` fails."""
    try:
        said = " ".join(str(error).split())
    except BaseException:
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def statements(file: str) -> dict[str, Statement]:
    """The statements of a file, by ids that begin with its name.

    The checks and queries of a file that runs in another process can only be called by `there`. Raises
    LimitReached if running the file hits a limit, and InputError if the file cannot be read or run, or has no
    statements.
    """
    if not (_runs_here or file in _processes):
        raise InputError(f"'{file}' is a file of statements: only audit takes such")
    content = _digest(file)
    return _loaded(file, content) if _runs_here else _outlined(file, content)


def _digest(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read '{file}': {error.strerror}") from None
    except ValueError:
        raise InputError(f"cannot read {file!r}: this cannot be the name of a file") from None
    if len(content) > MOST_BYTES:
        raise InputError(f"cannot read '{file}': longer than {MOST_BYTES // 2**20} MiB")
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=16)
def _outlined(file: str, _digest: str) -> dict[str, Statement]:
    found = {}
    for about, questions in there(file, _outlines, file):
        found[about.id] = replace(about, questions=tuple(map(question, questions)))
    return found


def _outlines(file: str) -> list[tuple[Statement, list[str]]]:
    """The statements, without objects of the file's module, and the ids of their questions."""
    loaded = statements(file).values()
    return [(_outline(file, about), [each.id for each in about.questions]) for about in loaded]


def _outline(file: str, about: Statement) -> Statement:
    claims = []
    for number, claim in enumerate(about.claims):
        if replace(claim, check=None, whole_space=None, explain=None, run=None) != Claim(claim.text):
            raise _not_usable(
                file, f"{about.id} has what only the paper's statements have, such as hypotheses"
            )
        outline = Claim(
            claim.text,
            check=claim.check and _elsewhere,
            whole_space=claim.whole_space and _elsewhere,
            explain=claim.explain and partial(_told, "explain", about.id, number),
            run=claim.run and partial(_told, "run", about.id, number),
        )
        claims.append(outline)
    return replace(about, claims=tuple(claims), questions=())


def _elsewhere(*_: object) -> Any:
    raise RuntimeError("statements of a file are checked in another process")


def _told(what: str, id: str, number: int, instance: Instance, _: object) -> Any:
    return there(id, _asked_for, what, id, number, instance)


def _asked_for(what: str, id: str, number: int, instance: Instance) -> Any:
    """The explanation of a counterexample, or its run."""
    claim = statements(file_of(id))[id].claims[number]
    with inline() as ask:
        return getattr(claim, what)(instance, ask)


def _not_usable(file: str, why: str) -> InputError:
    return InputError(f"cannot use '{file}': {why}; make statements with @sealcheck.conjecture")


@lru_cache(maxsize=16)
def _loaded(file: str, digest: str) -> dict[str, Statement]:
    spec = spec_from_file_location(f"statements_{digest}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses of the module look for their own
    with blaming(f"cannot run '{file}'"):
        spec.loader.exec_module(module)
        values = {id(value): getattr(value, "statement", None) for value in vars(module).values()}
    found: dict[str, Statement] = {}
    for about in values.values():
        if isinstance(about, Statement):
            name = f"{file}{SEPARATOR}{about.id}"
            if name in found:
                raise InputError(f"'{file}' has two statements that are called '{about.id}': rename one")
            found[name] = replace(about, id=name)
    if not found:
        raise InputError(f"'{file}' has no statements: make them with @sealcheck.conjecture")
    return found
