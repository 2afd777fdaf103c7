"""Certified tables: each row by itself, and whether the rows are all there are."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sealcheck.kernel.programs import (
    MOST_PROCESSES,
    Event,
    Shares,
    balanced_events,
    count,
    events_of,
    orbit_size,
    shares_of,
)
from sealcheck.kernel.reading import canonical, fields, items, numbers, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem, State, check_chains
from sealcheck.kernel.signatures import signature

VERSION = 1


class Checked(NamedTuple):
    """A row that holds: what its order and its share of the space depend on."""

    n: int
    messages: int
    programs: tuple[Shares, ...]
    orbit: int


def check_row(kind: str, line: bytes) -> Checked:
    """Check one row by itself.  Raises Rejected."""
    if kind not in KINDS:
        raise Rejected(f"there is no table of the kind {kind[:20]!r}")
    return KINDS[kind](value_of(line))


_PROGRAM: dict[str, type] = {"program": str, "n": int, "messages": int, "orbit_size": int}
_SEALABILITY = _PROGRAM | {
    "open_channels": list,
    "closed_channels": list,
    "sealable": bool,
    "minimum_messages": object,
    "seal": object,
    "certificate": dict,
}


def _program(row: dict[str, Any], *keys: str) -> tuple[list[list[Event]], Checked]:
    """The balanced programs of a row, whose size and orbit are as the row says."""
    n = row["n"]
    if not 1 <= n <= MOST_PROCESSES:
        raise Rejected(f"the number of processes must be in 1..{MOST_PROCESSES}")
    programs = [balanced_events(row[key], n) for key in keys]
    if 2 * row["messages"] != sum(map(len, programs)):
        raise Rejected("the number of messages is wrong")
    shares = tuple(shares_of(events, n) for events in programs)
    orbit = orbit_size(shares, n)
    if row["orbit_size"] != orbit:
        raise Rejected(f"the size of the orbit is wrong: it is {orbit}")
    return programs, Checked(n, row["messages"], shares, orbit)


def _check_sealability(value: object) -> Checked:
    row = fields(value, _SEALABILITY)
    (p,), checked = _program(row, "program")
    problem = Problem.of(p, checked.n)
    pairs = [(i, j) for i in range(1, checked.n + 1) for j in range(1, checked.n + 1) if i != j]
    closed = [pair for pair in pairs if pair not in problem.channels]
    if canonical([row["open_channels"], row["closed_channels"]]) != canonical([problem.channels, closed]):
        raise Rejected("the open or closed channels are wrong")
    if row["sealable"]:
        _check_seal(row, p, problem)
        return checked
    if row["seal"] is not None or row["minimum_messages"] is not None:
        raise Rejected("a program that is not sealable has no seal")
    certificate = fields(row["certificate"], {"kind": str, "knowledge": list})
    if certificate["kind"] != "closed-knowledge":
        raise Rejected("the certificate is not of the kind closed-knowledge")
    problem.check_unsealable(_state(certificate["knowledge"], problem))
    return checked


def _check_seal(row: dict[str, Any], p: list[Event], problem: Problem) -> None:
    certificate = fields(row["certificate"], {"kind": str, "chains": list, "states": list})
    if certificate["kind"] != "seal" or type(row["seal"]) is not str:
        raise Rejected("the certificate is not of the kind seal")
    q = balanced_events(row["seal"], problem.n)
    if type(row["minimum_messages"]) is not int or 2 * row["minimum_messages"] != len(q):
        raise Rejected("the seal does not have as many messages as the minimum")
    check_chains(p, q, problem.n, certificate["chains"])
    states = []
    for entry in certificate["states"]:
        sent, *masks = numbers(entry, problem.n + 1)
        states.append((sent, _state(masks, problem)))
    problem.check_minimum(len(q) // 2, states)


def _state(value: object, problem: Problem) -> State:
    state = numbers(value, problem.n)
    if any(not 0 <= mask < 1 << len(problem.channels) for mask in state):
        raise Rejected("a state of knowledge is about channels that are not open")
    return state


def _check_counterexample(value: object) -> Checked:
    """A program that is sealable though C_P, taken as an undirected graph, falls into these parts."""
    row = dict(fields(value, _SEALABILITY | {"parts": list}))
    parts = [set(numbers(part)) for part in row.pop("parts")]
    checked = _check_sealability(row)
    if not row["sealable"]:
        raise Rejected("the program is not sealable, so it is no counterexample")
    if len(parts) < 2 or sorted(k for part in parts for k in part) != list(range(1, checked.n + 1)):
        raise Rejected("the parts are no partition of the processes into two or more")
    if any((i in part) != (j in part) for i, j in row["closed_channels"] for part in parts):
        raise Rejected("a closed channel joins two of the parts")
    return checked


def _check_worst_case(value: object) -> Checked:
    row = fields(value, _SEALABILITY)
    if not row["sealable"]:
        raise Rejected("the program is not sealable")
    return _check_sealability(row)


def _check_signature(value: object) -> Checked:
    row = fields(value, _PROGRAM | {"signature": dict})
    (p,), checked = _program(row, "program")
    if canonical(row["signature"]) != canonical(signature(p, checked.n)):
        raise Rejected("the signature is wrong")
    return checked


def _check_pair(value: object) -> Checked:
    sizes = {"n": int, "messages": int, "orbit_size": int}
    row = fields(value, sizes | {"p": str, "q": str, "seals": bool, "certificate": dict})
    (p, q), checked = _program(row, "p", "q")
    if row["seals"]:
        certificate = fields(row["certificate"], {"kind": str, "chains": list})
        check_chains(p, q, checked.n, certificate["chains"])
    else:
        types = {"kind": str, "later": str, "order": list, "matching": list, "receive": list}
        certificate = fields(row["certificate"], types)
        later = events_of(certificate["later"], checked.n)
        check_run(p, [*q, *later], checked.n, *(certificate[key] for key in ("order", "matching", "receive")))
    if certificate["kind"] != ("chains" if row["seals"] else "run"):
        raise Rejected("the certificate is not of the kind that the verdict needs")
    return checked


KINDS: dict[str, Callable[[object], Checked]] = {
    "sealability": _check_sealability,
    "sealing-pairs": _check_pair,
    "signatures": _check_signature,
    "counterexamples": _check_counterexample,
    "worst-cases": _check_worst_case,
}
EXHAUSTIVE = {"sealability": 1, "sealing-pairs": 2, "signatures": 1}
"""Kinds whose rows are all there are, and of how many programs a row speaks."""


class Header(NamedTuple):
    """What the first line of a table says about the rows."""

    kind: str
    levels: dict[tuple[int, int], tuple[int, int]]
    """For (n, messages) the number of rows, and of programs (or pairs of programs) that they stand for."""
    rows: int
    sha256: str


def header_of(line: bytes) -> Header:
    """Read the first line.  Raises Rejected where it is none.

    >>> header_of(b"{}")
    Traceback (most recent call last):
    sealcheck.kernel.rejected.Rejected: there must be an object with exactly the keys kind, levels, ...
    """
    types = {"sealcheck": str, "version": int, "kind": str, "levels": list, "rows": int, "sha256": str}
    value = fields(value_of(line), types)
    if value["sealcheck"] != "table" or value["version"] != VERSION or value["kind"] not in KINDS:
        raise Rejected(f"this is no table that version {VERSION} knows")
    levels: dict[tuple[int, int], tuple[int, int]] = {}
    for item in items(value["levels"]):
        level = fields(item, {"n": int, "messages": int, "rows": int, "programs": int})
        key = level["n"], level["messages"]
        if levels and key <= max(levels):
            raise Rejected("the levels are not in order")
        levels[key] = level["rows"], level["programs"]
    if not levels:
        raise Rejected("the table is about no level")
    return Header(value["kind"], levels, value["rows"], value["sha256"])


class Totals:
    """Goes through the checked rows in order; then says whether they are all that the header promises."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self._digest = hashlib.sha256()
        self._rows: Counter[tuple[int, int]] = Counter()
        self._programs: Counter[tuple[int, int]] = Counter()
        self._last: Checked | None = None

    def read(self, line: bytes) -> None:
        """Take note of a line, whether it holds or not."""
        self._digest.update(line + b"\n")

    def add(self, row: Checked) -> None:
        """Take note of a row that holds.  Raises Rejected where it is out of place."""
        level = row.n, row.messages
        if level not in self.header.levels:
            raise Rejected("the row is outside the bounds of the table")
        if self._last is not None and row[:3] <= self._last[:3]:
            raise Rejected("the row is not after the one before it")
        self._last = row
        self._rows[level] += 1
        self._programs[level] += row.orbit

    def complaints(self) -> Iterator[str]:
        """What is wrong with the rows as a whole."""
        if self._digest.hexdigest() != self.header.sha256:
            yield "the digest over the rows is not that of the header"
        if sum(self._rows.values()) != self.header.rows:
            yield f"{sum(self._rows.values())} rows hold, but the header has {self.header.rows}"
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
            yield f"{where}: rows for {self._programs[n, messages]} of {there_are} programs"


def _all(n: int, messages: int, programs: int) -> int:
    """How many sequences of so many programs there are, with so many messages in all."""
    if programs == 1:
        return count(n, messages)
    return sum(count(n, first) * _all(n, messages - first, programs - 1) for first in range(messages + 1))


def check_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """Check a whole table: pairs of a row, from 1, and why it is rejected; row 0 is the table as a whole.

    Raises Rejected where the first line is no header.  Holds one row at a time.
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
