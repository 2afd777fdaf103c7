"""Implementations that misbehave, in Python and in shell: each is recognized, and none hangs or confuses us.

They are asked whether programs of at most one message are deadlock-free. All are.
"""

import json
import os
import re
import shlex
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.conftest import Reply, ask

from sealcheck.differential import implementation
from sealcheck.support.processes import Speaker, TimeUp

__all__ = ["ask"]

ANSWERS = """
import json, os, sys, time
def answer(line, result=True, **more):
    print(json.dumps({"seq": json.loads(line)["seq"], "result": result} | more), flush=True)
"""
COUNTING = "k=0; while read -r line; do k=$((k+1)); {}; done"
RIGHT = 'echo "{\\"seq\\":$k,\\"result\\":true}"'


def in_python(text: str) -> str:
    return shlex.join([sys.executable, "-c", ANSWERS + text])


def in_shell(text: str) -> str:
    return shlex.join(["sh", "-c", text])


@pytest.fixture
def test(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # who has it set need not flush

    def run(command: str, starting: float = 20, *options: str) -> Reply:
        bound = ("--n", "2", "--messages", "1", "--random", "0", "--timeout", "2")
        limits = ("--start-timeout", str(starting))
        return ask(
            "diff", "--against", "deadlock-free", "--command", command, *bound, *limits, *options, "--json"
        )

    return run


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(implementation, "GRACE", 0.1)


def finding(reply: Reply) -> dict[str, object]:
    assert reply.code == 1, reply
    assert reply.document["agrees"] is False
    return reply.document["finding"]


def counts(reply: Reply) -> dict[str, object]:
    return {key: reply.document[key] for key in ("agrees", "tried", "skipped")}


def test_a_right_one_agrees(test):
    """So the programs below fail only for their fault."""
    for command in (in_python(ALL), in_shell(COUNTING.format(RIGHT))):
        reply = test(command)
        assert reply.code == 0
        assert counts(reply) == {"agrees": True, "tried": 3, "skipped": 0}


class Case(NamedTuple):
    """A program, and the finding about it."""

    command: str
    kind: str
    got: str
    """A regular expression."""
    starting: float = 20
    options: tuple[str, ...] = ()
    stderr: str = r"(?s).*"


OVER = r"it did not answer within 0\.5 s"
EATS = "hoard = b'x' * (1 << 29); time.sleep(1000)"
FLAKY = """
for line in sys.stdin:
    before = os.path.exists("again")
    open("again", "w").close()  # not after the answer: once that is read, it is ended
    answer(line, before)
"""
AHEAD = "".join(json.dumps({"seq": k, "result": True}) + "\n" for k in (1, 2, 3))
"""Right answers to questions that have not been asked yet: guesses."""
ALL = "for line in sys.stdin: answer(line)"
FLUSH = "for line in sys.stdin: sys.stdout.write(json.dumps({'seq': 1, 'result': True}) + '\\n')"
SAYS = 'read -r line; echo \'{"seq":1,"error":"out of ideas"}\''

MISBEHAVING = {
    "hangs": Case(in_shell("sleep 1000"), "hang", OVER, 0.5),
    "hangs-later": Case(
        in_shell(f"read -r line; k=1; {RIGHT}; sleep 1000"), "hang", OVER, options=("--timeout", "0.5")
    ),
    "answers-once-its-input-is-closed": Case(in_python(FLUSH), "hang", ".*has to flush each line.*", 3),
    "crashes": Case(
        in_shell("echo no such luck >&2; exit 3"),
        "crash",
        "it ended with exit code 3 without an answer",
        stderr="no such luck\n",
    ),
    "is-ended-by-a-signal": Case(
        in_shell("kill -SEGV $$"), "crash", "it was ended by the signal SIGSEGV without an answer"
    ),
    "prints-garbage": Case(in_shell("echo hello"), "garbage", ".*'hello'.*"),
    "prints-without-end": Case(in_shell("yes"), "garbage", ".*"),
    "prints-a-gibibyte": Case(
        in_shell("head -c 1073741824 /dev/zero"), "garbage", ".*more than 1048576 bytes.*"
    ),
    "complains-without-end": Case(in_shell("yes >&2"), "hang", ".*", 1, stderr="(?s).{4096}"),
    "uses-all-memory": Case(
        in_python(EATS), "crash", "it used more than 300 MiB of memory", options=("--memory", "300")
    ),
    "has-a-child-that-uses-all-memory": Case(
        in_shell(f"{in_python(EATS)}; true"),
        "crash",
        "it used more than 300 MiB of memory",
        options=("--memory", "300"),
    ),
    "answers-twice": Case(in_shell(COUNTING.format(f"{RIGHT}; {RIGHT}")), "garbage", ".*"),
    "answers-before-it-is-asked": Case(
        in_shell(f"read -r line; printf '{AHEAD}'; cat > /dev/null"),
        "garbage",
        "it wrote more than one line in answer to one question",
    ),
    "answers-twice-in-the-end": Case(
        in_shell(f"{COUNTING.format(RIGHT)}; {RIGHT}"),
        "garbage",
        "it wrote another line although nothing else was asked",
    ),
    "is-flaky": Case(in_python(FLAKY), "flaky", "it answered false, and when asked the same again, rightly"),
    "reports-an-error": Case(in_shell(SAYS), "crash", "it reports an error: out of ideas"),
    "ends-with-an-error": Case(
        in_shell(f"{COUNTING.format(RIGHT)}; exit 1"),
        "crash",
        "when its input was closed, it ended with exit code 1",
    ),
    "does-not-end": Case(
        in_shell(f"{COUNTING.format(RIGHT)}; sleep 1000"), "hang", "it did not end when its input was closed"
    ),
}
IMPATIENT = ("hangs", "hangs-later", "complains-without-end")


@pytest.mark.parametrize("case", MISBEHAVING)
def test_misbehaves(test, case, request):
    if case in IMPATIENT:
        request.getfixturevalue("impatient")
    command, kind, got, starting, options, stderr = MISBEHAVING[case]
    found = finding(test(command, starting, *options))
    assert found["kind"] == kind
    assert re.fullmatch(got, str(found["got"]))
    assert re.fullmatch(stderr, str(found["stderr"]))


@pytest.mark.parametrize("value", ['"true"', "1", "null", "[true]"])
def test_answers_in_another_type(test, value):
    quoted = value.replace('"', '\\"')
    found = finding(test(in_shell(COUNTING.format(f'echo "{{\\"seq\\":$k,\\"result\\":{quoted}}}"'))))
    assert (found["kind"], found["got"]) == ("type", json.loads(value))


def test_starts_slowly(test):
    assert test(in_shell("sleep 3; " + COUNTING.format(RIGHT))).code == 0


def test_never_reads():
    speaker = Speaker(["sleep", "1000"], 1000)
    with pytest.raises(TimeUp):
        speaker.exchange(b"x" * (1 << 20) + b"\n", 1)
    speaker.stop()


def test_does_not_exist(test):
    reply = test("no-such-program --at-all")
    assert reply.code == 2
    assert reply.document == {"error": "cannot start 'no-such-program --at-all': No such file or directory"}


def test_what_it_started_ends_with_it(test, impatient):
    assert finding(test(in_shell("sleep 1000 & echo $! > pid; wait"), 3))["kind"] == "hang"
    stat = Path(f"/proc/{Path('pid').read_text().strip()}/stat")
    ended_by = time.monotonic() + 10  # what is killed still has to be given a moment to die
    while is_alive(stat) and time.monotonic() < ended_by:
        time.sleep(0.01)
    assert not is_alive(stat)


def is_alive(stat: Path) -> bool:
    """Whether the process of this file of /proc is neither gone nor a zombie."""
    try:
        return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_skips(test):
    reply = test(in_shell(COUNTING.format('echo "{\\"seq\\":$k,\\"skipped\\":\\"n\\"}"')))
    assert reply.code == 3
    assert counts(reply) == {"agrees": False, "tried": 3, "skipped": 3}


LINES = {
    "[1]": "not a JSON object",
    '{"seq":1}': "besides 'seq'",
    '{"seq":true,"result":true}': "no whole number",
    '{"seq":2,"result":true}': "answered question 2 when it was asked question 1",
    '{"seq":1,"result":true,"result":true}': "a key occurs twice",
    '{"seq":1,"result":NaN}': "not JSON: NaN",
    '{"seq":1,"result":true,"skipped":"n"}': "besides 'seq'",
    "[" * 100_000: "this line is not JSON",
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:30])
def test_lines_that_are_no_answers(test, tmp_path, line):
    (tmp_path / "line").write_text(line + "\n")
    found = finding(test(in_shell("cat line; sleep 1000")))
    assert found["kind"] == "garbage"
    assert LINES[line] in str(found["got"])


def test_terminals_are_safe(ask, test, tmp_path):
    command = in_shell('printf \'\\033[2J\' >&2; echo \'{"seq":1,"error":"\\u001b]0;x"}\'')
    arguments = ("--against", "deadlock-free", "--n", "2", "--random", "0", "--command", command)
    reply = ask("diff", *arguments)
    assert reply.code == 1
    assert "\033" not in reply.out
    assert "\\x1b[2J" in reply.out
    assert os.listdir(tmp_path) == [".sealcheck"]
