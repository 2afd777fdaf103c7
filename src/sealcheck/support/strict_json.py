"""JSON from outside, read strictly: no duplicate keys, no NaN, no infinity."""

import json
from collections.abc import Iterator
from typing import Any

from sealcheck.errors import InputError


def strict_json(text: str | bytes, where: str = "", *, decimals: bool = True) -> Any:
    """The value of a JSON text. Raises InputError if the text is not strict JSON.

    The error message begins with `where`. If `decimals` is false, numbers must be whole.

    >>> strict_json('{"host": "a", "host": "b"}', "line 3: ")
    Traceback (most recent call last):
    sealcheck.errors.InputError: line 3: a key occurs twice
    >>> strict_json("1.5", decimals=False)
    Traceback (most recent call last):
    sealcheck.errors.InputError: 1.5 is not a whole number
    """
    try:
        if not isinstance(text, str):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        elif text.startswith("\ufeff"):
            raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
        decoder = _DECODER if decimals else _WHOLE_NUMBERS
        if text.startswith("{"):  # as most lines do: there is no blank to skip
            value, end = decoder.raw_decode(text)
            if end == len(text) or text[end:] == "\n":
                return value
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise InputError(f"{where}not JSON: {_why(error)} at {line}column {error.colno}") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}not UTF-8 text") from None
    except RecursionError:
        raise InputError(f"{where}JSON nested too deeply") from None
    except ValueError:  # from int, on thousands of digits
        raise InputError(f"{where}a number with too many digits") from None
    except InputError as error:
        raise InputError(f"{where}{error}") from None


def _why(error: json.JSONDecodeError) -> str:
    """What is wrong, without the "at" with which some messages of Python end."""
    return error.msg.removesuffix(" at")


def strict_values(text: str) -> Iterator[Any]:
    """The values of several JSON texts in a row. Raises InputError, which names the bad value by its number.

    >>> list(strict_values('{"a": 1}{"a": 2} 3'))
    [{'a': 1}, {'a': 2}, 3]
    """
    at = number = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        try:
            value, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise InputError(f"object {number}: not JSON: {_why(error)} at line {error.lineno}") from None
        except RecursionError:
            raise InputError(f"object {number}: JSON nested too deeply") from None
        except ValueError:  # from int, on thousands of digits
            raise InputError(f"object {number}: a number with too many digits") from None
        except InputError as error:
            raise InputError(f"object {number}: {error}") from None
        yield value
        number += 1


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("a key occurs twice")
    return found


def _no_number(constant: str) -> Any:
    raise InputError(f"not JSON: {constant}")


def _not_whole(number: str) -> Any:
    raise InputError(f"{number[:20]} is not a whole number")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repetition, parse_constant=_no_number)
_WHOLE_NUMBERS = json.JSONDecoder(
    object_pairs_hook=_without_repetition, parse_constant=_no_number, parse_float=_not_whole
)
