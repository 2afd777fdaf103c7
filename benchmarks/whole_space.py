"""One query for a whole level, compared with one query for each program, for lemma GraphCause at n = 3.

A level is the set of all programs of n processes with m messages. CaDiCaL gets the query for a whole level,
and its proof is checked. z3 gets the queries for single programs. Each solver is the faster one for its kind
of query. Large levels get the one query only. Only the growth and the ratios are meaningful.

    python benchmarks/whole_space.py [most messages [most messages one by one]]
"""

import sys
import time

from pysmt.shortcuts import Or

from sealcheck.algorithms.program_graph import normal_edges
from sealcheck.encodings.clauses import Proof, refutation
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Solver, fresh_formulas, open_solver, satisfiable
from sealcheck.evidence.cubes import clausal, numbered
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.section4.graph_cause import GRAPH_CAUSE


def is_broken(p: StraightLine, solver: Solver) -> bool:
    """Whether some run has the two events of a normal edge of the program graph in the other order."""
    given = GivenRun([p], solver.order)
    edges = [[f"P{event.process}.{event.position}" for event in edge] for edge in normal_edges(p)]
    reversed_edge = Or(given.order.before(second, first) for first, second in edges)
    return satisfiable(solver, [*axioms(given.run), reversed_edge])


def one_by_one(messages: int) -> int:
    """Ask z3 about every canonical program of the level, and return the number of these programs."""
    with fresh_formulas(), open_solver("z3") as solver:
        broken = [is_broken(p, solver) for p in Space(3, messages).programs() if p.is_canonical]
    assert not any(broken)
    return len(broken)


def at_once(messages: int) -> None:
    """Ask CaDiCaL about the level, and check its proof."""
    (asked,) = numbered(GRAPH_CAUSE.id, 0, 3, messages)
    assert isinstance(refutation(clausal(asked).clauses), Proof)


def main() -> None:
    """Print one line for each number of messages."""
    most, one_by_one_to = (int(given) for given in (*sys.argv[1:], *("24", "5")[len(sys.argv) - 1 :]))
    print(f"{'messages':>8} {'at once s':>10} {'one by one s':>13} {'programs':>9} {'ratio':>7}")
    for messages in range(1, most + 1):
        start = time.perf_counter()
        at_once(messages)
        taken = time.perf_counter() - start
        line = f"{messages:>8} {taken:>10.3f}"
        if messages <= one_by_one_to:
            start = time.perf_counter()
            programs = one_by_one(messages)
            longer = time.perf_counter() - start
            line += f" {longer:>13.2f} {programs:>9,} {longer / taken:>7.0f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
