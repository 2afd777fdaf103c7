"""``sealcheck phases``: the answer, its evidence, and its text."""

import json
import re
from xml.etree import ElementTree

import pytest

from sealcheck.kernel.phases import check_phases

LINES = """\
no: messages can get from one layer into another on 1 channel

1->2: a receive of layer 1 can take a message of layer 2, which overtakes older ones. This execution
shows it:

           1            2
           |            |
layer 1    o--1-->      |   snd 1->2  sends message 1
layer 2    o==2==>      |   snd 1->2  sends message 2
layer 1    |      ==2==>o   rcv 2<-1  takes message 2 of layer 2
"""


def test_layers_that_interfere(ask):
    reply = ask("phases", "mt 1->2", "mt 1->2")
    assert reply.code == 1
    assert reply.out.startswith(LINES)


def test_layers_that_stay_apart(ask):
    reply = ask("phases", "mt 1->2", "mt 2->1", "mt 1->2")
    assert reply.code == 0
    assert reply.out.startswith("yes: the layers stay apart\n")
    chain = "rcv 2<-1 (layer 1) ... snd 2->1 (layer 2) -> rcv 1<-2 (layer 2) ... snd 1->2 (layer 3)"
    assert f"  1->2:  {chain}\n" in reply.out


@pytest.mark.parametrize("flags", [[], ["--repeat"], ["--open"], ["--repeat", "--open"]])
@pytest.mark.parametrize(
    "layers", [["mt 1->2", "mt 1->2"], ["mt 1->2; mt 2->1", "mt 3->1"], ["eps"], ["snd 1->2", "rcv 2<-1"]]
)
def test_the_document_speaks_for_itself(ask, layers, flags):
    reply = ask("phases", *layers, *flags, "--json")
    document = reply.document
    assert list(document) == ["safe", "interfering", "remedies", "certificate"]
    assert reply.code == (0 if document["safe"] else 1)
    assert document["safe"] == (not document["interfering"])
    check_phases(document["certificate"], document["interfering"])
    for each in document["interfering"]:
        assert set(each) == {"port", "channel", "receive", "send", "run"}
        assert each["receive"]["layer"] != each["send"]["layer"] or "--repeat" in flags
        assert (each["send"]["process"], each["receive"]["process"]) == tuple(each["channel"])


def test_flags_change_the_answer(ask):
    layers = ("mt 1->2", "mt 2->1")
    codes = [ask("phases", *layers, *flags).code for flags in ([], ["--repeat"], ["--open"])]
    assert codes == [0, 0, 1]
    (found,) = ask("phases", *layers, "--open", "--json").document["interfering"]
    assert found["send"] == {"layer": None, "round": None, "process": 2, "position": 1}
    assert found["run"]["later"] == "snd 2->1"
    (found,) = ask("phases", "mt 1->2", "--repeat", "--json").document["interfering"]
    assert (found["receive"]["round"], found["send"]["round"]) == (1, 2)


def test_a_position_is_within_the_layer(ask):
    document = ask("phases", "mt 3->2; mt 2->1", "mt 1->2", "mt 1->2", "--json").document
    (found,) = document["interfering"]
    assert found["receive"] == {"layer": 2, "round": 1, "process": 2, "position": 1}
    assert found["send"] == {"layer": 3, "round": 1, "process": 1, "position": 1}


MEND = """\
What would keep them apart:

  acknowledgments   1 message, received before going on (no fewer are enough)
    after layer 1   mt 2->1
  or tags           with the layer and round of each message, matched by receives, on 1->2
"""


def test_what_would_mend_it(ask):
    assert ask("phases", "mt 1->2", "mt 1->2").out.endswith(MEND)
    mend = ask("phases", "mt 1->2", "mt 1->2", "--json").document["remedies"]
    assert mend == {
        "acknowledgments": ["mt 2->1"],
        "reason": None,
        "messages": 1,
        "fewest": True,
        "at_least": 1,
        "tags": {"2<-1": 1},
        "order": ["2<-1"],
        "name_sources": None,
        "both": None,
        "changes_at_least": 1,
    }
    assert ask("phases", "mt 1->2", *mend["acknowledgments"], "mt 1->2").code == 0
    assert ask("phases", "mt 1->2", "mt 2->1", "--json").document["remedies"] is None


BOTH = """\
  or both           1 message and 1 tag together (no fewer are enough)
    after layer 2   mt 1->2
    with tags on    3->1
"""


def test_a_message_and_a_tag_may_be_fewer_changes(ask):
    layers = ("mt 2->1", "mt 3->1", "snd 2->3; mt 3->1; rcv 3<-2", "--repeat")
    assert ask("phases", *layers).out.endswith(BOTH)
    mend = ask("phases", *layers, "--json").document["remedies"]
    assert mend["both"] == {"acknowledgments": ["eps", "mt 1->2", "eps"], "tags": ["1<-3"], "changes": 2}
    assert (mend["messages"], len(mend["tags"]), mend["changes_at_least"]) == (3, 3, 2)


@pytest.mark.parametrize(
    ("layers", "reason", "tags"),
    [
        (
            ("snd 1->2", "rcv 2<-1"),
            "layer 2 by itself deadlocks, so it has to take a message of another layer",
            None,
        ),
        (
            ("mt 1->2; mt 2->1; snd 1->2", "--repeat"),
            "layer 1 leaves a message over, which layer 1 in the next round can receive",
            {"2<-1": None},
        ),
        (
            ("snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2", "--repeat"),
            "a layer could receive their own messages",
            {"2<-1": 2, "1<-2": 2},
        ),
    ],
)
def test_nothing_would_mend_it(ask, layers, reason, tags):
    told = f"no acknowledgments help: {reason}"
    assert f"acknowledgments {told}" in " ".join(ask("phases", *layers).out.split())
    mend = ask("phases", *layers, "--json").document["remedies"]
    assert (mend["acknowledgments"], mend["reason"], mend["tags"]) == (None, told, tags)
    assert mend["at_least"] is None


def test_messages_that_nobody_receives_do_no_harm(ask):
    mend = ask("phases", "mt 1->2", "snd 1->2", "--json").document["remedies"]
    assert (mend["acknowledgments"], mend["reason"], mend["fewest"]) == (["mt 2->1"], None, True)
    assert ask("phases", "mt 1->2", "mt 2->1", "snd 1->2").code == 0


def test_a_search_that_gives_up_names_its_limit(ask):
    everybody = [(i, j) for i in range(1, 14) for j in range(1, 14) if i != j]
    layer = "; ".join([*(f"snd {i}->{j}" for i, j in everybody), *(f"rcv {j}<-{i}" for i, j in everybody)])
    told = " ".join(ask("phases", layer, layer).out.split())
    assert "acknowledgments none were found within the limits of the search; at least 13 messages" in told
    assert ask("phases", layer, layer, "--json").document["remedies"]["reason"] is None


def test_fewer_messages_may_be_enough(ask):
    ring = "; ".join([f"snd {k}->{k % 13 + 1}; snd {k % 13 + 1}->{k}" for k in range(1, 14)])
    layer = "; ".join([ring, *(f"rcv {k % 13 + 1}<-{k}; rcv {k}<-{k % 13 + 1}" for k in range(1, 14))])
    told = " ".join(ask("phases", layer, "--repeat").out.split())
    assert "24 messages, received before going on (fewer may be enough, but at least 13 are needed)" in told


ROOTS = """\
no: messages can get from one layer into another (1 root cause)

A root cause is a channel on which this can happen although all other channels deliver to the right
layer and round. As a consequence, other channels can go wrong, too.

1->2: a receive of layer 1, round 2 can take a message of layer 1, round 1, even if it delivers in
order. This execution shows it:
"""


def test_root_causes_are_said_to_be_that(ask):
    reply = ask("phases", "mt 1->2; mt 2->1; snd 1->2", "--repeat")
    assert reply.out.startswith(ROOTS)
    assert "root cause" not in ask("phases", "mt 1->2", "--repeat").out


FIRST = """\
sequenceDiagram
    participant C as client
    participant S as server
    C->>S: put x
"""


def test_diagrams_keep_their_names(ask, tmp_path):
    first = tmp_path / "first.mmd"
    first.write_text(FIRST)
    reply = ask("phases", f"@{first}", "mt client->server")
    assert reply.code == 1
    assert "client       server\n" in reply.out
    assert "first      |      ==2==>o        rcv server<-client  takes message 2 of layer 2" in reply.out
    assert "    after first     mt server->client\n" in reply.out
    document = ask("phases", f"@{first}", "mt client->server", "--json").document
    assert document["processes"] == ["client", "server"]
    (between,) = document["remedies"]["acknowledgments"]
    assert ask("phases", f"@{first}", between, "mt client->server").code == 0


def test_diagrams_are_read_wherever_programs_are(ask, tmp_path):
    first = tmp_path / "first.mmd"
    first.write_text(FIRST)
    reply = ask("decide", f"@{first}", "mt server->client", "--json")
    assert (reply.code, reply.document["seals"], reply.err) == (0, True, "")
    assert reply.document["processes"] == ["client", "server"]
    assert ask("seal", f"@{first}", "--json").document["seal"] == "mt 2->1"
    reply = ask("is", "ccl", "eps", f"@{first}", "mt server->client", "--json")
    assert (reply.code, reply.document["holds"]) == (0, True)
    reply = ask("phases", f"@{first}", "eps", "mt client->server", "--n", "3", "--json")
    assert (reply.code, reply.document["processes"]) == (1, ["client", "server", "idle1"])


BY_NAME = {
    ("decide", "@P", "@P"): "In this run of P; Q, 'rcv server<-client' in P takes a message of Q (===):",
    (
        "decide",
        "@P",
        "mt server->client",
    ): "  client->server:  rcv server<-client (P) ... snd server->client (Q)",
    ("seal", "@P"): "  mt server->client\n",
    ("seal", "snd client->server; snd server->client; rcv client<-server; rcv server<-client"): (
        "never safe  client->server, server->client\n"
    ),
    ("analyze", "@P"): "  last rcv server<-client   before the end of server\n",
    (
        "analyze",
        "mt server->client; rcv client<-server",
    ): "channel server->client has 1 more receive than sends",
    ("refines", "@P", "eps"): "inside   rcv server<-client  takes message 1 (0)",
    ("is", "closes", "@P", "client->server"): "after    snd client->server  sends message 2",
    ("is", "ccl", "eps", "@P", "@P"): "inside   rcv server<-client  takes message 2 (0)",
    ("phases", "@P", "@P"): "client->server: a receive of first 1 can take a message of first 2",
    ("draw", "@P"): "It leaves client->server open.",
}


@pytest.mark.parametrize("arguments", BY_NAME, ids=" ".join)
def test_people_read_names(ask, tmp_path, arguments):
    file = tmp_path / "first.mmd"
    file.write_text(FIRST)
    given = [f"@{file}" if each == "@P" else each for each in arguments]
    reply = ask(*given)
    assert BY_NAME[arguments] in reply.out
    assert re.search(r"\d(->|<-)\d", reply.out) is None
    if arguments[0] != "draw":
        assert set(ask(*given, "--json").document["processes"]) == {"client", "server"}


def test_answers_over_names_are_checked_with_their_names(ask):
    run = ask("decide", "mt a->b", "mt a->b", "--json")
    assert ask("verify", "-", stdin=run.out.encode()).code == 0
    assert "snd a->b  sends message 1" in ask("draw", "--run", "-", stdin=run.out.encode()).out
    layers = ask("phases", "mt a->b", "mt a->b", "--json")
    assert "they interfere; root causes: b<-a\n" in ask("verify", "-", stdin=layers.out.encode()).out
    for document in (run.document, layers.document):
        for names in (["a"], ["a", "a"], ["a", 2]):
            wrong = ask("verify", "-", stdin=json.dumps(document | {"processes": names}).encode())
            assert (wrong.code, "'processes' must be 2 different names" in wrong.out) == (1, True)


def test_a_batch_may_have_names(ask):
    lines = b'{"layers": ["mt a->b", "mt b->a", "mt a->b"]}\n{"layers": ["mt a->b", "mt c->c"]}\n'
    reply = ask("phases", "--batch", "-", stdin=lines)
    first, second = map(json.loads, reply.out.splitlines())
    assert (reply.code, first["safe"], first["processes"]) == (2, True, ["a", "b"])
    assert second == {
        "error": "layer 2 uses the self-channel c->c: only --self-channels (self_channels=True) allows it"
    }


def test_junit_has_the_answers(ask, tmp_path):
    file = tmp_path / "phases.xml"
    shown = ask("phases", "mt a->b", "mt a->b")
    reply = ask("phases", "mt a->b", "mt a->b", "--junit", str(file), "--json")
    (case,) = ElementTree.parse(file).getroot()
    assert (reply.code, case.get("name")) == (1, "mt a->b | mt a->b")
    assert f"{case[0].get('message')}\n\n{case[0].text}\n" == shown.out
    lines = b'{"layers": ["mt a->b"]}\n{"layers": ["mt a->b", "mt a->b"]}\n{"layers": 3}\n'
    assert ask("phases", "--batch", "-", "--junit", str(file), stdin=lines).code == 2
    suite = ElementTree.parse(file).getroot()
    counts = {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    assert dict(suite.items()) == {"name": "sealcheck phases"} | counts
    assert [(case.get("name"), len(case)) for case in suite] == [("line 1", 0), ("line 2", 1), ("line 3", 1)]
    assert [suite[1][0].tag, suite[2][0].tag] == ["failure", "error"]
    bad = "bad input: key 'layers' must be an array of program texts, not a number"
    assert suite[2][0].get("message") == bad
    assert ask("phases", "mt a->b", "--junit", str(tmp_path / "no" / "x")).code == 2


def test_bad_diagrams(ask, tmp_path):
    first = tmp_path / "first.mmd"
    first.write_text("sequenceDiagram\nloop x\na->>b: y\nend")
    looping = "line 2: 'loop': a layer has no branches and no loops: give it to phases alone"
    assert ask("phases", f"@{first}", "eps").err == f"sealcheck: layer 1: {first}: {looping}\n"
    first.write_text("sequenceDiagram")
    for number, layers in enumerate(((f"@{first}", "eps"), ("eps", f"@{first}")), 1):
        assert ask("phases", *layers).err == f"sealcheck: layer {number}: {first}: no process is named\n"
    first.write_text("sequenceDiagram\na->>b: x\nnonsense")
    why = f"layer 2: {first}: line 3: 'nonsense'"
    assert ask("phases", "eps", f"@{first}").err.startswith(f"sealcheck: {why}")


@pytest.mark.parametrize(
    "layers", [("mt 1->2", "mt 1->2; mt 3->2"), ("mt 1->2", "mt 2->1", "mt 1->2"), ("mt a->b",)]
)
@pytest.mark.parametrize("flags", [(), ("--repeat",), ("--open",)])
def test_the_kernel_checks_the_answer_by_itself(ask, layers, flags):
    reply = ask("phases", *layers, *flags, "--json")
    document = reply.document
    checked = ask("verify", "-", "--json", stdin=reply.out.encode())
    assert checked.code == 0
    (accepted,) = checked.document["accepted"]
    assert accepted["interfering"] == [each["port"] for each in document["interfering"]]
    assert ask("verify", "-", stdin=reply.out.encode()).out.startswith("accepted by the kernel by itself: ")
    for lie in ({"safe": not document["safe"]}, {"interfering": [{}]}, {"note": 1}):
        assert ask("verify", "-", stdin=json.dumps(document | lie).encode()).code == 1
    assert ask("verify", "-", stdin=json.dumps(document | {"remedies": 7}).encode()).code == 0
