"""Dumps of Flight Recorders: order, batches, groups, phases, and refusals."""

import pytest

from sealcheck.errors import InputError
from sealcheck.language.flight_recorder import recorded_job
from sealcheck.language.mpi import Reading, layered
from sealcheck.language.recordings import EVERY, Assumption

WORLD = ("0", "default_pg")


def entry(name, number, **more):
    is_peers = "->" in name or "<-" in name
    return {
        "record_id": number,
        "process_group": list(WORLD),
        "collective_seq_id": 0 if is_peers else number + 1,
        "p2p_seq_id": number + 1 if is_peers else 0,
        "op_id": number + 1,
        "profiling_name": name if ":" in name else f"nccl:{name}",
        "input_sizes": [[2]],
        "output_sizes": [[2]],
        "state": "completed",
        "retired": True,
        "is_p2p": is_peers,
        **more,
    }


def dump(*names, groups=None, **more):
    entries = [
        entry(each, at) if isinstance(each, str) else {**each, "record_id": at}
        for at, each in enumerate(names)
    ]
    return {"version": "2.10", "pg_config": groups or {}, "entries": entries, **more}


def group(*ranks):
    return {"name": "0", "desc": "default_pg", "ranks": str([*ranks])}


def texts(*dumps, split_at=(), assuming=EVERY):
    found = layered(recorded_job(dumps, assuming), Reading(split_at=frozenset(split_at)))
    return {name: [str(event) for event in events] for name, events in found.trace.layers.items()}


def wrong(*dumps, assuming=EVERY):
    with pytest.raises(InputError) as refused:
        layered(recorded_job(dumps, assuming), Reading())
    return str(refused.value)


def test_messages_are_in_recorded_order():
    assert texts(dump("send 0->1", "recv 0<-1"), dump("recv 1<-0", "send 1->0")) == {
        "": ["snd 1->2:p2p", "rcv 1<-2:p2p", "rcv 2<-1:p2p", "snd 2->1:p2p"]
    }
    stage = {"process_group": ["7", "pp stage"]}
    ends = (
        dump(entry("send 0->1", 0, **stage), groups={"7": group(1, 2)}),
        dump(entry("recv 1<-0", 0, **stage)),
    )
    assert texts(dump(), *ends) == {"": ["snd 2->3:pp-stage-p2p", "rcv 3<-2:pp-stage-p2p"]}


def test_groups_of_one_description_have_their_names():
    first, second = ({"process_group": [name, "mesh"]} for name in ("4", "5"))
    pairs = [
        (dump(entry("send 0->1", 0, **each)), dump(entry("recv 1<-0", 0, **each))) for each in (first, second)
    ]
    assert texts(*pairs[0], *pairs[1])[""] == [
        *("snd 1->2:mesh-4-p2p", "rcv 2<-1:mesh-4-p2p"),
        *("snd 3->4:mesh-5-p2p", "rcv 4<-3:mesh-5-p2p"),
    ]
    unnamed = {"process_group": ["4", "undefined"]}
    ends = dump(entry("send 0->1", 0, **unnamed)), dump(entry("recv 1<-0", 0, **unnamed))
    assert texts(*ends)[""] == ["snd 1->2:4-p2p", "rcv 2<-1:4-p2p"]


def batch(*names):
    inner = [entry(name, at, p2p_seq_id=1, state="scheduled", retired=False) for at, name in enumerate(names)]
    return [*inner, entry("coalesced", len(names), is_p2p=True, p2p_seq_id=1)]


def test_receives_of_a_batch_take_place_at_its_end():
    assert texts(dump(*batch("recv 0<-1", "send 0->1")), dump(*batch("recv 1<-0", "send 1->0"))) == {
        "": ["snd 1->2:p2p", "rcv 1<-2:p2p", "snd 2->1:p2p", "rcv 2<-1:p2p"]
    }


def test_a_batch_of_another_number_is_another_one():
    early = entry("recv 0<-1", 0, p2p_seq_id=7)
    own = dump(early, *batch("send 0->1"))
    assert texts(own, dump(*batch("send 1->0", "recv 1<-0")))[""][:2] == ["rcv 1<-2:p2p", "snd 1->2:p2p"]
    own["entries"][0] |= {"state": "started"}
    assert wrong(own, dump(*batch("send 1->0", "recv 1<-0"))) == (
        "rank0, entry 0: recv is not over: dump when the job is idle"
    )


COLLECTIVES = {
    "all_reduce": ["snd 1->2:allreduce", "rcv 1<-2:allreduce"],
    "all_reduce_barrier": ["snd 1->2:barrier", "rcv 1<-2:barrier"],
    "_all_gather_base": ["snd 1->2:allgather", "rcv 1<-2:allgather"],
    "reduce_scatter_tensor_coalesced": ["snd 1->2:reduce_scatter", "rcv 1<-2:reduce_scatter"],
    **{name: [] for name in ("broadcast", "reduce", "gather", "scatter", "all_to_all", "split")},
}


@pytest.mark.parametrize("name", COLLECTIVES)
def test_a_rank_waits_for_those_whose_data_it_needs(name):
    events = texts(dump(name), dump(name))[""]
    assert sorted(event for event in events if "1<-" in event or "1->" in event) == sorted(COLLECTIVES[name])


def test_nobody_waits_for_empty_tensors():
    empty = entry("all_reduce", 0, input_sizes=[[0, 5]])
    assert texts(dump(empty), dump("all_reduce"))[""] == ["rcv 1<-2:allreduce", "snd 2->1:allreduce"]


def test_the_order_is_known_on_one_stream():
    one = [dump("all_reduce", "barrier"), dump("all_reduce", "barrier")]
    pair = [dump("send 0->1", "recv 0<-1"), dump("recv 1<-0", "send 1->0")]
    for dumps in (one, pair):
        assert recorded_job(dumps, frozenset()).assumed == frozenset()
    both = [dump("send 0->1", entry("all_reduce", 1, collective_seq_id=1)), dump("all_reduce", "recv 1<-0")]
    assert recorded_job(both, EVERY).assumed == {
        (Assumption.RECORDED, "rank0"),
        (Assumption.RECORDED, "rank1"),
    }
    assert wrong(*both, assuming=frozenset()) == (
        "rank0, entry 1: whether it takes place after the entry 0 is unknown"
    )
    gloo = dump("gloo:all_reduce", "gloo:all_reduce")
    assert wrong(gloo, gloo, assuming=frozenset()).startswith("rank0, entry 1: whether")


def called(*functions):
    return [{"name": name, "filename": "train.py", "line": line} for name, line in functions]


def test_functions_begin_layers():
    paths = [[("share", 5), ("step", 9)], [("share", 6), ("step", 9)], [("share", 5), ("step", 10)]]
    job = dump(
        *(entry("all_reduce", at, frames=called(*path)) for at, path in enumerate([paths[0], *paths] * 2))
    )
    names = [*texts(job, job, split_at=["step"])]
    assert names == ["step 1", "step 2", "step 3", "step 4"]
    assert [*texts(job, job, split_at=["all_reduce"])] == [f"all_reduce {k}" for k in range(1, 9)]
    recursive = entry("barrier", 0, frames=called(("f", 1), ("f", 2), ("main", 3)))
    assert [*texts(dump(recursive), dump(recursive), split_at=["f"])] == ["f 1"]


REFUSED = {
    "rank0: there must be 'version', a string": [{"pg_config": {}}],
    "rank0: version '3.0' of dumps is not supported, only version 2 is": [dump(version="3.0")],
    "rank0: the dump has no 'entries': nothing was recorded, or they were left out": [
        {"version": "2.1", "pg_config": {}}
    ],
    "rank0: the first 2 entries are missing: record with a larger TORCH_FR_BUFFER_SIZE": [
        dump(entries=[entry("barrier", 2)])
    ],
    "rank0: the first 1 entry is missing: record with a larger TORCH_FR_BUFFER_SIZE": [
        dump(entries=[entry("barrier", 1)])
    ],
    "rank0: the entry 1 is missing: dump all entries, not only the active ones": [
        dump(entries=[entry("barrier", 0), entry("barrier", 2)])
    ],
    "rank0: entries[0]: it must be an object": [dump(entries=[7])],
    "rank0: entries[0]: 'process_group' must be a name and a description": [
        dump(entry("barrier", 0, process_group=["0"]))
    ],
    "rank0: entries[0]: the operation 'xccl:barrier' is not supported": [dump("xccl:barrier")],
    "rank0: entries[0]: the operation 'gloo:coalesced' is not supported": [dump("gloo:coalesced")],
    "rank0: entries[0]: the operation 'nccl:send' is not supported": [dump("send")],
    "rank0: entries[0]: there must be 'retired', true or false": [dump(entry("barrier", 0, retired=1))],
    "rank0: entries[0]: there must be 'record_id', a whole number": [dump(entries=[entry("barrier", True)])],
    "rank0: entries[0]: 'output_sizes' must be lists of whole numbers, from 0": [
        dump(entry("barrier", 0, output_sizes=[[2, -1]]))
    ],
    "rank0: entries[0]: 'input_sizes' must be lists of whole numbers, from 0": [
        dump(entry("barrier", 0, input_sizes=[[1.5]]))
    ],
    "rank0: entries[0]: there must be 'frames', a list": [dump(entry("barrier", 0, frames=7))],
    "rank0: the entry 0 is missing: dump all entries, not only the active ones": [
        dump(entries=[entry("barrier", -1)])
    ],
    "rank0: entries[0]: a frame must be an object": [dump(entry("barrier", 0, frames=["f"]))],
    "rank0: entries[0]: there must be 'line', a whole number": [
        dump(entry("barrier", 0, frames=[{"name": "f", "filename": "a.py"}]))
    ],
    "rank0: pg_config: not JSON: Expecting value at column 1": [dump(groups={"0": {"ranks": "x"}})],
    "rank0: pg_config: 'ranks' must be a list of different ranks": [dump(groups={"0": {"ranks": "[0, 0]"}})],
    "rank0 uses the process group '0', but is not in it": [dump("barrier", groups={"0": group(1)}), dump()],
    "rank0: pg_config: there must be 'ranks', a string": [dump(groups={"0": 7})],
    "rank1, entry 0: it is of gloo, but others are of nccl": [dump("barrier"), dump("gloo:barrier")],
    "rank1: the process group '0' has other ranks than in the dumps before": [
        dump(groups={"0": group(0, 1)}),
        dump(groups={"0": group(0)}),
    ],
    "rank1 is in the process group '0', but has no dump here: give the dumps of all ranks": [
        dump(groups={"0": group(0, 1)})
    ],
    "rank1 uses the process group '0', but is not in it": [
        dump("barrier", groups={"0": group(0)}),
        dump("barrier"),
    ],
    "rank1, entry 0: its barrier has the number 8 in its process group, but that of rank0 has 1: record"
    " the same part of the run on all ranks": [
        dump("barrier"),
        dump(entry("barrier", 0, collective_seq_id=8)),
    ],
    "rank0, entry 0: it is of rank 1 in its process group, which is not this rank": [
        dump("send 1->0"),
        dump("barrier"),
    ],
    "rank0, entry 0: it is of rank 5 in its process group, which is not this rank": [dump("send 5->0")],
    "rank0, entry 0: there is no rank 3 in default_pg": [dump("send 0->3")],
    "rank0, entry 0: 2 operations are missing before it: Gloo does not record sends and receives": [
        dump(entry("gloo:barrier", 0, op_id=3))
    ],
    "rank0, entry 1: 1 operation is missing before it: Gloo does not record sends and receives": [
        dump("gloo:barrier", entry("gloo:barrier", 1, op_id=3))
    ],
    "rank0, entry 1: its 'op_id' is not the next one of its process group": [
        dump("gloo:barrier", entry("gloo:barrier", 1, op_id=1))
    ],
    "rank0, entry 0: barrier is not over: dump when the job is idle": [
        dump(entry("barrier", 0, state="started"))
    ],
    "rank0, entry 1: coalesced is not over: dump when the job is idle": [
        dump(*batch("send 0->1")[:1], entry("coalesced", 1, is_p2p=True, p2p_seq_id=1, state="started"))
    ],
    "rank0, entry 0: rank1 never receives this message, with tag p2p: record until it does": [
        dump("send 0->1"),
        dump("send 1->0"),
    ],
    "rank0, entry 0: it calls barrier on default_pg, but rank1 calls allreduce": [
        dump("barrier"),
        dump("all_reduce"),
    ],
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(why):
    assert wrong(*REFUSED[why]) == why


def test_gloo_tells_what_it_retires():
    job = dump(entry("gloo:barrier", 0, state="scheduled"))
    assert texts(job, job)[""]
    assert wrong(dump(entry("nccl:barrier", 0, state="scheduled"))).endswith(
        "is not over: dump when the job is idle"
    )
