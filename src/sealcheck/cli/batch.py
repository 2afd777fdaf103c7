"""Batches: questions as JSON lines in, answers as JSON lines out, one by one and in order."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from sealcheck.cli.answers import Answer, Code, write
from sealcheck.cli.inputs import MAX_BYTES, decoded, open_input, parse_programs
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import StraightLine

_JSON_TYPES = {str: "a string", bool: "a truth value", int: "a number", float: "a number"}
_JSON_TYPES |= {list: "an array", dict: "an object", type(None): "null"}


def answer_lines(
    question: Callable[..., Answer], names: Sequence[str], source: str, n: int | None
) -> Code:
    """Answer every line of a file (``-``: standard input) as soon as it is read.

    A line is ``{"p": "…", "q": "…", "n": 3}`` with a program text for each of `names`, in
    lower case; `n` stands in where it gives none.  A text is never taken for a file's name:
    whoever wrote the lines need not be who runs this.  A line that cannot be answered gets
    ``{"error": "…"}``.  Returns BAD_INPUT if there was one, else UNKNOWN if a limit was hit,
    else YES.  Memory for one line at a time.
    """
    bad_lines: list[int] = []
    code = Code.YES
    with open_input(source) as stream:
        number = 0
        for number, line in enumerate(_lines(stream), 1):
            try:
                answer = question(*_programs(line, names, n))
            except InputError as error:
                bad_lines.append(number)
                write(json.dumps({"error": str(error)}))
                continue
            if answer.code is Code.UNKNOWN:
                code = Code.UNKNOWN
            write(json.dumps(answer.document))
    if not bad_lines:
        return code
    print(f"sealcheck: {len(bad_lines)} of {number} lines are bad, first line {bad_lines[0]}", file=sys.stderr)
    return Code.BAD_INPUT


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, each cut off one byte after the limit."""
    while line := stream.readline(MAX_BYTES + 1):
        rest = line
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_BYTES + 1)
        yield line


def _programs(line: bytes, names: Sequence[str], n: int | None) -> list[StraightLine]:
    fields = _object(decoded(line))
    texts = {name: fields.pop(name.lower(), None) for name in names}
    own_n = fields.pop("n", n)
    for key in fields:
        raise InputError(f"unknown key {key[:20]!r}")
    for name, text in texts.items():
        if not isinstance(text, str):
            raise InputError(f"key {name.lower()!r} must be a program text, not {_json_type(text)}")
    if own_n is not None and type(own_n) is not int:
        raise InputError(f"key 'n' must be a whole number, not {_json_type(own_n)}")
    return parse_programs(texts, own_n)


def _object(text: str) -> dict[str, Any]:
    if not text.strip():
        raise InputError("the line is empty")
    try:
        fields = json.loads(text, object_pairs_hook=_without_repetition, parse_constant=_reject)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise InputError("not a question: JSON nested too deeply") from None
    except ValueError:  # from int, on thousands of digits
        raise InputError("not a question: a number with too many digits") from None
    if not isinstance(fields, dict):
        raise InputError(f"a question is a JSON object, not {_json_type(fields)}")
    return fields
