"""What all tests share."""

import os
import signal

import pytest

from sealcheck import bounded

for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):  # what starts here should run as elsewhere
    os.environ.pop(name, None)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called within limits is called in a fork of its own test, with all that this has replaced."""
    monkeypatch.setattr(bounded, "_KEPT", {})


@pytest.fixture(autouse=True, scope="session")
def _interruptible() -> None:
    """Ctrl-C interrupts, also where the tests were started in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
