"""The examples do what their README says."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import _width, ask

__all__ = ["_width", "ask"]

EXAMPLES = Path(__file__).parents[1] / "examples"
README = (EXAMPLES / "README.md").read_text()
SHOWN = re.findall(r"```text\n\$ (.*)\n((?:.*\n)*?)```", README)
REPAIRS = {
    "is_seal.py": ("{event for event in known[k] if event[0] == k}", "set(known[k])", "3"),
    "closed_channels.pl": ("pop @", "shift @", "4"),
}
"""For each file: the wrong text, the right text, and the messages that it takes to notice."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    return Path()


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_the_faults_are_found(ask, folder, command, output):
    assert len(SHOWN) == 2
    assert ask(*shlex.split(command)[1:]).out == output


@pytest.mark.parametrize(("command", "_"), SHOWN)
def test_without_their_faults_they_agree(ask, folder, command, _):
    (name,) = (name for name in REPAIRS if Path(name).stem in command)
    wrong, right, messages = REPAIRS[name]
    bound = ("--n", "3", "--messages", messages, "--random", "0")
    assert ask(*shlex.split(command)[1:], *bound).code == 1
    text = (folder / name).read_text()
    assert text.count(wrong) == 1
    (folder / name).write_text(text.replace(wrong, right))
    assert ask(*shlex.split(command)[1:], *bound).code == 0


def test_the_workflow_asks_about_phases_that_stay_apart(ask, folder):
    """Without the acknowledgment they would not."""
    (command,) = re.findall(r"run: (sealcheck phases .*)", (folder / "github-workflow.yml").read_text())
    assert command in (EXAMPLES.parent / "docs" / "ci.md").read_text()
    arguments = shlex.split(command)[1:]
    assert ask(*arguments).code == 0
    assert ask(*[each for each in arguments if "acknowledged" not in each]).code == 1
