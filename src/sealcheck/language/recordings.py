"""Recorded programs of ranks: their events, and who waits for whom in a collective.

A rank sends to, and receives from, ranks of a communicator; a collective is a call of all its ranks.  MPI,
NCCL and Gloo have these, and recorders of several kinds write them down.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sealcheck.language.assumptions import Assumption


class Recorder(NamedTuple):
    """The words and guarantees of what is recorded."""

    over_ports: str
    """Why its programs are over ports."""
    transport: str
    """That of its messages; empty if it is not known."""
    world: str
    """The communicator of all ranks, whose tags have no prefix."""
    place: str
    """What the number of an event is: a time, an entry …"""
    called: Callable[[str], str]
    """What a collective is called."""
    left_open: str
    """What is assumed, because the recorder does not tell; ``{}`` stands for *no receive*."""
    names_sources: bool = False
    """Whether each receive is known to name its source."""


def _of_mpi(operation: str) -> str:
    return f"MPI_{operation.capitalize()}"


MPI = Recorder(
    over_ports="it is a recording of MPI",
    transport="mpi",
    world="MPI_COMM_WORLD",
    place="time",
    called=_of_mpi,
    left_open="{} is from any source, and none is of any tag, which OTF2 does not record",
)


class Communicator(NamedTuple):
    """A communicator: its name, which may be empty, and its processes, by their ranks in the world."""

    name: str
    members: tuple[int, ...]


class Enter(NamedTuple):
    """A region is entered."""

    time: int
    region: str


class Send(NamedTuple):
    """A send, whose receiver is a rank in the communicator."""

    time: int
    to: int
    communicator: int
    tag: int | str


class Post(NamedTuple):
    """A nonblocking receive or collective begins; its request is the process's own."""

    time: int
    request: int


class Receive(NamedTuple):
    """A receive is over; the sender is a rank in the communicator."""

    time: int
    sender: int
    communicator: int
    tag: int | str
    request: int | None = None


class Begin(NamedTuple):
    """A blocking collective begins."""

    time: int


class End(NamedTuple):
    """A collective is over."""

    time: int
    operation: str
    """As OTF2 calls it: BARRIER, BCAST …"""
    communicator: int
    root: int | None
    """None if it is not recorded; then nobody is known to wait."""
    sent: int
    """Bytes, or tensors, that this process sends; or any number that is not 0, if unknown."""
    received: int
    request: int | None = None


MpiEvent = Enter | Send | Post | Receive | Begin | End


@dataclass(frozen=True)
class Recording:
    """A recorded program."""

    communicators: Mapping[int, Communicator]
    ranks: Sequence[Sequence[MpiEvent]]
    """The events of each process, in its own order."""
    recorder: Recorder = MPI
    assumed: frozenset[tuple[Assumption, str]] = frozenset()
    """Assumptions about the order of events, each with the process for which it is made."""


Waits = Callable[[int, int, int | None], bool]
"""Whether a rank waits for another one, given the root if it is known."""


def everyone(waits: int, other: int, root: int | None) -> bool:
    """As in a barrier."""
    return True


def _for_root(waits: int, other: int, root: int | None) -> bool:
    return other == root


def _root(waits: int, other: int, root: int | None) -> bool:
    return waits == root


def _for_lower(waits: int, other: int, root: int | None) -> bool:
    return other < waits


def _nobody(waits: int, other: int, root: int | None) -> bool:
    return False


BARRIER = "BARRIER"
COLLECTIVES: Mapping[str, Waits] = {
    **dict.fromkeys((BARRIER, "ALLREDUCE", "ALLGATHER", "ALLGATHERV", "ALLTOALL"), everyone),
    **dict.fromkeys(("REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK"), everyone),
    **dict.fromkeys(("BCAST", "SCATTER", "SCATTERV"), _for_root),
    **dict.fromkeys(("REDUCE", "GATHER", "GATHERV"), _root),
    **dict.fromkeys(("SCAN", "EXSCAN"), _for_lower),
    **dict.fromkeys(("ALLTOALLV", "ALLTOALLW", "CREATE_HANDLE", "DESTROY_HANDLE"), _nobody),
}
"""Who waits for whom: whose result depends on whose data.

MPI promises no more than that, but for the barrier (MPI 4.1, section 6.1: a collective operation may or may
not synchronize).  Nobody waits for a process that sends no bytes, or waits if it receives none.  Recordings
do not tell which processes of an MPI_Alltoallv exchange no bytes; making communicators need not synchronize.
"""


def has_root(operation: str) -> bool:
    """Whether a collective has a root.

    >>> has_root("BCAST"), has_root("ALLREDUCE")
    (True, False)
    """
    return COLLECTIVES[operation] in (_for_root, _root)
