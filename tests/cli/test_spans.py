"""Spans of OpenTelemetry on the command line: over ports for ``phases``, over channels for others."""

import json
import shutil
from pathlib import Path

import pytest

from sealcheck import Program
from sealcheck.errors import InputError

ROOT = Path(__file__).parents[2]
REMARKS = """\
sealcheck: assumed (answer-at-end): a server answers when its span ends (orders)
sealcheck: left out: 2 CLIENT spans without a SERVER span, such as queries of databases (1 of orders, 1 of \
payment); 2 SERVER spans that are called from outside (2 of gateway)
"""
BOTH = ("@order.json", "@cancel.json")


@pytest.fixture(autouse=True)
def _examples(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples" / "spans", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def ports(document):
    return [cause["port"] for cause in document["interfering"]]


def test_one_way_messages_can_be_mistaken(ask):
    found = ask("phases", *BOTH)
    assert (found.code, found.err) == (1, REMARKS)
    assert "\nwarehouse<-*:orders (bag): a receive of order can take a message of cancel." in found.out
    assert ask("phases", *BOTH, "--transport", "amqp").code == 0
    assert ask("phases", *BOTH, "--port", "warehouse<-*:orders=fifo").code == 0
    quiet = ask("--quiet", "phases", *BOTH)
    assert (quiet.code, quiet.out, quiet.err) == (1, "", "")
    document = ask("phases", *BOTH, "--json")
    assert document.err == REMARKS
    assert document.document["processes"] == ["gateway", "orders", "payment", "warehouse"]
    assert ports(document.document) == ["4<-*:orders"]
    assert ask("verify", "-", stdin=document.out.encode()).code == 0


def test_requests_and_answers_cannot(ask):
    """Without its one-way message, an order may be repeated any number of times."""
    order = json.loads(Path("order.json").read_text())
    del order["resourceSpans"][3], order["resourceSpans"][1]["scopeSpans"][0]["spans"][3]
    Path("calls.json").write_text(json.dumps(order))
    assert ask("phases", "@calls.json", "--repeat").code == 0


def test_with_other_layers(ask):
    assert ask("phases", "@orders.phases").code == 0
    assert ask("phases", "@orders.phases", "--port", "warehouse<-*:orders=bag").code == 1
    Path("next.mmd").write_text("sequenceDiagram\nparticipant l as the log\norders->>l: done\n")
    text = 'snd "the log"->warehouse:orders; rcv warehouse<-*:orders'
    found = ask("phases", "@order.json", "@next.mmd", text, "--json").document
    assert found["processes"] == ["gateway", "orders", "payment", "warehouse", "the log"]
    assert ports(found) == ["4<-*:orders"]
    wrong = ask("phases", "@order.json", "mt 1->2")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.splitlines()[-1].startswith("sealcheck: layer 2: 1 is a number, but 'gateway' a name:")


@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "@order.json"),
        ("decide", *BOTH),
        ("seal", "@order.json"),
        ("draw", *BOTH),
        ("is", "balanced", "@order.json"),
        ("phases", *BOTH),
        ("phases", "@orders.phases"),
    ],
)
def test_assumptions_can_be_switched_off(ask, command):
    found = ask(*command)
    assert found.code in (0, 1)
    assert found.err.startswith("sealcheck: assumed (answer-at-end): ")
    found = ask(*command, "--not-assuming", "answer-at-end")
    assert (found.code, found.out) == (2, "")
    assert found.err.endswith(
        "order.json: resourceSpans[1].scopeSpans[0].spans[0]: it overlaps resourceSpans[1].scopeSpans[0]."
        "spans[2], so the order of their messages is unknown\n"
    )
    found = ask(*command, "--not-assuming", "own-clock")
    assert found.code in (0, 1)
    found = ask(*command, "--not-assuming", "answer")
    message = "sealcheck: 'answer' is not an assumption: give answer-at-end, own-clock, recorded-order\n"
    assert (found.code, found.err) == (2, message)


def test_instances_in_several_files(ask):
    one = Path("cancel.json").read_text()
    described = '"service.name", "value": {"stringValue": "orders"}}'
    instance = '{"key": "service.instance.id", "value": {"stringValue": "%s"}}'
    Path("one.json").write_text(one.replace(described, f"{described}, {instance % 'x'}", 1))
    found = ask("phases", "@one.json", "--json").document
    assert found["processes"] == ["gateway", "orders", "warehouse"]
    other = one.replace(described, f"{described}, {instance % 'y'}", 1)
    Path("other.json").write_text(other)
    found = ask("phases", "@one.json", "@other.json", "--json").document
    assert found["processes"] == ["gateway", "orders@x", "warehouse", "orders@y"]
    assert ports(found) == ["3<-*:orders"]


IGNORED = {
    "decide": ["mt 1->2", "mt 2->1"],
    "seal": ["mt 1->2"],
    "refines": ["mt 1->2", "mt 1->2"],
    "draw": ["mt 1->2"],
    "analyze": ["--batch", "-"],
    "phases": ["mt 1->2", "mt 1->2"],
}


@pytest.mark.parametrize("command", IGNORED)
def test_an_option_that_is_about_nothing_is_refused(ask, command):
    found = ask(command, *IGNORED[command], "--not-assuming", "own-clock")
    message = "sealcheck: 'own-clock' is an assumption about spans, and no input has spans\n"
    assert (found.code, found.out, found.err) == (2, "", message)


def test_an_option_about_training_jobs_is_not_about_spans(ask):
    message = "sealcheck: 'recorded-order' is an assumption about training jobs, and no input is one\n"
    found = ask("phases", "@order.json", "--not-assuming", "recorded-order")
    assert (found.code, found.err) == (2, message)
    found = ask("phases", "@orders.phases", "--not-assuming", "recorded-order")
    assert (found.code, found.err) == (2, message.replace(" ", " orders.phases: ", 1))
    found = ask("draw", "--run", "-", "--not-assuming", "recorded-order", stdin=b"{}")
    assert (found.code, found.err) == (2, message)
    lines = b'{"layers": ["mt 1->2"]}\n'
    assert ask("phases", "--batch", "-", "--not-assuming", "own-clock", stdin=lines).code == 0
    assert ask("phases", "--each", "orders.phases", "--not-assuming", "recorded-order").code == 0
    with pytest.raises(InputError, match="'own-clock' is an assumption about spans, and no input has spans"):
        Program.from_trace('{"host": "a", "event": "local"}', not_assuming=["own-clock"])


def test_an_export_without_spans_is_refused(ask, tmp_path):
    (tmp_path / "empty.json").write_text('{"resourceSpans": []}')
    found = ask("phases", f"@{tmp_path}/empty.json")
    assert (found.code, found.out) == (2, "")
    assert found.err.endswith("empty.json: there are no spans: record a run of the layer\n")
