"""Long recorded traces: compiled loops read the lines, and checks use arrays in place of objects for events.

The *plain reader*, `sealcheck.language.traces`, has the same results, but is slower.  It also reads all lines
that the loops (`sealcheck.language.packed_lines`) do not read.  If a check of the whole trace fails, the
plain reader repeats the check and raises the error.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import NamedTuple

import numpy as np

from sealcheck.language.packed_lines import (
    COLUMNS,
    KEYS,
    Bytes,
    Ints,
    Known,
    Longs,
    Strings,
    longer,
    read_lines,
    shape_of,
)
from sealcheck.language.traces import LOCALS, NONE, RECEIVES, SENDS, SOME_HOST, Recorded, Trace
from sealcheck.programs.ports import ANY, PortEvent
from sealcheck.programs.straight_line import Kind
from sealcheck.support.compiling import compiled

_AT_ONCE = 1 << 20
"""The most events that become objects at once."""


@compiled
def _go_on(of_host: Ints, phase: Ints, reached: Ints) -> bool:
    """Whether no host returns to an earlier phase."""
    for k in range(len(of_host)):
        if phase[k] < reached[of_host[k]]:
            return False
        reached[of_host[k]] = phase[k]
    return True


class _Column:
    """A column of the plain reader, in an array that a loop may fill."""

    def __init__(self) -> None:
        self._room, self.length = np.empty(1 << 10, np.int32), 0

    def widened(self, more: int) -> Ints:
        """The array, followed by `more` times the number NONE."""
        self._room = longer(self._room, self.length + more)
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
    """The trace in blocks of whole lines.  Raises InputError as `read_trace` and `decoded` do.

    `decoded` turns a line and its offset into text.  Linear time.  An event takes some fifty bytes while the
    trace is read.

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
        """The number of the next line, and its offset."""
        self._plainly = 1
        """The number of lines that the plain reader gets at once, which grows if loops often stop."""

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
        """Read lines as far as a loop does, and return the place where it stops."""
        most = int(np.count_nonzero(data[at:] == ord("\n"))) + 1
        block = np.empty((COLUMNS + 2, most), np.int32)
        count = len(self._ids)
        self._ids.reserve(most, len(data) - at)
        sent, received, to = (column.widened(most) for column in self._of_messages)
        at, rows, lines, self._ids.count = read_lines(
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
        shapes = [shape_of(*shape) for shape in self._shapes if set(shape[1:]) <= set(KEYS)]
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
        """The indices of the events from `begin` on, their hosts, and the hosts at the other ends.

        Local events are left out if `local` is false.
        """
        of = self._columns()
        index = np.arange(begin, min(begin + _AT_ONCE, len(of.kinds)))
        index = index if local else index[of.kinds[index] != LOCALS]
        here, message = of.of_host[index], of.message[index]
        if not len(of.sent):
            return index, here, here
        other = np.where(of.kinds[index] == SENDS, of.to[message], of.of_host[of.sent[message]])
        return index, here, np.where(message == NONE, here, other)

    def _numbers(self) -> Longs:
        """The process of each host, by first mention at either end of a message."""
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
    """The columns of a trace, as in `Recorded`, but as arrays."""

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
    """Events by their numbers; each event is made once."""

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


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True
