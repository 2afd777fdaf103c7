"""Long recorded traces: their lines are read in compiled loops, and checked as arrays.

The result is that of `sealcheck.language.traces`, which says what a trace is.  A loop reads only lines like
earlier ones: the kind of event and its keys, in their order, are known, and so are hosts, tags and phases;
only the id of a message may be new.  Any other line, and any in which something may be wrong, is left to the
plain reader.  So are the checks of the whole trace, if one does not hold: only the plain reader raises.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sealcheck.language.clocks import EVENTS
from sealcheck.language.traces import LOCALS, NONE, RECEIVES, SENDS, SOME_HOST, Recorded, Trace
from sealcheck.programs.ports import ANY, PortEvent
from sealcheck.programs.straight_line import Kind
from sealcheck.support.compiling import compiled

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

KEYS = ("host", "event", "message", "to", "tag", "from", "phase", "text", "time")
"""The keys that a loop reads; a line with a clock is left to the plain reader."""
_HOST, _EVENT, _MESSAGE, _TO, _TAG, _FROM, _PHASE, _TEXT, _TIME = range(len(KEYS))
_BITS = 4
"""Of a key in the code of a shape."""
_AT_ONCE = 1 << 20
"""Events that become objects at once."""
_LONGEST = 1 << 20
"""Bytes of a line that a loop reads."""
_DIGITS = 18
"""Letters of a number that a loop reads."""


def _word(text: bytes) -> int:
    """Up to seven letters as one number."""
    return int.from_bytes(text, "little")


_KEYS = np.array([_word(key.encode()) for key in KEYS])
_EVENTS = np.array([_word(event.encode()) for event in EVENTS])
"""In the order of the kinds."""


class Table(NamedTuple):
    """Numbered strings, for loops: string k is ``letters[starts[k]:starts[k + 1]]``."""

    letters: Bytes
    starts: Longs
    slots: Ints
    """The numbers, each at the first free place from its hash on; the length is a power of two."""


@compiled
def _slot(data: Bytes, begin: int, end: int, table: Table) -> np.int64:
    """The slot of a string, or the free one that it would have."""
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
    """Find the slots of so many strings anew."""
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
        """The number of a string, which is added if it is new."""
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
        """Make room for so many more strings with so many letters."""
        table = self.table
        table = table._replace(
            letters=_longer(table.letters, int(table.starts[self.count]) + letters),
            starts=_longer(table.starts, self.count + count + 1),
        )
        size = len(table.slots)
        while size < 2 * (self.count + count):
            size *= 2
        if size > len(table.slots):
            table = table._replace(slots=np.full(size, -1, np.int32))
            _fill(table, self.count)
        self.table = table


Array = TypeVar("Array", Bytes, Ints, Longs)


def _longer(array: Array, needed: int) -> Array:
    """The array with room for so many; half as many again, if there are too few."""
    if needed <= len(array):
        return array
    longer = np.empty(max(needed, len(array) * 3 // 2), array.dtype)
    longer[: len(array)] = array
    return longer


@compiled
def _nonblank(data: Bytes, at: int, end: int) -> int:
    """The first place from there on without a blank."""
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
    """The string as `_word` has it; -1 if it is longer than that."""
    word = np.int64(0)
    if end - begin > 7:
        return word - 1
    for k in range(begin, end):
        word |= np.int64(data[k]) << 8 * (k - begin)
    return word


@compiled
def _keys_of(data: Bytes, begin: int, end: int, spans: Longs) -> int:
    """The keys of a line in order, as one number, with the places of their strings.

    0 if the line is blank; -1 if it is left to the plain reader.  If a key comes twice, no earlier line has
    the same keys.
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
    """The strings of earlier lines, and the kinds of events with their keys in order."""

    hosts: Table
    tags: Table
    phases: Table
    shapes: Longs


@compiled
def _known(data: Bytes, spans: Longs, key: int, table: Table) -> int:
    """The number of the string of a key; NONE if it is new, or there is no such key."""
    begin = spans[key, 0]
    return table.slots[_slot(data, begin, spans[key, 1], table)] if begin >= 0 else NONE


@compiled
def _row(data: Bytes, begin: int, end: int, known: Known, spans: Longs, row: Ints) -> int:
    """The numbers in an event, in the order of `_COLUMNS`; 0: the line is blank; -1: for the plain reader."""
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
    row[1] = _known(data, spans, _HOST, known.hosts)
    row[2] = _known(data, spans, _TAG, known.tags)
    begin = spans[_FROM, 0]
    is_any = begin >= 0 and spans[_FROM, 1] == begin + 1 and data[begin] == 42
    row[3] = SOME_HOST if is_any else _known(data, spans, _FROM, known.hosts)
    row[4] = _known(data, spans, _PHASE, known.phases)
    row[5] = _known(data, spans, _TO, known.hosts)
    for nth, key in enumerate((_HOST, _TAG, _FROM, _PHASE, _TO), 1):
        if row[nth] == NONE and spans[key, 0] >= 0:
            return -1
    return 1


_COLUMNS = 6
"""The kind, host, tag, source, phase and receiver of an event; in a block, its message and line follow."""


@compiled
def _read(
    data: Bytes,
    at: int,
    known: Known,
    ids: Table,
    count: int,
    ends: tuple[Ints, Ints, Ints],
    events: int,
    block: Ints,
) -> tuple[int, int, int, int]:
    """Read lines from a place on, until one is for the plain reader.

    Returns where that is, and the numbers of events, of lines, and of messages by then.  `count` messages and
    `events` events were read before; `ends` are the columns of messages, `block` gets those of the events.
    """
    sent, received, to = ends
    spans, row = np.empty((len(_KEYS), 2), np.int64), np.empty(_COLUMNS, np.int32)
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
            block[:_COLUMNS, rows] = row
            block[_COLUMNS, rows], block[_COLUMNS + 1, rows] = message, lines
            rows += 1
        lines += 1
        at = end + 1
    return min(at, len(data)), rows, lines, count


@compiled
def _go_on(of_host: Ints, phase: Ints, reached: Ints) -> bool:
    """Whether no host goes back to an earlier phase."""
    for k in range(len(of_host)):
        if phase[k] < reached[of_host[k]]:
            return False
        reached[of_host[k]] = phase[k]
    return True


class _Column:
    """Numbers as the plain reader has them, in an array that a loop may fill."""

    def __init__(self) -> None:
        self._room, self.length = np.empty(1 << 10, np.int32), 0

    def widened(self, more: int) -> Ints:
        """The array with room for so many more, which are NONE."""
        self._room = _longer(self._room, self.length + more)
        self._room[self.length : self.length + more] = NONE
        return self._room

    @property
    def values(self) -> Ints:
        """The numbers, without a copy."""
        return self._room[: self.length]

    def append(self, number: int) -> None:
        """Add a number."""
        self.widened(1)[self.length] = number
        self.length += 1

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, at: int) -> int:
        return int(self.values[at])

    def __setitem__(self, at: int, number: int) -> None:
        self.values[at] = number

    def __iter__(self) -> Iterator[int]:
        return iter(self.values.tolist())


def read_packed(blocks: Iterable[bytes], decoded: Callable[[bytes, int], str]) -> Trace:
    """The trace in blocks of whole lines.  Raises InputError as `read_trace` does, and as `decoded` does.

    `decoded` makes text of a line at an offset.  Linear time; some fifty bytes an event until it is read.

    >>> line = b'{"host": "a", "event": "local"}' + bytes([10])
    >>> read_packed([line * 3, line], lambda line, offset: line.decode()).names
    ('a',)
    """
    recorded = _Packed(decoded)
    for block in blocks:
        recorded.read(block)
    return recorded.trace()


class _Packed(Recorded):
    """A trace while it is read, block by block."""

    def __init__(self, decoded: Callable[[bytes, int], str]) -> None:
        super().__init__()
        self._ids: Strings = Strings()
        self._of_messages = _Column(), _Column(), _Column()
        self._sent, self._received, self._to = self._of_messages
        self._decoded = decoded
        self._known = [(self._hosts, Strings()), (self._tags, Strings()), (self._phases, Strings())]
        self._number, self._offset = 1, 0
        """Of the next line."""
        self._plainly = 1
        """How many lines the plain reader gets at once: more if it is needed often."""

    def read(self, block: bytes) -> None:
        """Add the events of these lines."""
        data, lines, at = np.frombuffer(block, np.uint8), BytesIO(block), 0
        is_text = block.isascii() or _is_utf8(block)
        while at < len(block):
            if is_text and self._wrong is None:
                before, at = self._number, self._read_alike(data, at)
                self._plainly = 1 if self._number - before > self._plainly else min(2 * self._plainly, 1000)
            lines.seek(at)
            for line in islice(lines, self._plainly):
                self.add_line(self._number, self._decoded(line, self._offset + at))
                self._number += 1
                at += len(line)
        self._offset += len(block)

    def _read_alike(self, data: Bytes, at: int) -> int:
        """Read lines from a place on as far as a loop does, and return where that is."""
        most = int(np.count_nonzero(data[at:] == ord("\n"))) + 1
        block = np.empty((_COLUMNS + 2, most), np.int32)
        count = len(self._ids)
        self._ids.reserve(most, len(data) - at)
        sent, received, to = (column.widened(most) for column in self._of_messages)
        at, rows, lines, self._ids.count = _read(
            data, at, self._known_now(), self._ids.table, count, (sent, received, to), len(self._lines), block
        )
        for ends in self._of_messages:
            ends.length = self._ids.count
        kinds, *numbers, _, message, line = block[:, :rows]
        self._kinds += kinds.astype(np.uint8).tobytes()
        line += self._number
        into = self._of_host, self._tag, self._source, self._phase, self._message, self._lines
        for column, values in zip(into, (*numbers, message, line), strict=True):
            column.frombytes(values.tobytes())
        self._number += lines
        return int(at)

    def _known_now(self) -> Known:
        for numbered, strings in self._known:
            for text in [*islice(reversed(numbered), len(numbered) - len(strings))][::-1]:
                strings[text]
        shapes = [_shape(*shape) for shape in self._shapes if set(shape[1:]) <= set(KEYS)]
        hosts, tags, phases = (strings.table for _, strings in self._known)
        return Known(hosts, tags, phases, np.array(shapes, np.int64))

    def _columns(self) -> "_Columns":
        kinds = np.frombuffer(self._kinds, np.uint8)
        of_events = self._of_host, self._message, self._tag, self._source, self._phase
        return _Columns(kinds, *map(_view, of_events), *(column.values for column in self._of_messages))

    def _require_ends(self) -> None:
        of = self._columns()
        taken, unsaid = of.received != NONE, of.to == NONE
        at = of.of_host[of.received] if len(of.of_host) else of.received
        if np.any((of.sent == NONE) | np.where(taken, ~unsaid & (of.to != at), unsaid)):
            super()._require_ends()
        of.to[taken & unsaid] = at[taken & unsaid]

    def _require_marks(self) -> None:
        of = self._columns()
        receives = np.flatnonzero(of.kinds == RECEIVES)
        sent = of.sent[of.message[receives]]
        tag, source = of.tag[receives], of.source[receives]
        other_tag = (tag != NONE) & (tag != of.tag[sent])
        if np.any(other_tag | ((source >= 0) & (source != of.of_host[sent]))):
            super()._require_marks()

    def _require_possible(self) -> None:
        of = self._columns()
        if np.any((of.received != NONE) & (of.received < of.sent)):
            super()._require_possible()

    def _require_layers(self) -> None:
        of = self._columns()
        is_apart = (of.received != NONE) & (of.of_host[of.sent] != of.of_host[of.received])
        is_apart &= of.phase[of.sent] == of.phase[of.received]
        reached = np.full(len(self._hosts), NONE, np.int32)
        if not is_apart.all() or not _go_on(of.of_host, of.phase, reached):
            super()._require_layers()

    def _made(self, over_ports: str) -> Trace:
        numbers = self._numbers()
        layers: dict[str, list[PortEvent]] = {phase: [] for phase in self._phases or ("",)}
        parts, phase = [*layers.values()], _view(self._phase)
        events = _Events(len(numbers), [*self._tags, ""])
        for begin in range(0, len(self._lines), _AT_ONCE):
            index, here, other = self._ends(begin)
            of = self._columns()
            sent = of.sent[of.message[index]]
            key = numbers[here] * (len(numbers) + 1) + numbers[other]
            key = key * len(events.tags) + of.tag[sent] % len(events.tags)
            key = key * 4 + 2 * (of.source[index] == SOME_HOST) + of.kinds[index]
            different, nth = np.unique(key, return_inverse=True)
            made = [events[each] for each in different.tolist()]
            phases = phase[index]
            for number in np.unique(phases).tolist():
                parts[number].extend(map(made.__getitem__, nth[phases == number].tolist()))
        names = dict(zip(numbers.tolist(), self._hosts, strict=True))
        return Trace(tuple(names[number] for number in sorted(names)), layers, over_ports)

    def _ends(self, begin: int, *, local: bool = False) -> tuple[Longs, Ints, Ints]:
        """The next events, perhaps with local ones: their indices, hosts, and the hosts at the other ends."""
        of = self._columns()
        index = np.arange(begin, min(begin + _AT_ONCE, len(of.kinds)))
        index = index if local else index[of.kinds[index] != LOCALS]
        here, message = of.of_host[index], of.message[index]
        if not len(of.sent):
            return index, here, here
        other = np.where(of.kinds[index] == SENDS, of.to[message], of.of_host[of.sent[message]])
        return index, here, np.where(message == NONE, here, other)

    def _numbers(self) -> Longs:
        """The process of each host: they are numbered as they come first, at either end of a message."""
        never = 2 * len(self._lines)
        first = np.full(len(self._hosts), never)
        for begin in range(0, len(self._lines), _AT_ONCE):
            index, here, other = self._ends(begin, local=True)
            np.minimum.at(first, here, 2 * index)
            np.minimum.at(first, other, 2 * index + 1)
            if np.all(first < never):
                break
        numbers = np.empty(len(first), np.int64)
        numbers[np.argsort(first, kind="stable")] = np.arange(1, len(first) + 1)
        return numbers


class _Columns(NamedTuple):
    """The columns of a trace, as `Recorded` has them."""

    kinds: Bytes
    of_host: Ints
    message: Ints
    tag: Ints
    source: Ints
    phase: Ints
    sent: Ints
    received: Ints
    to: Ints


class _Events(dict[int, PortEvent]):
    """Events by their numbers, each once."""

    def __init__(self, n: int, tags: list[str]) -> None:
        super().__init__()
        self._n, self.tags = n, tags

    def __missing__(self, key: int) -> PortEvent:
        rest, marks = divmod(key, 4)
        rest, tag = divmod(rest, len(self.tags))
        here, other = divmod(rest, self._n + 1)
        if marks & 1 == RECEIVES:
            event = PortEvent(Kind.RECEIVE, ANY if marks & 2 else other, here, self.tags[tag])
        else:
            event = PortEvent(Kind.SEND, here, other, self.tags[tag])
        self[key] = event
        return event


def _view(column: "array[int]") -> Ints:
    """A column as an array, without a copy."""
    return np.frombuffer(column, np.int32)


def _shape(event: str, *keys: str) -> int:
    """A kind of event with its keys in order, as a loop has them."""
    number = 0
    for key in keys:
        number = number << _BITS | KEYS.index(key) + 1
    return number << 2 | EVENTS.index(event)


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True
