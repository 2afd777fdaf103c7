"""Compile loops with numba, once for each machine; compiled loops use no threads."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

ZERO = cast(int, np.int64(0))
"""The 0 with which a variable in a loop must start. With a literal 0, numba compiles a loop twice if the
variable is passed to it."""

Loop = TypeVar("Loop", bound=Callable[..., object])


def compiled(loop: Loop) -> Loop:
    """`loop` as machine code, compiled at its first call and kept on disk for later processes.

    The machine code is kept in the folder that NUMBA_CACHE_DIR names. Without this variable, it is kept next
    to the module or, if that folder cannot be written, in the user's cache folder. If no folder can be
    written, every process compiles anew, which takes about ten seconds.

    Only a change of the loop's own module makes the stored code stale, so compiled loops must not call loops
    of another module. Constants are compiled in. After changing a constant of another module, remove the
    ``*.nbi`` files in ``__pycache__``.

    >>> compiled(lambda a, b: abs(a - b))(3, 5)
    2
    """
    return _compiled(loop, forceinline=False)


def inlined(loop: Loop) -> Loop:
    """`loop`, compiled into the loops that call it.  A call would pass about seven numbers for each array.

    The compiler usually makes the better choice, so use this only if a measurement shows a gain.

    >>> inlined(lambda a, b: abs(a - b))(3, 5)
    2
    """
    return _compiled(loop, forceinline=True)


def where_kept(loop: object) -> str | None:
    """The folder in which a compiled loop is kept; None if it is not kept."""
    stats = cast(Any, loop).stats
    return cast(str | None, stats.cache_path)


def _compiled(loop: Loop, *, forceinline: bool) -> Loop:
    try:
        return cast(Loop, njit(cache=True, forceinline=forceinline)(loop))
    except RuntimeError:  # numba found no folder to keep it in
        return cast(Loop, njit(forceinline=forceinline)(loop))
