"""Processes that do jobs beside this one, and die: another try, or an error that is said; never a wait."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from sealcheck.cli import main as command_line
from sealcheck.spark_sweeps import crews as module
from sealcheck.spark_sweeps.crews import Bundle, Done, Helper, HelperLost, Helpers
from sealcheck.spark_sweeps.jobs import AskLevel
from sealcheck.spark_sweeps.shards import ShardFailed

BUNDLE = Bundle((AskLevel("graph-cause", 0, "z3", 2, 1),), 1.0)
DEATHS = {
    "at once": "",
    "before it answers": "import sys; sys.stdin.buffer.read(8)",
    "amid its answer": "import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write(b'123')",
    "behind the length": "import os, sys; sys.stdin.buffer.read(8); os.write(1, bytes(7) + b'9' + b'answer')",
    "by a signal": "import os, sys; sys.stdin.buffer.read(8); os.kill(os.getpid(), 9)",
}


def dying(monkeypatch: pytest.MonkeyPatch, death: str) -> None:
    """Have every helper die like this."""
    monkeypatch.setattr(module, "_CHILD", [sys.executable, "-c", DEATHS[death]])


def until_done(crew: Helpers, bundles: int) -> list[Done]:
    found: list[Done] = []
    while len(found) < bundles:
        found += crew.done()
    return found


def children() -> set[int]:
    """The processes that this one has started, the dead among them included."""
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return set(map(int, text.split()))


@pytest.mark.parametrize("death", DEATHS)
def test_a_helper_that_dies_is_lost(monkeypatch: pytest.MonkeyPatch, death: str) -> None:
    """Whenever it dies, whoever waits for its answer is told."""
    dying(monkeypatch, death)
    with Helper() as helper, pytest.raises(HelperLost):
        helper.do(BUNDLE)


@pytest.mark.parametrize("death", DEATHS)
def test_what_kills_every_helper_is_given_up(monkeypatch: pytest.MonkeyPatch, death: str) -> None:
    """A job that two helpers have died of is named, and not tried for ever."""
    dying(monkeypatch, death)
    said = r"^the process that did this died: is there enough memory\?  .*graph-cause"
    with Helpers(2) as crew:
        crew.give([BUNDLE])
        with pytest.raises(ShardFailed, match=said):
            until_done(crew, 1)
        assert crew.failed == 1


def test_another_helper_does_what_one_has_died_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """One death costs nothing but time: all is done, and the death is counted."""
    real, empty = module._CHILD, Bundle((), 0.0)
    dying(monkeypatch, "before it answers")
    with Helpers(1) as crew:
        monkeypatch.setattr(module, "_CHILD", real)
        crew.give([BUNDLE, empty])
        found = until_done(crew, 2)
        assert crew.failed == 1
    by_bundle: dict[Bundle, Any] = dict(found)
    [tally] = by_bundle[BUNDLE]
    assert (tally.checked, by_bundle[empty]) == (1, [])


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for its children")
def test_a_crew_that_is_left_leaves_no_process() -> None:
    """Helpers that work, or wait for work, are gone with the crew."""
    before = children()
    with Helpers(2) as crew:
        crew.give([BUNDLE])
        assert len(children() - before) == 2
    assert children() <= before


def test_helpers_do_not_hear_the_terminal() -> None:
    """Ctrl-C reaches the processes of a group; a helper has one of its own."""
    with Helper() as helper:
        assert os.getpgid(helper._child.pid) != os.getpgid(0)


def test_the_command_says_that_a_helper_died(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An audit whose helpers die ends with one sentence, and the exit code of what is not known."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    dying(monkeypatch, "by a signal")
    assert command_line.main(["audit", "decide-sealing", "--n", "1", "--messages", "0"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("sealcheck: unfinished: the process that did this died: is there enough memory?")
    assert said.count("\n") == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
