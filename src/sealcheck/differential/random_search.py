"""Random instances beyond a bound, until one is answered wrongly, which is then made smaller."""

import time
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from sealcheck.differential.comparing import Comparison, Difference
from sealcheck.differential.shrinking import shrunk
from sealcheck.questions.instance import Instance

BATCH = 100
"""Instances that Hypothesis is asked for at a time; then the time is looked at."""
SHRINKING = 20.0
"""Seconds at least for making a failing instance smaller."""


class _WrongError(Exception):
    """The implementation was wrong; tells Hypothesis so."""


class _Tries:
    """Asks about what Hypothesis proposes, about each instance once, and remembers what was found."""

    def __init__(self, comparison: Comparison, levels: Sequence[tuple[int, int]], deadline: float) -> None:
        self._comparison, self._levels, self._deadline = comparison, frozenset(levels), deadline
        self._right: set[Instance] = set()
        self.found: dict[Instance, Difference] = {}
        self.trouble: Exception | None = None

    def fails(self, instance: Instance) -> bool:
        """Whether the implementation is wrong about it, as far as there is time to ask."""
        if instance not in self.found and instance not in self._right:
            self._ask(instance)
        return instance in self.found

    def _ask(self, instance: Instance) -> None:
        in_bound = (instance.n, instance.messages) in self._levels
        if in_bound or self.trouble or time.monotonic() > self._deadline:
            return
        try:
            found = self._comparison.wrong(instance)
        except Exception as reason:
            self.trouble = reason
            return
        if found is None:
            self._right.add(instance)
            return
        if not self.found:
            self._deadline = max(self._deadline, time.monotonic() + SHRINKING)
        self.found[instance] = found


def random_finding(
    comparison: Comparison,
    strategy: SearchStrategy[Instance],
    levels: Sequence[tuple[int, int]],
    seconds: float,
    number: int,
) -> Difference | None:
    """A small instance outside the levels about which the implementation is wrong, if one is found in time.

    The same `number` proposes the same instances.  Raises as `Comparison.find` does.
    """
    deadline = time.monotonic() + seconds
    tries = _Tries(comparison, levels, deadline)
    while not tries.found and time.monotonic() < deadline:
        _batch(tries, strategy, number)
        if tries.trouble:
            raise tries.trouble
        number += 1
    if not tries.found:
        return None
    least = shrunk(min(tries.found, key=lambda instance: instance.size), tries.fails)
    if tries.trouble:
        raise tries.trouble
    return comparison.certain(tries.found[least])


def _batch(tries: _Tries, strategy: SearchStrategy[Instance], number: int) -> None:
    quiet = settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )

    @seed(number)
    @quiet
    @given(strategy)
    def each(instance: Instance) -> None:
        if tries.fails(instance):
            raise _WrongError

    try:
        each()
    except (_WrongError, HypothesisException):
        if not tries.found and not tries.trouble:
            raise
