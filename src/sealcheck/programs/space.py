"""The space (n, m), which has all programs over n processes with m messages: its index, counts, and bounds.

**The index.** Two programs are equal if each process has the same events in the same order. The code lists
each program once, by its Foata normal form (Cartier and Foata 1969): a sequence of steps. A step is a
non-empty set of events that can happen at once. Every event after the first step depends on the step before
its own, in one of two ways:

- The event's process took part in that step.
- The event receives the only message in its channel, and this message was sent in that step.

After each step, the possible next steps have a fixed order. So all programs have an order, too. The index of
a program is the number of programs before it. These programs are counted, and not listed.

**The counts** are made without enumeration, to check the enumeration. They use inclusion and exclusion
(Cartier and Foata's inversion):

- A state c consists of the contents of the channels and the number of sends to come.
- N(c) is the number of programs from c to the end.
- N(c) is the sum of (-1)^(|S| + 1) N(c') over all non-empty sets S of events that can happen at once in c.
  The state c' is the state after these events.

The sum counts each program once, for this reason. Let F be the set of all events that can come first in a
program. The sum counts the program for each non-empty subset S of F, with the sign (-1)^(|S| + 1). These
signs add up to 1.

**Renaming.** Burnside's lemma counts the programs up to renaming processes. It needs, for each renaming, the
number of programs that the renaming does not change. The sum above gives this number, if S goes only through
sets of events that the renaming maps to themselves.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise, product
from math import factorial, prod
from operator import itemgetter
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.straight_line import Event, Kind, Share, StraightLine, channels
from sealcheck.words import counted


class State(NamedTuple):
    """The state that decides how a program in Foata normal form can go on."""

    contents: tuple[int, ...]
    """Messages in transit, per channel."""
    sends_left: int
    acted: frozenset[int]
    """Processes that took part in the last step."""
    fresh: frozenset[int]
    """The indices of channels with exactly one message, which was sent in the last step."""


class Branch(NamedTuple):
    """One way to go on: a step, the next state, and the number of programs that go on in this way."""

    step: tuple[Event, ...]
    state: State
    size: int


def _extended(shares: tuple[Share, ...], step: tuple[Event, ...]) -> tuple[Share, ...]:
    longer = list(shares)
    for event in step:
        longer[event.process - 1] += (event,)
    return tuple(longer)


class Space:
    """All balanced deadlock-free straight-line programs over 1..n with exactly m messages.

    Idle processes are allowed. The time and memory for counting depend on the number of states, not on the
    number of programs.

    >>> space = Space(2, 1)
    >>> len(space), [str(program) for program in space.programs()]
    (2, ['mt 2->1', 'mt 1->2'])
    >>> len(Space(3, 4)) == sum(1 for _ in Space(3, 4).programs())
    True
    """

    def __init__(self, n: int, m: int, *, self_channels: bool = False) -> None:
        """Index the space of programs over n >= 1 processes with m >= 0 messages."""
        _require_bounds(n, [m])
        self.n, self.m = n, m
        self._channels = channels(n, self_channels=self_channels)
        self._number = {channel: k for k, channel in enumerate(self._channels)}
        self._branches: dict[State, tuple[Branch, ...]] = {}
        self._sizes: dict[State, int] = {}
        everyone = frozenset(range(1, n + 1))
        self._start = State((0,) * len(self._channels), m, everyone, frozenset())

    @cached_property
    def size(self) -> int:
        """The number of programs; unlike len(), it may exceed 2^63."""
        return self._size(self._start)

    def __len__(self) -> int:
        return self.size

    def programs(self, start: int = 0, stop: int | None = None) -> Iterator[StraightLine]:
        """The programs with index start <= index < stop, in index order."""
        start = max(start, 0)
        stop = self.size if stop is None else min(stop, self.size)
        for shares in self._walk(self._start, ((),) * self.n, start, stop):
            yield StraightLine(shares)

    def program(self, index: int) -> StraightLine:
        """The program with the given index.  Raises IndexError outside 0..len-1."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return next(self.programs(index, index + 1))

    def index(self, program: StraightLine) -> int:
        """The index of `program`, which must be in the space.

        >>> space = Space(3, 3)
        >>> [space.index(program) for program in space.programs(40, 43)]
        [40, 41, 42]
        """
        if program.n != self.n or program.messages != self.m or not program.used <= set(self._channels):
            raise self._refusal(program)
        at = [0] * self.n
        state, index = self._start, 0
        while state.sends_left or any(state.contents):
            step = self._next_step(program, at, state)
            for branch in self._expand(state):
                if branch.step == step:
                    state = branch.state
                    break
                index += branch.size
            else:
                raise self._refusal(program)
        if at != [len(share) for share in program.shares]:
            raise self._refusal(program)
        return index

    def _refusal(self, program: StraightLine) -> InputError:
        return InputError(f"'{program}' is not in the space of n = {self.n}, m = {self.m}")

    def _next_step(self, program: StraightLine, at: list[int], state: State) -> tuple[Event, ...]:
        """The next Foata step: all events that can happen. `at` moves past these events."""
        step = []
        for process, share in enumerate(program.shares):
            if at[process] < len(share):
                event = share[at[process]]
                if event.is_send or state.contents[self._number[event.channel]]:
                    step.append(event)
                    at[process] += 1
        return tuple(step)

    def _walk(
        self, state: State, shares: tuple[Share, ...], start: int, stop: int
    ) -> Iterator[tuple[Share, ...]]:
        if start >= stop:
            return
        if not state.sends_left and not any(state.contents):
            yield shares
            return
        for step, successor, size in self._expand(state):
            if start < size and stop > 0:
                yield from self._walk(successor, _extended(shares, step), max(start, 0), min(stop, size))
            start -= size
            stop -= size
            if stop <= 0:
                return

    def _size(self, state: State) -> int:
        if state not in self._sizes:
            done = not state.sends_left and not any(state.contents)
            self._sizes[state] = 1 if done else sum(branch.size for branch in self._expand(state))
        return self._sizes[state]

    def _expand(self, state: State) -> tuple[Branch, ...]:
        if state not in self._branches:
            steps = (
                (step, self._after(state, step)) for step in self._steps(state, 1, state.sends_left) if step
            )
            branches = (Branch(step, successor, self._size(successor)) for step, successor in steps)
            self._branches[state] = tuple(branch for branch in branches if branch.size)
        return self._branches[state]

    def _steps(self, state: State, process: int, sends_left: int) -> Iterator[tuple[Event, ...]]:
        """All choices of at most one event for each process from `process` on."""
        if process > self.n:
            yield ()
            return
        yield from self._steps(state, process + 1, sends_left)
        for number, channel in enumerate(self._channels):
            sends = channel.sender == process and sends_left > 0 and process in state.acted
            receives = channel.receiver == process and state.contents[number] > 0
            if sends:
                for rest in self._steps(state, process + 1, sends_left - 1):
                    yield (Event(Kind.SEND, *channel), *rest)
            if receives and (process in state.acted or number in state.fresh):
                for rest in self._steps(state, process + 1, sends_left):
                    yield (Event(Kind.RECEIVE, *channel), *rest)

    def _after(self, state: State, step: tuple[Event, ...]) -> State:
        contents = list(state.contents)
        for event in step:
            contents[self._number[event.channel]] += 1 if event.is_send else -1
        sent = [self._number[event.channel] for event in step if event.is_send]
        return State(
            tuple(contents),
            state.sends_left - len(sent),
            frozenset(event.process for event in step),
            frozenset(number for number in sent if contents[number] == 1),
        )


Lengths = tuple[int, ...]
"""The cycle lengths of a renaming, in descending order."""

Contents = tuple[int, ...]
"""The number of messages on each channel."""


def count_programs(n: int, m: int) -> int:
    """The number of programs of the space (n, m). Raises InputError if n < 1 or m < 0.

    Time and memory depend on the number of possible contents of the channels.

    >>> [count_programs(2, m) for m in range(5)]
    [1, 2, 5, 14, 42]
    """
    _require_bounds(n, [m])
    return _count_fixed((1,) * n, m)


def count_canonical(n: int, m: int) -> int:
    """The number of programs of (n, m) up to renaming processes.  Raises InputError as `count_programs` does.

    >>> [count_canonical(3, m) for m in range(5)]
    [1, 1, 7, 48, 381]
    """
    return count_canonical_sequences(n, [m])


def count_canonical_sequences(n: int, messages: Sequence[int]) -> int:
    """The number of sequences of programs up to renaming processes, given the messages of each program.

    A renaming applies to all programs of a sequence alike. Raises InputError if n < 1, or if a number of
    messages is negative.

    >>> count_canonical_sequences(2, [1, 1])
    2
    """
    _require_bounds(n, messages)
    total = sum(
        prod(_count_fixed(lengths, m) for m in messages) * _renamings(lengths)
        for lengths in _partitions(n, n)
    )
    return total // factorial(n)


def _require_bounds(n: int, messages: Sequence[int]) -> None:
    if n < 1:
        raise InputError(f"the number of processes must be at least 1, not {n}")
    if messages and min(messages) < 0:
        raise InputError(f"the number of messages must be at least 0, not {min(messages)}")


def _partitions(n: int, largest: int) -> Iterator[Lengths]:
    """The ways to write n as a descending sum of numbers up to `largest`."""
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def _renamings(lengths: Lengths) -> int:
    """The number of renamings with cycles of these lengths.

    >>> _renamings((2, 1)), _renamings((3,))
    (3, 2)
    """
    same: int = prod(length**count * factorial(count) for length, count in Counter(lengths).items())
    return factorial(sum(lengths)) // same


@cache
def _count_fixed(lengths: Lengths, m: int) -> int:
    """The number of programs with m messages that a renaming with these cycles does not change."""
    return _Fixed(lengths).count(m)


class _Fixed:
    """The programs that a renaming does not change. Each cycle of the renaming acts as one process.

    Events that the renaming permutes happen together.

    - If a cycle has length k, applying the renaming k times maps each process of the cycle to itself. The
      program does not change. So the partners of these processes are mapped to themselves, too.
    - So if two cycles communicate, each length divides the other, and the lengths are equal.
    - The channels between the two cycles fall into k classes. Each class acts as one channel, with k messages
      at a time.
    """

    def __init__(self, lengths: Lengths) -> None:
        cycles = range(len(lengths))
        ends = [
            (a, b)
            for a, b in product(cycles, repeat=2)
            if lengths[a] == lengths[b]
            for _ in range(lengths[a] - (a == b))
        ]
        self._lengths = lengths
        self._weights = [lengths[a] for a, _ in ends]
        self._swaps = [_swapped(ends, a) for a, (one, other) in enumerate(pairwise(lengths)) if one == other]
        self._outgoing = [[k for k, (a, _) in enumerate(ends) if a == cycle] for cycle in cycles]
        self._incoming = [[k for k, (_, b) in enumerate(ends) if b == cycle] for cycle in cycles]
        self._behind: dict[tuple[Contents, int], int] = {}
        self._receiving = cache(self._sum_with_receives)
        self._sending = cache(self._sum_with_sends)

    def count(self, m: int) -> int:
        """The number of these programs with m messages.

        The successors of a state are counted before the state. The order is that of the messages in transit
        or to come, which a receive reduces, and then of the messages to come, which a send reduces. States
        that differ only by renaming have the same count.
        """
        alike_of = [self._alike(contents) for contents in self._contents(m)]
        for messages in range(m + 1):
            for left in range(messages + 1):
                for alike in alike_of[messages - left]:
                    number = -self._receiving(0, alike[0], left, 0) if messages else 1
                    self._behind.update(((contents, left), number) for contents in alike)
        return self._behind[(0,) * len(self._weights), m]

    def _contents(self, most: int) -> list[list[Contents]]:
        """All contents of the channels with 0..`most` messages, by the number of messages."""
        found: list[list[Contents]] = [[()], *([] for _ in range(most))]
        for weight in self._weights:
            found = [
                [
                    (*contents, count)
                    for count in range(size // weight + 1)
                    for contents in found[size - count * weight]
                ]
                for size in range(most + 1)
            ]
        return found

    def _alike(self, every: list[Contents]) -> list[list[Contents]]:
        """The contents in groups: within a group, they differ only by renaming cycles of the same length."""
        seen, found = set[Contents](), []
        for contents in every:
            if contents in seen:
                continue
            seen.add(contents)
            alike = [contents]
            for each in alike:
                images = {swapped for swap in self._swaps if (swapped := swap(each)) not in seen}
                seen |= images
                alike += images
            found.append(alike)
        return found

    def _sum_with_receives(self, cycle: int, contents: Contents, left: int, acted: int) -> int:
        """The signed sum over sets of first events. Cycles from `cycle` on may receive; all cycles may send.

        `acted` has a bit for each cycle that received.
        """
        if cycle == len(self._lengths):
            return self._sending(0, contents, left, acted)
        total = self._receiving(cycle + 1, contents, left, acted)
        for channel in self._incoming[cycle]:
            if contents[channel]:
                fewer = _changed(contents, channel, -1)
                total -= self._receiving(cycle + 1, fewer, left, acted | 1 << cycle)
        return total

    def _sum_with_sends(self, cycle: int, contents: Contents, left: int, acted: int) -> int:
        """The signed sum over sets of first events. Only cycles from `cycle` on may still send."""
        if cycle == len(self._lengths):
            return self._behind[contents, left] if acted else 0
        total = self._sending(cycle + 1, contents, left, acted)
        length = self._lengths[cycle]
        if not acted >> cycle & 1 and length <= left:
            for channel in self._outgoing[cycle]:
                more = _changed(contents, channel, 1)
                total -= self._sending(cycle + 1, more, left - length, acted | 1 << cycle)
        return total


def _swapped(ends: Sequence[tuple[int, int]], cycle: int) -> Callable[[Contents], Contents]:
    """The exchange of two neighbouring cycles, as a function of contents."""
    places = {cycle: cycle + 1, cycle + 1: cycle}
    order = sorted(range(len(ends)), key=lambda k: [places.get(end, end) for end in ends[k]])
    return itemgetter(*order)


def _changed(contents: Contents, channel: int, by: int) -> Contents:
    return (*contents[:channel], contents[channel] + by, *contents[channel + 1 :])


MOST_MESSAGES = {1: 18, 2: 18, 3: 10, 4: 7, 5: 5, 6: 4, 7: 3, 8: 3}
"""The largest number of messages of a space that can be enumerated, by number of processes.

Within these bounds, a space has at most 3·10^9 programs. Compiled loops go through them in minutes, plain
Python loops in weeks. With more than 8 processes, comparing each program with its n! renamings takes too
long.
"""

_WHOLE = re.compile("-?[0-9]{1,4}")
_RANGE = re.compile(r"(-?[0-9]{1,4})(?:\.\.([0-9]{1,4}))?")


def process_range(text: str) -> range:
    """The numbers of processes that ``--n`` stands for.  Raises InputError.

    >>> process_range("2..4"), process_range("3")
    (range(2, 5), range(3, 4))
    """
    match = _RANGE.fullmatch(text.strip())
    if not match:
        raise InputError(f"--n takes a number or a range such as 2..4, not {text[:20]!r}")
    first = int(match[1])
    last = int(match[2] or first)
    if first < 1:
        raise InputError(f"--n must be at least 1, not {first}")
    if last < first:
        raise InputError(f"--n {text.strip()} is an empty range")
    return range(first, last + 1)


def up_to(text: str) -> range:
    """The numbers of processes 1..N for ``--n N``. Raises InputError.

    >>> up_to("3")
    range(1, 4)
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise InputError(f"--n takes the largest number of processes, not {text[:20]!r}")
    return range(1, process_range(text).stop)


def spaces(processes: range, messages: int) -> list[tuple[int, int]]:
    """Every (n, m) with n in `processes` and m = 0..`messages`, smallest first.

    Raises InputError if a bound is negative, or if a space is too large to be enumerated.

    >>> spaces(range(2, 3), 1)
    [(2, 0), (2, 1)]
    """
    if messages < 0:
        raise InputError(f"--messages must be at least 0, not {messages}")
    most = max(MOST_MESSAGES.values())
    if messages > most:
        raise InputError(f"--messages must be at most {most}, not {messages}")
    n = processes[-1]
    if n not in MOST_MESSAGES:
        raise InputError(f"--n must be at most {max(MOST_MESSAGES)}, not {n}")
    if messages > MOST_MESSAGES[n]:
        raise InputError(
            f"the programs with n = {n} and {counted(messages, 'message')} are too many:"
            f" --messages must be at most {MOST_MESSAGES[n]}"
        )
    return [(n, m) for n in processes for m in range(messages + 1)]
