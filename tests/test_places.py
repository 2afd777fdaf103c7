"""How few places have to be touched to add something: some of the list in docs/architecture.md."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from pysmt.shortcuts import Not, Symbol

from sealcheck.encodings.solvers import KNOWN, SMT_SOLVERS
from sealcheck.harness.checking import check_instances
from sealcheck.harness.domains import Programs
from sealcheck.harness.statement import Claim, Form, Statement, Verdict, predicts
from sealcheck.harness.verdicts import verdict_on
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import NUMBER
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question
from sealcheck.questions.registry import QUESTIONS

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
    domain="straight-line programs",
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
    "encodings/isolated.py",  # how CaDiCaL is stopped
    "encodings/proofs.py",  # how CaDiCaL is asked, and its proofs are read
    "encodings/solvers.py",  # which there are
    "encodings/solving.py",  # how they are started and asked
    "every_n/solvers.py",  # how they are asked with quantifiers, and for finite models
}
"""Who may name a solver; for one more, `solvers.py` and `solving.py` are enough."""


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


def test_a_solver_is_one_line_and_how_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two modules: with these touched, every list of solvers has it, and questions are put to it."""
    folder = ROOT / "src/sealcheck/encodings"
    listed = (folder / "solvers.py").read_text().replace("KNOWN = (", f"KNOWN = (\n    {SEVENTH},")
    started = (folder / "solving.py").read_text().replace('if name == "z3":', 'if name in ("z3", "seventh"):')
    solvers, solving = ModuleType("sealcheck.encodings.solvers"), ModuleType("sealcheck.encodings.solving")
    monkeypatch.setitem(sys.modules, solvers.__name__, solvers)
    monkeypatch.setitem(sys.modules, solving.__name__, solving)
    exec(listed, vars(solvers))
    exec(started, vars(solving))
    assert ("seventh", *SMT_SOLVERS) == solvers.SMT_SOLVERS
    assert "seventh-solver" in solvers.DISTRIBUTIONS
    x = Symbol("x")
    with solving.open_solver("seventh") as solver:
        assert not solving.satisfiable(solver, [x, Not(x)])


SEVENTH = 'Known("seventh", "seventh-solver", counts=True, proves=False)'

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
