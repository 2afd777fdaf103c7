"""Whether answers are of a JSON Schema, quickly: answers are mostly made of the same nodes and edges."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

MOST_KNOWN, LONGEST_KNOWN = 10_000, 100
"""How many items of lists are kept, and how many characters each may have."""

_TYPES = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)


class Shape:
    """A schema whose items of lists are looked at once each, however often they come again.

    An integer is written without a point: JSON Schema itself takes 1.0 for one.

    >>> edges = Shape({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}})
    >>> [edges.fits(value) for value in ([[1, 2], [2, 1], [1, 2]], [[1, 2], [1, True]], [[1.0, 2]])]
    [True, False, False]
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = extend(Draft202012Validator, {"items": self._items}, type_checker=_TYPES)(schema)
        self._is_known = lru_cache(MOST_KNOWN)(self._read_and_fits)

    def fits(self, value: object) -> bool:
        """Whether the value, which comes from JSON, is of the schema."""
        return bool(self._validator.is_valid(value))

    def _items(self, _: Any, items: Any, value: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
        """The keyword `items`: of the first one that is wrong."""
        if isinstance(value, list):
            subschema = json.dumps(items)
            rest = value[len(schema.get("prefixItems", ())) :]
            if not all(self._item_fits(subschema, items, item) for item in rest):
                yield ValidationError("an item is of another type")

    def _item_fits(self, subschema: str, items: Any, item: object) -> bool:
        text = json.dumps(item)
        if len(text) <= LONGEST_KNOWN:
            return self._is_known(subschema, text)
        return bool(self._validator.evolve(schema=items).is_valid(item))

    def _read_and_fits(self, subschema: str, text: str) -> bool:
        return bool(self._validator.evolve(schema=json.loads(subschema)).is_valid(json.loads(text)))
