"""Who does the jobs of an audit: this process, or helpers beside it; `on_spark` has the third."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Protocol, Self

from sealcheck.spark_sweeps.bundles import Bundle
from sealcheck.spark_sweeps.helper import Helper, HelperLost
from sealcheck.spark_sweeps.jobs import Result
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import cores

POLL_SECONDS = 0.2
"""How long `done` may wait."""
PER_HELPER = 1.0
"""Seconds of work that a helper is given at a time."""
MOST_HELPERS = 4

Done = tuple[Bundle, list[Result]]


class Crew(Protocol):
    """Does bundles of jobs; a context manager, which leaves nothing behind that still works."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def wanted(self) -> float:
        """How many seconds of work it would take now."""

    @property
    def failed(self) -> int:
        """How often something was tried and failed, and was tried again."""

    def give(self, bundles: Sequence[Bundle]) -> None:
        """Have it do these."""

    def done(self) -> list[Done]:
        """What has been done since the last time; waits a moment if that is nothing.

        Raises ShardFailed where a job can't be done, InputError where Spark does not start.
        """


OpenCrew = Callable[[float], AbstractContextManager[Crew]]
"""A crew for so many seconds of work, or more."""


class Helpers:
    """Some processes beside this one, each with one bundle at a time."""

    def __init__(self, count: int | None = None) -> None:
        """By default, one for each core, as far as these are few."""
        self._count = min(MOST_HELPERS, cores()) if count is None else count
        self._stack = ExitStack()
        self._pool = ThreadPoolExecutor(max(1, self._count))
        self._idle: list[Helper] = []
        self._given: deque[Bundle] = deque()
        self._doing: dict[Future[list[Result]], tuple[Bundle, Helper]] = {}
        self._again: set[Bundle] = set()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(self._pool.shutdown)
            self._idle = [stack.enter_context(Helper()) for _ in range(self._count)]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()  # the helpers first, which frees the threads that wait for them

    @property
    def wanted(self) -> float:
        """How many seconds of work they would take now."""
        return 0.0 if self._given else PER_HELPER * len(self._idle)

    @property
    def failed(self) -> int:
        """How many of them have died."""
        return len(self._again)

    @property
    def futures(self) -> list[Future[Any]]:
        """One of these is done when something is."""
        return list(self._doing)

    def give(self, bundles: Iterable[Bundle]) -> None:
        """Have them do these."""
        self._given.extend(bundles)
        while self._given and self._idle:
            bundle, helper = self._given.popleft(), self._idle.pop()
            self._doing[self._pool.submit(helper.do, bundle)] = bundle, helper

    def done(self, seconds: float = POLL_SECONDS) -> list[Done]:
        """What has been done since the last time."""
        found = []
        for future in wait(self._doing, seconds, FIRST_COMPLETED).done:
            bundle, helper = self._doing.pop(future)
            try:
                found.append((bundle, future.result()))
                self._idle.append(helper)
            except HelperLost:
                self._replace(bundle)
        self.give(())
        return found

    def _replace(self, bundle: Bundle) -> None:
        """Have a new helper try again, once, what another one has died of."""
        if bundle in self._again:
            raise ShardFailed(f"the process that did this died: is there enough memory?  {bundle}")
        self._again.add(bundle)
        self._given.appendleft(bundle)
        self._idle.append(self._stack.enter_context(Helper()))
