"""Over ports, the verified program accepts exactly the answers that the kernel accepts."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.algorithms.test_port_seals import random_pair
from tests.kernel.test_port_seals import documents as seal_documents
from tests.kernel.test_ports import documents
from tests.port_programs import random_phases

from sealcheck.algorithms.ports import decide_ports
from sealcheck.kernel.port_seals import check_port_seal
from sealcheck.kernel.ports import check_ports
from sealcheck.kernel.reading import Rejected
from sealcheck.language.ports import parse_layers
from sealcheck.operations.port_answers import evidence
from sealcheck.programs.port_space import WAYS, PortSpace, Way
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.questions.verified_checker import VerifiedChecker

pytestmark = pytest.mark.coq

Answer = dict[str, Any]


def answer_of(about: PortPhases) -> Answer:
    certificate, found = documents(decide_ports(about))
    return {"safe": not found, "interfering": found, "certificate": certificate}


def kernel_accepts(answer: Answer) -> bool:
    check, verdict = (check_ports, "safe") if "safe" in answer else (check_port_seal, "seals")
    try:
        check(answer["certificate"], answer["interfering"])
    except Rejected:
        return False
    return answer[verdict] is not bool(answer["interfering"])


def same(checker: VerifiedChecker, answer: Answer) -> bool:
    """Whether both accept it; they must agree, and the verified program must not leave it open."""
    reply, accepted = checker.ask({"answer": answer}), kernel_accepts(answer)
    assert not reply.skipped, answer
    assert (reply.result is True) == accepted, (answer, reply)
    return accepted


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_all_small_layers(checker: VerifiedChecker, way: Way) -> None:
    spaces = [PortSpace(2, messages, count, way) for messages, count in ((1, 1), (2, 1), (2, 2))]
    answers = [answer_of(about) for space in spaces for about, _ in space.canonical(0, space.sequences)]
    assert len(answers) == 1200
    assert all(same(checker, each) for each in answers)
    assert {each["safe"] for each in answers} == {True, False}


@pytest.mark.parametrize("seed", range(4))
def test_random_protocols(checker: VerifiedChecker, seed: int) -> None:
    rng = Random(seed)
    for _ in range(500):
        answer = answer_of(random_phases(rng))
        assert same(checker, answer)
        assert not same(checker, answer | {"safe": not answer["safe"]})


@pytest.mark.parametrize("seed", range(4))
def test_changed_answers(checker: VerifiedChecker, seed: int) -> None:
    rng, accepted = Random(seed), []
    while len(accepted) < 2000:
        answer = answer_of(random_phases(rng))
        for _ in range(10):
            changed = copy.deepcopy(answer)
            change(rng, [changed["interfering"], changed["certificate"]])
            if changed != answer:
                accepted.append(same(checker, changed))
    assert accepted.count(False) > 1500
    assert accepted.count(True) > 50


@pytest.mark.parametrize("seed", range(3))
def test_seals(checker: VerifiedChecker, seed: int) -> None:
    rng, accepted = Random(seed), []
    for _ in range(150):
        certificate, found = seal_documents(random_pair(rng))
        answer = {"seals": not found, "interfering": found, "certificate": certificate}
        assert same(checker, answer)
        assert not same(checker, answer | {"seals": not answer["seals"]})
        for _ in range(8):
            changed = copy.deepcopy(answer)
            change(rng, [changed["interfering"], changed["certificate"]])
            if changed != answer:
                accepted.append(same(checker, changed))
    assert accepted.count(False) > 800
    assert accepted.count(True) > 20


ODD = (None, True, 0, 1, 2, 3, -1, 99, "", "eps", "fifo", "2<-*", "mt 1->2", [], [1], {}, [[1, 1], [2, 1]])


def change(rng: Random, value: list[Any]) -> None:
    for _ in range(rng.choice((1, 1, 1, 2))):
        holder, key = rng.choice([*places(value)])
        here, how = holder[key], rng.random()
        if isinstance(here, int) and how < 0.7:
            holder[key] = here + rng.choice((-1, 1, 2)) if not isinstance(here, bool) else not here
        elif isinstance(here, list) and here and how < 0.5:
            at = rng.randrange(len(here))
            here[at:at] = [copy.deepcopy(rng.choice(here))] if rng.random() < 0.5 else []
            rng.shuffle(here) if rng.random() < 0.3 else here.pop(rng.randrange(len(here)))
        elif isinstance(here, str) and here and how < 0.7:
            at = rng.randrange(len(here))
            holder[key] = here[:at] + rng.choice("123*:x-; ") + here[at + rng.randint(0, 1) :]
        elif how < 0.9 or holder is value:
            holder[key] = copy.deepcopy(rng.choice(ODD)) if holder is not value else []
        else:
            holder.pop(key)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(each, dict | list):
            yield from places(each)
        yield value, key


def test_examples(checker: VerifiedChecker) -> None:
    files = sorted((Path(__file__).parents[2] / "examples" / "cases").glob("*.phases"))
    assert files
    for file in files:
        command = [sys.executable, "-m", "sealcheck", "phases", f"@{file}", "--json"]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        assert same(checker, evidence(json.loads(said.stdout)))


def test_long_layers(checker: VerifiedChecker) -> None:
    ring = "; ".join(
        [f"snd {i}->{i % 300 + 1}" for i in range(1, 301)] + [f"rcv {i}<-*" for i in range(1, 301)]
    )
    long = "; ".join(["mt 1->2; mt 2->1"] * 5000)
    for text in (ring, long):
        _, _, layers = parse_layers({"P": text}, None)
        assert same(checker, answer_of(PortPhases(tuple(layers), Protocol.sequence(1, repeat=True))))
    assert same(checker, answer_of(sequence("mt 1->9999", "mt 9999->1")))


def sequence(*texts: str) -> PortPhases:
    _, _, layers = parse_layers({f"layer {k}": text for k, text in enumerate(texts)}, None)
    return PortPhases(tuple(layers), Protocol.sequence(len(texts)))
