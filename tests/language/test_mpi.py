"""Recorded MPI programs as layers over ports: matching, collectives, phases."""

from itertools import product

import pytest

from sealcheck.errors import InputError
from sealcheck.language.mpi import Reading, layered
from sealcheck.language.recordings import (
    BARRIER,
    COLLECTIVES,
    MPI,
    Begin,
    Communicator,
    End,
    Enter,
    Post,
    Receive,
    Recording,
    Send,
)

DATA = {
    "to root": ("REDUCE", "GATHER", "GATHERV"),
    "from root": ("BCAST", "SCATTER", "SCATTERV"),
    "prefix": ("SCAN", "EXSCAN"),
    "none": ("ALLTOALLV", "ALLTOALLW", "CREATE_HANDLE", "DESTROY_HANDLE"),
}
N, ROOT = 3, 1


def read(*ranks, communicators=None, any_source=(), split_at=()):
    world = {0: Communicator(MPI.world, tuple(range(len(ranks))))}
    reading = Reading(frozenset(any_source), frozenset(split_at))
    return layered(Recording(communicators or world, ranks), reading)


def texts(found):
    return {name: [str(event) for event in events] for name, events in found.trace.layers.items()}


def wrong(*ranks, **more):
    with pytest.raises(InputError) as refused:
        read(*ranks, **more)
    return str(refused.value)


def depends(operation, waits, other):
    if operation in DATA["none"]:
        return False
    if operation in DATA["to root"]:
        return waits == ROOT
    if operation in DATA["from root"]:
        return other == ROOT
    return other < waits if operation in DATA["prefix"] else True


def waited_for(events):
    """The pairs of processes such that the first cannot end before the second begins.

    By trying: processes send as soon as they can, and one process does not begin.
    """
    found = set()
    for absent in range(1, N + 1):
        left = {p: [e for e in events if (e.receiver if e.kind else e.sender) == p] for p in range(1, N + 1)}
        sent, moved = [], True
        while moved:
            moved = False
            for process, rest in left.items():
                while rest and process != absent:
                    event = rest[0]
                    if event.kind and (event.sender, event.receiver) not in sent:
                        break
                    (sent.remove if event.kind else sent.append)((event.sender, event.receiver))
                    rest.pop(0)
                    moved = True
        found |= {(process - 1, absent - 1) for process, rest in left.items() if rest and process != absent}
    return found


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize("operation", COLLECTIVES)
def test_a_process_waits_for_those_whose_data_it_needs(operation, blocking):
    request = None if blocking else 5
    end = End(2, operation, 0, ROOT, 8, 8, request)
    events = read(*[[Begin(1) if blocking else Post(1, 5), end]] * N).trace.layers[""]
    pairs = {(a, b) for a, b in product(range(N), repeat=2) if a != b and depends(operation, a, b)}
    assert waited_for(events) == pairs


def test_a_blocking_barrier_has_few_messages():
    blocking = read(*[[Begin(1), End(2, BARRIER, 0, 0, 0, 0)]] * 8)
    assert len(blocking.trace.layers[""]) == 2 * 2 * 7
    other = read(*[[Post(1, 1), End(2, BARRIER, 0, 0, 0, 0, 1)]] * 8)
    assert len(other.trace.layers[""]) == 2 * 8 * 7


def test_nobody_waits_for_data_that_are_empty():
    ends = [End(2, "GATHERV", 0, 0, sent, received) for sent, received in ((0, 8), (8, 0), (0, 0))]
    assert texts(read(*([Begin(1), end] for end in ends)))[""] == ["rcv 1<-2:gatherv", "snd 2->1:gatherv"]


def test_messages_of_nonblocking_receives_are_matched_as_posted():
    """Receives complete in another order than they are posted."""
    sender = [Enter(1, "f"), Send(2, 1, 0, 7), Send(3, 1, 0, 7), Enter(4, "f"), Send(5, 1, 0, 7)]
    receiver = [Enter(1, "f"), Post(2, 1), Post(3, 2), Receive(4, 0, 0, 7, 2), Receive(5, 0, 0, 7, 1)]
    receiver += [Enter(6, "f"), Post(7, 1), Receive(8, 0, 0, 7, 1)]
    found = texts(read(sender, receiver, split_at=["f"], any_source=["all"]))
    assert found["f 1"] == ["snd 1->2:7"] * 2 + ["rcv 2<-*:7"] * 2
    assert found["f 2"] == ["snd 1->2:7", "rcv 2<-*:7"]


def test_receives_take_place_where_a_later_one_completes():
    """MPI gives messages to receives in the order in which they are posted."""
    sender = [Send(1, 1, 0, 7), Send(2, 1, 0, 7), Receive(3, 1, 0, 8)]
    receiver = [Post(1, 1), Post(2, 2), Receive(3, 0, 0, 7, 2), Send(4, 0, 0, 8), Receive(5, 0, 0, 7, 1)]
    events = texts(read(sender, receiver))[""]
    assert events[3:] == ["rcv 2<-1:7", "rcv 2<-1:7", "snd 2->1:8"]


def test_a_receive_that_is_posted_early_takes_an_early_message():
    """MPI gives it the first message, although it completes in the next layer."""
    sender = [Enter(1, "f"), Send(2, 1, 0, 7), Enter(3, "f"), Send(4, 1, 0, 7)]
    receiver = [Enter(1, "f"), Post(2, 1), Receive(3, 0, 0, 7), Enter(4, "f"), Receive(5, 0, 0, 7, 1)]
    assert wrong(sender, receiver, split_at=["f"]) == (
        "rank1, time 5: in f 2 it receives a message that rank0 sends in f 1, with tag 7, by a receive that"
        " is posted in f 1: both ends of a message must be in one layer"
    )


def test_an_overtaken_message_is_named():
    first = [Enter(1, "f"), Enter(2, "f"), Send(3, 1, 0, 7)]
    second = [Enter(1, "f"), Receive(2, 0, 0, 7), Enter(3, "f")]
    assert wrong(first, second, split_at=["f"]) == (
        "rank1, time 2: in f 1 it receives a message that rank0 sends in f 2, with tag 7: both ends of a"
        " message must be in one layer"
    )


def test_layers_have_the_names_of_regions():
    message = [Send(0, 1, 0, 1)], [Receive(0, 0, 0, 1)]
    calm, busy = ([*before, Enter(1, "f"), Enter(2, "g"), Enter(3, "f")] for before in ([], message[0]))
    other = [*message[1], Enter(1, "f"), Enter(2, "g"), Enter(3, "f")]
    assert [*texts(read(calm, calm, split_at=["f", "g"]))] == ["f 1", "g 1", "f 2"]
    assert [*texts(read(busy, other, split_at=["f", "g"]))] == ["before f 1", "f 1", "g 1", "f 2"]
    assert read(calm, calm).trace.protocol() is None


def test_communicators_have_tags_of_their_own():
    communicators = {
        0: Communicator(MPI.world, (0, 1, 2)),
        1: Communicator("row 1", (2, 0)),
        2: Communicator("", (1, 2)),
        3: Communicator("comm2", (0, 1)),
    }
    ranks = (
        [Receive(1, 0, 1, 7), Send(2, 1, 3, 1)],
        [Receive(1, 0, 3, 1), Send(2, 1, 2, 4), Send(3, 2, 0, 7)],
        [Send(1, 1, 1, 7), Receive(2, 0, 2, 4), Receive(3, 1, 0, 7)],
    )
    found = read(*ranks, communicators=communicators)
    tags = {event.tag for event in found.trace.layers[""]}
    assert tags == {"row-1-7", "comm3-1", "comm2-4", "7"} == found.tags
    assert found.unnamed in ("comm2-4", "comm3-1")


def test_the_user_says_which_receives_are_from_any_source():
    receiver = [Receive(1, 1, 0, 7), Receive(2, 2, 0, 7), Receive(3, 1, 0, 8)]
    ranks = receiver, [Send(1, 0, 0, 7), Send(2, 0, 0, 8)], [Send(1, 0, 0, 7)]
    assert (read(*ranks).shared, read(*ranks).heeded) == (("rank0<-*:7",), frozenset())
    for said in ("7", "rank0<-*:7"):
        found = read(*ranks, any_source=[said, "9"])
        assert texts(found)[""][:3] == ["rcv 1<-*:7", "rcv 1<-*:7", "rcv 1<-2:8"]
        assert (found.shared, found.heeded) == ((), {said})
    assert texts(read(*ranks, any_source=["all"]))[""][2] == "rcv 1<-*:8"


CALL = [Begin(1), End(2, BARRIER, 0, 0, 0, 0)]
REFUSED = {
    "rank0, time 1: rank1 never receives this message, with tag 7: record until it does": (
        [Send(1, 1, 0, 7)],
        [],
    ),
    "rank1, time 1: it receives a message that rank0 does not send, with tag 7": ([], [Receive(1, 0, 0, 7)]),
    "rank0, time 1: it sends to itself, which is not supported over ports": ([Send(1, 0, 0, 7)], []),
    "rank0, time 1: there is no rank 5 in MPI_COMM_WORLD": ([Send(1, 5, 0, 7)], []),
    "rank0, time 2: the request 3 starts again before it is complete": ([Post(1, 3), Post(2, 3)], []),
    "rank0, time 1: it ends, but does not begin: the recording is incomplete": (
        [Receive(1, 1, 0, 7, 3)],
        [],
    ),
    "rank1, time 2: it ends, but does not begin: the recording is incomplete": ([], CALL[1:]),
    "rank0, time 1: a receive or a collective begins, but does not end: record until it ends": (CALL[:1], []),
    "rank0, time 2: it calls MPI_Barrier on MPI_COMM_WORLD, but rank1 does not take part": (CALL, []),
    "rank0, time 2: it calls MPI_Barrier on MPI_COMM_WORLD, but rank1 calls MPI_Scan": (
        CALL,
        [Begin(1), End(2, "SCAN", 0, 0, 4, 4)],
    ),
    "rank0, time 2: it calls MPI_Scan on MPI_COMM_WORLD, but rank1 calls MPI_Bcast with root 1": (
        [Begin(1), End(2, "SCAN", 0, 0, 4, 4)],
        [Begin(1), End(2, "BCAST", 0, 1, 4, 4)],
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_is_refused(why):
    assert wrong(*REFUSED[why]) == why


def test_layers_that_cannot_be_are_refused():
    assert wrong([Enter(1, "MPI_Init"), Enter(2, "g")], [], split_at=["f"]) == (
        "no process enters the region 'f': regions are g, MPI_Init"
    )
    assert wrong([], [], split_at=["f"]) == "no process enters the region 'f': regions are none"
    assert wrong([Enter(1, "f"), Enter(2, "f")], [Enter(1, "f")], split_at=["f"]) == (
        "all processes must enter the regions that begin layers in the same order, unlike rank0"
        " (2 entries) and rank1 (1 entry)"
    )
    late = [Enter(1, "f"), Enter(2, "f"), *CALL]
    assert wrong([Enter(1, "f"), *CALL, Enter(3, "f")], late, split_at=["f"]) == (
        "rank1, time 2: MPI_Barrier on MPI_COMM_WORLD is in the layers f 1 and f 2: it must be within one"
    )
    assert wrong([Enter(1, '"')], [Enter(1, '"')], split_at=['"']) == (
        """region: the name '" 1' has a quotation mark, which ends a name in program text"""
    )
