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
from pysmt.shortcuts import Equals, Int, Not, Symbol
from pysmt.typing import INT

from sealcheck.encodings.solvers import KNOWN, SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.every_n.solvers import status
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


LISTED = ("KNOWN = (", 'KNOWN = (\n    Known("seventh", "seventh-solver", counts=True, proves=False),')
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
