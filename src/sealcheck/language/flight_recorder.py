"""Dumps of PyTorch's Flight Recorder: the operations of each rank of a training job.

A dump is JSON with the operations of one rank, oldest first.  PyTorch defines the keys in
`torch/csrc/distributed/c10d/FlightRecorder.hpp`.  Only dumps of version 2 are read.  Keys that a minor
version adds are ignored.

**Backends.** NCCL matches the messages of a pair of ranks in the order of sending, and each receive names its
source.  Gloo numbers all operations of a process group, but its dumps leave out sends and receives.  If the
group sent or received before a collective, a number is missing, and the dump is refused.  After the last
collective no number would be missing, so the assumption is that no send or receive follows.

**Order.** The operations of a rank take place in the recorded order.  NCCL guarantees this order between
operations on one CUDA stream.  A process group has one stream for its collectives and batches, and one for
each pair of its ranks, for all other sends and receives between them.  Between operations on different
streams, and between operations of Gloo, the recorded order is an assumption: *recorded-order*.

**Batches.** The operations of a ``batch_isend_irecv`` form a batch.  The last entry of the batch is
``coalesced``. All receives of the batch take place at this entry.

**Layers** are the parts of the program that must not exchange messages.  The user names regions, and each
entry of a named region begins a layer.  An operation enters the region of its name, such as ``barrier``.  If
the dump has call stacks, functions are regions, too.  A dump does not say when a function is called again.
So each function is known by its first operation, with the calls from the function down to this operation.
When an operation comes by the same calls, a new call of the function begins.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from sealcheck.errors import InputError
from sealcheck.language import recordings
from sealcheck.language.recordings import Assumption, Assumptions
from sealcheck.support.strict_json import strict_json
from sealcheck.words import counted, harmless

ENTRIES, GROUPS = "entries", "pg_config"
_VERSION = re.compile(r"2\.[0-9]+")

NCCL, GLOO = "nccl", "gloo"
"""The backends: the part of `profiling_name` before the colon."""
SEND, BATCH = "send", "coalesced"
_POINT_TO_POINT = re.compile(r"(?:(send) ([0-9]{1,9})->([0-9]{1,9})|(recv) ([0-9]{1,9})<-([0-9]{1,9}))")
"""A send or a receive, with its own rank and its peer's rank in the process group."""

COLLECTIVES = {
    **dict.fromkeys(("barrier", "all_reduce_barrier"), "BARRIER"),
    **dict.fromkeys(("all_reduce", "allreduce_coalesced", "sparse_all_reduce"), "ALLREDUCE"),
    **dict.fromkeys(("all_gather", "_all_gather_base", "all_gather_single", "all_gather_v"), "ALLGATHER"),
    **dict.fromkeys(("all_gather_into_tensor_coalesced", "ALLGATHER_coalesced"), "ALLGATHER"),
    **dict.fromkeys(("reduce_scatter", "_reduce_scatter_base", "reduce_scatter_single"), "REDUCE_SCATTER"),
    **dict.fromkeys(("reduce_scatter_v", "reduce_scatter_tensor_coalesced"), "REDUCE_SCATTER"),
    "REDUCE_SCATTER_coalesced": "REDUCE_SCATTER",
    **dict.fromkeys(("broadcast", "_broadcast_oop"), "BCAST"),
    **dict.fromkeys(("reduce", "_reduce_oop"), "REDUCE"),
    "gather": "GATHER",
    "scatter": "SCATTER",
    **dict.fromkeys(("all_to_all", "all_to_all_single", "all_to_all_v_single"), "ALLTOALLV"),
    **dict.fromkeys(("split", "new_window"), "CREATE_HANDLE"),
}
"""For each name in `torch.distributed.flight_recorder`, an MPI collective with the same waiting.

Which ranks wait for which depends on the root, which is not recorded, or on the empty parts of an all-to-all.
So it is assumed that no rank waits in a broadcast, reduce, gather, scatter or all-to-all.
"""


class Frame(NamedTuple):
    """A call in a stack."""

    function: str
    file: str
    line: int


class Entry(NamedTuple):
    """An operation of a rank."""

    number: int
    group: str
    description: str
    backend: str
    operation: str
    """Its name.  For a send or receive, without the ranks."""
    ranks: tuple[int, int] | None
    """For a send or receive, its own rank and its peer's rank in the group."""
    sequence: tuple[bool, int]
    """Whether the operation is a send or receive, and its number.

    A group numbers its sends and receives apart from its collectives.  All operations of a batch have the
    same number.
    """
    logical: int
    """Its number among all operations of its group.  Each operation of a batch has its own number."""
    sent: int
    """The number of nonempty tensors that are sent; `received` counts those received."""
    received: int
    is_over: bool
    stack: tuple[Frame, ...]
    """The innermost call first; empty if it is not recorded."""


class Dump(NamedTuple):
    """The recording of one rank."""

    groups: Mapping[str, tuple[int, ...]]
    """The ranks of process groups, by name, if they are recorded."""
    entries: Sequence[Entry]


def is_dump(document: object) -> bool:
    """Whether a JSON document is a dump of a Flight Recorder.

    >>> is_dump({"version": "2.10", "pg_config": {}}), is_dump({"resourceSpans": []})
    (True, False)
    """
    return isinstance(document, dict) and GROUPS in document


def read_dump(rank: int, document: Any) -> Dump:
    """The dump of a rank.  Raises InputError if it is malformed, or if entries are missing."""
    where = f"rank{rank}: "
    version = _field(document, "version", str, where)
    if not _VERSION.fullmatch(version):
        why = "is not supported, only version 2 is"
        raise InputError(f"{where}version '{harmless(version[:20])}' of dumps {why}")
    if ENTRIES not in document:
        raise InputError(f"{where}the dump has no '{ENTRIES}': nothing was recorded, or they were left out")
    entries = [
        _entry(each, f"{where}entries[{at}]: ")
        for at, each in enumerate(_field(document, ENTRIES, list, where))
    ]
    for expected, entry in enumerate(entries):
        if entry.number != expected:
            if not expected and entry.number > 0:
                lost = counted(entry.number, "entry is", "entries are")
                raise InputError(
                    f"{where}the first {lost} missing: record with a larger TORCH_FR_BUFFER_SIZE"
                )
            why = f"the entry {expected} is missing"
            raise InputError(f"{where}{why}: dump all entries, not only the active ones")
    groups = _field(document, GROUPS, dict, where)
    return Dump({name: _members(each, where) for name, each in groups.items() if name}, entries)


def _entry(found: Any, where: str) -> Entry:
    if not isinstance(found, dict):
        raise InputError(f"{where}it must be an object")
    names = _field(found, "process_group", list, where)
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise InputError(f"{where}'process_group' must be a name and a description")
    profiled = _field(found, "profiling_name", str, where)
    backend, _, called = profiled.partition(":")
    peers = _POINT_TO_POINT.fullmatch(called)
    operation, own, peer = [each for each in peers.groups() if each] if peers else [called, "", ""]
    known = operation in COLLECTIVES or (operation == BATCH and backend == NCCL) or peers
    if backend not in (NCCL, GLOO) or not known:
        raise InputError(f"{where}the operation '{harmless(profiled[:40])}' is not supported")
    is_peers = _field(found, "is_p2p", bool, where)
    sequence = _field(found, "p2p_seq_id" if is_peers else "collective_seq_id", int, where)
    state, retired = _field(found, "state", str, where), _field(found, "retired", bool, where)
    frames = _field(found, "frames", list, where) if "frames" in found else ()
    return Entry(
        number=_field(found, "record_id", int, where),
        group=names[0],
        description=names[1],
        backend=backend,
        operation=operation,
        ranks=(int(own), int(peer)) if peers else None,
        sequence=(is_peers, sequence),
        logical=_field(found, "op_id", int, where),
        sent=_tensors(found, "input_sizes", where),
        received=_tensors(found, "output_sizes", where),
        is_over=state == "completed" or (retired and backend == GLOO),
        stack=tuple(_frame(each, where) for each in frames),
    )


def _frame(found: Any, where: str) -> Frame:
    if not isinstance(found, dict):
        raise InputError(f"{where}a frame must be an object")
    function, file = (_field(found, key, str, where) for key in ("name", "filename"))
    return Frame(function, file, _field(found, "line", int, where))


def _tensors(found: Mapping[str, Any], key: str, where: str) -> int:
    """The number of nonempty tensors in a field of sizes.  Raises InputError."""
    found_any = 0
    for sizes in _field(found, key, list, where):
        if not isinstance(sizes, list) or not all(type(size) is int and size >= 0 for size in sizes):
            raise InputError(f"{where}'{key}' must be lists of whole numbers, from 0")
        found_any += 0 not in sizes
    return found_any


def _members(group: Any, where: str) -> tuple[int, ...]:
    """The ranks of a process group, from their text.  Raises InputError."""
    ranks = strict_json(_field(group, "ranks", str, f"{where}{GROUPS}: "), f"{where}{GROUPS}: ")
    are_ranks = isinstance(ranks, list) and all(type(rank) is int and rank >= 0 for rank in ranks)
    if not are_ranks or len({*ranks}) < len(ranks):
        raise InputError(f"{where}{GROUPS}: 'ranks' must be a list of different ranks")
    return tuple(ranks)


def _field(found: Any, key: str, kind: type, where: str) -> Any:
    """The value of a field.  Raises InputError if it is missing or of another type."""
    value = found.get(key) if isinstance(found, dict) else None
    if type(value) is not kind:
        raise InputError(f"{where}there must be '{key}', {_KINDS[kind]}")
    return value


_KINDS = {str: "a string", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


_OF_NCCL = recordings.Recorder(
    over_ports="it is a recording of NCCL",
    transport="nccl",
    world="default_pg",
    place="entry",
    called=str.lower,
    left_open="the ranks communicate only over NCCL: its recorder sees nothing else",
    names_sources=True,
)
_OF_GLOO = _OF_NCCL._replace(
    over_ports="it is a recording of Gloo",
    transport="tcp",
    left_open="the ranks communicate only by collectives of Gloo: its recorder sees nothing else",
)
_RECORDERS = {NCCL: _OF_NCCL, GLOO: _OF_GLOO}

_PEERS = "p2p"
"""The tag of sends and receives."""


def recorded_job(dumps: Sequence[Any], assuming: Assumptions) -> recordings.Recording:
    """The recording of a job, given the JSON of each rank.  Raises InputError, with the rank.

    For m entries whose call stacks are at most d deep, the time is O(m d^2).
    """
    return _Job([read_dump(rank, dump) for rank, dump in enumerate(dumps)], assuming).recording()


class _Job:
    def __init__(self, dumps: Sequence[Dump], assuming: Assumptions) -> None:
        self._dumps = dumps
        self._assuming = assuming
        self._members = self._groups()
        self._numbers = {group: number for number, group in enumerate(self._members)}
        self._assumed: set[tuple[Assumption, str]] = set()

    def recording(self) -> recordings.Recording:
        """The events of each rank.  Raises InputError."""
        recorder = self._recorder()
        self._require_alike()
        ranks = [list(self._events(rank)) for rank in range(len(self._dumps))]
        names = self._names()
        communicators = {
            number: recordings.Communicator(names[group], self._members[group])
            for group, number in self._numbers.items()
        }
        return recordings.Recording(communicators, ranks, recorder, frozenset(self._assumed))

    def _recorder(self) -> recordings.Recorder:
        first: tuple[int, Entry] | None = None
        for rank, dump in enumerate(self._dumps):
            for entry in dump.entries:
                first = first or (rank, entry)
                if entry.backend != first[1].backend:
                    where = f"rank{rank}, entry {entry.number}: "
                    raise InputError(f"{where}it is of {entry.backend}, but others are of {first[1].backend}")
        return _RECORDERS[first[1].backend] if first else _OF_NCCL

    def _groups(self) -> dict[str, tuple[int, ...]]:
        """The ranks of each process group: the recorded ranks, or else all ranks that use the group."""
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
        """A unique name for each process group, from its description if it has one."""
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
        """Raise InputError if the sequence numbers of a group's collectives differ between ranks."""
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

    def _events(self, rank: int) -> Iterator[recordings.MpiEvent]:
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
                yield recordings.Enter(entry.number, region)
            if entry.ranks is not None and entry.operation == SEND:
                yield self._end(rank, entry)
            elif entry.number in ends:
                yield recordings.Post(entry.number, entry.number)
                waiting[ends[entry.number]].append(entry)
            else:
                if entry.ranks is None:
                    yield recordings.Begin(entry.number)
                yield self._end(rank, entry)

    def _end(self, rank: int, entry: Entry, request: int | None = None) -> recordings.MpiEvent:
        """The event of an entry: a send, or the end of an operation.  Raises InputError."""
        group, number = self._numbers[entry.group], entry.number
        if entry.ranks is None:
            operation = COLLECTIVES[entry.operation]
            return recordings.End(number, operation, group, None, entry.sent, entry.received, request)
        own, peer = entry.ranks
        members = self._members[entry.group]
        if not (own < len(members) and members[own] == rank):
            where = f"rank{rank}, entry {number}: "
            raise InputError(f"{where}it is of rank {own} in its process group, which is not this rank")
        if entry.operation == SEND:
            return recordings.Send(number, peer, group, _PEERS)
        return recordings.Receive(number, peer, group, _PEERS, request)

    def _require_order(self, rank: int, entries: Sequence[Entry], ends: Mapping[int, int]) -> None:
        """Note the assumption *recorded-order* if it is needed.  Raises InputError if it is switched off."""
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
        """Raise InputError if a number of Gloo's operations is missing."""
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
    """For each entry in a batch, the entry that ends the batch."""
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
    """The CUDA stream of an operation.  Gloo's threads keep no order, so each operation has its own."""
    if entry.backend == GLOO:
        return ("thread", entry.number)
    if entry.ranks is None or is_batched:
        return ("group", entry.group)
    return ("pair", entry.group, *sorted(entry.ranks))


def _entered(entry: Entry, first: dict[str, tuple[Frame, ...]]) -> Iterator[str]:
    """The regions that an operation enters; `first` gets the calls of each function's first operation."""
    functions = {frame.function: depth for depth, frame in enumerate(entry.stack, 1)}
    for function, depth in sorted(functions.items(), key=lambda each: -each[1]):
        path = entry.stack[:depth]
        if function != entry.operation and first.setdefault(function, path) == path:
            yield function
    yield entry.operation
