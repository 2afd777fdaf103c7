"""Play long layers over ports in compiled loops."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sealcheck.support.compiling import compiled

Ints = npt.NDArray[np.int32]


class _Flat(NamedTuple):
    """The events of a layer, process by process, and its ports."""

    codes: Ints
    """A send to port p is 2p, and a receive from it 2p + 1."""
    starts: Ints
    """The index in `codes` of the first event of each process; at last, the length of `codes`."""
    readers: Ints
    keeps: npt.NDArray[np.bool_]
    """For each port, whether it keeps a message that is taken."""


class _State(NamedTuple):
    """The state of a layer that is being played."""

    at: Ints
    held: Ints
    waiting: npt.NDArray[np.bool_]
    """For each port, whether its reader waits there."""
    going: Ints
    """A stack of the processes that may go on."""


class Plays:
    """A layer that is played as `sealcheck.algorithms.ports.Layer` plays it.

    >>> layer = Plays([[0], [1]], readers=[1], keeps=[False])
    >>> [*layer.of([1, 1], holder=0, stops=[0, 1])]
    [(0, 0), (1, 1)]
    """

    def __init__(self, codes: Sequence[Sequence[int]], readers: Sequence[int], keeps: Sequence[bool]) -> None:
        self._flat = _Flat(
            np.concatenate([np.array(share, np.int32) for share in codes]),
            np.cumsum([0, *map(len, codes)], dtype=np.int32),
            np.array(readers, np.int32),
            np.array(keeps, np.bool_),
        )

    def of(self, ends: Sequence[int], holder: int, stops: Iterable[int]) -> Iterator[tuple[int, ...]]:
        """For each stop, the number of events of each process that can happen if `holder` stops there.

        Processes go no further than `ends`. The stops must ascend. O(events + processes * stops).
        """
        n, ports = len(ends), len(self._flat.readers)
        limits = np.array(ends, np.int32)
        going = np.empty(2 * n + 1, np.int32)  # each process once, and the holder once more
        state = _State(np.zeros(n, np.int32), np.zeros(ports, np.int32), np.zeros(ports, np.bool_), going)
        others = [process for process in range(n) if process != holder]
        going[: len(others)], depth = others, len(others)
        for stop in stops:
            limits[holder], going[depth] = min(stop, ends[holder]), holder
            _go(self._flat, limits, state, depth + 1)
            depth = 0
            yield tuple(state.at.tolist())


@compiled
def _go(flat: _Flat, ends: Ints, state: _State, depth: int) -> None:
    """Let every process that may go on do so, as far as it can."""
    codes, starts, readers, keeps = flat
    at, held, waiting, going = state
    while depth:
        depth -= 1
        process = going[depth]
        k, first = at[process], starts[process]
        while k < ends[process]:
            code = codes[first + k]
            port = code >> 1
            if code & 1:
                if not held[port]:
                    waiting[port] = True
                    break
                if not keeps[port]:
                    held[port] -= 1
            else:
                held[port] += 1
                if waiting[port]:
                    waiting[port] = False
                    going[depth] = readers[port]
                    depth += 1
            k += 1
        at[process] = k
