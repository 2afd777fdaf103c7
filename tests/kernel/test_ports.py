"""The kernel accepts the decision's answers over ports, and no other claims."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.algorithms.test_ports import phases
from tests.port_programs import random_phases

from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.kernel.ports import check_port_runs, check_ports
from sealcheck.kernel.reading import Rejected
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import Declared, parse_port
from sealcheck.operations.port_answers import certificate, root_document
from sealcheck.operations.ports import staying_apart_over_ports
from sealcheck.programs.ports import Guarantee, Port


def documents(decision: PortDecision) -> tuple[Any, Any]:
    """The certificate and the root causes, read from JSON."""
    found: tuple[Any, Any] = json.loads(
        json.dumps([certificate(decision), [*map(root_document, decision.interfering)]])
    )
    return found


@pytest.mark.parametrize("seed", range(3))
def test_accepts_what_is_found_and_nothing_less(seed: int) -> None:
    rng = Random(seed)
    for _ in range(200):
        shown, found = documents(decide_ports(random_phases(rng)))
        check_ports(shown, found)
        for number in range(len(found)):
            with pytest.raises(Rejected):
                check_ports(shown, found[:number] + found[number + 1 :])


@pytest.mark.parametrize("seed", range(3))
def test_no_closed_sets_show_that_a_root_cause_is_none(seed: int) -> None:
    """Any numbers are claimed for how far processes get without the receive, and in later layers."""
    rng, forged = Random(seed), 0
    for _ in range(150):
        about = random_phases(rng)
        shown, found = documents(decide_ports(about))
        if not found or about.guarantee(about.used[0]).duplicating:
            continue
        root = rng.choice(found)
        kept = [each for each in found if each is not root]
        lengths = [[len(share) for share in layer.shares] for layer in about.layers]
        receives = {event.told(str).removeprefix("rcv ") for layer in about.layers for event in layer.events}
        assert root["port"] in receives
        for _ in range(20):
            upto = [[rng.randint(0, length) for length in layer] for layer in lengths]
            holds = [
                {"layer": number, "port": root["port"], "upto": upto[number - 1], "unfit": []}
                for number, layer in enumerate(about.layers, 1)
                if any(event.told(str) == f"rcv {root['port']}" for event in layer.events)
            ]
            steps = [{"layer": k, "blocked": [], "upto": each} for k, each in enumerate(upto, 1)]
            claimed = sorted([*shown["holds"], *holds], key=lambda h: (h["layer"], by_name(h["port"])))
            with pytest.raises(Rejected):
                check_ports(shown | {"holds": claimed, "steps": [*shown["steps"], *steps]}, kept)
            forged += 1
    assert forged > 500


def by_name(port: str) -> tuple[int, int, str]:
    found = parse_port(port, NUMBERS)
    return found.reader, found.sender, found.tag


@pytest.mark.parametrize("seed", range(3))
def test_changed_numbers_are_noticed(seed: int) -> None:
    """A closed set may be larger than needed, so a few changes are accepted."""
    rng, rejected = Random(seed), 0
    for _ in range(150):
        shown, found = documents(decide_ports(random_phases(rng)))
        places = [*numbers(shown["holds"]), *numbers(shown["steps"]), *numbers(found)]
        if places:
            holder, key = rng.choice(places)
            holder[key] += rng.choice((-1, 1))
            try:
                check_ports(shown, found)
            except Rejected:
                rejected += 1
    assert rejected > 50


def numbers(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(each, int) and not isinstance(each, bool):
            yield value, key
        elif isinstance(each, dict | list):
            yield from numbers(each)


SAFE = phases("snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*; mt 2->1; mt 2->3", repeat=True)
WRONG = phases("snd 1->2; rcv 2<-*", "snd 3->2; rcv 2<-*")
IN_ORDER = phases("snd 1->2; snd 1->2; rcv 2<-*; rcv 2<-*", repeat=True, fifo="2<-*")


def test_a_receive_takes_from_the_source_that_it_names() -> None:
    about, _ = Declared({"P": OVERLAPPING, "Q": "mt 3->2"}, ["P", "Q"], search=True).read()
    answer = staying_apart_over_ports(about, ["P", "Q"]).to_json()
    shown, (root,) = answer["certificate"], answer["interfering"]
    check_port_runs(shown, [root])
    with pytest.raises(Rejected, match="leaves nothing to check"):
        check_port_runs(shown, [])
    with pytest.raises(Rejected, match="about the same port"):
        check_port_runs(shown, [root, root])
    with pytest.raises(Rejected):
        check_ports(shown | {"kind": "ports", "holds": [], "steps": []}, [root])
    taken = {tuple(receive): send for receive, send in root["run"]["matching"]}
    assert taken[2, 1] == [1, 1]
    root["run"]["matching"] = [[[2, 1], [3, 1]], [[2, 3], [1, 1]], [[3, 2], [2, 2]]]
    with pytest.raises(Rejected, match="takes a message of 1, but names 3"):
        check_port_runs(shown, [root])


OVERLAPPING = "snd 1->2; snd 3->2; rcv 2<-*; snd 2->3:go; rcv 2<-3; rcv 3<-2:go"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda shown: shown.update(open=True), "may send"),
        (lambda shown: shown.update(protocol=["any", 1, 1]), "not an expression"),
        (lambda shown: shown.update(protocol=["some"]), "not an expression"),
        (lambda shown: shown.update(ports={"2<-*": ["fifo", "duplicating"]}), "an unknown guarantee"),
        (lambda shown: shown.update(ports={"9<-*": ["fifo"]}), "no layer uses"),
        (lambda shown: shown.update(ports={"2<-*": ["duplicating"]}), "can go on"),
        (lambda shown: shown.update(layers=["snd 1->2; rcv 2<-*; rcv 2<-1"]), "overlap"),
        (lambda shown: shown.update(layers=["snd 1->2"]), "not balanced"),
        (lambda shown: shown.update(layers=["snd 1->4; rcv 4<-1"]), "does not join"),
        (lambda shown: shown.update(holds=[]), "the closed sets are not one for each layer"),
        (lambda shown: shown.update(steps=[]), "missing for a layer"),
        (lambda shown: shown["holds"][0]["upto"].__setitem__(0, 0), "can go on"),
        (lambda shown: shown["holds"][0].update(layer=7), "a layer that does not exist"),
        (
            lambda shown: shown["holds"][0]["unfit"].append({"sender": 1, "receive": 1, "upto": [0, 0, 0]}),
            "can be taken",
        ),
        (
            lambda shown: shown["steps"].append({"layer": 1, "blocked": [4], "upto": [0, 0, 0]}),
            "a process that does not exist is blocked",
        ),
        (lambda shown: shown.update(layers=["mt 1->2:\u00fc"]), "not a statement over ports"),
        (
            lambda shown: shown.update(steps=shown["steps"] + [{"layer": 9, "blocked": [], "upto": []}]),
            "no layer 9",
        ),
    ],
)
def test_says_why_it_rejects(change: Callable[[Any], object], why: str) -> None:
    shown, found = documents(decide_ports(SAFE))
    change(shown)
    with pytest.raises(Rejected, match=why):
        check_ports(shown, found)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda run: run.update(word=[2, 1]), "no word"),
        (lambda run: run.update(later="snd 1->2"), "one event, and only if anything may follow"),
        (lambda run: run["order"].pop(), "takes no message"),
        (lambda run: run["order"].insert(0, run["order"][-1]), "takes no message that is there"),
        (lambda run: run["matching"].pop(), "takes no message"),
        (lambda run: run["order"].insert(0, [1, 9]), "not the next event"),
    ],
)
def test_says_why_a_run_shows_nothing(change: Callable[[Any], object], why: str) -> None:
    shown, found = documents(decide_ports(WRONG))
    change(found[0]["run"])
    with pytest.raises(Rejected, match=why):
        check_ports(shown, found)


def test_order_is_shown_by_an_earlier_receive() -> None:
    shown, found = documents(decide_ports(IN_ORDER))
    assert not found
    assert [each["receive"] for each in shown["holds"][0]["unfit"]] == [0]
    shown["holds"][0]["unfit"][0]["upto"] = [0, 0]
    with pytest.raises(Rejected, match="keeps messages of 1 away, but without a receive"):
        check_ports(shown, found)
    shown["holds"][0]["unfit"] = []
    with pytest.raises(Rejected, match="may send"):
        check_ports(shown, found)


def test_order_does_not_help_against_the_message_of_another_sender() -> None:
    about = phases("snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*; mt 2->1; mt 2->3", repeat=True)
    about = replace(about, guarantees=dict.fromkeys(about.used, Guarantee.of(["fifo"])))
    shown, found = documents(decide_ports(about))
    check_ports(shown, found)
    (hold,) = [each for each in shown["holds"] if each["port"] == "2<-*"]
    hold["unfit"] = [{"sender": 1, "receive": 0, "upto": []}]
    with pytest.raises(Rejected, match=r"1 does not send all messages to 2<-\*"):
        check_ports(shown, found)


def test_what_follows_does_not_overlap() -> None:
    about = phases("snd 1->2; rcv 2<-*")
    about = replace(about, guarantees=dict.fromkeys(about.used, Guarantee.of(["duplicating"])), open=True)
    shown, (root,) = documents(decide_ports(about))
    check_ports(shown, [root])
    assert root["run"]["later"] == "rcv 2<-*"
    root["run"]["later"] = "rcv 2<-1"
    with pytest.raises(Rejected, match="overlap"):
        check_ports(shown, [root])


def test_a_second_receive_on_a_port_that_copies_waits_for_nothing() -> None:
    about = phases("snd 1->2; snd 1->2; rcv 2<-1; rcv 2<-1", "mt 2->1")
    about = replace(about, guarantees={Port(2, 1): Guarantee.of(["duplicating"])})
    shown, found = documents(decide_ports(about))
    check_ports(shown, found)
    shown["steps"].append({"layer": 1, "blocked": [1], "upto": [0, 1]})
    with pytest.raises(Rejected, match="process 2 can go on"):
        check_ports(shown, found)


def test_the_channel_is_written_in_numbers() -> None:
    shown, found = documents(decide_ports(phases("mt 1->2", repeat=True)))
    check_ports(shown, found)
    found[0]["channel"] = [True, 2]
    with pytest.raises(Rejected, match="the channel is not that of the port"):
        check_ports(shown, found)


def test_a_message_that_overtakes_is_no_evidence_if_the_port_keeps_order() -> None:
    shown, found = documents(decide_ports(phases("mt 1->2; mt 1->2", repeat=True)))
    check_ports(shown, found)
    with pytest.raises(Rejected, match="overtakes another"):
        check_ports(shown | {"ports": {"2<-1": ["fifo"]}}, found)
