"""Crews that start nothing: most tests of audits do their jobs by one."""

import pickle
from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import Self

from sealcheck.spark_sweeps import jobs
from sealcheck.spark_sweeps.crews import PER_HELPER, Bundle, Done, do_all
from sealcheck.spark_sweeps.jobs import Job, Result, do
from sealcheck.theorems import registry


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
        return [(bundle, self.do_all(bundle))]

    def do_all(self, bundle: Bundle) -> list[Result]:
        """Do the jobs of a bundle."""
        return do_all(bundle)


class Remembering(Alone):
    """Does no job that another one of these has done: where nothing is replaced that jobs depend on."""

    def do_all(self, bundle: Bundle) -> list[Result]:
        """Do the jobs of a bundle, or know what came of them."""
        return list(map(remembered, bundle.jobs))


def remembered(job: Job) -> Result:
    """What came of a job when it was first done, in a copy of its own."""
    assert jobs.statement is registry.statement, "what is remembered is about the true statements"
    found: Result = pickle.loads(_done(pickle.dumps(job)))
    return found


@cache
def _done(pickled: bytes) -> bytes:
    job = pickle.loads(pickled)
    return pickle.dumps(do(job))
