"""How fast the verified checker is, beside the kernel, on the rows of certified tables, and on long answers.

Rows go through a pipe, one by one.  Of long answers the seconds are of the processor, with starting the
program and reading the line: a run (the events of random messages), chains (Q acknowledges P), and layers
that stay apart, where the kernel checks chains and the verified checker decides.  The program must be on the
PATH (`make -C proofs checker`).  Figures are of one run on one machine.

    python benchmarks/verified_checker.py
"""

import json
import random
import resource
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.cli.play.verified import of_layers
from sealcheck.evidence.table_files import refusal
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.runs import played
from sealcheck.kernel.sealing import check_chains
from sealcheck.kernel.tables import check_row
from sealcheck.operations.phases import staying_apart
from sealcheck.programs.phases import Phases
from sealcheck.programs.runs import fifo_run
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.verified_checker import PROGRAM, checker
from sealcheck.spark_sweeps.session import spark_session
from sealcheck.spark_sweeps.tables import write_table

TABLES = (("sealing-pairs", 3, 4), ("sealing-pairs", 4, 4), ("sealability", 3, 5), ("signatures", 3, 5))
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


def of_program(document: dict[str, Any]) -> float:
    """How long the verified checker takes for one line, and to start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = json.dumps({"v": 1, "seq": 1} | document).encode()
    said = subprocess.run([PROGRAM], input=line + b"\n", capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json.loads(said) == {"seq": 1, "result": True}, said
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def of_kernel(text: str, check: Callable[[Any], object]) -> float:
    """How long the kernel takes for one document, which it reads."""
    start = time.process_time()
    check(json.loads(text))
    return time.process_time() - start


def run(n: int, messages: int) -> tuple[int, float, float]:
    """A run of random messages, each received at once: its events, and how long both take."""
    source = random.Random(7)
    program = StraightLine.of(n, [e for _ in range(messages) for e in mt(*source.sample(range(1, n + 1), 2))])
    played_in_order = fifo_run(program)
    document = {
        "n": n, "program": str(program), "order": played_in_order.order,
        "matching": sorted(played_in_order.matching.items()),
    }  # fmt: skip

    def check(value: Any) -> None:
        shares = shares_of(events_of(value["program"], n), n)
        played(shares, value["order"], value["matching"])

    return program.length, of_kernel(json.dumps(document), check), of_program({"run": document})


def layers(n: int, turns: int, many: int) -> Phases:
    """Layers in which messages go around, and back at the end of each."""
    around = [e for _ in range(turns) for i in range(1, n + 1) for e in mt(i, i % n + 1)]
    back = [e for i in range(1, n + 1) for e in mt(i % n + 1, i)]
    return Phases((StraightLine.of(n, around + back),) * many)


def chains(n: int, turns: int) -> tuple[int, float, float]:
    """A layer that seals another."""
    p, q = layers(n, turns, 2).layers
    document = {"n": n} | sealing_document(p, q)

    def check(value: Any) -> None:
        first, second = (balanced_events(value[key], n) for key in ("p", "q"))
        check_chains(first, second, n, value["certificate"]["chains"])

    return p.length + q.length, of_kernel(json.dumps(document), check), of_program({"answer": document})


def apart(n: int, turns: int, many: int) -> tuple[int, float, float]:
    """Layers that stay apart."""
    result = staying_apart(layers(n, turns, many))
    ((_, asked, _),), _ = of_layers(result)
    text = json.dumps([result.document["certificate"], result.document["interfering"]])
    events = sum(map(len, layers(n, turns, many).layers[0].shares)) * many
    return events, of_kernel(text, lambda value: check_phases(*value)), of_program(asked)


LONG: dict[str, list[Callable[[], tuple[int, float, float]]]] = {
    "run": [partial(run, 8, 500), partial(run, 8, 5000), partial(run, 8, 50000)],
    "chains": [partial(chains, 8, 100), partial(chains, 8, 1000), partial(chains, 8, 5000)],
    "layers apart": [partial(apart, 8, 100, 5), partial(apart, 32, 30, 5)],
}


def main() -> None:
    running = checker()

    def verified(kind: str, line: bytes) -> None:
        if why := refusal(running, kind, line):
            raise AssertionError(why)

    titles = f"{'kernel s':>10}{'verified s':>12}"
    print(f"{'table':<14}{'n':>3}{'messages':>10}{'rows':>8}{titles}")
    for kind, n, messages in TABLES:
        lines = rows(kind, n, messages)
        taken = f"{seconds(check_row, kind, lines):>10.2f}{seconds(verified, kind, lines):>12.2f}"
        print(f"{kind:<14}{n:>3}{messages:>10}{len(lines):>8}{taken}", flush=True)
    print(f"\n{'long answer':<14}{'events':>21}{titles}")
    for name, each in LONG.items():
        for measured in each:
            events, kernel, program = measured()
            print(f"{name:<14}{events:>21}{kernel:>10.3f}{program:>12.3f}", flush=True)


if __name__ == "__main__":
    main()
