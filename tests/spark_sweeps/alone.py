"""A crew that starts nothing: most tests of audits do their jobs by it."""

from collections import deque
from collections.abc import Iterable
from typing import Self

from sealcheck.spark_sweeps.crews import PER_HELPER, Done
from sealcheck.spark_sweeps.jobs import Bundle, do_all


class Alone:
    """This process does everything, one bundle after the other."""

    failed = 0

    def __init__(self) -> None:
        self._given: deque[Bundle] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def wanted(self) -> float:
        """How many seconds of work it would take now."""
        return 0.0 if self._given else PER_HELPER

    def give(self, bundles: Iterable[Bundle]) -> None:
        """Have it do these."""
        self._given.extend(bundles)

    def done(self) -> list[Done]:
        """Do the next one."""
        if not self._given:
            return []
        bundle = self._given.popleft()
        return [(bundle, do_all(bundle))]
