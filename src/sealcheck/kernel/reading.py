"""Read JSON from untrusted sources. For each value, exactly one text is accepted."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NoReturn


class Rejected(Exception):
    """The evidence does not show its claim; the message says why, in one sentence."""


LONGEST = 16 * 2**20
"""The most bytes in a line, with its line end."""


def canonical(value: object) -> bytes:
    """The one text of a value: keys sorted, no spaces, ASCII.

    >>> canonical({"n": 2, "is": [True, None]})
    b'{"is":[true,null],"n":2}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def value_of(line: bytes) -> object:
    """The value of a line. Raises Rejected if the line is not the value's canonical text.

    >>> value_of(b'{"n":2,"n":3}')
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: the line is not in canonical form (sorted keys, each once, no spaces)
    """
    try:
        value = json.loads(line.decode("ascii"), parse_float=_refuse, parse_constant=_refuse)
        same = canonical(value) == line
    except UnicodeDecodeError:
        raise Rejected("the line is not ASCII text") from None
    except RecursionError:
        raise Rejected("the line is nested too deeply") from None
    except ValueError:
        raise Rejected("the line is not JSON") from None
    if not same:
        raise Rejected("the line is not in canonical form (sorted keys, each once, no spaces)")
    return value


def _refuse(text: str) -> NoReturn:
    raise Rejected(f"{text[:20]} is not a whole number")


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, without their line ends. The last line must have a line end, too.

    Holds one line at a time.
    """
    while line := stream.readline(LONGEST):
        if not line.endswith(b"\n"):
            raise Rejected("the line is too long" if len(line) == LONGEST else "the line has no end")
        yield line[:-1]


_WORDS = {bool: "true or false", int: "a whole number", str: "a text", list: "a list", dict: "an object"}


def fields(value: object, types: Mapping[str, type]) -> dict[str, Any]:
    """Check that `value` is an object with exactly these keys, whose values have exactly these types.

    The type `object` allows any value, null included.

    >>> fields({"n": True}, {"n": int})
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: 'n' is not a whole number
    """
    if not isinstance(value, dict) or value.keys() != types.keys():
        raise Rejected(f"there must be an object with exactly the keys {', '.join(sorted(types))}")
    for key, wanted in types.items():
        if wanted is not object and type(value[key]) is not wanted:
            raise Rejected(f"'{key}' is not {_WORDS.get(wanted, 'null')}")
    return value


def header(line: bytes, what: str, version: int, types: dict[str, type]) -> dict[str, Any]:
    """Check the first line of a file of evidence, and return its fields. `what` is the kind of the file.

    >>> header(b'{"sealcheck":"table","version":1}', "table", 2, {})
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: this is a table of version 1, which this version no longer reads
    """
    value = value_of(line)
    named = what if what.endswith("s") else f"a {what}"
    if not isinstance(value, dict) or value.get("sealcheck") != what:
        raise Rejected(f"this is not {named}")
    found = value.get("version")
    if type(found) is int and found != version:
        known = "no longer reads" if found < version else "does not know"
        raise Rejected(f"this is {named} of version {str(found)[:20]}, which this version {known}")
    return fields(value, types | {"sealcheck": str, "version": int})


def numbers(value: object, length: int | None = None) -> tuple[int, ...]:
    """Check that `value` is a list of whole numbers, with `length` of them if a length is given."""
    if not isinstance(value, list) or any(type(item) is not int for item in value):
        raise Rejected(f"{str(value)[:40]} is not a list of whole numbers")
    if length is not None and len(value) != length:
        raise Rejected(f"{str(value)[:40]} does not have {length} numbers")
    return tuple(value)


def items(value: object) -> list[Any]:
    """Check that `value` is a list."""
    if not isinstance(value, list):
        raise Rejected(f"{str(value)[:40]} is not a list")
    return value
