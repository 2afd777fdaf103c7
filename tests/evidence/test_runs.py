"""Answers as evidence, and reasons for rejecting them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from sealcheck import phases
from sealcheck.errors import InputError
from sealcheck.evidence.runs import verify_run
from sealcheck.operations.analysis import analysis
from sealcheck.operations.sealing import sealing
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd

Answer = dict[str, Any]

ONCE = StraightLine.of(3, mt(1, 2) + mt(1, 3))
CROSSING = StraightLine.of(2, (snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)))


def shortest() -> Answer:
    return sealing(ONCE, minimal=True).to_json()


def unsealable() -> Answer:
    return sealing(CROSSING).to_json()


def reasons(answer: Answer) -> list[str]:
    return [reason for _, _, reason in verify_run(json.dumps(answer)).rejected]


def test_seals_are_accepted() -> None:
    for answer in (shortest(), sealing(ONCE).to_json(), unsealable()):
        assert reasons(answer) == []


CERTIFICATE = "there must be an object with exactly the keys "


@pytest.mark.parametrize(
    ("answer", "change", "reason"),
    [
        (shortest, {"messages": 3}, "the seal has another number of messages"),
        (shortest, {"messages": None}, "'messages' is not a whole number"),
        (shortest, {"seal": "mt 2->1"}, "[3, 2] is not an event of the program"),
        (shortest, {"sealable": False}, "'seal' is not null"),
        (shortest, {"sealable": None}, "'sealable' is not true or false"),
        (shortest, {"unknown": "out of time"}, "the search hit its limit, so there is no answer to check"),
        (shortest, {"certificate": None}, CERTIFICATE + "chains, kind, n, p"),
        (unsealable, {"sealable": True, "seal": "eps", "messages": 0}, CERTIFICATE + "chains, kind, n, p"),
        (unsealable, {"processes": ["a"]}, "'processes' must be 2 different names"),
    ],
)
def test_wrong_answers_about_seals(answer: Callable[[], Answer], change: Answer, reason: str) -> None:
    (said,) = reasons(answer() | change)
    assert said.startswith(reason)


@pytest.mark.parametrize(
    ("answer", "change", "reason"),
    [
        (shortest, {"kind": "closed-knowledge"}, "the certificate is not of the kind of the answer"),
        (shortest, {"n": 10**6}, "n must be in 1..999999"),
        (shortest, {"minimum": {}}, CERTIFICATE),
        (
            shortest,
            {"minimum": {"messages": 2, "reason": "", "excluded": 1, "states": []}},
            "the number of messages or of states in the minimum is wrong",
        ),
        (
            shortest,
            {"minimum": {"messages": 2, "reason": "", "excluded": 1, "states": [[0, 0, 0, 9]]}},
            "a state of knowledge is about channels that are not open",
        ),
        (
            shortest,
            {"minimum": {"messages": 2, "reason": "", "excluded": 1, "states": [[2, 0, 0, 0]]}},
            "a state is listed after message 2",
        ),
        (
            unsealable,
            {"stuck": []},
            "the list of channels whose senders never know that they are safe is wrong",
        ),
        (unsealable, {"knowledge": {"1": [], "2": []}}, "the processes know more at the end of P"),
    ],
)
def test_wrong_certificates_of_seals(answer: Callable[[], Answer], change: Answer, reason: str) -> None:
    right = answer()
    (said,) = reasons(right | {"certificate": right["certificate"] | change})
    assert said.startswith(reason)


def test_a_seal_that_is_not_shortest() -> None:
    answer = shortest()
    answer |= {"seal": f"{answer['seal']}; mt 2->3", "messages": 3}
    answer["certificate"]["minimum"]["messages"] = 3
    (said,) = reasons(answer)
    assert said == "the listed states do not show that a seal needs 3 messages after P"


@pytest.mark.parametrize("kind", [None, [], {}])
def test_a_certificate_of_another_kind(kind: object) -> None:
    answer = phases("mt 1->2", "mt 1->2").to_json()
    answer["certificate"]["kind"] = kind
    assert reasons(answer) == ["'kind' is not a text"]


@pytest.mark.parametrize("text", ["[]", "1", '{"kind": "chains"}', '{"n": 2, "messages": 1}'])
def test_what_is_no_answer(text: str) -> None:
    with pytest.raises(InputError, match="this is neither a run nor an answer with a certificate"):
        verify_run(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"sealable": null, "certificate": null, "unknown": "a limit"}', "this answer is unknown, because"),
        ('{"error": "P: 1 is no program"}', "this is an error, not an answer"),
        ('{"transports": [{"transport": "tcp", "safe": true}]}', "this is a table of phases --transports"),
    ],
)
def test_an_answer_with_nothing_to_check(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        verify_run(text)


def test_an_answer_without_a_certificate() -> None:
    document = json.dumps(analysis(ONCE).to_json())
    with pytest.raises(InputError, match="this is an answer of analyze, which has no certificate to check"):
        verify_run(document)
