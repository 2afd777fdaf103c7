"""Recordings of programs: the events of ranks, the assumptions made, and remarks.

A *rank* is a process of a job over MPI, NCCL or Gloo.  A *communicator* is a group of ranks.  Ranks send and
receive within a communicator, and all its ranks take part in its collectives.  OTF2 archives, Flight Recorder
dumps and Chakra traces record ranks.  Exports of OpenTelemetry record spans, which have no ranks.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.words import counted


class Assumption(StrEnum):
    """An assumption about the order of events, which users may switch off."""

    ANSWER = "answer-at-end"
    CLOCK = "own-clock"
    RECORDED = "recorded-order"

    @property
    def sentence(self) -> str:
        """The assumption as a sentence."""
        match self:
            case Assumption.ANSWER:
                return "a server answers when its span ends"
            case Assumption.CLOCK:
                return "the events of a service happen in the order of its own clock, as in one thread"
            case Assumption.RECORDED:
                return "the operations of a rank happen in the order in which they are recorded"
            case _:
                assert_never(self)


Assumptions = frozenset[Assumption]
EVERY = frozenset(Assumption)
OF_SPANS = EVERY - {Assumption.RECORDED}
OF_RANKS = EVERY - OF_SPANS


def assumptions_but(words: Iterable[str]) -> Assumptions:
    """All assumptions except these.  Raises InputError if a word is unknown.

    >>> sorted(assumptions_but(["own-clock"]))
    [<Assumption.ANSWER: 'answer-at-end'>, <Assumption.RECORDED: 'recorded-order'>]
    """
    words = list(words)
    if unknown := next((word for word in words if word not in list(Assumption)), None):
        raise InputError(f"'{unknown[:20]}' is not an assumption: give {', '.join(Assumption)}")
    return EVERY - {Assumption(word) for word in words}


def require_about(assuming: Assumptions, *, spans: bool, jobs: bool) -> None:
    """Raise InputError if an assumption is switched off that is about none of the inputs.

    >>> require_about(assumptions_but(["own-clock"]), spans=False, jobs=True)
    Traceback (most recent call last):
    sealcheck.errors.InputError: 'own-clock' is an assumption about spans, and no input has spans
    """
    for each in sorted(EVERY - assuming):
        if each in OF_SPANS and not spans:
            raise InputError(f"'{each}' is an assumption about spans, and no input has spans")
        if each in OF_RANKS and not jobs:
            raise InputError(f"'{each}' is an assumption about training jobs, and no input is one")


@dataclass(frozen=True)
class Remarks:
    """Remarks on recordings: the assumptions made, and the spans left out."""

    assumed: frozenset[tuple[Assumption, str]] = frozenset()
    """Each assumption, with a process for which it is made."""
    clients: tuple[str, ...] = ()
    """The process of each CLIENT span without a SERVER span."""
    servers: tuple[str, ...] = ()
    """The process of each SERVER span that is called from outside."""

    def __add__(self, other: "Remarks") -> "Remarks":
        return Remarks(
            self.assumed | other.assumed, self.clients + other.clients, self.servers + other.servers
        )

    def lines(self) -> list[str]:
        """One line for each remark.

        >>> *_, last = Remarks(clients=("a", "b", "a"), servers=("a",)).lines()
        >>> print(last)
        left out: 3 CLIENT spans without a SERVER span, such as queries of databases (2 of a, 1 of b); \
1 SERVER span that is called from outside (1 of a)
        """
        found = []
        for each in Assumption:
            if processes := sorted(process for assumption, process in self.assumed if assumption is each):
                found.append(f"assumed ({each}): {each.sentence} ({some(processes)})")
        left_out = []
        if self.clients:
            spans = counted(len(self.clients), "CLIENT span")
            left_out.append(
                f"{spans} without a SERVER span, such as queries of databases ({_counts(self.clients)})"
            )
        if self.servers:
            spans, called = counted(len(self.servers), "SERVER span"), "are" if self.servers[1:] else "is"
            left_out.append(f"{spans} that {called} called from outside ({_counts(self.servers)})")
        return [*found, *(["left out: " + "; ".join(left_out)] if left_out else [])]


MOST_NAMED = 5
"""Processes in a remark."""


def _counts(processes: Iterable[str]) -> str:
    return some([f"{count} of {process}" for process, count in Counter(processes).most_common()])


def some(words: Sequence[str]) -> str:
    """The first few words, and how many more there are.

    >>> some("abcdefg")
    'a, b, c, d, e, 2 more'
    """
    more = [f"{len(words) - MOST_NAMED} more"] if len(words) > MOST_NAMED else []
    return ", ".join([*words[:MOST_NAMED], *more])


class Recorder(NamedTuple):
    """A kind of recording: its words in messages, and its guarantees."""

    over_ports: str
    """The reason why a recorded program is over ports, for error messages."""
    transport: str
    """The transport of the recorded messages; empty if it is not known."""
    world: str
    """The name of the communicator of all ranks.  In this communicator, tags have no prefix."""
    place: str
    """The word for the number of an event: time, entry …"""
    called: Callable[[str], str]
    """What a collective is called."""
    left_open: str
    """An assumption that is always made, because the recording cannot show whether it is true.

    ``{}`` stands for words such as *no receive*.
    """
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
    """A communicator: its name (perhaps empty), and its processes as ranks of the job."""

    name: str
    members: tuple[int, ...]


class Enter(NamedTuple):
    """A region is entered."""

    time: int
    region: str


class Send(NamedTuple):
    """A send; the receiver is a rank in the communicator."""

    time: int
    to: int
    communicator: int
    tag: int | str


class Post(NamedTuple):
    """The beginning of a nonblocking receive or collective; `request` identifies it in its process."""

    time: int
    request: int


class Receive(NamedTuple):
    """The end of a receive; the sender is a rank in the communicator."""

    time: int
    sender: int
    communicator: int
    tag: int | str
    request: int | None = None


class Begin(NamedTuple):
    """A blocking collective begins."""

    time: int


class End(NamedTuple):
    """A collective is complete."""

    time: int
    operation: str
    """As OTF2 calls it: BARRIER, BCAST …"""
    communicator: int
    root: int | None
    """The root.  None if it is not recorded: then the assumption is that no process waits."""
    sent: int
    """The number of bytes or tensors that this process sends; any positive number if it is unknown."""
    received: int
    request: int | None = None


MpiEvent = Enter | Send | Post | Receive | Begin | End


@dataclass(frozen=True)
class Recording:
    """A recorded program."""

    communicators: Mapping[int, Communicator]
    ranks: Sequence[Sequence[MpiEvent]]
    """The events of each process, in the order in which they happen at the process."""
    recorder: Recorder = MPI
    assumed: frozenset[tuple[Assumption, str]] = frozenset()
    """Each assumption about the order of events, with a process for which it is made."""


Waits = Callable[[int, int, int | None], bool]
"""Whether the first rank waits for the second; the third argument is the root, if it is known."""


def everyone(waits: int, other: int, root: int | None) -> bool:
    """Whether a rank waits for another rank: always, as in a barrier."""
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
"""For each collective, which processes wait for which others.

In a barrier, every process waits for all others.  In other collectives, a process waits for another process
if it needs data of that process for its result: MPI promises no more (MPI 4.1, section 6.1).  So no process
waits there for a process that sends no bytes, and a process that receives no bytes does not wait.

Recordings of an MPI_Alltoallv do not show which pairs of processes exchange bytes.  So the assumption is that
no process waits in it.
"""


def has_root(operation: str) -> bool:
    """Whether a collective has a root.

    >>> has_root("BCAST"), has_root("ALLREDUCE")
    (True, False)
    """
    return COLLECTIVES[operation] in (_for_root, _root)
