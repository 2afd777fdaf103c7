"""Dumps of PyTorch's Flight Recorder: the operations of each rank of a training job.

A dump has the operations of one rank, oldest first (`torch/csrc/distributed/c10d/FlightRecorder.hpp`).  Those
of NCCL and of Gloo are read.  NCCL matches the messages of a pair of ranks in the order in which they are
sent, and each receive names its source.  Gloo records collectives only; the numbers of operations show that a
send or receive is missing, but not behind the last collective.

**Order.**  The operations of a rank take place in the order in which they are recorded.  NCCL guarantees this
for the operations on one CUDA stream: the collectives of one process group, and the sends and receives of one
pair of ranks.  Of other operations it is assumed (*recorded-order*).

**Batches.**  The operations between ``batch_isend_irecv`` and its entry ``coalesced`` are one operation: each
receive in it takes place at the end.

**Phases.**  An operation enters the region of its name, such as ``barrier``.  If the dump has call stacks, it
also enters each function that calls it in the way in which this function communicates first.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from sealcheck.errors import InputError
from sealcheck.language.assumptions import Assumption, Assumptions
from sealcheck.language.flight_recorder_files import (
    BATCH,
    COLLECTIVES,
    GLOO,
    NCCL,
    SEND,
    Dump,
    Entry,
    Frame,
    read_dump,
)
from sealcheck.language.recordings import (
    Begin,
    Communicator,
    End,
    Enter,
    MpiEvent,
    Post,
    Receive,
    Recorder,
    Recording,
    Send,
)
from sealcheck.words import counted, harmless

_WORLD = "default_pg"
_OF_NCCL = Recorder(
    over_ports="it is a recording of NCCL",
    transport="nccl",
    world=_WORLD,
    place="entry",
    called=str.lower,
    left_open="the ranks communicate only over NCCL: its recorder sees nothing else",
    names_sources=True,
)
_OF_GLOO = Recorder(
    over_ports="it is a recording of Gloo",
    transport="tcp",
    world=_WORLD,
    place="entry",
    called=str.lower,
    left_open="the ranks communicate only by collectives of Gloo: its recorder sees nothing else",
    names_sources=True,
)
_RECORDERS = {NCCL: _OF_NCCL, GLOO: _OF_GLOO}

_PEERS = "p2p"
"""The tag of sends and receives."""


def recorded_job(dumps: Sequence[Any], assuming: Assumptions) -> Recording:
    """The recording of a job, given the JSON of each rank.  Raises InputError, with the rank.

    Linear in the number of entries, and of calls in their stacks times the depth of these.
    """
    return _Job([read_dump(rank, dump) for rank, dump in enumerate(dumps)], assuming).recording()


class _Job:
    """The dumps of all ranks, while they become a recording."""

    def __init__(self, dumps: Sequence[Dump], assuming: Assumptions) -> None:
        self._dumps = dumps
        self._assuming = assuming
        self._members = self._groups()
        self._numbers = {group: number for number, group in enumerate(self._members)}
        self._assumed: set[tuple[Assumption, str]] = set()

    def recording(self) -> Recording:
        """The events of each rank.  Raises InputError."""
        recorder = self._recorder()
        self._require_alike()
        ranks = [list(self._events(rank)) for rank in range(len(self._dumps))]
        names = self._names()
        communicators = {
            number: Communicator(names[group], self._members[group])
            for group, number in self._numbers.items()
        }
        return Recording(communicators, ranks, recorder, frozenset(self._assumed))

    def _recorder(self) -> Recorder:
        """The recorder of the only backend.  Raises InputError if there are several."""
        first: tuple[int, Entry] | None = None
        for rank, dump in enumerate(self._dumps):
            for entry in dump.entries:
                first = first or (rank, entry)
                if entry.backend != first[1].backend:
                    where = f"rank{rank}, entry {entry.number}: "
                    raise InputError(f"{where}it is of {entry.backend}, but others are of {first[1].backend}")
        return _RECORDERS[first[1].backend] if first else _OF_NCCL

    def _groups(self) -> dict[str, tuple[int, ...]]:
        """The ranks of each process group: as they are recorded, or else those that use it."""
        recorded: dict[str, tuple[int, ...]] = {}
        users: defaultdict[str, list[int]] = defaultdict(list)
        for rank, dump in enumerate(self._dumps):
            for name, members in dump.groups.items():
                if recorded.setdefault(name, members) != members:
                    raise InputError(f"rank{rank}: the process group '{harmless(name[:40])}' {_UNLIKE}")
                if missing := next((each for each in members if each >= len(self._dumps)), None):
                    why = f"is in the process group '{harmless(name[:40])}', but has no dump here"
                    raise InputError(f"rank{missing} {why}: give the dumps of all ranks")
            for name in {entry.group for entry in dump.entries}:
                users[name].append(rank)
        found = {}
        for name, ranks in users.items():
            found[name] = recorded.get(name) or tuple(ranks)
            outside = [rank for rank in ranks if rank not in found[name]]
            if outside:
                what = f"uses the process group '{harmless(name[:40])}', but is not in it"
                raise InputError(f"rank{outside[0]} {what}")
        return found

    def _names(self) -> dict[str, str]:
        """What process groups are called: by their descriptions, if these are different."""
        described = {entry.group: entry.description for dump in self._dumps for entry in dump.entries}
        shared = [*described.values()]
        return {
            group: group
            if said in ("", "undefined")
            else said
            if shared.count(said) == 1
            else f"{said}-{group}"
            for group, said in described.items()
        }

    def _require_alike(self) -> None:
        """Raise InputError unless the members of a group record the same collectives, by their numbers."""
        for group, members in self._members.items():
            numbered = [
                [each for each in self._dumps[rank].entries if each.group == group and not each.sequence[0]]
                for rank in members
            ]
            for rank, entries in zip(members, numbered, strict=True):
                for one, other in zip(numbered[0], entries, strict=False):
                    if one.sequence != other.sequence:
                        what = f"its {other.operation} has the number {other.sequence[1]} in its"
                        raise InputError(
                            f"rank{rank}, entry {other.number}: {what} process group, but that of"
                            f" rank{members[0]} has {one.sequence[1]}: record the same part of the run on all"
                            " ranks"
                        )

    def _events(self, rank: int) -> Iterator[MpiEvent]:
        """The events of a rank.  Raises InputError."""
        entries = self._dumps[rank].entries
        ends = _batches(entries)
        self._require_order(rank, entries, ends)
        self._require_all(rank, entries)
        first: dict[str, tuple[Frame, ...]] = {}
        waiting: defaultdict[int, list[Entry]] = defaultdict(list)
        for entry in entries:
            where = f"rank{rank}, entry {entry.number}: "
            if entry.operation == BATCH:
                for member in waiting.pop(entry.number, []):
                    yield self._end(rank, member, request=member.number)
            if not entry.is_over and entry.number not in ends:
                raise InputError(f"{where}{entry.operation} is not over: dump when the job is idle")
            if entry.operation == BATCH:
                continue
            for region in _entered(entry, first):
                yield Enter(entry.number, region)
            if entry.ranks is not None and entry.operation == SEND:
                yield self._end(rank, entry)
            elif entry.number in ends:
                yield Post(entry.number, entry.number)
                waiting[ends[entry.number]].append(entry)
            else:
                if entry.ranks is None:
                    yield Begin(entry.number)
                yield self._end(rank, entry)

    def _end(self, rank: int, entry: Entry, request: int | None = None) -> MpiEvent:
        """The event of an entry that sends, or is over.  Raises InputError."""
        group, number = self._numbers[entry.group], entry.number
        if entry.ranks is None:
            operation = COLLECTIVES[entry.operation]
            return End(number, operation, group, None, entry.sent, entry.received, request)
        own, peer = entry.ranks
        members = self._members[entry.group]
        if not (own < len(members) and members[own] == rank):
            where = f"rank{rank}, entry {number}: "
            raise InputError(f"{where}it is of rank {own} in its process group, which is another rank")
        if entry.operation == SEND:
            return Send(number, peer, group, _PEERS)
        return Receive(number, peer, group, _PEERS, request)

    def _require_order(self, rank: int, entries: Sequence[Entry], ends: Mapping[int, int]) -> None:
        """Note that the recorded order is assumed, if it is not known.  Raises InputError if that is off."""
        streams: dict[tuple[Any, ...], int] = {}
        for entry in entries:
            streams.setdefault(_stream(entry, is_batched=entry.number in ends), entry.number)
        if len(streams) < 2:
            return
        if Assumption.RECORDED not in self._assuming:
            earlier, later = sorted(streams.values())[:2]
            why = f"whether it takes place after the entry {earlier} is unknown"
            raise InputError(f"rank{rank}, entry {later}: {why}")
        self._assumed.add((Assumption.RECORDED, f"rank{rank}"))

    def _require_all(self, rank: int, entries: Sequence[Entry]) -> None:
        """Raise InputError if the numbers of operations show that Gloo has not recorded some."""
        counts: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
        for entry in entries:
            missing = entry.logical - next(counts[entry.group]) if entry.backend == GLOO else 0
            where = f"rank{rank}, entry {entry.number}: "
            if missing < 0:
                raise InputError(f"{where}its 'op_id' is not the next one of its process group")
            if missing:
                what = counted(missing, "operation is", "operations are")
                raise InputError(f"{where}{what} missing before it: Gloo does not record sends and receives")


_UNLIKE = "has other ranks than in the dumps before"


def _batches(entries: Sequence[Entry]) -> dict[int, int]:
    """The number of the entry that ends a batch, by the numbers of those in it.

    They are the entries of its process group that have its sequence number, right before it.
    """
    found: dict[int, int] = {}
    before: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        same = before[entry.group]
        if same and same[0].sequence != entry.sequence:
            same.clear()
        if entry.operation == BATCH:
            found |= {each.number: entry.number for each in same}
            same.clear()
        else:
            same.append(entry)
    return found


def _stream(entry: Entry, *, is_batched: bool) -> tuple[Any, ...]:
    """What keeps operations in order: a CUDA stream.  Threads of Gloo keep none.

    PyTorch has a stream for the collectives and batches of a process group, and one for each pair of its
    ranks that send and receive outside batches.
    """
    if entry.backend == GLOO:
        return ("thread", entry.number)
    if entry.ranks is None or is_batched:
        return ("group", entry.group)
    return ("pair", entry.group, *sorted(entry.ranks))


def _entered(entry: Entry, first: dict[str, tuple[Frame, ...]]) -> Iterator[str]:
    """The regions that an operation enters: that of its name, and functions, the outermost first.

    `first` has the calls in which functions communicate first, which are added.
    """
    functions = {frame.function: depth for depth, frame in enumerate(entry.stack, 1)}
    for function, depth in sorted(functions.items(), key=lambda each: -each[1]):
        path = entry.stack[:depth]
        if function != entry.operation and first.setdefault(function, path) == path:
            yield function
    yield entry.operation
