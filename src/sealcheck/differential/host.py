"""Run a Python function as an implementation under test, in a process where it may hang or crash.

``python -u -P -m sealcheck.differential.host MODULE:NAME p q`` imports the module from the current folder.
The process reads one question per line, calls the function with the programs p and q, and writes the answer.
The function's own output goes to standard error.
"""

import importlib
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from sealcheck.differential.protocol import read_argument

Function = Callable[..., Any]

CHECK = "--check"
"""The option to load the function without answering questions."""
NOT_LOADED = 65
"""The exit code if the function cannot be loaded. The last line of standard error gives the reason."""


class NoFunctionError(Exception):
    """The function was not found. The message gives the reason."""


class NoJsonError(Exception):
    """The function returned a value that JSON cannot represent. The message names the value."""


def said(function: Function, programs: Sequence[Any]) -> dict[str, Any]:
    """The answer of a function: ``result``, or ``skipped`` after a NotImplementedError.

    Tuples, sets and frozensets become arrays.  Raises NoJsonError if the answer is not JSON, and any
    other exception that the function raises.

    >>> said(lambda p: {(1, 2)}, ["eps"])
    {'result': [[1, 2]]}
    """
    try:
        found = function(*programs)
    except NotImplementedError as reason:
        return {"skipped": str(reason)}
    try:
        written = json.dumps(found, default=_listed, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as reason:
        raise NoJsonError(f"its result is not JSON: {reason}") from None
    return {"result": json.loads(written)}


def _listed(value: object) -> list[object]:
    if isinstance(value, set | frozenset):
        return list(value)
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."  # numpy.bool is not bool
    raise TypeError(f"a value of type {module}{kind.__name__}")


def command(spec: str, takes: Sequence[str], *options: str) -> list[str]:
    """The command that runs the function ``MODULE:NAME``, which takes these programs."""
    return [sys.executable, "-u", "-P", "-m", "sealcheck.differential.host", *options, spec, *takes]


def load(spec: str, takes: Sequence[str]) -> Function:
    """The function ``MODULE:NAME``, if it can be called with `takes`.

    Raises NoFunctionError otherwise, and any exception that importing the module raises.
    """
    module_name, _, name = spec.partition(":")
    if not module_name or not name:
        raise NoFunctionError(f"'{spec}' is not of the form MODULE:NAME")
    if module_name.startswith("."):
        raise NoFunctionError(f"'{module_name}' is a path, not a module: run diff in the module's folder")
    try:
        function: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as reason:
        if module_name.endswith(".py"):
            module = module_name.removesuffix(".py").replace("/", ".")
            raise NoFunctionError(f"a module is named without .py: '{module}:{name}'") from None
        raise NoFunctionError(f"cannot import '{module_name}': {reason}") from None
    for part in name.split("."):
        if not hasattr(function, part):
            raise NoFunctionError(f"module '{module_name}' has no function '{name}'")
        function = getattr(function, part)
    if not callable(function):
        raise NoFunctionError(f"'{name}' in module '{module_name}' is not a function")
    try:
        inspect.signature(function).bind(*takes)
    except TypeError as reason:
        raise NoFunctionError(f"'{spec}' can't be called with {' and '.join(takes)}: {reason}") from None
    except ValueError:  # built in, without a signature
        pass
    return function  # type: ignore[no-any-return]


def answer_lines(function: Function, questions: BinaryIO, answers: BinaryIO, takes: Sequence[str]) -> None:
    """Answer each line. If the function raises an exception, the answer is an error."""
    for line in questions:
        asked = json.loads(line)
        programs = [read_argument(asked[name]) for name in takes]
        try:
            answer = said(function, programs)
        except NoJsonError as reason:
            answer = {"error": str(reason)}
        except Exception as reason:
            traceback.print_exc()
            answer = {"error": "".join(traceback.format_exception_only(reason)).strip()}
        answers.write(json.dumps({"seq": asked["seq"], **answer}).encode() + b"\n")
        answers.flush()


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Streams for questions and answers. The function itself prints to other streams."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return questions, answers


def main(arguments: Sequence[str]) -> int:
    """Answer questions until the input ends."""
    only_check = CHECK in arguments
    spec, *takes = [argument for argument in arguments if argument != CHECK]
    questions, answers = _own_streams()
    sys.path.insert(0, os.getcwd())
    try:
        function = load(spec, takes)
    except NoFunctionError as reason:
        print(reason, file=sys.stderr)
        return NOT_LOADED
    except Exception as reason:
        traceback.print_exc()
        print(f"importing '{spec}' raises {type(reason).__name__}: {reason}", file=sys.stderr)
        return NOT_LOADED
    if not only_check:
        answer_lines(function, questions, answers, takes)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
