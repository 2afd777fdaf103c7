"""Turn the recorded events of ranks, for example of MPI, into layers over ports.

A *port* holds messages until one process receives them.  Each combination of receiver, source (or any
source), communicator and tag is a port.  A *layer* is a part of the program.  The user names regions, such as
functions, and each entry of a named region begins a layer.

**Matching** (MPI 4.1, section 3.5).  On a port, the messages of one sender are received in the order of
sending, and receives take messages in the order of posting.  A nonblocking receive takes place when it
completes.  There is one exception: if a receive that was posted later on the port completes first, the
earlier receive takes place just before the later receive.  NCCL matches the messages of a pair of ranks in
this way, too, without tags.

Recordings do not show MPI_ANY_SOURCE, so the user says which receives are from any source.  Each collective
is replaced by messages, so that processes wait as in the collective (`COLLECTIVES`).
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.language import recordings
from sealcheck.language.names import require_name
from sealcheck.language.recordings import BARRIER, COLLECTIVES, everyone, has_root, some
from sealcheck.language.traces import Trace
from sealcheck.programs.ports import ANY, PortEvent
from sealcheck.programs.straight_line import Kind
from sealcheck.words import counted, harmless

ALL = "all"
"""All receives are from any source."""


@dataclass(frozen=True)
class Reading:
    """The options for reading a recording."""

    any_source: frozenset[str] = frozenset()
    """The tags and ports with receives from any source; or `ALL`."""
    split_at: frozenset[str] = frozenset()
    """The regions that begin a layer."""


@dataclass(frozen=True)
class Layered:
    """A recording as layers, with remarks for the user."""

    trace: Trace
    heeded: frozenset[str]
    """The tags and ports of `Reading.any_source` that occur in the recording."""
    tags: frozenset[str]
    """The tags of the recording's receives."""
    shared: tuple[str, ...]
    """Receivers and tags that have several senders, but receives that are read as naming their sources."""
    unnamed: str
    """A tag in a communicator without a usable name; empty if there is none."""


def layered(recording: recordings.Recording, reading: Reading) -> Layered:
    """The recording as layers.  Raises InputError, with the rank and the event.

    Linear time, except for some collectives, such as scans, which become a message for each pair of
    processes.

    >>> world = {0: recordings.Communicator("MPI_COMM_WORLD", (0, 1))}
    >>> enter = recordings.Enter(1, "f")
    >>> ranks = [[enter, recordings.Send(2, 1, 0, 7)], [enter, recordings.Receive(3, 0, 0, 7)]]
    >>> found = layered(recordings.Recording(world, ranks), Reading(frozenset({"7"}), frozenset({"f"})))
    >>> {name: [str(event) for event in events] for name, events in found.trace.layers.items()}
    {'f 1': ['snd 1->2:7', 'rcv 2<-*:7']}
    """
    return _Layering(recording, reading).layered()


@dataclass
class _Call:
    """The call of a collective by one process."""

    rank: int
    start: int
    """The index of the event that begins the call."""
    phases: tuple[int, int]
    """The phases in which the call begins and ends."""
    end: recordings.End
    at_begin: list[PortEvent] = field(default_factory=list)
    at_end: list[PortEvent] = field(default_factory=list)


class _Message(NamedTuple):
    """One end of a message: its send or its receive."""

    phases: tuple[int, int]
    """The layers in which the send or receive is posted, and in which it takes place."""
    where: str


class _Layering:
    def __init__(self, recording: recordings.Recording, reading: Reading) -> None:
        self._communicators, self._ranks = recording.communicators, recording.ranks
        self._reading = reading
        self._recorder = recording.recorder
        self._prefixes = _prefixes(recording.communicators, recording.recorder.world)
        self._phases = _phases(recording.ranks, reading.split_at)
        self._parts: list[list[PortEvent]] = [[] for _ in self._phases]
        self._calls: defaultdict[int, defaultdict[int, list[_Call]]] = defaultdict(lambda: defaultdict(list))
        self._sent: defaultdict[tuple[int, int, str], list[_Message]] = defaultdict(list)
        self._received: defaultdict[tuple[int, int, str], dict[int, _Message]] = defaultdict(dict)
        """Sends and receives, by sender, receiver and tag.  Receives also by the position of posting."""
        self._sources: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        """The senders, by receiver and tag."""
        self._heeded: set[str] = set()
        self._unnamed = ""

    def layered(self) -> Layered:
        paired = [self._paired(rank) for rank in range(len(self._ranks))]
        for communicator, calls in self._calls.items():
            self._expand(communicator, calls)
        for rank, (posted, called) in enumerate(paired):
            self._emit(rank, posted, called)
        self._require_matched()
        names = tuple(f"rank{rank}" for rank in range(len(self._ranks)))
        layers = dict(zip(self._phases, self._parts, strict=True))
        if self._reading.split_at and not self._parts[0]:
            del layers[self._phases[0]]
        trace = Trace(names, layers, self._recorder.over_ports, self._recorder.transport)
        several = ((rank, tag) for (rank, tag), senders in self._sources.items() if len(senders) > 1)
        shared = tuple(_port(rank, tag) for rank, tag in several if not self._heeds(rank, tag))
        tags = frozenset(tag for _, tag in self._sources)
        return Layered(trace, frozenset(self._heeded), tags, shared, self._unnamed)

    def _paired(self, rank: int) -> tuple[dict[int, int], dict[int, _Call]]:
        """The positions at which receives are posted, and the calls of collectives.  Raises InputError."""
        posted: dict[int, int] = {}
        called: dict[int, _Call] = {}
        requests: dict[int, int] = {}
        begun: list[int] = []
        phases = self._phase_of(rank)
        for at, event in enumerate(self._ranks[rank]):
            if isinstance(event, recordings.Post):
                if requests.setdefault(event.request, at) != at:
                    raise self._wrong(
                        rank, event.time, f"the request {event.request} starts again before it is complete"
                    )
            elif isinstance(event, recordings.Begin):
                begun.append(at)
            elif isinstance(event, recordings.Receive | recordings.End):
                start = at
                if event.request is not None:
                    start = requests.pop(event.request, -1)
                elif isinstance(event, recordings.End):
                    start = begun.pop() if begun else -1
                if start < 0:
                    raise self._wrong(
                        rank, event.time, "it ends, but does not begin: the recording is incomplete"
                    )
                if isinstance(event, recordings.Receive):
                    posted[at] = start
                else:
                    call = _Call(rank, start, (phases[start], phases[at]), event)
                    called[start] = called[at] = call
                    self._calls[event.communicator][rank].append(call)
        if requests or begun:
            first = min([*requests.values(), *begun])
            why = "a receive or a collective begins, but does not end: record until it ends"
            raise self._wrong(rank, self._ranks[rank][first].time, why)
        return posted, called

    def _phase_of(self, rank: int) -> list[int]:
        """The number of the phase of each event."""
        phase, found = 0, []
        for event in self._ranks[rank]:
            phase += isinstance(event, recordings.Enter) and event.region in self._reading.split_at
            found.append(phase)
        return found

    def _expand(self, communicator: int, calls: Mapping[int, list[_Call]]) -> None:
        """Replace collectives by messages.  Raises InputError if processes call different ones."""
        name, members = self._communicators[communicator]
        name = harmless(name) or f"communicator {communicator}"
        ordered = [sorted(calls.get(rank, ()), key=lambda call: call.start) for rank in members]
        for together in zip_longest(*ordered):
            first = next(call for call in together if call is not None)
            for member, call in zip(members, together, strict=True):
                if call is None or self._called(call) != self._called(first):
                    found = "does not take part" if call is None else f"calls {self._called(call)}"
                    why = f"{self._called(first)} on {name}, but rank{member} {found}"
                    raise self._wrong(first.rank, first.end.time, f"it calls {why}")
                if call.phases != (first.phases[0],) * 2:
                    layers = " and ".join(
                        self._phases[each] for each in sorted({*first.phases, *call.phases})
                    )
                    why = f"{self._called(first)} on {name} is in the layers {layers}: it must be within one"
                    raise self._wrong(member, call.end.time, why)
            self._exchange([call for call in together if call is not None], self._prefixes[communicator])

    def _exchange(self, calls: Sequence[_Call], prefix: str) -> None:
        """Add the messages of one collective; `calls` has a call of each rank."""
        end = calls[0].end
        tag = prefix + end.operation.lower()

        def messages(
            senders: Iterable[_Call], receivers: Sequence[_Call], sends: Callable[[_Call], list[PortEvent]]
        ) -> None:
            for one in senders:
                for other in receivers:
                    if one is not other:
                        sends(one).append(_event(Kind.SEND, one.rank, other.rank, tag))
                        other.at_end.append(_event(Kind.RECEIVE, one.rank, other.rank, tag))

        waits = COLLECTIVES[end.operation]
        without_data = end.operation == BARRIER
        gives = [without_data or call.end.sent > 0 for call in calls]
        takes = [without_data or call.end.received > 0 for call in calls]
        is_blocking = all(call.end.request is None for call in calls)
        if waits is everyone and is_blocking and all(gives) and all(takes):
            # Nobody does anything else while it waits, so that one may collect for all: fewer messages.
            hub, *others = calls
            messages(others, [hub], lambda call: call.at_begin)
            messages([hub], others, lambda call: call.at_end)
            return
        for sender, one in enumerate(calls):
            waiting = [
                other
                for waiter, other in enumerate(calls)
                if gives[sender] and takes[waiter] and waits(waiter, sender, end.root)
            ]
            messages([one], waiting, lambda call: call.at_begin)

    def _emit(self, rank: int, posted: Mapping[int, int], called: Mapping[int, _Call]) -> None:
        phases = self._phase_of(rank)
        alike = self._alike(rank, posted)
        taken: Counter[PortEvent] = Counter()
        for at, event in enumerate(self._ranks[rank]):
            part = self._parts[phases[at]]
            if isinstance(event, recordings.Send):
                other, tag = self._end(rank, event, event.to)
                part.append(_event(Kind.SEND, rank, other, tag))
                where = self._where(rank, event.time)
                self._sent[rank, other, tag].append(_Message((phases[at],) * 2, where))
            elif isinstance(event, recordings.Receive):
                other, tag = self._end(rank, event, event.sender)
                self._sources[rank, tag].add(other)
                receive = self._receive(rank, event)
                over = bisect_right(alike[receive], posted[at]) - taken[receive]
                part.extend([receive] * over)  # those that were posted before it have their messages, too
                taken[receive] += max(over, 0)
                where = self._where(rank, event.time)
                ends = phases[posted[at]], phases[at]
                self._received[other, rank, tag][posted[at]] = _Message(ends, where)
            elif at in called:
                call = called[at]
                part.extend(call.at_begin if at == call.start else call.at_end)

    def _alike(self, rank: int, posted: Mapping[int, int]) -> Mapping[PortEvent, Sequence[int]]:
        """For each port, the positions at which its receives are posted, in order."""
        alike: defaultdict[PortEvent, list[int]] = defaultdict(list)
        for at, event in enumerate(self._ranks[rank]):
            if isinstance(event, recordings.Receive):
                alike[self._receive(rank, event)].append(posted[at])
        return {receive: sorted(places) for receive, places in alike.items()}

    def _receive(self, rank: int, event: recordings.Receive) -> PortEvent:
        other, tag = self._end(rank, event, event.sender)
        return _event(Kind.RECEIVE, None if self._heeds(rank, tag) else other, rank, tag)

    def _heeds(self, rank: int, tag: str) -> bool:
        """Whether receives of a tag by this process are from any source."""
        said = self._reading.any_source & {ALL, tag, _port(rank, tag)}
        self._heeded |= said
        return bool(said)

    def _end(self, rank: int, event: recordings.Send | recordings.Receive, other: int) -> tuple[int, str]:
        """The rank in the job of the process at the other end, and the tag.  Raises InputError."""
        communicator = self._communicators[event.communicator]
        if not other < len(communicator.members):
            why = f"there is no rank {other} in {communicator.name or 'its communicator'}"
            raise self._wrong(rank, event.time, why)
        if (found := communicator.members[other]) == rank:
            raise self._wrong(rank, event.time, "it sends to itself, which is not supported over ports")
        tag = f"{self._prefixes[event.communicator]}{event.tag}"
        if self._prefixes[event.communicator] == _by_number(event.communicator):
            self._unnamed = tag
        return found, tag

    def _require_matched(self) -> None:
        """Raise InputError if a message is lost, or is in two layers."""
        for ends in {**self._sent, **self._received}:
            sender, receiver, tag = ends
            received = [message for _, message in sorted(self._received[ends].items())]
            for sent, taken in zip_longest(self._sent[ends], received):
                if taken is None:
                    what = f"rank{receiver} never receives this message, with tag {tag}: record until it does"
                    raise InputError(f"{sent.where}: {what}")
                if sent is None:
                    what = f"it receives a message that rank{sender} does not send, with tag {tag}"
                    raise InputError(f"{taken.where}: {what}")
                if sent.phases != taken.phases:
                    raise InputError(self._torn(sent, taken, f"rank{sender} sends", tag))

    def _torn(self, sent: _Message, taken: _Message, sends: str, tag: str) -> str:
        """Why the ends of a message are not in one layer."""
        posted, over = (self._phases[each] for each in taken.phases)
        begun = f", by a receive that is posted in {posted}" if posted != over else ""
        return (
            f"{taken.where}: in {over} it receives a message that {sends} in {self._phases[sent.phases[0]]},"
            f" with tag {tag}{begun}: both ends of a message must be in one layer"
        )

    def _called(self, call: _Call) -> str:
        operation, root = call.end.operation, call.end.root
        of_root = f" with root {root}" if has_root(operation) and root is not None else ""
        return self._recorder.called(operation) + of_root

    def _where(self, rank: int, time: int) -> str:
        return f"rank{rank}, {self._recorder.place} {time}"

    def _wrong(self, rank: int, time: int, why: str) -> InputError:
        return InputError(f"{self._where(rank, time)}: {why}")


def _phases(ranks: Sequence[Sequence[recordings.MpiEvent]], split_at: frozenset[str]) -> list[str]:
    """The names of the layers: one before the first entry of a region, and one for each entry.

    Raises InputError if processes enter the regions in different orders.
    """
    if not split_at:
        return [""]
    entered = [
        [event.region for event in events if isinstance(event, recordings.Enter) and event.region in split_at]
        for events in ranks
    ]
    for region in sorted(split_at):
        if not any(region in each for each in entered):
            others = {
                event.region for events in ranks for event in events if isinstance(event, recordings.Enter)
            }
            known = some(sorted(others, key=lambda name: (name.startswith("MPI_"), name))) or "none"
            raise InputError(
                f"no process enters the region '{harmless(region[:40])}': regions are {harmless(known)}"
            )
    for rank, each in enumerate(entered):
        if each != entered[0]:
            counts = [
                f"rank{k} ({counted(len(found), 'entry', 'entries')})"
                for k, found in ((0, entered[0]), (rank, each))
            ]
            raise InputError(
                f"all processes must enter the regions that begin layers in the same order,"
                f" unlike {' and '.join(counts)}"
            )
    numbers: Counter[str] = Counter()
    names = [f"before {entered[0][0]} 1"]
    for region in entered[0]:
        numbers[region] += 1
        names.append(require_name(f"{region} {numbers[region]}", "region: "))
    return names


def _by_number(communicator: int) -> str:
    return f"comm{communicator}-"


def _prefixes(communicators: Mapping[int, recordings.Communicator], world: str) -> dict[int, str]:
    """The prefix of each communicator's tags: its name or number; empty for the communicator of all ranks."""
    looks = {
        number: "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in each.name)
        for number, each in communicators.items()
    }
    count = Counter(looks.values())
    found = {}
    for number, look in looks.items():
        is_plain = count[look] == 1 and look.strip("-") and not look.startswith("comm")
        is_world = communicators[number].name == world and count[look] == 1
        found[number] = "" if is_world else f"{look}-" if is_plain else _by_number(number)
    return found


def _event(kind: Kind, sender: int | None, receiver: int, tag: str) -> PortEvent:
    """An event between ranks; the sender None is any source."""
    return PortEvent(kind, ANY if sender is None else sender + 1, receiver + 1, tag)


def _port(rank: int, tag: str) -> str:
    return f"rank{rank}<-*:{tag}"
