"""OTF2 archives: what is read, and what is refused."""

import shutil
from pathlib import Path

import pytest

from sealcheck.errors import InputError, LimitReached
from sealcheck.language.otf2_archives import read_archive
from sealcheck.language.recordings import Begin, Communicator, End, Enter, Post, Receive, Send
from sealcheck.support.processes import Limits

otf2 = pytest.importorskip("otf2", reason="the extra otf2 is not installed")
events, enums = otf2.events, otf2.enums

RECORDED = Path(__file__).parents[2] / "examples" / "mpi"
LIMITS = Limits(60, 2048)
"""The limits for one archive."""


@pytest.fixture
def write(tmp_path):
    def written(make, flags=enums.GroupFlag.NONE, threads=1, paradigm=enums.Paradigm.MPI):
        folder = tmp_path / "archive"
        with otf2.writer.open(str(folder), timer_resolution=1) as archive:
            definitions = archive.definitions
            node = definitions.system_tree_node("node", parent=None)
            firsts, locations = [], []
            for rank in range(2):
                group = definitions.location_group(f"MPI Rank {rank}", system_tree_parent=node)
                for thread in range(threads):
                    kind = enums.LocationType.CPU_THREAD
                    locations.append(definitions.location(f"thread {thread}", group=group, type=kind))
                firsts.append(locations[-threads])
            definitions.group(
                "", group_type=enums.GroupType.COMM_LOCATIONS, paradigm=paradigm, members=firsts
            )
            kind = enums.GroupType.COMM_GROUP
            all_of = definitions.group(
                "all", group_type=kind, paradigm=paradigm, group_flags=flags, members=firsts
            )
            alone = definitions.group(
                "self", group_type=enums.GroupType.COMM_SELF, paradigm=paradigm, members=[]
            )
            world, own = (
                definitions.comm(name, group=group)
                for name, group in (("MPI_COMM_WORLD", all_of), ("MPI_COMM_SELF", alone))
            )
            region = definitions.region("f", region_role=enums.RegionRole.FUNCTION)
            made = make(world, own, region)
            for location, each in zip(locations, made, strict=False):
                writer = archive.event_writer_from_location(location)
                for event in each:
                    writer(event)
        return str(folder / "traces.otf2")

    return written


def refused(file):
    with pytest.raises(InputError) as why:
        read_archive(file, LIMITS)
    return str(why.value)


def test_the_recorded_exchange():
    found = read_archive(str(RECORDED / "barrier" / "traces.otf2"), LIMITS)
    assert found.communicators == {0: Communicator("MPI_COMM_WORLD", (0, 1, 2))}
    assert found.ranks[0][:4] == [Enter(1, "exchange"), Send(2, 1, 0, 7), Receive(3, 1, 0, 7), Begin(5)]
    assert found.ranks[0][4][:3] == End(6, "BARRIER", 0, 0, 0, 0)[:3]


def test_each_event_of_mpi_is_read(write):
    none = enums.Undefined.UINT64.value

    def make(world, own, region):
        yield [
            events.Enter(1, region),
            events.MpiIsend(2, 1, world, 7, 8, 11),
            events.MpiIsendComplete(3, 11),
            events.MpiSend(4, 1, world, 8, 8),
            events.NonBlockingCollectiveRequest(5, 12),
            events.NonBlockingCollectiveComplete(6, enums.CollectiveOp.BARRIER, world, 0, 0, 0, 12),
            events.Leave(7, region),
        ]
        yield [
            events.MpiIrecvRequest(1, 21),
            events.MpiRequestTest(2, 21),
            events.MpiIrecv(3, 0, world, 7, 8, 21),
            events.MpiProbe(4, 0, world, 8, none),
            events.MpiProbe(5, 0, world, 8, 22),
            events.MpiMrecv(6, 22, 8),
            events.NonBlockingCollectiveRequest(7, 23),
            events.NonBlockingCollectiveComplete(8, enums.CollectiveOp.BARRIER, world, 0, 0, 0, 23),
            events.MpiCollectiveBegin(9),
            events.MpiCollectiveEnd(10, enums.CollectiveOp.ALLREDUCE, own, 0, 8, 8),
        ]

    found = read_archive(write(make), LIMITS)
    assert found.ranks == [
        [Enter(1, "f"), Send(2, 1, 0, 7), Send(4, 1, 0, 8), Post(5, 12), End(6, "BARRIER", 0, 0, 0, 0, 12)],
        [
            *(Post(1, 21), Receive(3, 0, 0, 7, 21), Receive(5, 0, 0, 8)),
            *(Post(7, 23), End(8, "BARRIER", 0, 0, 0, 0, 23)),
            *(Begin(9), End(10, "ALLREDUCE", 1, 0, 8, 8)),
        ],
    ]
    assert found.communicators[1] == Communicator("MPI_COMM_SELF", (1,))


REFUSED = {
    "MeasurementOnOff: events are missing while recording is off": lambda world, own, region: [
        events.MeasurementOnOff(5, enums.MeasurementMode.OFF)
    ],
    "MpiRequestCancelled: a request is cancelled, so whether its message is received is unknown": (
        lambda world, own, region: [events.MpiRequestCancelled(5, 1)]
    ),
    "RmaGroupSync: such events are not supported": lambda world, own, region: [
        events.RmaGroupSync(5, 0, world._registry._definition_registry.rma_win("w", comm=world), world.group)
    ],
    "MpiCollectiveEnd: the collective ALLOCATE is not supported": lambda world, own, region: [
        events.MpiCollectiveBegin(4),
        events.MpiCollectiveEnd(5, enums.CollectiveOp.ALLOCATE, world, 0, 0, 0),
    ],
}


@pytest.mark.parametrize("why", REFUSED)
def test_events_are_refused_by_name(write, why):
    found = refused(write(lambda *given: [REFUSED[why](*given)]))
    assert found.endswith(f", time 5: {why}")
    assert found.startswith(("rank0", "'MPI Rank 0, thread 0'"))


def test_only_the_first_thread_communicates(write):
    entered = write(lambda world, own, region: [[], [events.Enter(1, region)]], threads=2)
    assert read_archive(entered, LIMITS).ranks == [[], []]


def test_other_threads_that_send_are_refused(write):
    found = refused(write(lambda world, own, region: [[], [events.MpiSend(1, 1, world, 7, 8)]], threads=2))
    why = "'MPI Rank 0, thread 1', time 1: MpiSend: only the first thread of a process may communicate"
    assert found == why


def test_communicators_that_are_no_group_are_refused(write):
    send = lambda world, own, region: [[events.MpiSend(1, 1, world, 7, 8)]]  # noqa: E731
    assert refused(write(send, flags=enums.GroupFlag.GLOBAL_MEMBERS)) == (
        "rank0, time 1: MpiSend: its communicator 'MPI_COMM_WORLD' is not one of a group of MPI processes"
    )


def test_archives_without_mpi_are_refused(write):
    assert (
        refused(write(lambda *_: [], paradigm=enums.Paradigm.PTHREAD))
        == "the archive has no processes of MPI"
    )


@pytest.mark.parametrize("file", ["traces.otf2", "traces.def", "traces/1.evt"])
def test_broken_archives_are_refused(tmp_path, capfd, file):
    shutil.copytree(RECORDED / "right", tmp_path, dirs_exist_ok=True)
    (tmp_path / file).write_bytes((tmp_path / file).read_bytes()[:-40])
    assert refused(str(tmp_path / "traces.otf2")).startswith("the archive is broken or incomplete: ")
    assert capfd.readouterr() == ("", "")


def test_missing_events_are_noticed(tmp_path):
    shutil.copytree(RECORDED / "right", tmp_path, dirs_exist_ok=True)
    shutil.copy(tmp_path / "traces/0.evt", tmp_path / "traces/1.evt")
    found = refused(str(tmp_path / "traces.otf2"))
    assert (
        found == "the archive is broken or incomplete: it has 10 of 16 events of 'MPI Rank 1, Master thread'"
    )


def test_limits_hold():
    with pytest.raises(LimitReached, match=r"more than 0 s \(--seconds\)"):
        read_archive(str(RECORDED / "right" / "traces.otf2"), Limits(0, 2048))


def test_without_the_package_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr("sealcheck.language.otf2_archives.find_spec", lambda name: None)
    assert refused("traces.otf2") == ("OTF2 archives need the extra otf2 of sealcheck: pip install otf2")


def test_communicators_without_a_name_have_none(write):
    def make(world, own, region):
        world._name = "Comm #0"
        yield [events.MpiSend(2, 1, world, 7, 8)]

    assert read_archive(write(make), LIMITS).communicators == {0: Communicator("", (0, 1))}
