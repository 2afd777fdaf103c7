"""Compiled loops that read the lines of long recorded traces.

The *shape* of a line is the kind of its event, and its keys in their order.  A loop reads a line only if its
shape, hosts, tag and phase all occurred in earlier lines.  The id of a message may be new.  At any other
line, and at a line that may be wrong, the loop stops.  Then the *plain reader* (`sealcheck.language.traces`)
reads the line.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sealcheck.language.clocks import EVENTS
from sealcheck.language.traces import LOCALS, NONE, SENDS, SOME_HOST
from sealcheck.support.compiling import compiled

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

KEYS = ("host", "event", "message", "to", "tag", "from", "phase", "text", "time")
"""The keys that a loop can read."""
_HOST, _EVENT, _MESSAGE, _TO, _TAG, _FROM, _PHASE, _TEXT, _TIME = range(len(KEYS))
_BITS = 4
"""The number of bits that each key takes in the number of a shape."""
_LONGEST = 1 << 20
"""The most bytes of a line that a loop reads."""
_DIGITS = 18
"""The most characters of a number that a loop reads."""


def _word(text: bytes) -> int:
    """Up to seven letters, packed into one number."""
    return int.from_bytes(text, "little")


_KEYS = np.array([_word(key.encode()) for key in KEYS])
_EVENTS = np.array([_word(event.encode()) for event in EVENTS])
"""In the order of the kinds."""


class Table(NamedTuple):
    """Numbered strings in arrays, for compiled loops: string k is ``letters[starts[k]:starts[k + 1]]``."""

    letters: Bytes
    starts: Longs
    slots: Ints
    """A hash table.  A string's number is in the first free slot, counted from the slot of its hash.

    The length is a power of two.
    """


@compiled
def _slot(data: Bytes, begin: int, end: int, table: Table) -> np.int64:
    """The slot of a string; for a new string, a free slot."""
    mask = len(table.slots) - 1
    mixed = np.uint64(14695981039346656037)
    for k in range(begin, end):
        mixed = (mixed ^ np.uint64(data[k])) * np.uint64(1099511628211)
    at = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while table.slots[at] >= 0:
        start = table.starts[table.slots[at]]
        if table.starts[table.slots[at] + 1] - start == end - begin:
            same = 0
            while same < end - begin and table.letters[start + same] == data[begin + same]:
                same += 1
            if same == end - begin:
                return at
        at = (at + 1) & mask
    return at


@compiled
def _fill(table: Table, count: int) -> None:
    """Find new slots for the first `count` strings."""
    for k in range(count):
        at = _slot(table.letters, table.starts[k], table.starts[k + 1], table)
        table.slots[at] = k


class Strings:
    """Strings, numbered from 0 in the order in which they are added.

    >>> strings = Strings()
    >>> [strings[each] for each in ("a", "b", "a")], len(strings), dict(strings.items())
    ([0, 1, 0], 2, {'a': 0, 'b': 1})
    """

    def __init__(self) -> None:
        self.count = 0
        self.table = Table(
            np.empty(1 << 10, np.uint8), np.zeros(1 << 6, np.int64), np.full(1 << 6, -1, np.int32)
        )

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, text: str) -> int:
        """The number of a string; a new string is added."""
        data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
        self.reserve(1, len(data))
        letters, starts, slots = self.table
        at = _slot(data, 0, len(data), self.table)
        if slots[at] < 0:
            slots[at], begin = self.count, starts[self.count]
            letters[begin : begin + len(data)] = data
            self.count += 1
            starts[self.count] = begin + len(data)
        return int(slots[at])

    def items(self) -> Iterator[tuple[str, int]]:
        """The strings with their numbers."""
        letters, starts, _ = self.table
        for number in range(self.count):
            text = letters[starts[number] : starts[number + 1]].tobytes()
            yield text.decode("utf-8", "surrogatepass"), number

    def reserve(self, count: int, letters: int) -> None:
        """Make room for this many more strings, with this many letters in all."""
        table = self.table
        table = table._replace(
            letters=longer(table.letters, int(table.starts[self.count]) + letters),
            starts=longer(table.starts, self.count + count + 1),
        )
        size = len(table.slots)
        while size < 2 * (self.count + count):
            size *= 2
        if size > len(table.slots):
            table = table._replace(slots=np.full(size, -1, np.int32))
            _fill(table, self.count)
        self.table = table


Array = TypeVar("Array", Bytes, Ints, Longs)


def longer(array: Array, needed: int) -> Array:
    """The array, with room for `needed` elements.  An array that is too short grows by at least half."""
    if needed <= len(array):
        return array
    longer = np.empty(max(needed, len(array) * 3 // 2), array.dtype)
    longer[: len(array)] = array
    return longer


@compiled
def _nonblank(data: Bytes, at: int, end: int) -> int:
    """The first place, from `at` on, that is not blank."""
    while at < end and (data[at] == 32 or data[at] == 9 or data[at] == 13):
        at += 1
    return at


@compiled
def _quoted(data: Bytes, at: int, end: int) -> int:
    """The end of a string without escapes; -1 if there is none."""
    while at < end and data[at] != 34:
        if data[at] < 32 or data[at] == 92:
            return -1
        at += 1
    return at if at < end else -1


@compiled
def _number(data: Bytes, at: int, end: int) -> int:
    """The end of a short number without an exponent; -1 if there is none."""
    begin = at
    if at < end and data[at] == 45:
        at += 1
    for part in range(2):
        first = at
        while at < end and 48 <= data[at] <= 57:
            at += 1
        if at == first or (part == 0 and data[first] == 48 and at > first + 1):
            return -1
        if part == 1 or at == end or data[at] != 46:
            break
        at += 1
    return at if at - begin <= _DIGITS else -1


@compiled
def _word_at(data: Bytes, begin: int, end: int) -> np.int64:
    """The string, packed as `_word` does; -1 if it is longer than seven letters."""
    word = np.int64(0)
    if end - begin > 7:
        return word - 1
    for k in range(begin, end):
        word |= np.int64(data[k]) << 8 * (k - begin)
    return word


@compiled
def _keys_of(data: Bytes, begin: int, end: int, spans: Longs) -> int:
    """The keys of a line in order, as one number.  The places of their values go into `spans`.

    The number is 0 for a blank line, and -1 for a line that the plain reader must read.  A line that has a
    key twice gets a number that no shape has.
    """
    spans[:] = -1
    at = _nonblank(data, begin, end)
    if at == end:
        return 0
    keys = 0
    while at < end and data[at] == (44 if keys else 123):
        at = _nonblank(data, at + 1, end)
        close = _quoted(data, at + 1, end) if at < end and data[at] == 34 else -1
        word = _word_at(data, at + 1, close) if close >= 0 else -1
        key = 0
        while key < len(_KEYS) and word != _KEYS[key]:
            key += 1
        if key == len(_KEYS):
            return -1
        keys = keys << _BITS | (key + 1)
        at = _nonblank(data, close + 1, end)
        if at == end or data[at] != 58:
            return -1
        at = _nonblank(data, at + 1, end)
        spans[key, 0] = at + 1
        if at < end and data[at] == 34:
            at = spans[key, 1] = _quoted(data, at + 1, end)
            at = at + 1 if at >= 0 else -1
        else:
            at = _number(data, at, end) if key >= _TEXT else -1
        if at < 0:
            return -1
        at = _nonblank(data, at, end)
    return keys if keys and at < end and data[at] == 125 and _nonblank(data, at + 1, end) == end else -1


class Known(NamedTuple):
    """The strings and the shapes of earlier lines."""

    hosts: Table
    tags: Table
    phases: Table
    shapes: Longs


@compiled
def _known(data: Bytes, span: Longs, table: Table) -> int:
    """The number of a value; NONE if the string is new or missing."""
    return table.slots[_slot(data, span[0], span[1], table)] if span[0] >= 0 else NONE


@compiled
def _row(data: Bytes, begin: int, end: int, known: Known, spans: Longs, row: Ints) -> int:
    """Fill `row` with the numbers of an event, in the order of `COLUMNS`.

    Returns 0 for a blank line, and -1 for a line that the plain reader must read.
    """
    keys = _keys_of(data, begin, end, spans)
    if keys <= 0:
        return keys
    word = _word_at(data, spans[_EVENT, 0], spans[_EVENT, 1]) if spans[_EVENT, 0] >= 0 else -1
    kind = 0
    while kind < len(_EVENTS) and _EVENTS[kind] != word:
        kind += 1
    shape, nth = keys << 2 | kind, 0
    while nth < len(known.shapes) and known.shapes[nth] != shape:
        nth += 1
    if kind == len(_EVENTS) or nth == len(known.shapes):
        return -1
    row[0] = kind
    row[1] = _known(data, spans[_HOST], known.hosts)
    row[2] = _known(data, spans[_TAG], known.tags)
    begin = spans[_FROM, 0]
    is_any = begin >= 0 and spans[_FROM, 1] == begin + 1 and data[begin] == 42
    row[3] = SOME_HOST if is_any else _known(data, spans[_FROM], known.hosts)
    row[4] = _known(data, spans[_PHASE], known.phases)
    row[5] = _known(data, spans[_TO], known.hosts)
    for nth, key in enumerate((_HOST, _TAG, _FROM, _PHASE, _TO), 1):
        if row[nth] == NONE and spans[key, 0] >= 0:
            return -1
    return 1


COLUMNS = 6
"""The number of an event's columns: kind, host, tag, source, phase and receiver."""


@compiled
def read_lines(
    data: Bytes,
    at: int,
    known: Known,
    ids: Table,
    count: int,
    ends: tuple[Ints, Ints, Ints],
    events: int,
    block: Ints,
) -> tuple[int, int, int, int]:
    """Read lines up to the first line that the plain reader must read.

    Before this call, `count` messages and `events` events were read.  `ends` has the columns of all messages.
    `block` gets the columns of the new events.  Returns the place where reading stopped, the number of new
    events, the number of new lines, and the number of all messages.
    """
    sent, received, to = ends
    spans, row = np.empty((len(_KEYS), 2), np.int64), np.empty(COLUMNS, np.int32)
    rows, lines = 0, 0
    while at < len(data):
        end = at
        while end < len(data) and data[end] != 10:
            end += 1
        found = _row(data, at, end, known, spans, row) if end - at <= _LONGEST else -1
        if found < 0:
            break
        if found > 0:
            message = NONE
            if row[0] != LOCALS:
                begin, length = spans[_MESSAGE, 0], spans[_MESSAGE, 1] - spans[_MESSAGE, 0]
                if begin < 0:
                    break
                slot = _slot(data, begin, begin + length, ids)
                message = ids.slots[slot]
                if message < 0:
                    message = ids.slots[slot] = count
                    first = ids.starts[count]
                    ids.letters[first : first + length] = data[begin : begin + length]
                    ids.starts[count + 1] = first + length
                    count += 1
                elif (sent if row[0] == SENDS else received)[message] != NONE:
                    break
                if row[0] == SENDS:
                    sent[message], to[message] = events + rows, row[5]
                else:
                    received[message] = events + rows
            block[:COLUMNS, rows] = row
            block[COLUMNS, rows], block[COLUMNS + 1, rows] = message, lines
            rows += 1
        lines += 1
        at = end + 1
    return min(at, len(data)), rows, lines, count


def shape_of(event: str, *keys: str) -> int:
    """The shape of a line, given the kind of event and the keys in order."""
    number = 0
    for key in keys:
        number = number << _BITS | KEYS.index(key) + 1
    return number << 2 | EVENTS.index(event)
