"""The kernel and the verified program agree about answers over channels, and of searches."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.port_programs import random_layer
from tests.proofs.test_port_answers import change

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.evidence.runs import verify_run
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import parse_layers
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.ports import searched, staying_apart_over_ports
from sealcheck.operations.result import Code
from sealcheck.operations.sealing import decision, sealing
from sealcheck.operations.verified_questions import SEARCHED, Checks, of_layers, of_seal, of_sealing
from sealcheck.programs.phases import Phases
from sealcheck.programs.ports import Guarantee, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd
from sealcheck.questions.verified_checker import VerifiedChecker, refused

pytestmark = pytest.mark.coq

Answer = dict[str, Any]
Questions = Callable[[Answer], Checks]

MALFORMED = (AttributeError, Disagreement, InputError, LookupError, TypeError, ValueError)
"""Errors in questions about evidence that the kernel does not accept."""


def parsed(*texts: str) -> tuple[PortProgram, ...]:
    return tuple(parse_layers({f"layer {k}": text for k, text in enumerate(texts)}, None)[2])


def program(rng: Random, n: int, most: int) -> StraightLine:
    shares: list[list[Event]] = [[] for _ in range(n)]
    sent: list[tuple[int, int]] = []
    for _ in range(rng.randint(0, most)):
        i, j = rng.sample(range(1, n + 1), 2)
        shares[i - 1].append(snd(i, j))
        sent.append((i, j))
        while sent and rng.random() < 0.6:
            i, j = sent.pop(rng.randrange(len(sent)))
            shares[j - 1].append(rcv(j, i))
    for i, j in sent:
        shares[j - 1].append(rcv(j, i))
    return StraightLine(tuple(map(tuple, shares)))


def programs(rng: Random, count: int, most: int = 4) -> list[StraightLine]:
    n = rng.randint(2, 4)
    return [program(rng, n, most) for _ in range(count)]


def accepts(checker: VerifiedChecker, questions: Questions, answer: Answer) -> bool:
    """Whether the verified program accepts all of an answer."""
    try:
        asked, left = questions(answer)
    except MALFORMED:
        return False
    assert not left
    return bool(asked) and not any(
        refused(checker.ask(each.asked), each.about, each.expected) for each in asked
    )


def kernel_accepts(answer: Answer) -> bool:
    try:
        return verify_run(json.dumps(answer)).ok
    except InputError:
        return False


def same(checker: VerifiedChecker, questions: Questions, answer: Answer) -> bool:
    accepted = kernel_accepts(answer)
    assert accepts(checker, questions, answer) == accepted, answer
    return accepted


def changes(rng: Random, answer: Answer, holder: Any, *keys: str) -> list[Answer]:
    found = []
    for _ in range(10):
        kept = {key: copy.deepcopy(holder[key]) for key in keys}
        part = {key: holder[key] for key in keys}
        change(rng, [part])
        is_plain = part.keys() == kept.keys() and "true" not in json.dumps(part)  # Python takes true for 1
        if is_plain and part != kept:
            holder |= copy.deepcopy(part)
            found.append(copy.deepcopy(answer))
        holder |= kept
    return found


@pytest.mark.parametrize("seed", range(3))
def test_decisions(checker: VerifiedChecker, seed: int) -> None:
    rng, accepted = Random(seed), []
    for _ in range(120):
        answer = decision(*programs(rng, 2)).to_json()
        assert same(checker, of_sealing, answer)
        assert not same(checker, of_sealing, answer | {"seals": not answer["seals"]})
        keys = ("chains",) if answer["seals"] else ("later", "order", "matching", "receive")
        for changed in changes(rng, answer, answer["certificate"], *keys):
            accepted.append(same(checker, of_sealing, changed))
    assert accepted.count(False) > 250
    assert accepted.count(True) > 0


@pytest.mark.parametrize("is_minimal", [True, False])
def test_seals(checker: VerifiedChecker, is_minimal: bool) -> None:
    rng, accepted = Random(7), []
    for _ in range(100):
        (p,) = programs(rng, 1, 6)
        answer = sealing(p, minimal=is_minimal).to_json()
        certificate = answer["certificate"]
        assert same(checker, of_seal, answer)
        assert not same(checker, of_seal, answer | {"sealable": not answer["sealable"]})
        changed = changes(rng, answer, certificate, *(("chains",) if answer["sealable"] else ("knowledge",)))
        if answer["sealable"] and is_minimal:
            changed += changes(rng, answer, certificate["minimum"], "states")
        accepted += [same(checker, of_seal, each) for each in changed]
    assert accepted.count(False) > 300


def test_a_seal_that_is_not_shortest(checker: VerifiedChecker) -> None:
    found = sealing(program(Random(1), 3, 0), minimal=True).to_json()
    longer = {"seal": "mt 1->2; mt 2->1", "messages": 2}
    minimum = found["certificate"]["minimum"] | {"messages": 2}
    assert not same(
        checker, of_seal, found | longer | {"certificate": found["certificate"] | {"minimum": minimum}}
    )


@pytest.mark.parametrize("seed", range(3))
def test_layers(checker: VerifiedChecker, seed: int) -> None:
    rng, accepted = Random(seed), []
    for _ in range(40):
        layers = programs(rng, rng.randint(1, 3), 3)
        about = Phases(tuple(layers), rng.random() < 0.4, rng.random() < 0.3)
        answer = staying_apart(about, remedies=False).to_json()
        assert same(checker, of_layers, answer)
        assert not same(checker, of_layers, answer | {"safe": not answer["safe"]})
        found = answer["interfering"]
        for number, root in enumerate(found):
            assert not same(
                checker, of_layers, answer | {"interfering": found[:number] + found[number + 1 :]}
            )
            for changed in changes(rng, answer, root["run"], "later", "upto", "receive", "send"):
                accepted.append(same(checker, of_layers, changed))
            for changed in changes(rng, answer, root, "port", "channel", "receive", "send"):
                accepted.append(same(checker, of_layers, changed))
    assert accepted.count(False) > 250


@pytest.mark.parametrize("order", [[], ["fifo"], ["lossy"], ["fifo", "lossy"], ["duplicating"]])
def test_searches(checker: VerifiedChecker, order: list[str]) -> None:
    rng, accepted = Random(len(order)), []
    while len(accepted) < 150:
        layers = tuple(random_layer(rng, 3, 3, [("", False), ("", True)]) for _ in range(2))
        plain = PortPhases(layers, Protocol.sequence(2), overlapping=True)
        about = replace(plain, guarantees=dict.fromkeys(plain.used, Guarantee.of(order)) if order else {})
        try:
            found = searched(about, ("A", "B"), NUMBERS, document=True, every=True)
        except (InputError, LimitReached):
            continue
        if found.code is Code.YES or not plain.ports.overlap:
            continue
        answer = found.to_json()
        assert same(checker, only_found, answer)
        assert not same(checker, only_found, answer | {"safe": True})
        for root in answer["interfering"]:
            for changed in changes(rng, answer, root["run"], "word", "later", "order", "matching"):
                accepted.append(same(checker, only_found, changed))
    assert accepted.count(False) > 100


def only_found(answer: Answer) -> Checks:
    asked, left = of_layers(answer)
    assert left == SEARCHED
    return Checks(asked)


def test_what_follows_may_not_overlap(checker: VerifiedChecker) -> None:
    about = PortPhases(parsed("snd 1->2; rcv 2<-*"), Protocol.sequence(1), open=True)
    answer = staying_apart_over_ports(about, ("A",), propose=False).to_json()
    assert same(checker, of_layers, answer)
    run = {"later": "rcv 2<-1", "order": [[1, 1], [2, 1], [2, 2]], "matching": [[[2, 1], [1, 1]]]}
    answer["interfering"][0]["run"] |= run
    assert not same(checker, of_layers, answer)


def test_many_processes(checker: VerifiedChecker) -> None:
    there, back = (StraightLine.of(9999, (snd(i, j), rcv(j, i))) for i, j in ((1, 9999), (9999, 1)))
    for q in (there, back):
        assert same(checker, of_sealing, decision(there, q).to_json())
    asked = {"question": "closed-channels", "n": 1001, "p": {"processes": [[]] * 1001}}
    assert checker.ask(asked).skipped == "with more than 1000 processes there are too many channels"
