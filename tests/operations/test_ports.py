"""If receives overlap, explorer, solver and kernel agree on all of a small space."""

import json
from collections.abc import Iterator
from itertools import product

import pytest

from sealcheck.algorithms.ports import decide_ports
from sealcheck.encodings import ports as formulas
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.evidence.runs import verify_run
from sealcheck.explorers import ports as explorers
from sealcheck.language.ports import Declared
from sealcheck.operations.ports import search, staying_apart_over_ports
from sealcheck.programs.port_space import WAYS, PortSpace
from sealcheck.programs.ports import Overlap
from sealcheck.programs.protocol import PortPhases

STEALS = "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3"
"""If the first receive takes the message of 3, the second receive waits."""


def phases(*texts: str, search: bool = True, **said: object) -> PortPhases:
    layers = {f"layer {k}": text for k, text in enumerate(texts, 1)}
    about, _ = Declared(layers, list(layers), search=search, n=3, **said).read()  # type: ignore[arg-type]
    return about


def small_layers() -> Iterator[str]:
    """Two messages to process 2, which receives one from any source, and one by name; perhaps an answer."""
    for first, second in product((1, 3), repeat=2):
        for named, answered in product((1, 3), (None, 1, 3)):
            for receives in (f"rcv 2<-*; rcv 2<-{named}", f"rcv 2<-{named}; rcv 2<-*"):
                answer = f"; mt 2->{answered}" if answered else ""
                yield f"snd {first}->2; snd {second}->2; {receives}{answer}"


@pytest.mark.parametrize("order", ["bag", "fifo"])
@pytest.mark.parametrize("words", [(), ("lossy",), ("duplicating",)], ids=str)
def test_all_of_a_small_space(order: str, words: tuple[str, ...]) -> None:
    """`search` raises Disagreement if explorer and solver differ; the kernel checks each run."""
    if order == "fifo" and "duplicating" in words:
        pytest.skip("there is no such guarantee")
    found = set()
    for text in small_layers():
        try:
            about = phases(text, "snd 3->2; rcv 2<-*", ports={"2<-*": [order, *words]})
            result = staying_apart_over_ports(about, ["P", "Q"])
        except InputError as error:
            found.add(str(error).partition(": ")[2])
            continue
        document = result.to_json()
        assert document["remedies"] is None
        found.add(document["safe"])
    assert found == {"in every execution, some receive waits forever", False} | (
        {True} if words != ("duplicating",) else set()
    )


def test_where_receives_do_not_overlap_counting_says_the_same() -> None:
    verdicts = set()
    for found in list(PortSpace(3, 2, 2, WAYS[0]).canonical())[::9]:
        decision, stuck = search(found.about)
        counted = decide_ports(found.about)
        assert {each.port for each in decision.interfering} == {each.port for each in counted.interfering}
        assert not stuck or any(found.about.guarantee(port).lossy for port in found.about.used)
        verdicts.add(decision.is_safe)
    assert verdicts == {True, False}


def test_what_can_get_stuck_is_said() -> None:
    result = staying_apart_over_ports(phases(STEALS), ["P"])
    assert (bool(result), result.document["certificate"]) == (True, result.certificate)
    assert "an execution can get stuck: 'rcv 2<-3' can wait forever" in str(result.explain())
    assert result.to_json()["stuck"] == ["rcv 2<-3"]


def test_of_a_no_it_is_not_said_what_can_get_stuck() -> None:
    result = staying_apart_over_ports(phases("mt 1->2", "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3"), ["P", "Q"])
    document = result.to_json()
    assert (document["safe"], document["stuck"]) == (False, None)
    assert verify_run(json.dumps(document)).ok


def test_an_any_source_receive_takes_what_another_receive_named() -> None:
    layer = "snd 1->2; snd 3->2{0}; rcv 2<-*; snd 2->3:go; rcv 2<-3{0}; rcv 3<-2:go"
    (found,) = search(phases(layer.format(""), "mt 3->2", order="fifo"))[0].interfering
    assert str(found.port) == "2<-*"
    assert (found.run.receive, found.run.send) == ((2, 3), (3, 3))
    assert decide_ports(phases(layer.format(":x"), "mt 3->2:x", order="fifo", search=False)).is_safe


def test_a_solver_that_finds_other_root_causes_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, safe = phases(STEALS, "snd 3->2; rcv 2<-*"), phases(STEALS)
    for about, ports in ((wrong, []), (safe, safe.used)):
        monkeypatch.setattr(formulas, "wrong_ports", lambda *_, found=frozenset(ports): found)
        with pytest.raises(Disagreement, match="z3 and the explorer find different root causes"):
            search(about)


def test_limits_and_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Overlap):
        phases(STEALS, search=False)
    with pytest.raises(Overlap):
        decide_ports(phases(STEALS))
    for said, why in [({"open": True}, "all later programs"), ({"repeat": True}, "any number of rounds")]:
        with pytest.raises(InputError, match=why):
            search(phases(STEALS, **said))
    monkeypatch.setattr(explorers, "MOST_STATES", 5)
    with pytest.raises(LimitReached):
        search(phases(STEALS))
    assert not staying_apart_over_ports(phases(STEALS), ["P"]).is_known
