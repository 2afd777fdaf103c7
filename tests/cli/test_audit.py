"""``sealcheck audit``: documents, texts, exit codes and refusals.

Most jobs run in this process; `tests/spark_sweeps` shows that Spark gives the same findings.
"""

from dataclasses import replace
from itertools import product

import pytest
import z3
from tests.cli.page.recorded import named
from tests.spark_sweeps.loops import GivesUp

from sealcheck.cli.options import MIB, PART_SECONDS
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.space import count_canonical
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps import audit
from sealcheck.spark_sweeps.rounds import InALoop
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking import check
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Form
from sealcheck.theorems.registry import statement

PROGRAM = "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
SEAL = "mt 3->1; mt 1->2; mt 2->3"


CORE = ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"]
BOUNDS = ("--n", "2", "--messages", "2")
PROVED = {(name, claim.form.value) for name in CORE for claim in statement(name).claims if claim.theorems}


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def do_without_spark(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(audit, "WITHOUT_SPARK", float("inf"))
    patch.setattr(audit, "InALoop", lambda setting, _: InALoop(replace(setting, limits=None)))


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    do_without_spark(monkeypatch)


@pytest.fixture(scope="module")
def core(ask, tmp_path_factory):
    cache = tmp_path_factory.mktemp("core")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        do_without_spark(patch)
        return ask("audit", *CORE, *BOUNDS, "--json"), cache


@pytest.fixture
def nothing_left(core, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(core[1]))
    monkeypatch.setattr(audit, "InALoop", lambda *_: pytest.fail("something was left to do"))


def test_document(core):
    reply, _ = core
    assert (reply.code, reply.err) == (1, "")
    rows = reply.document
    assert [(row["statement"], row["form"]) for row in rows] == [
        (name, claim.form.value) for name in CORE for claim in statement(name).claims
    ]
    for row in rows:
        assert (row["bounded"], row["n"], row["messages"]) == ("verified", 2, 2)
        by_theorem = (row["statement"], row["form"]) in PROVED
        assert row["verdict"] == ("proved" if by_theorem else "refuted")  # that too by a theorem
        assert row["counterexample"] is None
        keys = "instances oracles abstained queries solvers unknown limits proof_checked"
        assert set(keys.split()) <= set(row["evidence"])
        assert row["evidence"]["instances"] == (12 if row["statement"] == "decide-sealing" else 6)
        assert row["evidence"]["unknown"] == 0


@pytest.mark.usefixtures("nothing_left")
def test_a_second_audit_is_read_from_the_cache(ask, core):
    assert ask("audit", *CORE, *BOUNDS, "--json") == core[0]


def test_on_spark(ask, one_session):
    reply = ask("audit", "graph-cause", "--n", "2", "--messages", "1", "--master", "local[1]", "--json")
    assert (reply.code, reply.err) == (0, "")
    assert one_session.asked[-1] == ("local[1]", "sealcheck audit")
    (row,) = reply.document
    assert (row["verdict"], row["bounded"], row["evidence"]["instances"]) == ("proved", "verified", 3)


@pytest.fixture
def findings():
    without = Ablation(Instance.of(parse_straight_line("snd 2->1", 2)), n=2, messages=1)
    found = [named("sealability", form.value) for form in Form]
    return [replace(each, ablations=tuple((name, without) for name, _ in each.ablations)) for each in found]


@pytest.fixture
def refuting(monkeypatch, findings):
    def found(open_rounds, names, setup, kept, *, on_progress):
        assert (names, setup.smt, setup.limits) == (["sealability"], ("z3",), Limits(PART_SECONDS, MIB))
        assert setup.levels == tuple((n, messages) for n in (1, 2, 3) for messages in range(5))
        yield from findings

    monkeypatch.setattr(audit, "audit", found)
    return ("audit", "sealability", "--solver", "z3")


@pytest.mark.usefixtures("without_spark")
def test_counterexample(ask, refuting):
    """n = 3 and four messages. The counterexample is sealable."""
    reply = ask(*refuting, "--n", "3", "--messages", "4", "--json")
    assert reply.code == 1
    printed, repaired = reply.document
    assert (printed["form"], printed["verdict"]) == ("as-printed", "refuted")
    repaired_is = (repaired["form"], repaired["bounded"], repaired["counterexample"])
    assert repaired_is == ("repaired", "verified", None)
    levels = product((1, 2, 3), range(5))
    assert printed["evidence"]["instances"] == sum(count_canonical(*level) for level in levels)
    found = printed["counterexample"]
    assert set(found) == {"n", "messages", "program", "programs", "q", "why"}
    assert (found["n"], found["messages"], found["program"], found["q"]) == (3, 4, PROGRAM, None)
    assert f"Yet Q = {SEAL} seals P:" in found["why"].splitlines()
    assert ask("decide", PROGRAM, SEAL).code == 0


@pytest.mark.usefixtures("without_spark")
def test_a_refutation_in_full(ask, refuting):
    """The default is n = 3 and m = 4."""
    reply = ask(*refuting)
    assert reply.code == 1
    shown = " ".join(reply.out.split())
    assert "Up to 3 processes and 4 messages." in shown
    assert f"smallest n = 3 {PROGRAM}" in shown
    assert "P, process 2: snd 2->1 rcv 2<-1 snd 2->3 rcv 2<-3" in shown
    assert SEAL in shown
    assert "hypothesis balanced: without it, fails for n = 2: snd 2->1" in shown
    assert shown.count("verdict refuted") == shown.count("verdict proved") == 1


@pytest.mark.usefixtures("nothing_left")
def test_ledger(ask, monkeypatch):
    core = {name: statement(name) for name in CORE}
    monkeypatch.setattr("sealcheck.theorems.registry.STATEMENTS", core)
    reply = ask("audit", *BOUNDS)
    assert (reply.code, reply.err) == (1, "")
    lines = [line.split() for line in reply.out.splitlines()]
    theorem = "tcc-impossibility repaired proved theorem tcc_impossibility_bsl,"
    assert f"{theorem} 6 programs, 12 queries".split() in lines
    verdicts = [line[2] for line in lines if line[1:2] == ["as-printed"]]
    assert sorted(verdicts) == ["proved", "proved", "refuted"]
    summary = (
        "Of 3 claims as printed, 1 is refuted: 0 because of misprints in pseudocode, 1 because of the paper's"
        " text, which has several readings in places."
    )
    assert summary in reply.out.splitlines()
    assert (
        "beyond the bound: a program of three processes, four messages; finite intervals (theorem"
        in reply.out
    )


@pytest.mark.usefixtures("without_spark")
def test_what_is_refuted_by_a_theorem_alone(ask, monkeypatch):
    options = ("--n", "1", "--messages", "0")
    rows = ask("audit", "seal-algebra-5", *options, "--json").document
    assert [(row["verdict"], row["bounded"], row["evidence"]["certificate"]) for row in rows] == [
        ("refuted", "not boundable", []),
        ("proved", "verified", ["replay"]),
        ("proved", "not boundable", []),
    ]
    assert [row["counterexample"] for row in rows] == [None] * 3
    reason = "no bound reaches infinite intervals"
    assert [row["evidence"]["not_boundable"] for row in rows] == [reason, None, reason]
    only = {"seal-algebra-5": statement("seal-algebra-5")}
    monkeypatch.setattr("sealcheck.theorems.registry.STATEMENTS", only)
    reply = ask("audit", *options)
    assert (reply.code, reply.err) == (1, "")
    shown = " ".join(reply.out.split())
    assert "as-printed refuted theorem seal_algebra_5_as_printed_fails seal-algebra-5 repaired 1" in shown
    assert "P = eps + (mt 2->1 + 1.x := k)*; 1.x := k; [1.x = k], where k is not" in shown


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize("form", ["--json", "--solver=cvc5"])
def test_unknown(ask, monkeypatch, form):
    monkeypatch.setattr(check, "open_solver", GivesUp)
    reply = ask("audit", "graph-cause", "--n", "2", "--messages", "1", form)
    assert reply.code == 3
    assert "unknown" in reply.out
    assert "verified" not in reply.out
    assert "proved" in reply.out  # by a theorem, whatever checking says


@pytest.mark.usefixtures("without_spark")
def test_disagreement(ask, monkeypatch):
    """The exit code is 1, and there is no verdict."""
    monkeypatch.setattr("sealcheck.theorems.checking.domains.count_canonical", lambda n, m: 7)
    reply = ask("audit", "graph-cause", "--n", "1", "--messages", "0", "--json")
    assert reply.code == 1
    sentence = "disagreement: graph-cause, n = 1, messages = 0: 1 instance, but counted 7"
    assert reply.document == {"error": sentence}
    assert reply.err == f"sealcheck: {sentence}\n"


@pytest.mark.usefixtures("nothing_left")
def test_queries_as_files(ask, core, tmp_path):
    folder = tmp_path / "new" / "queries"
    assert ask("audit", *CORE, *BOUNDS, "--smt-lib", str(folder), "--json") == core[0]
    files = sorted(folder.iterdir())
    assert len(files) * len(SOLVERS) == sum(row["evidence"]["queries"] for row in core[0].document)
    for file in files:
        solver = z3.Solver()
        solver.from_file(str(file))
        assert solver.assertions()
        assert solver.check() == z3.unsat


@pytest.mark.usefixtures("without_spark")
def test_queries_that_have_a_model(ask, tmp_path, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.audit.spaces", lambda processes, messages: [(3, 4)])
    monkeypatch.setattr(audit, "audit", lambda *_, **__: (row for row in ()))
    assert ask("audit", "sealability", "--smt-lib", str(tmp_path), "--json").code == 0
    satisfiable = []
    for file in sorted(tmp_path.iterdir()):
        solver = z3.Solver()
        solver.from_file(str(file))
        if solver.check() == z3.sat:
            satisfiable.append(file.name.split("-n3-m4-")[0])
    assert set(satisfiable) == {"sealability-as-printed"}
