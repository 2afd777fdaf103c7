"""Lists of items and of lines, abridged."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from sealcheck.words import counted

MOST_LINES = 200
"""So many lines of one kind are always shown."""
NEARBY = 5
"""Lines that are shown before and after one that matters."""


def listed(items: Iterable[object], most: int = 60) -> str:
    """The items with commas between them, cut short where there are more than `most`.

    >>> listed([1, 2, 3]), listed([]), listed(range(5), most=2)
    ('1, 2, 3', 'none', '0, 1, ... (5 in all)')
    """
    items = list(items)
    if len(items) <= most:
        return ", ".join(map(str, items)) or "none"
    return f"{', '.join(map(str, islice(items, most)))}, ... ({len(items)} in all)"


def abridged(count: int, line: Callable[[int], str], matter: Iterable[int] = ()) -> Iterator[str]:
    """The lines number 0..count-1 or, where there are more than `MOST_LINES`, the first and the last ones.

    Those near the ones that `matter` stay, too, and it is said how many were left out where.

    >>> lines = list(abridged(1000, "line {}".format, matter=[500]))
    >>> lines[99:102], lines[112:114]
    (['line 99', '... (395 lines left out)', 'line 495'], ['... (394 lines left out)', 'line 900'])
    """
    half = MOST_LINES // 2
    shown = [range(count)]
    if count > MOST_LINES:
        near = (range(max(k - NEARBY, 0), min(k + NEARBY + 1, count)) for k in matter)
        shown = [range(half), range(count - half, count), *near]
    following = 0
    for number in sorted(set(chain.from_iterable(shown))):
        if number > following:
            yield f"... ({counted(number - following, 'line')} left out)"
        yield line(number)
        following = number + 1
