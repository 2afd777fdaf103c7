"""`sealcheck decide`: evidence for every answer, and readable texts."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from sealcheck.programs.space import Space

SPACES = {(n, m): Space(n, m) for n, m in [(2, 3), (3, 1), (3, 2), (3, 3), (4, 3)]}


TO_ITSELF = Space(2, 3, self_channels=True)


@st.composite
def pairs(draw):
    n = draw(st.sampled_from([2, 3, 4]))
    spaces = [TO_ITSELF] if draw(st.booleans()) else [at for (k, _), at in SPACES.items() if k == n]
    p, q = (draw(st.sampled_from(spaces)) for _ in "PQ")
    return p.n, *(str(space.program(draw(st.integers(0, len(space) - 1)))) for space in (p, q))


@settings(max_examples=50, deadline=None)
@given(pairs())
def test_random_pairs(ask, pair):
    n, p, q = pair
    reply = ask("decide", p, q, "--n", str(n), "--self-channels", "--json")
    assert (reply.code, list(reply.document)) == (1 - reply.document["seals"], ["seals", "certificate"])
    assert reply.document["certificate"]["kind"] == ("chains" if reply.document["seals"] else "run")
    if reply.code:
        assert ask("verify", "-", stdin=reply.out.encode()).code == 0


YES = """\
yes: Q properly seals P

In every run, P's last receive on a channel happens before any later message is sent on it:

  1->2:  rcv 2<-1 (P) ... snd 2->1 (Q) -> rcv 1<-2 (Q) ... the end of process 1

  (... later in the same process;  -> from the k'th send to the k'th receive of a channel)
"""

TAKEN_FROM_Q = """\
no: Q does not seal P

In this run of P; Q, 'rcv 2<-1' in P takes a message of Q (===):

     1            2
     |            |
P    o--1-->      |   snd 1->2  sends message 1
Q    o==2==>      |   snd 1->2  sends message 2
P    |      ==2==>o   rcv 2<-1  takes message 2 of Q
Q    |      --1-->o   rcv 2<-1  takes message 1 of P
"""


def test_a_yes_can_be_verified(ask):
    found = ask("decide", "mt 1->2", "mt 2->1", "--json").document
    assert ask("verify", "-", stdin=json.dumps(found).encode()).code == 0
    for changed, reason in (
        (found["certificate"] | {"q": "eps"}, "[2, 2] is not an event of the program"),
        (found["certificate"] | {"n": 0}, "n must be in 1..999999"),
        (found["certificate"] | {"chains": []}, "P has channels: 1; there are chains: 0"),
    ):
        reply = ask("verify", "-", stdin=json.dumps(found | {"certificate": changed}).encode())
        assert (reply.code, f"rejected: the answer: {reason}" in reply.out) == (1, True)
    reply = ask("verify", "-", stdin=json.dumps(found | {"seals": False}).encode())
    assert reply.code == 1
    assert "the answer is that Q does not seal P, but the chains are for it" in reply.out


def test_yes_in_words(ask):
    assert ask("decide", "mt 1->2", "mt 2->1") == (0, YES, "")


def test_chain_into_a_send(ask):
    chain = "  1->2:  rcv 2<-1 (P) ... snd 2->1 (Q) -> rcv 1<-2 (Q) ... snd 1->2 (Q)\n"
    assert chain in ask("decide", "mt 1->2", "mt 2->1; mt 1->2").out


def test_nothing_to_seal(ask):
    reply = ask("decide", "eps", "mt 1->2")
    assert reply.code == 0
    assert "P receives nothing" in reply.out


def test_no_in_a_picture(ask):
    assert ask("decide", "mt 1->2", "mt 1->2") == (1, TAKEN_FROM_Q, "")
    said = "In this run of P; Q; R, where R is 'snd 3->1', 'rcv 1<-3' in P takes a message of R (===):\n"
    assert said in ask("decide", "mt 3->1", "eps").out


def test_narrow_terminal(ask, monkeypatch):
    drawn = TAKEN_FROM_Q.splitlines()[4:]
    monkeypatch.setenv("COLUMNS", "30")
    assert ask("decide", "mt 1->2", "mt 1->2").out.splitlines()[4:] == [line[:19].rstrip() for line in drawn]
    monkeypatch.setenv("COLUMNS", "15")
    rows = ["    P  Q  P  Q", "1 -1>=2>------", "2 ------=>2->1"]
    assert ask("decide", "mt 1->2", "mt 1->2").out.splitlines()[4:-1] == rows
    monkeypatch.setenv("COLUMNS", "9")
    rows = ["    P  Q", "1 -1>=2>", "2 ------", "", "    P  Q", "1 ------", "2 =>2->1"]
    assert ask("decide", "mt 1->2", "mt 1->2").out.splitlines()[4:-1] == rows


def test_wide_numbers(ask):
    text = ask("decide", "; ".join(["mt 1->2"] * 10), "eps").out
    assert "P    o--1--->       |   snd 1->2  sends message 1\n" in text
    assert "R    o==11==>       |   snd 1->2  sends message 11\n" in text


def test_long_runs_are_cut(ask):
    count = 1000
    stolen = f"R    o=={count + 1}==>         |   snd 1->2  sends message {count + 1}"
    taken = f"P    |         =={count + 1}==>o   rcv 2<-1  takes message {count + 1} of R"
    lines = ask("decide", "; ".join(["mt 1->2"] * count), "eps").out.splitlines()
    assert len(lines) < 250
    assert lines[6].endswith("snd 1->2  sends message 1")
    drawn = [line for line in lines[4:] if not line.startswith("...")]
    left_out = [int(line.split()[1]) for line in lines if line.startswith("...")]
    assert left_out
    assert len(drawn) + sum(left_out) == 2 + 2 * count + 1
    assert stolen in drawn
    assert taken in drawn
    assert lines[-1] == taken


def test_long_chains_are_cut(ask):
    ring = [f"mt {i}->{i % 300 + 1}" for i in range(1, 301)]
    lines = ask("decide", "; ".join(ring), "; ".join(ring)).out.splitlines()
    chains = [line for line in lines if line.startswith("  ") and ":  " in line]
    assert len(chains) == 200
    assert lines[4 + 100] == "... (100 lines left out)"
    document = ask("decide", "; ".join(ring), "; ".join(ring), "--json").document
    lengths = [len(chain["places"]) for chain in document["certificate"]["chains"]]
    assert max(lengths) > 20
    for line, length in zip(chains, lengths[:100] + lengths[-100:], strict=True):
        shown = line.count("(P)") + line.count("(Q)")
        left_out = int(line.split(" [")[1].split()[0]) if " [" in line else 0
        assert shown == min(length, 20)
        assert shown + left_out == length
