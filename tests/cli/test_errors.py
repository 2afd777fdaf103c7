"""Bad input and bad usage: one sentence on standard error, exit code 2, never a traceback."""

import errno
import json
import os
import re
from pathlib import Path
from random import Random

import pytest
from tests.cli.hostile import as_a_whole, at_each_place

from sealcheck.errors import LimitReached


def test_files(ask, tmp_path):
    path = tmp_path / "p.txt"
    path.write_bytes(b"\xef\xbb\xbf# there\r\nsnd 1->2\r\nrcv 2<-1\r\n")
    assert ask("decide", f"@{path}", "-", stdin=b"mt 2->1\n").code == 0
    assert ask("decide", "-", f"@{path}", stdin=b"mt 1->2\n").code == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty (the empty program is written eps)"),
        (b" \n\t\n", "is empty"),
        (b"mt 1->2 # caf\xe9\n", "p.txt: not UTF-8 text: wrong byte 0xe9 at offset 13"),
        (b"mt 1->2\0", "p.txt: line 1, column 8"),
        (b"\xff\xfem\0t\0", "p.txt: not UTF-8 text"),
    ],
)
def test_bad_file(ask, tmp_path, content, sentence):
    path = tmp_path / "p.txt"
    path.write_bytes(content)
    reply = ask("analyze", f"@{path}")
    assert (reply.code, reply.out) == (2, "")
    assert reply.err.startswith(f"sealcheck: P: {path}")
    assert sentence in reply.err


FORGED = "a\nsealcheck: yes \x1b[2J\x9b1m\u202e.txt"
"""A file name that a terminal would obey, and that looks like a line of our output."""
SHOWN = r"a\nsealcheck: yes \x1b[2J\x9b1m\u202e.txt"


def test_names_of_files_are_escaped(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(FORGED).write_text("mt 1->")
    assert ask("analyze", f"@{FORGED}").err.startswith(f"sealcheck: P: {SHOWN}: line 1, column 7: ")
    made = ask("table", "sealability", "--n", "2", "--messages", "1", "--out", "good.jsonl")
    assert made.code == 0
    Path(FORGED).write_bytes(Path("good.jsonl").read_bytes()[:-1])
    reply = ask("verify", ".")
    assert f"rejected: {SHOWN}" in reply.out
    ours = re.compile("accepted by |rejected: |[0-9]+ complaints?: ")
    assert all(map(ours.match, reply.out.splitlines()))


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\nb", "e\u0301", "\ud800"])
def test_names_of_documents_are_shown_as_they_are(ask, name):
    printed = ask("phases", "mt a->b", "mt a->b", "--json").out
    assert ask("verify", "-", stdin=printed.encode()).code == 0
    reply = ask("verify", "-", stdin=printed.replace('"a"', json.dumps(name), 1).encode())
    assert (reply.code, "'processes': the name '" in reply.out) == (1, True)


def test_huge_file(ask, tmp_path, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_BYTES", 2**20)
    reply = ask("analyze", "@/dev/zero")
    assert (reply.code, reply.err) == (2, "sealcheck: P: /dev/zero: longer than 1 MiB\n")


def test_unreadable_file(ask, monkeypatch):
    def forbid(name, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)

    monkeypatch.setattr("sealcheck.cli.inputs.open", forbid, raising=False)
    reply = ask("analyze", "@secret")
    assert (reply.code, reply.err) == (2, "sealcheck: P: cannot read 'secret': Permission denied\n")


def test_bug_is_no_answer(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.operations.sealing.decide", lambda p, q: 1 / 0)
    reply = ask("decide", "eps", "eps", "--json")
    assert reply.code == 3
    assert "bug in sealcheck" in reply.document["error"]
    assert "ZeroDivisionError" in reply.err


def test_a_limit_of_the_system_is_no_bug(ask, monkeypatch):
    def refused(*_):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("sealcheck.support.processes._Fork", refused)
    reply = ask("decide", "eps", "eps", "--seconds", "61")  # limits of its own: in a process
    assert (reply.code, reply.err) == (3, "sealcheck: unknown: Too many open files\n")


@pytest.mark.parametrize("error", [MemoryError(), LimitReached("out of memory")])
def test_limit(ask, monkeypatch, error):
    def fail(p, q):
        raise error

    monkeypatch.setattr("sealcheck.operations.sealing.decide", fail)
    assert ask("decide", "eps", "eps") == (3, "unknown: out of memory\n", "")


def test_no_command(ask):
    reply = ask()
    assert reply.code == 2
    assert all(command in reply.out for command in ("analyze", "decide", "seal"))


OUT = {
    "draw": ("draw", "mt 1->2", "--out", "NAME.svg"),
    "draw a trace": ("draw", "--run", "RUN", "--out", "NAME.itf.json"),
    "table": ("table", "signatures", "--n", "2", "--messages", "1", "--out", "NAME"),
    "vectors": ("vectors", "--against", "deadlock-free", "--out", "NAME"),
}


@pytest.mark.parametrize("command", OUT.values(), ids=OUT)
def test_output_goes_through_links_and_into_no_folder(ask, tmp_path, command):
    run, name = tmp_path / "run", tmp_path / "name"
    run.write_text(ask("decide", "mt 1->2", "mt 1->2", "--json").out)
    words = [word.replace("NAME", str(name)).replace("RUN", str(run)) for word in command]
    out = Path(words[-1])
    target = tmp_path / "target"
    out.symlink_to(target)
    assert ask(*words).code == 0
    assert out.is_symlink()
    assert target.stat().st_size > 100
    out.unlink()
    out.mkdir()
    reply = ask(*words)
    assert reply.code == 2
    assert reply.err.startswith("sealcheck: cannot write ")
    assert len(reply.err.splitlines()) == 1


TRACE = """\
{"host": "a", "event": "send", "message": "m", "to": "b"}
{"host": "b", "event": "receive", "message": "m"}
"""
SPANS = """\
{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "a"}}]}, \
"scopeSpans": [{"spans": [{"traceId": "1", "spanId": "2", "name": "x", "kind": 1, "startTimeUnixNano": "1", \
"endTimeUnixNano": "2"}]}]}]}
"""
KEPT = """\
{"question": "is-seal", "n": 2, "p": "mt 1->2", "q": "mt 1->2", "kind": "wrong"}
"""
READING = {
    "verify a run": (["verify", "RUN"], "run.json"),
    "verify phases": (["verify", "RUN"], "phases.json"),
    "verify a trace": (["verify", "RUN"], "itf.json"),
    "draw a trace": (["draw", "--run", "RUN", "--out", "x.shiviz.log"], "phases.json"),
    "verify a table": (["verify", "RUN"], "table.jsonl"),
    "verify a proof": (["verify", "RUN"], "proofs/graph-cause-0-n2-m1-0.proof"),
    "verify a ledger": (["verify", "ledger"], "ledger/ledger.jsonl"),
    "verify answers": (["verify", "RUN"], "ledger/answers/graph-cause-n1-m1.answers"),
    "analyze a trace": (["analyze", "@RUN"], "trace.jsonl"),
    "phases of spans": (["phases", "@RUN"], "spans.json"),
    "decide a batch": (["decide", "--batch", "-"], "pq.batch"),
    "phases of a batch": (["phases", "--batch", "RUN"], "layers.batch"),
    "grade": (["grade", "--against", "is-seal", "trace.jsonl", "--out", "out", "--rubric", "RUN"], "rubric"),
    "diff": (["diff", "--against", "is-seal", "--command", "true"], ".sealcheck/findings/0123456789ab.json"),
    "sweep": (["sweep", "--n", "1", "--messages", "0", "--out", "swept"], "swept/_sweep.json"),
}
EACH = 5
"""Documents of each kind that are hostile in one place."""


@pytest.fixture(scope="module")
def documents(ask, tmp_path_factory, kept_session):
    kept_session.stop()  # a proof starts a session of its own
    before, folder = Path.cwd(), tmp_path_factory.mktemp("documents")
    os.chdir(folder)
    pair = ["mt 1->2", "mt 1->2", "--json"]
    Path("run.json").write_text(ask("decide", *pair).out)
    Path("phases.json").write_text(ask("phases", *pair).out)
    assert ask("draw", "--run", "run.json", "--out", "run.itf.json").code == 0
    Path("itf.json").write_text(json.dumps(json.loads(Path("run.itf.json").read_text())))
    small = ["--n", "2", "--messages", "1"]
    assert ask("table", "sealability", *small, "--out", "table.jsonl").code == 0
    assert ask("prove", "graph-cause", *small, "--out", "proofs").code == 0
    assert ask("audit", "graph-cause", *small, "--certify", "ledger").code == 0
    Path("swept").mkdir()
    Path(".sealcheck/findings").mkdir(parents=True)
    for name, text in {
        "trace.jsonl": TRACE,
        "spans.json": SPANS,
        "pq.batch": '{"p": "mt 1->2", "q": "eps", "n": 3}\n',
        "layers.batch": '{"layers": ["mt 1->2", "eps"], "n": 2}\n',
        "rubric": '{"empty Q": 2}',
        "swept/_sweep.json": '{"jobs": ["sweep"], "n": [1], "versions": {"z3-solver": "1"}}',
        ".sealcheck/findings/0123456789ab.json": KEPT,
    }.items():
        Path(name).write_text(text)
    yield
    os.chdir(before)


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(("command", "name"), READING.values(), ids=READING)
def test_hostile_documents(ask, command, name):
    file = Path(name)
    sound = file.read_text()
    words = [word.replace("RUN", name) for word in command]
    changed = list(at_each_place(sound))
    chosen = [*as_a_whole(sound), *Random(1).sample(changed, min(EACH, len(changed)))]
    try:
        for what, content in chosen:
            file.write_bytes(content)
            reply = ask(*words, stdin=content)
            assert reply.code in (0, 1, 2), f"{what}: {reply.err}"
            assert "Traceback" not in reply.err, what
            if reply.code == 2 and "--batch" not in words:
                sentence, *shown = reply.err.splitlines()
                assert sentence.startswith("sealcheck: "), what
                assert len(shown) in (0, 2), what
    finally:
        file.write_text(sound)
