"""OTF2 archives, as Score-P and other recorders write them: the MPI events of each process.

The optional package `otf2` reads the archives.  It runs in another process, within limits of time and memory,
because its C library writes to standard error, and may hang if an archive is broken.  Events that do not
affect messages are skipped.  Events of unknown types are refused, and the error names the type.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from importlib.util import find_spec
from multiprocessing import current_process
from typing import Any

from sealcheck.errors import InputError
from sealcheck.language import recordings
from sealcheck.language.recordings import COLLECTIVES
from sealcheck.support.processes import Bounded, Limits
from sealcheck.words import harmless


def read_archive(file: str, limits: Limits) -> recordings.Recording:
    """The recording in an archive, given its file ``.otf2``.  Raises InputError, and LimitReached."""
    if find_spec("otf2") is None:
        raise InputError("OTF2 archives need the extra otf2 of sealcheck: pip install otf2")
    if current_process().daemon:  # this process is within limits already, and may not start others
        return _read(file)
    with Bounded(_read, limits) as read:
        return read(file)


def _read(file: str) -> recordings.Recording:
    import otf2

    with _without_standard_error():
        try:
            archive = otf2.reader.Reader(file, batch_events=_BATCH)
        except Exception as error:
            raise _broken(error) from None
        return _Archive(archive).recording()


@contextmanager
def _without_standard_error() -> Iterator[None]:
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere):
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


_BATCH = 1000
"""Events that the library reads at once."""


def _events(archive: Any) -> Iterator[tuple[Any, Any]]:
    try:
        yield from archive.events
    except Exception as error:
        raise _broken(error) from None


def _broken(error: Exception) -> InputError:
    """The InputError for an exception of the library, or of Python in its callbacks, of any type."""
    said = harmless(str(error).split("\n")[0].strip()[:80]) or type(error).__name__
    return InputError(f"the archive is broken or incomplete: {said}")


_SKIPPED = frozenset(
    {
        *("Leave", "ProgramBegin", "ProgramEnd", "BufferFlush", "MpiIsendComplete", "MpiRequestTest"),
        *("Metric", "ParameterString", "ParameterInt", "ParameterUnsignedInt"),
        *("CallingContextEnter", "CallingContextLeave", "CallingContextSample", "CommCreate", "CommDestroy"),
        *("MpiMrecv", "MpiImrecvRequest", "MpiImrecv"),
    }
)
"""Types of events that do not affect messages.

Receives after MPI_Mprobe are skipped, because MPI_Mprobe counts as the receive.
"""
_SKIPPED_FAMILIES = ("Omp", "Thread", "Io")
"""The prefixes of the names of events within a process."""
_REASONS = {
    "MeasurementOnOff": "events are missing while recording is off",
    "MpiRequestCancelled": "a request is cancelled, so whether its message is received is unknown",
}
"""The reason why events of these types are refused.  Other unknown types are not supported."""


_NO_NAME = re.compile(r"Comm #[0-9]+")
"""The name that the library gives to a communicator without one."""


class _Archive:
    """An archive while its events are read."""

    def __init__(self, archive: Any) -> None:
        self._archive = archive
        self._ranks = {location: rank for rank, location in enumerate(self._locations())}
        self._events: list[list[recordings.MpiEvent]] = [[] for _ in self._ranks]
        self._numbers: dict[tuple[Any, int | None], int] = {}
        self._communicators: dict[int, recordings.Communicator] = {}

    def recording(self) -> recordings.Recording:
        """All events.  Raises InputError if an event is refused, or if events are missing."""
        counts = dict.fromkeys(self._archive.definitions.locations, 0)
        for location, event in _events(self._archive):
            counts[location] += 1
            kind = type(event).__name__
            if kind in _READ:
                if location in self._ranks:
                    rank = self._ranks[location]
                    self._events[rank].extend(_READ[kind](self, rank, event))
                elif kind != "Enter":
                    raise _refused(location, event, "only the first thread of a process may communicate")
            elif kind not in _SKIPPED and not kind.startswith(_SKIPPED_FAMILIES):
                raise _refused(location, event, _REASONS.get(kind, "such events are not supported"))
        for location, count in counts.items():
            if count != location.number_of_events:
                found = f"{count} of {location.number_of_events} events of {_called(location)}"
                raise InputError(f"the archive is broken or incomplete: it has {found}")
        return recordings.Recording(self._communicators, self._events)

    def _locations(self) -> list[Any]:
        """The processes of MPI, by their ranks."""
        for group in self._archive.definitions.groups:
            if group.members and (group.group_type, group.paradigm) == _of_mpi("COMM_LOCATIONS"):
                return list(group.members)
        raise InputError("the archive has no processes of MPI")

    def _communicator(self, rank: int, event: Any) -> int:
        """The number of an event's communicator.  MPI_COMM_SELF has a different number for each process."""
        group: Any = getattr(event.communicator, "group", None)
        kind = (group.group_type, group.paradigm) if group is not None else None
        own = rank if kind == _of_mpi("COMM_SELF") else None
        key = event.communicator, own
        if key not in self._numbers:
            if own is not None:
                members: tuple[int, ...] = (own,)
            elif kind == _of_mpi("COMM_GROUP") and not group.group_flags:
                members = tuple(self._ranks[location] for location in group.members)
            else:
                why = f"its communicator '{_name(event.communicator)}' is not one of a group of MPI processes"
                raise _refused(f"rank{rank}", event, why)
            number = self._numbers[key] = len(self._numbers)
            name = "" if _NO_NAME.fullmatch(event.communicator.name) else event.communicator.name
            self._communicators[number] = recordings.Communicator(name, members)
        return self._numbers[key]

    def enter(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A region is entered."""
        yield recordings.Enter(event.time, getattr(event.region, "name", ""))

    def send(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A send, blocking or not."""
        yield recordings.Send(event.time, event.receiver, self._communicator(rank, event), event.msg_tag)

    def post(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A nonblocking receive or collective begins."""
        yield recordings.Post(event.time, event.request_id)

    def receive(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A receive, blocking or not, is over."""
        communicator, request = self._communicator(rank, event), getattr(event, "request_id", None)
        yield recordings.Receive(event.time, event.sender, communicator, event.msg_tag, request)

    def probe(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A probe found a message.  MPI_Probe leaves it to any receive; MPI_Mprobe receives it."""
        import otf2

        if event.message_id != otf2.enums.Undefined.UINT64.value:
            yield recordings.Receive(event.time, event.sender, self._communicator(rank, event), event.tag)

    def begin(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A blocking collective begins."""
        yield recordings.Begin(event.time)

    def end(self, rank: int, event: Any) -> Iterator[recordings.MpiEvent]:
        """A collective, blocking or not, is over."""
        try:
            operation = str(event.collective_op).partition(".")[2]
        except KeyError:  # the library has no name for it
            operation = str(event.collective_op.value)
        if operation not in COLLECTIVES:
            raise _refused(f"rank{rank}", event, f"the collective {operation} is not supported")
        communicator, request = self._communicator(rank, event), getattr(event, "request_id", None)
        sizes = event.size_sent, event.size_received
        yield recordings.End(event.time, operation, communicator, event.root, *sizes, request)


_READ: dict[str, Callable[[_Archive, int, Any], Iterator[recordings.MpiEvent]]] = {
    "Enter": _Archive.enter,
    **dict.fromkeys(("MpiSend", "MpiIsend"), _Archive.send),
    **dict.fromkeys(("MpiIrecvRequest", "NonBlockingCollectiveRequest"), _Archive.post),
    **dict.fromkeys(("MpiRecv", "MpiIrecv"), _Archive.receive),
    "MpiProbe": _Archive.probe,
    "MpiCollectiveBegin": _Archive.begin,
    **dict.fromkeys(("MpiCollectiveEnd", "NonBlockingCollectiveComplete"), _Archive.end),
}
"""How an event is read, by its type."""


def _of_mpi(group: str) -> tuple[Any, Any]:
    """The type and the paradigm of an MPI group of this type."""
    import otf2

    return getattr(otf2.GroupType, group), otf2.Paradigm.MPI


def _name(defined: Any) -> str:
    """The name of a definition; empty if there is none."""
    return harmless(getattr(defined, "name", "")[:40])


def _called(location: Any) -> str:
    return f"'{', '.join(filter(None, map(_name, (location.group, location))))}'"


def _refused(where: Any, event: Any, why: str) -> InputError:
    place = where if isinstance(where, str) else _called(where)
    return InputError(f"{place}, time {event.time}: {type(event).__name__}: {why}")
