"""Find the canonical programs of a level, by a walk over states (see `sealcheck.programs.space.Space`).

A *level* (n, m) has all programs of n processes and m messages. The *share* of a process is its part of the
program. Of all renamings of a program, the *canonical* program has the least shares, compared process by
process.

A program is built in steps (the Foata normal form). In each step, some processes do one event each. Each
event depends on the last step in one of two ways:

- The process of the event took part in the last step.
- The event receives the only message on its channel, and this message was sent in the last step.

A *state* decides what the next steps may be. A state is one integer with three parts:

- the number of messages on each channel, in four bits; 15 stands for a single message that was sent in the
  last step (a *new* message);
- the processes that took part in the last step;
- the number of sends left.

States with the same future are merged:

- If a process took part in the last step, it does not matter whether messages to this process are new.
- If a process has nothing to receive and no sends are left, the process does nothing more. So it does not
  matter whether the process took part in the last step.

After each event, the walk updates two facts about each process:

- `heard`: for each channel, the number of receives on it in the causal past of the process. At the end, the
  process knows a channel to be safe exactly if it has heard of all receives on the channel.
- `pattern`: the smallest share that the process can have if it is renamed to process 1. The other processes
  are renamed in the order in which the share first mentions them.

In a canonical program, the share of process 1 is its own pattern, and no process has a smaller pattern. The
walk skips beginnings of programs that cannot meet these two conditions.
"""

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.packed.events import (
    CODE,
    FIELD,
    Codes,
    Ints,
    codes,
    require_packable,
)
from sealcheck.support.compiling import ZERO, compiled, inlined

_CONTENT = 4
_FRESH = 15


Steps = npt.NDArray[np.int16]
Targets = npt.NDArray[np.int32]
Integer = TypeVar("Integer", bound=np.signedinteger)


class Automaton(NamedTuple):
    """The states, and the branches from state to state. State 0 is the start.

    The last branch, ``first[-1]``, belongs to no state, and leads to state 0.
    """

    first: Ints
    """The branches of state s are ``first[s]`` to ``first[s + 1] - 1``, in the order of `Space`."""
    step: Steps
    """For each branch, the events of its step: `CODE` bits for each process, the lowest for the first."""
    target: Targets
    """For each branch, the state to which it leads; -1 if the program is complete."""
    size: Ints
    """For each branch, the number of programs that it leads to. It is 0 only if the level is empty."""


def automaton(n: int, m: int) -> Automaton:
    """The automaton for all programs over 1..n with m messages.

    Raises InputError if these programs cannot be packed. Time and memory are proportional to the number of
    branches: 80 bytes for each branch at first, and 14 bytes in the result.

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
    """All states: `first`, `step` and `target` of the `Automaton`, and the number of events that each state
    has left.
    """
    most = (2 * n - 1) ** n
    slots, states = np.full(8 * most, -1, np.int64), np.empty(2 * most, np.int64)
    first, steps, after = np.zeros(2 * most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    step, target = np.empty(2 * most, np.int16), np.empty(2 * most, np.int32)
    states[0] = _normal(n, codes, ZERO, (1 << n) - 1, m)
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
    """Write each possible step to `steps` and the state after it to `after`; return the number of steps."""
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
        p, step, sends = n - 1, ZERO, 0
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
    """Whether the event can be part of the next step: it can happen, and depends on the last step."""
    acted = key >> (_CONTENT * n * (n - 1) + p) & 1
    if code < n:
        return acted > 0 and _sends_left(n, key) > 0
    content = key >> (_CONTENT * codes.channel[p, code]) & 15
    return content > 0 and (acted > 0 or content == _FRESH)


@compiled
def _after(n: int, codes: Codes, key: int, step: int) -> int:
    channels = n * (n - 1)
    contents, acted, sends_left = ZERO, ZERO, _sends_left(n, key)
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
    """The state that stands for this state and all states with the same future."""
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
    """The slot of this state in the hash table, or a free slot for it."""
    slot = (key ^ key >> 29) * 0x1E3779B97F4A7C15
    slot = (slot ^ slot >> 32) % len(slots)
    while slots[slot] >= 0 and states[slots[slot]] != key:
        slot = (slot + 1) % len(slots)
    return slot


@compiled
def _doubled(array: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    longer = np.empty(2 * len(array), array.dtype)
    for k in range(len(array)):  # to assign a slice takes a second to compile
        longer[k] = array[k]
    return longer


@compiled
def _sizes(first: Ints, target: Targets, left: Ints, order: Ints) -> Ints:
    """The number of programs that each state leads to. `order` sorts the states by the events left."""
    size = np.zeros(len(order), np.int64)
    for state in order:
        size[state] = left[state] == 0
        for branch in range(first[state], first[state + 1]):
            size[state] += size[target[branch]]
    return size


_NUMBER = (1 << (FIELD - 1)) - 1
_CHANNELS = 12
_NUMBERS = sum(_NUMBER << (FIELD * channel) for channel in range(_CHANNELS))
_TOPS = sum(1 << (FIELD * channel + FIELD - 1) for channel in range(_CHANNELS))
_MENTIONED = 12
"""The position, in a packed word of names, of the number of processes that have a name."""


class Rows(NamedTuple):
    """Arrays for the rows that a walk finds."""

    indices: Ints
    orbit_size: Ints
    shares: Ints
    """For each row, the shares of all processes."""
    profile: Ints
    """For each row, the program's profile, as in `sealcheck.algorithms.packed.profiles`."""


def rows(n: int, count: int) -> Rows:
    """Arrays for `count` rows of programs over n processes."""
    indices, orbit_size, profile = (np.empty(count, np.int64) for _ in range(3))
    return Rows(indices, orbit_size, np.empty((count, n), np.int64), profile)


class Paths(NamedTuple):
    """Facts about the beginning of a program, after each number of steps."""

    known: Ints
    """``known[steps, what, process]``. The sent and the received messages are at ``[steps, _COUNTS]``."""
    transit: Ints
    """``transit[channel, k]``: what the sender had heard when it sent message k on the channel."""


_HEARD, _SHARE, _PATTERN, _LENGTH, _NAMES, _COUNTS = range(6)
"""The kinds of facts (`what`). `_NAMES` has four bits for each other process: its name in the pattern, or 0.
"""
_SENT, _RECEIVED = 0, 1


def paths(n: int, m: int) -> Paths:
    """Arrays for the paths of programs over 1..n with m messages."""
    return Paths(np.zeros((2 * m + 2, 6, max(n, 2)), np.int64), np.zeros((n * n, m + 1), np.int64))


@compiled
def walk(
    automaton: Automaton, codes: Codes, start: int, stop: int, path: Paths, found: Rows
) -> tuple[int, int]:
    """Write to `found` the canonical programs with indices in start..stop-1, as many as fit.

    Return the number of programs found, and the index from which to go on.
    """
    first, step, target, size = automaton
    known, transit = path
    at, end = np.zeros(len(known), np.int64), np.zeros(len(known), np.int64)
    at[0], end[0] = first[-1], first[-1] + 1
    depth, index, count = 0, 0, 0
    while depth >= 0 and index < stop and count < len(found.indices):
        branch = at[depth]
        if branch == end[depth]:
            depth -= 1
            continue
        at[depth] += 1
        if index + size[branch] <= start:
            index += size[branch]
            continue
        now = known[depth + 1]
        _extend(codes.channel, transit, known[depth], step[branch], now)
        if not _may_be_canonical(len(codes.other), now):
            index += size[branch]
        elif target[branch] >= 0:
            depth += 1
            at[depth], end[depth] = first[target[branch]], first[target[branch] + 1]
        else:
            orbit_size = _orbit_size(codes.former, codes.renamed, transit.shape[1], now)
            if orbit_size:
                found.indices[count], found.orbit_size[count] = index, orbit_size
                for p in range(len(codes.other)):
                    found.shares[count, p] = now[_SHARE, p]
                found.profile[count] = _profile(codes.outgoing, now)
                count += 1
            index += 1
    return count, min(index, stop) if count == len(found.indices) else stop


@compiled
def pick(automaton: Automaton, codes: Codes, indices: Ints, path: Paths, profiles: Ints) -> None:
    """Write the profiles of the programs with these indices, which must be in the level."""
    first, step, target, size = automaton
    known, transit = path
    for number in range(len(indices)):
        branch, left, depth = first[-1], indices[number], 0
        _extend(codes.channel, transit, known[0], step[branch], known[1])
        while target[branch] >= 0:
            branch = first[target[branch]]
            while left >= size[branch]:
                left -= size[branch]
                branch += 1
            depth += 1
            _extend(codes.channel, transit, known[depth], step[branch], known[depth + 1])
        profiles[number] = _profile(codes.outgoing, known[depth + 1])


@inlined
def _extend(channel_of: Ints, transit: Ints, before: Ints, step: int, after: Ints) -> None:
    n = len(channel_of)
    sent, received = before[_COUNTS, _SENT], before[_COUNTS, _RECEIVED]
    for p in range(n):
        code = step >> (CODE * p) & 7
        heard, share, pattern = before[_HEARD, p], before[_SHARE, p], before[_PATTERN, p]
        length, names = before[_LENGTH, p], before[_NAMES, p]
        if code:
            channel = channel_of[p, code]
            place = FIELD * channel
            if code < n:
                kind = 0
                transit[channel, sent >> place & _NUMBER] = heard
                sent += 1 << place
            else:
                kind = n - 1
                told = transit[channel, received >> place & _NUMBER]
                received += 1 << place
                heard = _greater(heard, told) + (1 << place)
            other = 4 * (code - kind - 1)
            if not names >> other & 15:
                names += 1 << _MENTIONED
                names |= names >> _MENTIONED << other
            share = share << CODE | code
            pattern = pattern << CODE | (kind + (names >> other & 15))
            length += 1
        after[_HEARD, p], after[_SHARE, p], after[_PATTERN, p] = heard, share, pattern
        after[_LENGTH, p], after[_NAMES, p] = length, names
    after[_COUNTS, _SENT], after[_COUNTS, _RECEIVED] = sent, received


@compiled
def _greater(a: int, b: int) -> int:
    """The larger of two numbers, field by field."""
    not_less = ((a | _TOPS) - b) & _TOPS
    chosen = not_less - (not_less >> (FIELD - 1))
    return (a & chosen) | (b & ~chosen)


@compiled
def _may_be_canonical(n: int, now: Ints) -> bool:
    """Whether the patterns so far allow that the program is canonical."""
    own, length = now[_SHARE, 0], now[_LENGTH, 0]
    if own != now[_PATTERN, 0]:
        return False
    for p in range(1, n):
        more, pattern = length - now[_LENGTH, p], now[_PATTERN, p]
        if (own >> (CODE * more) > pattern) if more > 0 else (own > pattern >> (-CODE * more)):
            return False
    return True


@inlined
def _orbit_size(former: Ints, renamed: Ints, most: int, now: Ints) -> int:
    """The number of different renamings of this program; 0 if a renaming is smaller than the program."""
    n = former.shape[1]
    own = now[_SHARE, 0] << (CODE * (most - now[_LENGTH, 0]))
    first_ones = 0
    for p in range(n):
        pattern = now[_PATTERN, p] << (CODE * (most - now[_LENGTH, p]))
        if pattern < own:
            return 0
        first_ones |= (pattern == own) << p
    if first_ones == 1 and now[_NAMES, 0] >> _MENTIONED >= n - 2:
        return len(former)
    same = 1
    for renaming in range(1, len(former)):
        if first_ones >> former[renaming, 0] & 1:
            order = _compared(former[renaming], renamed[renaming], now)
            if order < 0:
                return 0
            same += order == 0
    return len(former) // same


@compiled
def _compared(former: Ints, renamed: Ints, now: Ints) -> int:
    """A number below 0 if the renamed program is smaller than the program, and 0 if both are equal."""
    for p in range(len(former)):
        old = former[p]
        share, length, old_share, old_length = (
            now[_SHARE, p],
            now[_LENGTH, p],
            now[_SHARE, old],
            now[_LENGTH, old],
        )
        for k in range(1, min(length, old_length) + 1):
            code = old_share >> (CODE * (old_length - k)) & 7
            order = renamed[old, code] - (share >> (CODE * (length - k)) & 7)
            if order:
                return int(order)
        if length != old_length:
            return int(old_length - length)
    return 0


@compiled
def _profile(outgoing: Ints, now: Ints) -> int:
    """For each open channel, the set of processes that know it to be safe."""
    total, open_channels, knowing = now[_COUNTS, _SENT], 0, 0
    used = (total + _NUMBERS) & _TOPS
    for p in range(len(outgoing)):
        known = used & ~((now[_HEARD, p] ^ total) + _NUMBERS)
        open_channels |= used & outgoing[p] & ~known
        knowing |= known >> (FIELD - 1) << p
    return int(knowing & (open_channels >> (FIELD - 1)) * _NUMBER)
