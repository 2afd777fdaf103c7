"""CaDiCaL in a process of its own, which ends when its time or its memory is used up.

In this process it could be stopped by the number of its conflicts alone.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass

from sealcheck.encodings.clauses import Clauses, Model, Proof, accepted, cadical
from sealcheck.errors import LimitReached

# -P: nothing is imported from the folder that somebody happens to be in.
_CHILD = [sys.executable, "-P", "-c", "from sealcheck.encodings.isolated import main; main()"]


_SIGNAL_AT_DEATH_OF_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


@dataclass(frozen=True)
class SolverLimits:
    """How far a solver may go about one question."""

    seconds: float
    mib: int
    """Of address space, with that of Python."""
    conflicts: int | None = None


def refutation_within(clauses: Clauses, limits: SolverLimits) -> Proof | Model:
    """As `refutation`, by a solver that is stopped at any of the limits; starting it takes 0.1 s.

    Raises LimitReached, and Disagreement where CaDiCaL's proof is no proof.

    >>> limits = SolverLimits(seconds=60, mib=1000)
    >>> refutation_within([[1, 2], [-2]], limits)
    Model(true=frozenset({1}))
    >>> refutation_within([[1], []], limits)
    Proof(steps=('3 0 2 0',))
    """
    lines = [json.dumps(asdict(limits)), *(" ".join(map(str, (*clause, 0))) for clause in clauses)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        child = subprocess.run(
            _CHILD,
            input="\n".join(lines),
            capture_output=True,
            text=True,
            timeout=limits.seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitReached(f"cadical took more than {limits.seconds:g} s") from None
    kind, *answer = child.stdout.splitlines() or [""]
    match kind:
        case "proof":
            return accepted(clauses, answer)
        case "model":
            return Model(frozenset(map(int, answer)))
        case "limit":
            raise LimitReached(answer[0])
        case _ if child.returncode < 0 or "Error" not in child.stderr:
            raise LimitReached(f"cadical died: {limits.mib} MiB may not have been enough")
        case _:
            raise RuntimeError(f"cadical's process failed: {child.stderr}")


def main() -> None:
    """Answer the one question that is on standard input, in a process of its own."""
    header, *lines = sys.stdin.read().splitlines()
    limits = SolverLimits(**json.loads(header))
    _limit_this_process(limits)
    try:
        print(_answer([list(map(int, line.split()))[:-1] for line in lines], limits.conflicts))
    except LimitReached as limit:
        print("limit", limit, sep="\n")
    except MemoryError:
        print("limit", f"cadical used more than {limits.mib} MiB", sep="\n")


def _answer(clauses: Clauses, conflicts: int | None) -> str:
    found = cadical(clauses, conflicts)
    lines = ["model", *map(str, found.true)] if isinstance(found, Model) else ["proof", *found]
    return "\n".join(lines)


def _limit_this_process(limits: SolverLimits) -> None:
    """End with the time, and on Linux with whoever asked; have no more than that memory."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH_OF_PARENT, signal.SIGKILL)
    if sys.platform != "win32":
        import resource

        signal.alarm(int(limits.seconds) + 1)
        resource.setrlimit(resource.RLIMIT_AS, (limits.mib << 20, limits.mib << 20))
