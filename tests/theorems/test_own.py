"""Statements from a file of somebody's own, checked like the paper's."""

import json
from pathlib import Path

import pytest

from sealcheck.cli.main import main
from sealcheck.errors import InputError
from sealcheck.theorems.own import is_own, statements
from sealcheck.theorems.registry import named, statement

FILE = """
import sealcheck

@sealcheck.conjecture("{text}", against="is-seal")
def answers_seal(p, q):
    return {answer} if p.messages == 1 and q.messages == 1 else None
"""

ASKS_WRONGLY = """
from types import SimpleNamespace

from sealcheck.harness.domains import Programs
from sealcheck.harness.statement import Claim, Form, Statement, holds_if
from sealcheck.questions.registry import question

SEALS = question("is-seal")
CLAIM = Claim(Form.AS_PRINTED, "it seals", check=lambda p, ask: holds_if(ask(SEALS, p)))
MINE = SimpleNamespace(statement=Statement("mine", "", (CLAIM,), domain=Programs(), questions=(SEALS,)))
"""


def write(folder: Path, answer: str, text: str = "an answer seals") -> str:
    """A file with one conjecture; its name."""
    file = folder / "mine.py"
    file.write_text(FILE.format(answer=answer, text=text))
    return str(file)


def test_statements_are_found_by_file_and_id(tmp_path: Path) -> None:
    """A file stands for all that is in it."""
    file = write(tmp_path, "True")
    assert named(file) == [f"{file}::answers-seal"] == list(statements(file))
    assert statement(f"{file}::answers-seal").claims[0].text == "an answer seals"
    assert is_own(file)
    assert not is_own("graph-cause")


@pytest.mark.parametrize(
    ("content", "message"),
    [("1 / 0", "ZeroDivisionError: division by zero"), ("x = 1", "has no statements"), ("(", "SyntaxError")],
)
def test_bad_files_are_refused(content: str, message: str, tmp_path: Path) -> None:
    """One sentence says what is wrong with the file."""
    file = tmp_path / "bad.py"
    file.write_text(content)
    with pytest.raises(InputError, match=message):
        statements(str(file))


def test_missing_ones_are_said(tmp_path: Path) -> None:
    """A file that is not there, and a statement that is not in it."""
    with pytest.raises(InputError, match="cannot read"):
        named(str(tmp_path / "none.py"))
    with pytest.raises(InputError, match=r"did you mean .*answers-seal"):
        statement(f"{write(tmp_path, 'True')}::nothing")


def test_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuted with the smallest counterexample; and, once the file is another one, checked anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    arguments = ["--n", "2", "--messages", "2", "--json"]
    assert main(["audit", write(tmp_path, "True"), *arguments]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["verdict"] == "refuted"
    assert row["counterexample"]["programs"] == ["mt 1->2", "mt 1->2"]
    assert main(["audit", write(tmp_path, "p.processes != q.processes"), *arguments]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["verdict"] == "verified"


def test_no_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ledger that needs other files could not be verified by itself."""
    assert main(["audit", write(tmp_path, "True"), "--certify", str(tmp_path / "ledger")]) == 2
    assert "--certify is for the paper's statements" in capsys.readouterr().err
    assert not (tmp_path / "ledger").exists()


def test_a_statement_that_asks_wrongly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is its author's mistake, not a job that failed: one sentence, and exit code 2."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "mine.py"
    file.write_text(ASKS_WRONGLY)
    assert main(["audit", str(file), "--n", "2", "--messages", "1"]) == 2
    (said,) = capsys.readouterr().err.splitlines()[-1:]
    assert f"{file}::mine, n = 2" in said
    assert "'is-seal' cannot be asked of 'mt 1->2', only of P, Q: " in said
