"""Arguments of another type than a function takes: a TypeError that names the argument."""

import re
from collections.abc import Callable, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from sealcheck.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

_SHOWN = 40
"""Characters of a wrong value."""
_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "None",
    Callable: "a function",
    Sequence: "a sequence of texts",
}


def typed(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which now raises TypeError unless its arguments have the types of its annotations.

    An InputError that begins with an option names the parameter instead: ``n``, not ``--n``.  Numbers
    and truth values are kept apart.  Annotations that are not classes, and not in `_WORDS`, are not looked
    at.

    >>> @typed
    ... def repeated(text: str, times: int = 1) -> str:
    ...     return text * times
    >>> repeated("a", True)
    Traceback (most recent call last):
    TypeError: repeated: times must be a whole number, not True
    """
    parameters = signature(function).parameters
    hints = cache(lambda: get_type_hints(function))

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in signature(function).bind(*args, **kwargs).arguments.items():
            several = parameters[name].kind is Parameter.VAR_POSITIONAL
            for each in value if several else [value]:
                hint = hints().get(name, Any)  # self has none
                if not _is(each, hint):
                    said = f"must be {_words(hint)}, not {repr(each)[:_SHOWN]}"
                    raise TypeError(f"{function.__name__}: {name} {said}")
        try:
            return function(*args, **kwargs)
        except InputError as error:
            option = re.match("--([a-z]+)", str(error))
            if option is None or option[1] not in parameters:
                raise
            raise InputError(str(error).removeprefix("--")) from None

    return checked


def _is(value: object, hint: Any) -> bool:
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        return any(_is(value, each) for each in get_args(hint))
    if origin is Sequence:
        return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    if origin is Callable:
        return callable(value)
    if origin is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if origin is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return origin is Any or not isinstance(origin, type) or isinstance(value, origin)


def _words(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint)))
    return _WORDS.get(get_origin(hint) or hint) or f"a {hint.__name__}"
