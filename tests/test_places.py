"""How few places have to be touched to add something: some of the list in docs/architecture.md."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sealcheck.harness.checking import check_instances, verdict_on
from sealcheck.harness.domains import Programs
from sealcheck.harness.statement import Claim, Form, Statement, Verdict, predicts
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


MUST_SAY = {
    "encodings/fifo.py",
    "encodings/occurrence.py",
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
