"""What an implementation is asked, and what it may answer: one JSON object a line, in UTF-8.

A question is ``{"v": 1, "seq": 7, "question": "is-seal", "n": 2, "p": {…}, "q": {…}}``.  Each program
comes as text, and as the list of its events, process by process, which spares the other side a parser.
An answer is ``{"seq": 7, "result": …}``, where the result has the type of the question's schema and is
never coerced; or ``{"seq": 7, "skipped": WHY}``; or ``{"seq": 7, "error": WHY}``.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sealcheck.differential.processes import Processes
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance

VERSION = 1
SHOWN = 80
"""Characters of a line that is no answer which are shown."""


@dataclass(frozen=True)
class Result:
    """What the implementation says; JSON, as yet of any type."""

    value: Any


@dataclass(frozen=True)
class Skipped:
    """It does not answer such questions; that counts for nothing."""

    why: str


@dataclass(frozen=True)
class Failed:
    """It says that it failed."""

    why: str


class GarbageError(Exception):
    """A line that is no answer to what was asked; the message says what is wrong with it."""


def request(question: str, takes: Sequence[str], instance: Instance, number: int) -> bytes:
    """The line that asks a question about an instance.

    >>> from sealcheck.programs.straight_line import mt
    >>> line = request("sealable", ["p"], Instance.of(StraightLine.of(2, mt(1, 2))), 7).decode()
    >>> print(line[:58], line[58:], sep="\\n")  # doctest: +NORMALIZE_WHITESPACE
    {"v": 1, "seq": 7, "question": "sealable", "n": 2, "p": {"
    text": "mt 1->2", "processes": [[["snd", 2]], [["rcv", 1]]]}}
    """
    asked = {"v": VERSION, "seq": number, "question": question, "n": instance.n}
    return json.dumps(asked | programs_document(takes, instance)).encode() + b"\n"


def programs_document(takes: Sequence[str], instance: Instance) -> dict[str, object]:
    """The programs of an instance, each under its name."""
    return {name: _program(p) for name, p in zip(takes, instance.straight, strict=True)}


def _program(program: StraightLine) -> dict[str, object]:
    return {"text": str(program), "processes": Processes.of(program)}


def reply(line: bytes, number: int) -> Result | Skipped | Failed:
    """What a line says in answer to the question of that number.  Raises GarbageError.

    >>> reply(b'{"seq": 7, "result": false}', 7)
    Result(value=False)
    >>> reply(b'{"seq": 6, "result": false}', 7)
    Traceback (most recent call last):
    sealcheck.differential.protocol.GarbageError: it answered question 6 when it was asked question 7
    """
    try:
        said = json.loads(line, object_pairs_hook=_without_repeated_keys, parse_constant=_no_number)
    except (ValueError, RecursionError) as reason:
        raise GarbageError(f"this is no line of JSON: {_shown(line)} ({reason})") from None
    if not isinstance(said, dict):
        raise GarbageError(f"this is no JSON object: {_shown(line)}")
    if type(said.get("seq")) is not int:
        raise GarbageError(f"this answer has no whole number as its 'seq': {_shown(line)}")
    if said["seq"] != number:
        raise GarbageError(f"it answered question {said['seq']} when it was asked question {number}")
    match sorted(said.keys() - {"seq"}):
        case ["result"]:
            return Result(said["result"])
        case ["skipped"] if isinstance(said["skipped"], str):
            return Skipped(said["skipped"])
        case ["error"] if isinstance(said["error"], str):
            return Failed(said["error"])
        case _:
            raise GarbageError(
                f"beside 'seq' an answer has 'result', or a text as 'skipped' or 'error': {_shown(line)}"
            )


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", errors="backslashreplace").strip()
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
