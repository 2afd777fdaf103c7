"""The kernel accepts the decision's seals over ports, and no other claims."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.algorithms.test_port_seals import random_pair
from tests.algorithms.test_ports import phases
from tests.kernel.test_ports import numbers

from sealcheck.kernel.port_seals import check_port_seal
from sealcheck.kernel.reading import Rejected
from sealcheck.operations.sealing import sealing_over_ports
from sealcheck.programs.protocol import PortPhases


def documents(about: PortPhases) -> tuple[Any, Any]:
    """The certificate and the root causes, read from JSON."""
    found = json.loads(json.dumps(sealing_over_ports(about).document))
    return found["certificate"], found["interfering"]


@pytest.mark.parametrize("seed", range(3))
def test_accepts_what_is_found_and_nothing_less(seed: int) -> None:
    rng = Random(seed)
    for _ in range(200):
        shown, found = documents(random_pair(rng))
        check_port_seal(shown, found)
        for number in range(len(found)):
            with pytest.raises(Rejected):
                check_port_seal(shown, found[:number] + found[number + 1 :])


@pytest.mark.parametrize("seed", range(3))
def test_no_closed_sets_show_that_a_root_cause_is_none(seed: int) -> None:
    """Any numbers are claimed for how far processes get in P and in Q."""
    rng, forged = Random(seed), 0
    for _ in range(150):
        about = random_pair(rng)
        shown, found = documents(about)
        if not found:
            continue
        root = rng.choice(found)
        kept = [each for each in found if each is not root]
        for _ in range(20):
            upto, following = (
                [rng.randint(0, len(share)) for share in layer.shares] for layer in about.layers
            )
            hold = {"port": root["port"], "upto": upto, "unfit": [], "following": following}
            ports = [str(port) for port in about.used]
            holds = sorted([*shown["holds"], hold], key=lambda each: ports.index(each["port"]))
            with pytest.raises(Rejected):
                check_port_seal(shown | {"holds": holds}, kept)
            forged += 1
    assert forged > 500


@pytest.mark.parametrize("seed", range(3))
def test_changed_numbers_are_noticed(seed: int) -> None:
    """A closed set may be larger than needed, so a few changes are accepted."""
    rng, rejected = Random(seed), 0
    for _ in range(150):
        shown, found = documents(random_pair(rng))
        places = [*numbers(shown["holds"]), *numbers(found)]
        if places:
            holder, key = rng.choice(places)
            holder[key] += rng.choice((-1, 1))
            try:
                check_port_seal(shown, found)
            except Rejected:
                rejected += 1
    assert rejected > 50


YES = phases("snd 1->2; rcv 2<-*", "mt 2->1; mt 2->3")
FED = phases("mt 3->1", "snd 1->3; snd 2->3; rcv 3<-*; rcv 3<-*")
TWO = phases("mt 1->2; mt 1->2:x", "mt 2->1:y")
COPIES = phases("mt 1->2", "mt 2->1", duplicating="2<-1")

Change = Callable[[Any, Any], None]


def in_run(**changed: object) -> Change:
    return lambda shown, found: found[0]["run"].update(changed)


@pytest.mark.parametrize(
    ("about", "change", "why"),
    [
        (YES, lambda shown, found: shown["layers"].append("eps"), "a seal is about two layers"),
        (YES, lambda shown, found: shown.update(kind="ports"), "not a certificate about ports"),
        (YES, lambda shown, found: shown.update(n=10**9), "not a certificate about ports"),
        (YES, lambda shown, found: shown["holds"].clear(), "the closed sets are not one for each port"),
        (YES, lambda shown, found: shown["holds"][0].update(following=[0, -1, 0]), "does not get so far"),
        (FED, lambda shown, found: found.append(found[0]), "two runs are about the same port"),
        (FED, in_run(later="snd 2->3; snd 3->1:z"), "what follows uses a port that P and Q do not use"),
        (FED, in_run(later="snd 2->3; snd 3->1; rcv 3<-2"), "what follows uses a port"),
        (FED, lambda shown, found: found[0].update(port="3<-*"), "the port, the receive or the send is not"),
        (FED, lambda shown, found: found[0].update(channel=[1, 3]), "the channel is not that of the port"),
        (COPIES, lambda shown, found: found.clear(), "a copy of a message of P may come to 2<-1 later"),
    ],
)
def test_says_why_it_rejects(about: PortPhases, change: Change, why: str) -> None:
    shown, found = documents(about)
    change(shown, found)
    with pytest.raises(Rejected, match=why):
        check_port_seal(shown, found)


def test_a_receive_from_any_source_does_not_wait_for_what_follows() -> None:
    shown, _ = documents(FED)
    hold = {"port": "1<-3", "upto": [0, 0, 1], "unfit": [], "following": [0, 1, 1]}
    with pytest.raises(Rejected, match="process 3 can go on in Q with a message of what follows"):
        check_port_seal(shown | {"holds": [hold]}, [])


def test_a_process_that_is_through_may_send() -> None:
    shown, _ = documents(phases("mt 1->2", "eps"))
    hold = {"port": "2<-1", "upto": [1, 0], "unfit": [], "following": [0, 0]}
    with pytest.raises(Rejected, match="process 1 may send to 2<-1 before the receive is over"):
        check_port_seal(shown | {"holds": [hold]}, [])


def test_a_run_is_about_a_port_of_p() -> None:
    """A receive of Q may take a message of R."""
    shown, found = documents(phases("eps", "mt 1->2"))
    run = {"later": "snd 1->2", "order": [[1, 1], [1, 2], [2, 1]], "matching": [[[2, 1], [1, 2]]]}
    root = {
        "port": "2<-1",
        "channel": [1, 2],
        "receive": {"layer": 2, "process": 2, "position": 1},
        "send": {"layer": None, "process": 1, "position": 1},
        "run": run,
    }
    assert not found
    with pytest.raises(Rejected, match="takes no message of another layer"):
        check_port_seal(shown, [root])
