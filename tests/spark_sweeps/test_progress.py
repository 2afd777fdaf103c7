"""Progress on standard error, which only terminals get."""

import io
import re
from contextlib import redirect_stderr

import pytest

from sealcheck.spark_sweeps.progress import progress_bar
from sealcheck.spark_sweeps.shards import Progress


class Terminal(io.StringIO):
    """A standard error that looks like a terminal."""

    def isatty(self) -> bool:
        """Always true."""
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")


def shown(terminal: Terminal) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue())


def test_a_terminal_shows_how_far_the_work_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("rich.console.monotonic", lambda: now)
    monkeypatch.setattr("time.monotonic", lambda: now)
    with redirect_stderr(Terminal()) as terminal:
        with progress_bar("sweep") as follow:
            for done in range(0, 4000, 1000):
                follow(Progress(done, 19806, 1, 2))
                now += 1
        last = shown(terminal).split("\r")[-2]
        follow.print_summary()
    assert "sweep: starting Spark" in shown(terminal)
    assert "sweep (2 disagreements, 1 attempt failed)" in last
    assert re.search(r"3000/19806 +1,000/s", last)
    assert "0:00:17" in last
    assert shown(terminal).endswith("3,000 programs in 3 s, 1,000 per second\n")


def test_work_that_tells_of_no_disagreements_shows_none() -> None:
    with redirect_stderr(Terminal()) as terminal, progress_bar("audit") as follow:
        follow(Progress(1, 2, 0))
    assert "audit" in shown(terminal)
    assert "disagreement" not in shown(terminal)
    with redirect_stderr(Terminal()) as terminal, progress_bar("sweep") as follow:
        follow(Progress(1, 2, 0, 0))
    assert "sweep (0 disagreements)" in shown(terminal)


def test_without_work_there_is_no_summary() -> None:
    with redirect_stderr(Terminal()) as terminal:
        with progress_bar("sweep") as follow:
            pass
        before = terminal.getvalue()
        follow.print_summary()
    assert terminal.getvalue() == before != ""


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    with redirect_stderr(io.StringIO()) as log:
        with progress_bar("sweep") as follow:
            follow(Progress(1, 2, 0, 0))
        follow.print_summary()
    assert log.getvalue() == ""
