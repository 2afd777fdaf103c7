"""The kernel takes no wrong certificate about phases."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from sealcheck.algorithms.certificates import interference_document, phases_certificate
from sealcheck.algorithms.phases import decide
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.rejected import Rejected
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.phases import Phases


def evidence(*texts: str, n: int = 2, repeat: bool = False, is_open: bool = False) -> tuple[Any, list[Any]]:
    """The certificate and the runs, as they come out of JSON."""
    layers = tuple(parse_straight_line(text, n) for text in texts)
    decision = decide(Phases(layers, repeat, is_open))
    runs = [interference_document(found) for found in decision.interfering]
    read = json.loads(json.dumps([phases_certificate(decision), runs]))
    return read[0], read[1]


SAFE = ("mt 1->2", "mt 2->1; mt 1->2")
UNSAFE = ("mt 1->2", "mt 1->2; mt 2->1")


def set_to(key: str, value: object) -> Callable[[Any], None]:
    return lambda document: document.update({key: value})


def test_right_ones_are_accepted() -> None:
    """Chains, runs, runs with a later event, several rounds."""
    for texts in (SAFE, UNSAFE, ("snd 1->2", "eps"), ("snd 1->2", "rcv 2<-1"), ("mt 1->1",)):
        for repeat in (False, True):
            for is_open in (False, True):
                check_phases(*evidence(*texts, repeat=repeat, is_open=is_open))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_to("chains", []), "0 chains for"),
        (set_to("kind", "run"), "no certificate about phases"),
        (set_to("layers", ["mt 1->2", "mt 1->2; mt 2->1"]), "not that of the layers"),
        (set_to("layers", ["mt 1->2", 7]), "no text"),
        (set_to("program", "rcv 2<-1; snd 1->2; mt 2->1; mt 1->2"), "before the send"),
        (set_to("open", True), "chains for"),
        (set_to("repeat", True), "chains for"),
        (lambda c: c["chains"][0].update(layer=2), "is missing"),
        (lambda c: c["chains"][0].update(into="end"), "is missing"),
        (lambda c: c["chains"][0].update(channel=[2, 1]), "is missing"),
        (lambda c: c["chains"][0].update(places=[]), "is missing"),
        (lambda c: c["chains"][0]["places"].pop(0), "is missing"),
        (
            lambda c: c["chains"][0].update(places=c["chains"][0]["places"][:2]),
            "does not lead to what follows",
        ),
        (lambda c: c["chains"][0]["places"].pop(1), "breaks between"),
    ],
)
def test_wrong_chains_are_rejected(change: Callable[[Any], None], reason: str) -> None:
    """Whatever is wrong with the certificate."""
    certificate, runs = evidence(*SAFE)
    change(certificate)
    with pytest.raises(Rejected, match=reason):
        check_phases(certificate, runs)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_to("later", "snd 1->2"), "can follow the layers"),
        (set_to("channel", [2, 1]), r"is none on 2->1"),
        (set_to("channel", [1, 1]), r"is none on 1->1"),
        (set_to("receive", [2, 2]), "not the next event of its process"),
        (set_to("receive", [1, 3]), "is none on 1->2"),
        (set_to("send", [1, 1]), "takes no message of another layer"),
        (set_to("send", [1, 3]), "is none on 1->2"),
        (set_to("upto", [1, 0]), "the send has not happened"),
        (set_to("upto", [2, 1]), "not the next event of its process"),
        (set_to("upto", [0, 1]), "has not been sent"),
        (set_to("upto", [9, 0]), "does not have so many events"),
        (set_to("upto", [2, -1]), "does not have so many events"),
        (set_to("upto", [2]), "does not have 2 numbers"),
    ],
)
def test_wrong_runs_are_rejected(change: Callable[[Any], None], reason: str) -> None:
    """Whatever is wrong with the run."""
    certificate, runs = evidence(*UNSAFE)
    change(runs[0])
    with pytest.raises(Rejected, match=reason):
        check_phases(certificate, runs)


def test_a_message_is_taken_once() -> None:
    """The second receive cannot have the message of the first, which has happened."""
    certificate, runs = evidence("snd 1->2", "rcv 2<-1; mt 1->2")
    runs[0].update(upto=[2, 1], receive=[2, 2], send=[1, 1])
    with pytest.raises(Rejected, match="another receive has taken"):
        check_phases(certificate, runs)


def test_what_follows_can_happen() -> None:
    """A later receive needs a message that the layers have left."""
    certificate, runs = evidence("mt 1->2", "mt 2->1", is_open=True)
    assert runs
    runs[0].update(later="rcv 2<-1")
    with pytest.raises(Rejected, match="a message that is not there"):
        check_phases(certificate, runs)


def test_a_channel_needs_a_chain_or_a_run() -> None:
    """And not two runs."""
    certificate, runs = evidence(*UNSAFE)
    with pytest.raises(Rejected, match="chains for"):
        check_phases(certificate, [])
    with pytest.raises(Rejected, match="2 runs for 1"):
        check_phases(certificate, runs * 2)
    certificate, runs = evidence("snd 1->2", "rcv 2<-1")
    with pytest.raises(Rejected, match="not always of the same layer"):
        check_phases(certificate, [])


def test_evidence_does_not_grow_with_runs() -> None:
    """Each run is a cut of the same program: as many numbers for a thousand messages as for ten."""

    def numbers(messages: int) -> list[int]:
        certificate, runs = evidence("; ".join(["mt 1->2", "mt 3->2"] * messages), "mt 1->2; mt 3->2", n=3)
        check_phases(certificate, runs)
        return [json.dumps(run).count(",") for run in runs]

    assert numbers(10) == numbers(1000)
    assert len(numbers(10)) == 2
