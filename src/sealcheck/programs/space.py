"""The bounded program space (n, m) as an indexed set.

A program up to layering is a set of equivalent interleavings, that is, a Mazurkiewicz trace,
and every trace has exactly one Foata normal form: a sequence of steps, each a non-empty set
of events that can happen at once, such that every event of a step depends on some event of
the step before it (Cartier and Foata 1969).  An event depends on the last step if its process
took part in that step, or if it receives the only message of its channel and that message was
sent in that step.  Walking the steps in a fixed order indexes the space without listing it.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.events import Event, Kind, channels
from sealcheck.programs.straight_line import Share, StraightLine


class State(NamedTuple):
    """What the rest of a program in Foata normal form depends on."""

    contents: tuple[int, ...]
    """Messages in transit, per channel."""
    sends_left: int
    acted: frozenset[int]
    """Processes that took part in the last step."""
    fresh: frozenset[int]
    """Channels (indices) whose only message was sent in the last step."""


class Branch(NamedTuple):
    """One way to continue: a step, where it leads, and how many programs lie behind it."""

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

    Two programs are one when they are equal up to layering; idle processes are allowed.
    Counting takes time and memory in the number of states, not of programs.

    >>> space = Space(2, 1)
    >>> len(space), [str(program) for program in space.programs()]
    (2, ['mt 2->1', 'mt 1->2'])
    >>> len(Space(3, 4)) == sum(1 for _ in Space(3, 4).programs())
    True
    """

    def __init__(self, n: int, m: int, *, self_channels: bool = False) -> None:
        """Index the space of programs over n >= 1 processes with m >= 0 messages."""
        if n < 1:
            raise InputError(f"the number of processes must be at least 1, not {n}")
        if m < 0:
            raise InputError(f"the number of messages must be at least 0, not {m}")
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
        used = {event.channel for share in program.shares for event in share}
        if program.n != self.n or program.messages != self.m or not used <= set(self._channels):
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
        """The next Foata step: everything that is enabled; `at` moves past it."""
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
        """Every choice of at most one event for each of the processes from `process` on."""
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
