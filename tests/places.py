"""Each place of a JSON value, for tests that put another value there."""

from collections.abc import Callable, Iterator
from typing import Any


def places(value: Any) -> Iterator[tuple[Any, Callable[[Any], Any]]]:
    """Each part of a value, itself first, and a function that copies the whole with another part in its
    place."""
    yield value, lambda other: other
    if isinstance(value, dict):
        for key, inner in value.items():
            for part, put in places(inner):
                yield part, lambda other, key=key, put=put: value | {key: put(other)}
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            for part, put in places(inner):
                yield part, lambda other, at=at, put=put: [*value[:at], put(other), *value[at + 1 :]]
