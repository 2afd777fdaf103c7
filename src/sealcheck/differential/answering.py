"""Calling somebody's Python function, and what its answer is in JSON."""

import json
from collections.abc import Callable
from typing import Any

from sealcheck.differential.processes import Processes

Function = Callable[..., Any]


class NoJsonError(Exception):
    """The function returned something that JSON cannot say; the message says what."""


def said(function: Function, programs: list[Processes]) -> dict[str, Any]:
    """What an answer has beside its number: ``result`` or, where it raises NotImplementedError, ``skipped``.

    Tuples, sets and frozensets are arrays.  Raises NoJsonError, and what the function raises.

    >>> said(lambda p: {(1, 2)}, [Processes([], "eps")])
    {'result': [[1, 2]]}
    """
    try:
        found = function(*programs)
    except NotImplementedError as reason:
        return {"skipped": str(reason)}
    try:
        written = json.dumps(found, default=_listed, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as reason:
        raise NoJsonError(f"it returned what is no JSON: {reason}") from None
    return {"result": json.loads(written)}


def _listed(value: object) -> list[object]:
    if isinstance(value, set | frozenset):
        return list(value)
    raise TypeError(f"a value of type {type(value).__name__}")
