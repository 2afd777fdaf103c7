"""How fast the verified checker is, beside the kernel, on the rows of certified tables.

The kernel does more: it finds out the least renaming and the size of the orbit.  How long it takes without
that is measured, too.  The program must be on the PATH (`make -C proofs checker`).  Figures are of one run
on one machine.

    python benchmarks/verified_checker.py
"""

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from sealcheck.evidence.table_files import refusal
from sealcheck.kernel.tables import check_row
from sealcheck.questions.verified_checker import checker
from sealcheck.spark_sweeps.session import spark_session
from sealcheck.spark_sweeps.tables import write_table

TABLES = (("sealing-pairs", 3, 4), ("sealing-pairs", 4, 4), ("sealability", 3, 5))
"""Kinds with a number of processes and the most messages."""


def rows(kind: str, n: int, messages: int) -> list[bytes]:
    """The rows of a table."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "table"
        write_table(
            kind,
            "jsonl",
            target,
            [(n, m) for m in range(messages + 1)],
            partial(spark_session, None, "benchmark"),
        )
        return target.read_bytes().splitlines()[1:]


def seconds(check: Callable[[str, bytes], object], kind: str, lines: list[bytes]) -> float:
    """How long it takes to check them all."""
    start = time.perf_counter()
    for line in lines:
        check(kind, line)
    return time.perf_counter() - start


def without_renamings(kind: str, lines: list[bytes]) -> float:
    """How long the kernel takes that believes what rows say of their orbits."""
    said = [json.loads(line)["orbit_size"] for line in lines]
    with patch("sealcheck.kernel.tables.orbit_size", side_effect=said):
        return seconds(check_row, kind, lines)


def main() -> None:
    running = checker()

    def verified(kind: str, line: bytes) -> None:
        if why := refusal(running, kind, line):
            raise AssertionError(why)

    titles = f"{'kernel s':>10}{'no renaming s':>15}{'verified s':>12}"
    print(f"{'table':<14}{'n':>3}{'messages':>10}{'rows':>8}{titles}")
    for kind, n, messages in TABLES:
        lines = rows(kind, n, messages)
        kernel, plain = seconds(check_row, kind, lines), without_renamings(kind, lines)
        taken = f"{kernel:>10.2f}{plain:>15.2f}{seconds(verified, kind, lines):>12.2f}"
        print(f"{kind:<14}{n:>3}{messages:>10}{len(lines):>8}{taken}", flush=True)


if __name__ == "__main__":
    main()
