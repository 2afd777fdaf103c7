"""The states of `Space`, with what leads from one to the next, as flat arrays.

A state packs the messages on each channel (four bits, 15 for a single one sent in the last step), the
processes that took part in the last step, and the sends left, into one integer.  Of states that differ
in nothing that matters later, one stands for all: whether a message is fresh where its receiver took
part in the last step; and, with no sends left, whether a process took part that has nothing to receive.
"""

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.packed.compiling import compiled
from sealcheck.algorithms.packed.events import CODE, Codes, Ints, codes, require_packable

_CONTENT = 4
_FRESH = 15


Steps = npt.NDArray[np.int16]
Targets = npt.NDArray[np.int32]
Integer = TypeVar("Integer", bound=np.signedinteger)


class Automaton(NamedTuple):
    """State 0 is the start.  Branch ``first[-1]``, behind those of all states, leads there."""

    first: Ints
    """The branches of state s are ``first[s]`` to ``first[s + 1] - 1``, in the order of `Space`."""
    step: Steps
    """For each branch the events of its step: `CODE` bits for each process, the first lowest."""
    target: Targets
    """For each branch the state it leads to; -1 where the program is complete."""
    size: Ints
    """For each branch the number of programs behind it, never 0 but where the level is empty."""


def automaton(n: int, m: int) -> Automaton:
    """The states that programs over 1..n with m messages go through.

    Raises InputError where `require_packable` does.
    Time and memory in the number of branches, each of which keeps 14 bytes and takes 80
    while they are made.

    >>> automaton(2, 1).size.tolist()
    [1, 1, 1, 1, 2]
    """
    require_packable(n, m)
    first, step, target, left = _explore(n, m, codes(n))
    size = _sizes(first, target, left, np.argsort(left, kind="stable"))
    return _alive(first, step, target, left, size)


def _alive(first: Ints, step: Steps, target: Targets, left: Ints, size: Ints) -> Automaton:
    """The automaton without the states from which no program can be completed."""
    kept = (size > 0)[target]
    kept_before = np.concatenate(([0], np.cumsum(kept)))
    alive = (size > 0) & (left > 0)
    number = np.where(left > 0, np.cumsum(alive) - 1, -1).astype(np.int32)
    step, target = np.append(step[kept], np.int16(0)), np.append(target[kept], np.int32(0))
    first = np.append(kept_before[first[:-1]][alive], len(step) - 1)
    return Automaton(first, step, number[target], size[target])


@compiled
def _explore(n: int, m: int, codes: Codes) -> tuple[Ints, Steps, Targets, Ints]:
    """All states, dead ends included: `first`, `step`, `target`, and the events each has left."""
    most = (2 * n - 1) ** n
    slots, states = np.full(8 * most, -1, np.int64), np.empty(2 * most, np.int64)
    first, steps, after = np.zeros(2 * most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    step, target = np.empty(2 * most, np.int16), np.empty(2 * most, np.int32)
    states[0] = _normal(n, codes, 0, (1 << n) - 1, m)
    slots[_slot(slots, states, states[0])] = 0
    count, branches, state = 1, 0, 0
    while state < count:
        found = _expand(n, codes, states[state], steps, after)
        if count + found >= len(states):
            states, first = _doubled(states), _doubled(first)
            slots = np.full(4 * len(states), -1, np.int64)
            for old in range(count):
                slots[_slot(slots, states, states[old])] = old
        if branches + found > len(step):
            step, target = _doubled(step), _doubled(target)
        for k in range(found):
            slot = _slot(slots, states, after[k])
            if slots[slot] < 0:
                slots[slot], states[count] = count, after[k]
                count += 1
            step[branches + k], target[branches + k] = steps[k], slots[slot]
        branches += found
        state += 1
        first[state] = branches
    left = np.array([_events_left(n, key) for key in states[:count]])
    return first[: count + 1], step[:branches], target[:branches], left


@compiled
def _expand(n: int, codes: Codes, key: int, steps: Ints, after: Ints) -> int:
    """Write every step that can follow, and the state after it, in the order of `Space`; how many."""
    allowed, sends = np.zeros((n, 2 * n - 1), np.int64), 0
    counts = np.ones(n, np.int64)
    for p in range(n):
        for code in codes.option[p]:
            if _is_possible(n, codes, key, p, code):
                allowed[p, counts[p]] = code
                counts[p] += 1
    chosen, found, sends_left = np.zeros(n, np.int64), 0, _sends_left(n, key)
    p = n - 1
    while p >= 0:
        chosen[p] += 1
        if chosen[p] == counts[p]:
            chosen[p] = 0
            p -= 1
            continue
        p, step, sends = n - 1, 0, 0
        for q in range(n):
            code = allowed[q, chosen[q]]
            step |= code << (CODE * q)
            sends += 0 < code < n
        if sends <= sends_left:
            steps[found], after[found] = step, _after(n, codes, key, step)
            found += 1
    return found


@compiled
def _is_possible(n: int, codes: Codes, key: int, p: int, code: int) -> bool:
    """Whether the event can be part of a next step: enabled, and dependent on the last step."""
    acted = key >> (_CONTENT * n * (n - 1) + p) & 1
    if code < n:
        return acted > 0 and _sends_left(n, key) > 0
    content = key >> (_CONTENT * codes.channel[p, code]) & 15
    return content > 0 and (acted > 0 or content == _FRESH)


@compiled
def _after(n: int, codes: Codes, key: int, step: int) -> int:
    """The state after a step."""
    channels = n * (n - 1)
    contents, acted, sends_left = 0, 0, _sends_left(n, key)
    for channel in range(channels):
        content = key >> (_CONTENT * channel) & 15
        contents |= (1 if content == _FRESH else content) << (_CONTENT * channel)
    for p in range(n):
        code = step >> (CODE * p) & 7
        if code:
            acted |= 1 << p
            sends_left -= code < n
            contents += (1 if code < n else -1) << (_CONTENT * codes.channel[p, code])
    for p in range(n):
        code = step >> (CODE * p) & 7
        if 0 < code < n and contents >> (_CONTENT * codes.channel[p, code]) & 15 == 1:
            contents |= _FRESH << (_CONTENT * codes.channel[p, code])
    return _normal(n, codes, contents, acted, sends_left)


@compiled
def _normal(n: int, codes: Codes, contents: int, acted: int, sends_left: int) -> int:
    """The state that stands for this one."""
    for p in range(n):
        waiting = 0
        for code in range(n, 2 * n - 1):
            place = _CONTENT * codes.channel[p, code]
            waiting |= contents >> place & 15
            if acted >> p & 1 and contents >> place & 15 == _FRESH:
                contents -= (_FRESH - 1) << place
        if not waiting and not sends_left:
            acted &= ~(1 << p)
    return contents | (acted | sends_left << n) << (_CONTENT * n * (n - 1))


@compiled
def _sends_left(n: int, key: int) -> int:
    return key >> (_CONTENT * n * (n - 1) + n)


@compiled
def _events_left(n: int, key: int) -> int:
    left = 2 * _sends_left(n, key)
    for channel in range(n * (n - 1)):
        content = key >> (_CONTENT * channel) & 15
        left += 1 if content == _FRESH else content
    return left


@compiled
def _slot(slots: Ints, states: Ints, key: int) -> int:
    """Where the number of this state is in the hash table, or the free place for it."""
    slot = (key ^ key >> 29) * 0x1E3779B97F4A7C15
    slot = (slot ^ slot >> 32) % len(slots)
    while slots[slot] >= 0 and states[slots[slot]] != key:
        slot = (slot + 1) % len(slots)
    return slot


@compiled
def _doubled(array: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


@compiled
def _sizes(first: Ints, target: Targets, left: Ints, order: Ints) -> Ints:
    """The number of programs behind each state; `order` begins with the fewest events left."""
    size = np.zeros(len(order), np.int64)
    for state in order:
        size[state] = left[state] == 0
        for branch in range(first[state], first[state + 1]):
            size[state] += size[target[branch]]
    return size
