"""`sealcheck prove` with causality from the program graph, and without: the same levels side by side.

For each level all whole-space queries of the statement are made, solved, and their proofs checked by the
kernel, one after the other in one process: once as the definitions have it, and once using lemma
graph-cause.  Seconds are of the processor; `steps` are those of the proofs, which depend on no machine.  A
level that takes longer than the limit is stopped, and larger ones of its kind are not tried.

    python benchmarks/using_lemmas.py [seconds for a level]
"""

import resource
import sys
import time
from collections.abc import Iterator

from sealcheck.bounded import Bounded, Limits
from sealcheck.encodings.clauses import Proof, refutation
from sealcheck.errors import LimitReached
from sealcheck.evidence.cubes import LevelQuery, clausal, numbered

LEMMA = "graph-cause"
LEVELS = (
    ("closed-channels", 3, (4, 6, 7, 8, 10, 12)),
    ("closed-channels", 4, (4, 6, 7, 8)),
    ("decide-sealing", 3, (4, 5, 6, 7, 8)),
    ("decide-sealing", 4, (4,)),
)
WAITED = 40
"""Seconds that may pass for one of the processor, where others use it, too."""


def proved(asked: tuple[list[LevelQuery], int]) -> tuple[float, int]:
    """Seconds, and steps of the proofs that none of the queries has a model; ends itself at the limit."""
    queries, seconds = asked
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    start, steps = time.process_time(), 0
    for query in queries:
        proof = refutation(clausal(query).clauses)
        assert isinstance(proof, Proof), query
        steps += len(proof.steps)
    return time.process_time() - start, steps


def row(statement: str, n: int, messages: int, seconds: int, stopped: set[str]) -> Iterator[str]:
    """The cells of a level, without the lemma and with it."""
    for using in ("", LEMMA):
        if using in stopped:
            yield f"{'':>9} {'':>9}"
            continue
        with Bounded(proved, Limits(seconds * WAITED, 4096)) as bounded:
            try:
                taken, steps = bounded((numbered(statement, 0, n, messages, using), seconds))
                yield f"{taken:>9.2f} {steps:>9}"
            except LimitReached:
                stopped.add(using)
                yield f"{f'> {seconds}':>9} {'':>9}"


def main() -> None:
    """Print a line for each level."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    refutation(
        clausal(numbered("closed-channels", 0, 2, 1)[0]).clauses
    )  # what has to be loaded is loaded now
    print(f"{'statement':<15} {'n':>2} {'m':>2} {'without s':>9} {'steps':>9} {'with s':>9} {'steps':>9}")
    for statement, n, levels in LEVELS:
        stopped: set[str] = set()
        for messages in levels:
            cells = " ".join(row(statement, n, messages, seconds, stopped)).rstrip()
            print(f"{statement:<15} {n:>2} {messages:>2} {cells}", flush=True)


if __name__ == "__main__":
    main()
