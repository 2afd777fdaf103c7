"""`sealcheck analyze`: the kind of a straight-line program."""

import pytest

KEYS = ["n", "messages", "balanced", "deadlock_free", "open_channels", "closed_channels", "signature"]


@pytest.mark.parametrize(
    ("program", "balanced", "deadlock_free", "reason"),
    [
        ("snd 1->2", False, True, "channel 1->2 has 1 more send"),
        ("rcv 1<-2", False, False, "channel 2->1 has 1 more receive"),
        ("rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1", True, False, "deadlocks: 'rcv 2<-1'"),
    ],
)
def test_other_kinds(ask, program, balanced, deadlock_free, reason):
    document = ask("analyze", program, "--json").document
    assert list(document) == KEYS
    assert (document["balanced"], document["deadlock_free"]) == (balanced, deadlock_free)
    assert [document[key] for key in KEYS[4:]] == [None, None, None]
    reply = ask("analyze", program)
    assert reply.code == 0
    assert reason in reply.out
    assert "Only balanced, deadlock-free programs have" in reply.out


TEXT = """\
3 processes, 2 messages: straight-line, balanced, deadlock-free

open                1->2, 2->3
                    (P could receive a later message on these channels)
closed              1->3, 2->1, 3->1, 3->2

signature
  last rcv 2<-1     before the end of 2, 3
  last rcv 3<-2     before the end of 3
  first snd 1->2    after the start of 1
  first snd 2->3    after the start of 1, 2
  start of 1        before the end of 2, 3
  start of 2        before the end of 3
"""


def test_the_answer(ask):
    document = ask("analyze", "mt 1->2; mt 2->3", "--json").document
    assert list(document) == KEYS
    assert document == {
        "n": 3,
        "messages": 2,
        "balanced": True,
        "deadlock_free": True,
        "open_channels": [[1, 2], [2, 3]],
        "closed_channels": [[1, 3], [2, 1], [3, 1], [3, 2]],
        "signature": {
            "receives": [{"channel": [1, 2], "reaches": [2, 3]}, {"channel": [2, 3], "reaches": [3]}],
            "sends": [{"channel": [1, 2], "reached_from": [1]}, {"channel": [2, 3], "reached_from": [1, 2]}],
            "starts": [[1, 2], [1, 3], [2, 3]],
        },
    }
    assert ask("analyze", "mt 1->2; mt 2->3") == (0, TEXT, "")


def test_self_channels(ask):
    program = "snd 1->1; rcv 1<-1; mt 1->2"
    reply = ask("analyze", program)
    assert reply.code == 2
    assert "self-channel 1->1" in reply.err
    document = ask("analyze", program, "--self-channels", "--json").document
    assert (document["open_channels"], document["closed_channels"]) == ([[1, 2]], [[2, 1]])


def test_many_signature_lines(ask):
    lines = ask("analyze", "; ".join(f"mt {i}->{i + 1}" for i in range(1, 100))).out.splitlines()
    signature = lines[lines.index("signature") + 1 :]
    assert len(signature) == 201
    assert signature[0].startswith("  last rcv 2<-1 ")
    assert signature[100].endswith(" lines left out)")
    assert signature[-1].startswith("  start of 99 ")


def test_many_channels(ask):
    text = ask("analyze", "mt 1->100").out
    assert "... (9899 in all)" in text
    assert len(text.splitlines()) < 20
