"""Logs for ShiViz: events with vector clocks, which show the messages.

The first line is the pattern by which ShiViz reads the log, the second separates several executions.  An
unknown pattern could take forever to match, so only those that tools write are accepted: a line with the
host and its clock, and the description before it, behind it or within it.

A message shows in the clocks if it is received, and tells its receiver something new.
"""

import re
from collections.abc import Iterator

from sealcheck.errors import InputError
from sealcheck.language.clocks import Clocked, clock_of, with_kinds
from sealcheck.language.names import require_name
from sealcheck.language.traces import Trace, clocked_trace
from sealcheck.support.strict_json import strict_json
from sealcheck.words import harmless

_TWO_LINES = re.compile(r"(\S+) (\{.*\})\s*")
_ONE_LINE = re.compile(r'(\S+) ".*" (\{.*\})\s*')
BEFORE, BEHIND, WITHIN = range(3)
"""Where the description of an event is: in the line before that with the clock, in the next one, or in it."""
PATTERNS = {
    "": BEFORE,
    r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})": BEFORE,
    r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)": BEHIND,
    r'(?<host>\S*) "(?<event>.*)" (?<clock>{.*})': WITHIN,
}


def read_log(text: str) -> Trace:
    r"""The trace that a log has.  Raises InputError, with the line.

    >>> log = r'''(?<event>.*)\n(?<host>\S*) (?<clock>{.*})
    ...
    ... asks
    ... client {"client": 1}
    ... is asked
    ... server {"server": 1, "client": 1}'''
    >>> [str(event) for event in read_log(log).program().events]
    ['snd 1->2', 'rcv 2<-1']
    """
    pattern, separator, *lines = [*text.split("\n"), ""]
    if separator.strip():
        raise InputError(
            "line 2: the log has several executions: write each in a file of its own, without this line"
        )
    return clocked_trace(with_kinds(list(_events(lines, _place(pattern.strip())))))


def _place(pattern: str) -> int:
    """Where descriptions are.  Raises InputError unless the pattern is known."""
    found = PATTERNS.get(re.sub(r"\\([{}])", r"\1", pattern).replace(r"\w+", r"\S*"))
    if found is None:
        known = "' or '".join(filter(None, PATTERNS))
        raise InputError(f"line 1: '{harmless(pattern[:60])}' is not a known pattern: write '{known}'")
    return found


def _events(lines: list[str], place: int) -> Iterator[Clocked]:
    """The events, without their kinds.  Raises InputError if a line belongs to none."""
    described: int | None = None
    """The line of a description that waits for its event, or the line of an event that may have one."""
    for number, line in enumerate(lines, 3):
        found = (_ONE_LINE if place == WITHIN else _TWO_LINES).fullmatch(line)
        if found:
            host = require_name(found[1], f"line {number}: ")
            clock = clock_of(number, strict_json(found[2], f"line {number}: "))
            yield Clocked(number, host, "", clock)
            described = number if place == BEHIND else None
        elif line.strip():
            if place == WITHIN or (described is not None) != (place == BEHIND):
                raise InputError(f"line {number}: '{harmless(line[:40])}' belongs to no event with a clock")
            described = number if place == BEFORE else None
    if place == BEFORE and described is not None:
        raise InputError(f"line {described}: this description has no event with a clock")
