"""`sealcheck analyze`: it says of every straight-line program what kind it is."""

from itertools import product

import pytest

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.programs.runs import Place
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import channels, rcv, snd

KEYS = ["n", "messages", "balanced", "deadlock_free", "open_channels", "closed_channels", "signature"]


class _Graph:
    """The transitive closure of the program graph, dummy nodes included, looked up one pair at a time."""

    def __init__(self, program):
        self.program, self.pairs = program, causal_pairs(program)
        self.of = [
            [Place(k, at) for at in range(1, len(share) + 1)] for k, share in enumerate(program.shares, 1)
        ]

    def all_of(self, event):
        share = self.program.shares[event.process - 1]
        return [
            place for place, other in zip(self.of[event.process - 1], share, strict=True) if other == event
        ]

    def to_end(self, place):
        return [k for k, of in enumerate(self.of, 1) if k == place.process or self.leads([place], of)]

    def from_start(self, place):
        return [k for k, of in enumerate(self.of, 1) if k == place.process or self.leads(of, [place])]

    def leads(self, causes, effects):
        return any(pair in self.pairs for pair in product(causes, effects))


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2)])
def test_against_the_program_graph(ask, n, m):
    """Channels and signature are those of the transitive closure of the program graph."""
    for program in Space(n, m).programs():
        document = ask("analyze", str(program), "--n", str(n), "--json").document
        graph = _Graph(program)
        receives, sends = [], []
        for i, j in channels(n):
            received, sent = graph.all_of(rcv(j, i)), graph.all_of(snd(i, j))
            if received and i not in (reaches := graph.to_end(received[-1])):
                receives.append({"channel": [i, j], "reaches": reaches})
            if sent and j not in (reached_from := graph.from_start(sent[0])):
                sends.append({"channel": [i, j], "reached_from": reached_from})
        starts = [
            [k, i]
            for k, i in product(range(1, n + 1), repeat=2)
            if k != i and graph.leads(graph.of[k - 1], graph.of[i - 1])
        ]
        open_channels = [receive["channel"] for receive in receives]
        assert list(document) == KEYS
        assert document == {
            "n": n,
            "messages": m,
            "balanced": True,
            "deadlock_free": True,
            "open_channels": open_channels,
            "closed_channels": [list(c) for c in channels(n) if list(c) not in open_channels],
            "signature": {"receives": receives, "sends": sends, "starts": starts},
        }


@pytest.mark.parametrize(
    ("program", "balanced", "deadlock_free", "reason"),
    [
        ("snd 1->2", False, True, "channel 1->2 has 1 more send"),
        ("rcv 1<-2", False, False, "channel 2->1 has 1 more receive"),
        ("rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1", True, False, "deadlocks: 'rcv 2<-1'"),
    ],
)
def test_other_kinds(ask, program, balanced, deadlock_free, reason):
    """A program that is unbalanced or deadlocks has no channels and no signature, and that is no error."""
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
                    (P could receive a message that is sent on these later)
closed              1->3, 2->1, 3->1, 3->2

signature
  last rcv 2<-1     before the end of 2, 3
  last rcv 3<-2     before the end of 3
  first snd 1->2    after the start of 1
  first snd 2->3    after the start of 1, 2
  start of 1        before the end of 2, 3
  start of 2        before the end of 3
"""


def test_text(ask):
    """People get the same in words."""
    assert ask("analyze", "mt 1->2; mt 2->3") == (0, TEXT, "")


def test_self_channels(ask):
    """A self-channel needs the switch, and is in neither list: only i != j can be open."""
    program = "snd 1->1; rcv 1<-1; mt 1->2"
    reply = ask("analyze", program)
    assert reply.code == 2
    assert "self-channel 1->1" in reply.err
    document = ask("analyze", program, "--self-channels", "--json").document
    assert (document["open_channels"], document["closed_channels"]) == ([[1, 2]], [[2, 1]])


def test_idle_processes(ask):
    """Processes that the program does not name exist when --n says so."""
    document = ask("analyze", "mt 1->2", "--n", "3", "--json").document
    assert document["n"] == 3
    assert [3, 1] in document["closed_channels"]


def test_many_signature_lines(ask):
    """Of a long signature the first and the last lines are shown, and how many there are between them."""
    lines = ask("analyze", "; ".join(f"mt {i}->{i + 1}" for i in range(1, 100))).out.splitlines()
    signature = lines[lines.index("signature") + 1 :]
    assert len(signature) == 201
    assert signature[0].startswith("  last rcv 2<-1 ")
    assert signature[100].endswith(" lines left out)")
    assert signature[-1].startswith("  start of 99 ")


def test_many_channels(ask):
    """People are spared long lists."""
    text = ask("analyze", "mt 1->100").out
    assert "... (9899 in all)" in text
    assert len(text.splitlines()) < 20
