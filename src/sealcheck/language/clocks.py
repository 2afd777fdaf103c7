"""The messages of a recorded trace, from its vector clocks.

A clock has a number for each host.  Each event adds 1 to the number of its own host, so the first event of a
host has 1 there.  A receive also compares its host's clock with the clock of its send, and for each host
keeps the larger number.  A send does not change the numbers of other hosts.  Its message has exactly one
receive.

Clocks do not show messages that are overtaken or never received.  A trace with such messages needs message
ids.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sealcheck.errors import InputError

SEND, RECEIVE, LOCAL = EVENTS = ("send", "receive", "local")

Clock = dict[str, int]
_Nth = tuple[str, int]
"""An event: its host, and its number at the host, from 1."""

IDS = "give message ids in place of clocks"
SPLIT = "write one event for each message"


class Clocked(NamedTuple):
    """An event with its clock."""

    line: int
    host: str
    event: str
    clock: Clock

    @property
    def nth(self) -> _Nth:
        """The number of the event at its host, by its clock."""
        return self.host, self.clock[self.host]


def clock_of(line: int, value: object) -> Clock:
    """A clock, from its JSON value.  Raises InputError."""
    if not isinstance(value, dict) or not all(type(count) is int and count >= 0 for count in value.values()):
        raise InputError(f"line {line}: a clock must be an object with a count for each host")
    return {host: count for host, count in value.items() if count}


def sends_of_receives(events: Sequence[Clocked]) -> dict[int, int]:
    """For the index of each receive, the index of its send.  Raises InputError, with the line.

    >>> sends_of_receives([Clocked(1, "a", SEND, {"a": 1}), Clocked(2, "b", RECEIVE, {"a": 1, "b": 1})])
    {1: 0}
    """
    sources, receivers = _messages(events)
    for each in events:
        _require_told(each, receives=each.nth in sources, sends=each.nth in receivers)
    index = {each.nth: number for number, each in enumerate(events)}
    return {index[receive]: index[send] for receive, send in sources.items()}


def with_kinds(events: Sequence[Clocked]) -> list[Clocked]:
    """The events, each with the kind that the clocks show.  Raises InputError, with the line.

    >>> events = [Clocked(1, "a", "", {"a": 1}), Clocked(2, "b", "", {"a": 1, "b": 1})]
    >>> [each.event for each in with_kinds(events)]
    ['send', 'receive']
    """
    sources, receivers = _messages(events)
    for each in events:
        if each.nth in sources and each.nth in receivers:
            raise InputError(f"line {each.line}: the clocks show that this event receives and sends: {SPLIT}")
    kinds = dict.fromkeys(sources, RECEIVE) | dict.fromkeys(receivers, SEND)
    return [each._replace(event=kinds.get(each.nth, LOCAL)) for each in events]


def _messages(events: Sequence[Clocked]) -> tuple[dict[_Nth, _Nth], dict[_Nth, str]]:
    """The send of each receive, and the receiver of each send.  Raises InputError."""
    hosts: defaultdict[str, list[Clocked]] = defaultdict(list)
    for each in events:
        expected = len(hosts[each.host]) + 1
        if (found := each.clock.get(each.host, 0)) != expected:
            says = f"but its clock says {found}"
            raise InputError(f"line {each.line}: this is event {expected} of '{each.host}', {says}")
        hosts[each.host].append(each)
    sources: dict[_Nth, _Nth] = {}
    receivers: dict[_Nth, str] = {}
    for each in events:
        if source := _source(hosts, *each.nth):
            if source in receivers:
                sent = f"the message of event {source[1]} of '{source[0]}' is already received"
                raise InputError(f"line {each.line}: {sent}, by '{receivers[source]}': {SPLIT}")
            sources[each.nth], receivers[source] = source, each.host
    return sources, receivers


def _require_told(each: Clocked, *, receives: bool, sends: bool) -> None:
    match each.event:
        case "send" if receives:
            wrong = f"the event is a send, but its clock shows a receive: {SPLIT}"
        case "send" if not sends:
            wrong = f"the event is a send, but no clock shows its receive: {IDS}"
        case "receive" if sends:
            wrong = f"the event is a receive, but the clocks show a send: {SPLIT}"
        case "receive" if not receives:
            wrong = f"the event is a receive, but its clock shows nothing new, as if overtaken: {IDS}"
        case "local" if receives or sends:
            wrong = "the event is local, but the clocks show a message"
        case _:
            return
    raise InputError(f"line {each.line}: {wrong}")


def _source(hosts: Mapping[str, Sequence[Clocked]], host: str, nth: int) -> _Nth | None:
    """The send of the message that an event received, if any.  Raises InputError."""
    line, clock = hosts[host][nth - 1].line, hosts[host][nth - 1].clock
    before = hosts[host][nth - 2].clock if nth > 1 else {}
    if any(clock.get(other, 0) < count for other, count in before.items()):
        raise InputError(f"line {line}: the clock of '{host}' goes backwards")
    news = {k: count for k, count in clock.items() if k != host and count > before.get(k, 0)}
    for other, count in news.items():
        if other not in hosts or count > len(hosts[other]):
            raise InputError(f"line {line}: the clock refers to event {count} of '{other}', which is missing")
    for other, count in news.items():
        told = hosts[other][count - 1].clock
        joined = {each: max(before.get(each, 0), told.get(each, 0)) for each in before.keys() | told.keys()}
        if joined | {host: nth} == clock and told.get(host, 0) < nth:
            return other, count
    if news:
        raise InputError(f"line {line}: no single event explains the news in the clock of '{host}'")
    return None
