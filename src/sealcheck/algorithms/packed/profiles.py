"""Verdicts on packed profiles: whether a program can be sealed, and how many messages a shortest seal has.

A *profile* here is that of `minimum_seal`, packed into an integer with a field for each channel. The field of
an open channel has the set of processes that know the channel to be safe at the program's end (see
`sealcheck.algorithms.sealability`). The field of a closed channel is 0.

The profile of a program decides the verdicts. A hash table keeps the verdicts on each profile.

The minimum is found by iterative deepening, with the lower bound of `minimum_seal`. The module shares no code
with `minimum_seal` and `sealability`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from operator import add
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.packed.events import FIELD, Ints, ends
from sealcheck.support.compiling import ZERO, compiled

_NO_SEAL = -1


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The verdicts on some programs, in columns."""

    open_channels: npt.NDArray[np.int8]
    """The number of open channels."""
    connected: npt.NDArray[np.bool_]
    """Whether the closed channels connect all processes: `th:sealability` as printed."""
    sealable: npt.NDArray[np.bool_]
    minimum: npt.NDArray[np.int8]
    """The number of messages of a minimum seal; -1 if there is no seal."""

    @classmethod
    def of(cls, said: Iterable[tuple[int, bool, int | None]]) -> "Verdicts":
        """The columns for programs, given by open channels, connectedness, and the minimum or None.

        >>> Verdicts.of([(2, True, 3), (1, False, None)]).minimum
        array([ 3, -1], dtype=int8)
        """
        rows = list(said)
        minimum = np.array([-1 if least is None else least for _, _, least in rows], np.int8)
        return cls(
            open_channels=np.array([number for number, _, _ in rows], np.int8),
            connected=np.array([connected for _, connected, _ in rows], np.bool_),
            sealable=minimum >= 0,
            minimum=minimum,
        )


class Judge:
    """Verdicts on profiles of n processes; each profile is judged when it is first met.

    >>> judge = Judge(3)
    >>> mt_1_2, x = 0b010, 0b010 | 0b001 << 2 * 5
    >>> judge.verdicts(np.array([0, mt_1_2, x])).minimum
    array([0, 1, 3], dtype=int8)
    """

    def __init__(self, n: int) -> None:
        self._n, self._ends = n, ends(n)
        self._profiles = np.full(1 << 10, -1, np.int64)
        self._verdicts = np.empty(1 << 10, np.int64)
        self.judged = 0

    def verdicts(self, profiles: Ints) -> Verdicts:
        """The verdicts on `profiles`, in their order. A profile met before takes a few ns."""
        found, done = np.empty(len(profiles), np.int64), 0
        while done < len(profiles):
            if 2 * self.judged >= len(self._profiles):
                self._double()
            table = self._profiles, self._verdicts, self.judged
            done, self.judged = _judge(self._n, self._ends, profiles, found, done, *table)
        minimum = (found & 255).astype(np.int8) + np.int8(_NO_SEAL)
        return Verdicts(
            open_channels=(found >> 9).astype(np.int8),
            connected=(found & 256) > 0,
            sealable=minimum >= 0,
            minimum=minimum,
        )

    def _double(self) -> None:
        profiles, verdicts = self._profiles, self._verdicts
        self._profiles = np.full(2 * len(profiles), -1, np.int64)
        self._verdicts = np.empty(2 * len(profiles), np.int64)
        _copy(profiles, verdicts, self._profiles, self._verdicts)


@compiled
def _judge(
    n: int, ends: Ints, profiles: Ints, found: Ints, done: int, known: Ints, verdicts: Ints, judged: int
) -> tuple[int, int]:
    """Judge the profiles from number `done` on, until the end or until the table is half full.

    Return the number of profiles done, and the number of different profiles judged so far.
    """
    while done < len(profiles):
        slot = _slot(known, profiles[done])
        if known[slot] < 0:
            if 2 * judged >= len(known):
                break
            known[slot], verdicts[slot] = profiles[done], _verdict(n, ends, profiles[done])
            judged += 1
        found[done] = verdicts[slot]
        done += 1
    return done, judged


@compiled
def _copy(profiles: Ints, verdicts: Ints, to_profiles: Ints, to_verdicts: Ints) -> None:
    for old in range(len(profiles)):
        if profiles[old] >= 0:
            slot = _slot(to_profiles, profiles[old])
            to_profiles[slot], to_verdicts[slot] = profiles[old], verdicts[old]


@compiled
def _slot(table: Ints, profile: int) -> int:
    """The slot of the profile, or a free slot for it. The table's length must be a power of two."""
    mixed = (profile ^ profile >> 29) * 0x1E3779B97F4A7C15
    slot = (mixed >> 32) & (len(table) - 1)
    while table[slot] >= 0 and table[slot] != profile:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@compiled
def _verdict(n: int, ends: Ints, profile: int) -> int:
    """The minimum plus 1 (8 bits), whether closed channels connect all processes (1 bit), and the number of
    open channels.
    """
    open_channels, count, closed = ZERO, 0, np.zeros(n, np.int64)
    known = np.zeros((3 * n, n), np.int64)
    for channel in range(len(ends)):
        knowing = profile >> (FIELD * channel) & ((1 << n) - 1)
        sender, receiver = ends[channel]
        if knowing:
            open_channels |= 1 << channel
            count += 1
        else:
            closed[sender] |= 1 << receiver
            closed[receiver] |= 1 << sender
        for p in range(n):
            known[0, p] |= (knowing >> p & 1) << channel
    minimum = _NO_SEAL
    if _is_sealable(ends, open_channels, known[0].copy()):
        minimum = _at_least(ends, open_channels, known[0])
        while not _is_sealed_by(minimum, ends, open_channels, known):
            minimum += 1
    return (minimum - _NO_SEAL) | _is_connected(n, closed) << 8 | count << 9


@compiled
def _is_connected(n: int, neighbours: Ints) -> int:
    part = 1
    for _ in range(n):
        for p in range(n):
            if part >> p & 1:
                part |= neighbours[p]
    return int(part == (1 << n) - 1)


@compiled
def _is_sealable(ends: Ints, open_channels: int, known: Ints) -> bool:
    """Whether all senders know their open channels to be safe after all safe messages. Changes `known`."""
    learnt = True
    while learnt:
        learnt = False
        for channel in range(len(ends)):
            sender, receiver = ends[channel]
            if _is_safe(open_channels, known[sender], channel) and known[sender] & ~known[receiver]:
                known[receiver] |= known[sender]
                learnt = True
    return _at_least(ends, open_channels, known) == 0


@compiled
def _is_safe(open_channels: int, known: int, channel: int) -> bool:
    """Whether the channel is closed, or its sender knows it to be safe."""
    return (open_channels & ~known) >> channel & 1 == 0


@compiled
def _at_least(ends: Ints, open_channels: int, known: Ints) -> int:
    """A lower bound on the messages still needed (see `minimum_seal`). It is 0 exactly if none is needed."""
    lacking, missing = 0, 0
    for channel in range(len(ends)):
        sender = ends[channel, 0]
        if not _is_safe(open_channels, known[sender], channel):
            lacking |= 1 << sender
            missing |= 1 << channel
    once, twice, receivers, senders = 0, 0, 0, 0
    for of_one in known:
        twice |= once & of_one
        once |= of_one
    for p in range(len(known)):
        receivers += lacking >> p & 1
        senders += (known[p] & once & ~twice & missing) != 0
    return max(receivers, senders)


@compiled
def _is_sealed_by(messages: int, ends: Ints, open_channels: int, known: Ints) -> bool:
    """Whether some sequence of at most `messages` safe messages is enough.

    ``known[k]`` is the knowledge after k messages. Of two successive messages between four different
    processes, only one order is tried.
    """
    if _at_least(ends, open_channels, known[0]) == 0:
        return True
    sent, depth = np.full(len(known), -1, np.int64), 0
    while depth >= 0:
        sent[depth] += 1
        if sent[depth] == len(ends):
            sent[depth] = -1
            depth -= 1
            continue
        sender, receiver = ends[sent[depth]]
        news = known[depth, sender] & ~known[depth, receiver]
        if not news or not _is_safe(open_channels, known[depth, sender], sent[depth]):
            continue
        if depth and sent[depth] < sent[depth - 1] and _are_disjoint(ends, sent[depth - 1], sent[depth]):
            continue
        for p in range(known.shape[1]):  # to assign a row takes a second to compile
            known[depth + 1, p] = known[depth, p]
        known[depth + 1, receiver] |= news
        needed = _at_least(ends, open_channels, known[depth + 1])
        if needed == 0:
            return True
        if depth + 1 + needed <= messages:
            depth += 1
    return False


@compiled
def _are_disjoint(ends: Ints, first: int, second: int) -> bool:
    """Whether two channels join four different processes."""
    i, j = ends[first]
    return i not in ends[second] and j not in ends[second]


def _same(one: int, _: int) -> int:
    return one


def _larger(one: int | None, other: int | None) -> int | None:
    return max((number for number in (one, other) if number is not None), default=None)


KEPT = {"added": _same}
"""Marks a field that is the same in all summands."""
LARGEST = {"added": _larger}
"""Marks a field whose sum is the largest summand."""


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts of some programs. Subclasses may add fields; addition adds these fields, too.

    >>> one = Counts(**counts_of(Verdicts.of([(1, True, 2), (3, False, 4)])))
    >>> one + Counts(**counts_of(Verdicts.of([(2, False, None), (0, True, 0)])))
    Counts(sealable=3, unsealable=1, unconnected_yet_sealable=1, most_seal_messages=4)
    """

    sealable: int
    unsealable: int
    unconnected_yet_sealable: int
    """The number of counterexamples to `th:sealability` as printed."""
    most_seal_messages: int | None = field(metadata=LARGEST)
    """The largest number of messages of a minimum seal; None if no program is sealable."""

    @property
    def counts(self) -> dict[str, Any]:
        """The fields of `Counts`, by their names, without the fields that subclasses add."""
        return {each.name: getattr(self, each.name) for each in fields(Counts)}

    def __add__(self, other: Self) -> Self:
        """The sum of two counts, which must not count any program or draw twice."""
        both: dict[str, Any] = {}
        for each in fields(self):
            added: Callable[[Any, Any], Any] = each.metadata.get("added", add)
            both[each.name] = added(getattr(self, each.name), getattr(other, each.name))
        return type(self)(**both)


def counts_of(said: Verdicts) -> dict[str, Any]:
    """The fields of `Counts` for programs with these verdicts, by their names."""
    most = int(said.minimum.max(initial=-1))
    return {
        "sealable": int(said.sealable.sum()),
        "unsealable": int((~said.sealable).sum()),
        "unconnected_yet_sealable": int((said.sealable & ~said.connected).sum()),
        "most_seal_messages": most if most >= 0 else None,
    }
