"""Fixtures and hooks for all tests."""

import os
import shutil
import signal
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import typer.main
from tests.shares import dealt

from sealcheck.spark_sweeps.audit_tasks import collect_seldom
from sealcheck.support import processes as bounded
from sealcheck.theorems.checking import check

if TYPE_CHECKING:
    from tests.sessions import KeptSession

for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):  # what starts here should run as elsewhere
    os.environ.pop(name, None)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_KEPT", {})
    check._about_level.cache_clear()


@pytest.fixture(autouse=True, scope="session")
def _interruptible() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _one_command_line() -> Iterator[None]:
    """Make the parser of the command line once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def kept_session() -> Iterator["KeptSession"]:
    """A Spark session for all tests of this process, which can have only one at a time."""
    from tests.sessions import KeptSession  # loads Spark

    kept = KeptSession()
    yield kept
    kept.stop()


@pytest.hookimpl(trylast=True)  # after tests are deselected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, and run all tests with Spark on one worker."""
    if workers := os.environ.get("PYTEST_XDIST_WORKER_COUNT"):
        on_spark = [item for item in items if "kept_session" in getattr(item, "fixturenames", ())]
        items[:] = dealt(items, module_of, int(workers), [*dict.fromkeys(map(module_of, on_spark))])


def module_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def pytest_collection_finish() -> None:
    """Freeze the collected tests, which are not garbage."""
    collect_seldom()


CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium")
    assert found, "there is no chromium on the path"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM))
        yield chromium
        chromium.close()
