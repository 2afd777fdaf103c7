"""One query for a whole level against one query for each program, for lemma GraphCause at n = 3.

Both give the same verdict.  The whole-space query goes to CaDiCaL, with a proof that is checked, the
queries about given programs to z3, each the faster choice for its kind.  Figures are of one run on one
machine: read the growth and the ratios.

    python benchmarks/whole_space.py [most messages]
"""

import sys
import time

from sealcheck.encodings.solving import fresh_formulas, open_solver
from sealcheck.theorems.checking import check_level
from sealcheck.theorems.graph_cause import STATEMENT, broken_by_solving


def one_by_one(messages: int) -> int:
    """Ask z3 about every canonical program of the level; how many these are."""
    assert STATEMENT.domain is not None
    size = STATEMENT.domain.size(3, messages)
    with fresh_formulas(), open_solver("z3") as solver:
        instances = STATEMENT.domain.instances(3, messages, 0, size)
        broken = [broken_by_solving(instance, solver) for instance in instances]
    assert not any(broken)
    return len(broken)


def main() -> None:
    """Print one line for each number of messages."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'messages':>8} {'programs':>9} {'one by one s':>13} {'at once s':>10} {'ratio':>7}")
    for messages in range(1, most + 1):
        start = time.perf_counter()
        programs = one_by_one(messages)
        middle = time.perf_counter()
        found = check_level(STATEMENT, 0, 3, messages, solver="cadical")
        end = time.perf_counter()
        assert not found.refuting
        assert not found.unknown
        ratio = (middle - start) / (end - middle)
        print(
            f"{messages:>8} {programs:>9} {middle - start:>13.2f} {end - middle:>10.3f} {ratio:>7.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
