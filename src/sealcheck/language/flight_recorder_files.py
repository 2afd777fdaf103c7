"""Files of PyTorch's Flight Recorder: the dump of one rank, as JSON.

The keys are those of `torch/csrc/distributed/c10d/FlightRecorder.hpp`.  A minor version of a dump adds keys,
which are not read; other major versions are refused.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sealcheck.errors import InputError
from sealcheck.support.strict_json import strict_json
from sealcheck.words import counted, harmless

ENTRIES, GROUPS = "entries", "pg_config"
"""Keys of a dump, by which it is known."""
_VERSION = re.compile(r"2\.[0-9]+")

NCCL, GLOO = "nccl", "gloo"
"""Backends, by the beginning of `profiling_name`."""
SEND, BATCH = "send", "coalesced"
_POINT_TO_POINT = re.compile(r"(?:(send) ([0-9]{1,9})->([0-9]{1,9})|(recv) ([0-9]{1,9})<-([0-9]{1,9}))")
"""An operation with its own rank and its peer's, both in the process group."""

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
"""The names of `torch.distributed.flight_recorder`, and which collective of MPI waits for the same data.

The root is not recorded, so nobody is known to wait in a broadcast, reduce, gather or scatter.  The parts of
an all-to-all may be empty, as those of MPI_Alltoallv.
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
    """Without the ranks of a send or receive."""
    ranks: tuple[int, int] | None
    """The own one and the peer's in the group, if it is a send or receive."""
    sequence: tuple[bool, int]
    """Whether it is numbered as a send or receive, and its number in its group; a batch has one."""
    logical: int
    """Its number in its group, in which each operation of a batch counts."""
    sent: int
    """The number of tensors that are not empty, as of those received."""
    received: int
    is_over: bool
    stack: tuple[Frame, ...]
    """The innermost call first; empty if it is not recorded."""


class Dump(NamedTuple):
    """What one rank has recorded."""

    groups: Mapping[str, tuple[int, ...]]
    """The ranks of process groups, by name, if they are recorded."""
    entries: Sequence[Entry]


def is_dump(document: object) -> bool:
    """Whether JSON is a dump of a Flight Recorder.

    >>> is_dump({"version": "2.10", "pg_config": {}}), is_dump({"resourceSpans": []})
    (True, False)
    """
    return isinstance(document, dict) and GROUPS in document


def read_dump(rank: int, document: Any) -> Dump:
    """A dump, whose entries are numbered from 0.  Raises InputError."""
    where = f"rank{rank}: "
    version = _field(document, "version", str, where)
    if not _VERSION.fullmatch(version):
        why = "is not read: dumps of version 2 are"
        raise InputError(f"{where}the version '{harmless(version[:20])}' of its dump {why}")
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
    """An entry of a dump.  Raises InputError, with the place."""
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
        stack=tuple(_frame(each, where) for each in _stack(found, where)),
    )


def _stack(found: Mapping[str, Any], where: str) -> Sequence[Any]:
    """The frames of an entry; none if they are not recorded."""
    return _field(found, "frames", list, where) if "frames" in found else ()


def _frame(found: Any, where: str) -> Frame:
    if not isinstance(found, dict):
        raise InputError(f"{where}a frame must be an object")
    function, file = (_field(found, key, str, where) for key in ("name", "filename"))
    return Frame(function, file, _field(found, "line", int, where))


def _tensors(found: Mapping[str, Any], key: str, where: str) -> int:
    """How many of the tensors whose sizes are a field have any element.  Raises InputError."""
    found_any = 0
    for sizes in _field(found, key, list, where):
        if not isinstance(sizes, list) or not all(type(size) is int and size >= 0 for size in sizes):
            raise InputError(f"{where}'{key}' must be lists of whole numbers, from 0")
        found_any += 0 not in sizes
    return found_any


def _members(group: Any, where: str) -> tuple[int, ...]:
    """The ranks of a process group, which are written as text."""
    ranks = strict_json(_field(group, "ranks", str, f"{where}{GROUPS}: "), f"{where}{GROUPS}: ")
    are_ranks = isinstance(ranks, list) and all(type(rank) is int and rank >= 0 for rank in ranks)
    if not are_ranks or len({*ranks}) < len(ranks):
        raise InputError(f"{where}{GROUPS}: 'ranks' must be a list of different ranks")
    return tuple(ranks)


def _field(found: Any, key: str, kind: type, where: str) -> Any:
    """A field, of a type.  Raises InputError unless there is one."""
    value = found.get(key) if isinstance(found, dict) else None
    if type(value) is not kind:
        raise InputError(f"{where}there must be '{key}', {_KINDS[kind]}")
    return value


_KINDS = {str: "a string", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}
