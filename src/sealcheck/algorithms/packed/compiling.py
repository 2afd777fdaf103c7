"""How the loops of this package are compiled: once for a machine, without threads."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Loop = TypeVar("Loop", bound=Callable[..., object])


def compiled(loop: Loop) -> Loop:
    """`loop` as machine code, compiled at its first call and kept on disk for later processes.

    Kept in the folder that NUMBA_CACHE_DIR names, else beside the module, else, where that can't be
    written, in the user's cache folder; where none can be written every process compiles anew, which
    takes about ten seconds.  Only a change of the loop's own module makes the copy stale, so compiled
    loops must call none of another module; and who changes a constant in `events` must remove the
    ``*.nbi`` files in ``__pycache__``, as constants are compiled in.

    >>> compiled(abs_difference := lambda a, b: abs(a - b))(3, 5)
    2
    """
    try:
        return cast(Loop, njit(cache=True)(loop))
    except RuntimeError:  # numba found no folder to keep it in
        return cast(Loop, njit(loop))
