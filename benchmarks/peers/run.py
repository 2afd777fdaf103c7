"""Whole-space `graph-cause` beside an ASP solver and a model checker, side by side in one run.

Is there a program with n processes and m messages, and a run of it, in which the k'th send on a channel
is not causally before the k'th receive on it?  There is none at any level, and whoever says otherwise
stops the run.  What is compared:

ours     a CNF is built, CaDiCaL solves it, and the kernel checks the trimmed proof.
clingo   `graph_cause.lp` is grounded and solved; clingo's word is taken without a proof.
SPIN     `graph_cause.pml` writes every program and plays all its interleavings; no proof either.  "Not
         causally before" is asked as "the other way round in some interleaving".  Compiling is not timed.

The three encodings differ.  Ours and clingo's number messages by channel and fix the channel of the violated
edge; but clingo's describes every program once, ours once for each of its FIFO interleavings.

Seconds are wall time for one question, without starting Python and importing; MiB are the peak of the
process that answers it (for SPIN, of the compiled verifier).  Every cell is a process of its own, and
the limit is for all that it does; quick cells are the median of three.  Where a way gives up at a level,
it isn't asked larger ones with the same n.
Figures are of one run on one machine: read the ratios.  Not installed is shown as "-":

    pip install clingo; apt-get install spin gcc
    python benchmarks/peers/run.py [--limit SECONDS]
"""

import argparse
import importlib.util
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = [(3, m) for m in range(2, 10)] + [(4, m) for m in range(2, 7)] + [(5, m) for m in range(2, 6)]
QUICK = 5.0
"""Seconds up to which a cell is asked three times."""
SPIN_MIB = 3072
"""The memory that SPIN's verifier may use."""


@dataclass(frozen=True)
class Answered:
    """What one answer took."""

    seconds: float
    mib: float


@dataclass(frozen=True)
class GaveUp:
    """The limit that was hit."""

    limit: str


Cell = Answered | GaveUp | None
"""None where a peer was not asked."""


def peak_mib() -> float:
    """The peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ours(n: int, m: int) -> Answered | GaveUp:
    """One refutation, checked by the kernel."""
    import pysat.solvers  # noqa: F401 - so that importing it is not timed

    from sealcheck.encodings.cnf import to_cnf
    from sealcheck.encodings.proofs import refutation
    from sealcheck.theorems.graph_cause import some_edge_not_causal

    start = time.perf_counter()
    (query,) = some_edge_not_causal(n, m)
    found = refutation(to_cnf(query.formulas).clauses)
    taken = time.perf_counter() - start
    assert isinstance(found, list), f"the CNF has a model at n={n} m={m}"
    return Answered(taken, peak_mib())


def clingo(n: int, m: int) -> Answered | GaveUp:
    """Grounding and solving in one thread."""
    from clingo import Control

    start = time.perf_counter()
    control = Control([f"--const=n={n}", f"--const=m={m}"])
    control.load(str(HERE / "graph_cause.lp"))
    control.ground([("base", [])])
    result = control.solve()
    taken = time.perf_counter() - start
    assert result.unsatisfiable, f"clingo says {result} at n={n} m={m}"
    return Answered(taken, peak_mib())


def spin(n: int, m: int) -> Answered | GaveUp:
    """An exhaustive search by the verifier that SPIN generates, into the working directory."""
    model = ["spin", "-a", f"-DN={n}", f"-DM={m}", str(HERE / "graph_cause.pml")]
    compiler = ["gcc", "-O2", "-w", "-DSAFETY", f"-DMEMLIM={SPIN_MIB}", "-o", "pan", "pan.c"]
    for command in (model, compiler):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    start = time.perf_counter()
    pan = subprocess.Popen(["./pan", "-m10000", "-w20"], stdout=subprocess.PIPE, text=True)
    assert pan.stdout is not None
    report = pan.stdout.read()
    _, _, usage = os.wait4(pan.pid, 0)
    taken = time.perf_counter() - start
    assert "errors: 0" in report, f"SPIN found a run at n={n} m={m}: {report}"
    if "Search not completed" in report:
        return GaveUp(f"{SPIN_MIB} MiB")
    return Answered(taken, usage.ru_maxrss / 1024)


WAYS: dict[str, Callable[[int, int], Answered | GaveUp]] = {"ours": ours, "clingo": clingo, "SPIN": spin}


def installed(way: str) -> bool:
    """Whether this machine has what a way needs."""
    if way == "SPIN":
        return all(shutil.which(command) for command in ("spin", "gcc"))
    return way == "ours" or importlib.util.find_spec(way) is not None


def asked(way: str, n: int, m: int, limit: float) -> Answered | GaveUp:
    """The answer of a fresh process, which is stopped with all its children at the limit."""
    command = [sys.executable, str(HERE / "run.py"), "--cell", way, str(n), str(m)]
    with tempfile.TemporaryDirectory() as scratch:
        process = subprocess.Popen(
            command, cwd=scratch, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            printed, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return GaveUp(f"{limit:g} s")
    if process.returncode:
        raise SystemExit(f"{way} failed at n={n} m={m}")
    fields = json.loads(printed)
    return Answered(**fields) if "seconds" in fields else GaveUp(**fields)


def median(way: str, n: int, m: int, limit: float) -> Answered | GaveUp:
    """The answer of median duration out of three, or the first if that was slow."""
    answers = []
    for _ in range(3):
        answer = asked(way, n, m, limit)
        if isinstance(answer, GaveUp) or answer.seconds > QUICK:
            return answer
        answers.append(answer)
    return sorted(answers, key=lambda answer: answer.seconds)[1]


def shown(cell: Cell) -> tuple[str, str]:
    """Seconds and MiB of a cell as text."""
    if isinstance(cell, Answered):
        return f"{cell.seconds:.3f}", f"{cell.mib:.0f}"
    return (f"> {cell.limit}", "") if cell else ("", "")


def line(n: int, m: int, cells: dict[str, Cell]) -> str:
    """One row of the table."""
    columns = [text for way in WAYS for text in (shown(cells[way]) if installed(way) else ("-", "-"))]
    mine, theirs = cells["ours"], cells["clingo"]
    ratio = ""
    if isinstance(mine, Answered) and isinstance(theirs, Answered):
        ratio = f"{theirs.seconds / mine.seconds:.3f}"
    return f"{'graph-cause':<12} {n:>2} {m:>2} " + " ".join(f"{text:>10}" for text in (*columns, ratio))


def table(limit: float) -> None:
    """Ask everything and print one line for each level."""
    heads = [f"{way} {unit}" for way in WAYS for unit in ("s", "MiB")] + ["clingo/us"]
    print(f"{'question':<12} {'n':>2} {'m':>2} " + " ".join(f"{head:>10}" for head in heads))
    beaten: set[tuple[str, int]] = set()
    for n, m in LEVELS:
        cells: dict[str, Cell] = {}
        for way in WAYS:
            skipped = (way, n) in beaten or not installed(way)
            cells[way] = None if skipped else median(way, n, m, limit)
            if isinstance(cells[way], GaveUp):
                beaten.add((way, n))
        print(line(n, m, cells), flush=True)


def main() -> None:
    """Print the table, or answer one question for it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=120.0, metavar="SECONDS", help="for each cell")
    parser.add_argument("--cell", nargs=3, metavar=("WAY", "N", "M"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cell:
        way, n, m = arguments.cell
        print(json.dumps(vars(WAYS[way](int(n), int(m)))))
    else:
        table(arguments.limit)


if __name__ == "__main__":
    main()
