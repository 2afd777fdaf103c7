"""Limits of time and memory: the answer is unknown, and the process is ended."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sealcheck.cli.main import main
from sealcheck.cli.options import MIB, PART_SECONDS, SECONDS
from sealcheck.errors import InputError, LimitReached
from sealcheck.support.processes import Bounded, Limits, running

PROGRAM = str(Path(sys.executable).with_name("sealcheck"))
LONG = "; ".join(["mt 1->2"] * 150)
TIME = "it takes more than 1 s (--seconds)"
MEMORY = "it takes more than 64 MiB of memory (--memory)"


@pytest.fixture(autouse=True)
def _without_forks():
    """Here all answers come from forks."""


def never(*_):
    while True:
        time.sleep(60)


def everything(*_):
    found = []
    while True:
        found.append(bytearray(2**20))


def dies(*_):
    os.kill(os.getpid(), signal.SIGKILL)


QUESTIONS = {
    "decide": (["decide", "mt 1->2", "eps"], "sealcheck.operations.sealing.decide"),
    "seal": (["seal", "mt 1->2"], "sealcheck.operations.sealing.construct_seal"),
    "analyze": (["analyze", "mt 1->2"], "sealcheck.operations.analysis.signature"),
    "refines": (["refines", "mt 1->2", "eps"], "sealcheck.operations.definitions.decided"),
    "is": (["is", "tcc", "mt 1->2"], "sealcheck.operations.definitions.decided"),
    "is closes": (["is", "closes", "mt 1->2", "1->2"], "sealcheck.operations.definitions.closes"),
}
LARGE = {"seal": 10_000, "phases": 1001}
LIMITS = {
    "seconds": (never, ["--seconds", "1"], TIME),
    "memory": (everything, ["--memory", "64"], MEMORY),
    "death": (dies, [], "the process that computed the answer has died, perhaps for lack of memory"),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("command", QUESTIONS)
def test_every_question_has_limits(command, limit, ask, monkeypatch):
    before = {*multiprocessing.active_children()}
    arguments, inside = QUESTIONS[command]
    answered = ask(*arguments, "--json")
    goes_too_far, options, reason = LIMITS[limit]
    monkeypatch.setattr(inside, goes_too_far)
    reply = ask(*arguments, *options, "--json")
    assert (reply.code, reply.err) == (3, "")
    assert set(reply.document) == {*answered.document, "unknown"}
    assert reply.document["unknown"] == reason
    if limit == "death":
        told = ask(*arguments, *options)
        assert (told.code, told.out) == (3, f"unknown: {reason}\n")
    assert {*multiprocessing.active_children()} == before


@pytest.mark.parametrize(
    ("question", "solver", "options", "reason"),
    [
        (["refines", LONG, "eps + eps"], "z3", ["--seconds", "1"], TIME),
        (["is", "tcc", f"1.x := 1; {LONG}"], "cvc5", ["--memory", "64", "--seconds", "60"], MEMORY),
    ],
    ids=["refines", "is"],
)
def test_limits_hold_while_formulas_are_built(ask, question, solver, options, reason):
    reply = ask(*question, "--model", "rel-fifo", "--solver", solver, *options, "--json")
    assert (reply.code, reply.document["unknown"]) == (3, reason)


@pytest.mark.parametrize("command", [*LARGE, "analyze"])
def test_many_processes_are_unknown(command, ask):
    n = LARGE.get(command, 10_000)
    reply = ask(command, f"mt 1->{n}", "--json")
    document = reply.document
    assert reply.code == 3
    assert document.pop("unknown").startswith(f"with {n} processes")
    known = {"n": 10_000, "messages": 1, "balanced": True, "deadlock_free": True}
    keys = ask(command, "mt 1->2", "--json").document
    assert document == dict.fromkeys(keys) | (known if command == "analyze" else {})
    assert ask(command, f"mt 1->{n}").out.startswith("unknown: ")


def test_a_batch_goes_on_after_a_line_that_takes_too_long(ask, monkeypatch):
    from sealcheck.operations import sealing

    found = sealing.decide
    monkeypatch.setattr(sealing, "decide", lambda p, q: found(p, q) if p.messages < 2 else never())
    quick, slow = b'{"p": "mt 1->2", "q": "mt 2->1"}\n', b'{"p": "mt 1->2; mt 1->2", "q": "eps"}\n'
    reply = ask("decide", "--batch", "-", "--seconds", "1", stdin=quick + slow + quick)
    yes, unknown, again = reply.lines
    assert (reply.code, unknown) == (3, {"seals": None, "certificate": None, "unknown": TIME})
    assert yes == again == {"seals": True, "certificate": yes["certificate"]}


def test_what_the_function_raises_is_raised_here():
    def function(argument: object) -> object:
        if isinstance(argument, Exception):
            raise argument
        return os.getpid()

    with Bounded(function, Limits(60, 2048)) as bounded:
        first, second = bounded(1), bounded(2)
        assert first == second != os.getpid()
        for error in (InputError("why"), LimitReached("which"), ValueError("bug")):
            with pytest.raises((InputError, LimitReached, RuntimeError), match=str(error)):
                bounded(error)
        assert bounded(3) == first


PARTS = dict.fromkeys(("audit", "prove", "report"), PART_SECONDS)


@pytest.mark.parametrize("command", ["decide", "seal", "analyze", "refines", "is", *PARTS])
def test_the_defaults_are_shown(command, capsys):
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"[default: {PARTS.get(command, SECONDS)};" in " ".join(shown.split())
    assert f"[default: {MIB};" in " ".join(shown.split())


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_nothing_is_left_when_the_command_ends(sent, code):
    arguments = ["is", "tcc", LONG, "--model", "rel-fifo"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([PROGRAM, *arguments], **pipes) as process:
        while not (found := {each.process for each in running() if each.parent == process.pid}):
            time.sleep(0.05)
            assert process.poll() is None
        process.send_signal(sent)
        assert process.wait(30) == code
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    deadline = time.monotonic() + 30
    while found & {each.process for each in running()}:
        assert time.monotonic() < deadline
        time.sleep(0.05)
