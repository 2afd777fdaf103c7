"""Chakra execution traces: the order of communications, and collectives."""

from random import Random

import pytest

from sealcheck.errors import InputError
from sealcheck.language.chakra import recorded_traces
from sealcheck.language.chakra_files import Node
from sealcheck.language.mpi import Reading, layered
from sealcheck.language.recordings import EVERY, Assumption


def node(id, kind, needs=(), start=0, duration=0, name="", **attributes):
    type = kind if kind == "COMP" else f"COMM_{kind}"
    return Node(id, name, type, needs, start, duration, attributes)


def send(id, to, needs=(), start=0, tag=7, **more):
    return node(id, "SEND", needs, start, comm_dst=to, comm_tag=tag, **more)


def receive(id, sender, needs=(), start=0, duration=0, tag=7, **more):
    return node(id, "RECV", needs, start, duration, comm_src=sender, comm_tag=tag, **more)


def texts(*ranks, split_at=()):
    found = layered(recorded_traces(ranks, EVERY), Reading(split_at=frozenset(split_at)))
    return {name: [str(event) for event in events] for name, events in found.trace.layers.items()}


def first(*nodes):
    sends = sum(each.type == "COMM_RECV" for each in nodes)
    receives = sum(each.type == "COMM_SEND" for each in nodes)
    other = [send(k, 0, [k - 1] if k else []) for k in range(sends)]
    other += [receive(k, 0, [k - 1] if k else []) for k in range(sends, sends + receives)]
    return [each for each in texts(nodes, other)[""] if "snd 1" in each or "rcv 1" in each]


SND, RCV = "snd 1->2:7", "rcv 1<-2:7"


def wrong(*ranks, assuming=EVERY):
    with pytest.raises(InputError) as refused:
        layered(recorded_traces(ranks, assuming), Reading())
    return str(refused.value)


def test_dependencies_are_the_order():
    nodes = [send(9, 1, [5]), node(5, "COMP", [2, 1]), receive(2, 1, [1], start=50), node(1, "COMP")]
    assert first(*nodes) == [RCV, SND]
    assert recorded_traces([nodes], frozenset()).assumed == frozenset()


def test_times_are_the_order_if_dependencies_are_none():
    assert first(receive(1, 1, start=10, duration=5), send(2, 1, start=20)) == [RCV, SND]
    assert first(receive(1, 1, start=10, duration=15), send(2, 1, start=20)) == [SND, RCV]
    assert first(receive(1, 1, start=10, duration=10), send(2, 1, start=20)) == [SND, RCV]
    assert first(receive(1, 1, start=10, duration=10), send(2, 1, [1], start=20), send(3, 1, start=30)) == [
        RCV,
        SND,
        SND,
    ]
    found = recorded_traces([[send(1, 1, start=1), send(2, 1, start=2)], []], EVERY)
    assert found.assumed == {(Assumption.RECORDED, "rank0")}


@pytest.mark.parametrize("seed", range(20))
def test_times_and_dependencies_agree(seed):
    random = Random(seed)
    kinds = [random.choice([send, receive]) for _ in range(8)]
    plain = [kind(k, 1, start=10 * k + 1) for k, kind in enumerate(kinds)]
    some = [
        each._replace(needs=[k for k in range(at) if random.random() < 0.3]) for at, each in enumerate(plain)
    ]
    chain = [each._replace(needs=[at - 1] if at else [], start=0) for at, each in enumerate(plain)]
    random.shuffle(some)
    assert first(*some) == first(*plain) == first(*chain)


def collective(id, kind, needs=(), **more):
    return node(id, "COLL", needs, comm_type=kind, **more)


def test_collectives_are_of_those_that_use_the_group():
    barrier = collective(1, 9)
    assert texts([barrier], [barrier])[""] == [
        "rcv 1<-2:barrier",
        "snd 1->2:barrier",
        "snd 2->1:barrier",
        "rcv 2<-1:barrier",
    ]
    own = collective(1, 0, pg_name="tp")
    assert texts([], [own], [own])[""] == [
        *("rcv 2<-3:tp-allreduce", "snd 2->3:tp-allreduce", "snd 3->2:tp-allreduce", "rcv 3<-2:tp-allreduce")
    ]
    assert texts([collective(1, 0, comm_size=0)], [collective(1, 0, comm_size=0)])[""] == []
    assert texts([collective(1, 5)], [collective(1, 5)])[""] == []


def test_collectives_may_overlap_in_time():
    later = [collective(1, 9, start=1, duration=9), send(2, 1, start=5)]
    events = texts(later, [collective(1, 9, [2]), receive(2, 0)])[""]
    assert [each for each in events if "snd 1" in each or "rcv 1" in each] == [
        *("snd 1->2:barrier", "snd 1->2:7", "rcv 1<-2:barrier")
    ]


def test_names_and_operations_begin_layers():
    nodes = [send(1, 1, name="step"), send(2, 1, [1], name="send"), send(3, 1, [2], name="step")]
    other = [receive(1, 0, name="step"), receive(2, 0, [1], name="send"), receive(3, 0, [2], name="step")]
    assert [*texts(nodes, other, split_at=["step"])] == ["step 1", "step 2"]
    with pytest.raises(InputError, match=r"unlike rank0 .3 entries. and rank1 .1 entry."):
        texts(nodes, other, split_at=["send"])


REFUSED = {
    "rank0, node 1: it has no type, so it could be a communication": [Node(1, "", "INVALID", [], 0, 0, {})],
    "rank0, node 1: another node has this id": [send(1, 1), send(1, 1)],
    "rank0, node 1: it needs the node 4, which is missing": [send(1, 1, [4])],
    "rank0, node 1: it needs the node 0, which is missing": [send(1, 1, [0])],
    "rank0, node 1: it depends on itself, or on nodes that depend on each other": [
        send(1, 1, [2]),
        send(2, 1, [1]),
    ],
    "rank0, node 1: it has no order with the node 2: neither needs the other": [send(2, 1), send(1, 1)],
    "rank0, node 1: it has no order with the node 2: they end at the same time, and neither needs the"
    " other": [
        receive(1, 1, start=1, duration=9),
        receive(2, 1, start=2, duration=8),
    ],
    "rank0, node 1: it has no order with the node 2: they start at the same time, and neither needs the"
    " other": [
        collective(1, 0, start=5, duration=1),
        collective(2, 0, start=5, duration=2),
    ],
    "rank0, node 2: by their times, it starts before the end of a node that it needs": [
        receive(1, 1, start=10, duration=5),
        send(2, 1, [1], start=12),
        send(3, 1, start=1),
    ],
    "rank0, node 1: 'pg_name' must be a string": [collective(1, 0, pg_name=4)],
    "rank0, node 1: it must have the attribute 'comm_dst', a number from 0": [node(1, "SEND")],
    "rank0, node 1: it must have the attribute 'comm_src', a number from 0": [receive(1, -1)],
    "rank0, node 1: it must have the attribute 'comm_type', a number from 0": [node(1, "COLL")],
    "rank0, node 1: there is no collective with the 'comm_type' 10": [collective(1, 10)],
    "rank0, node 1: its 'comm_src' is another rank": [send(1, 1, comm_src=1)],
    "rank0, node 1: its 'comm_dst' is another rank": [receive(1, 1, comm_dst=1)],
    "rank0, node 1: the attribute 'comm_group' is not supported": [send(1, 1, comm_group=1)],
    "rank0, node 1: 'involved_dim' must be true for all dimensions": [collective(1, 0, involved_dim=0)],
    "rank0, node 1: there is no rank 5 in world": [send(1, 5)],
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(why):
    assert wrong(REFUSED[why], []) == why


def test_times_are_not_taken_if_the_assumption_is_off():
    nodes = [send(1, 1, start=1), send(2, 1, start=2)]
    assert "it has no order with the node" in wrong(nodes, assuming=frozenset())
