"""Whole-space `graph-cause` compared with an ASP solver and a model checker, in one run.

The question: is there a program with n processes and m messages, with a run in which the k'th send on a
channel is not causally before the k'th receive on it?  The right answer is no at every level (n, m).  A
wrong answer stops the run.  The contestants are:

ours        builds a CNF, which CaDiCaL solves; the kernel checks the trimmed proof.
clingo      grounds and solves `graph_cause.lp`, without a proof.
unordered   ours and clingo without the assumption that each channel delivers in the order of sending.
            Then the solver must solve a pigeonhole problem to see that some messages do not fit.
SPIN        writes every program by `graph_cause.pml` and executes all its interleavings, without a proof.
            It asks for "not causally before" as "the other way round in some interleaving".  Compiling is
            not timed.

Our encoding and clingo's are alike.  Both number messages by channel, describe each program once, let the
violated edge be one from 1 to 2, and refute the edge by a closed set of events.  Clingo's encoding also
requires P and the matching to be acyclic, and orders the processes other than 1 and 2.

Seconds are wall time for one level, without starting Python and importing.  MiB are the peak memory of
the process that answers (for SPIN, of the compiled verifier).  Each cell of the table is measured in a
process of its own, and the limit is for this whole process.  Quick cells are the median of three.  If a
contestant gives up at a level, it does not get larger levels with the same n.  The figures are of one run
on one machine, so only the ratios are meaningful.  "-" means not installed:

    pip install clingo; apt-get install spin gcc
    python benchmarks/peers/run.py [--limit SECONDS]
"""

import argparse
import gc
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
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = [(3, m) for m in (2, 4, 6, 8, 9, 10, 11, 12, 16, 20, 24)]
LEVELS += [(4, m) for m in (2, 4, 6, 8, 12, 16)] + [(5, m) for m in (2, 4, 6, 8, 12, 16)]
QUICK = 5.0
"""The most seconds of a cell that is measured three times."""
SPIN_MIB = 3072
"""The memory that SPIN's verifier may use."""


@dataclass(frozen=True)
class Solved:
    """What solving one level took."""

    seconds: float
    mib: float


@dataclass(frozen=True)
class GaveUp:
    """The limit that was hit."""

    limit: str


Cell = Solved | GaveUp | None
"""None if a contestant was not asked."""


def peak_mib() -> float:
    """The peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ours(n: int, m: int, *, in_order: bool = True) -> Solved | GaveUp:
    """One refutation, checked by the kernel."""
    import pysat.solvers  # noqa: F401 - so that importing it is not timed

    from sealcheck.encodings.clauses import Proof, refutation, to_cnf
    from sealcheck.encodings.formulas import Gates, made_of
    from sealcheck.encodings.runs import Axiom
    from sealcheck.encodings.solving import ConsistentCut
    from sealcheck.theorems.section4.graph_cause import some_edge_not_causal

    gc.collect()  # what importing has left is not timed, either
    start = time.perf_counter()
    with made_of(Gates()):
        query = some_edge_not_causal(n, m, [Axiom.ACYCLIC], order=ConsistentCut, in_order=in_order)
        clauses = to_cnf(query.formulas).clauses
    found = refutation(clauses)
    taken = time.perf_counter() - start
    assert isinstance(found, Proof), f"the CNF has a model at n={n} m={m}"
    return Solved(taken, peak_mib())


def clingo(n: int, m: int, *, in_order: bool = True) -> Solved | GaveUp:
    """Grounding and solving in one thread."""
    from clingo import Control

    gc.collect()
    start = time.perf_counter()
    control = Control([f"--const=n={n}", f"--const=m={m}", f"--const=in_order={int(in_order)}"])
    control.load(str(HERE / "graph_cause.lp"))
    control.ground([("base", [])])
    result = control.solve()
    taken = time.perf_counter() - start
    assert result.unsatisfiable, f"clingo says {result} at n={n} m={m}"
    return Solved(taken, peak_mib())


def spin(n: int, m: int) -> Solved | GaveUp:
    """An exhaustive search by a verifier, which SPIN generates in the working directory."""
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
    return Solved(taken, usage.ru_maxrss / 1024)


CONTESTANTS: dict[str, Callable[[int, int], Solved | GaveUp]] = {
    "ours": ours,
    "clingo": clingo,
    "ours unordered": partial(ours, in_order=False),
    "clingo unordered": partial(clingo, in_order=False),
    "SPIN": spin,
}


def installed(name: str) -> bool:
    """Whether this machine has what a contestant needs."""
    if name == "SPIN":
        return all(shutil.which(command) for command in ("spin", "gcc"))
    return name.startswith("ours") or importlib.util.find_spec("clingo") is not None


def solved(name: str, n: int, m: int, limit: float) -> Solved | GaveUp:
    """The result of a new process, which is killed with all its children at the limit."""
    command = [sys.executable, str(HERE / "run.py"), "--cell", name, str(n), str(m)]
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
        raise SystemExit(f"{name} failed at n={n} m={m}")
    fields = json.loads(printed)
    return Solved(**fields) if "seconds" in fields else GaveUp(**fields)


def median(name: str, n: int, m: int, limit: float) -> Solved | GaveUp:
    """The cell of median duration out of three; only the first cell is measured if it is slow."""
    cells = []
    for _ in range(3):
        cell = solved(name, n, m, limit)
        if isinstance(cell, GaveUp) or cell.seconds > QUICK:
            return cell
        cells.append(cell)
    return sorted(cells, key=lambda cell: cell.seconds)[1]


def shown(cell: Cell) -> tuple[str, str]:
    """Seconds and MiB of a cell as text."""
    if isinstance(cell, Solved):
        return f"{cell.seconds:.3f}", f"{cell.mib:.0f}"
    return (f"> {cell.limit}", "") if cell else ("", "")


def line(n: int, m: int, cells: dict[str, Cell]) -> str:
    """One row of the table."""
    texts = [shown(cells[name]) if installed(name) else ("-", "-") for name in CONTESTANTS]
    columns = " ".join(f"{seconds:>16} {mib:>5}" for seconds, mib in texts)
    mine, theirs = cells["ours"], cells["clingo"]
    ratio = ""
    if isinstance(mine, Solved) and isinstance(theirs, Solved):
        ratio = f"{theirs.seconds / mine.seconds:.2f}"
    return f"{n:>2} {m:>3} {columns} {ratio:>11}"


def table(limit: float) -> None:
    """Ask everything and print one line for each level."""
    heads = " ".join(f"{name:>16} {'MiB':>5}" for name in CONTESTANTS)
    print(f"{'n':>2} {'m':>3} {heads} {'clingo/ours':>11}")
    beaten: set[tuple[str, int]] = set()
    for n, m in LEVELS:
        cells: dict[str, Cell] = {}
        for name in CONTESTANTS:
            skipped = (name, n) in beaten or not installed(name)
            cells[name] = None if skipped else median(name, n, m, limit)
            if isinstance(cells[name], GaveUp):
                beaten.add((name, n))
        print(line(n, m, cells), flush=True)


def main() -> None:
    """Print the table, or fill one cell of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=120.0, metavar="SECONDS", help="for each cell")
    parser.add_argument("--cell", nargs=3, metavar=("NAME", "N", "M"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cell:
        name, n, m = arguments.cell
        print(json.dumps(vars(CONTESTANTS[name](int(n), int(m)))))
    else:
        table(arguments.limit)


if __name__ == "__main__":
    main()
