"""The search beyond a bound: known faults, uniform samples of the next levels, large random programs.

The first wrong answer is made smaller: Hypothesis shrinks how an instance was drawn, `shrunk` the instance
itself.  The questions and their order depend on the seed only; the time decides how many of them are asked.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException

from sealcheck.differential.corpus.faults import smallest
from sealcheck.differential.searching import KEPT, KNOWN, LARGE, Comparison, Difference, Plan, Stage, Step
from sealcheck.differential.strategies import drawn
from sealcheck.programs.space import count_programs
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Domain

FOR_LARGE = 0.25
"""The share of the time that is left to large random programs: Hypothesis makes few of them in a second."""
BATCH = 100
"""Instances that Hypothesis is asked for at a time; then the time is looked at."""
STEP = 10
"""Instances of a level that are asked about before it is the turn of another n."""
MOST_INDEXED = 200_000
"""Programs of a level that is sampled: indexing (3, 6), which has 183,343, takes a second."""
MOST_PROCESSES = 6
"""Of a level that is sampled: with more, counting its programs takes seconds."""
SHRINKING = 20.0
"""Seconds at least for making a failing instance smaller."""


class _WrongError(Exception):
    """The implementation was wrong; tells Hypothesis so."""


class Beyond:
    """The search beyond the levels of a plan."""

    def __init__(self, comparison: Comparison, plan: Plan) -> None:
        self._comparison, self._plan, self._levels = comparison, plan, frozenset(plan.levels)
        self._deadline = math.inf
        self._right: set[Instance] = set()
        self._found: dict[Instance, Difference] = {}
        self._trouble: Exception | None = None

    def steps(self) -> Iterator[Step]:
        """The questions, in order, as long as there is time.  Raises as `Comparison.find` does."""
        plan, target = self._plan, self._comparison.target
        if plan.seconds:
            end = time.monotonic() + plan.seconds
            self._deadline = end - FOR_LARGE * plan.seconds
            known = self._outside(smallest(target.id))
            yield Stage(KNOWN, len(known), is_beyond=True), partial(self._first, known)
            for stage, instances in sampled(target.domain, plan.levels, plan.seed):
                if time.monotonic() > self._deadline:
                    break
                yield stage, partial(self._first, instances)
            self._deadline, large = end, Stage(LARGE, is_beyond=True)
            for number in count(plan.seed):
                if time.monotonic() > end:
                    break
                yield large, partial(self._at_random, number)
        if kept := self._outside(plan.last):
            self._deadline = math.inf
            yield Stage(KEPT, len(kept), is_beyond=True), partial(self._first, kept)

    def _outside(self, instances: Iterable[Instance]) -> list[Instance]:
        """The instances outside the levels that were asked about."""
        return [each for each in instances if (each.n, each.messages) not in self._levels]

    def _first(self, instances: Iterable[Instance]) -> Difference | None:
        """The fault of the first instance that fails, made smaller."""
        for each in instances:
            if time.monotonic() > self._deadline:
                break
            if (found := self._comparison.wrong(each)) is not None:
                self._keep(each, found)
                return self._smallest()
        return None

    def _keep(self, instance: Instance, found: Difference) -> None:
        if not self._found:
            self._deadline = time.monotonic() + max(SHRINKING, self._plan.seconds)
        self._found[instance] = found

    def _smallest(self) -> Difference:
        least = shrunk(min(self._found, key=lambda instance: instance.size), self._fails)
        if self._trouble:
            raise self._trouble
        return self._comparison.certain(self._found[least])

    def _fails(self, instance: Instance) -> bool:
        """Whether the implementation is wrong about it, as far as there is time to ask."""
        if instance not in self._found and instance not in self._right:
            self._ask(instance)
        return instance in self._found

    def _ask(self, instance: Instance) -> None:
        if self._trouble or time.monotonic() > self._deadline or not self._outside([instance]):
            return
        try:
            found = self._comparison.wrong(instance)
        except Exception as reason:  # Hypothesis would take it for a failing instance
            self._trouble = reason
            return
        if found is None:
            self._right.add(instance)
        else:
            self._keep(instance, found)

    def _at_random(self, number: int) -> Difference | None:
        """Ask about a batch of what Hypothesis proposes; the same `number` proposes the same instances."""
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
        @given(drawn(self._comparison.target.domain))
        def each(instance: Instance) -> None:
            if self._fails(instance):
                raise _WrongError

        try:
            each()
        except (_WrongError, HypothesisException):
            if not self._found and not self._trouble:
                raise
        if self._trouble:
            raise self._trouble
        return self._smallest() if self._found else None


def sampled(
    domain: Domain, levels: Sequence[tuple[int, int]], number: int
) -> Iterator[tuple[Stage, Iterable[Instance]]]:
    """Instances of the levels just beyond these, a few of each n in turn, until all are drawn.

    For each n of the levels that follows with one message more than they have, and for the next n from 0
    messages on; when a level is exhausted, it goes on with one message more.  The same `number` draws the
    same instances, each at most once, and each of a level is as likely as any other.
    """
    most = dict(sorted(levels))
    streams = [_drawn(domain, n, most.get(n, -1) + 1, number) for n in [*most, max(most) + 1]]
    while streams:
        for stream in streams.copy():
            if (step := next(stream, None)) is None:
                streams.remove(stream)
            else:
                yield step


def _drawn(domain: Domain, n: int, messages: int, number: int) -> Iterator[tuple[Stage, Iterable[Instance]]]:
    """Instances of n processes, level after level from so many messages on."""
    for m in count(messages):
        if n > MOST_PROCESSES or not 0 < count_programs(n, m) <= MOST_INDEXED:
            return
        level = domain.level(n, m)
        stage = Stage(f"n = {n}, messages = {m}", level.size, is_beyond=True)
        numbers = shuffled(level.size, Random(f"{number} {n} {m}"))
        while step := list(islice(numbers, STEP)):
            yield stage, map(level.at, step)


def shuffled(size: int, random: Random) -> Iterator[int]:
    """0..size-1 in random order, by Fisher and Yates, without listing them: memory in what was drawn.

    >>> sorted(shuffled(5, Random(0)))
    [0, 1, 2, 3, 4]
    """
    moved: dict[int, int] = {}
    for last in reversed(range(size)):
        at = random.randint(0, last)
        yield moved.get(at, at)
        moved[at] = moved.pop(last, last)


def shrunk(instance: Instance, fails: Callable[[Instance], bool]) -> Instance:
    """An instance that fails, as the given one does, while none of its `smaller` ones does.

    >>> from sealcheck.programs.straight_line import mt
    >>> p = StraightLine.of(3, mt(1, 3) + mt(3, 1) + mt(1, 3))
    >>> print(shrunk(Instance.of(p), lambda instance: instance.messages > 1))
    mt 1->2; mt 1->2
    """
    found: Instance | None = instance
    while found is not None:
        instance = found
        found = next((each for each in smaller(instance) if fails(each)), None)
    return instance


def smaller(instance: Instance) -> Iterator[Instance]:
    """Instances with one process less, two having become one; with one message less; the canonical one."""
    proposed = [*_with_one_process_less(instance), *_with_one_message_less(instance), instance.canonical()]
    yield from sorted((each for each in proposed if each.size < instance.size), key=lambda each: each.size)


def _with_one_process_less(instance: Instance) -> Iterator[Instance]:
    """One process takes over the events of another, without the messages between the two."""
    if not all(program.is_deadlock_free for program in instance.straight):
        return
    for gone in range(2, instance.n + 1):
        for heir in range(1, gone):
            names = [heir if k == gone else k - (k > gone) for k in range(1, instance.n + 1)]
            yield Instance.of(*(_merged(program, names) for program in instance.straight))


def _merged(program: StraightLine, names: list[int]) -> StraightLine:
    events = (Event(e.kind, names[e.sender - 1], names[e.receiver - 1]) for e in program.linearization)
    return StraightLine.of(program.n - 1, (e for e in events if e.sender != e.receiver))


def _with_one_message_less(instance: Instance) -> Iterator[Instance]:
    """The k'th send and the k'th receive on a channel are gone."""
    programs = instance.straight
    for number, program in enumerate(programs):
        for channel in sorted({event.channel for share in program.shares for event in share}):
            for k in range(min(_counts(program, channel))):
                less = _without(program, channel, k)
                yield Instance.of(*programs[:number], less, *programs[number + 1 :])


def _counts(program: StraightLine, channel: Channel) -> tuple[int, int]:
    send, receive = mt(*channel)
    return program.shares[channel.sender - 1].count(send), program.shares[channel.receiver - 1].count(receive)


def _without(program: StraightLine, channel: Channel, k: int) -> StraightLine:
    shares = [list(share) for share in program.shares]
    for event in mt(*channel):
        share = shares[event.process - 1]
        del share[[at for at, other in enumerate(share) if other == event][k]]
    return StraightLine(tuple(map(tuple, shares)))
