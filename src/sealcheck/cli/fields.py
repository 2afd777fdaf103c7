"""Fields of JSON objects that are questions, read strictly: no unknown key, no other type."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sealcheck.errors import InputError
from sealcheck.support.strict_json import strict_json

T = TypeVar("T", str, bool, int, list[Any], dict[str, Any])

Texts = Callable[[dict[str, Any]], dict[str, str]]
"""The program texts that the fields of a line give, by name.  Raises InputError."""

_JSON_TYPES = {str: "a string", bool: "a truth value", int: "a number", float: "a decimal number"}
_JSON_TYPES |= {list: "an array", dict: "an object", type(None): "null"}


def texts_of(*names: str) -> Texts:
    """A program text for each of the names, in lower case.

    >>> texts_of("P", "Q")({"p": "eps", "q": "cut"})
    {'P': 'eps', 'Q': 'cut'}
    """

    def texts(fields: dict[str, Any]) -> dict[str, str]:
        require_known(fields, [name.lower() for name in names])
        return {name: field_of(fields, name.lower(), str, "a program text") for name in names}

    return texts


def layers_of(fields: dict[str, Any]) -> dict[str, str]:
    """Any number of program texts.

    >>> layers_of({"layers": ["mt 1->2", "eps"]})
    {'layer 1': 'mt 1->2', 'layer 2': 'eps'}
    """
    require_known(fields, ["layers"])
    layers = field_of(fields, "layers", list, "an array of program texts")
    if not layers:
        raise InputError("key 'layers' must be an array of program texts, at least one")
    for number, layer in enumerate(layers, 1):
        if not isinstance(layer, str):
            raise InputError(f"layers: item {number} must be a program text, not {_JSON_TYPES[type(layer)]}")
    return {f"layer {number}": layer for number, layer in enumerate(layers, 1)}


def require_known(fields: dict[str, Any], keys: Sequence[str]) -> None:
    """Raise InputError if there are other keys."""
    if unknown := next((key for key in fields if key not in keys), None):
        raise InputError(f"unknown key {unknown[:20]!r}")


def field_of(fields: dict[str, Any], key: str, kind: type[T], what: str) -> T:
    """A value of this type.  Raises InputError if the key is missing, or the value of another type."""
    if key not in fields:
        raise InputError(f"key {key!r} is missing")
    value = fields[key]
    if type(value) is not kind:  # not isinstance: true is an int to Python
        raise InputError(f"key {key!r} must be {what}, not {_JSON_TYPES[type(value)]}")
    return value


def object_of(text: str) -> dict[str, Any]:
    """The fields of a line.  Raises InputError if it is not a JSON object."""
    if not text.strip():
        raise InputError("the line is empty")
    fields = strict_json(text)
    if not isinstance(fields, dict):
        raise InputError(f"a question is a JSON object, not {_JSON_TYPES[type(fields)]}")
    return fields
