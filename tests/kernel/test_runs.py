"""The kernel accepts exactly the runs that show their claim."""

import json
import re
from itertools import product
from typing import Any

import pytest
from tests.kernel.edits import accepts, edits, events, is_interference, verdict
from tests.strategies import programs_up_to

from sealcheck.algorithms.sealing import Interferes, decide
from sealcheck.evidence.outcome import AcceptedRun
from sealcheck.evidence.runs import verify_run
from sealcheck.kernel.programs import events_of
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.kernel.runs import check_run
from sealcheck.language.parser import parse_straight_line
from sealcheck.operations.sealing import decision
from sealcheck.programs.straight_line import StraightLine

EXAMPLES = [
    ("mt 1->2", "eps"),
    ("mt 1->2; mt 1->2", "mt 1->2"),
    ("mt 1->2; mt 1->3", "eps"),
    ("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1", "mt 1->2; mt 2->1"),
    ("mt 1->2; mt 2->3", "snd 1->2; mt 3->1; mt 3->2; rcv 2<-1"),
]


def accepts_run(p: StraightLine, q: StraightLine, run: dict[str, Any]) -> bool:
    rest = [*events(q), *events_of(run["later"], p.n)]
    return accepts(check_run, events(p), rest, p.n, run["order"], run["matching"], run["receive"])


def document(p: StraightLine, q: StraightLine) -> dict[str, Any]:
    found: Any = value_of(canonical(decision(p, q).document["certificate"]))
    assert found["kind"] == "run"
    return dict(found)


def complaints(run: dict[str, Any]) -> list[str]:
    return [reason for _, _, reason in verify_run(json.dumps(run)).rejected]


@pytest.mark.parametrize(("n", "first", "second"), [(2, 3, 2), (3, 2, 2)])
def test_runs_of_decide_are_accepted(n: int, first: int, second: int) -> None:
    """A second judge in the tests accepts the runs, too."""
    interfering = 0
    for p, q in product(programs_up_to(n, first, canonical=True), programs_up_to(n, second)):
        if isinstance(decide(p, q), Interferes):
            interfering += 1
            run = verdict(p, q)["certificate"]
            assert is_interference(p, q, run)
            assert accepts_run(p, q, run)
    assert interfering > 50


@pytest.mark.parametrize(("first", "second"), EXAMPLES)
def test_edited_runs_are_rejected_or_runs(first: str, second: str) -> None:
    """A second judge in the tests decides which edits are runs."""
    p, q = parse_straight_line(first, 3), parse_straight_line(second, 3)
    run = verdict(p, q)["certificate"]
    parts = {key: run[key] for key in ("order", "matching", "receive")}
    others = [run | changed for changed in edits(parts)]
    said = [accepts_run(p, q, other) for other in others]
    assert said == [is_interference(p, q, other) for other in others]
    assert said.count(False) >= 20
    assert said.count(True) < said.count(False)


@pytest.mark.parametrize(("first", "second"), [*EXAMPLES, ("mt 1->2", "mt 1->3"), ("mt 1->2", "mt 3->2")])
def test_nothing_can_be_left_undone(first: str, second: str) -> None:
    p, q = parse_straight_line(first, 3), parse_straight_line(second, 3)
    run = verdict(p, q)["certificate"]
    for length in range(len(run["order"])):
        order = run["order"][:length]
        matching = [pair for pair in run["matching"] if pair[0] in order]
        assert not accepts_run(p, q, run | {"order": order, "matching": matching})


def test_a_run_of_a_seal_is_no_counterexample() -> None:
    pairs = list(product(programs_up_to(2, 2), repeat=2))
    runs = [verdict(p, q)["certificate"] for p, q in pairs if isinstance(decide(p, q), Interferes)]
    for p, q in pairs:
        if not isinstance(decide(p, q), Interferes):
            for run in runs:
                for receive, _ in run["matching"]:
                    assert not accepts_run(p, q, run | {"receive": receive})


@pytest.mark.parametrize(("first", "second"), EXAMPLES)
def test_documents_are_accepted_and_their_edits_are_weighed(first: str, second: str) -> None:
    p, q = parse_straight_line(first, 3), parse_straight_line(second, 3)
    run = document(p, q)
    assert complaints(run) == []
    for other in edits({key: run[key] for key in ("order", "matching", "receive", "channel")}):
        right = other["channel"] == run["channel"] and is_interference(p, q, run | other)
        assert (complaints(run | other) == []) == right


@pytest.mark.parametrize("key", ["p", "q", "later", "program"])
@pytest.mark.parametrize(
    "text", ["mt 1->2; mt 1->2", "mt 3->1", "mt 2->3", "snd 1->2", "rcv 2<-1", "mt 3->3", "?"]
)
def test_documents_about_other_programs_are_rejected(key: str, text: str) -> None:
    run = document(
        parse_straight_line("mt 1->2; mt 2->3", 3), parse_straight_line("snd 1->2; mt 3->1; rcv 2<-1", 3)
    )
    assert run[key] != text
    assert complaints(run) == []
    assert len(complaints(run | {key: text})) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"n": 0}, r"n must be in 1\.\.999999"),
        ({"n": 10**6}, r"n must be in 1\.\.999999"),
        ({"n": 1}, r"the channel 1->2 does not join two of the processes 1\.\.1"),
        ({"n": True}, "'n' is not a whole number"),
        ({"order": {}}, "'order' is not a list"),
        ({"order": [[1, 1], [1, 2]]}, "something is matched that is not a receive of the run"),
        ({"order": [[2, 1], [1, 1], [1, 2]]}, r"\[2, 1\] takes no message that has been sent"),
        ({"order": [[1, 2], [1, 1], [2, 1]]}, r"\[1, 2\] is not the next event of its process"),
        ({"order": [[1, 1], [1, 2], [2, True]]}, r"\[2, True\] is not a list of whole numbers"),
        ({"matching": []}, r"\[2, 1\] takes no message that has been sent"),
        ({"matching": [[[2, 1], [1, 1]]]}, "the named receive is not a receive of P that takes a message .*"),
        ({"matching": [[[2, 1], [1, 2]]] * 2}, "a receive takes two messages"),
        ({"matching": [[[2, 1]]]}, "the matching is not a list of pairs"),
        ({"receive": [2, 2]}, "the named receive is not a receive of P that takes a message from outside P"),
        ({"receive": [2]}, r"\[2\] does not have 2 numbers"),
        ({"channel": [2, 1]}, "the channel is not that of the receive"),
        ({"channel": [True, 2]}, r"\[True, 2\] is not a list of whole numbers"),
        ({"program": "mt 1->2"}, "the program is not P;Q;later"),
        ({"more": 1}, "there must be an object with exactly the keys channel, kind, later, matching, n, .*"),
    ],
)
def test_rejections_say_why(change: dict[str, object], reason: str) -> None:
    run = document(parse_straight_line("mt 1->2", 2), parse_straight_line("eps", 2))
    (complaint,) = complaints(run | change)
    assert re.fullmatch(reason, complaint)


@pytest.mark.parametrize(("n", "process"), [(100, 100), (1000, 999)])
def test_processes_with_long_numbers(n: int, process: int) -> None:
    run = document(parse_straight_line(f"mt 1->{process}", n), parse_straight_line("eps", n))
    assert complaints(run) == []
    assert complaints(run | {"n": process - 1}) != []


@pytest.mark.parametrize(
    ("first", "second"), [("mt 1->1; mt 1->2", "mt 1->1"), ("snd 1->1; mt 1->2; rcv 1<-1", "eps")]
)
def test_processes_that_send_to_themselves(first: str, second: str) -> None:
    p, q = parse_straight_line(first, 2), parse_straight_line(second, 2)
    outcome = verify_run(json.dumps(decision(p, q, self_channels=True).document))
    assert (outcome.ok, outcome.rejected) == (True, [])
    (accepted,) = outcome.accepted
    assert isinstance(accepted, AcceptedRun)
    assert accepted.self_channels


def test_a_run_is_no_evidence_for_a_seal() -> None:
    answer = decision(parse_straight_line("mt 1->2", 2), parse_straight_line("eps", 2)).document
    assert verify_run(json.dumps(answer)).ok
    for other in ({"seals": True}, {"seals": 0}, {"seals": None}, {"more": 1}):
        assert not verify_run(json.dumps(answer | other)).ok
