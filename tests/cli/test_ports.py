"""``sealcheck phases`` over ports: text, documents, protocol files, batches, transports, refusals."""

import json

import pytest

from sealcheck.algorithms.mending import over_ports
from sealcheck.kernel.ports import check_ports
from sealcheck.kernel.reading import Rejected

TWICE = ("snd 1->2; rcv 2<-*", "snd 3->2; rcv 2<-*")
NO = """\
no: messages can get from one layer into another on 1 port

What would keep them apart:

  acknowledgments   1 message, received before going on (no fewer are enough)
    after layer 1   mt 2->3:ack
  or tags           with the layer of each message, matched by receives, on 2<-*
    with room       for 2 messages
  or named sources  in the receives on 2<-*

2<-* (bag): a receive of layer 1 can take a message of layer 2. This execution shows it:

           2            3
           |            |
layer 2    |      <==1==o   snd 3->2  sends message 1
layer 1    o<==1==      |   rcv 2<-*  takes message 1 of layer 2
(1 process left out: it does nothing here)
"""


def test_text(ask):
    found = ask("phases", *TWICE)
    assert (found.code, found.out) == (1, NO)
    assert ask("phases", TWICE[0], "mt 2->3:ack", TWICE[1]).code == 0
    assert ask("phases", "snd 1->2; rcv 2<-1", "snd 3->2; rcv 2<-3").code == 0


def test_document(ask):
    for layers, code in ((TWICE, 1), (("snd 1->2:x; rcv 2<-*:x", "mt 2->3:y"), 0)):
        found = ask("phases", *layers, "--json")
        document = found.document
        assert (found.code, list(document)) == (code, ["safe", "interfering", "remedies", "certificate"])
        check_ports(document["certificate"], document["interfering"])
        assert ask("verify", "-", stdin=json.dumps(document).encode()).code == 0
        assert ask("draw", "--run", "-", stdin=json.dumps(document).encode()).code == 0
        with pytest.raises(Rejected):
            check_ports(document["certificate"] | {"open": True}, [])
    assert ask("phases", *TWICE, "--json").document["remedies"] == {
        "acknowledgments": ["mt 2->3:ack", "eps"],
        "messages": 1,
        "at_least": 1,
        "tags": {"2<-*": 1},
        "room": {"2<-*": 2},
        "order": None,
        "name_sources": ["2<-*"],
    }


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--order", "fifo"), 0),
        (("--transport", "mpi"), 0),
        (("--transport", "udp"), 1),
        (("--port", "2<-1=fifo"), 0),
        (("--port", "2<-1=fifo,lossy"), 1),
        (("--order", "fifo", "--port", "2<-1=bag"), 1),
    ],
)
def test_guarantees(ask, options, code):
    assert ask("phases", "mt 1->2", "--repeat", *options).code == code


def test_lossy_ports_may_block(ask):
    assert "may wait forever" in ask("phases", "mt 1->2; mt 2->1", "--transport", "webrtc-lossy").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--order", "bag"), "a receive of layer 1 can take a message of a later program"),
        (("--port", "2<-1=duplicating"), "a receive of a later program can take a message of layer 1"),
    ],
)
def test_what_follows_is_a_later_program(ask, options, said):
    assert said in ask("phases", "mt 1->2", "--open", *options).out


def test_layers_of_which_only_one_happens_may_share_a_port(ask, tmp_path):
    layers = "layer A: mt 1->2\nlayer B: mt 1->2\nport 2<-1: duplicating\n"
    (tmp_path / "one.phases").write_text(f"{layers}protocol: A | B\n")
    assert (
        "In every execution, each port serves only one layer, or"
        in ask("phases", f"@{tmp_path}/one.phases").out
    )


def test_transports(ask):
    document = ask("phases", "mt 1->2", "--repeat", "--transports", "--json").document
    said = {row["transport"]: row["safe"] for row in document["transports"]}
    assert (said["tcp"], said["tcp-pool"], said["udp"], said["sqs"]) == (True, False, False, False)
    assert ask("phases", "mt 1->2", "--transports").code == 0


def test_transports_leave_a_port_its_own_guarantee(ask, tmp_path):
    (tmp_path / "own.phases").write_text("port b<-a:x: bag\nlayer A: mt a->b:x; mt b->a\nprotocol: A*")
    layers = ("mt a->b:x", "mt a->b:x")
    for given in ((f"@{tmp_path}/own.phases",), (*layers, "--port", "b<-a:x=fifo")):
        for row in ask("phases", *given, "--transports", "--json").document["transports"]:
            one = ask("phases", *given, "--transport", row["transport"], "--json").document
            assert (row["safe"], row["interfering"]) == (one["safe"], [x["port"] for x in one["interfering"]])
    for option in (("--order", "fifo"), ("--transport", "tcp")):
        assert "--transports asks about each transport" in ask("phases", *layers, "--transports", *option).err


def test_a_name_may_have_an_equals_sign(ask):
    layers = ('mt "x=y"->b', 'mt "x=y"->b')
    assert ask("phases", *layers, "--port", 'b<-"x=y"=fifo').code == 0


@pytest.mark.parametrize("port", ["b<-the server", 'b<-"the server"'])
def test_a_port_may_be_written_as_printed_or_as_program_text(ask, port):
    layers = ('mt "the server"->b', 'mt "the server"->b')
    assert ask("phases", *layers, "--port", f"{port}=fifo").code == 0
    assert ask("phases", *layers, "--port", f"{port}=fifo", "--transports").code == 0
    answer = ask("phases", *layers, "--order", "bag", "--json").out.encode()
    drawn = ask("draw", "--run", "-", "--port", port, stdin=answer)
    assert "The layers interfere on b<-the server" in drawn.out


def test_every_execution(ask):
    layers = ("mt 1->2; mt 1->3:x", "mt 1->2; mt 1->3:x")
    assert "1 more: 3<-1:x (--all shows each)" in ask("phases", *layers).out
    assert ask("phases", *layers, "--all").out.count("This execution shows it") == 2


PROTOCOL = """\
processes: client, server
port server<-*:job: fifo        # as MPI does
layer A: snd client->server:job; rcv server<-*:job
layer B: @ack.txt
protocol: (A B?)* A
"""


def test_the_order_of_named_sources(ask):
    """The first receive has to name 1, because 3 tells 2, and 2 lets 1 go on."""
    layer = "snd 1->3; snd 2->3; {}; mt 3->2:ok; mt 2->1:go; {}; mt 3->2:end"
    told = ask("phases", layer.format("rcv 3<-*", "rcv 3<-*"), "--repeat").out
    assert "in the receives on 3<-*\n    in the order    1, 2 on 3<-* in layer 1\n" in told
    assert ask("phases", layer.format("rcv 3<-1", "rcv 3<-2"), "--repeat").code == 0
    assert ask("phases", layer.format("rcv 3<-2", "rcv 3<-1"), "--repeat").code == 1
    told = ask("phases", layer.format("rcv 3<-*", "rcv 3<-*"), "--repeat", "--port", "3<-*=fifo").out
    assert "    in the order    1, 2 on 3<-* in layer 1\n" in told  # 1<-2:go is a bag
    told = ask("phases", layer.format("rcv 3<-*", "rcv 3<-*"), "--repeat", "--order", "fifo").out
    assert "in the receives on 3<-*\n\n" in told


def test_acknowledgments_are_in_their_order(ask, tmp_path):
    """Here 1 must not tell 3 before 2 has told 1."""
    layers = "layer A: mt 3->2:x\nlayer B: mt 2->1:x\n"
    (tmp_path / "no.phases").write_text(f"{layers}protocol: (A B A)*\n")
    found = ask("phases", f"@{tmp_path}/no.phases", "--json").document["remedies"]
    assert found["acknowledgments"] == ["mt 2->1:ack; mt 1->3:ack", "eps"]
    layers += f"layer ack: {found['acknowledgments'][0]}\n"
    (tmp_path / "yes.phases").write_text(f"{layers}protocol: (A ack B A ack)*\n")
    assert ask("phases", f"@{tmp_path}/yes.phases").code == 0


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        (("mt a->b", "mt a->b", "mt b->a; mt c->b"), ["mt b->a:ack", "eps", "eps"]),  # not by way of c
        (("mt a->b", "mt b->a", "mt b->a"), ["eps", "mt a->b:ack", "eps"]),
    ],
)
def test_acknowledgments_on_channels_in_use_have_a_tag(ask, layers, expected):
    found = ask("phases", *layers, "--order", "bag", "--json").document["remedies"]
    assert (found["acknowledgments"], found["messages"], found["at_least"]) == (expected, 1, 1)
    mended = [each for pair in zip(layers, expected, strict=True) for each in pair]
    assert ask("phases", *mended, "--order", "bag").code == 0


def test_protocol_files(ask, tmp_path):
    (tmp_path / "ack.txt").write_text("mt server->client:ack")
    file = tmp_path / "jobs.phases"
    file.write_text(PROTOCOL)
    assert ask("phases", f"@{file}").code == 0
    found = ask("phases", f"@{file}", "--order", "bag", "--port", "server<-*:job=bag")
    assert (found.code, "server<-*:job (bag): a receive of A, round 1" in found.out) == (1, True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("layer A: mt 1->2\nprotocol :  A B", "protocol: line 2, column 15: there is no layer 'B'"),
        ("layer A: mt 1->2\nprotocol: A)", "protocol: line 2, column 12: expected a layer, '|',"),
        ("\n  layer A:mt 1->2; go # x\nprotocol: A", "layer A: line 2, column 20: 'go' is not a statement"),
        ("layer A: snd 1->2\nprotocol: A", "layer A is not balanced: port 2<-1 has 1 more send than"),
        ("layer A: mt 1->1\nprotocol: A", "layer A: process 1 sends to itself"),
        ("layer A: mt 1->2\nlayer B: -\nprotocol: A B", "layer B: only a layer of the command line can be"),
        ("layer A: @gone.mmd\nprotocol: A", "layer A: cannot read '"),
        ("layer A: mt 1->2\nport 2<-3: fifo\nprotocol: A", "no layer uses port 2<-3; ports are: 2<-1"),
        ("layer A: mt 1->2:x\nport 2<-1:x=fifo\nprotocol: A", "port 2<-1: 'x=fifo' is not a guarantee"),
        ("processes: 1, 2\nlayer A: mt 1->2\nprotocol: A", "layer A: 1 is a number, but also a name: write"),
        ("layer A: mt 1->2\ntransport: tpc\nprotocol: A", "line 2: unknown transport 'tpc'"),
        (f"layer A: mt 1->2\nprotocol: A{51 * '?'}*", "protocol: the protocol is longer than 10000 letters"),
    ],
)
def test_bad_protocol_files(ask, tmp_path, text, why):
    file = tmp_path / "jobs.phases"
    file.write_text(text)
    found = ask("phases", f"@{file}")
    assert (found.code, found.err.startswith(f"sealcheck: {file}: {why}")) == (2, True), found.err


def test_bad_options_about_protocol_files(ask, tmp_path):
    file = tmp_path / "jobs.phases"
    file.write_text(PROTOCOL.replace("@ack.txt", "mt server->client:ack"))
    found = ask("phases", f"@{file}", "--transport", "tpc")
    assert found.err.startswith("sealcheck: unknown transport 'tpc'")
    file.write_text("layer A: snd 1->2; snd 3->2; rcv 2<-3; rcv 2<-*; rcv 2<-3\nprotocol: A")
    assert f"sealcheck: {file}: layer A is not balanced" in ask("phases", f"@{file}", "--search").err
    file.write_text("layer A: rcv 2<-*; mt 1->2; mt 3->2; snd 2->1\nlayer B: mt 1->2\nprotocol: A B")
    assert ask("phases", f"@{file}", "--search").err.startswith(f"sealcheck: {file}: layer A")


def test_deep_protocols(ask, tmp_path):
    expression = "A"
    for _ in range(50):
        expression = f"({expression} B | B)?"
    file = tmp_path / "deep.phases"
    file.write_text(f"layer A: mt 1->2\nlayer B: mt 2->1\nprotocol: {expression}")
    assert ask("phases", f"@{file}", "--json").document["safe"] is False


def test_protocol_files_are_text(ask, tmp_path):
    file = tmp_path / "jobs.phases"
    file.write_bytes(b"layer A: mt 1->2\xff")
    why = f"cannot read '{file}': not UTF-8 text: wrong byte 0xff at offset 16"
    assert ask("phases", f"@{file}").err == f"sealcheck: {why}\n"


def test_batch(ask):
    lines = [
        {"layers": list(TWICE)},
        {"layers": list(TWICE), "ports": {"2<-*": ["fifo"]}, "n": 3},
        {"protocol": "A (B A)*", "layers": {"A": "mt 1->2:x", "B": "mt 2->1:y"}},
        {"layers": ["mt 1->2"], "repeat": True, "order": "fifo"},
        {"layers": ["mt 1->2", "mt 2->1"], "open": True},
        {"layers": ["mt 1->2:x"], "ports": {"2<-1": ["fifo"]}},
        {"layers": ["mt 1->2:x"], "repeat": 1},
    ]
    found = ask("phases", "--batch", "-", stdin="\n".join(map(json.dumps, lines)).encode())
    said = [json.loads(line) for line in found.out.splitlines()]
    assert [each.get("safe") for each in said] == [False, False, True, True, False, None, None]
    assert "no layer uses port 2<-1; ports are: 2<-1:x" in said[5]["error"]
    assert "'repeat' must be true or false" in said[6]["error"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("snd 1->2:x; rcv 2<-*:x; mt 3->2:x",), "'rcv 2<-3:x' and 'rcv 2<-*:x' overlap"),
        (("snd 1->2:x",), "layer 1 is not balanced: port 2<-1:x has 1 more send than receives"),
        (("rcv 2<-1:x; snd 2->1:y; rcv 1<-2:y; snd 1->2:x",), "deadlocks: 'rcv 1<-2:y', 'rcv 2<-1:x'"),
        (("mt 1->2", "--port", "2<-1"), "--port takes a port and its guarantee"),
        (
            ("mt 1->2", "--port", "2<-1=fifo", "--port", "2<-1=lossy"),
            "--port: 2<-1 comes twice: write '2<-1=",
        ),
        (
            ("mt 1->2", "--port", "2<-1=fifo", "--port", "2 <- 1=bag"),
            "port 2 <- 1: its guarantee is given twice",
        ),
        (("mt 1->2", "--port", "2<-1=slow"), "'slow' is not a guarantee of a port"),
        (("mt 1->2", "--port", "2<-1=fifo,duplicating"), "cannot be both fifo and duplicating"),
        (("mt 1->2", "--transport", "quick"), "unknown transport 'quick'"),
        (("mt 1->2", "--order", "lifo"), "'lifo' is not a guarantee"),
        (("mt 1->2", "--order", "fifo", "--transport", "tcp"), "not both"),
        (("mt 1->2:x", "--self-channels"), "not supported over ports"),
        (("@no.phases",), "no.phases"),
    ],
)
def test_refused(ask, arguments, why):
    found = ask("phases", *arguments)
    assert (found.code, why in found.err) == (2, True), found.err


@pytest.mark.parametrize("command", ["seal", "analyze", "draw", "draw --signature", "is tcc", "refines eps"])
@pytest.mark.parametrize("text", ["mt 1->2:x", "mt a->b:x", "snd 1->2; rcv 2<-*"])
def test_what_only_phases_and_decide_know(ask, command, text):
    found = ask(*command.split(), text)
    assert found.code == 2
    assert "only phases and decide support tags and receives from any source" in found.err


def test_64_ranks_fit_a_screen(ask):
    ring = [f"snd {k}->{other}" for k in range(1, 65) for other in (k % 64 + 1, (k - 2) % 64 + 1)]
    exchange = "; ".join([*ring, *(f"rcv {k}<-*; rcv {k}<-*" for k in range(1, 65))])
    gather = "; ".join([*(f"snd {k}->1" for k in range(2, 65)), *["rcv 1<-*"] * 63])
    for layer, left_out in ((exchange, "61 processes"), (gather, "62 processes")):
        out = ask("phases", layer, layer, "--transport", "mpi").out
        assert len(out.splitlines()) < 30
        assert max(map(len, out.splitlines())) <= 100
        assert f"({left_out} left out: they do nothing here)" in out
    assert "63 more, alike up to renaming: " in ask("phases", exchange, exchange, "--transport", "mpi").out
    acks = "; ".join(f"mt 1->{k}:ack" for k in range(2, 65))
    for arguments, more in (
        (("phases", gather, acks, gather), " 53 more (--all shows each) "),
        (
            ("phases", gather, acks, "--open"),
            "57 processes are left out, since none of their events is drawn",
        ),
        (
            ("phases", gather, acks, "--transport", "webrtc-lossy"),
            "12<-1:ack, ... (64 in all) may wait forever",
        ),
        (("decide", gather, acks), "11, 12, ... (64 in all) "),
        (("decide", acks, f"{gather}; {acks}"), " 51 more (--json has each) "),
    ):
        out = ask(*arguments).out
        assert more in out.replace("\n", " ")
        assert len(out.splitlines()) <= 50
        assert max(map(len, out.splitlines())) <= 100
    assert len(ask("phases", gather, acks, gather, "--all").out.splitlines()) == 70


def test_pictures_of_64_ranks_are_narrow(ask):
    """Abridged pictures show only processes that have a drawn event."""
    gather = "; ".join([*(f"snd {k}->1" for k in range(2, 65)), *(f"rcv 1<-{k}" for k in range(2, 65))])
    scene = ask("draw", gather, "--json").document
    assert len(scene["lanes"]) < 20
    assert scene["width"] < 2_000
    assert any("processes are left out" in label["text"] for label in scene["labels"])
    assert "(63 in all) open" in scene["description"]
    whole = ask("draw", gather, "--json", "--all").document
    assert len(whole["lanes"]) == 64


def test_room_that_is_not_known_is_not_claimed(ask, monkeypatch):
    layers = "snd 1->2; snd 3->4; rcv 2<-*; rcv 4<-*", "snd 3->2; snd 1->4; rcv 2<-*; rcv 4<-*"
    assert "with room       for 2 messages on each\n" in ask("phases", *layers).out
    known = over_ports.room

    def one(decision):
        return dict(list(known(decision).items())[:1])

    monkeypatch.setattr(over_ports, "room", one)
    assert "with room       for 2 messages on 2<-*\n" in ask("phases", *layers).out
    monkeypatch.setattr(over_ports, "room", known)
    monkeypatch.setattr(over_ports, "MOST_PLAYED", 0)
    out = ask("phases", *layers).out
    assert "or tags" in out
    assert "with room" not in out


def test_names_of_layers_are_kept(ask, tmp_path):
    file = tmp_path / "jobs.phases"
    file.write_text("processes: b, a\nlayer job: mt a->b\nlayer bye: mt a->b\nprotocol: job bye")
    found = ask("phases", f"@{file}", "--json")
    assert found.document["layers"] == ["job", "bye"]
    document = json.dumps(found.document).encode()
    assert "2 layers (job, bye), n = 2" in ask("verify", "-", stdin=document).out
    drawn = ask("draw", "--run", "-", stdin=document).out
    assert "job" in drawn
    assert "bye" in drawn
    wrong = json.dumps(found.document | {"layers": ["job"]}).encode()
    assert ask("verify", "-", stdin=wrong).code == 1


def test_root_causes_that_are_not_alike_are_counted_apart(ask):
    layer = "mt 1->2; mt 3->4; mt 5->6:x"
    out = ask("phases", layer, layer, "--order", "bag").out
    assert "1 more, alike up to renaming, and 1 other: 4<-3, 6<-5:x (--all shows each)" in out


@pytest.mark.parametrize(("word", "safe"), [("", True), ("opt", False), ("loop", False)])
def test_a_drawn_block_that_may_be_left_out_does_not_protect(ask, tmp_path, word, safe):
    answer = f"{word} x\nB -> A\nend" if word else "== answer ==\nB -> A\n== again =="
    file = tmp_path / "a.puml"
    file.write_text(f"@startuml\nA -> B\n{answer}\nA -> B\n@enduml")
    found = ask("phases", f"@{file}", "--json").document
    middle = {"": 2, "opt": ["or", 2, ["then"]], "loop": ["any", 2]}[word]
    assert (found["safe"], found["certificate"]["protocol"]) == (safe, ["then", 1, middle, 3])
    assert found["processes"] == ["A", "B"]


def test_a_drawn_protocol_is_repeated_as_a_whole(ask, tmp_path):
    file = tmp_path / "a.puml"
    file.write_text("@startuml\n== ping ==\nA -> B\n@enduml")
    for options, safe, protocol in (((), True, 1), (("--repeat",), False, ["any", 1])):
        found = ask("phases", f"@{file}", *options, "--json").document
        assert (found["safe"], found["certificate"]["protocol"]) == (safe, protocol)
        assert found["layers"] == ["ping"]


SEALED_NO = """\
no: Q does not seal P

1<-3 (bag): in this run of P; Q; R, where R is 'snd 2->3; snd 3->1', 'rcv 1<-3' in P takes a message
of R (===):

     1            2            3
     |            |            |
P    |            |      <--1--o   snd 3->1  sends message 1
Q    |            o--2-->      |   snd 2->3  sends message 2
R    |            o--3-->      |   snd 2->3  sends message 3
Q    |            |      --2-->o   rcv 3<-*  takes message 2 of Q
Q    |            |      --3-->o   rcv 3<-*  takes message 3 of R
R    |            |      <==4==o   snd 3->1  sends message 4
P    o<==4==      |            |   rcv 1<-3  takes message 4 of R
"""
SEALED_YES = """\
yes: Q properly seals P

No receive of P can take a later message. Until P's last receive on a port is over, these processes
cannot finish P; Q. Without them, no later message can be taken there:

  b<-*:x  holds up a, b
"""


def test_seals(ask):
    no = ("mt 3->1", "snd 1->3; snd 2->3; rcv 3<-*; rcv 3<-*")
    yes = ("snd a->b:x; rcv b<-*:x", "mt b->a")
    assert ask("decide", *no) == (1, SEALED_NO, "")
    assert ask("decide", *yes) == (0, SEALED_YES, "")
    for pair, code in ((no, 1), (yes, 0)):
        found = ask("decide", *pair, "--json")
        keys = [key for key in found.document if key != "processes"]
        assert (found.code, keys) == (code, ["seals", "interfering", "certificate"])
        verified = ask("verify", "-", stdin=found.out.encode())
        assert (verified.code, f"Q {'does not seal' if code else 'seals'} P" in verified.out) == (0, True)
        forged = found.out.replace(f'"seals": {str(not code).lower()}', f'"seals": {str(bool(code)).lower()}')
        assert ask("verify", "-", stdin=forged.encode()).code == 1
        drawn = ask("draw", "--run", "-", stdin=found.out.encode())
        assert (drawn.code, drawn.out) == (0, ask("draw", "--seals", *pair).out)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "no: Q does not seal P"),
        (
            ("--order", "fifo"),
            "Each port on which P receives delivers the messages of its only sender in order.",
        ),
        (("--transport", "mpi"), "yes: Q properly seals P"),
        (("--port", "2<-1=fifo"), "yes: Q properly seals P"),
        (("--port", "2<-1=fifo,lossy"), "Messages may be lost, so a receive on 2<-1 may wait forever."),
        (("--port", "2<-1=duplicating"), "where R is 'rcv 2<-1', 'rcv 2<-1' in R takes a message\nof P"),
    ],
)
def test_seals_and_guarantees(ask, options, said):
    assert said in ask("decide", "mt 1->2", "eps", *options).out


def test_seals_with_several_root_causes(ask):
    pair = "mt 1->2:x; mt 1->3", "mt 1->2"
    assert "\n1 more: 3<-1 (--json has a run for each)\n" in ask("decide", *pair).out
    document = ask("decide", *pair, "--json").out.encode()
    for port in ("2<-1:x", "3<-1"):
        drawn = ask("draw", "--run", "-", "--port", port, stdin=document)
        assert (drawn.code, f"rcv {port} in P takes" in drawn.out) == (0, True)
    found = ask("draw", "--run", "-", "--port", "4<-1", stdin=document)
    assert "'4<-1' is not a root cause; root causes are: 2<-1:x, 3<-1" in found.err


def test_a_seal_over_ports_as_a_trace(ask, tmp_path):
    document = ask("decide", "mt a->b:x", "eps", "--json").out.encode()
    trace = tmp_path / "run.itf.json"
    assert ask("draw", "--run", "-", "--out", str(trace), stdin=document).code == 0
    assert ask("verify", str(trace)).code == 0
    yes = ask("decide", "mt a->b:x", "mt b->a", "--json").out.encode()
    found = ask("draw", "--run", "-", "--out", str(trace), stdin=yes)
    assert (found.code, "Q seals P, so there is no run that shows otherwise" in found.err) == (2, True)


def test_seals_of_files(ask, tmp_path):
    (tmp_path / "p.mmd").write_text("sequenceDiagram\n  client->>server: put\n")
    assert ask("decide", f"@{tmp_path / 'p.mmd'}", "mt server->client:ack").code == 0
    lines = [
        {"p": "mt 1->2:x", "q": "mt 2->1"},
        {"p": "mt 1->2", "q": "eps", "ports": {"2<-1": ["fifo"]}, "name": "in order"},
        {"p": "mt 1->2", "q": "eps", "transport": "udp"},
        {"p": "mt 1->2", "q": "eps", "order": 1},
        {"p": "mt 1->2", "q": "eps", "repeat": True},
        {"p": "mt 1->2"},
    ]
    found = ask("decide", "--batch", "-", stdin="\n".join(map(json.dumps, lines)).encode())
    answers = [json.loads(line) for line in found.out.splitlines()]
    assert [each.get("seals", each.get("error")) for each in answers] == [
        True,
        True,
        False,
        "key 'order' must be bag or fifo, not a number",
        "unknown key 'repeat'",
        "key 'q' is missing",
    ]
    assert answers[1]["name"] == "in order"


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        (("snd 1->2:x", "eps"), "P is not balanced: port 2<-1:x has 1 more send than receives"),
        (("eps", "rcv 1<-2:x"), "Q is not balanced: port 1<-2:x has 1 more receive than sends"),
        (("snd 1->2; rcv 2<-*", "mt 1->2"), "'rcv 2<-1' and 'rcv 2<-*' overlap"),
        (("rcv 2<-1:x; mt 2->1; snd 1->2:x; mt 1->2", "eps"), "P: the program deadlocks"),
    ],
)
def test_seals_refused(ask, pair, why):
    found = ask("decide", *pair)
    assert (found.code, found.out) == (2, "")
    assert why in found.err


def test_seals_refuse_self_channels(ask):
    found = ask("decide", "mt 1->2:x", "eps", "--self-channels")
    assert (found.code, "--self-channels is not supported over ports" in found.err) == (2, True)
