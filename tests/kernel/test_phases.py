"""The kernel rejects wrong certificates about phases."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.places import places

from sealcheck.algorithms.certificates import phases_certificate, root_document
from sealcheck.algorithms.phases import decide
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.reading import Rejected
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.phases import Phases


def evidence(*texts: str, n: int = 2, repeat: bool = False, is_open: bool = False) -> tuple[Any, list[Any]]:
    """The certificate and the root causes, read from JSON."""
    layers = tuple(parse_straight_line(text, n) for text in texts)
    decision = decide(Phases(layers, repeat, is_open))
    found = [root_document(each) for each in decision.interfering]
    read = json.loads(json.dumps([phases_certificate(decision), found]))
    return read[0], read[1]


SAFE = ("mt 1->2", "mt 2->1; mt 1->2")
UNSAFE = ("mt 1->2", "mt 1->2; mt 2->1")


def set_to(key: str, value: object) -> Callable[[Any], None]:
    return lambda document: document.update({key: value})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_to("chains", []), "0 chains for"),
        (set_to("kind", "run"), "not a certificate about phases"),
        (set_to("layers", ["mt 1->2", "mt 1->2; mt 2->1"]), "not that of the layers"),
        (set_to("layers", ["mt 1->2", 7]), "not a text"),
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
    certificate, runs = evidence(*SAFE)
    change(certificate)
    with pytest.raises(Rejected, match=reason):
        check_phases(certificate, runs)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_to("later", "snd 1->2"), "after the layers there may be one event"),
        (set_to("channel", [2, 1]), r"is not on 2->1"),
        (set_to("channel", [1, 1]), r"is not on 1->1"),
        (set_to("receive", [2, 2]), "not the next event of its process"),
        (set_to("receive", [1, 3]), "is not on 1->2"),
        (set_to("receive", [3, 1]), "is not on 1->2"),
        (set_to("send", [1, 1]), "takes no message of another layer"),
        (set_to("send", [1, 3]), "is not on 1->2"),
        (set_to("upto", [1, 0]), "the send has not happened"),
        (set_to("upto", [2, 1]), "not the next event of its process"),
        (set_to("upto", [0, 1]), "has not been sent"),
        (set_to("upto", [9, 0]), "does not get so far"),
        (set_to("upto", [2, -1]), "does not get so far"),
        (set_to("upto", [2]), "does not have 2 numbers"),
    ],
)
def test_wrong_runs_are_rejected(change: Callable[[Any], None], reason: str) -> None:
    certificate, found = evidence(*UNSAFE)
    change(found[0]["run"])
    with pytest.raises(Rejected, match=reason):
        check_phases(certificate, found)


def test_no_layers_are_rejected() -> None:
    none = {"kind": "phases", "n": 1, "layers": [], "repeat": False, "open": False}
    with pytest.raises(Rejected, match="no layers"):
        check_phases({**none, "program": "eps", "chains": []}, [])


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        (("mt 1->2; mt 3->1", "mt 2->1; mt 3->2; mt 3->1", "mt 1->2; mt 3->1"), {"n": 3}),
        (("mt 1->2; mt 2->1; snd 1->2",), {"repeat": True}),
        (("mt 2->1", "mt 1->2"), {"is_open": True}),
        (("mt 2->1", "snd 1->2"), {"is_open": True}),
        (("rcv 2<-1", "snd 1->2; mt 2->1"), {}),
    ],
)
def test_all_that_is_said_of_a_root_cause_is_checked(texts: tuple[str, ...], options: Any) -> None:
    certificate, found = evidence(*texts, **options)
    check_phases(certificate, found)
    for at, entry in enumerate(found):
        for forged in (put(other) for part, put in places(entry) for other in changed(part)):
            if not is_longer(forged, entry):
                with pytest.raises(Rejected):
                    check_phases(certificate, [*found[:at], forged, *found[at + 1 :]])


def changed(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield from ({name: each for name, each in part.items() if name != key} for key in part)
        yield part | {"note": None}
    elif isinstance(part, list):
        yield from (part[:at] + part[at + 1 :] for at in range(len(part)))
        yield [*part, 1]
    elif isinstance(part, int):
        yield from (part + 1, part - 1, 777, float(part), bool(part), str(part))
    yield from (other for other in (None, {}, [], "eps", "snd 1->2", "rcv 2<-1") if other != part)


def is_longer(forged: Any, entry: Any) -> bool:
    try:
        (more,) = (b - a for a, b in zip(entry["run"]["upto"], forged["run"]["upto"], strict=True) if a != b)
    except (KeyError, TypeError, ValueError):
        return False
    return more == 1


def test_a_message_is_taken_once() -> None:
    certificate, found = evidence("snd 1->2; mt 1->2", "mt 1->2")
    run = found[0]["run"]
    assert (run["upto"], run["receive"], run["send"]) == ([2, 1], [2, 2], [1, 2])
    run.update(send=[1, 1])
    found[0]["send"]["position"] = 1
    with pytest.raises(Rejected, match="another receive has taken"):
        check_phases(certificate, found)


def test_other_receives_take_messages_of_their_layer() -> None:
    """Such a run shows a consequence of another root cause."""
    certificate, found = evidence(*["mt 1->2; mt 2->1; snd 1->2"] * 3)
    assert [each["channel"] for each in found] == [[1, 2]]
    receive, send = ({"layer": t, "round": 1, "process": k, "position": 2} for t, k in ((2, 1), (3, 2)))
    run = {"channel": [2, 1], "later": "eps", "upto": [4, 6], "receive": [1, 5], "send": [2, 6]}
    consequence = {"port": "1<-2", "channel": [2, 1], "receive": receive, "send": send, "run": run}
    with pytest.raises(Rejected, match="has not been sent"):
        check_phases(certificate, [*found, consequence])


def test_what_follows_can_happen() -> None:
    certificate, found = evidence("mt 1->2", "mt 2->1", is_open=True)
    assert found
    found[0]["run"].update(later="rcv 2<-1")
    with pytest.raises(Rejected, match="is not on"):
        check_phases(certificate, found)
    certificate, found = evidence("mt 2->1", "snd 1->2; rcv 2<-1", "mt 1->2; snd 1->2", is_open=True)
    check_phases(certificate, found)


def test_a_channel_needs_a_chain_or_a_run() -> None:
    certificate, found = evidence(*UNSAFE)
    with pytest.raises(Rejected, match="chains for"):
        check_phases(certificate, [])
    with pytest.raises(Rejected, match="2 runs for 1"):
        check_phases(certificate, found * 2)
    certificate, found = evidence("snd 1->2", "rcv 2<-1")
    with pytest.raises(Rejected, match="leaves over on 1->2"):
        check_phases(certificate, [])


def test_evidence_does_not_grow_with_runs() -> None:
    def numbers(messages: int) -> list[int]:
        certificate, runs = evidence("; ".join(["mt 1->2", "mt 3->2"] * messages), "mt 1->2; mt 3->2", n=3)
        check_phases(certificate, runs)
        return [json.dumps(run).count(",") for run in runs]

    assert numbers(10) == numbers(1000)
    assert len(numbers(10)) == 2
