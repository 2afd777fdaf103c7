"""Signatures, re-derived: which processes hear of a last receive, and of whom a first send has heard."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

from sealcheck.kernel.programs import RECEIVE, SEND, Event


def signature(p: Sequence[Event], n: int) -> dict[str, Any]:
    """The edges of sig(P) that sealing uses; P was read in an order in which it can happen.

    ``receives``: for each open channel the k whose ends its last receive reaches; ``sends``: for each
    channel whose receiver's start does not reach its first send, the k whose starts do; ``starts``:
    pairs [k, i] such that the start of k reaches the end of i.

    >>> from sealcheck.kernel.programs import events_of
    >>> signature(events_of("mt 1->2", 2), 2)["receives"]
    [{'channel': [1, 2], 'reaches': [2]}]
    """
    left = Counter((i, j) for kind, i, j in p if kind == RECEIVE)
    heard: list[set[object]] = [{k} for k in range(n + 1)]  # starts, and channels whose last receive was
    first: dict[tuple[int, int], list[int]] = {}
    transit: defaultdict[tuple[int, int], deque[set[object]]] = defaultdict(deque)
    for kind, i, j in p:
        if kind == SEND:
            first.setdefault((i, j), [k for k in range(1, n + 1) if k in heard[i]])
            transit[i, j].append(set(heard[i]))
        else:
            heard[j] |= transit[i, j].popleft()
            left[i, j] -= 1
            if not left[i, j]:
                heard[j].add((i, j))
    ends = range(1, n + 1)
    return {
        "receives": [
            {"channel": [i, j], "reaches": [k for k in ends if (i, j) in heard[k]]}
            for i, j in sorted(left)
            if (i, j) not in heard[i]
        ],
        "sends": [
            {"channel": [i, j], "reached_from": starts}
            for (i, j), starts in sorted(first.items())
            if j not in starts
        ],
        "starts": [[k, i] for k in ends for i in ends if i != k and k in heard[i]],
    }
