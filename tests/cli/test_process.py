"""The command as a process: the console script, streams, signals, and what it imports."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sealcheck.cli.main import main

PROGRAM = str(Path(sys.executable).with_name("sealcheck"))
LINE = b'{"p": "mt 1->2", "q": "mt 2->1"}\n'
HEAVY = {"cvc5", "networkx", "numpy", "pandas", "py4j", "pyarrow", "pysat", "pysmt", "pyspark", "rich", "z3"}


BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def start(*arguments, **streams):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | streams
    return subprocess.Popen([PROGRAM, *arguments], env=BUFFERED, **pipes)


@pytest.mark.parametrize(("q", "code"), [("mt 2->1", 0), ("mt 1->2", 1), ("mt 2>1", 2)])
def test_console_script(q, code):
    done = subprocess.run(
        [PROGRAM, "decide", "--json", "mt 1->2", "-"], input=q.encode(), capture_output=True
    )
    assert done.returncode == code
    assert json.loads(done.stdout).get("seals") is {0: True, 1: False, 2: None}[code]


def test_batch_streams():
    with start("decide", "--batch", "-") as process:
        for _ in range(3):
            process.stdin.write(LINE)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["seals"] is True
        process.stdin.close()
        assert process.wait(30) == 0


def test_reader_leaves():
    with start("decide", "--batch", "-") as process:
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(LINE * 10)
        process.stdin.flush()
        assert process.wait(30) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    "settings",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=["ascii", "latin-1"],
)
def test_any_encoding(settings, tmp_path):
    file = tmp_path / "layer"
    file.write_text("mt \N{GREEK SMALL LETTER ALPHA}->b", encoding="utf-8")
    words = ["phases", f"@{file}", f"@{file}"]
    done = subprocess.run([PROGRAM, *words], env=BUFFERED | settings, capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"")
    assert rb"b->\u03b1" in done.stdout


def test_closed_standard_input():
    done = subprocess.run(["sh", "-c", f"exec '{PROGRAM}' analyze - <&-"], capture_output=True)
    assert done.returncode == 2
    assert done.stderr == b"sealcheck: P: standard input is closed\n"


def test_arguments_in_another_encoding():
    """The bytes cannot be decoded in the locale."""
    environment = BUFFERED | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    reason = "the argument is not text in the encoding of the locale, ascii: use a UTF-8 locale"
    for name, words in (("P", ["analyze", "mt 1→2"]), ("layer 1", ["phases", "mt é->b"])):
        bad = subprocess.run([PROGRAM, *words], env=environment, capture_output=True)
        assert (bad.returncode, bad.stderr.decode("ascii")) == (2, f"sealcheck: {name}: {reason}\n")


def test_imports():
    script = (
        "import sys; from sealcheck.cli.main import main\n"
        "for command in (['analyze'], ['decide', 'eps'], ['seal', '--minimal']):\n"
        "    main([*command, 'mt 1->2'])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stderr.split())
    assert "typer" in done.stderr.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("sealcheck de", ["decide"]),
        ("sealcheck audit seal-algebra-2", ["seal-algebra-2"]),
        ("sealcheck prove GraphC", ["GraphCause"]),
        ("sealcheck table wor", ["worst-cases"]),
        ("sealcheck diff --against is-", ["is-seal"]),
    ],
)
def test_completion(words, found, monkeypatch, capsys):
    monkeypatch.setenv("_SEALCHECK_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    with pytest.raises(SystemExit, match=r"^0$"):
        main([])
    assert capsys.readouterr().out.split() == found


def test_completion_in_a_shell(tmp_path):
    """The command is the one in docs/reference/commands.md."""
    script = (
        f'PATH="{Path(PROGRAM).parent}:$PATH"; eval "$(sealcheck --show-completion bash)";'
        " complete -p sealcheck; COMP_WORDS=(sealcheck ver) COMP_CWORD=1;"
        " _sealcheck_completion sealcheck; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines() == ["complete -o default -F _sealcheck_completion sealcheck", "verify"]


def in_shell(command, folder=None):
    return subprocess.run(["bash", "-c", f"exec '{PROGRAM}' {command}"], cwd=folder, capture_output=True)


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
NO_ROOM = b"sealcheck: cannot write the answer: No space left on device\n"
CLOSED = b"sealcheck: cannot write the answer: Bad file descriptor\n"


@FULL
@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [
        ("--help", ""),
        ("--version", "1"),
        ("diff --list", ""),
        ("sweep --n 2 --messages 2 --plan", "1"),
        ("seal 'mt 1->2'", ""),
    ],
)
def test_whatever_is_printed_may_find_no_room(command, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = in_shell(f"{command} >/dev/full")
    assert (done.returncode, done.stderr) == (3, NO_ROOM)


@pytest.mark.parametrize("command", ["--help", "seal 'mt 1->2'"])
def test_closed_standard_output(command):
    done = in_shell(f"{command} >&-")
    assert (done.returncode, done.stderr) == (3, CLOSED)


@pytest.mark.parametrize("command", ["--help", "diff --list"])
def test_reader_leaves_texts(command):
    done = subprocess.run(
        ["bash", "-c", f"'{PROGRAM}' {command} | true; echo ${{PIPESTATUS[0]}}"], capture_output=True
    )
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@FULL
@pytest.mark.parametrize(
    ("command", "code", "out"),
    [
        ("seal mt 2>/dev/full", 2, b""),
        ("seal 'mt 1->2' --jsn 2>&-", 2, b""),
        ("verify no-such-file 2>/dev/full", 2, b""),
        ("seal 'mt 1->2; mt 1->2' 2>&-", 0, b"yes: "),
        ("decide 'mt 1->2' eps 2>/dev/full", 1, b"no: "),
        ("decide 'mt 1->2' eps >/dev/full 2>/dev/full", 3, b""),
        ("decide 'mt 1->2' eps >&- 2>&-", 3, b""),
    ],
)
def test_standard_error_that_nobody_can_read(command, code, out):
    done = in_shell(command)
    assert done.returncode == code
    assert done.stdout.startswith(out)
    assert b"sealcheck:" not in done.stdout


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path):
    assert in_shell("draw 'mt 1->2' --out open.svg", tmp_path).returncode == 0
    assert in_shell("draw 'mt 1->2' --out closed.svg <&- >&- 2>&-", tmp_path).returncode == 3
    assert (tmp_path / "open.svg").read_bytes() == (tmp_path / "closed.svg").read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        "audit graph-cause --n 1 --messages 0 --certify x",
        "audit graph-cause --n 1 --messages 0 --smt-lib x",
        "prove sealability --n 2 --messages 1 --out x",
        "report x",
        "sweep --n 2 --messages 1 --out x",
        "draw eps --out x.svg",
        "phases eps --junit x.xml",
        "vectors --against sealable --out x",
        "diff --against is-seal --command x",
        "grade --against is-seal x --out y",
    ],
)
def test_a_current_folder_that_is_gone(command, ask, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    said = "sealcheck: the current folder does not exist any more: change to one that does\n"
    assert ask(*command.split()) == (2, "", said)
