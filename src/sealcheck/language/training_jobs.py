"""Recordings of training jobs: one file for each rank, from PyTorch's Flight Recorder or from Chakra.

The rank is the number at the end of the file's name, before the suffix: ``rank_0``, ``rank_0.json``,
``trace.0.et``.  Dumps of the Flight Recorder are read as JSON.  Pickles are refused, because reading a pickle
may run arbitrary code.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, islice
from multiprocessing import current_process
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

from sealcheck.errors import InputError, blaming
from sealcheck.language.recordings import MOST_NAMED, Assumptions, Recording
from sealcheck.support.processes import Bounded, Limits
from sealcheck.support.strict_json import strict_json
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.language.chakra_files import Node

MESSAGES, JSON = ".et", ".json"
"""The suffix of Chakra's own files, and the suffix of JSON files of both recorders."""
_OF_DUMPS = '"pg_config"'
"""A key that all JSON files of the Flight Recorder have."""
_OF_TRACES = re.compile(rb'"type": *"COM(?:P|M_SEND|M_RECV|M_COLL)_NODE"')
"""A type of nodes; all JSON files of Chakra have a node of such a type."""
_RANK = re.compile(r".*?([0-9]+)")
_PICKLED = (b"\x80", b"PK")
"""The first bytes of pickles, and of archives with pickles."""
CONVERSION = (
    'python3 -c \'import json, pickle, sys; json.dump(pickle.load(open(sys.argv[1], "rb")),'
    ' open(sys.argv[2], "w"))\' {0} {0}.json'
)
MOST_BYTES = 256 * 2**20
"""The largest size of a file of JSON."""


def rank_of(file: str) -> int | None:
    """The rank in the name of a file; None without one.

    >>> rank_of("job/rank_12.json"), rank_of("trace.3.et"), rank_of("dump_0"), rank_of("notes.md")
    (12, 3, 0, None)
    """
    name = PurePath(file).name
    suffix = PurePath(file).suffix.lower()
    if suffix in (MESSAGES, JSON):
        name = name[: -len(suffix)]
    found = _RANK.fullmatch(name)
    return int(found[1]) if found and len(found[1]) < 10 else None


def read_job(files: Sequence[str], limits: Limits, assuming: Assumptions) -> Recording:
    """The recording of a job, given its files.  Raises InputError, and LimitReached."""
    if current_process().daemon:  # this process is within limits already, and may not start others
        return _read((files, assuming))
    with Bounded(_read, limits) as read:
        return read((files, assuming))


def require_all_ranks(content: bytes, file: str) -> None:
    """Raise InputError if a file is the recording of a single rank."""
    suffix = PurePath(file).suffix.lower()
    is_one = _OF_DUMPS.encode() in content or _OF_TRACES.search(content)
    if suffix == MESSAGES or (suffix == JSON and rank_of(file) is not None and is_one):
        raise InputError(
            "this is the recording of one rank: give the folder with the recordings of all ranks"
        )


def _read(given: tuple[Sequence[str], Assumptions]) -> Recording:
    from sealcheck.language.chakra import recorded_traces
    from sealcheck.language.flight_recorder import recorded_job

    files, assuming = given
    by_rank = _by_rank(files)
    dumps: list[Any] = []
    traces: list[list[Node]] = []
    for file in by_rank:
        with blaming(PurePath(file).name), _opened(file) as stream:
            found = _document(stream, file)
            if isinstance(found, list):
                traces.append(found)
            else:
                dumps.append(found)
            if traces and dumps:
                raise InputError("it is of another kind than the files before it: give files of one recorder")
    recording = recorded_job(dumps, assuming) if dumps else recorded_traces(traces, assuming)
    if not any(recording.ranks):
        raise InputError("no rank communicates: was the job recorded while it ran?")
    return recording


def _by_rank(files: Sequence[str]) -> list[str]:
    """The files by rank.  Raises InputError if a rank has no file, or two."""
    found: dict[int, str] = {}
    for file in files:
        rank = rank_of(file)
        name = PurePath(file).name
        if rank is None:
            raise InputError(f"{name}: the name must end with the rank, as in rank_0.json")
        if rank in found:
            raise InputError(f"{name}: {PurePath(found[rank]).name} is of rank {rank}, too")
        found[rank] = file
    if missing := max(found) + 1 - len(found):  # may be many: a date at the end of a name is a large rank
        are = f"{counted(missing, 'rank has', 'ranks have')} no file"
        first = islice((str(rank) for rank in count() if rank not in found), min(missing, MOST_NAMED))
        more = [f"{missing - MOST_NAMED} more"] if missing > MOST_NAMED else []
        raise InputError(f"{are}: {', '.join([*first, *more])}")
    return [found[rank] for rank in sorted(found)]


def _document(stream: BinaryIO, file: str) -> "Mapping[str, Any] | list[Node]":
    from sealcheck.language.chakra_files import nodes_of_json, nodes_of_messages
    from sealcheck.language.flight_recorder import is_dump

    if PurePath(file).suffix.lower() == MESSAGES:
        return list(nodes_of_messages(stream))
    content = stream.read(MOST_BYTES + 1)
    if content.startswith(_PICKLED):
        raise InputError(
            "pickles are not read, because they can run programs. If you trust this file, convert it by"
            f" {CONVERSION.format(PurePath(file).name)}"
        )
    if len(content) > MOST_BYTES:
        raise InputError(f"longer than {MOST_BYTES // 2**20} MiB")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text") from None
    if _OF_DUMPS in text and is_dump(dump := strict_json(text)):
        return dict(dump)
    return list(nodes_of_json(text))


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    try:
        with open(file, "rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
