"""The table that the page searches: all programs of small levels up to renaming, with their properties.

A build makes it, in compiled loops; the page only reads it (`finding`).
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.signature import signature
from sealcheck.programs.straight_line import Channel, channels

MOST_MESSAGES: Mapping[int, int] = {2: 6, 3: 6, 4: 5}
"""The levels of the table: for each number of processes, the largest number of messages."""


def table(most: Mapping[int, int] = MOST_MESSAGES) -> bytes:
    """The table, as JSON: a list of levels, each with the columns of `level`.  About 8 s."""
    levels = [level(n, m) for n, largest in most.items() for m in range(largest + 1)]
    return json.dumps(levels, separators=(",", ":")).encode()


def level(n: int, m: int) -> dict[str, Any]:
    """The canonical programs of the space (n, m), in columns, in the order of the space.

    `shares` has a column for each process (`packed`); `minimum` the messages of a shortest seal, -1
    if there is none; `open` the open channels and `sends` the first sends in the signature, both as masks of
    `channels(n)`.

    >>> level(2, 1)
    {'n': 2, 'messages': 1, 'shares': [[1], [2]], 'minimum': [1], 'open': [1], 'sends': [1]}
    """
    batch = PackedLevel(n, m).batch()
    found = [signature(batch.program(row)) for row in range(len(batch))]
    return {
        "n": n,
        "messages": m,
        "shares": batch.shares.T.tolist(),
        "minimum": batch.minimum.tolist(),
        "open": [mask(n, each.open_channels) for each in found],
        "sends": [mask(n, each.interfering_sends) for each in found],
    }


def mask(n: int, chosen: Iterable[Channel]) -> int:
    """These channels, as bits: that of 1->2 is the lowest.

    >>> mask(3, [Channel(1, 2), Channel(2, 1)])
    5
    """
    return sum(1 << channels(n).index(channel) for channel in chosen)
