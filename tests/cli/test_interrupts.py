"""Ctrl-C at any moment: exit code 130, in silence, with nothing left behind."""

import random
import signal
import subprocess
import sys
import time

import pytest
from tests.interrupts import COMMANDS, LONGEST, interrupted

PROGRAM = [sys.executable, "-m", "sealcheck"]
BATCH = b'{"p": "mt 1->2", "q": "mt 2->1"}\n'


@pytest.mark.parametrize(("name", "moment"), [("audit", 0.15), ("sweep", 2.5), ("audit", 5.5)])
def test_while_it_starts(name, moment):
    """While modules are imported, and while Java and helpers start."""
    ended = interrupted(name, moment, group=True)
    assert ended.is_clean, ended


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(len(COMMANDS)))
def test_at_any_moment(seed):
    """The signal goes to the command alone, or to its process group."""
    rng = random.Random(f"interrupts {seed}")
    ended = interrupted(list(COMMANDS)[seed], rng.uniform(0, LONGEST), group=rng.random() < 0.5)
    assert ended.is_clean, ended


def answering(before=None):
    process = subprocess.Popen(
        [*PROGRAM, "decide", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,
    )
    process.stdin.write(BATCH)
    process.stdin.flush()
    assert process.stdout.readline()
    return process


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_batch_in_silence(sent, code):
    process = answering()
    process.send_signal(sent)
    assert (*process.communicate(timeout=30), process.returncode) == (b"", b"", code)


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_what_is_to_be_ignored_is_ignored():
    """A shell makes background processes ignore Ctrl-C."""
    process = answering(ignore_interrupts)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(BATCH, timeout=30)
    assert (out.count(b'"seals": true'), err, process.returncode) == (1, b"", 0)


CLEAN_UP = """
import os, subprocess, sys, time
from pathlib import Path
from sealcheck.support.files import whole_file
from sealcheck.support.interrupts import end_at_interrupt
end_at_interrupt()
class Deaf:
    def __del__(self):
        print(sleeper.pid, flush=True)
        time.sleep(600)  # an exception would be lost here
sleeper = subprocess.Popen(["sh", "-c", "trap '' INT TERM; sleep 600 & wait"], start_new_session=True)
with whole_file(Path(sys.argv[1]) / "answer") as file:
    file.write(b"half")
    try:
        Deaf()
    except BaseException:
        pass
    print("went on")
"""


def test_nothing_holds_an_interrupt_up(tmp_path):
    command = [sys.executable, "-c", CLEAN_UP, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        sleeper = int(process.stdout.readline())
        assert [file.suffix for file in tmp_path.iterdir()] == [".tmp"]
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert (*process.communicate(timeout=30), process.returncode) == (b"", b"", 130)
    assert time.monotonic() - begun < 20
    assert not list(tmp_path.iterdir())
    listed = subprocess.check_output(["ps", "-A", "-o", "sess=,stat="], text=True)
    assert not [row for row in listed.splitlines() if row.split()[0] == str(sleeper) and "Z" not in row]
