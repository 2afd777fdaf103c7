"""Compile loops with numba, once for each machine."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

ZERO = cast(int, np.int64(0))
"""The number 0, to pass to compiled loops. If a literal 0 is passed, numba compiles the loop twice."""

Loop = TypeVar("Loop", bound=Callable[..., object])


def compiled(loop: Loop) -> Loop:
    """`loop` as machine code, compiled at its first call and kept on disk for later processes.

    The machine code is kept in the first of these folders that can be written: NUMBA_CACHE_DIR, the module's
    folder, the user's cache. If no folder can be written, every process compiles again, which takes about ten
    seconds.

    numba notices only changes of the loop's own module. So a compiled loop must not call a loop of another
    module. A loop may use a constant of another module. When the constant changes, remove the ``*.nbi`` files
    in ``__pycache__``, so that the loop is compiled again.

    >>> compiled(lambda a, b: abs(a - b))(3, 5)
    2
    """
    return _compiled(loop, forceinline=False)


def inlined(loop: Loop) -> Loop:
    """`loop`, compiled into the loops that call it.  Use this only if a measurement shows a gain.

    >>> inlined(lambda a, b: abs(a - b))(3, 5)
    2
    """
    return _compiled(loop, forceinline=True)


def where_kept(loop: object) -> str | None:
    """The folder in which the machine code of a loop is kept. None if the machine code is not kept."""
    stats = cast(Any, loop).stats
    return cast(str | None, stats.cache_path)


def _compiled(loop: Loop, *, forceinline: bool) -> Loop:
    try:
        return cast(Loop, njit(cache=True, forceinline=forceinline)(loop))
    except RuntimeError:  # numba found no folder to keep it in
        return cast(Loop, njit(forceinline=forceinline)(loop))
