"""Find programs with given properties in the page's table, from JSON to JSON.

A channel is open if a later message on it can be received in the program.  Programs that differ only by
renaming processes form a class.  The table has one program of each class.  If a search names open or closed
channels, the processes of each program shown are renamed so that these channels are open or closed in the
program.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Any

from sealcheck.cli.inputs import fields_of
from sealcheck.errors import InputError
from sealcheck.operations.result import Code
from sealcheck.programs.straight_line import Channel, Renaming, channels, unpacked
from sealcheck.words import counted

LEVELS = "levels.json"
SHOWN = 12

WANTED: Mapping[str, tuple[type, Any]] = {
    "n": (int, 2),
    "messages": (int, None),
    "sealable": (str, ""),
    "least": (int, 0),
    "nodes": (int, None),
    "open": (str, ""),
    "closed": (str, ""),
}
"""The fields of a search, with their types and their defaults.

- `sealable` is ``yes``, ``no``, or empty.
- `least` is the least number of messages that a shortest seal may have.
- `nodes` is the number of nodes of the signature, including two dummy nodes for each process.
- `open` and `closed` are channels, separated by commas.
"""


@dataclass(frozen=True)
class Wanted:
    """The properties of programs that are searched for."""

    n: int
    messages: int | None
    sealable: str
    least: int
    nodes: int | None
    open: str
    closed: str

    def accepts(self, minimum: int, nodes: int) -> bool:
        """Whether a program has the properties that do not depend on names of processes."""
        if self.sealable and (minimum >= 0) != (self.sealable == "yes"):
            return False
        if self.least and minimum < self.least:
            return False
        return self.nodes in (None, nodes)


def find(request: str) -> str:
    """The programs that have all wanted properties: their number, and the smallest ones.

    - `count` is the number of programs up to renaming processes.
    - `said` is a sentence for the user.
    - `programs` has the text and the number of processes of each program shown.
    - After an error, there are only `code` and `error`.
    """
    try:
        return json.dumps(_found(_wanted(request)))
    except InputError as error:
        return json.dumps({"code": Code.BAD_INPUT, "error": str(error)})


def _wanted(request: str) -> Wanted:
    given = fields_of(request, WANTED)
    if given["sealable"] not in ("", "yes", "no"):
        raise InputError("sealable must be yes, no or empty")
    for key in ("messages", "least", "nodes"):
        if (given[key] or 0) < 0:
            raise InputError(f"{key} must be at least 0, not {given[key]}")
    if given["sealable"] == "no" and given["least"]:
        raise InputError("a program that cannot be sealed has no shortest seal: leave out its messages")
    return Wanted(**given)


def _found(wanted: Wanted) -> dict[str, Any]:
    levels = [each for each in _table() if each["n"] == wanted.n]
    if not levels:
        sizes = sorted({each["n"] for each in _table()})
        raise InputError(f"the table has programs of {sizes[0]} to {sizes[-1]} processes, not {wanted.n}")
    most = levels[-1]["messages"]
    if (wanted.messages or 0) > most:
        raise InputError(f"the table has programs of {wanted.n} processes with up to {most} messages")
    searched = [each for each in levels if wanted.messages in (None, each["messages"])]
    count, programs = 0, list[dict[str, Any]]()
    for level in searched:
        for row, renaming in _rows(level, wanted):
            count += 1
            if len(programs) < SHOWN:
                program = unpacked([share[row] for share in level["shares"]]).renamed(renaming)
                programs.append({"text": str(program), "n": wanted.n, "about": _about(level["minimum"][row])})
    total = sum(len(each["minimum"]) for each in searched)
    among = f"{wanted.n} processes and {_messages(searched)}"
    said = f"{count} of the {counted(total, 'program')} with {among}, up to renaming processes."
    return {"count": count, "said": said, "programs": programs}


def _messages(searched: list[dict[str, Any]]) -> str:
    if len(searched) == 1:
        return counted(searched[0]["messages"], "message")
    return f"{searched[0]['messages']} to {searched[-1]['messages']} messages"


def _about(minimum: int) -> str:
    return "cannot be sealed" if minimum < 0 else f"needs {counted(minimum, 'message')} to seal"


def _rows(level: Mapping[str, Any], wanted: Wanted) -> Iterator[tuple[int, Renaming]]:
    """The rows of the programs with all wanted properties, each with the first renaming that fits."""
    n = wanted.n
    needs = [*_needs(n, _channels(wanted.open, n), _channels(wanted.closed, n))]

    @cache
    def renamed(opened: int) -> Renaming | None:
        return next((by for by, yes, no in needs if opened & yes == yes and not opened & no), None)

    for row, (minimum, opened, sends) in enumerate(zip(*(level[key] for key in _COLUMNS), strict=True)):
        renaming = renamed(opened)
        if renaming and wanted.accepts(minimum, 2 * n + opened.bit_count() + sends.bit_count()):
            yield row, renaming


_COLUMNS = ("minimum", "open", "sends")


def _needs(n: int, opened: list[Channel], closed: list[Channel]) -> Iterator[tuple[Renaming, int, int]]:
    """For each renaming, two masks: the channels that it maps to `opened`, and to `closed`."""
    for renaming in permutations(range(1, n + 1)):
        after = [Channel(renaming[i - 1], renaming[j - 1]) for i, j in channels(n)]
        yes, no = (
            sum(1 << bit for bit, channel in enumerate(after) if channel in chosen)
            for chosen in (opened, closed)
        )
        yield renaming, yes, no


def _channels(text: str, n: int) -> list[Channel]:
    """The channels of a text, such as ``1->2, 2->3``.  Raises InputError."""
    found = []
    for each in filter(None, map(str.strip, text.split(","))):
        match = re.fullmatch(r"([1-9])\s*->\s*([1-9])", each)
        channel = Channel(int(match[1]), int(match[2])) if match else None
        if channel not in channels(n):
            raise InputError(f"'{each[:20]}' is not a channel of {n} processes: write for example 1->2")
        found.append(channel)
    return found


@lru_cache(maxsize=1)
def _table() -> list[dict[str, Any]]:
    place = files("sealcheck.cli.play") / LEVELS
    if not place.is_file():
        raise InputError(f"there is no {LEVELS} here: only the page that `sealcheck play` writes has it")
    levels: list[dict[str, Any]] = json.loads(place.read_bytes())
    return levels
