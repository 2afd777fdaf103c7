"""How few places have to be touched to add something: some of the list in docs/architecture.md."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pysmt.shortcuts import Equals, Int, Not, Symbol
from pysmt.typing import INT

from sealcheck.algorithms.sealability import closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import KNOWN, SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.every_n.solvers import status
from sealcheck.harness.checking import check_instances
from sealcheck.harness.domains import Programs
from sealcheck.harness.statement import Claim, Form, Statement, Verdict, predicts
from sealcheck.harness.verdicts import verdict_on
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.space import Space
from sealcheck.questions.answer_types import NUMBER
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question
from sealcheck.questions.registry import QUESTIONS
from sealcheck.questions.straight_lines import STRAIGHT

ROOT = Path(__file__).parent.parent


def longest(instance: Instance, _: Semantics) -> int:
    """The length of the longest share."""
    return max(map(len, instance.p.shares))


def longest_by_sorting(instance: Instance, _: Semantics) -> int:
    """The same."""
    return sorted(map(len, instance.p.shares))[-1]


LONGEST = Question(
    id="longest-share",
    text="How many events does the busiest process have?",
    takes=("p",),
    domain=STRAIGHT,
    answer=NUMBER,
    oracles=(Oracle("maximum", longest), Oracle("sorting", longest_by_sorting)),
)

STATEMENT = Statement(
    id="busiest-process",
    label="nowhere",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "the busiest process takes part in all messages",
            check=predicts(LONGEST, lambda instance: instance.messages),
        ),
    ),
    domain=Programs(),
    questions=(LONGEST,),
)


def test_a_question_and_a_statement_are_one_object_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question with two oracles, and a statement about it, are checked as soon as they are there."""
    monkeypatch.setitem(QUESTIONS, LONGEST.id, LONGEST)
    (of_two,) = check_instances(STATEMENT, 2, 2)
    (of_three,) = check_instances(STATEMENT, 3, 3)
    assert verdict_on(STATEMENT, STATEMENT.claims[0], of_two, None) is Verdict.VERIFIED
    assert of_three.refuting is not None
    assert {len(share) for share in of_three.refuting.p.shares} == {2}


KNOW_SOLVERS = {
    "encodings/proofs.py",  # how CaDiCaL is asked, and its proofs are read
    "encodings/smt.py",  # how z3 and cvc5 are started and read
    "encodings/solvers.py",  # which there are
    "encodings/sat.py",  # how CaDiCaL is started
    "every_n/solvers.py",  # how cvc5 is asked for finite models
}
"""Who may name a solver; for one more, `solvers.py` and `smt.py`, or `sat.py`, are enough."""


def test_who_knows_the_solvers() -> None:
    """No other module has the name of a solver, or of the package that brings it, in its code."""
    names = re.compile("|".join(each for known in KNOWN for each in (known.name, known.distribution)))
    package = ROOT / "src/sealcheck"
    knowing = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(names.search(text.lower()) for text in _texts(ast.parse(path.read_text())))
    }
    assert knowing == KNOW_SOLVERS


def _texts(tree: ast.AST) -> Iterator[str]:
    """The texts and imports of a module, without those that only explain."""
    explaining = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in explaining:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def remade(monkeypatch: pytest.MonkeyPatch, changes: dict[str, tuple[str, str]]) -> dict[str, ModuleType]:
    """Modules of `encodings`, made anew and put in the place of those that there are; each with a change."""
    made = {name: ModuleType(f"sealcheck.encodings.{name}") for name in changes}
    for module in made.values():
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for name, (old, new) in changes.items():
        text = (ROOT / f"src/sealcheck/encodings/{name}.py").read_text()
        assert old in text
        exec(text.replace(old, new, 1), vars(made[name]))
    return made


LISTED = ("KNOWN = (", 'KNOWN = (\n    KnownSolver("seventh", "seventh-solver", counts=True, proves=False),')
STARTED = ("SMT = {", 'SMT = {\n    "seventh": Driver(start=_start_z3, timeout="timeout", read=_read_z3),')
SAME = ("", "")


def test_a_solver_is_one_line_and_how_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two modules: with these touched, every list of solvers has it, and it answers, with models."""
    changes = {"solvers": LISTED, "solving": SAME, "smt": STARTED, "sat": SAME}
    made = remade(monkeypatch, changes)
    assert ("seventh", *SMT_SOLVERS) == made["solvers"].SMT_SOLVERS
    assert "seventh-solver" in made["solvers"].DISTRIBUTIONS
    x, number = Symbol("x"), Symbol("a number", INT)
    with made["solving"].open_solver("seventh", seconds=60) as solver:
        assert solver.name == "seventh"
        assert not made["solving"].satisfiable(solver, [x, Not(x)])
        found = solver.ask([x, Equals(number, Int(3))])
        assert (found.value(x), found.value(number)) == (True, 3)


@pytest.mark.parametrize("counts", [True, False])
def test_a_solver_that_is_only_listed_is_refused(monkeypatch: pytest.MonkeyPatch, counts: bool) -> None:
    """It is not taken for another one, whatever it can do."""
    old, new = LISTED
    changes = {"solvers": (old, new.replace("True", str(counts))), "solving": SAME, "smt": SAME, "sat": SAME}
    made = remade(monkeypatch, changes)
    with pytest.raises(InputError, match=r"^nothing says how the solver 'seventh' is started$"):
        made["solving"].open_solver("seventh")
    with pytest.raises(InputError, match=r"^nothing says how the solver 'seventh' is started$"):
        status("seventh", [Symbol("x")])


MUST_SAY = {
    "encodings/fifo.py",
    "encodings/run_around.py",
    "oracles/matching_functions.py",
    "oracles/path_explorer.py",
    "programs/global_runs.py",
    "questions/closed_channels.py",
    "questions/deadlock_free.py",
    "questions/straight_lines.py",
}
"""Who reads the channel model, and so has to say what a new one means there."""


@pytest.mark.slow
def test_a_channel_model_does_not_type_check_before_everybody_knows_it(tmp_path: Path) -> None:
    """With one more model and nothing else, mypy names each module that has to say what it means."""
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    semantics = tmp_path / "src/sealcheck/programs/semantics.py"
    text = semantics.read_text()
    added = text.replace('    REL_FIFO = "rel-fifo"\n', '    STACK = "stack"\n    REL_FIFO = "rel-fifo"\n')
    assert added != text
    semantics.write_text(added)
    command = [sys.executable, "-m", "mypy", "src/sealcheck/programs", "src/sealcheck/questions"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    named = set(re.findall(r"^src/sealcheck/(\S+?):\d+: error: .*assert_never", found.stdout, re.MULTILINE))
    assert named == MUST_SAY


Edits = dict[str, list[tuple[str, str]]]
"""For each module of the package that is touched, what is replaced; a new one has nothing to replace."""

AN_ORACLE: Edits = {
    "questions/balanced.py": [
        (
            'oracles=(Oracle("executions", by_executing),)',
            'oracles=(Oracle("executions", by_executing), Oracle("credulous", lambda *_: True))',
        )
    ]
}
A_TABLE: Edits = {
    "kernel/tables.py": [
        (
            "def _check_pair(",
            """def _check_busiest(row: Row, n: int, p: list[Event]) -> None:
    if row["events"] != max(map(len, shares_of(p, n))):
        raise Rejected("this is not how many events the busiest process has")


def _check_pair(""",
        ),
        (
            "] = {\n",
            '] = {\n    "busiest": ({"program": str, "events": int}, ("program",), _check_busiest),\n',
        ),
        ("EXHAUSTIVE = {", 'EXHAUSTIVE = {"busiest": 1, '),
    ],
    "evidence/tables/busiest.py": [
        (
            "",
            """from sealcheck.evidence.tables.columns import MESSAGES, ORBIT_SIZE, PROGRAM, Column, N
from sealcheck.evidence.tables.table import Table
from sealcheck.harness.domains import Programs

EVENTS = Column("events", {"type": "integer", "minimum": 0}, "int32")
TABLE = Table(
    kind="busiest",
    text="the events of the busiest process",
    columns=(PROGRAM, N, MESSAGES, ORBIT_SIZE, EVENTS),
    shown=(PROGRAM, EVENTS),
    domain=Programs(),
    row=lambda instance: {"program": str(instance.p), "events": max(map(len, instance.p.shares))},
)
""",
        )
    ],
}
A_FORMAT: Edits = {
    "evidence/formats.py": [
        (
            '    "csv": _write_csv,\n',
            '    "csv": _write_csv,\n'
            '    "lines": lambda made, header, rows, out: out.writelines(sorted(rows)),\n',
        )
    ],
    "cli/table.py": [("csv, latex", "csv, lines, latex")],
}
A_NUMBER: Edits = {
    "algorithms/packed/counts.py": [
        ("    sealable: int\n", "    sealable: int\n    unconnected: int\n"),
        (
            '        "sealable": int',
            '        "unconnected": int((~said.connected).sum()),\n        "sealable": int',
        ),
    ],
    "spark_sweeps/columns.py": [
        ("SUMMED = {\n", 'SUMMED = {\n    "unconnected": "count_if(NOT connected)",\n')
    ],
}
A_COLUMN: Edits = {
    "spark_sweeps/columns.py": [("    connected: bool\n", "    connected: bool\n    closed_channels: int\n")],
    "spark_sweeps/sweep_shards.py": [
        (
            "                connected=found.connected,\n",
            "                connected=found.connected,\n"
            "                closed_channels=shard.n * (shard.n - 1) - found.open_channels,\n",
        )
    ],
}


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the package says to which an oracle, a table, a format and columns were added."""
    folder = tmp_path_factory.mktemp("added")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "proofs"))
    for edits in (AN_ORACLE, A_TABLE, A_FORMAT, A_NUMBER, A_COLUMN):
        for name, replaced in edits.items():
            file = folder / "src/sealcheck" / name
            text = file.read_text() if file.exists() else ""
            for old, new in replaced:
                assert text.count(old) == 1
                text = text.replace(old, new)
            file.write_text(text)
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-P", str(ROOT / "tests/places.py")]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found | {"folder": folder}


def test_an_oracle_is_in_the_module_of_its_question(added: dict[str, Any]) -> None:
    """One module: it is listed and asked, and where it is wrong, that is a finding."""
    assert len(AN_ORACLE) == 1
    code, printed = added["questions"]
    (balanced,) = (each for each in json.loads(printed) if each["question"] == "balanced")
    assert (code, balanced["oracles"][1]["name"]) == (0, "credulous")
    right, wrong = added["said"]
    assert right == "True: executions, credulous"
    assert wrong.endswith("executions says False, credulous says True")


def test_a_kind_of_table_is_its_check_and_its_rows(added: dict[str, Any]) -> None:
    """Two modules: it is made, accepted as complete, and a wrong row is rejected."""
    assert len(A_TABLE) == 2
    (made, _), (verified, said), (rejected, why) = added["made"], added["verified"], added["changed"]
    assert (made, verified, rejected) == (0, 0, 1)
    assert "busiest" in said
    assert "complete" in said
    assert "this is not how many events the busiest process has" in why


def test_a_format_of_tables_is_a_function_and_its_name_in_the_help(added: dict[str, Any]) -> None:
    """Two modules: what the function writes is in the file."""
    assert len(A_FORMAT) == 2
    assert added["formatted"][0] == 0
    lines = (added["folder"] / "made.jsonl").read_text().splitlines()[1:]
    assert (added["folder"] / "made.txt").read_text() == "".join(sorted(lines))


def test_a_number_of_sweeps_and_samples_is_counted_in_two_ways(added: dict[str, Any]) -> None:
    """Two modules: levels and samples have it, with compiled loops and without, and Spark SQL sums it up."""
    assert len(A_NUMBER) == 2
    for level in added["levels"]:
        canonical = filter(attrgetter("is_canonical"), Space(level["n"], level["messages"]).programs())
        graphs = [closed_channel_graph(signature(program)) for program in canonical]
        assert level["unconnected"] == sum(not is_connected(level["n"], graph) for graph in graphs)
    assert len(added["levels"]) == 2
    assert all(0 <= sampled["unconnected"] <= sampled["drawn"] == 10 for sampled in added["samples"])
    assert "count_if(NOT connected) AS unconnected" in added["select"]


def test_a_column_of_the_rows_of_a_sweep_is_declared_and_filled(added: dict[str, Any]) -> None:
    """Two modules: every row has it."""
    assert len(A_COLUMN) == 2
    rows = added["rows"]
    assert {row["open_channels"] + row["closed_channels"] for row in rows} == {2}
    assert [row["program"] for row in rows] == [
        str(program) for program in Space(2, 2).programs() if program.is_canonical
    ]
