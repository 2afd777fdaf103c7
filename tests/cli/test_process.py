"""The command as a process: the console script, streams, signals, and what it imports."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("sealcheck"))
LINE = b'{"p": "mt 1->2", "q": "mt 2->1"}\n'
HEAVY = {"cvc5", "networkx", "numpy", "pandas", "py4j", "pyarrow", "pysat", "pysmt", "pyspark", "rich", "z3"}


BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def start(*arguments, **streams):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | streams
    return subprocess.Popen([PROGRAM, *arguments], env=BUFFERED, **pipes)


@pytest.mark.parametrize(("q", "code"), [("mt 2->1", 0), ("mt 1->2", 1), ("mt 2>1", 2)])
def test_console_script(q, code):
    """The installed script exits with the code of the answer and prints one document."""
    done = subprocess.run(
        [PROGRAM, "decide", "--json", "mt 1->2", "-"], input=q.encode(), capture_output=True
    )
    assert done.returncode == code
    assert json.loads(done.stdout).get("seals") is {0: True, 1: False, 2: None}[code]


def test_batch_streams():
    """A line is answered before the next one is written."""
    with start("decide", "--batch", "-") as process:
        for _ in range(3):
            process.stdin.write(LINE)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["seals"] is True
        process.stdin.close()
        assert process.wait(30) == 0


def test_reader_leaves():
    """When the reader goes away, the command stops in silence, with the code that shells know."""
    with start("decide", "--batch", "-") as process:
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(LINE * 10)
        process.stdin.flush()
        assert process.wait(30) == 141
        assert process.stderr.read() == b""


def test_interrupt():
    """Ctrl-C ends a batch in silence, with the code that shells know."""
    with start("decide", "--batch", "-") as process:
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_full_disk():
    """An answer that cannot be written is no answer."""
    with open("/dev/full", "wb") as full, start("decide", "mt 1->2", "mt 1->2", stdout=full) as process:
        assert process.wait(30) == 3
        assert process.stderr.read() == b"sealcheck: cannot write the answer: No space left on device\n"


def test_closed_standard_input():
    """Without a standard input, reading from it is bad input."""
    done = subprocess.run(["sh", "-c", f"exec '{PROGRAM}' analyze - <&-"], capture_output=True)
    assert done.returncode == 2
    assert done.stderr == b"sealcheck: P: standard input is closed\n"


def test_plain_locale():
    """Texts are plain ASCII, so that any locale can show them."""
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([PROGRAM, "decide", "mt 1->2", "eps"], env=environment, capture_output=True)
    assert done.returncode == 1
    assert done.stdout.decode("ascii").startswith("no: ")
    bad = subprocess.run([PROGRAM, "analyze", "mt 1→2"], env=environment, capture_output=True)
    assert (bad.returncode, bad.stderr.count(b"\n")) == (2, 1)


def test_imports():
    """No solver, no Spark and no display library is imported to answer these commands."""
    script = (
        "import sys; from sealcheck.cli.main import main\n"
        "for command in (['analyze'], ['decide', 'eps'], ['seal', '--minimal']):\n"
        "    main([*command, 'mt 1->2'])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stderr.split())
    assert "typer" in done.stderr.split()


def test_completion():
    """Shell completion knows the commands."""
    environment = os.environ | {
        "_SEALCHECK_COMPLETE": "complete_bash",
        "COMP_WORDS": "sealcheck de",
        "COMP_CWORD": "1",
    }
    done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["decide"]
