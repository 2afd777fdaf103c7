"""The test of the tests: put one fault after another into a copy of the package. Some test must fail.

``python tests/mutation/mutate.py`` tries every fault of faults.toml, two at a time. For each fault it runs
the test that noticed it last time, then the tests of its module, of its floor, the fast suite, and the
default audit. A step that takes too long, or too much memory, notices the fault, too. It prints a line for
each fault and how many were noticed. Numbers or file names as arguments choose faults.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/sealcheck")
PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
AT_ONCE = 2
LIMIT = 1200
"""Seconds for one step. The limit catches faults that make something run forever."""
MEMORY = 6 * 2**30
"""Bytes of data for each process of a step."""
RUNNING: set[int] = set()
"""The process groups of the running steps."""


class Fault(NamedTuple):
    """A text of a source file, and its replacement.

    ``noticed_by`` is the test that failed when the fault was last tried, or a file with a failed doctest.
    """

    file: str
    note: str
    old: str
    new: str
    noticed_by: str = ""


def faults() -> list[Fault]:
    listed = tomllib.loads((Path(__file__).parent / "faults.toml").read_text())["fault"]
    return [Fault(**fault) for fault in listed]


def put_into(fault: Fault, package: Path) -> None:
    file = package / fault.file
    text = file.read_text()
    assert text.count(fault.old) == 1, f"{fault.file} must have this text once:\n{fault.old}"
    file.write_text(text.replace(fault.old, fault.new))


def steps(fault: Fault) -> Iterator[list[str]]:
    """The tests that are run to notice a fault: the likeliest and quickest first, all fast tests last."""
    here = str(PACKAGE / fault.file)
    place = Path("tests") / fault.file
    module, floor = place.with_name(f"test_{place.name}"), Path("tests") / Path(fault.file).parts[0]
    if fault.noticed_by:
        yield [fault.noticed_by]
    for tests in (module, floor, floor.with_name(f"test_{floor.name}")):
        if (ROOT / tests).exists():
            yield [str(tests), here]
    yield []


def run(command: list[str], copy: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on a copy of the repository, with a cache of its own, and end its children with it.

    Raises TimeoutExpired.
    """
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "XDG_CACHE_HOME": str(copy / "cache")}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=copy, env=environment, stdout=pipe, stderr=pipe, text=True, process_group=0
    ) as process:
        RUNNING.add(process.pid)
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
        try:
            out, err = process.communicate(timeout=LIMIT)
        finally:
            end(process.pid)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def end(group: int) -> None:
    RUNNING.discard(group)
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def verdicts(copy: Path) -> object:
    """The audit's verdicts at its default bounds; None if it ends without a ledger."""
    audit = "import sys; from sealcheck.cli.main import main; sys.exit(main(['audit', '--json']))"
    ledger = json.loads(run([sys.executable, "-c", audit], copy).stdout or "null")
    if not isinstance(ledger, list):
        return None
    return [(row["statement"], row["claim"], row["verdict"]) for row in ledger]


@cache
def expected_verdicts() -> object:
    with tempfile.TemporaryDirectory(prefix="sealcheck-mutant-") as scratch:
        return verdicts(copied(Path(scratch)))


def copied(scratch: Path) -> Path:
    ignored = shutil.ignore_patterns(".git", ".*_cache", "__pycache__", "*.egg-info", ".hypothesis")
    return shutil.copytree(ROOT, scratch / "repository", symlinks=True, ignore=ignored)


def noticed(printed: str) -> str | None:
    """The first failed test in pytest's summary; None without a summary.

    For a doctest only the file, because its name depends on which tests it is run with.

    >>> noticed("FAILED tests/test_docs.py::test_links[README.md] - AssertionError")
    'tests/test_docs.py::test_links'
    >>> noticed("FAILED src/sealcheck/words.py::sealcheck.words.counted")
    'src/sealcheck/words.py'
    """
    found = re.search(r"^(?:FAILED|ERROR) (src/[^:\s]+|[^\[\s]+)", printed, re.MULTILINE)
    return found and found[1]


def caught_by(fault: Fault) -> str | None:
    with tempfile.TemporaryDirectory(prefix="sealcheck-mutant-") as scratch:
        copy = copied(Path(scratch))
        put_into(fault, copy / PACKAGE)
        try:
            for tests in steps(fault):
                done = run([*PYTEST, *tests], copy)
                if "not found:" in done.stderr:
                    raise LookupError(f"there are no tests {tests}")
                if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                    return noticed(done.stdout) or "pytest, which came to no summary"
            found = verdicts(copy)
            return None if found is not None and found == expected_verdicts() else "the audit"
        except subprocess.TimeoutExpired:
            return "the time limit"


def main(arguments: list[str]) -> int:
    chosen = [
        (number, fault)
        for number, fault in enumerate(faults(), 1)
        if not arguments or str(number) in arguments or fault.file in arguments
    ]
    survivors = 0
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        results = pool.map(lambda pair: caught_by(pair[1]), chosen)
        for (number, fault), caught in zip(chosen, results, strict=True):
            survivors += caught is None
            how = f"caught by {caught}" if caught else "SURVIVES"
            print(f"{number:3}  {fault.file}: {fault.note}: {how}", flush=True)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for group in list(RUNNING):
            end(group)
    print(f"{len(chosen) - survivors} of {len(chosen)} caught")
    return int(survivors > 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main(sys.argv[1:]))
