"""Check certified tables: each row by itself, and whether rows are missing.

A row is about one program or two. The programs are *canonical*: no renaming of processes gives smaller ones.
Each row stands for its *orbit*: all different results of renaming its processes.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sealcheck.kernel.programs import (
    MOST_MESSAGES,
    MOST_PROCESSES,
    Event,
    Shares,
    balanced_events,
    count,
    events_of,
    orbit_size,
    shares_of,
)
from sealcheck.kernel.reading import Rejected, canonical, fields, header, items, numbers, value_of
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem, State, check_chains, signature

VERSION = 2


Row = dict[str, Any]


class Accepted(NamedTuple):
    """An accepted row: the fields by which rows are ordered, and the size of its orbit."""

    n: int
    messages: int
    programs: tuple[Shares, ...]
    orbit: int


def check_row(kind: str, line: bytes) -> Accepted:
    """Check one row by itself. Raises Rejected."""
    if kind not in KINDS:
        raise Rejected(f"there is no table of the kind {kind[:20]!r}")
    types, texts, check = KINDS[kind]
    row = fields(value_of(line), types | {"n": int, "messages": int, "orbit_size": int})
    n, messages = row["n"], row["messages"]
    if not (1 <= n <= MOST_PROCESSES and messages <= MOST_MESSAGES):
        raise Rejected(f"there may be at most {MOST_PROCESSES} processes and {MOST_MESSAGES} messages")
    programs = [balanced_events(row[key], n) for key in texts]
    if 2 * messages != sum(map(len, programs)):
        raise Rejected("the number of messages is wrong")
    shares = tuple(shares_of(events, n) for events in programs)
    orbit = orbit_size(shares, n)
    if row["orbit_size"] != orbit:
        raise Rejected(f"the size of the orbit is wrong: it is {orbit}")
    check(row, n, *programs)
    return Accepted(n, messages, shares, orbit)


def _check_sealability(row: Row, n: int, p: list[Event]) -> None:
    problem = Problem.of(p, n)
    pairs = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j]
    closed = [pair for pair in pairs if pair not in problem.channels]
    if canonical([row["open_channels"], row["closed_channels"]]) != canonical([problem.channels, closed]):
        raise Rejected("the open or closed channels are wrong")
    if row["sealable"]:
        _check_seal(row, p, problem)
    elif row["seal"] is not None or row["minimum_messages"] is not None:
        raise Rejected("a program that is not sealable has no seal")
    else:
        certificate = _certificate(row, "closed-knowledge", {"knowledge": list})
        problem.check_unsealable(_state(certificate["knowledge"], problem))


def _check_seal(row: Row, p: list[Event], problem: Problem) -> None:
    certificate = _certificate(row, "seal", {"chains": list, "states": list})
    seal, minimum = row["seal"], row["minimum_messages"]
    q = balanced_events(seal if type(seal) is str else "", problem.n)
    if type(minimum) is not int or 2 * minimum != len(q):
        raise Rejected("the seal does not have as many messages as the minimum")
    check_chains(p, q, problem.n, certificate["chains"])
    entries = [numbers(entry, problem.n + 1) for entry in certificate["states"]]
    problem.check_minimum(minimum, [(sent, _state(masks, problem)) for sent, *masks in entries])


def _certificate(row: Row, kind: str, types: dict[str, type]) -> Row:
    certificate = fields(row["certificate"], types | {"kind": str})
    if certificate["kind"] != kind:
        raise Rejected(f"the certificate is not of the kind {kind}")
    return certificate


def _state(value: list[int], problem: Problem) -> State:
    state = numbers(value, problem.n)
    if any(not 0 <= mask < 1 << len(problem.channels) for mask in state):
        raise Rejected("a state of knowledge is about channels that are not open")
    return state


def _check_sealable(row: Row, n: int, p: list[Event]) -> None:
    _check_sealability(row, n, p)
    if not row["sealable"]:
        raise Rejected("the program is not sealable")


def _check_counterexample(row: Row, n: int, p: list[Event]) -> None:
    """Check that a program is sealable although its closed channels do not connect all processes."""
    _check_sealable(row, n, p)
    parts = [numbers(part) for part in row["parts"]]
    everyone = sorted(k for part in parts for k in part)
    if len(parts) < 2 or not all(parts) or everyone != list(range(1, n + 1)):
        raise Rejected("the parts are not a partition of the processes into two or more")
    if any((i in part) != (j in part) for i, j in row["closed_channels"] for part in parts):
        raise Rejected("a closed channel joins two of the parts")


def _check_signature(row: Row, n: int, p: list[Event]) -> None:
    if canonical(row["signature"]) != canonical(signature(p, n)):
        raise Rejected("the signature is wrong")


def _check_pair(row: Row, n: int, p: list[Event], q: list[Event]) -> None:
    if row["seals"]:
        check_chains(p, q, n, _certificate(row, "chains", {"chains": list})["chains"])
        return
    run = _certificate(row, "run", {"later": str, "order": list, "matching": list, "receive": list})
    rest = [*q, *events_of(run["later"], n)]
    check_run(p, rest, n, order=run["order"], matching=run["matching"], receive=run["receive"])


_SEALABILITY = {
    "program": str,
    "open_channels": list,
    "closed_channels": list,
    "sealable": bool,
    "minimum_messages": object,
    "seal": object,
    "certificate": dict,
}
KINDS: dict[str, tuple[dict[str, type], tuple[str, ...], Callable[..., None]]] = {
    "sealability": (_SEALABILITY, ("program",), _check_sealability),
    "worst-cases": (_SEALABILITY, ("program",), _check_sealable),
    "counterexamples": (_SEALABILITY | {"parts": list}, ("program",), _check_counterexample),
    "signatures": ({"program": str, "signature": dict}, ("program",), _check_signature),
    "sealing-pairs": ({"p": str, "q": str, "seals": bool, "certificate": dict}, ("p", "q"), _check_pair),
}
"""For each kind of table: the types of a row's fields, the fields that hold programs, and the function that
checks the row's other fields."""

EXHAUSTIVE = {"sealability": 1, "sealing-pairs": 2, "signatures": 1}
"""The kinds of tables whose rows must be complete, and the number of programs in a row."""


class Header(NamedTuple):
    """The first line of a table."""

    kind: str
    n: tuple[int, int]
    messages: tuple[int, int]
    """The scope: the smallest and the largest number of processes (`n`) and of messages (`messages`)."""
    levels: dict[tuple[int, int], tuple[int, int]]
    """For each (n, messages) of the scope: the number of rows, and the sum of the sizes of their orbits."""
    rows: int
    sha256: str


def header_of(line: bytes) -> Header:
    """Read the first line. Raises Rejected if it is not a header.

    >>> header_of(b"{}")
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: this is not a table
    """
    types = {"kind": str, "n": list, "messages": list, "levels": list, "rows": int, "sha256": str}
    value = header(line, "table", VERSION, types)
    if value["kind"] not in KINDS:
        raise Rejected(f"there is no table of the kind {value['kind'][:20]!r}")
    n, messages = (numbers(value[key], 2) for key in ("n", "messages"))
    if not (1 <= n[0] <= n[1] <= MOST_PROCESSES and 0 <= messages[0] <= messages[1] <= MOST_MESSAGES):
        raise Rejected(f"the scope is not within {MOST_PROCESSES} processes and {MOST_MESSAGES} messages")
    types = {"n": int, "messages": int, "rows": int, "programs": int}
    levels = [fields(item, types) for item in items(value["levels"])]
    scope = [(k, m) for k in range(n[0], n[1] + 1) for m in range(messages[0], messages[1] + 1)]
    if [(level["n"], level["messages"]) for level in levels] != scope:
        raise Rejected("the levels are not those of the scope, each once and in order")
    counts = {(level["n"], level["messages"]): (level["rows"], level["programs"]) for level in levels}
    bounds = {"n": (n[0], n[1]), "messages": (messages[0], messages[1])}
    return Header(kind=value["kind"], levels=counts, rows=value["rows"], sha256=value["sha256"], **bounds)


class Totals:
    """Sums over the rows of a table, taken while the rows are checked in order.

    At the end, the sums must be those of the header. In an exhaustive table, the sizes of the orbits must
    also add up to the number of all programs.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self._digest = hashlib.sha256()
        self._rows: Counter[tuple[int, int]] = Counter()
        self._programs: Counter[tuple[int, int]] = Counter()
        self._last: Accepted | None = None

    def read(self, line: bytes) -> None:
        """Add a line to the digest, whether the row is accepted or not."""
        self._digest.update(line + b"\n")

    def add(self, row: Accepted) -> None:
        """Add an accepted row. Raises Rejected if it is outside the scope or out of order."""
        level = row.n, row.messages
        if level not in self.header.levels:
            raise Rejected("the row is outside the bounds of the table")
        if self._last is not None and row[:3] <= self._last[:3]:
            raise Rejected("the row is not after the one before it")
        self._last = row
        self._rows[level] += 1
        self._programs[level] += row.orbit

    def complaints(self) -> Iterator[str]:
        """Faults of the table as a whole, after the last row."""
        if self._digest.hexdigest() != self.header.sha256:
            yield "the digest over the rows is not that of the header"
        if (rows := sum(self._rows.values())) != self.header.rows:
            hold = "1 row holds" if rows == 1 else f"{rows} rows hold"
            yield f"{hold}, but the header has {self.header.rows}"
        for (n, messages), promised in self.header.levels.items():
            found = self._rows[n, messages], self._programs[n, messages]
            where = f"n = {n}, messages = {messages}"
            if found != promised:
                yield f"{where}: rows and programs are {found}, but the header has {promised}"
            elif self.header.kind in EXHAUSTIVE:
                yield from self._missing(where, n, messages)

    def _missing(self, where: str, n: int, messages: int) -> Iterator[str]:
        try:
            there_are = _all(n, messages, EXHAUSTIVE[self.header.kind])
        except Rejected as error:
            yield f"{where}: {error}"
            return
        if self._programs[n, messages] != there_are:
            yield f"{where}: programs that have rows: {self._programs[n, messages]} of {there_are}"


def _all(n: int, messages: int, programs: int) -> int:
    if programs == 1:
        return count(n, messages)
    return sum(count(n, first) * _all(n, messages - first, programs - 1) for first in range(messages + 1))


def check_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """Check a whole table. Yields, for each rejected row, its number and the reason.

    Rows are counted from 1; number 0 stands for the table as a whole. Raises Rejected if the first line is
    not a header. Holds one row at a time.
    """
    remaining = iter(lines)
    totals = Totals(header_of(next(remaining, b"")))
    number = 0
    try:
        for number, line in enumerate(remaining, 1):
            totals.read(line)
            try:
                totals.add(check_row(totals.header.kind, line))
            except Rejected as error:
                yield number, str(error)
    except Rejected as error:  # the lines end here
        yield number + 1, str(error)
    for complaint in totals.complaints():
        yield 0, complaint
