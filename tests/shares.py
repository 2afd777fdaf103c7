"""The order of tests on several workers: the longest begin first."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

A = TypeVar("A")

LONG = (
    "tests/test_manifest.py",
    "tests/spark_sweeps/test_cluster.py",
    "tests/test_docs.py",
    "tests/cli/test_grade.py",
    "tests/cli/play/test_browser.py",
)
"""Modules whose tests take a minute or more, the longest first."""


def dealt(
    items: Sequence[A], module: Callable[[A], str], workers: int, together: Sequence[str] = ()
) -> list[A]:
    """The items in shares, as `--dist worksteal` cuts them, with the modules of `LONG` at the beginnings.

    A module stays in one share, so that it starts its cluster or browser once. Modules that are `together`
    begin the last share.

    >>> tests = ["a.py 1", "a.py 2", "b.py 1", f"{LONG[0]} 1", f"{LONG[1]} 1", f"{LONG[1]} 2"]
    >>> dealt(tests, lambda test: test.split()[0], 2)[:3]
    ['tests/test_manifest.py 1', 'a.py 1', 'a.py 2']
    >>> dealt(tests, lambda test: test.split()[0], 2)[3:]
    ['tests/spark_sweeps/test_cluster.py 1', 'tests/spark_sweeps/test_cluster.py 2', 'b.py 1']
    """
    leading = [[*LONG[worker::workers]] for worker in range(workers)]
    leading[-1] += [name for name in together if name not in LONG]
    led = {name for names in leading for name in names}
    others = (item for item in items if module(item) not in led)
    found: list[A] = []
    for worker, names in enumerate(leading):
        first = [item for name in names for item in items if module(item) == name]
        size = (len(items) - len(found)) // (workers - worker)
        found += first
        found += islice(others, max(size - len(first), 0))
    return [*found, *others]
