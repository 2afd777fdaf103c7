"""`sealcheck seal`: a seal, a minimum, or a reason why there is no seal."""

from functools import partial

import pytest

from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.signature import signature
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.space import Space

KEYS = ["sealable", "seal", "messages", "certificate"]
CROSSING = "snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1"
"""The paper's program X (`l:non-sealed`)."""


def judge_stuck(program, certificate):
    knowledge = {int(process): known for process, known in certificate["knowledge"].items()}
    open_channels = map(list, signature(program).open_channels)
    unsafe = [channel for channel in open_channels if channel not in knowledge[channel[0]]]
    assert certificate["stuck"] == unsafe != []


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2)])
def test_every_small_program(ask, n, m):
    for program in filter(lambda p: p.is_canonical, Space(n, m).programs()):
        for minimal in (False, True):
            reply = ask("seal", str(program), "--n", str(n), "--json", *["--minimal"] * minimal)
            document = reply.document
            assert list(document) == KEYS
            certificate = document["certificate"]
            if not document["sealable"]:
                assert reply.code == 1
                assert (document["seal"], document["messages"]) == (None, None)
                assert certificate["kind"] == "closed-knowledge"
                judge_stuck(program, certificate)
                continue
            assert reply.code == 0
            assert certificate["kind"] == "seal"
            assert ask("decide", str(program), document["seal"], "--n", str(n)).code == 0
            sent = document["seal"].count("mt") + document["seal"].count("snd")
            assert document["messages"] == sent
            assert ("minimum" in certificate) is minimal
            if minimal:
                assert certificate["minimum"]["messages"] == sent


def test_some_channels_stuck(ask):
    text = "mt 2->1; snd 1->3; snd 2->3; mt 3->1; mt 3->2; rcv 3<-1; rcv 3<-2"
    certificate = ask("seal", text, "--json").document["certificate"]
    judge_stuck(parse_straight_line(text), certificate)
    assert certificate["stuck"] == [[1, 3], [2, 3], [3, 1], [3, 2]]
    assert [2, 1] in ask("analyze", text, "--json").document["open_channels"]


def test_a_minimum_can_be_smaller(ask):
    found = [ask("seal", CROSSING, "--n", "3", "--json", *option) for option in ([], ["--minimal"])]
    assert [reply.document["messages"] for reply in found] == [4, 3]


def test_seal_in_words(ask):
    question = "seal", "mt 1->2; mt 1->3", "--minimal"
    document = ask(*question, "--json").document
    text = ask(*question).out.splitlines()
    assert text[0] == "yes: P can be sealed properly (2 messages, the fewest possible)"
    assert text[2] == "  " + document["seal"]
    reason = document["certificate"]["minimum"]["reason"]
    assert f"Why not fewer: {reason}. Why it seals P" in " ".join(" ".join(text).split())


def test_no_seal_in_words(ask):
    reply = ask("seal", CROSSING)
    assert reply.code == 1
    assert reply.out.startswith("no: P cannot be sealed properly\n\ncut off     {1}  {2}\n")
    assert "\nnever safe  1->2, 2->1\n" in reply.out
    assert reply.out.endswith("this program seals P:\n            mt 1->3; mt 2->3; mt 3->1; mt 3->2\n")


def test_nothing_to_seal(ask):
    assert ask("seal", "eps", "--json").document["seal"] == "eps"
    assert ask("seal", "eps").out == "yes: P can be sealed properly (0 messages)\n\n  eps\n"


def test_limit(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.operations.sealing.minimum_seal", partial(minimum_seal, states=3))
    reply = ask("seal", CROSSING, "--n", "3", "--minimal", "--json")
    assert reply.code == 3
    assert list(reply.document) == [*KEYS, "unknown"]
    assert [reply.document[key] for key in KEYS] == [True, None, None, None]
    assert "3 states" in reply.document["unknown"]
    assert ask("seal", CROSSING, "--n", "3", "--minimal").out.startswith("unknown: ")
    assert ask("seal", CROSSING, "--n", "3").code == 0
