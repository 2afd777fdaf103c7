"""Statements from a user's file, checked like the paper's."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sealcheck.cli.main import main
from sealcheck.errors import InputError
from sealcheck.theorems.own import admit, is_own, statements
from sealcheck.theorems.registry import named, statement

FILE = """
import sealcheck

@sealcheck.conjecture("{text}", against="is-seal")
def answers_seal(p, q):
    return {answer} if p.messages == 1 and q.messages == 1 else None
"""

ASKS_WRONGLY = """
from types import SimpleNamespace

from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.statement import Claim, Form, Statement, Outcome
from sealcheck.questions.asking import question

SEALS = question("is-seal")
CLAIM = Claim("it seals", check=lambda p, ask: Outcome.of(ask(SEALS, p)))
MINE = SimpleNamespace(statement=Statement("mine", "", (CLAIM,), domain=Programs(), questions=(SEALS,)))
"""


def write(folder: Path, answer: str, text: str = "an answer seals") -> str:
    file = folder / "mine.py"
    file.write_text(FILE.format(answer=answer, text=text))
    return str(file)


Audit = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def audit(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Audit:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def audit(file: Path, *arguments: str) -> tuple[int, Any, str]:
        code = main(["audit", str(file), "--n", "2", "--messages", "2", "--json", *arguments])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return audit


def test_statements_are_found_by_file_and_id(tmp_path: Path) -> None:
    file = write(tmp_path, "True")
    admit([file])
    assert named(file) == [f"{file}::answers-seal"] == list(statements(file))
    assert statement(f"{file}::answers-seal").claims[0].text == "an answer seals"
    assert is_own(file)
    assert not is_own("graph-cause")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("x = 1", "has no statements"),
        ("(", "SyntaxError"),
        (
            f"{FILE.format(text='', answer=True)}\nthe_same = sealcheck.conjecture('', against='is-seal')"
            "(answers_seal.prediction)",
            "two statements that are called 'answers-seal'",
        ),
    ],
)
def test_bad_files_are_refused(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(content)
    admit([str(file)])
    with pytest.raises(InputError, match=message):
        statements(str(file))


def test_missing_ones_are_said(tmp_path: Path) -> None:
    missing, file = str(tmp_path / "none.py"), write(tmp_path, "True")
    admit([missing, f"{file}::nothing"])
    with pytest.raises(InputError, match="cannot read"):
        named(missing)
    with pytest.raises(InputError, match=r"did you mean .*answers-seal"):
        statement(f"{file}::nothing")


def test_audits(tmp_path: Path, audit: Audit) -> None:
    code, (row,), _ = audit(Path(write(tmp_path, "True")))
    assert (code, row["verdict"]) == (1, "refuted")
    assert row["counterexample"]["programs"] == ["mt 1->2", "mt 1->2"]
    code, (row,), _ = audit(Path(write(tmp_path, "p.processes != q.processes")))
    assert (code, row["verdict"]) == (0, "verified")


def test_no_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", write(tmp_path, "True"), "--certify", str(tmp_path / "ledger")]) == 2
    assert "--certify takes the paper's statements only" in capsys.readouterr().err
    assert not (tmp_path / "ledger").exists()


ENDINGS = {
    "exits": ("import sys; sys.exit(0)", "SystemExit: 0"),
    "exits at once": ("import os; os._exit(0)", "it ends its process"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "it ends its process"),
    "is interrupted": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "recurs": ("def forever(): forever()\nforever()", "RecursionError"),
    "forks": ("import os; os.fork()", "it copies its process"),
    "forks and fails": ("import os; os.fork(); 1 / 0", "it copies its process"),
    "closes everything": ("import os; os.closerange(0, 65_536)", "it ends its process"),
}
HARMLESS = """
import atexit, os, signal, sys, threading, time
import sealcheck.cli.audit
sealcheck.cli.audit.code_of = lambda _: 0
threading.Thread(target=time.sleep, args=(1000,)).start()
atexit.register(os._exit, 0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(1)
os.write(1, b"2")
sys.stdout.close()
sys.__stdout__.close()
"""


@pytest.mark.parametrize(("ending", "error"), ENDINGS.values(), ids=ENDINGS)
def test_a_file_that_cannot_be_imported(ending: str, error: str, tmp_path: Path, audit: Audit) -> None:
    file = Path(write(tmp_path, "True"))
    file.write_text(f"{file.read_text()}\n{ending}\n")
    code, found, _ = audit(file)
    assert code == 2
    assert found["error"].startswith(f"cannot run '{file}': ")
    assert error in found["error"]


def test_a_file_cannot_reach_the_audit(tmp_path: Path, audit: Audit) -> None:
    file = Path(write(tmp_path, "True"))
    file.write_text(file.read_text() + HARMLESS)
    code, found, _ = audit(file)
    assert code == 1
    assert [row["verdict"] for row in found] == ["refuted"]


def test_importing_a_file_has_a_limit(tmp_path: Path, audit: Audit) -> None:
    file = tmp_path / "loops.py"
    file.write_text("while True: pass")
    code, found, _ = audit(file, "--seconds", "1")
    assert (code, found) == (3, {"error": f"unknown: '{file}': it takes more than 1 s (--seconds)"})


SEVERAL = """
import os, sys
import sealcheck

def about(name, prediction):
    prediction.__name__ = name
    return sealcheck.conjecture(name, against="sealable")(prediction)

def loops(p):
    while True: pass

def wavers(p):
    return os.getppid() != int(os.environ["AUDIT"]) or None  # a child of the audit confirms

CONJECTURES = [
    about("raises", lambda p: 1 / 0),
    about("exits", lambda p: sys.exit(0)),
    about("dies", lambda p: os._exit(0)),
    about("loops", loops),
    about("wavers", wavers),
    about("prints", lambda p: print("noise") or (True if p.messages < 2 else None)),
    about("fails", lambda p: True),
]
for number, each in enumerate(CONJECTURES):
    globals()[f"conjecture_{number}"] = each
"""


def test_a_broken_conjecture_has_a_row(tmp_path: Path, audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT", str(os.getpid()))
    file = tmp_path / "several.py"
    file.write_text(SEVERAL)
    code, found, said = audit(file, "--seconds", "1")
    assert code == 2
    rows = {row["statement"].removeprefix(f"{file}::"): row for row in found}
    verdicts = {name: row["verdict"] for name, row in rows.items()}
    assert verdicts == {
        "raises": "error",
        "exits": "error",
        "dies": "error",
        "loops": "unknown",
        "wavers": "error",
        "prints": "verified",
        "fails": "refuted",
    }
    assert rows["raises"]["error"].endswith("cannot check it: ZeroDivisionError: division by zero")
    assert rows["exits"]["error"].endswith("SystemExit: 0")
    assert "ended the process" in rows["dies"]["error"]
    assert rows["loops"]["unknown"].endswith("it takes more than 1 s (--seconds)")
    assert "refuted the claim, but did not when checked again" in rows["wavers"]["error"]
    assert all(rows[name]["error"] in said for name in ("raises", "exits", "dies", "wavers"))


def test_what_a_file_imports_may_change(
    tmp_path: Path, audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file, imported = tmp_path / "mine.py", tmp_path / "imported_by_mine.py"
    file.write_text("from imported_by_mine import answer\n" + FILE.format(text="", answer="answer(p, q)"))
    imported.write_text("def answer(p, q): return p.processes != q.processes")
    assert audit(file)[0] == 0
    imported.write_text("def answer(p, q): return True")
    assert audit(file)[0] == 1


def test_only_an_audit_runs_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run = tmp_path / "stranger.py", tmp_path / "run"
    file.write_text(f"open({str(run)!r}, 'w')")
    assert main(["prove", str(file), "--n", "2", "--messages", "2"]) == 2
    assert "only audit takes such" in capsys.readouterr().err
    with pytest.raises(InputError, match="only audit takes such"):
        statement(f"{file}::x")
    assert not run.exists()


def test_a_statement_that_asks_wrongly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "mine.py"
    file.write_text(ASKS_WRONGLY)
    assert main(["audit", str(file), "--n", "2", "--messages", "1"]) == 2
    said = capsys.readouterr().err
    assert f"{file}::mine, n = 1" in said
    assert "'is-seal' cannot be asked of 'eps', only of P, Q: " in said
